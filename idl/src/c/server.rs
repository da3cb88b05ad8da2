//! The server's side: `MODULE_Interface_serve`, which calls `MODULE_Interface_operation` of the user.

use super::C;
use super::client::{data_at, put};
use super::names::For;
use super::rich::Rich;
use super::shape::{Access, Extras, Halves, Leaf, Shape, Slot, is_data, is_half, is_word, near_head};
use crate::backend::Lines;
use crate::descriptor::{Brings, Interface, Mode, Operation, Type};

/// Interfaces with more operations look them up in a table instead of comparing heads one after the other.
const COMPARED_MAX: usize = 4;

impl<'a> C<'a> {
    pub(super) fn server(&self, interface: &'a Interface, code: &mut Lines) {
        let name = self.name(&interface.name);
        let mut operations: Vec<Served<'a, '_>> = interface
            .operations
            .iter()
            .enumerate()
            .map(|(number, operation)| {
                let shape = self.shape(operation);
                let request = Extras::of(&shape.request(self, Access::Value));
                let mut reply = shape.replied(&shape.reply(self, Access::Value));
                if request.data > 0 {
                    // The reply stands behind the request, wherever that ends: each byte needs its own check for room.
                    reply.piece = None;
                }
                Served {
                    c: self,
                    interface,
                    operation,
                    user: self.operation(interface, operation),
                    stub: self.stub(For::Serve, interface, operation),
                    own_stub: self.stub(For::ServeOwn, interface, operation),
                    place: C::place(interface, operation),
                    number,
                    piece: request.piece.filter(|_| reply.data == 0),
                    halves: self.halves(operation),
                    rich: (has_lists(&shape) || !self.is_plain(operation)).then(|| Rich {
                        c: self,
                        interface,
                        operation,
                        number,
                        shape: self.shape(operation),
                    }),
                    shape,
                    request,
                    reply,
                }
            })
            .collect();
        let bytes = operations.iter().map(Served::piece_bytes_max).max().unwrap_or(0);
        operations.drain(..usize::from(interface.inherited));
        code.line(&format!("/* ---- Serving {name} ---- */"));
        code.blank();
        code.line("/* You write these. */");
        for served in &operations {
            let mut parameters = self.served_parameters(&served.shape);
            parameters.extend(served.rich.as_ref().and_then(Rich::raised));
            let returns = self.served_returns(&served.shape);
            code.call(&format!("{returns}{}", served.user), &parameters, ";");
        }
        let made = [For::Interface, For::Serve, For::Pass, For::PassHalf, For::Released, For::Service];
        let [described, serve, pass, pass_half, released, service] =
            made.map(|what| self.names.of(what, &interface.name));
        code.line(&format!("void {released}(void *object); /* the last portal on it is gone */"));
        code.blank();
        for served in &operations {
            match &served.rich {
                Some(rich) => rich.server(code),
                None => served.function(code),
            }
        }
        self.serve(interface, &operations, code);
        self.pass(interface, code);
        code.open(&format!("static inline const struct carnet_service *{service}(void)"));
        code.close("{");
        code.line("    static const struct carnet_service service = {");
        let [module, descriptor] = [For::Module, For::Descriptor].map(|what| self.names.of(what, ""));
        code.line(&format!("        &{module}, &{described}, {serve}, {pass}, {pass_half},"));
        code.line(&format!("        {released}, CARNET_PIECE_BYTES({bytes}), {descriptor},"));
        code.line("    };");
        code.line("    return &service;");
        code.line("}");
        code.blank();
    }

