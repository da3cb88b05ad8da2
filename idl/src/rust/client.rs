//! The client: one method for each operation.

use super::names::Trio;
use super::near::has_near;
use super::shape::{Face, Leaf, Shape, Side, Slot, bounded, put_unions, tuple};
use super::{ALLOW, Rust};
use crate::backend::Lines;
use crate::descriptor::{Mode, SHORT_WORDS, Short, Type};

impl<'a> Rust<'a> {
    pub(super) fn client(&self, face: &Face<'a, '_>, code: &mut Lines) {
        let Trio { client, service, server, .. } = face.names;
        let base = face.base.map(|base| base.client);
        code.doc(&face.interface.doc, &format!("The interface `{}`.", face.interface.name));
        code.line("///");
        let inherits = base.map_or(String::new(), |base| format!(" It does all that a [`{base}`] does."));
        code.line(&format!("/// A portal on an object of a [`{service}`].{inherits}"));
        code.line(ALLOW);
        code.line("#[derive(Clone, Debug)]");
        code.open(&format!("pub struct {client} {{"));
        code.line(&base.map_or("client: stub::Client,".to_owned(), |base| format!("base: {base},")));
        if has_near(face) {
            code.line(&format!("near: stub::Nearby<{client}>,"));
        }
        code.shut("}");
        Self::typed(face, code);
        code.line(ALLOW);
        code.open(&format!("impl {client} {{"));
        code.line("/// An object that `service` carries out the operations of.");
        code.line("#[must_use]");
        code.open(&format!("pub fn serve(service: impl {service}) -> stub::Served<{client}> {{"));
        code.line(&format!("stub::serve::<{server}, _>(service)"));
        code.shut("}");
        code.line("/// Wraps a portal, which is taken to be on such an object; if it is not, calls fail.");
        code.line("#[must_use]");
        code.open(&format!("pub fn from_portal(portal: stub::Portal) -> {client} {{"));
        code.line("stub::Interface::from_portal(portal)");
        code.shut("}");
        code.line("/// The portal itself.");
        code.line("#[must_use]");
        code.open("pub fn portal(&self) -> &stub::Portal {");
        code.line("self.client.portal()");
        code.close("}");
        for shape in &face.operations {
            code.blank();
            self.method(shape, code);
        }
        code.shut("}");
        self.extends(face, code);
    }

    /// The client as an interface's type.
    fn typed(face: &Face<'_, '_>, code: &mut Lines) {
        let client = face.names.client;
        code.open(&format!("impl stub::Interface for {client} {{"));
        code.line(&format!("type Service = dyn {};", face.names.service));
        code.blank();
        code.line(&format!("const ID: stub::InterfaceId = stub::InterfaceId({});", face.id.0));
        code.blank();
        code.open("fn module() -> &'static stub::Module {");
        code.line("module()");
        code.shut("}");
        code.open(&format!("fn from_client(client: stub::Client) -> {client} {{"));
        let near = if has_near(face) { "near: stub::Nearby::new(&client), " } else { "" };
        code.line(&match face.base {
            None => format!("{client} {{ {near}client }}"),
            Some(base) => format!("{client} {{ {near}base: {}::from_client(client) }}", base.client),
        });
        code.close("}");
        code.shut("}");
    }

    /// What it inherits, as the base's own client has it.
    fn extends(&self, face: &Face<'a, '_>, code: &mut Lines) {
        let client = face.names.client;
        if let Some(Trio { client: base, .. }) = face.base {
            code.open(&format!("impl ::std::ops::Deref for {client} {{"));
            code.line(&format!("type Target = {base};"));
            code.blank();
            code.open(&format!("fn deref(&self) -> &{base} {{"));
            code.line("&self.base");
            code.close("}");
            code.shut("}");
        }
        for base in self.module.bases(face.id).skip(1) {
            let base = self.names.of(base).client;
            let to_base = format!("to_base(&self) -> {base}");
            code.implement(&format!("stub::Extends<{base}> for {client}"), &to_base, |code| {
                code.line(&format!("{base}::from_portal(self.portal().clone())"));
            });
        }
    }

    fn method(&self, shape: &Shape<'a>, code: &mut Lines) {
        code.doc(&shape.operation.doc, &format!("The operation `{}`.", shape.operation.name));
        self.opening(shape, &shape.method, self.client_params(shape), shape.outs(), code);
        if let (Some(into), Some(piece)) = (&shape.into, shape.returned_piece()) {
            Self::lend_buffer(shape, into, piece, code);
            code.shut("}");
            return self.method_into(shape, into, piece, code);
        }
        self.call(shape, code);
        if let Some(into) = &shape.into {
            code.shut("}");
            self.method_landing(shape, into, code);
        }
        code.close("}");
    }

