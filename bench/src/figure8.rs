//! A file copied within one server (CompositeCall, Figure 8): by a program, beside Linux's NFS client and OpenSSH's sftp, over links of
//! several lengths.
//!
//! | contender | how | the link |
//! | --- | --- | --- |
//! | ours | a program that opens both files, has the service copy (`copy_from`) and ends; its bytecode is sent each time | TCP with TLS, through a relay |
//! | ours, Figure 6's loop | the same, but the program reads and writes pieces of 128 KiB itself, as the paper's does | the same |
//! | NFS 4.0, 4.1, 4.2 | open, read, write, close in pieces of 128 KiB, as `cp` does | TCP, through a relay |
//! | NFS 4.2, `copy_file_range` | the same without reading, if the server can | the same |
//! | sftp | get and put; and its `cp`, which the server does | pipes and a Unix socket, through a relay; at 0 ms none |
//!
//! All work in the same folder. Contents are compared.
//!
//! NFS's client is Linux's own, in an emulated machine, since a client in this machine's kernel would need a kernel that has one. Emulation
//! makes it compute slowly. So at 0 ms its figures say what the emulator takes, and at 1 ms mostly that; both are marked so, and stand for
//! no claim. At 20 ms nearly all of the time is the link's. Our two programs need no emulator, and are beside each other in figures of
//! their own.

mod nfs;
mod sftp;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_files::{Access, files};
use carnet_portal::address::{Address, Place};
use carnet_portal::capability::Capability;
use carnet_portal::identity::{Credentials, Token};
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::host::{Policy, Programs};
use carnet_sim::{Relay, RelayOptions};

use crate::copying::{COPY_FROM, Copying, READ_AND_WRITE};
use crate::measure::{Measured, Scale, keep_on, median, pin, processors};
use crate::peer::door;
use crate::plot::{self, Axis, Plot, Series};
use crate::report::{Figure, Judged};
use nfs::Nfs;
use sftp::Sftp;
pub(crate) use sftp::{PIPE, serve_pipe};

/// The paper's, and some between.
const SIZES: [usize; 8] = [8 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20, 2 << 20, 8 << 20];
/// What CompositeCall took of NFS's time.
const PAPER: [(usize, &str); 4] =
    [(8 << 10, "189 % of NFS's time"), (32 << 10, "61.9 %"), (256 << 10, "9 %"), (8 << 20, "4 %")];
const LINKS: [u64; 3] = [0, 1, 20];
/// Our two programs.
const OURS: &str = "ours, by copy_from";
const OURS_LOOP: &str = "ours, by Figure 6's loop";
/// A contender takes no more samples once it has had this long.
const PATIENCE: Duration = Duration::from_secs(3);
const SAMPLES_MAX: usize = 7;

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// Measures.
///
/// # Errors
/// A server that cannot be started, or a wrong answer. Rivals that are not there are said to be skipped.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let folder = Folder::make()?;
    let ours = Ours::start(&folder.served())?;
    if scale == Scale::Tiny {
        source(&folder.served(), SIZES[0])?;
        let copied = sampled(scale, &folder, OURS, SIZES[0], || ours.copy(&ours.copying, SIZES[0]))?;
        let looped = sampled(scale, &folder, OURS_LOOP, SIZES[0], || ours.copy(&ours.looping, SIZES[0]))?;
        return Ok(vec![beside_loop(copied, looped, "8 KiB, 0 ms", pinned)]);
    }
    let mut rivals = Rivals::start(&folder);
    let mut table = Vec::new();
    for size in SIZES {
        source(&folder.served(), size)?;
        for ms in LINKS {
            table.push(row(scale, &folder, &ours, &mut rivals, (size, ms))?);
        }
    }
    draw(&table)?;
    Ok(figures(&table, pinned))
}

/// What was measured of one size over one link.
struct Row {
    size: usize,
    ms: u64,
    ours: Measured,
    looped: Measured,
    nfs: Vec<Measured>,
    sftp: Vec<Measured>,
    /// Bytes over the link for one copy by `copy_file_range`.
    range_bytes: Option<u64>,
}

