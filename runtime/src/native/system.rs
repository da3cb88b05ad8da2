//! The system: properties, time, copying, standard input and output, the end.

use std::time::{SystemTime, UNIX_EPOCH};

use rustix::rand::{GetRandomFlags, getrandom};

use super::lang::{identity_hash, no, null};
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::class::{Kind, Shape};
use crate::domain::{Ended, HELD_MAX, Stream};
use crate::heap::{ELEMENTS, NULL, Ref};
use crate::interpret::Fault;
use crate::thread::Leaving;

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/System",
        &[
            ("arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
            ("currentTimeMillis", "()J", |_| Ok(Outcome::Long(since_epoch().as_millis() as i64))),
            ("nanoTime", "()J", |call| Ok(Outcome::Long(call.domain.began.elapsed().as_nanos() as i64))),
            ("identityHashCode", "(Ljava/lang/Object;)I", |call| {
                let object = call.reference(0);
                identity_hash(call, object).map(Outcome::Int)
            }),
            ("setIn0", "(Ljava/io/InputStream;)V", |call| set(call, b"in", b"Ljava/io/InputStream;")),
            ("setOut0", "(Ljava/io/PrintStream;)V", |call| set(call, b"out", b"Ljava/io/PrintStream;")),
            ("setErr0", "(Ljava/io/PrintStream;)V", |call| set(call, b"err", b"Ljava/io/PrintStream;")),
            ("mapLibraryName", "(Ljava/lang/String;)Ljava/lang/String;", |call| {
                Ok(Outcome::Reference(call.object(0)?))
            }),
        ],
    ),
    (
        "jdk/internal/util/SystemProps$Raw",
        &[
            ("vmProperties", "()[Ljava/lang/String;", vm_properties),
            ("platformProperties", "()[Ljava/lang/String;", platform_properties),
        ],
    ),
    ("java/lang/Shutdown", &[("beforeHalt", "()V", nothing), ("halt0", "(I)V", halt)]),
    (
        "jdk/internal/misc/VM",
        &[
            ("initialize", "()V", nothing),
            ("latestUserDefinedLoader0", "()Ljava/lang/ClassLoader;", super::modules::app),
            ("getNanoTimeAdjustment", "(J)J", |call| {
                let now = since_epoch();
                let seconds = now.as_secs() as i64 - call.long(0);
                Ok(Outcome::Long(seconds.saturating_mul(1_000_000_000) + i64::from(now.subsec_nanos())))
            }),
        ],
    ),
    (
        "jdk/internal/access/SharedSecrets",
        &[
            // All that it would do is to make a lookup for the other, and with that every fifth class that a short program loads.
            ("<clinit>", "()V", nothing),
            ("ensureClassInitialized", "(Ljava/lang/Class;)V", |call| {
                let class = call.class(0)?;
                call.initialized(class).map(|()| Outcome::Void)
            }),
        ],
    ),
    (
        "jdk/internal/misc/CDS",
        &[
            ("isDumpingClassList0", "()Z", no),
            ("isDumpingArchive0", "()Z", no),
            ("isSharingEnabled0", "()Z", no),
            ("getRandomSeedForDumping", "()J", |_| Ok(Outcome::Long(0))),
            ("initializeFromArchive", "(Ljava/lang/Class;)V", nothing),
            ("defineArchivedModules", "(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V", nothing),
        ],
    ),
    // Nobody else looks at counters, so any buffer will do for one.
    (
        "jdk/internal/perf/Perf",
        &[("createLong", "(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;", |call| {
            let buffers = call.core_class("java/nio/ByteBuffer")?;
            call.set_number(0, size_of::<u64>() as u64);
            let allocate = call.method_of(buffers, "allocate", "(I)Ljava/nio/ByteBuffer;")?;
            Ok(Outcome::Call(allocate, Leaving::Plain))
        })],
    ),
    (
        "jdk/internal/misc/Signal",
        &[
            ("findSignal0", "(Ljava/lang/String;)I", |_| Ok(Outcome::Int(-1))),
            ("handle0", "(IJ)J", |_| Ok(Outcome::Long(0))),
            ("raise0", "(I)V", nothing),
        ],
    ),
    ("java/lang/Terminator", &[("setup", "()V", nothing), ("teardown", "()V", nothing)]),
    (
        "java/io/FileDescriptor",
        &[
            ("getHandle", "(I)J", |_| Ok(Outcome::Long(-1))),
            ("getAppend", "(I)Z", no),
            ("close0", "()V", close),
            ("close", "()V", close),
        ],
    ),
    (
        "java/io/FileCleanable",
        &[
            ("register", "(Ljava/io/FileDescriptor;)V", nothing),
            ("unregister", "(Ljava/io/FileDescriptor;)V", nothing),
        ],
    ),
    (
        "java/io/FileOutputStream",
        &[
            ("writeBytes", "([BIIZ)V", write_bytes),
            ("write", "(IZ)V", write_byte),
            ("open0", "(Ljava/lang/String;Z)V", no_file),
        ],
    ),
    ("java/io/RandomAccessFile", &[("open0", "(Ljava/lang/String;I)V", no_file)]),
    (
        "java/io/FileInputStream",
        &[
            ("readBytes", "([BII)I", read_bytes),
            ("read0", "()I", read_byte),
            ("available0", "()I", no),
            ("position0", "()J", |_| Ok(Outcome::Long(0))),
            ("length0", "()J", |_| Ok(Outcome::Long(0))),
            ("skip0", "(J)J", |_| Ok(Outcome::Long(0))),
            ("open0", "(Ljava/lang/String;)V", open_file),
        ],
    ),
    // What it would gather itself a guest could guess: there are no files or networks here.
    (
        "sun/security/provider/SeedGenerator",
        &[
            ("<clinit>", "()V", nothing),
            ("getSystemEntropy", "()[B", |call| {
                let mut seed = [0; SEED];
                random(&mut seed)?;
                call.domain.new_bytes(&seed).map(Outcome::Reference)
            }),
            ("generateSeed", "([B)V", |call| {
                let seed = call.object(0)?;
                let length = call.domain.heap.space.length(seed)? as usize;
                // Making them takes far longer than moving them.
                call.domain.heap.read(length);
                random(call.domain.heap.space.bytes_mut(seed, ELEMENTS, length)?)?;
                Ok(Outcome::Void)
            }),
        ],
    ),
    // There is none, which the library takes for a reason to go on.
    (
        "java/net/NetworkInterface",
        &[("init", "()V", nothing), ("getAll", "()[Ljava/net/NetworkInterface;", null)],
    ),
    (
        "java/util/logging/LogManager",
        &[("getConfigurationFileName", "()Ljava/lang/String;", |call| {
            call.domain.new_text(LOGGING).map(Outcome::Reference)
        })],
    ),
];

