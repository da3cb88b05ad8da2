//! Programs that come as trees, to a server that takes them: compiled and verified here, and known when they come again.
//!
//! ```text
//! tree ── quick digest ─► known? ── the same bytes ─► its program
//!                           └─ no: decode ─► compile ─► verify ─► agrees with the interfaces? ─► known from now on
//! ```
//! What a tree is to bill, approval, cache and identity is the bytecode that comes of it, which is what a client that compiles
//! it makes. Those that are known are as many as cached programs may be, and take at most a quarter of the bytes of these beside
//! them; of one user again a quarter. Whose were not used for longest go first.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use carnet_idl::descriptor::Module;
use carnet_portal::session::Session;
use foldhash::fast::RandomState;

use super::cache::Cached;
use super::{Inner, Policy, faults, lock};
use crate::bill::{Hash, hash};
use crate::compile::{CompileError, Marks, compile_marked, compile_to_bytes};
use crate::import::Tables;
use crate::limits::Amounts;
use crate::protocol::{End, Refusal};
use crate::tree::{NotATree, Pos, Tree};
use crate::verify::{Fault, FaultKind, Registry};

/// A tree in memory takes at most so many times its bytes, with where its points lie.
const IN_MEMORY: usize = 64;

/// What decoding and compiling a byte of a tree is charged with, where nothing is run of it.
const INSTRUCTIONS_OF_A_BYTE: u64 = 10;

/// A tree that was received, and what it is.
#[derive(Debug)]
pub(super) struct Received {
    bytes: Box<[u8]>,
    pub(super) cached: Arc<Cached>,
    owner: Arc<str>,
    runnable: OnceLock<Option<Runnable>>,
    used: AtomicU64,
}

/// A tree that can be interpreted.
#[derive(Debug)]
pub(super) struct Runnable {
    pub(super) tree: Tree,
    pub(super) marks: Marks,
}

impl Received {
    fn new(bytes: &[u8], cached: Arc<Cached>, owner: &Arc<str>) -> Received {
        let (owner, runnable) = (Arc::clone(owner), OnceLock::new());
        Received { bytes: bytes.into(), cached, owner, runnable, used: AtomicU64::new(0) }
    }

    /// It as the recursive interpreter takes it. It was decoded and compiled before.
    pub(super) fn runnable(&self) -> Option<&Runnable> {
        let make = || {
            let tree = Tree::decode(&self.bytes).ok()?;
            let (_, marks) = compile_marked(&tree).ok()?;
            Some(Runnable { tree, marks })
        };
        self.runnable.get_or_init(make).as_ref()
    }

    /// One that was compiled before.
    #[cfg(test)]
    pub(super) fn of_tree(bytes: Vec<u8>, cached: Arc<Cached>) -> Arc<Received> {
        Arc::new(Received::new(&bytes, cached, &Arc::from("me")))
    }

    fn takes(&self) -> usize {
        size_of::<Received>() + IN_MEMORY * self.bytes.len() + self.cached.takes()
    }
}

/// All that are known.
pub(super) struct Trees {
    known: Mutex<HashMap<u64, Arc<Received>, RandomState>>,
    max: usize,
    per_principal_max: usize,
    bytes_max: usize,
    /// Counts uses.
    clock: AtomicU64,
}

impl Trees {
    pub(super) fn new(policy: &Policy) -> Trees {
        Trees {
            known: Mutex::default(),
            max: policy.cached_max,
            per_principal_max: policy.cached_per_principal_max,
            bytes_max: policy.cached_bytes_max / 4,
            clock: AtomicU64::new(0),
        }
    }

