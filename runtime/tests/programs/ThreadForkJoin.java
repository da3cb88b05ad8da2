import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

public class ThreadForkJoin {
    static class Sum extends RecursiveTask<Long> {
        private static final long serialVersionUID = 1;
        final int[] a;
        final int from, to;

        Sum(int[] a, int from, int to) {
            this.a = a;
            this.from = from;
            this.to = to;
        }

        @Override protected Long compute() {
            if (to - from <= 100) {
                long s = 0;
                for (int i = from; i < to; i++) {
                    s += a[i];
                }
                return s;
            }
            int mid = (from + to) >>> 1;
            Sum left = new Sum(a, from, mid);
            left.fork();
            return new Sum(a, mid, to).compute() + left.join();
        }
    }

    static class Sort extends RecursiveAction {
        private static final long serialVersionUID = 1;
        final int[] a;
        final int from, to;

        Sort(int[] a, int from, int to) {
            this.a = a;
            this.from = from;
            this.to = to;
        }

        @Override protected void compute() {
            if (to - from < 20) {
                for (int i = from + 1; i < to; i++) {
                    for (int j = i; j > from && a[j - 1] > a[j]; j--) {
                        int t = a[j];
                        a[j] = a[j - 1];
                        a[j - 1] = t;
                    }
                }
                return;
            }
            int pivot = a[(from + to) / 2], i = from, j = to - 1;
            while (i <= j) {
                while (a[i] < pivot) {
                    i++;
                }
                while (a[j] > pivot) {
                    j--;
                }
                if (i <= j) {
                    int t = a[i];
                    a[i++] = a[j];
                    a[j--] = t;
                }
            }
            invokeAll(new Sort(a, from, j + 1), new Sort(a, i, to));
        }
    }

    static class Fib extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        final int n;

        Fib(int n) {
            this.n = n;
        }

        @Override protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fib a = new Fib(n - 1), b = new Fib(n - 2);
            ForkJoinTask.invokeAll(a, b);
            return a.join() + b.join();
        }
    }

    public static void main(String[] args) {
        int[] a = new int[5000];
        int x = 1;
        for (int i = 0; i < a.length; i++) {
            x = x * 1103515245 + 12345;
            a[i] = x >>> 8;
        }
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.invoke(new Sum(a, 0, a.length)));
        pool.invoke(new Sort(a, 0, a.length));
        boolean sorted = true;
        for (int i = 1; i < a.length; i++) {
            sorted &= a[i - 1] <= a[i];
        }
        System.out.println(sorted + " " + a[0] + " " + a[4999]);
        System.out.println(new Fib(12).fork().join() + " " + ForkJoinPool.commonPool().invoke(new Fib(10)));
        List<ForkJoinTask<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int n = i;
            tasks.add(pool.submit(() -> n * 10));
        }
        for (ForkJoinTask<Integer> t : tasks) {
            System.out.print(t.join() + " ");
        }
        System.out.println();
        try {
            pool.submit(() -> {
                throw new IllegalStateException("in the pool");
            }).join();
        } catch (IllegalStateException e) {
            System.out.println("failed");
        }
        pool.shutdown();
    }
}
