//! `carnet describe`: what a server can do, from its own descriptor.

use carnet_idl::descriptor::{Effect, Interface, Mode, Module, Operation, Type};
use carnet_idl::diagnostic::did_you_mean;
use carnet_portal::call::Failure;
use carnet_program::protocol::InstalledProgram;
use carnet_program::text::{bytes, grouped, hex, seconds, span};
use serde_json::{Value as Json, json};

use crate::args;
use crate::connect::{Connection, Described, connect};
use crate::exit::{Answer, Problem, Reply};
use crate::report::effect_name;
use crate::source::not_installed;
use crate::value::{harmless, harmless_lines};

/// Asks the server what it is.
///
/// # Errors
/// If it does not answer, or has no such interface or operation.
pub fn describe(args: &args::Describe) -> Answer {
    let connection = connect(&args.server)?;
    if let Some(name) = args.name.as_deref().and_then(|name| name.strip_prefix('@')) {
        return program(&connection, name);
    }
    let (described, description) = connection.describe()?;
    let module = described.module;
    let policy: Json = serde_json::from_slice(&description.policy).unwrap_or(Json::Null);
    let Some(name) = &args.name else {
        let mut json = module_json(&described);
        json["server"] = json!({ "name": description.server, "version": description.version });
        json["policy"] = policy.clone();
        let head = format!("server {} {}", description.server, description.version);
        let policy = policy["name"].as_str().map_or_else(String::new, |name| format!(", policy `{name}`"));
        let head = harmless(&format!("{head}{policy}"));
        let rules = rules(&json["policy"]);
        let programs = connection.client.installed().map_err(|failure| connection.query_failed(&failure))?;
        json["programs"] = programs.iter().map(|program| program.name.as_str()).collect();
        let programs = installed(&programs);
        return Ok(Reply::done(
            format!("{}, {head}\n{rules}{programs}{}", title(module), whole(&described)),
            json,
        ));
    };
    match find(module, name)? {
        (interface, None) => {
            Ok(Reply::done(interface_text(&described, interface), interface_json(module, interface)))
        }
        (interface, Some(operation)) => {
            let text = operation_text(module, &format!("{}.", interface.name), operation, Detail::All);
            Ok(Reply::done(text, operation_json(module, operation)))
        }
    }
}

/// The source of an installed program.
fn program(at: &Connection, name: &str) -> Answer {
    let failed = |failure: &Failure| at.query_failed(failure);
    if let Some(program) = at.client.installed_as(name).map_err(|failure| failed(&failure))? {
        let json =
            json!({ "exit": 0, "program": name, "hash": hex(&program.hash), "source": program.source });
        let text = harmless_lines(&program.source);
        return Ok(Reply::done(format!("{}\n", text.trim_end()), json));
    }
    let all = at.client.installed().map_err(|failure| failed(&failure))?;
    Err(not_installed(name, &all.iter().map(|program| program.name.as_str()).collect::<Vec<_>>()))
}

/// `installed: @bump, @expire`.
fn installed(programs: &[InstalledProgram]) -> String {
    if programs.is_empty() {
        return String::new();
    }
    let names: Vec<String> = programs.iter().map(|program| format!("@{}", harmless(&program.name))).collect();
    format!("installed programs: {}\n", names.join(", "))
}

/// `Dir` or `Dir.open` in a module.
///
/// # Errors
/// If there is none of that name.
pub fn find<'m>(module: &'m Module, name: &str) -> Result<(&'m Interface, Option<&'m Operation>), Problem> {
    let name = name.strip_prefix(&format!("{}.", module.name)).unwrap_or(name);
    let (first, second) = name.split_once('.').map_or((name, None), |(first, second)| (first, Some(second)));
    let Some(interface) = module.interfaces.iter().find(|interface| interface.name == first) else {
        return Err(no_interface(module, first));
    };
    let Some(second) = second else { return Ok((interface, None)) };
    match interface.operation(second) {
        Some((_, operation)) => Ok((interface, Some(operation))),
        None => {
            let of_attribute = ["_get_", "_set_"].map(|prefix| format!("{prefix}{second}"));
            let names: Vec<&str> =
                interface.operations.iter().map(|operation| operation.name.as_str()).collect();
            let calls: Vec<String> = of_attribute
                .iter()
                .filter(|name| names.contains(&name.as_str()))
                .map(|name| format!("`{}.{name}`", interface.name))
                .collect();
            if !calls.is_empty() {
                return Err(Problem::usage(format!(
                    "error: {0}.{1} is an attribute\nit is read and written by calls: {2}",
                    harmless(&interface.name),
                    harmless(second),
                    harmless(&calls.join(" and "))
                )));
            }
            Err(not_found(&format!("{} has no operation", interface.name), second, &names))
        }
    }
}

