//! How many calls a program must hold before it is faster than making them one by one, over a Unix socket, named by its hash
//! from the server's cache, and with the bytecode sent each time. And what a program of one call costs beside the call: from the
//! cache, sent again, and another one each time, which the server must verify.
//!
//! Client and server are threads of this process, on one processor and on two. What a program saves on two is
//! larger, because there a round trip waits for another processor to wake up.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::portal::Portal;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::bill::hash;
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;

use crate::measure::{Contender, Measured, Scale, measure, pin, processors};
use crate::report::{Figure, Judged};
use crate::services::{Counters, null, null_object};

/// Most calls that are tried.
const CALLS_MAX: usize = 6;
/// Programs that take turns when the server is to see another one each time.
const DIFFERENT: usize = 16;
/// Programs that the server caches: less than that.
const CACHED_MAX: usize = 8;
/// Round trips of one sample.
const TIMES: i64 = 4_000;

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, _pinned: &str) -> Result<Vec<Figure>, String> {
    let mut figures = of_placement(scale, "same core", 0, 0)?;
    if processors() > 1 {
        figures.extend(of_placement(scale, "cross core", 0, 1)?);
    }
    Ok(figures)
}

/// Both figures with the server's threads on one processor and the client's on another, or the same.
fn of_placement(scale: Scale, placement: &str, server: usize, client: usize) -> Result<Vec<Figure>, String> {
    pin(server)?;
    let served = Served::start()?;
    pin(client)?;
    // Cross-core round trips are some twenty times slower here: fewer of them make a sample.
    let times = scale.work(if server == client { TIMES } else { TIMES / 10 });
    let mut contenders = Vec::new();
    for calls in 1..=CALLS_MAX {
        contenders.push(single_calls(&served, calls, times)?);
        for sent in [Sent::Hash, Sent::Whole] {
            let name = format!("a program of {calls}{}", sent.name());
            contenders.push(as_program(&name, &served, calls, (vec![program(calls, 2)?], sent), times));
        }
    }
    let different = (0..DIFFERENT).map(|k| program(1, k)).collect::<Result<_, _>>()?;
    let name = "a program of 1, another each time";
    contenders.push(as_program(name, &served, 1, (different, Sent::Whole), times));
    let mut measured = measure(scale, &mut contenders)?;
    let another = measured.pop().ok_or("nothing was measured")?;
    let how = format!("{times} times a sample; {placement}: server on {server}, client on {client}");
    let all: Vec<&[Measured]> = measured.chunks(3).collect();
    let one = |name: &str, ours: Measured| Figure {
        name: format!("break-even, a program of one call{name}, {placement}"),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 1.2× the call",
        ours,
        rivals: vec![all[0][0].clone()],
        how: how.clone(),
    };
    let ones =
        [one(", cached", all[0][1].clone()), one("", all[0][2].clone()), one(", another each time", another)];
    let pays = |at: usize, sent: Sent, paper| {
        let pays = all.iter().position(|of| of[at].median < of[0].median);
        let calls = pays.map_or(f64::INFINITY, |at| at as f64 + 1.0);
        Figure {
            name: format!("break-even{}, {placement}", sent.name()),
            unit: "calls",
            judged: Judged::LowMedian,
            paper: Some(paper),
            wanted: "2",
            ours: Measured {
                name: "ours".into(),
                median: calls,
                rounds: (calls, calls),
                samples: vec![calls],
            },
            rivals: Vec::new(),
            how: table(&all, at, &how),
        }
    };
    let both = [pays(1, Sent::Hash, "2, in the kernel"), pays(2, Sent::Whole, "7, in the kernel")];
    Ok(both.into_iter().chain(ones).collect())
}

/// What each number of calls took, in words.
fn table(all: &[&[Measured]], at: usize, how: &str) -> String {
    let row = |(k, of): (usize, &&[Measured])| {
        format!("{}: {:.1} µs by calls, {:.1} µs as a program", k + 1, of[0].median, of[at].median)
    };
    let rows: Vec<String> = all.iter().enumerate().map(row).collect();
    format!("{}; {how}", rows.join("; "))
}

/// What of a program is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// Its hash; the server has it.
    Hash,
    /// Its bytecode.
    Whole,
}

