//! The programs that tests and measurements in the emulator run, as bytecode.

use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::Module;
use carnet_program::bytecode::Program;

/// How many calls the program of Figure 6 makes in each measurement.
pub const CALLS: [u32; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2_000];

/// The interface of Linux calls.
#[must_use]
pub fn module() -> &'static Module {
    carnet_linux::linux::module()
}

/// Compiles a program of Linux calls.
///
/// # Errors
/// What is wrong with it, for people.
pub fn compile(name: &str, text: &str) -> Result<Program, String> {
    let modules = [Arc::new(module().clone())];
    let tree = carnet_program::source::parse(text, &modules)
        .map_err(|faults| carnet_idl::diagnostic::render(name, text, &faults))?;
    carnet_program::compile::compile(&tree).map_err(|error| format!("{name}: {error}"))
}

/// Without the places of its instructions in the source, which the kernel does not need.
fn stripped(mut program: Program) -> Vec<u8> {
    program.lines.clear();
    program.encode()
}

/// The programs of the module's own tests, by name.
///
/// # Errors
/// What is wrong with one of them.
pub fn of_tests(root: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = root.join("kernel/test/programs");
    let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut programs = Vec::new();
    for path in files.filter_map(|file| Some(file.ok()?.path())) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        programs.push((name.clone(), stripped(compile(&name, &text)?)));
    }
    // More bytes than are compared when they are sent again.
    let calls = "  n = os.getpid()\n".repeat(300);
    let text = format!("use linux\nprogram long(os: System) -> int {{\n  var n = 0\n{calls}  return n\n}}\n");
    programs.push(("long".to_owned(), stripped(compile("long", &text)?)));
    // And some of which a machine has no room for many.
    programs.push(("huge".to_owned(), stripped(compile("huge", &text.replace(&calls, &calls.repeat(20)))?)));
    programs.sort();
    Ok(programs)
}

/// The programs of the measurements: nothing, and the copy program of Figure 6, which ends after so many calls.
///
/// # Errors
/// None, as long as the language is as it is.
pub fn of_figure_7() -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut programs =
        vec![("null".to_owned(), stripped(compile("null", "use linux\nprogram nothing(os: System) { }")?))];
    for calls in CALLS {
        let text = format!(
            "use linux
program copy(os: System, source: int, to: int, n: int)
  at most {calls} calls
{{
  while true limit 1_000_000 {{
    let data = os.read(source, n)
    if data.len == 0 {{ return }}
    os.write(to, data)
  }}
}}
"
        );
        programs.push((format!("copy{calls}"), stripped(compile("copy", &text)?)));
    }
    Ok(programs)
}
