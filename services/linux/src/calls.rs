//! The system calls of a session, as its process makes them: the object that programs call.
//!
//! ```text
//! block ─► range and bits of each number, lengths ─► guard: paths, ports ─► the kernel ─► block
//! ```
//! Every operation goes this way, by its `plan`. What an argument may be is said by the interface alone; what the kernel cannot be told by
//! Landlock and seccomp is looked at by the `guard`.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::call::{Areas, Call, Caller, Failure, Object, ShortWords, Upcoming};
use carnet_portal::stub::no_such_operation;
use carnet_syscalls::{ARGUMENTS_MAX, Arg, Descriptors};
use rustix::io::Errno;

use crate::ahead::Ahead;
use crate::errno;
use crate::guard::{ADDRESS_BYTES, Guard};
use crate::layout::{ADDRESS_WORDS, Overflow, read_address, read_entries, until_nul, write_address};
use crate::linux;
use crate::plan::{Holds, Names, Plan, Source, plans};

/// Bytes for a structure that comes back: the kernel's may go on behind the fields that the interface has.
const STRUCT_BYTES: usize = 400;
/// Number of fallocate(2), and its mode that makes room instead of taking it (FALLOC_FL_PUNCH_HOLE).
/// Why a call with a number that its type does not hold is not made.
const NO_INTEGER: &str = "an integer that is not of its type";
const FALLOCATE: u16 = 285;
const PUNCH_HOLE: i64 = 2;
const O_CREAT: i64 = 0x40;
/// What a name of a file counts as, beside the bytes that a symbolic link holds.
const NAME_BYTES: u64 = 256;
/// Bytes of `struct pollfd`.
const POLL_BYTES: usize = 8;

/// The process of a session, as an object.
pub(crate) struct Process {
    descriptors: Descriptors,
    /// What a session may not do; a process that is its own may do all that the kernel lets it do.
    guard: Option<Guard>,
    /// Memory that calls use, one after the other.
    scratch: Mutex<Scratch>,
    /// Bytes that may still be written.
    written_left: AtomicU64,
}

/// For each argument, what is sent or comes back there; and what was begun before it is asked for.
#[derive(Default)]
struct Scratch {
    pieces: [Vec<u8>; ARGUMENTS_MAX],
    ahead: Ahead,
}

/// What the words of a block refer to.
#[derive(Clone, Copy)]
enum Sent<'a> {
    Areas(&'a Areas),
    /// What is sent with a short call.
    Piece(&'a [u8]),
}

impl<'a> Sent<'a> {
    fn bytes(self, word: u64, max: u32) -> Result<&'a [u8], Failure> {
        match self {
            Sent::Areas(areas) => areas.bytes(word, max),
            Sent::Piece(sent) if sent.len() > max as usize => {
                Err(Failure::bad_argument("an argument that is longer than its operation allows"))
            }
            Sent::Piece(sent) => Ok(sent),
        }
    }

    fn text(self, word: u64, max: u32) -> Result<&'a [u8], Failure> {
        let text = self.bytes(word, max)?;
        if text.contains(&0) {
            return Err(Failure::bad_argument("a string contains a NUL byte"));
        }
        Ok(text)
    }
}

/// Why a call has not come back with a value.
pub(crate) enum Wrong {
    /// The kernel's answer, or what stands for it.
    Number(Errno),
    /// The caller's block is none.
    Failure(Failure),
}

impl From<Errno> for Wrong {
    fn from(number: Errno) -> Wrong {
        Wrong::Number(number)
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Failure(failure)
    }
}

impl From<Overflow> for Wrong {
    fn from(Overflow: Overflow) -> Wrong {
        Wrong::Number(Errno::OVERFLOW)
    }
}

impl From<Wrong> for Failure {
    fn from(wrong: Wrong) -> Failure {
        match wrong {
            Wrong::Number(number) => raised(number),
            Wrong::Failure(failure) => failure,
        }
    }
}

/// The exception of an error number.
#[cold]
pub(crate) fn raised(number: Errno) -> Failure {
    let number = u16::try_from(number.raw_os_error()).unwrap_or(0);
    let number = if usize::from(number) < errno::TEXTS.len() { number } else { 0 };
    Failure::raised(number, errno::text(number).to_owned())
}

