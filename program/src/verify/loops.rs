//! The loop table: that loops nest, and how often each can be entered.
//!
//! The bound of a loop's body is its limit, or how often the loop is reached times what one entry allows,
//! whichever is less; a loop over pages goes on at most once for each entry that the loop inside it takes.

use super::{Inner, NESTING_MAX, Verifier};
use crate::bytecode::{Ins, Loop, NONE, Op, SlotType, UNBOUNDED};
use crate::verify::BoundLoop;

impl Verifier<'_> {
    /// Checks that loops nest, computes their bounds, and notes the innermost loop of each instruction.
    pub(super) fn loop_table(&mut self) -> Option<()> {
        let view = self.view;
        let n = view.code.len();
        self.scratch.inner.clear();
        self.scratch.inner.resize(n, Inner { of: NONE, leader: false });
        let (mut open, mut depth) = ([0u16; NESTING_MAX], 0);
        for k in 0..view.loops.len() {
            let Some(l) = view.loop_at(k) else {
                return self.table_fault("loop", format!("loop {k} is damaged"));
            };
            while depth > 0 && self.out.loops[open[depth - 1] as usize].table.end <= l.head {
                depth -= 1;
            }
            if let Some(problem) = self.loop_problem(k, &l, &open[..depth]) {
                return self.table_fault("loop", format!("loop {k} (line {}): {problem}", l.line));
            }
            let reached = match open[..depth].last() {
                None => 1,
                Some(o) => runs(&self.out.loops[*o as usize], l.head),
            };
            let bound = self.loop_bound(k, &l, reached)?;
            self.out.totals.defaults += u64::from(l.default);
            self.scratch.inner[l.head as usize..l.end as usize].fill(Inner { of: k as u16, leader: false });
            self.out.loops.push(BoundLoop { table: l, bound, reached });
            (open[depth], depth) = (k as u16, depth + 1);
        }
        Some(())
    }

    fn loop_problem(&self, k: usize, l: &Loop, open: &[u16]) -> Option<String> {
        let n = self.view.code.len();
        if l.head == 0 || l.head >= l.test || l.test > l.end || l.end as usize >= n {
            return Some(format!("its places {}, {}, {} are not in order", l.head, l.test, l.end));
        }
        if k > 0 && l.head <= self.out.loops[k - 1].table.head {
            return Some("it does not come after the loop before it".to_owned());
        }
        if open.len() >= NESTING_MAX {
            return Some(format!("loops are nested deeper than {NESTING_MAX}"));
        }
        if let Some(o) = open.last() {
            let outer = &self.out.loops[*o as usize].table;
            let edge = if l.head < outer.test { outer.test } else { outer.end };
            if l.end > edge {
                return Some("it overlaps the loop around it".to_owned());
            }
        }
        if self.out.slots.get(l.counter as usize) != Some(&SlotType::Counter) {
            return Some("its counter is no counter".to_owned());
        }
        match Ins::decode(&self.view.code[l.head as usize]) {
            Ok(Ins { op: Op::Loop, a, .. }) if a as usize == k => None,
            _ => Some("at its head stands another instruction".to_owned()),
        }
    }

    fn loop_bound(&mut self, k: usize, l: &Loop, reached: u64) -> Option<u64> {
        let mut bound = l.limit;
        // A product or sum that saturates is a bound all the same, though one that says nothing.
        let mut bounded = l.limit != UNBOUNDED;
        if l.own != UNBOUNDED {
            (bound, bounded) = (bound.min(reached.saturating_mul(l.own)), true);
        }
        if l.inner != NONE {
            let inside = self.view.loop_at(l.inner as usize);
            match inside {
                Some(i) if l.inner as usize > k && i.head < l.end && i.limit != UNBOUNDED => {
                    (bound, bounded) = (bound.min(reached.saturating_add(i.limit)), true);
                }
                _ => return self.table_fault("loop", format!("loop {k} goes over pages without entries")),
            }
        }
        if !bounded {
            return self.table_fault("no-limit", format!("loop {k} (line {}) has no bound", l.line));
        }
        Some(bound)
    }
}

/// How often instruction `at` of a loop can run.
pub(super) fn runs(l: &BoundLoop, at: u16) -> u64 {
    if at < l.table.test { l.bound } else { l.bound.saturating_add(l.reached) }
}
