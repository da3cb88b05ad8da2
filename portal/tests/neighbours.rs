//! What a good client notices of hostile ones: its median latency stays, and when they have gone all is as before.
//!
//! It calls in turns, undisturbed and with these at the server, most of them at once, so that a machine that is busy with other
//! things slows both down. A third median of each turn is taken while the hostile ones are at another server, where they cost a good
//! client the processors that they take, and nothing else: what it loses beside that, the server does to it. That is two things in turns,
//! three or four times apart, as threads wake on one processor or on another, and so are the other medians: what is attacked is held
//! against the slower of the two. Of several turns most must be good: one that is disturbed by something else fails nothing, and one that
//! is lucky hides nothing. Between two calls some time passes: who calls again at once makes all of its calls in the moments in which
//! nothing keeps it waiting, and its median says nothing. One test, so that nothing else runs meanwhile. It prints what it measured.

mod support;

use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_memory::pass;
use carnet_portal::call::{Call, Caller, Failure, Object};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, WaitMode};
use carnet_portal::server::{ServerOptions, Threads};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Hello, HelloInterface, Reply, kind};
use carnet_queue::Wanted;
use carnet_queue::layout::CONTROL_BYTES;
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};
use support::counts::{Counts, private_bytes};
use support::shared::Peer;
use support::{BoxClient, Carrier, Fixture, Raw, World, afar, carrier, op, raw, until};

/// Turns, of which more than half must be good: as soon as that is sure, or can no longer be, they end.
const TURNS: usize = 9;
/// Calls of the good client in each half of a turn.
const CALLS: usize = 300;
/// What passes between them.
const BETWEEN: Duration = Duration::from_micros(200);
/// How much slower the good client's calls may be, by a server with a thread for each client, than in the slowest turn while another server
/// was attacked, or undisturbed.
const SLOWER_BY_SERVER_MAX: u32 = 2;
/// By one with one loop: what it does for others, the good client waits for.
const SLOWER_BY_LOOP_MAX: u32 = 4;
/// And than undisturbed, and what that is at least.
const SLOWER_MAX: u32 = 6;
/// Less than this is how threads are scheduled, and nothing that a client waits for.
const NOISE: Duration = Duration::from_micros(100);
/// How long the server waits for the rest of a message, or to be read from.
const PATIENCE: Duration = Duration::from_millis(25);
/// Calls of the good client for each act of those whose acts cost the processor more than its calls.
const ACTS_EVERY: u64 = 16;
/// What a long message carries to one loop: how long the service itself works on one, all of the loop's clients wait for.
const LONG_BYTES: usize = 20_000;
/// And to a thread of its client's own.
const LONGEST_BYTES: usize = 200_000;
/// Memory that is handed over: as much as one session may.
const MEMORY_BYTES: usize = 256 << 20;
/// What sessions may leave behind in allocators.
const KEPT_BYTES: usize = 8 << 20;

fn fixture(lock: Option<Arc<Held>>) -> Fixture {
    let mut options = ServerOptions { waiting: WaitMode::Sleeping, ..ServerOptions::default() };
    options.limits.frame_timeout = PATIENCE;
    options.limits.write_timeout = PATIENCE;
    let world = World::new();
    let made = Arc::clone(&world);
    Fixture::with_roots(options, world, move |_: &Caller| {
        let inner = made.root();
        Ok(Capability::new(match &lock {
            Some(held) => Arc::new(Locked { inner, held: Arc::clone(held) }),
            None => inner,
        }))
    })
}

// ---- The good client ----

fn client(fixture: &Fixture) -> BoxClient {
    // Who spins has a processor less when others run, whatever they do.
    let options = ConnectOptions { waiting: WaitMode::Sleeping, ..ConnectOptions::default() };
    BoxClient(fixture.connect_with(options).root())
}

/// The median of so many calls.
fn median(client: &BoxClient, pace: &Pace) -> Duration {
    let mut times: Vec<Duration> = (0..CALLS as u64)
        .map(|n| {
            wait_for_nobody(BETWEEN);
            let begun = Instant::now();
            assert_eq!(client.add(n, 2), Ok(n + 2));
            let time = begun.elapsed();
            pace.step();
            time
        })
        .collect();
    *times.select_nth_unstable(CALLS / 2).1
}

