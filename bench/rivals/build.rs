//! Builds the rivals that are written in C: programs of their own, started by path.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=c");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let null = ["main.c", "loop.c", "null.c"];
    compile(&out.join("c-rival"), &null, &[]);
    let lua = lua_src::Build::new().opt_level("2").build(lua_src::Version::Lua54);
    let library = library(lua.lib_dir());
    let include = format!("-I{}", lua.include_dir().display());
    compile(&out.join("lua-rival"), &["lua.c", "null.c"], &[&include, &library, "-lm", "-ldl"]);
    println!("cargo:rustc-env=C_RIVAL={}", out.join("c-rival").display());
    println!("cargo:rustc-env=LUA_RIVAL={}", out.join("lua-rival").display());
}

fn library(folder: &Path) -> String {
    let mut files = fs::read_dir(folder).expect("lua was built").filter_map(Result::ok).map(|file| file.path());
    let found = files.find(|path| path.extension().is_some_and(|end| end == "a"));
    found.expect("lua is a library").display().to_string()
}

fn compile(to: &Path, sources: &[&str], more: &[&str]) {
    let sources = sources.iter().map(|name| format!("c/{name}"));
    let done =
        Command::new("gcc").args(["-O2", "-Wall", "-Wextra", "-o"]).arg(to).args(sources).args(more).status();
    assert!(done.is_ok_and(|status| status.success()), "gcc could not build {}", to.display());
}
