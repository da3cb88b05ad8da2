public class LangFloats {
    static strictfp double mix(double a, double b) {
        return a * b + a / b - b;
    }

    static String bits(double d) {
        return Long.toHexString(Double.doubleToRawLongBits(d));
    }

    static String bits(float f) {
        return Integer.toHexString(Float.floatToRawIntBits(f));
    }

    public static void main(String[] args) {
        double[] ds = {0.0, -0.0, 1, -1, 0.1, 3.5, -2.75, 1e300, -1e300, Double.MIN_VALUE, Double.MAX_VALUE,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
        for (double a : ds) {
            for (double b : ds) {
                System.out.println(a + b + " " + (a - b) + " " + a * b + " " + a / b + " " + a % b + " " + (a < b) + (a > b)
                    + (a <= b) + (a >= b) + (a == b) + (a != b) + " " + Double.compare(a, b));
            }
        }
        float[] fs = {0f, -0f, 1f, 0.1f, -3.25f, 1e38f, Float.MIN_VALUE, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NaN};
        for (float a : fs) {
            for (float b : fs) {
                System.out.println(a + b + " " + (a - b) + " " + a * b + " " + a / b + " " + a % b + " " + (a < b) + (a >= b)
                    + (a == b) + " " + bits(a * b) + " " + (double) a * b);
            }
        }
        System.out.println(bits(mix(0.1, 0.3)) + " " + bits(1.0 / 3) + " " + bits(1f / 3) + " " + bits(-0.0) + " " + bits(-0f));
        System.out.println(0.0 == -0.0);
        System.out.println(Double.valueOf(0.0).equals(-0.0));
        System.out.println(Double.valueOf(Double.NaN).equals(Double.NaN));
        double sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += 0.1;
        }
        System.out.println(sum);
        float fsum = 0;
        for (int i = 0; i < 10; i++) {
            fsum += 0.1f;
        }
        System.out.println(fsum);
        System.out.println(-(0.0) + " " + -(0f) + " " + (0.0 - 0.0) + " " + 1 / -0.0);
        System.out.println(0x1.8p3 + " " + 0x1p-1074 + " " + 1e-5 + " " + 1234567.0 + " " + 12345678.0 + " " + 0.001 + " " + 1e7f);
        System.out.println(Double.MIN_NORMAL + " " + Float.MIN_NORMAL + " " + (float) 1e40 + " " + (float) 1e-50 + " " + (float) 0.1);
    }
}
