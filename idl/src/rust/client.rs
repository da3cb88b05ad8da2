//! The client: one method for each operation.

use super::code::Code;
use super::shape::{Shape, Slot, tuple};
use super::{ALLOW, Rust};
use crate::descriptor::{Interface, InterfaceId, Mode, Type, Word};

impl<'a> Rust<'a> {
    pub(super) fn client(
        &self,
        id: InterfaceId,
        interface: &Interface,
        operations: &[Shape<'a>],
        code: &mut Code,
    ) {
        let (client, service) = (&self.names.interfaces[id.index()], &self.names.services[id.index()]);
        let server = &self.names.servers[id.index()];
        code.doc(&interface.doc, &format!("The interface `{}`.", interface.name));
        code.line("///");
        code.line(&format!("/// A portal on an object of a [`{service}`]."));
        code.line("#[derive(Clone, Debug)]");
        code.line(&format!("pub struct {client}(stub::Portal);"));
        code.blank();
        code.open(&format!("impl stub::Interface for {client} {{"));
        code.line(&format!("const ID: stub::InterfaceId = stub::InterfaceId({});", id.0));
        code.blank();
        code.open("fn module() -> &'static stub::Module {");
        code.line("module()");
        code.shut("}");
        code.open(&format!("fn from_portal(portal: stub::Portal) -> {client} {{"));
        code.line(&format!("{client}(portal)"));
        code.close("}");
        code.shut("}");
        code.line(ALLOW);
        code.open(&format!("impl {client} {{"));
        code.line("/// An object that `service` carries out the operations of.");
        code.line("#[must_use]");
        code.open(&format!("pub fn serve(service: impl {service}) -> stub::Served<{client}> {{"));
        code.line(&format!("stub::Served::new(::std::sync::Arc::new({server}(service)))"));
        code.shut("}");
        code.line("/// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.");
        code.line("#[must_use]");
        code.open(&format!("pub const fn from_portal(portal: stub::Portal) -> {client} {{"));
        code.line(&format!("{client}(portal)"));
        code.shut("}");
        code.line("/// The portal itself.");
        code.line("#[must_use]");
        code.open("pub const fn portal(&self) -> &stub::Portal {");
        code.line("&self.0");
        code.close("}");
        for shape in operations {
            code.blank();
            self.method(id, shape, code);
        }
        code.shut("}");
    }

    fn method(&self, id: InterfaceId, shape: &Shape<'a>, code: &mut Code) {
        code.doc(&shape.operation.doc, &format!("The operation `{}`.", shape.operation.name));
        code.line("///");
        code.line("/// # Errors");
        code.line(match shape.operation.raises[..] {
            [] => "/// Why the call failed.",
            _ => "/// The exception that it raised, or why the call failed.",
        });
        let results: Vec<String> = shape.outs().map(|slot| self.owned(slot.ty)).collect();
        let error = match self.raised(shape) {
            Some(raised) => format!("stub::CallError<{raised}>"),
            None => "stub::Failure".to_owned(),
        };
        let tail = format!(") -> Result<{}, {error}> {{", tuple(&results));
        code.list(&format!("pub fn {}(", shape.method), &self.client_params(shape), &tail);
        code.indent();
        self.send(id, shape, code);
        self.receive(shape, code);
        code.close("}");
    }

    fn client_params(&self, shape: &Shape<'a>) -> Vec<String> {
        let mut params = vec!["&self".to_owned()];
        for slot in shape.declared() {
            let ty = match slot.mode {
                Mode::In => self.lent(slot.ty),
                Mode::InOut => format!("&mut {}", self.owned(slot.ty)),
                Mode::Out => continue,
            };
            params.push(format!("{}: {ty}", slot.name));
        }
        params
    }

    /// Fills the block and makes the call.
    fn send(&self, id: InterfaceId, shape: &Shape<'a>, code: &mut Code) {
        let mut request = Request::default();
        for slot in &shape.slots {
            self.slot_words(shape, slot, &mut request, code);
        }
        let words = request.words(shape.words);
        if words.is_empty() {
            code.line("let mut words = [];");
        } else {
            code.list("let mut words = [", &words, "];");
        }
        let inputs = format!("&[{}]", request.inputs.join(", "));
        let outputs = match request.outputs.len() {
            0 => "&mut []".to_owned(),
            count => {
                code.list("let mut outputs = [", &vec!["stub::Area::default()".to_owned(); count], "];");
                "&mut outputs".to_owned()
            }
        };
        let portals = format!("&[{}]", request.portals.join(", "));
        let arguments = [
            "&self.0".to_owned(),
            shape.number.to_string(),
            "&mut words".to_owned(),
            inputs,
            outputs,
            portals,
        ];
        let makes = shape.outs().any(|slot| matches!(slot.ty, Type::Portal(_)));
        let to = if makes { "let made = " } else { "" };
        let client = &self.names.interfaces[id.index()];
        code.list(&format!("{to}stub::call::<{client}>("), &arguments, ")?;");
    }

    fn slot_words(&self, shape: &Shape<'_>, slot: &Slot<'_>, request: &mut Request, code: &mut Code) {
        let check = format!(".argument(\"{}\", \"{}\")?", shape.title, slot.title);
        if let (Mode::In, Type::List { of, max }) = (slot.mode, slot.ty) {
            let value = format!("stub::list_area({}, {max}, {}){check}", slot.name, self.writer(of));
            code.assign(&format!("let {}", slot.area), &value);
        }
        let expr = match (slot.mode, slot.ty) {
            (Mode::InOut, Type::Struct(_)) | (Mode::In, _) | (Mode::Out, _) => slot.name.clone(),
            (Mode::InOut, _) => format!("(*{})", slot.name),
        };
        for leaf in self.leaves(slot.ty, &expr) {
            let expr = &leaf.expr;
            if slot.mode == Mode::Out {
                request.out(&leaf.word);
                continue;
            }
            match &leaf.word {
                Word::String { max } => {
                    let input = request.input(format!("stub::Input::Bytes({expr})"));
                    request.push(format!("stub::string_word({input}, {expr}, {max}){check}"));
                }
                Word::Bytes { max } => {
                    let input = request.input(format!("stub::Input::Bytes({expr})"));
                    request.push(format!("stub::bytes_word({input}, {expr}, {max}){check}"));
                }
                Word::List { .. } => {
                    let input = request.input(format!("stub::Input::List(&{})", slot.area));
                    request.push(format!("stub::area({input})"));
                }
                Word::Portal(_) => {
                    request.push(request.portals.len().to_string());
                    request.portals.push(format!("{expr}.portal()"));
                }
                word => {
                    let sure = Rust::sure_word(word, expr);
                    request.push(sure.unwrap_or_else(|| {
                        format!("stub::u64_word({}){check}", expr.trim_matches(['(', ')']))
                    }));
                }
            }
        }
    }

    /// Takes the reply apart; all of it is checked before anything is changed or returned.
    fn receive(&self, shape: &Shape<'a>, code: &mut Code) {
        let check = format!(".reply(\"{}\")", shape.title);
        let mut output = 0;
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::In) {
            let value = match slot.ty {
                Type::List { of, max } => {
                    output += 1;
                    let reader = self.reader(of);
                    format!("stub::list(&outputs[{}], {max}, {reader}){check}?", output - 1)
                }
                ty => self.build(ty, &mut slot.word.clone(), &mut |ty, word| {
                    self.received(ty, word, &mut output, &check)
                }),
            };
            let to = if slot.mode == Mode::InOut { &slot.area } else { &slot.name };
            code.assign(&format!("let {to}"), &value);
        }
        for slot in shape.slots.iter().filter(|slot| slot.mode == Mode::InOut) {
            code.line(&format!("*{} = {};", slot.name, slot.area));
        }
        let results: Vec<String> = shape.outs().map(|slot| slot.name.clone()).collect();
        code.line(&format!("Ok({})", tuple(&results)));
    }

