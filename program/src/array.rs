//! Call arrays: the second kind of low-level program, beside [bytecode](crate::bytecode) (CompositeCall, "Applying
//! CompositeCall on Off++": `off_CallArray`). This file is its specification.
//!
//! A call array is a list of commands over arrays of messages. A message is the argument block of one operation, the
//! request in front and the reply behind it, as objects take it; there is nothing to marshal between a message and a call.
//!
//! | command | what it does |
//! | --- | --- |
//! | `call` | OffCall: sends a message to the object in a register; the reply is in the message then |
//! | `move` | Move(from, to, i, o, size, n): copies `n` items of `size` words, by strides of `i` and `o` words |
//! | `repeat` | Repeat(command, n): does the commands behind it `n` times, their operands moving on by steps |
//!
//! Nothing is tested and nothing jumps: what an array does is known to the call before it runs, so its bill is exact where
//! nothing fails. `array/verify.rs` checks it, and `interp/array.rs` runs it, on the variable table, areas and registers of a
//! [`Machine`](crate::interp::Machine): objects, policies, budgets and receipts see no difference.
//!
//! | file | what it does |
//! | --- | --- |
//! | `array.rs` | the form; arrays to bytes |
//! | `array/view.rs` | bytes to arrays: sections found and sizes checked |
//! | `array/verify.rs` | the verifier |
//! | `array/show.rs` | arrays as text |
//! | `interp/array.rs` | the interpreter |
//! | `source/check/arrays.rs` | arrays from source text |
//!
//! # Slots
//!
//! Messages lie one behind the other from slot 0 on, those of an array of messages too. A message takes the words of its
//! operation's block, and one more behind them if it has a status. Types of words are those of the server's descriptors: an
//! array names operations, and nothing else about them. Presets say what of the words is not zero before the first
//! command, texts which words are literals or hold an argument of the run.
//!
//! # Encoding (little-endian; sections follow each other without gaps, in this order)
//!
//! | section | entry |
//! | --- | --- |
//! | header | 40 bytes: magic 4, version u16, kind of result u8, 0 u8; u16 each: interfaces, ops, messages, registers, params, presets, texts, commands, caps, first slot of the result, its stride, its items, words of an item, 0; literals u32 |
//! | commands | 32 bytes: kind u8, flags u8, line u16, eight operands u16, number u32, added i64 |
//! | ops | 16 bytes: hash u64, interface u16, 0 u16, 0 u32 |
//! | messages | 8 bytes: operation u16, how many u16, flags u16 (1: with a status), 0 u16 |
//! | presets | 24 bytes: slot u16, stride u16, how many u16, 0 u16, value i64, added for each i64 |
//! | texts | 16 bytes: slot u16, stride u16, how many u16, kind u16 (0 held, 1 literal), length u32, offset u32 |
//! | caps | 16 bytes: kind u32, line u32, limit u64 |
//! | registers | 2 bytes: interface u16 |
//! | params | 4 bytes: space u16 (0 slot, 1 register), index u16 |
//! | literals | bytes, none of them 0 |
//! | names | for the array, then module and name of each interface: length u8, bytes |

pub mod show;
pub(crate) mod verify;
mod view;

pub use view::View;

use crate::bytecode::{NONE, OpRef, ParamPlace};
use crate::tree::Cap;

/// First bytes of every call array.
pub const MAGIC: [u8; 4] = *b"CNA1";
/// Version of the encoding.
pub const VERSION: u16 = 1;
/// Most commands.
pub const COMMANDS_MAX: usize = 4_096;
/// Most messages that are declared apart; most presets and texts, each.
pub const MESSAGES_MAX: usize = 4_096;

/// Whether bytes are meant to be a call array.
#[inline]
#[must_use]
pub fn is_array(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A command. What is named behind a step moves on by so many with each round of the repeat that the command is in; outside of
/// one, steps are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Calls the object in a register.
    Call {
        /// The register.
        register: u16,
        /// Registers, a round.
        register_step: u16,
        /// First slot of the message.
        message: u16,
        /// Slots, a round.
        message_step: u16,
        /// Register that takes the portal of the reply, or [`NONE`].
        into: u16,
        /// Registers, a round.
        into_step: u16,
        /// What happens if the operation raises.
        on_error: OnError,
    },
    /// Copies items.
    Move {
        /// First slot of the first item.
        from: u16,
        /// Slots, a round.
        from_step: u16,
        /// First slot of the first copy.
        to: u16,
        /// Slots, a round.
        to_step: u16,
        /// Slots from item to item.
        stride: u16,
        /// Slots from copy to copy.
        to_stride: u16,
        /// Words of an item.
        size: u16,
        /// Items.
        items: u32,
        /// What is added to item number k, k times; an item is one integer then.
        add: i64,
    },
    /// Does the commands behind it.
    Repeat {
        /// How often.
        times: u32,
        /// How many.
        commands: u16,
    },
}

/// What happens when an operation raises its exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// The run ends (AbortOnError).
    Abort,
    /// The message's status says so, and the run goes on (DoNotAbortOnError).
    CarryOn,
}

