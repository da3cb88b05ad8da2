import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

public class LibText {
    public static void main(String[] args) {
        String s = "  The quick brown fox, jumps over the lazy dog.  ";
        System.out.println(s.length() + s.trim() + s.strip().length() + s.stripLeading().length() + s.stripTrailing().length());
        System.out.println(s.indexOf("the") + " " + s.indexOf('o') + " " + s.lastIndexOf('o') + " " + s.indexOf("o", 15) + " " + s.indexOf("zzz") + " "
            + s.lastIndexOf("o", 20) + " " + s.indexOf("") + " " + s.lastIndexOf("") + " " + s.indexOf('o', -5) + " " + s.indexOf('o', 500));
        System.out.println(s.toUpperCase() + s.toLowerCase() + s.contains("fox") + s.startsWith("  T") + s.startsWith("fox", 18) + s.endsWith(".  "));
        System.out.println(s.replace('o', '0') + s.replace("the", "") + s.replace("", "-").length() + s.replaceAll("[aeiou]+", "<$0>") + s.replaceFirst("\\w+", "#"));
        System.out.println("a".compareTo("b") + " " + "abc".compareTo("ab") + " " + "Abc".compareToIgnoreCase("aBD") + " " + "x".equalsIgnoreCase("X")
            + " " + "a".compareTo("\u00e9") + " " + "\u4e2d".compareTo("a"));
        String[] splits = {"a,b,,c,,", ",a", "", "abc", "a1b22c", "a b  c"};
        for (String t : splits) {
            System.out.println(Arrays.toString(t.split(",")) + Arrays.toString(t.split(",", -1)) + Arrays.toString(t.split(",", 2))
                + Arrays.toString(t.split("\\d+")) + Arrays.toString(t.split("")) + Arrays.toString(t.split(" ")));
        }
        System.out.println(String.join("-", "a", "b", "c") + String.join("/", List.of("x", "y")) + "ab".repeat(3) + "x".repeat(0) + "abc".concat("d"));
        System.out.println(String.valueOf((Object) null) + String.valueOf(new char[] {'o', 'k'}) + String.valueOf(1.0f) + String.copyValueOf(new char[] {'a', 'b', 'c'}, 1, 2));
        System.out.println("hello".chars().sum() + " " + "hello".chars().mapToObj(c -> "" + (char) (c + 1)).collect(Collectors.joining("|")));
        System.out.println("isBlank " + " \t\n".isBlank() + " ".isEmpty() + "".isEmpty() + " a\nb\r\nc\rd".lines().map(l -> "[" + l + "]").collect(Collectors.toList()));
        System.out.println("abcabc".regionMatches(3, "xab", 1, 2) + " " + "ABC".regionMatches(true, 1, "bc", 0, 2) + " " + "abc".contentEquals(new StringBuilder("abc")));
        System.out.println("mississippi".chars().distinct().count() + " " + "banana".lastIndexOf("ana") + " " + "banana".indexOf("ana", 2));
        char[] chars = "sorted".toCharArray();
        Arrays.sort(chars);
        System.out.println(new String(chars) + new String(chars, 1, 3) + chars.length);
        char[] into = new char[8];
        Arrays.fill(into, '.');
        "abcdef".getChars(1, 4, into, 2);
        System.out.println(into);
        System.out.println("intern " + (new String("q").intern() == "q") + " " + "abc".matches("[a-c]+") + " " + "abc".matches("b"));
        System.out.println("subs " + "hello".substring(2) + "hello".substring(1, 3) + "hello".substring(5) + "." + "hello".subSequence(0, 2));
        System.out.println("%s is %d".formatted("x", 5) + "abc".transform(t -> t + t) + "Hello".describeConstable().get());
        System.out.println("stra\u00dfe".toUpperCase() + " " + "\u0130".toLowerCase().length() + " " + "\u03a3\u03a3".toLowerCase() + " " + "\u01c6".toUpperCase());
        System.out.println("b,a,c".equals(String.join(",", new String[] {"b", "a", "c"})) + " " + "a-b_c".chars().filter(Character::isLetter).count());
        System.out.println(String.CASE_INSENSITIVE_ORDER.compare("abc", "ABD") + " " + "x".hashCode() + " " + "\u4e2d\u6587".hashCode());
    }
}
