import java.util.concurrent.locks.LockSupport;

public class ThreadInterrupt {
    interface Body {
        void run() throws InterruptedException;
    }

    static Thread start(String name, Body body) {
        Thread t = new Thread(() -> {
            try {
                body.run();
                System.out.println(name + " ended, flag " + Thread.currentThread().isInterrupted());
            } catch (InterruptedException e) {
                System.out.println(name + ": " + e.getMessage() + ", flag " + Thread.currentThread().isInterrupted());
            }
        }, name);
        t.start();
        return t;
    }

    static void stop(Thread t) throws InterruptedException {
        t.interrupt();
        t.join();
    }

    static void await(Thread t, Thread.State state) {
        while (t.getState() != state) {
            Thread.yield();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread sleeping = start("sleeping", () -> Thread.sleep(100_000));
        await(sleeping, Thread.State.TIMED_WAITING);
        stop(sleeping);
        Object lock = new Object();
        Thread waiting = start("waiting", () -> {
            synchronized (lock) {
                lock.wait();
            }
        });
        await(waiting, Thread.State.WAITING);
        stop(waiting);
        Thread joining = start("joining", Thread.currentThread()::join);
        await(joining, Thread.State.WAITING);
        stop(joining);
        stop(start("spinning", () -> {
            long n = 0;
            while (!Thread.currentThread().isInterrupted()) {
                n++;
            }
        }));
        stop(start("clearing", () -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
        }));
        Thread parked = start("parked", LockSupport::park);
        await(parked, Thread.State.WAITING);
        stop(parked);
        Thread.currentThread().interrupt();
        System.out.println(Thread.currentThread().isInterrupted());
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            System.out.println(e.getMessage() + " " + Thread.interrupted());
        }
        Thread.currentThread().interrupt();
        try {
            synchronized (lock) {
                lock.wait(10);
            }
        } catch (InterruptedException e) {
            System.out.println(e.getMessage());
        }
        Thread.currentThread().interrupt();
        System.out.println(Thread.interrupted() + " " + Thread.interrupted());
        Thread ready = new Thread(() -> {
            LockSupport.park();
            System.out.println("unparked " + Thread.currentThread().isInterrupted());
        });
        ready.start();
        LockSupport.unpark(ready);
        ready.join();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1_000_000);
        System.out.println("permit used");
        Thread dead = new Thread(() -> {});
        dead.start();
        dead.join();
        dead.interrupt();
        System.out.println(dead.isInterrupted());
    }
}
