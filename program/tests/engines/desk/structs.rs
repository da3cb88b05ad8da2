//! What the desk does with structs and arrays that hold portals.

use carnet_portal::call::{Call, Failure};

use super::{Box, Desk, missing, put, text};

/// What the box is called that a word stands for.
fn called(call: &Call<'_>, word: usize) -> Result<String, Failure> {
    let object = call.portal(call.words[word], "desk", "Box")?.object().clone();
    Ok(object.service().downcast_ref::<Box>().map_or("?".to_owned(), |found| found.name.clone()))
}

fn label_of(call: &Call<'_>, word: usize, max: u32) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&text(call, word, max)?).into_owned())
}

impl Desk {
    fn put_kept(
        &self,
        call: &mut Call<'_>,
        at: usize,
        name: &str,
        n: i64,
        label: &str,
    ) -> Result<(), Failure> {
        call.words[at] = call.make(self.0.made(name.as_bytes()));
        call.words[at + 1] = n.cast_unsigned();
        put(call, at + 2, |area| area.bytes.extend_from_slice(label.as_bytes()))
    }

    /// A `Kept` in words.
    fn kept_at(&self, call: &Call<'_>, at: usize) -> Result<String, Failure> {
        let (name, label) = (called(call, at)?, label_of(call, at + 2, 10)?);
        Ok(format!("{name} {label} {}", call.words[at + 1].cast_signed()))
    }

    pub(super) fn structs(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let note = |line: String| self.0.note(line);
        let say = |call: &mut Call<'_>, at: usize, what: &str| {
            put(call, at, |area| area.bytes.extend_from_slice(what.as_bytes()))
        };
        match name {
            "kept" | "lone" => {
                let of = label_of(call, 0, 20)?;
                note(format!("{name} {of:?}"));
                match (&*of, name) {
                    ("", _) => Err(missing()),
                    (_, "kept") => self.put_kept(call, 1, &of, of.len() as i64, "kept"),
                    _ => {
                        call.words[1] = call.make(self.0.made(of.as_bytes()));
                        Ok(())
                    }
                }
            }
            "look" => {
                let what = self.kept_at(call, 0)?;
                note(format!("look {what}"));
                if what.starts_with("broken") { Err(missing()) } else { say(call, 3, &what) }
            }
            "tally" => {
                let (of, other) = (called(call, 0)?, self.kept_at(call, 2)?);
                let n = call.words[1].cast_signed();
                note(format!("tally {of} {n} {other}"));
                call.words[5] = (n + (of.len() + called(call, 2)?.len()) as i64).cast_unsigned();
                Ok(())
            }
            "boxes" => {
                let of = label_of(call, 0, 10)?;
                note(format!("boxes {of:?}"));
                (0..3)
                    .for_each(|k| call.words[1 + k] = call.make(self.0.made(format!("{of}{k}").as_bytes())));
                Ok(())
            }
            "names_in" => {
                let names = (0..3).map(|k| called(call, k)).collect::<Result<Vec<_>, _>>()?.join(" ");
                note(format!("names_in {names}"));
                say(call, 3, &names)
            }
            "renew" => {
                let (was, of) = (called(call, 1)?, label_of(call, 0, 10)?);
                note(format!("renew {} for {of:?}", self.kept_at(call, 1)?));
                if was == "broken" {
                    return Err(missing());
                }
                let n = call.words[2].cast_signed();
                call.areas.take(call.words[3])?;
                self.put_kept(call, 1, &of, n + 1, &was[..was.len().min(10)])
            }
            "await" => {
                let of = called(call, 0)?;
                note(format!("await {of}"));
                call.words[1] = of.len() as u64;
                Ok(())
            }
            _ => self.deeper(name, call),
        }
    }

    /// Structs in structs and arrays.
    fn deeper(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let of = if matches!(name, "deep" | "shelf_of") { label_of(call, 0, 6)? } else { String::new() };
        let says = match name {
            "deep" => {
                self.0.note(format!("deep {of:?}"));
                self.put_kept(call, 1, &format!("{of}-kept"), 1, "one")?;
                call.words[4] = 1;
                (0..3)
                    .for_each(|k| call.words[5 + k] = call.make(self.0.made(format!("{of}-{k}").as_bytes())));
                put(call, 8, |area| area.bytes.extend_from_slice(of.as_bytes()))?;
                (call.words[9], call.words[10], call.words[11]) = (of.len() as u64, 2, 7);
                return Ok(());
            }
            "shelf_of" => {
                self.0.note(format!("shelf_of {of:?}"));
                self.put_kept(call, 1, &format!("{of}-left"), 1, "left")?;
                return self.put_kept(call, 4, &format!("{of}-right"), 2, "right");
            }
            "dive" => {
                let all = (4..7).map(|k| called(call, k)).collect::<Result<Vec<_>, _>>()?.join(" ");
                let item = label_of(call, 7, 10)?;
                let [on, size, color] = [3, 8, 9].map(|at| call.words[at]);
                format!("{} {on} {all} {item} {size} {color}", self.kept_at(call, 0)?)
            }
            _ => format!("{}, {}", self.kept_at(call, 0)?, self.kept_at(call, 3)?),
        };
        self.0.note(format!("{name} {says}"));
        put(call, if name == "dive" { 10 } else { 6 }, |area| area.bytes.extend_from_slice(says.as_bytes()))
    }
}
