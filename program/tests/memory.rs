//! Programs that read memory which their client handed over, where it lies.

use std::sync::Arc;

use carnet_portal::address::Address;
use carnet_portal::call::{Caller, Failure};
use carnet_portal::capability::Capability;
use carnet_portal::memory::Memory;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use carnet_portal::server::{Server, ServerOptions};
use carnet_portal::stub::{PortalIn, Served};
use carnet_program::client::Client;
use carnet_program::compile::compile_to_bytes;
use carnet_program::host::{Policy, Programs};
use carnet_program::protocol::{Argument, End, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source;
use sums::{CarnetMemory, Sums, SumsService};

mod sums {
    #![allow(unreachable_pub, dead_code, reason = "generated for a public module")]
    include!("../../idl/tests/cases/modules/memory.rs");
}

struct Summing;

impl SumsService for Summing {
    fn sum(&self, _: &Caller, of: PortalIn<'_, CarnetMemory>) -> Result<u64, Failure> {
        let memory = of.local::<Memory>().ok_or_else(|| Failure::service("memory that is not here"))?;
        Ok(memory.iter().map(|byte| u64::from(*byte)).sum())
    }

    fn counted(&self, _: &Caller, bytes: i64) -> Result<Served<CarnetMemory>, Failure> {
        Memory::of(&vec![1; bytes.unsigned_abs() as usize])?.serve()
    }

    fn keep(&self, _: &Caller, _: PortalIn<'_, CarnetMemory>) -> Result<(), Failure> {
        Err(Failure::service("nothing is kept"))
    }

    fn kept(&self, _: &Caller) -> Result<Served<CarnetMemory>, Failure> {
        Err(Failure::service("nothing is kept"))
    }
}

/// What stands in the file that it includes, the program calls by its own name.
const TEXT: &str = "use sums
program read_it(service: Sums, of: Memory) -> int {
  var sum = service.sum(of) + of.size()
  sum += service.sum(service.counted(1_000))
  if of.read(2, 10).len == 3 { sum += 1_000_000 }
  return sum
}";

#[test]
fn a_program_reads_memory_that_was_handed_over() {
    let directory = std::env::temp_dir().join(format!("carnet-program-memory-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory of our own");
    for address in [Address::Unix(directory.join("a")), Address::Shared(directory.join("b"))] {
        let programs = Arc::new(Programs::new(&[sums::module()], Policy::default()));
        let options = ServerOptions { entry: Some(programs.clone()), ..ServerOptions::default() };
        let root = Capability::new(Sums::serve(Summing).into_object());
        let server = Server::listen(&address, options, move |_| Ok(root.clone())).expect("it listens");
        let session =
            RemoteSession::connect(&server.address(), ConnectOptions::default()).expect("it connects");
        let handed = session.hand_over(&Memory::of(b"01234").expect("memory")).expect("it is taken");
        let tree = source::parse(TEXT, &[Arc::new(sums::module().clone())]);
        let tree = tree.unwrap_or_else(|faults| panic!("{faults:?}"));
        let request = RunRequest {
            id: RunId(1),
            options: RunOptions::default(),
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0), Argument::Portal(1)],
            program: RunProgram::Whole(&compile_to_bytes(&tree).expect("it compiles")),
        };
        let outcome = Client::new(Arc::clone(&session)).run(&request, &[&session.root(), &handed]);
        let outcome = outcome.expect("the server answers");
        assert_eq!(outcome.end, End::Done);
        let sum = outcome.result.and_then(|bytes| Some(i64::from_le_bytes(bytes.try_into().ok()?)));
        assert_eq!(sum, Some(48 + 49 + 50 + 51 + 52 + 5 + 1_000 + 1_000_000));
    }
    std::fs::remove_dir_all(&directory).expect("it is ours");
}
