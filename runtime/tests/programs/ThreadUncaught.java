public class ThreadUncaught {
    static void fail(int n) {
        if (n == 0) {
            throw new IllegalStateException("in a thread");
        }
        fail(n - 1);
    }

    public static void main(String[] args) throws InterruptedException {
        Thread t = new Thread(() -> fail(2), "failing");
        t.start();
        t.join();
        System.out.println("main goes on, " + t.getState());
        Thread handled = new Thread(() -> fail(0), "handled");
        handled.setUncaughtExceptionHandler((thread, e) -> System.out.println("handler of " + thread.getName() + ": " + e.getMessage()));
        handled.start();
        handled.join();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> System.out.println("default for " + thread.getName() + ": " + e));
        Thread other = new Thread(() -> {
            throw new Error("an error");
        }, "other");
        other.start();
        other.join();
        Thread worse = new Thread(() -> fail(1), "worse");
        worse.setUncaughtExceptionHandler((thread, e) -> {
            throw new RuntimeException("the handler fails");
        });
        worse.start();
        worse.join();
        System.out.println("exit code is 0");
    }
}
