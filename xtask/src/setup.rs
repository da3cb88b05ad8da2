//! What commands need on the machine beside cargo, and how to get it.
//!
//! Each need has a probe, a command that succeeds where it is met. One that is not met is installed when the
//! user may do so (root, or sudo that asks for no password), else named with the one command that installs
//! it. What xtask itself cannot be built without is looked for by `bootstrap.sh` instead.

use std::process::{Command, Stdio};

/// What a command needs.
pub(crate) struct Need {
    /// What it is for, as in "git, for the list of files that tidy checks".
    what_for: &'static str,
    /// Succeeds where the need is met.
    probe: &'static str,
    package: &'static str,
    from: Installer,
    weight: Weight,
    /// Commands of ours that need it.
    commands: &'static [&'static str],
}

/// What installs a missing thing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Installer {
    /// It is a package of Debian.
    Apt,
    /// It is a component of the Rust toolchain.
    Rustup,
}

impl Installer {
    const ALL: [Installer; 2] = [Installer::Apt, Installer::Rustup];
}

/// What its absence means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Weight {
    /// The command cannot run.
    Required,
    /// A part of the command is left out; it is too large to be installed unasked.
    IfPresent,
}

const NEEDS: &[Need] = &[
    Need {
        what_for: "git, for the list of files that tidy checks",
        probe: "git --version",
        package: "git",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["test", "tidy"],
    },
    Need {
        what_for: "rustfmt, for the format check",
        probe: "cargo fmt --version",
        package: "rustfmt",
        from: Installer::Rustup,
        weight: Weight::Required,
        commands: &["test"],
    },
    Need {
        what_for: "clippy, for the lints",
        probe: "cargo clippy --version",
        package: "clippy",
        from: Installer::Rustup,
        weight: Weight::Required,
        commands: &["test"],
    },
    Need {
        what_for: "gcc, for the rivals in C and for Lua, which is built from its sources",
        probe: "gcc --version",
        package: "gcc",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["bench"],
    },
    Need {
        what_for: "gcc, for the stubs in C that tests compile",
        probe: "gcc --version",
        package: "gcc",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["test"],
    },
    Need {
        what_for: "g++, to see that stubs in C are C++, too",
        probe: "g++ --version",
        package: "g++",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["test"],
    },
    Need {
        what_for: "clang, the second compiler of stubs in C",
        probe: "clang --version",
        package: "clang",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["test"],
    },
    Need {
        what_for: "make, which builds the example in C",
        probe: "make --version",
        package: "make",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["test"],
    },
    Need {
        what_for: "valgrind, which counts the instructions of stubs",
        probe: "valgrind --version",
        package: "valgrind",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench", "test"],
    },
    Need {
        what_for: "rpcgen, a rival of the stubs",
        probe: "rpcgen --version",
        package: "rpcsvc-proto",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "libtirpc, which rpcgen's stubs call",
        probe: "test -e /usr/include/tirpc/rpc/xdr.h",
        package: "libtirpc-dev",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "redis-server, a rival of the key-value service",
        probe: "redis-server --version",
        package: "redis-server",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "QEMU, the machine that Linux's NFS client runs in, a rival of the copy (its kernel and nfs-ganesha are downloaded and not installed)",
        probe: "qemu-system-x86_64 --version",
        package: "qemu-system-x86",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "sftp, a rival of the copy",
        probe: "test -x /usr/bin/sftp",
        package: "openssh-client",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "sftp-server, what that talks to",
        probe: "test -x /usr/lib/openssh/sftp-server",
        package: "openssh-sftp-server",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench"],
    },
    Need {
        what_for: "Java, a rival of the interpreter and the compiler, what compiles generated Java, and the judge of the verifier",
        probe: "javac -version",
        package: "default-jdk-headless",
        from: Installer::Apt,
        weight: Weight::IfPresent,
        commands: &["bench", "test"],
    },
    Need {
        what_for: "qemu, in which the kernel module is tested",
        probe: "qemu-system-x86_64 --version",
        package: "--no-install-recommends qemu-system-x86",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["kernel-test"],
    },
    Need {
        what_for: "headers of Debian's newest kernel for the cloud, against which the module is built",
        probe: "dpkg -s linux-headers-cloud-amd64",
        package: "linux-headers-cloud-amd64",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["kernel-test"],
    },
    Need {
        what_for: "gcc, for the kernel module and what tests it",
        probe: "gcc --version",
        package: "gcc",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["kernel-test"],
    },
    Need {
        what_for: "make, which builds the kernel module",
        probe: "make --version",
        package: "make",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["kernel-test"],
    },
    Need {
        what_for: "Java, the judge of the class verifier",
        probe: "javac -version",
        package: "default-jdk-headless",
        from: Installer::Apt,
        weight: Weight::Required,
        commands: &["verify-long"],
    },
];

