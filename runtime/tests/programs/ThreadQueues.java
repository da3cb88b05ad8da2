import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

public class ThreadQueues {
    static final int STOP = -1;

    static void run(String name, BlockingQueue<Integer> queue) throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            int base = p * 100;
            threads.add(new Thread(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        queue.put(base + i);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        List<Thread> consumers = new ArrayList<>();
        for (int c = 0; c < 2; c++) {
            consumers.add(new Thread(() -> {
                try {
                    for (int n; (n = queue.take()) != STOP; ) {
                        sum.addAndGet(n);
                        taken.incrementAndGet();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        consumers.forEach(Thread::start);
        for (Thread t : threads) {
            t.join();
        }
        queue.put(STOP);
        consumers.get(0).join(1);
        queue.put(STOP);
        for (Thread t : consumers) {
            t.join();
        }
        System.out.println(name + " " + taken + " " + sum + " " + queue.size());
    }

    public static void main(String[] args) throws Exception {
        run("array", new ArrayBlockingQueue<>(4));
        run("linked", new LinkedBlockingQueue<>());
        run("bounded", new LinkedBlockingDeque<>(2));
        run("synchronous", new SynchronousQueue<>());
        run("transfer", new LinkedTransferQueue<>());
        BlockingQueue<Integer> small = new ArrayBlockingQueue<>(1);
        System.out.println(small.offer(1) + " " + small.offer(2) + " " + small.offer(3, 2, TimeUnit.MILLISECONDS) + " " + small.remainingCapacity());
        System.out.println(small.poll() + " " + small.poll() + " " + small.poll(2, TimeUnit.MILLISECONDS));
        try {
            small.add(1);
            small.add(2);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        PriorityBlockingQueue<String> priority = new PriorityBlockingQueue<>();
        for (String s : "m c x a t".split(" ")) {
            priority.put(s);
        }
        List<String> drained = new ArrayList<>();
        priority.drainTo(drained, 3);
        System.out.println(drained + " " + priority.take() + " " + priority.size());
        ConcurrentLinkedQueue<Integer> free = new ConcurrentLinkedQueue<>(List.of(1, 2, 3));
        free.remove(2);
        free.offer(4);
        System.out.println(free + " " + free.poll() + " " + free.peek());
        CopyOnWriteArrayList<Integer> copies = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (int n : copies) {
            copies.add(n * 10);
        }
        System.out.println(copies);
        Exchanger<String> exchanger = new Exchanger<>();
        Thread partner = new Thread(() -> {
            try {
                System.out.println("partner got " + exchanger.exchange("from partner"));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        partner.start();
        String got = exchanger.exchange("from main");
        partner.join();
        System.out.println("main got " + got);
    }
}
