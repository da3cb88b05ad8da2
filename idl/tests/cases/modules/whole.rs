// Made from the interface `whole`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `whole`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x05\x00\x00\x00whole\x03\x00\x00\x001.0O\x00\x00\x00Everything that `everything\
    .idl` has not: one operation or definition for each.\x00\x00\x00\x00\n\x00\x04\x00\x00\x00SIZE\
    \x00\x00\x00\x00\x01 \x00\x00\x12\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00LEAST\x00\x00\x00\
    \x00\x01@\x01\x00\x00\x00\x00\x00\x00\x00\x00\x80\x02\x00\x00\x00PI\x00\x00\x00\x00\t@\x00\x1f\
    \x85\xebQ\xb8\x1e\t@\x04\x00\x00\x00HALF\x00\x00\x00\x00\t \x00\x00\x00\x00?\x00\x00\x00\x00\
    \x04\x00\x00\x00MARK\x00\x00\x00\x00\x08\x00A\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00ON\
    \x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x08\x00\x00\x00GREETING\x00\x00\x00\
    \x00\x03(\x00\x00\x00\x01\x15\x00\x00\x00good \"day\", two\tparts\x05\x00\x00\x00USUAL\x00\x00\
    \x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00MOST\x00\x00\x00\x00\
    \x01@\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x0b\x00\x00\x00Leaf::LIMIT\x00\x00\x00\x00\x01 \
    \x01\x00\x08\x00\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00Shade\x00\x00\x00\x00\x02\x00\
    \x05\x00\x00\x00light\x04\x00\x00\x00dark\n\x00\x00\x00Leaf::Kind\x00\x00\x00\x00\x02\x00\x05\
    \x00\x00\x00green\x05\x00\x00\x00brown\x05\x00\x07\x00\x00\x00Numbers\x00\x00\x00\x00\x0b\x00\
    \x01\x00\x00\x00a\x01\x08\x01\x01\x00\x00\x00b\x01\x08\x00\x01\x00\x00\x00c\x01\x10\x01\x01\
    \x00\x00\x00d\x01\x10\x00\x01\x00\x00\x00e\x01 \x01\x01\x00\x00\x00f\x01 \x00\x01\x00\x00\x00g\
    \x01@\x01\x01\x00\x00\x00h\x01@\x00\x01\x00\x00\x00i\x08\x01\x00\x00\x00j\t \x01\x00\x00\x00k\
    \t@\x06\x00\x00\x00Tables\x00\x00\x00\x00\x04\x00\x06\x00\x00\x00triple\x0b\x03\x00\x00\x00\
    \x01 \x01\x05\x00\x00\x00table\x0b\x02\x00\x00\x00\x0b\x03\x00\x00\x00\x01 \x01\x03\x00\x00\
    \x00key\x0b\x10\x00\x00\x00\x01\x08\x00\x05\x00\x00\x00names\x0b\x02\x00\x00\x00\x03\x08\x00\
    \x00\x00\x08\x00\x00\x00Labelled\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00value\n\x00\x00\x02\
    \x00\x00\x00at\x01 \x01\x04\x00\x00\x00Link\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00node\x07\
    \x00\x00\x04\x00\x00\x00name\x03\x08\x00\x00\x00\x0b\x00\x00\x00inner::Pair\x00\x00\x00\x00\
    \x02\x00\x05\x00\x00\x00shade\x02\x00\x00\x03\x00\x00\x00key\x0b\x10\x00\x00\x00\x01\x08\x00\
    \x02\x00\x05\x00\x00\x00Value\x00\x00\x00\x00\x02\x00\x00\x02\x00\x02\x00\x06\x00\x00\x00numbe\
    r\x01 \x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00text\x03\x08\x00\x00\x00\x01\
    \x00\x01\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00Many\x00\x00\x00\x00\x01 \x01\x02\x00\x04\
    \x00\x04\x00\x00\x00real\t@\x02\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\
    \x00\x00\x06\x00\x00\x00tables\x05\x01\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\
    \x00key\x0b\x10\x00\x00\x00\x01\x08\x00\x01\x00\xfc\xff\xff\xff\xff\xff\xff\xff\x05\x00\x00\
    \x00other\x00\x00\x00\x04\x00\x04\x00\x00\x00Busy\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00until\
    \x01@\x01\x06\x00\x00\x00Denied\x00\x00\x00\x00\x02\x00\x03\x00\x00\x00who\x03\x08\x00\x00\x00\
    \x03\x00\x00\x00why\n\x00\x00\x05\x00\x00\x00Empty\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00Plai\
    n\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00kind\x02\x00\x00\x07\x00\x00\x00message\x03\x14\x00\
    \x00\x00\x05\x00\x04\x00\x00\x00Node\x00\x00\x00\x00\x00\x00\x1a\x00\n\x00\x00\x00_get_level\
    \x00\x00\x00\x00\x00\x00\x00\x00C\x00\x01 \x01\x00\x00\x00\x00\n\x00\x00\x00_set_level\x00\x00\
    \x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x05\x00\x00\x00value\x00\x01 \x01\x0b\x00\x00\
    \x00_get_height\x00\x00\x00\x00\x00\x00\x00\x00C\x00\x01 \x01\x00\x00\x00\x00\x0b\x00\x00\x00_\
    set_height\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x05\x00\x00\x00value\x00\
    \x01 \x01\t\x00\x00\x00_get_name\x00\x00\x00\x00\x00\x00\x00\x00C\x00\x03\x08\x00\x00\x00\x01\
    \x00\x03\x00\x00\x00\x07\x00\x00\x00numbers\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x00\x00\
    \x00\x00\x03\x00\x01\x00\x00\x00a\x00\x05\x00\x00\x01\x00\x00\x00b\x01\x05\x00\x00\x01\x00\x00\
    \x00c\x02\t \x06\x00\x00\x00tables\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x01\x00\x00\x00\
    \x03\x00\x01\x00\x00\x00a\x00\x05\x01\x00\x01\x00\x00\x00b\x02\x0b\x03\x00\x00\x00\x01 \x01\
    \x01\x00\x00\x00c\x01\x0b\x02\x00\x00\x00\x0b\x03\x00\x00\x00\x01 \x01\x03\x00\x00\x00key\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x0b\x10\x00\x00\x00\x01\x08\x00\x00\x00\x03\x00\x01\x00\x00\
    \x00a\x00\x0b\x10\x00\x00\x00\x01\x08\x00\x01\x00\x00\x00b\x02\x06\x04\x00\x00\x00\x0b\x10\x00\
    \x00\x00\x01\x08\x00\x01\x00\x00\x00c\x00\x06\x04\x00\x00\x00\x0b\x10\x00\x00\x00\x01\x08\x00\
    \x05\x00\x00\x00value\x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x00\x00\x00\x00\x03\x00\x01\x00\
    \x00\x00a\x00\n\x00\x00\x01\x00\x00\x00b\x02\n\x01\x00\x01\x00\x00\x00c\x00\n\x01\x00\x08\x00\
    \x00\x00labelled\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x05\x02\x00\x00\x00\
    \x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x05\x02\x00\x06\x00\x00\x00manies\x00\x00\
    \x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\n\x01\x00\x00\x00\x01\x00\x01\x00\x00\x00a\
    \x00\x06\x03\x00\x00\x00\n\x01\x00\x07\x00\x00\x00triples\x00\x00\x00\x00\x00\x00\x00\x00@\x00\
    \x06\x03\x00\x00\x00\x0b\x03\x00\x00\x00\x01 \x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\
    \x00\x00\x00\x0b\x03\x00\x00\x00\x01 \x01\x05\x00\x00\x00reals\x00\x00\x00\x00\x00\x00\x00\x00\
    @\x00\x06\x03\x00\x00\x00\t@\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\t@\x04\
    \x00\x00\x00link\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x03\x00\x00\x00\x01\x00\x01\x00\x00\
    \x00a\x00\x05\x03\x00\x05\x00\x00\x00links\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\
    \x00\x00\x05\x03\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x05\x03\x00\x05\
    \x00\x00\x00nodes\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x07\x00\x00\x00\x00\
    \x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x07\x00\x00\x04\x00\x00\x00fail\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x01\x00\x02\x00\x03\x00\x01\x00\x03\x00\x00\x00ho\
    w\x00\x01 \x01\n\x00\x00\x00fail_alone\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\
    \x00\x00\x04\x00\x00\x00tell\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x02\x00\x01\x00\
    \x00\x00a\x00\x01 \x01\x01\x00\x00\x00b\x00\x03\x08\x00\x00\x00\t\x00\x00\x00unbounded\x00\x00\
    \x00\x00\x00\x00\x00\x00@\x00\x03\x00\x10\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x04\x00\
    \x00\x10\x00\x01\x00\x00\x00b\x00\x06\x00\x80\x00\x00\x05\x02\x00\x06\x00\x00\x00letter\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x08\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x08\x01\x00\x00\x00\
    b\x00\x04\x08\x00\x00\x00\x04\x00\x00\x00turn\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x03\x08\x00\
    \x00\x00\x01\x00\x03\x00\x03\x00\x01\x00\x00\x00a\x01\x03\x08\x00\x00\x00\x01\x00\x00\x00b\x01\
    \x04\xd0\x07\x00\x00\x01\x00\x00\x00c\x00\x03\x08\x00\x00\x00\x07\x00\x00\x00reshape\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00a\x01\x05\x01\x00\x01\x00\x00\
    \x00b\x01\x0b\x10\x00\x00\x00\x01\x08\x00\x01\x00\x00\x00c\x01\n\x00\x00\x01\x00\x00\x00d\x01\
    \n\x01\x00\x07\x00\x00\x00relabel\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\
    \x00\x00\x00a\x01\x06\x03\x00\x00\x00\x05\x02\x00\x01\x00\x00\x00b\x01\x06\x03\x00\x00\x00\x03\
    \x08\x00\x00\x00\x03\x00\x00\x00add\x00\x01 \x01\x01\x00\x00\x00c\x01\x06\x03\x00\x00\x00\x01 \
    \x01\x05\x00\x00\x00climb\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x07\x00\x00\x00\x00\x03\x00\x02\
    \x00\x00\x00by\x00\x01 \x01\x01\x00\x00\x00a\x01\x07\x00\x00\x05\x00\x00\x00level\x02\x01 \x01\
    \x06\x00\x00\x00relink\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x03\x00\
    \x01\x00\x00\x00a\x01\x05\x03\x00\x01\x00\x00\x00b\x01\x06\x03\x00\x00\x00\x05\x03\x00\x01\x00\
    \x00\x00c\x01\x06\x03\x00\x00\x00\x07\x00\x00\x04\x00\x00\x00Leaf\x00\x00\x00\x00\x01\x00\x00\
    \x00\x01\x00\x04\x00\x00\x00kind\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x02\x01\x00\x00\x00\x02\
    \x00\x01\x00\x00\x00a\x00\x02\x01\x00\x01\x00\x00\x00b\x00\x03\x08\x00\x00\x00\x05\x00\x00\x00\
    Petal\x00\x00\x00\x00\x01\x01\x00\x00\x01\x00\x05\x00\x00\x00other\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x02\x01\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x02\x01\x00\x02\x00\x00\x00up\x00\
    \x07\x00\x00\x0b\x00\x00\x00inner::Deep\x00\x00\x00\x00\x00\x00\x01\x00\x04\x00\x00\x00turn\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x04\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x05\x04\
    \x00\x04\x00\x00\x00leaf\x00\x07\x01\x00\x03\x00\x00\x00PfsS\x00\x00\x00The functions of the I\
    DL4 paper, table 4, as it prints them but for names of types.\x00\x00\x04\x00\x08\x00\x00\x00p\
    fs_open\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x05\x00\x06\x00\x00\x00client\
    \x00\x01 \x01\x04\x00\x00\x00fobj\x00\x01 \x01\x05\x00\x00\x00flags\x00\x01 \x01\x04\x00\x00\
    \x00mode\x00\x01 \x01\x06\x00\x00\x00handle\x02\x01 \x01\t\x00\x00\x00pfs_write\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x04\x00\x06\x00\x00\x00handle\x00\x01 \x01\x03\x00\
    \x00\x00pos\x01\x01 \x01\x03\x00\x00\x00len\x00\x01 \x01\x04\x00\x00\x00data\x00\x06\x00\x00\
    \x01\x00\x01 \x01\x12\x00\x00\x00pfs_get_direntries\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \
    \x01\x00\x00\x04\x00\x06\x00\x00\x00handle\x00\x01 \x01\x03\x00\x00\x00pos\x01\x01 \x01\x05\
    \x00\x00\x00count\x00\x01 \x01\x04\x00\x00\x00data\x02\x06\x00\x00\x01\x00\x01 \x01\x05\x00\
    \x00\x00named\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x03\x00\x04\x00\x00\x00nam\
    e\x00\x03\x00\x10\x00\x00\x05\x00\x00\x00other\x02\x03\x00\x10\x00\x00\x03\x00\x00\x00raw\x00\
    \x04\x00\x00\x10\x00\
    ";

/// The constant `SIZE`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const SIZE: u32 = 18;

/// The constant `LEAST`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const LEAST: i64 = -9223372036854775808;

/// The constant `PI`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const PI: f64 = 3.14;

/// The constant `HALF`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const HALF: f32 = 0.5;

/// The constant `MARK`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const MARK: u8 = b'A';

/// The constant `ON`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const ON: bool = true;

/// The constant `GREETING`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const GREETING: &str = "good \"day\", two\tparts";

/// The constant `USUAL`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const USUAL: Shade = Shade::Dark;

/// The constant `MOST`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const MOST: u64 = 18446744073709551615;

/// The constant `Leaf::LIMIT`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const LEAF_LIMIT: i32 = 8;

/// The enum `Shade`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shade {
    /// `light`.
    Light,
    /// `dark`.
    Dark,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Shade {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Shade> {
        match word {
            0 => Some(Shade::Light),
            1 => Some(Shade::Dark),
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
            Shade::Light => "light",
            Shade::Dark => "dark",
        }
    }
}

/// The enum `Leaf::Kind`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeafKind {
    /// `green`.
    Green,
    /// `brown`.
    Brown,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LeafKind {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<LeafKind> {
        match word {
            0 => Some(LeafKind::Green),
            1 => Some(LeafKind::Brown),
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
            LeafKind::Green => "green",
            LeafKind::Brown => "brown",
        }
    }
}

/// The struct `Numbers`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// `a`.
    pub a: i8,
    /// `b`.
    pub b: u8,
    /// `c`.
    pub c: i16,
    /// `d`.
    pub d: u16,
    /// `e`.
    pub e: i32,
    /// `f`.
    pub f: u32,
    /// `g`.
    pub g: i64,
    /// `h`.
    pub h: u64,
    /// `i`, a character.
    pub i: u8,
    /// `j`.
    pub j: f32,
    /// `k`.
    pub k: f64,
}

/// The struct `Tables`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// `triple`.
    pub triple: [i32; 3],
    /// `table`.
    pub table: [[i32; 3]; 2],
    /// `key`.
    pub key: [u8; 16],
    /// `names`.
    pub names: [Vec<u8>; 2],
}

/// The struct `Labelled`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// `value`.
    pub value: Value,
    /// `at`.
    pub at: i32,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Labelled {
    fn read(words: &[u64; 4], area: &stub::Area) -> Result<Labelled, stub::Wrong> {
        Ok(Labelled {
            value: Value::read([words[0], words[1]], [stub::field_bytes(area, words[2], 8)?])?,
            at: stub::int::<i32>(words[3])?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Labelled {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 4], stub::Wrong> {
        let mut words = [0, 0, stub::add_bytes(area, self.value.part(0), 8)?, stub::word(self.at)];
        words[0..2].copy_from_slice(&self.value.words()?);
        Ok(words)
    }
}

/// The struct `Link`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Link {
    /// `node`.
    pub node: Node,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `Link`, as a service is handed it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct LinkGiven<'a> {
    /// `node`.
    pub node: stub::PortalIn<'a, Node>,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `Link`, as a service returns it.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct LinkReturned {
    /// `node`.
    pub node: stub::Served<Node>,
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
}

/// The struct `inner::Pair`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerPair {
    /// `shade`.
    pub shade: Shade,
    /// `key`.
    pub key: [u8; 16],
}

/// The union `Value`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `number`.
    Number(i32),
    /// `text`.
    Text(Vec<u8>),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Value {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Value::Number(value) => {
                Ok([0, stub::word(*value)])
            }
            Value::Text(value) => {
                stub::string_word(0, value, 8)?;
                Ok([1, 0])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Value::Text(value), 0) => value,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], parts: [Vec<u8>; 1]) -> Result<Value, stub::Wrong> {
        let [part0] = parts;
        match words[0].cast_signed() {
            0 => Ok(Value::Number(stub::int::<i32>(words[1])?)),
            1 => Ok(Value::Text(stub::string_part(part0, 8)?)),
            _ => Err(stub::Wrong::Value),
        }
    }
}

/// The union `Many`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub enum Many {
    /// `real`, with its discriminant.
    Real(i32, f64),
    /// `tables`.
    Tables(Tables),
    /// `key`.
    Key([u8; 16]),
    /// `other`, with a discriminant that no other arm has.
    Other(i32, bool),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Many {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 10], stub::Wrong> {
        match self {
            Many::Real(label, value) => {
                Ok([
                    stub::label(stub::word(*label), &[1, 2], &[])?,
                    (*value).to_bits(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                ])
            }
            Many::Tables(value) => {
                stub::bytes_word(0, &value.key, 16)?;
                stub::string_word(0, &value.names[0], 8)?;
                stub::string_word(0, &value.names[1], 8)?;
                Ok([
                    3,
                    stub::word(value.triple[0]),
                    stub::word(value.triple[1]),
                    stub::word(value.triple[2]),
                    stub::word(value.table[0][0]),
                    stub::word(value.table[0][1]),
                    stub::word(value.table[0][2]),
                    stub::word(value.table[1][0]),
                    stub::word(value.table[1][1]),
                    stub::word(value.table[1][2]),
                ])
            }
            Many::Key(value) => {
                stub::bytes_word(0, value, 16)?;
                Ok([18446744073709551612, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            }
            Many::Other(label, value) => {
                Ok([
                    stub::label(stub::word(*label), &[], &[1, 2, 3, -4])?,
                    u64::from(*value),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                ])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> &[u8] {
        match (self, index) {
            (Many::Tables(value), 0) => &value.key,
            (Many::Tables(value), 1) => &value.names[0],
            (Many::Tables(value), 2) => &value.names[1],
            (Many::Key(value), 0) => value,
            _ => &[],
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 10], parts: [Vec<u8>; 3]) -> Result<Many, stub::Wrong> {
        let [part0, part1, part2] = parts;
        match words[0].cast_signed() {
            1 | 2 => Ok(Many::Real(stub::int::<i32>(words[0])?, f64::from_bits(words[1]))),
            3 => Ok(Many::Tables(Tables {
                triple: [stub::int::<i32>(words[1])?, stub::int::<i32>(words[2])?, stub::int::<i32>(words[3])?],
                table: [[stub::int::<i32>(words[4])?, stub::int::<i32>(words[5])?, stub::int::<i32>(words[6])?], [stub::int::<i32>(words[7])?, stub::int::<i32>(words[8])?, stub::int::<i32>(words[9])?]],
                key: stub::array(stub::bytes_part(part0, 16))?,
                names: [stub::string_part(part1, 8)?, stub::string_part(part2, 8)?],
            })),
            -4 => Ok(Many::Key(stub::array(stub::bytes_part(part0, 16))?)),
            _ => Ok(Many::Other(stub::int::<i32>(words[0])?, stub::bool(words[1])?)),
        }
    }
}

/// The exception `Busy`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// `until`.
    pub until: i64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Busy {
    fn read(words: &[u64; 1], _area: &stub::Area) -> Result<Busy, stub::Wrong> {
        Ok(Busy { until: words[0].cast_signed() })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Busy {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([self.until.cast_unsigned()])
    }
}

impl ::std::fmt::Display for Busy {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Busy: {self:?}")
    }
}

impl ::std::error::Error for Busy {}

impl From<Busy> for stub::Failure {
    fn from(raised: Busy) -> stub::Failure {
        stub::raised_members(0, "Busy", &raised, Busy::write)
    }
}

impl stub::Exception for Busy {
    fn from_details(details: &stub::Details) -> Option<Busy> {
        match stub::place(details) {
            0 => stub::members(details, Busy::read),
            _ => None,
        }
    }
}

/// The exception `Denied`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    /// `who`, at most 8 bytes without NUL.
    pub who: Vec<u8>,
    /// `why`.
    pub why: Value,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Denied {
    fn read(words: &[u64; 4], area: &stub::Area) -> Result<Denied, stub::Wrong> {
        Ok(Denied {
            who: stub::field_string(area, words[0], 8)?,
            why: Value::read([words[1], words[2]], [stub::field_bytes(area, words[3], 8)?])?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Denied {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 4], stub::Wrong> {
        let mut words = [
            stub::add_string(area, &self.who, 8)?,
            0,
            0,
            stub::add_bytes(area, self.why.part(0), 8)?,
        ];
        words[1..3].copy_from_slice(&self.why.words()?);
        Ok(words)
    }
}

impl ::std::fmt::Display for Denied {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Denied: {self:?}")
    }
}

impl ::std::error::Error for Denied {}

impl From<Denied> for stub::Failure {
    fn from(raised: Denied) -> stub::Failure {
        stub::raised_members(0, "Denied", &raised, Denied::write)
    }
}

impl stub::Exception for Denied {
    fn from_details(details: &stub::Details) -> Option<Denied> {
        match stub::place(details) {
            0 => stub::members(details, Denied::read),
            _ => None,
        }
    }
}

/// The exception `Empty`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Empty {
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Empty {
    fn read(_words: &[u64; 0], _area: &stub::Area) -> Result<Empty, stub::Wrong> {
        Ok(Empty {})
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Empty {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 0], stub::Wrong> {
        Ok([])
    }
}

impl ::std::fmt::Display for Empty {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Empty: {self:?}")
    }
}

impl ::std::error::Error for Empty {}

impl From<Empty> for stub::Failure {
    fn from(raised: Empty) -> stub::Failure {
        stub::raised_members(0, "Empty", &raised, Empty::write)
    }
}

impl stub::Exception for Empty {
    fn from_details(details: &stub::Details) -> Option<Empty> {
        match stub::place(details) {
            0 => stub::members(details, Empty::read),
            _ => None,
        }
    }
}

/// The exception `Plain`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// What programs test.
    pub kind: Shade,
    /// What people read; cut to 20 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Plain {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: Shade, message: &str) -> Plain {
        Plain { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for Plain {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for Plain {}

impl From<Plain> for stub::Failure {
    fn from(raised: Plain) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 20)
    }
}

impl stub::Exception for Plain {
    fn from_details(details: &stub::Details) -> Option<Plain> {
        let kind = Shade::from_word(u64::from(details.raised))?;
        Some(Plain { kind, message: details.message.clone() })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Plain {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<Plain, stub::Wrong> {
        Ok(Plain {
            kind: Shade::from_word(words[0]).ok_or(stub::Wrong::Value)?,
            message: stub::text(&stub::field_string(area, words[1], 20)?),
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Plain {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([self.kind.to_word(), stub::add_string(area, stub::cut(&self.message, 20), 20)?])
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct U8x16List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl U8x16List<'_> {
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
    pub fn push(&mut self, value: &[u8; 16]) -> bool {
        self.0.push(|area| Ok([stub::add_bytes(area, value, 16)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct LabelledList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LabelledList<'_> {
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
    pub fn push(&mut self, value: &Value, at: i32) -> bool {
        self.0.push(|area| {
            let mut words = [0, 0, stub::add_bytes(area, value.part(0), 8)?, stub::word(at)];
            words[0..2].copy_from_slice(&value.words()?);
            Ok(words)
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct ManyList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ManyList<'_> {
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
    pub fn push(&mut self, value: &Many) -> bool {
        self.0.push(|area| {
            let mut words = [
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
                stub::add_bytes(area, value.part(0), 16)?,
                stub::add_bytes(area, value.part(1), 16)?,
                stub::add_bytes(area, value.part(2), 16)?,
            ];
            words[0..10].copy_from_slice(&value.words()?);
            Ok(words)
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I32x3List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32x3List<'_> {
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
    pub fn push(&mut self, value: &[i32; 3]) -> bool {
        self.0.push(|_| {
            Ok([stub::word(value[0]), stub::word(value[1]), stub::word(value[2])])
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct F64List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl F64List<'_> {
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
    pub fn push(&mut self, value: f64) -> bool {
        self.0.push(|_| Ok([value.to_bits()]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I32List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32List<'_> {
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
    pub fn push(&mut self, value: i32) -> bool {
        self.0.push(|_| Ok([stub::word(value)]))
    }
}

/// What `Node.fail` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeFailError {
    /// `Busy`.
    Busy(Busy),
    /// `Denied`.
    Denied(Denied),
    /// `Empty`.
    Empty(Empty),
    /// `Plain`.
    Plain(Plain),
}

impl ::std::fmt::Display for NodeFailError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            NodeFailError::Busy(raised) => raised.fmt(f),
            NodeFailError::Denied(raised) => raised.fmt(f),
            NodeFailError::Empty(raised) => raised.fmt(f),
            NodeFailError::Plain(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for NodeFailError {}

impl From<Busy> for NodeFailError {
    fn from(raised: Busy) -> NodeFailError {
        NodeFailError::Busy(raised)
    }
}

impl From<Denied> for NodeFailError {
    fn from(raised: Denied) -> NodeFailError {
        NodeFailError::Denied(raised)
    }
}

impl From<Empty> for NodeFailError {
    fn from(raised: Empty) -> NodeFailError {
        NodeFailError::Empty(raised)
    }
}

impl From<Plain> for NodeFailError {
    fn from(raised: Plain) -> NodeFailError {
        NodeFailError::Plain(raised)
    }
}

impl From<NodeFailError> for stub::Failure {
    fn from(raised: NodeFailError) -> stub::Failure {
        match &raised {
            NodeFailError::Busy(raised) => {
                stub::raised_members(0, "Busy", raised, Busy::write)
            }
            NodeFailError::Denied(raised) => {
                stub::raised_members(1, "Denied", raised, Denied::write)
            }
            NodeFailError::Empty(raised) => {
                stub::raised_members(2, "Empty", raised, Empty::write)
            }
            NodeFailError::Plain(raised) => {
                stub::raised_members(3, "Plain", raised, Plain::write)
            }
        }
    }
}

impl stub::Exception for NodeFailError {
    fn from_details(details: &stub::Details) -> Option<NodeFailError> {
        match stub::place(details) {
            0 => stub::members(details, Busy::read).map(NodeFailError::Busy),
            1 => stub::members(details, Denied::read).map(NodeFailError::Denied),
            2 => stub::members(details, Empty::read).map(NodeFailError::Empty),
            3 => stub::members(details, Plain::read).map(NodeFailError::Plain),
            _ => None,
        }
    }
}

/// What `Node.relink` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeRelinkError {
    /// `Busy`.
    Busy(Busy),
    /// `Denied`.
    Denied(Denied),
}

impl ::std::fmt::Display for NodeRelinkError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            NodeRelinkError::Busy(raised) => raised.fmt(f),
            NodeRelinkError::Denied(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for NodeRelinkError {}

impl From<Busy> for NodeRelinkError {
    fn from(raised: Busy) -> NodeRelinkError {
        NodeRelinkError::Busy(raised)
    }
}

impl From<Denied> for NodeRelinkError {
    fn from(raised: Denied) -> NodeRelinkError {
        NodeRelinkError::Denied(raised)
    }
}

impl From<NodeRelinkError> for stub::Failure {
    fn from(raised: NodeRelinkError) -> stub::Failure {
        match &raised {
            NodeRelinkError::Busy(raised) => {
                stub::raised_members(0, "Busy", raised, Busy::write)
            }
            NodeRelinkError::Denied(raised) => {
                stub::raised_members(1, "Denied", raised, Denied::write)
            }
        }
    }
}

impl stub::Exception for NodeRelinkError {
    fn from_details(details: &stub::Details) -> Option<NodeRelinkError> {
        match stub::place(details) {
            0 => stub::members(details, Busy::read).map(NodeRelinkError::Busy),
            1 => stub::members(details, Denied::read).map(NodeRelinkError::Denied),
            _ => None,
        }
    }
}

/// What a service with the interface `Node` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait NodeService: Send + Sync + 'static {
    /// The operation `_get_level`.
    fn level(&self, caller: &stub::Caller) -> Result<i32, stub::Failure>;

    /// The operation `_set_level`.
    fn set_level(&self, caller: &stub::Caller, value: i32) -> Result<(), stub::Failure>;

    /// The operation `_get_height`.
    fn height(&self, caller: &stub::Caller) -> Result<i32, stub::Failure>;

    /// The operation `_set_height`.
    fn set_height(&self, caller: &stub::Caller, value: i32) -> Result<(), stub::Failure>;

    /// The operation `_get_name`.
    fn name(&self, caller: &stub::Caller, result: &mut stub::BytesOut<'_>) -> Result<(), Plain>;

    /// The operation `numbers`.
    fn numbers(
        &self,
        caller: &stub::Caller,
        a: &Numbers,
        b: &mut Numbers,
    ) -> Result<(Numbers, f32), stub::Failure>;

    /// The operation `tables`.
    fn tables(
        &self,
        caller: &stub::Caller,
        a: &Tables,
        c: &mut [[i32; 3]; 2],
    ) -> Result<(Tables, [i32; 3]), stub::Failure>;

    /// The operation `key`.
    fn key(
        &self,
        caller: &stub::Caller,
        a: &[u8; 16],
        c: &[[u8; 16]],
        b: &mut U8x16List<'_>,
    ) -> Result<[u8; 16], stub::Failure>;

    /// The operation `value`.
    fn value(
        &self,
        caller: &stub::Caller,
        a: &Value,
        c: &Many,
    ) -> Result<(Value, Many), stub::Failure>;

    /// The operation `labelled`.
    fn labelled(
        &self,
        caller: &stub::Caller,
        a: &[Labelled],
        result: &mut LabelledList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `manies`.
    fn manies(
        &self,
        caller: &stub::Caller,
        a: &[Many],
        result: &mut ManyList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `triples`.
    fn triples(
        &self,
        caller: &stub::Caller,
        a: &[[i32; 3]],
        result: &mut I32x3List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `reals`.
    fn reals(
        &self,
        caller: &stub::Caller,
        a: &[f64],
        result: &mut F64List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `link`.
    fn link(&self, caller: &stub::Caller, a: &LinkGiven<'_>) -> Result<LinkReturned, stub::Failure>;

    /// The operation `links`.
    fn links(
        &self,
        caller: &stub::Caller,
        a: &[LinkGiven<'_>],
    ) -> Result<Vec<LinkReturned>, stub::Failure>;

    /// The operation `nodes`.
    fn nodes(
        &self,
        caller: &stub::Caller,
        a: &[stub::PortalIn<'_, Node>],
    ) -> Result<Vec<stub::Served<Node>>, stub::Failure>;

    /// The operation `fail`.
    fn fail(&self, caller: &stub::Caller, how: i32) -> Result<(), NodeFailError>;

    /// The operation `fail_alone`.
    fn fail_alone(&self, caller: &stub::Caller) -> Result<(), Busy>;

    /// The operation `tell`.
    fn tell(&self, caller: &stub::Caller, a: i32, b: &[u8]) -> Result<(), stub::Failure>;

    /// The operation `unbounded`.
    fn unbounded(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        b: &[Labelled],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `letter`.
    fn letter(&self, caller: &stub::Caller, a: u8, b: &[u8]) -> Result<u8, stub::Failure>;

    /// The operation `turn`.
    fn turn(
        &self,
        caller: &stub::Caller,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), Plain>;

    /// The operation `reshape`.
    fn reshape(
        &self,
        caller: &stub::Caller,
        a: &mut Tables,
        b: &mut [u8; 16],
        c: &mut Value,
        d: &mut Many,
    ) -> Result<(), stub::Failure>;

    /// The operation `relabel`.
    fn relabel(
        &self,
        caller: &stub::Caller,
        a: &mut Vec<Labelled>,
        b: &mut Vec<Vec<u8>>,
        add: i32,
        c: &mut Vec<i32>,
    ) -> Result<(), stub::Failure>;

    /// The operation `climb`.
    fn climb(
        &self,
        caller: &stub::Caller,
        by: i32,
        a: stub::PortalIn<'_, Node>,
    ) -> Result<(stub::Served<Node>, stub::Served<Node>, i32), stub::Failure>;

    /// The operation `relink`.
    fn relink(
        &self,
        caller: &stub::Caller,
        a: &LinkGiven<'_>,
        b: &[LinkGiven<'_>],
        c: &[stub::PortalIn<'_, Node>],
    ) -> Result<(LinkReturned, Vec<LinkReturned>, Vec<stub::Served<Node>>), NodeRelinkError>;
}

/// The interface `Node`.
///
/// A portal on an object of a [`NodeService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Node {
    client: stub::Client,
    near: stub::Nearby<Node>,
}

