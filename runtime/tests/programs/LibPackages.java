import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

public class LibPackages {
    @SuppressWarnings("deprecation")
    static Package named(String name) {
        return Package.getPackage(name);
    }

    public static void main(String[] words) {
        ClassLoader app = LibPackages.class.getClassLoader();
        System.out.println(named("") + "|" + named("java.util") + "|" + named("java.lang.reflect") + "|" + named("no.such") + "|"
                + named("java.util.List") + "|" + named("java.util."));
        Package util = named("java.util");
        System.out.println((util == List.class.getPackage()) + " " + (util == named("java.util")) + " " + util.getName() + " "
                + util.isSealed() + " " + util.getImplementationTitle() + " " + util.getAnnotations().length);
        System.out.println((named("") == LibPackages.class.getPackage()) + " " + (app.getDefinedPackage("") == named("")));
        System.out.println(Arrays.toString(app.getDefinedPackages()) + " " + Arrays.toString(app.getParent().getDefinedPackages()) + " "
                + app.getDefinedPackage("java.util") + " " + app.getDefinedPackage("no.such"));
        TreeSet<String> names = new TreeSet<>();
        for (Package one : Package.getPackages()) {
            if (!names.add(one.getName())) {
                System.out.println("twice: " + one);
            }
        }
        System.out.println(names.containsAll(List.of("", "java.lang", "java.util", "java.io", "java.lang.reflect")) + " "
                + names.contains("no.such") + " " + names.contains("java.util.zip.no"));
        ClassLoader own = new ClassLoader(app) {};
        System.out.println(Arrays.toString(own.getDefinedPackages()) + " " + own.getDefinedPackage(""));
        try {
            named(null);
        } catch (NullPointerException error) {
            System.out.println(error);
        }
    }
}
