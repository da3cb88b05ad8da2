//! Seats: so many of something that there is for all, of which one principal may have a share, one process a share of that, and
//! perhaps one session.
//!
//! A seat may be a thing, like a session, or a number of bytes. It is taken when it is asked for and given back by drop, so that nobody comes between the question and the answer.
//!
//! ```text
//! all ─┬─ of one principal: the others have theirs, whatever it does
//!      │   └─ of one process: if it stops, or takes what it can, its user's others have the rest
//!      │       └─ if it is a relay: its share is divided among those whom it has sessions for as all is, by principal and process
//!      └─ of one session
//! ```
//! Whom a session is for the relay says ([`Label`]), which has no more for it.
//!
//! Services use it for what they hand out, so that a bound holds for all of them or for none.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use crate::call::{Caller, Label, Origin};
use crate::session::lock;

/// How many seats there are, and how many of them one may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// All.
    pub all: usize,
    /// Those of one principal.
    pub principal: usize,
    /// Those of one process of a principal; callers of an [unknown](Origin::Unknown) one have no such bound.
    pub process: usize,
    /// Those of one session.
    pub session: usize,
}

/// So many seats.
#[derive(Debug)]
pub struct Seats {
    bounds: Bounds,
    taken: Mutex<Taken>,
}

/// None of these has an entry of 0.
#[derive(Debug, Default)]
struct Taken {
    all: usize,
    principals: HashMap<Arc<str>, usize>,
    processes: HashMap<(Arc<str>, Origin), usize>,
    /// Of those whom a process has sessions for: by what stands for their principal, and by all of their label.
    relayed_principals: HashMap<(Arc<str>, Origin, u64), usize>,
    relayed: HashMap<(Arc<str>, Origin, Label), usize>,
    sessions: HashMap<u64, usize>,
}

/// One of them, or some, which count as long as this lives.
#[derive(Debug)]
pub struct Seat {
    seats: Arc<Seats>,
    whose: Caller,
    /// As it was when it was taken.
    label: Option<Label>,
    count: usize,
}

/// Why there is none: so many are taken, by whom. A bound that is used up by one who asks for several at once may have some left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// By all.
    All(usize),
    /// By the principal.
    Principal(usize),
    /// By its process.
    Process(Origin, usize),
    /// By its process, which is a relay: by all those whom it has sessions for.
    Relay(usize),
    /// By one principal of those.
    RelayPrincipal(usize),
    /// By one process of that.
    RelayProcess(usize),
    /// By the session.
    Session(usize),
}

/// What one principal may have of so many, at least one.
#[must_use]
pub const fn share_of(max: usize) -> usize {
    if max < 2 { 1 } else { max - max.div_ceil(4) }
}

/// What one process may have of so many that its principal may: two thirds.
const fn process_share_of(principal: usize) -> usize {
    principal - principal / 3
}

impl Bounds {
    /// One principal has so many of them, and one process two thirds of that: half of all, if the principal has three quarters.
    #[must_use]
    pub const fn of(all: usize, principal: usize) -> Bounds {
        Bounds { all, principal, process: process_share_of(principal), session: usize::MAX }
    }

    /// Of places that clients take: one principal leaves a quarter of them to others, and one at least.
    #[must_use]
    pub const fn places(all: usize) -> Bounds {
        Bounds::of(all, share_of(all))
    }

    /// Of what a service hands out: one principal has three quarters, and a process and a session half each.
    #[must_use]
    pub const fn handed_out(all: usize) -> Bounds {
        Bounds { session: all.div_ceil(2), ..Bounds::of(all, all - all / 4) }
    }

    /// What one principal behind a relay, and one process of that, may have: as much of what the relay may as others have of all.
    fn behind(&self, relay: Origin) -> (usize, usize) {
        let principal = share_of(if relay == Origin::Unknown { self.principal } else { self.process });
        (principal, process_share_of(principal))
    }
}

