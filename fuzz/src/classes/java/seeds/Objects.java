package seeds;

import seeds.base.Base;
import java.util.function.IntSupplier;

/** Construction, initialization, inheritance, access, inner classes. */
public class Objects extends Base implements Runnable, Comparable<Objects> {
    private final int number;
    protected volatile Object other;
    static Objects first = new Objects(1);

    static {
        first.other = new Objects(first, 2).other;
    }

    { other = this; }

    Objects(int number) {
        super(number > 0 ? "positive" : "other");
        this.number = number;
    }

    Objects(Objects o, int n) {
        this(o == null ? n : o.number + new Objects(n).number);
        other = new Object[] {o, new Inner().new Deeper(3)};
    }

    @Override protected void hook(int n) {
        super.hook(n + shared);
        shared = n;
        count++;
        Objects o = new Objects(n);
        o.shared = o.number;
        o.hook(1);
        o.finalHook();
    }

    @Override public void run() {
        Runnable r = new Runnable() {
            int captured = number;
            @Override public void run() { captured += shared; hook(captured); }
        };
        r.run();
        class Local implements IntSupplier {
            @Override public int getAsInt() { return number + shared; }
        }
        System.out.println(new Local().getAsInt());
    }

    @Override public int compareTo(Objects o) { return Integer.compare(number, o.number); }

    @Override public Object clone() throws CloneNotSupportedException {
        Objects copy = (Objects) super.clone();
        int[] ints = {1};
        copy.other = ints.clone();
        return copy;
    }

    class Inner {
        int n = number;
        class Deeper {
            final int sum;
            Deeper(int m) { sum = m + n + shared; }
            Objects outer() { return Objects.this; }
        }
    }

    static class Nested<T extends Number> {
        private T value;
        Nested(T value) { this.value = value; }
        double get() { return value.doubleValue() + Objects.first.number; }
        <U> U pick(boolean which, U a, U b) { return which ? a : b; }
    }

    synchronized long locked(Object monitor) {
        synchronized (monitor) {
            if (number > 3) return 3L;
            synchronized (this) { other = monitor; }
        }
        return number;
    }

    Object choose(int n, Nested<?> nested) {
        Object o;
        if (n > 5) o = nested; else if (n > 3) o = "text"; else o = new StringBuilder().append(n).append('c').append(2.5);
        return new Nested<Number>(n > 2 ? (Number) Integer.valueOf(n) : (Number) Double.valueOf(n)).pick(n > 0, o, this);
    }
}
