//! What the desk does with lists within structs, arrays and lists.

use carnet_idl::descriptor::{Mode, Operation, Type, Word};
use carnet_portal::call::{Area, Call, Failure, Ref};
use carnet_program::packed;

use super::{Box, Desk, missing, module, put, text};

/// A value that is given back.
#[derive(Clone)]
enum V {
    N(i64),
    T(Vec<u8>),
    /// A list within another value.
    L(Vec<V>),
    R(Vec<V>),
}

fn t(text: &str) -> V {
    V::T(text.as_bytes().to_vec())
}

fn row(numbers: impl IntoIterator<Item = i64>) -> V {
    V::L(numbers.into_iter().map(V::N).collect())
}

impl V {
    /// Adds the words of an element, and what they refer to.
    fn add_to(&self, area: &mut Area) {
        let word = match self {
            V::R(parts) => return parts.iter().for_each(|part| part.add_to(area)),
            V::N(n) => n.cast_unsigned(),
            V::T(text) => area.add_string(text).expect("it is short"),
            V::L(elements) => area.add_string(&packed(elements)).expect("it is short"),
        };
        area.words.push(word);
    }

    /// Puts it into a block from this word on; the one behind it.
    fn give(&self, call: &mut Call<'_>, at: usize) -> Result<usize, Failure> {
        match self {
            V::R(parts) => return parts.iter().try_fold(at, |at, part| part.give(call, at)),
            V::N(n) => call.words[at] = n.cast_unsigned(),
            V::T(text) => put(call, at, |area| area.bytes.extend(text))?,
            V::L(elements) => put(call, at, |area| area.bytes.extend(packed(elements)))?,
        }
        Ok(at + 1)
    }
}

fn packed(elements: &[V]) -> Vec<u8> {
    let mut area = Area::default();
    elements.iter().for_each(|element| element.add_to(&mut area));
    let mut bytes = (elements.len() as u64).to_le_bytes().to_vec();
    area.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes.extend_from_slice(&area.bytes);
    bytes
}

/// A list that is a parameter or result.
fn give_list(call: &mut Call<'_>, at: usize, elements: &[V]) -> Result<(), Failure> {
    put(call, at, |area| elements.iter().for_each(|element| element.add_to(area)))
}

const LETTERS: &[u8] = b"abcdefgh";

/// Of as many labels and counts.
fn folder(n: i64) -> V {
    let labels = (0..n).map(|k| t(&format!("l{k}"))).collect();
    V::R(vec![V::T(vec![LETTERS[n as usize % 8]]), V::L(labels), row((0..n).map(|k| 10 * n + k))])
}

/// What is no folder, in the n-th of several ways.
fn no_folder(n: i64) -> V {
    let (mut labels, mut counts) = (packed(&[t("ab"), t("cde")]), packed(&[V::N(1)]));
    match n {
        11 => labels.push(0),
        12 => labels.truncate(20),
        13 => labels = packed(&[t("a\0b")]),
        14 => labels = packed(&[t("too long a")]),
        15 => labels = packed(&vec![t("x"); 5]),
        16 => labels[8..16].copy_from_slice(&Ref::new(0, 1, 2).expect("it is short").0.to_le_bytes()),
        17 => labels[..8].copy_from_slice(&u64::MAX.to_le_bytes()),
        18 => counts = packed(&vec![V::N(1); 5]),
        19 => counts.truncate(7),
        _ => labels[8..16].copy_from_slice(&Ref::new(1, 0, 2).expect("it is short").0.to_le_bytes()),
    }
    V::R(vec![t("none"), V::T(labels), V::T(counts)])
}

fn row_of(k: i64) -> V {
    row((0..k).map(|n| n - k))
}

