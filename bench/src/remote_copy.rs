//! Copying a file on the server: by a program, and by moving it through the client in 64 KiB calls, one after the
//! other or pipelined, over links of several lengths.
//!
//! The program is bytecode that the client has compiled; beside the calls it is also sent as a tree, which the server interprets as it is.
//!
//! The floor is one round trip over the link and a copy by the operating system in the same directory. Every
//! contender opens both files and empties the target, as a user would; contents are compared afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_files::{Access, files};
use carnet_portal::address::Address;
use carnet_portal::call::{Area, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::portal::{Block, Input, OpNumber, PortalId};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::host::{Policy, Programs, Trees};
use carnet_sim::{Relay, RelayOptions};

use crate::copying::{COPY_FROM, Copying};
use crate::measure::{Measured, Scale, median};
use crate::report::{Figure, Judged};

/// Bytes of one call of the client.
const PIECE: usize = 64 << 10;
/// Calls that the pipelining client has under way at once.
const WINDOW: usize = 16;
/// A contender takes no more samples once it has had this long.
const PATIENCE: Duration = Duration::from_secs(6);
const SAMPLES_MAX: usize = 9;

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let sizes: &[usize] =
        if scale == Scale::Tiny { &[8 << 10] } else { &[8 << 10, 128 << 10, 1 << 20, 8 << 20, 64 << 20] };
    let links: &[u64] = if scale == Scale::Tiny { &[0] } else { &[0, 1, 20] };
    let stage = Stage::set()?;
    let mut figures = Vec::new();
    for size in sizes {
        stage.source(*size)?;
        for ms in links {
            stage.relay.set_round_trip(Duration::from_millis(*ms));
            figures.extend(of(scale, &stage, *size, *ms, pinned)?);
        }
    }
    Ok(figures)
}

/// The figures of one size and link: against the client's ways, and against the floor; and as a tree against the client's ways.
fn of(scale: Scale, stage: &Stage, size: usize, ms: u64, pinned: &str) -> Result<Vec<Figure>, String> {
    let mut ours = sampled(scale, stage, size, "ours", || stage.by_program(size))?;
    let sequential = sampled(scale, stage, size, "64 KiB calls, one by one", || stage.by_calls(size))?;
    let pipelined = sampled(scale, stage, size, "64 KiB calls, pipelined", || stage.pipelined(size))?;
    let tree = sampled(scale, stage, size, "ours, as a tree", || stage.copying.copy_by_tree("source", size))?;
    let floor = sampled(scale, stage, size, "one round trip and a local copy", || stage.floor())?;
    let again = sampled(scale, stage, size, "ours", || stage.by_program(size))?;
    ours.samples.extend(again.samples);
    ours.median = median(&ours.samples);
    ours.rounds = (ours.rounds.0.min(again.rounds.0), ours.rounds.1.max(again.rounds.1));
    let name = format!("{}, {ms} ms", size_text(size));
    let marked = size == 8 << 20 && ms == 20;
    let by_program = stage.crossed(|| stage.by_program(size))?;
    let by_calls = stage.crossed(|| stage.by_calls(size))?;
    stage.check(size)?;
    let how = format!(
        "up to {SAMPLES_MAX} samples each, {WINDOW} calls under way when pipelined; {by_program} bytes crossed for a copy by the \
         program, {by_calls} by calls; {pinned}"
    );
    Ok(vec![
        Figure {
            name: format!("remote-copy, {name}"),
            unit: "ms",
            judged: Judged::LowMedian,
            paper: (size == 8 << 20).then_some("4 % of NFS's time"),
            wanted: if marked { "≤ 1 % of the calls one by one" } else { "–" },
            ours: ours.clone(),
            rivals: vec![sequential.clone(), pipelined.clone()],
            how: how.clone(),
        },
        Figure {
            name: format!("remote-copy, as a tree, {name}"),
            unit: "ms",
            judged: Judged::LowMedian,
            paper: None,
            wanted: "–",
            ours: tree,
            rivals: vec![sequential, pipelined, Measured { name: "as bytecode".into(), ..ours.clone() }],
            how: how.clone(),
        },
        Figure {
            name: format!("remote-copy, the floor, {name}"),
            unit: "ms",
            judged: Judged::LowMedian,
            paper: None,
            wanted: if marked { "≤ 1.3× the floor" } else { "–" },
            ours,
            rivals: vec![floor],
            how,
        },
    ])
}

fn size_text(size: usize) -> String {
    if size >= 1 << 20 { format!("{} MiB", size >> 20) } else { format!("{} KiB", size >> 10) }
}

fn sampled(
    scale: Scale,
    stage: &Stage,
    size: usize,
    name: &str,
    copy: impl Fn() -> Result<(), String>,
) -> Result<Measured, String> {
    let (began, mut samples) = (Instant::now(), Vec::new());
    let most = if scale == Scale::Tiny { 1 } else { SAMPLES_MAX };
    while samples.len() < most && (samples.is_empty() || began.elapsed() < PATIENCE) {
        let begin = Instant::now();
        copy().map_err(|what| format!("{name}: {what}"))?;
        samples.push(begin.elapsed().as_nanos() as f64 / 1e6);
    }
    stage.check(size)?;
    let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let high = samples.iter().copied().fold(0.0, f64::max);
    Ok(Measured { name: name.to_owned(), median: median(&samples), rounds: (low, high), samples })
}

