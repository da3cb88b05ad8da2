//! `StrictMath` as it is specified: the results of fdlibm, bit for bit and the same on every machine.
//!
//! Most are those of the crate `libm`, which has them from fdlibm by way of FreeBSD and musl. Those that changed on the way are here, but
//! for sine and cosine of numbers beyond 2^19 times π/2, whose last bit may differ.

use super::{Outcome, Rows};

macro_rules! of_one {
    ($name:literal, $function:expr) => {
        ($name, "(D)D", |call| Ok(Outcome::Double($function(call.double(0)))))
    };
}

pub(super) const NATIVES: &[(&str, Rows)] = &[("java/lang/StrictMath", STRICT), ("java/lang/Math", FAST)];

const STRICT: Rows = &[
    of_one!("sin", sin),
    of_one!("cos", cos),
    of_one!("tan", libm::tan),
    of_one!("asin", libm::asin),
    of_one!("acos", libm::acos),
    of_one!("atan", libm::atan),
    of_one!("log", log),
    of_one!("log10", log10),
    of_one!("sqrt", f64::sqrt),
    of_one!("sinh", sinh),
    of_one!("cosh", cosh),
    of_one!("tanh", tanh),
    of_one!("expm1", libm::expm1),
    of_one!("log1p", libm::log1p),
    ("IEEEremainder", "(DD)D", |call| Ok(Outcome::Double(remainder(call.double(0), call.double(2))))),
    ("atan2", "(DD)D", |call| Ok(Outcome::Double(atan2(call.double(0), call.double(2))))),
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

/// What a step of a division takes, as bytes that are read.
const STEP: usize = 4;
/// 22
const FAR: u32 = 0x4036_0000;
/// About 709.78, where `exp` overflows.
const EXP_END: u32 = 0x4086_2e42;
/// About 710.48, where half of it does.
const HALF_END: u64 = 0x4086_33ce_8fb9_f87d;

/// The sum of `coefficients[k] * z^k`, from the last one on.
fn polynomial(z: f64, coefficients: &[u64]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, bits| f64::from_bits(*bits) + z * sum)
}

/// `value` as a normal number, times a power of 2 that is told; or its logarithm, if that is none or has no end.
fn argument_of_log(value: f64) -> Result<(f64, i32), f64> {
    if value == 0.0 {
        Err(f64::NEG_INFINITY)
    } else if value < 0.0 {
        Err(f64::NAN)
    } else if !value.is_finite() {
        Err(value)
    } else if value < f64::MIN_POSITIVE {
        Ok((value * (1_u64 << 54) as f64, -54))
    } else {
        Ok((value, 0))
    }
}

