// Stacks deeper than registers have names: of all kinds, in all instructions, in calls with many arguments, and kept by a collector.
import java.util.function.IntBinaryOperator;

public class LangDeepStack {
    static int count = 3;
    static long wide = 1L << 40;
    static double real = 2.5;
    static String text = "a text of characters";
    static int[] a = new int[8];
    static byte[] bytes = new byte[8];
    static long[] wides = new long[8];
    static Object kept = new Box(1, 7);
    static Box box = new Box(2, 5);
    static IntBinaryOperator add = (one, other) -> one + other;

    static class Box {
        int value;

        Box(int one, int other) {
            value = one * 31 + other;
        }

        @Override
        public int hashCode() {
            return value;
        }
    }

    static int sum(int one, long other, double third, int last) {
        return (int) (one + other + third) + last;
    }

    static Box each(int one, String other, Box box) {
        return new Box(one + other.length(), box.value);
    }

    static Object thrown(String text) {
        throw new IllegalStateException(text);
    }

    static long many(
            long p0, long p1, long p2, long p3, long p4, long p5, long p6, long p7, long p8, long p9, long p10, long p11, long
            p12, long p13, long p14, long p15, long p16, long p17, long p18, long p19, long p20, long p21, long p22, long p23,
            long p24, long p25, long p26, long p27, long p28, long p29, long p30, long p31, long p32, long p33, long p34, long
            p35, long p36, long p37, long p38, long p39, long p40, long p41, long p42, long p43, long p44, long p45, long p46,
            long p47, long p48, long p49, long p50, long p51, long p52, long p53, long p54, long p55, long p56, long p57, long
            p58, long p59, long p60, long p61, long p62, long p63, long p64, long p65, long p66, long p67, long p68, long p69,
            long p70, long p71, long p72, long p73, long p74, long p75, long p76, long p77, long p78, long p79, long p80, long
            p81, long p82, long p83, long p84, long p85, long p86, long p87, long p88, long p89, long p90, long p91, long p92,
            long p93, long p94, long p95, long p96, long p97, long p98, long p99, long p100, long p101, long p102, long p103,
            long p104, long p105, long p106, long p107, long p108, long p109, long p110, long p111, long p112, long p113, long
            p114, long p115, long p116, long p117, long p118, long p119, int p, Object o) {
        return
            p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9 + p10 + p11 + p12 + p13 + p14 + p15 + p16 + p17 + p18 + p19 + p20 +
            p21 + p22 + p23 + p24 + p25 + p26 + p27 + p28 + p29 + p30 + p31 + p32 + p33 + p34 + p35 + p36 + p37 + p38 + p39 + p40
            + p41 + p42 + p43 + p44 + p45 + p46 + p47 + p48 + p49 + p50 + p51 + p52 + p53 + p54 + p55 + p56 + p57 + p58 + p59 +
            p60 + p61 + p62 + p63 + p64 + p65 + p66 + p67 + p68 + p69 + p70 + p71 + p72 + p73 + p74 + p75 + p76 + p77 + p78 + p79
            + p80 + p81 + p82 + p83 + p84 + p85 + p86 + p87 + p88 + p89 + p90 + p91 + p92 + p93 + p94 + p95 + p96 + p97 + p98 +
            p99 + p100 + p101 + p102 + p103 + p104 + p105 + p106 + p107 + p108 + p109 + p110 + p111 + p112 + p113 + p114 + p115 +
            p116 + p117 + p118 + p119 + p + o.hashCode();
    }

