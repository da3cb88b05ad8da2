public class ErrorArithmetic {
    interface Op {
        Object run();
    }

    static int zero;
    static long longZero;

    static void attempt(String name, Op op) {
        try {
            System.out.println(name + " " + op.run());
        } catch (ArithmeticException e) {
            System.out.println(name + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt("int", () -> 5 / zero);
        attempt("int rem", () -> 5 % zero);
        attempt("long", () -> 5L / longZero);
        attempt("long rem", () -> 5L % longZero);
        attempt("double", () -> 5.0 / zero);
        attempt("float", () -> 5f % zero);
        attempt("min", () -> Integer.MIN_VALUE / (zero - 1));
        attempt("compound", () -> {
            int x = 3;
            x /= zero;
            return x;
        });
        attempt("addExact", () -> Math.addExact(Integer.MAX_VALUE, 1));
        attempt("addExact long", () -> Math.addExact(Long.MAX_VALUE, 1L));
        attempt("subtractExact", () -> Math.subtractExact(Integer.MIN_VALUE, 1));
        attempt("multiplyExact", () -> Math.multiplyExact(1 << 20, 1 << 20));
        attempt("multiplyExact long", () -> Math.multiplyExact(1L << 40, 1L << 40));
        attempt("multiplyExact fine", () -> Math.multiplyExact(1L << 31, 1L << 31));
        attempt("negateExact", () -> Math.negateExact(Integer.MIN_VALUE));
        attempt("toIntExact", () -> Math.toIntExact(1L << 31));
        attempt("incrementExact", () -> Math.incrementExact(Integer.MAX_VALUE));
        attempt("floorDiv", () -> Math.floorDiv(1, zero));
        attempt("floorMod", () -> Math.floorMod(-7, 3));
        attempt("abs", () -> Math.abs(Integer.MIN_VALUE));
        attempt("absExact", () -> Math.absExact(Integer.MIN_VALUE));
        attempt("big", () -> java.math.BigInteger.ONE.divide(java.math.BigInteger.ZERO));
        attempt("decimal", () -> java.math.BigDecimal.ONE.divide(new java.math.BigDecimal(3)));
        attempt("big mod", () -> java.math.BigInteger.TEN.mod(java.math.BigInteger.valueOf(-3)));
        int n = 10;
        while (true) {
            System.out.println(100 / n--);
            n--;
        }
    }
}
