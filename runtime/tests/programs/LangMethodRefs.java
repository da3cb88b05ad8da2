import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.*;

public class LangMethodRefs {
    final String name;

    LangMethodRefs(String name) {
        this.name = name;
    }

    LangMethodRefs() {
        this("nobody");
    }

    static int triple(int n) {
        return 3 * n;
    }

    static String join(Object... parts) {
        return Arrays.toString(parts);
    }

    static long widen(long n) {
        return n + 1;
    }

    static Integer box(Integer n) {
        return n == null ? -1 : n + 1;
    }

    String hello(String other) {
        return name + " greets " + other;
    }

    private String secret() {
        return "secret of " + name;
    }

    static class Sub extends LangMethodRefs {
        Sub() {
            super("sub");
        }

        @Override String hello(String other) {
            return "overridden " + other;
        }

        Function<String, String> parent() {
            return super::hello;
        }

        Function<String, String> own() {
            return this::hello;
        }
    }

    class Inner {
        final int n;

        Inner(int n) {
            this.n = n;
        }

        public String toString() {
            return name + n;
        }
    }

    IntFunction<Inner> maker() {
        return Inner::new;
    }

    interface Maker<T> {
        T make(String s);
    }

    static <T> void discard(Consumer<T> c, T t) {
        c.accept(t);
    }

    public static void main(String[] args) {
        IntUnaryOperator stat = LangMethodRefs::triple;
        Function<Integer, Integer> boxed = LangMethodRefs::triple;
        IntToLongFunction widened = LangMethodRefs::widen;
        ToLongFunction<Integer> unboxWiden = LangMethodRefs::widen;
        IntFunction<Object> boxing = LangMethodRefs::box;
        IntUnaryOperator both = LangMethodRefs::box;
        System.out.println(stat.applyAsInt(5) + " " + boxed.apply(6) + " " + widened.applyAsLong(7) + " " + unboxWiden.applyAsLong(8)
            + " " + boxing.apply(9) + " " + both.applyAsInt(10) + " " + ((Function<Integer, Integer>) LangMethodRefs::box).apply(null));
        Supplier<LangMethodRefs> none = LangMethodRefs::new;
        Maker<LangMethodRefs> one = LangMethodRefs::new;
        LangMethodRefs ann = one.make("Ann");
        System.out.println(none.get().name + " " + ann.name);
        Function<String, String> bound = ann::hello;
        BiFunction<LangMethodRefs, String, String> unbound = LangMethodRefs::hello;
        System.out.println(bound.apply("Bob") + "; " + unbound.apply(new Sub(), "Cid"));
        Sub sub = new Sub();
        System.out.println(sub.parent().apply("Dan") + "; " + sub.own().apply("Eve"));
        Function<LangMethodRefs, String> secret = LangMethodRefs::secret;
        System.out.println(secret.apply(ann));
        System.out.println(ann.maker().apply(4));
        IntFunction<int[]> ints = int[]::new;
        Function<Integer, String[][]> grid = String[][]::new;
        System.out.println(ints.apply(3).length + " " + grid.apply(2).length);
        BiFunction<Object, Object, String> var2 = LangMethodRefs::join;
        Supplier<String> var0 = LangMethodRefs::join;
        System.out.println(var2.apply(1, "x") + var0.get());
        Supplier<Integer> length = "bound string"::length;
        ToIntFunction<String> anyLength = String::length;
        Function<String, Integer> parse = Integer::parseInt;
        BiPredicate<String, String> same = String::equalsIgnoreCase;
        System.out.println(length.get() + anyLength.applyAsInt("abc") + parse.apply("39") + " " + same.test("Ab", "aB"));
        List<String> list = new ArrayList<>();
        discard(list::add, "dropped result");
        Consumer<String> print = System.out::println;
        print.accept(list.get(0));
        Supplier<List<String>> lists = ArrayList::new;
        Function<List<String>, TreeSet<String>> trees = TreeSet::new;
        System.out.println(trees.apply(List.of("b", "a")) + "" + lists.get());
        Function<int[], Object> clone = int[]::clone;
        System.out.println(((int[]) clone.apply(new int[] {1, 2})).length);
        Supplier<Class<?>> type = ann::getClass;
        System.out.println(type.get().getName());
        try {
            LangMethodRefs nobody = null;
            Function<String, String> f = nobody::hello;
            System.out.println("not reached " + f);
        } catch (NullPointerException e) {
            System.out.println("bound to null");
        }
        try {
            unbound.apply(null, "x");
        } catch (NullPointerException e) {
            System.out.println("called on null");
        }
        Comparator3<String> c = String::compareTo;
        System.out.println(c.compare("a", "b") + " " + c.reversed().compare("a", "b"));
        List<String> names = new ArrayList<>(List.of("delta", "Alpha", "charlie", "Bravo"));
        names.sort(String::compareToIgnoreCase);
        names.replaceAll(String::toUpperCase);
        names.forEach(System.out::print);
        System.out.println();
    }

    interface Comparator3<T> {
        int compare(T a, T b);

        default Comparator3<T> reversed() {
            return (a, b) -> compare(b, a);
        }
    }
}
