//! Generated stubs of the rest of the language, against each other over both transports, then against peers that lie:
//! floats, arrays, unions, portals in structs and lists, inheritance, attributes, exceptions with members, `oneway`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::capability::Capability;
use carnet_portal::local::LocalSession;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{BytesOut, CallError, Extends as _, PortalIn, Served};
use carnet_portal::wire::{HEADER_BYTES, Reply, Request, kind};
use hostile::liar;
use server_in_c::ServerInC;
use whole::*;

#[path = "whole/both_ways.rs"]
mod both_ways;
#[path = "whole/hostile.rs"]
mod hostile;
#[path = "support/liar.rs"]
mod liar;
#[path = "whole/relayed.rs"]
mod relayed;
#[path = "support/server_in_c.rs"]
mod server_in_c;

mod whole {
    include!("../../idl/tests/cases/modules/whole.rs");
}

/// Gives back what it gets, and makes more of its kind.
#[derive(Default)]
struct Tree {
    level: AtomicI32,
    height: AtomicI32,
    told: Arc<Told>,
}

/// What was told by `oneway` operations.
#[derive(Default)]
struct Told {
    sum: AtomicI32,
    texts: AtomicUsize,
    /// While it is held, whoever is told to wait does.
    gate: Mutex<()>,
}

impl Tree {
    fn of_level(level: i32) -> Tree {
        Tree { level: AtomicI32::new(level), ..Tree::default() }
    }

    fn level_of(portal: &PortalIn<'_, Node>) -> i32 {
        portal.local::<Tree>().map_or(-1, |tree| tree.level.load(Ordering::Relaxed))
    }

    /// A leaf where a node is expected.
    fn node(level: i32) -> Served<Node> {
        Leaf::serve(Tree::of_level(level)).to_base()
    }
}

impl NodeService for Tree {
    fn level(&self, _: &Caller) -> Result<i32, Failure> {
        Ok(self.level.load(Ordering::Relaxed))
    }

    fn set_level(&self, _: &Caller, value: i32) -> Result<(), Failure> {
        self.level.store(value, Ordering::Relaxed);
        Ok(())
    }

    fn height(&self, _: &Caller) -> Result<i32, Failure> {
        Ok(self.height.load(Ordering::Relaxed))
    }

    fn set_height(&self, _: &Caller, value: i32) -> Result<(), Failure> {
        self.height.store(value, Ordering::Relaxed);
        Ok(())
    }

    fn name(&self, _: &Caller, result: &mut BytesOut<'_>) -> Result<(), Plain> {
        if self.level.load(Ordering::Relaxed) == 13 {
            return Err(Plain::new(Shade::Dark, "no name"));
        }
        assert!(result.extend(b"tree"));
        Ok(())
    }

    fn numbers(&self, _: &Caller, a: &Numbers, b: &mut Numbers) -> Result<(Numbers, f32), Failure> {
        let before = std::mem::replace(b, a.clone());
        Ok((before, a.j * 2.0))
    }

    fn tables(&self, _: &Caller, a: &Tables, c: &mut [[i32; 3]; 2]) -> Result<(Tables, [i32; 3]), Failure> {
        c.reverse();
        let long = if a.names[0] == b"long" { vec![b'x'; 9] } else { a.names[1].clone() };
        Ok((Tables { names: [long, a.names[0].clone()], ..a.clone() }, a.table[1]))
    }

    fn key(
        &self,
        _: &Caller,
        a: &[u8; 16],
        c: &[[u8; 16]],
        b: &mut U8x16List<'_>,
    ) -> Result<[u8; 16], Failure> {
        assert!(c.iter().rev().all(|key| b.push(key)));
        Ok(*a)
    }

    fn value(&self, _: &Caller, a: &Value, c: &Many) -> Result<(Value, Many), Failure> {
        let wrong = Many::Other(3, true);
        let many = if *c == Many::Real(1, -1.0) { wrong } else { c.clone() };
        Ok((a.clone(), many))
    }

    fn labelled(&self, _: &Caller, a: &[Labelled], result: &mut LabelledList<'_>) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|each| result.push(&each.value, each.at)));
        Ok(())
    }

