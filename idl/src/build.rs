//! For build scripts: an interface file in, `$OUT_DIR/<module>.rs` out.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use crate::sources::Sources;

/// Compiles the interface file at `idl_path` for a build script, which includes the result by
/// `include!(concat!(env!("OUT_DIR"), "/<module>.rs"))`; one for each module of the file. Included files are sought beside
/// the file that includes them.
///
/// On a fault it prints what is wrong to standard error and ends the build script; nothing else of this
/// crate ends its host.
pub fn build(idl_path: &str) {
    println!("cargo:rerun-if-changed={idl_path}");
    if let Err(text) = compile_file(idl_path) {
        eprintln!("{text}");
        process::exit(1);
    }
}

fn compile_file(idl_path: &str) -> Result<(), String> {
    let sources = Sources::load(Path::new(idl_path), &[])
        .map_err(|fault| format!("cannot read {idl_path}: {fault}"))?;
    for name in sources.names().skip(1) {
        println!("cargo:rerun-if-changed={name}");
    }
    let modules = crate::compile(&sources).map_err(|faults| sources.render(&faults))?;
    let folder = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: call this from a build script")?;
    for module in modules {
        let path = PathBuf::from(&folder).join(format!("{}.rs", module.name));
        let code = crate::generate_rust(&module);
        fs::write(&path, code).map_err(|fault| format!("cannot write {}: {fault}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::compile_file;

    #[test]
    fn a_missing_file_is_named() {
        let text = compile_file("no/such.idl").expect_err("there is none");
        assert!(text.starts_with("cannot read no/such.idl: "), "{text}");
    }

    #[test]
    fn faults_are_rendered() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/faults/no_module.idl");
        let text = compile_file(path).expect_err("it has faults");
        assert!(text.starts_with("error[syntax]: expected `module NAME {`\n"), "{text}");
    }
}
