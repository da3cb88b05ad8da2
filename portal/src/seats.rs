//! Seats: so many of something that there is for all, of which one principal may have a share, one process a share of that, and
//! perhaps one session.
//!
//! A seat may be a thing, like a session, or a number of bytes. It is taken when it is asked for and given back by drop, so that nobody comes between the question and the answer.
//!
//! ```text
//! all ─┬─ of one principal: the others have theirs, whatever it does
//!      │   └─ of one process: if it stops, or takes what it can, its user's others have the rest
//!      └─ of one session
//! ```
//! Services use it for what they hand out, so that a bound holds for all of them or for none.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use crate::call::{Caller, Origin};
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
    sessions: HashMap<u64, usize>,
}

/// One of them, or some, which count as long as this lives.
#[derive(Debug)]
pub struct Seat {
    seats: Arc<Seats>,
    whose: Caller,
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
    /// By the session.
    Session(usize),
}

/// What one principal may have of so many, at least one.
#[must_use]
pub const fn share_of(max: usize) -> usize {
    if max < 2 { 1 } else { max - max.div_ceil(4) }
}

impl Bounds {
    /// One principal has so many of them, and one process two thirds of that: half of all, if the principal has three quarters.
    #[must_use]
    pub const fn of(all: usize, principal: usize) -> Bounds {
        Bounds { all, principal, process: principal - principal / 3, session: usize::MAX }
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
        self.has_room(&taken, caller, count)?;
        let Taken { all, principals, processes, sessions } = &mut *taken;
        *all += count;
        *principals.entry(Arc::clone(&caller.principal)).or_default() += count;
        if let Some(process) = process_of(caller) {
            *processes.entry(process).or_default() += count;
        }
        if self.bounds.session != usize::MAX {
            *sessions.entry(caller.session).or_default() += count;
        }
        drop(taken);
        Ok(Seat { seats: Arc::clone(self), whose: caller.clone(), count })
    }

    fn has_room(&self, taken: &Taken, caller: &Caller, count: usize) -> Result<(), Full> {
        let Bounds { all, principal, process, session } = self.bounds;
        let has_room = |has: usize, max: usize| count <= max.saturating_sub(has);
        let of_process = process_of(caller).map_or(0, |process| of(&taken.processes, &process));
        if !has_room(taken.all, all) {
            Err(Full::All(all))
        } else if !has_room(of(&taken.sessions, &caller.session), session) {
            Err(Full::Session(session))
        } else if !has_room(of(&taken.principals, &caller.principal), principal) {
            Err(Full::Principal(principal))
        } else if caller.origin != Origin::Unknown && !has_room(of_process, process) {
            Err(Full::Process(caller.origin, process))
        } else {
            Ok(())
        }
    }

    /// How many this caller may still take.
    #[must_use]
    pub fn left(&self, caller: &Caller) -> usize {
        let (taken, bounds) = (lock(&self.taken), self.bounds);
        let left = (bounds.all - taken.all)
            .min(bounds.principal.saturating_sub(of(&taken.principals, &caller.principal)))
            .min(bounds.session.saturating_sub(of(&taken.sessions, &caller.session)));
        match process_of(caller) {
            Some(process) => left.min(bounds.process.saturating_sub(of(&taken.processes, &process))),
            None => left,
        }
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
        Seat { seats: Arc::clone(&self.seats), whose: self.whose.clone(), count }
    }
}

fn process_of(caller: &Caller) -> Option<(Arc<str>, Origin)> {
    (caller.origin != Origin::Unknown).then(|| (Arc::clone(&caller.principal), caller.origin))
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
        let Seat { seats, whose, count } = self;
        let mut taken = lock(&seats.taken);
        taken.all -= *count;
        give_back(&mut taken.principals, &whose.principal, *count);
        if let Some(process) = process_of(whose) {
            give_back(&mut taken.processes, &process, *count);
        }
        give_back(&mut taken.sessions, &whose.session, *count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
