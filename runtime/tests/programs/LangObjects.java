import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

public class LangObjects {
    static class Money implements Comparable<Money> {
        final long cents;
        final String unit;

        Money(long cents, String unit) {
            this.cents = cents;
            this.unit = unit;
        }

        @Override public boolean equals(Object o) {
            if (this == o) {
                return true;
            }
            if (o == null || getClass() != o.getClass()) {
                return false;
            }
            Money m = (Money) o;
            return cents == m.cents && Objects.equals(unit, m.unit);
        }

        @Override public int hashCode() {
            return Objects.hash(cents, unit);
        }

        @Override public int compareTo(Money m) {
            return Long.compare(cents, m.cents);
        }

        @Override public String toString() {
            return cents / 100 + "." + cents % 100 + " " + unit;
        }
    }

    static class Sheep implements Cloneable {
        String name;
        int[] wool = {1, 2, 3};
        Sheep friend;

        @Override protected Sheep clone() throws CloneNotSupportedException {
            Sheep s = (Sheep) super.clone();
            s.wool = wool.clone();
            return s;
        }
    }

    static class Black extends Sheep {
        long extra = 7;
        double more = 1.5;
    }

    static class Goat {
        Object copy() throws CloneNotSupportedException {
            return clone();
        }
    }

    public static void main(String[] args) throws Exception {
        Money a = new Money(150, "EUR"), b = new Money(150, "EUR"), c = new Money(151, null);
        System.out.println(a.equals(b) + " " + a.equals(c) + " " + (a == b) + " " + a.hashCode() + " " + c.hashCode() + " " + c);
        Set<Money> set = new HashSet<>();
        set.add(a);
        System.out.println(set.add(b) + " " + set.contains(new Money(150, "EUR")) + " " + set.size() + " " + a.compareTo(c));
        Black s = new Black();
        s.name = "Dolly";
        s.friend = s;
        s.extra++;
        Black t = (Black) s.clone();
        t.wool[0] = 99;
        t.name += "2";
        System.out.println(s.name + t.name + s.wool[0] + t.wool[0] + (t.friend == s) + t.extra + t.more + t.getClass().getSimpleName());
        try {
            new Goat().copy();
        } catch (CloneNotSupportedException e) {
            System.out.println(e);
        }
        Object o = new Object();
        System.out.println(o.equals(o) + " " + (o.hashCode() == o.hashCode()) + " " + (o.hashCode() == System.identityHashCode(o))
            + " " + System.identityHashCode(null));
        System.out.println(o.toString().equals("java.lang.Object@" + Integer.toHexString(o.hashCode())));
        int distinct = 0;
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            hashes.add(System.identityHashCode(new Object()));
        }
        System.out.println(hashes.size() > 40);
        System.out.println(Objects.equals(null, null) + " " + Objects.hash() + " " + Objects.hash(1, "a", null) + " " + Objects.toString(null, "none")
            + " " + Objects.hashCode(null) + " " + Objects.requireNonNullElse(null, "else"));
        try {
            Objects.requireNonNull(null, "must be there");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("".hashCode() + " " + "a".hashCode() + " " + "hello world".hashCode() + " " + "polygenelubricants".hashCode());
        System.out.println(java.util.List.of(1, 2, 3).hashCode() + " " + java.util.Arrays.asList("a", null).hashCode() + " "
            + java.util.Map.of("k", "v").hashCode() + " " + java.util.Set.of("x").hashCode() + " " + Boolean.hashCode(true)
            + " " + Long.hashCode(1L << 33) + " " + Double.hashCode(1.5) + " " + Float.hashCode(1.5f) + " " + Character.hashCode('a'));
        System.out.println(distinct);
    }
}
