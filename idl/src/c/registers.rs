//! Register messages: stubs of short calls, whose values travel in registers and in one cache line of the channel. What
//! stands where is told by `idl/c/carnet.h`.
//!
//! | part | what it makes |
//! | --- | --- |
//! | client | `call_…`, and `call_…_unpassed` for what failed, or what the channel does not pass: that is sent as a message |
//! | server | `…_pass` and `…_pass_half`, which know operations by their shapes, and a function for each |

use super::C;
use super::names::For;
use super::shape::{Shape, Slot, is_data};
use crate::backend::Lines;
use crate::descriptor::{Interface, Mode, Operation, Type};

/// An operation whose number needs more bits than a shape has for it has messages only.
const OPERATIONS_MAX: usize = 1 << 8;
/// What is more than that does not fit into a shape beside the operation.
const KINDS_MAX: usize = 1 << 24;
/// Values that are arguments; the others stand in the channel's line.
const ARGUMENTS: usize = 4;

/// One operation.
pub(super) struct Registers<'a, 'c> {
    c: &'c C<'a>,
    interface: &'a Interface,
    operation: &'a Operation,
    number: usize,
    shape: Shape<'a>,
}

/// How long what a register message's function returns is: which of a service's two functions that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answers {
    Word,
    Half,
}

impl Answers {
    fn pass(self) -> For {
        if self == Answers::Half { For::PassHalf } else { For::Pass }
    }

    /// The channel's function.
    fn member(self) -> &'static str {
        if self == Answers::Half { "pass_half" } else { "pass" }
    }

    fn ty(self) -> &'static str {
        if self == Answers::Half { "uint32_t" } else { "uint64_t" }
    }

    fn text(self) -> &'static str {
        if self == Answers::Half { "returns 32 bits" } else { "returns a word" }
    }

    // Both have functions of their own, so that a stub ends in a jump to them.
    fn fail(self) -> &'static str {
        if self == Answers::Half { "carnet_pass_fail_half" } else { "carnet_pass_fail" }
    }

    fn refuse(self) -> &'static str {
        if self == Answers::Half { "carnet_pass_refuse_half" } else { "carnet_pass_refuse" }
    }
}

/// A parameter, and the first of its values.
struct Placed<'s, 'a> {
    slot: &'s Slot<'a>,
    first: usize,
}

impl<'a> C<'a> {
    /// The register message of an operation; `None` if it is too long for one.
    pub(super) fn registers<'c>(
        &'c self,
        interface: &'a Interface,
        number: usize,
    ) -> Option<Registers<'a, 'c>> {
        let operation = &interface.operations[number];
        let is_passed =
            operation.layout.short.is_some() && self.is_plain(operation) && number < OPERATIONS_MAX;
        let shape = self.shape(operation);
        let registers = is_passed.then_some(Registers { c: self, interface, operation, number, shape });
        registers.filter(|registers| registers.kinds() < KINDS_MAX)
    }

    /// Serves register messages of an interface.
    pub(super) fn pass(&self, interface: &'a Interface, code: &mut Lines) {
        let own = usize::from(interface.inherited)..interface.operations.len();
        let passed: Vec<Registers<'a, '_>> =
            own.filter_map(|number| self.registers(interface, number)).collect();
        passed.iter().for_each(|registers| registers.server(code));
        let (half, whole): (Vec<_>, Vec<_>) = passed.into_iter().partition(Registers::is_half);
        self.pass_those(interface, Answers::Word, &whole, code);
        self.pass_those(interface, Answers::Half, &half, code);
    }

    fn pass_those(
        &self,
        interface: &'a Interface,
        answers: Answers,
        passed: &[Registers<'a, '_>],
        code: &mut Lines,
    ) {
        let name = self.names.of(answers.pass(), &interface.name);
        code.line(&format!(
            "/* Looks the operation of a register message up that {}, and serves it. */",
            answers.text()
        ));
        let words = (0..ARGUMENTS).map(|index| format!("uint64_t word{index}"));
        let parameters = ["struct carnet_channel *channel", "uint32_t target"].map(str::to_owned);
        let parameters: Vec<String> = parameters.into_iter().chain(words).collect();
        code.call(&format!("static inline {} {name}", answers.ty()), &parameters, "");
        code.open("{");
        // A base without operations is asked for none.
        let base = interface.base.filter(|_| interface.inherited > 0);
        let base = base.map(|base| self.names.of(answers.pass(), &self.module.interfaces[base.index()].name));
        if let Some(base) = &base {
            let call = format!("return {base}(channel, target, word0, word1, word2, word3);");
            code.when(&format!("(channel->shape & 0xff) < {}", interface.inherited), &[&call]);
        } else {
            code.line("(void)target;");
            let used = passed.iter().map(Registers::arguments).max().unwrap_or(0);
            (used..ARGUMENTS).for_each(|index| code.line(&format!("(void)word{index};")));
        }
        let cases = passed.iter().map(|registers| {
            let call = format!("return {}({});", registers.stub(For::Pass), registers.handed().join(", "));
            (registers.number, vec![(format!("channel->shape == {}", registers.constant()), call)])
        });
        self.select("channel->shape & 0xff", &cases.collect::<Vec<_>>(), code);
        let (refuse, known) = (answers.refuse(), interface.operations.len());
        code.line(&format!("return {refuse}(channel, {known});"));
        code.close("}");
        code.blank();
    }
}

