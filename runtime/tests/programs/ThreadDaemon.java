public class ThreadDaemon {
    static volatile boolean started;

    public static void main(String[] args) throws InterruptedException {
        Thread endless = new Thread(() -> {
            long n = 0;
            while (true) {
                n++;
                started = true;
            }
        });
        endless.setDaemon(true);
        endless.start();
        Thread sleeping = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("not interrupted");
            } finally {
                System.out.println("no finally for daemons");
            }
        });
        sleeping.setDaemon(true);
        sleeping.start();
        while (!started) {
            Thread.onSpinWait();
        }
        int primes = 0;
        for (int i = 2; i < 2000; i++) {
            boolean prime = true;
            for (int d = 2; d * d <= i; d++) {
                prime &= i % d != 0;
            }
            primes += prime ? 1 : 0;
        }
        System.out.println(primes + " beside an endless loop");
        Thread child = new Thread(() -> System.out.println("normal thread"));
        child.start();
        child.join();
        System.out.println(endless.isDaemon() + " " + child.isDaemon());
        try {
            endless.setDaemon(false);
        } catch (IllegalThreadStateException e) {
            System.out.println("too late");
        }
    }
}
