//! The table in C is made of the interface, and no operation of it can do what programs must not.

use std::path::Path;

use carnet_idl::syscall::Syscall;
use carnet_kernel::{messages, table};
use carnet_linux::linux;

#[test]
fn the_table_is_that_of_the_interface() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("carnet_operations.c");
    let made = table(linux::module(), "System", messages()).expect("it is a description of system calls");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).expect("it is written");
        return;
    }
    let there = std::fs::read_to_string(&path).expect("it is there");
    assert!(made == there, "carnet_operations.c is not of this interface; BLESS=1 writes it anew");
}

/// execve, execveat, fork, vfork, clone, clone3, exit, exit_group, rt_sigreturn, restart_syscall, seccomp, prctl, ptrace, ioctl.
const NEVER: [u16; 14] = [59, 322, 57, 58, 56, 435, 60, 231, 15, 219, 317, 157, 101, 16];

#[test]
fn no_operation_leaves_the_program() {
    for operation in &linux::module().interfaces[0].operations {
        let call = Syscall::of(linux::module(), operation).expect("it is good").expect("it is one");
        assert!(!NEVER.contains(&call.number), "{} is call {}", operation.name, call.number);
    }
}

#[test]
fn what_is_refused_is_known() {
    let made = table(linux::module(), "System", messages()).expect("it is a description of system calls");
    let mut refused = Vec::new();
    let mut name = "";
    for line in made.lines() {
        if let Some(begun) = line.trim().strip_prefix("{ /* ") {
            name = begun.trim_end_matches(" */");
        }
        if line.contains("OPERATION_REFUSED") {
            refused.push(name);
        }
    }
    refused.sort_unstable();
    // Lists, addresses of the network, and strings within structs.
    let expected = [
        "accept4",
        "bind",
        "connect",
        "getdents64",
        "getpeername",
        "getsockname",
        "getsockopt",
        "poll",
        "poll_several",
        "recvfrom",
        "sendto",
        "uname",
    ];
    assert_eq!(refused, expected);
}

#[test]
fn an_interface_of_something_else_has_no_table() {
    assert!(
        table(linux::module(), "Nothing", messages()).is_err_and(|why| why.contains("no interface Nothing"))
    );
    let text = "module m { interface Counter { @reads long long value(); }; };";
    let other = carnet_idl::compile_str("m.idl", text).expect("no faults");
    assert!(table(&other, "Counter", messages()).is_err_and(|why| why.contains("no system call")));
}
