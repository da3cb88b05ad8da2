//! Requests to run a program.

use super::codec::{Reader, Writer};
use super::{Malformed, NAME_BYTES_MAX, RunId};
use crate::bill::Hash;
use crate::source::args::Arg;
use crate::tree::Const;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRequest<'a> {
    /// The run's identity.
    pub id: RunId,
    /// How it is to be run.
    pub options: RunOptions,
    /// A name of at most [`NAME_BYTES_MAX`] bytes under which it is listed, and kept if it stops before its end, so that it can
    /// go on; empty: it is not kept.
    pub name: &'a str,
    /// First digits, at least [`APPROVAL_DIGITS`](super::APPROVAL_DIGITS), of the hash that approves it, in hexadecimal; empty
    /// for none.
    pub approval: &'a str,
    /// Arguments, one for each parameter.
    pub arguments: Vec<Argument<'a>>,
    /// What is to be run.
    pub program: RunProgram<'a>,
}

/// Which program is to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunProgram<'a> {
    /// This bytecode.
    Whole(&'a [u8]),
    /// The bytecode with this hash, if the server has it in its cache; else it refuses with [`Refusal::NotCached`](super::Refusal).
    Hash(&'a Hash),
    /// The same, and a client that is told so sends the bytecode by itself. The hash is the caller's to keep: taking it of each
    /// run would cost what it saves.
    Cached {
        /// SHA-256 of the bytecode.
        hash: &'a Hash,
        /// The bytecode.
        bytes: &'a [u8],
    },
    /// This tree, as [`Tree::encode`](crate::tree::Tree::encode) writes it: a server that takes trees compiles and verifies it,
    /// and knows it when it comes again. What it is to bill, approval and identity is the bytecode that comes of it.
    Tree(&'a [u8]),
}

impl<'a> RunProgram<'a> {
    /// The bytecode, if it is here.
    #[must_use]
    pub fn bytes(self) -> Option<&'a [u8]> {
        match self {
            RunProgram::Whole(bytes) | RunProgram::Cached { bytes, .. } => Some(bytes),
            RunProgram::Hash(_) | RunProgram::Tree(_) => None,
        }
    }
}

impl<'a> From<&'a [u8]> for RunProgram<'a> {
    fn from(bytes: &'a [u8]) -> RunProgram<'a> {
        RunProgram::Whole(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for RunProgram<'a> {
    fn from(bytes: &'a Vec<u8>) -> RunProgram<'a> {
        RunProgram::Whole(bytes)
    }
}

/// How a program is to be run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Reads happen, writes do not.
    pub dry: bool,
    /// Each call is told as progress.
    pub trace: bool,
    /// What carries it out.
    pub engine: Engine,
}

/// What carries a program out. The results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The server decides: machine code for what is run much, else the interpreter.
    #[default]
    Any,
    /// The interpreter of bytecode.
    Bytecode,
    /// Machine code, for which the run waits a little before it begins; the interpreter where the server makes none, or not as
    /// soon.
    Native,
    /// The recursive interpreter of trees, for programs that come as trees. A run that stopped goes on so only if it has been one of a
    /// tree since it began: see [`NotWalked`](super::NotWalked).
    Tree,
}

/// An argument of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Integer, truth value (0 or 1) or number of an enum's value.
    Scalar(i64),
    /// String or bytes.
    Text(&'a [u8]),
    /// A portal: index into the request's list of portals. With an approval it must be the session's root, since the hash
    /// says nothing about which object another one is on.
    Portal(u8),
    /// A portal that the session's root object makes of a text, by the interface's `@argument` operation.
    Named(&'a [u8]),
}

/// Bits of the flags that say how it is to be run.
const DRY: u8 = 1;
const TRACE: u8 = 2;
const BYTECODE: u8 = 4;
const NATIVE: u8 = 8;
const TREE: u8 = 16;

impl RunOptions {
    pub(super) fn bits(self) -> u8 {
        let engine = match self.engine {
            Engine::Any => 0,
            Engine::Bytecode => BYTECODE,
            Engine::Native => NATIVE,
            Engine::Tree => TREE,
        };
        (u8::from(self.dry) * DRY) | (u8::from(self.trace) * TRACE) | engine
    }

    pub(super) fn from_bits(bits: u8) -> Result<RunOptions, Malformed> {
        let engine = match bits & !(DRY | TRACE) {
            0 => Engine::Any,
            BYTECODE => Engine::Bytecode,
            NATIVE => Engine::Native,
            TREE => Engine::Tree,
            _ => return Err(Malformed),
        };
        Ok(RunOptions { dry: bits & DRY != 0, trace: bits & TRACE != 0, engine })
    }
}

impl<'a> RunRequest<'a> {
    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let length = match self.program {
            RunProgram::Whole(bytes) | RunProgram::Tree(bytes) => bytes.len(),
            RunProgram::Hash(hash) | RunProgram::Cached { hash, .. } => hash.len(),
        };
        let mut w = Writer::with_capacity(64 + length);
        w.u128(self.id.0);
        w.u8(self.options.bits());
        w.bytes(self.name.as_bytes());
        w.bytes(self.approval.as_bytes());
        w.counted(|w| write_arguments(w, &self.arguments));
        match self.program {
            RunProgram::Whole(bytes) => {
                w.u8(0);
                w.bytes(bytes);
            }
            RunProgram::Hash(hash) | RunProgram::Cached { hash, .. } => {
                w.u8(1);
                w.bytes(hash);
            }
            RunProgram::Tree(bytes) => {
                w.u8(2);
                w.bytes(bytes);
            }
        }
        w.finish()
    }

    /// Reads one; its program is whole, a hash, or a tree.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &'a [u8]) -> Result<RunRequest<'a>, Malformed> {
        let mut r = Reader::new(bytes);
        let id = RunId(r.u128()?);
        let options = RunOptions::from_bits(r.u8()?)?;
        let name = r.str()?;
        if name.len() > NAME_BYTES_MAX {
            return Err(Malformed);
        }
        let approval = r.str()?;
        let arguments = decode_arguments(r.bytes()?)?;
        let program = match (r.u8()?, r.bytes()?) {
            (0, bytes) => RunProgram::Whole(bytes),
            (1, hash) => RunProgram::Hash(hash.try_into().map_err(|_| Malformed)?),
            (2, bytes) => RunProgram::Tree(bytes),
            _ => return Err(Malformed),
        };
        r.end()?;
        Ok(RunRequest { id, options, name, approval, arguments, program })
    }

    /// The same with its bytecode, if it is here and would not be sent.
    #[must_use]
    pub fn whole(&self) -> Option<RunRequest<'a>> {
        match self.program {
            RunProgram::Cached { bytes, .. } => {
                Some(RunRequest { program: RunProgram::Whole(bytes), ..self.clone() })
            }
            RunProgram::Whole(_) | RunProgram::Hash(_) | RunProgram::Tree(_) => None,
        }
    }
}

