//! Which word of a block belongs to which parameter, and how values become words and back.

use super::Rust;
use super::names::{Scope, snake};
use crate::descriptor::{Interface, InterfaceId, Mode, Operation, Type, Word};

/// An operation, ready to be written.
pub(super) struct Shape<'a> {
    pub(super) operation: &'a Operation,
    pub(super) number: usize,
    /// Name of the method.
    pub(super) method: String,
    /// `Dir.open`, for messages.
    pub(super) title: String,
    /// Parameters and result, in the order of the message.
    pub(super) slots: Vec<Slot<'a>>,
    /// Words of the block.
    pub(super) words: usize,
}

/// A parameter or the result.
pub(super) struct Slot<'a> {
    /// Rust name; that of the result is `result`.
    pub(super) name: String,
    /// IDL name.
    pub(super) title: &'a str,
    pub(super) mode: Mode,
    pub(super) ty: &'a Type,
    /// Its first word in the block.
    pub(super) word: usize,
    /// Name of the local that holds its area, if it is written into one.
    pub(super) area: String,
    /// Index in the operation's declaration; the result is before all parameters.
    pub(super) order: usize,
}

/// What a part of a value is in a block: an expression and the word it takes.
pub(super) struct Leaf {
    pub(super) expr: String,
    pub(super) word: Word,
}

impl<'a> Rust<'a> {
    pub(super) fn operations(&self, id: InterfaceId, interface: &'a Interface) -> Vec<Shape<'a>> {
        let mut methods = Scope::with(&["serve", "from_portal", "portal"]);
        let shape = |(number, operation): (usize, &'a Operation)| Shape {
            operation,
            number,
            method: methods.take(&snake(&operation.name)),
            title: format!("{}.{}", self.module.interfaces[id.index()].name, operation.name),
            slots: self.slots(operation),
            words: operation.layout.words(),
        };
        interface.operations.iter().enumerate().map(shape).collect()
    }

    fn slots(&self, operation: &'a Operation) -> Vec<Slot<'a>> {
        let mut locals = Scope::with(&[
            "caller", "call", "words", "inputs", "outputs", "made", "stub", "module", "result",
        ]);
        let mut slots: Vec<Slot<'a>> = Vec::new();
        if let Some(ty) = &operation.result {
            let (name, area) = ("result".to_owned(), locals.take("result_area"));
            slots.push(Slot { name, title: "result", mode: Mode::Out, ty, word: 0, area, order: 0 });
        }
        for (index, param) in operation.params.iter().enumerate() {
            let name = locals.take(&snake(&param.name));
            let area = String::new();
            let (title, mode, ty) = (param.name.as_str(), param.mode, &param.ty);
            slots.push(Slot { name, title, mode, ty, word: 0, area, order: index + 1 });
        }
        for slot in slots.iter_mut().filter(|slot| slot.area.is_empty()) {
            slot.area = locals.take(&format!("{}_area", slot.name.trim_start_matches("r#")));
        }
        // Stable, so that the result stays before the out parameters.
        slots.sort_by_key(|slot| slot.mode);
        let mut word = 0;
        for slot in &mut slots {
            slot.word = word;
            word += self.words(slot.ty);
        }
        slots
    }

    /// Words of a value.
    pub(super) fn words(&self, ty: &Type) -> usize {
        let mut words = Vec::new();
        self.module.flatten(ty, &mut words);
        words.len()
    }

    /// The Rust type of a value that is owned; of a portal it is the client.
    pub(super) fn owned(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Char => "u8".to_owned(),
            Type::Float { bits } => format!("f{bits}"),
            Type::Union(id) => self.names.unions[id.index()].clone(),
            Type::Array { of, len } => format!("[{}; {len}]", self.owned(of)),
            Type::Int { bits, signed } => format!("{}{bits}", if *signed { 'i' } else { 'u' }),
            Type::Enum(id) => self.names.enums[id.index()].clone(),
            Type::String { .. } | Type::Bytes { .. } => "Vec<u8>".to_owned(),
            Type::Struct(id) => self.names.structs[id.index()].clone(),
            Type::List { of, .. } => format!("Vec<{}>", self.owned(of)),
            Type::Portal(id) => self.names.interfaces[id.index()].clone(),
        }
    }

    /// The Rust type of a value that is lent.
    pub(super) fn lent(&self, ty: &Type) -> String {
        match ty {
            Type::String { .. } | Type::Bytes { .. } => "&[u8]".to_owned(),
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::Portal(_) => {
                format!("&{}", self.owned(ty))
            }
            Type::List { of, .. } => format!("&[{}]", self.owned(of)),
            Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_) => self.owned(ty),
        }
    }

