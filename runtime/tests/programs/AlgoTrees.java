import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class AlgoTrees {
    static final class Binary {
        final Binary left, right;

        Binary(int depth) {
            left = depth == 0 ? null : new Binary(depth - 1);
            right = depth == 0 ? null : new Binary(depth - 1);
        }

        int check() {
            return left == null ? 1 : 1 + left.check() + right.check();
        }
    }

    static class Avl<K extends Comparable<K>, V> {
        private static class Node<K, V> {
            final K key;
            V value;
            Node<K, V> left, right;
            int height = 1;

            Node(K key, V value) {
                this.key = key;
                this.value = value;
            }
        }

        private Node<K, V> root;
        int rotations;

        void put(K key, V value) {
            root = put(root, key, value);
        }

        private Node<K, V> put(Node<K, V> n, K key, V value) {
            if (n == null) {
                return new Node<>(key, value);
            }
            int c = key.compareTo(n.key);
            if (c == 0) {
                n.value = value;
            } else if (c < 0) {
                n.left = put(n.left, key, value);
            } else {
                n.right = put(n.right, key, value);
            }
            return balance(n);
        }

        private int height(Node<K, V> n) {
            return n == null ? 0 : n.height;
        }

        private Node<K, V> balance(Node<K, V> n) {
            n.height = 1 + Math.max(height(n.left), height(n.right));
            int tilt = height(n.left) - height(n.right);
            if (tilt > 1) {
                if (height(n.left.left) < height(n.left.right)) {
                    n.left = left(n.left);
                }
                return right(n);
            }
            if (tilt < -1) {
                if (height(n.right.right) < height(n.right.left)) {
                    n.right = right(n.right);
                }
                return left(n);
            }
            return n;
        }

        private Node<K, V> left(Node<K, V> n) {
            Node<K, V> r = n.right;
            n.right = r.left;
            r.left = n;
            n.height = 1 + Math.max(height(n.left), height(n.right));
            r.height = 1 + Math.max(height(r.left), height(r.right));
            rotations++;
            return r;
        }

        private Node<K, V> right(Node<K, V> n) {
            Node<K, V> l = n.left;
            n.left = l.right;
            l.right = n;
            n.height = 1 + Math.max(height(n.left), height(n.right));
            l.height = 1 + Math.max(height(l.left), height(l.right));
            rotations++;
            return l;
        }

        V get(K key) {
            Node<K, V> n = root;
            while (n != null && !n.key.equals(key)) {
                n = key.compareTo(n.key) < 0 ? n.left : n.right;
            }
            return n == null ? null : n.value;
        }
    }

    static class Trie {
        final Map<Character, Trie> next = new TreeMap<>();
        boolean end;

        void add(String s) {
            if (s.isEmpty()) {
                end = true;
            } else {
                next.computeIfAbsent(s.charAt(0), c -> new Trie()).add(s.substring(1));
            }
        }

        List<String> complete(String prefix) {
            Trie t = this;
            for (char c : prefix.toCharArray()) {
                t = t.next.get(c);
                if (t == null) {
                    return List.of();
                }
            }
            List<String> out = new ArrayList<>();
            t.collect(prefix, out);
            return out;
        }

        private void collect(String prefix, List<String> out) {
            if (end) {
                out.add(prefix);
            }
            next.forEach((c, t) -> t.collect(prefix + c, out));
        }
    }

    public static void main(String[] args) {
        Binary kept = new Binary(10);
        for (int d = 2; d <= 10; d += 2) {
            int check = 0, n = 1 << 10 - d;
            for (int i = 0; i < n; i++) {
                check += new Binary(d).check();
            }
            System.out.println(n + " trees of depth " + d + " check " + check);
        }
        System.out.println(kept.check());
        Avl<Integer, String> avl = new Avl<>();
        for (int i = 0; i < 1000; i++) {
            avl.put(i * 37 % 1009, "v" + i);
        }
        for (int i = 2000; i < 2500; i++) {
            avl.put(i, "w" + i);
        }
        System.out.println(avl.rotations + " " + avl.root.height + " " + avl.get(37) + " " + avl.get(2100) + " " + avl.get(-1));
        Trie trie = new Trie();
        for (String w : "car card care cat dog do done cart".split(" ")) {
            trie.add(w);
        }
        System.out.println(trie.complete("car") + " " + trie.complete("do") + " " + trie.complete("x") + " " + trie.complete("").size());
    }
}
