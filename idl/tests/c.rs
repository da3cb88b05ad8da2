//! The C back end: what it generates, that compilers take it without a warning, and that it does what it says.
//!
//! `c/board.h` is what becomes of `examples/c/board.idl`; `BLESS=1` writes it anew. `c/round_trip.c` calls a server through
//! its client's stubs in one process. All is done with gcc and with clang; one that is not installed is named as skipped.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use carnet_idl::descriptor::Module;
use carnet_idl::{C_RUNTIME, compile_str, generate_c};

/// All of the language.
const WHOLE: &str = "idl/tests/cases/modules/whole.idl";

/// Compilers of C and C++.
const COMPILERS: [(&str, &str); 2] = [("gcc", "g++"), ("clang", "clang++")];

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wconversion", "-Werror"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn module(path: &str) -> Module {
    let text = fs::read_to_string(root().join(path)).expect("an interface file");
    compile_str(path, &text).expect("no faults")
}

fn stubs(path: &str) -> (String, String) {
    let module = module(path);
    let text = generate_c(&module);
    (format!("{}.h", module.name), text)
}

/// A folder of its own with the stubs of some interfaces and the headers that they include.
fn folder(name: &str, interfaces: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in C_RUNTIME {
        fs::write(folder.join(file), text).expect("a header");
    }
    for path in interfaces {
        let (file, text) = stubs(path);
        fs::write(folder.join(file), text).expect("stubs");
    }
    folder
}

/// Whether a compiler is there; says that it is not.
fn has(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no {compiler}");
    }
    found
}

/// The compilers of C that are there.
fn compilers() -> impl Iterator<Item = &'static str> {
    COMPILERS.into_iter().map(|(c, _)| c).filter(|compiler| has(compiler))
}

/// Compiles sources in a folder, with faults that C programs do not notice by themselves ending them. clang's checks of
/// addresses need a library that may not be there; gcc's come with it.
fn sanitized(compiler: &str, folder: &Path, sources: &[&str]) -> Command {
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(["-std=c11", "-g", "-O1", "-I."]).args(WARNINGS);
    command.args(match compiler {
        "clang" => ["-fsanitize=undefined", "-fsanitize-trap=undefined"],
        _ => ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    });
    for path in sources.iter().chain(&["idl/tests/c/check.h"]) {
        // Beside the stubs, since the expected text of some of them lies beside the source.
        let file = Path::new(path).file_name().expect("a name");
        fs::copy(root().join(path), folder.join(file)).expect("a source file");
    }
    for path in sources {
        command.arg(Path::new(path).file_name().expect("a name"));
    }
    command
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

#[test]
fn the_stubs_are_the_expected_ones() {
    let (_, found) = stubs("examples/c/board.idl");
    let path = root().join("idl/tests/c/board.h");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("to bless stubs");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{}: BLESS=1 takes the left for right", path.display());
}

#[test]
fn compilers_take_the_stubs_without_a_warning() {
    let interfaces = ["examples/c/board.idl", "services/files/files.idl", "bench/stubs/pfs.idl", WHOLE];
    let folder = folder("warnings", &interfaces);
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#define CARNET_SERVER\n#include \"board.h\"\n\
                #include \"files.h\"\n#include \"pfs.h\"\n#include \"whole.h\"\n#include \"carnet_server.h\"\n";
    for file in ["all.c", "all.cc"] {
        fs::write(folder.join(file), text).expect("a source file");
    }
    let forms = ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"];
    for (c, cpp) in COMPILERS {
        for (compiler, standard, file) in [(c, "-std=c11", "all.c"), (cpp, "-std=c++17", "all.cc")] {
            if !has(compiler) {
                continue;
            }
            for (level, form) in ["-O0", "-O2"].into_iter().flat_map(|level| forms.map(|form| (level, form)))
            {
                let mut command = Command::new(compiler);
                command.current_dir(&folder).args([standard, level, form]).args(WARNINGS);
                run(command.args(["-c", file, "-o", "all.o"]));
            }
        }
    }
}

#[test]
fn a_queue_believes_nothing_that_the_other_side_says() {
    for compiler in compilers() {
        let folder = folder("queue", &[]);
        run(sanitized(compiler, &folder, &["idl/tests/c/queue.c"]).args(["-o", "queue"]));
        run(&mut Command::new(folder.join("queue")));
    }
}

#[test]
fn clients_that_say_nothing_are_hung_up_on() {
    let folder = folder("idle", &["examples/c/board.idl"]);
    for compiler in compilers() {
        run(sanitized(compiler, &folder, &["idl/tests/c/idle.c", "examples/c/board.c"]).args(["-o", "idle"]));
        run(Command::new("./idle").current_dir(&folder).arg("idle.sock"));
    }
}

#[test]
fn calls_in_one_process_give_what_they_should() {
    let sources = ["idl/tests/c/round_trip.c", "examples/c/board.c"];
    let folder = folder("round_trip", &["examples/c/board.idl", "idl/tests/c/kinds.idl"]);
    for compiler in compilers() {
        for form in ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"] {
            run(sanitized(compiler, &folder, &sources).args([form, "-o", "round_trip"]));
            run(&mut Command::new(folder.join("round_trip")));
            run(Command::new(folder.join("round_trip")).arg("passing"));
        }
    }
}

#[test]
fn what_cannot_be_handed_out_is_let_go_of() {
    let folder = folder("hands", &["idl/tests/c/hands.idl"]);
    for compiler in compilers() {
        for form in ["-DCARNET_REGISTERS=1", "-DCARNET_COPY"] {
            run(sanitized(compiler, &folder, &["idl/tests/c/hands.c"]).args([form, "-o", "hands"]));
            run(&mut Command::new(folder.join("hands")));
        }
    }
}

#[test]
fn nobody_listens_where_somebody_does() {
    let folder = folder("listen", &["examples/c/board.idl"]);
    for compiler in compilers() {
        run(sanitized(compiler, &folder, &["idl/tests/c/listen.c", "examples/c/board.c"])
            .args(["-o", "listen"]));
        run(Command::new("./listen").current_dir(&folder).arg("listen.sock"));
    }
}