    fn used(&self, received: &Received) {
        received.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    fn find(&self, digest: u64, bytes: &[u8]) -> Option<Arc<Received>> {
        let found = lock(&self.known).get(&digest).map(Arc::clone)?;
        // A digest is no proof.
        if *found.bytes != *bytes {
            return None;
        }
        self.used(&found);
        Some(found)
    }

    /// Others may have to go for it.
    fn insert(&self, digest: u64, received: &Arc<Received>) {
        self.used(received);
        let mut gone = Vec::new();
        let mut known = lock(&self.known);
        known.entry(digest).or_insert_with(|| Arc::clone(received));
        while let Some(digest) = self.too_much(&known, &received.owner) {
            gone.extend(known.remove(&digest));
        }
        drop(known);
        // Memory is given back when the lock is free again.
        drop(gone);
    }

    /// The one that has to go, if one has: of `owner`, if it is his share that is exceeded.
    fn too_much(&self, known: &HashMap<u64, Arc<Received>, RandomState>, owner: &Arc<str>) -> Option<u64> {
        let sums = |of: Option<&Arc<str>>| {
            let those = known.values().filter(|it| of.is_none_or(|owner| it.owner == *owner));
            those.fold((0, 0), |(count, bytes), it| (count + 1, bytes + it.takes()))
        };
        let oldest = |of: Option<&Arc<str>>| {
            let those = known.iter().filter(|(_, it)| of.is_none_or(|owner| it.owner == *owner));
            those.min_by_key(|(_, it)| it.used.load(Ordering::Relaxed)).map(|(digest, _)| *digest)
        };
        let (count, bytes) = sums(Some(owner));
        if count > self.per_principal_max || bytes > self.bytes_max / 4 {
            return oldest(Some(owner));
        }
        let (count, bytes) = sums(None);
        if count > self.max || bytes > self.bytes_max { oldest(None) } else { None }
    }
}

impl Inner {
    /// The program of a tree.
    pub(super) fn receive(&self, bytes: &[u8], session: &Session) -> Result<Arc<Received>, Box<End>> {
        let policy = &self.policy;
        let principal = &session.caller().principal;
        let refuse = |refusal| Err(Box::new(End::Refused(refusal)));
        if policy.trees == super::policy::Trees::Refused {
            return refuse(Refusal::NoTrees);
        }
        if policy.only_installed.binds(principal) {
            let installed = self.receive_installed(bytes, principal)?;
            return installed.map_or_else(|| refuse(Refusal::OnlyInstalled(policy.name.clone())), Ok);
        }
        let digest = self.cache.digest(bytes);
        if let Some(known) = self.trees.find(digest, bytes) {
            return Ok(known);
        }
        match self.compiled(bytes, principal) {
            Ok(received) => {
                self.trees.insert(digest, &received);
                Ok(received)
            }
            Err(faults) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Err(Box::new(End::Rejected(faults)))
            }
        }
    }

    /// The tree of a program that is installed. What is not is decoded and compiled, since only its bytecode tells, and neither verified
    /// nor kept: whoever sends it is charged each time.
    fn receive_installed(&self, bytes: &[u8], owner: &Arc<str>) -> Result<Option<Arc<Received>>, Box<End>> {
        let installed = |hash: &Hash| lock(&self.installed).with_hash(hash).cloned();
        // Another who sends the same tree may run it, but not as what is installed.
        let digest = !self.cache.digest(bytes);
        if let Some(known) = self.trees.find(digest, bytes) {
            return Ok(installed(known.cached.hash()).map(|_| known));
        }
        let compiling =
            Amounts { instructions: bytes.len() as u64 * INSTRUCTIONS_OF_A_BYTE, ..Amounts::default() };
        self.accounts.till(owner).charge(compiling).map_err(|(kind, standing)| {
            Box::new(End::Refused(Refusal::Allowance { kind, standing: Box::new(standing) }))
        })?;
        let received = || {
            let tree = Tree::decode(bytes).ok()?;
            let cached = installed(&hash(&compile_to_bytes(&tree).ok()?))?;
            Tables::adopt(&tree, &modules(&self.registry)).ok()?;
            Some(Arc::new(Received::new(bytes, cached, owner)))
        };
        let received = received();
        if let Some(received) = &received {
            self.trees.insert(digest, received);
        }
        Ok(received)
    }