fn row(
    scale: Scale,
    folder: &Folder,
    ours: &Ours,
    rivals: &mut Rivals,
    (size, ms): (usize, u64),
) -> Result<Row, String> {
    let link = Duration::from_millis(ms);
    let from = source_name(size);
    ours.relay.set_round_trip(link);
    let mut mine = sampled(scale, folder, OURS, size, || ours.copy(&ours.copying, size))?;
    let looped = sampled(scale, folder, OURS_LOOP, size, || ours.copy(&ours.looping, size))?;
    let (mut of_nfs, mut range_bytes) = (Vec::new(), None);
    if let Some(nfs) = &mut rivals.nfs {
        nfs.relay().set_round_trip(link);
        for (version, by, name) in nfs::WAYS {
            nfs.relay().reset();
            let measured = sampled(scale, folder, name, size, || nfs.copy(version, by, &from, "target"))?;
            let counts = nfs.relay().counts();
            if by == nfs::By::Range {
                let bytes = counts.to_server_bytes + counts.to_client_bytes;
                range_bytes = Some(bytes / measured.samples.len() as u64);
            }
            of_nfs.push(measured);
        }
    }
    let mut of_sftp = Vec::new();
    let found = if ms == 0 { &mut rivals.bare_sftp } else { &mut rivals.sftp };
    if let Some(sftp) = found {
        sftp.set_round_trip(link);
        for (by, name) in sftp::WAYS {
            of_sftp.push(sampled(scale, folder, name, size, || sftp.copy(by, &from, "target"))?);
        }
    }
    // Before and behind the others, since the machine's speed may change.
    let again = sampled(scale, folder, OURS, size, || ours.copy(&ours.copying, size))?;
    mine.samples.extend(again.samples);
    mine.median = median(&mine.samples);
    mine.rounds = (mine.rounds.0.min(again.rounds.0), mine.rounds.1.max(again.rounds.1));
    Ok(Row { size, ms, ours: mine, looped, nfs: of_nfs, sftp: of_sftp, range_bytes })
}

fn sampled(
    scale: Scale,
    folder: &Folder,
    name: &str,
    size: usize,
    mut copy: impl FnMut() -> Result<f64, String>,
) -> Result<Measured, String> {
    let (began, mut samples) = (Instant::now(), Vec::new());
    let most = if scale == Scale::Tiny { 1 } else { SAMPLES_MAX };
    while samples.len() < most && (samples.is_empty() || began.elapsed() < PATIENCE) {
        samples.push(copy().map_err(|what| format!("{name}: {what}"))?);
    }
    folder.check(name, size)?;
    let low = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let high = samples.iter().copied().fold(0.0, f64::max);
    Ok(Measured { name: name.to_owned(), median: median(&samples), rounds: (low, high), samples })
}

// What comes of it.

fn figures(table: &[Row], pinned: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    for row in table {
        let name = format!("{}, {} ms", size_text(row.size), row.ms);
        if !row.nfs.is_empty() {
            let beside = figure(
                format!("figure8, beside NFS, {name}{}", emulated(row.ms)),
                row.ours.clone(),
                row.nfs.clone(),
                pinned,
            );
            let paper = PAPER.iter().find(|(size, _)| *size == row.size).map(|(_, paper)| *paper);
            let wanted = if row.ms == 20 && row.size == 8 << 20 { "≤ 4 % of NFS's time" } else { "–" };
            let range = row.range_bytes.map_or(String::new(), |bytes| {
                format!("; {bytes} bytes crossed for a copy by copy_file_range")
            });
            let how = format!("{}{range}", beside.how);
            figures.push(Figure { paper, wanted, how, ..beside });
        }
        if !row.sftp.is_empty() {
            figures.push(figure(
                format!("figure8, beside sftp, {name}"),
                row.ours.clone(),
                row.sftp.clone(),
                pinned,
            ));
        }
        figures.push(beside_loop(row.ours.clone(), row.looped.clone(), &name, pinned));
    }
    for ms in LINKS {
        let rows: Vec<&Row> = table.iter().filter(|row| row.ms == ms).collect();
        figures.extend(wins(&rows, &format!("NFS, {ms} ms{}", emulated(ms)), pinned, |row| &row.nfs));
        figures.extend(wins(&rows, &format!("sftp, {ms} ms"), pinned, |row| &row.sftp));
    }
    figures
}

