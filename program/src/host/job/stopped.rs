//! A run that stopped, and goes on.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use carnet_idl::descriptor::Effect;
use carnet_portal::call::Kind;
use carnet_portal::capability::Capability;
use carnet_portal::session::Session;

use super::{Approval, Job};
use crate::beside::INTERRUPTED;
use crate::host::Policy;
use crate::host::accounts::Accounts;
use crate::host::stopped::Keeping;
use crate::interp::{Stop, TABLE, ending};
use crate::journal::Resumed;
use crate::limits::{Amounts, LimitKind, LimitSource, Limits};
use crate::protocol::{
    End, Engine, InDoubt, Kept, Receipt, Refusal, ResumeRequest, SetVariable, ShortOf, raised,
};
use crate::tree::Cap;

impl Job {
    /// Makes it ready to go on where it stopped, in this session.
    pub(in crate::host) fn resume(
        &mut self,
        request: &ResumeRequest,
        resumed: Resumed,
        session: &Session,
        accounts: &Arc<Accounts>,
        policy: &Policy,
    ) -> Result<(), Box<End>> {
        let refuse = |refusal| Box::new(End::Refused(refusal));
        let is_fixed = self.cached.is_installed || self.approval == Approval::Needed;
        let set: &[SetVariable] = match &request.set {
            Some(set) if is_fixed && !set.variables.is_empty() => {
                return Err(refuse(Refusal::FixedVariables));
            }
            Some(set) if set.program != *self.cached.hash() => return Err(refuse(Refusal::OtherProgram)),
            set => set.as_ref().map_or(&[], |set| &set.variables),
        };
        if self.cached.is_installed && !request.raises.is_empty() {
            return Err(refuse(Refusal::RaisesInstalled));
        }
        if self.approval == Approval::Needed && !request.raises.is_empty() {
            return Err(refuse(Refusal::RaisesApproved));
        }
        if request.options.engine == Engine::Tree {
            self.walks_again(set).map_err(|why| refuse(Refusal::NotATree(why)))?;
        }
        // With other variables it is another call.
        let may_repeat = self.may_repeat() && set.is_empty();
        if self.doubt.is_open() && !may_repeat && request.in_doubt == InDoubt::Leave {
            return Err(refuse(Refusal::InDoubt));
        }
        let caps = raised(&self.caps, &request.raises).map_err(|kind| refuse(Refusal::NoCap(kind)))?;
        policy.accept(&self.cached.program, &caps).map_err(refuse)?;
        let fitting = self.machine.fit_variables(&self.cached.program, set);
        let fitting = fitting.map_err(|(slot, message)| refuse(Refusal::Variable { slot, message }))?;
        let lower = std::mem::replace(&mut self.caps, caps);
        if let Err(end) = self.allot(session, accounts, policy, 0) {
            self.caps = lower;
            return Err(end);
        }
        self.doubt = self.doubt.goes_on(!set.is_empty());
        self.machine.set_variables(fitting);
        self.machine.budget = self.budget();
        self.options = request.options;
        self.goes_on_as(request.options.engine);
        self.takes_part(session);
        if let Some(record) = self.machine.record() {
            record.go_on(resumed);
        }
        Ok(())
    }

    /// A call that has done nothing because the run is to stop did not fail: the run stops there. So many calls had failed before.
    pub(super) fn stops_where_interrupted(&mut self, failed_before: u64) {
        self.notes_what_was_sent();
        let Stop::CallFailed(failure) = &self.stop else { return };
        if failure.kind() != Kind::Unreachable {
            return;
        }
        let was_interrupted = failure.details().message == INTERRUPTED;
        if was_interrupted && self.machine.all_failed() > failed_before {
            let undone = Amounts { calls: 1, writes: u64::from(self.writes_here()), ..Amounts::default() };
            self.undone = self.undone.plus(undone);
        } else if !was_interrupted && !self.is_beside() {
            // The call was not sent. Beside it is the run that was not, and no call was tried.
            self.made += 1;
        }
        if let Some(stop) = ending(&self.interrupt) {
            self.interrupted = was_interrupted;
            self.stop = stop;
        }
    }

