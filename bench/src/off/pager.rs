//! A client of the bank: in another process, or in the bank's own and on the same thread.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use carnet_bank::bank::{self, Access, Frames, Machine, Space};
use carnet_bank::{Bank, Options};
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::portal::Portal;
use carnet_program::bill::hash;
use carnet_program::bytecode::ParamPlace;
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::interp::{self, Blocking, Env, Mode, Slice, Stop};
use carnet_program::limits::{Effective, Limits};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::{Read, read};
use carnet_program::verify::{Loaded, Registry, load};

use super::application::Application;
use super::{At, Cost, Path};
use crate::peer::Peer;

/// Nanoseconds that a fault is waited for.
const WAIT: i64 = 10_000_000_000;

/// A program or a call array, made before anything is timed.
pub(super) struct Prepared {
    bytes: Vec<u8>,
    hash: [u8; 32],
    loaded: Loaded,
}

impl Prepared {
    /// Of source text.
    pub(super) fn of(source: &str) -> Result<Prepared, String> {
        let modules = [Arc::new(bank::module().clone())];
        let found = read(source, &modules)
            .map_err(|faults| carnet_idl::diagnostic::render("off", source, &faults))?;
        let bytes = match found {
            Read::Program(tree) => compile_to_bytes(&tree).map_err(|error| error.to_string())?,
            Read::Array(array) => array.array.encode(),
        };
        let loaded = load(&bytes, &Registry::new(&[bank::module()])).map_err(|error| error.to_string())?;
        Ok(Prepared { hash: hash(&bytes), bytes, loaded })
    }
}

/// Who has the bank, and how it is reached.
enum Reached {
    /// On the same thread.
    Here { session: Arc<LocalSession>, machine: Box<RefCell<interp::Machine>>, caller: Caller },
    /// By a transport.
    There { client: Client, _peer: Peer },
}

/// A client of a bank of its own.
pub(super) struct Pager {
    reached: Reached,
    root: Machine,
    socket: PathBuf,
    ids: Cell<u128>,
}

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// What a bank of these measurements has.
pub(super) fn options(cost: Cost, socket: PathBuf) -> Options {
    Options { socket: Some(socket), checks: cost == Cost::Expensive, ..Options::default() }
}

/// Where the bank of a process listens for applications.
pub(super) fn socket_of(process: u32) -> PathBuf {
    std::env::temp_dir().join(format!("carnet-bench-bank-{process}"))
}

/// Where one of several banks of this process does.
fn another_socket() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    socket_of(std::process::id()).with_extension(number.to_string())
}

impl Pager {
    /// Starts a bank, and connects.
    pub(super) fn start(at: At, cost: Cost) -> Result<Pager, String> {
        let ids = Cell::new(0);
        match at.path {
            Path::Here => {
                let socket = another_socket();
                let (_, root) = Bank::serve(options(cost, socket.clone())).map_err(said)?;
                let caller = Caller::local();
                let session = LocalSession::new(Capability::new(root.into_object()), caller.clone());
                let root = Machine::from_portal(session.root());
                let machine = Box::new(RefCell::new(interp::Machine::new()));
                Ok(Pager { reached: Reached::Here { session, machine, caller }, root, socket, ids })
            }
            Path::There(way) => {
                let (peer, session) = Peer::session(cost.family(), way, at.server())?;
                let root = Machine::from_portal(session.root());
                let socket = socket_of(peer.process());
                Ok(Pager {
                    reached: Reached::There { client: Client::new(session), _peer: peer },
                    root,
                    socket,
                    ids,
                })
            }
        }
    }

    /// A portal through which frames are taken.
    pub(super) fn frames(&self) -> Result<Frames, String> {
        self.root.frames().map_err(said)
    }

    /// An application that is served from here, and its space.
    pub(super) fn application(&self, processor: usize) -> Result<(Application, Space), String> {
        let application = Application::of_bank(&self.socket, processor)?;
        let begun = Instant::now();
        while self.root.waiting().map_err(said)? == 0 {
            if begun.elapsed().as_secs() > 20 {
                return Err("no application came".to_owned());
            }
            std::thread::yield_now();
        }
        Ok((application, self.root.space().map_err(said)?))
    }

