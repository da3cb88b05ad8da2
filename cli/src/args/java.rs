//! Words of `carnet java`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Form;

/// `carnet java`.
#[derive(Debug, Subcommand)]
pub enum Java {
    /// Run a class, jar or source file
    Run(JavaRun),
    /// Verify class files and jars
    Verify(JavaVerify),
    /// Show a class file: header, members, code
    Inspect(JavaInspect),
}

/// `carnet java run`.
#[derive(Args, Debug)]
pub struct JavaRun {
    /// Class file, jar with a Main-Class, or source file, which the installed javac compiles first
    pub file: PathBuf,
    /// What `main` gets
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARG")]
    pub args: Vec<OsString>,
    /// Folders and jars with the classes that it refers to; its own folder or jar need not be named
    #[arg(long, value_name = "PATHS")]
    pub class_path: Option<OsString>,
    /// Folder of the JDK with the class library; else that of JAVA_HOME or of the installed `java`
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Check assertions of the program: of all its classes, or of a class `a.B`, or of the package `a...` and those within it
    #[arg(long, value_name = "WHERE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub enable_assertions: Vec<String>,
    /// But not those of a class `a.B`, or of the package `a...` and those within it
    #[arg(long, value_name = "WHERE", require_equals = true)]
    pub disable_assertions: Vec<String>,
    /// Most instructions of all threads
    #[arg(long, value_name = "COUNT")]
    pub instructions: Option<u64>,
    /// Most processor time of all threads, for example 500ms or 10s
    #[arg(long, value_name = "TIME")]
    pub cpu_time: Option<String>,
    /// Most time until it ends, waiting included, for example 500ms or 10s
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// Most bytes of the heap, for example 16MiB
    #[arg(long, value_name = "BYTES", default_value = "256MiB")]
    pub heap: String,
    /// Most bytes of classes, those of the JDK not counted, for example 32MiB
    #[arg(long, value_name = "BYTES", default_value = "128MiB")]
    pub classes: String,
    /// Most threads at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1024)]
    pub threads: u32,
    /// Most calls within calls of a thread
    #[arg(long, value_name = "COUNT", default_value_t = 12_000)]
    pub depth: u32,
}

/// `carnet java verify`.
#[derive(Args, Debug)]
pub struct JavaVerify {
    /// Class files and jars
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folders and jars with the classes that they refer to; their own folders and jars need not be named
    #[arg(long, value_name = "PATHS")]
    pub class_path: Option<OsString>,
    /// Folder of the JDK with the class library; else that of JAVA_HOME or of the installed `java`
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Take only classes of this subset
    #[arg(long)]
    pub profile: Option<Profile>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}

/// Subsets of Java.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// One class; byte, short, int and arrays of these; no objects, exceptions or threads
    Applet,
}

/// `carnet java inspect`.
#[derive(Args, Debug)]
pub struct JavaInspect {
    /// Class file
    pub file: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "a doc comment would become the help text of the command")]
    pub form: Form,
}
