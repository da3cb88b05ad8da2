//! Modules and class loaders: the library is one module, `java.base`, and guests are in one without a name.
//! Proxies of public interfaces are in one that the library makes for each loader, for example `jdk.proxy1`.
//!
//! The library asks them whether a guest may reach a member by reflection. What is not in a package that everybody may use is
//! out of reach, and nothing is ever opened.

use std::collections::BTreeSet;

use carnet_classes::class::shown;
use carnet_classes::descriptor::package as package_of;

use super::lang::{null, yes};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::account;
use crate::class::{ClassId, Origin, Shape};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::thread::Leaving;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Class",
        &[
            ("getModule", "()Ljava/lang/Module;", of_class),
            ("getClassLoader", "()Ljava/lang/ClassLoader;", loader_of_class),
            ("getClassLoader0", "()Ljava/lang/ClassLoader;", loader_of_class),
        ],
    ),
    (
        "jdk/internal/loader/BootLoader",
        &[
            ("definePackage", "(Ljava/lang/Class;)Ljava/lang/Package;", package),
            ("getDefinedPackage", "(Ljava/lang/String;)Ljava/lang/Package;", defined_package),
            ("getSystemPackageNames", "()[Ljava/lang/String;", package_names),
        ],
    ),
    ("java/lang/Thread", &[("getContextClassLoader", "()Ljava/lang/ClassLoader;", context)]),
    (
        "java/lang/Module",
        &[
            ("getClassLoader", "()Ljava/lang/ClassLoader;", loader_of_module),
            ("implIsExportedOrOpen", "(Ljava/lang/String;Ljava/lang/Module;Z)Z", may_reach),
            ("implAddExportsOrOpens", "(Ljava/lang/String;Ljava/lang/Module;ZZ)V", nothing),
            (
                "defineModule0",
                "(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
                |call| {
                    let module = call.object(0)?;
                    call.domain.modules.push(module);
                    Ok(Outcome::Void)
                },
            ),
            ("addReads0", "(Ljava/lang/Module;Ljava/lang/Module;)V", nothing),
            ("addExports0", "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", nothing),
            ("addExportsToAll0", "(Ljava/lang/Module;Ljava/lang/String;)V", nothing),
            ("addExportsToAllUnnamed0", "(Ljava/lang/Module;Ljava/lang/String;)V", nothing),
        ],
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        &[("loadClassOrNull", "(Ljava/lang/String;Z)Ljava/lang/Class;", load)],
    ),
    (
        "java/lang/reflect/Proxy$ProxyBuilder",
        &[("ensureAccess", "(Ljava/lang/Module;Ljava/lang/Class;)V", nothing)],
    ),
    // The library's module is in no layer.
    (
        "java/lang/ModuleLayer",
        &[("boot", "()Ljava/lang/ModuleLayer;", |call| {
            let layers = call.core_class("java/lang/ModuleLayer")?;
            let empty = call.method_of(layers, "empty", "()Ljava/lang/ModuleLayer;")?;
            Ok(Outcome::Call(empty, Leaving::Plain))
        })],
    ),
    // Which modules of the library may be replaced: none.
    (
        "java/lang/StackTraceElement$HashedModules",
        &[("<clinit>", "()V", nothing), ("contains", "(Ljava/lang/Module;)Z", yes)],
    ),
    (
        "java/lang/ClassLoader",
        &[
            ("getSystemClassLoader", "()Ljava/lang/ClassLoader;", app),
            ("getBuiltinAppClassLoader", "()Ljava/lang/ClassLoader;", app),
            ("findBootstrapClass", "(Ljava/lang/String;)Ljava/lang/Class;", library_class),
            (
                "defineClass1",
                "(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
                define,
            ),
        ],
    ),
];

const LOADER: &[u8] = b"Ljava/lang/ClassLoader;";
const MODULE: &[u8] = b"Ljava/lang/Module;";

/// `getSystemClassLoader()`
pub(super) fn app(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    app_loader(call).map(Outcome::Reference)
}

/// The loader of the program's classes. The library makes it when somebody asks for it.
pub(super) fn app_loader(call: &mut Call<'_>) -> Result<Ref, Trap> {
    loader(call, b"APP_LOADER", b"Ljdk/internal/loader/ClassLoaders$AppClassLoader;")
}

