import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

public class LibCodecs {
    public static void main(String[] args) throws Exception {
        byte[] data = "The quick brown fox \u00e9\u4e2d".getBytes(StandardCharsets.UTF_8);
        for (int n : new int[] {0, 1, 2, 3, 10, data.length}) {
            byte[] part = Arrays.copyOf(data, n);
            String text = Base64.getEncoder().encodeToString(part);
            System.out.println(text + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(part) + " " + Arrays.equals(Base64.getDecoder().decode(text), part));
        }
        try {
            Base64.getDecoder().decode("a*b=");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Base64.getMimeEncoder(8, new byte[] {'|'}).encodeToString(data));
        CRC32 crc = new CRC32();
        crc.update(data);
        crc.update('x');
        Adler32 adler = new Adler32();
        adler.update(data, 2, 5);
        System.out.println(Long.toHexString(crc.getValue()) + " " + Long.toHexString(adler.getValue()));
        HexFormat hex = HexFormat.ofDelimiter(":").withUpperCase();
        System.out.println(hex.formatHex(data, 0, 5) + " " + Arrays.toString(HexFormat.of().parseHex("00ff7f80")) + " " + HexFormat.of().toHexDigits((byte) 0x1f));
        for (String name : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "none"}) {
            try {
                MessageDigest digest = MessageDigest.getInstance(name);
                digest.update(data);
                System.out.println(digest.getAlgorithm() + " " + HexFormat.of().formatHex(digest.digest("x".repeat(200).getBytes(StandardCharsets.US_ASCII))));
            } catch (NoSuchAlgorithmException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(UUID.nameUUIDFromBytes(data));
    }
}
