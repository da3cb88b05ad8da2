//! A server in C in a process of its own.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Until it is dropped; its folder goes with it.
pub(crate) struct ServerInC {
    pub(crate) child: Child,
    /// Its socket.
    pub(crate) path: PathBuf,
    _folder: tempfile::TempDir,
}

impl ServerInC {
    /// Starts it, and waits until it serves.
    pub(crate) fn start(program: &Path) -> ServerInC {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let mut child = Command::new(program).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 7]).unwrap();
        ServerInC { child, path, _folder: folder }
    }
}

impl Drop for ServerInC {
    fn drop(&mut self) {
        // One that ended by itself failed its test already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
