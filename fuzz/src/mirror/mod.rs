//! Decoders that were generated: of servers and of clients, in Rust and in C, for everything that messages can carry.
//!
//! All operations of `mirror.idl` give back what they get, and a client sends again what was answered. So whoever takes a
//! message says what it took, and what all of them say is compared.
//!
//! ```text
//! request ─┬─ server in Rust ─┐           a message that is right is taken, and comes back as it was
//!          ├─ plain session ──┤           all take the same messages, and say the same
//!          └─ server in C ────┼─ reply
//! reply ───┬─ client in Rust ─┤           what one took it takes again, and says the same
//!          ├─ plain client ───┤           nothing is read behind a message, and nothing panics
//!          └─ client in C ────┴─ request
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | [`message`] | random messages, changes that make them wrong, and what they say |
//! | [`service`] | the server in Rust |
//! | [`client`] | the client in Rust |
//! | [`plain`] | both of plain sessions, for the operations that these have |
//! | [`in_c`] | both in C, if there is a compiler; it is said loudly if there is none |

pub mod client;
pub mod in_c;
pub mod message;
pub mod plain;
pub mod service;

#[allow(unreachable_pub, dead_code, reason = "generated for a public module")]
mod stubs {
    include!(concat!(env!("OUT_DIR"), "/mirror.rs"));
}

use std::sync::{LazyLock, Mutex, PoisonError};

use carnet_idl::descriptor::{Interface, Module, Operation, Short, Type, Word};
use carnet_portal::call::{Kind, MEMBERS};

use crate::entropy::Entropy;
use client::ClientInRust;
use in_c::InC;
use message::{
    Body, Said, Wanted, change, random, random_members, returned_types, said, said_members, sent_types,
    words_of,
};
use plain::PlainServer;
use service::ServerInRust;

/// The object that all calls go to.
const ROOT_PORTAL: u32 = 1;
/// An object with an interface that no operation takes.
const STRANGE_PORTAL: u32 = 2;
/// An object with the interface that the root's inherits from.
const BASE_PORTAL: u32 = 3;

/// What a server answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// 0, or why the call failed.
    pub status: u16,
    /// What was raised.
    pub raised: u16,
    /// What lies behind the header.
    pub body: Body,
}

/// What a client makes of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Believed {
    /// It took it, and sends the value by this operation.
    Value(u16, Body),
    /// The call failed, with this kind of failure.
    Refused(u16),
}

/// The interface file `mirror.idl`.
#[must_use]
pub fn module() -> &'static Module {
    stubs::module()
}

/// The interface of the root.
///
/// # Panics
/// If the file has none.
#[must_use]
pub fn root() -> &'static Interface {
    let id = module().interface("Derived").unwrap_or_else(|| panic!("there is no root"));
    &module().interfaces[id.index()]
}

/// An operation of the root.
///
/// # Panics
/// If there is none.
fn operation(name: &str) -> (u16, &'static Operation) {
    root().operation(name).unwrap_or_else(|| panic!("there is no {name}"))
}

/// All that are kept, for the whole process.
struct Ends {
    server: ServerInRust,
    plain: PlainServer,
    client: ClientInRust,
    in_c: Option<InC>,
}

