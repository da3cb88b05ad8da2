import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Calls methods of classes, each in a loader of its own, and prints a line for each class: what each call came to. */
final class Judge extends ClassLoader {
    public static void main(String[] words) throws IOException {
        DataInputStream input = new DataInputStream(System.in);
        for (int count = input.readInt(); count > 0; count--) {
            byte[] file = input.readNBytes(input.readInt());
            String line;
            try {
                line = new Judge().calls(file, input);
            } catch (LinkageError error) {
                line = error.getClass().getName();
            }
            System.out.println(line);
        }
    }

    private record Call(String name, int[] arguments) {}

    private String calls(byte[] file, DataInputStream input) throws IOException {
        Call[] calls = new Call[input.readInt()];
        for (int i = 0; i < calls.length; i++) {
            String name = input.readUTF();
            int[] arguments = new int[input.readInt()];
            for (int k = 0; k < arguments.length; k++) {
                arguments[k] = input.readInt();
            }
            calls[i] = new Call(name, arguments);
        }
        Class<?> of = defineClass(null, file, 0, file.length);
        Constructor<?>[] constructors = of.getDeclaredConstructors();
        StringBuilder line = new StringBuilder("ok");
        Object self = null;
        for (Call call : calls) {
            line.append(' ');
            try {
                Object result = 0;
                if (call.name.equals("<clinit>")) {
                    Class.forName(of.getName(), true, this);
                } else if (call.name.equals("<init>")) {
                    constructors[0].setAccessible(true);
                    self = constructors[0].newInstance(values(constructors[0], call.arguments));
                } else {
                    Method method = find(of, call.name);
                    method.setAccessible(true);
                    boolean isStatic = Modifier.isStatic(method.getModifiers());
                    result = method.invoke(isStatic ? null : self, values(method, call.arguments));
                }
                line.append(result == null ? 0 : ((Number) result).intValue());
            } catch (InvocationTargetException thrown) {
                line.append(thrown.getCause().getClass().getName());
            } catch (ExceptionInInitializerError error) {
                line.append(error.getCause().getClass().getName());
            } catch (ReflectiveOperationException | LinkageError error) {
                line.append(error.getClass().getName());
            }
        }
        return line.toString();
    }

    private static Method find(Class<?> of, String name) throws NoSuchMethodException {
        for (Method method : of.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static Object[] values(Executable method, int[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == byte.class) {
                values[i] = (byte) arguments[i];
            } else if (types[i] == short.class) {
                values[i] = (short) arguments[i];
            } else {
                values[i] = arguments[i];
            }
        }
        return values;
    }
}
