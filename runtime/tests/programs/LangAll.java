import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** Lists of a small Lisp: most of the language in one program. */
public class LangAll {
    sealed interface Value permits Num, Sym, Pair, Fun, Nil {}
    record Num(long n) implements Value {
        @Override public String toString() {
            return Long.toString(n);
        }
    }
    record Sym(String name) implements Value {
        private static final Map<String, Sym> ALL = new HashMap<>();

        static Sym of(String name) {
            return ALL.computeIfAbsent(name, Sym::new);
        }

        @Override public String toString() {
            return name;
        }
    }
    enum Nil implements Value {
        NIL;

        @Override public String toString() {
            return "()";
        }
    }
    record Pair(Value head, Value tail) implements Value, Iterable<Value> {
        @Override public Iterator<Value> iterator() {
            return new Iterator<>() {
                private Value at = Pair.this;

                @Override public boolean hasNext() {
                    return at instanceof Pair;
                }

                @Override public Value next() {
                    Pair p = (Pair) at;
                    at = p.tail;
                    return p.head;
                }
            };
        }

        @Override public String toString() {
            StringBuilder s = new StringBuilder("(");
            String between = "";
            for (Value v : this) {
                s.append(between).append(v);
                between = " ";
            }
            return s.append(')').toString();
        }
    }
    @FunctionalInterface
    non-sealed interface Fun extends Value {
        Value call(List<Value> args);
    }

    static class Fault extends RuntimeException {
        private static final long serialVersionUID = 1;

        Fault(String format, Object... args) {
            super(String.format(format, args));
        }
    }

    static class Scope {
        private final Map<Sym, Value> names = new HashMap<>();
        private final Scope outer;

        Scope(Scope outer) {
            this.outer = outer;
        }

        Value get(Sym s) {
            for (Scope at = this; at != null; at = at.outer) {
                Value v = at.names.get(s);
                if (v != null) {
                    return v;
                }
            }
            throw new Fault("unknown: %s", s);
        }

        void set(String name, Value v) {
            names.put(Sym.of(name), v);
        }
    }

    static long depth;

    static Value eval(Value v, Scope scope) {
        if (v instanceof Sym s) {
            return scope.get(s);
        }
        if (!(v instanceof Pair p)) {
            return v;
        }
        List<Value> rest = new ArrayList<>();
        if (p.tail() instanceof Pair tail) {
            tail.forEach(rest::add);
        }
        if (p.head() instanceof Sym s) {
            switch (s.name()) {
                case "quote":
                    return rest.get(0);
                case "if":
                    return eval(rest.get(truth(eval(rest.get(0), scope)) ? 1 : 2), scope);
                case "define":
                    scope.set(((Sym) rest.get(0)).name(), eval(rest.get(1), scope));
                    return rest.get(0);
                case "lambda":
                    return (Fun) args -> {
                        Scope inner = new Scope(scope);
                        int i = 0;
                        if (rest.get(0) instanceof Pair names) {
                            for (Value name : names) {
                                inner.names.put((Sym) name, args.get(i++));
                            }
                        }
                        if (i != args.size()) {
                            throw new Fault("%d arguments, not %d", args.size(), i);
                        }
                        return eval(rest.get(1), inner);
                    };
                default:
                    break;
            }
        }
        if (++depth > 1000) {
            throw new Fault("too deep");
        }
        try {
            Value f = eval(p.head(), scope);
            rest.replaceAll(a -> eval(a, scope));
            return ((Fun) f).call(rest);
        } finally {
            depth--;
        }
    }

    static boolean truth(Value v) {
        return v != Nil.NIL;
    }

    static Fun arithmetic(BiFunction<Long, Long, Long> op) {
        return args -> new Num(args.stream().map(a -> ((Num) a).n()).reduce(op::apply).orElse(0L));
    }

    static Fun compare(java.util.function.IntPredicate test) {
        return args -> test.test(Long.compare(((Num) args.get(0)).n(), ((Num) args.get(1)).n())) ? Sym.of("t") : Nil.NIL;
    }

    static int at;

    static Value read(String[] tokens) {
        String t = tokens[at++];
        return switch (t) {
            case "(" -> {
                List<Value> items = new ArrayList<>();
                while (!tokens[at].equals(")")) {
                    items.add(read(tokens));
                }
                at++;
                Value list = Nil.NIL;
                for (int i = items.size(); i-- > 0; ) {
                    list = new Pair(items.get(i), list);
                }
                yield list;
            }
            case "'" -> new Pair(Sym.of("quote"), new Pair(read(tokens), Nil.NIL));
            default -> t.matches("-?\\d+") ? new Num(Long.parseLong(t)) : Sym.of(t);
        };
    }

    public static void main(String[] args) {
        Scope global = new Scope(null);
        global.set("+", arithmetic(Long::sum));
        global.set("-", arithmetic((a, b) -> a - b));
        global.set("*", arithmetic(Math::multiplyExact));
        global.set("/", arithmetic((a, b) -> a / b));
        global.set("<", compare(c -> c < 0));
        global.set("=", compare(c -> c == 0));
        global.set("cons", (Fun) a -> new Pair(a.get(0), a.get(1)));
        global.set("head", (Fun) a -> ((Pair) a.get(0)).head());
        global.set("tail", (Fun) a -> ((Pair) a.get(0)).tail());
        global.set("nil", Nil.NIL);
        String program = """
            (define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))
            (fact 20)
            (fact 21)
            (define map (lambda (f l) (if l (cons (f (head l)) (map f (tail l))) nil)))
            (map (lambda (x) (* x x)) '(1 2 3 4))
            (define fold (lambda (f z l) (if l (fold f (f z (head l)) (tail l)) z)))
            (fold + 0 '(10 20 30))
            (define compose (lambda (f g) (lambda (x) (f (g x)))))
            ((compose (lambda (x) (+ x 1)) (lambda (x) (* x 10))) 4)
            (define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) nil)))
            (fold + 0 (range 0 100))
            (head (quote ()))
            (/ 1 0)
            (unknown 1)
            ((lambda (a b) a) 1)
            (1 2)
            (define loop (lambda (x) (loop x)))
            (loop 1)
            (cons 'a '(b (c d) -5))
            """;
        for (String line : program.lines().toList()) {
            String[] tokens = line.replaceAll("([()'])", " $1 ").trim().split("\\s+");
            at = 0;
            Supplier<Value> run = () -> eval(read(tokens), global);
            try {
                Value v = run.get();
                System.out.println(v instanceof Fun ? "function" : v.toString());
            } catch (Fault f) {
                System.out.println("fault: " + f.getMessage());
            } catch (ArithmeticException | IndexOutOfBoundsException e) {
                System.out.println("arithmetic: " + e.getMessage());
            } catch (ClassCastException e) {
                System.out.println("type: " + e.getMessage().split(" cannot")[0]);
            }
        }
    }
}
