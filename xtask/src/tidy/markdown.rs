//! As much of Markdown as the rules need: prose, spans of code, links, headings.

/// What a line of a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text, tables, headings.
    Prose,
    /// Inside fenced code.
    Code,
}

/// The lines of a document, without the fences, with their numbers from 1.
pub(super) fn lines(text: &str) -> Vec<(usize, Kind, &str)> {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => lines.push((index + 1, Kind::Prose, line)),
            (Some(_), _) => lines.push((index + 1, Kind::Code, line)),
        }
    }
    lines
}

/// The lines outside of fenced code.
pub(super) fn prose(text: &str) -> Vec<(usize, &str)> {
    let lines = lines(text).into_iter();
    lines.filter(|(_, kind, _)| *kind == Kind::Prose).map(|(number, _, line)| (number, line)).collect()
}

/// A line taken apart: its text with the spans of code blanked, and the spans.
pub(super) fn spans(line: &str) -> (String, Vec<&str>) {
    let mut plain = String::new();
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let ticks = rest[at..].len() - rest[at..].trim_start_matches('`').len();
        let inside = &rest[at + ticks..];
        let Some(length) = inside.find(&rest[at..at + ticks]) else { break };
        plain += &rest[..at];
        plain.push('`');
        spans.push(inside[..length].trim());
        rest = &inside[length + ticks..];
    }
    plain += rest;
    (plain, spans)
}

/// Targets of the links of a line without spans of code: `[text](target)`, `[name]: target`, `src="target"`.
pub(super) fn targets(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in line.match_indices(open) {
            let inside = &line[at + open.len()..];
            found.extend(inside.find(close).map(|end| &inside[..end]));
        }
    }
    if let Some((name, target)) = line.split_once("]: ")
        && name.starts_with('[')
    {
        found.push(target);
    }
    // A title may follow the target.
    found.into_iter().filter_map(|target| target.split_whitespace().next()).collect()
}

/// The anchors that the headings of a document make, as code hosts do it.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if (1..=6).contains(&level) && title.starts_with(' ') {
            let anchor = slug(title.trim());
            let twins = (1..).map(|n| format!("{anchor}-{n}"));
            let unused = std::iter::once(anchor.clone()).chain(twins).find(|name| !anchors.contains(name));
            anchors.extend(unused);
        }
    }
    anchors
}

fn slug(title: &str) -> String {
    let text: String = title.to_lowercase().chars().filter(|c| *c != '`').collect();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_code_is_no_prose() {
        let lines = prose("a\n```sh\nb\n```\nc\n~~~\n```\nd\n~~~\ne");
        assert_eq!(lines, [(1, "a"), (5, "c"), (10, "e")]);
    }

    #[test]
    fn spans_are_taken_out() {
        assert_eq!(spans("a `b` c ``d ` e`` f"), ("a ` c ` f".to_owned(), vec!["b", "d ` e"]));
        assert_eq!(spans("one ` tick"), ("one ` tick".to_owned(), vec![]));
    }

    #[test]
    fn all_kinds_of_links_are_found() {
        assert_eq!(targets("[a](b.md) ![c](d.svg \"title\")"), ["b.md", "d.svg"]);
        assert_eq!(targets("[a]: b.md"), ["b.md"]);
        assert_eq!(targets("<img src=\"plot.svg\">"), ["plot.svg"]);
        assert!(targets("[no] (link)").is_empty());
    }

    #[test]
    fn anchors_are_those_of_code_hosts() {
        let text = "# The `carnet` command: what's new?\n## A b\n## A b\nno # heading\n#tag\n";
        assert_eq!(anchors(text), ["the-carnet-command-whats-new", "a-b", "a-b-1"]);
    }
}
