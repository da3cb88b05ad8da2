public class AlgoQueens {
    static int solutions;
    static int nodes;

    static void place(int n, int row, int[] columns) {
        nodes++;
        if (row == n) {
            if (solutions++ == 0) {
                for (int c : columns) {
                    System.out.println(".".repeat(c) + "Q" + ".".repeat(n - c - 1));
                }
            }
            return;
        }
        next:
        for (int c = 0; c < n; c++) {
            for (int r = 0; r < row; r++) {
                if (columns[r] == c || Math.abs(columns[r] - c) == row - r) {
                    continue next;
                }
            }
            columns[row] = c;
            place(n, row + 1, columns);
        }
    }

    static int bits(int all, int cols, int left, int right) {
        if (cols == all) {
            return 1;
        }
        int count = 0;
        for (int free = all & ~(cols | left | right); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += bits(all, cols | bit, (left | bit) << 1, (right | bit) >>> 1);
        }
        return count;
    }

    public static void main(String[] args) {
        place(6, 0, new int[6]);
        System.out.println(solutions + " " + nodes);
        for (int n = 1; n <= 8; n++) {
            System.out.print(bits((1 << n) - 1, 0, 0, 0) + " ");
        }
        System.out.println();
    }
}
