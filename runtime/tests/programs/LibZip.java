import java.io.ByteArrayInputStream;
import java.util.Base64;
import java.util.HexFormat;
import java.util.jar.JarInputStream;
import java.util.zip.*;

public class LibZip {
    static final byte[] JAR = Base64.getDecoder().decode("UEsDBBQAAAAIAEEQQlBJWYWOLgAAACwAAAAUAAAATUVUQS1JTkYvTUFOSUZFU1QuTUbzTczLTEstLtENSy0qzszPs1Iw1DPg5fJN"
        + "zMzTdc5JLC62UvBIzcnJ5+Xi5QIAUEsDBBQAAAAIAEEQQlA25Zp0EQAAACwBAAAMAAAAZGVmbGF0ZWQudHh0S0xPzMxTSMxLUUgc"
        + "ZRFgAQBQSwMEFAAAAAAAQRBCULMkTpYIAAAACAAAAAoAAABzdG9yZWQudHh0YXMgaXQgaXNQSwECFAMUAAAACABBEEJQSVmFji4A"
        + "AAAsAAAAFAAAAAAAAAAAAAAAgAEAAAAATUVUQS1JTkYvTUFOSUZFU1QuTUZQSwECFAMUAAAACABBEEJQNuWadBEAAAAsAQAADAAA"
        + "AAAAAAAAAAAAgAFgAAAAZGVmbGF0ZWQudHh0UEsBAhQDFAAAAAAAQRBCULMkTpYIAAAACAAAAAoAAAAAAAAAAAAAAIABmwAAAHN0"
        + "b3JlZC50eHRQSwUGAAAAAAMAAwC0AAAAywAAAAAA");

    public static void main(String[] args) throws Exception {
        try (var in = new ZipInputStream(new ByteArrayInputStream(JAR))) {
            for (ZipEntry entry; (entry = in.getNextEntry()) != null;) {
                String text = new String(in.readAllBytes());
                System.out.println(entry.getName() + " " + entry.getMethod() + " " + text.length() + " " + text.strip());
                in.closeEntry();
                System.out.println(Long.toHexString(entry.getCrc()) + " " + entry.getSize() + " " + entry.getCompressedSize());
            }
        }
        try (var in = new JarInputStream(new ByteArrayInputStream(JAR))) {
            System.out.println(in.getManifest().getMainAttributes().getValue("Main-Class"));
            System.out.println(in.getNextJarEntry().getName());
        }

        byte[] packed = HexFormat.of().parseHex("789c4b4c4fcccc5348cc4b514804b1002b6c0574");
        byte[] text = new byte[100];
        Inflater inflater = new Inflater();
        for (int round = 0; round < 3; round++) {
            inflater.setInput(packed);
            System.out.println(inflater.getAdler() + " " + inflater.inflate(text, 0, 5) + " " + inflater.getAdler());
            int rest = inflater.inflate(text, 5, 95);
            System.out.println(new String(text, 0, 5 + rest) + " " + inflater.finished() + " " + inflater.getAdler());
            System.out.println(inflater.getBytesRead() + " " + inflater.getBytesWritten() + " " + inflater.getRemaining());
            inflater.reset();
            System.out.println(inflater.finished() + " " + inflater.needsInput() + " " + inflater.getTotalOut());
        }
        inflater.end();
        inflater.end();
        try {
            inflater.getAdler();
        } catch (NullPointerException error) {
            System.out.println(error.getMessage());
        }
        for (int count = 0; count < 200; count++) {
            Inflater one = new Inflater(true);
            one.setInput(packed, 2, packed.length - 6);
            if (one.inflate(text) != 15) {
                System.out.println("no text");
            }
            one.end();
        }
        for (int count = 0; count < 200; count++) {
            new InflaterInputStream(new ByteArrayInputStream(packed)).close();
        }
    }
}
