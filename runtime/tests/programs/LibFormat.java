import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Formatter;
import java.util.IllegalFormatException;
import java.util.Locale;

public class LibFormat {
    static void f(String format, Object... args) {
        try {
            System.out.println("[" + String.format(Locale.ROOT, format, args) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        f("%d %5d %-5d| %05d %+d %,d %(d % d", 1, 2, 3, 4, 5, 1234567, -6, 7);
        f("%x %X %o %08x %#x %x", 255, 255, 8, 48879, 16, -1);
        f("%x %d %o", -1L, Long.MIN_VALUE, 1L << 40);
        f("%x %d", (byte) -1, (short) -5);
        f("%s %10s|%-10s|%.2s %S", "a", "right", "left", "cut", "upper");
        f("%c %C %5c %c", 'x', 'y', 'z', 0x4e2d);
        f("%b %B %b %5b", true, false, null, "x");
        f("%f %.2f %10.3f|%-10.1f|%+.1f %,.2f %08.2f %.0f", 1.5, 2.345, 3.14159, 2.25, 9.99, 1234567.891, -3.5, 2.5);
        f("%e %.3e %E %g %g", 12345.678, 0.00012, 1e100, 0.0001, 123456.0);
        f("%f %f %f %.1f %s", Double.NaN, Double.POSITIVE_INFINITY, -0.0, 0.05, 1e-5);
        f("%.3f %.10f %.1f", 1.0005, 0.1, 1e15);
        f("%f %e", 0.1f, 1e10f);
        f("%2$s %1$s %<s %s %s", "a", "b");
        f("%n%%|%-3s|".trim(), "p");
        f("%h %h", "hello", 255);
        f("%s %s %s %s", null, 1.0f, new int[0].length, java.util.List.of(1, 2));
        f("%a", 1.0);
        f("%d %,d %.3f %s", new BigInteger("123456789012345678901234567890"), new BigInteger("-1234567"), new BigDecimal("3.14159"), new BigDecimal("1E+5"));
        f("%*d", 1);
        f("%q", 1);
        f("%d", "text");
        f("%d");
        f("%c", "long");
        f("%.2d", 1);
        f("%-d", 1);
        f("%s");
        f("no arguments used", 1);
        System.out.printf(Locale.ROOT, "%3d|%-8s|%6.2f%n", 7, "name", 2.5);
        StringBuilder out = new StringBuilder();
        try (Formatter formatter = new Formatter(out, Locale.ROOT)) {
            formatter.format("%s-%s", 1, 2).format("%04d", 3);
        }
        System.out.println(out);
        System.out.println(String.format(Locale.GERMANY, "%,.2f", 1234.5).length());
        System.out.println(Integer.toString(255, 16) + Integer.toHexString(-1) + Integer.toOctalString(8) + Integer.toBinaryString(10) + Long.toString(-35, 36)
            + Integer.toUnsignedString(-1) + Long.toUnsignedString(-1) + Long.toHexString(1L << 60) + Integer.toString(Integer.MIN_VALUE, 2));
    }
}
