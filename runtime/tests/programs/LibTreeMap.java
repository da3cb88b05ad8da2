import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

public class LibTreeMap {
    public static void main(String[] args) {
        TreeMap<Integer, String> map = new TreeMap<>();
        for (int i = 10; i <= 100; i += 10) {
            map.put(i, "v" + i);
        }
        System.out.println(map.firstKey() + " " + map.lastEntry() + " " + map.floorKey(35) + " " + map.ceilingKey(35) + " " + map.lowerKey(10) + " " + map.higherKey(100)
            + " " + map.floorEntry(40) + " " + map.higherEntry(40));
        System.out.println(map.headMap(30) + " " + map.tailMap(80) + " " + map.subMap(30, 60) + " " + map.subMap(30, false, 60, true));
        NavigableMap<Integer, String> view = map.subMap(20, true, 50, true);
        view.remove(30);
        view.put(25, "new");
        System.out.println(map + " " + view.descendingMap() + " " + view.size());
        try {
            view.put(99, "out");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(map.pollFirstEntry() + " " + map.pollLastEntry() + " " + map.descendingKeySet() + " " + map.navigableKeySet().first());
        TreeMap<String, Integer> byLength = new TreeMap<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        for (String s : "pear fig banana apple kiwi date".split(" ")) {
            byLength.put(s, s.length());
        }
        System.out.println(byLength + " " + byLength.comparator().compare("a", "bb"));
        TreeSet<Integer> set = new TreeSet<>();
        Random random = new Random(3);
        for (int i = 0; i < 1000; i++) {
            int n = random.nextInt(500);
            if (i % 3 == 0) {
                set.remove(n);
            } else {
                set.add(n);
            }
        }
        int before = -1;
        boolean ordered = true;
        for (int n : set) {
            ordered &= n > before;
            before = n;
        }
        System.out.println(set.size() + " " + ordered + " " + set.first() + " " + set.last() + " " + set.hashCode() + " " + set.floor(250) + " " + set.ceiling(250));
        System.out.println(set.headSet(20) + " " + set.tailSet(480, false) + " " + set.descendingSet().subSet(30, 10) + " " + set.pollFirst());
        for (Map.Entry<Integer, String> e : map.descendingMap().entrySet()) {
            System.out.print(e.getKey() + ":" + e.getValue() + " ");
        }
        System.out.println();
        TreeMap<Integer, Integer> big = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            big.merge(i * 7919 % 1009, i, (a, b) -> a ^ b);
        }
        System.out.println(big.size() + " " + big.hashCode() + " " + big.headMap(500).size());
    }
}
