//! The command line.
//!
//! It says what can be written; what it means is the verbs' work, one file each.

mod deferred;
mod java;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::identity::RunName;
use crate::report::shell_word;

pub use deferred::{Defer, Deferred, DeferredList, DeferredOne, Deliver, Journal};
pub use java::{Java, JavaInspect, JavaRun, JavaVerify, Profile};

/// Send the loop, not the calls: checked programs that run beside a service.
#[derive(Debug, Parser)]
#[command(name = "carnet", version, max_term_width = 100, after_help = AFTER)]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

const AFTER: &str = "\
Exit codes: 0 done · 1 a call failed and the program ended · 2 usage
3 rejected by compiler or verifier · 4 stopped at a limit, deadline or cancel
5 outcome unknown · 6 refused, and nothing was run
7 cannot reach the server, and nothing was sent
8 done, but standard output could not be written to";

/// What the command can do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Serve something, and run programs beside it
    Serve(Box<Serve>),
    /// Show what a server can do: interfaces, operations, their arguments and effects
    Describe(Describe),
    /// Compile and verify programs without a server, and show their bills
    Check(Check),
    /// Compile a program to a file with its tree, to be run later
    Compile(Compile),
    /// Show what a program would do at most on this server, and what approves it
    Bill(Bill),
    /// Run a program
    Run(Run),
    /// Let a run go on that stopped before its end
    Resume(Resume),
    /// List your runs that are running, and those that stopped and can go on
    Runs(Runs),
    /// Stop a run that is running; it can go on
    Cancel(OneRun),
    /// Let go of a run that stopped, and close what it holds
    Discard(OneRun),
    /// Keep a program until the server can be reached
    Defer(Defer),
    /// Deliver what was deferred, in order, each once
    Deliver(Deliver),
    /// Look at what was deferred, and decide about it
    #[command(subcommand)]
    Deferred(Deferred),
    /// Show how the server is, or what became of a run
    Status(Status),
    /// Make a single call
    Call(Call),
    /// Say who may connect from other machines
    #[command(subcommand)]
    Token(Token),
    /// Compile interface files
    #[command(subcommand)]
    Idl(Idl),
    /// Look at Java class files
    #[command(subcommand)]
    Java(Java),
    /// Look inside
    #[command(subcommand)]
    Debug(Debug),
}

/// The server to talk to.
#[derive(Args, Clone, Debug, Default)]
pub struct Server {
    /// Address of the server
    #[arg(long, value_name = "ADDR", env = "CARNET_SERVER")]
    pub server: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub client: Client,
    /// How to wait for answers of a server at shm:PATH; else adaptive
    #[arg(long, value_name = "HOW")]
    pub wait: Option<Wait>,
}

/// How to wait for the other side through shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wait {
    /// Look until something comes: quickest, and takes a whole processor
    Spin,
    /// Look for as long as has paid lately, then sleep
    Adaptive,
    /// Sleep at once: leaves the processor to others
    Sleep,
}

impl Wait {
    /// As it is written.
    fn name(self) -> &'static str {
        match self {
            Wait::Spin => "spin",
            Wait::Adaptive => "adaptive",
            Wait::Sleep => "sleep",
        }
    }
}

/// How to be its client.
#[derive(Args, Clone, Debug, Default)]
pub struct Client {
    /// File with the token that says who you are, for servers on other machines
    #[arg(long, value_name = "FILE", env = "CARNET_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,
    /// Certificate of the key that says who you are, instead of a token
    #[arg(long, value_name = "FILE", requires = "client_key")]
    pub client_cert: Option<PathBuf>,
    /// That key
    #[arg(long, value_name = "FILE", requires = "client_cert")]
    pub client_key: Option<PathBuf>,
    /// How long the server may leave a question unanswered, for example 5s; else 1m
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<String>,
}

/// In what form to answer.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Form {
    /// Print one JSON object instead of text for people
    #[arg(long)]
    pub json: bool,
}

