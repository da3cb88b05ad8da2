/// A loader that asks itself for longer and longer names.
public class LibLoadersDeep extends ClassLoader {
    int depth;

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
        depth++;
        return Class.forName(name + "x", true, this);
    }

    public static void main(String[] words) throws Exception {
        LibLoadersDeep loader = new LibLoadersDeep();
        try {
            Class.forName("a", true, loader);
        } catch (StackOverflowError error) {
            System.out.println((loader.depth > 100) + " " + Thread.holdsLock(loader));
        }
    }
}