impl Process {
    /// The process that this is; `written` is how much it may write, and `ring` makes calls of a repeat together.
    pub(crate) fn new(
        descriptors: Descriptors,
        guard: Option<Guard>,
        written: Option<u64>,
        ahead: Ahead,
    ) -> Process {
        let written_left = AtomicU64::new(written.unwrap_or(u64::MAX));
        let scratch = Scratch { ahead, ..Scratch::default() };
        Process { descriptors, guard, scratch: Mutex::new(scratch), written_left }
    }

    /// What was begun for calls that come next is of no use any more.
    pub(crate) fn forget_what_was_begun(&self) {
        self.scratch().ahead.forget();
    }

    /// A single call comes, after which descriptors may be other files'.
    pub(crate) fn forget_rows(&self) {
        self.scratch().ahead.forget_rows();
    }

    fn scratch(&self) -> MutexGuard<'_, Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn whole(&self, plan: &Plan, call: &mut Call<'_>) -> Result<(), Wrong> {
        if call.words.len() != plan.words {
            return Err(Failure::bad_argument("an argument block of another length").into());
        }
        let room = plan.room();
        let mut area = room.map(|word| call.areas.take(call.words[word])).transpose()?;
        let scratch = &mut *self.scratch();
        let into = area.as_mut().map(|area| &mut area.bytes);
        let made = self.make(plan, call.words, Sent::Areas(call.areas), into, scratch);
        if let (Some(word), Some(area)) = (room, area) {
            call.words[word] = call.areas.put(call.words[word], area)?;
        }
        made?;
        give_lists_back(plan, call, &scratch.pieces)
    }

    /// Makes the call; bytes and texts that come back are put behind what `into` holds, numbers into `words`.
    fn make(
        &self,
        plan: &Plan,
        words: &mut [u64],
        sent: Sent<'_>,
        mut into: Option<&mut Vec<u8>>,
        Scratch { pieces, ahead }: &mut Scratch,
    ) -> Result<(), Wrong> {
        if ahead.gives(plan, words, into.as_deref_mut()) {
            return Ok(());
        }
        for (word, range) in &plan.ranges {
            if !range.contains(&words[*word].cast_signed()) {
                return Err(Failure::bad_argument(NO_INTEGER).into());
            }
        }
        fill(plan, words, sent, pieces)?;
        if let Some(guard) = &self.guard {
            guard.look(self.descriptors, plan, words, pieces)?;
        }
        let begins = into.as_ref().map_or(0, |into| into.len());
        let value = {
            let mut args = arguments(plan, words, sent, into.as_deref_mut(), pieces)?;
            let wanted = self.reserve(plan, &args)?;
            let made = match &self.guard {
                Some(guard) => guard.call(self.descriptors, plan, &mut args),
                None => self.descriptors.call(plan.number, &mut args),
            };
            if wanted > 0 {
                let used = match made {
                    Err(_) => 0,
                    // What was allocated is used, and the kernel does not say how much that is; nor what a name takes.
                    Ok(_) if plan.number == FALLOCATE || !plan.writes => wanted,
                    Ok(made) => made.cast_unsigned(),
                };
                self.settle(wanted, used);
            }
            made?
        };
        if let (Some(into), true) = (into, plan.is_text()) {
            let len = until_nul(into.get(begins..).unwrap_or_default()).len();
            into.truncate(begins + len);
        }
        if let Some(word) = plan.value {
            words[word] = value.cast_unsigned();
        }
        give_back(plan, words, pieces)?;
        Ok(())
    }

    /// Takes what a call may write from what is left.
    fn reserve(&self, plan: &Plan, args: &[Arg<'_>]) -> Result<u64, Errno> {
        let left = &self.written_left;
        let take = |wanted: u64| {
            let taken = |left: u64| left.checked_sub(wanted);
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken)
                .map(|_| wanted)
                .map_err(|_| Errno::DQUOT)
        };
        if !plan.writes {
            return take(name_bytes(plan, args));
        }
        let sent =
            args.iter().find_map(|arg| if let Arg::Bytes(bytes) = arg { Some(bytes.len()) } else { None });
        let wanted = match (sent, args) {
            (Some(sent), _) => sent as u64,
            (None, [_, Arg::Number(mode), ..]) if plan.number == FALLOCATE && mode & PUNCH_HOLE != 0 => 0,
            // Which the kernel refuses.
            (None, [.., Arg::Number(n)]) if plan.number == FALLOCATE && *n < 0 => 0,
            // sendfile, fallocate, splice, copy_file_range.
            (None, [.., Arg::Number(n)] | [.., Arg::Number(n), Arg::Number(_)]) if args.len() == 4 => {
                *n as u64
            }
            (None, [_, _, _, _, Arg::Number(n), _]) => *n as u64,
            _ => 0,
        };
        take(wanted)
    }

    fn settle(&self, wanted: u64, used: u64) {
        let unused = wanted.saturating_sub(used);
        self.written_left.fetch_add(unused, Ordering::Relaxed);
    }
}

