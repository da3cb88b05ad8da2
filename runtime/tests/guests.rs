//! What guests cannot get hold of, by any of the ways that lead there: classes that are internal to the JDK, classes that come
//! from nowhere, what is private to others, and values that are not of their type.

use std::path::Path;

use carnet_classes::class::Constant;
use carnet_classes::library::{Library, installed_jdk};
use carnet_classes::read;
use carnet_fuzz::java_programs::javac;
use carnet_runtime::boot::BootError;
use carnet_runtime::domain::{Domain, Limits};
use carnet_runtime::io::{Io, Output, Written};
use carnet_runtime::universe::Universe;

/// Compiles a class, for which the JDK's internal packages are there; `None` where that is not possible.
fn compiled(name: &str, source: &str) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    compile_in(&folder, name, source).then_some(folder)
}

/// Compiles one class more; whether that is possible.
fn compile_in(folder: &tempfile::TempDir, name: &str, source: &str) -> bool {
    std::fs::write(folder.path().join(format!("{name}.java")), source).expect("it is written");
    let file = format!("{name}.java");
    javac(folder.path(), &["--add-exports", "java.base/jdk.internal.access=ALL-UNNAMED", &file])
}

/// Changes the bytes `from`, which a class has once, to as many others.
fn forge(folder: &Path, name: &str, from: &[u8], to: &[u8]) {
    let path = folder.join(format!("{name}.class"));
    let mut bytes = std::fs::read(&path).expect("it is compiled");
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(from)).collect();
    let [at] = places[..] else { panic!("{name} has {from:x?} at {places:?}") };
    bytes[at..at + to.len()].copy_from_slice(to);
    std::fs::write(&path, bytes).expect("it is written");
}

/// The exit code of a class's `main`, or why there is none, and what it writes to standard error.
fn run(folder: &Path, name: &str) -> (Result<i32, BootError>, String) {
    let library = Library::open(installed_jdk().as_deref(), &[folder.to_owned()]).expect("a JDK");
    let universe = Universe::new(library).expect("core classes");
    let error = Written::default();
    let io = Io { error: Output::memory(error.clone()), ..Io::none() };
    let mut domain = Domain::new(universe, Limits::default(), io).expect("a domain");
    let ended = domain.run_main(name, &[]);
    (ended, String::from_utf8(error.take()).expect("a text"))
}

fn refused(folder: &Path, name: &str) -> String {
    run(folder, name).0.expect_err("it is not run").to_string()
}

/// By this they say what they saw.
fn exit_code(folder: &Path, name: &str) -> i32 {
    let (ended, error) = run(folder, name);
    assert_eq!(error, "");
    ended.expect("it runs")
}

/// What nobody catches.
fn uncaught(folder: &Path, name: &str) -> String {
    let (ended, error) = run(folder, name);
    assert!(matches!(ended, Ok(1)), "{name} fails: {ended:?}");
    error
}

#[test]
fn an_internal_class_is_no_superclass() {
    let source = "public class Heir extends jdk.internal.access.SharedSecrets {\n\
                  public static void main(String[] words) { System.out.println(getJavaLangAccess()); } }\n";
    let Some(folder) = compiled("Heir", source) else { return };
    assert_eq!(
        refused(folder.path(), "Heir"),
        "java/lang/IllegalAccessError: superclass access check failed: class Heir (in unnamed module) cannot access class \
         jdk.internal.access.SharedSecrets (in module java.base) because module java.base does not export \
         jdk.internal.access to unnamed module"
    );
}

#[test]
fn an_internal_interface_is_no_superinterface() {
    let source = "public abstract class Kin implements jdk.internal.access.JavaLangAccess {\n\
                  public static void main(String[] words) { } }\n";
    let Some(folder) = compiled("Kin", source) else { return };
    assert_eq!(
        refused(folder.path(), "Kin"),
        "java/lang/IllegalAccessError: superinterface check failed: class Kin (in unnamed module) cannot access class \
         jdk.internal.access.JavaLangAccess (in module java.base) because module java.base does not export \
         jdk.internal.access to unnamed module"
    );
}

