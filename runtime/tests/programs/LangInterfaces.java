public class LangInterfaces {
    interface Named {
        String PREFIX = "named ";

        String name();

        default String greet() {
            return PREFIX + helper(name());
        }

        private String helper(String s) {
            return "[" + s + "]" + tail();
        }

        private static String tail() {
            return "!";
        }

        static Named of(String s) {
            return () -> s;
        }
    }

    interface Loud extends Named {
        @Override default String greet() {
            return Named.super.greet().toUpperCase();
        }
    }

    interface Quiet extends Named {
        @Override default String greet() {
            return "psst " + Named.super.greet();
        }
    }

    static class Both implements Loud, Quiet {
        public String name() {
            return "both";
        }

        @Override public String greet() {
            return Loud.super.greet() + " " + Quiet.super.greet();
        }
    }

    static class Base {
        public String greet() {
            return "base class wins";
        }
    }

    static class Wins extends Base implements Loud {
        public String name() {
            return "wins";
        }
    }

    interface A {
        default int n() {
            return 1;
        }
    }

    interface B extends A {
        default int n() {
            return 2 + A.super.n();
        }
    }

    static class C implements A {}

    static class D extends C implements B {}

    interface Generic<T> {
        T get();

        default Generic<String> text() {
            return () -> "text of " + get();
        }
    }

    interface Clash {
        boolean equals(Object o);

        String toString();
    }

    public static void main(String[] args) {
        Named n = Named.of("lambda");
        System.out.println(n.greet() + " " + n.name());
        Loud l = () -> "loud";
        System.out.println(l.greet());
        System.out.println(new Both().greet());
        Named w = new Wins();
        System.out.println(w.greet() + " " + ((Base) w).greet());
        A a = new D();
        System.out.println(a.n() + " " + new C().n() + " " + new B() {}.n());
        Generic<Integer> g = () -> 42;
        System.out.println(g.text().get() + " " + g.text().text().get());
        Clash c = new Clash() {
            @Override public String toString() {
                return "clash";
            }
        };
        System.out.println(c + " " + c.equals(c) + " " + c.equals(null));
        Object o = new Both();
        System.out.println((o instanceof Loud) + " " + (o instanceof Quiet q ? q.name() : "no") + " " + (o instanceof Runnable));
        for (Class<?> i : Both.class.getInterfaces()) {
            System.out.println(i.getName() + " " + i.isInterface());
        }
        CharSequence cs = "chars";
        Comparable<String> comparable = "b";
        System.out.println(cs.length() + " " + cs.charAt(1) + " " + comparable.compareTo("a"));
    }
}
