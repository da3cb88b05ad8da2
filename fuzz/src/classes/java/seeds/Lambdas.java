package seeds;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Interfaces, lambdas, method references, generics, streams, concatenation. */
interface Lambdas<A, B> extends Function<A, B> {
    int LIMIT = Integer.getInteger("limit", 10);

    default <C> Lambdas<A, C> then(Lambdas<? super B, ? extends C> next) {
        return a -> next.apply(apply(a));
    }

    private String hidden(int n) { return "hidden " + n + LIMIT + 'c' + 1.5f + this; }

    static <T> Lambdas<T, T> same() { return t -> t; }

    default String show() { return hidden(3); }

    abstract class Shapes<T> implements Lambdas<T, String>, Other {
        final List<T> seen = new ArrayList<>();
        @Override public String apply(T t) { seen.add(t); return "seen " + t + " of " + seen.size(); }
        @Override public String show() { return Lambdas.super.show() + Other.super.show(); }
        abstract T make();
        static Supplier<Shapes<Object>> maker(long l, double d, int[] captured) {
            return () -> new Shapes<>() {
                @Override Object make() { captured[0]++; return l + d + captured.length; }
            };
        }
    }

    interface Other { default String show() { return "other"; } }

    static List<String> stream(List<? extends CharSequence> of, int min) {
        BiFunction<Integer, Integer, Integer> sum = Integer::sum;
        Function<String, Integer> length = String::length;
        Supplier<List<String>> list = ArrayList::new;
        Function<Integer, int[]> array = int[]::new;
        List<String> out = list.get();
        out.addAll(of.stream().map(CharSequence::toString).filter(s -> length.apply(s) > min)
            .sorted((a, b) -> sum.apply(a.length(), -b.length())).collect(Collectors.toList()));
        Runnable r = out::clear;
        if (array.apply(min).length > 7) r.run();
        return out;
    }

    @FunctionalInterface interface Throwing<E extends Exception> { void run() throws E; }

    static <E extends Exception> void run(Throwing<E> t) throws E { t.run(); }
}
