//! Runs that stopped and can go on.

use super::codec::{Reader, Writer, decode_list, encode_list};
use super::{Malformed, Outcome, RunId, RunOptions};
use crate::bill::Hash;
use crate::journal::Resumed;
use crate::limits::LimitKind;
use crate::tree::{Cap, CapKind};

/// Most variables that are set at once.
pub const SET_MAX: usize = 256;
/// Longest name under which a run is kept.
pub const NAME_BYTES_MAX: usize = 64;

/// A run that stopped is kept: variables, program counter, and the portals that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which of its stops this is, from 1.
    pub stop: u32,
    /// For how long, in seconds, if nothing pushes it out.
    pub for_s: u64,
    /// Portals that it holds.
    pub portals: u32,
    /// How it goes on: only as whoever has looked ([`InDoubt::Repeat`]) if its last call is in doubt and not idempotent.
    pub in_doubt: InDoubt,
    /// What must be raised for it to go on: if its last call is in doubt, for that to be made again; and of one that was asked to go on and
    /// did not, what had stopped it.
    pub short_of: ShortOf,
}

/// Limits of a program's header that are used up, and what each is.
pub type ShortOf = [Option<(LimitKind, u64)>; 4];

/// Lets a run go on where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeRequest {
    /// The run's identity.
    pub id: RunId,
    /// The stop that it goes on from: asking again after a lost answer does not go on twice.
    pub stop: u32,
    /// How it goes on; not as a dry run.
    pub options: RunOptions,
    /// What becomes of a call in doubt that is not idempotent.
    pub in_doubt: InDoubt,
    /// By how much limits of the program's header are raised, each at most once.
    pub raises: Vec<Raise>,
    /// What variables hold from now on.
    pub set: Option<SetVariables>,
}

/// What variables of a run hold from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetVariables {
    /// The program in which they have these numbers, which the run must be of.
    pub program: Hash,
    /// Each at most once; none: it must be of this program, and nothing is changed.
    pub variables: Vec<SetVariable>,
}

/// What a variable holds from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetVariable {
    /// Its slot.
    pub slot: u16,
    /// The value.
    pub value: VariableValue,
}

/// A value that a variable can be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariableValue {
    /// An integer, a truth value (0 or 1), or the number of an enum's value.
    Scalar(i64),
    /// A string or bytes.
    Text(Vec<u8>),
    /// The words of a list's elements, one element after the other; none of them is a list.
    List(Vec<VariableValue>),
}

/// Whether a call is repeated of which nobody knows whether it took effect. Those that are idempotent are, without a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InDoubt {
    /// It is not: the run does not go on.
    #[default]
    Leave,
    /// It is: whoever asks has looked.
    Repeat,
}

/// So much more of what the program's header limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raise {
    /// What is limited.
    pub kind: CapKind,
    /// By how much: a number, bytes, or nanoseconds.
    pub by: u64,
}

/// What there is of a run that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// Its name.
    pub name: String,
    /// The program's name.
    pub program: String,
    /// Where it stopped; `None`: it is running.
    pub stopped: Option<StoppedRun>,
}

/// A run that stopped and is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedRun {
    /// How it stopped, without what there is of its result.
    pub outcome: Outcome,
    /// For how long it is kept yet, in seconds.
    pub left_s: u64,
}

impl ResumeRequest {
    /// Goes on from a stop as the run was.
    #[must_use]
    pub fn new(id: RunId, stop: u32) -> ResumeRequest {
        ResumeRequest {
            id,
            stop,
            options: RunOptions::default(),
            in_doubt: InDoubt::Leave,
            raises: Vec::new(),
            set: None,
        }
    }

    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(64);
        w.u128(self.id.0);
        w.u32(self.stop);
        w.u8(self.options.bits());
        w.u8(self.in_doubt as u8);
        w.count(self.raises.len());
        for raise in &self.raises {
            w.u8(raise.kind as u8);
            w.u64(raise.by);
        }
        w.option(self.set.as_ref(), |w, set| {
            w.raw(&set.program);
            w.count(set.variables.len());
            set.variables.iter().for_each(|variable| variable.write(w));
        });
        w.finish()
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &[u8]) -> Result<ResumeRequest, Malformed> {
        let mut r = Reader::new(bytes);
        let (id, stop, options) = (RunId(r.u128()?), r.u32()?, RunOptions::from_bits(r.u8()?)?);
        if options.dry {
            return Err(Malformed);
        }
        let in_doubt = if r.bool()? { InDoubt::Repeat } else { InDoubt::Leave };
        let raises = r.list(9, |r| {
            let kind = CapKind::from_number(u32::from(r.u8()?)).ok_or(Malformed)?;
            Ok(Raise { kind, by: r.u64()? })
        })?;
        let set = r.option(|r| {
            let (program, variables) = (r.hash()?, r.list(9, SetVariable::read)?);
            // Their order says that there is none twice.
            let ascend = variables.is_sorted_by(|one, next| one.slot < next.slot);
            if ascend && variables.len() <= SET_MAX {
                Ok(SetVariables { program, variables })
            } else {
                Err(Malformed)
            }
        })?;
        r.end()?;
        // What is kept of a request should be as short as what it says.
        let is_repeated = |at: usize| raises[..at].iter().any(|raise| raise.kind == raises[at].kind);
        if (0..raises.len()).any(is_repeated) {
            return Err(Malformed);
        }
        Ok(ResumeRequest { id, stop, options, in_doubt, raises, set })
    }

    /// A digest of what is changed before it goes on, and of the engine that it goes on in, by which the same request is known again.
    #[must_use]
    pub fn changes(&self) -> Hash {
        let set = self.set.clone().filter(|set| !set.variables.is_empty());
        let options = RunOptions { engine: self.options.engine, ..RunOptions::default() };
        let same = ResumeRequest { options, in_doubt: InDoubt::Leave, set, ..self.clone() };
        crate::bill::hash(&same.encode())
    }

    /// By what it is known again.
    pub(crate) fn resumed(&self) -> Resumed {
        Resumed { stop: self.stop, changes: self.changes() }
    }
}

