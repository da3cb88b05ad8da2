import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

public class LibReferences {
    static class Big {
        final byte[] data = new byte[100_000];
        final int id;

        Big(int id) {
            this.id = id;
        }
    }

    static WeakReference<Big> make(int id, ReferenceQueue<Big> queue) {
        return new WeakReference<>(new Big(id), queue);
    }

    static boolean cleared(WeakReference<?> weak) {
        for (int i = 0; i < 100 && weak.get() != null; i++) {
            System.gc();
        }
        return weak.get() == null;
    }

    static void fill(Map<Object, String> map, Object kept) {
        map.put(kept, "kept");
        map.put(new Object(), "lost");
    }

    public static void main(String[] args) throws InterruptedException {
        ReferenceQueue<Big> queue = new ReferenceQueue<>();
        WeakReference<Big> weak = make(1, queue);
        System.out.println(cleared(weak));
        System.out.println(queue.remove(10_000) == weak);
        System.out.println(queue.poll());
        Big strong = new Big(2);
        WeakReference<Big> held = new WeakReference<>(strong);
        SoftReference<Big> soft = new SoftReference<>(strong);
        System.gc();
        System.out.println(held.get() == strong && soft.get() == strong);
        System.out.println(held.get().id);
        strong = null;
        SoftReference<String> text = new SoftReference<>("literal");
        System.gc();
        System.out.println(text.get());
        Map<Object, String> map = new WeakHashMap<>();
        Object kept = new Object();
        fill(map, kept);
        for (int i = 0; i < 100 && map.size() > 1; i++) {
            System.gc();
            Thread.sleep(1);
        }
        System.out.println(map.size() + map.get(kept));
        held.clear();
        System.out.println(held.get());
        WeakReference<Object> cycle = cycle();
        System.out.println(cleared(cycle));
        long sum = 0;
        Object[] ring = new Object[16];
        for (int i = 0; i < 20_000; i++) {
            int[] a = new int[50 + i % 100];
            a[i % 50] = i;
            ring[i % 16] = a;
            sum += ((int[]) ring[i % 16])[i % 50] + a.length;
        }
        System.out.println(sum);
    }

    static WeakReference<Object> cycle() {
        Object[] a = new Object[1], b = {a};
        a[0] = b;
        return new WeakReference<>(a);
    }
}
