//! Stores and transactions that are found again by another process over the same database.
//!
//! ```text
//! store:       0 │ may be changed u8 │ prefix
//! transaction: 1 │ may be changed u8 │ prefix │ how it ended u8, 0 if it is open │ keys read, each with its version u64 │
//!              keys written, each with 1 and its value, or 0 if it was deleted
//! ```
//! Prefixes are those below the root's. Texts are behind their length u32, and lists behind the number of their elements. A transaction
//! is found only if what it has read is still so: it goes on as if it had begun now, and has the time of one that has.

use std::collections::HashMap;
use std::sync::Arc;

use carnet_portal::call::{Caller, Object};
use carnet_portal::stub::{Module, Served};
use carnet_portal::sturdy::Sturdy;

use crate::kv::{self, Error};
use crate::running::Ended;
use crate::store::Store;
use crate::transaction::{Transaction, Work};
use crate::{Access, Mutex};

const STORE: u8 = 0;
const TRANSACTION: u8 = 1;

/// Keys that were read, each with the version it had.
pub(crate) type Read = HashMap<Box<[u8]>, u64>;
/// Keys that were written, each with its value, none if it was deleted.
pub(crate) type Written = HashMap<Box<[u8]>, Option<Box<[u8]>>>;

/// Names stores and transactions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SturdyStores;

fn root_of(root: &dyn Object) -> Result<&Store, String> {
    root.service().downcast_ref().ok_or_else(|| "is of no store".to_owned())
}

fn text(name: &mut Vec<u8>, text: &[u8]) {
    // Keys and values are far shorter.
    name.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
    name.extend(text);
}

fn count(name: &mut Vec<u8>, count: usize) {
    name.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}

/// What is left of a name.
struct Rest<'n>(&'n [u8]);

impl<'n> Rest<'n> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (found, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*found)
    }

    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn count(&mut self) -> Option<usize> {
        self.array().map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    fn text(&mut self) -> Option<&'n [u8]> {
        let len = self.count()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(text)
    }

    fn access(&mut self) -> Option<Access> {
        match self.byte()? {
            0 => Some(Access::ReadOnly),
            1 => Some(Access::ReadWrite),
            _ => None,
        }
    }

    /// What a transaction has read and written.
    fn work(&mut self) -> Option<(Read, Written)> {
        let (mut read, mut written) = (Read::new(), Written::new());
        for _ in 0..self.count()? {
            read.insert(self.text()?.into(), u64::from_le_bytes(self.array()?));
        }
        for _ in 0..self.count()? {
            let key = self.text()?;
            let value = if self.byte()? == 0 { None } else { Some(self.text()?.into()) };
            written.insert(key.into(), value);
        }
        self.0.is_empty().then_some((read, written))
    }
}

fn name_of(transaction: &Transaction, prefix: &[u8]) -> Vec<u8> {
    let mut name = vec![TRANSACTION, u8::from(transaction.access == Access::ReadWrite)];
    text(&mut name, prefix);
    transaction.engine.running.end_expired();
    match &*transaction.slot.lock() {
        Err(ended) => name.push(*ended as u8),
        Ok(work) => {
            let (read, written) = work.done();
            name.push(0);
            count(&mut name, read.len());
            for (key, version) in read {
                text(&mut name, key);
                name.extend(version.to_le_bytes());
            }
            count(&mut name, written.len());
            for (key, value) in written {
                text(&mut name, key);
                name.push(u8::from(value.is_some()));
                value.iter().for_each(|value| text(&mut name, value));
            }
        }
    }
    name
}

impl Sturdy for SturdyStores {
    fn module(&self) -> &'static Module {
        kv::module()
    }

    fn identity(&self, root: &dyn Object) -> Result<Vec<u8>, String> {
        let root = root_of(root)?;
        Ok([&root.engine.identity()?.to_le_bytes()[..], root.keys.bytes()].concat())
    }

    fn name(&self, root: &dyn Object, object: &dyn Object) -> Result<Vec<u8>, String> {
        let root = root_of(root)?;
        let below = |keys: &'_ crate::span::Prefix| {
            keys.below(&root.keys).map(<[u8]>::to_vec).ok_or_else(|| "is not below the root".to_owned())
        };
        if let Some(store) = object.service().downcast_ref::<Store>() {
            let mut name = vec![STORE, u8::from(store.access == Access::ReadWrite)];
            text(&mut name, &below(&store.keys)?);
            Ok(name)
        } else if let Some(transaction) = object.service().downcast_ref::<Transaction>() {
            Ok(name_of(transaction, &below(&transaction.keys)?))
        } else {
            Err("is of another service".to_owned())
        }
    }

    fn keep(&self, object: &dyn Object) {
        if let Some(transaction) = object.service().downcast_ref::<Transaction>() {
            transaction.engine.running.park(&transaction.slot);
        }
    }

    fn find(&self, root: &dyn Object, name: &[u8], caller: &Caller) -> Result<Arc<dyn Object>, String> {
        let root = root_of(root)?;
        let damaged = || "its name is damaged".to_owned();
        let told = |error: Error| error.message;
        let mut rest = Rest(name);
        let kind = rest.byte().ok_or_else(damaged)?;
        let access = rest.access().ok_or_else(damaged)?;
        let prefix = rest.text().ok_or_else(damaged)?;
        if access == Access::ReadWrite && root.access == Access::ReadOnly {
            return Err("its keys could be changed, and are now served for reading only".to_owned());
        }
        match kind {
            STORE if rest.0.is_empty() => root.part(prefix, access).map(Served::into_object).map_err(told),
            TRANSACTION => {
                let keys = root.keys.narrow(prefix).map_err(told)?;
                let engine = Arc::clone(&root.engine);
                let ended = rest.byte().ok_or_else(damaged)?;
                let slot = if ended == 0 {
                    let (read, written) = rest.work().ok_or_else(damaged)?;
                    let work = Work::again(engine.view().map_err(told)?, read, written).map_err(told)?;
                    engine.running.begin(caller, work).map_err(told)?
                } else {
                    Arc::new(Mutex::new(Err(Ended::from_number(ended).ok_or_else(damaged)?)))
                };
                Ok(kv::Transaction::serve(Transaction { engine, keys, access, slot }).into_object())
            }
            _ => Err(damaged()),
        }
    }
}
