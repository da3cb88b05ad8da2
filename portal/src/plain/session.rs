//! The table of a session, and the loop's body: which object a number names.
//!
//! ```text
//! id  31        16 15                 0
//!    ┌────────────┬─────────────────┐   a removed object's index comes back with another generation, so that a
//!    │ generation │ index           │   stale id names nothing; one that has had all is not used again; index 0 never is
//!    └────────────┴─────────────────┘
//! ```

use crate::call::{Caller, Failure, Kind};
use crate::panics::drop_quietly;

use super::object::{Kept, Nothing, Serves};
use super::{Carry, Line, Narrow, One, Two};

/// Objects that a session may hold unless said otherwise. An index of 8 bits is taken out of an id by one instruction.
pub const OBJECTS_MAX: usize = 256;

// Columns: an index needs no multiplication then.
/// Objects that a client may call, by their numbers, and the message that it calls them with. `OBJECTS` is a power of two from 2
/// to 4096: one more than it may hold.
#[repr(C)]
pub struct Session<const OBJECTS: usize = OBJECTS_MAX> {
    line: Line,
    ids: [u32; OBJECTS],
    objects: [Box<dyn Serves>; OBJECTS],
}

/// In the place of an id whose index has had all its generations: it is no object's, and taken.
const RETIRED: u32 = u32::MAX;

impl<const OBJECTS: usize> std::fmt::Debug for Session<OBJECTS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("caller", &self.line.caller).finish_non_exhaustive()
    }
}

impl Session {
    /// One without objects, whose client is `caller`.
    #[must_use]
    pub fn new(caller: Caller) -> Session {
        Session::of_size(caller)
    }
}

impl<const OBJECTS: usize> Session<OBJECTS> {
    const IS_TABLE: () = assert!(OBJECTS.is_power_of_two() && OBJECTS > 1 && OBJECTS <= 1 << 12);

    /// As [`Session::new`], with a table of another size.
    #[must_use]
    pub fn of_size(caller: Caller) -> Session<OBJECTS> {
        let () = Self::IS_TABLE;
        // The id of an index that is not used has another index, so that no target names it.
        let ids = std::array::from_fn(|index| index as u32 ^ 1);
        let objects = std::array::from_fn(|_| Box::new(Nothing) as Box<dyn Serves>);
        Session { line: Line::new(caller), ids, objects }
    }

    /// Puts an object into the table; what it is called by.
    ///
    /// # Errors
    /// [`Kind::Refused`] if the table is full.
    pub fn add<A: From<Number>>(&mut self, object: Kept<A>) -> Result<A, Failure> {
        let is_vacant =
            |index: usize| self.ids[index] as usize % OBJECTS != index && self.ids[index] != RETIRED;
        let Some(index) = (1..OBJECTS).find(|index| is_vacant(*index)) else {
            drop_quietly(object.object);
            return Err(full());
        };
        self.ids[index] ^= 1;
        self.objects[index] = object.object;
        Ok(A::from(Number(self.ids[index])))
    }

    /// The object of this number.
    pub(super) fn object(&self, target: u32) -> Result<&dyn Serves, Failure> {
        let index = target as usize % OBJECTS;
        if self.ids[index] != target {
            return Err(no_such_portal());
        }
        Ok(&*self.objects[index])
    }

    /// Takes an object out of the table; whether there was one of this number. Nobody calls it by that any more.
    pub fn remove(&mut self, number: impl Into<Number>) -> bool {
        let Number(id) = number.into();
        let index = id as usize % OBJECTS;
        if self.ids[index] != id {
            return false;
        }
        self.ids[index] = id.checked_add(1 << 16).map_or(RETIRED, |next| next ^ 1);
        drop_quietly(std::mem::replace(&mut self.objects[index], Box::new(Nothing)));
        true
    }
}

/// Services may panic at their ends.
impl<const OBJECTS: usize> Drop for Session<OBJECTS> {
    fn drop(&mut self) {
        for object in &mut self.objects {
            drop_quietly(std::mem::replace(object, Box::new(Nothing)));
        }
    }
}

/// What an object of a session is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number(pub u32);

#[cold]
#[inline(never)]
fn full() -> Failure {
    Failure::new(Kind::Refused, "the session holds as many objects as it may")
}

#[cold]
#[inline(never)]
fn no_such_portal() -> Failure {
    Failure::new(Kind::NoSuchPortal, "the session holds no such object")
}

macro_rules! find {
    ($session:ident, $target:expr) => {{
        let target: u32 = $target;
        let index = target as usize % OBJECTS;
        if $session.ids[index] != target {
            return Err(no_such_portal());
        }
        (&*$session.objects[index], &mut $session.line)
    }};
}

/// The loop's body, each time as a function of its own.
impl<const OBJECTS: usize> Carry for Session<OBJECTS> {
    #[inline(always)]
    fn line(&self) -> &Line {
        &self.line
    }

    #[inline(always)]
    fn line_mut(&mut self) -> &mut Line {
        &mut self.line
    }

    #[inline(never)]
    fn few(target: u32, session: &mut Session<OBJECTS>, w0: u64, w1: u64, w2: u64, w3: u64) -> Two {
        let (object, line) = find!(session, target);
        object.few(line, w0, w1, w2, w3)
    }

    #[inline(never)]
    fn few_narrow(target: u32, session: &mut Session<OBJECTS>, w0: i32, w1: i32, w2: i32, w3: i32) -> Narrow {
        let (object, line) = find!(session, target);
        object.few_narrow(line, w0, w1, w2, w3)
    }

    #[inline(never)]
    fn few_in_line(target: u32, session: &mut Session<OBJECTS>, op: u32) -> Two {
        let (object, line) = find!(session, target);
        object.few_in_line(line, op)
    }

    #[inline(never)]
    fn sent(
        target: u32,
        session: &mut Session<OBJECTS>,
        w0: u64,
        place: &mut i64,
        w1: u64,
        piece: &[u8],
    ) -> One {
        let (object, line) = find!(session, target);
        object.sent(line, w0, place, w1, piece)
    }

    #[inline(never)]
    fn sent_in_line(target: u32, session: &mut Session<OBJECTS>, op: u32, piece: &[u8]) -> One {
        let (object, line) = find!(session, target);
        object.sent_in_line(line, op, piece)
    }

    #[inline(never)]
    fn sent_copied(session: &mut Session<OBJECTS>) -> One {
        let (object, line) = find!(session, session.line.target);
        object.sent_copied(line)
    }

    #[inline(never)]
    fn replied(target: u32, session: &mut Session<OBJECTS>, w0: u64, place: &mut i64, w1: u64) -> One {
        let (object, line) = find!(session, target);
        object.replied(line, w0, place, w1)
    }

    #[inline(never)]
    fn replied_in_line(target: u32, session: &mut Session<OBJECTS>, op: u32) -> One {
        let (object, line) = find!(session, target);
        object.replied_in_line(line, op)
    }
}
