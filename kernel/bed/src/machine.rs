//! Headers and kernel of Debian, the module, and the emulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::archive::Archive;

/// How long a kernel may run: one that hangs ends by this. It takes some 90 s on an idle machine, and several times that on a busy one.
const TIME_MAX: Duration = Duration::from_secs(900);

/// How the emulator counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Time is the machine's.
    Free,
    /// One tick per instruction, and each run is the same.
    Counted,
}

/// What is needed to run something in the kernel.
#[derive(Debug)]
pub struct Machine {
    root: PathBuf,
    /// Where everything is built.
    folder: PathBuf,
    /// `6.1.0-56-cloud-amd64`.
    release: String,
}

/// Runs a program, which must succeed.
fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot start {name}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{name} ended with {}:\n{}", output.status, String::from_utf8_lossy(&said)))
}

impl Machine {
    /// Finds the newest headers that are installed, and gets the kernel that they are of.
    ///
    /// # Errors
    /// What is missing, for people.
    pub fn find(root: &Path) -> Result<Machine, String> {
        let folder = root.join("target/kernel-bed");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let release = newest_release()?;
        let machine = Machine { root: root.to_owned(), folder, release };
        if !machine.kernel().is_file() {
            machine.download()?;
        }
        Ok(machine)
    }

    /// `6.1.0-56-cloud-amd64`.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.release
    }

    fn kernel(&self) -> PathBuf {
        self.folder.join(format!("image/boot/vmlinuz-{}", self.release))
    }

    /// Downloads the package of the kernel and takes it apart; it is not installed.
    fn download(&self) -> Result<(), String> {
        let package = format!("linux-image-{}", self.release);
        println!("downloading {package}");
        run(Command::new("apt-get").args(["download", &package]).current_dir(&self.folder))?;
        let files = std::fs::read_dir(&self.folder).map_err(|error| error.to_string())?;
        let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let deb = names.find(|name| name.starts_with(&package) && name.ends_with(".deb"));
        let deb = deb.ok_or_else(|| format!("apt-get downloaded no {package}"))?;
        run(Command::new("dpkg").args(["-x", &deb, "image"]).current_dir(&self.folder))?;
        std::fs::remove_file(self.folder.join(deb)).map_err(|error| error.to_string())
    }

    /// Builds the module; its bytes.
    ///
    /// # Errors
    /// What make said.
    pub fn module(&self) -> Result<Vec<u8>, String> {
        let folder = self.folder.join("module");
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let sources = std::fs::read_dir(self.root.join("kernel")).map_err(|error| error.to_string())?;
        for source in sources.filter_map(Result::ok) {
            let name = source.file_name();
            let text = name.to_string_lossy();
            if text == "Kbuild" || text.ends_with(".c") || text.ends_with(".h") {
                let new = std::fs::read(source.path()).map_err(|error| error.to_string())?;
                // What is as it was keeps its time, so that it is not compiled again.
                if std::fs::read(folder.join(&name)).ok().as_ref() != Some(&new) {
                    std::fs::write(folder.join(&name), new).map_err(|error| error.to_string())?;
                }
            }
        }
        let build = format!("/usr/src/linux-headers-{}", self.release);
        let module = format!("M={}", folder.display());
        let said = run(Command::new("make").args(["-C", &build, &module, "KCFLAGS=-Werror", "modules"]))?;
        let said = String::from_utf8_lossy(&said);
        if let Some(line) = said.lines().find(|line| line.contains("warning:")) {
            return Err(format!("the module is not built without warnings: {line}"));
        }
        run(Command::new("strip")
            .args(["--strip-debug", "-o", "stripped.ko", "carnet.ko"])
            .current_dir(&folder))?;
        std::fs::read(folder.join("stripped.ko")).map_err(|error| error.to_string())
    }

    /// Bytes of instructions and constants of the parts of the module.
    ///
    /// # Errors
    /// What `size` said; the module must be built.
    pub fn sizes(&self) -> Result<Vec<(String, u64)>, String> {
        let folder = self.folder.join("module");
        let parts = ["carnet_interp.o", "carnet_verify.o", "carnet_main.o", "carnet_operations.o"];
        let said = run(Command::new("size").args(["-A"]).args(parts).current_dir(folder))?;
        let (mut sizes, mut part) = (Vec::new(), String::new());
        for line in String::from_utf8_lossy(&said).lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [name, ":"] => part = name.trim_end_matches(".o").to_owned(),
                [".text", bytes, ..] => sizes.push((part.clone(), bytes.parse().unwrap_or(0))),
                _ => {}
            }
        }
        Ok(sizes)
    }

    /// Compiles `kernel/test/NAME.c` to a program that needs no library.
    ///
    /// # Errors
    /// What the compiler said.
    pub fn program(&self, name: &str) -> Result<Vec<u8>, String> {
        let to = self.folder.join(name);
        let flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers"];
        let source = self.root.join("kernel/test").join(format!("{name}.c"));
        run(Command::new("gcc").args(flags).args(["-static", "-pthread", "-o"]).arg(&to).arg(source))?;
        std::fs::read(to).map_err(|error| error.to_string())
    }

    /// Adds the program that runs here, as `bed`, and the libraries that it needs.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn add_self(&self, archive: &mut Archive) -> Result<(), String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let stripped = self.folder.join("bed");
        run(Command::new("strip").arg("-o").arg(&stripped).arg(&own))?;
        archive.file("bed", &std::fs::read(stripped).map_err(|error| error.to_string())?);
        let said = run(Command::new("ldd").arg(&own))?;
        ["lib", "lib64", "lib/x86_64-linux-gnu"].iter().for_each(|folder| archive.folder(folder));
        for word in String::from_utf8_lossy(&said).split_whitespace().filter(|word| word.starts_with("/lib"))
        {
            let bytes = std::fs::read(word).map_err(|error| format!("{word}: {error}"))?;
            archive.file(word.trim_start_matches('/'), &bytes);
        }
        Ok(())
    }

    /// Boots the kernel with this first file system; what it wrote to its serial port.
    ///
    /// # Errors
    /// If the emulator cannot be started, fails, or takes too long.
    pub fn boot(&self, archive: Archive, clock: Clock) -> Result<String, String> {
        let initrd = self.folder.join("initrd");
        std::fs::write(&initrd, archive.finish()).map_err(|error| error.to_string())?;
        let seconds = TIME_MAX.as_secs().to_string();
        let mut command = Command::new("timeout");
        command.args([
            "--signal=KILL",
            &seconds,
            "qemu-system-x86_64",
            "-accel",
            "tcg",
            "-cpu",
            "max",
            "-m",
            "256",
        ]);
        command.args([
            "-display",
            "none",
            "-serial",
            "stdio",
            "-monitor",
            "none",
            "-no-reboot",
            "-nodefaults",
        ]);
        command.arg("-kernel").arg(self.kernel()).arg("-initrd").arg(initrd);
        command.args(["-append", "console=ttyS0 panic=-1 quiet nokaslr"]);
        match clock {
            // On one processor, since only there a run is the same each time.
            Clock::Counted => command.args([
                "-icount",
                "shift=0,sleep=off",
                "-rtc",
                "base=2026-01-01,clock=vm",
                "-seed",
                "1",
            ]),
            // On two, each a thread of the emulator, since only there threads of a process race.
            Clock::Free => command.args(["-smp", "2"]),
        };
        Ok(String::from_utf8_lossy(&run(&mut command)?).into_owned())
    }
}

