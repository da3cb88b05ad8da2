//! Program files: from a path to a tree, bytecode, and what messages need of the source. A file may have the tree itself.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use carnet_idl::descriptor::{Effect, Module};
use carnet_idl::diagnostic::{did_you_mean, render};
use carnet_idl::read_regular;
use carnet_portal::call::Failure;
use carnet_program::array::is_array;
use carnet_program::bill::Hash;
use carnet_program::compile::{Names, compile_named};
use carnet_program::import::{Misdescribed, Tables};
use carnet_program::protocol::RunProgram;
use carnet_program::source::args::{Arg, args as read_arguments, is_root};
use carnet_program::source::{self, ArrayProgram, SOURCE_BYTES_MAX, decode, not_compiled, written_defaults};
use carnet_program::tree::{FILE_MAGIC, Param, Tree, VarId};

use crate::args;
use crate::connect::{Connection, address, connect};
use crate::exit::Problem;
use crate::interfaces;
use crate::value::{harmless, told};

/// Before the name of a program that ships with the command.
const SHIPPED: char = '+';
/// Files larger than this are not read: no source text is as long.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// A compiled program with its source.
#[derive(Debug)]
pub struct Source {
    /// Path of the file, for messages.
    pub shown: String,
    /// The text; empty if the file has a tree.
    pub text: String,
    /// The typed tree; of a call array one without a body.
    pub tree: Tree,
    /// The bytecode, or the call array.
    pub bytes: Vec<u8>,
    /// Names of the portal registers.
    pub registers: Vec<String>,
    /// Variables that can change, and their slots.
    pub variables: Vec<(VarId, u16)>,
    /// Interfaces that it may use.
    pub modules: Vec<Arc<Module>>,
    /// Its hash, if the server has it installed.
    pub installed: Option<Hash>,
    /// Its tree in bytes, if that is what is sent.
    pub sent: Option<Vec<u8>>,
}

/// What a program file has.
enum Read {
    Text(String),
    Tree(Box<Tree>),
}

/// A path for messages, harmless on a terminal.
#[must_use]
pub fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy())
}

/// Compiles a program file.
///
/// # Errors
/// If it cannot be read or has faults.
pub fn compile(path: &Path, modules: Vec<Arc<Module>>) -> Result<Source, Problem> {
    compile_read(&shown(path), read_program(path)?, modules)
}

/// Compiles a program file for services of these interfaces, which go before others of the same name.
///
/// # Errors
/// As [`compile`].
pub fn open_for(program: &args::Program, of: &[&Module]) -> Result<Source, Problem> {
    let mut modules = Vec::new();
    let of = of.iter().map(|module| Arc::new((*module).clone()));
    of.for_each(|module| interfaces::add(&mut modules, module));
    for known in interfaces::known(&program.interfaces)? {
        interfaces::add(&mut modules, known);
    }
    compile_read(&shown(&program.file), read_program(&program.file)?, modules)
}

/// Compiles a program file that may also use the interfaces of the server at hand; what it was asked over, if it
/// was asked.
///
/// # Errors
/// As [`compile`]; also if the server must be asked and does not answer.
pub fn open(program: &args::Program, server: &args::Server) -> Result<(Source, Option<Connection>), Problem> {
    let mut modules = interfaces::known(&program.interfaces)?;
    if let Some(name) = program.file.to_str().and_then(|file| file.strip_prefix('@')) {
        let asked = connect(server)?;
        let source = installed(name, &asked, modules)?;
        return Ok((source, Some(asked)));
    }
    let read = read_program(&program.file)?;
    let mut connection = None;
    let is_unknown = |name: &str| !modules.iter().any(|module| module.name == name);
    if read.modules().into_iter().any(is_unknown) && address(server).is_ok() {
        let asked = connect(server)?;
        let (described, _) = asked.describe()?;
        interfaces::add(&mut modules, Arc::new(described.module.clone()));
        connection = Some(asked);
    }
    let source = compile_read(&shown(&program.file), read, modules)?;
    Ok((source, connection))
}

