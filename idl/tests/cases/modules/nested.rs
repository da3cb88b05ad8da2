// Made from the interface `nested`; changes here are lost.

#[allow(unused_imports, reason = "generated: not every interface needs all")]
use ::carnet_portal::stub::{self, Check as _, Dispatch as _, Interface as _};

/// The descriptor of `nested`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[must_use]
pub fn module() -> &'static stub::Module {
    static MODULE: ::std::sync::LazyLock<stub::Module> =
        ::std::sync::LazyLock::new(|| stub::embedded(DESCRIPTOR));
    &MODULE
}

const DESCRIPTOR: &[u8] = b"\
    carnet-idl\x03\x06\x00\x00\x00nested\x03\x00\x00\x001.07\x00\x00\x00Lists in structs, lists, a\
    rrays, unions and exceptions.\x00\x00\x00\x00\x00\x00\x01\x00\x05\x00\x00\x00Shade\x00\x00\x00\
    \x00\x02\x00\x05\x00\x00\x00light\x04\x00\x00\x00dark\x06\x00\x05\x00\x00\x00Point\x00\x00\x00\
    \x00\x02\x00\x01\x00\x00\x00x\x01 \x01\x01\x00\x00\x00y\x01@\x00\x05\x00\x00\x00Named\x00\x00\
    \x00\x00\x02\x00\x04\x00\x00\x00name\x03\x08\x00\x00\x00\x06\x00\x00\x00points\x06\x03\x00\x00\
    \x00\x05\x00\x00\x05\x00\x00\x00Shelf\x00\x00\x00\x00\x04\x00\x05\x00\x00\x00label\x03\x08\x00\
    \x00\x00\x04\x00\x00\x00rows\x06\x02\x00\x00\x00\x05\x01\x00\x05\x00\x00\x00words\x06\x02\x00\
    \x00\x00\x06\x03\x00\x00\x00\x03\x08\x00\x00\x00\x05\x00\x00\x00stamp\x01@\x01\x04\x00\x00\x00\
    Grid\x00\x00\x00\x00\x04\x00\x04\x00\x00\x00rows\x0b\x02\x00\x00\x00\x06\x04\x00\x00\x00\x01 \
    \x01\x03\x00\x00\x00raw\x04\x08\x00\x00\x00\x06\x00\x00\x00shades\x06\x03\x00\x00\x00\x02\x00\
    \x00\x04\x00\x00\x00keys\x06\x02\x00\x00\x00\x0b\x10\x00\x00\x00\x01\x08\x00\x04\x00\x00\x00De\
    ep\x00\x00\x00\x00\x02\x00\x04\x00\x00\x00cube\x06\x02\x00\x00\x00\x06\x02\x00\x00\x00\x06\x02\
    \x00\x00\x00\t@\x07\x00\x00\x00choices\x06\x02\x00\x00\x00\n\x00\x00\t\x00\x00\x00Unbounded\
    \x00\x00\x00\x00\x02\x00\x06\x00\x00\x00points\x06\x00\x00\x01\x00\x05\x00\x00\x05\x00\x00\x00\
    texts\x06\x00\x00\x01\x00\x03\x00\x10\x00\x00\x01\x00\x06\x00\x00\x00Choice\x00\x00\x00\x00\
    \x01 \x01\x04\x00\x05\x00\x04\x00\x00\x00list\x06\x02\x00\x00\x00\x05\x01\x00\x01\x00\x01\x00\
    \x00\x00\x00\x00\x00\x00\x06\x00\x00\x00number\x01 \x01\x01\x00\x02\x00\x00\x00\x00\x00\x00\
    \x00\x04\x00\x00\x00grid\x05\x03\x00\x01\x00\x03\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00ro\
    w\x06\x04\x00\x00\x00\x01 \x01\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\
    \x00\x00\x04\x00\x00\x00text\x03\x08\x00\x00\x00\x00\x00\x02\x00\x07\x00\x00\x00Refused\x00\
    \x00\x00\x00\x03\x00\x03\x00\x00\x00who\x03\x08\x00\x00\x00\x05\x00\x00\x00which\x06\x02\x00\
    \x00\x00\x05\x01\x00\x03\x00\x00\x00why\n\x00\x00\x04\x00\x00\x00Full\x00\x00\x00\x00\x01\x00\
    \x03\x00\x00\x00row\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x05\x00\x00\x00Store\x00\x00\x00\x00\
    \x00\x00\x10\x00\x08\x00\x00\x00_get_top\x00\x00\x00\x00\x00\x00\x00\x00C\x00\x05\x02\x00\x00\
    \x00\x00\x00\x08\x00\x00\x00_set_top\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\
    \x05\x00\x00\x00value\x00\x05\x02\x00\x05\x00\x00\x00shelf\x00\x00\x00\x00\x00\x00\x00\x00@\
    \x00\x05\x02\x00\x00\x00\x03\x00\x01\x00\x00\x00a\x00\x05\x02\x00\x01\x00\x00\x00b\x02\x05\x02\
    \x00\x01\x00\x00\x00c\x01\x05\x02\x00\x07\x00\x00\x00shelves\x00\x00\x00\x00\x00\x00\x00\x00@\
    \x00\x06\x03\x00\x00\x00\x05\x02\x00\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\
    \x05\x02\x00\x01\x00\x00\x00b\x01\x06\x03\x00\x00\x00\x05\x02\x00\x06\x00\x00\x00matrix\x00\
    \x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x00\x00\x03\
    \x00\x01\x00\x00\x00a\x00\x06\x03\x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x00\x00b\
    \x01\x06\x03\x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x00\x00c\x02\x06\x02\x00\x00\x00\
    \x06\x02\x00\x00\x00\x03\x08\x00\x00\x00\x04\x00\x00\x00grid\x00\x00\x00\x00\x00\x00\x00\x00@\
    \x00\x05\x03\x00\x00\x00\x03\x00\x01\x00\x00\x00a\x00\x05\x03\x00\x01\x00\x00\x00b\x01\x05\x03\
    \x00\x01\x00\x00\x00c\x02\x06\x02\x00\x00\x00\x05\x03\x00\x04\x00\x00\x00pair\x00\x00\x00\x00\
    \x00\x00\x00\x00@\x00\x0b\x02\x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x00\x00\x03\x00\x01\x00\
    \x00\x00a\x00\x0b\x02\x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x00\x00b\x01\x0b\x02\
    \x00\x00\x00\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x00\x00c\x02\x0b\x02\x00\x00\x00\x06\x04\x00\
    \x00\x00\x01 \x01\x06\x00\x00\x00choice\x00\x00\x00\x00\x00\x00\x00\x00@\x00\n\x00\x00\x00\x00\
    \x02\x00\x01\x00\x00\x00a\x00\n\x00\x00\x01\x00\x00\x00b\x01\n\x00\x00\x07\x00\x00\x00choices\
    \x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x03\x00\x00\x00\n\x00\x00\x00\x00\x02\x00\x01\x00\
    \x00\x00a\x00\x06\x03\x00\x00\x00\n\x00\x00\x01\x00\x00\x00b\x01\x06\x03\x00\x00\x00\n\x00\x00\
    \x04\x00\x00\x00deep\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x05\x04\x00\x00\x00\x02\x00\x01\x00\
    \x00\x00a\x00\x05\x04\x00\x01\x00\x00\x00b\x01\x06\x02\x00\x00\x00\x05\x04\x00\x03\x00\x00\x00\
    sum\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01@\x01\x00\x00\x02\x00\x01\x00\x00\x00a\x00\x05\x05\
    \x00\x01\x00\x00\x00b\x02\x05\x05\x00\x04\x00\x00\x00take\x00\x00\x00\x00\x00\x00\x00\x00@\x00\
    \x05\x02\x00\x02\x00\x00\x00\x01\x00\x01\x00\x04\x00\x00\x00what\x00\x05\x02\x00\x05\x00\x00\
    \x00count\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x06\x04\x00\x00\x00\x01 \x01\x01\x00\x01\x00\
    \x01\x00\x04\x00\x00\x00what\x00\x06\x04\x00\x00\x00\x01 \x01\x04\x00\x00\x00tell\x00\x00\x00\
    \x00\x00\x00\x00\x00\x80\x00\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x05\x02\x00\x04\x00\x00\x00m\
    any\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\x00\x00\x01\x00\x01\x00\x00\x00a\x00\x06\x00\
    \x00\x01\x00\x05\x01\x00\x06\x00\x00\x00beside\x00\x00\x00\x00\x00\x00\x00\x00@\x00\x01 \x01\
    \x00\x00\x01\x00\x01\x00\x00\x00a\x00\x01 \x01\
    ";

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

