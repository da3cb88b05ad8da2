//! Calls from outside in a domain whose library was started: they are its first thread, one after the other.

use std::path::Path;
use std::sync::Arc;

use carnet_classes::library::{Library, installed_jdk};
use carnet_fuzz::classes::assemble::assemble;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{CallError, Collecting, Domain, Ended, Limits, Value};
use carnet_runtime::io::Io;
use carnet_runtime::universe::Universe;

const SOURCE: &str = r#"
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;

class Calls {
    static final ThreadLocal<Integer> COUNT = ThreadLocal.withInitial(() -> 0);
    static Thread first;
    static volatile String told;

    static String name() {
        Thread self = Thread.currentThread();
        boolean same = first == null || first == self;
        first = self;
        return self.getName() + " " + self.getThreadGroup().getName() + " " + same + " " + self.isAlive() + " "
            + self.getState();
    }

    static int count() {
        COUNT.set(COUNT.get() + 1);
        return COUNT.get();
    }

    static String library() {
        return Package.getPackage("java.lang").getName() + " " + Calls.class.getClassLoader().getName() + " "
            + String.format("%,d", 1234567) + " " + ClassLoader.getSystemClassLoader().getName();
    }

    static String parks() throws Exception {
        Thread self = Thread.currentThread();
        Thread other = new Thread(() -> LockSupport.unpark(self));
        other.start();
        LockSupport.park();
        other.join();
        FutureTask<String> task = new FutureTask<>(() -> "done");
        new Thread(task).start();
        return task.get();
    }

    static boolean unparks() {
        LockSupport.unpark(Thread.currentThread());
        return true;
    }

    static boolean parksOnce() {
        LockSupport.park();
        return true;
    }

    static boolean interrupts() {
        Thread.currentThread().interrupt();
        return Thread.currentThread().isInterrupted();
    }

    static boolean wasInterrupted() {
        return Thread.interrupted();
    }

    static void begins() {
        Thread self = Thread.currentThread();
        Thread other = new Thread(() -> {
            while (!self.isInterrupted()) Thread.yield();
            told = "alive " + self.isAlive();
        });
        other.setDaemon(true);
        other.start();
    }

    static String told() {
        Thread.currentThread().interrupt();
        while (told == null) Thread.yield();
        return told;
    }

    static void fails() {
        synchronized (Calls.class) {
            throw new IllegalStateException("on " + Thread.currentThread().getName());
        }
    }

    public static void main(String[] arguments) {
        if (count() != 1) throw new IllegalStateException("not the first");
        if (Thread.currentThread() != first && first != null) throw new IllegalStateException("not main");
    }
}

class Late {
    public static void main(String[] arguments) {}
}

class Leaves {
    static void leaves() {
        new Thread(() -> {
            while (true) Thread.yield();
        }).start();
        System.exit(3);
    }

    public static void main(String[] arguments) {
        leaves();
    }
}
"#;

fn universe(folder: &Path) -> Option<Arc<Universe>> {
    std::fs::write(folder.join("Calls.java"), SOURCE).expect("it is written");
    let jdk = installed_jdk().filter(|_| javac(folder, &["Calls.java"]))?;
    Some(
        Universe::new(Library::open(Some(&jdk), &[folder.to_owned()]).expect("a JDK")).expect("core classes"),
    )
}

fn text(domain: &mut Domain, name: &str) -> String {
    match domain.call_static("Calls", name, "()Ljava/lang/String;", &[]) {
        Ok(Some(Value::Text(text))) => text,
        other => panic!("{name}: {other:?}"),
    }
}

fn truth(domain: &mut Domain, name: &str) -> bool {
    domain.call_static("Calls", name, "()Z", &[]) == Ok(Some(Value::Int(1)))
}

