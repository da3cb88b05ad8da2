import java.util.List;

public class LangSealed {
    sealed interface Shape permits Circle, Rect, Polygon {}
    record Circle(double r) implements Shape {}
    record Rect(double w, double h) implements Shape {}
    static sealed abstract class Polygon implements Shape {
        abstract int sides();
    }
    static final class Triangle extends Polygon {
        int sides() {
            return 3;
        }
    }
    static non-sealed class Free extends Polygon {
        int sides() {
            return 7;
        }
    }
    static class Wild extends Free {
        @Override int sides() {
            return super.sides() * 2;
        }
    }

    static String describe(Shape s) {
        if (s instanceof Circle c && c.r() > 10) {
            return "big circle " + c.r();
        } else if (s instanceof Circle c) {
            return "circle " + c.r();
        }
        if (!(s instanceof Rect r)) {
            Polygon p = (Polygon) s;
            return "polygon of " + p.sides();
        }
        return r.w() == r.h() ? "square " + r.w() : "rect " + r.w() * r.h();
    }

    static String type(Object o) {
        if (o instanceof Integer i && i > 100) {
            return "large " + (i + 1);
        } else if (o instanceof Integer i) {
            return "int " + (i + 1);
        } else if (o instanceof String s) {
            return "text of " + s.length();
        } else if (o instanceof int[] a && a.length > 0 && a[0] == 1) {
            return "ones " + a.length;
        } else if (o instanceof List<?> l && !l.isEmpty() && l.get(0) instanceof String first) {
            return "list from " + first;
        } else if (o == null) {
            return "null";
        }
        return "other " + o.getClass().getSimpleName();
    }

    static int loop(Object[] os) {
        int sum = 0;
        for (Object o : os) {
            if (!(o instanceof Number n)) {
                continue;
            }
            sum += n.intValue();
        }
        return sum;
    }

    public static void main(String[] args) {
        Shape[] shapes = {new Circle(1), new Circle(11), new Rect(2, 3), new Rect(4, 4), new Triangle(), new Free(), new Wild()};
        for (Shape s : shapes) {
            System.out.println(describe(s));
        }
        Object[] os = {1, 1000, "abc", new int[] {1, 2}, new int[] {2}, List.of("x", "y"), List.of(), List.of(1), null, 2.5, 'c', 3L};
        for (Object o : os) {
            System.out.println(type(o));
        }
        System.out.println(loop(os));
        System.out.println(Shape.class.isSealed() + " " + Circle.class.isSealed() + " " + Shape.class.getPermittedSubclasses().length);
    }
}
