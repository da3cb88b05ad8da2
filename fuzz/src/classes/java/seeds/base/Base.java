package seeds.base;

/** A class of another package, with protected members. */
public abstract class Base {
    protected int shared;
    protected static long count;
    int hidden;
    private final String text;

    protected Base(String text) {
        this.text = text;
    }

    protected Base() {
        this("none");
    }

    protected void hook(int n) {
        hidden += n + text.length();
    }

    public final void finalHook() {
        hidden--;
    }

    void packaged() {
        count--;
    }

    protected static String helper(Object o) {
        return String.valueOf(o);
    }

    public static class Open {
        protected Open(int n) { }
        protected int value;
        protected void touch() { value++; }
    }
}
