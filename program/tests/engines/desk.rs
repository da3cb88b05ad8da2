//! The service behind `desk.idl`, by hand: it logs what is done to it, and what it lets go of. What comes back changed is in
//! `desk/both_ways.rs`, structs that hold portals are in `desk/structs.rs`, unions with lists in `desk/packed.rs`, other lists
//! within values in `desk/lists.rs`, lists of portals in `desk/portals.rs`, lists of structs
//! that hold portals in `desk/entries.rs`.

#[path = "desk/both_ways.rs"]
mod both_ways;
#[path = "desk/entries.rs"]
mod entries;
#[path = "desk/lists.rs"]
mod lists;
#[path = "desk/packed.rs"]
mod packed;
#[path = "desk/portals.rs"]
mod portals;
#[path = "desk/structs.rs"]
mod structs;

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Area, Call, Failure, Object, Ref};
use carnet_portal::capability::Grant;
use carnet_portal::direct::{self, Entry};

pub(crate) fn module() -> &'static Module {
    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        carnet_idl::compile_str("desk.idl", include_str!("desk.idl")).expect("desk.idl compiles")
    });
    &MODULE
}

/// What all objects of one run share.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) log: Mutex<Vec<String>>,
    pub(crate) grant: Grant,
}

impl World {
    fn note(&self, line: String) {
        self.log.lock().expect("no test panics while it logs").push(line);
    }

    pub(crate) fn root(self: &Arc<World>) -> Arc<dyn Object> {
        Arc::new(Desk(Arc::clone(self)))
    }

    /// A box of this name; what is called "no box" is a desk.
    fn made(self: &Arc<World>, name: &[u8]) -> Arc<dyn Object> {
        if name == b"no box" {
            return self.root();
        }
        Arc::new(Box { world: Arc::clone(self), name: String::from_utf8_lossy(name).into_owned() })
    }
}

struct Desk(Arc<World>);

struct Box {
    world: Arc<World>,
    name: String,
}

impl Drop for Box {
    fn drop(&mut self) {
        self.world.note(format!("release {}", self.name));
    }
}

fn missing() -> Failure {
    Failure::raised(1, "it is not there".to_owned())
}

fn text(call: &Call<'_>, word: usize, max: u32) -> Result<Vec<u8>, Failure> {
    Ok(call.areas.string(call.words[word], max)?.to_vec())
}

/// The elements of a list, of so many words each.
fn elements(call: &Call<'_>, word: usize, words: usize, max: usize) -> Result<Vec<Vec<u64>>, Failure> {
    let area =
        call.areas.list.get(Ref(call.words[word]).area()).ok_or_else(|| Failure::bad_argument("no list"))?;
    if area.words.len() > max * words || !area.words.len().is_multiple_of(words) {
        return Err(Failure::bad_argument("a list that is too long"));
    }
    Ok(area.words.chunks(words).map(<[u64]>::to_vec).collect())
}

fn numbers(call: &Call<'_>, word: usize) -> Result<Vec<i64>, Failure> {
    Ok(elements(call, word, 1, 6)?.iter().map(|words| words[0].cast_signed()).collect())
}

