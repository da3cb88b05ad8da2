//! What the class library keeps in files of the JDK: resources, locales, time zones; resources of the program; and checksums.
//!
//! There are no modules and no providers of services here, but those of the JDK that are named in this file.

use std::collections::BTreeMap;
use std::sync::Arc;

use carnet_classes::read::BYTES_MAX;
use flate2::{Decompress, DecompressError, FlushDecompress, Status};

use super::lang::{no, null};
use super::modules::is_library;
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::Kind;
use crate::collect::Soft;
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::thread::{BELOW, Leaving};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/Class",
        &[
            ("getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", resource),
            ("forName", "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;", library_class),
        ],
    ),
    (
        "java/lang/Module",
        &[("getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", module_resource)],
    ),
    (
        URLS,
        &[
            ("<clinit>", "()V", nothing),
            ("connect", "()V", |call| connected(call).map(|_| Outcome::Void)),
            ("getInputStream", "()Ljava/io/InputStream;", |call| {
                let bytes = connected(call)?;
                stream_of(call, &bytes)
            }),
            ("getContentLengthLong", "()J", |call| Ok(Outcome::Long(connected(call)?.len() as i64))),
        ],
    ),
    (
        "java/lang/ClassLoader",
        &[("getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;", loader_resource)],
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader",
        &[
            ("findResource", "(Ljava/lang/String;)Ljava/net/URL;", url),
            ("findResources", "(Ljava/lang/String;)Ljava/util/Enumeration;", no_urls),
        ],
    ),
    (
        "jdk/internal/loader/BootLoader",
        &[
            ("setBootLoaderUnnamedModule0", "(Ljava/lang/Module;)V", nothing),
            ("loadLibrary", "(Ljava/lang/String;)V", nothing),
            ("getSystemPackageLocation", "(Ljava/lang/String;)Ljava/lang/String;", null),
            ("findResource", "(Ljava/lang/String;)Ljava/net/URL;", null),
            ("findResource", "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;", null),
            ("findResources", "(Ljava/lang/String;)Ljava/util/Enumeration;", no_urls),
        ],
    ),
    (
        "java/util/ServiceLoader",
        &[
            ("loadInstalled", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", |call| loader(call, 0)),
            ("load", "(Ljava/lang/Class;)Ljava/util/ServiceLoader;", |call| loader(call, 0)),
            ("load", "(Ljava/lang/Class;Ljava/lang/ClassLoader;)Ljava/util/ServiceLoader;", |call| {
                loader(call, 0)
            }),
            (
                "load",
                "(Ljava/lang/Class;Ljava/lang/ClassLoader;Ljava/lang/Module;)Ljava/util/ServiceLoader;",
                |call| loader(call, 0),
            ),
            ("load", "(Ljava/lang/ModuleLayer;Ljava/lang/Class;)Ljava/util/ServiceLoader;", |call| {
                loader(call, 1)
            }),
            ("reload", "()V", nothing),
            ("iterator", "()Ljava/util/Iterator;", providers),
            ("stream", "()Ljava/util/stream/Stream;", stream_of_providers),
            ("reload", "()V", nothing),
        ],
    ),
    (PROVIDER, &[("get", "()Ljava/lang/Object;", provided)]),
    // Bundles of locales are classes of the library, and no provider is asked for them.
    (
        "sun/util/resources/LocaleData$LocaleDataStrategy",
        &[("getResourceBundleProviderType", "(Ljava/lang/String;Ljava/util/Locale;)Ljava/lang/Class;", null)],
    ),
    (
        "sun/util/resources/LocaleData$SupplementaryStrategy",
        &[("getResourceBundleProviderType", "(Ljava/lang/String;Ljava/util/Locale;)Ljava/lang/Class;", null)],
    ),
    ("java/lang/ProcessEnvironment", &[("environ", "()[[B", environment)]),
    ("java/io/Console", &[("encoding", "()Ljava/lang/String;", null), ("istty", "()Z", no)]),
    (
        "java/util/TimeZone",
        &[
            ("getSystemTimeZoneID", "(Ljava/lang/String;)Ljava/lang/String;", null),
            ("getSystemGMTOffsetID", "()Ljava/lang/String;", null),
        ],
    ),
    (
        "java/util/zip/CRC32",
        &[
            ("update", "(II)I", |call| checksum_of_byte(call, crc32)),
            ("updateBytes0", "(I[BII)I", |call| checksum_of_bytes(call, crc32)),
        ],
    ),
    (
        "java/util/zip/Adler32",
        &[
            ("update", "(II)I", |call| checksum_of_byte(call, adler32)),
            ("updateBytes", "(I[BII)I", |call| checksum_of_bytes(call, adler32)),
        ],
    ),
    (
        "java/util/zip/Inflater",
        &[
            ("init", "(Z)J", new_inflater),
            ("inflateBytesBytes", "(J[BII[BII)J", inflate),
            ("getAdler", "(J)I", |call| {
                let inflater = inflater(call, 0)?;
                Ok(Outcome::Int(inflater.sum as i32))
            }),
            ("reset", "(J)V", |call| {
                let inflater = inflater(call, 0)?;
                *inflater = Inflater::new(inflater.has_header);
                Ok(Outcome::Void)
            }),
            ("setDictionary", "(J[BII)V", set_dictionary),
            ("end", "(J)V", |call| {
                call.domain.held.inflaters.remove(&call.long(0));
                Ok(Outcome::Void)
            }),
        ],
    ),
];

