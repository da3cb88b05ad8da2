import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

public class ThreadLocks {
    static final ReentrantLock LOCK = new ReentrantLock(true);
    static final Condition TURN = LOCK.newCondition();
    static int turn;
    static int count;

    static void rounds(int id) {
        for (int i = 0; i < 3; i++) {
            LOCK.lock();
            try {
                while (turn != id) {
                    TURN.await();
                }
                System.out.println("thread " + id + " round " + i);
                turn = (turn + 1) % 3;
                TURN.signalAll();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                LOCK.unlock();
            }
        }
    }

    static void all(int n, java.util.function.IntConsumer body) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            int id = i;
            threads[i] = new Thread(() -> body.accept(id));
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        all(3, ThreadLocks::rounds);
        ReentrantLock unfair = new ReentrantLock();
        all(4, id -> {
            for (int i = 0; i < 300; i++) {
                unfair.lock();
                unfair.lock();
                try {
                    count++;
                } finally {
                    unfair.unlock();
                    unfair.unlock();
                }
            }
        });
        System.out.println(count + " " + unfair.isLocked() + " " + unfair.getHoldCount());
        try {
            unfair.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner " + e.getMessage());
        }
        unfair.lock();
        all(1, id -> {
            try {
                System.out.println(unfair.tryLock() + " " + unfair.tryLock(5, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread interruptible = new Thread(() -> {
            try {
                unfair.lockInterruptibly();
            } catch (InterruptedException e) {
                System.out.println("gave up");
            }
        });
        interruptible.start();
        while (!unfair.hasQueuedThread(interruptible)) {
            Thread.yield();
        }
        interruptible.interrupt();
        interruptible.join();
        Condition never = unfair.newCondition();
        System.out.println(never.await(5, TimeUnit.MILLISECONDS) + " " + (never.awaitNanos(1000) <= 0) + " " + unfair.isHeldByCurrentThread());
        unfair.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        int[] value = {0};
        int[] reads = {0};
        all(4, id -> {
            for (int i = 0; i < 100; i++) {
                if (id == 0) {
                    rw.writeLock().lock();
                    value[0]++;
                    rw.writeLock().unlock();
                } else {
                    rw.readLock().lock();
                    int seen = value[0];
                    rw.readLock().unlock();
                    synchronized (reads) {
                        reads[0] += seen >= 0 ? 1 : 0;
                    }
                }
            }
        });
        System.out.println(value[0] + " " + reads[0] + " " + rw.getReadLockCount() + " " + rw.isWriteLocked());
        StampedLock stamped = new StampedLock();
        long stamp = stamped.tryOptimisticRead();
        System.out.println(stamped.validate(stamp));
        long write = stamped.writeLock();
        System.out.println(stamped.validate(stamp) + " " + stamped.isWriteLocked() + " " + stamped.tryReadLock());
        stamped.unlockWrite(write);
    }
}
