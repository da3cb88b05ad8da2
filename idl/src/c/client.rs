//! The client's side: `call_MODULE_Interface_operation`.

use super::C;
use super::names::For;
use super::rich::{Lands, Rich};
use super::shape::{Access, Extras, Halves, Leaf, Shape, Slot, is_data, is_half, near_head};
use crate::backend::Lines;
use crate::descriptor::{Interface, Mode, Operation, Type};

impl<'a> C<'a> {
    pub(super) fn client(&self, interface: &'a Interface, code: &mut Lines) {
        let name = self.name(&interface.name);
        code.line(&format!("/* ---- Calling {name} ---- */"));
        code.blank();
        if let Some(base) = interface.base {
            let base = self.name(&self.module.interfaces[base.index()].name);
            code.line(&format!("/* What it inherits is called as {base}'s, with the same portal. */"));
            code.blank();
        }
        for (number, operation) in interface.operations.iter().enumerate().skip(interface.inherited.into()) {
            let rich = Rich { c: self, interface, operation, number, shape: self.shape(operation) };
            if !self.is_plain(operation) {
                rich.exceptions(code);
                rich.client(Lands::InMessage, code);
                rich.client(Lands::InBuffers, code);
                continue;
            }
            let (place, shape) = (C::place(interface, operation), self.shape(operation));
            let call = Call { c: self, operation, place, number, shape, halves: self.halves(operation) };
            let named = |what| self.stub(what, interface, operation);
            match self.registers(interface, number) {
                None => {
                    let names = [named(For::Call), named(For::CallOther)];
                    call.other(&names[1], code);
                    code.comment(&operation.doc);
                    call.function(&names, "static inline", code);
                }
                Some(registers) => {
                    let names = [named(For::Send), named(For::SendOther)];
                    call.other(&names[1], code);
                    code.line(&format!("/* Sends {}.{} as a message. */", interface.name, operation.name));
                    call.function(&names, "CARNET_SENDS", code);
                    registers.client(code);
                }
            }
            rich.client(Lands::InBuffers, code);
        }
    }
}

/// One stub.
struct Call<'a, 'c> {
    c: &'c C<'a>,
    operation: &'a Operation,
    /// `Dir.open`, for messages.
    place: String,
    number: usize,
    shape: Shape<'a>,
    /// If its requests and replies are near ones.
    halves: Option<Halves>,
}

/// How words of a reply stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// Each is one of its type, or wrong.
    Far,
    /// Of some the lower half counts.
    Near,
}

