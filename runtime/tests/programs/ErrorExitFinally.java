public class ErrorExitFinally {
    static void leave() {
        try {
            throw new IllegalStateException("dropped");
        } finally {
            System.err.println("leaving with 3");
            System.exit(3);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("not interrupted");
            }
        });
        other.start();
        leave();
    }
}
