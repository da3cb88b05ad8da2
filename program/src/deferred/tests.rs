use std::collections::{HashMap, HashSet};

use carnet_portal::call::{Failure, Kind};
use proptest::prelude::*;

use super::*;
use crate::client::Asked;
use crate::host::Programs;
use crate::protocol::{
    Argument, BillAnswer, Kept, Outcome, Receipt, Refusal, ResumeRequest, RunRequest, encode_arguments,
};
use crate::tree::Pos;

fn outcome(end: End) -> Outcome {
    Outcome {
        end,
        at: 0,
        pos: Pos::default(),
        call: None,
        result: None,
        calls: Vec::new(),
        receipt: Receipt::default(),
        dry: false,
        kept: None,
        cannot_go_on: None,
    }
}

/// The program that has this number, on its first attempt or a later one.
fn piece(number: u8, attempt: u8) -> Piece {
    Piece {
        id: RunId(u128::from(number) << 8 | u128::from(attempt)),
        name: format!("r-{number}-{attempt}"),
        title: format!("program {number}"),
        program: vec![number; 3],
        arguments: encode_arguments(&[Argument::Scalar(i64::from(number)), Argument::Named(b"/")]),
        may_write: true,
        approved: Some(Approved { bounds: [1, 2, 3, 4, 5], lines: vec![("Dir.remove".to_owned(), 1)] }),
    }
}

fn resolver(number: u8) -> Piece {
    Piece { id: RunId(u128::from(number) << 8 | 0xff), program: vec![number, 0xff], ..piece(number, 0) }
}

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room")
}

fn opened(dir: &Path) -> Deferred {
    Deferred::open(dir, Bounds::default()).expect("it is as it was left")
}

type Happens = Box<dyn Fn(&mut Deferred)>;

/// Everything that can happen to an entry, once; the bytes of the file after each that was acknowledged, with what was known.
fn life(dir: &Path) -> Vec<(Vec<u8>, Vec<Entry>)> {
    let mut deferred = opened(dir);
    let memory = Memory { server: 1, now: 2, forgotten: 3 };
    let mut states = vec![(std::fs::read(file_of(dir)).expect("it is there"), Vec::new())];
    let ids = [(RunId(77), "r-77".to_owned()), (RunId(78), "r-78".to_owned())];
    let steps: Vec<Happens> = vec![
        Box::new(|deferred| assert_eq!(deferred.add(piece(1, 0), None).expect("there is room"), 1)),
        Box::new(|deferred| {
            assert_eq!(deferred.add(piece(2, 0), Some(resolver(2))).expect("there is room"), 2);
        }),
        Box::new(move |deferred| {
            deferred.record(Record::Sent { number: 1, step: Step::Program, memory }).expect("it is written");
        }),
        Box::new(|deferred| {
            deferred.record(Record::NotBegun { number: 1, may_come: true }).expect("it is written")
        }),
        Box::new(|deferred| {
            let outcome = Box::new(outcome(End::Done));
            deferred
                .record(Record::Ended { number: 1, step: Step::Program, outcome })
                .expect("it is written");
        }),
        Box::new(|deferred| {
            let outcome = Box::new(outcome(End::Failed(b"changed meanwhile".to_vec())));
            deferred
                .record(Record::Ended { number: 2, step: Step::Program, outcome })
                .expect("it is written");
        }),
        Box::new(|deferred| {
            deferred.record(Record::Unknown { number: 2, step: Step::Resolver }).expect("it is written");
        }),
        Box::new(move |deferred| deferred.again(2, ids.clone()).expect("it is in doubt")),
        Box::new(|deferred| deferred.withdraw(2).expect("it is open")),
    ];
    for step in steps {
        step(&mut deferred);
        let bytes = std::fs::read(file_of(dir)).expect("it is there");
        states.push((bytes, deferred.entries().to_vec()));
    }
    states
}

