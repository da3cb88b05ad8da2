import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

public class LibRegex {
    public static void main(String[] args) {
        Matcher m = Pattern.compile("(\\w+)@(\\w+)\\.(com|org)").matcher("ann@home.com, bob@work.org; bad@x.net");
        while (m.find()) {
            System.out.println(m.group() + " " + m.group(1) + " " + m.group(2) + " " + m.start() + "-" + m.end(3) + " " + m.groupCount());
        }
        Matcher date = Pattern.compile("(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)").matcher("on 2021-09-14 and 1999-12-31");
        System.out.println(date.replaceAll("${day}.${month}.${year}"));
        date.reset();
        System.out.println(date.find() + " " + date.group("year") + " " + date.matches() + " " + date.lookingAt());
        System.out.println(Pattern.compile("a+?b*").matcher("aaabbb").replaceAll("<$0>"));
        System.out.println("aaa".replaceAll("a*", "x") + " " + "x1y22z".replaceAll("[0-9]+", "#") + " " + "path/to".replaceAll("/", Matcher.quoteReplacement("\\$")));
        System.out.println(Pattern.matches("(a|b)*c", "ababc") + " " + Pattern.matches("(?i)HELLO", "hello") + " " + Pattern.matches("a.c", "a\nc") + " "
            + Pattern.compile("a.c", Pattern.DOTALL).matcher("a\nc").matches());
        System.out.println(Arrays.toString(Pattern.compile("\\s*[,;]\\s*").split("a , b;c ,d")) + Pattern.compile("-").splitAsStream("x-y-z").collect(Collectors.toList()));
        System.out.println("foo.bar".replaceAll("(?<=o)\\.(?=b)", "_") + " " + "price: 100".replaceAll("(?<!\\d)1", "9") + " " + "abab".matches("(ab)\\1"));
        System.out.println(Pattern.compile("^\\w", Pattern.MULTILINE).matcher("one\ntwo\nthree").replaceAll("*"));
        System.out.println(Pattern.compile("\\d+").matcher("3 and 14").replaceAll(r -> "" + Integer.parseInt(r.group()) * 2));
        System.out.println(Pattern.compile("[a-z&&[^aeiou]]+").matcher("hello world").results().map(MatchResult::group).collect(Collectors.joining(",")));
        System.out.println("tel: +1 (555) 010-9999".replaceAll("\\D", "") + " " + "\u00e9t\u00e9".matches("\\p{L}+") + " " + "\u00e9".matches("\\w") + " " + "AbC".replaceAll("\\p{Lu}", "_"));
        StringBuilder out = new StringBuilder();
        Matcher vars = Pattern.compile("\\$\\{(\\w+)}").matcher("Hello ${name}, you are ${age}.");
        while (vars.find()) {
            vars.appendReplacement(out, vars.group(1).equals("name") ? "Ann" : "41");
        }
        vars.appendTail(out);
        System.out.println(out);
        System.out.println(Pattern.quote("a.b") + " " + "a.b".matches(Pattern.quote("a.b")) + " " + "axb".matches(Pattern.quote("a.b")));
        System.out.println("possessive " + "aaa".matches("a++a") + " " + "aaa".matches("a+a") + " atomic " + "aab".matches("(?>a+)b"));
        System.out.println("unicode " + "\ud83d\ude00x".matches(".x") + " " + Pattern.compile("\u00e4", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE).matcher("\u00c4").matches());
        System.out.println("word boundaries: " + "cat concat cat's".replaceAll("\\bcat\\b", "dog"));
        System.out.println("((a)(b(c)))".replaceAll("[()]", "") + " " + "1,234,567".split(",").length + " " + "aXbXc".split("X", 2)[1]);
        for (String bad : new String[] {"(", "[a", "*", "a{2,1}", "(?<n>a)(?<n>b)", "\\"}) {
            try {
                Pattern.compile(bad);
                System.out.println("compiled " + bad);
            } catch (PatternSyntaxException e) {
                System.out.println(e.getDescription() + " at " + e.getIndex() + " in " + e.getPattern());
            }
        }
        try {
            Pattern.compile("x").matcher("y").group();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            "a".replaceAll("a", "$1");
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