impl stub::Interface for Node {
    type Service = dyn NodeService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Node {
        Node { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Node {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl NodeService) -> stub::Served<Node> {
        stub::serve::<NodeServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Node {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `_get_level`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn level(&self) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(0, |service, caller| service.level(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            let result = stub::int::<i32>(words[0]).reply("Node._get_level")?;
            Ok(result)
        })
    }

    /// The operation `_set_level`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_level(&self, value: i32) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(1, |service, caller| service.set_level(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(value), 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `_get_height`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn height(&self) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(2, |service, caller| service.height(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(2, &mut words, &[])?;
            let result = stub::int::<i32>(words[0]).reply("Node._get_height")?;
            Ok(result)
        })
    }

    /// The operation `_set_height`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_height(&self, value: i32) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(3, |service, caller| service.set_height(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(value), 0, 0, 0, 0, 0];
            self.client.short(3, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn name(&self) -> Result<Vec<u8>, stub::CallError<Plain>> {
        let mut result = Vec::new();
        self.name_into(&mut result)?;
        Ok(result)
    }

    /// The operation `_get_name`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn name_into(&self, result: &mut Vec<u8>) -> Result<(), stub::CallError<Plain>> {
        if let Some(near) = self.near.get() {
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 8);
            near.call(4, |service, caller| service.name(caller, &mut result_area))?;
            result_area.finish_string("Node._get_name")?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short_out(4, &mut words, &[], result)?;
            stub::bounded_string(result, 8).reply("Node._get_name")?;
            Ok(())
        })
    }

    /// The operation `numbers`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn numbers(&self, a: &Numbers, b: &mut Numbers) -> Result<(Numbers, f32), stub::Failure> {
        let mut words = [
            stub::word(a.a),
            stub::word(a.b),
            stub::word(a.c),
            stub::word(a.d),
            stub::word(a.e),
            stub::word(a.f),
            a.g.cast_unsigned(),
            stub::u64_word(a.h).argument("Node.numbers", "a")?,
            u64::from(a.i),
            u64::from(a.j.to_bits()),
            a.k.to_bits(),
            stub::word(b.a),
            stub::word(b.b),
            stub::word(b.c),
            stub::word(b.d),
            stub::word(b.e),
            stub::word(b.f),
            b.g.cast_unsigned(),
            stub::u64_word(b.h).argument("Node.numbers", "b")?,
            u64::from(b.i),
            u64::from(b.j.to_bits()),
            b.k.to_bits(),
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
        self.client.call(5, &mut words, &[], &mut [], &[])?;
        let b_area = Numbers {
            a: stub::int::<i8>(words[11]).reply("Node.numbers")?,
            b: stub::int::<u8>(words[12]).reply("Node.numbers")?,
            c: stub::int::<i16>(words[13]).reply("Node.numbers")?,
            d: stub::int::<u16>(words[14]).reply("Node.numbers")?,
            e: stub::int::<i32>(words[15]).reply("Node.numbers")?,
            f: stub::int::<u32>(words[16]).reply("Node.numbers")?,
            g: words[17].cast_signed(),
            h: stub::u64(words[18]).reply("Node.numbers")?,
            i: stub::int::<u8>(words[19]).reply("Node.numbers")?,
            j: stub::f32(words[20]).reply("Node.numbers")?,
            k: f64::from_bits(words[21]),
        };
        let result = Numbers {
            a: stub::int::<i8>(words[22]).reply("Node.numbers")?,
            b: stub::int::<u8>(words[23]).reply("Node.numbers")?,
            c: stub::int::<i16>(words[24]).reply("Node.numbers")?,
            d: stub::int::<u16>(words[25]).reply("Node.numbers")?,
            e: stub::int::<i32>(words[26]).reply("Node.numbers")?,
            f: stub::int::<u32>(words[27]).reply("Node.numbers")?,
            g: words[28].cast_signed(),
            h: stub::u64(words[29]).reply("Node.numbers")?,
            i: stub::int::<u8>(words[30]).reply("Node.numbers")?,
            j: stub::f32(words[31]).reply("Node.numbers")?,
            k: f64::from_bits(words[32]),
        };
        let c = stub::f32(words[33]).reply("Node.numbers")?;
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `tables`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tables(
        &self,
        a: &Tables,
        c: &mut [[i32; 3]; 2],
    ) -> Result<(Tables, [i32; 3]), stub::Failure> {
        let mut words = [
            stub::word(a.triple[0]),
            stub::word(a.triple[1]),
            stub::word(a.triple[2]),
            stub::word(a.table[0][0]),
            stub::word(a.table[0][1]),
            stub::word(a.table[0][2]),
            stub::word(a.table[1][0]),
            stub::word(a.table[1][1]),
            stub::word(a.table[1][2]),
            stub::bytes_word(0, &a.key, 16).argument("Node.tables", "a")?,
            stub::string_word(1, &a.names[0], 8).argument("Node.tables", "a")?,
            stub::string_word(2, &a.names[1], 8).argument("Node.tables", "a")?,
            stub::word(c[0][0]),
            stub::word(c[0][1]),
            stub::word(c[0][2]),
            stub::word(c[1][0]),
            stub::word(c[1][1]),
            stub::word(c[1][2]),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            stub::area(3),
            stub::area(4),
            stub::area(5),
            0,
            0,
            0,
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            6,
            &mut words,
            &[stub::Input::Bytes(&a.key), stub::Input::Bytes(&a.names[0]), stub::Input::Bytes(&a.names[1])],
            &mut outputs,
            &[],
        )?;
        let c_area = [[stub::int::<i32>(words[12]).reply("Node.tables")?, stub::int::<i32>(words[13]).reply("Node.tables")?, stub::int::<i32>(words[14]).reply("Node.tables")?], [stub::int::<i32>(words[15]).reply("Node.tables")?, stub::int::<i32>(words[16]).reply("Node.tables")?, stub::int::<i32>(words[17])
            .reply("Node.tables")?]];
        let result = Tables {
            triple: [stub::int::<i32>(words[18]).reply("Node.tables")?, stub::int::<i32>(words[19]).reply("Node.tables")?, stub::int::<i32>(words[20]).reply("Node.tables")?],
            table: [[stub::int::<i32>(words[21]).reply("Node.tables")?, stub::int::<i32>(words[22]).reply("Node.tables")?, stub::int::<i32>(words[23]).reply("Node.tables")?], [stub::int::<i32>(words[24]).reply("Node.tables")?, stub::int::<i32>(words[25]).reply("Node.tables")?, stub::int::<i32>(words[26]).reply("Node.tables")?]],
            key: stub::array(stub::bytes_output(&mut outputs[0], 16)).reply("Node.tables")?,
            names: [stub::string_output(&mut outputs[1], 8).reply("Node.tables")?, stub::string_output(&mut outputs[2], 8).reply("Node.tables")?],
        };
        let b = [stub::int::<i32>(words[30]).reply("Node.tables")?, stub::int::<i32>(words[31]).reply("Node.tables")?, stub::int::<i32>(words[32])
            .reply("Node.tables")?];
        *c = c_area;
        Ok((result, b))
    }

    /// The operation `key`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn key(
        &self,
        a: &[u8; 16],
        c: &[[u8; 16]],
    ) -> Result<([u8; 16], Vec<[u8; 16]>), stub::Failure> {
        let c_area = stub::list_area(c, 4, |each, area| Ok([stub::add_bytes(area, each, 16)?]))
            .argument("Node.key", "c")?;
        let mut words = [
            stub::bytes_word(0, a, 16).argument("Node.key", "a")?,
            stub::area(1),
            stub::area(2),
            stub::area(3),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            7,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::List(&c_area)],
            &mut outputs,
            &[],
        )?;
        let result = stub::array(stub::bytes_output(&mut outputs[0], 16)).reply("Node.key")?;
        let b = stub::list(&outputs[1], 4, |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?))
            .reply("Node.key")?;
        Ok((result, b))
    }

    /// The operation `key`, with what comes back in buffers of the caller's: `b`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn key_into(
        &self,
        a: &[u8; 16],
        c: &[[u8; 16]],
        b: &mut Vec<[u8; 16]>,
    ) -> Result<[u8; 16], stub::Failure> {
        let c_area = stub::list_area(c, 4, |each, area| Ok([stub::add_bytes(area, each, 16)?]))
            .argument("Node.key", "c")?;
        let mut words = [
            stub::bytes_word(0, a, 16).argument("Node.key", "a")?,
            stub::area(1),
            stub::area(2),
            stub::area(3),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            7,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::List(&c_area)],
            &mut outputs,
            &[],
        )?;
        let result = stub::array(stub::bytes_output(&mut outputs[0], 16)).reply("Node.key")?;
        stub::list_into(
            &outputs[1],
            4,
            |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?),
            b,
        ).reply("Node.key")?;
        Ok(result)
    }

    /// The operation `value`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn value(&self, a: &Value, c: &Many) -> Result<(Value, Many), stub::Failure> {
        let mut words = [
            0,
            0,
            stub::bytes_word(0, a.part(0), 8).argument("Node.value", "a")?,
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
            stub::bytes_word(1, c.part(0), 16).argument("Node.value", "c")?,
            stub::bytes_word(2, c.part(1), 16).argument("Node.value", "c")?,
            stub::bytes_word(3, c.part(2), 16).argument("Node.value", "c")?,
            0,
            0,
            stub::area(4),
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
            stub::area(5),
            stub::area(6),
            stub::area(7),
        ];
        words[0..2].copy_from_slice(&a.words().argument("Node.value", "a")?);
        words[3..13].copy_from_slice(&c.words().argument("Node.value", "c")?);
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(
            8,
            &mut words,
            &[stub::Input::Bytes(a.part(0)), stub::Input::Bytes(c.part(0)), stub::Input::Bytes(c.part(1)), stub::Input::Bytes(c.part(2))],
            &mut outputs,
            &[],
        )?;
        let result = Value::read([words[16], words[17]], [stub::bytes_output(&mut outputs[0], 8).reply("Node.value")?])
            .reply("Node.value")?;
        let b = Many::read([words[19], words[20], words[21], words[22], words[23], words[24], words[25], words[26], words[27], words[28]], [stub::bytes_output(&mut outputs[1], 16).reply("Node.value")?, stub::bytes_output(&mut outputs[2], 16).reply("Node.value")?, stub::bytes_output(&mut outputs[3], 16).reply("Node.value")?])
            .reply("Node.value")?;
        Ok((result, b))
    }

    /// The operation `labelled`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn labelled(&self, a: &[Labelled]) -> Result<Vec<Labelled>, stub::Failure> {
        let a_area = stub::list_area(a, 3, Labelled::write).argument("Node.labelled", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(9, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, Labelled::read).reply("Node.labelled")?;
        Ok(result)
    }

    /// The operation `labelled`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn labelled_into(
        &self,
        a: &[Labelled],
        result: &mut Vec<Labelled>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, Labelled::write).argument("Node.labelled", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(9, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 3, Labelled::read, result).reply("Node.labelled")?;
        Ok(())
    }

    /// The operation `manies`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn manies(&self, a: &[Many]) -> Result<Vec<Many>, stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| { let mut words = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, stub::add_bytes(area, each.part(0), 16)?, stub::add_bytes(area, each.part(1), 16)?, stub::add_bytes(area, each.part(2), 16)?]; words[0..10].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Node.manies", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(10, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 13], area| Ok(Many::read([words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], words[9]], [stub::field_bytes(area, words[10], 16)?, stub::field_bytes(area, words[11], 16)?, stub::field_bytes(area, words[12], 16)?])?))
            .reply("Node.manies")?;
        Ok(result)
    }

    /// The operation `manies`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn manies_into(&self, a: &[Many], result: &mut Vec<Many>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| { let mut words = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, stub::add_bytes(area, each.part(0), 16)?, stub::add_bytes(area, each.part(1), 16)?, stub::add_bytes(area, each.part(2), 16)?]; words[0..10].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Node.manies", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(10, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 13], area| Ok(Many::read([words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], words[9]], [stub::field_bytes(area, words[10], 16)?, stub::field_bytes(area, words[11], 16)?, stub::field_bytes(area, words[12], 16)?])?),
            result,
        ).reply("Node.manies")?;
        Ok(())
    }

    /// The operation `triples`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn triples(&self, a: &[[i32; 3]]) -> Result<Vec<[i32; 3]>, stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::word(each[0]), stub::word(each[1]), stub::word(each[2])]))
            .argument("Node.triples", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(11, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 3], _| Ok([stub::int::<i32>(words[0])?, stub::int::<i32>(words[1])?, stub::int::<i32>(words[2])?]))
            .reply("Node.triples")?;
        Ok(result)
    }

    /// The operation `triples`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn triples_into(
        &self,
        a: &[[i32; 3]],
        result: &mut Vec<[i32; 3]>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::word(each[0]), stub::word(each[1]), stub::word(each[2])]))
            .argument("Node.triples", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(11, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 3], _| Ok([stub::int::<i32>(words[0])?, stub::int::<i32>(words[1])?, stub::int::<i32>(words[2])?]),
            result,
        ).reply("Node.triples")?;
        Ok(())
    }

    /// The operation `reals`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn reals(&self, a: &[f64]) -> Result<Vec<f64>, stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([each.to_bits()])).argument("Node.reals", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))
            .reply("Node.reals")?;
        Ok(result)
    }

    /// The operation `reals`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn reals_into(&self, a: &[f64], result: &mut Vec<f64>) -> Result<(), stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([each.to_bits()])).argument("Node.reals", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], _| Ok(f64::from_bits(words[0])),
            result,
        ).reply("Node.reals")?;
        Ok(())
    }

    /// The operation `link`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn link(&self, a: &Link) -> Result<Link, stub::Failure> {
        let mut words = [
            0,
            stub::string_word(0, &a.name, 8).argument("Node.link", "a")?,
            0,
            stub::area(1),
        ];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            13,
            &mut words,
            &[stub::Input::Bytes(&a.name)],
            &mut outputs,
            &[a.node.portal()],
        )?;
        let result = Link {
            node: Node::from_portal(stub::made(&made, words[2]).reply("Node.link")?),
            name: stub::string_output(&mut outputs[0], 8).reply("Node.link")?,
        };
        Ok(result)
    }

    /// The operation `links`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn links(&self, a: &[Link]) -> Result<Vec<Link>, stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::hand(&mut portals, each.node.portal()), stub::add_string(area, &each.name, 8)?]))
            .argument("Node.links", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            14,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 2], area| Ok(Link { node: Node::from_portal(stub::made(&made, words[0])?), name: stub::field_string(area, words[1], 8)? }))
            .reply("Node.links")?;
        Ok(result)
    }

    /// The operation `links`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn links_into(&self, a: &[Link], result: &mut Vec<Link>) -> Result<(), stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::hand(&mut portals, each.node.portal()), stub::add_string(area, &each.name, 8)?]))
            .argument("Node.links", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            14,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 2], area| Ok(Link { node: Node::from_portal(stub::made(&made, words[0])?), name: stub::field_string(area, words[1], 8)? }),
            result,
        ).reply("Node.links")?;
        Ok(())
    }

    /// The operation `nodes`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn nodes(&self, a: &[Node]) -> Result<Vec<Node>, stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Node.nodes", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            15,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], _| Ok(Node::from_portal(stub::made(&made, words[0])?)))
            .reply("Node.nodes")?;
        Ok(result)
    }

    /// The operation `nodes`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn nodes_into(&self, a: &[Node], result: &mut Vec<Node>) -> Result<(), stub::Failure> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let a_area = stub::list_area(a, 3, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Node.nodes", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        let made = self.client.call(
            15,
            &mut words,
            &[stub::Input::List(&a_area)],
            &mut outputs,
            &portals,
        )?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], _| Ok(Node::from_portal(stub::made(&made, words[0])?)),
            result,
        ).reply("Node.nodes")?;
        Ok(())
    }

    /// The operation `fail`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn fail(&self, how: i32) -> Result<(), stub::CallError<NodeFailError>> {
        if let Some(near) = self.near.get() {
            near.call(16, |service, caller| service.fail(caller, how))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::word(how), 0, 0, 0, 0, 0];
            self.client.short(16, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `fail_alone`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn fail_alone(&self) -> Result<(), stub::CallError<Busy>> {
        if let Some(near) = self.near.get() {
            near.call(17, |service, caller| service.fail_alone(caller))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(17, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `tell`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tell(&self, a: i32, b: &[u8]) -> Result<(), stub::Failure> {
        let mut words = [stub::word(a), stub::string_word(0, b, 8).argument("Node.tell", "b")?];
        self.client.call(18, &mut words, &[stub::Input::Bytes(b)], &mut [], &[])?;
        Ok(())
    }

    /// The operation `unbounded`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn unbounded(&self, a: &[u8], b: &[Labelled]) -> Result<Vec<u8>, stub::Failure> {
        let b_area = stub::list_area(b, 32768, Labelled::write).argument("Node.unbounded", "b")?;
        let mut words = [
            stub::bytes_word(0, a, 1048576).argument("Node.unbounded", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(
            19,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        let result = stub::string_output(&mut outputs[0], 4096).reply("Node.unbounded")?;
        Ok(result)
    }

    /// The operation `unbounded`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn unbounded_into(
        &self,
        a: &[u8],
        b: &[Labelled],
        result: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let b_area = stub::list_area(b, 32768, Labelled::write).argument("Node.unbounded", "b")?;
        let mut words = [
            stub::bytes_word(0, a, 1048576).argument("Node.unbounded", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::room(result)];
        let made = self.client.call(
            19,
            &mut words,
            &[stub::Input::Bytes(a), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [(0, &mut *result)]);
        made?;
        stub::bounded_string(result, 4096).reply("Node.unbounded")?;
        Ok(())
    }

    /// The operation `letter`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn letter(&self, a: u8, b: &[u8]) -> Result<u8, stub::Failure> {
        if let Some(near) = self.near.get() {
            let b = stub::bounded(b, 8).argument("Node.letter", "b")?;
            let result = near.call(20, |service, caller| service.letter(caller, a, b))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                u64::from(a),
                stub::bytes_word(0, b, 8).argument("Node.letter", "b")?,
                0,
                0,
                0,
                0,
            ];
            self.client.short(20, &mut words, b)?;
            let result = stub::int::<u8>(words[2]).reply("Node.letter")?;
            Ok(result)
        })
    }

    /// The operation `turn`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn turn(
        &self,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &[u8],
    ) -> Result<Vec<u8>, stub::CallError<Plain>> {
        let mut words = [
            stub::string_word(0, c, 8).argument("Node.turn", "c")?,
            stub::string_word(1, a, 8).argument("Node.turn", "a")?,
            stub::bytes_word(2, b, 2000).argument("Node.turn", "b")?,
            stub::area(5),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            21,
            &mut words,
            &[stub::Input::Bytes(c), stub::Input::Bytes(a), stub::Input::Bytes(b)],
            &mut outputs,
            &[],
        )?;
        let a_area = stub::string_output(&mut outputs[0], 8).reply("Node.turn")?;
        let b_area = stub::bytes_output(&mut outputs[1], 2000).reply("Node.turn")?;
        let result = stub::string_output(&mut outputs[2], 8).reply("Node.turn")?;
        *a = a_area;
        *b = b_area;
        Ok(result)
    }

    /// The operation `turn`, with what comes back in buffers of the caller's: `a` in `a_back`, `b` in `b_back`, `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn turn_into(
        &self,
        a: &[u8],
        b: &[u8],
        c: &[u8],
        a_back: &mut Vec<u8>,
        b_back: &mut Vec<u8>,
        result: &mut Vec<u8>,
    ) -> Result<(), stub::CallError<Plain>> {
        let mut words = [
            stub::string_word(0, c, 8).argument("Node.turn", "c")?,
            stub::string_word(1, a, 8).argument("Node.turn", "a")?,
            stub::bytes_word(2, b, 2000).argument("Node.turn", "b")?,
            stub::area(5),
        ];
        let mut outputs = [stub::room(a_back), stub::room(b_back), stub::room(result)];
        let made = self.client.call(
            21,
            &mut words,
            &[stub::Input::Bytes(c), stub::Input::Bytes(a), stub::Input::Bytes(b)],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [(0, &mut *a_back), (1, &mut *b_back), (2, &mut *result)]);
        made?;
        stub::bounded_string(a_back, 8).reply("Node.turn")?;
        stub::bounded(b_back, 2000).reply("Node.turn")?;
        stub::bounded_string(result, 8).reply("Node.turn")?;
        Ok(())
    }

    /// The operation `reshape`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn reshape(
        &self,
        a: &mut Tables,
        b: &mut [u8; 16],
        c: &mut Value,
        d: &mut Many,
    ) -> Result<(), stub::Failure> {
        let mut words = [
            stub::word(a.triple[0]),
            stub::word(a.triple[1]),
            stub::word(a.triple[2]),
            stub::word(a.table[0][0]),
            stub::word(a.table[0][1]),
            stub::word(a.table[0][2]),
            stub::word(a.table[1][0]),
            stub::word(a.table[1][1]),
            stub::word(a.table[1][2]),
            stub::bytes_word(0, &a.key, 16).argument("Node.reshape", "a")?,
            stub::string_word(1, &a.names[0], 8).argument("Node.reshape", "a")?,
            stub::string_word(2, &a.names[1], 8).argument("Node.reshape", "a")?,
            stub::bytes_word(3, b, 16).argument("Node.reshape", "b")?,
            0,
            0,
            stub::bytes_word(4, c.part(0), 8).argument("Node.reshape", "c")?,
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
            stub::bytes_word(5, d.part(0), 16).argument("Node.reshape", "d")?,
            stub::bytes_word(6, d.part(1), 16).argument("Node.reshape", "d")?,
            stub::bytes_word(7, d.part(2), 16).argument("Node.reshape", "d")?,
        ];
        words[13..15].copy_from_slice(&c.words().argument("Node.reshape", "c")?);
        words[16..26].copy_from_slice(&d.words().argument("Node.reshape", "d")?);
        let mut outputs = [
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
            22,
            &mut words,
            &[stub::Input::Bytes(&a.key), stub::Input::Bytes(&a.names[0]), stub::Input::Bytes(&a.names[1]), stub::Input::Bytes(b), stub::Input::Bytes(c.part(0)), stub::Input::Bytes(d.part(0)), stub::Input::Bytes(d.part(1)), stub::Input::Bytes(d.part(2))],
            &mut outputs,
            &[],
        )?;
        let a_area = Tables {
            triple: [stub::int::<i32>(words[0]).reply("Node.reshape")?, stub::int::<i32>(words[1]).reply("Node.reshape")?, stub::int::<i32>(words[2]).reply("Node.reshape")?],
            table: [[stub::int::<i32>(words[3]).reply("Node.reshape")?, stub::int::<i32>(words[4]).reply("Node.reshape")?, stub::int::<i32>(words[5]).reply("Node.reshape")?], [stub::int::<i32>(words[6]).reply("Node.reshape")?, stub::int::<i32>(words[7]).reply("Node.reshape")?, stub::int::<i32>(words[8]).reply("Node.reshape")?]],
            key: stub::array(stub::bytes_output(&mut outputs[0], 16)).reply("Node.reshape")?,
            names: [stub::string_output(&mut outputs[1], 8).reply("Node.reshape")?, stub::string_output(&mut outputs[2], 8).reply("Node.reshape")?],
        };
        let b_area = stub::array(stub::bytes_output(&mut outputs[3], 16)).reply("Node.reshape")?;
        let c_area = Value::read([words[13], words[14]], [stub::bytes_output(&mut outputs[4], 8).reply("Node.reshape")?])
            .reply("Node.reshape")?;
        let d_area = Many::read([words[16], words[17], words[18], words[19], words[20], words[21], words[22], words[23], words[24], words[25]], [stub::bytes_output(&mut outputs[5], 16).reply("Node.reshape")?, stub::bytes_output(&mut outputs[6], 16).reply("Node.reshape")?, stub::bytes_output(&mut outputs[7], 16).reply("Node.reshape")?])
            .reply("Node.reshape")?;
        *a = a_area;
        *b = b_area;
        *c = c_area;
        *d = d_area;
        Ok(())
    }

    /// The operation `relabel`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn relabel(
        &self,
        a: &mut Vec<Labelled>,
        b: &mut Vec<Vec<u8>>,
        add: i32,
        c: &mut Vec<i32>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, Labelled::write).argument("Node.relabel", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))
            .argument("Node.relabel", "b")?;
        let c_area =
            stub::list_area(c, 3, |&each, _| Ok([stub::word(each)])).argument("Node.relabel", "c")?;
        let mut words = [stub::word(add), stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            23,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area), stub::Input::List(&c_area)],
            &mut outputs,
            &[],
        )?;
        let a_area = stub::list(&outputs[0], 3, Labelled::read).reply("Node.relabel")?;
        let b_area = stub::list(&outputs[1], 3, |words: &[u64; 1], area| stub::field_string(area, words[0], 8))
            .reply("Node.relabel")?;
        let c_area = stub::list(&outputs[2], 3, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Node.relabel")?;
        *a = a_area;
        *b = b_area;
        *c = c_area;
        Ok(())
    }

    /// The operation `relabel`, with what comes back in buffers of the caller's: `a` in `a_back`, `b` in `b_back`, `c` in `c_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn relabel_into(
        &self,
        a: &[Labelled],
        b: &[Vec<u8>],
        add: i32,
        c: &[i32],
        a_back: &mut Vec<Labelled>,
        b_back: &mut Vec<Vec<u8>>,
        c_back: &mut Vec<i32>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, Labelled::write).argument("Node.relabel", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))
            .argument("Node.relabel", "b")?;
        let c_area =
            stub::list_area(c, 3, |&each, _| Ok([stub::word(each)])).argument("Node.relabel", "c")?;
        let mut words = [stub::word(add), stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            23,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area), stub::Input::List(&c_area)],
            &mut outputs,
            &[],
        )?;
        stub::list_into(&outputs[0], 3, Labelled::read, a_back).reply("Node.relabel")?;
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 8),
            b_back,
        ).reply("Node.relabel")?;
        stub::list_into(
            &outputs[2],
            3,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            c_back,
        ).reply("Node.relabel")?;
        Ok(())
    }

    /// The operation `climb`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn climb(&self, by: i32, a: &mut Node) -> Result<(Node, i32), stub::Failure> {
        let mut words = [stub::word(by), 0, 0, 0];
        let made = self.client.call(24, &mut words, &[], &mut [], &[a.portal()])?;
        let a_area = Node::from_portal(stub::made(&made, words[1]).reply("Node.climb")?);
        let result = Node::from_portal(stub::made(&made, words[2]).reply("Node.climb")?);
        let level = stub::int::<i32>(words[3]).reply("Node.climb")?;
        *a = a_area;
        Ok((result, level))
    }

    /// The operation `relink`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn relink(
        &self,
        a: &mut Link,
        b: &mut Vec<Link>,
        c: &mut Vec<Node>,
    ) -> Result<(), stub::CallError<NodeRelinkError>> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::hand(&mut portals, each.node.portal()), stub::add_string(area, &each.name, 8)?]))
            .argument("Node.relink", "b")?;
        let c_area = stub::list_area(c, 3, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Node.relink", "c")?;
        let mut words = [
            stub::hand(&mut portals, a.node.portal()),
            stub::string_word(0, &a.name, 8).argument("Node.relink", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        let made = self.client.call(
            25,
            &mut words,
            &[stub::Input::Bytes(&a.name), stub::Input::List(&b_area), stub::Input::List(&c_area)],
            &mut outputs,
            &portals,
        )?;
        let a_area = Link {
            node: Node::from_portal(stub::made(&made, words[0]).reply("Node.relink")?),
            name: stub::string_output(&mut outputs[0], 8).reply("Node.relink")?,
        };
        let b_area = stub::list(&outputs[1], 3, |words: &[u64; 2], area| Ok(Link { node: Node::from_portal(stub::made(&made, words[0])?), name: stub::field_string(area, words[1], 8)? }))
            .reply("Node.relink")?;
        let c_area = stub::list(&outputs[2], 3, |words: &[u64; 1], _| Ok(Node::from_portal(stub::made(&made, words[0])?)))
            .reply("Node.relink")?;
        *a = a_area;
        *b = b_area;
        *c = c_area;
        Ok(())
    }

    /// The operation `relink`, with what comes back in buffers of the caller's: `b` in `b_back`, `c` in `c_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn relink_into(
        &self,
        a: &mut Link,
        b: &[Link],
        c: &[Node],
        b_back: &mut Vec<Link>,
        c_back: &mut Vec<Node>,
    ) -> Result<(), stub::CallError<NodeRelinkError>> {
        let mut portals: Vec<&stub::Portal> = Vec::new();
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::hand(&mut portals, each.node.portal()), stub::add_string(area, &each.name, 8)?]))
            .argument("Node.relink", "b")?;
        let c_area = stub::list_area(c, 3, |each, _| Ok([stub::hand(&mut portals, each.portal())]))
            .argument("Node.relink", "c")?;
        let mut words = [
            stub::hand(&mut portals, a.node.portal()),
            stub::string_word(0, &a.name, 8).argument("Node.relink", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        let made = self.client.call(
            25,
            &mut words,
            &[stub::Input::Bytes(&a.name), stub::Input::List(&b_area), stub::Input::List(&c_area)],
            &mut outputs,
            &portals,
        )?;
        let a_area = Link {
            node: Node::from_portal(stub::made(&made, words[0]).reply("Node.relink")?),
            name: stub::string_output(&mut outputs[0], 8).reply("Node.relink")?,
        };
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 2], area| Ok(Link { node: Node::from_portal(stub::made(&made, words[0])?), name: stub::field_string(area, words[1], 8)? }),
            b_back,
        ).reply("Node.relink")?;
        stub::list_into(
            &outputs[2],
            3,
            |words: &[u64; 1], _| Ok(Node::from_portal(stub::made(&made, words[0])?)),
            c_back,
        ).reply("Node.relink")?;
        *a = a_area;
        Ok(())
    }
}

