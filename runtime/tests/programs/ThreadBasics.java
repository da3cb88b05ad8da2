import java.util.ArrayList;
import java.util.List;

public class ThreadBasics {
    static class Worker extends Thread {
        final int from;
        long sum;

        Worker(int from) {
            super("worker-" + from);
            this.from = from;
        }

        @Override public void run() {
            for (int i = from; i < from + 1000; i++) {
                sum += i;
                if (i % 100 == 0) {
                    Thread.yield();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Worker w = new Worker(i * 1000);
            workers.add(w);
            System.out.println(w.getName() + " " + w.getState() + " " + w.isAlive() + " " + w.isDaemon() + " " + w.getPriority());
        }
        workers.forEach(Thread::start);
        long total = 0;
        for (Worker w : workers) {
            w.join();
            total += w.sum;
            System.out.println(w.getName() + " " + w.getState() + " " + w.sum);
        }
        System.out.println(total);
        try {
            workers.get(0).start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started twice");
        }
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.getPriority() + " " + main.getThreadGroup().getName() + " " + main.isInterrupted());
        Thread named = new Thread(() -> System.out.println("I am " + Thread.currentThread().getName()), "named");
        named.setPriority(Thread.MAX_PRIORITY);
        named.start();
        named.join();
        new Thread(() -> System.out.println("run on " + Thread.currentThread().getName())).run();
        long before = System.nanoTime();
        Thread.sleep(20);
        System.out.println(System.nanoTime() - before >= 19_000_000);
        Thread slow = new Thread(() -> {
            try {
                Thread.sleep(100_000);
            } catch (InterruptedException e) {
                System.out.println("woken");
            }
        });
        slow.start();
        slow.join(10);
        System.out.println(slow.isAlive());
        slow.interrupt();
        slow.join();
        System.out.println(slow.isAlive() + " " + slow.getState());
        try {
            Thread.sleep(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread.sleep(0);
        Thread last = new Thread(() -> System.out.println("after main has ended"));
        last.start();
    }
}
