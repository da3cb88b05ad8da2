/** Work on the words of a packet, in the manner of JIVE's applets: one class, static methods, one-dimensional arrays. */
final class Applet {
    static final int WORDS = 8;
    static final short[] packet = new short[WORDS];
    static int packets;

    private Applet() {}

    static int run(int number) {
        fill(number);
        int sum = checksum();
        packet[WORDS - 1] = (short) ~sum;
        if (!isWhole()) {
            return -1;
        }
        packets++;
        return sum + field(2, (byte) 4);
    }

    private static void fill(int number) {
        for (int at = 0; at < WORDS - 1; at++) {
            packet[at] = (short) (number * 31 + at);
        }
        packet[WORDS - 1] = 0;
    }

    private static int checksum() {
        int sum = 0;
        for (int at = 0; at < WORDS; at++) {
            sum += packet[at] & 0xffff;
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    private static boolean isWhole() {
        return checksum() == 0xffff;
    }

    private static int field(int at, byte bits) {
        return packet[at] & (1 << bits) - 1;
    }
}
