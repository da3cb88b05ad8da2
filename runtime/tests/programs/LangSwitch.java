public class LangSwitch {
    enum Light { RED, AMBER, GREEN }

    static int arrow(int n) {
        return switch (n) {
            case 1, 2, 3 -> n * 10;
            case 4 -> {
                int t = 0;
                for (int i = 0; i < n; i++) {
                    t += i;
                }
                yield t;
            }
            case -5 -> throw new IllegalStateException("five below");
            default -> -1;
        };
    }

    static String text(String s) {
        return switch (s) {
            case "a", "b" -> "letter";
            case "one" -> {
                try {
                    yield "number " + Integer.parseInt("x");
                } catch (NumberFormatException e) {
                    yield "caught";
                } finally {
                    System.out.print("finally ");
                }
            }
            default -> s.isEmpty() ? "empty" : "other";
        };
    }

    static Light next(Light l) {
        return switch (l) {
            case RED -> Light.GREEN;
            case GREEN -> Light.AMBER;
            case AMBER -> Light.RED;
        };
    }

    static int old(char c) {
        int v = switch (c) {
            case 'x':
                System.out.print("x falls ");
            case 'y':
                yield 1;
            case 'z':
                int local = 5;
                yield local + 1;
            default:
                yield 0;
        };
        return v;
    }

    static void statement(int n) {
        switch (n) {
            case 0 -> System.out.print("zero ");
            case 1 -> {
                System.out.print("one ");
                return;
            }
            default -> System.out.print("many ");
        }
        System.out.print("after ");
    }

    static double mixed(int n) {
        return switch (n) {
            case 0 -> 1;
            case 1 -> 2.5f;
            case 2 -> 'a';
            default -> 4L;
        };
    }

    public static void main(String[] args) {
        for (int n = 0; n < 6; n++) {
            System.out.print(arrow(n) + " ");
        }
        System.out.println();
        try {
            arrow(-5);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        for (String s : new String[] {"a", "b", "one", "", "zzz"}) {
            System.out.print(text(s) + "; ");
        }
        System.out.println();
        Light l = Light.RED;
        for (int i = 0; i < 4; i++) {
            System.out.print(l + " ");
            l = next(l);
        }
        System.out.println();
        System.out.println(old('x') + " " + old('y') + " " + old('z') + " " + old('?'));
        for (int i = 0; i < 3; i++) {
            statement(i);
        }
        System.out.println();
        System.out.println(mixed(0) + " " + mixed(1) + " " + mixed(2) + " " + mixed(3));
        int nested = switch (arrow(1)) {
            case 10 -> switch (text("b")) {
                case "letter" -> 42;
                default -> 0;
            };
            default -> 1;
        };
        System.out.println(nested + switch (nested) { case 42 -> 1; default -> 2; } * 3);
        Object o = switch (nested % 3) {
            case 0 -> "string";
            case 1 -> 1;
            default -> 'c';
        };
        System.out.println(o);
        try {
            next(null);
        } catch (NullPointerException e) {
            System.out.println("null light");
        }
    }
}
