import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class LibScanner {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            numbers.add(in.nextLong());
        }
        System.out.println(numbers + " " + in.next() + " " + in.nextDouble() + " " + in.nextBoolean());
        System.out.println("[" + in.nextLine() + "]");
        System.out.println("[" + in.nextLine() + "]");
        while (in.hasNextInt()) {
            System.out.print(in.nextInt() + ";");
        }
        System.out.println(in.hasNext() + " " + in.next());
        in.nextLine();
        in.useDelimiter(",\\s*|\\R");
        while (in.hasNext("[a-z]+")) {
            System.out.print("<" + in.next() + ">");
        }
        System.out.println();
        in.reset();
        while (in.hasNextLine()) {
            System.out.println("line " + in.nextLine());
        }
        Scanner text = new Scanner("k=1;j=2").useDelimiter("[=;]");
        System.out.println(text.next() + text.nextInt() + text.next() + text.nextInt() + text.hasNext());
    }
}
