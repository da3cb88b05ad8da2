//! `MODULE_Type_copy` and `MODULE_Type_room`, of structs, unions and exceptions whose texts, bytes and lists lie in a message.
//!
//! Both stand on one function, which puts copies in place of what a value refers to, or counts them; see `carnet_values.h`. Bytes
//! of a list within another value refer to nothing else, so that they are copied as they are.

use super::C;
use super::names::For;
use crate::backend::Lines;
use crate::descriptor::{Field, Type, Union};

/// What has fields or arms.
enum Compound<'a> {
    Fields(&'a [Field]),
    Union(&'a Union),
}

impl<'a> C<'a> {
    /// Names of the types that are copied.
    pub(super) fn copied(&self) -> Vec<&'a str> {
        self.compounds().into_iter().map(|(name, _)| name).collect()
    }

    /// Structs, unions and exceptions with members that refer to something, each behind what it is made of.
    fn compounds(&self) -> Vec<(&'a str, Compound<'a>)> {
        let module = self.module;
        let (mut found, mut unions) = (vec![], module.unions.iter().peekable());
        for (index, new) in module.structs.iter().enumerate() {
            while let Some(new) = unions.next_if(|new| usize::from(new.structs_before) <= index) {
                found.push((&*new.name, Compound::Union(new)));
            }
            found.push((&*new.name, Compound::Fields(&new.fields)));
        }
        found.extend(unions.map(|new| (&*new.name, Compound::Union(new))));
        found.extend(self.typed_exceptions().map(|new| (&*new.name, Compound::Fields(&new.members))));
        let refers = |compound: &Compound<'_>| match compound {
            Compound::Fields(fields) => fields.iter().any(|field| self.refers(&field.ty)),
            Compound::Union(new) => new.arms.iter().any(|arm| self.refers(&arm.ty)),
        };
        found.into_iter().filter(|(_, compound)| refers(compound)).collect()
    }

    /// Whether a part of a value refers to something that lies in a message.
    fn refers(&self, ty: &Type) -> bool {
        match ty {
            Type::String { .. } | Type::Bytes { .. } | Type::List { .. } => true,
            Type::Struct(id) => {
                self.module.structs[id.index()].fields.iter().any(|field| self.refers(&field.ty))
            }
            Type::Union(id) => self.module.unions[id.index()].arms.iter().any(|arm| self.refers(&arm.ty)),
            Type::Array { .. } if ty.octets().is_some() => false,
            Type::Array { of, .. } => self.refers(of),
            _ => false,
        }
    }

    /// All functions that copy.
    pub(super) fn copiers(&self, code: &mut Lines) {
        for (name, compound) in self.compounds() {
            self.copier(name, &compound, code);
        }
    }

    fn copier(&self, name: &str, compound: &Compound<'a>, code: &mut Lines) {
        let tag = format!("struct {}", self.name(name));
        let [copy, room, copied] = [For::Copy, For::Room, For::Copied].map(|what| self.names.of(what, name));
        code.line(&format!("static inline void {copied}(struct carnet_copying *copying, {tag} *value)"));
        code.open("{");
        match compound {
            Compound::Fields(fields) => {
                for (field, member) in fields.iter().zip(self.members(fields)) {
                    self.copy_part(&field.ty, &format!("value->{member}"), 0, code);
                }
            }
            Compound::Union(new) => self.copy_arm(new, code),
        }
        code.close("}");
        code.blank();
        code.line(&format!("/* Words that {copy} needs. */"));
        code.line(&format!("static inline size_t {room}(const {tag} *value)"));
        code.open("{");
        code.line("struct carnet_copying copying = {NULL, 0};");
        code.line(&format!("{tag} counted = *value;"));
        code.line(&format!("{copied}(&copying, &counted);"));
        code.line("return copying.words;");
        code.close("}");
        code.blank();
        code.line("/* Copies a value, and into the room what it refers to; false, with nothing changed, if there is too little room. */");
        code.line(&format!("static inline bool {copy}({tag} *to, struct carnet_room *room,"));
        code.line(&format!("    const {tag} *from)"));
        code.open("{");
        code.line("struct carnet_copying copying = {room->next, 0};");
        code.when(&format!("{room}(from) > room->left"), &["return false;"]);
        code.line("*to = *from;");
        code.line(&format!("{copied}(&copying, to);"));
        code.line("carnet_room_used(room, copying.words);");
        code.line("return true;");
        code.close("}");
        code.blank();
    }

    /// Copies what the arm refers to that the value has.
    fn copy_arm(&self, new: &'a Union, code: &mut Lines) {
        code.line("switch ((int64_t)value->which) {");
        let has_default = new.arms.iter().any(|arm| arm.labels.is_empty());
        for (arm, name) in new.arms.iter().zip(self.arm_names(new)) {
            if !self.refers(&arm.ty) && !has_default {
                continue; // as a discriminant that is none
            }
            self.labels(arm, code);
            code.indent();
            self.copy_part(&arm.ty, &format!("value->is.{name}"), 0, code);
            code.line("break;");
            code.dedent();
        }
        if !has_default {
            code.line("default:");
            code.line("    break;");
        }
        code.line("}");
    }

    /// Copies what a part refers to, which stands in so many arrays.
    fn copy_part(&self, ty: &Type, place: &str, depth: usize, code: &mut Lines) {
        match ty {
            _ if !self.refers(ty) => {}
            Type::String { .. } => code.line(&format!("carnet_copy_text(copying, &{place});")),
            Type::Bytes { .. } => code.line(&format!("carnet_copy_bytes(copying, &{place});")),
            Type::List { .. } => code.line(&format!("carnet_copy_list(copying, &{place});")),
            Type::Array { of, len } => {
                let index = format!("index{depth}");
                code.open("{");
                code.line(&format!("size_t {index};"));
                code.open(&format!("for ({index} = 0; {index} < {len}; {index}++) {{"));
                self.copy_part(of, &format!("{place}.at[{index}]"), depth + 1, code);
                code.close("}");
                code.close("}");
            }
            ty => {
                let copied = self.names.of(For::Copied, &self.identity(ty));
                code.line(&format!("{copied}(copying, &{place});"));
            }
        }
    }
}
