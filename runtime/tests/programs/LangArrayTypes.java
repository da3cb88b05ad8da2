import java.io.Serializable;

public class LangArrayTypes {
    interface Shape {}
    static class Circle implements Shape {}
    static class Disc extends Circle {}

    static void is(String name, Object o) {
        System.out.println(name + " " + o.getClass().getName() + " " + o.getClass().getSimpleName() + " " + (o instanceof Object[])
            + (o instanceof Cloneable) + (o instanceof Serializable) + (o instanceof int[]) + (o instanceof Object[][])
            + (o instanceof Number[]) + (o instanceof Comparable[]) + (o instanceof Cloneable[]) + (o instanceof Shape[]));
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("fine");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) {
        is("int[]", new int[1]);
        is("int[][]", new int[1][1]);
        is("long[][][]", new long[1][1][]);
        is("String[]", new String[1]);
        is("String[][]", new String[1][]);
        is("Integer[]", new Integer[1]);
        is("Circle[]", new Circle[1]);
        is("Shape[][]", new Shape[1][1]);
        is("Object[]", new Object[1]);
        is("boolean[]", new boolean[0]);
        Object[] texts = new String[2];
        attempt(() -> texts[0] = "a");
        attempt(() -> texts[1] = 1);
        attempt(() -> texts[1] = null);
        attempt(() -> texts[5] = 1);
        Shape[] shapes = new Circle[2];
        attempt(() -> shapes[0] = new Disc());
        attempt(() -> shapes[1] = new Shape() {});
        Object[] rows = new int[2][];
        attempt(() -> rows[0] = new int[3]);
        attempt(() -> rows[1] = new long[3]);
        attempt(() -> rows[1] = new int[1][1]);
        Object[][] cubes = new Circle[2][2];
        attempt(() -> cubes[0] = new Disc[1]);
        attempt(() -> cubes[0] = new String[1]);
        attempt(() -> cubes[1][0] = "x");
        Object o = new Integer[] {1};
        attempt(() -> System.out.println(((Number[]) o)[0]));
        attempt(() -> System.out.println(((String[]) o)[0]));
        attempt(() -> System.out.println(((int[]) o)[0]));
        attempt(() -> System.out.println(((Object[][]) o)[0]));
        Object n = null;
        attempt(() -> System.out.println((int[][]) n));
        System.out.println(int[].class == new int[0].getClass());
        System.out.println(int[].class.getComponentType() + " " + String[][].class.getComponentType());
        System.out.println(new Disc[0].getClass().getSuperclass());
        System.out.println(Circle[].class.isAssignableFrom(Disc[].class) + " " + Disc[].class.isAssignableFrom(Circle[].class));
        System.out.println(Object.class.isInstance(new int[0]) + " " + Object[].class.isInstance(new int[0]));
        System.out.println(new int[2].equals(new int[2]) + " " + new int[0][0].clone().getClass());
        System.out.println(void.class + " " + int.class + " " + int[].class + " " + Runnable.class + " " + String.class);
    }
}