impl Read {
    /// Names of the interface files that the program uses.
    fn modules(&self) -> Vec<&str> {
        match self {
            Read::Text(text) => used_modules(text).collect(),
            Read::Tree(tree) => tree.interfaces.iter().map(|used| used.module.as_str()).collect(),
        }
    }
}

fn compile_read(shown: &str, read: Read, modules: Vec<Arc<Module>>) -> Result<Source, Problem> {
    match read {
        Read::Text(text) => compile_text(shown, text, modules),
        Read::Tree(tree) => compile_tree(shown, *tree, modules),
    }
}

/// A tree that somebody else may have made: whether it writes is asked of it here, so it must say of its operations what their
/// interfaces say.
fn compile_tree(shown: &str, tree: Tree, modules: Vec<Arc<Module>>) -> Result<Source, Problem> {
    let rejected =
        |why: String, hint: &str| Problem::rejected(format!("error: {shown}: {}{hint}", harmless(&why)));
    let known: Vec<&Module> = modules.iter().map(|module| &**module).collect();
    Tables::adopt(&tree, &known).map_err(|error| match error {
        Misdescribed::Unknown(_) => {
            rejected(error.to_string(), "\ngive it with --idl PATH, or a server that has it")
        }
        Misdescribed::Differs(_) => {
            rejected(error.to_string(), "\nit was compiled with another version of it, or damaged")
        }
    })?;
    let (program, Names { registers, variables }) =
        compile_named(&tree).map_err(|misfit| rejected(misfit.to_string(), ""))?;
    let (bytes, text) = (program.encode(), String::new());
    let shown = shown.to_owned();
    Ok(Source { shown, text, tree, bytes, registers, variables, modules, installed: None, sent: None })
}

/// Compiles a text that stands in no file; `shown` says what it is.
///
/// # Errors
/// If it has faults.
pub(crate) fn compile_text(shown: &str, text: String, modules: Vec<Arc<Module>>) -> Result<Source, Problem> {
    let read = source::read(&text, &modules);
    let tree = match read.map_err(|faults| Problem::rejected(render(shown, &text, &faults)))? {
        source::Read::Program(tree) => tree,
        source::Read::Array(array) => return Ok(of_array(shown, text, *array, modules)),
    };
    let (program, Names { registers, variables }) = compile_named(&tree)
        .map_err(|misfit| Problem::rejected(render(shown, &text, &[not_compiled(&text, &misfit)])))?;
    let bytes = program.encode();
    Ok(Source {
        shown: shown.to_owned(),
        text,
        tree,
        bytes,
        registers,
        variables,
        modules,
        installed: None,
        sent: None,
    })
}

fn of_array(shown: &str, text: String, array: ArrayProgram, modules: Vec<Arc<Module>>) -> Source {
    let ArrayProgram { tree, array, registers } = array;
    let (shown, bytes, variables) = (shown.to_owned(), array.encode(), Vec::new());
    Source { shown, text, tree, bytes, registers, variables, modules, installed: None, sent: None }
}

/// A program that the server has installed, from its source.
fn installed(name: &str, at: &Connection, mut modules: Vec<Arc<Module>>) -> Result<Source, Problem> {
    let failed = |failure: &Failure| at.query_failed(failure);
    let Some(program) = at.client.installed_as(name).map_err(|failure| failed(&failure))? else {
        let all = at.client.installed().map_err(|failure| failed(&failure))?;
        let names: Vec<&str> = all.iter().map(|program| program.name.as_str()).collect();
        return Err(not_installed(name, &names));
    };
    let (described, _) = at.describe()?;
    interfaces::add(&mut modules, Arc::new(described.module.clone()));
    let source = compile_text(&format!("@{}", harmless(name)), program.source, modules)?;
    if carnet_program::bill::hash(&source.bytes) != program.hash {
        return Err(Problem::failed(format!(
            "error: @{} is another program when it is compiled here\nthe server is of another version, or has other interfaces",
            harmless(name)
        )));
    }
    Ok(Source { installed: Some(program.hash), ..source })
}

