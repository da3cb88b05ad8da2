//! A link through queues in shared memory.
//!
//! ```text
//! wait:  look some times ─► look by the clock ─► give way once ─► sleep ─► slice over: does the socket still live? ─► sleep longer
//!           found: return     (see `spin`)        found: return    found: return
//! ```
//! The Unix socket over which the memory was set up stays open; its end is the death of the peer. It carries nothing more but
//! descriptors of memory that is handed over, each with the number of the call whose frame goes through the queues: whoever
//! meets the frame finds the descriptor there, without waiting. What nobody asks for is left there, and closed with it. What is
//! taken out and not used goes back to the [`Socket`], which knows what may be closed at once.
//!
//! Nobody can wait for memory and socket at once, so who sleeps wakes now and then and looks at the socket: a
//! death is noticed after 20 ms at first, and after no more than another 640 ms. A peer that ends in order says so in
//! the memory and wakes us. A peer that scribbles over the memory can keep us from neither: slices end by the clock.
//! But it can pass its own end of the socket, which is then open for as long as that lies there unasked for. A descriptor that no
//! frame follows is half of a message: a server waits so long for the rest, and then no more.

use std::io::IoSlice;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::time::{Duration, Instant};

use carnet_memory::{Mapping, Segment, pass};
use carnet_queue::{Bell, Broken, End, Slept, Wanted};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, Shutdown, shutdown};

use super::socket::Socket;
use super::spin::{Spin, WaitMode, rest_after};
use super::{Readiness, Waiting};
use crate::seats::Seat;

/// Looks before the first look at the clock: some microseconds.
pub(super) const LOOKS: u32 = 800;

/// Looks between two looks at the clock.
pub(crate) const LOOKS_BY_CLOCK: u32 = 16;

const SLICE_MIN: Duration = Duration::from_millis(20);
const SLICE_MAX: Duration = Duration::from_millis(640);

/// Descriptors of calls that were given up that may lie before the one that is taken.
const STALE_MAX: usize = 16;

/// Bytes that the smallest receive buffer has.
pub(crate) const BUFFER_BYTES_MIN: usize = 64;

/// How far somebody has come who waits.
#[derive(Default)]
struct Pause {
    /// 0 before the first looks.
    step: u8,
    deadline: Option<Instant>,
    /// When an adaptive side began to look by the clock.
    begun: Option<Instant>,
    /// How long it looked, in vain.
    looked: Duration,
    /// It has let others run, if that paid.
    gave_way: bool,
    /// Sleeps that lasted all of their time.
    slices: u32,
    /// When a spinning side looks at the socket.
    check: Option<Instant>,
    /// When the socket was looked at first.
    checked: Option<Instant>,
}

/// One end of a pair of queues.
#[derive(Debug)]
pub(crate) struct Shared {
    end: End<Mapping>,
    socket: Arc<Socket>,
    spin: Spin,
    /// Nanoseconds; 0 is for ever.
    receive_timeout: AtomicU64,
    send_timeout: AtomicU64,
    /// Nothing more is received: by our own will, or since the peer is gone.
    ended: AtomicBool,
    /// Nothing more is sent, either.
    hung_up: AtomicBool,
    /// A server's: how long descriptors may lie in the socket that nothing follows.
    patience: Option<Duration>,
    /// They did.
    abandoned: AtomicBool,
    /// Given back when the memory is.
    _seats: Option<Seat>,
}

/// Where to what is received goes.
enum Target<'b> {
    /// Into this buffer.
    Buffer(&'b mut [u8]),
    /// Behind what this has, at most so many bytes: the rest of a frame.
    Behind(&'b mut Vec<u8>, usize),
}

impl Target<'_> {
    #[inline(always)]
    fn receive(&mut self, end: &End<Mapping>) -> Result<usize, Broken> {
        match self {
            Target::Buffer(buffer) => end.receive(buffer),
            Target::Behind(onto, at_most) => end.receive_onto(onto, *at_most),
        }
    }
}