    /// The server's limits, of the whole run. They count from where it went on last, unless it needed an approval: that was of a
    /// bill with these limits, and calls that failed are made again beside it: the program itself makes no more than its bill says. What the
    /// server accepts of a bill is for the whole run, too.
    pub(super) fn whole(&self, policy: &Policy) -> Limits {
        let (limits, before, accepts) = (policy.limits, self.before, &policy.accepts);
        if self.stops == 0 {
            return limits;
        }
        let bill = self.cached.program.totals.amounts();
        let again = self.failed();
        let bill = Amounts {
            calls: bill.calls.saturating_add(again.calls),
            writes: bill.writes.saturating_add(again.writes),
            written: bill.written.saturating_mul(again.writes.saturating_add(1)),
            ..bill
        };
        let whole = |limit: u64, before: u64, bill: u64, accepted: Option<u64>| match self.approval {
            Approval::Needed => limit.min(bill),
            Approval::NotNeeded => limit.saturating_add(before).min(accepted.unwrap_or(u64::MAX)),
        };
        let accepted = |accepted: Option<u64>, undone: u64| accepted.map(|n| n.saturating_add(undone));
        let calls = accepted(accepts.calls, self.undone.calls);
        let writes = accepted(accepts.writes, self.undone.writes);
        Limits {
            calls: whole(limits.calls, before.calls, bill.calls, calls),
            writes: whole(limits.writes, before.writes, bill.writes, writes),
            written: whole(limits.written, before.written, bill.written, accepts.written),
            instructions: whole(
                limits.instructions,
                before.instructions,
                bill.instructions,
                accepts.instructions,
            ),
            time_ns: whole(limits.time_ns, self.before_ns, u64::MAX, None),
            ..limits
        }
    }

    /// Calls that failed so far, and writes among them.
    fn failed(&self) -> Amounts {
        let mut failed = Amounts::default();
        for (at, op) in self.cached.program.ops.iter().enumerate() {
            let calls = self.machine.failed_calls(at);
            failed.calls += calls;
            failed.writes += if op.operation.effect == Effect::Writes { calls } else { 0 };
        }
        failed
    }

    /// Whether the run could go on after this stop, and is meant to: the next call or block was not begun, or the call failed
    /// without effect, and what was missing can be had. What the program does by itself, it would do again.
    pub(super) fn can_go_on(&self, stop: &Stop, receipt: &Receipt) -> bool {
        if self.options.dry || self.broken || !self.is_followed_up() {
            return false;
        }
        let is_final = |kind| self.is_fixed(kind).is_some();
        match stop {
            Stop::Cancelled => true,
            Stop::Deadline => !is_final(LimitKind::Time),
            Stop::Limit(LimitKind::Instructions) if self.is_too_dear(receipt) => false,
            Stop::Limit(kind) => Amounts::KINDS.contains(kind) && !is_final(*kind),
            // Nobody knows what a process did that had the run itself.
            Stop::CallFailed(_) if self.died.is_some() => false,
            Stop::CallFailed(failure) => matches!(
                failure.kind(),
                Kind::Raised
                    | Kind::BadArgument
                    | Kind::NoSuchPortal
                    | Kind::Refused
                    | Kind::Unreachable
                    | Kind::TimedOut
                    | Kind::PeerDied
            ),
            _ => false,
        }
    }

    /// Whether what comes next takes more instructions than the run has at a time here.
    fn is_too_dear(&self, receipt: &Receipt) -> bool {
        const KIND: LimitKind = LimitKind::Instructions;
        let (at_a_time, is_short) = match self.short {
            Some(standing) if self.is_short_of(KIND) => (standing.allowance.of(KIND), true),
            _ => (self.effective.limits.instructions.saturating_sub(self.before.instructions), false),
        };
        let did_nothing = receipt.instructions == self.before.instructions;
        self.needs() > at_a_time || did_nothing && !is_short
    }

