//! A server with Linux calls at a socket, and what runs there.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use carnet_linux::linux::{self, System};
use carnet_linux::{Linux, Rules, Starter, SturdyLinux};
use carnet_portal::address::Address;
use carnet_portal::call::Caller;
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::{Read, read};
use tempfile::TempDir;

use super::{rules, starter};

/// It serves `files` in its directory.
pub(crate) struct Served {
    _server: Server,
    pub(crate) service: Linux,
    pub(crate) address: Address,
    pub(crate) dir: TempDir,
}

pub(crate) fn served(shared: bool, policy: Policy, change: impl FnOnce(&mut Rules)) -> Served {
    served_by(starter(), shared, policy, change)
}

/// One whose sessions' processes are started otherwise.
pub(crate) fn served_by(
    starter: Starter,
    shared: bool,
    policy: Policy,
    change: impl FnOnce(&mut Rules),
) -> Served {
    let programs = Programs::new(&[linux::module()], policy);
    served_with(programs, tempfile::tempdir().expect("a directory"), starter, shared, change)
}

/// One that writes down what runs do, in `state` in its directory.
pub(crate) fn served_and_written_down(policy: Policy) -> Served {
    let dir = tempfile::tempdir().expect("a directory");
    let programs = journalled(policy, &dir);
    served_with(programs, dir, starter(), false, |_| {})
}

fn journalled(policy: Policy, dir: &TempDir) -> Programs {
    let programs = Programs::journalled(&[linux::module()], policy, &dir.path().join("state"));
    let programs = programs.expect("its files are as they were left");
    programs.sturdy_by(vec![Box::new(SturdyLinux)]);
    programs
}

fn served_with(
    programs: Programs,
    dir: TempDir,
    starter: Starter,
    shared: bool,
    change: impl FnOnce(&mut Rules),
) -> Served {
    let files = dir.path().join("files");
    fs::create_dir(&files).expect("it is made");
    let mut rules = rules(&files);
    change(&mut rules);
    let service = Linux::serve(rules, starter).expect("it is served");
    let path = dir.path().join("s");
    let address = if shared { Address::Shared(path) } else { Address::Unix(path) };
    let programs = Arc::new(programs);
    let options = ServerOptions { entry: Some(programs), ..ServerOptions::default() };
    let roots = service.clone();
    let root = move |caller: &Caller| Ok(Capability::new(roots.session(caller)));
    let server = Server::listen(&address, options, root).expect("it listens");
    Served { _server: server, service, address, dir }
}

impl Served {
    /// The next server, as if this one, which writes down what runs do, were killed now.
    pub(crate) fn as_if_killed(&self) -> Served {
        let dir = tempfile::tempdir().expect("a directory");
        copy(&self.dir.path().join("state"), &dir.path().join("state"));
        let programs = journalled(Policy::default(), &dir);
        served_with(programs, dir, starter(), false, |_| {})
    }

    pub(crate) fn client(&self) -> (Client, System) {
        let session = RemoteSession::connect(&self.address, ConnectOptions::default()).expect("it is there");
        let system = System::from_portal(session.root());
        (Client::new(session), system)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("it is made");
    for entry in fs::read_dir(from).expect("it is there") {
        let entry = entry.expect("it is there");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() { copy(&from, &to) } else { fs::copy(&from, &to).map(drop).expect("it is copied") }
    }
}

/// A program or an array as it is sent.
pub(crate) fn bytes(source: &str) -> Vec<u8> {
    match read(source, &[Arc::new(linux::module().clone())]) {
        Ok(Read::Program(tree)) => compile_to_bytes(&tree).expect("it fits"),
        Ok(Read::Array(array)) => array.array.encode(),
        Err(faults) => panic!("{source}\n{}", carnet_idl::diagnostic::render("test", source, &faults)),
    }
}

pub(crate) fn request<'a>(id: u128, bytes: &'a [u8], arguments: Vec<Argument<'a>>) -> RunRequest<'a> {
    RunRequest {
        id: RunId(id),
        options: RunOptions::default(),
        name: "",
        approval: "",
        arguments,
        program: RunProgram::Whole(bytes),
    }
}
