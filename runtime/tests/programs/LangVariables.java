import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Handles of variables: each kind of variable, each access, and what is not allowed. */
public class LangVariables {
    static class Other {}

    boolean flag;
    byte small = -1;
    char letter = 'a';
    short less = 300;
    int count = 5;
    float part = 1.5f;
    long wide = 1L << 40;
    double real = 2.25;
    String text = "text";
    final int fixed = 7;
    private Integer boxed = 9;
    Object any = "one";
    static Object kept = "x";
    static int shared = 3;
    static String said = "said";

    interface Body {
        Object run() throws Throwable;
    }

    static void show(String what, Body body) {
        try {
            System.out.println(what + ": " + body.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e.getClass().getName());
        }
    }

    static VarHandle of(String name, Class<?> type) throws ReflectiveOperationException {
        return MethodHandles.lookup().findVarHandle(LangVariables.class, name, type);
    }

    public static void main(String[] args) throws Throwable {
        LangVariables o = new LangVariables();
        VarHandle flag = of("flag", boolean.class), small = of("small", byte.class), letter = of("letter", char.class);
        VarHandle less = of("less", short.class), count = of("count", int.class), part = of("part", float.class);
        VarHandle wide = of("wide", long.class), real = of("real", double.class), text = of("text", String.class);
        VarHandle fixed = of("fixed", int.class), boxed = of("boxed", Integer.class);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle shared = lookup.findStaticVarHandle(LangVariables.class, "shared", int.class);
        VarHandle said = lookup.findStaticVarHandle(LangVariables.class, "said", String.class);

        System.out.println((boolean) flag.getAndSet(o, true) + " " + (boolean) flag.getAndBitwiseXor(o, true) + " " + o.flag + " " + flag.compareAndSet(o, false, true));
        System.out.println((byte) small.getAndAdd(o, (byte) -127) + " " + o.small + " " + small.compareAndSet(o, (byte) -128, (byte) 5) + " " + (int) small.get(o));
        System.out.println((char) letter.getAndAdd(o, (char) 1) + " " + o.letter + " " + letter.weakCompareAndSetPlain(o, 'b', 'c') + " " + (int) letter.getVolatile(o));
        System.out.println((short) less.getAndAdd(o, (short) 32767) + " " + o.less + " " + (short) less.compareAndExchange(o, o.less, (short) 1) + " " + o.less);
        System.out.println((int) count.getAndBitwiseOr(o, 8) + " " + (int) count.getAndBitwiseAndAcquire(o, 12) + " " + (int) count.getAndBitwiseXorRelease(o, -1) + " " + o.count);
        System.out.println((float) part.getAndAdd(o, 2) + " " + o.part + " " + part.compareAndSet(o, 3.5f, -0f) + " " + part.compareAndSet(o, 0f, 1f) + " " + o.part);
        System.out.println((long) wide.getAndAdd(o, 1) + " " + (long) wide.compareAndExchangeAcquire(o, 1L, 2L) + " " + (double) wide.getOpaque(o));
        System.out.println((double) real.getAndAdd(o, 1) + " " + o.real + " " + (Object) real.getAcquire(o) + " " + (Number) real.get(o));
        System.out.println((String) text.getAndSet(o, "new") + " " + (Object) text.get(o) + " " + (CharSequence) text.getVolatile(o) + " " + text.compareAndSet(o, "new", null) + " " + o.text);
        System.out.println((int) shared.getAndAdd(4) + " " + (int) shared.get() + " " + shared.compareAndSet(7, 8) + " " + LangVariables.shared + " " + (String) said.getAndSet("done") + " " + LangVariables.said);
        boxed.set(o, 11);
        System.out.println((int) boxed.get(o) + " " + (long) boxed.get(o) + " " + o.boxed + " " + (int) fixed.get(o) + " " + text.varType() + " " + count.varType());
        count.setRelease(o, 'z');
        count.getAndAdd(o, (short) 1);
        System.out.println(o.count);

        show("null", () -> (int) count.get((LangVariables) null));
        show("another object", () -> (int) count.get((Object) new Other()));
        show("an object of any type", () -> (int) count.get((Object) o));
        show("a string for an int", () -> (int) count.get("no"));
        show("too few", () -> (int) count.get());
        show("too many", () -> (int) count.get(o, 1));
        show("no object", () -> (int) count.get(1));
        show("too wide a value", () -> {
            count.set(o, 1L);
            return "set";
        });
        show("too narrow a result", () -> (short) count.get(o));
        show("a box as a value", () -> {
            count.set(o, (Object) Integer.valueOf(77));
            return o.count;
        });
        show("another box", () -> {
            count.set(o, (Object) Long.valueOf(77));
            return o.count;
        });
        show("no box", () -> {
            count.set(o, (Object) null);
            return o.count;
        });
        show("another reference", () -> {
            text.set(o, (Object) new Other());
            return o.text;
        });
        show("a result of another class", () -> {
            said.set("said");
            return (Integer) said.get();
        });
        show("an int for a string", () -> {
            text.set(o, 1);
            return o.text;
        });
        show("final", () -> {
            fixed.set(o, 1);
            return o.fixed;
        });
        show("a sum of strings", () -> (String) text.getAndAdd(o, "more"));
        show("a sum of booleans", () -> (boolean) flag.getAndAdd(o, true));
        show("bits of a float", () -> (float) part.getAndBitwiseOr(o, 1f));
        show("exact", () -> (int) count.withInvokeExactBehavior().get(o));
        show("not exact", () -> (long) count.withInvokeExactBehavior().get(o));
        show("absent", () -> of("absent", int.class));
        show("of another type", () -> of("count", long.class));
        show("static for an instance", () -> of("shared", int.class));
        show("instance for a static", () -> lookup.findStaticVarHandle(LangVariables.class, "count", int.class));
        show("private of the library", () -> lookup.findVarHandle(String.class, "value", byte[].class));
        show("private, to all", () -> MethodHandles.publicLookup().findVarHandle(LangVariables.class, "boxed", Integer.class));

        VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class);
        VarHandle objects = MethodHandles.arrayElementVarHandle(Object[].class);
        int[] array = {1, 2, 3};
        System.out.println((int) ints.getAndAdd(array, 2, 5) + " " + array[2] + " " + ints.compareAndSet(array, 0, 1, 4) + " " + (int) ints.get(array, (byte) 0));
        show("behind the end", () -> (int) ints.get(array, 3));
        show("before the beginning", () -> (int) ints.get(array, -1));
        show("another array", () -> (int) ints.get((Object) new long[4], 0));
        show("no array", () -> (int) ints.get((int[]) null, 0));
        show("index of another type", () -> (int) ints.get(array, 1L));
        Object[] strings = new String[2];
        show("element", () -> {
            objects.set(strings, 1, "one");
            return strings[1];
        });
        show("element that does not fit", () -> {
            objects.set(strings, 0, (Object) 1);
            return strings[0];
        });
        show("element that does not fit, volatile", () -> {
            objects.setVolatile(strings, 0, (Object) 1);
            return strings[0];
        });
        show("element that does not fit, compared", () -> objects.compareAndSet(strings, 0, null, 1));
        show("element that does not fit, not the same", () -> objects.compareAndSet(strings, 0, "other", 1));
        show("no array type", () -> MethodHandles.arrayElementVarHandle(String.class));

        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, (byte) 0x88, 9};
        VarHandle big = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        VarHandle little = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
        VarHandle longs = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        System.out.println(Integer.toHexString((int) big.get(bytes, 0)) + " " + Integer.toHexString((short) little.get(bytes, 6)) + " " + Long.toHexString((long) longs.get(bytes, 0)));
        big.set(bytes, 1, 0x0a0b0c0d);
        little.set(bytes, 5, (short) -2);
        System.out.println(java.util.Arrays.toString(bytes));
        show("a view behind the end", () -> (int) big.get(bytes, 6));
        show("a view before the beginning", () -> (int) big.get(bytes, -1));
        show("a view of too few bytes", () -> (long) longs.get(new byte[7], 0));
        resultsThatFit(o);
    }

    /** A result that does not fit its call site is thrown once the variable has changed. */
    static void resultsThatFit(LangVariables o) throws Throwable {
        VarHandle any = of("any", Object.class);
        VarHandle boxed = of("boxed", Integer.class);
        VarHandle each = MethodHandles.arrayElementVarHandle(Object[].class);
        VarHandle kept = MethodHandles.lookup().findStaticVarHandle(LangVariables.class, "kept", Object.class);
        show("swapped, not cast", () -> (Integer) any.getAndSet(o, "two"));
        System.out.println(o.any);
        show("compared and swapped, not cast", () -> (Integer) any.compareAndExchange(o, (Object) "two", (Object) "three"));
        System.out.println(o.any);
        show("not equal, not cast", () -> (Integer) any.compareAndExchange(o, (Object) 1, (Object) "four"));
        System.out.println(o.any);
        show("read, not cast", () -> (Integer) any.get(o));
        o.boxed = null;
        show("swapped, not unboxed", () -> (int) boxed.getAndSet(o, (Integer) 4));
        System.out.println(o.boxed);
        show("never to be cast", () -> (short) boxed.getAndSet(o, (Integer) 6));
        System.out.println(o.boxed);
        show("swapped, no number", () -> (int) kept.getAndSet("y"));
        System.out.println(kept.get());
        Object[] elements = {"p", "q"};
        show("swapped within, not cast", () -> (Integer) each.getAndSet(elements, 1, "r"));
        System.out.println(elements[1]);
    }
}
