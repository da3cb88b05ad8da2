//! An emulated machine that runs Debian's own kernel and one program of ours, and the packages that it is made of.
//!
//! ```text
//! bench ── a line on the serial line ──► /init, in the emulator      made of bench/guest/*.c, linked statically
//!       ◄── `= answer` or `! what failed` ──┘
//! ```
//!
//! Nothing is installed: packages are downloaded by `apt-get download` and unpacked beside what is built. The machine has no disk; it
//! reaches this machine's loopback interface as 10.0.2.2 by QEMU's user network, and nothing else is reachable.
//!
//! What it does not do: the processor is emulated (TCG), so what the guest computes takes some ten to fifty times longer than on the
//! machine itself, and its times say that of it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The package that names the kernel's own.
const KERNEL: &str = "linux-image-cloud-amd64";

/// Modules for virtio's network and NFS, each behind those that it needs.
pub(crate) const NFS_MODULES: [&str; 18] = [
    "drivers/virtio/virtio_ring",
    "drivers/virtio/virtio_pci_modern_dev",
    "drivers/virtio/virtio_pci_legacy_dev",
    "drivers/virtio/virtio",
    "drivers/virtio/virtio_pci",
    "net/core/failover",
    "drivers/net/net_failover",
    "drivers/net/virtio_net",
    "net/sunrpc/sunrpc",
    "fs/netfs/netfs",
    "fs/fscache/fscache",
    "fs/nfs_common/grace",
    "fs/lockd/lockd",
    "fs/nfs/nfs",
    "fs/nfs_common/nfs_acl",
    "fs/nfs/nfsv3",
    "net/dns_resolver/dns_resolver",
    "fs/nfs/nfsv4",
];

fn said<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

/// What a program printed, if it succeeded.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Packages, unpacked and not installed.
#[derive(Debug)]
pub(crate) struct Packages {
    folder: PathBuf,
}

impl Packages {
    /// Beside what is built.
    pub(crate) fn new() -> Result<Packages, String> {
        let program = std::env::current_exe().map_err(said)?;
        let target = program.parent().and_then(Path::parent).ok_or("this program lies nowhere")?;
        let folder = target.join("packages");
        fs::create_dir_all(folder.join("root")).map_err(said)?;
        Ok(Packages { folder })
    }

