//! Random source texts: interface files and programs, nearly valid.

use std::sync::{Arc, LazyLock};

use carnet_idl::descriptor::Module;

use crate::entropy::Entropy;

const INTERFACES: &str = include_str!("probe.idl");

/// Pieces that both languages are made of.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "\"",
    "\\",
    "<",
    ">",
    "@",
    "=",
    "..",
    "-",
    "1",
    "99999999999999999999",
    "in ",
    "out ",
    "interface ",
    "struct ",
    "sequence<",
    "string<",
    "program ",
    "let ",
    "for ",
    "try ",
    "else ",
    "limit ",
    "return ",
    "use probe\n",
    "list(",
    "a.b",
    "\u{e9}",
    "\0",
    "/*",
    "#",
    "\n",
    "1MiB",
    "0x",
    "raises (",
];

/// A program that uses much of the language.
const PROGRAM: &str = "use probe

record Found { name: string, size: int, at: int = 3 }

const MOST = 20

fn total(leaf: Leaf, by: int) -> int {
  var sum = 0
  for i in 0..by limit 10 {
    sum = try leaf.label(\"x\").len + i else { return -1 }
    if sum > 100 && !leaf.has(Color.red, true) { break }
  }
  return sum
}

program walk(root: Root, name: string = \"a\\xffb\", most: int = 1KiB) -> list(Found, 50)
  at most 100 calls, 1MiB written
{
  var found: list(Found, 50)
  let near = Point(x: 1, y: 2)
  for k, e in root.list(name, near) limit MOST {
    let leaf = root.open(e.name + \"/\" + name)
    found.add(Found(name: e.name, size: total(leaf, most) + k))
    if e.color == Color.green || e.name.ends_with(\"x\") { continue }
    let n = try leaf.write(e.tag) else { fail error.message }
    while n > most limit 3 { found[0].size -= 1 }
  }
  sort found by name, size
  return found
}
";

/// A text made of one of the examples by changes, or of pieces alone.
fn text(example: &str, entropy: &mut Entropy<'_>) -> String {
    let mut text = if entropy.one_in(5) { String::new() } else { example.to_owned() };
    for _ in 0..entropy.below(3) * entropy.below(5) + 1 {
        if entropy.one_in(2) {
            exchange(&mut text, entropy);
        } else {
            change(&mut text, entropy);
        }
    }
    text
}

fn place(text: &str, entropy: &mut Entropy<'_>) -> usize {
    let mut at = entropy.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn change(text: &mut String, entropy: &mut Entropy<'_>) {
    let (a, b) = (place(text, entropy), place(text, entropy));
    let (from, to) = (a.min(b), a.max(b));
    match entropy.below(8) {
        0 => text.truncate(a),
        1 => text.replace_range(from..to, ""),
        2 if to - from < 400 => {
            let piece = text[from..to].to_owned();
            text.insert_str(a, &piece);
        }
        3 => {
            let piece = entropy.pick(&PIECES).repeat(1 + entropy.below(300));
            text.insert_str(a, &piece);
        }
        _ => text.insert_str(a, entropy.pick::<&str>(&PIECES)),
    }
}

/// A change that may well be valid: one word becomes another of the text, or a digit another digit.
fn exchange(text: &mut String, entropy: &mut Entropy<'_>) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<(usize, &str)> = text
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
        .collect();
    if words.is_empty() {
        return;
    }
    let (at, old) = *entropy.pick(&words);
    let new = match old.parse::<i64>() {
        Ok(_) => entropy.int().unsigned_abs().to_string(),
        Err(_) => entropy.pick(&words).1.to_owned(),
    };
    let range = at..at + old.len();
    text.replace_range(range, &new);
}

/// Compiles a random interface file.
///
/// # Panics
/// If the compiler does, or accepts a file that the descriptor's own check refuses.
pub fn check_interfaces(entropy: &mut Entropy<'_>) -> bool {
    let text = text(INTERFACES, entropy);
    check_interface_text(&text)
}

/// Compiles an interface file; whether it is one.
///
/// # Panics
/// If the compiler does, rejects without a fault, or makes a descriptor that does not survive its encoding.
pub fn check_interface_text(text: &str) -> bool {
    crate::steps::add(text.len() as u64 / 64);
    match carnet_idl::compile_str("fuzz.idl", text) {
        Ok(module) => {
            let bytes = carnet_idl::encode(&module);
            let again = carnet_idl::decode(&bytes);
            assert_eq!(again.as_ref(), Ok(&module), "a descriptor does not survive its encoding");
            let _code = carnet_idl::generate_rust(&module);
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "rejected without a fault");
            let _shown = carnet_idl::diagnostic::render("fuzz.idl", text, &faults);
            false
        }
    }
}

/// Parses a random program.
///
/// # Panics
/// As [`check_program_text`].
pub fn check_programs(entropy: &mut Entropy<'_>) -> bool {
    let text = text(PROGRAM, entropy);
    check_program_text(&text, entropy)
}

/// Parses a program; what parses must compile, pass the verifier, and run the same on both engines. Whether it
/// parsed.
///
/// # Panics
/// If a promise is broken.
pub fn check_program_text(text: &str, entropy: &mut Entropy<'_>) -> bool {
    crate::steps::add(text.len() as u64 / 64);
    static MODULES: LazyLock<Vec<Arc<Module>>> =
        LazyLock::new(|| vec![Arc::new(crate::probe::module().clone())]);
    match carnet_program::source::parse(text, &MODULES) {
        Ok(tree) => {
            crate::engines::check_tree(&tree, entropy);
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "rejected without a fault");
            let _shown = carnet_idl::diagnostic::render("fuzz.carnet", text, &faults);
            false
        }
    }
}

/// The interface file of the probe, as it stands.
#[must_use]
pub fn interface_example() -> &'static str {
    INTERFACES
}

/// The example program, as it stands.
#[must_use]
pub fn example() -> &'static str {
    PROGRAM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_valid() {
        assert!(check_interface_text(INTERFACES));
        let modules = vec![Arc::new(crate::probe::module().clone())];
        let parsed = carnet_program::source::parse(PROGRAM, &modules);
        let shown = |faults: Vec<_>| carnet_idl::diagnostic::render("example", PROGRAM, &faults);
        assert_eq!(parsed.map(|_| ()).map_err(shown), Ok(()));
    }
}
