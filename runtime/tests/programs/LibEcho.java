import java.io.IOException;

public class LibEcho {
    public static void main(String[] args) throws IOException {
        byte[] buffer = new byte[16];
        int n, total = 0;
        while ((n = System.in.read(buffer, 0, buffer.length)) > 0) {
            System.out.write(buffer, 0, n);
            total += n;
        }
        System.out.flush();
        System.out.println();
        System.out.println(total + " bytes, then " + System.in.read() + " " + System.in.available());
        System.out.write('x');
        System.out.print("y");
        System.out.append('z').append("abc", 1, 2).println();
        System.out.println(System.out.checkError());
        System.err.print("error ");
        System.err.printf("%d%n", 7);
    }
}
