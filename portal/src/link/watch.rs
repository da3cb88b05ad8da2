//! The thread that watches the sockets of all who sleep on shared memory without a deadline.
//!
//! A sleep that ends by the clock is entered into the system's list of timers and taken out again, which is a tenth of a call
//! between two processes on one processor. So sleepers leave the clock to one thread of the process:
//!
//! ```text
//! first sleep ─► watched ─┐
//! thread:  wait for the end of a socket ─► its link is over, and its sleepers wake
//!            └ 640 ms over ─► all sleepers wake, and look: a peer may have written without ringing
//! ```
//! It begins with the first that is watched, and ends with the last. It serves nobody and waits for nobody.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, Weak};

use rustix::event::epoll;

use super::shared::{SLICE_MAX, Shared};
use super::timespec;
use crate::session::lock;

/// Ends of sockets that are taken at once.
const EVENTS: usize = 64;

static WATCH: Mutex<Option<Watch>> = Mutex::new(None);

/// What the thread watches.
struct Watch {
    sockets: Arc<OwnedFd>,
    links: BTreeMap<u64, Weak<Shared>>,
    /// The number of the next.
    next: u64,
}

/// Has a link watched whose end is that of `socket`; whether it is. Without room for one more thread or descriptor it is not.
#[cold]
pub(super) fn watch(link: &Weak<Shared>, socket: impl AsFd) -> bool {
    let mut watch = lock(&WATCH);
    let Some(watch) = start_unless_running(&mut watch) else { return false };
    // Told once: a link whose end was seen is not watched any more.
    let wanted = epoll::EventFlags::RDHUP | epoll::EventFlags::ONESHOT;
    let number = epoll::EventData::new_u64(watch.next);
    let is_watched = epoll::add(&*watch.sockets, socket, number, wanted).is_ok();
    watch.links.extend(is_watched.then(|| (watch.next, Weak::clone(link))));
    watch.next += 1;
    is_watched
}

fn start_unless_running(watch: &mut Option<Watch>) -> Option<&mut Watch> {
    if watch.is_none() {
        let sockets = Arc::new(epoll::create(epoll::CreateFlags::CLOEXEC).ok()?);
        let watched = Arc::clone(&sockets);
        let thread = std::thread::Builder::new().name("carnet-watcher".to_owned());
        thread.spawn(move || run(&watched)).ok()?;
        *watch = Some(Watch { sockets, links: BTreeMap::new(), next: 0 });
    }
    watch.as_mut()
}

fn run(sockets: &OwnedFd) {
    loop {
        let mut events = [const { MaybeUninit::uninit() }; EVENTS];
        // Interrupted by a signal, it looks after all before it is time.
        let ended = epoll::wait(sockets, &mut events, Some(&timespec(SLICE_MAX)));
        let ended = ended.map_or(&[][..], |(ended, _)| ended);
        let Some(links) = needy(ended) else { return };
        links.iter().for_each(|link| link.look_after());
    }
}

/// The links whose sockets have `ended`, or all, if none has; `None` if there are no more, and the thread must end.
fn needy(ended: &[epoll::Event]) -> Option<Vec<Arc<Shared>>> {
    let mut slot = lock(&WATCH);
    let watch = slot.as_mut()?;
    watch.links.retain(|_, link| link.strong_count() > 0);
    if watch.links.is_empty() {
        *slot = None;
        return None;
    }
    let link = |number: u64| watch.links.get(&number).and_then(Weak::upgrade);
    Some(match ended {
        [] => watch.links.values().filter_map(Weak::upgrade).collect(),
        ended => ended.iter().filter_map(|event| link(event.data.u64())).collect(),
    })
}
