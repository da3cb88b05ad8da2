import java.nio.charset.StandardCharsets;

public class AlgoHashes {
    static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int c = i;
            for (int k = 0; k < 8; k++) {
                c = (c & 1) != 0 ? 0xedb88320 ^ c >>> 1 : c >>> 1;
            }
            TABLE[i] = c;
        }
    }

    static int crc(byte[] data) {
        int c = -1;
        for (byte b : data) {
            c = TABLE[(c ^ b) & 0xff] ^ c >>> 8;
        }
        return ~c;
    }

    static int adler(byte[] data) {
        int a = 1, b = 0;
        for (byte d : data) {
            a = (a + (d & 0xff)) % 65521;
            b = (b + a) % 65521;
        }
        return b << 16 | a;
    }

    static long fnv(byte[] data) {
        long h = 0xcbf29ce484222325L;
        for (byte b : data) {
            h = (h ^ b & 0xff) * 0x100000001b3L;
        }
        return h;
    }

    static int[] primes(int count, double power) {
        int[] out = new int[count];
        for (int n = 2, found = 0; found < count; n++) {
            boolean prime = true;
            for (int d = 2; d * d <= n; d++) {
                prime &= n % d != 0;
            }
            if (prime) {
                double root = power == 2 ? Math.sqrt(n) : StrictMath.cbrt(n);
                out[found++] = (int) (long) ((root - Math.floor(root)) * 4294967296.0);
            }
        }
        return out;
    }

    static String sha256(byte[] message) {
        int[] h = primes(8, 2), k = primes(64, 3), w = new int[64];
        int blocks = (message.length + 8) / 64 + 1;
        byte[] data = java.util.Arrays.copyOf(message, blocks * 64);
        data[message.length] = (byte) 0x80;
        long bits = message.length * 8L;
        for (int i = 0; i < 8; i++) {
            data[data.length - 1 - i] = (byte) (bits >>> 8 * i);
        }
        for (int b = 0; b < blocks; b++) {
            for (int i = 0; i < 16; i++) {
                int at = b * 64 + i * 4;
                w[i] = data[at] << 24 | (data[at + 1] & 0xff) << 16 | (data[at + 2] & 0xff) << 8 | data[at + 3] & 0xff;
            }
            for (int i = 16; i < 64; i++) {
                int s0 = Integer.rotateRight(w[i - 15], 7) ^ Integer.rotateRight(w[i - 15], 18) ^ w[i - 15] >>> 3;
                int s1 = Integer.rotateRight(w[i - 2], 17) ^ Integer.rotateRight(w[i - 2], 19) ^ w[i - 2] >>> 10;
                w[i] = w[i - 16] + s0 + w[i - 7] + s1;
            }
            int[] v = h.clone();
            for (int i = 0; i < 64; i++) {
                int s1 = Integer.rotateRight(v[4], 6) ^ Integer.rotateRight(v[4], 11) ^ Integer.rotateRight(v[4], 25);
                int t1 = v[7] + s1 + (v[4] & v[5] ^ ~v[4] & v[6]) + k[i] + w[i];
                int s0 = Integer.rotateRight(v[0], 2) ^ Integer.rotateRight(v[0], 13) ^ Integer.rotateRight(v[0], 22);
                int t2 = s0 + (v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]);
                System.arraycopy(v, 0, v, 1, 7);
                v[4] += t1;
                v[0] = t1 + t2;
            }
            for (int i = 0; i < 8; i++) {
                h[i] += v[i];
            }
        }
        StringBuilder out = new StringBuilder();
        for (int x : h) {
            out.append(String.format("%08x", x));
        }
        return out.toString();
    }

    public static void main(String[] args) {
        for (String s : new String[] {"", "abc", "The quick brown fox jumps over the lazy dog", "x".repeat(200)}) {
            byte[] b = s.getBytes(StandardCharsets.UTF_8);
            System.out.println(Integer.toHexString(crc(b)) + " " + Integer.toHexString(adler(b)) + " " + Long.toHexString(fnv(b)) + " " + sha256(b));
        }
    }
}
