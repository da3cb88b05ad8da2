import java.util.ArrayList;
import java.util.List;

public class LangBoxing {
    static String f(int i) {
        return "int";
    }

    static String f(long l) {
        return "long";
    }

    static String f(Integer i) {
        return "Integer";
    }

    static String f(Object o) {
        return "Object";
    }

    static String f(int... is) {
        return "int...";
    }

    static String g(long l) {
        return "long";
    }

    static String g(Integer i) {
        return "Integer";
    }

    static String h(Object o) {
        return "Object";
    }

    static String h(Number... n) {
        return "Number...";
    }

    static String k(double d) {
        return "double";
    }

    static String k(Object o) {
        return "Object";
    }

    static String v(String s, Object... rest) {
        return s + (rest == null ? "null" : rest.length);
    }

    static String v(String s, int a) {
        return s + "one int " + a;
    }

    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        System.out.println((a == b) + " " + (c == d) + " " + c.equals(d) + " " + (c <= d && c >= d));
        Long l1 = 127L, l2 = 127L, l3 = -129L, l4 = -129L;
        System.out.println((l1 == l2) + " " + (l3 == l4) + " " + l1.equals(127) + " " + l1.equals(127L) + " " + (l1 == 127));
        Character c1 = 'a', c2 = 'a', c3 = '\u0100', c4 = '\u0100';
        System.out.println((c1 == c2) + " " + (c3 == c4));
        Byte b1 = (byte) 200, b2 = (byte) 200;
        Short s1 = 100, s2 = 100;
        Boolean z1 = true, z2 = Boolean.valueOf("TRUE");
        System.out.println((b1 == b2) + " " + (s1 == s2) + " " + (z1 == z2) + " " + (Double.valueOf(1) == Double.valueOf(1)));
        byte bb = 1;
        short ss = 1;
        char cc = 'c';
        System.out.println(f(1) + f(bb) + f(ss) + f(cc) + f(1L) + f(1f) + f(a) + f(l1) + f() + f(1, 2) + f((Object) 1));
        System.out.println(g(1) + g(a) + g(cc) + h(1) + h(1, 2) + h() + k(1) + k('x') + k(a) + k("s"));
        System.out.println(v("a") + v("b", 1) + v("c", 1, 2) + v("d", (Object[]) null) + v("e", (Object) null) + v("f", new Object[3])
            + v("g", new int[3]) + v("h", new String[2]));
        List<Integer> list = new ArrayList<>(List.of(10, 20, 30));
        list.remove(1);
        list.remove(Integer.valueOf(10));
        System.out.println(list);
        int sum = 0;
        for (int x : list) {
            sum += x;
        }
        Integer total = sum;
        total = total + 1;
        total++;
        System.out.println(total);
        try {
            Integer none = null;
            int n = none;
            System.out.println(n);
        } catch (NullPointerException e) {
            System.out.println("unboxing null");
        }
        try {
            Boolean none = null;
            System.out.println(none ? 1 : 2);
        } catch (NullPointerException e) {
            System.out.println("condition of null");
        }
        Object o = 5;
        long wide = (int) o;
        System.out.println(wide + (Integer) o);
        try {
            System.out.println((long) o);
        } catch (ClassCastException e) {
            System.out.println("not a Long");
        }
        Object[] boxes = {1, 'c', 2.5, 1f, true, (byte) 1, (short) 2, 3L};
        for (Object box : boxes) {
            System.out.print(box.getClass().getSimpleName() + " " + box.hashCode() + " ");
        }
        System.out.println();
        System.out.println(new Object().equals(null) + " " + Integer.valueOf(3).compareTo(4) + " " + Boolean.compare(true, false));
    }
}
