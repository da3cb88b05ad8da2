/** Prints a line. */
public final class Hello {
    private Hello() {}

    public static void main(String[] words) {
        System.out.println("Hello, world");
    }
}
