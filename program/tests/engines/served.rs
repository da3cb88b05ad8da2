//! The same cases through a server, sent as trees: run by the recursive interpreter there, as the bytecode that the server
//! makes of them, and as bytecode that the client made. All three are told of in the same words. What the recursive interpreter begins
//! is stopped again and again as well, behind each call and in blocks between them, and goes on in the one engine or the other:
//! the service sees the same calls and the same ends of objects as of a run that nobody stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs, Trees};
use carnet_program::interp::Mode;
use carnet_program::limits::{Allowance, Amounts, LimitKind, Limits};
use carnet_program::protocol::{
    Argument, CallCount, End, Engine, Outcome, Receipt, ResumeRequest, RunId, RunOptions, RunProgram,
    RunRequest,
};
use carnet_program::tree::Ty;

use crate::desk::{World, module};
use crate::engines::{Case, Setting};

/// What there is to compare of a run.
#[derive(Debug, PartialEq)]
struct Told {
    outcome: Outcome,
    /// What the service saw until the run ended.
    log: Vec<String>,
    /// What was let go then, in any order.
    released: Vec<String>,
}

/// What one server is asked: each session has a world of its own.
struct Asked<'c> {
    case: &'c Case,
    setting: &'c Setting,
    address: Address,
    worlds: Arc<std::sync::Mutex<Vec<Arc<World>>>>,
}

static SERVERS: AtomicU64 = AtomicU64::new(0);

/// What stops a run, and the engines that carry it out in turn, each from a stop to the next.
const TREE: &[Engine] = &[Engine::Tree];
const MIXED: &[Engine] = &[Engine::Tree, Engine::Tree, Engine::Bytecode];
/// Stops of a run that is stopped between its calls, about.
const STOPS: u64 = 7;
/// Calls and instructions of a case that is stopped: what others do is done by these.
const STOPPED_CALLS_MAX: u64 = 60;
const STOPPED_INSTRUCTIONS_MAX: u64 = 100_000;

/// Holds the ways in which a case can be run by a server against each other.
pub(crate) fn check(name: &str, case: &Case) {
    let limits = case.setting.limits;
    let Some(whole) = asking(case, limits, |asked| asked.compare(name)) else { return };
    let Outcome { end, receipt, dry: false, .. } = &whole.outcome else { return };
    if !matches!(end, End::Done | End::Failed(_) | End::Fault(_))
        || receipt.calls > STOPPED_CALLS_MAX
        || receipt.instructions > STOPPED_INSTRUCTIONS_MAX
    {
        return;
    }
    let at_calls = Limits { calls: 1, ..limits };
    let between = Limits { instructions: receipt.instructions / STOPS + 20, ..limits };
    let behind_calls = u32::try_from(receipt.calls.saturating_sub(1)).expect("they are few");
    asking(case, at_calls, |asked| asked.compare_stopped(name, &whole, behind_calls));
    asking(case, between, |asked| asked.compare_stopped(name, &whole, 0));
}

/// Has a server with these limits asked.
fn asking<T>(case: &Case, limits: Limits, ask: impl FnOnce(&Asked<'_>) -> T) -> T {
    let amounts = Amounts { calls: u64::MAX, writes: u64::MAX, written: u64::MAX, instructions: u64::MAX };
    let allowance = Allowance { period_s: 60, amounts };
    let policy = Policy { limits, allowance, trees: Trees::Taken, ..Policy::default() };
    let number = SERVERS.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("carnet-engines-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory of our own");
    let address = Address::Unix(directory.join("s"));
    let options = ServerOptions {
        entry: Some(Arc::new(Programs::new(&[module()], policy))),
        ..ServerOptions::default()
    };
    let worlds = Arc::default();
    let asked = Asked { case, setting: &case.setting, address, worlds: Arc::clone(&worlds) };
    let server = Server::listen(&asked.address, options, move |_| {
        let world = Arc::new(World::default());
        worlds.lock().expect("no panic with it").push(Arc::clone(&world));
        Ok(Capability::under(world.root(), &world.grant))
    });
    let server = server.expect("it listens");
    let asked_for = ask(&asked);
    drop(server);
    let _ = std::fs::remove_dir_all(directory);
    asked_for
}

/// What is the same of a run however often it is stopped.
type Lasting<'t> = (&'t End, &'t Option<Vec<u8>>, &'t [CallCount], [u64; 4], &'t [String], &'t [String]);

fn lasting(told: &Told) -> Lasting<'_> {
    let Told { outcome, log, released } = told;
    let Receipt { calls, writes, written, instructions, .. } = outcome.receipt;
    (&outcome.end, &outcome.result, &outcome.calls, [calls, writes, written, instructions], log, released)
}

