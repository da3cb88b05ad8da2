import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Who holds up whom: nobody does, neither by a loop without end, nor by waiting for input, nor by sleeping. */
public class ThreadTurns {
    static volatile int turns;
    static long spun;
    static final Object LOCK = new Object();

    static class Synchronized extends Thread {
        boolean held;

        @Override public synchronized void run() {
            held = Thread.holdsLock(this);
            notifyAll();
        }
    }

    static int depth(int n) {
        synchronized (LOCK) {
            return n == 0 ? 0 : 1 + depth(n - 1);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread endless = new Thread(() -> {
            while (true) {
                spun++;
            }
        });
        endless.setDaemon(true);
        endless.start();
        Thread counting = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                turns++;
                Thread.yield();
            }
        });
        counting.start();
        counting.join();
        System.out.println("turns beside a loop without end: " + turns);

        Synchronized synced = new Synchronized();
        synchronized (synced) {
            synced.start();
            Thread.sleep(5);
            System.out.println("begun before the monitor is free: " + synced.held);
            while (!synced.held) {
                synced.wait();
            }
        }
        synced.join();
        System.out.println("run holds its monitor: " + synced.held + ", and gave it up: " + synced.getState());

        List<Thread> sleepers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Thread sleeper = new Thread(() -> {
                try {
                    Thread.sleep(20);
                    synchronized (LOCK) {
                        turns++;
                    }
                } catch (InterruptedException e) {
                    System.out.println("woken early");
                }
            });
            sleepers.add(sleeper);
            sleeper.start();
        }
        for (Thread sleeper : sleepers) {
            sleeper.join();
        }
        System.out.println("woken in time: " + (turns - 100));

        StringBuffer read = new StringBuffer();
        Thread reader = new Thread(() -> {
            try {
                for (int c = System.in.read(); c >= 0; c = System.in.read()) {
                    read.append((char) c);
                }
            } catch (IOException e) {
                System.out.println(e);
            }
        });
        reader.start();
        reader.join();
        System.out.print("read by a thread: " + read);

        // Deeper than a header counts; others wait for it, and it is given up and taken again as deep.
        Thread[] waiting = new Thread[40];
        synchronized (LOCK) {
            System.out.println("entered " + depth(300) + " times");
            for (int i = 0; i < waiting.length; i++) {
                waiting[i] = new Thread(() -> {
                    synchronized (LOCK) {
                        turns++;
                        LOCK.notify();
                    }
                });
                waiting[i].start();
            }
            synchronized (LOCK) {
                synchronized (LOCK) {
                    LOCK.wait();
                }
                System.out.println("held after waiting: " + Thread.holdsLock(LOCK));
            }
        }
        System.out.println("held at the end: " + Thread.holdsLock(LOCK));
        for (Thread other : waiting) {
            other.join();
        }
        System.out.println("all had it: " + (turns - 300));

        // Who is notified and interrupted at once returns, and the notification is not lost on others.
        Thread[] two = new Thread[2];
        int[] woken = new int[2];
        for (int i = 0; i < 2; i++) {
            two[i] = new Thread(() -> {
                synchronized (LOCK) {
                    try {
                        LOCK.wait();
                        woken[0]++;
                    } catch (InterruptedException e) {
                        woken[1]++;
                    }
                }
            });
            two[i].start();
        }
        for (Thread t : two) {
            while (t.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }
        synchronized (LOCK) {
            two[0].interrupt();
            LOCK.notify();
        }
        synchronized (LOCK) {
            LOCK.notify();
        }
        two[0].join();
        two[1].join();
        System.out.println("both ended: " + (woken[0] + woken[1]));
    }
}