    /// The scalars, strings and bytes that `expr` of type `ty` consists of.
    pub(super) fn leaves(&self, ty: &Type, expr: &str) -> Vec<Leaf> {
        let Type::Struct(id) = ty else {
            let mut words = Vec::new();
            self.module.flatten(ty, &mut words);
            return words.into_iter().map(|word| Leaf { expr: expr.to_owned(), word }).collect();
        };
        let names = self.fields(*id);
        let fields = self.module.structs[id.index()].fields.iter().zip(names);
        let leaves = fields.flat_map(|(field, name)| {
            let lend = if matches!(field.ty, Type::String { .. } | Type::Bytes { .. }) { "&" } else { "" };
            self.leaves(&field.ty, &format!("{lend}{expr}.{name}"))
        });
        leaves.collect()
    }

    /// An expression for a value of type `ty`, of which `leaf` gives the parts, word by word from `word`.
    pub(super) fn build(
        &self,
        ty: &Type,
        word: &mut usize,
        leaf: &mut dyn FnMut(&Type, usize) -> String,
    ) -> String {
        let Type::Struct(id) = ty else {
            *word += 1;
            return leaf(ty, *word - 1);
        };
        let names = self.fields(*id);
        let fields: Vec<String> = self.module.structs[id.index()]
            .fields
            .iter()
            .zip(names)
            .map(|(field, name)| format!("{name}: {}", self.build(&field.ty, word, leaf)))
            .collect();
        format!("{} {{ {} }}", self.names.structs[id.index()], fields.join(", "))
    }

    /// A scalar out of `word`: the expression, and whether it can fail.
    pub(super) fn scalar(&self, ty: &Type, word: &str) -> Scalar {
        match ty {
            Type::Int { bits: 64, signed: true } => Scalar::Sure(format!("{word}.cast_signed()")),
            Type::Int { bits: 64, signed: false } => Scalar::Checked(format!("stub::u64({word})")),
            Type::Int { bits, signed } => {
                let sign = if *signed { 'i' } else { 'u' };
                Scalar::Checked(format!("stub::int::<{sign}{bits}>({word})"))
            }
            Type::Enum(id) => Scalar::Maybe(format!("{}::from_word({word})", self.names.enums[id.index()])),
            _ => Scalar::Checked(format!("stub::bool({word})")),
        }
    }

    /// The word of a scalar that always has one; `None` for others.
    pub(super) fn sure_word(word: &Word, expr: &str) -> Option<String> {
        // A method is called on `(*a)`, a function on `*a`.
        let bare = expr.strip_prefix('(').and_then(|expr| expr.strip_suffix(')')).unwrap_or(expr);
        match word {
            Word::Bool => Some(format!("u64::from({bare})")),
            Word::Int { bits: 64, signed: true } => Some(format!("{expr}.cast_unsigned()")),
            Word::Int { bits: 64, signed: false } => None,
            Word::Int { .. } => Some(format!("stub::word({bare})")),
            Word::Enum(_) => Some(format!("{expr}.to_word()")),
            Word::String { .. } | Word::Bytes { .. } | Word::List { .. } | Word::Portal(_) => None,
        }
    }
}

/// An expression that makes a scalar of a word.
pub(super) enum Scalar {
    /// It is one.
    Sure(String),
    /// A `Result` with `Wrong`.
    Checked(String),
    /// An `Option`.
    Maybe(String),
}

impl Scalar {
    /// The value; `check` is appended to what can fail.
    pub(super) fn or(self, check: &str) -> String {
        match self {
            Scalar::Sure(expr) => expr,
            Scalar::Checked(expr) | Scalar::Maybe(expr) => format!("{expr}{check}?"),
        }
    }

    /// A `Result` with `Wrong`.
    pub(super) fn result(self) -> String {
        match self {
            Scalar::Sure(expr) => format!("Ok({expr})"),
            Scalar::Checked(expr) => expr,
            Scalar::Maybe(expr) => format!("{expr}.ok_or(stub::Wrong::Value)"),
        }
    }

    /// The value, in a function that fails with `Wrong`.
    pub(super) fn or_wrong(self) -> String {
        match self {
            Scalar::Sure(expr) => expr,
            Scalar::Checked(expr) => format!("{expr}?"),
            Scalar::Maybe(expr) => format!("{expr}.ok_or(stub::Wrong::Value)?"),
        }
    }
}

impl Slot<'_> {
    /// Whether a service writes it into an area instead of returning it.
    pub(super) fn is_written(&self) -> bool {
        self.mode == Mode::Out
            && matches!(self.ty, Type::String { .. } | Type::Bytes { .. } | Type::List { .. })
    }
}

impl<'a> Shape<'a> {
    /// Parameters as declared, without the result.
    pub(super) fn declared(&self) -> Vec<&Slot<'a>> {
        let mut slots: Vec<&Slot<'a>> = self.slots.iter().filter(|slot| slot.order > 0).collect();
        slots.sort_by_key(|slot| slot.order);
        slots
    }

    /// What comes back, the result first.
    pub(super) fn outs(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.slots.iter().filter(|slot| slot.mode == Mode::Out)
    }

    /// What the service returns, rather than writing it into an area.
    pub(super) fn returned(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.outs().filter(|slot| !slot.is_written())
    }
}

/// `()`, `a`, or `(a, b)`.
pub(super) fn tuple(items: &[String]) -> String {
    match items {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}
