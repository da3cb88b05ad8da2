public class LangCasts {
    static void show(double d) {
        System.out.println(d + " -> " + (int) d + " " + (long) d + " " + (short) d + " " + (byte) d + " " + (int) (char) d
            + " " + (float) d);
    }

    static void show(float f) {
        System.out.println(f + " -> " + (int) f + " " + (long) f + " " + (short) f + " " + (byte) f + " " + (int) (char) f
            + " " + (double) f);
    }

    static void show(long l) {
        System.out.println(l + " -> " + (int) l + " " + (short) l + " " + (byte) l + " " + (int) (char) l + " " + (float) l
            + " " + (double) l);
    }

    static void show(int i) {
        System.out.println(i + " -> " + (long) i + " " + (short) i + " " + (byte) i + " " + (int) (char) i + " " + (float) i
            + " " + (double) i);
    }

    public static void main(String[] args) {
        double[] ds = {0.9, -0.9, 1.5, -1.5, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.5, 9.2e18, 9.3e18, -9.3e18,
            1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 65535.9, 65536.0, 300.0, -129.0, 1e-320};
        for (double d : ds) {
            show(d);
        }
        float[] fs = {0.99f, -128.5f, 3e9f, -3e9f, 1e19f, -1e19f, Float.NaN, Float.NEGATIVE_INFINITY, 16777217f, 1e-45f};
        for (float f : fs) {
            show(f);
        }
        long[] ls = {0, -1, 128, 32768, 65536, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1, (1L << 24) + 1,
            0x7fffffbfffffffffL, -9007199254740993L};
        for (long l : ls) {
            show(l);
        }
        int[] is = {0, -1, 127, 128, -129, 40000, 70000, 16777217, 16777219, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x7fffff80};
        for (int i : is) {
            show(i);
        }
        byte b = (byte) 200;
        char c = (char) b;
        short s = (short) c;
        System.out.println(b + " " + (int) c + " " + s + " " + (b & 0xff) + " " + (c >> 4) + " " + (s >>> 4) + " " + (byte) (s >>> 1));
    }
}