fn log(value: f64) -> f64 {
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const EVEN: [u64; 3] = [0x3fd9_9999_9997_fa04, 0x3fcc_71c5_1d8e_78af, 0x3fc3_9a09_d078_c69f];
    const ODD: [u64; 4] =
        [0x3fe5_5555_5555_5593, 0x3fd2_4924_9422_9359, 0x3fc7_4664_96cb_03de, 0x3fc2_f112_df3e_5244];
    let (scaled, shift) = match argument_of_log(value) {
        Ok(argument) => argument,
        Err(result) => return result,
    };
    let high = (scaled.to_bits() >> 32) as i32;
    let fraction = high & 0xf_ffff;
    // What is above the root of 2 counts as below 1, of the next power.
    let above = (fraction + 0x9_5f64) & 0x10_0000;
    let power = f64::from(shift + (high >> 20) - 1023 + (above >> 20));
    let mantissa =
        u64::from((fraction | (above ^ 0x3ff0_0000)) as u32) << 32 | scaled.to_bits() & 0xffff_ffff;
    let f = f64::from_bits(mantissa) - 1.0;
    if 0xf_ffff & (2 + fraction) < 3 {
        if f == 0.0 {
            return if power == 0.0 { 0.0 } else { power * LN2_HIGH + power * LN2_LOW };
        }
        let rest = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return if power == 0.0 { f - rest } else { power * LN2_HIGH - ((rest - power * LN2_LOW) - f) };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let rest = z * polynomial(w, &ODD) + w * polynomial(w, &EVEN);
    if (fraction - 0x6_147a) | (0x6_b851 - fraction) > 0 {
        let half = 0.5 * f * f;
        if power == 0.0 {
            return f - (half - s * (half + rest));
        }
        return power * LN2_HIGH - ((half - (s * (half + rest) + power * LN2_LOW)) - f);
    }
    if power == 0.0 {
        return f - s * (f - rest);
    }
    power * LN2_HIGH - ((s * (f - rest) - power * LN2_LOW) - f)
}

/// Beyond this, about 2^19 times π/2, sine and cosine are those of `libm`.
const NEAR: u32 = 0x4139_21fb;

fn sin(value: f64) -> f64 {
    if high(value) > NEAR {
        return libm::sin(value);
    }
    let (quarters, rest, tail) = reduced(value);
    match quarters & 3 {
        0 => sin_near(rest, tail),
        1 => cos_near(rest, tail),
        2 => -sin_near(rest, tail),
        _ => -cos_near(rest, tail),
    }
}

fn cos(value: f64) -> f64 {
    if high(value) > NEAR {
        return libm::cos(value);
    }
    let (quarters, rest, tail) = reduced(value);
    match quarters & 3 {
        0 => cos_near(rest, tail),
        1 => -sin_near(rest, tail),
        2 => -cos_near(rest, tail),
        _ => sin_near(rest, tail),
    }
}

/// A number as so many times π/2, and a rest in two parts; none if it is below π/4 already.
fn reduced(value: f64) -> (i32, f64, Option<f64>) {
    /// π/2 in four parts, and of the first three what lies behind each.
    const PARTS: [(u64, u64); 3] = [
        (0x3ff9_21fb_5440_0000, 0x3dd0_b461_1a62_6331),
        (0x3dd0_b461_1a60_0000, 0x3ba3_198a_2e03_7073),
        (0x3ba3_198a_2e00_0000, 0x397b_839a_2520_49c1),
    ];
    let part = |at: usize| (f64::from_bits(PARTS[at].0), f64::from_bits(PARTS[at].1));
    let place = high(value);
    if place <= 0x3fe9_21fb {
        return (0, value, None);
    }
    let abs = value.abs();
    let (first, behind) = part(0);
    let (quarters, rest, tail) = if place < 0x4002_d97c {
        let (rest, behind) = match place {
            0x3ff9_21fb => (abs - first - part(1).0, part(1).1),
            _ => (abs - first, behind),
        };
        let near = rest - behind;
        (1, near, (rest - near) - behind)
    } else {
        let quarters = (abs * std::f64::consts::FRAC_2_PI + 0.5) as i32;
        let count = f64::from(quarters);
        let (mut rest, mut behind) = (abs - count * first, count * behind);
        let mut near = rest - behind;
        if quarters >= 32 || place == high(count * std::f64::consts::FRAC_PI_2) {
            // How many bits were cancelled.
            for (at, bits) in [(1, 16), (2, 49)] {
                if (place >> 20) as i32 - (high(near) >> 20) as i32 <= bits {
                    break;
                }
                let before = rest;
                let (more, last) = part(at);
                behind = count * more;
                rest = before - behind;
                behind = count * last - ((before - rest) - behind);
                near = rest - behind;
            }
        }
        (quarters, near, (rest - near) - behind)
    };
    if value < 0.0 { (-quarters, -rest, Some(-tail)) } else { (quarters, rest, Some(tail)) }
}

fn sin_near(x: f64, tail: Option<f64>) -> f64 {
    const FIRST: f64 = f64::from_bits(0xbfc5_5555_5555_5549);
    const REST: [u64; 5] = [
        0x3f81_1111_1110_f8a6,
        0xbf2a_01a0_19c1_61d5,
        0x3ec7_1de3_57b1_fe7d,
        0xbe5a_e5e6_8a2b_9ceb,
        0x3de5_d93a_5acf_d57c,
    ];
    if high(x) < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = polynomial(z, &REST);
    match tail {
        None => x + v * (FIRST + z * r),
        Some(tail) => x - ((z * (0.5 * tail - v * r) - tail) - v * FIRST),
    }
}

fn cos_near(x: f64, tail: Option<f64>) -> f64 {
    const ALL: [u64; 6] = [
        0x3fa5_5555_5555_554c,
        0xbf56_c16c_16c1_5177,
        0x3efa_01a0_19cb_1590,
        0xbe92_7e4f_809c_52ad,
        0x3e21_ee9e_bdb4_b1c4,
        0xbda8_fae9_be88_38d4,
    ];
    let place = high(x);
    if place < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * polynomial(z, &ALL);
    let low = z * r - x * tail.unwrap_or(0.0);
    if place < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - low);
    }
    let q = if place > 0x3fe9_0000 { 0.281_25 } else { f64::from_bits(u64::from(place - 0x20_0000) << 32) };
    (1.0 - q) - ((0.5 * z - q) - low)
}

fn atan2(y: f64, x: f64) -> f64 {
    /// What of π is behind a double's last bit.
    const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
    let steeper = (high(y) as i32 - high(x) as i32) >> 20;
    if y.is_finite() && x < 0.0 && steeper > 60 {
        return (std::f64::consts::PI - (std::f64::consts::FRAC_PI_2 - PI_LOW)).copysign(y);
    }
    libm::atan2(y, x)
}

fn log10(value: f64) -> f64 {
    // The logarithm of 2, in two parts.
    const HIGH: f64 = 0.301_029_995_663_611_77;
    const LOW: f64 = 3.694_239_077_158_931e-13;
    let (scaled, shift) = match argument_of_log(value) {
        Ok(argument) => argument,
        Err(result) => return result,
    };
    let bits = scaled.to_bits();
    let power = shift + (bits >> 52) as i32 - 1023;
    let below = i32::from(power < 0);
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | ((1023 - below) as u64) << 52);
    let whole = f64::from(power + below);
    let rest = whole * LOW + std::f64::consts::LOG10_E * log(mantissa);
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
    // As many steps as there are binary digits between them.
    crate::account::read(STEP * (high(value).saturating_sub(high(by)) >> 20) as usize);
    libm::remainder(value, by)
}
