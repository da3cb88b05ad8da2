/** Prints a line, and ends when its input does. */
public final class Hello {
    private Hello() {}

    public static void main(String[] words) throws java.io.IOException {
        System.out.println("Hello, world");
        while (System.in.read() >= 0) {}
    }
}
