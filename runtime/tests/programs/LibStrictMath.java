import java.util.Random;

public class LibStrictMath {
    static final String[] NAMES = {
        "sin", "cos", "tan", "asin", "acos", "atan", "log", "log10", "sinh", "cosh", "tanh", "expm1", "log1p", "atan2", "rem"
    };

    static double of(int function, double v, double w) {
        switch (function) {
            case 0: return StrictMath.sin(v % 500_000);
            case 1: return StrictMath.cos(v % 500_000);
            case 2: return StrictMath.tan(v);
            case 3: return StrictMath.asin(v);
            case 4: return StrictMath.acos(v);
            case 5: return StrictMath.atan(v);
            case 6: return StrictMath.log(v);
            case 7: return StrictMath.log10(v);
            case 8: return StrictMath.sinh(v);
            case 9: return StrictMath.cosh(v);
            case 10: return StrictMath.tanh(v);
            case 11: return StrictMath.expm1(v);
            case 12: return StrictMath.log1p(v);
            case 13: return StrictMath.atan2(v, w);
            default: return StrictMath.IEEEremainder(v, w);
        }
    }

    public static void main(String[] args) {
        double[] special = {0.0, -0.0, 1, -1, 0.5, Double.MIN_VALUE, -Double.MIN_NORMAL, Double.MAX_VALUE, 1e-9, 710, 710.4, -745,
            Math.PI, Math.PI / 2, Math.PI / 4, 22, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};
        Random random = new Random(5);
        for (int function = 0; function < NAMES.length; function++) {
            long hash = 0;
            StringBuilder text = new StringBuilder(NAMES[function]);
            for (int i = 0; i < 2_000; i++) {
                double v;
                switch (i & 3) {
                    case 0: v = Double.longBitsToDouble(random.nextLong()); break;
                    case 1: v = random.nextDouble() * 2 - 1; break;
                    case 2: v = random.nextGaussian() * 30; break;
                    default: v = random.nextGaussian() * 700;
                }
                hash = hash * 31 + Double.doubleToLongBits(of(function, v, random.nextGaussian() * 5));
                if (i % 250 == 249) {
                    text.append(' ').append(Long.toHexString(hash));
                }
            }
            System.out.println(text);
            text.setLength(0);
            for (double v : special) {
                text.append(of(function, v, 2.5)).append(' ').append(of(function, 2.5, v)).append(' ');
            }
            System.out.println(text);
        }
    }
}
