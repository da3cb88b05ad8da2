//! The C back end: what it generates, that compilers take it without a warning, and that it does what it says.
//!
//! `c/board.h` is what becomes of `examples/c/board.idl`; `BLESS=1` writes it anew. `c/round_trip.c` calls a server through
//! its client's stubs in one process. `c/clashes.idl` has what is one name in C and two in the interface. All is done with
//! gcc and with clang; one that is not installed is named as skipped.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use carnet_idl::descriptor::Module;
use carnet_idl::{
    C_RUNTIME, Sources, compile, compile_str, generate_c, generate_c_of, is_header_of_others, limits,
};

/// All of the language.
const WHOLE: &str = "idl/tests/cases/modules/whole.idl";

/// The least and the most of all of it.
const EXTREMES: &str = "idl/tests/cases/modules/extremes.idl";

/// Lists in everything.
const NESTED: &str = "idl/tests/cases/modules/nested.idl";

/// Compilers of C and C++.
const COMPILERS: [(&str, &str); 2] = [("gcc", "g++"), ("clang", "clang++")];

const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn module(path: &str) -> Module {
    let text = fs::read_to_string(root().join(path)).expect("an interface file");
    compile_str(path, &text).expect("no faults")
}

fn stubs(path: &str) -> (String, String) {
    let module = module(path);
    let text = generate_c(&module);
    (format!("{}.h", module.name), text)
}

/// A folder of its own with the stubs of some interfaces and the headers that they include.
fn folder(name: &str, interfaces: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in C_RUNTIME {
        fs::write(folder.join(file), text).expect("a header");
    }
    for path in interfaces {
        let (file, text) = stubs(path);
        fs::write(folder.join(file), text).expect("stubs");
    }
    folder
}

/// Whether a compiler is there; says that it is not.
fn has(compiler: &str) -> bool {
    let found = Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: no {compiler}");
    }
    found
}

/// The compilers of C that are there.
fn compilers() -> impl Iterator<Item = &'static str> {
    COMPILERS.into_iter().map(|(c, _)| c).filter(|compiler| has(compiler))
}

