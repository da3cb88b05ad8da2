import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Handles of variables in buffers, of fields of reflection, and views that are not aligned. */
public class LangMoreVariables {
    interface Body {
        Object run() throws Throwable;
    }

    static class Base {
        int inherited = 4;
    }

    static class Own extends Base {
        private String text = "text";
        final int fixed = 7;
        static long shared = 3;
        static final int CONSTANT = Integer.parseInt("5");
    }

    static void show(String what, Body body) {
        try {
            System.out.println(what + ": " + body.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    static void views() {
        Class<?>[] arrays = {char[].class, int[].class, double[].class};
        for (Class<?> array : arrays) {
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                VarHandle of = MethodHandles.byteBufferViewVarHandle(array, order);
                String name = array.getSimpleName() + " " + order + " ";
                show(name + "type", () -> of.varType() + " " + of.coordinateTypes());
                show(name + "modes", () -> Arrays.stream(VarHandle.AccessMode.values()).filter(of::isAccessModeSupported).toList());
                byte[] bytes = new byte[24];
                for (int at = 0; at < bytes.length; at++) {
                    bytes[at] = (byte) (at * 37);
                }
                ByteBuffer whole = ByteBuffer.wrap(bytes), part = ByteBuffer.wrap(bytes, 3, 17).slice();
                whole.limit(22);
                ByteBuffer[] buffers = {whole, part, part.order(ByteOrder.LITTLE_ENDIAN), part.asReadOnlyBuffer(), ByteBuffer.allocate(1), null};
                for (ByteBuffer buffer : buffers) {
                    for (int index : new int[] {-1, 0, 5, 13, 14, 15, 20, Integer.MAX_VALUE}) {
                        show(name + buffer + " " + index, () -> of.get(buffer, index));
                        show(name + "volatile", () -> of.getVolatile(buffer, index));
                        show(name + "set", () -> {
                            of.set(buffer, index, of.get(whole, 9));
                            return Arrays.hashCode(bytes);
                        });
                        show(name + "release", () -> {
                            of.setRelease(buffer, index, of.get(whole, 2));
                            return Arrays.hashCode(bytes);
                        });
                    }
                }
            }
        }
    }

    static void changes() {
        byte[] bytes = new byte[32];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        VarHandle longs = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        VarHandle floats = MethodHandles.byteBufferViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
        VarHandle shorts = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
        show("add", () -> (long) longs.getAndAdd(buffer, 8, 77L) + " " + (long) longs.getAndBitwiseXor(buffer, 8, 1L));
        show("compare", () -> longs.compareAndSet(buffer, 8, 76L, -2L) + " " + (long) longs.compareAndExchange(buffer, 8, 0L, 1L));
        show("not aligned", () -> longs.compareAndSet(buffer, 9, 0L, -2L));
        show("floats", () -> floats.compareAndSet(buffer, 4, 0f, 1.5f) + " " + (float) floats.getAndSet(buffer, 4, 2.5f));
        show("a sum of floats", () -> (float) floats.getAndAdd(buffer, 4, 1f));
        show("shorts", () -> shorts.compareAndSet(buffer, 4, (short) 0, (short) 1));
        show("of another type", () -> {
            try {
                return (long) longs.get(bytes, 8);
            } catch (ClassCastException error) {
                return "refused";
            }
        });
        show("to read alone", () -> longs.compareAndSet(buffer.asReadOnlyBuffer(), 9, 0L, -2L));
        show("by handle", () -> longs.toMethodHandle(VarHandle.AccessMode.GET).invoke(buffer, 8));
        show("exact", () -> (long) longs.withInvokeExactBehavior().get(buffer, 8));
        System.out.println(Arrays.toString(bytes));
        VarHandle view = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        show("array", () -> (int) view.getVolatile(bytes, 4));
        show("array, not aligned", () -> (int) view.getVolatile(bytes, 5));
        show("array, not aligned, plain", () -> (int) view.get(bytes, 5));
        show("array, not aligned, added", () -> (int) view.getAndAdd(bytes, 6, 1));
        show("array, too short", () -> (int) view.get(new byte[1], 0));
        for (Class<?> type : new Class<?>[] {int.class, String.class, Runnable.class, byte[].class, boolean[].class, String[].class, int[][].class}) {
            show("buffer " + type, () -> MethodHandles.byteBufferViewVarHandle(type, ByteOrder.BIG_ENDIAN));
            show("array " + type, () -> MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN));
        }
        show("elements", () -> MethodHandles.arrayElementVarHandle(Runnable.class));
        show("no order", () -> MethodHandles.byteBufferViewVarHandle(int[].class, null).varType());
    }

    static void fields() throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Own own = new Own();
        for (Field field : new Field[] {Own.class.getDeclaredField("text"), Own.class.getDeclaredField("fixed"),
                Own.class.getDeclaredField("shared"), Own.class.getDeclaredField("CONSTANT"), Base.class.getDeclaredField("inherited"),
                Thread.State.class.getDeclaredField("NEW")}) {
            show(field.getName(), () -> {
                VarHandle of = lookup.unreflectVarHandle(field);
                return of.varType() + " " + of.coordinateTypes() + " " + of.isAccessModeSupported(VarHandle.AccessMode.SET);
            });
        }
        show("get and set", () -> (String) lookup.unreflectVarHandle(Own.class.getDeclaredField("text")).getAndSet(own, "new") + own.text);
        show("static", () -> (long) lookup.unreflectVarHandle(Own.class.getDeclaredField("shared")).getAndAdd(2L) + Own.shared);
        show("final", () -> {
            lookup.unreflectVarHandle(Own.class.getDeclaredField("fixed")).set(own, 1);
            return own.fixed;
        });
        show("inherited", () -> (int) lookup.unreflectVarHandle(Base.class.getDeclaredField("inherited")).get(own));
        show("private, to all", () -> {
            try {
                return MethodHandles.publicLookup().unreflectVarHandle(Own.class.getDeclaredField("text"));
            } catch (IllegalAccessException error) {
                return "refused";
            }
        });
        show("private of the library", () -> {
            try {
                return lookup.unreflectVarHandle(String.class.getDeclaredField("value"));
            } catch (IllegalAccessException error) {
                return "refused";
            }
        });
        show("none", () -> lookup.unreflectVarHandle(null) == null);
    }

    public static void main(String[] words) throws Exception {
        views();
        changes();
        fields();
    }
}
