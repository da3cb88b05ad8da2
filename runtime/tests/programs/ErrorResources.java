public class ErrorResources {
    static class Res implements AutoCloseable {
        final String name;
        final boolean bad;

        Res(String name, boolean bad) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("no name");
            }
            this.name = name;
            this.bad = bad;
            System.out.println("open " + name);
        }

        @Override public void close() {
            System.out.println("close " + name);
            if (bad) {
                throw new IllegalStateException("close of " + name);
            }
        }
    }

    interface Body {
        void run() throws Exception;
    }

    static void attempt(Body b) {
        try {
            b.run();
            System.out.println("fine");
        } catch (Exception e) {
            System.out.println(e);
            for (Throwable s : e.getSuppressed()) {
                System.out.println("  suppressed " + s);
                for (Throwable t : s.getSuppressed()) {
                    System.out.println("    suppressed " + t);
                }
            }
        }
    }

    static int early() {
        try (Res r = new Res("early", false)) {
            return r.name.length();
        } finally {
            System.out.println("finally");
        }
    }

    public static void main(String[] args) {
        attempt(() -> {
            try (Res a = new Res("a", false); Res b = new Res("b", false)) {
                System.out.println("body " + a.name + b.name);
            }
        });
        attempt(() -> {
            try (Res a = new Res("a", true); Res b = new Res("b", true)) {
                throw new Exception("body");
            }
        });
        attempt(() -> {
            try (Res a = new Res("a", true); Res b = new Res("b", true)) {
                System.out.println("only closing fails");
            }
        });
        attempt(() -> {
            try (Res a = new Res("a", true); Res b = new Res("", false)) {
                System.out.println("not reached");
            }
        });
        attempt(() -> {
            try (Res none = null) {
                System.out.println("null is not closed " + none);
            }
        });
        attempt(() -> {
            Res outer = new Res("outer", false);
            try (outer; Res inner = new Res("inner", false)) {
                throw new RuntimeException("body");
            } catch (RuntimeException e) {
                System.out.println("caught after close: " + e.getMessage());
            }
        });
        attempt(() -> System.out.println(early()));
        attempt(() -> {
            for (int i = 0; i < 3; i++) {
                try (Res r = new Res("loop" + i, false)) {
                    if (i == 0) {
                        continue;
                    }
                    break;
                }
            }
        });
        Throwable t = new Throwable("self");
        try {
            t.addSuppressed(t);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            t.addSuppressed(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
