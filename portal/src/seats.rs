//! Seats: so many of something that there is for all, of which one principal may have a share.
//!
//! A seat may be a thing, like a session, or a number of bytes. It is taken when it is asked for and given back by drop, so that nobody comes between the question and the answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::session::lock;

/// So many seats.
#[derive(Debug)]
pub(crate) struct Seats {
    all_max: usize,
    own_max: usize,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    /// None has no seats.
    own: HashMap<Arc<str>, usize>,
}

/// One of them, or some, which count as long as this lives.
#[derive(Debug)]
pub(crate) struct Seat {
    seats: Arc<Seats>,
    principal: Arc<str>,
    count: usize,
    /// Of the same thing, among other seats.
    beside: Option<Box<Seat>>,
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// All are taken.
    All,
    /// The principal has its share, of so many.
    Own(usize),
}

/// What one principal may have of so many, at least one.
pub(crate) const fn share_of(max: usize) -> usize {
    if max < 2 { 1 } else { max - max.div_ceil(4) }
}

impl Seats {
    pub(crate) fn new(all_max: usize, own_max: usize) -> Arc<Seats> {
        Arc::new(Seats { all_max, own_max, taken: Mutex::default() })
    }

    /// # Errors
    /// [`Full`].
    pub(crate) fn take(self: &Arc<Self>, principal: &Arc<str>) -> Result<Seat, Full> {
        self.take_some(principal, 1)
    }

    /// So many at once, or none.
    ///
    /// # Errors
    /// [`Full`].
    pub(crate) fn take_some(self: &Arc<Self>, principal: &Arc<str>, count: usize) -> Result<Seat, Full> {
        let mut taken = lock(&self.taken);
        if count > self.all_max - taken.all {
            return Err(Full::All);
        }
        let own = taken.own.get(principal).copied().unwrap_or(0);
        if count > self.own_max - own {
            return Err(Full::Own(self.own_max));
        }
        taken.all += count;
        taken.own.insert(Arc::clone(principal), own + count);
        Ok(Seat { seats: Arc::clone(self), principal: Arc::clone(principal), count, beside: None })
    }
}

impl Seat {
    /// Both of them as one.
    pub(crate) fn beside(mut self, other: Seat) -> Seat {
        self.beside = Some(Box::new(other));
        self
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = lock(&self.seats.taken);
        taken.all -= self.count;
        if let Some(own) = taken.own.get_mut(&self.principal) {
            *own -= self.count;
            if *own == 0 {
                taken.own.remove(&self.principal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_has_its_share_and_what_is_given_back_can_be_taken() {
        let seats = Seats::new(4, share_of(4));
        let (alice, bob) = (Arc::from("alice"), Arc::from("bob"));
        let mut of_alice: Vec<Seat> = (0..3).map(|_| seats.take(&alice).unwrap()).collect();
        assert_eq!(seats.take(&alice).unwrap_err(), Full::Own(3));
        let of_bob = seats.take(&bob).unwrap();
        assert_eq!(seats.take(&bob).unwrap_err(), Full::All);
        of_alice.pop();
        drop(of_bob);
        assert!(!lock(&seats.taken).own.contains_key(&bob), "whoever has none is forgotten");
        let _again = seats.take(&alice).unwrap();
        assert_eq!(seats.take(&alice).unwrap_err(), Full::Own(3));
        assert_eq!(seats.take_some(&bob, 2).unwrap_err(), Full::All);
        assert_eq!(seats.take_some(&bob, usize::MAX).unwrap_err(), Full::All);
        assert_eq!([1, 2, 64, 127].map(share_of), [1, 1, 48, 95]);
        // What is taken together is given back together.
        let others = Seats::new(4, 1);
        let both = seats.take(&bob).unwrap().beside(others.take(&alice).unwrap());
        assert_eq!(others.take(&alice).unwrap_err(), Full::Own(1));
        drop(both);
        assert!(others.take(&alice).is_ok() && seats.take(&bob).is_ok());
    }
}
