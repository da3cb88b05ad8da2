//! Applets: what reads, verifies and runs them in a network interface.

use carnet_applet::{Alone, Applet, Memory, Stop};
use carnet_classes::{descriptor, read};

use super::assemble::assemble;
use super::mutants;
use crate::entropy::Entropy;

/// Words and bytes that an applet has here, and instructions of each call.
const WORDS: usize = 1024;
const BYTES: usize = 4 << 10;
const INSTRUCTIONS: u64 = 5_000;

/// An applet that is right.
///
/// # Panics
/// If its text is wrong.
#[must_use]
pub fn assembled() -> Vec<u8> {
    assemble(include_str!("applet.class.txt")).expect("the text of the applet is right")
}

/// A changed applet is refused, or runs within its memory.
///
/// # Panics
/// If a promise is broken.
pub fn check_applet(entropy: &mut Entropy<'_>) -> bool {
    check_bytes(&mutants::mutant(&assembled(), entropy))
}

/// The same of any bytes.
///
/// # Panics
/// If a promise is broken.
pub fn check_bytes(bytes: &[u8]) -> bool {
    let (mut words, mut arrays) = (vec![0; WORDS], vec![0; BYTES]);
    let memory = Memory { words: &mut words, bytes: &mut arrays };
    let Ok(mut applet) = Applet::load(bytes, memory, &Alone) else { return false };
    applet.instructions = INSTRUCTIONS;
    // What an applet does not come to use may be wrong, and only the other reader sees it.
    let Ok(class) = read(bytes) else { return true };
    for method in &class.methods {
        let takes =
            descriptor::method(method.descriptor(&class.pool)).map_or(0, |shape| shape.parameters.len());
        for argument in [0, 1, -1, 40] {
            let came = applet.call(method.name(&class.pool), &vec![argument; takes], &mut Alone);
            let why = came.err().map(|stopped| stopped.why);
            assert!(why != Some(Stop::Unverified), "what is accepted can be run");
        }
    }
    true
}
