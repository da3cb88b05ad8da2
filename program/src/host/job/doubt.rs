//! Calls in doubt: nobody knows whether they took effect.
//!
//! ```text
//! a call that writes, or is @once, is not answered ─► in doubt ─► made again: what it comes to then counts
//!                                                       ▲     └──► stopped before that, however often: in doubt
//! ```
//! A call that reads and is `@once` takes what it reads: the answer that never came had it, and a second one has not.
//! What the run is told to be is in doubt for as long.

use carnet_idl::descriptor::Effect;
use carnet_portal::call::{Failure, Kind};

use super::Job;
use crate::beside::Died;
use crate::interp::{Stop, counts_as_done, was_not_sent};
use crate::protocol::{End, Malformed, Receipt};

/// What there is to say of the call that a run stopped at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It did not take effect.
    #[default]
    None,
    /// It may have.
    Open,
    /// It may have, and variables were set since: made now, it may be another one.
    OpenAndSet,
}

impl Doubt {
    pub(super) fn from_number(number: u8) -> Result<Doubt, Malformed> {
        let all = [Doubt::None, Doubt::Open, Doubt::OpenAndSet];
        all.get(usize::from(number)).copied().ok_or(Malformed)
    }

    pub(super) fn is_open(self) -> bool {
        self != Doubt::None
    }

    /// It goes on, with other values if so.
    pub(super) fn goes_on(self, sets: bool) -> Doubt {
        if self.is_open() && sets { Doubt::OpenAndSet } else { self }
    }
}

impl Job {
    /// Whether a call that writes, or is `@once`, failed in a way that leaves open whether it took effect.
    pub(super) fn leaves_doubt(&self, failure: &Failure) -> bool {
        let once = || self.call_at().is_some_and(|(op, _)| op.operation.once);
        matches!(failure.kind(), Kind::PeerDied | Kind::TimedOut)
            && !self.options.dry
            && match self.died {
                None => self.writes_here() || once(),
                // What it would have read on from ended with it.
                Some(Died::InCall) => self.writes_here(),
                Some(Died::Between) => false,
                Some(Died::Anywhere) => self.cached.program.totals.writes > 0,
            }
    }

    /// Whether the run stands at a call that writes.
    pub(super) fn writes_here(&self) -> bool {
        self.call_at().is_some_and(|(op, _)| op.operation.effect == Effect::Writes)
    }

    /// Whether the call here was answered, and that is none of its answers.
    pub(super) fn counts_as_done(&self, failure: &Failure) -> bool {
        self.call_at().is_some_and(|(op, _)| counts_as_done(op.operation, failure))
    }

    /// Whether the call in doubt may be made twice, as it was.
    pub(super) fn may_repeat(&self) -> bool {
        self.doubt != Doubt::OpenAndSet && self.call_at().is_some_and(|(op, _)| op.operation.idempotent)
    }

    /// Notes whether it stopped because a call that counts had not got to its service: it was interrupted. One that was not sent does not count.
    pub(super) fn notes_what_was_sent(&mut self) {
        let counts = |failure: &Failure| failure.kind() == Kind::Unreachable && !was_not_sent(failure);
        self.unsent = matches!(&self.stop, Stop::CallFailed(failure) if counts(failure));
    }

    /// Whether the call that was in doubt when it went on is so still: it was not made since, or did not get to its service.
    pub(super) fn is_still_in_doubt(&self, receipt: &Receipt) -> bool {
        let made = receipt.calls.saturating_sub(self.before.calls);
        self.doubt.is_open() && (made == 0 || made == 1 && self.unsent)
    }
}

/// How a run ended that stopped again at a call in doubt, where it would have ended like that.
pub(in crate::host) fn again(end: &End) -> End {
    let why = match end {
        End::Limit { kind, limit, used, source } => kind.reached(*limit, *used, *source),
        End::Cancelled => "cancelled".to_owned(),
        End::Revoked => "a portal was revoked".to_owned(),
        End::Fault(kind) => kind.to_string(),
        End::CallFailed { message, .. } | End::CallInDoubt { message } => message.clone(),
        _ => "stopped".to_owned(),
    };
    let message = format!(
        "stopped again before the call was made again ({why}); it is still unknown whether the call was done"
    );
    End::CallInDoubt { message }
}