/// An array of messages of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Messages {
    /// The operation, in [`Array::ops`].
    pub op: u16,
    /// How many.
    pub count: u16,
    /// Whether each has a status behind it: 0 when its call was done, 1 and the number of the error when it raised.
    pub status: bool,
}

/// Words that are not zero at the beginning: of a portal, the number of its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The first.
    pub slot: u16,
    /// Slots from one to the next.
    pub stride: u16,
    /// How many.
    pub count: u16,
    /// Value of the first.
    pub value: i64,
    /// What each has more than the one before.
    pub add: i64,
}

/// Words of requests that are texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The first.
    pub slot: u16,
    /// Slots from one to the next.
    pub stride: u16,
    /// How many.
    pub count: u16,
    /// What they are.
    pub kind: TextKind,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// The word holds an argument of the run, of at most so many bytes.
    Held(u32),
    /// A piece of the literals.
    Literal {
        /// Length.
        len: u32,
        /// First byte.
        offset: u32,
    },
}

/// What a call array gives back, from its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returns {
    /// First slot of the first item.
    pub first: u16,
    /// Slots from item to item.
    pub stride: u16,
    /// Items.
    pub items: u16,
    /// Words of an item.
    pub words: u16,
    /// Whether it is a list, or else the words of the one item.
    pub list: bool,
}

/// A call array in the form that is filled by whoever makes it, and encoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Array {
    /// Name.
    pub name: String,
    /// Commands, each with its line of the source.
    pub commands: Vec<(Command, u16)>,
    /// Operations called.
    pub ops: Vec<OpRef>,
    /// Messages.
    pub messages: Vec<Messages>,
    /// Words that are not zero.
    pub presets: Vec<Preset>,
    /// Texts of requests.
    pub texts: Vec<Text>,
    /// Caps of the header.
    pub caps: Vec<Cap>,
    /// Interfaces of portal registers.
    pub registers: Vec<u16>,
    /// Where the arguments go.
    pub params: Vec<ParamPlace>,
    /// What it gives back.
    pub returns: Option<Returns>,
    /// Texts that are known beforehand.
    pub literals: Vec<u8>,
    /// Module and name of each interface.
    pub interfaces: Vec<(String, String)>,
}

/// Bytes of the header.
const HEADER_BYTES: usize = 40;

impl Command {
    fn encode(self, line: u16) -> [u8; 32] {
        let (kind, flags, operands, number, add) = match self {
            Command::Call { register, register_step, message, message_step, into, into_step, on_error } => {
                let operands = [register, register_step, message, message_step, into, into_step, 0, 0];
                (0, u8::from(on_error == OnError::CarryOn), operands, 0, 0)
            }
            Command::Move { from, from_step, to, to_step, stride, to_stride, size, items, add } => {
                (1, 0, [from, from_step, to, to_step, stride, to_stride, size, 0], items, add)
            }
            Command::Repeat { times, commands } => (2, 0, [commands, 0, 0, 0, 0, 0, 0, 0], times, 0),
        };
        let mut bytes = [0; 32];
        (bytes[0], bytes[1]) = (kind, flags);
        bytes[2..4].copy_from_slice(&line.to_le_bytes());
        for (place, operand) in bytes[4..20].as_chunks_mut::<2>().0.iter_mut().zip(operands) {
            *place = operand.to_le_bytes();
        }
        bytes[20..24].copy_from_slice(&u32::to_le_bytes(number));
        bytes[24..].copy_from_slice(&i64::to_le_bytes(add));
        bytes
    }

    /// Reads a command and its line; `None` if there is no such command, or a part that means nothing is not zero.
    #[inline]
    #[must_use]
    pub fn decode(bytes: &[u8; 32]) -> Option<(Command, u16)> {
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let number = u32::from_le_bytes([bytes[20], bytes[21], bytes[22], bytes[23]]);
        let mut add = [0; 8];
        add.copy_from_slice(&bytes[24..]);
        let add = i64::from_le_bytes(add);
        let (command, used) = match (bytes[0], bytes[1]) {
            (0, 0 | 1) if number == 0 && add == 0 => {
                let on_error = if bytes[1] == 1 { OnError::CarryOn } else { OnError::Abort };
                let call = Command::Call {
                    register: half(4),
                    register_step: half(6),
                    message: half(8),
                    message_step: half(10),
                    into: half(12),
                    into_step: half(14),
                    on_error,
                };
                (call, 6)
            }
            (1, 0) => {
                let moved = Command::Move {
                    from: half(4),
                    from_step: half(6),
                    to: half(8),
                    to_step: half(10),
                    stride: half(12),
                    to_stride: half(14),
                    size: half(16),
                    items: number,
                    add,
                };
                (moved, 7)
            }
            (2, 0) if add == 0 => (Command::Repeat { times: number, commands: half(4) }, 1),
            _ => return None,
        };
        bytes[4 + 2 * used..20].iter().all(|byte| *byte == 0).then_some((command, half(2)))
    }

    /// A call of the object in `register` with the message at `message`, once.
    #[must_use]
    pub fn call(register: u16, message: u16) -> Command {
        Command::Call {
            register,
            register_step: 0,
            message,
            message_step: 0,
            into: NONE,
            into_step: 0,
            on_error: OnError::Abort,
        }
    }

