import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;

public class LibRandom {
    public static void main(String[] args) {
        Random r = new Random(12345);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(1 << 16) + " " + r.nextLong() + " " + r.nextBoolean() + " " + r.nextFloat() + " " + r.nextDouble());
        System.out.println(r.nextGaussian() + " " + r.nextGaussian() + " " + r.nextInt(5, 10) + " " + r.nextLong(1L << 40) + " " + r.nextDouble(1, 2));
        byte[] bytes = new byte[10];
        r.nextBytes(bytes);
        System.out.println(Arrays.toString(bytes));
        System.out.println(r.ints(5, 0, 10).boxed().collect(Collectors.toList()) + " " + r.doubles(2).sum() + " " + r.longs(2).max().getAsLong());
        r.setSeed(0);
        int[] buckets = new int[10];
        for (int i = 0; i < 10_000; i++) {
            buckets[r.nextInt(10)]++;
        }
        System.out.println(Arrays.toString(buckets));
        Random negative = new Random(-1L);
        System.out.println(negative.nextInt(Integer.MAX_VALUE) + " " + negative.nextInt(3));
        try {
            r.nextInt(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        SplittableRandom s = new SplittableRandom(99);
        System.out.println(s.nextInt() + " " + s.nextInt(10) + " " + s.split().nextLong() + " " + s.nextDouble());
        System.out.println(new UUID(1L << 60 | 5, -3) + " " + UUID.fromString("123e4567-e89b-12d3-a456-426614174000").version());
        double pi = 0;
        Random monte = new Random(2);
        for (int i = 0; i < 20_000; i++) {
            double x = monte.nextDouble(), y = monte.nextDouble();
            pi += x * x + y * y <= 1 ? 1 : 0;
        }
        System.out.println(4 * pi / 20_000);
        double m = Math.random();
        System.out.println(m >= 0 && m < 1);
    }
}
