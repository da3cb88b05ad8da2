import java.util.Arrays;

public class LangArrays {
    static int sum(int[] a) {
        int s = 0;
        for (int x : a) {
            s += x;
        }
        return s;
    }

    static int depth(Object o) {
        return o instanceof Object[] a && a.length > 0 ? 1 + depth(a[0]) : o instanceof int[] ? 1 : 0;
    }

    public static void main(String[] args) {
        int[] a = {3, 1, 2};
        int[] copy = a.clone();
        copy[0] = 99;
        System.out.println(a[0] + " " + copy[0] + " " + copy.length + " " + sum(a));
        int[][] grid = new int[3][4];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++) {
                grid[i][j] = i * j;
            }
        }
        System.out.println(Arrays.deepToString(grid));
        int[][] shallow = grid.clone();
        shallow[0] = new int[] {7};
        shallow[1][1] = 77;
        System.out.println(Arrays.deepToString(grid) + " " + Arrays.deepToString(shallow));
        int[][][] ragged = new int[2][3][];
        ragged[1][2] = new int[] {1, 2, 3};
        System.out.println(Arrays.deepToString(ragged));
        long[][][][] four = new long[2][1][3][2];
        four[1][0][2][1] = 1L << 50;
        System.out.println(Arrays.deepToString(four));
        String[][] words = {{"a", "b"}, {}, {"c", null}};
        System.out.println(Arrays.deepToString(words) + words[0].length + words[1].length);
        Object nested = new Object[] {new Object[] {new int[] {1}}};
        System.out.println(depth(nested) + " " + depth(grid) + " " + depth("x"));
        double[] ds = new double[2];
        float[] fs = new float[2];
        boolean[] zs = new boolean[2];
        char[] cs = {'h', 'i'};
        byte[] bs = {-1, 1};
        short[] ss = {-1, 1};
        long[] ls = {Long.MIN_VALUE};
        Object[] os = new Object[2];
        ds[1] = -0.0;
        fs[0]--;
        zs[1] ^= true;
        System.out.println(Arrays.toString(ds) + Arrays.toString(fs) + Arrays.toString(zs) + Arrays.toString(cs)
            + Arrays.toString(bs) + Arrays.toString(ss) + Arrays.toString(ls) + Arrays.toString(os));
        System.out.println(new int[0].length + " " + new String[0][5].length + " " + new int[5][0].length);
        int[] x[] = {{1}, {2, 3}};
        System.out.println(x[1][1] + x.length);
        int i = 0;
        a[i++] = a[i++] = i;
        System.out.println(Arrays.toString(a) + i);
        for (int[] row : grid) {
            for (int cell : row) {
                System.out.print(cell + " ");
            }
        }
        System.out.println();
        char[][] board = new char[3][];
        for (int r = 0; r < 3; r++) {
            board[r] = ".".repeat(r + 1).toCharArray();
            board[r][r] = '#';
            System.out.println(board[r]);
        }
        int[] big = new int[100_000];
        for (int k = 0; k < big.length; k++) {
            big[k] = k ^ (k >> 3);
        }
        System.out.println(sum(big) + " " + Arrays.hashCode(big));
    }
}
