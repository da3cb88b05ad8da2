//! Programs of `tests/c`, built against headers that are made now, by each compiler that is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use carnet_idl::descriptor::Module;

/// A program `NAME.c` of the folder and other sources of it, by each compiler, with faults that C programs do not notice by
/// themselves ending them. `whose` is whoever builds it, in whose folder nobody else does.
pub(crate) fn built(whose: &str, module: &Module, sources: &[&str], options: &[&str]) -> Vec<PathBuf> {
    let is_there = |compiler: &&str| {
        let found =
            Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            println!("skipped: there is no {compiler}");
        }
        found
    };
    let compilers = ["gcc", "clang"].into_iter().filter(is_there);
    compilers.map(|compiler| built_by(compiler, whose, module, sources, options)).collect()
}

fn built_by(compiler: &str, whose: &str, module: &Module, sources: &[&str], options: &[&str]) -> PathBuf {
    let name = sources[0];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{whose}_{name}_{compiler}"));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in carnet_idl::C_RUNTIME {
        std::fs::write(folder.join(file), text).unwrap();
    }
    std::fs::write(folder.join(format!("{}.h", module.name)), carnet_idl::generate_c(module)).unwrap();
    let mut command = Command::new(compiler);
    command.current_dir(&folder).args(["-std=c11", "-g", "-O1", "-I."]);
    command.args(["-Wall", "-Wextra", "-Wconversion", "-Werror"]);
    // clang's checks of addresses need a library that may not be there; gcc's come with it.
    command.args(match compiler {
        "clang" => ["-fsanitize=undefined", "-fsanitize-trap=undefined"],
        _ => ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    });
    for source in sources {
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{source}.c")));
    }
    let output = command.args(options).args(["-o", name]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join(name)
}
