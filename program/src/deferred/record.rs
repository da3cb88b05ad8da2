//! What happens to what was deferred, in bytes.

use super::{Approved, Entry, Piece, State, Step, Told};
use crate::protocol::codec::{Reader, Writer};
use crate::protocol::{Malformed, Memory, Outcome, RunId};

/// One record of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// It was deferred.
    Added(Box<Entry>),
    /// It is about to be sent, to a server that remembered so much.
    Sent { number: u64, step: Step, memory: Memory },
    /// The server says that it never began: it is as it was before it was sent. What was sent may come yet, unless it was refused.
    NotBegun { number: u64, may_come: bool },
    /// It ended so.
    Ended { number: u64, step: Step, outcome: Box<Outcome> },
    /// Nobody can tell whether it ran.
    Unknown { number: u64, step: Step },
    /// It is not to be delivered.
    Withdrawn { number: u64 },
    /// It is to be run again, as another run.
    Again { number: u64, ids: [(RunId, String); 2] },
    /// The next one has this number at least.
    Next { number: u64 },
    /// What came behind is lost: it may have been delivered or withdrawn.
    Salvaged { number: u64 },
}

impl Record {
    /// The entry that it is of, or the next one.
    pub(super) fn number(&self) -> u64 {
        match self {
            Record::Added(entry) => entry.number,
            Record::Sent { number, .. }
            | Record::NotBegun { number, .. }
            | Record::Ended { number, .. }
            | Record::Unknown { number, .. }
            | Record::Withdrawn { number }
            | Record::Again { number, .. }
            | Record::Next { number }
            | Record::Salvaged { number } => *number,
        }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(64);
        match self {
            Record::Added(entry) => {
                w.u8(0);
                added(&mut w, entry);
            }
            Record::Sent { number, step, memory } => {
                w.u8(1);
                w.u64(*number);
                w.u8(*step as u8);
                memory.write(&mut w);
            }
            Record::NotBegun { number, may_come } => {
                w.u8(2);
                w.u64(*number);
                w.u8(u8::from(*may_come));
            }
            Record::Ended { number, step, outcome } => {
                w.u8(3);
                w.u64(*number);
                w.u8(*step as u8);
                w.bytes(&outcome.encode());
            }
            Record::Unknown { number, step } => {
                w.u8(4);
                w.u64(*number);
                w.u8(*step as u8);
            }
            Record::Withdrawn { number } => {
                w.u8(5);
                w.u64(*number);
            }
            Record::Again { number, ids } => {
                w.u8(6);
                w.u64(*number);
                for (id, name) in ids {
                    w.u128(id.0);
                    w.bytes(name.as_bytes());
                }
            }
            Record::Next { number } => {
                w.u8(7);
                w.u64(*number);
            }
            Record::Salvaged { number } => {
                w.u8(8);
                w.u64(*number);
            }
        }
        w.finish()
    }

    pub(super) fn decode(body: &[u8]) -> Result<Record, Malformed> {
        let mut r = Reader::new(body);
        let record = match r.u8()? {
            0 => Record::Added(Box::new(entry(&mut r)?)),
            1 => Record::Sent { number: r.u64()?, step: step(&mut r)?, memory: Memory::read(&mut r)? },
            2 => Record::NotBegun { number: r.u64()?, may_come: r.bool()? },
            3 => {
                let (number, step) = (r.u64()?, step(&mut r)?);
                Record::Ended { number, step, outcome: Box::new(Outcome::decode(r.bytes()?)?) }
            }
            4 => Record::Unknown { number: r.u64()?, step: step(&mut r)? },
            5 => Record::Withdrawn { number: r.u64()? },
            6 => {
                let number = r.u64()?;
                let mut id = || Ok((RunId(r.u128()?), r.string()?));
                Record::Again { number, ids: [id()?, id()?] }
            }
            7 => Record::Next { number: r.u64()? },
            8 => Record::Salvaged { number: r.u64()? },
            _ => return Err(Malformed),
        };
        r.end()?;
        Ok(record)
    }
}

fn added(w: &mut Writer, entry: &Entry) {
    w.u64(entry.number);
    w.u64(entry.at_ns);
    piece(w, &entry.piece);
    w.option(entry.resolver.as_ref(), piece);
}

fn piece(w: &mut Writer, piece: &Piece) {
    let Piece { id, name, title, program, arguments, may_write, approved } = piece;
    w.u128(id.0);
    w.bytes(name.as_bytes());
    w.bytes(title.as_bytes());
    w.bytes(program);
    w.bytes(arguments);
    w.u8(u8::from(*may_write));
    w.option(approved.as_ref(), |w, approved| {
        let Approved { bounds, lines } = approved;
        bounds.iter().for_each(|bound| w.u64(*bound));
        w.count(lines.len());
        for (name, at_most) in lines {
            w.bytes(name.as_bytes());
            w.u64(*at_most);
        }
    });
}

fn entry(r: &mut Reader<'_>) -> Result<Entry, Malformed> {
    Ok(Entry {
        number: r.u64()?,
        at_ns: r.u64()?,
        piece: read_piece(r)?,
        resolver: r.option(read_piece)?,
        state: State::Pending,
        told: Told::default(),
    })
}

fn read_piece(r: &mut Reader<'_>) -> Result<Piece, Malformed> {
    Ok(Piece {
        id: RunId(r.u128()?),
        name: r.string()?,
        title: r.string()?,
        program: r.bytes()?.to_vec(),
        arguments: r.bytes()?.to_vec(),
        may_write: r.bool()?,
        approved: r.option(|r| {
            let mut bounds = [0; 5];
            for bound in &mut bounds {
                *bound = r.u64()?;
            }
            Ok(Approved { bounds, lines: r.list(12, |r| Ok((r.string()?, r.u64()?)))? })
        })?,
    })
}

fn step(r: &mut Reader<'_>) -> Result<Step, Malformed> {
    match r.u8()? {
        0 => Ok(Step::Program),
        1 => Ok(Step::Resolver),
        _ => Err(Malformed),
    }
}
