//! An oracle: the kernel's verifier and interpreter, in an ordinary process under AddressSanitizer and UBSan, held against those in Rust.
//!
//! What Rust rejects the kernel rejects, and what the kernel rejects though Rust does not says that it is not supported. What both
//! accept does the same: same end, place, variables, counts, and budgets used, also if signals stop it wherever they can.
//! System calls are made up, on both sides alike: `kernel/test/host.c` says how.

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, LazyLock};

use carnet_idl::descriptor::{InterfaceId, Module, Type, WORK_BYTES_MAX, Word};
use carnet_idl::syscall::{Argument, Syscall};
use carnet_portal::call::{Call, Caller, Failure, Kind, Object, Ref};
use carnet_portal::capability::{Capability, Grant};
use carnet_program::bytecode::{Ins, Op, ParamPlace, Program, SlotType, View, pack};
use carnet_program::interp::{Blocking, Env, FaultKind, Machine, Mode, Slice, Stop};
use carnet_program::limits::{Budget, LimitKind};
use carnet_program::verify::{Loaded, Registry, load};

use crate::host::{Host, Verdict};
use crate::programs::module;

/// Who knows the interface of Linux calls.
#[must_use]
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&[module()]));
    &REGISTRY
}

const BUDGET: Budget = Budget {
    instructions_left: 3_000,
    calls_left: 200,
    writes_left: 50,
    written_left: 4_000,
    memory_max: 900,
    returned_max: 1 << 20,
};

/// The calls as `host.c` makes them up.
#[derive(Debug)]
struct MadeUp;

fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ hash >> 29
}

impl Object for MadeUp {
    fn interface(&self) -> (&'static Module, InterfaceId) {
        (module(), InterfaceId(0))
    }

    fn dispatch(&self, op: u16, call: &mut Call<'_>) -> Result<(), Failure> {
        let operation = &module().interfaces[0].operations[usize::from(op)];
        let syscall = Syscall::of(module(), operation).expect("it is one").expect("it is one");
        let mut first = Vec::new();
        let mut at = 0;
        for param in &operation.params {
            first.push(at);
            let mut words = Vec::new();
            module().flatten(&param.ty, &mut words);
            at += words.len();
        }
        let words = call.words.to_vec();
        for (word, value) in operation.layout.ins.iter().zip(&words) {
            let (value, fits) = (*value as i64, word);
            let fits = match fits {
                Word::Int { bits: 64, signed: true } => true,
                Word::Int { bits: 64, .. } => value >= 0,
                Word::Int { bits, signed: true } => value >> (bits - 1) == 0 || value >> (bits - 1) == -1,
                Word::Int { bits, .. } => value >> bits == 0,
                Word::String { max } => call.areas.string(value as u64, *max).is_ok(),
                Word::Bytes { max } => call.areas.bytes(value as u64, *max).is_ok(),
                _ => true,
            };
            if !fits {
                return Err(Failure::bad_argument("out of range"));
            }
        }
        let (mut hash, mut invalid, mut room, mut is_room) =
            (mix(1, syscall.number.into()), false, None, false);
        for argument in &syscall.arguments {
            let mut value = |value: i64, hash: &mut u64| {
                *hash = mix(*hash, value as u64);
                if is_room {
                    room = Some(value);
                }
            };
            match argument {
                Argument::Constant(number) => value(*number, &mut hash),
                Argument::Value { param, allowed } => {
                    let mut given = words[first[usize::from(*param)]] as i64;
                    let is_cut = operation.cost == Some(*param) || is_room;
                    invalid |= allowed.is_some_and(|allowed| given & !allowed != 0) || is_cut && given < 0;
                    if is_cut {
                        let most = if is_room { room_of(operation) } else { i64::from(WORK_BYTES_MAX) };
                        given = given.min(most);
                    }
                    value(given, &mut hash);
                }
                Argument::Sent { param, .. } => {
                    let at = first[usize::from(*param)];
                    match &operation.params[usize::from(*param)].ty {
                        Type::String { max } => {
                            let text = call.areas.string(words[at], *max)?;
                            text.iter().for_each(|byte| hash = mix(hash, u64::from(*byte)));
                        }
                        Type::Bytes { max } => {
                            let bytes = call.areas.bytes(words[at], *max)?;
                            bytes.iter().for_each(|byte| hash = mix(hash, u64::from(*byte)));
                        }
                        ty => {
                            let mut parts = Vec::new();
                            module().flatten(ty, &mut parts);
                            for (part, value) in parts.iter().zip(&words[at..]) {
                                let Word::Int { bits, .. } = part else {
                                    unreachable!("structs of integers")
                                };
                                // An integer alone is C's int.
                                let bits = if matches!(ty, Type::Int { .. }) { 32 } else { *bits };
                                hash = mix(hash, value & u64::MAX >> (64 - u32::from(bits)));
                            }
                        }
                    }
                }
                Argument::Size { param } => match &operation.params[usize::from(*param)].ty {
                    Type::Bytes { .. } => {
                        hash = mix(hash, Ref(words[first[usize::from(*param)]]).len() as u64);
                    }
                    _ => hash = mix(hash, 4),
                },
                Argument::Returned(_) | Argument::SizePlace(_) => {}
            }
            is_room = matches!(argument, Argument::Returned(_))
                && matches!(operation.result, Some(Type::Bytes { .. } | Type::String { .. }));
        }
        if invalid {
            return Err(raised(22));
        }
        if hash.is_multiple_of(7) {
            // What is no error is EIO.
            return Err(raised(if hash / 7 % 44 < 40 { 1 + hash / 7 % 44 } else { 5 }));
        }
        let outs = operation.layout.request_words();
        match &operation.result {
            None => {}
            Some(Type::Int { .. }) => call.words[outs] = hash / 7 % 300,
            Some(Type::Bytes { .. } | Type::String { .. }) => {
                let size = (hash / 7 % 70).min(room.unwrap_or(0) as u64) as usize;
                let mut area = call.take(outs)?;
                area.clear();
                area.bytes.resize(size, b'a' + (hash % 26) as u8);
                call.put(outs, area)?;
            }
            Some(_) => {
                for (k, word) in (0..).zip(&mut call.words[outs..]) {
                    *word = k + 1;
                }
            }
        }
        Ok(())
    }

