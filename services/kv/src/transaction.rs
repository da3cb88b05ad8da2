//! A transaction: what it saw, what it read of that, and what it is to write.
//!
//! Nothing is locked while it is open. It writes to memory of its own and reads the database as it was when it began. `commit` takes
//! the writer, holds the versions of all keys that were read against those of now, and writes all or nothing:
//!
//! ```text
//! begin ──► view of the database ── get ──► key and version, to be held against ──┐
//!                                   put, delete ──► kept here ──► commit ────────►│ all as it was? written at once
//!                                                                                 └ else `conflict`, nothing changed
//! ```
//! So what commits is as if it had been made at one moment, and a client that begins and stalls keeps nobody from anything.
//!
//! One that a kept run holds is *parked*: it gives its view up, and with it its place and the time that it has. When it is used again,
//! it sees the database as it is then, if all that it has read is still so.

use std::sync::Arc;

use carnet_portal::stub::{BytesOut, Caller};

use crate::engine::{Change, ENTRY_BYTES, Engine, Stored, View};
use crate::fault;
use crate::kv::{Error, Info, Reason, TransactionService};
use crate::running::{Ended, Slot};
use crate::span::Prefix;
use crate::sturdy::{Read, Written};
use crate::{Access, TRANSACTION_BYTES, int_of, may_write};

/// What an open transaction holds.
pub(crate) struct Work {
    /// None while it is parked.
    view: Option<View>,
    /// Keys that were read, each with the version it had, 0 if it was not there.
    read: Read,
    /// Keys that were written, each with its value, none if it was deleted.
    written: Written,
    /// Bytes of both.
    bytes: usize,
}

impl Work {
    pub(crate) fn new(view: View) -> Work {
        Work { view: Some(view), read: Read::new(), written: Written::new(), bytes: 0 }
    }

    /// One that has read and written this before, and sees the database as it is now.
    ///
    /// # Errors
    /// `conflict` if what it has read is no longer so; `too_large` if it is more than one may do.
    pub(crate) fn again(view: View, read: Read, written: Written) -> Result<Work, Error> {
        let mut work = Work::new(view);
        for key in read.keys() {
            work.charge(0, ENTRY_BYTES + key.len())?;
        }
        work.view.as_ref().map_or(Ok(()), |view| is_so(view, &read))?;
        work.read = read;
        for (key, value) in written {
            work.set(&key, value.as_deref())?;
        }
        Ok(work)
    }

    pub(crate) fn park(&mut self) {
        self.view = None;
    }

    pub(crate) fn is_parked(&self) -> bool {
        self.view.is_none()
    }

    /// It is used again, and sees this.
    pub(crate) fn wake(&mut self, view: View) {
        self.view = Some(view);
    }

    /// What it has read and written.
    pub(crate) fn done(&self) -> (&Read, &Written) {
        (&self.read, &self.written)
    }

    /// The entry of `key`, if there is one.
    fn get<T>(
        &mut self,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        if let Some(value) = self.written.get(key) {
            let own = |value| show(Stored { version: 0, modified: 0, value });
            return value.as_deref().map(own).transpose();
        }
        if !self.read.contains_key(key) {
            self.charge(0, ENTRY_BYTES + key.len())?;
        }
        let mut version = 0;
        // Who is parked is woken first.
        let view = self.view.as_ref().ok_or_else(|| Ended::Closed.error())?;
        let found = view.get(key, |stored| {
            version = stored.version;
            show(stored)
        });
        self.read.insert(key.into(), version);
        found
    }

