import java.io.PrintWriter;
import java.io.StringWriter;

public class ErrorTrace {
    static class Fails {
        Fails(int n) {
            this(n, "x");
        }

        Fails(int n, String s) {
            throw new IllegalArgumentException(s + n);
        }

        static {
            show("initialiser", new Throwable());
        }

        static void touch() {}
    }

    interface Default {
        default void run() {
            show("default", new Throwable("t"));
        }
    }

    static void show(String name, Throwable t) {
        System.out.println(name + ": " + t.getMessage());
        for (StackTraceElement e : t.getStackTrace()) {
            if (e.getClassName().startsWith("ErrorTrace")) {
                System.out.println("  " + e.getClassName() + "." + e.getMethodName() + ":" + e.getLineNumber() + " " + e.getFileName() + " "
                    + e.getModuleName() + " " + e.isNativeMethod());
            }
        }
    }

    static void multi(int a,
        int b) {
        int c = a
            + b
            / (a
                - 1);
        System.out.println(c);
    }

    static Throwable made() {
        return new Throwable("made here");
    }

    static class Light extends RuntimeException {
        private static final long serialVersionUID = 1;

        Light() {
            super("light", null, false, false);
        }
    }

    static class Renamed extends Exception {
        private static final long serialVersionUID = 1;

        @Override public String toString() {
            return "renamed!";
        }

        @Override public String getLocalizedMessage() {
            return "local";
        }
    }

    public static void main(String[] args) {
        try {
            new Fails(3);
        } catch (IllegalArgumentException e) {
            show("constructor", e);
        }
        new Default() {}.run();
        Runnable r = () -> {
            show("lambda", new Throwable());
        };
        r.run();
        try {
            multi(1,
                2);
        } catch (ArithmeticException e) {
            show("lines", e);
        }
        Throwable t = made();
        try {
            throw t;
        } catch (Throwable same) {
            show("thrown later", same);
            same.fillInStackTrace();
            show("filled in again", same);
            same.setStackTrace(new StackTraceElement[] {new StackTraceElement("ErrorTraceX", "m", "F.java", 7),
                new StackTraceElement("ErrorTraceY", "n", null, -2)});
            show("set", same);
            StringWriter text = new StringWriter();
            same.addSuppressed(new Light());
            same.initCause(new Renamed());
            same.printStackTrace(new PrintWriter(text, true));
            String printed = text.toString();
            System.out.println(printed.substring(0, printed.indexOf("Caused by")) + printed.contains("Caused by: renamed!"));
        }
        System.out.println(new Light().getStackTrace().length + " " + new Renamed().getMessage());
        try {
            Integer.parseInt("zz");
        } catch (NumberFormatException e) {
            StackTraceElement last = e.getStackTrace()[e.getStackTrace().length - 1], first = e.getStackTrace()[0];
            System.out.println(last.getMethodName() + " " + first.getModuleName() + " " + first.getClassName() + " " + first.getMethodName()
                + " " + (first.getLineNumber() > 0));
        }
        try {
            t.initCause(t);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        StackTraceElement here = Thread.currentThread().getStackTrace()[1];
        System.out.println(here);
        new Exception("printed").printStackTrace();
    }
}
