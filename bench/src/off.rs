//! Off++'s own measurements: page frames allocated (CompositeCall, Figure 13) and page faults handled (Table I), by single calls, by a
//! program and by a call array.
//!
//! The application is a process of its own, and its faults are real: they come through userfaultfd, and a page is there when the bank has
//! mapped it. Pager, bank and application are placed so:
//!
//! | place | pager | bank and application |
//! | --- | --- | --- |
//! | same core | last processor | last processor |
//! | cross core | last processor | first processor |
//!
//! On the same thread pager and bank are one, and only the application is on the first processor.
//!
//! The floor of a fault is one that a bare thread of the application's own process serves, and one round trip of the empty call
//! `Frames.left` beside it, both measured in the same sample. The thread is where the bank is, so that a fault of the floor goes to
//! another processor where one of the bank does; how long it takes beside the application stands in the text of each figure. An
//! expensive service looks through all its tables when a frame is taken, mapped or given back, as the kernel did that the paper measured;
//! the floor, which has no bank, has nothing of that.
//!
//! | file | what it is |
//! | --- | --- |
//! | `application.rs` | who touches pages: served by a bank, or by itself |
//! | `pager.rs` | a client of the bank, and the ways in which it serves faults |
//! | `faults.rs` | page faults and their handlers, measured |
//! | `drawn.rs` | the plots of these |

mod application;
mod drawn;
mod faults;
mod pager;

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_bank::{Bank, bank};
use carnet_portal::call::Object;
use carnet_portal::portal::Portal;
use carnet_portal::remote::WaitMode;
use carnet_program::host::{Policy, Programs};

use crate::measure::{Contender, Measured, Scale, measure, processors};
use crate::peer::Way;
use crate::plot::{self, Axis, Plot, Series};
use crate::report::{Figure, Judged};
pub(crate) use application::{BARE, PAGED, serve as serve_paged, serve_bare};
use faults::faults;
use pager::{Pager, Prepared};

/// Frames that are allocated.
const COUNTS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// A sample goes on for so long.
const SAMPLE: Duration = Duration::from_millis(2);
/// Families of banks as peers.
const CHEAP: &str = "bank";
const EXPENSIVE: &str = "bank-checked";
/// What stands behind the names of an expensive bank's figures.
const EXPENSIVE_TEXT: &str = ", an expensive service";

/// What a call costs the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// What it takes.
    Cheap,
    /// All tables are looked through.
    Expensive,
}

impl Cost {
    fn family(self) -> &'static str {
        match self {
            Cost::Cheap => CHEAP,
            Cost::Expensive => EXPENSIVE,
        }
    }

    /// The one whose family this is.
    pub(crate) fn of(family: &str) -> Option<Cost> {
        [Cost::Cheap, Cost::Expensive].into_iter().find(|cost| cost.family() == family)
    }

    fn text(self) -> &'static str {
        match self {
            Cost::Cheap => "",
            Cost::Expensive => EXPENSIVE_TEXT,
        }
    }
}

/// How the bank is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// On the same thread.
    Here,
    There(Way),
}

/// Where everybody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct At {
    path: Path,
    is_cross: bool,
}

impl At {
    fn all() -> Vec<At> {
        let there = |mode| [Path::There(Way::Shared(mode)), Path::There(Way::Socket), Path::There(Way::Tls)];
        let mut all = vec![At { path: Path::Here, is_cross: false }];
        all.extend(there(WaitMode::Sleeping).map(|path| At { path, is_cross: false }));
        if processors() > 1 {
            all.push(At { path: Path::Here, is_cross: true });
            all.extend(there(WaitMode::Adaptive).map(|path| At { path, is_cross: true }));
        }
        all
    }

    /// The processor of the application, and of a bank that is not on the same thread.
    fn server(self) -> usize {
        if self.is_cross { 0 } else { processors() - 1 }
    }

    /// The processor of the bank.
    fn bank(self) -> usize {
        if self.path == Path::Here { processors() - 1 } else { self.server() }
    }

    fn text(self) -> String {
        let path = match self.path {
            Path::Here => "same thread",
            Path::There(way) => way.name(),
        };
        format!("{path}, {}", if self.is_cross { "cross core" } else { "same core" })
    }
}

/// The root and the programs of a bank as a peer.
pub(crate) fn serve(cost: Cost) -> Result<(Arc<dyn Object>, Arc<Programs>), String> {
    let options = pager::options(cost, pager::socket_of(std::process::id()));
    let (_, root) = Bank::serve(options).map_err(|error| error.to_string())?;
    // As many runs as are made are no reason to refuse one.
    Ok((root.into_object(), Arc::new(Programs::new(&[bank::module()], Policy::default()))))
}

/// Measures.
///
/// # Errors
/// A peer that cannot be started, a wrong answer, or a system without userfaultfd for users.
pub fn run(scale: Scale, pinned: &str) -> Result<Vec<Figure>, String> {
    let places = if scale == Scale::Tiny {
        vec![At { path: Path::Here, is_cross: false }, At { path: Path::There(Way::Socket), is_cross: false }]
    } else {
        At::all()
    };
    let mut figures = Vec::new();
    for at in &places {
        figures.extend(faults(scale, *at, Cost::Cheap, pinned)?);
    }
    for at in places.iter().filter(|at| !at.is_cross) {
        figures.extend(faults(scale, *at, Cost::Expensive, pinned)?);
    }
    if scale == Scale::Full {
        drawn::keep(&figures)?;
    }
    let costs = if scale == Scale::Tiny { &[Cost::Cheap][..] } else { &[Cost::Cheap, Cost::Expensive] };
    for at in places.iter().filter(|at| at.path != Path::Here || !at.is_cross) {
        for cost in costs {
            figures.extend(frames(scale, *at, *cost, pinned)?);
        }
    }
    Ok(figures)
}