    /// The same, with all that comes back as data of its own in buffers of the caller's.
    fn method_landing(&self, shape: &Shape<'a>, into: &str, code: &mut Lines) {
        let named = |slot: &Slot<'_>| match slot.mode {
            Mode::InOut => format!("`{}` in `{}`", slot.title, slot.back),
            _ => format!("`{}`", slot.title),
        };
        let named: Vec<String> = shape.landing().map(named).collect();
        let title = &shape.operation.name;
        code.line(&format!(
            "/// The operation `{title}`, with what comes back in buffers of the caller's: {}.",
            named.join(", ")
        ));
        code.line("/// What they hold after an error means nothing.");
        let buffer = |slot: &Slot<'a>| format!("{}: &mut {}", slot.buffer(), self.owned(slot.ty));
        let mut params = self.params(shape, Data::Landing);
        params.extend(shape.landing().map(buffer));
        self.opening(shape, into, params, shape.outs().filter(|slot| !slot.lands()), code);
        self.send_block(shape, Data::Landing, code);
        self.receive(shape, Data::Landing, code);
    }

    /// How a method begins, behind the documentation of what it does.
    fn opening<'s>(
        &self,
        shape: &Shape<'a>,
        name: &str,
        params: Vec<String>,
        results: impl Iterator<Item = &'s Slot<'a>>,
        code: &mut Lines,
    ) where
        'a: 's,
    {
        Self::errors(shape, code);
        let results: Vec<String> = results.map(|slot| self.owned(slot.ty)).collect();
        let tail = format!(") -> Result<{}, {}> {{", tuple(&results), Self::call_error(shape));
        code.list(&format!("pub fn {name}("), &params, &tail);
        code.indent();
    }

    pub(super) fn errors(shape: &Shape<'_>, code: &mut Lines) {
        code.line("///");
        code.line("/// # Errors");
        code.line(match shape.operation.raises[..] {
            [] => "/// Why the call failed.",
            _ => "/// The exception that it raised, or why the call failed.",
        });
    }

    pub(super) fn call_error(shape: &Shape<'_>) -> String {
        match &shape.raised {
            Some(raised) => format!("stub::CallError<{raised}>"),
            None => "stub::Failure".to_owned(),
        }
    }

    /// The body of a method that returns what `into` fills.
    fn lend_buffer(shape: &Shape<'_>, into: &str, piece: &Slot<'_>, code: &mut Lines) {
        let owned = |slot: &&Slot<'_>| slot.mode != Mode::Out;
        let mut arguments: Vec<String> =
            shape.declared().iter().filter(|slot| owned(slot)).map(|slot| slot.name.clone()).collect();
        arguments.push(format!("&mut {}", piece.name));
        let all: Vec<String> = shape.outs().map(|slot| slot.name.clone()).collect();
        let others: Vec<String> = all.iter().filter(|name| **name != piece.name).cloned().collect();
        let to = if others.is_empty() { String::new() } else { format!("let {} = ", tuple(&others)) };
        code.line(&format!("let mut {} = Vec::new();", piece.name));
        code.list(&format!("{to}self.{into}("), &arguments, ")?;");
        code.line(&format!("Ok({})", tuple(&all)));
    }

    fn method_into(&self, shape: &Shape<'a>, into: &str, piece: &Slot<'a>, code: &mut Lines) {
        let title =
            format!("`{}`, with `{}` in a buffer of the caller's.", shape.operation.name, piece.title);
        code.line(&format!("/// The operation {title} What that holds after an error means nothing."));
        let mut params = self.client_params(shape);
        params.push(format!("{}: &mut Vec<u8>", piece.name));
        self.opening(shape, into, params, shape.outs().filter(|slot| slot.name != piece.name), code);
        self.call(shape, code);
        code.close("}");
    }

    /// Makes the call, and gives what it returns.
    fn call(&self, shape: &Shape<'a>, code: &mut Lines) {
        let Some(short) = shape.short() else {
            if shape.operation.layout.turned.is_some() {
                return self.send_turned(shape, code);
            }
            self.send_block(shape, Data::Returned, code);
            return self.receive(shape, Data::Returned, code);
        };
        Self::call_near(shape, code);
        // In a function of its own: what it needs of the stack and of registers a near call does not.
        code.open("stub::far(move || {");
        self.send_short(shape, short, code);
        self.receive(shape, Data::Returned, code);
        code.close("})");
    }

    /// Makes a call of nothing but words and the bytes that go both ways, which stay in the caller's buffer.
    fn send_turned(&self, shape: &Shape<'a>, code: &mut Lines) {
        let mut request = Request::default();
        for slot in &shape.slots {
            self.slot_words(shape, slot, &mut request, code);
        }
        let mut words = request.words(shape.words);
        words.resize(SHORT_WORDS, "0".to_owned());
        code.list("let words = [", &words, "];");
        let turned = shape.slots.iter().filter(|slot| slot.mode == Mode::InOut).map(|slot| slot.name.clone());
        let own = [shape.number.to_string(), "&words".to_owned()];
        code.list("self.client.turn(", &own.into_iter().chain(turned).collect::<Vec<_>>(), ")?;");
        code.line("Ok(())");
    }

    /// Fills the words of a short call and makes it.
    fn send_short(&self, shape: &Shape<'a>, short: Short, code: &mut Lines) {
        let mut request = Request::default();
        for slot in &shape.slots {
            self.slot_words(shape, slot, &mut request, code);
        }
        request.outputs.clear();
        let mut words: Vec<String> =
            request.words.into_iter().map(|word| word.unwrap_or_else(|| "0".to_owned())).collect();
        words.resize(SHORT_WORDS, "0".to_owned());
        code.list("let mut words = [", &words, "];");
        let sent = shape.sent().map_or("&[]".to_owned(), |piece| piece.name.clone());
        let mut arguments = vec![shape.number.to_string(), "&mut words".to_owned(), sent];
        arguments.extend(shape.returned_piece().map(|piece| piece.name.clone()));
        let how = if short.returned().is_some() { "short_out" } else { "short" };
        code.list(&format!("self.client.{how}("), &arguments, ")?;");
    }

    pub(super) fn client_params(&self, shape: &Shape<'a>) -> Vec<String> {
        self.params(shape, Data::Returned)
    }

    fn params(&self, shape: &Shape<'a>, data: Data) -> Vec<String> {
        let mut params = vec!["&self".to_owned()];
        for slot in shape.declared() {
            let ty = match slot.mode {
                Mode::In => self.lent(slot.ty),
                Mode::InOut if data.land(slot) => self.lent(slot.ty),
                Mode::InOut => format!("&mut {}", self.owned(slot.ty)),
                Mode::Out => continue,
            };
            params.push(format!("{}: {ty}", slot.name));
        }
        params
    }

    /// Fills the block and makes the call.
    fn send_block(&self, shape: &Shape<'a>, data: Data, code: &mut Lines) {
        let is_dynamic = shape
            .slots
            .iter()
            .any(|slot| slot.mode != Mode::Out && matches!(slot.ty, Type::List { .. }) && slot.has_portal);
        let mut request = Request { is_dynamic, ..Request::default() };
        if is_dynamic {
            code.line("let mut portals: Vec<&stub::Portal> = Vec::new();");
        }
        let mut landing = Vec::new();
        for slot in &shape.slots {
            let output = request.outputs.len();
            self.slot_words(shape, slot, &mut request, code);
            if data.land(slot) && !matches!(slot.ty, Type::List { .. }) {
                landing.push((output, slot.buffer()));
            }
        }
        let words = request.words(shape.words);
        if words.is_empty() {
            code.line("let mut words = [];");
        } else {
            code.list("let mut words = [", &words, "];");
        }
        request.unions.iter().for_each(|line| code.line(line));
        let inputs = format!("&[{}]", request.inputs.join(", "));
        let outputs = match request.outputs.len() {
            0 => "&mut []".to_owned(),
            count => {
                let mut outputs = vec!["stub::Area::default()".to_owned(); count];
                for (output, buffer) in &landing {
                    outputs[*output] = format!("stub::room({buffer})");
                }
                code.list("let mut outputs = [", &outputs, "];");
                "&mut outputs".to_owned()
            }
        };
        let portals =
            if is_dynamic { "&portals".to_owned() } else { format!("&[{}]", request.portals.join(", ")) };
        let arguments = [shape.number.to_string(), "&mut words".to_owned(), inputs, outputs, portals];
        let makes = shape.slots.iter().any(|slot| slot.mode != Mode::In && slot.has_portal);
        let to = if makes { "let made = " } else { "" };
        if landing.is_empty() {
            return code.list(&format!("{to}self.client.call("), &arguments, ")?;");
        }
        code.list("let made = self.client.call(", &arguments, ");");
        let landing: Vec<String> =
            landing.iter().map(|(output, buffer)| format!("({output}, &mut *{buffer})")).collect();
        code.list("stub::put_back(&mut outputs, [", &landing, "]);");
        code.line(&format!("{to}made?;"));
    }

    fn slot_words(&self, shape: &Shape<'_>, slot: &Slot<'_>, request: &mut Request, code: &mut Lines) {
        let check = format!(".argument(\"{}\", \"{}\")?", shape.title, slot.title);
        if let (Mode::In | Mode::InOut, Type::List { of, max }) = (slot.mode, slot.ty) {
            let writer = self.writer(Side::Client, of);
            let value = format!("stub::list_area({}, {max}, {writer}){check}", slot.name);
            code.assign(&format!("let {}", slot.area), &value);
        }
        let expr = match (slot.mode, slot.ty) {
            (Mode::InOut, ty) if ty.is_plain() => format!("(*{})", slot.name),
            _ => slot.name.clone(),
        };
        let leaves = match slot.ty {
            Type::List { .. } => vec![Leaf::new(expr, slot.ty.clone())],
            ty => self.leaves(ty, &expr, &check),
        };
        if slot.mode != Mode::Out && leaves.iter().any(|leaf| leaf.is_made) {
            let made = leaves.iter().filter(|leaf| leaf.is_made);
            let made: Vec<String> = made.map(|leaf| format!("{}{check}", leaf.expr)).collect();
            code.list(&format!("let {} = [", slot.packed), &made, "];");
        }
        if slot.mode != Mode::Out {
            request.unions.extend(put_unions(&leaves, slot.word));
        }
        let mut made = 0;
        for mut leaf in leaves {
            if leaf.is_made {
                leaf.expr = format!("&{}[{made}]", slot.packed);
                made += 1;
            }
            let expr = &leaf.expr;
            match slot.mode {
                Mode::In => {}
                Mode::InOut => request.both(leaf.ty.as_ref()),
                Mode::Out => {
                    request.out(leaf.ty.as_ref());
                    continue;
                }
            }
            match &leaf.ty {
                Some(Type::String { max }) => {
                    let input = request.input(format!("stub::Input::Bytes({expr})"));
                    request.push(format!("stub::string_word({input}, {expr}, {max}){check}"));
                }
                Some(Type::Bytes { max }) => {
                    let input = request.input(format!("stub::Input::Bytes({expr})"));
                    request.push(format!("stub::bytes_word({input}, {expr}, {max}){check}"));
                }
                Some(Type::Array { len, .. }) => {
                    let input = request.input(format!("stub::Input::Bytes({expr})"));
                    request.push(format!("stub::bytes_word({input}, {expr}, {len}){check}"));
                }
                Some(Type::List { .. }) => {
                    let input = request.input(format!("stub::Input::List(&{})", slot.area));
                    request.push(format!("stub::area({input})"));
                }
                Some(Type::Portal(_)) => request.portal(&format!("{expr}.portal()")),
                ty => {
                    let sure = Rust::sure_word(ty.as_ref(), expr);
                    request.push(sure.unwrap_or_else(|| {
                        format!("stub::u64_word({}){check}", expr.trim_matches(['(', ')']))
                    }));
                }
            }
        }
    }

    /// Takes the reply apart; all of it is checked before anything is changed or returned.
    fn receive(&self, shape: &Shape<'a>, data: Data, code: &mut Lines) {
        let check = format!(".reply(\"{}\")", shape.title);
        let mut output = 0;
        let into = shape.into.as_ref().and_then(|_| shape.returned_piece());
        let is_into = |slot: &Slot<'_>| into.is_some_and(|piece| piece.name == slot.name);
        if let Some(value) = into.and_then(|piece| bounded(piece.ty, &piece.name)) {
            code.line(&format!("{value}{check}?;"));
        }
        for slot in shape.slots.iter().filter(|slot| slot.mode != Mode::In && !is_into(slot)) {
            if data.land(slot) {
                self.land(slot, output, &check, code);
                output += 1;
                continue;
            }
            let value = match slot.ty {
                Type::List { of, max } => {
                    output += 1;
                    let reader = self.reader(Side::Client, of);
                    format!("stub::list(&outputs[{}], {max}, {reader}){check}?", output - 1)
                }
                ty => {
                    let leaf = &mut |ty: &Type, word| self.received(ty, word, &mut output, &check);
                    self.build(Side::Client, ty, &mut slot.word.clone(), &format!("{check}?"), leaf)
                }
            };
            let to = if slot.mode == Mode::InOut { &slot.area } else { &slot.name };
            code.assign(&format!("let {to}"), &value);
        }
        for slot in shape.slots.iter().filter(|slot| slot.mode == Mode::InOut && !data.land(slot)) {
            code.line(&format!("*{} = {};", slot.name, slot.area));
        }
        let results = shape.outs().filter(|slot| !is_into(slot) && !data.land(slot));
        let results: Vec<String> = results.map(|slot| slot.name.clone()).collect();
        code.line(&format!("Ok({})", tuple(&results)));
    }

    /// Puts a list's elements into their buffer; checks what is there of others.
    fn land(&self, slot: &Slot<'_>, output: usize, check: &str, code: &mut Lines) {
        let buffer = slot.buffer();
        if let Type::List { of, max } = slot.ty {
            let arguments = [
                format!("&outputs[{output}]"),
                max.to_string(),
                self.reader(Side::Client, of),
                buffer.to_owned(),
            ];
            code.list("stub::list_into(", &arguments, &format!("){check}?;"));
        } else if let Some(value) = bounded(slot.ty, buffer) {
            code.line(&format!("{value}{check}?;"));
        }
    }

    fn received(&self, ty: &Type, word: usize, output: &mut usize, check: &str) -> String {
        let mut next = || {
            *output += 1;
            *output - 1
        };
        match ty {
            Type::String { max } => format!("stub::string_output(&mut outputs[{}], {max}){check}?", next()),
            Type::Bytes { max } => format!("stub::bytes_output(&mut outputs[{}], {max}){check}?", next()),
            Type::Array { .. } => {
                let len = ty.octets().unwrap_or(0);
                format!("stub::array(stub::bytes_output(&mut outputs[{}], {len})){check}?", next())
            }
            Type::List { of, max } => {
                let unpacking = self.unpacking(of, *max);
                format!("stub::unpacked(&outputs[{}].bytes, {unpacking}){check}?", next())
            }
            Type::Portal(id) => {
                let client = &self.names.interfaces[id.index()];
                format!("{client}::from_portal(stub::made(&made, words[{word}]){check}?)")
            }
            ty => self.scalar(ty, &format!("words[{word}]")).or(check),
        }
    }
}