/// Ends by its time-out.
fn wait_for_nobody(timeout: Duration) {
    let (nobody, never) = (Mutex::new(()), Condvar::new());
    drop(never.wait_timeout(nobody.lock().unwrap(), timeout).unwrap());
}

/// Whether the medians differ as little as they may in most turns; and the turns that were needed to know.
fn stays_in_most(
    fixture: &Fixture,
    elsewhere: &Fixture,
    (what, peers): (&str, &[Hostile]),
    turns: usize,
) -> (bool, Vec<Turn>) {
    let client = client(fixture);
    let mut all = Vec::new();
    let mut good = 0;
    while good <= turns / 2 && all.len() < turns {
        let quiet = median(&client, &Pace::default());
        let attacked = median_while(&client, fixture, peers);
        let beside = median_while(&client, elsewhere, peers);
        all.push(Turn { quiet, attacked, beside });
        // A slow turn says of those before it, too, how slow it is without the server's doing.
        good = all.iter().filter(|turn| stays(turn, &all)).count();
    }
    print_turns(what, &all);
    (good > turns / 2, all)
}

/// The median while these are at a server.
fn median_while(client: &BoxClient, at: &Fixture, peers: &[Hostile]) -> Duration {
    let pace = Pace::default();
    std::thread::scope(|scope| {
        for peer in peers {
            let pace = &pace;
            scope.spawn(move || {
                while !pace.is_over() {
                    peer(at, pace);
                }
            });
        }
        pace.wait_for_attack(peers.len());
        let median = median(client, &pace);
        pace.end();
        median
    })
}

/// The medians of a turn.
#[derive(Debug)]
struct Turn {
    quiet: Duration,
    attacked: Duration,
    /// While they are at another server: what they cost that compete for the same processors.
    beside: Duration,
}

fn print_turns(what: &str, turns: &[Turn]) {
    let middle = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers[numbers.len() / 2]
    };
    let micros = |duration: Duration| duration.as_secs_f64() * 1e6;
    let quiet = middle(turns.iter().map(|turn| micros(turn.quiet)).collect());
    let attacked = middle(turns.iter().map(|turn| micros(turn.attacked)).collect());
    let beside = middle(turns.iter().map(|turn| micros(turn.beside)).collect());
    let ratio = middle(turns.iter().map(|turn| micros(turn.attacked) / micros(turn.beside)).collect());
    let (carrier, threads) = (carrier(), support::threads());
    println!(
        "{carrier:?}, {threads:?}, {what}: {quiet:.1} µs a call, {attacked:.1} attacked, {beside:.1} while another server is: \
         {ratio:.2} times"
    );
}

fn stays(turn: &Turn, all: &[Turn]) -> bool {
    let by_server = match support::threads() {
        Threads::PerClient => SLOWER_BY_SERVER_MAX,
        Threads::Loop => SLOWER_BY_LOOP_MAX,
    };
    let otherwise = all.iter().map(|turn| turn.beside.max(turn.quiet)).max().unwrap_or_default();
    turn.attacked <= (turn.quiet * SLOWER_MAX).max(NOISE) && turn.attacked <= otherwise * by_server
}

// ---- The hostile ones ----

/// Lets acts that cost more than a call happen for each so many calls only, so that a slow machine has fewer of both.
#[derive(Default)]
struct Pace {
    calls: Mutex<u64>,
    changed: Condvar,
    begun: Mutex<usize>,
    over: AtomicBool,
}

impl Pace {
    fn step(&self) {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        if calls.is_multiple_of(ACTS_EVERY) {
            self.changed.notify_all();
        }
    }

    fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        drop(self.calls.lock().unwrap());
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Waits until the good client has made some calls more.
    fn wait(&self) {
        let calls = self.calls.lock().unwrap();
        let wanted = *calls + ACTS_EVERY;
        drop(self.changed.wait_while(calls, |calls| *calls < wanted && !self.is_over()).unwrap());
    }

    /// Says that a peer has done something bad.
    fn has_begun(&self) {
        *self.begun.lock().unwrap() += 1;
    }

    fn wait_for_attack(&self, peers: usize) {
        until("all hostile peers have begun", || *self.begun.lock().unwrap() >= peers);
    }
}

/// Does something bad, once.
type Hostile = fn(&Fixture, &Pace);

