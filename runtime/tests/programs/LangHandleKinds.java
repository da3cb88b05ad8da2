import java.lang.invoke.*;
import java.util.concurrent.Callable;

/** Who looks for a static member as one of an object, or the other way round, is told so. */
public class LangHandleKinds {
    static int fixed;
    int own;

    static int call() { return 1; }

    int calls() { return 2; }

    interface Shape {
        static int made() { return 2; }

        int area();
    }

    static void attempt(Callable<?> attempt) {
        try {
            System.out.println(attempt.call());
        } catch (Exception e) {
            System.out.println((e + " / " + e.getCause()).replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(int.class);
        Class<?> here = LangHandleKinds.class;
        attempt(() -> lookup.findVirtual(here, "call", type));
        attempt(() -> lookup.bind(new LangHandleKinds(), "call", type));
        attempt(() -> lookup.findSpecial(here, "call", type, here));
        attempt(() -> lookup.findStatic(here, "calls", type));
        attempt(() -> lookup.findVirtual(Shape.class, "made", type));
        attempt(() -> lookup.findStatic(Shape.class, "area", type));
        attempt(() -> lookup.findGetter(here, "fixed", int.class));
        attempt(() -> lookup.findSetter(here, "fixed", int.class));
        attempt(() -> lookup.findStaticGetter(here, "own", int.class));
        attempt(() -> lookup.findStaticSetter(here, "own", int.class));
        attempt(() -> lookup.findVirtual(here, "calls", MethodType.methodType(long.class)));
        attempt(() -> lookup.findConstructor(here, MethodType.methodType(void.class, int.class)));
        attempt(() -> lookup.findGetter(here, "own", long.class));
    }
}