/// A text of an element.
fn label(call: &Call<'_>, list: usize, word: u64, max: usize) -> Result<String, Failure> {
    let text = call.areas.list[Ref(call.words[list]).area()].string(word);
    if text.len() > max {
        return Err(Failure::bad_argument("a text that is too long"));
    }
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn put(call: &mut Call<'_>, word: usize, fill: impl FnOnce(&mut Area)) -> Result<(), Failure> {
    let mut area = call.areas.take(call.words[word])?;
    fill(&mut area);
    call.words[word] = call.areas.put(call.words[word], area)?;
    Ok(())
}

impl Object for Desk {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(1))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let world = &self.0;
        let name = module().interfaces[1].operations[op as usize].name.as_str();
        let n = call.words.first().map_or(0, |word| word.cast_signed());
        match name {
            "echo" => {
                world.note(format!("echo {n}"));
                match n {
                    -1 => return Err(missing()),
                    ..-1 => return Err(Failure::raised(2, "es zerbrach — ä".to_owned())),
                    _ => call.words[1] = n.cast_unsigned(),
                }
            }
            "is" => {
                world.note(format!("is {n}"));
                call.words[1] = n.cast_unsigned();
            }
            "open" | "make" => {
                let label = text(call, 0, 20)?;
                world.note(format!("{name} {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                call.words[1] = call.make(world.made(&label));
            }
            "note" => {
                let label = text(call, 0, 40)?;
                world.note(format!("note {:?}", String::from_utf8_lossy(&label)));
            }
            "items" => self.items(call)?,
            "seal" => {
                world.note("seal".to_owned());
                world.grant.revoke();
            }
            "numbers" => {
                world.note("numbers".to_owned());
                put(call, 0, |area| area.words.extend([3, 1, 2]))?;
            }
            "weigh" => {
                let label = text(call, 0, 10)?;
                let [_, size, color, n, ..] = *call.words else { return Err(Failure::service("the block")) };
                world.note(format!(
                    "weigh {} {size} {color} {}",
                    String::from_utf8_lossy(&label),
                    n.cast_signed()
                ));
                call.words[4] = size.wrapping_add(n);
            }
            "late" => {
                world.note("late".to_owned());
                return Err(Failure::raised(1, "too late".to_owned()));
            }
            "three" | "turned" | "next" | "grid" | "fill" | "fill_all" | "labels" | "joined"
            | "two_items" | "settings" | "apply" => return self.arrays(name, call),
            "scaled" | "reading" | "samples" | "sum" | "halve" => return self.floats(name, call),
            "find" | "all" | "paint" | "cut" => return self.described(name, call),
            "take" | "count_of" | "pack" | "these" => return self.lists(name, call),
            "both" | "some" | "pair" => return self.several(name, call),
            "either" | "sample" | "tell" | "pass" | "slots" | "store" | "slot" | "hold" | "shelf"
            | "sign" | "signed" | "lie" | "lies" | "spoil" => return self.unions(name, call),
            "turn" | "shift" | "order" | "relabel" | "drop" | "rename" | "names_of" | "swap" | "rotate"
            | "step" | "trade" | "keep" | "marked" | "numbered" | "log" | "morph" | "relamp" | "reslot"
            | "shorten" | "both_lamps" => return self.both_ways(name, call),
            "kept" | "look" | "lone" | "tally" | "boxes" | "names_in" | "deep" | "dive" | "shelve"
            | "shelf_of" | "renew" | "await" => return self.structs(name, call),
            "lists" | "listed" | "relist" | "many" | "keep_many" => return self.packed(name, call),
            "rack" | "folder" | "filed" | "refile" | "folders" | "file_all" | "drawer" | "rows" | "rowed"
            | "turn_rows" | "cabinet" | "stored" | "held" | "beheld" | "linked" | "unlink" => {
                return self.nested(name, call);
            }
            "open_all" | "every" | "make_all" | "names_all" | "put_all" | "reverse" | "mixed" | "twice" => {
                return self.portals(name, call);
            }
            "entries" | "every_entry" | "make_entries" | "several_entries" | "twins" | "triples"
            | "catalog" | "lones" => return self.entries(name, call),
            "listing" | "put_entries" | "reverse_entries" | "twinned" | "tripled" | "keep_lones"
            | "items_of" => {
                return self.given_entries(name, call);
            }
            "choose" => {
                world.note(format!("choose {n}"));
                if n < 0 {
                    return Err(Failure::raised_members(1, vec![1, 0], "Late: it is late".to_owned()));
                }
                call.words[1] = n.cast_unsigned();
            }
            "wait" => {
                world.note(format!("wait {n}"));
                call.words[1] = n.cast_unsigned();
            }
            "set" => {
                let m = call.words[1];
                if i32::try_from(n).is_err() || u16::try_from(m).is_err() {
                    return Err(Failure::bad_argument("a number that its parameter does not take"));
                }
                world.note(format!("set {n} {m}"));
                if n < 0 {
                    return Err(missing());
                }
            }
            _ => {
                world.note(format!("split {n}"));
                (call.words[1], call.words[2]) = ((n / 10).cast_unsigned(), (n % 10).cast_unsigned());
            }
        }
        Ok(())
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Desk {
    fn items(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        let (prefix, after) = (text(call, 0, 20)?, text(call, 1, 10)?);
        let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        self.0.note(format!("items {:?} after {:?}", show(&prefix), show(&after)));
        match &*prefix {
            b"none" => {
                call.words[3] = 0;
                return put(call, 2, |_| {});
            }
            b"fails" if !after.is_empty() => return Err(missing()),
            _ => {}
        }
        let after = if prefix == b"more" { Vec::new() } else { after };
        let first = after.last().map_or(0, |last| last - b'a' + 1);
        let to = (first + 3).min(7);
        put(call, 2, |area| add_items(area, first..to))?;
        call.words[3] = u64::from(to == 7);
        Ok(())
    }

    /// What takes lists.
    fn lists(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        match name {
            "take" => {
                let numbers = numbers(call, 0)?;
                self.0.note(format!("take {numbers:?}"));
                if numbers.is_empty() {
                    return Err(missing());
                }
                call.words[1] = numbers.iter().fold(0_i64, |sum, n| sum.wrapping_add(*n)).cast_unsigned();
            }
            "count_of" => {
                let items = elements(call, 1, 3, 6)?;
                let names: Vec<_> =
                    items.iter().map(|words| label(call, 1, words[0], 10)).collect::<Result<_, _>>()?;
                self.0.note(format!("count {} of {names:?}", call.words[0]));
                call.words[2] = items.iter().filter(|words| words[2] == call.words[0]).count() as u64;
            }
            "pack" => {
                let mut bytes = 0;
                let mut line = "pack".to_owned();
                for words in elements(call, 0, 2, 3)? {
                    let data = label(call, 0, words[1], 20)?.len();
                    line += &format!(" {} {data}", label(call, 0, words[0], 10)?);
                    bytes += data as u64;
                }
                self.0.note(line);
                call.words[1] = bytes;
            }
            _ => {
                let (numbers, after) = (numbers(call, 0)?, text(call, 1, 10)?);
                let after = String::from_utf8_lossy(&after).into_owned();
                self.0.note(format!("these {numbers:?} after {after:?}"));
                let first = after.parse().map_or(0, |last: usize| last + 1);
                let page = first..(first + 3).min(numbers.len());
                call.words[3] = u64::from(page.end == numbers.len());
                put(call, 2, |area| {
                    for k in page {
                        let name = area.add_string(k.to_string().as_bytes()).unwrap_or_default();
                        area.words.extend([name, numbers[k].cast_unsigned(), 0]);
                    }
                })?;
            }
        }
        Ok(())
    }

    /// What takes or gives arrays.
    fn arrays(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let n = call.words[0].cast_signed();
        let shown =
            |words: &[u64]| format!("{:?}", words.iter().map(|word| word.cast_signed()).collect::<Vec<_>>());
        match name {
            "three" => {
                self.0.note(format!("three {n}"));
                (0..3).for_each(|k| call.words[1 + k] = (n + k as i64).cast_unsigned());
            }
            "turned" => {
                self.0.note(format!("turned {}", shown(&call.words[..3])));
                (0..3).for_each(|k| call.words[3 + k] = call.words[2 - k]);
            }
            "next" => {
                self.0.note(format!("next {}", shown(&call.words[..3])));
                call.words.iter_mut().take(3).for_each(|word| *word = word.wrapping_add(1));
            }
            "grid" => {
                self.0.note(format!("grid {n}"));
                (0..4).for_each(|k| call.words[1 + k] = (n + k as i64).cast_unsigned());
                (call.words[6], call.words[7]) = (0.5_f32.to_bits().into(), (n as f32).to_bits().into());
                put(call, 5, |area| area.bytes.extend_from_slice(b"abcd"))?;
            }
            "fill" => {
                let key = call.areas.bytes(call.words[4], 4)?.to_vec();
                if key.len() != 4 {
                    return Err(Failure::bad_argument("an array of another length"));
                }
                let weights = [5, 6].map(|at| f32::from_bits(call.words[at] as u32));
                let key = key.escape_ascii().to_string();
                self.0.note(format!("fill {} {key} {weights:?} {}", shown(&call.words[..4]), call.words[7]));
                call.words[8] = call.words[..4].iter().fold(0, |sum, word| sum.wrapping_add(*word));
            }
            "labels" => {
                let of = text(call, 0, 10)?;
                self.0.note(format!("labels {:?}", String::from_utf8_lossy(&of)));
                for k in 0..3 {
                    put(call, 1 + k, |area| area.bytes.extend([&of[..], &[b'0' + k as u8]].concat()))?;
                }
            }
            "joined" => {
                let all = (0..3).map(|k| text(call, k, 10)).collect::<Result<Vec<_>, _>>()?.concat();
                self.0.note(format!("joined {:?}", String::from_utf8_lossy(&all)));
                put(call, 3, |area| area.bytes.extend(all))?;
            }
            "two_items" => {
                self.0.note(format!("two_items {n}"));
                for k in 0..2 {
                    let at = 1 + 3 * k;
                    put(call, at, |area| area.bytes.push(b'a' + k as u8))?;
                    (call.words[at + 1], call.words[at + 2]) = ((n + k as i64).cast_unsigned(), k as u64);
                }
            }
            "settings" => {
                self.0.note(format!("settings {n}"));
                (call.words[1], call.words[2]) = (0, 1);
                (call.words[3], call.words[4]) = (u64::from(n == 1), u64::from(n != 1));
                (call.words[5], call.words[6]) = (0.5_f32.to_bits().into(), 0.25_f32.to_bits().into());
            }
            "apply" => {
                let rates = [4, 5].map(|at| f32::from_bits(call.words[at] as u32));
                self.0.note(format!("apply {} {rates:?}", shown(&call.words[..4])));
            }
            _ => {
                let grids = elements(call, 0, 7, 3)?;
                let mut line = "fill_all".to_owned();
                for words in &grids {
                    line += &format!(" {} {}", shown(&words[..4]), label(call, 0, words[4], 4)?);
                }
                self.0.note(line);
                call.words[1] = grids.len() as u64;
            }
        }
        Ok(())
    }

    /// What takes or gives numbers with a fraction.
    fn floats(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let double = |word: u64| f64::from_bits(word);
        let float = |word: u64| f32::from_bits(u32::try_from(word).expect("a float has 32 bits"));
        let x = double(call.words[0]);
        match name {
            "scaled" => {
                let by = float(call.words[1]);
                self.0.note(format!("scaled {x:?} {by:?}"));
                call.words[2] = (x * f64::from(by)).to_bits();
                call.words[3] = (by * 0.1).to_bits().into();
            }
            "reading" => {
                self.0.note(format!("reading {x:?}"));
                if x.is_nan() {
                    return Err(missing());
                }
                (call.words[2], call.words[3]) = (x.to_bits(), 0.1_f32.to_bits().into());
                put(call, 1, |area| area.bytes.push(b'x'))?;
            }
            "samples" => {
                let n = call.words[0].min(4);
                self.0.note(format!("samples {n}"));
                put(call, 1, |area| area.words.extend((1..=n).map(|k| (1.0 / k as f64).to_bits())))?;
            }
            "sum" => {
                let (mut sum, mut line) = (0.0, "sum".to_owned());
                for words in elements(call, 0, 3, 4)? {
                    let (value, weight) = (double(words[1]), float(words[2]));
                    line += &format!(" {} {value:?} {weight:?}", label(call, 0, words[0], 10)?);
                    sum += value * f64::from(weight);
                }
                self.0.note(line);
                call.words[1] = f64::to_bits(sum);
            }
            _ => {
                let y = float(call.words[1]);
                self.0.note(format!("halve {x:?} {y:?}"));
                (call.words[0], call.words[1]) = ((x / 2.0).to_bits(), (y / 2.0).to_bits().into());
            }
        }
        Ok(())
    }

    /// What takes or gives unions.
    fn unions(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let n = call.words.first().map_or(0, |word| word.cast_signed());
        match name {
            "either" => {
                self.0.note(format!("either {n}"));
                let minus = n < 0;
                (call.words[1], call.words[2]) = if minus { (2, 0) } else { (0, n.cast_unsigned()) };
                put(call, 3, |area| area.bytes.extend_from_slice(if minus { b"minus" } else { b"" }))
            }
            "sample" => {
                self.0.note(format!("sample {n}"));
                let (words, text) = any(n).ok_or_else(missing)?;
                put_any(call, 1, words, text)
            }
            "tell" => {
                self.0.note(format!("tell {}", any_given(call)?));
                call.words[5] = call.words[0];
                Ok(())
            }
            "pass" => {
                let (given, flag) = (any_given(call)?, [call.words[5], call.words[6]]);
                self.0.note(format!("pass {given} {flag:?}"));
                if n == 12 {
                    return Err(missing());
                }
                let text = call.areas.bytes(call.words[4], 8)?.to_vec();
                let words = [0, 1, 2, 3].map(|k| call.words[k]);
                (call.words[12], call.words[13]) = (flag[0] ^ 1, 1);
                put_any(call, 7, words, &text)
            }
            "slots" | "lies" => {
                self.0.note(format!("{name} {n}"));
                put(call, 1, |area| {
                    (0..n.clamp(0, 6)).for_each(|k| add_slot(area, k));
                    if name == "lies"
                        && let Some(case) = area.words.len().checked_sub(9)
                    {
                        area.words[case] = 99;
                    }
                })
            }
            "store" => {
                let slots = elements(call, 0, 10, 6)?;
                let mut line = "store".to_owned();
                for words in &slots {
                    line += &format!(" {} {:?}", label(call, 0, words[0], 4)?, shown(&words[1..5]));
                    line += &format!(" {:?} {:?}", label(call, 0, words[5], 8)?, &words[6..]);
                }
                self.0.note(line);
                call.words[1] = slots.len() as u64;
                Ok(())
            }
            "slot" => {
                self.0.note(format!("slot {n}"));
                let (words, text) = any([1, 2, 8][n.rem_euclid(3) as usize]).ok_or_else(missing)?;
                put(call, 1, |area| area.bytes.push(b'a'))?;
                call.words[7..11].copy_from_slice(&[1, 200, 0, 2]);
                put_any(call, 2, words, text)
            }
            "hold" => {
                let (name, held) = (text(call, 0, 4)?, call.areas.bytes(call.words[5], 8)?);
                let [name, held] = [&name[..], held].map(|text| text.escape_ascii().to_string());
                let words = shown(&call.words[1..5]);
                self.0.note(format!("hold {name} {words:?} {held:?} {:?}", &call.words[6..10]));
                call.words[10] = call.words[1];
                Ok(())
            }
            "shelf" => {
                let after = text(call, 0, 4)?;
                self.0.note(format!("shelf after {:?}", String::from_utf8_lossy(&after)));
                let first = after.last().map_or(0, |last| i64::from(last - b'a') + 1);
                call.words[2] = u64::from(first >= 2);
                put(call, 1, |area| (first..first + 2).for_each(|k| add_slot(area, k)))
            }
            "sign" => {
                self.0.note(format!("sign {n}"));
                (call.words[1], call.words[2]) = if n == 1 { (98, 0) } else { (97, (-3i64).cast_unsigned()) };
                put(call, 3, |area| area.bytes.extend_from_slice(if n == 1 { b"sign" } else { b"" }))
            }
            "signed" => {
                let text = call.areas.bytes(call.words[2], 4)?.escape_ascii().to_string();
                self.0.note(format!("signed {n} {} {text:?}", call.words[1].cast_signed()));
                Ok(())
            }
            _ => {
                self.0.note(format!("{name} {n}"));
                let (words, text): ([u64; 4], &[u8]) = match n {
                    0 => ([99, 0, 0, 0], b""),
                    1 => ([2, 0, 0, 0], b"a\0b"),
                    2 => ([3, 0, 0, 0], b"too long a"),
                    3 => ([(-4i64).cast_unsigned(), 2, 0, 0], b""),
                    4 => ([6, 3, 0, 0], b""),
                    5 => ([5, 1 << 32, 0, 0], b""),
                    6 => ([9, 0, 0, 0], b"abc"),
                    7 => ([7, 0, 0, 0], b"sevenfold"),
                    8 => ([11, 3, 0, 0], b""),
                    9 => ([12, 0, 1 << 31, 0], b""),
                    10 => ([1 << 32 | 1, 0, 0, 0], b""),
                    _ => return Err(missing()),
                };
                put_any(call, 1, words, text)
            }
        }
    }

    /// What gives portals and lists beside others.
    fn several(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        if name == "some" {
            let n = call.words[0].cast_signed();
            self.0.note(format!("some {n}"));
            if n < 0 {
                return Err(missing());
            }
            let count = n.min(6) as u8;
            put(call, 1, |area| add_items(area, 0..count))?;
            call.words[2] = u64::from(n > 6);
            return put(call, 3, |area| area.bytes.push(b'a' + count));
        }
        let label = text(call, 0, 20)?;
        self.0.note(format!("{name} {:?}", String::from_utf8_lossy(&label)));
        if label.is_empty() {
            return Err(missing());
        }
        if name == "both" {
            (call.words[1], call.words[2]) = (call.make(self.0.made(&label)), label.len() as u64);
            return Ok(());
        }
        let names = ["left", "right"];
        if label == b"turned" {
            call.words[3] = call.make(self.0.made(b"right"));
            call.words[2] = call.make(self.0.made(b"left"));
        } else {
            call.words[2] = call.make(self.0.made(b"left"));
            call.words[3] = call.make(self.0.made(b"right"));
        }
        put(call, 4, |area| {
            let words = names.map(|name| area.add_string(name.as_bytes()).unwrap_or_default());
            area.words.extend(words);
        })?;
        put(call, 5, |area| area.bytes.extend_from_slice(&label[..label.len().min(10)]))?;
        (call.words[6], call.words[7]) = (label.len() as u64, 2);
        call.words[1] = call.words[1].wrapping_sub(1);
        Ok(())
    }

    /// What gives back texts.
    fn described(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        match name {
            "find" => {
                let label = text(call, 0, 10)?;
                self.0.note(format!("find {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                (call.words[2], call.words[3]) = (label.len() as u64, 1);
                put(call, 1, |area| area.bytes.extend_from_slice(&label))
            }
            "all" => {
                self.0.note("all".to_owned());
                put(call, 0, |area| add_items(area, 0..5))
            }
            "paint" => {
                let [shade, done, color, ..] = *call.words else { return Err(Failure::service("the block")) };
                self.0.note(format!("paint {shade} {done} {color}"));
                (call.words[1], call.words[2]) = (0, 2);
                put(call, 3, |area| {
                    area.bytes.extend_from_slice(format!("{done} {color} {shade}").as_bytes())
                })
            }
            _ => {
                let len = call.words[0].min(4) as usize;
                self.0.note(format!("cut {len}"));
                put(call, 1, |area| area.bytes.extend_from_slice(&"ää".as_bytes()[..len]))
            }
        }
    }
}

/// An `Any` of this case: its words, and the text that the last of them refers to.
fn any(case: i64) -> Option<([u64; 4], &'static [u8])> {
    let (scalars, text): ([i64; 3], &[u8]) = match case {
        1 => ([-5, 0, 0], b""),
        2 => ([0; 3], b"two"),
        3 => ([0; 3], b"three"),
        -4 => ([1, 0, 0], b""),
        5 => ([0.25_f32.to_bits().into(), 0, 0], b""),
        6 => ([2, 0, 0], b""),
        7 => ([0; 3], b"\0\xff"),
        8 => ([-1, 1.5_f64.to_bits().cast_signed(), 0], b"spot"),
        9 => ([0; 3], b"abcd"),
        10 => ([2.5_f64.to_bits().cast_signed(), 0, 0], b""),
        11 => ([1, 0, 0], b"inner"),
        12 => ([-1, 0, 1], b""),
        _ => return None,
    };
    let [a, b, c] = scalars;
    Some(([case, a, b, c].map(i64::cast_unsigned), text))
}

fn put_any(call: &mut Call<'_>, at: usize, words: [u64; 4], text: &[u8]) -> Result<(), Failure> {
    call.words[at..at + 4].copy_from_slice(&words);
    put(call, at + 4, |area| area.bytes.extend_from_slice(text))
}

/// The `Any` that a block begins with.
fn any_given(call: &Call<'_>) -> Result<String, Failure> {
    let text = call.areas.bytes(call.words[4], 8)?.escape_ascii().to_string();
    match any(call.words[0].cast_signed()) {
        Some(_) => Ok(format!("{:?} {text:?}", shown(&call.words[..4]))),
        None => Err(Failure::bad_argument("a union with a case that it does not have")),
    }
}

fn shown(words: &[u64]) -> Vec<i64> {
    words.iter().map(|word| word.cast_signed()).collect()
}

fn add_slot(area: &mut Area, k: i64) {
    let name = area.add_string(&[b'a' + k as u8]).unwrap_or_default();
    let (words, text) = any([1, 2, 8][k.rem_euclid(3) as usize]).unwrap_or_default();
    let text = area.add_string(text).unwrap_or_default();
    area.words.push(name);
    area.words.extend(words);
    area.words.extend([text, 1, k.cast_unsigned(), 0, 1]);
}

fn add_items(area: &mut Area, items: Range<u8>) {
    for k in items {
        let name = area.add_string(&[b'a' + k]).unwrap_or_default();
        area.words.extend([name, u64::from(k), u64::from(k % 3)]);
    }
}

impl Object for Box {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let name = module().interfaces[0].operations[op as usize].name.as_str();
        let me = &self.name;
        match name {
            "name" => {
                self.world.note(format!("{me}.name"));
                put(call, 0, |area| area.bytes.extend_from_slice(me.as_bytes()))?;
            }
            "size" => {
                self.world.note(format!("{me}.size"));
                if me == "broken" {
                    return Err(Failure::raised(2, "broken".to_owned()));
                }
                call.words[0] = me.len() as u64;
            }
            "inner" => {
                let label = text(call, 0, 20)?;
                self.world.note(format!("{me}.inner {:?}", String::from_utf8_lossy(&label)));
                if label.is_empty() {
                    return Err(missing());
                }
                call.words[1] = call.make(self.world.made(&label));
            }
            "put" => {
                let data = call.areas.bytes(call.words[0], 200)?.len();
                self.world.note(format!("{me}.put {data} bytes"));
                if me == "broken" {
                    return Err(Failure::raised(2, "broken".to_owned()));
                }
                call.words[1] = data as u64;
            }
            "copy" => {
                let source = call.portal(call.words[0], "desk", "Box")?.object().clone();
                let source = source.service().downcast_ref::<Box>().map_or("?", |source| &source.name);
                self.world.note(format!("{me}.copy from {source} {}", call.words[1].cast_signed()));
                call.words[2] = (call.words[1].cast_signed() / 2).cast_unsigned();
            }
            "same" => {
                let other = call.portal(call.words[0], "desk", "Box")?.object().clone();
                let other = other.service().downcast_ref::<Box>().map_or("?", |other| &other.name);
                self.world.note(format!("{me}.same {other}"));
                call.words[1] = u64::from(me == other);
            }
            "part" | "part_of" => {
                let at = usize::from(name == "part_of");
                let data = call.areas.bytes(call.words[at], 200)?.len();
                self.world.note(format!("{me}.{name} of {data} bytes"));
                if me == "broken" {
                    return Err(Failure::raised(2, "broken".to_owned()));
                }
                call.words[1 + 2 * at] = data.min(60) as u64;
            }
            "claim" | "claim_unsigned" | "claim_beside" | "claim_in_item" => {
                let (data, n) = (call.areas.bytes(call.words[0], 200)?.len(), call.words[1]);
                self.world.note(format!("{me}.{name} {} of {data} bytes", n.cast_signed()));
                let at = if name == "claim_in_item" { 3 } else { 2 };
                call.words[at] = n;
            }
            "bump" => {
                self.world.note(format!("{me}.bump {}", call.words[0].cast_signed()));
                call.words[0] = call.words[0].wrapping_mul(2).wrapping_add(1);
            }
            _ => {
                let n = call.words[0].min(200) as usize;
                self.world.note(format!("{me}.data {n}"));
                put(call, 1, |area| area.bytes.resize(n, b'x'))?;
            }
        }
        Ok(())
    }

    fn entry(&self, op: u16) -> Option<Entry<'_>> {
        direct::entry(self, op)
    }

    fn service(&self) -> &dyn Any {
        self
    }
}
