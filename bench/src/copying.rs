//! Programs that copy a file within its server, for whoever measures that.

use std::sync::Arc;

use carnet_files::files;
use carnet_portal::remote::RemoteSession;
use carnet_program::client::Client;
use carnet_program::compile::compile;
use carnet_program::protocol::{Argument, End, Engine, RunId, RunOptions, RunProgram, RunRequest};
use carnet_program::source::parse;

/// By the service's own copying.
pub(crate) const COPY_FROM: &str = "use files
program copy(root: Dir, from: string) -> int at most 1GiB written {
  let source = root.open(from)
  let target = root.replace(\"target\")
  let size = source.size()
  var pos = 0
  while pos < size limit 10_000 {
    let n = target.copy_from(source, pos, 1MiB)
    if n == 0 { break }
    pos += n
  }
  return pos
}";

/// By the loop of the paper's Figure 6, in pieces of what `cp` reads at once: each goes into the program and out of it.
pub(crate) const READ_AND_WRITE: &str = "use files
program copy(root: Dir, from: string) -> int at most 1GiB written {
  let source = root.open(from)
  let target = root.replace(\"target\")
  var copied = 0
  while true limit 10_000 {
    let data = source.next(128KiB)
    if data.len == 0 { break }
    copied += target.append(data)
  }
  return copied
}";

/// A session with a served directory, and one of these programs.
pub(crate) struct Copying {
    transport: Arc<RemoteSession>,
    program: Vec<u8>,
    tree: Vec<u8>,
}

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

impl Copying {
    pub(crate) fn new(transport: Arc<RemoteSession>, program: &str) -> Result<Copying, String> {
        let tree = parse(program, &[Arc::new(files::module().clone())])
            .map_err(|faults| carnet_idl::diagnostic::render("copy", program, &faults))?;
        let program = compile(&tree).map_err(said)?.encode();
        Ok(Copying { transport, program, tree: tree.encode() })
    }

    pub(crate) fn transport(&self) -> &Arc<RemoteSession> {
        &self.transport
    }

    /// Copies a file of this size to `target`; the program is sent each time.
    pub(crate) fn copy(&self, from: &str, size: usize) -> Result<(), String> {
        self.run((&self.program).into(), Engine::Any, from, size)
    }

    /// The same by its tree, which the server interprets as it is.
    pub(crate) fn copy_by_tree(&self, from: &str, size: usize) -> Result<(), String> {
        self.run(RunProgram::Tree(&self.tree), Engine::Tree, from, size)
    }

    fn run(&self, program: RunProgram<'_>, engine: Engine, from: &str, size: usize) -> Result<(), String> {
        let request = RunRequest {
            id: RunId(unique()),
            options: RunOptions { engine, ..RunOptions::default() },
            name: "",
            approval: "",
            arguments: vec![Argument::Portal(0), Argument::Text(from.as_bytes())],
            program,
        };
        let client = Client::new(Arc::clone(&self.transport));
        let outcome = client.run(&request, &[&self.transport.root()]).map_err(said)?;
        let copied = outcome.result.as_deref().unwrap_or_default();
        if outcome.end != End::Done || *copied != (size as u64).to_le_bytes() {
            return Err(format!("the program ended with {:?}", outcome.end));
        }
        Ok(())
    }
}

/// A number that no other run of this process has.
pub(crate) fn unique() -> u128 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(NEXT.fetch_add(1, Ordering::Relaxed)) << 64
}
