import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

public class LangHandlesMore {
    interface Body {
        Object run() throws Throwable;
    }

    interface Greets {
        default String hi() {
            return "Greets";
        }
    }

    static class A implements Greets {
        private int secret = 5;

        public String hi() {
            return "A+" + Greets.super.hi();
        }

        protected String who() {
            return "A";
        }

        public String toString() {
            return "a!";
        }
    }

    static class B extends A {
        protected String who() {
            return "B";
        }

        static MethodHandle up() throws Exception {
            return MethodHandles.lookup().findSpecial(A.class, "who", MethodType.methodType(String.class), B.class);
        }
    }

    static class Late {
        static int made = told();

        static int told() {
            System.out.println("initialized");
            return 3;
        }

        static int of() {
            return made;
        }
    }

    static final String FIXED = "fixed";
    static long count = 7;
    static MethodHandle self;

    static int add(int a, int b) {
        return a + b;
    }

    static Object two(Object a, Object b) {
        return a + "/" + b;
    }

    static String three(String a, int b, long c) {
        return a + b + c;
    }

    static double wide(double a, long b, float c, byte d) {
        return a + b + c + d;
    }

    static String list(String a, Object... rest) {
        return a + Arrays.toString(rest);
    }

    static int sum(int... all) {
        return Arrays.stream(all).sum();
    }

    static String failing(String s) {
        throw new IllegalStateException(s);
    }

    static String twice(String s) {
        return s + s;
    }

    static String caught(IllegalStateException e, String s) {
        return "caught " + e.getMessage() + s;
    }

    static String cleanup(Throwable thrown, String result, String s) {
        return thrown + " " + result + " " + s;
    }

    static int deeper(int n) throws Throwable {
        return (int) self.invokeExact(n + 1) + 1;
    }

    static synchronized int locked(int n) {
        return n + 1;
    }

    static void told(String name, Body body) {
        try {
            System.out.println(name + ": " + body.run());
        } catch (Throwable e) {
            System.out.println(name + " threw " + e.toString().replaceAll("@[0-9a-f]+", "@"));
        }
    }

    static MethodHandle own(String name, Class<?> result, Class<?>... parameters) throws Exception {
        return MethodHandles.lookup().findStatic(LangHandlesMore.class, name, MethodType.methodType(result, parameters));
    }

    static MethodHandle virtual(Class<?> of, String name, Class<?> result, Class<?>... parameters) throws Exception {
        return MethodHandles.lookup().findVirtual(of, name, MethodType.methodType(result, parameters));
    }

    public static void main(String[] args) throws Throwable {
        arrays();
        combined();
        members();
        refused();
        converted();
        deep();
    }

    static void arrays() throws Throwable {
        MethodHandle add = own("add", int.class, int.class, int.class), two = own("two", Object.class, Object.class, Object.class);
        MethodHandle three = own("three", String.class, String.class, int.class, long.class);
        told("spread", () -> two.asSpreader(Object[].class, 2).invoke(new Object[] {1, 2}));
        told("spread behind", () -> three.asSpreader(1, Object[].class, 2).invoke("x", new Object[] {1, 2L}));
        told("spread ints", () -> add.asSpreader(int[].class, 2).invoke(new int[] {1, 2}));
        told("spread too few", () -> two.asSpreader(Object[].class, 2).invoke(new Object[] {1}));
        told("arguments", () -> three.invokeWithArguments("s", 1, 2));
        told("arguments of other types", () -> three.invokeWithArguments("s", 1, "x"));
        told("arguments too few", () -> three.invokeWithArguments("s", 1));
        told("arguments in a list", () -> three.invokeWithArguments(List.of("s", (short) 1, 'c')));
        MethodHandle list = own("list", String.class, String.class, Object[].class), sum = own("sum", int.class, int[].class);
        told("variable", () -> list + " " + list.isVarargsCollector() + list.invoke("a", 1, 2) + list.invoke("b") + list.invokeWithArguments("a", 1, 2, 3));
        told("fixed", () -> (String) list.asFixedArity().invokeExact("a", new Object[] {5}));
        told("sum", () -> (int) sum.invoke(1, 2, 3) + (int) sum.invoke() + (int) sum.invoke(new int[] {4}));
        told("collector", () -> sum.asFixedArity().asCollector(int[].class, 3).invoke(1, 2, 3));
        told("collector behind", () -> (String) list.asFixedArity().asCollector(1, Object[].class, 2).invoke("q", 8, 9));
        told("elements", () -> MethodHandles.arrayElementGetter(int[].class).invoke(new int[] {3}, 0) + " " + MethodHandles.arrayLength(String[].class).invoke(new String[4]) + ((Object[]) MethodHandles.arrayConstructor(Object[].class).invoke(2)).length);
    }

