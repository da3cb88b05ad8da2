import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

public class AlgoHuffman {
    abstract static class Node implements Comparable<Node> {
        final int weight;
        final int order;
        static int made;

        Node(int weight) {
            this.weight = weight;
            order = made++;
        }

        abstract void codes(String prefix, Map<Character, String> to);

        @Override public int compareTo(Node o) {
            return weight != o.weight ? Integer.compare(weight, o.weight) : Integer.compare(order, o.order);
        }
    }

    static class Leaf extends Node {
        final char c;

        Leaf(char c, int weight) {
            super(weight);
            this.c = c;
        }

        @Override void codes(String prefix, Map<Character, String> to) {
            to.put(c, prefix.isEmpty() ? "0" : prefix);
        }
    }

    static class Inner extends Node {
        final Node left, right;

        Inner(Node left, Node right) {
            super(left.weight + right.weight);
            this.left = left;
            this.right = right;
        }

        @Override void codes(String prefix, Map<Character, String> to) {
            left.codes(prefix + '0', to);
            right.codes(prefix + '1', to);
        }
    }

    static Node tree(String text) {
        Map<Character, Integer> counts = new TreeMap<>();
        for (char c : text.toCharArray()) {
            counts.merge(c, 1, Integer::sum);
        }
        PriorityQueue<Node> queue = new PriorityQueue<>();
        counts.forEach((c, n) -> queue.add(new Leaf(c, n)));
        while (queue.size() > 1) {
            queue.add(new Inner(queue.poll(), queue.poll()));
        }
        return queue.poll();
    }

    static String decode(Node root, String bits) {
        StringBuilder out = new StringBuilder();
        Node at = root;
        for (char b : bits.toCharArray()) {
            if (at instanceof Inner i) {
                at = b == '0' ? i.left : i.right;
            }
            if (at instanceof Leaf l) {
                out.append(l.c);
                at = root;
            }
        }
        return out.toString();
    }

    public static void main(String[] args) {
        for (String text : new String[] {"abracadabra", "she sells sea shells by the sea shore", "aaaa", "the quick brown fox jumps over the lazy dog"}) {
            Node root = tree(text);
            Map<Character, String> codes = new TreeMap<>();
            root.codes("", codes);
            StringBuilder bits = new StringBuilder();
            for (char c : text.toCharArray()) {
                bits.append(codes.get(c));
            }
            System.out.println(codes);
            System.out.println(bits.length() + " of " + text.length() * 8 + " bits, " + decode(root, bits.toString()).equals(text));
        }
        System.out.println(Node.made);
    }
}
