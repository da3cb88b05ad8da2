//! What the desk does with lists of portals.

use std::sync::Arc;

use carnet_portal::call::{Call, Failure, Object};

use super::{Box, Desk, elements, missing, put, text};

/// What the box is called that a word stands for.
fn called(call: &Call<'_>, word: u64) -> Result<String, Failure> {
    let object = call.portal(word, "desk", "Box")?.object().clone();
    Ok(object.service().downcast_ref::<Box>().map_or("?".to_owned(), |found| found.name.clone()))
}

/// What the boxes of a list are called.
fn all_called(call: &Call<'_>, list: usize) -> Result<Vec<String>, Failure> {
    elements(call, list, 1, 4)?.iter().map(|words| called(call, words[0])).collect()
}

fn give(call: &mut Call<'_>, list: usize, all: Vec<Arc<dyn Object>>) -> Result<(), Failure> {
    let words: Vec<u64> = all.into_iter().map(|object| call.make(object)).collect();
    put(call, list, |area| area.words = words)
}

impl Desk {
    fn boxes_of(&self, names: impl Iterator<Item = String>) -> Vec<Arc<dyn Object>> {
        names.map(|name| self.0.made(name.as_bytes())).collect()
    }

    pub(super) fn portals(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let n = call.words[0].cast_signed();
        let note = |line: String| self.0.note(line);
        match name {
            "open_all" => {
                let of = String::from_utf8_lossy(&text(call, 1, 10)?).into_owned();
                note(format!("open_all {n} {of:?}"));
                let named = |k: i64| if (n, k) == (8, 1) { "no box".to_owned() } else { format!("{of}{k}") };
                let count = match n {
                    ..0 => return Err(missing()),
                    7 => 5,
                    8 => 3,
                    9 => 1,
                    n => n,
                };
                give(call, 2, self.boxes_of((0..count).map(named)))?;
                if n == 9 { put(call, 2, |area| area.words = vec![0; 3]) } else { Ok(()) }
            }
            "every" => {
                note(format!("every {n}"));
                give(call, 1, self.boxes_of((0..n).map(|k| k.to_string())))
            }
            "make_all" => {
                note(format!("make_all {n}"));
                if n < 0 {
                    return Err(missing());
                }
                give(call, 1, self.boxes_of((0..n).map(|k| format!("new{k}"))))
            }
            "names_all" => {
                let names = all_called(call, 0)?.join(" ");
                note(format!("names_all {names}"));
                if names.is_empty() || names.contains("broken") {
                    return Err(missing());
                }
                put(call, 1, |area| area.bytes.extend_from_slice(names.as_bytes()))
            }
            "put_all" => {
                let (names, more) = (all_called(call, 0)?, called(call, call.words[2])?);
                let data = call.areas.bytes(call.words[1], 20)?.len();
                note(format!("put_all {} {data} {more}", names.join(" ")));
                call.words[3] = (data * (names.len() + 1)) as u64;
                Ok(())
            }
            "reverse" => {
                let names = all_called(call, 0)?;
                note(format!("reverse {}", names.join(" ")));
                if names.is_empty() {
                    return Err(missing());
                }
                call.words[1] = names.len() as u64;
                give(call, 0, self.boxes_of(names.into_iter().rev().map(|name| format!("{name}'"))))
            }
            "mixed" => self.mixed(n, call),
            _ => {
                let of = String::from_utf8_lossy(&text(call, 0, 10)?).into_owned();
                note(format!("twice {of:?}"));
                give(call, 1, self.boxes_of((0..2).map(|k| format!("{of}{k}"))))?;
                give(call, 2, self.boxes_of((0..3).map(|k| format!("{of}-{k}"))))
            }
        }
    }

    fn mixed(&self, n: i64, call: &mut Call<'_>) -> Result<(), Failure> {
        self.0.note(format!("mixed {n}"));
        let count = if n < 0 { 3 } else { n.min(3) };
        let mut names: Vec<String> = (0..count).map(|k| format!("more{k}")).collect();
        match n {
            ..-1 => return Err(missing()),
            -1 => {
                let made: Vec<u64> =
                    names.iter().rev().map(|name| call.make(self.0.made(name.as_bytes()))).collect();
                call.words[1] = call.make(self.0.made(b"one"));
                put(call, 2, |area| area.words = made.into_iter().rev().collect())?;
            }
            _ => {
                call.words[1] = call.make(self.0.made(b"one"));
                give(call, 2, self.boxes_of(names.iter().cloned()))?;
            }
        }
        names.push("one".to_owned());
        put(call, 3, |area| {
            for name in &names {
                let word = area.add_string(name.as_bytes()).unwrap_or_default();
                area.words.push(word);
            }
        })
    }
}
