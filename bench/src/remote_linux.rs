//! Linux calls of another process: a file copied, and bytes sent over TCP, by the programs that ship and by the same calls one by one.
//!
//! ```text
//! client ══ Unix socket, 0 or 1 ms ══ server ══ process of the session ══ loopback ══ who listens
//! ```
//! | job | program | single calls |
//! | --- | --- | --- |
//! | copy | `file_copy.carnet`, 1 MiB a round | open, open, as many reads and writes of 1 MiB, close, close |
//! | send | `send_tcp.carnet`, 4 KiB a round, 100 rounds | socket, connect, 100 sends, shutdown, close |
//!
//! Beside them stands the same by this process itself, with nothing between. What was copied is compared, and what was sent is counted.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carnet_linux::linux::{self, Address as Name, System};
use carnet_linux::{Linux, Rights, Rules, Starter};
use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::bill::hash;
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;
use carnet_programs::{FILE_COPY, SEND_TCP, Shipped};
use carnet_sim::{Relay, RelayOptions};

use crate::measure::{Contender, Scale, measure};
use crate::plot::{self, Axis, Plot, Series};
use crate::report::{Figure, Judged};

/// The first word on the command line of a session's process.
pub const WORD: &str = "--linux-session";

/// Bytes of the file.
const FILE: usize = 4 << 20;
const STEP: usize = 1 << 20;
/// What is sent, and how often.
const PIECE: usize = 4 << 10;
const TIMES: usize = 100;
const LOOPBACK: u32 = 0x7f00_0001;
/// `O_WRONLY`, `O_CREAT`, `O_TRUNC`.
const ANEW: i32 = 0x241;

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// Measures.
///
/// # Errors
/// A system without Landlock, a server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let links: &[u64] = if scale == Scale::Tiny { &[0] } else { &[0, 1] };
    let size = if scale == Scale::Tiny { 10_000 } else { FILE };
    let times = if scale == Scale::Tiny { 2 } else { TIMES };
    let stage = Stage::set(size)?;
    let mut figures = Vec::new();
    for ms in links {
        stage.relay.set_round_trip(Duration::from_millis(*ms));
        let link = if *ms == 0 { "Unix socket".to_owned() } else { format!("Unix socket, {ms} ms") };
        let mut copies = [
            Contender::new("ours", || timed(|| stage.copy_by_program(size))),
            Contender::new("calls one by one", || timed(|| stage.copy_by_calls())),
            Contender::new("this process itself", || timed(|| stage.copy_here())),
        ];
        figures.push(figure(
            scale,
            format!("remote-linux: file_copy of 4 MiB, {link}"),
            &mut copies,
            pinned,
        )?);
        stage.check()?;
        let mut sends = [
            Contender::new("ours", || timed(|| stage.send_by_program(times))),
            Contender::new("calls one by one", || timed(|| stage.send_by_calls(times))),
            Contender::new("this process itself", || timed(|| stage.send_here(times))),
        ];
        let name = format!("remote-linux: send_tcp of 4 KiB, 100 times, {link}");
        figures.push(figure(scale, name, &mut sends, pinned)?);
        drop(sends);
        stage.all_came()?;
    }
    if scale == Scale::Full {
        draw(links, &figures)?;
    }
    Ok(figures)
}

/// What is done over each link, in the order of the figures.
const JOBS: [&str; 2] = ["copy of 4 MiB", "100 sends"];

/// Program and calls over the links; figures of one link follow each other.
fn draw(links: &[u64], figures: &[Figure]) -> Result<(), String> {
    let line = |job: usize, who: &str, of: fn(&Figure) -> f64| {
        let of_job = figures.iter().skip(job).step_by(JOBS.len());
        let points = links.iter().zip(of_job).map(|(ms, figure)| (*ms as f64, of(figure)));
        Series::new(&format!("{}, {who}", JOBS[job]), points.collect())
    };
    let calls: fn(&Figure) -> f64 = |figure| figure.rivals[0].median;
    let jobs = 0..JOBS.len();
    let series = jobs.flat_map(|job| {
        [line(job, "program", |figure| figure.ours.median), line(job, "calls", calls).dashed()]
    });
    let title = "Linux calls of another process, as a program and one by one".to_owned();
    let (x, y) = ("round trip, ms", "ms");
    let plot = Plot { title, x, x_axis: Axis::Linear, y, y_axis: Axis::Decades, series: series.collect() };
    plot::keep("remote-linux", &plot.svg()).map_err(|error| format!("cannot draw: {error}"))
}

