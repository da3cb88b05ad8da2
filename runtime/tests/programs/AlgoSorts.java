import java.util.Arrays;
import java.util.function.Consumer;

public class AlgoSorts {
    static void swap(int[] a, int i, int j) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }

    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[(lo + hi) >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) {
                    i++;
                }
                while (a[j] > p) {
                    j--;
                }
                if (i <= j) {
                    swap(a, i++, j--);
                }
            }
            quick(a, lo, j);
            lo = i;
        }
    }

    static void merge(int[] a, int[] t, int lo, int hi) {
        if (hi - lo < 2) {
            return;
        }
        int mid = (lo + hi) / 2;
        merge(a, t, lo, mid);
        merge(a, t, mid, hi);
        System.arraycopy(a, lo, t, lo, hi - lo);
        for (int i = lo, j = mid, k = lo; k < hi; k++) {
            a[k] = j >= hi || i < mid && t[i] <= t[j] ? t[i++] : t[j++];
        }
    }

    static void heap(int[] a) {
        for (int i = a.length / 2; i >= 0; i--) {
            sift(a, i, a.length);
        }
        for (int n = a.length - 1; n > 0; n--) {
            swap(a, 0, n);
            sift(a, 0, n);
        }
    }

    static void sift(int[] a, int i, int n) {
        for (int c; (c = 2 * i + 1) < n; i = c) {
            if (c + 1 < n && a[c + 1] > a[c]) {
                c++;
            }
            if (a[i] >= a[c]) {
                return;
            }
            swap(a, i, c);
        }
    }

    static void radix(int[] a) {
        int[] out = new int[a.length];
        for (int shift = 0; shift < 32; shift += 8) {
            int[] count = new int[257];
            for (int x : a) {
                count[((x ^ 0x80000000) >>> shift & 0xff) + 1]++;
            }
            for (int i = 0; i < 256; i++) {
                count[i + 1] += count[i];
            }
            for (int x : a) {
                out[count[(x ^ 0x80000000) >>> shift & 0xff]++] = x;
            }
            System.arraycopy(out, 0, a, 0, a.length);
        }
    }

    static void shell(int[] a) {
        for (int gap = a.length / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < a.length; i++) {
                int x = a[i], j = i;
                for (; j >= gap && a[j - gap] > x; j -= gap) {
                    a[j] = a[j - gap];
                }
                a[j] = x;
            }
        }
    }

    static void bubble(int[] a) {
        boolean swapped;
        do {
            swapped = false;
            for (int i = 1; i < a.length; i++) {
                if (a[i - 1] > a[i]) {
                    swap(a, i - 1, i);
                    swapped = true;
                }
            }
        } while (swapped);
    }

    static void check(String name, int n, Consumer<int[]> sort) {
        int[] a = new int[n];
        long seed = 42;
        for (int i = 0; i < n; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            a[i] = (int) (seed >> 33);
        }
        int[] expected = a.clone();
        Arrays.sort(expected);
        sort.accept(a);
        System.out.println(name + " " + Arrays.equals(a, expected) + " " + a[0] + " " + a[n - 1] + " " + Arrays.hashCode(a));
    }

    public static void main(String[] args) {
        check("quick", 1500, a -> quick(a, 0, a.length - 1));
        check("merge", 1500, a -> merge(a, new int[a.length], 0, a.length));
        check("heap", 1500, AlgoSorts::heap);
        check("radix", 1500, AlgoSorts::radix);
        check("shell", 1000, AlgoSorts::shell);
        check("bubble", 120, AlgoSorts::bubble);
    }
}