    /// Where they are unpacked.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join("root")
    }

    /// Downloads and unpacks a package, unless that was done before.
    pub(crate) fn unpack(&self, package: &str) -> Result<(), String> {
        let mark = self.folder.join(format!("{package}.unpacked"));
        if mark.exists() {
            return Ok(());
        }
        let work = self.folder.join(format!("{package}.download"));
        // What an earlier attempt left.
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).map_err(said)?;
        output(Command::new("apt-get").args(["download", "-qq", package]).current_dir(&work))?;
        for file in fs::read_dir(&work).map_err(said)?.filter_map(Result::ok) {
            output(Command::new("dpkg").arg("-x").arg(file.path()).arg(self.root()))?;
        }
        fs::remove_dir_all(&work).map_err(said)?;
        fs::write(mark, "").map_err(said)
    }

    /// The release of the kernel that the distribution has now, unpacked: `6.1.0-56-cloud-amd64`.
    fn kernel(&self) -> Result<String, String> {
        let depends = output(Command::new("apt-cache").args(["depends", KERNEL]))?;
        let package = depends.lines().find_map(|line| line.trim().strip_prefix("Depends: linux-image-"));
        let release = package.ok_or_else(|| format!("no package says which kernel {KERNEL} is"))?.to_owned();
        self.unpack(&format!("linux-image-{release}"))?;
        Ok(release)
    }

    /// Bytes of a module; the kernel may have it compressed, which is not expected here.
    fn module(&self, release: &str, name: &str) -> Result<Vec<u8>, String> {
        let path = self.root().join(format!("lib/modules/{release}/kernel/{name}.ko"));
        fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// A running machine. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Guest {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Guest {
    /// Starts one with this program and these modules, and waits until it says that it is ready.
    pub(crate) fn boot(
        packages: &Packages,
        folder: &Path,
        program: &str,
        modules: &[&str],
    ) -> Result<Guest, String> {
        let release = packages.kernel()?;
        let init = folder.join("init");
        let compiled = Command::new("gcc")
            .args(["-O2", "-static", "-o"])
            .arg(&init)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("guest").join(program))
            .output();
        let compiled = compiled.map_err(|error| format!("gcc: {error}"))?;
        if !compiled.status.success() {
            return Err(format!("gcc: {}", String::from_utf8_lossy(&compiled.stderr).trim()));
        }
        let mut archive = Archive::default();
        archive.folder("dev");
        archive.folder("m");
        archive.console("dev/console");
        archive.file("init", 0o755, &fs::read(&init).map_err(said)?);
        for (at, name) in modules.iter().enumerate() {
            let file = name.rsplit('/').next().unwrap_or(name);
            archive.file(&format!("m/{at:02}-{file}.ko"), 0o644, &packages.module(&release, name)?);
        }
        let initrd = folder.join("initrd");
        fs::write(&initrd, archive.finish()).map_err(said)?;
        let mut child = Command::new("qemu-system-x86_64")
            .args(["-accel", "tcg", "-cpu", "max", "-m", "256", "-display", "none", "-monitor", "none"])
            .args(["-serial", "stdio", "-no-reboot", "-nodefaults", "-kernel"])
            .arg(packages.root().join(format!("boot/vmlinuz-{release}")))
            .arg("-initrd")
            .arg(&initrd)
            .args(["-netdev", "user,id=n", "-device", "virtio-net-pci,netdev=n,romfile="])
            .args(["-append", "console=ttyS0 panic=-1 quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("qemu-system-x86_64: {error}"))?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (to, from) = (to.ok_or("no serial line")?, BufReader::new(from.ok_or("no serial line")?));
        let mut guest = Guest { child, to, from };
        guest.answer().map_err(|what| format!("the emulated machine did not start: {what}"))?;
        Ok(guest)
    }

    /// Has it do something; what it says to that.
    pub(crate) fn ask(&mut self, line: &str) -> Result<String, String> {
        writeln!(self.to, "{line}").and_then(|()| self.to.flush()).map_err(said)?;
        self.answer().map_err(|what| format!("`{line}`: {what}"))
    }

    /// The kernel's own lines are passed over.
    fn answer(&mut self) -> Result<String, String> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if self.from.read_until(b'\n', &mut line).map_err(said)? == 0 {
                return Err("it ended".to_owned());
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if let Some(answer) = text.strip_prefix("= ") {
                return Ok(answer.to_owned());
            }
            if let Some(what) = text.strip_prefix("! ") {
                return Err(what.to_owned());
            }
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // It has nothing that would have to be kept.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file system for the kernel to begin with: cpio in its `newc` form (the kernel's `initramfs-buffer-format`).
#[derive(Default)]
struct Archive {
    bytes: Vec<u8>,
    entries: u32,
}

impl Archive {
    fn folder(&mut self, name: &str) {
        self.entry(name, 0o40755, &[], (0, 0));
    }

    fn file(&mut self, name: &str, mode: u32, bytes: &[u8]) {
        self.entry(name, 0o100_000 | mode, bytes, (0, 0));
    }

    fn console(&mut self, name: &str) {
        self.entry(name, 0o20600, &[], (5, 1));
    }

    fn entry(&mut self, name: &str, mode: u32, bytes: &[u8], device: (u32, u32)) {
        self.entries += 1;
        let (len, name_len) = (bytes.len() as u32, name.len() as u32 + 1);
        // Number, mode, owner, group, links, time, length, device twice, length of the name, sum.
        let fields = [self.entries, mode, 0, 0, 1, 0, len, 0, 0, device.0, device.1, name_len, 0];
        self.bytes.extend_from_slice(b"070701");
        fields.iter().for_each(|field| self.bytes.extend_from_slice(format!("{field:08x}").as_bytes()));
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(0);
        self.pad();
        self.bytes.extend_from_slice(bytes);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.entry("TRAILER!!!", 0, &[], (0, 0));
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_headers_names_and_contents_on_words() {
        let mut archive = Archive::default();
        archive.folder("m");
        archive.file("m/a", 0o644, b"hello");
        let bytes = archive.finish();
        let header = |number: u32, mode: u32, len: u32, name: u32| {
            format!(
                "070701{number:08x}{mode:08x}0000000000000000000000010000000000{len:06x}00000000000000000000000000000000{name:08x}00000000"
            )
        };
        let text = String::from_utf8(bytes).unwrap();
        let folder = header(1, 0o40755, 0, 2) + "m\0";
        assert!(text.starts_with(&folder), "{text:?}");
        // Headers are 110 bytes: a name of two bytes ends on a word, and one of four does not.
        let file = header(2, 0o100_644, 5, 4) + "m/a\0\0\0hello\0\0\0";
        assert_eq!(&text[112..112 + file.len()], file);
        assert_eq!(text.len() % 4, 0);
        assert!(text.contains("TRAILER!!!"));
    }
}
