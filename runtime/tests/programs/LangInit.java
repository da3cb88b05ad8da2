public class LangInit {
    static int log(String s) {
        System.out.println(s);
        return s.length();
    }

    static class Parent {
        static int a = log("Parent.a");
        int x = log("Parent.x");

        static {
            log("Parent static block, b is " + Parent.b);
        }

        static int b = log("Parent.b");

        {
            log("Parent block");
        }

        Parent() {
            log("Parent()");
            hook();
        }

        void hook() {
            log("Parent.hook");
        }
    }

    static class Child extends Parent {
        static final int CONSTANT = 5;
        static final Integer BOXED = log("Child.BOXED");
        int y = log("Child.y");
        final int z = 9;
        int w = 3;

        Child() {
            super();
            log("Child() " + w);
        }

        @Override void hook() {
            log("Child.hook y=" + y + " z=" + z + " w=" + w);
        }
    }

    static class Lazy {
        static {
            log("Lazy is initialised");
        }

        static final String TEXT = "compile-time";
        static String late = "run-time";

        static void touch() {}
    }

    static class Circular {
        static int first = Other.value + 1;

        static class Other {
            static int value = Circular.first + 10;
        }
    }

    static class Singleton {
        static final Singleton IT = new Singleton();
        static int count = 5;
        int seen;

        Singleton() {
            seen = count;
            count++;
        }
    }

    static class Sub extends Lazy {
        static {
            log("Sub is initialised");
        }
    }

    public static void main(String[] args) throws Exception {
        log("main");
        log("constant " + Child.CONSTANT);
        log("array " + new Child[2].length);
        log("class " + Child.class.getSimpleName());
        Parent p = null;
        log("variable " + (p instanceof Child));
        new Child();
        log("again");
        new Child();
        log(Lazy.TEXT);
        log("through the subclass: " + Sub.late);
        Sub.touch();
        new Sub();
        log(Circular.first + " " + Circular.Other.value);
        log(Singleton.IT.seen + " " + Singleton.count);
        Class.forName("LangInit$Forced", false, LangInit.class.getClassLoader());
        log("found, not forced");
        Class.forName("LangInit$Forced");
        log(Late.class.getName());
        log("" + Late.n);
    }

    static class Forced {
        static {
            log("Forced is initialised");
        }
    }

    static class Late {
        static int n = log("Late.n");
    }

    static {
        log("static block of the main class");
    }
}
