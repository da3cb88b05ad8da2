/** Loaders that ask others of their kind for the class of which they were asked, and one that asks itself. */
public class LibLoadersNested {
    static class Asking extends ClassLoader {
        final ClassLoader other;

        Asking(ClassLoader other) {
            this.other = other;
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            System.out.println((other == null ? "last" : "next") + " " + name);
            return other == null ? super.loadClass(name) : Class.forName(name, false, other);
        }
    }

    static class Circular extends ClassLoader {
        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            return Class.forName(name, false, this);
        }
    }

    static class Wanted {}

    public static void main(String[] words) throws Exception {
        ClassLoader loader = new Asking(new Asking(new Asking(null)));
        System.out.println(Class.forName("LibLoadersNested$Wanted", true, loader));
        System.out.println(Class.forName("[LLibLoadersNested$Wanted;", true, loader));
        try {
            System.out.println(Class.forName("LibLoadersNested$Wanted", true, new Circular()));
        } catch (ClassCircularityError error) {
            System.out.println(error);
        }
    }
}