fn hostile() -> Vec<Hostile> {
    let mut peers: Vec<Hostile> = vec![floods, lies, dies];
    peers.extend([stalls as Hostile; 4]);
    // One loop encrypts and decrypts for all: that is its work, and what takes one thread three times as long does, too.
    let alone = carrier() == Carrier::Tls && support::threads() == Threads::Loop;
    peers.extend(vec![reads_nothing as Hostile; if alone { 1 } else { 3 }]);
    match carrier() {
        Carrier::Unix => {}
        Carrier::Shared => {
            peers.extend([stalls_in_memory as Hostile; 3]);
            peers.extend([scribbles as Hostile, reads_no_memory]);
        }
        Carrier::Tls => peers.push(shakes_no_hands),
    }
    peers
}

/// Those whose frames are long, or take long. Each is there alone: together they are more than two processors can do.
fn floods_of_frames() -> Vec<(&'static str, Hostile)> {
    let mut floods = vec![
        ("gives back", gives_back as Hostile),
        ("introduces itself", introduces_itself),
        ("asks", asks),
        ("is refused", is_refused),
        ("shares", shares),
    ];
    if carrier() == Carrier::Shared {
        floods.extend([("hands over", hands_over as Hostile), ("asks for memory", asks_for_memory)]);
    }
    floods
}

fn session(fixture: &Fixture) -> Raw {
    let mut socket = fixture.raw();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let _ = socket.write_all(&raw::hello());
    socket
}

/// Reads until the server hangs up, or longer than it may take.
fn outlast(socket: &mut Raw) {
    let _ = socket.read_to_end(&mut Vec::new());
}

/// Half a message, and nothing more.
fn stalls(fixture: &Fixture, pace: &Pace) {
    let mut socket = session(fixture);
    let _ = socket.write_all(&raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]))[..20]);
    pace.has_begun();
    outlast(&mut socket);
}

/// Asks for much, and takes nothing.
fn reads_nothing(fixture: &Fixture, pace: &Pace) {
    let mut socket = session(fixture);
    let bytes = if support::threads() == Threads::Loop { LONG_BYTES } else { LONGEST_BYTES };
    let request = raw::call(op::ECHO, 1, 1, &[raw::words(&[bytes as u64]), vec![7; bytes]].concat());
    pace.wait();
    // Until the server takes nothing, either, and hangs up.
    while socket.write_all(&request).is_ok() && !pace.is_over() {
        pace.has_begun();
    }
}

/// Calls as fast as it can.
fn floods(fixture: &Fixture, pace: &Pace) {
    let mut socket = session(fixture);
    let burst: Vec<u8> = (1..33).flat_map(|call| raw::call(op::ADD, 1, call, &raw::words(&[1, 2]))).collect();
    let mut replies = vec![0; 32 * 24];
    pace.has_begun();
    while !pace.is_over() {
        socket.write_all(&burst).unwrap();
        socket.read_exact(&mut replies).unwrap();
    }
}

/// Sends so many of these and then a call, and waits for the answer to that, over and over, until the server hangs up: it has
/// no patience with who is not scheduled in the middle of a frame.
fn repeats(fixture: &Fixture, pace: &Pace, frames: &[u8], count: usize) {
    let mut socket = session(fixture);
    let call = raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]));
    let mut reply = Vec::new();
    pace.has_begun();
    let send = |socket: &mut Raw| {
        (0..count).try_for_each(|_| socket.write_all(frames)).and_then(|()| socket.write_all(&call))
    };
    while !pace.is_over() && send(&mut socket).is_ok() {
        while matches!(read_reply(&mut socket, &mut reply), Ok(call) if call != 1) {}
    }
}

/// Whose answer came.
fn read_reply(socket: &mut Raw, body: &mut Vec<u8>) -> io::Result<u32> {
    let mut header = [0; HEADER_BYTES];
    socket.read_exact(&mut header)?;
    let header = Reply::decode(&header).unwrap();
    body.resize(header.len as usize - HEADER_BYTES, 0);
    socket.read_exact(body)?;
    Ok(header.call)
}

/// Gives back what it does not hold.
fn gives_back(fixture: &Fixture, pace: &Pace) {
    repeats(fixture, pace, &raw::release(&[(0x5_0007, 1); 1024]), 256);
}

