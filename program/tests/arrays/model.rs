//! Random arrays, held against an interpreter that knows words, texts and the desk, and nothing of machines.

use carnet_program::array::{Array, Command, Messages, OnError, Preset, Returns, Text, TextKind};
use carnet_program::bytecode::{NONE, OpRef, ParamPlace};
use carnet_program::interp::{Mode, Slice};
use carnet_program::limits::Budget;
use carnet_program::source::args::Arg;
use proptest::prelude::*;

use super::{desk, loaded, plenty, run};

/// The operations that arrays call: name, words of the request, words of the block.
const OPS: [(&str, usize, usize); 4] = [("echo", 1, 2), ("split", 1, 3), ("set", 2, 2), ("find", 1, 4)];
const FIND: u16 = 3;

/// A word as the model has it.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Int(i64),
    /// The first bytes of the text that lies at a slot, or of the literal.
    Text(Option<usize>, usize),
}

const LITERAL: &[u8] = b"literal";

/// What there is of a run.
struct Model<'a> {
    array: &'a Array,
    words: Vec<Value>,
    /// Texts of replies, by slot.
    texts: Vec<Vec<u8>>,
    log: Vec<String>,
    counts: Vec<u64>,
    calls_left: u64,
}

fn width(messages: &Messages) -> usize {
    OPS[usize::from(messages.op)].2 + usize::from(messages.status)
}

/// Operation, first slot and status of the message that begins at a slot.
fn message_at(array: &Array, slot: usize) -> (u16, Option<usize>) {
    let mut first = 0;
    for messages in &array.messages {
        let (words, all) = (width(messages), width(messages) * usize::from(messages.count));
        if slot < first + all {
            let at = first + (slot - first) / words * words;
            return (messages.op, messages.status.then(|| at + words - 1));
        }
        first += all;
    }
    panic!("slot {slot} is in no message")
}

impl Model<'_> {
    fn run(&mut self) -> Result<(), String> {
        let commands = &self.array.commands;
        let mut at = 0;
        while let Some((command, _)) = commands.get(at) {
            at += 1;
            match command {
                Command::Repeat { times, commands: body } => {
                    let behind = at + usize::from(*body);
                    for round in 0..*times as usize {
                        for (command, _) in &commands[at..behind] {
                            self.one(*command, round)?;
                        }
                    }
                    at = behind;
                }
                command => self.one(*command, 0)?,
            }
        }
        Ok(())
    }

    fn one(&mut self, command: Command, round: usize) -> Result<(), String> {
        let stepped = |first: u16, step: u16| usize::from(first) + round * usize::from(step);
        match command {
            Command::Call { message, message_step, on_error, .. } => {
                let slot = stepped(message, message_step);
                let (op, status) = message_at(self.array, slot);
                self.calls_left = self.calls_left.checked_sub(1).ok_or("Limit(Calls)")?;
                self.counts[usize::from(op)] += 1;
                match self.call(op, slot) {
                    Ok(()) => status.into_iter().for_each(|at| self.words[at] = Value::Int(0)),
                    Err((Some(raised), _)) if on_error == OnError::CarryOn => {
                        let (_, request, words) = OPS[usize::from(op)];
                        for at in slot + request..slot + words {
                            if let Value::Int(n) = &mut self.words[at] {
                                *n = 0;
                            } else {
                                (self.words[at], self.texts[at]) = (Value::Text(Some(at), 0), Vec::new());
                            }
                        }
                        self.words[status.expect("it carries on")] = Value::Int(1 + raised);
                    }
                    Err((_, message)) => return Err(format!("failed: {message}")),
                }
            }
            Command::Move { from, from_step, to, to_step, stride, to_stride, size, items, add } => {
                for item in 0..items as usize {
                    for word in 0..usize::from(size) {
                        let from = stepped(from, from_step) + item * usize::from(stride) + word;
                        let to = stepped(to, to_step) + item * usize::from(to_stride) + word;
                        let number = (round * items as usize + item) as i64;
                        self.words[to] = match self.words[from].clone() {
                            Value::Int(n) => {
                                let sum = number.checked_mul(add).and_then(|more| n.checked_add(more));
                                Value::Int(sum.ok_or("Fault(Overflow)")?)
                            }
                            text => text,
                        };
                    }
                }
            }
            Command::Repeat { .. } => unreachable!("repeats do not nest"),
        }
        Ok(())
    }

    /// What the desk does; the number of the error that it raises, if it raises one.
    fn call(&mut self, op: u16, slot: usize) -> Result<(), (Option<i64>, String)> {
        let missing = || (Some(1), "it is not there".to_owned());
        let int = |model: &Self, at: usize| match model.words[at] {
            Value::Int(n) => n,
            Value::Text(..) => panic!("a text where a number lies"),
        };
        match OPS[usize::from(op)].0 {
            "echo" => {
                let n = int(self, slot);
                self.log.push(format!("echo {n}"));
                match n {
                    -1 => return Err(missing()),
                    ..-1 => return Err((Some(2), "es zerbrach — ä".to_owned())),
                    _ => self.words[slot + 1] = Value::Int(n),
                }
            }
            "split" => {
                let n = int(self, slot);
                self.log.push(format!("split {n}"));
                (self.words[slot + 1], self.words[slot + 2]) = (Value::Int(n / 10), Value::Int(n % 10));
            }
            "set" => {
                let (n, m) = (int(self, slot), int(self, slot + 1));
                if i32::try_from(n).is_err() || u16::try_from(m).is_err() {
                    return Err((None, "a number that its parameter does not take".to_owned()));
                }
                self.log.push(format!("set {n} {m}"));
                if n < 0 {
                    return Err(missing());
                }
            }
            _ => {
                let Value::Text(of, len) = self.words[slot].clone() else { panic!("a name is a text") };
                let text = of.map_or(LITERAL, |of| &self.texts[of]);
                let Some(name) = text.get(..len).map(<[u8]>::to_vec) else {
                    // It was read into the areas of a reply that is another one now.
                    return Err((None, "a reference leaves its area".to_owned()));
                };
                self.log.push(format!("find {:?}", String::from_utf8_lossy(&name)));
                if name.is_empty() {
                    return Err(missing());
                }
                self.words[slot + 1] = Value::Text(Some(slot + 1), name.len());
                (self.words[slot + 2], self.words[slot + 3]) = (Value::Int(name.len() as i64), Value::Int(1));
                self.texts[slot + 1] = name;
            }
        }
        Ok(())
    }
}

