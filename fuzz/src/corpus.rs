//! What a fuzzer may begin with, for each of the targets in `targets/`: from nothing it hardly finds the way past a
//! header or a keyword.

use crate::entropy::{Entropy, mixed};
use crate::probe::module;
use crate::{classes, frames, kernel, mirror, program, texts};

/// Inputs made for each target that takes more than one.
const EACH: u64 = 40;
/// Longest program that is worth beginning with: a fuzzer changes short inputs sooner in a place that matters.
const BYTECODE_MAX: usize = 6_000;

/// The target's name and an input, for all targets.
#[must_use]
pub fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let mut inputs = vec![
        ("interfaces", texts::interface_example().as_bytes().to_vec()),
        ("programs", texts::example().as_bytes().to_vec()),
    ];
    inputs.push(("applets", classes::applet::assembled()));
    inputs.extend(kernel::programs().iter().map(|program| ("kernel", program.encode())));
    inputs.extend(classes::files().map(|bytes| ("classes", bytes)));
    for seed in 0..EACH {
        let mut entropy = Entropy::of_seed(mixed(seed));
        let tree = program::program(module(), &mut entropy);
        let bytecode = carnet_program::compile::compile(&tree).ok().map(|program| program.encode());
        let short = bytecode.filter(|bytes| bytes.len() <= BYTECODE_MAX);
        inputs.extend(short.map(|bytes| ("bytecode", bytes)));
        inputs.push(("encoded-trees", tree.encode()));
        inputs.push(("messages", frames::session(&mut entropy)));
        inputs.push(("stubs", mirror::request_bytes(&mut entropy)));
        inputs.push(("stubs", mirror::reply_bytes(&mut entropy)));
        inputs.push(("translator", (0..600).map(|_| entropy.bits() as u8).collect()));
        inputs.push(("linux", (0..600).map(|_| entropy.bits() as u8).collect()));
        inputs.push(("trees", (0..600).map(|_| entropy.bits() as u8).collect()));
    }
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets;

    #[test]
    fn every_target_has_inputs_that_get_past_its_front_door() {
        let all = inputs();
        let of =
            |name: &str| all.iter().filter(|(n, _)| *n == name).map(|(_, bytes)| bytes).collect::<Vec<_>>();
        let text = |name| of(name).iter().all(|bytes| std::str::from_utf8(bytes).is_ok());
        assert!(text("interfaces") && text("programs"));
        let registry = crate::probe::registry();
        assert!(of("bytecode").iter().all(|bytes| carnet_program::verify::load(bytes, registry).is_ok()));
        assert!(of("classes").into_iter().all(|bytes| crate::classes::check_bytes(bytes)));
        assert!(of("applets").into_iter().all(|bytes| crate::classes::applet::check_bytes(bytes)));
        type Target = (&'static str, fn(&[u8]));
        let targets: [Target; 11] = [
            ("kernel", targets::kernel_bytes),
            ("translator", targets::translator_bytes),
            ("classes", targets::class_bytes),
            ("applets", targets::applet_bytes),
            ("interfaces", targets::interface_bytes),
            ("programs", targets::program_bytes),
            ("bytecode", targets::bytecode_bytes),
            ("messages", targets::message_bytes),
            ("stubs", targets::stub_bytes),
            ("trees", targets::tree_bytes),
            ("encoded-trees", targets::encoded_tree_bytes),
        ];
        assert!(
            !of("linux").is_empty(),
            "its processes are another program's: tests/run.rs has what it does"
        );
        for (name, target) in targets {
            assert!(!of(name).is_empty(), "nothing to begin with for {name}");
            of(name).into_iter().for_each(|bytes| target(bytes));
        }
    }
}
