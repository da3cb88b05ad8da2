import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

public class LangNestedWalks {
    static final StackWalker WALKER = StackWalker.getInstance();
    static final StackWalker CLASSES = StackWalker.getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE));

    static String told(StackWalker.StackFrame frame) {
        return frame.getClassName().replaceAll(".*[.$]", "") + "." + frame.getMethodName()
                + (frame.isNativeMethod() ? " native" : "");
    }

    static List<String> names(Stream<StackWalker.StackFrame> frames) {
        return frames.map(LangNestedWalks::told).collect(Collectors.toList());
    }

    static Object inner(Stream<StackWalker.StackFrame> outer) {
        System.out.println("first " + told(outer.findFirst().get()));
        System.out.println("inner " + WALKER.walk(LangNestedWalks::names));
        System.out.println("called by " + CLASSES.getCallerClass().getName());
        System.gc();
        return "walked";
    }

    static Object twice(Stream<StackWalker.StackFrame> outer) {
        return WALKER.walk(LangNestedWalks::inner) + " twice " + outer.count();
    }

    static void deep(int depth) {
        if (depth == 0) {
            System.out.println(WALKER.walk(LangNestedWalks::twice));
        } else {
            deep(depth - 1);
        }
    }

    static Object thrown(Stream<StackWalker.StackFrame> outer) {
        throw new IllegalStateException("within");
    }

    public static void main(String[] words) {
        System.out.println(WALKER.walk(LangNestedWalks::inner));
        deep(2);
        deep(40);
        try {
            WALKER.walk(LangNestedWalks::thrown);
        } catch (IllegalStateException error) {
            for (StackTraceElement one : error.getStackTrace()) {
                System.out.println(one);
            }
        }
    }
}
