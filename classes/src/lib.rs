//! Java class files: read, verify, and find them.
//!
//! ```text
//! folder, jar, lib/modules of a JDK ─ library ─► bytes ─ read ─► ClassFile ─ format ─ verify ─► accepted, or faults
//!                                        ▲                                              │
//!                                        └── Hierarchy: what other classes are ─────────┘
//! ```
//!
//! A guest's class is hostile until it was verified: it is data that somebody else made. What the verifier promises is what
//! interpreter and translator will rely on: each instruction finds operands of the types that it takes; control stays
//! within the code; no object is used before it is initialized; no reference is made out of a number.
//!
//! | part | what it is |
//! | --- | --- |
//! | [`class`] | a class file as it stands in its bytes |
//! | [`mod@read`] | from bytes to a class file |
//! | [`opcode`], [`instruction`] | the instruction set as a table; decoding |
//! | [`descriptor`] | names and descriptors |
//! | [`format`](mod@format) | format checking, JVMS 4.8 |
//! | [`mod@verify`] | verification by type checking, JVMS 4.10.1 |
//! | [`profile`] | the subset that applets may use |
//! | [`hierarchy`] | what the verifier asks of other classes |
//! | [`fault`] | why a class is rejected |
//! | [`library`] | classes by name, out of folders, jars and the installed JDK |
//! | [`listing`] | a class for people |
//! | [`mod@write`] | class files out of parts |
//! | [`synthetic`] | the classes behind `invokedynamic` |
//!
//! What it does not do: it runs nothing and links nothing. Section numbers are those of the Java Virtual Machine
//! Specification, Java SE 17 Edition.

pub mod bytes;
pub mod class;
pub mod descriptor;
pub mod fault;
pub mod format;
pub mod hierarchy;
pub mod instruction;
pub mod library;
pub mod listing;
pub mod opcode;
pub mod profile;
pub mod read;
pub mod synthetic;
pub mod verify;
pub mod write;

pub use read::read;
pub use verify::verify;