    fn service(&self) -> &dyn std::any::Any {
        self
    }
}

fn room_of(operation: &carnet_idl::descriptor::Operation) -> i64 {
    match operation.result {
        Some(Type::Bytes { max } | Type::String { max }) => max.into(),
        _ => i64::MAX,
    }
}

fn raised(error: u64) -> Failure {
    Failure::raised(error as u16, carnet_kernel::messages()[error as usize].to_owned())
}

/// How the kernel says it.
fn status(stop: &Stop) -> (u32, u32) {
    match stop {
        Stop::Done(slot) => (0, u32::from(*slot)),
        Stop::Failed(_) => (1, 0),
        Stop::CallFailed(failure) if failure.kind() == Kind::Raised => {
            (2, u32::from(failure.details().raised))
        }
        // References that are gone are no arguments, too.
        Stop::CallFailed(_) => (4, 5),
        Stop::Limit(LimitKind::Instructions) => (3, 0),
        Stop::Limit(LimitKind::Calls) => (3, 1),
        Stop::Limit(LimitKind::Writes) => (3, 2),
        Stop::Limit(LimitKind::Written) => (3, 3),
        Stop::Limit(LimitKind::Memory) => (3, 4),
        Stop::Limit(LimitKind::Loop(_)) => (3, 6),
        Stop::Fault(FaultKind::Overflow) => (4, 0),
        Stop::Fault(FaultKind::DivisionByZero) => (4, 1),
        other => panic!("a stop that the kernel does not know: {other:?}"),
    }
}

/// Runs `loaded` in Rust, and says it as the kernel would.
fn run(loaded: &Loaded, given: &[u64], texts: &[(u32, Vec<u8>)]) -> (Verdict, Vec<(u64, bool)>) {
    let mut machine = Machine::new();
    machine.reset(loaded, BUDGET);
    let mut stop = None;
    if loaded.started != carnet_program::bytecode::NONE {
        machine.set_scalar(loaded.started, given[usize::from(loaded.started)] as i64);
    }
    for (k, place) in (0..).zip(&loaded.params) {
        match place {
            ParamPlace::Register(register) => {
                machine.set_portal(*register, Capability::under(Arc::new(MadeUp), &Grant::new()));
            }
            ParamPlace::Slot(slot) => match texts.iter().find(|(param, _)| *param == k) {
                Some((_, text)) if loaded.slots[usize::from(*slot)].owns_area() => {
                    stop = stop.or(machine.set_text(loaded, *slot, text).err());
                }
                _ if loaded.slots[usize::from(*slot)].owns_area() => {}
                _ => machine.set_scalar(*slot, given[usize::from(*slot)] as i64),
            },
        }
    }
    let (interrupt, caller) = (AtomicU32::new(0), Caller::local());
    let env = Env { caller: &caller, interrupt: &interrupt, mode: Mode::Real, blocking: Blocking::Allowed };
    let stop = stop.unwrap_or_else(|| machine.advance(loaded, &env, Slice::UNLIMITED));
    let left = machine.budget;
    let mut words: Vec<(u64, bool)> = loaded
        .slots
        .iter()
        .zip(machine.slots().iter())
        .map(|(ty, word)| match ty.text_max() {
            Some(_) => (Ref(*word).len() as u64, true),
            None => (*word, false),
        })
        .collect();
    for (op, count) in machine.counts().iter().enumerate() {
        words.extend([(*count, false), (machine.failed_calls(op), false)]);
    }
    let used = [
        BUDGET.instructions_left - left.instructions_left,
        BUDGET.calls_left - left.calls_left,
        BUDGET.writes_left - left.writes_left,
        BUDGET.written_left - left.written_left,
        machine.memory(),
    ];
    (Verdict::Ran { status: status(&stop), pc: machine.pc().into(), used, words: Vec::new() }, words)
}

