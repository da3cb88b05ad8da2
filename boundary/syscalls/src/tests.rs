//! What is refused before the kernel sees it, and what it answers. The process of the tests has descriptors of its own, so that
//! only calls without one are made here; the others are tested where a process has them to give away.

use rustix::io::Errno;

use super::{Arg, Descriptors, shape};

const NONE: Descriptors = Descriptors { below: 0 };

#[test]
fn a_call_that_is_not_offered_is_not_made() {
    // fork, execve, kill, mmap, ptrace, prctl; and beyond the table.
    for number in [57, 59, 62, 9, 101, 157, 1023] {
        assert!(shape(number).is_none());
        assert_eq!(NONE.call(number, &mut []), Err(Errno::NOSYS));
    }
}

#[test]
fn descriptors_of_others_are_not_touched() {
    assert_eq!(NONE.call(3, &mut [Arg::Number(0)]), Err(Errno::BADF));
    let five = Descriptors { below: 5 };
    for fd in [-1, 5, 6, i64::MAX, i64::MIN] {
        assert_eq!(five.call(3, &mut [Arg::Number(fd)]), Err(Errno::BADF), "{fd}");
    }
    let mut polls = [9, 0, 0, 0, 1, 0, 0, 0];
    let mut args = [Arg::Changed(&mut polls), Arg::Number(1), Arg::Number(0)];
    assert_eq!(five.call(7, &mut args), Err(Errno::FAULT));
}

#[test]
fn a_number_is_never_taken_for_an_address() {
    let number = || Arg::Number(0x1000);
    assert_eq!(NONE.call(79, &mut [number(), Arg::Number(8)]), Err(Errno::FAULT));
    assert_eq!(NONE.call(228, &mut [Arg::Number(0), number()]), Err(Errno::FAULT));
    assert_eq!(NONE.call(35, &mut [Arg::Bytes(&[0; 16]), number()]), Err(Errno::FAULT));
    assert_eq!(NONE.call(2, &mut [number(), Arg::Number(0), Arg::Number(0)]), Err(Errno::FAULT));
}

#[test]
fn no_size_is_larger_than_what_is_there() {
    let mut room = vec![7];
    for size in [9, -1, i64::MAX] {
        let mut args = [Arg::Room(&mut room, 8), Arg::Number(size), Arg::Number(0)];
        assert_eq!(NONE.call(318, &mut args), Err(Errno::FAULT));
    }
    assert_eq!(room, [7], "nothing was done");
    assert_eq!(NONE.call(228, &mut [Arg::Number(0), Arg::Changed(&mut [0; 15])]), Err(Errno::FAULT));
    assert_eq!(NONE.call(35, &mut [Arg::Bytes(&[0; 15]), Arg::Number(0)]), Err(Errno::FAULT));
    let open = |text| NONE.call(2, &mut [Arg::Bytes(text), Arg::Number(0), Arg::Number(0)]);
    assert_eq!(open(b""), Err(Errno::FAULT), "no NUL");
    assert_eq!(open(b"/dev/null"), Err(Errno::FAULT), "no NUL");
}

#[test]
fn what_comes_back_is_what_the_kernel_wrote() {
    let mut room = vec![7];
    let mut args = [Arg::Room(&mut room, 8), Arg::Number(5), Arg::Number(0)];
    assert_eq!(NONE.call(318, &mut args), Ok(5));
    assert_eq!((room.len(), room[0]), (6, 7));
    let pid = NONE.call(39, &mut []).expect("it is offered");
    assert_eq!(pid, i64::from(std::process::id()));
    let mut args = [Arg::Bytes(b"/no/such/file\0"), Arg::Number(0), Arg::Number(0)];
    assert_eq!(NONE.call(2, &mut args), Err(Errno::NOENT));
}