fn figure(name: String, ours: Measured, rivals: Vec<Measured>, how: String) -> Figure {
    let judged = Judged::LowMedian;
    Figure { name, unit: "µs", judged, paper: None, wanted: "–", ours, rivals, how }
}

fn micros(mut measured: Measured) -> Measured {
    measured.median /= 1e3;
    measured.rounds = (measured.rounds.0 / 1e3, measured.rounds.1 / 1e3);
    measured.samples.iter_mut().for_each(|sample| *sample /= 1e3);
    measured
}

// Page frames.

/// How frames are allocated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allocating {
    Calls,
    Program,
    Array,
}

impl Allocating {
    const ALL: [Allocating; 3] = [Allocating::Array, Allocating::Program, Allocating::Calls];

    fn name(self) -> &'static str {
        match self {
            Allocating::Calls => "single calls",
            Allocating::Program => "one program",
            Allocating::Array => "one call array",
        }
    }

    fn source(self, count: usize) -> Option<String> {
        match self {
            Allocating::Calls => None,
            Allocating::Program => Some(
                "use bank\nprogram allocate(frames: Frames, count: int) {
  for k in 0 .. count limit 64 { frames.alloc() }\n}"
                    .to_owned(),
            ),
            Allocating::Array => Some(format!(
                "use bank\narray allocate(frames: Frames) {{
  message one[{count}]: Frames.alloc()
  repeat {count} {{ call frames with one }}\n}}"
            )),
        }
    }
}

fn frames(scale: Scale, at: At, cost: Cost, pinned: &str) -> Result<Vec<Figure>, String> {
    let pager = Pager::start(at, cost)?;
    let counts = if scale == Scale::Tiny { &COUNTS[..2] } else { &COUNTS };
    let mut figures = Vec::new();
    let mut lines = Allocating::ALL.map(|by| (by, Vec::new()));
    for &count in counts {
        let mut contenders = Vec::new();
        for by in Allocating::ALL {
            contenders.push(allocation(scale, &pager, by, count)?);
        }
        let all: Vec<Measured> = measure(scale, &mut contenders)?.into_iter().map(micros).collect();
        for ((_, line), measured) in lines.iter_mut().zip(&all) {
            line.push((count as f64, measured.median));
        }
        let name = format!("off: {count} frames, {}{}", at.text(), cost.text());
        let how = format!("given back between; the client {pinned}, the bank on {}", at.server());
        let [ours, rest @ ..] = &all[..] else { return Err("nothing was measured".to_owned()) };
        figures.push(figure(name, ours.clone(), rest.to_vec(), how));
    }
    if scale == Scale::Full && at.path == Path::There(Way::Socket) && !at.is_cross {
        draw(cost, lines)?;
    }
    Ok(figures)
}

fn draw(cost: Cost, lines: [(Allocating, Vec<(f64, f64)>); 3]) -> Result<(), String> {
    let series = lines.into_iter().map(|(by, points)| Series::new(by.name(), points)).collect();
    let title = format!("Page frames allocated over a Unix socket, one processor{}", cost.text());
    let plot = Plot { title, x: "page frames", x_axis: Axis::Linear, y: "µs", y_axis: Axis::Linear, series };
    let name = if cost == Cost::Cheap { "off-frames" } else { "off-frames-expensive" };
    plot::keep(name, &plot.svg()).map_err(|error| format!("cannot draw: {error}"))
}

/// Microseconds for so many, of as many times as take about [`SAMPLE`]. They are given back between, which is not timed.
fn allocation<'a>(
    scale: Scale,
    pager: &'a Pager,
    by: Allocating,
    count: usize,
) -> Result<Contender<'a>, String> {
    let program = by.source(count).map(|source| Prepared::of(&source)).transpose()?;
    Ok(Contender::new(by.name(), move || {
        let (mut times, mut time) = (0_u32, Duration::ZERO);
        while time < SAMPLE && (times == 0 || scale == Scale::Full) {
            let frames = pager.frames()?;
            let portal: &Portal = frames.portal();
            let begun = Instant::now();
            match &program {
                None => {
                    for _ in 0..count {
                        frames.alloc().map_err(|failure| failure.to_string())?;
                    }
                }
                Some(program) if by == Allocating::Program => {
                    pager.run(program, &[portal], &[count as i64])?;
                }
                Some(program) => {
                    pager.run(program, &[portal], &[])?;
                }
            }
            time += begun.elapsed();
            times += 1;
        }
        Ok(time.as_nanos() as f64 / f64::from(times))
    }))
}

/// What a peer does whose family is one of applications.
pub(crate) fn serve_application(family: &str, what: &str, socket: &UnixStream) -> Result<(), String> {
    match family {
        PAGED => serve_paged(what, socket),
        _ => serve_bare(what, socket),
    }
}
