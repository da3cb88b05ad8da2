/** Small work of all kinds, so that many operations are linked while it runs. */
class Applet {
    interface Step {
        int take(int at);
    }

    static class Left implements Step {
        int held = 3;

        public int take(int at) {
            return at * held++;
        }
    }

    static class Right extends Left {
        static int made = 5;

        public int take(int at) {
            return super.take(at) + made++;
        }
    }

    static int runs;

    static int run(int seed) {
        runs++;
        Step[] steps = {new Left(), new Right(), at -> at ^ seed, Applet::plain};
        int sum = seed;
        for (int at = 0; at < 40; at++) {
            sum = sum * 31 + steps[at & 3].take(at);
            Object step = steps[at % 3];
            if (step instanceof Right) {
                sum += ((Right) step).held;
            }
            int[][] table = new int[2][at + 1];
            table[1][at] = sum;
            sum += table[1].length + (at % 2 == 0 ? "even" : "odd").length();
        }
        return sum + runs;
    }

    private static int plain(int at) {
        return at - 1;
    }
}
