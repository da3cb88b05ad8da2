//! The cache of verified programs, each named by the hash of its bytecode, so that no client needs to send it again.
//!
//! ```text
//! bytecode ── quick digest ─► cached? ── the same bytes ─► run
//! hash     ─────────────────► cached? ───────────────────► run
//!                               └─ no: bytecode is verified and cached; a hash is refused, and the client sends the bytecode
//! ```
//! The hash of bytecode is taken when somebody names a program by one: those who send it do not wait for that.
//!
//! There are so many at most, and so many bytes, of one user a quarter; whose share is used up loses his own. What was not used for longest goes
//! first; whoever has its bytecode loses nothing by it but time. Whoever knows a hash can run the program, as if he had it: the hash
//! says what it is.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use foldhash::fast::RandomState;

use super::{Policy, identity, lock};
use crate::bill::Hash;
use crate::form::Form;
use crate::interp::Translation;
use crate::verify::{LoadError, Loaded, Loader, Registry};

/// Longest program after which the memory for verifying it is used again.
const KEPT_BYTES_MAX: usize = 1 << 16;
/// Tables of programs of at most so many bytes are used again, and so many of them are kept.
const SPARE_BYTES_MAX: usize = 4096;
const SPARE_MAX: usize = 8;
/// The tables of a program are about so many times as long as its bytecode.
const TABLES: usize = 8;

/// A verified program. It depends on its bytes and the server's descriptors alone, and no run changes it.
#[derive(Debug)]
pub(super) struct Cached {
    pub(super) bytes: Box<[u8]>,
    pub(super) program: Arc<Loaded>,
    hash: OnceLock<Hash>,
    /// Of the bytes, quick to take.
    pub(super) digest: u64,
    /// Who sent it first.
    owner: Arc<str>,
    /// It was not sent, but installed.
    pub(super) is_installed: bool,
    /// Instructions of all its runs.
    spent: AtomicU64,
    /// Whether it was given to the translator.
    asked: AtomicBool,
    /// Whether it was put into a file, too.
    pub(super) is_filed: AtomicBool,
    translation: OnceLock<Result<Translation, String>>,
}

impl Cached {
    fn new(bytes: &[u8], digest: u64, program: Loaded, owner: &Arc<str>) -> Cached {
        Cached {
            bytes: bytes.into(),
            program: Arc::new(program),
            hash: OnceLock::new(),
            digest,
            owner: Arc::clone(owner),
            is_installed: false,
            spent: AtomicU64::new(0),
            asked: AtomicBool::new(false),
            is_filed: AtomicBool::new(false),
            translation: OnceLock::new(),
        }
    }

    /// The hash of its bytecode.
    pub(super) fn hash(&self) -> &Hash {
        self.hash.get_or_init(|| crate::bill::hash(&self.bytes))
    }

    /// What stands where no program does.
    pub(super) fn none() -> Arc<Cached> {
        static NONE: OnceLock<Arc<Cached>> = OnceLock::new();
        let none = NONE.get_or_init(|| Arc::new(Cached::new(&[], 0, Loaded::default(), &Arc::from(""))));
        Arc::clone(none)
    }

    /// Bytes that it takes, about.
    pub(super) fn takes(&self) -> usize {
        Cached::takes_of(self.bytes.len()) + self.translation().map_or(0, Translation::code_bytes)
    }

