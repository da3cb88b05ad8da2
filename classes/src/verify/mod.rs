//! The verifier: verification by type checking (JVMS 4.10.1), and the constraints on code of 4.9.
//!
//! ```text
//! bytes ─ read ─► ClassFile ─ format::check ─► verify ─┬─ superclass, final methods   (4.10)
//!                                                      └─ each Code: instructions ─► frames ─► one pass over types
//! ```
//!
//! It makes one pass over each method. Where control comes from elsewhere, the StackMapTable says what holds, and each way
//! there is checked against it; nothing is inferred and nothing is repeated. Who calls it answers questions about
//! other classes ([`Hierarchy`]).
//!
//! | part | what it does |
//! | --- | --- |
//! | `types` | verification types |
//! | `context` | constants of this class as types; what is assignable to what |
//! | `frames` | the StackMapTable |
//! | `method` | one method: instructions, handlers, the pass |
//! | `state` | local variables and operand stack, and what may be done to them |
//! | `execute` | what each instruction does to them |
//! | `members` | fields, methods, call sites, and the initialization of objects |
//!
//! What is linked later is not checked here: whether a field or method is there, may be accessed, and has no other
//! loader's types (JVMS 5.4).

mod context;
mod execute;
mod frames;
mod members;
mod method;
mod state;
mod types;

use crate::class::{ClassFile, flags, shown};
use crate::descriptor::package;
use crate::fault::{Fault, Place, Rule};
use crate::format;
use crate::hierarchy::{Declared, Hierarchy};

use context::{Broken, Checked, Context, broken};

/// Verifies a class: format first, then all methods. One fault of each method is told, up to
/// [`FAULTS_MAX`](format::FAULTS_MAX).
///
/// # Errors
/// What is wrong.
pub fn verify(class: &ClassFile<'_>, hierarchy: &dyn Hierarchy) -> Result<(), Vec<Fault>> {
    format::check(class)?;
    let mut context = Context::new(class, hierarchy);
    if let Err(wrong) = superclass(&mut context) {
        return Err(vec![fault(class, Place::Class, *wrong)]);
    }
    let mut faults = Vec::new();
    let mut memory = method::Memory::default();
    for member in &class.methods {
        let place = || Place::method(member.name(&class.pool), member.descriptor(&class.pool));
        if let Err(wrong) = overrides(&mut context, member) {
            faults.push(fault(class, place(), *wrong));
        }
        let length = member.attributes.iter().map(|attribute| attribute.content.len()).sum();
        if let Err(wrong) = context.work(length) {
            faults.push(fault(class, place(), *wrong));
            break;
        }
        if let Err((place, wrong)) = method::check(&mut context, member, &mut memory) {
            faults.push(fault(class, place, *wrong));
        }
        if faults.len() >= format::FAULTS_MAX {
            break;
        }
    }
    context.tell();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

fn fault(class: &ClassFile<'_>, place: Place, broken: Broken) -> Fault {
    let Broken { rule, found, expected } = broken;
    Fault { class: shown(class.name()), place, rule, found, expected }
}

/// The superclass can be extended, and superinterfaces are interfaces. These are asked for only where they are needed by
/// rules of this class: interfaces are loaded when the class is linked.
fn superclass(context: &mut Context<'_, '_>) -> Checked {
    let Some(name) = context.class.super_name() else { return Ok(()) };
    let supers = context.supers()?;
    let Some(above) = supers.first() else { return Ok(()) };
    if above.is_interface() {
        return broken(Rule::Superclass, format!("the interface {}", shown(name)), "a class as superclass");
    }
    if above.flags & flags::FINAL != 0 {
        return broken(
            Rule::Superclass,
            format!("the final class {}", shown(name)),
            "one that can be extended",
        );
    }
    Ok(())
}

/// It overrides no final method.
fn overrides(context: &mut Context<'_, '_>, member: &crate::class::Member<'_>) -> Checked {
    let class = context.class;
    let (name, text) = (member.name(&class.pool), member.descriptor(&class.pool));
    if member.flags & (flags::PRIVATE | flags::STATIC) != 0 || name.first() == Some(&b'<') {
        return Ok(());
    }
    let supers = context.supers()?;
    for outline in supers.iter() {
        let accessible = |method: &Declared| {
            !method.has(flags::PRIVATE | flags::STATIC)
                && (method.has(flags::PUBLIC | flags::PROTECTED)
                    || package(&outline.name) == package(class.name()))
        };
        context.step(1 + outline.finals().count())?;
        let same = |method: &&Declared| *method.name == *name && *method.descriptor == *text;
        if let Some(method) = outline.finals().filter(same).find(|method| accessible(method)) {
            let found = format!("the final method {} of {}", shown(&method.name), shown(&outline.name));
            return broken(Rule::FinalMethod, found, "one that can be overridden");
        }
    }
    Ok(())
}
