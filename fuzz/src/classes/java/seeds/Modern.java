package seeds;

import java.util.Map;
import java.util.Optional;

/** Records, enums, sealed types, patterns, text blocks, var. */
public sealed interface Modern permits Modern.Circle, Modern.Square, Modern.Kind {
    record Circle(double radius, Point at) implements Modern {
        public Circle {
            if (radius < 0) throw new IllegalArgumentException("radius " + radius);
        }
        static final Circle UNIT = new Circle(1, new Point(0, 0L));
        double area() { return Math.PI * radius * radius; }
    }

    record Point(int x, long y) implements Comparable<Point> {
        Point(int x) { this(x, x); }
        @Override public int compareTo(Point o) { return x != o.x ? Integer.compare(x, o.x) : Long.compare(y, o.y); }
    }

    record Pair<A, B>(A first, B second, int... rest) { }

    final class Square implements Modern {
        float side;
        @Override public boolean equals(Object o) { return o instanceof Square s && s.side == side; }
        @Override public int hashCode() { return Float.hashCode(side); }
    }

    enum Kind implements Modern {
        SMALL(1) { @Override int size() { return 1; } },
        LARGE(5);
        private final int n;
        Kind(int n) { this.n = n; }
        int size() { return n * ordinal(); }
    }

    @interface Mark { String value() default "x"; int[] numbers() default {1, 2}; Kind kind() default Kind.SMALL; }

    @Mark("area")
    static double area(Modern m) {
        if (m instanceof Circle c && c.radius() > 0) return c.area();
        if (!(m instanceof Square s)) return m instanceof Kind k ? k.size() : -1;
        return s.side * s.side;
    }

    static String kinds(Kind kind, Map<String, Optional<Point>> map) {
        var text = """
            several
            lines""";
        int n = switch (kind) {
            case SMALL -> 1;
            case LARGE -> { var p = map.getOrDefault(text, Optional.empty()).orElseGet(() -> new Point(3)); yield p.x(); }
        };
        switch (kind) { case SMALL: return text + n; default: break; }
        return new Pair<>(text, n, 1, 2).toString() + Circle.UNIT.hashCode();
    }
}
