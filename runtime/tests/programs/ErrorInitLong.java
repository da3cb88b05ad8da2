// What is told of initializers that failed with long messages, in threads with long names.
public class ErrorInitLong {
    static String message;

    static class Plain {
        static int made = fail();
    }

    static class Wide {
        static int made = fail();
    }

    static class Pairs {
        static int made = fail();
    }

    static class Zeros {
        static int made = fail();
    }

    static class Named {
        static int made = fail();
    }

    static class Silent {
        static int made = fail();
    }

    static int fail() {
        throw new IllegalStateException(message);
    }

    static void tell(String with, Runnable use) {
        message = with;
        for (int time = 0; time < 2; time++) {
            try {
                use.run();
            } catch (LinkageError error) {
                String told = error.getCause().getMessage();
                int length = told == null ? 0 : told.length();
                System.out.println(error + " " + length);
                if (length > 2100) {
                    continue;
                }
                for (int at = 0; at < length; at++) {
                    if (at < 60 || at > length - 10) {
                        System.out.print(Integer.toHexString(told.charAt(at)) + " ");
                    }
                }
                System.out.println();
            }
        }
    }

    public static void main(String[] args) {
        tell("x".repeat(5000), () -> System.out.println(Plain.made));
        tell("\u00e9".repeat(1500), () -> System.out.println(Wide.made));
        tell("\u4e2d".repeat(1500), () -> System.out.println(Pairs.made));
        tell("ab\0".repeat(900), () -> System.out.println(Zeros.made));
        Thread.currentThread().setName("t".repeat(3000));
        tell("short", () -> System.out.println(Named.made));
        tell(null, () -> System.out.println(Silent.made));
    }
}
