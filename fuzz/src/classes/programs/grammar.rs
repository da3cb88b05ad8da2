//! The types of the programs, each with its literals and the forms of its expressions.
//!
//! In a form, `$I` is an expression of the type whose letter is I, `$#` an index, `$_` a new name (the same in all of the form), `$>NI` a lambda from a
//! parameter N to an expression I, `$<I` an expression in an anonymous class, and `$@` the class of the program. A form stands in parentheses
//! unless it is a primary expression, and its type is exactly that which it is listed for.

/// A type.
pub(super) struct Type {
    /// Its letter.
    pub(super) letter: char,
    /// Its name in Java.
    pub(super) name: &'static str,
    /// Literals, and new objects of literals.
    pub(super) leaves: &'static [&'static str],
    /// Forms of expressions without calls of the program's methods.
    pub(super) forms: &'static [&'static str],
    /// Forms with such calls.
    pub(super) calls: &'static [&'static str],
}

/// The type of a letter.
pub(super) fn ty(letter: char) -> &'static Type {
    TYPES.iter().find(|ty| ty.letter == letter).expect("a form names types that are there")
}

/// Letters of primitive types that can be computed with.
pub(super) const NUMBERS: [char; 7] = ['B', 'S', 'C', 'I', 'J', 'F', 'D'];

