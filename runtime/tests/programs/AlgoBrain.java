public class AlgoBrain {
    static String run(String program, String input, int limit) {
        int[] jump = new int[program.length()];
        int[] open = new int[program.length()];
        int depth = 0;
        for (int i = 0; i < program.length(); i++) {
            if (program.charAt(i) == '[') {
                open[depth++] = i;
            } else if (program.charAt(i) == ']') {
                jump[i] = open[--depth];
                jump[jump[i]] = i;
            }
        }
        byte[] tape = new byte[300];
        int at = 0, in = 0, steps = 0;
        StringBuilder out = new StringBuilder();
        for (int pc = 0; pc < program.length() && steps < limit; pc++, steps++) {
            switch (program.charAt(pc)) {
                case '>': at++; break;
                case '<': at--; break;
                case '+': tape[at]++; break;
                case '-': tape[at]--; break;
                case '.': out.append((char) (tape[at] & 0xff)); break;
                case ',': tape[at] = (byte) (in < input.length() ? input.charAt(in++) : 0); break;
                case '[': pc = tape[at] == 0 ? jump[pc] : pc; break;
                case ']': pc = tape[at] != 0 ? jump[pc] : pc; break;
                default: break;
            }
        }
        return out + " (" + steps + " steps)";
    }

    public static void main(String[] args) {
        System.out.println(run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.", "", 100_000));
        System.out.println(run(",[.,]", "echo", 1000));
        System.out.println(run(">,[>,]<[.<]", "reverse", 10_000));
        System.out.println(run("+[>+]", "", 100));
        System.out.println(run(">++++++++++>>>+>+[>>>+[-[<<<<<[+<<<<<]>>[[-]>[<<+>+>-]<[>+<-]<[>+<-[>+<-[>+<-[>+<-[>+<-[>+<-[>+<-[>+<-[>+<-[>[-]>>>>+>+<<<<<<-[>+<-]]]]]]]]]]]>[<+>-]+>>>>>]<<<<<[<<<<<]>>>>>>>[>>>>>]++[-<<<<<]>>>>>>-]+>>>>>]<[>++<-]<<<<[<[>+<-]<<<<]>>[->[-]++++++[<++++++++>-]>>>>]<<<<<[<[>+>+<<-]>.<<<<<]>.>>>>]",
            "", 60_000).replace('\n', ' '));
        try {
            run("<", "", 5);
            run("<+", "", 5);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