/// What an array does by the model.
fn modelled(array: &Array, calls_left: u64) -> (Vec<String>, String, Vec<u64>, Vec<u8>) {
    let slots: usize = array.messages.iter().map(|one| width(one) * usize::from(one.count)).sum();
    let mut words = vec![Value::Int(0); slots];
    let mut first = 0;
    for messages in &array.messages {
        for _ in 0..messages.count {
            if messages.op == FIND {
                words[first] = Value::Text(None, 0);
                words[first + 1] = Value::Text(Some(first + 1), 0);
            }
            first += width(messages);
        }
    }
    for preset in &array.presets {
        for k in 0..i64::from(preset.count) {
            let at = usize::from(preset.slot) + k as usize * usize::from(preset.stride);
            words[at] = Value::Int(preset.value + k * preset.add);
        }
    }
    for text in &array.texts {
        let TextKind::Literal { len, .. } = text.kind else { panic!("no argument is a text") };
        words[usize::from(text.slot)] = Value::Text(None, len as usize);
    }
    let (texts, counts) = (vec![Vec::new(); slots], vec![0; OPS.len()]);
    let mut model = Model { array, words, texts, log: Vec::new(), counts, calls_left };
    let stop = model.run().err();
    let returns = array.returns.expect("it returns something");
    let mut result = u32::from(returns.items).to_le_bytes().to_vec();
    for item in 0..usize::from(returns.items) {
        let Value::Int(n) = model.words[usize::from(returns.first) + item * usize::from(returns.stride)]
        else {
            panic!("a number is returned")
        };
        result.extend(n.to_le_bytes());
    }
    let done = format!("Done({})", returns.first);
    (model.log, stop.unwrap_or(done), model.counts, result)
}

/// A number that is often of interest.
fn number() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..50i64, 2 => -3..3i64, 1 => Just(i64::MAX - 1), 1 => 60_000..70_000i64]
}

/// Choices, out of which a right array is made.
type Choices = (Vec<(u16, u16, bool)>, Vec<(u8, Vec<usize>, bool, i64)>, Vec<i64>);

fn choices() -> impl Strategy<Value = Choices> {
    let messages = prop::collection::vec((0..4u16, 1..5u16, any::<bool>()), 1..5);
    let command = (0..6u8, prop::collection::vec(0..1_000usize, 8), any::<bool>(), -2..3i64);
    let commands = prop::collection::vec(command, 1..12);
    (messages, commands, prop::collection::vec(number(), 40))
}

