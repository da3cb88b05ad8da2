//! Enums, structs, elements of lists, descriptions of interfaces.

use std::collections::HashSet;

use super::C;
use super::names::For;
use super::shape::{Leaf, Shape, Slot, references_of};
use super::values::{Done, is_plain_part};
use crate::backend::Lines;
use crate::descriptor::{
    Exception, ExceptionId, Interface, Mode, Operation, StructId, Type, UnionId, Value, Word,
};

/// Two frames of the longest that there are.
const EXCHANGE_BYTES_MAX: usize = 32 << 20;

/// Portals that a message can have.
const PORTALS_MAX: usize = 255;

/// Bytes of the longest message with these words.
fn message_bytes(words: &[Word]) -> usize {
    let ids = (portals(words).min(PORTALS_MAX) * 4).next_multiple_of(8);
    (16 + words.len() * 8 + ids).saturating_add(data_bytes(words))
}

/// Bytes of what words refer to, each part of it from a word's start on.
fn data_bytes(words: &[Word]) -> usize {
    let item = |word: &Word| match word {
        Word::String { max } | Word::Bytes { max } => (*max as usize).next_multiple_of(8),
        Word::List { element, max } => {
            let each = data_bytes(element).saturating_add(element.len() * 8);
            each.saturating_mul(*max as usize).saturating_add(8)
        }
        _ => 0,
    };
    words.iter().map(item).fold(0, usize::saturating_add)
}

fn portals(words: &[Word]) -> usize {
    let count = |word: &Word| match word {
        Word::Portal(_) => 1,
        Word::List { element, max } => portals(element).saturating_mul(*max as usize),
        _ => 0,
    };
    words.iter().map(count).fold(0, usize::saturating_add)
}

impl<'a> C<'a> {
    pub(super) fn types(&self, code: &mut Lines) {
        self.constants(code);
        for new in &self.module.enums {
            code.comment(&new.doc);
            let name = self.name(&new.name);
            code.open(&format!("enum {name} {{"));
            for (number, value) in new.values.iter().enumerate() {
                let comma = if number + 1 == new.values.len() { "" } else { "," };
                let value = self.names.of(For::Value, &format!("{}.{value}", new.name));
                code.line(&format!("{value} = {number}{comma}"));
            }
            code.close("};");
            code.blank();
        }
        self.declarations(code);
        let packed = self.packed_elements();
        for element in &packed {
            // Types and lists of them hold each other.
            code.line(&format!("{};", self.element_head(element)));
        }
        self.codecs(code);
        for element in self.elements(&packed) {
            if is_plain_part(element) && self.is_simple(element) {
                self.element(element, code);
            } else {
                self.element_taken(element, code);
            }
        }
        packed.iter().for_each(|element| self.packer(element, code));
        self.copiers(code);
        for interface in &self.module.interfaces {
            self.interface(interface, code);
        }
        let names = self.module.interfaces.iter().map(|new| self.names.of(For::Interface, &new.name));
        let names: Vec<String> = names.collect();
        let name = &self.module.name;
        let [all, module] = [For::Interfaces, For::Module].map(|what| self.names.of(what, ""));
        if !names.is_empty() {
            code.line(&format!("static const struct carnet_interface *const {all}[] = {{"));
            names.iter().for_each(|each| code.line(&format!("    &{each},")));
            code.line("};");
            code.blank();
            let count = names.len();
            code.line(&format!("static const struct carnet_module {module} = {{"));
            code.line(&format!("    \"{name}\", {all}, {count}, {}", self.exchange_bytes()));
            code.line("};");
            code.blank();
        }
    }

    /// Bytes of the longest request of an operation and its longest reply together, as far as frames may be long.
    fn exchange_bytes(&self) -> usize {
        let reply = |operation: &Operation| {
            let layout = &operation.layout;
            let members = |id: &ExceptionId| {
                let mut words = vec![];
                let members = &self.module.exceptions[id.index()].members;
                members.iter().for_each(|member| self.module.flatten_part(&member.ty, &mut words));
                message_bytes(&words)
            };
            let raised = operation.raises.iter().map(members).max();
            message_bytes(&[&layout.inouts[..], &layout.outs].concat()).max(raised.unwrap_or(0))
        };
        let request = |operation: &Operation| {
            message_bytes(&[&operation.layout.ins[..], &operation.layout.inouts].concat())
        };
        let both = self.operations().map(|operation| request(operation).saturating_add(reply(operation)));
        both.max().unwrap_or(0).min(EXCHANGE_BYTES_MAX)
    }

