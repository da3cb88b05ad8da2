import java.util.function.Function;

public class LangForName {
    static class Begun {
        static {
            System.out.println("Begun is initialized");
        }
    }

    static class Failing {
        static {
            fail();
        }

        static void fail() {
            throw new IllegalStateException("initializer");
        }
    }

    static class Other {}

    /// Gives what a function makes of a name.
    static class Giving extends ClassLoader {
        Function<String, Class<?>> gives;
        /// Not those of the runtime.
        int[] carnet$given = {1, 2, 3};
        Object parallelLockMap = "mine";

        Giving(Function<String, Class<?>> gives) {
            super(LangForName.class.getClassLoader());
            this.gives = gives;
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            System.out.println("asked for " + name + (Thread.holdsLock(this) ? ", locked" : ""));
            return gives.apply(name);
        }

        Class<?> known(String name) {
            return findLoadedClass(name);
        }
    }

    static class Parallel extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        int calls;

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            System.out.println("asked for " + name + (Thread.holdsLock(this) ? ", locked" : ""));
            return ++calls < 4 ? Class.forName(name, false, this) : Begun.class;
        }
    }

    static class Locking extends Parallel {
        static {
            registerAsParallelCapable();
        }

        @Override
        public synchronized Class<?> loadClass(String name) throws ClassNotFoundException {
            System.gc();
            return super.loadClass(name);
        }
    }

    interface Work {
        Object run() throws Throwable;
    }

    @SuppressWarnings("unchecked")
    static <X extends Throwable> RuntimeException sneak(Throwable error) throws X {
        throw (X) error;
    }

    static void tried(Work work) {
        try {
            System.out.println(work.run());
        } catch (Throwable error) {
            System.out.println(error + " because of " + error.getCause());
            StackTraceElement[] trace = error.getStackTrace();
            for (int at = 0; !(error instanceof ExceptionInInitializerError) && at < 6 && !trace[at].getMethodName().equals("tried"); at++) {
                // Loaders of the library are the runtime's own with some.
                boolean isLoader = trace[at].getClassName().startsWith("jdk.") || trace[at].getClassName().contains("java.lang.ClassL");
                if (!isLoader && !trace[at].getMethodName().startsWith("lambda")) {
                    System.out.println("    " + trace[at]);
                }
            }
        }
    }

    static void gives(String name, Class<?> given) {
        tried(() -> Class.forName(name, true, new Giving(asked -> given)));
    }

    static Class<?> again(String name, ClassLoader loader) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException error) {
            throw new RuntimeException(error);
        }
    }

    static void names() {
        ClassLoader app = LangForName.class.getClassLoader();
        ClassLoader[] loaders = {app, app.getParent(), null, new Giving(asked -> null)};
        String[] names = {"a.B", "a..b", "a/b", "a;b", "[La.B;", "[[La.B;", "[La..b;", "LangForName", "[LLangForName;",
            "<init>", "1a", "a-b", "a b", ".a", "a.", ".", "[", "[V", "[[V", "[L;", "[La.B", "", "int", "[I",
            "Ljava.lang.String;", "java.lang.String", "[[Ljava.lang.String;"};
        for (ClassLoader loader : loaders) {
            for (String name : names) {
                tried(() -> Class.forName(name, false, loader));
            }
        }
        tried(() -> Class.forName(null, false, new Giving(asked -> null)));
    }

    static void given() {
        gives("a.B", null);
        gives("a.B", String.class);
        gives("a.B", int.class);
        gives("int", int.class);
        gives("void", void.class);
        gives("java.lang.String", String[].class);
        gives("java.lang.String", String.class);
        gives("[Ljava.lang.String;", String[].class);
        gives("[Ljava.lang.String;", String.class);
        gives("[[I", int[][].class);
        gives("[[LLangForName$Other;", Other.class);
        gives("[[LLangForName$Other;", Other[].class);
        gives("[La.B;", null);
        Runnable made = () -> {};
        gives("LangForName$$Lambda", made.getClass());
        tried(() -> Class.forName("LangForName$Begun", false, new Giving(asked -> Begun.class)));
        gives("LangForName$Begun", Begun.class);
        gives("LangForName$Begun", Begun.class);
        gives("LangForName$Failing", Failing.class);
        gives("LangForName$Failing", Failing.class);
        tried(() -> Class.forName("a.C", true, new Giving(asked -> {
            throw new RuntimeException("mine");
        })));
        tried(() -> Class.forName("[La.C;", true, new Giving(asked -> {
            throw sneak(new ClassNotFoundException("my words"));
        })));
    }

    static void remembered() {
        Giving loader = new Giving(asked -> Other.class);
        System.out.println(loader.known("LangForName$Other"));
        tried(() -> Class.forName("LangForName$Other", true, loader));
        loader.gives = asked -> String.class;
        tried(() -> Class.forName("LangForName$Other", true, loader));
        tried(() -> Class.forName("[LLangForName$Other;", true, loader));
        tried(() -> Class.forName("LangForName$Begun", true, loader));
        System.out.println(loader.known("LangForName$Other") + " " + loader.known("[LLangForName$Other;") + " "
                + loader.known("LangForName") + " " + loader.known("int") + " " + loader.known("java.lang.String"));
        Class<?>[] many = {Object.class, String.class, Integer.class, Long.class, Short.class, Byte.class, Float.class,
            Double.class, Number.class, Void.class, Boolean.class, Character.class, Math.class};
        for (int round = 0; round < 2; round++) {
            for (Class<?> one : many) {
                loader.gives = asked -> one;
                tried(() -> Class.forName(one.getName(), true, loader) == loader.known(one.getName()));
            }
        }
    }

    static void recursive() throws Exception {
        Giving same = new Giving(null);
        same.gives = asked -> again(asked, same);
        tried(() -> Class.forName("a.B", true, same));
        Giving array = new Giving(null);
        array.gives = asked -> again("[L" + asked + ";", array);
        tried(() -> Class.forName("a.B", true, array));
        Giving longer = new Giving(null);
        longer.gives = asked -> asked.length() < 8 ? again(asked + "x", longer) : null;
        tried(() -> Class.forName("a.B", true, longer));
        Giving caught = new Giving(null);
        caught.gives = asked -> {
            try {
                again(asked, caught);
            } catch (LinkageError error) {
                System.out.println("caught " + error);
            }
            return Other.class;
        };
        tried(() -> Class.forName("LangForName$Other", true, caught));
        tried(() -> Class.forName("LangForName$Begun", true, new Parallel()));
        tried(() -> Class.forName("[LLangForName$Begun;", true, new Locking()));

        Giving shared = new Giving(null);
        Thread second = new Thread(() -> tried(() -> Class.forName("LangForName$Other", true, shared)));
        shared.gives = asked -> {
            second.start();
            while (second.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            return Other.class;
        };
        Class<?> first = Class.forName("LangForName$Other", true, shared);
        second.join();
        System.out.println(first);
        System.out.println(Thread.holdsLock(shared) + " " + Thread.holdsLock(same));
    }

    static void contended() throws Exception {
        Giving loader = new Giving(null) {
            @Override
            public Class<?> loadClass(String name) {
                Thread.yield();
                return Other.class;
            }
        };
        int[] found = new int[1];
        Thread[] threads = new Thread[8];
        for (int at = 0; at < threads.length; at++) {
            threads[at] = new Thread(() -> {
                if (again("LangForName$Other", loader) == Other.class) {
                    synchronized (found) {
                        found[0]++;
                    }
                }
            });
        }
        // All come to wait for its monitor.
        synchronized (loader) {
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.BLOCKED) {
                    Thread.yield();
                }
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(found[0] + " threads");
    }

    public static void main(String[] words) throws Exception {
        contended();
        names();
        given();
        remembered();
        recursive();
    }
}