/// The text by which the library says that it made a class is one that guests can say as well.
#[test]
fn a_loader_of_a_guest_defines_no_class() {
    let source = r#"
        import java.net.*;
        import java.security.*;
        public class Maker extends ClassLoader {
            public static void main(String[] words) throws Exception {
                URLStreamHandler handler = new URLStreamHandler() {
                    protected URLConnection openConnection(URL url) { return null; }
                    protected String toExternalForm(URL url) { return "__dynamic_proxy__"; }
                };
                CodeSource source = new CodeSource(new URL("http", "h", 1, "f", handler), new CodeSigner[0]);
                new Maker().defineClass("X", new byte[8], 0, 8, new ProtectionDomain(source, null));
            }
        }"#;
    let Some(folder) = compiled("Maker", source) else { return };
    let error = uncaught(folder.path(), "Maker");
    assert!(
        error.contains("UnsupportedOperationException: classes come from the class path alone"),
        "{error}"
    );
}

#[test]
fn who_says_that_it_is_of_a_nest_is_not_of_it() {
    let with = "public class Owner { private static int secret = 7; public static class Thief {\n\
                public static void main(String[] words) { System.exit(secret); } } }\n";
    let Some(folder) = compiled("Owner", with) else { return };
    assert_eq!(exit_code(folder.path(), "Owner$Thief"), 7);
    assert!(compile_in(&folder, "Owner", "public class Owner { private static int secret = 7; }\n"));
    let error = uncaught(folder.path(), "Owner$Thief");
    assert!(error.contains("java.lang.IllegalAccessError"), "{error}");
}

#[test]
fn final_variables_are_set_by_their_own_class() {
    let with = "public class Owner { static int one; int other; public static class Thief {\n\
                public static void main(String[] words) {\n\
                try { one = 1; } catch (IllegalAccessError error) { System.err.println(error.getMessage()); }\n\
                new Owner().other = 1; } } }\n";
    let Some(folder) = compiled("Owner", with) else { return };
    assert_eq!(exit_code(folder.path(), "Owner$Thief"), 0);
    let finals = "public class Owner { static final int one = 1; final int other = 1; }\n";
    assert!(compile_in(&folder, "Owner", finals));
    let error = uncaught(folder.path(), "Owner$Thief");
    let told = |which: &str| {
        format!(
            "Update to {which} attempted from a different class (Owner$Thief) than the field's declaring class\n"
        )
    };
    assert!(error.starts_with(&told("static final field Owner.one")), "{error}");
    assert!(error.contains(&told("non-static final field Owner.other")), "{error}");
}

/// A result, and a static variable, of 300 that are bytes: `iload_0; i2b` is `iload_0; nop`.
#[test]
fn what_is_shorter_than_an_int_is_narrowed() {
    let source = "public class Wide { static byte kept; static byte told(int n) { return (byte) n; }\n\
                  static void keep(int n) { kept = (byte) n; }\n\
                  public static void main(String[] words) { keep(300); System.exit(told(300) + kept); } }\n";
    let Some(folder) = compiled("Wide", source) else { return };
    forge(folder.path(), "Wide", &[0x1a, 0x91, 0xac], &[0x1a, 0x00, 0xac]);
    forge(folder.path(), "Wide", &[0x1a, 0x91, 0xb3], &[0x1a, 0x00, 0xb3]);
    assert_eq!(exit_code(folder.path(), "Wide"), 88);
}

