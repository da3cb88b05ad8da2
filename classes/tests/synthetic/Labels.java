import java.lang.invoke.CallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/** The JDK's bootstrap methods of switches, or the classes that were made for the same labels. */
public class Labels {
    enum Color { RED, GREEN { }, BLUE }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    static MethodHandle site(String name, String bootstrap, Class<?> target, Object... labels) throws Throwable {
        MethodType type = MethodType.methodType(int.class, target, int.class);
        if (System.getProperty("sites") != null) {
            return Linker.link(LOOKUP, name, type).dynamicInvoker();
        }
        // The class is a preview in Java 17: it cannot be named.
        Class<?> bootstraps = Class.forName("java.lang.runtime.SwitchBootstraps");
        MethodType of = MethodType.methodType(CallSite.class, MethodHandles.Lookup.class, String.class, MethodType.class, Object[].class);
        MethodHandle method = LOOKUP.findStatic(bootstraps, bootstrap, of);
        return ((CallSite) method.invoke(LOOKUP, bootstrap, type, labels)).dynamicInvoker();
    }

    public static void main(String[] arguments) throws Throwable {
        MethodHandle types = site("Types", "typeSwitch", Object.class, String.class, "text", 120, Integer.class, int[].class, CharSequence.class);
        MethodHandle texts = site("Texts", "typeSwitch", Object.class, "a", "", "a", 65536, -1, String.class);
        Object[] objects = {"text", "a", "", 120, 'x', 5, 5L, 120L, null, new int[0], new StringBuilder(), 65536, -1, '\uffff'};
        for (Object object : objects) {
            for (int restart = 0; restart < 6; restart++) {
                int type = (int) types.invoke(object, restart);
                int text = (int) texts.invoke(object, restart);
                System.out.print(type + " " + text + ", ");
            }
            System.out.println();
        }
        MethodHandle names = site("Names", "enumSwitch", Color.class, "BLUE", "GREEN", Color.class, "RED");
        for (Color color : new Color[] {Color.RED, Color.GREEN, Color.BLUE, null}) {
            for (int restart = 0; restart < 4; restart++) {
                System.out.print((int) names.invoke(color, restart) + ", ");
            }
            System.out.println();
        }
        try {
            System.out.println((int) types.invoke((Object) 5, -1));
        } catch (IndexOutOfBoundsException e) {
            System.out.println("no label");
        }
    }
}