/// Where the JDK would be. There are three files in it: the rules of time zones, who provides cryptography, and where messages
/// are logged.
const HOME: &str = "/java";
const TIME_ZONES: &str = "/java/lib/tzdb.dat";
const SECURITY: &str = "/java/conf/security/java.security";
const LOGGING: &str = "/java/conf/logging.properties";
const LOGGING_TEXT: &str = "handlers=java.util.logging.ConsoleHandler
.level=INFO
java.util.logging.ConsoleHandler.level=INFO
java.util.logging.ConsoleHandler.formatter=java.util.logging.SimpleFormatter
";
const SECURITY_TEXT: &str = "security.provider.1=SUN
security.provider.2=SunRsaSign
security.provider.3=SunJCE
securerandom.source=file:/dev/urandom
securerandom.strongAlgorithms=NativePRNGBlocking:SUN,DRBG:SUN
keystore.type=pkcs12
";
/// The first descriptor that is not standard input, output or error, and the one behind the last.
const DESCRIPTORS: std::ops::Range<i32> = 3..64;

/// Bytes that generators of random numbers begin with.
const SEED: usize = 48;

/// Fills it with random bytes of the operating system.
fn random(bytes: &mut [u8]) -> Result<(), Trap> {
    let mut filled = 0;
    while filled < bytes.len() {
        filled += getrandom(&mut bytes[filled..], GetRandomFlags::empty())
            .map_err(|error| Trap::New("java/lang/InternalError", Some(error.to_string())))?;
    }
    Ok(())
}