/// The library's connections to resources of modules; those of the program count as a module here.
const URLS: &str = "sun/net/www/protocol/jrt/JavaRuntimeURLConnection";
const GUEST: &str = "app";
/// What a stream of providers has.
const PROVIDER: &str = "java/util/ServiceLoader$ProviderImpl";

/// The algorithms of random numbers: of `java.base`, and of `jdk.random` if it is there.
const RANDOM: &[&[u8]] = &[
    b"java/security/SecureRandom",
    b"java/util/Random",
    b"java/util/SplittableRandom",
    b"jdk/random/L32X64MixRandom",
    b"jdk/random/L64X128MixRandom",
    b"jdk/random/L64X128StarStarRandom",
    b"jdk/random/L64X256MixRandom",
    b"jdk/random/L64X1024MixRandom",
    b"jdk/random/L128X128MixRandom",
    b"jdk/random/L128X256MixRandom",
    b"jdk/random/L128X1024MixRandom",
    b"jdk/random/Xoroshiro128PlusPlus",
    b"jdk/random/Xoshiro256PlusPlus",
];

/// What natives keep for a domain outside of its heap.
#[derive(Default)]
pub(crate) struct Held {
    inflaters: BTreeMap<i64, Inflater>,
    pub(super) deflaters: BTreeMap<i64, super::deflater::Deflater>,
    /// The number of the last of both.
    pub(super) last: i64,
    /// Files that are open, by descriptor, and how far they were read.
    pub(super) files: BTreeMap<i32, (Arc<[u8]>, usize)>,
}

/// Inflaters of a domain at a time; each has some 50 KiB outside of the heap.
const INFLATERS_MAX: usize = 128;

/// Turns that the library's threads are given to end those that are garbage.
const CLEANING: u32 = 16;

/// What an inflater looks back at most, in bytes (RFC 1951, 2).
const WINDOW: usize = 32 << 10;

struct Inflater {
    stream: Decompress,
    has_header: bool,
    /// Adler-32 of what came out, or of the dictionary that is needed; 0 without a header.
    sum: u32,
    /// What was wrong first, which is told again.
    wrong: Option<String>,
}

impl Inflater {
    fn new(has_header: bool) -> Inflater {
        // Its window is cleared.
        crate::account::read(WINDOW / 4);
        Inflater { stream: Decompress::new(has_header), has_header, sum: u32::from(has_header), wrong: None }
    }
}

/// `init(nowrap)`
fn new_inflater(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let has_header = call.int(0) == 0;
    if call.domain.held.inflaters.len() >= INFLATERS_MAX {
        have_cleaned(call)?;
        let message = format!("more than {INFLATERS_MAX} inflaters that were not ended");
        return Err(Trap::New("java/lang/OutOfMemoryError", Some(message)));
    }
    call.thread.phase = 0;
    let held = &mut call.domain.held;
    held.last += 1;
    held.inflaters.insert(held.last, Inflater::new(has_header));
    Ok(Outcome::Long(held.last))
}

