public class ErrorStack {
    static int depth;

    static void down() {
        depth++;
        down();
    }

    static int sum(int n) {
        return n + sum(n + 1);
    }

    static void guarded() {
        try {
            guarded();
        } finally {
            depth++;
        }
    }

    static class Loop {
        Loop inner = new Loop();
    }

    @Override public String toString() {
        return "x" + this;
    }

    static long after(int n) {
        return n == 0 ? 1 : after(n - 1) + n;
    }

    public static void main(String[] args) throws Exception {
        try {
            down();
        } catch (StackOverflowError e) {
            System.out.println("down " + (depth > 500) + " " + e.getMessage() + " " + (e.getStackTrace().length > 100) + " "
                + e.getStackTrace()[50].getMethodName());
        }
        try {
            System.out.println(sum(0));
        } catch (StackOverflowError e) {
            System.out.println("sum " + e);
        }
        depth = 0;
        try {
            guarded();
        } catch (StackOverflowError e) {
            System.out.println("guarded " + (depth > 500));
        }
        try {
            new Loop();
        } catch (Error e) {
            System.out.println("constructor " + e.getClass().getName());
        }
        try {
            System.out.println(new ErrorStack());
        } catch (VirtualMachineError e) {
            System.out.println("toString " + (e instanceof StackOverflowError));
        }
        for (int i = 0; i < 3; i++) {
            try {
                down();
            } catch (StackOverflowError e) {
                System.out.println("again " + after(100));
            }
        }
        Thread t = new Thread(() -> {
            try {
                down();
            } catch (StackOverflowError e) {
                System.out.println("in a thread");
            }
        });
        t.start();
        t.join();
        System.out.println("end " + after(400));
    }
}
