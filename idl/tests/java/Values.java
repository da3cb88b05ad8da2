import carnet.Bytes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Builds values of generated classes, and checks what they are equal to and what they refuse. */
final class Values {
    private static int checks;

    private Values() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        equality();
        numbers();
        strings();
        lists();
        unions();
        exceptions();
        results();
        portals();
        annotations();
        nested();
        System.out.println(checks + " checks");
    }

    private static void equality() {
        same(new every.Point((short) -1, 2), new every.Point((short) -1, 2));
        differ(new every.Point((short) -1, 2), new every.Point((short) -1, 3));
        same(spot("a", 16, 7), spot("a", 16, 7));
        differ(spot("a", 16, 7), spot("a", 15, 7));
        same(spot("a", 2, 7).toString(), "Spot[name=a, at=Point[x=1, y=2], color=DARK_GREEN, digest=2 bytes, id=7]");
        same(whole.Constants.GREETING, "good \"day\", two\tparts");
        same(whole.Constants.MOST, -1L);
        same(whole.Constants.USUAL, whole.Shade.DARK);
        same(class_.Constants_.TEXT, "\" \\ \n \\u0022 \u00e4 \u20ac");
        byte[] own = {1, 2};
        Bytes bytes = Bytes.of(own);
        own[0] = 3;
        bytes.toArray()[1] = 4;
        same(bytes, Bytes.of((byte) 1, (byte) 2));
    }

    private static every.Spot spot(String name, int digest, long id) {
        return new every.Spot(name, new every.Point((short) 1, 2), every.Color.DARK_GREEN, Bytes.of(new byte[digest]), id);
    }

    private static void numbers() {
        refused("y is -1, expected 0 to 65535", () -> new every.Point((short) 0, -1));
        refused("y is 65536, expected 0 to 65535", () -> new every.Point((short) 0, 65536));
        same(new every.Point((short) 0, 65535).y(), 65535);
        refused("level is 256, expected 0 to 255", () -> new every.Plain(true, every.Color.RED, 256));
        refused("f is 4294967296, expected 0 to 4294967295", () -> whole(1L << 32, 0, 'a'));
        refused("h is -1, expected 0 to 9223372036854775807", () -> whole(0, -1, 'a'));
        refused("i is 256, expected 0 to 255", () -> whole(0, 0, '\u0100'));
        same(whole((1L << 32) - 1, Long.MAX_VALUE, '\u00ff'), whole((1L << 32) - 1, Long.MAX_VALUE, '\u00ff'));
    }

    private static whole.Numbers whole(long f, long h, char i) {
        return new whole.Numbers((byte) 0, 0, (short) 0, 0, 0, f, 0, h, i, 0.5f, 0.25);
    }

    private static void strings() {
        same(spot("a".repeat(64), 0, 0).name().length(), 64);
        refused("name has 65 bytes, expected at most 64", () -> spot("a".repeat(65), 0, 0));
        // Two, three and four bytes each in UTF-8.
        refused("name has 66 bytes, expected at most 64", () -> spot("\u00e4".repeat(33), 0, 0));
        refused("name has 66 bytes, expected at most 64", () -> spot("\u20ac".repeat(22), 0, 0));
        refused("name has 68 bytes, expected at most 64", () -> spot("\ud83d\ude00".repeat(17), 0, 0));
        // One byte each that is not UTF-8.
        same(spot("\udcff".repeat(64), 0, 0).name().length(), 64);
        refused("name has a lone surrogate, expected a letter, or U+DC80 to U+DCFF for a byte", () -> spot("\ud800", 0, 0));
        refused("name has a lone surrogate, expected a letter, or U+DC80 to U+DCFF for a byte", () -> spot("\udc7f", 0, 0));
        refused("name has a NUL, expected none", () -> spot("a\0", 0, 0));
        refused("name is null", () -> spot(null, 0, 0));
        refused("digest has 17 bytes, expected at most 16", () -> spot("", 17, 0));
    }

    private static void lists() {
        whole.Tables right = tables(3, 3, 16, "12345678");
        same(right, tables(3, 3, 16, "12345678"));
        refused("triple has 2 elements, expected 3", () -> tables(2, 3, 16, ""));
        refused("table has 4 elements, expected 3", () -> tables(3, 4, 16, ""));
        refused("key has 15 bytes, expected 16", () -> tables(3, 3, 15, ""));
        refused("names has 9 bytes, expected at most 8", () -> tables(3, 3, 16, "123456789"));
        refused("an element of names is null", () -> tables(3, 3, 16, null));
        try {
            right.table().get(0).set(0, 1);
            throw new AssertionError("a list of a value was changed");
        } catch (UnsupportedOperationException error) {
            checks++;
        }
        List<Bytes> keys = new ArrayList<>(Collections.nCopies(4, Bytes.of(new byte[16])));
        whole.Node.KeyResult result = new whole.Node.KeyResult(keys.get(0), keys);
        keys.clear();
        same(result.b().size(), 4);
        List<Bytes> many = Collections.nCopies(5, Bytes.of(new byte[16]));
        refused("b has 5 elements, expected at most 4", () -> new whole.Node.KeyResult(many.get(0), many));
    }

    private static whole.Tables tables(int triple, int inner, int key, String name) {
        List<List<Integer>> table = List.of(Collections.nCopies(3, 1), Collections.nCopies(inner, 2));
        return new whole.Tables(Collections.nCopies(triple, 0), table, Bytes.of(new byte[key]), Arrays.asList("", name));
    }

    private static void unions() {
        whole.Value value = new whole.Value.Text("12345678");
        same(value, new whole.Value.Text("12345678"));
        same(value.discriminant(), whole.Shade.DARK);
        refused("value has 9 bytes, expected at most 8", () -> new whole.Value.Text("123456789"));
        same(new whole.Many.Real(2, 0.5).discriminant(), 2);
        refused("discriminant is 3, expected one of [1, 2]", () -> new whole.Many.Real(3, 0.5));
        same(new whole.Many.Other(0, true), new whole.Many.Other(0, true));
        refused("discriminant is -4, expected none of [1, 2, 3, -4]", () -> new whole.Many.Other(-4, true));
        same(new class_.Value.Value_("a").discriminant(), (short) -4);
        refused("discriminant is c, expected one of [a, ']", () -> new class_.Letter.One('c', 1));
    }

    private static void exceptions() {
        whole.Plain plain = new whole.Plain(whole.Shade.DARK, "\u00e4".repeat(9) + "a\ud800\u00e4");
        same(plain.getMessage(), "\u00e4".repeat(9) + "a?");
        same(plain.message(), plain.getMessage());
        same(new whole.Denied("me", new whole.Value.Number(1)).getMessage(), "Denied: who=me, why=Number[value=1]");
        refused("who has 9 bytes, expected at most 8", () -> new whole.Denied("123456789", new whole.Value.Number(1)));
        refused("why is null", () -> new whole.Denied("me", null));
    }

    private static void results() {
        same(new every.Echo.OctetsResult(1, 255), new every.Echo.OctetsResult(1, 255));
        refused("b is 256, expected 0 to 255", () -> new every.Echo.OctetsResult(1, 256));
    }

    /** A portal is the interface: a structure holds it, and a derived one stands for its base. */
    private static void portals() {
        whole.Node node = (whole.Node) java.lang.reflect.Proxy.newProxyInstance(
                Values.class.getClassLoader(), new Class<?>[] {whole.Petal.class}, (self, method, given) -> null);
        same(new whole.Link(node, "a").node() == node, true);
        refused("node is null", () -> new whole.Link(null, "a"));
    }

    private static void annotations() throws ReflectiveOperationException {
        same(whole.Node.class.getAnnotation(carnet.Interface.class).name(), "whole::Node");
        Method tell = whole.Node.class.getMethod("tell", int.class, String.class);
        same(tell.isAnnotationPresent(carnet.Oneway.class), true);
        same(tell.isAnnotationPresent(carnet.Writes.class), true);
        Method level = whole.Petal.class.getMethod("getLevel");
        same(level.isAnnotationPresent(carnet.Reads.class), true);
        same(level.isAnnotationPresent(carnet.Idempotent.class), true);
        same(level.getAnnotation(carnet.Operation.class).name(), "_get_level");
        Method put = every.Box.class.getMethod("put", long.class);
        same(List.of(put.getAnnotation(carnet.Does.class).value()), List.of("put into", "box", "boxes"));
        same(every.Box.class.getMethod("work", long.class).getAnnotation(carnet.Cost.class).bytes(), "n");
        same(every.Box.class.getMethod("parse", String.class).isAnnotationPresent(carnet.Argument.class), true);
        same(Class.forName("every.package-info").getPackage().getAnnotation(carnet.Module.class).version(), "2.1");
        for (Method method : files.Dir.class.getMethods()) {
            carnet.Paged paged = method.getAnnotation(carnet.Paged.class);
            if (paged != null) {
                same(paged.cursor() + " " + paged.last() + " " + paged.key(), "after last name");
            }
        }
    }

    private static void nested() {
        nested.Point point = new nested.Point(1, 2);
        nested.Named named = new nested.Named("row", Arrays.asList(point));
        same(named, new nested.Named("row", List.of(point)));
        refused("points has 4 elements, expected at most 3", () -> new nested.Named("", Collections.nCopies(4, point)));
        refused("words has 4 elements, expected at most 3", () -> shelf(Collections.nCopies(4, "")));
        refused("words has 9 bytes, expected at most 8", () -> shelf(List.of("nine long")));
        same(new nested.Choice.Row(5, List.of(1, 2)).discriminant(), 5);
        refused("value has 5 elements, expected at most 4", () -> new nested.Choice.Row(5, Collections.nCopies(5, 0)));
    }

    private static nested.Shelf shelf(List<String> words) {
        return new nested.Shelf("", List.of(), List.of(words), 0);
    }

    private static void same(Object found, Object expected) {
        checks++;
        if (!found.equals(expected) || found.hashCode() != expected.hashCode()) {
            throw new AssertionError("found " + found + ", expected " + expected);
        }
    }

    private static void differ(Object one, Object other) {
        checks++;
        if (one.equals(other)) {
            throw new AssertionError("found " + one + " twice");
        }
    }

    private static void refused(String expected, Runnable build) {
        try {
            build.run();
        } catch (IllegalArgumentException | NullPointerException error) {
            same(error.getMessage(), expected);
            return;
        }
        throw new AssertionError("found nothing refused, expected: " + expected);
    }
}
