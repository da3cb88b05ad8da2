import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class AlgoMachine {
    enum Op {
        PUSH(1), ADD, SUB, MUL, DIV, LT, DUP, SWAP, LOAD(1), STORE(1), JUMP(1), JZ(1), CALL(1), RET, PRINT, HALT;

        final int operands;

        Op() {
            this(0);
        }

        Op(int operands) {
            this.operands = operands;
        }
    }

    record Insn(Op op, int operand) {}

    static class Trap extends RuntimeException {
        private static final long serialVersionUID = 1;

        Trap(String what, int pc, Throwable cause) {
            super(what + " at " + pc, cause);
        }
    }

    static List<Insn> assemble(String source) {
        Map<String, Integer> labels = new HashMap<>();
        List<String[]> lines = new ArrayList<>();
        for (String line : source.split("\n")) {
            String s = line.strip();
            if (s.endsWith(":")) {
                labels.put(s.substring(0, s.length() - 1), lines.size());
            } else if (!s.isEmpty()) {
                lines.add(s.split(" +"));
            }
        }
        List<Insn> code = new ArrayList<>();
        for (String[] words : lines) {
            Op op = Op.valueOf(words[0].toUpperCase());
            if (words.length - 1 != op.operands) {
                throw new IllegalArgumentException(op + " takes " + op.operands);
            }
            int operand = op.operands == 0 ? 0 : labels.containsKey(words[1]) ? labels.get(words[1]) : Integer.parseInt(words[1]);
            code.add(new Insn(op, operand));
        }
        return code;
    }

    static long run(List<Insn> code, int limit) {
        long[] stack = new long[64], memory = new long[16];
        int[] returns = new int[16];
        int sp = 0, rp = 0, pc = 0;
        long steps = 0;
        try {
            while (steps++ < limit) {
                Insn i = code.get(pc++);
                switch (i.op()) {
                    case PUSH -> stack[sp++] = i.operand();
                    case ADD -> stack[--sp - 1] += stack[sp];
                    case SUB -> stack[--sp - 1] -= stack[sp];
                    case MUL -> stack[--sp - 1] *= stack[sp];
                    case DIV -> stack[--sp - 1] /= stack[sp];
                    case LT -> {
                        sp--;
                        stack[sp - 1] = stack[sp - 1] < stack[sp] ? 1 : 0;
                    }
                    case DUP -> {
                        stack[sp] = stack[sp - 1];
                        sp++;
                    }
                    case SWAP -> {
                        long t = stack[sp - 1];
                        stack[sp - 1] = stack[sp - 2];
                        stack[sp - 2] = t;
                    }
                    case LOAD -> stack[sp++] = memory[i.operand()];
                    case STORE -> memory[i.operand()] = stack[--sp];
                    case JUMP -> pc = i.operand();
                    case JZ -> pc = stack[--sp] == 0 ? i.operand() : pc;
                    case CALL -> {
                        returns[rp++] = pc;
                        pc = i.operand();
                    }
                    case RET -> pc = returns[--rp];
                    case PRINT -> System.out.print(stack[--sp] + " ");
                    case HALT -> {
                        System.out.println();
                        return steps;
                    }
                }
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new Trap("bounds", pc - 1, e);
        } catch (ArithmeticException e) {
            throw new Trap("arithmetic", pc - 1, e);
        }
        throw new Trap("limit", pc, null);
    }

    public static void main(String[] args) {
        String factorials = """
                push 1
                store 0
                push 1
                store 1
            loop:
                load 0
                push 21
                lt
                jz end
                load 1
                load 0
                mul
                dup
                print
                store 1
                call next
                jump loop
            next:
                load 0
                push 1
                add
                store 0
                ret
            end:
                halt
            """;
        System.out.println(run(assemble(factorials), 10_000));
        String sum = "push 0\nstore 1\npush 3000\nstore 0\nloop:\nload 0\njz end\nload 1\nload 0\nadd\nstore 1\nload 0\npush 1\nsub\nstore 0\njump loop\nend:\nload 1\nprint\nhalt";
        System.out.println(run(assemble(sum), 100_000));
        for (String bad : new String[] {"add", "push 1\npush 0\ndiv", "a:\njump a", "a:\npush 1\njump a", "a:\ncall a", "push", "nop", "push 1"}) {
            try {
                run(assemble(bad), 500);
            } catch (RuntimeException e) {
                System.out.println(e.getMessage() + (e.getCause() == null ? "" : " because " + e.getCause().getMessage()));
            }
        }
    }
}
