//! The operations as a table in C, for a module of the kernel that makes the same calls: `carnet_linux_table.h` beside the interface.
//!
//! It is made of the descriptor alone, by the same plans as the service here follows; a test keeps the file as it would be made. What a
//! kind of argument means is said by the file itself, so that it is read without this one.

use std::fmt::Write as _;

use carnet_idl::descriptor::{Effect, Operation};

use crate::errno;
use crate::layout::{FieldKind, Layout};
use crate::linux;
use crate::plan::{Holds, Plan, Source, plans};

/// What stands before the tables.
const HEAD: &str = include_str!("table_head.h");

/// The table.
#[must_use]
pub fn table() -> String {
    let operations = &linux::module().interfaces[0].operations;
    let mut layouts: Vec<&Layout> = Vec::new();
    let mut rows = String::new();
    for (operation, plan) in operations.iter().zip(plans()) {
        row(&mut rows, operation, plan, &mut layouts);
    }
    let mut out = HEAD.to_owned();
    let _ =
        writeln!(out, "\n#define CARNET_LINUX_INTERFACE 0x{:016x}ULL", linux::module().interfaces[0].hash.0);
    let _ = writeln!(out, "#define CARNET_LINUX_ERRNO 0x{:016x}ULL", linux::module().enums[0].hash.0);
    let _ = writeln!(out, "#define CARNET_LINUX_OPERATIONS {}", operations.len());
    let _ = writeln!(out, "#define CARNET_LINUX_LAYOUTS {}", layouts.len());
    let _ = writeln!(out, "#define CARNET_LINUX_ERRORS {}\n", errno::TEXTS.len());
    for (number, layout) in layouts.iter().enumerate() {
        let fields = layout.fields.iter().map(|field| {
            let kind = match field.kind {
                FieldKind::Unsigned => "CARNET_UNSIGNED",
                FieldKind::Signed => "CARNET_SIGNED",
                FieldKind::Text => "CARNET_CHARS",
            };
            format!("    {{ {}, {}, {kind} }},\n", field.offset, field.size)
        });
        let _ = write!(
            out,
            "static const struct carnet_field carnet_linux_fields_{number}[] = {{\n{}}};\n\n",
            fields.collect::<String>()
        );
    }
    out.push_str("static const struct carnet_layout carnet_linux_layouts[CARNET_LINUX_LAYOUTS] = {\n");
    for (number, layout) in layouts.iter().enumerate() {
        let (fields, size) = (layout.fields.len(), layout.size);
        let _ = writeln!(out, "    {{ {size}, {fields}, carnet_linux_fields_{number} }},");
    }
    let _ = write!(
        out,
        "}};\n\nstatic const struct carnet_operation carnet_linux_operations[CARNET_LINUX_OPERATIONS] = {{\n{rows}}};\n\n"
    );
    out.push_str("static const char *const carnet_linux_errors[CARNET_LINUX_ERRORS] = {\n");
    for text in errno::TEXTS {
        let _ = writeln!(out, "    \"{text}\",");
    }
    out.push_str("};\n\n#endif\n");
    out
}

fn row<'p>(out: &mut String, operation: &Operation, plan: &'p Plan, layouts: &mut Vec<&'p Layout>) {
    let flags = [
        (operation.effect == Effect::Writes, "CARNET_WRITES"),
        (operation.blocks, "CARNET_BLOCKS"),
        (operation.idempotent, "CARNET_IDEMPOTENT"),
    ];
    let flags: Vec<&str> = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| *flag).collect();
    let flags = if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") };
    let value = plan.value.map_or(-1, |word| i64::try_from(word).unwrap_or(-1));
    let layout = &operation.layout;
    let _ = writeln!(
        out,
        "    /* {} */\n    {{ 0x{:016x}ULL, {}, {}, {}, {value}, {}, {flags}, {{",
        operation.name,
        operation.hash.0,
        plan.number,
        layout.request_words(),
        layout.words(),
        plan.sources.len(),
    );
    for source in &plan.sources {
        let _ = writeln!(out, "        {},", argument(source, layouts));
    }
    out.push_str("    } },\n");
}

fn argument<'p>(source: &'p Source, layouts: &mut Vec<&'p Layout>) -> String {
    let mut numbered = |layout: &'p Layout| {
        let found = layouts.iter().position(|other| *other == layout);
        found.unwrap_or_else(|| {
            layouts.push(layout);
            layouts.len() - 1
        })
    };
    let of = |kind: &str, word: usize, other: usize, max: i64, allowed: i64| {
        format!("{{ CARNET_{kind}, {word}, {other}, {max}LL, {allowed}LL }}")
    };
    match source {
        Source::Constant(number) => of("CONSTANT", 0, 0, *number, -1),
        Source::Value { word, allowed, cut } => {
            of("VALUE", *word, 0, cut.unwrap_or(i64::MAX), allowed.unwrap_or(-1))
        }
        Source::Text { word, max } => of("TEXT", *word, 0, i64::from(*max), -1),
        Source::Bytes { word, max } => of("BYTES", *word, 0, i64::from(*max), -1),
        Source::SentSize => of("SENT_SIZE", 0, 0, 0, -1),
        Source::Struct { word, layout } => of("STRUCT", *word, numbered(layout), 0, -1),
        Source::Address { word } => of("ADDRESS", *word, 0, 0, -1),
        Source::Int { word } => of("INT", *word, 0, 0, -1),
        Source::List { word, layout, max, back } => {
            format!("{{ CARNET_LIST, {word}, {}, {max}LL, {back}LL }}", numbered(layout))
        }
        Source::Changed { word, layout, back } => {
            format!("{{ CARNET_CHANGED, {word}, {}, 0LL, {back}LL }}", numbered(layout))
        }
        Source::Elements => of("ELEMENTS", 0, 0, 0, -1),
        Source::Room { word, holds, max } => {
            let kind = match holds {
                Holds::Bytes => "ROOM",
                Holds::Text => "ROOM_TEXT",
                Holds::Entries => "ROOM_ENTRIES",
            };
            of(kind, *word, 0, i64::try_from(*max).unwrap_or(i64::MAX), -1)
        }
        Source::Returned { word, layout } => of("RETURNED", *word, numbered(layout), 0, -1),
        Source::ReturnedAddress { word } => of("RETURNED_ADDRESS", *word, 0, 0, -1),
        Source::ReturnedInt { word } => of("RETURNED_INT", *word, 0, 0, -1),
        Source::ReturnedSize => of("RETURNED_SIZE", 0, 0, 0, -1),
    }
}

#[cfg(test)]
mod tests {
    use super::table;

    /// `BLESS=1` writes it anew.
    #[test]
    fn the_file_is_as_it_would_be_made() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/carnet_linux_table.h");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, table()).expect("to write it");
        }
        let found = std::fs::read_to_string(path).expect("it is there");
        assert!(found == table(), "BLESS=1 writes {path} anew");
    }
}