impl Shared {
    pub(super) fn new(
        end: End<Mapping>,
        socket: Arc<Socket>,
        mode: WaitMode,
        server: Option<(Seat, Duration)>,
    ) -> Shared {
        let (seats, patience) = server.unzip();
        Shared {
            end,
            socket,
            spin: Spin::new(mode),
            receive_timeout: AtomicU64::new(0),
            send_timeout: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            hung_up: AtomicBool::new(false),
            patience,
            abandoned: AtomicBool::new(false),
            _seats: seats,
        }
    }

    pub(super) fn set_timeouts(&self, receive: Option<Duration>, send: Option<Duration>) {
        let nanos = |timeout: Option<Duration>| {
            timeout.map_or(0, |timeout| u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX).max(1))
        };
        self.receive_timeout.store(nanos(receive), Relaxed);
        self.send_timeout.store(nanos(send), Relaxed);
    }

    pub(super) fn wait_as(&self, mode: WaitMode) {
        self.spin.set_mode(mode);
    }

    #[inline(always)]
    pub(super) fn receive(&self, buffer: &mut [u8], waiting: Waiting) -> Result<usize, Errno> {
        if buffer.len() < BUFFER_BYTES_MIN {
            return Err(Errno::INVAL);
        }
        let mut looks = self.looks(waiting);
        loop {
            match self.end.receive(buffer) {
                Ok(0) if self.looks_again(&mut looks) => {}
                Ok(0) => return self.receive_later(waiting, Target::Buffer(buffer)),
                received => return received.map_err(broken),
            }
        }
    }

    /// As [`Shared::receive`], the rest of a frame behind what `onto` has.
    pub(super) fn receive_onto(
        &self,
        onto: &mut Vec<u8>,
        at_most: usize,
        waiting: Waiting,
    ) -> Result<usize, Errno> {
        let mut looks = self.looks(waiting);
        loop {
            match self.end.receive_onto(onto, at_most) {
                Ok(0) if self.looks_again(&mut looks) => {}
                Ok(0) => return self.receive_later(waiting, Target::Behind(onto, at_most)),
                received => return received.map_err(broken),
            }
        }
    }

    /// How often who receives may look again before a look at the clock. Each look takes out at once what is there: on both sides
    /// somebody waits for it.
    #[inline]
    fn looks(&self, waiting: Waiting) -> u32 {
        if waiting == Waiting::Never { 0 } else { self.spin.looks() }
    }

    /// Whether to look once more.
    #[inline(always)]
    fn looks_again(&self, looks: &mut u32) -> bool {
        if *looks == 0 || self.is_over() {
            return false;
        }
        rest_after(*looks);
        *looks -= 1;
        true
    }

    /// Receives when something is there, which nothing was just now.
    ///
    /// Down from here to the system call all is in line: whoever slept returns mispredicted from each function that it was
    /// in, since systems clear what processors remember of returns when they switch processes.
    #[inline(never)]
    fn receive_later(&self, waiting: Waiting, mut target: Target<'_>) -> Result<usize, Errno> {
        let mut receive = || target.receive(&self.end);
        if waiting == Waiting::Never && !self.is_over() {
            return Err(Errno::AGAIN);
        }
        let mut pause = Pause { step: 1, deadline: deadline(&self.receive_timeout), ..Pause::default() };
        loop {
            // It looks again before it sleeps, and does not sleep when all is over.
            if !self.pause_longer(Readiness::RECEIVE, &mut pause)? {
                return Err(Errno::AGAIN);
            }
            match receive() {
                Ok(0) if self.is_over() => {
                    // What came before the end is seen by whoever looks after it.
                    return match receive() {
                        Ok(0) if self.abandoned.load(Relaxed) => Err(Errno::BADMSG),
                        received => received.map_err(broken),
                    };
                }
                Ok(0) => {}
                received => {
                    self.learn(&pause);
                    return received.map_err(broken);
                }
            }
        }
    }

    #[inline]
    pub(super) fn send(&self, pieces: &[IoSlice<'_>], waiting: Waiting) -> Result<usize, Errno> {
        if self.hung_up.load(Relaxed) {
            return Err(Errno::PIPE);
        }
        match self.end.send(pieces) {
            Ok(0) => self.send_later(pieces, waiting),
            sent => sent.map_err(broken),
        }
    }

    /// Sends a short frame, if that can be done at once; whether it was, as a whole.
    #[inline(always)]
    pub(crate) fn send_ahead(&self, frame: &[u8]) -> bool {
        !self.hung_up.load(Relaxed) && self.end.send_ahead(frame)
    }

    /// Sends when there is room, which there was not just now.
    #[cold]
    fn send_later(&self, pieces: &[IoSlice<'_>], waiting: Waiting) -> Result<usize, Errno> {
        if pieces.iter().all(|piece| piece.is_empty()) {
            return Ok(0);
        }
        let mut pause = Pause::default();
        loop {
            if self.has_peer_gone() {
                return Err(Errno::PIPE);
            }
            if waiting == Waiting::Never {
                return Err(Errno::AGAIN);
            }
            self.pause(Readiness::SEND, &mut pause, &self.send_timeout)?;
            match self.end.send(pieces) {
                Ok(0) => {}
                sent => return sent.map_err(broken),
            }
        }
    }

    /// One step of waiting, at most as long as `timeout` says in all.
    ///
    /// # Errors
    /// [`Errno::AGAIN`] if the time is over.
    #[inline(always)]
    fn pause(&self, wanted: Readiness, pause: &mut Pause, timeout: &AtomicU64) -> Result<(), Errno> {
        if pause.step == 0 {
            pause.step = 1;
            if self.found_soon(wanted)? {
                return Ok(());
            }
            pause.deadline = deadline(timeout);
        }
        if self.pause_longer(wanted, pause)? { Ok(()) } else { Err(Errno::AGAIN) }
    }

    pub(super) fn wait(
        &self,
        wanted: Readiness,
        deadline: Option<Instant>,
    ) -> Result<Option<Readiness>, Errno> {
        let mut pause = Pause { deadline, step: 1, ..Pause::default() };
        loop {
            if let Some(found) = self.look(wanted)? {
                self.learn(&pause);
                return Ok(Some(found));
            }
            if !self.pause_longer(wanted, &mut pause)? {
                return Ok(None);
            }
        }
    }

    /// Looks some times without a look at the clock.
    #[inline]
    fn found_soon(&self, wanted: Readiness) -> Result<bool, Errno> {
        for number in 0..self.spin.looks() {
            if self.look(wanted)?.is_some() {
                return Ok(true);
            }
            rest_after(number);
        }
        Ok(false)
    }

    /// What of `wanted` is there; all of it when the connection is over, so that whoever asked finds that out.
    #[inline]
    fn look(&self, wanted: Readiness) -> Result<Option<Readiness>, Errno> {
        let there = self.end.look(queue_terms(wanted)).map_err(broken)?;
        if there.frames || there.room {
            return Ok(Some(Readiness { receive: there.frames, send: there.room }));
        }
        Ok(self.is_over().then_some(wanted))
    }

    /// Waits for a while, for it to be looked again; whether there is time left.
    #[inline(always)]
    fn pause_longer(&self, wanted: Readiness, pause: &mut Pause) -> Result<bool, Errno> {
        match self.spin.mode() {
            WaitMode::Spinning => self.look_in_turn(wanted, pause),
            WaitMode::Sleeping => self.sleep(wanted, pause),
            WaitMode::Adaptive if pause.begun.is_some() => self.sleep(wanted, pause),
            WaitMode::Adaptive => Ok(self.look_by_clock(wanted, pause)? || self.sleep(wanted, pause)?),
        }
    }

    /// Looks for as long as that pays; whether it found something.
    #[inline(never)]
    fn look_by_clock(&self, wanted: Readiness, pause: &mut Pause) -> Result<bool, Errno> {
        let begun = Instant::now();
        pause.begun = Some(begun);
        let here = processor();
        self.end.waits_on(here);
        let time = self.spin.time(here, self.end.other_waits_on());
        if time.is_zero() {
            return Ok(false);
        }
        self.end.tell_of_room();
        while begun.elapsed() < time {
            for _ in 0..LOOKS_BY_CLOCK {
                if self.look(wanted)?.is_some() {
                    self.spin.won(begun.elapsed());
                    pause.begun = None;
                    return Ok(true);
                }
                std::hint::spin_loop();
            }
        }
        pause.looked = time;
        Ok(false)
    }

    /// What an adaptive side learns from having slept.
    #[inline]
    fn learn(&self, pause: &Pause) {
        if let Some(begun) = pause.begun {
            self.spin.lost(pause.looked, begun.elapsed());
        }
    }

    /// Others may run on this processor now and then, the other side among them.
    #[inline(never)]
    fn look_in_turn(&self, wanted: Readiness, pause: &mut Pause) -> Result<bool, Errno> {
        self.end.tell_of_room();
        let here = processor();
        self.end.waits_on(here);
        for _ in 0..self.spin.looks_in_turn(here, self.end.other_waits_on()) {
            if self.look(wanted)?.is_some() {
                return Ok(true);
            }
            std::hint::spin_loop();
        }
        let now = Instant::now();
        if pause.deadline.is_some_and(|deadline| now >= deadline) {
            return Ok(false);
        }
        if now >= *pause.check.get_or_insert(now + SLICE_MIN) {
            pause.check = None;
            self.check_for(wanted, pause);
        }
        std::thread::yield_now();
        Ok(true)
    }

    /// Lets the other side run where it waits on this processor; whether that had something then.
    #[inline(always)]
    fn give_way(&self, wanted: Readiness, pause: &mut Pause) -> Result<bool, Errno> {
        if pause.gave_way {
            return Ok(false);
        }
        pause.gave_way = true;
        let here = processor();
        self.end.waits_on(here);
        if !self.spin.gives_way(here, self.end.other_waits_on()) {
            return Ok(false);
        }
        self.end.tell_of_room();
        // Nobody looks by the clock where one gives way, so that an adaptive side begins only now.
        let begun = pause.begun.unwrap_or_else(Instant::now);
        std::thread::yield_now();
        let took = begun.elapsed();
        let found = self.look(wanted)?.is_some();
        self.spin.gave_way(took, found);
        if found {
            // It has not slept: there is nothing to learn of that.
            pause.begun = None;
        }
        Ok(found)
    }

    /// Sleeps for a while, if giving way did not do; whether there is time left.
    #[inline(always)]
    fn sleep(&self, wanted: Readiness, pause: &mut Pause) -> Result<bool, Errno> {
        if self.give_way(wanted, pause)? {
            return Ok(true);
        }
        let left = pause.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Ok(false);
        }
        let slice = slice(pause.slices);
        let at_most = left.map_or(slice, |left| left.min(slice));
        let is_over = || self.ended.load(SeqCst);
        if self.end.sleep(queue_terms(wanted), at_most, is_over) == Slept::TimedOut {
            self.check_for(wanted, pause);
            pause.slices += 1;
        }
        Ok(true)
    }

    /// Looks at the socket for who waits, while nothing comes.
    #[inline(never)]
    fn check_for(&self, wanted: Readiness, pause: &mut Pause) {
        self.check_socket();
        if wanted.receive {
            self.check_what_lies(*pause.checked.get_or_insert_with(Instant::now));
        }
    }

    /// Ends what comes if descriptors lie in the socket and nothing has followed them since then for as long as it may take.
    pub(crate) fn check_what_lies(&self, since: Instant) {
        if self.patience.is_some_and(|patience| since.elapsed() >= patience) && self.socket.may_take_long() {
            self.abandoned.store(true, Relaxed);
            self.end_receiving();
        }
    }

    /// Whether something of what is `wanted` is there, or an error is; whoever asked finds that out.
    #[inline]
    pub(crate) fn is_ready(&self, wanted: Readiness) -> bool {
        self.look(wanted) != Ok(None)
    }

    /// For a loop that sleeps on many bells, and asks the sockets by itself: as [`End::announce`].
    pub(crate) fn announce(&self, wanted: Readiness) -> Option<Bell<'_>> {
        self.end.announce(queue_terms(wanted), || self.ended.load(SeqCst))
    }

    /// As [`End::withdraw`].
    pub(crate) fn withdraw(&self, wanted: Readiness) {
        self.end.withdraw(queue_terms(wanted));
    }

    /// The loop waits on this processor; where the other side last waited.
    pub(crate) fn meet_on(&self, here: u32) -> Option<u32> {
        self.end.tell_of_room();
        self.end.waits_on(here);
        self.end.other_waits_on()
    }

    /// Gives the other side the descriptor of `segment`, for call `call`; without waiting.
    ///
    /// # Errors
    /// The system's; [`Errno::AGAIN`] if the other side has not taken those that were passed before.
    pub(crate) fn pass(&self, call: u32, segment: &Segment) -> Result<(), Errno> {
        match pass::send(self.socket.as_fd(), &call.to_le_bytes(), segment)? {
            4 => Ok(()),
            _ => Err(Errno::PIPE),
        }
    }

    /// Takes the memory that the other side passed for call `call`, if it is there. What lies before it is put away; once there
    /// is something that is no memory, nothing is taken any more, and nothing while too much is being closed.
    pub(crate) fn take(&self, call: u32) -> Option<OwnedFd> {
        for _ in 0..STALE_MAX {
            if self.socket.closes_much() {
                return None;
            }
            let mut number = [0; 4];
            match self.socket.receive(&mut number, RecvFlags::DONTWAIT).ok()? {
                (0, _) => return None,
                (4, file) if number == call.to_le_bytes() => return file,
                (_, file) => file.into_iter().for_each(|file| self.put_away(file)),
            }
        }
        None
    }

    /// Whether nothing is taken since too much is being closed.
    pub(crate) fn closes_much(&self) -> bool {
        self.socket.closes_much()
    }

    /// Closes memory that was taken and is not used, without waiting for that.
    pub(crate) fn put_away(&self, file: OwnedFd) {
        Socket::put_away(&self.socket, file);
    }

    /// Whether the peer is gone. Descriptors that lie in the socket are no sign of it.
    #[cold]
    pub(crate) fn check_socket(&self) {
        let mut fds = [PollFd::new(&*self.socket, PollFlags::RDHUP)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        if !matches!(poll(&mut fds, Some(&now)), Ok(0) | Err(Errno::INTR)) {
            self.ended.store(true, SeqCst);
            self.hung_up.store(true, SeqCst);
            // Others of this process may sleep as well.
            self.end.wake();
        }
    }

    /// Whether nothing more can come than what is there.
    #[inline]
    fn is_over(&self) -> bool {
        self.ended.load(SeqCst) || self.end.has_other_hung_up()
    }

    /// Whether nobody takes what would be sent.
    pub(crate) fn has_peer_gone(&self) -> bool {
        self.hung_up.load(SeqCst) || self.end.has_other_hung_up()
    }

    pub(super) fn end_receiving(&self) {
        self.ended.store(true, SeqCst);
        self.end.wake();
    }

    pub(super) fn hang_up(&self) {
        self.hung_up.store(true, SeqCst);
        self.ended.store(true, SeqCst);
        self.end.hang_up();
        // What fails here means that the peer hung up first.
        let _ = shutdown(&*self.socket, Shutdown::Both);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.hang_up();
    }
}

/// When a time of so many nanoseconds that begins now is over.
fn deadline(timeout: &AtomicU64) -> Option<Instant> {
    match timeout.load(Relaxed) {
        0 => None,
        nanos => Instant::now().checked_add(Duration::from_nanos(nanos)),
    }
}

fn queue_terms(wanted: Readiness) -> Wanted {
    Wanted { frames: wanted.receive, room: wanted.send }
}

/// How long to sleep at most after so many sleeps in which nothing happened.
pub(crate) fn slice(slices: u32) -> Duration {
    SLICE_MAX.min(SLICE_MIN * (1 << slices.min(8)))
}

pub(crate) fn processor() -> u32 {
    rustix::thread::sched_getcpu() as u32
}

#[cold]
fn broken(_: Broken) -> Errno {
    Errno::PROTO
}
