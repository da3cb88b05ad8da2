//! What each principal has left of its allowance: one account for all its sessions, runs and single calls.
//!
//! ```text
//!                 period
//! ├──────────────────────────────────────┤      begins with the first use after the one before is over
//!   used ████████  held ░░░░░  left ─────       used + held never exceeds the allowance
//!
//! draw:   left ──► held        before it is used; a part only, so that others find something
//! settle: held ──► used        what was used, before more is drawn and at the end; the rest is left again
//! end of the period: used = 0; what is held stays held
//! ```
//! Whoever draws holds a [`Hold`], which is settled exactly once: by its owner, or when it is dropped. In the latter case
//! nobody knows what was used, and all that was held counts as used.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::meter::{Purse, Use};

use super::lock;
use crate::limits::{Allowance, Amounts, LimitKind, Standing};

/// The part of an allowance that a session draws at a time for its single calls: so little that all sessions of a server
/// together hold a sixteenth of it, besides what they have used since they drew it.
const SHARE: u64 = 4096;
/// Most of what a session draws at a time, so that it asks seldom and holds little.
const SHARE_MAX: Amounts = Amounts { calls: 256, writes: 256, written: 4 << 20, instructions: 0 };

/// What time it is.
pub type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// Of what is left, the part that one run gets at a time: one that needs less than it might does not keep it all from the
/// others.
const PART: u64 = 4;

/// So many accounts are kept without asking which of them are needed.
const ACCOUNTS_UNSWEPT: usize = 64;

/// The accounts of all principals.
pub(super) struct Accounts {
    allowance: Allowance,
    clock: Clock,
    table: Mutex<Table>,
}

struct Table {
    accounts: HashMap<Arc<str>, Arc<Mutex<Account>>>,
    /// When there are so many, those that nobody needs are forgotten.
    sweep_at: usize,
}

struct Account {
    ends: Instant,
    used: Amounts,
    held: Amounts,
}

impl Accounts {
    pub(super) fn new(allowance: Allowance, clock: Clock) -> Accounts {
        let allowance = Allowance { period_s: allowance.period_s.max(1), ..allowance };
        let table = Table { accounts: HashMap::new(), sweep_at: ACCOUNTS_UNSWEPT };
        Accounts { allowance, clock, table: Mutex::new(table) }
    }

    /// A hold of nothing, to draw with.
    pub(super) fn hold(self: &Arc<Self>, principal: &Arc<str>) -> Hold {
        let mut table = lock(&self.table);
        let account = match table.accounts.get(principal) {
            Some(account) => Arc::clone(account),
            None => self.open(&mut table, principal),
        };
        let (held, settled) = (Amounts::default(), Amounts::default());
        Hold { accounts: Arc::clone(self), account, held, settled }
    }

    #[cold]
    fn open(&self, table: &mut Table, principal: &Arc<str>) -> Arc<Mutex<Account>> {
        let now = (self.clock)();
        if table.accounts.len() >= table.sweep_at {
            // Nobody can begin to use an account without the table's lock.
            table.accounts.retain(|_, account| Arc::strong_count(account) > 1 || now < lock(account).ends);
            table.sweep_at = ACCOUNTS_UNSWEPT.max(2 * table.accounts.len());
        }
        let account = Account { ends: now, used: Amounts::default(), held: Amounts::default() };
        let account = Arc::new(Mutex::new(account));
        table.accounts.insert(Arc::clone(principal), Arc::clone(&account));
        account
    }

    /// How a principal stands.
    pub(super) fn standing(&self, principal: &str) -> Standing {
        let account = lock(&self.table).accounts.get(principal).map(Arc::clone);
        let now = (self.clock)();
        match account {
            Some(account) => {
                let account = lock(&account);
                let is_over = now >= account.ends;
                let used = if is_over { Amounts::default() } else { account.used };
                self.standing_of(&Account { used, held: account.held, ends: account.ends }, now)
            }
            None => self
                .standing_of(&Account { ends: now, used: Amounts::default(), held: Amounts::default() }, now),
        }
    }