/// What the name counts as that a call makes, or may make.
fn name_bytes(plan: &Plan, args: &[Arg<'_>]) -> u64 {
    match (plan.names, args) {
        (Names::IfCreated(at), _) => match args.get(at) {
            Some(Arg::Number(flags)) if flags & O_CREAT != 0 => NAME_BYTES,
            _ => 0,
        },
        (Names::Link, [Arg::Bytes(says), ..]) => NAME_BYTES + says.len() as u64,
        (Names::One | Names::Link, _) => NAME_BYTES,
        (Names::None, _) => 0,
    }
}

/// Makes of each argument that the kernel has in another form what it expects, and room for what comes back.
fn fill(
    plan: &Plan,
    words: &[u64],
    sent: Sent<'_>,
    pieces: &mut [Vec<u8>; ARGUMENTS_MAX],
) -> Result<(), Wrong> {
    for (source, piece) in plan.sources.iter().zip(pieces) {
        piece.clear();
        match source {
            Source::Text { word, max } => {
                piece.extend_from_slice(sent.text(words[*word], *max)?);
                piece.push(0);
            }
            Source::Struct { word, layout } | Source::Changed { word, layout, .. } => {
                layout.write(&words[*word..], piece);
            }
            Source::Address { word } => {
                write_address(&words[*word..], piece).ok_or(Errno::AFNOSUPPORT)?;
            }
            Source::Int { word } => piece.extend((words[*word] as u32).to_le_bytes()),
            Source::List { word, layout, max, .. } => {
                let Sent::Areas(areas) = sent else { continue };
                let list = areas.list.get(carnet_portal::call::Ref(words[*word]).area());
                let list = list.ok_or_else(|| Failure::bad_argument("a reference names no list"))?;
                let elements = list.words.chunks_exact(layout.fields.len().max(1));
                if elements.len() > *max as usize {
                    return Err(
                        Failure::bad_argument("a list that is longer than its operation allows").into()
                    );
                }
                for element in elements {
                    if !layout.has_room_for(element) {
                        return Err(Failure::bad_argument(NO_INTEGER).into());
                    }
                    layout.write(element, piece);
                }
            }
            Source::Returned { layout, .. } => piece.resize(layout.size.max(STRUCT_BYTES), 0),
            Source::ReturnedAddress { .. } => piece.resize(ADDRESS_BYTES, 0),
            Source::ReturnedInt { .. } => piece.resize(4, 0),
            _ => {}
        }
    }
    Ok(())
}

/// The arguments as the floor takes them.
fn arguments<'a>(
    plan: &Plan,
    words: &[u64],
    sent: Sent<'a>,
    mut into: Option<&'a mut Vec<u8>>,
    pieces: &'a mut [Vec<u8>; ARGUMENTS_MAX],
) -> Result<Vec<Arg<'a>>, Wrong> {
    let mut args: Vec<Arg<'a>> = Vec::with_capacity(ARGUMENTS_MAX);
    let mut before = 0;
    for (source, piece) in plan.sources.iter().zip(pieces) {
        let len = piece.len();
        let arg = match source {
            Source::Constant(number) => Arg::Number(*number),
            Source::Value { word, allowed, cut } => Arg::Number(value(words[*word], *allowed, *cut)?),
            Source::Bytes { word, max } => {
                let bytes = sent.bytes(words[*word], *max)?;
                before = bytes.len();
                args.push(Arg::Bytes(bytes));
                continue;
            }
            Source::SentSize | Source::ReturnedSize => Arg::Number(before as i64),
            Source::Elements => Arg::Number((before / POLL_BYTES) as i64),
            Source::Text { .. } | Source::Struct { .. } | Source::Address { .. } | Source::Int { .. } => {
                Arg::Bytes(piece)
            }
            Source::List { .. }
            | Source::Changed { .. }
            | Source::Returned { .. }
            | Source::ReturnedAddress { .. }
            | Source::ReturnedInt { .. } => Arg::Changed(piece),
            Source::Room { holds: Holds::Entries, max, .. } => Arg::Room(piece, *max),
            Source::Room { max, .. } => match into.take() {
                Some(into) => Arg::Room(into, *max),
                None => return Err(Failure::bad_argument("there is no room for what comes back").into()),
            },
        };
        before = len;
        args.push(arg);
    }
    // Room is as large as the size behind it says.
    for at in 1..args.len() {
        if let (Some([Arg::Room(_, room), Arg::Number(n)]), true) = (args.get_mut(at - 1..=at), true) {
            *room = usize::try_from(*n).unwrap_or(0).min(*room);
        }
    }
    Ok(args)
}

