import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

public class LibStackWalker {
    interface Asked {
        String who();
    }

    static class Inner implements Asked {
        final String made;

        Inner() {
            made = names(StackWalker.getInstance());
        }

        public String who() {
            return caller();
        }

        static String caller() {
            return StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE).getCallerClass().getName();
        }
    }

    static String names(StackWalker walker) {
        return walker.walk(frames -> frames.map(StackFrame::getMethodName).collect(Collectors.joining(" ")));
    }

    static String down(int depth, Supplier<String> end) {
        return depth == 0 ? end.get() : down(depth - 1, end);
    }

    static void shown(StackFrame frame) {
        System.out.println(frame + " " + frame.getDescriptor() + " " + frame.isNativeMethod() + " " + frame.getFileName());
        StackTraceElement element = frame.toStackTraceElement();
        System.out.println(element.getMethodName() + " " + element.getLineNumber() + " " + (frame.getByteCodeIndex() >= 0));
    }

    public static void reflected() {
        StackWalker all = StackWalker.getInstance(Option.SHOW_REFLECT_FRAMES);
        System.out.println(names(StackWalker.getInstance()));
        System.out.println(names(all).startsWith("reflected invoke0 "));
    }

    /** Calls itself by reflection: each call is a frame and a native, wherever a batch of frames ends. */
    public static long again(int depth, StackWalker walker) throws Exception {
        if (depth == 0) {
            return walker.<Long>walk(frames -> frames.filter(
                    frame -> frame.getMethodName().equals("again") || frame.getMethodName().equals("invoke0")).count());
        }
        return (long) LibStackWalker.class.getMethod("again", int.class, StackWalker.class).invoke(null, depth - 1, walker);
    }

    public static void main(String[] words) throws Exception {
        for (int depth = 0; depth < 15; depth++) {
            System.out.print(again(depth, StackWalker.getInstance()) + " "
                    + (again(depth, StackWalker.getInstance(Option.SHOW_REFLECT_FRAMES)) > depth) + " ");
        }
        System.out.println();
        StackWalker.getInstance().forEach(LibStackWalker::shown);
        Inner inner = new Inner();
        System.out.println(inner.made);
        System.out.println(inner.who());
        StackWalker walker = StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE), 4);
        System.out.println(down(3, () -> names(walker)));
        for (int depth : new int[] {5, 30, 200, 1000}) {
            System.out.println(down(depth, () -> "" + walker.<Long>walk(frames -> frames.filter(
                    frame -> frame.getMethodName().equals("down")).count())));
            List<String> last = walker.walk(frames -> frames.skip(3).limit(2).map(StackFrame::getMethodName).toList());
            System.out.println(last);
        }
        Object type = walker.walk(frames -> frames.findFirst().map(StackFrame::getMethodType).orElseThrow());
        System.out.println(type);
        Object declaring = walker.walk(frames -> frames.findFirst().map(StackFrame::getDeclaringClass).orElseThrow());
        System.out.println(declaring);
        LibStackWalker.class.getMethod("reflected").invoke(null);
        try {
            StackWalker.getInstance().getCallerClass();
        } catch (UnsupportedOperationException error) {
            System.out.println(error.getMessage());
        }
        try {
            StackWalker.getInstance().walk(frames -> frames.map(StackFrame::getDeclaringClass).findFirst());
        } catch (UnsupportedOperationException error) {
            System.out.println(error.getMessage());
        }
        try {
            walker.walk(frames -> frames).count();
        } catch (IllegalStateException error) {
            System.out.println(error.getMessage());
        }
        try {
            walker.getCallerClass();
        } catch (IllegalCallerException error) {
            System.out.println(error.getMessage());
        }
        Thread thread = new Thread(() -> System.out.println(names(walker)));
        thread.start();
        thread.join();
        try {
            walker.forEach(frame -> {
                throw new IllegalArgumentException(frame.getMethodName());
            });
        } catch (IllegalArgumentException error) {
            System.out.println(error.getMessage());
        }
    }
}
