//! What a single call waits for while programs run that never end: its median and its 99th percentile beside 0, 1 and 8 of them,
//! over a Unix socket; and how long it takes to cancel programs of which each instruction does much. Server and clients are threads of one process, all on one processor, or on all as the system likes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::{Client, Running};
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::limits::{Allowance, Amounts, Limits};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunRequest};
use carnet_program::source::parse;

use crate::measure::{Contender, Measured, Scale, keep_on, measure, processors};
use crate::report::{Figure, Judged};
use crate::services::{Counters, null, null_object};

/// Programs beside the call.
const BESIDE: [usize; 3] = [0, 1, 8];
/// Calls of one sample.
const CALLS: i64 = 4_000;
/// Without an end that anybody would wait for: it counts, and calls now and then.
const ENDLESS: &str = "use null
program endless(tape: Null) -> int {
  var sum = 0
  for i in 0 .. 1_000_000_000 limit 1_000_000_000 {
    for k in 0 .. 1_000_000 limit 1_000_000_000_000_000 { sum += k }
    sum += tape.write(i, 2, 3)
  }
  return sum
}";

/// Programs without an end whose single instructions do much: sort long texts, copy a long list, look through a long text for a short one and for a long one.
const LABOURS: [&str; 5] = [
    ENDLESS,
    "use null
record Line { text: string(2_048) }
program sorts(tape: Null) -> int {
  var text = \"0123456789abcdef\"
  for k in 0 .. 6 { text = text + text }
  for i in 0 .. 1_000_000_000 limit 1_000_000_000 {
    var lines: list(Line, 20_000)
    for k in 0 .. 9_000 limit 1_000_000_000_000_000 {
      lines.add(Line(text: text + \"b\"))
      lines.add(Line(text: text + \"a\"))
    }
    sort lines by text
    tape.write(i, 2, 3)
  }
  return 0
}",
    "use null
program copies(tape: Null) -> int {
  var numbers: list(int, 2_000_000)
  for k in 0 .. 2_000_000 limit 2_000_000 { numbers.add(k) }
  for i in 0 .. 1_000_000_000 limit 1_000_000_000 {
    let copy = numbers
    tape.write(copy.len, 2, 3)
  }
  return 0
}",
    "use null
program looks(tape: Null) -> int {
  var text: string(8_000_000) = \"0123456789abcdef\"
  for k in 0 .. 18 { text = text + text }
  var sum = 0
  for i in 0 .. 1_000_000_000 limit 1_000_000_000 {
    if text.contains(\"0123456789abcdeg\") { sum += 1 }
    tape.write(i, 2, 3)
  }
  return sum
}",
    "use null
program seeks(tape: Null) -> int {
  var half: string(8_000_000) = \"aaaaaaaaaaaaaaa\"
  for k in 0 .. 19 { half = half + half }
  var text: string(16_000_000) = half + half
  var part: string(8_000_000) = half
  part = part + \"b\"
  var sum = 0
  for i in 0 .. 1_000_000_000 limit 1_000_000_000 {
    if text.contains(part) { sum += 1 }
    tape.write(i, 2, 3)
  }
  return sum
}",
];

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, _pinned: &str) -> Result<Vec<Figure>, String> {
    let mut figures = of_placement(scale, "one core", 1)?;
    if processors() > 1 {
        figures.extend(of_placement(scale, "all cores", processors())?);
    }
    Ok(figures)
}

fn of_placement(scale: Scale, placement: &str, processors: usize) -> Result<Vec<Figure>, String> {
    keep_on(0..processors)?;
    let served = Served::start()?;
    let calls = scale.work(CALLS);
    let mut contenders = Vec::new();
    for part in [Part::Median, Part::Late] {
        for programs in BESIDE {
            let name = format!("a call beside {programs} programs, {}", part.name());
            let served = &served;
            contenders.push(Contender::new(&name, move || served.beside(programs, calls, part)));
        }
    }
    let measured = measure(scale, &mut contenders)?;
    let how = format!("{calls} calls a sample; client, server and programs on {placement}");
    let cancelled = {
        let (served, name) =
            (&served, format!("cancelling each of {} programs, the slowest", 2 * LABOURS.len()));
        measure(scale, &mut [Contender::new(&name, move || served.slowest_cancelled())])?
    };
    let mut figures = Vec::new();
    figures.extend(cancelled.into_iter().map(|ours| Figure {
        name: format!("fair, {}, {placement}", ours.name),
        unit: "ms",
        judged: Judged::LowMedian,
        paper: None,
        wanted: "≤ 10",
        ours,
        rivals: Vec::new(),
        how: format!("from the request to the outcome, the slowest of all in a sample; client, server and programs on {placement}"),
    }));
    for (part, of) in [Part::Median, Part::Late].into_iter().zip(measured.chunks(BESIDE.len())) {
        figures.extend(of[1..].iter().map(|ours| figure(part, &of[0], ours, (placement, &how))));
    }
    Ok(figures)
}

fn figure(part: Part, alone: &Measured, ours: &Measured, (placement, how): (&str, &str)) -> Figure {
    Figure {
        name: format!("fair, {}, {placement}", ours.name),
        unit: "µs",
        judged: Judged::LowMedian,
        paper: None,
        wanted: if part == Part::Median { "≤ 1.5× without" } else { "–" },
        ours: ours.clone(),
        rivals: vec![alone.clone()],
        how: how.to_owned(),
    }
}

/// Which of the calls of a sample counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Median,
    /// One of a hundred takes longer.
    Late,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Median => "median",
            Part::Late => "99th percentile",
        }
    }
}

struct Served {
    /// Before the folder, which its socket lies in.
    _server: Server,
    client: Client,
    /// Calls go over a connection of their own.
    single: Arc<RemoteSession>,
    endless: Vec<u8>,
    labours: Vec<Vec<u8>>,
    folder: PathBuf,
}

impl Drop for Served {
    fn drop(&mut self) {
        // The folder is in the system's own place for what is temporary: what is left there is harmless.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn compiled(text: &str) -> Result<Vec<u8>, String> {
    let tree = parse(text, &[Arc::new(null::module().clone())])
        .map_err(|faults| carnet_idl::diagnostic::render("endless", text, &faults))?;
    compile_to_bytes(&tree).map_err(said)
}

impl Served {
    fn start() -> Result<Served, String> {
        let folder = std::env::temp_dir().join(format!("carnet-fair-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(said)?;
        let address = Address::Unix(folder.join("s"));
        let counters = Arc::new(Counters::default());
        counters.start(i64::MAX);
        let root = Capability::new(null_object(&counters));
        let all = Amounts { calls: u64::MAX, writes: u64::MAX, written: u64::MAX, instructions: u64::MAX };
        let limits = Limits {
            calls: all.calls,
            writes: all.writes,
            written: all.written,
            instructions: all.instructions,
            time_ns: Duration::from_secs(3600).as_nanos() as u64,
            ..Limits::default()
        };
        let allowance = Allowance { amounts: all, ..Allowance::default() };
        let policy = Policy { limits, allowance, ..Policy::default() };
        let programs = Programs::new(&[null::module()], policy);
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let server = Server::listen(&address, options, move |_| Ok(root.clone())).map_err(said)?;
        let connect = || RemoteSession::connect(&address, ConnectOptions::default()).map_err(said);
        let endless = compiled(ENDLESS)?;
        let labours = LABOURS.iter().map(|text| compiled(text)).collect::<Result<_, _>>()?;
        let (client, single) = (Client::new(connect()?), connect()?);
        Ok(Served { client, single, _server: server, endless, labours, folder })
    }

    /// Begins a program that does not end.
    fn begin(&self, program: &Vec<u8>) -> Result<(RunId, Running), String> {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        let id = RunId(u128::from(RUNS.fetch_add(1, Ordering::Relaxed)));
        let request = RunRequest {
            id,
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0)],
            program: program.into(),
        };
        let root = self.client.transport().root();
        Ok((id, self.client.start(&request, &[&root]).map_err(said)?))
    }

    fn wait_until_running(&self, programs: u64) -> Result<(), String> {
        let began = Instant::now();
        while self.client.status().map_err(said)?.running < programs {
            if began.elapsed() > Duration::from_secs(10) {
                return Err(format!("{programs} programs did not begin"));
            }
        }
        Ok(())
    }

    /// Cancels programs one after the other while all others run; how long that took at most, in ms.
    fn slowest_cancelled(&self) -> Result<f64, String> {
        let begun = self.labours.iter().chain(&self.labours).map(|labour| self.begin(labour));
        let mut running = begun.collect::<Result<Vec<_>, _>>()?;
        let all = running.len();
        self.wait_until_running(all as u64)?;
        // Past their beginnings, and each time somewhere else.
        let calls = self.client.status().map_err(said)?.calls;
        let null = null::Null::from_portal(self.single.root());
        for k in 0..2_000 + calls as i64 % 1_000 {
            null.write(k, 2, 3).map_err(said)?;
        }
        let mut slowest = 0.0_f64;
        for k in 0..all {
            let (id, run) = running.remove(0);
            let began = Instant::now();
            self.client.cancel(id).map_err(said)?;
            let outcome = run.wait(&mut |_| {}).map_err(said)?;
            slowest = slowest.max(began.elapsed().as_secs_f64() * 1_000.0);
            if outcome.end != End::Cancelled {
                return Err(format!("{:?} instead of cancelled", outcome.end));
            }
            // As many run as before.
            running.push(self.begin(&self.labours[k % self.labours.len()])?);
        }
        for (id, run) in running {
            self.client.cancel(id).map_err(said)?;
            run.wait(&mut |_| {}).map_err(said)?;
        }
        Ok(slowest)
    }

    /// Times of single calls while so many programs run, in µs.
    fn beside(&self, programs: usize, calls: i64, part: Part) -> Result<f64, String> {
        let begun = (0..programs).map(|_| self.begin(&self.endless));
        let running = begun.collect::<Result<Vec<_>, _>>()?;
        self.wait_until_running(programs as u64)?;
        let null = null::Null::from_portal(self.single.root());
        let mut times = Vec::with_capacity(calls as usize);
        for k in 0..calls {
            let begin = Instant::now();
            let back = null.write(k, 2, 3).map_err(said)?;
            times.push(begin.elapsed().as_nanos() as f64 / 1000.0);
            if back != 3 {
                return Err(format!("{back} instead of 3"));
            }
        }
        for (id, running) in running {
            self.client.cancel(id).map_err(said)?;
            running.wait(&mut |_| {}).map_err(said)?;
        }
        times.sort_unstable_by(f64::total_cmp);
        let at = match part {
            Part::Median => times.len() / 2,
            Part::Late => times.len() * 99 / 100,
        };
        Ok(times[at])
    }
}