/// Where interfaces are found.
#[derive(Args, Clone, Debug, Default)]
pub struct Interfaces {
    /// An interface file that programs can `use`, beside the built-in ones
    #[arg(long, value_name = "PATH")]
    pub idl: Vec<PathBuf>,
}

/// `carnet serve`.
#[derive(Args, Debug)]
pub struct Serve {
    /// What kind of service: files, kv, tracker, bank or linux; or relay, for a service of another process
    pub kind: String,
    /// What to serve: for files and linux a directory, for kv and tracker a database file, for a bank the socket of its applications, for a
    /// relay the other's address
    pub what: PathBuf,
    /// Another service that programs can use beside it, for example kv=./data.db; may be given several times, and be named, as in
    /// far:files=./b, if another has the same interface
    #[arg(long, value_name = "[NAME:]KIND=WHAT")]
    pub also: Vec<String>,
    /// Where to listen, for example unix:./c.sock or tcp://0.0.0.0:7000; may be given several times. shm:PATH is unix:PATH, which clients reach through shared memory, too
    #[arg(long, value_name = "ADDR")]
    pub listen: Vec<String>,
    /// Who may connect over TCP by a token: made with `carnet token new`
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    /// Who may connect over TCP by a key: lines of name and fingerprint
    #[arg(long, value_name = "FILE")]
    pub client_keys: Option<PathBuf>,
    /// File of the server's own key, made if there is none; else ~/.local/state/carnet/server.key
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Serve it for reading only
    #[arg(long)]
    pub read_only: bool,
    /// How many bytes may be written in all, of kv and tracker be stored, of a bank be there; for example 10GiB
    #[arg(long, value_name = "SIZE")]
    pub quota: Option<String>,
    /// When a change of kv or tracker is on the disk; else disk
    #[arg(long, value_name = "WHEN")]
    pub durability: Option<Durability>,
    /// What programs may do (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Where to write down what runs that write do and come to, so that it is known after a crash
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// Take programs as trees, too: they are compiled and verified here
    #[arg(long)]
    pub trees: bool,
    /// What serves the clients: a thread each, or one loop over all
    #[arg(long, value_name = "WHICH", default_value = "per-client")]
    pub threads: Threads,
    /// How to wait for clients that come through shared memory, at shm:PATH
    #[arg(long, value_name = "HOW", default_value = "adaptive")]
    pub wait: Wait,
    /// Name of the server, shown to clients
    #[arg(long, default_value = "carnet")]
    pub name: String,
    /// What to log to standard error: error, warn, info, debug or trace
    #[arg(long, value_name = "FILTER", env = "CARNET_LOG", default_value = "warn")]
    pub log: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
    #[command(flatten, next_help_heading = "For linux")]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub linux: Linux,
    #[command(flatten, next_help_heading = "For a relay, which is a client of the other server")]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub client: Client,
}

/// What the process of a session of Linux calls may do, beside what is said of the first directory.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct Linux {
    /// Another directory that may be read; may be given several times
    #[arg(long, value_name = "DIR")]
    pub read: Vec<PathBuf>,
    /// Another directory that may be read and written; may be given several times
    #[arg(long, value_name = "DIR")]
    pub write: Vec<PathBuf>,
    /// A TCP or UDP port that may be connected and sent to; may be given several times
    #[arg(long, value_name = "PORT")]
    pub connect: Vec<u16>,
    /// A TCP or UDP port that may be listened on, 0 for one that is free; may be given several times
    #[arg(long, value_name = "PORT")]
    pub bind: Vec<u16>,
    /// Descriptors that a session may have open; else 256
    #[arg(long, value_name = "NUMBER")]
    pub descriptors: Option<u16>,
    /// Memory of a session's process; else 1GiB
    #[arg(long, value_name = "SIZE")]
    pub process_memory: Option<String>,
    /// Serve even if the kernel cannot keep a process within directories: links lead out of them then
    #[arg(long)]
    pub without_landlock: bool,
    /// Make each call alone, also where reads of a repeat would go to the kernel together (io_uring)
    #[arg(long)]
    pub without_io_uring: bool,
}