    static void combined() throws Throwable {
        MethodHandle add = own("add", int.class, int.class, int.class), two = own("two", Object.class, Object.class, Object.class);
        MethodHandle three = own("three", String.class, String.class, int.class, long.class);
        told("permuted", () -> MethodHandles.permuteArguments(three, MethodType.methodType(String.class, long.class, String.class, int.class), 1, 2, 0).invoke(7L, "p", 3));
        told("permuted twice", () -> MethodHandles.permuteArguments(add, MethodType.methodType(int.class, int.class, String.class), 0, 0).invoke(21, "drop"));
        told("inserted", () -> MethodHandles.insertArguments(three, 1, 5, 6L).invoke("i"));
        told("inserted wrongly", () -> MethodHandles.insertArguments(three, 1, "no"));
        told("dropped", () -> MethodHandles.dropArguments(wide(), 1, String.class, long.class).invoke(1.5, "s", 9L, 2L, 3f, (byte) 4));
        told("folded", () -> MethodHandles.foldArguments(two, MethodHandles.identity(Object.class)).invoke("f"));
        told("filtered", () -> MethodHandles.filterArguments(two, 0, virtual(Object.class, "toString", String.class).asType(MethodType.genericMethodType(1)), null).invoke(List.of(1), 2));
        MethodHandle hash = virtual(Object.class, "hashCode", int.class);
        told("filtered both", () -> MethodHandles.filterArguments(add, 0, hash, hash).invoke((Object) "a", (Object) "bc"));
        told("collected", () -> MethodHandles.collectArguments(two, 1, three.asType(three.type().changeReturnType(Object.class))).invoke("o", "s", 1, 2L));
        told("result", () -> MethodHandles.filterReturnValue(add, MethodHandles.lookup().findStatic(String.class, "valueOf", MethodType.methodType(String.class, int.class))).invoke(2, 3));
        told("constants", () -> MethodHandles.constant(long.class, 9).invoke() + " " + MethodHandles.constant(String.class, "c").invoke() + MethodHandles.zero(int.class).invoke() + MethodHandles.empty(MethodType.methodType(String.class, int.class)).invoke(3) + MethodHandles.constant(boolean.class, true).invoke() + MethodHandles.constant(byte.class, (byte) -1).invoke());
        MethodHandle failing = own("failing", String.class, String.class), twice = own("twice", String.class, String.class);
        told("caught", () -> MethodHandles.catchException(failing, IllegalStateException.class, own("caught", String.class, IllegalStateException.class, String.class)).invoke("boo"));
        told("not caught", () -> MethodHandles.catchException(failing, ArithmeticException.class, MethodHandles.dropArguments(MethodHandles.constant(String.class, "x"), 0, ArithmeticException.class)).invoke("boo"));
        MethodHandle cleanup = own("cleanup", String.class, Throwable.class, String.class, String.class);
        told("finally after a throw", () -> MethodHandles.tryFinally(failing, cleanup).invoke("boo"));
        told("finally", () -> MethodHandles.tryFinally(twice, cleanup).invoke("boo"));
        told("thrown", () -> MethodHandles.throwException(int.class, Exception.class).invoke(new Exception("made")));
        told("guarded", () -> MethodHandles.guardWithTest(virtual(String.class, "isEmpty", boolean.class), twice, virtual(String.class, "trim", String.class)).invoke(" d "));
        told("without result", () -> (Object) MethodHandles.dropReturn(add).invoke(1, 2));
        told("bound", () -> two.bindTo("x").bindTo("y").invoke());
        told("bound to a number", () -> add.bindTo(1));
        told("bound to another class", () -> three.bindTo(1));
        told("invokers", () -> MethodHandles.exactInvoker(add.type()).invoke(add, 1, 2) + " " + MethodHandles.invoker(MethodType.genericMethodType(2)).invoke(add, 3, 4) + " " + virtual(MethodHandle.class, "invokeExact", int.class, int.class, int.class).invoke(add, 1, 4));
    }

    static MethodHandle wide() throws Exception {
        return own("wide", double.class, double.class, long.class, float.class, byte.class);
    }

