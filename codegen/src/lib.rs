//! Translation of verified programs to machine code. The only place that knows Cranelift.
//!
//! It knows neither services nor runs: what is not about numbers, branches, loops, charges and short calls is left to the interpreter
//! ([`carnet_program::interp::Translation`]). Whatever a program is, its code keeps the contract of [`carnet_code`], since
//! [`emit`] reaches memory in few ways only, each with a number that it has checked.
//!
//! | file | what it is |
//! | --- | --- |
//! | `lib.rs` | what is translated, and how the compiler is set |
//! | `emit.rs` | instructions to Cranelift's, and the one proof: in the trusted base |

#![forbid(unsafe_code)]

mod emit;

use std::sync::Arc;

use carnet_code::Code;
use carnet_program::host::Translate;
use carnet_program::interp::{Entries, Scope, Translation};
use carnet_program::verify::Loaded;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable, SetError};
use cranelift_frontend::FunctionBuilderContext;

/// Longer programs are interpreted: translation takes time and memory with each instruction.
pub const CODE_MAX: usize = 8_192;

/// Why a program was not translated. It is interpreted then.
#[derive(Debug, thiserror::Error)]
pub enum Untranslated {
    /// This machine is not known.
    #[error("there is no translator for this machine: {0}")]
    Machine(String),
    /// The program has more than [`CODE_MAX`] instructions.
    #[error("the program has {0} instructions, and at most {CODE_MAX} are translated")]
    TooLong(usize),
    /// It is a call array.
    #[error("a call array has nothing that code would make quicker")]
    Array,
    /// Cranelift does not take what it was given, which is a bug of ours.
    #[error("the translator broke its own rules (a bug of Carnet): {0}")]
    Internal(String),
    /// The system has no memory for code, or allows none.
    #[error("no memory for code: {0}")]
    Memory(String),
}

/// Translates one program after the other, using the same memory again.
pub struct Translator {
    isa: OwnedTargetIsa,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
}

impl std::fmt::Debug for Translator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Translator").field("isa", &self.isa.name()).finish_non_exhaustive()
    }
}

impl Translator {
    /// One for this machine.
    ///
    /// # Errors
    /// [`Untranslated::Machine`].
    pub fn new() -> Result<Translator, Untranslated> {
        if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return Err(Untranslated::Machine(std::env::consts::ARCH.to_owned()));
        }
        let machine = |why: &dyn std::fmt::Display| Untranslated::Machine(why.to_string());
        let flags = flags().map_err(|why| machine(&why))?;
        let isa = cranelift_native::builder().map_err(|why| machine(&why))?;
        let isa = isa.finish(flags).map_err(|why| machine(&why))?;
        let context = cranelift_codegen::Context::new();
        Ok(Translator { isa, context, builder: FunctionBuilderContext::new() })
    }

    /// Translates the loops of a program.
    ///
    /// # Errors
    /// Why it is to be interpreted.
    pub fn translate(&mut self, program: &Arc<Loaded>) -> Result<Translation, Untranslated> {
        self.translate_scope(program, Scope::Loops)
    }

    /// Translates what of a program is in `scope`.
    ///
    /// # Errors
    /// Why it is to be interpreted.
    pub fn translate_scope(
        &mut self,
        program: &Arc<Loaded>,
        scope: Scope,
    ) -> Result<Translation, Untranslated> {
        if program.is_array() {
            return Err(Untranslated::Array);
        }
        if program.code.len() > CODE_MAX {
            return Err(Untranslated::TooLong(program.code.len()));
        }
        let entries = Entries::of(program, scope);
        let code = self.compile(program, &entries)?;
        Ok(Translation::new(Arc::clone(program), entries, code))
    }

    fn compile(&mut self, program: &Loaded, entries: &Entries) -> Result<Code, Untranslated> {
        emit::compile(&*self.isa, &mut self.context, &mut self.builder, program, entries)
    }
}

/// For a server's programs.
impl Translate for Translator {
    fn translate(&mut self, program: &Arc<Loaded>) -> Result<Translation, String> {
        Translator::translate(self, program).map_err(|why| why.to_string())
    }
}

/// Optimisations of Cranelift find little in code whose every step is checked and whose words lie in memory, and take a third of a
/// translation. The verifier of what is emitted is for our tests.
fn flags() -> Result<settings::Flags, SetError> {
    let mut flags = settings::builder();
    let verified = if cfg!(debug_assertions) { "true" } else { "false" };
    let set = [
        ("opt_level", "none"),
        ("regalloc_algorithm", "backtracking"),
        ("enable_verifier", verified),
        ("is_pic", "false"),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
    ];
    for (name, value) in set {
        flags.set(name, value)?;
    }
    Ok(settings::Flags::new(flags))
}
