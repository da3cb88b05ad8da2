public class LangControl {
    static String classic(int n) {
        StringBuilder s = new StringBuilder();
        switch (n) {
            case 1:
                s.append("one ");
            case 2:
                s.append("two ");
                break;
            case 3: {
                s.append("three ");
                return s.append("returned").toString();
            }
            default:
                s.append("default ");
            case 100:
                s.append("hundred ");
        }
        return s.append("end").toString();
    }

    static int sparse(int n) {
        switch (n) {
            case Integer.MIN_VALUE: return -1;
            case -1000: return 1;
            case 0: return 2;
            case 77777: return 3;
            case Integer.MAX_VALUE: return 4;
        }
        return 0;
    }

    static int onChar(char c) {
        switch (c) {
            case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
            case ' ': return 2;
            default: return Character.isLetter(c) ? 3 : 4;
        }
    }

    public static void main(String[] args) {
        for (int n : new int[] {0, 1, 2, 3, 4, 100}) {
            System.out.println(n + " " + classic(n));
        }
        for (int n : new int[] {Integer.MIN_VALUE, -1000, -999, 0, 77777, Integer.MAX_VALUE}) {
            System.out.print(sparse(n) + " ");
        }
        System.out.println();
        for (char c : "hello, world".toCharArray()) {
            System.out.print(onChar(c));
        }
        System.out.println();
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; ; j++) {
                if (j == 3) {
                    continue outer;
                }
                if (i == 3) {
                    break outer;
                }
                if ((i + j) % 2 == 0) {
                    continue;
                }
                System.out.print(i + "" + j + " ");
            }
        }
        System.out.println();
        block: {
            if (args.length == 0) {
                break block;
            }
            System.out.println("not reached");
        }
        int n = 27, steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        System.out.println(steps);
        do {
            steps -= 20;
        } while (steps > 0);
        System.out.println(steps);
        for (int i = 0, j = 10; i < j; i += 2, j--) {
            System.out.print(i * j + " ");
        }
        System.out.println();
        loop:
        while (true) {
            switch (++n) {
                case 2: continue loop;
                case 5: break loop;
                default: break;
            }
            System.out.print("n" + n);
        }
        System.out.println();
        Byte boxed = 3;
        switch (boxed) {
            case 3: System.out.println("unboxed"); break;
            case 4: System.out.println("no"); break;
        }
        for (;;) {
            break;
        }
        if (n > 0) if (n > 10) System.out.println("big"); else System.out.println("dangling");
    }
}