impl Full {
    /// For people: who has so many of `what`. `service` is who has all; `verb` says that one has, and that several have.
    #[must_use]
    pub fn tell(self, service: &str, verb: [&str; 2], what: &str) -> String {
        let (who, max) = self.who(service);
        let ([one, several], is_one) = (verb, !who.starts_with("your"));
        let (verb, they) = if is_one { (one, "it") } else { (several, "they") };
        format!("{who} {verb} {max} {what}, as many as {they} may")
    }

    /// The same for who asked for several at once, of whom some may be left.
    #[must_use]
    pub fn tell_of_several(self, service: &str, count: usize, what: &str) -> String {
        let (who, max) = self.who(service);
        format!("{count} more are not left of {max} {what}, which {who} may have")
    }

    /// Whose bound it is, and what it is.
    fn who(self, service: &str) -> (&str, usize) {
        match self {
            Full::All(max) => (service, max),
            Full::Principal(max) => ("your sessions", max),
            Full::Process(Origin::User(_), max) => ("your processes that this server cannot tell apart", max),
            Full::Process(_, max) => ("this process", max),
            Full::Relay(max) => ("this relay", max),
            Full::RelayPrincipal(max) => ("your sessions behind this relay", max),
            Full::RelayProcess(max) => ("one client of this relay", max),
            Full::Session(max) => ("this session", max),
        }
    }
}

impl Seats {
    /// None is taken.
    #[must_use]
    pub fn new(bounds: Bounds) -> Arc<Seats> {
        Arc::new(Seats { bounds, taken: Mutex::default() })
    }

    /// One for this caller.
    ///
    /// # Errors
    /// [`Full`].
    pub fn take(self: &Arc<Self>, caller: &Caller) -> Result<Seat, Full> {
        self.take_some(caller, 1)
    }

    /// So many at once, or none.
    ///
    /// # Errors
    /// [`Full`].
    pub fn take_some(self: &Arc<Self>, caller: &Caller, count: usize) -> Result<Seat, Full> {
        let mut taken = lock(&self.taken);
        let label = caller.label.get();
        self.has_room(&taken, caller, label, count)?;
        let Taken { all, principals, processes, relayed_principals, relayed, sessions } = &mut *taken;
        *all += count;
        *principals.entry(Arc::clone(&caller.principal)).or_default() += count;
        if let Some(process) = process_of(caller) {
            *processes.entry(process).or_default() += count;
        }
        if let Some((principal, process)) = relayed_of(caller, label) {
            *relayed_principals.entry(principal).or_default() += count;
            *relayed.entry(process).or_default() += count;
        }
        if self.bounds.session != usize::MAX {
            *sessions.entry(caller.session).or_default() += count;
        }
        drop(taken);
        Ok(Seat { seats: Arc::clone(self), whose: caller.clone(), label, count })
    }

    fn has_room(
        &self,
        taken: &Taken,
        caller: &Caller,
        label: Option<Label>,
        count: usize,
    ) -> Result<(), Full> {
        let mut bounds = self.bounds_of(taken, caller, label);
        bounds.find(|(left, _)| count > *left).map_or(Ok(()), |(_, full)| Err(full))
    }

    /// How many this caller may still take.
    #[must_use]
    pub fn left(&self, caller: &Caller) -> usize {
        let taken = lock(&self.taken);
        self.bounds_of(&taken, caller, caller.label.get()).map(|(left, _)| left).min().unwrap_or(0)
    }

