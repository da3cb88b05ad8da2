//! Source text to tokens.
//!
//! It knows no grammar: words of the language and names are both [`Kind::Word`]. A fault is reported and
//! the token that was probably meant is given instead, so that the parser goes on without a second fault.
//! One pass; the cost is that of the text.
//!
//! | token | looks like |
//! | --- | --- |
//! | word | a letter or `_`, then letters, digits and `_` |
//! | integer | digits and `_`, no 0 before others, then perhaps a unit: `1_000`, `10MiB`, `7d`; or with a base: `0x1f`, `0o644`, `0b101` |
//! | float | digits, a point and digits, or an exponent, or both: `1.5`, `2e9`, `1_000.25e-3` |
//! | text | `"…"` on one line with `\n \t \r \\ \" \xHH`; bytes without NUL |
//! | symbol | see [`Symbol`] |
//! | nothing | blanks, line ends, `#` up to the end of the line |

use super::faults::Faults;
use crate::float::{Float, Precision, has_zeros};
use carnet_idl::diagnostic::{Diagnostic, Span};

/// Longer names say nothing more.
const NAME_MAX: usize = 128;

/// Longer literals do not fit into the default `string`.
pub(super) const TEXT_MAX: usize = 4096;

/// A token, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Where it stands.
    pub(super) span: Span,
    /// Whether it is the first of its line, where the parser may start anew after a fault.
    pub(super) place: LinePlace,
}

/// Where in its line a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePlace {
    /// Nothing but blanks before it.
    First,
    /// After another token.
    Inside,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a word of the language.
    Word,
    /// An integer, at most 2^63; its unit is already multiplied in.
    Int(u64, Unit),
    /// A number with a point or an exponent; a double.
    Float(Float),
    /// A text: index into [`Tokens::texts`].
    Text(usize),
    /// Anything else that means something.
    Symbol(Symbol),
    /// What means nothing, and was reported.
    Unknown,
    /// The end of the source.
    End,
}

/// What the unit of an integer measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// It has none.
    None,
    /// `KiB`, `MiB`, `GiB`.
    Bytes,
    /// `ms`, `s`, `m`, `h`, `d`; the integer is in nanoseconds.
    Time,
}

const UNITS: &[(&str, Unit, u64)] = &[
    ("KiB", Unit::Bytes, 1 << 10),
    ("MiB", Unit::Bytes, 1 << 20),
    ("GiB", Unit::Bytes, 1 << 30),
    ("ms", Unit::Time, 1_000_000),
    ("s", Unit::Time, 1_000_000_000),
    ("m", Unit::Time, 60_000_000_000),
    ("h", Unit::Time, 3_600_000_000_000),
    ("d", Unit::Time, 86_400_000_000_000),
];

/// What people write for units elsewhere.
const FOREIGN_UNITS: &[(&str, &str)] = &[
    ("k", "KiB"),
    ("K", "KiB"),
    ("kb", "KiB"),
    ("kB", "KiB"),
    ("KB", "KiB"),
    ("kib", "KiB"),
    ("kiB", "KiB"),
    ("M", "MiB"),
    ("mb", "MiB"),
    ("MB", "MiB"),
    ("mib", "MiB"),
    ("G", "GiB"),
    ("g", "GiB"),
    ("gb", "GiB"),
    ("GB", "GiB"),
    ("gib", "GiB"),
    ("sec", "s"),
    ("secs", "s"),
    ("seconds", "s"),
    ("min", "m"),
    ("mins", "m"),
    ("minutes", "m"),
    ("hours", "h"),
    ("days", "d"),
    ("day", "d"),
    ("D", "d"),
    ("H", "h"),
    ("S", "s"),
];

macro_rules! symbols {
    ($($name:ident $text:literal),* $(,)?) => {
        /// A symbol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Symbol {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Symbol {
            /// As it is written.
            pub(super) const fn text(self) -> &'static str {
                match self {
                    $(Symbol::$name => $text,)*
                }
            }
        }

        /// Longer symbols stand before those that they begin with.
        const SYMBOLS: &[Symbol] = &[$(Symbol::$name,)*];
    };
}

symbols! {
    Arrow "->", DotDot "..", EqEq "==", NotEq "!=", LessEq "<=", GreaterEq ">=", AndAnd "&&", OrOr "||",
    PlusEq "+=", MinusEq "-=",
    Open "(", Close ")", OpenBrace "{", CloseBrace "}", OpenBracket "[", CloseBracket "]",
    Comma ",", Colon ":", Dot ".", Eq "=", Less "<", Greater ">", Plus "+", Minus "-", Star "*", Slash "/",
    Percent "%", Not "!",
}

