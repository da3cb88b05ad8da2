//! What each principal has left of its allowance: one account for all its sessions, runs and single calls.
//!
//! ```text
//!                 period
//! ├──────────────────────────────────────┤      begins with the first use after the one before is over
//!   used ████████  held ░░░░░  left ─────       used + held never exceeds the allowance
//!
//! draw:   left ──► held        before it is used; a part only, so that others find something
//! charge: left ──► used        a single call that its session holds too little for
//! settle: held ──► used        what was used, before more is drawn and at the end; the rest is left again
//! end of the period: used = 0; what is held stays held
//! ```
//! A run holds for as long as it may run. A session may hold for days, and so it is lent next to nothing.
//!
//! A run draws with a [`Hold`], a session with its [`Calls`]. What they hold is settled exactly once: by their owner, or when
//! they are dropped. In the latter case nobody knows what was used, and all that was held counts as used.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::meter::{Purse, Use};

use super::lock;
use crate::limits::{Allowance, Amounts, LimitKind, Standing};

/// The part of an allowance that is lent to all sessions of a principal together, for their single calls.
const LENT: u64 = 16;
/// Of what of that is not lent, the part that one session is lent at a time.
const SHARE: u64 = 256;
/// Most that a session is lent at a time, so that it asks seldom and holds little.
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

#[derive(Clone, Copy)]
struct Account {
    ends: Instant,
    used: Amounts,
    held: Amounts,
    /// What sessions hold of that.
    lent: Amounts,
}

impl Account {
    /// Nothing was used, and the period is over at once.
    fn new(now: Instant) -> Account {
        let nothing = Amounts::default();
        Account { ends: now, used: nothing, held: nothing, lent: nothing }
    }
}

/// The account of one principal.
#[derive(Clone)]
pub(super) struct Till {
    accounts: Arc<Accounts>,
    account: Arc<Mutex<Account>>,
}

impl Till {
    /// The account, in the period that goes on.
    fn open(&self) -> (MutexGuard<'_, Account>, Instant) {
        let now = (self.accounts.clock)();
        let mut account = lock(&self.account);
        self.accounts.renew(&mut account, now);
        (account, now)
    }

    /// Takes what was used beside runs and calls.
    ///
    /// # Errors
    /// What there is too little of; nothing is taken then.
    pub(super) fn charge(&self, amounts: Amounts) -> Result<(), (LimitKind, Standing)> {
        let (mut account, now) = self.open();
        self.accounts.find(&account, now, amounts)?;
        account.used = account.used.plus(amounts);
        Ok(())
    }
}

impl Accounts {
    pub(super) fn new(allowance: Allowance, clock: Clock) -> Accounts {
        let allowance = Allowance { period_s: allowance.period_s.max(1), ..allowance };
        let table = Table { accounts: HashMap::new(), sweep_at: ACCOUNTS_UNSWEPT };
        Accounts { allowance, clock, table: Mutex::new(table) }
    }

    /// For the single calls of a session.
    pub(super) fn purse(self: &Arc<Self>, caller: &Caller) -> Box<dyn Purse> {
        let till = self.till(&caller.principal);
        Box::new(Calls { till, lent: Amounts::default(), charged_in: None })
    }

    /// The account of a principal. It is not forgotten as long as there is a till of it.
    pub(super) fn till(self: &Arc<Self>, principal: &Arc<str>) -> Till {
        let mut table = lock(&self.table);
        let account = match table.accounts.get(principal) {
            Some(account) => Arc::clone(account),
            None => self.open(&mut table, principal),
        };
        Till { accounts: Arc::clone(self), account }
    }

    #[cold]
    fn open(&self, table: &mut Table, principal: &Arc<str>) -> Arc<Mutex<Account>> {
        let now = (self.clock)();
        if table.accounts.len() >= table.sweep_at {
            // Nobody can begin to use an account without the table's lock.
            table.accounts.retain(|_, account| Arc::strong_count(account) > 1 || now < lock(account).ends);
            table.sweep_at = ACCOUNTS_UNSWEPT.max(2 * table.accounts.len());
        }
        let account = Arc::new(Mutex::new(Account::new(now)));
        table.accounts.insert(Arc::clone(principal), Arc::clone(&account));
        account
    }

