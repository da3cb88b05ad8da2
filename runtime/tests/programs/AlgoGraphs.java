import java.util.*;

public class AlgoGraphs {
    record Edge(int from, int to, int weight) {}

    final int n;
    final List<List<Edge>> out = new ArrayList<>();
    final List<Edge> edges = new ArrayList<>();

    AlgoGraphs(int n) {
        this.n = n;
        for (int i = 0; i < n; i++) {
            out.add(new ArrayList<>());
        }
    }

    void add(int a, int b, int w) {
        Edge e = new Edge(a, b, w);
        out.get(a).add(e);
        edges.add(e);
    }

    int[] dijkstra(int start, int[] previous) {
        int[] distance = new int[n];
        Arrays.fill(distance, Integer.MAX_VALUE);
        Arrays.fill(previous, -1);
        distance[start] = 0;
        PriorityQueue<int[]> queue = new PriorityQueue<>((a, b) -> a[0] != b[0] ? Integer.compare(a[0], b[0]) : Integer.compare(a[1], b[1]));
        queue.add(new int[] {0, start});
        while (!queue.isEmpty()) {
            int[] top = queue.poll();
            if (top[0] > distance[top[1]]) {
                continue;
            }
            for (Edge e : out.get(top[1])) {
                int d = top[0] + e.weight();
                if (d < distance[e.to()]) {
                    distance[e.to()] = d;
                    previous[e.to()] = top[1];
                    queue.add(new int[] {d, e.to()});
                }
            }
        }
        return distance;
    }

    static int find(int[] parent, int x) {
        return parent[x] == x ? x : (parent[x] = find(parent, parent[x]));
    }

    int kruskal() {
        int[] parent = new int[n];
        Arrays.setAll(parent, i -> i);
        List<Edge> sorted = new ArrayList<>(edges);
        sorted.sort(Comparator.comparingInt(Edge::weight).thenComparingInt(Edge::from).thenComparingInt(Edge::to));
        int total = 0;
        for (Edge e : sorted) {
            int a = find(parent, e.from()), b = find(parent, e.to());
            if (a != b) {
                parent[a] = b;
                total += e.weight();
            }
        }
        return total;
    }

    List<Integer> topological() {
        int[] in = new int[n];
        edges.forEach(e -> in[e.to()]++);
        Deque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < n; i++) {
            if (in[i] == 0) {
                ready.add(i);
            }
        }
        List<Integer> order = new ArrayList<>();
        while (!ready.isEmpty()) {
            int v = ready.poll();
            order.add(v);
            for (Edge e : out.get(v)) {
                if (--in[e.to()] == 0) {
                    ready.add(e.to());
                }
            }
        }
        return order;
    }

    int components() {
        boolean[] seen = new boolean[n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (!seen[i]) {
                count++;
                visit(i, seen);
            }
        }
        return count;
    }

    private void visit(int v, boolean[] seen) {
        if (!seen[v]) {
            seen[v] = true;
            out.get(v).forEach(e -> visit(e.to(), seen));
        }
    }

    public static void main(String[] args) {
        AlgoGraphs g = new AlgoGraphs(60);
        Random random = new Random(17);
        for (int i = 0; i < 180; i++) {
            int a = random.nextInt(60), b = random.nextInt(60);
            if (a < b) {
                g.add(a, b, 1 + random.nextInt(50));
            }
        }
        int[] previous = new int[60];
        int[] d = g.dijkstra(0, previous);
        System.out.println(Arrays.toString(d).replace("" + Integer.MAX_VALUE, "-"));
        Deque<Integer> path = new ArrayDeque<>();
        for (int v = 59; v >= 0; v = previous[v]) {
            path.push(v);
        }
        System.out.println(path + " " + g.kruskal() + " " + g.components());
        System.out.println(g.topological());
        long[][] w = new long[20][20];
        for (long[] row : w) {
            Arrays.fill(row, 1 << 20);
        }
        g.edges.forEach(e -> w[e.from() % 20][e.to() % 20] = e.weight());
        for (int k = 0; k < 20; k++) {
            for (int i = 0; i < 20; i++) {
                for (int j = 0; j < 20; j++) {
                    w[i][j] = Math.min(w[i][j], w[i][k] + w[k][j]);
                }
            }
        }
        System.out.println(Arrays.deepHashCode(w) + " " + w[0][19] + " " + w[7][7]);
    }
}
