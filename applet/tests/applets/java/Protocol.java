/** An applet as U-Net/SLE has them: called for what is sent and received, it keeps windows and makes checksums. */
class Protocol {
    static final int WINDOW = 16;
    static final int[] sent = new int[WINDOW];
    private final byte[] header;
    private short expected;
    private int next;
    private int acknowledged;

    Protocol() {
        header = new byte[20];
        expected = 1;
    }

    int doTx(int length, int channel, int offset) {
        if (next - acknowledged >= WINDOW) {
            return -1;
        }
        put(0, next);
        put(4, length);
        put(8, channel);
        put(12, offset);
        sent[next % WINDOW] = length;
        next++;
        short sum = checksum(header, 16);
        header[16] = (byte) (sum >> 8);
        header[17] = (byte) sum;
        return checksum(header, 18) == -1 ? next : -2;
    }

    int doRx(int length, int channel) {
        int at = length & 15;
        if (channel == expected) {
            expected++;
        }
        while (acknowledged < next && sent[acknowledged % WINDOW] != at) {
            acknowledged++;
        }
        return acknowledged * 100 + expected;
    }

    private void put(int at, int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            header[at++] = (byte) (value >> shift);
        }
    }

    /** That of the Internet. */
    private static short checksum(byte[] of, int length) {
        int sum = 0;
        for (int at = 0; at < length; at += 2) {
            sum += (of[at] & 255) << 8 | of[at + 1] & 255;
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (short) (length == 16 ? ~sum : sum);
    }
}