    /// Runs a program, whose parameters are these portals and then these numbers. It is in the server's cache after the first time.
    /// Gives back the number that it returns, if it returns one.
    pub(super) fn run(
        &self,
        program: &Prepared,
        portals: &[&Portal],
        scalars: &[i64],
    ) -> Result<i64, String> {
        match &self.reached {
            Reached::Here { session, machine, caller } => {
                let machine = &mut machine.borrow_mut();
                run_here(session, machine, caller, &program.loaded, portals, scalars)
            }
            Reached::There { client, .. } => {
                self.ids.set(self.ids.get() + 1);
                let arguments = (0..portals.len() as u8).map(Argument::Portal);
                let request = RunRequest {
                    id: RunId(self.ids.get()),
                    options: RunOptions::default(),
                    name: "",
                    approval: "",
                    arguments: arguments.chain(scalars.iter().map(|n| Argument::Scalar(*n))).collect(),
                    program: RunProgram::Cached { hash: &program.hash, bytes: &program.bytes },
                };
                let outcome = client.run(&request, portals).map_err(said)?;
                match outcome.end {
                    End::Done => Ok(number(outcome.result.as_deref())),
                    end => Err(format!("ended with {end:?}")),
                }
            }
        }
    }
}

/// The result of a run that returns a number.
fn number(result: Option<&[u8]>) -> i64 {
    result.and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| i64::from_le_bytes(*bytes))
}

/// What a server's entry does, less everything that a request needs.
fn run_here(
    session: &Arc<LocalSession>,
    machine: &mut interp::Machine,
    caller: &Caller,
    program: &Loaded,
    portals: &[&Portal],
    scalars: &[i64],
) -> Result<i64, String> {
    machine.reset(program, Effective::new(&Limits::default(), &program.caps).budget());
    let (mut portals, mut scalars) = (portals.iter(), scalars.iter());
    for place in &program.params {
        match *place {
            ParamPlace::Register(register) => {
                let portal = portals.next().ok_or("a portal is missing")?;
                machine.set_portal(register, session.capability(portal.id()).map_err(said)?);
            }
            ParamPlace::Slot(slot) => machine.set_scalar(slot, *scalars.next().ok_or("a number is missing")?),
        }
    }
    let interrupt = AtomicU32::new(0);
    let env = Env { caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    match machine.advance(program, &env, Slice::UNLIMITED) {
        Stop::Done(at) => {
            let mut result = Vec::new();
            Ok(number(machine.result(program, at, &mut result).map(|()| &result[..])))
        }
        stop => Err(format!("ended with {stop:?}")),
    }
}

/// How a pager serves faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Three calls: wait, allocate, map.
    Calls,
    /// One call that waits, and a program of two.
    Program,
    /// One call that waits, and an array of three commands, as the paper's.
    Array,
    /// An array that waits, too.
    WaitingArray,
    /// An array that serves one and waits for the next: the reply says which that is.
    NextArray,
    /// A program that serves them all.
    Loop,
}

impl By {
    pub(super) const ALL: [By; 6] =
        [By::Calls, By::Program, By::Array, By::WaitingArray, By::NextArray, By::Loop];