/// The server has no such program.
pub fn not_installed(name: &str, names: &[&str]) -> Problem {
    let hint = match did_you_mean(name, names.iter().copied()) {
        Some(meant) => format!("did you mean @{}?", told(meant)),
        None if names.is_empty() => "it has installed none; give the path of a program file".to_owned(),
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
            format!("it has {}", told(names.join(", ")))
        }
    };
    Problem::usage(format!("error: the server has no program @{}\n{hint}", harmless(name)))
}

/// The names behind the `use` words at the top of a text.
fn used_modules(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let mut words = code.flat_map(str::split_whitespace);
    std::iter::from_fn(move || if words.next()? == "use" { words.next() } else { None })
}

fn read_program(path: &Path) -> Result<Read, Problem> {
    if let Some(name) = path.to_str().and_then(|file| file.strip_prefix(SHIPPED)) {
        return shipped(name);
    }
    let bytes = read(path, "program file")?;
    if bytes.starts_with(&FILE_MAGIC) {
        let tree = Tree::of_file(&bytes).map_err(|error| {
            let hint = "compile it anew: carnet compile PROGRAM.carnet --output";
            Problem::rejected(format!("error: {0}: {error}\n{hint} {0}", shown(path)))
        })?;
        return Ok(Read::Tree(Box::new(tree)));
    }
    match decode(&bytes) {
        Ok(text) => Ok(Read::Text(text.to_owned())),
        Err(not_text) => Err(Problem::rejected(render(&shown(path), &not_text.shown, &[not_text.fault]))),
    }
}

/// A program that ships with the command.
fn shipped(name: &str) -> Result<Read, Problem> {
    let names = || carnet_programs::ALL.iter().map(carnet_programs::Shipped::name);
    let found = carnet_programs::ALL.iter().find(|program| program.name() == name);
    found.map(|program| Read::Text(program.source.to_owned())).ok_or_else(|| {
        let hint = match did_you_mean(name, names()) {
            Some(near) => format!("did you mean `{SHIPPED}{near}`?"),
            None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let name = harmless(name);
        Problem::usage(format!("error: no program `{name}` comes with this command\n{hint}"))
    })
}

/// The text of a file that is expected to be text.
///
/// # Errors
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path, what: &str) -> Result<String, Problem> {
    String::from_utf8(read(path, what)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Problem::rejected(format!(
            "error: {} is not UTF-8 text (byte {at})\nis it {}?",
            shown(path),
            one(what)
        ))
    })
}

fn read(path: &Path, what: &str) -> Result<Vec<u8>, Problem> {
    read_regular(path, FILE_BYTES_MAX)
        .map_err(|error| unread(path, what, &error, FILE_BYTES_MAX, max_of(what) as u64))
}

/// Bytes that such a file has at most.
fn max_of(what: &str) -> usize {
    if what == "interface file" { carnet_idl::limits::TEXT_MAX } else { SOURCE_BYTES_MAX }
}

/// The bytes of a file that has at most `max`.
///
/// # Errors
/// If it cannot be read.
pub fn read_bytes(path: &Path, what: &str, max: u64) -> Result<Vec<u8>, Problem> {
    read_regular(path, max).map_err(|error| unread(path, what, &error, max, max))
}

/// A file was not read; more than `read_max` bytes are not, and it may have at most `max`.
fn unread(path: &Path, what: &str, error: &std::io::Error, read_max: u64, max: u64) -> Problem {
    match error.kind() {
        ErrorKind::IsADirectory => is_directory(path, what),
        ErrorKind::FileTooLarge => Problem::usage(format!(
            "error: {} has more than {read_max} bytes; {} has at most {max}\nis it the right file?",
            shown(path),
            one(what)
        )),
        _ => cannot_read(path, what, error),
    }
}