/// Has garbage given up what it holds outside of the heap: the library does that when it is its turn, for which is waited.
///
/// # Errors
/// [`Trap::Wait`] until there were turns enough.
pub(super) fn have_cleaned(call: &mut Call<'_>) -> Result<(), Trap> {
    if call.thread.phase == 0 {
        call.domain.forget(call.thread, call.base);
        call.domain.collect(call.thread, Soft::Keep)?;
    }
    if call.thread.phase < CLEANING {
        call.thread.phase += 1;
        return Err(Trap::Wait);
    }
    call.thread.phase = 0;
    Ok(())
}

fn inflater<'c>(call: &'c mut Call<'_>, slot: usize) -> Result<&'c mut Inflater, Trap> {
    let number = call.long(slot);
    call.domain.held.inflaters.get_mut(&number).ok_or(Trap::Stray)
}

/// `inflateBytesBytes(number, from, offset, length, to, offset, length)`: bytes taken, bytes made, whether it is at its end and whether it
/// needs a dictionary, from the lowest bit on.
fn inflate(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (from, at, count) = bytes_at(call, 3)?;
    let (to, behind, room) = bytes_at(call, 6)?;
    let input = call.domain.heap.space.bytes(from, at, count)?.to_vec();
    let mut output = vec![0; room];
    let inflater = inflater(call, 1)?;
    let (taken, made) = (inflater.stream.total_in(), inflater.stream.total_out());
    if made == 0 {
        inflater.sum = u32::from(inflater.has_header);
    }
    let status = inflater.stream.decompress(&input, &mut output, FlushDecompress::None);
    let taken = inflater.stream.total_in() - taken;
    let made = inflater.stream.total_out() - made;
    let output = output.get(..made as usize).ok_or(Trap::Stray)?;
    if inflater.has_header {
        inflater.sum = adler32(inflater.sum, output);
    }
    let dictionary = status.as_ref().err().and_then(DecompressError::needs_dictionary);
    match (&status, dictionary) {
        (_, Some(sum)) => inflater.sum = sum,
        (Err(error), None) if inflater.wrong.is_none() => {
            inflater.wrong = error.message().map(str::to_owned);
        }
        _ => {}
    }
    let wrong = inflater.wrong.clone();
    call.domain.heap.space.bytes_mut(to, behind, output.len())?.copy_from_slice(output);
    let ended = match status {
        Ok(status) => status == Status::StreamEnd,
        Err(_) if dictionary.is_some() => false,
        Err(_) => {
            let this = call.object(0)?;
            call.domain.set_field(this, b"inputConsumed", b"I", taken as u32)?;
            call.domain.set_field(this, b"outputConsumed", b"I", made as u32)?;
            return Err(Trap::New("java/util/zip/DataFormatException", wrong));
        }
    };
    let needs = u64::from(dictionary.is_some());
    Ok(Outcome::Long((taken | made << 31 | u64::from(ended) << 62 | needs << 63) as i64))
}

/// `setDictionary(number, array, offset, length)`
fn set_dictionary(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (array, at, count) = bytes_at(call, 2)?;
    let dictionary = call.domain.heap.space.bytes(array, at, count)?.to_vec();
    match inflater(call, 0)?.stream.set_dictionary(&dictionary) {
        Ok(_) => Ok(Outcome::Void),
        Err(_) => Err(Trap::New("java/lang/IllegalArgumentException", None)),
    }
}

/// `Class.getResourceAsStream(String)`
fn resource(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let id = call.class(0)?;
    let class = call.universe.class(id).ok_or(Trap::Stray)?;
    let name = call.name(1)?;
    let of = String::from_utf8_lossy(call.universe.symbols.text(class.name)).into_owned();
    let package = of.rsplit_once('/').map_or("", |(package, _)| package);
    let path = match name.strip_prefix('/') {
        Some(path) => path.to_owned(),
        None if package.is_empty() => name,
        None => format!("{package}/{name}"),
    };
    if is_library(call, id) { stream(call, package, &path) } else { guest_stream(call, &path) }
}

