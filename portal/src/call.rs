//! What crosses a boundary in one call, on the service's side of it.
//!
//! A call is an argument block of 64-bit words (see `carnet_idl::descriptor` for the layout), the areas
//! that its reference words point into, and the portals that it hands over. The same [`Call`] reaches
//! [`Object::dispatch`] whether it came through a socket, from the same thread, or out of a program's
//! variable table: a service cannot tell, and pays for none that it does not use.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`Ref`] | a word that refers to a range of an area |
//! | [`Area`], [`Areas`] | bytes of a string or buffer; words and bytes of a list |
//! | [`Call`] | one call: block, areas, portals handed over, portals made |
//! | [`Object`] | what services implement (through generated code) |
//! | [`Failure`] | why a call failed, and whose fault it was |

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use carnet_idl::descriptor::{InterfaceId, Module, SHORT_WORDS};

use crate::capability::Capability;
use crate::direct::Entry;
use crate::invoke::{short_by_dispatch, short_out_by_dispatch};

/// A word that refers to `len` bytes from `offset` of area `area`; for a list the whole area is meant
/// and offset and length are 0.
///
/// ```text
///  63      52 51                      24 23                     0
/// ┌──────────┬──────────────────────────┬────────────────────────┐
/// │ area: 12 │ offset: 28               │ length: 24             │
/// └──────────┴──────────────────────────┴────────────────────────┘
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Ref(pub u64);

impl Ref {
    /// Number of areas that a reference can name.
    pub const AREAS_MAX: usize = 1 << 12;
    /// Largest offset, in bytes.
    pub const OFFSET_MAX: usize = (1 << 28) - 1;
    /// Largest length, in bytes.
    pub const LEN_MAX: usize = (1 << 24) - 1;

    /// Refers to `len` bytes from `offset` of `area`; `None` if one of them is too large.
    #[inline]
    #[must_use]
    pub const fn new(area: usize, offset: usize, len: usize) -> Option<Ref> {
        if area >= Ref::AREAS_MAX || offset > Ref::OFFSET_MAX || len > Ref::LEN_MAX {
            return None;
        }
        Some(Ref((area as u64) << 52 | (offset as u64) << 24 | len as u64))
    }

    /// Number of the area.
    #[inline]
    #[must_use]
    pub const fn area(self) -> usize {
        (self.0 >> 52) as usize
    }

    /// First byte.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> usize {
        (self.0 >> 24) as usize & Ref::OFFSET_MAX
    }

    /// Length in bytes.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0 as usize & Ref::LEN_MAX
    }

    /// Whether the length is 0.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Memory that reference words point into.
///
/// A string or buffer is `bytes` alone. A list is `words`, `stride` of them for each element, whose
/// strings are [`Ref`]s into `bytes` of the same area (their area number is ignored).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Content of a string or buffer; strings of a list.
    pub bytes: Vec<u8>,
    /// Words of a list.
    pub words: Vec<u64>,
}

impl Area {
    /// Empties the area, keeping its memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.words.clear();
    }

    /// The bytes of a string field of a list; empty if the reference leaves the area.
    #[inline]
    #[must_use]
    pub fn string(&self, word: u64) -> &[u8] {
        let r = Ref(word);
        self.bytes.get(r.offset()..r.offset() + r.len()).unwrap_or(&[])
    }

    /// Appends a string to `bytes` and returns the word that refers to it; `None` if it cannot be
    /// referred to, with nothing changed.
    #[inline]
    pub fn add_string(&mut self, text: &[u8]) -> Option<u64> {
        let r = Ref::new(0, self.bytes.len(), text.len())?;
        self.bytes.extend_from_slice(text);
        Some(r.0)
    }

    /// Bytes of the texts of a list; `is_text` says which of its words refer to one.
    #[must_use]
    pub fn text_bytes(&self, is_text: impl Fn(usize) -> bool) -> usize {
        let texts = self.words.iter().enumerate().filter(|(k, _)| is_text(*k));
        texts.map(|(_, word)| Ref(*word).len()).sum()
    }

    /// Lets go of what a list holds beside its texts. Texts that lie over each other, as a service may send them, stay as they are. `None` if a
    /// reference leaves the area.
    #[must_use]
    pub fn pack(&mut self, is_text: impl Fn(usize) -> bool) -> Option<()> {
        let held = self.text_bytes(&is_text);
        if held >= self.bytes.len() {
            return Some(());
        }
        let old = std::mem::replace(&mut self.bytes, Vec::with_capacity(held));
        for (_, word) in self.words.iter_mut().enumerate().filter(|(k, _)| is_text(*k)) {
            let from = Ref(*word);
            let text = old.get(from.offset()..from.offset() + from.len())?;
            *word = Ref::new(0, self.bytes.len(), text.len())?.0;
            self.bytes.extend_from_slice(text);
        }
        Some(())
    }
}