fn built((messages, commands, numbers): Choices) -> Array {
    let module = desk::module();
    let desk = module.interfaces.iter().position(|one| one.name == "Desk").expect("it is there");
    let op = |name: &str| {
        let found = module.interfaces[desk].operations.iter().find(|op| op.name == name);
        OpRef { hash: found.expect("it is there").hash.0, interface: 0 }
    };
    let mut array = Array {
        name: "random".to_owned(),
        ops: OPS.iter().map(|(name, ..)| op(name)).collect(),
        messages: messages.iter().map(|&(op, count, status)| Messages { op, count, status }).collect(),
        registers: vec![0],
        params: vec![ParamPlace::Register(0)],
        literals: LITERAL.to_vec(),
        interfaces: vec![("desk".to_owned(), "Desk".to_owned())],
        ..Array::default()
    };
    // First slots of all messages, and of words by kind.
    let (mut ints, mut requests, mut names, mut found, mut groups) = (vec![], vec![], vec![], vec![], vec![]);
    let mut first = 0;
    let mut numbers = numbers.into_iter().cycle();
    for messages in array.messages.clone() {
        groups.push((first, messages));
        for _ in 0..messages.count {
            let slot = first as u16;
            if messages.op == FIND {
                names.push(slot);
                found.push(slot + 1);
                ints.push(slot + 2);
                let len = numbers.next().unwrap_or(0).clamp(0, LITERAL.len() as i64) as u32;
                let kind = TextKind::Literal { len, offset: 0 };
                array.texts.push(Text { slot, stride: 0, count: 1, kind });
            } else {
                let (_, request, words) = OPS[usize::from(messages.op)];
                for word in 0..words as u16 {
                    ints.push(slot + word);
                    if usize::from(word) < request {
                        requests.push(slot + word);
                        let value = numbers.next().unwrap_or(0);
                        array.presets.push(Preset { slot: slot + word, stride: 0, count: 1, value, add: 0 });
                    }
                }
            }
            first += width(&messages);
        }
    }
    for (kind, picks, tried, add) in commands {
        let (at, messages) = groups[picks[0] % groups.len()];
        let (words, count) = (width(&messages) as u16, messages.count);
        let index = picks[1] as u16 % count;
        let on_error = if tried && messages.status { OnError::CarryOn } else { OnError::Abort };
        let call = |message, message_step| Command::Call {
            register: 0,
            register_step: 0,
            message,
            message_step,
            into: NONE,
            into_step: 0,
            on_error,
        };
        let pick = |list: &[u16], k: usize| list.get(picks[k] % list.len().max(1)).copied();
        let moved = match (kind % 2, pick(&ints, 2), pick(&requests, 3), pick(&found, 4), pick(&names, 5)) {
            (0, Some(from), Some(to), ..) => Some((from, to, add)),
            (_, _, _, Some(from), Some(to)) => Some((from, to, 0)),
            _ => None,
        };
        let moved = moved.map(|(from, to, add)| Command::Move {
            from,
            from_step: 0,
            to,
            to_step: 0,
            stride: 0,
            to_stride: 0,
            size: 1,
            items: 1 + picks[6] as u32 % 3,
            add,
        });
        let mut push = |command| array.commands.push((command, 1));
        match (kind, moved) {
            (0 | 1, _) => push(call(at as u16 + index * words, 0)),
            (2 | 3, Some(moved)) => push(moved),
            (_, moved) => {
                let times = 1 + u32::from(index);
                let body: Vec<Command> = std::iter::once(call(at as u16, words)).chain(moved).collect();
                push(Command::Repeat { times, commands: body.len() as u16 });
                body.into_iter().for_each(&mut push);
            }
        }
    }
    let (at, messages) = groups[0];
    let word = OPS[usize::from(messages.op)].2 as u16;
    // A number of each message: the last of the block, a status or the size of what was found.
    let word = if messages.op == FIND { 2 } else { word - 1 };
    array.returns = Some(Returns {
        first: at as u16 + word,
        stride: width(&messages) as u16,
        items: messages.count,
        words: 1,
        list: true,
    });
    array
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    /// Effects, errors, counts, replies and bounds are those of the model.
    #[test]
    fn arrays_do_what_the_model_does(choices in choices(), calls in 1..40u64, slice in 1..5u64) {
        let array = built(choices);
        let program = loaded(&array.encode());
        let (log, stop, counts, result) = modelled(&array, calls);
        let budget = Budget { calls_left: calls, ..plenty() };
        let arguments = [Arg::Portal(Vec::new())];
        for slice in [Slice::UNLIMITED, Slice { instructions: slice, calls: slice }] {
            let ran = run(&program, &arguments, budget, Mode::Real, slice);
            prop_assert_eq!(&ran.log, &log);
            prop_assert_eq!(&ran.stop, &stop);
            prop_assert_eq!(&ran.counts, &counts);
            prop_assert_eq!(ran.result.as_ref(), Some(&result));
        }
        prop_assert!(counts.iter().sum::<u64>() <= program.totals.calls);
    }
}
