/**
 * The microbenchmarks of JIVE ("U-Net/SLE: A Java-based User-Customizable Virtual Network Interface", section 4.1).
 *
 * <p>What a loop costs without its operation is that of null-loop. micro.c is the same in C. What is measured is compiled to
 * what the paper has: nothing but the operation, loop counter, comparison and branch.
 */
final class Micro {
    static int field = 3;
    static int x = 3;
    static int y;
    static final int[] ELEMENTS = {1, 2, 3, 4};
    static final int[] X = {3};
    static final int[] Y = {0};

    private Micro() {}

    static int run(String name, int count) {
        switch (name) {
            case "null-loop": return nullLoop(count);
            case "null-call": return nullCall(count);
            case "native-call": return nativeCall(count);
            case "field-read": return fieldRead(count);
            case "field-write": return fieldWrite(count);
            case "array-read": return arrayRead(count);
            case "array-write": return arrayWrite(count);
            case "math": return math(count, 3);
            case "math-field": return mathField(count);
            case "math-array": return mathArray(count);
            default: throw new IllegalArgumentException(name);
        }
    }

    static int nullLoop(int count) {
        int i = 0;
        for (; i < count; i++) {}
        return i;
    }

    static int one() {
        return 1;
    }

    static int nullCall(int count) {
        int value = 0;
        int i = 0;
        for (; i < count; i++) {
            value = one();
        }
        return i + value;
    }

    /** A native method that does next to nothing, and that the JIT knows no better way for. */
    static int nativeCall(int count) {
        int[] elements = ELEMENTS;
        boolean value = false;
        int i = 0;
        for (; i < count; i++) {
            value = Thread.holdsLock(elements);
        }
        return value ? -1 : i;
    }

    static int fieldRead(int count) {
        int value = 0;
        int i = 0;
        for (; i < count; i++) {
            value = field;
        }
        return i + value;
    }

    static int fieldWrite(int count) {
        int i = 0;
        for (; i < count; i++) {
            field = i;
        }
        return i + field;
    }

    static int arrayRead(int count) {
        int[] elements = ELEMENTS;
        int value = 0;
        int i = 0;
        for (; i < count; i++) {
            value = elements[2];
        }
        return i + value;
    }

    static int arrayWrite(int count) {
        int[] elements = ELEMENTS;
        int i = 0;
        for (; i < count; i++) {
            elements[2] = i;
        }
        return i + elements[2];
    }

    static int math(int count, int x) {
        int y = 0;
        int i = 0;
        for (; i < count; i++) {
            y = x + x + x + x + x + x + x + x + x + x;
        }
        return i + y;
    }

    static int mathField(int count) {
        int i = 0;
        for (; i < count; i++) {
            y = x + x + x + x + x + x + x + x + x + x;
        }
        return i + y;
    }

    static int mathArray(int count) {
        int[] x = X;
        int[] y = Y;
        int i = 0;
        for (; i < count; i++) {
            y[0] = x[0] + x[0] + x[0] + x[0] + x[0] + x[0] + x[0] + x[0] + x[0] + x[0];
        }
        return i + y[0];
    }
}
