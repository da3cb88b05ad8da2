//! Page faults, from the touch of a page to going on, and what a pager takes to handle one.
//!
//! | of each place | cheap bank | expensive bank |
//! | --- | --- | --- |
//! | faults in a sample | 64 | 16 |
//! | from touch to going on | all ways | single calls, an array for each, one program for all |
//! | the handler | two calls, a program, a call array | the same |
//!
//! A fault of an expensive bank takes as long as dozens of a cheap one, and ways that differ by a crossing differ by next to nothing there.

use super::application::{Application, PAGES};
use super::pager::{By, Pager, Served};
use super::{At, Cost, Path, SAMPLE, figure, micros};
use crate::measure::{Contender, Measured, Scale, measure, time_trips};
use crate::report::Figure;

/// Faults in a sample of an expensive bank.
const PAGES_EXPENSIVE: usize = 16;
/// Those whose handler can be told from waiting for the fault.
const HANDLERS: [(By, &str); 3] =
    [(By::Calls, "two calls"), (By::Program, "a program"), (By::Array, "a call array")];

impl Cost {
    /// Ways that are measured from touch to going on.
    fn whole(self) -> &'static [By] {
        match self {
            Cost::Cheap => &By::ALL,
            Cost::Expensive => &[By::Calls, By::WaitingArray, By::Loop],
        }
    }

    fn pages(self) -> usize {
        match self {
            Cost::Cheap => PAGES,
            Cost::Expensive => PAGES_EXPENSIVE,
        }
    }

    /// What is wanted of a fault.
    fn wanted(self) -> &'static str {
        match self {
            Cost::Cheap => "≤ 1.1× the floor",
            // The floor has no bank whose calls are expensive.
            Cost::Expensive => "–",
        }
    }
}

/// What was measured at one place.
struct Took {
    floor: Measured,
    whole: Vec<(By, Measured)>,
    /// In the order of [`HANDLERS`].
    handlers: Vec<Measured>,
    /// A bare thread beside the application.
    beside: f64,
}

/// Measures at one place.
pub(super) fn faults(scale: Scale, at: At, cost: Cost, pinned: &str) -> Result<Vec<Figure>, String> {
    let count = if scale == Scale::Tiny { 2 } else { cost.pages() };
    let took = took(scale, at, cost, count)?;
    let where_ = format!("{}{}", at.text(), cost.text());
    let how = format!(
        "{count} faults one after the other; the pager {pinned}, the bank on {}, the application on {}; by a bare thread beside it \
         {:.1} µs",
        at.bank(),
        at.server(),
        took.beside
    );
    figures(&took, at, cost, &where_, &how)
}

fn took(scale: Scale, at: At, cost: Cost, count: usize) -> Result<Took, String> {
    let is_handler = |by: By| HANDLERS.iter().any(|(one, _)| *one == by);
    let mut served = Vec::new();
    for by in By::ALL.into_iter().filter(|by| cost.whole().contains(by) || is_handler(*by)) {
        served.push((by, Served::start(at, cost, by)?));
    }
    let of = |by: By| served.iter().find(|(one, _)| *one == by).map(|(_, served)| served);
    let bare = Application::bare(at.server(), at.bank())?;
    let beside = Application::bare(at.server(), at.server())?;
    let asked = Pager::start(at, cost)?;
    let frames = asked.frames()?;
    let faults_of = |bare: &Application| {
        bare.touch(count)?;
        Ok::<_, String>(bare.touched()? / count as f64)
    };
    let floor = Contender::new("a bare thread, and a round trip", || {
        let trip = || frames.left().map(drop).map_err(|failure| failure.to_string());
        Ok(faults_of(&bare)? + time_trips(scale, SAMPLE, trip)?)
    });
    let beside = Contender::new("beside", || faults_of(&beside));
    let whole = cost.whole().iter().filter_map(|by| Some((*by, of(*by)?)));
    let whole = whole.map(|(by, served)| Contender::new(by.name(), move || Ok(served.faults(count)?.whole)));
    let handlers = HANDLERS.iter().filter_map(|(by, name)| Some((*name, of(*by)?)));
    let handlers =
        handlers.map(|(name, served)| Contender::new(name, move || Ok(served.faults(count)?.handler)));
    let mut contenders: Vec<Contender<'_>> =
        [floor].into_iter().chain(whole).chain(handlers).chain([beside]).collect();
    let mut all = measure(scale, &mut contenders)?.into_iter().map(micros);
    let mut next = || all.next().ok_or("nothing was measured");
    let floor = next()?;
    let whole = cost.whole().iter().map(|by| Ok((*by, next()?))).collect::<Result<_, String>>()?;
    let handlers = HANDLERS.iter().map(|_| Ok(next()?)).collect::<Result<_, String>>()?;
    Ok(Took { floor, whole, handlers, beside: next()?.median })
}

fn figures(took: &Took, at: At, cost: Cost, where_: &str, how: &str) -> Result<Vec<Figure>, String> {
    let of = |by: By| {
        let found = took.whole.iter().find(|(one, _)| *one == by);
        found.map(|(_, measured)| measured.clone()).ok_or(format!("{by:?} was not measured"))
    };
    let others = took.whole.iter().filter(|(by, _)| *by != By::WaitingArray);
    let others = others.map(|(_, measured)| measured.clone()).collect();
    let of_fault = |name: &str, ours: Measured, rivals: Vec<Measured>| {
        figure(format!("off: a page fault, {name}, {where_}"), ours, rivals, how.to_owned())
    };
    let beside_floor = |name: &str, ours: Measured| Figure {
        wanted: cost.wanted(),
        ..of_fault(name, ours, vec![took.floor.clone()])
    };
    let [calls, program, array] = &took.handlers[..] else {
        return Err("a handler was not measured".to_owned());
    };
    let of_handler = |name: &str, ours: &Measured, wanted: &'static str| Figure {
        paper: Some("0.68"),
        wanted,
        ..figure(
            format!("off: the handler, {name}, {where_}"),
            ours.clone(),
            vec![calls.clone()],
            how.to_owned(),
        )
    };
    // On the same thread no crossing is saved.
    let wanted = if at.path == Path::Here { "–" } else { "≤ 0.68× two calls" };
    Ok(vec![
        beside_floor("an array for each", of(By::WaitingArray)?),
        beside_floor("one program for all", of(By::Loop)?),
        of_fault("beside other ways", of(By::WaitingArray)?, others),
        of_handler("a call array", array, wanted),
        of_handler("a program", program, "–"),
    ])
}