/// What this process does by itself stands in a figure of its own: nobody who is elsewhere could do that.
fn figure(
    scale: Scale,
    name: String,
    contenders: &mut [Contender<'_>],
    pinned: &str,
) -> Result<Figure, String> {
    let mut measured = measure(scale, contenders)?;
    let here = measured.pop().ok_or("nothing was measured")?;
    let ours = measured.remove(0);
    let how = format!(
        "{:.2} ms by this process itself; the program from the server's cache; {pinned}",
        here.median
    );
    Ok(Figure {
        name,
        unit: "ms",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "< 1× the calls",
        ours,
        rivals: measured,
        how,
    })
}

fn timed(work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_nanos() as f64 / 1e6)
}

/// Bytecode of a program that ships, and its hash.
struct Prepared(Vec<u8>, [u8; 32]);

impl Prepared {
    fn of(shipped: Shipped) -> Result<Prepared, String> {
        let tree = parse(shipped.source, &[Arc::new(linux::module().clone())])
            .map_err(|faults| carnet_idl::diagnostic::render(shipped.file, shipped.source, &faults))?;
        let bytes = compile_to_bytes(&tree).map_err(said)?;
        let hash = hash(&bytes);
        Ok(Prepared(bytes, hash))
    }
}

/// A served directory behind a link, and somebody who listens.
struct Stage {
    relay: Relay,
    _server: Server,
    client: Client,
    system: System,
    copy: Prepared,
    send: Prepared,
    sink: Sink,
    folder: PathBuf,
    ids: AtomicU64,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The folder is in the system's own place for what is temporary: what is left there is harmless.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Stage {
    fn set(size: usize) -> Result<Stage, String> {
        let folder = std::env::temp_dir().join(format!("carnet-remote-linux-{}", std::process::id()));
        let served = folder.join("served");
        std::fs::create_dir_all(&served).map_err(said)?;
        let bytes: Vec<u8> = (0..size).map(|k| (k ^ (k >> 8) ^ (k >> 16)) as u8).collect();
        std::fs::write(served.join("source"), bytes).map_err(said)?;
        let sink = Sink::start()?;
        let mut rules = Rules::new(&served, Rights::Write);
        rules.network.connect = vec![sink.port];
        let service = Linux::serve(rules, Starter::myself(WORD)).map_err(said)?;
        let programs = Programs::new(&[linux::module()], Policy::default());
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let (socket, link) = (folder.join("server"), folder.join("link"));
        let roots = move |caller: &_| Ok(Capability::new(service.session(caller)));
        let server = Server::listen(&Address::Unix(socket.clone()), options, roots).map_err(said)?;
        let relay = Relay::start(&link, &socket, RelayOptions::default()).map_err(said)?;
        let transport =
            RemoteSession::connect(&Address::Unix(link), ConnectOptions::default()).map_err(said)?;
        let system = System::from_portal(transport.root());
        let (copy, send) = (Prepared::of(FILE_COPY)?, Prepared::of(SEND_TCP)?);
        let (client, ids) = (Client::new(transport), AtomicU64::new(1));
        Ok(Stage { relay, _server: server, client, system, copy, send, sink, folder, ids })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join("served").join(name)
    }

    /// The target is what the source is.
    fn check(&self) -> Result<(), String> {
        let same = std::fs::read(self.path("target")).map_err(said)?
            == std::fs::read(self.path("source")).map_err(said)?;
        if same { Ok(()) } else { Err("the copy differs".to_owned()) }
    }

    fn all_came(&self) -> Result<(), String> {
        let (sent, begun) = (self.sink.sent.load(Ordering::Relaxed), Instant::now());
        while self.sink.came.load(Ordering::Relaxed) != sent {
            if begun.elapsed() > Duration::from_secs(10) {
                return Err(format!("{} bytes came of {sent}", self.sink.came.load(Ordering::Relaxed)));
            }
            std::thread::yield_now();
        }
        Ok(())
    }

