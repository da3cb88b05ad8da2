import java.io.*;
import java.util.Arrays;
import java.util.zip.*;

/** What is deflated comes back, whatever level and way; lengths are not told, for they are the library's own. */
public class LibDeflater {
    static byte[] text(int length) {
        byte[] text = new byte[length];
        for (int at = 0, state = 1; at < length; at++) {
            state = state * 1103515245 + 12345;
            text[at] = at % 100 < 60 ? (byte) ('a' + at % 7) : (byte) (state >> 16);
        }
        return text;
    }

    static byte[] inflated(byte[] bytes, int count, boolean nowrap) throws DataFormatException {
        Inflater inflater = new Inflater(nowrap);
        inflater.setInput(bytes, 0, count);
        byte[] back = new byte[200_000];
        int length = 0;
        for (int more; (more = inflater.inflate(back, length, back.length - length)) > 0;) {
            length += more;
        }
        System.out.print(inflater.finished() + " " + inflater.getRemaining() + " ");
        inflater.end();
        return Arrays.copyOf(back, length);
    }

    static void whole(byte[] text, int level, boolean nowrap, int strategy, int room) throws Exception {
        Deflater deflater = new Deflater(level, nowrap);
        deflater.setStrategy(strategy);
        System.out.print(deflater.needsInput() + " ");
        deflater.setInput(text);
        System.out.print(deflater.needsInput() + " ");
        deflater.finish();
        byte[] packed = new byte[200_000];
        int length = 0;
        while (!deflater.finished()) {
            length += deflater.deflate(packed, length, Math.min(room, packed.length - length));
        }
        System.out.print(level + " " + nowrap + " " + deflater.getBytesRead() + " " + deflater.getTotalIn() + " ");
        System.out.print((deflater.getBytesWritten() == length) + " " + deflater.getAdler() + " " + deflater.deflate(packed) + " ");
        System.out.println(Arrays.equals(text, inflated(packed, length, nowrap)) + " " + (length < text.length));
        deflater.end();
    }

    public static void main(String[] words) throws Exception {
        for (int length : new int[] { 0, 1, 10_000, 150_000 }) {
            for (int level = -1; level <= 9; level++) {
                whole(text(length), level, level % 2 == 0, level % 3 == 0 ? Deflater.FILTERED : Deflater.DEFAULT_STRATEGY, 100_000);
            }
            whole(text(length), 6, true, Deflater.HUFFMAN_ONLY, 1000);
        }
        // Parts, flushed; another level on the way; used again.
        Deflater deflater = new Deflater();
        byte[] text = text(50_000), packed = new byte[100_000];
        for (int round = 0; round < 2; round++) {
            int length = 0;
            for (int part = 0; part < 5; part++) {
                deflater.setInput(text, 10_000 * part, 10_000);
                int flush = part % 3 == 0 ? Deflater.SYNC_FLUSH : part % 3 == 1 ? Deflater.FULL_FLUSH : Deflater.NO_FLUSH;
                for (int more; (more = deflater.deflate(packed, length, 3000, flush)) > 0;) {
                    length += more;
                }
                System.out.print(deflater.needsInput() + " " + deflater.getTotalIn() + " " + deflater.getAdler() + " ");
                if (part == 2 && round == 1) {
                    deflater.setLevel(9);
                    deflater.setStrategy(Deflater.HUFFMAN_ONLY);
                }
                if (flush == Deflater.SYNC_FLUSH) {
                    Inflater inflater = new Inflater();
                    inflater.setInput(packed, 0, length);
                    System.out.print(inflater.inflate(new byte[100_000]) + " ");
                    inflater.end();
                }
            }
            deflater.finish();
            while (!deflater.finished()) {
                length += deflater.deflate(packed, length, 10);
            }
            System.out.println(Arrays.equals(text, inflated(packed, length, false)));
            deflater.reset();
            System.out.println(deflater.finished() + " " + deflater.getTotalIn() + " " + deflater.getTotalOut() + " " + deflater.getAdler());
        }
        deflater.end();
        deflater.end();
        try {
            deflater.deflate(packed);
        } catch (NullPointerException error) {
            System.out.println(error.getMessage());
        }
        for (int wrong : new int[] { -2, 10 }) {
            try {
                new Deflater(wrong);
            } catch (IllegalArgumentException error) {
                System.out.println(error.getMessage());
            }
        }

        // The streams.
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(text);
        }
        try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            System.out.println(Arrays.equals(text, in.readAllBytes()));
        }
        bytes.reset();
        try (var out = new DeflaterOutputStream(bytes, true)) {
            out.write(text, 0, 20_000);
            out.flush();
            System.out.println(new InflaterInputStream(new ByteArrayInputStream(bytes.toByteArray())).readNBytes(20_000).length);
            out.write(text, 20_000, 30_000);
        }
        System.out.println(Arrays.equals(text, new InflaterInputStream(new ByteArrayInputStream(bytes.toByteArray())).readAllBytes()));
        System.out.println(Arrays.equals(text, new InflaterInputStream(new DeflaterInputStream(new ByteArrayInputStream(text))).readAllBytes()));
        bytes.reset();
        try (var out = new ZipOutputStream(bytes)) {
            for (int at = 0; at < 4; at++) {
                ZipEntry entry = new ZipEntry("entry" + at);
                if (at == 3) {
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(3);
                    var sum = new CRC32();
                    sum.update(text, 0, 3);
                    entry.setCrc(sum.getValue());
                }
                out.putNextEntry(entry);
                out.setLevel(3 * at);
                out.write(text, 0, at == 3 ? 3 : 1000 * at);
                out.closeEntry();
            }
            out.setComment("made here");
        }
        try (var in = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (ZipEntry entry; (entry = in.getNextEntry()) != null;) {
                byte[] content = in.readAllBytes();
                System.out.println(entry.getName() + " " + entry.getMethod() + " " + content.length + " " + entry.getCrc()
                    + " " + Arrays.equals(content, Arrays.copyOf(text, content.length)));
            }
        }
        for (int count = 0; count < 200; count++) {
            Deflater one = new Deflater();
            one.setInput(text);
            one.deflate(packed);
            one.end();
        }
        System.out.println("all of them");
    }
}
