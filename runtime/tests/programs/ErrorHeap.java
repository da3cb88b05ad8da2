import java.util.ArrayList;
import java.util.List;

public class ErrorHeap {
    static Object kept;

    static void attempt(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " fits");
        } catch (OutOfMemoryError e) {
            System.out.println(name + " " + e.getClass().getName());
        }
    }

    public static void main(String[] args) {
        attempt("ints", () -> kept = new int[Integer.MAX_VALUE]);
        attempt("longs", () -> kept = new long[Integer.MAX_VALUE - 2]);
        attempt("objects", () -> kept = new Object[Integer.MAX_VALUE]);
        attempt("rows", () -> kept = new long[1 << 20][1 << 20]);
        attempt("text", () -> kept = "0123456789".repeat(1 << 30));
        attempt("small", () -> kept = new int[1000]);
        List<Object> list = new ArrayList<>();
        try {
            while (true) {
                list.add(new long[1 << 27]);
            }
        } catch (OutOfMemoryError e) {
            list = null;
            System.out.println("list " + (e instanceof VirtualMachineError));
        }
        long sum = 0;
        for (int i = 0; i < 2000; i++) {
            int[] garbage = new int[10_000];
            garbage[i] = i;
            sum += garbage[i] + garbage.length;
        }
        System.out.println(sum);
        throw new OutOfMemoryError("by hand");
    }
}
