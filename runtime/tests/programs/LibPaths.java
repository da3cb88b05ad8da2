import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeSet;

public class LibPaths {
    interface Work {
        Object run() throws IOException;
    }

    /** Nothing of these is there, neither with HotSpot nor here. */
    static final Path NONE = Path.of("/no/such/place");

    static void tried(String what, Work work) {
        try {
            System.out.println(what + ": " + work.run());
        } catch (IOException | RuntimeException error) {
            System.out.println(what + ": " + error);
        }
    }

    public static void main(String[] words) {
        Path path = Paths.get("/one/two", "../three", "file.txt");
        System.out.println(path + " " + path.normalize() + " " + path.getNameCount());
        System.out.println(path.getFileName() + " " + path.getParent() + " " + path.getRoot());
        System.out.println(path.subpath(1, 3) + " " + path.isAbsolute() + " " + path.startsWith("/one"));
        System.out.println(path.resolve("more") + " " + path.resolveSibling("other") + " " + path.resolve("/top"));
        System.out.println(Path.of("/a/b/c").relativize(Path.of("/a/d")) + " " + Path.of("b").compareTo(Path.of("a")));
        System.out.println(path.toUri() + " " + Path.of(path.toUri()).equals(path) + " " + new File("x/y").toPath());
        for (Path name : path) {
            System.out.print(name + " ");
        }
        System.out.println(new TreeSet<>(List.of(Path.of("b"), Path.of("a/z"), Path.of("a"))));
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:*.{java,txt}");
        System.out.println(matcher.matches(path.getFileName()) + " " + matcher.matches(Path.of("x.class")));
        for (String name : List.of("/no/../b/./c//d", "/../../x/..", "/no/such/..", "/")) {
            tried(name, () -> new File(name).getCanonicalPath());
        }
        tried("random", () -> new java.io.RandomAccessFile(NONE.toFile(), "r"));
        tried("stream", () -> new java.io.FileInputStream(NONE.toFile()));
        tried("writer", () -> new java.io.FileWriter(NONE.toFile()));
        System.out.println(FileSystems.getDefault().getSeparator() + " " + FileSystems.getDefault().isOpen());
        try {
            Path.of("zero\0");
        } catch (InvalidPathException error) {
            System.out.println(error.getReason() + " " + error.getIndex());
        }
        System.out.println(Files.exists(NONE) + " " + Files.notExists(NONE) + " " + Files.isDirectory(NONE) + " "
                + Files.isReadable(NONE) + " " + Files.isRegularFile(NONE) + " " + NONE.toFile().exists());
        tried("read", () -> Files.readString(NONE));
        tried("lines", () -> Files.lines(NONE));
        tried("write", () -> Files.write(NONE, "text".getBytes(StandardCharsets.UTF_8)));
        tried("new", () -> Files.newByteChannel(NONE, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        tried("size", () -> Files.size(NONE));
        tried("list", () -> Files.list(NONE));
        tried("walk", () -> Files.walk(NONE));
        tried("directory", () -> Files.createDirectory(NONE));
        tried("delete", () -> {
            Files.delete(NONE);
            return "done";
        });
        tried("delete, if there", () -> Files.deleteIfExists(NONE));
        tried("move", () -> Files.move(NONE, NONE.resolve("x"), StandardCopyOption.ATOMIC_MOVE));
        tried("copy", () -> Files.copy(NONE, Path.of("/no/where")));
        tried("real", NONE::toRealPath);
        tried("modified", () -> Files.getLastModifiedTime(NONE));
        tried("attributes", () -> Files.readAttributes(NONE, "size"));
        tried("owner", () -> Files.getOwner(NONE));
    }
}