pub(super) fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn array_copy(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (from, to) = (call.object(0)?, call.object(2)?);
    let (at, behind, count) = (call.int(1), call.int(3), call.int(4));
    let space = &call.domain.heap.space;
    let universe = call.universe;
    let (one, other) = (space.class_of(from)?, space.class_of(to)?);
    let class = |id| universe.class(id).ok_or(Trap::Stray);
    let (source, target) = (class(one)?, class(other)?);
    let wrong = |message: String| Err(Trap::New("java/lang/ArrayStoreException", Some(message)));
    let named = |id| {
        let class: &crate::class::Class = id;
        match class.shape {
            Shape::Primitives(kind) => format!("{}[]", kind.keyword()),
            _ => "object array[]".to_owned(),
        }
    };
    let (Some(kind), Some(into)) = (source.elements(), target.elements()) else {
        let (which, id) = if source.elements().is_none() { ("source", one) } else { ("destination", other) };
        return wrong(format!("arraycopy: {which} type {} is not an array", universe.java_name(id)));
    };
    if kind != into {
        return wrong(format!(
            "arraycopy: type mismatch: can not copy {} into {}",
            named(source),
            named(target)
        ));
    }
    let (length, room) = (space.length(from)?, space.length(to)?);
    let bounds = |text: String| Err(Trap::New("java/lang/ArrayIndexOutOfBoundsException", Some(text)));
    let (what, what_to) = (named(source), named(target));
    if at < 0 || behind < 0 || count < 0 {
        let text = match (at, behind) {
            (at, _) if at < 0 => {
                format!("arraycopy: source index {at} out of bounds for {}", sized(&what, length))
            }
            (_, behind) if behind < 0 => {
                format!("arraycopy: destination index {behind} out of bounds for {}", sized(&what_to, room))
            }
            _ => format!("arraycopy: length {count} is negative"),
        };
        return bounds(text);
    }
    if i64::from(at) + i64::from(count) > i64::from(length) {
        let last = i64::from(at) + i64::from(count);
        return bounds(format!(
            "arraycopy: last source index {last} out of bounds for {}",
            sized(&what, length)
        ));
    }
    if i64::from(behind) + i64::from(count) > i64::from(room) {
        let last = i64::from(behind) + i64::from(count);
        return bounds(format!(
            "arraycopy: last destination index {last} out of bounds for {}",
            sized(&what_to, room)
        ));
    }
    let width = kind.bytes();
    let place = |index: i32| ELEMENTS + index as u32 * width;
    if let (Shape::References { element: have }, Shape::References { element: wanted }) =
        (source.shape, target.shape)
        && !universe.is_subclass(have, wanted)
    {
        // Each is looked at: what fits is copied up to the first that does not.
        call.domain.heap.read(count as usize * CHECKED);
        for index in 0..count {
            let value = call.domain.heap.space.u32(from, place(at + index))?;
            if value != NULL {
                let class = call.domain.heap.space.class_of(value)?;
                if !universe.is_subclass(class, wanted) {
                    return wrong(format!(
                        "arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the destination array, {}",
                        universe.java_name(have),
                        universe.java_name(wanted)
                    ));
                }
            }
            call.domain.heap.space.set_u32(to, place(behind + index), value)?;
        }
        return Ok(Outcome::Void);
    }
    let bytes = count as usize * width as usize;
    call.domain.heap.moved(bytes);
    call.domain.heap.space.copy_within((from, place(at)), (to, place(behind)), bytes)?;
    Ok(Outcome::Void)
}

/// What it takes to see whether an array can hold an object, as bytes that are read.
const CHECKED: usize = 32;

fn sized(what: &str, length: u32) -> String {
    match what.strip_suffix("[]") {
        Some(of) => format!("{of}[{length}]"),
        None => what.to_owned(),
    }
}

fn set(call: &mut Call<'_>, name: &[u8], descriptor: &[u8]) -> Result<Outcome, Trap> {
    let class = call.method.class;
    call.domain.set_static(class, name, descriptor, u64::from(call.reference(0)))?;
    Ok(Outcome::Void)
}

/// Pairs of texts as an array of strings, ended by nulls.
fn texts(call: &mut Call<'_>, texts: &[String]) -> Result<Outcome, Trap> {
    let bytes: usize = texts.iter().map(|text| 64 + 2 * text.len()).sum();
    call.room(bytes + 8 * texts.len() + 256)?;
    let mut strings = Vec::new();
    for text in texts {
        strings.push(call.domain.new_text(text)?);
    }
    strings.extend([NULL, NULL]);
    call.new_references("java/lang/String", &strings).map(Outcome::Reference)
}

fn vm_properties(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let mut all: Vec<String> = [
        ("java.home", HOME),
        ("java.vm.specification.name", "Java Virtual Machine Specification"),
        ("java.vm.specification.vendor", "Oracle Corporation"),
        ("java.vm.specification.version", "17"),
        ("java.vm.name", "Carnet"),
        ("java.vm.vendor", "Carnet"),
        ("java.vm.version", env!("CARGO_PKG_VERSION")),
        ("java.vm.info", "interpreted mode"),
        ("jdk.debug", "release"),
    ]
    .iter()
    .flat_map(|(name, value)| [(*name).to_owned(), (*value).to_owned()])
    .collect();
    // Nothing is found in folders.
    for (of, what) in [("java", "class"), ("java", "library"), ("sun.boot", "library")] {
        all.extend([format!("{of}.{what}.path"), String::new()]);
    }
    for (name, value) in &call.domain.properties {
        all.extend([name.clone(), value.clone()]);
    }
    texts(call, &all)
}

