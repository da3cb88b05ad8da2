//! Listings of bytecode, as `carnet debug disasm` shows them: of the copy loop of the paper's Figure 6, and of the copy program that ships,
//! which is that loop with two openings and two closings.
//!
//! `BLESS=1 cargo test -p carnet-program --test listings` writes `golden/*.listing` anew; review the diff.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_program::compile::compile_named;
use carnet_program::disasm::{Names, code, disasm};
use carnet_program::source::parse;
use carnet_program::verify::{Registry, load};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository").to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
}

/// The figure's program over descriptors that are open: `carnet debug disasm` of this text.
const FIGURE_6: &str = "use linux
program copy(system: System, from: int, to: int) {
  while true limit 1_024 {
    let data = system.read(from, 64KiB)
    if data.len == 0 { break }
    system.write(to, data)
  }
}
";

/// A program's listing, which is what it was before, and the text of each instruction.
fn listed(name: &str, text: &str) -> Vec<String> {
    let idl = read("services/linux/linux.idl");
    let module: &'static Module =
        Box::leak(Box::new(carnet_idl::compile_str("linux.idl", &idl).expect("the interface compiles")));
    let modules = [Arc::new(module.clone())];
    let tree = parse(text, &modules).expect("the program is good");
    let (program, found) = compile_named(&tree).expect("it compiles");
    let bytes = program.encode();
    let loaded = load(&bytes, &Registry::new(&[module])).expect("it is verified");
    let names = Names { text, modules: &modules, registers: &found.registers, loops: &loaded.loops };
    let listing = disasm(&bytes, &names).expect("it is a program");
    let path = root().join(format!("program/tests/golden/{name}.listing"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &listing).expect("the golden text is written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden text is there");
    assert_eq!(listing, golden, "{}: BLESS=1 takes the left for right", path.display());
    code(&bytes, &names).expect("it is a program").into_iter().map(|listed| listed.text).collect()
}

/// The operations that are called, in order.
fn called(code: &[String]) -> Vec<&str> {
    let of_call = |text: &'_ String| {
        let from = text.find("System.").filter(|_| text.starts_with("call"))?;
        Some((from + "System.".len(), from + text[from..].find(' ')?))
    };
    code.iter().filter_map(|text| of_call(text).map(|(from, to)| &text[from..to])).collect()
}

#[test]
fn the_loop_of_figure_6() {
    let code = listed("figure_6", FIGURE_6);
    assert_eq!((code.len(), called(&code)), (13, vec!["read", "write"]));
}

#[test]
fn the_copy_program_that_ships() {
    let code = listed("file_copy", &read("programs/file_copy.carnet"));
    // Those of the figure, between two that open and two that close.
    let wanted = vec!["open", "open_write", "read", "write", "close", "close"];
    assert_eq!((code.len(), called(&code)), (34, wanted));
}
