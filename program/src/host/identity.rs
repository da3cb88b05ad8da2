//! What a run is, so that another request under its identity can be told apart.
//!
//! A run is its program, its arguments, and whether it is a dry run: a dry run under the name of a real one would give the
//! outcome of one for the other. It is not its approval, which only decides whether it may begin, nor whether its calls
//! are shown. Of portals that the client hands in it is the places only: after a lost connection the same objects have
//! other numbers, and the stored outcome is asked for with them.

use crate::digest::Digest;
use crate::protocol::{Argument, RunRequest};

/// A hash of what the run is. A client that makes two collide deceives only itself, so this need not be a hash that is hard
/// to collide; it is on the path of every run, so it must be quick.
/// `program` is the digest of its program.
pub(super) fn digest(program: u64, request: &RunRequest<'_>) -> u64 {
    let mut digest = Digest(u64::from(request.options.dry));
    digest.words([0, program]);
    for argument in &request.arguments {
        match argument {
            Argument::Scalar(n) => digest.words([1, *n as u64]),
            Argument::Text(text) => digest.bytes(2, text),
            Argument::Portal(place) => digest.words([3, u64::from(*place)]),
            Argument::Named(text) => digest.bytes(4, text),
        }
    }
    digest.0
}

/// A hash of a program's bytecode, of the same kind, with a key of the server: two programs that collide would push each other
/// out of the cache.
pub(super) fn of_program(key: u64, bytes: &[u8]) -> u64 {
    let mut digest = Digest(key);
    digest.bytes(0, bytes);
    digest.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{RunId, RunOptions};

    fn digest(request: &RunRequest<'_>) -> u64 {
        let program = request.program.bytes().expect("it is whole");
        super::digest(of_program(0, program), request)
    }

    fn request<'a>(program: &'a [u8], arguments: &[Argument<'a>]) -> RunRequest<'a> {
        let arguments = arguments.to_vec();
        RunRequest {
            id: RunId(1),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments,
            program: program.into(),
        }
    }

    #[test]
    fn approval_and_trace_are_not_what_a_run_is() {
        let run = request(b"program", &[Argument::Scalar(1)]);
        let traced = RunOptions { trace: true, ..RunOptions::default() };
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
        let dry = RunOptions { dry: true, ..RunOptions::default() };
        let others = [
            request(b"program", &[]),
            request(b"programs", &[]),
            request(b"program\0", &[]),
            request(b"program one", &[]),
            request(b"program two", &[]),
            request(b"Program one", &[]),
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