    /// All types of values, each behind what it is made of.
    fn declarations(&self, code: &mut Lines) {
        let mut done = Done::new();
        let ids = 0..u16::try_from(self.module.structs.len()).unwrap_or(u16::MAX);
        ids.for_each(|id| self.declare(&Type::Struct(StructId(id)), &mut done, code));
        let ids = 0..u16::try_from(self.module.unions.len()).unwrap_or(u16::MAX);
        ids.for_each(|id| self.declare(&Type::Union(UnionId(id)), &mut done, code));
        for operation in self.operations() {
            let types = operation.params.iter().map(|param| &param.ty).chain(&operation.result);
            types.for_each(|ty| self.declare(ty, &mut done, code));
        }
        for new in self.typed_exceptions() {
            new.members.iter().for_each(|member| self.declare(&member.ty, &mut done, code));
            self.fields(&format!("struct {}", self.name(&new.name)), &new.doc, &new.members, code);
        }
    }

    /// The functions of all types of values that need them.
    fn codecs(&self, code: &mut Lines) {
        let mut done = Done::new();
        for operation in self.operations() {
            let types = || operation.params.iter().map(|param| &param.ty).chain(&operation.result);
            let has_list = types().any(|ty| matches!(ty, Type::List { .. }));
            let has_buffers = self.shape(operation).buffers().next().is_some();
            if has_list || has_buffers || !self.is_plain(operation) {
                types().for_each(|ty| self.codec(ty, &mut done, code));
            }
        }
        for new in self.typed_exceptions() {
            new.members.iter().for_each(|member| self.codec(&member.ty, &mut done, code));
            self.fields_codec(&new.name, &self.name(&new.name), &new.members, code);
        }
    }

