//! What carries a call of a plain session from the client's side to the server's: one jump, as in C. It is a function of its own, that
//! no compiler sees through.

use std::hint::black_box;

use carnet_portal::call::Caller;
use carnet_portal::plain::{Carry, Line, Narrow, One, Session, Two};

use crate::pfs::FSAt;
use crate::service::User;

/// The transport.
pub(crate) struct Jump(Session);

impl Jump {
    /// To a new object, and its number.
    pub(crate) fn to_new() -> (Jump, FSAt) {
        let mut session = Session::new(Caller::local());
        let fs = black_box(session.add(FSAt::serve(User::new())).unwrap());
        let mut jump = Jump(session);
        is_refused(fs, &mut jump);
        (jump, fs)
    }
}

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
    fn few_narrow(target: u32, to: &mut Jump, w0: i32, w1: i32, w2: i32, w3: i32) -> Narrow {
        Session::few_narrow(target, &mut to.0, w0, w1, w2, w3)
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

/// Calls what is no operation, whose number no compiler knows: so none takes those of the stubs for all that there are.
fn is_refused(fs: FSAt, to: &mut Jump) {
    let (target, op) = (black_box(fs.0.0), black_box(9));
    assert!(Jump::few_in_line(target, to, op).is_err());
    assert!(Jump::sent_in_line(target, to, op, black_box(&[])).is_err());
    assert!(Jump::replied_in_line(target, to, op).is_err());
}