/// The areas of one call or one run.
#[derive(Clone, Debug, Default)]
pub struct Areas {
    /// All areas, by number.
    pub list: Vec<Area>,
}

impl Areas {
    /// The bytes that `word` refers to.
    ///
    /// # Errors
    /// [`Blame::Caller`] if the reference leaves its area or is longer than `max`.
    #[inline]
    pub fn bytes(&self, word: u64, max: u32) -> Result<&[u8], Failure> {
        let r = Ref(word);
        if r.len() > max as usize {
            return Err(Failure::too_long(r.len(), max));
        }
        self.list
            .get(r.area())
            .and_then(|area| area.bytes.get(r.offset()..r.offset() + r.len()))
            .ok_or_else(|| Failure::bad_argument("a reference leaves its area"))
    }

    /// The string that `word` refers to.
    ///
    /// # Errors
    /// As [`Areas::bytes`]; also if it contains a NUL byte.
    #[inline]
    pub fn string(&self, word: u64, max: u32) -> Result<&[u8], Failure> {
        let bytes = self.bytes(word, max)?;
        if bytes.contains(&0) {
            return Err(Failure::bad_argument("a string contains a NUL byte"));
        }
        Ok(bytes)
    }

    /// Takes the area out that `word` names, emptied, to be filled as a result and put back with
    /// [`Areas::put`]. Meanwhile references into it find nothing.
    ///
    /// # Errors
    /// [`Blame::Caller`] if there is no such area.
    #[inline]
    pub fn take(&mut self, word: u64) -> Result<Area, Failure> {
        let area = self
            .list
            .get_mut(Ref(word).area())
            .ok_or_else(|| Failure::bad_argument("a reference names no area"))?;
        let mut area = std::mem::take(area);
        area.clear();
        Ok(area)
    }

    /// Puts an area back and returns the word that refers to all of it (for a list: to the area).
    ///
    /// # Errors
    /// [`Blame::Service`] if it holds more bytes than a reference can name.
    #[inline]
    pub fn put(&mut self, word: u64, area: Area) -> Result<u64, Failure> {
        let number = Ref(word).area();
        let len = if area.words.is_empty() { area.bytes.len() } else { 0 };
        let word = Ref::new(number, 0, len)
            .ok_or_else(|| Failure::service("a result is longer than a reference can say"))?;
        self.list[number] = area;
        Ok(word.0)
    }
}

/// Who is calling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The principal: over a Unix socket the peer's user name.
    pub principal: Arc<str>,
    /// Number of the session, unique within the process.
    pub session: u64,
    /// The process that the session comes from, which may have a part of what its principal may.
    pub origin: Origin,
    /// Whom it is for, if it comes from a relay.
    pub label: Labelled,
}

/// The process that a session comes from, or what stands for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Processes are not told apart: it is the server's own, or on another machine. There the principal stands for it: a program with a
    /// token of its own is one.
    #[default]
    Unknown,
    /// The process of this machine with this number.
    Process(i32),
    /// Any process of this user's that has no number where the server runs, as those outside of a container have none within.
    User(u32),
}

/// Whom a relay has a session for: a client of its own. Who says so has no more than without it, so that it need not be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// Stands for the principal.
    pub principal: u64,
    /// Stands for the process, or what stands for that.
    pub process: u64,
}

/// Perhaps a [`Label`]. A session has it from the moment that its client says it, once, and with it all that know the session's caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelled(Option<Arc<OnceLock<Label>>>);

impl Labelled {
    /// None yet.
    #[must_use]
    pub fn not_yet() -> Labelled {
        Labelled(Some(Arc::default()))
    }