impl<'a> Registers<'a, '_> {
    /// `Dir.open`, for messages.
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

    /// Parameters in the order of their values.
    fn placed(&self) -> Vec<Placed<'_, 'a>> {
        let mut next = 0;
        let place = |slot| {
            let first = next;
            next += if is_lent(slot) { 2 } else { 1 };
            Placed { slot, first }
        };
        self.shape.parameters().map(place).collect()
    }

    /// How many values are arguments.
    fn arguments(&self) -> usize {
        self.shape.parameters().map(|slot| if is_lent(slot) { 2 } else { 1 }).sum::<usize>().min(ARGUMENTS)
    }

    fn constant(&self) -> String {
        format!("CARNET_SHAPE({}, 0x{:x})", self.number, self.kinds())
    }

    /// The kinds of all parameters. No kind is 0 and none more than 16: no two lists of kinds are the same number.
    fn kinds(&self) -> usize {
        self.shape.parameters().fold(0, |kinds, slot| kinds * 16 + kind(slot))
    }

    /// Whether the result is one of 32 bits.
    fn is_half(&self) -> bool {
        self.shape.returned.is_some_and(is_narrow)
    }

    fn answers(&self) -> Answers {
        if self.is_half() { Answers::Half } else { Answers::Word }
    }

    // ---- The client ----

    fn returns(&self) -> String {
        self.c.called_returns(&self.shape)
    }

    /// What to do if the call failed, after `before`: `failed` is an expression that remembers why.
    fn leave(&self, condition: &str, mut before: Vec<String>, failed: &str, code: &mut Lines) {
        match self.shape.returned {
            None => before.push(format!("return {failed};")),
            Some(ty) => before.extend([format!("{failed};"), format!("return ({})0;", self.c.ty(ty))]),
        }
        code.when(condition, &before.iter().map(String::as_str).collect::<Vec<&str>>());
    }

    /// `call_…`; what it sends is `send_…`, which is there already.
    pub(super) fn client(&self, code: &mut Lines) {
        self.unpassed(code);
        let returns = self.returns();
        code.comment(&self.operation.doc);
        let parameters = self.c.called_parameters(&self.shape);
        code.call(&format!("static inline {returns} {}", self.stub(For::Call)), &parameters, "");
        code.open("{");
        let names = self.shape.parameters().map(|slot| slot.name.clone());
        let sent: Vec<String> = std::iter::once("self".to_owned()).chain(names).collect();
        code.open("if (!CARNET_REGISTERS) {");
        code.call(&format!("return {}", self.stub(For::Send)), &sent, ";");
        code.close("}");
        for slot in self.shape.parameters().filter(|slot| slot.mode == Mode::Out) {
            code.line(&format!("memset({0}, 0, sizeof *{0});", slot.name));
        }
        self.client_passes(code);
        let failed = format!("return {}(self.channel);", self.stub(For::Unpassed));
        code.when("CARNET_UNLIKELY(self.channel->status != CARNET_OK)", &[&failed]);
        self.client_checks(code);
        code.close("}");
        code.blank();
    }

    fn client_passes(&self, code: &mut Lines) {
        let mut arguments = vec!["self.channel".to_owned(), "self.id".to_owned()];
        for (index, value) in self.placed().iter().flat_map(values).enumerate() {
            if index < ARGUMENTS {
                arguments.push(value);
            } else {
                code.line(&format!("self.channel->line[{}] = {value};", index - ARGUMENTS));
            }
        }
        arguments.resize(2 + ARGUMENTS, "0".to_owned());
        for slot in self.shape.parameters().filter(|slot| self.no_value(slot).is_some()) {
            code.line(&format!("{0} *CARNET_KEPT kept_{1} = {1};", self.c.ty(slot.ty), slot.name));
        }
        code.line(&format!("self.channel->shape = {};", self.constant()));
        let answers = self.answers();
        let answer =
            self.shape.returned.map_or("(void)".to_owned(), |_| format!("{} answer = ", answers.ty()));
        code.call(&format!("{answer}self.channel->{}", answers.member()), &arguments, ";");
    }

    /// What came back must be of its type, whatever the service did.
    fn client_checks(&self, code: &mut Lines) {
        let wrong = format!(
            "carnet_note(CARNET_PROTOCOL, \"{}: the reply is not one of this operation\")",
            self.place()
        );
        for slot in self.shape.parameters() {
            if let Some(condition) = self.no_value(slot) {
                self.leave(&condition, vec![cleared(slot)], &wrong, code);
            }
        }
        match self.shape.returned {
            None => code.line("return CARNET_OK;"),
            Some(ty) => {
                let condition = self.c.no_scalar(ty, "answer").filter(|_| !self.is_half());
                if let Some(condition) = condition {
                    self.leave(&condition, vec![], &wrong, code);
                }
                code.line(&format!("return {};", self.c.to_scalar(ty, "answer")));
            }
        }
    }

    /// The condition under which the place of something that comes back holds no value of its type.
    fn no_value(&self, slot: &Slot<'_>) -> Option<String> {
        let place = format!("*kept_{}", slot.name);
        (slot.mode != Mode::In).then(|| self.c.no_value(slot.ty, &place)).flatten()
    }

    fn unpassed(&self, code: &mut Lines) {
        code.line(&format!(
            "CARNET_APART {} {}(struct carnet_channel *channel)",
            self.returns(),
            self.stub(For::Unpassed)
        ));
        code.open("{");
        self.leave("channel->status != CARNET_NOT_PASSED", vec![], "carnet_not_done(channel)", code);
        code.line("struct carnet_portal self = carnet_unpassed(channel);");
        let value = |index: usize| match index.checked_sub(ARGUMENTS) {
            None => format!("channel->spilled[{index}]"),
            Some(index) => format!("channel->line[{index}]"),
        };
        let mut arguments = vec!["self".to_owned()];
        for Placed { slot, first } in self.placed() {
            if is_lent(slot) {
                code.line(&self.lent(slot, &value(first), &value(first + 1)));
                arguments.push(slot.name.clone());
            } else {
                arguments.push(self.taken(slot, &value(first)));
            }
        }
        code.call(&format!("return {}", self.stub(For::Send)), &arguments, ";");
        code.close("}");
        code.blank();
    }

    /// A string or bytes that go in.
    fn lent(&self, slot: &Slot<'_>, ptr: &str, len: &str) -> String {
        let to = if matches!(slot.ty, Type::String { .. }) { "char" } else { "void" };
        let values = format!("(const {to} *)(uintptr_t){ptr}, (size_t){len}");
        format!("{} {} = {{{values}}};", self.c.ty(slot.ty), slot.name)
    }

    /// Another parameter, as it is handed over.
    fn taken(&self, slot: &Slot<'_>, value: &str) -> String {
        match slot.mode {
            Mode::In => self.c.to_scalar(slot.ty, value),
            _ => format!("({} *)(uintptr_t){value}", self.c.ty(slot.ty)),
        }
    }

    // ---- The server ----

    fn handed(&self) -> Vec<String> {
        let words = (0..self.arguments()).map(|index| format!("word{index}"));
        std::iter::once("channel".to_owned()).chain(words).collect()
    }

    fn server(&self, code: &mut Lines) {
        let words = (0..self.arguments()).map(|index| format!("uint64_t word{index}"));
        let parameters: Vec<String> =
            std::iter::once("struct carnet_channel *channel".to_owned()).chain(words).collect();
        let answers = self.answers().ty();
        code.call(&format!("static inline {answers} {}", self.stub(For::Pass)), &parameters, "");
        code.open("{");
        let mut arguments = vec!["&channel->self".to_owned()];
        for placed in self.placed() {
            arguments.push(self.argument(&placed, code));
        }
        self.keep(code);
        self.server_call(&arguments, code);
        code.close("}");
        code.blank();
    }

    fn fail(&self, channel: &str, status: &str, text: &str) -> String {
        let fail = self.answers().fail();
        format!("return {fail}({channel}, {status}, \"{}: {text}\");", self.place())
    }

    /// Checks one parameter; how it is handed over.
    fn argument(&self, &Placed { slot, first }: &Placed<'_, 'a>, code: &mut Lines) -> String {
        let words: Vec<String> = (first..).map(|index| format!("word{index}")).take(2).collect();
        let used = if is_lent(slot) { 2 } else { 1 };
        for index in (first..first + used).filter(|index| *index >= ARGUMENTS) {
            code.line(&format!("uint64_t word{index} = channel->line[{}];", index - ARGUMENTS));
        }
        let name = &slot.name;
        let wrong = self.fail("channel", "CARNET_BAD_ARGUMENT", &format!("argument `{name}` is wrong"));
        let condition = match (slot.mode, slot.ty) {
            (Mode::In, Type::String { max } | Type::Bytes { max }) => {
                code.line(&self.lent(slot, &words[0], &words[1]));
                Some(too_long(slot.ty, name, *max))
            }
            // Its kind says that it comes from an integer of as many bits.
            (Mode::In, ty) if is_narrow(ty) => None,
            (Mode::In, ty) => self.c.no_scalar(ty, &words[0]),
            (Mode::InOut, ty) => {
                let condition = self.c.no_value(ty, &format!("*{name}"));
                if condition.is_some() {
                    let place = self.taken(slot, &words[0]);
                    code.line(&format!("const {} *{name} = {place};", self.c.ty(ty)));
                }
                condition
            }
            (Mode::Out, _) => None,
        };
        if let Some(condition) = condition {
            code.when(&format!("CARNET_UNLIKELY({condition})"), &[&wrong]);
        }
        if is_lent(slot) { name.clone() } else { self.taken(slot, &words[0]) }
    }

    /// What is needed after the call waits on the stack.
    fn keep(&self, code: &mut Lines) {
        let kept: Vec<Placed<'_, 'a>> =
            self.placed().into_iter().filter(|placed| self.is_kept(placed.slot)).collect();
        for Placed { slot, first } in &kept {
            let place = self.taken(slot, &format!("word{first}"));
            code.line(&format!("{} *CARNET_KEPT kept_{} = {place};", self.c.ty(slot.ty), slot.name));
        }
        if !kept.is_empty() || self.shape.raises {
            code.line("struct carnet_channel *CARNET_KEPT kept_channel = channel;");
        }
    }

    /// Whether a place is cleared if the call failed, or looked at.
    fn is_kept(&self, slot: &Slot<'_>) -> bool {
        slot.mode == Mode::Out && (self.shape.raises || is_data(slot.ty))
    }

    fn server_call(&self, arguments: &[String], code: &mut Lines) {
        let user = self.name();
        let results =
            self.placed().into_iter().filter(|placed| self.is_kept(placed.slot) && is_data(placed.slot.ty));
        let results: Vec<Placed<'_, 'a>> = results.collect();
        match self.shape.returned {
            // Nothing follows: the function returns to the client's stub.
            Some(Type::Int { bits: 32 | 64, .. }) if results.is_empty() => {
                return code.call(&format!("return ({}){user}", self.answers().ty()), arguments, ";");
            }
            Some(ty) => code.call(&format!("{} result = {user}", self.c.ty(ty)), arguments, ";"),
            None if self.shape.raises => {
                code.line(super::shape::SAYS_NOTHING);
                code.call(&format!("carnet_status status = {user}"), arguments, ";");
                let mut then = self.clearings();
                let declared = self.c.declared(self.operation);
                then.push(format!("return carnet_pass_fail(kept_channel, {declared}, carnet_said());"));
                code.when(
                    "CARNET_UNLIKELY(status != CARNET_OK)",
                    &then.iter().map(String::as_str).collect::<Vec<&str>>(),
                );
            }
            None => code.call(&user, arguments, ";"),
        }
        for Placed { slot, .. } in results {
            let (Type::String { max } | Type::Bytes { max }) = slot.ty else { continue };
            let mut then = self.clearings();
            then.push(self.fail("kept_channel", "CARNET_SERVICE", "a result leaves its bounds"));
            code.when(
                &format!("CARNET_UNLIKELY({})", too_long(slot.ty, &format!("*kept_{}", slot.name), *max)),
                &then.iter().map(String::as_str).collect::<Vec<&str>>(),
            );
        }
        code.line(&match self.shape.returned {
            Some(_) if self.is_half() => "return (uint32_t)result;".to_owned(),
            Some(ty) => format!("return {};", C::to_word(ty, "result")),
            None => "return 0;".to_owned(),
        });
    }

    fn clearings(&self) -> Vec<String> {
        let kept = self.shape.parameters().filter(|slot| self.is_kept(slot));
        kept.map(cleared).collect()
    }
}

