public class ErrorNull {
    ErrorNull next;
    int number;
    long[] longs;
    String text;
    static ErrorNull root;
    static int[][] grid;
    Object[] objects;

    ErrorNull get() {
        return next;
    }

    static ErrorNull find(String s, int i) {
        return null;
    }

    void call() {}

    private int secret() {
        return 1;
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    static void locals(ErrorNull parameter, int[] array) {
        ErrorNull local = parameter;
        int i = 3;
        attempt(() -> local.call());
        try {
            local.number = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            parameter.call();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            array[i] = 1;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(array[i + 1]);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(array.length);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        attempt(() -> root.call());
        attempt(() -> System.out.println(root.number));
        attempt(() -> root.text = "x");
        attempt(() -> find("a", 1).call());
        attempt(() -> find("a", 1).next.call());
        attempt(() -> System.out.println(grid[1][2]));
        attempt(() -> System.out.println(root.secret()));
        grid = new int[2][];
        attempt(() -> System.out.println(grid[1][2]));
        attempt(() -> grid[0][1]++);
        ErrorNull o = new ErrorNull();
        attempt(() -> o.next.next.call());
        attempt(() -> o.get().call());
        attempt(() -> o.get().get().get());
        attempt(() -> System.out.println(o.text.length()));
        attempt(() -> System.out.println(o.longs[0]));
        attempt(() -> o.longs[o.number] = 4);
        attempt(() -> o.objects[0] = "x");
        attempt(() -> System.out.println(o.objects.length));
        o.objects = new Object[2];
        attempt(() -> System.out.println(o.objects[1].toString()));
        attempt(() -> {
            throw null;
        });
        attempt(() -> {
            RuntimeException e = null;
            throw e;
        });
        attempt(() -> {
            synchronized (o.next) {
                System.out.println("locked");
            }
        });
        attempt(() -> {
            Integer boxed = null;
            int n = boxed;
        });
        attempt(() -> {
            String s = null;
            switch (s) {
                default: System.out.println("switched");
            }
        });
        attempt(() -> {
            int[][][] cube = new int[1][1][];
            cube[0][0][0] = 1;
        });
        attempt(() -> {
            Object[] none = null;
            for (Object x : none) {
                System.out.println(x);
            }
        });
        attempt(() -> {
            throw new NullPointerException();
        });
        attempt(() -> {
            throw new NullPointerException("own message");
        });
        locals(null, null);
        String s = null;
        try {
            s.concat("x");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            ((Comparable<String>) s).compareTo("y");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        int[] uncaught = args.length == 0 ? null : new int[1];
        uncaught[args.length]++;
    }
}
