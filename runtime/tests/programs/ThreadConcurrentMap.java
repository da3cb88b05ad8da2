import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;

public class ThreadConcurrentMap {
    static void all(int n, java.util.function.IntConsumer body) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++) {
            int id = i;
            threads[i] = new Thread(() -> body.accept(id));
            threads[i].start();
        }
        for (Thread t : threads) {
            t.join();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();
        String[] words = "to be or not to be that is the question".split(" ");
        all(4, id -> {
            for (int i = 0; i < 200; i++) {
                counts.merge(words[(i + id) % words.length], 1, Integer::sum);
            }
        });
        System.out.println(new TreeMap<>(counts) + " " + counts.size());
        ConcurrentHashMap<Integer, LongAdder> adders = new ConcurrentHashMap<>();
        all(4, id -> {
            for (int i = 0; i < 500; i++) {
                adders.computeIfAbsent(i % 37, k -> new LongAdder()).add(i);
            }
        });
        System.out.println(adders.size() + " " + adders.reduceValuesToLong(Long.MAX_VALUE, LongAdder::sum, 0, Long::sum));
        ConcurrentHashMap<Integer, Integer> big = new ConcurrentHashMap<>(2);
        all(3, id -> {
            for (int i = 0; i < 1000; i++) {
                big.put(i * 3 + id, i);
            }
        });
        System.out.println(big.size() + " " + big.mappingCount() + " " + big.containsKey(2999) + " " + big.getOrDefault(5000, -1) + " "
            + big.search(Long.MAX_VALUE, (k, v) -> k == 1500 ? v : null) + " " + big.keySet().stream().mapToInt(k -> k).sum());
        for (Map.Entry<Integer, Integer> e : big.entrySet()) {
            if (e.getKey() % 2 == 0) {
                big.remove(e.getKey());
            }
        }
        System.out.println(big.size() + " " + big.putIfAbsent(1, 7) + " " + big.replace(1, 0, 99) + " " + big.get(1) + " " + big.remove(1, 5) + " " + big.compute(3, (k, v) -> v == null ? 1 : null));
        try {
            big.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
        ConcurrentSkipListMap<Integer, String> skip = new ConcurrentSkipListMap<>();
        all(2, id -> {
            for (int i = id; i < 100; i += 2) {
                skip.put(i, "v" + i);
            }
        });
        System.out.println(skip.size() + " " + skip.firstKey() + " " + skip.floorKey(50) + " " + skip.headMap(3) + " " + skip.pollLastEntry());
        ConcurrentSkipListSet<String> set = new ConcurrentSkipListSet<>(java.util.List.of("b", "a", "c"));
        System.out.println(set + " " + set.higher("a") + " " + ConcurrentHashMap.newKeySet().add("x"));
    }
}