/// What becomes of strings, bytes and lists that come back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// They are returned, or take the place of what was sent.
    Returned,
    /// Each goes into a buffer of the caller's.
    Landing,
}

impl Data {
    /// Whether those of `slot` go into a buffer.
    fn land(self, slot: &Slot<'_>) -> bool {
        self == Data::Landing && slot.lands()
    }
}

/// What a client sends, as expressions.
#[derive(Default)]
struct Request {
    /// Words; `None` for those of outputs, whose areas are numbered behind the inputs.
    words: Vec<Option<String>>,
    /// What puts those of unions there.
    unions: Vec<String>,
    inputs: Vec<String>,
    /// Places in `words` of the outputs; those of inouts refer to inputs before they come back.
    outputs: Vec<usize>,
    portals: Vec<String>,
    /// Portals are in lists, too, so that their number is known only when the call is made.
    is_dynamic: bool,
}

impl Request {
    fn push(&mut self, word: String) {
        self.words.push(Some(word));
    }

    fn portal(&mut self, portal: &str) {
        if self.is_dynamic {
            return self.push(format!("stub::hand(&mut portals, {portal})"));
        }
        self.push(self.portals.len().to_string());
        self.portals.push(portal.to_owned());
    }

    fn input(&mut self, input: String) -> usize {
        self.inputs.push(input);
        self.inputs.len() - 1
    }

    /// The next word is that of an inout.
    fn both(&mut self, ty: Option<&Type>) {
        if ty.is_some_and(is_variable) {
            self.outputs.push(self.words.len());
        }
    }

    fn out(&mut self, ty: Option<&Type>) {
        if ty.is_some_and(is_variable) {
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

/// Whether the word of a part refers to data outside of the block.
fn is_variable(ty: &Type) -> bool {
    matches!(ty, Type::String { .. } | Type::Bytes { .. } | Type::List { .. } | Type::Array { .. })
}
