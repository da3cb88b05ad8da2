//! Runs class files that nobody has looked at: each static method, with simple arguments, under limits, while every object moves.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_runtime::class::{ClassId, Kind, Method};
use carnet_runtime::domain::{CallError, Collecting, Domain, Ended, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

use super::mutants;
use super::seeds::Seed;
use crate::entropy::Entropy;

/// What came of some calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// They returned.
    pub returned: usize,
    /// They threw.
    pub thrown: usize,
    /// They were ended at a limit.
    pub ended: usize,
    /// Their class was refused.
    pub refused: usize,
}

/// A universe of the JDK and some places, `None` without a JDK.
fn universe(places: &[PathBuf]) -> Option<Arc<Universe>> {
    let library = Library::open(Some(&installed_jdk()?), places).expect("the JDK opens");
    Some(Universe::new(library).expect("core classes"))
}

fn argument(kind: Kind, descriptor: &[u8], entropy: &mut Entropy<'_>) -> Value {
    match kind {
        Kind::Long => Value::Long(entropy.int()),
        Kind::Float => Value::Float(entropy.int() as f32 / 3.0),
        Kind::Double => Value::Double(entropy.int() as f64 / 3.0),
        Kind::Reference if matches!(descriptor, b"Ljava/lang/String;" | b"Ljava/lang/Object;") => {
            match entropy.below(4) {
                0 => Value::Null,
                1 => Value::Text("one".to_owned()),
                _ => Value::Text(String::from_utf8_lossy(&entropy.text(12)).into_owned()),
            }
        }
        Kind::Reference => Value::Null,
        _ => Value::Int(entropy.int() as i32),
    }
}

/// Calls the static methods of classes, one of which was changed: `changed` is the folder with that one alone, `set` that of all.
///
/// # Panics
/// If a promise is broken: a call comes to a mistake of the runtime, or to no end.
#[must_use]
pub fn run(changed: &Path, set: &Path, names: &[&str], entropy: &mut Entropy<'_>) -> Came {
    let mut came = Came::default();
    let Some(universe) = universe(&[changed.to_owned(), set.to_owned()]) else { return came };
    for name in names {
        let Ok(class) = universe.load(name.as_bytes()) else {
            came.refused += 1;
            continue;
        };
        for method in methods(&universe, class) {
            let text = |symbol| String::from_utf8_lossy(universe.symbols.text(symbol)).into_owned();
            let (called, descriptor) = (text(method.name), text(method.descriptor));
            let Some(shape) = carnet_classes::descriptor::method(descriptor.as_bytes()) else { continue };
            let kinds = universe.signature(&method).parameters.iter().zip(&shape.parameters);
            let arguments: Vec<Value> = kinds.map(|(kind, text)| argument(*kind, text, entropy)).collect();
            let limits = Limits {
                instructions: 100_000,
                time: Duration::from_secs(20),
                heap: 1 << 20,
                threads: 8,
                frames: 200,
                ..Limits::default()
            };
            let mut domain = Domain::new(Arc::clone(&universe), limits, Io::none()).expect("core classes");
            domain.heap.collecting = Collecting::Always;
            match domain.call_static(name, &called, &descriptor, &arguments) {
                Ok(_) => came.returned += 1,
                Err(CallError::Thrown(_)) => came.thrown += 1,
                Err(CallError::Link(_) | CallError::Arguments(_)) => came.refused += 1,
                Err(CallError::Ended(ended)) => {
                    let is_ours = matches!(ended, Ended::Internal(_) | Ended::Time(_));
                    assert!(!is_ours, "{name}.{called}{descriptor} of {arguments:?}: {ended}");
                    came.ended += 1;
                }
            }
        }
    }
    came
}

fn methods(universe: &Universe, class: ClassId) -> Vec<Arc<Method>> {
    let of = universe.class(class).map_or(&[][..], |class| &class.methods);
    of.iter().filter(|method| method.is_static()).cloned().collect()
}

/// Translates the methods of a changed class file that was not verified: code comes of it, or a reason.
///
/// # Panics
/// If a promise is broken.
pub fn translate(seed: &Seed, entropy: &mut Entropy<'_>) -> bool {
    /// As many classes in one universe: they stay as long as it does.
    const MOST: u32 = 20_000;
    static SHARED: Mutex<Option<Arc<Universe>>> = Mutex::new(None);
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if shared.as_ref().is_none_or(|universe| universe.class_count() > MOST) {
        *shared = universe(&[]);
    }
    let Some(universe) = shared.clone() else { return false };
    drop(shared);
    let mut bytes = mutants::mutant(&seed.bytes, entropy);
    if entropy.one_in(4) {
        bytes = seed.bytes.clone();
        for range in mutants::parts(&seed.bytes).code {
            bytes[range].fill_with(|| entropy.bits() as u8);
        }
    }
    let Ok(class) = universe.load_hidden(bytes, universe.known().object) else { return false };
    let Some(class) = universe.class(class) else { return false };
    for method in &class.methods {
        let _ = universe.body(method);
    }
    true
}
