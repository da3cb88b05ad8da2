//! What the desk does with values that go both ways. As stubs do, it takes what was sent out of its area before anything can fail.

use std::sync::Arc;

use carnet_portal::call::{Area, Call, Failure, Ref};
use carnet_portal::stub::{self, Check as _};

use super::{Box, Desk, add_items, any, elements, label, missing, numbers, put, text};

/// Takes the bytes of a word.
fn take(call: &mut Call<'_>, word: usize, max: usize) -> Result<Vec<u8>, Failure> {
    stub::take_bytes(call.areas, call.words[word], max).argument("Desk", "text")
}

fn give(call: &mut Call<'_>, word: usize, bytes: &[u8]) -> Result<(), Failure> {
    let given = stub::give_bytes(call.areas, call.words[word], bytes.to_vec(), 200, "Desk")?;
    call.words[word] = given;
    Ok(())
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Puts a list of elements that begin with a text.
fn give_named(call: &mut Call<'_>, word: usize, named: &[(String, Vec<u64>)]) -> Result<(), Failure> {
    put(call, word, |area: &mut Area| {
        for (name, rest) in named {
            let name = area.add_string(name.as_bytes()).unwrap_or_default();
            area.words.push(name);
            area.words.extend(rest);
        }
    })
}

impl Desk {
    fn note(&self, line: String) {
        self.0.note(line);
    }

    pub(super) fn both_ways(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        match name {
            "turn" => {
                let mut bytes = take(call, 0, 12)?;
                self.note(format!("turn {:?}", shown(&bytes)));
                if bytes.is_empty() {
                    return Err(missing());
                }
                bytes.rotate_right(1);
                give(call, 0, &bytes)
            }
            "shift" => {
                let (n, mut bytes) = (call.words[0].cast_signed(), take(call, 1, 20)?);
                let was = shown(&bytes);
                self.note(format!("shift {n} {was:?}"));
                bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(n as u8));
                give(call, 1, &bytes)?;
                give(call, 2, was.as_bytes())?;
                call.words[3] = bytes.iter().map(|byte| u64::from(*byte)).sum();
                Ok(())
            }
            "names_of" => {
                self.note(format!("names_of {}", call.words[0].cast_signed()));
                give(call, 1, b"left")?;
                give(call, 2, b"right")
            }
            "swap" => {
                let (one, two) = (take(call, 0, 8)?, take(call, 1, 8)?);
                self.note(format!("swap {:?} {:?}", shown(&one), shown(&two)));
                give(call, 0, &two)?;
                give(call, 1, &one)
            }
            "rotate" => {
                let mut key = take(call, 0, 4)?;
                self.note(format!("rotate {:?}", shown(&key)));
                if key.len() != 4 {
                    return Err(Failure::bad_argument("a key that has not four octets"));
                }
                key.rotate_left(1);
                give(call, 0, &key)
            }
            "rename" => self.rename(call),
            "log" => {
                let (n, text) = (call.words[0], take(call, 1, 20)?);
                self.note(format!("log {n} {:?}", shown(&text)));
                give(call, 1, format!("{}:{}", shown(&text), n / 2).as_bytes())?;
                call.words[2] = n / 2;
                Ok(())
            }
            "order" | "relabel" | "drop" | "marked" | "numbered" => self.lists_both_ways(name, call),
            "morph" | "relamp" | "reslot" | "shorten" | "both_lamps" => self.unions_both_ways(name, call),
            _ => self.portals_both_ways(name, call),
        }
    }

    fn rename(&self, call: &mut Call<'_>) -> Result<(), Failure> {
        let (name, n) = (take(call, 0, 10)?, call.words[3]);
        self.note(format!(
            "rename {} {} {} by {}",
            shown(&name),
            call.words[1],
            call.words[2],
            n.cast_signed()
        ));
        if name.is_empty() {
            return Err(missing());
        }
        call.words[1] = call.words[1].wrapping_add(n);
        call.words[3] = name.len() as u64;
        give(call, 0, format!("{}!", shown(&name)).as_bytes())
    }

    fn lists_both_ways(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        match name {
            "order" => {
                let mut numbers = numbers(call, 0)?;
                self.note(format!("order {numbers:?}"));
                call.areas.list[Ref(call.words[0]).area()].clear();
                if numbers.is_empty() {
                    return Err(missing());
                }
                numbers.sort_unstable();
                put(call, 0, |area| area.words.extend(numbers.iter().map(|n| n.cast_unsigned())))
            }
            "relabel" => {
                let (by, items) = (shown(&text(call, 0, 4)?), elements(call, 1, 3, 6)?);
                let renamed =
                    |words: &Vec<u64>| Ok((label(call, 1, words[0], 10)? + &by, words[1..].to_vec()));
                let mut items = items.iter().map(renamed).collect::<Result<Vec<_>, Failure>>()?;
                self.note(format!(
                    "relabel {:?} {by:?}",
                    items.iter().map(|item| &item.0).collect::<Vec<_>>()
                ));
                items.push(("new".to_owned(), vec![9, 1]));
                give_named(call, 1, &items)
            }
            "drop" => {
                let parts = elements(call, 0, 2, 3)?;
                let texts =
                    |words: &Vec<u64>| Ok((label(call, 0, words[0], 10)?, label(call, 0, words[1], 20)?));
                let parts = parts.iter().map(texts).collect::<Result<Vec<_>, Failure>>()?;
                self.note(format!("drop {parts:?}"));
                put(call, 0, |area| {
                    for (name, data) in parts.iter().skip(1) {
                        let words =
                            [name, data].map(|text| area.add_string(text.as_bytes()).unwrap_or_default());
                        area.words.extend(words);
                    }
                })
            }
            "numbered" => {
                let after = text(call, 0, 10)?;
                self.note(format!("numbered {} after {:?}", call.words[1], shown(&after)));
                call.words[1] += 1;
                page_after(call, &after)
            }
            _ => {
                let (after, mark) = (text(call, 0, 10)?, take(call, 1, 4)?);
                self.note(format!("marked {:?} after {:?}", shown(&mark), shown(&after)));
                page_after(call, &after)?;
                give(call, 1, &mark)
            }
        }
    }

    fn unions_both_ways(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let signed = |words: &[u64]| words.iter().map(|word| word.cast_signed()).collect::<Vec<_>>();
        match name {
            "morph" => {
                let (n, held) = (call.words[0].cast_signed(), take(call, 5, 8)?);
                let was = signed(&call.words[1..5]);
                self.note(format!("morph {was:?} {:?} to {n}", held.escape_ascii().to_string()));
                let (words, text) =
                    if n == -1 { ([99, 0, 0, 0], &b""[..]) } else { any(n).ok_or_else(missing)? };
                call.words[1..5].copy_from_slice(&words);
                give(call, 5, text)
            }
            "relamp" => {
                self.note(format!("relamp {:?}", signed(&call.words[..3])));
                let n = call.words[2];
                let lamp = if n == 9 { [0, 9] } else { [call.words[0] ^ 1, 1] };
                call.words[..2].copy_from_slice(&lamp);
                call.words[2] = n.wrapping_add(1);
                Ok(())
            }
            "both_lamps" => {
                self.note(format!("both_lamps {:?}", signed(&call.words[..4])));
                call.words[..4].rotate_left(2);
                Ok(())
            }
            "reslot" => {
                let (of, held) = (take(call, 0, 4)?, take(call, 5, 8)?);
                self.note(format!(
                    "reslot {} {:?} {:?}",
                    shown(&of),
                    signed(&call.words[1..5]),
                    shown(&held)
                ));
                give(call, 0, b"z")?;
                give(call, 5, &held)?;
                let flags = [8, 9, 6, 7].map(|at| call.words[at]);
                call.words[6..10].copy_from_slice(&flags);
                Ok(())
            }
            _ => {
                let slots = elements(call, 0, 10, 6)?;
                let texts =
                    |words: &Vec<u64>| Ok([label(call, 0, words[0], 4)?, label(call, 0, words[5], 8)?]);
                let texts = slots.iter().map(texts).collect::<Result<Vec<_>, Failure>>()?;
                self.note(format!("shorten {texts:?}"));
                call.areas.list[Ref(call.words[0]).area()].clear();
                if slots.is_empty() {
                    return Err(missing());
                }
                put(call, 0, |area| {
                    for (words, texts) in slots.iter().zip(&texts).skip(1) {
                        let mut words = words.clone();
                        for (at, text) in [0, 5].into_iter().zip(texts) {
                            words[at] = area.add_string(text.as_bytes()).unwrap_or_default();
                        }
                        area.words.extend(words);
                    }
                })
            }
        }
    }

    fn portals_both_ways(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let at = usize::from(name == "trade");
        let object = call.portal(call.words[at], "desk", "Box")?.object().clone();
        let found = object.service().downcast_ref::<Box>().map_or("?".to_owned(), |found| found.name.clone());
        match name {
            "step" => {
                self.note(format!("step {found}"));
                if found == "broken" {
                    return Err(missing());
                }
                call.words[0] = call.make(self.0.made(format!("{found}'").as_bytes()));
            }
            "keep" => {
                self.note(format!("keep {found}"));
                call.words[0] = call.make(object);
            }
            _ => {
                let wanted = take(call, 0, 20)?;
                let n = call.words[2].cast_signed();
                self.note(format!("trade {found} for {:?}, {n}", shown(&wanted)));
                call.words[1] = call.make(self.0.made(&wanted));
                call.words[3] = call.make(Arc::clone(&object));
                call.words[2] = n.wrapping_add(1).cast_unsigned();
                call.words[4] = u64::from(wanted == found.as_bytes());
                give_named(call, 5, &[(found.clone(), vec![]), (shown(&wanted), vec![])])?;
                give(call, 0, found.as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The items behind this one, and whether there are more.
fn page_after(call: &mut Call<'_>, after: &[u8]) -> Result<(), Failure> {
    let first = after.last().map_or(0, |last| last - b'a' + 1);
    let to = (first + 3).min(7);
    put(call, 2, |area| add_items(area, first..to))?;
    call.words[3] = u64::from(to == 7);
    Ok(())
}