/// `getResourceAsStream(String)` of a loader: first what the JDK has.
fn loader_resource(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let path = call.name(1)?;
    match stream(call, path.rsplit_once('/').map_or("", |(package, _)| package), &path)? {
        Outcome::Reference(NULL) => guest_stream(call, &path),
        found => Ok(found),
    }
}

/// `findResource(String)` of a loader: as a URL that tells nothing of the host.
fn url(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let path = call.name(1)?;
    if !call.universe.class_path().has_guest_resource(&path) {
        return Ok(Outcome::Reference(NULL));
    }
    let connections = call.core_class(URLS)?;
    let make =
        call.method_of(connections, "toJrtURL", "(Ljava/lang/String;Ljava/lang/String;)Ljava/net/URL;")?;
    call.room(512 + 6 * path.len())?;
    let module = call.domain.new_text(GUEST)?;
    let path = call.domain.new_text(&encoded(&path))?;
    call.set_reference(0, module);
    call.set_reference(1, path);
    Ok(Outcome::Call(make, Leaving::Plain))
}

/// A path as that of a URL, as the JDK writes it (RFC 3986, 2.1).
fn encoded(path: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~+&'()*!$,:@".contains(&byte);
    path.bytes().fold(String::new(), |url, byte| match kept(byte) {
        true => url + char::from(byte).encode_utf8(&mut [0; 4]),
        false => url + &format!("%{byte:02x}"),
    })
}

/// What a URL leads to: name, length and content of a resource of the program.
fn connected(call: &mut Call<'_>) -> Result<Vec<u8>, Trap> {
    let this = call.object(0)?;
    let text = |name: &[u8]| match call.domain.get_field(this, name, b"Ljava/lang/String;")? {
        NULL => Ok(String::new()),
        text => call.domain.name_of(text),
    };
    let (module, name) = (text(b"module")?, text(b"name")?);
    let found = if module == GUEST { guest_bytes(call, &name)? } else { None };
    found.ok_or_else(|| Trap::New("java/io/FileNotFoundException", Some(format!("{module}/{name}"))))
}

fn guest_bytes(call: &Call<'_>, path: &str) -> Result<Option<Vec<u8>>, Trap> {
    crate::account::look_for(call.universe.class_path().places());
    let found = call.universe.class_path().guest_resource(path);
    let found = found.map_err(|reason| {
        // As much was read before it was refused, at most.
        crate::account::read(BYTES_MAX);
        Trap::New("java/lang/InternalError", Some(reason))
    })?;
    crate::account::read(found.as_ref().map_or(0, Vec::len));
    Ok(found)
}

/// A resource of the program, as a stream; null if there is none.
fn guest_stream(call: &mut Call<'_>, path: &str) -> Result<Outcome, Trap> {
    match guest_bytes(call, path)? {
        Some(bytes) => stream_of(call, &bytes),
        None => Ok(Outcome::Reference(NULL)),
    }
}

/// `Module.getResourceAsStream(name)`: only what is in a package of the JDK.
fn module_resource(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let is_named = call.domain.get_field(call.object(0)?, b"name", b"Ljava/lang/String;")? != NULL;
    let name = call.name(1)?;
    let path = name.strip_prefix('/').unwrap_or(&name);
    match path.rsplit_once('/') {
        Some((package, _)) if is_named => stream(call, package, path),
        _ if is_named => Ok(Outcome::Reference(NULL)),
        _ => guest_stream(call, path),
    }
}

/// A resource of the module of the JDK that has a package, as a stream; null if there is none.
fn stream(call: &mut Call<'_>, package: &str, path: &str) -> Result<Outcome, Trap> {
    crate::account::look_for(1);
    let found = call.universe.class_path().resource(package, path);
    let Some(bytes) = found.map_err(|reason| Trap::New("java/lang/InternalError", Some(reason)))? else {
        return Ok(Outcome::Reference(NULL));
    };
    stream_of(call, &bytes)
}

