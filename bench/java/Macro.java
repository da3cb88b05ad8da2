/**
 * The programs of JIVE ("U-Net/SLE: A Java-based User-Customizable Virtual Network Interface", section 4.2).
 *
 * <p>The paper does not say how large they are. Here qsort sorts 1,000 numbers, rand makes 100, fibonacci 40. macro.c is the same in C.
 */
final class Macro {
    static final int SORTED = 1000;
    static final int RANDOM = 100;
    static final int FIBONACCI = 40;

    /** Additive congruential generator: a number is the sum of two that came before, modulo M. */
    static final int STATE = 55;
    static final int M = 100_000_000;
    static final int M1 = 10_000;
    static final int B = 31_415_821;
    static final int SEED = 1_234_567;

    private Macro() {}

    static int run(String name, int count) {
        switch (name) {
            case "qsort": return qsorts(count);
            case "rand": return rands(count);
            case "fibonacci": return fibonaccis(count);
            default: throw new IllegalArgumentException(name);
        }
    }

    /** Sorts numbers that are in reverse order. */
    static int qsorts(int count) {
        int[] numbers = new int[SORTED];
        int checksum = 0;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < SORTED; k++) {
                numbers[k] = SORTED - k;
            }
            qsort(numbers, 0, SORTED - 1);
            checksum = checksum * 31 + numbers[i % SORTED];
        }
        return checksum;
    }

    static void qsort(int[] numbers, int first, int last) {
        int pivot = numbers[(first + last) / 2];
        int low = first;
        int high = last;
        while (low <= high) {
            while (numbers[low] < pivot) {
                low++;
            }
            while (numbers[high] > pivot) {
                high--;
            }
            if (low <= high) {
                int number = numbers[low];
                numbers[low] = numbers[high];
                numbers[high] = number;
                low++;
                high--;
            }
        }
        if (first < high) {
            qsort(numbers, first, high);
        }
        if (low < last) {
            qsort(numbers, low, last);
        }
    }

    static int rands(int count) {
        int[] state = new int[STATE];
        int[] numbers = new int[RANDOM];
        int checksum = 0;
        for (int i = 0; i < count; i++) {
            rand(state, numbers);
            checksum = checksum * 31 + numbers[i % RANDOM];
        }
        return checksum;
    }

    /** Makes numbers below a thousand from a fixed seed. */
    static void rand(int[] state, int[] numbers) {
        state[0] = SEED;
        for (int k = 1; k < STATE; k++) {
            state[k] = (times(state[k - 1], B) + 1) % M;
        }
        int at = 0;
        for (int k = 0; k < RANDOM; k++) {
            at = (at + 1) % STATE;
            state[at] = (state[(at + 23) % STATE] + state[(at + 54) % STATE]) % M;
            numbers[k] = state[at] / M1 * 1000 / M1;
        }
    }

    /** The product modulo M, without overflow. */
    static int times(int a, int b) {
        int a1 = a / M1;
        int a0 = a % M1;
        int b1 = b / M1;
        int b0 = b % M1;
        return ((a0 * b1 + a1 * b0) % M1 * M1 + a0 * b0) % M;
    }

    static int fibonaccis(int count) {
        int checksum = 0;
        for (int i = 0; i < count; i++) {
            checksum = checksum * 31 + fibonacci(FIBONACCI);
        }
        return checksum;
    }

    /** The last of the first so many. */
    static int fibonacci(int count) {
        int last = 0;
        int next = 1;
        for (int k = 0; k < count; k++) {
            int sum = last + next;
            last = next;
            next = sum;
        }
        return last;
    }
}