/// Whoever names no interface may have named an operation alone.
fn no_interface(module: &Module, name: &str) -> Problem {
    let what = format!("{} has no interface", module.name);
    let owners = module.interfaces.iter().filter(|interface| interface.operation(name).is_some());
    let whole: Vec<String> = owners.map(|owner| format!("`{}.{name}`", owner.name)).collect();
    if !whole.is_empty() {
        let hint = format!("did you mean {}?", whole.join(" or "));
        return Problem::usage(format!(
            "error: {} `{}`\n{}",
            harmless(&what),
            harmless(name),
            harmless(&hint)
        ));
    }
    let names: Vec<&str> = module.interfaces.iter().map(|interface| interface.name.as_str()).collect();
    not_found(&what, name, &names)
}

fn not_found(what: &str, name: &str, names: &[&str]) -> Problem {
    let hint = did_you_mean(name, names.iter().copied())
        .map_or_else(|| format!("it has {}", names.join(", ")), |meant| format!("did you mean `{meant}`?"));
    Problem::usage(format!("error: {} `{}`\n{}", harmless(what), harmless(name), harmless(&hint)))
}

/// What the policy lets programs do, in three lines; nothing if it is not one that we know.
fn rules(policy: &Json) -> String {
    let of = |section: &str| {
        let amounts = [
            ("calls", grouped as fn(u64) -> String, " calls"),
            ("writes", grouped, " writes"),
            ("written", bytes, " written"),
            ("instructions", grouped, " instructions"),
            ("returned", bytes, " returned"),
            ("memory", bytes, " of memory"),
            ("time_ns", seconds, ""),
        ];
        let known =
            amounts.iter().filter_map(|(key, show, unit)| Some((policy[section][key].as_u64()?, show, unit)));
        known.map(|(amount, show, unit)| format!("{}{unit}", show(amount))).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    let limits = of("limits");
    if !limits.is_empty() {
        text.push_str(&format!("a run is stopped at {limits}\n"));
    }
    let (allowed, period_s) = (of("allowance"), policy["allowance"]["period_s"].as_u64());
    if let Some(period_s) = period_s.filter(|_| !allowed.is_empty()) {
        text.push_str(&format!("your allowance for {} is {allowed}\n", span(period_s)));
    }
    let mut rules = Vec::new();
    let accepted = of("accept");
    if !accepted.is_empty() {
        rules.push(format!("bills of at most {accepted}"));
    }
    if policy["loops"]["defaults"] == "refuse" {
        rules.push("a limit on every loop".to_owned());
    }
    if policy["programs"]["only_installed"] == true {
        rules.push("installed programs only".to_owned());
    }
    if policy["writes"]["confirm"] == true {
        rules.push("an approval of programs that may write and no other writing calls".to_owned());
    }
    let also: Vec<String> = policy["also"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(harmless))
        .collect();
    if !also.is_empty() {
        text.push_str(&format!("programs can use {} as well\n", also.join(", ")));
    }
    if !rules.is_empty() {
        text.push_str(&format!("it wants {}\n", rules.join(", ")));
    }
    text
}

fn title(module: &Module) -> String {
    harmless(format!("{} {}", module.name, module.version).trim_end())
}

fn whole(described: &Described) -> String {
    let module = described.module;
    let mut text = doc(&module.doc, "");
    let root = module.interfaces.get(described.root.index());
    let others =
        module.interfaces.iter().filter(|interface| Some(&interface.name) != root.map(|root| &root.name));
    for interface in root.into_iter().chain(others) {
        text.push('\n');
        text.push_str(&interface_text(described, interface));
    }
    text.push('\n');
    for named in &module.enums {
        text.push_str(&format!("enum {} {{ {} }}\n", named.name, named.values.join(", ")));
    }
    for record in &module.structs {
        let fields = record.fields.iter().map(|field| format!("{}: {}", field.name, ty(module, &field.ty)));
        text.push_str(&format!("record {} {{ {} }}\n", record.name, fields.collect::<Vec<_>>().join(", ")));
    }
    text
}

fn interface_text(described: &Described, interface: &Interface) -> String {
    let module = described.module;
    let is_root =
        module.interfaces.get(described.root.index()).is_some_and(|root| root.name == interface.name);
    let mut text = format!("{}{}\n", interface.name, if is_root { "  (the server's root)" } else { "" });
    text.push_str(&doc(&interface.doc, "  "));
    for operation in &interface.operations {
        text.push_str(&operation_text(module, "", operation, Detail::Short));
    }
    text
}

/// How much is shown of an operation.
#[derive(Clone, Copy, PartialEq)]
enum Detail {
    Short,
    All,
}

fn operation_text(module: &Module, prefix: &str, operation: &Operation, detail: Detail) -> String {
    let effect = if operation.effect == Effect::Writes { 'W' } else { 'R' };
    let signature = signature(module, operation);
    let mut text = format!("  {effect} {prefix}{}{signature}{}\n", operation.name, marks(operation));
    text.push_str(&doc(&operation.doc, "      "));
    if detail == Detail::All {
        for id in &operation.raises {
            let exception = &module.exceptions[id.index()];
            let members = match exception.plain() {
                Some((kind, _)) => module.enums[kind.index()].values.join(", "),
                None => {
                    let members = exception.members.iter();
                    let members =
                        members.map(|member| format!("{}: {}", member.name, ty(module, &member.ty)));
                    members.collect::<Vec<_>>().join(", ")
                }
            };
            text.push_str(&format!("      fails with {}: {members}\n", exception.name));
        }
    }
    text
}

fn signature(module: &Module, operation: &Operation) -> String {
    let of = |modes: &[Mode]| {
        let params = operation.params.iter().filter(|param| modes.contains(&param.mode));
        params.map(|param| format!("{}: {}", param.name, ty(module, &param.ty))).collect::<Vec<_>>()
    };
    let mut back: Vec<String> = operation.result.iter().map(|result| ty(module, result)).collect();
    back.extend(of(&[Mode::InOut, Mode::Out]));
    let back = if back.is_empty() { String::new() } else { format!(" -> {}", back.join(", ")) };
    format!("({}){back}", of(&[Mode::In, Mode::InOut]).join(", "))
}

/// `[idempotent, paged]`
fn marks(operation: &Operation) -> String {
    let marks = [
        (operation.idempotent && operation.effect == Effect::Writes, "idempotent"),
        (operation.once, "once"),
        (operation.paged.is_some(), "paged"),
        (operation.blocks, "may wait"),
        (
            operation.cost_param().is_some_and(|param| matches!(param.ty, Type::Int { .. })),
            "at most 1 MiB of work",
        ),
    ];
    let set: Vec<&str> = marks.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
    if set.is_empty() { String::new() } else { format!("  [{}]", set.join(", ")) }
}

fn doc(text: &str, indent: &str) -> String {
    let text = harmless_lines(text);
    text.lines().filter(|line| !line.is_empty()).map(|line| format!("{indent}{line}\n")).collect()
}

/// A type as programs write it.
#[must_use]
pub fn ty(module: &Module, of: &Type) -> String {
    match of {
        Type::Bool => "bool".to_owned(),
        Type::Char => "char".to_owned(),
        Type::Float { bits: 32 } => "float".to_owned(),
        Type::Float { .. } => "double".to_owned(),
        Type::Union(id) => module.unions[id.index()].name.clone(),
        Type::Array { of, len } => format!("array({}, {len})", ty(module, of)),
        Type::Int { .. } => "int".to_owned(),
        Type::Enum(id) => module.enums[id.index()].name.clone(),
        Type::String { max } => format!("string({max})"),
        Type::Bytes { max } => format!("bytes({max})"),
        Type::Struct(id) => module.structs[id.index()].name.clone(),
        Type::List { of, max } => format!("list({}, {max})", ty(module, of)),
        Type::Portal(id) => module.interfaces[id.index()].name.clone(),
    }
}

fn module_json(described: &Described) -> Json {
    let module = described.module;
    let interfaces = module.interfaces.iter().map(|interface| interface_json(module, interface));
    let fields = |record: &carnet_idl::descriptor::Struct| {
        let fields = record.fields.iter();
        fields.map(|field| json!({ "name": field.name, "type": ty(module, &field.ty) })).collect::<Json>()
    };
    json!({
        "exit": 0,
        "module": module.name, "version": module.version, "doc": module.doc,
        "root": module.interfaces.get(described.root.index()).map(|root| root.name.clone()),
        "interfaces": interfaces.collect::<Json>(),
        "enums": module.enums.iter().map(|e| json!({ "name": e.name, "values": e.values })).collect::<Json>(),
        "records": module.structs.iter().map(|s| json!({ "name": s.name, "fields": fields(s) })).collect::<Json>(),
    })
}

fn interface_json(module: &Module, interface: &Interface) -> Json {
    let operations = interface.operations.iter().map(|operation| operation_json(module, operation));
    json!({
        "name": interface.name, "doc": interface.doc, "hash": format!("{:016x}", interface.hash.0),
        "operations": operations.collect::<Json>(),
    })
}

fn operation_json(module: &Module, operation: &Operation) -> Json {
    let params = operation.params.iter().map(|param| {
        let mode = match param.mode {
            Mode::In => "in",
            Mode::InOut => "inout",
            Mode::Out => "out",
        };
        json!({ "name": param.name, "mode": mode, "type": ty(module, &param.ty) })
    });
    json!({
        "name": operation.name, "doc": operation.doc, "hash": format!("{:016x}", operation.hash.0),
        "effect": effect_name(operation.effect), "idempotent": operation.idempotent, "once": operation.once,
        "paged": operation.paged.is_some(), "blocks": operation.blocks,
        "params": params.collect::<Json>(), "result": operation.result.as_ref().map(|result| ty(module, result)),
        "raises": operation.raises.first().map(|id| module.exceptions[id.index()].name.clone()),
        "raises_all": operation.raises.iter().map(|id| module.exceptions[id.index()].name.clone()).collect::<Json>(),
        "oneway": operation.oneway,
    })
}