fn stream_of(call: &mut Call<'_>, bytes: &[u8]) -> Result<Outcome, Trap> {
    let stream = call.core_class("java/io/ByteArrayInputStream")?;
    call.room(bytes.len() + 256)?;
    let array = call.domain.new_bytes(bytes)?;
    let object = call.domain.new_object(stream)?;
    call.domain.set_field(object, b"buf", b"[B", array)?;
    call.domain.set_field(object, b"count", b"I", bytes.len() as u32)?;
    Ok(Outcome::Reference(object))
}

/// `Class.forName(Module, String)`: a class of the library or of the program, or null.
fn library_class(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    if call.name(1)?.contains('/') {
        return null(call);
    }
    let name = call.name(1)?.replace('.', "/");
    let is_named = call.domain.get_field(call.object(0)?, b"name", b"Ljava/lang/String;")? != NULL;
    match call.universe.load(name.as_bytes()) {
        Ok(class) if is_library(call, class) != is_named || name.starts_with('[') => {
            Ok(Outcome::Reference(NULL))
        }
        Ok(class) => call.domain.mirror(class).map(Outcome::Reference),
        Err(error) if error.missing.is_some() => Ok(Outcome::Reference(NULL)),
        Err(error) => Err(Trap::Link(error)),
    }
}

fn no_urls(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let collections = call.core_class("java/util/Collections")?;
    let none = call.method_of(collections, "emptyEnumeration", "()Ljava/util/Enumeration;")?;
    Ok(Outcome::Call(none, Leaving::Plain))
}

/// A loader of services that only knows which one it is asked for: that of an argument.
fn loader(call: &mut Call<'_>, slot: usize) -> Result<Outcome, Trap> {
    let service = call.object(slot)?;
    let class = call.method.class;
    let object = call.domain.new_object(class)?;
    call.domain.set_field(object, b"service", b"Ljava/lang/Class;", service)?;
    Ok(Outcome::Reference(object))
}

/// The providers of a service: the locales of the JDK, its `java.util.logging`, and none of anything else.
fn providers(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let service = call.domain.get_field(call.object(0)?, b"service", b"Ljava/lang/Class;")?;
    let service = call.domain.class_of_mirror(service)?;
    let names: &[&[u8]] = match call.universe.name(service) {
        b"sun/util/locale/provider/LocaleDataMetaInfo" => &[
            b"sun/util/resources/cldr/provider/CLDRLocaleDataMetaInfo",
            b"sun/util/cldr/CLDRBaseLocaleDataMetaInfo",
            // Those of before CLDR have names of eras that it has not.
            b"sun/util/resources/provider/NonBaseLocaleDataMetaInfo",
        ],
        b"jdk/internal/logger/DefaultLoggerFinder" => &[b"sun/util/logging/internal/LoggingProviderImpl"],
        _ => &[],
    };
    let mut classes: Vec<_> = names.iter().filter_map(|name| call.universe.load(name).ok()).collect();
    // The second one is the first one of a JDK that has few locales.
    if classes.len() == names.len() && names.len() > 1 {
        classes.remove(1);
    }
    call.room(512)?;
    let mut all = Vec::new();
    for class in classes {
        call.initialized(class)?;
        all.push(call.domain.new_object(class)?);
    }
    let all = call.new_references("java/lang/Object", &all)?;
    let iterator = call.core_class("java/util/Arrays$ArrayItr")?;
    let iterator = call.domain.new_object(iterator)?;
    call.domain.set_field(iterator, b"a", b"[Ljava/lang/Object;", all)?;
    Ok(Outcome::Reference(iterator))
}

/// `stream()`: the algorithms of random numbers, and no provider of anything else.
fn stream_of_providers(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let service = call.domain.get_field(call.object(0)?, b"service", b"Ljava/lang/Class;")?;
    let service = call.domain.class_of_mirror(service)?;
    let (streams, provider) = (call.core_class("java/util/stream/Stream")?, call.core_class(PROVIDER)?);
    let is_random = call.universe.name(service) == b"java/util/random/RandomGenerator";
    let mut all = Vec::new();
    call.room(512 * RANDOM.len())?;
    for name in RANDOM.iter().filter(|_| is_random) {
        let Ok(class) = call.universe.load(name) else { continue };
        let class = call.domain.mirror(class)?;
        let object = call.domain.new_object(provider)?;
        call.domain.set_field(object, b"type", b"Ljava/lang/Class;", class)?;
        all.push(object);
    }
    let all = call.new_references("java/lang/Object", &all)?;
    call.set_reference(0, all);
    let stream = call.method_of(streams, "of", "([Ljava/lang/Object;)Ljava/util/stream/Stream;")?;
    Ok(Outcome::Call(stream, Leaving::Plain))
}

