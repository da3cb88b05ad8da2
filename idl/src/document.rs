//! Documentation: one page of Markdown for each interface, and one for the module with its types.

use std::fmt::Write as _;

use crate::descriptor::*;
use crate::markdown::{cell, code_cell, line, prose};
use crate::show;

/// A page: name of its file without the ending, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// `files` for the module, `files.Dir` for an interface.
    pub name: String,
    /// Markdown.
    pub text: String,
}

/// The pages of a module: that of the module first, then one for each of its own interfaces.
#[must_use]
pub fn document(module: &Module) -> Vec<Page> {
    let mut pages = vec![Page { name: module.name.clone(), text: overview(module) }];
    for (index, interface) in module.interfaces.iter().enumerate() {
        if is_own(&interface.name) {
            let name = file_name(module, &interface.name);
            let id = InterfaceId(u16::try_from(index).unwrap_or(u16::MAX));
            pages.push(Page { name, text: page(module, id, interface) });
        }
    }
    pages
}

fn is_own(name: &str) -> bool {
    !name.starts_with("::")
}

fn file_name(module: &Module, name: &str) -> String {
    format!("{}.{}", module.name, name.replace("::", "."))
}

// Writing to a String cannot fail, here and below.
fn overview(module: &Module) -> String {
    let version = line(&module.version.lines().collect::<Vec<_>>().join(" "));
    let mut out = format!("# {} {version}", module.name).trim_end().to_owned() + "\n\n";
    out.push_str(&prose(&module.doc));
    let own: Vec<&Interface> = module.interfaces.iter().filter(|new| is_own(&new.name)).collect();
    if !own.is_empty() {
        out.push_str("## Interfaces\n\n");
    }
    for new in &own {
        let first = line(new.doc.lines().next().unwrap_or_default());
        let item = format!("- [{}]({}.md) {first}", new.name, file_name(module, &new.name));
        let _ = writeln!(out, "{}", item.trim_end());
    }
    if !own.is_empty() {
        out.push('\n');
    }
    constants(module, &mut out);
    types(module, &mut out);
    out.trim_end().to_owned() + "\n"
}

fn constants(module: &Module, out: &mut String) {
    if module.constants.is_empty() {
        return;
    }
    out.push_str("## Constants\n\n");
    let rows = module.constants.iter().map(|new| {
        let value = code_cell(&value(module, new));
        let row = format!("| `{}` | `{}` | {value} |", new.name, show::ty(module, &new.ty));
        (row, new.doc.as_str())
    });
    table("| name | type | value |", &rows.collect::<Vec<_>>(), out);
    out.push('\n');
}

/// Rows under a head, with one more column for what is documented.
fn table(head: &str, rows: &[(String, &str)], out: &mut String) {
    let has_docs = rows.iter().any(|(_, doc)| !doc.trim().is_empty());
    let more = |text: String| if has_docs { text } else { String::new() };
    let columns = " --- |".repeat(head.matches('|').count() - 1);
    let _ = writeln!(out, "{head}{}\n|{columns}{}", more(" |".to_owned()), more(" --- |".to_owned()));
    for (row, doc) in rows {
        let _ = writeln!(out, "{row}{}", more(format!("{} |", cell(doc))));
    }
}

fn value(module: &Module, new: &Constant) -> String {
    let word = match &new.value {
        Value::Text(text) => return format!("{text:?}"),
        Value::Word(word) => *word,
    };
    match &new.ty {
        Type::Bool => if word == 1 { "TRUE" } else { "FALSE" }.to_owned(),
        Type::Char => format!("'{}'", std::ascii::escape_default(word.to_le_bytes()[0])),
        Type::Float { bits: 32 } => f32::from_bits(u32::try_from(word).unwrap_or(0)).to_string(),
        Type::Float { .. } => f64::from_bits(word).to_string(),
        Type::Enum(id) => {
            let values = &module.enums[id.index()].values;
            usize::try_from(word).ok().and_then(|at| values.get(at)).cloned().unwrap_or_default()
        }
        Type::Int { signed: false, .. } => word.to_string(),
        _ => word.cast_signed().to_string(),
    }
}

