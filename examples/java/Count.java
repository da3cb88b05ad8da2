/** Counts the words that it is given. */
public class Count {
    public static void main(String[] words) {
        var counts = new java.util.TreeMap<String, Integer>();
        for (String word : words) {
            counts.merge(word, 1, Integer::sum);
        }
        System.out.println(counts);
    }
}