/// Programs that use everything that the kernel has.
pub const PROGRAMS: &[&str] = &[
    "program p(os: System, a: int, b: int) -> int { return a * b + a - b / 3 % 7 }",
    "program p(os: System, fd: int, n: int) -> int {
       var sum = 0
       for k in 0..n limit 40 {
         let data = os.read(fd + k, 50)
         if data.len == 0 { return sum }
         sum += os.write(k, data)
       }
       return sum
     }",
    "program p(os: System, name: string(20)) -> int {
       var kind = Errno.OK
       var n = 0
       while n < 30 {
         n += 1
         try os.unlink(name) else { kind = error.kind  if kind == Errno.EACCES { n += 5 } }
         let was = os.getpid()
         if was > 100 && n < 20 || !(kind == Errno.OK) { os.close(was) } else { os.sched_yield() }
       }
       return n
     }",
    "program p(os: System, data: bytes(40), at: int) -> int at most 20 writes, 300B written {
       var done = 0
       for k in 0..9 {
         for l in 0..k {
           var n = 0
           n = try os.pwrite64(k, data, at + l) else { if done > 40 { fail \"enough\" } }
           done += n
         }
       }
       return done
     }",
    "program p(os: System, flag: bool) -> bool {
       let is = os.fstat(3)
       let other = try os.stat(\"here\") else { return flag }
       os.utimensat(4, Times(accessed: is.atime, accessed_nsec: 0, modified: is.mtime, modified_nsec: other.mtime_nsec))
       let to = os.readlink(\"/a/b\")
       os.symlink(to, \"new\")
       let ends = os.pipe2(0x800)
       os.nanosleep(Timespec(sec: -(ends.reader), nsec: ends.writer))
       return is.size == other.size && !flag || to.len > 10
     }",
    "program p(os: System) -> int {
       let room = os.getrandom(20, 0)
       let n = os.send(7, room, 0x4000)
       os.sendfile(1, 2, n)
       os.mkdir(\"d\", 0x1ff)
       os.setsockopt(5, 1, 2, 3)
       os.copy_file_range(1, 2, n * 1_000_000)
       return started - n
     }",
];

/// Programs that the kernel does not support, and that are safe.
pub const UNSUPPORTED: &[&str] = &[
    "program p(os: System, x: double = 1.5) -> double { return x * 2.0 }",
    "program p(os: System, x: float, n: int) -> bool { os.sched_yield() return float(n) / x < 1.0 }",
    "program p(os: System) -> double { fail \"enough\" }",
];

/// Compiles one of them.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn compile(source: &str) -> Program {
    let text = format!("use linux\n{}", source.replace("300B", "300"));
    crate::programs::compile("program", &text).unwrap_or_else(|why| panic!("{why}"))
}

/// Where choices come from: numbers of 64 bits.
pub trait Chance {
    /// The next.
    fn bits(&mut self) -> u64;

    /// One of `n` numbers from 0.
    fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 11) as usize % n.max(1)
    }
}