    fn operations(&self) -> impl Iterator<Item = &'a Operation> {
        self.module.interfaces.iter().flat_map(|interface| &interface.operations)
    }

    /// Exceptions that are sent with their members.
    pub(super) fn typed_exceptions(&self) -> impl Iterator<Item = &'a Exception> {
        let typed = self.operations().filter(|operation| self.is_typed(operation));
        let raised: HashSet<ExceptionId> = typed.flat_map(|operation| operation.raises.clone()).collect();
        let all = self.module.exceptions.iter().enumerate();
        all.filter(move |(number, _)| raised.iter().any(|id| id.index() == *number)).map(|(_, new)| new)
    }

    fn constants(&self, code: &mut Lines) {
        for new in &self.module.constants {
            code.comment(&new.doc);
            code.line(&format!("#define {} {}", self.name(&new.name), self.constant(&new.ty, &new.value)));
        }
        code.blank();
    }

    fn constant(&self, ty: &Type, value: &Value) -> String {
        match (ty, value) {
            (_, Value::Text(text)) => quoted(text),
            (Type::Enum(id), Value::Word(word)) => {
                let new = &self.module.enums[id.index()];
                let value = usize::try_from(*word).ok().and_then(|word| new.values.get(word));
                let value = value.map_or("", String::as_str);
                self.names.of(For::Value, &format!("{}.{value}", new.name))
            }
            // As many digits as tell it from all others.
            (Type::Float { bits: 32 }, Value::Word(word)) => {
                format!("({:?}f)", f32::from_bits(u32::try_from(*word).unwrap_or_default()))
            }
            (Type::Float { .. }, Value::Word(word)) => format!("({:?})", f64::from_bits(*word)),
            // The smallest number has no literal: its digits alone are one too large.
            (ty, Value::Word(word)) if word.cast_signed() == i64::MIN => {
                format!("(({})INT64_MIN)", self.ty(ty))
            }
            (ty, Value::Word(word)) => format!("(({})INT64_C({}))", self.ty(ty), word.cast_signed()),
        }
    }

    fn interface(&self, interface: &Interface, code: &mut Lines) {
        let [name, list] = [For::Interface, For::Operations].map(|what| self.names.of(what, &interface.name));
        let count = interface.operations.len();
        if count > 0 {
            code.line(&format!("static const uint64_t {list}[] = {{"));
            for operation in &interface.operations {
                code.line(&format!("    0x{:016x}, /* {} */", operation.hash.0, operation.name));
            }
            code.line("};");
        }
        let operations = if count > 0 { list } else { "NULL".to_owned() };
        code.line(&format!("static const struct carnet_interface {name} = {{"));
        let hash = interface.hash.0;
        let base = interface.base.map_or("NULL".to_owned(), |id| {
            format!("&{}", self.names.of(For::Interface, &self.module.interfaces[id.index()].name))
        });
        code.line(&format!("    \"{}\", 0x{hash:016x}, {operations}, {count}, {base}", interface.name));
        code.line("};");
        code.blank();
    }

    /// How the function begins that fetches an element of a list.
    pub(super) fn element_head(&self, of: &Type) -> String {
        let (name, part) = (self.names.of(For::At, &self.identity(of)), self.part(of));
        format!("static inline bool {name}(const struct carnet_list *list, size_t index, {part} *found)")
    }

    /// What lists hold, each type once: those that are packed, and before them those that are not.
    fn elements(&self, packed: &[&'a Type]) -> Vec<&'a Type> {
        let mut found: Vec<&'a Type> = vec![];
        let operations = self.module.interfaces.iter().flat_map(|interface| &interface.operations);
        for operation in operations {
            for ty in operation.params.iter().map(|param| &param.ty).chain(&operation.result) {
                if let Type::List { of, .. } = ty
                    && !found.iter().any(|other| self.identity(other) == self.identity(of))
                {
                    found.push(of);
                }
            }
        }
        for of in packed {
            if !found.iter().any(|other| self.identity(other) == self.identity(of)) {
                found.push(of);
            }
        }
        found
    }

    /// Looks at all elements of the list that `list` points to, on which the user may rely; `left` points to what texts may still
    /// take, and `leave` writes what is to be done if a condition shows that an element is wrong. `shape` is that of the stub.
    pub(super) fn each_element(
        &self,
        shape: &Shape<'_>,
        list: &str,
        of: &Type,
        left: &str,
        code: &mut Lines,
        leave: impl FnOnce(&str, &mut Lines),
    ) {
        if matches!(of, Type::Int { bits: 64, signed: true } | Type::Float { bits: 64 }) {
            return; // every word is one
        }
        let place = list.strip_prefix('&').map_or(format!("{list}->"), |name| format!("{name}."));
        let texts = self.texts(of);
        let mut wrong = format!("!{}({list}, index, &found)", self.names.of(For::At, &self.identity(of)));
        code.open("{");
        match texts {
            None => code.line("size_t index;"),
            Some((stride, texts)) => {
                let bytes = shape.local("bytes");
                code.line(&format!("size_t index, {bytes} = 0;"));
                let adds = format!("carnet_list_adds({list}, index, {stride}, {texts}, &{bytes}, {left})");
                wrong = format!("!{adds} || {wrong}");
            }
        }
        code.open(&format!("for (index = 0; index < {place}count; index++) {{"));
        code.line(&format!("{} found;", self.part(of)));
        leave(&wrong, code);
        code.close("}");
        code.close("}");
    }

    /// The words of an element, and a bit for each of them that refers to something; `None` if no word does.
    pub(super) fn texts(&self, of: &Type) -> Option<(usize, String)> {
        let mut words = vec![];
        self.module.flatten_part(of, &mut words);
        let refers = |word: &Word| matches!(word, Word::String { .. } | Word::Bytes { .. });
        words.iter().any(refers).then(|| (words.len(), references_of(&words)))
    }

    /// `files_Entry_at`: an element of a list.
    fn element(&self, of: &'a Type, code: &mut Lines) {
        let slot = Slot {
            mode: Mode::Out,
            ty: of,
            name: "found".to_owned(),
            back: String::new(),
            into: String::new(),
            first: 0,
        };
        let access = super::shape::Access::Pointer;
        let leaves = self.leaves(&slot, access, 0);
        code.line("/* Fetches an element of a list; false if there is none, or it breaks a bound. */");
        code.line(&self.element_head(of));
        code.line("{");
        code.open(&format!("    size_t first = index * {};", leaves.len()));
        code.when("index >= list->count", &["return false;"]);
        for leaf in &leaves {
            self.element_leaf(leaf, code);
        }
        code.line("return true;");
        code.close("}");
        code.blank();
    }

    fn element_leaf(&self, leaf: &Leaf<'_>, code: &mut Lines) {
        let fetch = format!("carnet_list_word(list, first + {})", leaf.word);
        let place = format!("&{}", leaf.expr.trim_start_matches('*'));
        let place = leaf.expr.strip_prefix('*').map_or(place, str::to_owned);
        match leaf.ty {
            Type::String { max } => {
                code.when(&format!("!carnet_list_string(list, {fetch}, {max}, {place})"), &["return false;"]);
            }
            Type::Bytes { max } => {
                code.when(&format!("!carnet_list_bytes(list, {fetch}, {max}, {place})"), &["return false;"]);
            }
            ty => match self.no_scalar(ty, &format!("word{}", leaf.word)) {
                None => code.line(&format!("{} = {};", leaf.expr, self.to_scalar(ty, &fetch))),
                Some(wrong) => {
                    let word = format!("word{}", leaf.word);
                    code.line(&format!("uint64_t {word} = {fetch};"));
                    code.when(&wrong, &["return false;"]);
                    code.line(&format!("{} = {};", leaf.expr, self.to_scalar(ty, &word)));
                }
            },
        }
    }
}

/// As C writes text: what is no plain letter has three octal digits, so that no digit behind it is taken for one of them.
fn quoted(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        byte => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(letter).collect::<String>())
}

pub(super) fn bound(ty: &Type) -> String {
    match ty {
        Type::String { max } | Type::Bytes { max } => format!(" /* at most {max} bytes */"),
        Type::List { max, .. } => format!(" /* at most {max} elements */"),
        _ => String::new(),
    }
}
