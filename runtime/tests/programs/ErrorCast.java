public class ErrorCast {
    interface I {}
    static class A {}
    static class B extends A implements I {}
    enum E { X }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no error");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
    }

    static <T> T unchecked(Object o) {
        @SuppressWarnings("unchecked") T t = (T) o;
        return t;
    }

    public static void main(String[] args) {
        Object s = "s", i = 1, a = new A(), b = new B(), arr = new int[1], strs = new String[1], as = new A[1], n = null;
        attempt(() -> System.out.println((Integer) s));
        attempt(() -> System.out.println((String) i));
        attempt(() -> System.out.println((B) a));
        attempt(() -> System.out.println((A) b != null));
        attempt(() -> System.out.println((I) a));
        attempt(() -> System.out.println((I) s));
        attempt(() -> System.out.println((A) s));
        attempt(() -> System.out.println((String) a));
        attempt(() -> System.out.println((String) arr));
        attempt(() -> System.out.println((long[]) arr));
        attempt(() -> System.out.println((Integer[]) strs));
        attempt(() -> System.out.println((B[]) as));
        attempt(() -> System.out.println((I[]) strs));
        attempt(() -> System.out.println((A[][]) as));
        attempt(() -> System.out.println((Runnable) arr));
        attempt(() -> System.out.println((E) s));
        attempt(() -> System.out.println((B) n));
        attempt(() -> System.out.println((E) n));
        attempt(() -> {
            String t = unchecked(5);
            System.out.println(t);
        });
        attempt(() -> {
            Object t = ErrorCast.<String>unchecked(5);
            System.out.println(t);
        });
        attempt(() -> System.out.println(Integer.class.cast("x")));
        attempt(() -> System.out.println(E.class.cast(a)));
        attempt(() -> new java.util.TreeSet<Object>().add(new A()));
        attempt(() -> System.out.println(A.class.asSubclass(B.class)));
        try {
            Comparable<Object> raw = unchecked("text");
            System.out.println(raw.compareTo(1));
        } catch (ClassCastException e) {
            System.out.println("through a bridge");
        }
        System.out.println(((B) a).hashCode());
    }
}