/// When what was acknowledged is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Durability {
    /// Before it is acknowledged
    Disk,
    /// Later: within a second while there are changes, and when the server ends; a server that is killed loses the rest
    Memory,
}

/// Which threads serve clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Threads {
    /// A thread for each client: a call that takes long holds nobody else up
    PerClient,
    /// One loop over all clients: one that is idle costs next to nothing
    Loop,
}

/// What carries a program out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Machine code for what is run much, else the interpreter
    #[default]
    Any,
    /// The interpreter of bytecode
    Bytecode,
    /// Machine code, made before the run begins where that can be done soon
    Native,
    /// The recursive interpreter of the program's tree, which is sent; the server must take trees
    Tree,
    /// This machine's kernel, with the module, and no server: programs of linux.System
    Kernel,
}

/// `carnet describe`.
#[derive(Args, Debug)]
pub struct Describe {
    /// Only this interface or operation, for example Dir or Dir.open; @NAME: an installed program
    pub name: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Program files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub interfaces: Interfaces,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet compile`.
#[derive(Args, Debug)]
pub struct Compile {
    /// Program file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the tree goes; a file that is there is written anew
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub interfaces: Interfaces,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// A program with its arguments.
#[derive(Args, Clone, Debug, Default)]
pub struct Program {
    /// Program file, or file with a tree, @NAME of a program that the server has installed, or +NAME of one that ships with this command
    pub file: PathBuf,
    /// Arguments of the program; integers are written as in one: 500, 1_000, 0o644, 0xff, 10MiB, 7d
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<OsString>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub interfaces: Interfaces,
}

/// `carnet bill`.
#[derive(Args, Debug)]
pub struct Bill {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub program: Program,
    /// Send its tree, which the server compiles, and not its bytecode
    #[arg(long)]
    pub tree: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet run`.
#[derive(Args, Debug, Default)]
pub struct Run {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub program: Program,
    /// Say what would be changed, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show each call before it is made
    #[arg(long)]
    pub trace: bool,
    /// What carries it out; the outcome is the same
    #[arg(long, value_enum, default_value_t = Engine::Any)]
    pub engine: Engine,
    /// Send its tree, which the server compiles, and not its bytecode
    #[arg(long)]
    pub tree: bool,
    /// Run it if this is what `carnet bill` showed: 32 or more digits of its hash
    #[arg(long, value_name = "HASH")]
    pub approve: Option<String>,
    /// A name for this run: asking again with it returns the same outcome and does not run twice
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet resume`.
#[derive(Args, Debug)]
pub struct Resume {
    /// The run's name, as its outcome said
    #[arg(value_name = "ID")]
    pub run: String,
    /// Its program file, to show the result and places by name
    pub file: Option<PathBuf>,
    /// Raise a limit of the program's header, for example '200 writes', '1GiB written' or '30s time'
    #[arg(long, value_name = "AMOUNT")]
    pub more: Vec<String>,
    /// Set a variable (`var`) of the program before it goes on; needs FILE
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<OsString>,
    /// Make a call again of which nobody knows whether it took effect: you have looked
    #[arg(long)]
    pub repeat: bool,
    /// Show each call before it is made
    #[arg(long)]
    pub trace: bool,
    /// What carries it out; the outcome is the same
    #[arg(long, value_enum, default_value_t = Engine::Any)]
    pub engine: Engine,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub interfaces: Interfaces,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet runs`.
#[derive(Args, Debug)]
pub struct Runs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet cancel` and `carnet discard`.
#[derive(Args, Debug)]
pub struct OneRun {
    /// The run's name
    #[arg(value_name = "ID")]
    pub run: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet status`.
#[derive(Args, Debug)]
pub struct Status {
    /// What became of this run
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet call`.
#[derive(Args, Debug)]
pub struct Call {
    /// The operation, for example Dir.stat
    pub operation: String,
    /// Its arguments; integers are written as in a program: 500, 1_000, 0o644, 0xff, 10MiB, 7d
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<OsString>,
    /// Call it on the portal that this text names, for example /docs:ro; else on the server's root
    #[arg(long, value_name = "TEXT")]
    pub on: Option<OsString>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet token`.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make a token and print it, this once; the file gets only its hash
    New(TokenNew),
    /// Take back all tokens of a name
    Revoke(TokenRevoke),
    /// Show the fingerprint of a certificate's key, for a file of client keys
    Fingerprint(TokenFingerprint),
}

/// `carnet token new`.
#[derive(Args, Debug)]
pub struct TokenNew {
    /// Who is called so: the principal of its sessions
    pub name: String,
    /// The server's file of tokens; made if there is none
    #[arg(long, value_name = "FILE")]
    pub tokens: PathBuf,
    /// Write the token to this new file, which only you can read, instead of printing it
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet token revoke`.
#[derive(Args, Debug)]
pub struct TokenRevoke {
    /// Whose tokens
    pub name: String,
    /// The server's file of tokens
    #[arg(long, value_name = "FILE")]
    pub tokens: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet token fingerprint`.
#[derive(Args, Debug)]
pub struct TokenFingerprint {
    /// Certificate (PEM)
    pub certificate: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet idl`.
#[derive(Debug, Subcommand)]
pub enum Idl {
    /// Make stubs
    Build(IdlBuild),
    /// Look for faults, or for what breaks callers
    Check(IdlCheck),
    /// Lay files out
    Fmt(IdlFmt),
    /// Make pages for people
    Doc(IdlDoc),
}

/// `carnet idl build`.
#[derive(Args, Debug)]
pub struct IdlBuild {
    /// Interface file
    pub file: PathBuf,
    /// Language of the stubs
    #[arg(long)]
    pub lang: Language,
    /// Where to write them: a file, or for C and Java a directory; else to standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Where to look for included files, besides beside the file that includes them
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// Languages that stubs are made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust
    Rust,
    /// C: a header; into a directory with the headers that it includes, and a main loop to edit
    C,
    /// Java: interfaces and value classes; into a directory with the package that they use
    Java,
}

/// `carnet idl check`.
#[derive(Args, Debug)]
pub struct IdlCheck {
    /// Interface files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Say which changes since this one break callers or programs; exits with 1 if one does, and with 3 if a file has faults
    #[arg(long, value_name = "OLD.idl")]
    pub against: Option<PathBuf>,
    /// Where to look for included files, besides beside the file that includes them
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet idl fmt`.
#[derive(Args, Debug)]
pub struct IdlFmt {
    /// Interface files, which are changed
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing, and exit with 3 if a file is laid out otherwise
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet idl doc`.
#[derive(Args, Debug)]
pub struct IdlDoc {
    /// Interface file
    pub file: PathBuf,
    /// Directory for the pages, one for the module and one for each interface; else to standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Where to look for included files, besides beside the file that includes them
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet debug`.
#[derive(Debug, Subcommand)]
pub enum Debug {
    /// Show a program's bytecode
    Disasm(Disasm),
    /// Run a program, and show for each line its calls and their time
    Profile(Run),
    /// Go through a program statement by statement, against a server or a recording
    Step(Step),
}

/// `carnet debug step`.
#[derive(Args, Debug)]
pub struct Step {
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub program: Program,
    /// Make calls that write; else they are only told of
    #[arg(long)]
    pub write: bool,
    /// Stop at this line, or before calls of this operation
    #[arg(long = "break", value_name = "WHERE")]
    pub breaks: Vec<String>,
    /// Write the calls and what came back to a new file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Take what came back from such a file, and ask no server
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub replay: Option<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub server: Server,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// `carnet debug disasm`.
#[derive(Args, Debug)]
pub struct Disasm {
    /// Program file
    pub file: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub interfaces: Interfaces,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

impl Token {
    /// In what form to answer.
    #[must_use]
    pub fn form(&self) -> &Form {
        match self {
            Token::New(args) => &args.form,
            Token::Revoke(args) => &args.form,
            Token::Fingerprint(args) => &args.form,
        }
    }
}

/// What was typed, to say what to type next. All but `program` begins with a blank, or is empty.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// `FILE name=value… --idl PATH`.
    pub program: String,
    /// Options of `run`, but for `--approve`: ` --trace --id ID`.
    pub options: String,
    /// How to reach the server: ` --server ADDR`; what the environment says need not be repeated.
    pub server: String,
}

impl Typed {
    /// Asks for the bill.
    #[must_use]
    pub fn bill(&self) -> String {
        format!("carnet bill {}{}", self.program, self.server)
    }

