//! Threads and monitors.

use std::time::{Duration, Instant};

use super::{Call, Outcome, Rows, Trap, nothing};
use crate::domain::NOTIFIED;
use crate::heap::{NULL, Ref};
use crate::thread::{Ending, Leaving, STACK_LEAST, ThreadId, Wait};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Object",
        &[
            ("notify", "()V", |call| notify(call, 1)),
            ("notifyAll", "()V", |call| notify(call, usize::MAX)),
            ("wait", "(J)V", wait),
        ],
    ),
    (
        "java/lang/Thread",
        &[
            ("currentThread", "()Ljava/lang/Thread;", |call| Ok(Outcome::Reference(call.thread.object))),
            ("start0", "()V", start),
            ("isAlive", "()Z", is_alive),
            ("getState", "()Ljava/lang/Thread$State;", state),
            ("yield", "()V", next_turn),
            ("sleep", "(J)V", sleep),
            ("onSpinWait", "()V", next_turn),
            ("holdsLock", "(Ljava/lang/Object;)Z", |call| {
                let object = call.object(0)?;
                Ok(Outcome::Int(i32::from(call.domain.holds(call.thread, object)? > 0)))
            }),
            ("interrupt0", "()V", interrupt),
            ("clearInterruptEvent", "()V", nothing),
            ("setPriority0", "(I)V", nothing),
            ("setNativeName", "(Ljava/lang/String;)V", nothing),
        ],
    ),
    ("jdk/internal/misc/Unsafe", &[("park", "(ZJ)V", park), ("unpark", "(Ljava/lang/Object;)V", unpark)]),
    (
        "java/lang/ref/Reference",
        &[
            ("getAndClearReferencePendingList", "()Ljava/lang/ref/Reference;", cleared_references),
            ("hasReferencePendingList", "()Z", |call| {
                Ok(Outcome::Int(i32::from(!call.domain.cleared.is_empty())))
            }),
            ("waitForReferencePendingList", "()V", |call| {
                if !call.domain.cleared.is_empty() {
                    return Ok(Outcome::Void);
                }
                call.thread.wait = Wait::References;
                Err(Trap::Wait)
            }),
            ("refersTo0", "(Ljava/lang/Object;)Z", refers_to),
            ("clear0", "()V", |call| {
                let object = call.object(0)?;
                let at = call.domain.places.referent;
                call.domain.heap.space.set_u32(object, at, NULL)?;
                Ok(Outcome::Void)
            }),
        ],
    ),
    ("java/lang/ref/PhantomReference", &[("refersTo0", "(Ljava/lang/Object;)Z", refers_to)]),
];

/// References that were cleared and not handed to their queues yet, each linked to the next.
fn cleared_references(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let mut first = NULL;
    for reference in std::mem::take(&mut call.domain.cleared) {
        call.domain.set_field(reference, b"discovered", b"Ljava/lang/ref/Reference;", first)?;
        first = reference;
    }
    Ok(Outcome::Reference(first))
}

fn refers_to(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let referent = call.domain.heap.space.u32(object, call.domain.places.referent)?;
    Ok(Outcome::Int(i32::from(referent == call.reference(1))))
}

fn monitor_error() -> Trap {
    Trap::New("java/lang/IllegalMonitorStateException", Some("current thread is not owner".to_owned()))
}

fn notify(call: &mut Call<'_>, most: usize) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    if call.domain.holds(call.thread, object)? == 0 {
        return Err(monitor_error());
    }
    call.domain.notify(object, most);
    Ok(Outcome::Void)
}

/// Whether the thread was interrupted.
fn is_interrupted(call: &Call<'_>) -> Result<bool, Trap> {
    let object = call.thread.object;
    Ok(object != NULL && call.domain.heap.space.u8(object, call.domain.places.interrupted)? != 0)
}

/// The exception of a thread that was interrupted, and is not any more. Its class was initialized before.
fn interrupted_error(call: &mut Call<'_>, text: Option<&str>) -> Result<Outcome, Trap> {
    call.domain.heap.space.set_u8(call.thread.object, call.domain.places.interrupted, 0)?;
    Err(Trap::New(INTERRUPTED, text.map(str::to_owned)))
}

const INTERRUPTED: &str = "java/lang/InterruptedException";

fn negative() -> Trap {
    Trap::New("java/lang/IllegalArgumentException", Some("timeout value is negative".to_owned()))
}

/// Waiting goes on in steps, each a call of this native: give the monitor up; be woken; have the monitor again.
fn wait(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let millis = call.long(1);
    if millis < 0 {
        return Err(negative());
    }
    if call.thread.phase == 0 {
        if call.domain.holds(call.thread, object)? == 0 {
            return Err(monitor_error());
        }
        call.core_class(INTERRUPTED)?;
        if is_interrupted(call)? {
            return interrupted_error(call, None);
        }
        call.domain.wait_for(call.thread, object)?;
        call.thread.deadline = deadline(Duration::from_millis(millis as u64), millis != 0);
        return Err(Trap::Wait);
    }
    if !call.domain.enter_again(call.thread, object)? {
        return Err(Trap::Wait);
    }
    let notified = call.thread.phase & NOTIFIED != 0;
    call.thread.phase = 0;
    if !notified && is_interrupted(call)? {
        return interrupted_error(call, None);
    }
    Ok(Outcome::Void)
}

