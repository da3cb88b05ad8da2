import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;

/** What is said of null that is unboxed or called where no method of the program is: between a reference to a method and that method. */
public class ErrorNullReferences {
    static int plus(int a, long b) { return (int) (a + b); }
    static Integer none() { return null; }
    static Integer same(Integer i) { return i; }
    interface Taker { int take(Integer i); }
    interface Two { long two(Integer a, Long b); }
    interface Give { int give(); }
    interface GiveLong { long give(); }
    interface OfString { int length(String s); }
    interface Gen<A, B> { B make(A a); }
    interface Drop<A> { void drop(A a); }
    record R(int a) {}
    int field;
    int add(int a) { return a; }
    static void shout(String s) { System.out.println(s.length()); }

    static void attempt(String what, Runnable r) {
        try { r.run(); System.out.println(what + " fine"); }
        catch (Throwable e) { 
            StackTraceElement[] t = e.getStackTrace();
            System.out.println(what + ": " + e + " | " + t[0].getClassName().replaceAll("[0-9]", "") + "." + t[0].getMethodName());
            }
    }
    public static void main(String[] args) throws Throwable {
        Function<Integer, Integer> f = Integer::intValue;
        attempt("Integer::intValue", () -> f.apply(null));
        ToIntFunction<Integer> g = Integer::intValue;
        attempt("ToInt Integer::intValue", () -> g.applyAsInt(null));
        Function<Integer, Integer> h = x -> x + 1;
        attempt("lambda", () -> h.apply(null));
        Two two = ErrorNullReferences::plus;
        attempt("plus first", () -> two.two(null, 1L));
        attempt("plus second", () -> two.two(1, null));
        Give give = ErrorNullReferences::none;
        attempt("none", () -> give.give());
        GiveLong giveLong = ErrorNullReferences::none;
        attempt("none long", () -> giveLong.give());
        Taker t = ErrorNullReferences::same;
        attempt("same", () -> t.take(null));
        ToLongFunction<Integer> tl = i -> i;
        attempt("tolong lambda", () -> tl.applyAsLong(null));
        IntFunction<Integer> add = new ErrorNullReferences()::add;
        Function<Integer, Integer> add2 = new ErrorNullReferences()::add;
        attempt("bound add", () -> add2.apply(null));
        ErrorNullReferences no = null;
        attempt("bound null", () -> { Function<Integer, Integer> x = no::add; });
        Function<Integer, R> r = R::new;
        attempt("new", () -> r.apply(null));
        Function<Integer, int[]> arr = int[]::new;
        attempt("array", () -> arr.apply(null));
        Function<String, Integer> len = String::length;
        attempt("length", () -> len.apply(null));
        OfString len2 = String::length;
        attempt("length2", () -> len2.length(null));
        BiFunction<ErrorNullReferences, Integer, Integer> ub = ErrorNullReferences::add;
        attempt("unbound null", () -> ub.apply(null, 1));
        attempt("unbound null arg", () -> ub.apply(new ErrorNullReferences(), null));
        Comparator<Integer> c = Integer::compare;
        attempt("compare", () -> c.compare(1, null));
        attempt("compare first", () -> c.compare(null, 1));
        attempt("sum", () -> Arrays.asList(1, null, 2).stream().mapToInt(Integer::intValue).sum());
        attempt("reduce", () -> Arrays.asList(1, null, 2).stream().reduce(0, Integer::sum));
        attempt("box", () -> Arrays.asList('a', null).stream().map(Character::charValue).toList());
        Gen<Character, Integer> chars = Character::getNumericValue;
        attempt("char", () -> chars.make(null));
        Gen<Boolean, Boolean> bool = Boolean::booleanValue;
        attempt("bool", () -> bool.make(null));
        Gen<Double, Double> dbl = Math::sqrt;
        attempt("sqrt", () -> dbl.make(null));
        Gen<Integer, Double> dbl2 = Math::sqrt;
        attempt("sqrt int", () -> dbl2.make(null));
        Gen<Byte, Integer> by = Math::abs;
        attempt("abs byte", () -> by.make(null));
        Drop<String> sh = ErrorNullReferences::shout;
        attempt("shout", () -> sh.drop(null));
        Drop<Object> hash = Object::hashCode;
        attempt("hash", () -> hash.drop(null));
        Gen<List<?>, Integer> size = List::size;
        attempt("size", () -> size.make(null));
        Supplier<Integer> bound = ((Integer) 5)::intValue;
        attempt("bound int", () -> bound.get());
        Integer nul = null;
        attempt("bound int null", () -> { Supplier<Integer> s = nul::intValue; });
        Gen<Map.Entry<String, Integer>, Integer> val = Map.Entry::getValue;
        ToIntFunction<Map.Entry<String, Integer>> val2 = Map.Entry::getValue;
        attempt("entry null", () -> val.make(null));
        attempt("entry value null", () -> val2.applyAsInt(new AbstractMap.SimpleEntry<>("a", null)));
        attempt("filled again", () -> {
            try { f.apply(null); } catch (NullPointerException e) { e.fillInStackTrace(); throw e; }
        });
        MethodHandle handle = MethodHandles.lookup().findVirtual(Integer.class, "intValue", MethodType.methodType(int.class));
        try { System.out.println((int) handle.invoke((Integer) null)); } catch (NullPointerException e) { System.out.println(e); }
        MethodHandle getter = MethodHandles.lookup().findGetter(ErrorNullReferences.class, "field", int.class);
        try { System.out.println((int) getter.invoke((ErrorNullReferences) null)); } catch (NullPointerException e) { System.out.println(e); }
    }
}
