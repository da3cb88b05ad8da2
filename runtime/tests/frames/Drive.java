import java.util.stream.Collectors;

/** Uses the methods of Seed in all ways that there are, and tells what they see. */
public class Drive {
    public static void main(String[] words) throws Exception {
        System.out.print(run());
    }

    static String run() throws Exception {
        Class<?> seed = Class.forName("Seed");
        for (String name : new String[] {"many", "through", "gives", "throughGives", "loses", "hides"}) {
            try {
                Acts.add(name);
                Acts.add(seed.getMethod(name, String.class, long.class).invoke(null, "given", 7L).toString());
            } catch (java.lang.reflect.InvocationTargetException e) {
                Acts.add(e.getCause().toString());
            }
            Acts.add(Thread.holdsLock(seed) ? "held" : "free");
        }
        Acts.add("constructor");
        ClassLoader loader = (ClassLoader) seed.getConstructor(String.class, long.class).newInstance("given", 7L);
        Acts.add(Class.forName("Drive", false, loader).getName());
        Acts.add(Class.forName("Acts", false, loader).getName());
        Acts.add(Thread.holdsLock(loader) ? "held" : "free");
        return Acts.told.toString();
    }
}

/** What those do meanwhile. */
class Acts {
    static StringBuilder told = new StringBuilder();

    static void act() {
        byte[][] some = new byte[100][];
        for (int at = 0; at < some.length; at++) {
            some[at] = new byte[at];
        }
        System.gc();
        add(StackWalker.getInstance().walk(all ->
            all.limit(2).map(frame -> frame.getMethodName()).collect(Collectors.joining(" of "))));
        add(new Throwable().getStackTrace()[1].getMethodName());
        Thread.yield();
    }

    static void add(String text) {
        told.append(text).append('\n');
    }

    static void add(long number) {
        told.append(number).append('\n');
    }

    static void fail() {
        throw new IllegalStateException("failed");
    }

    /** No String. */
    static Object number() {
        return Integer.valueOf(1 << 20);
    }

    /** Asks the loader for what it is being asked for. */
    static Class<?> load(ClassLoader loader, String name) throws ClassNotFoundException {
        try {
            add(name);
            Class.forName(name, false, loader);
        } catch (ClassCircularityError error) {
            add(error.toString());
        }
        return Class.forName(name);
    }
}