    fn manies(&self, _: &Caller, a: &[Many], result: &mut ManyList<'_>) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|many| result.push(many)));
        Ok(())
    }

    fn triples(&self, _: &Caller, a: &[[i32; 3]], result: &mut I32x3List<'_>) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|triple| result.push(triple)));
        Ok(())
    }

    fn reals(&self, _: &Caller, a: &[f64], result: &mut F64List<'_>) -> Result<(), Failure> {
        assert!(a.iter().rev().all(|real| result.push(*real)));
        Ok(())
    }

    fn link(&self, _: &Caller, a: &LinkGiven<'_>) -> Result<LinkReturned, Failure> {
        Ok(LinkReturned { node: Tree::node(Tree::level_of(&a.node) + 1), name: a.name.clone() })
    }

    fn links(&self, caller: &Caller, a: &[LinkGiven<'_>]) -> Result<Vec<LinkReturned>, Failure> {
        // One name asks for a list that breaks its bound.
        let times = if a.iter().any(|link| link.name == b"many") { 4 } else { 1 };
        a.iter().cycle().take(a.len() * times).map(|link| NodeService::link(self, caller, link)).collect()
    }

    fn nodes(&self, _: &Caller, a: &[PortalIn<'_, Node>]) -> Result<Vec<Served<Node>>, Failure> {
        Ok(a.iter().rev().map(|node| Tree::node(Tree::level_of(node) + 10)).collect())
    }

    fn fail(&self, _: &Caller, how: i32) -> Result<(), NodeFailError> {
        match how {
            0 => Ok(()),
            1 => Err(Busy { until: -7 }.into()),
            2 => Err(Denied { who: b"you".to_vec(), why: Value::Text(b"no".to_vec()) }.into()),
            3 => Err(Empty {}.into()),
            4 => Err(Plain::new(Shade::Dark, "a plain one, which is too long").into()),
            _ => Err(Denied { who: b"more than eight".to_vec(), why: Value::Number(1) }.into()),
        }
    }

    fn fail_alone(&self, _: &Caller) -> Result<(), Busy> {
        Err(Busy { until: i64::MAX })
    }

    fn tell(&self, _: &Caller, a: i32, b: &[u8]) -> Result<(), Failure> {
        if b == b"wait" {
            drop(self.told.gate.lock());
        }
        self.told.sum.fetch_add(a, Ordering::Relaxed);
        self.told.texts.fetch_add(usize::from(b == b"text"), Ordering::Relaxed);
        if a < 0 { Err(Failure::service("nobody hears this")) } else { Ok(()) }
    }

    fn unbounded(
        &self,
        _: &Caller,
        a: &[u8],
        b: &[Labelled],
        result: &mut BytesOut<'_>,
    ) -> Result<(), Failure> {
        assert!(result.extend(format!("{} {}", a.len(), b.len()).as_bytes()));
        Ok(())
    }

    fn letter(&self, _: &Caller, a: u8, b: &[u8]) -> Result<u8, Failure> {
        Ok(b.first().copied().unwrap_or(a))
    }

    fn turn(
        &self,
        _: &Caller,
        a: &mut Vec<u8>,
        b: &mut Vec<u8>,
        c: &[u8],
        result: &mut BytesOut<'_>,
    ) -> Result<(), Plain> {
        both_ways::turn(a, b, c, result)
    }

    fn reshape(
        &self,
        _: &Caller,
        a: &mut Tables,
        b: &mut [u8; 16],
        c: &mut Value,
        d: &mut Many,
    ) -> Result<(), Failure> {
        both_ways::reshape(a, b, c, d);
        Ok(())
    }

    fn relabel(
        &self,
        _: &Caller,
        a: &mut Vec<Labelled>,
        b: &mut Vec<Vec<u8>>,
        add: i32,
        c: &mut Vec<i32>,
    ) -> Result<(), Failure> {
        both_ways::relabel(a, b, add, c);
        Ok(())
    }

    fn climb(
        &self,
        _: &Caller,
        by: i32,
        a: PortalIn<'_, Node>,
    ) -> Result<(Served<Node>, Served<Node>, i32), Failure> {
        Ok(both_ways::climb(by, a))
    }

    fn relink(
        &self,
        _: &Caller,
        a: &LinkGiven<'_>,
        b: &[LinkGiven<'_>],
        c: &[PortalIn<'_, Node>],
    ) -> Result<(LinkReturned, Vec<LinkReturned>, Vec<Served<Node>>), NodeRelinkError> {
        both_ways::relink(a, b, c)
    }
}

impl LeafService for Tree {
    fn kind(&self, _: &Caller, a: LeafKind, b: &[u8]) -> Result<LeafKind, Failure> {
        Ok(if b.is_empty() { a } else { LeafKind::Brown })
    }
}

fn tree(told: &Arc<Told>) -> Capability {
    Capability::new(Leaf::serve(Tree { told: Arc::clone(told), ..Tree::default() }).into_object())
}

fn local() -> Leaf {
    Leaf::from_portal(LocalSession::new(tree(&Arc::default()), Caller::local()).root())
}

#[test]
fn in_the_same_thread() {
    let told = Arc::default();
    let leaf = Leaf::from_portal(LocalSession::new(tree(&told), Caller::local()).root());
    exercise(&leaf, &told, Promised::More);
}

#[test]
fn a_buffer_of_the_callers_holds_what_came_back_and_nothing_else() {
    let leaf = local();
    let mut name = b"what was there before".to_vec();
    leaf.name_into(&mut name).unwrap();
    assert_eq!(name, b"tree");
    let base = leaf.to_base();
    base.name_into(&mut name).unwrap();
    assert_eq!(name, b"tree");
    let lying = |reply: &'static [u8]| {
        liar(move |block| {
            block.outputs[0].bytes = reply.to_vec();
            Ok(())
        })
    };
    lying(b"12345678").name_into(&mut name).unwrap();
    assert_eq!(name, b"12345678");
    for reply in [&b"123456789"[..], b"nul\0"] {
        let Err(CallError::Failed(failure)) = lying(reply).name_into(&mut name) else { panic!("no name") };
        assert_eq!(failure.kind(), Kind::Protocol);
    }
}

#[test]
fn over_a_socket() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let told = Arc::default();
    let served = Arc::clone(&told);
    let server =
        Server::listen(&address, ServerOptions::default(), move |_: &Caller| Ok(tree(&served))).unwrap();
    let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
    exercise(&Leaf::from_portal(transport.root()), &told, Promised::More);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// A program of `tests/c`, built against headers that are made now by each compiler that is there.
fn built_in_c(name: &str, options: &[&str]) -> Vec<PathBuf> {
    let is_there = |compiler: &&str| {
        let found =
            Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            println!("skipped: there is no {compiler}");
        }
        found
    };
    ["gcc", "clang"].into_iter().filter(is_there).map(|compiler| built_by(compiler, name, options)).collect()
}

fn built_by(compiler: &str, name: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c"));
    // Two tests may build the same at once.
    let thread = std::thread::current();
    let by = thread.name().unwrap_or_default();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("whole_{name}_{by}_{compiler}"));
    std::fs::create_dir_all(&folder).unwrap();
    for (file, text) in carnet_idl::C_RUNTIME {
        std::fs::write(folder.join(file), text).unwrap();
    }
    std::fs::write(folder.join("whole.h"), carnet_idl::generate_c(module())).unwrap();
    let mut command = Command::new(compiler);
    command.current_dir(&folder).args(["-std=c11", "-g", "-O1", "-I."]);
    command.args(["-Wall", "-Wextra", "-Wconversion", "-Werror"]);
    // clang's checks of addresses need a library that may not be there; gcc's come with it.
    command.args(match compiler {
        "clang" => ["-fsanitize=undefined", "-fsanitize-trap=undefined"],
        _ => ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    });
    let output = command.args(options).arg(source).args(["-o", name]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join(name)
}

/// How many callers in C were built, and content.
fn calls_from_c(address: &str) -> usize {
    let callers = built_in_c("caller", &[]);
    for caller in &callers {
        let output = Command::new(caller).arg(address).output().unwrap();
        assert!(output.status.success(), "{address}: {}", String::from_utf8_lossy(&output.stderr));
    }
    callers.len()
}

#[test]
fn a_client_in_c_calls_it_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let told: Arc<Told> = Arc::default();
    let served = Arc::clone(&told);
    let serve = move |_: &Caller| Ok(tree(&served));
    let server = Server::listen(&Address::Unix(path.clone()), ServerOptions::default(), serve).unwrap();
    let callers: usize =
        ["unix", "shm"].iter().map(|scheme| calls_from_c(&format!("{scheme}:{}", path.display()))).sum();
    assert_eq!(usize::try_from(told.sum.load(Ordering::Relaxed)), Ok(1000 * callers));
    assert_eq!(told.texts.load(Ordering::Relaxed), 1000 * callers);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

#[test]
fn hostile_messages_are_refused_in_c() {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/tree.c");
    for hostile in built_in_c("hostile", &[service.to_str().unwrap()]) {
        // The service makes objects of its own that are never handed out, if it breaks a bound on purpose.
        let output = Command::new(hostile).env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn a_server_in_c_serves_it_all() {
    let options = ["-DCARNET_STUBS=\"whole.h\"", "-DCARNET_ROOT=whole_Leaf", "carnet_main.c"];
    built_in_c("tree", &options).iter().for_each(|program| serves_it_all(program));
}

fn serves_it_all(program: &Path) {
    let server = ServerInC::start(program);
    let path = &server.path;
    for address in [Address::Unix(path.clone()), Address::Shared(path.clone())] {
        let transport = RemoteSession::connect(&address, ConnectOptions::default()).unwrap();
        let leaf = Leaf::from_portal(transport.root());
        values(&leaf);
        unions(&leaf);
        portals(&leaf, Promised::More);
        both_ways::exercise(&leaf);
        exceptions(&leaf);
        inheritance(&leaf);
        leaf.set_height(0).unwrap();
        (0..1000).for_each(|_| leaf.tell(1, b"text").unwrap());
        assert_eq!(leaf.height().unwrap(), 1000);
        faults_of_the_caller(&leaf);
        faults_of_the_service(&leaf);
    }
    for scheme in ["unix", "shm"] {
        let _ = calls_from_c(&format!("{scheme}:{}", path.display()));
    }
}

/// A service that is stuck: so many calls are sent without waiting, the next waits for the first of them.
#[test]
fn no_more_than_64_oneway_calls_are_outstanding() {
    let directory = tempfile::tempdir().unwrap();
    let address = Address::Unix(directory.path().join("s"));
    let told: Arc<Told> = Arc::default();
    let served = Arc::clone(&told);
    let server =
        Server::listen(&address, ServerOptions::default(), move |_: &Caller| Ok(tree(&served))).unwrap();
    let options =
        ConnectOptions { call_timeout: Some(Duration::from_millis(50)), ..ConnectOptions::default() };
    let transport = RemoteSession::connect(&address, options).unwrap();
    let leaf = Leaf::from_portal(transport.root());
    let gate = told.gate.lock().unwrap();
    for _ in 0..64 {
        leaf.tell(1, b"wait").unwrap();
    }
    let failure = leaf.tell(1, b"wait").unwrap_err();
    assert_eq!(failure.kind(), Kind::Unreachable);
    assert!(failure.details().message.ends_with("; this call was not sent"), "{failure:?}");
    drop(gate);
    server.shutdown(Instant::now() + Duration::from_secs(10));
}

/// Nobody answers a oneway call: that there is nobody is known when it is sent.
#[test]
fn who_tells_a_server_that_has_ended_learns_that_nothing_was_sent() {
    let tellers = built_in_c("teller", &[]);
    for scheme in ["unix", "shm"] {
        let directory = tempfile::tempdir().unwrap();
        let address: Address = format!("{scheme}:{}", directory.path().join("s").display()).parse().unwrap();
        let told: Arc<Told> = Arc::default();
        let served = Arc::clone(&told);
        let server =
            Server::listen(&address, ServerOptions::default(), move |_: &Caller| Ok(tree(&served))).unwrap();
        let leaf =
            Leaf::from_portal(RemoteSession::connect(&address, ConnectOptions::default()).unwrap().root());
        leaf.tell(1, b"text").unwrap();
        leaf.height().unwrap();
        let in_c: Vec<_> = tellers
            .iter()
            .map(|teller| {
                let mut command = Command::new(teller);
                command.args([&*address.to_string(), "ended"]).stdin(Stdio::piped()).stdout(Stdio::piped());
                let mut client = command.spawn().unwrap();
                let mut line = BufReader::new(client.stdout.take().unwrap());
                line.read_line(&mut String::new()).unwrap();
                (client, line)
            })
            .collect();
        server.shutdown(Instant::now() + Duration::from_secs(10));
        let text = "the server is shutting down; this was not begun";
        for _ in 0..2 {
            let failure = leaf.tell(1, b"text").unwrap_err();
            assert_eq!((failure.kind(), &*failure.details().message), (Kind::Refused, text), "{scheme}");
        }
        for (mut client, mut line) in in_c {
            client.stdin.take().unwrap().write_all(b"\n").unwrap();
            let mut said = String::new();
            line.read_line(&mut said).unwrap();
            assert_eq!(said, format!("2 told, the last with {}: {text}\n", Kind::Refused as u16), "{scheme}");
            client.wait().unwrap();
        }
    }
}

/// A server that hears them, and says farewell instead of an answer.
#[test]
fn a_farewell_is_heard_by_a_client_in_c_that_tells() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    for teller in built_in_c("teller", &[]) {
        let client = Command::new(teller).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        let (mut socket, _) = listener.accept().unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // Hello, and 65 calls.
        for _ in 0..66 {
            let mut header = [0; HEADER_BYTES];
            socket.read_exact(&mut header).unwrap();
            let len = Request::decode(&header).unwrap().len as usize;
            socket.read_exact(&mut vec![0; len - HEADER_BYTES]).unwrap();
        }
        let why = b"shutting down";
        let len = (HEADER_BYTES + why.len()) as u32;
        let status = Kind::Refused as u16;
        let farewell = Reply { len, kind: kind::REPLY, portals: 0, status, call: 0, raised: 0 };
        socket.write_all(&[&farewell.encode()[..], why].concat()).unwrap();
        let output = client.wait_with_output().unwrap();
        let expected = format!("65 told, the last with {status}: shutting down\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
    }
}

/// Nobody answers a oneway call: that there is nobody is known when it is sent. This one has said nothing, and not heard all that was sent.
#[test]
fn who_tells_a_server_that_is_gone_learns_that_nothing_was_sent() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("s");
    let listener = UnixListener::bind(&path).unwrap();
    let session = RemoteSession::connect(&Address::Unix(path), ConnectOptions::default()).unwrap();
    let leaf = Leaf::from_portal(session.root());
    leaf.tell(1, b"text").unwrap();
    drop(listener.accept().unwrap());
    for _ in 0..2 {
        let failure = leaf.tell(1, b"text").unwrap_err();
        let text = "the connection was lost earlier; this call was not sent";
        assert_eq!((failure.kind(), &*failure.details().message), (Kind::Unreachable, text));
    }
}

fn exercise(leaf: &Leaf, told: &Told, promised: Promised) {
    values(leaf);
    unions(leaf);
    portals(leaf, promised);
    both_ways::exercise(leaf);
    exceptions(leaf);
    inheritance(leaf);
    oneway(leaf, told);
    faults_of_the_caller(leaf);
    faults_of_the_service(leaf);
}

fn numbers(a: i8) -> Numbers {
    Numbers {
        a,
        b: 255,
        c: i16::MIN,
        d: u16::MAX,
        e: i32::MIN,
        f: u32::MAX,
        g: i64::MIN,
        h: i64::MAX as u64,
        i: b'\xff',
        j: 1.5,
        k: -0.0,
    }
}

fn tables(first: &[u8]) -> Tables {
    let table = [[1, 2, 3], [4, 5, i32::MIN]];
    Tables { triple: [-1, 0, 1], table, key: *b"0123456789abcdef", names: [first.to_vec(), b"".to_vec()] }
}

fn values(leaf: &Leaf) {
    let mut b = numbers(-1);
    assert_eq!(leaf.numbers(&numbers(-128), &mut b).unwrap(), (numbers(-1), 3.0));
    assert_eq!(b, numbers(-128));
    let reals = [f64::INFINITY, 5e-324, -0.0];
    assert_eq!(leaf.reals(&reals).unwrap(), [-0.0, 5e-324, f64::INFINITY]);
    assert!(leaf.reals(&[f64::NAN]).unwrap()[0].is_nan());
    let mut c = [[1, 2, 3], [4, 5, 6]];
    let (swapped, row) = leaf.tables(&tables(b"name"), &mut c).unwrap();
    assert_eq!((swapped.names, row), ([b"".to_vec(), b"name".to_vec()], [4, 5, i32::MIN]));
    assert_eq!(c, [[4, 5, 6], [1, 2, 3]]);
    assert_eq!(leaf.key(&[7; 16], &[[1; 16], [2; 16]]).unwrap(), ([7; 16], vec![[2; 16], [1; 16]]));
    assert_eq!(leaf.triples(&[[1, 2, 3], [4, 5, 6]]).unwrap(), [[4, 5, 6], [1, 2, 3]]);
    assert_eq!(leaf.letter(b'a', b"").unwrap(), b'a');
    assert_eq!(leaf.letter(b'a', b"\0z").unwrap(), 0);
    assert_eq!(leaf.unbounded(&vec![0; 1 << 20], &[]).unwrap(), b"1048576 0");
}

fn manies() -> [Many; 3] {
    [Many::Real(2, 0.5), Many::Tables(tables(b"in a")), Many::Key([9; 16])]
}

fn unions(leaf: &Leaf) {
    let text = Value::Text(b"eight by".to_vec());
    assert_eq!(leaf.value(&text, &Many::Other(-5, true)).unwrap(), (text, Many::Other(-5, true)));
    for many in manies() {
        assert_eq!(leaf.value(&Value::Number(-3), &many).unwrap(), (Value::Number(-3), many));
    }
    let mut reversed = manies();
    reversed.reverse();
    assert_eq!(leaf.manies(&manies()).unwrap(), reversed);
    let one = Labelled { value: Value::Text(b"".to_vec()), at: 1 };
    let two = Labelled { value: Value::Number(i32::MAX), at: 2 };
    assert_eq!(leaf.labelled(&[one.clone(), two.clone()]).unwrap(), [two, one]);
}

/// Whether portals that come back have more than the interface that an operation promises.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promised {
    More,
    Exactly,
}

fn portals(leaf: &Leaf, promised: Promised) {
    let node = leaf.to_base();
    node.set_level(5).unwrap();
    let link = leaf.link(&Link { node: node.clone(), name: b"a".to_vec() }).unwrap();
    assert_eq!((link.node.level().unwrap(), &link.name[..]), (6, &b"a"[..]));
    let links = [link.clone(), Link { node: node.clone(), name: b"b".to_vec() }];
    let back = leaf.links(&links).unwrap();
    let levels: Vec<i32> = back.iter().map(|link| link.node.level().unwrap()).collect();
    assert_eq!((levels, &back[1].name[..]), (vec![7, 6], &b"b"[..]));
    assert!(leaf.links(&[]).unwrap().is_empty());
    let nodes = leaf.nodes(&[node.clone(), link.node.clone(), node]).unwrap();
    assert_eq!(nodes.iter().map(|node| node.level().unwrap()).collect::<Vec<i32>>(), [15, 16, 15]);
    // What comes back is a leaf, too, though only a node was promised. A relay knows what was promised.
    let found = Leaf::from_portal(nodes[0].portal().clone());
    match found.kind(LeafKind::Green, b"") {
        Ok(kind) => assert_eq!((kind, promised), (LeafKind::Green, Promised::More)),
        Err(failure) => assert_eq!((failure.kind(), promised), (Kind::NoSuchOperation, Promised::Exactly)),
    }
}

fn exceptions(leaf: &Leaf) {
    leaf.fail(0).unwrap();
    let raised = |how| match leaf.fail(how) {
        Err(CallError::Raised(raised)) => raised,
        other => panic!("{other:?}"),
    };
    assert_eq!(raised(1), NodeFailError::Busy(Busy { until: -7 }));
    let denied = Denied { who: b"you".to_vec(), why: Value::Text(b"no".to_vec()) };
    assert_eq!(raised(2), NodeFailError::Denied(denied));
    assert_eq!(raised(3), NodeFailError::Empty(Empty {}));
    assert_eq!(raised(4), NodeFailError::Plain(Plain::new(Shade::Dark, "a plain one, which i")));
    assert_eq!(leaf.fail_alone(), Err(CallError::Raised(Busy { until: i64::MAX })));
    let Err(CallError::Failed(failure)) = leaf.fail(5) else { panic!("raised") };
    assert_eq!(failure.kind(), Kind::Service, "{failure}");
    leaf.set_level(13).unwrap();
    assert_eq!(leaf.name(), Err(CallError::Raised(Plain::new(Shade::Dark, "no name"))));
    leaf.set_level(0).unwrap();
    assert_eq!(leaf.name().unwrap(), b"tree");
}

fn inheritance(leaf: &Leaf) {
    let node: Node = leaf.to_base();
    node.set_height(8).unwrap();
    assert_eq!((leaf.height().unwrap(), node.height().unwrap()), (8, 8));
    assert_eq!(leaf.kind(LeafKind::Green, b"x").unwrap(), LeafKind::Brown);
    let (base, derived) = (&module().interfaces[0], &module().interfaces[1]);
    assert_eq!(derived.operations[..base.operations.len()], base.operations);
}

/// More of them than may be outstanding; a call behind them finds them all done.
fn oneway(leaf: &Leaf, told: &Told) {
    for _ in 0..1000 {
        leaf.tell(1, b"text").unwrap();
    }
    leaf.tell(-1, b"fails").unwrap();
    leaf.height().unwrap();
    assert_eq!(told.sum.load(Ordering::Relaxed), 999);
    assert_eq!(told.texts.load(Ordering::Relaxed), 1000);
}

/// Found by the client: nothing is sent.
fn faults_of_the_caller(leaf: &Leaf) {
    let node = leaf.to_base();
    let failures = [
        leaf.numbers(&Numbers { h: 1 << 63, ..numbers(0) }, &mut numbers(0)).unwrap_err(),
        leaf.tables(&tables(b"too long!"), &mut [[0; 3]; 2]).unwrap_err(),
        leaf.key(&[0; 16], &[[0; 16]; 5]).unwrap_err(),
        leaf.value(&Value::Text(b"a\0".to_vec()), &Many::Key([0; 16])).unwrap_err(),
        leaf.value(&Value::Number(0), &Many::Real(3, 0.0)).unwrap_err(),
        leaf.value(&Value::Number(0), &Many::Other(-4, true)).unwrap_err(),
        leaf.manies(&[Many::Other(1, true)]).unwrap_err(),
        leaf.link(&Link { node: node.clone(), name: b"nine long".to_vec() }).unwrap_err(),
        leaf.links(&vec![Link { node: node.clone(), name: vec![] }; 4]).unwrap_err(),
        leaf.nodes(&vec![node; 4]).unwrap_err(),
        leaf.unbounded(&vec![0; (1 << 20) + 1], &[]).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::BadArgument, "{failure}");
    }
    both_ways::faults_of_the_caller(leaf);
}

fn faults_of_the_service(leaf: &Leaf) {
    let many = Link { node: leaf.to_base(), name: b"many".to_vec() };
    let failures = [
        leaf.value(&Value::Number(0), &Many::Real(1, -1.0)).unwrap_err(),
        leaf.tables(&tables(b"long"), &mut [[0; 3]; 2]).unwrap_err(),
        leaf.links(&[many]).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::Service, "{failure}");
    }
    both_ways::faults_of_the_service(leaf);
}

#[test]
fn constants_are_those_of_the_interface() {
    assert_eq!((SIZE, LEAST, MOST, LEAF_LIMIT), (18, i64::MIN, u64::MAX, 8));
    assert_eq!((PI.to_bits(), HALF, MARK, ON), ((3.25 - 11.0 / 1e2_f64).to_bits(), 0.5, b'A', true));
    assert_eq!((GREETING, USUAL), ("good \"day\", two\tparts", Shade::Dark));
}