    /// Limits of the header that the call here would reach if it was made again, and what each is.
    ///
    /// # Errors
    /// Why one of them stays as it is.
    pub(super) fn short_of(&self, end: &End, receipt: &Receipt) -> Result<ShortOf, &'static str> {
        let mut short_of = ShortOf::default();
        let kinds = [LimitKind::Calls, LimitKind::Writes, LimitKind::Written, LimitKind::Time];
        for (of, kind) in short_of.iter_mut().zip(kinds) {
            let (limit, source) = self.effective.limit(kind);
            let is_it = matches!(end, End::Limit { kind: stopped, .. } if *stopped == kind);
            if matches!(source, LimitSource::Header(_))
                && !self.is_short_of(kind)
                && (is_it || self.is_used_up(kind, receipt))
            {
                self.is_fixed(kind).map_or(Ok(()), Err)?;
                *of = Some((kind, limit.saturating_sub(self.undone.of(kind))));
            }
        }
        Ok(short_of)
    }

    /// Whether less is left of a limit than the call here takes.
    fn is_used_up(&self, kind: LimitKind, receipt: &Receipt) -> bool {
        let Some((op, step)) = self.call_at() else { return false };
        let budget = &self.machine.budget;
        let writes = op.operation.effect == Effect::Writes;
        match kind {
            LimitKind::Calls => budget.calls_left == 0,
            LimitKind::Writes => writes && budget.writes_left == 0,
            // The block of a walk is not there.
            LimitKind::Written if self.is_walk() => false,
            LimitKind::Written => {
                writes && self.machine.reserved(op, usize::from(step.c)) > budget.written_left
            }
            _ => receipt.time_ns >= self.effective.limits.time_ns,
        }
    }

    /// Why a limit stays as it is: the server's limits are those of the bill that was approved, the header's were approved as well, and
    /// those of an installed program's header are its owner's.
    fn is_fixed(&self, kind: LimitKind) -> Option<&'static str> {
        let is_approved = self.approval == Approval::Needed;
        let why = match self.effective.limit(kind).1 {
            LimitSource::Server if is_approved => {
                Some("the bill that was approved has this limit of the server")
            }
            LimitSource::Header(_) if self.cached.is_installed => Some(
                "its program is installed with this limit; whoever runs the server can give it another one",
            ),
            LimitSource::Header(_) if is_approved => {
                Some("it was approved with this limit; have it approved with another one, and run it anew")
            }
            _ => None,
        };
        why.filter(|_| !self.is_short_of(kind))
    }

    /// Why a run that would be kept cannot go on after this stop, if that is to be said.
    pub(super) fn why_final(&self, stop: &Stop, receipt: &Receipt) -> Option<String> {
        let kind = match stop {
            Stop::Deadline => LimitKind::Time,
            Stop::Limit(kind) if Amounts::KINDS.contains(kind) => *kind,
            _ => return None,
        };
        if !self.is_named() || self.options.dry {
            return None;
        }
        if kind == LimitKind::Instructions && self.is_too_dear(receipt) {
            return Some("what it does next takes more instructions than it may at a time".to_owned());
        }
        self.is_fixed(kind).map(str::to_owned)
    }

    /// How it is kept, unless it holds too much for that.
    pub(super) fn kept(&self, keeping: Keeping) -> Option<Kept> {
        let (bytes, portals) = self.holds();
        let fits = !keeping.time.is_zero() && bytes <= keeping.bytes_max && portals <= keeping.portals_max;
        let portals = u32::try_from(portals).unwrap_or(u32::MAX);
        let for_s = keeping.time.as_secs();
        fits.then_some(Kept {
            stop: self.stops + 1,
            for_s,
            portals,
            in_doubt: InDoubt::Leave,
            short_of: ShortOf::default(),
        })
    }

    /// Whether it is to be kept if it stops.
    pub(in crate::host) fn is_named(&self) -> bool {
        !self.name.is_empty()
    }

    /// Gives back the memory that it needed for its outcome alone.
    pub(in crate::host) fn shrink(&mut self) {
        (self.encoded, self.result, self.counted) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// This stops it from now on.
    pub(in crate::host) fn stops_by(&mut self, interrupt: &Arc<AtomicU32>) {
        self.interrupt = Arc::clone(interrupt);
    }

    /// The stop after which it is kept.
    pub(in crate::host) fn stops(&self) -> u32 {
        self.stops
    }

    /// Name of the run, and of its program.
    pub(in crate::host) fn names(&self) -> (&str, String) {
        (&self.name, self.cached.name())
    }

    /// Bytes that it takes while it is kept, about, and portals.
    pub(in crate::host) fn holds(&self) -> (usize, usize) {
        let own = size_of::<Job>() + size_of::<[u64; TABLE]>() + self.name.capacity();
        let lists = self.caps.capacity() * size_of::<Cap>() + self.roots.capacity() * size_of::<Capability>();
        let (walk_bytes, walk_portals) = self.walk_holds();
        let bytes = own + lists + walk_bytes + self.machine.kept_bytes() + self.cached.takes();
        (bytes, walk_portals + self.machine.portals_held())
    }
}
