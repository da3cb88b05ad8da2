//! `StrictMath` as it is specified: the results of fdlibm, bit for bit and the same on every machine.
//!
//! Most are those of the crate `libm`, which has them from fdlibm by way of FreeBSD and musl. Those that changed on the way are here.

use super::{Outcome, Rows};

macro_rules! of_one {
    ($name:literal, $function:expr) => {
        ($name, "(D)D", |call| Ok(Outcome::Double($function(call.double(0)))))
    };
}

pub(super) const NATIVES: &[(&str, Rows)] = &[("java/lang/StrictMath", STRICT), ("java/lang/Math", FAST)];

const STRICT: Rows = &[
    of_one!("sin", libm::sin),
    of_one!("cos", libm::cos),
    of_one!("tan", libm::tan),
    of_one!("asin", libm::asin),
    of_one!("acos", libm::acos),
    of_one!("atan", libm::atan),
    of_one!("log", libm::log),
    of_one!("log10", log10),
    of_one!("sqrt", f64::sqrt),
    of_one!("sinh", sinh),
    of_one!("cosh", cosh),
    of_one!("tanh", tanh),
    of_one!("expm1", libm::expm1),
    of_one!("log1p", libm::log1p),
    ("IEEEremainder", "", |call| Ok(Outcome::Double(remainder(call.double(0), call.double(2))))),
    ("atan2", "", |call| Ok(Outcome::Double(libm::atan2(call.double(0), call.double(2))))),
];

/// Of `Math`, those that are quicker and the same bit for bit.
const FAST: Rows = &[
    of_one!("sqrt", f64::sqrt),
    of_one!("floor", f64::floor),
    of_one!("ceil", f64::ceil),
    ("fma", "(DDD)D", |call| Ok(Outcome::Double(call.double(0).mul_add(call.double(2), call.double(4))))),
    ("fma", "(FFF)F", |call| Ok(Outcome::Float(call.float(0).mul_add(call.float(1), call.float(2))))),
];

/// The upper half of a number without its sign: what fdlibm compares.
fn high(value: f64) -> u32 {
    (value.abs().to_bits() >> 32) as u32
}

/// 22
const FAR: u32 = 0x4036_0000;
/// About 709.78, where `exp` overflows.
const EXP_END: u32 = 0x4086_2e42;
/// About 710.48, where half of it does.
const HALF_END: u64 = 0x4086_33ce_8fb9_f87d;

fn log10(value: f64) -> f64 {
    // The logarithm of 2, in two parts.
    const HIGH: f64 = 0.301_029_995_663_611_77;
    const LOW: f64 = 3.694_239_077_158_931e-13;
    if value == 0.0 {
        return f64::NEG_INFINITY;
    }
    if value < 0.0 {
        return f64::NAN;
    }
    if !value.is_finite() {
        return value;
    }
    let (scaled, shift) =
        if value < f64::MIN_POSITIVE { (value * (1_u64 << 54) as f64, -54) } else { (value, 0) };
    let bits = scaled.to_bits();
    let power = shift + (bits >> 52) as i32 - 1023;
    let below = i32::from(power < 0);
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | ((1023 - below) as u64) << 52);
    let whole = f64::from(power + below);
    let rest = whole * LOW + std::f64::consts::LOG10_E * libm::log(mantissa);
    rest + whole * HIGH
}

fn sinh(value: f64) -> f64 {
    if !value.is_finite() {
        return value;
    }
    let (high, abs) = (high(value), value.abs());
    let half = 0.5_f64.copysign(value);
    if high < FAR {
        if high < 0x3e30_0000 {
            return value;
        }
        let more = libm::expm1(abs);
        if high < 0x3ff0_0000 {
            return half * (2.0 * more - more * more / (more + 1.0));
        }
        return half * (more + more / (more + 1.0));
    }
    if high < EXP_END {
        return half * libm::exp(abs);
    }
    if abs.to_bits() <= HALF_END {
        let root = libm::exp(0.5 * abs);
        return half * root * root;
    }
    f64::INFINITY.copysign(value)
}

fn cosh(value: f64) -> f64 {
    if !value.is_finite() {
        return value * value;
    }
    let (high, abs) = (high(value), value.abs());
    if high < 0x3fd6_2e43 {
        let more = libm::expm1(abs);
        let one = 1.0 + more;
        return if high < 0x3c80_0000 { one } else { 1.0 + more * more / (one + one) };
    }
    if high < FAR {
        let power = libm::exp(abs);
        return 0.5 * power + 0.5 / power;
    }
    if high < EXP_END {
        return 0.5 * libm::exp(abs);
    }
    if abs.to_bits() <= HALF_END {
        let root = libm::exp(0.5 * abs);
        return 0.5 * root * root;
    }
    f64::INFINITY
}

fn tanh(value: f64) -> f64 {
    if value.is_nan() {
        return value;
    }
    let (high, abs) = (high(value), value.abs());
    if high < 0x3c80_0000 {
        return value * (1.0 + value);
    }
    let result = if high >= FAR {
        1.0
    } else if high >= 0x3ff0_0000 {
        1.0 - 2.0 / (libm::expm1(2.0 * abs) + 2.0)
    } else {
        let less = libm::expm1(-2.0 * abs);
        -less / (less + 2.0)
    };
    result.copysign(value)
}

fn remainder(value: f64, by: f64) -> f64 {
    if value.is_nan() || by.is_nan() || value.is_infinite() || by == 0.0 {
        return f64::NAN;
    }
    libm::remainder(value, by)
}