/// Knows so many interfaces with so many operations each, none of them as the server has it.
fn knows(interfaces: usize, operations: usize) -> Vec<u8> {
    let interfaces = (0..interfaces)
        .map(|_| HelloInterface { name: "Box".to_owned(), hash: 7, operations: vec![7; operations] })
        .collect();
    let mut data = Vec::new();
    Hello { module: "boxes".to_owned(), root: "Box".to_owned(), interfaces }.encode(&mut data);
    raw::frame(kind::HELLO, &[], 0, 0, CALL_SESSION, &data)
}

/// Introduces itself at length.
fn introduces_itself(fixture: &Fixture, pace: &Pace) {
    repeats(fixture, pace, &[knows(1, 8000), knows(3000, 0), knows(1, 400), knows(200, 0)].concat(), 16);
}

/// Asks over and over what the server is.
fn asks(fixture: &Fixture, pace: &Pace) {
    repeats(fixture, pace, &raw::frame(kind::DESCRIBE, &[], 0, 0, 2, &[]), 32);
}

/// Sends much to what is not there, and what is no argument.
fn is_refused(fixture: &Fixture, pace: &Pace) {
    let lost = raw::call(op::ECHO, 7, 2, &[7; LONG_BYTES]);
    let wrong = raw::call(op::REVERSE, 1, 2, &[raw::words(&[1 << 20, 900]), vec![7; LONG_BYTES]].concat());
    repeats(fixture, pace, &[lost, wrong].concat(), 2);
}

/// Shares memory, as much as it gets, and goes.
fn shares(fixture: &Fixture, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    if let Some(socket) = fixture.socket() {
        drop(Peer::connect(socket));
    }
}

/// Announces what never comes.
fn lies(fixture: &Fixture, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let mut socket = session(fixture);
    let _ = socket.write_all(&[0xff; 40]);
    outlast(&mut socket);
}

/// Dies with objects, in the middle of a message.
fn dies(fixture: &Fixture, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let mut socket = session(fixture);
    let _ = socket.write_all(&raw::open(1, b"never released"));
    let _ = socket.write_all(&raw::open(2, b"not whole")[..30]);
}

/// Changes memory while the server reads it.
fn scribbles(fixture: &Fixture, pace: &Pace) {
    pace.has_begun();
    pace.wait();
    let Some(socket) = fixture.socket() else { return };
    let peer = Peer::connect(socket);
    peer.send(&raw::hello());
    for call in 1..20 {
        if peer.end.send(&[std::io::IoSlice::new(&raw::open(call, &[b'x'; 60]))]).is_err() {
            return;
        }
        let ring: Range<usize> = 4096..6144;
        ring.step_by(8 * call as usize).for_each(|at| {
            peer.memory.word(at).store(u64::MAX / u64::from(call), Ordering::Relaxed);
        });
    }
}

/// Half a message in memory, and nothing more.
fn stalls_in_memory(fixture: &Fixture, pace: &Pace) {
    let Some(socket) = fixture.socket() else { return };
    let peer = Peer::connect(socket);
    let frame = raw::hello();
    peer.memory.word(CONTROL_BYTES).store(1000 | u64::from(frame[4]) << 32, Ordering::Relaxed);
    peer.memory.word(0).store(64, Ordering::Relaxed);
    pace.has_begun();
    peer.rest();
}

/// As [`reads_nothing`], in memory.
fn reads_no_memory(fixture: &Fixture, pace: &Pace) {
    let Some(socket) = fixture.socket() else { return };
    let peer = Peer::connect(socket);
    peer.send(&raw::hello());
    let request = raw::call(op::ECHO, 1, 1, &[raw::words(&[3000]), vec![7; 3000]].concat());
    pace.has_begun();
    while !peer.end.has_other_hung_up() && !pace.is_over() {
        peer.send(&request);
        pace.wait();
    }
}

/// Hands the same memory over again and again, which costs it nothing, and is refused when all of it was looked at.
fn hands_over(fixture: &Fixture, pace: &Pace) {
    repeats_in_memory(fixture, pace, |peer, call| {
        pass::send(peer.socket.as_fd(), &call.to_le_bytes(), unfinished_memory()).unwrap();
        raw::frame(kind::MEMORY, &[], 0, 0, call, &(MEMORY_BYTES as u64).to_le_bytes())
    });
}

