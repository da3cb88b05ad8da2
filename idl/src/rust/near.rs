//! The call of a service of the same process: parameters as they are, in no message.
//!
//! ```text
//! if let Some(near) = self.near.get() {
//!     what types do not bound is checked; nothing of the caller's is changed before it is
//!     the service's own function is called
//!     what it gives is checked, then given to the caller
//! }
//! ```

use super::Rust;
use super::shape::{Face, Shape, Slot, bounded, tuple};
use crate::backend::Lines;
use crate::descriptor::{Mode, Type};

/// Whether it has short operations of its own, which a service of the same process is called for as it is.
pub(super) fn has_near(face: &Face<'_, '_>) -> bool {
    face.operations.iter().any(|shape| shape.short().is_some())
}

impl Rust<'_> {
    /// Calls a service of the same process, if it is one.
    pub(super) fn call_near(shape: &Shape<'_>, code: &mut Lines) {
        code.open("if let Some(near) = self.near.get() {");
        for slot in &shape.slots {
            check_argument(shape, slot, code);
        }
        for slot in written(shape) {
            let max = if let Type::String { max } | Type::Bytes { max } = slot.ty { *max } else { 0 };
            code.line(&format!("{}.clear();", slot.name));
            let buffer = format!("stub::BytesOut::new({}, {max})", slot.name);
            code.assign(&format!("let mut {}", slot.area), &buffer);
        }
        let results: Vec<String> = shape.returned().map(|slot| slot.name.clone()).collect();
        let to = if results.is_empty() { String::new() } else { format!("let {} = ", tuple(&results)) };
        let call = format!("{to}near.call({}, |service, caller| service.{}(", shape.number, shape.method);
        code.list(&call, &arguments(shape), "))?;");
        check_results(shape, code);
        for slot in shape.slots.iter().filter(|slot| slot.mode == Mode::InOut) {
            code.line(&format!("*{} = {};", slot.name, slot.area));
        }
        code.line(&format!("return Ok({});", tuple(&results)));
        code.close("}");
    }
}

/// Checks what its type does not bound; what goes in and out is copied.
fn check_argument(shape: &Shape<'_>, slot: &Slot<'_>, code: &mut Lines) {
    let (name, check) = (&slot.name, format!(".argument(\"{}\", \"{}\")?", shape.title, slot.title));
    match (slot.mode, slot.ty) {
        (Mode::Out, _) => {}
        (Mode::InOut, _) if is_wide(slot) => {
            code.assign(&format!("let mut {}", slot.area), &format!("stub::u64_word(*{name}){check}"));
        }
        (Mode::InOut, _) => code.line(&format!("let mut {} = *{name};", slot.area)),
        (Mode::In, _) if is_wide(slot) => code.line(&format!("stub::u64_word({name}){check};")),
        (Mode::In, ty) => {
            if let Some(value) = bounded(ty, name) {
                code.assign(&format!("let {name}"), &format!("{value}{check}"));
            }
        }
    }
}

/// What the service's function is called with.
fn arguments(shape: &Shape<'_>) -> Vec<String> {
    let mut arguments = vec!["caller".to_owned()];
    for slot in shape.declared() {
        match slot.mode {
            Mode::In => arguments.push(slot.name.clone()),
            Mode::InOut => arguments.push(format!("&mut {}", slot.area)),
            Mode::Out => {}
        }
    }
    arguments.extend(written(shape).map(|slot| format!("&mut {}", slot.area)));
    arguments
}

/// Checks what came back, as a reply is.
fn check_results(shape: &Shape<'_>, code: &mut Lines) {
    let title = &shape.title;
    for slot in written(shape).filter(|slot| matches!(slot.ty, Type::String { .. })) {
        code.line(&format!("{}.finish_string(\"{title}\")?;", slot.area));
    }
    for slot in shape.slots.iter().filter(|slot| is_wide(slot)) {
        let value = match slot.mode {
            Mode::In => continue,
            Mode::InOut => &slot.area,
            Mode::Out => &slot.name,
        };
        code.line(&format!("stub::u64_result({value}, \"{title}\")?;"));
    }
}

/// The results that the service writes into a buffer of the caller's.
fn written<'s, 'a>(shape: &'s Shape<'a>) -> impl Iterator<Item = &'s Slot<'a>> {
    shape.outs().filter(|slot| slot.is_written())
}

/// Whether its type has numbers that do not travel: those above 2^63 − 1.
fn is_wide(slot: &Slot<'_>) -> bool {
    *slot.ty == Type::Int { bits: 64, signed: false }
}