    /// A move of one word.
    #[must_use]
    pub fn word(from: u16, to: u16) -> Command {
        Command::Move {
            from,
            from_step: 0,
            to,
            to_step: 0,
            stride: 0,
            to_stride: 0,
            size: 1,
            items: 1,
            add: 0,
        }
    }
}

impl Array {
    /// Writes it. Whoever makes it keeps within the limits of the tables; what another breaks is found by whoever reads it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER_BYTES + 32 * self.commands.len() + 256);
        self.header(&mut out);
        let mut put = |bytes: &[u8]| out.extend_from_slice(bytes);
        self.commands.iter().for_each(|(command, line)| put(&command.encode(*line)));
        for op in &self.ops {
            put(&(u128::from(op.hash) | u128::from(op.interface) << 64).to_le_bytes());
        }
        let four = |q: [u16; 4]| crate::bytecode::pack(q).to_le_bytes();
        for Messages { op, count, status } in &self.messages {
            put(&four([*op, *count, u16::from(*status), 0]));
        }
        for Preset { slot, stride, count, value, add } in &self.presets {
            put(&four([*slot, *stride, *count, 0]));
            put(&value.to_le_bytes());
            put(&add.to_le_bytes());
        }
        for Text { slot, stride, count, kind } in &self.texts {
            let (kind, len, offset) = match *kind {
                TextKind::Held(max) => (0, max, 0),
                TextKind::Literal { len, offset } => (1, len, offset),
            };
            put(&four([*slot, *stride, *count, kind]));
            put(&(u64::from(len) | u64::from(offset) << 32).to_le_bytes());
        }
        for cap in &self.caps {
            let (kind, line) = (u128::from(cap.kind as u8), u128::from(cap.pos.line));
            put(&(kind | line << 32 | u128::from(cap.limit) << 64).to_le_bytes());
        }
        self.registers.iter().for_each(|interface| put(&interface.to_le_bytes()));
        for param in &self.params {
            let (space, index) = match *param {
                ParamPlace::Slot(index) => (0, index),
                ParamPlace::Register(index) => (1, index),
            };
            put(&(u32::from(index) << 16 | space).to_le_bytes());
        }
        put(&self.literals);
        let pairs = self.interfaces.iter().flat_map(|(module, name)| [module, name]);
        for name in std::iter::once(&self.name).chain(pairs) {
            let name = &name.as_bytes()[..name.len().min(255)];
            put(&[name.len() as u8]);
            put(name);
        }
        out
    }

    fn header(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        let kind = match self.returns {
            None => 0,
            Some(Returns { list: false, .. }) => 1,
            Some(Returns { list: true, .. }) => 2,
        };
        out.extend_from_slice(&[kind, 0]);
        let none = Returns { first: 0, stride: 0, items: 0, words: 0, list: false };
        let Returns { first, stride, items, words, .. } = self.returns.unwrap_or(none);
        let counts = [
            self.interfaces.len(),
            self.ops.len(),
            self.messages.len(),
            self.registers.len(),
            self.params.len(),
            self.presets.len(),
            self.texts.len(),
            self.commands.len(),
            self.caps.len(),
        ];
        let halves = counts.into_iter().map(|count| count as u16).chain([first, stride, items, words, 0]);
        halves.for_each(|half| out.extend_from_slice(&half.to_le_bytes()));
        out.extend_from_slice(&(self.literals.len() as u32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The encoding is what other programs write: it changes with its version only.
    #[test]
    fn commands_are_these_bytes() {
        let call = Command::Call {
            register: 0x0102,
            register_step: 1,
            message: 0x0304,
            message_step: 5,
            into: 6,
            into_step: 7,
            on_error: OnError::CarryOn,
        };
        let moved = Command::Move {
            from: 1,
            from_step: 2,
            to: 3,
            to_step: 4,
            stride: 5,
            to_stride: 6,
            size: 7,
            items: 0x0008_0009,
            add: -2,
        };
        let repeat = Command::Repeat { times: 0x0001_0002, commands: 3 };
        for (command, golden) in [
            (call, "00010900_0201010004030500060007000000_0000_00000000_0000000000000000"),
            (moved, "01000900_01000200030004000500060007000000_09000800_feffffffffffffff"),
            (repeat, "02000900_03000000000000000000000000000000_02000100_0000000000000000"),
        ] {
            let bytes = command.encode(9);
            let shown: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(shown, golden.replace('_', ""));
            assert_eq!(Command::decode(&bytes), Some((command, 9)));
        }
    }

    #[test]
    fn what_means_nothing_must_be_zero() {
        for command in [Command::call(1, 2), Command::word(3, 4), Command::Repeat { times: 2, commands: 1 }] {
            let bytes = command.encode(0);
            let decoded = (0..32).filter(|at| {
                let mut other = bytes;
                other[*at] ^= 0x80;
                Command::decode(&other).is_some_and(|(other, line)| other == command && line == 0)
            });
            assert_eq!(decoded.count(), 0, "{command:?}");
        }
    }
}
