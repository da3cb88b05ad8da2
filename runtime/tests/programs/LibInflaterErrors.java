import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.*;

/** Streams that are wrong: what is said of them at first, and what when they are asked for more. */
public class LibInflaterErrors {
    static final String[] STREAMS = {
        "789c4b4c4fcccc5348cc4b514804b1002b6c0574", "789c4b4c4fcccc5348cc4b514804b1002b6c0575", "0000", "799c", "78", "7801",
        "781b", "f89c", "7f9c", "78dd", "789c07", "789c010000", "789c0101000000ff", "789c0101000000", "789c0102000000ff41",
        "789c04", "789cfdffffffffffffffffff", "789c05e0ffffffffffffffffffff", "789c0580ffffffffffffffffffff",
        "789c4b4c4fcccc00ffffffffffffff", "789c63ffffffffffff", "789c6360ff0f", "789c6304ffffff", "789c0500000000000000000000",
        "789c05c0810000000000907feb0800", "78bb00000001", "789cedc1010d000000c2a0f74f6d0e37a00000", "789c75000000000000000000000000",
        "789c1dc6490100001040c0aca37f883d3c202a979d375e1d0c", "789c030000000000", "789c03000000000142" };

    static void tell(String stream, boolean nowrap, int room) {
        byte[] bytes = HexFormat.of().parseHex(nowrap ? stream.substring(Math.min(4, stream.length())) : stream);
        Inflater inflater = new Inflater(nowrap);
        inflater.setInput(bytes);
        StringBuilder said = new StringBuilder(stream + " " + nowrap + " " + room);
        byte[] to = new byte[room];
        for (int round = 0; round < 3; round++) {
            try {
                said.append("; " + inflater.inflate(to));
            } catch (DataFormatException error) {
                said.append("; ").append(error.getMessage());
            }
            said.append(" ").append(inflater.finished()).append(inflater.needsInput()).append(inflater.needsDictionary());
            said.append(" ").append(inflater.getRemaining()).append(" ").append(inflater.getTotalIn()).append(" ");
            said.append(inflater.getTotalOut()).append(" ").append(inflater.getAdler());
            if (inflater.needsInput() && round == 1) {
                inflater.setInput(new byte[] { -1, -1, -1, -1, -1 });
            }
        }
        System.out.println(said);
        inflater.end();
    }

    /** A stream that needs a dictionary, and is given another one first. */
    static void tellDictionary() throws DataFormatException {
        Inflater inflater = new Inflater();
        inflater.setInput(HexFormat.of().parseHex("78f910d003544b843114e02c00441f06c7"));
        byte[] to = new byte[100];
        System.out.println(inflater.inflate(to) + " " + inflater.needsDictionary() + " " + inflater.getAdler());
        try {
            inflater.setDictionary("other".getBytes());
        } catch (IllegalArgumentException error) {
            System.out.println(error.getMessage());
        }
        inflater.setDictionary("again and".getBytes());
        System.out.println(inflater.needsDictionary() + " " + inflater.getTotalIn());
        System.out.println(new String(to, 0, inflater.inflate(to)) + " " + inflater.finished() + " " + inflater.getAdler());
    }

    public static void main(String[] words) throws DataFormatException {
        tellDictionary();
        for (String stream : STREAMS) {
            for (int room : new int[] { 0, 3, 100 }) {
                tell(stream, false, room);
                tell(stream, true, room);
            }
            try (var in = new InflaterInputStream(new ByteArrayInputStream(HexFormat.of().parseHex(stream)))) {
                System.out.println(Arrays.toString(in.readAllBytes()));
            } catch (IOException error) {
                System.out.println(error);
            }
        }
        byte[] good = HexFormat.of().parseHex("1f8b08000000000000ff4b4c4a0600c241243503000000");
        for (int at = 0; at < good.length; at++) {
            byte[] wrong = good.clone();
            wrong[at] ^= 4;
            for (byte[] stream : new byte[][] { wrong, Arrays.copyOf(good, at) }) {
                try (var in = new GZIPInputStream(new ByteArrayInputStream(stream))) {
                    System.out.println(at + " " + new String(in.readAllBytes()));
                } catch (IOException error) {
                    System.out.println(at + " " + error);
                }
            }
        }
    }
}
