//! The service in Rust, and a session of raw messages with it.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, PortalIn, Served};
use carnet_portal::wire::{CALL_SESSION, HEADER_BYTES, Hello, Reply, Request, kind};

use super::message::Body;
use super::stubs::*;
use super::{Answer, BASE_PORTAL, ROOT_PORTAL, STRANGE_PORTAL};

/// A server that does not answer for so long hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Gives back what it gets.
pub(super) struct Mirror;

/// Has another interface than everything else.
struct Nobody;

impl StrangerService for Nobody {
    fn nothing(&self, _: &Caller) -> Result<(), Failure> {
        Ok(())
    }
}

fn stranger() -> Served<Stranger> {
    static ONE: LazyLock<Served<Stranger>> = LazyLock::new(|| Stranger::serve(Nobody));
    ONE.clone()
}

fn plainer() -> Served<Base> {
    static ONE: LazyLock<Served<Base>> = LazyLock::new(|| Base::serve(Mirror));
    ONE.clone()
}

fn given<I>(portal: &PortalIn<'_, I>) -> Served<I> {
    Served::new(Arc::clone(portal.capability().object()))
}

fn returned(link: &LinkGiven<'_>) -> LinkReturned {
    LinkReturned { base: given(&link.base), name: link.name.clone() }
}

/// Of lists whose elements are one value.
macro_rules! lists {
    ($($name:ident: $element:ty => $list:ident, $push:expr;)*) => {
        $(fn $name(&self, _: &Caller, a: &[$element], result: &mut $list<'_>) -> Result<(), Failure> {
            assert!(a.iter().all(|each| $push(&mut *result, each)), "a list that was taken has no room");
            Ok(())
        })*
    };
}

macro_rules! values {
    ($($name:ident: $value:ty;)*) => {
        $(fn $name(&self, _: &Caller, a: &$value) -> Result<$value, Failure> {
            Ok(a.clone())
        })*
    };
}

impl BaseService for Mirror {
    fn level(&self, _: &Caller) -> Result<i32, Failure> {
        Ok(-7)
    }

    fn set_level(&self, _: &Caller, _: i32) -> Result<(), Failure> {
        Ok(())
    }