    /// What is left of each bound that holds for a caller, and what says that it is used up: the one that is told first, first.
    fn bounds_of(
        &self,
        taken: &Taken,
        caller: &Caller,
        label: Option<Label>,
    ) -> impl Iterator<Item = (usize, Full)> + use<> {
        let Bounds { all, principal, process, session } = self.bounds;
        let of_process = process_of(caller).map(|own| {
            let full =
                if label.is_some() { Full::Relay(process) } else { Full::Process(caller.origin, process) };
            (process.saturating_sub(of(&taken.processes, &own)), full)
        });
        let behind = relayed_of(caller, label).map(|(of_principal, of_process)| {
            let (principal, process) = self.bounds.behind(caller.origin);
            let of_principal = of(&taken.relayed_principals, &of_principal);
            let of_process = of(&taken.relayed, &of_process);
            [
                (principal.saturating_sub(of_principal), Full::RelayPrincipal(principal)),
                (process.saturating_sub(of_process), Full::RelayProcess(process)),
            ]
        });
        let of_session = of(&taken.sessions, &caller.session);
        let of_principal = of(&taken.principals, &caller.principal);
        [
            (all.saturating_sub(taken.all), Full::All(all)),
            (session.saturating_sub(of_session), Full::Session(session)),
            (principal.saturating_sub(of_principal), Full::Principal(principal)),
        ]
        .into_iter()
        .chain(of_process)
        .chain(behind.into_iter().flatten())
    }

    /// How many are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        lock(&self.taken).all
    }
}

impl Seat {
    /// So many of them, which count by themselves from now on.
    #[must_use]
    pub fn split(&mut self, count: usize) -> Seat {
        let count = count.min(self.count);
        self.count -= count;
        Seat { seats: Arc::clone(&self.seats), whose: self.whose.clone(), label: self.label, count }
    }
}

fn process_of(caller: &Caller) -> Option<(Arc<str>, Origin)> {
    (caller.origin != Origin::Unknown).then(|| (Arc::clone(&caller.principal), caller.origin))
}

type Relayed = ((Arc<str>, Origin, u64), (Arc<str>, Origin, Label));

fn relayed_of(caller: &Caller, label: Option<Label>) -> Option<Relayed> {
    let (label, principal, origin) = (label?, &caller.principal, caller.origin);
    Some(((Arc::clone(principal), origin, label.principal), (Arc::clone(principal), origin, label)))
}

fn of<K: Eq + Hash>(taken: &HashMap<K, usize>, whose: &K) -> usize {
    taken.get(whose).copied().unwrap_or(0)
}

