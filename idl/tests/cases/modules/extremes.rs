// Made from the interface `extremes`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `extremes`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x08\x00\x00\x00extremes\x03\x00\x00\x001.0E\x00\x00\x00The least and the most o\
    f everything: bounds, numbers, labels, words.\x00\x00\x00\x00\x10\x00\x05\x00\x00\x00A_MIN\x00\
    \x00\x00\x00\x01\x08\x01\x00\x80\xff\xff\xff\xff\xff\xff\xff\x05\x00\x00\x00A_MAX\x00\x00\x00\
    \x00\x01\x08\x01\x00\x7f\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00B_MAX\x00\x00\x00\x00\x01\
    \x08\x00\x00\xff\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00C_MIN\x00\x00\x00\x00\x01\x10\x01\
    \x00\x00\x80\xff\xff\xff\xff\xff\xff\x05\x00\x00\x00D_MAX\x00\x00\x00\x00\x01\x10\x00\x00\xff\
    \xff\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00E_MIN\x00\x00\x00\x00\x01 \x01\x00\x00\x00\x00\x80\
    \xff\xff\xff\xff\x05\x00\x00\x00F_MAX\x00\x00\x00\x00\x01 \x00\x00\xff\xff\xff\xff\x00\x00\x00\
    \x00\x05\x00\x00\x00G_MIN\x00\x00\x00\x00\x01@\x01\x00\x00\x00\x00\x00\x00\x00\x00\x80\x05\x00\
    \x00\x00G_MAX\x00\x00\x00\x00\x01@\x01\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x05\x00\x00\x00H_MA\
    X\x00\x00\x00\x00\x01@\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x05\x00\x00\x00J_MAX\x00\x00\
    \x00\x00\t \x00\xff\xff\x7f\x7f\x00\x00\x00\x00\x07\x00\x00\x00J_LEAST\x00\x00\x00\x00\t \x00\
    \x01\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00K_MAX\x00\x00\x00\x00\t@\x00\xff\xff\xff\xff\
    \xff\xff\xef\x7f\x07\x00\x00\x00K_LEAST\x00\x00\x00\x00\t@\x00\x01\x00\x00\x00\x00\x00\x00\x00\
    \x05\x00\x00\x00I_MAX\x00\x00\x00\x00\x08\x00\xff\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00S\
    ILENCE\x00\x00\x00\x00\x03\x08\x00\x00\x00\x01\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00Only\x00\
    \x00\x00\x00\x01\x00\x03\x00\x00\x00one\x03\x00\x04\x00\x00\x00Most\'\x00\x00\x00As many words\
    \x20as an operation may have.\x01\x00\x02\x00\x00\x00at\x0b@\x00\x00\x00\x01@\x01\x05\x00\x00\
    \x00Bytes\x00\x00\x00\x00\x01\x00\x03\x00\x00\x00all\x0b\x00\x10\x00\x00\x01\x08\x00\x05\x00\
    \x00\x00Inner\x00\x00\x00\x00\x02\x00\x03\x00\x00\x00one\x0b\x01\x00\x00\x00\x01\x08\x00\x06\
    \x00\x00\x00is_set\x00\x06\x00\x04\x00\x00\x00Wide\x00\x00\x00\x00\x01@\x01\x03\x00\x03\x00\
    \x05\x00\x00\x00least\x01@\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x80\x05\x00\x00\x00bytes\
    \x0b\x00\x10\x00\x00\x01\x08\x00\x01\x00\xff\xff\xff\xff\xff\xff\xff\x7f\x05\x00\x00\x00other\
    \x05\x02\x00\x00\x00\x08\x00\x00\x00Unsigned\x00\x00\x00\x00\x01 \x00\x03\x00\x02\x00\x04\x00\
    \x00\x00most\x03\x01\x00\x00\x00\x01\x00\xff\xff\xff\xff\x00\x00\x00\x00\x04\x00\x00\x00none\
    \x02\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Small\x00\x00\x00\x00\x01\
    \x08\x01\x03\x00\x02\x00\x05\x00\x00\x00least\x00\x01\x00\x80\xff\xff\xff\xff\xff\xff\xff\x04\
    \x00\x00\x00most\t@\x01\x00\x7f\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Truth\x00\x00\x00\
    \x00\x00\x03\x00\x02\x00\x03\x00\x00\x00yes\x02\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\
    \x00\x02\x00\x00\x00no\x01@\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00Letter\
    \x00\x00\x00\x00\x08\x03\x00\x02\x00\x04\x00\x00\x00most\x08\x01\x00\xff\x00\x00\x00\x00\x00\
    \x00\x00\x05\x00\x00\x00least\t \x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Alone\
    \x00\x00\x00\x00\x02\x00\x00\x03\x00\x01\x00\x05\x00\x00\x00piece\x04\x01\x00\x00\x00\x01\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x07\x00\x00\x00Nothing\x00\x00\x00\x00\x00\x00\x04\
    \x00\x00\x00Much\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00text\x03\x00 \x00\x00\x02\x00\x04\x00\
    \x00\x00None\x00\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x00Extremes\x00\x00\x00\x00\x01\x00\
    \x00\x00\x1f\x00\x07\x00\x00\x00numbers\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0b\
    \x00\x01\x00\x00\x00a\x01\x01\x08\x01\x01\x00\x00\x00b\x01\x01\x08\x00\x01\x00\x00\x00c\x01\
    \x01\x10\x01\x01\x00\x00\x00d\x01\x01\x10\x00\x01\x00\x00\x00e\x01\x01 \x01\x01\x00\x00\x00f\
    \x01\x01 \x00\x01\x00\x00\x00g\x01\x01@\x01\x01\x00\x00\x00h\x01\x01@\x00\x01\x00\x00\x00i\x01\
    \x08\x01\x00\x00\x00j\x01\t \x01\x00\x00\x00k\x01\t@\x04\x00\x00\x00only\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x02\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x02\x00\x00\x01\x00\x00\x00\
    b\x02\x02\x00\x00\x04\x00\x00\x00many\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\
    \x01\x00\x00\x00a\x00\x0b \x00\x00\x00\x01@\x01\x01\x00\x00\x00b\x02\x0b \x00\x00\x00\x01@\x01\
    \x04\x00\x00\x00same\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\
    \x01\x0b@\x00\x00\x00\x01@\x01\x04\x00\x00\x00last\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\
    \x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x0b?\x00\x00\x00\x01@\x01\x05\x00\x00\x00first\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x05\x00\x00\x06\x00\
    \x00\x00letter\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\x01\x00\x00\x00\x00\x00\x01\x00\x01\
    \x00\x00\x00a\x00\x03\x01\x00\x00\x00\x04\x00\x00\x00text\x00\x00\x00\x00\x00\x00\x00\x00@\x00\
    \x03\x00\x00@\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x03\x00\x00@\x00\x05\x00\x00\x00piece\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\x04\x01\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\
    \x04\x01\x00\x00\x00\x05\x00\x00\x00bytes\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x04\x00\x00@\
    \x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x04\x00\x00@\x00\x05\x00\x00\x00count\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x01 \x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x04\x00\x00@\x00\x04\
    \x00\x00\x00make\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x01\x00\x00\x02\x00\x01\x00\x00\x00\
    a\x00\x01@\x01\x01\x00\x00\x00b\x02\x04\x00\x00@\x00\x04\x00\x00\x00made\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x01@\x01\x01\x00\x00\x00b\
    \x02\x03\x00\x00@\x00\x05\x00\x00\x00block\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x01\x00\
    \x00\x00\x01\x00\x01\x00\x00\x00a\x00\x05\x01\x00\x07\x00\x00\x00letters\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x0b \x00\x00\x00\x03\x01\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\
    \x0b \x00\x00\x00\x03\x01\x00\x00\x00\x05\x00\x00\x00longs\x00\x00\x00\x00\x00\x00\x00\x00@\
    \x00\x06\x00\x00\x01\x00\x01@\x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x00\x00\x01\x00\x01\
    @\x01\x06\x00\x00\x00truths\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x01\x00\x00\x00\x00\x00\
    \x00\x01\x00\x01\x00\x00\x00a\x00\x06\x01\x00\x00\x00\x00\x05\x00\x00\x00texts\x00\x00\x00\x00\
    \x00\x00\x00\x00@\x00\x06\x00\x00\x01\x00\x03\x01\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\
    \x00\x06\x00\x00\x01\x00\x03\x01\x00\x00\x00\x05\x00\x00\x00tomes\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x06\x02\x00\x00\x00\x03\x00\x00@\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x02\
    \x00\x00\x00\x03\x00\x00@\x00\x05\x00\x00\x00mosts\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\
    \x04\x00\x00\x00\x05\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x04\x00\x00\x00\x05\x00\
    \x00\x06\x00\x00\x00blocks\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x05\x01\
    \x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x05\x01\x00\x04\x00\x00\x00wide\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\n\x00\x00\
    \t\x00\x00\x00unsigned_\x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x01\x00\x00\x00\x01\x00\x01\x00\
    \x00\x00a\x00\n\x01\x00\x05\x00\x00\x00small\x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x02\x00\
    \x00\x00\x01\x00\x01\x00\x00\x00a\x00\n\x02\x00\x05\x00\x00\x00truth\x00\x00\x00\x00\x00\x00\
    \x00\x00@\x00\n\x03\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\n\x03\x00\x07\x00\x00\x00letter_\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x04\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\n\x04\x00\
    \x05\x00\x00\x00alone\x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x05\x00\x00\x00\x01\x00\x01\x00\
    \x00\x00a\x00\n\x05\x00\x05\x00\x00\x00raise\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\
    \x00\x00\x01\x00\x01\x00\x04\x00\x00\x00text\x00\x03\x00 \x00\x00\x04\x00\x00\x00self\x00\x00\
    \x00\x00\x00\x00\x00\x00@\x00\x07\x01\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x07\x01\x00\x06\
    \x00\x00\x00selves\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x00\x00\x01\x00\x07\x01\x00\x00\
    \x00\x01\x00\x01\x00\x00\x00a\x00\x06\x00\x00\x01\x00\x07\x01\x00\x04\x00\x00\x00tell\x00\x00\
    \x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x03\x00\x00@\x00\
    ";

/// The constant `A_MIN`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const A_MIN: i8 = -128;

/// The constant `A_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const A_MAX: i8 = 127;

/// The constant `B_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const B_MAX: u8 = 255;

/// The constant `C_MIN`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const C_MIN: i16 = -32768;

/// The constant `D_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const D_MAX: u16 = 65535;

/// The constant `E_MIN`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const E_MIN: i32 = -2147483648;

/// The constant `F_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const F_MAX: u32 = 4294967295;

/// The constant `G_MIN`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const G_MIN: i64 = -9223372036854775808;

/// The constant `G_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const G_MAX: i64 = 9223372036854775807;

/// The constant `H_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const H_MAX: u64 = 18446744073709551615;

/// The constant `J_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const J_MAX: f32 = 3.4028235e38;

/// The constant `J_LEAST`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const J_LEAST: f32 = 1e-45;

/// The constant `K_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const K_MAX: f64 = 1.7976931348623157e308;

/// The constant `K_LEAST`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const K_LEAST: f64 = 5e-324;

/// The constant `I_MAX`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const I_MAX: u8 = b'\xff';

/// The constant `SILENCE`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const SILENCE: &str = "";

