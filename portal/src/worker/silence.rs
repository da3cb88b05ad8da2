//! Memory that long messages took, when none follows.
//!
//! ```text
//! wait: holds much? ─ no ─► receive (all that short messages ever cost)
//!          └ yes ─► something comes within a moment, and it is not every so often? ─► receive
//!                     └ no: give all back ─► receive
//! ```
//! Who says nothing after one long message would else keep some MiB of the server for as long as it lives. While messages follow
//! each other, their memory is used again.

use std::time::{Duration, Instant};

use super::Worker;
use crate::call::{Area, Areas};
use crate::link::Readiness;

/// Bytes that a session may keep while nothing comes.
pub(crate) const IDLE_BYTES_MAX: usize = 192 << 10;

/// How long a client may take to send its next message before this one's memory is given back.
const MOMENT: Duration = Duration::from_millis(100);

/// Waits with much memory after which it is given back although messages follow each other: those may be short by now.
const WAITS_MAX: u32 = 64;

impl Worker {
    /// Whether it has more memory than one who is silent may keep.
    #[inline]
    pub(super) fn holds_much(&self) -> bool {
        let bytes = |area: &Area| area.bytes.capacity() + area.words.capacity() * size_of::<u64>();
        let areas: usize = self.areas.list.iter().map(bytes).sum();
        areas + self.out.capacity() > IDLE_BYTES_MAX || self.session.has_long_reply()
    }

    /// Whether the next message comes before what is held is to be given back. What goes wrong is seen by who receives.
    #[cold]
    pub(super) fn comes_soon(&mut self) -> bool {
        self.waits += 1;
        if self.waits >= WAITS_MAX {
            return false;
        }
        let idle = self.session.limits().idle_timeout.unwrap_or(MOMENT);
        let until = Instant::now() + idle.min(MOMENT);
        !matches!(self.session.link().wait(Readiness::RECEIVE, Some(until)), Ok(None))
    }

    /// Gives back what calls took. Nothing may have come that is not done.
    #[cold]
    pub(super) fn give_back(&mut self) {
        self.waits = 0;
        self.areas = Areas { list: vec![Area::default()] };
        self.out = Vec::new();
        self.session.give_back();
    }
}

#[cfg(test)]
mod tests {
    use std::any::Any;
    use std::io::{Read as _, Write as _};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::sync::{Arc, LazyLock};

    use carnet_idl::descriptor::{InterfaceId, Module};

    use super::*;
    use crate::call::{Call, Caller, Failure, Object};
    use crate::capability::Capability;
    use crate::link::Link;
    use crate::server::ServerOptions;
    use crate::session::{ServerLimits, Session};
    use crate::wire::{CALL_SESSION, HEADER_BYTES, Hello, Reply, Request, kind};
    use crate::worker::Quotas;

    static MODULE: LazyLock<Module> = LazyLock::new(|| {
        let text = "
            module t {
              typedef sequence<octet, 1048576> Data;
              typedef sequence<string<8>, 60000> Texts;
              interface T { Data same(in Data data); Texts many(in long count); void turn(inout long n); };
            };";
        carnet_idl::compile_str("t.idl", text).expect("it compiles")
    });

    const SAME: u16 = 0;
    const MANY: u16 = 1;
    const TURN: u16 = 2;

    struct Long;

    impl Object for Long {
        fn interface(&self) -> (&'static Module, InterfaceId) {
            (&MODULE, InterfaceId(0))
        }

        fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
            if op == TURN {
                return Ok(());
            }
            let mut area = call.areas.take(call.words[1])?;
            if op == SAME {
                area.bytes.extend_from_slice(call.areas.bytes(call.words[0], 1 << 20)?);
            } else {
                for _ in 0..call.words[0] {
                    let word = area.add_string(b"a text").expect("room");
                    area.words.push(word);
                }
            }
            call.words[1] = call.areas.put(call.words[1], area)?;
            Ok(())
        }

