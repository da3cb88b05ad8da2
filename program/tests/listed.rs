//! Lists of structs with portals between a program and a server: the same calls by a client with generated stubs, through a socket, and
//! by a program beside the service come to the same, and nothing of them is held behind either.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use carnet_idl::descriptor::{InterfaceId, Module};
use carnet_portal::address::Address;
use carnet_portal::call::{Call, Caller, Failure, Object, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_program::bytecode::SlotType;
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::limits::Limits;
use carnet_program::protocol::{
    Argument, End, Outcome, Refusal, ResumeRequest, RunId, RunOptions, RunProgram, RunRequest, SetVariable,
    SetVariables, VariableValue,
};
use carnet_program::source::parse;
use carnet_program::verify::{Registry, load};
use whole::{Link, Node, module};

mod whole {
    #![allow(unreachable_pub, dead_code, reason = "generated for a public module")]
    include!("../../idl/tests/cases/modules/whole.rs");
}

/// A node that is counted as long as anything holds it. It gives back links the last first, with new nodes that are higher.
struct Counted {
    height: i64,
    alive: Arc<AtomicUsize>,
}

impl Counted {
    fn new(height: i64, alive: &Arc<AtomicUsize>) -> Arc<Counted> {
        alive.fetch_add(1, Ordering::SeqCst);
        Arc::new(Counted { height, alive: Arc::clone(alive) })
    }

    /// The links of a list, as they are given back.
    fn turned(&self, call: &mut Call<'_>, from: usize, to: usize) -> Result<(), Failure> {
        let area = call.areas.list.get(Ref(call.words[from]).area());
        let area = area.cloned().ok_or_else(|| Failure::bad_argument("no list"))?;
        let mut new = call.areas.take(call.words[to])?;
        new.words.clear();
        new.bytes.clear();
        for link in area.words.chunks(2).rev() {
            let node = call.portal(link[0], "whole", "Node")?.object().clone();
            let height = node.service().downcast_ref::<Counted>().map_or(-1, |node| node.height);
            let made = call.make(Counted::new(height + self.height, &self.alive));
            let name = [area.string(link[1]), b"'"].concat();
            let name = new.add_string(&name).ok_or_else(|| Failure::bad_argument("too long"))?;
            new.words.extend([made, name]);
        }
        call.words[to] = call.areas.put(call.words[to], new)?;
        Ok(())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Object for Counted {
    fn service(&self) -> &dyn Any {
        self
    }

    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        match module().interfaces[0].operations[usize::from(op)].name.as_str() {
            "_get_height" => {
                call.words[0] = self.height.cast_unsigned();
                Ok(())
            }
            "links" => self.turned(call, 0, 1),
            // The link becomes another node of its name, and of nodes there are none.
            "relink" => {
                self.turned(call, 2, 2)?;
                call.words[0] = call.make(Counted::new(self.height, &self.alive));
                Ok(())
            }
            _ => Err(Failure::service("this is not called")),
        }
    }
}

const PROGRAM: &str = r#"use whole
record Seen { name: string(8), height: int }
program links(node: Node) -> list(Seen, 20) {
  var seen: list(Seen, 20)
  var own: list(Link, 3)
  own.add(Link(node: node, name: "a"))
  own.add(Link(node: node, name: "b"))
  let turned = node.links(own)
  for link in turned { seen.add(Seen(link.name, link.node._get_height())) }
  own.add(turned[1])
  var none: list(Node, 3)
  let again = node.relink(own[0], own, none)
  for link in again.b { seen.add(Seen(link.name, link.node._get_height())) }
  for link in node.links(node.links(again.b)) { seen.add(Seen(link.name, link.node._get_height())) }
  return seen
}
"#;

/// What the program has seen, by the same calls of a client.
fn by_client(node: &Node) -> Vec<(Vec<u8>, i64)> {
    let of = |links: &[Link]| -> Vec<(Vec<u8>, i64)> {
        let height = |link: &Link| i64::from(link.node.height().expect("it answers"));
        links.iter().map(|link| (link.name.clone(), height(link))).collect()
    };
    let link = |name: &[u8]| Link { node: node.clone(), name: name.to_vec() };
    let mut own = vec![link(b"a"), link(b"b")];
    let turned = node.links(&own).expect("it answers");
    let mut seen = of(&turned);
    own.push(turned[1].clone());
    node.relink(&mut own[0].clone(), &mut own, &mut Vec::new()).expect("it answers");
    seen.extend(of(&own));
    let twice = node.links(&node.links(&own).expect("it answers")).expect("it answers");
    seen.extend(of(&twice));
    seen
}

/// The same, as the result of a run has it.
fn encoded(seen: &[(Vec<u8>, i64)]) -> Vec<u8> {
    let mut bytes = (seen.len() as u32).to_le_bytes().to_vec();
    for (name, height) in seen {
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name);
        bytes.extend(height.to_le_bytes());
    }
    bytes
}

fn run(client: &Client, node: &Node, id: u128, source: &str) -> Outcome {
    let tree = parse(source, &[Arc::new(module().clone())]).unwrap_or_else(|faults| panic!("{faults:?}"));
    let bytes = compile_to_bytes(&tree).expect("it compiles");
    let (options, name, approval) = (RunOptions::default(), "", "");
    let (arguments, program) = (vec![Argument::Portal(0)], RunProgram::Whole(&bytes));
    let request = RunRequest { id: RunId(id), options, name, approval, arguments, program };
    client.run(&request, &[node.portal()]).expect("the server answers")
}

#[test]
fn a_program_and_a_client_come_to_the_same() {
    let directory = tempfile::tempdir().expect("a directory of our own");
    let address = Address::Unix(directory.path().join("s"));
    let alive = Arc::new(AtomicUsize::new(0));
    let root = Capability::new(Counted::new(5, &alive));
    let programs = Programs::new(&[module()], Policy::default());
    let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
    let server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let node = Node::from_portal(session.root());
    let client = Client::new(Arc::clone(&session));
    let outcome = run(&client, &node, 1, PROGRAM);
    assert_eq!(outcome.end, End::Done, "{outcome:?}");
    assert_eq!(alive.load(Ordering::SeqCst), 1, "the root alone");
    // Ended in the middle of a loop over what was made, by a message and by a fault.
    for (id, stop) in
        [(2, "fail \"here\""), (3, "let all = node.links(own)\n  let n = all[9].node._get_height()")]
    {
        let source = format!(
            "use whole\nprogram p(node: Node) {{\n  var own: list(Link, 3)\n  own.add(Link(node: node, name: \"a\"))\n  \
             for link in node.links(own) {{ if link.name.len == 2 {{ {stop} }} }}\n}}\n"
        );
        assert_ne!(run(&client, &node, id, &source).end, End::Done, "{stop}");
        assert_eq!(alive.load(Ordering::SeqCst), 1, "the root alone: {stop}");
    }

    let seen = by_client(&node);
    let names: Vec<&[u8]> = seen.iter().map(|(name, _)| &name[..]).collect();
    let expected: [&[u8]; 8] = [b"b'", b"a'", b"a''", b"b'", b"a'", b"a''''", b"b'''", b"a'''"];
    assert_eq!(names, expected);

    assert_eq!(outcome.result, Some(encoded(&seen)));
    drop((node, client, session));
    server.shutdown(Instant::now() + Duration::from_secs(10));
    // The server is gone, and all of its objects with it.
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

/// How many portals it has and where they are is not in the list: set to another one, its elements would be elsewhere.
#[test]
fn a_list_with_portals_cannot_be_set() {
    let source = "use whole\nprogram p(node: Node) -> int {\n  var own: list(Link, 3)\n  var none: list(Node, 3)\n  \
                  own.add(Link(node: node, name: \"a\"))\n  let again = node.relink(own[0], own, none)\n  \
                  let turned = node.links(own)\n  return again.b[0].node._get_height() + own[0].node._get_height() + turned.len\n}\n";
    let directory = tempfile::tempdir().expect("a directory of our own");
    let address = Address::Unix(directory.path().join("s"));
    let root = Capability::new(Counted::new(5, &Arc::default()));
    let limits = Limits { calls: 2, ..Limits::default() };
    let programs = Programs::new(&[module()], Policy { limits, ..Policy::default() });
    let options = ServerOptions { entry: Some(Arc::new(programs)), ..ServerOptions::default() };
    let _server = Server::listen(&address, options, move |_: &Caller| Ok(root.clone())).expect("it listens");
    let session = RemoteSession::connect(&address, ConnectOptions::default()).expect("it is there");
    let (node, client) = (Node::from_portal(session.root()), Client::new(Arc::clone(&session)));
    let tree = parse(source, &[Arc::new(module().clone())]).unwrap_or_else(|faults| panic!("{faults:?}"));
    let bytes = compile_to_bytes(&tree).expect("it compiles");
    let (options, program) = (RunOptions::default(), RunProgram::Whole(&bytes));
    let arguments = vec![Argument::Portal(0)];
    let request = RunRequest { id: RunId(1), options, name: "listed", approval: "", arguments, program };
    let stopped = client.run(&request, &[node.portal()]).expect("the server answers");
    let stop = stopped.kept.unwrap_or_else(|| panic!("{stopped:?}")).stop;
    let resume = |set| {
        let request = ResumeRequest { set, ..ResumeRequest::new(RunId(1), stop) };
        client.resume(&request).expect("it is sent").wait(&mut |_| {}).expect("the server answers")
    };
    let loaded = load(&bytes, &Registry::new(&[module()])).expect("it is right");
    let is_list = |ty: &SlotType| matches!(ty, SlotType::List(..));
    let lists: Vec<usize> = (0..loaded.slots.len()).filter(|slot| is_list(&loaded.slots[*slot])).collect();
    assert!(lists.len() >= 4, "{lists:?}");
    for slot in lists {
        let variables = vec![SetVariable { slot: slot as u16, value: VariableValue::List(Vec::new()) }];
        let set = SetVariables { program: carnet_program::bill::hash(&bytes), variables };
        let end = resume(Some(set)).end;
        let End::Refused(Refusal::Variable { slot: of, message }) = &end else { panic!("{slot}: {end:?}") };
        assert_eq!((usize::from(*of), &message[..]), (slot, "it is no variable that can be set"));
    }
    assert_eq!(resume(None).end, End::Done);
}
