import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;

/** Elements of arrays by reflection, with what is wrong first told first; variables of nothing or of another class; names with slashes. */
public class LangReflectedArrays {
    interface Work {
        Object run() throws Throwable;
    }

    int number = 1;
    String text = "text";

    static void tried(String what, Work work) {
        try {
            System.out.println(what + ": " + work.run());
        } catch (Throwable error) {
            System.out.println(what + ": " + error);
        }
    }

    static void all(Object array, int at) {
        String name = array.getClass().getName() + " " + at + " ";
        tried(name + "get", () -> Array.get(array, at));
        tried(name + "boolean", () -> Array.getBoolean(array, at));
        tried(name + "byte", () -> Array.getByte(array, at));
        tried(name + "char", () -> Array.getChar(array, at));
        tried(name + "int", () -> Array.getInt(array, at));
        tried(name + "float", () -> Array.getFloat(array, at));
        tried(name + "double", () -> Array.getDouble(array, at));
        for (Object value : new Object[] {null, "s", 1, 1L, 'c', true, 1.5f}) {
            tried(name + "set " + value, () -> {
                Array.set(array, at, value);
                return Array.get(array, at);
            });
        }
        tried(name + "set boolean", () -> {
            Array.setBoolean(array, at, true);
            return Array.get(array, at);
        });
        tried(name + "set byte", () -> {
            Array.setByte(array, at, (byte) 2);
            return Array.get(array, at);
        });
        tried(name + "set char", () -> {
            Array.setChar(array, at, 'd');
            return Array.get(array, at);
        });
        tried(name + "set float", () -> {
            Array.setFloat(array, at, 2.5f);
            return Array.get(array, at);
        });
        tried(name + "set double", () -> {
            Array.setDouble(array, at, 2);
            return Array.get(array, at);
        });
    }

    public static void main(String[] words) throws Exception {
        Object[] arrays = {"none", new boolean[1], new byte[1], new char[] {'c'}, new int[1], new long[1], new float[1], new double[1],
            new String[1], new int[1][]};
        for (Object array : arrays) {
            for (int at = -1; at < 2; at++) {
                all(array, at);
            }
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle number = lookup.findVarHandle(LangReflectedArrays.class, "number", int.class);
        VarHandle text = lookup.findVarHandle(LangReflectedArrays.class, "text", String.class);
        VarHandle element = MethodHandles.arrayElementVarHandle(String[].class);
        VarHandle ints = MethodHandles.arrayElementVarHandle(int[].class);
        LangReflectedArrays own = new LangReflectedArrays();
        tried("of null", () -> (int) number.get((LangReflectedArrays) null));
        tried("of null", () -> number.compareAndSet((LangReflectedArrays) null, 1, 2));
        tried("of null", () -> (int) number.getAndAdd((Object) null, 1));
        tried("of another", () -> (int) number.get((Object) "other"));
        tried("of another", () -> (int) ints.get((Object) "other", 0));
        tried("of another", () -> (String) element.get((Object) new Integer[1], 0));
        tried("another", () -> (String) text.getAndSet(own, (Object) 5));
        tried("another", () -> element.compareAndSet(new String[1], 0, (Object) 5, "s"));
        tried("another", () -> (Integer) text.get(own));
        for (String name : new String[] {"java/lang/String", "java.lang.String", "LangReflectedArrays", "none/Such", "[I"}) {
            tried(name, () -> Class.forName(String.class.getModule(), name));
            tried(name, () -> Class.forName(LangReflectedArrays.class.getModule(), name));
        }
    }
}
