// Classes that fail since a superclass fails, and arrays of more elements than any may have.
public class ErrorInitSuper {
    static class Top {
        static int x = 1 / zero();

        static int zero() {
            return 0;
        }
    }

    static class Middle extends Top {
        static int y = 4;
    }

    static class Bottom extends Middle {
        static int z = 5;
    }

    static class Late extends Middle {
        static int w = 6;
    }

    static class Own {
        static {
            if (Bottom.class != null) {
                throw new OutOfMemoryError("by hand");
            }
        }
    }

    static class OwnChild extends Own {
        static int v = 7;
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (Error e) {
            System.out.println(e);
            System.out.println("  cause " + e.getCause());
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 2; i++) {
            attempt(() -> System.out.println(Bottom.z));
        }
        attempt(() -> System.out.println(Middle.y));
        attempt(() -> System.out.println(Late.w));
        attempt(() -> System.out.println(Late.w));
        attempt(() -> System.out.println(Top.x));
        for (int i = 0; i < 2; i++) {
            attempt(() -> System.out.println(OwnChild.v));
        }
        attempt(() -> new Own());
        attempt(() -> System.out.println(new int[Integer.MAX_VALUE].length));
        attempt(() -> System.out.println(new Object[Integer.MAX_VALUE - 1].length));
        System.out.println(new Top());
    }
}
