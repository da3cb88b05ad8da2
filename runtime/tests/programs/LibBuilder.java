import java.util.StringJoiner;

public class LibBuilder {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder();
        b.append(1).append(' ').append(2L).append(' ').append(3.5f).append(' ').append(4.25).append(' ').append(true).append(' ').append("s")
            .append(' ').append((String) null).append(' ').append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 1, 3)
            .append(new char[] {'1', '2', '3'}, 1, 2).append(Integer.MIN_VALUE).append(Long.MIN_VALUE).append(new StringBuilder("sb"));
        System.out.println(b + " " + b.length());
        b.setLength(5);
        b.insert(0, "start ").insert(3, 42).insert(0, 'c').insert(2, 1.5).insert(1, true).insert(0, (Object) null);
        System.out.println(b);
        b.reverse();
        System.out.println(b);
        b.deleteCharAt(0).delete(1, 4).replace(2, 5, "<replaced>").setCharAt(0, '!');
        System.out.println(b + " " + b.indexOf("rep") + " " + b.lastIndexOf("e") + " " + b.charAt(3) + " " + b.indexOf("zz"));
        System.out.println(new StringBuilder("a\ud83d\ude00b").reverse() + " " + new StringBuilder("\ud83d\ude00").codePointAt(0));
        StringBuilder wide = new StringBuilder("latin");
        for (int i = 0; i < 50; i++) {
            wide.append((char) (0x3b1 + i % 24));
        }
        wide.append("\u00e9").insert(2, "\u4e2d").setCharAt(0, 'L');
        System.out.println(wide + " " + wide.length());
        wide.setLength(3);
        System.out.println(wide.append('.') + " " + wide.toString().hashCode());
        wide.appendCodePoint(0x1f600).appendCodePoint('z');
        System.out.println(wide.length() + " " + wide.codePointCount(0, wide.length()) + " " + wide.offsetByCodePoints(0, 5));
        StringBuilder big = new StringBuilder(1);
        for (int i = 0; i < 2000; i++) {
            big.append(i).append(i % 10 == 9 ? '\n' : ',');
        }
        System.out.println(big.length() + " " + big.toString().hashCode() + " " + big.substring(100, 120).replace('\n', '/'));
        StringBuffer buffer = new StringBuffer("buffer");
        buffer.append(1).insert(0, "<").append('>').reverse();
        System.out.println(buffer + " " + buffer.capacity());
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + new StringBuilder("a").equals(new StringBuilder("a"))
            + " " + "a".contentEquals(new StringBuilder("a")));
        StringJoiner j = new StringJoiner(", ", "{", "}");
        j.setEmptyValue("nothing");
        System.out.println(j + " " + j.length());
        j.add("a").add("b").add(null);
        System.out.println(j + " " + j.merge(new StringJoiner("-").add("c").add("d")) + " " + j.length());
        CharSequence cs = new StringBuilder("sequence");
        System.out.println(cs.subSequence(2, 5) + " " + cs.chars().max().getAsInt() + " " + CharSequence.compare("a", "b") + " " + cs.isEmpty());
    }
}
