import java.io.PrintStream;
import java.util.Arrays;

/** All that a program has computed so far, as one number, which is printed often. */
final class Sum {
    /** Its hash code is the same in every run. */
    interface Stable {}

    private static final int LINES_MAX = 400;

    private final PrintStream out;
    private long sum = 1;
    private int added;
    private int lines;

    Sum(PrintStream out) {
        this.out = out;
    }

    /** Keeps texts short: concatenation in loops would double them each time. */
    static String cut(String text) {
        int length = text.length();
        return length <= 40 ? text : text.substring(0, 20) + text.substring(length - 20);
    }

    void add(int place, long value) {
        sum = (sum * 31 + value) * 31 + place;
        if (++added % 8 == 0) {
            print(place, "");
        }
    }

    void add(int place, boolean value) {
        add(place, value ? 1231 : 1237);
    }

    void add(int place, float value) {
        add(place, (long) Float.floatToIntBits(value));
    }

    void add(int place, double value) {
        add(place, Double.doubleToLongBits(value));
    }

    void add(int place, String value) {
        add(place, value == null ? -1 : value.hashCode() * 31L + value.length());
    }

    void add(int place, Object value) {
        if (value == null) {
            add(place, -2);
        } else if (value instanceof String) {
            add(place, (String) value);
        } else if (value instanceof Integer || value instanceof Stable) {
            add(place, value.hashCode());
        } else if (value instanceof Enum) {
            add(place, ((Enum<?>) value).ordinal());
        } else if (value instanceof int[]) {
            add(place, Arrays.hashCode((int[]) value));
        } else if (value instanceof long[]) {
            add(place, Arrays.hashCode((long[]) value));
        } else if (value instanceof byte[]) {
            add(place, Arrays.hashCode((byte[]) value));
        } else if (value instanceof double[]) {
            add(place, Arrays.hashCode((double[]) value));
        } else if (value instanceof Object[]) {
            for (Object element : (Object[]) value) {
                add(place, element);
            }
        } else {
            add(place, -3);
        }
    }

    /** Messages of some say addresses or modules: those are left out. */
    void caught(int place, Throwable thrown) {
        String name = thrown.getClass().getName();
        boolean told = thrown instanceof ArithmeticException || thrown instanceof IndexOutOfBoundsException
                || thrown instanceof NegativeArraySizeException;
        add(place, name);
        add(place, thrown.getSuppressed().length);
        print(place, told ? name + ": " + thrown.getMessage() : name);
    }

    void end() {
        lines = 0;
        print(added, "end");
    }

    private void print(int place, String what) {
        if (lines++ < LINES_MAX) {
            out.println(place + " " + Long.toHexString(sum) + " " + what);
        }
    }
}