/// One of the library's loaders.
fn loader(call: &mut Call<'_>, name: &[u8], descriptor: &[u8]) -> Result<Ref, Trap> {
    let loaders = call.core_class("jdk/internal/loader/ClassLoaders")?;
    Ok(call.domain.get_static(loaders, name, descriptor)? as Ref)
}

/// `BootLoader.definePackage(Class)`, which would look for the module among those that were begun with.
fn package(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.class(0)?;
    define_package(call, class)
}

/// `BootLoader.getDefinedPackage(String)`, where every search for a package ends: for those of the program, too, since its loader knows
/// only those that one of its classes was asked for.
fn defined_package(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let name = call.name(0)?.replace('.', "/");
    let name = name.as_bytes();
    let found = packages(call).find(|(package, _)| {
        // Names may be long, and differ at the end alone.
        account::read(if package.len() == name.len() { name.len() } else { 0 });
        *package == name
    });
    match found {
        Some((_, class)) => define_package(call, class),
        None => null(call),
    }
}

/// `getSystemPackageNames()`
fn package_names(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let packages = packages(call).filter(|(_, class)| is_library(call, *class));
    let packages: BTreeSet<&[u8]> = packages.map(|(package, _)| package).collect();
    call.room(packages.iter().map(|name| 128 + 2 * name.len()).sum())?;
    let names = packages.iter().map(|name| call.domain.new_text(&shown(name)));
    let names = names.collect::<Result<Vec<Ref>, Trap>>()?;
    call.new_references("java/lang/String", &names).map(Outcome::Reference)
}

/// Classes that this domain has begun to initialize, or has `Class` objects of, each with its package.
fn packages<'u>(call: &Call<'u>) -> impl Iterator<Item = (&'u [u8], ClassId)> {
    let (domain, universe) = (&call.domain, call.universe);
    domain.heap.read(size_of::<u64>() * (domain.states.len() + domain.mirrors.len()));
    let begun = domain.states.iter().filter(|(_, state)| **state != 0).map(|(at, _)| at);
    let shown = domain.mirrors.iter().filter(|(_, mirror)| **mirror != NULL).map(|(at, _)| at);
    let classes = begun.chain(shown).filter_map(|at| universe.class(ClassId(at as u32)));
    let classes = classes
        .filter(|class| class.shape == Shape::Object && !matches!(class.origin, Origin::Hidden { .. }));
    classes.map(|class| (package_of(universe.symbols.text(class.name)), class.id))
}

/// The package of a class, as its loader has it.
fn define_package(call: &mut Call<'_>, class: ClassId) -> Result<Outcome, Trap> {
    // It may be thrown when registers were changed.
    call.core_class("java/lang/StackOverflowError")?;
    let class_object = call.domain.mirror(class)?;
    let loader = if is_library(call, class) {
        loader(call, b"BOOT_LOADER", b"Ljdk/internal/loader/ClassLoaders$BootClassLoader;")?
    } else {
        app_loader(call)?
    };
    let define = call.universe.load(b"java/lang/ClassLoader")?;
    let define = call.method_of(define, "definePackage", "(Ljava/lang/Class;)Ljava/lang/Package;")?;
    call.set_reference(0, loader);
    call.set_reference(1, class_object);
    Ok(Outcome::Call(define, Leaving::Plain))
}

/// The class of a `Class` argument; of an array's that of its elements.
fn element(call: &Call<'_>) -> Result<ClassId, Trap> {
    let mut class = call.class(0)?;
    while let Some(Shape::References { element }) = call.universe.class(class).map(|class| class.shape) {
        class = element;
    }
    Ok(class)
}

fn loader_of_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = element(call)?;
    if let Some(loader) = call.domain.proxies.get(&class) {
        return Ok(Outcome::Reference(*loader));
    }
    if is_library(call, class) { null(call) } else { app(call) }
}

fn loader_of_module(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let module = call.object(0)?;
    match call.domain.get_field(module, b"loader", LOADER)? {
        NULL if call.domain.modules[0] == module => app(call),
        loader => Ok(Outcome::Reference(loader)),
    }
}

