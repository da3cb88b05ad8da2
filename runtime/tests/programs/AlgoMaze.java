import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

public class AlgoMaze {
    final char[][] grid;
    final int w, h;

    AlgoMaze(int w, int h, long seed) {
        this.w = w;
        this.h = h;
        grid = new char[2 * h + 1][2 * w + 1];
        for (char[] row : grid) {
            Arrays.fill(row, '#');
        }
        Random random = new Random(seed);
        Deque<int[]> stack = new ArrayDeque<>();
        stack.push(new int[] {0, 0});
        grid[1][1] = ' ';
        int[][] moves = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        while (!stack.isEmpty()) {
            int[] at = stack.peek();
            int start = random.nextInt(4);
            boolean moved = false;
            for (int i = 0; i < 4 && !moved; i++) {
                int[] m = moves[(start + i) % 4];
                int x = at[0] + m[0], y = at[1] + m[1];
                if (x >= 0 && y >= 0 && x < w && y < h && grid[2 * y + 1][2 * x + 1] == '#') {
                    grid[2 * y + 1 - m[1]][2 * x + 1 - m[0]] = ' ';
                    grid[2 * y + 1][2 * x + 1] = ' ';
                    stack.push(new int[] {x, y});
                    moved = true;
                }
            }
            if (!moved) {
                stack.pop();
            }
        }
    }

    record At(int x, int y) {
        int far(At o) {
            return Math.abs(x - o.x) + Math.abs(y - o.y);
        }
    }

    int solve() {
        At start = new At(1, 1), goal = new At(2 * w - 1, 2 * h - 1);
        record Step(At at, int cost, int guess) {}
        PriorityQueue<Step> open = new PriorityQueue<>((a, b) -> a.guess() != b.guess() ? a.guess() - b.guess() : b.cost() - a.cost());
        Map<At, At> from = new HashMap<>();
        Set<At> done = new HashSet<>();
        open.add(new Step(start, 0, start.far(goal)));
        from.put(start, start);
        while (!open.isEmpty()) {
            Step s = open.poll();
            if (!done.add(s.at())) {
                continue;
            }
            if (s.at().equals(goal)) {
                for (At a = goal; !a.equals(start); a = from.get(a)) {
                    grid[a.y()][a.x()] = '.';
                }
                return s.cost();
            }
            for (int d = 0; d < 4; d++) {
                At next = new At(s.at().x() + (d - 1) % 2, s.at().y() + (d - 2) % 2);
                if (grid[next.y()][next.x()] != '#' && from.putIfAbsent(next, s.at()) == null && !done.contains(next)) {
                    open.add(new Step(next, s.cost() + 1, s.cost() + 1 + next.far(goal)));
                }
            }
        }
        return -1;
    }

    public static void main(String[] args) {
        AlgoMaze m = new AlgoMaze(14, 7, 2024);
        int length = m.solve();
        for (char[] row : m.grid) {
            System.out.println(row);
        }
        System.out.println(length);
        AlgoMaze big = new AlgoMaze(30, 30, 1);
        System.out.println(big.solve() + " " + Arrays.deepHashCode(big.grid));
    }
}