    fn set(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<(), Error> {
        let len = |value: Option<&[u8]>| ENTRY_BYTES + key.len() + value.map_or(0, <[u8]>::len);
        let old = self.written.get(key).map_or(0, |old| len(old.as_deref()));
        self.charge(old, len(value))?;
        self.written.insert(key.into(), value.map(Into::into));
        Ok(())
    }

    fn charge(&mut self, instead: usize, bytes: usize) -> Result<(), Error> {
        let sum = self.bytes - instead + bytes;
        if sum > TRANSACTION_BYTES {
            let text = format!(
                "would read and write {sum} bytes, and may {TRANSACTION_BYTES}; commit, and begin another one"
            );
            return Err(fault::of_transaction(Reason::TooLarge, text));
        }
        self.bytes = sum;
        Ok(())
    }

    /// What is to be written, if all that was read is still so. What it saw is given up first, so that its pages can be used anew.
    fn apply(self, engine: &Engine) -> Result<(), Error> {
        let Work { view, read, written, .. } = self;
        let seen = view.map(|view| view.sequence());
        if written.is_empty() {
            // What it read was so when it began: there is nothing to hold it against.
            return Ok(());
        }
        engine.write(|change| {
            if Some(change.sequence() - 1) != seen {
                check(change, &read)?;
            }
            written.iter().try_for_each(|(key, value)| change.set(key, value.as_deref()).map(drop))
        })
    }
}

/// # Errors
/// `conflict`.
fn is_so(view: &View, read: &Read) -> Result<(), Error> {
    for (key, version) in read {
        let found = view.get(key, |stored| Ok(stored.version))?.unwrap_or(0);
        if found != *version {
            let text = "was changed by others since the transaction read it";
            return Err(fault::of_key(Reason::Conflict, key, text));
        }
    }
    Ok(())
}

fn check(change: &Change<'_, '_>, read: &Read) -> Result<(), Error> {
    for (key, version) in read {
        if change.version(key)? != *version {
            let text = "was changed by others since the transaction began; nothing was written";
            return Err(fault::of_key(Reason::Conflict, key, text));
        }
    }
    Ok(())
}

/// A portal's transaction.
pub(crate) struct Transaction {
    pub(crate) engine: Arc<Engine>,
    pub(crate) keys: Prefix,
    pub(crate) access: Access,
    pub(crate) slot: Slot,
}

impl Transaction {
    fn with<T>(
        &self,
        caller: &Caller,
        key: &[u8],
        act: impl FnOnce(&mut Work, &[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let full = self.keys.key(key)?;
        self.engine.running.end_expired();
        loop {
            let mut slot = self.slot.lock();
            let work = slot.as_mut().map_err(|ended| ended.error())?;
            if !work.is_parked() {
                return act(work, &full);
            }
            drop(slot);
            let view = self.engine.view()?;
            // What it has read is looked at while nobody but its own users waits.
            is_so(&view, &self.slot.lock().as_ref().map_err(|ended| ended.error())?.read)?;
            self.engine.running.wake(caller, &self.slot, view)?;
        }
    }

    fn read<T>(
        &self,
        caller: &Caller,
        key: &[u8],
        show: impl FnOnce(Stored<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.with(caller, key, |work, full| work.get(full, show))?.ok_or_else(|| fault::missing(key))
    }

    fn set(&self, caller: &Caller, key: &[u8], value: Option<&[u8]>) -> Result<(), Error> {
        may_write(self.access)?;
        self.with(caller, key, |work, full| work.set(full, value))
    }
}

impl TransactionService for Transaction {
    fn get(&self, caller: &Caller, key: &[u8], result: &mut BytesOut<'_>) -> Result<(), Error> {
        self.read(caller, key, |stored| crate::store::show(key, stored.value, result))
    }

    fn get_int(&self, caller: &Caller, key: &[u8]) -> Result<i64, Error> {
        self.read(caller, key, |stored| int_of(key, stored.value))
    }

    fn stat(&self, caller: &Caller, key: &[u8]) -> Result<Info, Error> {
        self.read(caller, key, |stored| Ok(stored.info()))
    }

    fn put(&self, caller: &Caller, key: &[u8], value: &[u8]) -> Result<(), Error> {
        self.set(caller, key, Some(value))
    }

    fn put_int(&self, caller: &Caller, key: &[u8], value: i64) -> Result<(), Error> {
        self.set(caller, key, Some(value.to_string().as_bytes()))
    }

    fn delete(&self, caller: &Caller, key: &[u8]) -> Result<(), Error> {
        self.set(caller, key, None)
    }

    fn commit(&self, _: &Caller) -> Result<(), Error> {
        let work = self.engine.running.end(&self.slot, Ended::Committed)?;
        work.apply(&self.engine).inspect_err(|_| *self.slot.lock() = Err(Ended::Failed))
    }

    fn abort(&self, _: &Caller) -> Result<(), Error> {
        self.engine.running.end(&self.slot, Ended::Aborted).map(drop)
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        // Over already, or over now.
        let _ = self.engine.running.end(&self.slot, Ended::Aborted);
    }
}
