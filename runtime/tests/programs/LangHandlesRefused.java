import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;

/** Methods that only call sites can call, called by reflection, and handles of more parameters than a method can have. */
public class LangHandlesRefused {
    interface Work {
        Object run() throws Throwable;
    }

    static void show(String what, Work work) {
        try {
            System.out.println(what + ": " + work.run());
        } catch (InvocationTargetException error) {
            System.out.println(what + ": " + error + ", " + error.getCause());
        } catch (Throwable error) {
            System.out.println(what + ": " + error);
        }
    }

    static int add(int one, int other) {
        return one + other;
    }

    static long wide(long one, double other) {
        return one + (long) other;
    }

    public static void main(String[] words) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(LangHandlesRefused.class, "add", MethodType.methodType(int.class, int.class, int.class));
        MethodHandle wide = lookup.findStatic(LangHandlesRefused.class, "wide", MethodType.methodType(long.class, long.class, double.class));
        VarHandle elements = MethodHandles.arrayElementVarHandle(int[].class);
        for (String name : new String[] {"invoke", "invokeExact"}) {
            show(name, () -> MethodHandle.class.getMethod(name, Object[].class).invoke(add, (Object) new Object[0]));
        }
        for (String name : new String[] {"get", "set", "compareAndSet"}) {
            show(name, () -> VarHandle.class.getMethod(name, Object[].class).invoke(elements, (Object) new Object[0]));
        }
        for (int count = 250; count < 257; count++) {
            int more = count;
            show("invoker " + count, () -> MethodHandles.invoker(MethodType.methodType(int.class, Collections.nCopies(more, int.class))).type().parameterCount());
            show("dropped " + count, () -> MethodHandles.dropArguments(add, 0, Collections.nCopies(more, int.class)).type().parameterCount());
            show("dropped, wide " + count, () -> MethodHandles.dropArguments(wide, 0, Collections.nCopies(more, int.class)).type().parameterCount());
        }
        show("dropped longs", () -> MethodHandles.dropArguments(add, 2, Collections.nCopies(126, long.class)).type().parameterCount());
        show("dropped longs", () -> MethodHandles.dropArguments(add, 2, Collections.nCopies(127, long.class)).type().parameterCount());
    }
}
