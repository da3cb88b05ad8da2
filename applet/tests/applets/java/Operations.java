/** Every instruction of the applet profile that javac writes, and what goes wrong. */
class Operations {
    static final int CONSTANT = 1_000_003;
    static final byte SMALL = -7;
    static byte narrow;
    static short wider;
    static int[] kept;
    static int counter;
    byte own;
    short[] numbers;
    byte[] bytes = {1, -2, 3, -4};
    int from;

    Operations(int from) {
        this.from = from;
        numbers = new short[] {10, -20, 30, (short) from};
    }

    static int arithmetic(int a, int b) {
        int x = a + b - a * 3 ^ b;
        x = (x << b) + (x >> a) + (x >>> 3) - (a | b) + (a & b) + ~a - -b;
        return x + CONSTANT + SMALL + (byte) x + (short) (x * 7);
    }

    static int divided(int a, int b) {
        return a / b * 31 + a % b;
    }

    static int compared(int a, int b) {
        int bits = 0;
        bits = bits * 2 + (a == b ? 1 : 0);
        bits = bits * 2 + (a != b ? 1 : 0);
        bits = bits * 2 + (a < b ? 1 : 0);
        bits = bits * 2 + (a >= b ? 1 : 0);
        bits = bits * 2 + (a > b ? 1 : 0);
        bits = bits * 2 + (a <= b ? 1 : 0);
        bits = bits * 2 + (a == 0 ? 1 : 0);
        bits = bits * 2 + (a < 0 ? 1 : 0);
        bits = bits * 2 + (b >= 0 ? 1 : 0);
        bits = bits * 2 + (b > 0 ? 1 : 0);
        return bits * 2 + (b <= 0 ? 1 : 0);
    }

    static int dense(int key) {
        switch (key) {
            case -1: return 5;
            case 0: key += 1000;
            case 1: return key * 7;
            case 3: return 9;
            default: return -key;
        }
    }

    static int sparse(int key) {
        int found = 0;
        switch (key) {
            case Integer.MIN_VALUE: found = 1; break;
            case -300: found = 2; break;
            case 7: found = 3; break;
            case 100_000: found = 4; break;
            case Integer.MAX_VALUE: found = 5; break;
        }
        return found;
    }

    static int arrays(byte size, int at) {
        int[] ints = new int[size];
        byte[] bytes = new byte[size];
        short[] shorts = new short[size];
        ints[at] = CONSTANT;
        bytes[at] = (byte) CONSTANT;
        shorts[at] = (short) CONSTANT;
        ints[at]++;
        bytes[at] += 100;
        shorts[at] -= 9;
        int old = ints[at]++;
        int both = bytes[at] = (byte) (shorts[at] = (short) old);
        return ints[at] + bytes[at] * 3 + shorts[at] * 5 + both + ints.length + bytes.length + shorts.length;
    }

    static int fields(int value) {
        narrow = (byte) value;
        wider = (short) value;
        counter += narrow++ + --wider;
        kept = value > 0 ? new int[] {value} : kept;
        if (kept == null) {
            return counter;
        }
        return counter + kept[0]++;
    }

    static int nothing(byte size) {
        int[] none = size > 0 ? new int[size] : null;
        return none.length;
    }

    static int chosen(int value, int of) {
        int[] a = {1, value};
        int[] b = value > 0 ? a : new int[2];
        Object one = of > 0 ? (Object) a : (Object) new byte[3];
        return (a == b ? 1 : 0) + (one == a ? 2 : 0) + (a != one ? 4 : 0) + b[1];
    }

    static int deep(byte depth) {
        return depth <= 0 ? 0 : 1 + deep((byte) (depth - 1));
    }

    static int garbage(short count) {
        int[] first = {count};
        int sum = 0;
        for (int i = 0; i < (count & 1023); i++) {
            byte[] next = new byte[i & 255];
            if (next.length > 0) {
                next[next.length - 1] = (byte) i;
                sum += next[next.length - 1] + next[0];
            }
            if (i % 100 == 50) {
                kept = new int[] {sum, i};
            }
        }
        return sum + first[0] + (kept == null ? 0 : kept[kept.length - 1]);
    }

    static int stepped(int i) {
        i += 1000;
        i -= 30_000;
        i += 3;
        return i;
    }

    int used(int at) {
        own += 3;
        from++;
        int now = from++ + (own = (byte) (own + at));
        return now + bytes[at] + numbers[bytes.length - 1] + self(at) * 2;
    }

    private int self(int at) {
        Object self = at > 1 ? (Object) this : (Object) bytes;
        return (self == this ? 1 : 0) + (self == bytes ? 2 : 0);
    }

    void reset() {
        from = 0;
        bytes[0]--;
        numbers = bytes[0] % 2 == 0 ? numbers : null;
    }
}
