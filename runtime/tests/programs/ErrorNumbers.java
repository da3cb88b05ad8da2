public class ErrorNumbers {
    interface Op {
        Object run();
    }

    static void attempt(Op op) {
        try {
            Object o = op.run();
            System.out.println(o + " " + o.getClass().getSimpleName());
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) {
        String[] texts = {"", "12", "-12", "+7", "-", "+", "2147483647", "2147483648", "-2147483648", "-2147483649", " 1", "1 ", "0x10",
            "1_000", "9223372036854775808", "\u0661\u0662", "1.0", "abc", "00012"};
        for (String s : texts) {
            attempt(() -> Integer.parseInt(s));
            attempt(() -> Long.valueOf(s));
        }
        attempt(() -> Integer.parseInt(null));
        attempt(() -> Long.parseLong(null));
        attempt(() -> Integer.parseInt("zz", 36));
        attempt(() -> Integer.parseInt("12", 37));
        attempt(() -> Integer.parseInt("12", 1));
        attempt(() -> Integer.parseInt("12", 2));
        attempt(() -> Integer.decode("-0x1F") + Integer.decode("#ff") + Integer.decode("010"));
        attempt(() -> Integer.parseUnsignedInt("4294967295"));
        attempt(() -> Integer.parseUnsignedInt("-1"));
        attempt(() -> Byte.parseByte("128"));
        attempt(() -> Short.parseShort("-32769"));
        attempt(() -> Byte.valueOf("-128"));
        String[] doubles = {"", "1", "-1.5e10", "1e400", "-1e-400", "NaN", "-Infinity", "infinity", "0x1.8p1", "1f", "2D", "1..2", " 3.5 ", "e5", ".5",
            "5.", "1e", "4.9e-324", "2.4e-324", "1.7976931348623159e308", "0.1000000000000000055511151231257827"};
        for (String s : doubles) {
            attempt(() -> Double.parseDouble(s));
            attempt(() -> Float.parseFloat(s));
        }
        attempt(() -> Double.parseDouble(null));
        attempt(() -> Boolean.parseBoolean("yes"));
        attempt(() -> new java.math.BigInteger("12x"));
        attempt(() -> new java.math.BigDecimal("1.2.3"));
        attempt(() -> Character.toChars(0x110000));
        attempt(() -> Integer.valueOf("7").compareTo(null));
    }
}
