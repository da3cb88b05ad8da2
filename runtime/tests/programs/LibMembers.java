import java.lang.annotation.*;
import java.lang.reflect.*;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.*;

public class LibMembers {
    enum Size { SMALL, LARGE { int cost() { return 9; } }; int cost() { return 1; } }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Part {
        int number();
        String text() default "text";
        Size size() default Size.LARGE;
        Class<?>[] classes() default {int.class, Map.Entry.class};
        long[] longs() default {1L << 40};
        double half() default 0.5;
        char sign() default '+';
        Inner inner() default @Inner(true);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        boolean value();
    }

    record Pair<T extends Comparable<T>>(@Inner(false) T first, int... rest) {}

    @Part(number = 3)
    static synchronized int sync(int a, long b) {
        return (int) (a + b);
    }

    private int length(@Inner(true) String s) throws java.io.IOException {
        return s.length();
    }

    static void fails() {
        throw new IllegalStateException();
    }

    static final byte SMALL = 7;
    static volatile double wide = 1.5;
    private char letter = 'x';

    interface Shape {
        default String name() {
            return "shape";
        }

        private String secret() {
            return "secret";
        }
    }

    static String message(Throwable e) {
        return e.getClass().getName() + ": " + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@");
    }

    interface Attempt {
        Object run() throws Exception;
    }

    static void attempt(Attempt attempt) {
        try {
            System.out.println(attempt.run());
        } catch (InvocationTargetException e) {
            System.out.println("threw " + message(e.getCause()));
        } catch (Exception e) {
            System.out.println(message(e));
        }
    }

    static Method method(String name) {
        return Arrays.stream(LibMembers.class.getDeclaredMethods()).filter(m -> m.getName().equals(name)).findFirst().get();
    }

    public static void main(String[] args) throws Exception {
        Object object = new Object();
        attempt(() -> method("sync").invoke(null, 1, (byte) 2));
        attempt(() -> method("sync").invoke(null, null, 2L));
        attempt(() -> method("sync").invoke(null, 1, 2.0));
        attempt(() -> method("length").invoke(new LibMembers(), "abc"));
        attempt(() -> Math.class.getMethod("sqrt", double.class).invoke(null, 2));
        attempt(() -> Math.class.getMethod("max", long.class, long.class).invoke(null, 2, 3L));
        attempt(() -> object.hashCode() == (Integer) Object.class.getMethod("hashCode").invoke(object));
        attempt(() -> Object.class.getMethod("wait", long.class).invoke(object, 5L));
        attempt(() -> System.class.getMethod("arraycopy", Object.class, int.class, Object.class, int.class, int.class).invoke(null, new int[1], 0, new int[1], 0, 5));
        attempt(() -> System.class.getMethod("gc").invoke(null));
        attempt(() -> Shape.class.getMethod("name").invoke(new Shape() {}));
        attempt(() -> Shape.class.getDeclaredMethod("secret").invoke(new Shape() {}));
        attempt(() -> Comparable.class.getMethod("compareTo", Object.class).invoke("a", "b"));
        attempt(() -> AccessController.class.getMethod("doPrivileged", PrivilegedAction.class).invoke(null, (PrivilegedAction<String>) () -> "privileged"));
        attempt(() -> String.class.getConstructor(char[].class).newInstance((Object) "hello".toCharArray()));
        attempt(() -> Integer.class.getConstructor(String.class).newInstance("x"));
        attempt(() -> Number.class.getConstructor().newInstance());
        attempt(() -> Size.class.getDeclaredConstructors()[0].newInstance("S", 0));

        // What is not for everybody.
        attempt(() -> {
            Field value = String.class.getDeclaredField("value");
            value.setAccessible(true);
            return value;
        });
        attempt(() -> {
            Method method = ClassLoader.class.getDeclaredMethod("findBootstrapClassOrNull", String.class);
            method.setAccessible(true);
            return method;
        });
        attempt(() -> String.class.getDeclaredField("value").trySetAccessible());
        attempt(() -> String.class.getDeclaredField("value").get("x"));
        attempt(() -> Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null));
        attempt(() -> {
            Constructor<?> made = Class.class.getDeclaredConstructors()[0];
            made.setAccessible(true);
            return made;
        });
        attempt(() -> Class.class.getDeclaredField("module"));

