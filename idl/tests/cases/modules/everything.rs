// Made from the interface `every`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `every`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x05\x00\x00\x00every\x03\x00\x00\x002.1<\x00\x00\x00One operation for each thin\
    g that a stub must be able to do.\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00BASE\x00\x00\x00\x00\
    \x01 \x01\x00\x08\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00LIMIT\x00\x00\x00\x00\x01@\x00\
    \x00@\x00\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00Color\x00\x00\x00\x00\x03\x00\x03\x00\
    \x00\x00red\n\x00\x00\x00dark_green\x04\x00\x00\x00self\x06\x00\x00\x00Reason\x00\x00\x00\x00\
    \x02\x00\x04\x00\x00\x00none\x06\x00\x00\x00broken\x04\x00\x05\x00\x00\x00Point\x14\x00\x00\
    \x00A point with a name.\x02\x00\x01\x00\x00\x00x\x01\x10\x01\x01\x00\x00\x00y\x01\x10\x00\x04\
    \x00\x00\x00Spot\x00\x00\x00\x00\x05\x00\x04\x00\x00\x00name\x03@\x00\x00\x00\x02\x00\x00\x00a\
    t\x05\x00\x00\x05\x00\x00\x00color\x02\x00\x00\x06\x00\x00\x00digest\x04\x10\x00\x00\x00\x02\
    \x00\x00\x00id\x01@\x00\x03\x00\x00\x00I329\x00\x00\x00Its list\'s writer would have the name \
    of that of numbers.\x01\x00\x05\x00\x00\x00value\x01@\x00\x05\x00\x00\x00Plain\x00\x00\x00\x00\
    \x03\x00\x02\x00\x00\x00on\x00\x05\x00\x00\x00color\x02\x00\x00\x05\x00\x00\x00level\x01\x08\
    \x00\x00\x00\x01\x00\x05\x00\x00\x00Fault\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00kind\x02\x01\
    \x00\x07\x00\x00\x00message\x03\x14\x00\x00\x00\x03\x00\x04\x00\x00\x00Echo\x00\x00\x00\x00\
    \x00\x00\x16\x00\x03\x00\x00\x00add\x0b\x00\x00\x00Takes time.\x00\x00\x00\x00E\x00\x01@\x01\
    \x00\x00\x03\x00\x01\x00\x00\x00i\x00\x01@\x01\x01\x00\x00\x00j\x00\x01@\x01\x01\x00\x00\x00k\
    \x00\x01@\x01\x04\x00\x00\x00flip\x00\x00\x00\x00\x00\x00\x00\x00B\x00\x00\x00\x00\x01\x00\x02\
    \x00\x00\x00on\x00\x00\x06\x00\x00\x00octets\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01\x08\x00\
    \x00\x00\x02\x00\x01\x00\x00\x00a\x00\x01\x08\x00\x01\x00\x00\x00b\x02\x01\x08\x00\x06\x00\x00\
    \x00shorts\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01\x10\x01\x00\x00\x03\x00\x01\x00\x00\x00a\
    \x00\x01\x10\x01\x01\x00\x00\x00b\x00\x01\x10\x00\x01\x00\x00\x00c\x02\x01\x10\x00\x05\x00\x00\
    \x00longs\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x03\x00\x01\x00\x00\x00a\x00\
    \x01 \x01\x01\x00\x00\x00b\x00\x01 \x00\x01\x00\x00\x00c\x02\x01 \x00\x04\x00\x00\x00wide\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x01@\x00\x06\
    \x00\x00\x00colors\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x02\x00\x00\x00\x00\x02\x00\x01\x00\
    \x00\x00a\x00\x02\x00\x00\x01\x00\x00\x00b\x02\x02\x00\x00\x05\x00\x00\x00texts\x00\x00\x00\
    \x00\x00\x00\x00\x00@\x00\x03\x10\x00\x00\x00\x01\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x03\
    @\x00\x00\x00\x01\x00\x00\x00b\x02\x03\x04\x00\x00\x00\x05\x00\x00\x00blobs\x00\x00\x00\x00\
    \x00\x00\x00\x00@\x00\x04\x08\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x04\x08\x00\x00\
    \x00\x05\x00\x00\x00spots\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x04\x00\x00\x00\x05\x01\x00\
    \x00\x00\x02\x00\x01\x00\x00\x00a\x00\x06\x04\x00\x00\x00\x05\x01\x00\x05\x00\x00\x00count\x02\
    \x01 \x01\x07\x00\x00\x00numbers\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x01 \
    \x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x01 \x01\x06\x00\x00\x00others\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x05\x02\x00\x00\x00\x01\x00\x01\x00\
    \x00\x00a\x00\x06\x03\x00\x00\x00\x05\x02\x00\x05\x00\x00\x00words\x00\x00\x00\x00\x00\x00\x00\
    \x00@\x00\x06\x03\x00\x00\x00\x03\x05\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\
    \x00\x00\x00\x03\x05\x00\x00\x00\x07\x00\x00\x00palette\x00\x00\x00\x00\x00\x00\x00\x00@\x00\
    \x06\x03\x00\x00\x00\x02\x00\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x02\
    \x00\x00\x01\x00\x00\x00b\x02\x06\x03\x00\x00\x00\x00\x03\x00\x00\x00ids\x00\x00\x00\x00\x00\
    \x00\x00\x00@\x00\x06\x03\x00\x00\x00\x01@\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x03\
    \x00\x00\x00\x01@\x00\t\x00\x00\x00move_spot\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x01\x00\
    \x00\x00\x02\x00\x01\x00\x00\x00a\x00\x05\x01\x00\x02\x00\x00\x00by\x00\x05\x00\x00\x04\x00\
    \x00\x00bump\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00a\x01\x01 \
    \x01\x01\x00\x00\x00b\x01\x05\x03\x00\x02\x00\x00\x00by\x00\x01 \x01\x03\x00\x00\x00sum\x02\
    \x01 \x01\x05\x00\x00\x00count\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00\x01\x00\
    \x00\x00a\x01\x01@\x00\x01\x00\x00\x00b\x01\x00\x01\x00\x00\x00c\x01\x02\x00\x00\x01\x00\x00\
    \x00d\x01\x01@\x01\x04\x00\x00\x00fail\x00\x01 \x01\x07\x00\x00\x00nothing\x00\x00\x00\x00\x00\
    \x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00fail\x00\x00\x00\x00\x00\x00\x00\x00\x00\
    \x00\x01\x00\x00\x00\x01\x00\x05\x00\x00\x00color\x00\x02\x00\x00\x05\x00\x00\x00again\x00\x00\
    \x00\x00\x00\x00\x00\x00@\x00\x07\x00\x00\x00\x00\x02\x00\x05\x00\x00\x00other\x00\x07\x00\x00\
    \x03\x00\x00\x00box\x02\x07\x01\x00\x04\x00\x00\x00type\"\x00\x00\x00Words that mean something\
    \x20in Rust.\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x05\x00\x04\x00\x00\x00self\x00\x01 \x01\
    \x04\x00\x00\x00call\x00\x01 \x01\x05\x00\x00\x00words\x00\x01 \x01\x02\x00\x00\x00fn\x00\x01 \
    \x01\x06\x00\x00\x00result\x02\x01 \x01\x03\x00\x00\x00Box\x1e\x00\x00\x00Something that holds\
    \x20a number.\x00\x01\x02\x00\x04\x00\x03\x00\x00\x00put\x00\x00\x00\x00\x00\x00\x00\x00 \x00\
    \x08\x00\x00\x00put into\x03\x00\x00\x00box\x05\x00\x00\x00boxes\x00\x00\x01\x00\x05\x00\x00\
    \x00value\x00\x01@\x01\x03\x00\x00\x00get\x00\x00\x00\x00\x00\x00\x00\x00A\x00\x01@\x01\x00\
    \x00\x00\x00\x05\x00\x00\x00parse\x00\x00\x00\x00\x00\x00\x00\x00A\x00\x07\x01\x00\x00\x00\x01\
    \x00\x04\x00\x00\x00text\x00\x03\x08\x00\x00\x00\x04\x00\x00\x00work\x00\x00\x00\x00\x00\x00\
    \x00\x00P\x00\x00\x00\x01@\x01\x00\x00\x01\x00\x01\x00\x00\x00n\x00\x01@\x01\x05\x00\x00\x00Em\
    pty\x00\x00\x00\x00\x00\x00\x00\x00\
    ";

