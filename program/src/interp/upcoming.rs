//! Telling an object of the calls of a repeat before they are made.
//!
//! A repeat of one call, over messages of its own for each round, is known whole when it begins: requests, number, order. The object
//! may begin several of these calls together ([`Object::upcoming`]). Nothing else changes: each call is made in its turn, with
//! the same checks, charges and counts, and what it would not have come to is not asked for.
//!
//! That no request is made of a reply is not believed by the object either, which compares each call with what it began.
//!
//! [`Object::upcoming`]: carnet_portal::call::Object::upcoming

use carnet_idl::descriptor::{Effect, Word};
use carnet_portal::call::Upcoming;

use super::calls::lists_portals;
use super::{Blocking, Env, Machine};
use crate::array::verify::What;
use crate::bytecode::NONE;
use crate::verify::{Loaded, Step};

/// Fewer calls are not told of.
const FEWEST: u32 = 2;

impl Machine {
    /// Tells the object of the calls from `next` on, `rounds` of them, whose messages lie `stride` slots apart. Returns how many are made
    /// before it is to be told again.
    #[inline(never)]
    pub(super) fn tell(&self, program: &Loaded, next: &Step, stride: u16, rounds: u32, env: &Env<'_>) -> u32 {
        const NEVER: u32 = u32::MAX;
        let op = &program.ops[usize::from(next.b)];
        let operation = op.operation;
        let count = u64::from(rounds).min(self.budget.calls_left);
        let is_portal = |word: &Word| matches!(word, Word::Portal(_)) || lists_portals(word);
        let apart = usize::from(stride) >= next.words() && operation.effect == Effect::Reads;
        let apart = apart && next.flags & Step::APART == 0;
        if count < u64::from(FEWEST) || !apart || operation.layout.ins.iter().any(is_portal) {
            return NEVER;
        }
        if operation.blocks && env.blocking == Blocking::Pauses {
            return 1;
        }
        let Some(portal) = self.portal(next.a).filter(|portal| !portal.is_revoked()) else { return NEVER };
        let table = self.slots.get(usize::from(next.c)..program.slots.len()).unwrap_or_default();
        let Some(calls) =
            Upcoming::new(table, next.words(), usize::from(stride), count as usize, &self.areas)
        else {
            return NEVER;
        };
        let more = portal.object().upcoming(next.number(), &calls);
        u32::try_from(more).unwrap_or(NEVER).max(1)
    }
}

/// Whether the call at `at` is the only one of its array's repeat, is made through one portal, and nothing of the repeat moves
/// words into its messages.
pub(super) fn is_alone(program: &Loaded, at: usize) -> bool {
    let is_repeat = |k: &usize| matches!(program.actions[*k].what, What::Repeat { .. });
    let Some(repeat) = (0..at).rev().find(is_repeat) else { return false };
    let What::Repeat { commands } = program.actions[repeat].what else { return false };
    let What::Call { register_step: 0, message_step, into: NONE, .. } = program.actions[at].what else {
        return false;
    };
    let (call, times) = (program.code[at], u32::from(program.actions[at].times));
    let first = u32::from(call.c);
    let ends = first + (times - 1) * u32::from(message_step) + call.words() as u32;
    (repeat + 1..=repeat + usize::from(commands)).filter(|k| *k != at).all(|k| {
        match program.actions[k].what {
            What::Move { to, to_step, to_stride, size, items, .. } => {
                let last = u32::from(to)
                    + (times - 1) * u32::from(to_step)
                    + (items - 1) * u32::from(to_stride)
                    + u32::from(size);
                last <= first || u32::from(to) >= ends
            }
            What::Call { .. } | What::Repeat { .. } => false,
        }
    })
}