/// Meets the needs of `command`, or of every command.
///
/// # Errors
/// What is missing, and the one command that installs it.
pub(crate) fn meet(command: Option<&str>) -> Result<(), String> {
    let machine = Machine { right: right() };
    let needs: Vec<&Need> =
        NEEDS.iter().filter(|need| command.is_none_or(|name| need.commands.contains(&name))).collect();
    meet_on(&machine, &needs)
}

/// Names of the commands that have needs.
pub(crate) fn commands() -> Vec<&'static str> {
    let mut names: Vec<&str> = NEEDS.iter().flat_map(|need| need.commands).copied().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What is asked of the machine; tests answer for it.
trait Host {
    fn has(&self, probe: &str) -> bool;
    fn right(&self) -> Right;
    fn run(&self, line: &str) -> bool;
}

/// How the user may install packages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Right {
    Root,
    Sudo,
    None,
}

fn meet_on(host: &impl Host, needs: &[&Need]) -> Result<(), String> {
    let mut missing = needs.to_vec();
    missing.retain(|need| !host.has(need.probe));
    for (installer, group) in by_installer(&missing) {
        let group: Vec<&Need> = group.into_iter().filter(|need| need.weight == Weight::Required).collect();
        install(host, installer, &group);
    }
    missing.retain(|need| !host.has(need.probe));
    report(host.right(), missing)
}

fn by_installer<'a>(needs: &[&'a Need]) -> Vec<(Installer, Vec<&'a Need>)> {
    Installer::ALL
        .into_iter()
        .map(|installer| (installer, needs.iter().copied().filter(|need| need.from == installer).collect()))
        .collect()
}

fn install(host: &impl Host, installer: Installer, group: &[&Need]) {
    let may = installer == Installer::Rustup || host.right() != Right::None;
    if group.is_empty() || !may {
        return;
    }
    for need in group {
        println!("missing: {}", need.what_for);
    }
    let line = install_line(installer, group, host.right());
    println!("installing: {line}");
    if installer == Installer::Apt {
        // A fresh machine has no lists of packages; a failure shows in the installation itself.
        host.run(&format!("{}apt-get update -qq", prefix(host.right())));
    }
    host.run(&line);
}

/// What is used if present and still missing is said to be left out; what is required is an error.
fn report(right: Right, missing: Vec<&Need>) -> Result<(), String> {
    let (required, rest): (Vec<&Need>, Vec<&Need>) =
        missing.into_iter().partition(|need| need.weight == Weight::Required);
    for need in rest {
        let line = install_line(need.from, &[need], right);
        println!("skipped, not installed: {} (to have it: {line})", need.what_for);
    }
    if required.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = required.iter().map(|need| need.what_for).collect();
    let lines: Vec<String> = by_installer(&required)
        .into_iter()
        .filter(|(_, group)| !group.is_empty())
        .map(|(installer, group)| install_line(installer, &group, right))
        .collect();
    Err(format!("missing: {}\ninstall with: {}", names.join("; "), lines.join(" && ")))
}

/// The one command that installs a group.
fn install_line(installer: Installer, group: &[&Need], right: Right) -> String {
    let names: Vec<&str> = group.iter().map(|need| need.package).collect();
    match installer {
        Installer::Apt => format!("{}apt-get install -y {}", prefix(right), names.join(" ")),
        Installer::Rustup => format!("rustup component add {}", names.join(" ")),
    }
}

fn prefix(right: Right) -> &'static str {
    match right {
        Right::Root => "",
        Right::Sudo => "sudo -n ",
        Right::None => "sudo ",
    }
}

struct Machine {
    right: Right,
}

impl Host for Machine {
    fn has(&self, probe: &str) -> bool {
        quiet(probe)
    }

    fn right(&self) -> Right {
        self.right
    }

    fn run(&self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { return false };
        let status = Command::new(program)
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }
}

