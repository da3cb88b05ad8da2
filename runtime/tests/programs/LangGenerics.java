import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

public class LangGenerics {
    static class Pair<A, B> {
        final A a;
        final B b;

        Pair(A a, B b) {
            this.a = a;
            this.b = b;
        }

        <C> Pair<A, C> with(C c) {
            return new Pair<>(a, c);
        }

        static <X extends Comparable<X>> X max(X x, X y) {
            return x.compareTo(y) >= 0 ? x : y;
        }

        @Override public String toString() {
            return "(" + a + ", " + b + ")";
        }
    }

    abstract static class Node<T extends Comparable<? super T>> implements Comparable<Node<T>> {
        T value;

        Node(T value) {
            this.value = value;
        }

        void set(T t) {
            value = t;
            System.out.println("Node.set " + t);
        }

        @Override public int compareTo(Node<T> o) {
            return value.compareTo(o.value);
        }
    }

    static class IntNode extends Node<Integer> {
        IntNode(Integer value) {
            super(value);
        }

        @Override void set(Integer t) {
            System.out.println("IntNode.set " + t);
            super.set(t + 1);
        }
    }

    static class Stack<E> {
        @SuppressWarnings("unchecked")
        private E[] items = (E[]) new Object[2];
        private int size;

        void push(E e) {
            if (size == items.length) {
                items = java.util.Arrays.copyOf(items, size * 2);
            }
            items[size++] = e;
        }

        E pop() {
            return items[--size];
        }
    }

    static double sum(List<? extends Number> list) {
        double s = 0;
        for (Number n : list) {
            s += n.doubleValue();
        }
        return s;
    }

    static void fill(List<? super Integer> list) {
        for (int i = 0; i < 3; i++) {
            list.add(i);
        }
    }

    @SafeVarargs
    static <T> List<T> listOf(T... items) {
        List<T> list = new ArrayList<>();
        for (T item : items) {
            list.add(item);
        }
        return list;
    }

    static <T, R> List<R> map(List<T> list, Function<? super T, ? extends R> f) {
        List<R> out = new ArrayList<>();
        list.forEach(t -> out.add(f.apply(t)));
        return out;
    }

    static <T extends Number & Comparable<T>> String both(T t, T u) {
        return t.intValue() + ":" + t.compareTo(u);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        System.out.println(new Pair<>("x", 1).with(2.5).with('c'));
        System.out.println(Pair.max("apple", "pear") + Pair.max(3, 2));
        Node<Integer> node = new IntNode(5);
        node.set(7);
        System.out.println(node.value + " " + node.compareTo(new IntNode(8)));
        try {
            Node raw = node;
            raw.set("not an int");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Stack<String> stack = new Stack<>();
        for (String s : "a b c d e".split(" ")) {
            stack.push(s);
        }
        System.out.println(stack.pop() + stack.pop() + stack.size);
        List<Object> objects = new ArrayList<>();
        fill(objects);
        objects.add("s");
        System.out.println(objects + " " + sum(List.of(1, 2.5, 3L)));
        System.out.println(map(listOf("a", "bb", "ccc"), String::length));
        System.out.println(both(3, 4) + " " + both(2.5, 1.5));
        List<String> polluted = new ArrayList<>();
        ((List) polluted).add(1);
        System.out.println(polluted);
        try {
            String s = polluted.get(0);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println("polluted");
        }
        List<IntNode> nodes = new ArrayList<>(List.of(new IntNode(3), new IntNode(1), new IntNode(2)));
        nodes.sort(Comparator.naturalOrder());
        System.out.println(map(nodes, n -> n.value));
        Function<Integer, Function<Integer, Integer>> add = a -> b -> a + b;
        System.out.println(add.apply(3).apply(4));
        for (var m : IntNode.class.getDeclaredMethods()) {
            if (m.isBridge()) {
                System.out.println("bridge " + m.getName() + " " + m.isSynthetic());
            }
        }
    }
}
