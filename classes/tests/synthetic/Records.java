import java.util.List;
import java.util.Map;

public class Records {
    record Empty() {}

    record Point(int x, int y) {}

    record All(byte b, short s, char c, int i, long l, float f, double d, boolean z, String t, int[] a, char[] h) {}

    record Generic<T extends Comparable<T>>(T first, List<? super T> rest) {
        static int made;

        Generic {
            made++;
        }
    }

    record Own(int x) {
        public int hashCode() {
            return 5;
        }
    }

    record Nested(Point point, Map<String, Point> map, Nested next) {}

    record Traced(Trace a, Trace b) {}

    static class Trace {
        static String order = "";
        final String name;
        final boolean same;

        Trace(String name, boolean same) {
            this.name = name;
            this.same = same;
        }

        public boolean equals(Object other) {
            order += "=" + name;
            return same;
        }

        public int hashCode() {
            order += "#" + name;
            return 1;
        }

        public String toString() {
            order += "'" + name;
            return null;
        }
    }

    static void compare(Object a, Object b) {
        System.out.println(a + " " + a.hashCode() + " " + a.equals(b) + b.equals(a) + a.equals(a) + a.equals(null) + a.equals("x"));
    }

    public static void main(String[] arguments) {
        compare(new Empty(), new Empty());
        compare(new Point(1, -1), new Point(1, -1));
        compare(new Point(1, -1), new Point(-1, 1));
        compare(new Point(Integer.MIN_VALUE, 2), new Empty());
        int[] none = null;
        char[] no = null;
        All all = new All((byte) -1, (short) 2, 'x', 3, 1L << 40, 1.5f, -2.5, true, "text", none, no);
        compare(all, new All((byte) -1, (short) 2, 'x', 3, 1L << 40, 1.5f, -2.5, true, "text", none, no));
        compare(all, new All((byte) -1, (short) 2, 'x', 3, 1L << 41, 1.5f, -2.5, true, "text", none, no));
        compare(all, new All((byte) -1, (short) 2, 'x', 3, 1L << 40, 1.5f, -2.5, false, "text", none, no));
        compare(all, new All((byte) -1, (short) 2, 'y', 3, 1L << 40, 1.5f, -2.5, true, "text", none, no));
        compare(all, new All((byte) -1, (short) 2, 'x', 3, 1L << 40, 1.5f, -2.5, true, null, none, no));
        for (double d : new double[] {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY}) {
            All one = new All((byte) 0, (short) 0, '\0', 0, 0, (float) d, d, false, null, none, no);
            compare(one, new All((byte) 0, (short) 0, '\0', 0, 0, 0f, 0.0, false, null, none, no));
            compare(one, new All((byte) 0, (short) 0, '\0', 0, 0, Float.intBitsToFloat(0x7fc00001), 0.0 / 0.0, false, null, none, no));
        }
        int[] array = {1};
        System.out.println(new All((byte) 0, (short) 0, 'c', 0, 0, 0, 0, false, "", array, null).equals(
                new All((byte) 0, (short) 0, 'c', 0, 0, 0, 0, false, "", array.clone(), null)));
        compare(new Generic<>("a", List.of("b")), new Generic<>("a", List.of("b")));
        compare(new Own(4), new Own(4));
        Nested inner = new Nested(null, Map.of("k", new Point(1, 2)), null);
        compare(new Nested(new Point(3, 4), null, inner), new Nested(new Point(3, 4), null, inner));
        record Local$1(String $, long été) {}
        compare(new Local$1("d", 9), new Local$1("d", 9));
        compare(new Outer$Inner(1), new Outer$Inner(1));
        for (boolean first : new boolean[] {false, true}) {
            for (boolean second : new boolean[] {false, true}) {
                Traced one = new Traced(new Trace("a", first), new Trace("b", second));
                compare(one, new Traced(new Trace("c", first), new Trace("d", second)));
            }
        }
        System.out.println(Trace.order);
    }
}

record Outer$Inner(int x) {}