/// A served directory behind a link.
struct Stage {
    relay: Relay,
    _server: Server,
    copying: Copying,
    folder: PathBuf,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // The folder is in the system's own place for what is temporary: what is left there is harmless.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

impl Stage {
    fn set() -> Result<Stage, String> {
        let folder = std::env::temp_dir().join(format!("carnet-remote-copy-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("served")).map_err(said)?;
        let options = carnet_files::Options {
            access: Access::ReadWrite,
            ..carnet_files::Options::new(folder.join("served"))
        };
        let root = Capability::new(carnet_files::serve(options).map_err(said)?.into_object());
        let programs = Programs::new(&[files::module()], Policy { trees: Trees::Taken, ..Policy::default() });
        let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
        let (socket, link) = (folder.join("server"), folder.join("link"));
        let server = Server::listen(&Address::Unix(socket.clone()), options, move |_| Ok(root.clone()))
            .map_err(said)?;
        let relay = Relay::start(&link, &socket, RelayOptions::default()).map_err(said)?;
        let transport =
            RemoteSession::connect(&Address::Unix(link), ConnectOptions::default()).map_err(said)?;
        Ok(Stage { relay, _server: server, copying: Copying::new(transport, COPY_FROM)?, folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.folder).join("served").join(name)
    }

    /// A source of so many bytes, none like its neighbours.
    fn source(&self, size: usize) -> Result<(), String> {
        let bytes: Vec<u8> = (0..size).map(|k| (k ^ (k >> 8) ^ (k >> 16)) as u8).collect();
        std::fs::write(self.path("source"), bytes).map_err(said)
    }

    /// The target is what the source is; then it is gone.
    fn check(&self, size: usize) -> Result<(), String> {
        let target = std::fs::read(self.path("target")).map_err(said)?;
        if target.len() != size || target != std::fs::read(self.path("source")).map_err(said)? {
            return Err(format!("the copy of {size} bytes differs"));
        }
        std::fs::remove_file(self.path("target")).map_err(said)
    }

    /// Bytes over the link, both ways, for one copy.
    fn crossed(&self, copy: impl Fn() -> Result<(), String>) -> Result<u64, String> {
        self.relay.reset();
        copy()?;
        let counts = self.relay.counts();
        Ok(counts.to_server_bytes + counts.to_client_bytes)
    }

    fn by_program(&self, size: usize) -> Result<(), String> {
        self.copying.copy("source", size)
    }

    fn open(&self) -> Result<(files::File, files::File), String> {
        let root = files::Dir::from_portal(self.copying.transport().root());
        Ok((root.open(b"source").map_err(said)?, root.replace(b"target").map_err(said)?))
    }

    fn by_calls(&self, size: usize) -> Result<(), String> {
        let (source, target) = self.open()?;
        for pos in (0..size).step_by(PIECE) {
            let piece = source.read(pos as i64, PIECE as i64).map_err(said)?;
            target.write(pos as i64, &piece).map_err(said)?;
        }
        Ok(())
    }

    /// As many calls under way as the window allows: first reads, then the writes of what was read.
    fn pipelined(&self, size: usize) -> Result<(), String> {
        let (source, target) = self.open()?;
        let (read, write) = (file_op("read")?, file_op("write")?);
        let places: Vec<usize> = (0..size).step_by(PIECE).collect();
        for window in places.chunks(WINDOW) {
            let pieces = self.read_window(source.portal().id(), read, window)?;
            self.write_window(target.portal().id(), write, window, &pieces)?;
        }
        Ok(())
    }

    fn read_window(&self, source: PortalId, op: OpNumber, window: &[usize]) -> Result<Vec<Vec<u8>>, String> {
        let mut pending = Vec::new();
        for pos in window {
            let mut words = [*pos as u64, PIECE as u64, 0];
            let mut outputs = [Area::default()];
            let block = block(&mut words, &[], &mut outputs);
            pending.push(self.copying.transport().start_call(source, op, &block).map_err(said)?);
        }
        let mut pieces = Vec::new();
        for one in pending {
            let mut words = [0; 3];
            let mut outputs = [Area::default()];
            one.wait(&mut block(&mut words, &[], &mut outputs)).map_err(said)?;
            let [area] = outputs;
            pieces.push(area.bytes);
        }
        Ok(pieces)
    }

    fn write_window(
        &self,
        target: PortalId,
        op: OpNumber,
        window: &[usize],
        pieces: &[Vec<u8>],
    ) -> Result<(), String> {
        let mut pending = Vec::new();
        for (pos, piece) in window.iter().zip(pieces) {
            let data = Ref::new(0, 0, piece.len()).ok_or("a piece is too long")?;
            let mut words = [*pos as u64, data.0, 0];
            let inputs = [Input::Bytes(piece)];
            let block = block(&mut words, &inputs, &mut []);
            pending.push(self.copying.transport().start_call(target, op, &block).map_err(said)?);
        }
        for one in pending {
            let mut words = [0; 3];
            one.wait(&mut block(&mut words, &[], &mut [])).map_err(said)?;
        }
        Ok(())
    }

    fn floor(&self) -> Result<(), String> {
        let root = files::Dir::from_portal(self.copying.transport().root());
        root.stat(b"source").map_err(said)?;
        std::fs::copy(self.path("source"), self.path("target")).map(drop).map_err(said)
    }
}

fn block<'a>(words: &'a mut [u64], inputs: &'a [Input<'a>], outputs: &'a mut [Area]) -> Block<'a> {
    Block { words, inputs, outputs, portals: &[], made: Vec::new() }
}

fn file_op(name: &str) -> Result<OpNumber, String> {
    let module = files::module();
    let interface = module.interface("File").ok_or("the interface has no File")?;
    let found = module.interfaces[interface.index()].operation(name);
    let (op, _) = found.ok_or_else(|| format!("File has no operation {name}"))?;
    Ok(OpNumber { module, interface, op })
}
