//! Plain sessions: generated stubs through each of their channels, against peers that lie, and with C at the other end.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};

use carnet_portal::call::{Caller, Failure, Kind};
use carnet_portal::plain::{
    Carry, Channel, Copied, Framed, InMemory, Line, Number, One, PIECE_BYTES_MAX, Session, Two,
};
use carnet_portal::stub::{BytesOut, CallError, PortalIn, Served};
use carnet_portal::wire::{Reply, Request, kind};
use plain::*;
use proptest::prelude::*;

#[path = "support/in_c.rs"]
mod in_c;

mod plain {
    include!("../../idl/tests/cases/modules/plain.rs");
}

/// Answers as `c/plain.c` does.
struct User;

impl BaseService for User {
    fn twice(&self, _: &Caller, a: i32) -> Result<i32, Failure> {
        Ok(a.wrapping_mul(2))
    }

    fn nothing(&self, _: &Caller) -> Result<(), Failure> {
        Ok(())
    }
}

impl FSService for User {
    fn open(
        &self,
        caller: &Caller,
        client: i64,
        fobj: i64,
        flags: i64,
        mode: i64,
    ) -> Result<(i64, i64), Failure> {
        assert_eq!(&*caller.principal, "local");
        assert_ne!(mode, -1, "as the test wants it");
        Ok((flags.wrapping_add(1), client.wrapping_add(fobj).wrapping_add(mode)))
    }

    fn write(&self, _: &Caller, handle: i64, pos: &mut i64, len: i64, data: &[u8]) -> Result<i64, Failure> {
        assert!(data.len() <= 65536);
        *pos = pos.wrapping_add(data.len() as i64);
        let ends = [data.first(), data.last()].map(|byte| i64::from(*byte.unwrap_or(&0)));
        Ok(handle.wrapping_add(len).wrapping_add(ends[0] + ends[1]))
    }

    fn get_direntries(
        &self,
        _: &Caller,
        handle: i64,
        pos: &mut i64,
        count: i64,
        data: &mut BytesOut<'_>,
    ) -> Result<i64, Failure> {
        *pos = pos.wrapping_add(count);
        assert!(data.extend(&std::array::from_fn::<u8, 1024, _>(|at| at as u8)));
        Ok(handle.wrapping_add(1))
    }

    fn mix(&self, _: &Caller, a: Color, b: bool) -> Result<(Color, u8), Refused> {
        if !b {
            return Err(Refused::new(Reason::Closed, "no mixing"));
        }
        Ok((if a == Color::Red { Color::DarkGreen } else { Color::Red }, 1))
    }

    fn wide(&self, _: &Caller, a: u64, b: f64) -> Result<u64, Failure> {
        assert!(i64::try_from(a).is_ok());
        Ok(if b < 1.0 { a } else { 0 })
    }

    fn name(&self, _: &Caller, at: i16, result: &mut BytesOut<'_>) -> Result<(), Failure> {
        let text = if at < 0 { &b"nul\0"[..] } else { b"sixteen letters!" };
        let _ = result.extend(&text[..text.len().min(usize::from(at.unsigned_abs()))]);
        Ok(())
    }

    fn rename(&self, _: &Caller, to: &[u8]) -> Result<bool, Failure> {
        assert!(to.len() <= 16 && !to.contains(&0));
        Ok(!to.is_empty())
    }

    fn put(&self, _: &Caller, data: &[u8]) -> Result<(), Refused> {
        if data.len() > 7 { Err(Refused::new(Reason::Closed, "full")) } else { Ok(()) }
    }

    fn get(&self, _: &Caller, channel_: &mut BytesOut<'_>) -> Result<(), Failure> {
        channel_.space(100).fill(7);
        Ok(())
    }

    fn same(&self, _: &Caller, _: PortalIn<'_, FS>) -> Result<Served<FS>, Failure> {
        Err(Failure::service("not called"))
    }

    fn turn(&self, _: &Caller, _: &[u8], _: &mut BytesOut<'_>) -> Result<(), Failure> {
        Err(Failure::service("not called"))
    }

    fn three(&self, _: &Caller, _: i32) -> Result<(i32, i32, i32), Failure> {
        Err(Failure::service("not called"))
    }
}

fn session() -> (Session, FSAt) {
    let mut session = Session::new(Caller::local());
    let fs = session.add(FSAt::serve(User)).unwrap();
    assert_eq!(fs, FSAt(Number(1)));
    (session, fs)
}

