import java.util.HashMap;
import java.util.Map;

public class LangRecursion {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int tak(int x, int y, int z) {
        return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static void hanoi(int n, char a, char b, char c, StringBuilder out) {
        if (n > 0) {
            hanoi(n - 1, a, c, b, out);
            out.append(a).append(c).append(' ');
            hanoi(n - 1, b, a, c, out);
        }
    }

    static void permute(String prefix, String rest, StringBuilder out) {
        if (rest.isEmpty()) {
            out.append(prefix).append(' ');
        }
        for (int i = 0; i < rest.length(); i++) {
            permute(prefix + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out);
        }
    }

    static long sum(long n) {
        return n == 0 ? 0 : n + sum(n - 1);
    }

    static final Map<Integer, Long> MEMO = new HashMap<>();

    static long memo(int n) {
        if (n < 2) {
            return n;
        }
        Long known = MEMO.get(n);
        if (known == null) {
            known = memo(n - 1) + memo(n - 2);
            MEMO.put(n, known);
        }
        return known;
    }

    static double mixed(int n, double d, long l, float f, Object o) {
        return n == 0 ? d + l + f + o.hashCode() : mixed(n - 1, d / 2, l + n, f * 1.5f, o);
    }

    static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    public static void main(String[] args) {
        System.out.println(fib(20));
        System.out.println(ackermann(2, 9));
        System.out.println(tak(12, 8, 4));
        System.out.println(even(1000) + " " + odd(1001));
        StringBuilder out = new StringBuilder();
        hanoi(4, 'a', 'b', 'c', out);
        System.out.println(out);
        out.setLength(0);
        permute("", "abcd", out);
        System.out.println(out);
        System.out.println(sum(3000));
        System.out.println(memo(90));
        System.out.println(mixed(10, 1000, 1, 1, "x"));
        System.out.println(gcd(1071, 462));
    }
}
