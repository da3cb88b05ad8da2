//! A loop sent from Rust, as the users' book shows it (`docs/book/programs.md`): by single calls, as source text, by the builder,
//! and named by its hash.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use carnet_files::{Access, Options, files};
use carnet_idl::diagnostic::render;
use carnet_portal::address::Address;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::bill::{Hash, hash};
use carnet_program::builder::{
    Builder, Type, add, and, equal, for_each, for_pages, give, greater, if_, len, list, named, sequence, set,
    test, value_of, while_,
};
use carnet_program::client::Client;
use carnet_program::compile::{compile, compile_to_bytes};
use carnet_program::host::{Policy, Programs, Trees};
use carnet_program::limits::LimitKind;
use carnet_program::protocol::{Argument, End, Engine, Outcome, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;
use carnet_program::tree::{TextTest, Tree};

type Fault = Box<dyn Error>;

/// One call for the list, and two for each file of it.
fn by_calls(root: &files::Dir, text: &[u8]) -> Result<Vec<Vec<u8>>, Fault> {
    let mut found = Vec::new();
    let (entries, _) = root.list(b".", b"")?;
    for e in entries {
        if e.kind == files::Kind::File {
            let data = root.open(&e.name)?.read(0, 1 << 20)?;
            if data.windows(text.len()).any(|part| part == text) {
                found.push(e.name);
            }
        }
    }
    Ok(found)
}

const WHICH: &str = r#"
use files

program which(root: Dir, text: bytes(200)) -> list(string, 1_000) {
  var found: list(string, 1_000)
  for e in root.list(".") limit 1_000 {
    if e.kind == Kind.file && root.open(e.name).read(0, 1MiB).contains(text) { found.add(e.name) }
  }
  return found
}
"#;

fn compiled(text: &str) -> Result<Vec<u8>, Fault> {
    let interfaces = [Arc::new(files::module().clone())];
    let tree = parse(text, &interfaces).map_err(|faults| render("which.carnet", text, &faults))?;
    Ok(compile_to_bytes(&tree)?)
}

/// The same tree without a text.
fn built() -> Result<Vec<u8>, Fault> {
    let mut p = Builder::new("which", &[files::module()]);
    let (root, text) = (p.param("root", named("files.Dir")), p.param("text", Type::Bytes(200)));
    p.returns(list(Type::Str(4_096), 1_000));
    let found = p.var("found", list(Type::Str(4_096), 1_000));
    let e = p.name("e");
    let data = root.call("open", [e.field("name")]).call("read", (0, 1 << 20));
    let is_file = equal(e.field("kind"), value_of("files.Kind", "file"));
    let fits = and(is_file, test(TextTest::Contains, data, text));
    let body = (
        for_pages(e, root.call("list", ["."]), if_(fits, add(found, e.field("name")), ())).limit(1_000),
        give(found),
    );
    Ok(compile(&p.build(body)?)?.encode())
}

/// One part of a client looks for names.
fn looks() -> Result<Vec<u8>, Fault> {
    let mut p = Builder::new("tidy", &[files::module()]);
    let root = p.param("root", named("files.Dir"));
    let found = p.var("found", list(Type::Str(255), 1_000));
    let e = p.name("e");
    let name = e.field("name");
    let fits = test(TextTest::EndsWith, name.clone(), ".tmp");
    let body = for_pages(e, root.call("list", ["."]), if_(fits, add(found, name), ())).limit(1_000);
    Ok(p.build(body)?.encode())
}

/// Another, which knows the program in bytes alone, removes what they name.
fn removes(handed: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut p = Builder::extend(Tree::decode(handed)?, &[files::module()])?;
    let root = p.existing("root").ok_or("it has no `root`")?;
    let found = p.existing("found").ok_or("it has no `found`")?;
    let name = p.name("name");
    Ok(p.build(for_each(name, found, root.call("remove", [name])))?.encode())
}

/// What came of it is sent once.
fn tidied(client: &Client, engine: Engine, id: u128) -> Result<Outcome, Fault> {
    let tree = removes(&looks()?)?;
    let request = RunRequest {
        id: RunId(id),
        options: RunOptions { engine, ..RunOptions::default() },
        name: "",
        approval: "",
        arguments: vec![Argument::Named(b"/logs")],
        program: RunProgram::Tree(&tree),
    };
    Ok(client.run(&request, &[])?)
}

/// Runs it: the hash is sent, and all of it if the server does not know that.
fn run(client: &Client, (bytes, hash): (&[u8], &Hash), id: u128, text: &[u8]) -> Result<Outcome, Fault> {
    let request = RunRequest {
        id: RunId(id),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments: vec![Argument::Named(b"/logs:ro"), Argument::Text(text)],
        program: RunProgram::Cached { hash, bytes },
    };
    Ok(client.run(&request, &[])?)
}

/// A list of texts comes back as its length and its elements, each with its own length: four bytes, the lowest first.
fn texts(mut result: &[u8]) -> Option<Vec<Vec<u8>>> {
    let number = |result: &mut &[u8]| {
        let (len, rest) = result.split_first_chunk()?;
        *result = rest;
        usize::try_from(u32::from_le_bytes(*len)).ok()
    };
    let count = number(&mut result)?;
    (0..count)
        .map(|_| {
            let len = number(&mut result)?;
            let (text, rest) = result.split_at_checked(len)?;
            result = rest;
            Some(text.to_vec())
        })
        .collect()
}

#[test]
fn a_loop_is_sent_from_rust() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("root/logs"))?;
    for (name, text) in [("mon", "start\nERROR"), ("tue", "start"), ("wed", "ERROR")] {
        std::fs::write(folder.path().join("root/logs").join(name), text)?;
    }
    let options = Options { access: Access::ReadOnly, ..Options::new(folder.path().join("root")) };
    let root = Capability::new(carnet_files::serve(options)?.into_object());
    let entry = Arc::new(Programs::new(&[files::module()], Policy::default()));
    let options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
    let address = Address::Unix(folder.path().join("socket"));
    let server = Server::listen(&address, options, move |_| Ok(root.clone()))?;

    let session = RemoteSession::connect(&address, ConnectOptions::default())?;
    let logs = files::Dir::from_portal(session.root()).narrow(b"logs", true)?;
    let expected = [b"mon".to_vec(), b"wed".to_vec()];
    assert_eq!(by_calls(&logs, b"ERROR")?, expected);

    let client = Client::new(session);
    for (number, bytes) in [compiled(WHICH)?, compiled(WHICH)?, built()?].iter().enumerate() {
        let outcome = run(&client, (bytes, &hash(bytes)), number as u128 + 1, b"ERROR")?;
        assert_eq!((&outcome.end, outcome.receipt.calls), (&End::Done, 7));
        assert_eq!(outcome.result.as_deref().and_then(texts).as_deref(), Some(&expected[..]));
    }
    drop(client);
    server.shutdown(Instant::now() + Duration::from_secs(5));
    Ok(())
}

