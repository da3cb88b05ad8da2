import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class LibUnicode {
    static String hex(byte[] bytes) {
        StringBuilder s = new StringBuilder();
        for (byte b : bytes) {
            s.append(String.format("%02x", b));
        }
        return s.toString();
    }

    public static void main(String[] args) throws Exception {
        String s = "a\u00e9\u20ac\ud83d\ude00\u4e2d";
        System.out.println(s + " " + s.length() + " " + s.codePointCount(0, s.length()));
        System.out.println(hex(s.getBytes(StandardCharsets.UTF_8)) + " " + hex(s.getBytes(StandardCharsets.UTF_16BE)) + " "
            + hex(s.getBytes(StandardCharsets.ISO_8859_1)) + " " + hex(s.getBytes(StandardCharsets.US_ASCII)) + " " + hex("x\u00e9".getBytes("UTF-16LE")));
        byte[] utf = s.getBytes(StandardCharsets.UTF_8);
        System.out.println(new String(utf, StandardCharsets.UTF_8).equals(s) + " " + new String(utf, 1, 2, StandardCharsets.UTF_8) + " "
            + new String(utf, StandardCharsets.ISO_8859_1).length());
        byte[] bad = {'o', 'k', (byte) 0xff, (byte) 0xc3, 'x', (byte) 0xe2, (byte) 0x82, (byte) 0xed, (byte) 0xa0, (byte) 0x80};
        for (char c : new String(bad, StandardCharsets.UTF_8).toCharArray()) {
            System.out.print(Integer.toHexString(c) + " ");
        }
        System.out.println();
        System.out.println(hex("lone \ud800 surrogate".getBytes(StandardCharsets.UTF_8)));
        s.codePoints().forEach(c -> System.out.print(Integer.toHexString(c) + " " + Character.charCount(c) + " " + Character.getType(c) + "; "));
        System.out.println();
        for (int i = 0; i < s.length(); i = s.offsetByCodePoints(i, 1)) {
            System.out.print(i + ":" + s.codePointAt(i) + " ");
        }
        System.out.println(Character.isHighSurrogate(s.charAt(3)) + " " + Character.isLowSurrogate(s.charAt(4)) + " " + Character.toCodePoint(s.charAt(3), s.charAt(4)));
        System.out.println(new String(Character.toChars(0x1f680)) + Character.toString(0x1f681) + new String(new int[] {0x41, 0x1f682}, 0, 2));
        String[] words = {"z", "\u00e9", "e", "Z", "\u4e2d", "\ud83d\ude00", "\uffff"};
        Arrays.sort(words);
        for (String w : words) {
            System.out.print(Integer.toHexString(w.charAt(0)) + " ");
        }
        System.out.println();
        System.out.println("\u00c4\u00d6\u00dc".toLowerCase() + "\u00e4\u00f6\u00fc\u00ff".toUpperCase() + "\u03b1\u03c9".toUpperCase() + "\u0416".toLowerCase());
        System.out.println("\u00e9".equals("e\u0301") + " " + "\u00c9".equalsIgnoreCase("\u00e9") + " " + "\u0436".equalsIgnoreCase("\u0416"));
        System.out.println("\u00e9\u4e2d".indexOf('\u4e2d') + " " + "\u00e9\u4e2d".replace('\u4e2d', 'x') + " " + ("\u00e9\u4e2d" + "a").substring(2)
            + " " + "\u4e2d\u4e2d".indexOf("\u4e2d", 1) + " " + "abc".indexOf(0x1f600) + " " + s.indexOf(0x1f600) + " " + "a\u00e9".compareTo("a\u4e2d"));
        String \u00fcber = "identifier", \u4e2d = "another";
        System.out.println(\u00fcber + \u4e2d);
        System.out.println("\uD83D\uDE00".chars().mapToObj(Integer::toHexString).toList() + " " + "\0nul".length() + "\377\12".length());
        System.out.println("trim\u2003".trim().length() + " " + "strip\u2003".strip().length() + " " + "\u2003".isBlank());
        Latin.print();
    }

    static class Latin {
        static void print() {
            StringBuilder b = new StringBuilder();
            for (char c = 0xa1; c < 0x100; c++) {
                b.append(c);
            }
            System.out.println(b);
            System.out.println(b.toString().toUpperCase().hashCode() + " " + b.toString().toLowerCase().hashCode());
        }
    }
}
