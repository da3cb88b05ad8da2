public class Switches {
    enum Color { RED, GREEN { }, BLUE }

    sealed interface Shape permits Circle, Square, Color2 {}

    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}

    enum Color2 implements Shape { BLACK, WHITE }

    static String shape(Shape shape) {
        return switch (shape) {
            case Circle(double radius) when radius > 10 -> "large";
            case Circle circle -> "circle" + circle;
            case Square(var side) when side < 0 -> "negative";
            case Square square -> "square" + square.side();
            case Color2.BLACK -> "black";
            case Color2.WHITE -> "white";
        };
    }

    static String object(Object object) {
        return switch (object) {
            case null -> "null";
            case Integer i when i > 100 -> "many";
            case Integer i -> "int" + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> s;
            case int[] a -> "ints" + a.length;
            case Color c when c == Color.RED -> "red";
            case Enum<?> e -> e.name();
            case CharSequence c -> "chars";
            default -> "other";
        };
    }

    static String text(String text) {
        return switch (text) {
            case "a" -> "A";
            case null -> "none";
            case "b" -> "B";
            case String s when s.length() > 3 -> "long";
            case String s -> s;
        };
    }

    static String integer(Integer number) {
        return switch (number) {
            case 1 -> "one";
            case Integer i when i > 100000 -> "large";
            case 70000 -> "seventy thousand";
            case Integer i -> "some";
        };
    }

    static String character(Character character) {
        return switch (character) {
            case 'x' -> "X";
            case Character c when c > 'x' -> "behind";
            case Character c -> "before";
        };
    }

    static String color(Color color) {
        return switch (color) {
            case RED -> "red";
            case Color c when c.ordinal() > 1 -> "late";
            case GREEN -> "green";
            case Color c -> "color";
        };
    }

    public static void main(String[] arguments) {
        Shape[] shapes = {new Circle(11), new Circle(2), new Square(-1), new Square(3), Color2.BLACK, Color2.WHITE};
        for (Shape shape : shapes) {
            System.out.println(shape(shape));
        }
        Object[] objects = {null, 101, 4, "", "text", new int[2], Color.RED, Color.GREEN, new StringBuilder(), 4L};
        for (Object object : objects) {
            System.out.println(object(object));
        }
        for (String text : new String[] {"a", null, "b", "long text", "c"}) {
            System.out.println(text(text));
        }
        for (int number : new int[] {1, 100001, 70000, 5}) {
            System.out.println(integer(number));
        }
        for (char character : "xyz0".toCharArray()) {
            System.out.println(character(character));
        }
        for (Color color : Color.values()) {
            System.out.println(color(color));
        }
        try {
            shape(null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