    fn standing_of(&self, account: &Account, now: Instant) -> Standing {
        let left = account.ends.saturating_duration_since(now);
        Standing {
            period_s: self.allowance.period_s,
            again_s: left.as_secs() + u64::from(left.subsec_nanos() > 0),
            allowance: self.allowance.amounts,
            used: account.used,
            held: account.held,
        }
    }

    /// Begins a new period if the last is over.
    fn renew(&self, account: &mut Account, now: Instant) {
        if now >= account.ends {
            account.used = Amounts::default();
            let period = Duration::from_secs(self.allowance.period_s);
            // A period that the system's clock cannot count never ends.
            account.ends = now.checked_add(period).unwrap_or_else(|| now + Duration::from_secs(1 << 30));
        }
    }

    fn left(&self, account: &Account) -> Amounts {
        self.allowance.amounts.minus(account.used.plus(account.held))
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        lock(&self.table).accounts.len()
    }
}

/// What one run or session has drawn from its principal's account.
pub(super) struct Hold {
    accounts: Arc<Accounts>,
    account: Arc<Mutex<Account>>,
    /// Drawn, and not settled.
    held: Amounts,
    /// What a run has used that is settled already.
    settled: Amounts,
}

impl Hold {
    /// What is held.
    pub(super) fn held(&self) -> Amounts {
        self.held
    }

    /// Draws what is `wanted`, or a part of what is left, but no less than `least`.
    ///
    /// # Errors
    /// What there is not enough of, and how the principal stands. Nothing is drawn then.
    pub(super) fn begin(&mut self, wanted: Amounts, least: Amounts) -> Result<(), (LimitKind, Standing)> {
        let now = (self.accounts.clock)();
        let mut account = lock(&self.account);
        self.accounts.renew(&mut account, now);
        let left = self.accounts.left(&account);
        let lacks = |kind: &LimitKind| left.of(*kind) < least.of(*kind).max(wanted.of(*kind).min(1));
        if let Some(kind) = Amounts::KINDS.into_iter().find(lacks) {
            return Err((kind, self.accounts.standing_of(&account, now)));
        }
        let parts = left.zip(least, |left, least| left.div_ceil(PART).max(least));
        let drawn = wanted.zip(parts, u64::min);
        account.held = account.held.plus(drawn);
        self.held = self.held.plus(drawn);
        Ok(())
    }

    /// Draws more of one kind, at most `missing`, for a run that has `used` so much since it began. That is settled, so
    /// that a run that goes on for long holds no more than it has not used.
    ///
    /// # Errors
    /// There is nothing left. What this hold holds of other kinds is not in the answer.
    pub(super) fn more(&mut self, kind: LimitKind, missing: u64, used: Amounts) -> Result<u64, Standing> {
        let now = (self.accounts.clock)();
        let mut account = lock(&self.account);
        self.accounts.renew(&mut account, now);
        let unsettled = used.minus(self.settled);
        account.held = account.held.minus(unsettled.zip(self.held, u64::min));
        account.used = account.used.plus(unsettled);
        (self.held, self.settled) = (self.held.minus(unsettled), used);
        let more = self.accounts.left(&account).of(kind).div_ceil(PART).min(missing);
        if more == 0 {
            let others = Account { held: account.held.minus(self.held), ..*account };
            return Err(self.accounts.standing_of(&others, now));
        }
        for held in [&mut account.held, &mut self.held] {
            if let Some(place) = held.place(kind) {
                *place = place.saturating_add(more);
            }
        }
        Ok(more)
    }

    /// Settles what was `used` and draws no less than `wanted`, or a `share` of those kinds that are wanted if there is
    /// enough.
    ///
    /// # Errors
    /// As [`Hold::begin`].
    pub(super) fn redraw(
        &mut self,
        used: Amounts,
        wanted: Amounts,
        share: Amounts,
    ) -> Result<(), (LimitKind, Standing)> {
        if self.held != Amounts::default() {
            self.charge(used);
        }
        let share = share.zip(wanted, |share, wanted| if wanted == 0 { 0 } else { share.max(wanted) });
        self.begin(share, wanted)
    }

    /// What was `used` since it began; the rest can be used by others again.
    pub(super) fn settle(mut self, used: Amounts) {
        self.charge(used.minus(self.settled));
    }

