//! `Class.forName` with a loader: those of the library are the runtime itself, others are asked by their `loadClass` (JVMS 5.3.2).
//!
//! What a loader of a program's own gave is in its list, as numbers of classes with zeros behind them, and is not asked for again: the
//! loader is an initiating one of these classes. It defines none. `forName0` calls `loadClass` above its own registers:
//!
//! ```text
//! name │ whether to initialize │ loader │ caller │ [HASH] of the element's name │ … [BELOW] loader │ name of the element
//! ```
//!
//! When that returns, [`take`] looks at what came and `forName0` runs again, with the class in the list.

use carnet_classes::class::{flags, shown};

use super::lang::{NO_CLASS, internal_name, no_class, null};
use super::modules::{app_loader, is_library};
use super::{Call, Outcome, Rows, Trap};
use crate::class::{ClassId, Kind, Origin, Shape};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::thread::{BELOW, Caller, Leaving};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Class",
        &[(
            "forName0",
            "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
            for_name,
        )],
    ),
    ("java/lang/ClassLoader", &[("findLoadedClass0", "(Ljava/lang/String;)Ljava/lang/Class;", loaded)]),
];

/// The register in which a call has a hash of what it asks for, for those that come while it does.
const HASH: usize = 4;

const LOADERS: &[u8] = b"java/lang/ClassLoader";

/// `forName0(String, boolean, ClassLoader, Class)`
fn for_name(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (name, loader) = (internal_name(call, 0)?, call.reference(2));
    let is_own = loader != NULL && {
        let builtin = call.universe.load(b"jdk/internal/loader/BuiltinClassLoader")?;
        !call.universe.is_subclass(call.domain.heap.space.class_of(loader)?, builtin)
    };
    if is_own && let Some(element) = element(&name) {
        // While this thread waited for the monitor another one may have been given the class.
        call.domain.give_up(call.thread, loader)?;
        if known(call, element, loader)?.is_none() {
            return ask(call, element);
        }
    }
    let class = match super::lang::named(call, 0, loader) {
        Ok(class) if is_own || sees(call, loader, class)? => class,
        Err(Trap::New(NO_CLASS, _)) | Ok(_) if loader == NULL => return Err(no_class(shown(&name))),
        Ok(_) => return Err(no_class(shown(element(&name).unwrap_or(&name)).replace('/', "."))),
        Err(trap) => return Err(trap),
    };
    if call.int(1) != 0 {
        call.initialized(class)?;
    }
    call.domain.mirror(class).map(Outcome::Reference)
}

/// The class that a loader is asked for: that of the elements of an array; none of an array of numbers.
pub(super) fn element(name: &[u8]) -> Option<&[u8]> {
    match name {
        [b'[', inner @ ..] => match &inner[inner.iter().take_while(|byte| **byte == b'[').count()..] {
            [b'L', class @ .., b';'] => Some(class),
            _ => None,
        },
        class => Some(class),
    }
}

/// The class of proxies of a name that was made for a loader or for the library, or that the loader has given.
pub(super) fn proxy(call: &Call<'_>, name: &[u8], loader: Ref) -> Result<Option<ClassId>, Trap> {
    call.domain.heap.read(2 * size_of::<u64>() * call.domain.proxies.len());
    for (class, of) in call.domain.proxies.iter().filter(|(class, _)| call.universe.name(**class) == name) {
        if *of == loader || *of == NULL || (loader != NULL && has(call, loader, *class)?) {
            return Ok(Some(*class));
        }
    }
    Ok(None)
}

/// Whether a loader of the library has a class: that of the program has all.
pub(super) fn sees(call: &mut Call<'_>, loader: Ref, class: ClassId) -> Result<bool, Trap> {
    Ok(is_library(call, class) || (loader != NULL && app_loader(call)? == loader))
}

/// A reference that a loader has in a field of `ClassLoader`, whatever fields its own class has.
fn part(call: &Call<'_>, loader: Ref, name: &[u8], descriptor: &[u8]) -> Result<(u32, Ref), Trap> {
    let loaders = call.universe.class(call.universe.load(LOADERS)?).ok_or(Trap::Stray)?;
    let place = call.universe.find_field(loaders, name, descriptor).ok_or(Trap::Stray)?.place;
    Ok((place, call.domain.heap.space.u32(loader, place)?))
}

/// The place of a loader's list, the list, and what is in it.
fn list(call: &Call<'_>, loader: Ref) -> Result<(u32, Ref, Vec<ClassId>), Trap> {
    let (place, list) = part(call, loader, b"carnet$given", b"[I")?;
    let given = call.elements(list)?.into_iter().take_while(|number| *number != 0);
    Ok((place, list, given.map(ClassId).collect()))
}

/// Whether a loader has given a class.
fn has(call: &Call<'_>, loader: Ref, class: ClassId) -> Result<bool, Trap> {
    Ok(list(call, loader)?.2.contains(&class))
}

