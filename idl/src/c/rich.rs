//! Stubs of operations whose values are more than words and data: lists as arguments, unions, arrays, references in
//! structs, exceptions with members of their own, and calls that nobody waits for.
//!
//! They put all values and look once whether one was wrong; the reply of a server stands behind its request.

use super::C;
use super::names::For;
use super::server::has_room_for;
use super::shape::{Shape, Slot};
use crate::backend::Lines;
use crate::descriptor::{Interface, Mode, Operation, Type};

/// One operation.
pub(super) struct Rich<'a, 'c> {
    pub(super) c: &'c C<'a>,
    pub(super) interface: &'a Interface,
    pub(super) operation: &'a Operation,
    pub(super) number: usize,
    pub(super) shape: Shape<'a>,
}

/// Where data of a reply go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lands {
    InMessage,
    /// Buffers of the caller's, as far as they fit.
    InBuffers,
}

impl<'a> Rich<'a, '_> {
    fn place(&self) -> String {
        C::place(self.interface, self.operation)
    }

    /// `files_Dir_open`.
    fn name(&self) -> String {
        self.c.operation(self.interface, self.operation)
    }

    fn stub(&self, what: For) -> String {
        self.c.stub(what, self.interface, self.operation)
    }

    fn is_typed(&self) -> bool {
        self.c.is_typed(self.operation)
    }

    /// The parameter for what it raises.
    pub(super) fn raised(&self) -> Option<String> {
        self.is_typed().then(|| format!("union {} *raised", self.stub(For::Raised)))
    }

    /// The exceptions that it raises: kinds, and what they come with.
    pub(super) fn exceptions(&self, code: &mut Lines) {
        if !self.is_typed() {
            return;
        }
        let raised = || self.operation.raises.iter().map(|id| &self.c.module.exceptions[id.index()].name);
        code.line(&format!(
            "/* What {} raises: CARNET_KIND of its status, and what comes with it. */",
            self.place()
        ));
        code.open("enum {");
        for (place, exception) in raised().enumerate() {
            let comma = if place + 1 == self.operation.raises.len() { "" } else { "," };
            let kind = self.c.names.of(For::Kind, &format!("{} {exception}", self.place()));
            code.line(&format!("{kind} = 0x{:x}{comma}", 0x8000 + place));
        }
        code.close("};");
        code.open(&format!("union {} {{", self.stub(For::Raised)));
        for (exception, member) in raised().zip(self.members()) {
            code.line(&format!("struct {} {member};", self.c.name(exception)));
        }
        code.close("};");
        code.blank();
    }

    /// Names of the exceptions in the union of what is raised.
    fn members(&self) -> Vec<String> {
        let names = self.operation.raises.iter().map(|id| &self.c.module.exceptions[id.index()].name);
        let names: Vec<String> = names.map(|name| super::names::flat(name)).collect();
        self.c.taken.members(names.iter().map(String::as_str))
    }

    /// Words of the exceptions, their functions and members, in the order of their kinds.
    fn raises(&self, what: For) -> impl Iterator<Item = (usize, String, String)> {
        self.operation.raises.iter().zip(self.members()).map(move |(id, member)| {
            let new = &self.c.module.exceptions[id.index()];
            let words = new.members.iter().map(|member| self.c.stride(&member.ty)).sum();
            (words, self.c.names.of(what, &new.name), member)
        })
    }

    /// How many portals values of these modes have, as an expression; the last mode says which way they go.
    fn portals(&self, modes: [Mode; 2]) -> String {
        let mut sum = vec![];
        let mut fixed = 0;
        let name = |slot: &Slot<'a>| match modes {
            [_, Mode::Out] => slot.given_back().to_owned(),
            _ => slot.name.clone(),
        };
        for slot in modes.into_iter().flat_map(|mode| self.shape.slots(mode)) {
            let (ty, is_list) = match slot.ty {
                Type::List { of, .. } => (&**of, true),
                ty => (ty, false),
            };
            let mut words = vec![];
            self.c.module.flatten(ty, &mut words);
            let count =
                words.iter().filter(|word| matches!(word, crate::descriptor::Word::Portal(_))).count();
            match (count, is_list) {
                (0, true) => {}
                (1, true) => sum.push(format!("{}.count", name(slot))),
                (count, true) => sum.push(format!("{}.count * {count}", name(slot))),
                (count, false) => fixed += count,
            }
        }
        if fixed > 0 || sum.is_empty() {
            sum.push(fixed.to_string());
        }
        sum.join(" + ")
    }

    // ---- The client ----

    /// What to do if the call failed: `failed` is an expression that remembers why.
    fn leave(&self, condition: &str, failed: &str, code: &mut Lines) {
        code.open(&format!("if ({condition}) {{"));
        self.leave_at_once(failed, code);
        code.close("}");
    }

    fn leave_at_once(&self, failed: &str, code: &mut Lines) {
        match self.shape.returned {
            None => code.line(&format!("return {failed};")),
            Some(_) => {
                code.line(&format!("{failed};"));
                code.line("return result;");
            }
        }
    }

    /// The function that is called; nothing if it would be for buffers, and nothing comes back that can have one.
    pub(super) fn client(&self, lands: Lands, code: &mut Lines) {
        let buffers: Vec<&Slot<'_>> = self.shape.buffers().filter(|_| lands == Lands::InBuffers).collect();
        let returns = self.c.called_returns(&self.shape);
        let name = match lands {
            Lands::InMessage => {
                code.comment(&self.operation.doc);
                self.stub(For::Call)
            }
            Lands::InBuffers if buffers.is_empty() => return,
            Lands::InBuffers => {
                let call = self.stub(For::Call);
                code.line(&format!("/* As {call}: data that fit are put into the buffers. */"));
                self.stub(For::CallInto)
            }
        };
        let mut parameters = self.c.called_parameters(&self.shape);
        parameters.extend(buffers.iter().map(|slot| format!("struct carnet_buffer {}", slot.into)));
        parameters.extend(self.raised());
        code.call(&format!("static inline {returns} {name}"), &parameters, "");
        code.open("{");
        self.client_targets(&buffers, code);
        code.line("struct carnet_put put;");
        if !self.operation.oneway {
            code.line("struct carnet_take take;");
        }
        code.line("struct carnet_answer answer;");
        if self.shape.returned.is_some() {
            code.line(&format!("{returns} result = ({returns})0;"));
        }
        self.client_puts(lands, code);
        if self.operation.oneway {
            code.line(
                "return CARNET_OP(answer.head) == 0 ? (carnet_status)CARNET_OK : carnet_failed(answer);",
            );
        } else {
            self.client_takes(lands, code);
        }
        code.close("}");
        code.blank();
    }

    /// What the transport is told of buffers.
    fn client_targets(&self, buffers: &[&Slot<'a>], code: &mut Lines) {
        if buffers.is_empty() {
            return;
        }
        code.open("struct carnet_target targets[] = {");
        for (index, slot) in buffers.iter().enumerate() {
            let at = self.shape.reply_base(slot.mode) - 2 + slot.first;
            let comma = if index + 1 == buffers.len() { "" } else { "," };
            code.line(&format!("carnet_target_of({at}, {}){comma}", slot.into));
        }
        code.close("};");
        let (count, words, references) = (buffers.len(), self.shape.reply_words(), &self.shape.references);
        code.line(&format!("struct carnet_landing landing = {{targets, {count}, {words}, {references}}};"));
    }

    fn client_puts(&self, lands: Lands, code: &mut Lines) {
        let (words, portals) = (self.shape.request_words(), self.portals([Mode::In, Mode::InOut]));
        let message = "self.channel, carnet_message(self.channel)";
        code.line(&format!("carnet_put_begin(&put, {message}, {words}, {portals}, false);"));
        for slot in [Mode::In, Mode::InOut].into_iter().flat_map(|mode| self.shape.slots(mode)) {
            let at = (self.shape.request_base(slot.mode) - 2 + slot.first).to_string();
            let name = &slot.name;
            match (slot.mode, slot.ty) {
                (mode, Type::Portal(_)) => {
                    let given = self.shape.local(&format!("{name}_given"));
                    let star = if mode == Mode::In { "" } else { "*" };
                    code.line(&format!("struct carnet_reference {given} = carnet_given({star}{name});"));
                    self.c.put("&put", slot.ty, &at, &given, code);
                }
                (_, Type::List { .. }) => self.c.put("&put", slot.ty, &at, name, code),
                (Mode::In, ty) if !C::is_compound(ty) => self.c.put("&put", ty, &at, name, code),
                (_, ty) => self.c.put("&put", ty, &at, &format!("(*{name})"), code),
            }
        }
        let lists = self.shape.slots(Mode::InOut).filter(|slot| !slot.back.is_empty());
        let outs = self.shape.slots(Mode::Out).filter(|slot| !self.shape.is_returned(slot));
        // What is sent lies where it is until it is sent, which may be within what comes back.
        let clear: Vec<String> = lists
            .chain(outs)
            .map(|slot| format!("memset({0}, 0, sizeof *{0});", slot.given_back()))
            .collect();
        let wrong = format!("carnet_note(CARNET_BAD_ARGUMENT, \"{}: an argument is wrong\")", self.place());
        code.open("if (put.is_wrong) {");
        clear.iter().for_each(|line| code.line(line));
        self.leave_at_once(&wrong, code);
        code.close("}");
        let how = if self.operation.oneway { "tell" } else { "call" };
        let head = format!("carnet_put_head(&put, {})", self.number);
        let call = format!("answer = self.channel->{how}(self.channel, self.id, {head});");
        match lands {
            Lands::InMessage => code.line(&call),
            Lands::InBuffers => {
                code.line("self.channel->landing = &landing;");
                code.line(&call);
                code.line("self.channel->landing = NULL;");
            }
        }
        clear.iter().for_each(|line| code.line(line));
    }

    fn client_takes(&self, lands: Lands, code: &mut Lines) {
        let place = self.place();
        let wrong =
            format!("carnet_note(CARNET_PROTOCOL, \"{place}: the reply is not one of this operation\")");
        if self.is_typed() {
            self.client_raised(&wrong, code);
        } else {
            let failed = self.c.failed(self.operation);
            self.leave("CARNET_UNLIKELY(CARNET_OP(answer.head) != 0)", &failed, code);
        }
        let words = self.shape.reply_words();
        let references = self.shape.replied.as_deref().unwrap_or("0");
        let begun = match lands {
            Lands::InMessage => {
                let reply = format!("self.channel, answer.reply, answer.head, {words}, {references}, false");
                format!("carnet_take_begin(&take, {reply})")
            }
            Lands::InBuffers => "carnet_take_landed(&take, self.channel, answer, &landing)".to_owned(),
        };
        self.leave(&format!("!{begun}"), &wrong, code);
        if self.shape.replied.is_some() {
            // Before the same bytes are looked at many times.
            self.client_refuses(&wrong, code);
        }
        for slot in [Mode::InOut, Mode::Out].into_iter().flat_map(|mode| self.shape.slots(mode)) {
            let at = (self.shape.reply_base(slot.mode) - 2 + slot.first).to_string();
            let name = slot.given_back();
            let found = self.found(slot);
            if let Some(found) = &found {
                code.line(&format!("{} {found};", self.c.part(slot.ty)));
            }
            let place = found.clone().unwrap_or_else(|| format!("(*{name})"));
            if self.shape.is_returned(slot) {
                self.c.take("&take", slot.ty, &at, name, code);
            } else if lands == Lands::InBuffers && slot.has_buffer() {
                self.client_lands(slot, &place, code);
            } else {
                self.c.take("&take", slot.ty, &at, &place, code);
            }
            if let (None, Type::List { of, .. }) = (&found, slot.ty) {
                self.c.each_element(&self.shape, name, of, "&take.texts_left", code, |wrong, code| {
                    code.when(wrong, &["take.is_wrong = true;", "break;"]);
                });
            }
        }
        self.client_refuses(&wrong, code);
        for slot in [Mode::InOut, Mode::Out].into_iter().flat_map(|mode| self.shape.slots(mode)) {
            if let Some(found) = self.found(slot) {
                let part = if matches!(slot.ty, Type::Portal(_)) { ".portal" } else { "" };
                code.line(&format!("*{} = {found}{part};", slot.name));
            }
        }
        code.line("carnet_take_rest(&take);");
        code.line(if self.shape.returned.is_some() { "return result;" } else { "return CARNET_OK;" });
    }

    /// Takes what has a buffer.
    fn client_lands(&self, slot: &Slot<'a>, place: &str, code: &mut Lines) {
        let index = self.shape.buffers().take_while(|other| other.into != slot.into).count();
        code.open("{");
        code.line(&format!("struct carnet_take part = carnet_take_into(&take, &targets[{index}]);"));
        self.c.take("&part", slot.ty, "0", place, code);
        code.line("take.is_wrong = part.is_wrong;");
        code.close("}");
    }

    /// Where what comes back waits until all of the reply was found to be right: what takes the place of an inout, and
    /// portals, which are references as long as they are taken.
    fn found(&self, slot: &Slot<'a>) -> Option<String> {
        let is_inout = slot.mode == Mode::InOut && slot.back.is_empty();
        let waits = is_inout || matches!(slot.ty, Type::Portal(_));
        waits.then(|| self.shape.local(&format!("{}_found", slot.name)))
    }

    /// A reply that is not one of this operation leaves inouts as they were, and nothing else.
    fn client_refuses(&self, wrong: &str, code: &mut Lines) {
        let written = |slot: &&Slot<'a>| slot.mode != Mode::In && !self.shape.is_returned(slot);
        let cleared = self.shape.slots.iter().filter(written).filter(|slot| self.found(slot).is_none());
        let clear = |slot: &Slot<'a>| format!("memset({0}, 0, sizeof *{0});", slot.given_back());
        let mut then = vec!["carnet_take_undo(&take);".to_owned()];
        then.extend(cleared.map(clear));
        match self.shape.returned {
            None => then.push(format!("return {wrong};")),
            Some(ty) => then.extend([format!("{wrong};"), format!("return ({})0;", self.c.ty(ty))]),
        }
        code.when("take.is_wrong", &then.iter().map(String::as_str).collect::<Vec<&str>>());
    }

    fn client_raised(&self, wrong: &str, code: &mut Lines) {
        code.open("if (CARNET_OP(answer.head) != 0) {");
        code.line(&format!("carnet_status status = {};", self.c.failed(self.operation)));
        code.line("switch (status) {");
        for (kind, (words, function, member)) in self.raises(For::Take).enumerate() {
            code.line(&format!("case CARNET_RAISE(CARNET_TYPED + {kind}):"));
            code.indent();
            let begun = format!("carnet_take_raised(&take, self.channel, answer, {words})");
            code.when(&format!("!{begun}"), &[&format!("return {wrong};")]);
            code.line(&format!("{function}(&take, 0, &raised->{member});"));
            code.line("carnet_failure_text[0] = 0;");
            code.line(&format!("return take.is_wrong ? {wrong} : status;"));
            code.dedent();
        }
        code.line("default:");
        code.line("    return status;");
        code.line("}");
        code.close("}");
    }

    // ---- The server ----

    pub(super) fn heads(&self) -> Vec<(String, String)> {
        vec![(
            format!("CARNET_OP(head) == {}", self.number),
            format!("return {}(channel, head);", self.stub(For::Serve)),
        )]
    }

    pub(super) fn server(&self, code: &mut Lines) {
        let parameters = "struct carnet_channel *channel, uint64_t head";
        code.line(&format!("CARNET_APART struct carnet_answer {}({parameters})", self.stub(For::Serve)));
        code.open("{");
        code.line("uint64_t *message = carnet_message(channel), *reply;");
        code.line("struct carnet_answer answer;");
        code.line("struct carnet_take take;");
        code.line("struct carnet_put put;");
        self.server_takes(code);
        self.server_call(code);
        self.server_puts(code);
        code.line("answer.head = carnet_put_head(&put, 0);");
        code.line("answer.reply = reply;");
        code.line("return answer;");
        code.close("}");
        code.blank();
    }

    fn server_takes(&self, code: &mut Lines) {
        let words = self.shape.request_words();
        let references = self.shape.sent.as_deref().unwrap_or("0");
        let request = format!("channel, message, head, {words}, {references}, true");
        let refuse = format!("return carnet_refuse(channel, head, {});", self.interface.operations.len());
        code.when(&format!("!carnet_take_begin(&take, {request})"), &[&refuse]);
        let wrong = format!("\"{}: an argument is wrong\"", self.place());
        let wrong = format!("return carnet_fail(channel, CARNET_BAD_ARGUMENT, {wrong});");
        if self.shape.sent.is_some() {
            code.when("take.is_wrong", &[&wrong]);
        }
        code.line("reply = message + (CARNET_LEN(head) + 7) / 8;");
        for slot in [Mode::In, Mode::InOut].into_iter().flat_map(|mode| self.shape.slots(mode)) {
            let at = (self.shape.request_base(slot.mode) - 2 + slot.first).to_string();
            let name = &slot.name;
            code.line(&format!("{} {name};", self.c.part(slot.ty)));
            self.c.take("&take", slot.ty, &at, name, code);
            if let Type::List { of, .. } = slot.ty {
                let list = format!("&{name}");
                self.c.each_element(&self.shape, &list, of, "&take.texts_left", code, |wrong, code| {
                    code.when(wrong, &["take.is_wrong = true;", "break;"]);
                });
            }
        }
        code.when("take.is_wrong", &[&wrong]);
    }

    fn server_call(&self, code: &mut Lines) {
        has_room_for(self.operation, code);
        let mut arguments = vec!["&channel->self".to_owned()];
        for slot in self.shape.parameters() {
            arguments.push(self.argument(slot, code));
            if let (Mode::InOut, Type::List { of, .. }) = (slot.mode, slot.ty) {
                let back = &slot.back;
                code.line(&format!("{} {back};", self.c.given_list(of)));
                code.line(&format!("memset(&{back}, 0, sizeof {back});"));
                arguments.push(format!("&{back}"));
            }
        }
        if self.is_typed() {
            code.line(&format!("union {} raised;", self.stub(For::Raised)));
            code.line("memset(&raised, 0, sizeof raised);");
            arguments.push("&raised".to_owned());
        }
        match self.shape.returned {
            Some(ty) => code.call(&format!("{} result = {}", self.c.ty(ty), self.name()), &arguments, ";"),
            None if self.shape.raises => {
                code.line(super::shape::SAYS_NOTHING);
                code.call(&format!("carnet_status status = {}", self.name()), &arguments, ";");
                self.server_raised(code);
            }
            None => code.call(&self.name(), &arguments, ";"),
        }
    }

    /// How a parameter is handed over; an out is declared before.
    fn argument(&self, slot: &Slot<'a>, code: &mut Lines) -> String {
        let name = &slot.name;
        match (slot.mode, slot.ty) {
            (Mode::In, Type::Portal(_)) => format!("{name}.object"),
            (Mode::In, ty) if C::is_compound(ty) || matches!(ty, Type::List { .. }) => format!("&{name}"),
            (Mode::In, _) => name.clone(),
            (Mode::InOut, _) => format!("&{name}"),
            (Mode::Out, ty) => {
                let ty = match ty {
                    Type::Portal(_) => "void *".to_owned(),
                    Type::List { of, .. } => self.c.given_list(of) + " ",
                    ty => self.c.ty(ty) + " ",
                };
                code.line(&format!("{ty}{name};"));
                code.line(&format!("memset(&{name}, 0, sizeof {name});"));
                format!("&{name}")
            }
        }
    }

    fn wrong_result(&self) -> String {
        format!(
            "return carnet_fail(channel, CARNET_SERVICE, \"{}: a result leaves its bounds\");",
            self.place()
        )
    }

    fn server_raised(&self, code: &mut Lines) {
        let declared = self.c.declared(self.operation);
        code.open("if (CARNET_UNLIKELY(status != CARNET_OK)) {");
        if self.is_typed() {
            code.line("switch (status) {");
            for (kind, (words, function, member)) in self.raises(For::Put).enumerate() {
                code.line(&format!("case CARNET_RAISE(CARNET_TYPED + {kind}):"));
                code.line(&format!("    carnet_put_begin(&put, channel, reply, {words}, 0, true);"));
                code.line(&format!("    {function}(&put, 0, &raised.{member});"));
                code.line("    break;");
            }
            code.line("default:");
            code.line(&format!("    return carnet_fail(channel, {declared}, carnet_said());"));
            code.line("}");
            code.when("put.is_wrong", &[&self.wrong_result()]);
            code.line("reply[1] = (uint64_t)CARNET_KIND(status) << 32;");
            code.line("answer.head = carnet_put_head(&put, CARNET_RAISED);");
            code.line("answer.reply = reply;");
            code.line("return answer;");
        } else {
            code.line(&format!("return carnet_fail(channel, {declared}, carnet_said());"));
        }
        code.close("}");
    }

    fn server_puts(&self, code: &mut Lines) {
        let (words, portals) = (self.shape.reply_words(), self.portals([Mode::InOut, Mode::Out]));
        code.line(&format!("carnet_put_begin(&put, channel, reply, {words}, {portals}, true);"));
        for slot in [Mode::InOut, Mode::Out].into_iter().flat_map(|mode| self.shape.slots(mode)) {
            let at = (self.shape.reply_base(slot.mode) - 2 + slot.first).to_string();
            let name = slot.given_back();
            if let (Mode::Out, Type::Portal(id)) = (slot.mode, slot.ty) {
                let service = self.c.names.of(For::Service, &self.c.module.interfaces[id.index()].name);
                let made = format!("carnet_served({name}, {service}())");
                let local = self.shape.local(&format!("{name}_made"));
                code.line(&format!("struct carnet_reference {local} = {made};"));
                self.c.put("&put", slot.ty, &at, &local, code);
            } else {
                self.c.put("&put", slot.ty, &at, name, code);
            }
        }
        code.when("put.is_wrong", &["carnet_put_undo(&put);", &self.wrong_result()]);
    }
}
