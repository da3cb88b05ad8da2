import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** Each method wants more of something than there is, and none lets itself be stopped by what it can catch. */
public class Greedy {
    static int count;
    static Object[] kept = new Object[1 << 16];

    static int add(int one, int other) {
        return one + other;
    }

    static synchronized boolean isHeld() {
        return Thread.holdsLock(Greedy.class);
    }

    static long wide(long one, double other, String text, float last) {
        return one + (long) other + text.length() + (long) last;
    }

    static String twice(String text) {
        return text.concat(text);
    }

    static void refuse(String why) {
        throw new IllegalStateException(why);
    }

    static void spin() {
        for (;;) {
            try {
                for (;;) {
                    count++;
                }
            } catch (Throwable thrown) {
                count = 0;
            } finally {
                spin();
            }
        }
    }

    static void throwing() {
        for (;;) {
            try {
                throw new RuntimeException();
            } catch (Throwable thrown) {
                continue;
            } finally {
                count++;
            }
        }
    }

    static void copies() {
        byte[] bytes = new byte[4 << 20];
        for (;;) {
            System.arraycopy(bytes, 0, bytes, 1, bytes.length - 1);
        }
    }

    static void arrays() {
        for (;;) {
            kept[0] = new byte[1 << 20];
        }
    }

    static void checksums(Checksum sum) {
        byte[] bytes = new byte[1 << 22];
        for (;;) {
            sum.update(bytes);
        }
    }

    static void crc() {
        checksums(new CRC32());
    }

    static void adler() {
        checksums(new Adler32());
    }

    static void exported() {
        Module module = Greedy.class.getModule();
        String text = "a".repeat(1 << 20);
        for (;;) {
            module.isExported(text);
        }
    }

    static void named() {
        String text = "a".repeat(1 << 20);
        for (;;) {
            try {
                Class.forName(text);
            } catch (ClassNotFoundException error) {
                count++;
            }
        }
    }

    static int memory() {
        Object[] list = null;
        for (;;) {
            try {
                list = new Object[] {list, new int[100]};
                count++;
            } catch (OutOfMemoryError error) {
                list = null;
                return count;
            }
        }
    }

    /** Fills memory with what is small, here and in a call, and needs some to tell of it. */
    static int small() {
        int caught = 0;
        Object[] list = null;
        try {
            for (;;) {
                list = new Object[] {list};
            }
        } catch (OutOfMemoryError error) {
            list = null;
            caught += error.getMessage().concat(" caught").length();
        }
        for (int round = 0; round < 3; round++) {
            try {
                links();
            } catch (OutOfMemoryError error) {
                caught += error.getMessage().concat(" caught").length();
            }
        }
        return caught;
    }

    static void links() {
        Object[] list = null;
        for (;;) {
            list = new Object[] {list};
        }
    }

    static void memoryAgain() {
        for (;;) {
            memory();
        }
    }

    static void errors() {
        Object[] list = null;
        try {
            for (;;) {
                list = new Object[] {list};
            }
        } catch (OutOfMemoryError error) {
            kept[0] = list;
        }
        for (int at = 1;; at++) {
            try {
                kept[1] = new byte[1 << 30];
            } catch (OutOfMemoryError error) {
                kept[at] = error;
            }
        }
    }

    static int large(int width) {
        int thrown = 0;
        for (int count : new int[] {Integer.MAX_VALUE, (1 << 29) - 2, 1 << 29, (1 << 30) + 1}) {
            try {
                kept[0] = width == 8 ? new long[count] : width == 4 ? new int[count] : new Object[count][3];
            } catch (OutOfMemoryError error) {
                thrown++;
            }
        }
        return thrown;
    }

    static void strings() {
        String text = "";
        for (int at = 0;; at++) {
            text = text.concat("0123456789");
            kept[at & 0xffff] = text;
        }
    }

    static void interned() {
        char[] text = new char[200];
        for (;;) {
            count++;
            for (int at = 0, rest = count; rest != 0; at++, rest >>>= 4) {
                text[at] = (char) ('a' + (rest & 15));
            }
            new String(text).intern();
        }
    }

