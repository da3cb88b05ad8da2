import java.util.ArrayList;
import java.util.List;

public class ErrorBounds {
    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    static int three = 3;

    public static void main(String[] args) {
        int[] a = new int[3];
        attempt(() -> System.out.println(a[three]));
        attempt(() -> System.out.println(a[-1]));
        attempt(() -> a[Integer.MAX_VALUE] = 1);
        attempt(() -> a[Integer.MIN_VALUE]++);
        attempt(() -> System.out.println(new long[0][0].length + new long[0][0][0].length));
        attempt(() -> (new double[3][0])[2][1] = 1);
        attempt(() -> (new byte[2][2])[1][2] = 1);
        attempt(() -> (new char[1])[2]++);
        attempt(() -> System.out.println(new boolean[2][2].length));
        attempt(() -> System.out.println(new int[-1].length));
        attempt(() -> System.out.println(new int[2][-5].length));
        attempt(() -> System.out.println(new String[three - 4][2].length));
        attempt(() -> System.out.println(new int[0][-7].length));
        attempt(() -> System.out.println("abc".charAt(3)));
        attempt(() -> System.out.println("abc".charAt(-1)));
        attempt(() -> System.out.println("abc".substring(4)));
        attempt(() -> System.out.println("abc".substring(2, 1)));
        attempt(() -> System.out.println("abc".substring(-1, 1)));
        attempt(() -> System.out.println(new StringBuilder("abc").deleteCharAt(5)));
        attempt(() -> System.out.println(new StringBuilder("abc").insert(9, "x")));
        attempt(() -> new StringBuilder("abc").setCharAt(3, 'x'));
        attempt(() -> new StringBuilder("abc").setLength(-1));
        List<Integer> list = new ArrayList<>(List.of(1, 2, 3));
        attempt(() -> list.get(3));
        attempt(() -> list.set(-1, 5));
        attempt(() -> list.add(7, 5));
        attempt(() -> list.remove(3));
        attempt(() -> list.subList(2, 1));
        attempt(() -> List.of(1, 2).get(2));
        attempt(() -> new ArrayList<>(-1));
        attempt(() -> System.arraycopy(a, 0, a, 1, 3));
        attempt(() -> System.arraycopy(a, -1, a, 0, 1));
        attempt(() -> System.arraycopy(a, 0, new long[3], 0, 1));
        attempt(() -> System.arraycopy("x", 0, a, 0, 1));
        attempt(() -> System.arraycopy(a, 0, a, 0, -1));
        attempt(() -> System.arraycopy(a, 2, a, 3, 0));
        attempt(() -> System.arraycopy(new Object[] {"a", 1}, 0, new String[2], 0, 2));
        attempt(() -> java.util.Arrays.copyOfRange(a, 4, 5));
        attempt(() -> java.util.Arrays.fill(a, 1, 9, 0));
        attempt(() -> "x".repeat(-1));
        attempt(() -> java.util.Objects.checkIndex(5, 5));
        a[args.length + 5] = a[0] / args.length;
    }
}
