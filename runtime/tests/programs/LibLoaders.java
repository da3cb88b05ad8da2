import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.ServiceLoader;

public class LibLoaders {
    interface Mine {}

    static class Own extends ClassLoader {
        Own() {
            super("own", LibLoaders.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            System.out.println("asked for " + name);
            throw new ClassNotFoundException(name);
        }
    }

    interface Work {
        Object run() throws Exception;
    }

    static void tried(Work work) {
        try {
            System.out.println(work.run());
        } catch (Exception error) {
            System.out.println(error);
        }
    }

    public static void main(String[] words) throws Exception {
        ClassLoader app = LibLoaders.class.getClassLoader();
        System.out.println(app.getName() + " " + app.getClass().getName());
        System.out.println(app == ClassLoader.getSystemClassLoader());
        System.out.println(String.class.getClassLoader() + " " + int.class.getClassLoader() + " "
                + new int[0].getClass().getClassLoader() + " " + new LibLoaders[0].getClass().getClassLoader().getName());
        System.out.println(app.getParent().getName() + " " + app.getParent().getParent());
        System.out.println(ClassLoader.getPlatformClassLoader() == app.getParent());
        tried(() -> app.loadClass("LibLoaders") == LibLoaders.class);
        tried(() -> app.loadClass("java.util.List"));
        tried(() -> app.getParent().loadClass("java.util.List"));
        tried(() -> Class.forName("LibLoaders$Own", false, app));
        tried(() -> Class.forName("[LLibLoaders;", false, app));
        tried(() -> Class.forName("[Ljava.lang.String;", false, null));
        tried(() -> app.loadClass("No.Such"));
        tried(() -> app.loadClass("java/util/List"));
        tried(() -> app.loadClass("[LLibLoaders;"));
        tried(() -> app.getParent().loadClass("LibLoaders"));
        tried(() -> Class.forName("LibLoaders", false, null));
        tried(() -> Class.forName(null, false, app));

        Own own = new Own();
        tried(() -> own.loadClass("LibLoaders") == LibLoaders.class);
        tried(() -> own.loadClass("Unknown"));
        tried(() -> Class.forName("Unknown", true, own));
        tried(() -> Class.forName("java.util.Map", true, own));
        System.out.println(own.getName() + " " + own.getParent().getName() + " " + own.getUnnamedModule().isNamed());

        Thread thread = Thread.currentThread();
        System.out.println(thread.getContextClassLoader() == app);
        Thread before = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader() == app));
        thread.setContextClassLoader(own);
        Thread after = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader() == own));
        before.start();
        before.join();
        after.start();
        after.join();

        System.out.println(LibLoaders.class.getPackage() + "|" + LibLoaders.class.getPackage().getName() + "|"
                + String.class.getPackage() + " " + List.class.getPackage().getName());
        System.out.println(app.getDefinedPackage("java.util") + " " + app.getUnnamedModule().isNamed() + " "
                + LibLoaders.class.getModule().getClassLoader().getName() + " " + String.class.getModule().getClassLoader());
        System.out.println(LibLoaders.class.getResource("nothing.txt") + " " + app.getResource("nothing.txt") + " "
                + app.getResourceAsStream("nothing") + " " + Collections.list(app.getResources("nothing")) + " "
                + ClassLoader.getSystemResource("nothing"));
        System.out.println(ServiceLoader.load(Mine.class).findFirst());
        Runnable proxy = (Runnable) Proxy.newProxyInstance(app, new Class<?>[] {Runnable.class}, (object, method, given) -> {
            System.out.println("invoked " + method.getName());
            return null;
        });
        proxy.run();
        System.out.println((proxy.getClass().getClassLoader() == app) + " " + Proxy.isProxyClass(proxy.getClass()));
        try {
            Proxy.newProxyInstance(null, new Class<?>[] {Mine.class}, (object, method, given) -> null);
        } catch (IllegalArgumentException error) {
            System.out.println(error.getMessage());
        }
        try {
            ResourceBundle.getBundle("words", java.util.Locale.ROOT);
        } catch (MissingResourceException error) {
            System.out.println(error.getMessage() + " " + error.getClassName());
        }
    }
}
