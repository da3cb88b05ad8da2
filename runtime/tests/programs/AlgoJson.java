import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class AlgoJson {
    sealed interface Json permits Obj, Arr, Str, Num, Bool, Null {}
    record Obj(Map<String, Json> fields) implements Json {}
    record Arr(List<Json> items) implements Json {}
    record Str(String s) implements Json {}
    record Num(double d) implements Json {}
    record Bool(boolean b) implements Json {}
    enum Null implements Json { NULL }

    static class Fault extends RuntimeException {
        private static final long serialVersionUID = 1;

        Fault(String what, int at) {
            super(what + " at " + at);
        }
    }

    private final String text;
    private int at;

    AlgoJson(String text) {
        this.text = text;
    }

    static Json parse(String text) {
        AlgoJson p = new AlgoJson(text);
        Json j = p.value();
        p.space();
        if (p.at < text.length()) {
            throw new Fault("more", p.at);
        }
        return j;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        space();
        if (at >= text.length()) {
            throw new Fault("end", at);
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new Fault("no " + c, at);
        }
        at++;
    }

    private Json value() {
        return switch (peek()) {
            case '{' -> {
                at++;
                Map<String, Json> fields = new LinkedHashMap<>();
                while (peek() != '}') {
                    if (!fields.isEmpty()) {
                        expect(',');
                    }
                    String key = string();
                    expect(':');
                    fields.put(key, value());
                }
                at++;
                yield new Obj(fields);
            }
            case '[' -> {
                at++;
                List<Json> items = new ArrayList<>();
                while (peek() != ']') {
                    if (!items.isEmpty()) {
                        expect(',');
                    }
                    items.add(value());
                }
                at++;
                yield new Arr(items);
            }
            case '"' -> new Str(string());
            case 't' -> word("true", new Bool(true));
            case 'f' -> word("false", new Bool(false));
            case 'n' -> word("null", Null.NULL);
            default -> number();
        };
    }

    private Json word(String w, Json j) {
        if (!text.startsWith(w, at)) {
            throw new Fault("word", at);
        }
        at += w.length();
        return j;
    }

    private Json number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        try {
            return new Num(Double.parseDouble(text.substring(from, at)));
        } catch (NumberFormatException e) {
            throw new Fault("number", from);
        }
    }

    private String string() {
        expect('"');
        StringBuilder s = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                throw new Fault("open string", at);
            }
            char c = text.charAt(at++);
            if (c == '"') {
                return s.toString();
            }
            if (c != '\\') {
                s.append(c);
                continue;
            }
            char e = text.charAt(at++);
            switch (e) {
                case 'n' -> s.append('\n');
                case 't' -> s.append('\t');
                case 'u' -> {
                    s.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> s.append(e);
            }
        }
    }

    static void write(Json j, StringBuilder to) {
        if (j instanceof Obj o) {
            String between = "{";
            for (Map.Entry<String, Json> e : o.fields().entrySet()) {
                to.append(between).append('"').append(e.getKey()).append("\":");
                write(e.getValue(), to);
                between = ",";
            }
            to.append(o.fields().isEmpty() ? "{}" : "}");
        } else if (j instanceof Arr a) {
            to.append('[');
            for (int i = 0; i < a.items().size(); i++) {
                write(a.items().get(i), i > 0 ? to.append(',') : to);
            }
            to.append(']');
        } else if (j instanceof Str s) {
            to.append('"').append(s.s().replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")).append('"');
        } else if (j instanceof Num n) {
            to.append(n.d() == Math.rint(n.d()) && Math.abs(n.d()) < 1e15 ? "" + (long) n.d() : "" + n.d());
        } else {
            to.append(j instanceof Bool b ? "" + b.b() : "null");
        }
    }

    static int depth(Json j) {
        int d = 0;
        if (j instanceof Arr a) {
            for (Json i : a.items()) {
                d = Math.max(d, depth(i));
            }
        } else if (j instanceof Obj o) {
            d = o.fields().values().stream().mapToInt(AlgoJson::depth).max().orElse(0);
        } else {
            return 0;
        }
        return d + 1;
    }

    public static void main(String[] args) {
        String[] texts = {"{\"name\": \"Ann \\\"A\\\" \\u00e9\", \"age\": 41, \"tags\": [1, 2.5, -3e2, true, null, {}], \"nested\": {\"deep\": [[[\"x\\n\"]]]}}", "[]", " 7 ", "\"s\"",
            "[1, 2", "{\"a\" 1}", "[1 2]", "nul", "{\"a\": \"b", "[1] x", "1.2.3", "", "[true,false]"};
        for (String t : texts) {
            try {
                Json j = parse(t);
                StringBuilder out = new StringBuilder();
                write(j, out);
                System.out.println(out + " depth " + depth(j) + " " + parse(out.toString()).equals(j));
            } catch (Fault f) {
                System.out.println(f.getMessage());
            }
        }
        System.out.println(parse("{\"a\": [1, true]}"));
    }
}
