//! Memory that is handed over once: passed to many calls and sessions, mapped or read, held against limits, given back.

mod support;

use std::sync::Arc;

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::local::LocalSession;
use carnet_portal::memory::Memory;
use carnet_portal::portal::Portal;
use carnet_portal::stub::Interface;
use support::sums::generated::{CarnetMemory, Sums};
use support::sums::{client, counted, fixture, root, sum, with_root};
use support::{Carrier, Fixture, carrier, kind_of, until};

/// What fits into a message.
const LEN: usize = (3 << 19) + 5;

fn memory() -> Memory {
    Memory::of(&counted(LEN)).unwrap()
}

fn typed(portal: Portal) -> CarnetMemory {
    CarnetMemory::from_portal(portal)
}

/// All that can be done with a portal on [`memory`].
fn use_it(sums: &Sums, handed: &CarnetMemory) {
    for _ in 0..3 {
        assert_eq!(sums.sum(handed), Ok(sum(&counted(LEN))));
    }
    assert_eq!(handed.size(), Ok(LEN as i64));
    let all = counted(LEN);
    let read = |at: i64, count: i64| handed.read(at, count).unwrap();
    assert_eq!(read(0, 10), all[..10]);
    assert_eq!(read(7, i64::MAX), all[7..7 + (1 << 20)], "1 MiB at most");
    assert_eq!(read(LEN as i64 - 3, 100), all[LEN - 3..]);
    assert_eq!((read(LEN as i64, 1), read(i64::MAX, 1), read(5, 0)), (vec![], vec![], vec![]));
    assert_eq!(kind_of(handed.read(-1, 1)), Some(Kind::BadArgument));
    assert_eq!(kind_of(handed.read(0, -1)), Some(Kind::BadArgument));
    let mapped = Memory::map::<CarnetMemory>(handed.portal(), LEN).unwrap();
    assert!(*mapped == all[..]);
    let refused = Memory::map::<CarnetMemory>(handed.portal(), LEN - 1).unwrap_err();
    assert_eq!(refused.kind(), Kind::Refused);
    let text = format!("memory of {LEN} bytes, where at most {} are wanted", LEN - 1);
    assert_eq!(refused.details().message, text);
}

#[test]
fn handed_over_once_it_is_passed_to_many_calls() {
    let fixture = fixture(|_| {});
    let (session, sums) = client(&fixture);
    let mut draft = Memory::draft(LEN).unwrap();
    draft.copy_from_slice(&counted(LEN));
    for memory in [memory(), Memory::seal(draft).unwrap()] {
        let handed = typed(session.hand_over(&memory).unwrap());
        // The server needs nothing of the client's any more.
        drop(memory);
        use_it(&sums, &handed);
    }
}

#[test]
fn within_a_process_nothing_is_copied() {
    let session = LocalSession::new(root().0, Caller::local());
    let memory = memory();
    let handed = typed(session.hand_over(&memory).unwrap());
    use_it(&Sums::from_portal(session.root()), &handed);
    assert_eq!(Memory::map::<CarnetMemory>(handed.portal(), LEN).unwrap().as_ptr(), memory.as_ptr());
}

#[test]
fn two_sessions_are_given_the_same_memory() {
    let fixture = fixture(|_| {});
    let memory = memory();
    let (one, other) = (client(&fixture), client(&fixture));
    let handed = [&one, &other].map(|(session, _)| typed(session.hand_over(&memory).unwrap()));
    assert_eq!(one.1.sum(&handed[0]), Ok(sum(&memory)));
    assert_eq!(other.1.sum(&handed[1]), Ok(sum(&memory)));
    assert_eq!(kind_of(one.1.sum(&handed[1])), Some(Kind::BadArgument), "a portal of another session");
    // What came from somebody is handed on: here to the service itself, which gives it back.
    one.1.keep(&handed[0]).unwrap();
    let kept = Memory::map::<CarnetMemory>(other.1.kept().unwrap().portal(), LEN).unwrap();
    let again = typed(other.0.hand_over(&kept).unwrap());
    assert_eq!(other.1.sum(&again), Ok(sum(&memory)));
}

#[test]
fn memory_of_a_service_is_mapped_or_read_by_calls() {
    let fixture = fixture(|_| {});
    let (_session, sums) = client(&fixture);
    for len in [1, 4096, (5 << 20) + 3] {
        let theirs = sums.counted(len as i64).unwrap();
        assert_eq!(sums.sum(&theirs), Ok(sum(&counted(len))));
        for _ in 0..2 {
            let mapped = Memory::map::<CarnetMemory>(theirs.portal(), len).unwrap();
            assert!(*mapped == counted(len)[..]);
        }
        assert_eq!(
            kind_of(Memory::map::<CarnetMemory>(theirs.portal(), len - 1)),
            Some(Kind::Refused),
            "{len}"
        );
    }
    let other = Memory::map::<Sums>(sums.portal(), 1).unwrap_err();
    assert_eq!(other.details().message, "sums.Sums is not carnet::Memory");
}