    fn serve(&self, interface: &Interface, operations: &[Served<'a, '_>], code: &mut Lines) {
        let name = self.names.of(For::Serve, &interface.name);
        let parameters =
            ["struct carnet_channel *channel", "uint32_t target", "uint64_t head"].map(str::to_owned);
        let cases: Vec<_> = operations.iter().map(|served| (served.number, served.heads())).collect();
        let refuse = format!("return carnet_refuse(channel, head, {});", interface.operations.len());
        let is_compared = cases.len() <= COMPARED_MAX;
        let has_own = is_compared && operations.iter().any(|served| served.halves.is_some());
        let (own, other): (Vec<_>, Vec<_>) = cases
            .iter()
            .map(|(number, whens)| {
                let (own, other) = whens.split_at(usize::from(has_own && whens.len() > 1));
                ((*number, own.to_vec()), (*number, other.to_vec()))
            })
            .unzip();
        if has_own {
            // Apart: what is rare would have the usual way save registers in another manner, which takes longer.
            let name = self.names.of(For::ServeOther, &interface.name);
            code.line("/* Requests of other forms than our own clients'. */");
            code.call(&format!("CARNET_APART struct carnet_answer {name}"), &parameters, "");
            code.open("{");
            code.line("(void)target;");
            self.select("head & 0x7fff", &other, code);
            code.line(&refuse);
            code.close("}");
            code.blank();
        }
        code.line("/* Looks the operation up and serves it. */");
        code.call(&format!("static inline struct carnet_answer {name}"), &parameters, "");
        code.open("{");
        // A base without operations is asked for none.
        match interface.base.filter(|_| interface.inherited > 0) {
            None => code.line("(void)target;"),
            Some(base) => {
                let base = self.names.of(For::Serve, &self.module.interfaces[base.index()].name);
                let call = format!("return {base}(channel, target, head);");
                code.when(&format!("(head & 0x7fff) < {}", interface.inherited), &[&call]);
            }
        }
        if has_own {
            self.select("head & 0x7fff", &own, code);
            let name = self.names.of(For::ServeOther, &interface.name);
            code.line(&format!("return {name}(channel, target, head);"));
        } else {
            self.select("head & 0x7fff", &cases, code);
            code.line(&refuse);
        }
        code.close("}");
        code.blank();
    }

    /// Does what is said for the operation with the number `on`, under its condition.
    pub(super) fn select(&self, on: &str, cases: &[(usize, Vec<(String, String)>)], code: &mut Lines) {
        if cases.len() <= COMPARED_MAX {
            // What is compared with a constant comes first: that costs two instructions.
            let whens = cases.iter().flat_map(|(_, whens)| whens);
            let (other, constant): (Vec<_>, Vec<_>) =
                whens.partition(|(condition, _)| condition.starts_with("CARNET_OP(head)"));
            return constant.iter().chain(&other).for_each(|(condition, call)| code.when(condition, &[call]));
        }
        code.line(&format!("switch ({on}) {{"));
        for (number, whens) in cases {
            code.line(&format!("case {number}:"));
            code.indent();
            whens.iter().for_each(|(condition, call)| code.when(condition, &[call]));
            code.line("break;");
            code.dedent();
        }
        code.line("default:");
        code.line("    break;");
        code.line("}");
    }
}

fn has_lists(shape: &Shape<'_>) -> bool {
    shape.slots.iter().any(|slot| matches!(slot.ty, Type::List { .. }))
}

/// How a request's data came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As its head says.
    Any,
    /// As our own clients send it: near, or with its data as a piece.
    Own,
}

/// One stub.
struct Served<'a, 'c> {
    c: &'c C<'a>,
    interface: &'a Interface,
    operation: &'a Operation,
    user: String,
    stub: String,
    own_stub: String,
    place: String,
    number: usize,
    shape: Shape<'a>,
    request: Extras,
    reply: Extras,
    /// The word whose data may come as a piece.
    piece: Option<usize>,
    /// If its requests and replies are near ones.
    halves: Option<Halves>,
    /// If it needs more than the stubs here.
    rich: Option<Rich<'a, 'c>>,
}

