//! The plots of page faults and of their handlers.
//!
//! | plot | bars of each place | from figures |
//! | --- | --- | --- |
//! | `off-faults`, `off-faults-expensive` | single calls, an array for each, one program for all, and the floor, in µs | a page fault |
//! | `off-handler`, `off-handler-expensive` | a program and a call array, of the time of two calls; the paper's 0.68 across | the handler |
//!
//! They are drawn from what is kept of the figures, so that the plots that stand in the documents can be held against the results that do.

use serde_json::Value;

use super::{Cost, EXPENSIVE_TEXT};
use crate::plot::{self, Bar, Bars, Mark, Stroke};
use crate::report::Figure;

/// Of the time of two calls.
const PAPER: f64 = 0.68;

/// Draws them.
pub(super) fn keep(figures: &[Figure]) -> Result<(), String> {
    let kept: Vec<Value> = figures.iter().map(Figure::object).collect();
    let mut plots = plots(&kept).into_iter();
    plots.try_for_each(|(name, bars)| plot::keep(name, &bars.svg())).map_err(|e| format!("cannot draw: {e}"))
}

/// Those for which there are figures, with their names.
fn plots(kept: &[Value]) -> Vec<(&'static str, Bars)> {
    let of = |cost: Cost, faults: &'static str, handler: &'static str| {
        let places = places(kept, cost);
        let both =
            [(faults, self::faults(kept, cost, &places)), (handler, self::handler(kept, cost, &places))];
        both.into_iter().filter(move |_| !places.is_empty())
    };
    of(Cost::Cheap, "off-faults", "off-handler")
        .chain(of(Cost::Expensive, "off-faults-expensive", "off-handler-expensive"))
        .collect()
}

/// The places of which there are faults, as their figures name them.
fn places(kept: &[Value], cost: Cost) -> Vec<String> {
    let names = kept.iter().filter_map(|figure| figure["name"].as_str());
    let places = names.filter_map(|name| name.strip_prefix("off: a page fault, an array for each, "));
    let of_cost = places.filter(|place| place.ends_with(EXPENSIVE_TEXT) == (cost == Cost::Expensive));
    of_cost.map(str::to_owned).collect()
}

fn faults(kept: &[Value], cost: Cost, places: &[String]) -> Bars {
    let of =
        |figure: &str, who: &str| heights(places, |place| value(kept, "a page fault", figure, place, who));
    let bar = |name, heights| Bar { name, stroke: Stroke::Solid, heights };
    let floor = of("an array for each", "a bare thread, and a round trip");
    Bars {
        title: format!("Page faults of another process, each{}", cost.text()),
        y: "µs",
        groups: groups(places),
        bars: vec![
            bar("single calls", of("beside other ways", "single calls")),
            bar("an array for each", of("an array for each", "ours")),
            bar("one program for all", of("one program for all", "ours")),
            Bar { name: "floor: thread and round trip", stroke: Stroke::Dashed, heights: floor },
        ],
        marks: Vec::new(),
    }
}

fn handler(kept: &[Value], cost: Cost, places: &[String]) -> Bars {
    let of = |figure: &str| {
        heights(places, |place| {
            let of = |who| value(kept, "the handler", figure, place, who);
            // As exact as what is kept.
            (of("ours") / of("two calls") * 1e4).round() / 1e4
        })
    };
    let bar = |name, heights| Bar { name, stroke: Stroke::Solid, heights };
    Bars {
        title: format!("The handler of a page fault, beside two calls{}", cost.text()),
        y: "of the time of two calls",
        groups: groups(places),
        bars: vec![bar("a program", of("a program")), bar("a call array", of("a call array"))],
        marks: vec![
            Mark { name: "1, two calls", height: 1.0 },
            Mark { name: "0.68, the paper's", height: PAPER },
        ],
    }
}

fn heights(places: &[String], of: impl Fn(&str) -> f64) -> Vec<f64> {
    places.iter().map(|place| of(place)).collect()
}

