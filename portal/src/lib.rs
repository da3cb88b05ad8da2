//! Portals, sessions, messages, and what carries them.
//!
//! A portal is a capability to an object of a service. The service does not know where its callers are, the
//! caller does not see where the object is: in the same thread or behind a socket, the same block of words
//! reaches the same dispatch code.
//!
//! ```text
//!   client                                    server
//! ┌────────────────────────┐                ┌───────────────────────────────────────────┐
//! │ stub ─ Portal          │                │ Server ── accepts, admits, shuts down     │
//! │          │             │  frames (wire) │   └ Session ── capability table           │
//! │     RemoteSession ═════╪════════════════╪═══► └ worker ── message ── Object         │
//! │          │             │                │               └ EntryPoint (programs)     │
//! │     LocalSession ──────┼── same thread, no frames ─────────────────────► Object     │
//! └────────────────────────┘                └───────────────────────────────────────────┘
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`call`] | one call on the service's side; objects; failures |
//! | [`capability`] | the right to use an object, and the switch that ends it |
//! | [`portal`] | one call on the caller's side; portals; the `Transport` trait |
//! | [`wire`] | the message format; the file is its specification |
//! | `message` | blocks to frames and back, by the operation's layout |
//! | `link` | bytes both ways, whatever carries them |
//! | `stream` | frames in and out of a link |
//! | [`table`] | capability table with receipts |
//! | [`session`], `worker` | a session on the server, and what serves it |
//! | `one_loop` | one thread that serves all sessions |
//! | `seats`, `pace` | shares of what there is for all, in numbers and in time |
//! | `operations` | client's operation numbers to the server's, by hash |
//! | [`panics`] | panics of services, and of what they throw, end nothing else |
//! | [`meter`] | what single calls use, charged to principals |
//! | [`entry`] | another way in than calls: programs |
//! | [`server`], `listener`, `peer` | listening, admission, limits, shutdown |
//! | [`door`], [`admission`] | who comes from afar, and what that may cost |
//! | [`identity`], [`fingerprint`] | keys, certificates, tokens, and what they are known by |
//! | [`remote`], `calls` | client over any link, shared by threads, pipelined |
//! | [`recording`] | calls written down, and played without the service |
//! | [`relay`] | objects of another process, served by this one |
//! | [`direct`] | short operations as functions, for translated programs |
//! | [`local`], `near` | session in the same thread; the short way to its services |
//! | [`plain`] | what a main loop in C is, for Rust: a table of objects, and messages in registers, in a line, or as frames |
//! | [`memory`] | memory that is handed over once, and read where it is mapped |
//! | [`stub`] | what generated stubs call |
//! | [`sturdy`] | names for objects that outlive the process |
//! | [`address`] | `unix:PATH`, `tcp://…`, `carnet://…` |
//!
//! What it does not do: it makes no program run (that is an entry point's work), knows no interface, and
//! uses no asynchronous run-time library.

pub mod address;
pub mod admission;
pub mod call;
mod calls;
pub mod capability;
pub mod direct;
pub mod door;
pub mod entry;
pub mod fingerprint;
pub mod identity;
#[cfg(test)]
mod idle;
mod invoke;
mod link;
mod listener;
pub mod local;
pub mod memory;
mod message;
pub mod meter;
mod near;
mod one_loop;
mod operations;
mod pace;
pub mod panics;
mod peer;
pub mod plain;
pub mod portal;
pub mod recording;
pub mod relay;
pub mod remote;
pub mod seats;
pub mod server;
pub mod session;
mod stream;
pub mod stub;
pub mod sturdy;
pub mod table;
pub mod wire;
mod worker;
