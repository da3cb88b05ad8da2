/// What `Class.forName` with a name alone tells, and whose classes it finds.
public class ErrorForName {
    static class Failing {
        static {
            if (ErrorForName.class != null) {
                throw new IllegalStateException("initializer");
            }
        }
    }

    static void named(String name) {
        try {
            System.out.println(Class.forName(name));
        } catch (Throwable error) {
            System.out.println(error + " because of " + error.getCause());
            for (StackTraceElement frame : error.getStackTrace()) {
                // HotSpot has those of its loaders, too, and where an initializer fails that of the native.
                if (!frame.getClassName().contains("oader") && !(error instanceof ExceptionInInitializerError)) {
                    System.out.println("    " + frame);
                }
            }
        }
    }

    public static void main(String[] words) throws Exception {
        for (String name : new String[] {"a.B", "", "[La.B;", "[I", "int", "java.util.List", "ErrorForName$Failing", null}) {
            named(name);
        }
        named("ErrorForName$Failing");
        System.out.println(Class.class.getMethod("forName", String.class).invoke(null, "ErrorForName"));
        System.out.println(java.util.List.of("ErrorForName").stream().map(ErrorForName::quietly).toList());
    }

    static Class<?> quietly(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException error) {
            throw new IllegalArgumentException(error);
        }
    }
}
