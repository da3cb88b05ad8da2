//! Bars in groups, from 0 on.
//!
//! ```text
//!        title
//!   ^      ▌         ▪ one bar a series in each group, in the order of their names at the side
//!   │ ─ ─ ─▌─ ─ ▌    - a mark across all groups: what is neither a bar nor of one group alone
//!   └──────────────>
//!     group   group
//! ```

use std::fmt::Write as _;

use super::{Axis, BOTTOM, HEIGHT, LEFT, LINE, RIGHT, Scale, Stroke, TOP, WIDTH};
use super::{begun, colour, escaped, frame, name_of_y, text};

/// What a group leaves free, of its width.
const GAP: f64 = 0.2;
/// What is shown beside is grey.
const BESIDE: &str = "fill=\"#e4e4e4\" stroke=\"#7f7f7f\" stroke-dasharray=\"4 3\"";

/// Bars of one colour, one in each group.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Their name.
    pub name: &'static str,
    /// How they are drawn.
    pub stroke: Stroke,
    /// Their heights, in the order of the groups; a group that has none of them has no number there.
    pub heights: Vec<f64>,
}

/// A dashed line across all groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its name.
    pub name: &'static str,
    /// Its height.
    pub height: f64,
}

/// Bars in groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What stands above.
    pub title: String,
    /// What the height is, with its unit.
    pub y: &'static str,
    /// What stands below each group, line by line.
    pub groups: Vec<Vec<String>>,
    /// The bars of each group, from the left.
    pub bars: Vec<Bar>,
    /// Lines across.
    pub marks: Vec<Mark>,
}

impl Bars {
    /// The picture. Bars without a number, or below 0, are left out.
    #[must_use]
    pub fn svg(&self) -> String {
        let heights = self.bars.iter().flat_map(|bar| bar.heights.iter().copied());
        let y = Scale::new(Axis::Linear, heights.chain(self.marks.iter().map(|mark| mark.height)).collect());
        let mut out = begun(&self.title);
        frame(&mut out, &y);
        name_of_y(&mut out, self.y);
        for (at, bar) in self.bars.iter().enumerate() {
            self.row(&mut out, &y, at, bar);
        }
        for (group, lines) in self.groups.iter().enumerate() {
            let middle = self.left_of(group) + self.width() / 2.0;
            for (at, line) in lines.iter().enumerate() {
                let line = format!("<tspan font-size=\"10\">{}</tspan>", escaped(line));
                text(&mut out, (middle, HEIGHT - BOTTOM + 16.0 + 14.0 * at as f64), "middle", &line);
            }
        }
        for mark in &self.marks {
            dashes(&mut out, (LEFT, WIDTH - RIGHT), y.place(mark.height, HEIGHT - BOTTOM, TOP));
        }
        self.names(&mut out);
        out + "</svg>\n"
    }

    /// Of a group.
    fn width(&self) -> f64 {
        (WIDTH - RIGHT - LEFT) / self.groups.len().max(1) as f64
    }

    fn left_of(&self, group: usize) -> f64 {
        LEFT + self.width() * group as f64
    }

    fn row(&self, out: &mut String, y: &Scale, at: usize, bar: &Bar) {
        let width = self.width() * (1.0 - GAP) / self.bars.len() as f64;
        for (group, height) in bar.heights.iter().enumerate().filter(|(_, height)| y.shows(**height)) {
            let left = self.left_of(group) + self.width() * GAP / 2.0 + width * at as f64;
            let top = y.place(*height, HEIGHT - BOTTOM, TOP);
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" {}>\
                 <title>{height}</title></rect>",
                HEIGHT - BOTTOM - top,
                fill(at, bar.stroke)
            );
        }
    }

    /// What is what, one below the other.
    fn names(&self, out: &mut String) {
        let left = WIDTH - RIGHT + 10.0;
        let mut middle = TOP + LINE;
        for (at, bar) in self.bars.iter().enumerate() {
            let fill = fill(at, bar.stroke);
            let _ = writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"12\" height=\"10\" {fill}/>",
                middle - 5.0
            );
            text(out, (left + 18.0, middle + 4.0), "start", &escaped(bar.name));
            middle += LINE + 3.0;
        }
        for mark in &self.marks {
            dashes(out, (left, left + 12.0), middle);
            text(out, (left + 18.0, middle + 4.0), "start", &escaped(mark.name));
            middle += LINE + 3.0;
        }
    }
}

