//! What a run is, so that another request under its identity can be told apart.
//!
//! A run is its program, its arguments, and whether it is a dry run: a dry run under the name of a real one would give the
//! outcome of one for the other. It is not its approval, which only decides whether it may begin, nor whether its calls
//! are shown. Of portals that the client hands in it is the places only: after a lost connection the same objects have
//! other numbers, and the stored outcome is asked for with them.

use crate::protocol::{Argument, RunRequest};

/// A hash of what the run is. A client that makes two collide deceives only itself, so this need not be a hash that is hard
/// to collide; it is on the path of every run, so it must be quick.
pub(super) fn digest(request: &RunRequest<'_>) -> u64 {
    let mut digest = Digest(u64::from(request.options.dry));
    digest.bytes(request.program);
    for argument in &request.arguments {
        match argument {
            Argument::Scalar(n) => digest.words([0, *n as u64]),
            Argument::Text(text) => {
                digest.words([1]);
                digest.bytes(text);
            }
            Argument::Portal(place) => digest.words([2, u64::from(*place)]),
            Argument::Named(text) => {
                digest.words([3]);
                digest.bytes(text);
            }
        }
    }
    digest.0
}

struct Digest(u64);

impl Digest {
    fn words<const N: usize>(&mut self, words: [u64; N]) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        for word in words {
            let product = u128::from(self.0 ^ word) * u128::from(ODD);
            self.0 = product as u64 ^ (product >> 64) as u64;
        }
    }

    /// With their number, so that what follows is not taken for a part of them.
    fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        self.words([bytes.len() as u64]);
        words.iter().for_each(|word| self.words([u64::from_le_bytes(*word)]));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.words([u64::from_le_bytes(last)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{RunId, RunOptions};

    fn request<'a>(program: &'a [u8], arguments: &[Argument<'a>]) -> RunRequest<'a> {
        let arguments = arguments.to_vec();
        RunRequest { id: RunId(1), options: RunOptions::default(), approval: "", arguments, program }
    }

    #[test]
    fn approval_and_trace_are_not_what_a_run_is() {
        let run = request(b"program", &[Argument::Scalar(1)]);
        let traced = RunOptions { dry: false, trace: true };
        for approval in ["", "0123", "01234567"] {
            for options in [run.options, traced] {
                let same = RunRequest { approval, options, ..run.clone() };
                assert_eq!(digest(&same), digest(&run));
            }
        }
    }

    #[test]
    fn other_programs_arguments_and_dry_runs_are_other_runs() {
        use Argument::{Named, Portal, Scalar, Text};
        let dry = RunOptions { dry: true, trace: false };
        let others = [
            request(b"program", &[]),
            request(b"programs", &[]),
            request(b"program\0", &[]),
            request(b"program", &[Scalar(0)]),
            request(b"program", &[Scalar(1)]),
            request(b"program", &[Scalar(0), Scalar(1)]),
            request(b"program", &[Scalar(1), Scalar(0)]),
            request(b"program", &[Portal(0)]),
            request(b"program", &[Portal(1)]),
            request(b"program", &[Text(b"")]),
            request(b"program", &[Text(b"a"), Text(b"b")]),
            request(b"program", &[Text(b"ab"), Text(b"")]),
            request(b"program", &[Named(b"a"), Named(b"b")]),
            RunRequest { options: dry, ..request(b"program", &[]) },
        ];
        let digests: std::collections::BTreeSet<u64> = others.iter().map(digest).collect();
        assert_eq!(digests.len(), others.len());
    }
}
