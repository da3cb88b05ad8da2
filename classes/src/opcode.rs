//! The instruction set (JVMS 6.5): one row for each opcode, with the format of its operands and what it does to the
//! types of local variables and operand stack.
//!
//! What a row cannot say ([`Effect::Own`]) is in [`verify`](mod@crate::verify), one function for each family.

macro_rules! opcodes {
    ($($name:ident $opcode:literal $mnemonic:literal,)*) => {
        $(#[doc = concat!("`", $mnemonic, "`")]
        pub const $name: u8 = $opcode;)*
        #[cfg(test)]
        const NAMED: &[(u8, &str)] = &[$(($opcode, $mnemonic),)*];
    };
}

// Those that verifier, profile and writer treat one by one.
opcodes! {
    ACONST_NULL 1 "aconst_null",
    ICONST_0 3 "iconst_0",
    BIPUSH 16 "bipush",
    SIPUSH 17 "sipush",
    LDC 18 "ldc",
    LDC_W 19 "ldc_w",
    LDC2_W 20 "ldc2_w",
    ILOAD 21 "iload",
    IALOAD 46 "iaload",
    AALOAD 50 "aaload",
    ISTORE 54 "istore",
    IASTORE 79 "iastore",
    AASTORE 83 "aastore",
    POP 87 "pop",
    POP2 88 "pop2",
    DUP 89 "dup",
    SWAP 95 "swap",
    IADD 96 "iadd",
    IMUL 104 "imul",
    IINC 132 "iinc",
    I2L 133 "i2l",
    I2F 134 "i2f",
    I2D 135 "i2d",
    L2F 137 "l2f",
    L2D 138 "l2d",
    F2D 141 "f2d",
    LCMP 148 "lcmp",
    IFEQ 153 "ifeq",
    IFNE 154 "ifne",
    IF_ICMPEQ 159 "if_icmpeq",
    IF_ICMPNE 160 "if_icmpne",
    IF_ICMPGT 163 "if_icmpgt",
    IF_ACMPNE 166 "if_acmpne",
    I2C 146 "i2c",
    GOTO 167 "goto",
    JSR 168 "jsr",
    RET 169 "ret",
    TABLESWITCH 170 "tableswitch",
    LOOKUPSWITCH 171 "lookupswitch",
    IRETURN 172 "ireturn",
    GETSTATIC 178 "getstatic",
    PUTSTATIC 179 "putstatic",
    GETFIELD 180 "getfield",
    PUTFIELD 181 "putfield",
    INVOKEVIRTUAL 182 "invokevirtual",
    INVOKESPECIAL 183 "invokespecial",
    INVOKESTATIC 184 "invokestatic",
    INVOKEINTERFACE 185 "invokeinterface",
    INVOKEDYNAMIC 186 "invokedynamic",
    NEW 187 "new",
    NEWARRAY 188 "newarray",
    ANEWARRAY 189 "anewarray",
    ARRAYLENGTH 190 "arraylength",
    ATHROW 191 "athrow",
    CHECKCAST 192 "checkcast",
    INSTANCEOF 193 "instanceof",
    MONITORENTER 194 "monitorenter",
    MONITOREXIT 195 "monitorexit",
    WIDE 196 "wide",
    MULTIANEWARRAY 197 "multianewarray",
    IFNONNULL 199 "ifnonnull",
    GOTO_W 200 "goto_w",
    JSR_W 201 "jsr_w",
}

/// How the operands of an instruction are laid out behind its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// There are none.
    None,
    /// A signed byte.
    Byte,
    /// Two signed bytes.
    Short,
    /// A local variable; with `wide`, of two bytes.
    Local,
    /// A local variable and a signed byte; with `wide`, of two bytes each.
    Iinc,
    /// A constant below 256.
    Constant1,
    /// A constant.
    Constant2,
    /// A distance of two bytes.
    Branch2,
    /// A distance of four bytes.
    Branch4,
    /// Padding, default, low, high, distances.
    TableSwitch,
    /// Padding, default, count, pairs of key and distance.
    LookupSwitch,
    /// A constant, a count of slots, and 0.
    Interface,
    /// A constant, and two zeros.
    Dynamic,
    /// The type of an array's elements.
    ArrayType,
    /// A constant and a number of dimensions.
    Dimensions,
    /// Another instruction, with wider operands.
    Wide,
}

