//! Linux's NFS client, in an emulated machine, and nfs-ganesha as its server, on this machine's loopback interface.
//!
//! ```text
//! emulated machine                     this machine
//! open, read, write, close ──► NFS client ══ 10.0.2.2 ══► Relay ══ TCP ══► ganesha.nfsd ──► the folder
//! ```

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use carnet_sim::{Relay, RelayOptions};

use crate::guest::{Guest, NFS_MODULES, Packages};

/// What of ganesha and its libraries Debian 12 does not install by itself.
const GANESHA: [&str; 6] =
    ["nfs-ganesha", "nfs-ganesha-vfs", "libntirpc4.3", "liburcu8", "libnfsidmap1", "libwbclient0"];

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// How a file is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// By read and write.
    ReadWrite,
    /// By `copy_file_range`, which version 4.2 may leave to the server.
    Range,
}

impl By {
    fn word(self) -> &'static str {
        match self {
            By::ReadWrite => "rw",
            By::Range => "cfr",
        }
    }
}

/// A version, and how it copies.
pub(super) const WAYS: [(&str, By, &str); 4] = [
    ("4.0", By::ReadWrite, "NFS 4.0"),
    ("4.1", By::ReadWrite, "NFS 4.1"),
    ("4.2", By::ReadWrite, "NFS 4.2"),
    ("4.2", By::Range, "NFS 4.2, copy_file_range"),
];

/// Client, link and server.
pub(super) struct Nfs {
    // The client before what it talks to.
    guest: Guest,
    relay: Relay,
    _server: Server,
    mounted: Option<&'static str>,
}

impl Nfs {
    /// Starts all of them; what it serves is this folder, `work` is for what they write themselves.
    pub(super) fn start(served: &Path, work: &Path) -> Result<Nfs, String> {
        if !rustix::process::geteuid().is_root() {
            return Err("nfs-ganesha opens files by their handles, which only root may".to_owned());
        }
        let packages = Packages::new()?;
        GANESHA.iter().try_for_each(|package| packages.unpack(package))?;
        let server = Server::start(&packages, served, work)?;
        let relay = Relay::tcp(server.address, RelayOptions::default()).map_err(said)?;
        let guest = Guest::boot(&packages, work, "nfs.c", &NFS_MODULES)?;
        Ok(Nfs { guest, relay, _server: server, mounted: None })
    }

    /// The link.
    pub(super) fn relay(&self) -> &Relay {
        &self.relay
    }

    /// Milliseconds of one copy, as the emulated machine's clock has it.
    pub(super) fn copy(
        &mut self,
        version: &'static str,
        by: By,
        from: &str,
        to: &str,
    ) -> Result<f64, String> {
        self.mount(version)?;
        let time = self.guest.ask(&format!("copy {} {from} {to}", by.word()))?;
        let time: u64 = time.parse().map_err(|_| format!("the emulated machine says `{time}`"))?;
        Ok(time as f64 / 1e6)
    }

    fn mount(&mut self, version: &'static str) -> Result<(), String> {
        if self.mounted == Some(version) {
            return Ok(());
        }
        if self.mounted.take().is_some() {
            self.guest.ask("umount")?;
        }
        let port = self.relay.address().ok_or("the relay has no port")?.port();
        self.guest.ask(&format!("mount {version} {port}"))?;
        self.mounted = Some(version);
        Ok(())
    }
}

/// ganesha.nfsd; it ends when this is dropped.
struct Server {
    child: Child,
    address: SocketAddr,
    log: PathBuf,
}

impl Server {
    fn start(packages: &Packages, served: &Path, work: &Path) -> Result<Server, String> {
        // The system chooses a port, and hardly gives it to anybody else before ganesha asks for it.
        let listener = TcpListener::bind("127.0.0.1:0").map_err(said)?;
        let address = listener.local_addr().map_err(said)?;
        drop(listener);
        let libraries = packages.root().join("usr/lib/x86_64-linux-gnu");
        let (recovery, log) = (work.join("recovery"), work.join("ganesha.log"));
        fs::create_dir_all(&recovery).map_err(said)?;
        let configuration = configuration(address.port(), served, &recovery, &libraries.join("ganesha"));
        fs::write(work.join("ganesha.conf"), configuration).map_err(said)?;
        let paths =
            std::env::join_paths([&libraries, &packages.root().join("usr/lib/ganesha")]).map_err(said)?;
        let child = Command::new(packages.root().join("usr/bin/ganesha.nfsd"))
            .arg("-F")
            .arg("-f")
            .arg(work.join("ganesha.conf"))
            .arg("-L")
            .arg(&log)
            .arg("-p")
            .arg(work.join("ganesha.pid"))
            .env("LD_LIBRARY_PATH", paths)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("ganesha.nfsd: {error}"))?;
        let mut server = Server { child, address, log };
        server.wait_until_it_listens()?;
        Ok(server)
    }

    fn wait_until_it_listens(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            let ended = self.child.try_wait().map_err(said)?.is_some();
            if ended || begun.elapsed() > Duration::from_secs(20) {
                let log = fs::read_to_string(&self.log).unwrap_or_default();
                let faults: Vec<&str> = log
                    .lines()
                    .filter(|line| line.contains(":CRIT :") || line.contains(":FATAL :"))
                    .collect();
                return Err(format!("ganesha.nfsd does not serve: {}", faults.join("; ")));
            }
            std::thread::yield_now();
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It keeps nothing that would be missed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One export, for NFS 4 by TCP and without authentication, as in the paper.
fn configuration(port: u16, served: &Path, recovery: &Path, plugins: &Path) -> String {
    let (served, recovery, plugins) = (served.display(), recovery.display(), plugins.display());
    format!(
        "NFS_CORE_PARAM {{ NFS_Port = {port}; Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false;
  Bind_addr = 127.0.0.1; Plugins_Dir = \"{plugins}\"; }}
NFSV4 {{ Graceless = true; Minor_Versions = 0, 1, 2; RecoveryRoot = \"{recovery}\"; Only_Numeric_Owners = true;
  UseGetpwnam = true; }}
EXPORT {{ Export_Id = 1; Path = \"{served}\"; Pseudo = \"/e\"; Access_Type = RW; Squash = No_Root_Squash;
  SecType = sys; Protocols = 4; Transports = TCP; PrivilegedPort = false; FSAL {{ Name = VFS; }} }}
"
    )
}