/// The struct `Point`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `x`.
    pub x: i32,
    /// `y`.
    pub y: u64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Point {
    fn read(words: &[u64; 2], _area: &stub::Area) -> Result<Point, stub::Wrong> {
        Ok(Point { x: stub::int::<i32>(words[0])?, y: stub::u64(words[1])? })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Point {
    fn write(&self, _area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([stub::word(self.x), stub::u64_word(self.y)?])
    }
}

/// The struct `Named`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// `name`, at most 8 bytes without NUL.
    pub name: Vec<u8>,
    /// `points`, at most 3 elements.
    pub points: Vec<Point>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Named {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<Named, stub::Wrong> {
        Ok(Named {
            name: stub::field_string(area, words[0], 8)?,
            points: stub::field_list(area, words[1], 3, &[], Point::read)?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Named {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([
            stub::add_string(area, &self.name, 8)?,
            stub::add_bytes(area, &stub::packed(&self.points, 3, Point::write)?, 56)?,
        ])
    }
}

/// The struct `Shelf`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelf {
    /// `label`, at most 8 bytes without NUL.
    pub label: Vec<u8>,
    /// `rows`, at most 2 elements.
    pub rows: Vec<Named>,
    /// `words`, at most 2 elements.
    pub words_: Vec<Vec<Vec<u8>>>,
    /// `stamp`.
    pub stamp: i64,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Shelf {
    fn read(words: &[u64; 4], area: &stub::Area) -> Result<Shelf, stub::Wrong> {
        Ok(Shelf {
            label: stub::field_string(area, words[0], 8)?,
            rows: stub::field_list(area, words[1], 2, &[0, 1], Named::read)?,
            words_: stub::field_list(area, words[2], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?))?,
            stamp: words[3].cast_signed(),
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Shelf {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 4], stub::Wrong> {
        Ok([
            stub::add_string(area, &self.label, 8)?,
            stub::add_bytes(area, &stub::packed(&self.rows, 2, Named::write)?, 168)?,
            stub::add_bytes(area, &stub::packed(&self.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?]))?, 136)?,
            self.stamp.cast_unsigned(),
        ])
    }
}

/// The struct `Grid`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// `rows`.
    pub rows: [Vec<i32>; 2],
    /// `raw`, at most 8 bytes.
    pub raw: Vec<u8>,
    /// `shades`, at most 3 elements.
    pub shades: Vec<Shade>,
    /// `keys`, at most 2 elements.
    pub keys: Vec<[u8; 16]>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Grid {
    fn read(words: &[u64; 5], area: &stub::Area) -> Result<Grid, stub::Wrong> {
        Ok(Grid {
            rows: [stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?, stub::field_list(area, words[1], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?],
            raw: stub::field_bytes(area, words[2], 8)?,
            shades: stub::field_list(area, words[3], 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value))?,
            keys: stub::field_list(area, words[4], 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?))?,
        })
    }
}

/// The struct `Deep`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq)]
pub struct Deep {
    /// `cube`, at most 2 elements.
    pub cube: Vec<Vec<Vec<f64>>>,
    /// `choices`, at most 2 elements.
    pub choices: Vec<Choice>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Deep {
    fn read(words: &[u64; 2], area: &stub::Area) -> Result<Deep, stub::Wrong> {
        Ok(Deep {
            cube: stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[], |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))?))?))?,
            choices: stub::field_list(area, words[1], 2, &[2, 3, 4, 5, 6], |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?))?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Deep {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 2], stub::Wrong> {
        Ok([
            stub::add_bytes(area, &stub::packed(&self.cube, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |&each, _| Ok([each.to_bits()]))?, 24)?]))?, 72)?]))?, 168)?,
            stub::add_bytes(area, &stub::packed(&self.choices, 2, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })?, 472)?,
        ])
    }
}

/// The struct `Unbounded`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbounded {
    /// `points`, at most 65536 elements.
    pub points: Vec<Point>,
    /// `texts`, at most 65536 elements.
    pub texts: Vec<Vec<u8>>,
}

/// The union `Choice`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `list`.
    List(Vec<Named>),
    /// `number`.
    Number(i32),
    /// `grid`.
    Grid(Grid),
    /// `row`, with its discriminant.
    Row(i32, Vec<i32>),
    /// `text`, with a discriminant that no other arm has.
    Text(i32, Vec<u8>),
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Choice {
    /// Discriminant and scalars; all bounds are checked.
    fn words(&self) -> Result<[u64; 2], stub::Wrong> {
        match self {
            Choice::List(value) => {
                let _ = value;
                Ok([1, 0])
            }
            Choice::Number(value) => {
                Ok([2, stub::word(*value)])
            }
            Choice::Grid(value) => {
                stub::bytes_word(0, &value.raw, 8)?;
                Ok([3, 0])
            }
            Choice::Row(label, value) => {
                let _ = value;
                Ok([stub::label(stub::word(*label), &[4, 5], &[])?, 0])
            }
            Choice::Text(label, value) => {
                stub::string_word(0, value, 8)?;
                Ok([stub::label(stub::word(*label), &[], &[1, 2, 3, 4, 5])?, 0])
            }
        }
    }

    /// What it has of strings and bytes; empty if it has no such part.
    fn part(&self, index: usize) -> Result<Vec<u8>, stub::Wrong> {
        match (self, index) {
            (Choice::List(value), 0) => stub::packed(value, 2, Named::write),
            (Choice::Grid(value), 0) => stub::packed(&value.rows[0], 4, |&each, _| Ok([stub::word(each)])),
            (Choice::Grid(value), 1) => stub::packed(&value.rows[1], 4, |&each, _| Ok([stub::word(each)])),
            (Choice::Grid(value), 2) => Ok(value.raw.to_vec()),
            (Choice::Grid(value), 3) => stub::packed(&value.shades, 3, |&each, _| Ok([each.to_word()])),
            (Choice::Grid(value), 4) => stub::packed(&value.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])),
            (Choice::Row(_, value), 0) => stub::packed(value, 4, |&each, _| Ok([stub::word(each)])),
            (Choice::Text(_, value), 0) => Ok(value.to_vec()),
            _ => Ok(Vec::new()),
        }
    }

    /// The arm that the discriminant says.
    fn read(words: [u64; 2], parts: [Vec<u8>; 5]) -> Result<Choice, stub::Wrong> {
        let [part0, part1, part2, part3, part4] = parts;
        match words[0].cast_signed() {
            1 => Ok(Choice::List(stub::unpacked(&part0, 2, &[0, 1], Named::read)?)),
            2 => Ok(Choice::Number(stub::int::<i32>(words[1])?)),
            3 => Ok(Choice::Grid(Grid {
                rows: [stub::unpacked(&part0, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?, stub::unpacked(&part1, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?],
                raw: stub::bytes_part(part2, 8)?,
                shades: stub::unpacked(&part3, 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value))?,
                keys: stub::unpacked(&part4, 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?))?,
            })),
            4 | 5 => Ok(Choice::Row(stub::int::<i32>(words[0])?, stub::unpacked(&part0, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?)),
            _ => Ok(Choice::Text(stub::int::<i32>(words[0])?, stub::string_part(part0, 8)?)),
        }
    }
}

