//! Numbers as people read them: grouped digits, units, short hashes.

/// `1234567` as `1,234,567`; a bound that saturated is `unbounded`.
#[must_use]
pub fn grouped(n: u64) -> String {
    if n == u64::MAX {
        return "unbounded".to_owned();
    }
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes with a unit: `512 B`, `10.0 GiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    if n == u64::MAX {
        return "unbounded".to_owned();
    }
    let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", units[unit])
}

/// Nanoseconds as seconds, with as many places as matter: `30.0 s`, `0.09 s`, `0.0004 s`; what takes longer than a day or so
/// as days, rounded up: `2.5 d`, `106,751 d`.
#[must_use]
pub fn seconds(ns: u64) -> String {
    if ns == u64::MAX {
        return "unbounded".to_owned();
    }
    let s = ns as f64 / 1e9;
    let day = 86_400_000_000_000;
    if ns >= 1000 * day {
        format!("{} d", grouped(ns.div_ceil(day)))
    } else if s >= 100_000.0 {
        format!("{:.1} d", ns.div_ceil(day / 10) as f64 / 10.0)
    } else if s >= 10.0 {
        format!("{s:.1} s")
    } else if s >= 0.01 {
        format!("{s:.2} s")
    } else {
        format!("{s:.4} s")
    }
}

/// Seconds as a span of time, rounded up to what is shown: `34 s`, `90 s`, `1 min`, `1 h 2 min`, `30 d`.
#[must_use]
pub fn span(s: u64) -> String {
    let two = |large: u64, unit: &str, small: u64, part: &str| {
        if small == 0 { format!("{large} {unit}") } else { format!("{large} {unit} {small} {part}") }
    };
    let (minutes, hours) = (s.div_ceil(60), s.div_ceil(3600));
    match s {
        0..600 if !s.is_multiple_of(60) || s == 0 => format!("{s} s"),
        _ if minutes < 60 => format!("{minutes} min"),
        _ if minutes < 24 * 60 => two(minutes / 60, "h", minutes % 60, "min"),
        _ => two(hours / 24, "d", hours % 24, "h"),
    }
}

/// All digits of a hash.
#[must_use]
pub fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The longest prefix of at most `max` bytes that does not cut a character.
#[must_use]
pub(crate) fn clip(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// Leaves at most `max` bytes of a text, without cutting a character.
pub(crate) fn cut(text: &mut String, max: usize) {
    text.truncate(text.floor_char_boundary(max));
}

/// The first eight digits of a hash and an ellipsis.
#[must_use]
pub fn short_hash(hash: &[u8]) -> String {
    format!("{}…", hex(&hash[..4.min(hash.len())]))
}

/// Bytes as text in quotes, for messages: control characters and bytes that are not UTF-8 are escaped, and what
/// is longer than 80 characters is cut.
#[must_use]
pub fn quoted(text: &[u8]) -> String {
    let mut out = String::from("\"");
    let mut shown = 0;
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            if shown == 80 {
                return out + "…\"";
            }
            shown += 1;
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if c.is_control() => out.extend(c.escape_default()),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            if shown >= 80 {
                return out + "…\"";
            }
            shown += 4;
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(141_000), "141,000");
        assert_eq!(grouped(2_900_000), "2,900,000");
        assert_eq!(grouped(u64::MAX), "unbounded");
    }

    #[test]
    fn bytes_and_seconds_have_units() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(10 << 30), "10.0 GiB");
        assert_eq!(bytes(100_000 << 20), "97.7 GiB");
        assert_eq!(seconds(30_000_000_000), "30.0 s");
        assert_eq!(seconds(90_000_000), "0.09 s");
        assert_eq!(seconds(86_400_000_000_000), "86400.0 s");
        assert_eq!(seconds(216_000_000_000_000), "2.5 d");
        assert_eq!(seconds(216_000_000_000_001), "2.6 d");
        assert_eq!(seconds(106_751 * 86_400_000_000_000), "106,751 d");
        assert_eq!(seconds(u64::MAX - 1), "213,504 d");
    }

    #[test]
    fn spans_have_one_or_two_units_and_are_rounded_up() {
        let shown = [0, 34, 60, 90, 601, 3600, 3700, 86_399, 86_400, 90_001].map(span);
        let expected =
            ["0 s", "34 s", "1 min", "90 s", "11 min", "1 h", "1 h 2 min", "1 d", "1 d", "1 d 2 h"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn quoted_text_is_one_printable_line() {
        assert_eq!(quoted(b"a\nb\"\xff"), "\"a\\nb\\\"\\xff\"");
        assert!(quoted(&[b'x'; 500]).chars().count() < 90);
    }
}