/// A value of this type, as text. Like a stub, it believes no list before it has looked at all of it.
fn shown(ty: &Type, words: &mut &[u64], of: &dyn Fn(u64) -> Vec<u8>) -> Result<String, Failure> {
    let bad = || Failure::bad_argument("a list that is too long, or none");
    Ok(match ty {
        Type::Struct(id) => {
            let fields = &module().structs[id.index()].fields;
            let parts =
                fields.iter().map(|field| shown(&field.ty, words, of)).collect::<Result<Vec<_>, _>>()?;
            format!("({})", parts.join(" "))
        }
        Type::Array { of: element, len } => {
            let parts = (0..*len).map(|_| shown(element, words, of)).collect::<Result<Vec<_>, _>>()?;
            format!("<{}>", parts.join(" "))
        }
        Type::List { of: element, max } => {
            let bytes = of(*words.split_off_first().ok_or_else(bad)?);
            let mut kinds = Vec::new();
            module().flatten_part(element, &mut kinds);
            let is_text =
                |k: usize| matches!(kinds[k % kinds.len()], Word::String { .. } | Word::Bytes { .. });
            let list = packed::opened(&bytes, kinds.len(), is_text).ok_or_else(bad)?;
            shown_list(element, *max, &list)?
        }
        Type::String { max } => {
            let text = of(*words.split_off_first().ok_or_else(bad)?);
            if text.len() > *max as usize || text.contains(&0) {
                return Err(Failure::bad_argument("a text that is too long"));
            }
            text.escape_ascii().to_string()
        }
        _ => words.split_off_first().ok_or_else(bad)?.cast_signed().to_string(),
    })
}

fn shown_list(element: &Type, max: u32, list: &Area) -> Result<String, Failure> {
    let mut elements = list.words.chunks(module().word_count(element));
    if elements.len() > max as usize {
        return Err(Failure::bad_argument("a list that is too long, or none"));
    }
    let text = |word: u64| list.string(word).to_vec();
    let all = elements.try_fold(Vec::new(), |mut all, mut words| {
        all.push(shown(element, &mut words, &text)?);
        Ok::<_, Failure>(all)
    })?;
    Ok(format!("[{}]", all.join(" ")))
}

/// The first parameter of an operation, as text; its words begin at this one.
fn argument(operation: &Operation, call: &Call<'_>, at: usize) -> Result<String, Failure> {
    let param = operation.params.iter().find(|param| param.mode != Mode::Out).expect("it has one");
    let bytes = |word: u64| call.areas.bytes(word, 1 << 20).unwrap_or_default().to_vec();
    match &param.ty {
        Type::List { of, max } => {
            let area = call.areas.list.get(Ref(call.words[at]).area());
            shown_list(of, *max, area.ok_or_else(|| Failure::bad_argument("no list"))?)
        }
        Type::Union(id) => {
            let case = call.words[at].cast_signed();
            let arm =
                module().unions[id.index()].arm(case).ok_or_else(|| Failure::bad_argument("no union"))?;
            Ok(format!("{case}: {}", shown(&arm.ty, &mut &call.words[at + 1..], &bytes)?))
        }
        ty => shown(ty, &mut &call.words[at..], &bytes),
    }
}

