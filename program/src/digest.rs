//! A quick hash of some bytes. Whoever does not know its key cannot choose bytes that collide; who does can.

/// Takes in words and bytes; the number is its state, from a key on.
pub(crate) struct Digest(pub(crate) u64);

impl Digest {
    /// Two words at a time, because each multiplication waits for the one before.
    pub(crate) fn words(&mut self, words: [u64; 2]) {
        const ODD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        let other = self.0.rotate_left(32);
        let product = u128::from(self.0 ^ words[0] ^ ODD[0]) * u128::from(other ^ words[1] ^ ODD[1]);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn pair(&mut self, pair: [u8; 16]) {
        let both = u128::from_le_bytes(pair);
        self.words([both as u64, (both >> 64) as u64]);
    }

    /// What they are, and their number, so that what follows is not taken for a part of them.
    pub(crate) fn bytes(&mut self, what: u64, bytes: &[u8]) {
        self.words([what, bytes.len() as u64]);
        let (pairs, rest) = bytes.as_chunks::<16>();
        pairs.iter().for_each(|pair| self.pair(*pair));
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        self.pair(last);
    }
}
