public class ErrorInit {
    static class Bad {
        static int value = Integer.parseInt("x");

        static void touch() {}
    }

    static class Throws {
        static Object o = fail();

        static Object fail() {
            throw new IllegalStateException("in the initialiser");
        }
    }

    static class Failing {
        static {
            if (true) {
                throw new StackOverflowError("an error passes as it is");
            }
        }
    }

    static class Child extends Throws {
        static int n = 1;
    }

    interface WithField {
        int N = Integer.parseInt("y");

        static void touch() {}
    }

    interface Op {
        void run() throws Throwable;
    }

    static void attempt(Op op) {
        try {
            op.run();
            System.out.println("no error");
        } catch (Throwable t) {
            System.out.println(t);
            if (t.getCause() != null) {
                System.out.println("  cause " + t.getCause());
            }
        }
    }

    public static void main(String[] args) {
        attempt(() -> System.out.println(Bad.value));
        attempt(() -> System.out.println(Bad.value));
        attempt(Bad::touch);
        attempt(() -> new Bad());
        attempt(() -> System.out.println(Throws.o));
        attempt(() -> System.out.println(Child.n));
        attempt(() -> new Child());
        attempt(Failing::new);
        attempt(Failing::new);
        attempt(() -> System.out.println(WithField.N));
        attempt(WithField::touch);
        attempt(() -> Class.forName("NoSuchClass"));
        attempt(() -> Class.forName("no.such.Thing", false, ErrorInit.class.getClassLoader()));
        attempt(() -> Class.forName("ErrorInit$Bad"));
        attempt(() -> System.out.println(Class.forName("ErrorInit$Bad", false, ErrorInit.class.getClassLoader()).getName()));
        attempt(() -> ErrorInit.class.getDeclaredMethod("absent"));
        attempt(() -> ErrorInit.class.getDeclaredField("absent"));
        System.out.println(new Bad[1].length + Bad.class.getSimpleName());
    }
}
