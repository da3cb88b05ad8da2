import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Says what HotSpot makes of class files. Input: records of folder, name and bytes. Each class is defined by a loader of its own,
 * which finds all others of the folder, and is linked, which verifies it; it is not initialized. Output: a line for each, OK or the
 * error with the first line of its message.
 */
class Oracle {
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> changed = new HashMap<>();
        final Path folder;

        Loader(Path folder) {
            super(ClassLoader.getPlatformClassLoader());
            this.folder = folder;
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = changed.get(name);
            try {
                if (bytes == null) bytes = SEEDS.computeIfAbsent(folder.resolve(name.replace('.', '/') + ".class"), Oracle::read);
            } catch (RuntimeException missing) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static final Map<Path, byte[]> SEEDS = new HashMap<>();

    static byte[] read(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (java.io.IOException missing) {
            throw new java.io.UncheckedIOException(missing);
        }
    }

    public static void main(String[] args) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        PrintStream out = new PrintStream(System.out, false);
        for (;;) {
            String folder;
            try {
                folder = in.readUTF();
            } catch (EOFException end) {
                break;
            }
            String name = in.readUTF().replace('/', '.');
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            out.println(verdict(Path.of(folder), name, bytes));
        }
        out.flush();
    }

    static String verdict(Path folder, String name, byte[] bytes) {
        try {
            Loader loader = new Loader(folder);
            loader.changed.put(name, bytes);
            Class<?> c = Class.forName(name, false, loader);
            // Asking for members links the class. What they refer to may be missing; the class was verified all the same.
            try {
                c.getDeclaredMethods();
            } catch (TypeNotPresentException | NoClassDefFoundError missing) {
                return missing(missing);
            }
            return "OK";
        } catch (Throwable error) {
            return missing(error);
        }
    }

    static String missing(Throwable error) {
        String message = String.valueOf(error.getMessage());
        return error.getClass().getName() + " " + message.lines().findFirst().orElse("");
    }
}