#[test]
fn calls_are_the_first_thread_of_their_domain() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(universe) = universe(folder.path()) else {
        println!("skipped: no JDK (make setup)");
        return;
    };
    let mut domain = Domain::new(Arc::clone(&universe), Limits::default(), Io::none()).expect("a domain");
    domain.boot().expect("the library begins");
    domain.boot().expect("it has begun");
    // Calls run long enough that all that is not held is collected between them.
    domain.heap.collecting = Collecting::Always;
    assert_eq!(text(&mut domain, "name"), "main main true true RUNNABLE");
    domain.heap.collecting = Collecting::WhenFull;
    assert_eq!(text(&mut domain, "name"), "main main true true RUNNABLE");
    assert_eq!(text(&mut domain, "library"), "java.lang app 1,234,567 app");
    for count in 1..=3 {
        assert_eq!(domain.call_static("Calls", "count", "()I", &[]), Ok(Some(Value::Int(count))));
    }
    assert_eq!(text(&mut domain, "parks"), "done");
    assert!(truth(&mut domain, "unparks") && truth(&mut domain, "parksOnce"));
    assert!(truth(&mut domain, "interrupts") && truth(&mut domain, "wasInterrupted"));
    assert!(!truth(&mut domain, "wasInterrupted"));
    // Another thread goes on with the next call, and knows this one by the same object.
    assert_eq!(domain.call_static("Calls", "begins", "()V", &[]), Ok(None));
    assert_eq!(text(&mut domain, "told"), "alive true");
    for _ in 0..2 {
        let Err(CallError::Thrown(why)) = domain.call_static("Calls", "fails", "()V", &[]) else {
            panic!("it throws");
        };
        assert!(why.starts_with("java.lang.IllegalStateException: on main"), "{why}");
    }
    // Another domain has a first thread of its own, and what was started by hand goes on to `main`.
    let mut other = Domain::new(universe, Limits::default(), Io::none()).expect("a domain");
    other.boot().expect("the library begins");
    assert_eq!(text(&mut other, "name"), "main main true true RUNNABLE");
    assert_eq!(other.run_main("Calls", &[]), Ok(0));
    assert_eq!(other.run_main("Calls", &[]), Err(BootError::Over));
}

#[test]
fn a_class_that_cannot_be_linked_ends_a_call_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(universe) = universe(folder.path()) else {
        println!("skipped: no JDK (make setup)");
        return;
    };
    let unfit = "class Unfit extends java/lang/Object\nmethod one ()I static\n  stack 1 locals 1\n  aload_0\n  ireturn\n";
    std::fs::write(folder.path().join("Unfit.class"), assemble(unfit).expect("a class"))
        .expect("it is written");
    let mut domain = Domain::new(universe, Limits::default(), Io::none()).expect("a domain");
    domain.boot().expect("the library begins");
    for _ in 0..2 {
        let refused = domain.call_static("Unfit", "one", "()I", &[]);
        assert!(
            matches!(&refused, Err(CallError::Link(why)) if why.kind == "java/lang/VerifyError"),
            "{refused:?}"
        );
    }
    assert_eq!(domain.call_static("Calls", "count", "()I", &[]), Ok(Some(Value::Int(1))));
    // No thread is left that `main` would be waited for with.
    assert_eq!(domain.run_main("Late", &[]), Ok(0));
}

#[test]
fn what_was_ended_runs_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(universe) = universe(folder.path()) else {
        println!("skipped: no JDK (make setup)");
        return;
    };
    let exited = |code| Ended::Exit(code);
    let mut domain = Domain::new(Arc::clone(&universe), Limits::default(), Io::none()).expect("a domain");
    assert_eq!(domain.run_main("Leaves", &[]), Ok(3));
    // The thread that it left would go on with a call, and `main` would wait for the lock of the one that ended.
    let counted = domain.instructions;
    assert_eq!(domain.call_static("Calls", "count", "()I", &[]), Err(CallError::Ended(exited(3))));
    assert_eq!(domain.run_main("Leaves", &[]), Err(BootError::Over));
    assert_eq!(domain.boot(), Err(BootError::Ended(exited(3))));
    assert_eq!(domain.run_all(), Err(exited(3)));
    assert_eq!(domain.instructions, counted);
    let mut domain = Domain::new(universe, Limits::default(), Io::none()).expect("a domain");
    domain.boot().expect("the library begins");
    assert_eq!(domain.call_static("Leaves", "leaves", "()V", &[]), Err(CallError::Ended(exited(3))));
    assert_eq!(domain.run_main("Late", &[]), Err(BootError::Ended(exited(3))));
}
