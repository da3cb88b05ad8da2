import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.Predicate;

public class LangIterators {
    record Range(int from, int to, int step) implements Iterable<Integer> {
        @Override public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int at = from;

                @Override public boolean hasNext() {
                    return step > 0 ? at < to : at > to;
                }

                @Override public Integer next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException("past " + to);
                    }
                    int now = at;
                    at += step;
                    return now;
                }
            };
        }
    }

    static class Tree<T extends Comparable<T>> implements Iterable<T> {
        private class Node {
            T value;
            Node left, right;
        }

        private Node root;

        void add(T t) {
            Node n = new Node();
            n.value = t;
            if (root == null) {
                root = n;
                return;
            }
            for (Node at = root; ; ) {
                if (t.compareTo(at.value) < 0) {
                    if (at.left == null) {
                        at.left = n;
                        return;
                    }
                    at = at.left;
                } else {
                    if (at.right == null) {
                        at.right = n;
                        return;
                    }
                    at = at.right;
                }
            }
        }

        public Iterator<T> iterator() {
            List<Node> stack = new ArrayList<>();
            for (Node n = root; n != null; n = n.left) {
                stack.add(n);
            }
            return new Iterator<T>() {
                public boolean hasNext() {
                    return !stack.isEmpty();
                }

                public T next() {
                    Node top = stack.remove(stack.size() - 1);
                    for (Node n = top.right; n != null; n = n.left) {
                        stack.add(n);
                    }
                    return top.value;
                }
            };
        }
    }

    static <T> Iterable<T> filter(Iterable<T> in, Predicate<? super T> p) {
        return () -> {
            Iterator<T> it = in.iterator();
            return new Iterator<T>() {
                T next;
                boolean ready;

                public boolean hasNext() {
                    while (!ready && it.hasNext()) {
                        next = it.next();
                        ready = p.test(next);
                    }
                    return ready;
                }

                public T next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    ready = false;
                    return next;
                }
            };
        };
    }

    public static void main(String[] args) {
        for (int i : new Range(0, 10, 3)) {
            System.out.print(i + " ");
        }
        for (int i : new Range(5, 0, -2)) {
            System.out.print(i + " ");
        }
        System.out.println();
        Tree<String> tree = new Tree<>();
        for (String s : "the quick brown fox jumps over the lazy dog".split(" ")) {
            tree.add(s);
        }
        for (String s : tree) {
            System.out.print(s + " ");
        }
        System.out.println();
        Consumer<Integer> print = n -> System.out.print(n + ",");
        filter(new Range(1, 50, 1), n -> n % 7 == 0).forEach(print);
        System.out.println();
        Iterator<Integer> it = new Range(0, 1, 1).iterator();
        System.out.println(it.next());
        try {
            it.next();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            it.remove();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        it = new Range(3, 9, 2).iterator();
        it.next();
        it.forEachRemaining(print);
        System.out.println();
    }
}
