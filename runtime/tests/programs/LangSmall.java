public class LangSmall {
    static byte sb = 127;
    static short ss = -32768;
    static char sc = 0;
    byte fb;
    short fs;
    char fc;
    boolean fz;

    static byte wrap(byte b) {
        return ++b;
    }

    static char next(char c) {
        return (char) (c + 1);
    }

    public static void main(String[] args) {
        sb++;
        ss--;
        sc--;
        System.out.println(sb + " " + ss + " " + (int) sc);
        LangSmall o = new LangSmall();
        System.out.println(o.fb + " " + o.fs + " " + (int) o.fc + " " + o.fz);
        o.fb -= 130;
        o.fs += 40000;
        o.fc += 65537;
        o.fz |= true;
        o.fz ^= true;
        System.out.println(o.fb + " " + o.fs + " " + (int) o.fc + " " + o.fz);
        System.out.println(wrap((byte) 127) + " " + next('\uffff') + "|" + (int) next('\uffff'));
        byte[] bytes = {1, -1, (byte) 255, (byte) 0x80};
        short[] shorts = {1, -1, (short) 65535, (short) 0x8000};
        char[] chars = {'a', '\u00e9', '\u4e2d', 0xffff};
        boolean[] flags = new boolean[3];
        flags[1] = !flags[0];
        for (int i = 0; i < 4; i++) {
            bytes[i] += 127;
            shorts[i] *= 3;
            chars[i]++;
            System.out.println(bytes[i] + " " + shorts[i] + " " + (int) chars[i]);
        }
        System.out.println(flags[0] + " " + flags[1] + " " + (flags[1] & !flags[2]) + " " + (flags[0] == flags[2]));
        byte b = 10;
        b *= 2.7;
        b /= 2;
        b %= 7;
        b <<= 6;
        System.out.println(b);
        b >>>= 1;
        System.out.println(b);
        b >>>= 1;
        b ^= 0xff;
        System.out.println(b);
        char c = 'x';
        c += 1.9;
        c -= 'a' - 'A';
        System.out.println(c);
        int sum = 'a' + 'b';
        System.out.println(sum + "" + 'a' + 'b' + (char) 99);
        short s = (short) (b + c);
        System.out.println(s);
        System.out.println((byte) -129 + " " + (short) 0x18000 + " " + (char) 0x10041 + " " + (byte) 'é');
        for (char d = 'a'; d <= 'z'; d += 5) {
            System.out.print(d);
        }
        System.out.println();
        System.out.println(c > b ? c : b);
        System.out.println(true ? 'a' : 0);
        int zero = 0;
        System.out.println(true ? 'a' : zero);
        System.out.println(Byte.MIN_VALUE + " " + Short.MAX_VALUE + " " + (int) Character.MAX_VALUE);
    }
}
