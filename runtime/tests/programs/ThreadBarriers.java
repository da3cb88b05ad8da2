import java.util.Arrays;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadBarriers {
    public static void main(String[] args) throws Exception {
        int[] cells = {1, 2, 3, 4};
        int[] next = new int[4];
        StringBuffer log = new StringBuffer();
        CyclicBarrier barrier = new CyclicBarrier(4, () -> {
            System.arraycopy(next, 0, cells, 0, 4);
            log.append(Arrays.toString(cells)).append(' ');
        });
        CountDownLatch end = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            int id = t;
            new Thread(() -> {
                try {
                    for (int round = 0; round < 4; round++) {
                        next[id] = cells[id] + cells[(id + 1) % 4];
                        barrier.await();
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
                end.countDown();
            }).start();
        }
        end.await();
        System.out.println(log + " " + end.getCount() + " " + barrier.isBroken() + " " + barrier.getParties());
        try {
            new CyclicBarrier(2).await(2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("barrier timed out");
        }
        Semaphore semaphore = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger(), most = new AtomicInteger(), visits = new AtomicInteger();
        Thread[] threads = new Thread[6];
        for (int t = 0; t < 6; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 20; i++) {
                    semaphore.acquireUninterruptibly();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    visits.incrementAndGet();
                    inside.decrementAndGet();
                    semaphore.release();
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(visits + " " + (most.get() <= 2) + " " + semaphore.availablePermits() + " " + semaphore.tryAcquire(3) + " " + semaphore.drainPermits());
        System.out.println(semaphore.tryAcquire() + " " + semaphore.tryAcquire(2, TimeUnit.MILLISECONDS));
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger through = new AtomicInteger();
        Thread[] runners = new Thread[3];
        for (int t = 0; t < 3; t++) {
            runners[t] = new Thread(() -> {
                try {
                    gate.await();
                    through.incrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            runners[t].start();
        }
        System.out.println(through + " " + gate.await(2, TimeUnit.MILLISECONDS));
        gate.countDown();
        gate.countDown();
        for (Thread t : runners) {
            t.join();
        }
        System.out.println(through + " " + gate.getCount());
        Phaser phaser = new Phaser(1);
        StringBuffer phases = new StringBuffer();
        for (int t = 0; t < 2; t++) {
            phaser.register();
            new Thread(() -> {
                for (int p = 0; p < 3; p++) {
                    phases.append(phaser.getPhase());
                    phaser.arriveAndAwaitAdvance();
                }
                phaser.arriveAndDeregister();
            }).start();
        }
        for (int p = 0; p < 3; p++) {
            phaser.arriveAndAwaitAdvance();
        }
        phaser.arriveAndAwaitAdvance();
        System.out.println(phases + " " + phaser.getPhase() + " " + phaser.getRegisteredParties());
    }
}
