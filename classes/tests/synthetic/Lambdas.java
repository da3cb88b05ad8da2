import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.*;

public class Lambdas {
    interface Marker {}

    interface Sink<T> {
        void take(T value);
    }

    interface TextSink extends Sink<String> {
        void take(String value);
    }

    interface Source<T> {
        T get();
    }

    interface NumberSource<T extends Number> extends Source<T> {
        T get();
    }

    interface Three {
        Object of(byte a, char b, double c);
    }

    interface ByteTo<T> {
        T of(byte value);
    }

    interface CharTo<T> {
        T of(char value);
    }

    interface Named {
        String name();

        default Supplier<String> shout() {
            return () -> name() + secret() + "!";
        }

        private String secret() {
            return "?";
        }

        default Supplier<String> whisper() {
            return this::secret;
        }

        static Supplier<String> none() {
            return () -> "none";
        }
    }

    static class Base {
        String hello() {
            return "base";
        }

        protected String guarded() {
            return "guarded";
        }
    }

    static class Derived extends Base {
        String hello() {
            return "derived";
        }

        Supplier<String> above() {
            return super::hello;
        }

        Supplier<String> own() {
            return this::hello;
        }

        Supplier<String> inherited() {
            return this::guarded;
        }
    }

    class Inner {
        final long value;

        Inner(long value) {
            this.value = value + field;
        }

        public String toString() {
            return "Inner" + value;
        }
    }

    private int field = 7;

    private int add(int more) {
        return field + more;
    }

    static int ints(int x) {
        return x + 1;
    }

    static long longs(long x) {
        return x * 3;
    }

    static float floats(float x) {
        return x / 2;
    }

    static double doubles(double x) {
        return x / 3;
    }

    static boolean not(boolean x) {
        return !x;
    }

    static char next(char x) {
        return (char) (x + 1);
    }

    static byte bytes(byte x) {
        return (byte) -x;
    }

    static short shorts(short x) {
        return (short) -x;
    }

    static String object(Object x) {
        return "object " + x;
    }

    static String number(Number x) {
        return x.getClass().getSimpleName() + x.intValue();
    }

    static String comparable(Comparable<?> x) {
        return x.getClass().getSimpleName() + x;
    }

    static String boxed(Integer x) {
        return "Integer " + x;
    }

    static String boxedLong(Long x) {
        return "Long " + x;
    }

    static <T> T same(T x) {
        return x;
    }

