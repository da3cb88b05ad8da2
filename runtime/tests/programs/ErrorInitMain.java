public class ErrorInitMain {
    static final int[] TABLE = table(3);

    static int[] table(int n) {
        int[] t = new int[n];
        for (int i = 0; i <= n; i++) {
            t[i] = i;
        }
        return t;
    }

    public static void main(String[] args) {
        System.out.println("not reached");
    }
}