    /// The same, if nobody knows how much was used of these kinds: all that is held.
    pub(super) fn settle_all_of(mut self, kinds: &[LimitKind], used: Amounts) {
        let mut unsettled = used.minus(self.settled);
        for kind in kinds {
            if let Some(place) = unsettled.place(*kind) {
                *place = self.held.of(*kind);
            }
        }
        self.charge(unsettled);
    }

    fn charge(&mut self, used: Amounts) {
        let held = std::mem::take(&mut self.held);
        let now = (self.accounts.clock)();
        let mut account = lock(&self.account);
        self.accounts.renew(&mut account, now);
        account.held = account.held.minus(held);
        account.used = account.used.plus(used);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        if self.held != Amounts::default() {
            self.charge(self.held);
        }
    }
}

/// Single calls are charged to the accounts that runs are charged to.
struct Calls {
    hold: Hold,
    share: Amounts,
}

impl Accounts {
    /// For the single calls of a session.
    pub(super) fn purse(self: &Arc<Self>, caller: &Caller) -> Box<dyn Purse> {
        let share = self.allowance.amounts.zip(SHARE_MAX, |allowance, max| (allowance / SHARE).min(max));
        Box::new(Calls { hold: self.hold(&caller.principal), share })
    }
}

impl Purse for Calls {
    fn draw(&mut self, used: Use, wanted: Use) -> Result<Use, Failure> {
        let drawn = self.hold.redraw(amounts(used), amounts(wanted), self.share);
        drawn.map_err(|(kind, standing)| Failure::new(Kind::Refused, &standing.used_up(kind)))?;
        let Amounts { calls, writes, written, .. } = self.hold.held();
        Ok(Use { calls, writes, written })
    }

    fn settle(&mut self, used: Use) {
        if self.hold.held() != Amounts::default() {
            self.hold.charge(amounts(used));
        }
    }
}

