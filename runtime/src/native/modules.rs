//! Modules and class loaders: the library is one module, `java.base`, and guests are in one without a name.
//!
//! The library asks them whether a guest may reach a member by reflection. What is not in a package that everybody may use is
//! out of reach, and nothing is ever opened.

use super::lang::{null, yes};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{ClassId, Origin, Shape};
use crate::heap::{ELEMENTS, NULL, Ref};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    ("java/lang/Class", &[("getModule", "", of_class)]),
    (
        "java/lang/Module",
        &[
            ("implIsExportedOrOpen", "", may_reach),
            ("implAddExportsOrOpens", "", nothing),
            ("defineModule0", "", nothing),
            ("addReads0", "", nothing),
            ("addExports0", "", nothing),
            ("addExportsToAll0", "", nothing),
            ("addExportsToAllUnnamed0", "", nothing),
        ],
    ),
    ("java/lang/reflect/Proxy$ProxyBuilder", &[("ensureAccess", "", nothing)]),
    // Which modules of the library may be replaced: none.
    ("java/lang/StackTraceElement$HashedModules", &[("<clinit>", "", nothing), ("contains", "", yes)]),
    (
        "java/lang/ClassLoader",
        &[
            ("getSystemClassLoader", "", null),
            ("getPlatformClassLoader", "", null),
            ("defineClass1", "", define),
        ],
    ),
];

/// Whether a class, or that of the elements of an array, is of the library. A class that the runtime made is where its host is.
fn is_library(call: &Call<'_>, mut id: ClassId) -> bool {
    // Each step leads to a class with a lower number.
    while let Some(class) = call.universe.class(id) {
        id = match (class.shape, class.origin) {
            (Shape::References { element }, _) => element,
            (_, Origin::Hidden { host }) => host,
            (_, origin) => return origin == Origin::Library,
        };
    }
    false
}

fn of_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    let at = usize::from(is_library(call, class));
    if call.domain.modules[at] == NULL {
        let of = call.universe.load(b"java/lang/Module")?;
        let name =
            if at == 1 { call.domain.intern(&"java.base".encode_utf16().collect::<Vec<_>>())? } else { NULL };
        let module = call.domain.new_object(of)?;
        call.domain.set_field(module, b"name", b"Ljava/lang/String;", name)?;
        call.domain.modules[at] = module;
    }
    Ok(Outcome::Reference(call.domain.modules[at]))
}

/// `implIsExportedOrOpen(String package, Module other, boolean open)`
fn may_reach(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (module, other) = (call.object(0)?, call.reference(2));
    let is_named = call.domain.get_field(module, b"name", b"Ljava/lang/String;")? != NULL;
    let package = call.text(1)?;
    let is_public = package.starts_with("java.") || package.starts_with("javax.");
    let may = !is_named || module == other || (is_public && call.int(3) == 0);
    Ok(Outcome::Int(i32::from(may)))
}

/// `defineClass1(ClassLoader, String, byte[], int, int, ProtectionDomain, String source)`, for the classes that the library makes of
/// interfaces. There is no other way for new classes to come.
fn define(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    // Proxies are made by `Proxy` through the library's own way in, which no guest can call; the text is for guests to choose.
    let caller = call.thread.frames.last().and_then(|frame| call.universe.method(frame.method));
    let is_library = caller.is_some_and(|method| call.universe.name(method.class) == b"java/lang/System$2");
    if !is_library || call.text(6)? != "__dynamic_proxy__" {
        let message = "classes come from the class path alone".to_owned();
        return Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)));
    }
    let class = proxy(call, call.object(2)?)?;
    call.domain.mirror(class).map(Outcome::Reference)
}

fn proxy(call: &mut Call<'_>, array: Ref) -> Result<ClassId, Trap> {
    call.room(1024)?;
    let (at, count) = (call.int(3), call.int(4));
    let length = call.domain.heap.space.length(array)?;
    if at < 0 || count < 0 || i64::from(at) + i64::from(count) > i64::from(length) {
        return Err(Trap::New("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    call.domain.heap.read(count as usize);
    let bytes = call.domain.heap.space.bytes(array, ELEMENTS + at as u32, count as usize)?.to_vec();
    Ok(call.universe.load_hidden(bytes, call.universe.load(b"java/lang/reflect/Proxy")?)?)
}
