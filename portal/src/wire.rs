//! The message format between processes, byte by byte. This file is its specification.
//!
//! It says what frames look like; it does not send them (`stream`), does not turn arguments into words
//! (`message`), and judges no content beyond what the layout itself needs.
//!
//! A connection carries frames back to back, both ways, without padding between them. All numbers are
//! little-endian. Sections within a frame begin at multiples of 8 from its start.
//!
//! ```text
//! request  0        4      5         6      8          12       16
//!          ┌────────┬──────┬─────────┬──────┬──────────┬────────┬───────┬─────────┬──────┐
//!          │ len 32 │kind 8│portals 8│ op 16│ target 32│ call 32│ words │ portals │ data │
//!          └────────┴──────┴─────────┴──────┴──────────┴────────┴───────┴─────────┴──────┘
//! reply    0        4      5         6          8        12        14     16
//!          ┌────────┬──────┬─────────┬──────────┬────────┬─────────┬──────┬───────┬─────────┬──────┐
//!          │ len 32 │kind 8│portals 8│ status 16│ call 32│raised 16│zero16│ words │ portals │ data │
//!          └────────┴──────┴─────────┴──────────┴────────┴─────────┴──────┴───────┴─────────┴──────┘
//! ```
//!
//! | field | meaning |
//! | --- | --- |
//! | `len` | bytes of the whole frame, header included; checked before memory is taken |
//! | `kind` | see [`kind`] |
//! | `portals` | number of portal ids |
//! | `op` | operation number *in the caller's descriptor*; the server translates it (see [`Hello`]) |
//! | `target` | portal that is called; 1 is the session's root object |
//! | `call` | chosen by the caller, comes back in the reply; 0 is the session itself |
//! | `status` | 0, or the number of a [`Kind`](crate::call::Kind) |
//! | `raised` | the exception's `kind`, if `status` is `Raised` |
//! | words | request: in and inout words; reply: inout and out words (none if it failed) |
//! | portals | `u32` ids, padded with zeros to a multiple of 8; 0 is the null portal |
//! | data | what reference words point into; of a failed reply, the message as UTF-8 |
//!
//! **Register messages.** A call of at most six words without data is at most 64 bytes: one cache line.
//!
//! **Words.** Scalars are extended to 64 bits. A string, bytes or list is a
//! [`Ref`](crate::call::Ref) with area 0, offset into the data section, and length. A portal is an index
//! into the frame's portal ids. Each item of the data section begins at a multiple of 8. A list's item is
//!
//! ```text
//! ┌──────────┬─────────────────────────┬───────────────────┐
//! │ count 64 │ count × stride words    │ bytes             │  string fields refer into `bytes`,
//! └──────────┴─────────────────────────┴───────────────────┘  with area 0
//! ```
//!
//! References of a message name no more bytes together than its data section has, and those of its lists' elements no more than that, or
//! 2 MiB if it has less: whoever sends it puts bytes of its own there for each word.
//!
//! Within another value a list is bytes: such an item, whose references that are not empty take all `bytes`, one behind the other in the
//! order of the words, so that no two share any; or none, if it has no elements.
//!
//! **Session frames** (`op` and `target` 0 unless said):
//!
//! | kind | data | answer |
//! | --- | --- | --- |
//! | Hello | [`Hello`], at most [`HELLO_BYTES_MAX`] | none, so that it costs no round trip; calls on a root that the client takes for something else are refused, or a farewell says so |
//! | Call | words, portals, data | Reply |
//! | Release | at most [`RELEASE_PAIRS_MAX`] pairs of `u32`: portal id, receipts | none |
//! | Describe | nothing | Reply whose data is a [`Description`] |
//! | Share | [`Share`], as the first frame over a Unix socket | Reply with [`Shared`] and a descriptor |
//! | Memory | the content; through shared memory its length as `u64`, and a descriptor beside | Reply with one portal |
//! | Map | nothing, with one portal | Reply whose data is a `u64`, the length, with a descriptor beside; or nothing |
//! | Token | the client's token, 1 to 256 bytes | none if it is admitted |
//! | 16..=126 | an entry point's own, with portals | Progress replies, then one Reply |
//! | Relayed | nothing, or a [`Label`]: `principal u64  process u64` | Reply whose data is a `u64`: how many sessions a process like the client's may have |
//!
//! *Beside* is over the socket on which the memory was shared: the number of the call as `u32`, and with it the descriptor of a
//! memory file that is sealed against all change, sent before the frame. An answer of nothing to Map says: read it by calls.
//!
//! Relayed says whom a relay has the session for; it says that once. Servers of earlier versions answer it as a request to an entry point that
//! they do not know, with a failure.
//!
//! A client's first frame is Hello, or Share. Over TCP, which is always inside TLS, a client that showed no certificate
//! sends Token before it; nothing else is read until it is admitted, and nowhere else is Token a frame. A failed Reply
//! with call 0 is a farewell: the server says why it ends
//! the session (too many of them, another user, nonsense, shutdown), and closes.

