//! Dispatch: operations by their numbers, in each of the ways by which a call comes.
//!
//! An interface has functions for its own operations alone. What it inherits has smaller numbers, and is left to what was
//! written for its base.

use super::names::Trio;
use super::shape::{Face, Shape, way};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Operation, Short};

/// A function of `stub::Dispatch`.
struct Way {
    name: &'static str,
    /// Parameters behind service and number.
    params: &'static [(&'static str, &'static str)],
}

const WORDS: (&str, &str) = ("words", "&mut stub::ShortWords");
const PIECE: (&str, &str) = ("piece", "&[u8]");
const CALLER: (&str, &str) = ("caller", "&stub::Caller");

/// The way that every operation goes.
const WHOLE: Way = Way { name: "dispatch", params: &[("call", "&mut stub::Call<'_>")] };

/// Ways that short operations go, too, one each.
const SHORT: [Way; 3] = [
    Way { name: "short", params: &[CALLER, WORDS] },
    Way { name: "short_in", params: &[CALLER, WORDS, PIECE] },
    Way { name: "short_out", params: &[CALLER, WORDS, PIECE, ("out", "&mut Vec<u8>")] },
];

impl<'a> Rust<'a> {
    /// `struct DirServer` and its `Dispatch`.
    pub(super) fn dispatch(&self, face: &Face<'a, '_>, code: &mut Lines) {
        let Trio { client, service, server, .. } = face.names;
        code.line(ALLOW);
        code.line(&format!("struct {server};"));
        code.blank();
        code.line(ALLOW);
        code.open(&format!("impl<S: {service}> stub::Dispatch<S> for {server} {{"));
        code.line(&format!("type Interface = {client};"));
        code.blank();
        code.open("fn lend(service: &::std::sync::Arc<S>, place: &mut dyn ::std::any::Any) {");
        let lend = format!("stub::lend::<{client}>(place, ::std::sync::Arc::<S>::clone(service))");
        match face.base {
            None => code.line(&format!("{lend};")),
            Some(base) => {
                code.open(&format!("if !{lend} {{"));
                code.line(&format!("{}::lend(service, place);", base.server));
                code.close("}");
            }
        }
        code.close("}");
        for way in std::iter::once(&WHOLE).chain(&SHORT) {
            if way.name == WHOLE.name || face.interface.operations.iter().any(|each| way.takes(each)) {
                way.function(face, code);
            }
        }
        self.plain_dispatch(face, code);
        code.shut("}");
        if face.operations.is_empty() {
            return;
        }
        code.line(ALLOW);
        code.open(&format!("impl {server} {{"));
        for (index, shape) in face.operations.iter().enumerate() {
            if index > 0 {
                code.blank();
            }
            self.operation(service, shape, code);
        }
        self.plain_operations(face, code);
        code.shut("}");
    }
}

impl Way {
    fn function(&self, face: &Face<'_, '_>, code: &mut Lines) {
        let own: Vec<&Shape<'_>> =
            face.operations.iter().filter(|shape| self.takes(shape.operation)).collect();
        let base = face.base.filter(|_| face.interface.inherited > 0);
        let is_used =
            |name: &str| base.is_some() || own.iter().any(|shape| name != PIECE.0 || shape.sent().is_some());
        let params = self.declared(is_used);
        code.blank();
        code.list(&format!("fn {}(", self.name), &params, ") -> Result<(), stub::Failure> {");
        code.indent();
        let inherited = base.map(|base| format!("{}::{}({})", base.server, self.name, self.passed()));
        match inherited {
            Some(inherited) if own.is_empty() => code.line(&inherited),
            inherited => self.by_number(face, inherited, &own, code),
        }
        code.close("}");
    }

    fn by_number(
        &self,
        face: &Face<'_, '_>,
        inherited: Option<String>,
        own: &[&Shape<'_>],
        code: &mut Lines,
    ) {
        code.open("match op {");
        if let Some(inherited) = inherited {
            code.line(&format!("..={} => {inherited},", face.interface.inherited - 1));
        }
        for shape in own {
            match self.name == WHOLE.name {
                true => whole_arm(shape, code),
                false => code.line(&self.short_arm(shape)),
            }
        }
        code.line("_ => Err(stub::no_such_operation::<Self::Interface>(op)),");
        code.close("}");
    }

    /// Whether an operation may go it.
    fn takes(&self, operation: &Operation) -> bool {
        self.name == WHOLE.name || operation.layout.short.is_some_and(|short| way(short) == self.name)
    }

    /// Parameters as declared; those that nothing is called with have no name.
    fn declared(&self, is_used: impl Fn(&str) -> bool) -> Vec<String> {
        let name = |name: &'static str| if is_used(name) { name } else { "_" };
        let mut all = vec![format!("{}: &S", name("service")), "op: u16".to_owned()];
        all.extend(self.params.iter().map(|(own, ty)| format!("{}: {ty}", name(own))));
        all
    }

    /// Parameters as they are handed on.
    fn passed(&self) -> String {
        let names = self.params.iter().map(|(name, _)| *name);
        ["service", "op"].into_iter().chain(names).collect::<Vec<&str>>().join(", ")
    }

    /// Calls a short operation.
    fn short_arm(&self, shape: &Shape<'_>) -> String {
        let number = shape.number;
        let sent = shape.sent().map_or("", |_| ", piece");
        let returned = shape.returned_piece().map_or("", |_| ", out");
        format!("{number} => Self::op_{number}(service, caller, stub::head(words)?{sent}{returned}),")
    }
}

/// Calls an operation with its whole call.
fn whole_arm(shape: &Shape<'_>, code: &mut Lines) {
    let number = shape.number;
    let head = format!("{number} => ");
    let own = format!("Self::op_{number}(service, ");
    let Some(short) = shape.operation.layout.short else { return code.line(&format!("{head}{own}call),")) };
    let own = format!("{own}call.caller, stub::block(call.words)?");
    if let Short::Words = short {
        return code.line(&format!("{head}{own}),"));
    }
    code.open(&format!("{head}{{"));
    if let Some(at) = short.returned() {
        code.line(&format!("let mut area = call.take({at})?;"));
    }
    if let Some(piece) = shape.sent() {
        let check = format!(".argument(\"{}\", \"{}\")?", shape.title, piece.title);
        code.assign("let piece", &format!("stub::piece(call.areas, call.words, {}){check}", piece.word));
    }
    let sent = shape.sent().map_or("", |_| ", piece");
    match short.returned() {
        None => code.line(&format!("{own}{sent})")),
        Some(at) => {
            code.line(&format!("{own}{sent}, &mut area.bytes)?;"));
            code.line(&format!("call.put({at}, area)"));
        }
    }
    code.close("}");
}
