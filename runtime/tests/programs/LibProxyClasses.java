import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;

/** What classes of proxies are, and who finds them. */
public class LibProxyClasses {
    interface Near { String near(); }
    public interface Far { String far(); }

    static class Own extends ClassLoader {
        Own() { super(LibProxyClasses.class.getClassLoader()); }
        Class<?> known(String name) { return findLoadedClass(name); }
    }

    interface Attempt { Object run() throws Throwable; }

    static void attempt(String what, Attempt attempt) {
        try {
            System.out.println(what + ": " + attempt.run());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    static Object proxy(ClassLoader loader, Class<?>... of) {
        return Proxy.newProxyInstance(loader, of, (proxy, method, args) -> {
            if (method.getName().equals("near") || method.getName().equals("compareTo")) throw new IllegalStateException(method.getName());
            return method.getName();
        });
    }

    static void tell(String what, Object proxy) throws Exception {
        Class<?> of = proxy.getClass();
        System.out.println("-- " + what);
        System.out.println(of + " " + of.getName() + " " + of.getSimpleName() + " " + of.getTypeName() + " " + of.getCanonicalName());
        System.out.println("'" + of.getPackageName() + "' " + (of.getClassLoader() == null ? null : of.getPackage()) + " " + module(of) + " " + of.getModule().isNamed());
        System.out.println(Modifier.toString(of.getModifiers()) + " " + of.isHidden() + " " + of.isSynthetic() + " " + (of.getNestHost() == of) + " " + of.isNestmateOf(LibProxyClasses.class) + " " + of.getSuperclass() + " " + Arrays.toString(of.getInterfaces()));
        System.out.println(Proxy.isProxyClass(of) + " " + of.toGenericString());
        attempt("by its name", () -> Class.forName(of.getName()) == of);
        attempt("by its name with its loader", () -> Class.forName(of.getName(), false, of.getClassLoader()) == of);
        attempt("by the library's", () -> Class.forName(of.getName(), false, null) == of);
        attempt("by its loader", () -> of.getClassLoader() == null ? null : of.getClassLoader().loadClass(of.getName()) == of);
        attempt("by another loader", () -> Class.forName(of.getName(), false, new Own()) == of);
        attempt("by another loader again", () -> {
            Own own = new Own();
            Class<?> known = own.known(of.getName());
            Class<?> first = own.loadClass(of.getName());
            return known + " " + (first == of) + " " + (Class.forName(of.getName(), true, own) == of) + " " + (own.known(of.getName()) == of);
        });
        Object array = Array.newInstance(of, 1, 2);
        attempt("array", () -> array.getClass() + " " + module(array.getClass()) + " " + (Class.forName(array.getClass().getName(), false, of.getClassLoader()) == array.getClass()));
        attempt("constructor", () -> {
            InvocationHandler handler = (p, m, a) -> "made";
            return of.getConstructor(InvocationHandler.class).newInstance(handler).toString();
        });
        attempt("private", () -> {
            Field field = null;
            for (Field one : of.getDeclaredFields()) if (one.getName().equals("m0")) field = one;
            return field.get(null);
        });
        if (of.getClassLoader() == LibProxyClasses.class.getClassLoader()) attempt("cast", () -> (Iterator<?>) proxy);
        attempt("handle", () -> {
            MethodHandle handle = MethodHandles.lookup().findVirtual(of, "toString", MethodType.methodType(String.class));
            return handle.type() + " " + (String) handle.invoke((Object) proxy);
        });
        attempt("types", () -> {
            MethodHandle same = MethodHandles.identity(of).asType(MethodType.methodType(Object.class, Object.class));
            boolean is = (Object) same.invokeExact(proxy) == proxy;
            try { same.invoke("text"); return "no"; } catch (ClassCastException e) { return is + " " + e.getMessage(); }
        });
        attempt("types of arrays", () -> {
            MethodHandle same = MethodHandles.identity(array.getClass()).asType(MethodType.methodType(Object.class, Object.class));
            return (Object) same.invokeExact(array) == array;
        });
    }

    static String module(Class<?> of) {
        return of.getModule().toString().replaceAll("@.*", "@");
    }

    static void trace(Throwable e) {
        System.out.println(e);
        for (StackTraceElement element : e.getStackTrace()) {
            if (element.getClassName().contains("Proxy")) System.out.println("  " + element);
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader app = LibProxyClasses.class.getClassLoader();
        Object near = proxy(app, Near.class, Far.class);
        tell("near", near);
        Object far = proxy(app, Far.class, Comparable.class);
        tell("far", far);
        tell("library's", proxy(null, Comparable.class));
        ClassLoader own = new Own();
        Object loaded = proxy(own, Far.class);
        tell("own", loaded);
        attempt("again", () -> proxy(own, Far.class).getClass() == loaded.getClass());
        try { ((Near) near).near(); } catch (IllegalStateException e) { trace(e); }
        try { ((Comparable<Object>) far).compareTo(1); } catch (IllegalStateException e) { trace(e); }
        attempt("not there", () -> Class.forName("jdk.proxy1.$Proxy77"));
        attempt("not there either", () -> Class.forName("$Proxy77"));
        attempt("by another's", () -> Class.forName(loaded.getClass().getName()));
        Runnable lambda = () -> System.out.println("ran");
        attempt("lambda", () -> { MethodHandles.lookup().findVirtual(lambda.getClass(), "run", MethodType.methodType(void.class)).invoke(lambda); return 1; });
        attempt("lambda's type", () -> MethodHandles.identity(lambda.getClass()).asType(MethodType.methodType(Object.class, Object.class)).invoke((Object) lambda) == lambda);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(Proxy.newProxyInstance(app, new Class<?>[] {Far.class}, new Handler()));
        attempt("read", () -> new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject().toString());
    }

    static class Handler implements InvocationHandler, Serializable {
        @Override public Object invoke(Object proxy, Method method, Object[] args) { return "handled"; }
    }
}