/// `Provider.get()`
fn provided(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.domain.get_field(call.object(0)?, b"type", b"Ljava/lang/Class;")?;
    let class = call.domain.class_of_mirror(class)?;
    call.initialized(class)?;
    let constructor = call.method_of(class, "<init>", "()V")?;
    let object = call.domain.new_object(class)?;
    call.thread.reserve(call.base + BELOW);
    call.set_reference(BELOW, object);
    Ok(Outcome::Call(constructor, Leaving::New(object, call.as_caller())))
}

/// There is no environment.
fn environment(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let class = call.universe.load(b"[[B")?;
    call.domain.new_array(class, 0).map(Outcome::Reference)
}

/// `update(sum, byte)`
fn checksum_of_byte(call: &mut Call<'_>, add: fn(u32, &[u8]) -> u32) -> Result<Outcome, Trap> {
    Ok(Outcome::Int(add(call.int(0) as u32, &[call.int(1) as u8]) as i32))
}

/// `updateBytes(sum, array, offset, length)`
fn checksum_of_bytes(call: &mut Call<'_>, add: fn(u32, &[u8]) -> u32) -> Result<Outcome, Trap> {
    let (array, at, count) = bytes_at(call, 1)?;
    // Each depends on the one before.
    call.domain.heap.read(count);
    let bytes = call.domain.heap.space.bytes(array, at, count)?;
    Ok(Outcome::Int(add(call.int(0) as u32, bytes) as i32))
}

/// A range of an array of bytes: array, offset within it, count.
pub(super) fn bytes_at(call: &Call<'_>, slot: usize) -> Result<(Ref, u32, usize), Trap> {
    let array = call.object(slot)?;
    let class = call.domain.heap.space.class_of(array)?;
    if class != call.universe.primitive_array(Kind::Byte) {
        return Err(Trap::Stray);
    }
    let (at, count) = (call.int(slot + 1), call.int(slot + 2));
    let length = call.domain.heap.space.length(array)?;
    if at < 0 || count < 0 || i64::from(at) + i64::from(count) > i64::from(length) {
        return Err(Trap::New("java/lang/ArrayIndexOutOfBoundsException", None));
    }
    call.domain.heap.read(count as usize);
    Ok((array, ELEMENTS + at as u32, count as usize))
}

/// CRC-32 of ISO 3309, reflected.
fn crc32(sum: u32, bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let (mut value, mut bit) = (at as u32, 0);
            while bit < 8 {
                value = if value & 1 == 0 { value >> 1 } else { value >> 1 ^ 0xedb8_8320 };
                bit += 1;
            }
            table[at] = value;
            at += 1;
        }
        table
    };
    !bytes.iter().fold(!sum, |sum, byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}

/// Adler-32 (RFC 1950).
pub(super) fn adler32(sum: u32, bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let (mut one, mut other) = (sum & 0xffff, sum >> 16);
    // So many additions do not overflow.
    for part in bytes.chunks(5552) {
        for byte in part {
            one += u32::from(*byte);
            other += one;
        }
        one %= MODULUS;
        other %= MODULUS;
    }
    other << 16 | one
}

#[cfg(test)]
mod tests {
    use super::{adler32, crc32};

    #[test]
    fn checksums_are_those_of_their_standards() {
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(crc32(0, b"12345"), b"6789"), 0xcbf4_3926);
        assert_eq!(adler32(1, b"Wikipedia"), 0x11e6_0398);
        assert_eq!(adler32(1, &[255; 100_000]), (0..100_000).fold(1, |sum, _| adler32(sum, &[255])));
    }
}