#[rustfmt::skip]
pub(super) const TYPES: &[Type] = &[
    Type {
        letter: 'Z',
        name: "boolean",
        leaves: &["true", "false"],
        forms: &[
            "($I < $I)", "($I >= $J)", "($D <= $D)", "($F > $I)", "($C == $B)", "($J != $J)", "($D == $D)",
            "($F < $F)", "($D >= $J)", "(!$Z)", "($Z && $Z)", "($Z || $Z)", "($Z ^ $Z)", "($Z & $Z)", "($Z | $Z)",
            "($Z == $Z)", "$T.equals($T)", "($O instanceof String)", "($O instanceof int[])",
            "($O instanceof Integer $_ && $_ > $I)", "($A instanceof Left)", "($A == $A)", "($i == null)",
            "($T != null)", "$P.equals($P)", "$T.isEmpty()", "$T.startsWith($T)", "Double.isNaN($D)", "($K == $K)",
        ],
        calls: &["$H.test($J, $Z)"],
    },
    Type {
        letter: 'B',
        name: "byte",
        leaves: &["((byte) 0)", "((byte) 1)", "((byte) -1)", "((byte) 127)", "((byte) -128)", "((byte) 33)"],
        forms: &[
            "((byte) $I)", "((byte) $D)", "((byte) ($B + $S))", "((byte) $J)", "$b[$#]", "$N.byteValue()",
        ],
        calls: &[],
    },
    Type {
        letter: 'S',
        name: "short",
        leaves: &["((short) 0)", "((short) 2)", "((short) -1)", "((short) 32767)", "((short) -32768)"],
        forms: &["((short) $I)", "((short) $J)", "((short) $F)", "((short) ($S * $C))", "((short) $B)"],
        calls: &[],
    },
    Type {
        letter: 'C',
        name: "char",
        leaves: &["'a'", "'b'", "'\\u00e9'", "'\\uffff'", "((char) 0)", "'7'"],
        forms: &["((char) $I)", "((char) $D)", "$T.charAt($#)", "((char) ($C + $B))", "((char) $J)"],
        calls: &[],
    },
    Type {
        letter: 'I',
        name: "int",
        leaves: &[
            "0", "1", "2", "3", "5", "7", "10", "31", "100", "65536", "2147483647", "(-1)", "(-3)", "(-2147483648)",
        ],
        forms: &[
            "($I + $I)", "($I - $I)", "($I * $I)", "($I / $I)", "($I % $I)", "($B + $S)", "($C * $I)", "($S - $C)",
            "($B / $S)", "($I << $I)", "($I >> $J)", "($I >>> $I)", "($B >>> $I)", "($I & $I)", "($B | $I)",
            "($I ^ $C)", "(-$I)", "(~$S)", "((int) $J)", "((int) $F)", "((int) $D)", "((int) $C)", "$T.length()",
            "((int) $T.charAt($#))", "$i.length", "$t.length", "$g[$#].length", "$b.length", "Integer.bitCount($I)",
            "Math.max($I, $I)", "Math.floorMod($I, $I)", "Math.abs($I)", "Integer.rotateLeft($I, $I)",
            "Long.compare($J, $J)", "Integer.parseInt(\"\" + $I)", "$K.weight()", "$K.ordinal()", "$P.a()", "$P.hashCode()",
            "$T.compareTo($T)", "$T.hashCode()", "$T.indexOf($T)", "((int) $N)", "((int) ($O instanceof Integer $_ ? $_ : $I))", "$i[$#]", "$i[$#]",
            "$g[$#][$#]", "$A.fI", "$A.fI", "$A.hashCode()",
        ],
        calls: &["$H.area($I)", "$A.area($I)", "((int) new Box<Integer>($I).<Integer>map($>NN).get())"],
    },
    Type {
        letter: 'J',
        name: "long",
        leaves: &[
            "0L", "1L", "(-1L)", "3L", "1000000007L", "4294967296L", "9223372036854775807L",
            "(-9223372036854775808L)",
        ],
        forms: &[
            "($J + $J)", "($J - $I)", "($J * $J)", "($J / $J)", "($J % $I)", "($C + $J)", "($J << $I)", "($J >> $J)",
            "($J >>> $I)", "($I ^ $J)", "($J & $J)", "($J | $B)", "(-$J)", "(~$J)", "((long) $D)", "((long) $F)",
            "((long) $I)", "Math.abs($J)", "Long.rotateRight($J, $I)", "((long) Long.bitCount($J))",
            "Math.floorDiv($J, $J)", "Math.min($J, $J)", "$P.b()", "$j[$#]", "$j[$#]", "$A.fJ", "Math.round($D)",
        ],
        calls: &["$H.twice($J)", "rec($I & 7, $I, $J)", "$A.twice($I)"],
    },
    Type {
        letter: 'F',
        name: "float",
        leaves: &[
            "0.0f", "(-0.0f)", "1.5f", "0.1f", "(-7.25f)", "1e10f", "3.4e38f", "1e-45f", "Float.NaN",
            "Float.POSITIVE_INFINITY", "Float.MIN_NORMAL",
        ],
        forms: &[
            "($F + $F)", "($F - $I)", "($F * $J)", "($F / $F)", "($F % $F)", "($C * $F)", "(-$F)", "((float) $D)",
            "((float) $J)", "((float) $I)", "Math.abs($F)", "Math.max($F, $F)", "Math.min($F, $F)",
            "Float.intBitsToFloat($I)",
        ],
        calls: &[],
    },
    Type {
        letter: 'D',
        name: "double",
        leaves: &[
            "0.0", "(-0.0)", "1.0", "0.1", "(-2.5)", "1e300", "4.9e-324", "1e18", "123456.789", "Double.NaN",
            "Double.NEGATIVE_INFINITY", "2147483648.0",
        ],
        forms: &[
            "($D + $D)", "($D - $F)", "($D * $D)", "($D / $J)", "($D % $D)", "($I * $D)", "(-$D)", "((double) $F)",
            "((double) $J)", "((double) $I)", "Math.sqrt($D)", "Math.floor($D)", "Math.ceil($D)", "Math.rint($D)",
            "Math.abs($D)", "Math.max($D, $D)", "Double.longBitsToDouble($J)", "$d[$#]", "$d[$#]", "$A.fD",
        ],
        calls: &["$A.name($F, $B)", "$A.name($F, $B)"],
    },
    Type {
        letter: 'T',
        name: "String",
        leaves: &[
            "\"\"", "\"a\"", "\"xyz\"", "\"Aa\"", "\"BB\"", "\"12\"", "\"caf\\u00e9\"", "\"\\u4e2d\\ud83d\\ude00\"",
            "\"hello, world\"", "((String) null)", "\"-7\"", "\"longer than most\"",
        ],
        forms: &[
            "Sum.cut($T + $I)", "Sum.cut($T + $J + $C)", "Sum.cut($I + $T + $D)", "Sum.cut($F + \"f\" + $Z)",
            "Sum.cut($T + $N + $P)", "Sum.cut($B + $T + $K + $S)", "Sum.cut($T + $T + $T)", "$T.substring($#)",
            "String.valueOf($C)", "String.valueOf($J)", "$T.replace($C, $C)", "Sum.cut($T.repeat($I & 3))",
            "Integer.toHexString($I)", "Integer.toString($I, 7)", "$T.trim()", "$P.toString()", "$A.toString()",
            "($O instanceof String $_ ? $_ : $T)", "$K.name()", "new StringBuilder($T).reverse().toString()",
            "Sum.cut(new StringBuilder().append($I).append($C).append($T).toString())", "$t[$#]", "$t[$#]", "$A.fS",
        ],
        calls: &["choose($Z, $T, $T)", "made($>TT, $T)", "new Box<String>($T).get()"],
    },
    Type {
        letter: 'N',
        name: "Integer",
        leaves: &[
            "Integer.valueOf(3)", "Integer.valueOf(-200)", "Integer.valueOf(0)", "Integer.valueOf(12)",
            "Integer.valueOf(77)",
        ],
        forms: &[
            "Integer.valueOf($I)", "((Integer) $O)", "((Integer) null)", "Integer.valueOf($T)", "Integer.valueOf($C)", "Integer.valueOf($T.length())",
        ],
        calls: &["choose($Z, $N, $N)", "made(new Twice(), $N)", "new Twice().make($N)", "made($>NN, $N)"],
    },
    Type {
        letter: 'O',
        name: "Object",
        leaves: &[
            "((Object) \"a\")", "((Object) 5)", "((Object) (new int[4]))", "((Object) new Left(2, 3L))",
            "((Object) new Pair(1, 2L))",
        ],
        forms: &[
            "((Object) $T)", "((Object) $N)", "((Object) $A)", "((Object) $i)", "((Object) $P)", "((Object) $I)",
        ],
        calls: &[],
    },
    Type {
        letter: 'P',
        name: "Pair",
        leaves: &["new Pair(1, 2L)", "new Pair(-1, 0L)", "new Pair(1, 2L)"],
        forms: &["new Pair($I, $J)", "new Pair($I, $J)", "((Pair) $O)", "new Pair($N, $I)"],
        calls: &["choose($Z, $P, $P)"],
    },
    Type {
        letter: 'K',
        name: "Color",
        leaves: &["Color.RED", "Color.GREEN", "Color.BLUE"],
        forms: &["Color.values()[$#]", "$K.next()", "Color.valueOf($K.name())", "Color.values()[$I & 1]"],
        calls: &[],
    },
    Type {
        letter: 'H',
        name: "Shape",
        leaves: &["((Shape) new Left(4, 5L))", "((Shape) new Right(-4, 6L))", "((Shape) $@::twist)"],
        forms: &[
            "((Shape) $A)", "((Shape) $>II)", "((Shape) $>II)", "((Shape) $R)",
            "((Shape) new Shape() { public int area(int $_) { return $<I + $_; } })",
        ],
        calls: &[],
    },
    Type {
        letter: 'A',
        name: "Base",
        leaves: &[
            "((Base) new Left(1, 2L))", "((Base) new Right(3, 4L))", "((Base) new Left(-9, 8L))", "((Base) new Right(0, 1L))",
        ],
        forms: &[
            "((Base) new Left($I, $J))", "((Base) new Right($I, $J))", "$A.next", "((Base) $H)", "((Base) $R)",
            "((Base) $L)",
        ],
        calls: &["choose($Z, $A, $A)"],
    },
    Type {
        letter: 'L',
        name: "Left",
        leaves: &["new Left(1, 2L)", "new Left(0, -2L)", "((Left) new Right(1, 2L))"],
        forms: &["new Left($I, $J)", "((Left) $A)", "((Left) $R)"],
        calls: &[],
    },
    Type {
        letter: 'R',
        name: "Right",
        leaves: &["new Right(1, 2L)", "new Right(6, 7L)", "new Right(-1, 0L)", "((Right) null)"],
        forms: &["new Right($I, $J)", "new Right($B, $C)", "((Right) $L)"],
        calls: &[],
    },
    Type {
        letter: 'i',
        name: "int[]",
        leaves: &[
            "(new int[] {1, 2, 3, 4})", "(new int[8])", "(new int[] {-1, 7, 9, 100, 5})", "((int[]) null)",
            "(new int[4])",
        ],
        forms: &[
            "(new int[$I & 7])", "(new int[$I % 5])", "(new int[] {$I, $I, $I, $I})", "$i.clone()", "$g[$#]", "$A.fA",
        ],
        calls: &["choose($Z, $i, $i)"],
    },
    Type {
        letter: 'j',
        name: "long[]",
        leaves: &["(new long[] {1L, -2L, 3L, 4L})", "(new long[6])", "(new long[4])"],
        forms: &["(new long[$I & 7])", "(new long[] {$J, $I, $J, $J})", "$j.clone()"],
        calls: &[],
    },
    Type {
        letter: 'b',
        name: "byte[]",
        leaves: &["(new byte[] {1, -2, 3, 127})", "(new byte[7])", "(new byte[4])"],
        forms: &["(new byte[$I & 7])", "(new byte[] {$B, $B, $B, $B})", "$b.clone()", "(new byte[$B])"],
        calls: &[],
    },
    Type {
        letter: 'd',
        name: "double[]",
        leaves: &["(new double[] {1.5, -2, 3, 1e10})", "(new double[5])"],
        forms: &["(new double[$I & 7])", "(new double[] {$D, $F, $I, $J})", "$d.clone()"],
        calls: &[],
    },
    Type {
        letter: 't',
        name: "String[]",
        leaves: &["(new String[] {\"p\", \"q\", \"rst\", \"\"})", "(new String[4])"],
        forms: &["(new String[$I & 7])", "(new String[] {$T, $T, $T, $T})", "$t.clone()"],
        calls: &[],
    },
    Type {
        letter: 'g',
        name: "int[][]",
        leaves: &["(new int[4][4])", "(new int[][] {{1}, {2, 3, 4, 5}, {6, 7, 8}, {}})", "(new int[4][])"],
        forms: &[
            "(new int[$I & 3][$I & 3])", "(new int[][] {$i, $i, $i, $i})", "$g.clone()", "(new int[4][$I & 7])",
        ],
        calls: &[],
    },
];

