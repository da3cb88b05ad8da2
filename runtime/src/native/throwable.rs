//! Exceptions: where they were made, and what is said of null.

use std::collections::BTreeMap;

use super::null_message::null_message;
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::account;
use crate::class::{Body, Class, Method, MethodId, Origin};
use crate::domain::{IN_NATIVE, units};
use crate::heap::{ELEMENTS, NULL, Ref};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    ("java/lang/Throwable", &[("fillInStackTrace", "(I)Ljava/lang/Throwable;", fill_in_stack_trace)]),
    (
        "java/lang/StackTraceElement",
        // What `computeFormat` would find out is set with all else.
        &[
            ("initStackTraceElements", "([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V", stack_trace),
            ("computeFormat", "()V", nothing),
        ],
    ),
    (
        "java/lang/NullPointerException",
        &[("getExtendedNPEMessage", "()Ljava/lang/String;", extended_message)],
    ),
];

/// An element's texts leave out the name of the loader.
const WITHOUT_LOADER: u32 = 1;
/// An element's texts leave out the version of the module.
const WITHOUT_VERSION: u32 = 2;

fn fill_in_stack_trace(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let object = call.object(0)?;
    // The frames that make the exception itself are not told: `fillInStackTrace`, and constructors of its classes.
    let universe = call.universe;
    let class = call.domain.heap.space.class_of(object)?;
    let line = &universe.class(class).ok_or(Trap::Stray)?.line;
    let init = universe.symbols.known(b"<init>");
    let mut told = call.thread.frames.len();
    for frame in call.thread.frames.iter().rev() {
        let Some(method) = universe.method(frame.method) else { break };
        let name = universe.symbols.text(method.name);
        let makes =
            line.contains(&method.class) && (Some(method.name) == init || name == b"fillInStackTrace");
        if !makes {
            break;
        }
        told -= 1;
    }
    call.domain.fill_trace(call.thread, object, told)?;
    Ok(Outcome::Reference(object))
}

/// The line of an offset within a method's code, if the class file says.
fn line_of(class: &Class, method: &Method, offset: u16) -> Result<Option<u16>, Trap> {
    let Some(Body::Code(code)) = method.body.get() else { return Ok(None) };
    let lines = match code.lines.get() {
        Some(lines) => lines,
        None => {
            account::read(method.code.len());
            let lines = lines(class, method);
            if class.origin != Origin::Library {
                account::take(size_of_val(&*lines))?;
            }
            code.lines.get_or_init(|| lines)
        }
    };
    let behind = lines.partition_point(|(start, _)| *start <= offset);
    Ok(behind.checked_sub(1).and_then(|at| lines.get(at)).map(|(_, line)| *line))
}

/// The lines of a method: of each that begins anywhere, the offset where it does. Of those that begin at one place, the last counts.
fn lines(class: &Class, method: &Method) -> Box<[(u16, u16)]> {
    let code = class.file.get(method.code.clone()).and_then(carnet_classes::class::Code::read);
    let attributes = code.map(|code| code.attributes).unwrap_or_default();
    let tables = attributes.iter().filter(|attribute| class.text(attribute.name.0) == b"LineNumberTable");
    let rows = tables.flat_map(|table| table.content.get(2..).unwrap_or_default().chunks_exact(4));
    let word = |high, low| u16::from_be_bytes([high, low]);
    let mut lines = BTreeMap::new();
    lines.extend(rows.map(|row| (word(row[0], row[1]), word(row[2], row[3]))));
    lines.into_iter().collect()
}

/// A row of a backtrace: method, and offset of the instruction.
fn row(call: &Call<'_>, backtrace: Ref, at: u32) -> Result<(MethodId, u32), Trap> {
    let (space, place) = (&call.domain.heap.space, ELEMENTS + 8 * at);
    Ok((MethodId(space.u32(backtrace, place)?), space.u32(backtrace, place + 4)?))
}

fn stack_trace(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (elements, throwable) = (call.object(0)?, call.object(1)?);
    let backtrace = call.domain.heap.space.u32(throwable, call.domain.places.backtrace)?;
    if backtrace == NULL {
        return Ok(Outcome::Void);
    }
    let count = call.domain.heap.space.length(backtrace)? / 2;
    call.room(count as usize * 512)?;
    let universe = call.universe;
    for at in 0..count.min(call.domain.heap.space.length(elements)?) {
        let (method, offset) = row(call, backtrace, at)?;
        let element = call.domain.heap.space.u32(elements, ELEMENTS + 4 * at)?;
        let method = universe.method(method).ok_or(Trap::Stray)?;
        set_element(call, element, method, offset)?;
    }
    Ok(Outcome::Void)
}

/// Sets all of a `StackTraceElement`.
pub(super) fn set_element(
    call: &mut Call<'_>,
    element: Ref,
    method: &Method,
    offset: u32,
) -> Result<(), Trap> {
    let universe = call.universe;
    let class = universe.class(method.class).ok_or(Trap::Stray)?;
    let line = match offset {
        // As Java has it: -2 is a native method, -1 an unknown line.
        IN_NATIVE if method.has(carnet_classes::class::flags::NATIVE) => -2,
        IN_NATIVE => -1,
        offset => line_of(class, method, offset as u16)?.map_or(-1, i32::from),
    };
    let (module, loader, format) = match class.origin {
        Origin::Library => (Some("java.base".to_owned()), None, WITHOUT_VERSION),
        _ => (universe.proxy_module(class), Some(&b"app"[..]), WITHOUT_LOADER),
    };
    let texts = [
        (&b"declaringClass"[..], Some(universe.java_name(class.id).encode_utf16().collect())),
        (b"methodName", Some(units(universe.symbols.text(method.name)))),
        (b"fileName", class.source.map(|name| units(universe.symbols.text(name)))),
        (b"moduleName", module.map(|name| name.encode_utf16().collect())),
        (b"classLoaderName", loader.map(units)),
    ];
    for (field, text) in texts {
        let Some(text) = text else { continue };
        let string = call.domain.intern(&text)?;
        call.domain.set_field(element, field, b"Ljava/lang/String;", string)?;
    }
    call.domain.set_field(element, b"lineNumber", b"I", line as u32)?;
    call.domain.set_field(element, b"format", b"B", format)
}

fn extended_message(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let backtrace = call.domain.heap.space.u32(call.object(0)?, call.domain.places.backtrace)?;
    if backtrace == NULL || call.domain.heap.space.length(backtrace)? == 0 {
        return Ok(Outcome::Reference(NULL));
    }
    let (method, offset) = row(call, backtrace, 0)?;
    let method: &Method = call.universe.method(method).ok_or(Trap::Stray)?;
    let class = call.universe.class(method.class).ok_or(Trap::Stray)?;
    account::read(method.code.len());
    let signature = call.universe.signature(method);
    let text = u16::try_from(offset).ok().and_then(|offset| null_message(class, method, signature, offset));
    match text {
        Some(text) => call.domain.new_text(&text).map(Outcome::Reference),
        None => Ok(Outcome::Reference(NULL)),
    }
}