/// Clears a place that is kept.
fn cleared(slot: &Slot<'_>) -> String {
    format!("memset(kept_{0}, 0, sizeof *kept_{0});", slot.name)
}

/// Whether a parameter is a string or bytes that go in: two values.
fn is_lent(slot: &Slot<'_>) -> bool {
    slot.mode == Mode::In && is_data(slot.ty)
}

/// Whether it is an integer of 32 bits, of whose value's upper half nothing is believed.
fn is_narrow(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 32, .. })
}

/// The kind of a parameter in a shape.
fn kind(slot: &Slot<'_>) -> usize {
    let place = match slot.ty {
        Type::Bool => 0,
        Type::Char | Type::Int { bits: 8, .. } => 1,
        Type::Int { bits: 16, .. } => 2,
        Type::Int { bits: 32, .. } | Type::Float { bits: 32 } | Type::Enum(_) => 3,
        Type::String { .. } => 5,
        Type::Bytes { .. } => 6,
        _ => 4,
    };
    match slot.mode {
        Mode::In if is_narrow(slot.ty) => 4,
        Mode::In => place.max(4) - 3,
        Mode::InOut => 5 + place,
        Mode::Out => 10 + place,
    }
}

/// The condition under which a string or bytes are longer than `max`, or no text.
fn too_long(ty: &Type, value: &str, max: u32) -> String {
    match (ty, value.strip_prefix('*')) {
        (Type::String { .. }, _) => format!("!carnet_is_text_of({value}, {max})"),
        (_, None) => format!("{value}.len > {max}"),
        (_, Some(place)) => format!("{place}->len > {max}"),
    }
}

/// The values of a parameter.
fn values(&Placed { slot, .. }: &Placed<'_, '_>) -> Vec<String> {
    let name = &slot.name;
    match slot.mode {
        Mode::In if is_data(slot.ty) => {
            vec![format!("(uint64_t)(uintptr_t){name}.ptr"), format!("(uint64_t){name}.len")]
        }
        Mode::In if is_narrow(slot.ty) => vec![format!("carnet_in_half((uint32_t){name})")],
        Mode::In => vec![C::to_word(slot.ty, name)],
        _ => vec![format!("(uint64_t)(uintptr_t){name}")],
    }
}