        fn service(&self) -> &dyn Any {
            self
        }
    }

    /// A session, and its client.
    struct Both {
        worker: Worker,
        client: UnixStream,
    }

    impl Both {
        fn new() -> Both {
            let (ours, client) = UnixStream::pair().expect("two sockets");
            let link = Link::Socket(Arc::new(OwnedFd::from(ours).into()));
            let options = Arc::new(ServerOptions::default());
            let root = Capability::new(Arc::new(Long));
            // Who waits for ever ends by this, and fails.
            let idle_timeout = Some(Duration::from_secs(20));
            let limits = ServerLimits { idle_timeout, ..ServerLimits::default() };
            link.set_timeouts(idle_timeout, idle_timeout).expect("a socket");
            let session = Session::new(link, Caller::local(), root, limits, None);
            let quotas = Quotas::new(&options.limits);
            let mut both = Both { worker: Worker::new(Arc::new(session), options, quotas), client };
            let mut hello = Vec::new();
            Hello::default().encode(&mut hello);
            both.client.write_all(&frame(kind::HELLO, 0, 0, CALL_SESSION, &hello)).expect("a session");
            serve_one(&mut both.worker);
            both
        }

        /// One call; how many bytes its reply has.
        fn call(&mut self, op: u16, word: u64, data: &[u8]) -> usize {
            let body = [&word.to_le_bytes()[..], data].concat();
            let (request, mut client) = (frame(kind::CALL, op, 1, 1, &body), &self.client);
            std::thread::scope(|scope| {
                let asked = scope.spawn(move || {
                    client.write_all(&request).expect("a session");
                    let mut header = [0; HEADER_BYTES];
                    client.read_exact(&mut header).expect("a reply");
                    let header = Reply::decode(&header).expect("a reply");
                    assert_eq!(header.status, 0);
                    let mut body = vec![0; header.len as usize - HEADER_BYTES];
                    client.read_exact(&mut body).expect("a reply");
                    body.len()
                });
                serve_one(&mut self.worker);
                asked.join().expect("a reply")
            })
        }

        /// A call that takes much.
        fn long_call(&mut self, op: u16) {
            match op {
                SAME => assert!(self.call(SAME, 1 << 20, &vec![7; 1 << 20]) > 1 << 20),
                _ => assert!(self.call(MANY, 50_000, &[]) > 400_000),
            }
            assert!(self.worker.holds_much());
        }
    }

    /// Serves until one message is done.
    fn serve_one(worker: &mut Worker) {
        loop {
            match worker.cursor.next(&worker.areas.list[0].bytes, u32::MAX).expect("a frame") {
                Some(frame) => return worker.handle(frame).expect("it goes on"),
                None => worker.receive().expect("it goes on"),
            }
        }
    }

    fn frame(kind: u8, op: u16, target: u32, call: u32, body: &[u8]) -> Vec<u8> {
        let len = (HEADER_BYTES + body.len()) as u32;
        let header = Request { len, kind, portals: 0, op, target, call };
        [&header.encode()[..], body].concat()
    }

    #[test]
    fn what_a_long_message_took_is_given_back_when_none_follows() {
        for op in [SAME, MANY] {
            let mut both = Both::new();
            for _ in 0..3 {
                both.long_call(op);
                both.worker.receive().expect("it goes on waiting");
                assert!(!both.worker.holds_much());
                assert_eq!(both.call(TURN, 1, &[]), 8);
            }
        }
    }

    #[test]
    fn long_messages_that_follow_each_other_use_the_same_memory() {
        let (mut both, mut given_back) = (Both::new(), 0);
        for _ in 0..50 {
            let before = both.worker.waits;
            both.long_call(SAME);
            // Each wait is counted, unless all was given back in it.
            given_back += u32::from(both.worker.waits <= before);
        }
        // A moment may pass in which a busy machine does not run the client.
        assert!(given_back < 10, "{given_back} times");
    }

    #[test]
    fn short_messages_do_not_keep_what_a_long_one_took() {
        let mut both = Both::new();
        both.long_call(SAME);
        for _ in 0..WAITS_MAX {
            assert_eq!(both.call(TURN, 1, &[]), 8);
        }
        assert!(!both.worker.holds_much());
    }
}
