//! Numbers with a fraction: the interface language's `float` and `double`, as IEEE 754 has them.
//!
//! A word holds the bits of one: of a `float` 32, the upper half of the word being 0, of a `double` all 64. What engines compute
//! with them they compute here, or as here: each result is rounded to the nearest, nothing ends a run, and a result that is no
//! number is always the same one, so that two engines never differ in a bit. A value that came from elsewhere keeps its bits.

use crate::tree::{ArithOp, Rel};

/// How many bits a number has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `float`: 32.
    Single,
    /// `double`: 64.
    Double,
}

/// A number: the same if its bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Float {
    /// How many bits of the word it has.
    pub precision: Precision,
    /// The word.
    pub word: u64,
}

/// What is no number, if something was computed: quiet, without a sign.
const NAN: [u64; 2] = [0x7fc0_0000, 0x7ff8_0000_0000_0000];

/// What follows the digits that a text begins with; `_` between them means nothing.
fn after_digits(text: &str) -> Option<&str> {
    let is_one = text.starts_with(|c: char| c.is_ascii_digit());
    is_one.then(|| text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_'))
}

/// Whether digits have a 0 before others: octal in C, decimal elsewhere.
pub(crate) fn has_zeros(digits: &str) -> bool {
    digits.strip_prefix('0').is_some_and(|rest| rest.contains(|c: char| c.is_ascii_digit()))
}

/// Whether a text is a literal of a program: digits with a point and digits, or an exponent, or both.
fn is_literal(text: &str) -> bool {
    let Some(rest) = after_digits(text) else { return false };
    if rest.is_empty() || has_zeros(&text[..text.len() - rest.len()]) {
        return false;
    }
    let rest = match rest.strip_prefix('.').map(after_digits) {
        None => rest,
        Some(Some(rest)) => rest,
        Some(None) => return false,
    };
    let exponent = rest.strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    exponent.map_or(rest.is_empty(), |exponent| after_digits(exponent) == Some(""))
}

impl Precision {
    /// Both.
    pub const ALL: [Precision; 2] = [Precision::Single, Precision::Double];

    /// The other one.
    #[must_use]
    pub fn other(self) -> Precision {
        match self {
            Precision::Single => Precision::Double,
            Precision::Double => Precision::Single,
        }
    }

    /// The precision of a type of an interface that has so many bits.
    #[must_use]
    pub fn of_bits(bits: u8) -> Precision {
        if bits == 32 { Precision::Single } else { Precision::Double }
    }

    /// Its type's name, in programs as in interfaces.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Precision::Single => "float",
            Precision::Double => "double",
        }
    }

    /// Whether a word can hold such a number.
    #[must_use]
    pub fn holds(self, word: u64) -> bool {
        self == Precision::Double || word <= u64::from(u32::MAX)
    }

    /// What is no number.
    #[must_use]
    pub fn nan(self) -> u64 {
        NAN[self as usize]
    }

    /// The nearest such number.
    #[must_use]
    pub fn of(self, value: f64) -> Float {
        let word = match self {
            _ if value.is_nan() => self.nan(),
            Precision::Single => u64::from((value as f32).to_bits()),
            Precision::Double => value.to_bits(),
        };
        Float { precision: self, word }
    }

    /// The number nearest to an integer.
    #[must_use]
    pub fn of_int(self, value: i64) -> Float {
        let word = match self {
            Precision::Single => u64::from((value as f32).to_bits()),
            Precision::Double => (value as f64).to_bits(),
        };
        Float { precision: self, word }
    }

    /// As [`Precision::parse`], also of digits alone: where a type is known, they need no point.
    #[must_use]
    pub fn written(self, text: &str) -> Option<Float> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if after_digits(digits) == Some("") { self.parse(&format!("{text}.0")) } else { self.parse(text) }
    }

    /// The number that is nearest to what a text writes: a literal of programs, perhaps with `-` before it, `inf`, `-inf` or `NaN`.
    #[must_use]
    pub fn parse(self, text: &str) -> Option<Float> {
        let is_number = is_literal(text.strip_prefix('-').unwrap_or(text));
        if !is_number && !matches!(text, "inf" | "-inf" | "NaN") {
            return None;
        }
        let plain = text.replace('_', "");
        let word = match self {
            Precision::Single => u64::from(plain.parse::<f32>().ok()?.to_bits()),
            Precision::Double => plain.parse::<f64>().ok()?.to_bits(),
        };
        let float = Float { precision: self, word };
        // Too many digits are no infinity.
        (!is_number || float.value().is_finite()).then_some(float)
    }
}

impl Float {
    /// What it is worth.
    #[must_use]
    pub fn value(self) -> f64 {
        match self.precision {
            Precision::Single => f64::from(f32::from_bits(self.word as u32)),
            Precision::Double => f64::from_bits(self.word),
        }
    }

    /// In the other precision, rounded to the nearest.
    #[must_use]
    pub fn to(self, precision: Precision) -> Float {
        if precision == self.precision { self } else { precision.of(self.value()) }
    }

    /// With the other sign, as if by a multiplication.
    #[must_use]
    pub fn negated(self) -> Float {
        self.arith(ArithOp::Mul, self.precision.of(-1.0))
    }

