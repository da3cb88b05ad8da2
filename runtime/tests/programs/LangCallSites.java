import java.lang.invoke.CallSite;
import java.lang.invoke.ConstantCallSite;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.SwitchPoint;
import java.lang.invoke.VolatileCallSite;

/** Call sites as objects: their targets, and handles that call what is the target at that time. */
public class LangCallSites {
    interface Work {
        Object run() throws Throwable;
    }

    static void tried(String what, Work work) {
        try {
            System.out.println(what + ": " + work.run());
        } catch (Throwable error) {
            System.out.println(what + ": " + error);
        }
    }

    static int one() {
        return 1;
    }

    static int two() {
        return 2;
    }

    static Object moved(CallSite site, MethodHandle to) throws Throwable {
        MethodHandle invoker = site.dynamicInvoker();
        int before = (int) invoker.invokeExact();
        site.setTarget(to);
        return site.type() + " " + before + " " + (int) invoker.invokeExact() + " " + (site.getTarget() == to);
    }

    public static void main(String[] words) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(int.class);
        MethodHandle one = lookup.findStatic(LangCallSites.class, "one", type);
        MethodHandle two = lookup.findStatic(LangCallSites.class, "two", type);
        tried("constant", () -> moved(new ConstantCallSite(one), two));
        tried("mutable", () -> moved(new MutableCallSite(one), two));
        tried("volatile", () -> moved(new VolatileCallSite(one), two));
        tried("of another type", () -> moved(new MutableCallSite(one), two.asType(MethodType.methodType(long.class))));
        tried("null", () -> moved(new VolatileCallSite(one), null));
        tried("no target", () -> moved(new MutableCallSite(type), two));
        tried("all", () -> {
            MutableCallSite site = new MutableCallSite(one);
            site.setTarget(two);
            MutableCallSite.syncAll(new MutableCallSite[] {site});
            return (int) site.getTarget().invokeExact();
        });
        tried("switch", () -> {
            SwitchPoint point = new SwitchPoint();
            MethodHandle guarded = point.guardWithTest(one, two);
            int before = (int) guarded.invokeExact();
            SwitchPoint.invalidateAll(new SwitchPoint[] {point});
            return before + " " + (int) guarded.invokeExact() + " " + point.hasBeenInvalidated();
        });
    }
}
