//! What the desk does with lists of structs that hold portals.

use carnet_portal::call::{Call, Failure, Ref};

use super::{Box, Desk, elements, missing, put, text};

/// An entry: its name, its box as a number of what was made, and a size.
type Entry = (String, u64, u64);

fn put_entries(call: &mut Call<'_>, list: usize, all: &[Entry]) -> Result<(), Failure> {
    put(call, list, |area| {
        for (name, made, size) in all {
            let name = area.add_string(name.as_bytes()).unwrap_or_default();
            area.words.extend([name, *made, *size]);
        }
    })
}

/// What the box is called that a word stands for.
fn called(call: &Call<'_>, word: u64) -> Result<String, Failure> {
    let object = call.portal(word, "desk", "Box")?.object().clone();
    Ok(object.service().downcast_ref::<Box>().map_or("?".to_owned(), |found| found.name.clone()))
}

/// A text in the elements of a list.
fn text_of(call: &Call<'_>, list: usize, word: u64, max: usize) -> Result<String, Failure> {
    let area = call.areas.list.get(Ref(call.words[list]).area());
    let text = area.map_or(&[][..], |area| area.string(word));
    match text.len() <= max {
        true => Ok(String::from_utf8_lossy(text).into_owned()),
        false => Err(Failure::bad_argument("a text of a list that is too long")),
    }
}

/// The names of entries, what their boxes are called, and their sizes.
fn given(call: &Call<'_>, list: usize) -> Result<Vec<(String, String, u64)>, Failure> {
    let entry =
        |words: &Vec<u64>| Ok((text_of(call, list, words[0], 10)?, called(call, words[1])?, words[2]));
    elements(call, list, 3, 4)?.iter().map(entry).collect()
}

fn shown(all: &[(String, String, u64)]) -> String {
    let each = all.iter().map(|(name, of, size)| format!("{name}:{of}:{size}"));
    each.collect::<Vec<_>>().join(" ")
}

impl Desk {
    /// What takes such lists.
    pub(super) fn given_entries(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let note = |line: String| self.0.note(line);
        let says = match name {
            "listing" => {
                let all = given(call, 0)?;
                if all.is_empty() || all.iter().any(|(_, of, _)| of == "broken") {
                    note(format!("listing {}", shown(&all)));
                    return Err(missing());
                }
                shown(&all)
            }
            "put_entries" => {
                let all = given(call, 0)?;
                let data = call.areas.bytes(call.words[1], 20)?.len();
                let more = (text(call, 2, 10)?, called(call, call.words[3])?, call.words[4]);
                let more = shown(&[(String::from_utf8_lossy(&more.0).into_owned(), more.1, more.2)]);
                note(format!("put_entries {} {data} {more}", shown(&all)));
                call.words[5] = (data * (all.len() + 1)) as u64;
                return Ok(());
            }
            "reverse_entries" => {
                let all = given(call, 0)?;
                note(format!("reverse_entries {}", shown(&all)));
                if all.is_empty() {
                    return Err(missing());
                }
                call.words[1] = all.len() as u64;
                return self.give_entries(
                    call,
                    0,
                    all.into_iter().rev().map(|(name, ..)| format!("{name}'")),
                );
            }
            "twinned" => {
                let mut says = Vec::new();
                for words in elements(call, 0, 8, 2)? {
                    let boxes =
                        words[..4].iter().map(|word| called(call, *word)).collect::<Result<Vec<_>, _>>()?;
                    let (label, row) =
                        (text_of(call, 0, words[5], 10)?, text_of(call, 0, words[7], 40)?.len());
                    says.push(format!("{} {} {label} {} {row}", boxes.join(" "), words[4], words[6]));
                }
                says.join(", ")
            }
            "tripled" => {
                let rows = elements(call, 0, 3, 2)?;
                let names = rows.iter().flatten().map(|word| called(call, *word));
                names.collect::<Result<Vec<_>, _>>()?.join(" ")
            }
            "keep_lones" => {
                let all = elements(call, 0, 1, 3)?;
                let names = all.iter().map(|words| called(call, words[0])).collect::<Result<Vec<_>, _>>()?;
                note(format!("keep_lones {}", names.join(" ")));
                return Ok(());
            }
            _ => {
                let all = given(call, 0)?;
                let after = text(call, 1, 10)?;
                note(format!("items_of {} {:?}", shown(&all), String::from_utf8_lossy(&after)));
                let from = all.iter().position(|(name, ..)| name.as_bytes() == after).map_or(0, |at| at + 1);
                put(call, 2, |area| {
                    for (name, _, size) in all.iter().skip(from).take(2) {
                        let name = area.add_string(name.as_bytes()).unwrap_or_default();
                        area.words.extend([name, *size, 1]);
                    }
                })?;
                call.words[3] = u64::from(from + 2 >= all.len());
                return Ok(());
            }
        };
        note(format!("{name} {says}"));
        put(call, 1, |area| area.bytes.extend_from_slice(says.as_bytes()))
    }

