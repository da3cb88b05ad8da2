import java.io.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

public class LibStreamsIo {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(-5);
        out.writeLong(1L << 40);
        out.writeDouble(1.5);
        out.writeUTF("h\u00e9llo\0");
        out.writeBoolean(true);
        out.writeShort(70000);
        out.writeChars("ab");
        out.writeFloat(-0f);
        System.out.println(out.size() + " " + Arrays.toString(bytes.toByteArray()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(in.readInt() + " " + in.readLong() + " " + in.readDouble() + " " + in.readUTF().length() + " " + in.readBoolean() + " " + in.readUnsignedShort() + " "
            + in.readChar() + in.readChar() + " " + in.readFloat() + " " + in.available());
        try {
            in.readByte();
        } catch (EOFException e) {
            System.out.println(e);
        }
        StringWriter text = new StringWriter();
        try (PrintWriter writer = new PrintWriter(new BufferedWriter(text, 4))) {
            writer.printf("%d-%s", 1, "x");
            writer.println();
            writer.print('c');
            writer.println(2.5);
        }
        System.out.println(text.toString().replace("\n", "|"));
        BufferedReader reader = new BufferedReader(new StringReader("one\ntwo\r\nthree\rfour"), 3);
        for (String s; (s = reader.readLine()) != null; ) {
            System.out.print(s + ";");
        }
        System.out.println();
        LineNumberReader lines = new LineNumberReader(new StringReader("a\nb\nc"));
        while (lines.readLine() != null) {
            System.out.print(lines.getLineNumber());
        }
        System.out.println();
        PushbackReader push = new PushbackReader(new StringReader("xy"));
        int c = push.read();
        push.unread(c);
        System.out.println((char) push.read() + "" + (char) push.read() + push.read());
        InputStream seq = new SequenceInputStream(new ByteArrayInputStream(new byte[] {1, 2}), new ByteArrayInputStream(new byte[] {3}));
        System.out.println(Arrays.toString(seq.readAllBytes()));
        InputStreamReader decoded = new InputStreamReader(new ByteArrayInputStream("\u00e9\u4e2d\ud83d\ude00".getBytes(StandardCharsets.UTF_8)), "UTF-8");
        for (int ch; (ch = decoded.read()) != -1; ) {
            System.out.print(Integer.toHexString(ch) + " ");
        }
        System.out.println();
        ByteBuffer buffer = ByteBuffer.allocate(32);
        buffer.putInt(0x01020304).putLong(-1).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x0506).putDouble(2.5).put((byte) 9);
        System.out.println(buffer + " " + buffer.order());
        buffer.flip();
        System.out.println(buffer.remaining() + " " + buffer.getInt() + " " + buffer.getLong() + " " + buffer.order(ByteOrder.BIG_ENDIAN).getShort() + " " + buffer.hasRemaining());
        System.out.println(Arrays.toString(Arrays.copyOf(buffer.array(), 6)) + " " + CharBuffer.wrap("chars").subSequence(1, 3));
        System.out.println(StandardCharsets.UTF_8.encode("\u00fc").remaining() + " " + StandardCharsets.UTF_8.decode(ByteBuffer.wrap(new byte[] {(byte) 0xc3, (byte) 0xbc})));
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        PrintStream old = System.out;
        System.setOut(new PrintStream(captured, true, "UTF-8"));
        System.out.print("captured \u00e9");
        System.setOut(old);
        System.out.println(captured.size() + captured.toString("UTF-8"));
        StreamTokenizer tokens = new StreamTokenizer(new StringReader("x = 3.5 + 'q' // rest\n"));
        tokens.slashSlashComments(true);
        while (tokens.nextToken() != StreamTokenizer.TT_EOF) {
            System.out.print(tokens + " ");
        }
        System.out.println();
    }
}