    /// Runs it with an approval of these digits.
    #[must_use]
    pub fn run(&self, approval: &str) -> String {
        format!("carnet run {}{}{} --approve {approval}", self.program, self.options, self.server)
    }

    /// Lets a run go on.
    #[must_use]
    pub fn resume(&self, name: &RunName) -> String {
        format!("carnet resume {name}{}", self.server)
    }

    /// Asks what became of a run.
    #[must_use]
    pub fn status(&self, name: &RunName) -> String {
        format!("carnet status --run {name}{}", self.server)
    }
}

impl Bill {
    /// As it can be typed again.
    #[must_use]
    pub fn typed(&self) -> Typed {
        let options = if self.tree { " --tree".to_owned() } else { String::new() };
        Typed { program: self.program.typed(), options, server: self.server.typed() }
    }
}

impl Resume {
    /// What can be typed next.
    #[must_use]
    pub fn typed(&self) -> Typed {
        Typed {
            program: "FILE NAME=VALUE…".to_owned(), options: String::new(), server: self.server.typed()
        }
    }
}

impl Run {
    /// As it can be typed again.
    #[must_use]
    pub fn typed(&self) -> Typed {
        let mut options = option("--id", self.id.as_ref());
        let engine = self.engine.to_possible_value().filter(|_| self.engine != Engine::Any);
        options.push_str(&option("--engine", engine.as_ref().map(|engine| engine.get_name())));
        for (name, is_given) in
            [(" --tree", self.tree), (" --trace", self.trace), (" --json", self.form.json)]
        {
            options.push_str(if is_given { name } else { "" });
        }
        Typed { program: self.program.typed(), options, server: self.server.typed() }
    }
}

impl Program {
    /// As it can be typed again.
    #[must_use]
    pub fn typed(&self) -> String {
        let mut typed = shell_word(&self.file.to_string_lossy());
        for text in &self.arguments {
            typed.push_str(&format!(" {}", shell_word(&text.to_string_lossy())));
        }
        typed + &self.interfaces.idl.iter().map(|idl| option("--idl", Some(idl))).collect::<String>()
    }
}

impl Server {
    /// As it can be typed again, where the environment does not say it.
    #[must_use]
    pub fn typed(&self) -> String {
        let unless = |variable: &str, given: Option<&OsStr>| {
            given
                .filter(|given| std::env::var_os(variable).is_none_or(|set| set != *given))
                .map(OsStr::to_owned)
        };
        let server = unless("CARNET_SERVER", self.server.as_ref().map(AsRef::as_ref));
        let token_file = unless("CARNET_TOKEN_FILE", self.client.token_file.as_ref().map(AsRef::as_ref));
        [
            option("--server", server),
            option("--token-file", token_file),
            option("--client-cert", self.client.client_cert.as_ref()),
            option("--client-key", self.client.client_key.as_ref()),
            option("--timeout", self.client.timeout.as_ref()),
            option("--wait", self.wait.map(Wait::name)),
        ]
        .concat()
    }
}

/// ` --name value`, if it is given.
fn option(name: &str, value: Option<impl AsRef<OsStr>>) -> String {
    value.map_or_else(String::new, |value| {
        format!(" {name} {}", shell_word(&value.as_ref().to_string_lossy()))
    })
}