impl SetVariable {
    fn write(&self, w: &mut Writer) {
        w.u32(u32::from(self.slot));
        self.value.write(w);
    }

    fn read(r: &mut Reader<'_>) -> Result<SetVariable, Malformed> {
        let slot = u16::try_from(r.u32()?).map_err(|_| Malformed)?;
        let value = match r.u8()? {
            2 => VariableValue::List(r.list(5, |r| {
                let kind = r.u8()?;
                VariableValue::read_one(kind, r)
            })?),
            kind => VariableValue::read_one(kind, r)?,
        };
        Ok(SetVariable { slot, value })
    }
}

impl VariableValue {
    fn write(&self, w: &mut Writer) {
        match self {
            VariableValue::Scalar(n) => {
                w.u8(0);
                w.u64(*n as u64);
            }
            VariableValue::Text(text) => {
                w.u8(1);
                w.bytes(text);
            }
            VariableValue::List(words) => {
                w.u8(2);
                w.count(words.len());
                words.iter().for_each(|word| word.write(w));
            }
        }
    }

    /// One that is no list.
    fn read_one(kind: u8, r: &mut Reader<'_>) -> Result<VariableValue, Malformed> {
        match kind {
            0 => Ok(VariableValue::Scalar(r.u64()? as i64)),
            1 => Ok(VariableValue::Text(r.bytes()?.to_vec())),
            _ => Err(Malformed),
        }
    }
}

/// The caps of a header with what they are raised by.
///
/// # Errors
/// The kind of a raise for which the header has no cap.
pub fn raised(caps: &[Cap], raises: &[Raise]) -> Result<Vec<Cap>, CapKind> {
    let mut caps = caps.to_vec();
    for raise in raises {
        let mut of_kind = caps.iter_mut().filter(|cap| cap.kind == raise.kind).peekable();
        of_kind.peek().ok_or(raise.kind)?;
        of_kind.for_each(|cap| cap.limit = cap.limit.saturating_add(raise.by));
    }
    Ok(caps)
}

/// Writes how a run is kept, or why it cannot go on.
pub(super) fn write_kept(w: &mut Writer, kept: Option<&Kept>, cannot_go_on: Option<&str>) {
    match (kept, cannot_go_on) {
        (Some(kept), _) => {
            let repeat = if kept.in_doubt == InDoubt::Repeat { 2 } else { 0 };
            let short = if kept.short_of == ShortOf::default() { 0 } else { 4 };
            w.u8(1 | repeat | short);
            w.u32(kept.stop);
            w.u64(kept.for_s);
            w.u32(kept.portals);
            let of = kept.short_of.iter().filter(|_| short > 0);
            of.for_each(|of| {
                w.option(of.as_ref(), |w, (kind, limit)| {
                    w.limit_kind(*kind);
                    w.u64(*limit);
                });
            });
        }
        (None, Some(why)) => {
            w.u8(2);
            w.bytes(why.as_bytes());
        }
        (None, None) => w.u8(0),
    }
}

pub(super) fn read_kept(r: &mut Reader<'_>) -> Result<(Option<Kept>, Option<String>), Malformed> {
    match r.u8()? {
        0 => Ok((None, None)),
        tag @ (1 | 3 | 5 | 7) => {
            let in_doubt = if tag & 2 == 0 { InDoubt::Leave } else { InDoubt::Repeat };
            let (stop, for_s, portals) = (r.u32()?, r.u64()?, r.u32()?);
            let mut short_of = ShortOf::default();
            if tag & 4 > 0 {
                for of in &mut short_of {
                    *of = r.option(|r| Ok((r.limit_kind()?, r.u64()?)))?;
                }
            }
            Ok((Some(Kept { stop, for_s, portals, in_doubt, short_of }), None))
        }
        2 => Ok((None, Some(r.string()?))),
        _ => Err(Malformed),
    }
}

/// Writes a list of them.
#[must_use]
pub fn encode_runs(runs: &[RunInfo]) -> Vec<u8> {
    encode_list(runs, |w, run| {
        w.bytes(run.name.as_bytes());
        w.bytes(run.program.as_bytes());
        w.option(run.stopped.as_ref(), |w, stopped| {
            stopped.outcome.write(w);
            w.u64(stopped.left_s);
        });
    })
}

/// Reads a list of them.
///
/// # Errors
/// [`Malformed`].
pub fn decode_runs(bytes: &[u8]) -> Result<Vec<RunInfo>, Malformed> {
    decode_list(bytes, 9, |r| {
        let (name, program) = (r.string()?, r.string()?);
        let stopped = r.option(|r| Ok(StoppedRun { outcome: Outcome::read(r)?, left_s: r.u64()? }))?;
        Ok(RunInfo { name, program, stopped })
    })
}
