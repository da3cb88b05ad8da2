public class ErrorExitThread {
    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook of " + Thread.currentThread().isAlive())));
        Object never = new Object();
        Thread t = new Thread(() -> {
            System.out.println("exit from another thread");
            System.exit(200);
        });
        t.start();
        synchronized (never) {
            never.wait();
        }
        System.out.println("not reached");
    }
}