/// An object of a [`NodeService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeAt(pub stub::Number);

impl From<stub::Number> for NodeAt {
    fn from(number: stub::Number) -> NodeAt {
        NodeAt(number)
    }
}

impl From<NodeAt> for stub::Number {
    fn from(at: NodeAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NodeAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl NodeService) -> stub::Kept<NodeAt> {
        stub::keep::<NodeServer, _, _>(service)
    }

    /// The operation `_get_level`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn level(self, channel: &mut impl stub::Channel) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Node, 0>(self.0, channel, 0, [])?;
        Ok(result)
    }

    /// The operation `_set_level`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_level(
        self,
        channel: &mut impl stub::Channel,
        value: i32,
    ) -> Result<(), stub::Failure> {
        stub::call_narrow::<Node, 1>(self.0, channel, 1, [value])?;
        Ok(())
    }

    /// The operation `_get_height`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn height(self, channel: &mut impl stub::Channel) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Node, 0>(self.0, channel, 2, [])?;
        Ok(result)
    }

    /// The operation `_set_height`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn set_height(
        self,
        channel: &mut impl stub::Channel,
        value: i32,
    ) -> Result<(), stub::Failure> {
        stub::call_narrow::<Node, 1>(self.0, channel, 3, [value])?;
        Ok(())
    }

    /// The operation `_get_name`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn name<'c>(
        self,
        channel: &'c mut impl stub::Channel,
    ) -> Result<&'c [u8], stub::CallError<Plain>> {
        let place = &mut 0;
        stub::call_out::<Node, 5, 5, 5>(self.0, channel, 4, 0, place, 0)?;
        let result =
            stub::bounded_string(stub::Channel::reply(channel), 8).reply("Node._get_name")?;
        Ok(result)
    }

    /// The operation `fail`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn fail(
        self,
        channel: &mut impl stub::Channel,
        how: i32,
    ) -> Result<(), stub::CallError<NodeFailError>> {
        stub::call_narrow::<Node, 1>(self.0, channel, 16, [how])?;
        Ok(())
    }

    /// The operation `fail_alone`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn fail_alone(self, channel: &mut impl stub::Channel) -> Result<(), stub::CallError<Busy>> {
        stub::call::<Node, 0>(self.0, channel, 17, [])?;
        Ok(())
    }

    /// The operation `letter`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn letter(
        self,
        channel: &mut impl stub::Channel,
        a: u8,
        b: &[u8],
    ) -> Result<u8, stub::Failure> {
        let place = &mut 0;
        let result = stub::call_in::<Node, 0, 5, 5, 1>(
            self.0,
            channel,
            20,
            u64::from(a),
            place,
            0,
            b,
        )?;
        let result = stub::int::<u8>(result.cast_unsigned()).reply("Node.letter")?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct NodeServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: NodeService> stub::Dispatch<S> for NodeServer {
    type Interface = Node;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Node>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
            2 => Self::op_2(service, call.caller, stub::block(call.words)?),
            3 => Self::op_3(service, call.caller, stub::block(call.words)?),
            4 => {
                let mut area = call.take(0)?;
                Self::op_4(service, call.caller, stub::block(call.words)?, &mut area.bytes)?;
                call.put(0, area)
            }
            5 => Self::op_5(service, call),
            6 => Self::op_6(service, call),
            7 => Self::op_7(service, call),
            8 => Self::op_8(service, call),
            9 => Self::op_9(service, call),
            10 => Self::op_10(service, call),
            11 => Self::op_11(service, call),
            12 => Self::op_12(service, call),
            13 => Self::op_13(service, call),
            14 => Self::op_14(service, call),
            15 => Self::op_15(service, call),
            16 => Self::op_16(service, call.caller, stub::block(call.words)?),
            17 => Self::op_17(service, call.caller, stub::block(call.words)?),
            18 => {
                let piece = stub::piece(call.areas, call.words, 1).argument("Node.tell", "b")?;
                Self::op_18(service, call.caller, stub::block(call.words)?, piece)
            }
            19 => Self::op_19(service, call),
            20 => {
                let piece = stub::piece(call.areas, call.words, 1).argument("Node.letter", "b")?;
                Self::op_20(service, call.caller, stub::block(call.words)?, piece)
            }
            21 => Self::op_21(service, call),
            22 => Self::op_22(service, call),
            23 => Self::op_23(service, call),
            24 => Self::op_24(service, call),
            25 => Self::op_25(service, call),
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
            0 => Self::op_0(service, caller, stub::head(words)?),
            1 => Self::op_1(service, caller, stub::head(words)?),
            2 => Self::op_2(service, caller, stub::head(words)?),
            3 => Self::op_3(service, caller, stub::head(words)?),
            16 => Self::op_16(service, caller, stub::head(words)?),
            17 => Self::op_17(service, caller, stub::head(words)?),
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
            18 => Self::op_18(service, caller, stub::head(words)?, piece),
            20 => Self::op_20(service, caller, stub::head(words)?, piece),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        _: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        match op {
            4 => Self::op_4(service, caller, stub::head(words)?, out),
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
            0 => Self::plain_0(service, caller, [w0, w1, w2, w3]),
            1 => Self::plain_1(service, caller, [w0, w1, w2, w3]),
            2 => Self::plain_2(service, caller, [w0, w1, w2, w3]),
            3 => Self::plain_3(service, caller, [w0, w1, w2, w3]),
            16 => Self::plain_16(service, caller, [w0, w1, w2, w3]),
            17 => Self::plain_17(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            20 => {
                let (caller, w0, place, w1, piece) = from.take::<0, 5, 5, 1>()?;
                Self::plain_20(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            4 => {
                let (caller, w0, place, w1, out) = from.take::<5, 5, 5>();
                Self::plain_4(service, caller, w0, place, w1, out)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few_narrow(
        service: &S,
        op: &u32,
        caller: &stub::Caller,
        w0: i32,
        w1: i32,
        w2: i32,
        w3: i32,
    ) -> stub::Narrow {
        match *op {
            0 => Self::narrow_0(service, caller, [w0, w1, w2, w3]),
            1 => Self::narrow_1(service, caller, [w0, w1, w2, w3]),
            2 => Self::narrow_2(service, caller, [w0, w1, w2, w3]),
            3 => Self::narrow_3(service, caller, [w0, w1, w2, w3]),
            16 => Self::narrow_16(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl NodeServer {
    /// `Node._get_level`.
    #[inline]
    fn op_0(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.level(caller)?;
        words[0] = stub::word(result);
        Ok(())
    }

    /// `Node._set_level`.
    #[inline]
    fn op_1(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = stub::int::<i32>(words[0]).argument("Node._set_level", "value")?;
        service.set_level(caller, value)?;
        Ok(())
    }

    /// `Node._get_height`.
    #[inline]
    fn op_2(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.height(caller)?;
        words[0] = stub::word(result);
        Ok(())
    }

    /// `Node._set_height`.
    #[inline]
    fn op_3(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = stub::int::<i32>(words[0]).argument("Node._set_height", "value")?;
        service.set_height(caller, value)?;
        Ok(())
    }

    /// `Node._get_name`.
    #[inline]
    fn op_4(
        service: &impl NodeService,
        caller: &stub::Caller,
        _words: &mut [u64; 1],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let mut result = stub::BytesOut::new(result_area, 8);
        service.name(caller, &mut result)?;
        result.finish_string("Node._get_name")?;
        Ok(())
    }

    /// `Node.numbers`.
    #[inline(never)]
    fn op_5(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<34>(call.words)?;
        let a = Numbers {
            a: stub::int::<i8>(words[0]).argument("Node.numbers", "a")?,
            b: stub::int::<u8>(words[1]).argument("Node.numbers", "a")?,
            c: stub::int::<i16>(words[2]).argument("Node.numbers", "a")?,
            d: stub::int::<u16>(words[3]).argument("Node.numbers", "a")?,
            e: stub::int::<i32>(words[4]).argument("Node.numbers", "a")?,
            f: stub::int::<u32>(words[5]).argument("Node.numbers", "a")?,
            g: words[6].cast_signed(),
            h: stub::u64(words[7]).argument("Node.numbers", "a")?,
            i: stub::int::<u8>(words[8]).argument("Node.numbers", "a")?,
            j: stub::f32(words[9]).argument("Node.numbers", "a")?,
            k: f64::from_bits(words[10]),
        };
        let mut b = Numbers {
            a: stub::int::<i8>(words[11]).argument("Node.numbers", "b")?,
            b: stub::int::<u8>(words[12]).argument("Node.numbers", "b")?,
            c: stub::int::<i16>(words[13]).argument("Node.numbers", "b")?,
            d: stub::int::<u16>(words[14]).argument("Node.numbers", "b")?,
            e: stub::int::<i32>(words[15]).argument("Node.numbers", "b")?,
            f: stub::int::<u32>(words[16]).argument("Node.numbers", "b")?,
            g: words[17].cast_signed(),
            h: stub::u64(words[18]).argument("Node.numbers", "b")?,
            i: stub::int::<u8>(words[19]).argument("Node.numbers", "b")?,
            j: stub::f32(words[20]).argument("Node.numbers", "b")?,
            k: f64::from_bits(words[21]),
        };
        let (result, c) = service.numbers(call.caller, &a, &mut b)?;
        words[11] = stub::word(b.a);
        words[12] = stub::word(b.b);
        words[13] = stub::word(b.c);
        words[14] = stub::word(b.d);
        words[15] = stub::word(b.e);
        words[16] = stub::word(b.f);
        words[17] = b.g.cast_unsigned();
        words[18] = stub::u64_result(b.h, "Node.numbers")?;
        words[19] = u64::from(b.i);
        words[20] = u64::from(b.j.to_bits());
        words[21] = b.k.to_bits();
        words[22] = stub::word(result.a);
        words[23] = stub::word(result.b);
        words[24] = stub::word(result.c);
        words[25] = stub::word(result.d);
        words[26] = stub::word(result.e);
        words[27] = stub::word(result.f);
        words[28] = result.g.cast_unsigned();
        words[29] = stub::u64_result(result.h, "Node.numbers")?;
        words[30] = u64::from(result.i);
        words[31] = u64::from(result.j.to_bits());
        words[32] = result.k.to_bits();
        words[33] = u64::from(c.to_bits());
        Ok(())
    }

    /// `Node.tables`.
    #[inline(never)]
    fn op_6(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<33>(call.words)?;
        let a = Tables {
            triple: [stub::int::<i32>(words[0]).argument("Node.tables", "a")?, stub::int::<i32>(words[1]).argument("Node.tables", "a")?, stub::int::<i32>(words[2]).argument("Node.tables", "a")?],
            table: [[stub::int::<i32>(words[3]).argument("Node.tables", "a")?, stub::int::<i32>(words[4]).argument("Node.tables", "a")?, stub::int::<i32>(words[5]).argument("Node.tables", "a")?], [stub::int::<i32>(words[6]).argument("Node.tables", "a")?, stub::int::<i32>(words[7]).argument("Node.tables", "a")?, stub::int::<i32>(words[8]).argument("Node.tables", "a")?]],
            key: stub::array(stub::bytes(call.areas, words[9], 16)).argument("Node.tables", "a")?,
            names: [stub::string(call.areas, words[10], 8).argument("Node.tables", "a")?.to_vec(), stub::string(call.areas, words[11], 8).argument("Node.tables", "a")?.to_vec()],
        };
        let mut c = [[stub::int::<i32>(words[12]).argument("Node.tables", "c")?, stub::int::<i32>(words[13]).argument("Node.tables", "c")?, stub::int::<i32>(words[14]).argument("Node.tables", "c")?], [stub::int::<i32>(words[15]).argument("Node.tables", "c")?, stub::int::<i32>(words[16]).argument("Node.tables", "c")?, stub::int::<i32>(words[17])
            .argument("Node.tables", "c")?]];
        let (result, b) = service.tables(call.caller, &a, &mut c)?;
        words[12] = stub::word(c[0][0]);
        words[13] = stub::word(c[0][1]);
        words[14] = stub::word(c[0][2]);
        words[15] = stub::word(c[1][0]);
        words[16] = stub::word(c[1][1]);
        words[17] = stub::word(c[1][2]);
        words[18] = stub::word(result.triple[0]);
        words[19] = stub::word(result.triple[1]);
        words[20] = stub::word(result.triple[2]);
        words[21] = stub::word(result.table[0][0]);
        words[22] = stub::word(result.table[0][1]);
        words[23] = stub::word(result.table[0][2]);
        words[24] = stub::word(result.table[1][0]);
        words[25] = stub::word(result.table[1][1]);
        words[26] = stub::word(result.table[1][2]);
        words[27] = stub::put_bytes(call.areas, words[27], &result.key, 16, "Node.tables")?;
        words[28] = stub::put_string(call.areas, words[28], &result.names[0], 8, "Node.tables")?;
        words[29] = stub::put_string(call.areas, words[29], &result.names[1], 8, "Node.tables")?;
        words[30] = stub::word(b[0]);
        words[31] = stub::word(b[1]);
        words[32] = stub::word(b[2]);
        Ok(())
    }

    /// `Node.key`.
    #[inline(never)]
    fn op_7(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut b_area = call.areas.take(words[3])?;
        let a = stub::array(stub::bytes(call.areas, words[0], 16)).argument("Node.key", "a")?;
        let c = stub::list_in(call.areas, words[1], 4, |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?))
            .argument("Node.key", "c")?;
        let mut b = U8x16List(stub::ListOut::new(&mut b_area, 4));
        let result = service.key(call.caller, &a, &c, &mut b)?;
        words[2] = stub::put_bytes(call.areas, words[2], &result, 16, "Node.key")?;
        b.0.finish("Node.key")?;
        words[3] = call.areas.put(words[3], b_area)?;
        Ok(())
    }

    /// `Node.value`.
    #[inline(never)]
    fn op_8(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<32>(call.words)?;
        let a = Value::read([words[0], words[1]], [stub::bytes(call.areas, words[2], 8).argument("Node.value", "a")?.to_vec()])
            .argument("Node.value", "a")?;
        let c = Many::read([words[3], words[4], words[5], words[6], words[7], words[8], words[9], words[10], words[11], words[12]], [stub::bytes(call.areas, words[13], 16).argument("Node.value", "c")?.to_vec(), stub::bytes(call.areas, words[14], 16).argument("Node.value", "c")?.to_vec(), stub::bytes(call.areas, words[15], 16).argument("Node.value", "c")?.to_vec()])
            .argument("Node.value", "c")?;
        let (result, b) = service.value(call.caller, &a, &c)?;
        words[16..18].copy_from_slice(&result.words().given("Node.value")?);
        words[18] = stub::put_bytes(call.areas, words[18], result.part(0), 8, "Node.value")?;
        words[19..29].copy_from_slice(&b.words().given("Node.value")?);
        words[29] = stub::put_bytes(call.areas, words[29], b.part(0), 16, "Node.value")?;
        words[30] = stub::put_bytes(call.areas, words[30], b.part(1), 16, "Node.value")?;
        words[31] = stub::put_bytes(call.areas, words[31], b.part(2), 16, "Node.value")?;
        Ok(())
    }

    /// `Node.labelled`.
    #[inline(never)]
    fn op_9(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a =
            stub::list_in(call.areas, words[0], 3, Labelled::read).argument("Node.labelled", "a")?;
        let mut result = LabelledList(stub::ListOut::new(&mut result_area, 3));
        service.labelled(call.caller, &a, &mut result)?;
        result.0.finish("Node.labelled")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Node.manies`.
    #[inline(never)]
    fn op_10(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 13], area| Ok(Many::read([words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], words[9]], [stub::field_bytes(area, words[10], 16)?, stub::field_bytes(area, words[11], 16)?, stub::field_bytes(area, words[12], 16)?])?))
            .argument("Node.manies", "a")?;
        let mut result = ManyList(stub::ListOut::new(&mut result_area, 3));
        service.manies(call.caller, &a, &mut result)?;
        result.0.finish("Node.manies")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Node.triples`.
    #[inline(never)]
    fn op_11(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 3], _| Ok([stub::int::<i32>(words[0])?, stub::int::<i32>(words[1])?, stub::int::<i32>(words[2])?]))
            .argument("Node.triples", "a")?;
        let mut result = I32x3List(stub::ListOut::new(&mut result_area, 3));
        service.triples(call.caller, &a, &mut result)?;
        result.0.finish("Node.triples")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Node.reals`.
    #[inline(never)]
    fn op_12(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))
            .argument("Node.reals", "a")?;
        let mut result = F64List(stub::ListOut::new(&mut result_area, 3));
        service.reals(call.caller, &a, &mut result)?;
        result.0.finish("Node.reals")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Node.link`.
    #[inline(never)]
    fn op_13(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = LinkGiven {
            node: stub::portal_in::<Node>(call.portals, words[0]).argument("Node.link", "a")?,
            name: stub::string(call.areas, words[1], 8).argument("Node.link", "a")?.to_vec(),
        };
        let result = service.link(call.caller, &a)?;
        words[2] = stub::make(call.made, result.node);
        words[3] = stub::put_string(call.areas, words[3], &result.name, 8, "Node.link")?;
        Ok(())
    }

    /// `Node.links`.
    #[inline(never)]
    fn op_14(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 2], area| Ok(LinkGiven { node: stub::portal_in::<Node>(call.portals, words[0])?, name: stub::field_string(area, words[1], 8)? }))
            .argument("Node.links", "a")?;
        let result = service.links(call.caller, &a)?;
        words[1] =
            stub::put_list(call.areas, words[1], result, 3, |each, area| Ok([stub::make(call.made, each.node), stub::add_string(area, &each.name, 8)?]), "Node.links")?;
        Ok(())
    }

    /// `Node.nodes`.
    #[inline(never)]
    fn op_15(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| Ok(stub::portal_in::<Node>(call.portals, words[0])?))
            .argument("Node.nodes", "a")?;
        let result = service.nodes(call.caller, &a)?;
        words[1] =
            stub::put_list(call.areas, words[1], result, 3, |each, _| Ok([stub::make(call.made, each)]), "Node.nodes")?;
        Ok(())
    }

    /// `Node.fail`.
    #[inline]
    fn op_16(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let how = stub::int::<i32>(words[0]).argument("Node.fail", "how")?;
        service.fail(caller, how)?;
        Ok(())
    }

    /// `Node.fail_alone`.
    #[inline]
    fn op_17(
        service: &impl NodeService,
        caller: &stub::Caller,
        _words: &mut [u64; 0],
    ) -> Result<(), stub::Failure> {
        service.fail_alone(caller)?;
        Ok(())
    }

    /// `Node.tell`.
    #[inline]
    fn op_18(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
        b: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Node.tell", "a")?;
        let b = stub::bounded_string(b, 8).argument("Node.tell", "b")?;
        service.tell(caller, a, b)?;
        Ok(())
    }

    /// `Node.unbounded`.
    #[inline(never)]
    fn op_19(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[2])?;
        let a = stub::bytes(call.areas, words[0], 1048576).argument("Node.unbounded", "a")?;
        let b = stub::list_in(call.areas, words[1], 32768, Labelled::read)
            .argument("Node.unbounded", "b")?;
        let mut result = stub::BytesOut::new(&mut result_area.bytes, 4096);
        service.unbounded(call.caller, a, &b, &mut result)?;
        result.finish_string("Node.unbounded")?;
        words[2] = call.areas.put(words[2], result_area)?;
        Ok(())
    }

    /// `Node.letter`.
    #[inline]
    fn op_20(
        service: &impl NodeService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
        b: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<u8>(words[0]).argument("Node.letter", "a")?;
        let b = stub::bounded(b, 8).argument("Node.letter", "b")?;
        let result = service.letter(caller, a, b)?;
        words[2] = u64::from(result);
        Ok(())
    }

    /// `Node.turn`.
    #[inline(never)]
    fn op_21(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut result_area = call.areas.take(words[3])?;
        let mut a = stub::take_string(call.areas, words[1], 8).argument("Node.turn", "a")?;
        let mut b = stub::take_bytes(call.areas, words[2], 2000).argument("Node.turn", "b")?;
        let c = stub::string(call.areas, words[0], 8).argument("Node.turn", "c")?;
        let mut result = stub::BytesOut::new(&mut result_area.bytes, 8);
        service.turn(call.caller, &mut a, &mut b, c, &mut result)?;
        words[1] = stub::give_string(call.areas, words[1], a, 8, "Node.turn")?;
        words[2] = stub::give_bytes(call.areas, words[2], b, 2000, "Node.turn")?;
        result.finish_string("Node.turn")?;
        words[3] = call.areas.put(words[3], result_area)?;
        Ok(())
    }

    /// `Node.reshape`.
    #[inline(never)]
    fn op_22(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<29>(call.words)?;
        let mut a = Tables {
            triple: [stub::int::<i32>(words[0]).argument("Node.reshape", "a")?, stub::int::<i32>(words[1]).argument("Node.reshape", "a")?, stub::int::<i32>(words[2]).argument("Node.reshape", "a")?],
            table: [[stub::int::<i32>(words[3]).argument("Node.reshape", "a")?, stub::int::<i32>(words[4]).argument("Node.reshape", "a")?, stub::int::<i32>(words[5]).argument("Node.reshape", "a")?], [stub::int::<i32>(words[6]).argument("Node.reshape", "a")?, stub::int::<i32>(words[7]).argument("Node.reshape", "a")?, stub::int::<i32>(words[8]).argument("Node.reshape", "a")?]],
            key: stub::array(stub::bytes(call.areas, words[9], 16)).argument("Node.reshape", "a")?,
            names: [stub::string(call.areas, words[10], 8).argument("Node.reshape", "a")?.to_vec(), stub::string(call.areas, words[11], 8).argument("Node.reshape", "a")?.to_vec()],
        };
        let mut b =
            stub::array(stub::bytes(call.areas, words[12], 16)).argument("Node.reshape", "b")?;
        let mut c = Value::read([words[13], words[14]], [stub::bytes(call.areas, words[15], 8).argument("Node.reshape", "c")?.to_vec()])
            .argument("Node.reshape", "c")?;
        let mut d = Many::read([words[16], words[17], words[18], words[19], words[20], words[21], words[22], words[23], words[24], words[25]], [stub::bytes(call.areas, words[26], 16).argument("Node.reshape", "d")?.to_vec(), stub::bytes(call.areas, words[27], 16).argument("Node.reshape", "d")?.to_vec(), stub::bytes(call.areas, words[28], 16).argument("Node.reshape", "d")?.to_vec()])
            .argument("Node.reshape", "d")?;
        service.reshape(call.caller, &mut a, &mut b, &mut c, &mut d)?;
        words[0] = stub::word(a.triple[0]);
        words[1] = stub::word(a.triple[1]);
        words[2] = stub::word(a.triple[2]);
        words[3] = stub::word(a.table[0][0]);
        words[4] = stub::word(a.table[0][1]);
        words[5] = stub::word(a.table[0][2]);
        words[6] = stub::word(a.table[1][0]);
        words[7] = stub::word(a.table[1][1]);
        words[8] = stub::word(a.table[1][2]);
        words[9] = stub::put_bytes(call.areas, words[9], &a.key, 16, "Node.reshape")?;
        words[10] = stub::put_string(call.areas, words[10], &a.names[0], 8, "Node.reshape")?;
        words[11] = stub::put_string(call.areas, words[11], &a.names[1], 8, "Node.reshape")?;
        words[12] = stub::put_bytes(call.areas, words[12], &b, 16, "Node.reshape")?;
        words[13..15].copy_from_slice(&c.words().given("Node.reshape")?);
        words[15] = stub::put_bytes(call.areas, words[15], c.part(0), 8, "Node.reshape")?;
        words[16..26].copy_from_slice(&d.words().given("Node.reshape")?);
        words[26] = stub::put_bytes(call.areas, words[26], d.part(0), 16, "Node.reshape")?;
        words[27] = stub::put_bytes(call.areas, words[27], d.part(1), 16, "Node.reshape")?;
        words[28] = stub::put_bytes(call.areas, words[28], d.part(2), 16, "Node.reshape")?;
        Ok(())
    }

    /// `Node.relabel`.
    #[inline(never)]
    fn op_23(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let add = stub::int::<i32>(words[0]).argument("Node.relabel", "add")?;
        let mut a =
            stub::list_in(call.areas, words[1], 3, Labelled::read).argument("Node.relabel", "a")?;
        let mut b = stub::list_in(call.areas, words[2], 3, |words: &[u64; 1], area| stub::field_string(area, words[0], 8))
            .argument("Node.relabel", "b")?;
        let mut c = stub::list_in(call.areas, words[3], 3, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Node.relabel", "c")?;
        service.relabel(call.caller, &mut a, &mut b, add, &mut c)?;
        words[1] = stub::put_list(call.areas, words[1], &a, 3, Labelled::write, "Node.relabel")?;
        words[2] =
            stub::put_list(call.areas, words[2], &b, 3, |each, area| Ok([stub::add_string(area, each, 8)?]), "Node.relabel")?;
        words[3] =
            stub::put_list(call.areas, words[3], &c, 3, |&each, _| Ok([stub::word(each)]), "Node.relabel")?;
        Ok(())
    }

    /// `Node.climb`.
    #[inline(never)]
    fn op_24(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let by = stub::int::<i32>(words[0]).argument("Node.climb", "by")?;
        let a = stub::portal::<Node>(call.portals, words[1], "Node.climb", "a")?;
        let (result, a_area, level) = service.climb(call.caller, by, a)?;
        words[1] = stub::make(call.made, a_area);
        words[2] = stub::make(call.made, result);
        words[3] = stub::word(level);
        Ok(())
    }

    /// `Node.relink`.
    #[inline(never)]
    fn op_25(service: &impl NodeService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = LinkGiven {
            node: stub::portal_in::<Node>(call.portals, words[0]).argument("Node.relink", "a")?,
            name: stub::string(call.areas, words[1], 8).argument("Node.relink", "a")?.to_vec(),
        };
        let b = stub::list_in(call.areas, words[2], 3, |words: &[u64; 2], area| Ok(LinkGiven { node: stub::portal_in::<Node>(call.portals, words[0])?, name: stub::field_string(area, words[1], 8)? }))
            .argument("Node.relink", "b")?;
        let c = stub::list_in(call.areas, words[3], 3, |words: &[u64; 1], _| Ok(stub::portal_in::<Node>(call.portals, words[0])?))
            .argument("Node.relink", "c")?;
        let (a_area, b_area, c_area) = service.relink(call.caller, &a, &b, &c)?;
        words[0] = stub::make(call.made, a_area.node);
        words[1] = stub::put_string(call.areas, words[1], &a_area.name, 8, "Node.relink")?;
        words[2] =
            stub::put_list(call.areas, words[2], b_area, 3, |each, area| Ok([stub::make(call.made, each.node), stub::add_string(area, &each.name, 8)?]), "Node.relink")?;
        words[3] =
            stub::put_list(call.areas, words[3], c_area, 3, |each, _| Ok([stub::make(call.made, each)]), "Node.relink")?;
        Ok(())
    }

    /// `Node._get_level` in a plain session.
    #[inline(always)]
    fn plain_0(service: &impl NodeService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::widened(Self::narrow_0(service, caller, [0, 0, 0, 0]))
    }

    /// `Node._get_level` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_0(service: &impl NodeService, caller: &stub::Caller, _: [i32; 4]) -> stub::Narrow {
        let result = stub::carried("Node._get_level", || Ok(service.level(caller)?))?;
        Ok((result, 0))
    }

    /// `Node._set_level` in a plain session.
    #[inline(always)]
    fn plain_1(
        service: &impl NodeService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = stub::int::<i32>(value).argument("Node._set_level", "value")?;
        stub::widened(Self::narrow_1(service, caller, [value, 0, 0, 0]))
    }

    /// `Node._set_level` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_1(
        service: &impl NodeService,
        caller: &stub::Caller,
        [value, ..]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Node._set_level", || Ok(service.set_level(caller, value)?))?;
        Ok((0, 0))
    }

    /// `Node._get_height` in a plain session.
    #[inline(always)]
    fn plain_2(service: &impl NodeService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::widened(Self::narrow_2(service, caller, [0, 0, 0, 0]))
    }

    /// `Node._get_height` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_2(service: &impl NodeService, caller: &stub::Caller, _: [i32; 4]) -> stub::Narrow {
        let result = stub::carried("Node._get_height", || Ok(service.height(caller)?))?;
        Ok((result, 0))
    }

    /// `Node._set_height` in a plain session.
    #[inline(always)]
    fn plain_3(
        service: &impl NodeService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = stub::int::<i32>(value).argument("Node._set_height", "value")?;
        stub::widened(Self::narrow_3(service, caller, [value, 0, 0, 0]))
    }

    /// `Node._set_height` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_3(
        service: &impl NodeService,
        caller: &stub::Caller,
        [value, ..]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Node._set_height", || Ok(service.set_height(caller, value)?))?;
        Ok((0, 0))
    }

    /// `Node._get_name` in a plain session.
    #[inline(always)]
    fn plain_4(
        service: &impl NodeService,
        caller: &stub::Caller,
        _: u64,
        _: &mut i64,
        _: u64,
        result: &mut Vec<u8>,
    ) -> stub::One {
        let mut result = stub::BytesOut::new(result, 8);
        stub::carried("Node._get_name", || Ok(service.name(caller, &mut result)?))?;
        result.finish_string("Node._get_name")?;
        Ok(0)
    }

    /// `Node.fail` in a plain session.
    #[inline(always)]
    fn plain_16(
        service: &impl NodeService,
        caller: &stub::Caller,
        [how, ..]: [u64; 4],
    ) -> stub::Two {
        let how = stub::int::<i32>(how).argument("Node.fail", "how")?;
        stub::widened(Self::narrow_16(service, caller, [how, 0, 0, 0]))
    }

    /// `Node.fail` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_16(
        service: &impl NodeService,
        caller: &stub::Caller,
        [how, ..]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Node.fail", || Ok(service.fail(caller, how)?))?;
        Ok((0, 0))
    }

    /// `Node.fail_alone` in a plain session.
    #[inline(always)]
    fn plain_17(service: &impl NodeService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::carried("Node.fail_alone", || Ok(service.fail_alone(caller)?))?;
        Ok((0, 0))
    }

    /// `Node.letter` in a plain session.
    #[inline(always)]
    fn plain_20(
        service: &impl NodeService,
        caller: &stub::Caller,
        a: u64,
        _: &mut i64,
        _: u64,
        b: &[u8],
    ) -> stub::One {
        let a = stub::int::<u8>(a).argument("Node.letter", "a")?;
        let b = stub::bounded(b, 8).argument("Node.letter", "b")?;
        let result = stub::carried("Node.letter", || Ok(service.letter(caller, a, b)?))?;
        Ok(u64::from(result).cast_signed())
    }
}

/// What a service with the interface `Leaf` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait LeafService: NodeService {
    /// The operation `kind`.
    fn kind(&self, caller: &stub::Caller, a: LeafKind, b: &[u8]) -> Result<LeafKind, stub::Failure>;
}

