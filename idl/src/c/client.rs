//! The client's side: `call_MODULE_Interface_operation`.

use super::C;
use super::code::Code;
use super::shape::{Access, Extras, Leaf, Shape, is_data};
use crate::descriptor::{Interface, Mode, Operation, Type};

impl<'a> C<'a> {
    pub(super) fn client(&self, interface: &'a Interface, code: &mut Code) {
        let name = self.name(&interface.name);
        code.line(&format!("/* ---- Calling {name} ---- */"));
        code.blank();
        for (number, operation) in interface.operations.iter().enumerate() {
            let call = Call {
                c: self,
                place: format!("{}.{}", interface.name, operation.name),
                number,
                shape: self.shape(operation),
            };
            code.doc(&operation.doc);
            call.function(&format!("call_{name}_{}", operation.name), operation, code);
        }
    }
}

/// One stub.
struct Call<'a, 'c> {
    c: &'c C<'a>,
    /// `Dir.open`, for messages.
    place: String,
    number: usize,
    shape: Shape<'a>,
}

impl<'a> Call<'a, '_> {
    fn function(&self, name: &str, operation: &'a Operation, code: &mut Code) {
        let returns = self.shape.returned.map_or("carnet_status".to_owned(), |ty| self.c.ty(ty));
        code.call(&format!("static inline {returns} {name}"), &self.parameters(), "");
        code.open("{");
        let request = self.shape.request(self.c, Access::Pointer);
        let reply = self.shape.reply(self.c, Access::Pointer);
        self.marshal(&request, code);
        self.take(&reply, code);
        match self.shape.slots(Mode::Out).find(|slot| self.shape.is_returned(slot)) {
            Some(slot) => {
                let at = self.shape.reply_base(Mode::Out) + slot.first;
                let word = self.word(slot.ty, at, code);
                code.line(&format!("return {};", self.c.to_scalar(slot.ty, &word)));
            }
            None => code.line("return CARNET_OK;"),
        }
        let _ = operation;
        code.close("}");
        code.blank();
    }

    fn parameters(&self) -> Vec<String> {
        let mut all = vec!["struct carnet_portal self".to_owned()];
        for mode in [Mode::In, Mode::InOut, Mode::Out] {
            for slot in self.shape.slots(mode).filter(|slot| !self.shape.is_returned(slot)) {
                let ty = self.c.ty(slot.ty);
                all.push(match (mode, slot.ty) {
                    (Mode::In, Type::Struct(_)) => format!("const {ty} *{}", slot.name),
                    (Mode::In, _) => format!("{ty} {}", slot.name),
                    _ => format!("{ty} *{}", slot.name),
                });
            }
        }
        all
    }

    /// What to do if the call failed: `failed` is an expression that remembers why.
    fn leave(&self, condition: &str, failed: &str, code: &mut Code) {
        match self.shape.returned {
            None => code.when(condition, &[&format!("return {failed};")]),
            Some(ty) => {
                code.when(condition, &[&format!("{failed};"), &format!("return ({})0;", self.c.ty(ty))]);
            }
        }
    }

    fn wrong_argument(&self, leaf: &Leaf<'_>) -> String {
        let what = leaf.expr.trim_start_matches('*');
        format!("carnet_note(CARNET_BAD_ARGUMENT, \"{}: {what} leaves its bounds\")", self.place)
    }

    fn wrong_reply(&self) -> String {
        format!("carnet_note(CARNET_PROTOCOL, \"{}: the reply is not one of this operation\")", self.place)
    }

    fn marshal(&self, request: &[Leaf<'a>], code: &mut Code) {
        let extras = Extras::of(request);
        let (words, number) = (self.shape.request_words(), self.number);
        if words > 0 {
            code.line("uint64_t *message = carnet_message(self.channel);");
        }
        for leaf in request.iter().filter(|leaf| !is_data(leaf.ty) && !matches!(leaf.ty, Type::Portal(_))) {
            let value = C::to_word(leaf.ty, &leaf.expr);
            code.line(&format!("carnet_put(message, {}, {value});", leaf.word));
        }
        self.put_portals(request, code);
        let piece = request.iter().find(|leaf| Some(leaf.word) == extras.piece).filter(|_| self.may_gather());
        let data = data_at(words, extras.portals);
        let head = match (extras.data, piece) {
            (0, _) => format!("CARNET_FLAT({number}, {data}, {})", extras.portals),
            (_, None) => {
                self.copy(request, data, code);
                format!("CARNET_FLAT({number}, end, {})", extras.portals)
            }
            (_, Some(piece)) => {
                code.line("#ifndef CARNET_COPY");
                code.line(&format!("carnet_put_piece(message, {}, {});", words + 2, piece.expr));
                code.line(&format!(
                    "uint64_t head = CARNET_GATHERED({number}, {words}, {});",
                    piece.word - 2
                ));
                code.line("#else");
                self.copy(request, data, code);
                code.line(&format!("uint64_t head = CARNET_FLAT({number}, end, 0);"));
                code.line("#endif");
                "head".to_owned()
            }
        };
        code.line(&format!(
            "struct carnet_answer answer = self.channel->call(self.channel, self.id, {head});"
        ));
    }

    /// Whether a piece is used where it lies: not if the reply holds data, too, since it could refer to the piece.
    fn may_gather(&self) -> bool {
        Extras::of(&self.shape.reply(self.c, Access::Pointer)).data == 0
    }

    fn put_portals(&self, request: &[Leaf<'a>], code: &mut Code) {
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

    fn copy(&self, request: &[Leaf<'a>], data: usize, code: &mut Code) {
        code.line(&format!("size_t end = {data};"));
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

    fn take(&self, reply: &[Leaf<'a>], code: &mut Code) {
        let extras = Extras::of(reply);
        let words = self.shape.reply_words();
        let data = data_at(words, extras.portals);
        let piece = reply.iter().find(|leaf| Some(leaf.word) == extras.piece);
        match (extras.data, piece) {
            (0, _) => {
                let good = format!("CARNET_FLAT(0, {data}, {})", extras.portals);
                let condition = format!("CARNET_UNLIKELY(answer.head != {good})");
                self.leave(&condition, "carnet_failed(answer)", code);
            }
            (_, None) => self.take_flat(reply, data, extras.portals, code),
            (_, Some(piece)) => {
                let name = piece.expr.trim_start_matches('*');
                let gathered = format!("CARNET_GATHERED(0, {words}, {})", piece.word - 2);
                code.open(&format!("if (answer.head == {gathered}) {{"));
                code.line(&format!("{} = carnet_piece(answer.reply, {});", piece.expr, words + 2));
                code.otherwise();
                self.take_flat(reply, data, 0, code);
                code.close("}");
                let _ = name;
            }
        }
        self.take_portals(reply, extras.portals, code);
        for leaf in reply.iter().filter(|leaf| !is_data(leaf.ty) && !matches!(leaf.ty, Type::Portal(_))) {
            let word = self.word(leaf.ty, leaf.word, code);
            code.line(&format!("{} = {};", leaf.expr, self.c.to_scalar(leaf.ty, &word)));
        }
    }

    fn take_flat(&self, reply: &[Leaf<'a>], data: usize, portals: usize, code: &mut Code) {
        let condition = format!("CARNET_UNLIKELY(!carnet_is_good(answer.head, {data}, {portals}))");
        self.leave(&condition, "carnet_failed(answer)", code);
        for leaf in reply.iter().filter(|leaf| is_data(leaf.ty)) {
            let place = leaf.expr.strip_prefix('*').map_or(format!("&{}", leaf.expr), str::to_owned);
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
            self.leave(&format!("!{found}"), &self.wrong_reply(), code);
        }
    }

    fn take_portals(&self, reply: &[Leaf<'a>], portals: usize, code: &mut Code) {
        let words = self.shape.reply_words();
        for leaf in reply.iter().filter(|leaf| matches!(leaf.ty, Type::Portal(_))) {
            let place =
                leaf.expr.strip_prefix('*').map_or(format!("{}.", leaf.expr), |name| format!("{name}->"));
            code.line(&format!("uint64_t word{} = carnet_get(answer.reply, {});", leaf.word, leaf.word));
            self.leave(&format!("word{} >= {portals}", leaf.word), &self.wrong_reply(), code);
            code.line(&format!("{place}channel = self.channel;"));
            code.line(&format!(
                "{place}id = carnet_portal_id(answer.reply, {words}, (size_t)word{});",
                leaf.word
            ));
        }
    }

    /// An expression for a scalar's word, which is checked before.
    fn word(&self, ty: &Type, at: usize, code: &mut Code) -> String {
        let word = format!("word{at}");
        match self.c.no_scalar(ty, &word) {
            None => format!("carnet_get(answer.reply, {at})"),
            Some(wrong) => {
                code.line(&format!("uint64_t {word} = carnet_get(answer.reply, {at});"));
                self.leave(&wrong, &self.wrong_reply(), code);
                word
            }
        }
    }
}

/// First byte of the data of a message.
pub(super) fn data_at(words: usize, portals: usize) -> usize {
    16 + words * 8 + (portals * 4).next_multiple_of(8)
}