/// A loop in one line, at the other end of a channel.
fn framed(mut session: Session) -> Framed<impl FnMut(&mut Vec<u8>) -> Result<(), Failure>> {
    Framed::new(move |frame: &mut Vec<u8>| {
        let request = std::mem::take(frame);
        session.answer(&request, frame)
    })
}

#[test]
fn in_registers() {
    let (mut session, fs) = session();
    exercise(fs, &mut session);
    panics(fs, &mut session);
}

#[test]
fn in_memory() {
    let (session, fs) = session();
    let mut channel = InMemory(session);
    exercise(fs, &mut channel);
    panics(fs, &mut channel);
}

#[test]
fn copied() {
    let (session, fs) = session();
    let mut channel = Copied(session);
    exercise(fs, &mut channel);
    panics(fs, &mut channel);
    let mut pos = 0;
    let too_long = vec![0; PIECE_BYTES_MAX + 1];
    assert_eq!(fs.write(&mut channel, 1, &mut pos, 1, &too_long).unwrap_err().kind(), Kind::Refused);
}

#[test]
fn in_frames() {
    let (session, fs) = session();
    let mut channel = framed(session);
    exercise(fs, &mut channel);
    panics(fs, &mut channel);
}

fn exercise(fs: FSAt, channel: &mut impl Channel) {
    what_c_serves_too(fs, channel);
    assert_eq!(fs.open(channel, i64::MIN, 0, i64::MAX, 0).unwrap(), (i64::MIN, i64::MIN));
    assert!(!fs.rename(channel, b"").unwrap());
    assert_eq!(fs.get(channel).unwrap(), [7; 8]);
    let failures = [
        fs.wide(channel, 1 << 63, 0.0).unwrap_err(),
        fs.rename(channel, b"seventeen letters").unwrap_err(),
        fs.rename(channel, b"nul\0").unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.kind(), Kind::BadArgument, "{failure}");
    }
    assert_eq!(fs.name(channel, -4).unwrap_err().kind(), Kind::Service);
    for number in [0, 2, 257, 1 << 16 | 1, u32::MAX] {
        let failure = BaseAt(Number(number)).twice(channel, 1).unwrap_err();
        assert_eq!(failure.kind(), Kind::NoSuchPortal, "{number}: {failure}");
    }
}

fn panics(fs: FSAt, channel: &mut impl Channel) {
    let failure = fs.open(channel, 0, 0, 0, -1).unwrap_err();
    assert_eq!(failure.kind(), Kind::Internal, "{failure}");
    assert_eq!(fs.open(channel, 1, 2, 3, 4).unwrap(), (4, 7), "it goes on");
}

#[test]
fn a_number_that_was_given_up_names_nothing() {
    let (mut session, fs) = session();
    let second = session.add(FSAt::serve(User)).unwrap();
    assert_eq!(second.0, Number(2));
    assert!(session.remove(fs) && !session.remove(fs));
    assert_eq!(fs.open(&mut session, 1, 2, 3, 4).unwrap_err().kind(), Kind::NoSuchPortal);
    let third = session.add(FSAt::serve(User)).unwrap();
    assert_eq!(third.0, Number(1 << 16 | 1));
    assert_eq!(third.open(&mut session, 1, 2, 3, 4).unwrap(), (4, 7));
    assert_eq!(fs.open(&mut session, 1, 2, 3, 4).unwrap_err().kind(), Kind::NoSuchPortal);
}

#[test]
fn a_table_is_full_when_it_is() {
    let mut session = Session::<4>::of_size(Caller::local());
    let all = [(); 4].map(|()| session.add(FSAt::serve(User)).map(|fs| fs.0.0));
    assert_eq!(all[..3].iter().flatten().collect::<Vec<_>>(), [&1, &2, &3]);
    assert_eq!(all[3].as_ref().unwrap_err().kind(), Kind::Refused);
}

/// An index whose generations are used up is not used again: no old number ever names a newer object.
#[test]
fn a_number_is_given_once() {
    let mut session = Session::<2>::of_size(Caller::local());
    let first = session.add(FSAt::serve(User)).unwrap();
    let mut last = first.0;
    for _ in 1..1 << 16 {
        assert!(session.remove(last));
        let next = session.add(FSAt::serve(User)).unwrap();
        assert_ne!(next.0, first.0);
        last = next.0;
    }
    assert!(session.remove(last) && !session.remove(last));
    assert_eq!(session.add(FSAt::serve(User)).unwrap_err().kind(), Kind::Refused);
    assert!(!session.remove(first.0));
}

