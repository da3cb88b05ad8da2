//! The service's trait, and the dispatch that calls it.

use super::shape::{Shape, Side, Slot, part, tuple};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Interface, InterfaceId, Mode, Type};

impl<'a> Rust<'a> {
    /// The trait.
    pub(super) fn service(
        &self,
        id: InterfaceId,
        interface: &Interface,
        operations: &[Shape<'a>],
        code: &mut Lines,
    ) {
        let service = &self.names.services[id.index()];
        code.line(&format!("/// What a service with the interface `{}` does.", interface.name));
        code.line(ALLOW);
        code.open(&format!("pub trait {service}: Send + Sync + 'static {{"));
        for (index, shape) in operations.iter().enumerate() {
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
                Mode::In => self.lent_on(Side::Given, slot.ty),
                Mode::InOut => format!("&mut {}", self.owned(slot.ty)),
                Mode::Out => continue,
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

    /// `struct DirServer` and its `Object`.
    pub(super) fn dispatch(
        &self,
        id: InterfaceId,
        interface: &Interface,
        operations: &[Shape<'a>],
        code: &mut Lines,
    ) {
        let (client, service) = (&self.names.interfaces[id.index()], &self.names.services[id.index()]);
        let server = &self.names.servers[id.index()];
        code.line(&format!("struct {server}<S>(S);"));
        code.blank();
        code.line(ALLOW);
        code.open(&format!("impl<S: {service}> stub::Object for {server}<S> {{"));
        code.open("fn interface(&self) -> (&'static stub::Module, stub::InterfaceId) {");
        code.line(&format!("(module(), {client}::ID)"));
        code.shut("}");
        let call = if operations.is_empty() { "_call" } else { "call" };
        code.open(&format!(
            "fn dispatch(&self, op: u16, {call}: &mut stub::Call<'_>) -> Result<(), stub::Failure> {{"
        ));
        code.open("match op {");
        for shape in operations {
            code.line(&format!("{} => self.op_{}(call),", shape.number, shape.number));
        }
        code.line(&format!("_ => Err(stub::no_such_operation(\"{}\", op)),", interface.name));
        code.close("}");
        code.shut("}");
        code.open("fn service(&self) -> &dyn ::std::any::Any {");
        code.line("&self.0");
        code.close("}");
        code.shut("}");
        if operations.is_empty() {
            return;
        }
        code.line(ALLOW);
        code.open(&format!("impl<S: {service}> {server}<S> {{"));
        for (index, shape) in operations.iter().enumerate() {
            if index > 0 {
                code.blank();
            }
            self.dispatch_one(shape, code);
        }
        code.shut("}");
    }

    fn dispatch_one(&self, shape: &Shape<'a>, code: &mut Lines) {
        // Operations on scalars alone stay small in `dispatch`; others would make its frame large for all.
        let is_plain = shape.slots.iter().all(|slot| slot.ty.is_plain());
        code.line(&format!("/// `{}`.", shape.title));
        code.line(if is_plain { "#[inline]" } else { "#[inline(never)]" });
        code.open(&format!(
            "fn op_{}(&self, call: &mut stub::Call<'_>) -> Result<(), stub::Failure> {{",
            shape.number
        ));
        let block = format!("stub::block::<{}>(call.words)?", shape.words);
        if shape.words > 0 {
            code.assign("let words", &block);
        } else {
            code.line(&format!("{block};"));
        }
        for slot in shape.outs().filter(|slot| slot.is_written()) {
            code.assign(
                &format!("let mut {}", slot.area),
                &format!("call.areas.take(words[{}])?", slot.word),
            );
        }
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::Out) {
            let mutable = if slot.mode == Mode::InOut { "mut " } else { "" };
            code.assign(&format!("let {mutable}{}", slot.name), &self.argument(shape, slot));
        }
        for slot in shape.outs().filter(|slot| slot.is_written()) {
            code.assign(&format!("let mut {}", slot.name), &self.new_writer(slot));
        }
        self.invoke(shape, code);
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::In) {
            self.result(shape, slot, code);
        }
        code.line("Ok(())");
        code.close("}");
    }

    /// The value of an in or inout parameter, checked.
    fn argument(&self, shape: &Shape<'_>, slot: &Slot<'_>) -> String {
        let (title, name, word) = (&shape.title, slot.title, slot.word);
        let check = format!(".argument(\"{title}\", \"{name}\")");
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

    fn new_writer(&self, slot: &Slot<'_>) -> String {
        match slot.ty {
            Type::List { of, max } => {
                format!("{}(stub::ListOut::new(&mut {}, {max}))", self.names.list(of), slot.area)
            }
            Type::String { max } | Type::Bytes { max } => {
                format!("stub::BytesOut::new(&mut {}, {max})", slot.area)
            }
            _ => String::new(),
        }
    }

    fn invoke(&self, shape: &Shape<'a>, code: &mut Lines) {
        let mut arguments = vec!["call.caller".to_owned()];
        for slot in shape.declared() {
            let lend = match (slot.mode, slot.ty) {
                (Mode::Out, _) => continue,
                (Mode::InOut, _) => "&mut ",
                (Mode::In, Type::Struct(_) | Type::Union(_) | Type::Array { .. } | Type::List { .. }) => "&",
                (Mode::In, _) => "",
            };
            arguments.push(format!("{lend}{}", slot.name));
        }
        let written = shape.outs().filter(|slot| slot.is_written());
        arguments.extend(written.map(|slot| format!("&mut {}", slot.name)));
        let names: Vec<String> = shape.returned().map(|slot| slot.name.clone()).collect();
        let to = if names.is_empty() { String::new() } else { format!("let {} = ", tuple(&names)) };
        code.list(&format!("{to}self.0.{}(", shape.method), &arguments, ")?;");
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
            return code.line(&format!("words[{word}] = call.areas.put(words[{word}], {})?;", slot.area));
        }
        if let Type::List { of, max } = slot.ty {
            let writer = self.writer(Side::Returned, of);
            let (name, at) = (&slot.name, format!("words[{word}]"));
            return code.assign(
                &at,
                &format!("stub::put_list(call.areas, {at}, {name}, {max}, {writer}, \"{title}\")?"),
            );
        }
        let check = format!(".given(\"{title}\")?");
        for (index, leaf) in self.leaves(slot.ty, &part(slot.ty, &slot.name), &check).iter().enumerate() {
            let (at, expr) = (format!("words[{}]", word + index), &leaf.expr);
            let value = match &leaf.ty {
                Some(Type::Portal(_)) => format!("stub::make(call.made, {expr})"),
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

impl Type {
    /// Whether a value is one word that refers to nothing.
    fn is_plain(&self) -> bool {
        matches!(self, Type::Bool | Type::Char | Type::Float { .. } | Type::Int { .. } | Type::Enum(_))
    }
}