/// The newest kernel of the cloud whose headers are installed.
fn newest_release() -> Result<String, String> {
    let files = std::fs::read_dir("/usr/src").map_err(|error| format!("/usr/src: {error}"))?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let release = |name: String| {
        let release = name.strip_prefix("linux-headers-6.1.0-")?;
        let number = release.strip_suffix("-cloud-amd64")?.parse::<u32>().ok()?;
        Some((number, format!("6.1.0-{release}")))
    };
    let newest = names.filter_map(release).max();
    newest.map(|(_, release)| release).ok_or_else(|| {
        "there are no headers of Debian's kernel 6.1 for the cloud (package linux-headers-cloud-amd64)"
            .to_owned()
    })
}

/// What a log of the kernel must not hold.
const ALARMS: [&str; 8] =
    ["BUG:", "WARNING:", "Oops", "general protection", "RIP:", "Call Trace", "hung task", "Out of memory"];

/// The first line of what was printed that says that something is wrong.
#[must_use]
pub fn alarm(said: &str) -> Option<&str> {
    said.lines().find(|line| line.contains("BAD ") || ALARMS.iter().any(|alarm| line.contains(alarm)))
}

#[cfg(test)]
mod tests {
    use super::alarm;

    #[test]
    fn alarms_are_found() {
        assert_eq!(alarm("ok one\n[ 1.0] carnet: loading out-of-tree module taints kernel.\ndone"), None);
        assert_eq!(alarm("ok\nBAD two: line 3\n"), Some("BAD two: line 3"));
        assert!(alarm("[ 1.6] BUG: unable to handle page fault").is_some());
        assert!(alarm("[ 1.6] WARNING: CPU: 0 PID: 1").is_some());
    }
}
