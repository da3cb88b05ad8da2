import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.*;

public class LangLambdas {
    int field = 7;
    static int calls;

    interface Tri<A, B, C, R> {
        R apply(A a, B b, C c) throws Exception;

        default <V> Tri<A, B, C, V> then(Function<? super R, ? extends V> f) {
            return (a, b, c) -> f.apply(apply(a, b, c));
        }
    }

    interface Prims {
        long mix(boolean z, byte b, char c, short s, int i, long l, float f, double d);
    }

    Supplier<Integer> bound() {
        return () -> field++;
    }

    static Runnable nest(int depth, StringBuilder log) {
        return depth == 0 ? () -> log.append("bottom") : () -> {
            log.append(depth).append('(');
            nest(depth - 1, log).run();
            log.append(')');
        };
    }

    static <T> Predicate<T> not(Predicate<T> p) {
        return t -> !p.test(t);
    }

    static int apply(IntBinaryOperator op, int a, int b) {
        calls++;
        return op.applyAsInt(a, b);
    }

    public static void main(String[] args) throws Exception {
        Runnable r = () -> System.out.println("run");
        r.run();
        LangLambdas l = new LangLambdas();
        Supplier<Integer> s = l.bound();
        System.out.println(s.get() + s.get() + l.field);
        int i = 1;
        long lo = 2L;
        float f = 3f;
        double d = 4.0;
        String t = "5";
        byte b = 6;
        char c = '7';
        short sh = 8;
        boolean z = true;
        Supplier<String> all = () -> i + " " + lo + " " + f + " " + d + " " + t + " " + b + " " + c + " " + sh + " " + z;
        System.out.println(all.get());
        Prims p = (z1, b1, c1, s1, i1, l1, f1, d1) -> (z1 ? 1 : 0) + b1 + c1 + s1 + i1 + l1 + (long) f1 + (long) d1 + lo;
        System.out.println(p.mix(true, (byte) 1, 'a', (short) 2, 3, 4L, 5f, 6.0));
        Tri<Integer, String, Double, String> tri = (x, y, w) -> x + y + w;
        System.out.println(tri.then(String::length).then(n -> n * 2).apply(1, "two", 3.0));
        StringBuilder log = new StringBuilder();
        nest(3, log).run();
        System.out.println(log);
        Function<Integer, Function<Integer, Function<Integer, Integer>>> curried = x -> y -> w -> x * 100 + y * 10 + w;
        System.out.println(curried.apply(1).apply(2).apply(3));
        List<Supplier<Integer>> list = new ArrayList<>();
        for (int k = 0; k < 3; k++) {
            int copy = k * k;
            list.add(() -> copy + 1);
        }
        for (Supplier<Integer> k : list) {
            System.out.print(k.get() + " ");
        }
        System.out.println();
        System.out.println(apply((x, y) -> x * y, 6, 7) + apply((x, y) -> x - y, 6, 7) + calls);
        System.out.println(not((String q) -> q.isEmpty()).test("x"));
        BiFunction<Double, Double, Double> power = (x, y) -> Math.pow(x, y);
        UnaryOperator<String> twice = q -> q + q;
        BinaryOperator<Integer> max = BinaryOperator.maxBy((x, y) -> x - y);
        System.out.println(power.andThen(q -> q + 1).apply(2.0, 10.0) + twice.apply("ab") + max.apply(3, 9));
        ToIntFunction<String> len = q -> q.length();
        IntFunction<int[]> make = n -> new int[n];
        IntPredicate even = n -> n % 2 == 0;
        LongUnaryOperator square = n -> n * n;
        ObjIntConsumer<String> show = (q, n) -> System.out.print(q.repeat(n) + " ");
        show.accept("ha", 3);
        System.out.println(len.applyAsInt("four") + make.apply(5).length + " " + even.negate().test(3) + square.applyAsLong(1L << 20));
        Callable<String> thrower = () -> {
            throw new Exception("from a lambda");
        };
        try {
            thrower.call();
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        Comparable<String> me = o -> 42;
        System.out.println(me.compareTo("x"));
        Function<Object, String> any = o -> "any " + o;
        Function<? super Integer, ? extends CharSequence> wide = any;
        System.out.println(wide.apply(5).length());
        Object o = (Runnable & java.io.Serializable) () -> System.out.println("both");
        ((Runnable) o).run();
        System.out.println(o instanceof java.io.Serializable);
        Supplier<Supplier<String>> deep = () -> () -> t + l.field;
        System.out.println(deep.get().get());
    }
}
