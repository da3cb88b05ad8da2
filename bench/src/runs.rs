//! A verified program that is run again and again on one service.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Instant;

use carnet_codegen::Translator;
use carnet_portal::call::{Caller, Object};
use carnet_portal::capability::Capability;
use carnet_program::bytecode::ParamPlace;
use carnet_program::compile::{Marks, compile_marked};
use carnet_program::eval::{self, Arg, Compiled, Value};
use carnet_program::interp::{Blocking, Env, Machine, Mode, Slice, Stop, Translation};
use carnet_program::limits::{Effective, Limits};
use carnet_program::tree::Tree;
use carnet_program::verify::{Loaded, Registry, load};

use crate::null_programs::{Variant, tree};
use crate::services::{Counters, null, null_object, other, tape_object};

/// What carries a program out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The bytecode interpreter.
    Interpreter,
    /// Translated code.
    Translated,
    /// The recursive interpreter of the tree.
    Tree,
}

/// A null copy loop, ready to run: what `compile` made, encoded, verified and loaded like one that was sent.
pub struct Copy {
    variant: Variant,
    program: Arc<Loaded>,
    /// Of those that run as machine code.
    translation: Option<Translation>,
    /// Of those that run as a tree.
    walked: Option<(Tree, Marks)>,
    machine: Machine,
    counters: Arc<Counters>,
    object: Arc<dyn Object>,
    caller: Caller,
}

impl std::fmt::Debug for Copy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Copy").field("variant", &self.variant).finish_non_exhaustive()
    }
}

/// The interfaces of the null services.
#[must_use]
pub fn registry() -> Registry {
    Registry::new(&[null::module(), other::module()])
}

/// The bytes that would be sent.
///
/// # Errors
/// What builder or compiler find wrong, which would be a bug.
pub fn bytes(variant: Variant) -> Result<Vec<u8>, String> {
    carnet_program::compile::compile_to_bytes(&tree(variant)?).map_err(|error| error.to_string())
}

fn translated(program: &Arc<Loaded>) -> Result<Translation, String> {
    let translation = Translator::new().and_then(|mut translator| translator.translate(program));
    translation.map_err(|why| why.to_string())
}

impl Copy {
    /// Compiles and loads, and translates if `engine` wants it.
    ///
    /// # Errors
    /// What builder, compiler or verifier find wrong, which would be a bug; a machine without a translator.
    pub fn new(variant: Variant, engine: Engine) -> Result<Copy, String> {
        let program = Arc::new(load(&bytes(variant)?, &registry()).map_err(|error| error.to_string())?);
        let (mut translation, mut walked) = (None, None);
        match engine {
            Engine::Interpreter => {}
            Engine::Translated => translation = Some(translated(&program)?),
            Engine::Tree => {
                let tree = tree(variant)?;
                let (_, marks) = compile_marked(&tree).map_err(|error| error.to_string())?;
                walked = Some((tree, marks));
            }
        }
        let counters = Arc::new(Counters::default());
        // The compiler must not see which of them it is, or it could call it directly.
        let object = std::hint::black_box(match variant {
            Variant::OtherService => tape_object(&counters),
            _ => null_object(&counters),
        });
        let (machine, caller) = (Machine::new(), Caller::local());
        Ok(Copy { variant, program, translation, walked, machine, counters, object, caller })
    }

    /// Nanoseconds per iteration, of `n`.
    ///
    /// # Errors
    /// If the run does not end as it must, or not all calls were made as they should.
    pub fn sample(&mut self, n: i64) -> Result<f64, String> {
        // All budgets are on, and large enough.
        let limits = Limits { calls: 1 << 40, writes: 1 << 40, instructions: 1 << 40, ..Limits::default() };
        let budget = Effective::new(&limits, &self.program.caps).budget();
        self.machine.reset(&self.program, budget);
        let mut args = Vec::new();
        for (value, place) in (0..).zip(&self.program.params) {
            match *place {
                ParamPlace::Register(register) => {
                    let portal = Capability::new(Arc::clone(&self.object));
                    args.push(Arg::Portal(portal.clone()));
                    self.machine.set_portal(register, portal);
                }
                ParamPlace::Slot(slot) => {
                    args.push(Arg::Value(Value::Int(value)));
                    self.machine.set_scalar(slot, value);
                }
            }
        }
        self.counters.start(n);
        let interrupt = AtomicU32::new(0);
        let (mode, blocking) = (Mode::Real, Blocking::Allowed);
        let env = Env { caller: &self.caller, interrupt: &interrupt, mode, blocking };
        let begin = Instant::now();
        let stop = match (&self.translation, &self.walked) {
            (Some(translation), _) => self.machine.advance_translated(translation, &env, Slice::UNLIMITED),
            (None, Some((tree, marks))) => {
                let compiled = Compiled { tree, marks, loaded: &self.program };
                eval::run(compiled, &args, 0, &env, budget).stop
            }
            (None, None) => self.machine.advance(&self.program, &env, Slice::UNLIMITED),
        };
        let time = begin.elapsed();
        let (sum, wanted) = (self.counters.sum(), self.variant.sum(n));
        if !matches!(stop, Stop::Done(_)) || sum != wanted {
            return Err(format!("ended with {stop:?} and the sum {sum} instead of {wanted}"));
        }
        Ok(time.as_nanos() as f64 / n as f64)
    }
}