/// `loadClassOrNull(String, boolean)` of a loader of the library.
fn load(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let is_array = call.name(1)?.starts_with('[');
    let loader = call.object(0)?;
    let class = match super::lang::named(call, 1, loader) {
        Ok(class) if !is_array => class,
        Ok(_) | Err(Trap::New(super::lang::NO_CLASS, _)) => return null(call),
        Err(trap) => return Err(trap),
    };
    if !super::class_loader::sees(call, loader, class)? {
        return null(call);
    }
    call.domain.mirror(class).map(Outcome::Reference)
}

/// `findBootstrapClass(String)`
fn library_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    match super::lang::named(call, 0, NULL) {
        Ok(class) if is_library(call, class) => call.domain.mirror(class).map(Outcome::Reference),
        Ok(_) | Err(Trap::New(super::lang::NO_CLASS, _)) => null(call),
        Err(trap) => Err(trap),
    }
}

/// `Thread.getContextClassLoader()`: that of the program, unless somebody has set another.
fn context(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let set = call.domain.get_field(call.object(0)?, b"contextClassLoader", LOADER)?;
    // A thread that is made takes what its maker has, and no loader needs to be there for that.
    let maker = call.thread.frames.last().and_then(|frame| call.universe.method(frame.method));
    let is_made = maker.is_some_and(|method| method.class == call.method.class);
    if set != NULL || is_made { Ok(Outcome::Reference(set)) } else { app(call) }
}

/// Whether a class is of the library: an array is where its elements are, and a class that the runtime made where its host is.
pub(super) fn is_library(call: &Call<'_>, id: ClassId) -> bool {
    call.universe.class(id).is_some_and(|class| call.universe.is_trusted(class))
}

fn of_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = element(call)?;
    if call.domain.proxies.contains_key(&class) {
        let mirror = call.domain.mirror(class)?;
        match call.domain.get_field(mirror, b"module", MODULE)? {
            NULL => {}
            module => return Ok(Outcome::Reference(module)),
        }
    }
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
    let name = name_of(call, module)?;
    let package = call.name(1)?;
    // Those of proxies export what is called as they are.
    let is_public =
        package.starts_with("java.") || package.starts_with("javax.") || name.as_ref() == Some(&package);
    let may = name.is_none() || module == other || (is_public && call.int(3) == 0);
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
    let (loader, name) = (call.reference(0), call.name(1)?);
    let class = proxy(call, call.object(2)?)?;
    let mirror = call.domain.mirror(class)?;
    let package = name.rsplit_once('.').map_or("", |(package, _)| package);
    let package = package.strip_prefix("com.sun.proxy.").unwrap_or(package);
    // That of this loader was made just now, as a rule.
    for module in call.domain.modules.clone().into_iter().skip(2).rev() {
        call.domain.heap.read(size_of::<Ref>());
        let is_its = call.domain.get_field(module, b"loader", LOADER)? == loader;
        if is_its && name_of(call, module)?.as_deref() == Some(package) {
            call.domain.set_field(mirror, b"module", MODULE, module)?;
            break;
        }
    }
    call.domain.proxies.insert(class, loader);
    Ok(Outcome::Reference(mirror))
}

/// The name of a module, if it has one.
fn name_of(call: &Call<'_>, module: Ref) -> Result<Option<String>, Trap> {
    match call.domain.get_field(module, b"name", b"Ljava/lang/String;")? {
        NULL => Ok(None),
        name => call.domain.name_of(name).map(Some),
    }
}

/// Makes a class of proxies out of bytes of an array.
fn proxy(call: &mut Call<'_>, array: Ref) -> Result<ClassId, Trap> {
    call.room(1024)?;
    let (at, count) = (call.int(3), call.int(4));
    let length = call.domain.heap.space.length(array)?;
    if at < 0 || count < 0 || i64::from(at) + i64::from(count) > i64::from(length) {
        return Err(Trap::New("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    call.domain.heap.read(count as usize);
    let bytes = call.domain.heap.space.bytes(array, ELEMENTS + at as u32, count as usize)?.to_vec();
    Ok(call.universe.load_proxy(bytes)?)
}
