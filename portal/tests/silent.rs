//! Clients that ask for much once, and are silent from then on: what they took is given back. One test, so that nothing else
//! runs meanwhile.

mod support;

use std::io::{Read as _, Write as _};

use carnet_portal::wire::{HEADER_BYTES, Reply};
use support::counts::private_bytes;
use support::{Fixture, Raw, op, raw, until};

const SESSIONS: usize = 100;

/// What a session keeps at most of what was long: its buffers, and what the allocator does not give to the system.
const BYTES_EACH: usize = 512 << 10;

/// The body of a reply is read into `body`.
fn call(session: &mut Raw, request: &[u8], body: &mut Vec<u8>) {
    session.write_all(request).unwrap();
    let mut header = [0; HEADER_BYTES];
    session.read_exact(&mut header).unwrap();
    let header = Reply::decode(&header).unwrap();
    assert_eq!(header.status, 0);
    body.resize(header.len as usize - HEADER_BYTES, 0);
    session.read_exact(body).unwrap();
}

/// An allocator may keep what is freed, the more the longer the messages were; not by this setting.
#[test]
fn silent_sessions_keep_little_memory() {
    const MAPPED: &str = "MALLOC_MMAP_THRESHOLD_";
    if std::env::var_os(MAPPED).is_none() {
        let mut own = std::process::Command::new(std::env::current_exe().unwrap());
        let ran = own
            .args(["silent_sessions_keep_little_memory", "--nocapture"])
            .env(MAPPED, "65536")
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()));
        return;
    }
    let fixture = Fixture::plain();
    let add = raw::call(op::ADD, 1, 1, &raw::words(&[1, 2]));
    let long = vec![7; 1 << 20];
    let data = [&raw::words(&[long.len() as u64])[..], &long].concat();
    let echo = raw::call(op::ECHO, 1, 2, &data);
    let turn = raw::call(op::TURN, 1, 3, &[&raw::words(&[long.len() as u64, 1])[..], &long].concat());
    let mut body = Vec::with_capacity(2 << 20);
    let mut sessions: Vec<Raw> = (0..SESSIONS).map(|_| fixture.raw()).collect();
    for session in &mut sessions {
        session.write_all(&raw::hello()).unwrap();
        call(session, &add, &mut body);
    }
    let before = private_bytes();
    for session in &mut sessions {
        call(session, &echo, &mut body);
        call(session, &turn, &mut body);
    }
    let kept = || private_bytes().saturating_sub(before);
    until("the memory of long messages is given back", || kept() < SESSIONS * BYTES_EACH);
    // They are served as before.
    for session in &mut sessions {
        call(session, &add, &mut body);
        assert_eq!(body, 3_u64.to_le_bytes());
    }
    println!("{} bytes for each", kept() / SESSIONS);
}