/// Behind an answer that is missing nothing is sent: the answers of other calls could be taken for those of the next.
#[test]
fn a_missing_answer_ends_the_channel() {
    let (mut session, fs) = session();
    let mut sent = 0;
    let mut framed = Framed::new(|frame: &mut Vec<u8>| {
        sent += 1;
        let request = std::mem::take(frame);
        session.answer(&request, frame)?;
        if sent == 1 { Err(Failure::new(Kind::TimedOut, "no answer came")) } else { Ok(()) }
    });
    assert_eq!(fs.open(&mut framed, 1, 2, 3, 4).unwrap_err().kind(), Kind::TimedOut);
    assert_eq!(fs.open(&mut framed, 1, 2, 3, 4).unwrap_err().kind(), Kind::Unreachable);
    drop(framed);
    assert_eq!(sent, 1);
}

/// Hands on what it is given, and says nothing of integers of 32 bits; what a call without data answers is more by this.
struct Counting(Session, i64);

impl Carry for Counting {
    fn line(&self) -> &Line {
        self.0.line()
    }

    fn line_mut(&mut self) -> &mut Line {
        self.0.line_mut()
    }

    fn few(target: u32, to: &mut Counting, w0: u64, w1: u64, w2: u64, w3: u64) -> Two {
        let (first, second) = Session::few(target, &mut to.0, w0, w1, w2, w3)?;
        Ok((first + to.1, second))
    }

    fn few_in_line(target: u32, to: &mut Counting, op: u32) -> Two {
        Session::few_in_line(target, &mut to.0, op)
    }

    fn sent(target: u32, to: &mut Counting, w0: u64, place: &mut i64, w1: u64, piece: &[u8]) -> One {
        Session::sent(target, &mut to.0, w0, place, w1, piece)
    }

    fn sent_in_line(target: u32, to: &mut Counting, op: u32, piece: &[u8]) -> One {
        Session::sent_in_line(target, &mut to.0, op, piece)
    }

    fn sent_copied(to: &mut Counting) -> One {
        Session::sent_copied(&mut to.0)
    }

    fn replied(target: u32, to: &mut Counting, w0: u64, place: &mut i64, w1: u64) -> One {
        Session::replied(target, &mut to.0, w0, place, w1)
    }

    fn replied_in_line(target: u32, to: &mut Counting, op: u32) -> One {
        Session::replied_in_line(target, &mut to.0, op)
    }
}

#[test]
fn integers_of_32_bits_are_the_same_in_registers_as_in_words() {
    for a in [0, 1, -1, i32::MAX, i32::MIN] {
        let twice = a.wrapping_mul(2);
        let (mut session, fs) = session();
        assert_eq!(fs.to_base().twice(&mut session, a).unwrap(), twice);
        let (session, fs) = self::session();
        assert_eq!(fs.to_base().twice(&mut InMemory(session), a).unwrap(), twice);
        let (session, fs) = self::session();
        assert_eq!(fs.to_base().twice(&mut Copied(session), a).unwrap(), twice);
        let (session, fs) = self::session();
        assert_eq!(fs.to_base().twice(&mut Counting(session, 0), a).unwrap(), twice);
    }
    // What somebody between made of a result is held against its type.
    let (session, fs) = session();
    let wide = fs.to_base().twice(&mut Counting(session, 1 << 31), 1).unwrap_err();
    assert_eq!(wide.kind(), Kind::Protocol);
    let (session, fs) = self::session();
    assert_eq!(fs.to_base().twice(&mut Counting(session, 1 << 31), -1).unwrap(), i32::MAX - 1);
}

#[test]
fn a_call_in_registers_of_32_bits_is_of_such_an_operation() {
    let (mut session, fs) = session();
    let mut called = |target, op| {
        Channel::call_narrow::<FS, 1>(target, &mut session, op, [7]).map_err(|failure| failure.kind())
    };
    assert_eq!(called(1, 0), Ok((14, 0)));
    assert_eq!(called(1, 2), Err(Kind::BadArgument), "its words have 64 bits");
    assert_eq!(called(1, 3), Err(Kind::BadArgument), "it is sent data");
    assert_eq!(called(1, 14), Err(Kind::NoSuchOperation));
    assert_eq!(called(1, u32::MAX), Err(Kind::NoSuchOperation));
    assert_eq!(called(2, 0), Err(Kind::NoSuchPortal));
    assert!(session.remove(fs));
    assert_eq!(fs.to_base().twice(&mut session, 7).unwrap_err().kind(), Kind::NoSuchPortal);
}

