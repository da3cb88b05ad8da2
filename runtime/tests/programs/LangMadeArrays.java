import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.IntSupplier;

public class LangMadeArrays {
    interface Named {
        String name();
    }

    /// Without what differs from run to run.
    static String plain(String name) {
        return name.replaceAll("\\$\\$(Lambda|Site)[^;\\[ ]*", " made").replaceAll("[\\w.]*\\$Proxy\\d+", "Proxy");
    }

    static void told(Class<?> of) {
        System.out.println(plain(of.getName()) + " " + plain(of.getSimpleName()) + " " + plain(of.getTypeName()) + " "
                + of.getCanonicalName() + " " + of.isArray() + " " + Modifier.toString(of.getModifiers() & ~Modifier.PUBLIC) + " "
                + of.getSuperclass() + " " + Arrays.toString(of.getInterfaces()) + " " + of.getPackage() + " "
                + (of.getClassLoader() == LangMadeArrays.class.getClassLoader()) + " " + of.isSynthetic() + " "
                + plain(of.toString()) + " " + plain(of.toGenericString()) + " " + of.getPackageName().isEmpty());
    }

    static void tried(Runnable work) {
        try {
            work.run();
            System.out.println("done");
        } catch (RuntimeException error) {
            System.out.println(plain(error.toString()));
        }
    }

    static void arrays(Object one, Object same, Object other) {
        Class<?> of = one.getClass();
        Object[] array = (Object[]) Array.newInstance(of, 3);
        Class<?> arrays = array.getClass();
        told(arrays);
        System.out.println((arrays == of.arrayType()) + " " + (arrays.getComponentType() == of) + " "
                + (Array.newInstance(of, 0).getClass() == arrays) + " " + (arrays.isHidden() || arrays.arrayType().isHidden()));
        System.out.println((array instanceof Object[]) + " " + arrays.isInstance(new Object[0]) + " "
                + Object[].class.isAssignableFrom(arrays) + " " + arrays.isAssignableFrom(Object[].class) + " "
                + of.getInterfaces()[0].arrayType().isInstance(array) + " " + (((Object) array) instanceof Object[][]));
        array[0] = one;
        array[1] = same;
        System.gc();
        System.out.println((array[0] == one) + " " + (array[1] == same) + " " + array[2] + " " + array.length);
        tried(() -> array[2] = other);
        tried(() -> array[2] = "text");
        tried(() -> Array.set(array, 2, other));
        tried(() -> Array.set(array, 2, one));
        tried(() -> arrays.cast(new Object[0]));
        Object[] copy = array.clone();
        System.out.println((copy.getClass() == arrays) + " " + (copy[0] == one) + " " + (copy != array));
        Object[] longer = Arrays.copyOf(array, 5);
        System.out.println((longer.getClass() == arrays) + " " + longer.length);
        Object[][] deep = (Object[][]) Array.newInstance(of, 2, 2);
        System.out.println(plain(deep.getClass().getName()) + " " + (deep[0].getClass() == arrays) + " "
                + (deep.getClass().getComponentType() == arrays) + " " + (deep.getClass() == arrays.arrayType()));
        deep[1] = array;
        tried(() -> deep[0] = new Object[1]);
        for (int round = 0; round < 50; round++) {
            Object[] many = (Object[]) Array.newInstance(of, 100);
            Arrays.fill(many, one);
            deep[0] = many;
        }
        System.gc();
        System.out.println((deep[1][0] == one) + " " + (deep[0][99] == one));
        try {
            Class.forName(arrays.getName(), false, of.getClassLoader());
            System.out.println("found");
        } catch (ClassNotFoundException error) {
            System.out.println("not found");
        }
    }

    static Named named(InvocationHandler handler) {
        return (Named) Proxy.newProxyInstance(Named.class.getClassLoader(), new Class<?>[] {Named.class}, handler);
    }

    static IntSupplier number(int value) {
        return () -> value;
    }

    public static void main(String[] words) {
        arrays(number(1), number(2), (IntSupplier) () -> 3);
        System.out.println(((IntSupplier[]) number(1).getClass().arrayType().cast(Array.newInstance(number(5).getClass(), 1))).length);
        Object[] proxies = (Object[]) Array.newInstance(named((object, method, given) -> null).getClass(), 2);
        Named one = named((object, method, given) -> "one");
        proxies[0] = one;
        System.out.println(((Named[]) proxies)[0].name() + " " + Named[].class.isInstance(proxies) + " "
                + (proxies.getClass().getComponentType() == one.getClass()) + " " + Proxy.isProxyClass(proxies.getClass()) + " "
                + (proxies.getClass().getClassLoader() == Named.class.getClassLoader()));
        Named[] copies = Arrays.copyOf((Named[]) proxies, 1);
        tried(() -> copies[0] = () -> "other");
        System.out.println(plain(copies.getClass().getSimpleName()));
    }
}