/// The enum `Only`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Only {
    /// `one`.
    One,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Only {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Only> {
        match word {
            0 => Some(Only::One),
            _ => None,
        }
    }

    /// Its number.
    #[must_use]
    pub const fn to_word(self) -> u64 {
        self as u64
    }

    /// Its name in the interface.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Only::One => "one",
        }
    }
}

/// As many words as an operation may have.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Most {
    /// `at`.
    pub at: [i64; 64],
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Most {
    fn read(words: &[u64; 64], _area: &stub::Area) -> Result<Most, stub::Wrong> {
        Ok(Most {
            at: [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed(), words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed(), words[63].cast_signed()],
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Most {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 64], stub::Wrong> {
        Ok([
            self.at[0].cast_unsigned(),
            self.at[1].cast_unsigned(),
            self.at[2].cast_unsigned(),
            self.at[3].cast_unsigned(),
            self.at[4].cast_unsigned(),
            self.at[5].cast_unsigned(),
            self.at[6].cast_unsigned(),
            self.at[7].cast_unsigned(),
            self.at[8].cast_unsigned(),
            self.at[9].cast_unsigned(),
            self.at[10].cast_unsigned(),
            self.at[11].cast_unsigned(),
            self.at[12].cast_unsigned(),
            self.at[13].cast_unsigned(),
            self.at[14].cast_unsigned(),
            self.at[15].cast_unsigned(),
            self.at[16].cast_unsigned(),
            self.at[17].cast_unsigned(),
            self.at[18].cast_unsigned(),
            self.at[19].cast_unsigned(),
            self.at[20].cast_unsigned(),
            self.at[21].cast_unsigned(),
            self.at[22].cast_unsigned(),
            self.at[23].cast_unsigned(),
            self.at[24].cast_unsigned(),
            self.at[25].cast_unsigned(),
            self.at[26].cast_unsigned(),
            self.at[27].cast_unsigned(),
            self.at[28].cast_unsigned(),
            self.at[29].cast_unsigned(),
            self.at[30].cast_unsigned(),
            self.at[31].cast_unsigned(),
            self.at[32].cast_unsigned(),
            self.at[33].cast_unsigned(),
            self.at[34].cast_unsigned(),
            self.at[35].cast_unsigned(),
            self.at[36].cast_unsigned(),
            self.at[37].cast_unsigned(),
            self.at[38].cast_unsigned(),
            self.at[39].cast_unsigned(),
            self.at[40].cast_unsigned(),
            self.at[41].cast_unsigned(),
            self.at[42].cast_unsigned(),
            self.at[43].cast_unsigned(),
            self.at[44].cast_unsigned(),
            self.at[45].cast_unsigned(),
            self.at[46].cast_unsigned(),
            self.at[47].cast_unsigned(),
            self.at[48].cast_unsigned(),
            self.at[49].cast_unsigned(),
            self.at[50].cast_unsigned(),
            self.at[51].cast_unsigned(),
            self.at[52].cast_unsigned(),
            self.at[53].cast_unsigned(),
            self.at[54].cast_unsigned(),
            self.at[55].cast_unsigned(),
            self.at[56].cast_unsigned(),
            self.at[57].cast_unsigned(),
            self.at[58].cast_unsigned(),
            self.at[59].cast_unsigned(),
            self.at[60].cast_unsigned(),
            self.at[61].cast_unsigned(),
            self.at[62].cast_unsigned(),
            self.at[63].cast_unsigned(),
        ])
    }
}

/// The struct `Bytes`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// `all`.
    pub all: [u8; 4096],
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Bytes {
    fn read(words: &[u64; 1], area: &stub::Area) -> Result<Bytes, stub::Wrong> {
        Ok(Bytes { all: stub::array(stub::field_bytes(area, words[0], 4096))? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Bytes {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([stub::add_bytes(area, &self.all, 4096)?])
    }
}

/// The struct `Inner`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// `one`.
    pub one: [u8; 1],
    /// `is_set`.
    pub is_set: bool,
}

/// The union `Wide`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wide {
    /// `least`.
    Least(i64),
    /// `bytes`.
    Bytes([u8; 4096]),
    /// `other`, with a discriminant that no other arm has.
    Other(i64, Inner),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Wide {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Wide::Least(value) => {
                Ok([9223372036854775808, (*value).cast_unsigned()])
            }
            Wide::Bytes(value) => {
                stub::bytes_word(0, value, 4096)?;
                Ok([9223372036854775807, 0])
            }
            Wide::Other(label, value) => {
                stub::bytes_word(0, &value.one, 1)?;
                Ok([
                    stub::label((*label).cast_unsigned(), &[], &[-9223372036854775808, 9223372036854775807])?,
                    u64::from(value.is_set),
                ])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Wide::Bytes(value), 0) => value,
            (Wide::Other(_, value), 0) => &value.one,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], parts: [Vec<u8>; 1]) -> Result<Wide, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            -9223372036854775808 => Ok(Wide::Least(words[1].cast_signed())),
            9223372036854775807 => Ok(Wide::Bytes(stub::array(stub::bytes_part(part0, 4096))?)),
            _ => Ok(Wide::Other(words[0].cast_signed(), Inner {
                one: stub::array(stub::bytes_part(part0, 1))?,
                is_set: stub::bool(words[1])?,
            })),
        }
    }
}

/// The union `Unsigned`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// `most`.
    Most(Vec<u8>),
    /// `none`.
    None(Only),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Unsigned {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Unsigned::Most(value) => {
                stub::string_word(0, value, 1)?;
                Ok([4294967295, 0])
            }
            Unsigned::None(value) => {
                Ok([0, (*value).to_word()])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Unsigned::Most(value), 0) => value,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], parts: [Vec<u8>; 1]) -> Result<Unsigned, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            4294967295 => Ok(Unsigned::Most(stub::string_part(part0, 1)?)),
            0 => Ok(Unsigned::None(Only::from_word(words[1]).ok_or(stub::Wrong::Value)?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Small`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub enum Small {
    /// `least`.
    Least(bool),
    /// `most`.
    Most(f64),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Small {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Small::Least(value) => {
                Ok([18446744073709551488, u64::from(*value)])
            }
            Small::Most(value) => {
                Ok([127, (*value).to_bits()])
            }
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], _: [Vec<u8>; 0]) -> Result<Small, stub::Wrong> {
        match words[0].cast_signed() {
            -128 => Ok(Small::Least(stub::bool(words[1])?)),
            127 => Ok(Small::Most(f64::from_bits(words[1]))),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Truth`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// `yes`.
    Yes(Only),
    /// `no`.
    No(u64),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Truth {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Truth::Yes(value) => {
                Ok([1, (*value).to_word()])
            }
            Truth::No(value) => {
                Ok([0, stub::u64_word(*value)?])
            }
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], _: [Vec<u8>; 0]) -> Result<Truth, stub::Wrong> {
        match words[0].cast_signed() {
            1 => Ok(Truth::Yes(Only::from_word(words[1]).ok_or(stub::Wrong::Value)?)),
            0 => Ok(Truth::No(stub::u64(words[1])?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Letter`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub enum Letter {
    /// `most`.
    Most(u8),
    /// `least`.
    Least(f32),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Letter {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Letter::Most(value) => {
                Ok([255, u64::from(*value)])
            }
            Letter::Least(value) => {
                Ok([0, u64::from((*value).to_bits())])
            }
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], _: [Vec<u8>; 0]) -> Result<Letter, stub::Wrong> {
        match words[0].cast_signed() {
            255 => Ok(Letter::Most(stub::int::<u8>(words[1])?)),
            0 => Ok(Letter::Least(stub::f32(words[1])?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Alone`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alone {
    /// `piece`.
    Piece(Vec<u8>),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Alone {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 1], stub::Wrong> {
        match self {
            Alone::Piece(value) => {
                stub::bytes_word(0, value, 1)?;
                Ok([0])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Alone::Piece(value), 0) => value,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 1], parts: [Vec<u8>; 1]) -> Result<Alone, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            0 => Ok(Alone::Piece(stub::bytes_part(part0, 1)?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The exception `Nothing`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nothing {
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Nothing {
    fn read(_words: &[u64; 0], _area: &stub::Area) -> Result<Nothing, stub::Wrong> {
        Ok(Nothing {})
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Nothing {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 0], stub::Wrong> {
        Ok([])
    }
}

impl ::std::fmt::Display for Nothing {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Nothing: {self:?}")
    }
}

impl ::std::error::Error for Nothing {}

impl From<Nothing> for stub::Failure {
    fn from(raised: Nothing) -> stub::Failure {
        stub::raised_members(0, "Nothing", &raised, Nothing::write)
    }
}

impl stub::Exception for Nothing {
    fn from_details(details: &stub::Details) -> Option<Nothing> {
        match stub::place(details) {
            0 => stub::members(details, Nothing::read),
            _ => None,
        }
    }
}

/// The exception `Much`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Much {
    /// `text`, at most 8192 bytes without NUL.
    pub text: Vec<u8>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Much {
    fn read(words: &[u64; 1], area: &stub::Area) -> Result<Much, stub::Wrong> {
        Ok(Much { text: stub::field_string(area, words[0], 8192)? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Much {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([stub::add_string(area, &self.text, 8192)?])
    }
}

impl ::std::fmt::Display for Much {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Much: {self:?}")
    }
}

impl ::std::error::Error for Much {}

impl From<Much> for stub::Failure {
    fn from(raised: Much) -> stub::Failure {
        stub::raised_members(0, "Much", &raised, Much::write)
    }
}

impl stub::Exception for Much {
    fn from_details(details: &stub::Details) -> Option<Much> {
        match stub::place(details) {
            0 => stub::members(details, Much::read),
            _ => None,
        }
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I64List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I64List<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, value: i64) -> bool {
        self.0.push(|_| Ok([value.cast_unsigned()]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct BoolList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BoolList<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, value: bool) -> bool {
        self.0.push(|_| Ok([u64::from(value)]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String1List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String1List<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, value: &[u8]) -> bool {
        self.0.push(|area| Ok([stub::add_string(area, value, 1)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String4194304List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String4194304List<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, value: &[u8]) -> bool {
        self.0.push(|area| Ok([stub::add_string(area, value, 4194304)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct MostList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl MostList<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, at: &[i64; 64]) -> bool {
        self.0.push(|_| {
            Ok([
                at[0].cast_unsigned(),
                at[1].cast_unsigned(),
                at[2].cast_unsigned(),
                at[3].cast_unsigned(),
                at[4].cast_unsigned(),
                at[5].cast_unsigned(),
                at[6].cast_unsigned(),
                at[7].cast_unsigned(),
                at[8].cast_unsigned(),
                at[9].cast_unsigned(),
                at[10].cast_unsigned(),
                at[11].cast_unsigned(),
                at[12].cast_unsigned(),
                at[13].cast_unsigned(),
                at[14].cast_unsigned(),
                at[15].cast_unsigned(),
                at[16].cast_unsigned(),
                at[17].cast_unsigned(),
                at[18].cast_unsigned(),
                at[19].cast_unsigned(),
                at[20].cast_unsigned(),
                at[21].cast_unsigned(),
                at[22].cast_unsigned(),
                at[23].cast_unsigned(),
                at[24].cast_unsigned(),
                at[25].cast_unsigned(),
                at[26].cast_unsigned(),
                at[27].cast_unsigned(),
                at[28].cast_unsigned(),
                at[29].cast_unsigned(),
                at[30].cast_unsigned(),
                at[31].cast_unsigned(),
                at[32].cast_unsigned(),
                at[33].cast_unsigned(),
                at[34].cast_unsigned(),
                at[35].cast_unsigned(),
                at[36].cast_unsigned(),
                at[37].cast_unsigned(),
                at[38].cast_unsigned(),
                at[39].cast_unsigned(),
                at[40].cast_unsigned(),
                at[41].cast_unsigned(),
                at[42].cast_unsigned(),
                at[43].cast_unsigned(),
                at[44].cast_unsigned(),
                at[45].cast_unsigned(),
                at[46].cast_unsigned(),
                at[47].cast_unsigned(),
                at[48].cast_unsigned(),
                at[49].cast_unsigned(),
                at[50].cast_unsigned(),
                at[51].cast_unsigned(),
                at[52].cast_unsigned(),
                at[53].cast_unsigned(),
                at[54].cast_unsigned(),
                at[55].cast_unsigned(),
                at[56].cast_unsigned(),
                at[57].cast_unsigned(),
                at[58].cast_unsigned(),
                at[59].cast_unsigned(),
                at[60].cast_unsigned(),
                at[61].cast_unsigned(),
                at[62].cast_unsigned(),
                at[63].cast_unsigned(),
            ])
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct BytesList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BytesList<'_> {
    /// Elements written so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing more can be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// Appends an element. False, with nothing changed, if there is no room for it, or if it breaks a
    /// bound: the call fails then.
    #[must_use]
    pub fn push(&mut self, all: &[u8; 4096]) -> bool {
        self.0.push(|area| Ok([stub::add_bytes(area, all, 4096)?]))
    }
}

/// What a service with the interface `None` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait NoneService: Send + Sync + 'static {
}

/// The interface `None`.
///
/// A portal on an object of a [`NoneService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct None_ {
    client: stub::Client,
}

impl stub::Interface for None_ {
    type Service = dyn NoneService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> None_ {
        None_ { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl None_ {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl NoneService) -> stub::Served<None_> {
        stub::serve::<NoneServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> None_ {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct NoneServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: NoneService> stub::Dispatch<S> for NoneServer {
    type Interface = None_;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<None_>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(_: &S, op: u16, _: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

/// What `Extremes.raise` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtremesRaiseError {
    /// `Nothing`.
    Nothing(Nothing),
    /// `Much`.
    Much(Much),
}

impl ::std::fmt::Display for ExtremesRaiseError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            ExtremesRaiseError::Nothing(raised) => raised.fmt(f),
            ExtremesRaiseError::Much(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for ExtremesRaiseError {}

impl From<Nothing> for ExtremesRaiseError {
    fn from(raised: Nothing) -> ExtremesRaiseError {
        ExtremesRaiseError::Nothing(raised)
    }
}

impl From<Much> for ExtremesRaiseError {
    fn from(raised: Much) -> ExtremesRaiseError {
        ExtremesRaiseError::Much(raised)
    }
}

impl From<ExtremesRaiseError> for stub::Failure {
    fn from(raised: ExtremesRaiseError) -> stub::Failure {
        match &raised {
            ExtremesRaiseError::Nothing(raised) => {
                stub::raised_members(0, "Nothing", raised, Nothing::write)
            }
            ExtremesRaiseError::Much(raised) => {
                stub::raised_members(1, "Much", raised, Much::write)
            }
        }
    }
}

impl stub::Exception for ExtremesRaiseError {
    fn from_details(details: &stub::Details) -> Option<ExtremesRaiseError> {
        match stub::place(details) {
            0 => stub::members(details, Nothing::read).map(ExtremesRaiseError::Nothing),
            1 => stub::members(details, Much::read).map(ExtremesRaiseError::Much),
            _ => None,
        }
    }
}

/// What a service with the interface `Extremes` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait ExtremesService: NoneService {
    /// The operation `numbers`.
    fn numbers(
        &self,
        caller: &stub::Caller,
        a: &mut i8,
        b: &mut u8,
        c: &mut i16,
        d: &mut u16,
        e: &mut i32,
        f: &mut u32,
        g: &mut i64,
        h: &mut u64,
        i: &mut u8,
        j: &mut f32,
        k: &mut f64,
    ) -> Result<(), stub::Failure>;

    /// The operation `only`.
    fn only(&self, caller: &stub::Caller, a: Only) -> Result<(Only, Only), stub::Failure>;

    /// The operation `many`.
    fn many(&self, caller: &stub::Caller, a: &[i64; 32]) -> Result<[i64; 32], stub::Failure>;

    /// The operation `same`.
    fn same(&self, caller: &stub::Caller, a: &mut [i64; 64]) -> Result<(), stub::Failure>;

    /// The operation `last`.
    fn last(&self, caller: &stub::Caller, a: &[i64; 63]) -> Result<i64, stub::Failure>;

    /// The operation `first`.
    fn first(&self, caller: &stub::Caller, a: &Most) -> Result<(), stub::Failure>;

    /// The operation `letter`.
    fn letter(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `text`.
    fn text(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `piece`.
    fn piece(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `bytes`.
    fn bytes(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `count`.
    fn count(&self, caller: &stub::Caller, a: &[u8]) -> Result<u32, stub::Failure>;

    /// The operation `make`.
    fn make(
        &self,
        caller: &stub::Caller,
        a: i64,
        b: &mut stub::BytesOut<'_>,
    ) -> Result<i64, stub::Failure>;

    /// The operation `made`.
    fn made(
        &self,
        caller: &stub::Caller,
        a: i64,
        b: &mut stub::BytesOut<'_>,
    ) -> Result<(), Nothing>;

    /// The operation `block`.
    fn block(&self, caller: &stub::Caller, a: &Bytes) -> Result<Bytes, stub::Failure>;

    /// The operation `letters`.
    fn letters(
        &self,
        caller: &stub::Caller,
        a: &[Vec<u8>; 32],
    ) -> Result<[Vec<u8>; 32], stub::Failure>;

    /// The operation `longs`.
    fn longs(
        &self,
        caller: &stub::Caller,
        a: &[i64],
        result: &mut I64List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `truths`.
    fn truths(
        &self,
        caller: &stub::Caller,
        a: &[bool],
        result: &mut BoolList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `texts`.
    fn texts(
        &self,
        caller: &stub::Caller,
        a: &[Vec<u8>],
        result: &mut String1List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `tomes`.
    fn tomes(
        &self,
        caller: &stub::Caller,
        a: &[Vec<u8>],
        result: &mut String4194304List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `mosts`.
    fn mosts(
        &self,
        caller: &stub::Caller,
        a: &[Most],
        result: &mut MostList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `blocks`.
    fn blocks(
        &self,
        caller: &stub::Caller,
        a: &[Bytes],
        result: &mut BytesList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `wide`.
    fn wide(&self, caller: &stub::Caller, a: &Wide) -> Result<Wide, stub::Failure>;

    /// The operation `unsigned_`.
    fn unsigned_(&self, caller: &stub::Caller, a: &Unsigned) -> Result<Unsigned, stub::Failure>;

    /// The operation `small`.
    fn small(&self, caller: &stub::Caller, a: &Small) -> Result<Small, stub::Failure>;

    /// The operation `truth`.
    fn truth(&self, caller: &stub::Caller, a: &Truth) -> Result<Truth, stub::Failure>;

    /// The operation `letter_`.
    fn letter_(&self, caller: &stub::Caller, a: &Letter) -> Result<Letter, stub::Failure>;

    /// The operation `alone`.
    fn alone(&self, caller: &stub::Caller, a: &Alone) -> Result<Alone, stub::Failure>;

    /// The operation `raise`.
    fn raise(&self, caller: &stub::Caller, text: &[u8]) -> Result<(), ExtremesRaiseError>;

    /// The operation `self`.
    fn self_(
        &self,
        caller: &stub::Caller,
        a: stub::PortalIn<'_, Extremes>,
    ) -> Result<stub::Served<Extremes>, stub::Failure>;

    /// The operation `selves`.
    fn selves(
        &self,
        caller: &stub::Caller,
        a: &[stub::PortalIn<'_, Extremes>],
    ) -> Result<Vec<stub::Served<Extremes>>, stub::Failure>;

    /// The operation `tell`.
    fn tell(&self, caller: &stub::Caller, a: &[u8]) -> Result<(), stub::Failure>;
}

/// The interface `Extremes`.
///
/// A portal on an object of a [`ExtremesService`]. It does all that a [`None_`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Extremes {
    base: None_,
    near: stub::Nearby<Extremes>,
}

impl stub::Interface for Extremes {
    type Service = dyn ExtremesService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Extremes {
        Extremes { near: stub::Nearby::new(&client), base: None_::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Extremes {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ExtremesService) -> stub::Served<Extremes> {
        stub::serve::<ExtremesServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Extremes {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `numbers`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn numbers(
        &self,
        a: &mut i8,
        b: &mut u8,
        c: &mut i16,
        d: &mut u16,
        e: &mut i32,
        f: &mut u32,
        g: &mut i64,
        h: &mut u64,
        i: &mut u8,
        j: &mut f32,
        k: &mut f64,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            stub::word(*a),
            stub::word(*b),
            stub::word(*c),
            stub::word(*d),
            stub::word(*e),
            stub::word(*f),
            (*g).cast_unsigned(),
            stub::u64_word(*h).argument("Extremes.numbers", "h")?,
            u64::from(*i),
            u64::from((*j).to_bits()),
            (*k).to_bits(),
        ];
        self.client.call(0, &mut words, &[], &mut [], &[])?;
        let a_area = stub::int::<i8>(words[0]).reply("Extremes.numbers")?;
        let b_area = stub::int::<u8>(words[1]).reply("Extremes.numbers")?;
        let c_area = stub::int::<i16>(words[2]).reply("Extremes.numbers")?;
        let d_area = stub::int::<u16>(words[3]).reply("Extremes.numbers")?;
        let e_area = stub::int::<i32>(words[4]).reply("Extremes.numbers")?;
        let f_area = stub::int::<u32>(words[5]).reply("Extremes.numbers")?;
        let g_area = words[6].cast_signed();
        let h_area = stub::u64(words[7]).reply("Extremes.numbers")?;
        let i_area = stub::int::<u8>(words[8]).reply("Extremes.numbers")?;
        let j_area = stub::f32(words[9]).reply("Extremes.numbers")?;
        let k_area = f64::from_bits(words[10]);
        *a = a_area;
        *b = b_area;
        *c = c_area;
        *d = d_area;
        *e = e_area;
        *f = f_area;
        *g = g_area;
        *h = h_area;
        *i = i_area;
        *j = j_area;
        *k = k_area;
        Ok(())
    }

    /// The operation `only`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn only(&self, a: Only) -> Result<(Only, Only), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, b) = near.call(1, |service, caller| service.only(caller, a))?;
            return Ok((result, b));
        }
        stub::far(move || {
            let mut words = [a.to_word(), 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            let result = Only::from_word(words[1]).reply("Extremes.only")?;
            let b = Only::from_word(words[2]).reply("Extremes.only")?;
            Ok((result, b))
        })
    }

    /// The operation `many`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn many(&self, a: &[i64; 32]) -> Result<[i64; 32], stub::Failure> {
        let mut words = [
            a[0].cast_unsigned(),
            a[1].cast_unsigned(),
            a[2].cast_unsigned(),
            a[3].cast_unsigned(),
            a[4].cast_unsigned(),
            a[5].cast_unsigned(),
            a[6].cast_unsigned(),
            a[7].cast_unsigned(),
            a[8].cast_unsigned(),
            a[9].cast_unsigned(),
            a[10].cast_unsigned(),
            a[11].cast_unsigned(),
            a[12].cast_unsigned(),
            a[13].cast_unsigned(),
            a[14].cast_unsigned(),
            a[15].cast_unsigned(),
            a[16].cast_unsigned(),
            a[17].cast_unsigned(),
            a[18].cast_unsigned(),
            a[19].cast_unsigned(),
            a[20].cast_unsigned(),
            a[21].cast_unsigned(),
            a[22].cast_unsigned(),
            a[23].cast_unsigned(),
            a[24].cast_unsigned(),
            a[25].cast_unsigned(),
            a[26].cast_unsigned(),
            a[27].cast_unsigned(),
            a[28].cast_unsigned(),
            a[29].cast_unsigned(),
            a[30].cast_unsigned(),
            a[31].cast_unsigned(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
        ];
        self.client.call(2, &mut words, &[], &mut [], &[])?;
        let b =
            [words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed(), words[63].cast_signed()];
        Ok(b)
    }

    /// The operation `same`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn same(&self, a: &mut [i64; 64]) -> Result<(), stub::Failure> {
        let mut words = [
            a[0].cast_unsigned(),
            a[1].cast_unsigned(),
            a[2].cast_unsigned(),
            a[3].cast_unsigned(),
            a[4].cast_unsigned(),
            a[5].cast_unsigned(),
            a[6].cast_unsigned(),
            a[7].cast_unsigned(),
            a[8].cast_unsigned(),
            a[9].cast_unsigned(),
            a[10].cast_unsigned(),
            a[11].cast_unsigned(),
            a[12].cast_unsigned(),
            a[13].cast_unsigned(),
            a[14].cast_unsigned(),
            a[15].cast_unsigned(),
            a[16].cast_unsigned(),
            a[17].cast_unsigned(),
            a[18].cast_unsigned(),
            a[19].cast_unsigned(),
            a[20].cast_unsigned(),
            a[21].cast_unsigned(),
            a[22].cast_unsigned(),
            a[23].cast_unsigned(),
            a[24].cast_unsigned(),
            a[25].cast_unsigned(),
            a[26].cast_unsigned(),
            a[27].cast_unsigned(),
            a[28].cast_unsigned(),
            a[29].cast_unsigned(),
            a[30].cast_unsigned(),
            a[31].cast_unsigned(),
            a[32].cast_unsigned(),
            a[33].cast_unsigned(),
            a[34].cast_unsigned(),
            a[35].cast_unsigned(),
            a[36].cast_unsigned(),
            a[37].cast_unsigned(),
            a[38].cast_unsigned(),
            a[39].cast_unsigned(),
            a[40].cast_unsigned(),
            a[41].cast_unsigned(),
            a[42].cast_unsigned(),
            a[43].cast_unsigned(),
            a[44].cast_unsigned(),
            a[45].cast_unsigned(),
            a[46].cast_unsigned(),
            a[47].cast_unsigned(),
            a[48].cast_unsigned(),
            a[49].cast_unsigned(),
            a[50].cast_unsigned(),
            a[51].cast_unsigned(),
            a[52].cast_unsigned(),
            a[53].cast_unsigned(),
            a[54].cast_unsigned(),
            a[55].cast_unsigned(),
            a[56].cast_unsigned(),
            a[57].cast_unsigned(),
            a[58].cast_unsigned(),
            a[59].cast_unsigned(),
            a[60].cast_unsigned(),
            a[61].cast_unsigned(),
            a[62].cast_unsigned(),
            a[63].cast_unsigned(),
        ];
        self.client.call(3, &mut words, &[], &mut [], &[])?;
        let a_area =
            [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed(), words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed(), words[63].cast_signed()];
        *a = a_area;
        Ok(())
    }

    /// The operation `last`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn last(&self, a: &[i64; 63]) -> Result<i64, stub::Failure> {
        let mut words = [
            a[0].cast_unsigned(),
            a[1].cast_unsigned(),
            a[2].cast_unsigned(),
            a[3].cast_unsigned(),
            a[4].cast_unsigned(),
            a[5].cast_unsigned(),
            a[6].cast_unsigned(),
            a[7].cast_unsigned(),
            a[8].cast_unsigned(),
            a[9].cast_unsigned(),
            a[10].cast_unsigned(),
            a[11].cast_unsigned(),
            a[12].cast_unsigned(),
            a[13].cast_unsigned(),
            a[14].cast_unsigned(),
            a[15].cast_unsigned(),
            a[16].cast_unsigned(),
            a[17].cast_unsigned(),
            a[18].cast_unsigned(),
            a[19].cast_unsigned(),
            a[20].cast_unsigned(),
            a[21].cast_unsigned(),
            a[22].cast_unsigned(),
            a[23].cast_unsigned(),
            a[24].cast_unsigned(),
            a[25].cast_unsigned(),
            a[26].cast_unsigned(),
            a[27].cast_unsigned(),
            a[28].cast_unsigned(),
            a[29].cast_unsigned(),
            a[30].cast_unsigned(),
            a[31].cast_unsigned(),
            a[32].cast_unsigned(),
            a[33].cast_unsigned(),
            a[34].cast_unsigned(),
            a[35].cast_unsigned(),
            a[36].cast_unsigned(),
            a[37].cast_unsigned(),
            a[38].cast_unsigned(),
            a[39].cast_unsigned(),
            a[40].cast_unsigned(),
            a[41].cast_unsigned(),
            a[42].cast_unsigned(),
            a[43].cast_unsigned(),
            a[44].cast_unsigned(),
            a[45].cast_unsigned(),
            a[46].cast_unsigned(),
            a[47].cast_unsigned(),
            a[48].cast_unsigned(),
            a[49].cast_unsigned(),
            a[50].cast_unsigned(),
            a[51].cast_unsigned(),
            a[52].cast_unsigned(),
            a[53].cast_unsigned(),
            a[54].cast_unsigned(),
            a[55].cast_unsigned(),
            a[56].cast_unsigned(),
            a[57].cast_unsigned(),
            a[58].cast_unsigned(),
            a[59].cast_unsigned(),
            a[60].cast_unsigned(),
            a[61].cast_unsigned(),
            a[62].cast_unsigned(),
            0,
        ];
        self.client.call(4, &mut words, &[], &mut [], &[])?;
        let result = words[63].cast_signed();
        Ok(result)
    }

    /// The operation `first`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn first(&self, a: &Most) -> Result<(), stub::Failure> {
        let mut words = [
            a.at[0].cast_unsigned(),
            a.at[1].cast_unsigned(),
            a.at[2].cast_unsigned(),
            a.at[3].cast_unsigned(),
            a.at[4].cast_unsigned(),
            a.at[5].cast_unsigned(),
            a.at[6].cast_unsigned(),
            a.at[7].cast_unsigned(),
            a.at[8].cast_unsigned(),
            a.at[9].cast_unsigned(),
            a.at[10].cast_unsigned(),
            a.at[11].cast_unsigned(),
            a.at[12].cast_unsigned(),
            a.at[13].cast_unsigned(),
            a.at[14].cast_unsigned(),
            a.at[15].cast_unsigned(),
            a.at[16].cast_unsigned(),
            a.at[17].cast_unsigned(),
            a.at[18].cast_unsigned(),
            a.at[19].cast_unsigned(),
            a.at[20].cast_unsigned(),
            a.at[21].cast_unsigned(),
            a.at[22].cast_unsigned(),
            a.at[23].cast_unsigned(),
            a.at[24].cast_unsigned(),
            a.at[25].cast_unsigned(),
            a.at[26].cast_unsigned(),
            a.at[27].cast_unsigned(),
            a.at[28].cast_unsigned(),
            a.at[29].cast_unsigned(),
            a.at[30].cast_unsigned(),
            a.at[31].cast_unsigned(),
            a.at[32].cast_unsigned(),
            a.at[33].cast_unsigned(),
            a.at[34].cast_unsigned(),
            a.at[35].cast_unsigned(),
            a.at[36].cast_unsigned(),
            a.at[37].cast_unsigned(),
            a.at[38].cast_unsigned(),
            a.at[39].cast_unsigned(),
            a.at[40].cast_unsigned(),
            a.at[41].cast_unsigned(),
            a.at[42].cast_unsigned(),
            a.at[43].cast_unsigned(),
            a.at[44].cast_unsigned(),
            a.at[45].cast_unsigned(),
            a.at[46].cast_unsigned(),
            a.at[47].cast_unsigned(),
            a.at[48].cast_unsigned(),
            a.at[49].cast_unsigned(),
            a.at[50].cast_unsigned(),
            a.at[51].cast_unsigned(),
            a.at[52].cast_unsigned(),
            a.at[53].cast_unsigned(),
            a.at[54].cast_unsigned(),
            a.at[55].cast_unsigned(),
            a.at[56].cast_unsigned(),
            a.at[57].cast_unsigned(),
            a.at[58].cast_unsigned(),
            a.at[59].cast_unsigned(),
            a.at[60].cast_unsigned(),
            a.at[61].cast_unsigned(),
            a.at[62].cast_unsigned(),
            a.at[63].cast_unsigned(),
        ];
        self.client.call(5, &mut words, &[], &mut [], &[])?;
        Ok(())
    }

    /// The operation `letter`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn letter(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.letter_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `letter`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn letter_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded_string(a, 1).argument("Extremes.letter", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 1);
            near.call(6, |service, caller| service.letter(caller, a, &mut result_area))?;
            result_area.finish_string("Extremes.letter")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, a, 1).argument("Extremes.letter", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(6, &mut words, a, result)?;
            stub::bounded_string(result, 1).reply("Extremes.letter")?;
            Ok(())
        })
    }

    /// The operation `text`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn text(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.text_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `text`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn text_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded_string(a, 4194304).argument("Extremes.text", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 4194304);
            near.call(7, |service, caller| service.text(caller, a, &mut result_area))?;
            result_area.finish_string("Extremes.text")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, a, 4194304).argument("Extremes.text", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(7, &mut words, a, result)?;
            stub::bounded_string(result, 4194304).reply("Extremes.text")?;
            Ok(())
        })
    }

    /// The operation `piece`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn piece(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.piece_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `piece`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn piece_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 1).argument("Extremes.piece", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 1);
            near.call(8, |service, caller| service.piece(caller, a, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, a, 1).argument("Extremes.piece", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(8, &mut words, a, result)?;
            stub::bounded(result, 1).reply("Extremes.piece")?;
            Ok(())
        })
    }

    /// The operation `bytes`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn bytes(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.bytes_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `bytes`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn bytes_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 4194304).argument("Extremes.bytes", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 4194304);
            near.call(9, |service, caller| service.bytes(caller, a, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, a, 4194304).argument("Extremes.bytes", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short_out(9, &mut words, a, result)?;
            stub::bounded(result, 4194304).reply("Extremes.bytes")?;
            Ok(())
        })
    }

    /// The operation `count`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn count(&self, a: &[u8]) -> Result<u32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 4194304).argument("Extremes.count", "a")?;
            let result = near.call(10, |service, caller| service.count(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                stub::bytes_word(0, a, 4194304).argument("Extremes.count", "a")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(10, &mut words, a)?;
            let result = stub::int::<u32>(words[1]).reply("Extremes.count")?;
            Ok(result)
        })
    }

    /// The operation `make`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn make(&self, a: i64) -> Result<(i64, Vec<u8>), stub::Failure> {
        let mut b = Vec::new();
        let result = self.make_into(a, &mut b)?;
        Ok((result, b))
    }

    /// The operation `make`, with `b` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn make_into(&self, a: i64, b: &mut Vec<u8>) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            b.clear();
            let mut b_area = stub::BytesOut::new(b, 4194304);
            let result = near.call(11, |service, caller| service.make(caller, a, &mut b_area))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [a.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short_out(11, &mut words, &[], b)?;
            stub::bounded(b, 4194304).reply("Extremes.make")?;
            let result = words[1].cast_signed();
            Ok(result)
        })
    }

    /// The operation `made`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn made(&self, a: i64) -> Result<Vec<u8>, stub::CallError<Nothing>> {
        let mut b = Vec::new();
        self.made_into(a, &mut b)?;
        Ok(b)
    }

    /// The operation `made`, with `b` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn made_into(&self, a: i64, b: &mut Vec<u8>) -> Result<(), stub::CallError<Nothing>> {
        if let Some(near) = self.near.get() {
            b.clear();
            let mut b_area = stub::BytesOut::new(b, 4194304);
            near.call(12, |service, caller| service.made(caller, a, &mut b_area))?;
            b_area.finish_string("Extremes.made")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [a.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short_out(12, &mut words, &[], b)?;
            stub::bounded_string(b, 4194304).reply("Extremes.made")?;
            Ok(())
        })
    }

    /// The operation `block`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn block(&self, a: &Bytes) -> Result<Bytes, stub::Failure> {
        let mut words = [
            stub::bytes_word(0, &a.all, 4096).argument("Extremes.block", "a")?,
            stub::area(1),
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(13, &mut words, &[stub::Input::Bytes(&a.all)], &mut outputs, &[])?;
        let result = Bytes {
            all: stub::array(stub::bytes_output(&mut outputs[0], 4096)).reply("Extremes.block")?,
        };
        Ok(result)
    }

    /// The operation `letters`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn letters(&self, a: &[Vec<u8>; 32]) -> Result<[Vec<u8>; 32], stub::Failure> {
        let mut words = [
            stub::string_word(0, &a[0], 1).argument("Extremes.letters", "a")?,
            stub::string_word(1, &a[1], 1).argument("Extremes.letters", "a")?,
            stub::string_word(2, &a[2], 1).argument("Extremes.letters", "a")?,
            stub::string_word(3, &a[3], 1).argument("Extremes.letters", "a")?,
            stub::string_word(4, &a[4], 1).argument("Extremes.letters", "a")?,
            stub::string_word(5, &a[5], 1).argument("Extremes.letters", "a")?,
            stub::string_word(6, &a[6], 1).argument("Extremes.letters", "a")?,
            stub::string_word(7, &a[7], 1).argument("Extremes.letters", "a")?,
            stub::string_word(8, &a[8], 1).argument("Extremes.letters", "a")?,
            stub::string_word(9, &a[9], 1).argument("Extremes.letters", "a")?,
            stub::string_word(10, &a[10], 1).argument("Extremes.letters", "a")?,
            stub::string_word(11, &a[11], 1).argument("Extremes.letters", "a")?,
            stub::string_word(12, &a[12], 1).argument("Extremes.letters", "a")?,
            stub::string_word(13, &a[13], 1).argument("Extremes.letters", "a")?,
            stub::string_word(14, &a[14], 1).argument("Extremes.letters", "a")?,
            stub::string_word(15, &a[15], 1).argument("Extremes.letters", "a")?,
            stub::string_word(16, &a[16], 1).argument("Extremes.letters", "a")?,
            stub::string_word(17, &a[17], 1).argument("Extremes.letters", "a")?,
            stub::string_word(18, &a[18], 1).argument("Extremes.letters", "a")?,
            stub::string_word(19, &a[19], 1).argument("Extremes.letters", "a")?,
            stub::string_word(20, &a[20], 1).argument("Extremes.letters", "a")?,
            stub::string_word(21, &a[21], 1).argument("Extremes.letters", "a")?,
            stub::string_word(22, &a[22], 1).argument("Extremes.letters", "a")?,
            stub::string_word(23, &a[23], 1).argument("Extremes.letters", "a")?,
            stub::string_word(24, &a[24], 1).argument("Extremes.letters", "a")?,
            stub::string_word(25, &a[25], 1).argument("Extremes.letters", "a")?,
            stub::string_word(26, &a[26], 1).argument("Extremes.letters", "a")?,
            stub::string_word(27, &a[27], 1).argument("Extremes.letters", "a")?,
            stub::string_word(28, &a[28], 1).argument("Extremes.letters", "a")?,
            stub::string_word(29, &a[29], 1).argument("Extremes.letters", "a")?,
            stub::string_word(30, &a[30], 1).argument("Extremes.letters", "a")?,
            stub::string_word(31, &a[31], 1).argument("Extremes.letters", "a")?,
            stub::area(32),
            stub::area(33),
            stub::area(34),
            stub::area(35),
            stub::area(36),
            stub::area(37),
            stub::area(38),
            stub::area(39),
            stub::area(40),
            stub::area(41),
            stub::area(42),
            stub::area(43),
            stub::area(44),
            stub::area(45),
            stub::area(46),
            stub::area(47),
            stub::area(48),
            stub::area(49),
            stub::area(50),
            stub::area(51),
            stub::area(52),
            stub::area(53),
            stub::area(54),
            stub::area(55),
            stub::area(56),
            stub::area(57),
            stub::area(58),
            stub::area(59),
            stub::area(60),
            stub::area(61),
            stub::area(62),
            stub::area(63),
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(
            14,
            &mut words,
            &[stub::Input::Bytes(&a[0]), stub::Input::Bytes(&a[1]), stub::Input::Bytes(&a[2]), stub::Input::Bytes(&a[3]), stub::Input::Bytes(&a[4]), stub::Input::Bytes(&a[5]), stub::Input::Bytes(&a[6]), stub::Input::Bytes(&a[7]), stub::Input::Bytes(&a[8]), stub::Input::Bytes(&a[9]), stub::Input::Bytes(&a[10]), stub::Input::Bytes(&a[11]), stub::Input::Bytes(&a[12]), stub::Input::Bytes(&a[13]), stub::Input::Bytes(&a[14]), stub::Input::Bytes(&a[15]), stub::Input::Bytes(&a[16]), stub::Input::Bytes(&a[17]), stub::Input::Bytes(&a[18]), stub::Input::Bytes(&a[19]), stub::Input::Bytes(&a[20]), stub::Input::Bytes(&a[21]), stub::Input::Bytes(&a[22]), stub::Input::Bytes(&a[23]), stub::Input::Bytes(&a[24]), stub::Input::Bytes(&a[25]), stub::Input::Bytes(&a[26]), stub::Input::Bytes(&a[27]), stub::Input::Bytes(&a[28]), stub::Input::Bytes(&a[29]), stub::Input::Bytes(&a[30]), stub::Input::Bytes(&a[31])],
            &mut outputs,
            &[],
        )?;
        let result = [stub::string_output(&mut outputs[0], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[1], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[2], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[3], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[4], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[5], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[6], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[7], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[8], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[9], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[10], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[11], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[12], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[13], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[14], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[15], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[16], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[17], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[18], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[19], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[20], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[21], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[22], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[23], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[24], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[25], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[26], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[27], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[28], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[29], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[30], 1).reply("Extremes.letters")?, stub::string_output(&mut outputs[31], 1)
            .reply("Extremes.letters")?];
        Ok(result)
    }

    /// The operation `longs`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn longs(&self, a: &[i64]) -> Result<Vec<i64>, stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([each.cast_unsigned()]))
            .argument("Extremes.longs", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(15, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| Ok(words[0].cast_signed()))
            .reply("Extremes.longs")?;
        Ok(result)
    }

    /// The operation `longs`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn longs_into(&self, a: &[i64], result: &mut Vec<i64>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |&each, _| Ok([each.cast_unsigned()]))
            .argument("Extremes.longs", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(15, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| Ok(words[0].cast_signed()),
            result,
        ).reply("Extremes.longs")?;
        Ok(())
    }

    /// The operation `truths`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn truths(&self, a: &[bool]) -> Result<Vec<bool>, stub::Failure> {
        let a_area = stub::list_area(a, 1, |&each, _| Ok([u64::from(each)]))
            .argument("Extremes.truths", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(16, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 1, |words: &[u64; 1], _| stub::bool(words[0]))
            .reply("Extremes.truths")?;
        Ok(result)
    }

    /// The operation `truths`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn truths_into(&self, a: &[bool], result: &mut Vec<bool>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 1, |&each, _| Ok([u64::from(each)]))
            .argument("Extremes.truths", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(16, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            1,
            |words: &[u64; 1], _| stub::bool(words[0]),
            result,
        ).reply("Extremes.truths")?;
        Ok(())
    }

    /// The operation `texts`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn texts(&self, a: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, stub::Failure> {
        let a_area = stub::list_area(a, 65536, |each, area| Ok([stub::add_string(area, each, 1)?]))
            .argument("Extremes.texts", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(17, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 1))
            .reply("Extremes.texts")?;
        Ok(result)
    }

    /// The operation `texts`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn texts_into(
        &self,
        a: &[Vec<u8>],
        result: &mut Vec<Vec<u8>>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 65536, |each, area| Ok([stub::add_string(area, each, 1)?]))
            .argument("Extremes.texts", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(17, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 1),
            result,
        ).reply("Extremes.texts")?;
        Ok(())
    }

    /// The operation `tomes`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tomes(&self, a: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, stub::Failure> {
        let a_area = stub::list_area(a, 2, |each, area| Ok([stub::add_string(area, each, 4194304)?]))
            .argument("Extremes.tomes", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(18, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 2, |words: &[u64; 1], area| stub::field_string(area, words[0], 4194304))
            .reply("Extremes.tomes")?;
        Ok(result)
    }

    /// The operation `tomes`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tomes_into(
        &self,
        a: &[Vec<u8>],
        result: &mut Vec<Vec<u8>>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 2, |each, area| Ok([stub::add_string(area, each, 4194304)?]))
            .argument("Extremes.tomes", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(18, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            2,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 4194304),
            result,
        ).reply("Extremes.tomes")?;
        Ok(())
    }

    /// The operation `mosts`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn mosts(&self, a: &[Most]) -> Result<Vec<Most>, stub::Failure> {
        let a_area = stub::list_area(a, 4, Most::write).argument("Extremes.mosts", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(19, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 4, Most::read).reply("Extremes.mosts")?;
        Ok(result)
    }

    /// The operation `mosts`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn mosts_into(&self, a: &[Most], result: &mut Vec<Most>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 4, Most::write).argument("Extremes.mosts", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(19, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 4, Most::read, result).reply("Extremes.mosts")?;
        Ok(())
    }

    /// The operation `blocks`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn blocks(&self, a: &[Bytes]) -> Result<Vec<Bytes>, stub::Failure> {
        let a_area = stub::list_area(a, 3, Bytes::write).argument("Extremes.blocks", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(20, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, Bytes::read).reply("Extremes.blocks")?;
        Ok(result)
    }

    /// The operation `blocks`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn blocks_into(&self, a: &[Bytes], result: &mut Vec<Bytes>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, Bytes::write).argument("Extremes.blocks", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(20, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 3, Bytes::read, result).reply("Extremes.blocks")?;
        Ok(())
    }

    /// The operation `wide`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn wide(&self, a: &Wide) -> Result<Wide, stub::Failure> {
        let mut words = [
            0,
            0,
            stub::bytes_word(0, a.part(0), 4096).argument("Extremes.wide", "a")?,
            0,
            0,
            stub::area(1),
        ];
        words[0..2].copy_from_slice(&a.words().argument("Extremes.wide", "a")?);
        let mut outputs = [stub::Area::default()];
        self.client.call(21, &mut words, &[stub::Input::Bytes(a.part(0))], &mut outputs, &[])?;
        let result = Wide::read([words[3], words[4]], [stub::bytes_output(&mut outputs[0], 4096).reply("Extremes.wide")?])
            .reply("Extremes.wide")?;
        Ok(result)
    }

    /// The operation `unsigned_`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn unsigned_(&self, a: &Unsigned) -> Result<Unsigned, stub::Failure> {
        let mut words = [
            0,
            0,
            stub::bytes_word(0, a.part(0), 1).argument("Extremes.unsigned_", "a")?,
            0,
            0,
            stub::area(1),
        ];
        words[0..2].copy_from_slice(&a.words().argument("Extremes.unsigned_", "a")?);
        let mut outputs = [stub::Area::default()];
        self.client.call(22, &mut words, &[stub::Input::Bytes(a.part(0))], &mut outputs, &[])?;
        let result = Unsigned::read([words[3], words[4]], [stub::bytes_output(&mut outputs[0], 1).reply("Extremes.unsigned_")?])
            .reply("Extremes.unsigned_")?;
        Ok(result)
    }

    /// The operation `small`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn small(&self, a: &Small) -> Result<Small, stub::Failure> {
        let mut words = [0, 0, 0, 0];
        words[0..2].copy_from_slice(&a.words().argument("Extremes.small", "a")?);
        self.client.call(23, &mut words, &[], &mut [], &[])?;
        let result = Small::read([words[2], words[3]], []).reply("Extremes.small")?;
        Ok(result)
    }

    /// The operation `truth`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn truth(&self, a: &Truth) -> Result<Truth, stub::Failure> {
        let mut words = [0, 0, 0, 0];
        words[0..2].copy_from_slice(&a.words().argument("Extremes.truth", "a")?);
        self.client.call(24, &mut words, &[], &mut [], &[])?;
        let result = Truth::read([words[2], words[3]], []).reply("Extremes.truth")?;
        Ok(result)
    }

    /// The operation `letter_`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn letter_(&self, a: &Letter) -> Result<Letter, stub::Failure> {
        let mut words = [0, 0, 0, 0];
        words[0..2].copy_from_slice(&a.words().argument("Extremes.letter_", "a")?);
        self.client.call(25, &mut words, &[], &mut [], &[])?;
        let result = Letter::read([words[2], words[3]], []).reply("Extremes.letter_")?;
        Ok(result)
    }

    /// The operation `alone`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn alone(&self, a: &Alone) -> Result<Alone, stub::Failure> {
        let mut words = [
            0,
            stub::bytes_word(0, a.part(0), 1).argument("Extremes.alone", "a")?,
            0,
            stub::area(1),
        ];
        words[0..1].copy_from_slice(&a.words().argument("Extremes.alone", "a")?);
        let mut outputs = [stub::Area::default()];
        self.client.call(26, &mut words, &[stub::Input::Bytes(a.part(0))], &mut outputs, &[])?;
        let result = Alone::read([words[2]], [stub::bytes_output(&mut outputs[0], 1).reply("Extremes.alone")?])
            .reply("Extremes.alone")?;
        Ok(result)
    }

    /// The operation `raise`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn raise(&self, text: &[u8]) -> Result<(), stub::CallError<ExtremesRaiseError>> {
        if let Some(near) = self.near.get() {
            let text = stub::bounded_string(text, 8192).argument("Extremes.raise", "text")?;
            near.call(27, |service, caller| service.raise(caller, text))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::string_word(0, text, 8192).argument("Extremes.raise", "text")?,
                0,
                0,
                0,
                0,
                0,
            ];
            self.client.short(27, &mut words, text)?;
            Ok(())
        })
    }

    /// The operation `self`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn self_(&self, a: &Extremes) -> Result<Extremes, stub::Failure> {
        let mut words = [0, 0];
        let made = self.client.call(28, &mut words, &[], &mut [], &[a.portal()])?;
        let result = Extremes::from_portal(stub::made(&made, words[1]).reply("Extremes.self")?);
        Ok(result)
    }

    /// The operation `selves`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn selves(&self, a: &[Extremes]) -> Result<Vec<Extremes>, stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 65536, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Extremes.selves", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            29,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        let result = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| Ok(Extremes::from_portal(stub::made(&made, words[0])?)))
            .reply("Extremes.selves")?;
        Ok(result)
    }

    /// The operation `selves`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn selves_into(
        &self,
        a: &[Extremes],
        result: &mut Vec<Extremes>,
    ) -> Result<(), stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 65536, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Extremes.selves", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            29,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| Ok(Extremes::from_portal(stub::made(&made, words[0])?)),
            result,
        ).reply("Extremes.selves")?;
        Ok(())
    }

    /// The operation `tell`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tell(&self, a: &[u8]) -> Result<(), stub::Failure> {
        let mut words = [stub::string_word(0, a, 4194304).argument("Extremes.tell", "a")?];
        self.client.call(30, &mut words, &[stub::Input::Bytes(a)], &mut [], &[])?;
        Ok(())
    }
}

impl ::std::ops::Deref for Extremes {
    type Target = None_;

    fn deref(&self) -> &None_ {
        &self.base
    }
}

impl stub::Extends<None_> for Extremes {
    fn to_base(&self) -> None_ {
        None_::from_portal(self.portal().clone())
    }
}

/// An object of a [`ExtremesService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExtremesAt(pub stub::Number);

impl From<stub::Number> for ExtremesAt {
    fn from(number: stub::Number) -> ExtremesAt {
        ExtremesAt(number)
    }
}

impl From<ExtremesAt> for stub::Number {
    fn from(at: ExtremesAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ExtremesAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl ExtremesService) -> stub::Kept<ExtremesAt> {
        stub::keep::<ExtremesServer, _, _>(service)
    }

    /// The operation `only`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn only(
        self,
        channel: &mut impl stub::Channel,
        a: Only,
    ) -> Result<(Only, Only), stub::Failure> {
        let (result, b) = stub::call::<Extremes, 1>(self.0, channel, 1, [a.to_word()])?;
        let result = Only::from_word(result.cast_unsigned()).reply("Extremes.only")?;
        let b = Only::from_word(b.cast_unsigned()).reply("Extremes.only")?;
        Ok((result, b))
    }

    /// The operation `count`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn count(self, channel: &mut impl stub::Channel, a: &[u8]) -> Result<u32, stub::Failure> {
        let place = &mut 0;
        let result = stub::call_in::<Extremes, 5, 5, 5, 0>(self.0, channel, 10, 0, place, 0, a)?;
        let result = stub::int::<u32>(result.cast_unsigned()).reply("Extremes.count")?;
        Ok(result)
    }

    /// The operation `make`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn make<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        a: i64,
    ) -> Result<(i64, &'c [u8]), stub::Failure> {
        let place = &mut 0;
        let result = stub::call_out::<Extremes, 0, 5, 5>(
            self.0,
            channel,
            11,
            a.cast_unsigned(),
            place,
            0,
        )?;
        let b = stub::bounded(stub::Channel::reply(channel), 4194304).reply("Extremes.make")?;
        Ok((result, b))
    }

    /// The operation `made`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn made<'c>(
        self,
        channel: &'c mut impl stub::Channel,
        a: i64,
    ) -> Result<&'c [u8], stub::CallError<Nothing>> {
        let place = &mut 0;
        stub::call_out::<Extremes, 0, 5, 5>(self.0, channel, 12, a.cast_unsigned(), place, 0)?;
        let b =
            stub::bounded_string(stub::Channel::reply(channel), 4194304).reply("Extremes.made")?;
        Ok(b)
    }

    /// The operation `raise`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn raise(
        self,
        channel: &mut impl stub::Channel,
        text: &[u8],
    ) -> Result<(), stub::CallError<ExtremesRaiseError>> {
        let place = &mut 0;
        stub::call_in::<Extremes, 5, 5, 5, 0>(self.0, channel, 27, 0, place, 0, text)?;
        Ok(())
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct ExtremesServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: ExtremesService> stub::Dispatch<S> for ExtremesServer {
    type Interface = Extremes;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<Extremes>(place, ::std::sync::Arc::<S>::clone(service)) {
            NoneServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
            5 => Self::op_5(service, call),
            6 => {
                let mut area = call.take(1)?;
                let piece =
                    stub::piece(call.areas, call.words, 0).argument("Extremes.letter", "a")?;
                Self::op_6(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            7 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Extremes.text", "a")?;
                Self::op_7(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            8 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Extremes.piece", "a")?;
                Self::op_8(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            9 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Extremes.bytes", "a")?;
                Self::op_9(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            10 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("Extremes.count", "a")?;
                Self::op_10(service, call.caller, stub::block(call.words)?, piece)
            }
            11 => {
                let mut area = call.take(2)?;
                Self::op_11(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(2, area)
            }
            12 => {
                let mut area = call.take(1)?;
                Self::op_12(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(1, area)
            }
            13 => Self::op_13(service, call),
            14 => Self::op_14(service, call),
            15 => Self::op_15(service, call),
            16 => Self::op_16(service, call),
            17 => Self::op_17(service, call),
            18 => Self::op_18(service, call),
            19 => Self::op_19(service, call),
            20 => Self::op_20(service, call),
            21 => Self::op_21(service, call),
            22 => Self::op_22(service, call),
            23 => Self::op_23(service, call),
            24 => Self::op_24(service, call),
            25 => Self::op_25(service, call),
            26 => Self::op_26(service, call),
            27 => {
                let piece =
                    stub::piece(call.areas, call.words, 0).argument("Extremes.raise", "text")?;
                Self::op_27(service, call.caller, stub::block(call.words)?, piece)
            }
            28 => Self::op_28(service, call),
            29 => Self::op_29(service, call),
            30 => {
                let piece = stub::piece(call.areas, call.words, 0).argument("Extremes.tell", "a")?;
                Self::op_30(service, call.caller, stub::block(call.words)?, piece)
            }
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
    ) -> Result<(), stub::Failure> {
        match op {
            1 => Self::op_1(service, caller, stub::head(words)?),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        match op {
            10 => Self::op_10(service, caller, stub::head(words)?, piece),
            27 => Self::op_27(service, caller, stub::head(words)?, piece),
            30 => Self::op_30(service, caller, stub::head(words)?, piece),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        match op {
            6 => Self::op_6(service, caller, stub::head(words)?, piece, out),
            7 => Self::op_7(service, caller, stub::head(words)?, piece, out),
            8 => Self::op_8(service, caller, stub::head(words)?, piece, out),
            9 => Self::op_9(service, caller, stub::head(words)?, piece, out),
            11 => Self::op_11(service, caller, stub::head(words)?, out),
            12 => Self::op_12(service, caller, stub::head(words)?, out),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few(
        service: &S,
        op: u32,
        caller: &stub::Caller,
        w0: u64,
        w1: u64,
        w2: u64,
        w3: u64,
    ) -> stub::Two {
        match op {
            1 => Self::plain_1(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            10 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_10(service, caller, w0, place, w1, piece)
            }
            27 => {
                let (caller, w0, place, w1, piece) = from.take::<5, 5, 5, 0>()?;
                Self::plain_27(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            11 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_11(service, caller, w0, place, w1, out)
            }
            12 => {
                let (caller, w0, place, w1, out) = from.take::<0, 5, 5>();
                Self::plain_12(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ExtremesServer {
    /// `Extremes.numbers`.
    #[inline(never)]
    fn op_0(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<11>(call.words)?;
        let mut a = stub::int::<i8>(words[0]).argument("Extremes.numbers", "a")?;
        let mut b = stub::int::<u8>(words[1]).argument("Extremes.numbers", "b")?;
        let mut c = stub::int::<i16>(words[2]).argument("Extremes.numbers", "c")?;
        let mut d = stub::int::<u16>(words[3]).argument("Extremes.numbers", "d")?;
        let mut e = stub::int::<i32>(words[4]).argument("Extremes.numbers", "e")?;
        let mut f = stub::int::<u32>(words[5]).argument("Extremes.numbers", "f")?;
        let mut g = words[6].cast_signed();
        let mut h = stub::u64(words[7]).argument("Extremes.numbers", "h")?;
        let mut i = stub::int::<u8>(words[8]).argument("Extremes.numbers", "i")?;
        let mut j = stub::f32(words[9]).argument("Extremes.numbers", "j")?;
        let mut k = f64::from_bits(words[10]);
        service.numbers(
            call.caller,
            &mut a,
            &mut b,
            &mut c,
            &mut d,
            &mut e,
            &mut f,
            &mut g,
            &mut h,
            &mut i,
            &mut j,
            &mut k,
        )?;
        words[0] = stub::word(a);
        words[1] = stub::word(b);
        words[2] = stub::word(c);
        words[3] = stub::word(d);
        words[4] = stub::word(e);
        words[5] = stub::word(f);
        words[6] = g.cast_unsigned();
        words[7] = stub::u64_result(h, "Extremes.numbers")?;
        words[8] = u64::from(i);
        words[9] = u64::from(j.to_bits());
        words[10] = k.to_bits();
        Ok(())
    }

    /// `Extremes.only`.
    #[inline]
    fn op_1(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
    ) -> Result<(), stub::Failure> {
        let a = Only::from_word(words[0]).argument("Extremes.only", "a")?;
        let (result, b) = service.only(caller, a)?;
        words[1] = result.to_word();
        words[2] = b.to_word();
        Ok(())
    }

    /// `Extremes.many`.
    #[inline(never)]
    fn op_2(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let a =
            [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed()];
        let b = service.many(call.caller, &a)?;
        words[32] = b[0].cast_unsigned();
        words[33] = b[1].cast_unsigned();
        words[34] = b[2].cast_unsigned();
        words[35] = b[3].cast_unsigned();
        words[36] = b[4].cast_unsigned();
        words[37] = b[5].cast_unsigned();
        words[38] = b[6].cast_unsigned();
        words[39] = b[7].cast_unsigned();
        words[40] = b[8].cast_unsigned();
        words[41] = b[9].cast_unsigned();
        words[42] = b[10].cast_unsigned();
        words[43] = b[11].cast_unsigned();
        words[44] = b[12].cast_unsigned();
        words[45] = b[13].cast_unsigned();
        words[46] = b[14].cast_unsigned();
        words[47] = b[15].cast_unsigned();
        words[48] = b[16].cast_unsigned();
        words[49] = b[17].cast_unsigned();
        words[50] = b[18].cast_unsigned();
        words[51] = b[19].cast_unsigned();
        words[52] = b[20].cast_unsigned();
        words[53] = b[21].cast_unsigned();
        words[54] = b[22].cast_unsigned();
        words[55] = b[23].cast_unsigned();
        words[56] = b[24].cast_unsigned();
        words[57] = b[25].cast_unsigned();
        words[58] = b[26].cast_unsigned();
        words[59] = b[27].cast_unsigned();
        words[60] = b[28].cast_unsigned();
        words[61] = b[29].cast_unsigned();
        words[62] = b[30].cast_unsigned();
        words[63] = b[31].cast_unsigned();
        Ok(())
    }

    /// `Extremes.same`.
    #[inline(never)]
    fn op_3(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let mut a =
            [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed(), words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed(), words[63].cast_signed()];
        service.same(call.caller, &mut a)?;
        words[0] = a[0].cast_unsigned();
        words[1] = a[1].cast_unsigned();
        words[2] = a[2].cast_unsigned();
        words[3] = a[3].cast_unsigned();
        words[4] = a[4].cast_unsigned();
        words[5] = a[5].cast_unsigned();
        words[6] = a[6].cast_unsigned();
        words[7] = a[7].cast_unsigned();
        words[8] = a[8].cast_unsigned();
        words[9] = a[9].cast_unsigned();
        words[10] = a[10].cast_unsigned();
        words[11] = a[11].cast_unsigned();
        words[12] = a[12].cast_unsigned();
        words[13] = a[13].cast_unsigned();
        words[14] = a[14].cast_unsigned();
        words[15] = a[15].cast_unsigned();
        words[16] = a[16].cast_unsigned();
        words[17] = a[17].cast_unsigned();
        words[18] = a[18].cast_unsigned();
        words[19] = a[19].cast_unsigned();
        words[20] = a[20].cast_unsigned();
        words[21] = a[21].cast_unsigned();
        words[22] = a[22].cast_unsigned();
        words[23] = a[23].cast_unsigned();
        words[24] = a[24].cast_unsigned();
        words[25] = a[25].cast_unsigned();
        words[26] = a[26].cast_unsigned();
        words[27] = a[27].cast_unsigned();
        words[28] = a[28].cast_unsigned();
        words[29] = a[29].cast_unsigned();
        words[30] = a[30].cast_unsigned();
        words[31] = a[31].cast_unsigned();
        words[32] = a[32].cast_unsigned();
        words[33] = a[33].cast_unsigned();
        words[34] = a[34].cast_unsigned();
        words[35] = a[35].cast_unsigned();
        words[36] = a[36].cast_unsigned();
        words[37] = a[37].cast_unsigned();
        words[38] = a[38].cast_unsigned();
        words[39] = a[39].cast_unsigned();
        words[40] = a[40].cast_unsigned();
        words[41] = a[41].cast_unsigned();
        words[42] = a[42].cast_unsigned();
        words[43] = a[43].cast_unsigned();
        words[44] = a[44].cast_unsigned();
        words[45] = a[45].cast_unsigned();
        words[46] = a[46].cast_unsigned();
        words[47] = a[47].cast_unsigned();
        words[48] = a[48].cast_unsigned();
        words[49] = a[49].cast_unsigned();
        words[50] = a[50].cast_unsigned();
        words[51] = a[51].cast_unsigned();
        words[52] = a[52].cast_unsigned();
        words[53] = a[53].cast_unsigned();
        words[54] = a[54].cast_unsigned();
        words[55] = a[55].cast_unsigned();
        words[56] = a[56].cast_unsigned();
        words[57] = a[57].cast_unsigned();
        words[58] = a[58].cast_unsigned();
        words[59] = a[59].cast_unsigned();
        words[60] = a[60].cast_unsigned();
        words[61] = a[61].cast_unsigned();
        words[62] = a[62].cast_unsigned();
        words[63] = a[63].cast_unsigned();
        Ok(())
    }

    /// `Extremes.last`.
    #[inline(never)]
    fn op_4(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let a =
            [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed(), words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed()];
        let result = service.last(call.caller, &a)?;
        words[63] = result.cast_unsigned();
        Ok(())
    }

    /// `Extremes.first`.
    #[inline(never)]
    fn op_5(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let a = Most {
            at: [words[0].cast_signed(), words[1].cast_signed(), words[2].cast_signed(), words[3].cast_signed(), words[4].cast_signed(), words[5].cast_signed(), words[6].cast_signed(), words[7].cast_signed(), words[8].cast_signed(), words[9].cast_signed(), words[10].cast_signed(), words[11].cast_signed(), words[12].cast_signed(), words[13].cast_signed(), words[14].cast_signed(), words[15].cast_signed(), words[16].cast_signed(), words[17].cast_signed(), words[18].cast_signed(), words[19].cast_signed(), words[20].cast_signed(), words[21].cast_signed(), words[22].cast_signed(), words[23].cast_signed(), words[24].cast_signed(), words[25].cast_signed(), words[26].cast_signed(), words[27].cast_signed(), words[28].cast_signed(), words[29].cast_signed(), words[30].cast_signed(), words[31].cast_signed(), words[32].cast_signed(), words[33].cast_signed(), words[34].cast_signed(), words[35].cast_signed(), words[36].cast_signed(), words[37].cast_signed(), words[38].cast_signed(), words[39].cast_signed(), words[40].cast_signed(), words[41].cast_signed(), words[42].cast_signed(), words[43].cast_signed(), words[44].cast_signed(), words[45].cast_signed(), words[46].cast_signed(), words[47].cast_signed(), words[48].cast_signed(), words[49].cast_signed(), words[50].cast_signed(), words[51].cast_signed(), words[52].cast_signed(), words[53].cast_signed(), words[54].cast_signed(), words[55].cast_signed(), words[56].cast_signed(), words[57].cast_signed(), words[58].cast_signed(), words[59].cast_signed(), words[60].cast_signed(), words[61].cast_signed(), words[62].cast_signed(), words[63].cast_signed()],
        };
        service.first(call.caller, &a)?;
        Ok(())
    }

    /// `Extremes.letter`.
    #[inline]
    fn op_6(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded_string(a, 1).argument("Extremes.letter", "a")?;
        let mut result = stub::BytesOut::new(result_area, 1);
        service.letter(caller, a, &mut result)?;
        result.finish_string("Extremes.letter")?;
        Ok(())
    }

    /// `Extremes.text`.
    #[inline]
    fn op_7(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded_string(a, 4194304).argument("Extremes.text", "a")?;
        let mut result = stub::BytesOut::new(result_area, 4194304);
        service.text(caller, a, &mut result)?;
        result.finish_string("Extremes.text")?;
        Ok(())
    }

    /// `Extremes.piece`.
    #[inline]
    fn op_8(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 1).argument("Extremes.piece", "a")?;
        let mut result = stub::BytesOut::new(result_area, 1);
        service.piece(caller, a, &mut result)?;
        Ok(())
    }

    /// `Extremes.bytes`.
    #[inline]
    fn op_9(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 4194304).argument("Extremes.bytes", "a")?;
        let mut result = stub::BytesOut::new(result_area, 4194304);
        service.bytes(caller, a, &mut result)?;
        Ok(())
    }

    /// `Extremes.count`.
    #[inline]
    fn op_10(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        a: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 4194304).argument("Extremes.count", "a")?;
        let result = service.count(caller, a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Extremes.make`.
    #[inline]
    fn op_11(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
        b_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = words[0].cast_signed();
        let mut b = stub::BytesOut::new(b_area, 4194304);
        let result = service.make(caller, a, &mut b)?;
        words[1] = result.cast_unsigned();
        Ok(())
    }

    /// `Extremes.made`.
    #[inline]
    fn op_12(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        b_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = words[0].cast_signed();
        let mut b = stub::BytesOut::new(b_area, 4194304);
        service.made(caller, a, &mut b)?;
        b.finish_string("Extremes.made")?;
        Ok(())
    }

    /// `Extremes.block`.
    #[inline(never)]
    fn op_13(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = Bytes {
            all: stub::array(stub::bytes(call.areas, words[0], 4096)).argument("Extremes.block", "a")?,
        };
        let result = service.block(call.caller, &a)?;
        words[1] = stub::put_bytes(call.areas, words[1], &result.all, 4096, "Extremes.block")?;
        Ok(())
    }

    /// `Extremes.letters`.
    #[inline(never)]
    fn op_14(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<64>(call.words)?;
        let a = [stub::string(call.areas, words[0], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[1], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[2], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[3], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[4], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[5], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[6], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[7], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[8], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[9], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[10], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[11], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[12], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[13], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[14], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[15], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[16], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[17], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[18], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[19], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[20], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[21], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[22], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[23], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[24], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[25], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[26], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[27], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[28], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[29], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[30], 1).argument("Extremes.letters", "a")?.to_vec(), stub::string(call.areas, words[31], 1)
            .argument("Extremes.letters", "a")?.to_vec()];
        let result = service.letters(call.caller, &a)?;
        words[32] = stub::put_string(call.areas, words[32], &result[0], 1, "Extremes.letters")?;
        words[33] = stub::put_string(call.areas, words[33], &result[1], 1, "Extremes.letters")?;
        words[34] = stub::put_string(call.areas, words[34], &result[2], 1, "Extremes.letters")?;
        words[35] = stub::put_string(call.areas, words[35], &result[3], 1, "Extremes.letters")?;
        words[36] = stub::put_string(call.areas, words[36], &result[4], 1, "Extremes.letters")?;
        words[37] = stub::put_string(call.areas, words[37], &result[5], 1, "Extremes.letters")?;
        words[38] = stub::put_string(call.areas, words[38], &result[6], 1, "Extremes.letters")?;
        words[39] = stub::put_string(call.areas, words[39], &result[7], 1, "Extremes.letters")?;
        words[40] = stub::put_string(call.areas, words[40], &result[8], 1, "Extremes.letters")?;
        words[41] = stub::put_string(call.areas, words[41], &result[9], 1, "Extremes.letters")?;
        words[42] = stub::put_string(call.areas, words[42], &result[10], 1, "Extremes.letters")?;
        words[43] = stub::put_string(call.areas, words[43], &result[11], 1, "Extremes.letters")?;
        words[44] = stub::put_string(call.areas, words[44], &result[12], 1, "Extremes.letters")?;
        words[45] = stub::put_string(call.areas, words[45], &result[13], 1, "Extremes.letters")?;
        words[46] = stub::put_string(call.areas, words[46], &result[14], 1, "Extremes.letters")?;
        words[47] = stub::put_string(call.areas, words[47], &result[15], 1, "Extremes.letters")?;
        words[48] = stub::put_string(call.areas, words[48], &result[16], 1, "Extremes.letters")?;
        words[49] = stub::put_string(call.areas, words[49], &result[17], 1, "Extremes.letters")?;
        words[50] = stub::put_string(call.areas, words[50], &result[18], 1, "Extremes.letters")?;
        words[51] = stub::put_string(call.areas, words[51], &result[19], 1, "Extremes.letters")?;
        words[52] = stub::put_string(call.areas, words[52], &result[20], 1, "Extremes.letters")?;
        words[53] = stub::put_string(call.areas, words[53], &result[21], 1, "Extremes.letters")?;
        words[54] = stub::put_string(call.areas, words[54], &result[22], 1, "Extremes.letters")?;
        words[55] = stub::put_string(call.areas, words[55], &result[23], 1, "Extremes.letters")?;
        words[56] = stub::put_string(call.areas, words[56], &result[24], 1, "Extremes.letters")?;
        words[57] = stub::put_string(call.areas, words[57], &result[25], 1, "Extremes.letters")?;
        words[58] = stub::put_string(call.areas, words[58], &result[26], 1, "Extremes.letters")?;
        words[59] = stub::put_string(call.areas, words[59], &result[27], 1, "Extremes.letters")?;
        words[60] = stub::put_string(call.areas, words[60], &result[28], 1, "Extremes.letters")?;
        words[61] = stub::put_string(call.areas, words[61], &result[29], 1, "Extremes.letters")?;
        words[62] = stub::put_string(call.areas, words[62], &result[30], 1, "Extremes.letters")?;
        words[63] = stub::put_string(call.areas, words[63], &result[31], 1, "Extremes.letters")?;
        Ok(())
    }

    /// `Extremes.longs`.
    #[inline(never)]
    fn op_15(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| Ok(words[0].cast_signed()))
            .argument("Extremes.longs", "a")?;
        let mut result = I64List(stub::ListOut::new(&mut result_area, 65536));
        service.longs(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.longs")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.truths`.
    #[inline(never)]
    fn op_16(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 1, |words: &[u64; 1], _| stub::bool(words[0]))
            .argument("Extremes.truths", "a")?;
        let mut result = BoolList(stub::ListOut::new(&mut result_area, 1));
        service.truths(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.truths")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.texts`.
    #[inline(never)]
    fn op_17(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], area| stub::field_string(area, words[0], 1))
            .argument("Extremes.texts", "a")?;
        let mut result = String1List(stub::ListOut::new(&mut result_area, 65536));
        service.texts(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.texts")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.tomes`.
    #[inline(never)]
    fn op_18(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 2, |words: &[u64; 1], area| stub::field_string(area, words[0], 4194304))
            .argument("Extremes.tomes", "a")?;
        let mut result = String4194304List(stub::ListOut::new(&mut result_area, 2));
        service.tomes(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.tomes")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.mosts`.
    #[inline(never)]
    fn op_19(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 4, Most::read).argument("Extremes.mosts", "a")?;
        let mut result = MostList(stub::ListOut::new(&mut result_area, 4));
        service.mosts(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.mosts")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.blocks`.
    #[inline(never)]
    fn op_20(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a =
            stub::list_in(call.areas, words[0], 3, Bytes::read).argument("Extremes.blocks", "a")?;
        let mut result = BytesList(stub::ListOut::new(&mut result_area, 3));
        service.blocks(call.caller, &a, &mut result)?;
        result.0.finish("Extremes.blocks")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Extremes.wide`.
    #[inline(never)]
    fn op_21(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<6>(call.words)?;
        let a = Wide::read([words[0], words[1]], [stub::bytes(call.areas, words[2], 4096).argument("Extremes.wide", "a")?.to_vec()])
            .argument("Extremes.wide", "a")?;
        let result = service.wide(call.caller, &a)?;
        words[3..5].copy_from_slice(&result.words().given("Extremes.wide")?);
        words[5] = stub::put_bytes(call.areas, words[5], result.part(0), 4096, "Extremes.wide")?;
        Ok(())
    }

    /// `Extremes.unsigned_`.
    #[inline(never)]
    fn op_22(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<6>(call.words)?;
        let a = Unsigned::read([words[0], words[1]], [stub::bytes(call.areas, words[2], 1).argument("Extremes.unsigned_", "a")?.to_vec()])
            .argument("Extremes.unsigned_", "a")?;
        let result = service.unsigned_(call.caller, &a)?;
        words[3..5].copy_from_slice(&result.words().given("Extremes.unsigned_")?);
        words[5] = stub::put_bytes(call.areas, words[5], result.part(0), 1, "Extremes.unsigned_")?;
        Ok(())
    }

    /// `Extremes.small`.
    #[inline(never)]
    fn op_23(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = Small::read([words[0], words[1]], []).argument("Extremes.small", "a")?;
        let result = service.small(call.caller, &a)?;
        words[2..4].copy_from_slice(&result.words().given("Extremes.small")?);
        Ok(())
    }

    /// `Extremes.truth`.
    #[inline(never)]
    fn op_24(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = Truth::read([words[0], words[1]], []).argument("Extremes.truth", "a")?;
        let result = service.truth(call.caller, &a)?;
        words[2..4].copy_from_slice(&result.words().given("Extremes.truth")?);
        Ok(())
    }

    /// `Extremes.letter_`.
    #[inline(never)]
    fn op_25(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = Letter::read([words[0], words[1]], []).argument("Extremes.letter_", "a")?;
        let result = service.letter_(call.caller, &a)?;
        words[2..4].copy_from_slice(&result.words().given("Extremes.letter_")?);
        Ok(())
    }

    /// `Extremes.alone`.
    #[inline(never)]
    fn op_26(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = Alone::read([words[0]], [stub::bytes(call.areas, words[1], 1).argument("Extremes.alone", "a")?.to_vec()])
            .argument("Extremes.alone", "a")?;
        let result = service.alone(call.caller, &a)?;
        words[2..3].copy_from_slice(&result.words().given("Extremes.alone")?);
        words[3] = stub::put_bytes(call.areas, words[3], result.part(0), 1, "Extremes.alone")?;
        Ok(())
    }

    /// `Extremes.raise`.
    #[inline]
    fn op_27(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        text: &[u8],
    ) -> Result<(), stub::Failure> {
        let text = stub::bounded_string(text, 8192).argument("Extremes.raise", "text")?;
        service.raise(caller, text)?;
        Ok(())
    }

    /// `Extremes.self`.
    #[inline(never)]
    fn op_28(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = stub::portal::<Extremes>(call.portals, words[0], "Extremes.self", "a")?;
        let result = service.self_(call.caller, a)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `Extremes.selves`.
    #[inline(never)]
    fn op_29(
        service: &impl ExtremesService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 65536, |words: &[u64; 1], _| Ok(stub::portal_in::<Extremes>(call.portals, words[0])?))
            .argument("Extremes.selves", "a")?;
        let result = service.selves(call.caller, &a)?;
        words[1] =
            stub::put_list(call.areas, words[1], result, 65536, |each, _| Ok([stub::make(call.made, each)]), "Extremes.selves")?;
        Ok(())
    }

    /// `Extremes.tell`.
    #[inline]
    fn op_30(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        a: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded_string(a, 4194304).argument("Extremes.tell", "a")?;
        service.tell(caller, a)?;
        Ok(())
    }

    /// `Extremes.only` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        [a, ..]: [u64; 4],
    ) -> stub::Two {
        let a = Only::from_word(a).argument("Extremes.only", "a")?;
        let (result, b) = stub::carried("Extremes.only", || Ok(service.only(caller, a)?))?;
        Ok((result.to_word().cast_signed(), b.to_word().cast_signed()))
    }

    /// `Extremes.count` in a plain session.
    #[inline(always)]
    fn plain_10(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        a: &[u8],
    ) -> stub::One {
        let a = stub::bounded(a, 4194304).argument("Extremes.count", "a")?;
        let result = stub::carried("Extremes.count", || Ok(service.count(caller, a)?))?;
        Ok(stub::word(result).cast_signed())
    }

    /// `Extremes.make` in a plain session.
    #[inline(always)]
    fn plain_11(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        a: u64,
        _: &mut i64,
        _: u64,
        b: &mut Vec<u8>,
    ) -> stub::One {
        let a = a.cast_signed();
        let mut b = stub::BytesOut::new(b, 4194304);
        stub::carried("Extremes.make", || service.make(caller, a, &mut b))
    }

    /// `Extremes.made` in a plain session.
    #[inline(always)]
    fn plain_12(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        a: u64,
        _: &mut i64,
        _: u64,
        b: &mut Vec<u8>,
    ) -> stub::One {
        let a = a.cast_signed();
        let mut b = stub::BytesOut::new(b, 4194304);
        stub::carried("Extremes.made", || Ok(service.made(caller, a, &mut b)?))?;
        b.finish_string("Extremes.made")?;
        Ok(0)
    }

    /// `Extremes.raise` in a plain session.
    #[inline(always)]
    fn plain_27(
        service: &impl ExtremesService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        text: &[u8],
    ) -> stub::One {
        let text = stub::bounded_string(text, 8192).argument("Extremes.raise", "text")?;
        stub::carried("Extremes.raise", || Ok(service.raise(caller, text)?))?;
        Ok(0)
    }
}

