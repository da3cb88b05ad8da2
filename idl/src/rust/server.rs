//! The service's trait, and for each operation what calls it.

use super::shape::{Face, Shape, Side, Slot, bounded, part, put_unions, tuple};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Mode, Type};

impl<'a> Rust<'a> {
    /// The trait.
    pub(super) fn service(&self, face: &Face<'a, '_>, code: &mut Lines) {
        let base = face.base.map_or("Send + Sync + 'static", |base| base.service);
        code.line(&format!("/// What a service with the interface `{}` does.", face.interface.name));
        code.line(ALLOW);
        code.open(&format!("pub trait {}: {base} {{", face.names.service));
        for (index, shape) in face.operations.iter().enumerate() {
            if index > 0 {
                code.blank();
            }
            code.doc(&shape.operation.doc, &format!("The operation `{}`.", shape.operation.name));
            let tail = format!(") -> Result<{}, {}>;", self.returns(shape), self.error(shape));
            code.list(&format!("fn {}(", shape.method), &self.service_params(shape), &tail);
        }
        code.shut("}");
    }

    fn service_params(&self, shape: &Shape<'a>) -> Vec<String> {
        let mut params = vec!["&self".to_owned(), "caller: &stub::Caller".to_owned()];
        for slot in shape.declared() {
            let ty = match slot.mode {
                Mode::Out => continue,
                _ if slot.is_changed() => format!("&mut {}", self.owned(slot.ty)),
                _ => self.lent_on(Side::Given, slot.ty),
            };
            params.push(format!("{}: {ty}", slot.name));
        }
        for slot in shape.outs().filter(|slot| slot.is_written()) {
            params.push(format!("{}: &mut {}<'_>", slot.name, self.out_writer(slot.ty)));
        }
        params
    }

    fn out_writer(&self, ty: &Type) -> &str {
        match ty {
            Type::List { of, .. } => self.names.list(of),
            _ => "stub::BytesOut",
        }
    }

    fn returns(&self, shape: &Shape<'a>) -> String {
        let types: Vec<String> =
            shape.returned().map(|slot| self.owned_on(Side::Returned, slot.ty)).collect();
        tuple(&types)
    }

    /// The error of the service's method.
    fn error(&self, shape: &Shape<'_>) -> String {
        shape.raised.clone().unwrap_or_else(|| "stub::Failure".to_owned())
    }

