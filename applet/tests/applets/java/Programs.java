/** The programs of JIVE ("U-Net/SLE: A Java-based User-Customizable Virtual Network Interface", section 4), as an applet. */
class Programs {
    static final int STATE = 55;
    static final int M = 100_000_000;
    static final int M1 = 10_000;
    static final int B = 31_415_821;
    static int field = 3;

    /** Sorts numbers that are in reverse order. */
    static int sorted(byte count) {
        if (count < 0) {
            return -1;
        }
        int[] numbers = new int[count];
        for (int k = 0; k < count; k++) {
            numbers[k] = count - k;
        }
        if (count > 0) {
            qsort(numbers, 0, count - 1);
        }
        int checksum = 0;
        for (int k = 0; k < count; k++) {
            checksum = checksum * 31 + numbers[k];
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

    /** Makes numbers below a thousand from a seed, by an additive congruential generator. */
    static int rand(int seed) {
        int[] state = new int[STATE];
        state[0] = seed;
        for (int k = 1; k < STATE; k++) {
            state[k] = (times(state[k - 1], B) + 1) % M;
        }
        int at = 0;
        int checksum = 0;
        for (int k = 0; k < 100; k++) {
            at = (at + 1) % STATE;
            state[at] = (state[(at + 23) % STATE] + state[(at + 54) % STATE]) % M;
            checksum = checksum * 31 + state[at] / M1 * 1000 / M1;
        }
        return checksum;
    }

    /** The product modulo M, without overflow. */
    static int times(int a, int b) {
        int a1 = a / M1;
        int a0 = a % M1;
        int b1 = b / M1;
        int b0 = b % M1;
        return ((a0 * b1 + a1 * b0) % M1 * M1 + a0 * b0) % M;
    }

    static int fibonacci(byte count) {
        int last = 0;
        int next = 1;
        for (int k = 0; k < count; k++) {
            int sum = last + next;
            last = next;
            next = sum;
        }
        return last;
    }

    static int one() {
        return 1;
    }

    static int micro(byte count) {
        int value = 0;
        int[] elements = {1, 2, 3, 4};
        for (int i = 0; i < count; i++) {
            value += one() + field;
            field = value;
            elements[2] = elements[1] + i;
        }
        return value + elements[2];
    }

    static int ackermann(byte m, byte n) {
        return m < 0 || n < 0 ? -1 : ackermannOf(m & 3, n & 3);
    }

    static int ackermannOf(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return ackermannOf(m - 1, n == 0 ? 1 : ackermannOf(m, n - 1));
    }
}
