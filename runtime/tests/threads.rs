//! What threads do that no program on HotSpot shows: who holds up whom, and how a run ends that cannot go on.

use std::io::{PipeReader, Read, Write, pipe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::java_programs::{javac, not_possible};
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{Domain, Ended, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);

/// Runs the class `Main` of a source.
fn run(source: &str, io: Io) -> Result<i32, BootError> {
    domain(source, io, Limits { time: LONG, ..Limits::default() }).run_main("Main", &[])
}

/// A domain with the class `Main` of a source.
fn domain(source: &str, io: Io, limits: Limits) -> Domain {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Main.java"), source).expect("a source");
    assert!(javac(folder.path(), &["Main.java"]), "there is a compiler");
    let places = [folder.path().to_owned()];
    let library = Library::open(installed_jdk().as_deref(), &places).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    // The folder is gone when it runs.
    for entry in std::fs::read_dir(folder.path()).expect("the folder") {
        let file = entry.expect("an entry").file_name();
        if let Some(class) = file.to_str().and_then(|name| name.strip_suffix(".class")) {
            universe.load(class.as_bytes()).expect("the class is right");
        }
    }
    Domain::new(universe, limits, io).expect("a class library")
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
        output: Output::memory(Echo(sender)),
        error: Output::memory(std::io::sink()),
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

#[test]
fn classes_that_wait_for_each_other_end_the_run() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let source = |meanwhile: &str| {
        format!(
            "public class Main {{
                static int begun;
                static synchronized int begin() {{
                    return ++begun;
                }}
                static void meet() {{
                    for (int all = begin(); all < 2; all = begun) {{
                        Thread.yield();
                    }}
                }}
                static class One {{
                    static {{
                        meet();
                        new Other();
                    }}
                }}
                static class Other {{
                    static {{
                        meet();
                        new One();
                    }}
                }}
                public static void main(String[] args) {{
                    new Thread(Other::new).start();
                    {meanwhile}
                    new One();
                }}
            }}"
        )
    };
    assert_eq!(run(&source(""), Io::none()), Err(BootError::Ended(Ended::Deadlock)));
    // Others go on, and come to a limit.
    let others = "new Thread(() -> { for (;;) { Thread.yield(); } }).start();";
    let instructions = 10_000_000;
    let limits = Limits { instructions, ..Limits::default() };
    let ended = domain(&source(others), Io::none(), limits).run_main("Main", &[]);
    assert_eq!(ended, Err(BootError::Ended(Ended::Instructions(instructions))));
}

/// A pipe that is full sooner or later, as standard output.
fn narrow() -> (PipeReader, Output) {
    let (reader, writer) = pipe().expect("a pipe");
    (reader, Output::descriptor(writer.into()))
}

/// A thread writes more than any pipe holds, and another one goes on.
fn writes_much(then: &str) -> String {
    format!(
        "public class Main {{
            static volatile boolean begun, written;
            static int count;
            public static void main(String[] args) throws Exception {{
                Thread writer = new Thread(() -> {{
                    byte[] bytes = new byte[1 << 18];
                    for (int i = 0; i < bytes.length; i++) {{
                        bytes[i] = (byte) (i % 251);
                    }}
                    begun = true;
                    System.out.write(bytes, 0, bytes.length);
                    written = true;
                }});
                writer.start();
                while (!begun || count < 1_000_000) {{
                    count++;
                }}
                {then}
            }}
        }}"
    )
}

#[test]
fn a_thread_whose_output_is_not_read_holds_up_no_other() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let (mut output, narrow) = narrow();
    let (sender, errors) = channel();
    let io = Io { output: narrow, error: Output::memory(Echo(sender)), ..Io::none() };
    let source = writes_much(
        "System.err.print(written ? '!' : '?');
         writer.join();
         System.out.print(System.out.checkError());
         System.exit(3);",
    );
    let running = std::thread::spawn(move || run(&source, io));
    assert_eq!(errors.recv_timeout(LONG), Ok(b'?'));
    let mut written = Vec::new();
    output.read_to_end(&mut written).expect("it is read");
    let expected = (0..1 << 18).map(|at: u32| (at % 251) as u8).chain(*b"false");
    assert!(written.into_iter().eq(expected));
    assert_eq!(running.join().expect("no panic"), Ok(3));
}

#[test]
fn limits_end_a_run_whose_output_is_not_read() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let cases = [
        ("for (;;) { count++; }", Ended::Instructions(1 << 28)),
        ("for (;;) { count++; }", Ended::Time(Duration::from_secs(2))),
        ("writer.join();", Ended::Outside),
        ("Thread.sleep(1_000_000);", Ended::Elapsed(Duration::from_secs(2))),
        ("System.exit(0);", Ended::Elapsed(Duration::from_secs(2))),
    ];
    for (then, expected) in cases {
        let (_output, narrow) = narrow();
        let (sender, errors) = channel();
        let io = Io { output: narrow, error: Output::memory(Echo(sender)), ..Io::none() };
        let mut limits = Limits::default();
        match expected {
            Ended::Instructions(instructions) => limits.instructions = instructions,
            Ended::Time(time) => limits.time = time,
            Ended::Elapsed(time) => limits.elapsed = time,
            _ => {}
        }
        let mut domain = domain(&writes_much(&format!("System.err.print('?'); {then}")), io, limits);
        let handle = domain.handle();
        let running = std::thread::spawn(move || domain.run_main("Main", &[]));
        assert_eq!(errors.recv_timeout(LONG), Ok(b'?'));
        if expected == Ended::Outside {
            handle.end();
        }
        assert_eq!(running.join().expect("no panic"), Err(BootError::Ended(expected)));
    }
}

/// Takes a little at a time.
struct Pieces(Written);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(&bytes[..bytes.len().min(1000)])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn workers_keep_the_order_of_output_and_errors_and_write_all() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let source = "
        public class Main {
            public static void main(String[] args) {
                for (int i = 0; i < 200; i++) {
                    System.out.println(\"a\".repeat(1000));
                    System.err.println(i);
                }
                System.out.print(\"z\".repeat(200_000));
                throw new IllegalStateException(\"over\");
            }
        }";
    let written = Written::default();
    let slow = || Output::slow(Pieces(written.clone()));
    let ended = run(source, Io { output: slow(), error: slow(), ..Io::none() });
    let lines: String = (0..200).map(|i| format!("{}\n{i}\n", "a".repeat(1000))).collect();
    let expected = lines
        + &"z".repeat(200_000)
        + "Exception in thread \"main\" java.lang.IllegalStateException: over\n\tat Main.main(Main.java:9)\n";
    let written = String::from_utf8(written.take()).expect("text");
    assert_eq!(ended, Ok(1));
    assert!(written == expected, "{}", &written[written.len() - 300..]);
}

#[test]
fn output_that_nobody_can_read_any_more_is_an_error_of_the_stream() {
    if let Some(reason) = not_possible() {
        eprintln!("skipped: {reason}");
        return;
    }
    let source = "
        public class Main {
            public static void main(String[] args) throws Exception {
                while (!System.out.checkError()) {
                    System.out.println('y');
                }
                try {
                    new java.io.FileOutputStream(java.io.FileDescriptor.out).write(1);
                } catch (java.io.IOException e) {
                    System.err.println(e.getMessage() + System.err.checkError());
                }
            }
        }";
    let written = Written::default();
    let (reader, narrow) = narrow();
    drop(reader);
    let ended = run(source, Io { output: narrow, error: Output::memory(written.clone()), ..Io::none() });
    let errors = written.take();
    assert_eq!((ended, &errors[..]), (Ok(0), &b"Broken pipefalse\n"[..]));
}
