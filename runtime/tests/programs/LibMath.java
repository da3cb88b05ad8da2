public class LibMath {
    public static void main(String[] args) {
        int[] is = {0, 1, -1, 7, -7, 3, -3, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : is) {
            for (int b : new int[] {3, -3, 1, -1, Integer.MIN_VALUE}) {
                System.out.print(Math.floorDiv(a, b) + " " + Math.floorMod(a, b) + " " + Math.max(a, b) + " " + Math.min(a, b) + "; ");
            }
            System.out.println(Math.abs(a) + " " + Integer.signum(a) + " " + Integer.bitCount(a) + " " + Integer.reverse(a) + " "
                + Integer.reverseBytes(a) + " " + Integer.highestOneBit(a) + " " + Integer.lowestOneBit(a) + " "
                + Integer.numberOfLeadingZeros(a) + " " + Integer.numberOfTrailingZeros(a) + " " + Integer.rotateLeft(a, 5) + " "
                + Integer.rotateRight(a, 5));
        }
        long[] ls = {0, 1, -1, 1L << 40, -(1L << 40) - 1, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long a : ls) {
            for (long b : new long[] {7, -7, 1L << 33}) {
                System.out.print(Math.floorDiv(a, b) + " " + Math.floorMod(a, b) + " " + Math.multiplyHigh(a, b) + " " + Long.divideUnsigned(a, b)
                    + " " + Long.remainderUnsigned(a, b) + "; ");
            }
            System.out.println(Math.abs(a) + " " + Long.signum(a) + " " + Long.bitCount(a) + " " + Long.reverse(a) + " " + Long.reverseBytes(a)
                + " " + Long.numberOfLeadingZeros(a) + " " + Long.numberOfTrailingZeros(a) + " " + Long.rotateLeft(a, 13) + " "
                + Long.compareUnsigned(a, 5) + " " + Math.floorMod(a, 10));
        }
        double[] ds = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300, Double.MIN_VALUE, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double d : ds) {
            System.out.println(d + ": " + Math.floor(d) + " " + Math.ceil(d) + " " + Math.rint(d) + " " + Math.round(d) + " " + Math.abs(d)
                + " " + Math.signum(d) + " " + Math.sqrt(d) + " " + Math.ulp(d) + " " + Math.getExponent(d) + " " + Math.nextUp(d) + " "
                + Math.nextDown(d) + " " + Math.max(d, -0.0) + " " + Math.min(d, 0.0) + " " + Math.copySign(3, d) + " "
                + Math.scalb(d, 3) + " " + Math.IEEEremainder(d, 2));
            System.out.println("  " + Math.round((float) d) + " " + Math.cbrt(d) + " " + Math.hypot(d, 3) + " " + Double.isNaN(d)
                + Double.isInfinite(d) + Double.isFinite(d) + " " + Math.nextAfter(d, 1) + " " + Math.ulp((float) d) + " " + Math.fma(d, 2, 1));
        }
        double[] xs = {0, 0.1, 0.5, 1, 2, 3, 10, -1.25, 100.5};
        for (double x : xs) {
            System.out.println(StrictMath.sin(x) + " " + StrictMath.cos(x) + " " + StrictMath.tan(x) + " " + StrictMath.atan(x) + " "
                + StrictMath.exp(x) + " " + StrictMath.log(Math.abs(x)) + " " + StrictMath.pow(x, 3) + " " + StrictMath.sinh(x / 10)
                + " " + StrictMath.asin(x / 101) + " " + StrictMath.atan2(x, 2) + " " + StrictMath.log10(Math.abs(x)) + " "
                + StrictMath.expm1(x) + " " + StrictMath.log1p(Math.abs(x)));
        }
        System.out.println(Math.pow(2, 10) + " " + Math.pow(2, 0.5) + " " + Math.pow(-8, 1) + " " + Math.pow(0, 0) + " " + Math.pow(Double.NaN, 0)
            + " " + Math.pow(1, Double.POSITIVE_INFINITY) + " " + Math.pow(-1, 0.5) + " " + Math.sqrt(2) + " " + Math.sqrt(-1));
        System.out.println(Math.toDegrees(Math.PI) + " " + Math.toRadians(180) + " " + Math.E + " " + Math.sin(0) + " " + Math.cos(0) + " " + Math.exp(0)
            + " " + Math.log(1) + " " + Math.log(0) + " " + Math.log(-1) + " " + Math.atan2(-0.0, -1));
    }

}