/// The class that is made for a call site holds an object, and would call a method of another class on it.
#[test]
fn a_call_site_makes_no_other_type_of_a_value() {
    let source = "public class Site {\n\
                  static class One { int number = 3; int get() { return number; } }\n\
                  static class Other { long[] numbers = new long[5]; int get() { return numbers.length; } }\n\
                  public static void main(String[] words) {\n\
                  One one = new One();\n\
                  java.util.function.IntSupplier get = one::get;\n\
                  System.exit(10 * new Other().get() + one.get() + get.getAsInt()); } }\n";
    let Some(folder) = compiled("Site", source) else { return };
    assert_eq!(exit_code(folder.path(), "Site"), 56);
    let bytes = std::fs::read(folder.path().join("Site.class")).expect("it is compiled");
    let pool = read(&bytes).expect("a class").pool;
    let method_handle = |class: &[u8]| {
        let is_get = |constant| match constant {
            Constant::Methodref(method) => {
                let name = pool.name_and_type(method.name_and_type);
                pool.class(method.class) == Some(class) && name.is_some_and(|(name, _)| name == b"get")
            }
            _ => false,
        };
        let [high, low] =
            pool.iter().find(|(_, constant)| is_get(*constant)).expect("it is called").0.0.to_be_bytes();
        [15, 5, high, low]
    };
    forge(folder.path(), "Site", &method_handle(b"Site$One"), &method_handle(b"Site$Other"));
    let error = uncaught(folder.path(), "Site");
    assert!(error.contains("java.lang.VerifyError"), "{error}");
}

/// The interface is initialized by nobody, since it has no initializer. Its method returns a reference for an int.
#[test]
fn a_default_method_runs_when_it_is_verified() {
    let source = "public class Default { interface Some { default int get(int n, Object o) { return n; } }\n\
                  static class Kin implements Some { }\n\
                  public static void main(String[] words) { System.exit(new Kin().get(7, words)); } }\n";
    let Some(folder) = compiled("Default", source) else { return };
    assert_eq!(exit_code(folder.path(), "Default"), 7);
    forge(folder.path(), "Default$Some", &[0x1b, 0xac], &[0x2c, 0xac]);
    let error = uncaught(folder.path(), "Default");
    assert!(error.contains("java.lang.VerifyError"), "{error}");
}

/// Compiles `Holder`, whose `main` has a handle of `Helper.open` as a constant, and a `Helper` that declares it so.
fn holder_of(declared: &str) -> Option<tempfile::TempDir> {
    let helper = |declared: &str| format!("public class Helper {{ {declared} int open() {{ return 7; }} }}");
    let holder = r#"
        public class Holder {
            public static void main(String[] words) throws Throwable {
                Object constant = "MARK";
                java.util.function.Supplier<Integer> opens = Helper::open;
                if (words.length > 0) opens.get();
                System.exit((int) ((java.lang.invoke.MethodHandle) constant).invokeExact());
            }
        }"#;
    let folder = compiled("Helper", &helper("public static"))?;
    if !compile_in(&folder, "Holder", holder) || !compile_in(&folder, "Helper", &helper(declared)) {
        return None;
    }
    let bytes = std::fs::read(folder.path().join("Holder.class")).expect("it is compiled");
    let file = read(&bytes).expect("a class");
    let index = |is: &dyn Fn(Constant<'_>) -> bool| {
        let found = file.pool.iter().find(|(_, constant)| is(*constant)).expect("javac wrote it");
        u8::try_from(found.0.0).expect("a small class")
    };
    let text = index(
        &|constant| matches!(constant, Constant::String(text) if file.pool.utf8(text) == Some(b"MARK")),
    );
    let handle = index(&|constant| match constant {
        Constant::MethodHandle { reference, .. } => match file.pool.get(reference) {
            Constant::Methodref(member) => file.pool.class(member.class) == Some(b"Helper"),
            _ => false,
        },
        _ => false,
    });
    // ldc, astore_1
    forge(folder.path(), "Holder", &[18, text, 76], &[18, handle, 76]);
    Some(folder)
}