/// The constant `BASE`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const BASE: i32 = 8;

/// The constant `LIMIT`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub const LIMIT: u64 = 64;

/// The enum `Color`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// `red`.
    Red,
    /// `dark_green`.
    DarkGreen,
    /// `self`.
    Self_,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Color {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Color> {
        match word {
            0 => Some(Color::Red),
            1 => Some(Color::DarkGreen),
            2 => Some(Color::Self_),
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
            Color::Red => "red",
            Color::DarkGreen => "dark_green",
            Color::Self_ => "self",
        }
    }
}

/// The enum `Reason`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// `none`.
    None,
    /// `broken`.
    Broken,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Reason {
    /// The value with this number.
    #[must_use]
    pub const fn from_word(word: u64) -> Option<Reason> {
        match word {
            0 => Some(Reason::None),
            1 => Some(Reason::Broken),
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
            Reason::None => "none",
            Reason::Broken => "broken",
        }
    }
}

/// A point with a name.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `x`.
    pub x: i16,
    /// `y`.
    pub y: u16,
}

/// The struct `Spot`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// `name`, at most 64 bytes without NUL.
    pub name: Vec<u8>,
    /// `at`.
    pub at: Point,
    /// `color`.
    pub color: Color,
    /// `digest`, at most 16 bytes.
    pub digest: Vec<u8>,
    /// `id`.
    pub id: u64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Spot {
    fn read(words: &[u64; 6], area: &stub::Area) -> Result<Spot, stub::Wrong> {
        Ok(Spot {
            name: stub::field_string(area, words[0], 64)?,
            at: Point { x: stub::int::<i16>(words[1])?, y: stub::int::<u16>(words[2])? },
            color: Color::from_word(words[3]).ok_or(stub::Wrong::Value)?,
            digest: stub::field_bytes(area, words[4], 16)?,
            id: stub::u64(words[5])?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Spot {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 6], stub::Wrong> {
        Ok([
            stub::add_string(area, &self.name, 64)?,
            stub::word(self.at.x),
            stub::word(self.at.y),
            self.color.to_word(),
            stub::add_bytes(area, &self.digest, 16)?,
            stub::u64_word(self.id)?,
        ])
    }
}

/// Its list's writer would have the name of that of numbers.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct I32 {
    /// `value`.
    pub value: u64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32 {
    fn read(words: &[u64; 1], _area: &stub::Area) -> Result<I32, stub::Wrong> {
        Ok(I32 { value: stub::u64(words[0])? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32 {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([stub::u64_word(self.value)?])
    }
}

/// The struct `Plain`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plain {
    /// `on`.
    pub on: bool,
    /// `color`.
    pub color: Color,
    /// `level`.
    pub level: u8,
}

/// The exception `Fault`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What programs test.
    pub kind: Reason,
    /// What people read; cut to 20 bytes when raised.
    pub message: String,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Fault {
    /// With this kind and text.
    #[must_use]
    pub fn new(kind: Reason, message: &str) -> Fault {
        Fault { kind, message: message.to_owned() }
    }
}

impl ::std::fmt::Display for Fault {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl ::std::error::Error for Fault {}

impl From<Fault> for stub::Failure {
    fn from(raised: Fault) -> stub::Failure {
        stub::raised(raised.kind.to_word(), raised.message, 20)
    }
}

impl stub::Exception for Fault {
    fn from_details(details: &stub::Details) -> Option<Fault> {
        let kind = Reason::from_word(u64::from(details.raised))?;
        Some(Fault { kind, message: details.message.clone() })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct SpotList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl SpotList<'_> {
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
    pub fn push(&mut self, name: &[u8], at: &Point, color: Color, digest: &[u8], id: u64) -> bool {
        self.0.push(|area| {
            Ok([
                stub::add_string(area, name, 64)?,
                stub::word(at.x),
                stub::word(at.y),
                color.to_word(),
                stub::add_bytes(area, digest, 16)?,
                stub::u64_word(id)?,
            ])
        })
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

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I32List_<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32List_<'_> {
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
    pub fn push(&mut self, value: u64) -> bool {
        self.0.push(|_| Ok([stub::u64_word(value)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String5List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String5List<'_> {
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
        self.0.push(|area| Ok([stub::add_string(area, value, 5)?]))
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
pub struct ColorList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ColorList<'_> {
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
    pub fn push(&mut self, value: Color) -> bool {
        self.0.push(|_| Ok([value.to_word()]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct U64List<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl U64List<'_> {
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
    pub fn push(&mut self, value: u64) -> bool {
        self.0.push(|_| Ok([stub::u64_word(value)?]))
    }
}

/// What a service with the interface `Echo` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait EchoService: Send + Sync + 'static {
    /// Takes time.
    fn add(&self, caller: &stub::Caller, i: i64, j: i64, k: i64) -> Result<i64, stub::Failure>;

    /// The operation `flip`.
    fn flip(&self, caller: &stub::Caller, on: bool) -> Result<bool, stub::Failure>;

    /// The operation `octets`.
    fn octets(&self, caller: &stub::Caller, a: u8) -> Result<(u8, u8), stub::Failure>;

    /// The operation `shorts`.
    fn shorts(&self, caller: &stub::Caller, a: i16, b: u16) -> Result<(i16, u16), stub::Failure>;

    /// The operation `longs`.
    fn longs(&self, caller: &stub::Caller, a: i32, b: u32) -> Result<(i32, u32), stub::Failure>;

    /// The operation `wide`.
    fn wide(&self, caller: &stub::Caller, a: u64) -> Result<u64, stub::Failure>;

    /// The operation `colors`.
    fn colors(&self, caller: &stub::Caller, a: Color) -> Result<(Color, Color), stub::Failure>;

    /// The operation `texts`.
    fn texts(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
        b: &mut stub::BytesOut<'_>,
    ) -> Result<(), Fault>;

    /// The operation `blobs`.
    fn blobs(
        &self,
        caller: &stub::Caller,
        a: &[u8],
        result: &mut stub::BytesOut<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `spots`.
    fn spots(
        &self,
        caller: &stub::Caller,
        a: &[Spot],
        result: &mut SpotList<'_>,
    ) -> Result<i32, stub::Failure>;

    /// The operation `numbers`.
    fn numbers(
        &self,
        caller: &stub::Caller,
        a: &[i32],
        result: &mut I32List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `others`.
    fn others(
        &self,
        caller: &stub::Caller,
        a: &[I32],
        result: &mut I32List_<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `words`.
    fn words(
        &self,
        caller: &stub::Caller,
        a: &[Vec<u8>],
        result: &mut String5List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `palette`.
    fn palette(
        &self,
        caller: &stub::Caller,
        a: &[Color],
        result: &mut ColorList<'_>,
        b: &mut BoolList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `ids`.
    fn ids(
        &self,
        caller: &stub::Caller,
        a: &[u64],
        result: &mut U64List<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `move_spot`.
    fn move_spot(&self, caller: &stub::Caller, a: &Spot, by: &Point) -> Result<Spot, stub::Failure>;

    /// The operation `bump`.
    fn bump(
        &self,
        caller: &stub::Caller,
        a: &mut i32,
        b: &mut Plain,
        by: i32,
    ) -> Result<i32, stub::Failure>;

    /// The operation `count`.
    fn count(
        &self,
        caller: &stub::Caller,
        a: &mut u64,
        b: &mut bool,
        c: &mut Color,
        d: &mut i64,
        fail: i32,
    ) -> Result<(), stub::Failure>;

    /// The operation `nothing`.
    fn nothing(&self, caller: &stub::Caller) -> Result<(), stub::Failure>;

    /// The operation `fail`.
    fn fail(&self, caller: &stub::Caller, color: Color) -> Result<(), Fault>;

    /// The operation `again`.
    fn again(
        &self,
        caller: &stub::Caller,
        other: stub::PortalIn<'_, Echo>,
    ) -> Result<(stub::Served<Echo>, stub::Served<Box>), stub::Failure>;

    /// Words that mean something in Rust.
    fn r#type(
        &self,
        caller: &stub::Caller,
        self_: i32,
        call_: i32,
        words_: i32,
        r#fn: i32,
    ) -> Result<(i32, i32), stub::Failure>;
}

/// The interface `Echo`.
///
/// A portal on an object of a [`EchoService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Echo {
    client: stub::Client,
    near: stub::Nearby<Echo>,
}

impl stub::Interface for Echo {
    type Service = dyn EchoService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Echo {
        Echo { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Echo {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl EchoService) -> stub::Served<Echo> {
        stub::serve::<EchoServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Echo {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// Takes time.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn add(&self, i: i64, j: i64, k: i64) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(0, |service, caller| service.add(caller, i, j, k))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [i.cast_unsigned(), j.cast_unsigned(), k.cast_unsigned(), 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            let result = words[3].cast_signed();
            Ok(result)
        })
    }

    /// The operation `flip`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn flip(&self, on: bool) -> Result<bool, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(1, |service, caller| service.flip(caller, on))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [u64::from(on), 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            let result = stub::bool(words[1]).reply("Echo.flip")?;
            Ok(result)
        })
    }

    /// The operation `octets`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn octets(&self, a: u8) -> Result<(u8, u8), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, b) = near.call(2, |service, caller| service.octets(caller, a))?;
            return Ok((result, b));
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(2, &mut words, &[])?;
            let result = stub::int::<u8>(words[1]).reply("Echo.octets")?;
            let b = stub::int::<u8>(words[2]).reply("Echo.octets")?;
            Ok((result, b))
        })
    }

    /// The operation `shorts`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn shorts(&self, a: i16, b: u16) -> Result<(i16, u16), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, c) = near.call(3, |service, caller| service.shorts(caller, a, b))?;
            return Ok((result, c));
        }
        stub::far(move || {
            let mut words = [stub::word(a), stub::word(b), 0, 0, 0, 0];
            self.client.short(3, &mut words, &[])?;
            let result = stub::int::<i16>(words[2]).reply("Echo.shorts")?;
            let c = stub::int::<u16>(words[3]).reply("Echo.shorts")?;
            Ok((result, c))
        })
    }

    /// The operation `longs`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn longs(&self, a: i32, b: u32) -> Result<(i32, u32), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, c) = near.call(4, |service, caller| service.longs(caller, a, b))?;
            return Ok((result, c));
        }
        stub::far(move || {
            let mut words = [stub::word(a), stub::word(b), 0, 0, 0, 0];
            self.client.short(4, &mut words, &[])?;
            let result = stub::int::<i32>(words[2]).reply("Echo.longs")?;
            let c = stub::int::<u32>(words[3]).reply("Echo.longs")?;
            Ok((result, c))
        })
    }

    /// The operation `wide`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn wide(&self, a: u64) -> Result<u64, stub::Failure> {
        if let Some(near) = self.near.get() {
            stub::u64_word(a).argument("Echo.wide", "a")?;
            let result = near.call(5, |service, caller| service.wide(caller, a))?;
            stub::u64_result(result, "Echo.wide")?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::u64_word(a).argument("Echo.wide", "a")?, 0, 0, 0, 0, 0];
            self.client.short(5, &mut words, &[])?;
            let result = stub::u64(words[1]).reply("Echo.wide")?;
            Ok(result)
        })
    }

    /// The operation `colors`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn colors(&self, a: Color) -> Result<(Color, Color), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, b) = near.call(6, |service, caller| service.colors(caller, a))?;
            return Ok((result, b));
        }
        stub::far(move || {
            let mut words = [a.to_word(), 0, 0, 0, 0, 0];
            self.client.short(6, &mut words, &[])?;
            let result = Color::from_word(words[1]).reply("Echo.colors")?;
            let b = Color::from_word(words[2]).reply("Echo.colors")?;
            Ok((result, b))
        })
    }

    /// The operation `texts`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn texts(&self, a: &[u8]) -> Result<(Vec<u8>, Vec<u8>), stub::CallError<Fault>> {
        let mut words = [
            stub::string_word(0, a, 64).argument("Echo.texts", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(7, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[])?;
        let result = stub::string_output(&mut outputs[0], 16).reply("Echo.texts")?;
        let b = stub::string_output(&mut outputs[1], 4).reply("Echo.texts")?;
        Ok((result, b))
    }

    /// The operation `texts`, with what comes back in buffers of the caller's: `result`, `b`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn texts_into(
        &self,
        a: &[u8],
        result: &mut Vec<u8>,
        b: &mut Vec<u8>,
    ) -> Result<(), stub::CallError<Fault>> {
        let mut words = [
            stub::string_word(0, a, 64).argument("Echo.texts", "a")?,
            stub::area(1),
            stub::area(2),
        ];
        let mut outputs = [stub::room(result), stub::room(b)];
        let made = self.client.call(7, &mut words, &[stub::Input::Bytes(a)], &mut outputs, &[]);
        stub::put_back(&mut outputs, [(0, &mut *result), (1, &mut *b)]);
        made?;
        stub::bounded_string(result, 16).reply("Echo.texts")?;
        stub::bounded_string(b, 4).reply("Echo.texts")?;
        Ok(())
    }

    /// The operation `blobs`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn blobs(&self, a: &[u8]) -> Result<Vec<u8>, stub::Failure> {
        let mut result = Vec::new();
        self.blobs_into(a, &mut result)?;
        Ok(result)
    }

    /// The operation `blobs`, with `result` in a buffer of the caller's. What that holds after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn blobs_into(&self, a: &[u8], result: &mut Vec<u8>) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let a = stub::bounded(a, 8).argument("Echo.blobs", "a")?;
            result.clear();
            let mut result_area = stub::BytesOut::new(result, 8);
            near.call(8, |service, caller| service.blobs(caller, a, &mut result_area))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [stub::bytes_word(0, a, 8).argument("Echo.blobs", "a")?, 0, 0, 0, 0, 0];
            self.client.short_out(8, &mut words, a, result)?;
            stub::bounded(result, 8).reply("Echo.blobs")?;
            Ok(())
        })
    }

    /// The operation `spots`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn spots(&self, a: &[Spot]) -> Result<(Vec<Spot>, i32), stub::Failure> {
        let a_area = stub::list_area(a, 4, Spot::write).argument("Echo.spots", "a")?;
        let mut words = [stub::area(0), stub::area(1), 0];
        let mut outputs = [stub::Area::default()];
        self.client.call(9, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 4, Spot::read).reply("Echo.spots")?;
        let count = stub::int::<i32>(words[2]).reply("Echo.spots")?;
        Ok((result, count))
    }

    /// The operation `spots`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn spots_into(&self, a: &[Spot], result: &mut Vec<Spot>) -> Result<i32, stub::Failure> {
        let a_area = stub::list_area(a, 4, Spot::write).argument("Echo.spots", "a")?;
        let mut words = [stub::area(0), stub::area(1), 0];
        let mut outputs = [stub::Area::default()];
        self.client.call(9, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 4, Spot::read, result).reply("Echo.spots")?;
        let count = stub::int::<i32>(words[2]).reply("Echo.spots")?;
        Ok(count)
    }

    /// The operation `numbers`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn numbers(&self, a: &[i32]) -> Result<Vec<i32>, stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([stub::word(each)])).argument("Echo.numbers", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(10, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Echo.numbers")?;
        Ok(result)
    }

    /// The operation `numbers`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn numbers_into(&self, a: &[i32], result: &mut Vec<i32>) -> Result<(), stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([stub::word(each)])).argument("Echo.numbers", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(10, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            result,
        ).reply("Echo.numbers")?;
        Ok(())
    }

    /// The operation `others`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn others(&self, a: &[I32]) -> Result<Vec<I32>, stub::Failure> {
        let a_area = stub::list_area(a, 3, I32::write).argument("Echo.others", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(11, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, I32::read).reply("Echo.others")?;
        Ok(result)
    }

    /// The operation `others`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn others_into(&self, a: &[I32], result: &mut Vec<I32>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, I32::write).argument("Echo.others", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(11, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(&outputs[0], 3, I32::read, result).reply("Echo.others")?;
        Ok(())
    }

    /// The operation `words`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn words(&self, a: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::add_string(area, each, 5)?]))
            .argument("Echo.words", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], area| stub::field_string(area, words[0], 5))
            .reply("Echo.words")?;
        Ok(result)
    }

    /// The operation `words`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn words_into(
        &self,
        a: &[Vec<u8>],
        result: &mut Vec<Vec<u8>>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::add_string(area, each, 5)?]))
            .argument("Echo.words", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], area| stub::field_string(area, words[0], 5),
            result,
        ).reply("Echo.words")?;
        Ok(())
    }

    /// The operation `palette`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn palette(&self, a: &[Color]) -> Result<(Vec<Color>, Vec<bool>), stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([each.to_word()])).argument("Echo.palette", "a")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(13, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], _| Color::from_word(words[0]).ok_or(stub::Wrong::Value))
            .reply("Echo.palette")?;
        let b = stub::list(&outputs[1], 3, |words: &[u64; 1], _| stub::bool(words[0]))
            .reply("Echo.palette")?;
        Ok((result, b))
    }

    /// The operation `palette`, with what comes back in buffers of the caller's: `result`, `b`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn palette_into(
        &self,
        a: &[Color],
        result: &mut Vec<Color>,
        b: &mut Vec<bool>,
    ) -> Result<(), stub::Failure> {
        let a_area =
            stub::list_area(a, 3, |&each, _| Ok([each.to_word()])).argument("Echo.palette", "a")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(2)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(13, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], _| Color::from_word(words[0]).ok_or(stub::Wrong::Value),
            result,
        ).reply("Echo.palette")?;
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 1], _| stub::bool(words[0]),
            b,
        ).reply("Echo.palette")?;
        Ok(())
    }

    /// The operation `ids`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn ids(&self, a: &[u64]) -> Result<Vec<u64>, stub::Failure> {
        let a_area = stub::list_area(a, 3, |&each, _| Ok([stub::u64_word(each)?]))
            .argument("Echo.ids", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(14, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 3, |words: &[u64; 1], _| stub::u64(words[0]))
            .reply("Echo.ids")?;
        Ok(result)
    }

    /// The operation `ids`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn ids_into(&self, a: &[u64], result: &mut Vec<u64>) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |&each, _| Ok([stub::u64_word(each)?]))
            .argument("Echo.ids", "a")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(14, &mut words, &[stub::Input::List(&a_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], _| stub::u64(words[0]),
            result,
        ).reply("Echo.ids")?;
        Ok(())
    }

    /// The operation `move_spot`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn move_spot(&self, a: &Spot, by: &Point) -> Result<Spot, stub::Failure> {
        let mut words = [
            stub::string_word(0, &a.name, 64).argument("Echo.move_spot", "a")?,
            stub::word(a.at.x),
            stub::word(a.at.y),
            a.color.to_word(),
            stub::bytes_word(1, &a.digest, 16).argument("Echo.move_spot", "a")?,
            stub::u64_word(a.id).argument("Echo.move_spot", "a")?,
            stub::word(by.x),
            stub::word(by.y),
            stub::area(2),
            0,
            0,
            0,
            stub::area(3),
            0,
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            15,
            &mut words,
            &[stub::Input::Bytes(&a.name), stub::Input::Bytes(&a.digest)],
            &mut outputs,
            &[],
        )?;
        let result = Spot {
            name: stub::string_output(&mut outputs[0], 64).reply("Echo.move_spot")?,
            at: Point { x: stub::int::<i16>(words[9]).reply("Echo.move_spot")?, y: stub::int::<u16>(words[10]).reply("Echo.move_spot")? },
            color: Color::from_word(words[11]).reply("Echo.move_spot")?,
            digest: stub::bytes_output(&mut outputs[1], 16).reply("Echo.move_spot")?,
            id: stub::u64(words[13]).reply("Echo.move_spot")?,
        };
        Ok(result)
    }

    /// The operation `bump`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn bump(&self, a: &mut i32, b: &mut Plain, by: i32) -> Result<i32, stub::Failure> {
        let mut words = [
            stub::word(by),
            stub::word(*a),
            u64::from(b.on),
            b.color.to_word(),
            stub::word(b.level),
            0,
        ];
        self.client.call(16, &mut words, &[], &mut [], &[])?;
        let a_area = stub::int::<i32>(words[1]).reply("Echo.bump")?;
        let b_area = Plain {
            on: stub::bool(words[2]).reply("Echo.bump")?,
            color: Color::from_word(words[3]).reply("Echo.bump")?,
            level: stub::int::<u8>(words[4]).reply("Echo.bump")?,
        };
        let sum = stub::int::<i32>(words[5]).reply("Echo.bump")?;
        *a = a_area;
        *b = b_area;
        Ok(sum)
    }

    /// The operation `count`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn count(
        &self,
        a: &mut u64,
        b: &mut bool,
        c: &mut Color,
        d: &mut i64,
        fail: i32,
    ) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            let mut a_area = stub::u64_word(*a).argument("Echo.count", "a")?;
            let mut b_area = *b;
            let mut c_area = *c;
            let mut d_area = *d;
            near.call(17, |service, caller| service.count(
                caller,
                &mut a_area,
                &mut b_area,
                &mut c_area,
                &mut d_area,
                fail,
            ))?;
            stub::u64_result(a_area, "Echo.count")?;
            *a = a_area;
            *b = b_area;
            *c = c_area;
            *d = d_area;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [
                stub::word(fail),
                stub::u64_word(*a).argument("Echo.count", "a")?,
                u64::from(*b),
                (*c).to_word(),
                (*d).cast_unsigned(),
                0,
            ];
            self.client.short(17, &mut words, &[])?;
            let a_area = stub::u64(words[1]).reply("Echo.count")?;
            let b_area = stub::bool(words[2]).reply("Echo.count")?;
            let c_area = Color::from_word(words[3]).reply("Echo.count")?;
            let d_area = words[4].cast_signed();
            *a = a_area;
            *b = b_area;
            *c = c_area;
            *d = d_area;
            Ok(())
        })
    }

    /// The operation `nothing`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn nothing(&self) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(18, |service, caller| service.nothing(caller))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(18, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `fail`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn fail(&self, color: Color) -> Result<(), stub::CallError<Fault>> {
        if let Some(near) = self.near.get() {
            near.call(19, |service, caller| service.fail(caller, color))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [color.to_word(), 0, 0, 0, 0, 0];
            self.client.short(19, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `again`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn again(&self, other: &Echo) -> Result<(Echo, Box), stub::Failure> {
        let mut words = [0, 0, 0];
        let made = self.client.call(20, &mut words, &[], &mut [], &[other.portal()])?;
        let result = Echo::from_portal(stub::made(&made, words[1]).reply("Echo.again")?);
        let r#box = Box::from_portal(stub::made(&made, words[2]).reply("Echo.again")?);
        Ok((result, r#box))
    }

    /// Words that mean something in Rust.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn r#type(
        &self,
        self_: i32,
        call_: i32,
        words_: i32,
        r#fn: i32,
    ) -> Result<(i32, i32), stub::Failure> {
        if let Some(near) = self.near.get() {
            let (result, result_) = near.call(21, |service, caller| service.r#type(
                caller,
                self_,
                call_,
                words_,
                r#fn,
            ))?;
            return Ok((result, result_));
        }
        stub::far(move || {
            let mut words = [
                stub::word(self_),
                stub::word(call_),
                stub::word(words_),
                stub::word(r#fn),
                0,
                0,
            ];
            self.client.short(21, &mut words, &[])?;
            let result = stub::int::<i32>(words[4]).reply("Echo.type")?;
            let result_ = stub::int::<i32>(words[5]).reply("Echo.type")?;
            Ok((result, result_))
        })
    }
}

/// An object of a [`EchoService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EchoAt(pub stub::Number);

impl From<stub::Number> for EchoAt {
    fn from(number: stub::Number) -> EchoAt {
        EchoAt(number)
    }
}

impl From<EchoAt> for stub::Number {
    fn from(at: EchoAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl EchoAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl EchoService) -> stub::Kept<EchoAt> {
        stub::keep::<EchoServer, _, _>(service)
    }

    /// Takes time.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn add(
        self,
        channel: &mut impl stub::Channel,
        i: i64,
        j: i64,
        k: i64,
    ) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<Echo, 3>(
            self.0,
            channel,
            0,
            [i.cast_unsigned(), j.cast_unsigned(), k.cast_unsigned()],
        )?;
        Ok(result)
    }

    /// The operation `flip`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn flip(self, channel: &mut impl stub::Channel, on: bool) -> Result<bool, stub::Failure> {
        let (result, _) = stub::call::<Echo, 1>(self.0, channel, 1, [u64::from(on)])?;
        let result = stub::bool(result.cast_unsigned()).reply("Echo.flip")?;
        Ok(result)
    }

    /// The operation `octets`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn octets(
        self,
        channel: &mut impl stub::Channel,
        a: u8,
    ) -> Result<(u8, u8), stub::Failure> {
        let (result, b) = stub::call::<Echo, 1>(self.0, channel, 2, [stub::word(a)])?;
        let result = stub::int::<u8>(result.cast_unsigned()).reply("Echo.octets")?;
        let b = stub::int::<u8>(b.cast_unsigned()).reply("Echo.octets")?;
        Ok((result, b))
    }

    /// The operation `shorts`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn shorts(
        self,
        channel: &mut impl stub::Channel,
        a: i16,
        b: u16,
    ) -> Result<(i16, u16), stub::Failure> {
        let (result, c) = stub::call::<Echo, 2>(
            self.0,
            channel,
            3,
            [stub::word(a), stub::word(b)],
        )?;
        let result = stub::int::<i16>(result.cast_unsigned()).reply("Echo.shorts")?;
        let c = stub::int::<u16>(c.cast_unsigned()).reply("Echo.shorts")?;
        Ok((result, c))
    }

    /// The operation `longs`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn longs(
        self,
        channel: &mut impl stub::Channel,
        a: i32,
        b: u32,
    ) -> Result<(i32, u32), stub::Failure> {
        let (result, c) = stub::call::<Echo, 2>(
            self.0,
            channel,
            4,
            [stub::word(a), stub::word(b)],
        )?;
        let result = stub::int::<i32>(result.cast_unsigned()).reply("Echo.longs")?;
        let c = stub::int::<u32>(c.cast_unsigned()).reply("Echo.longs")?;
        Ok((result, c))
    }

    /// The operation `wide`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn wide(self, channel: &mut impl stub::Channel, a: u64) -> Result<u64, stub::Failure> {
        let (result, _) = stub::call::<Echo, 1>(
            self.0,
            channel,
            5,
            [stub::u64_word(a).argument("Echo.wide", "a")?],
        )?;
        let result = stub::u64(result.cast_unsigned()).reply("Echo.wide")?;
        Ok(result)
    }

    /// The operation `colors`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn colors(
        self,
        channel: &mut impl stub::Channel,
        a: Color,
    ) -> Result<(Color, Color), stub::Failure> {
        let (result, b) = stub::call::<Echo, 1>(self.0, channel, 6, [a.to_word()])?;
        let result = Color::from_word(result.cast_unsigned()).reply("Echo.colors")?;
        let b = Color::from_word(b.cast_unsigned()).reply("Echo.colors")?;
        Ok((result, b))
    }

    /// The operation `nothing`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn nothing(self, channel: &mut impl stub::Channel) -> Result<(), stub::Failure> {
        stub::call::<Echo, 0>(self.0, channel, 18, [])?;
        Ok(())
    }

    /// The operation `fail`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    #[inline]
    pub fn fail(
        self,
        channel: &mut impl stub::Channel,
        color: Color,
    ) -> Result<(), stub::CallError<Fault>> {
        stub::call::<Echo, 1>(self.0, channel, 19, [color.to_word()])?;
        Ok(())
    }

    /// Words that mean something in Rust.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn r#type(
        self,
        channel: &mut impl stub::Channel,
        self_: i32,
        call_: i32,
        words_: i32,
        r#fn: i32,
    ) -> Result<(i32, i32), stub::Failure> {
        stub::call_narrow::<Echo, 4>(self.0, channel, 21, [self_, call_, words_, r#fn])
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct EchoServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: EchoService> stub::Dispatch<S> for EchoServer {
    type Interface = Echo;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Echo>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
            2 => Self::op_2(service, call.caller, stub::block(call.words)?),
            3 => Self::op_3(service, call.caller, stub::block(call.words)?),
            4 => Self::op_4(service, call.caller, stub::block(call.words)?),
            5 => Self::op_5(service, call.caller, stub::block(call.words)?),
            6 => Self::op_6(service, call.caller, stub::block(call.words)?),
            7 => Self::op_7(service, call),
            8 => {
                let mut area = call.take(1)?;
                let piece = stub::piece(call.areas, call.words, 0).argument("Echo.blobs", "a")?;
                Self::op_8(service, call.caller, stub::block(call.words)?, piece, &mut area.bytes)?;
                call.put(1, area)
            }
            9 => Self::op_9(service, call),
            10 => Self::op_10(service, call),
            11 => Self::op_11(service, call),
            12 => Self::op_12(service, call),
            13 => Self::op_13(service, call),
            14 => Self::op_14(service, call),
            15 => Self::op_15(service, call),
            16 => Self::op_16(service, call),
            17 => Self::op_17(service, call.caller, stub::block(call.words)?),
            18 => Self::op_18(service, call.caller, stub::block(call.words)?),
            19 => Self::op_19(service, call.caller, stub::block(call.words)?),
            20 => Self::op_20(service, call),
            21 => Self::op_21(service, call.caller, stub::block(call.words)?),
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
            4 => Self::op_4(service, caller, stub::head(words)?),
            5 => Self::op_5(service, caller, stub::head(words)?),
            6 => Self::op_6(service, caller, stub::head(words)?),
            17 => Self::op_17(service, caller, stub::head(words)?),
            18 => Self::op_18(service, caller, stub::head(words)?),
            19 => Self::op_19(service, caller, stub::head(words)?),
            21 => Self::op_21(service, caller, stub::head(words)?),
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
            8 => Self::op_8(service, caller, stub::head(words)?, piece, out),
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
            4 => Self::plain_4(service, caller, [w0, w1, w2, w3]),
            5 => Self::plain_5(service, caller, [w0, w1, w2, w3]),
            6 => Self::plain_6(service, caller, [w0, w1, w2, w3]),
            18 => Self::plain_18(service, caller, [w0, w1, w2, w3]),
            19 => Self::plain_19(service, caller, [w0, w1, w2, w3]),
            21 => Self::plain_21(service, caller, [w0, w1, w2, w3]),
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
            21 => Self::narrow_21(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl EchoServer {
    /// `Echo.add`.
    #[inline]
    fn op_0(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
    ) -> Result<(), stub::Failure> {
        let i = words[0].cast_signed();
        let j = words[1].cast_signed();
        let k = words[2].cast_signed();
        let result = service.add(caller, i, j, k)?;
        words[3] = result.cast_unsigned();
        Ok(())
    }

    /// `Echo.flip`.
    #[inline]
    fn op_1(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let on = stub::bool(words[0]).argument("Echo.flip", "on")?;
        let result = service.flip(caller, on)?;
        words[1] = u64::from(result);
        Ok(())
    }

    /// `Echo.octets`.
    #[inline]
    fn op_2(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<u8>(words[0]).argument("Echo.octets", "a")?;
        let (result, b) = service.octets(caller, a)?;
        words[1] = stub::word(result);
        words[2] = stub::word(b);
        Ok(())
    }

    /// `Echo.shorts`.
    #[inline]
    fn op_3(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i16>(words[0]).argument("Echo.shorts", "a")?;
        let b = stub::int::<u16>(words[1]).argument("Echo.shorts", "b")?;
        let (result, c) = service.shorts(caller, a, b)?;
        words[2] = stub::word(result);
        words[3] = stub::word(c);
        Ok(())
    }

    /// `Echo.longs`.
    #[inline]
    fn op_4(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 4],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Echo.longs", "a")?;
        let b = stub::int::<u32>(words[1]).argument("Echo.longs", "b")?;
        let (result, c) = service.longs(caller, a, b)?;
        words[2] = stub::word(result);
        words[3] = stub::word(c);
        Ok(())
    }

    /// `Echo.wide`.
    #[inline]
    fn op_5(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let a = stub::u64(words[0]).argument("Echo.wide", "a")?;
        let result = service.wide(caller, a)?;
        words[1] = stub::u64_result(result, "Echo.wide")?;
        Ok(())
    }

    /// `Echo.colors`.
    #[inline]
    fn op_6(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 3],
    ) -> Result<(), stub::Failure> {
        let a = Color::from_word(words[0]).argument("Echo.colors", "a")?;
        let (result, b) = service.colors(caller, a)?;
        words[1] = result.to_word();
        words[2] = b.to_word();
        Ok(())
    }

    /// `Echo.texts`.
    #[inline(never)]
    fn op_7(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let mut b_area = call.areas.take(words[2])?;
        let a = stub::string(call.areas, words[0], 64).argument("Echo.texts", "a")?;
        let mut result = stub::BytesOut::new(&mut result_area.bytes, 16);
        let mut b = stub::BytesOut::new(&mut b_area.bytes, 4);
        service.texts(call.caller, a, &mut result, &mut b)?;
        result.finish_string("Echo.texts")?;
        words[1] = call.areas.put(words[1], result_area)?;
        b.finish_string("Echo.texts")?;
        words[2] = call.areas.put(words[2], b_area)?;
        Ok(())
    }

    /// `Echo.blobs`.
    #[inline]
    fn op_8(
        service: &impl EchoService,
        caller: &stub::Caller,
        _words: &mut [u64; 2],
        a: &[u8],
        result_area: &mut Vec<u8>,
    ) -> Result<(), stub::Failure> {
        let a = stub::bounded(a, 8).argument("Echo.blobs", "a")?;
        let mut result = stub::BytesOut::new(result_area, 8);
        service.blobs(caller, a, &mut result)?;
        Ok(())
    }

    /// `Echo.spots`.
    #[inline(never)]
    fn op_9(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 4, Spot::read).argument("Echo.spots", "a")?;
        let mut result = SpotList(stub::ListOut::new(&mut result_area, 4));
        let count = service.spots(call.caller, &a, &mut result)?;
        result.0.finish("Echo.spots")?;
        words[1] = call.areas.put(words[1], result_area)?;
        words[2] = stub::word(count);
        Ok(())
    }

    /// `Echo.numbers`.
    #[inline(never)]
    fn op_10(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Echo.numbers", "a")?;
        let mut result = I32List(stub::ListOut::new(&mut result_area, 3));
        service.numbers(call.caller, &a, &mut result)?;
        result.0.finish("Echo.numbers")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Echo.others`.
    #[inline(never)]
    fn op_11(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, I32::read).argument("Echo.others", "a")?;
        let mut result = I32List_(stub::ListOut::new(&mut result_area, 3));
        service.others(call.caller, &a, &mut result)?;
        result.0.finish("Echo.others")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Echo.words`.
    #[inline(never)]
    fn op_12(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], area| stub::field_string(area, words[0], 5))
            .argument("Echo.words", "a")?;
        let mut result = String5List(stub::ListOut::new(&mut result_area, 3));
        service.words(call.caller, &a, &mut result)?;
        result.0.finish("Echo.words")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Echo.palette`.
    #[inline(never)]
    fn op_13(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let mut b_area = call.areas.take(words[2])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| Color::from_word(words[0]).ok_or(stub::Wrong::Value))
            .argument("Echo.palette", "a")?;
        let mut result = ColorList(stub::ListOut::new(&mut result_area, 3));
        let mut b = BoolList(stub::ListOut::new(&mut b_area, 3));
        service.palette(call.caller, &a, &mut result, &mut b)?;
        result.0.finish("Echo.palette")?;
        words[1] = call.areas.put(words[1], result_area)?;
        b.0.finish("Echo.palette")?;
        words[2] = call.areas.put(words[2], b_area)?;
        Ok(())
    }

    /// `Echo.ids`.
    #[inline(never)]
    fn op_14(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], _| stub::u64(words[0]))
            .argument("Echo.ids", "a")?;
        let mut result = U64List(stub::ListOut::new(&mut result_area, 3));
        service.ids(call.caller, &a, &mut result)?;
        result.0.finish("Echo.ids")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Echo.move_spot`.
    #[inline(never)]
    fn op_15(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<14>(call.words)?;
        let a = Spot {
            name: stub::string(call.areas, words[0], 64).argument("Echo.move_spot", "a")?.to_vec(),
            at: Point { x: stub::int::<i16>(words[1]).argument("Echo.move_spot", "a")?, y: stub::int::<u16>(words[2]).argument("Echo.move_spot", "a")? },
            color: Color::from_word(words[3]).argument("Echo.move_spot", "a")?,
            digest: stub::bytes(call.areas, words[4], 16).argument("Echo.move_spot", "a")?.to_vec(),
            id: stub::u64(words[5]).argument("Echo.move_spot", "a")?,
        };
        let by = Point {
            x: stub::int::<i16>(words[6]).argument("Echo.move_spot", "by")?,
            y: stub::int::<u16>(words[7]).argument("Echo.move_spot", "by")?,
        };
        let result = service.move_spot(call.caller, &a, &by)?;
        words[8] = stub::put_string(call.areas, words[8], &result.name, 64, "Echo.move_spot")?;
        words[9] = stub::word(result.at.x);
        words[10] = stub::word(result.at.y);
        words[11] = result.color.to_word();
        words[12] = stub::put_bytes(call.areas, words[12], &result.digest, 16, "Echo.move_spot")?;
        words[13] = stub::u64_result(result.id, "Echo.move_spot")?;
        Ok(())
    }

    /// `Echo.bump`.
    #[inline(never)]
    fn op_16(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<6>(call.words)?;
        let by = stub::int::<i32>(words[0]).argument("Echo.bump", "by")?;
        let mut a = stub::int::<i32>(words[1]).argument("Echo.bump", "a")?;
        let mut b = Plain {
            on: stub::bool(words[2]).argument("Echo.bump", "b")?,
            color: Color::from_word(words[3]).argument("Echo.bump", "b")?,
            level: stub::int::<u8>(words[4]).argument("Echo.bump", "b")?,
        };
        let sum = service.bump(call.caller, &mut a, &mut b, by)?;
        words[1] = stub::word(a);
        words[2] = u64::from(b.on);
        words[3] = b.color.to_word();
        words[4] = stub::word(b.level);
        words[5] = stub::word(sum);
        Ok(())
    }

    /// `Echo.count`.
    #[inline]
    fn op_17(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 5],
    ) -> Result<(), stub::Failure> {
        let fail = stub::int::<i32>(words[0]).argument("Echo.count", "fail")?;
        let mut a = stub::u64(words[1]).argument("Echo.count", "a")?;
        let mut b = stub::bool(words[2]).argument("Echo.count", "b")?;
        let mut c = Color::from_word(words[3]).argument("Echo.count", "c")?;
        let mut d = words[4].cast_signed();
        service.count(caller, &mut a, &mut b, &mut c, &mut d, fail)?;
        words[1] = stub::u64_result(a, "Echo.count")?;
        words[2] = u64::from(b);
        words[3] = c.to_word();
        words[4] = d.cast_unsigned();
        Ok(())
    }

    /// `Echo.nothing`.
    #[inline]
    fn op_18(
        service: &impl EchoService,
        caller: &stub::Caller,
        _words: &mut [u64; 0],
    ) -> Result<(), stub::Failure> {
        service.nothing(caller)?;
        Ok(())
    }

    /// `Echo.fail`.
    #[inline]
    fn op_19(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let color = Color::from_word(words[0]).argument("Echo.fail", "color")?;
        service.fail(caller, color)?;
        Ok(())
    }

    /// `Echo.again`.
    #[inline(never)]
    fn op_20(service: &impl EchoService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let other = stub::portal::<Echo>(call.portals, words[0], "Echo.again", "other")?;
        let (result, r#box) = service.again(call.caller, other)?;
        words[1] = stub::make(call.made, result);
        words[2] = stub::make(call.made, r#box);
        Ok(())
    }

    /// `Echo.type`.
    #[inline]
    fn op_21(
        service: &impl EchoService,
        caller: &stub::Caller,
        words: &mut [u64; 6],
    ) -> Result<(), stub::Failure> {
        let self_ = stub::int::<i32>(words[0]).argument("Echo.type", "self")?;
        let call_ = stub::int::<i32>(words[1]).argument("Echo.type", "call")?;
        let words_ = stub::int::<i32>(words[2]).argument("Echo.type", "words")?;
        let r#fn = stub::int::<i32>(words[3]).argument("Echo.type", "fn")?;
        let (result, result_) = service.r#type(caller, self_, call_, words_, r#fn)?;
        words[4] = stub::word(result);
        words[5] = stub::word(result_);
        Ok(())
    }

    /// `Echo.add` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl EchoService,
        caller: &stub::Caller,
        [i, j, k, ..]: [u64; 4],
    ) -> stub::Two {
        let i = i.cast_signed();
        let j = j.cast_signed();
        let k = k.cast_signed();
        let result = stub::carried("Echo.add", || Ok(service.add(caller, i, j, k)?))?;
        Ok((result, 0))
    }

    /// `Echo.flip` in a plain session.
    #[inline(always)]
    fn plain_1(service: &impl EchoService, caller: &stub::Caller, [on, ..]: [u64; 4]) -> stub::Two {
        let on = stub::bool(on).argument("Echo.flip", "on")?;
        let result = stub::carried("Echo.flip", || Ok(service.flip(caller, on)?))?;
        Ok((u64::from(result).cast_signed(), 0))
    }

    /// `Echo.octets` in a plain session.
    #[inline(always)]
    fn plain_2(service: &impl EchoService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = stub::int::<u8>(a).argument("Echo.octets", "a")?;
        let (result, b) = stub::carried("Echo.octets", || Ok(service.octets(caller, a)?))?;
        Ok((stub::word(result).cast_signed(), stub::word(b).cast_signed()))
    }

    /// `Echo.shorts` in a plain session.
    #[inline(always)]
    fn plain_3(
        service: &impl EchoService,
        caller: &stub::Caller,
        [a, b, ..]: [u64; 4],
    ) -> stub::Two {
        let a = stub::int::<i16>(a).argument("Echo.shorts", "a")?;
        let b = stub::int::<u16>(b).argument("Echo.shorts", "b")?;
        let (result, c) = stub::carried("Echo.shorts", || Ok(service.shorts(caller, a, b)?))?;
        Ok((stub::word(result).cast_signed(), stub::word(c).cast_signed()))
    }

    /// `Echo.longs` in a plain session.
    #[inline(always)]
    fn plain_4(
        service: &impl EchoService,
        caller: &stub::Caller,
        [a, b, ..]: [u64; 4],
    ) -> stub::Two {
        let a = stub::int::<i32>(a).argument("Echo.longs", "a")?;
        let b = stub::int::<u32>(b).argument("Echo.longs", "b")?;
        let (result, c) = stub::carried("Echo.longs", || Ok(service.longs(caller, a, b)?))?;
        Ok((stub::word(result).cast_signed(), stub::word(c).cast_signed()))
    }

    /// `Echo.wide` in a plain session.
    #[inline(always)]
    fn plain_5(service: &impl EchoService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = stub::u64(a).argument("Echo.wide", "a")?;
        let result = stub::carried("Echo.wide", || Ok(service.wide(caller, a)?))?;
        Ok((stub::u64_result(result, "Echo.wide")?.cast_signed(), 0))
    }

    /// `Echo.colors` in a plain session.
    #[inline(always)]
    fn plain_6(service: &impl EchoService, caller: &stub::Caller, [a, ..]: [u64; 4]) -> stub::Two {
        let a = Color::from_word(a).argument("Echo.colors", "a")?;
        let (result, b) = stub::carried("Echo.colors", || Ok(service.colors(caller, a)?))?;
        Ok((result.to_word().cast_signed(), b.to_word().cast_signed()))
    }

    /// `Echo.nothing` in a plain session.
    #[inline(always)]
    fn plain_18(service: &impl EchoService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        stub::carried("Echo.nothing", || Ok(service.nothing(caller)?))?;
        Ok((0, 0))
    }

    /// `Echo.fail` in a plain session.
    #[inline(always)]
    fn plain_19(
        service: &impl EchoService,
        caller: &stub::Caller,
        [color, ..]: [u64; 4],
    ) -> stub::Two {
        let color = Color::from_word(color).argument("Echo.fail", "color")?;
        stub::carried("Echo.fail", || Ok(service.fail(caller, color)?))?;
        Ok((0, 0))
    }

    /// `Echo.type` in a plain session.
    #[inline(always)]
    fn plain_21(
        service: &impl EchoService,
        caller: &stub::Caller,
        [self_, call_, words_, r#fn]: [u64; 4],
    ) -> stub::Two {
        let self_ = stub::int::<i32>(self_).argument("Echo.type", "self")?;
        let call_ = stub::int::<i32>(call_).argument("Echo.type", "call")?;
        let words_ = stub::int::<i32>(words_).argument("Echo.type", "words")?;
        let r#fn = stub::int::<i32>(r#fn).argument("Echo.type", "fn")?;
        stub::widened(Self::narrow_21(service, caller, [self_, call_, words_, r#fn]))
    }

    /// `Echo.type` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_21(
        service: &impl EchoService,
        caller: &stub::Caller,
        [self_, call_, words_, r#fn]: [i32; 4],
    ) -> stub::Narrow {
        stub::carried("Echo.type", || service.r#type(caller, self_, call_, words_, r#fn))
    }
}

/// What a service with the interface `Box` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait BoxService: Send + Sync + 'static {
    /// The operation `put`.
    fn put(&self, caller: &stub::Caller, value: i64) -> Result<(), stub::Failure>;

    /// The operation `get`.
    fn get(&self, caller: &stub::Caller) -> Result<i64, stub::Failure>;

    /// The operation `parse`.
    fn parse(&self, caller: &stub::Caller, text: &[u8]) -> Result<stub::Served<Box>, stub::Failure>;

    /// The operation `work`.
    fn work(&self, caller: &stub::Caller, n: i64) -> Result<i64, stub::Failure>;
}

/// Something that holds a number.
///
/// A portal on an object of a [`BoxService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Box {
    client: stub::Client,
    near: stub::Nearby<Box>,
}

impl stub::Interface for Box {
    type Service = dyn BoxService;

    const ID: stub::InterfaceId = stub::InterfaceId(1);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Box {
        Box { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Box {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl BoxService) -> stub::Served<Box> {
        stub::serve::<BoxServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Box {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `put`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn put(&self, value: i64) -> Result<(), stub::Failure> {
        if let Some(near) = self.near.get() {
            near.call(0, |service, caller| service.put(caller, value))?;
            return Ok(());
        }
        stub::far(move || {
            let mut words = [value.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short(0, &mut words, &[])?;
            Ok(())
        })
    }

    /// The operation `get`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn get(&self) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(1, |service, caller| service.get(caller))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [0, 0, 0, 0, 0, 0];
            self.client.short(1, &mut words, &[])?;
            let result = words[0].cast_signed();
            Ok(result)
        })
    }

    /// The operation `parse`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn parse(&self, text: &[u8]) -> Result<Box, stub::Failure> {
        let mut words = [stub::string_word(0, text, 8).argument("Box.parse", "text")?, 0];
        let made = self.client.call(2, &mut words, &[stub::Input::Bytes(text)], &mut [], &[])?;
        let result = Box::from_portal(stub::made(&made, words[1]).reply("Box.parse")?);
        Ok(result)
    }

    /// The operation `work`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn work(&self, n: i64) -> Result<i64, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(3, |service, caller| service.work(caller, n))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [n.cast_unsigned(), 0, 0, 0, 0, 0];
            self.client.short(3, &mut words, &[])?;
            let result = words[1].cast_signed();
            Ok(result)
        })
    }
}

/// An object of a [`BoxService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoxAt(pub stub::Number);

impl From<stub::Number> for BoxAt {
    fn from(number: stub::Number) -> BoxAt {
        BoxAt(number)
    }
}

impl From<BoxAt> for stub::Number {
    fn from(at: BoxAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BoxAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl BoxService) -> stub::Kept<BoxAt> {
        stub::keep::<BoxServer, _, _>(service)
    }

    /// The operation `put`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn put(self, channel: &mut impl stub::Channel, value: i64) -> Result<(), stub::Failure> {
        stub::call::<Box, 1>(self.0, channel, 0, [value.cast_unsigned()])?;
        Ok(())
    }

    /// The operation `get`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn get(self, channel: &mut impl stub::Channel) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<Box, 0>(self.0, channel, 1, [])?;
        Ok(result)
    }

    /// The operation `work`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn work(self, channel: &mut impl stub::Channel, n: i64) -> Result<i64, stub::Failure> {
        let (result, _) = stub::call::<Box, 1>(self.0, channel, 3, [n.cast_unsigned()])?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct BoxServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: BoxService> stub::Dispatch<S> for BoxServer {
    type Interface = Box;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Box>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call.caller, stub::block(call.words)?),
            1 => Self::op_1(service, call.caller, stub::block(call.words)?),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call.caller, stub::block(call.words)?),
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
            3 => Self::op_3(service, caller, stub::head(words)?),
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
            3 => Self::plain_3(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::no_plain_operation::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl BoxServer {
    /// `Box.put`.
    #[inline]
    fn op_0(
        service: &impl BoxService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let value = words[0].cast_signed();
        service.put(caller, value)?;
        Ok(())
    }

    /// `Box.get`.
    #[inline]
    fn op_1(
        service: &impl BoxService,
        caller: &stub::Caller,
        words: &mut [u64; 1],
    ) -> Result<(), stub::Failure> {
        let result = service.get(caller)?;
        words[0] = result.cast_unsigned();
        Ok(())
    }

    /// `Box.parse`.
    #[inline(never)]
    fn op_2(service: &impl BoxService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let text = stub::string(call.areas, words[0], 8).argument("Box.parse", "text")?;
        let result = service.parse(call.caller, text)?;
        words[1] = stub::make(call.made, result);
        Ok(())
    }

    /// `Box.work`.
    #[inline]
    fn op_3(
        service: &impl BoxService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let n = words[0].cast_signed();
        let result = service.work(caller, n)?;
        words[1] = result.cast_unsigned();
        Ok(())
    }

    /// `Box.put` in a plain session.
    #[inline(always)]
    fn plain_0(
        service: &impl BoxService,
        caller: &stub::Caller,
        [value, ..]: [u64; 4],
    ) -> stub::Two {
        let value = value.cast_signed();
        stub::carried("Box.put", || Ok(service.put(caller, value)?))?;
        Ok((0, 0))
    }

    /// `Box.get` in a plain session.
    #[inline(always)]
    fn plain_1(service: &impl BoxService, caller: &stub::Caller, _: [u64; 4]) -> stub::Two {
        let result = stub::carried("Box.get", || Ok(service.get(caller)?))?;
        Ok((result, 0))
    }

    /// `Box.work` in a plain session.
    #[inline(always)]
    fn plain_3(service: &impl BoxService, caller: &stub::Caller, [n, ..]: [u64; 4]) -> stub::Two {
        let n = n.cast_signed();
        let result = stub::carried("Box.work", || Ok(service.work(caller, n)?))?;
        Ok((result, 0))
    }
}

/// What a service with the interface `Empty` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait EmptyService: Send + Sync + 'static {
}

/// The interface `Empty`.
///
/// A portal on an object of a [`EmptyService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Empty {
    client: stub::Client,
}

impl stub::Interface for Empty {
    type Service = dyn EmptyService;

    const ID: stub::InterfaceId = stub::InterfaceId(2);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Empty {
        Empty { client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Empty {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl EmptyService) -> stub::Served<Empty> {
        stub::serve::<EmptyServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Empty {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct EmptyServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: EmptyService> stub::Dispatch<S> for EmptyServer {
    type Interface = Empty;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Empty>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(_: &S, op: u16, _: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            _ => Err(stub::no_such_operation::<Self::Interface>(op)),
        }
    }
}

