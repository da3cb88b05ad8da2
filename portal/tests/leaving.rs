//! Calls that a client in Rust sent and does not wait for are done by a server in C, though the client has gone before it was answered,
//! and whoever else is there is served.

#[path = "support/in_c.rs"]
mod in_c;
#[path = "support/server_in_c.rs"]
mod server_in_c;
mod support;

use carnet_portal::address::Address;
use carnet_portal::remote::{ConnectOptions, RemoteSession};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use server_in_c::ServerInC;
use support::until;
use whole::Leaf;

mod whole {
    include!("../../idl/tests/cases/modules/whole.rs");
}

/// As many as may be outstanding.
const CALLS: i32 = 64;

/// While this is there, the server does nothing.
struct Stopped(Pid);

impl Stopped {
    fn new(server: &ServerInC) -> Stopped {
        let pid = Pid::from_child(&server.child);
        kill_process(pid, Signal::STOP).unwrap();
        let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{status:?}");
        Stopped(pid)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        kill_process(self.0, Signal::CONT).unwrap();
    }
}

fn leaf(address: &Address) -> Leaf {
    Leaf::from_portal(RemoteSession::connect(address, ConnectOptions::default()).unwrap().root())
}

#[test]
fn calls_of_a_client_that_has_gone_are_done_by_a_server_in_c() {
    let options = ["-DCARNET_STUBS=\"whole.h\"", "-DCARNET_ROOT=whole_Leaf", "carnet_main.c"];
    for program in in_c::built("leaving", whole::module(), &["tree"], &options) {
        let server = ServerInC::start(&program);
        let (unix, shared) = (Address::Unix(server.path.clone()), Address::Shared(server.path.clone()));
        let mut done = 0;
        for (address, beside) in [(&unix, &unix), (&shared, &unix), (&unix, &shared), (&shared, &shared)] {
            let (leaving, busy) = (leaf(address), leaf(beside));
            assert_eq!((leaving.height(), busy.height()), (Ok(done), Ok(done)));
            let stopped = Stopped::new(&server);
            for _ in 0..CALLS {
                leaving.tell(1, b"text").unwrap();
            }
            drop(leaving);
            drop(stopped);
            done += CALLS;
            until("all that was sent is done", || busy.height().unwrap() == done);
        }
    }
}
