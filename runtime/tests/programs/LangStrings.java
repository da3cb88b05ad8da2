public class LangStrings {
    static int on(String s) {
        switch (s) {
            case "": return 0;
            case "Aa": return 1;
            case "BB": return 2; // the same hash as "Aa"
            case "C#": return 3;
            case "Bb": return 4; // the same as "C#"
            case "a longer text": return 5;
            default: return -1;
        }
    }

    static final String CONSTANT = "con" + "stant" + 1 + 'c' + 2L + 1.5 + true;

    static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, String t, char[] a) {
        return z + "," + b + "," + c + "," + s + "," + i + "," + l + "," + f + "," + d + "," + o + "," + t + "," + a.length;
    }

    record Shown(int x) {
        @Override public String toString() {
            return "<" + x + ">";
        }
    }

    static class Nothing {
        @Override public String toString() {
            return null;
        }
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", "Aa", "BB", "C#", "Bb", "a longer text", "other", "a longer text "}) {
            System.out.print(on(s) + " ");
        }
        System.out.println();
        try {
            on(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        System.out.println(CONSTANT);
        System.out.println(all(true, (byte) -1, 'x', (short) 300, -5, 1L << 60, 0.1f, 1e-3, new Shown(4), null, new char[2]));
        System.out.println(all(false, (byte) 0, '\u00fc', (short) 0, 0, 0, -0f, Double.NaN, null, "", new char[0]));
        String s = "x" + new Nothing() + new Nothing();
        System.out.println(s + s.length());
        String nothing = null;
        System.out.println(nothing + nothing);
        System.out.println("" + nothing);
        char c = 'a';
        c++;
        System.out.println("" + c + 1 + (c + 1) + (char) (c + 1));
        String a = "a", b = "b";
        System.out.println((a + b) == "ab");
        System.out.println((a + b).equals("ab"));
        System.out.println((a + b).intern() == "ab");
        System.out.println(("a" + "b") == "ab");
        final String fa = "a";
        System.out.println((fa + "b") == "ab");
        System.out.println(new String("ab") == "ab");
        System.out.println("ab".equals(null));
        String long200 = "";
        for (int i = 0; i < 200; i++) {
            long200 += (char) ('a' + i % 26);
        }
        System.out.println(long200.length() + " " + long200.hashCode());
        String wide = "\u03b1\u03b2" + "latin" + '\u00e9' + "\ud83d\ude00";
        System.out.println(wide + " " + wide.length() + " " + wide.hashCode() + " " + wide.codePointCount(0, wide.length()));
        int i1 = 1, i2 = 2;
        System.out.println(i1 + i2 + "\1\2" .length() + "tab\tquote\"back\\slash" + i1 + i2);
        System.out.println("a" + i1 + "b" + i2 + "c" + i1 * i2 + "d" + 1.0f + "e" + 1L + "f" + 'g' + "h" + null + "i" + (byte) 3
            + "j" + i1 + "k" + i2 + "l" + i1 + "m" + i2 + "n" + i1 + "o" + i2 + "p" + i1 + "q" + i2 + "r" + i1 + "s" + i2);
    }
}
