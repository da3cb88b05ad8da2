import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.*;

public class ThreadAtomics {
    volatile int field;
    volatile long wide;
    static final AtomicIntegerFieldUpdater<ThreadAtomics> FIELD = AtomicIntegerFieldUpdater.newUpdater(ThreadAtomics.class, "field");
    static final VarHandle WIDE;

    static {
        try {
            WIDE = MethodHandles.lookup().findVarHandle(ThreadAtomics.class, "wide", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static class TreiberStack<T> {
        private record Node<T>(T value, Node<T> next) {}

        private final AtomicReference<Node<T>> top = new AtomicReference<>();

        void push(T value) {
            Node<T> old;
            do {
                old = top.get();
            } while (!top.compareAndSet(old, new Node<>(value, old)));
        }

        T pop() {
            Node<T> old;
            do {
                old = top.get();
                if (old == null) {
                    return null;
                }
            } while (!top.compareAndSet(old, old.next()));
            return old.value();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.addAndGet(-10) + " " + i.compareAndSet(-3, 100) + " " + i.compareAndSet(-3, 1) + " "
            + i.getAndSet(7) + " " + i.updateAndGet(n -> n * n) + " " + i.getAndAccumulate(3, Math::min) + " " + i);
        AtomicLong l = new AtomicLong(Long.MAX_VALUE);
        System.out.println(l.incrementAndGet() + " " + l.getAndAdd(-1) + " " + l.get() + " " + l.intValue());
        AtomicBoolean z = new AtomicBoolean();
        System.out.println(z.compareAndSet(false, true) + " " + z.getAndSet(false) + " " + z);
        AtomicReference<String> r = new AtomicReference<>("a");
        System.out.println(r.compareAndSet("a", "b") + " " + r.getAndUpdate(s -> s + s) + " " + r.get());
        AtomicIntegerArray a = new AtomicIntegerArray(3);
        a.addAndGet(1, 5);
        a.compareAndSet(2, 0, 9);
        System.out.println(a + " " + a.length());
        AtomicStampedReference<String> stamped = new AtomicStampedReference<>("x", 0);
        System.out.println(stamped.compareAndSet("x", "y", 0, 1) + " " + stamped.compareAndSet("y", "z", 0, 2) + " " + stamped.getStamp());
        ThreadAtomics o = new ThreadAtomics();
        TreiberStack<Integer> stack = new TreiberStack<>();
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Math::max, Long.MIN_VALUE);
        AtomicInteger popped = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                for (int n = 0; n < 250; n++) {
                    i.incrementAndGet();
                    FIELD.incrementAndGet(o);
                    WIDE.getAndAdd(o, 2L);
                    adder.add(n);
                    max.accumulate(n * (id + 1));
                    stack.push(n);
                    if (n % 2 == 1 && stack.pop() != null) {
                        popped.incrementAndGet();
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        int left = 0;
        while (stack.pop() != null) {
            left++;
        }
        System.out.println(i + " " + o.field + " " + o.wide + " " + adder.sum() + " " + max + " " + popped + " " + left);
        System.out.println(WIDE.compareAndSet(o, 2000L, 1L) + " " + (long) WIDE.getVolatile(o) + " " + (long) WIDE.getAndSet(o, 5L) + " " + o.wide);
        VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class);
        int[] array = {1, 2, 3};
        System.out.println((int) ints.getAndAdd(array, 1, 40) + " " + array[1] + " " + ints.compareAndSet(array, 0, 1, 9) + " " + array[0]);
    }
}
