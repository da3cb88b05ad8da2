public class LangInts {
    static int zero = 0;
    static int min = Integer.MIN_VALUE;
    static int max = Integer.MAX_VALUE;

    public static void main(String[] args) {
        System.out.println(max + 1);
        System.out.println(min - 1);
        System.out.println(min * min);
        System.out.println(max * max);
        System.out.println(-min);
        System.out.println(min / -1);
        System.out.println(min % -1);
        System.out.println(~min);
        int[] values = {0, 1, -1, 7, -7, 31, 32, 33, 0x55555555, max, min, min + 1};
        for (int a : values) {
            StringBuilder line = new StringBuilder();
            for (int b : values) {
                line.append(a + b).append(' ').append(a - b).append(' ').append(a * b).append(' ');
                if (b != 0) {
                    line.append(a / b).append(' ').append(a % b).append(' ');
                }
                line.append(a << b).append(' ').append(a >> b).append(' ').append(a >>> b).append(' ');
                line.append(a & b).append(' ').append(a | b).append(' ').append(a ^ b).append(' ');
                line.append(a < b).append(a <= b).append(a == b).append(';');
            }
            System.out.println(line);
        }
        int i = 5;
        i = i++ + ++i;
        System.out.println(i);
        i += i++ * 2 + i;
        System.out.println(i);
        i <<= 33;
        System.out.println(i);
        i >>>= -1;
        System.out.println(i);
        int big = 0x7fff_ffff, oct = 017, bin = 0b1010_1010;
        System.out.println(big + " " + oct + " " + bin + " " + 'a' + ('a' + 1) + (char) ('a' + 1));
        try {
            System.out.println(1 / zero);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1 % zero);
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
    }
}
