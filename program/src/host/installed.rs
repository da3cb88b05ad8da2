//! Programs that whoever runs the server installed: verified once, never pushed out, called by name or hash by everybody.
//!
//! Their limits are those of their headers, and stay so. Nobody approves them: who installed them has. A policy can say who may
//! run these and nothing else.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::entry::Responder;
use carnet_portal::meter::{Purse, Use};

use super::cache::Cached;
use super::{Inner, Programs, lock, malformed};
use crate::bill::Hash;
use crate::protocol::{InstalledProgram, encode_installed};
use crate::verify::LoadError;

/// Whose name a program of an owner stands for.
const OWNER: &str = "";

/// Who may run nothing but what is installed, and make no single calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OnlyInstalled {
    /// Nobody is bound to it.
    #[default]
    Nobody,
    /// Everybody.
    Everybody,
    /// These principals.
    These(Vec<String>),
}

impl OnlyInstalled {
    /// Whether it binds a principal.
    #[must_use]
    pub fn binds(&self, principal: &str) -> bool {
        match self {
            OnlyInstalled::Nobody => false,
            OnlyInstalled::Everybody => true,
            OnlyInstalled::These(names) => names.iter().any(|name| name == principal),
        }
    }
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Installed {
    names: BTreeMap<String, InstalledProgram>,
    programs: HashMap<Hash, Arc<Cached>>,
}

impl Installed {
    /// The one with this hash.
    pub(super) fn with_hash(&self, hash: &Hash) -> Option<&Arc<Cached>> {
        self.programs.get(hash)
    }
}

impl Programs {
    /// Installs a program under a name, in place of one that has it: its source text, for whoever wants to know what it does, and
    /// its bytecode.
    ///
    /// # Errors
    /// As [`crate::verify::load`]; nothing is installed then.
    pub fn install(&self, name: &str, source: &str, bytes: &[u8]) -> Result<(), LoadError> {
        let mut cached = self.inner.cache.verified(bytes, &self.inner.registry, &Arc::from(OWNER))?;
        cached.is_installed = true;
        let hash = *cached.hash();
        let program = InstalledProgram { name: name.to_owned(), hash, source: source.to_owned() };
        let mut installed = lock(&self.inner.installed);
        installed.programs.insert(hash, Arc::new(cached));
        if let Some(before) = installed.names.insert(name.to_owned(), program) {
            let is_named = installed.names.values().any(|program| program.hash == before.hash);
            if !is_named {
                installed.programs.remove(&before.hash);
            }
        }
        Ok(())
    }
}

impl Inner {
    /// Tells which programs are installed, or what one of them is.
    pub(super) fn tell_installed(&self, name: &[u8], responder: Responder) {
        let Ok(name) = std::str::from_utf8(name) else { return responder.fail(&malformed()) };
        let told: Vec<InstalledProgram> = {
            let installed = lock(&self.installed);
            match name {
                // Their sources would make a long answer.
                "" => installed
                    .names
                    .values()
                    .map(|program| InstalledProgram { source: String::new(), ..program.clone() })
                    .collect(),
                name => installed.names.get(name).cloned().into_iter().collect(),
            }
        };
        responder.reply(&encode_installed(&told), Vec::new());
    }
}

/// Of a principal that makes no single calls.
pub(super) struct NoCalls(pub(super) String);

impl NoCalls {
    /// If the policy binds the caller.
    pub(super) fn of(inner: &Inner, caller: &Caller) -> Option<Box<dyn Purse>> {
        let policy = &inner.policy;
        policy.only_installed.binds(&caller.principal).then(|| {
            Box::new(NoCalls(format!(
                "policy `{}` lets you run installed programs and make no single calls; `carnet describe` lists them",
                policy.name
            ))) as Box<dyn Purse>
        })
    }
}

impl Purse for NoCalls {
    fn draw(&mut self, _used: Use, _wanted: Use) -> Result<Use, Failure> {
        Err(Failure::new(Kind::Refused, &self.0))
    }

    fn refund(&mut self, _written: u64) {}

    fn settle(&mut self, _used: Use) {}
}
