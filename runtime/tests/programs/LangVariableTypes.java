import java.lang.invoke.*;
import java.nio.ByteOrder;
import java.util.*;

/** What handles of variables say of themselves, and the method handles that come of them. */
public class LangVariableTypes {
    static class Point {
        static { System.out.println("Point is initialized"); }
        static int count = 3;
        static final long FIXED = 4;
        int x = 1;
        final String name = "p";
        String text = "t";
        boolean is;
        byte small;
        char letter;
        short middle;
        long wide;
        float half;
        double whole;
    }

    static class Late {
        static { System.out.println("Late is initialized"); }
        static int count;
        int own;
    }

    interface Attempt { Object run() throws Throwable; }

    static void attempt(String what, Attempt attempt) {
        try {
            System.out.println(what + ": " + attempt.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    static void tell(String what, VarHandle handle) {
        System.out.println(what + ": " + handle + " " + handle.varType() + " " + handle.coordinateTypes() + " " + handle.withInvokeExactBehavior());
        for (VarHandle.AccessMode mode : VarHandle.AccessMode.values()) {
            System.out.println("  " + mode + " " + handle.accessModeType(mode) + " " + handle.isAccessModeSupported(mode) + " " + handle.toMethodHandle(mode).type());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle late = lookup.findVarHandle(Late.class, "own", int.class);
        System.out.println("found " + late.varType());
        VarHandle lateCount = lookup.findStaticVarHandle(Late.class, "count", int.class);
        System.out.println("found " + lateCount.varType());
        for (String[] field : new String[][] {{"x", "I"}, {"name", "Ljava/lang/String;"}, {"text", "Ljava/lang/String;"}, {"is", "Z"}, {"small", "B"}, {"letter", "C"}, {"middle", "S"}, {"wide", "J"}, {"half", "F"}, {"whole", "D"}}) {
            Class<?> of = MethodType.fromMethodDescriptorString("()" + field[1], Point.class.getClassLoader()).returnType();
            tell(field[0], lookup.findVarHandle(Point.class, field[0], of));
        }
        tell("count", lookup.findStaticVarHandle(Point.class, "count", int.class));
        tell("FIXED", lookup.findStaticVarHandle(Point.class, "FIXED", long.class));
        tell("ints", MethodHandles.arrayElementVarHandle(int[].class));
        tell("texts", MethodHandles.arrayElementVarHandle(String[][].class));
        for (Class<?> of : new Class<?>[] {short[].class, char[].class, int[].class, long[].class, float[].class, double[].class}) {
            tell("view", MethodHandles.byteArrayViewVarHandle(of, ByteOrder.BIG_ENDIAN));
        }

        Point point = new Point();
        VarHandle x = lookup.findVarHandle(Point.class, "x", int.class);
        MethodHandle get = x.toMethodHandle(VarHandle.AccessMode.GET);
        MethodHandle add = x.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD);
        System.out.println((int) get.invokeExact(point) + " " + (int) add.invokeExact(point, 5) + " " + point.x);
        System.out.println((boolean) x.toMethodHandle(VarHandle.AccessMode.COMPARE_AND_SET).invoke(point, 6, 9) + " " + point.x);
        System.out.println(x.toMethodHandle(VarHandle.AccessMode.SET_VOLATILE).invokeWithArguments(point, 11) + " " + point.x);
        VarHandle count = lookup.findStaticVarHandle(Point.class, "count", int.class);
        System.out.println((int) count.toMethodHandle(VarHandle.AccessMode.GET_AND_SET).invokeExact(8) + " " + Point.count);
        String[] texts = {"a", "b"};
        VarHandle elements = MethodHandles.arrayElementVarHandle(String[].class);
        System.out.println((String) elements.toMethodHandle(VarHandle.AccessMode.GET_AND_SET).invokeExact(texts, 1, "c") + Arrays.toString(texts));
        attempt("bounds", () -> (String) elements.toMethodHandle(VarHandle.AccessMode.GET).invokeExact(texts, 2));
        attempt("null", () -> (int) get.invokeExact((Point) null));
        attempt("final", () -> { lookup.findVarHandle(Point.class, "name", String.class).toMethodHandle(VarHandle.AccessMode.SET).invoke(point, "q"); return "set"; });
        attempt("no sum", () -> lookup.findVarHandle(Point.class, "text", String.class).toMethodHandle(VarHandle.AccessMode.GET_AND_ADD).invoke(point, "q"));
        attempt("small view", () -> (boolean) MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN).compareAndSet(new byte[8], 0, (short) 1, (short) 2));
        attempt("view of floats", () -> (float) MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.BIG_ENDIAN).getAndAdd(new byte[8], 0, 2f));

        MethodHandle invoker = MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET_AND_ADD, MethodType.methodType(int.class, Point.class, int.class));
        System.out.println(invoker.type() + " " + (int) invoker.invokeExact(x, point, 4) + " " + point.x);
        MethodHandle wider = MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET, MethodType.methodType(long.class, Object.class));
        System.out.println((long) wider.invokeExact(x, (Object) point));
        try { System.out.println((int) invoker.invokeExact(count, point, 4)); } catch (WrongMethodTypeException e) { System.out.println("another variable"); }
        try { System.out.println((int) invoker.invoke((VarHandle) null, point, 4)); } catch (NullPointerException e) { System.out.println("no handle"); }
        MethodHandle list = MethodHandles.filterReturnValue(get, lookup.findStatic(List.class, "of", MethodType.methodType(List.class, Object.class)).asType(MethodType.methodType(List.class, int.class)));
        System.out.println(list.invoke(point));
    }
}
