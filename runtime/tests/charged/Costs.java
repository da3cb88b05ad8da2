import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.util.zip.*;

/** Loops that never end, each of which has the runtime do something again and again. */
class Costs {
    static Object sink;
    static int at;
    int number;

    public static void main(String[] words) throws Exception {
        Object count = Costs.class.getDeclaredMethod(words[0]).invoke(null);
        System.exit(count == null ? 0 : (Integer) count);
    }

    static void nothing() {}

    static int plain() {
        int[] few = new int[8];
        for (int sum = 0;;) {
            few[sum & 7] = sum = sum * 31 + few[at & 7];
        }
    }

    static class Giving extends ClassLoader {
        @Override
        public Class<?> loadClass(String name) {
            return String.class;
        }
    }

    static int asked() throws Exception {
        return asked(0);
    }

    static int askedDeep() throws Exception {
        return asked(1000);
    }

    static int asked(int calls) throws Exception {
        if (calls > 0) {
            return asked(calls - 1);
        }
        for (int count = 0; count < 100; count++) {
            Class.forName("java.lang.String", false, new Giving());
        }
        return 0;
    }

    static int seededLittle() {
        return seeded(1);
    }

    static int seededMuch() {
        return seeded(1 << 20);
    }

    static int seeded(int bytes) {
        new java.security.SecureRandom().generateSeed(bytes);
        return 0;
    }

    static int collectedFew() {
        return collected(0);
    }

    static int collectedMany() {
        return collected(20_000);
    }

    static int collected(int count) {
        Object[] many = new Object[count];
        for (int at = 0; at < count; at++) {
            many[at] = new Object();
        }
        for (int times = 0; times < 100; times++) {
            System.gc();
        }
        sink = many;
        return 0;
    }

    static int clonedOnce() {
        return cloned(1);
    }

    static int clonedOften() {
        return cloned(21);
    }

    static int cloned(int times) {
        long[] large = new long[1 << 20];
        for (int count = 0; count < times; count++) {
            sink = large.clone();
        }
        return 0;
    }

    static void missing() {
        for (;;) {
            try {
                Class.forName("a.b.C");
            } catch (ClassNotFoundException error) {
                sink = error;
            }
        }
    }

    static void loaded() throws Exception {
        for (;;) {
            sink = Class.forName("java.util.List");
        }
    }

    static void yields() {
        for (;;) {
            Thread.yield();
        }
    }

    static void waiting() {
        Object lock = new Object();
        for (int count = 0; count < 20; count++) {
            new Thread(() -> fought(lock)).start();
        }
        fought(lock);
    }

    static void fought(Object lock) {
        for (;;) {
            synchronized (lock) {
                Thread.yield();
            }
        }
    }

    static void sleeps() throws Exception {
        for (;;) {
            Thread.sleep(0);
        }
    }

    static void loader() {
        for (;;) {
            sink = Thread.currentThread().getContextClassLoader();
            sink = Costs.class.getClassLoader();
        }
    }

    static void resource() {
        for (;;) {
            sink = String.class.getResourceAsStream("none");
        }
    }

    static void divided() {
        for (;;) {
            try {
                at /= at - at;
            } catch (ArithmeticException error) {
                sink = error;
            }
        }
    }

    static void cast() {
        Object text = "text";
        for (;;) {
            try {
                at = (Integer) text;
            } catch (ClassCastException error) {
                sink = error;
            }
        }
    }

    static void copied() {
        Object[] texts = new String[1000];
        java.util.Arrays.fill(texts, "text");
        Object[] from = java.util.Arrays.copyOf(texts, 1000, Object[].class);
        for (Comparable<?>[] to = new Comparable<?>[1000];;) {
            System.arraycopy(from, 0, to, 0, 1000);
        }
    }

    static void deep() {
        deep(500);
    }

    static void deep(int calls) {
        if (calls > 0) {
            deep(calls - 1);
            return;
        }
        for (;;) {
            sink = new Exception();
        }
    }

    static void inflater() {
        for (Inflater inflater = new Inflater();;) {
            inflater.reset();
        }
    }

    static void deflated() {
        byte[] text = new byte[20_000], packed = new byte[30_000];
        for (int at = 0; at < text.length; at++) {
            text[at] = (byte) (at * at >> at % 13 & 3);
        }
        for (Deflater deflater = new Deflater(9);;) {
            deflater.setInput(text);
            deflater.finish();
            deflater.deflate(packed);
            deflater.reset();
        }
    }

    /** How many there may be at a time. */
    static int deflaters() {
        for (Deflater[] all = new Deflater[100];; at++) {
            try {
                all[at] = new Deflater();
            } catch (OutOfMemoryError error) {
                return at;
            }
        }
    }

    /** What is garbage is not of those. */
    static int garbage() {
        for (int count = 0; count < 1000; count++) {
            sink = new Inflater();
            sink = new Deflater();
        }
        return 0;
    }

    static void remainder() {
        for (double number = 1e300;;) {
            sink = Math.IEEEremainder(number, 3.7);
        }
    }

    static void variable() throws Exception {
        for (;;) {
            sink = MethodHandles.lookup().findVarHandle(Costs.class, "number", int.class);
        }
    }

    static void dimensions() {
        for (int[] lengths = new int[200];;) {
            sink = Array.newInstance(Costs.class, lengths);
        }
    }
}
