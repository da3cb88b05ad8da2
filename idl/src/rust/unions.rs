//! Unions: an enum each, its words and back.
//!
//! An arm with one label is `Name(value)`; one with several, or the default, has the discriminant before the value.

use super::names::variants;
use super::shape::{Leaf, Side, build_array, put_unions};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Arm, Type, Union, UnionId};

impl Rust<'_> {
    pub(super) fn union(&self, index: usize, new: &Union, code: &mut Lines) {
        let name = &self.names.unions[index];
        let ty = Type::Union(UnionId(u16::try_from(index).unwrap_or(u16::MAX)));
        let variants = variants(new.arms.iter().map(|arm| &arm.name));
        let arms: Vec<(&Arm, &String)> = new.arms.iter().zip(&variants).collect();
        let has_float = new.arms.iter().any(|arm| self.has_float(&arm.ty));
        code.doc(&new.doc, &format!("The union `{}`.", new.name));
        code.line(ALLOW);
        code.line(&format!("#[derive(Clone, Debug, PartialEq{})]", if has_float { "" } else { ", Eq" }));
        code.open(&format!("pub enum {name} {{"));
        for (arm, variant) in &arms {
            code.line(&format!("/// `{}`{}.", arm.name, labels(arm)));
            let label = if has_label(arm) { format!("{}, ", self.owned(&new.switch)) } else { String::new() };
            code.line(&format!("{variant}({label}{}),", self.owned(&arm.ty)));
        }
        code.shut("}");
        code.line(ALLOW);
        code.open(&format!("impl {name} {{"));
        self.union_words(name, new, &arms, code);
        if new.shape.references > 0 {
            self.union_part(name, self.holds_list(&ty), &arms, code);
        }
        self.union_read(name, new, &arms, code);
        code.close("}");
        code.blank();
    }

    /// The parts of an arm's value: scalars, and what refers to bytes.
    fn arm_leaves(&self, arm: &Arm) -> (Vec<Leaf>, Vec<Leaf>) {
        let is_scalar =
            matches!(arm.ty, Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_));
        let leaves = self.leaves(&arm.ty, if is_scalar { "(*value)" } else { "value" }, "?");
        leaves.into_iter().partition(|leaf| !leaf.is_reference())
    }

    fn union_words(&self, name: &str, new: &Union, arms: &[(&Arm, &String)], code: &mut Lines) {
        let count = new.shape.scalars + 1;
        code.line("/// Discriminant and scalars; all bounds are checked.");
        code.open(&format!("fn words(&self) -> Result<[u64; {count}], stub::Wrong> {{"));
        code.open("match self {");
        let all: Vec<String> = new.arms.iter().flat_map(|arm| &arm.labels).map(i64::to_string).collect();
        for (arm, variant) in arms {
            let (scalars, references) = self.arm_leaves(arm);
            let label = if has_label(arm) { "label, " } else { "" };
            code.open(&format!("{name}::{variant}({label}value) => {{"));
            let mut words = match &arm.labels[..] {
                [one] => vec![one.cast_unsigned().to_string()],
                several => {
                    let label = Rust::sure_word(Some(&new.switch), "(*label)")
                        .unwrap_or_else(|| "stub::u64_word(*label)?".to_owned());
                    let check = match several {
                        [] => format!("stub::label({label}, &[], &[{}])?", all.join(", ")),
                        own => {
                            let own: Vec<String> = own.iter().map(i64::to_string).collect();
                            format!("stub::label({label}, &[{}], &[])?", own.join(", "))
                        }
                    };
                    vec![check]
                }
            };
            if scalars.is_empty() && references.iter().all(|leaf| leaf.is_made) {
                code.line("let _ = value;");
            }
            // What is packed is checked when it is.
            for leaf in references.iter().filter(|leaf| !leaf.is_made) {
                code.line(&leaf.bound_check());
            }
            words.extend(scalars.iter().map(|leaf| {
                let word = Rust::sure_word(leaf.ty.as_ref(), &leaf.expr);
                word.unwrap_or_else(|| format!("stub::u64_word({})?", leaf.expr.trim_matches(['(', ')'])))
            }));
            words.resize(count, "0".to_owned());
            // Behind the discriminant.
            code.words(&words, &put_unions(&scalars, 1));
            code.close("}");
        }
        code.close("}");
        code.shut("}");
    }

    /// Bytes are lent; where a list must be packed, all are made.
    fn union_part(&self, name: &str, is_made: bool, arms: &[(&Arm, &String)], code: &mut Lines) {
        code.line("/// What it has of strings and bytes; empty if it has no such part.");
        match is_made {
            true => code.open("fn part(&self, index: usize) -> Result<Vec<u8>, stub::Wrong> {"),
            false => code.open("fn part(&self, index: usize) -> &[u8] {"),
        }
        code.open("match (self, index) {");
        for (arm, variant) in arms {
            let (_, references) = self.arm_leaves(arm);
            let label = if has_label(arm) { "_, " } else { "" };
            for (at, leaf) in references.iter().enumerate() {
                let bytes = match (is_made, leaf.is_made) {
                    (true, false) => format!("Ok({}.to_vec())", leaf.expr.trim_start_matches('&')),
                    _ => leaf.expr.clone(),
                };
                code.line(&format!("({name}::{variant}({label}value), {at}) => {bytes},"));
            }
        }
        code.line(if is_made { "_ => Ok(Vec::new())," } else { "_ => &[]," });
        code.close("}");
        code.shut("}");
    }

    fn union_read(&self, name: &str, new: &Union, arms: &[(&Arm, &String)], code: &mut Lines) {
        let (count, parts) = (new.shape.scalars + 1, new.shape.references);
        let names: Vec<String> = (0..parts).map(|at| format!("part{at}")).collect();
        let bytes = if parts == 0 { "_" } else { "parts" };
        code.line("/// The arm that the discriminant says.");
        code.open(&format!(
            "fn read(words: [u64; {count}], {bytes}: [Vec<u8>; {parts}]) -> Result<{name}, stub::Wrong> {{"
        ));
        if parts > 0 {
            code.line(&format!("let [{}] = parts;", names.join(", ")));
        }
        code.open("match words[0].cast_signed() {");
        let mut has_default = false;
        let mut ordered: Vec<&(&Arm, &String)> = arms.iter().collect();
        ordered.sort_by_key(|(arm, _)| arm.labels.is_empty());
        for (arm, variant) in ordered {
            let pattern: Vec<String> = arm.labels.iter().map(i64::to_string).collect();
            let pattern = if pattern.is_empty() { "_".to_owned() } else { pattern.join(" | ") };
            has_default |= arm.labels.is_empty();
            // Which word a part takes depends on what it is, not on where it stands.
            let value = self.arm_build(&arm.ty, &mut 0, &mut 0);
            let label = match has_label(arm) {
                true => format!("{}, ", self.scalar(&new.switch, "words[0]").or_wrong()),
                false => String::new(),
            };
            code.value(&format!("{pattern} => Ok({name}::{variant}({label}"), &value, ")),");
        }
        if !has_default {
            code.line("_ => Err(stub::Wrong::Value),");
        }
        code.close("}");
        code.close("}");
    }

    /// An expression for the value of an arm.
    fn arm_build(&self, ty: &Type, scalar: &mut usize, reference: &mut usize) -> String {
        match ty {
            Type::Struct(id) => {
                self.build_struct(Side::Client, *id, &mut |ty| self.arm_build(ty, scalar, reference))
            }
            Type::Array { of, len } if ty.octets().is_none() => {
                build_array(*len, || self.arm_build(of, scalar, reference))
            }
            Type::Union(id) => {
                let shape = self.module.unions[id.index()].shape;
                let words: Vec<String> =
                    (0..=shape.scalars).map(|at| format!("words[{}]", *scalar + 1 + at)).collect();
                *scalar += words.len();
                let parts: Vec<String> =
                    (0..shape.references).map(|at| format!("part{}", *reference + at)).collect();
                *reference += parts.len();
                let name = &self.names.unions[id.index()];
                format!("{name}::read([{}], [{}])?", words.join(", "), parts.join(", "))
            }
            Type::String { max } | Type::Bytes { max } => {
                *reference += 1;
                let function = if matches!(ty, Type::String { .. }) { "string_part" } else { "bytes_part" };
                format!("stub::{function}(part{}, {max})?", *reference - 1)
            }
            Type::List { of, max } => {
                *reference += 1;
                format!("stub::unpacked(&part{}, {})?", *reference - 1, self.unpacking(of, *max))
            }
            Type::Array { len, .. } => {
                *reference += 1;
                format!("stub::array(stub::bytes_part(part{}, {len}))?", *reference - 1)
            }
            ty => {
                *scalar += 1;
                self.scalar(ty, &format!("words[{scalar}]")).or_wrong()
            }
        }
    }
}