/// Statements that change a part of something.
pub(super) const STORES: &[&str] = &[
    "$i[$#] = $I;",
    "$i[$#] += $J;",
    "$i[$#]++;",
    "--$i[$#];",
    "$j[$#] ^= $J;",
    "$j[$#] <<= $I;",
    "$b[$#] = $B;",
    "$b[$#] += $I;",
    "$b[$#]--;",
    "$d[$#] *= $F;",
    "$d[$#] = $J;",
    "$t[$#] = $T;",
    "$g[$#][$#] -= $I;",
    "$g[$#] = $i;",
    "$A.fI = $I;",
    "$A.fI++;",
    "$A.fJ -= $I;",
    "$A.fD /= $D;",
    "$A.fS = $T;",
    "$A.fA = $i;",
    "$A.next = $A;",
    "((Object[]) $t)[$#] = $O;",
];

/// Statements that leave by an exception, sometimes.
pub(super) const THROWS: &[&str] = &[
    "if ($Z) throw new ArithmeticException(\"own\");",
    "if ($Z) throw new IllegalStateException($T);",
    "if ($Z) throw (RuntimeException) null;",
    "if ($I == 3) throw new ClassCastException();",
];

/// What is switched on, and labels.
pub(super) const SWITCHES: &[(&str, &[&str])] = &[
    ("$I & 7", &["0", "1", "2", "3", "5"]),
    ("$I", &["-1000000", "0", "1", "77", "2147483647"]),
    ("$C", &["'a'", "'b'", "'\\u00e9'", "'7'"]),
    ("$B", &["-128", "0", "1", "127"]),
    ("$T", &["\"\"", "\"a\"", "\"xyz\"", "\"Aa\"", "\"BB\""]),
    ("$K", &["RED", "GREEN", "BLUE"]),
    ("$N", &["0", "3", "77"]),
];

