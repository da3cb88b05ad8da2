//! Applications: those that wait for a pager, and those that have one; and the thread that looks after both.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::Duration;

use carnet_paging::Pager;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::bank::Reason;
use crate::space::Application;
use crate::{Bank, lock};

/// How long an application may take to hand its pages over: others wait meanwhile.
const OFFERED_WITHIN: Duration = Duration::from_millis(200);
/// How often the keeper looks whether somebody waits too long.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// All applications.
#[derive(Debug, Default)]
pub(crate) struct Applications {
    waiting: Mutex<VecDeque<Arc<Application>>>,
    open: Mutex<Vec<Arc<Application>>>,
}

impl Applications {
    pub(crate) fn offer(&self, pager: Pager, max: usize) -> Result<(), Pager> {
        let mut waiting = lock(&self.waiting);
        if waiting.len() >= max {
            return Err(pager);
        }
        waiting.push_back(Arc::new(Application::new(pager)));
        Ok(())
    }

    /// The one that has waited for longest.
    pub(crate) fn next(&self) -> Option<Arc<Application>> {
        let next = lock(&self.waiting).pop_front()?;
        lock(&self.open).push(Arc::clone(&next));
        Some(next)
    }

    pub(crate) fn close(&self, application: &Arc<Application>) {
        lock(&self.open).retain(|open| !Arc::ptr_eq(open, application));
    }

    pub(crate) fn waiting(&self) -> usize {
        lock(&self.waiting).len()
    }

    pub(crate) fn open(&self) -> usize {
        lock(&self.open).len()
    }

    /// Lets go of those that are over, and ends those that wait for a page for too long.
    fn look_after(&self, fault_time: Duration) {
        lock(&self.waiting).retain(|application| !application.is_over(fault_time));
        // Whoever has a pager is told of by its space.
        let open = lock(&self.open).clone();
        open.iter().for_each(|application| _ = application.is_over(fault_time));
    }
}

impl Drop for Applications {
    /// Whoever has no pager any more would go on with zeros.
    fn drop(&mut self) {
        lock(&self.waiting).iter().for_each(|application| application.kill(Reason::Ended));
    }
}

/// Listens, if that is wanted, and starts the keeper; it ends with the bank.
pub(crate) fn start(bank: &Arc<Bank>) -> io::Result<()> {
    let listener = bank.options.socket.as_deref().map(listen).transpose()?;
    let socket = bank.options.socket.clone();
    let weak = Arc::downgrade(bank);
    thread::Builder::new().name("bank keeper".to_owned()).spawn(move || {
        keep(&weak, listener.as_ref());
        if let Some(socket) = socket {
            // It may be gone already.
            let _ = fs::remove_file(socket);
        }
    })?;
    Ok(())
}

/// A socket that only the same user reaches; one that a server left behind is replaced.
fn listen(path: &Path) -> io::Result<UnixListener> {
    if fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
        && std::os::unix::net::UnixStream::connect(path).is_err()
    {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

fn keep(bank: &Weak<Bank>, listener: Option<&UnixListener>) {
    while let Some(bank) = bank.upgrade() {
        while let Some((socket, _)) = listener.and_then(|listener| listener.accept().ok()) {
            if let Ok(pager) = Pager::receive(socket, OFFERED_WITHIN) {
                // One that is too many is told by the end of its socket.
                if let Err(pager) = bank.offer(pager) {
                    Application::new(pager).kill(Reason::NoApplication);
                }
            }
        }
        bank.applications.look_after(bank.options.fault_time);
        let wait = LOOK_EVERY.min(bank.options.fault_time);
        drop(bank);
        let mut one: Vec<PollFd<'_>> = listener.iter().map(|l| PollFd::new(*l, PollFlags::IN)).collect();
        let wait = Timespec::try_from(wait).unwrap_or_default();
        // It comes back for whatever reason, and looks.
        let _ = poll(&mut one, Some(&wait));
    }
}