/// `a program file`, `an interface file`, `an A`.
pub(crate) fn one(what: &str) -> String {
    let article = if what.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {what}")
}

fn cannot_read(path: &Path, what: &str, error: &std::io::Error) -> Problem {
    let name = shown(path);
    if error.kind() == std::io::ErrorKind::InvalidInput {
        return Problem::usage(format!(
            "error: cannot read the {what} {name}: {error}\nput it into a file, and give the path of that"
        ));
    }
    if error.kind() != std::io::ErrorKind::NotFound {
        return Problem::usage(format!("error: cannot read the {what} {name}: {error}"));
    }
    let hint = match similar(path, extension(what)) {
        Some(meant) => format!("did you mean {meant}?"),
        None if name.contains('=') => {
            "arguments stand behind a program file in `carnet bill` and `carnet run`; `carnet check` takes files alone"
                .to_owned()
        }
        None => format!("give the path of {}", one(what)),
    };
    Problem::usage(format!("error: there is no {what} {name}\n{hint}"))
}

/// How such files are called.
fn extension(what: &str) -> &'static str {
    match what {
        "interface file" => ".idl",
        "policy file" => ".toml",
        "class file" => ".class",
        "source file" => ".java",
        _ => ".carnet",
    }
}

/// A file in the same directory that was probably meant.
fn similar(path: &Path, extension: &str) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let names = names_beside(path, extension);
    let stem = |name: &str| name.strip_suffix(extension).unwrap_or(name).to_owned();
    let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
    let meant = did_you_mean(&stem(name), stems.iter().map(String::as_str));
    let at = stems.iter().position(|other| *other == stem(name));
    let at = at.or_else(|| stems.iter().position(|other| Some(other.as_str()) == meant));
    // The ending may be what is misspelt.
    let whole = || did_you_mean(name, names.iter().map(String::as_str));
    let at = at.or_else(|| whole().and_then(|meant| names.iter().position(|other| other == meant)))?;
    Some(shown(&path.with_file_name(&names[at])))
}

/// Names of files beside `path` that may be meant; not more than people would look through.
fn names_beside(path: &Path, extension: &str) -> Vec<String> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(extension)).take(1000).collect();
    names.sort();
    names
}

fn is_directory(path: &Path, what: &str) -> Problem {
    let inside = names_beside(&path.join("x"), extension(what));
    let hint = match inside.first() {
        Some(name) => format!("did you mean {}?", shown(&path.join(name))),
        None => format!("give the path of {}", one(what)),
    };
    Problem::usage(format!("error: {} is a directory, not {}\n{hint}", shown(path), one(what)))
}