    /** How many texts of a million chars are the same when they are interned again. */
    static int keepInterned() {
        int same = 0;
        String text = "a".repeat(1 << 20);
        for (int at = 0; at < 100; at++) {
            String one = text.concat(String.valueOf(at)).intern();
            String other = text.concat(String.valueOf(at)).intern();
            kept[at] = one;
            same += one == other ? 1 : 0;
        }
        return same;
    }

    static int deep() {
        return deep() + 1;
    }

    static int depth() {
        try {
            return depth() + 1;
        } catch (StackOverflowError error) {
            return 1;
        }
    }

    static void deepAgain() {
        for (;;) {
            try {
                deep();
            } catch (Throwable thrown) {
                count++;
            }
        }
    }

    static void locked(int rest) {
        synchronized (new Object()) {
            if (rest > 0) {
                locked(rest - 1);
            }
        }
    }

    static void sleep() throws InterruptedException {
        for (;;) {
            try {
                Thread.sleep(1_000_000);
            } catch (Throwable thrown) {
                count++;
            }
        }
    }

    static ArrayList<Thread> begun = new ArrayList<>();

    /** Threads that each go as deep as they can, and wait there. */
    public static void main(String[] words) throws Exception {
        try {
            for (;;) {
                Thread thread = new Thread(() -> down(1, 2, 3, 4, 5, 6, 7, 8));
                thread.start();
                begun.add(thread);
                Thread.yield();
            }
        } catch (OutOfMemoryError error) {
            System.out.println(begun.size() + " " + error.getMessage());
        }
        System.exit(3);
    }

    static void down(long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            down(h, a, b, c, d, e, f, g);
        } catch (StackOverflowError error) {
            for (;;) {
                try {
                    Thread.sleep(1_000_000);
                } catch (Throwable thrown) {
                    count++;
                }
            }
        }
    }
}

/** Its initializer needs a frame and no more. */
class Shallow {
    static Object made = Shallow.class;

    static boolean isMade() {
        return made != null;
    }
}

class Within {
    /** What errors need is there before. */
    static Throwable first = new Throwable();

    static boolean below(int calls) {
        return calls > 0 ? below(calls - 1) : Shallow.isMade();
    }

    static String tried(int calls) {
        try {
            return below(calls) ? "made" : "not made";
        } catch (Throwable thrown) {
            return thrown.getClass().getName();
        }
    }

    /** What comes of a class that is used within so many calls first, and then within none. */
    static String of(int calls) {
        return tried(calls).concat(" ").concat(tried(0));
    }
}

class Failing {
    static int times;
    static OutOfMemoryError error = new OutOfMemoryError(new String(new char[1000]));

    static int fail() {
        times++;
        throw error;
    }

    /** Fails many classes, of each of which something is kept, where there is no memory. */
    static int all() {
        Object[] list = null;
        try {
            for (;;) {
                list = new Object[] {list};
            }
        } catch (OutOfMemoryError full) {
            while (times < 100) {
                try {
                    Fails.use(times);
                } catch (OutOfMemoryError failed) {
                    continue;
                }
            }
        }
        return list.length;
    }
}

class Small {
    public static void main(String[] words) {
        System.exit(Greedy.small());
    }
}

/** Proxies of the same interfaces in ever another order, each of which is a class; it ends with how many there were. */
class Proxies {
    static int proxies() {
        Class<?>[] all = {
            Runnable.class, Comparable.class, CharSequence.class, Iterable.class, AutoCloseable.class, Cloneable.class
        };
        for (int made = 0;; made++) {
            Class<?>[] some = new Class<?>[all.length];
            for (int at = 0, rest = made; at < all.length; at++) {
                int place = rest % (at + 1);
                rest /= at + 1;
                some[at] = some[place];
                some[place] = all[at];
            }
            try {
                Proxy.newProxyInstance(null, some, (proxy, method, with) -> null);
            } catch (OutOfMemoryError error) {
                if (!error.getMessage().equals("Metaspace")) {
                    throw error;
                }
                return made;
            }
        }
    }

    public static void main(String[] words) {
        System.exit(proxies());
    }
}
