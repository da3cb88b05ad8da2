import java.math.BigInteger;
import java.util.Random;

public class LibBigInteger {
    public static void main(String[] args) {
        BigInteger a = new BigInteger("123456789012345678901234567890"), b = new BigInteger("-987654321098765432109876543210987"), c = BigInteger.valueOf(97);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + b.divide(a) + " " + b.remainder(a) + " " + b.mod(a));
        System.out.println(a.gcd(c.multiply(a)) + " " + a.modPow(c, BigInteger.valueOf(1_000_007)) + " " + c.modInverse(BigInteger.valueOf(1000)) + " " + a.pow(7));
        System.out.println(a.negate() + " " + b.abs() + " " + b.signum() + " " + a.compareTo(b) + " " + a.equals(new BigInteger(a.toString())) + " " + a.hashCode());
        System.out.println(a.shiftLeft(70) + " " + b.shiftRight(33) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not() + " " + a.andNot(b));
        System.out.println(a.bitLength() + " " + b.bitCount() + " " + a.testBit(3) + " " + a.setBit(200) + " " + a.getLowestSetBit() + " " + a.flipBit(0) + " " + a.clearBit(1));
        System.out.println(a.toString(16) + " " + b.toString(36) + " " + new BigInteger("zz", 36) + " " + new BigInteger("-ff", 16) + " " + a.intValue() + " " + b.longValue()
            + " " + a.doubleValue() + " " + b.floatValue());
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        System.out.println(f + " " + f.sqrt());
        BigInteger x = BigInteger.ZERO, y = BigInteger.ONE;
        for (int i = 0; i < 500; i++) {
            BigInteger t = x.add(y);
            x = y;
            y = t;
        }
        System.out.println(x);
        System.out.println(BigInteger.TWO.pow(127).subtract(BigInteger.ONE).isProbablePrime(20) + " " + new BigInteger("1000000016000000063").isProbablePrime(20) + " "
            + BigInteger.valueOf(100).nextProbablePrime());
        BigInteger[] qr = f.divideAndRemainder(a);
        System.out.println(qr[0].multiply(a).add(qr[1]).equals(f) + " " + qr[1]);
        byte[] bytes = b.toByteArray();
        System.out.println(bytes.length + " " + bytes[0] + " " + new BigInteger(bytes).equals(b) + " " + new BigInteger(1, new byte[] {-1, 0}));
        Random random = new Random(1);
        BigInteger p = new BigInteger(2000, random), q = new BigInteger(1500, random);
        System.out.println(p.multiply(q).mod(BigInteger.valueOf(1_000_000_007)) + " " + p.divide(q).bitLength() + " " + p.pow(3).toString().hashCode());
        System.out.println(a.max(b) + " " + a.min(b) + " " + BigInteger.TEN + " " + BigInteger.valueOf(Long.MIN_VALUE).negate() + " " + BigInteger.valueOf(5).longValueExact());
        try {
            a.longValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            BigInteger.valueOf(4).modInverse(BigInteger.valueOf(8));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
