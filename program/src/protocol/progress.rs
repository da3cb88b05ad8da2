//! What is told while a run goes on.

use super::codec::{Reader, Writer};
use super::{Malformed, StoppedCall};
use crate::tree::Pos;

/// What a traced run spent at a line of the source, since it began or went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSpent {
    /// The line, from 1; 0: none.
    pub line: u32,
    /// Instructions, about.
    pub instructions: u64,
    /// Time in ns, that of its calls with it; about.
    pub time_ns: u64,
}

/// What is told while a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Calls so far, and bytes written.
    Counts {
        /// Calls.
        calls: u64,
        /// Bytes written.
        written: u64,
    },
    /// A call is about to be made.
    Call {
        /// How long the run went on until now, in ns, without what it took to tell of its calls.
        time_ns: u64,
        /// Place in the source.
        pos: Pos,
        /// The call.
        call: StoppedCall,
    },
    /// Where a traced run has gone, at its end; each line once, in as many of these as it takes.
    Spent(Vec<LineSpent>),
    /// This run began at an earlier request: what comes is its outcome, and nothing is begun.
    Again {
        /// It has not ended yet.
        running: bool,
    },
}

/// Bytes of a line and what was spent there.
const LINE_BYTES: usize = 20;

impl Progress {
    /// Lines of a [`Progress::Spent`] that has so many bytes at most; one at least.
    pub(crate) fn lines_of(bytes_max: usize) -> usize {
        // Behind its kind and their number.
        (bytes_max.saturating_sub(5) / LINE_BYTES).max(1)
    }

    /// Writes it.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::with_capacity(32);
        match self {
            Progress::Counts { calls, written } => {
                w.u8(0);
                w.u64(*calls);
                w.u64(*written);
            }
            Progress::Call { time_ns, pos, call } => {
                w.u8(1);
                w.u64(*time_ns);
                w.pos(*pos);
                call.write(&mut w);
            }
            Progress::Again { running } => {
                w.u8(2);
                w.u8(u8::from(*running));
            }
            Progress::Spent(lines) => {
                w.u8(3);
                w.count(lines.len());
                for LineSpent { line, instructions, time_ns } in lines {
                    w.u32(*line);
                    w.u64(*instructions);
                    w.u64(*time_ns);
                }
            }
        }
        w.finish()
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(bytes: &[u8]) -> Result<Progress, Malformed> {
        let mut r = Reader::new(bytes);
        let progress = match r.u8()? {
            0 => Progress::Counts { calls: r.u64()?, written: r.u64()? },
            1 => Progress::Call { time_ns: r.u64()?, pos: r.pos()?, call: StoppedCall::read(&mut r)? },
            2 => Progress::Again { running: r.bool()? },
            3 => Progress::Spent(r.list(LINE_BYTES, |r| {
                Ok(LineSpent { line: r.u32()?, instructions: r.u64()?, time_ns: r.u64()? })
            })?),
            _ => return Err(Malformed),
        };
        r.end()?;
        Ok(progress)
    }
}
