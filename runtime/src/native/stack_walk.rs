//! `StackWalker`: the library asks for frames in batches, and does all else.
//!
//! The frames that a walk looks at do not change while it goes on, since all are below its own. How far it came is in `anchor`: twice the number
//! of frames that are left, one more if of the next one only the native is left that called it, and one, since 0 says that the walk is over.

use carnet_classes::class::flags;

use super::member_name::{IS_CONSTRUCTOR, IS_METHOD, method_named};
use super::throwable::set_element;
use super::{Call, Outcome, Rows, Trap};
use crate::class::{Method, MethodId};
use crate::domain::{IN_NATIVE, units};
use crate::heap::{ELEMENTS, Ref};
use crate::thread::{BELOW, Leaving};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    ("java/lang/StackStreamFactory", &[("checkStackWalkModes", "()Z", super::lang::yes)]),
    (
        WALKERS,
        &[
            ("callStackWalk", "(JIII[Ljava/lang/Object;)Ljava/lang/Object;", begin),
            ("fetchStackFrames", "(JJII[Ljava/lang/Object;)I", fetch),
        ],
    ),
    (
        "java/lang/StackTraceElement",
        &[("initStackTraceElement", "(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V", element)],
    ),
];

const WALKERS: &str = "java/lang/StackStreamFactory$AbstractStackWalker";
const OBJECT: &[u8] = b"Ljava/lang/Object;";
/// In the mode of a walk: it wants classes and no methods.
const CLASSES_ONLY: i64 = 2;

/// `callStackWalk(long mode, int skip, int count, int start, Object[] buffer)`
fn begin(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let universe = call.universe;
    let walkers = universe.load(WALKERS.as_bytes())?;
    let walker = universe.load(b"java/lang/StackWalker")?;
    let walks = |method: MethodId| {
        let class = universe.method(method).and_then(|method| universe.class(method.class));
        class.is_some_and(|class| class.id == walker || class.line.contains(&walkers))
    };
    let own = call.thread.frames.iter().rev().take_while(|frame| walks(frame.method)).count();
    let frames = call.thread.frames.len() - own;
    let (start, buffer) = (call.int(5), call.object(6)?);
    let (end, left) = fill(call, 2 * frames, (call.int(4), start, buffer))?;
    let walk = call.method_of(walkers, "doStackWalk", "(JIIII)Ljava/lang/Object;")?;
    let this = call.object(0)?;
    let (skipped, count) = (call.long(3) as u64, call.long(4) as u64);
    let numbers = [(1, left as u64 + 1), (3, skipped), (4, count), (5, start as u64), (6, u64::from(end))];
    call.thread.reserve(call.base + BELOW);
    call.set_reference(BELOW, this);
    for (slot, number) in numbers {
        call.set_number(BELOW + slot, number);
    }
    Ok(Outcome::Call(walk, Leaving::Walk(call.as_caller())))
}

/// `fetchStackFrames(long mode, long anchor, int count, int start, Object[] buffer)`
fn fetch(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let left = usize::try_from(call.long(3) - 1).map_err(|_| Trap::Stray)?;
    let (end, left) = fill(call, left, (call.int(5), call.int(6), call.object(7)?))?;
    let this = call.object(0)?;
    let anchor = call.domain.field_of(this, b"anchor", b"J")?.place;
    call.domain.heap.space.set_u64(this, anchor, left as u64 + 1)?;
    Ok(Outcome::Int(end as i32))
}

/// Puts so many frames into an array from an index on, of those that are left. Returns the index behind them, and what is left then.
fn fill(call: &mut Call<'_>, left: usize, to: (i32, i32, Ref)) -> Result<(u32, usize), Trap> {
    let (count, start, buffer) = to;
    let length = call.domain.heap.space.length(buffer)?;
    let start = u32::try_from(start).map_err(|_| Trap::Stray)?;
    let room = length.saturating_sub(start).min(u32::try_from(count).unwrap_or(0)) as usize;
    let mut told: Vec<(usize, MethodId, u32)> =
        call.domain.told(call.thread, left / 2).skip(left % 2).take(room + 1).collect();
    let rest = told.get(room).map_or(0, |next| {
        let is_begun = room.checked_sub(1).map_or(left % 2 == 1, |last| told[last].0 == next.0);
        2 * (next.0 + 1) + usize::from(is_begun)
    });
    told.truncate(room);
    let method = |id: MethodId| call.universe.method(id).ok_or(Trap::Stray);
    let mut methods = Vec::with_capacity(told.len());
    let mut bytes = 0;
    for (_, id, offset) in &told {
        let method = method(*id)?;
        let texts = [method.name, method.descriptor].map(|text| call.universe.symbols.text(text).len());
        bytes += 1024 + 2 * texts.iter().sum::<usize>();
        methods.push((method, *offset));
    }
    call.domain.heap.read((left - rest) / 2);
    call.room(bytes)?;
    let classes_only = call.long(1) & CLASSES_ONLY != 0;
    for ((method, offset), at) in methods.into_iter().zip(start..) {
        let place = ELEMENTS + 4 * at;
        let class = call.domain.mirror(method.class)?;
        if classes_only {
            call.domain.heap.space.set_u32(buffer, place, class)?;
        } else {
            let frame = call.domain.heap.space.u32(buffer, place)?;
            set_frame(call, frame, class, method, offset)?;
        }
    }
    Ok((start + told.len() as u32, rest))
}

/// Sets all of a `StackFrameInfo`, which has a `MemberName` without a member.
fn set_frame(call: &mut Call<'_>, frame: Ref, class: Ref, method: &Method, offset: u32) -> Result<(), Trap> {
    let name = call.universe.symbols.text(method.name);
    let kind = if name == b"<init>" { IS_CONSTRUCTOR } else { IS_METHOD };
    let name = call.domain.intern(&units(name))?;
    let descriptor = call.domain.intern(&units(call.universe.symbols.text(method.descriptor)))?;
    let member = call.domain.get_field(frame, b"memberName", OBJECT)?;
    call.domain.set_field(member, b"clazz", b"Ljava/lang/Class;", class)?;
    call.domain.set_field(member, b"name", b"Ljava/lang/String;", name)?;
    call.domain.set_field(member, b"type", OBJECT, descriptor)?;
    call.domain.set_field(member, b"flags", b"I", kind | u32::from(method.flags))?;
    call.domain.set_field(frame, b"bci", b"I", if method.has(flags::NATIVE) { IN_NATIVE } else { offset })
}

/// `initStackTraceElement(StackTraceElement, StackFrameInfo)`
fn element(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (element, frame) = (call.object(0)?, call.object(1)?);
    let member = call.domain.get_field(frame, b"memberName", OBJECT)?;
    let offset = call.domain.get_field(frame, b"bci", b"I")?;
    let method = method_named(call, member)?;
    call.room(4096)?;
    set_element(call, element, method, offset)?;
    Ok(Outcome::Void)
}
