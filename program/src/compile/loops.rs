//! Loops.

use super::call::Lasts;
use super::condition::When;
use super::{CompileError, Compiler, Loop as OpenLoop, Point, Portals, Storage};
use crate::bytecode::{Loop, NONE, Op, SlotType, UNBOUNDED};
use crate::tree::{Block, CallExpr, DEFAULT_LIMIT, Expr, ExprKind, Limit, Stmt, Ty, VarId};

type Result<T> = std::result::Result<T, CompileError>;

/// Places of a loop, as labels.
#[derive(Clone, Copy)]
struct Labels {
    head: u16,
    test: u16,
    end: u16,
    /// Where `break` goes.
    leave: u16,
}

impl Compiler<'_> {
    /// Where the innermost loop has one of its places: leaves the blocks within its body and goes there.
    pub(super) fn leave_body(&mut self, place: impl FnOnce(&OpenLoop) -> u16) -> Result<()> {
        let Some(open) = self.innermost else { return Err(CompileError::Unsupported("leaving no loop")) };
        self.release_held(open.held);
        self.jump(place(&open));
        Ok(())
    }

    /// Reserves the table entry of a loop; its places are labels until the end.
    fn open_loop(&mut self, own: u64, limit: Limit, line: u32) -> Result<(u16, Labels)> {
        let (head, test, end) = (self.new_label()?, self.new_label()?, self.new_label()?);
        let labels = Labels { head, test, end, leave: end };
        let (limit, default) = match limit {
            Limit::At(n) => (n, false),
            Limit::None if own == UNBOUNDED => (DEFAULT_LIMIT, true),
            Limit::None => (UNBOUNDED, false),
        };
        let counter = self.new_slot(SlotType::Counter)?;
        let index = self.out.loops.len() as u16;
        self.out.loops.push(Loop { head, test, end, counter, own, limit, line, inner: NONE, default });
        Ok((index, labels))
    }

    /// Body, step and test of a loop; `steps` are the slots that count up from one round to the next, `test` goes to
    /// the label that it is given if there is a next round.
    fn rounds(
        &mut self,
        stmt: &Stmt,
        (index, labels): (u16, Labels),
        body: &Block,
        steps: &[u16],
        test: impl FnOnce(&mut Self, u16) -> Result<()>,
    ) -> Result<()> {
        self.rounds_from(stmt, (index, labels), (body, |_: &mut Self| Ok(())), steps, test)
    }

    /// The same with a body that begins with something else than a statement.
    fn rounds_from(
        &mut self,
        stmt: &Stmt,
        (index, labels): (u16, Labels),
        (body, begin): (&Block, impl FnOnce(&mut Self) -> Result<()>),
        steps: &[u16],
        test: impl FnOnce(&mut Self, u16) -> Result<()>,
    ) -> Result<()> {
        let next = if steps.is_empty() { labels.test } else { self.new_label()? };
        self.jump(labels.test);
        self.bind(labels.head);
        self.mark(stmt, Point::Body);
        self.emit(Op::Loop, index, 0, 0, 0);
        let open = OpenLoop { next, end: labels.leave, held: self.held.len() };
        let around = self.innermost.replace(open);
        self.block_from(body, begin)?;
        if !steps.is_empty() {
            self.bind(next);
            self.mark(stmt, Point::Step);
            steps.iter().for_each(|slot| self.emit(Op::AddI, *slot, *slot, 0, 1));
        }
        self.bind(labels.test);
        self.mark(stmt, Point::Test);
        test(self, labels.head)?;
        self.innermost = around;
        self.bind(labels.end);
        Ok(())
    }

    pub(super) fn while_loop(&mut self, stmt: &Stmt, cond: &Expr, limit: Limit, body: &Block) -> Result<()> {
        let open = self.open_loop(UNBOUNDED, limit, stmt.pos.line)?;
        self.reserve(cond)?;
        self.rounds(stmt, open, body, &[], |compiler, head| compiler.branch(cond, head, When::Holds))?;
        self.mark(stmt, Point::End);
        Ok(())
    }

    pub(super) fn for_range(
        &mut self,
        stmt: &Stmt,
        var: VarId,
        (from, to): (&Expr, &Expr),
        limit: Limit,
        body: &Block,
    ) -> Result<()> {
        let own = match (&from.kind, &to.kind) {
            (ExprKind::Int(from), ExprKind::Int(to)) => to.saturating_sub(*from).max(0) as u64,
            _ => UNBOUNDED,
        };
        let next = self.new_slot(SlotType::Int)?;
        self.scalar_into(next, from)?;
        let bound = self.new_slot(SlotType::Int)?;
        self.scalar_into(bound, to)?;
        self.vars[var.index()] = Storage::Slot(next);
        let open = self.open_loop(own, limit, stmt.pos.line)?;
        self.rounds(stmt, open, body, &[next], |compiler, head| {
            compiler.emit(Op::JumpLt, next, bound, head, 0);
            Ok(())
        })?;
        self.mark(stmt, Point::End);
        Ok(())
    }

    pub(super) fn for_list(
        &mut self,
        stmt: &Stmt,
        (var, index): (VarId, Option<VarId>),
        list: VarId,
        limit: Limit,
        body: &Block,
    ) -> Result<()> {
        if let Storage::Portals(portals) = self.vars[list.index()] {
            return self.for_portals(stmt, (var, index), portals, limit, body);
        }
        let slot = self.list_slot(list)?;
        let own = match &self.tree.vars[list.index()].ty {
            Ty::List(_, cap) => u64::from(*cap),
            _ => UNBOUNDED,
        };
        let at = self.begin_at_first(index)?;
        let counted = self.counted(slot);
        let count = counted.map_or_else(|| self.new_slot(SlotType::Int), Ok)?;
        self.vars[var.index()] = Storage::Element(slot, at);
        let open = self.open_loop(own, limit, stmt.pos.line)?;
        self.rounds(stmt, open, body, &[at], |compiler, head| match counted {
            Some(_) => {
                compiler.emit(Op::JumpLt, at, count, head, 0);
                Ok(())
            }
            None => compiler.while_below_count(at, (count, slot), head),
        })?;
        self.mark(stmt, Point::End);
        Ok(())
    }

    /// The place of the element in its list, from 0 on, which is a variable of the program if that has one for it.
    fn begin_at_first(&mut self, index: Option<VarId>) -> Result<u16> {
        let at = self.new_slot(SlotType::Int)?;
        self.emit(Op::Load, at, 0, 0, 0);
        if let Some(index) = index {
            self.vars[index.index()] = Storage::Slot(at);
        }
        Ok(at)
    }

    /// A loop over a list of portals. The element is a portal of the body.
    fn for_portals(
        &mut self,
        stmt: &Stmt,
        (var, index): (VarId, Option<VarId>),
        portals: Portals,
        limit: Limit,
        body: &Block,
    ) -> Result<()> {
        let at = self.begin_at_first(index)?;
        let open = self.open_loop(portals.registers.most.into(), limit, stmt.pos.line)?;
        let begin = |compiler: &mut Self| {
            compiler.declare(var)?;
            if let Storage::Register(register) = compiler.vars[var.index()] {
                compiler.pick(register, portals, at);
            }
            Ok(())
        };
        self.rounds_from(stmt, open, (body, begin), &[at], |compiler, head| {
            compiler.emit(Op::JumpLt, at, portals.count, head, 0);
            Ok(())
        })?;
        self.mark(stmt, Point::End);
        Ok(())
    }

    /// Goes to `head` while `at` is below the number of elements of a list, which is put into `count`.
    fn while_below_count(&mut self, at: u16, (count, list): (u16, u16), head: u16) -> Result<()> {
        self.emit(Op::Count, count, list, 0, 0);
        self.emit(Op::JumpLt, at, count, head, 0);
        Ok(())
    }

    /// A loop over pages around one over the entries of a page:
    ///
    /// ```text
    ///         cursor = ""; arguments
    /// page:   loop P; arguments that come back changed; call; at = 0; jump test
    /// body:   loop B; body
    /// step:   at += 1
    /// test:   count; at < count → body
    /// next:   last → end; cursor = key of the last entry; jump page
    /// end:
    /// ```
    pub(super) fn for_paged(
        &mut self,
        stmt: &Stmt,
        (var, index_var): (VarId, Option<VarId>),
        call: &CallExpr,
        limit: Limit,
        body: &Block,
    ) -> Result<()> {
        let tree = self.tree;
        let op = &tree.ops[call.op.index()];
        let paged = op.paged.ok_or(CompileError::Unsupported("a loop over this call"))?;
        // What the loop needs outside of its body is evaluated before it, so it counts once.
        let site = self.call_site(call, Lasts::Pages)?;
        let (pages, outer) = self.open_loop(UNBOUNDED, Limit::At(UNBOUNDED), stmt.pos.line)?;
        let (key, key_max) = self.key_of(op, paged).ok_or(CompileError::Unsupported("pages of this kind"))?;
        let cursor = self.new_slot(SlotType::Str(key_max))?;
        self.reset(cursor);
        let cursor_arg = self.argument(&site, paged.cursor.into());
        self.emit(Op::Move, cursor_arg, cursor, 0, 0);
        let (page, last) = (self.outcome(&site, paged.page.into()), self.outcome(&site, paged.last.into()));
        // Those of a page are released by the next, and behind the last with what the block around holds.
        let portals = match &op.results[usize::from(paged.page)] {
            ty if tree.lists_portals(ty) => self.columns(page, ty)?,
            _ => Vec::new(),
        };
        let (at, count) = (self.new_slot(SlotType::Int)?, self.new_slot(SlotType::Int)?);
        let overall = index_var.map(|_| self.new_slot(SlotType::Int)).transpose()?;
        if let Some(overall) = overall {
            self.emit(Op::Load, overall, 0, 0, 0);
        }
        let shared = self.shared_slots(&site, op);
        let sent = shared.clone().map(|slot| self.new_slot(self.out.slots[slot as usize]));
        let sent = sent.collect::<Result<Vec<_>>>()?;
        shared.clone().zip(&sent).for_each(|(slot, sent)| self.emit(Op::Move, *sent, slot, 0, 0));

        self.bind(outer.head);
        self.mark(stmt, Point::Page);
        self.emit(Op::Loop, pages, 0, 0, 0);
        shared.zip(&sent).for_each(|(slot, sent)| self.emit(Op::Move, slot, *sent, 0, 0));
        self.emit_call(&call.target, call.op, &site, None);
        self.mark(call, Point::After);
        self.take_columns(page, &portals, true);
        self.emit(Op::Load, at, 0, 0, 0);

        self.vars[var.index()] = Storage::Element(page, at);
        if let (Some(index), Some(overall)) = (index_var, overall) {
            self.vars[index.index()] = Storage::Slot(overall);
        }
        let (entries, mut inner) = self.open_loop(UNBOUNDED, limit, stmt.pos.line)?;
        self.out.loops[pages as usize].inner = entries;
        // `break` leaves the pages, not only this one.
        inner.leave = outer.end;
        let steps: Vec<u16> = std::iter::once(at).chain(overall).collect();
        self.rounds(stmt, (entries, inner), body, &steps, |compiler, head| {
            compiler.while_below_count(at, (count, page), head)
        })?;

        self.mark(stmt, Point::PageEnd);
        self.emit(Op::JumpNeI, last, 0, outer.end, 0);
        self.mark(stmt, Point::Then);
        self.next_page(stmt, outer, (page, count), (cursor, cursor_arg), key)?;
        self.bind(outer.test);
        self.bind(outer.end);
        self.mark(stmt, Point::End);
        Ok(())
    }

    /// Sets the cursor to the key of the page's last entry and goes on, unless the page was empty.
    fn next_page(
        &mut self,
        stmt: &Stmt,
        outer: Labels,
        (page, count): (u16, u16),
        (cursor, cursor_arg): (u16, u16),
        key: u16,
    ) -> Result<()> {
        self.emit(Op::JumpEqI, count, 0, outer.end, 0);
        self.mark(stmt, Point::NextPage);
        let SlotType::List(layout, _) = self.out.slots[page as usize] else {
            return Err(CompileError::Unsupported("a page that is no list"));
        };
        let (first, _) = self.out.layouts[layout as usize];
        let reference = self.temp(self.out.layout_words[(first + key) as usize])?;
        let at = self.temp(SlotType::Int)?;
        self.emit(Op::AddI, at, count, 0, -1i64 as u64);
        self.emit(Op::Get, reference, page, at, u64::from(key));
        self.emit(Op::Set, cursor, reference, 0, 0);
        self.emit(Op::Move, cursor_arg, cursor, 0, 0);
        self.jump(outer.head);
        Ok(())
    }

    /// Word at which the key of a paged operation lies in an element, and the key's longest length.
    fn key_of(&self, op: &crate::tree::Op, paged: crate::tree::Paged) -> Option<(u16, u32)> {
        let Ty::List(element, _) = &op.results[paged.page as usize] else { return None };
        let Ty::Record(id) = **element else { return None };
        match self.tree.field(id, paged.key) {
            (word, Ty::Str(max)) => Some((word as u16, *max)),
            _ => None,
        }
    }
}