/// Compiles sources in a folder, with faults that C programs do not notice by themselves ending them. clang's checks of
/// addresses need a library that may not be there; gcc's come with it.
fn sanitized(compiler: &str, folder: &Path, sources: &[&str]) -> Command {
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(["-std=c11", "-g", "-O1", "-I."]).args(WARNINGS);
    command.args(match compiler {
        "clang" => ["-fsanitize=undefined", "-fsanitize-trap=undefined"],
        _ => ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    });
    let shared = ["check", "by_hand", "served", "boards", "connects", "clock"]
        .map(|name| format!("idl/tests/c/{name}.h"));
    for path in sources.iter().copied().chain(shared.iter().map(String::as_str)) {
        // Beside the stubs, since the expected text of some of them lies beside the source.
        let file = Path::new(path).file_name().expect("a name");
        fs::copy(root().join(path), folder.join(file)).expect("a source file");
    }
    for path in sources {
        command.arg(Path::new(path).file_name().expect("a name"));
    }
    command
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

#[test]
fn the_stubs_are_the_expected_ones() {
    let (_, found) = stubs("examples/c/board.idl");
    let path = root().join("idl/tests/c/board.h");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("to bless stubs");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{}: BLESS=1 takes the left for right", path.display());
}

#[test]
fn compilers_take_the_stubs_without_a_warning() {
    let interfaces =
        ["examples/c/board.idl", "services/files/files.idl", "bench/stubs/pfs.idl", WHOLE, EXTREMES, NESTED];
    let folder = folder("warnings", &interfaces);
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#define CARNET_SERVER\n#include \"board.h\"\n\
                #include \"files.h\"\n#include \"pfs.h\"\n#include \"whole.h\"\n\
                #include \"extremes.h\"\n#include \"nested.h\"\n#include \"carnet_server.h\"\n";
    for file in ["all.c", "all.cc"] {
        fs::write(folder.join(file), text).expect("a source file");
    }
    let forms = ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"];
    for (c, cpp) in COMPILERS {
        for (compiler, standard, file) in [(c, "-std=c11", "all.c"), (cpp, "-std=c++17", "all.cc")] {
            if !has(compiler) {
                continue;
            }
            for (level, form) in ["-O0", "-O2"].into_iter().flat_map(|level| forms.map(|form| (level, form)))
            {
                let mut command = Command::new(compiler);
                command.current_dir(&folder).args([standard, level, form]).args(WARNINGS);
                run(command.args(["-c", file, "-o", "all.o"]));
            }
        }
    }
}

/// Whether short calls are register messages.
const REGISTERS: &[&[&str]] = &[&["-DCARNET_REGISTERS=1"], &["-DCARNET_REGISTERS=0"]];

/// Whether messages are copied.
const COPIED: &[&[&str]] = &[&["-DCARNET_REGISTERS=1"], &["-DCARNET_COPY"]];

/// All forms of stubs.
const ALL: &[&[&str]] = &[&["-DCARNET_REGISTERS=1"], &["-DCARNET_REGISTERS=0"], &["-DCARNET_COPY"]];

/// As it is.
const AS_IT_IS: &[&[&str]] = &[&[]];

/// Runs the test `c/NAME.c`, which stubs of these interfaces and other sources belong to, by each compiler and in each form, with each of
/// these `words` behind its name: where its socket is to be, for example.
fn runs(name: &str, interfaces: &[&str], sources: &[&str], forms: &[&[&str]], words: &[&[&str]]) {
    let folder = folder(name, interfaces);
    let source = format!("idl/tests/c/{name}.c");
    let sources = [&[source.as_str()], sources].concat();
    for compiler in compilers() {
        for form in forms {
            run(sanitized(compiler, &folder, &sources).args(*form).args(["-o", name]));
            for words in words {
                run(Command::new(folder.join(name)).current_dir(&folder).args(*words));
            }
        }
    }
}

/// As [`runs`], with stubs of `c/NAME.idl` alone.
fn runs_alone(name: &str, forms: &[&[&str]], words: &[&str]) {
    runs(name, &[&format!("idl/tests/c/{name}.idl")], &[], forms, &[words]);
}

/// As [`runs`], as a server of the board.
fn runs_on_board(name: &str, forms: &[&[&str]], words: &[&str]) {
    runs(name, &["examples/c/board.idl"], &["examples/c/board.c"], forms, &[words]);
}

#[test]
fn a_queue_believes_nothing_that_the_other_side_says() {
    runs("queue", &[], &[], AS_IT_IS, &[&[]]);
}

#[test]
fn clients_that_say_nothing_are_hung_up_on() {
    runs_on_board("idle", AS_IT_IS, &["idle.sock"]);
}

#[test]
fn clients_that_are_slow_are_waited_for_and_those_that_are_too_slow_are_not() {
    runs_on_board("pace", &[&["-pthread"]], &["pace.sock"]);
}

#[test]
fn clients_that_send_no_frames_are_hung_up_on() {
    runs_on_board("frames", AS_IT_IS, &["frames.sock"]);
}

#[test]
fn a_hello_costs_its_length() {
    runs("hello", &[], &[], AS_IT_IS, &[&[]]);
}

#[test]
fn portals_that_nobody_is_handed_are_given_back() {
    runs_alone("rest", ALL, &["rest.sock"]);
}

#[test]
fn what_the_system_does_not_send_is_said_at_once() {
    runs_alone("unsent", REGISTERS, &["unsent.sock"]);
}

#[test]
fn one_process_leaves_places_for_others() {
    let bounds: &[&[&str]] = &[&[], &["-DCARNET_CLIENTS_MAX=5", "-DCARNET_CLIENTS_PROCESS_MAX=5"]];
    runs_on_board("places", bounds, &["places.sock"]);
}

#[test]
fn a_server_in_a_container_serves_those_outside() {
    let folder = folder("contained", &["examples/c/board.idl"]);
    let sources = ["idl/tests/c/contained.c", "examples/c/board.c"];
    for compiler in compilers() {
        run(sanitized(compiler, &folder, &sources).args(["-DCARNET_CLIENTS_MAX=5", "-o", "contained"]));
        let Some(mut server) = contained(&folder) else { return };
        run(Command::new("./contained").current_dir(&folder).arg("contained.sock"));
        drop(server.stdin.take());
        let ended = server.wait_with_output().expect("it ends");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
}

/// A server in a PID namespace of its own that listens, if the kernel lets us have one: where a container forbids namespaces of users, its
/// root may still have others.
fn contained(folder: &Path) -> Option<Child> {
    let mut reasons = String::new();
    for namespace in [&["--user", "--map-root-user", "--pid"][..], &["--pid"]] {
        // One that failed left it behind.
        let _ = fs::remove_file(folder.join("contained.sock"));
        let mut command = Command::new("unshare");
        command.current_dir(folder).args(namespace).args(["--fork", "--kill-child", "./contained"]);
        command.args(["contained.sock", "serve"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.stderr(Stdio::piped()).spawn().expect("there is a program `unshare`");
        let mut said = String::new();
        let stdout = server.stdout.as_mut().expect("it is piped");
        BufReader::new(stdout).read_line(&mut said).expect("it is text");
        if said == "it listens\n" {
            return Some(server);
        }
        let ended = server.wait_with_output().expect("it ends");
        let reason = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(!reason.contains("not so"), "{reason}");
        reasons += &reason;
    }
    println!("skipped: no PID namespace here: {reasons}");
    None
}

#[test]
fn what_a_client_sent_before_it_left_is_done() {
    let form = |form| [form, "-DCARNET_PATIENCE_MS=60000", "-pthread"];
    runs_alone("leaving", &[&form("-DCARNET_REGISTERS=1"), &form("-DCARNET_COPY")], &["leaving.sock"]);
}

#[test]
fn loops_of_one_process_take_nothing_from_each_other() {
    runs_on_board("two_loops", &[&["-pthread"]], &["one.sock", "two.sock"]);
}

#[test]
fn calls_in_one_process_give_what_they_should() {
    let interfaces = ["examples/c/board.idl", "idl/tests/c/kinds.idl"];
    runs("round_trip", &interfaces, &["examples/c/board.c"], ALL, &[&[], &["passing"]]);
}

/// Each source file that includes stubs has its own functions in them.
#[test]
fn an_object_that_two_source_files_hand_out_is_one() {
    runs("two_files", &["idl/tests/c/two_files.idl"], &["idl/tests/c/two_files_served.c"], ALL, &[&[]]);
}

#[test]
fn what_cannot_be_handed_out_is_let_go_of() {
    runs_alone("hands", COPIED, &[]);
}

#[test]
fn what_a_reply_that_is_too_long_hands_out_is_taken_back() {
    let short = "-DCARNET_FRAME_BYTES_MAX=4096";
    runs_alone("handing", &[&["-DCARNET_REGISTERS=1", short], &["-DCARNET_COPY", short]], &[]);
}

#[test]
fn a_forked_process_takes_nothing_of_what_its_parent_hears() {
    runs("forked", &[], &[], AS_IT_IS, &[&[]]);
}

#[test]
fn results_that_are_left_unset_tell_nothing() {
    runs_alone("unset", ALL, &[]);
}

#[test]
fn texts_of_a_list_name_the_same_bytes_no_more_than_a_message_has() {
    runs_alone("texts", COPIED, &[]);
}

#[test]
fn packed_lists_are_exact_where_they_come_and_where_they_are_put() {
    runs_alone("packed", COPIED, &[]);
}

#[test]
fn nobody_listens_where_somebody_does() {
    runs_on_board("listen", AS_IT_IS, &["listen.sock"]);
}

/// Each half of the process in a form of its own.
#[test]
fn a_near_object_is_called_like_any_other() {
    let folder = folder("near", &["idl/tests/c/near.idl"]);
    let forms = ["-DCARNET_REGISTERS=1", "-DCARNET_REGISTERS=0", "-DCARNET_COPY"];
    for compiler in compilers() {
        let compiled = |half: &str, form: &str| {
            let object = format!("{half}{form}.o");
            let source = format!("idl/tests/c/near_{half}.c");
            run(sanitized(compiler, &folder, &[&source]).args([form, "-c", "-o", &object]));
            object
        };
        let [clients, servers] = ["client", "server"].map(|half| forms.map(|form| compiled(half, form)));
        for (client, server) in
            clients.iter().flat_map(|client| servers.iter().map(move |server| (client, server)))
        {
            run(sanitized(compiler, &folder, &[]).args([client, server, "-o", "near"]));
            run(&mut Command::new(folder.join("near")));
        }
    }
}

/// Writes the headers of all modules of a text; their names.
fn headers(folder: &Path, text: &str) -> Vec<String> {
    let sources = Sources::of_text("names.idl", text);
    let modules = compile(&sources).unwrap_or_else(|faults| panic!("{}", sources.render(&faults)));
    let texts = generate_c_of(&modules);
    let write = |(module, text): (&Module, String)| {
        let name = format!("{}.h", module.name);
        fs::write(folder.join(&name), text).expect("stubs");
        name
    };
    modules.iter().zip(texts).map(write).collect()
}

/// Compiles headers, before those of the runtime and behind them, as C and as C++.
fn together(folder: &Path, headers: &[String]) {
    let include =
        |names: &[String]| -> String { names.iter().map(|name| format!("#include \"{name}\"\n")).collect() };
    let runtime = ["carnet_server.h", "carnet_client.h", "carnet_session.h"].map(str::to_owned);
    let head = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#define CARNET_SERVER\n";
    let orders = [[headers, &runtime].concat(), [&runtime, headers].concat()];
    for (order, name) in orders.iter().zip(["before", "behind"]) {
        for end in ["c", "cc"] {
            fs::write(folder.join(format!("{name}.{end}")), format!("{head}{}", include(order)))
                .expect("a file");
        }
    }
    for (c, cpp) in COMPILERS {
        // Of C++ the standard with the most words.
        let compilers = [(c, "c11", "before.c"), (c, "gnu17", "behind.c"), (cpp, "c++20", "behind.cc")];
        std::thread::scope(|scope| {
            for (compiler, standard, file) in compilers.into_iter().filter(|(compiler, _, _)| has(compiler)) {
                let mut command = Command::new(compiler);
                command.current_dir(folder).arg(format!("-std={standard}")).args(WARNINGS);
                command.args(["-fsyntax-only", file]);
                scope.spawn(move || run(&mut command));
            }
        });
    }
}

#[test]
fn names_that_are_one_in_c_stay_two() {
    let folder = folder("clashes", &[]);
    let text = fs::read_to_string(root().join("idl/tests/c/clashes.idl")).expect("an interface file");
    together(&folder, &headers(&folder, &text));
    let has = |header: &str, lines: &[&str]| {
        let text = fs::read_to_string(folder.join(header)).expect("a header");
        lines.iter().for_each(|line| assert!(text.contains(line), "{header} has no {line}"));
    };
    // Each operation takes its own struct.
    has("silent.h", &["struct silent_a_b_c {\n    uint8_t x;", "struct silent_a_b_c_ {\n    uint16_t x;"]);
    has("silent.h", &["silent_a_I_f(const struct carnet_self *self, const struct silent_a_b_c *x);"]);
    has("silent.h", &["silent_a_I_g(const struct carnet_self *self, const struct silent_a_b_c_ *y);"]);
    has(
        "silent.h",
        &["size_t index, struct silent_a_b_c *found)", "size_t index, struct silent_a_b_c_ *found)"],
    );
    // What the interface declares is called so, and what we make up is bent.
    has("Door_s.h", &["int32_t Door_s_Door_service(const", "carnet_service *Door_s_Door_service_(void)"]);
    has("constants.h", &["#define constants_descriptor ", "struct carnet_bytes constants_descriptor_(void)"]);
    has(
        "constants.h",
        &["#define constants_Color_red ", "constants_Color_red_ = 0,", "int32_t constants_I_f_;"],
    );
    // Nothing inherited, nothing compared.
    let text = fs::read_to_string(folder.join("empty.h")).expect("a header");
    assert!(!text.contains("< 0)"), "it asks a base without operations");
}

/// Optimizing compilers see more: what no value is given to on some way.
#[test]
fn optimizing_compilers_take_the_runtime_without_a_warning() {
    let folder = folder("optimized", &["examples/c/board.idl"]);
    // What is inline is looked at where it is used.
    let used = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#define CARNET_SERVER\n#include \"board.h\"\n\
                #include \"carnet_server.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\
                void use(struct carnet_server *server, struct carnet_portal root, struct carnet_memory *memory);\n\
                void use(struct carnet_server *server, struct carnet_portal root, struct carnet_memory *memory) {\n\
                (void)carnet_connect(\"s\", &board_module, &board_Board_interface, 1, &root);\n\
                (void)carnet_memory_of(memory, \"a\", 1);\n(void)carnet_hand_over(root, memory, &root);\n\
                (void)carnet_map(root, 1, memory);\n(void)carnet_held_of(*memory);\n\
                (void)carnet_listen(server, \"s\", server, board_Board_service());\n\
                (void)carnet_server_wait(server, 1);\ncarnet_server_close(server);\n}\n\
                #ifdef __cplusplus\n}\n#endif\n";
    ["used.c", "used.cc"].iter().for_each(|name| fs::write(folder.join(name), used).expect("a file"));
    for (c, cpp) in COMPILERS {
        let all = [(c, "c11", "used.c"), (cpp, "c++17", "used.cc")];
        for (compiler, standard, file) in all.into_iter().filter(|(compiler, _, _)| has(compiler)) {
            for level in ["-O2", "-O3"] {
                let mut command = Command::new(compiler);
                command.current_dir(&folder).arg(format!("-std={standard}")).args(WARNINGS);
                run(command.args([level, "-c", "-o", "/dev/null", file]));
            }
        }
    }
}

/// What the runtime's headers include, and what that includes: a module's header of that name would stand before it.
#[test]
fn headers_that_the_runtime_needs_are_known() {
    let folder = folder("included", &[]);
    let include = |(name, _): &(&str, &str)| format!("#include \"{name}\"\n");
    let all: String = C_RUNTIME.iter().filter(|(name, _)| name.ends_with(".h")).map(include).collect();
    let text = format!("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n{all}");
    for (compiler, file) in [("gcc", "all.c"), ("g++", "all.cc")].into_iter().filter(|(name, _)| has(name)) {
        fs::write(folder.join(file), &text).expect("a source file");
        let found = run(Command::new(compiler).current_dir(&folder).args(["-M", "-I.", file]));
        let headers = found.split_whitespace().map(Path::new).filter(|path| {
            path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.ends_with("include"))
        });
        let names = headers.filter_map(|path| path.to_str()?.strip_suffix(".h"));
        // A module's name has no `-`.
        let names = names.filter_map(|name| name.rsplit('/').next()).filter(|name| !name.contains('-'));
        let names: Vec<&str> = names.collect();
        assert!(names.contains(&"carnet_server") && names.contains(&"time"), "{found}");
        names.iter().for_each(|name| assert!(is_header_of_others(name), "{name}.h"));
    }
}

/// Words of C and C++, macros, types and functions of headers that stubs include, variables and parts of names of stubs.
/// None is a word of the interface language.
const WORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break catch char16_t char32_t char8_t class compl concept
    const_cast consteval constexpr constinit continue co_await co_return co_yield decltype delete do dynamic_cast else
    explicit export extern for friend goto if inline int mutable namespace new noexcept not not_eq nullptr operator or
    or_eq protected register reinterpret_cast requires restrict return signed sizeof static static_assert static_cast
    template this thread_local throw try typeof typeof_unqual using virtual volatile wchar_t while xor xor_eq
    NULL INT32_MAX INT64_MAX INT64_MIN INT64_C UINT8_MAX UINT64_MAX UINT64_C SIZE_MAX offsetof errno unix linux si_pid
    st_mtime sa_handler assert size_t ssize_t int8_t int32_t int64_t uint8_t uint64_t uintptr_t memset memcpy strlen
    stdin EOF time signal poll read close environ main
    carnet carnet_get carnet_put carnet_bytes carnet_string carnet_status carnet_note carnet_portal CARNET_OK CARNET_FLAT
    CARNET_SERVER CARNET_REGISTERS CARNET_KEPT
    answer at base bytes call caller channel count data descriptor done end first found from given hash head id index
    interfaces is kept kept_ kept_a len list message op operations other part pass piece place place_ ptr put raised
    item left seen texts texts_left
    released reply result result_ self self_ send serve serve_x service shape status stub take target text to unpassed
    value which word word0 word1 word_ words wrong int_ unix_ id_ piece_ end_ NULL_ crate async fn type_ impl";

#[test]
fn every_word_may_be_every_name() {
    let folder = folder("words", &[]);
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let all = |each: &dyn Fn(usize, &str) -> String| -> String {
        words.iter().enumerate().map(|(at, word)| each(at, word)).collect()
    };
    let types = ["long", "unsigned long long", "octet", "boolean", "double", "string<3>"];
    let mut fields = String::new();
    for (at, words) in words.chunks(20).enumerate() {
        let each = |form: &dyn Fn(usize, &str) -> String| -> String {
            words.iter().enumerate().map(|(at, word)| form(at, word)).collect()
        };
        let members = each(&|at, word| format!("{} {word}; ", types[at % types.len()]));
        let simple = each(&|_, word| format!("long {word}; "));
        let arms = each(&|at, word| format!("case {at}: {} {word}; ", types[at % types.len()]));
        fields += &format!(
            "struct F{at} {{ {members} }}; struct G{at} {{ {simple} }}; union U{at} switch (long) {{ {arms} }};\n\
             exception X{at} {{ {simple} }};\n\
             interface I{at} {{ F{at} f(in F{at} a, in U{at} u) raises (X{at}); F{at} g(in F{at} a);\n\
             sequence<F{at}, 3> h(in sequence<U{at}, 2> a); G{at} i(inout G{at} a); }};\n"
        );
    }
    let params = all(&|at, word| {
        format!(
            "interface I{at} {{ long p(in long {word}, inout long b); string<9> s(in string<9> {word});\n\
             void t(in sequence<octet> {word}); void u(out sequence<octet> {word}); void v(in sequence<long, 5> {word});\n\
             sequence<long, 4> x(inout long {word}); I{at} y(in I{at} {word}); S o(in S {word}, out S t);\n\
             void w(inout string<9> {word}, inout S b); void z(inout sequence<long, 5> {word}, inout I{at} b);\n\
             void q(inout I{at} {word}); void n(in sequence<B, 3> {word}); void r(out sequence<B, 3> {word}, out B s);\n\
             void k(inout sequence<B, 3> {word}); void l(in sequence<string<3>, 3> {word}, inout U m);\n\
             void j(in sequence<sequence<B, 2>, 3> {word}); void g(out sequence<sequence<long, 3>, 3> {word});\n\
             void i(inout sequence<U, 3> {word}, in sequence<sequence<octet, 3>, 3> u);\n\
             void e(in I{at} {word}[2], in sequence<P, 2> p); void d(out sequence<P, 3> {word}); void c(inout P {word}); }};\n"
        )
    });
    let values: String = words.join(", ");
    let text = format!(
        "module fields {{ {fields} }};\n\
         module params {{ struct S {{ long a; string<4> b; }}; struct B {{ string<3> s; long n; }};\n\
         union U switch (long) {{ case 1: string<3> a; case 2: sequence<B, 2> b; }}; interface O {{ void o(); }};\n\
         struct P {{ string<3> s; O o; }};\n{params} }};\n\
         module operations {{ exception E {{ long a; }}; exception O {{ long b; }};\n\
         interface I {{ {} }}; interface J {{ {} }}; interface K {{ {} }}; interface L {{ {} }}; interface A {{ {} }}; }};\n\
         module constants {{ {} interface I {{ void f(in long a); }}; }};\n\
         module enums {{ {} enum Values {{ {values} }}; interface I {{ {} Values values(in Values a); }}; }};\n\
         module structs {{ {} interface I {{ {} }}; }};\n\
         module unions {{ {} interface I {{ {} }}; }};\n\
         module exceptions {{ {} interface I {{ {} }}; }};\n\
         module faces {{ {} }};\n",
        all(&|_, word| format!("long {word}(in long a); ")),
        all(&|_, word| format!("string<5> {word}(in string<4> a); ")),
        all(&|_, word| format!("sequence<octet> {word}(in sequence<octet> a); ")),
        all(&|_, word| format!("sequence<long, 4> {word}(in sequence<long, 3> a) raises (E, O); ")),
        all(&|_, word| format!("attribute long {word}; ")),
        all(&|at, word| format!("const long {word} = {at}; ")),
        all(&|_, word| format!("enum {word} {{ a, {word} }}; ")),
        all(&|at, word| format!("{word} f{at}(in {word} a); sequence<{word}> g{at}(); ")),
        all(&|_, word| format!("struct {word} {{ long a; }}; ")),
        all(&|at, word| format!("{word} f{at}(in {word} a); sequence<{word}> g{at}(in {word} b[2]); ")),
        all(&|_, word| format!("union {word} switch (long) {{ case 1: long {word}; }}; ")),
        all(&|at, word| format!("{word} f{at}(in {word} a); sequence<{word}> g{at}(); ")),
        all(&|_, word| format!("exception {word} {{ long a; }}; ")),
        all(&|at, word| {
            let next = words[(at + 1) % words.len()];
            format!("void f{at}() raises ({word}); void g{at}() raises ({word}, {next}); ")
        }),
        all(&|_, word| format!("interface {word} {{ long f(in long a); {word} g(in {word} a); }};\n")),
    );
    let mut found = headers(&folder, &text);
    let modules: Vec<&str> = words.iter().copied().filter(|word| !is_header_of_others(word)).collect();
    for words in modules.chunks(limits::MODULES_MAX) {
        let module = |word: &&str| {
            format!(
                "module {word} {{ struct S {{ long a; }}; const long c = 1; interface I {{ S f(in S {word}); }}; }};\n"
            )
        };
        found.extend(headers(&folder, &words.iter().map(module).collect::<String>()));
    }
    together(&folder, &found);
}
