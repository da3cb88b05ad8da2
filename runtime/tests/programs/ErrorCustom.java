import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;

public class ErrorCustom {
    static class Code extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int code;

        Code(int code) {
            super("code " + code);
            this.code = code;
        }
    }

    static class Worse extends Code {
        private static final long serialVersionUID = 1;

        Worse(int code) {
            super(-code);
        }

        @Override public String getMessage() {
            return "worse than " + super.getMessage();
        }
    }

    static int handle(int n) {
        try {
            if (n > 2) {
                throw new Worse(n);
            }
            throw new Code(n);
        } catch (Worse w) {
            System.out.println(w);
            return w.code;
        } catch (Code c) {
            System.out.println(c);
            return c.code;
        }
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        System.out.println(handle(1) + handle(2) + handle(3));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4));
        attempt(() -> {
            for (Integer i : list) {
                if (i == 2) {
                    list.remove(i);
                }
            }
        });
        attempt(() -> {
            for (Integer i : list) {
                if (i == 3) {
                    list.remove(i);
                }
            }
        });
        System.out.println(list);
        Map<String, Integer> map = new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3));
        attempt(() -> map.forEach((k, v) -> map.remove("c")));
        attempt(() -> map.keySet().forEach(k -> map.put(k + k, 1)));
        attempt(() -> list.iterator().remove());
        attempt(() -> List.of(1).add(2));
        attempt(() -> List.of(1, null));
        attempt(() -> Map.of("a", 1, "a", 2));
        attempt(() -> java.util.Collections.unmodifiableList(list).set(0, 1));
        attempt(() -> java.util.Arrays.asList(1, 2).add(3));
        attempt(() -> Optional.empty().get());
        attempt(() -> Optional.empty().orElseThrow(() -> new Code(9)));
        attempt(() -> new java.util.ArrayDeque<Integer>().pop());
        attempt(() -> new java.util.ArrayDeque<Integer>().add(null));
        attempt(() -> new java.util.LinkedList<Integer>().getFirst());
        attempt(() -> new java.util.PriorityQueue<Integer>().element());
        attempt(() -> new TreeMap<String, Integer>().firstKey());
        attempt(() -> new TreeMap<String, Integer>().put(null, 1));
        attempt(() -> new java.util.Scanner("x").nextInt());
        attempt(() -> new java.util.StringTokenizer("").nextToken());
        attempt(() -> java.util.Collections.max(List.<Integer>of()));
        attempt(() -> List.of(1, 2).stream().map(x -> (Integer) null).toList().get(0).intValue());
        attempt(() -> {
            var s = List.of(1).stream();
            s.count();
            s.count();
        });
        Iterator<Integer> it = List.of(1).iterator();
        it.next();
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        assert list.isEmpty() : "assertions are off";
        try {
            throw new AssertionError(list.size());
        } catch (AssertionError e) {
            System.out.println(e);
        }
        System.out.println(new ConcurrentModificationException("m").getMessage());
        throw new Worse(7);
    }
}