/// The interface `Leaf`.
///
/// A portal on an object of a [`LeafService`]. It does all that a [`Node`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Leaf {
    base: Node,
    near: stub::Nearby<Leaf>,
}

impl stub::Interface for Leaf {
    type Service = dyn LeafService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Leaf {
        Leaf { near: stub::Nearby::new(&client), base: Node::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Leaf {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl LeafService) -> stub::Served<Leaf> {
        stub::serve::<LeafServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Leaf {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `kind`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn kind(&self, a: LeafKind, b: &[u8]) -> Result<LeafKind, stub::Failure> {
        if let Some(near) = self.near.get() {
            let b = stub::bounded_string(b, 8).argument("Leaf.kind", "b")?;
            let result = near.call(26, |service, caller| service.kind(caller, a, b))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [
                a.to_word(),
                stub::string_word(0, b, 8).argument("Leaf.kind", "b")?,
                0,
                0,
                0,
                0,
            ];
            self.client.short(26, &mut words, b)?;
            let result = LeafKind::from_word(words[2]).reply("Leaf.kind")?;
            Ok(result)
        })
    }
}

impl ::std::ops::Deref for Leaf {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.base
    }
}

impl stub::Extends<Node> for Leaf {
    fn to_base(&self) -> Node {
        Node::from_portal(self.portal().clone())
    }
}

/// An object of a [`LeafService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LeafAt(pub stub::Number);

impl From<stub::Number> for LeafAt {
    fn from(number: stub::Number) -> LeafAt {
        LeafAt(number)
    }
}

impl From<LeafAt> for stub::Number {
    fn from(at: LeafAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LeafAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl LeafService) -> stub::Kept<LeafAt> {
        stub::keep::<LeafServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> NodeAt {
        NodeAt(self.0)
    }

    /// The operation `kind`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn kind(
        self,
        channel: &mut impl stub::Channel,
        a: LeafKind,
        b: &[u8],
    ) -> Result<LeafKind, stub::Failure> {
        let place = &mut 0;
        let result = stub::call_in::<Leaf, 0, 5, 5, 1>(
            self.0,
            channel,
            26,
            a.to_word(),
            place,
            0,
            b,
        )?;
        let result = LeafKind::from_word(result.cast_unsigned()).reply("Leaf.kind")?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct LeafServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: LeafService> stub::Dispatch<S> for LeafServer {
    type Interface = Leaf;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<Leaf>(place, ::std::sync::Arc::<S>::clone(service)) {
            NodeServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            ..=25 => NodeServer::dispatch(service, op, call),
            26 => {
                let piece = stub::piece(call.areas, call.words, 1).argument("Leaf.kind", "b")?;
                Self::op_26(service, call.caller, stub::block(call.words)?, piece)
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
        NodeServer::short(service, op, caller, words)
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        match op {
            ..=25 => NodeServer::short_in(service, op, caller, words, piece),
            26 => Self::op_26(service, caller, stub::head(words)?, piece),
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
        NodeServer::short_out(service, op, caller, words, piece, out)
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
            ..=25 => NodeServer::few(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=25 => NodeServer::sent(service, op, from),
            26 => {
                let (caller, w0, place, w1, piece) = from.take::<0, 5, 5, 1>()?;
                Self::plain_26(service, caller, w0, place, w1, piece)
            }
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=25 => NodeServer::replied(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few_narrow(
        service: &S,
        op: &u32,
        caller: &stub::Caller,
        w0: i32,
        w1: i32,
        w2: i32,
        w3: i32,
    ) -> stub::Narrow {
        match *op {
            ..=25 => NodeServer::few_narrow(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl LeafServer {
    /// `Leaf.kind`.
    #[inline]
    fn op_26(
        service: &impl LeafService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
        b: &[u8],
    ) -> Result<(), stub::Failure> {
        let a = LeafKind::from_word(words[0]).argument("Leaf.kind", "a")?;
        let b = stub::bounded_string(b, 8).argument("Leaf.kind", "b")?;
        let result = service.kind(caller, a, b)?;
        words[2] = result.to_word();
        Ok(())
    }

    /// `Leaf.kind` in a plain session.
    #[inline(always)]
    fn plain_26(
        service: &impl LeafService,
        caller: &stub::Caller,
        a: u64,
        _: &mut i64,
        _: u64,
        b: &[u8],
    ) -> stub::One {
        let a = LeafKind::from_word(a).argument("Leaf.kind", "a")?;
        let b = stub::bounded_string(b, 8).argument("Leaf.kind", "b")?;
        let result = stub::carried("Leaf.kind", || Ok(service.kind(caller, a, b)?))?;
        Ok(result.to_word().cast_signed())
    }
}

/// What a service with the interface `Petal` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait PetalService: LeafService {
    /// The operation `other`.
    fn other(
        &self,
        caller: &stub::Caller,
        a: LeafKind,
        up: stub::PortalIn<'_, Node>,
    ) -> Result<LeafKind, stub::Failure>;
}

/// The interface `Petal`.
///
/// A portal on an object of a [`PetalService`]. It does all that a [`Leaf`] does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Petal {
    base: Leaf,
}

impl stub::Interface for Petal {
    type Service = dyn PetalService;

    const ID: stub::InterfaceId = stub::InterfaceId(2);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Petal {
        Petal { base: Leaf::from_client(client) }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Petal {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl PetalService) -> stub::Served<Petal> {
        stub::serve::<PetalServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Petal {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `other`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn other(&self, a: LeafKind, up: &Node) -> Result<LeafKind, stub::Failure> {
        let mut words = [a.to_word(), 0, 0];
        self.client.call(27, &mut words, &[], &mut [], &[up.portal()])?;
        let result = LeafKind::from_word(words[2]).reply("Petal.other")?;
        Ok(result)
    }
}

impl ::std::ops::Deref for Petal {
    type Target = Leaf;

    fn deref(&self) -> &Leaf {
        &self.base
    }
}

impl stub::Extends<Leaf> for Petal {
    fn to_base(&self) -> Leaf {
        Leaf::from_portal(self.portal().clone())
    }
}

impl stub::Extends<Node> for Petal {
    fn to_base(&self) -> Node {
        Node::from_portal(self.portal().clone())
    }
}

/// An object of a [`PetalService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PetalAt(pub stub::Number);

impl From<stub::Number> for PetalAt {
    fn from(number: stub::Number) -> PetalAt {
        PetalAt(number)
    }
}

impl From<PetalAt> for stub::Number {
    fn from(at: PetalAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PetalAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl PetalService) -> stub::Kept<PetalAt> {
        stub::keep::<PetalServer, _, _>(service)
    }

    /// The same object, as one of what it inherits from.
    #[must_use]
    pub fn to_base(self) -> LeafAt {
        LeafAt(self.0)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct PetalServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: PetalService> stub::Dispatch<S> for PetalServer {
    type Interface = Petal;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        if !stub::lend::<Petal>(place, ::std::sync::Arc::<S>::clone(service)) {
            LeafServer::lend(service, place);
        }
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            ..=26 => LeafServer::dispatch(service, op, call),
            27 => Self::op_27(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }

    fn short(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
    ) -> Result<(), stub::Failure> {
        LeafServer::short(service, op, caller, words)
    }

    fn short_in(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
    ) -> Result<(), stub::Failure> {
        LeafServer::short_in(service, op, caller, words, piece)
    }

    fn short_out(
        service: &S,
        op: u16,
        caller: &stub::Caller,
        words: &mut stub::ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        LeafServer::short_out(service, op, caller, words, piece, out)
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
            ..=26 => LeafServer::few(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn sent<'a>(service: &S, op: u32, from: impl stub::SentFrom<'a>) -> stub::One {
        match op {
            ..=26 => LeafServer::sent(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn replied<'a>(service: &S, op: u32, from: impl stub::ReplyFrom<'a>) -> stub::One {
        match op {
            ..=26 => LeafServer::replied(service, op, from),
            _ => Err(from.unknown::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few_narrow(
        service: &S,
        op: &u32,
        caller: &stub::Caller,
        w0: i32,
        w1: i32,
        w2: i32,
        w3: i32,
    ) -> stub::Narrow {
        match *op {
            ..=26 => LeafServer::few_narrow(service, op, caller, w0, w1, w2, w3),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PetalServer {
    /// `Petal.other`.
    #[inline(never)]
    fn op_27(service: &impl PetalService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let a = LeafKind::from_word(words[0]).argument("Petal.other", "a")?;
        let up = stub::portal::<Node>(call.portals, words[1], "Petal.other", "up")?;
        let result = service.other(call.caller, a, up)?;
        words[2] = result.to_word();
        Ok(())
    }
}

/// What a service with the interface `inner::Deep` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait InnerDeepService: Send + Sync + 'static {
    /// The operation `turn`.
    fn turn(
        &self,
        caller: &stub::Caller,
        a: &InnerPair,
        leaf: stub::PortalIn<'_, Leaf>,
    ) -> Result<InnerPair, stub::Failure>;
}

/// The interface `inner::Deep`.
///
/// A portal on an object of a [`InnerDeepService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct InnerDeep {
    client: stub::Client,
}

impl stub::Interface for InnerDeep {
    type Service = dyn InnerDeepService;

    const ID: stub::InterfaceId = stub::InterfaceId(3);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> InnerDeep {
        InnerDeep { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl InnerDeep {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl InnerDeepService) -> stub::Served<InnerDeep> {
        stub::serve::<InnerDeepServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> InnerDeep {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `turn`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn turn(&self, a: &InnerPair, leaf: &Leaf) -> Result<InnerPair, stub::Failure> {
        let mut words = [
            a.shade.to_word(),
            stub::bytes_word(0, &a.key, 16).argument("inner::Deep.turn", "a")?,
            0,
            0,
            stub::area(1),
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(
            0,
            &mut words,
            &[stub::Input::Bytes(&a.key)],
            &mut outputs,
            &[leaf.portal()],
        )?;
        let result = InnerPair {
            shade: Shade::from_word(words[3]).reply("inner::Deep.turn")?,
            key: stub::array(stub::bytes_output(&mut outputs[0], 16)).reply("inner::Deep.turn")?,
        };
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct InnerDeepServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: InnerDeepService> stub::Dispatch<S> for InnerDeepServer {
    type Interface = InnerDeep;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<InnerDeep>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl InnerDeepServer {
    /// `inner::Deep.turn`.
    #[inline(never)]
    fn op_0(
        service: &impl InnerDeepService,
        call: &mut stub::Call<'_>,
    ) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let a = InnerPair {
            shade: Shade::from_word(words[0]).argument("inner::Deep.turn", "a")?,
            key: stub::array(stub::bytes(call.areas, words[1], 16)).argument("inner::Deep.turn", "a")?,
        };
        let leaf = stub::portal::<Leaf>(call.portals, words[2], "inner::Deep.turn", "leaf")?;
        let result = service.turn(call.caller, &a, leaf)?;
        words[3] = result.shade.to_word();
        words[4] = stub::put_bytes(call.areas, words[4], &result.key, 16, "inner::Deep.turn")?;
        Ok(())
    }
}

/// What a service with the interface `Pfs` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait PfsService: Send + Sync + 'static {
    /// The operation `pfs_open`.
    fn pfs_open(
        &self,
        caller: &stub::Caller,
        client: i32,
        fobj: i32,
        flags: i32,
        mode: i32,
    ) -> Result<(i32, i32), stub::Failure>;

    /// The operation `pfs_write`.
    fn pfs_write(
        &self,
        caller: &stub::Caller,
        handle: i32,
        pos: &mut i32,
        len: i32,
        data: &[i32],
    ) -> Result<i32, stub::Failure>;

    /// The operation `pfs_get_direntries`.
    fn pfs_get_direntries(
        &self,
        caller: &stub::Caller,
        handle: i32,
        pos: &mut i32,
        count: i32,
        data: &mut I32List<'_>,
    ) -> Result<i32, stub::Failure>;

    /// The operation `named`.
    fn named(
        &self,
        caller: &stub::Caller,
        name: &[u8],
        raw: &[u8],
        other: &mut stub::BytesOut<'_>,
    ) -> Result<i32, stub::Failure>;
}

/// The functions of the IDL4 paper, table 4, as it prints them but for names of types.
///
/// A portal on an object of a [`PfsService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Pfs {
    client: stub::Client,
    near: stub::Nearby<Pfs>,
}

impl stub::Interface for Pfs {
    type Service = dyn PfsService;

    const ID: stub::InterfaceId = stub::InterfaceId(4);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Pfs {
        Pfs { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Pfs {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl PfsService) -> stub::Served<Pfs> {
        stub::serve::<PfsServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Pfs {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `pfs_open`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pfs_open(
        &self,
        client: i32,
        fobj: i32,
        flags: i32,
        mode: i32,
    ) -> Result<(i32, i32), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, handle) = near.call(0, |service, caller| service.pfs_open(
                caller,
                client,
                fobj,
                flags,
                mode,
            ))?;
            return Ok((result, handle));
        }
        stub::far(move || {
            let mut words = [
                stub::word(client),
                stub::word(fobj),
                stub::word(flags),
                stub::word(mode),
                0,
                0,
            ];
            self.client.short(0, &mut words, &[])?;
            let result = stub::int::<i32>(words[4]).reply("Pfs.pfs_open")?;
            let handle = stub::int::<i32>(words[5]).reply("Pfs.pfs_open")?;
            Ok((result, handle))
        })
    }

    /// The operation `pfs_write`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pfs_write(
        &self,
        handle: i32,
        pos: &mut i32,
        len: i32,
        data: &[i32],
    ) -> Result<i32, stub::Failure> {
        let data_area = stub::list_area(data, 65536, |&each, _| Ok([stub::word(each)]))
            .argument("Pfs.pfs_write", "data")?;
        let mut words = [stub::word(handle), stub::word(len), stub::area(0), stub::word(*pos), 0];
        self.client.call(1, &mut words, &[stub::Input::List(&data_area)], &mut [], &[])?;
        let pos_area = stub::int::<i32>(words[3]).reply("Pfs.pfs_write")?;
        let result = stub::int::<i32>(words[4]).reply("Pfs.pfs_write")?;
        *pos = pos_area;
        Ok(result)
    }

    /// The operation `pfs_get_direntries`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pfs_get_direntries(
        &self,
        handle: i32,
        pos: &mut i32,
        count: i32,
    ) -> Result<(i32, Vec<i32>), stub::Failure> {
        let mut words = [stub::word(handle), stub::word(count), stub::word(*pos), 0, stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[], &mut outputs, &[])?;
        let pos_area = stub::int::<i32>(words[2]).reply("Pfs.pfs_get_direntries")?;
        let result = stub::int::<i32>(words[3]).reply("Pfs.pfs_get_direntries")?;
        let data = stub::list(&outputs[0], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Pfs.pfs_get_direntries")?;
        *pos = pos_area;
        Ok((result, data))
    }

    /// The operation `pfs_get_direntries`, with what comes back in buffers of the caller's: `data`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pfs_get_direntries_into(
        &self,
        handle: i32,
        pos: &mut i32,
        count: i32,
        data: &mut Vec<i32>,
    ) -> Result<i32, stub::Failure> {
        let mut words = [stub::word(handle), stub::word(count), stub::word(*pos), 0, stub::area(0)];
        let mut outputs = [stub::Area::default()];
        self.client.call(2, &mut words, &[], &mut outputs, &[])?;
        let pos_area = stub::int::<i32>(words[2]).reply("Pfs.pfs_get_direntries")?;
        let result = stub::int::<i32>(words[3]).reply("Pfs.pfs_get_direntries")?;
        stub::list_into(
            &outputs[0],
            65536,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            data,
        ).reply("Pfs.pfs_get_direntries")?;
        *pos = pos_area;
        Ok(result)
    }

    /// The operation `named`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn named(&self, name: &[u8], raw: &[u8]) -> Result<(i32, Vec<u8>), stub::Failure> {
        let mut words = [
            stub::string_word(0, name, 4096).argument("Pfs.named", "name")?,
            stub::bytes_word(1, raw, 1048576).argument("Pfs.named", "raw")?,
            0,
            stub::area(2),
        ];
        let mut outputs = [stub::Area::default()];
        self.client.call(
            3,
            &mut words,
            &[stub::Input::Bytes(name), stub::Input::Bytes(raw)],
            &mut outputs,
            &[],
        )?;
        let result = stub::int::<i32>(words[2]).reply("Pfs.named")?;
        let other = stub::string_output(&mut outputs[0], 4096).reply("Pfs.named")?;
        Ok((result, other))
    }

    /// The operation `named`, with what comes back in buffers of the caller's: `other`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn named_into(
        &self,
        name: &[u8],
        raw: &[u8],
        other: &mut Vec<u8>,
    ) -> Result<i32, stub::Failure> {
        let mut words = [
            stub::string_word(0, name, 4096).argument("Pfs.named", "name")?,
            stub::bytes_word(1, raw, 1048576).argument("Pfs.named", "raw")?,
            0,
            stub::area(2),
        ];
        let mut outputs = [stub::room(other)];
        let made = self.client.call(
            3,
            &mut words,
            &[stub::Input::Bytes(name), stub::Input::Bytes(raw)],
            &mut outputs,
            &[],
        );
        stub::put_back(&mut outputs, [(0, &mut *other)]);
        made?;
        let result = stub::int::<i32>(words[2]).reply("Pfs.named")?;
        stub::bounded_string(other, 4096).reply("Pfs.named")?;
        Ok(result)
    }
}

/// An object of a [`PfsService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PfsAt(pub stub::Number);

impl From<stub::Number> for PfsAt {
    fn from(number: stub::Number) -> PfsAt {
        PfsAt(number)
    }
}

impl From<PfsAt> for stub::Number {
    fn from(at: PfsAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PfsAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl PfsService) -> stub::Kept<PfsAt> {
        stub::keep::<PfsServer, _, _>(service)
    }

    /// The operation `pfs_open`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn pfs_open(
        self,
        channel: &mut impl stub::Channel,
        client: i32,
        fobj: i32,
        flags: i32,
        mode: i32,
    ) -> Result<(i32, i32), stub::Failure> {
        stub::call_narrow::<Pfs, 4>(self.0, channel, 0, [client, fobj, flags, mode])
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct PfsServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: PfsService> stub::Dispatch<S> for PfsServer {
    type Interface = Pfs;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Pfs>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
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
            0 => Self::op_0(service, caller, stub::head(words)?),
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
            0 => Self::plain_0(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }

    #[inline(always)]
    fn few_narrow(
        service: &S,
        op: &u32,
        caller: &stub::Caller,
        w0: i32,
        w1: i32,
        w2: i32,
        w3: i32,
    ) -> stub::Narrow {
        match *op {
            0 => Self::narrow_0(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl PfsServer {
    /// `Pfs.pfs_open`.
    #[inline]
    fn op_0(
        service: &impl PfsService,
        caller: &stub::Caller,
        words: &mut [u64; 6],
    ) -> Result<(), stub::Failure> {
        let client = stub::int::<i32>(words[0]).argument("Pfs.pfs_open", "client")?;
        let fobj = stub::int::<i32>(words[1]).argument("Pfs.pfs_open", "fobj")?;
        let flags = stub::int::<i32>(words[2]).argument("Pfs.pfs_open", "flags")?;
        let mode = stub::int::<i32>(words[3]).argument("Pfs.pfs_open", "mode")?;
        let (result, handle) = service.pfs_open(caller, client, fobj, flags, mode)?;
        words[4] = stub::word(result);
        words[5] = stub::word(handle);
        Ok(())
    }

    /// `Pfs.pfs_write`.
    #[inline(never)]
    fn op_1(service: &impl PfsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let handle = stub::int::<i32>(words[0]).argument("Pfs.pfs_write", "handle")?;
        let len = stub::int::<i32>(words[1]).argument("Pfs.pfs_write", "len")?;
        let data = stub::list_in(call.areas, words[2], 65536, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Pfs.pfs_write", "data")?;
        let mut pos = stub::int::<i32>(words[3]).argument("Pfs.pfs_write", "pos")?;
        let result = service.pfs_write(call.caller, handle, &mut pos, len, &data)?;
        words[3] = stub::word(pos);
        words[4] = stub::word(result);
        Ok(())
    }

    /// `Pfs.pfs_get_direntries`.
    #[inline(never)]
    fn op_2(service: &impl PfsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let mut data_area = call.areas.take(words[4])?;
        let handle = stub::int::<i32>(words[0]).argument("Pfs.pfs_get_direntries", "handle")?;
        let count = stub::int::<i32>(words[1]).argument("Pfs.pfs_get_direntries", "count")?;
        let mut pos = stub::int::<i32>(words[2]).argument("Pfs.pfs_get_direntries", "pos")?;
        let mut data = I32List(stub::ListOut::new(&mut data_area, 65536));
        let result = service.pfs_get_direntries(call.caller, handle, &mut pos, count, &mut data)?;
        words[2] = stub::word(pos);
        words[3] = stub::word(result);
        data.0.finish("Pfs.pfs_get_direntries")?;
        words[4] = call.areas.put(words[4], data_area)?;
        Ok(())
    }

    /// `Pfs.named`.
    #[inline(never)]
    fn op_3(service: &impl PfsService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut other_area = call.areas.take(words[3])?;
        let name = stub::string(call.areas, words[0], 4096).argument("Pfs.named", "name")?;
        let raw = stub::bytes(call.areas, words[1], 1048576).argument("Pfs.named", "raw")?;
        let mut other = stub::BytesOut::new(&mut other_area.bytes, 4096);
        let result = service.named(call.caller, name, raw, &mut other)?;
        words[2] = stub::word(result);
        other.finish_string("Pfs.named")?;
        words[3] = call.areas.put(words[3], other_area)?;
        Ok(())
    }

    /// `Pfs.pfs_open` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl PfsService,
        caller: &stub::Caller,
        [client, fobj, flags, mode]: [u64; 4],
    ) -> stub::Two {
        let client = stub::int::<i32>(client).argument("Pfs.pfs_open", "client")?;
        let fobj = stub::int::<i32>(fobj).argument("Pfs.pfs_open", "fobj")?;
        let flags = stub::int::<i32>(flags).argument("Pfs.pfs_open", "flags")?;
        let mode = stub::int::<i32>(mode).argument("Pfs.pfs_open", "mode")?;
        stub::widened(Self::narrow_0(service, caller, [client, fobj, flags, mode]))
    }

    /// `Pfs.pfs_open` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_0(
        service: &impl PfsService,
        caller: &stub::Caller,
        [client, fobj, flags, mode]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Pfs.pfs_open", || service.pfs_open(caller, client, fobj, flags, mode))
    }
}

