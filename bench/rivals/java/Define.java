// Defines copies of the JDK's own classes in a fresh loader and links them, which verifies them unless the process was told not to.
// Answers lines `java/util/ N` (the classes of a package and of those below it, N times) with `NANOSECONDS CLASSES`.
//
// No class of ours may be called java.*: in the copies the names begin with "kava/util/", which is as long. They are each others'
// classes, and those of all other packages are the JDK's. Six of 1370 are refused, since a JDK's class extends the original: they
// are not counted.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

final class Define {
    static final class Loader extends ClassLoader {
        final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.classes = classes;
        }

        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) throw new ClassNotFoundException(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static Map<String, byte[]> copies(String folder) throws Exception {
        var copies = new HashMap<String, byte[]>();
        Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/java.base");
        try (var files = Files.walk(base.resolve(folder))) {
            for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                byte[] from = folder.getBytes(StandardCharsets.US_ASCII);
                for (int at = 0; at + from.length <= bytes.length; at++) {
                    if (java.util.Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) bytes[at] = 'k';
                }
                String name = base.relativize(file).toString();
                copies.put("k" + name.substring(1, name.length() - ".class".length()).replace('/', '.'), bytes);
            }
        }
        return copies;
    }

    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        Map<String, byte[]> copies = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            if (copies == null) copies = copies(words[0]);
            int rounds = Integer.parseInt(words[1]), linked = 0;
            long begin = System.nanoTime();
            for (int round = 0; round < rounds; round++) {
                var loader = new Loader(copies);
                for (String name : copies.keySet()) {
                    // Asking for fields links a class and makes little else.
                    try {
                        Class.forName(name, false, loader).getDeclaredFields();
                        linked++;
                    } catch (LinkageError error) {
                        if (line.endsWith("?")) System.err.println(error);
                    }
                }
            }
            System.out.println((System.nanoTime() - begin) + " " + linked);
            System.out.flush();
        }
    }
}