    /// What one of so many bytes takes, about, as long as it is interpreted.
    pub(super) fn takes_of(bytes: usize) -> usize {
        size_of::<Cached>() + (1 + TABLES) * bytes
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> String {
        Form::of(&self.bytes).name()
    }

    /// Its machine code, if there is any.
    pub(super) fn translation(&self) -> Option<&Translation> {
        self.translation.get().and_then(|made| made.as_ref().ok())
    }

    /// Whether it was translated, or cannot be.
    pub(super) fn was_translated(&self) -> bool {
        self.translation.get().is_some()
    }

    /// Instructions were run; whether it is to be translated now, which is said once. What takes longer to translate has to
    /// be run more before.
    pub(super) fn ran(&self, instructions: u64, policy: &Policy) -> bool {
        if self.program.is_array() {
            // Its commands are calls and moves: there is nothing around them to be translated.
            return false;
        }
        let spent = self.spent.fetch_add(instructions, Ordering::Relaxed).saturating_add(instructions);
        let enough = policy.translated_after.saturating_mul(self.program.code.len().max(1) as u64);
        spent >= enough && self.is_asked_first()
    }

    /// It was not given to the translator after all.
    pub(super) fn ask_again(&self) {
        self.asked.store(false, Ordering::Relaxed);
    }

    /// Whether nobody has given it to the translator before: who asks so does.
    pub(super) fn is_asked_first(&self) -> bool {
        !self.asked.swap(true, Ordering::Relaxed)
    }
}

/// All of them.
pub(super) struct Cache {
    state: Mutex<State>,
    loader: Mutex<Loader>,
    /// Tables of programs that went, for their memory.
    spare: Mutex<Vec<Loaded>>,
    max: usize,
    per_principal_max: usize,
    bytes_max: usize,
    /// Of digests.
    key: u64,
}

/// Hashes of programs are anybody's to choose: the table has a key of its own, and so have digests.
#[derive(Default)]
struct State {
    /// By digest.
    programs: HashMap<u64, Slot, RandomState>,
    /// Digests of those whose hash was taken.
    hashes: HashMap<Hash, u64, RandomState>,
    /// Digests of the others, and of some that are gone.
    unhashed: Vec<u64>,
    owners: HashMap<Arc<str>, Owned, RandomState>,
    bytes: usize,
    /// Counts uses.
    clock: u64,
}

struct Slot {
    cached: Arc<Cached>,
    /// What it took when it was counted.
    takes: usize,
    used: u64,
}

/// What one principal sent first.
#[derive(Default)]
struct Owned {
    count: usize,
    bytes: usize,
    /// When each was used and its digest, least first; one that was used since then stands too far in front.
    order: BinaryHeap<Reverse<(u64, u64)>>,
}

impl Slot {
    fn cached(&self) -> Arc<Cached> {
        Arc::clone(&self.cached)
    }
}

impl Cache {
    pub(super) fn new(policy: &Policy, key: u64) -> Cache {
        Cache {
            state: Mutex::default(),
            loader: Mutex::default(),
            spare: Mutex::default(),
            max: policy.cached_max,
            per_principal_max: policy.cached_per_principal_max,
            bytes_max: policy.cached_bytes_max,
            key,
        }
    }

    /// How many there are, and how many of them are machine code, too.
    pub(super) fn counts(&self) -> [u64; 2] {
        let state = lock(&self.state);
        let translated = state.programs.values().filter(|slot| slot.cached.translation().is_some()).count();
        [state.programs.len() as u64, translated as u64]
    }

    /// A quick digest of a program.
    pub(super) fn digest(&self, bytes: &[u8]) -> u64 {
        identity::of_program(self.key, bytes)
    }

    /// The program with these bytes.
    pub(super) fn with_bytes(&self, digest: u64, bytes: &[u8]) -> Option<Arc<Cached>> {
        // A digest is no proof.
        lock(&self.state).used(digest).filter(|cached| *cached.bytes == *bytes)
    }

    /// The program with this hash.
    pub(super) fn with_hash(&self, hash: &Hash) -> Option<Arc<Cached>> {
        let unhashed: Vec<Arc<Cached>> = {
            let mut state = lock(&self.state);
            if let Some(digest) = state.hashes.get(hash).copied() {
                return state.used(digest);
            }
            let unhashed = std::mem::take(&mut state.unhashed);
            unhashed.iter().filter_map(|digest| state.programs.get(digest)).map(Slot::cached).collect()
        };
        // Nobody waits for the lock meanwhile.
        unhashed.iter().for_each(|cached| _ = cached.hash());
        let mut state = lock(&self.state);
        unhashed.iter().for_each(|cached| state.hashed(cached));
        let digest = state.hashes.get(hash).copied()?;
        state.used(digest)
    }

    /// Verifies a program and caches it.
    pub(super) fn load(
        &self,
        bytes: &[u8],
        registry: &Registry,
        owner: &Arc<str>,
    ) -> Result<Arc<Cached>, LoadError> {
        self.verified(bytes, registry, owner).map(|cached| self.insert(cached))
    }

    /// Verifies a program, and leaves the cache as it is.
    pub(super) fn verified(
        &self,
        bytes: &[u8],
        registry: &Registry,
        owner: &Arc<str>,
    ) -> Result<Cached, LoadError> {
        let mut loader = std::mem::take(&mut *lock(&self.loader));
        let mut program = lock(&self.spare).pop().unwrap_or_default();
        let loaded = loader.load(bytes, registry, &mut program);
        if bytes.len() <= KEPT_BYTES_MAX {
            *lock(&self.loader) = loader;
        }
        loaded?;
        Ok(Cached::new(bytes, self.digest(bytes), program, owner))
    }

    /// Others may have to go for it; if it is too long alone, it is not cached.
    fn insert(&self, cached: Cached) -> Arc<Cached> {
        let takes = cached.takes();
        let cached = Arc::new(cached);
        if self.max.min(self.per_principal_max) == 0 || takes > self.bytes_per_principal_max() {
            return cached;
        }
        let mut state = lock(&self.state);
        match state.used(cached.digest) {
            Some(first) if first.bytes == cached.bytes => return first,
            // Another program has the same digest.
            Some(_) => return cached,
            None => {}
        }
        state.insert(&cached, takes);
        let gone = self.make_room(&mut state, &cached.owner);
        drop(state);
        // Memory is given back when the lock is free again.
        self.use_again(gone);
        cached
    }