/// What an instruction does to types. Letters are those of descriptors: I int, J long, F float, D double, A object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Pops these, the last one first, and pushes that; then goes on.
    Plain(&'static str, &'static str),
    /// Loads a local variable of this type: the one of the operand, or this one.
    Load(u8, Option<u8>),
    /// Stores to a local variable, likewise.
    Store(u8, Option<u8>),
    /// Loads an element of an array of this type; B is byte or boolean.
    ArrayLoad(u8),
    /// Stores an element, likewise.
    ArrayStore(u8),
    /// Rearranges slots: it takes so many and puts back these (1 is the topmost). A value of two slots must not be cut at
    /// any of these depths.
    Permute {
        /// How many slots are taken.
        take: u8,
        /// What is put back, from the bottom up.
        give: &'static [u8],
        /// Between which slots no value of two may lie.
        cuts: &'static [u8],
    },
    /// Pops these and may branch.
    Branch(&'static str),
    /// Returns a value of this type, V for none.
    Return(u8),
    /// Is told by the verifier.
    Own,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Mnemonic.
    pub name: &'static str,
    /// Layout of the operands.
    pub format: Format,
    /// What it does.
    pub effect: Effect,
}

/// The row of an opcode, if it is one that a class file may contain.
#[must_use]
pub fn row(opcode: u8) -> Option<&'static Row> {
    TABLE.get(usize::from(opcode))
}

/// The opcode of a mnemonic.
#[must_use]
pub fn named(name: &str) -> Option<u8> {
    TABLE.iter().position(|row| row.name == name).map(|opcode| opcode as u8)
}

const fn plain(name: &'static str, pops: &'static str, pushes: &'static str) -> Row {
    Row { name, format: Format::None, effect: Effect::Plain(pops, pushes) }
}

const fn push(name: &'static str, format: Format, pushes: &'static str) -> Row {
    Row { name, format, effect: Effect::Plain("", pushes) }
}

const fn load(name: &'static str, ty: u8) -> Row {
    Row { name, format: Format::Local, effect: Effect::Load(ty, None) }
}

const fn load_at(name: &'static str, ty: u8, local: u8) -> Row {
    Row { name, format: Format::None, effect: Effect::Load(ty, Some(local)) }
}

const fn store(name: &'static str, ty: u8) -> Row {
    Row { name, format: Format::Local, effect: Effect::Store(ty, None) }
}

const fn store_at(name: &'static str, ty: u8, local: u8) -> Row {
    Row { name, format: Format::None, effect: Effect::Store(ty, Some(local)) }
}

const fn aload(name: &'static str, ty: u8) -> Row {
    Row { name, format: Format::None, effect: Effect::ArrayLoad(ty) }
}

const fn astore(name: &'static str, ty: u8) -> Row {
    Row { name, format: Format::None, effect: Effect::ArrayStore(ty) }
}

const fn permute(name: &'static str, take: u8, give: &'static [u8], cuts: &'static [u8]) -> Row {
    Row { name, format: Format::None, effect: Effect::Permute { take, give, cuts } }
}

const fn branch(name: &'static str, pops: &'static str) -> Row {
    Row { name, format: Format::Branch2, effect: Effect::Branch(pops) }
}

const fn returns(name: &'static str, ty: u8) -> Row {
    Row { name, format: Format::None, effect: Effect::Return(ty) }
}

const fn own(name: &'static str, format: Format) -> Row {
    Row { name, format, effect: Effect::Own }
}

