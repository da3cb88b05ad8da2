//! Plots: lines over points, as SVG, on linear or logarithmic axes; bars in groups are in `plot/bars.rs`.
//!
//! ```text
//!        title
//!   ^
//!   │   ── one line a series, with a mark at each point and its name behind its last
//!   └──────────────> x
//! ```
//!
//! Everything is text and depends on the points alone, so that a plot changes when its results do and not otherwise. What it does not
//! do: names of lines that end at the same height are moved apart, and nothing else is laid out.

mod bars;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub use bars::{Bar, Bars, Mark};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 60.0;
/// Between names of lines, at the least.
const LINE: f64 = 15.0;

/// Told apart by those who see no red or green as well, and by their marks.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"];

/// How an axis is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Evenly, from 0 on.
    Linear,
    /// By powers of 10.
    Decades,
    /// By powers of 2, named as bytes.
    Bytes,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// As what was measured here and is compared.
    Solid,
    /// As what is shown beside and is not: a floor, or what a paper says.
    Dashed,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name, which stands behind its last point.
    pub name: String,
    /// How it is drawn.
    pub stroke: Stroke,
    /// Places, by growing x.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A solid line.
    #[must_use]
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.to_owned(), stroke: Stroke::Solid, points }
    }

    /// The same, dashed.
    #[must_use]
    pub fn dashed(self) -> Series {
        Series { stroke: Stroke::Dashed, ..self }
    }
}

/// Lines over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What stands above.
    pub title: String,
    /// What x is, with its unit.
    pub x: &'static str,
    /// How x is divided.
    pub x_axis: Axis,
    /// What y is, with its unit.
    pub y: &'static str,
    /// How y is divided.
    pub y_axis: Axis,
    /// The lines.
    pub series: Vec<Series>,
}

impl Plot {
    /// The picture. Points that an axis cannot show (none above 0 on one of powers, or no number) are left out.
    #[must_use]
    pub fn svg(&self) -> String {
        let (x, y) = (
            Scale::new(self.x_axis, self.all(|point| point.0)),
            Scale::new(self.y_axis, self.all(|point| point.1)),
        );
        let mut out = begun(&self.title);
        self.axes(&mut out, &x, &y);
        let place = |point: &(f64, f64)| {
            (x.place(point.0, LEFT, WIDTH - RIGHT), y.place(point.1, HEIGHT - BOTTOM, TOP))
        };
        let mut names = Vec::new();
        for (at, series) in self.series.iter().enumerate() {
            let shown = series.points.iter().filter(|point| x.shows(point.0) && y.shows(point.1));
            let places: Vec<(f64, f64)> = shown.map(place).collect();
            line(&mut out, at, series.stroke, &places);
            names.extend(places.last().map(|last| (last.1, at)));
        }
        self.names(&mut out, names);
        out + "</svg>\n"
    }

    fn all(&self, of: impl Fn(&(f64, f64)) -> f64) -> Vec<f64> {
        self.series.iter().flat_map(|series| series.points.iter().map(&of)).collect()
    }

    fn axes(&self, out: &mut String, x: &Scale, y: &Scale) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in x.ticks() {
            let at = x.place(tick, LEFT, right);
            rule(out, (at, TOP), (at, bottom), "#e4e4e4");
            text(out, (at, bottom + 18.0), "middle", &x.named(tick));
        }
        frame(out, y);
        text(out, (f64::midpoint(LEFT, right), HEIGHT - 16.0), "middle", &escaped(self.x));
        name_of_y(out, self.y);
    }

    /// Names of lines, from the highest down, none over another.
    fn names(&self, out: &mut String, mut names: Vec<(f64, usize)>) {
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = TOP - LINE;
        for (at, series) in names {
            let height = at.max(free + LINE);
            free = height;
            let name =
                format!("<tspan fill=\"{}\">{}</tspan>", colour(series), escaped(&self.series[series].name));
            text(out, (WIDTH - RIGHT + 10.0, height + 4.0), "start", &name);
        }
    }
}

/// Writes a picture into the documents' folder of plots, `docs/plots`.
///
/// # Errors
/// If it cannot be written.
pub fn keep(name: &str, svg: &str) -> io::Result<()> {
    let file = kept_at(name);
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, svg)
}

/// Where the picture of this name is kept.
pub(crate) fn kept_at(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/plots").join(format!("{name}.svg"))
}

/// From values to places on paper.
struct Scale {
    axis: Axis,
    low: f64,
    high: f64,
}

