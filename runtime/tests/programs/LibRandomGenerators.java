import java.security.SecureRandom;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.random.*;

/** The algorithms of random numbers that are found by their names. */
public class LibRandomGenerators {
    static void attempt(String what, Callable<?> attempt) {
        try {
            System.out.println(what + ": " + attempt.call());
        } catch (Exception e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) {
        Map<String, RandomGeneratorFactory<RandomGenerator>> all = new TreeMap<>();
        RandomGeneratorFactory.all().forEach(factory -> all.put(factory.name(), factory));
        all.forEach((name, factory) -> {
            System.out.println(name + " " + factory.group() + " " + factory.stateBits() + " " + factory.equidistribution() + " " + factory.isStatistical() + " " + factory.isJumpable() + " " + factory.isSplittable() + " " + factory.isHardware() + " " + factory.isDeprecated());
            attempt("  of", () -> RandomGenerator.of(name).getClass());
            if (!name.equals("SecureRandom")) {
                attempt("  seeded", () -> factory.create(42).nextLong());
                attempt("  seeded again", () -> RandomGeneratorFactory.of(name).create(42).ints(4, 0, 100).boxed().toList());
                attempt("  gauss", () -> factory.create(7).nextGaussian());
            }
        });
        attempt("default", () -> RandomGenerator.getDefault().getClass());
        attempt("default factory", () -> RandomGeneratorFactory.getDefault().name());
        attempt("none", () -> RandomGenerator.of("Dice"));
        attempt("split", () -> RandomGenerator.SplittableGenerator.of("L64X128MixRandom").split().getClass());
        attempt("no split", () -> RandomGenerator.SplittableGenerator.of("Random"));
        attempt("jump", () -> RandomGenerator.JumpableGenerator.of("Xoshiro256PlusPlus").jumps(2).count());
        attempt("another each time", () -> RandomGenerator.of("Random") != RandomGenerator.of("Random"));
        attempt("bounds", () -> { int n = RandomGenerator.of("L32X64MixRandom").nextInt(5, 8); return n >= 5 && n < 8; });
        attempt("types", () -> { List<String> names = new ArrayList<>(ServiceLoader.load(RandomGenerator.class).stream().map(provider -> provider.type().getName()).toList()); Collections.sort(names); return names; });
        attempt("services of none", () -> ServiceLoader.load(Runnable.class).stream().count());
    }
}
