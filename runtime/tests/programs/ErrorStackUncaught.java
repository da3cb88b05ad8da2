public class ErrorStackUncaught {
    static int calls;

    static void down() {
        calls++;
        if (calls < 100) {
            down();
        }
        throw new StackOverflowError("by hand " + calls);
    }

    public static void main(String[] args) {
        Thread.currentThread().setUncaughtExceptionHandler((t, e) -> {
            System.out.println(t.getName() + " " + e + " " + e.getStackTrace().length);
            System.out.flush();
            Runtime.getRuntime().halt(7);
        });
        try {
            down();
        } finally {
            System.out.println("finally");
        }
    }
}