fn deadline(after: Duration, is_set: bool) -> Option<Instant> {
    if is_set { Instant::now().checked_add(after) } else { None }
}

fn start(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let class = call.domain.heap.space.class_of(object)?;
    let run = call.method_of(class, "run", "()V")?;
    let run = call.universe.method(run).ok_or(Trap::Stray)?;
    if call.domain.translated(run).is_none() {
        let name = call.universe.method_name(run);
        return Err(Trap::New("java/lang/UnsupportedOperationException", Some(name)));
    }
    let running = call.thread.stack_bytes().max(STACK_LEAST);
    let mut thread = call.domain.add_thread(running)?;
    thread.object = object;
    thread.ending = Ending::Starts;
    let (space, places) = (&mut call.domain.heap.space, call.domain.places);
    space.set_u32(object, places.status, RUNNABLE)?;
    space.set_u64(object, places.thread, u64::from(thread.id.0))?;
    call.domain.start(thread);
    Ok(Outcome::Void)
}

/// The thread of a `Thread` object, if it is alive.
fn thread_of(call: &Call<'_>, object: Ref) -> Result<Option<ThreadId>, Trap> {
    let id = ThreadId(call.domain.heap.space.u64(object, call.domain.places.thread)? as u32);
    Ok((id.0 != 0 && (id == call.thread.id || call.domain.threads.contains_key(&id))).then_some(id))
}

fn is_alive(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    Ok(Outcome::Int(i32::from(thread_of(call, object)?.is_some())))
}

/// `threadStatus` of a thread that can run.
const RUNNABLE: u32 = 5;

/// The state of a thread: what it waits for is asked when somebody wants to know, and not told each time (JVMTI's values).
fn state(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let machine = call.core_class("jdk/internal/misc/VM")?;
    let tell = call.method_of(machine, "toThreadState", "(I)Ljava/lang/Thread$State;")?;
    let object = call.object(0)?;
    let status = match thread_of(call, object)?.and_then(|id| call.domain.other(id)) {
        None => call.domain.heap.space.u32(object, call.domain.places.status)?,
        Some(thread) => match (thread.wait, thread.deadline) {
            (Wait::Monitor(_), _) => 0x401,
            (Wait::Notify(_), None) => 0x191,
            (Wait::Notify(_), Some(_)) => 0x1a1,
            (Wait::Park, None) => 0x291,
            (Wait::Park, Some(_)) => 0x2a1,
            (Wait::Sleep, _) => 0xe1,
            (Wait::References, _) => 0x191,
            (Wait::Nothing | Wait::Class(_) | Wait::Work, _) => RUNNABLE,
        },
    };
    call.set_number(0, u64::from(status));
    Ok(Outcome::Call(tell, Leaving::Plain))
}

fn sleep(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let millis = call.long(0);
    if millis < 0 {
        return Err(negative());
    }
    if call.thread.phase == 0 {
        call.core_class(INTERRUPTED)?;
    }
    if is_interrupted(call)? {
        call.thread.phase = 0;
        return interrupted_error(call, Some("sleep interrupted"));
    }
    if call.thread.phase == 0 {
        call.thread.phase = 1;
        call.thread.wait = Wait::Sleep;
        call.thread.deadline = deadline(Duration::from_millis(millis as u64), true);
        return Err(Trap::Wait);
    }
    call.thread.phase = 0;
    Ok(Outcome::Void)
}

/// Lets all others that can run have their turn.
fn next_turn(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    if call.thread.phase == 0 {
        call.thread.phase = 1;
        return Err(Trap::Wait);
    }
    call.thread.phase = 0;
    Ok(Outcome::Void)
}

/// Wakes a thread that waits; its object says already that it was interrupted.
fn interrupt(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let waits = |wait| matches!(wait, Wait::Notify(_) | Wait::Park | Wait::Sleep);
    if let Some(id) = thread_of(call, object)?
        && call.domain.other(id).is_some_and(|thread| waits(thread.wait))
    {
        call.domain.wake_early(id)?;
    }
    Ok(Outcome::Void)
}

/// `park(isAbsolute, time)`: nanoseconds, or milliseconds since 1970.
fn park(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    if call.thread.permit || is_interrupted(call)? || call.thread.phase != 0 {
        call.thread.permit = false;
        call.thread.phase = 0;
        return Ok(Outcome::Void);
    }
    let (is_absolute, time) = (call.int(1) != 0, call.long(2));
    let after = if is_absolute {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Duration::from_millis(time.max(0) as u64).saturating_sub(now)
    } else {
        Duration::from_nanos(time.max(0) as u64)
    };
    call.thread.phase = 1;
    call.thread.wait = Wait::Park;
    call.thread.deadline = deadline(after, is_absolute || time > 0);
    Err(Trap::Wait)
}

fn unpark(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.reference(1);
    if object == NULL {
        return Ok(Outcome::Void);
    }
    match thread_of(call, object)? {
        Some(id) if id == call.thread.id => call.thread.permit = true,
        Some(id) => {
            if let Some(thread) = call.domain.other(id) {
                if thread.wait == Wait::Park {
                    call.domain.wake(id);
                } else {
                    thread.permit = true;
                }
            }
        }
        None => {}
    }
    Ok(Outcome::Void)
}
