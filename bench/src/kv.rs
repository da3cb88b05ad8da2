//! A read-modify-write over 1,000 keys at a distance: by single calls, by pipelined ones, by the program `bump_all`; and by Redis,
//! with a script that does the same on the server.
//!
//! All write numbers that are decimal texts, and each sample checks them. There are two figures, in each of which both are as durable:
//!
//! | figure | ours | Redis |
//! | --- | --- | --- |
//! | on disk | on the disk when it is answered, in two phases | `appendfsync always` |
//! | in memory | `--durability memory`: on the disk once a second | no persistence |
//!
//! Single and pipelined calls read and write through one transaction, so that they, too, wait for the disk once; pipelined, all reads are
//! under way before any is waited for, then all writes.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_kv::{Access, Durability, Options, kv};
use carnet_portal::address::Address;
use carnet_portal::call::Ref;
use carnet_portal::capability::Capability;
use carnet_portal::portal::{Block, Input, OpNumber};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::compile::compile;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunRequest};
use carnet_program::source::parse;
use carnet_sim::{Relay, RelayOptions};

use crate::copying::unique;
use crate::folder::Folder;
use crate::measure::{Contender, Scale, measure_runs};
use crate::report::{Figure, Judged};

const PROGRAM: &str = include_str!("../../programs/bump_all.carnet");

/// What the program does, for Redis: keys are listed, read and written on the server.
const SCRIPT: &str = "local n = 0 for _, k in ipairs(redis.call('KEYS', 'n.*')) do \
    redis.call('SET', k, redis.call('GET', k) + ARGV[1]) n = n + 1 end return n";

/// Samples of each: single calls take some seconds.
const RUNS: usize = 9;
/// Time to the other side and back.
const ROUND_TRIP: Duration = Duration::from_millis(1);
/// How long Redis may take to answer first.
const PATIENCE: Duration = Duration::from_secs(10);

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    [Durability::Disk, Durability::Memory].into_iter().map(|how| figure(scale, pinned, how)).collect()
}

fn figure(scale: Scale, pinned: &str, durability: Durability) -> Result<Figure, String> {
    let keys = scale.work(1_000);
    let folder = Folder::new("kv")?;
    let start = |name| Ours::start(&folder, name, keys, durability);
    let (ours, singly, piped) = (start("ours")?, start("singly")?, start("piped")?);
    let mut redis = redis(scale, &folder, keys, durability)?;
    let mut contenders = vec![
        Contender::new("ours", || timed(|| ours.program())),
        Contender::new("single calls", || timed(|| singly.singly())),
        Contender::new("pipelined calls", || timed(|| piped.pipelined())),
    ];
    if let Some((name, redis)) = &mut redis {
        contenders.push(Contender::new(name, || timed(|| redis.bump())));
    }
    let mut measured = measure_runs(scale, RUNS, &mut contenders)?;
    let ours = measured.remove(0);
    let missing =
        if scale == Scale::Full && measured.len() == 2 { "; redis-server is not installed" } else { "" };
    let (place, each) = match durability {
        Durability::Disk => ("on disk", "wait for the disk once"),
        Durability::Memory => ("in memory", "do not wait for the disk"),
    };
    Ok(Figure {
        name: format!("kv, {place}, {keys} keys, 1 ms"),
        unit: "ms",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 1.5× Redis",
        ours,
        rivals: measured,
        how: format!("ours and Redis {each}{missing}; {pinned}"),
    })
}

fn timed(act: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let began = Instant::now();
    act()?;
    Ok(began.elapsed().as_nanos() as f64 / 1e6)
}

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

fn key(number: i64) -> String {
    format!("n.{number:04}")
}

/// A link of that length to the socket `to`.
fn linked(link: &Path, to: &Path) -> Result<Relay, String> {
    let relay = Relay::start(link, to, RelayOptions::default()).map_err(said)?;
    relay.set_round_trip(ROUND_TRIP);
    Ok(relay)
}

/// A store of our own behind a link.
struct Ours {
    transport: Arc<RemoteSession>,
    program: Vec<u8>,
    keys: i64,
    /// What each key holds: the times that all were bumped.
    bumped: std::cell::Cell<i64>,
    _relay: Relay,
    _server: Server,
}