fn with_ends<R>(check: impl FnOnce(&mut Ends) -> R) -> R {
    static ENDS: LazyLock<Mutex<Ends>> = LazyLock::new(|| {
        let in_c = InC::start()
            .inspect_err(|why| eprintln!("SKIPPED: generated decoders in C are not fuzzed: {why}"))
            .ok();
        let plain = PlainServer::start();
        Mutex::new(Ends { server: ServerInRust::start(), plain, client: ClientInRust::start(), in_c })
    });
    check(&mut ENDS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Builds and starts all of them, unless that is done.
pub fn start() {
    with_ends(|_| ());
}

/// An id of a portal, most of them of one that is taken.
fn any_portal(entropy: &mut Entropy<'_>) -> u32 {
    match entropy.below(12) {
        0 => STRANGE_PORTAL,
        1 => BASE_PORTAL,
        2 => *entropy.pick(&[0, 4, 1 << 16 | ROOT_PORTAL, u32::MAX]),
        _ => ROOT_PORTAL,
    }
}

// ---- Requests ----

/// Whether a message is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// It was not changed.
    Surely,
    /// It was, or comes from a fuzzer.
    Perhaps,
}

impl Right {
    fn random(entropy: &mut Entropy<'_>) -> Right {
        if entropy.one_in(3) { Right::Surely } else { Right::Perhaps }
    }

    /// What such a message has; `portal` is that of one which is right.
    fn wanted(self, portal: fn(&mut Entropy<'_>) -> u32) -> Wanted {
        match self {
            Right::Surely => Wanted { portal, beyond: 0 },
            Right::Perhaps => Wanted { portal: any_portal, beyond: 1 },
        }
    }
}

/// Sends a random request, or one that is nearly right.
///
/// # Panics
/// If a promise is broken.
pub fn check_request(entropy: &mut Entropy<'_>) -> bool {
    let op = entropy.below(root().operations.len());
    let (types, right) = (sent_types(&root().operations[op]), Right::random(entropy));
    let mut body = random(module(), &types, entropy, right.wanted(|_| ROOT_PORTAL));
    if right == Right::Perhaps {
        (0..entropy.below(4)).for_each(|_| change(&mut body, entropy));
    }
    crate::steps::add(1 + body.bytes.len() as u64 / 64);
    let room = entropy.below(512) as u16;
    with_ends(|ends| {
        let answer = ends.server.call(op as u16, &body);
        check_answer(ends, op, (&body, right), &answer, room);
        is_taken(&answer)
    })
}

/// Whether the service was called.
fn is_taken(answer: &Answer) -> bool {
    answer.status == 0 || answer.status == Kind::Raised as u16
}

fn check_answer(ends: &mut Ends, op: usize, (body, right): (&Body, Right), answer: &Answer, room: u16) {
    let operation = &root().operations[op];
    let name = &operation.name;
    assert!(right == Right::Perhaps || is_taken(answer), "{name}: what is right is refused: {answer:?}");
    let refusals = [Kind::BadArgument, Kind::NoSuchPortal].map(|kind| kind as u16);
    assert!(
        is_taken(answer) || refusals.contains(&answer.status),
        "{name}: the service is blamed for {body:?}: {answer:?}"
    );
    let saying = is_taken(answer).then(|| answer_said(operation, answer));
    if answer.status == 0 && is_mirrored(operation) {
        let sent = said(module(), &sent_types(operation), body).map(|sent| (0, sent));
        assert_eq!(saying, sent, "{name}: other than it was sent: {body:?}, {answer:?}");
        let again = ends.server.call(op as u16, &answer.body);
        assert_eq!(
            Some(answer_said(operation, &again)),
            saying,
            "{name}: what came back of {body:?} is not taken as it was: {answer:?}"
        );
    }
    let check = |who: &str, other: Answer| {
        let its_saying = is_taken(&other).then(|| answer_said(operation, &other));
        let is_refused = saying.is_none() || its_saying.is_none();
        let is_surplus = is_refused && has_surplus(&sent_types(operation), body);
        assert!(
            saying == its_saying || is_surplus,
            "{name}: the server in Rust and {who} differ about {body:?}: {answer:?}, {other:?}"
        );
        assert!(
            is_taken(&other) || refusals.contains(&other.status),
            "{name}: {who} blames the service: {other:?}"
        );
    };
    let plain = ends.plain.call(op as u16, body);
    if is_plain(operation) {
        check("a plain session", plain);
    } else {
        let kinds = [Kind::Refused, Kind::BadArgument].map(|kind| kind as u16);
        assert!(kinds.contains(&plain.status), "{name} is none of a plain session: {plain:?}");
    }
    if let Some(in_c) = &mut ends.in_c {
        check("C", in_c.call(op as u16, body, room));
    }
}

/// Whether plain sessions have an operation.
fn is_plain(operation: &Operation) -> bool {
    let is_short = matches!(operation.layout.short, Some(Short::Words | Short::In(_) | Short::Out(_)));
    is_short && operation.name != "tell"
}

/// Whether a message has something that its words do not name, which nobody sends: some decoders look at it, others not.
fn has_surplus(types: &[Type], body: &Body) -> bool {
    let words = words_of(module(), types);
    let named = said(module(), types, body).map_or_else(Vec::new, |said| portals_of(&said));
    let len = words.len() * 8 + (named.len() * 4).next_multiple_of(8);
    let refers = |word: &Word| matches!(word, Word::String { .. } | Word::Bytes { .. } | Word::List { .. });
    let is_longer = !words.iter().any(refers) && body.bytes.len() > len;
    let is_named = |id: &u32| named.contains(id);
    is_longer
        || usize::from(body.portals) != named.len()
        || !message::ids(words.len(), body).iter().all(is_named)
}

fn portals_of(said: &[Said]) -> Vec<u32> {
    let of = |each: &Said| match each {
        Said::Portal(id) => vec![*id],
        Said::List(said) => portals_of(said),
        Said::Word(_) | Said::Bytes(_) => Vec::new(),
    };
    said.iter().flat_map(of).collect()
}

/// What was raised, or 0, and what the answer says.
fn answer_said(operation: &Operation, answer: &Answer) -> (u16, Vec<Said>) {
    let read = if answer.status == 0 {
        said(module(), &returned_types(operation), &answer.body)
    } else {
        members(operation, answer.raised).and_then(|types| said_members(module(), &types, &answer.body.bytes))
    };
    match read {
        Some(said) => (answer.raised, said),
        None => panic!("{}: an answer that is none: {answer:?}", operation.name),
    }
}

/// The types of the members of what was raised.
fn members(operation: &Operation, raised: u16) -> Option<Vec<Type>> {
    let id = operation.raises.get(usize::from(raised.checked_sub(MEMBERS)?))?;
    Some(module().exceptions[id.index()].members.iter().map(|member| member.ty.clone()).collect())
}

/// Whether an operation returns what it takes.
fn is_mirrored(operation: &Operation) -> bool {
    let sent = sent_types(operation);
    !sent.is_empty() && sent == returned_types(operation)
}

// ---- Replies ----

/// Operations that the clients do not call: what they return is a portal or nothing.
const UNCALLED: [&str; 6] = ["_set_level", "_set_name", "_set_height", "tell", "stranger", "plainer"];

/// Answers a call with a random reply, or one that is nearly right.
///
/// # Panics
/// If a promise is broken.
pub fn check_reply(entropy: &mut Entropy<'_>) -> bool {
    let called: Vec<&Operation> =
        root().operations.iter().filter(|operation| !UNCALLED.contains(&operation.name.as_str())).collect();
    let operation = *entropy.pick(&called);
    let right = Right::random(entropy);
    let mut answer = random_answer(operation, right, entropy);
    if right == Right::Perhaps {
        (0..entropy.below(4)).for_each(|_| change(&mut answer.body, entropy));
        if entropy.one_in(12) {
            answer.status = *entropy.pick(&[0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0x7fff]);
            answer.raised = *entropy.pick(&[0, 1, 2, 3, MEMBERS, MEMBERS | 1, MEMBERS | 4, u16::MAX]);
        }
    }
    crate::steps::add(1 + answer.body.bytes.len() as u64 / 64);
    with_ends(|ends| check_belief(ends, operation, &answer, right))
}

/// A reply: results, or an exception.
fn random_answer(operation: &Operation, right: Right, entropy: &mut Entropy<'_>) -> Answer {
    let wanted = right.wanted(|entropy| entropy.below(6) as u32);
    if operation.raises.is_empty() || entropy.one_in(8) {
        let body = random(module(), &returned_types(operation), entropy, wanted);
        return Answer { body, ..Answer::default() };
    }
    let raised = MEMBERS | entropy.below(operation.raises.len()) as u16;
    let types = members(operation, raised).unwrap_or_default();
    Answer {
        status: Kind::Raised as u16,
        raised,
        body: random_members(module(), &types, entropy, wanted.beyond),
    }
}

fn check_belief(ends: &mut Ends, operation: &Operation, answer: &Answer, right: Right) -> bool {
    let name = &operation.name;
    let believed = ends.client.reply(name, answer.clone());
    let saying = belief_said(&believed);
    if right == Right::Surely {
        let own = answer_said(operation, answer).1;
        let Some((_, said)) = &saying else {
            panic!("{name}: what is right is refused: {answer:?}, {believed:?}")
        };
        let is_sent = is_mirrored(operation) || answer.status != 0;
        assert!(!is_sent || *said == own, "{name}: other than it was answered: {answer:?}, {believed:?}");
    }
    let check = |who: &str, other: Believed| {
        let its_saying = belief_said(&other);
        let is_refused = saying.is_none() || its_saying.is_none();
        let is_surplus = is_refused && has_surplus(&returned_types(operation), &answer.body);
        assert!(
            saying == its_saying || is_surplus,
            "{name}: the client in Rust and {who} differ about {answer:?}: {believed:?}, {other:?}"
        );
        let is_blamed_alike = match (&believed, &other) {
            (Believed::Refused(its), Believed::Refused(others)) => its == others,
            _ => true,
        };
        assert!(
            is_blamed_alike,
            "{name}: the client in Rust and {who} refuse {answer:?} for other reasons: {believed:?}, {other:?}"
        );
    };
    if let Some(plain) = plain::believed(name, answer) {
        check("a plain one", plain);
    }
    if let Some(in_c) = &mut ends.in_c {
        check("one in C", in_c.reply(self::operation(name).0, answer));
    }
    saying.is_some()
}

/// What a client says that took a reply.
fn belief_said(believed: &Believed) -> Option<(u16, Vec<Said>)> {
    let Believed::Value(op, body) = believed else { return None };
    let operation = root().operations.get(usize::from(*op))?;
    let said = said(module(), &sent_types(operation), body);
    Some((*op, said.unwrap_or_else(|| panic!("{}: sends what is none: {body:?}", operation.name))))
}

// ---- From the bytes of a fuzzer ----

/// Bytes of a message that are looked at.
const BYTES_MAX: usize = 4096;

/// A request or a reply: side, operation, status, what is raised, number of portals, and what lies behind the header.
///
/// # Panics
/// If a promise is broken.
pub fn check_bytes(bytes: &[u8]) {
    let Some(([side, op, status, raised, portals], rest)) = bytes.split_first_chunk() else { return };
    let op = usize::from(*op) % root().operations.len();
    let operation = &root().operations[op];
    let body = Body { portals: *portals, bytes: rest[..rest.len().min(BYTES_MAX)].to_vec() };
    with_ends(|ends| {
        if side % 2 == 0 {
            let answer = ends.server.call(op as u16, &body);
            check_answer(ends, op, (&body, Right::Perhaps), &answer, 0);
        } else if !UNCALLED.contains(&operation.name.as_str()) {
            let raised = u16::from(raised & 0x80) << 8 | u16::from(raised & 0x7f);
            let answer = Answer { status: u16::from(*status), raised, body };
            check_belief(ends, operation, &answer, Right::Perhaps);
        }
    });
}

/// A request that is right, as [`check_bytes`] takes it.
#[must_use]
pub fn request_bytes(entropy: &mut Entropy<'_>) -> Vec<u8> {
    let op = entropy.below(root().operations.len());
    let body =
        random(module(), &sent_types(&root().operations[op]), entropy, Right::Surely.wanted(|_| ROOT_PORTAL));
    [&[0, op as u8, 0, 0, body.portals], &body.bytes[..]].concat()
}

/// As [`request_bytes`], for a reply.
#[must_use]
pub fn reply_bytes(entropy: &mut Entropy<'_>) -> Vec<u8> {
    let op = entropy.below(root().operations.len());
    let Answer { status, raised, body } = random_answer(&root().operations[op], Right::Surely, entropy);
    [&[1, op as u8, status as u8, (raised >> 8) as u8 | raised as u8, body.portals], &body.bytes[..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_mirrored_both_ways() {
        for (op, operation) in root().operations.iter().enumerate() {
            let mut entropy = Entropy::of_seed(op as u64);
            let body =
                random(module(), &sent_types(operation), &mut entropy, Right::Surely.wanted(|_| ROOT_PORTAL));
            with_ends(|ends| {
                let answer = ends.server.call(op as u16, &body);
                assert!(is_taken(&answer), "{}: {answer:?}", operation.name);
                check_answer(ends, op, (&body, Right::Surely), &answer, 0);
                if !UNCALLED.contains(&operation.name.as_str()) {
                    check_belief(ends, operation, &answer, Right::Surely);
                }
            });
        }
    }
}
