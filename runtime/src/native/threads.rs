//! Threads and monitors.

use std::time::{Duration, Instant};

use super::{Call, Outcome, Rows, Trap, nothing};
use crate::heap::{NULL, Ref};
use crate::interpret::Fault;
use crate::thread::{ThreadId, Wait};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Object",
        &[
            ("notify", "", |call| notify(call, 1)),
            ("notifyAll", "", |call| notify(call, usize::MAX)),
            ("wait", "(J)V", wait),
        ],
    ),
    (
        "java/lang/Thread",
        &[
            ("currentThread", "", |call| Ok(Outcome::Reference(call.thread.object))),
            ("start0", "", start),
            ("isAlive", "", is_alive),
            ("yield", "", |call| sleep_for(call, Some(Duration::ZERO))),
            ("sleep", "(J)V", sleep),
            ("onSpinWait", "", |call| sleep_for(call, Some(Duration::ZERO))),
            ("holdsLock", "", |call| {
                let object = call.object(0)?;
                Ok(Outcome::Int(i32::from(call.domain.holds(call.thread, object) > 0)))
            }),
            ("interrupt0", "", interrupt),
            ("clearInterruptEvent", "", |call| {
                call.thread.interrupted = false;
                Ok(Outcome::Void)
            }),
            ("setPriority0", "", nothing),
            ("setNativeName", "", nothing),
            ("suspend0", "", nothing),
            ("resume0", "", nothing),
            ("stop0", "", nothing),
        ],
    ),
    ("jdk/internal/misc/Unsafe", &[("park", "", park), ("unpark", "", unpark)]),
    (
        "java/lang/ref/Reference",
        &[
            ("getAndClearReferencePendingList", "", super::lang::null),
            ("hasReferencePendingList", "", super::lang::no),
            ("waitForReferencePendingList", "", |call| {
                call.thread.wait = Wait::Work;
                Err(Trap::Wait)
            }),
            ("refersTo0", "", refers_to),
            ("clear0", "", |call| {
                let object = call.object(0)?;
                let at = call.domain.places.referent;
                call.domain.heap.space.set_u32(object, at, NULL)?;
                Ok(Outcome::Void)
            }),
        ],
    ),
    ("java/lang/ref/PhantomReference", &[("refersTo0", "", refers_to)]),
];

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
    if call.domain.holds(call.thread, object) == 0 {
        return Err(monitor_error());
    }
    call.domain.notify(object, most);
    Ok(Outcome::Void)
}

/// Whether a thread was interrupted; asked and cleared for it.
fn interrupted(call: &mut Call<'_>) -> Result<bool, Trap> {
    let was = call.thread.interrupted;
    call.thread.interrupted = false;
    if was && call.thread.object != NULL {
        call.domain.set_field(call.thread.object, b"interrupted", b"Z", 0)?;
    }
    Ok(was)
}

fn interrupted_error(text: Option<&str>) -> Trap {
    Trap::New("java/lang/InterruptedException", text.map(str::to_owned))
}

/// Waiting goes on in steps, each a call of this native: give the monitor up; be woken; have the monitor again.
fn wait(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    let millis = call.long(1);
    if millis < 0 {
        return Err(Trap::New(
            "java/lang/IllegalArgumentException",
            Some("timeout value is negative".to_owned()),
        ));
    }
    if call.thread.phase == 0 {
        if call.domain.holds(call.thread, object) == 0 {
            return Err(monitor_error());
        }
        if interrupted(call)? {
            return Err(interrupted_error(None));
        }
        call.domain.wait_for(call.thread, object);
        call.thread.deadline = deadline(Duration::from_millis(millis as u64), millis != 0);
        return Err(Trap::Wait);
    }
    call.domain.stop_waiting(call.thread.id, object);
    if !call.domain.enter_again(call.thread, object)? {
        return Err(Trap::Wait);
    }
    if interrupted(call)? {
        return Err(interrupted_error(None));
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
    let mut thread = call.domain.add_thread()?;
    thread.object = object;
    thread.reserve(0);
    thread.references[0] = object;
    // A synchronized `run` is called by one that is not.
    let method = if run.has(carnet_classes::class::flags::SYNCHRONIZED) {
        return Err(Trap::New(
            "java/lang/UnsupportedOperationException",
            Some("a synchronized run() of a thread".to_owned()),
        ));
    } else {
        run.id
    };
    call.domain.put(&mut thread, method)?;
    // Alive, and runnable.
    call.domain.set_field(object, b"threadStatus", b"I", 5)?;
    let field = call.domain.field_of(object, b"eetop", b"J")?;
    call.domain.heap.space.set_u64(object, field.place, u64::from(thread.id.0))?;
    call.domain.start(thread);
    Ok(Outcome::Void)
}

/// The thread of a `Thread` object, if it is alive.
fn thread_of(call: &Call<'_>, object: Ref) -> Result<Option<ThreadId>, Trap> {
    let field = call.domain.field_of(object, b"eetop", b"J")?;
    let id = ThreadId(call.domain.heap.space.u64(object, field.place)? as u32);
    Ok((id.0 != 0 && (id == call.thread.id || call.domain.threads.contains_key(&id))).then_some(id))
}

fn is_alive(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    Ok(Outcome::Int(i32::from(thread_of(call, object)?.is_some())))
}

fn sleep(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let millis = call.long(0);
    if millis < 0 {
        return Err(Trap::New(
            "java/lang/IllegalArgumentException",
            Some("timeout value is negative".to_owned()),
        ));
    }
    if interrupted(call)? {
        call.thread.phase = 0;
        return Err(interrupted_error(Some("sleep interrupted")));
    }
    sleep_for(call, Some(Duration::from_millis(millis as u64)))
}

fn sleep_for(call: &mut Call<'_>, time: Option<Duration>) -> Result<Outcome, Trap> {
    if call.thread.phase == 0 {
        call.thread.phase = 1;
        call.thread.wait = Wait::Sleep;
        call.thread.deadline = time.and_then(|time| Instant::now().checked_add(time));
        return Err(Trap::Wait);
    }
    call.thread.phase = 0;
    Ok(Outcome::Void)
}

fn interrupt(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    match thread_of(call, object)? {
        Some(id) if id == call.thread.id => call.thread.interrupted = true,
        Some(id) => {
            if let Some(thread) = call.domain.other(id) {
                thread.interrupted = true;
                if matches!(thread.wait, Wait::Notify(_) | Wait::Park | Wait::Sleep) {
                    call.domain.wake(id);
                }
            }
        }
        None => {}
    }
    Ok(Outcome::Void)
}

/// `park(isAbsolute, time)`: nanoseconds, or milliseconds since 1970.
fn park(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    if call.thread.permit || call.thread.interrupted || call.thread.phase != 0 {
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

const _: Fault = Fault::Null;