    fn received(&self, ty: &Type, word: usize, output: &mut usize, check: &str) -> String {
        let mut next = || {
            *output += 1;
            *output - 1
        };
        match ty {
            Type::String { max } => format!("stub::string_output(&mut outputs[{}], {max}){check}?", next()),
            Type::Bytes { max } => format!("stub::bytes_output(&mut outputs[{}], {max}){check}?", next()),
            Type::Portal(id) => {
                let client = &self.names.interfaces[id.index()];
                format!("{client}(stub::made(&made, words[{word}]){check}?)")
            }
            ty => self.scalar(ty, &format!("words[{word}]")).or(check),
        }
    }
}

/// What a client sends, as expressions.
#[derive(Default)]
struct Request {
    /// Words; `None` for those of outputs, whose areas are numbered behind the inputs.
    words: Vec<Option<String>>,
    inputs: Vec<String>,
    /// Places in `words` of the outputs.
    outputs: Vec<usize>,
    portals: Vec<String>,
}

impl Request {
    fn push(&mut self, word: String) {
        self.words.push(Some(word));
    }

    fn input(&mut self, input: String) -> usize {
        self.inputs.push(input);
        self.inputs.len() - 1
    }

    fn out(&mut self, word: &Word) {
        if matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. }) {
            self.outputs.push(self.words.len());
            self.words.push(None);
        } else {
            self.push("0".to_owned());
        }
    }

    fn words(&self, count: usize) -> Vec<String> {
        let output = |place: usize| {
            let number = self.outputs.iter().position(|at| *at == place).unwrap_or(0);
            format!("stub::area({})", self.inputs.len() + number)
        };
        debug_assert_eq!(self.words.len(), count, "every word of the block is filled");
        self.words.iter().enumerate().map(|(at, word)| word.clone().unwrap_or_else(|| output(at))).collect()
    }
}
