package seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Code as of Java 7 and 8: it is compiled for old versions, too. */
public class Classic<K extends Comparable<K>, V> implements Iterable<V> {
    private Node<K, V> root;
    private int size;
    private static final Map<String, List<Integer>> CACHE = new HashMap<String, List<Integer>>();

    static final class Node<K, V> {
        final K key; V value; Node<K, V> left, right;
        Node(K key, V value) { this.key = key; this.value = value; }
    }

    public V put(K key, V value) {
        Node<K, V> node = root, above = null;
        int order = 0;
        while (node != null) {
            order = key.compareTo(node.key);
            if (order == 0) { V old = node.value; node.value = value; return old; }
            above = node;
            node = order < 0 ? node.left : node.right;
        }
        Node<K, V> made = new Node<K, V>(key, value);
        if (above == null) root = made; else if (order < 0) above.left = made; else above.right = made;
        size++;
        return null;
    }

    public Iterator<V> iterator() {
        final List<V> values = new ArrayList<V>();
        collect(root, values);
        return new Iterator<V>() {
            int at;
            public boolean hasNext() { return at < values.size(); }
            public V next() { return values.get(at++); }
            public void remove() { throw new UnsupportedOperationException(); }
        };
    }

    private void collect(Node<K, V> node, List<V> to) {
        if (node == null) return;
        collect(node.left, to);
        to.add(node.value);
        collect(node.right, to);
    }

    static int quicksort(int[] a, int low, int high) {
        int swaps = 0;
        while (low < high) {
            int pivot = a[(low + high) >>> 1], i = low - 1, j = high + 1;
            while (true) {
                do i++; while (a[i] < pivot);
                do j--; while (a[j] > pivot);
                if (i >= j) break;
                int t = a[i]; a[i] = a[j]; a[j] = t;
                swaps++;
            }
            if (j - low < high - j - 1) { swaps += quicksort(a, low, j); low = j + 1; }
            else { swaps += quicksort(a, j + 1, high); high = j; }
        }
        return swaps;
    }

    static String strings(String name, Object... args) {
        StringBuilder out = new StringBuilder(name);
        switch (name) {
            case "Aa": case "BB": out.append(args.length); break;
            case "C": out.append(args[0]).reverse();
        }
        synchronized (CACHE) {
            List<Integer> list = CACHE.get(name);
            if (list == null) CACHE.put(name, list = new ArrayList<Integer>());
            for (Object arg : args) list.add(arg instanceof Integer ? (Integer) arg : arg.hashCode());
        }
        return out.toString();
    }

    static native long outside(int a, Object b);

    static strictfp double horner(double x, double... c) {
        double sum = 0;
        for (int i = c.length - 1; i >= 0; i--) sum = sum * x + c[i];
        return sum;
    }

    Class<?> literal(boolean which) { return which ? Classic[].class : int.class; }
}
