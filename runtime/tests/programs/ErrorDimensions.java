import java.lang.reflect.Array;

/** Arrays have 255 dimensions at most, however they are made. */
public class ErrorDimensions {
    static void attempt(Class<?> element, int... counts) {
        try {
            System.out.println(Array.newInstance(element, counts).getClass().getName().length());
        } catch (RuntimeException thrown) {
            System.out.println(thrown);
        }
    }

    public static void main(String[] args) {
        Class<?> deep = Array.newInstance(int.class, new int[255]).getClass();
        Class<?> row = int[].class;
        System.out.println(deep.getName().length());
        attempt(int.class, new int[255]);
        attempt(int.class, new int[256]);
        attempt(int.class, new int[1000]);
        attempt(row, new int[254]);
        attempt(row, new int[255]);
        attempt(void.class, 1, 1);
        attempt(int.class, 1, -1);
        attempt(int.class);
        try {
            System.out.println(Array.newInstance(deep, 1));
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown);
        }
    }
}
