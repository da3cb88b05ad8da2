//! A loop of a few lines, on a thread of its own: `cargo run -p carnet-portal --example plain_loop`.
//!
//! Frames go through a channel of the standard library; a transport of yours would send and receive them instead. The
//! interface is one that ships with the compiler: bytes that are read piece by piece.

use std::sync::mpsc;
use std::thread;

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::plain::{Framed, Session};
use carnet_portal::stub::BytesOut;

use memory::{CarnetMemoryAt, CarnetMemoryService};

/// What `carnet_idl::build` makes.
#[allow(dead_code, unreachable_pub, missing_docs, reason = "generated, and not all of it is called")]
mod memory {
    include!("../../idl/tests/cases/modules/memory.rs");
}

/// The service.
struct Text(&'static [u8]);

impl CarnetMemoryService for Text {
    fn size(&self, _: &Caller) -> Result<i64, Failure> {
        Ok(i64::try_from(self.0.len()).unwrap_or(i64::MAX))
    }

    fn read(&self, _: &Caller, at: i64, count: i64, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        let [at, count] = [at, count].map(|number| usize::try_from(number).unwrap_or(0));
        let rest = self.0.get(at..).ok_or_else(|| Failure::bad_argument("behind the end"))?;
        let _ = result.extend(&rest[..count.min(rest.len())]);
        Ok(())
    }
}

fn main() -> Result<(), Failure> {
    let (to_loop, requests) = mpsc::channel::<Vec<u8>>();
    let (answers, from_loop) = mpsc::channel();

    let mut session = Session::new(Caller::local());
    let text = session.add(CarnetMemoryAt::serve(Text(b"called from another thread")))?;
    let served = thread::spawn(move || {
        for request in requests {
            let mut reply = Vec::new();
            if session.answer(&request, &mut reply).is_err() || answers.send(reply).is_err() {
                break;
            }
        }
    });

    let mut channel = Framed::new(|frame: &mut Vec<u8>| {
        let gone = || Failure::new(Kind::PeerDied, "the loop has ended");
        to_loop.send(std::mem::take(frame)).map_err(|_| gone())?;
        *frame = from_loop.recv().map_err(|_| gone())?;
        Ok(())
    });
    let size = text.size(&mut channel)?;
    let read = text.read(&mut channel, 12, size)?;
    println!("{size} bytes, the last of them {:?}", String::from_utf8_lossy(read));
    assert_eq!(read, b"another thread");

    drop(channel);
    drop(to_loop);
    // It has nothing to say but that it has ended.
    let _ = served.join();
    Ok(())
}