impl Sent {
    fn name(self) -> &'static str {
        match self {
            Sent::Hash => ", cached",
            Sent::Whole => "",
        }
    }
}

struct Served {
    /// Before the folder, which its socket lies in.
    _server: Server,
    transport: Arc<RemoteSession>,
    folder: PathBuf,
}

impl Drop for Served {
    fn drop(&mut self) {
        // The folder is in the system's own place for what is temporary: what is left there is harmless.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Served {
    fn start() -> Result<Served, String> {
        let folder = std::env::temp_dir().join(format!("carnet-break-even-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let address = Address::Unix(folder.join("s"));
        let counters = Arc::new(Counters::default());
        counters.start(i64::MAX);
        let root = Capability::new(null_object(&counters));
        let policy = Policy { cached_max: CACHED_MAX, ..Policy::default() };
        let programs = Programs::new(&[null::module()], policy);
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let server = Server::listen(&address, options, move |_| Ok(root.clone()))
            .map_err(|error| error.to_string())?;
        let transport = RemoteSession::connect(&address, ConnectOptions::default())
            .map_err(|failure| failure.to_string())?;
        Ok(Served { _server: server, transport, folder })
    }

    fn root(&self) -> Portal {
        self.transport.root()
    }
}

fn micros(begin: Instant, times: i64) -> f64 {
    begin.elapsed().as_nanos() as f64 / 1000.0 / times as f64
}

fn single_calls<'a>(served: &Served, calls: usize, times: i64) -> Result<Contender<'a>, String> {
    let null = null::Null::from_portal(served.root());
    Ok(Contender::new(&format!("{calls} single calls"), move || {
        let begin = Instant::now();
        for k in 0..times {
            for _ in 0..calls {
                let k_back = null.write(k, 2, 3).map_err(|failure| failure.to_string())?;
                if k_back != 3 {
                    return Err(format!("{k_back} instead of 3"));
                }
            }
        }
        Ok(micros(begin, times))
    }))
}

/// Runs `programs` in turn.
fn as_program<'a>(
    name: &str,
    served: &Served,
    calls: usize,
    (programs, sent): (Vec<Vec<u8>>, Sent),
    times: i64,
) -> Contender<'a> {
    let client = Client::new(Arc::clone(&served.transport));
    let root = served.root();
    // Identities are the client's to choose; no two runs of this process have the same.
    let mut id = ((calls + programs.len()) as u128) << 64
        | (calls as u128) << 48
        | u128::from(sent == Sent::Hash) << 96;
    let programs: Vec<_> = programs.into_iter().map(|program| (hash(&program), program)).collect();
    Contender::new(name, move || {
        let begin = Instant::now();
        for (k, (hash, bytes)) in (0..times).zip(programs.iter().cycle()) {
            id += 1;
            let request = RunRequest {
                id: RunId(id),
                options: RunOptions::default(),
                name: "",
                approval: "",
                arguments: vec![Argument::Portal(0), Argument::Scalar(k)],
                program: match sent {
                    Sent::Hash => RunProgram::Cached { hash, bytes },
                    Sent::Whole => bytes.into(),
                },
            };
            let outcome = client.run(&request, &[&root]).map_err(|failure| failure.to_string())?;
            if outcome.end != End::Done || outcome.receipt.calls != calls as u64 {
                return Err(format!("{:?} after {} calls", outcome.end, outcome.receipt.calls));
            }
        }
        Ok(micros(begin, times))
    })
}

/// So many calls, one after the other, each with the run's own argument; the last one's answer comes back. With another
/// `constant` it is another program of the same size.
fn program(calls: usize, constant: usize) -> Result<Vec<u8>, String> {
    let more = "  tape.write(k, 2, 3)\n".repeat(calls - 1);
    let text = format!(
        "use null\nprogram calls(tape: Null, k: int) -> int {{\n{more}  return tape.write(k, {constant}, 3)\n}}"
    );
    let tree = parse(&text, &[Arc::new(null::module().clone())])
        .map_err(|faults| carnet_idl::diagnostic::render("calls", &text, &faults))?;
    compile_to_bytes(&tree).map_err(|error| error.to_string())
}
