public class ErrorLines {
    static int count;

    static Object[] chain(Object[] a) {
        return a;
    }

    static class Deep {
        Object[] items = new String[1];

        void store(Object o) {
            items[0] = o;
        }
    }

    static void at(int n) throws Exception {
        switch (n) {
            case 0:
                new Deep().store(1);
                break;
            case 1:
                Object o = chain(
                    chain(new Integer[2]))
                    [count + 5];
                break;
            case 2:
                String s = "a"
                    + count
                    + chain(null)[0];
                break;
            case 3:
                for (int i = 3;
                    10 / i > 0;
                    i--) {
                    count++;
                }
                break;
            case 4:
                synchronized (ErrorLines.class) {
                    throw new Exception(
                        "from within");
                }
            case 5:
                Runnable r =
                    () -> chain(null)
                        .hashCode();
                r.run();
                break;
            default:
                throw new java.io.IOException();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 6; n++) {
            try {
                at(n);
            } catch (Exception e) {
                System.out.println(n + " " + e);
                for (StackTraceElement f : e.getStackTrace()) {
                    System.out.println("  " + f.getMethodName() + ":" + f.getLineNumber());
                }
            }
        }
        at(6);
    }
}
