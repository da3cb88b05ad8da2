import java.util.Properties;

public class LibProperties {
    public static void main(String[] args) throws Exception {
        System.out.println(System.getProperty("line.separator").length() + System.getProperty("file.separator") + System.getProperty("path.separator"));
        System.out.println(System.getProperty("no.such.property") + System.getProperty("no.such.property", " default") + System.getProperty("java.specification.name"));
        System.setProperty("own.property", "value");
        System.out.println(System.getProperty("own.property") + System.clearProperty("own.property") + System.getProperty("own.property"));
        System.out.println(Integer.getInteger("absent.int", 5) + " " + Boolean.getBoolean("absent.flag") + " " + System.lineSeparator().equals("\n"));
        try {
            System.getProperty("");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.getProperty(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        long nanos = System.nanoTime(), millis = System.currentTimeMillis();
        System.out.println((System.nanoTime() >= nanos) + " " + (System.currentTimeMillis() >= millis) + " " + (millis > 1_600_000_000_000L));
        Runtime runtime = Runtime.getRuntime();
        System.out.println((runtime.availableProcessors() > 0) + " " + (runtime.totalMemory() > 0) + " " + (runtime.maxMemory() >= runtime.totalMemory() - runtime.freeMemory()));
        Properties p = new Properties();
        p.load(new java.io.StringReader("# comment\na = 1\nb: two words\nc=line \\\n   continued\nd\\ e=\\u0041\n"));
        System.out.println(new java.util.TreeMap<>(p) + " " + p.getProperty("z", "fallback"));
        System.out.println(System.getenv("NO_SUCH_VARIABLE_AT_ALL") + " " + System.getSecurityManager());
        System.out.println(Thread.currentThread().getName() + " " + LibProperties.class.getPackageName().isEmpty() + " " + Object.class.getPackageName());
    }
}
