import java.util.List;
import java.util.concurrent.*;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class ThreadFutures {
    static CompletableFuture<Integer> square(Executor executor, int n) {
        return CompletableFuture.supplyAsync(() -> n * n, executor);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        System.out.println(square(pool, 3).thenApply(n -> n + 1).thenCompose(n -> square(pool, n)).get());
        System.out.println(square(pool, 2).thenCombine(square(pool, 5), Integer::sum).join());
        CompletableFuture<Void> printed = CompletableFuture.runAsync(() -> System.out.println("async"), pool).thenRun(() -> System.out.println("then"));
        printed.join();
        CompletableFuture<Integer> failed = CompletableFuture.supplyAsync(() -> {
            throw new IllegalArgumentException("bad");
        }, pool);
        System.out.println(failed.exceptionally(e -> {
            System.out.println(e.getClass().getSimpleName() + " " + e.getCause().getMessage());
            return -1;
        }).join());
        System.out.println(failed.handle((n, e) -> n + " " + (e != null)).join() + " " + failed.isCompletedExceptionally());
        try {
            failed.join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        try {
            failed.thenApply(n -> n + 1).get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
        List<CompletableFuture<Integer>> all = IntStream.range(0, 8).mapToObj(i -> square(pool, i)).collect(Collectors.toList());
        CompletableFuture<Void> joined = CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
        System.out.println(joined.thenApply(v -> all.stream().map(CompletableFuture::join).collect(Collectors.toList())).get());
        CompletableFuture<String> slow = new CompletableFuture<>(), fast = new CompletableFuture<>();
        CompletableFuture<Object> any = CompletableFuture.anyOf(slow, fast);
        CompletableFuture<String> either = slow.applyToEither(fast, s -> s + "!");
        System.out.println(any.isDone() + " " + any.getNow("nothing yet"));
        fast.complete("fast");
        System.out.println(any.join() + " " + either.join() + " " + fast.complete("again") + " " + slow.cancel(false) + " " + slow.isCancelled());
        CompletableFuture<String> manual = new CompletableFuture<>();
        CompletableFuture<String> seen = manual.whenComplete((s, e) -> System.out.println("complete " + s + " " + e)).thenApplyAsync(String::toUpperCase, pool);
        new Thread(() -> manual.complete("value")).start();
        System.out.println(seen.get(10, TimeUnit.SECONDS));
        try {
            new CompletableFuture<>().get(2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout");
        }
        System.out.println(CompletableFuture.completedFuture(1).thenAccept(n -> System.out.println("accepted " + n)).thenApply(v -> "" + v).join());
        System.out.println(new CompletableFuture<String>().completeOnTimeout("default", 2, TimeUnit.MILLISECONDS).join());
        try {
            new CompletableFuture<String>().orTimeout(2, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass().getSimpleName());
        }
        System.out.println(CompletableFuture.supplyAsync(() -> Thread.currentThread().isDaemon() || true).join());
        pool.shutdown();
    }
}
