import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class LangRecords {
    record Point(int x, int y) {
        static final Point ORIGIN = new Point(0, 0);

        Point {
            if (x < 0) {
                throw new IllegalArgumentException("negative: " + x);
            }
        }

        Point(int both) {
            this(both, both);
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }

        static Point of(String s) {
            String[] p = s.split(",");
            return new Point(Integer.parseInt(p[0]), Integer.parseInt(p[1]));
        }
    }

    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String t, int[] a, List<Integer> list) {}

    record Box<T extends Comparable<T>>(T value) implements Comparable<Box<T>> {
        @Override public int compareTo(Box<T> o) {
            return value.compareTo(o.value);
        }
    }

    record Name(String first, String last) {
        Name {
            first = first.trim();
            last = last == null ? "?" : last.toUpperCase();
        }

        public String first() {
            return "<" + first + ">";
        }

        @Override public boolean equals(Object o) {
            return o instanceof Name n && n.last.equals(last);
        }

        @Override public int hashCode() {
            return last.hashCode();
        }
    }

    record Empty() {}

    record Nested(Point p, Nested next) {}

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + " " + p.y + " " + p.length() + " " + p.hashCode() + " " + Point.ORIGIN);
        System.out.println(p.equals(new Point(3, 4)) + " " + p.equals(new Point(4)) + " " + p.equals(null) + " " + p.equals("p"));
        System.out.println(Point.of("7,8") + " " + new Point(9));
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int[] shared = {1};
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, "t", shared, List.of(1, 2));
        All b = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, "t", shared, List.of(1, 2));
        All c = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, "t", new int[] {1}, List.of(1, 2));
        System.out.println(a.equals(b) + " " + a.equals(c) + " " + (a.hashCode() == b.hashCode()));
        All n = new All(false, (byte) 0, 'a', (short) 0, 0, 0, -0f, Double.NaN, null, null, null);
        System.out.println(n + " " + n.hashCode() + " " + n.equals(new All(false, (byte) 0, 'a', (short) 0, 0, 0, 0f, Double.NaN, null, null, null)));
        System.out.println(new Box<>("x") + " " + new Box<>(2).compareTo(new Box<>(1)) + " " + new Box<>("q").hashCode());
        Name name = new Name(" Ann ", "smith");
        System.out.println(name + " " + name.first() + " " + name.equals(new Name("Bob", "SMITH")) + " " + new Name("x", null));
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        Nested nested = new Nested(p, new Nested(new Point(1), null));
        System.out.println(nested + " " + nested.hashCode());
        Map<Point, String> map = new java.util.HashMap<>();
        map.put(p, "found");
        System.out.println(map.get(new Point(3, 4)) + " " + map.get(new Point(3, 5)));
        TreeMap<Box<Integer>, String> tree = new TreeMap<>();
        for (int i : new int[] {5, 1, 3}) {
            tree.put(new Box<>(i), "b" + i);
        }
        System.out.println(tree);
        System.out.println(Point.class.isRecord() + " " + (p instanceof Record) + " " + Point.class.getRecordComponents().length);
    }
}