/// The exception `Refused`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// `who`, at most 8 bytes without NUL.
    pub who: Vec<u8>,
    /// `which`, at most 2 elements.
    pub which: Vec<Named>,
    /// `why`.
    pub why: Choice,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Refused {
    fn read(words: &[u64; 9], area: &stub::Area) -> Result<Refused, stub::Wrong> {
        Ok(Refused {
            who: stub::field_string(area, words[0], 8)?,
            which: stub::field_list(area, words[1], 2, &[0, 1], Named::read)?,
            why: Choice::read([words[2], words[3]], [stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?, stub::field_bytes(area, words[7], 168)?, stub::field_bytes(area, words[8], 168)?])?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Refused {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 9], stub::Wrong> {
        let mut words = [
            stub::add_string(area, &self.who, 8)?,
            stub::add_bytes(area, &stub::packed(&self.which, 2, Named::write)?, 168)?,
            0,
            0,
            stub::add_bytes(area, &self.why.part(0)?, 168)?,
            stub::add_bytes(area, &self.why.part(1)?, 168)?,
            stub::add_bytes(area, &self.why.part(2)?, 168)?,
            stub::add_bytes(area, &self.why.part(3)?, 168)?,
            stub::add_bytes(area, &self.why.part(4)?, 168)?,
        ];
        words[2..4].copy_from_slice(&self.why.words()?);
        Ok(words)
    }
}

impl ::std::fmt::Display for Refused {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Refused: {self:?}")
    }
}

impl ::std::error::Error for Refused {}

impl From<Refused> for stub::Failure {
    fn from(raised: Refused) -> stub::Failure {
        stub::raised_members(0, "Refused", &raised, Refused::write)
    }
}

impl stub::Exception for Refused {
    fn from_details(details: &stub::Details) -> Option<Refused> {
        match stub::place(details) {
            0 => stub::members(details, Refused::read),
            _ => None,
        }
    }
}

/// The exception `Full`.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Full {
    /// `row`, at most 4 elements.
    pub row: Vec<i32>,
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Full {
    fn read(words: &[u64; 1], area: &stub::Area) -> Result<Full, stub::Wrong> {
        Ok(Full {
            row: stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?,
        })
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Full {
    fn write(&self, area: &mut stub::Area) -> Result<[u64; 1], stub::Wrong> {
        Ok([
            stub::add_bytes(area, &stub::packed(&self.row, 4, |&each, _| Ok([stub::word(each)]))?, 40)?,
        ])
    }
}

impl ::std::fmt::Display for Full {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        write!(f, "Full: {self:?}")
    }
}

impl ::std::error::Error for Full {}

impl From<Full> for stub::Failure {
    fn from(raised: Full) -> stub::Failure {
        stub::raised_members(0, "Full", &raised, Full::write)
    }
}

impl stub::Exception for Full {
    fn from_details(details: &stub::Details) -> Option<Full> {
        match stub::place(details) {
            0 => stub::members(details, Full::read),
            _ => None,
        }
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct ShelfList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ShelfList<'_> {
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
    pub fn push(
        &mut self,
        label: &[u8],
        rows: &[Named],
        words_: &[Vec<Vec<u8>>],
        stamp: i64,
    ) -> bool {
        self.0.push(|area| {
            Ok([
                stub::add_string(area, label, 8)?,
                stub::add_bytes(area, &stub::packed(rows, 2, Named::write)?, 168)?,
                stub::add_bytes(area, &stub::packed(words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?]))?, 136)?,
                stamp.cast_unsigned(),
            ])
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct String8ListList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl String8ListList<'_> {
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
    pub fn push(&mut self, value: &[Vec<u8>]) -> bool {
        self.0.push(|area| Ok([stub::add_bytes(area, &stub::packed(value, 2, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 40)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct I32ListList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl I32ListList<'_> {
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
    pub fn push(&mut self, value: &[i32]) -> bool {
        self.0.push(|area| Ok([stub::add_bytes(area, &stub::packed(value, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]))
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct GridList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl GridList<'_> {
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
    pub fn push(
        &mut self,
        rows: &[Vec<i32>; 2],
        raw: &[u8],
        shades: &[Shade],
        keys: &[[u8; 16]],
    ) -> bool {
        self.0.push(|area| {
            Ok([
                stub::add_bytes(area, &stub::packed(&rows[0], 4, |&each, _| Ok([stub::word(each)]))?, 40)?,
                stub::add_bytes(area, &stub::packed(&rows[1], 4, |&each, _| Ok([stub::word(each)]))?, 40)?,
                stub::add_bytes(area, raw, 8)?,
                stub::add_bytes(area, &stub::packed(shades, 3, |&each, _| Ok([each.to_word()]))?, 32)?,
                stub::add_bytes(area, &stub::packed(keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?]))?, 56)?,
            ])
        })
    }
}

/// Writes a list result.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Debug)]
pub struct ChoiceList<'a>(stub::ListOut<'a>);

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl ChoiceList<'_> {
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
    pub fn push(&mut self, value: &Choice) -> bool {
        self.0.push(|area| {
            let mut words = [
                0,
                0,
                stub::add_bytes(area, &value.part(0)?, 168)?,
                stub::add_bytes(area, &value.part(1)?, 168)?,
                stub::add_bytes(area, &value.part(2)?, 168)?,
                stub::add_bytes(area, &value.part(3)?, 168)?,
                stub::add_bytes(area, &value.part(4)?, 168)?,
            ];
            words[0..2].copy_from_slice(&value.words()?);
            Ok(words)
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

/// What `Store.take` raises.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreTakeError {
    /// `Refused`.
    Refused(Refused),
    /// `Full`.
    Full(Full),
}

impl ::std::fmt::Display for StoreTakeError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            StoreTakeError::Refused(raised) => raised.fmt(f),
            StoreTakeError::Full(raised) => raised.fmt(f),
        }
    }
}

impl ::std::error::Error for StoreTakeError {}

impl From<Refused> for StoreTakeError {
    fn from(raised: Refused) -> StoreTakeError {
        StoreTakeError::Refused(raised)
    }
}

impl From<Full> for StoreTakeError {
    fn from(raised: Full) -> StoreTakeError {
        StoreTakeError::Full(raised)
    }
}

impl From<StoreTakeError> for stub::Failure {
    fn from(raised: StoreTakeError) -> stub::Failure {
        match &raised {
            StoreTakeError::Refused(raised) => {
                stub::raised_members(0, "Refused", raised, Refused::write)
            }
            StoreTakeError::Full(raised) => {
                stub::raised_members(1, "Full", raised, Full::write)
            }
        }
    }
}

impl stub::Exception for StoreTakeError {
    fn from_details(details: &stub::Details) -> Option<StoreTakeError> {
        match stub::place(details) {
            0 => stub::members(details, Refused::read).map(StoreTakeError::Refused),
            1 => stub::members(details, Full::read).map(StoreTakeError::Full),
            _ => None,
        }
    }
}

/// What a service with the interface `Store` does.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
pub trait StoreService: Send + Sync + 'static {
    /// The operation `_get_top`.
    fn top(&self, caller: &stub::Caller) -> Result<Shelf, stub::Failure>;

    /// The operation `_set_top`.
    fn set_top(&self, caller: &stub::Caller, value: &Shelf) -> Result<(), stub::Failure>;

    /// The operation `shelf`.
    fn shelf(
        &self,
        caller: &stub::Caller,
        a: &Shelf,
        c: &mut Shelf,
    ) -> Result<(Shelf, Shelf), stub::Failure>;

    /// The operation `shelves`.
    fn shelves(
        &self,
        caller: &stub::Caller,
        a: &[Shelf],
        b: &mut Vec<Shelf>,
        result: &mut ShelfList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `matrix`.
    fn matrix(
        &self,
        caller: &stub::Caller,
        a: &[Vec<i32>],
        b: &mut Vec<Vec<i32>>,
        result: &mut I32ListList<'_>,
        c: &mut String8ListList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `grid`.
    fn grid(
        &self,
        caller: &stub::Caller,
        a: &Grid,
        b: &mut Grid,
        c: &mut GridList<'_>,
    ) -> Result<Grid, stub::Failure>;

    /// The operation `pair`.
    fn pair(
        &self,
        caller: &stub::Caller,
        a: &[Vec<i32>; 2],
        b: &mut [Vec<i32>; 2],
    ) -> Result<([Vec<i32>; 2], [Vec<i32>; 2]), stub::Failure>;

    /// The operation `choice`.
    fn choice(
        &self,
        caller: &stub::Caller,
        a: &Choice,
        b: &mut Choice,
    ) -> Result<Choice, stub::Failure>;

    /// The operation `choices`.
    fn choices(
        &self,
        caller: &stub::Caller,
        a: &[Choice],
        b: &mut Vec<Choice>,
        result: &mut ChoiceList<'_>,
    ) -> Result<(), stub::Failure>;

    /// The operation `deep`.
    fn deep(
        &self,
        caller: &stub::Caller,
        a: &Deep,
        b: &mut Vec<Deep>,
    ) -> Result<Deep, stub::Failure>;

    /// The operation `sum`.
    fn sum(&self, caller: &stub::Caller, a: &Unbounded) -> Result<(i64, Unbounded), stub::Failure>;

    /// The operation `take`.
    fn take(&self, caller: &stub::Caller, what: &Shelf) -> Result<Shelf, StoreTakeError>;

    /// The operation `count`.
    fn count(
        &self,
        caller: &stub::Caller,
        what: &[i32],
        result: &mut I32List<'_>,
    ) -> Result<(), Full>;

    /// The operation `tell`.
    fn tell(&self, caller: &stub::Caller, a: &Shelf) -> Result<(), stub::Failure>;

    /// The operation `many`.
    fn many(&self, caller: &stub::Caller, a: &[Named]) -> Result<i32, stub::Failure>;

    /// The operation `beside`.
    fn beside(&self, caller: &stub::Caller, a: i32) -> Result<i32, stub::Failure>;
}

/// The interface `Store`.
///
/// A portal on an object of a [`StoreService`].
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Debug)]
pub struct Store {
    client: stub::Client,
    near: stub::Nearby<Store>,
}

impl stub::Interface for Store {
    type Service = dyn StoreService;

    const ID: stub::InterfaceId = stub::InterfaceId(0);

    fn module() -> &'static stub::Module {
        module()
    }

    fn from_client(client: stub::Client) -> Store {
        Store { near: stub::Nearby::new(&client), client }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl Store {
    /// An object that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl StoreService) -> stub::Served<Store> {
        stub::serve::<StoreServer, _>(service)
    }

    /// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.
    #[must_use]
    pub fn from_portal(portal: stub::Portal) -> Store {
        stub::Interface::from_portal(portal)
    }

    /// The portal itself.
    #[must_use]
    pub fn portal(&self) -> &stub::Portal {
        self.client.portal()
    }

    /// The operation `_get_top`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn top(&self) -> Result<Shelf, stub::Failure> {
        let mut words = [stub::area(0), stub::area(1), stub::area(2), 0];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(0, &mut words, &[], &mut outputs, &[])?;
        let result = Shelf {
            label: stub::string_output(&mut outputs[0], 8).reply("Store._get_top")?,
            rows: stub::unpacked(&outputs[1].bytes, 2, &[0, 1], Named::read).reply("Store._get_top")?,
            words_: stub::unpacked(&outputs[2].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).reply("Store._get_top")?,
            stamp: words[3].cast_signed(),
        };
        Ok(result)
    }

    /// The operation `_set_top`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn set_top(&self, value: &Shelf) -> Result<(), stub::Failure> {
        let value_packed = [
            stub::packed(&value.rows, 2, Named::write).argument("Store._set_top", "value")?,
            stub::packed(&value.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).argument("Store._set_top", "value")?,
        ];
        let mut words = [
            stub::string_word(0, &value.label, 8).argument("Store._set_top", "value")?,
            stub::bytes_word(1, &value_packed[0], 168).argument("Store._set_top", "value")?,
            stub::bytes_word(2, &value_packed[1], 136).argument("Store._set_top", "value")?,
            value.stamp.cast_unsigned(),
        ];
        self.client.call(
            1,
            &mut words,
            &[stub::Input::Bytes(&value.label), stub::Input::Bytes(&value_packed[0]), stub::Input::Bytes(&value_packed[1])],
            &mut [],
            &[],
        )?;
        Ok(())
    }

    /// The operation `shelf`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn shelf(&self, a: &Shelf, c: &mut Shelf) -> Result<(Shelf, Shelf), stub::Failure> {
        let a_packed = [
            stub::packed(&a.rows, 2, Named::write).argument("Store.shelf", "a")?,
            stub::packed(&a.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).argument("Store.shelf", "a")?,
        ];
        let c_packed = [
            stub::packed(&c.rows, 2, Named::write).argument("Store.shelf", "c")?,
            stub::packed(&c.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).argument("Store.shelf", "c")?,
        ];
        let mut words = [
            stub::string_word(0, &a.label, 8).argument("Store.shelf", "a")?,
            stub::bytes_word(1, &a_packed[0], 168).argument("Store.shelf", "a")?,
            stub::bytes_word(2, &a_packed[1], 136).argument("Store.shelf", "a")?,
            a.stamp.cast_unsigned(),
            stub::string_word(3, &c.label, 8).argument("Store.shelf", "c")?,
            stub::bytes_word(4, &c_packed[0], 168).argument("Store.shelf", "c")?,
            stub::bytes_word(5, &c_packed[1], 136).argument("Store.shelf", "c")?,
            c.stamp.cast_unsigned(),
            stub::area(9),
            stub::area(10),
            stub::area(11),
            0,
            stub::area(12),
            stub::area(13),
            stub::area(14),
            0,
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
        ];
        self.client.call(
            2,
            &mut words,
            &[stub::Input::Bytes(&a.label), stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&c.label), stub::Input::Bytes(&c_packed[0]), stub::Input::Bytes(&c_packed[1])],
            &mut outputs,
            &[],
        )?;
        let c_area = Shelf {
            label: stub::string_output(&mut outputs[0], 8).reply("Store.shelf")?,
            rows: stub::unpacked(&outputs[1].bytes, 2, &[0, 1], Named::read).reply("Store.shelf")?,
            words_: stub::unpacked(&outputs[2].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).reply("Store.shelf")?,
            stamp: words[7].cast_signed(),
        };
        let result = Shelf {
            label: stub::string_output(&mut outputs[3], 8).reply("Store.shelf")?,
            rows: stub::unpacked(&outputs[4].bytes, 2, &[0, 1], Named::read).reply("Store.shelf")?,
            words_: stub::unpacked(&outputs[5].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).reply("Store.shelf")?,
            stamp: words[11].cast_signed(),
        };
        let b = Shelf {
            label: stub::string_output(&mut outputs[6], 8).reply("Store.shelf")?,
            rows: stub::unpacked(&outputs[7].bytes, 2, &[0, 1], Named::read).reply("Store.shelf")?,
            words_: stub::unpacked(&outputs[8].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).reply("Store.shelf")?,
            stamp: words[15].cast_signed(),
        };
        *c = c_area;
        Ok((result, b))
    }

    /// The operation `shelves`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn shelves(&self, a: &[Shelf], b: &mut Vec<Shelf>) -> Result<Vec<Shelf>, stub::Failure> {
        let a_area = stub::list_area(a, 3, Shelf::write).argument("Store.shelves", "a")?;
        let b_area = stub::list_area(b, 3, Shelf::write).argument("Store.shelves", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            3,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        let b_area = stub::list(&outputs[0], 3, Shelf::read).reply("Store.shelves")?;
        let result = stub::list(&outputs[1], 3, Shelf::read).reply("Store.shelves")?;
        *b = b_area;
        Ok(result)
    }

    /// The operation `shelves`, with what comes back in buffers of the caller's: `b` in `b_back`, `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn shelves_into(
        &self,
        a: &[Shelf],
        b: &[Shelf],
        b_back: &mut Vec<Shelf>,
        result: &mut Vec<Shelf>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, Shelf::write).argument("Store.shelves", "a")?;
        let b_area = stub::list_area(b, 3, Shelf::write).argument("Store.shelves", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            3,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        stub::list_into(&outputs[0], 3, Shelf::read, b_back).reply("Store.shelves")?;
        stub::list_into(&outputs[1], 3, Shelf::read, result).reply("Store.shelves")?;
        Ok(())
    }

    /// The operation `matrix`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn matrix(
        &self,
        a: &[Vec<i32>],
        b: &mut Vec<Vec<i32>>,
    ) -> Result<(Vec<Vec<i32>>, Vec<Vec<Vec<u8>>>), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]))
            .argument("Store.matrix", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]))
            .argument("Store.matrix", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3), stub::area(4)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            4,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        let b_area = stub::list(&outputs[0], 3, |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?))
            .reply("Store.matrix")?;
        let result = stub::list(&outputs[1], 3, |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?))
            .reply("Store.matrix")?;
        let c = stub::list(&outputs[2], 2, |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?))
            .reply("Store.matrix")?;
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `matrix`, with what comes back in buffers of the caller's: `b` in `b_back`, `result`, `c`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn matrix_into(
        &self,
        a: &[Vec<i32>],
        b: &[Vec<i32>],
        b_back: &mut Vec<Vec<i32>>,
        result: &mut Vec<Vec<i32>>,
        c: &mut Vec<Vec<Vec<u8>>>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]))
            .argument("Store.matrix", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]))
            .argument("Store.matrix", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3), stub::area(4)];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            4,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?),
            b_back,
        ).reply("Store.matrix")?;
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?),
            result,
        ).reply("Store.matrix")?;
        stub::list_into(
            &outputs[2],
            2,
            |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?),
            c,
        ).reply("Store.matrix")?;
        Ok(())
    }

    /// The operation `grid`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn grid(&self, a: &Grid, b: &mut Grid) -> Result<(Grid, Vec<Grid>), stub::Failure> {
        let a_packed = [
            stub::packed(&a.rows[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "a")?,
            stub::packed(&a.rows[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "a")?,
            stub::packed(&a.shades, 3, |&each, _| Ok([each.to_word()])).argument("Store.grid", "a")?,
            stub::packed(&a.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).argument("Store.grid", "a")?,
        ];
        let b_packed = [
            stub::packed(&b.rows[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "b")?,
            stub::packed(&b.rows[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "b")?,
            stub::packed(&b.shades, 3, |&each, _| Ok([each.to_word()])).argument("Store.grid", "b")?,
            stub::packed(&b.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).argument("Store.grid", "b")?,
        ];
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 40).argument("Store.grid", "a")?,
            stub::bytes_word(1, &a_packed[1], 40).argument("Store.grid", "a")?,
            stub::bytes_word(2, &a.raw, 8).argument("Store.grid", "a")?,
            stub::bytes_word(3, &a_packed[2], 32).argument("Store.grid", "a")?,
            stub::bytes_word(4, &a_packed[3], 56).argument("Store.grid", "a")?,
            stub::bytes_word(5, &b_packed[0], 40).argument("Store.grid", "b")?,
            stub::bytes_word(6, &b_packed[1], 40).argument("Store.grid", "b")?,
            stub::bytes_word(7, &b.raw, 8).argument("Store.grid", "b")?,
            stub::bytes_word(8, &b_packed[2], 32).argument("Store.grid", "b")?,
            stub::bytes_word(9, &b_packed[3], 56).argument("Store.grid", "b")?,
            stub::area(15),
            stub::area(16),
            stub::area(17),
            stub::area(18),
            stub::area(19),
            stub::area(20),
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
        ];
        self.client.call(
            5,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&a.raw), stub::Input::Bytes(&a_packed[2]), stub::Input::Bytes(&a_packed[3]), stub::Input::Bytes(&b_packed[0]), stub::Input::Bytes(&b_packed[1]), stub::Input::Bytes(&b.raw), stub::Input::Bytes(&b_packed[2]), stub::Input::Bytes(&b_packed[3])],
            &mut outputs,
            &[],
        )?;
        let b_area = Grid {
            rows: [stub::unpacked(&outputs[0].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?, stub::unpacked(&outputs[1].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?],
            raw: stub::bytes_output(&mut outputs[2], 8).reply("Store.grid")?,
            shades: stub::unpacked(&outputs[3].bytes, 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).reply("Store.grid")?,
            keys: stub::unpacked(&outputs[4].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).reply("Store.grid")?,
        };
        let result = Grid {
            rows: [stub::unpacked(&outputs[5].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?, stub::unpacked(&outputs[6].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?],
            raw: stub::bytes_output(&mut outputs[7], 8).reply("Store.grid")?,
            shades: stub::unpacked(&outputs[8].bytes, 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).reply("Store.grid")?,
            keys: stub::unpacked(&outputs[9].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).reply("Store.grid")?,
        };
        let c = stub::list(&outputs[10], 2, Grid::read).reply("Store.grid")?;
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `grid`, with what comes back in buffers of the caller's: `c`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn grid_into(
        &self,
        a: &Grid,
        b: &mut Grid,
        c: &mut Vec<Grid>,
    ) -> Result<Grid, stub::Failure> {
        let a_packed = [
            stub::packed(&a.rows[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "a")?,
            stub::packed(&a.rows[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "a")?,
            stub::packed(&a.shades, 3, |&each, _| Ok([each.to_word()])).argument("Store.grid", "a")?,
            stub::packed(&a.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).argument("Store.grid", "a")?,
        ];
        let b_packed = [
            stub::packed(&b.rows[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "b")?,
            stub::packed(&b.rows[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.grid", "b")?,
            stub::packed(&b.shades, 3, |&each, _| Ok([each.to_word()])).argument("Store.grid", "b")?,
            stub::packed(&b.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).argument("Store.grid", "b")?,
        ];
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 40).argument("Store.grid", "a")?,
            stub::bytes_word(1, &a_packed[1], 40).argument("Store.grid", "a")?,
            stub::bytes_word(2, &a.raw, 8).argument("Store.grid", "a")?,
            stub::bytes_word(3, &a_packed[2], 32).argument("Store.grid", "a")?,
            stub::bytes_word(4, &a_packed[3], 56).argument("Store.grid", "a")?,
            stub::bytes_word(5, &b_packed[0], 40).argument("Store.grid", "b")?,
            stub::bytes_word(6, &b_packed[1], 40).argument("Store.grid", "b")?,
            stub::bytes_word(7, &b.raw, 8).argument("Store.grid", "b")?,
            stub::bytes_word(8, &b_packed[2], 32).argument("Store.grid", "b")?,
            stub::bytes_word(9, &b_packed[3], 56).argument("Store.grid", "b")?,
            stub::area(15),
            stub::area(16),
            stub::area(17),
            stub::area(18),
            stub::area(19),
            stub::area(20),
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
        ];
        self.client.call(
            5,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&a.raw), stub::Input::Bytes(&a_packed[2]), stub::Input::Bytes(&a_packed[3]), stub::Input::Bytes(&b_packed[0]), stub::Input::Bytes(&b_packed[1]), stub::Input::Bytes(&b.raw), stub::Input::Bytes(&b_packed[2]), stub::Input::Bytes(&b_packed[3])],
            &mut outputs,
            &[],
        )?;
        let b_area = Grid {
            rows: [stub::unpacked(&outputs[0].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?, stub::unpacked(&outputs[1].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?],
            raw: stub::bytes_output(&mut outputs[2], 8).reply("Store.grid")?,
            shades: stub::unpacked(&outputs[3].bytes, 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).reply("Store.grid")?,
            keys: stub::unpacked(&outputs[4].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).reply("Store.grid")?,
        };
        let result = Grid {
            rows: [stub::unpacked(&outputs[5].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?, stub::unpacked(&outputs[6].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.grid")?],
            raw: stub::bytes_output(&mut outputs[7], 8).reply("Store.grid")?,
            shades: stub::unpacked(&outputs[8].bytes, 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).reply("Store.grid")?,
            keys: stub::unpacked(&outputs[9].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).reply("Store.grid")?,
        };
        stub::list_into(&outputs[10], 2, Grid::read, c).reply("Store.grid")?;
        *b = b_area;
        Ok(result)
    }

    /// The operation `pair`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn pair(
        &self,
        a: &[Vec<i32>; 2],
        b: &mut [Vec<i32>; 2],
    ) -> Result<([Vec<i32>; 2], [Vec<i32>; 2]), stub::Failure> {
        let a_packed = [
            stub::packed(&a[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.pair", "a")?,
            stub::packed(&a[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.pair", "a")?,
        ];
        let b_packed = [
            stub::packed(&b[0], 4, |&each, _| Ok([stub::word(each)])).argument("Store.pair", "b")?,
            stub::packed(&b[1], 4, |&each, _| Ok([stub::word(each)])).argument("Store.pair", "b")?,
        ];
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 40).argument("Store.pair", "a")?,
            stub::bytes_word(1, &a_packed[1], 40).argument("Store.pair", "a")?,
            stub::bytes_word(2, &b_packed[0], 40).argument("Store.pair", "b")?,
            stub::bytes_word(3, &b_packed[1], 40).argument("Store.pair", "b")?,
            stub::area(6),
            stub::area(7),
            stub::area(8),
            stub::area(9),
        ];
        let mut outputs = [
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
            stub::Area::default(),
        ];
        self.client.call(
            6,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&b_packed[0]), stub::Input::Bytes(&b_packed[1])],
            &mut outputs,
            &[],
        )?;
        let b_area = [stub::unpacked(&outputs[0].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.pair")?, stub::unpacked(&outputs[1].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Store.pair")?];
        let result = [stub::unpacked(&outputs[2].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.pair")?, stub::unpacked(&outputs[3].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Store.pair")?];
        let c = [stub::unpacked(&outputs[4].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).reply("Store.pair")?, stub::unpacked(&outputs[5].bytes, 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Store.pair")?];
        *b = b_area;
        Ok((result, c))
    }

    /// The operation `choice`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn choice(&self, a: &Choice, b: &mut Choice) -> Result<Choice, stub::Failure> {
        let a_packed = [
            a.part(0).argument("Store.choice", "a")?,
            a.part(1).argument("Store.choice", "a")?,
            a.part(2).argument("Store.choice", "a")?,
            a.part(3).argument("Store.choice", "a")?,
            a.part(4).argument("Store.choice", "a")?,
        ];
        let b_packed = [
            b.part(0).argument("Store.choice", "b")?,
            b.part(1).argument("Store.choice", "b")?,
            b.part(2).argument("Store.choice", "b")?,
            b.part(3).argument("Store.choice", "b")?,
            b.part(4).argument("Store.choice", "b")?,
        ];
        let mut words = [
            0,
            0,
            stub::bytes_word(0, &a_packed[0], 168).argument("Store.choice", "a")?,
            stub::bytes_word(1, &a_packed[1], 168).argument("Store.choice", "a")?,
            stub::bytes_word(2, &a_packed[2], 168).argument("Store.choice", "a")?,
            stub::bytes_word(3, &a_packed[3], 168).argument("Store.choice", "a")?,
            stub::bytes_word(4, &a_packed[4], 168).argument("Store.choice", "a")?,
            0,
            0,
            stub::bytes_word(5, &b_packed[0], 168).argument("Store.choice", "b")?,
            stub::bytes_word(6, &b_packed[1], 168).argument("Store.choice", "b")?,
            stub::bytes_word(7, &b_packed[2], 168).argument("Store.choice", "b")?,
            stub::bytes_word(8, &b_packed[3], 168).argument("Store.choice", "b")?,
            stub::bytes_word(9, &b_packed[4], 168).argument("Store.choice", "b")?,
            0,
            0,
            stub::area(15),
            stub::area(16),
            stub::area(17),
            stub::area(18),
            stub::area(19),
        ];
        words[0..2].copy_from_slice(&a.words().argument("Store.choice", "a")?);
        words[7..9].copy_from_slice(&b.words().argument("Store.choice", "b")?);
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
        ];
        self.client.call(
            7,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::Bytes(&a_packed[2]), stub::Input::Bytes(&a_packed[3]), stub::Input::Bytes(&a_packed[4]), stub::Input::Bytes(&b_packed[0]), stub::Input::Bytes(&b_packed[1]), stub::Input::Bytes(&b_packed[2]), stub::Input::Bytes(&b_packed[3]), stub::Input::Bytes(&b_packed[4])],
            &mut outputs,
            &[],
        )?;
        let b_area = Choice::read([words[7], words[8]], [stub::bytes_output(&mut outputs[0], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[1], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[2], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[3], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[4], 168).reply("Store.choice")?])
            .reply("Store.choice")?;
        let result = Choice::read([words[14], words[15]], [stub::bytes_output(&mut outputs[5], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[6], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[7], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[8], 168).reply("Store.choice")?, stub::bytes_output(&mut outputs[9], 168).reply("Store.choice")?])
            .reply("Store.choice")?;
        *b = b_area;
        Ok(result)
    }

    /// The operation `choices`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn choices(&self, a: &[Choice], b: &mut Vec<Choice>) -> Result<Vec<Choice>, stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Store.choices", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Store.choices", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            8,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        let b_area = stub::list(&outputs[0], 3, |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?))
            .reply("Store.choices")?;
        let result = stub::list(&outputs[1], 3, |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?))
            .reply("Store.choices")?;
        *b = b_area;
        Ok(result)
    }

    /// The operation `choices`, with what comes back in buffers of the caller's: `b` in `b_back`, `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn choices_into(
        &self,
        a: &[Choice],
        b: &[Choice],
        b_back: &mut Vec<Choice>,
        result: &mut Vec<Choice>,
    ) -> Result<(), stub::Failure> {
        let a_area = stub::list_area(a, 3, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Store.choices", "a")?;
        let b_area = stub::list_area(b, 3, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) })
            .argument("Store.choices", "b")?;
        let mut words = [stub::area(0), stub::area(1), stub::area(3)];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            8,
            &mut words,
            &[stub::Input::List(&a_area), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        stub::list_into(
            &outputs[0],
            3,
            |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?),
            b_back,
        ).reply("Store.choices")?;
        stub::list_into(
            &outputs[1],
            3,
            |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?),
            result,
        ).reply("Store.choices")?;
        Ok(())
    }

    /// The operation `deep`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn deep(&self, a: &Deep, b: &mut Vec<Deep>) -> Result<Deep, stub::Failure> {
        let a_packed = [
            stub::packed(&a.cube, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |&each, _| Ok([each.to_bits()]))?, 24)?]))?, 72)?])).argument("Store.deep", "a")?,
            stub::packed(&a.choices, 2, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) }).argument("Store.deep", "a")?,
        ];
        let b_area = stub::list_area(b, 2, Deep::write).argument("Store.deep", "b")?;
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 168).argument("Store.deep", "a")?,
            stub::bytes_word(1, &a_packed[1], 472).argument("Store.deep", "a")?,
            stub::area(2),
            stub::area(4),
            stub::area(5),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            9,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        let b_area = stub::list(&outputs[0], 2, Deep::read).reply("Store.deep")?;
        let result = Deep {
            cube: stub::unpacked(&outputs[1].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[], |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))?))?)).reply("Store.deep")?,
            choices: stub::unpacked(&outputs[2].bytes, 2, &[2, 3, 4, 5, 6], |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?)).reply("Store.deep")?,
        };
        *b = b_area;
        Ok(result)
    }

    /// The operation `deep`, with what comes back in buffers of the caller's: `b` in `b_back`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn deep_into(
        &self,
        a: &Deep,
        b: &[Deep],
        b_back: &mut Vec<Deep>,
    ) -> Result<Deep, stub::Failure> {
        let a_packed = [
            stub::packed(&a.cube, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |&each, _| Ok([each.to_bits()]))?, 24)?]))?, 72)?])).argument("Store.deep", "a")?,
            stub::packed(&a.choices, 2, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) }).argument("Store.deep", "a")?,
        ];
        let b_area = stub::list_area(b, 2, Deep::write).argument("Store.deep", "b")?;
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 168).argument("Store.deep", "a")?,
            stub::bytes_word(1, &a_packed[1], 472).argument("Store.deep", "a")?,
            stub::area(2),
            stub::area(4),
            stub::area(5),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            9,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1]), stub::Input::List(&b_area)],
            &mut outputs,
            &[],
        )?;
        stub::list_into(&outputs[0], 2, Deep::read, b_back).reply("Store.deep")?;
        let result = Deep {
            cube: stub::unpacked(&outputs[1].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[], |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))?))?)).reply("Store.deep")?,
            choices: stub::unpacked(&outputs[2].bytes, 2, &[2, 3, 4, 5, 6], |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?)).reply("Store.deep")?,
        };
        Ok(result)
    }

    /// The operation `sum`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn sum(&self, a: &Unbounded) -> Result<(i64, Unbounded), stub::Failure> {
        let a_packed = [
            stub::packed(&a.points, 65536, Point::write).argument("Store.sum", "a")?,
            stub::packed(&a.texts, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?])).argument("Store.sum", "a")?,
        ];
        let mut words = [
            stub::bytes_word(0, &a_packed[0], 1048584).argument("Store.sum", "a")?,
            stub::bytes_word(1, &a_packed[1], 1048584).argument("Store.sum", "a")?,
            0,
            stub::area(2),
            stub::area(3),
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default()];
        self.client.call(
            10,
            &mut words,
            &[stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1])],
            &mut outputs,
            &[],
        )?;
        let result = words[2].cast_signed();
        let b = Unbounded {
            points: stub::unpacked(&outputs[0].bytes, 65536, &[], Point::read).reply("Store.sum")?,
            texts: stub::unpacked(&outputs[1].bytes, 65536, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 4096)).reply("Store.sum")?,
        };
        Ok((result, b))
    }

    /// The operation `take`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn take(&self, what: &Shelf) -> Result<Shelf, stub::CallError<StoreTakeError>> {
        let what_packed = [
            stub::packed(&what.rows, 2, Named::write).argument("Store.take", "what")?,
            stub::packed(&what.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).argument("Store.take", "what")?,
        ];
        let mut words = [
            stub::string_word(0, &what.label, 8).argument("Store.take", "what")?,
            stub::bytes_word(1, &what_packed[0], 168).argument("Store.take", "what")?,
            stub::bytes_word(2, &what_packed[1], 136).argument("Store.take", "what")?,
            what.stamp.cast_unsigned(),
            stub::area(3),
            stub::area(4),
            stub::area(5),
            0,
        ];
        let mut outputs = [stub::Area::default(), stub::Area::default(), stub::Area::default()];
        self.client.call(
            11,
            &mut words,
            &[stub::Input::Bytes(&what.label), stub::Input::Bytes(&what_packed[0]), stub::Input::Bytes(&what_packed[1])],
            &mut outputs,
            &[],
        )?;
        let result = Shelf {
            label: stub::string_output(&mut outputs[0], 8).reply("Store.take")?,
            rows: stub::unpacked(&outputs[1].bytes, 2, &[0, 1], Named::read).reply("Store.take")?,
            words_: stub::unpacked(&outputs[2].bytes, 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).reply("Store.take")?,
            stamp: words[7].cast_signed(),
        };
        Ok(result)
    }

    /// The operation `count`.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn count(&self, what: &[i32]) -> Result<Vec<i32>, stub::CallError<Full>> {
        let what_area = stub::list_area(what, 4, |&each, _| Ok([stub::word(each)]))
            .argument("Store.count", "what")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&what_area)], &mut outputs, &[])?;
        let result = stub::list(&outputs[0], 4, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .reply("Store.count")?;
        Ok(result)
    }

    /// The operation `count`, with what comes back in buffers of the caller's: `result`.
    /// What they hold after an error means nothing.
    ///
    /// # Errors
    /// The exception that it raised, or why the call failed.
    pub fn count_into(
        &self,
        what: &[i32],
        result: &mut Vec<i32>,
    ) -> Result<(), stub::CallError<Full>> {
        let what_area = stub::list_area(what, 4, |&each, _| Ok([stub::word(each)]))
            .argument("Store.count", "what")?;
        let mut words = [stub::area(0), stub::area(1)];
        let mut outputs = [stub::Area::default()];
        self.client.call(12, &mut words, &[stub::Input::List(&what_area)], &mut outputs, &[])?;
        stub::list_into(
            &outputs[0],
            4,
            |words: &[u64; 1], _| stub::int::<i32>(words[0]),
            result,
        ).reply("Store.count")?;
        Ok(())
    }

    /// The operation `tell`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn tell(&self, a: &Shelf) -> Result<(), stub::Failure> {
        let a_packed = [
            stub::packed(&a.rows, 2, Named::write).argument("Store.tell", "a")?,
            stub::packed(&a.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).argument("Store.tell", "a")?,
        ];
        let mut words = [
            stub::string_word(0, &a.label, 8).argument("Store.tell", "a")?,
            stub::bytes_word(1, &a_packed[0], 168).argument("Store.tell", "a")?,
            stub::bytes_word(2, &a_packed[1], 136).argument("Store.tell", "a")?,
            a.stamp.cast_unsigned(),
        ];
        self.client.call(
            13,
            &mut words,
            &[stub::Input::Bytes(&a.label), stub::Input::Bytes(&a_packed[0]), stub::Input::Bytes(&a_packed[1])],
            &mut [],
            &[],
        )?;
        Ok(())
    }

    /// The operation `many`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn many(&self, a: &[Named]) -> Result<i32, stub::Failure> {
        let a_area = stub::list_area(a, 65536, Named::write).argument("Store.many", "a")?;
        let mut words = [stub::area(0), 0];
        self.client.call(14, &mut words, &[stub::Input::List(&a_area)], &mut [], &[])?;
        let result = stub::int::<i32>(words[1]).reply("Store.many")?;
        Ok(result)
    }

    /// The operation `beside`.
    ///
    /// # Errors
    /// Why the call failed.
    pub fn beside(&self, a: i32) -> Result<i32, stub::Failure> {
        if let Some(near) = self.near.get() {
            let result = near.call(15, |service, caller| service.beside(caller, a))?;
            return Ok(result);
        }
        stub::far(move || {
            let mut words = [stub::word(a), 0, 0, 0, 0, 0];
            self.client.short(15, &mut words, &[])?;
            let result = stub::int::<i32>(words[1]).reply("Store.beside")?;
            Ok(result)
        })
    }
}

