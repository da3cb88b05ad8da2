//! Statements and loops.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::Ordering as Memory;

use carnet_portal::panics::drop_quietly;

use super::call::Columns;
use super::expr::computed;
use super::{Eval, Exit, INTERNAL, Owner, Register, Run, Scope, Value, fault, stop};
use crate::compile::Point;
use crate::interp::{FaultKind, Sorting, Stop, moved_at_once};
use crate::tree::{ArithOp, Bind, Block, CallExpr, Expr, ExprKind, Place, Stmt, StmtKind, Ty, VarId};

impl Run<'_> {
    /// Runs a block in a scope of its own.
    pub(super) fn block(&mut self, block: &Block) -> Eval<()> {
        self.block_from(block, |_| Ok(()))
    }

    /// One that begins with something else than a statement.
    fn block_from(&mut self, block: &Block, begin: impl FnOnce(&mut Self) -> Eval<()>) -> Eval<()> {
        self.scopes.push(Scope { places: Vec::new(), from: self.registers.len() });
        let declared = self.declared.len();
        let how = begin(self).and_then(|()| block.stmts.iter().try_for_each(|stmt| self.stmt(stmt)));
        self.declared.truncate(declared);
        self.close(&how);
        if !matches!(how, Err(Exit::Stop(_) | Exit::Return(_))) {
            block.stmts.iter().for_each(|stmt| self.forget(stmt));
        }
        how
    }

    /// The block of a variable has ended: what it shared with others is theirs alone. What there is of the result stays.
    fn forget(&mut self, stmt: &Stmt) {
        let vars = match &stmt.kind {
            StmtKind::Let { var, .. } | StmtKind::Declare(var) => std::slice::from_ref(var),
            StmtKind::LetParts { vars, .. } | StmtKind::Try { bind: Bind::Parts(vars), .. } => vars,
            StmtKind::Try { bind: Bind::Let(var), .. } => std::slice::from_ref(var),
            _ => return,
        };
        let is_shared = |value: &Value| matches!(value, Value::Text(_) | Value::Record(_) | Value::List(_));
        let result = self.result;
        for var in vars.iter().filter(|var| result != Some(**var)) {
            if self.values[var.index()].take_if(|value| is_shared(value)).is_some() {
                self.weighs_nothing(*var);
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Eval<()> {
        self.here = if stmt.pos.line == 0 { self.here } else { stmt.pos };
        let passing = self.passing();
        let how = self.carry_out(stmt);
        self.let_pass(passing);
        how
    }

    fn carry_out(&mut self, stmt: &Stmt) -> Eval<()> {
        if self.watch.is_some() {
            self.tell_of_statement()?;
            let said = self.shown(|watch, state| watch.statement(stmt.pos, state));
            Self::go_on(said)?;
        }
        match &stmt.kind {
            StmtKind::Let { var, value } => self.bind(*var, value),
            StmtKind::Declare(var) => self.declare(*var),
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::Update { place, op, value } => self.update(place, *op, value),
            StmtKind::Add { list, value } => self.add(*list, value),
            StmtKind::Sort { list, keys } => self.sort(*list, keys),
            StmtKind::Do(expr) => self.effect(expr),
            StmtKind::Repeat(repeat) => self.repeat(repeat),
            StmtKind::Move { from, to, count } => {
                self.charge(u64::from(*count))?;
                for k in 0..*count {
                    let value = self.word(from, k)?.clone();
                    *self.word(to, k)? = value;
                }
                Ok(())
            }
            StmtKind::If { arms, otherwise } => {
                let mut chosen = otherwise;
                for (cond, then) in arms {
                    if self.holds(cond)? {
                        self.at(cond, Point::Then)?;
                        chosen = then;
                        break;
                    }
                    self.at(cond, Point::Else)?;
                }
                self.block(chosen)?;
                self.at(stmt, Point::End).map(drop)
            }
            StmtKind::While { cond, body, .. } => self.while_loop(stmt, cond, body),
            StmtKind::ForRange { var, from, to, body, .. } => self.for_range(stmt, *var, (from, to), body),
            StmtKind::ForList { var, index, list, body, .. } => {
                self.for_list(stmt, (*var, *index), *list, body)
            }
            StmtKind::ForPaged { var, index, call, body, .. } => {
                self.for_paged(stmt, (*var, *index), call, body)
            }
            StmtKind::Try { bind, value, kind, message, otherwise } => {
                self.try_else(stmt, (bind, value), (*kind, *message), otherwise)
            }
            StmtKind::Return(value) => {
                let value = match (value, &self.tree.result) {
                    (None, _) | (_, None) => None,
                    (Some(value), Some(ty)) => Some(self.into(value, ty)?),
                };
                Err(Exit::Return(value))
            }
            StmtKind::Break => Err(Exit::Break),
            StmtKind::Continue => Err(Exit::Continue),
            StmtKind::Fail(message) => {
                let message = self.value(message)?.text().to_vec();
                stop(Stop::Failed(message))
            }
            StmtKind::Leave(value) => {
                if let (Some(value), Some(Some(var))) = (value, self.inlines.last().copied()) {
                    self.store(var, value)?;
                }
                Err(Exit::Leave)
            }
            StmtKind::LetParts { vars, call } => self.call_for_parts(call, vars),
        }
    }

    pub(super) fn is_portal(&self, var: VarId) -> bool {
        matches!(self.tree.vars[var.index()].ty, Ty::Portal(_))
    }

    /// Declares a variable as zero or empty; a portal's place is as it is.
    pub(super) fn declare(&mut self, var: VarId) -> Eval<()> {
        self.declared(var);
        let ty = &self.tree.vars[var.index()].ty;
        match ty {
            Ty::Portal(_) => self.portals[var.index()] = Some(self.place_of(Owner::Var(var))),
            ty => {
                if let Some(all) = self.places_in(Owner::Var(var), ty) {
                    self.portals[var.index()] = Some(all.first);
                }
                self.set(var, Value::zero(self.tree, ty))?;
            }
        }
        Ok(())
    }

    fn bind(&mut self, var: VarId, value: &Expr) -> Eval<()> {
        self.bound(var, value)?;
        self.declared(var);
        Ok(())
    }

    fn bound(&mut self, var: VarId, value: &Expr) -> Eval<()> {
        if !self.is_portal(var) {
            return self.store(var, value);
        }
        let copied = match &value.kind {
            ExprKind::Var(from) => self.changes(var) || self.changes(*from),
            _ => self.changes(var),
        };
        if copied {
            self.declare(var)?;
            return self.store(var, value);
        }
        self.portals[var.index()] = Some(self.portal(value)?);
        Ok(())
    }

    fn store(&mut self, var: VarId, value: &Expr) -> Eval<()> {
        if !self.is_portal(var) {
            let place = Place { var, index: None, fields: Vec::new() };
            if let Some(parts) = self.appended(&place, value) {
                return self.append(&place, &self.tree.vars[var.index()].ty, parts);
            }
            let passing = self.passing();
            let value = self.into(value, &self.tree.vars[var.index()].ty)?;
            self.let_pass(passing);
            return self.set(var, value);
        }
        let to = self.portal_of(var)?;
        if let ExprKind::Call(call) = &value.kind {
            return self.call_for_portal(call, Some(to)).map(drop);
        }
        let from = match &value.kind {
            ExprKind::Index(list, index) => self.picked(*list, index)?,
            ExprKind::Field(..) => self.picked_field(value)?,
            _ => self.portal(value)?,
        };
        if from != to {
            self.share(to, from);
        }
        Ok(())
    }

    fn effect(&mut self, expr: &Expr) -> Eval<()> {
        let portal = match &expr.kind {
            ExprKind::Call(call) => matches!(self.tree.ops[call.op.index()].value, Some(Ty::Portal(_))),
            ExprKind::Inline(inline) => inline.result.is_some_and(|var| self.is_portal(var)),
            ExprKind::Var(var) => self.is_portal(*var),
            _ => false,
        };
        if portal { self.portal(expr).map(drop) } else { self.value(expr).map(drop) }
    }

    // Changes.

    fn assign(&mut self, place: &Place, value: &Expr) -> Eval<()> {
        if place.index.is_none() && place.fields.is_empty() {
            return self.store(place.var, value);
        }
        let ty = self.place_type(place)?;
        if let Some(parts) = self.appended(place, value) {
            return self.append(place, &ty, parts);
        }
        let index = self.index(place)?;
        let passing = self.passing();
        let value = self.into(value, &ty)?;
        self.put(place, index, &ty, (value, passing))
    }

    fn index(&mut self, place: &Place) -> Eval<Option<i64>> {
        place.index.as_ref().map(|index| Ok(self.value(index)?.int())).transpose()
    }

    fn place_type(&self, place: &Place) -> Eval<Ty> {
        let mut ty = match (&self.tree.vars[place.var.index()].ty, &place.index) {
            (Ty::List(element, _), Some(_)) => element,
            (ty, _) => ty,
        };
        for field in &place.fields {
            let Ty::Record(id) = ty else { return stop(INTERNAL) };
            ty = &self.tree.records[id.index()].fields[*field as usize].1;
        }
        Ok(ty.clone())
    }

    /// What a place names.
    pub(super) fn find(&mut self, place: &Place, index: Option<i64>) -> Eval<&mut Value> {
        let Some(whole) = self.values[place.var.index()].as_mut() else { return stop(INTERNAL) };
        let found = match (index, whole) {
            (Some(index), Value::List(elements)) => {
                let at = usize::try_from(index).ok().filter(|k| *k < elements.len());
                let element = at.and_then(|k| Arc::make_mut(elements).get_mut(k));
                element.ok_or(Exit::Stop(Stop::Fault(FaultKind::Index)))?
            }
            (_, whole) => whole,
        };
        place.fields.iter().try_fold(found, |found, field| match found {
            Value::Record(fields) => Ok(&mut fields[*field as usize]),
            _ => stop(INTERNAL),
        })
    }

    /// Changes a place, to a value that was computed when so much was passing. A text that goes into a list is copied there.
    fn put(
        &mut self,
        place: &Place,
        index: Option<i64>,
        ty: &Ty,
        (value, passing): (Value, u64),
    ) -> Eval<()> {
        self.find(place, index)?;
        if index.is_some() {
            self.copy(&value, ty)?;
        }
        let weight = value.weight();
        let before = std::mem::replace(self.find(place, index)?, value).weight();
        self.let_pass(passing);
        self.grow(place.var, before, weight)
    }

    fn update(&mut self, place: &Place, op: ArithOp, value: &Expr) -> Eval<()> {
        let ty = self.place_type(place)?;
        let index = self.index(place)?;
        self.find(place, index)?;
        let passing = self.passing();
        let value = self.value(value)?;
        if let Ty::Str(max) | Ty::Bytes(max) = ty {
            self.charge(value.text().len() as u64 / 64)?;
            let Value::Text(text) = self.find(place, index)? else { return stop(INTERNAL) };
            if text.len() + value.text().len() > max as usize {
                return fault(FaultKind::TextTooLong);
            }
            Arc::make_mut(text).extend_from_slice(value.text());
            self.let_pass(passing);
            return self.grow(place.var, 0, value.text().len() as u64);
        }
        let old = self.find(place, index)?.clone();
        *self.find(place, index)? = computed(op, &old, &value)?;
        Ok(())
    }

    fn add(&mut self, list: VarId, value: &Expr) -> Eval<()> {
        let Ty::List(element, max) = &self.tree.vars[list.index()].ty else { return stop(INTERNAL) };
        if self.portals_in(list).is_some() {
            let from = self.portal(value)?;
            let all = self.portals_of(list)?;
            if all.len() >= *max as usize {
                return fault(FaultKind::ListFull);
            }
            self.share(all.end, from);
            let Some(Value::List(elements)) = &mut self.values[list.index()] else { return stop(INTERNAL) };
            let one = Value::Int(0);
            let weight = one.weight();
            Arc::make_mut(elements).push(one);
            return self.grow(list, 0, weight);
        }
        let passing = self.passing();
        let mut value = match &**element {
            ty @ Ty::Record(_) => self.into(value, ty)?,
            _ => self.value(value)?,
        };
        self.keep(list, &mut value)?;
        let mut texts = Vec::new();
        value.texts(self.tree, element, &mut texts);
        self.charge(texts.iter().map(|(text, _)| text.len() as u64).sum::<u64>() / 64)?;
        let Some(Value::List(elements)) = &mut self.values[list.index()] else { return stop(INTERNAL) };
        if elements.len() >= *max as usize {
            return fault(FaultKind::ListFull);
        }
        if texts.iter().any(|(text, max)| text.len() > *max) {
            return fault(FaultKind::TextTooLong);
        }
        let weight = value.weight();
        Arc::make_mut(elements).push(value);
        self.let_pass(passing);
        self.grow(list, 0, weight)
    }

    /// The portals in a struct that is added to a list go to the places that this has for them.
    fn keep(&mut self, list: VarId, value: &mut Value) -> Eval<()> {
        let Some(Columns { first, most, words }) = self.columns_of(list) else { return Ok(()) };
        let at = self.var(list)?.elements().len();
        if at >= most {
            return fault(FaultKind::ListFull);
        }
        let found = value.each_of_words(&words, |column, word| {
            let to = first + column * most + at;
            let from = std::mem::replace(word, Value::Int(to as i64)).int() as Register;
            self.share(to, from);
        });
        if found == words.len() { Ok(()) } else { stop(INTERNAL) }
    }

    fn sort(&mut self, list: VarId, keys: &[u16]) -> Eval<()> {
        let Ty::List(element, _) = &self.tree.vars[list.index()].ty else { return stop(INTERNAL) };
        let count = self.var(list)?.elements().len() as u64;
        // As many comparisons as count × ⌈log2 count⌉, for each key, each of them of texts of full length.
        let rounds = count.next_power_of_two().trailing_zeros();
        let (mut all, mut charged) = (0, 0);
        for key in keys.iter().rev() {
            let ty = match &**element {
                Ty::Record(id) => &self.tree.records[id.index()].fields[*key as usize].1,
                ty => ty,
            };
            let each = match ty {
                Ty::Str(max) | Ty::Bytes(max) => 1 + u64::from(*max) / 64,
                _ => 1,
            };
            self.charge(count * u64::from(rounds) * each)?;
            (all, charged) = (all + each, charged + count * u64::from(rounds) * each);
        }
        let mut sorting = Sorting::new(count as u32, all);
        loop {
            let elements = self.var(list)?.elements();
            let compare = |a: &u32, b: &u32| {
                let (a, b) = (&elements[*a as usize], &elements[*b as usize]);
                let order = keys.iter().map(|key| {
                    let (a, b) = (key_of(a, *key), key_of(b, *key));
                    a.text().cmp(b.text()).then(a.int().cmp(&b.int()))
                });
                order.fold(Ordering::Equal, Ordering::then)
            };
            let goes_on = || self.env.interrupt.load(Memory::Relaxed) == 0;
            if let Some(order) = sorting.advance(compare, goes_on) {
                return self.put_in_order(list, order, charged);
            }
            if let Err(stop) = self.interrupted() {
                // As if it had not begun.
                self.budget.instructions_left += charged;
                return Err(stop);
            }
        }
    }

    /// Puts the elements of a list in their places. `charged` is given back if the run is to end meanwhile.
    fn put_in_order(&mut self, list: VarId, order: &[u32], charged: u64) -> Eval<()> {
        let Ty::List(element, _) = &self.tree.vars[list.index()].ty else { return stop(INTERNAL) };
        let each = match &**element {
            Ty::Record(id) => self.tree.records[id.index()].fields.len(),
            _ => 1,
        };
        let mut in_order = Vec::with_capacity(order.len());
        for piece in order.chunks(moved_at_once(4 * each)) {
            if !in_order.is_empty()
                && let Err(stop) = self.interrupted()
            {
                self.put_back(list, order, in_order);
                self.budget.instructions_left += charged;
                return Err(stop);
            }
            let Some(Value::List(elements)) = &mut self.values[list.index()] else { return stop(INTERNAL) };
            match Arc::get_mut(elements) {
                Some(elements) => {
                    let taken = |k: &u32| std::mem::replace(&mut elements[*k as usize], Value::Int(0));
                    in_order.extend(piece.iter().map(taken));
                }
                // Others have it, too.
                None => in_order.extend(piece.iter().map(|k| elements[*k as usize].clone())),
            }
        }
        self.values[list.index()] = Some(Value::List(Arc::new(in_order)));
        Ok(())
    }

    /// What was taken out of a list is there again, if anybody may look at it when the run has ended: if it is the result, and no longer
    /// than that may be. It takes as long as taking it out.
    fn put_back(&mut self, list: VarId, order: &[u32], taken: Vec<Value>) {
        let is_seen = self.result == Some(list) && 4 * order.len() as u64 <= self.budget.returned_max;
        if is_seen
            && let Some(Value::List(elements)) = &mut self.values[list.index()]
            && let Some(elements) = Arc::get_mut(elements)
        {
            order.iter().zip(taken).for_each(|(k, value)| elements[*k as usize] = value);
        }
    }

    // Loops.

    /// Runs the body of a loop once; whether the loop goes on.
    fn round(&mut self, stmt: &Stmt, body: &Block) -> Eval<bool> {
        self.enter(stmt, Point::Body)?;
        self.scoped_round(body)
    }

    fn scoped_round(&mut self, body: &Block) -> Eval<bool> {
        self.scoped_round_from(body, |_| Ok(()))
    }

    fn scoped_round_from(&mut self, body: &Block, begin: impl FnOnce(&mut Self) -> Eval<()>) -> Eval<bool> {
        match self.block_from(body, begin) {
            Ok(()) | Err(Exit::Continue) => Ok(true),
            Err(Exit::Break) => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn while_loop(&mut self, stmt: &Stmt, cond: &Expr, body: &Block) -> Eval<()> {
        self.reserve(cond)?;
        let passing = self.passing();
        loop {
            self.let_pass(passing);
            self.at(stmt, Point::Test)?;
            if !self.holds(cond)? || !self.round(stmt, body)? {
                break;
            }
        }
        self.at(stmt, Point::End).map(drop)
    }

    fn for_range(&mut self, stmt: &Stmt, var: VarId, (from, to): (&Expr, &Expr), body: &Block) -> Eval<()> {
        let (from, to) = (self.value(from)?.int(), self.value(to)?.int());
        let mut next = from;
        loop {
            self.at(stmt, Point::Test)?;
            if next >= to {
                break;
            }
            self.set(var, Value::Int(next))?;
            self.declared(var);
            if !self.round(stmt, body)? {
                break;
            }
            self.at(stmt, Point::Step)?;
            next += 1;
        }
        self.at(stmt, Point::End).map(drop)
    }

    fn set_element(&mut self, (var, index): (VarId, Option<VarId>), element: Value, k: usize) -> Eval<()> {
        self.set(var, element)?;
        self.declared(var);
        if let Some(index) = index {
            self.set(index, Value::Int(k as i64))?;
            self.declared(index);
        }
        Ok(())
    }

    /// A loop over a list of portals. The element is a portal of the body.
    fn for_portals(
        &mut self,
        stmt: &Stmt,
        (var, index): (VarId, Option<VarId>),
        list: VarId,
        body: &Block,
    ) -> Eval<()> {
        for k in 0.. {
            self.at(stmt, Point::Test)?;
            let Some(from) = self.portals_of(list)?.nth(k) else { break };
            if let Some(index) = index {
                self.set(index, Value::Int(k as i64))?;
                self.declared(index);
            }
            self.enter(stmt, Point::Body)?;
            let goes_on = self.scoped_round_from(body, |run| {
                run.declare(var)?;
                let to = run.portal_of(var)?;
                run.share(to, from);
                Ok(())
            })?;
            if !goes_on {
                break;
            }
            self.at(stmt, Point::Step)?;
        }
        self.at(stmt, Point::End).map(drop)
    }

    fn for_list(&mut self, stmt: &Stmt, vars: (VarId, Option<VarId>), list: VarId, body: &Block) -> Eval<()> {
        if self.portals_in(list).is_some() {
            return self.for_portals(stmt, vars, list, body);
        }
        for k in 0.. {
            self.at(stmt, Point::Test)?;
            let Some(element) = self.var(list)?.elements().get(k).cloned() else { break };
            self.set_element(vars, element, k)?;
            if !self.round(stmt, body)? {
                break;
            }
            self.at(stmt, Point::Step)?;
        }
        self.at(stmt, Point::End).map(drop)
    }

    fn for_paged(
        &mut self,
        stmt: &Stmt,
        vars: (VarId, Option<VarId>),
        call: &CallExpr,
        body: &Block,
    ) -> Eval<()> {
        let Some(paged) = self.tree.ops[call.op.index()].paged else { return stop(INTERNAL) };
        let (register, mut args) = self.kept_site(call)?;
        let mut overall = 0;
        let passing = self.passing();
        'pages: loop {
            self.let_pass(passing);
            self.enter(stmt, Point::Page)?;
            let mut results = self.perform(call, register, &args)?;
            let last = results[paged.last as usize].bool();
            let mut page = results.swap_remove(paged.page as usize);
            self.take_page(call, paged, &mut page)?;
            let Value::List(page) = page else { return stop(INTERNAL) };
            for element in page.iter() {
                self.at(stmt, Point::Test)?;
                self.set_element(vars, element.clone(), overall)?;
                if !self.round(stmt, body)? {
                    break 'pages;
                }
                self.at(stmt, Point::Step)?;
                overall += 1;
            }
            self.at(stmt, Point::Test)?;
            self.at(stmt, Point::PageEnd)?;
            if last {
                break;
            }
            self.at(stmt, Point::Then)?;
            let Some(end) = page.last() else { break };
            self.at(stmt, Point::NextPage)?;
            let cursor = key_of(end, paged.key).clone();
            self.charge(cursor.text().len() as u64 / 64)?;
            args.values[paged.cursor as usize] = cursor;
        }
        self.at(stmt, Point::End).map(drop)
    }

    // Errors.

    fn try_else(
        &mut self,
        stmt: &Stmt,
        (bind, value): (&Bind, &Expr),
        (kind, message): (VarId, VarId),
        otherwise: &Block,
    ) -> Eval<()> {
        self.handlers += 1;
        let how = match bind {
            Bind::None => self.effect(value),
            Bind::Let(var) => self.bind(*var, value),
            Bind::Assign(place) => self.assign(place, value),
            Bind::Parts(vars) => match &value.kind {
                ExprKind::Call(call) => self.call_for_parts(call, vars),
                _ => stop(INTERNAL),
            },
        };
        self.handlers -= 1;
        match how {
            Err(Exit::Raised(failure)) => {
                self.handled();
                let interrupted = self.interrupted();
                self.stops_before(stmt, Point::Handler, interrupted)?;
                self.at(stmt, Point::Handler)?;
                for register in std::mem::take(&mut self.left) {
                    drop_quietly(self.registers[register].take());
                }
                self.set(kind, Value::Enum(failure.details().raised))?;
                let max = match self.tree.vars[message.index()].ty {
                    Ty::Str(max) => max as usize,
                    _ => 0,
                };
                let text = clipped(&failure.details().message, max);
                self.set(message, Value::Text(Arc::new(text.into_bytes())))?;
                self.block(otherwise)?;
            }
            other => other?,
        }
        self.at(stmt, Point::End).map(drop)
    }
}

/// The characters of `text` that fit into `max` bytes.
fn clipped(text: &str, max: usize) -> String {
    text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= max).map(|(_, c)| c).collect()
}

fn key_of(element: &Value, key: u16) -> &Value {
    match element {
        Value::Record(fields) => &fields[key as usize],
        value => value,
    }
}
