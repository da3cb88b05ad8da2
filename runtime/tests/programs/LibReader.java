import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.TreeMap;

public class LibReader {
    public static void main(String[] args) throws IOException {
        int first = System.in.read();
        System.out.println("first byte " + first);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Map<String, Integer> words = new TreeMap<>();
        String line;
        int lines = 0, chars = 0;
        while ((line = in.readLine()) != null) {
            lines++;
            chars += line.length();
            if (line.equals("END")) {
                break;
            }
            for (String w : line.toLowerCase().split("[^a-z\u00e9]+")) {
                if (!w.isEmpty()) {
                    words.merge(w, 1, Integer::sum);
                }
            }
        }
        System.out.println(lines + " lines, " + chars + " characters");
        words.forEach((w, n) -> System.out.println(w + " " + n));
        char[] rest = new char[5];
        int n = in.read(rest);
        System.out.println(n + " [" + new String(rest, 0, n) + "]");
        System.out.println(in.lines().count());
        System.out.println(in.read() + " " + in.readLine() + " " + System.in.read());
        System.err.println("to the error output");
    }
}
