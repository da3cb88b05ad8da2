import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

/** What `InvocationHandler.invokeDefault` runs and refuses. */
public class LibProxyDefaults {
    interface Plain {
        default String name() { return "plain"; }
        default int sum(int a, long b, double c) { return (int) (a + b + c); }
        default String all(String first, Object... rest) { return first + Arrays.toString(rest); }
        default void fails(String why) throws Exception { throw new java.io.IOException(why); }
        default String hidden() { return "hidden " + name(); }
        default void nothing() { System.out.println("nothing"); }
        default long[] longs(byte b, short s, char c, boolean z, float f) { return new long[] {b, s, c, z ? 1 : 0, (long) f}; }
        static String fixed() { return "fixed"; }
        String open();
    }

    public interface Shown {
        default String shown() { return "shown of " + getClass().getInterfaces().length; }
    }

    interface Narrow extends Plain {
        @Override default String name() { return "narrow " + Plain.super.name(); }
    }

    interface Closed extends Plain {
        @Override String name();
    }

    interface Left { default String both() { return "left"; } }
    interface Right { default String both() { return "right"; } }
    interface Both extends Left, Right { default String both() { return Left.super.both() + Right.super.both(); } }
    interface Apart { default String apart() { return "apart"; } }

    interface Attempt { Object run() throws Throwable; }

    static String message(Throwable e) {
        return e.getClass().getName() + ": " + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@").replaceAll("Proxy[0-9]+", "Proxy");
    }

    static void attempt(String what, Attempt attempt) {
        try {
            System.out.println(what + ": " + attempt.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + message(e) + (e.getCause() == null ? "" : " / " + message(e.getCause())));
        }
    }

    static Object proxy(Class<?>... of) {
        InvocationHandler handler = (proxy, method, args) ->
            method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, args) : "handled " + method.getName();
        return Proxy.newProxyInstance(LibProxyDefaults.class.getClassLoader(), of, handler);
    }

    public static void main(String[] args) throws Throwable {
        Plain plain = (Plain) proxy(Plain.class);
        attempt("name", plain::name);
        attempt("sum", () -> plain.sum(1, 2, 3.9));
        attempt("all", () -> plain.all("x", 1, null, 'c'));
        attempt("fails", () -> { plain.fails("why"); return null; });
        attempt("hidden", plain::hidden);
        attempt("nothing", () -> { plain.nothing(); return null; });
        attempt("longs", () -> Arrays.toString(plain.longs((byte) -1, (short) -2, 'c', true, 2.5f)));
        attempt("open", plain::open);
        attempt("shown", ((Shown) proxy(Plain.class, Shown.class))::shown);
        attempt("narrow", ((Plain) proxy(Narrow.class))::name);
        attempt("both", ((Both) proxy(Both.class))::both);
        attempt("comparator", () -> ((Comparator<?>) proxy(Comparator.class)).reversed() != null);
        attempt("predicate", () -> ((Function<?, ?>) proxy(Function.class)).andThen(x -> x) != null);

        Method name = Plain.class.getDeclaredMethod("name");
        attempt("direct", () -> InvocationHandler.invokeDefault(plain, name));
        attempt("no proxy", () -> InvocationHandler.invokeDefault("text", name));
        attempt("null proxy", () -> InvocationHandler.invokeDefault(null, name));
        attempt("null method", () -> InvocationHandler.invokeDefault(plain, null));
        attempt("abstract", () -> InvocationHandler.invokeDefault(plain, Plain.class.getDeclaredMethod("open")));
        attempt("static", () -> InvocationHandler.invokeDefault(plain, Plain.class.getDeclaredMethod("fixed")));
        attempt("of a class", () -> InvocationHandler.invokeDefault(plain, Object.class.getMethod("toString")));
        attempt("of another", () -> InvocationHandler.invokeDefault(plain, Apart.class.getDeclaredMethod("apart")));
        attempt("overridden", () -> InvocationHandler.invokeDefault(proxy(Narrow.class), name));
        attempt("made abstract", () -> InvocationHandler.invokeDefault(proxy(Closed.class), name));
        attempt("of left", () -> InvocationHandler.invokeDefault(proxy(Left.class, Right.class), Left.class.getDeclaredMethod("both")));
        attempt("of right", () -> InvocationHandler.invokeDefault(proxy(Left.class, Right.class), Right.class.getDeclaredMethod("both")));
        attempt("of left below both", () -> InvocationHandler.invokeDefault(proxy(Both.class), Left.class.getDeclaredMethod("both")));
        attempt("inherited", () -> InvocationHandler.invokeDefault(proxy(Narrow.class), Plain.class.getDeclaredMethod("hidden")));
        Method sum = Plain.class.getDeclaredMethod("sum", int.class, long.class, double.class);
        attempt("few", () -> InvocationHandler.invokeDefault(plain, sum, 1));
        attempt("many", () -> InvocationHandler.invokeDefault(plain, sum, 1, 2L, 3.0, 4));
        attempt("none", () -> InvocationHandler.invokeDefault(plain, sum, (Object[]) null));
        attempt("null argument", () -> InvocationHandler.invokeDefault(plain, sum, 1, null, 3.0));
        attempt("wrong argument", () -> InvocationHandler.invokeDefault(plain, sum, 1, "2", 3.0));
        attempt("narrow argument", () -> InvocationHandler.invokeDefault(plain, sum, 1L, 2L, 3.0));
        attempt("wider argument", () -> InvocationHandler.invokeDefault(plain, sum, 1, 2, 3));
        attempt("null array", () -> InvocationHandler.invokeDefault(plain, name, (Object[]) null));
        attempt("wrong class", () -> InvocationHandler.invokeDefault(plain, Plain.class.getDeclaredMethod("all", String.class, Object[].class), 7, new Object[0]));
        attempt("npe within", () -> InvocationHandler.invokeDefault(proxy(Thrower.class), Thrower.class.getDeclaredMethod("length", String.class), (Object) null));
        attempt("cast within", () -> InvocationHandler.invokeDefault(proxy(Thrower.class), Thrower.class.getDeclaredMethod("cast", Object.class), 1));
        Class<?> closed = Class.forName("java.util.stream.TerminalOp");
        Method shape = closed.getDeclaredMethod("inputShape");
        attempt("inaccessible", () -> InvocationHandler.invokeDefault(plain, shape));
    }

    interface Thrower {
        default int length(String s) { return s.length(); }
        default String cast(Object o) { return (String) o; }
    }
}