    fn compiled(&self, bytes: &[u8], owner: &Arc<str>) -> Result<Arc<Received>, Vec<Fault>> {
        let tree = Tree::decode(bytes).map_err(|error| not_a_tree(&error))?;
        let bytecode = compile_to_bytes(&tree).map_err(|error| not_compiled(&error))?;
        let digest = self.cache.digest(&bytecode);
        let cached = match self.cache.with_bytes(digest, &bytecode) {
            Some(cached) => cached,
            None => self.cache.load(&bytecode, &self.registry, owner).map_err(faults)?,
        };
        // Its bytecode is held against the interfaces, what it says beside that is not yet.
        Tables::adopt(&tree, &modules(&self.registry))
            .map_err(|error| fault(FaultKind::Unsafe, Pos::default(), error.to_string()))?;
        Ok(Arc::new(Received::new(bytes, cached, owner)))
    }
}

/// The modules of a registry, each once.
fn modules(registry: &Registry) -> Vec<&'static Module> {
    let mut modules: Vec<&'static Module> = Vec::new();
    for module in registry.modules() {
        if !modules.iter().any(|known| std::ptr::eq::<Module>(*known, module)) {
            modules.push(module);
        }
    }
    modules
}

fn fault(kind: FaultKind, pos: Pos, message: String) -> Vec<Fault> {
    vec![Fault { at: None, pos, rule: "tree", kind, message }]
}

fn not_a_tree(error: &NotATree) -> Vec<Fault> {
    match error {
        NotATree::IllFormed(rule) => fault(FaultKind::Unsafe, rule.pos, rule.what.clone()),
        NotATree::Version(_) | NotATree::TooLong(_) | NotATree::TooDeep => {
            fault(FaultKind::Unsupported, Pos::default(), error.to_string())
        }
        error => fault(FaultKind::Unsafe, Pos::default(), error.to_string()),
    }
}

fn not_compiled(error: &CompileError) -> Vec<Fault> {
    fault(FaultKind::Unsupported, Pos::default(), error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(owner: &str, bytes: &[u8]) -> Arc<Received> {
        let (cached, owner) = (Cached::none(), Arc::from(owner));
        Arc::new(Received {
            bytes: bytes.into(),
            cached,
            owner,
            runnable: OnceLock::new(),
            used: AtomicU64::new(0),
        })
    }

    fn trees(max: usize, per_principal_max: usize, bytes_max: usize) -> Trees {
        let policy = Policy {
            cached_max: max,
            cached_per_principal_max: per_principal_max,
            cached_bytes_max: bytes_max,
            ..Policy::default()
        };
        Trees::new(&policy)
    }

    /// Those of the numbers 0 to 9 that are known.
    fn known(trees: &Trees) -> Vec<u64> {
        let known = lock(&trees.known);
        (0..10).filter(|digest| known.contains_key(digest)).collect()
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let trees = trees(3, 3, usize::MAX);
        for digest in 0..3 {
            trees.insert(digest, &received("one", &[digest as u8]));
        }
        assert!(trees.find(0, &[0]).is_some());
        assert!(trees.find(1, b"other bytes").is_none(), "a digest is no proof");
        trees.insert(3, &received("one", &[3]));
        assert_eq!(known(&trees), [0, 2, 3]);
    }

    #[test]
    fn one_user_loses_his_own() {
        let trees = trees(8, 2, usize::MAX);
        trees.insert(0, &received("one", &[0]));
        for digest in 1..5 {
            trees.insert(digest, &received("two", &[digest as u8]));
        }
        assert_eq!(known(&trees), [0, 3, 4]);
    }

    #[test]
    fn bytes_are_bounded() {
        let each = received("one", &[0; 100]).takes();
        // A sixteenth is one user's.
        let trees = trees(8, 8, 16 * 2 * each);
        for digest in 0..4 {
            trees.insert(digest, &received("one", &[digest as u8; 100]));
        }
        assert_eq!(known(&trees), [2, 3]);
        trees.insert(4, &received("one", &[4; 1000]));
        assert_eq!(known(&trees), [], "what is too long alone is not kept");
    }
}