/// What a figure says of somebody: `ours`, or the name of a rival. No number if it says nothing.
fn value(kept: &[Value], what: &str, figure: &str, place: &str, who: &str) -> f64 {
    let name = format!("off: {what}, {figure}, {place}");
    let found = kept.iter().find(|one| one["name"] == *name);
    let value = found.map(|found| if who == "ours" { &found["ours"] } else { &found["rivals"][who] });
    value.and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// What stands below the bars of each place: the way there, in two lines, and on which processors.
fn groups(places: &[String]) -> Vec<Vec<String>> {
    let of = |place: &String| {
        let place = place.strip_suffix(EXPENSIVE_TEXT).unwrap_or(place);
        let (way, cores) = place.rsplit_once(", ").unwrap_or((place, ""));
        let way = way.split(", ").next().unwrap_or(way);
        let (first, last) = way.rsplit_once(' ').unwrap_or((way, ""));
        [first, last, cores].map(str::to_owned).to_vec()
    };
    places.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::json;

    use super::*;

    fn figures(place: &str) -> Vec<Value> {
        let named = |name: &str, ours: f64, rivals: Value| json!({"name": format!("off: {name}, {place}"), "ours": ours, "rivals": rivals});
        let floor = json!({"a bare thread, and a round trip": 10.0});
        vec![
            named("a page fault, an array for each", 15.0, floor.clone()),
            named("a page fault, one program for all", 5.0, floor),
            named("a page fault, beside other ways", 15.0, json!({"single calls": 30.0})),
            named("the handler, a call array", 15.0, json!({"two calls": 20.0})),
            named("the handler, a program", 18.0, json!({"two calls": 20.0})),
        ]
    }

    fn heights(bars: &Bars) -> Vec<(&str, &[f64])> {
        bars.bars.iter().map(|bar| (bar.name, &bar.heights[..])).collect()
    }

    #[test]
    fn each_bar_is_what_its_figure_says() {
        let here = figures("TCP with TLS, same core");
        let expensive = figures("shared memory, sleeping, same core, an expensive service");
        let plots = plots(&[here, expensive].concat());
        let names: Vec<&str> = plots.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["off-faults", "off-handler", "off-faults-expensive", "off-handler-expensive"]);
        let faults: [(&str, &[f64]); 4] = [
            ("single calls", &[30.0]),
            ("an array for each", &[15.0]),
            ("one program for all", &[5.0]),
            ("floor: thread and round trip", &[10.0]),
        ];
        assert_eq!(heights(&plots[0].1), faults);
        assert_eq!(plots[0].1.groups, [["TCP with", "TLS", "same core"]]);
        assert_eq!(heights(&plots[1].1), [("a program", &[0.9][..]), ("a call array", &[0.75][..])]);
        assert_eq!(plots[2].1.groups, [["shared", "memory", "same core"]]);
        assert!(plots[3].1.marks.iter().any(|mark| mark.height == PAPER));
    }

    #[test]
    fn what_was_not_measured_is_not_drawn() {
        let without_handler = &figures("Unix socket, same core")[..3];
        let plots = plots(without_handler);
        assert_eq!(plots.len(), 2);
        assert!(plots[1].1.bars.iter().all(|bar| bar.heights[0].is_nan()));
        assert!(super::plots(&[]).is_empty());
    }

    /// `BLESS=1` draws them anew, which a full `cargo xtask bench off` does, too.
    #[test]
    fn the_plots_that_are_kept_show_the_results_that_are_kept() {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/off.json");
        let kept = fs::read_to_string(kept).expect("results are kept");
        let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let plots = plots(&kept);
        assert!(plots.len() >= 2, "no faults were measured");
        for (name, bars) in plots {
            if std::env::var_os("BLESS").is_some() {
                plot::keep(name, &bars.svg()).expect("a plot");
            }
            let found = fs::read_to_string(plot::kept_at(name)).unwrap_or_default();
            assert!(found == bars.svg(), "docs/plots/{name}.svg is not what was measured: BLESS=1 draws it");
        }
    }
}
