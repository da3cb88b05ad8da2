//! Classes whose bytes somebody has: received, or made.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};

use super::Source;

/// Classes by name. Each stays as it was given.
#[derive(Default)]
pub(super) struct Given(Mutex<HashMap<Box<str>, Vec<u8>>>);

impl Given {
    /// Adds a class; false if there is one of this name.
    pub(super) fn give(&self, name: &str, bytes: Vec<u8>) -> bool {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(name.into()) {
            Entry::Vacant(place) => {
                place.insert(bytes);
                true
            }
            Entry::Occupied(_) => false,
        }
    }
}

impl Source for Given {
    fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned())
    }
}