#[test]
fn a_handle_is_a_constant_of_whom_may_call_its_method() {
    let Some(folder) = holder_of("public static") else { return };
    assert_eq!(exit_code(folder.path(), "Holder"), 7);
    for (declared, expected) in [
        (
            "private static",
            "IllegalAccessError: class Holder tried to access private method 'int Helper.open()'",
        ),
        ("public", "IncompatibleClassChangeError: Expected static method 'int Helper.open()'"),
    ] {
        let Some(folder) = holder_of(declared) else { return };
        let error = uncaught(folder.path(), "Holder");
        assert!(error.contains(expected), "{error}");
    }
}

/// `invokeBasic` takes what it is given for what the handle wants.
#[test]
fn no_guest_calls_a_handle_unchecked() {
    let source = "import java.lang.invoke.*; public class Basic { static int open() { return 7; }\n\
                  public static void main(String[] words) throws Throwable {\n\
                  MethodHandle opens = MethodHandles.lookup().findStatic(Basic.class, \"open\",\n\
                  MethodType.methodType(int.class)); String s = (String) opens.invokeExact(); } }\n";
    let Some(folder) = compiled("Basic", source) else { return };
    let error = uncaught(folder.path(), "Basic");
    assert!(error.contains("WrongMethodTypeException: expected ()int but found ()String"), "{error}");
    forge(folder.path(), "Basic", b"invokeExact", b"invokeBasic");
    let error = uncaught(folder.path(), "Basic");
    assert!(error.contains("IllegalAccessError: class Basic tried to access method"), "{error}");
}

/// Who calls it would be the library, whose lookups may do all.
#[test]
fn a_method_that_asks_who_called_it_has_no_handle() {
    let source = "import java.lang.invoke.*; public class Asks {\n\
                  public static void main(String[] words) throws Throwable {\n\
                  MethodHandles.lookup().findStatic(MethodHandles.class, \"lookup\",\n\
                  MethodType.methodType(MethodHandles.Lookup.class)).invokeWithArguments(); } }\n";
    let Some(folder) = compiled("Asks", source) else { return };
    let error = uncaught(folder.path(), "Asks");
    assert!(
        error.contains("a handle of java.lang.invoke.MethodHandles.lookup, which asks who called it"),
        "{error}"
    );
}

/// A package of a guest is another than that of the same name in the library.
#[test]
fn a_lookup_is_not_at_home_in_a_package_of_the_library() {
    let source = r#"
        package jdk.internal.access;
        import java.lang.invoke.*;
        public class Lodger {
            public static void main(String[] words) throws Throwable {
                MethodHandles.Lookup lookup = MethodHandles.lookup().in(Class.forName("jdk.internal.access.SharedSecrets"));
                System.exit((lookup.lookupModes() & ~(MethodHandles.Lookup.PUBLIC | MethodHandles.Lookup.UNCONDITIONAL)) == 0 ? 7 : 8);
            }
        }"#;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Lodger.java"), source).expect("it is written");
    if !javac(folder.path(), &["--patch-module", "java.base=.", "Lodger.java"]) {
        return;
    }
    assert_eq!(exit_code(folder.path(), "jdk/internal/access/Lodger"), 7);
}

/// Classes that nobody finds by their names have numbers in the code of handles, which is the library's.
#[test]
fn a_guest_names_no_class_by_its_number() {
    let source = "import java.lang.invoke.*; public class Counts {\n\
                  public static void main(String[] words) { CallSite site = (CallSite) (Object) words; } }\n";
    let Some(folder) = compiled("Counts", source) else { return };
    forge(folder.path(), "Counts", b"java/lang/invoke/CallSite", b"java/lang/invoke/carnet$9");
    let error = uncaught(folder.path(), "Counts");
    assert!(error.contains("NoClassDefFoundError: java/lang/invoke/carnet$9"), "{error}");
}

#[test]
fn a_loader_of_services_of_a_layer_is_for_its_service() {
    let source = "import java.util.ServiceLoader;\npublic class Layer { public static void main(String[] words) {\n\
                  String name = ServiceLoader.load(ModuleLayer.empty(), Runnable.class).toString();\n\
                  System.exit(name.equals(\"java.util.ServiceLoader[java.lang.Runnable]\") ? 2 : 1); } }\n";
    let Some(folder) = compiled("Layer", source) else { return };
    assert_eq!(exit_code(folder.path(), "Layer"), 2);
}