/// The indices of the JDK's table of platform properties are constants of the class.
fn platform_properties(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let values = [
        ("_file_encoding_NDX", "UTF-8"),
        ("_sun_jnu_encoding_NDX", "UTF-8"),
        ("_file_separator_NDX", "/"),
        ("_line_separator_NDX", "\n"),
        ("_path_separator_NDX", ":"),
        ("_java_io_tmpdir_NDX", "/tmp"),
        ("_os_arch_NDX", "amd64"),
        ("_os_name_NDX", "Linux"),
        ("_os_version_NDX", "5"),
        ("_display_language_NDX", "en"),
        ("_user_dir_NDX", "/"),
        ("_user_home_NDX", "/"),
        ("_user_name_NDX", "guest"),
        ("_sun_arch_data_model_NDX", "64"),
        ("_sun_cpu_endian_NDX", "little"),
        ("_sun_io_unicode_encoding_NDX", "UnicodeLittle"),
    ];
    let universe = call.universe;
    let class = universe.class(call.method.class).ok_or(Trap::Stray)?;
    let constant = |name: &str| {
        let field = class.fields.iter().find(|field| universe.symbols.text(field.name) == name.as_bytes())?;
        match class.constant(field.constant) {
            crate::class::Constant::Integer(value) => usize::try_from(value).ok(),
            _ => None,
        }
    };
    let count = constant("FIXED_LENGTH").filter(|count| *count < 1024).ok_or(Trap::Stray)?;
    call.room(4096)?;
    let mut strings: Vec<Ref> = vec![NULL; count];
    for (name, value) in values {
        let string = call.domain.new_text(value)?;
        if let Some(place) = constant(name).and_then(|at| strings.get_mut(at)) {
            *place = string;
        }
    }
    call.new_references("java/lang/String", &strings).map(Outcome::Reference)
}

fn halt(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    Err(Trap::End(Ended::Exit(call.int(0))))
}

fn descriptor(call: &Call<'_>) -> Result<i32, Trap> {
    let descriptor = call.domain.get_field(call.object(0)?, b"fd", b"Ljava/io/FileDescriptor;")?;
    if descriptor == NULL {
        return Err(Trap::Fault(Fault::Null));
    }
    Ok(call.domain.get_field(descriptor, b"fd", b"I")? as i32)
}

fn io_error(text: impl ToString) -> Trap {
    Trap::New("java/io/IOException", Some(text.to_string()))
}

/// An error with HotSpot's text: that of the system, without its number.
fn failed(error: std::io::Error) -> Trap {
    io_error(error.to_string().split(" (os error").next().unwrap_or_default())
}