/// `findLoadedClass0(String)`
fn loaded(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let loader = call.object(0)?;
    let Ok(name) = internal_name(call, 1) else { return null(call) };
    match known(call, &name, loader)? {
        Some(class) => call.domain.mirror(class).map(Outcome::Reference),
        None => null(call),
    }
}

/// The class of a name that a loader has given, or that the library made for it.
fn known(call: &Call<'_>, name: &[u8], loader: Ref) -> Result<Option<ClassId>, Trap> {
    match proxy(call, name, loader)?.or_else(|| call.universe.loaded(name)) {
        Some(class) if call.domain.proxies.get(&class) == Some(&loader) || has(call, loader, class)? => {
            Ok(Some(class))
        }
        _ => Ok(None),
    }
}

/// Calls the loader's `loadClass`, in its monitor unless it is registered as parallel capable.
fn ask(call: &mut Call<'_>, element: &[u8]) -> Result<Outcome, Trap> {
    // It may be thrown when `loadClass` was called.
    call.core_class(NO_CLASS)?;
    let universe = call.universe;
    let loader = call.reference(2);
    let is_parallel =
        part(call, loader, b"parallelLockMap", b"Ljava/util/concurrent/ConcurrentHashMap;")?.1 != NULL;
    let hash = call.domain.hash_of(element);
    if !is_parallel && is_asked(call, hash, element)? {
        return Err(Trap::New("java/lang/ClassCircularityError", Some(shown(element))));
    }
    let load =
        call.method_of(universe.load(LOADERS)?, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;")?;
    let load = universe.method(load).ok_or(Trap::Stray)?;
    let class = universe.class(call.domain.heap.space.class_of(loader)?).ok_or(Trap::Stray)?;
    let load = class.table.get(load.index as usize).ok_or(Trap::Stray)?;
    let text = call.name(0)?;
    let name = match text.trim_start_matches('[').strip_prefix('L').and_then(|of| of.strip_suffix(';')) {
        Some(of) => call.domain.new_text(of)?,
        None => call.reference(0),
    };
    call.thread.reserve(call.base + BELOW);
    call.set_number(HASH, hash);
    call.set_reference(BELOW, loader);
    call.set_reference(BELOW + 1, name);
    let is_alone = !is_parallel || load.has(flags::SYNCHRONIZED);
    Ok(Outcome::Call(load.id, Leaving::Load(if is_alone { loader } else { NULL }, call.as_caller())))
}

/// Whether this thread waits already for the loader to give this class, with this hash.
fn is_asked(call: &Call<'_>, hash: u64, class: &[u8]) -> Result<bool, Trap> {
    let thread = &call.thread;
    call.domain.heap.read(size_of_val(&*thread.frames));
    for frame in &thread.frames {
        let Leaving::Load(_, Caller(base)) = frame.leaving else { continue };
        let base = base as usize;
        let arguments = thread.references.get(base..).and_then(<[Ref]>::first_chunk);
        let [name, _, loader] = *arguments.ok_or(Trap::Stray)?;
        // Names may be long, and there may be thousands of them.
        if loader == call.reference(2) && thread.numbers.get(base + HASH) == Some(&hash) {
            let name = call.domain.name_of(name)?.replace('.', "/");
            let name = crate::domain::modified(&name.encode_utf16().collect::<Vec<u16>>());
            if element(&name) == Some(class) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A loader returned a class from `loadClass`, which the native with these arguments called: its list has the class from now on, if it is the
/// one that was asked for. Otherwise, the name of what was not found.
pub(crate) fn take(call: &mut Call<'_>, given: Ref) -> Result<Option<String>, Trap> {
    let (name, loader) = (internal_name(call, 0)?, call.object(2)?);
    if given == NULL {
        return Ok(Some(shown(&name)));
    }
    let id = call.domain.class_of_mirror(given)?;
    let class = call.universe.class(id).ok_or(Trap::Stray)?;
    let is_file = class.shape == Shape::Object && !matches!(class.origin, Origin::Hidden { .. });
    if !is_file || element(&name) != Some(call.universe.name(id)) {
        return Ok(Some(shown(&name)));
    }
    let (place, array, known) = list(call, loader)?;
    if known.contains(&id) {
        return Ok(None);
    }
    let count = known.len() as u32;
    let mut array = array;
    if array == NULL || count == call.domain.heap.space.length(array)? {
        let longer = call.domain.new_array(call.universe.primitive_array(Kind::Int), (2 * count).max(4))?;
        for (at, class) in known.iter().enumerate() {
            call.domain.heap.space.set_u32(longer, ELEMENTS + 4 * at as u32, class.0)?;
        }
        call.domain.heap.space.set_u32(loader, place, longer)?;
        array = longer;
    }
    call.domain.heap.space.set_u32(array, ELEMENTS + 4 * count, id.0)?;
    Ok(None)
}
