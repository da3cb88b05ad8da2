public class ErrorCause {
    static class Layer extends Exception {
        private static final long serialVersionUID = 1;

        Layer(String message, Throwable cause) {
            super(message, cause);
        }
    }

    static void bottom(int n) {
        if (n == 0) {
            Object o = "text";
            Integer i = (Integer) o;
            System.out.println(i);
        }
        bottom(n - 1);
    }

    static void middle() throws Layer {
        try {
            bottom(2);
        } catch (ClassCastException e) {
            throw new Layer("middle failed", e);
        }
    }

    static void top() {
        try {
            middle();
        } catch (Layer e) {
            RuntimeException r = new RuntimeException(e);
            r.addSuppressed(new IllegalArgumentException("suppressed one", new Error("cause of the suppressed")));
            r.addSuppressed(new Layer(null, null));
            throw r;
        }
    }

    public static void main(String[] args) {
        System.out.println("start");
        top();
    }
}
