public class LangOperators {
    static boolean t(String name) {
        System.out.print(name);
        return true;
    }

    static boolean f(String name) {
        System.out.print(name);
        return false;
    }

    static String grade(int n) {
        return n >= 90 ? "A" : n >= 80 ? "B" : n >= 70 ? "C" : n >= 60 ? "D" : "F";
    }

    static int sign(long x) {
        return x < 0 ? -1 : x > 0 ? 1 : 0;
    }

    static int count(Object o) {
        return o == null ? 0 : o instanceof String s && !s.isEmpty() ? s.length() : -1;
    }

    public static void main(String[] args) {
        System.out.println(t("a") && f("b") && t("c"));
        System.out.println(f("a") || t("b") || t("c"));
        System.out.println(f("a") & t("b") | t("c") ^ t("d"));
        System.out.println(t("a") && (f("b") || !f("c")) && t("d"));
        System.out.println((t("a") ? f("b") : t("c")) || t("d"));
        boolean z = f("x") != t("y");
        System.out.println(z);
        z &= f("p");
        z |= t("q");
        System.out.println(z);
        for (int n : new int[] {95, 85, 75, 65, 5}) {
            System.out.print(grade(n));
        }
        System.out.println();
        System.out.println(sign(-5) + " " + sign(0) + " " + sign(1L << 40));
        System.out.println(count(null) + " " + count("four") + " " + count("") + " " + count(4));
        System.out.println(1 + 2 * 3 - 4 / 2 % 3 << 1 >> 1 & 0xff | 0x100 ^ 0x10);
        System.out.println(-5 / 2 + " " + -5 % 2 + " " + -5 / 2.0 + " " + -5 % 2.0 + " " + (-5 >> 1) + " " + (-5 >>> 28));
        System.out.println(~5 + " " + -~5 + " " + ~-5 + " " + !true + " " + - -3 + " " + +3);
        int i = 0;
        i = i++ + i++ * i++;
        System.out.println(i);
        int j = 2;
        System.out.println(j++ + ++j + j-- - --j);
        System.out.println(1 < 2 == true);
        System.out.println("s" + 1 + 2 + " " + (1 + 2) + 1 * 2 + -1);
        System.out.println(1 + 2 + "s" + null + true + 'c' + 1.0f + 1e100 + 5L);
        Object o = true ? 1 : "x";
        Object p = true ? 1 : 2.0;
        Object q = false ? 'a' : 98;
        Object r = true ? Integer.valueOf(7) : Double.valueOf(8);
        Object u = true ? null : 0;
        System.out.println(o + " " + p + " " + q + " " + r + " " + u);
        long big = true ? 1 : 2L;
        System.out.println(big);
        String same = "x", other = "x";
        System.out.println(same == other ? "same" : "different");
        System.out.println((Object) same instanceof Comparable<?>);
        System.out.println(null instanceof Object);
        int a = 5, b = 7;
        a ^= b;
        b ^= a;
        a ^= b;
        System.out.println(a + " " + b);
    }
}