#[test]
fn threads_do_not_get_each_others_memory() {
    let fixture = fixture(|_| {});
    let (session, sums) = client(&fixture);
    std::thread::scope(|scope| {
        for thread in 1..5_u8 {
            let (session, sums) = (&session, &sums);
            scope.spawn(move || {
                for round in 0..30 {
                    let len = usize::from(thread) * 1000 + round;
                    let handed = session.hand_over(&Memory::of(&vec![thread; len]).unwrap()).unwrap();
                    assert_eq!(sums.sum(&typed(handed)), Ok(u64::from(thread) * len as u64));
                    let theirs = sums.counted(len as i64).unwrap();
                    assert!(*Memory::map::<CarnetMemory>(theirs.portal(), len).unwrap() == counted(len)[..]);
                }
            });
        }
    });
}

fn refused(result: Result<Portal, Failure>, text: &str) {
    let failure = result.unwrap_err();
    assert_eq!((failure.kind(), &failure.details().message[..]), (Kind::Refused, text));
}

#[test]
fn what_is_handed_over_is_bounded_for_each_session_and_for_all() {
    // Half of all, or three quarters where processes are not told apart.
    let (whose, all_max) = match carrier() {
        Carrier::Unix | Carrier::Shared => ("process", 384 << 10),
        Carrier::Tls => ("principal", 256 << 10),
    };
    let (root, kept) = root();
    let fixture = with_root(
        |limits| (limits.memory_session_bytes_max, limits.memory_bytes_max) = (128 << 10, all_max),
        root,
    );
    let small = Memory::of(b"counts as 64 KiB").unwrap();
    let (one, sums) = client(&fixture);
    let first = one.hand_over(&small).unwrap();
    refused(
        one.hand_over(&Memory::of(&[1; (64 << 10) + 1]).unwrap()),
        "65537 bytes more than a session may hand over: 131072 at the same time",
    );
    let second = one.hand_over(&small).unwrap();
    refused(one.hand_over(&small), "16 bytes more than a session may hand over: 131072 at the same time");
    let (other, _) = client(&fixture);
    let third = other.hand_over(&small).unwrap();
    let all =
        format!("16 bytes more than the sessions of one {whose} may hand over: 196608 at the same time");
    refused(other.hand_over(&small), &all);
    // What was refused took nothing; what is released is there again.
    drop(first);
    // Behind the release, in its own session.
    sums.sum(&typed(second.clone())).unwrap();
    let first = other.hand_over(&small).unwrap();
    // What the service keeps counts, whoever has ended.
    sums.keep(&typed(second)).unwrap();
    drop((one, sums));
    until("the session has ended", || fixture.sessions() == 1);
    refused(other.hand_over(&small), "16 bytes more than a session may hand over: 131072 at the same time");
    drop((first, third));
    let again = [other.hand_over(&small).unwrap(), other.hand_over(&small).unwrap()];
    refused(client(&fixture).0.hand_over(&small), &all);
    drop(kept.lock().unwrap().take());
    client(&fixture).0.hand_over(&small).unwrap();
    drop(again);
}

#[test]
fn a_service_that_takes_no_memory_says_so() {
    let fixture = Fixture::plain();
    let text = "nothing of boxes takes memory: its interface file does not use carnet::Memory of \
                \"carnet/memory.idl\"";
    let session = fixture.connect();
    refused(session.hand_over(&memory()), text);
    assert_eq!(fixture.client().add(1, 2), Ok(3));
    assert_eq!(support::BoxClient(session.root()).add(1, 2), Ok(3), "the session goes on");
    let local =
        LocalSession::new(carnet_portal::capability::Capability::new(fixture.world.root()), Caller::local());
    refused(local.hand_over(&memory()), text);
    // And one that gives none is asked by calls, which it does not have.
    let asked = Memory::map::<CarnetMemory>(&session.root(), 10);
    assert_eq!(kind_of(asked), Some(Kind::Refused), "another module than its own");
}

#[test]
fn a_message_has_room_for_so_much() {
    let fixture = fixture(|_| {});
    let (session, sums) = client(&fixture);
    let large = Memory::of(&counted(3 << 20)).unwrap();
    let handed = session.hand_over(&large);
    if carrier() == Carrier::Shared {
        assert_eq!(sums.sum(&typed(handed.unwrap())), Ok(sum(&large)));
        return;
    }
    let failure = handed.unwrap_err();
    assert_eq!(failure.kind(), Kind::BadArgument);
    assert!(failure.details().message.starts_with("memory of 3145728 bytes: over a socket"), "{failure:?}");
    assert_eq!(sums.sum(&typed(session.hand_over(&memory()).unwrap())), Ok(sum(&counted(LEN))));
}

#[test]
fn it_is_revoked_with_the_root() {
    let (root, _) = root();
    let grant = root.grant().clone();
    let fixture = with_root(|_| {}, root);
    let (session, sums) = client(&fixture);
    let handed = typed(session.hand_over(&memory()).unwrap());
    let theirs = sums.counted(10).unwrap();
    grant.revoke();
    assert_eq!(kind_of(handed.size()), Some(Kind::Revoked));
    assert_eq!(kind_of(Memory::map::<CarnetMemory>(theirs.portal(), 10)), Some(Kind::Revoked));
}

#[test]
fn memory_has_at_least_one_byte() {
    assert_eq!(kind_of(Memory::of(b"")), Some(Kind::BadArgument));
    assert_eq!(kind_of(Memory::draft(0)), Some(Kind::BadArgument));
    let memory = Memory::of(b"x").unwrap();
    assert_eq!(kind_of(memory.serve::<Sums>()), Some(Kind::Service));
    let object = Arc::clone(memory.serve::<CarnetMemory>().unwrap().object());
    assert_eq!(object.interface().1, CarnetMemory::ID);
}
