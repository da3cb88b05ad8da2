//! One call as a program, so that it can wait as programs do. Its result is nobody's: what it did is told.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::sync::Arc;

use carnet_idl::descriptor::{Interface, Mode, Module, Operation, Type};
use carnet_program::float::Precision;

use crate::describe::find;
use crate::exit::Problem;
use crate::source::{Source, compile_text};
use crate::value::harmless;

/// The program of a call, and its arguments: those of the call, and the object that it is made on.
///
/// # Errors
/// If no known interface has the operation, or it takes what no command line can say.
pub(super) fn of(
    name: &str,
    on: Option<&OsString>,
    given: &[OsString],
    modules: Vec<Arc<Module>>,
) -> Result<(Source, Vec<OsString>), Problem> {
    let module = known(name, &modules)?;
    let (interface, operation) = find(&module, name)?;
    let Some(operation) = operation else {
        return Err(Problem::usage(format!(
            "error: {0} is an interface\nname an operation of it, for example {0}.{1}",
            interface.name,
            interface.operations.first().map_or("", |operation| &operation.name)
        )));
    };
    let text = program(&module, interface, operation)?;
    let source = compile_text(&format!("the call of {}", harmless(name)), text, modules)?;
    let mut arguments = given.to_vec();
    match on {
        Some(on) => {
            let mut root = OsString::from(format!("{}=", target(operation)));
            root.push(on);
            arguments.push(root);
        }
        None if interface.argument.is_some() => {
            return Err(Problem::usage(format!(
                "error: on which {0}? no server is asked now, and a text names it\ngive --on TEXT, for example --on /",
                interface.name
            )));
        }
        None => {}
    }
    Ok((source, arguments))
}

/// The module that has the interface.
fn known(name: &str, modules: &[Arc<Module>]) -> Result<Arc<Module>, Problem> {
    let has = |module: &&Arc<Module>| find(module, name).is_ok();
    if let Some(module) = modules.iter().find(has) {
        return Ok(Arc::clone(module));
    }
    let interface = name.split('.').next().unwrap_or_default();
    let near =
        modules.iter().find(|module| module.interface(interface).is_some() || module.name == interface);
    match near.and_then(|module| find(module, name).err()) {
        Some(problem) => Err(problem),
        None => Err(Problem::usage(format!(
            "error: no known interface has an operation `{}`\nnames look like Dir.remove; other interfaces than the built-in \
             ones: --idl PATH",
            harmless(name)
        ))),
    }
}

/// What the parameter is called that has the object: no parameter of the operation is.
fn target(operation: &Operation) -> String {
    let mut name = "root".to_owned();
    while operation.params.iter().any(|param| param.name == name) {
        name.push('_');
    }
    name
}

fn program(module: &Module, interface: &Interface, operation: &Operation) -> Result<String, Problem> {
    let cannot = |what: &str| {
        Problem::usage(format!(
            "error: {}.{} cannot be deferred as a call: {what}\nwrite a program, and defer that",
            interface.name, operation.name
        ))
    };
    if let Some(why) = module.not_in_programs(operation) {
        return Err(cannot(&why));
    }
    if operation.paged.is_some() {
        return Err(cannot("its answer comes in pages, which nobody would get"));
    }
    let inputs = || operation.params.iter().filter(|param| matches!(param.mode, Mode::In | Mode::InOut));
    let root = target(operation);
    let mut text = format!("use {}\nprogram {}({root}: {0}.{}", module.name, operation.name, interface.name);
    for param in inputs() {
        let ty = match &param.ty {
            Type::Bool => "bool".to_owned(),
            Type::Char | Type::Int { .. } => "int".to_owned(),
            Type::Enum(id) => format!("{}.{}", module.name, module.enums[id.index()].name),
            Type::String { max } => format!("string({max})"),
            Type::Bytes { max } => format!("bytes({max})"),
            Type::Float { bits } => Precision::of_bits(*bits).name().to_owned(),
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::List { .. } | Type::Portal(_) => {
                return Err(cannot(&format!("`{}` cannot be written on a command line", param.name)));
            }
        };
        // Writing to a text cannot fail.
        let _ = write!(text, ", {}: {ty}", param.name);
    }
    let names: Vec<String> = inputs().map(|param| format!("{0}: {0}", param.name)).collect();
    let gives = operation.result.is_some() || operation.params.iter().any(|param| param.mode != Mode::In);
    let answer = if gives { "let answer = " } else { "" };
    let _ = writeln!(text, ") {{ {answer}{root}.{}({}) }}", operation.name, names.join(", "));
    Ok(text)
}
