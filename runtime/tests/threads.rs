//! What threads do that no program on HotSpot shows: who holds up whom, and how a run ends that cannot go on.

use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::not_possible;
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{Domain, Ended, Limits};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);

/// Runs the class `Main` of a source.
fn run(source: &str, io: Io) -> Result<i32, BootError> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Main.java");
    std::fs::write(&file, source).expect("a source");
    let javac = Command::new("javac").arg("-d").arg(folder.path()).arg(&file).status();
    assert!(javac.expect("javac starts").success());
    let places = [folder.path().to_owned()];
    let library = Library::open(installed_jdk().as_deref(), &places).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let limits = Limits { time: LONG, ..Limits::default() };
    Domain::new(universe, limits, io).expect("a class library").run_main("Main", &[])
}

/// Input that comes only when somebody has written.
struct Late(Receiver<u8>);

impl Read for Late {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        bytes[0] = self.0.recv_timeout(LONG).map_err(std::io::Error::other)?;
        Ok(1)
    }
}

/// Output that becomes that input.
struct Echo(Sender<u8>);

impl Write for Echo {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for byte in bytes {
            self.0.send(*byte).map_err(std::io::Error::other)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_thread_that_waits_for_input_holds_up_no_other() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let (sender, receiver) = channel();
    let io = Io {
        input: Box::new(Late(receiver)),
        output: Box::new(Echo(sender)),
        error: Box::new(std::io::sink()),
    };
    let source = "
        public class Main {
            static int read;
            public static void main(String[] args) throws Exception {
                Thread reader = new Thread(() -> {
                    try {
                        read = System.in.read();
                    } catch (java.io.IOException e) {
                        read = -2;
                    }
                });
                reader.start();
                for (int i = 0; i < 1000; i++) {
                    Thread.yield();
                }
                System.out.print('!');
                reader.join();
                System.exit(read);
            }
        }";
    assert_eq!(run(source, io), Ok(i32::from(b'!')));
}

#[test]
fn threads_that_wait_for_each_other_end_the_run() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let source = "
        public class Main {
            public static void main(String[] args) throws Exception {
                Object one = new Object(), other = new Object();
                Thread thread = new Thread(() -> {
                    synchronized (other) {
                        Thread.yield();
                        synchronized (one) {
                        }
                    }
                });
                synchronized (one) {
                    thread.start();
                    while (!thread.getState().equals(Thread.State.BLOCKED)) {
                        Thread.yield();
                    }
                    synchronized (other) {
                    }
                }
            }
        }";
    assert_eq!(run(source, Io::none()), Err(BootError::Ended(Ended::Deadlock)));
}
