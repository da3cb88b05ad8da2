public class ThreadSync {
    static int shared;
    static final Object LOCK = new Object();
    int count;
    static int statics;

    synchronized void add() {
        int c = count;
        if (c % 50 == 0) {
            Thread.yield();
        }
        count = c + 1;
    }

    static synchronized void addStatic() {
        statics++;
    }

    synchronized int reenter(int n) {
        synchronized (this) {
            return n == 0 ? 0 : 1 + reenter(n - 1);
        }
    }

    synchronized void fail() {
        throw new IllegalStateException("while locked");
    }

    static int guarded(int n) {
        synchronized (LOCK) {
            if (n > 5) {
                return n;
            }
            synchronized (ThreadSync.class) {
                if (n > 2) {
                    throw new IllegalArgumentException("n " + n);
                }
            }
        }
        return -1;
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadSync o = new ThreadSync();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    o.add();
                    addStatic();
                    synchronized (LOCK) {
                        shared += 2;
                        if (i % 100 == 0) {
                            Thread.yield();
                        }
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(o.count + " " + statics + " " + shared);
        System.out.println(o.reenter(20));
        try {
            o.fail();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(o));
        }
        for (int n : new int[] {1, 3, 7}) {
            try {
                System.out.println(guarded(n));
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Thread.holdsLock(LOCK) + " " + Thread.holdsLock(ThreadSync.class));
        Thread other = new Thread(() -> {
            synchronized (o) {
                System.out.println("other thread has it");
            }
        });
        synchronized (o) {
            System.out.println(Thread.holdsLock(o));
            other.start();
            while (other.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            System.out.println("blocked");
        }
        other.join();
        Runnable[] wrong = {LOCK::notify, LOCK::notifyAll, () -> {
            try {
                LOCK.wait();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }};
        for (Runnable r : wrong) {
            try {
                r.run();
            } catch (IllegalMonitorStateException e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            synchronized (LOCK) {
                LOCK.wait(-1);
            }
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