#[test]
fn numbers_of_other_operations_are_refused() {
    let (mut session, _) = session();
    for op in [3, 4, 11, 12, 13, 14, u32::MAX] {
        let kinds = [
            Session::few_in_line(1, &mut session, op).unwrap_err().kind(),
            if op == 3 {
                Kind::BadArgument
            } else {
                Session::sent_in_line(1, &mut session, op, &[]).unwrap_err().kind()
            },
            if op == 4 {
                Kind::BadArgument
            } else {
                Session::replied_in_line(1, &mut session, op).unwrap_err().kind()
            },
        ];
        let expected = if op < 14 { Kind::BadArgument } else { Kind::NoSuchOperation };
        assert_eq!(kinds, [expected; 3], "operation {op}");
    }
}

/// The kind of a reply's failure; `None` if it is none.
fn status(reply: &[u8]) -> Option<Kind> {
    let header = Reply::decode(reply).expect("a reply");
    assert_eq!((header.len as usize, header.kind, header.portals), (reply.len(), kind::REPLY, 0));
    (header.status != 0).then(|| Kind::from_number(header.status).expect("a kind"))
}

fn frame(op: u16, target: u32, words: &[u64], data: &[u8]) -> Vec<u8> {
    let len = (16 + words.len() * 8 + data.len()) as u32;
    let mut frame = Request { len, kind: kind::CALL, portals: 0, op, target, call: 9 }.encode().to_vec();
    words.iter().for_each(|word| frame.extend_from_slice(&word.to_le_bytes()));
    frame.extend_from_slice(data);
    frame
}

#[test]
fn bad_frames_are_their_callers_fault() {
    let (mut session, _) = session();
    let mut reply = Vec::new();
    let mut found = |frame: Vec<u8>| session.answer(&frame, &mut reply).map(|()| status(&reply));
    let at = |offset: u64, len: u64| offset << 24 | len;
    let refused = [
        (frame(3, 1, &[1, 2, at(0, 3), 4], b"ab"), Kind::BadArgument),
        (frame(3, 1, &[1, 2, at(3, 0), 4], b"ab"), Kind::BadArgument),
        (frame(3, 1, &[1, 2, at((1 << 28) - 1, (1 << 24) - 1), 4], b"ab"), Kind::BadArgument),
        (frame(3, 1, &[1, 2, 1 << 52, 4], b"ab"), Kind::BadArgument),
        (frame(3, 1, &[1, 2, u64::MAX, 4], b"ab"), Kind::BadArgument),
        (frame(3, 1, &[1, 2, at(0, 2)], b""), Kind::BadArgument),
        (frame(3, 1, &[1, 2, at(0, 65537), 4], &[0; 65537]), Kind::BadArgument),
        (frame(2, 1, &[1, 2, 3], b""), Kind::BadArgument),
        (frame(0, 1, &[1 << 31], b""), Kind::BadArgument),
        (frame(5, 1, &[2, 0], b""), Kind::BadArgument),
        (frame(5, 1, &[0, 2], b""), Kind::BadArgument),
        (frame(6, 1, &[1 << 63, 0], b""), Kind::BadArgument),
        (frame(7, 1, &[1 << 15], b""), Kind::BadArgument),
        (frame(8, 1, &[at(0, 2)], b"a\0"), Kind::BadArgument),
        (frame(11, 1, &[0], b""), Kind::Refused),
        (frame(12, 1, &[0], b""), Kind::Refused),
        (frame(13, 1, &[0], b""), Kind::BadArgument),
        (frame(14, 1, &[0], b""), Kind::NoSuchOperation),
        (frame(u16::MAX, 1, &[0], b""), Kind::NoSuchOperation),
        (frame(0, 2, &[0], b""), Kind::NoSuchPortal),
        (frame(0, 0, &[0], b""), Kind::NoSuchPortal),
    ];
    for (number, (frame, expected)) in refused.into_iter().enumerate() {
        assert_eq!(found(frame).unwrap(), Some(expected), "frame {number}");
    }
    let good = frame(3, 1, &[1, 2, at(0, 2), 4], b"ab");
    assert_eq!(found(good.clone()).unwrap(), None);
    let mut longer = good.clone();
    longer.push(0);
    let mut another = good.clone();
    another[4] = kind::RELEASE;
    for no_call in [good[..good.len() - 1].to_vec(), longer, another, good[..15].to_vec(), vec![]] {
        assert_eq!(found(no_call).unwrap_err().kind(), Kind::Protocol);
    }
    let mut portals = good;
    portals[5] = 1;
    assert_eq!(found(portals).unwrap(), Some(Kind::BadArgument));
}