#[test]
fn two_parts_of_a_client_make_one_program() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    let logs = folder.path().join("root/logs");
    std::fs::create_dir_all(&logs)?;
    let options = Options { access: Access::ReadWrite, ..Options::new(folder.path().join("root")) };
    let root = Capability::new(carnet_files::serve(options)?.into_object());
    let policy = Policy { trees: Trees::Taken, ..Policy::default() };
    let entry = Arc::new(Programs::new(&[files::module()], policy));
    let options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
    let address = Address::Unix(folder.path().join("socket"));
    let server = Server::listen(&address, options, move |_| Ok(root.clone()))?;
    let client = Client::new(RemoteSession::connect(&address, ConnectOptions::default())?);
    for (id, engine) in [(1, Engine::Any), (2, Engine::Tree)] {
        for name in ["a.tmp", "b.log", "c.tmp"] {
            std::fs::write(logs.join(name), "")?;
        }
        let outcome = tidied(&client, engine, id)?;
        assert_eq!((&outcome.end, outcome.receipt.writes), (&End::Done, 2), "{engine:?}");
        let left: Vec<_> = std::fs::read_dir(&logs)?.flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left, ["b.log"]);
    }
    drop(client);
    server.shutdown(Instant::now() + Duration::from_secs(5));
    Ok(())
}

/// When the loop of CompositeCall's Figure 3 reads.
#[derive(Clone, Copy)]
enum Reads {
    /// Before the loop alone, as the conference version prints it: it would write the same for ever.
    Once,
    /// In each round, too, as the journal version does.
    EachTime,
}

/// That loop between two files, with at most eight rounds.
fn figure_3(reads: Reads) -> Result<Vec<u8>, Fault> {
    let mut p = Builder::new("copy", &[files::module()]);
    let (from, to) = (p.param("from", named("files.File")), p.param("to", named("files.File")));
    let buf = p.var("buf", Type::Bytes(65_536));
    let read = || set(buf, from.call("next", [65_536]));
    let write = || to.call("append", [buf]);
    let copy = match reads {
        Reads::Once => while_(greater(len(buf), 0), write()),
        Reads::EachTime => while_(greater(len(buf), 0), (write(), read())),
    };
    Ok(compile(&p.build(sequence((read(), copy.limit(8))))?)?.encode())
}

#[test]
fn figure_3_as_printed_is_stopped_and_repaired_it_copies() -> Result<(), Fault> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir(folder.path().join("root"))?;
    let data: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
    std::fs::write(folder.path().join("root/from"), &data)?;
    let options = Options { access: Access::ReadWrite, ..Options::new(folder.path().join("root")) };
    let root = Capability::new(carnet_files::serve(options)?.into_object());
    let entry = Arc::new(Programs::new(&[files::module()], Policy::default()));
    let options = ServerOptions { entry: Some(entry), ..ServerOptions::default() };
    let address = Address::Unix(folder.path().join("socket"));
    let server = Server::listen(&address, options, move |_| Ok(root.clone()))?;
    let session = RemoteSession::connect(&address, ConnectOptions::default())?;
    let root = files::Dir::from_portal(session.root());
    let client = Client::new(session);
    let copied = |id: u128, to: &str, reads: Reads| -> Result<Outcome, Fault> {
        let program = figure_3(reads)?;
        let request = RunRequest {
            id: RunId(id),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0), Argument::Portal(1)],
            program: RunProgram::Whole(&program),
        };
        let (from, to) = (root.open(b"from")?, root.create(to.as_bytes())?);
        Ok(client.run(&request, &[from.portal(), to.portal()])?)
    };
    let repaired = copied(1, "repaired", Reads::EachTime)?;
    assert_eq!((&repaired.end, repaired.receipt.calls), (&End::Done, 3 + 2));
    assert_eq!(std::fs::read(folder.path().join("root/repaired"))?, data);
    let printed = copied(2, "printed", Reads::Once)?;
    assert!(
        matches!(printed.end, End::Limit { kind: LimitKind::Loop(_), limit: 8, .. }),
        "{:?}",
        printed.end
    );
    assert_eq!((printed.receipt.calls, printed.receipt.writes), (1 + 8, 8));
    assert_eq!(std::fs::read(folder.path().join("root/printed"))?, data[..65_536].repeat(8));
    drop((client, root));
    server.shutdown(Instant::now() + Duration::from_secs(5));
    Ok(())
}
