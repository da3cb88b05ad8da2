import java.util.ServiceLoader;

public class LibNames {
    interface Work {
        Object run() throws Exception;
    }

    static void tried(Work work) {
        try {
            System.out.println(work.run());
        } catch (Exception error) {
            String text = error.toString();
            System.out.println(text.length() + " " + text.substring(0, Math.min(text.length(), 120)).replace('\n', '|'));
        }
    }

    public static void main(String[] words) {
        for (String name : new String[] {"Q\n", "a\0b", "a b", "[LQ;", "[Q", "", "é.ü", "java.lang."}) {
            tried(() -> Class.forName(name));
            tried(() -> ClassLoader.getSystemClassLoader().loadClass(name));
        }
        tried(() -> Class.forName("a".repeat(65_536)));
        tried(() -> Class.forName("a".repeat(10_000_000)));
        tried(() -> Object.class.getModule().isExported("b".repeat(1_000_000)));
        Module library = Object.class.getModule();
        Module own = LibNames.class.getModule();
        tried(() -> Class.forName(library, "java.lang.String"));
        tried(() -> Class.forName(library, "LibNames"));
        tried(() -> Class.forName(library, "[I"));
        tried(() -> Class.forName(own, "java.lang.String"));
        tried(() -> Class.forName(own, "LibNames"));
        tried(() -> Class.forName(own, "None"));
        ServiceLoader<Runnable> services = ServiceLoader.load(Runnable.class);
        services.reload();
        System.out.println(services.findFirst());
    }
}