/// What a directory with these bytes has.
fn read_back(bytes: &[u8]) -> Result<Vec<Entry>, DeferredError> {
    let dir = dir();
    std::fs::write(file_of(dir.path()), bytes).expect("there is room");
    Deferred::open(dir.path(), Bounds::default()).map(|deferred| deferred.entries().to_vec())
}

#[test]
fn what_happened_is_known_again() {
    let dir = dir();
    for (bytes, entries) in life(dir.path()) {
        assert_eq!(read_back(&bytes).expect("it is as it was left"), entries);
    }
}

/// Killed in the middle of a record, or before its mark.
#[test]
fn whoever_is_killed_while_writing_loses_nothing_that_was_acknowledged() {
    let dir = dir();
    let states = life(dir.path());
    for pair in states.windows(2) {
        let [(before, known), (after, next)] = pair else { unreachable!("they are two") };
        for len in before.len()..=after.len() {
            // Records come first, and the mark when they are on the disk.
            let mut bytes = before.clone();
            bytes.extend(&after[before.len()..len]);
            let found = read_back(&bytes).expect("nothing that counts is lost");
            assert_eq!(&found, if len == after.len() { next } else { known }, "{len} bytes");
        }
        // A mark of which a part was written.
        for at in 16..64 {
            let mut bytes = after.clone();
            bytes[at..64].copy_from_slice(&before[at..64]);
            assert_eq!(&read_back(&bytes).expect("one mark is whole"), next);
        }
    }
}

#[test]
fn a_file_that_was_cut_is_told_of_and_what_is_before_the_cut_can_be_had() {
    let dir = dir();
    let states = life(dir.path());
    let (whole, entries) = states.last().expect("there are some");
    for len in 0..whole.len() {
        let cut = tempfile::tempdir().expect("there is room");
        std::fs::write(file_of(cut.path()), &whole[..len]).expect("there is room");
        match Deferred::open(cut.path(), Bounds::default()) {
            Ok(_) => panic!("{len} bytes: the cut is not seen"),
            Err(DeferredError::Damaged { .. }) => {
                assert_eq!(std::fs::read(file_of(cut.path())).expect("it is there"), whole[..len]);
                let (mut deferred, wrong) =
                    Deferred::salvage(cut.path(), Bounds::default()).expect("a part of it is whole");
                assert!(wrong.is_some());
                let before = states.iter().rev().find(|(bytes, _)| bytes.len() <= len);
                let mut before = before.map_or(Vec::new(), |(_, entries)| entries.clone());
                // What is lost may say that it was delivered or withdrawn.
                for entry in before.iter_mut().filter(|entry| entry.is_open()) {
                    entry.told.is_salvaged = true;
                    entry.state = State::InDoubt;
                }
                assert_eq!(deferred.entries(), before, "{len} bytes");
                assert!(
                    std::fs::read(cut.path().join("deferred.damaged.1")).expect("put aside") == whole[..len]
                );
                let number = deferred.add(piece(9, 0), None).expect("it goes on");
                assert_eq!(deferred.entries().last().map(|entry| entry.number), Some(number));
                let entries = deferred.entries().to_vec();
                drop(deferred);
                let mut again = opened(cut.path());
                assert_eq!(again.entries(), entries);
                again.shorten(100).expect("there is room");
                drop(again);
                assert_eq!(opened(cut.path()).entries(), entries);
            }
            Err(other) => panic!("{len} bytes: {other}"),
        }
    }
    assert_eq!(entries.len(), 2);
}

