public class LangLongs {
    static long zero = 0;

    static String row(long a, long b) {
        String s = (a + b) + " " + (a - b) + " " + (a * b) + " " + (a & b) + " " + (a | b) + " " + (a ^ b);
        if (b != 0) {
            s += " " + (a / b) + " " + (a % b);
        }
        int n = (int) b;
        s += " " + (a << n) + " " + (a >> n) + " " + (a >>> n) + " " + (a << b);
        return s + " " + (a < b) + (a > b) + (a >= b) + (a != b) + " " + Long.compare(a, b);
    }

    public static void main(String[] args) {
        long[] values = {0, 1, -1, 10, -10, 63, 64, 65, 1L << 31, 1L << 32, -1L >>> 1, Long.MIN_VALUE, 0x123456789abcdefL};
        for (long a : values) {
            for (long b : values) {
                System.out.println(row(a, b));
            }
        }
        long x = Long.MAX_VALUE;
        x++;
        System.out.println(x);
        System.out.println(-x);
        System.out.println(x / -1);
        System.out.println(x % -1);
        long mixed = Integer.MAX_VALUE + 1;
        long widened = Integer.MAX_VALUE + 1L;
        System.out.println(mixed + " " + widened);
        System.out.println((int) 0x1_2345_6789L + " " + (short) 0x12345678L + " " + (byte) 0x1ffL + " " + (int) (char) -1L);
        int count = 0;
        for (long l = 1; l > 0; l *= 3) {
            count++;
        }
        System.out.println(count);
        try {
            System.out.println(5L % zero);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(5L / zero);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
