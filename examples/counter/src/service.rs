//! The service: what the traits that were made of `counter.idl` ask for.
//!
//! It knows nothing of sockets, messages or programs, and keeps nothing when the process ends.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`all`] | the first portal: every counter |
//! | `Bank` | counters whose names begin alike; a narrower bank cannot name others |
//! | `One` | one counter |

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use carnet_portal::stub::{Caller, Failure, Served};

use crate::counter::{self, BankService, Cause, CounterService, Fault, ItemList};

/// The counters, shared by all portals.
type Counters = Arc<Mutex<BTreeMap<Vec<u8>, Arc<Mutex<i64>>>>>;

/// An empty bank: the object that sessions are opened on.
pub(crate) fn all() -> Served<counter::Bank> {
    counter::Bank::serve(Bank { counters: Counters::default(), beginning: Vec::new() })
}

/// Counters whose names begin with `beginning`.
struct Bank {
    counters: Counters,
    beginning: Vec<u8>,
}

impl Bank {
    /// A portal is a right to what it names, and to no more.
    fn check(&self, name: &[u8]) -> Result<(), Fault> {
        if !name.is_empty() && name.starts_with(&self.beginning) {
            return Ok(());
        }
        Err(Fault::new(Cause::BadName, "this bank holds no counters of such a name"))
    }
}

impl BankService for Bank {
    fn at(&self, _: &Caller, text: &[u8]) -> Result<Served<counter::Bank>, Failure> {
        let beginning = [&self.beginning, text].concat();
        Ok(counter::Bank::serve(Bank { counters: Arc::clone(&self.counters), beginning }))
    }

    fn list(&self, _: &Caller, after: &[u8], list: &mut ItemList<'_>) -> Result<bool, Failure> {
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let from = match after.max(&self.beginning) {
            from if from == after => Bound::Excluded(from),
            from => Bound::Included(from),
        };
        for (name, value) in counters.range::<[u8], _>((from, Bound::Unbounded)) {
            if !name.starts_with(&self.beginning) {
                break;
            }
            if list.is_full() {
                return Ok(false);
            }
            let value = *value.lock().unwrap_or_else(PoisonError::into_inner);
            if !list.push(name, value) {
                return Err(Failure::service("a name that is longer than the interface allows"));
            }
        }
        Ok(true)
    }

    fn open(&self, _: &Caller, name: &[u8]) -> Result<Served<counter::Counter>, Fault> {
        self.check(name)?;
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let found = counters.get(name).ok_or_else(|| Fault::new(Cause::Missing, "there is no such counter"));
        Ok(counter::Counter::serve(One(Arc::clone(found?))))
    }

    fn make(&self, _: &Caller, name: &[u8]) -> Result<Served<counter::Counter>, Fault> {
        self.check(name)?;
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        if counters.contains_key(name) {
            return Err(Fault::new(Cause::Exists, "there is such a counter already"));
        }
        let value = Arc::default();
        counters.insert(name.to_vec(), Arc::clone(&value));
        Ok(counter::Counter::serve(One(value)))
    }
}

/// One counter.
struct One(Arc<Mutex<i64>>);

impl CounterService for One {
    fn value(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, _: &Caller, by: i64) -> Result<i64, Fault> {
        let mut value = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sum) = value.checked_add(by) else {
            return Err(Fault::new(Cause::Overflow, "the counter would leave 64 bits"));
        };
        *value = sum;
        Ok(sum)
    }

    fn set(&self, _: &Caller, to: i64) -> Result<(), Failure> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = to;
        Ok(())
    }
}