#[test]
fn no_byte_can_be_changed_without_being_noticed() {
    let dir = dir();
    let states = life(dir.path());
    let (whole, entries) = states.last().expect("there are some");
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            match read_back(&bytes) {
                // The other mark says how much counts, or the records themselves.
                Ok(found) => assert_eq!(&found, entries, "byte {at}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// The last record, and the mark that counts it: together they must not look like a record that was never acknowledged.
#[test]
fn a_record_and_its_mark_cannot_both_be_changed_without_being_noticed() {
    let dir = dir();
    let states = life(dir.path());
    let [.., (before, _), (whole, _)] = &states[..] else { unreachable!("there are some") };
    let newest = (16..64).find(|at| before[*at] != whole[*at]).expect("a mark was written") / 40 * 24 + 16;
    for at_mark in newest..newest + 24 {
        for at in before.len()..whole.len() {
            let mut bytes = whole.clone();
            bytes[at_mark] ^= 1;
            bytes[at] ^= 1;
            assert!(matches!(read_back(&bytes), Err(DeferredError::Damaged { .. })), "{at_mark} and {at}");
        }
    }
}

/// Killed while a mark is written, and in the next record once more.
#[test]
fn a_mark_that_is_not_whole_is_mended_before_anything_is_added() {
    let dir = dir();
    let states = life(dir.path());
    for pair in states.windows(2) {
        let [(before, _), (after, known)] = pair else { unreachable!("they are two") };
        let changed = (16..64).find(|at| before[*at] != after[*at]).expect("a mark was written");
        let mut bytes = after.clone();
        bytes[changed] ^= 0x55;
        let torn = self::dir();
        std::fs::write(file_of(torn.path()), &bytes).expect("there is room");
        drop(opened(torn.path()));
        let mut bytes = std::fs::read(file_of(torn.path())).expect("it is there");
        bytes.extend([1, 2, 3]);
        assert_eq!(&read_back(&bytes).expect("nothing that counts is lost"), known);
    }
}

#[test]
fn whoever_is_killed_while_making_the_file_has_made_none() {
    let dir = dir();
    for len in 0..=64 {
        std::fs::write(dir.path().join("deferred.new"), vec![0; len]).expect("there is room");
        assert_eq!(opened(dir.path()).entries(), []);
        assert!(!dir.path().join("deferred.new").exists());
        std::fs::remove_file(file_of(dir.path())).expect("it was made");
    }
}

#[test]
fn a_directory_is_used_by_one_at_a_time() {
    let dir = dir();
    let first = opened(dir.path());
    assert!(matches!(Deferred::open(dir.path(), Bounds::default()), Err(DeferredError::InUse)));
    drop(first);
    opened(dir.path());
}

#[test]
fn there_is_no_more_than_there_may_be() {
    let dir = dir();
    let bounds = Bounds { pending_max: 3, bytes_max: 2_000, ended_max: 1, ended_bytes_max: 1_000 };
    let mut deferred = Deferred::open(dir.path(), bounds).expect("it is made");
    for number in 1..=3 {
        deferred.add(piece(number, 0), None).expect("there is room");
    }
    let full = deferred.add(piece(4, 0), None).expect_err("three are pending");
    assert_eq!(full.to_string(), "3 are pending, as many as may be");
    deferred.withdraw(1).expect("it is open");
    let large = Piece { program: vec![0; 2_000], ..piece(5, 0) };
    assert_eq!(
        deferred.add(large, None).expect_err("too large").to_string(),
        "what is deferred has 2.0 KiB at most"
    );
    // What is over is forgotten for what comes, but for the last one.
    for _ in 0..20 {
        let number = deferred.add(piece(6, 0), None).expect("there is room");
        deferred.withdraw(number).expect("it is open");
    }
    let numbers: Vec<u64> = deferred.entries().iter().map(|entry| entry.number).collect();
    assert!(numbers.starts_with(&[2, 3]) && numbers.len() < 12, "{numbers:?}");
    let entries = deferred.entries().to_vec();
    drop(deferred);
    let mut again = Deferred::open(dir.path(), bounds).expect("it is as it was left");
    assert_eq!(again.entries(), entries);
    assert_eq!(again.add(piece(7, 0), None).expect("there is room"), 24, "numbers are not used again");
}

/// Outcomes may be long: what was delivered never keeps out what comes.
#[test]
fn what_is_over_makes_room_for_what_comes() {
    let dir = dir();
    let bounds = Bounds { bytes_max: 300_000, ended_bytes_max: 100_000, ..Bounds::default() };
    let mut deferred = Deferred::open(dir.path(), bounds).expect("it is made");
    for n in 1..40 {
        let number = deferred.add(piece(n, 0), None).expect("there is room");
        let mut model = Model { result: vec![n; 1 << (10 + n % 8)], ..Model::default() };
        let ended = deferred.deliver(&mut model, &mut |_| {}).expect("it is written down");
        assert!(ended.held.is_none(), "{:?}", ended.held);
        let told = &deferred.entries().iter().find(|entry| entry.number == number).expect("just now").told;
        let result = told.program.as_ref().and_then(|outcome| outcome.result.as_ref());
        assert_eq!(result.is_some(), n % 8 <= 6, "what is too long is not kept");
    }
    let over = deferred.entries().len();
    assert!(over < 39, "{over} are remembered");
    let size = std::fs::metadata(file_of(dir.path())).expect("it is there").len();
    assert!(size < 300_000 + (1 << 17), "{size} bytes");
    deferred.add(Piece { program: vec![1; 250_000], ..piece(41, 0) }, None).expect("what is over makes room");
}

/// A server that says something else each time it is asked.
struct Liar(u32);

impl Way for Liar {
    fn memory(&mut self) -> Result<Memory, Failure> {
        Ok(Memory::default())
    }

    fn ask(&mut self, _: RunId) -> Result<Asked, Failure> {
        self.0 += 1;
        assert!(self.0 < 10, "it is asked without end");
        Ok(Asked::Ended(Box::new(Outcome { at: self.0, ..outcome(End::Cancelled) })))
    }

    fn bill(&mut self, _: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        Err(lost())
    }

    fn run(&mut self, _: &RunRequest<'_>) -> Result<Outcome, Failure> {
        Ok(outcome(End::Cancelled))
    }

    fn resume(&mut self, _: &ResumeRequest) -> Result<Outcome, Failure> {
        Ok(outcome(End::Cancelled))
    }
}

#[test]
fn no_server_can_hold_a_delivery_for_ever() {
    let dir = dir();
    let mut deferred = opened(dir.path());
    deferred.add(piece(1, 0), None).expect("there is room");
    for _ in 0..3 {
        let ended = deferred.deliver(&mut Liar(0), &mut |_| {}).expect("it is written down");
        assert!(matches!(ended.held, Some(Held::Stopped)), "{:?}", ended.held);
    }
}

/// A server that may lose the way before and behind a run, forget, and be another one.
#[derive(Default)]
struct Model {
    server: u64,
    begun: u64,
    forgotten: u64,
    /// Runs that it knows.
    known: HashMap<RunId, (u64, Outcome)>,
    /// All that it ran, in order.
    ran: Vec<RunId>,
    /// Runs that are under way: where nobody waits any more.
    running: HashMap<RunId, End>,
    /// A request that is on its way yet.
    late: Option<RunId>,
    /// Programs that find a conflict.
    conflicting: HashSet<Vec<u8>>,
    /// What programs return.
    result: Vec<u8>,
    /// What happens next, from the last on.
    faults: Vec<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// The request never comes.
    Before,
    /// The answer never comes.
    Behind,
    Forgets,
    /// It ends, with every connection, and another begins that knows nothing.
    Restarts,
    Refuses,
    Stops,
    /// The answer never comes, and it is running yet when it is asked for.
    Lasts,
    /// The answer never comes, since it is cancelled without the one who waits for it.
    Abandoned,
    /// As this, and the request comes late: when the server has answered the next question.
    Late,
}

impl Model {
    fn fault(&mut self) -> Fault {
        let fault = self.faults.pop().unwrap_or(Fault::None);
        match fault {
            Fault::Forgets => self.forget(),
            Fault::Restarts => {
                self.server += 1;
                (self.begun, self.forgotten) = (0, 0);
                self.known.clear();
                self.running.clear();
                self.late = None;
            }
            _ => {}
        }
        fault
    }

    /// It stops, since nobody waits for it, and is kept.
    fn abandon(&mut self, id: RunId) {
        self.begun += 1;
        let kept = Some(Kept {
            stop: 1,
            for_s: 60,
            portals: 0,
            in_doubt: crate::protocol::InDoubt::Leave,
            short_of: [None; 4],
        });
        self.known.insert(id, (self.begun, Outcome { kept, ..outcome(End::Cancelled) }));
    }

    fn forget(&mut self) {
        self.forgotten = self.begun;
        self.known.clear();
    }
}

fn lost() -> Failure {
    Failure::new(Kind::PeerDied, "nobody answers")
}

impl Way for Model {
    fn memory(&mut self) -> Result<Memory, Failure> {
        match self.fault() {
            Fault::Before | Fault::Behind | Fault::Restarts => Err(lost()),
            _ => Ok(Memory { server: self.server, now: self.begun, forgotten: self.forgotten }),
        }
    }

    fn ask(&mut self, id: RunId) -> Result<Asked, Failure> {
        match self.fault() {
            Fault::Before | Fault::Behind | Fault::Restarts => Err(lost()),
            _ if self.running.contains_key(&id) => Ok(Asked::Running),
            _ => {
                let known = self.known.get(&id);
                let said = known.map_or(Asked::Unknown, |(_, end)| Asked::Ended(Box::new(end.clone())));
                if let Some(late) = self.late.take() {
                    self.abandon(late);
                }
                Ok(said)
            }
        }
    }

    fn bill(&mut self, _: &RunRequest<'_>) -> Result<BillAnswer, Failure> {
        Err(lost())
    }

    fn run(&mut self, request: &RunRequest<'_>) -> Result<Outcome, Failure> {
        let fault = self.fault();
        if matches!(fault, Fault::Before | Fault::Restarts) {
            return Err(lost());
        }
        if let Some(end) = self.running.remove(&request.id) {
            self.known.insert(request.id, (self.begun, outcome(end)));
        }
        if let Some((_, outcome)) = self.known.get(&request.id) {
            return Ok(outcome.clone());
        }
        if fault == Fault::Refuses {
            return Ok(outcome(End::Refused(Refusal::Busy(1))));
        }
        let program = request.program.bytes().expect("it is whole").to_vec();
        let end = match fault {
            Fault::Stops => End::Cancelled,
            Fault::Abandoned | Fault::Late => {
                match fault {
                    Fault::Late => self.late = Some(request.id),
                    _ => self.abandon(request.id),
                }
                return Err(lost());
            }
            _ if self.conflicting.contains(&program) => End::Failed(b"changed".to_vec()),
            _ => End::Done,
        };
        self.begun += 1;
        self.ran.push(request.id);
        if fault == Fault::Lasts {
            self.running.insert(request.id, end);
            return Err(lost());
        }
        let ended = Outcome { result: Some(self.result.clone()), ..outcome(end) };
        self.known.insert(request.id, (self.begun, ended.clone()));
        if fault == Fault::Behind { Err(lost()) } else { Ok(ended) }
    }

    fn resume(&mut self, request: &ResumeRequest) -> Result<Outcome, Failure> {
        let fault = self.fault();
        if matches!(fault, Fault::Before | Fault::Restarts) {
            return Err(lost());
        }
        let Some((_, stopped)) = self.known.get_mut(&request.id) else {
            return Ok(outcome(End::Refused(Refusal::NotKept)));
        };
        if let Some(kept) = stopped.kept {
            assert_eq!(kept.stop, request.stop);
            *stopped = outcome(End::Done);
            self.ran.push(request.id);
        }
        if fault == Fault::Behind { Err(lost()) } else { Ok(stopped.clone()) }
    }
}

/// Five programs, each with a resolver.
fn with_five(dir: &Path) -> Deferred {
    let mut deferred = opened(dir);
    for number in 1..6 {
        deferred.add(piece(number, 0), Some(resolver(number))).expect("there is room");
    }
    deferred
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        4 => Just(Fault::None),
        2 => Just(Fault::Before),
        2 => Just(Fault::Behind),
        1 => Just(Fault::Forgets),
        1 => Just(Fault::Restarts),
        1 => Just(Fault::Refuses),
        1 => Just(Fault::Stops),
        2 => Just(Fault::Lasts),
        2 => Just(Fault::Abandoned),
        2 => Just(Fault::Late),
    ]
}

proptest! {
    // Each writes to the disk, and waits for it, some hundred times.
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever the way and the server do, and wherever the client is killed.
    #[test]
    fn each_is_delivered_once_and_in_order(
        faults in prop::collection::vec(fault(), 0..60),
        conflicting in prop::collection::hash_set(1_u8..6, 0..4),
        unsolved in prop::collection::hash_set(1_u8..6, 0..2),
    ) {
        let dir = dir();
        let mut deferred = with_five(dir.path());
        let mut model = Model { faults, ..Model::default() };
        model.conflicting.extend(conflicting.iter().map(|number| vec![*number; 3]));
        model.conflicting.extend(unsolved.iter().map(|number| vec![*number, 0xff]));
        for _ in 0..200 {
            let ended = deferred.deliver(&mut model, &mut |_| {}).expect("it can be written down");
            let Some(held) = ended.held else { break };
            let first = deferred.open_entries().next().expect("one is held up").clone();
            match held {
                Held::Conflict => {
                    prop_assert!(unsolved.contains(&first.piece.program[0]));
                    deferred.withdraw(first.number).expect("it is open");
                }
                // Only where the server itself can have run it and forgotten.
                Held::InDoubt => {
                    prop_assert!(model.server > 0 || model.forgotten > 0);
                    deferred.withdraw(first.number).expect("it is open");
                }
                Held::Stopped => deferred.withdraw(first.number).expect("it is open"),
                Held::Lost(_) | Held::Refused(_) => {}
                Held::NotApproved(_) => prop_assert!(false, "nothing wants an approval"),
            }
            // As a client that was killed comes back.
            drop(deferred);
            deferred = opened(dir.path());
        }
        prop_assert_eq!(deferred.open_entries().count(), 0);
        let once: HashSet<RunId> = model.ran.iter().copied().collect();
        prop_assert_eq!(once.len(), model.ran.len(), "nothing ran twice");
        prop_assert!(model.ran.is_sorted_by_key(|id| id.0 >> 8), "they ran in order");
        for entry in deferred.entries().iter().filter(|entry| entry.state == State::Delivered) {
            prop_assert!(once.contains(&entry.piece.id), "what is told to be done was done");
            let is_solved = conflicting.contains(&entry.piece.program[0]);
            let resolver = resolver(entry.piece.program[0]).id;
            prop_assert_eq!(once.contains(&resolver), is_solved && entry.told.resolver.is_some());
        }
    }
}

/// What happens to a journal while nobody has it.
#[derive(Clone, Debug)]
enum Damage {
    None,
    Cut(prop::sample::Index),
    Changed(prop::sample::Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        3 => Just(Damage::None),
        2 => any::<prop::sample::Index>().prop_map(Damage::Cut),
        1 => (any::<prop::sample::Index>(), 1_u8..).prop_map(|(at, change)| Damage::Changed(at, change)),
    ]
}

/// Comes back to a journal that was damaged, and salvages it if that is seen.
fn comes_back(dir: &Path, damage: &Damage) -> Deferred {
    let mut bytes = std::fs::read(file_of(dir)).expect("it is there");
    match damage {
        Damage::None => {}
        Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
        Damage::Changed(at, change) => {
            let at = at.index(bytes.len());
            bytes[at] ^= change;
        }
    }
    std::fs::write(file_of(dir), bytes).expect("there is room");
    match Deferred::open(dir, Bounds::default()) {
        Ok(deferred) => deferred,
        Err(DeferredError::Damaged { .. }) => {
            Deferred::salvage(dir, Bounds::default()).expect("what is whole counts").0
        }
        // Of another version nothing is known.
        Err(DeferredError::Version(_)) => {
            std::fs::remove_file(file_of(dir)).expect("it is there");
            opened(dir)
        }
        Err(other) => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Wherever the journal is cut or changed, as long as nobody asks for more than what is whole.
    #[test]
    fn what_is_salvaged_is_not_delivered_again(
        faults in prop::collection::vec(fault(), 0..20),
        damages in prop::collection::vec(damage(), 1..8),
        conflicting in prop::collection::hash_set(1_u8..6, 0..3),
    ) {
        let dir = dir();
        let mut deferred = with_five(dir.path());
        let mut model = Model { faults, ..Model::default() };
        model.conflicting.extend(conflicting.iter().map(|number| vec![*number; 3]));
        let (mut withdrawn, mut damages) = (HashMap::new(), damages.into_iter());
        for _ in 0..200 {
            let ended = deferred.deliver(&mut model, &mut |_| {}).expect("it can be written down");
            let damage = damages.next();
            if ended.held.is_none() && damage.is_none() {
                break;
            }
            if let Some(Held::InDoubt | Held::Stopped) = ended.held {
                let first = deferred.open_entries().next().expect("one is held up").clone();
                deferred.withdraw(first.number).expect("it is open");
                let ids = [first.piece.id, resolver(first.piece.program[0]).id];
                ids.into_iter().for_each(|id| _ = withdrawn.entry(id).or_insert(model.ran.len()));
            }
            drop(deferred);
            deferred = comes_back(dir.path(), &damage.unwrap_or(Damage::None));
        }
        let once: HashSet<RunId> = model.ran.iter().copied().collect();
        prop_assert_eq!(once.len(), model.ran.len(), "nothing ran twice");
        for (id, ran) in withdrawn {
            prop_assert!(!model.ran[ran..].contains(&id), "what was withdrawn ran");
        }
    }
}

/// A file of before is read; what is added to it makes it one that those of before do not take for damaged.
#[test]
fn a_file_of_the_version_before_is_read() {
    let dir = dir();
    drop(with_five(dir.path()));
    let version_is = |version: u64| {
        let mut bytes = std::fs::read(file_of(dir.path())).expect("it is there");
        bytes[8..16].copy_from_slice(&version.to_le_bytes());
        std::fs::write(file_of(dir.path()), bytes).expect("there is room");
    };
    for (version, is_read) in [(0, false), (1, true), (2, true), (3, false)] {
        version_is(version);
        match Deferred::open(dir.path(), Bounds::default()) {
            Ok(deferred) => assert!(is_read && deferred.open_entries().count() == 5, "version {version}"),
            Err(why) => {
                let expected = format!("it is of version {version}, and this program knows versions 1 and 2");
                assert_eq!((why.to_string(), is_read), (expected, false));
            }
        }
        let now = std::fs::read(file_of(dir.path())).expect("it is there")[8];
        assert_eq!(u64::from(now), if is_read { 2 } else { version });
    }
}

/// Which runs a server has forgotten is told to whoever it concerns, and to nobody too late.
#[test]
fn a_server_says_how_far_back_it_remembers() {
    let programs = Programs::new(&[], crate::host::Policy::default());
    let other = Programs::new(&[], crate::host::Policy::default());
    let memory = programs.status("alice").memory;
    assert_eq!(memory, programs.status("alice").memory);
    assert!(memory.reaches_to(&programs.status("alice").memory));
    assert!(!memory.reaches_to(&programs.status("bob").memory), "his runs are others");
    assert!(!memory.reaches_to(&other.status("alice").memory), "it is another server");
    let forgotten = Memory { forgotten: memory.now + 1, ..memory };
    assert!(!memory.reaches_to(&forgotten));
    let earlier = Memory { now: memory.now + 1, ..memory };
    assert!(!earlier.reaches_to(&memory), "it was put back to an earlier state");
}
