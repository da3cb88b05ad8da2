import java.util.Arrays;

public class Concats {
    static String order = "";

    record Traced(String name) {
        public String toString() {
            order += name;
            return name;
        }
    }

    static class Nothing {
        public String toString() {
            return null;
        }
    }

    static void say(String text) {
        System.out.println(Arrays.toString(text.toCharArray()).replace("\u0000", "NUL"));
        for (int at = 0; at < text.length(); at++) {
            System.out.print((int) text.charAt(at) + " ");
        }
        System.out.println();
    }

    static void types(byte b, short s, char c, int i, long l, float f, double d, boolean z, String t, Object o) {
        say("" + b);
        say(b + "" + s + c + i + l + f + d + z + t + o);
        say("a" + b + "b" + s + "c" + c + "d" + i + "e" + l + "f" + f + "g" + d + "h" + z + "i" + t + "j" + o + "k");
        say(t + t);
        say(t + o);
        say(o + t);
        say(l + t + d + c);
    }

    public static void main(String[] arguments) {
        types((byte) -1, (short) -300, 'x', Integer.MIN_VALUE, Long.MAX_VALUE, 1e10f, -0.0, true, "text", 5);
        types((byte) 1, (short) 300, '\ud800', 0, 0, Float.NaN, Double.MIN_VALUE, false, null, null);
        types((byte) 1, (short) 300, '\0', 0, 0, 1 / 3f, 1e22, false, "\ud83d\ude00", new Nothing());
        char[] none = null;
        String text = arguments.length + "";
        say("null array " + none + text);
        char[] chars = {'a', 'b'};
        System.out.println(("array " + chars + text).startsWith("array [C@"));
        say("\u0001" + text + "\u0002");
        say("\u0001\u0002" + text + "\u0002x\u0001" + text + "\0 \u00e4 \u20ac \ud83d\ude00 \udc00");
        say("\0" + text);
        StringBuilder builder = new StringBuilder("builder");
        CharSequence sequence = builder;
        say(text + builder + sequence + new StringBuffer("buffer"));
        String grown = "";
        for (int at = 0; at < 5; at++) {
            grown += at;
            grown += ',';
        }
        say(grown);
        say(new Traced("a") + "-" + new Traced("b") + new Traced("c"));
        say(order);
        final int constant = 42;
        say(text + constant + 1.5 + 'c' + 7L + true + null);
        Object[] slot = {1};
        slot[0] += "x";
        say("" + slot[0]);
    }
}
