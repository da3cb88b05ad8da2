/** Loaders of a program's own that find classes of the class path by themselves: beneath, beside and before their parents. */
public class LibOwnLoaders {
    static class Target {
        static {
            System.out.println("  initialized");
        }
    }

    static class Other {}

    static class Own extends ClassLoader {
        Own(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            System.out.println("  find " + name);
            if (!name.startsWith("LibOwnLoaders")) {
                throw new ClassNotFoundException("not " + name);
            }
            return LibOwnLoaders.class.getClassLoader().loadClass(name);
        }
    }

    static class Parallel extends ClassLoader {
        static {
            System.out.println("parallel " + registerAsParallelCapable());
        }

        Parallel() {
            super("parallel", null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            System.out.println("  find " + name);
            return Class.forName(name, false, LibOwnLoaders.class.getClassLoader());
        }
    }

    static class ParentLast extends Own {
        ParentLast() {
            super(LibOwnLoaders.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                if (found == null) {
                    try {
                        found = findClass(name);
                    } catch (ClassNotFoundException error) {
                        System.out.println("  " + error.getMessage());
                        found = super.loadClass(name, resolve);
                    }
                }
                if (resolve) {
                    resolveClass(found);
                }
                return found;
            }
        }
    }

    interface Load {
        Class<?> load() throws Throwable;
    }

    static void tried(String what, Load load) {
        System.out.println(what);
        try {
            Class<?> found = load.load();
            boolean isOfApp = found.getClassLoader() == LibOwnLoaders.class.getClassLoader();
            System.out.println("  " + found + " " + isOfApp);
        } catch (Throwable error) {
            System.out.println("  " + error + " " + error.getCause());
        }
    }

    public static void main(String[] words) {
        ClassLoader app = LibOwnLoaders.class.getClassLoader();
        for (ClassLoader own : new ClassLoader[] {new Own(null), new Parallel(), new ParentLast(), new Own(app)}) {
            System.out.println(own.getClass().getName());
            tried("load", () -> own.loadClass("LibOwnLoaders$Target"));
            tried("again", () -> own.loadClass("LibOwnLoaders$Target"));
            tried("by name", () -> Class.forName("LibOwnLoaders$Other", false, own));
            tried("again", () -> Class.forName("LibOwnLoaders$Other", false, own));
            tried("initialized", () -> Class.forName("LibOwnLoaders$Target", true, own));
            tried("array", () -> Class.forName("[LLibOwnLoaders$Own;", true, own));
            tried("library", () -> Class.forName("java.util.BitSet", true, own));
            tried("none", () -> Class.forName("none.Such", true, own));
            tried("none", () -> own.loadClass("LibOwnLoaders$None"));
            tried("no name", () -> own.loadClass("LibOwnLoaders/None"));
        }
    }
}