impl Scale {
    fn new(axis: Axis, mut values: Vec<f64>) -> Scale {
        values.retain(|value| value.is_finite() && (axis == Axis::Linear || *value > 0.0));
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (1.0, 1.0) };
        match axis {
            Axis::Linear => {
                let step = even_step(high);
                Scale { axis, low: 0.0, high: (high / step).ceil().max(1.0) * step }
            }
            Axis::Decades => {
                let (low, high) = (low.log10().floor(), high.log10().ceil());
                Scale { axis, low, high: high.max(low + 1.0) }
            }
            Axis::Bytes => {
                let (low, high) = (low.log2().floor(), high.log2().ceil());
                Scale { axis, low, high: high.max(low + 1.0) }
            }
        }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.axis == Axis::Linear && value >= 0.0 || value > 0.0)
    }

    fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let value = match self.axis {
            Axis::Linear => value,
            Axis::Decades => value.log10(),
            Axis::Bytes => value.log2(),
        };
        from + (to - from) * (value - self.low) / (self.high - self.low)
    }

    fn ticks(&self) -> Vec<f64> {
        let step = match self.axis {
            Axis::Linear => even_step(self.high),
            Axis::Decades => 1.0,
            Axis::Bytes => ((self.high - self.low) / 12.0).ceil().max(1.0),
        };
        let mut ticks = Vec::new();
        let mut at = self.low;
        while at <= self.high + step / 1e6 {
            ticks.push(match self.axis {
                Axis::Linear => at,
                Axis::Decades => 10f64.powf(at),
                Axis::Bytes => at.exp2(),
            });
            at += step;
        }
        ticks
    }

    fn named(&self, value: f64) -> String {
        let units = [("MiB", 1024.0 * 1024.0), ("KiB", 1024.0)];
        match self.axis {
            Axis::Bytes => match units.iter().find(|(_, bytes)| value >= *bytes) {
                Some((unit, bytes)) => format!("{} {unit}", value / bytes),
                None => format!("{value} B"),
            },
            Axis::Linear | Axis::Decades => format!("{}", (value * 1e9).round() / 1e9),
        }
    }
}

/// 1, 2 or 5 times a power of 10, of which `high` has ten at most.
fn even_step(high: f64) -> f64 {
    let least = (high / 10.0).max(1e-9);
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * power)
        .into_iter()
        .find(|step| *step >= least * 0.999_999)
        .unwrap_or(power)
}

/// A picture's beginning: its size, its ground and its title.
fn begun(title: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let title = format!("<tspan font-size=\"15\">{}</tspan>", escaped(title));
    text(&mut out, (LEFT, 24.0), "start", &title);
    out
}

/// The heights of the field, and its edges.
fn frame(out: &mut String, y: &Scale) {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for tick in y.ticks() {
        let at = y.place(tick, bottom, TOP);
        rule(out, (LEFT, at), (right, at), "#e4e4e4");
        text(out, (LEFT - 8.0, at + 4.0), "end", &y.named(tick));
    }
    rule(out, (LEFT, bottom), (right, bottom), "#404040");
    rule(out, (LEFT, TOP), (LEFT, bottom), "#404040");
}

fn name_of_y(out: &mut String, name: &str) {
    let middle = f64::midpoint(TOP, HEIGHT - BOTTOM);
    let turned = format!("<g transform=\"rotate(-90 18 {middle})\">");
    out.push_str(&turned);
    text(out, (18.0, middle), "middle", &escaped(name));
    out.push_str("</g>\n");
}

fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

fn line(out: &mut String, at: usize, stroke: Stroke, places: &[(f64, f64)]) {
    let colour = colour(at);
    let dashes = if stroke == Stroke::Dashed { " stroke-dasharray=\"6 4\"" } else { "" };
    let points: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
        points.join(" ")
    );
    for (x, y) in places {
        let _ = match at % 3 {
            0 => writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\" fill=\"{colour}\"/>"),
            1 => {
                let (x, y) = (x - 3.0, y - 3.0);
                writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"6\" height=\"6\" fill=\"{colour}\"/>")
            }
            _ => writeln!(out, "<path d=\"M{:.1} {:.1}l4 7h-8z\" fill=\"{colour}\"/>", x, y - 4.0),
        };
    }
}

fn rule(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, content: &str) {
    let _ =
        writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{content}</text>", at.0, at.1);
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(x_axis: Axis, y_axis: Axis, points: &[(f64, f64)]) -> Plot {
        let series = vec![Series::new("a & b", points.to_vec()), Series::new("c", points.to_vec()).dashed()];
        Plot { title: "t".to_owned(), x: "size", x_axis, y: "ms", y_axis, series }
    }

    #[test]
    fn points_are_placed_by_their_axes() {
        let svg = plot(Axis::Bytes, Axis::Decades, &[(8192.0, 0.1), (32768.0, 100.0)]).svg();
        // From the lower left to the upper right corner of the field; once solid and once dashed.
        let corners = "points=\"76.0,400.0 550.0,44.0\"";
        assert_eq!(svg.matches(corners).count(), 2, "{svg}");
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        for named in [">8 KiB<", ">16 KiB<", ">32 KiB<", ">0.1<", ">1<", ">10<", ">100<", ">a &amp; b<"] {
            assert!(svg.contains(named), "{named}: {svg}");
        }
    }

    #[test]
    fn linear_axes_begin_at_0_and_have_even_steps() {
        let svg = plot(Axis::Linear, Axis::Linear, &[(1.0, 3.0), (10.0, 47.0)]).svg();
        assert!(svg.contains("points=\"123.4,378.6 550.0,65.4\""), "{svg}");
        assert_eq!([47.0, 10.0, 9.0, 0.3, 1.0].map(even_step), [5.0, 1.0, 1.0, 0.05, 0.1]);
    }

    #[test]
    fn names_of_lines_that_end_at_one_place_stand_apart() {
        let svg = plot(Axis::Linear, Axis::Linear, &[(1.0, 1.0)]).svg();
        let heights: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("x=\"560.0\""))
            .filter_map(|line| line.split("y=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(heights, ["48.0", "63.0"]);
    }

    #[test]
    fn what_an_axis_cannot_show_is_left_out() {
        let svg = plot(Axis::Decades, Axis::Decades, &[(0.0, 1.0), (1.0, f64::NAN), (10.0, 10.0)]).svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(!plot(Axis::Linear, Axis::Bytes, &[]).svg().contains("NaN"));
    }
}
