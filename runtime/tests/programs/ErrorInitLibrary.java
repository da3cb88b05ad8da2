// An initializer of the library that fails before any of the program ran.
public class ErrorInitLibrary {
    static void attempt() {
        try {
            new java.util.jar.JarFile("none.jar");
        } catch (Throwable thrown) {
            System.out.println(thrown);
            System.out.println("cause " + thrown.getCause());
            System.out.println("at " + thrown.getStackTrace()[0].getMethodName());
        }
    }

    public static void main(String[] args) {
        System.setProperty("jdk.util.jar.version", "none");
        attempt();
        attempt();
        int count = args.length;
        try {
            count++;
        } finally {
            System.out.println("count " + count);
        }
    }
}