    /// The function that takes an operation's arguments out of its call, and puts its results there.
    pub(super) fn operation(&self, service: &str, shape: &Shape<'a>, code: &mut Lines) {
        // Short operations stay small in what calls them; others would make its frame large for all.
        code.line(&format!("/// `{}`.", shape.title));
        code.line(if shape.operation.layout.short.is_some() { "#[inline]" } else { "#[inline(never)]" });
        let result = ") -> Result<(), stub::Failure> {";
        if shape.operation.layout.short.is_some() {
            let (sent, returned) = (shape.sent(), shape.returned_piece());
            let is_piece =
                |slot: &Slot<'_>| sent.iter().chain(&returned).any(|piece| piece.word == slot.word);
            let has_values = !shape.slots.iter().all(is_piece);
            let words = if has_values { "words" } else { "_words" };
            let mut params = vec![
                format!("service: &impl {service}"),
                "caller: &stub::Caller".to_owned(),
                format!("{words}: &mut [u64; {}]", shape.words),
            ];
            params.extend(sent.map(|piece| format!("{}: &[u8]", piece.name)));
            params.extend(returned.map(|piece| format!("{}: &mut Vec<u8>", piece.area)));
            code.list(&format!("fn op_{}(", shape.number), &params, result);
            code.indent();
        } else {
            let params = [format!("service: &impl {service}"), "call: &mut stub::Call<'_>".to_owned()];
            code.list(&format!("fn op_{}(", shape.number), &params, result);
            code.indent();
            let block = format!("stub::block::<{}>(call.words)?", shape.words);
            if shape.words > 0 {
                code.assign("let words", &block);
            } else {
                code.line(&format!("{block};"));
            }
            self.take_areas(shape, code);
        }
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::Out && taken(slot).is_none()) {
            if shape.is_in_place(slot) {
                code.line(&format!("let {} = stub::in_place(&mut words[{}]);", slot.name, slot.word));
                continue;
            }
            let mutable = if slot.is_changed() { "mut " } else { "" };
            code.assign(&format!("let {mutable}{}", slot.name), &self.argument(shape, slot));
        }
        for slot in shape.outs().filter(|slot| slot.is_written()) {
            code.assign(&format!("let mut {}", slot.name), &self.new_writer(shape, slot));
        }
        self.invoke(shape, code);
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::In && !shape.is_in_place(slot)) {
            self.result(shape, slot, code);
        }
        code.line("Ok(())");
        code.close("}");
    }

    /// Before any of them is lent: areas that results are written into, and data that are changed.
    fn take_areas(&self, shape: &Shape<'_>, code: &mut Lines) {
        for slot in shape.outs().filter(|slot| slot.is_written()) {
            code.assign(
                &format!("let mut {}", slot.area),
                &format!("call.areas.take(words[{}])?", slot.word),
            );
        }
        for slot in &shape.slots {
            let Some((what, max)) = taken(slot) else { continue };
            let check = format!(".argument(\"{}\", \"{}\")?", shape.title, slot.title);
            let take = format!("stub::take_{what}(call.areas, words[{}], {max}){check}", slot.word);
            code.assign(&format!("let mut {}", slot.name), &take);
        }
    }

    /// The value of an in or inout parameter, checked.
    fn argument(&self, shape: &Shape<'_>, slot: &Slot<'_>) -> String {
        let (title, name, word) = (&shape.title, slot.title, slot.word);
        let check = format!(".argument(\"{title}\", \"{name}\")");
        if let Some(value) = bounded(slot.ty, &slot.name).filter(|_| shape.operation.layout.short.is_some()) {
            return format!("{value}{check}?");
        }
        match slot.ty {
            Type::Portal(_) => {
                let ty = self.owned(slot.ty);
                format!("stub::portal::<{ty}>(call.portals, words[{word}], \"{title}\", \"{name}\")?")
            }
            Type::String { max } => format!("stub::string(call.areas, words[{word}], {max}){check}?"),
            Type::Bytes { max } => format!("stub::bytes(call.areas, words[{word}], {max}){check}?"),
            Type::List { of, max } => {
                let reader = self.reader(Side::Given, of);
                format!("stub::list_in(call.areas, words[{word}], {max}, {reader}){check}?")
            }
            ty => {
                self.build(Side::Given, ty, &mut slot.word.clone(), &format!("{check}?"), &mut |ty, word| {
                    match ty {
                        Type::Portal(id) => {
                            let client = &self.names.interfaces[id.index()];
                            format!("stub::portal_in::<{client}>(call.portals, words[{word}]){check}?")
                        }
                        Type::List { of, max } => {
                            let unpacking = self.unpacking(of, *max);
                            format!("stub::unpacked_in(call.areas, words[{word}], {unpacking}){check}?")
                        }
                        Type::Array { .. } => {
                            let len = ty.octets().unwrap_or(0);
                            format!("stub::array(stub::bytes(call.areas, words[{word}], {len})){check}?")
                        }
                        Type::String { max } => {
                            format!("stub::string(call.areas, words[{word}], {max}){check}?.to_vec()")
                        }
                        Type::Bytes { max } => {
                            format!("stub::bytes(call.areas, words[{word}], {max}){check}?.to_vec()")
                        }
                        ty => self.scalar(ty, &format!("words[{word}]")).or(&check),
                    }
                })
            }
        }
    }

    fn new_writer(&self, shape: &Shape<'_>, slot: &Slot<'_>) -> String {
        match slot.ty {
            Type::List { of, max } => {
                format!("{}(stub::ListOut::new(&mut {}, {max}))", self.names.list(of), slot.area)
            }
            Type::String { max } | Type::Bytes { max } if shape.operation.layout.short.is_some() => {
                format!("stub::BytesOut::new({}, {max})", slot.area)
            }
            Type::String { max } | Type::Bytes { max } => {
                format!("stub::BytesOut::new(&mut {}.bytes, {max})", slot.area)
            }
            _ => String::new(),
        }
    }

    fn invoke(&self, shape: &Shape<'a>, code: &mut Lines) {
        let is_short = shape.operation.layout.short.is_some();
        let mut arguments = vec![if is_short { "caller" } else { "call.caller" }.to_owned()];
        for slot in shape.declared() {
            let lend = match (slot.mode, slot.ty) {
                (Mode::Out, _) => continue,
                (Mode::InOut, _) if shape.is_in_place(slot) => "",
                (Mode::InOut, _) if slot.is_changed() => "&mut ",
                (_, Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::List { .. }) => "&",
                _ => "",
            };
            arguments.push(format!("{lend}{}", slot.name));
        }
        let written = shape.outs().filter(|slot| slot.is_written());
        arguments.extend(written.map(|slot| format!("&mut {}", slot.name)));
        let names: Vec<String> = shape.returned().map(|slot| slot.given_back().to_owned()).collect();
        let to = if names.is_empty() { String::new() } else { format!("let {} = ", tuple(&names)) };
        code.list(&format!("{to}service.{}(", shape.method), &arguments, ")?;");
    }

    /// Puts an inout or out value into the block.
    fn result(&self, shape: &Shape<'_>, slot: &Slot<'_>, code: &mut Lines) {
        let (title, word) = (&shape.title, slot.word);
        if slot.is_written() {
            match slot.ty {
                Type::List { .. } => code.line(&format!("{}.0.finish(\"{title}\")?;", slot.name)),
                Type::String { .. } => code.line(&format!("{}.finish_string(\"{title}\")?;", slot.name)),
                _ => {}
            }
            if shape.operation.layout.short.is_none() {
                code.line(&format!("words[{word}] = call.areas.put(words[{word}], {})?;", slot.area));
            }
            return;
        }
        if let Some((what, max)) = taken(slot) {
            let (name, at) = (&slot.name, format!("words[{word}]"));
            let give = format!("stub::give_{what}(call.areas, {at}, {name}, {max}, \"{title}\")?");
            return code.assign(&at, &give);
        }
        if let Type::List { of, max } = slot.ty {
            // What was changed is still the stub's own: its elements are lent.
            let (side, lend) = if slot.is_changed() { (Side::Client, "&") } else { (Side::Returned, "") };
            let writer = self.writer(side, of);
            let (name, at) = (format!("{lend}{}", slot.given_back()), format!("words[{word}]"));
            return code.assign(
                &at,
                &format!("stub::put_list(call.areas, {at}, {name}, {max}, {writer}, \"{title}\")?"),
            );
        }
        let check = format!(".given(\"{title}\")?");
        let leaves = self.leaves(slot.ty, &part(slot.ty, slot.given_back()), &check);
        put_unions(&leaves, word).iter().for_each(|line| code.line(line));
        for (index, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.ty.is_some()) {
            let (at, expr) = (format!("words[{}]", word + index), &leaf.expr);
            let value = match &leaf.ty {
                Some(Type::Bytes { max }) if leaf.is_made => {
                    format!("stub::put_bytes(call.areas, {at}, &{expr}{check}, {max}, \"{title}\")?")
                }
                Some(Type::Portal(_)) => format!("stub::make(call.made, {})", leaf.moved()),
                Some(Type::Array { len, .. }) => {
                    format!("stub::put_bytes(call.areas, {at}, {expr}, {len}, \"{title}\")?")
                }
                Some(Type::String { max }) => {
                    format!("stub::put_string(call.areas, {at}, {expr}, {max}, \"{title}\")?")
                }
                Some(Type::Bytes { max }) => {
                    format!("stub::put_bytes(call.areas, {at}, {expr}, {max}, \"{title}\")?")
                }
                ty => Rust::sure_word(ty.as_ref(), expr)
                    .unwrap_or_else(|| format!("stub::u64_result({expr}, \"{title}\")?")),
            };
            code.assign(&at, &value);
        }
    }
}

/// What a string or bytes are whose own vector a service is given to change, and their bound.
fn taken(slot: &Slot<'_>) -> Option<(&'static str, u32)> {
    match slot.ty {
        Type::String { max } if slot.mode == Mode::InOut => Some(("string", *max)),
        Type::Bytes { max } if slot.mode == Mode::InOut => Some(("bytes", *max)),
        _ => None,
    }
}
