//! The driver of stubs for plain sessions: as `main.rs`, of the crate's own `Form` of a channel.
//!
//! What carries a call from the client's side to the server's is one jump, as in C: a function of its own, that no compiler sees
//! through.

use std::hint::black_box;
use std::time::Instant;

use carnet_portal::call::{Caller, Failure};
use carnet_portal::plain::{Carry, Line, One, Session, Two};

use crate::Form;
use crate::service::pfs::FSAt;
use crate::service::{DIRECTORY_BYTES, User, WRITE_BYTES, directory};

/// The transport.
pub(crate) struct Jump(Session);

impl Carry for Jump {
    #[inline(always)]
    fn line(&self) -> &Line {
        self.0.line()
    }

    #[inline(always)]
    fn line_mut(&mut self) -> &mut Line {
        self.0.line_mut()
    }

    #[inline(never)]
    fn few(target: u32, to: &mut Jump, w0: u64, w1: u64, w2: u64, w3: u64) -> Two {
        Session::few(target, &mut to.0, w0, w1, w2, w3)
    }

    #[inline(never)]
    fn few_in_line(target: u32, to: &mut Jump, op: u32) -> Two {
        Session::few_in_line(target, &mut to.0, op)
    }

    #[inline(never)]
    fn sent(target: u32, to: &mut Jump, w0: u64, place: &mut i64, w1: u64, piece: &[u8]) -> One {
        Session::sent(target, &mut to.0, w0, place, w1, piece)
    }

    #[inline(never)]
    fn sent_in_line(target: u32, to: &mut Jump, op: u32, piece: &[u8]) -> One {
        Session::sent_in_line(target, &mut to.0, op, piece)
    }

    #[inline(never)]
    fn sent_copied(to: &mut Jump) -> One {
        Session::sent_copied(&mut to.0)
    }

    #[inline(never)]
    fn replied(target: u32, to: &mut Jump, w0: u64, place: &mut i64, w1: u64) -> One {
        Session::replied(target, &mut to.0, w0, place, w1)
    }

    #[inline(never)]
    fn replied_in_line(target: u32, to: &mut Jump, op: u32) -> One {
        Session::replied_in_line(target, &mut to.0, op)
    }
}

#[inline(never)]
fn stub_open(
    fs: FSAt,
    channel: &mut Form,
    client: i64,
    fobj: i64,
    flags: i64,
    mode: i64,
) -> Result<(i64, i64), Failure> {
    fs.open(channel, client, fobj, flags, mode)
}

#[inline(never)]
fn stub_write(
    fs: FSAt,
    channel: &mut Form,
    handle: i64,
    pos: &mut i64,
    len: i64,
    data: &[u8],
) -> Result<i64, Failure> {
    fs.write(channel, handle, pos, len, data)
}

#[inline(never)]
fn stub_get_direntries<'c>(
    fs: FSAt,
    channel: &'c mut Form,
    handle: i64,
    pos: &mut i64,
    count: i64,
) -> Result<(i64, &'c [u8]), Failure> {
    fs.get_direntries(channel, handle, pos, count)
}

/// Calls what is no operation, whose number no compiler knows: so none takes those of the stubs for all that there are.
fn is_refused(fs: FSAt, to: &mut Jump) {
    let (target, op) = (black_box(fs.0.0), black_box(9));
    assert!(Jump::few_in_line(target, to, op).is_err());
    assert!(Jump::sent_in_line(target, to, op, black_box(&[])).is_err());
    assert!(Jump::replied_in_line(target, to, op).is_err());
}

/// Makes the calls that the arguments say through the channel that `form` makes.
pub(crate) fn drive(form: impl FnOnce(Jump) -> Form) {
    let mut args = std::env::args().skip(1);
    let operation = args.next().unwrap_or_default();
    let calls: i64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut session = Session::new(Caller::local());
    let fs = black_box(session.add(FSAt::serve(User::new())).unwrap());
    let mut jump = Jump(session);
    is_refused(fs, &mut jump);
    let mut channel = Box::new(form(jump));
    let directory = directory();
    let mut data = vec![0; WRITE_BYTES];
    data[0] = 1;
    data[WRITE_BYTES - 1] = 2;
    let start = Instant::now();
    for i in 0..calls {
        let channel = black_box(&mut *channel);
        match operation.as_str() {
            "open" => {
                let opened = stub_open(fs, channel, i, black_box(2), black_box(3), black_box(4));
                assert_eq!(opened.unwrap(), (4, i + 6));
            }
            "write" => {
                let mut pos = i;
                let written = stub_write(fs, channel, i, &mut pos, black_box(7), black_box(&data));
                assert_eq!((written.unwrap(), pos), (i + 7 + 1 + 2 + 1, i + WRITE_BYTES as i64));
            }
            _ => {
                let mut pos = i;
                let (result, found) = stub_get_direntries(fs, channel, i, &mut pos, black_box(5)).unwrap();
                assert_eq!((result, found.len()), (i + 1, DIRECTORY_BYTES));
                assert_eq!(found[..16], directory[..16]);
                assert_eq!(pos, i + 5);
            }
        }
    }
    println!("{:.2}", start.elapsed().as_nanos() as f64 / calls as f64);
}