/// Writes `count` bytes, of which `piece` has those from an index on: as far as that does not wait, and the rest when it is called again.
fn write(
    call: &mut Call<'_>,
    count: usize,
    piece: impl Fn(&Call<'_>, usize) -> Result<Vec<u8>, Trap>,
) -> Result<Outcome, Trap> {
    let stream = match descriptor(call)? {
        1 => Stream::Output,
        2 => Stream::Error,
        _ => return Err(io_error("Bad file descriptor")),
    };
    let mut done = std::mem::replace(&mut call.thread.phase, 0) as usize;
    while done < count {
        let bytes = piece(call, done)?;
        call.domain.heap.moved(bytes.len());
        match call.domain.write(call.thread, stream, &bytes).map_err(failed)? {
            0 => {
                call.thread.phase = done as u32;
                return Err(Trap::Wait);
            }
            taken => done += taken,
        }
    }
    Ok(Outcome::Void)
}

/// A range of an array argument of bytes.
fn range(call: &Call<'_>, slot: usize) -> Result<(Ref, u32, usize), Trap> {
    let array = call.object(slot)?;
    let (at, count) = (call.int(slot + 1), call.int(slot + 2));
    let length = call.domain.heap.space.length(array)?;
    let fits = at >= 0 && count >= 0 && i64::from(at) + i64::from(count) <= i64::from(length);
    if !fits {
        return Err(Trap::New("java/lang/IndexOutOfBoundsException", None));
    }
    Ok((array, ELEMENTS + at as u32, count as usize))
}

fn write_bytes(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (array, at, count) = range(call, 1)?;
    write(call, count, |call, done| {
        let rest = (count - done).min(HELD_MAX);
        Ok(call.domain.heap.space.bytes(array, at + done as u32, rest)?.to_vec())
    })
}

fn write_byte(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let byte = call.int(1) as u8;
    write(call, 1, |_, _| Ok(vec![byte]))
}

/// Reads standard input: a worker does, and this is called again when it is done.
fn read(call: &mut Call<'_>, count: usize) -> Result<Vec<u8>, Trap> {
    let descriptor = descriptor(call)?;
    if let Some((file, at)) = call.domain.held.files.get_mut(&descriptor) {
        let rest = file.get(*at..).unwrap_or_default();
        let read = rest.get(..count).unwrap_or(rest);
        *at += read.len();
        return Ok(read.to_vec());
    }
    if descriptor != 0 {
        return Err(io_error("Bad file descriptor"));
    }
    match call.thread.answer.take() {
        Some(answer) => answer.map_err(failed),
        None => {
            // Who is asked has read the question.
            call.domain.pass_output_on();
            call.domain.read_input(call.thread.id, count).map_err(failed)?;
            call.thread.wait = crate::thread::Wait::Work;
            Err(Trap::Wait)
        }
    }
}

fn read_bytes(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let (array, at, count) = range(call, 1)?;
    if count == 0 {
        return Ok(Outcome::Int(0));
    }
    let bytes = read(call, count.min(64 << 10))?;
    call.domain.heap.space.bytes_mut(array, at, bytes.len())?.copy_from_slice(&bytes);
    Ok(Outcome::Int(if bytes.is_empty() { -1 } else { bytes.len() as i32 }))
}

fn read_byte(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let bytes = read(call, 1)?;
    Ok(Outcome::Int(bytes.first().map_or(-1, |byte| i32::from(*byte))))
}

/// `open0(name)`: there are no files here, but those that the library reads itself.
fn open_file(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let name = call.name(1)?;
    let bytes = match name.as_str() {
        TIME_ZONES => call.universe.class_path().time_zones().map_err(|reason| missing(&name, &reason))?,
        SECURITY => Some(SECURITY_TEXT.as_bytes().into()),
        LOGGING => Some(LOGGING_TEXT.as_bytes().into()),
        _ => None,
    };
    let Some(bytes) = bytes else { return Err(not_there(&name)) };
    let files = &mut call.domain.held.files;
    let free = DESCRIPTORS.into_iter().find(|descriptor| !files.contains_key(descriptor));
    let free = free.ok_or_else(|| missing(&name, "too many open files"))?;
    files.insert(free, (bytes, 0));
    let descriptor = call.domain.get_field(call.object(0)?, b"fd", b"Ljava/io/FileDescriptor;")?;
    call.domain.set_field(descriptor, b"fd", b"I", free as u32)?;
    Ok(Outcome::Void)
}

/// `getBooleanAttributes0(file)`: whether it exists (1) and is a regular file (2).
pub(super) fn file_attributes(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let path = call.domain.get_field(call.object(1)?, b"path", b"Ljava/lang/String;")?;
    let is_there = matches!(call.domain.name_of(path)?.as_str(), TIME_ZONES | SECURITY | LOGGING);
    Ok(Outcome::Int(if is_there { 3 } else { 0 }))
}

/// `FileDescriptor.close`
fn close(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let descriptor = call.object(0)?;
    let number = call.domain.get_field(descriptor, b"fd", b"I")? as i32;
    if call.domain.held.files.remove(&number).is_some() {
        call.domain.set_field(descriptor, b"fd", b"I", -1_i32 as u32)?;
    }
    Ok(Outcome::Void)
}

fn no_file(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    Err(not_there(&call.name(1)?))
}

fn missing(name: &str, reason: &str) -> Trap {
    Trap::New("java/io/FileNotFoundException", Some(format!("{name} ({reason})")))
}

/// As Linux says it where nothing is there: it looks for the first folder, or file, and for nothing behind it.
fn not_there(path: &str) -> Trap {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_long = path.len() >= PATH_BYTES || first.len() > FILE_NAME_BYTES_MAX;
    missing(path, if is_long { TOO_LONG } else { "No such file or directory" })
}

/// No path of Linux has so many bytes.
pub(super) const PATH_BYTES: usize = 4096;
/// No name of a file or folder has more.
const FILE_NAME_BYTES_MAX: usize = 255;
pub(super) const TOO_LONG: &str = "File name too long";

const _: Kind = Kind::Byte;
