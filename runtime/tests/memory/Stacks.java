/** Threads with deep stacks. */
public class Stacks {
    static int deep;
    static int back;
    static int refused;

    /** Ends with how many threads were refused, or begun. */
    public static void main(String[] words) {
        System.exit(switch (words[0]) {
            case "stay" -> stay(100, 6);
            case "comeBack" -> comeBack(100, 6);
            default -> most();
        });
    }

    /** Threads that each go so deep, and wait there. Returns how many could not. */
    static int stay(int threads, int depth) {
        for (int at = 0; at < threads; at++) {
            begin(() -> Seed.down(depth, () -> {
                deep++;
                rest();
            }));
        }
        while (deep + refused < threads) {
            Thread.yield();
        }
        return refused;
    }

    /** Threads that each go so deep, one after the other, and wait where they began. Returns how many could not. */
    static int comeBack(int threads, int depth) {
        for (int at = 1; at <= threads; at++) {
            begin(() -> {
                Seed.down(depth, () -> deep++);
                back++;
                rest();
            });
            while (back + refused < at) {
                Thread.yield();
            }
        }
        return refused;
    }

    /** Begins threads until one is refused for its stack. Returns how many there are. */
    static int most() {
        for (int at = 0;; at++) {
            try {
                begin(Stacks::rest);
            } catch (OutOfMemoryError error) {
                boolean isRight = error.getMessage().equals("unable to create native thread: the limit of stacks is reached");
                return isRight ? at : -1;
            }
        }
    }

    static void begin(Runnable run) {
        Thread thread = new Thread(() -> {
            try {
                run.run();
            } catch (StackOverflowError error) {
                refused++;
                rest();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    static void rest() {
        try {
            Thread.sleep(1_000_000);
        } catch (InterruptedException error) {
            throw new AssertionError(error);
        }
    }
}

/** Assembled, it has as many variables as a method can have. */
class Seed {
    static void down(int depth, Runnable last) {
        if (depth == 0) {
            last.run();
        } else {
            down(depth - 1, last);
        }
    }
}