fn types(module: &Module, out: &mut String) {
    for new in module.enums.iter().filter(|new| is_own(&new.name)) {
        let _ = write!(out, "## enum {}\n\n{}", new.name, prose(&new.doc));
        let values: Vec<String> = new.values.iter().map(|value| format!("`{value}`")).collect();
        let _ = write!(out, "{}\n\n", values.join(", "));
    }
    for new in module.structs.iter().filter(|new| is_own(&new.name)) {
        let _ = write!(out, "## struct {}\n\n{}", new.name, prose(&new.doc));
        fields(module, &new.fields, out);
    }
    for new in module.unions.iter().filter(|new| is_own(&new.name)) {
        let _ = write!(out, "## union {}\n\n{}", new.name, prose(&new.doc));
        let _ = write!(
            out,
            "| if `{}` is | field | type |\n| --- | --- | --- |\n",
            show::ty(module, &new.switch)
        );
        for arm in &new.arms {
            let labels: Vec<String> =
                arm.labels.iter().map(|label| label_text(module, &new.switch, *label)).collect();
            let labels = if labels.is_empty() { "anything else".to_owned() } else { labels.join(", ") };
            let _ = writeln!(out, "| {labels} | `{}` | `{}` |", arm.name, show::ty(module, &arm.ty));
        }
        out.push('\n');
    }
    for new in module.exceptions.iter().filter(|new| is_own(&new.name)) {
        let _ = write!(out, "## exception {}\n\n{}", new.name, prose(&new.doc));
        fields(module, &new.members, out);
    }
}

fn label_text(module: &Module, switch: &Type, label: i64) -> String {
    match switch {
        Type::Enum(id) => {
            let values = &module.enums[id.index()].values;
            let value = usize::try_from(label).ok().and_then(|at| values.get(at));
            format!("`{}`", value.map_or("", String::as_str))
        }
        Type::Bool => if label == 1 { "`TRUE`" } else { "`FALSE`" }.to_owned(),
        _ => format!("`{label}`"),
    }
}

fn fields(module: &Module, fields: &[Field], out: &mut String) {
    if fields.is_empty() {
        out.push_str("It has no members.\n\n");
        return;
    }
    out.push_str("| field | type |\n| --- | --- |\n");
    for field in fields {
        let _ = writeln!(out, "| `{}` | `{}` |", field.name, show::ty(module, &field.ty));
    }
    out.push('\n');
}

fn page(module: &Module, id: InterfaceId, interface: &Interface) -> String {
    let mut out = format!("# {}.{}\n\n", module.name, interface.name.replace("::", "."));
    out.push_str(&prose(&interface.doc));
    let _ = write!(
        out,
        "Of the module [{}]({}.md). Its hash is `{:016x}`.\n\n",
        module.name, module.name, interface.hash.0
    );
    for base in module.bases(id).skip(1).map(|base| &module.interfaces[base.index()]) {
        let inherited: Vec<String> = base.own().iter().map(|new| format!("`{}`", show::name(new))).collect();
        let name = match is_own(&base.name) {
            true => format!("[{}]({}.md)", base.name, file_name(module, &base.name)),
            false => format!("`{}`", base.name),
        };
        let _ = write!(out, "It inherits from {name}: {}.\n\n", inherited.join(", "));
    }
    for operation in interface.own() {
        let _ = write!(out, "## {}\n\n", show::name(operation));
        let _ = write!(out, "```idl\n{};\n```\n\n", show::signature(module, operation));
        out.push_str(&prose(&operation.doc));
        out.push_str(&prose(&operation.note));
        let _ = write!(out, "{}\n\n", effects(module, operation));
    }
    out.trim_end().to_owned() + "\n"
}

/// What programs and retries need to know, in a sentence or two.
fn effects(module: &Module, operation: &Operation) -> String {
    let mut text = if operation.effect == Effect::Reads { "Reads" } else { "Writes" }.to_owned();
    let mut say = |is_so: bool, what: &str| text.push_str(if is_so { what } else { "" });
    say(operation.idempotent && operation.effect == Effect::Writes, "; doing it twice is doing it once");
    say(operation.once, "; made again it answers otherwise");
    say(operation.blocks, "; may wait");
    say(operation.paged.is_some(), "; gives its list page by page");
    say(operation.oneway, "; nobody waits for it");
    text.push('.');
    if let Some(cost) = operation.cost_param() {
        let says = if matches!(cost.ty, Type::Bytes { .. }) { "has" } else { "says" };
        let _ = write!(text, " Its work is as many bytes as `{}` {says}.", cost.name);
    }
    if let Some((number, _)) =
        operation.syscall.as_ref().map(|text| text.split_once(' ').unwrap_or((text, "")))
    {
        let _ = write!(text, " System call {number}.");
    }
    if let Some(what) = module.not_in_programs(operation) {
        let _ = write!(text, " Not supported in programs: {what}.");
    } else if !operation.raises.is_empty() && module.plain_exception(operation).is_none() {
        text.push_str(" Programs cannot catch what it raises.");
    }
    let _ = write!(text, " Its hash is `{:016x}`.", operation.hash.0);
    text
}