/// An object of a [`StoreService`] in a [plain](::carnet_portal::plain) session: what it is called by there.
#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoreAt(pub stub::Number);

impl From<stub::Number> for StoreAt {
    fn from(number: stub::Number) -> StoreAt {
        StoreAt(number)
    }
}

impl From<StoreAt> for stub::Number {
    fn from(at: StoreAt) -> stub::Number {
        at.0
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl StoreAt {
    /// An object for a plain session that `service` carries out the operations of.
    #[must_use]
    pub fn serve(service: impl StoreService) -> stub::Kept<StoreAt> {
        stub::keep::<StoreServer, _, _>(service)
    }

    /// The operation `beside`.
    ///
    /// # Errors
    /// Why the call failed.
    #[inline]
    pub fn beside(self, channel: &mut impl stub::Channel, a: i32) -> Result<i32, stub::Failure> {
        let (result, _) = stub::call_narrow::<Store, 1>(self.0, channel, 15, [a])?;
        Ok(result)
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
struct StoreServer;

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl<S: StoreService> stub::Dispatch<S> for StoreServer {
    type Interface = Store;

    fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {
        stub::lend::<Store>(place, ::std::sync::Arc::<S>::clone(service));
    }

    fn dispatch(service: &S, op: u16, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        match op {
            0 => Self::op_0(service, call),
            1 => Self::op_1(service, call),
            2 => Self::op_2(service, call),
            3 => Self::op_3(service, call),
            4 => Self::op_4(service, call),
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
            15 => Self::op_15(service, call.caller, stub::block(call.words)?),
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
            15 => Self::op_15(service, caller, stub::head(words)?),
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
            15 => Self::plain_15(service, caller, [w0, w1, w2, w3]),
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
            15 => Self::narrow_15(service, caller, [w0, w1, w2, w3]),
            _ => Err(stub::unknown_again::<Self::Interface>(op)),
        }
    }
}

#[allow(clippy::all, dead_code, nonstandard_style, unreachable_pub, reason = "generated")]
impl StoreServer {
    /// `Store._get_top`.
    #[inline(never)]
    fn op_0(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let result = service.top(call.caller)?;
        words[0] = stub::put_string(call.areas, words[0], &result.label, 8, "Store._get_top")?;
        words[1] =
            stub::put_bytes(call.areas, words[1], &stub::packed(&result.rows, 2, Named::write).given("Store._get_top")?, 168, "Store._get_top")?;
        words[2] =
            stub::put_bytes(call.areas, words[2], &stub::packed(&result.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).given("Store._get_top")?, 136, "Store._get_top")?;
        words[3] = result.stamp.cast_unsigned();
        Ok(())
    }

    /// `Store._set_top`.
    #[inline(never)]
    fn op_1(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let value = Shelf {
            label: stub::string(call.areas, words[0], 8).argument("Store._set_top", "value")?.to_vec(),
            rows: stub::unpacked_in(call.areas, words[1], 2, &[0, 1], Named::read).argument("Store._set_top", "value")?,
            words_: stub::unpacked_in(call.areas, words[2], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).argument("Store._set_top", "value")?,
            stamp: words[3].cast_signed(),
        };
        service.set_top(call.caller, &value)?;
        Ok(())
    }

    /// `Store.shelf`.
    #[inline(never)]
    fn op_2(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<16>(call.words)?;
        let a = Shelf {
            label: stub::string(call.areas, words[0], 8).argument("Store.shelf", "a")?.to_vec(),
            rows: stub::unpacked_in(call.areas, words[1], 2, &[0, 1], Named::read).argument("Store.shelf", "a")?,
            words_: stub::unpacked_in(call.areas, words[2], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).argument("Store.shelf", "a")?,
            stamp: words[3].cast_signed(),
        };
        let mut c = Shelf {
            label: stub::string(call.areas, words[4], 8).argument("Store.shelf", "c")?.to_vec(),
            rows: stub::unpacked_in(call.areas, words[5], 2, &[0, 1], Named::read).argument("Store.shelf", "c")?,
            words_: stub::unpacked_in(call.areas, words[6], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).argument("Store.shelf", "c")?,
            stamp: words[7].cast_signed(),
        };
        let (result, b) = service.shelf(call.caller, &a, &mut c)?;
        words[4] = stub::put_string(call.areas, words[4], &c.label, 8, "Store.shelf")?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&c.rows, 2, Named::write).given("Store.shelf")?, 168, "Store.shelf")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&c.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).given("Store.shelf")?, 136, "Store.shelf")?;
        words[7] = c.stamp.cast_unsigned();
        words[8] = stub::put_string(call.areas, words[8], &result.label, 8, "Store.shelf")?;
        words[9] =
            stub::put_bytes(call.areas, words[9], &stub::packed(&result.rows, 2, Named::write).given("Store.shelf")?, 168, "Store.shelf")?;
        words[10] =
            stub::put_bytes(call.areas, words[10], &stub::packed(&result.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).given("Store.shelf")?, 136, "Store.shelf")?;
        words[11] = result.stamp.cast_unsigned();
        words[12] = stub::put_string(call.areas, words[12], &b.label, 8, "Store.shelf")?;
        words[13] =
            stub::put_bytes(call.areas, words[13], &stub::packed(&b.rows, 2, Named::write).given("Store.shelf")?, 168, "Store.shelf")?;
        words[14] =
            stub::put_bytes(call.areas, words[14], &stub::packed(&b.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).given("Store.shelf")?, 136, "Store.shelf")?;
        words[15] = b.stamp.cast_unsigned();
        Ok(())
    }