/// Memory that has all but its last page.
fn unfinished_memory() -> &'static OwnedFd {
    static FILE: OnceLock<OwnedFd> = OnceLock::new();
    FILE.get_or_init(|| {
        let file = memfd_create("hostile", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).unwrap();
        let whole = vec![1; MEMORY_BYTES - 4096];
        assert_eq!(rustix::io::pwrite(&file, &whole, 0), Ok(whole.len()));
        ftruncate(&file, MEMORY_BYTES as u64).unwrap();
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE).unwrap();
        file
    })
}

/// Asks over and over for the memory behind what has none.
fn asks_for_memory(fixture: &Fixture, pace: &Pace) {
    repeats_in_memory(fixture, pace, |_, call| raw::map(call, 1));
}

/// Has some requests in flight all the time.
fn repeats_in_memory(fixture: &Fixture, pace: &Pace, request: impl Fn(&Peer, u32) -> Vec<u8>) {
    let Some(socket) = fixture.socket() else { return };
    let peer = Peer::connect(socket);
    peer.send(&raw::hello());
    (1..4).for_each(|call| _ = peer.send(&request(&peer, call)));
    let mut buffer = vec![0; 4096];
    pace.has_begun();
    while !pace.is_over() {
        let received = peer.end.receive(&mut buffer).unwrap();
        for (reply, _) in raw::replies(&buffer[..received]) {
            assert_ne!(reply.call, CALL_SESSION);
            peer.send(&request(&peer, reply.call));
        }
        let wanted = Wanted { frames: true, room: false };
        peer.end.sleep(wanted, Duration::from_millis(10), || false);
    }
}

/// Connects, and says nothing.
fn shakes_no_hands(fixture: &Fixture, pace: &Pace) {
    let stream = afar::tcp(&fixture.address);
    pace.has_begun();
    pace.wait();
    drop(stream);
}

// ---- A server that lets clients wait for each other ----

/// How long it waits for a client: not long, since a call of the good one waits for several of them.
const HELD: Duration = Duration::from_millis(1);

/// What is held while a client is waited for.
#[derive(Default)]
struct Held(Mutex<()>);

/// An object that holds something for all calls, also while it waits for the client of one.
struct Locked {
    inner: Arc<dyn Object>,
    held: Arc<Held>,
}

impl Object for Locked {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        self.inner.interface()
    }

    fn dispatch(&self, number: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let _held = self.held.0.lock().unwrap();
        if number == op::FAIL {
            wait_for_nobody(HELD);
            return Ok(());
        }
        self.inner.dispatch(number, call)
    }

    fn service(&self) -> &dyn std::any::Any {
        self.inner.service()
    }
}

/// Calls what waits.
fn is_waited_for(fixture: &Fixture, pace: &Pace) {
    let client = client(fixture);
    pace.has_begun();
    while !pace.is_over() {
        let _ = client.plain(op::FAIL, &mut [0]);
    }
}

#[test]
fn median_latency_stays() {
    unfinished_memory();
    let first = Counts::now();
    {
        let (elsewhere, fixture) = (fixture(None), fixture(None));
        let before = Counts::now();
        // What allocators keep they keep from now on.
        stays_in_most(&fixture, &elsewhere, ("all, first", &hostile()), 1);
        for (what, flood) in floods_of_frames() {
            stays_in_most(&fixture, &elsewhere, (what, &[flood]), 1);
        }
        until("all sessions are gone", || fixture.sessions() + elsewhere.sessions() == 0);
        let bytes = private_bytes();
        let (stays, turns) = stays_in_most(&fixture, &elsewhere, ("all", &hostile()), TURNS);
        assert!(stays, "undisturbed and attacked: {turns:?}");
        for (what, flood) in floods_of_frames() {
            let (stays, turns) = stays_in_most(&fixture, &elsewhere, (what, &[flood]), TURNS);
            assert!(stays, "undisturbed, and by one that {what}: {turns:?}");
        }
        until("all sessions are gone", || fixture.sessions() + elsewhere.sessions() == 0);
        until("all objects are gone", || fixture.world.live() + elsewhere.world.live() == 0);
        before.come_back("with the server");
        let kept = private_bytes().saturating_sub(bytes);
        assert!(kept < KEPT_BYTES, "{kept} bytes more than before");
    }
    first.come_back("without it");
    let locked = fixture(Some(Arc::default()));
    let (stays, turns) =
        stays_in_most(&locked, &fixture(None), ("is waited for", &[is_waited_for as Hostile; 4]), TURNS);
    assert!(!stays, "that clients wait for each other is not seen: {turns:?}");
}
