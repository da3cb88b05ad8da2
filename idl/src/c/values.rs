//! Functions that put and take values which are more than a word or a piece of data, and what they need to be declared.
//!
//! `MODULE_Type_put` and `MODULE_Type_take` work on the words of one value, wherever they lie; see `carnet_values.h`.

use std::collections::HashSet;

use super::C;
use super::names::For;
use super::shape::references_of;
use crate::backend::Lines;
use crate::descriptor::{Arm, Field, Mode, Operation, Param, Type, Union, Word};

/// Types that were written already, by what they are in C: no two have the same name there.
pub(super) type Done = HashSet<String>;

/// Whether a part of a value is neither a portal nor a packed list.
pub(super) fn is_plain_part(ty: &Type) -> bool {
    !matches!(ty, Type::Portal(_) | Type::List { .. })
}

impl<'a> C<'a> {
    /// Whether the stubs of an operation need none of these functions: then they are shorter and quicker.
    pub(super) fn is_plain(&self, operation: &Operation) -> bool {
        let params = operation.params.iter().map(|param| &param.ty);
        let is_argument = |param: &&Param| match param.ty {
            Type::List { .. } => param.mode != Mode::Out,
            // One that is left as it came goes back as what it is.
            Type::Portal(_) => param.mode == Mode::InOut,
            _ => false,
        };
        let has_argument = operation.params.iter().any(|param| is_argument(&param));
        // A gathered head has 8 bits for the number of words and 7 for one of them.
        let is_short = operation.layout.words() <= 100;
        let is_heard = !operation.oneway && !self.is_typed(operation);
        is_short && is_heard && !has_argument && params.chain(&operation.result).all(|ty| self.is_simple(ty))
    }

    /// Whether exceptions of an operation are sent with their members.
    pub(super) fn is_typed(&self, operation: &Operation) -> bool {
        !operation.raises.is_empty() && self.module.plain_exception(operation).is_none()
    }

    pub(super) fn is_simple(&self, ty: &Type) -> bool {
        match ty {
            Type::Union(_) | Type::Array { .. } => false,
            Type::Struct(id) => self.module.structs[id.index()]
                .fields
                .iter()
                .all(|field| is_plain_part(&field.ty) && self.is_simple(&field.ty)),
            Type::List { of, .. } => is_plain_part(of) && self.is_simple(of),
            _ => true,
        }
    }

