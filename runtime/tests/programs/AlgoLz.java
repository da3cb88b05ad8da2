import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class AlgoLz {
    static byte[] pack(byte[] in) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int[] last = new int[4096];
        java.util.Arrays.fill(last, -1);
        int at = 0;
        while (at < in.length) {
            int length = 0, distance = 0;
            if (at + 3 <= in.length) {
                int hash = ((in[at] & 0xff) * 961 + (in[at + 1] & 0xff) * 31 + (in[at + 2] & 0xff)) & 4095;
                int from = last[hash];
                last[hash] = at;
                if (from >= 0 && at - from < 65536) {
                    while (at + length < in.length && length < 255 && in[from + length] == in[at + length]) {
                        length++;
                    }
                    distance = at - from;
                }
            }
            if (length >= 4) {
                out.write(0);
                out.write(length);
                out.write(distance >> 8);
                out.write(distance);
                at += length;
            } else {
                out.write(1);
                out.write(in[at++]);
            }
        }
        return out.toByteArray();
    }

    static byte[] unpack(byte[] in) {
        byte[] out = new byte[16];
        int size = 0;
        for (int i = 0; i < in.length; ) {
            int length = in[i] == 1 ? 1 : in[i + 1] & 0xff;
            if (size + length > out.length) {
                out = java.util.Arrays.copyOf(out, Math.max(size + length, out.length * 2));
            }
            if (in[i] == 1) {
                out[size++] = in[i + 1];
                i += 2;
            } else {
                int distance = (in[i + 2] & 0xff) << 8 | in[i + 3] & 0xff;
                for (int k = 0; k < length; k++, size++) {
                    out[size] = out[size - distance];
                }
                i += 4;
            }
        }
        return java.util.Arrays.copyOf(out, size);
    }

    static List<Integer> lzw(String text) {
        Map<String, Integer> table = new HashMap<>();
        for (int c = 0; c < 256; c++) {
            table.put("" + (char) c, c);
        }
        List<Integer> out = new ArrayList<>();
        String w = "";
        for (char c : text.toCharArray()) {
            if (table.containsKey(w + c)) {
                w += c;
            } else {
                out.add(table.get(w));
                table.put(w + c, table.size());
                w = "" + c;
            }
        }
        out.add(table.get(w));
        return out;
    }

    static String unlzw(List<Integer> codes) {
        List<String> table = new ArrayList<>();
        for (int c = 0; c < 256; c++) {
            table.add("" + (char) c);
        }
        String w = table.get(codes.get(0));
        StringBuilder out = new StringBuilder(w);
        for (int code : codes.subList(1, codes.size())) {
            String s = code < table.size() ? table.get(code) : w + w.charAt(0);
            out.append(s);
            table.add(w + s.charAt(0));
            w = s;
        }
        return out.toString();
    }

    public static void main(String[] args) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 150; i++) {
            text.append("line ").append(i * i % 37).append(" of the text, again and again; ");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] packed = pack(bytes);
        System.out.println(bytes.length + " " + packed.length + " " + java.util.Arrays.equals(unpack(packed), bytes) + " " + java.util.Arrays.hashCode(packed));
        List<Integer> codes = lzw(text.toString());
        System.out.println(codes.size() + " " + codes.hashCode() + " " + unlzw(codes).contentEquals(text));
        System.out.println(lzw("TOBEORNOTTOBEORTOBEORNOT") + " " + unlzw(lzw("aaaaaaaaaa")));
        System.out.println(pack(new byte[0]).length + " " + pack(new byte[1000]).length);
    }
}
