import java.io.InputStream;
import java.net.URL;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.Properties;
import java.util.ResourceBundle;

/** Reads resources by each way that there is. */
public class Reader {
    interface Way {
        InputStream open() throws Exception;
    }

    static void shown(Way way) throws Exception {
        try (InputStream stream = way.open()) {
            System.out.println(stream == null ? "missing" : new String(stream.readAllBytes()));
        } catch (NullPointerException error) {
            System.out.println("missing");
        }
    }

    static void told(String bundle, Locale locale) {
        try {
            System.out.println(bundle + ": greeting=" + ResourceBundle.getBundle(bundle, locale).getString("greeting"));
        } catch (MissingResourceException error) {
            System.out.println("missing");
        }
    }

    public static void main(String[] words) throws Exception {
        ClassLoader loader = Reader.class.getClassLoader();
        shown(() -> Reader.class.getResourceAsStream("plain.txt"));
        shown(() -> Reader.class.getResourceAsStream("/pack/a b%20#?.txt"));
        shown(() -> loader.getResourceAsStream("pack/a b%20#?.txt"));
        shown(() -> ClassLoader.getSystemResourceAsStream("plain.txt"));
        shown(() -> Thread.currentThread().getContextClassLoader().getResourceAsStream("plain.txt"));
        shown(() -> Reader.class.getModule().getResourceAsStream("plain.txt"));
        shown(() -> Reader.class.getResource("pack/a b%20#?.txt").openStream());
        URL odd = loader.getResource("pack/a b%20#?.txt");
        System.out.println(odd == null ? "missing" : odd.toString().replaceAll(".*/pack", "pack"));
        URL url = loader.getResource("plain.txt");
        System.out.println(url == null ? "missing" : url.openConnection().getContentLength() + " " + url.getContent().getClass().isArray());
        System.out.println(loader.getResource("large") == null ? "missing" : "it is not read to be found");
        InputStream stream = loader.getResourceAsStream("words.properties");
        Properties properties = new Properties();
        if (stream != null) {
            properties.load(stream);
        }
        System.out.println(stream == null ? "missing" : properties);
        told("words", Locale.ROOT);
        told("pack.words", Locale.GERMANY);
        told("pack.words", Locale.ROOT);
        if (stream != null && (loader.getResourceAsStream("none") != null || loader.getResource("pack/none") != null
                || Reader.class.getResourceAsStream("../plain.txt") != null
                || loader.getResourceAsStream("/plain.txt") != null)) {
            System.out.println("missing: what is not there is found");
        }
    }
}