fn has_label(arm: &Arm) -> bool {
    arm.labels.len() != 1
}

fn labels(arm: &Arm) -> &'static str {
    match arm.labels.len() {
        0 => ", with a discriminant that no other arm has",
        1 => "",
        _ => ", with its discriminant",
    }
}

impl Leaf {
    fn is_reference(&self) -> bool {
        self.ty
            .as_ref()
            .is_some_and(|ty| matches!(ty, Type::String { .. } | Type::Bytes { .. }) || ty.octets().is_some())
    }

    /// A statement that fails if bytes are too long.
    fn bound_check(&self) -> String {
        let expr = &self.expr;
        match &self.ty {
            Some(Type::String { max }) => format!("stub::string_word(0, {expr}, {max})?;"),
            Some(Type::Bytes { max }) => format!("stub::bytes_word(0, {expr}, {max})?;"),
            Some(Type::Array { len, .. }) => format!("stub::bytes_word(0, {expr}, {len})?;"),
            _ => String::new(),
        }
    }
}

impl Lines {
    /// Words as an array in `Ok`, and what puts those of unions there.
    pub(super) fn words(&mut self, words: &[String], unions: &[String]) {
        if unions.is_empty() {
            return self.list("Ok([", words, "])");
        }
        self.list("let mut words = [", words, "];");
        unions.iter().for_each(|line| self.line(line));
        self.line("Ok(words)");
    }
}
