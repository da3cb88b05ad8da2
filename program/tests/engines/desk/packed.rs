//! What the desk does with unions that have lists in them, as stubs read and write these.

use carnet_portal::call::{Area, Call, Failure, Ref};
use carnet_portal::stub::{self, Check as _};

use super::{Desk, missing, put};

/// A packed list of these words, of which the texts stand first, each in place of a zero.
fn made(words: &[Vec<u64>], texts: &[&[u8]]) -> Vec<u8> {
    let mut area = Area::default();
    let mut texts = texts.iter();
    for word in words.iter().flatten() {
        let text = if *word == TEXT { texts.next() } else { None };
        let word = text.map_or(*word, |text| area.add_string(text).expect("it is short"));
        area.words.push(word);
    }
    let mut bytes = (words.len() as u64).to_le_bytes().to_vec();
    area.words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    bytes.extend_from_slice(&area.bytes);
    bytes
}

/// In place of a text.
const TEXT: u64 = 0x7e47;

/// A `Lists` of this case.
fn sample(case: i64) -> Option<Vec<u8>> {
    Some(match case {
        1 => made(&[vec![3], vec![u64::MAX]], &[]),
        2 => made(&[vec![TEXT, 5, 1], vec![TEXT, 6, 2]], &[b"a", b"bcd"]),
        3 => b"text".to_vec(),
        4 => made(&[vec![1, 200], vec![0, 2]], &[]),
        5 => made(&[vec![TEXT], vec![TEXT], vec![TEXT]], &[b"x", b"", b"yyy"]),
        6 => made(&[vec![TEXT, TEXT]], &[b"part", b"\0\xff"]),
        7 => made(&[vec![0.5_f64.to_bits()], vec![f64::NAN.to_bits()]], &[]),
        8 => made(&[vec![1], vec![0]], &[]),
        // What the interface does not have.
        10 => made(&vec![vec![1]; 5], &[]),
        11 => [made(&[vec![1]], &[]), vec![0]].concat(),
        12 => made(&vec![vec![1]; 2], &[])[..16].to_vec(),
        20 => made(&[vec![TEXT, 5, 3]], &[b"a"]),
        21 => made(&[vec![TEXT, 5, 1]], &[b"a\0b"]),
        22 => made(&[vec![TEXT, 5, 1]], &[b"longer than ten"]),
        23 => made(&[vec![Ref::new(0, 1, 1)?.0, 5, 1]], &[]),
        40 => made(&[vec![1, 300]], &[]),
        41 => made(&[vec![2, 1]], &[]),
        50 => made(&[vec![TEXT], vec![TEXT]], &[b"x", b"12345"]),
        80 => made(&[vec![2]], &[]),
        _ => return None,
    })
}

/// What a union has, by its case.
fn shown(case: i64, bytes: &[u8]) -> Result<String, Failure> {
    let texts = |area: &Area, words: &[u64]| {
        words.iter().map(|word| area.string(*word).escape_ascii().to_string()).collect::<Vec<_>>().join(":")
    };
    let list = match case {
        1 => stub::unpacked(bytes, 4, &[], |[n]: &[u64; 1], _| Ok(n.cast_signed().to_string())),
        2 => stub::unpacked(bytes, 3, &[0], |[name, size, color]: &[u64; 3], area| {
            Ok(format!("{} {size} {color}", texts(area, &[*name])))
        }),
        3 => return Ok(String::from_utf8_lossy(bytes).into_owned()),
        4 => stub::unpacked(bytes, 3, &[], |words: &[u64; 2], _| Ok(format!("{words:?}"))),
        5 => stub::unpacked(bytes, 3, &[0], |words: &[u64; 1], area| Ok(texts(area, words))),
        6 => stub::unpacked(bytes, 2, &[0, 1], |words: &[u64; 2], area| Ok(texts(area, words))),
        7 => stub::unpacked(bytes, 2, &[], |[x]: &[u64; 1], _| Ok(format!("{:?}", f64::from_bits(*x)))),
        _ => stub::unpacked(bytes, 2, &[], |[on]: &[u64; 1], _| Ok(on.to_string())),
    };
    let list: Vec<String> = list.argument("Desk", "what")?;
    Ok(format!("[{}]", list.join(", ")))
}

impl Desk {
    pub(super) fn packed(&self, name: &str, call: &mut Call<'_>) -> Result<(), Failure> {
        let n = call.words[0].cast_signed();
        match name {
            "lists" => {
                self.0.note(format!("lists {n}"));
                let bytes = sample(n).ok_or_else(missing)?;
                call.words[1] = (if n < 10 { n } else { n / 10 }).cast_unsigned();
                put(call, 2, |area| area.bytes.extend(bytes))
            }
            "listed" => {
                let says = shown(n, call.areas.bytes(call.words[1], 1 << 20)?)?;
                self.0.note(format!("listed {n} {says}"));
                if n == 3 {
                    return Err(missing());
                }
                put(call, 2, |area| area.bytes.extend_from_slice(says.as_bytes()))
            }
            "relist" => {
                let bytes = stub::take_bytes(call.areas, call.words[1], 1 << 20).argument("Desk", "what")?;
                let says = shown(n, &bytes)?;
                self.0.note(format!("relist {n} {says}"));
                if says == "[]" {
                    return Err(missing());
                }
                let bytes = match n {
                    1 => {
                        let words = |[n]: &[u64; 1], _: &Area| Ok(vec![*n]);
                        let mut words = stub::unpacked(&bytes, 4, &[], words).argument("Desk", "what")?;
                        words.reverse();
                        made(&words, &[])
                    }
                    _ => bytes,
                };
                put(call, 1, |area| area.bytes.extend(bytes))
            }
            "many" => {
                self.0.note(format!("many {n}"));
                put(call, 1, |area| {
                    for case in [1, 5, n] {
                        let bytes = sample(case).unwrap_or_default();
                        let word = area.add_string(&bytes).unwrap_or_default();
                        let case = if case < 10 { case } else { case / 10 };
                        area.words.extend([case.cast_unsigned(), word]);
                    }
                })
            }
            _ => {
                let area = &call.areas.list[Ref(call.words[0]).area()];
                let all =
                    area.words.chunks(2).map(|words| shown(words[0].cast_signed(), area.string(words[1])));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                self.0.note(format!("keep_many {}", all.join(" ")));
                call.words[1] = all.len() as u64;
                Ok(())
            }
        }
    }
}
