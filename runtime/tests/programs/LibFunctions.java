import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.*;

public class LibFunctions {
    record Item(String name, double price, Integer stock) {}

    static <A, B, C> Function<A, C> compose(Function<A, B> f, Function<? super B, ? extends C> g) {
        return f.andThen(g)::apply;
    }

    static <T> Supplier<T> lazy(Supplier<T> s) {
        Object[] cell = new Object[1];
        boolean[] done = new boolean[1];
        return () -> {
            if (!done[0]) {
                cell[0] = s.get();
                done[0] = true;
            }
            @SuppressWarnings("unchecked") T t = (T) cell[0];
            return t;
        };
    }

    public static void main(String[] args) {
        Function<Integer, Integer> inc = x -> x + 1, twice = x -> x * 2;
        System.out.println(inc.andThen(twice).apply(5) + " " + inc.compose(twice).apply(5) + " " + Function.<Integer>identity().apply(9));
        Predicate<String> empty = String::isEmpty, lower = s -> s.equals(s.toLowerCase());
        System.out.println(empty.negate().and(lower).test("abc") + " " + empty.or(lower).test("ABC") + " " + Predicate.not(empty).test("") + " " + Predicate.isEqual("x").test("x"));
        System.out.println(LibFunctions.<String, Integer, String>compose(Integer::parseInt, n -> "parsed " + (n + 1)).apply("41"));
        Supplier<String> once = lazy(() -> {
            System.out.println("computed");
            return "value";
        });
        System.out.println(once.get() + once.get());
        List<Item> items = new ArrayList<>(List.of(new Item("nut", 0.5, 10), new Item("bolt", 0.75, null), new Item("gear", 12, 3), new Item("cog", 12, 1)));
        items.sort(Comparator.comparingDouble(Item::price).reversed().thenComparing(Item::name));
        System.out.println(items);
        items.sort(Comparator.comparing(Item::stock, Comparator.nullsFirst(Comparator.naturalOrder())));
        items.forEach(i -> System.out.print(i.name() + " "));
        System.out.println();
        BiFunction<Integer, Integer, Integer> gcd = new BiFunction<>() {
            @Override public Integer apply(Integer a, Integer b) {
                return b == 0 ? a : this.apply(b, a % b);
            }
        };
        System.out.println(gcd.andThen(n -> "gcd " + n).apply(84, 36));
        IntBinaryOperator[] ops = {Integer::sum, (a, b) -> a - b, Math::max, (a, b) -> a << b};
        for (IntBinaryOperator op : ops) {
            System.out.print(op.applyAsInt(3, 4) + " ");
        }
        DoubleUnaryOperator half = x -> x / 2;
        System.out.println(half.andThen(Math::floor).compose(x -> x + 1).applyAsDouble(6) + " " + IntUnaryOperator.identity().applyAsInt(4));
        Consumer<List<Integer>> add = l -> l.add(1);
        List<Integer> target = new ArrayList<>();
        add.andThen(l -> l.add(2)).andThen(add).accept(target);
        System.out.println(target);
        ToDoubleBiFunction<Integer, Long> divide = (a, b) -> (double) a / b;
        BooleanSupplier yes = () -> true;
        LongFunction<String> hex = Long::toHexString;
        DoubleToIntFunction cut = x -> (int) x;
        BiConsumer<String, Integer> print = (s, n) -> System.out.print(s.repeat(n));
        print.andThen((s, n) -> System.out.println(n)).accept("ab", 2);
        System.out.println(divide.applyAsDouble(1, 3L) + " " + yes.getAsBoolean() + " " + hex.apply(255) + " " + cut.applyAsInt(-2.9) + " " + BinaryOperator.<Integer>minBy(Comparator.naturalOrder()).apply(3, 2));
        Function<Object, Function<Object, Object>> k = x -> y -> x;
        System.out.println(k.apply("K").apply("I"));
    }
}
