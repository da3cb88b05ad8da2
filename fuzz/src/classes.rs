//! Java class files: seeds, changes of them, and what reader and verifier make of the result.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`assemble`] | class files out of text, also wrong ones |
//! | [`seeds`] | class files that javac makes of the sources in `java/`, in several versions |
//! | [`mutants`] | changes of Code, StackMapTable and constant pool |
//! | [`programs`] | random Java programs that say what they computed |
//! | [`applet`] | changed applets, for what runs them alone |
//! | [`running`] | runs class files, and translates those that were not verified |
//!
//! Whether what is accepted was right to be accepted is judged by HotSpot, in `tests/hotspot`.

pub mod applet;
pub mod assemble;
pub mod mutants;
pub mod programs;
pub mod running;
pub mod seeds;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use carnet_classes::class::Constant;
use carnet_classes::hierarchy::{Absent, Hierarchy, Outline};
use carnet_classes::library::{Library, installed_jdk};
use carnet_classes::synthetic::site;
use carnet_classes::{listing, profile, read, verify};

use crate::entropy::Entropy;
use seeds::Seed;

/// Classes of seeds, and those of the installed JDK.
pub struct World {
    seeds: HashMap<Box<[u8]>, Arc<Outline>>,
    jdk: Option<Library>,
}

impl World {
    /// The world of one set of seeds.
    ///
    /// # Panics
    /// If a seed is no class file, or the JDK cannot be read.
    #[must_use]
    pub fn of(seeds: &[Seed]) -> World {
        let jdk = installed_jdk().map(|jdk| Library::open(Some(&jdk), &[]).expect("the JDK opens"));
        let outline = |seed: &Seed| Outline::of(&read(&seed.bytes).expect("a class file"));
        let mut known: HashMap<_, _> =
            seeds.iter().map(|seed| (seed.name.as_bytes().into(), Arc::new(outline(seed)))).collect();
        if jdk.is_none() {
            // Every class needs its superclass.
            let object = seeds::object();
            known.insert(object.name.as_bytes().into(), Arc::new(outline(&object)));
        }
        World { seeds: known, jdk }
    }
}

impl Hierarchy for World {
    fn outline(&self, name: &[u8]) -> Result<Arc<Outline>, Absent> {
        if let Some(outline) = self.seeds.get(name) {
            return Ok(Arc::clone(outline));
        }
        match &self.jdk {
            Some(jdk) => jdk.outline(name),
            None => Err(Absent {
                class: String::from_utf8_lossy(name).into_owned(),
                reason: "not found".to_owned(),
            }),
        }
    }
}

/// The seeds of the generator, with their world.
fn begin() -> &'static (Vec<Seed>, World) {
    static BEGIN: OnceLock<(Vec<Seed>, World)> = OnceLock::new();
    BEGIN.get_or_init(|| {
        let seeds = seeds::compiled().unwrap_or_else(|why| {
            println!("classes: only assembled ones are changed, since {why}");
            vec![seeds::assembled()]
        });
        // Sets have the same names; of the last one there are the fewest.
        let world =
            World::of(&seeds.iter().filter(|seed| seed.set == seeds[0].set).cloned().collect::<Vec<_>>());
        (seeds, world)
    })
}

/// Compiles the seeds, so that a compiler's time is no case's.
pub fn start() {
    begin();
}

/// Class files that are right, all of one set.
pub fn files() -> impl Iterator<Item = Vec<u8>> {
    let seeds = &begin().0;
    seeds.iter().filter(|seed| seed.set == seeds[0].set).map(|seed| seed.bytes.clone())
}

/// A changed class file is refused or accepted, and shown, without a panic.
///
/// # Panics
/// If a promise is broken.
pub fn check_mutant(entropy: &mut Entropy<'_>) -> bool {
    let (seeds, world) = begin();
    let seed = entropy.pick(seeds);
    let bytes = mutants::mutant(&seed.bytes, entropy);
    check_in(&bytes, world)
}

/// A changed class file that is not verified is translated without a panic.
///
/// # Panics
/// If a promise is broken.
pub fn check_translated(entropy: &mut Entropy<'_>) -> bool {
    running::translate(entropy.pick(&begin().0), entropy)
}

/// The same of any bytes.
///
/// # Panics
/// If a promise is broken.
pub fn check_bytes(bytes: &[u8]) -> bool {
    check_in(bytes, &begin().1)
}

fn check_in(bytes: &[u8], world: &World) -> bool {
    let Ok(class) = read(bytes) else { return false };
    assert!(!listing::text(&class).is_empty(), "a class file can be shown");
    for (at, _) in class.pool.iter().filter(|(_, constant)| matches!(constant, Constant::InvokeDynamic(_))) {
        if let Ok(made) = site(&class, at, b"Made") {
            assert!(read(&made).is_ok(), "what is made for a call site is a class file");
        }
    }
    match verify(&class, world) {
        Ok(()) => {
            let beyond = profile::check(&class).err();
            assert!(beyond.is_none_or(|faults| !faults.is_empty()), "a rejection has a reason");
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty(), "a rejection has a reason");
            false
        }
    }
}
