// Names of classes and files that nothing can have, or that are too long.
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;

public class ErrorNames {
    interface Use {
        Object use() throws Exception;
    }

    static void tell(Use use) {
        String text;
        try {
            text = "found " + use.use();
        } catch (Exception error) {
            text = error.toString();
        }
        text = text.replaceAll("[^ -~]", "?");
        int length = text.length();
        System.out.println(length < 150 ? text : length + " " + text.substring(0, 100) + " ... " + text.substring(length - 40));
    }

    public static void main(String[] args) {
        ClassLoader loader = ErrorNames.class.getClassLoader();
        String[] names = {
            "a..b", "a/b", "a//b", ".a", "a.", "..", "a.b..c", "", "[", "[[", "[a", "[La", "[La;", "[La.b;", "[La/b;", "[La..b;",
            "[L.a;", "[I", "[V", "[L;", "La;", "I", "x.a;b", "x.a[b", "[Ljava.lang.String", "[Ljava/lang/String;", "java..lang",
            "<init>", "x.a<b", "[".repeat(255) + "I", "[".repeat(256) + "I", "[L" + "a".repeat(70000) + ";", "a".repeat(65535),
            "a".repeat(65536), "a".repeat(70000), "[".repeat(60000), "\u00e9".repeat(40000), "\u4e2d".repeat(40000), "a.".repeat(40000)
        };
        for (String name : names) {
            tell(() -> Class.forName(name));
            if (name.length() < 65536) {
                tell(() -> loader.loadClass(name));
            }
        }
        String[] paths = {
            "/none", "/none/" + "a".repeat(256), "/" + "a".repeat(256), "/" + "a".repeat(255), "/none/".repeat(600) + "x", "/none/".repeat(900),
            "a".repeat(65000), "", "a\0b"
        };
        for (String path : paths) {
            tell(() -> new FileInputStream(path));
            tell(() -> new FileOutputStream("/none/none/" + path));
            tell(() -> new RandomAccessFile(path, "r"));
            System.out.println(new File(path).exists());
        }
        try {
            System.out.println(new File("/" + "a".repeat(5000)).getCanonicalPath());
        } catch (IOException error) {
            System.out.println(error);
        }
    }
}