/// The tokens of a text; the last one is [`Kind::End`].
#[derive(Debug)]
pub(super) struct Tokens {
    /// The tokens.
    pub(super) all: Vec<Token>,
    /// Bytes of the text literals.
    pub(super) texts: Vec<Vec<u8>>,
}

/// Cuts `text` into tokens.
pub(super) fn tokens(text: &str, faults: &mut Faults) -> Tokens {
    let mut lexer = Lexer { text, at: 0, faults, tokens: Tokens { all: vec![], texts: vec![] } };
    let mut place = LinePlace::First;
    loop {
        let before = lexer.at;
        lexer.skip_blanks();
        if text[before..lexer.at].contains('\n') {
            place = LinePlace::First;
        }
        let start = lexer.at;
        let Some(kind) = lexer.token() else { continue };
        lexer.tokens.all.push(Token { kind, span: Span::new(start, lexer.at), place });
        place = LinePlace::Inside;
        if kind == Kind::End {
            return lexer.tokens;
        }
    }
}

/// The bases of integers other than ten: the letter behind a 0, and what stands there.
const BASES: &[(char, u32, &str)] = &[
    ('x', 16, "`0x` and digits from 0 to f"),
    ('o', 8, "`0o` and digits from 0 to 7"),
    ('b', 2, "`0b` and digits from 0 to 1"),
];

/// Why an integer is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumberFault {
    /// No such unit; perhaps another was meant.
    Unit(Option<&'static str>),
    /// Not digits of its base; these are.
    Digits(&'static str),
    /// A 0 before other digits: octal in C, decimal elsewhere.
    Zeros,
    /// The letter of a base as a capital, or behind several 0; this and its digits were meant.
    Base(String),
    /// Larger than 2^63.
    Overflow,
}

impl NumberFault {
    /// What to write instead of `sign`, `digits` and `unit`, for people.
    pub(super) fn help(&self, sign: &str, digits: &str, unit: &str) -> Option<String> {
        let decimal = match digits.trim_start_matches(['0', '_']) {
            "" => "0",
            decimal => decimal,
        };
        match self {
            NumberFault::Unit(meant) => meant.map(|meant| format!("did you mean `{sign}{decimal}{meant}`?")),
            NumberFault::Base(meant) => Some(format!("did you mean `{sign}0{meant}`?")),
            NumberFault::Zeros => {
                let fits = number(decimal, unit).is_ok();
                let octal = unit.is_empty() && value(decimal, 8, "octal digits").is_ok();
                match (octal, fits) {
                    (true, true) => {
                        Some(format!("octal is written `{sign}0o{decimal}`, decimal `{sign}{decimal}`"))
                    }
                    (true, false) => Some(format!("octal is written `{sign}0o{decimal}`")),
                    (false, true) => Some(format!("did you mean `{sign}{decimal}{unit}`?")),
                    (false, false) => None,
                }
            }
            NumberFault::Digits(_) | NumberFault::Overflow => None,
        }
    }
}

/// The value of digits (with `_`), and of the unit behind them, which may be empty; or of a 0 and a base with its digits.
pub(super) fn number(digits: &str, unit: &str) -> Result<(u64, Unit), NumberFault> {
    for (letter, base, expected) in BASES.iter().filter(|_| digits == "0") {
        if let Some(digits) = unit.strip_prefix(*letter) {
            return Ok((value(digits, *base, expected)?, Unit::None));
        }
    }
    let (_, unit, factor) = if unit.is_empty() {
        ("", Unit::None, 1)
    } else {
        *UNITS.iter().find(|u| u.0 == unit).ok_or_else(|| no_unit(digits, unit))?
    };
    if digits.starts_with('0') && digits[1..].contains(|c| c != '_') {
        return Err(NumberFault::Zeros);
    }
    let value = value(digits, 10, "digits")?.checked_mul(factor);
    value.filter(|value| *value <= 1 << 63).map(|value| (value, unit)).ok_or(NumberFault::Overflow)
}

/// The value of digits of a base, at least one; `_` between them means nothing.
fn value(digits: &str, base: u32, expected: &'static str) -> Result<u64, NumberFault> {
    let mut digits = digits.chars().filter(|c| *c != '_').peekable();
    digits.peek().ok_or(NumberFault::Digits(expected))?;
    digits.try_fold(0_u64, |value, digit| {
        let digit = digit.to_digit(base).ok_or(NumberFault::Digits(expected))?;
        let next = value.checked_mul(u64::from(base)).and_then(|value| value.checked_add(u64::from(digit)));
        next.filter(|value| *value <= 1 << 63).ok_or(NumberFault::Overflow)
    })
}

/// What `unit` is behind such digits: the letter of a base, or of another system of units, or nothing.
fn no_unit(digits: &str, unit: &str) -> NumberFault {
    let is_zero = digits.trim_start_matches(['0', '_']).is_empty();
    let meant = |(letter, base, expected): &(char, u32, &'static str)| {
        let digits = unit.strip_prefix([*letter, letter.to_ascii_uppercase()])?;
        value(digits, *base, expected).ok().map(|_| format!("{letter}{digits}"))
    };
    match BASES.iter().filter(|_| is_zero).find_map(meant) {
        Some(meant) => NumberFault::Base(meant),
        None => NumberFault::Unit(
            FOREIGN_UNITS.iter().find(|(foreign, _)| *foreign == unit).map(|(_, meant)| *meant),
        ),
    }
}

/// Characters without width: byte order marks, spaces and joiners of no width, marks of direction.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{ad}')
}