impl Source {
    /// The values of its parameters.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn arguments(&self, given: &[std::ffi::OsString]) -> Result<Vec<Arg>, Problem> {
        let given: Vec<&[u8]> = given.iter().map(|text| text.as_encoded_bytes()).collect();
        read_arguments(&self.tree, &given).map_err(|faults| {
            let mut text = String::new();
            for fault in &faults {
                // The table below says what it takes, once for all faults.
                let fault = crate::value::harmless_lines(&fault.to_string());
                let takes = format!("\n{} takes ", self.tree.name);
                text.push_str(&format!("error: {}\n", fault.split(&takes).next().unwrap_or_default()));
            }
            text.push_str(&self.usage());
            Problem::usage(text)
        })
    }

    /// Its parameters with types and defaults.
    fn usage(&self) -> String {
        if self.tree.params.is_empty() {
            return format!("{} takes no arguments\n", self.tree.name);
        }
        let mut text = format!("{} takes:\n", self.tree.name);
        let written = written_defaults(&self.text);
        let written = written.into_iter().chain(std::iter::repeat(None));
        let params = self.tree.params.iter().zip(written).enumerate();
        let params = params.map(|(at, (param, written))| self.param(at, param, written));
        let params: Vec<(String, String)> = params.collect();
        let width = params.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, ty) in &params {
            text.push_str(&format!("  {name:width$}  {ty}\n"));
        }
        text
    }

    /// Name and type of a parameter, with its default as it is `written`.
    fn param(&self, at: usize, param: &Param, written: Option<&str>) -> (String, String) {
        let var = &self.tree.vars[param.var.index()];
        let mut ty = crate::value::type_name(&self.tree, &var.ty);
        match &param.default {
            Some(default) => {
                let shown = written
                    .map_or_else(|| crate::value::constant(&self.tree, &var.ty, default), str::to_owned);
                ty.push_str(&format!(", default {shown}"));
            }
            None if is_root(&self.tree, at) => ty.push_str(", the server's root"),
            None => ty.push_str(", needed"),
        }
        (format!("{}=…", var.name), ty)
    }

    /// Whether its text is at hand, and not its tree alone.
    #[must_use]
    pub fn is_text(&self) -> bool {
        !self.text.is_empty()
    }

    /// Has its tree sent, and not its bytecode.
    ///
    /// # Errors
    /// If it is installed: the server has it, and no tree.
    pub fn send_tree(&mut self) -> Result<(), Problem> {
        if self.installed.is_some() {
            return Err(Problem::usage(format!(
                "error: {} is installed: the server has it, and no tree is sent\nleave --tree or --engine tree out",
                self.shown
            )));
        }
        self.has_tree()?;
        self.sent = Some(self.tree.encode());
        Ok(())
    }

    /// Whether it is a call array.
    #[must_use]
    pub fn is_array(&self) -> bool {
        is_array(&self.bytes)
    }

    /// That there is a tree.
    ///
    /// # Errors
    /// If it is a call array.
    pub fn has_tree(&self) -> Result<(), Problem> {
        if !self.is_array() {
            return Ok(());
        }
        Err(Problem::usage(format!(
            "error: {} is a call array, which has no tree\nwrite it as a `program` for what needs one",
            self.shown
        )))
    }

    /// Whether its tree is sent.
    #[must_use]
    pub fn sends_tree(&self) -> bool {
        self.sent.is_some()
    }

    /// As it is sent to be run.
    #[must_use]
    pub fn program(&self) -> RunProgram<'_> {
        if let Some(tree) = &self.sent {
            return RunProgram::Tree(tree);
        }
        // A hash that the server does not have would cost a round trip more, and a command is one exchange.
        self.installed.as_ref().map_or_else(|| (&self.bytes).into(), RunProgram::Hash)
    }

    /// Whether it calls an operation that writes.
    #[must_use]
    pub fn may_write(&self) -> bool {
        self.tree.ops.iter().any(|op| op.effect == Effect::Writes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_in_use_are_found_at_the_top_of_a_text() {
        let text = "# use no\nuse files # use x\n use\n counter\nprogram use() {}";
        assert_eq!(used_modules(text).collect::<Vec<_>>(), ["files", "counter"]);
        assert_eq!(used_modules("").count(), 0);
    }

    #[test]
    fn defaults_are_those_of_the_program_whatever_the_comments_say() {
        let shown = |head: &str, default: &str| {
            let text = format!("{head}\nprogram big(a: int = 1, over: int = {default}) {{}}");
            let source = compile_text("big.carnet", text, vec![]).expect("a program");
            let problem = source.arguments(&["over=x".into()]).expect_err("no integer");
            problem.text.lines().last().expect("a line").trim().to_owned()
        };
        for (head, default, expected) in [
            ("# This program finds big files.\nrecord Big { path: string, size: int }", "10KiB", "10KiB"),
            ("# Was once: program old(root: Dir, over: int = 99KiB)", "10KiB", "10KiB"),
            ("# program {(", "-7d", "-7d"),
            ("const MAX = 5", "MAX", "5"),
            ("", "(5 # (\n)", "5"),
            ("", "4 * 4", "16"),
        ] {
            assert_eq!(shown(head, default), format!("over=…    int, default {expected}"), "{head}");
        }
    }
}
