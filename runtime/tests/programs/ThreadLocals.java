import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class ThreadLocals {
    static final ThreadLocal<Integer> NUMBER = ThreadLocal.withInitial(() -> 100);
    static final ThreadLocal<List<String>> LOG = ThreadLocal.withInitial(ArrayList::new);
    static final InheritableThreadLocal<String> NAME = new InheritableThreadLocal<>() {
        @Override protected String childValue(String parent) {
            return "child of " + parent;
        }
    };

    public static void main(String[] args) throws InterruptedException {
        NUMBER.set(1);
        NAME.set("main");
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Thread[] threads = new Thread[3];
        for (int t = 0; t < 3; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 50; i++) {
                    NUMBER.set(NUMBER.get() + id);
                    LOG.get().add("x");
                    Thread.yield();
                }
                lines.add(id + ": " + NUMBER.get() + " " + LOG.get().size() + " " + NAME.get());
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        Collections.sort(lines);
        lines.forEach(System.out::println);
        System.out.println(NUMBER.get() + " " + LOG.get().size() + " " + NAME.get());
        NUMBER.remove();
        System.out.println(NUMBER.get());
        ThreadLocal<String> plain = new ThreadLocal<>();
        System.out.println(plain.get());
        plain.set("set");
        System.out.println(plain.get());
        List<ThreadLocal<Integer>> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ThreadLocal<Integer> l = new ThreadLocal<>();
            l.set(i * i);
            many.add(l);
        }
        int sum = 0;
        for (ThreadLocal<Integer> l : many) {
            sum += l.get();
        }
        System.out.println(sum);
    }
}
