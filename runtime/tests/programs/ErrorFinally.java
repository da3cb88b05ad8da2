import java.util.function.IntSupplier;

public class ErrorFinally {
    static int counter;

    @SuppressWarnings("finally")
    static int overridden() {
        try {
            return 1;
        } finally {
            return 2;
        }
    }

    static int unchanged() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 5;
            counter += x;
        }
    }

    @SuppressWarnings("finally")
    static int swallowed() {
        for (int i = 0; ; i++) {
            try {
                throw new RuntimeException("lost");
            } finally {
                if (i < 3) {
                    continue;
                }
                break;
            }
        }
        return counter;
    }

    static String order(int n) {
        StringBuilder s = new StringBuilder();
        try {
            s.append("try ");
            try {
                if (n == 0) {
                    throw new IllegalArgumentException("a");
                }
                if (n == 1) {
                    throw new IllegalStateException("b");
                }
                if (n == 2) {
                    return s.append("return ").toString();
                }
                s.append("inner ");
            } catch (IllegalArgumentException e) {
                s.append("catch ").append(e.getMessage()).append(' ');
                throw new UnsupportedOperationException("c", e);
            } finally {
                s.append("finally1 ");
            }
            s.append("after ");
        } catch (UnsupportedOperationException | IllegalStateException e) {
            s.append(e.getClass().getSimpleName()).append(' ').append(e.getCause()).append(' ');
        } finally {
            s.append("finally2 ");
            System.out.print("[" + s + "] ");
        }
        return s.toString();
    }

    static void replaced() {
        try {
            throw new RuntimeException("first");
        } finally {
            throwSecond();
        }
    }

    static void throwSecond() {
        throw new RuntimeException("second");
    }

    static int nested() {
        int depth = 0;
        try {
            try {
                try {
                    depth = 1;
                    Object o = null;
                    o.hashCode();
                } finally {
                    depth = depth * 10 + 2;
                }
            } finally {
                depth = depth * 10 + 3;
            }
        } catch (NullPointerException e) {
            depth = depth * 10 + 4;
        } finally {
            depth = depth * 10 + 5;
        }
        return depth;
    }

    static void rethrow(boolean checked) throws java.io.IOException {
        try {
            if (checked) {
                throw new java.io.IOException("checked");
            }
            throw new Error("unchecked");
        } catch (final Throwable t) {
            counter++;
            throw t;
        }
    }

    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneaky(Throwable t) throws T {
        throw (T) t;
    }

    static void attempt(IntSupplier s) {
        try {
            System.out.println(s.getAsInt());
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    public static void main(String[] args) {
        attempt(ErrorFinally::overridden);
        attempt(ErrorFinally::unchanged);
        attempt(ErrorFinally::swallowed);
        for (int i = 0; i < 4; i++) {
            System.out.println(order(i));
        }
        attempt(() -> {
            replaced();
            return 0;
        });
        attempt(ErrorFinally::nested);
        for (boolean b : new boolean[] {true, false}) {
            try {
                rethrow(b);
            } catch (Exception | Error e) {
                System.out.println(e);
            }
        }
        attempt(() -> {
            ErrorFinally.<RuntimeException>sneaky(new Exception("sneaked"));
            return 0;
        });
        loop:
        for (int i = 0; i < 3; i++) {
            for (;;) {
                try {
                    if (i == 1) {
                        break loop;
                    }
                    continue loop;
                } finally {
                    System.out.println("leaving " + i);
                }
            }
        }
    }
}