impl Asked<'_> {
    /// What came of it; nothing if memory stopped it.
    fn compare(&self, name: &str) -> Option<Told> {
        let tree = self.case.tree.encode();
        let bytes = compile_to_bytes(&self.case.tree).expect("it compiled before");
        let whole = self.run(RunProgram::Whole(&bytes), Engine::Bytecode);
        let received = self.run(RunProgram::Tree(&tree), Engine::Bytecode);
        assert_eq!(whole, received, "{name}: bytecode of client and server differ");
        let mut walked = self.run(RunProgram::Tree(&tree), Engine::Tree);
        let by_memory = |told: &Told| matches!(told.outcome.end, End::Limit { kind: LimitKind::Memory, .. });
        if by_memory(&whole) || by_memory(&walked) {
            // Its values take more there: what it did is the beginning of what the other did, or the other way about.
            let (short, long) =
                if walked.log.len() < whole.log.len() { (&walked, &whole) } else { (&whole, &walked) };
            assert!(long.log.starts_with(&short.log), "{name}: by memory\n{short:?}\n{long:?}");
            return None;
        }
        walked.outcome.receipt.memory = whole.outcome.receipt.memory;
        // Of what stops between calls, the tree knows the beginning of the block, and the line.
        if whole.outcome.call.is_none() {
            walked.outcome.at = whole.outcome.at;
            walked.outcome.pos.col = whole.outcome.pos.col;
        }
        assert_eq!(whole, walked, "{name}: bytecode and tree differ");
        self.compare_bills(name, &bytes, &tree);
        Some(whole)
    }

    /// Stopped so often at least, it comes to the same.
    fn compare_stopped(&self, name: &str, whole: &Told, stops_min: u32) {
        let tree = self.case.tree.encode();
        for engines in [TREE, MIXED] {
            let (told, stops) = self.run_on(&tree, engines);
            match &told.outcome.end {
                // A block that is dearer than all that the server lets a run have at a time.
                End::Limit { kind: LimitKind::Instructions, .. } => {}
                _ => assert_eq!(lasting(&told), lasting(whole), "{name}: after {stops} stops, {engines:?}"),
            }
            assert!(stops >= stops_min, "{name}: {stops} stops, {engines:?}");
        }
    }

    /// Runs a tree to its end; how often it stopped.
    fn run_on(&self, tree: &[u8], engines: &[Engine]) -> (Told, u32) {
        let mut engines = engines.iter().copied();
        let engine = engines.next().expect("one of them");
        let (client, world) = self.client();
        if self.setting.sealed {
            world.grant.revoke();
        }
        let root = client.transport().root();
        let request = RunRequest { name: "stops", ..self.request(RunProgram::Tree(tree), engine) };
        let mut last = engine;
        let (mut outcome, mut stops) = (client.run(&request, &[&root]).expect("the server answers"), 0);
        while let Some(kept) = outcome.kept {
            stops += 1;
            assert!(kept.stop == stops && stops < 1_000, "it does not get on: {:?}", outcome.end);
            last = engines.next().unwrap_or(last);
            let options = RunOptions { engine: last, ..request.options };
            let resumed = client.resume(&ResumeRequest { options, ..ResumeRequest::new(request.id, stops) });
            outcome = resumed.expect("it is sent").wait(&mut |_| {}).expect("the server answers");
        }
        (self.told(outcome, &world), stops)
    }

    /// The bill is that of the bytecode, whatever was sent.
    fn compare_bills(&self, name: &str, bytes: &[u8], tree: &[u8]) {
        let bill = |program| {
            let (client, _) = self.client();
            client.bill(&self.request(program, Engine::Any)).expect("the server answers")
        };
        let (one, other) = (bill(RunProgram::Whole(bytes)), bill(RunProgram::Tree(tree)));
        assert!(one.bill.is_ok(), "{name}: {one:?}");
        assert_eq!(one, other, "{name}: bills differ");
    }

    fn client(&self) -> (Client, Arc<World>) {
        let options =
            ConnectOptions { call_timeout: Some(Duration::from_secs(60)), ..ConnectOptions::default() };
        let client =
            Client::new(RemoteSession::connect(&self.address, options).expect("the server is there"));
        // The root is made with the session.
        client.status().expect("the server answers");
        let world = self.worlds.lock().expect("no panic with it").last().cloned();
        (client, world.expect("the session has one"))
    }

    fn request<'a>(&'a self, program: RunProgram<'a>, engine: Engine) -> RunRequest<'a> {
        let tree = &self.case.tree;
        let argument = |param: &carnet_program::tree::Param| {
            let var = &tree.vars[param.var.index()];
            let given = self.setting.args.iter().find(|(name, _)| *name == var.name);
            let given = given.map_or("", |(_, value)| value.as_str());
            match &var.ty {
                Ty::Portal(_) => Argument::Portal(0),
                Ty::Bool => Argument::Scalar(i64::from(given == "true")),
                Ty::Int | Ty::Enum(_) => Argument::Scalar(given.parse().unwrap_or(0)),
                Ty::Float(precision) => {
                    let float = precision.written(given).unwrap_or(precision.of(0.0));
                    Argument::Scalar(float.word.cast_signed())
                }
                _ => Argument::Text(given.as_bytes()),
            }
        };
        RunRequest {
            id: RunId(1 + u128::from(SERVERS.fetch_add(1, Ordering::Relaxed))),
            options: RunOptions { dry: self.setting.mode == Mode::Dry, trace: false, engine },
            name: "",
            approval: "",
            arguments: tree.params.iter().map(argument).collect(),
            program,
        }
    }

    fn run(&self, program: RunProgram<'_>, engine: Engine) -> Told {
        let (client, world) = self.client();
        if self.setting.sealed {
            world.grant.revoke();
        }
        let root = client.transport().root();
        let outcome = client.run(&self.request(program, engine), &[&root]).expect("the server answers");
        self.told(outcome, &world)
    }

    fn told(&self, outcome: Outcome, world: &World) -> Told {
        let mut log = world.log.lock().expect("no panic while logging").clone();
        let ended = log.iter().rposition(|line| !line.starts_with("release")).map_or(0, |last| last + 1);
        let mut released = log.split_off(ended);
        released.sort();
        let receipt = Receipt { time_ns: 0, ..outcome.receipt };
        // The time at which a run began is another each time.
        let is_timed = self.case.tree.vars.iter().any(|var| var.name == "started");
        let result = outcome.result.filter(|_| !is_timed);
        Told { outcome: Outcome { receipt, result, ..outcome }, log, released }
    }
}
