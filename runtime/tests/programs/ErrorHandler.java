public class ErrorHandler {
    static class Odd extends RuntimeException {
        private static final long serialVersionUID = 1;

        Odd() {
            super("odd\nwith two lines", new Odd2(), true, true);
        }
    }

    static class Odd2 extends Error {
        private static final long serialVersionUID = 1;

        @Override public String getMessage() {
            return null;
        }

        @Override public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static void loop(int n) {
        if (n == 0) {
            throw new Odd();
        }
        loop(n - 1);
    }

    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook after the trace")));
        Thread.currentThread().setName("renamed \"main\"");
        loop(3);
    }
}