impl Ours {
    fn start(folder: &Folder, name: &str, keys: i64, durability: Durability) -> Result<Ours, String> {
        let path = folder.path().join(format!("{name}.db"));
        let options = Options { access: Access::ReadWrite, durability, ..Options::new(path) };
        let root = Capability::new(carnet_kv::serve(options).map_err(said)?.into_object());
        let programs = Programs::new(&[kv::module()], Policy::default());
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let (socket, link) = (folder.path().join(name), folder.path().join(format!("{name}.link")));
        let server = Server::listen(&Address::Unix(socket.clone()), options, move |_| Ok(root.clone()))
            .map_err(said)?;
        let relay = linked(&link, &socket)?;
        let near = RemoteSession::connect(&Address::Unix(socket), ConnectOptions::default()).map_err(said)?;
        let fill = kv::Store::from_portal(near.root()).begin().map_err(said)?;
        for number in 0..keys {
            fill.put_int(key(number).as_bytes(), 0).map_err(said)?;
        }
        fill.commit().map_err(said)?;
        let transport =
            RemoteSession::connect(&Address::Unix(link), ConnectOptions::default()).map_err(said)?;
        let tree = parse(PROGRAM, &[Arc::new(kv::module().clone())])
            .map_err(|faults| carnet_idl::diagnostic::render("bump_all", PROGRAM, &faults))?;
        let program = compile(&tree).map_err(said)?.encode();
        Ok(Ours {
            transport,
            program,
            keys,
            bumped: std::cell::Cell::default(),
            _relay: relay,
            _server: server,
        })
    }

    fn program(&self) -> Result<(), String> {
        let arguments = vec![Argument::Named(b"n."), Argument::Scalar(1)];
        let (id, options) = (RunId(unique()), RunOptions::default());
        let request =
            RunRequest { id, options, name: "", approval: "", arguments, program: (&self.program).into() };
        let outcome = Client::new(Arc::clone(&self.transport)).run(&request, &[]).map_err(said)?;
        let result = outcome.result.as_deref().unwrap_or_default();
        let wanted = [self.keys, self.keys * self.bump()].map(i64::to_le_bytes).concat();
        if outcome.end != End::Done || *result != wanted {
            return Err(format!("the program ended with {:?} and {result:?}", outcome.end));
        }
        Ok(())
    }

    /// The number that each key is to hold next.
    fn bump(&self) -> i64 {
        self.bumped.set(self.bumped.get() + 1);
        self.bumped.get()
    }

    fn check(&self, value: i64, wanted: i64) -> Result<(), String> {
        if value == wanted { Ok(()) } else { Err(format!("a key holds {value} instead of {wanted}")) }
    }

    fn singly(&self) -> Result<(), String> {
        let store = kv::Store::from_portal(self.transport.root());
        let (all, next) = (store.begin().map_err(said)?, self.bump());
        let (page, _) = store.scan(b"n.", b"").map_err(said)?;
        for entry in page {
            let value = all.get_int(&entry.key).map_err(said)? + 1;
            self.check(value, next)?;
            all.put_int(&entry.key, value).map_err(said)?;
        }
        all.commit().map_err(said)
    }

    /// All reads are under way at once, then all writes.
    fn pipelined(&self) -> Result<(), String> {
        let store = kv::Store::from_portal(self.transport.root());
        let (all, next) = (store.begin().map_err(said)?, self.bump());
        let (page, _) = store.scan(b"n.", b"").map_err(said)?;
        for read in self.under_way(&all, operation("get_int")?, &page, 0)? {
            self.check(read + 1, next)?;
        }
        self.under_way(&all, operation("put_int")?, &page, next)?;
        all.commit().map_err(said)
    }

    /// One call for each key, all of them sent before any is waited for; the second word of each, which is the number.
    fn under_way(
        &self,
        all: &kv::Transaction,
        op: OpNumber,
        page: &[kv::Entry],
        number: i64,
    ) -> Result<Vec<i64>, String> {
        let mut pending = Vec::with_capacity(page.len());
        for entry in page {
            let name = Ref::new(0, 0, entry.key.len()).ok_or("a key is too long")?;
            let (mut words, inputs) = ([name.0, number.cast_unsigned()], [Input::Bytes(&entry.key)]);
            let block =
                Block { words: &mut words, inputs: &inputs, outputs: &mut [], portals: &[], made: vec![] };
            pending.push(self.transport.start_call(all.portal().id(), op, &block).map_err(said)?);
        }
        let ended = pending.into_iter().map(|one| {
            let mut words = [0; 2];
            let mut block =
                Block { words: &mut words, inputs: &[], outputs: &mut [], portals: &[], made: vec![] };
            one.wait(&mut block).map_err(said)?;
            Ok(words[1].cast_signed())
        });
        ended.collect()
    }
}

