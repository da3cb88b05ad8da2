/** Where an initializer's exception goes: the operation that needs the class stands first in what is covered, or last. */
public class ErrorInitHandlers {
    static final Object LOCK = new Object();

    static class First {
        static int value = 1 / Integer.parseInt("0");
    }

    static class Second {
        static int value = 1 / Integer.parseInt("0");
    }

    static class Third {
        static int value = 1 / Integer.parseInt("0");

        static void touch() {}
    }

    static class Fourth {
        static int value = 1 / Integer.parseInt("0");

        static void touch() {}
    }

    static class Tells {
        static int value;

        static {
            new Exception("from an initializer").printStackTrace();
        }

        static void touch() {}
    }

    static class Last {
        static int value = 1 / Integer.parseInt("0");
    }

    static void locked() {
        synchronized (LOCK) {
            Second.value++;
        }
    }

    static void counted(int[] counts) {
        try {
            Third.touch();
        } finally {
            counts[0]++;
        }
    }

    static void nested(int count) {
        try {
            count++;
        } catch (Throwable thrown) {
            System.out.println("the handler before it");
            return;
        }
        try {
            Fourth.touch();
        } catch (Throwable thrown) {
            System.out.println("its own handler");
        }
    }

    public static void main(String[] args) {
        int count = args.length;
        if (count == 0) try { First.value++; } catch (Throwable thrown) { System.out.println("caught " + thrown); }
        try {
            count++;
            locked();
        } catch (Throwable thrown) {
            System.out.println("held " + Thread.holdsLock(LOCK));
        }
        int[] counts = new int[1];
        try {
            count++;
            counted(counts);
        } catch (Throwable thrown) {
            System.out.println("finally " + counts[0]);
        }
        nested(count);
        count += 2;
        Tells.value = 3;
        count++;
        try { count++; } catch (ExceptionInInitializerError thrown) { System.out.println("not its handler"); }
        Last.value = count;
    }
}