    static <T extends Comparable<T>> T larger(T a, T b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    static int count;

    static long counted() {
        return ++count;
    }

    static void say(String name, Object value) {
        System.out.println(name + ": " + value);
    }

    static void conversions() {
        Function<Integer, Integer> f1 = Lambdas::ints;
        say("unbox, box", f1.apply(5));
        Function<Integer, Long> f2 = Lambdas::longs;
        say("unbox, widen, box", f2.apply(1_000_000_000));
        Function<Character, Integer> f3 = Lambdas::ints;
        say("unbox char, widen, box", f3.apply('a'));
        Function<Byte, Long> f4 = Lambdas::longs;
        say("unbox byte, widen", f4.apply((byte) -128));
        Function<Short, Float> f5 = Lambdas::floats;
        say("unbox short, widen", f5.apply((short) 9));
        Function<Long, Double> f6 = Lambdas::doubles;
        say("long to double", f6.apply(Long.MAX_VALUE));
        Function<Float, Double> f7 = Lambdas::doubles;
        say("float to double", f7.apply(1.1f));
        Function<Long, Float> f8 = Lambdas::floats;
        say("long to float", f8.apply(Long.MIN_VALUE + 1));
        IntToLongFunction f9 = Lambdas::longs;
        say("int to long", f9.applyAsLong(-4));
        IntToDoubleFunction f10 = Lambdas::ints;
        say("result int to double", f10.applyAsDouble(4));
        IntToDoubleFunction f11 = Lambdas::longs;
        say("result long to double", f11.applyAsDouble(4));
        LongFunction<Object> f12 = Lambdas::doubles;
        say("result boxed to Object", f12.apply(4));
        IntFunction<Number> f13 = Lambdas::ints;
        say("result boxed to Number", f13.apply(4));
        IntFunction<Comparable<Integer>> f14 = Lambdas::ints;
        say("result boxed to Comparable", f14.apply(4));
        IntFunction<String> f15 = Lambdas::object;
        say("argument boxed to Object", f15.apply(4));
        DoubleFunction<String> f16 = Lambdas::number;
        say("argument boxed to Number", f16.apply(4.5));
        CharTo<String> f17 = Lambdas::comparable;
        say("argument boxed to Comparable", f17.of('x'));
        IntFunction<String> f18 = Lambdas::boxed;
        say("argument boxed", f18.apply(4));
        ToIntFunction<Integer> f19 = Lambdas::same;
        say("result unboxed", f19.applyAsInt(41));
        ToLongFunction<Integer> f20 = Lambdas::same;
        say("result unboxed, widened", f20.applyAsLong(41));
        ToDoubleFunction<Character> f21 = Lambdas::same;
        try {
            say("result unboxed, widened to double", f21.applyAsDouble('A'));
        } catch (ClassCastException e) {
            say("no Number", "refused");
        }
        Predicate<Boolean> f22 = Lambdas::not;
        say("boolean", f22.test(true));
        Function<Boolean, Boolean> f23 = Lambdas::not;
        say("Boolean", f23.apply(false));
        CharTo<Character> f24 = Lambdas::next;
        say("char", f24.of('b'));
        ByteTo<Byte> f25 = Lambdas::bytes;
        say("byte", f25.of((byte) 5));
        ByteTo<Integer> f26 = Lambdas::ints;
        say("byte to int", f26.of((byte) 5));
        Function<Short, Short> f27 = Lambdas::shorts;
        say("Short", f27.apply((short) 5));
        ByteTo<Object> f28 = Lambdas::shorts;
        say("byte to short to Short", f28.of((byte) 5).getClass());
        IntSupplier f29 = Integer.valueOf(17)::intValue;
        say("receiver captured", f29.getAsInt());
        DoubleSupplier f30 = Integer.valueOf(17)::intValue;
        say("receiver captured, widened", f30.getAsDouble());
        ToIntFunction<Integer> f31 = Integer::intValue;
        say("receiver argument", f31.applyAsInt(8));
        IntFunction<String> f32 = Integer::toString;
        say("Integer::toString", f32.apply(99));
        Comparator<String> f33 = String::compareTo;
        say("compareTo", f33.compare("a", "b"));
        BinaryOperator<String> f34 = Lambdas::larger;
        say("larger", f34.apply("a", "b"));
        IntBinaryOperator f35 = Lambdas::larger;
        say("larger int", f35.applyAsInt(4, 3));
        IntBinaryOperator f36 = Math::max;
        say("max", f36.applyAsInt(4, 3));
        DoubleUnaryOperator f37 = Math::sqrt;
        say("sqrt", f37.applyAsDouble(2));
        Consumer<Integer> f38 = Lambdas::ints;
        f38.accept(1);
        Runnable f39 = Lambdas::counted;
        f39.run();
        f39.run();
        say("results dropped", count);
        Supplier<Object> f40 = Lambdas::counted;
        say("boxed result", f40.get());
        Three f41 = (a, b, c) -> a + b + c;
        say("three", f41.of((byte) 1, 'b', 2.5));
    }

    static void captures(byte b, short s, char c, int i, long l, float f, double d, boolean z, String t, int[] a) {
        Supplier<String> all = () -> "" + b + s + c + i + l + f + d + z + t + a.length;
        say("captures", all.get());
        LongBinaryOperator mixed = (x, y) -> x * l + y * i - (long) d;
        say("long", mixed.applyAsLong(3, 4));
        ToDoubleBiFunction<Double, Long> deep = (x, y) -> x * d + y * l;
        say("double", deep.applyAsDouble(0.5, 9L));
        Supplier<Supplier<Supplier<String>>> nested = () -> () -> () -> t + l;
        say("nested", nested.get().get().get());
        IntUnaryOperator counter = x -> a[0] += x;
        counter.applyAsInt(5);
        say("array", counter.applyAsInt(6));
    }

    void instances() {
        IntUnaryOperator private_ = this::add;
        say("private", private_.applyAsInt(4));
        IntUnaryOperator body = x -> field * x;
        say("this", body.applyAsInt(4));
        LongFunction<Inner> inner = Inner::new;
        say("inner", inner.apply(3));
        IntFunction<Inner> widened = Inner::new;
        say("inner, widened", widened.apply(4));
        Supplier<List<String>> list = ArrayList::new;
        say("new", list.get());
        IntFunction<List<String>> sized = ArrayList::new;
        say("new of int", sized.apply(10));
        Function<String, StringBuilder> builder = StringBuilder::new;
        say("new StringBuilder", builder.apply("text").reverse());
        IntFunction<int[][]> array = int[][]::new;
        say("array", array.apply(3).length);
        UnaryOperator<int[]> clone = int[]::clone;
        say("clone", clone.apply(new int[] {1, 2})[1]);
        Runnable dropped = Object::new;
        dropped.run();
        Derived derived = new Derived();
        say("super", derived.above().get() + derived.own().get() + derived.inherited().get());
        Named named = () -> "name";
        say("default", named.shout().get() + named.whisper().get() + Named.none().get());
        Function<List<?>, Integer> size = List::size;
        say("interface", size.apply(List.of(1, 2)));
        Map<String, Integer> map = new TreeMap<>();
        BiFunction<String, Integer, Integer> put = map::put;
        say("bound interface", put.apply("k", 1) + " " + map);
        Function<String[], Object> arrays = String[]::getClass;
        say("array receiver", arrays.apply(new String[0]));
        map.computeIfAbsent("z", String::length);
        map.merge("z", 5, Integer::sum);
        say("map", map);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static void markers() {
        Object marked = (Runnable & Marker) () -> say("marked", "runs");
        ((Runnable) marked).run();
        say("is marked", marked instanceof Marker);
        Object serializable = (Supplier<String> & Serializable & Marker) () -> "kept";
        say("is serializable", serializable instanceof Serializable && serializable instanceof Marker);
        Sink<String> bridged = (TextSink) text -> say("bridged", text.length());
        bridged.take("four");
        NumberSource<Integer> source = () -> 12;
        Source<Integer> wide = source;
        say("source", wide.get());
        try {
            ((Sink) bridged).take(4);
        } catch (ClassCastException e) {
            say("no String", "refused");
        }
        try {
            Function<String, Integer> length = String::length;
            ((Function) length).apply(new Object());
        } catch (ClassCastException e) {
            say("no String", "refused");
        }
        try {
            Function<Integer, Integer> f = Lambdas::ints;
            f.apply(null);
        } catch (NullPointerException e) {
            say("null", "refused");
        }
        try {
            String none = null;
            Supplier<Integer> f = none::length;
        } catch (NullPointerException e) {
            say("null receiver", "refused");
        }
    }

    public static void main(String[] arguments) {
        conversions();
        captures((byte) -1, (short) -2, 'c', -4, 5L << 40, 1.5f, -2.25, true, "text", new int[3]);
        new Lambdas().instances();
        markers();
        Object made = (Runnable) () -> { };
        int flags = made.getClass().getModifiers();
        say("final", java.lang.reflect.Modifier.isFinal(flags) && made.getClass().isSynthetic());
    }
}