    /// Keeps the tables of some small programs that nobody runs.
    fn use_again(&self, gone: Vec<Arc<Cached>>) {
        for cached in gone.into_iter().filter(|cached| cached.bytes.len() <= SPARE_BYTES_MAX) {
            let program = Arc::into_inner(cached).and_then(|cached| Arc::into_inner(cached.program));
            let mut spare = lock(&self.spare);
            if spare.len() < SPARE_MAX {
                spare.extend(program);
            }
        }
    }

    /// A program was translated: its code is counted from now on.
    pub(super) fn translated(&self, cached: &Cached, made: Result<Translation, String>) {
        if cached.translation.set(made).is_err() {
            return;
        }
        let takes = cached.takes();
        let mut state = lock(&self.state);
        let slot = state.programs.get_mut(&cached.digest);
        // It may have gone, and have been sent again since.
        let Some(slot) = slot.filter(|slot| std::ptr::eq(&*slot.cached, cached)) else { return };
        let before = std::mem::replace(&mut slot.takes, takes);
        state.bytes = state.bytes - before + takes;
        if let Some(owned) = state.owners.get_mut(&cached.owner) {
            owned.bytes = owned.bytes - before + takes;
        }
        let gone = self.make_room(&mut state, &cached.owner);
        drop(state);
        drop(gone);
    }

    /// A quarter of all bytes.
    fn bytes_per_principal_max(&self) -> usize {
        self.bytes_max / 4
    }

    /// Takes out what is too much: of `owner`, if it is his share that is exceeded.
    fn make_room(&self, state: &mut State, owner: &Arc<str>) -> Vec<Arc<Cached>> {
        let mut gone = Vec::new();
        let is_too_much = |owned: &Owned| {
            owned.count > self.per_principal_max || owned.bytes > self.bytes_per_principal_max()
        };
        while state.owners.get(owner).is_some_and(is_too_much) {
            gone.extend(state.take_oldest_of(owner));
        }
        while state.programs.len() > self.max || state.bytes > self.bytes_max {
            gone.extend(state.take_oldest());
        }
        gone
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn used(&mut self, digest: u64) -> Option<Arc<Cached>> {
        let now = self.tick();
        let slot = self.programs.get_mut(&digest)?;
        slot.used = now;
        Some(Arc::clone(&slot.cached))
    }

    /// The hash of one that was cached is known now.
    fn hashed(&mut self, cached: &Arc<Cached>) {
        let slot = self.programs.get(&cached.digest);
        if slot.is_some_and(|slot| Arc::ptr_eq(&slot.cached, cached)) {
            self.hashes.insert(*cached.hash(), cached.digest);
        }
    }

    fn insert(&mut self, cached: &Arc<Cached>, takes: usize) {
        let used = self.tick();
        self.bytes += takes;
        let owned = self.owners.entry(Arc::clone(&cached.owner)).or_default();
        owned.count += 1;
        owned.bytes += takes;
        owned.order.push(Reverse((used, cached.digest)));
        self.programs.insert(cached.digest, Slot { cached: Arc::clone(cached), takes, used });
        if self.unhashed.len() > 64 + 2 * self.programs.len() {
            self.unhashed.retain(|digest| self.programs.contains_key(digest));
        }
        self.unhashed.push(cached.digest);
    }

    /// When the one of a principal was used that was not used for longest.
    fn oldest_of(&mut self, owner: &Arc<str>) -> Option<(u64, u64)> {
        let order = &mut self.owners.get_mut(owner)?.order;
        loop {
            let Reverse((then, digest)) = *order.peek()?;
            let used = self.programs.get(&digest)?.used;
            if used == then {
                return Some((used, digest));
            }
            order.pop();
            order.push(Reverse((used, digest)));
        }
    }

    /// Takes out the one of a principal that was not used for longest.
    fn take_oldest_of(&mut self, owner: &Arc<str>) -> Option<Arc<Cached>> {
        let (_, digest) = self.oldest_of(owner)?;
        let slot = self.programs.remove(&digest)?;
        self.bytes -= slot.takes;
        if let Some(owned) = self.owners.get_mut(owner) {
            owned.order.pop();
            owned.count -= 1;
            owned.bytes -= slot.takes;
            if owned.count == 0 {
                self.owners.remove(owner);
            }
        }
        if let Some(hash) = slot.cached.hash.get() {
            self.hashes.remove(hash);
        }
        Some(slot.cached)
    }

    /// Takes out the one that was not used for longest.
    fn take_oldest(&mut self) -> Option<Arc<Cached>> {
        let owners: Vec<Arc<str>> = self.owners.keys().map(Arc::clone).collect();
        let of_all = owners.into_iter().filter_map(|owner| Some((self.oldest_of(&owner)?, owner)));
        let (_, owner) = of_all.min_by_key(|(oldest, _)| *oldest)?;
        self.take_oldest_of(&owner)
    }
}

#[cfg(test)]
mod tests;
