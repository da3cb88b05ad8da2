//! Who pays for classes: they belong to all domains of a universe, and the domain that has one made is charged for it.
//!
//! Classes are asked for in many places that know no domain. A domain runs on one thread at a time, so that the account of the one that
//! runs is the thread's. Where no domain runs, nobody pays: the host asked.

use std::cell::Cell;

use crate::domain::Domain;
use crate::universe::LinkError;

#[derive(Clone, Copy)]
struct Account {
    /// Bytes of classes that may still be made; none where no domain runs.
    left: Option<u64>,
    /// Bytes of class files that were read and not charged for yet.
    read: usize,
    /// What the verifier may do for a class before it is stopped.
    portion: usize,
}

/// Nobody pays.
const NOBODY: Account = Account { left: None, read: 0, portion: usize::MAX };
/// What the verifier may do for the first class that it is stopped at: some 100 ms.
const PORTION: usize = 1 << 22;

/// What it takes to find a name in a table, as bytes that are read.
const LOOK_UP: usize = 256;
/// What some calls of the kernel take, as bytes that are read.
const LOOK_FOR: usize = 8 << 10;

thread_local! {
    static ACCOUNT: Cell<Account> = const { Cell::new(NOBODY) };
}

/// So many bytes are about to be taken for a class, for as long as the universe lasts.
///
/// # Errors
/// HotSpot's, if the domain that runs has had as many as it may.
pub(crate) fn take(bytes: usize) -> Result<(), LinkError> {
    let account = ACCOUNT.get();
    let Some(left) = account.left else { return Ok(()) };
    let full = || LinkError::new("java/lang/OutOfMemoryError", "Metaspace");
    let left = left.checked_sub(bytes as u64).ok_or_else(full)?;
    ACCOUNT.set(Account { left: Some(left), ..account });
    Ok(())
}

/// So many bytes of a class are read or copied.
pub(crate) fn read(bytes: usize) {
    let account = ACCOUNT.get();
    ACCOUNT.set(Account { read: account.read.saturating_add(bytes), ..account });
}

/// Something is looked up by a name of so many bytes: as much as reading some of them.
pub(crate) fn look_up(bytes: usize) {
    read(LOOK_UP + bytes);
}

/// A file, or a part of one, is looked for in so many places.
pub(crate) fn look_for(places: usize) {
    read(places.saturating_mul(LOOK_FOR));
}

/// What the verifier may do for a class before it is stopped, and others may run.
pub(crate) fn portion() -> usize {
    ACCOUNT.get().portion
}

/// The verifier was stopped: it begins again another time, and may do twice as much. So it does not take longer than what came before.
pub(crate) fn enlarge() {
    let account = ACCOUNT.get();
    ACCOUNT.set(Account { portion: account.portion.saturating_mul(2), ..account });
}

/// How many bytes were read since this was asked last.
pub(crate) fn charge() -> usize {
    let account = ACCOUNT.get();
    ACCOUNT.set(Account { read: 0, ..account });
    account.read
}

impl Domain {
    /// Does something for which this domain pays.
    pub(crate) fn paying<T>(&mut self, run: impl FnOnce(&mut Domain) -> T) -> T {
        if ACCOUNT.get().left.is_some() {
            return run(self);
        }
        let left = self.limits.classes.saturating_sub(self.classes);
        ACCOUNT.set(Account { left: Some(left), read: 0, portion: PORTION });
        let done = self.timed(run);
        self.classes += left - ACCOUNT.replace(NOBODY).left.unwrap_or(left);
        done
    }
}
