//! The instructions of the profile (JVMS 6.5), and what several parts ask about them.

macro_rules! opcodes {
    ($($name:ident $opcode:literal)*) => { $(pub(crate) const $name: u8 = $opcode;)* };
}

// Those between a first and a last one have no names here.
opcodes! {
    NOP 0 ACONST_NULL 1 ICONST_M1 2 ICONST_0 3 ICONST_5 8 BIPUSH 16 SIPUSH 17 LDC 18 LDC_W 19
    ILOAD 21 ALOAD 25 ILOAD_0 26 ILOAD_3 29 ALOAD_0 42 ALOAD_3 45 IALOAD 46 BALOAD 51 SALOAD 53
    ISTORE 54 ASTORE 58 ISTORE_0 59 ISTORE_3 62 ASTORE_0 75 ASTORE_3 78 IASTORE 79 BASTORE 84 SASTORE 86
    POP 87 SWAP 95 IADD 96 ISUB 100 IMUL 104 IDIV 108 IREM 112 INEG 116 ISHL 120 ISHR 122 IUSHR 124
    IAND 126 IOR 128 IXOR 130 IINC 132 I2B 145 I2S 147
    IFEQ 153 IF_ICMPEQ 159 IF_ICMPLE 164 IF_ACMPEQ 165 IF_ACMPNE 166 GOTO 167
    TABLESWITCH 170 LOOKUPSWITCH 171 IRETURN 172 ARETURN 176 RETURN 177
    GETSTATIC 178 PUTSTATIC 179 GETFIELD 180 PUTFIELD 181 INVOKEVIRTUAL 182 INVOKESPECIAL 183 INVOKESTATIC 184
    NEWARRAY 188 ARRAYLENGTH 190 WIDE 196 IFNULL 198 IFNONNULL 199 GOTO_W 200
}

/// What instructions from `pop` to `swap` take from the stack, and what of that they give back, by its place.
const PERMUTATIONS: [(u8, &[u8]); 9] = [
    (1, &[]),
    (2, &[]),
    (1, &[0, 0]),
    (2, &[1, 0, 1]),
    (3, &[2, 0, 1, 2]),
    (2, &[0, 1, 0, 1]),
    (3, &[1, 2, 0, 1, 2]),
    (4, &[2, 3, 0, 1, 2, 3]),
    (2, &[1, 0]),
];

/// What `pop` to `swap` take and give.
pub(crate) fn permutation(opcode: u8) -> (u8, &'static [u8]) {
    PERMUTATIONS.get(usize::from(opcode.wrapping_sub(POP))).copied().unwrap_or_default()
}

/// The number that stands big-endian at an offset; 0 beyond the end, which the verifier refuses first.
pub(crate) fn i16_at(code: &[u8], at: usize) -> i32 {
    code.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |two| i32::from(i16::from_be_bytes(*two)))
}

/// The same of two bytes without sign.
pub(crate) fn u16_at(code: &[u8], at: usize) -> usize {
    i16_at(code, at) as u16 as usize
}

/// The same of four bytes.
pub(crate) fn i32_at(code: &[u8], at: usize) -> i32 {
    code.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| i32::from_be_bytes(*four))
}

/// The same of one byte.
pub(crate) fn u8_at(code: &[u8], at: usize) -> usize {
    code.get(at).map_or(0, |byte| usize::from(*byte))
}