    /// What was said.
    #[must_use]
    pub fn get(&self) -> Option<Label> {
        self.0.as_ref()?.get().copied()
    }

    /// From now on it is this one, unless it is another one already; whether it is.
    pub(crate) fn set(&self, label: Label) -> bool {
        self.0.as_ref().is_some_and(|said| *said.get_or_init(|| label) == label)
    }
}

impl From<Label> for Labelled {
    fn from(label: Label) -> Labelled {
        Labelled(Some(Arc::new(OnceLock::from(label))))
    }
}

impl Caller {
    /// Nobody: what is called by it is not called.
    pub(crate) fn nobody() -> Caller {
        let (principal, label) = (Arc::default(), Labelled::default());
        Caller { principal, session: 0, origin: Origin::Unknown, label }
    }

    /// A session of this principal in the same process.
    #[must_use]
    pub fn of(principal: &str, session: u64) -> Caller {
        Caller {
            principal: Arc::from(principal),
            session,
            origin: Origin::Unknown,
            label: Labelled::default(),
        }
    }

    /// A caller in this process.
    #[must_use]
    pub fn local() -> Caller {
        Caller::of("local", 0)
    }
}

/// One call, as a service's dispatch code sees it.
#[derive(Debug)]
pub struct Call<'a> {
    /// The argument block: exactly [`Layout::words`](carnet_idl::descriptor::Layout::words) words. In words
    /// and inout words are set; out words of variable size name the area to fill.
    pub words: &'a mut [u64],
    /// What reference words point into.
    pub areas: &'a mut Areas,
    /// Portals handed over; portal words are indices into it.
    pub portals: &'a [Option<Capability>],
    /// Portals that the call makes; portal words among the outs are indices into it.
    pub made: &'a mut Vec<Arc<dyn Object>>,
    /// Who is calling.
    pub caller: &'a Caller,
}

impl Call<'_> {
    /// The portal that `word` names.
    ///
    /// # Errors
    /// [`Blame::Caller`] if there is none, or it is not of the interface `name` of module `module`;
    /// [`Kind::Revoked`] if it was revoked.
    pub fn portal(&self, word: u64, module: &str, name: &str) -> Result<&Capability, Failure> {
        let portal = usize::try_from(word)
            .ok()
            .and_then(|index| self.portals.get(index))
            .and_then(Option::as_ref)
            .ok_or_else(|| Failure::bad_argument("a portal is missing"))?;
        if portal.is_revoked() {
            return Err(Failure::new(Kind::Revoked, "the portal was revoked"));
        }
        let (found, id) = portal.object().interface();
        let is_one = |id: InterfaceId| found.interfaces[id.index()].name == name;
        if found.name != module || !found.bases(id).any(is_one) {
            return Err(Failure::bad_argument(&format!(
                "a portal on {}.{} where {module}.{name} is expected",
                found.name,
                found.interfaces[id.index()].name
            )));
        }
        Ok(portal)
    }

    /// Takes the area out that word `index` of the block names, to be put back with [`Call::put`].
    ///
    /// # Errors
    /// As [`Areas::take`].
    pub fn take(&mut self, index: usize) -> Result<Area, Failure> {
        self.areas.take(self.words.get(index).copied().unwrap_or(u64::MAX))
    }

    /// Puts an area back that was taken out; word `index` of the block then refers to all of it.
    ///
    /// # Errors
    /// As [`Areas::put`].
    pub fn put(&mut self, index: usize, area: Area) -> Result<(), Failure> {
        let word = self.areas.put(self.words[index], area)?;
        self.words[index] = word;
        Ok(())
    }

    /// Adds a portal to what the call makes; returns its word.
    pub fn make(&mut self, object: Arc<dyn Object>) -> u64 {
        self.made.push(object);
        self.made.len() as u64 - 1
    }
}

/// The block of a short call ([`Short`](carnet_idl::descriptor::Short)), and behind it words that mean nothing.
pub type ShortWords = [u64; SHORT_WORDS];

/// Calls of one operation that come next, one after the other, on one object. None needs what another one returns.
#[derive(Clone, Copy, Debug)]
pub struct Upcoming<'a> {
    table: &'a [u64],
    words: usize,
    stride: usize,
    count: usize,
    areas: &'a Areas,
}

