public class ThreadPingPong {
    private boolean ping = true;

    synchronized void play(boolean mine, String word, int n) {
        try {
            while (ping != mine) {
                wait();
            }
            System.out.println(word + " " + n);
            ping = !ping;
            notifyAll();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static class Buffer {
        private final int[] items = new int[3];
        private int head, size;

        synchronized void put(int n) throws InterruptedException {
            while (size == items.length) {
                wait();
            }
            items[(head + size++) % items.length] = n;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (size == 0) {
                wait();
            }
            int n = items[head];
            head = (head + 1) % items.length;
            size--;
            notifyAll();
            return n;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadPingPong table = new ThreadPingPong();
        Thread a = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                table.play(true, "ping", i);
            }
        });
        Thread b = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                table.play(false, "pong", i);
            }
        });
        b.start();
        a.start();
        a.join();
        b.join();
        Buffer buffer = new Buffer();
        long[] sums = new long[2];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        if (id < 2) {
                            buffer.put(id * 1000 + i);
                        } else {
                            sums[id - 2] += buffer.take();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(sums[0] + sums[1]);
        Object lock = new Object();
        synchronized (lock) {
            long start = System.nanoTime();
            lock.wait(15);
            System.out.println(System.nanoTime() - start >= 14_000_000);
            lock.notify();
        }
        Thread waiting = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted " + Thread.holdsLock(lock) + " " + Thread.currentThread().isInterrupted());
                }
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        waiting.interrupt();
        waiting.join();
        int[] woken = {0};
        Thread[] sleepers = new Thread[3];
        for (int i = 0; i < 3; i++) {
            sleepers[i] = new Thread(() -> {
                synchronized (woken) {
                    try {
                        woken.wait();
                        woken[0]++;
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            sleepers[i].start();
            while (sleepers[i].getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }
        synchronized (woken) {
            woken.notify();
        }
        while (true) {
            synchronized (woken) {
                if (woken[0] == 1) {
                    woken.notifyAll();
                    break;
                }
            }
            Thread.yield();
        }
        for (Thread t : sleepers) {
            t.join();
        }
        System.out.println(woken[0]);
    }
}
