// From the bytes of a class to the result of its first call, in HotSpot. Answers lines `run N` (N hidden classes, one after the other)
// with `NANOSECONDS SUM`, the sum of the results, and `define N`, where they are initialized and not called, with N as the sum. Its
// argument is the class file.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;

final class Hidden {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static int define(byte[] bytes) throws Exception {
        LOOKUP.defineHiddenClass(bytes, true);
        return 1;
    }

    static int run(byte[] bytes, int number) throws Exception {
        var run = LOOKUP.defineHiddenClass(bytes, true).lookupClass().getDeclaredMethod("run", int.class);
        return (int) run.invoke(null, number);
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(args[0]));
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            int count = Integer.parseInt(words[1]);
            long sum = 0;
            long begin = System.nanoTime();
            for (int number = 0; number < count; number++) {
                sum += words[0].equals("run") ? run(bytes, number) : define(bytes);
            }
            System.out.println((System.nanoTime() - begin) + " " + sum);
            System.out.flush();
        }
    }
}