    fn name(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(b"mirror"));
        Ok(())
    }

    fn set_name(&self, _: &Caller, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }

    fn shade(&self, _: &Caller) -> Result<Shade, Failure> {
        Ok(Shade::Dim)
    }

    values! {
        numbers: Numbers;
        tables: Tables;
        value: Value;
        many: Many;
        truth: Truth;
        letter: Letter;
        wide: Wide;
        mixed: Mixed;
        shelf: Shelf;
        held: Held;
        chosen: Chosen;
        rows: [Vec<Shade>; 2];
    }

    fn several(
        &self,
        _: &Caller,
        a: &Value,
        _: &mut [i32; 3],
        c: &[u8],
        e: &mut BytesOut<'_>,
    ) -> Result<Value, Failure> {
        assert!(e.extend(c));
        Ok(a.clone())
    }

    fn texts_both(&self, _: &Caller, _: &mut Vec<u8>, _: &mut Vec<u8>, _: &mut Named) -> Result<(), Failure> {
        Ok(())
    }

    fn shapes_both(
        &self,
        _: &Caller,
        _: &mut Mixed,
        _: &mut Value,
        _: &mut [u8; 16],
        _: &mut Named,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn lists_both(
        &self,
        _: &Caller,
        _: &mut Vec<Labelled>,
        _: &mut Vec<Vec<u8>>,
        _: &mut Vec<i16>,
    ) -> Result<(), Failure> {
        Ok(())
    }

    fn portals_both(
        &self,
        _: &Caller,
        a: PortalIn<'_, Base>,
        b: &LinkGiven<'_>,
        c: &[LinkGiven<'_>],
        d: &[PortalIn<'_, Base>],
    ) -> Result<(Served<Base>, LinkReturned, Vec<LinkReturned>, Vec<Served<Base>>), Failure> {
        Ok((given(&a), returned(b), c.iter().map(returned).collect(), d.iter().map(given).collect()))
    }

    lists! {
        labelled: Labelled => LabelledList, |to: &mut LabelledList<'_>, each: &Labelled| to.push(&each.value, each.at);
        manies: Many => ManyList, |to: &mut ManyList<'_>, each| to.push(each);
        mixes: Mixed => MixedList, |to: &mut MixedList<'_>, each: &Mixed| {
            to.push(each.shade, &each.many, each.real, &each.truth, &each.name, &each.key)
        };
        shelves: Shelf => ShelfList, |to: &mut ShelfList<'_>, each: &Shelf| {
            to.push(&each.name, &each.named, &each.texts, &each.key)
        };
        choices: Chosen => ChosenList, |to: &mut ChosenList<'_>, each: &Chosen| {
            to.push(&each.held, &each.truths, &each.values, &each.many)
        };
        deep: Vec<Held> => HeldListList, |to: &mut HeldListList<'_>, each: &Vec<Held>| to.push(each);
        grid: Vec<i16> => I16ListList, |to: &mut I16ListList<'_>, each: &Vec<i16>| to.push(each);
        triples: [i32; 3] => I32x3List, |to: &mut I32x3List<'_>, each| to.push(each);
        keys: [u8; 16] => U8x16List, |to: &mut U8x16List<'_>, each| to.push(each);
        shades: Shade => ShadeList, |to: &mut ShadeList<'_>, each: &Shade| to.push(*each);
        doubles: f64 => F64List, |to: &mut F64List<'_>, each: &f64| to.push(*each);
        floats: f32 => F32List, |to: &mut F32List<'_>, each: &f32| to.push(*each);
        truths: bool => BoolList, |to: &mut BoolList<'_>, each: &bool| to.push(*each);
        shorts: i16 => I16List, |to: &mut I16List<'_>, each: &i16| to.push(*each);
        wides: u64 => U64List, |to: &mut U64List<'_>, each: &u64| to.push(*each);
        words: Vec<u8> => String8List, |to: &mut String8List<'_>, each: &Vec<u8>| to.push(each);
    }

    fn text(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(a));
        Ok(())
    }

    fn raw(&self, _: &Caller, a: &[u8], result: &mut BytesOut<'_>) -> Result<(), Failure> {
        assert!(result.extend(a));
        Ok(())
    }

    fn base(&self, _: &Caller, _: PortalIn<'_, Base>, _: i16) -> Result<Served<Base>, Failure> {
        Ok(plainer())
    }

    fn link(&self, _: &Caller, a: &LinkGiven<'_>) -> Result<LinkReturned, Failure> {
        Ok(returned(a))
    }

    fn pair(&self, _: &Caller, a: &LinksGiven<'_>) -> Result<LinksReturned, Failure> {
        Ok(LinksReturned { first: returned(&a.first), shade: a.shade, second: given(&a.second) })
    }

    fn links(&self, _: &Caller, a: &[LinkGiven<'_>]) -> Result<Vec<LinkReturned>, Failure> {
        Ok(a.iter().map(returned).collect())
    }

    fn bases(&self, _: &Caller, a: &[PortalIn<'_, Base>]) -> Result<Vec<Served<Base>>, Failure> {
        Ok(a.iter().map(given).collect())
    }

    fn busy(&self, _: &Caller, a: i64) -> Result<(), BaseBusyError> {
        Err(Busy { until: a }.into())
    }

    fn denied(&self, _: &Caller, a: &[u8], b: &Value, c: &[u8; 16], d: f32) -> Result<(), BaseDeniedError> {
        Err(Denied { who: a.to_vec(), why: b.clone(), key: *c, real: d }.into())
    }

    fn empty(&self, _: &Caller) -> Result<(), BaseEmptyError> {
        Err(Empty {}.into())
    }

    fn plain(&self, _: &Caller, a: Shade, b: &[u8]) -> Result<(), BasePlainError> {
        // What is no text would not survive.
        match std::str::from_utf8(b) {
            Ok(message) if message.is_ascii() => Err(Plain::new(a, message).into()),
            _ => Err(Empty {}.into()),
        }
    }

    fn denied_alone(&self, _: &Caller, a: &[u8], b: &Value, c: &[u8; 16], d: f32) -> Result<(), Denied> {
        Err(Denied { who: a.to_vec(), why: b.clone(), key: *c, real: d })
    }

    fn packed(&self, _: &Caller, a: &Shelf) -> Result<(), Packed> {
        Err(Packed { shelf: a.clone() })
    }

    fn tell(&self, _: &Caller, _: i32, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }

    fn stranger(&self, _: &Caller) -> Result<Served<Stranger>, Failure> {
        Ok(stranger())
    }

    fn plainer(&self, _: &Caller) -> Result<Served<Base>, Failure> {
        Ok(plainer())
    }
}

impl DerivedService for Mirror {
    fn height(&self, _: &Caller) -> Result<f64, Failure> {
        Ok(-0.5)
    }

    fn set_height(&self, _: &Caller, _: f64) -> Result<(), Failure> {
        Ok(())
    }

    fn kind(&self, _: &Caller, a: Shade, _: &[u8]) -> Result<Shade, Failure> {
        Ok(a)
    }

    fn self_(&self, _: &Caller, a: PortalIn<'_, Derived>) -> Result<Served<Derived>, Failure> {
        Ok(given(&a))
    }

    fn moved(&self, _: &Caller, a: Shade, at: &mut i64, b: bool, data: &[u8]) -> Result<i64, Failure> {
        let sum = data.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        *at ^= sum.cast_signed();
        Ok(a.to_word().cast_signed() * 2 + i64::from(b))
    }

    fn found(
        &self,
        _: &Caller,
        a: u8,
        at: &mut i64,
        b: i16,
        data: &mut BytesOut<'_>,
    ) -> Result<bool, Failure> {
        *at ^= i64::from(a);
        // As many as there is room for at most.
        let len = usize::from(b.cast_unsigned() % 3001);
        let bytes: Vec<u8> = (0..len).map(|at| a.wrapping_add((at * 7) as u8)).collect();
        assert!(data.extend(&bytes));
        Ok(b > 0)
    }

    fn both(&self, _: &Caller, a: u8, b: u64, _: f32, d: Shade) -> Result<(i32, Shade), Failure> {
        Ok((i32::from(a) + (b % 1000) as i32, d))
    }
}

/// A session with a server of its own, through a Unix socket.
pub struct ServerInRust {
    socket: UnixStream,
    calls: u32,
    _server: Server,
}

impl ServerInRust {
    /// Starts a server, and gets all portals of it.
    ///
    /// # Panics
    /// If there are no sockets.
    #[must_use]
    pub fn start() -> ServerInRust {
        let path = socket_path("requests");
        let roots = |_: &Caller| Ok(Capability::new(Derived::serve(Mirror).into_object()));
        let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), roots)
            .unwrap_or_else(|error| panic!("the server does not start: {error}"));
        let mut socket =
            UnixStream::connect(&path).unwrap_or_else(|error| panic!("the server is not there: {error}"));
        let _gone = std::fs::remove_file(path);
        let _ = socket.set_read_timeout(Some(PATIENCE));
        let mut hello = Vec::new();
        Hello::default().encode(&mut hello);
        send(&mut socket, kind::HELLO, 0, CALL_SESSION, &Body { portals: 0, bytes: hello });
        let mut session = ServerInRust { socket, calls: 0, _server: server };
        for (name, portal) in [("stranger", STRANGE_PORTAL), ("plainer", BASE_PORTAL)] {
            let answer = session.call(super::operation(name).0, &Body::default());
            let id = answer.body.bytes.get(8..12).map(|id| id.to_vec());
            assert_eq!(id, Some(portal.to_le_bytes().to_vec()), "{name} has another portal");
        }
        session
    }

    /// What the server answers.
    ///
    /// # Panics
    /// If it does not, or ends the session.
    pub fn call(&mut self, op: u16, body: &Body) -> Answer {
        self.calls += 1;
        send(&mut self.socket, kind::CALL, op, self.calls, body);
        let mut header = [0; HEADER_BYTES];
        self.socket
            .read_exact(&mut header)
            .unwrap_or_else(|error| panic!("the server hangs or died: {error}"));
        let header = Reply::decode(&header).unwrap_or_else(|| panic!("no header: {header:?}"));
        let mut bytes = vec![0; (header.len as usize).saturating_sub(HEADER_BYTES)];
        self.socket.read_exact(&mut bytes).unwrap_or_else(|error| panic!("half a reply: {error}"));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!((header.call, header.kind), (self.calls, kind::REPLY), "the session ends: {text}");
        Answer { status: header.status, raised: header.raised, body: Body { portals: header.portals, bytes } }
    }
}

fn send(socket: &mut UnixStream, kind: u8, op: u16, call: u32, body: &Body) {
    let len = (HEADER_BYTES + body.bytes.len()) as u32;
    let target = if kind == kind::CALL { ROOT_PORTAL } else { 0 };
    let header = Request { len, kind, portals: body.portals, op, target, call };
    let frame = [&header.encode()[..], &body.bytes].concat();
    socket.write_all(&frame).unwrap_or_else(|error| panic!("the server takes nothing: {error}"));
}

/// A path for a socket of this process.
pub(super) fn socket_path(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("carnet-fuzz-{name}-{}-{number}.sock", std::process::id()))
}