    static int deep0(int n) {
        int m = n + 1;
        return
            (text + 0 + ((int) ((wide & 1) * 1L - ((int) (real += (a[n & 7] ^ (a[3] = (--count * 3 + ((a[5] += (a[n & 7] ^ (a[7]
            = (a[2]++ + ((count += ((m++ + (text.charAt(5) + (--count * 3 + ((count += ((m++ + (a[n & 7] ^ (a[2] = ((int) (wide +
            (((Box) kept).value + (a[n & 7] ^ (a[5] = ((int) (real += (a[n & 7] ^ (a[7] = (((Box) kept).value + (a[1]++ + ((int)
            (wide++ ^ (long) (text.charAt(4) + ((int) ((wide & 5) * 1L - ((int) (wide + (new int[2][7 + 1].length + ((int)
            (wides[0] += ((a[1] += ((a[4] += (--count * 3 + (a[n & 7] ^ (a[6] = ((box.value -= ((m++ + ((text + 2 + (bytes[3]++ +
            (byte) (bytes[4]++ + (byte) (new int[2][6 + 1].length + ((int) (wides[0] += ((count += (new int[2][3 + 1].length +
            ((box.value -= (add.applyAsInt(6, (--count * 3 + ((int) (wide + (text.charAt(4) + ((int) ((real + 5) *
            ((add.applyAsInt(6, ((int) ((wide & 7) * 1L - ((box.value -= (text.charAt(1) + (a[2]++ + (--count * 3 + ((text + 4 +
            (add.applyAsInt(5, ((box.value -= (bytes[0]++ + (byte) (--count * 3 + ((count += ((box.value++ + (--count * 3 + (a[n
            & 7] ^ (a[6] = (new int[2][7 + 1].length + ((int) (float) (n - (bytes[5]++ + (byte) ((int) ((real + 7) * (((int)
            (wide + ((box.value -= (a[n & 7] ^ (a[2] = ((int) (wide++ ^ (long) ((int) (real += ((int) (real += ((box.value -=
            ((count += ((int) ((real + 3) * (((int) (real += ((int) (wide++ ^ (long) ((m++ + (text.charAt(2) + ((int) (float)
            (((Box) kept).value + ((int) ((wide & 6) * 1L - ((count += ((int) (wides[0] += ((int) ((wide & 1) * 1L - (((Box)
            kept).value + (((Box) kept).value + (4 + ((box.value -= ((int) (wides[6] += (1 + ((int) ((wide & 2) * 1L -
            (text.charAt(3) + ((text + 5 + ((int) (wide++ ^ (long) (a[n & 7] ^ (a[0] = (bytes[1]++ + (byte) ((int) (real +=
            ((int) (real += ((int) (real += ((int) (real += ((a[6] += ((box.value++ + ((int) (real += (a[n & 7] ^ (a[1] =
            (--count * 3 + ((int) ((real + 6) * (((int) (wide + (add.applyAsInt(0, (a[n & 7] ^ (a[1] = ((a[2] += (3 + ((int)
            ((wide & 4) * 1L - ((a[5] += (n - (--count * 3 + ((int) (float) ((int) ((wide & 3) * 1L - ((box.value++ + ((int)
            (wide + ((int) (wide + ((box.value -= (bytes[3]++ + (byte) ((box.value++ + ((box.value++ + (new int[2][6 + 1].length
            + ((count += ((int) ((wide & 0) * 1L - ((a[1] += (add.applyAsInt(2, ((box.value++ + ((int) ((real + 5) * ((n - ((int)
            ((wide & 3) * 1L - (n - (new int[2][6 + 1].length + ((count += ((int) ((real + 3) * ((((Box) kept).value +
            (add.applyAsInt(7, (((Box) kept).value + ((int) (real += (((Box) kept).value + ((box.value -= (n - (n - ((box.value++
            + ((count += (((Box) kept).value + ((a[5] += (((Box) kept).value + ((box.value++ + (add.applyAsInt(1, ((box.value++ +
            (4 + ((box.value++ + ((count += ((int) (wide + ((int) (float) ((box.value++ + ((int) (wides[4] += ((m++ +
            (add.applyAsInt(6, ((count += ((int) (real += (bytes[1]++ + (byte) ((int) (real += ((count += ((int) ((real + 4) *
            (((int) ((real + 5) * (((int) (wide++ ^ (long) (n - ((int) ((wide & 0) * 1L - (bytes[1]++ + (byte) ((int) ((wide & 2)
            * 1L - ((box.value++ + ((int) ((wide & 5) * 1L - ((int) (wide++ ^ (long) (n - (0 + ((a[1] += ((int) (wide++ ^ (long)
            ((m++ + (n - ((text + 5 + (text.charAt(7) + ((int) (wide++ ^ (long) (a[n & 7] ^ (a[1] = (bytes[3]++ + (byte)
            (text.charAt(5) + ((int) (wide++ ^ (long) ((int) ((wide & 0) * 1L - (n - ((int) (wides[5] += (6 + ((int) ((wide & 7)
            * 1L - ((int) (wides[0] += ((int) ((wide & 1) * 1L - ((box.value++ + ((int) (wide + (a[n & 7] ^ (a[4] = ((text + 5 +
            ((box.value++ + ((a[1] += (a[n & 7] ^ (a[2] = (a[6]++ + ((a[7] += (n - (--count * 3 + ((text + 5 + ((box.value++ +
            ((int) (wide++ ^ (long) (text.charAt(4) + ((int) (wide + ((int) (real += ((text + 0 + (--count * 3 + ((m++ + (--count
            * 3 + (new int[2][6 + 1].length + ((int) (wide + ((int) ((wide & 0) * 1L - ((int) ((wide & 2) * 1L - ((int) (wide++ ^
            (long) (bytes[5]++ + (byte) (((Box) kept).value + ((a[7] += ((int) (real += ((box.value -= ((int) ((real + 2) *
            ((((Box) kept).value + ((int) ((real + 4) * (((m++ + ((int) (real += (add.applyAsInt(0, (text.charAt(1) + ((text + 4
            + ((count += (n - (add.applyAsInt(0, (bytes[1]++ + (byte) (n - ((int) (float) (add.applyAsInt(5, (--count * 3 +
            ((int) (wide + (((Box) kept).value + ((a[4] += ((count += (a[0]++ + ((int) (wides[1] += ((int) (wide++ ^ (long) ((m++
            + ((int) (real += ((int) ((wide & 7) * 1L - ((box.value -= ((text + 2 + ((count += (a[n & 7] ^ (a[5] = ((int)
            (wides[6] += ((m++ + (--count * 3 + (n - ((count += ((count += (((Box) kept).value + (--count * 3 + ((int) (wide +
            (bytes[2]++ + (byte) (3 + (add.applyAsInt(4, (text.charAt(5) + ((int) (wide++ ^ (long) (a[0]++ + ((int) (wide +
            ((int) ((real + 4) * ((a[n & 7] ^ (a[6] = ((int) (wides[7] += (new int[2][1 + 1].length + (new int[2][2 + 1].length +
            ((int) (wides[0] += (n - (a[5]++ + (6 + (n - ((box.value++ + ((a[6] += ((m++ + ((box.value -= ((int) (real += (new
            int[2][3 + 1].length + (((Box) kept).value + (add.applyAsInt(6, ((int) (wide++ ^ (long) ((int) (real += (a[n & 7] ^
            (a[3] = ((int) (wide++ ^ (long) (5 + (--count * 3 + ((m++ + ((int) ((real + 1) * ((n) %
            1009))))))))))))))))))))))))))))))))))))))))) % 1009)))))))))))))))))))))))))))))))).length()))) %
            1000003L))))))))))))))))))))) % 5003 + 4))))))))).length())))))))) % 1009)))) % 1009))))))))))))) % 1000003L)) %
            1000003L)))))))))).length()))))))))))).length()))))))))))))).length()))))))) % 1000003L)))) % 1000003L)))))) %
            1000003L)))))))))))).length())))))))))))) % 1000003L)))) % 1000003L))) % 1000003L))))) % 1009))) %
            1009)))))))))))))))))))) % 5003 + 1))))))))))))))))))))))))))))))))) % 1009))))))) % 1000003L))) % 1009))))))))) %
            1000003L)))))))))))))))))) % 1000003L)) % 5003 + 2))))) % 1000003L))))))))))) %
            1009)))))))))))))))))))))))))).length())) % 1000003L)))))))))) % 1000003L)))))) % 1000003L))) % 5003 + 4)))))))) %
            1009))))))))))))))))))) % 1009))))) % 5003 + 2)))))))))))))))).length())))))) % 1000003L)))) %
            1009)))))))))))))))))))).length()))))))))))))))))) % 1000003L)))))))))))))))))))))))))))))))))))))) %
            1000003L))).length();
    }
    static int deep1(int n) {
        int m = n + 1;
        return
            n - (a[1]++ + (a[n & 7] ^ (a[2] = (--count * 3 + ((count += ((a[5] += ((int) (wide + ((int) ((wide & 7) * 1L - ((int)
            ((real + 0) * (((int) (wides[1] += (((Box) kept).value + (new int[2][0 + 1].length + ((text + 1 + (add.applyAsInt(2,
            ((int) (real += (text.charAt(6) + ((m++ + (bytes[1]++ + (byte) ((box.value++ + ((box.value -= (5 + (n - (a[7]++ +
            (a[n & 7] ^ (a[0] = (--count * 3 + ((count += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide & 5) * 1L - ((int)
            ((real + 6) * (((int) (wides[7] += (new int[2][6 + 1].length + ((text + 7 + (add.applyAsInt(0, ((int) (float) ((int)
            (real += (text.charAt(4) + ((m++ + (bytes[7]++ + (byte) ((box.value -= (3 + (n - (a[5]++ + (a[n & 7] ^ (a[6] =
            ((count += ((a[0] += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide & 3) * 1L - ((int) ((real + 4) * (((int)
            (wides[5] += (((Box) kept).value + (new int[2][4 + 1].length + (add.applyAsInt(5, ((int) (float) ((int) (real +=
            (text.charAt(2) + ((m++ + (bytes[4]++ + (byte) ((box.value++ + ((box.value -= (1 + (n - (a[n & 7] ^ (a[3] = (--count
            * 3 + ((count += ((a[6] += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide & 1) * 1L - ((int) (wides[2] +=
            (((Box) kept).value + (new int[2][1 + 1].length + ((text + 2 + (add.applyAsInt(3, ((int) (float) ((int) (real +=
            ((m++ + (bytes[2]++ + (byte) ((box.value++ + ((box.value -= (n - (a[0]++ + (a[n & 7] ^ (a[1] = (--count * 3 + ((count
            += ((a[4] += ((int) (wide + ((int) ((wide & 6) * 1L - ((int) ((real + 7) * (((int) (wides[0] += (((Box) kept).value +
            (new int[2][7 + 1].length + ((text + 0 + (add.applyAsInt(1, ((int) (real += (text.charAt(5) + ((m++ + (bytes[0]++ +
            (byte) ((box.value++ + ((box.value -= (4 + (n - (a[6]++ + (a[n & 7] ^ (a[7] = (--count * 3 + ((count += ((int) (wide
            + ((int) (wide++ ^ (long) ((int) ((wide & 4) * 1L - ((int) ((real + 5) * (((int) (wides[6] += (new int[2][5 +
            1].length + ((text + 6 + (add.applyAsInt(7, ((int) (float) ((int) (real += (text.charAt(3) + ((m++ + (bytes[6]++ +
            (byte) ((box.value -= (2 + (n - (a[4]++ + (a[n & 7] ^ (a[5] = ((count += ((a[7] += ((int) (wide + ((int) (wide++ ^
            (long) ((int) ((wide & 2) * 1L - ((int) ((real + 3) * (((int) (wides[4] += (((Box) kept).value + (new int[2][3 +
            1].length + (add.applyAsInt(4, ((int) (float) ((int) (real += (text.charAt(1) + ((m++ + (bytes[3]++ + (byte)
            ((box.value++ + ((box.value -= (0 + (n - (a[n & 7] ^ (a[2] = (--count * 3 + ((count += ((a[5] += ((int) (wide +
            ((int) (wide++ ^ (long) ((int) ((wide & 0) * 1L - ((int) (wides[1] += (((Box) kept).value + (new int[2][0 + 1].length
            + ((text + 1 + (add.applyAsInt(2, ((int) (float) ((int) (real += ((m++ + (bytes[1]++ + (byte) ((box.value++ +
            ((box.value -= (n - (a[7]++ + (a[n & 7] ^ (a[0] = (--count * 3 + ((count += ((a[3] += ((int) (wide + ((int) ((wide &
            5) * 1L - ((int) ((real + 6) * (((int) (wides[7] += (((Box) kept).value + (new int[2][6 + 1].length + ((text + 7 +
            (add.applyAsInt(0, ((int) (real += (text.charAt(4) + ((m++ + (bytes[7]++ + (byte) ((box.value++ + ((box.value -= (3 +
            (n - (a[5]++ + (a[n & 7] ^ (a[6] = (--count * 3 + ((count += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide &
            3) * 1L - ((int) ((real + 4) * (((int) (wides[5] += (new int[2][4 + 1].length + ((text + 5 + (add.applyAsInt(6,
            ((int) (float) ((int) (real += (text.charAt(2) + ((m++ + (bytes[5]++ + (byte) ((box.value -= (1 + (n - (a[3]++ + (a[n
            & 7] ^ (a[4] = ((count += ((a[6] += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide & 1) * 1L - ((int) ((real +
            2) * (((int) (wides[3] += (((Box) kept).value + (new int[2][2 + 1].length + (add.applyAsInt(3, ((int) (float) ((int)
            (real += (text.charAt(0) + ((m++ + (bytes[2]++ + (byte) ((box.value++ + ((box.value -= (7 + (n - (a[n & 7] ^ (a[1] =
            (--count * 3 + ((count += ((a[4] += ((int) (wide + ((int) (wide++ ^ (long) ((int) ((wide & 7) * 1L - ((int) (wides[0]
            += (((Box) kept).value + (new int[2][7 + 1].length + ((text + 0 + (add.applyAsInt(1, ((int) (float) ((int) (real +=
            ((m++ + (bytes[0]++ + (byte) ((box.value++ + ((box.value -= (n - (a[6]++ + (a[n & 7] ^ (a[7] = (--count * 3 + ((count
            += ((a[2] += ((int) (wide + ((int) ((wide & 4) * 1L - ((int) ((real + 5) * (((int) (wides[6] += (((Box) kept).value +
            (new int[2][5 + 1].length + ((text + 6 + (add.applyAsInt(7, ((int) (real += (text.charAt(3) + ((m++ + (bytes[6]++ +
            (byte) ((box.value++ + ((box.value -= (2 + (n - (a[4]++ + (a[n & 7] ^ (a[5] = (--count * 3 + ((count += ((int) (wide
            + ((int) (wide++ ^ (long) ((int) ((wide & 2) * 1L - ((int) ((real + 3) * (((int) (wides[4] += (new int[2][3 +
            1].length + ((text + 4 + (add.applyAsInt(5, ((int) (float) ((int) (real += (text.charAt(1) + ((m++ + (bytes[4]++ +
            (byte) ((box.value -= (0 + (n - (a[2]++ + (a[n & 7] ^ (a[3] = ((count += ((a[5] += ((int) (wide + ((int) (wide++ ^
            (long) ((int) ((wide & 0) * 1L - ((int) ((real + 1) * (((int) (wides[2] += (((Box) kept).value + (new int[2][1 +
            1].length + (add.applyAsInt(2, ((int) (float) ((int) (real += (text.charAt(7) + ((m++ + (bytes[1]++ + (byte)
            ((box.value++ + ((box.value -= (6 + (n - (a[n & 7] ^ (a[0] = (--count * 3 + (n)))))))))))))))) % 5003 + 5))))))) %
            1009))) % 1000003L))))))))))))))))))))))) % 5003 + 7)))).length())))) % 1009))) %
            1000003L))))))))))))))))))))))))))).length()))))) % 1009))) % 1000003L)))))))))))))))))))))) % 5003 +
            4)))).length()))))) % 1000003L))))))))))))))))))))))))) % 5003 + 6))))))) % 1009))) % 1000003L)))))))))))))))))))))))
            % 5003 + 0)))).length())))) % 1009))) % 1000003L))))))))))))))))))))))))))).length()))))) % 1009))) %
            1000003L)))))))))))))))))))))) % 5003 + 5)))).length()))))) % 1000003L))))))))))))))))))))))))) % 5003 + 7))))))) %
            1009))) % 1000003L))))))))))))))))))))))) % 5003 + 1)))).length())))) % 1009))) %
            1000003L))))))))))))))))))))))))))).length()))))) % 1009))) % 1000003L)))))))))))))))))))))) % 5003 +
            6)))).length()))))) % 1000003L))))))))))))))))))))))))) % 5003 + 0))))))) % 1009))) % 1000003L)))))))))))))))))))))))
            % 5003 + 2)))).length())))) % 1009))) % 1000003L))))))))))))))))))))))))))).length()))))) % 1009))) %
            1000003L))))))))))));
    }
    static int deep2(int n) {
        int m = n + 1;
        return
            a[n & 7] ^ (a[0] = ((a[1] += ((int) ((wide & 2) * 1L - (sum(3, wide, real, (add.applyAsInt(6, ((int) (real +=
            ((box.value -= (2 + (a[n & 7] ^ (a[3] = ((a[4] += ((int) ((wide & 5) * 1L - (new int[2][0 + 1].length + ((int) (real
            += ((box.value -= (n - (--count * 3 + ((int) (wide + ((int) ((real + 0) * ((new int[2][3 + 1].length +
            (text.charAt(5) + (bytes[6]++ + (byte) (n - (--count * 3 + ((int) (wide + ((int) (wides[3] += (((Box) kept).value +
            ((text + 6 + (text.charAt(0) + (bytes[1]++ + (byte) (a[3]++ + ((count += ((int) (wide++ ^ (long) ((int) (wides[6] +=
            (((Box) kept).value + (add.applyAsInt(1, ((int) (float) ((m++ + ((box.value++ + (a[6]++ + ((count += ((int) ((wide &
            0) * 1L - (add.applyAsInt(4, ((int) (float) ((m++ + ((box.value -= (0 + (a[n & 7] ^ (a[1] = ((a[2] += ((int) ((wide &
            3) * 1L - (new int[2][6 + 1].length + ((int) (real += ((box.value -= (3 + (a[n & 7] ^ (a[4] = ((int) (wide + ((int)
            ((real + 6) * ((new int[2][1 + 1].length + ((int) (real += (bytes[4]++ + (byte) (n - (--count * 3 + ((int) (wide +
            ((int) ((real + 1) * (((text + 4 + (text.charAt(6) + (bytes[7]++ + (byte) (n - ((count += ((int) (wide++ ^ (long)
            ((int) (wides[4] += (((Box) kept).value + ((text + 7 + ((m++ + ((box.value++ + (a[4]++ + ((count += ((int) (wide++ ^
            (long) ((int) (wides[7] += (add.applyAsInt(2, ((int) (float) ((m++ + ((box.value++ + (a[n & 7] ^ (a[7] = ((a[0] +=
            ((int) ((wide & 1) * 1L - (add.applyAsInt(5, ((int) (real += ((box.value -= (1 + (a[n & 7] ^ (a[2] = ((a[3] += ((int)
            ((wide & 4) * 1L - (new int[2][7 + 1].length + ((int) (real += ((box.value -= (n - (--count * 3 + ((int) (wide +
            ((int) ((real + 7) * ((new int[2][2 + 1].length + (text.charAt(4) + (bytes[5]++ + (byte) (n - (--count * 3 + ((int)
            (wide + ((int) (wides[2] += (((Box) kept).value + ((text + 5 + (text.charAt(7) + (bytes[0]++ + (byte) (a[2]++ +
            ((count += ((int) (wide++ ^ (long) ((int) (wides[5] += (((Box) kept).value + (add.applyAsInt(0, ((int) (float) ((m++
            + ((box.value++ + (a[5]++ + ((count += ((int) ((wide & 7) * 1L - (add.applyAsInt(3, ((int) (float) ((m++ +
            ((box.value -= (7 + (a[n & 7] ^ (a[0] = ((a[1] += ((int) ((wide & 2) * 1L - (new int[2][5 + 1].length + ((int) (real
            += ((box.value -= (2 + (a[n & 7] ^ (a[3] = ((int) (wide + ((int) ((real + 5) * ((new int[2][0 + 1].length + ((int)
            (real += (bytes[3]++ + (byte) (n - (--count * 3 + ((int) (wide + ((int) ((real + 0) * (((text + 3 + (text.charAt(5) +
            (bytes[6]++ + (byte) (n - ((count += ((int) (wide++ ^ (long) ((int) (wides[3] += (((Box) kept).value + ((text + 6 +
            ((m++ + ((box.value++ + (a[3]++ + ((count += ((int) (wide++ ^ (long) ((int) (wides[6] += (add.applyAsInt(1, ((int)
            (float) ((m++ + ((box.value++ + (a[n & 7] ^ (a[6] = ((a[7] += ((int) ((wide & 0) * 1L - (add.applyAsInt(4, ((int)
            (real += ((box.value -= (0 + (a[n & 7] ^ (a[1] = ((a[2] += ((int) ((wide & 3) * 1L - (new int[2][6 + 1].length +
            ((int) (real += ((box.value -= (n - (--count * 3 + ((int) (wide + ((int) ((real + 6) * ((new int[2][1 + 1].length +
            (text.charAt(3) + (bytes[4]++ + (byte) (n - (--count * 3 + ((int) (wide + ((int) (wides[1] += (((Box) kept).value +
            ((text + 4 + (text.charAt(6) + (bytes[7]++ + (byte) (a[1]++ + ((count += ((int) (wide++ ^ (long) ((int) (wides[4] +=
            (((Box) kept).value + (add.applyAsInt(7, ((int) (float) ((m++ + ((box.value++ + (a[4]++ + ((count += ((int) ((wide &
            6) * 1L - (add.applyAsInt(2, ((int) (float) ((m++ + ((box.value -= (6 + (a[n & 7] ^ (a[7] = ((a[0] += ((int) ((wide &
            1) * 1L - (new int[2][4 + 1].length + ((int) (real += ((box.value -= (1 + (a[n & 7] ^ (a[2] = ((int) (wide + ((int)
            ((real + 4) * ((new int[2][7 + 1].length + ((int) (real += (bytes[2]++ + (byte) (n - (--count * 3 + ((int) (wide +
            ((int) ((real + 7) * (((text + 2 + (text.charAt(4) + (bytes[5]++ + (byte) (n - ((count += ((int) (wide++ ^ (long)
            ((int) (wides[2] += (((Box) kept).value + ((text + 5 + ((m++ + ((box.value++ + (a[2]++ + ((count += ((int) (wide++ ^
            (long) ((int) (wides[5] += (add.applyAsInt(0, ((int) (float) ((m++ + ((box.value++ + (a[n & 7] ^ (a[5] = ((a[6] +=
            ((int) ((wide & 7) * 1L - (add.applyAsInt(3, ((int) (real += ((box.value -= (7 + (a[n & 7] ^ (a[0] = ((a[1] += ((int)
            ((wide & 2) * 1L - (new int[2][5 + 1].length + ((int) (real += ((box.value -= (n - (--count * 3 + ((int) (wide +
            ((int) ((real + 5) * ((new int[2][0 + 1].length + (text.charAt(2) + (bytes[3]++ + (byte) (n - (--count * 3 + ((int)
            (wide + ((int) (wides[0] += (((Box) kept).value + ((text + 3 + (text.charAt(5) + (bytes[6]++ + (byte) (a[0]++ +
            ((count += ((int) (wide++ ^ (long) ((int) (wides[3] += (((Box) kept).value + (add.applyAsInt(6, ((int) (float) ((m++
            + ((box.value++ + (a[3]++ + ((count += ((int) ((wide & 5) * 1L - (add.applyAsInt(1, ((int) (float) ((m++ +
            ((box.value -= (5 + (a[n & 7] ^ (a[6] = ((a[7] += ((int) ((wide & 0) * 1L - (new int[2][3 + 1].length + ((int) (real
            += ((box.value -= (0 + (a[n & 7] ^ (a[1] = ((int) (wide + ((int) ((real + 3) * ((new int[2][6 + 1].length + ((int)
            (real += (bytes[1]++ + (byte) (n - (--count * 3 + ((int) (wide + ((int) ((real + 6) * (((text + 1 + (n)).length()) %
            1009))))))))))) % 1009))))))))))))) % 1000003L))))))))))) % 5003 + 2))) % 1000003L))))))))) % 5003 +
            7)))))))))))))).length()))))))))))) % 1009)))))))))))) % 1000003L))))))))))))) % 1000003L)))))))))) % 5003 +
            1))))))))))))))).length())))))))))))).length()) % 1009))))))))))) % 1009))))))))))))) % 1000003L))))))))))) % 5003 +
            3))) % 1000003L))))))))) % 5003 + 0)))))))))))))).length()))))))))))) % 1009)))))))))))) % 1000003L))))))))))))) %
            1000003L)))))))))) % 5003 + 2))))))))))))))).length())))))))))))).length()) % 1009))))))))))) % 1009))))))))))))) %
            1000003L))))))))))) % 5003 + 4))) % 1000003L))))))))) % 5003 + 1)))))))))))))).length()))))))))))) % 1009))))))))))))
            % 1000003L))))))))))))) % 1000003L)))))))))) % 5003 + 3))))))))))))))).length())))))))))))).length()) %
            1009))))))))))) % 1009))))))))))))) % 1000003L))))))))))) % 5003 + 5))) % 1000003L))))))))) % 5003 +
            2)))))))))))))).length()))))))))))) % 1009)))))))))))) % 1000003L))))))))))))))) % 1000003L)))));
    }
    static int deep3(int n) {
        int m = n + 1;
        return
            (count += ((int) ((real + 1) * (((kept instanceof String ? 1 : 2) + ((text + 3 + ((int) (real += ((box.value++ + (n -
            ((int) (wide + ((m++ + (a[n & 7] ^ (a[5] = ((int) ((wide & 6) * 1L - (((Box) kept).value + (new int[2][0 + 1].length
            + ((int) (float) (bytes[2]++ + (byte) (3 + ((count += ((int) (wides[5] += (add.applyAsInt(7, (text.charAt(0) +
            ((box.value -= (a[2]++ + ((int) (wide + (--count * 3 + ((int) ((wide & 2) * 1L - ((text + 4 + ((int) (real +=
            ((box.value++ + (n - ((a[0] += ((int) (wides[1] += ((m++ + (a[n & 7] ^ (a[6] = ((int) (wide++ ^ (long) (new int[2][1
            + 1].length + ((int) (float) (bytes[3]++ + (byte) (4 + ((count += ((int) ((real + 6) * ((add.applyAsInt(0,
            (text.charAt(1) + ((box.value -= (a[3]++ + ((int) (wide + (--count * 3 + ((int) ((wide & 3) * 1L - (((Box)
            kept).value + (new int[2][5 + 1].length + ((int) (real += ((box.value++ + (n - ((a[1] += ((int) (wides[2] +=
            (add.applyAsInt(4, ((m++ + (a[n & 7] ^ (a[7] = ((int) (wide++ ^ (long) (bytes[4]++ + (byte) (5 + ((count += ((int)
            ((real + 7) * (((text + 1 + ((int) (real += ((box.value -= (a[4]++ + ((int) (wide + ((m++ + (--count * 3 + ((int)
            ((wide & 4) * 1L - (((Box) kept).value + (new int[2][6 + 1].length + ((int) (float) (bytes[0]++ + (byte) (n - ((a[2]
            += ((int) (wides[3] += (add.applyAsInt(5, (text.charAt(6) + ((box.value -= (a[n & 7] ^ (a[0] = ((int) (wide++ ^
            (long) ((count += ((int) ((real + 0) * (((text + 2 + ((int) (real += ((box.value++ + (n - ((int) (wide + ((m++ + (a[n
            & 7] ^ (a[4] = ((int) ((wide & 5) * 1L - (((Box) kept).value + (new int[2][7 + 1].length + ((int) (float) (bytes[1]++
            + (byte) (2 + ((count += ((int) (wides[4] += (add.applyAsInt(6, (text.charAt(7) + ((box.value -= (a[1]++ + ((int)
            (wide + (--count * 3 + ((int) ((wide & 1) * 1L - ((text + 3 + ((int) (real += ((box.value++ + (n - ((a[7] += ((int)
            (wides[0] += ((m++ + (a[n & 7] ^ (a[5] = ((int) (wide++ ^ (long) (new int[2][0 + 1].length + ((int) (float)
            (bytes[2]++ + (byte) (3 + ((count += ((int) ((real + 5) * ((add.applyAsInt(7, (text.charAt(0) + ((box.value -=
            (a[2]++ + ((int) (wide + (--count * 3 + ((int) ((wide & 2) * 1L - (((Box) kept).value + (new int[2][4 + 1].length +
            ((int) (real += ((box.value++ + (n - ((a[0] += ((int) (wides[1] += (add.applyAsInt(3, ((m++ + (a[n & 7] ^ (a[6] =
            ((int) (wide++ ^ (long) (bytes[3]++ + (byte) (4 + ((count += ((int) ((real + 6) * (((text + 0 + ((int) (real +=
            ((box.value -= (a[3]++ + ((int) (wide + ((m++ + (--count * 3 + ((int) ((wide & 3) * 1L - (((Box) kept).value + (new
            int[2][5 + 1].length + ((int) (float) (bytes[7]++ + (byte) (n - ((a[1] += ((int) (wides[2] += (add.applyAsInt(4,
            (text.charAt(5) + ((box.value -= (a[n & 7] ^ (a[7] = ((int) (wide++ ^ (long) ((count += ((int) ((real + 7) * (((text
            + 1 + ((int) (real += ((box.value++ + (n - ((int) (wide + ((m++ + (a[n & 7] ^ (a[3] = ((int) ((wide & 4) * 1L -
            (((Box) kept).value + (new int[2][6 + 1].length + ((int) (float) (bytes[0]++ + (byte) (1 + ((count += ((int)
            (wides[3] += (add.applyAsInt(5, (text.charAt(6) + ((box.value -= (a[0]++ + ((int) (wide + (--count * 3 + ((int)
            ((wide & 0) * 1L - ((text + 2 + ((int) (real += ((box.value++ + (n - ((a[6] += ((int) (wides[7] += ((m++ + (a[n & 7]
            ^ (a[4] = ((int) (wide++ ^ (long) (new int[2][7 + 1].length + ((int) (float) (bytes[1]++ + (byte) (2 + ((count +=
            ((int) ((real + 4) * ((add.applyAsInt(6, (text.charAt(7) + ((box.value -= (a[1]++ + ((int) (wide + (--count * 3 +
            ((int) ((wide & 1) * 1L - (((Box) kept).value + (new int[2][3 + 1].length + ((int) (real += ((box.value++ + (n -
            ((a[7] += ((int) (wides[0] += (add.applyAsInt(2, ((m++ + (a[n & 7] ^ (a[5] = ((int) (wide++ ^ (long) (bytes[2]++ +
            (byte) (3 + ((count += ((int) ((real + 5) * (((text + 7 + ((int) (real += ((box.value -= (a[2]++ + ((int) (wide +
            ((m++ + (--count * 3 + ((int) ((wide & 2) * 1L - (((Box) kept).value + (new int[2][4 + 1].length + ((int) (float)
            (bytes[6]++ + (byte) (n - ((a[0] += ((int) (wides[1] += (add.applyAsInt(3, (text.charAt(4) + ((box.value -= (a[n & 7]
            ^ (a[6] = ((int) (wide++ ^ (long) ((count += ((int) ((real + 6) * (((text + 0 + ((int) (real += ((box.value++ + (n -
            ((int) (wide + ((m++ + (a[n & 7] ^ (a[2] = ((int) ((wide & 3) * 1L - (((Box) kept).value + (new int[2][5 + 1].length
            + ((int) (float) (bytes[7]++ + (byte) (0 + ((count += ((int) (wides[2] += (add.applyAsInt(4, (text.charAt(5) +
            ((box.value -= (a[7]++ + ((int) (wide + (--count * 3 + ((int) ((wide & 7) * 1L - ((text + 1 + ((int) (real +=
            ((box.value++ + (n - ((a[5] += ((int) (wides[6] += ((m++ + (a[n & 7] ^ (a[3] = ((int) (wide++ ^ (long) (new int[2][6
            + 1].length + ((int) (float) (bytes[0]++ + (byte) (1 + ((count += ((int) ((real + 3) * ((add.applyAsInt(5,
            (text.charAt(6) + ((box.value -= (a[0]++ + ((int) (wide + (--count * 3 + ((int) ((wide & 0) * 1L - (((Box)
            kept).value + (new int[2][2 + 1].length + ((int) (real += ((box.value++ + (n - ((a[6] += ((int) (wides[7] +=
            (add.applyAsInt(1, ((m++ + (a[n & 7] ^ (a[4] = ((int) (wide++ ^ (long) (bytes[1]++ + (byte) (2 + ((count += ((int)
            ((real + 4) * (((text + 6 + ((int) (real += ((box.value -= (a[1]++ + (n))))))).length()) %
            1009)))))))))))))))))))))))))) % 1000003L))))))))))) % 1009))))))) % 5003 + 7)))))))))))))))))).length()) %
            1000003L))))))))))))))))) % 5003 + 6))) % 1000003L)))))))))))))).length()) % 1009)))))))))))))))))))) % 5003 + 5))) %
            1000003L))))))))))))).length()) % 1009)))))))))))))))))))))))))) % 1000003L))))))))))) % 1009))))))) % 5003 +
            0)))))))))))))))))).length()) % 1000003L))))))))))))))))) % 5003 + 7))) % 1000003L)))))))))))))).length()) %
            1009)))))))))))))))))))) % 5003 + 6))) % 1000003L))))))))))))).length()) % 1009)))))))))))))))))))))))))) %
            1000003L))))))))))) % 1009))))))) % 5003 + 1)))))))))))))))))).length()) % 1000003L))))))))))))))))) % 5003 + 0))) %
            1000003L)))))))))))))).length()) % 1009)))))))))))))))))))) % 5003 + 7))) % 1000003L))))))))))))).length()) %
            1009)))))))))))))))))))))))))) % 1000003L))))))))))) % 1009))))))) % 5003 + 2)))))))))))))))))).length()) %
            1000003L))))))))))))))))) % 5003 + 1))) % 1000003L)))))))))))))).length())) % 1009))));
    }

    static long called(int n) {
        int local = n;
        long result = many(
            0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6,
            7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1, 2, 3,
            4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7, 8, 9, 0,
            1, 2L, 3, 4, 5, 6, 7, 8, 9L, local++,
            "one" + many(
                0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L,
                6, 7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1,
                2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7,
                8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, local,
                n > 0 ? "some" : (Object) new int[][] {{1, 2}, {3}}.length));
        return result + local;
    }

    static String caught(int n) {
        String said = "nothing";
        try {
            said += many(
                0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L,
                6, 7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1,
                2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7,
                8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, n,
                n == 1 ? thrown("one") : n == 2 ? kept : (Object) text.charAt(n));
        } catch (IllegalStateException error) {
            said += error.getMessage();
        } catch (StringIndexOutOfBoundsException error) {
            said += "outside";
        }
        return said;
    }

    static int depth(int n) {
        return n == 0 ? 0 : (int) (many(
            0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6,
            7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1, 2, 3,
            4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7, 8, 9, 0,
            1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, n) + depth(n - 1)) | 1;
    }

    static int endless(int n) {
        return (int) many(
            0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6,
            7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1, 2, 3,
            4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7, 8, 9, 0,
            1, 2L, 3, 4, 5, 6, 7, 8, 9L, endless(n + 1), "never");
    }

    static void show(String name, int result) {
        System.out.println(name + " " + result + " " + count + " " + wide + " " + real + " " + box.value + " "
            + java.util.Arrays.toString(a) + java.util.Arrays.toString(bytes) + java.util.Arrays.toString(wides));
    }

    public static void main(String[] args) {
        for (int n = 0; n < 4; n++) {
            show("deep0", deep0(n));
            show("deep1", deep1(n));
            show("deep2", deep2(n));
            show("deep3", deep3(n));
            System.out.println(called(n) + " " + caught(n == 3 ? 99 : n));
        }
        System.out.println(depth(50));
        try {
            endless(0);
        } catch (StackOverflowError error) {
            System.out.println("endless");
        }
        java.util.function.Supplier<Object> last = () -> many(
            0L, 1, 2, 3, 4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6,
            7, 8, 9, 0, 1, 2L, 3, 4, 5, 6, 7, 8, 9L, 0, 1, 2, 3, 4, 5, 6L, 7, 8, 9, 0, 1, 2, 3L, 4, 5, 6, 7, 8, 9, 0L, 1, 2, 3,
            4, 5, 6, 7L, 8, 9, 0, 1, 2, 3, 4L, 5, 6, 7, 8, 9, 0, 1L, 2, 3, 4, 5, 6, 7, 8L, 9, 0, 1, 2, 3, 4, 5L, 6, 7, 8, 9, 0,
            1, 2L, 3, 4, 5, 6, 7, 8, 9L, 5, "x");
        System.out.println(last.get());
    }
}
