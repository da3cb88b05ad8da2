import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class AlgoWords {
    static final String TEXT = """
        It was the best of times, it was the worst of times, it was the age of wisdom,
        it was the age of foolishness, it was the epoch of belief, it was the epoch of
        incredulity, it was the season of Light, it was the season of Darkness, it was
        the spring of hope, it was the winter of despair.
        """;

    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String w : text.trim().split("\\s+")) {
            if (line.length() > 0 && line.length() + 1 + w.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            if (line.length() > 0) {
                line.append(' ');
            }
            line.append(w);
        }
        lines.add(line.toString());
        return lines;
    }

    static String justify(String line, int width) {
        String[] words = line.split(" ");
        if (words.length == 1) {
            return line;
        }
        int spaces = width - line.length() + words.length - 1, gaps = words.length - 1;
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < gaps; i++) {
            out.append(words[i]).append(" ".repeat(spaces / gaps + (i < spaces % gaps ? 1 : 0)));
        }
        return out.append(words[gaps]).toString();
    }

    static String caesar(String s, int by) {
        return s.chars().map(c -> Character.isUpperCase(c) ? 'A' + (c - 'A' + by + 26) % 26 : Character.isLowerCase(c) ? 'a' + (c - 'a' + by + 26) % 26 : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    static boolean palindrome(String s) {
        String t = s.toLowerCase().replaceAll("[^a-z]", "");
        return new StringBuilder(t).reverse().toString().equals(t);
    }

    static String roman(int n) {
        int[] values = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
        String[] signs = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            for (; n >= values[i]; n -= values[i]) {
                s.append(signs[i]);
            }
        }
        return s.toString();
    }

    public static void main(String[] args) {
        for (String l : wrap(TEXT, 40)) {
            System.out.println("|" + justify(l, 40) + "|");
        }
        Map<String, Long> counts = Stream.of(TEXT.toLowerCase().split("\\W+")).collect(Collectors.groupingBy(w -> w, TreeMap::new, Collectors.counting()));
        System.out.println(counts);
        System.out.println(counts.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()))
            .limit(4).map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(", ")));
        System.out.println(TEXT.lines().mapToInt(String::length).max().getAsInt() + " " + TEXT.chars().filter(c -> "aeiou".indexOf(c) >= 0).count());
        String secret = caesar("Attack at Dawn, zebra!", 3);
        System.out.println(secret + " " + caesar(secret, -3));
        System.out.println(palindrome("A man, a plan, a canal: Panama") + " " + palindrome("not one"));
        Map<String, List<String>> anagrams = new TreeMap<>();
        for (String w : "listen silent enlist google gogole cat act tac".split(" ")) {
            char[] key = w.toCharArray();
            java.util.Arrays.sort(key);
            anagrams.computeIfAbsent(new String(key), k -> new ArrayList<>()).add(w);
        }
        System.out.println(anagrams);
        System.out.println(Stream.of(1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999).map(AlgoWords::roman).toList());
    }
}