impl<'a> From<&'a Arg> for Argument<'a> {
    fn from(arg: &'a Arg) -> Argument<'a> {
        match arg {
            Arg::Const(Const::Int(value)) => Argument::Scalar(*value),
            Arg::Const(Const::Bool(value)) => Argument::Scalar(i64::from(*value)),
            Arg::Const(Const::Float(float)) => Argument::Scalar(float.word.cast_signed()),
            Arg::Const(Const::Enum(value)) => Argument::Scalar(i64::from(*value)),
            Arg::Const(Const::Text(text)) => Argument::Text(text),
            Arg::Portal(text) => Argument::Named(text),
        }
    }
}

/// Arguments as they are approved and sent.
#[must_use]
pub fn encode_arguments(arguments: &[Argument<'_>]) -> Vec<u8> {
    let mut w = Writer::with_capacity(32);
    write_arguments(&mut w, arguments);
    w.finish()
}

/// Reads what [`encode_arguments`] wrote.
///
/// # Errors
/// [`Malformed`].
pub fn decode_arguments(bytes: &[u8]) -> Result<Vec<Argument<'_>>, Malformed> {
    let mut list = Reader::new(bytes);
    let count = list.count(5)?;
    let mut arguments = Vec::with_capacity(count);
    for _ in 0..count {
        arguments.push(match list.u8()? {
            0 => Argument::Scalar(list.u64()? as i64),
            1 => Argument::Text(list.bytes()?),
            2 => Argument::Portal(u8::try_from(list.u32()?).map_err(|_| Malformed)?),
            3 => Argument::Named(list.bytes()?),
            _ => return Err(Malformed),
        });
    }
    list.end()?;
    Ok(arguments)
}

fn write_arguments(w: &mut Writer, arguments: &[Argument<'_>]) {
    w.count(arguments.len());
    for argument in arguments {
        match argument {
            Argument::Scalar(n) => {
                w.u8(0);
                w.u64(*n as u64);
            }
            Argument::Text(text) => {
                w.u8(1);
                w.bytes(text);
            }
            Argument::Portal(index) => {
                w.u8(2);
                w.u32(u32::from(*index));
            }
            Argument::Named(text) => {
                w.u8(3);
                w.bytes(text);
            }
        }
    }
}