impl Desk {
    pub(super) fn nested(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let (_, operation) = module().interfaces[1].operation(name).expect("it has one");
        let n = call.words[0].cast_signed();
        let note = |line: String| self.0.note(format!("{name} {line}"));
        match name {
            "filed" | "stored" | "rowed" | "beheld" => {
                let says = argument(operation, call, 0)?;
                note(says.clone());
                if says == "( [] [])" {
                    return Err(missing());
                }
                let back = operation.layout.request_words();
                return put(call, back, |area| area.bytes.extend(says.bytes()));
            }
            "file_all" => {
                note(argument(operation, call, 0)?);
                call.words[1] = call.areas.list[Ref(call.words[0]).area()].words.len() as u64 / 3;
                return Ok(());
            }
            "unlink" => {
                let bytes = |word: u64| call.areas.bytes(word, 1 << 20).unwrap_or_default().to_vec();
                let row =
                    Type::List { of: std::boxed::Box::new(Type::Int { bits: 64, signed: true }), max: 3 };
                let says = shown(&row, &mut &call.words[1..2], &bytes)?;
                let object = call.portal(call.words[0], "desk", "Box")?.object().clone();
                let of = object.service().downcast_ref::<Box>().map_or("?", |found| &found.name).to_owned();
                note(format!("{of} {says}"));
                return put(call, 2, |area| area.bytes.extend(format!("{of}{says}").bytes()));
            }
            "linked" => {
                let label = text(call, 0, 10)?;
                note(String::from_utf8_lossy(&label).into_owned());
                call.words[1] = call.make(self.0.made(&label));
                row(0..label.len().min(3) as i64).give(call, 2)?;
                return give_list(
                    call,
                    3,
                    &label.iter().take(3).map(|n| V::N((*n).into())).collect::<Vec<_>>(),
                );
            }
            "refile" => {
                let says = argument(operation, call, 0)?;
                note(says.clone());
                let back = match says.as_str() {
                    _ if says.ends_with("[])") => return Err(missing()),
                    _ if says.contains("[] ") => no_folder(11),
                    _ => V::R(vec![t("back"), V::L(vec![t("old"), t("new")]), row([9, 8])]),
                };
                return back.give(call, 0).map(|_| ());
            }
            "turn_rows" => {
                let says = argument(operation, call, 0)?;
                note(says.clone());
                let rows = says.trim_matches(['[', ']']).split("] [").map(|numbers| {
                    row(numbers.split(' ').filter_map(|n| n.parse().ok()).collect::<Vec<_>>())
                });
                let mut rows: Vec<V> = if says == "[]" { vec![] } else { rows.collect() };
                rows.reverse();
                call.areas.list[Ref(call.words[0]).area()].clear();
                return give_list(call, 0, &rows);
            }
            "drawer" => {
                let after = text(call, 0, 10)?;
                note(format!("after {:?}", String::from_utf8_lossy(&after)));
                let first = after.last().map_or(0, |last| i64::from(last - b'a') + 1);
                call.words[2] = u64::from(first >= 2);
                return give_list(call, 1, &[folder(first), folder(first + 1)]);
            }
            "rack" => {
                self.0.note(name.to_owned());
                return row([7, 8]).give(call, 0).map(|_| ());
            }
            _ => note(n.to_string()),
        }
        match name {
            "folder" if n < 0 => return Err(missing()),
            "folder" if n > 10 => no_folder(n).give(call, 1)?,
            "folder" => folder(n).give(call, 1)?,
            "folders" => {
                let mut all: Vec<V> = (1..=n.min(3)).map(folder).collect();
                if n == 9 {
                    all[2] = no_folder(18);
                }
                return give_list(call, 1, &all);
            }
            "rows" => {
                let mut all: Vec<V> = (0..n.min(3)).map(row_of).collect();
                if n == 9 {
                    all[1] = row_of(4);
                }
                return give_list(call, 1, &all);
            }
            "cabinet" => {
                let folders = if n == 9 { vec![no_folder(15)] } else { (1..=n).map(folder).collect() };
                let grid = V::L((0..n.min(3)).map(row_of).collect());
                V::R(vec![V::L(folders), row([1]), row([2, 3]), grid, V::N(2)]).give(call, 1)?
            }
            _ => {
                let none = || V::T(vec![]);
                let arm = match n {
                    1 => vec![V::L(vec![row_of(1), row_of(0), row_of(2)]), none(), none()],
                    2 => vec![folder(2)],
                    3 => vec![V::L(vec![folder(1), folder(2)]), none(), none()],
                    4 => vec![row([4]), row([5, 6]), none()],
                    _ => vec![V::L(vec![row([1, 2, 3, 4])]), none(), none()],
                };
                V::R([vec![V::N(if n == 9 { 1 } else { n })], arm].concat()).give(call, 1)?
            }
        };
        Ok(())
    }
}