/// Changes one thing of a program that may leave it a program.
pub fn mutate(program: &mut Program, random: &mut impl Chance) {
    let (at, slots) = (random.below(program.code.len()), program.slots.len());
    fn number(random: &mut impl Chance, slots: usize) -> u16 {
        random.below(slots + 1) as u16
    }
    match random.below(9) {
        0 => program.code[at].a = number(random, slots),
        1 => program.code[at].b = number(random, slots),
        2 => program.code[at].c = random.below(program.code.len() + slots) as u16,
        3 => program.code[at].op = Op::ALL[random.below(Op::ALL.len())],
        4 => program.code[at].d ^= 1 << random.below(64),
        5 => {
            let calls: Vec<usize> =
                (1..program.code.len()).filter(|at| program.code[*at].op == Op::Call).collect();
            let Some(call) = calls.get(random.below(calls.len())) else { return };
            let steps = [random.below(3) as u16, random.below(2) as u16];
            let d = pack([1 + random.below(5) as u16, 0, steps[0], steps[1]]);
            program.code[call - 1] = Ins { op: Op::Repeat, flags: 0, a: 0, b: 0, c: 0, d };
        }
        6 => {
            let d = pack([1 + random.below(3) as u16, 0, random.below(2) as u16, random.below(2) as u16]);
            let (a, b) = (number(random, slots), number(random, slots));
            program.code[at] = Ins { op: Op::MoveStrided, flags: 0, a, b, c: 0, d };
        }
        7 => {
            let from = program.slots[random.below(slots)];
            if let Some(slot) = program.slots.get_mut(random.below(slots)) {
                *slot = from;
            }
        }
        _ => {
            let simple = [
                Op::Add,
                Op::Sub,
                Op::Mul,
                Op::Div,
                Op::Rem,
                Op::Neg,
                Op::Not,
                Op::Compare,
                Op::Len,
                Op::Clear,
            ];
            let op = simple[random.below(simple.len())];
            let ins = &mut program.code[at];
            *ins = Ins {
                op,
                flags: 0,
                a: number(random, slots),
                b: number(random, slots),
                c: number(random, slots),
                d: 0,
            };
            match op {
                Op::Neg | Op::Not | Op::Len => ins.c = 0,
                Op::Clear => (ins.b, ins.c) = (0, 0),
                Op::Compare => ins.flags = random.below(7) as u8,
                _ => {}
            }
        }
    }
}

/// What became of programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Both verifiers took it.
    pub accepted: u32,
    /// Both did not.
    pub rejected: u32,
    /// The kernel's says that it is not supported.
    pub unsupported: u32,
    /// Signals that came.
    pub signals: u32,
}

/// Holds what the kernel makes of a program against what Rust makes of it.
///
/// # Panics
/// If they differ, or a sanitizer finds a fault.
pub fn check(host: &mut Host, bytes: &[u8], random: &mut impl Chance, tally: &mut Tally) {
    let loaded = load(bytes, registry());
    let slots = View::new(bytes).map_or(0, |view| view.slots.len());
    let given: Vec<u64> = (0..slots)
        .map(|slot| match loaded.as_ref().map(|loaded| loaded.slots[slot]) {
            Ok(SlotType::Bool) => random.bits() & 1,
            Ok(SlotType::Enum(_)) => 0,
            Ok(SlotType::Int) => match random.below(4) {
                0 => random.bits(),
                _ => random.below(30) as u64,
            },
            _ => 0,
        })
        .collect();
    let mut texts = Vec::new();
    for (k, place) in (0..).zip(loaded.as_ref().map_or(&[][..], |loaded| &loaded.params)) {
        let Ok(loaded) = &loaded else { break };
        if let ParamPlace::Slot(slot) = place
            && let SlotType::Str(max) | SlotType::Bytes(max) = loaded.slots[usize::from(*slot)]
        {
            texts.push((k, vec![b'x'; random.below(max as usize + 1).min(30)]));
        }
    }
    // Where each look finds a signal, a loop gets nowhere.
    let every = if random.below(3) == 0 { 2 + random.below(3) as u32 } else { 0 };
    let (verdict, signals) = host.ask(bytes, &BUDGET, &given, every, &texts);
    tally.signals += signals;
    match (loaded, verdict) {
        (Err(_), Verdict::Rejected { unsupported, .. }) => {
            tally.rejected += 1;
            tally.unsupported += u32::from(unsupported);
        }
        (Err(error), other) => panic!("Rust rejects ({error}), the kernel says {other:?}\n{bytes:?}"),
        (Ok(_), Verdict::Rejected { unsupported: true, .. }) => tally.unsupported += 1,
        (Ok(_), Verdict::Accepted) => tally.accepted += 1,
        (Ok(loaded), Verdict::Ran { status, pc, used, words }) => {
            tally.accepted += 1;
            // A text that is given twice is no run of the kernel's caller.
            let (expected, expected_words) = run(&loaded, &given, &texts);
            let words: Vec<(u64, bool)> = words
                .iter()
                .zip(&expected_words)
                .map(|(word, (_, is_text))| {
                    (if *is_text { Ref(*word).len() as u64 } else { *word }, *is_text)
                })
                .collect();
            let status = match status {
                (1, _) => (1, 0),
                // Of a text that was changed the kernel cannot send what was a part of it before. No compiler makes such programs.
                (4, 2) => return,
                status => status,
            };
            assert_eq!(
                (Verdict::Ran { status, pc, used, words: Vec::new() }, words),
                (expected, expected_words),
                "the kernel's, then Rust's, of {:?}\n{given:?} {texts:?} {every}",
                loaded.code
            );
        }
        (Ok(loaded), other) => panic!("Rust accepts, the kernel says {other:?}\n{:?}", loaded.code),
    }
}
