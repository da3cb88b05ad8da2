//! What a run of a program that ships costs on a link of 1 ms: the first time, later, and after the server was restarted, named by
//! its hash and sent whole. What crosses the link is counted.
//!
//! A server that is restarted is shut down behind two runs of the program, and another one begins with what it left: nothing, or its files,
//! among which is a program that was used again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_files::{Access, files};
use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::bill::{Hash, hash};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{JournalError, Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;
use carnet_sim::{Relay, RelayOptions};

use crate::folder::Folder;
use crate::measure::{Contender, Measured, Scale, measure};
use crate::report::{Figure, Judged};

const PROGRAM: &str = include_str!("../../programs/disk_usage.carnet");
const ROUND_TRIP: Duration = Duration::from_millis(1);
/// Time that a server has to end.
const SHUTDOWN: Duration = Duration::from_secs(10);

/// A run, and what the server knows before it.
struct Way {
    name: &'static str,
    sent: Sent,
    before: Before,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    /// A run of the program, on the same server.
    Run,
    /// Two on the server before, which kept nothing.
    Restart,
    /// The same on the server before, which keeps programs in files.
    RestartWithFiles,
}

#[derive(Clone, Copy)]
enum Sent {
    Hash,
    Whole,
}

const WAYS: [Way; 6] = [
    Way { name: "a first run, by its hash", sent: Sent::Hash, before: Before::Nothing },
    Way { name: "a first run, whole", sent: Sent::Whole, before: Before::Nothing },
    Way { name: "a later run, by its hash", sent: Sent::Hash, before: Before::Run },
    Way { name: "a later run, whole", sent: Sent::Whole, before: Before::Run },
    // The client sends the hash, as before, and heals the miss by itself.
    Way { name: "a run after a restart, by its hash", sent: Sent::Hash, before: Before::Restart },
    Way {
        name: "a run after a restart with `--state`, by its hash",
        sent: Sent::Hash,
        before: Before::RestartWithFiles,
    },
];
/// The one that the others are held against.
const ALWAYS_WHOLE: usize = 3;

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let tree = parse(PROGRAM, &[Arc::new(files::module().clone())])
        .map_err(|faults| carnet_idl::diagnostic::render("disk_usage", PROGRAM, &faults))?;
    let program = compile_to_bytes(&tree).map_err(said)?;
    let folder = Folder::new("cache")?;
    std::fs::create_dir(folder.path().join("served")).map_err(said)?;
    let counted: Vec<std::cell::Cell<[u64; 3]>> = WAYS.iter().map(|_| std::cell::Cell::default()).collect();
    let mut contenders: Vec<Contender<'_>> = WAYS
        .iter()
        .zip(&counted)
        .map(|(way, counted)| {
            let (program, folder) = (&program, &folder);
            Contender::new(way.name, move || {
                let (micros, crossed) = sample(folder, program, way)?;
                counted.set(crossed);
                Ok(micros)
            })
        })
        .collect();
    let measured = measure(scale, &mut contenders)?;
    drop(contenders);
    let figure = |(ours, counted): (&Measured, &std::cell::Cell<[u64; 3]>)| {
        let [to, from, round_trips] = counted.get();
        Figure {
            name: format!("cache, {}", ours.name),
            unit: "µs",
            judged: Judged::LowMedian,
            paper: None,
            wanted: "–",
            ours: ours.clone(),
            rivals: measured
                .get(ALWAYS_WHOLE)
                .filter(|whole| whole.name != ours.name)
                .cloned()
                .into_iter()
                .collect(),
            how: format!(
                "{to} bytes to the server, {from} back, round trips: {round_trips}; a program of {} bytes, a link of \
                 {} ms; {pinned}",
                program.len(),
                ROUND_TRIP.as_millis()
            ),
        }
    };
    Ok(measured.iter().zip(&counted).map(figure).collect())
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Time of a run in µs; bytes to the server and back, and round trips.
fn sample(folder: &Folder, program: &[u8], way: &Way) -> Result<(f64, [u64; 3]), String> {
    let (socket, link) = (folder.path().join("server"), folder.path().join("link"));
    let state = folder.path().join("state");
    let files = (way.before == Before::RestartWithFiles).then_some(&state);
    let server = serve(folder, &socket, files)?;
    let hash = hash(program);
    let server = match way.before {
        Before::Restart | Before::RestartWithFiles => {
            let client = client(&socket)?;
            for number in [0, 1] {
                once(&client, number, RunProgram::Cached { hash: &hash, bytes: program })?;
            }
            drop(client);
            server.shutdown(Instant::now() + SHUTDOWN);
            serve(folder, &socket, files)?
        }
        Before::Nothing | Before::Run => server,
    };
    let relay = Relay::start(&link, &socket, RelayOptions::default()).map_err(said)?;
    let client = client(&link)?;
    if way.before == Before::Run {
        once(&client, 0, RunProgram::Whole(program))?;
    }
    relay.set_round_trip(ROUND_TRIP);
    let before = relay.counts();
    let begin = Instant::now();
    once(&client, 2, named(way.sent, &hash, program))?;
    let micros = begin.elapsed().as_nanos() as f64 / 1000.0;
    let after = relay.counts();
    drop((client, relay));
    server.shutdown(Instant::now() + SHUTDOWN);
    if files.is_some() {
        std::fs::remove_dir_all(&state).map_err(said)?;
    }
    let crossed = [
        after.to_server_bytes - before.to_server_bytes,
        after.to_client_bytes - before.to_client_bytes,
        after.round_trips - before.round_trips,
    ];
    Ok((micros, crossed))
}

/// A server of files, which keeps in files what it is to know after a restart, if that is said.
fn serve(folder: &Folder, socket: &Path, files: Option<&PathBuf>) -> Result<Server, String> {
    let options = carnet_files::Options {
        access: Access::ReadOnly,
        ..carnet_files::Options::new(folder.path().join("served"))
    };
    let root = Capability::new(carnet_files::serve(options).map_err(said)?.into_object());
    let modules = [files::module()];
    let programs = match files {
        None => Programs::new(&modules, Policy::default()),
        Some(state) => {
            std::fs::create_dir_all(state).map_err(said)?;
            // The one before lets go of its files when the last of its threads has ended.
            let deadline = Instant::now() + SHUTDOWN;
            loop {
                match Programs::journalled(&modules, Policy::default(), state) {
                    Err(JournalError::InUse) if Instant::now() < deadline => std::thread::yield_now(),
                    made => break made.map_err(said)?,
                }
            }
        }
    };
    let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
    Server::listen(&Address::Unix(socket.to_owned()), options, move |_| Ok(root.clone())).map_err(said)
}

fn client(socket: &Path) -> Result<Client, String> {
    let address = Address::Unix(socket.to_owned());
    RemoteSession::connect(&address, ConnectOptions::default()).map(Client::new).map_err(said)
}

fn named<'a>(sent: Sent, hash: &'a Hash, bytes: &'a [u8]) -> RunProgram<'a> {
    match sent {
        Sent::Hash => RunProgram::Cached { hash, bytes },
        Sent::Whole => RunProgram::Whole(bytes),
    }
}

fn once(client: &Client, number: usize, program: RunProgram<'_>) -> Result<(), String> {
    let request = RunRequest {
        id: RunId(number as u128 + 1),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: vec![Argument::Portal(0)],
        program,
    };
    let outcome = client.run(&request, &[&client.transport().root()]).map_err(said)?;
    if outcome.end == End::Done { Ok(()) } else { Err(format!("it ended with {:?}", outcome.end)) }
}
