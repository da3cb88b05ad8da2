public class ErrorExit {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        try {
            System.out.println("exit");
            System.exit(42);
        } catch (Throwable t) {
            System.out.println("not caught");
        } finally {
            System.out.println("no finally");
        }
    }
}
