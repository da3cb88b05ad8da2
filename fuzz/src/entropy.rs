//! Where choices come from: a seed, or the bytes of a fuzzer.

use carnet_program::float::{Float, Precision};

/// A source of choices. One made of bytes gives zeros when they are used up, so that small inputs are simple.
#[derive(Clone, Debug)]
pub struct Entropy<'a> {
    state: u64,
    bytes: Option<&'a [u8]>,
}

impl<'a> Entropy<'a> {
    /// From a seed.
    #[must_use]
    pub fn of_seed(seed: u64) -> Entropy<'a> {
        Entropy { state: seed, bytes: None }
    }

    /// From bytes.
    #[must_use]
    pub fn of_bytes(bytes: &'a [u8]) -> Entropy<'a> {
        Entropy { state: 0, bytes: Some(bytes) }
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        let Some(bytes) = &mut self.bytes else {
            self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            return mixed(self.state);
        };
        let (head, rest) = bytes.split_at(bytes.len().min(2));
        *bytes = rest;
        head.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }

    /// A number below `n`; 0 if `n` is.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// Whether an event of one in `n` happens.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of `of`.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }

    /// A float, and often one of those that are unlike others.
    pub fn float(&mut self, precision: Precision) -> Float {
        let word = match self.below(12) {
            0 => return precision.of(f64::INFINITY),
            1 => return precision.of(f64::NEG_INFINITY),
            2 => precision.nan(),
            // Others that are no numbers, too.
            3 => self.int().cast_unsigned(),
            4 => return precision.of(-0.0),
            5 => return precision.of(f64::MIN_POSITIVE),
            k if k < 9 => return precision.of(self.int() as f64 / 7.0),
            _ => return precision.of(self.below(6) as f64 / 2.0),
        };
        let word = if precision.holds(word) { word } else { word >> 32 };
        Float { precision, word }
    }

    /// An integer: mostly small, sometimes one at an edge.
    pub fn int(&mut self) -> i64 {
        match self.below(24) {
            0 => i64::MAX,
            1 => i64::MIN,
            2 => i64::from(i32::MAX) + 1,
            3 => -1,
            4 => 1 << self.below(63),
            k if k < 10 => self.below(100) as i64,
            _ => self.below(6) as i64,
        }
    }

    /// A text of at most `max` bytes without NUL: mostly short.
    pub fn text(&mut self, max: usize) -> Vec<u8> {
        let len = match self.below(24) {
            0 => max.min(5000),
            1 | 2 => max.min(200) / 2,
            _ => self.below(max.min(6) + 1),
        };
        (0..len).map(|_| b"abcdab/.\xff"[self.below(9)]).collect()
    }
}

/// The bits of `n`, well mixed (the finalizer of SplitMix64).
#[must_use]
pub fn mixed(n: u64) -> u64 {
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}
