// A class is begun before those above it are: whoever needs it meanwhile, in the same thread, uses it as it is.
public class LangInitOrder {
    static void say(String text) {
        System.out.println(text);
    }

    static class Above {
        static int x = 5;

        static {
            say("Above " + x + " " + Below.constant + Below.text + " " + Below.y);
            Below.touch();
        }
    }

    static class Below extends Above {
        static final int constant = 7;
        static final String text = "seven";
        static int y = Above.x + 1;

        static {
            say("Below " + y);
        }

        static void touch() {
            say("touched " + y);
            y = 100;
        }
    }

    // From above: what is below comes while the superclass is not done.
    static class First {
        static int x = 5;

        static {
            say("First " + Second.y);
            x = 6;
        }
    }

    static class Second extends First {
        static int y = First.x + 1;

        static {
            say("Second " + y);
        }
    }

    static class Top {
        static {
            say("Top makes " + new Bottom().name());
        }
    }

    static class Middle extends Top {
        static String name = "Middle";

        static {
            say("Middle knows " + Bottom.name);
        }
    }

    static class Bottom extends Middle {
        static String name = "Bottom";

        static {
            say("Bottom knows " + Middle.name);
        }

        String name() {
            return name + " and " + Middle.name;
        }
    }

    interface Speaks {
        int SPOKEN = spoken();

        static int spoken() {
            say("Speaks makes " + Speaker.y);
            return 1;
        }

        default void speak() {
            say("spoken " + SPOKEN);
        }
    }

    static class Base {
        static {
            say("Base");
        }
    }

    static class Speaker extends Base implements Speaks {
        static int y = 3;

        static {
            say("Speaker " + y);
        }
    }

    // The same from the interface's side: the superclass runs, then the class, while the interface is not done.
    interface Hears {
        int HEARD = heard();

        static int heard() {
            say("Hears makes " + Hearer.y);
            return 1;
        }

        default void hear() {
        }
    }

    static class Calm {
        static {
            say("Calm");
        }
    }

    static class Hearer extends Calm implements Hears {
        static int y = 4;

        static {
            say("Hearer " + y);
        }
    }

    // Interfaces: each after those that it extends.
    interface Lowest {
        int LOWEST = told("Lowest");

        default void lowest() {
        }
    }

    interface Left extends Lowest {
        int LEFT = told("Left");

        default void left() {
        }
    }

    interface Silent extends Lowest {
        int SILENT = told("Silent");

        void silent();
    }

    interface Right extends Silent, Left {
        int RIGHT = told("Right");

        default void right() {
        }
    }

    interface Hidden {
        int HIDDEN = told("Hidden");

        private void hidden() {
        }
    }

    static class Both implements Right, Speaks, Hidden {
        static {
            say("Both");
        }

        public void silent() {
        }
    }

    // What an interface of the superclass needs comes with the superclass.
    interface Asks {
        int ASKED = told("Asks");

        default void ask() {
        }
    }

    static class Begins {
        static {
            say("Begins makes " + new Answers().answer());
        }
    }

    static class Asking extends Begins implements Asks {
        static {
            say("Asking");
        }
    }

    static class Answers extends Asking {
        static String text = "an answer";

        String answer() {
            return text;
        }
    }

    static int told(String text) {
        say(text);
        return text.length();
    }

    // One that is used while its superclass fails.
    static class Fails {
        static {
            say("Fails uses " + Child.y);
            Child.y = 1;
            if (Child.y == 1) {
                throw new IllegalStateException("above");
            }
        }
    }

    static class Child extends Fails {
        static int y = 2;

        static {
            say("never");
        }
    }

    // Of a superclass that failed before, and itself without an initializer.
    static class Grandchild extends Child {
    }

    // By reflection.
    static class Encloses {
        static {
            Enclosed.run();
        }
    }

    static class Enclosed extends Encloses {
        static String text = "run";

        static {
            say("Enclosed");
        }

        public static void run() {
            say("" + text);
        }
    }

    // Without an initializer of its own.
    static class Plain {
        static {
            say("Plain makes " + new PlainChild());
        }
    }

    static class PlainChild extends Plain {
        public String toString() {
            return "a child";
        }
    }

    public static void main(String[] args) {
        say("y " + Below.y);
        say("x " + First.x + " y " + Second.y);
        say(new Bottom().name());
        say("y " + Speaker.y);
        say("heard " + Hears.HEARD + " " + Hearer.y);
        for (int i = 0; i < 2; i++) {
            try {
                say("y " + Child.y);
            } catch (Throwable thrown) {
                say(thrown + ", " + thrown.getCause());
            }
        }
        say("" + new PlainChild());
        new Both();
        new Asking();
        try {
            Class.forName("LangInitOrder$Grandchild");
        } catch (Throwable thrown) {
            say(thrown + ", " + thrown.getCause());
        }
        try {
            new Grandchild();
        } catch (Throwable thrown) {
            say(thrown.toString());
            say(thrown.getCause().toString());
        }
        try {
            Enclosed.class.getDeclaredMethod("run").invoke(null);
        } catch (Throwable thrown) {
            say(thrown.toString());
        }
    }
}