    /// How a principal stands.
    pub(super) fn standing(&self, principal: &str) -> Standing {
        let account = lock(&self.table).accounts.get(principal).map(Arc::clone);
        let now = (self.clock)();
        let mut account = account.map_or_else(|| Account::new(now), |account| *lock(&account));
        if now >= account.ends {
            account.used = Amounts::default();
        }
        self.standing_of(&account, now)
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

    /// Whether there is so much left.
    ///
    /// # Errors
    /// What there is too little of.
    fn find(&self, account: &Account, now: Instant, wanted: Amounts) -> Result<(), (LimitKind, Standing)> {
        let left = self.left(account);
        match Amounts::KINDS.into_iter().find(|kind| left.of(*kind) < wanted.of(*kind)) {
            Some(kind) => Err((kind, self.standing_of(account, now))),
            None => Ok(()),
        }
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        lock(&self.table).accounts.len()
    }
}

/// What one run has drawn from its principal's account.
pub(super) struct Hold {
    till: Till,
    /// Drawn, and not settled.
    held: Amounts,
    /// What the run has used that is settled already.
    settled: Amounts,
}

impl Hold {
    /// Of nothing, to draw with, for a run of which so much is settled already.
    pub(super) fn new(till: Till, settled: Amounts) -> Hold {
        Hold { till, held: Amounts::default(), settled }
    }

    /// What is held.
    pub(super) fn held(&self) -> Amounts {
        self.held
    }

