import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.WrongMethodTypeException;

public class LangHandles {
    int field = 3;
    final String name;

    LangHandles(String name) {
        this.name = name;
    }

    static int add(int a, int b) {
        return a + b;
    }

    String greet(String other, int times) {
        return (name + other).repeat(times);
    }

    private static long wide(long a, double b) {
        return a + (long) b;
    }

    static void fails() throws Exception {
        throw new Exception("thrown through a handle");
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(LangHandles.class, "add", MethodType.methodType(int.class, int.class, int.class));
        int three = (int) add.invokeExact(1, 2);
        System.out.println(three + " " + (int) add.invoke((short) 4, (byte) 5) + " " + add.invokeWithArguments(6, 7) + " " + add.type());
        MethodHandle greet = lookup.findVirtual(LangHandles.class, "greet", MethodType.methodType(String.class, String.class, int.class));
        LangHandles ann = new LangHandles("Ann");
        System.out.println((String) greet.invokeExact(ann, "+Bob ", 2));
        System.out.println((Object) greet.bindTo(ann).invoke("!", 1));
        MethodHandle make = lookup.findConstructor(LangHandles.class, MethodType.methodType(void.class, String.class));
        System.out.println(((LangHandles) make.invoke("made")).name);
        MethodHandle get = lookup.findGetter(LangHandles.class, "field", int.class), set = lookup.findSetter(LangHandles.class, "field", int.class);
        set.invokeExact(ann, 41);
        System.out.println((int) get.invokeExact(ann) + 1);
        MethodHandle wide = lookup.findStatic(LangHandles.class, "wide", MethodType.methodType(long.class, long.class, double.class));
        System.out.println((long) wide.invoke(1, 2.9f));
        MethodHandle increment = MethodHandles.insertArguments(add, 0, 1);
        System.out.println((int) increment.invoke(9) + " " + (int) MethodHandles.dropArguments(increment, 0, String.class).invoke("ignored", 5));
        MethodHandle length = lookup.findVirtual(String.class, "length", MethodType.methodType(int.class));
        System.out.println((int) MethodHandles.filterReturnValue(length, increment).invoke("four"));
        MethodHandle test = lookup.findVirtual(String.class, "isEmpty", MethodType.methodType(boolean.class));
        MethodHandle pick = MethodHandles.guardWithTest(test, MethodHandles.dropArguments(MethodHandles.constant(int.class, -1), 0, String.class), length);
        System.out.println((int) pick.invoke("") + " " + (int) pick.invoke("abc"));
        try {
            String wrong = (String) add.invokeExact(1, 2);
            System.out.println(wrong);
        } catch (WrongMethodTypeException e) {
            System.out.println("wrong type");
        }
        try {
            lookup.findStatic(LangHandles.class, "fails", MethodType.methodType(void.class)).invoke();
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        try {
            lookup.findStatic(LangHandles.class, "absent", MethodType.methodType(void.class));
        } catch (NoSuchMethodException e) {
            System.out.println("absent");
        }
        System.out.println(MethodType.fromMethodDescriptorString("(I[Ljava/lang/String;)V", LangHandles.class.getClassLoader()) + " " + MethodType.genericMethodType(2));
    }
}