use crate::call::Label;

/// First bytes of every Hello.
pub const MAGIC: [u8; 8] = *b"\x89carnet\n";

/// Version of this format.
pub const VERSION: u32 = 1;

/// Bytes of a frame's header.
pub const HEADER_BYTES: usize = 16;

/// Largest frame unless configured: 1 MiB of data, as much again for the rest.
pub const FRAME_BYTES_MAX: u32 = 2 << 20;

/// Largest frame that can be configured: what a reference word can name.
pub const FRAME_BYTES_LIMIT: u32 = 16 << 20;

/// Most pairs in a Release, so that no frame takes others long.
pub const RELEASE_PAIRS_MAX: usize = 1 << 10;

/// Bytes of a Hello's data, for the same reason: some 7,000 operations. The compiler takes no module that has more to say.
pub const HELLO_BYTES_MAX: usize = carnet_idl::limits::HELLO_BYTES_MAX;

/// The call number of the session itself.
pub const CALL_SESSION: u32 = 0;

/// Kinds of frames.
pub mod kind {
    /// First frame of a client.
    pub const HELLO: u8 = 1;
    /// Calls an operation of an object.
    pub const CALL: u8 = 2;
    /// Answers a request.
    pub const REPLY: u8 = 3;
    /// Gives portals back.
    pub const RELEASE: u8 = 4;
    /// Asks what the server is.
    pub const DESCRIBE: u8 = 5;
    /// Asks for shared memory, before Hello; Hello and all that follows then goes through that.
    pub const SHARE: u8 = 6;
    /// Says who the client is: before Hello, where the transport does not say it.
    pub const TOKEN: u8 = 7;
    /// Hands memory over.
    pub const MEMORY: u8 = 8;
    /// Asks for the memory behind a portal.
    pub const MAP: u8 = 9;
    /// First kind of entry points.
    pub const ENTRY_FIRST: u8 = 16;
    /// Last kind of entry points.
    pub const ENTRY_LAST: u8 = 126;
    /// Says whom a relay has the session for, and asks how many sessions it may have.
    pub const RELAYED: u8 = 127;
    /// Set in a reply that is not the last one to its request.
    pub const PROGRESS: u8 = 0x80;
}

/// Header of a frame from client to server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Bytes of the frame.
    pub len: u32,
    /// Kind of the frame.
    pub kind: u8,
    /// Number of portal ids.
    pub portals: u8,
    /// Operation, in the caller's numbers.
    pub op: u16,
    /// Portal that is called.
    pub target: u32,
    /// Number of the call.
    pub call: u32,
}

impl Request {
    /// The header as bytes.
    #[inline]
    #[must_use]
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4] = self.kind;
        bytes[5] = self.portals;
        bytes[6..8].copy_from_slice(&self.op.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.target.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.call.to_le_bytes());
        bytes
    }

    /// Reads the header of a frame; `None` if there are fewer bytes than a header has.
    #[inline]
    #[must_use]
    pub fn decode(frame: &[u8]) -> Option<Request> {
        let header: &[u8; HEADER_BYTES] = frame.first_chunk()?;
        Some(Request {
            len: u32_at(header, 0),
            kind: header[4],
            portals: header[5],
            op: u16_at(header, 6),
            target: u32_at(header, 8),
            call: u32_at(header, 12),
        })
    }
}

/// Header of a frame from server to client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Bytes of the frame.
    pub len: u32,
    /// Kind of the frame: [`kind::REPLY`], perhaps with [`kind::PROGRESS`].
    pub kind: u8,
    /// Number of portal ids.
    pub portals: u8,
    /// 0, or the number of a [`Kind`](crate::call::Kind).
    pub status: u16,
    /// Number of the call that is answered.
    pub call: u32,
    /// The exception's `kind`.
    pub raised: u16,
}