    /// Draws what is `wanted`, or a part of what is left, but no less than `least`.
    ///
    /// # Errors
    /// What there is not enough of, and how the principal stands. Nothing is drawn then.
    pub(super) fn begin(&mut self, wanted: Amounts, least: Amounts) -> Result<(), (LimitKind, Standing)> {
        let (mut account, now) = self.till.open();
        self.till.accounts.find(
            &account,
            now,
            least.zip(wanted, |least, wanted| least.max(wanted.min(1))),
        )?;
        let left = self.till.accounts.left(&account);
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
        let (mut account, now) = self.till.open();
        let unsettled = used.minus(self.settled);
        account.held = account.held.minus(unsettled.zip(self.held, u64::min));
        account.used = account.used.plus(unsettled);
        (self.held, self.settled) = (self.held.minus(unsettled), used);
        let more = self.till.accounts.left(&account).of(kind).div_ceil(PART).min(missing);
        if more == 0 {
            let others = Account { held: account.held.minus(self.held), ..*account };
            return Err(self.till.accounts.standing_of(&others, now));
        }
        for held in [&mut account.held, &mut self.held] {
            if let Some(place) = held.place(kind) {
                *place = place.saturating_add(more);
            }
        }
        Ok(more)
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
        let (mut account, _) = self.till.open();
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

/// Single calls of a session, charged to the account that runs are charged to.
struct Calls {
    till: Till,
    /// The share that is not settled.
    lent: Amounts,
    /// The end of the period in which a call was charged last.
    charged_in: Option<Instant>,
}

impl Calls {
    /// Gives the share back, of which so much was `used`.
    fn give_back(lent: &mut Amounts, account: &mut Account, used: Amounts) {
        let lent = std::mem::take(lent);
        (account.held, account.lent) = (account.held.minus(lent), account.lent.minus(lent));
        account.used = account.used.plus(used);
    }

    /// What can be lent of the kinds that are wanted.
    fn share(&self, account: &Account, wanted: Amounts) -> Amounts {
        let Accounts { allowance, .. } = &*self.till.accounts;
        let lendable =
            allowance.amounts.zip(account.lent, |allowance, lent| (allowance / LENT).saturating_sub(lent));
        let share = lendable.zip(SHARE_MAX, |lendable, max| (lendable / SHARE).min(max));
        let share = share.zip(self.till.accounts.left(account), |share, left| share.min(left.div_ceil(PART)));
        share.zip(wanted, |share, wanted| if wanted == 0 { 0 } else { share })
    }
}

impl Purse for Calls {
    fn draw(&mut self, used: Use, wanted: Use) -> Result<Use, Failure> {
        let (mut account, now) = self.till.open();
        Calls::give_back(&mut self.lent, &mut account, amounts(used));
        let wanted = amounts(wanted);
        self.till.accounts.find(&account, now, wanted).map_err(|(kind, standing)| {
            Failure::new(Kind::Refused, &standing.too_little(kind, wanted.of(kind)))
        })?;
        account.used = account.used.plus(wanted);
        self.charged_in = Some(account.ends);
        self.lent = self.share(&account, wanted);
        (account.held, account.lent) = (account.held.plus(self.lent), account.lent.plus(self.lent));
        let Amounts { calls, writes, written, .. } = self.lent;
        Ok(Use { calls, writes, written })
    }

    fn refund(&mut self, written: u64) {
        let (mut account, _) = self.till.open();
        // If the period is over, what was charged in it is free again already.
        if self.charged_in == Some(account.ends) {
            account.used.written = account.used.written.saturating_sub(written);
        }
    }

    fn settle(&mut self, used: Use) {
        if self.lent != Amounts::default() {
            Calls::give_back(&mut self.lent, &mut self.till.open().0, amounts(used));
        }
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        let Amounts { calls, writes, written, .. } = self.lent;
        self.settle(Use { calls, writes, written });
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
            Hold::new(self.accounts.till(&Arc::from(principal)), Amounts::default())
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

    const MANY: Amounts = Amounts { calls: 1 << 20, writes: 1 << 20, written: 1 << 30, instructions: 0 };

    fn writing(written: u64) -> Use {
        Use { calls: 1, writes: 1, written }
    }

    /// What is refunded is left again in the period in which it was charged. In the next all is left anyway, and what others
    /// use in that stays used.
    #[test]
    fn bytes_that_were_not_written_come_back_once() {
        let bank = Bank::new(MANY);
        let left = |bank: &Bank| bank.accounts.standing("local").left().written;
        let caller = Caller::local();
        let principal = &*caller.principal;
        assert_eq!(principal, "local");
        let (mut one, mut two) = (bank.accounts.purse(&caller), bank.accounts.purse(&caller));
        let share = one.draw(Use::default(), writing(1_000)).expect("nothing was used");
        assert_eq!(left(&bank), MANY.written - 1_000 - share.written);
        one.refund(400);
        assert_eq!(left(&bank), MANY.written - 600 - share.written);
        bank.passes(60);
        let other = two.draw(Use::default(), writing(5_000)).expect("it is a new period");
        one.refund(600);
        let held = share.written + other.written;
        assert_eq!(left(&bank), MANY.written - 5_000 - held, "it was free again already");
        two.settle(Use::default());
        one.settle(Use { written: 10, ..Use::default() });
        assert_eq!(left(&bank), MANY.written - 5_010);
    }

    /// However many sessions stay and say nothing of what they have used, most of the allowance is there for the others.
    #[test]
    fn sessions_are_lent_a_sixteenth_and_no_more() {
        let bank = Bank::new(MANY);
        let mut purses = Vec::new();
        for _ in 0..10_000 {
            let mut purse = bank.accounts.purse(&Caller::local());
            purse.draw(Use::default(), writing(1)).expect("little was used");
            purses.push(purse);
        }
        bank.passes(60);
        let left = bank.accounts.standing("local").left();
        for kind in [LimitKind::Calls, LimitKind::Writes, LimitKind::Written] {
            let lent = MANY.of(kind) - left.of(kind);
            assert!((MANY.of(kind) / 32..=MANY.of(kind) / 16).contains(&lent), "{} {lent}", kind.noun());
        }
        drop(purses);
        bank.passes(60);
        bank.drawn("local", 1).expect("it is a new period").settle(only(0));
        assert_eq!(
            bank.accounts.standing("local").used,
            only(0),
            "what nobody settled was used in the period before"
        );
    }

    #[test]
    fn what_is_refused_is_not_charged() {
        let bank = Bank::new(TEN);
        let mut purse = bank.accounts.purse(&Caller::local());
        assert!(purse.draw(Use::default(), writing(11)).is_err());
        assert_eq!(bank.accounts.standing("local").left(), TEN);
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
