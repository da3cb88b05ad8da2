import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

public class LangEnums {
    enum Day { MON, TUE, WED, THU, FRI, SAT, SUN }

    enum Op {
        ADD("+") {
            int apply(int a, int b) {
                return a + b;
            }
        },
        SUB("-") {
            int apply(int a, int b) {
                return a - b;
            }
        },
        MUL("*") {
            int apply(int a, int b) {
                return a * b;
            }

            @Override public String toString() {
                return "times";
            }
        };

        final String sign;

        Op(String sign) {
            this.sign = sign;
        }

        abstract int apply(int a, int b);
    }

    interface Priced {
        int price();
    }

    enum Fruit implements Priced {
        APPLE(3), PEAR(5), FIG;

        private static int created;
        private final int price;

        static {
            for (Fruit f : values()) {
                created += f.price;
            }
        }

        Fruit() {
            this(1);
        }

        Fruit(int price) {
            this.price = price;
        }

        public int price() {
            return price;
        }
    }

    enum Empty {}

    static String kind(Day d) {
        switch (d) {
            case SAT:
            case SUN:
                return "weekend";
            case WED:
                return "middle";
            default:
                return "weekday";
        }
    }

    public static void main(String[] args) {
        System.out.println(Arrays.toString(Day.values()) + Day.values().length + Empty.values().length);
        for (Day d : Day.values()) {
            System.out.print(d.ordinal() + d.name() + " " + kind(d) + "; ");
        }
        System.out.println();
        for (Op op : Op.values()) {
            System.out.println(op + " " + op.name() + " " + op.sign + " " + op.apply(6, 7) + " " + op.getClass().getName() + " "
                + op.getDeclaringClass().getName());
        }
        System.out.println(Day.valueOf("FRI").compareTo(Day.MON) + " " + Day.valueOf("FRI").equals(Day.FRI));
        try {
            Day.valueOf("fri");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Enum.valueOf(Op.class, null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            kind(null);
        } catch (NullPointerException e) {
            System.out.println("null day");
        }
        EnumMap<Day, Integer> hours = new EnumMap<>(Day.class);
        hours.put(Day.SUN, 0);
        hours.put(Day.MON, 8);
        hours.merge(Day.MON, 1, Integer::sum);
        for (Map.Entry<Day, Integer> e : hours.entrySet()) {
            System.out.print(e.getKey() + "=" + e.getValue() + " ");
        }
        System.out.println(hours + " " + hours.containsKey(Day.TUE));
        EnumSet<Day> work = EnumSet.range(Day.MON, Day.FRI);
        work.remove(Day.WED);
        System.out.println(work + " " + EnumSet.complementOf(work) + " " + EnumSet.noneOf(Day.class) + work.contains(Day.TUE));
        System.out.println(Fruit.created + " " + Fruit.FIG.price() + " " + Fruit.PEAR.price);
        Priced p = Fruit.APPLE;
        System.out.println(p.price() + " " + (p == Fruit.APPLE) + " " + (p instanceof Enum<?>));
        System.out.println(Day.class.isEnum() + " " + Op.ADD.getClass().isEnum() + " " + Arrays.toString(Fruit.class.getEnumConstants()));
        Day[] values = Day.values();
        values[0] = null;
        System.out.println(Day.values()[0]);
    }
}