/// All opcodes, from 0 on.
#[rustfmt::skip]
pub const TABLE: [Row; 202] = [
    // 0: constants
    plain("nop", "", ""), own("aconst_null", Format::None),
    plain("iconst_m1", "", "I"), plain("iconst_0", "", "I"), plain("iconst_1", "", "I"), plain("iconst_2", "", "I"),
    plain("iconst_3", "", "I"), plain("iconst_4", "", "I"), plain("iconst_5", "", "I"),
    plain("lconst_0", "", "J"), plain("lconst_1", "", "J"),
    plain("fconst_0", "", "F"), plain("fconst_1", "", "F"), plain("fconst_2", "", "F"),
    plain("dconst_0", "", "D"), plain("dconst_1", "", "D"),
    push("bipush", Format::Byte, "I"), push("sipush", Format::Short, "I"),
    own("ldc", Format::Constant1), own("ldc_w", Format::Constant2), own("ldc2_w", Format::Constant2),
    // 21: loads
    load("iload", b'I'), load("lload", b'J'), load("fload", b'F'), load("dload", b'D'), load("aload", b'A'),
    load_at("iload_0", b'I', 0), load_at("iload_1", b'I', 1), load_at("iload_2", b'I', 2), load_at("iload_3", b'I', 3),
    load_at("lload_0", b'J', 0), load_at("lload_1", b'J', 1), load_at("lload_2", b'J', 2), load_at("lload_3", b'J', 3),
    load_at("fload_0", b'F', 0), load_at("fload_1", b'F', 1), load_at("fload_2", b'F', 2), load_at("fload_3", b'F', 3),
    load_at("dload_0", b'D', 0), load_at("dload_1", b'D', 1), load_at("dload_2", b'D', 2), load_at("dload_3", b'D', 3),
    load_at("aload_0", b'A', 0), load_at("aload_1", b'A', 1), load_at("aload_2", b'A', 2), load_at("aload_3", b'A', 3),
    aload("iaload", b'I'), aload("laload", b'J'), aload("faload", b'F'), aload("daload", b'D'), aload("aaload", b'A'),
    aload("baload", b'B'), aload("caload", b'C'), aload("saload", b'S'),
    // 54: stores
    store("istore", b'I'), store("lstore", b'J'), store("fstore", b'F'), store("dstore", b'D'), store("astore", b'A'),
    store_at("istore_0", b'I', 0), store_at("istore_1", b'I', 1), store_at("istore_2", b'I', 2), store_at("istore_3", b'I', 3),
    store_at("lstore_0", b'J', 0), store_at("lstore_1", b'J', 1), store_at("lstore_2", b'J', 2), store_at("lstore_3", b'J', 3),
    store_at("fstore_0", b'F', 0), store_at("fstore_1", b'F', 1), store_at("fstore_2", b'F', 2), store_at("fstore_3", b'F', 3),
    store_at("dstore_0", b'D', 0), store_at("dstore_1", b'D', 1), store_at("dstore_2", b'D', 2), store_at("dstore_3", b'D', 3),
    store_at("astore_0", b'A', 0), store_at("astore_1", b'A', 1), store_at("astore_2", b'A', 2), store_at("astore_3", b'A', 3),
    astore("iastore", b'I'), astore("lastore", b'J'), astore("fastore", b'F'), astore("dastore", b'D'), astore("aastore", b'A'),
    astore("bastore", b'B'), astore("castore", b'C'), astore("sastore", b'S'),
    // 87: stack
    permute("pop", 1, &[], &[1]), permute("pop2", 2, &[], &[2]),
    permute("dup", 1, &[1, 1], &[1]), permute("dup_x1", 2, &[1, 2, 1], &[1, 2]),
    permute("dup_x2", 3, &[1, 3, 2, 1], &[1, 3]), permute("dup2", 2, &[2, 1, 2, 1], &[2]),
    permute("dup2_x1", 3, &[2, 1, 3, 2, 1], &[2, 3]), permute("dup2_x2", 4, &[2, 1, 4, 3, 2, 1], &[2, 4]),
    permute("swap", 2, &[1, 2], &[1, 2]),
    // 96: arithmetic
    plain("iadd", "II", "I"), plain("ladd", "JJ", "J"), plain("fadd", "FF", "F"), plain("dadd", "DD", "D"),
    plain("isub", "II", "I"), plain("lsub", "JJ", "J"), plain("fsub", "FF", "F"), plain("dsub", "DD", "D"),
    plain("imul", "II", "I"), plain("lmul", "JJ", "J"), plain("fmul", "FF", "F"), plain("dmul", "DD", "D"),
    plain("idiv", "II", "I"), plain("ldiv", "JJ", "J"), plain("fdiv", "FF", "F"), plain("ddiv", "DD", "D"),
    plain("irem", "II", "I"), plain("lrem", "JJ", "J"), plain("frem", "FF", "F"), plain("drem", "DD", "D"),
    plain("ineg", "I", "I"), plain("lneg", "J", "J"), plain("fneg", "F", "F"), plain("dneg", "D", "D"),
    plain("ishl", "II", "I"), plain("lshl", "JI", "J"), plain("ishr", "II", "I"), plain("lshr", "JI", "J"),
    plain("iushr", "II", "I"), plain("lushr", "JI", "J"), plain("iand", "II", "I"), plain("land", "JJ", "J"),
    plain("ior", "II", "I"), plain("lor", "JJ", "J"), plain("ixor", "II", "I"), plain("lxor", "JJ", "J"),
    own("iinc", Format::Iinc),
    // 133: conversions
    plain("i2l", "I", "J"), plain("i2f", "I", "F"), plain("i2d", "I", "D"), plain("l2i", "J", "I"), plain("l2f", "J", "F"),
    plain("l2d", "J", "D"), plain("f2i", "F", "I"), plain("f2l", "F", "J"), plain("f2d", "F", "D"), plain("d2i", "D", "I"),
    plain("d2l", "D", "J"), plain("d2f", "D", "F"), plain("i2b", "I", "I"), plain("i2c", "I", "I"), plain("i2s", "I", "I"),
    // 148: comparisons
    plain("lcmp", "JJ", "I"), plain("fcmpl", "FF", "I"), plain("fcmpg", "FF", "I"), plain("dcmpl", "DD", "I"), plain("dcmpg", "DD", "I"),
    branch("ifeq", "I"), branch("ifne", "I"), branch("iflt", "I"), branch("ifge", "I"), branch("ifgt", "I"), branch("ifle", "I"),
    branch("if_icmpeq", "II"), branch("if_icmpne", "II"), branch("if_icmplt", "II"), branch("if_icmpge", "II"),
    branch("if_icmpgt", "II"), branch("if_icmple", "II"), branch("if_acmpeq", "RR"), branch("if_acmpne", "RR"),
    // 167: control
    own("goto", Format::Branch2), own("jsr", Format::Branch2), own("ret", Format::Local),
    own("tableswitch", Format::TableSwitch), own("lookupswitch", Format::LookupSwitch),
    returns("ireturn", b'I'), returns("lreturn", b'J'), returns("freturn", b'F'), returns("dreturn", b'D'), returns("areturn", b'A'),
    returns("return", b'V'),
    // 178: references
    own("getstatic", Format::Constant2), own("putstatic", Format::Constant2), own("getfield", Format::Constant2), own("putfield", Format::Constant2),
    own("invokevirtual", Format::Constant2), own("invokespecial", Format::Constant2), own("invokestatic", Format::Constant2),
    own("invokeinterface", Format::Interface), own("invokedynamic", Format::Dynamic),
    own("new", Format::Constant2), own("newarray", Format::ArrayType), own("anewarray", Format::Constant2),
    own("arraylength", Format::None), own("athrow", Format::None), own("checkcast", Format::Constant2), own("instanceof", Format::Constant2),
    plain("monitorenter", "R", ""), plain("monitorexit", "R", ""),
    // 196: extended
    own("wide", Format::Wide), own("multianewarray", Format::Dimensions), branch("ifnull", "R"), branch("ifnonnull", "R"),
    own("goto_w", Format::Branch4), own("jsr_w", Format::Branch4),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_those_of_the_table() {
        for (opcode, name) in NAMED {
            assert_eq!(named(name), Some(*opcode));
        }
        assert!(row(201).is_some() && row(202).is_none());
    }

    #[test]
    fn whatever_is_put_back_was_taken() {
        for row in TABLE {
            let Effect::Permute { take, give, cuts } = row.effect else { continue };
            assert!(give.iter().all(|slot| (1..=take).contains(slot)), "{}", row.name);
            assert!(cuts.last() == Some(&take), "{}", row.name);
        }
    }
}