    /// `Store.shelves`.
    #[inline(never)]
    fn op_3(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[2])?;
        let a = stub::list_in(call.areas, words[0], 3, Shelf::read).argument("Store.shelves", "a")?;
        let mut b =
            stub::list_in(call.areas, words[1], 3, Shelf::read).argument("Store.shelves", "b")?;
        let mut result = ShelfList(stub::ListOut::new(&mut result_area, 3));
        service.shelves(call.caller, &a, &mut b, &mut result)?;
        words[1] = stub::put_list(call.areas, words[1], &b, 3, Shelf::write, "Store.shelves")?;
        result.0.finish("Store.shelves")?;
        words[2] = call.areas.put(words[2], result_area)?;
        Ok(())
    }

    /// `Store.matrix`.
    #[inline(never)]
    fn op_4(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let mut result_area = call.areas.take(words[2])?;
        let mut c_area = call.areas.take(words[3])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?))
            .argument("Store.matrix", "a")?;
        let mut b = stub::list_in(call.areas, words[1], 3, |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))?))
            .argument("Store.matrix", "b")?;
        let mut result = I32ListList(stub::ListOut::new(&mut result_area, 3));
        let mut c = String8ListList(stub::ListOut::new(&mut c_area, 2));
        service.matrix(call.caller, &a, &mut b, &mut result, &mut c)?;
        words[1] =
            stub::put_list(call.areas, words[1], &b, 3, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 4, |&each, _| Ok([stub::word(each)]))?, 40)?]), "Store.matrix")?;
        result.0.finish("Store.matrix")?;
        words[2] = call.areas.put(words[2], result_area)?;
        c.0.finish("Store.matrix")?;
        words[3] = call.areas.put(words[3], c_area)?;
        Ok(())
    }

    /// `Store.grid`.
    #[inline(never)]
    fn op_5(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<16>(call.words)?;
        let mut c_area = call.areas.take(words[15])?;
        let a = Grid {
            rows: [stub::unpacked_in(call.areas, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.grid", "a")?, stub::unpacked_in(call.areas, words[1], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.grid", "a")?],
            raw: stub::bytes(call.areas, words[2], 8).argument("Store.grid", "a")?.to_vec(),
            shades: stub::unpacked_in(call.areas, words[3], 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).argument("Store.grid", "a")?,
            keys: stub::unpacked_in(call.areas, words[4], 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).argument("Store.grid", "a")?,
        };
        let mut b = Grid {
            rows: [stub::unpacked_in(call.areas, words[5], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.grid", "b")?, stub::unpacked_in(call.areas, words[6], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.grid", "b")?],
            raw: stub::bytes(call.areas, words[7], 8).argument("Store.grid", "b")?.to_vec(),
            shades: stub::unpacked_in(call.areas, words[8], 3, &[], |words: &[u64; 1], _| Shade::from_word(words[0]).ok_or(stub::Wrong::Value)).argument("Store.grid", "b")?,
            keys: stub::unpacked_in(call.areas, words[9], 2, &[0], |words: &[u64; 1], area| Ok(stub::array(stub::field_bytes(area, words[0], 16))?)).argument("Store.grid", "b")?,
        };
        let mut c = GridList(stub::ListOut::new(&mut c_area, 2));
        let result = service.grid(call.caller, &a, &mut b, &mut c)?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&b.rows[0], 4, |&each, _| Ok([stub::word(each)])).given("Store.grid")?, 40, "Store.grid")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&b.rows[1], 4, |&each, _| Ok([stub::word(each)])).given("Store.grid")?, 40, "Store.grid")?;
        words[7] = stub::put_bytes(call.areas, words[7], &b.raw, 8, "Store.grid")?;
        words[8] =
            stub::put_bytes(call.areas, words[8], &stub::packed(&b.shades, 3, |&each, _| Ok([each.to_word()])).given("Store.grid")?, 32, "Store.grid")?;
        words[9] =
            stub::put_bytes(call.areas, words[9], &stub::packed(&b.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).given("Store.grid")?, 56, "Store.grid")?;
        words[10] =
            stub::put_bytes(call.areas, words[10], &stub::packed(&result.rows[0], 4, |&each, _| Ok([stub::word(each)])).given("Store.grid")?, 40, "Store.grid")?;
        words[11] =
            stub::put_bytes(call.areas, words[11], &stub::packed(&result.rows[1], 4, |&each, _| Ok([stub::word(each)])).given("Store.grid")?, 40, "Store.grid")?;
        words[12] = stub::put_bytes(call.areas, words[12], &result.raw, 8, "Store.grid")?;
        words[13] =
            stub::put_bytes(call.areas, words[13], &stub::packed(&result.shades, 3, |&each, _| Ok([each.to_word()])).given("Store.grid")?, 32, "Store.grid")?;
        words[14] =
            stub::put_bytes(call.areas, words[14], &stub::packed(&result.keys, 2, |each, area| Ok([stub::add_bytes(area, each, 16)?])).given("Store.grid")?, 56, "Store.grid")?;
        c.0.finish("Store.grid")?;
        words[15] = call.areas.put(words[15], c_area)?;
        Ok(())
    }

    /// `Store.pair`.
    #[inline(never)]
    fn op_6(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<8>(call.words)?;
        let a = [stub::unpacked_in(call.areas, words[0], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.pair", "a")?, stub::unpacked_in(call.areas, words[1], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Store.pair", "a")?];
        let mut b = [stub::unpacked_in(call.areas, words[2], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0])).argument("Store.pair", "b")?, stub::unpacked_in(call.areas, words[3], 4, &[], |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Store.pair", "b")?];
        let (result, c) = service.pair(call.caller, &a, &mut b)?;
        words[2] =
            stub::put_bytes(call.areas, words[2], &stub::packed(&b[0], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        words[3] =
            stub::put_bytes(call.areas, words[3], &stub::packed(&b[1], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        words[4] =
            stub::put_bytes(call.areas, words[4], &stub::packed(&result[0], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&result[1], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&c[0], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        words[7] =
            stub::put_bytes(call.areas, words[7], &stub::packed(&c[1], 4, |&each, _| Ok([stub::word(each)])).given("Store.pair")?, 40, "Store.pair")?;
        Ok(())
    }

    /// `Store.choice`.
    #[inline(never)]
    fn op_7(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<21>(call.words)?;
        let a = Choice::read([words[0], words[1]], [stub::bytes(call.areas, words[2], 168).argument("Store.choice", "a")?.to_vec(), stub::bytes(call.areas, words[3], 168).argument("Store.choice", "a")?.to_vec(), stub::bytes(call.areas, words[4], 168).argument("Store.choice", "a")?.to_vec(), stub::bytes(call.areas, words[5], 168).argument("Store.choice", "a")?.to_vec(), stub::bytes(call.areas, words[6], 168).argument("Store.choice", "a")?.to_vec()])
            .argument("Store.choice", "a")?;
        let mut b = Choice::read([words[7], words[8]], [stub::bytes(call.areas, words[9], 168).argument("Store.choice", "b")?.to_vec(), stub::bytes(call.areas, words[10], 168).argument("Store.choice", "b")?.to_vec(), stub::bytes(call.areas, words[11], 168).argument("Store.choice", "b")?.to_vec(), stub::bytes(call.areas, words[12], 168).argument("Store.choice", "b")?.to_vec(), stub::bytes(call.areas, words[13], 168).argument("Store.choice", "b")?.to_vec()])
            .argument("Store.choice", "b")?;
        let result = service.choice(call.caller, &a, &mut b)?;
        words[7..9].copy_from_slice(&b.words().given("Store.choice")?);
        words[9] =
            stub::put_bytes(call.areas, words[9], &b.part(0).given("Store.choice")?, 168, "Store.choice")?;
        words[10] =
            stub::put_bytes(call.areas, words[10], &b.part(1).given("Store.choice")?, 168, "Store.choice")?;
        words[11] =
            stub::put_bytes(call.areas, words[11], &b.part(2).given("Store.choice")?, 168, "Store.choice")?;
        words[12] =
            stub::put_bytes(call.areas, words[12], &b.part(3).given("Store.choice")?, 168, "Store.choice")?;
        words[13] =
            stub::put_bytes(call.areas, words[13], &b.part(4).given("Store.choice")?, 168, "Store.choice")?;
        words[14..16].copy_from_slice(&result.words().given("Store.choice")?);
        words[16] =
            stub::put_bytes(call.areas, words[16], &result.part(0).given("Store.choice")?, 168, "Store.choice")?;
        words[17] =
            stub::put_bytes(call.areas, words[17], &result.part(1).given("Store.choice")?, 168, "Store.choice")?;
        words[18] =
            stub::put_bytes(call.areas, words[18], &result.part(2).given("Store.choice")?, 168, "Store.choice")?;
        words[19] =
            stub::put_bytes(call.areas, words[19], &result.part(3).given("Store.choice")?, 168, "Store.choice")?;
        words[20] =
            stub::put_bytes(call.areas, words[20], &result.part(4).given("Store.choice")?, 168, "Store.choice")?;
        Ok(())
    }

    /// `Store.choices`.
    #[inline(never)]
    fn op_8(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<3>(call.words)?;
        let mut result_area = call.areas.take(words[2])?;
        let a = stub::list_in(call.areas, words[0], 3, |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?))
            .argument("Store.choices", "a")?;
        let mut b = stub::list_in(call.areas, words[1], 3, |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?))
            .argument("Store.choices", "b")?;
        let mut result = ChoiceList(stub::ListOut::new(&mut result_area, 3));
        service.choices(call.caller, &a, &mut b, &mut result)?;
        words[1] =
            stub::put_list(call.areas, words[1], &b, 3, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) }, "Store.choices")?;
        result.0.finish("Store.choices")?;
        words[2] = call.areas.put(words[2], result_area)?;
        Ok(())
    }

    /// `Store.deep`.
    #[inline(never)]
    fn op_9(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let a = Deep {
            cube: stub::unpacked_in(call.areas, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 2, &[], |words: &[u64; 1], _| Ok(f64::from_bits(words[0])))?))?)).argument("Store.deep", "a")?,
            choices: stub::unpacked_in(call.areas, words[1], 2, &[2, 3, 4, 5, 6], |words: &[u64; 7], area| Ok(Choice::read([words[0], words[1]], [stub::field_bytes(area, words[2], 168)?, stub::field_bytes(area, words[3], 168)?, stub::field_bytes(area, words[4], 168)?, stub::field_bytes(area, words[5], 168)?, stub::field_bytes(area, words[6], 168)?])?)).argument("Store.deep", "a")?,
        };
        let mut b = stub::list_in(call.areas, words[2], 2, Deep::read).argument("Store.deep", "b")?;
        let result = service.deep(call.caller, &a, &mut b)?;
        words[2] = stub::put_list(call.areas, words[2], &b, 2, Deep::write, "Store.deep")?;
        words[3] =
            stub::put_bytes(call.areas, words[3], &stub::packed(&result.cube, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 2, |&each, _| Ok([each.to_bits()]))?, 24)?]))?, 72)?])).given("Store.deep")?, 168, "Store.deep")?;
        words[4] =
            stub::put_bytes(call.areas, words[4], &stub::packed(&result.choices, 2, |each, area| { let mut words = [0, 0, stub::add_bytes(area, &each.part(0)?, 168)?, stub::add_bytes(area, &each.part(1)?, 168)?, stub::add_bytes(area, &each.part(2)?, 168)?, stub::add_bytes(area, &each.part(3)?, 168)?, stub::add_bytes(area, &each.part(4)?, 168)?]; words[0..2].copy_from_slice(&each.words()?); Ok(words) }).given("Store.deep")?, 472, "Store.deep")?;
        Ok(())
    }

    /// `Store.sum`.
    #[inline(never)]
    fn op_10(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<5>(call.words)?;
        let a = Unbounded {
            points: stub::unpacked_in(call.areas, words[0], 65536, &[], Point::read).argument("Store.sum", "a")?,
            texts: stub::unpacked_in(call.areas, words[1], 65536, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 4096)).argument("Store.sum", "a")?,
        };
        let (result, b) = service.sum(call.caller, &a)?;
        words[2] = result.cast_unsigned();
        words[3] =
            stub::put_bytes(call.areas, words[3], &stub::packed(&b.points, 65536, Point::write).given("Store.sum")?, 1048584, "Store.sum")?;
        words[4] =
            stub::put_bytes(call.areas, words[4], &stub::packed(&b.texts, 65536, |each, area| Ok([stub::add_string(area, each, 4096)?])).given("Store.sum")?, 1048584, "Store.sum")?;
        Ok(())
    }

    /// `Store.take`.
    #[inline(never)]
    fn op_11(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<8>(call.words)?;
        let what = Shelf {
            label: stub::string(call.areas, words[0], 8).argument("Store.take", "what")?.to_vec(),
            rows: stub::unpacked_in(call.areas, words[1], 2, &[0, 1], Named::read).argument("Store.take", "what")?,
            words_: stub::unpacked_in(call.areas, words[2], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).argument("Store.take", "what")?,
            stamp: words[3].cast_signed(),
        };
        let result = service.take(call.caller, &what)?;
        words[4] = stub::put_string(call.areas, words[4], &result.label, 8, "Store.take")?;
        words[5] =
            stub::put_bytes(call.areas, words[5], &stub::packed(&result.rows, 2, Named::write).given("Store.take")?, 168, "Store.take")?;
        words[6] =
            stub::put_bytes(call.areas, words[6], &stub::packed(&result.words_, 2, |each, area| Ok([stub::add_bytes(area, &stub::packed(each, 3, |each, area| Ok([stub::add_string(area, each, 8)?]))?, 56)?])).given("Store.take")?, 136, "Store.take")?;
        words[7] = result.stamp.cast_unsigned();
        Ok(())
    }

    /// `Store.count`.
    #[inline(never)]
    fn op_12(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let mut result_area = call.areas.take(words[1])?;
        let what = stub::list_in(call.areas, words[0], 4, |words: &[u64; 1], _| stub::int::<i32>(words[0]))
            .argument("Store.count", "what")?;
        let mut result = I32List(stub::ListOut::new(&mut result_area, 4));
        service.count(call.caller, &what, &mut result)?;
        result.0.finish("Store.count")?;
        words[1] = call.areas.put(words[1], result_area)?;
        Ok(())
    }

    /// `Store.tell`.
    #[inline(never)]
    fn op_13(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<4>(call.words)?;
        let a = Shelf {
            label: stub::string(call.areas, words[0], 8).argument("Store.tell", "a")?.to_vec(),
            rows: stub::unpacked_in(call.areas, words[1], 2, &[0, 1], Named::read).argument("Store.tell", "a")?,
            words_: stub::unpacked_in(call.areas, words[2], 2, &[0], |words: &[u64; 1], area| Ok(stub::field_list(area, words[0], 3, &[0], |words: &[u64; 1], area| stub::field_string(area, words[0], 8))?)).argument("Store.tell", "a")?,
            stamp: words[3].cast_signed(),
        };
        service.tell(call.caller, &a)?;
        Ok(())
    }

    /// `Store.many`.
    #[inline(never)]
    fn op_14(service: &impl StoreService, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {
        let words = stub::block::<2>(call.words)?;
        let a =
            stub::list_in(call.areas, words[0], 65536, Named::read).argument("Store.many", "a")?;
        let result = service.many(call.caller, &a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Store.beside`.
    #[inline]
    fn op_15(
        service: &impl StoreService,
        caller: &stub::Caller,
        words: &mut [u64; 2],
    ) -> Result<(), stub::Failure> {
        let a = stub::int::<i32>(words[0]).argument("Store.beside", "a")?;
        let result = service.beside(caller, a)?;
        words[1] = stub::word(result);
        Ok(())
    }

    /// `Store.beside` in a plain session.
    #[inline(always)]
    fn plain_15(
        service: &impl StoreService,
        caller: &stub::Caller,
        [a, ..]: [u64; 4],
    ) -> stub::Two {
        let a = stub::int::<i32>(a).argument("Store.beside", "a")?;
        stub::widened(Self::narrow_15(service, caller, [a, 0, 0, 0]))
    }

    /// `Store.beside` in a plain session, whose values are in registers.
    #[inline(always)]
    fn narrow_15(
        service: &impl StoreService,
        caller: &stub::Caller,
        [a, ..]: [i32; 4],
    ) -> stub::Narrow {
        let result = stub::carried("Store.beside", || Ok(service.beside(caller, a)?))?;
        Ok((result, 0))
    }
}