impl<'a> Call<'a, '_> {
    fn returns(&self) -> String {
        self.c.called_returns(&self.shape)
    }

    fn function(&self, [name, other]: &[String; 2], kind: &str, code: &mut Lines) {
        let returns = self.returns();
        code.call(&format!("{kind} {returns} {name}"), &self.c.called_parameters(&self.shape), "");
        code.open("{");
        let request = self.shape.request(self.c, Access::Pointer);
        let mut reply = self.shape.reply(self.c, Access::Pointer);
        self.keep(&mut reply, code);
        self.clear(code);
        self.marshal(&request, code);
        if self.has_other(&reply) {
            self.take_own(other, &reply, code);
        } else {
            self.take(&reply, code);
            self.finish(&reply, Words::Far, None, code);
        }
        code.close("}");
        code.blank();
    }

    /// A call that fails leaves zeros. One whose result says nothing of that sees to it when it fails.
    fn clear(&self, code: &mut Lines) {
        if self.is_cleared() {
            self.clearings().iter().for_each(|line| code.line(line));
        }
    }

    /// Whether outs are cleared before the call. One of them may be a struct that goes in.
    fn is_cleared(&self) -> bool {
        let has_struct = self.shape.slots(Mode::In).any(|slot| matches!(slot.ty, Type::Struct(_)));
        self.shape.returned.is_none() && !has_struct
    }

    fn clearings(&self) -> Vec<String> {
        self.clearings_of(|_| true)
    }

    fn clearings_of(&self, is_cleared: impl Fn(&Slot<'a>) -> bool) -> Vec<String> {
        let outs =
            self.shape.slots(Mode::Out).filter(|slot| !self.shape.is_returned(slot) && is_cleared(slot));
        let kept = |slot: &Slot<'_>| if self.is_kept(slot) { "kept_" } else { "" };
        outs.map(|slot| format!("memset({0}{1}, 0, sizeof *{0}{1});", kept(slot), slot.name)).collect()
    }

    /// Takes the rest, and returns: all of the reply is found to be right before an inout is changed. `piece` is data that were
    /// found already, and where.
    fn finish(&self, reply: &[Leaf<'a>], words: Words, piece: Option<(&Leaf<'a>, &str)>, code: &mut Lines) {
        let mut values: Vec<(&str, String)> = vec![];
        values.extend(piece.map(|(leaf, local)| (&*leaf.expr, local.to_owned())));
        if piece.is_none() {
            values.extend(reply.iter().filter_map(|leaf| Some((&*leaf.expr, self.found(leaf)?))));
        }
        for leaf in reply.iter().filter(|leaf| !is_data(leaf.ty) && !matches!(leaf.ty, Type::Portal(_))) {
            let word = self.word(leaf.ty, leaf.word, words, code);
            values.push((&leaf.expr, self.c.to_scalar(leaf.ty, &word)));
        }
        let returned = self.shape.slots(Mode::Out).find(|slot| self.shape.is_returned(slot)).map(|slot| {
            let at = self.shape.reply_base(Mode::Out) + slot.first;
            let word = self.word(slot.ty, at, words, code);
            self.c.to_scalar(slot.ty, &word)
        });
        values.iter().for_each(|(place, value)| code.line(&format!("{place} = {value};")));
        self.rest(reply, code);
        code.line(&format!("return {};", returned.as_deref().unwrap_or("CARNET_OK")));
    }

    /// Of two portals and more one may be named twice, and another not at all: nobody is handed that.
    fn rest(&self, reply: &[Leaf<'a>], code: &mut Lines) {
        let portals = reply.iter().filter(|leaf| matches!(leaf.ty, Type::Portal(_)));
        let naming: Vec<String> = portals.map(|leaf| format!("word{}", leaf.word)).collect();
        if naming.len() < 2 {
            return;
        }
        let (words, portals) = (self.shape.reply_words(), naming.len());
        code.open("{");
        let local = self.shape.local("naming");
        code.line(&format!("const uint64_t {local}[] = {{{}}};", naming.join(", ")));
        let named = format!("self.channel, answer.reply, {words}, {local}, {portals}");
        code.line(&format!("carnet_let_go_unnamed({named});"));
        code.close("}");
    }

    /// Where data wait that take the place of an inout's, until all of the reply was found to be right.
    fn found(&self, leaf: &Leaf<'a>) -> Option<String> {
        let is_inout = is_data(leaf.ty) && leaf.word < self.shape.reply_base(Mode::Out);
        is_inout.then(|| self.shape.local(&format!("found{}", leaf.word)))
    }

    /// Where data are found, as an address.
    fn found_at(&self, leaf: &Leaf<'a>, code: &mut Lines) -> String {
        match self.found(leaf) {
            Some(local) => {
                code.line(&format!("{} {local};", self.c.ty(leaf.ty)));
                format!("&{local}")
            }
            None => leaf.expr.strip_prefix('*').map_or(format!("&{}", leaf.expr), str::to_owned),
        }
    }

    /// Whether a reply of our own server has a form that others do not make.
    fn has_other(&self, reply: &[Leaf<'a>]) -> bool {
        self.halves.is_some() || self.shape.replied(reply).piece.is_some()
    }

    /// A reply of our own server is near, or its only data are a piece. Other forms are a function's of their own, before
    /// this one: the registers that it needs are not saved here then.
    fn take_own(&self, other: &str, reply: &[Leaf<'a>], code: &mut Lines) {
        let words = self.shape.reply_words();
        let at = self.shape.replied(reply).piece.map(|word| word - 2);
        let (head, form) = match (self.halves, at) {
            (Some(halves), _) => (near_head(0, words, at, halves.reply), Words::Near),
            (None, at) => (format!("CARNET_PIECE(0, {words}, {})", at.unwrap_or(0)), Words::Far),
        };
        code.open(&format!("if (CARNET_LIKELY(answer.head == {head})) {{"));
        let piece = reply.iter().find(|leaf| at.is_some_and(|at| leaf.word == at + 2));
        match piece.map(|piece| (piece, piece.ty)) {
            Some((piece, Type::Bytes { max })) => {
                let (local, at) = (self.shape.local("piece"), piece.word - 2);
                code.line(&format!(
                    "struct carnet_bytes {local} = carnet_taken(answer.reply, {words}, {at});"
                ));
                code.open(&format!("if (CARNET_LIKELY(carnet_is_bounded({local}, {max}))) {{"));
                self.finish(reply, form, Some((piece, &local)), code);
                code.close("}");
            }
            _ => self.finish(reply, form, None, code),
        }
        code.close("}");
        let outs = self.outs().map(|slot| kept_name(reply, &slot.name)).collect();
        let arguments = beside_answer(outs, "answer.reply", "answer.head");
        code.line(&format!("return {other}({});", arguments.join(", ")));
    }

    /// The function for other forms of a reply than the usual one.
    fn other(&self, name: &str, code: &mut Lines) {
        let returns = self.returns();
        let mut reply = self.shape.reply(self.c, Access::Pointer);
        if !self.has_other(&reply) {
            return;
        }
        let outs = self.outs().map(|slot| format!("{} *{}", self.c.ty(slot.ty), slot.name)).collect();
        let parameters = beside_answer(outs, "uint64_t *reply", "uint64_t head");
        code.call(&format!("CARNET_APART {returns} {name}"), &parameters, "");
        code.open("{");
        code.line("struct carnet_answer answer = {head, reply};");
        self.keep(&mut reply, code);
        let piece = self.shape.replied(&reply).piece;
        if self.halves.is_some() && piece.is_some() {
            // A server of this process that was compiled to copy, or to gather, where this is not.
            code.line("answer.head = carnet_far(answer.reply, answer.head);");
        }
        let piece = reply.iter().find(|leaf| Some(leaf.word) == piece);
        match piece.map(|piece| (piece, piece.ty)) {
            Some((piece, Type::Bytes { max })) => {
                self.leave(
                    "CARNET_OP(answer.head) != 0 || CARNET_PORTALS(answer.head) != 0",
                    &self.failed(),
                    code,
                );
                let (words, at) = (self.shape.reply_words(), piece.word - 2);
                let place = self.found_at(piece, code);
                let found = format!(
                    "carnet_find_any(NULL, answer.reply, answer.head, {words}, {at}, {max}, {place})"
                );
                self.refuse(&format!("!{found}"), code);
            }
            _ => self.take(&reply, code),
        }
        self.finish(&reply, Words::Far, None, code);
        code.close("}");
        code.blank();
    }

    /// What comes back through pointers.
    fn outs(&self) -> impl Iterator<Item = &Slot<'a>> {
        let modes = [Mode::InOut, Mode::Out];
        modes.into_iter().flat_map(|mode| self.shape.slots(mode)).filter(|slot| !self.shape.is_returned(slot))
    }

    /// Two or more pointers that are needed after the call wait on the stack; so does one if there is a copy, too.
    fn keep(&self, reply: &mut [Leaf<'a>], code: &mut Lines) {
        let kept: Vec<&Slot<'_>> = self.outs().filter(|slot| self.is_kept(slot)).collect();
        let how = if kept.len() < 2 { "CARNET_KEPT_IF_COPIED" } else { "CARNET_KEPT" };
        for slot in kept {
            let (ty, name) = (self.c.ty(slot.ty), &slot.name);
            code.line(&format!("{ty} *{how} kept_{name} = {name};"));
            for leaf in reply.iter_mut().filter(|leaf| leaf.expr.strip_prefix('*') == Some(name)) {
                leaf.expr = format!("*kept_{name}");
            }
        }
    }

    fn is_kept(&self, slot: &Slot<'_>) -> bool {
        let is_simple = |slot: &&Slot<'_>| !matches!(slot.ty, Type::Struct(_) | Type::Portal(_));
        let is_copied = self.piece(&self.shape.request(self.c, Access::Pointer)).is_some();
        let simple = self.outs().filter(is_simple).count();
        is_simple(&slot) && (simple > 1 || is_copied)
    }

    /// The request's only data, if it goes as a piece: not if the reply holds data, too, since it could lie in the piece.
    fn piece<'l>(&self, request: &'l [Leaf<'a>]) -> Option<&'l Leaf<'a>> {
        let extras = Extras::of(request);
        let piece = request.iter().find(|leaf| Some(leaf.word) == extras.piece)?;
        (self.shape.replied(&self.shape.reply(self.c, Access::Pointer)).data == 0).then_some(piece)
    }

    /// What to do if the call failed: `failed` is an expression that remembers why.
    fn leave(&self, condition: &str, failed: &str, code: &mut Lines) {
        match self.shape.returned {
            None => code.when(condition, &[&format!("return {failed};")]),
            Some(ty) => {
                let mut then = self.clearings();
                then.extend([format!("{failed};"), format!("return ({})0;", self.c.ty(ty))]);
                code.when(condition, &then.iter().map(String::as_str).collect::<Vec<&str>>());
            }
        }
    }

    /// An expression that remembers why the call failed, and gives back what portals the reply brings.
    fn failed(&self) -> String {
        let (words, kinds) = (self.shape.reply_words(), self.c.kinds(self.operation));
        format!("carnet_failed_to_hand({words}, answer, {kinds})")
    }

    fn wrong_argument(&self, leaf: &Leaf<'_>) -> String {
        let what = leaf.expr.trim_start_matches('*');
        format!("carnet_note(CARNET_BAD_ARGUMENT, \"{}: {what} leaves its bounds\")", self.place)
    }

    /// What to do if a reply is not one of this operation: it leaves inouts as they were, and nothing else.
    fn refuse(&self, condition: &str, code: &mut Lines) {
        let portals = self.shape.replied(&self.shape.reply(self.c, Access::Pointer)).portals;
        let mut then = vec![];
        if portals > 0 {
            let words = self.shape.reply_words();
            then.push(format!("carnet_let_go(self.channel, answer.reply, {words}, {portals});"));
        }
        let note = format!(
            "carnet_note(CARNET_PROTOCOL, \"{}: the reply is not one of this operation\")",
            self.place
        );
        // Those that were cleared before, and not written since, still are.
        let is_written = |leaf: &Leaf<'_>| is_data(leaf.ty) || matches!(leaf.ty, Type::Portal(_));
        then.extend(self.clearings_of(|slot| {
            !self.is_cleared() || self.c.leaves(slot, Access::Pointer, 0).iter().any(is_written)
        }));
        match self.shape.returned {
            None => then.push(format!("return {note};")),
            Some(ty) => then.extend([format!("{note};"), format!("return ({})0;", self.c.ty(ty))]),
        }
        code.when(condition, &then.iter().map(String::as_str).collect::<Vec<&str>>());
    }

    fn marshal(&self, request: &[Leaf<'a>], code: &mut Lines) {
        let extras = Extras::of(request);
        let (words, number) = (self.shape.request_words(), self.number);
        let is_piece_alone = request.len() == 1 && self.piece(request).is_some();
        if words > 0 && !is_piece_alone {
            code.line("uint64_t *message = carnet_message(self.channel);");
        }
        for leaf in request.iter().filter(|leaf| !is_data(leaf.ty) && !matches!(leaf.ty, Type::Portal(_))) {
            code.line(&put("message", leaf, self.halves.is_some()));
        }
        self.put_portals(request, code);
        let data = data_at(words, extras.portals);
        let head = match (extras.data, self.piece(request)) {
            (0, _) if self.halves.is_some() => self.own_head(None),
            (0, _) => format!("CARNET_FLAT({number}, {data}, {})", extras.portals),
            (_, None) => {
                self.copy(request, data, code);
                format!("CARNET_FLAT({number}, end, {}) | carnet_elsewhere(self.channel)", extras.portals)
            }
            (_, Some(piece)) => return self.put_piece(piece, code),
        };
        let arguments = format!("self.channel, self.id, {head}");
        code.line(&format!("struct carnet_answer answer = self.channel->call({arguments});"));
    }

    fn put_piece(&self, piece: &Leaf<'a>, code: &mut Lines) {
        let (words, at) = (self.shape.request_words(), piece.word - 2);
        let value = piece.expr.strip_prefix('*').map_or(piece.expr.clone(), |name| format!("(*{name})"));
        let wrong = self.wrong_argument(piece);
        self.leave(&format!("CARNET_UNLIKELY(!carnet_has_place(self.channel, {value}.len))"), &wrong, code);
        let id = self.shape.local("id");
        code.line(&format!("uint32_t CARNET_KEPT_IF_COPIED {id} = self.id;"));
        code.line(&format!("self.channel = carnet_put_piece(self.channel, {words}, {at}, {value});"));
        let arguments = format!("self.channel, {id}, {}", self.own_head(Some(at)));
        code.line(&format!("struct carnet_answer answer = self.channel->call({arguments});"));
    }

    /// The head of a request that is near, or has a piece.
    fn own_head(&self, piece: Option<usize>) -> String {
        let (number, words) = (self.number, self.shape.request_words());
        match (self.halves, piece) {
            (Some(halves), _) => near_head(number, words, piece, halves.request),
            (None, at) => format!("CARNET_PIECE({number}, {words}, {})", at.unwrap_or(0)),
        }
    }

    fn put_portals(&self, request: &[Leaf<'a>], code: &mut Lines) {
        let portals: Vec<&Leaf<'_>> =
            request.iter().filter(|leaf| matches!(leaf.ty, Type::Portal(_))).collect();
        for (index, leaf) in portals.iter().enumerate() {
            let note = format!(
                "carnet_note(CARNET_BAD_ARGUMENT, \"{}: {} is a portal of another channel\")",
                self.place, leaf.expr
            );
            self.leave(&format!("{}.channel != self.channel", leaf.expr), &note, code);
            code.line(&format!("carnet_put(message, {}, {index});", leaf.word));
        }
        let words = self.shape.request_words();
        for (pair, ids) in portals.chunks(2).enumerate() {
            let second =
                ids.get(1).map_or(String::new(), |leaf| format!(" | (uint64_t){}.id << 32", leaf.expr));
            code.line(&format!("carnet_put(message, {}, {}.id{second});", 2 + words + pair, ids[0].expr));
        }
    }

    fn copy(&self, request: &[Leaf<'a>], data: usize, code: &mut Lines) {
        code.line(&format!("size_t end = carnet_begin_data(self.channel, {data});"));
        for leaf in request.iter().filter(|leaf| is_data(leaf.ty)) {
            let value = leaf.expr.strip_prefix('*').map_or(leaf.expr.clone(), |name| format!("(*{name})"));
            let to = format!("self.channel, message, {data}, &end, {}", leaf.word);
            let copied = match leaf.ty {
                Type::String { max } => format!("carnet_add_text({to}, {value}, {max})"),
                Type::Bytes { max } => format!("carnet_add({to}, {value}.ptr, {value}.len, {max})"),
                _ => continue,
            };
            self.leave(&format!("!{copied}"), &self.wrong_argument(leaf), code);
        }
    }

    fn take(&self, reply: &[Leaf<'a>], code: &mut Lines) {
        let extras = self.shape.replied(reply);
        let data = data_at(self.shape.reply_words(), extras.portals);
        let failed = self.failed();
        if extras.data > 0 {
            self.take_flat(reply, data, extras.portals, &failed, code);
        } else {
            let good = format!("CARNET_FLAT(0, {data}, {})", extras.portals);
            let condition = format!("CARNET_UNLIKELY(answer.head != {good})");
            self.leave(&condition, &failed, code);
        }
        self.take_portals(reply, extras.portals, code);
    }

    fn take_flat(&self, reply: &[Leaf<'a>], data: usize, portals: usize, failed: &str, code: &mut Lines) {
        let condition = format!("CARNET_UNLIKELY(!carnet_is_good(answer.head, {data}, {portals}))");
        self.leave(&condition, failed, code);
        if let Some(references) = &self.shape.replied {
            let message = format!("answer.reply, CARNET_LEN(answer.head), {data}");
            self.refuse(&format!("!carnet_is_apart({message}, {references})"), code);
        }
        let left = self.shape.local("left");
        let texts = |ty: &Type| matches!(ty, Type::List { of, .. } if self.c.texts(of).is_some());
        if reply.iter().any(|leaf| texts(leaf.ty)) {
            code.line(&format!("size_t {left} = carnet_texts_max(CARNET_LEN(answer.head) - {data});"));
        }
        for leaf in reply.iter().filter(|leaf| is_data(leaf.ty)) {
            let place = self.found_at(leaf, code);
            let at = format!(
                "answer.reply, CARNET_LEN(answer.head), {data}, carnet_get(answer.reply, {})",
                leaf.word
            );
            let found = match leaf.ty {
                Type::String { max } => format!("carnet_find_string({at}, {max}, {place})"),
                Type::Bytes { max } => format!("carnet_find({at}, {max}, {place})"),
                Type::List { of, max } => {
                    let mut element = vec![];
                    self.c.module.flatten(of, &mut element);
                    format!("carnet_find_list({at}, {}, {max}, {place})", element.len())
                }
                _ => continue,
            };
            self.refuse(&format!("!{found}"), code);
            if let Type::List { of, .. } = leaf.ty {
                let left = format!("&{left}");
                self.c.each_element(&self.shape, &place, of, &left, code, |wrong, code| {
                    self.refuse(wrong, code)
                });
            }
        }
    }

    fn take_portals(&self, reply: &[Leaf<'a>], portals: usize, code: &mut Lines) {
        let words = self.shape.reply_words();
        for leaf in reply.iter().filter(|leaf| matches!(leaf.ty, Type::Portal(_))) {
            let place =
                leaf.expr.strip_prefix('*').map_or(format!("{}.", leaf.expr), |name| format!("{name}->"));
            code.line(&format!("uint64_t word{} = carnet_get(answer.reply, {});", leaf.word, leaf.word));
            self.refuse(&format!("word{} >= {portals}", leaf.word), code);
            code.line(&format!("{place}channel = self.channel;"));
            code.line(&format!(
                "{place}id = carnet_portal_id(answer.reply, {words}, (size_t)word{});",
                leaf.word
            ));
        }
    }

    /// An expression for a scalar's word, which is checked before.
    fn word(&self, ty: &Type, at: usize, words: Words, code: &mut Lines) -> String {
        if words == Words::Near && is_half(ty) {
            return format!("carnet_get_half(answer.reply, {at})");
        }
        let word = format!("word{at}");
        match self.c.no_scalar(ty, &word) {
            None => format!("carnet_get(answer.reply, {at})"),
            Some(wrong) => {
                code.line(&format!("uint64_t {word} = carnet_get(answer.reply, {at});"));
                self.refuse(&wrong, code);
                word
            }
        }
    }
}

/// What comes back and the answer's two parts. The reply's address comes third if it can, as it does in what a call returns: it
/// need not be moved then.
fn beside_answer(mut outs: Vec<String>, reply: &str, head: &str) -> Vec<String> {
    outs.push(head.to_owned());
    outs.insert(outs.len().min(2), reply.to_owned());
    outs
}

fn kept_name(reply: &[Leaf<'_>], name: &str) -> String {
    let kept = format!("kept_{name}");
    let is_kept = reply.iter().any(|leaf| leaf.expr.strip_prefix('*') == Some(&kept));
    if is_kept { kept } else { name.to_owned() }
}

/// Puts a scalar into a message.
pub(super) fn put(message: &str, leaf: &Leaf<'_>, is_near: bool) -> String {
    let word = leaf.word;
    if is_near && is_half(leaf.ty) {
        return format!("carnet_put_half({message}, {word}, (uint32_t){});", leaf.expr);
    }
    format!("carnet_put({message}, {word}, {});", C::to_word(leaf.ty, &leaf.expr))
}

/// First byte of the data of a message.
pub(super) fn data_at(words: usize, portals: usize) -> usize {
    16 + words * 8 + (portals * 4).next_multiple_of(8)
}
