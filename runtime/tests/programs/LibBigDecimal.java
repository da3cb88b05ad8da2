import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

public class LibBigDecimal {
    public static void main(String[] args) {
        BigDecimal a = new BigDecimal("10.25"), b = new BigDecimal("3"), c = new BigDecimal("-0.001");
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b, 10, RoundingMode.HALF_UP) + " " + a.remainder(b) + " " + a.divideToIntegralValue(b));
        System.out.println(a.divide(new BigDecimal("4")) + " " + a.divide(b, MathContext.DECIMAL32) + " " + a.negate() + " " + c.abs() + " " + a.pow(5) + " " + c.signum());
        for (RoundingMode mode : RoundingMode.values()) {
            System.out.print(mode + ":");
            for (String s : new String[] {"2.5", "-2.5", "1.1", "-1.1", "1.5", "5.5", "1.0"}) {
                try {
                    System.out.print(" " + new BigDecimal(s).setScale(0, mode));
                } catch (ArithmeticException e) {
                    System.out.print(" " + e.getMessage());
                }
            }
            System.out.println();
        }
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " " + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " "
            + new BigDecimal("2.0").hashCode() + " " + new BigDecimal("2.00").stripTrailingZeros() + " " + new BigDecimal("100").stripTrailingZeros() + " "
            + new BigDecimal("100").stripTrailingZeros().toPlainString());
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1E+3").toPlainString() + " " + new BigDecimal("123.4500").scale() + " "
            + new BigDecimal("123.45").precision() + " " + new BigDecimal("123.45").unscaledValue() + " " + new BigDecimal("1e-10") + " " + new BigDecimal("12345e-3").toEngineeringString());
        System.out.println(a.movePointLeft(3) + " " + a.movePointRight(3) + " " + a.scaleByPowerOfTen(5) + " " + a.round(new MathContext(2)) + " " + a.ulp() + " " + a.max(b));
        System.out.println(new BigDecimal(2).sqrt(new MathContext(40)) + " " + a.intValue() + " " + a.doubleValue() + " " + c.floatValue() + " " + a.toBigInteger());
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 40; i++) {
            term = term.divide(BigDecimal.valueOf(i), 50, RoundingMode.HALF_EVEN);
            e = e.add(term);
        }
        System.out.println(e);
        BigDecimal balance = new BigDecimal("1000.00");
        for (int year = 1; year <= 10; year++) {
            balance = balance.multiply(new BigDecimal("1.035")).setScale(2, RoundingMode.HALF_EVEN);
        }
        System.out.println(balance + " " + new BigDecimal("99999999999999999999.999").add(new BigDecimal("0.001")));
        try {
            a.intValueExact();
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
        try {
            BigDecimal.ONE.setScale(-1, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException x) {
            System.out.println(x.getMessage());
        }
    }
}