#[test]
fn what_there_is_no_network_for_is_told() {
    let source = "import java.net.*; import java.nio.channels.*; public class Wide {\n\
                  interface Work { void run() throws Exception; }\n\
                  static void tried(Work work) throws Exception {\n\
                  try { work.run(); } catch (UnsupportedOperationException error) { System.err.println(error.getMessage()); } }\n\
                  public static void main(String[] words) throws Exception {\n\
                  for (int time = 0; time < 2; time++) { tried(Socket::new); tried(() -> new ServerSocket(0)); tried(DatagramSocket::new);\n\
                  tried(SocketChannel::open); tried(Selector::open); tried(new ProcessBuilder(\"true\")::start); } } }\n";
    let Some(folder) = compiled("Wide", source) else { return };
    let (ended, error) = run(folder.path(), "Wide");
    assert_eq!(ended, Ok(0), "{error}");
    let socket =
        "java.net.SocketImpl.createPlatformSocketImpl(Z)Ljava/net/SocketImpl;: there is no network\n";
    let channel = "java.nio.channels.spi.SelectorProvider.provider()Ljava/nio/channels/spi/SelectorProvider;: there is no network\n";
    let datagrams = "java.net.DatagramSocket.createDelegate(Ljava/net/SocketAddress;Ljava/lang/Class;)Ljava/net/DatagramSocket;: \
                     there is no network\n";
    let process = "java.lang.ProcessImpl.forkAndExec(I[B[B[BI[BI[B[IZ)I: a native method that the runtime does not have\n";
    assert_eq!(error, [socket, socket, datagrams, channel, channel, process].concat().repeat(2));
}

#[test]
fn what_there_is_no_memory_outside_of_the_heap_for_is_told() {
    let source = "import java.nio.ByteBuffer; public class Direct { public static void main(String[] words) throws Exception {\n\
                  try { ByteBuffer.allocateDirect(8); } catch (UnsupportedOperationException error) { System.err.println(error.getMessage()); }\n\
                  try { ByteBuffer.class.getMethod(\"allocateDirect\", int.class).invoke(null, 8); }\n\
                  catch (java.lang.reflect.InvocationTargetException error) { System.err.println(error.getCause().getMessage()); } } }\n";
    let Some(folder) = compiled("Direct", source) else { return };
    let (ended, error) = run(folder.path(), "Direct");
    assert_eq!(ended, Ok(0), "{error}");
    let told = "java.nio.ByteBuffer.allocateDirect(I)Ljava/nio/ByteBuffer;: there are no direct buffers\n";
    assert_eq!(error, told.repeat(2));
}

/// As with Java 17: it is told that there will be none, and it is asked until another one is set.
#[test]
fn a_security_manager_is_asked() {
    let source = "import java.security.*; public class Managed { public static void main(String[] words) {\n\
                  System.setSecurityManager(null);\n\
                  SecurityManager own = new SecurityManager() { public void checkPermission(Permission asked) {\n\
                  if (asked.getName().equals(\"exitVM.3\")) throw new SecurityException(\"stay\"); } };\n\
                  System.setSecurityManager(own);\n\
                  try { System.exit(3); } catch (SecurityException error) { System.err.println(error.getMessage()); }\n\
                  System.err.println(System.getSecurityManager() == own); } }\n";
    let Some(folder) = compiled("Managed", source) else { return };
    let (ended, error) = run(folder.path(), "Managed");
    assert_eq!(ended, Ok(0), "{error}");
    assert_eq!(
        error,
        "WARNING: A terminally deprecated method in java.lang.System has been called\n\
         WARNING: System::setSecurityManager has been called by Managed\n\
         WARNING: Please consider reporting this to the maintainers of Managed\n\
         WARNING: System::setSecurityManager will be removed in a future release\n\
         stay\ntrue\n"
    );
}
