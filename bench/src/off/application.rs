//! The applications whose pages are served: this program again, which touches as many pages as it is told to and says how long each
//! took.
//!
//! ```text
//! bench ── how many, 4 bytes ──► application ── touches them, one after the other
//!       ◄── ns for all, 8 bytes ──┘
//! ```
//! One has its pages from a bank. The other is the floor: a thread of its own serves them with the same `Pager`, and nothing else
//! happens. Before it is told again, the pages are taken away: by the pager at the bank, or by the floor itself.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use carnet_paging::{Access, PAGE, Pages};

use crate::measure::keep_on;
use crate::peer::Peer;

/// Pages of an application.
pub(super) const PAGES: usize = 64;

/// The family of applications of a bank, and of those of the floor.
pub(crate) const PAGED: &str = "paged";
pub(crate) const BARE: &str = "bare-paged";

/// A fault is waited for as long.
const WAIT: Duration = Duration::from_secs(30);

/// An application, from outside.
pub(super) struct Application {
    peer: Peer,
}

impl Application {
    /// One that has its pages from the bank at this socket.
    pub(super) fn of_bank(socket: &Path, processor: usize) -> Result<Application, String> {
        let socket = socket.to_str().ok_or("the folder for what is temporary has no name in UTF-8")?;
        Ok(Application { peer: Peer::start(PAGED, socket, processor)? })
    }

    /// One that serves itself, by a thread on another processor or on its own.
    pub(super) fn bare(processor: usize, thread: usize) -> Result<Application, String> {
        Ok(Application { peer: Peer::start(BARE, &thread.to_string(), processor)? })
    }

    /// Lets it touch so many pages.
    pub(super) fn touch(&self, pages: usize) -> Result<(), String> {
        let count = u32::try_from(pages).map_err(|error| error.to_string())?;
        let mut socket = self.peer.socket();
        socket.write_all(&count.to_le_bytes()).map_err(|error| error.to_string())
    }

    /// How many nanoseconds they took.
    pub(super) fn touched(&self) -> Result<f64, String> {
        let mut time = [0; 8];
        let mut socket = self.peer.socket();
        socket.read_exact(&mut time).map_err(|_| "the application ended".to_owned())?;
        Ok(u64::from_le_bytes(time) as f64)
    }
}

/// What the application of a bank does.
pub(crate) fn serve(bank: &str, socket: &UnixStream) -> Result<(), String> {
    let bank = UnixStream::connect(bank).map_err(|error| error.to_string())?;
    let pages = pages()?;
    pages.offer(&bank).map_err(|errno| errno.to_string())?;
    touch_until_the_end(&pages, socket, |_| Ok(()))
}

/// What the floor does.
pub(crate) fn serve_bare(thread: &str, socket: &UnixStream) -> Result<(), String> {
    let thread: usize = thread.parse().map_err(|_| format!("{thread} is no processor"))?;
    let pages = pages()?;
    let pager = pages.pager().map_err(|errno| errno.to_string())?;
    std::thread::scope(|scope| {
        // When the application ends, so does its process, and this thread with it.
        scope.spawn(|| {
            if let Err(what) = keep_on(thread..thread + 1) {
                eprintln!("carnet-bench: {what}");
                std::process::exit(1);
            }
            while let Ok(Some(fault)) = pager.fault(WAIT) {
                if pager.map(fault.page, &[0; PAGE], Access::Write).is_err() {
                    break;
                }
            }
            std::process::exit(0)
        });
        let take_away = |touched| {
            (0..touched).try_for_each(|page| pager.unmap(page).map(drop).map_err(|errno| errno.to_string()))
        };
        let done = touch_until_the_end(&pages, socket, take_away);
        match done {
            Ok(()) => std::process::exit(0),
            Err(what) => {
                eprintln!("carnet-bench: {what}");
                std::process::exit(1)
            }
        }
    })
}

fn pages() -> Result<Pages, String> {
    Pages::new(PAGES).map_err(|errno| format!("no pages that somebody else provides: {errno}"))
}

fn touch_until_the_end(
    pages: &Pages,
    mut socket: &UnixStream,
    after: impl Fn(usize) -> Result<(), String>,
) -> Result<(), String> {
    let mut count = [0; 4];
    while socket.read_exact(&mut count).is_ok() {
        let count = (u32::from_le_bytes(count) as usize).min(PAGES);
        let begun = Instant::now();
        let sum: u64 = (0..count).map(|page| pages.word(page, 0).fetch_add(1, Ordering::Relaxed)).sum();
        let time = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        if sum != 0 {
            return Err("a page held something else than zeros".to_owned());
        }
        after(count)?;
        socket.write_all(&time.to_le_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}
