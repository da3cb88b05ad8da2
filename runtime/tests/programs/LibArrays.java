import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

public class LibArrays {
    public static void main(String[] args) {
        int[] a = {5, 3, 9, 1, 7, 3, -2};
        int[] sorted = a.clone();
        Arrays.sort(sorted);
        System.out.println(Arrays.toString(sorted) + Arrays.binarySearch(sorted, 7) + Arrays.binarySearch(sorted, 4) + Arrays.stream(a).sum());
        Arrays.sort(a, 1, 4);
        System.out.println(Arrays.toString(a) + Arrays.toString(Arrays.copyOf(a, 3)) + Arrays.toString(Arrays.copyOf(a, 9)) + Arrays.toString(Arrays.copyOfRange(a, 5, 9)));
        System.out.println(Arrays.equals(a, a.clone()) + " " + Arrays.equals(a, sorted) + " " + Arrays.hashCode(a) + " " + Arrays.compare(a, sorted) + " " + Arrays.mismatch(a, sorted));
        int[] filled = new int[5];
        Arrays.fill(filled, 7);
        Arrays.fill(filled, 1, 3, -1);
        Arrays.setAll(sorted, i -> i * i);
        Arrays.parallelPrefix(sorted, Integer::sum);
        System.out.println(Arrays.toString(filled) + Arrays.toString(sorted));
        double[] ds = {2, Double.NaN, -0.0, 0.0, -1, Double.NEGATIVE_INFINITY};
        Arrays.sort(ds);
        System.out.println(Arrays.toString(ds));
        String[] words = {"pear", "Apple", "fig", "apple"};
        Arrays.sort(words);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, String.CASE_INSENSITIVE_ORDER);
        System.out.println(Arrays.toString(words));
        Arrays.sort(words, Collections.reverseOrder());
        System.out.println(Arrays.asList(words) + " " + Arrays.asList(words).indexOf("fig"));
        List<String> view = Arrays.asList(words);
        view.set(0, "changed");
        System.out.println(words[0] + view.getClass().getSimpleName());
        int[][] deep = {{1, 2}, {3}}, same = {{1, 2}, {3}};
        System.out.println(Arrays.equals(deep, same) + " " + Arrays.deepEquals(deep, same) + " " + Arrays.deepHashCode(deep) + " " + Arrays.deepToString(deep));
        Random random = new Random(11);
        long[] longs = new long[2000];
        char[] chars = new char[2000];
        byte[] bytes = new byte[2000];
        short[] shorts = new short[500];
        float[] floats = new float[700];
        Integer[] boxed = new Integer[1500];
        Arrays.setAll(longs, i -> random.nextLong());
        for (int i = 0; i < 2000; i++) {
            chars[i] = (char) random.nextInt();
        }
        random.nextBytes(bytes);
        for (int i = 0; i < 500; i++) {
            shorts[i] = (short) random.nextInt();
        }
        for (int i = 0; i < 700; i++) {
            floats[i] = (float) random.nextGaussian();
        }
        Arrays.setAll(boxed, i -> random.nextInt(100_000));
        Arrays.sort(longs);
        Arrays.sort(chars);
        Arrays.sort(bytes);
        Arrays.sort(shorts);
        Arrays.sort(floats);
        Arrays.sort(boxed, (x, y) -> Integer.compare(x % 1000, y % 1000));
        System.out.println(Arrays.hashCode(longs) + " " + Arrays.hashCode(chars) + " " + Arrays.hashCode(bytes) + " " + Arrays.hashCode(shorts) + " "
            + Arrays.hashCode(floats) + " " + Arrays.hashCode(boxed));
        int[] over = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.arraycopy(over, 0, over, 2, 6);
        System.out.println(Arrays.toString(over));
        System.arraycopy(over, 3, over, 0, 6);
        System.out.println(Arrays.toString(over));
        Object[] objects = {"a", "b", "c", "d"};
        System.arraycopy(objects, 1, objects, 0, 3);
        String[] strings = new String[4];
        System.arraycopy(objects, 0, strings, 1, 3);
        System.out.println(Arrays.toString(objects) + Arrays.toString(strings));
        Object[] mixed = {"x", "y", 5, "z"};
        try {
            System.arraycopy(mixed, 0, strings, 0, 4);
        } catch (ArrayStoreException e) {
            System.out.println(e.getMessage() + " " + Arrays.toString(strings));
        }
        System.out.println(Arrays.stream(words, 1, 3).toList() + " " + Arrays.stream(new double[] {1, 2}).average().getAsDouble());
    }
}
