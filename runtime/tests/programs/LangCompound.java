public class LangCompound {
    static int calls;
    static int[] cells = new int[4];
    long field = 1;

    static int[] array() {
        calls += 1;
        System.out.print("array ");
        return cells;
    }

    static int index(int i) {
        calls += 10;
        System.out.print("index ");
        return i;
    }

    static int value(int v) {
        calls += 100;
        System.out.print("value ");
        return v;
    }

    LangCompound self() {
        System.out.print("self ");
        return this;
    }

    public static void main(String[] args) {
        array()[index(1)] += value(5);
        System.out.println(cells[1]);
        array()[index(1)]++;
        int old = array()[index(1)]--;
        System.out.println(old + " " + cells[1]);
        int now = ++array()[index(2)];
        System.out.println(now + " " + calls);
        int i = 10;
        i += 3.7;
        System.out.println(i);
        i -= 1e10;
        System.out.println(i);
        i *= 1L << 33;
        System.out.println(i);
        i = 7;
        i /= 0.5f;
        System.out.println(i);
        i ^= 'a';
        System.out.println(i);
        i >>= 65L;
        System.out.println(i);
        long l = 5;
        l <<= 40;
        l += 0.5;
        l |= 1;
        System.out.println(l);
        float f = 1;
        f += 1e-10;
        f *= 3;
        f %= 2;
        System.out.println(f);
        double d = 1;
        d /= 3;
        d++;
        d--;
        System.out.println(d);
        String s = "a";
        s += 1;
        s += 'b';
        s += 1.5f;
        s += null;
        s += 2L + 3;
        s += true;
        System.out.println(s);
        Object o = "x";
        o += "y";
        System.out.println(o);
        String[] texts = new String[1];
        texts[0] += "z";
        System.out.println(texts[0]);
        LangCompound c = new LangCompound();
        c.self().field += 4;
        c.self().field <<= value(2);
        c.self().field++;
        long before = c.self().field++;
        System.out.println(before + " " + c.field + " " + -c.field);
        int x = 3;
        x = x++ * 2 + x;
        System.out.println(x);
        int k = 0;
        int[] order = {0, 0, 0};
        k = order[k] = 2;
        order[k] = k = 1;
        System.out.println(k + " " + order[0] + order[1] + order[2]);
        Integer boxed = 5;
        boxed++;
        boxed += 2;
        Integer was = boxed--;
        System.out.println(boxed + " " + was);
        Character ch = 'a';
        ch++;
        System.out.println(ch);
        int a, b, e;
        a = b = e = 9;
        a -= b -= e -= 4;
        System.out.println(a + " " + b + " " + e);
        try {
            int[] none = null;
            none[index(0)] = value(1);
        } catch (NullPointerException n) {
            System.out.println("null after both");
        }
        try {
            cells[index(9)] = value(1 / (calls - calls));
        } catch (ArithmeticException n) {
            System.out.println(n.getMessage());
        }
    }
}