/// What stands behind figures beside NFS.
fn emulated(ms: u64) -> &'static str {
    match ms {
        0 => " (the emulator's time, for no claim)",
        1 => " (mostly the emulator's time, for no claim)",
        _ => "",
    }
}

/// Our two programs.
fn beside_loop(copied: Measured, looped: Measured, name: &str, pinned: &str) -> Figure {
    let how = format!("up to {SAMPLES_MAX} samples each, both with TLS and without an emulator; {pinned}");
    let name = format!("figure8, copy_from beside Figure 6's loop, {name}");
    Figure { how, ..figure(name, copied, vec![looped], pinned) }
}

/// From which of the sizes on a program is faster than the best of them.
fn wins(rows: &[&Row], than: &str, pinned: &str, rivals: impl Fn(&Row) -> &Vec<Measured>) -> Option<Figure> {
    let is_faster = |row: &&Row| rivals(row).iter().all(|rival| row.ours.median < rival.median);
    if rows.iter().any(|row| rivals(row).is_empty()) {
        return None;
    }
    let slower = rows.iter().rposition(|row| !is_faster(row));
    let first = rows.get(slower.map_or(0, |at| at + 1));
    let kib = first.map_or(f64::INFINITY, |row| row.size as f64 / 1024.0);
    let ours = Measured { name: "ours".into(), median: kib, rounds: (kib, kib), samples: vec![kib] };
    let name = format!("figure8, a program is faster from, beside {than}");
    let paper = than.starts_with("NFS").then_some("16 KiB");
    Some(Figure { unit: "KiB", paper, ..figure(name, ours, Vec::new(), pinned) })
}

fn figure(name: String, ours: Measured, rivals: Vec<Measured>, pinned: &str) -> Figure {
    let how = format!(
        "up to {SAMPLES_MAX} samples each; ours with TLS, the others without; NFS's client in an emulated machine, on any \
         processor; else {pinned}"
    );
    Figure { name, unit: "ms", judged: Judged::LowMedian, paper: None, wanted: "–", ours, rivals, how }
}

fn size_text(size: usize) -> String {
    if size >= 1 << 20 { format!("{} MiB", size >> 20) } else { format!("{} KiB", size >> 10) }
}

/// One plot for each link.
fn draw(table: &[Row]) -> Result<(), String> {
    for ms in LINKS {
        let rows: Vec<&Row> = table.iter().filter(|row| row.ms == ms).collect();
        let mut series: Vec<Series> = Vec::new();
        for row in &rows {
            for measured in [&row.ours, &row.looped].into_iter().chain(&row.nfs).chain(&row.sftp) {
                let point = (row.size as f64, measured.median);
                match series.iter_mut().find(|one| one.name == measured.name) {
                    Some(one) => one.points.push(point),
                    None => series.push(Series::new(&measured.name, vec![point])),
                }
            }
        }
        let is_emulated = !emulated(ms).is_empty() && rows.iter().any(|row| !row.nfs.is_empty());
        if is_emulated {
            series
                .iter_mut()
                .filter(|one| one.name.starts_with("NFS"))
                .for_each(|one| *one = one.clone().dashed());
        }
        let note = if is_emulated { ", NFS's client emulated" } else { "" };
        let title = format!("A file copied within one server, {ms} ms away{note}");
        let plot = Plot {
            title,
            x: "size of the file",
            x_axis: Axis::Bytes,
            y: "ms",
            y_axis: Axis::Decades,
            series,
        };
        plot::keep(&format!("figure8-{ms}ms"), &plot.svg())
            .map_err(|error| format!("cannot draw: {error}"))?;
    }
    Ok(())
}

// Who copies.

/// The served folder, and what lies beside it.
struct Folder(crate::folder::Folder);

impl Folder {
    fn make() -> Result<Folder, String> {
        let folder = Folder(crate::folder::Folder::new("figure8")?);
        std::fs::create_dir(folder.served()).map_err(said)?;
        Ok(folder)
    }

