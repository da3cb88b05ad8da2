import java.io.*;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

public class LibSerial {
    enum Kind { A, B }

    record Pair(int n, String s) implements Serializable {}

    static class Base implements Serializable {
        private static final long serialVersionUID = 1;
        int number = 7;
        String text = "text";
        transient String lost = "lost";
        int[][] grid = {{1}, {2, 3}};
        Kind kind = Kind.B;
        Pair pair = new Pair(5, "five");
        Base self = this;
    }

    static class Custom extends Base {
        private static final long serialVersionUID = 2;
        List<Object> list = new ArrayList<>(List.of(1, "two", 3.0, 'c'));
        transient int sum;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(list.size() * 100);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            sum = in.readInt() + number;
        }
    }

    static class Plain {}

    interface Cut extends Serializable {
        String of(String s);
    }

    static Object copy(Object o) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(o);
        }
        return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    }

    public static void main(String[] args) throws Exception {
        Custom c = (Custom) copy(new Custom());
        System.out.println(c.number + c.text + c.lost + c.grid[1][1] + c.kind + c.pair + (c.self == c) + (c.kind == Kind.B) + c.list + c.sum);
        System.out.println(copy(new TreeMap<>(java.util.Map.of("k", 1, "j", 2))) + " " + copy(new Pair(1, null)) + " " + copy("string") + " " + ((int[]) copy(new int[] {4, 5}))[1]);
        int n = 3;
        Cut cut = s -> s.substring(n);
        System.out.println(((Cut) copy(cut)).of("abcdef"));
        try {
            copy(new Object[] {new Plain()});
        } catch (NotSerializableException e) {
            System.out.println(e.getMessage());
        }
        try {
            new ObjectInputStream(new ByteArrayInputStream(new byte[] {1, 2, 3, 4}));
        } catch (StreamCorruptedException e) {
            System.out.println(e.getMessage());
        }
    }
}