    pub(super) fn name(self) -> &'static str {
        match self {
            By::Calls => "single calls",
            By::Program => "a call and a program",
            By::Array => "a call and a call array",
            By::WaitingArray => "a call array that waits, too",
            By::NextArray => "a call array that serves one and waits for the next",
            By::Loop => "one program for all",
        }
    }

    fn source(self) -> Option<&'static str> {
        match self {
            By::Calls => None,
            By::Program => Some(
                "use bank\nprogram serve(frames: Frames, space: Space, page: int) {
  let frame = frames.alloc()
  space.map_page(page, frame, Access.write)\n}",
            ),
            By::Array => Some(
                "use bank\narray serve(frames: Frames, space: Space, page: int) {
  message allocate: Frames.alloc()
  message map: Space.map_page(page: page, access: Access.write)
  call frames with allocate
  move allocate.value to map.frame
  call space with map\n}",
            ),
            By::WaitingArray => Some(
                "use bank\narray serve(frames: Frames, space: Space) {
  message wait: Space.fault(within: 10s)
  message allocate: Frames.alloc()
  message map: Space.map_page(access: Access.write)
  call space with wait
  call frames with allocate
  move wait.value to map.page
  move allocate.value to map.frame
  call space with map\n}",
            ),
            By::NextArray => Some(
                "use bank\narray serve(frames: Frames, space: Space, page: int) -> int {
  message allocate: Frames.alloc()
  message map: Space.map_page(page: page, access: Access.write)
  message wait: Space.fault(within: 10s)
  call frames with allocate
  move allocate.value to map.frame
  call space with map
  call space with wait
  return wait.value\n}",
            ),
            By::Loop => Some(
                "use bank\nprogram serve(frames: Frames, space: Space, faults: int) {
  var served = 0
  while served < faults limit 64 {
    let page = space.fault(10s)
    let frame = frames.alloc()
    space.map_page(page, frame, Access.write)
    served += 1
  }\n}",
            ),
        }
    }
}

/// An application and who serves it.
pub(super) struct Served {
    // The application before its space: released, that would end it.
    application: Application,
    space: Space,
    frames: Frames,
    pager: Pager,
    by: By,
    program: Option<Prepared>,
    /// For the last fault, behind which there is none to wait for.
    last: Option<Prepared>,
}

/// What one fault took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Took {
    /// From touch to going on, in the application.
    pub(super) whole: f64,
    /// The pager, from knowing the page to having mapped it.
    pub(super) handler: f64,
}

impl Served {
    /// Starts both, and the bank.
    pub(super) fn start(at: At, cost: Cost, by: By) -> Result<Served, String> {
        let pager = Pager::start(at, cost)?;
        let (application, space) = pager.application(at.server())?;
        let frames = pager.frames()?;
        let program = by.source().map(Prepared::of).transpose()?;
        let last = if by == By::NextArray { By::Array.source() } else { None };
        let last = last.map(Prepared::of).transpose()?;
        Ok(Served { application, space, frames, pager, by, program, last })
    }

    /// Nanoseconds of a fault, of so many.
    pub(super) fn faults(&self, count: usize) -> Result<Took, String> {
        self.application.touch(count)?;
        let mut handler = 0.0;
        if self.by == By::Loop {
            self.run(&[], count as i64)?;
        } else if self.by == By::NextArray {
            let mut page = self.space.fault(WAIT).map_err(said)?;
            for _ in 1..count {
                page = self.run(&[page], 0)?;
            }
            let last = self.last.as_ref().ok_or("there is no array for the last one")?;
            self.pager.run(last, &[self.frames.portal(), self.space.portal()], &[page])?;
        } else {
            for _ in 0..count {
                handler += self.serve()?;
            }
        }
        let whole = self.application.touched()?;
        for page in 0..count as i64 {
            self.space.unmap_page(page).map_err(said)?;
        }
        // They are the lowest numbers each time: nobody else takes any.
        for frame in 0..count as i64 {
            self.frames.free(frame).map_err(said)?;
        }
        Ok(Took { whole: whole / count as f64, handler: handler / count as f64 })
    }

    /// Serves one; how long that took, without waiting for it if that is a call of its own.
    fn serve(&self) -> Result<f64, String> {
        if self.by == By::WaitingArray {
            self.run(&[], 0)?;
            return Ok(0.0);
        }
        let page = self.space.fault(WAIT).map_err(said)?;
        let begun = Instant::now();
        if self.by == By::Calls {
            let frame = self.frames.alloc().map_err(said)?;
            self.space.map_page(page, frame, Access::Write).map_err(said)?;
        } else {
            self.run(&[page], 0)?;
        }
        Ok(begun.elapsed().as_nanos() as f64)
    }

    fn run(&self, page: &[i64], faults: i64) -> Result<i64, String> {
        let program = self.program.as_ref().ok_or("single calls have no program")?;
        let portals = [self.frames.portal(), self.space.portal()];
        let faults = [faults];
        let scalars = if self.by == By::Loop { &faults[..] } else { page };
        self.pager.run(program, &portals, scalars)
    }
}