/// Expressions that are switches, for the type `$?`, which is called `$=` .
pub(super) const SWITCH_EXPRESSIONS: &[&str] = &[
    "(switch ($I & 3) { case 0 -> $?; case 1, 2 -> { sum.add(1, $I); $= $_ = $?; yield $_; } default -> $?; })",
    "(switch ($K) { case RED -> $?; case BLUE -> throw new IllegalStateException(); default -> $?; })",
    "(switch ($T) { case \"a\", \"Aa\" -> $?; case \"BB\" -> $?; default -> $?; })",
];

/// What is caught, in an order that Java allows; RuntimeException may follow.
pub(super) const CATCHES: &[&str] = &[
    "ArithmeticException",
    "ArrayIndexOutOfBoundsException | NegativeArraySizeException",
    "NullPointerException",
    "ClassCastException | ArrayStoreException",
    "IndexOutOfBoundsException",
    "IllegalArgumentException",
];

/// What loops go over: the type of the variable, and all of them.
pub(super) const EACH: &[(char, &str)] = &[
    ('I', "$i"),
    ('T', "$t"),
    ('i', "$g"),
    ('K', "Color.values()"),
    ('J', "$j"),
    ('D', "$i"),
    ('N', "new java.util.ArrayList<Integer>(java.util.List.of($I, $I, $I))"),
];