    fn served(&self) -> PathBuf {
        self.0.path().join("served")
    }

    /// The target is what the source is.
    fn check(&self, name: &str, size: usize) -> Result<(), String> {
        let target = std::fs::read(self.served().join("target")).map_err(said)?;
        if target.len() != size
            || target != std::fs::read(self.served().join(source_name(size))).map_err(said)?
        {
            return Err(format!("{name}: the copy of {size} bytes differs"));
        }
        // The next one begins with another content.
        std::fs::write(self.served().join("target"), b"something else").map_err(said)
    }
}

/// Each size has a file of its own, so that no client holds one for another.
fn source_name(size: usize) -> String {
    format!("source-{size}")
}

/// A source of so many bytes, none like its neighbours.
fn source(served: &Path, size: usize) -> Result<(), String> {
    let bytes: Vec<u8> = (0..size).map(|k| (k ^ (k >> 8) ^ (k >> 16)) as u8).collect();
    std::fs::write(served.join(source_name(size)), bytes).map_err(said)
}

/// Those that could be started; of the others it is said why not.
struct Rivals {
    nfs: Option<Nfs>,
    bare_sftp: Option<Sftp>,
    sftp: Option<Sftp>,
}

impl Rivals {
    fn start(folder: &Folder) -> Rivals {
        let there = |name: &str, why: String| eprintln!("figure8: SKIPPED: {name}: {why}");
        // An emulator on the processor of all others would be measured, too.
        let spread = keep_on(0..processors());
        let nfs = spread.and_then(|()| Nfs::start(&folder.served(), folder.0.path()));
        let nfs = nfs.map_err(|why| there("NFS", why)).ok();
        let pinned = pin(processors() - 1);
        let sftp = |made: Result<Sftp, String>| made.map_err(|why| there("sftp", why)).ok();
        let bare_sftp = sftp(pinned.and_then(|()| Sftp::bare(&folder.served(), folder.0.path())));
        Rivals { nfs, bare_sftp, sftp: sftp(Sftp::linked(&folder.served(), folder.0.path())) }
    }
}

/// A served folder behind a link, with TLS.
struct Ours {
    relay: Relay,
    _server: Server,
    copying: Copying,
    looping: Copying,
}

impl Ours {
    fn start(served: &Path) -> Result<Ours, String> {
        let options = carnet_files::Options {
            access: Access::ReadWrite,
            ..carnet_files::Options::new(served.to_owned())
        };
        let root = Capability::new(carnet_files::serve(options).map_err(said)?.into_object());
        let programs = Programs::new(&[files::module()], Policy::default());
        let token = Token::generate().map_err(said)?;
        let options = ServerOptions {
            entry: Some(Arc::new(programs)),
            door: Some(door(&token)?),
            ..ServerOptions::default()
        };
        let place = |port| Place { host: "127.0.0.1".to_owned(), port };
        let server =
            Server::listen(&Address::Tcp(place(0)), options, move |_| Ok(root.clone())).map_err(said)?;
        let Address::Carnet(at, key) = server.address() else {
            return Err("the server has no key".to_owned());
        };
        let target = format!("{}:{}", at.host, at.port).parse().map_err(said)?;
        let relay = Relay::tcp(target, RelayOptions::default()).map_err(said)?;
        let port = relay.address().ok_or("the relay has no port")?.port();
        let address = Address::Carnet(place(port), key);
        let credentials = Credentials::Token(token);
        let transport =
            RemoteSession::connect_as(&address, ConnectOptions::default(), &credentials).map_err(said)?;
        let copying = Copying::new(Arc::clone(&transport), COPY_FROM)?;
        let looping = Copying::new(transport, READ_AND_WRITE)?;
        Ok(Ours { relay, _server: server, copying, looping })
    }

    /// Milliseconds of one copy by a program.
    fn copy(&self, by: &Copying, size: usize) -> Result<f64, String> {
        let from = source_name(size);
        let begun = Instant::now();
        by.copy(&from, size)?;
        let time = begun.elapsed();
        Ok(time.as_nanos() as f64 / 1e6)
    }
}