fn operation(name: &str) -> Result<OpNumber, String> {
    let module = kv::module();
    let interface = module.interface("Transaction").ok_or("the interface has no Transaction")?;
    let found = module.interfaces[interface.index()].operation(name);
    let (op, _) = found.ok_or_else(|| format!("Transaction has no operation {name}"))?;
    Ok(OpNumber { module, interface, op })
}

/// Redis with or without a file, if it is installed and rivals are wanted.
fn redis(
    scale: Scale,
    folder: &Folder,
    keys: i64,
    durability: Durability,
) -> Result<Option<(&'static str, Redis)>, String> {
    let is_there = || Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_ok();
    if scale == Scale::Tiny || !is_there() {
        return Ok(None);
    }
    let (name, more): (_, &[&str]) = match durability {
        Durability::Disk => ("Redis, EVALSHA, fsync", &["--appendonly", "yes", "--appendfsync", "always"]),
        Durability::Memory => ("Redis, EVALSHA, in memory", &["--appendonly", "no"]),
    };
    Ok(Some((name, Redis::start(folder, "rival", more, keys)?)))
}

/// A Redis of our own behind a link.
struct Redis {
    to: BufReader<UnixStream>,
    script: String,
    keys: i64,
    bumped: i64,
    _relay: Relay,
    server: Child,
}

impl Redis {
    fn start(folder: &Folder, name: &str, more: &[&str], keys: i64) -> Result<Redis, String> {
        let own = folder.path().join(name);
        std::fs::create_dir_all(&own).map_err(said)?;
        let (socket, link) = (own.join("redis"), own.join("link"));
        let mut command = Command::new("redis-server");
        command
            .args(["--port", "0", "--save", "", "--unixsocket"])
            .arg(&socket)
            .arg("--dir")
            .arg(&own)
            .args(more);
        let mut server = command.stdout(Stdio::null()).spawn().map_err(said)?;
        let began = Instant::now();
        while UnixStream::connect(&socket).is_err() {
            if began.elapsed() > PATIENCE || server.try_wait().map_err(said)?.is_some() {
                let _ = server.kill();
                return Err("redis-server does not answer".to_owned());
            }
            std::thread::yield_now();
        }
        let relay = linked(&link, &socket)?;
        let to = BufReader::new(UnixStream::connect(&link).map_err(said)?);
        let mut redis = Redis { to, script: String::new(), keys, bumped: 0, _relay: relay, server };
        for number in 0..keys {
            redis.ask(&["SET", &key(number), "0"])?;
        }
        redis.script = redis.ask(&["SCRIPT", "LOAD", SCRIPT])?;
        Ok(redis)
    }

    fn bump(&mut self) -> Result<(), String> {
        let script = self.script.clone();
        let bumped = self.ask(&["EVALSHA", &script, "0", "1"])?;
        self.bumped += 1;
        if bumped != self.keys.to_string() { Err(format!("Redis bumped {bumped} keys")) } else { Ok(()) }
    }

    /// One command, as an array of texts; its answer: a line, or a text after its length.
    fn ask(&mut self, words: &[&str]) -> Result<String, String> {
        let mut request = format!("*{}\r\n", words.len());
        for word in words {
            request.push_str(&format!("${}\r\n{word}\r\n", word.len()));
        }
        self.to.get_mut().write_all(request.as_bytes()).map_err(said)?;
        let mut line = String::new();
        self.to.read_line(&mut line).map_err(said)?;
        match line.trim_end().split_at_checked(1) {
            Some(("+" | ":", text)) => Ok(text.to_owned()),
            Some(("$", len)) => {
                let mut text = vec![0; len.parse::<usize>().map_err(said)? + 2];
                self.to.read_exact(&mut text).map_err(said)?;
                Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
            }
            _ => Err(format!("Redis answered {line:?}")),
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