impl<'a> Served<'a, '_> {
    /// The heads of its requests: condition, and what to do then.
    fn heads(&self) -> Vec<(String, String)> {
        if let Some(rich) = &self.rich {
            return rich.heads();
        }
        let (op, stub) = (self.number, &self.stub);
        let mut heads = vec![];
        if let Some(head) = self.own_head() {
            let stub = &self.own_stub;
            heads.push((format!("head == {head}"), format!("return {stub}(channel);")));
        }
        if self.request.data == 0 {
            heads.push((format!("head == {}", self.constant()), format!("return {stub}(channel);")));
            return heads;
        }
        heads.push((format!("CARNET_OP(head) == {op}"), format!("return {stub}(channel, head);")));
        heads
    }

    /// The head of a request of our own clients, if that is not as others'.
    fn own_head(&self) -> Option<String> {
        let (op, words, at) = (self.number, self.shape.request_words(), self.piece.map(|word| word - 2));
        match (self.halves, at) {
            (Some(halves), _) => Some(near_head(op, words, at, halves.request)),
            (None, at) => at.map(|at| format!("CARNET_PIECE({op}, {words}, {at})")),
        }
    }

    /// The longest piece of its requests and replies.
    fn piece_bytes_max(&self) -> u32 {
        let pieces = self.shape.slots.iter().filter_map(|slot| match slot.ty {
            Type::Bytes { max } => Some(*max),
            _ => None,
        });
        let has_piece = self.rich.is_none() && (self.piece.is_some() || self.reply.piece.is_some());
        if has_piece { pieces.max().unwrap_or(0) } else { 0 }
    }

    fn constant(&self) -> String {
        let portals = self.request.portals;
        format!("CARNET_FLAT({}, {}, {portals})", self.number, data_at(self.shape.request_words(), portals))
    }

    /// Whether the reply stands behind the whole request, since both hold data.
    fn is_apart(&self) -> bool {
        self.request.data > 0 && self.reply.data > 0
    }

    /// Whether the user works on a parameter's word where it lies. An out must not lie on data of the request.
    fn is_in_place(&self, slot: &Slot<'_>, form: Form) -> bool {
        let is_there = is_word(slot.ty) || self.is_near(form) && is_half(slot.ty);
        match slot.mode {
            Mode::In => false,
            _ if self.shape.is_returned(slot) => false,
            Mode::InOut => is_there && !self.is_apart(),
            Mode::Out => is_there && self.request.data == 0,
        }
    }

    fn is_near(&self, form: Form) -> bool {
        form == Form::Own && self.halves.is_some()
    }

    fn function(&self, code: &mut Lines) {
        if self.own_head().is_some() {
            self.form(Form::Own, code);
        }
        self.form(Form::Any, code);
    }

    fn form(&self, form: Form, code: &mut Lines) {
        let has_head = form == Form::Any && self.request.data > 0;
        let head = if has_head { ", uint64_t head" } else { "" };
        let stub = if form == Form::Own { &self.own_stub } else { &self.stub };
        let is_usual = form == Form::Own || self.own_head().is_none();
        let is_inline = self.interface.operations.len() <= COMPARED_MAX && is_usual && !has_head;
        let kind = if is_inline { "static inline" } else { "CARNET_APART" };
        code.line(&format!("{kind} struct carnet_answer {stub}(struct carnet_channel *channel{head})"));
        code.open("{");
        code.line("uint64_t *message = carnet_message(channel);");
        code.line("struct carnet_answer answer;");
        if has_head && self.halves.is_some() {
            // Of a client of this process that was compiled to copy, or to gather, where this is not.
            code.line("head = carnet_far(message, head);");
        }
        if has_head && self.piece.is_none() {
            let (words, portals) = (self.shape.request_words(), self.request.portals);
            let data = data_at(words, portals);
            let refuse = format!("return carnet_refuse(channel, head, {});", self.interface.operations.len());
            code.when(&format!("!carnet_is_whole(head, {data}, {portals})"), &[&refuse]);
            if let Some(references) = &self.shape.sent {
                let apart = format!("carnet_is_apart(message, CARNET_LEN(head), {data}, {references})");
                let wrong = format!("\"{}: arguments share their bytes\"", self.place);
                code.when(
                    &format!("!{apart}"),
                    &[&format!("return carnet_fail(channel, CARNET_BAD_ARGUMENT, {wrong});")],
                );
            }
        }
        self.arguments(form, code);
        self.results(form, code);
        self.call(form, code);
        self.answer(form, code);
        code.close("}");
        code.blank();
    }

    fn wrong_argument(&self, name: &str) -> String {
        format!(
            "return carnet_fail(channel, CARNET_BAD_ARGUMENT, \"{}: argument `{name}` is wrong\");",
            self.place
        )
    }

    fn wrong_result(&self) -> String {
        format!(
            "return carnet_fail(channel, CARNET_SERVICE, \"{}: a result leaves its bounds\");",
            self.place
        )
    }

    fn arguments(&self, form: Form, code: &mut Lines) {
        let mut slots: Vec<_> = self.shape.slots.iter().filter(|slot| slot.mode != Mode::Out).collect();
        if form == Form::Any && self.piece.is_some() {
            // Finding the piece shows that the words are the message's own.
            slots.sort_by_key(|slot| !matches!(slot.ty, Type::Bytes { .. }));
        }
        for slot in slots {
            let base = self.shape.request_base(slot.mode);
            if self.is_in_place(slot, form) {
                let (at, ty) = (base + slot.first, self.c.ty(slot.ty));
                code.line(&format!("{ty} *{} = ({ty} *)(void *)(message + {at});", slot.name));
                continue;
            }
            if matches!(slot.ty, Type::Struct(_)) {
                code.line(&format!("{} {};", self.c.ty(slot.ty), slot.name));
            }
            let leaves = self.c.leaves(slot, Access::Value, base);
            leaves.iter().for_each(|leaf| self.argument(slot, leaf, form, code));
        }
    }

    fn argument(&self, slot: &Slot<'a>, leaf: &Leaf<'a>, form: Form, code: &mut Lines) {
        let fetch = format!("carnet_get(message, {})", leaf.word);
        let declared =
            if matches!(slot.ty, Type::Struct(_)) { String::new() } else { self.c.ty(leaf.ty) + " " };
        let wrong = self.wrong_argument(&leaf.expr);
        match leaf.ty {
            Type::String { .. } | Type::Bytes { .. } => {
                if !declared.is_empty() {
                    code.line(&format!("{declared}{};", leaf.expr));
                }
                self.data(leaf, &wrong, form, code);
            }
            Type::Portal(id) => {
                let interface = self.c.names.of(For::Interface, &self.c.module.interfaces[id.index()].name);
                let (words, portals) = (self.shape.request_words(), self.request.portals);
                let found = format!("channel, message, {words}, {portals}, {fetch}, {interface}.hash");
                code.line(&format!("void *{};", leaf.expr));
                code.when(&format!("!carnet_find_object({found}, &{})", leaf.expr), &[&wrong]);
            }
            ty if self.is_near(form) && is_half(ty) => {
                let fetch = format!("carnet_get_half(message, {})", leaf.word);
                code.line(&format!("{declared}{} = {};", leaf.expr, self.c.to_scalar(ty, &fetch)));
            }
            ty => match self.c.no_scalar(ty, &format!("word{}", leaf.word)) {
                None => code.line(&format!("{declared}{} = {};", leaf.expr, self.c.to_scalar(ty, &fetch))),
                Some(condition) => {
                    let word = format!("word{}", leaf.word);
                    code.line(&format!("uint64_t {word} = {fetch};"));
                    code.when(&format!("CARNET_UNLIKELY({condition})"), &[&wrong]);
                    code.line(&format!("{declared}{} = {};", leaf.expr, self.c.to_scalar(ty, &word)));
                }
            },
        }
    }

    /// Finds a string or bytes of the request.
    fn data(&self, leaf: &Leaf<'a>, wrong: &str, form: Form, code: &mut Lines) {
        let (words, portals) = (self.shape.request_words(), self.request.portals);
        let data = data_at(words, portals);
        let flat = format!("message, CARNET_LEN(head), {data}, carnet_get(message, {})", leaf.word);
        let at = leaf.word - 2;
        match (leaf.ty, form) {
            (Type::Bytes { max }, Form::Own) => {
                code.line(&format!("{} = carnet_taken(message, {words}, {at});", leaf.expr));
                code.when(&format!("CARNET_UNLIKELY({}.len > {max})", leaf.expr), &[wrong]);
            }
            (Type::Bytes { max }, Form::Any) if self.piece.is_some() => {
                let any = format!("channel, message, head, {words}, {at}, {max}, &{}", leaf.expr);
                code.when(&format!("!carnet_find_any({any})"), &[wrong]);
            }
            (Type::Bytes { max }, Form::Any) => {
                code.when(&format!("!carnet_find({flat}, {max}, &{})", leaf.expr), &[wrong]);
            }
            (Type::String { max }, _) => {
                code.when(&format!("!carnet_find_string({flat}, {max}, &{})", leaf.expr), &[wrong]);
            }
            _ => {}
        }
    }

    /// Places for what comes back, cleared: what a function leaves unset is sent like the rest.
    fn results(&self, form: Form, code: &mut Lines) {
        let ins = self.shape.ins;
        if self.is_apart() {
            code.line("uint64_t *reply = message + (CARNET_LEN(head) + 7) / 8;");
            let words = self.shape.reply_words();
            let condition =
                format!("!carnet_has_room(channel, reply, {})", data_at(words, self.reply.portals));
            code.when(
                &condition,
                &["return carnet_fail(channel, CARNET_REFUSED, \"no room for the reply\");"],
            );
        }
        // Addresses count from the message's start, which is in a register anyway.
        let (base, ins) = if self.is_apart() { ("reply", 0) } else { ("message", ins) };
        for slot in self.shape.slots(Mode::Out).filter(|slot| !self.shape.is_returned(slot)) {
            let name = &slot.name;
            if self.is_in_place(slot, form) {
                let (at, ty) = (ins + self.shape.reply_base(Mode::Out) + slot.first, self.c.ty(slot.ty));
                code.line(&format!("{ty} *{name} = ({ty} *)(void *)({base} + {at});"));
                code.line(&format!("*{name} = 0;"));
            } else if self.reply.piece == Some(self.shape.reply_base(Mode::Out) + slot.first) {
                let (plus, words) = (plus(ins), self.shape.reply_words());
                code.line(&format!("struct carnet_bytes *{name} = carnet_place({base}{plus}, {words});"));
                // Nobody reads through the address of nothing: to clear that, too, is an instruction more.
                code.line(&format!("{name}->len = 0;"));
            } else if matches!(slot.ty, Type::Portal(_)) {
                code.line(&format!("void *{name} = NULL;"));
            } else {
                code.line(&format!("{} {name};", self.c.ty(slot.ty)));
                code.line(&format!("memset(&{name}, 0, sizeof {name});"));
            }
        }
    }

    /// Whether a slot's name in the stub is a pointer already.
    fn is_pointer(&self, slot: &Slot<'_>, form: Form) -> bool {
        let is_piece =
            slot.mode == Mode::Out && self.reply.piece == Some(self.shape.reply_base(Mode::Out) + slot.first);
        self.is_in_place(slot, form) || is_piece
    }

    fn call(&self, form: Form, code: &mut Lines) {
        has_room_for(self.operation, code);
        let mut arguments = vec!["&channel->self".to_owned()];
        for slot in self.shape.parameters() {
            let is_value = slot.mode == Mode::In && !matches!(slot.ty, Type::Struct(_));
            let and = if is_value || self.is_pointer(slot, form) { "" } else { "&" };
            arguments.push(format!("{and}{}", slot.name));
        }
        match self.shape.returned {
            Some(ty) => code.call(&format!("{} result = {}", self.c.ty(ty), self.user), &arguments, ";"),
            None if self.shape.raises => {
                code.line(super::shape::SAYS_NOTHING);
                code.call(&format!("carnet_status status = {}", self.user), &arguments, ";");
                code.when(
                    "CARNET_UNLIKELY(status != CARNET_OK)",
                    &[&format!(
                        "return carnet_fail(channel, {}, carnet_said());",
                        self.c.declared(self.operation)
                    )],
                );
            }
            None => code.call(&self.user, &arguments, ";"),
        }
    }

    fn answer(&self, form: Form, code: &mut Lines) {
        let (words, portals) = (self.shape.reply_words(), self.reply.portals);
        if self.reply.piece.is_some() {
            code.line("CARNET_ANEW_IF_COPIED(channel);");
            code.line("message = carnet_message(channel);");
        }
        if !self.is_apart() {
            code.line(&format!("uint64_t *reply = message{};", plus(self.shape.ins)));
        }
        let data = data_at(words, portals);
        let mut head = format!("CARNET_FLAT(0, {data}, {portals})");
        if self.reply.data > 0 && self.reply.piece.is_none() {
            code.line(&format!("size_t end = carnet_begin_data(channel, {data});"));
            head = match portals {
                0 => "CARNET_FLAT(0, end, 0)".to_owned(),
                _ => format!("CARNET_HANDING(0, end, {portals}, {words})"),
            };
            head.push_str(" | carnet_elsewhere(channel)");
        }
        for slot in self.shape.slots.iter().filter(|slot| slot.mode != Mode::In) {
            if !self.is_pointer(slot, form) {
                let leaves = self.c.leaves(slot, Access::Value, self.shape.reply_base(slot.mode));
                leaves
                    .iter()
                    .filter(|leaf| is_data(leaf.ty))
                    .for_each(|leaf| self.put_data(leaf, data, code));
            }
        }
        let made = self.made();
        if !made.is_empty() {
            let unset: Vec<String> = made.iter().map(|(object, _)| format!("{object} == NULL")).collect();
            let wrong = self.wrong(0);
            code.when(&unset.join(" || "), &wrong.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let mut next = 0;
        for slot in self.shape.slots.iter().filter(|slot| slot.mode != Mode::In) {
            if self.is_pointer(slot, form) {
                continue;
            }
            let leaves = self.c.leaves(slot, Access::Value, self.shape.reply_base(slot.mode));
            for leaf in leaves.iter().filter(|leaf| !is_data(leaf.ty)) {
                if let Type::Portal(_) = leaf.ty {
                    let (object, service) = &made[next];
                    let put =
                        format!("carnet_put_made(channel, reply, {words}, {next}, {object}, {service})");
                    let mut undo = self.undo(&made[next + 1..], next);
                    undo.push(
                        "return carnet_fail(channel, CARNET_SERVICE, \"the call was done, but what it made cannot be handed out\");"
                            .to_owned(),
                    );
                    code.when(&format!("!{put}"), &undo.iter().map(String::as_str).collect::<Vec<_>>());
                    code.line(&format!("carnet_put(reply, {}, {next});", leaf.word));
                    next += 1;
                } else {
                    code.line(&put("reply", leaf, self.is_near(form)));
                }
            }
        }
        if let Some(piece) = self.reply.piece {
            self.answer_piece(piece, code);
            head = format!("CARNET_PIECE(0, {words}, {})", piece - 2);
        }
        if let Some(halves) = self.halves.filter(|_| self.is_near(form)) {
            head = near_head(0, words, self.reply.piece.map(|word| word - 2), halves.reply);
        }
        code.line(&format!("answer.head = {head};"));
        code.line("answer.reply = reply;");
        code.line("return answer;");
    }

    /// Objects that the reply hands out, each with its service, in their order.
    fn made(&self) -> Vec<(String, String)> {
        let slots = self.shape.slots.iter().filter(|slot| slot.mode != Mode::In);
        let leaves =
            slots.flat_map(|slot| self.c.leaves(slot, Access::Value, self.shape.reply_base(slot.mode)));
        let service = |leaf: Leaf<'_>| match leaf.ty {
            Type::Portal(id) => {
                let service = self.c.names.of(For::Service, &self.c.module.interfaces[id.index()].name);
                Some((leaf.expr, format!("{service}()")))
            }
            _ => None,
        };
        leaves.filter_map(service).collect()
    }

    /// Takes back `handed` portals, and lets go of what was made and is not handed out.
    fn undo(&self, left: &[(String, String)], handed: usize) -> Vec<String> {
        let session = "carnet_session_of(channel)";
        let refuse =
            left.iter().map(|(object, service)| format!("carnet_leave_out({session}, {object}, {service});"));
        let words = self.shape.reply_words();
        refuse.chain([format!("carnet_take_back({session}, reply, {words}, {handed});")]).collect()
    }

    /// A result leaves its bounds, when so many portals are handed out.
    fn wrong(&self, handed: usize) -> Vec<String> {
        let made = self.made();
        let undo = if made.is_empty() { Vec::new() } else { self.undo(&made[handed..], handed) };
        undo.into_iter().chain([self.wrong_result()]).collect()
    }

    fn put_data(&self, leaf: &Leaf<'_>, data: usize, code: &mut Lines) {
        let to = format!("channel, reply, {data}, &end, {}", leaf.word);
        let added = match leaf.ty {
            Type::String { max } => format!("carnet_add_text({to}, {}, {max})", leaf.expr),
            Type::Bytes { max } => format!("carnet_add({to}, {}.ptr, {}.len, {max})", leaf.expr, leaf.expr),
            _ => return,
        };
        let wrong = self.wrong(0);
        code.when(&format!("!{added}"), &wrong.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// The reply's only data.
    fn answer_piece(&self, piece: usize, code: &mut Lines) {
        let words = self.shape.reply_words();
        let slot = self.shape.slots(Mode::Out).find(|slot| is_data(slot.ty));
        let Some(Slot { name, ty: Type::Bytes { max }, .. }) = slot else { return };
        let wrong = self.wrong(self.reply.portals);
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        code.when(&format!("CARNET_UNLIKELY({name}->len > {max})"), &wrong);
        let at = piece - 2;
        code.line(&format!("reply = carnet_put_left(reply, {words}, {at});"));
    }
}

/// What an operation makes must have room before it is made: who is refused it may ask again.
pub(super) fn has_room_for(operation: &Operation, code: &mut Lines) {
    let Brings { alone, most } = operation.layout.brings;
    if most > 0 {
        code.when(
            &format!("!carnet_can_hold(carnet_session_of(channel), {most}, {alone})"),
            &["return carnet_fail(channel, CARNET_REFUSED, \"the session holds as many portals as it may\");"],
        );
    }
}

/// ` + ins`, unless that is 0.
fn plus(ins: usize) -> String {
    if ins == 0 { String::new() } else { format!(" + {ins}") }
}