        // Fields.
        Field small = LibMembers.class.getDeclaredField("SMALL"), wide = LibMembers.class.getDeclaredField("wide"), letter = LibMembers.class.getDeclaredField("letter");
        LibMembers members = new LibMembers();
        letter.setChar(members, 'y');
        wide.set(null, 2.5f);
        System.out.println(small.getInt(null) + " " + wide.get(null) + " " + letter.get(members) + " " + LibMembers.wide + " " + members.letter + " " + small);
        attempt(() -> {
            small.setByte(null, (byte) 1);
            return null;
        });
        attempt(() -> letter.getByte(members));

        // What is written in the class file.
        System.out.println(method("sync").toGenericString() + " " + method("length").toGenericString() + " " + List.class.getMethod("of", Object[].class).toGenericString());
        Part part = method("sync").getAnnotation(Part.class);
        System.out.println(part.number() + part.text() + part.size() + part.size().cost() + Arrays.toString(part.classes()) + part.longs()[0] + part.half() + part.sign() + part.inner().value() + part.equals(method("sync").getAnnotation(Part.class)));
        System.out.println(part.inner() + " " + method("length").getParameterAnnotations()[0][0] + " " + part.annotationType());
        for (RecordComponent component : Pair.class.getRecordComponents())
            System.out.println(component.getName() + " " + component.getGenericType() + " " + component.getAccessor().invoke(new Pair<>("a", 1)).getClass() + " " + component.getAnnotations().length);
        System.out.println(Arrays.toString(Pair.class.getTypeParameters()[0].getBounds()) + " " + Pair.class.getDeclaredConstructors()[0].getParameters()[1] + " " + Pair.class.getDeclaredConstructors()[0].isVarArgs());
        System.out.println(Size.LARGE.getClass().getEnclosingClass() + " " + Size.LARGE.getClass().isAnonymousClass() + " " + Size.LARGE.getDeclaringClass() + " " + LibMembers.class.getNestMembers().length + " " + Pair.class.getNestHost());
        System.out.println(LibMembers.class.getModule().isNamed() + " " + String.class.getModule() + " " + object.getClass().getModule().isNamed());
        class Local {}
        System.out.println(Local.class.getEnclosingMethod().getName() + " " + Local.class.isLocalClass() + " " + Local.class.getDeclaringClass());

        // Interfaces that are implemented by a handler.
        List<String> calls = new ArrayList<>();
        Object proxy = Proxy.newProxyInstance(LibMembers.class.getClassLoader(), new Class<?>[] {Comparable.class, Runnable.class, Shape.class}, (self, method, arguments) -> {
            calls.add(method.getName());
            if (method.getName().equals("run")) throw new java.io.IOException("not declared");
            return method.getReturnType() == int.class ? 4 : "handled";
        });
        System.out.println(((Comparable<Object>) proxy).compareTo("x") + " " + ((Shape) proxy).name() + " " + proxy + " " + proxy.hashCode() + " " + Proxy.isProxyClass(proxy.getClass()));
        try {
            ((Runnable) proxy).run();
        } catch (UndeclaredThrowableException e) {
            System.out.println(e.getCause());
        }
        System.out.println(calls);
        long sum = 0;
        Method length = method("length");
        for (int i = 0; i < 20_000; i++) sum += (Integer) length.invoke(members, "ab");
        System.out.println(sum);
        try {
            method("fails").invoke(null);
        } catch (InvocationTargetException e) {
            for (StackTraceElement element : e.getCause().getStackTrace()) System.out.println("  " + element.getClassName() + "." + element.getMethodName() + " " + element.isNativeMethod());
        }
    }
}
