import java.util.Arrays;

public class AlgoDynamic {
    static int edit(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    static String common(String a, String b) {
        short[][] l = new short[a.length() + 1][b.length() + 1];
        for (int i = a.length() - 1; i >= 0; i--) {
            for (int j = b.length() - 1; j >= 0; j--) {
                l[i][j] = a.charAt(i) == b.charAt(j) ? (short) (l[i + 1][j + 1] + 1) : (short) Math.max(l[i + 1][j], l[i][j + 1]);
            }
        }
        StringBuilder s = new StringBuilder();
        for (int i = 0, j = 0; i < a.length() && j < b.length(); ) {
            if (a.charAt(i) == b.charAt(j)) {
                s.append(a.charAt(i++));
                j++;
            } else if (l[i + 1][j] >= l[i][j + 1]) {
                i++;
            } else {
                j++;
            }
        }
        return s.toString();
    }

    static int knapsack(int[] weights, int[] values, int capacity) {
        int[] best = new int[capacity + 1];
        for (int i = 0; i < weights.length; i++) {
            for (int c = capacity; c >= weights[i]; c--) {
                best[c] = Math.max(best[c], best[c - weights[i]] + values[i]);
            }
        }
        return best[capacity];
    }

    static long coins(int amount, int... coins) {
        long[] ways = new long[amount + 1];
        ways[0] = 1;
        for (int coin : coins) {
            for (int a = coin; a <= amount; a++) {
                ways[a] += ways[a - coin];
            }
        }
        return ways[amount];
    }

    static int increasing(int[] a) {
        int[] tails = new int[a.length];
        int size = 0;
        for (int x : a) {
            int at = Arrays.binarySearch(tails, 0, size, x);
            at = at < 0 ? ~at : at;
            tails[at] = x;
            size = at == size ? size + 1 : size;
        }
        return size;
    }

    static String fannkuch(int n) {
        int[] perm = new int[n], perm1 = new int[n], count = new int[n];
        Arrays.setAll(perm1, i -> i);
        int flips = 0, checksum = 0, r = n, index = 0;
        while (true) {
            for (; r != 1; r--) {
                count[r - 1] = r;
            }
            System.arraycopy(perm1, 0, perm, 0, n);
            int f = 0;
            for (int k; (k = perm[0]) != 0; f++) {
                for (int i = 0, j = k; i < j; i++, j--) {
                    int t = perm[i];
                    perm[i] = perm[j];
                    perm[j] = t;
                }
            }
            flips = Math.max(flips, f);
            checksum += index++ % 2 == 0 ? f : -f;
            while (true) {
                if (r == n) {
                    return checksum + " " + flips;
                }
                int first = perm1[0];
                System.arraycopy(perm1, 1, perm1, 0, r);
                perm1[r] = first;
                if (--count[r] > 0) {
                    break;
                }
                r++;
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(edit("kitten", "sitting") + " " + edit("", "abc") + " " + edit("intention", "execution") + " " + edit("same", "same"));
        System.out.println(common("AGGTAB", "GXTXAYB") + " " + common("dynamic programming", "dramatic programs"));
        System.out.println(knapsack(new int[] {12, 7, 11, 8, 9}, new int[] {24, 13, 23, 15, 16}, 26) + " " + coins(200, 1, 2, 5, 10, 20, 50, 100, 200));
        int[] a = new int[500];
        for (int i = 0, x = 7; i < a.length; i++) {
            x = x * 1664525 + 1013904223;
            a[i] = x >>> 16;
        }
        System.out.println(increasing(a) + " " + increasing(new int[] {3, 1, 4, 1, 5, 9, 2, 6}));
        System.out.println(fannkuch(6));
        long[] catalan = new long[31];
        catalan[0] = 1;
        for (int i = 1; i <= 30; i++) {
            for (int j = 0; j < i; j++) {
                catalan[i] += catalan[j] * catalan[i - 1 - j];
            }
        }
        System.out.println(catalan[30]);
    }
}
