public class LangInitInterfaces {
    static String log(String s) {
        System.out.println("init " + s);
        return s;
    }

    interface Plain {
        String P = log("Plain");
    }

    interface WithDefault {
        String D = log("WithDefault");

        default void d() {}
    }

    interface Above {
        String A = log("Above");

        default void a() {}
    }

    interface Below extends Above, Plain {
        String B = log("Below");
    }

    interface Constant {
        int N = 5;
        String T = "text";
        String X = log("Constant");
    }

    static class One implements Plain, WithDefault {
        static String s = log("One");
    }

    static class Two implements Below {
        static String s = log("Two");
    }

    static class Three extends One implements Constant {
        static String s = log("Three");
    }

    interface Static {
        String S = log("Static");

        static int f() {
            return 3;
        }
    }

    enum Kind {
        A, B;

        static {
            log("Kind " + A + B);
        }

        final String mine = "of " + LangInitInterfaces.log("constructor " + name());
    }

    record Rec(int n) {
        static String s = log("Rec");
    }

    public static void main(String[] args) {
        System.out.println(Constant.N + Constant.T);
        System.out.println(new One() != null);
        System.out.println(One.P);
        System.out.println(new Two() != null);
        System.out.println(Two.B);
        System.out.println(new Three() instanceof Constant);
        System.out.println(Three.N);
        System.out.println(Three.X);
        System.out.println(Static.f());
        System.out.println(Kind.B.mine);
        System.out.println(new Rec(1));
        WithDefault lambda = new WithDefault() {};
        lambda.d();
        Runnable r = () -> System.out.println(Inside.text);
        System.out.println("before the lambda");
        r.run();
    }

    static class Inside {
        static String text = log("Inside");
    }
}