    /// Arithmetic; there is no remainder.
    #[must_use]
    pub fn arith(self, op: ArithOp, other: Float) -> Float {
        let precision = self.precision;
        let word = match precision {
            Precision::Single => {
                let (a, b) = (f32::from_bits(self.word as u32), f32::from_bits(other.word as u32));
                let value = match op {
                    ArithOp::Add => a + b,
                    ArithOp::Sub => a - b,
                    ArithOp::Mul => a * b,
                    ArithOp::Div => a / b,
                    ArithOp::Rem => f32::NAN,
                };
                if value.is_nan() { precision.nan() } else { value.to_bits().into() }
            }
            Precision::Double => {
                let (a, b) = (f64::from_bits(self.word), f64::from_bits(other.word));
                let value = match op {
                    ArithOp::Add => a + b,
                    ArithOp::Sub => a - b,
                    ArithOp::Mul => a * b,
                    ArithOp::Div => a / b,
                    ArithOp::Rem => f64::NAN,
                };
                if value.is_nan() { precision.nan() } else { value.to_bits() }
            }
        };
        Float { precision, word }
    }

    /// Whether a relation holds: of what is no number only `!=` does, and the two zeros are equal.
    #[must_use]
    pub fn compares(self, rel: Rel, other: Float) -> bool {
        match self.value().partial_cmp(&other.value()) {
            Some(order) => rel.holds(order),
            None => rel == Rel::Ne,
        }
    }
}

/// The shortest text that is this number and no other of its precision: `0.1`, `-2.0`, `1e100`, `inf`, `NaN`.
impl std::fmt::Display for Float {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.precision {
            Precision::Single => write!(f, "{:?}", f32::from_bits(self.word as u32)),
            Precision::Double => write!(f, "{:?}", f64::from_bits(self.word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Float {
        Precision::Double.of(value)
    }

    #[test]
    fn texts_are_the_numbers_that_they_came_from() {
        for (precision, text) in [
            (Precision::Double, "0.1"),
            (Precision::Single, "0.1"),
            (Precision::Double, "-0.0"),
            (Precision::Double, "1e100"),
            (Precision::Double, "5e-324"),
            (Precision::Single, "3.4028235e38"),
            (Precision::Single, "1e-45"),
            (Precision::Double, "inf"),
            (Precision::Single, "-inf"),
            (Precision::Double, "NaN"),
        ] {
            assert_eq!(precision.parse(text).expect(text).to_string(), text);
        }
        assert_eq!(Precision::Double.parse("2_000.50").expect("a number").to_string(), "2000.5");
        // A double's nearest text is a float's nearest text only by chance: each is read as what it is.
        assert_ne!(Precision::Single.parse("0.1").map(Float::value), Some(0.1));
        for text in ["", "1", "-", ".5", "1.5x", "1e999", "infinity", "nan", "0x1.8", "+1.0", "1.5 "] {
            assert_eq!(Precision::Double.parse(text), None, "{text}");
        }
        // Arguments are literals, or digits alone.
        for text in [
            "0644", "-0644", "0644.5", "00.5", "0_1.5", "0644e1", "1.", "1__.", "1_._5", "1._5", "1.e5",
            "1.5e", "1e_5", "1e+", "1.5.5", "_1",
        ] {
            assert_eq!(Precision::Double.written(text), None, "{text}");
        }
        for (text, shown) in [
            ("0", "0.0"),
            ("-0", "-0.0"),
            ("1_000", "1000.0"),
            ("0.5", "0.5"),
            ("0e5", "0.0"),
            ("1_.5_e0_1", "15.0"),
        ] {
            assert_eq!(Precision::Double.written(text).expect(text).to_string(), shown);
        }
        // Rounded once, not to a double before.
        let near = "1.00000017881393432617187499";
        let [once, twice] = [
            Precision::Single.parse(near),
            Precision::Double.parse(near).map(|near| near.to(Precision::Single)),
        ];
        assert_eq!(once.map(|near| near.to_string()).as_deref(), Some("1.0000001"));
        assert_ne!(once, twice);
    }

    #[test]
    fn nothing_ends_a_run_and_what_is_no_number_is_one() {
        let zero = double(0.0);
        assert_eq!(double(1.0).arith(ArithOp::Div, zero).value(), f64::INFINITY);
        let signed = Float { precision: Precision::Double, word: 0xfff8_0000_0000_0001 };
        for nan in [zero.arith(ArithOp::Div, zero), signed.arith(ArithOp::Add, zero), signed.negated()] {
            assert_eq!(nan.word, Precision::Double.nan());
        }
        assert_eq!(double(0.0).negated().to_string(), "-0.0");
        assert_eq!(Precision::Single.of_int(16_777_217).to_string(), "16777216.0");
        assert_eq!(signed.to(Precision::Single).word, Precision::Single.nan());
    }

    #[test]
    fn relations_are_those_of_ieee_754() {
        let (nan, one) = (double(f64::NAN), double(1.0));
        for rel in [Rel::Eq, Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge] {
            assert!(!nan.compares(rel, one) && !one.compares(rel, nan) && !nan.compares(rel, nan));
        }
        assert!(nan.compares(Rel::Ne, nan) && double(0.0).compares(Rel::Eq, double(-0.0)));
        assert!(one.compares(Rel::Lt, double(1.5)) && one.compares(Rel::Ge, one));
    }
}