fn amounts(used: Use) -> Amounts {
    let Use { calls, writes, written } = used;
    Amounts { calls, writes, written, instructions: 0 }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Accounts with a clock that stands until it is told.
    struct Bank {
        accounts: Arc<Accounts>,
        seconds: Arc<AtomicU64>,
    }

    impl Bank {
        fn new(amounts: Amounts) -> Bank {
            let (began, seconds) = (Instant::now(), Arc::new(AtomicU64::new(0)));
            let told = Arc::clone(&seconds);
            let clock: Clock = Arc::new(move || began + Duration::from_secs(told.load(Ordering::Relaxed)));
            let accounts = Accounts::new(Allowance { period_s: 60, amounts }, clock);
            Bank { accounts: Arc::new(accounts), seconds }
        }

        fn passes(&self, seconds: u64) {
            self.seconds.fetch_add(seconds, Ordering::Relaxed);
        }

        fn hold(&self, principal: &str) -> Hold {
            self.accounts.hold(&Arc::from(principal))
        }

        fn drawn(&self, principal: &str, calls: u64) -> Result<Hold, LimitKind> {
            let mut hold = self.hold(principal);
            let drawn = hold.begin(only(calls), Amounts::default());
            drawn.map(|()| hold).map_err(|(kind, _)| kind)
        }
    }

    fn only(calls: u64) -> Amounts {
        Amounts { calls, ..Amounts::default() }
    }

    const TEN: Amounts = Amounts { calls: 10, writes: 10, written: 10, instructions: 10 };

    #[test]
    fn what_is_used_is_missing_until_the_period_is_over() {
        let bank = Bank::new(TEN);
        bank.drawn("alice", 5).expect("nothing was used").settle(only(10));
        assert_eq!(bank.accounts.standing("alice").used, only(10));
        assert_eq!(bank.drawn("alice", 1).err(), Some(LimitKind::Calls));
        bank.passes(59);
        assert_eq!(bank.accounts.standing("alice").again_s, 1);
        assert_eq!(bank.drawn("alice", 1).err(), Some(LimitKind::Calls));
        bank.passes(1);
        assert_eq!(bank.accounts.standing("alice").left(), TEN);
        assert!(bank.drawn("alice", 1).is_ok());
    }

    #[test]
    fn nothing_of_one_kind_keeps_nobody_from_the_others() {
        let bank = Bank::new(Amounts { writes: 0, ..TEN });
        assert!(bank.drawn("alice", 1).is_ok());
        let mut writes = bank.hold("alice");
        let refused = writes.begin(Amounts { writes: 1, ..only(1) }, Amounts::default());
        assert_eq!(refused.expect_err("no writes are allowed").0, LimitKind::Writes);
        drop(writes);
        assert_eq!(bank.accounts.standing("alice").held, Amounts::default(), "nothing was drawn");
    }

    #[test]
    fn others_have_accounts_of_their_own() {
        let bank = Bank::new(TEN);
        bank.drawn("alice", 1).expect("nothing was used").settle(TEN);
        assert_eq!(bank.accounts.standing("bob").left(), TEN);
        assert!(bank.drawn("bob", 10).is_ok());
    }

    /// However many draw at the same time, they have no more than there is; each finds something while there is.
    #[test]
    fn holds_together_are_never_more_than_the_allowance() {
        let bank = Bank::new(only(100));
        let mut holds: Vec<Hold> = Vec::new();
        while let Ok(hold) = bank.drawn("alice", u64::MAX) {
            holds.push(hold);
        }
        assert!(holds.len() > 4);
        assert_eq!(holds.iter().map(|hold| hold.held().calls).sum::<u64>(), 100);
        let short = holds[0].more(LimitKind::Calls, 1, Amounts::default()).expect_err("all is held");
        assert_eq!(short.held.calls, 75, "what the others hold");
        let last = holds.pop().expect("there are several");
        let given_back = last.held().calls;
        last.settle(Amounts::default());
        assert_eq!(holds[0].more(LimitKind::Calls, 1_000, Amounts::default()), Ok(given_back.div_ceil(PART)));
    }

    /// A period that ends gives back what was used, not what others may still use.
    #[test]
    fn what_is_held_over_the_end_of_a_period_counts_in_the_next() {
        let bank = Bank::new(only(100));
        let long = bank.drawn("alice", 25).expect("nothing was used");
        bank.passes(61);
        let rest = bank.drawn("alice", 10).expect("75 are left");
        assert_eq!(bank.accounts.standing("alice").left(), only(65));
        long.settle(only(20));
        assert_eq!(bank.accounts.standing("alice").left(), only(70));
        drop(rest);
    }

    /// One run over many periods, that uses all it can get: in each it finds new, never more than the allowance, and what
    /// it has used keeps nothing from others for longer than its period.
    #[test]
    fn a_run_over_many_periods_has_an_allowance_in_each() {
        let bank = Bank::new(only(100));
        let mut run = bank.drawn("alice", u64::MAX).expect("nothing was used");
        let mut used = run.held().calls;
        for period in 1..=5 {
            // Each time it is a quarter of what is left, so that it is soon all.
            for _ in 0..50 {
                used += run.more(LimitKind::Calls, u64::MAX, only(used)).unwrap_or(0);
            }
            assert_eq!(bank.accounts.standing("alice").used, only(100));
            assert_eq!(used, 100 * period);
            bank.passes(60);
            assert_eq!(bank.accounts.standing("alice").left(), only(100), "also for others");
        }
        run.settle(only(used));
        assert_eq!(bank.accounts.standing("alice").used, only(0), "it is settled once");
    }

    #[test]
    fn a_hold_that_nobody_settles_counts_as_used() {
        let bank = Bank::new(only(100));
        let hold = bank.drawn("alice", 20).expect("nothing was used");
        drop(hold);
        let standing = bank.accounts.standing("alice");
        assert_eq!((standing.used, standing.held), (only(20), Amounts::default()));
    }

    #[test]
    fn accounts_that_are_full_and_unused_are_forgotten() {
        let bank = Bank::new(only(100));
        let held = bank.drawn("held", 1).expect("nothing was used");
        for period in 0..10 {
            for k in 0..100 {
                let hold = bank.drawn(&format!("{period} {k}"), 1).expect("nothing was used");
                hold.settle(only(1));
            }
            bank.passes(60);
        }
        assert!(bank.accounts.len() <= 2 * 101, "{} accounts", bank.accounts.len());
        assert_eq!(bank.accounts.standing("held").held, only(1), "what is held is never forgotten");
        held.settle(only(0));
    }
}
