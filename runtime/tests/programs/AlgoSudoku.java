public class AlgoSudoku {
    final int[] cells = new int[81];
    final int[] rows = new int[9], columns = new int[9], boxes = new int[9];
    int tries;

    AlgoSudoku(String s) {
        for (int i = 0; i < 81; i++) {
            if (s.charAt(i) != '.') {
                set(i, s.charAt(i) - '0');
            }
        }
    }

    void set(int i, int n) {
        cells[i] = n;
        flip(i, n);
    }

    void unset(int i) {
        flip(i, cells[i]);
        cells[i] = 0;
    }

    private void flip(int i, int n) {
        rows[i / 9] ^= 1 << n;
        columns[i % 9] ^= 1 << n;
        boxes[i / 27 * 3 + i % 9 / 3] ^= 1 << n;
    }

    boolean solve() {
        tries++;
        int best = -1, options = 0, fewest = 10;
        for (int i = 0; i < 81; i++) {
            if (cells[i] == 0) {
                int free = 0x3fe & ~(rows[i / 9] | columns[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]);
                int count = Integer.bitCount(free);
                if (count < fewest) {
                    best = i;
                    options = free;
                    fewest = count;
                }
            }
        }
        if (best < 0) {
            return true;
        }
        for (; options != 0; options &= options - 1) {
            set(best, Integer.numberOfTrailingZeros(options));
            if (solve()) {
                return true;
            }
            unset(best);
        }
        return false;
    }

    public static void main(String[] args) {
        String[] puzzles = {"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "55..............................................................................."};
        for (String p : puzzles) {
            AlgoSudoku s = new AlgoSudoku(p);
            System.out.println(s.solve() + " " + s.tries);
            for (int r = 0; r < 9 && s.cells[80] != 0; r++) {
                StringBuilder line = new StringBuilder();
                for (int c = 0; c < 9; c++) {
                    line.append(s.cells[r * 9 + c]).append(c % 3 == 2 ? "  " : " ");
                }
                System.out.println(line.toString().trim());
            }
            if (s.tries > 100) {
                break;
            }
        }
    }
}