impl<'a> Upcoming<'a> {
    /// As many as `count` calls whose blocks of `words` words lie in `table`, each `stride` words behind the one before, and refer to
    /// `areas`; `None` if the table ends before them.
    #[must_use]
    pub fn new(
        table: &'a [u64],
        words: usize,
        stride: usize,
        count: usize,
        areas: &'a Areas,
    ) -> Option<Upcoming<'a>> {
        let ends = count.checked_sub(1)?.checked_mul(stride)?.checked_add(words)?;
        (ends <= table.len()).then_some(Upcoming { table, words, stride, count, areas })
    }

    /// How many there are, one at least.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// The block of call `k`, whose out words mean nothing yet; `None` behind the last.
    #[must_use]
    pub fn words(&self, k: usize) -> Option<&'a [u64]> {
        let begins = (k < self.count).then_some(k * self.stride)?;
        self.table.get(begins..begins + self.words)
    }

    /// What reference words point into.
    #[must_use]
    pub fn areas(&self) -> &'a Areas {
        self.areas
    }
}

/// An object of a service, reached through portals. Generated code implements it.
pub trait Object: Send + Sync + 'static {
    /// The descriptor, and which of its interfaces this object has.
    fn interface(&self) -> (&'static Module, InterfaceId);

    /// Carries out operation `op` on the block in `call`.
    ///
    /// # Errors
    /// A raised exception, or why the call could not be made. The block's out words are then undefined.
    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure>;

    /// Carries out the short operation `op`, which has nothing but words. Words behind the block may be variables of a
    /// program and are left as they are, in all three ways for short calls.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    fn short(&self, op: u16, caller: &Caller, words: &mut ShortWords) -> Result<(), Failure> {
        short_by_dispatch(self, op, caller, words, &[])
    }

    /// Carries out the short operation `op`, to which `piece` was sent. The word that refers to it means nothing.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    fn short_in(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
    ) -> Result<(), Failure> {
        short_by_dispatch(self, op, caller, words, piece)
    }

    /// Carries out the short operation `op`, which fills `out`, empty so far; `piece` was sent to it, or is empty if it takes
    /// none. The words that refer to them mean nothing.
    ///
    /// # Errors
    /// As [`Object::dispatch`].
    fn short_out(
        &self,
        op: u16,
        caller: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        short_out_by_dispatch(self, op, caller, words, piece, out)
    }

    /// The short operation `op`, which has nothing but words, as a function: what [`Object::short`] does
    /// ([`direct::entry`](crate::direct::entry)). Objects that are written by hand need none.
    fn entry(&self, _op: u16) -> Option<Entry<'_>> {
        None
    }

    /// Whether the operation `op`, which may wait (`@blocks`), would come back without waiting if `caller` called it now with these words,
    /// as far as that is known within this time. Who calls it on a thread that must not wait asks before, and then calls it at once, on
    /// the same thread.
    fn is_ready(&self, _op: u16, _caller: &Caller, _words: &[u64], _within: Duration) -> bool {
        false
    }

    /// Tells of calls of operation `op` that come next. An object may begin them together, as far as that has no effect: each is still
    /// made, and answers then, or is never made, if the run ends before. Returns for how many of them it need not be told again.
    fn upcoming(&self, _op: u16, _calls: &Upcoming<'_>) -> usize {
        usize::MAX
    }

    /// Puts the service into `place`, if that is an `Option<Arc<dyn Service>>` of the generated trait of an interface that
    /// the object has: such a service is called without a message. Objects that are written by hand need none of this.
    fn lend(&self, _place: &mut dyn Any) {}

    /// The service's own value, so that a service finds its objects again in the portals it is handed.
    fn service(&self) -> &dyn Any;
}

impl fmt::Debug for dyn Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (module, id) = self.interface();
        write!(f, "{}.{}", module.name, module.interfaces[id.index()].name)
    }
}

/// Who is to blame for a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The caller: bad arguments, no such operation, revoked portal.
    Caller,
    /// The service: it raised an exception, or broke its own interface.
    Service,
    /// The peer or the way to it: it died, timed out, or spoke nonsense.
    Peer,
    /// This program: a bug of ours.
    Ourselves,
}

