import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

public class LibMaps {
    record Key(int n) {
        @Override public int hashCode() {
            return n % 3; // many meet in one bucket
        }
    }

    static void exercise(Map<String, Integer> map) {
        for (String w : "to be or not to be that is the question to".split(" ")) {
            map.merge(w, 1, Integer::sum);
        }
        System.out.println(map + " " + map.size() + " " + map.hashCode());
        System.out.println(map.put("be", 20) + " " + map.put("new", 1) + " " + map.putIfAbsent("be", 5) + " " + map.putIfAbsent("other", 6) + " "
            + map.get("absent") + " " + map.getOrDefault("absent", -1) + " " + map.remove("or") + " " + map.remove("or") + " " + map.containsKey("to")
            + map.containsValue(20));
        map.computeIfAbsent("computed", String::length);
        map.computeIfPresent("that", (k, v) -> null);
        map.compute("is", (k, v) -> v == null ? 1 : v * 100);
        map.replace("the", 7);
        map.replaceAll((k, v) -> v + k.length());
        System.out.println(map);
        Iterator<Map.Entry<String, Integer>> it = map.entrySet().iterator();
        while (it.hasNext()) {
            Map.Entry<String, Integer> e = it.next();
            if (e.getValue() < 6) {
                it.remove();
            } else {
                e.setValue(-e.getValue());
            }
        }
        map.keySet().remove("new");
        map.values().remove(-13);
        System.out.println(map + " " + map.keySet() + " " + map.values() + " " + map.equals(new HashMap<>(map)));
        int[] sum = {0};
        map.forEach((k, v) -> sum[0] += k.length() * v);
        map.clear();
        System.out.println(sum[0] + " " + map.isEmpty() + map);
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>(Collections.reverseOrder()));
        Map<Key, Integer> crowded = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            crowded.put(new Key(i), i);
        }
        for (int i = 0; i < 200; i += 2) {
            crowded.remove(new Key(i));
        }
        long sum = 0;
        for (int v : crowded.values()) {
            sum += v;
        }
        System.out.println(crowded.size() + " " + sum + " " + crowded.get(new Key(77)) + " " + crowded.get(new Key(78)));
        Map<Integer, String> nulls = new HashMap<>();
        nulls.put(null, "null key");
        nulls.put(1, null);
        System.out.println(nulls.get(null) + nulls.get(1) + nulls.containsKey(1) + nulls.size() + nulls);
        Map<Integer, Integer> grows = new HashMap<>(2);
        for (int i = 0; i < 5000; i++) {
            grows.put(i * 7919 % 65536, i);
        }
        int order = 0;
        for (int k : grows.keySet()) {
            order = order * 31 + k;
        }
        System.out.println(grows.size() + " " + order);
        Set<String> set = new HashSet<>(List.of("x", "y", "z"));
        System.out.println(set.add("x") + " " + set.add("w") + " " + set.remove("y") + " " + new TreeSet<>(set) + " " + set.containsAll(List.of("x", "w")));
        Set<Integer> linked = new LinkedHashSet<>(List.of(5, 3, 9, 3 + 1));
        linked.remove(3);
        linked.add(3);
        linked.retainAll(Set.of(3, 4, 9));
        System.out.println(linked + " " + linked.equals(Set.of(3, 4, 9)) + " " + linked.hashCode());
        Map<String, Integer> lru = new LinkedHashMap<>(16, 0.75f, true) {
            @Override protected boolean removeEldestEntry(Map.Entry<String, Integer> e) {
                return size() > 3;
            }
        };
        for (String s : "a b c a d e a f".split(" ")) {
            lru.merge(s, 1, Integer::sum);
        }
        lru.get("e");
        System.out.println(lru);
        System.out.println(Map.of("k", 1).get("k") + " " + Map.entry("a", 1) + " " + new TreeMap<>(Map.of(3, "c", 1, "a", 2, "b")) + " " + Map.of().isEmpty());
    }
}
