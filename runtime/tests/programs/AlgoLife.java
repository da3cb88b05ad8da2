import java.util.HashSet;
import java.util.Set;

public class AlgoLife {
    static boolean[][] step(boolean[][] g) {
        int h = g.length, w = g[0].length;
        boolean[][] next = new boolean[h][w];
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++) {
                    for (int dx = -1; dx <= 1; dx++) {
                        n += (dx != 0 || dy != 0) && g[(y + dy + h) % h][(x + dx + w) % w] ? 1 : 0;
                    }
                }
                next[y][x] = n == 3 || n == 2 && g[y][x];
            }
        }
        return next;
    }

    static void print(boolean[][] g) {
        for (boolean[] row : g) {
            char[] line = new char[row.length];
            for (int x = 0; x < row.length; x++) {
                line[x] = row[x] ? '#' : '.';
            }
            System.out.println(line);
        }
        System.out.println();
    }

    record Cell(int x, int y) {}

    static Set<Cell> step(Set<Cell> cells) {
        Set<Cell> next = new HashSet<>();
        for (Cell c : cells) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    Cell at = new Cell(c.x + dx, c.y + dy);
                    int n = 0;
                    for (int k = 0; k < 9; k++) {
                        if (k != 4 && cells.contains(new Cell(at.x + k % 3 - 1, at.y + k / 3 - 1))) {
                            n++;
                        }
                    }
                    if (n == 3 || n == 2 && cells.contains(at)) {
                        next.add(at);
                    }
                }
            }
        }
        return next;
    }

    public static void main(String[] args) {
        boolean[][] g = new boolean[8][16];
        int[][] glider = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {10, 4}, {11, 4}, {12, 4}};
        for (int[] c : glider) {
            g[c[1]][c[0]] = true;
        }
        for (int i = 0; i <= 12; i++) {
            if (i % 6 == 0) {
                print(g);
            }
            g = step(g);
        }
        Set<Cell> cells = new HashSet<>(Set.of(new Cell(1, 0), new Cell(2, 0), new Cell(0, 1), new Cell(1, 1), new Cell(1, 2)));
        for (int i = 0; i < 30; i++) {
            cells = step(cells);
        }
        System.out.println(cells.size() + " " + cells.stream().mapToInt(Cell::x).min().getAsInt() + " " + cells.stream().mapToInt(Cell::y).max().getAsInt());
        int rule = 110;
        int row = 1 << 30;
        for (int i = 0; i < 12; i++) {
            System.out.println(String.format("%32s", Integer.toBinaryString(row)).replace(' ', '.').replace('0', '.'));
            int next = 0;
            for (int b = 0; b < 32; b++) {
                int pattern = Integer.rotateRight(row, b + 31) & 7;
                next |= (rule >> pattern & 1) << b;
            }
            row = next;
        }
    }
}
