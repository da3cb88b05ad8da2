import java.util.Random;

public class LibDoubleText {
    public static void main(String[] args) {
        double[] ds = {0, -0.0, 1, 10, 100, 1e3, 1e6, 1e7, 123456.789, 9999999, 12345678.9, 1e10, 1e15, 1e16, 1e21, 1e22, 1.1e-3, 1e-3, 9.99e-4, 1e-4,
            3.14159265358979, 2.718281828459045, 1.0 / 3, 2.0 / 3, 0.1 + 0.2, 100.0 / 3, 1e100, 1.7976931348623157e308, 4.9e-324, 2.2250738585072014e-308,
            5e-324, 0.5, 0.25, 0.125, 1 << 20, 1L << 53, (1L << 53) + 2, 123e-7, 1.0E-5, 0.30000000000000004};
        for (double d : ds) {
            System.out.println(d + " " + -d + " " + Double.toHexString(d) + " " + Double.doubleToLongBits(d) + " " + (float) d + " " + Double.parseDouble("" + d)
                + " " + (Double.parseDouble(Double.toString(d)) == d));
        }
        float[] fs = {0.1f, 1.1f, 16777216f, 3.4028235e38f, 1.4e-45f, 1e10f, 1e-10f, 0.3f, 123.456f, 1e7f, 9999999f, 1.17549435E-38f, 3.3333333f};
        for (float f : fs) {
            System.out.println(f + " " + (double) f + " " + Float.toHexString(f) + " " + Float.floatToIntBits(f) + " " + (Float.parseFloat("" + f) == f));
        }
        Random random = new Random(42);
        int exact = 0;
        long hash = 0;
        for (int i = 0; i < 300; i++) {
            double d = Double.longBitsToDouble(random.nextLong());
            exact += Double.isNaN(d) || Double.parseDouble(Double.toString(d)) == d ? 1 : 0;
            double e = random.nextDouble() * StrictMath.pow(10, random.nextInt(20) - 10);
            exact += Double.parseDouble(Double.toString(e)) == e ? 1 : 0;
            float f = Float.intBitsToFloat(random.nextInt());
            exact += Float.isNaN(f) || Float.parseFloat(Float.toString(f)) == f ? 1 : 0;
            hash = hash * 31 + Double.hashCode(Double.parseDouble(random.nextInt(1000) + "." + Math.abs(random.nextLong())));
        }
        System.out.println(exact + " " + hash);
        System.out.println(Double.longBitsToDouble(0x7ff8000000000001L) + " " + Double.doubleToLongBits(Double.NaN) + " " + Float.floatToIntBits(0f / 0f)
            + " " + Double.longBitsToDouble(0x7ff0000000000000L) + " " + Double.valueOf("1e-324") + " " + Double.valueOf("9007199254740993"));
        System.out.println(Double.compare(0.0, -0.0) + " " + Double.min(1, Double.NaN) + " " + Double.sum(0.1, 0.2) + " " + Double.MAX_EXPONENT + " " + Double.SIZE
            + " " + Double.valueOf(2.5).intValue() + " " + Float.valueOf(3.9f).longValue() + " " + Double.valueOf(1e20).byteValue());
    }
}