/// A word: one that means something often, or any.
fn word() -> impl Strategy<Value = u64> {
    prop_oneof![0..20_u64, any::<u64>(), (0..40_u64, 0..40_u64).prop_map(|(at, len)| at << 24 | len)]
}

proptest! {
    /// Whatever comes is answered, or is no call; the service sees arguments of their types, which it asserts: a panic
    /// would be an internal failure.
    #[test]
    fn whatever_comes_is_answered(
        op in prop_oneof![0..15_u16, any::<u16>()],
        target in prop_oneof![Just(1_u32), 0..4_u32, any::<u32>()],
        words in proptest::collection::vec(word(), 0..8),
        data in proptest::collection::vec(any::<u8>(), 0..64),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut frame = frame(op, target, &words, &data);
        for (at, byte) in changes {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        if let Some(cut) = cut {
            frame.truncate(cut.index(frame.len()));
        }
        let (mut session, fs) = session();
        let mut reply = Vec::new();
        match session.answer(&frame, &mut reply) {
            Ok(()) => prop_assert!(!matches!(status(&reply), Some(Kind::Internal | Kind::Protocol))
                || frame[6] == 2 && frame.len() >= 48),
            Err(failure) => prop_assert_eq!(failure.kind(), Kind::Protocol),
        }
        prop_assert_eq!(fs.open(&mut session, 1, 2, 3, 4).unwrap(), (4, 7));
    }

    /// Whatever a line holds when an operation is called on it, it is called with arguments of their types or not at all.
    #[test]
    fn whatever_a_line_holds_is_checked(op in 0..15_u32, words in any::<[u64; 6]>(), piece in proptest::collection::vec(any::<u8>(), 0..20)) {
        let (mut session, _) = session();
        for way in 0..3 {
            *session.line_mut().words() = words;
            let failure = match way {
                0 => Session::few_in_line(1, &mut session, op).err(),
                1 => Session::sent_in_line(1, &mut session, op, &piece).err(),
                _ => Session::replied_in_line(1, &mut session, op).err(),
            };
            let kind = failure.map(|failure| failure.kind());
            let is_wanted = op == 2 && words[3] == u64::MAX;
            prop_assert!(kind != Some(Kind::Internal) || is_wanted);
        }
    }

    /// Whatever a peer answers, the caller is told that it is none, or gets values of their types.
    #[test]
    fn whatever_is_answered_is_checked(
        status in prop_oneof![Just(0_u16), 0..14_u16, any::<u16>()],
        words in proptest::collection::vec(word(), 0..6),
        data in proptest::collection::vec(any::<u8>(), 0..64),
        raised in any::<u16>(),
        portals in prop_oneof![4 => Just(0_u8), 1 => any::<u8>()],
        strange in proptest::option::of(0..8_u32),
    ) {
        let mut made = 0;
        let mut channel = Framed::new(|frame: &mut Vec<u8>| {
            let asked = Request::decode(frame).expect("a request");
            assert_eq!(asked.len as usize, frame.len());
            let len = (16 + words.len() * 8 + data.len()) as u32;
            // Behind an answer to another call nothing is sent any more.
            let call = asked.call + u32::from(strange == Some(made));
            made += 1;
            *frame = Reply { len, kind: kind::REPLY, portals, status, call, raised }.encode().to_vec();
            words.iter().for_each(|word| frame.extend_from_slice(&word.to_le_bytes()));
            frame.extend_from_slice(&data);
            Ok(())
        });
        let (fs, channel) = (FSAt(Number(1)), &mut channel);
        let mut pos = 5;
        let is_good = status == 0 && strange != Some(0) && portals == 0;
        prop_assert!(fs.open(channel, 1, 2, 3, 4).is_err() || is_good);
        prop_assert!(fs.write(channel, 1, &mut pos, 2, b"abc").is_ok() || pos == 5);
        let before = pos;
        let is_read = fs.get_direntries(channel, 1, &mut pos, 2).is_ok();
        prop_assert!(is_read || pos == before);
        if let Ok(name) = fs.name(channel, 1) {
            prop_assert!(name.len() <= 16 && !name.contains(&0));
        }
        if let Ok(wide) = fs.wide(channel, 1, 0.0) {
            prop_assert!(i64::try_from(wide).is_ok());
        }
        if let Err(CallError::Raised(_)) = fs.mix(channel, Color::Red, true) {
            prop_assert_eq!(status, Kind::Raised as u16);
        }
        let raised = fs.rename(channel, b"x");
        prop_assert!(raised.is_ok() || raised.unwrap_err().kind() != Kind::Raised);
    }
}

// ---- C at the other end ----

fn started(program: &std::path::Path, what: &str) -> Child {
    Command::new(program).arg(what).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The next frame of a pipe; `None` at its end.
fn next_frame(from: &mut impl std::io::Read) -> Option<Vec<u8>> {
    let mut frame = vec![0; 16];
    from.read_exact(&mut frame).ok()?;
    let len = u32::from_le_bytes(*frame.first_chunk().unwrap()) as usize;
    assert!((16..1 << 20).contains(&len));
    frame.resize(len, 0);
    from.read_exact(&mut frame[16..]).unwrap();
    Some(frame)
}

fn programs() -> Vec<std::path::PathBuf> {
    let text = include_str!("../../idl/tests/cases/modules/plain.idl");
    let text = text.split("//--- expected").next().unwrap();
    let module = carnet_idl::compile_str("plain.idl", text).unwrap();
    let gathered = in_c::built("plain_gathered", &module, &["plain"], &["-DCARNET_REGISTERS=0"]);
    let copied = in_c::built("plain_copied", &module, &["plain"], &["-DCARNET_COPY"]);
    let passed = in_c::built("plain_passed", &module, &["plain"], &[]);
    [gathered, copied, passed].concat()
}

/// Clients in C, whose messages the loop in Rust serves; and the Rust client, whose messages the loop in C serves.
#[test]
fn messages_are_those_of_c() {
    for program in programs() {
        let mut client = started(&program, "client");
        let (mut to, mut from) = (client.stdin.take().unwrap(), client.stdout.take().unwrap());
        let (mut session, mut reply) = (session().0, Vec::new());
        while let Some(frame) = next_frame(&mut from) {
            session.answer(&frame, &mut reply).unwrap();
            to.write_all(&reply).unwrap();
        }
        assert!(client.wait().unwrap().success(), "{}", program.display());

        let mut server = started(&program, "server");
        let (mut to, mut from) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
        let mut channel = Framed::new(|frame: &mut Vec<u8>| {
            to.write_all(frame).unwrap();
            *frame = next_frame(&mut from).unwrap();
            Ok(())
        });
        what_c_serves_too(FSAt(Number(1)), &mut channel);
        drop(channel);
        drop(to);
        assert!(server.wait().unwrap().success(), "{}", program.display());
    }
}

/// What services in Rust and in C have.
fn what_c_serves_too(fs: FSAt, channel: &mut impl Channel) {
    assert_eq!(fs.open(channel, 1, 2, 3, 4).unwrap(), (4, 7));
    let (mut pos, data) = (7, [&[1][..], &[0; 4094], &[2]].concat());
    assert_eq!(fs.write(channel, 5, &mut pos, 6, &data).unwrap(), 14);
    assert_eq!(pos, 7 + 4096);
    assert_eq!(fs.write(channel, 5, &mut pos, 6, &[]).unwrap(), 11);
    let (result, found) = fs.get_direntries(channel, 5, &mut pos, 6).unwrap();
    assert_eq!((result, found.len(), found[1023]), (6, 1024, 255));
    assert_eq!(pos, 7 + 4096 + 6);
    assert_eq!(fs.to_base().twice(channel, -21).unwrap(), -42);
    fs.to_base().nothing(channel).unwrap();
    assert_eq!(fs.mix(channel, Color::DarkGreen, true).unwrap(), (Color::Red, 1));
    let raised = fs.mix(channel, Color::Red, false).unwrap_err();
    assert_eq!(raised, CallError::Raised(Refused::new(Reason::Closed, "no mixing")));
    assert_eq!(fs.wide(channel, i64::MAX as u64, 0.5).unwrap(), i64::MAX as u64);
    assert_eq!(fs.name(channel, 7).unwrap(), b"sixteen");
    assert!(fs.rename(channel, b"a name").unwrap());
    fs.put(channel, &[0; 7]).unwrap();
    assert!(matches!(fs.put(channel, &[0; 8]), Err(CallError::Raised(_))));
    assert_eq!(fs.get(channel).unwrap().len(), 8);
    assert_eq!(BaseAt(Number(2)).twice(channel, 1).unwrap_err().kind(), Kind::NoSuchPortal);
}