impl Reply {
    /// The header as bytes.
    #[inline]
    #[must_use]
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..4].copy_from_slice(&self.len.to_le_bytes());
        bytes[4] = self.kind;
        bytes[5] = self.portals;
        bytes[6..8].copy_from_slice(&self.status.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.call.to_le_bytes());
        bytes[12..14].copy_from_slice(&self.raised.to_le_bytes());
        bytes
    }

    /// Reads the header of a frame; `None` if there are fewer bytes than a header has, or the zero
    /// is not zero.
    #[inline]
    #[must_use]
    pub fn decode(frame: &[u8]) -> Option<Reply> {
        let header: &[u8; HEADER_BYTES] = frame.first_chunk()?;
        if u16_at(header, 14) != 0 {
            return None;
        }
        Some(Reply {
            len: u32_at(header, 0),
            kind: header[4],
            portals: header[5],
            status: u16_at(header, 6),
            call: u32_at(header, 8),
            raised: u16_at(header, 12),
        })
    }
}

/// The length that a frame says it has; `None` if its first bytes are not there yet.
#[inline]
#[must_use]
pub fn frame_len(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Bytes that `count` portal ids take.
#[inline]
#[must_use]
pub const fn portal_bytes(count: usize) -> usize {
    (count * 4).next_multiple_of(8)
}

/// Where the sections of a frame lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sections {
    /// First byte of the portal ids, counted from the start of the frame.
    pub portals: usize,
    /// First byte of the data.
    pub data: usize,
}

impl Sections {
    /// The sections of a frame of `len` bytes with `words` words and `portals` portal ids; `None` if they
    /// do not fit into it.
    #[inline]
    #[must_use]
    pub const fn of(len: usize, words: usize, portals: usize) -> Option<Sections> {
        let at = HEADER_BYTES + words * 8;
        let data = at + portal_bytes(portals);
        if data > len { None } else { Some(Sections { portals: at, data }) }
    }
}

/// What a client says first: which interfaces it was compiled against. The server keeps, for its
/// session, a table from the client's operation numbers to its own, so that either side may have
/// operations that the other lacks.
///
/// ```text
/// magic [8]  version u32  module text  root text  count u32  count × { name text, hash u64,
///                                                             count u32, count × hash u64 }
/// ```
/// where text is a `u32` length and as many bytes. An empty module says that the client has no descriptor
/// and uses the server's numbers; an empty root says that it does not know what the root is.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hello {
    /// Name of the client's module.
    pub module: String,
    /// Interface that the client takes the root object for.
    pub root: String,
    /// Its interfaces.
    pub interfaces: Vec<HelloInterface>,
}

/// An interface in a [`Hello`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelloInterface {
    /// Name, without the module.
    pub name: String,
    /// Hash of the interface.
    pub hash: u64,
    /// Hashes of its operations, by the client's operation number.
    pub operations: Vec<u64>,
}

/// What is wrong with the content of a [`Hello`] or [`Description`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It does not begin with [`MAGIC`].
    Magic,
    /// It has this version, and ours is [`VERSION`].
    Version(u32),
    /// It ends before it is complete.
    Short,
    /// Something follows it.
    Long,
    /// A name is not UTF-8.
    Name,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Malformed::Magic => f.write_str("it does not begin as a Hello of Carnet does"),
            Malformed::Version(found) => {
                write!(f, "version {found} of the message format, where version {VERSION} is spoken")
            }
            Malformed::Short => f.write_str("it is shorter than it says"),
            Malformed::Long => f.write_str("something follows its end"),
            Malformed::Name => f.write_str("a name in it is not UTF-8"),
        }
    }
}

impl Hello {
    /// Appends the data section.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        put_u32(out, VERSION);
        put_text(out, self.module.as_bytes());
        put_text(out, self.root.as_bytes());
        put_u32(out, len_u32(self.interfaces.len()));
        for interface in &self.interfaces {
            put_text(out, interface.name.as_bytes());
            out.extend_from_slice(&interface.hash.to_le_bytes());
            put_u32(out, len_u32(interface.operations.len()));
            for hash in &interface.operations {
                out.extend_from_slice(&hash.to_le_bytes());
            }
        }
    }

    /// Reads the data section.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(data: &[u8]) -> Result<Hello, Malformed> {
        let mut reader = Reader(data);
        reader.begin()?;
        let mut hello = Hello { module: reader.name()?, root: reader.name()?, interfaces: Vec::new() };
        for _ in 0..reader.u32()? {
            hello.interfaces.push(HelloInterface::decode(&mut reader)?);
        }
        reader.end()?;
        Ok(hello)
    }
}

impl HelloInterface {
    fn decode(reader: &mut Reader<'_>) -> Result<HelloInterface, Malformed> {
        let name = reader.name()?;
        let hash = reader.u64()?;
        let mut operations = Vec::new();
        for _ in 0..reader.u32()? {
            operations.push(reader.u64()?);
        }
        Ok(HelloInterface { name, hash, operations })
    }
}

