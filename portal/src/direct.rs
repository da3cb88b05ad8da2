//! Short operations as functions of C, which translated programs call without looking an operation up.
//!
//! Where an object's type is known, a function is made for each of its first operations. A panic does not leave it: translated
//! code could not pass it on. Whoever ran that code goes on with it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use carnet_code::{Callee, Context, Function, Outcome};

use crate::call::{Caller, Failure, Object, ShortWords};

/// A short operation of an object, which has nothing but words.
pub type Entry<'a> = carnet_code::Entry<'a, Caller, Trouble>;

/// What came of a call that did not go well.
#[derive(Debug)]
pub enum Trouble {
    /// It failed.
    Failed(Failure),
    /// The service panicked with this.
    Panicked(Box<dyn Any + Send>),
}

/// What [`Object::short`] does with the operation `op`, as a function; `None` of those that have none of their own.
pub fn entry<O: Object>(object: &O, op: u16) -> Option<Entry<'_>> {
    macro_rules! function {
        ($($number:literal)*) => {
            match op {
                $($number => call::<O, $number> as Function<O, Caller, Trouble>,)*
                _ => return None,
            }
        };
    }
    Some(Entry::new(object, function!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)))
}

extern "C" fn call<O: Object, const OP: u16>(
    callee: &Callee<'_, O>,
    context: &Context<'_, Caller, Trouble>,
    words: &mut ShortWords,
) -> Outcome {
    let object = match callee.object() {
        Ok(object) => object,
        Err(closed) => return closed,
    };
    match catch_unwind(AssertUnwindSafe(|| object.short(OP, context.caller(), words))) {
        Ok(Ok(())) => context.done(),
        Ok(Err(failure)) => context.trouble(Trouble::Failed(failure)),
        Err(thrown) => context.trouble(Trouble::Panicked(thrown)),
    }
}