fn fill(at: usize, stroke: Stroke) -> String {
    match stroke {
        Stroke::Solid => format!("fill=\"{}\"", colour(at)),
        Stroke::Dashed => BESIDE.to_owned(),
    }
}

fn dashes(out: &mut String, (from, to): (f64, f64), at: f64) {
    let _ = writeln!(
        out,
        "<line x1=\"{from:.1}\" y1=\"{at:.1}\" x2=\"{to:.1}\" y2=\"{at:.1}\" stroke=\"#000000\" stroke-dasharray=\"5 3\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(groups: &[&str], bars: Vec<Bar>, marks: Vec<Mark>) -> Bars {
        let groups = groups.iter().map(|group| vec![(*group).to_owned(), "below".to_owned()]).collect();
        Bars { title: "t".to_owned(), y: "µs", groups, bars, marks }
    }

    fn bar(name: &'static str, heights: &[f64]) -> Bar {
        Bar { name, stroke: Stroke::Solid, heights: heights.to_vec() }
    }

    #[test]
    fn bars_stand_in_their_groups_on_the_ground() {
        let floor = Bar { stroke: Stroke::Dashed, ..bar("the floor", &[5.0, 2.5]) };
        let svg = bars(&["a & b", "c"], vec![bar("one", &[10.0, 5.0]), floor], vec![]).svg();
        // Two groups of 237, of which bars have 80 %; the field is 356 high and ends at 400.
        for shown in [
            "<rect x=\"99.7\" y=\"44.0\" width=\"94.8\" height=\"356.0\" fill=\"#0072b2\"><title>10</title></rect>",
            "<rect x=\"194.5\" y=\"222.0\" width=\"94.8\" height=\"178.0\" fill=\"#e4e4e4\"",
            "<rect x=\"336.7\" y=\"222.0\" width=\"94.8\" height=\"178.0\" fill=\"#0072b2\"><title>5</title></rect>",
            "<rect x=\"431.5\" y=\"311.0\" width=\"94.8\" height=\"89.0\" fill=\"#e4e4e4\"",
            ">a &amp; b<",
            ">the floor<",
        ] {
            assert!(svg.contains(shown), "{shown}: {svg}");
        }
        assert_eq!(svg.matches(">below<").count(), 2);
    }

    #[test]
    fn a_mark_goes_across_at_its_height_and_is_named() {
        let mark = Mark { name: "the paper's", height: 0.5 };
        let svg = bars(&["a"], vec![bar("one", &[1.0])], vec![mark]).svg();
        assert!(
            svg.contains("<line x1=\"76.0\" y1=\"222.0\" x2=\"550.0\" y2=\"222.0\" stroke=\"#000000\""),
            "{svg}"
        );
        assert!(svg.contains(">the paper's<"), "{svg}");
        // It is seen, too, where it is higher than all bars.
        let high = bars(&["a"], vec![bar("one", &[1.0])], vec![Mark { name: "m", height: 4.0 }]).svg();
        assert!(high.contains("y1=\"44.0\" x2=\"550.0\" y2=\"44.0\" stroke=\"#000000\""), "{high}");
    }

    #[test]
    fn what_has_no_number_is_left_out() {
        let svg = bars(&["a", "b"], vec![bar("one", &[f64::NAN, 1.0])], vec![]).svg();
        assert_eq!(svg.matches("<title>").count(), 1, "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
        assert!(!bars(&[], vec![], vec![]).svg().contains("NaN"));
    }
}