/// The units, for messages.
pub(super) const UNITS_TEXT: &str = "KiB, MiB, GiB, ms, s, m, h or d";

struct Lexer<'a, 'f> {
    text: &'a str,
    at: usize,
    faults: &'f mut Faults,
    tokens: Tokens,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Goes on while `wanted`; only for ASCII bytes.
    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        let more = self.text.as_bytes()[self.at..].iter().take_while(|b| b.is_ascii() && wanted(**b)).count();
        self.at += more;
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.text.len() - self.at);
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|b| b.is_ascii_whitespace());
            if self.byte(0) != b'#' {
                return;
            }
            self.skip_line();
        }
    }

    /// The next token; `None` if there was only a fault.
    fn token(&mut self) -> Option<Kind> {
        let start = self.at;
        match self.byte(0) {
            0 if self.at == self.text.len() => Some(Kind::End),
            b'0'..=b'9' => Some(self.int()),
            b'"' => Some(self.quoted()),
            b if is_word(b) => {
                self.skip_while(is_word);
                if self.rest().starts_with(|c: char| c.is_alphanumeric()) {
                    return self.foreign_word(start);
                }
                self.check_name(Span::new(start, self.at));
                Some(Kind::Word)
            }
            _ => match SYMBOLS.iter().find(|s| self.rest().starts_with(s.text())) {
                Some(symbol) if !self.rest().starts_with("//") => {
                    self.at += symbol.text().len();
                    Some(Kind::Symbol(*symbol))
                }
                _ => self.foreign(),
            },
        }
    }

    fn check_name(&mut self, span: Span) {
        if span.end - span.start > NAME_MAX {
            let message = format!("a name has at most {NAME_MAX} characters");
            let found = format!("found {} characters", span.end - span.start);
            self.faults.push(Diagnostic::error("name", span, message).label(found));
        }
    }

    fn int(&mut self) -> Kind {
        let start = self.at;
        self.skip_while(|b| b.is_ascii_digit() || b == b'_');
        let unit = self.at;
        if self.is_float() {
            return self.float(start);
        }
        self.skip_while(is_word);
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.at += 1;
            self.skip_while(is_word);
            self.fraction_of_unit(Span::new(start, self.at));
            return Kind::Int(1, Unit::None);
        }
        match number(&self.text[start..unit], &self.text[unit..self.at]) {
            Ok((value, unit)) => Kind::Int(value, unit),
            Err(fault) => {
                self.number_fault(&fault, Span::new(start, self.at), Span::new(unit, self.at));
                Kind::Int(1, Unit::None)
            }
        }
    }

    /// Whether the digits before this place go on as those of a number with a fraction or an exponent.
    fn is_float(&self) -> bool {
        let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
        let has_exponent = matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit();
        has_exponent || self.byte(0) == b'.' && self.byte(1).is_ascii_digit()
    }

    fn float(&mut self, start: usize) -> Kind {
        let digit = |b: u8| b.is_ascii_digit() || b == b'_';
        if self.byte(0) == b'.' {
            self.at += 1;
            self.skip_while(digit);
        }
        let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
        if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit() {
            self.at += 1 + sign;
            self.skip_while(digit);
        }
        let unit = self.at;
        self.skip_while(is_word);
        let span = Span::new(start, self.at);
        let text = &self.text[start..unit];
        let one = Precision::Double.of(1.0);
        if unit < self.at {
            match &self.text[unit..self.at] {
                "e" | "E" => self.no_exponent(span),
                _ => self.fraction_of_unit(span),
            }
            return Kind::Float(one);
        }
        let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
        if has_zeros(whole) {
            let meant = text.trim_start_matches(['0', '_']);
            let zero = if meant.starts_with(|c: char| c.is_ascii_digit()) { "" } else { "0" };
            let fault = Diagnostic::error("number", span, "numbers have no 0 before other digits");
            let fault = fault.label(format!("found `{text}`")).help(format!("did you mean `{zero}{meant}`?"));
            self.faults.push(fault);
            return Kind::Float(one);
        }
        Kind::Float(Precision::Double.parse(text).unwrap_or_else(|| {
            let fault = Diagnostic::error("overflow", span, "this number does not fit into a double");
            self.faults.push(fault.label("a double is at most 1.7976931348623157e308"));
            one
        }))
    }

    fn no_exponent(&mut self, span: Span) {
        let found = &self.text[span.start..span.end];
        let fault = Diagnostic::error("number", span, "this exponent has no digits")
            .label(format!("found `{found}`, expected digits behind it"))
            .help(format!("for example `{found}3`"));
        self.faults.push(fault);
    }

    fn fraction_of_unit(&mut self, span: Span) {
        let found = &self.text[span.start..span.end];
        let fault = Diagnostic::error("number", span, "numbers with a unit are whole")
            .label(format!("found `{found}`, expected an integer"))
            .help("write it in a smaller unit, e.g. `1536MiB` for one and a half GiB");
        self.faults.push(fault);
    }

    fn number_fault(&mut self, fault: &NumberFault, whole: Span, unit: Span) {
        let text = &self.text[whole.start..whole.end];
        let (digits, unit_text) = text.split_at(unit.start - whole.start);
        let diagnostic = match fault {
            NumberFault::Overflow => {
                Diagnostic::error("overflow", whole, "this number does not fit into an int")
                    .label("found more than 9_223_372_036_854_775_807")
            }
            NumberFault::Digits(expected) => {
                Diagnostic::error("number", whole, "these are no digits of such a number")
                    .label(format!("found `{text}`, expected {expected}"))
            }
            NumberFault::Zeros => {
                Diagnostic::error("number", whole, "integers have no 0 before other digits")
                    .label(format!("found `{text}`"))
            }
            NumberFault::Base(_) => {
                Diagnostic::error("number", whole, "`0x`, `0o` and `0b` have one 0 and a small letter")
                    .label(format!("found `{text}`"))
            }
            NumberFault::Unit(_) => {
                Diagnostic::error("unit", unit, format!("there is no unit `{unit_text}`"))
                    .label(format!("found `{unit_text}`, expected {UNITS_TEXT}"))
            }
        };
        self.faults.push(match fault.help("", digits, unit_text) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
    }

    /// A text in quotes; the opening one is at `at`.
    fn quoted(&mut self) -> Kind {
        let start = self.at;
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'\\' => self.escape(&mut bytes),
                b'\n' | b'\r' => {
                    self.unterminated(start);
                    break;
                }
                0 if self.at == self.text.len() => {
                    self.unterminated(start);
                    break;
                }
                0 => {
                    let span = Span::new(self.at, self.at + 1);
                    self.at += 1;
                    self.faults.push(nul_fault(span));
                }
                byte => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
        if bytes.len() > TEXT_MAX {
            let message = "a text in quotes holds at most 4 KiB";
            let fault = Diagnostic::error("too-long", Span::new(start, self.at), message);
            self.faults.push(fault.label(format!("found {} bytes", bytes.len())));
            bytes.clear();
        }
        self.tokens.texts.push(bytes);
        Kind::Text(self.tokens.texts.len() - 1)
    }

    fn unterminated(&mut self, start: usize) {
        let fault = Diagnostic::error("string", Span::new(start, self.at), "this text has no end");
        self.faults.push(
            fault
                .label("found the end of the line, expected `\"`")
                .help("write `\\n` for a new line in a text"),
        );
    }

    /// An escape; the backslash is at `at`.
    fn escape(&mut self, bytes: &mut Vec<u8>) {
        let start = self.at;
        self.at += 1;
        let plain = match self.byte(0) {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'\\' => b'\\',
            b'"' => b'"',
            b'x' => return self.hex_escape(start, bytes),
            b'\n' | b'\r' => return,
            _ => {
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                let span = Span::new(start, self.at);
                let fault = Diagnostic::error("string", span, "there is no such escape in texts");
                let found = format!(
                    "found `{}`, expected `\\n \\t \\r \\\\ \\\"` or `\\xHH`",
                    &self.text[start..self.at]
                );
                return self.faults.push(fault.label(found).help("write `\\\\` for a backslash"));
            }
        };
        self.at += 1;
        bytes.push(plain);
    }

    fn hex_escape(&mut self, start: usize, bytes: &mut Vec<u8>) {
        self.at += 1;
        let digits = self.at;
        while self.at < digits + 2 && self.byte(0).is_ascii_hexdigit() {
            self.at += 1;
        }
        let span = Span::new(start, self.at);
        match u8::from_str_radix(&self.text[digits..self.at], 16) {
            Ok(0) if self.at == digits + 2 => self.faults.push(nul_fault(span)),
            Ok(byte) if self.at == digits + 2 => bytes.push(byte),
            _ => {
                let fault = Diagnostic::error("string", span, "`\\x` needs two hexadecimal digits");
                self.faults.push(fault.label("expected for example `\\xff`"));
            }
        }
    }

    /// Something that means nothing here; gives what was probably meant.
    fn foreign(&mut self) -> Option<Kind> {
        let start = self.at;
        let first = self.rest().chars().next()?;
        self.at += first.len_utf8();
        let (help, meant) = match first {
            ';' => ("statements and declarations need no `;`", None),
            '&' => ("did you mean `&&`?", Some(Kind::Symbol(Symbol::AndAnd))),
            '|' => ("did you mean `||`?", Some(Kind::Symbol(Symbol::OrOr))),
            '/' => {
                self.skip_line();
                ("a comment starts with `#`", None)
            }
            '\'' | '\u{2018}'..='\u{201f}' => {
                self.skip_foreign_quotes(first);
                self.tokens.texts.push(vec![]);
                let text = Kind::Text(self.tokens.texts.len() - 1);
                ("write texts in plain double quotes: `\"…\"`", Some(text))
            }
            '\0' => {
                self.faults.push(nul_fault(Span::new(start, self.at)));
                return None;
            }
            _ if first.is_alphanumeric() => return self.foreign_word(start),
            _ if is_invisible(first) => {
                ("it cannot be seen, and came perhaps with copied text: delete it", None)
            }
            _ => {
                let more = self.rest().chars().take_while(|c| *c == first).count();
                self.at += more * first.len_utf8();
                ("", Some(Kind::Unknown))
            }
        };
        let message = if first == '/' { "this is no comment" } else { "this character means nothing here" };
        let shown = if is_invisible(first) {
            format!("the invisible character U+{:04X}", u32::from(first))
        } else if first.is_control() {
            format!("character {:#04x}", u32::from(first))
        } else {
            format!("`{first}`")
        };
        let span = Span::new(start, self.at);
        let fault = Diagnostic::error("character", span, message).label(format!("found {shown}"));
        self.faults.push(if help.is_empty() { fault } else { fault.help(help) });
        meant
    }

    /// A word with other letters, which begins at `start`.
    fn foreign_word(&mut self, start: usize) -> Option<Kind> {
        let rest = self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_');
        self.at += rest.map(char::len_utf8).sum::<usize>();
        let span = Span::new(start, self.at);
        let fault = Diagnostic::error(
            "character",
            span,
            "names are made of the letters a to z and A to Z, digits and `_`",
        )
        .label(format!("found `{}`", &self.text[start..self.at]))
        .help("texts in quotes may hold anything");
        self.faults.push(fault);
        Some(Kind::Word)
    }

    /// Up to the closing quote, if there is one in this line.
    fn skip_foreign_quotes(&mut self, open: char) {
        let close = if open == '\'' { '\'' } else { '\u{201d}' };
        let line = self.rest().split('\n').next().unwrap_or("");
        if let Some(length) = line.find([close, '"', open]) {
            let end = line[length..].chars().next().map_or(0, char::len_utf8);
            self.at += length + end;
        } else {
            self.at += line.len();
        }
    }
}

fn nul_fault(span: Span) -> Diagnostic {
    Diagnostic::error("character", span, "a NUL byte cannot stand in a source text").label("found NUL")
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
