import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.*;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;

public class LibReflection {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Info {
        String value() default "none";

        int[] numbers() default {1, 2};
    }

    interface Greeter {
        String greet(String name);
    }

    @Info("the base")
    static class Base implements Greeter {
        public int number = 5;
        protected static String shared = "static";
        private final long hidden = 9;

        public Base() {}

        public Base(int number) {
            this.number = number;
        }

        public String greet(String name) {
            return "hello " + name + number;
        }

        static int add(int a, Integer b) {
            return a + b;
        }

        private void secret(long[] a) throws Exception {
            throw new Exception("secret " + a.length);
        }
    }

    static final class Derived extends Base {
        @Override public String greet(String name) {
            return "derived " + super.greet(name);
        }
    }

    enum Level { LOW, HIGH }

    static String modifiers(int m) {
        return Modifier.toString(m);
    }

    public static void main(String[] args) throws Exception {
        Class<?> c = Derived.class;
        System.out.println(c.getName() + " " + c.getSimpleName() + " " + c.getSuperclass() + " " + Arrays.toString(c.getSuperclass().getInterfaces()) + " " + modifiers(c.getModifiers()));
        System.out.println(c.isInstance(new Base()) + " " + Base.class.isInstance(new Derived()) + " " + Greeter.class.isAssignableFrom(c) + " " + c.isInterface() + " " + c.isArray()
            + " " + int.class.isPrimitive() + " " + Level.class.isEnum() + " " + Info.class.isAnnotation() + " " + c.isMemberClass() + " " + c.getEnclosingClass().getName());
        System.out.println(Class.forName("LibReflection$Base") == Base.class);
        Object base = Base.class.getConstructor(int.class).newInstance(7);
        Method greet = Greeter.class.getMethod("greet", String.class);
        System.out.println(greet.invoke(base, "Ann") + " " + greet.invoke(new Derived(), "Bob") + " " + greet.getReturnType().getName() + " " + greet.getParameterCount());
        Method add = Base.class.getDeclaredMethod("add", int.class, Integer.class);
        System.out.println(add.invoke(null, 3, 4) + " " + modifiers(add.getModifiers()) + " " + add.getName() + " " + Arrays.toString(add.getParameterTypes()));
        Method secret = Base.class.getDeclaredMethod("secret", long[].class);
        secret.setAccessible(true);
        try {
            secret.invoke(base, new long[3]);
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause() + " " + e.getMessage());
        }
        try {
            add.invoke(null, "x", 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            add.invoke(null, 1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            greet.invoke("not a greeter", "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Field number = Base.class.getField("number");
        number.setInt(base, 11);
        System.out.println(number.get(base) + " " + number.getType() + " " + ((Base) base).number);
        Field hidden = Base.class.getDeclaredField("hidden");
        hidden.setAccessible(true);
        System.out.println(hidden.getLong(base) + " " + modifiers(hidden.getModifiers()));
        Field shared = Base.class.getDeclaredField("shared");
        shared.set(null, "changed");
        System.out.println(Base.shared + " " + shared);
        System.out.println(Arrays.stream(Base.class.getDeclaredMethods()).map(Method::getName).sorted().collect(Collectors.toList()) + " "
            + Arrays.stream(Base.class.getDeclaredFields()).map(Field::getName).sorted(Comparator.reverseOrder()).collect(Collectors.toList()) + " " + Base.class.getConstructors().length);
        System.out.println(Arrays.toString(Level.class.getEnumConstants()) + " " + Level.valueOf("LOW").getDeclaringClass());
        Object array = Array.newInstance(int.class, 3);
        Array.setInt(array, 1, 42);
        System.out.println(Array.getLength(array) + " " + Array.get(array, 1) + " " + array.getClass().getComponentType() + " " + Array.newInstance(String.class, 2, 3).getClass().getName());
        Greeter proxy = (Greeter) Proxy.newProxyInstance(LibReflection.class.getClassLoader(), new Class<?>[] {Greeter.class},
            (self, method, parameters) -> method.getName() + Arrays.toString(parameters));
        System.out.println(proxy.greet("proxied"));
        Info info = Base.class.getAnnotation(Info.class);
        System.out.println(info.value() + Arrays.toString(info.numbers()) + Derived.class.isAnnotationPresent(Info.class));
        Runnable lambda = () -> {};
        System.out.println(lambda.getClass().isSynthetic() + " " + new Object() {}.getClass().isAnonymousClass() + " " + int[][].class.getName() + " " + String[].class.getTypeName());
        try {
            Greeter.class.getDeclaredConstructor();
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
    }
}
