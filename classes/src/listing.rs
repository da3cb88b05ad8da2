//! A class for people, in the manner of `javap -c -p`: header, members, code with offsets.
//!
//! It shows what stands in the file and judges nothing; what cannot be decoded is said in place.

use std::fmt::Write as _;

use crate::class::{
    ClassFile, Code, Constant, Member, MemberRef, Pool, PoolIndex, find, flags, shown, shown_briefly,
};
use crate::instruction::{Instruction, Operands, decode};

/// A line of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Offset of the instruction.
    pub offset: u32,
    /// Mnemonic and operands.
    pub text: String,
}

/// What flags are called, of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A class or interface.
    Class,
    /// A field.
    Field,
    /// A method.
    Method,
}

/// The flags in words, in the order of the JLS, each as it is written in a source.
#[must_use]
pub fn words(bits: u16, of: Of) -> Vec<&'static str> {
    const WORDS: &[(u16, &[Of], &str)] = &[
        (flags::PUBLIC, &[Of::Class, Of::Field, Of::Method], "public"),
        (flags::PROTECTED, &[Of::Field, Of::Method], "protected"),
        (flags::PRIVATE, &[Of::Field, Of::Method], "private"),
        (flags::ABSTRACT, &[Of::Class, Of::Method], "abstract"),
        (flags::STATIC, &[Of::Field, Of::Method], "static"),
        (flags::FINAL, &[Of::Class, Of::Field, Of::Method], "final"),
        (flags::TRANSIENT, &[Of::Field], "transient"),
        (flags::VOLATILE, &[Of::Field], "volatile"),
        (flags::SYNCHRONIZED, &[Of::Method], "synchronized"),
        (flags::NATIVE, &[Of::Method], "native"),
        (flags::STRICT, &[Of::Method], "strictfp"),
        (flags::BRIDGE, &[Of::Method], "bridge"),
        (flags::VARARGS, &[Of::Method], "varargs"),
        (flags::SYNTHETIC, &[Of::Class, Of::Field, Of::Method], "synthetic"),
        (flags::ENUM, &[Of::Class, Of::Field], "enum"),
        (flags::ANNOTATION, &[Of::Class], "annotation"),
        (flags::INTERFACE, &[Of::Class], "interface"),
        (flags::MODULE, &[Of::Class], "module"),
    ];
    let has = |(bit, for_what, _): &&(u16, &[Of], &'static str)| bits & bit != 0 && for_what.contains(&of);
    WORDS.iter().filter(has).map(|(_, _, word)| *word).collect()
}

/// The whole class.
#[must_use]
pub fn text(class: &ClassFile<'_>) -> String {
    let mut out = String::new();
    let mut header = words(class.flags, Of::Class).join(" ");
    if !class.is_interface() {
        header += if header.is_empty() { "class" } else { " class" };
    }
    header = format!("{header} {}", shown(class.name()));
    if let Some(above) = class.super_name() {
        header += &format!(" extends {}", shown(above));
    }
    let interfaces: Vec<String> =
        class.interfaces.iter().filter_map(|at| class.pool.class(*at)).map(shown_briefly).collect();
    if !interfaces.is_empty() {
        header += &format!(" implements {}", interfaces.join(", "));
    }
    let count = class.pool.count().saturating_sub(1);
    let _ = writeln!(out, "{header}\n  version {}, {} bytes, {count} constants", class.version, class.bytes);
    for field in &class.fields {
        let _ = writeln!(out, "\n  field {}", member(class, field, Of::Field));
    }
    for method in &class.methods {
        let _ = writeln!(out, "\n  method {}", member(class, method, Of::Method));
        if let Some(content) = find(&method.attributes, &class.pool, "Code") {
            match Code::read(content) {
                Some(code) => code_text(&mut out, class, &code),
                None => out.push_str("    a Code that is not of its length\n"),
            }
        }
    }
    out
}

/// Flags, name and descriptor of a member.
#[must_use]
pub fn member(class: &ClassFile<'_>, member: &Member<'_>, of: Of) -> String {
    let mut words: Vec<String> = words(member.flags, of).into_iter().map(str::to_owned).collect();
    let (name, text) =
        (shown_briefly(member.name(&class.pool)), shown_briefly(member.descriptor(&class.pool)));
    words.push(if of == Of::Field { format!("{name} {text}") } else { name + &text });
    words.join(" ")
}

