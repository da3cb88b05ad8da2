//! Methods of handles, which take any arguments (JVMS 2.9.3).

use super::{Outcome, Trap};
use crate::class::Class;
use crate::domain::Domain;
use crate::thread::Thread;

/// Calls one, named by a constant of a class, with its arguments from a register on.
pub(crate) fn call(
    _domain: &mut Domain,
    _thread: &mut Thread,
    class: &Class,
    constant: u16,
    _base: usize,
) -> Result<Outcome, Trap> {
    let crate::class::Constant::Member(_, both) = class.constant(constant) else { return Err(Trap::Stray) };
    let name = String::from_utf8_lossy(class.name_and_type(both).0).into_owned();
    Err(Trap::New("java/lang/UnsupportedOperationException", Some(format!("{name} of a handle"))))
}
