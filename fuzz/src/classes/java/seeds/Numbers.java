package seeds;

/** Arithmetic of all types, conversions, comparisons, loops and switches. */
public class Numbers {
    static final int INT = 40000;
    static final long LONG = 1L << 40;
    static final float FLOAT = 1.5f;
    static final double DOUBLE = 2.25;
    static final String TEXT = "text";
    static int counter;
    long total;

    static int ints(int a, int b) {
        int c = a + b * 3 - (a / (b | 1)) % 7;
        c <<= 2;
        c >>= 1;
        c >>>= 1;
        c ^= ~b & 0xff;
        c += counter++;
        return -c;
    }

    static long longs(long a, int shift) {
        long b = a * LONG - a / 3 + (a % 5);
        b = (b << shift) ^ (b >> shift) | (b >>> 3) & ~a;
        return a > b ? -a : b;
    }

    static double floats(float f, double d, int i, long l) {
        float g = f * FLOAT + i - l / f % 2f;
        double e = d * DOUBLE - g + (double) l;
        if (f < g) e++;
        if (f >= g) e--;
        if (d > e || d != d) e = -e;
        return e + (float) e + (int) e + (long) e + (byte) i + (char) i + (short) i + (int) l + (float) l + (int) f + (long) f;
    }

    static int dense(int n) {
        switch (n) {
            case 1: return 10;
            case 2: n++;
            case 3: n += 2; break;
            case 5: return n;
            default: n = -1;
        }
        return n;
    }

    static String sparse(int n) {
        switch (n) {
            case -1000: return "low";
            case 0: return "zero";
            case 100000: return "high";
            default: return TEXT;
        }
    }

    static int modern(String s) {
        return switch (s) {
            case "one" -> 1;
            case "two", "three" -> {
                int n = s.length();
                yield n * 2;
            }
            default -> throw new IllegalArgumentException(s);
        };
    }

    long loops(int n) {
        long sum = 0;
        outer:
        for (int i = 0; i < n; i++) {
            for (long j = 0; j < i; j++) {
                if (j % 3 == 1) continue outer;
                if (sum > 1000L) break outer;
                sum += j;
            }
            do { sum--; } while (sum > 50 && n-- > 0);
        }
        while (n > 0) { n -= 200; total += n; }
        total++;
        return sum + total--;
    }

    static boolean logic(boolean a, boolean b, Object o) {
        boolean c = a && b || !a ^ b;
        return c ? o != null : o == "x" && counter == 0;
    }

    static Object boxes(Integer i, Double d, char c) {
        long sum = i + c;
        Object boxed = sum > 3 ? (Object) i : (Object) d;
        Long other = sum;
        return other.equals(boxed) ? other : Byte.valueOf((byte) c);
    }
}
