import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

public class ThreadExecutors {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int n = i;
            futures.add(pool.submit(() -> {
                Thread.yield();
                return n * n;
            }));
        }
        for (Future<Integer> f : futures) {
            System.out.print(f.get() + " ");
        }
        System.out.println();
        Future<?> failing = pool.submit(() -> {
            throw new IllegalStateException("task failed");
        });
        try {
            failing.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause().getMessage());
        }
        List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> "c");
        for (Future<String> f : pool.invokeAll(calls)) {
            System.out.print(f.get() + f.isDone());
        }
        System.out.println();
        System.out.println("abc".contains(pool.invokeAny(calls)));
        CountDownLatch never = new CountDownLatch(1);
        Future<Boolean> stuck = pool.submit(() -> {
            never.await();
            return true;
        });
        try {
            stuck.get(5, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout " + e.getMessage());
        }
        System.out.println(stuck.cancel(true) + " " + stuck.isCancelled() + " " + stuck.isDone());
        try {
            stuck.get();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + pool.isShutdown() + " " + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ExecutorService single = Executors.newSingleThreadExecutor(r -> new Thread(r, "the-one"));
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 5; i++) {
            int n = i;
            single.execute(() -> order.append(n).append(Thread.currentThread().getName().charAt(4)));
        }
        single.shutdown();
        single.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(order);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        AtomicInteger ticks = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        timer.scheduleAtFixedRate(() -> {
            ticks.incrementAndGet();
            three.countDown();
        }, 1, 2, TimeUnit.MILLISECONDS);
        ScheduledFuture<String> later = timer.schedule(() -> "later", 3, TimeUnit.MILLISECONDS);
        System.out.println(later.get());
        three.await();
        System.out.println(timer.shutdownNow().size() <= 1 && ticks.get() >= 3);
        ExecutorService cached = Executors.newCachedThreadPool();
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            cached.execute(() -> {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        both.await();
        cached.shutdown();
        System.out.println(cached.awaitTermination(10, TimeUnit.SECONDS));
        ThreadPoolExecutor tight = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), new ThreadPoolExecutor.CallerRunsPolicy());
        AtomicInteger done = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            tight.execute(done::incrementAndGet);
        }
        tight.shutdown();
        tight.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(done + " " + tight.getPoolSize());
        FutureTask<String> task = new FutureTask<>(() -> "run by hand");
        task.run();
        System.out.println(task.get());
        ExecutorService abandoned = Executors.newFixedThreadPool(1, r -> {
            Thread t = new Thread(r);
            t.setDaemon(true);
            return t;
        });
        System.out.println(abandoned.submit(() -> "the pool of a daemon does not hold up the end").get());
    }
}
