import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

public class LangInner {
    private int count = 10;
    private static int shared = 100;

    class Inner {
        int count = 20;

        class Deep {
            int count = 30;

            String show() {
                LangInner.this.count++;
                Inner.this.count += 2;
                return count + " " + Inner.this.count + " " + LangInner.this.count + " " + shared++;
            }
        }
    }

    static class Nested {
        private int hidden = 5;

        private int secret(int n) {
            return hidden * n;
        }
    }

    interface Visitor {
        void visit(int n);
    }

    void each(int n, Visitor v) {
        for (int i = 0; i < n; i++) {
            v.visit(i);
        }
    }

    IntSupplier counter(int start) {
        int[] cell = {start};
        class Local implements IntSupplier {
            final int step;

            Local(int step) {
                this.step = step;
            }

            public int getAsInt() {
                cell[0] += step;
                return cell[0] + count + start;
            }
        }
        return new Local(3);
    }

    class Base {
        Base() {
            hook();
        }

        void hook() {
            System.out.println("base");
        }
    }

    Base anonymous(String captured) {
        return new Base() {
            String field = "field";

            {
                System.out.println("initialiser " + field);
            }

            @Override void hook() {
                System.out.println("captured " + captured + " field " + field + " " + count);
            }
        };
    }

    public static void main(String[] args) {
        LangInner outer = new LangInner();
        LangInner.Inner inner = outer.new Inner();
        Inner.Deep deep = inner.new Deep();
        System.out.println(deep.show());
        System.out.println(deep.show());
        System.out.println(outer.new Inner().new Deep().show());
        Nested nested = new Nested();
        nested.hidden += 2;
        System.out.println(nested.secret(6));
        List<Integer> seen = new ArrayList<>();
        outer.each(3, new Visitor() {
            int total;

            @Override public void visit(int n) {
                total += n;
                seen.add(total);
            }
        });
        System.out.println(seen);
        IntSupplier c = outer.counter(1000);
        System.out.println(c.getAsInt() + " " + c.getAsInt() + " " + outer.counter(1).getAsInt());
        Base b = outer.anonymous("yes");
        b.hook();
        System.out.println(b.getClass().getName() + " [" + b.getClass().getSimpleName() + "] " + c.getClass().getName() + " "
            + c.getClass().getSimpleName() + " " + deep.getClass().getName() + " " + deep.getClass().getSimpleName());
        record Point(int x, int y) {}
        enum Color { RED, GREEN }
        interface Twice {
            int of(int n);
        }
        Twice twice = n -> 2 * n;
        System.out.println(new Point(1, 2) + " " + Color.GREEN + " " + twice.of(4));
        try {
            LangInner none = null;
            none.new Inner();
        } catch (NullPointerException e) {
            System.out.println("no outer");
        }
    }
}