/// What went wrong. The numbers are part of the message format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Kind {
    /// The operation's exception, with the value of its member `kind`.
    Raised = 1,
    /// An argument is not of its type, or leaves its bounds.
    BadArgument = 2,
    /// The interface has no such operation.
    NoSuchOperation = 3,
    /// The session holds no such portal.
    NoSuchPortal = 4,
    /// The portal was revoked.
    Revoked = 5,
    /// Refused by a limit or policy; nothing was done.
    Refused = 6,
    /// The service broke its own interface.
    Service = 7,
    /// The peer is gone; the call may or may not have been done.
    PeerDied = 8,
    /// No answer in time; the call may or may not have been done.
    TimedOut = 9,
    /// The peer sent something that is not a message of this protocol.
    Protocol = 10,
    /// The peer could not be reached; nothing was sent.
    Unreachable = 11,
    /// A bug of ours.
    Internal = 12,
}

impl Kind {
    /// All kinds, for decoding.
    pub const ALL: [Kind; 12] = [
        Kind::Raised,
        Kind::BadArgument,
        Kind::NoSuchOperation,
        Kind::NoSuchPortal,
        Kind::Revoked,
        Kind::Refused,
        Kind::Service,
        Kind::PeerDied,
        Kind::TimedOut,
        Kind::Protocol,
        Kind::Unreachable,
        Kind::Internal,
    ];

    /// The kind with this number.
    #[must_use]
    pub fn from_number(number: u16) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u16 == number)
    }

    /// Who is to blame.
    #[must_use]
    pub fn blame(self) -> Blame {
        match self {
            Kind::BadArgument
            | Kind::NoSuchOperation
            | Kind::NoSuchPortal
            | Kind::Revoked
            | Kind::Refused => Blame::Caller,
            Kind::Raised | Kind::Service => Blame::Service,
            Kind::PeerDied | Kind::TimedOut | Kind::Protocol | Kind::Unreachable => Blame::Peer,
            Kind::Internal => Blame::Ourselves,
        }
    }
}

/// Why a call failed. One word, so that success costs nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(Box<Details>);

/// Set in [`Details::raised`] of an exception that has its members in [`Details::members`].
pub const MEMBERS: u16 = 1 << 15;

/// What a [`Failure`] says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// What went wrong.
    pub kind: Kind,
    /// For [`Kind::Raised`]: the exception's member `kind`, the number of a value of its enum; or [`MEMBERS`] and the
    /// place of the exception among those that the operation raises.
    pub raised: u16,
    /// With [`MEMBERS`]: the exception's members, as one element of a list. Empty otherwise.
    pub members: Vec<u8>,
    /// For people. Names may be any bytes; they are shown as UTF-8 with replacements.
    pub message: String,
}

impl Failure {
    /// A failure of kind `kind`.
    #[must_use]
    #[cold]
    pub fn new(kind: Kind, message: &str) -> Failure {
        Failure(Box::new(Details { kind, raised: 0, members: Vec::new(), message: message.to_owned() }))
    }

    /// A raised exception; `kind` is the number of its enum value.
    #[must_use]
    #[cold]
    pub fn raised(kind: u16, message: String) -> Failure {
        Failure(Box::new(Details { kind: Kind::Raised, raised: kind, members: Vec::new(), message }))
    }

    /// A raised exception with its members; `place` is its place among those that the operation raises.
    #[must_use]
    #[cold]
    pub fn raised_members(place: u16, members: Vec<u8>, message: String) -> Failure {
        Failure(Box::new(Details { kind: Kind::Raised, raised: MEMBERS | place, members, message }))
    }

    /// The caller's fault: an argument is wrong.
    #[must_use]
    #[cold]
    pub fn bad_argument(message: &str) -> Failure {
        Failure::new(Kind::BadArgument, message)
    }

    /// The service broke its own interface.
    #[must_use]
    #[cold]
    pub fn service(message: &str) -> Failure {
        Failure::new(Kind::Service, message)
    }

    #[cold]
    fn too_long(len: usize, max: u32) -> Failure {
        Failure::bad_argument(&format!("an argument of {len} bytes where at most {max} are allowed"))
    }

    /// What it says.
    #[must_use]
    pub fn details(&self) -> &Details {
        &self.0
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}
