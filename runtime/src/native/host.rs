//! What a program is told of its surroundings: of processes itself alone, as number 1; of hosts the one that it is on, as `localhost`;
//! and there are no native libraries but what the JDK's classes load, which are [these](super).

use super::lang::{no, null};
use super::modules::is_library;
use super::system::since_epoch;
use super::{Call, Outcome, Rows, Trap, nothing};
use crate::heap::{ELEMENTS, NULL};

pub(super) const NATIVES: &[(&str, Rows)] = &[
    (
        "java/lang/ProcessHandleImpl",
        &[
            ("initNative", "()V", nothing),
            ("getCurrentPid0", "()J", |_| Ok(Outcome::Long(OWN))),
            // When it began is not told.
            ("isAlive0", "(J)J", |call| Ok(Outcome::Long(if call.long(0) == OWN { 0 } else { NONE }))),
            ("parent0", "(JJ)J", |_| Ok(Outcome::Long(NONE))),
            ("getProcessPids0", "(J[J[J[J)I", processes),
        ],
    ),
    ("java/lang/ProcessHandleImpl$Info", &[("info0", "(J)V", nothing)]),
    (
        "java/lang/ClassLoader",
        &[
            (
                "loadLibrary",
                "(Ljava/lang/Class;Ljava/lang/String;)Ljdk/internal/loader/NativeLibrary;",
                |call| {
                    library(call, |name| format!("no {name} in {}: ", ["java", "library", "path"].join(".")))
                },
            ),
            ("loadLibrary", "(Ljava/lang/Class;Ljava/io/File;)Ljdk/internal/loader/NativeLibrary;", |call| {
                let file = call.object(1)?;
                let path = call.domain.get_field(file, b"path", b"Ljava/lang/String;")?;
                call.set_reference(1, path);
                library(call, |path| format!("Can't load library: {path}"))
            }),
        ],
    ),
    ("java/lang/ProcessImpl", INIT),
    ("java/net/InetAddress", INIT),
    ("java/net/Inet4Address", INIT),
    ("java/net/Inet6Address", INIT),
    ("java/net/InetAddressImplFactory", &[("isIPv6Supported", "()Z", no)]),
    (
        "java/net/Inet4AddressImpl",
        &[
            ("getLocalHostName", "()Ljava/lang/String;", |call| {
                call.domain.new_text("localhost").map(Outcome::Reference)
            }),
            ("lookupAllHostAddr", "(Ljava/lang/String;)[Ljava/net/InetAddress;", |call| {
                Err(Trap::New(UNKNOWN, Some(call.name(1)?)))
            }),
            ("getHostByAddr", "([B)Ljava/lang/String;", |_| Err(Trap::New(UNKNOWN, None))),
            ("isReachable0", "([BI[BI)Z", no),
        ],
    ),
    ("java/net/SocketImpl", &[("createPlatformSocketImpl", "(Z)Ljava/net/SocketImpl;", no_network)]),
    (
        "java/net/DatagramSocket",
        &[(
            "createDelegate",
            "(Ljava/net/SocketAddress;Ljava/lang/Class;)Ljava/net/DatagramSocket;",
            no_network,
        )],
    ),
    // It would take memory that is not the heap's.
    (
        "java/nio/ByteBuffer",
        &[("allocateDirect", "(I)Ljava/nio/ByteBuffer;", |call| {
            let message = format!("{}: there are no direct buffers", call.universe.method_name(call.method));
            Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)))
        })],
    ),
    (
        "java/nio/channels/spi/SelectorProvider",
        &[("provider", "()Ljava/nio/channels/spi/SelectorProvider;", no_network)],
    ),
    (
        "sun/nio/ch/IOUtil",
        &[("iovMax", "()I", |_| Ok(Outcome::Int(1))), ("fdLimit", "()I", |_| Ok(Outcome::Int(64)))],
    ),
    ("sun/nio/ch/FileDispatcherImpl", INIT),
    (
        "sun/nio/ch/FileChannelImpl",
        &[
            ("initIDs", "()J", |_| Ok(Outcome::Long(PAGE))),
            ("maxDirectTransferSize0", "()I", |_| Ok(Outcome::Int(i32::MAX))),
        ],
    ),
    (
        "java/io/FileDescriptor",
        // As of a pipe.
        &[("sync", "()V", |_| Err(Trap::New("java/io/SyncFailedException", Some("sync failed".to_owned()))))],
    ),
    (
        "sun/management/VMManagementImpl",
        &[
            ("getVersion0", "()Ljava/lang/String;", |call| {
                call.domain.new_text("3.0").map(Outcome::Reference)
            }),
            ("initOptionalSupportFields", "()V", nothing),
            ("getProcessId", "()I", |_| Ok(Outcome::Int(OWN as i32))),
            ("getAvailableProcessors", "()I", |_| Ok(Outcome::Int(1))),
            ("getUptime0", "()J", |call| Ok(Outcome::Long(uptime(call)))),
            ("getStartupTime", "()J", |call| {
                Ok(Outcome::Long(since_epoch().as_millis() as i64 - uptime(call)))
            }),
            ("getVmArguments0", "()[Ljava/lang/String;", |call| {
                call.new_references("java/lang/String", &[]).map(Outcome::Reference)
            }),
        ],
    ),
];

/// What would look for fields.
const INIT: Rows = &[("init", "()V", nothing)];
/// The program's own process.
const OWN: i64 = 1;
/// No process.
const NONE: i64 = -1;
/// Bytes of a page.
const PAGE: i64 = 4096;
const UNKNOWN: &str = "java/net/UnknownHostException";

/// For how many milliseconds it has run.
fn uptime(call: &Call<'_>) -> i64 {
    call.domain.began.elapsed().as_millis() as i64
}

/// `getProcessPids0(long parent, long[] own, long[] parents, long[] begun)`: of all, if that is 0; else the children.
fn processes(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let own = call.object(2)?;
    let is_asked = call.long(0) == 0 && call.domain.heap.space.length(own)? > 0;
    if is_asked {
        call.domain.heap.space.set_u64(own, ELEMENTS, OWN as u64)?;
    }
    Ok(Outcome::Int(i32::from(is_asked)))
}

/// `loadLibrary(Class, …)` with a text as the second argument.
fn library(call: &mut Call<'_>, refusal: fn(String) -> String) -> Result<Outcome, Trap> {
    if call.reference(0) != NULL && is_library(call, call.class(0)?) {
        return null(call);
    }
    Err(Trap::New("java/lang/UnsatisfiedLinkError", Some(refusal(call.name(1)?))))
}

fn no_network(call: &mut Call<'_>) -> Result<Outcome, Trap> {
    let message = format!("{}: there is no network", call.universe.method_name(call.method));
    Err(Trap::New("java/lang/UnsupportedOperationException", Some(message)))
}