/// Whether `line` runs and succeeds; its output is nobody's business.
fn quiet(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let Some(program) = words.next() else { return false };
    let status = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn right() -> Right {
    let id = Command::new("id").arg("-u").stdin(Stdio::null()).output();
    if id.is_ok_and(|output| output.stdout == b"0\n") {
        Right::Root
    } else if quiet("sudo -n true") {
        Right::Sudo
    } else {
        Right::None
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// A machine that lacks `missing`; what was run is noted, and `heals` says whether running it helps.
    struct Fake {
        missing: RefCell<Vec<&'static str>>,
        right: Right,
        heals: bool,
        ran: RefCell<Vec<String>>,
    }

    impl Fake {
        fn new(missing: &[&'static str], right: Right, heals: bool) -> Fake {
            Fake { missing: RefCell::new(missing.to_vec()), right, heals, ran: RefCell::default() }
        }
    }

    impl Host for Fake {
        fn has(&self, probe: &str) -> bool {
            !self.missing.borrow().contains(&probe)
        }

        fn right(&self) -> Right {
            self.right
        }

        fn run(&self, line: &str) -> bool {
            self.ran.borrow_mut().push(line.to_owned());
            if self.heals && line.contains("install") {
                self.missing.borrow_mut().clear();
            }
            self.heals
        }
    }

    fn need(probe: &'static str, package: &'static str, from: Installer, weight: Weight) -> Need {
        Need { what_for: probe, probe, package, from, weight, commands: &["test"] }
    }

    #[test]
    fn nothing_is_run_where_nothing_is_missing() {
        let host = Fake::new(&[], Right::Root, true);
        let git = need("git", "git", Installer::Apt, Weight::Required);
        assert_eq!(meet_on(&host, &[&git]), Ok(()));
        assert!(host.ran.borrow().is_empty());
    }

    #[test]
    fn root_installs_all_packages_with_one_command() {
        let host = Fake::new(&["git", "strace"], Right::Root, true);
        let git = need("git", "git", Installer::Apt, Weight::Required);
        let strace = need("strace", "strace", Installer::Apt, Weight::Required);
        assert_eq!(meet_on(&host, &[&git, &strace]), Ok(()));
        assert_eq!(*host.ran.borrow(), ["apt-get update -qq", "apt-get install -y git strace"]);
    }

    #[test]
    fn a_user_without_rights_is_told_the_one_command() {
        let host = Fake::new(&["git"], Right::None, false);
        let git = need("git", "git", Installer::Apt, Weight::Required);
        let message = meet_on(&host, &[&git]).unwrap_err();
        assert_eq!(message, "missing: git\ninstall with: sudo apt-get install -y git");
        assert!(host.ran.borrow().is_empty());
    }

    #[test]
    fn a_component_needs_no_rights() {
        let host = Fake::new(&["fmt"], Right::None, false);
        let fmt = need("fmt", "rustfmt", Installer::Rustup, Weight::Required);
        let message = meet_on(&host, &[&fmt]).unwrap_err();
        assert_eq!(message, "missing: fmt\ninstall with: rustup component add rustfmt");
        assert_eq!(*host.ran.borrow(), ["rustup component add rustfmt"]);
    }

    #[test]
    fn what_a_benchmark_needs_is_named_for_it_alone() {
        let packages = |command| {
            let of_it = NEEDS.iter().filter(move |need| need.commands.contains(&command));
            of_it.map(|need| need.package).collect::<Vec<_>>()
        };
        let copies = ["qemu-system-x86", "openssh-client", "openssh-sftp-server"];
        let of_bench = ["gcc", "valgrind", "rpcsvc-proto", "libtirpc-dev", "redis-server"];
        let of_bench = [&of_bench[..], &copies, &["default-jdk-headless"]].concat();
        assert_eq!(packages("bench"), of_bench);
        let tools_of_c = ["gcc", "g++", "clang", "make", "valgrind"];
        let of_test = [&["git", "rustfmt", "clippy"][..], &tools_of_c, &["default-jdk-headless"]].concat();
        assert_eq!(packages("test"), of_test);
    }

    #[test]
    fn a_large_thing_is_never_installed_unasked() {
        let host = Fake::new(&["java"], Right::Root, true);
        let java = need("java", "default-jdk-headless", Installer::Apt, Weight::IfPresent);
        assert_eq!(meet_on(&host, &[&java]), Ok(()));
        assert!(host.ran.borrow().is_empty());
    }
}