/// What a client asks for that wants to go on through shared memory: `magic [8]  version u32  ring u32`. It sends
/// nothing behind it until the answer is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Bytes of each of the two rings that the client would like; the server may give less.
    pub ring: u32,
}

impl Share {
    /// Appends the data section.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        put_u32(out, VERSION);
        put_u32(out, self.ring);
    }

    /// Reads the data section.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(data: &[u8]) -> Result<Share, Malformed> {
        let mut reader = Reader(data);
        reader.begin()?;
        let share = Share { ring: reader.u32()? };
        reader.end()?;
        Ok(share)
    }
}

/// What a server answers to [`Share`]: `ring u32`. With the first byte of the frame comes the descriptor of the
/// memory, whose layout is said in the crate `carnet-queue`. The socket stays open and carries no frames any more: its end is
/// the end of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Bytes of each of the two rings.
    pub ring: u32,
}

impl Shared {
    /// Appends the data section.
    pub fn encode(&self, out: &mut Vec<u8>) {
        put_u32(out, self.ring);
    }

    /// Reads the data section.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(data: &[u8]) -> Result<Shared, Malformed> {
        let mut reader = Reader(data);
        let shared = Shared { ring: reader.u32()? };
        reader.end()?;
        Ok(shared)
    }
}

/// What a server says of itself: `root u16, then server, version, module, policy`, each a text as in
/// [`Hello`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Description {
    /// Index in the module of the root object's interface.
    pub root: u16,
    /// Name that the host gave the server.
    pub server: String,
    /// Version of the server's program.
    pub version: String,
    /// The encoded descriptor of the root object's module.
    pub module: Vec<u8>,
    /// The host's policy, for entry points to understand; may be empty.
    pub policy: Vec<u8>,
}

impl Description {
    /// Appends the data section.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.root.to_le_bytes());
        put_text(out, self.server.as_bytes());
        put_text(out, self.version.as_bytes());
        put_text(out, &self.module);
        put_text(out, &self.policy);
    }

    /// Reads the data section.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn decode(data: &[u8]) -> Result<Description, Malformed> {
        let mut reader = Reader(data);
        let description = Description {
            root: reader.u16()?,
            server: reader.name()?,
            version: reader.name()?,
            module: reader.text()?.to_vec(),
            policy: reader.text()?.to_vec(),
        };
        reader.end()?;
        Ok(description)
    }
}

impl Label {
    /// The data section of Relayed.
    pub(crate) fn encode(self) -> [u8; 16] {
        let mut data = [0; 16];
        data[..8].copy_from_slice(&self.principal.to_le_bytes());
        data[8..].copy_from_slice(&self.process.to_le_bytes());
        data
    }

    /// Reads that.
    ///
    /// # Errors
    /// [`Malformed`].
    pub(crate) fn decode(data: &[u8]) -> Result<Label, Malformed> {
        let mut reader = Reader(data);
        let label = Label { principal: reader.u64()?, process: reader.u64()? };
        reader.end()?;
        Ok(label)
    }
}

/// Reads what lies in a data section; no length in it is believed before it is compared with what is there.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Malformed::Short)?;
        self.0 = rest;
        Ok(taken)
    }

    /// Magic and version.
    fn begin(&mut self) -> Result<(), Malformed> {
        if self.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
            return Err(Malformed::Magic);
        }
        match self.u32()? {
            VERSION => Ok(()),
            version => Err(Malformed::Version(version)),
        }
    }

    fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16_at(self.take(2)?, 0))
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32_at(self.take(4)?, 0))
    }

    fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64_at(self.take(8)?, 0))
    }

    fn text(&mut self) -> Result<&'a [u8], Malformed> {
        let len = self.u32()?;
        self.take(usize::try_from(len).map_err(|_| Malformed::Short)?)
    }

    fn name(&mut self) -> Result<String, Malformed> {
        std::str::from_utf8(self.text()?).map(str::to_owned).map_err(|_| Malformed::Name)
    }

    fn end(&self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed::Long) }
    }
}

fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    put_u32(out, len_u32(text.len()));
    out.extend_from_slice(text);
}

/// A length that a frame can hold; what is longer becomes too long for any frame, and is refused as that.
fn len_u32(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// The `u16` at `at`.
///
/// # Panics
/// If `bytes` ends before; callers have checked the length.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// The `u32` at `at`; panics as [`u16_at`].
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

/// The `u64` at `at`; panics as [`u16_at`].
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
