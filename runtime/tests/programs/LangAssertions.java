/** A class checks its assertions, and those of classes within it, as its loader says when it is initialized. */
public class LangAssertions {
    static void tell(String what, boolean checks, Class<?> of) {
        System.out.println(what + ": " + checks + " " + of.desiredAssertionStatus());
    }

    public static void main(String[] words) {
        for (Class<?> of : new Class<?>[] {LangAssertions.class, LangAssertions[].class, String.class, int.class}) {
            System.out.println(of + " " + of.desiredAssertionStatus());
        }
        ClassLoader app = LangAssertions.class.getClassLoader();
        app.setClassAssertionStatus("On", true);
        tell("a class", On.is(), On.class);
        tell("another", Off.is(), Off.class);
        app.setDefaultAssertionStatus(true);
        tell("all, too late", Off.is(), Off.class);
        tell("all", Constant.ONE.is(), LangAssertions[].class);
        app.setPackageAssertionStatus(null, false);
        tell("a package", Between.is(), Between.class);
        app.clearAssertionStatus();
        tell("none", Cleared.is(), On.class);
        OwnLoader own = new OwnLoader();
        own.setDefaultAssertionStatus(true);
        own.setPackageAssertionStatus("a.b", true);
        own.setClassAssertionStatus("Failing", false);
        app.setDefaultAssertionStatus(true);
        tell("the library", On.is(), String.class);
        new Failing().take(1);
        new Failing().take(-1);
    }
}

class On {
    static boolean is() {
        boolean is = false;
        assert is = true;
        return is;
    }
}

class Off {
    static boolean is() {
        boolean is = false;
        assert is = true;
        return is;
    }
}

interface Between {
    static boolean is() {
        boolean is = false;
        assert is = true;
        return is;
    }
}

enum Constant {
    ONE;

    boolean is() {
        boolean is = false;
        assert is = true;
        return is;
    }
}

class Cleared {
    static boolean is() {
        boolean is = false;
        assert is = true;
        return is;
    }
}

class Failing {
    void take(int count) {
        assert count >= 0 : "negative: " + count;
    }
}

class OwnLoader extends ClassLoader {}