    fn run(&self, program: &Prepared, arguments: Vec<Argument<'_>>, expected: usize) -> Result<(), String> {
        let id = RunId(u128::from(self.ids.fetch_add(1, Ordering::Relaxed)));
        let program = RunProgram::Cached { hash: &program.1, bytes: &program.0 };
        let options = RunOptions::default();
        let request = RunRequest { id, options, name: "", approval: "", arguments, program };
        let outcome = self.client.run(&request, &[self.system.portal()]).map_err(said)?;
        if outcome.end != End::Done || outcome.result.as_deref() != Some(&(expected as u64).to_le_bytes()[..])
        {
            return Err(format!("the program ended with {:?}", outcome.end));
        }
        Ok(())
    }

    fn copy_by_program(&self, size: usize) -> Result<(), String> {
        let arguments = vec![Argument::Portal(0), Argument::Text(b"source"), Argument::Text(b"target")];
        self.run(&self.copy, arguments, size)
    }

    fn copy_by_calls(&self) -> Result<(), String> {
        let system = &self.system;
        let from = system.open(b"source", 0).map_err(said)?;
        let to = system.open_write(b"target", ANEW, 0o644).map_err(said)?;
        loop {
            let piece = system.read(from, STEP as i64).map_err(said)?;
            if piece.is_empty() {
                break;
            }
            system.write(to, &piece).map_err(said)?;
        }
        system.close(to).map_err(said)?;
        system.close(from).map_err(said)
    }

    fn copy_here(&self) -> Result<(), String> {
        let mut from = std::fs::File::open(self.path("source")).map_err(said)?;
        let mut to = std::fs::File::create(self.path("target")).map_err(said)?;
        let mut piece = vec![0; STEP];
        loop {
            match from.read(&mut piece).map_err(said)? {
                0 => return Ok(()),
                read => to.write_all(&piece[..read]).map_err(said)?,
            }
        }
    }

    fn send_by_program(&self, times: usize) -> Result<(), String> {
        let data = [7; PIECE];
        let scalars = [i64::from(LOOPBACK), i64::from(self.sink.port)];
        let mut arguments =
            vec![Argument::Portal(0), Argument::Scalar(scalars[0]), Argument::Scalar(scalars[1])];
        arguments.extend([Argument::Text(&data), Argument::Scalar(times as i64)]);
        self.sink.expect(times);
        self.run(&self.send, arguments, PIECE * times)
    }

    fn send_by_calls(&self, times: usize) -> Result<(), String> {
        let (system, data) = (&self.system, [7; PIECE]);
        self.sink.expect(times);
        let socket = system.socket(2, 1, 0).map_err(said)?;
        let to = Name { family: 2, number: self.sink.port, ip: LOOPBACK, high: 0, low: 0, scope: 0, flow: 0 };
        system.connect(socket, &to).map_err(said)?;
        for _ in 0..times {
            let sent = system.send(socket, &data, 0).map_err(said)?;
            if sent != PIECE as i64 {
                return Err(format!("{sent} bytes were sent"));
            }
        }
        system.shutdown(socket, 1).map_err(said)?;
        system.close(socket).map_err(said)
    }

    fn send_here(&self, times: usize) -> Result<(), String> {
        let data = [7; PIECE];
        self.sink.expect(times);
        let mut socket = TcpStream::connect(("127.0.0.1", self.sink.port)).map_err(said)?;
        for _ in 0..times {
            socket.write_all(&data).map_err(said)?;
        }
        socket.shutdown(Shutdown::Write).map_err(said)
    }
}

/// Who listens, takes whatever comes, and counts it. Its thread ends with the process.
struct Sink {
    port: u16,
    sent: AtomicU64,
    came: Arc<AtomicU64>,
}

impl Sink {
    fn start() -> Result<Sink, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(said)?;
        let port = listener.local_addr().map_err(said)?.port();
        let came = Arc::new(AtomicU64::new(0));
        let counts = Arc::clone(&came);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 256 << 10];
            for mut client in listener.incoming().filter_map(Result::ok) {
                while let Ok(read @ 1..) = client.read(&mut buffer) {
                    counts.fetch_add(read as u64, Ordering::Relaxed);
                }
            }
        });
        Ok(Sink { port, sent: AtomicU64::new(0), came })
    }

    fn expect(&self, times: usize) {
        self.sent.fetch_add((times * PIECE) as u64, Ordering::Relaxed);
    }
}