fn code_text(out: &mut String, class: &ClassFile<'_>, code: &Code<'_>) {
    let _ = writeln!(out, "    stack {}, locals {}", code.max_stack, code.max_locals);
    for line in lines(class, code) {
        let _ = writeln!(out, "    {:5}: {}", line.offset, line.text);
    }
    for handler in &code.handlers {
        let what = class.pool.class(handler.catch).map_or("anything".to_owned(), shown_briefly);
        let _ =
            writeln!(out, "    {} to {} goes to {} with {what}", handler.start, handler.end, handler.target);
    }
}

/// The instructions of a method, up to what is none.
#[must_use]
pub fn lines(class: &ClassFile<'_>, code: &Code<'_>) -> Vec<Line> {
    let (mut lines, mut offset) = (Vec::new(), 0);
    while (offset as usize) < code.bytes.len() {
        match decode(code.bytes, offset) {
            Ok(instruction) => {
                lines.push(Line { offset, text: instruction_text(&class.pool, &instruction) });
                offset += instruction.length;
            }
            Err(bad) => {
                lines.push(Line { offset, text: format!("no instruction: {bad}") });
                break;
            }
        }
    }
    lines
}

fn instruction_text(pool: &Pool<'_>, instruction: &Instruction<'_>) -> String {
    let name = instruction.row.name;
    match instruction.operands {
        Operands::None => name.to_owned(),
        Operands::Number(number) => format!("{name} {number}"),
        Operands::Local(local) => format!("{name} {local}"),
        Operands::Iinc(local, by) => format!("{name} {local} {by}"),
        Operands::Constant(at) | Operands::Site(at, _) => format!("{name} {}", constant(pool, at)),
        Operands::Target(target) => format!("{name} {target}"),
        Operands::Switch(switch) => {
            let cases: Vec<String> = switch.cases().map(|(key, target)| format!("{key}: {target}")).collect();
            format!(
                "{name} {{ {}{}default: {} }}",
                cases.join(", "),
                if cases.is_empty() { "" } else { ", " },
                switch.default
            )
        }
        Operands::ArrayType(code) => {
            let types = ["boolean", "char", "float", "double", "byte", "short", "int", "long"];
            let ty = usize::from(code).checked_sub(4).and_then(|at| types.get(at));
            ty.map_or_else(|| format!("{name} {code}"), |ty| format!("{name} {ty}"))
        }
        Operands::Dimensions(at, count) => format!("{name} {} {count}", constant(pool, at)),
    }
}

/// A constant in one line.
#[must_use]
pub fn constant(pool: &Pool<'_>, at: PoolIndex) -> String {
    let utf8 = |at| pool.utf8(at).map_or("?".to_owned(), shown_briefly);
    let typed = |at, between| {
        let (name, text) = pool.name_and_type(at).unwrap_or((b"?", b"?"));
        format!("{}{between}{}", shown_briefly(name), shown_briefly(text))
    };
    let of_class = |member: MemberRef, between| {
        let class = pool.class(member.class).map_or("?".to_owned(), shown_briefly);
        format!("{class}.{}", typed(member.name_and_type, between))
    };
    match pool.get(at) {
        Constant::Utf8(text) => shown_briefly(text),
        Constant::Integer(number) => number.to_string(),
        Constant::Long(number) => format!("{number}L"),
        Constant::Float(number) => format!("{number:?}f"),
        Constant::Double(number) => format!("{number:?}"),
        Constant::Class(name) | Constant::Module(name) | Constant::Package(name) => utf8(name),
        Constant::String(text) => format!("\"{}\"", utf8(text).escape_debug()),
        Constant::MethodType(text) => utf8(text),
        Constant::Fieldref(member) => of_class(member, " "),
        Constant::Methodref(member) | Constant::InterfaceMethodref(member) => of_class(member, ""),
        Constant::NameAndType { .. } => typed(at, " "),
        Constant::MethodHandle { kind, reference } => {
            let (Constant::Fieldref(member)
            | Constant::Methodref(member)
            | Constant::InterfaceMethodref(member)) = pool.get(reference)
            else {
                return format!("handle {kind} to #{}", reference.0);
            };
            format!("handle {kind} to {}", of_class(member, " "))
        }
        Constant::Dynamic(computed) | Constant::InvokeDynamic(computed) => {
            format!("bootstrap {} {}", computed.bootstrap, typed(computed.name_and_type, " "))
        }
        Constant::Unusable => format!("#{}, which is no constant", at.0),
    }
}