    /// Whether a value lies in C as in a message, and whatever it is breaks no bound.
    fn is_words(&self, ty: &Type) -> bool {
        match ty {
            Type::Int { bits: 64, signed: true } | Type::Float { bits: 64 } => true,
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                !fields.is_empty() && fields.iter().all(|field| self.is_words(&field.ty))
            }
            Type::Array { of, .. } => self.is_words(of),
            _ => false,
        }
    }

    /// Whether a part of a value holds portals: unions do not, nor lists within it.
    fn has_portals(&self, ty: &Type) -> bool {
        match ty {
            Type::Portal(_) => true,
            Type::Struct(id) => {
                self.module.structs[id.index()].fields.iter().any(|field| self.has_portals(&field.ty))
            }
            Type::Array { of, .. } => self.has_portals(of),
            _ => false,
        }
    }

    /// Whether a value is handed over by its address.
    pub(super) fn is_compound(ty: &Type) -> bool {
        matches!(ty, Type::Struct(_) | Type::Union(_) | Type::Array { .. })
    }

    /// The C type of a part of a value.
    pub(super) fn part(&self, ty: &Type) -> String {
        match ty {
            Type::Portal(_) => "struct carnet_reference".to_owned(),
            ty => self.ty(ty),
        }
    }

    /// The C type of a list that is given.
    pub(super) fn given_list(&self, of: &Type) -> String {
        format!("struct {}", self.names.of(For::List, &self.identity(of)))
    }

    pub(super) fn stride(&self, ty: &Type) -> usize {
        self.module.word_count(ty)
    }

    /// The type, and before it those that it is made of.
    pub(super) fn declare(&self, ty: &Type, done: &mut Done, code: &mut Lines) {
        if C::is_compound(ty) && done.contains(&self.ty(ty)) {
            return;
        }
        match ty {
            Type::Struct(id) => {
                let new = &self.module.structs[id.index()];
                new.fields.iter().for_each(|field| self.declare(&field.ty, done, code));
                if done.insert(self.ty(ty)) {
                    self.fields(&self.ty(ty), &new.doc, &new.fields, code);
                }
            }
            Type::Union(id) => {
                let new = &self.module.unions[id.index()];
                new.arms.iter().for_each(|arm| self.declare(&arm.ty, done, code));
                if done.insert(self.ty(ty)) {
                    self.union_type(&self.ty(ty), new, code);
                }
            }
            Type::Array { of, len } => {
                self.declare(of, done, code);
                if done.insert(self.ty(ty)) {
                    code.open(&format!("{} {{", self.ty(ty)));
                    code.line(&format!("{} at[{len}];", self.part(of)));
                    code.close("};");
                    code.blank();
                }
            }
            Type::List { of, .. } => self.declare(of, done, code),
            _ => {}
        }
    }

    pub(super) fn fields(&self, head: &str, doc: &str, fields: &[Field], code: &mut Lines) {
        code.comment(doc);
        code.open(&format!("{head} {{"));
        for (field, name) in fields.iter().zip(self.members(fields)) {
            let bound = super::types::bound(&field.ty);
            code.line(&format!("{} {name};{bound}", self.part(&field.ty)));
        }
        if fields.is_empty() {
            code.line("char nothing; /* C has no empty structs */");
        }
        code.close("};");
        code.blank();
    }

    /// Names of fields.
    pub(super) fn members(&self, fields: &[Field]) -> Vec<String> {
        self.taken.members(fields.iter().map(|field| field.name.as_str()))
    }

    pub(super) fn arm_names(&self, new: &Union) -> Vec<String> {
        self.taken.members(new.arms.iter().map(|arm| arm.name.as_str()))
    }

    fn union_type(&self, head: &str, new: &Union, code: &mut Lines) {
        code.comment(&new.doc);
        code.open(&format!("{head} {{"));
        code.line(&format!("{} which;", self.ty(&new.switch)));
        code.open("union {");
        for (arm, name) in new.arms.iter().zip(self.arm_names(new)) {
            let labels: Vec<String> = arm.labels.iter().map(i64::to_string).collect();
            let when = if labels.is_empty() { "any other".to_owned() } else { labels.join(", ") };
            code.line(&format!("{} {name}; /* {when} */", self.part(&arm.ty)));
        }
        code.close("} is;");
        code.close("};");
        code.blank();
    }

    /// The functions of a type, and before them those of what it is made of.
    pub(super) fn codec(&self, ty: &'a Type, done: &mut Done, code: &mut Lines) {
        if C::is_compound(ty) && done.contains(&self.ty(ty)) {
            return;
        }
        match ty {
            Type::Struct(id) => {
                let fields = &self.module.structs[id.index()].fields;
                fields.iter().for_each(|field| self.codec(&field.ty, done, code));
                if done.insert(self.ty(ty)) {
                    self.fields_codec(&self.identity(ty), &self.tag(ty), fields, code);
                }
            }
            Type::Union(id) => {
                let new = &self.module.unions[id.index()];
                new.arms.iter().for_each(|arm| self.codec(&arm.ty, done, code));
                if done.insert(self.ty(ty)) {
                    self.union_put(new, code);
                    self.union_take(new, code);
                }
            }
            Type::Array { of, len } => {
                self.codec(of, done, code);
                if done.insert(self.ty(ty)) {
                    self.array_codec(ty, of, *len, code);
                }
            }
            Type::List { of, .. } => {
                self.codec(of, done, code);
                if done.insert(self.given_list(of)) {
                    code.line("/* A list that is given. */");
                    code.open(&format!("{} {{", self.given_list(of)));
                    code.line(&format!("const {} *ptr;", self.part(of)));
                    code.line("size_t count;");
                    code.close("};");
                    code.blank();
                }
            }
            _ => {}
        }
    }

    fn put_function(&self, whose: &str, tag: &str, code: &mut Lines) {
        let name = self.names.of(For::Put, whose);
        code.line(&format!(
            "static inline void {name}(struct carnet_put *put, size_t at, const struct {tag} *from)"
        ));
        code.open("{");
    }

    fn take_function(&self, whose: &str, tag: &str, code: &mut Lines) {
        let name = self.names.of(For::Take, whose);
        code.line(&format!(
            "static inline void {name}(struct carnet_take *take, size_t at, struct {tag} *to)"
        ));
        code.open("{");
    }

    fn end(code: &mut Lines) {
        code.close("}");
        code.blank();
    }

    pub(super) fn fields_codec(&self, whose: &str, tag: &str, fields: &'a [Field], code: &mut Lines) {
        let mut at = 0;
        let mut next = |ty: &Type| {
            at += self.stride(ty);
            format!("at + {}", at - self.stride(ty))
        };
        let names = self.members(fields);
        self.put_function(whose, tag, code);
        if fields.is_empty() {
            ["put", "at", "from"].iter().for_each(|unused| code.line(&format!("(void){unused};")));
        }
        for (field, name) in fields.iter().zip(&names) {
            self.put_part("put", &field.ty, &next(&field.ty), &format!("from->{name}"), code);
        }
        Self::end(code);
        at = 0;
        let mut next = |ty: &Type| {
            at += self.stride(ty);
            format!("at + {}", at - self.stride(ty))
        };
        self.take_function(whose, tag, code);
        code.line("memset(to, 0, sizeof *to);");
        if fields.is_empty() {
            ["take", "at"].iter().for_each(|unused| code.line(&format!("(void){unused};")));
        }
        for (field, name) in fields.iter().zip(&names) {
            self.take_part("take", &field.ty, &next(&field.ty), &format!("to->{name}"), code);
        }
        Self::end(code);
    }

    fn array_codec(&self, ty: &Type, of: &'a Type, len: u32, code: &mut Lines) {
        let (whose, tag) = (self.identity(ty), self.tag(ty));
        let (each, at) = (format!("for (index = 0; index < {len}; index++) {{"), self.stride(of));
        let at = format!("at + index * {at}");
        self.put_function(&whose, &tag, code);
        if ty.octets().is_some() {
            code.line(&format!("carnet_put_array(put, at, from->at, {len});"));
        } else {
            code.line("size_t index;");
            code.open(&each);
            self.put_part("put", of, &at, "from->at[index]", code);
            code.close("}");
        }
        Self::end(code);
        self.take_function(&whose, &tag, code);
        if ty.octets().is_some() {
            code.line(&format!("carnet_take_array(take, at, to->at, {len});"));
        } else {
            code.line("size_t index;");
            code.open(&each);
            self.take_part("take", of, &at, "to->at[index]", code);
            code.close("}");
        }
        Self::end(code);
    }

    /// Where the words of an arm stand among those that the arms share, counted from the discriminant.
    fn places(&self, new: &Union, arm: &Arm) -> Vec<usize> {
        let (mut scalars, mut references) = (1, 1 + new.shape.scalars);
        let mut words = vec![];
        self.module.flatten_part(&arm.ty, &mut words);
        let place = |word: &Word| {
            let next = match word {
                Word::String { .. } | Word::Bytes { .. } => &mut references,
                _ => &mut scalars,
            };
            *next += 1;
            *next - 1
        };
        words.iter().map(place).collect()
    }

    fn arms(
        &self,
        new: &'a Union,
        value: &str,
        wrong: &str,
        code: &mut Lines,
        mut each: impl FnMut(&'a Arm, &str, &mut Lines),
    ) {
        code.line(&format!("switch ((int64_t){value}) {{"));
        let has_default = new.arms.iter().any(|arm| arm.labels.is_empty());
        for (arm, name) in new.arms.iter().zip(self.arm_names(new)) {
            self.labels(arm, code);
            code.indent();
            each(arm, &name, code);
            code.line("break;");
            code.dedent();
        }
        if !has_default {
            code.line("default:");
            code.line(&format!("    {wrong}->is_wrong = true;"));
            code.line("    break;");
        }
        code.line("}");
    }

    /// The labels of an arm in a `switch`.
    pub(super) fn labels(&self, arm: &Arm, code: &mut Lines) {
        for label in &arm.labels {
            // The smallest number has no literal: its digits alone are one too large.
            let label = if *label == i64::MIN { "INT64_MIN".to_owned() } else { label.to_string() };
            code.line(&format!("case {label}:"));
        }
        if arm.labels.is_empty() {
            code.line("default:");
        }
    }

    fn union_put(&self, new: &'a Union, code: &mut Lines) {
        let most = new.shape.scalars + new.shape.references + 1;
        self.put_function(&new.name, &self.name(&new.name), code);
        code.line(&format!("uint64_t *words = put->words, part[{most}];"));
        self.put("put", &new.switch, "at", "from->which", code);
        code.line("memset(part, 0, sizeof part);");
        self.arms(new, "from->which", "put", code, |arm, name, code| {
            code.line("put->words = part;");
            self.put_part("put", &arm.ty, "0", &format!("from->is.{name}"), code);
            code.line("put->words = words;");
            for (index, place) in self.places(new, arm).into_iter().enumerate() {
                code.line(&format!("carnet_put_word(put, at + {place}, part[{index}], false);"));
            }
        });
        Self::end(code);
    }

    fn union_take(&self, new: &'a Union, code: &mut Lines) {
        let most = new.shape.scalars + new.shape.references + 1;
        self.take_function(&new.name, &self.name(&new.name), code);
        code.line("const unsigned char *words = take->words;");
        code.line(&format!("uint64_t part[{most}];"));
        code.line("memset(to, 0, sizeof *to);");
        code.line("memset(part, 0, sizeof part);");
        self.take("take", &new.switch, "at", "to->which", code);
        // Those of other arms, too: a message is the same for whoever knows its words and not its union.
        for index in 0..new.shape.references {
            let (place, max) = (1 + new.shape.scalars + index, new.shape.bytes_max);
            code.line(&format!("(void)carnet_take_bytes(take, at + {place}, 0, {max});"));
        }
        self.arms(new, "to->which", "take", code, |arm, name, code| {
            for (index, place) in self.places(new, arm).into_iter().enumerate() {
                code.line(&format!("part[{index}] = carnet_take_word(take, at + {place});"));
            }
            code.line("take->words = (const unsigned char *)part;");
            self.take_part("take", &arm.ty, "0", &format!("to->is.{name}"), code);
        });
        code.line("take->words = words;");
        Self::end(code);
    }

    /// Puts a value, to the place that `put` points to.
    pub(super) fn put(&self, put: &str, ty: &'a Type, at: &str, value: &str, code: &mut Lines) {
        let to = format!("{put}, {at}");
        match ty {
            Type::String { max } => code.line(&format!("carnet_put_text({to}, {value}, {max});")),
            Type::Bytes { max } => {
                code.line(&format!("carnet_put_bytes({to}, {value}.ptr, {value}.len, {max});"));
            }
            Type::Portal(_) => code.line(&format!("carnet_put_reference({to}, &{value});")),
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } => {
                let put = self.names.of(For::Put, &self.identity(ty));
                code.line(&format!("{put}({to}, &{value});"));
            }
            Type::List { of, max } if self.is_words(of) => {
                let (list, stride) = (format!("{value}.ptr, {value}.count"), self.stride(of));
                code.line(&format!("carnet_put_words({to}, {list}, {stride}, {max});"));
            }
            Type::List { of, max } => {
                let stride = self.stride(of);
                code.open("{");
                code.line("size_t index;");
                let list = format!("{put}, {value}.count, {stride}, {max}");
                code.line(&format!("struct carnet_put list = carnet_put_list({list});"));
                // Objects that are not handed out are let go of.
                let whole = self.has_portals(of);
                let until = if whole { "" } else { " && !list.is_wrong" };
                code.open(&format!("for (index = 0; index < {value}.count{until}; index++) {{"));
                self.put_part("&list", of, "0", &format!("{value}.ptr[index]"), code);
                let next = format!("list.words += {stride};");
                match whole {
                    true => code.when("!list.is_wrong", &[&next]),
                    false => code.line(&next),
                }
                code.close("}");
                code.line(&format!("carnet_put_list_end({to}, &list);"));
                code.close("}");
            }
            ty => {
                let wrong = match ty {
                    Type::Enum(id) => {
                        format!(
                            "carnet_of_enum((uint64_t){value}) >= {}",
                            self.module.enums[id.index()].values.len()
                        )
                    }
                    Type::Int { bits: 64, signed: false } => format!("{value} > INT64_MAX"),
                    _ => "false".to_owned(),
                };
                code.line(&format!("carnet_put_word({to}, {}, {wrong});", C::to_word(ty, value)));
            }
        }
    }

    /// Takes a value from the place that `take` points to.
    pub(super) fn take(&self, take: &str, ty: &Type, at: &str, value: &str, code: &mut Lines) {
        let from = format!("{take}, {at}");
        match ty {
            Type::String { max } => code.line(&format!("{value} = carnet_take_text({from}, {max});")),
            Type::Bytes { max } => code.line(&format!("{value} = carnet_take_bytes({from}, 0, {max});")),
            Type::Portal(id) => {
                let hash = self.module.interfaces[id.index()].hash.0;
                code.line(&format!("{value} = carnet_take_reference({from}, UINT64_C(0x{hash:016x}));"));
            }
            Type::Struct(_) | Type::Union(_) | Type::Array { .. } => {
                let take = self.names.of(For::Take, &self.identity(ty));
                code.line(&format!("{take}({from}, &{value});"));
            }
            Type::List { of, max } => {
                let stride = self.stride(of);
                code.line(&format!("{value} = carnet_take_list({from}, {stride}, {max});"));
            }
            ty => match self.no_scalar(ty, "word") {
                None => {
                    let word = format!("carnet_take_word({from})");
                    code.line(&format!("{value} = {};", self.to_scalar(ty, &word)));
                }
                Some(wrong) => {
                    code.open("{");
                    code.line(&format!("uint64_t word = carnet_take_word({from});"));
                    code.line(&format!("word = carnet_take_check({take}, word, {wrong});"));
                    code.line(&format!("{value} = {};", self.to_scalar(ty, "word")));
                    code.close("}");
                }
            },
        }
    }

    /// `MODULE_Element_at` for elements that are more than words and data.
    pub(super) fn element_taken(&self, of: &Type, code: &mut Lines) {
        let stride = self.stride(of);
        code.line("/* Fetches an element of a list; false if there is none, or it breaks a bound. */");
        code.line(&self.element_head(of));
        code.open("{");
        code.line("struct carnet_take take;");
        code.line("memset(found, 0, sizeof *found);");
        code.when("index >= list->count", &["return false;"]);
        code.line(&format!("take = carnet_take_element(list, index, {stride});"));
        self.take_part("&take", of, "0", "(*found)", code);
        code.line("return !take.is_wrong;");
        Self::end(code);
    }

    /// As [`C::put`], of a part of another value: a list was packed.
    fn put_part(&self, put: &str, ty: &'a Type, at: &str, value: &str, code: &mut Lines) {
        let Type::List { of, max } = ty else { return self.put(put, ty, at, value, code) };
        let (stride, bytes) = (self.stride(of), self.packed_bytes(ty));
        let references = self.references(of);
        code.line(&format!(
            "carnet_put_packed({put}, {at}, &{value}, {stride}, {references}, {max}, {bytes});"
        ));
    }

    /// As [`C::take`], of a part of another value: a list is packed, and looked at as a whole, so that the user may rely on it.
    fn take_part(&self, take: &str, ty: &Type, at: &str, value: &str, code: &mut Lines) {
        let Type::List { of, max } = ty else { return self.take(take, ty, at, value, code) };
        let (stride, bytes) = (self.stride(of), self.packed_bytes(ty));
        code.line(&format!("{value} = carnet_take_packed("));
        code.line(&format!("    {take}, {at}, {stride}, {}, {max}, {bytes});", self.references(of)));
        if matches!(**of, Type::Int { bits: 64, signed: true } | Type::Float { bits: 64 }) {
            return; // every word is one
        }
        let place = take.strip_prefix('&').map_or(format!("{take}->"), |name| format!("{name}."));
        code.open("{");
        code.line("size_t item;");
        code.open(&format!("for (item = 0; item < {value}.count && !{place}is_wrong; item++) {{"));
        code.line(&format!("{} seen;", self.part(of)));
        let at = self.names.of(For::At, &self.identity(of));
        code.line(&format!("{place}is_wrong = !{at}(&{value}, item, &seen);"));
        code.close("}");
        code.close("}");
    }

    /// A bit for each word of an element that refers to bytes.
    fn references(&self, of: &Type) -> String {
        let mut words = vec![];
        self.module.flatten_part(of, &mut words);
        references_of(&words)
    }

    /// Most bytes of a packed list.
    fn packed_bytes(&self, list: &Type) -> u32 {
        let mut words = vec![];
        self.module.flatten_part(list, &mut words);
        if let [Word::Bytes { max }] = words[..] { max } else { 0 }
    }

    /// What lists hold that are parts of other values, each type once.
    pub(super) fn packed_elements(&self) -> Vec<&'a Type> {
        let (mut found, mut seen) = (vec![], HashSet::new());
        for operation in self.module.interfaces.iter().flat_map(|interface| &interface.operations) {
            for ty in operation.params.iter().map(|param| &param.ty).chain(&operation.result) {
                let part = if let Type::List { of, .. } = ty { of } else { ty };
                self.lists_within(part, &mut found, &mut seen);
            }
        }
        for new in self.typed_exceptions() {
            new.members.iter().for_each(|member| self.lists_within(&member.ty, &mut found, &mut seen));
        }
        found
    }

    fn lists_within(&self, ty: &'a Type, found: &mut Vec<&'a Type>, seen: &mut HashSet<String>) {
        let is_named = matches!(ty, Type::Struct(_) | Type::Union(_));
        if is_named && !seen.insert(self.identity(ty)) {
            return;
        }
        match ty {
            Type::Struct(id) => {
                let fields = self.module.structs[id.index()].fields.iter();
                fields.for_each(|field| self.lists_within(&field.ty, found, seen));
            }
            Type::Union(id) => {
                let arms = self.module.unions[id.index()].arms.iter();
                arms.for_each(|arm| self.lists_within(&arm.ty, found, seen));
            }
            Type::Array { of, .. } => self.lists_within(of, found, seen),
            Type::List { of, .. } => {
                self.lists_within(of, found, seen);
                if !found.iter().any(|other| self.identity(other) == self.identity(of)) {
                    found.push(of);
                }
            }
            _ => {}
        }
    }

    /// `MODULE_Element_pack`.
    pub(super) fn packer(&self, of: &'a Type, code: &mut Lines) {
        let (name, stride) = (self.names.of(For::Pack, &self.identity(of)), self.stride(of));
        code.line("/* Packs a list that is a part of another value; false, with nothing changed, if an element breaks a bound,");
        code.line(" * or there is no room. How many there may be is looked at when it is sent. */");
        code.line(&format!("static inline bool {name}(struct carnet_list *list, struct carnet_room *room,"));
        code.line(&format!("    const {} *from, size_t count)", self.part(of)));
        code.open("{");
        code.line(&format!("struct carnet_put put = carnet_pack_begin(room, count, {stride});"));
        code.line("size_t index;");
        code.open("for (index = 0; index < count && !put.is_wrong; index++) {");
        self.put_part("&put", of, "0", "from[index]", code);
        code.line(&format!("put.words += {stride};"));
        code.close("}");
        code.line("return carnet_pack_end(room, &put, count, list);");
        Self::end(code);
    }
}
