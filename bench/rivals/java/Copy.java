// Figure 9's Java. Answers lines `copy N` with `NANOSECONDS SUM`.
import java.io.BufferedReader;
import java.io.InputStreamReader;

final class Sc {
    long left;
    long sum;

    long read(long i, long j, long k) {
        return left--;
    }

    long write(long i, long j, long k) {
        sum += i + 2 * j + 3 * k;
        return k;
    }
}

final class Copy {
    static void execute(Sc sc, long i, long j, long k) {
        while (sc.read(i, j, k) > 0)
            sc.write(i, j, k);
    }

    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        var sc = new Sc();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            sc.left = Long.parseLong(line.split(" ")[1]);
            sc.sum = 0;
            long begin = System.nanoTime();
            execute(sc, 1, 2, 3);
            System.out.println((System.nanoTime() - begin) + " " + sc.sum);
            System.out.flush();
        }
    }
}