fn value(word: u64, allowed: Option<i64>, cut: Option<i64>) -> Result<i64, Errno> {
    let value = word.cast_signed();
    let is_refused = allowed.is_some_and(|allowed| value & !allowed != 0) || cut.is_some() && value < 0;
    if is_refused { Err(Errno::INVAL) } else { Ok(cut.map_or(value, |cut| value.min(cut))) }
}

/// Reads the numbers of what came back.
fn give_back(plan: &Plan, words: &mut [u64], pieces: &[Vec<u8>; ARGUMENTS_MAX]) -> Result<(), Overflow> {
    for (source, piece) in plan.sources.iter().zip(pieces) {
        match source {
            Source::Returned { word, layout } | Source::Changed { word: _, layout, back: word } => {
                layout.read(piece, &mut words[*word..])?;
            }
            Source::ReturnedAddress { word } => {
                read_address(piece, &mut words[*word..*word + ADDRESS_WORDS]);
            }
            Source::ReturnedInt { word } => {
                let int = piece.first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes));
                words[*word] = i64::from(int).cast_unsigned();
            }
            _ => {}
        }
    }
    Ok(())
}

/// Reads the lists and the texts of structures that came back.
fn give_lists_back(plan: &Plan, call: &mut Call<'_>, pieces: &[Vec<u8>; ARGUMENTS_MAX]) -> Result<(), Wrong> {
    for (source, piece) in plan.sources.iter().zip(pieces) {
        match source {
            Source::Room { word, holds: Holds::Entries, .. } => {
                let mut area = call.take(*word)?;
                read_entries(piece, &mut area)?;
                call.put(*word, area)?;
            }
            Source::List { layout, back, .. } => {
                let mut area = call.take(*back)?;
                for bytes in piece.chunks_exact(layout.size.max(1)) {
                    let mut element = vec![0; layout.fields.len()];
                    layout.read(bytes, &mut element)?;
                    area.words.extend(element);
                }
                call.put(*back, area)?;
            }
            Source::Returned { word, layout } => {
                for (at, text) in layout.texts(piece) {
                    let mut area = call.take(*word + at)?;
                    area.bytes.extend_from_slice(text);
                    call.put(*word + at, area)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

impl Object for Process {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (linux::module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let plan = plan_of(op)?;
        Ok(self.whole(plan, call)?)
    }

    fn short(&self, op: u16, _: &Caller, words: &mut ShortWords) -> Result<(), Failure> {
        self.short_call(op, words, &[], None)
    }

    fn short_in(&self, op: u16, _: &Caller, words: &mut ShortWords, piece: &[u8]) -> Result<(), Failure> {
        self.short_call(op, words, piece, None)
    }

    fn short_out(
        &self,
        op: u16,
        _: &Caller,
        words: &mut ShortWords,
        piece: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        self.short_call(op, words, piece, Some(out))
    }

    fn upcoming(&self, op: u16, calls: &Upcoming<'_>) -> usize {
        match plan_of(op) {
            Ok(plan) => self.scratch().ahead.begin(self.descriptors, plan, calls),
            Err(_) => usize::MAX,
        }
    }

    fn service(&self) -> &dyn Any {
        self
    }
}

impl Process {
    fn short_call(
        &self,
        op: u16,
        words: &mut ShortWords,
        piece: &[u8],
        out: Option<&mut Vec<u8>>,
    ) -> Result<(), Failure> {
        let plan = plan_of(op)?;
        let words = words
            .get_mut(..plan.words)
            .ok_or_else(|| Failure::bad_argument("an operation that is not a short one"))?;
        Ok(self.make(plan, words, Sent::Piece(piece), out, &mut self.scratch())?)
    }
}

fn plan_of(op: u16) -> Result<&'static Plan, Failure> {
    plans().get(usize::from(op)).ok_or_else(|| no_such_operation::<linux::System>(op))
}