    fn entry(&self, call: &mut Call<'_>, name: String) -> Entry {
        let made = call.make(self.0.made(name.as_bytes()));
        let size = name.len() as u64 * 10;
        (name, made, size)
    }

    fn give_entries(
        &self,
        call: &mut Call<'_>,
        list: usize,
        names: impl Iterator<Item = String>,
    ) -> Result<(), Failure> {
        let all: Vec<Entry> = names.map(|name| self.entry(call, name)).collect();
        put_entries(call, list, &all)
    }

    pub(super) fn entries(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let n = call.words[0].cast_signed();
        let note = |line: String| self.0.note(line);
        match name {
            "entries" => {
                let of = String::from_utf8_lossy(&text(call, 1, 10)?).into_owned();
                note(format!("entries {n} {of:?}"));
                let named = |k: i64| if (n, k) == (8, 1) { "no box".to_owned() } else { format!("{of}{k}") };
                let count = match n {
                    ..0 => return Err(missing()),
                    7 => 5,
                    8 => 3,
                    9 => 1,
                    10 => 2,
                    n => n,
                };
                let mut all: Vec<Entry> = (0..count).map(|k| self.entry(call, named(k))).collect();
                match n {
                    9 => all = vec![all[0].clone(); 3],
                    10 => {
                        all[0].1 = 2;
                        all[1].1 = u64::MAX;
                    }
                    _ => {}
                }
                put_entries(call, 2, &all)
            }
            "every_entry" => {
                note(format!("every_entry {n}"));
                self.give_entries(call, 1, (0..n).map(|k| k.to_string()))
            }
            "make_entries" => {
                note(format!("make_entries {n}"));
                if n < 0 {
                    return Err(missing());
                }
                self.give_entries(call, 1, (0..n).map(|k| format!("new{k}")))
            }
            "several_entries" => {
                note(format!("several_entries {n}"));
                if n < 0 {
                    return Err(missing());
                }
                call.words[1] = call.make(self.0.made(b"one"));
                self.give_entries(call, 2, (0..n).map(|k| format!("entry{k}")))?;
                let more: Vec<u64> =
                    (0..n).map(|k| call.make(self.0.made(format!("more{k}").as_bytes()))).collect();
                put(call, 3, |area| area.words = more)?;
                self.give_entries(call, 4, std::iter::once("last".to_owned()))
            }
            "twins" => {
                let of = String::from_utf8_lossy(&text(call, 0, 6)?).into_owned();
                note(format!("twins {of:?}"));
                let mut all = Vec::new();
                for k in 0..2_u64 {
                    let name = |what: &str| format!("{of}{k}{what}");
                    let boxes = ["-a", "-b", "-c", "-k"].map(name);
                    let made = boxes.map(|name| call.make(self.0.made(name.as_bytes())));
                    all.push((made, name(""), k));
                }
                put(call, 1, |area| {
                    for (made, name, k) in all {
                        let label = area.add_string(name.as_bytes()).unwrap_or_default();
                        // Two numbers, as a list within another value.
                        let row: Vec<u8> = [2, k, k + 1].into_iter().flat_map(u64::to_le_bytes).collect();
                        let row = area.add_string(&row).unwrap_or_default();
                        area.words.extend(made);
                        area.words.extend([k + 7, label, k + 1, row]);
                    }
                })
            }
            "triples" => {
                let of = String::from_utf8_lossy(&text(call, 0, 6)?).into_owned();
                note(format!("triples {of:?}"));
                let names = (0..6).map(|k| format!("{of}{}{}", k / 3, ["a", "b", "c"][k % 3]));
                let made: Vec<u64> = names.map(|name| call.make(self.0.made(name.as_bytes()))).collect();
                put(call, 1, |area| area.words = made)
            }
            "catalog" => {
                let of = text(call, 0, 10)?;
                let after = text(call, 1, 10)?;
                note(format!(
                    "catalog {:?} {:?}",
                    String::from_utf8_lossy(&of),
                    String::from_utf8_lossy(&after)
                ));
                let from = match after.first() {
                    _ if of == b"none" => 5,
                    Some(_) if of == b"fails" => return Err(missing()),
                    Some(last) => last - b'a' + 1,
                    None => 0,
                };
                let names = (from..5).take(2).map(|k| char::from(b'a' + k).to_string());
                self.give_entries(call, 2, names)?;
                call.words[3] = u64::from(from + 2 >= 5);
                Ok(())
            }
            _ => {
                note("lones".to_owned());
                let made: Vec<u64> =
                    (0..3).map(|k| call.make(self.0.made(format!("lone{k}").as_bytes()))).collect();
                put(call, 0, |area| area.words = made)
            }
        }
    }
}