fn give_back<K: Eq + Hash>(taken: &mut HashMap<K, usize>, whose: &K, count: usize) {
    if let Some(own) = taken.get_mut(whose) {
        *own -= count;
        if *own == 0 {
            taken.remove(whose);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Seat { seats, whose, label, count } = self;
        let mut taken = lock(&seats.taken);
        taken.all -= *count;
        give_back(&mut taken.principals, &whose.principal, *count);
        if let Some(process) = process_of(whose) {
            give_back(&mut taken.processes, &process, *count);
        }
        if let Some((principal, process)) = relayed_of(whose, *label) {
            give_back(&mut taken.relayed_principals, &principal, *count);
            give_back(&mut taken.relayed, &process, *count);
        }
        give_back(&mut taken.sessions, &whose.session, *count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Labelled;

    fn caller(principal: &str, process: i32, session: u64) -> Caller {
        Caller { origin: Origin::Process(process), ..Caller::of(principal, session) }
    }

    #[test]
    fn a_principal_has_its_share_and_what_is_given_back_can_be_taken() {
        let seats = Seats::new(Bounds { process: usize::MAX, ..Bounds::places(4) });
        let (alice, bob) = (caller("alice", 1, 1), caller("bob", 2, 2));
        let mut of_alice: Vec<Seat> = (0..3).map(|_| seats.take(&alice).unwrap()).collect();
        assert_eq!(seats.take(&alice).unwrap_err(), Full::Principal(3));
        let of_bob = seats.take(&bob).unwrap();
        assert_eq!(seats.take(&bob).unwrap_err(), Full::All(4));
        of_alice.pop();
        drop(of_bob);
        assert!(!lock(&seats.taken).principals.contains_key("bob"), "whoever has none is forgotten");
        let _again = seats.take(&alice).unwrap();
        assert_eq!(seats.take(&alice).unwrap_err(), Full::Principal(3));
        assert_eq!(seats.take_some(&bob, 2).unwrap_err(), Full::All(4));
        assert_eq!(seats.take_some(&bob, usize::MAX).unwrap_err(), Full::All(4));
        assert_eq!([1, 2, 64, 127].map(share_of), [1, 1, 48, 95]);
    }

    /// However many sessions it has: the rest of its principal's share is for others of the same.
    #[test]
    fn a_process_leaves_some_of_its_principals_share_to_others() {
        let seats = Seats::new(Bounds { session: 2, ..Bounds::of(8, 6) });
        let one: Vec<Caller> = (1..4).map(|session| caller("alice", 7, session)).collect();
        let mut held: Vec<Seat> = [0, 0, 1, 1].map(|at| seats.take(&one[at]).unwrap()).into();
        assert_eq!(seats.take(&one[0]).unwrap_err(), Full::Session(2));
        assert_eq!(seats.take(&one[2]).unwrap_err(), Full::Process(Origin::Process(7), 4));
        // A process of this number that another principal has is another.
        let other = caller("bob", 7, 4);
        drop(seats.take_some(&other, 2).unwrap());
        held.extend([5, 6].map(|session| seats.take(&caller("alice", 8, session)).unwrap()));
        assert_eq!(seats.take(&caller("alice", 9, 7)).unwrap_err(), Full::Principal(6));
        held.truncate(3);
        assert!(seats.take(&one[2]).is_ok());
        held.clear();
        let taken = lock(&seats.taken);
        assert!(taken.principals.is_empty() && taken.processes.is_empty() && taken.sessions.is_empty());
    }

    fn behind(relay: &Caller, principal: u64, process: u64) -> Caller {
        Caller { label: Label { principal, process }.into(), ..relay.clone() }
    }

    /// One takes what it can, and so do all of its principal: another one behind the same relay has the rest.
    #[test]
    fn a_relays_share_is_divided_among_its_clients() {
        let seats = Seats::new(Bounds::of(16, 12));
        let relay = caller("relay", 7, 1);
        let [hog, same, other] =
            [(1, 1), (1, 2), (2, 1)].map(|(user, process)| behind(&relay, user, process));
        let mut held: Vec<Seat> = (0..4).map(|_| seats.take(&hog).unwrap()).collect();
        assert_eq!(seats.take(&hog).unwrap_err(), Full::RelayProcess(4));
        assert_eq!((seats.left(&hog), seats.left(&same), seats.left(&other)), (0, 2, 4));
        held.push(seats.take_some(&same, 2).unwrap());
        assert_eq!(seats.take(&same).unwrap_err(), Full::RelayPrincipal(6));
        held.push(seats.take_some(&other, 2).unwrap());
        assert_eq!(seats.take(&other).unwrap_err(), Full::Relay(8));
        // Beside the relay its user has what it had.
        assert_eq!(seats.left(&caller("relay", 8, 2)), 4);
        drop(held);
        let taken = lock(&seats.taken);
        assert!(
            taken.relayed_principals.is_empty() && taken.relayed.is_empty() && taken.processes.is_empty()
        );
    }

    #[test]
    fn labels_give_nothing_more() {
        let seats = Seats::new(Bounds { session: 5, ..Bounds::of(16, 12) });
        let label = |relay: &Caller, made_up: u64| behind(relay, made_up, made_up);
        let relay = |session| caller("relay", 7, session);
        let held: Vec<Seat> = (0..8).map(|at| seats.take(&label(&relay(at), at)).unwrap()).collect();
        assert_eq!(seats.take(&label(&relay(8), 8)).unwrap_err(), Full::Relay(8));
        assert_eq!(seats.take(&relay(8)).unwrap_err(), Full::Process(Origin::Process(7), 8));
        drop(held);
        let _held: Vec<Seat> = (0..5).map(|at| seats.take(&label(&relay(1), at)).unwrap()).collect();
        assert_eq!(seats.take(&label(&relay(1), 5)).unwrap_err(), Full::Session(5));
        // From afar the principal stands for the relay.
        let afar = label(&Caller::of("afar", 9), 1);
        let _afar: Vec<Seat> =
            (0..6).map(|at| seats.take(&Caller { session: 9 + at, ..afar.clone() }).unwrap()).collect();
        assert_eq!(seats.take(&Caller { session: 20, ..afar }).unwrap_err(), Full::RelayProcess(6));
    }

    /// It was taken before the label was said, and counts for none when it is given back.
    #[test]
    fn a_label_that_is_said_later_counts_from_then_on() {
        let seats = Seats::new(Bounds::of(16, 12));
        let caller = Caller { label: Labelled::not_yet(), ..caller("relay", 7, 1) };
        let mut before = seats.take_some(&caller, 4).unwrap();
        let label = Label { principal: 1, process: 1 };
        assert!(caller.label.set(label) && caller.label.set(label));
        assert!(!caller.label.set(Label { principal: 2, process: 1 }));
        let after = seats.take_some(&caller, 4).unwrap();
        drop((before.split(1), before));
        assert_eq!(seats.take(&caller).unwrap_err(), Full::RelayProcess(4));
        drop(after);
        assert_eq!((seats.taken(), seats.left(&caller)), (0, 4));
    }

    #[test]
    fn processes_that_are_not_told_apart_have_the_principals_bound() {
        let seats = Seats::new(Bounds::of(4, 3));
        let caller = Caller::of("alice", 1);
        let _held: Vec<Seat> = (0..3).map(|_| seats.take(&caller).unwrap()).collect();
        assert_eq!(seats.take(&caller).unwrap_err(), Full::Principal(3));
    }

    #[test]
    fn shares_are_what_the_book_says() {
        let handed_out = [1, 2, 3, 4, 64, 4096].map(Bounds::handed_out);
        assert_eq!(handed_out.map(|bounds| bounds.process), [1, 2, 2, 2, 32, 2048]);
        assert_eq!(handed_out.map(|bounds| bounds.principal), [1, 2, 3, 3, 48, 3072]);
        assert_eq!(handed_out.map(|bounds| bounds.session), [1, 1, 2, 2, 32, 2048]);
        let places = [1, 2, 64, 127].map(Bounds::places);
        assert_eq!(places.map(|bounds| bounds.principal), [1, 1, 48, 95]);
        assert_eq!(places.map(|bounds| bounds.session), [usize::MAX; 4]);
    }

    #[test]
    fn what_is_full_is_told_with_whose_bound_it_is() {
        let tell = |full: Full| full.tell("this service", ["has", "have"], "things");
        assert_eq!(tell(Full::All(8)), "this service has 8 things, as many as it may");
        assert_eq!(tell(Full::Principal(6)), "your sessions have 6 things, as many as they may");
        assert_eq!(tell(Full::Session(2)), "this session has 2 things, as many as it may");
        assert_eq!(
            Full::Session(2).tell_of_several("this service", 3, "things"),
            "3 more are not left of 2 things, which this session may have"
        );
        for (origin, who) in [
            (Origin::Process(7), "this process has"),
            (Origin::User(1000), "your processes that this server cannot tell apart have"),
        ] {
            let text = tell(Full::Process(origin, 4));
            assert!(text.starts_with(&format!("{who} 4 things, as many as ")), "{text}");
        }
        assert_eq!(tell(Full::Relay(8)), "this relay has 8 things, as many as it may");
        assert_eq!(
            tell(Full::RelayPrincipal(6)),
            "your sessions behind this relay have 6 things, as many as they may"
        );
        assert_eq!(tell(Full::RelayProcess(4)), "one client of this relay has 4 things, as many as it may");
    }
}
