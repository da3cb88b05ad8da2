import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

public class AlgoExpressions {
    interface Expr {
        double eval(Map<String, Double> vars);

        default Expr derive(String v) {
            throw new UnsupportedOperationException(getClass().getSimpleName());
        }
    }

    record Num(double n) implements Expr {
        public double eval(Map<String, Double> vars) {
            return n;
        }

        @Override public Expr derive(String v) {
            return new Num(0);
        }

        @Override public String toString() {
            return n == (long) n ? "" + (long) n : "" + n;
        }
    }

    record Var(String name) implements Expr {
        public double eval(Map<String, Double> vars) {
            Double d = vars.get(name);
            if (d == null) {
                throw new IllegalArgumentException("unknown " + name);
            }
            return d;
        }

        @Override public Expr derive(String v) {
            return new Num(v.equals(name) ? 1 : 0);
        }

        @Override public String toString() {
            return name;
        }
    }

    record Bin(char op, Expr l, Expr r) implements Expr {
        public double eval(Map<String, Double> vars) {
            double a = l.eval(vars), b = r.eval(vars);
            return switch (op) {
                case '+' -> a + b;
                case '-' -> a - b;
                case '*' -> a * b;
                case '/' -> a / b;
                case '%' -> a % b;
                default -> throw new AssertionError(op);
            };
        }

        @Override public Expr derive(String v) {
            Expr dl = l.derive(v), dr = r.derive(v);
            return switch (op) {
                case '+', '-' -> simple(op, dl, dr);
                case '*' -> simple('+', simple('*', dl, r), simple('*', l, dr));
                default -> Expr.super.derive(v);
            };
        }

        @Override public String toString() {
            return "(" + l + " " + op + " " + r + ")";
        }
    }

    static Expr simple(char op, Expr l, Expr r) {
        if (l instanceof Num a && r instanceof Num b) {
            return new Num(new Bin(op, a, b).eval(Map.of()));
        }
        if (op == '*' && (l.equals(new Num(0)) || r.equals(new Num(0)))) {
            return new Num(0);
        }
        if (op == '*' && l.equals(new Num(1)) || op == '+' && l.equals(new Num(0))) {
            return r;
        }
        if (op == '*' && r.equals(new Num(1)) || (op == '+' || op == '-') && r.equals(new Num(0))) {
            return l;
        }
        return new Bin(op, l, r);
    }

    static Expr parse(String s) {
        Deque<Expr> values = new ArrayDeque<>();
        Deque<Character> ops = new ArrayDeque<>();
        for (int i = 0; i < s.length(); ) {
            char c = s.charAt(i);
            if (Character.isDigit(c)) {
                int from = i;
                while (i < s.length() && (Character.isDigit(s.charAt(i)) || s.charAt(i) == '.')) {
                    i++;
                }
                values.push(new Num(Double.parseDouble(s.substring(from, i))));
                continue;
            }
            if (Character.isLetter(c)) {
                values.push(new Var("" + c));
            } else if (c == '(') {
                ops.push(c);
            } else if (c == ')') {
                while (ops.peek() != '(') {
                    reduce(values, ops);
                }
                ops.pop();
            } else if (c != ' ') {
                while (!ops.isEmpty() && level(ops.peek()) >= level(c)) {
                    reduce(values, ops);
                }
                ops.push(c);
            }
            i++;
        }
        while (!ops.isEmpty()) {
            reduce(values, ops);
        }
        return values.pop();
    }

    static int level(char op) {
        return op == '(' ? 0 : op == '+' || op == '-' ? 1 : 2;
    }

    static void reduce(Deque<Expr> values, Deque<Character> ops) {
        Expr r = values.pop(), l = values.pop();
        values.push(new Bin(ops.pop(), l, r));
    }

    public static void main(String[] args) {
        Map<String, Double> vars = new HashMap<>(Map.of("x", 3.0, "y", -0.5));
        for (String s : new String[] {"1 + 2 * 3", "(1 + 2) * 3", "10 / 4 - 3 % 2", "x * x + y", "2 * (x - 1) * (y + 4) / 7", "1 / 0", "0 / 0", "z + 1", "1 +", "(1", "1)", "x * x * x + 2 * x + 5"}) {
            try {
                Expr e = parse(s);
                System.out.println(e + " = " + e.eval(vars));
                System.out.println("  d/dx = " + e.derive("x"));
            } catch (RuntimeException e) {
                System.out.println(s + ": " + e);
            }
        }
    }
}