    static void members() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        told("special", () -> (String) B.up().invoke(new B()) + (String) virtual(A.class, "who", String.class).invoke((A) new B()));
        told("interface", () -> virtual(Greets.class, "hi", String.class).invoke((Greets) new A()) + " " + virtual(Greets.class, "toString", String.class).invoke((Greets) new A()));
        told("fields", () -> lookup.findGetter(A.class, "secret", int.class).invoke(new A()) + " " + lookup.findStaticGetter(LangHandlesMore.class, "FIXED", String.class).invoke());
        told("set", () -> {
            lookup.findStaticSetter(LangHandlesMore.class, "count", long.class).invoke(8);
            return count;
        });
        told("reflected", () -> lookup.unreflect(LangHandlesMore.class.getDeclaredMethod("add", int.class, int.class)).invoke(5, 6) + " " + lookup.unreflectConstructor(ArrayList.class.getConstructor(Collection.class)).invoke(List.of(1)) + lookup.unreflectGetter(A.class.getDeclaredField("secret")).invoke(new A()));
        told("bind", () -> lookup.bind("text", "charAt", MethodType.methodType(char.class, int.class)).invoke(1));
        told("revealed", () -> lookup.revealDirect(own("add", int.class, int.class, int.class)));
        told("cloned", () -> ((int[]) virtual(int[].class, "clone", Object.class).invoke(new int[] {1, 2})).length);
        told("locked", () -> own("locked", int.class, int.class).invoke(1));
        MethodHandle late = lookup.findStatic(Late.class, "of", MethodType.methodType(int.class));
        System.out.println("found");
        told("late", () -> late.invoke());
    }

    static void refused() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup(), anybody = MethodHandles.publicLookup();
        told("final", () -> lookup.findStaticSetter(LangHandlesMore.class, "FIXED", String.class));
        told("no field", () -> lookup.findGetter(A.class, "nothing", int.class));
        told("not static", () -> lookup.findStatic(A.class, "who", MethodType.methodType(String.class)));
        told("static", () -> virtual(LangHandlesMore.class, "add", int.class, int.class, int.class));
        told("private method", () -> virtual(String.class, "isLatin1", boolean.class));
        told("private field", () -> lookup.findGetter(String.class, "value", byte[].class));
        told("not for anybody", () -> anybody.findStatic(LangHandlesMore.class, "add", MethodType.methodType(int.class, int.class, int.class)));
        told("for anybody", () -> anybody.findVirtual(String.class, "length", MethodType.methodType(int.class)).invoke("four"));
        told("internal", () -> lookup.findConstructor(Class.forName("jdk.internal.misc.Unsafe"), MethodType.methodType(void.class)));
        told("of another class", () -> lookup.in(String.class).findVirtual(String.class, "isLatin1", MethodType.methodType(boolean.class)));
        told("initializer", () -> lookup.findStatic(Late.class, "<clinit>", MethodType.methodType(void.class)));
    }

    static void converted() throws Throwable {
        MethodHandle add = own("add", int.class, int.class, int.class);
        told("exact", () -> (long) add.invokeExact(1, 2));
        told("exact without result", () -> {
            add.invokeExact(1, 2);
            return 0;
        });
        told("no conversion", () -> (String) add.invoke(1, 2));
        told("widened", () -> (long) add.invoke(1, Integer.valueOf(2)) + (double) wide().invoke(1, 'a', (short) 2, (byte) 3));
        told("cast", () -> (String) MethodHandles.identity(Object.class).invoke((Object) 5));
        told("unboxed null", () -> (int) add.invoke((Object) null, 3));
        told("unboxed and widened", () -> (long) MethodHandles.identity(long.class).invoke((Object) 'c'));
        told("unboxed and narrowed", () -> MethodHandles.identity(int.class).invoke((Object) 5L));
        told("types", () -> add.type().equals(MethodType.fromMethodDescriptorString("(II)I", null)) + " " + add + add.asType(MethodType.genericMethodType(2)));
        told("null", () -> {
            MethodHandle none = null;
            return none.invoke();
        });
    }

    static void deep() throws Throwable {
        self = own("deeper", int.class, int.class);
        try {
            deeper(0);
        } catch (StackOverflowError e) {
            System.out.println("overflow");
        }
        MethodHandle many = own("add", int.class, int.class, int.class);
        for (int i = 0; i < 100; i++) {
            many = MethodHandles.filterReturnValue(many, MethodHandles.insertArguments(own("add", int.class, int.class, int.class), 1, 1));
        }
        System.out.println((int) many.invokeExact(1, 2));
        own("failing", String.class, String.class).invoke("uncaught");
    }
}
