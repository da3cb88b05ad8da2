import java.util.concurrent.CountDownLatch;

public class ThreadMainFails {
    public static void main(String[] args) {
        CountDownLatch latch = new CountDownLatch(1);
        Thread main = Thread.currentThread();
        Thread t = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println("still running after main has failed: " + main.isAlive());
        });
        t.start();
        latch.countDown();
        throw new UnsupportedOperationException();
    }
}
