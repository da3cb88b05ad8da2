//! Calls: the block that a service sees is made anew for each.

use std::ops::Range;
use std::sync::Arc;

use carnet_idl::cost::work;
use carnet_idl::descriptor::{Effect, TypeHash};
use carnet_portal::call::{Area, Areas, Call, Failure, Kind, Ref};
use carnet_portal::capability::Capability;
use carnet_portal::panics::{drop_quietly, survived};

use super::{Eval, Exit, INTERNAL, Owner, Register, Run, Value, fault, stop};
use crate::compile::{Point, node};
use crate::interp::{
    Answer, Blocking, FaultKind, Mode, Pretended, Stop, counts_as_done, was_not_sent, written_by_failed,
};
use crate::limits::LimitKind;
use crate::tree::{
    CallExpr, Expr, ExprKind, InterfaceId, Op, OpId, Paged, Repeat, RepeatArg, Strided, Ty, VarId,
};
use crate::unions;
use crate::verify::BoundOp;

/// Arguments of a call.
#[derive(Default)]
pub(super) struct Args {
    /// One for each of the operation's; nothing in place of a portal.
    pub(super) values: Vec<Value>,
    portals: Vec<Option<Register>>,
    /// Those of them that are lists of portals: which, and where these are.
    lists: Vec<(usize, Range<Register>)>,
    /// Those of them that are lists of structs with portals: which, and the words of an element that are portals.
    structs: Vec<(usize, Vec<(u16, InterfaceId)>)>,
}

/// Where the portals in the elements of a list are: those of its first word that is one, then those of the next.
pub(super) struct Columns {
    pub(super) first: Register,
    pub(super) most: usize,
    pub(super) words: Vec<(u16, InterfaceId)>,
}

impl Run<'_> {
    /// What a call is worth.
    pub(super) fn call(&mut self, call: &CallExpr) -> Eval<Value> {
        let (register, args) = self.site(call)?;
        let mut results = self.perform(call, register, &args)?;
        Ok(match &self.tree.ops[call.op.index()].value {
            Some(Ty::Record(_)) if results.len() != 1 => Value::Record(results),
            Some(_) if results.len() == 1 => results.swap_remove(0),
            _ => Value::Record(Vec::new()),
        })
    }

    /// Makes a call that returns a portal; puts it into `to`, or else a place of its own.
    pub(super) fn call_for_portal(&mut self, call: &CallExpr, to: Option<Register>) -> Eval<Register> {
        let (register, args) = self.site(call)?;
        let results = self.perform(call, register, &args)?;
        let to = to.unwrap_or_else(|| self.place_of(Owner::Call(node(call))));
        let Some(Value::Int(index)) = results.first() else { return stop(INTERNAL) };
        let Some(Ty::Portal(id)) = self.tree.ops[call.op.index()].results.first() else {
            return stop(INTERNAL);
        };
        self.take(*index as usize, (to, self.wanted(call.op, *id)));
        Ok(to)
    }

    /// Makes a call and declares a variable for each of its results.
    pub(super) fn call_for_parts(&mut self, call: &CallExpr, vars: &[VarId]) -> Eval<()> {
        let (register, args) = self.site(call)?;
        let mut results = self.perform(call, register, &args)?;
        let (mut taken, mut lists) = (Vec::new(), Vec::new());
        for (k, (var, value)) in vars.iter().zip(&results).enumerate() {
            if let Some(all) = self.places_in(Owner::Var(*var), &self.tree.vars[var.index()].ty) {
                self.portals[var.index()] = Some(all.first);
                lists.push((k, all));
            }
            if !self.is_portal(*var) {
                continue;
            }
            let to = self.place_of(Owner::Var(*var));
            self.portals[var.index()] = Some(to);
            let Ty::Portal(id) = self.tree.vars[var.index()].ty else { return stop(INTERNAL) };
            taken.push((value.int() as usize, (to, self.wanted(call.op, id))));
        }
        taken.into_iter().rev().for_each(|(index, to)| self.take(index, to));
        for (k, all) in &lists {
            self.take_all(call.op, all, &mut results[*k]);
        }
        if !lists.is_empty() {
            self.made.drain(..).for_each(drop_quietly);
        }
        for (var, value) in vars.iter().zip(results) {
            if !self.is_portal(*var) {
                if self.has(var, Point::Copied) {
                    self.copy(&value, &self.tree.vars[var.index()].ty)?;
                }
                self.set(*var, value)?;
            }
            self.declared(*var);
        }
        Ok(())
    }

    /// Takes the portals of a page, and of nothing else that its call gave. Those of the page before are released.
    pub(super) fn take_page(&mut self, call: &CallExpr, paged: Paged, page: &mut Value) -> Eval<()> {
        let ty = &self.tree.ops[call.op.index()].results[usize::from(paged.page)];
        if let Some(all) = self.places_in(Owner::Page(node(call)), ty) {
            self.take_all(call.op, &all, page);
            self.made.drain(..).for_each(drop_quietly);
        }
        Ok(())
    }

    /// The places of the portals in the elements of a list, if it has some.
    pub(super) fn places_in(&mut self, owner: Owner, list: &Ty) -> Option<Columns> {
        let (words, most) = self.tree.listed_words(list)?;
        Some(Columns {
            first: self.places_of(owner, words.len() * most as usize),
            most: most as usize,
            words,
        })
    }

    /// The places of the portals in the elements of a list of structs.
    pub(super) fn columns_of(&self, list: VarId) -> Option<Columns> {
        let (words, most) = self.tree.listed_words(&self.tree.vars[list.index()].ty)?;
        Some(Columns { first: self.portals[list.index()]?, most: most as usize, words })
    }

    /// Takes what the last call made and a list names. The words of structs say from then on where they are; those of a list
    /// of portals nobody reads.
    fn take_all(&mut self, op: OpId, Columns { first, most, words }: &Columns, list: &mut Value) {
        let Value::List(elements) = list else { return };
        // Each element once: what its words were, and its places from then on.
        let mut given = Vec::new();
        for (k, element) in Arc::make_mut(elements).iter_mut().take(*most).enumerate() {
            element.each_of_words(words, |column, word| {
                given.push(word.int() as usize);
                *word = Value::Int((first + column * most + k) as i64);
            });
        }
        for (column, (_, interface)) in words.iter().enumerate() {
            let wanted = self.wanted(op, *interface);
            for k in 0..*most {
                let index = given.get(k * words.len() + column);
                let object = index.and_then(|index| self.made.get(*index)).cloned();
                self.fill(object, (first + column * most + k, wanted));
            }
        }
    }

    /// The hash of an interface that an operation gives a portal of.
    fn wanted(&self, op: OpId, id: InterfaceId) -> Option<TypeHash> {
        let InterfaceOf { module, interface } = self.interface_of(id, self.loaded.ops.get(op.index())?);
        Some(module.interfaces[interface.index()].hash)
    }

    fn site(&mut self, call: &CallExpr) -> Eval<(Register, Args)> {
        let register = self.portal(&call.target)?;
        Ok((register, self.args(call)?))
    }

    /// Target and arguments of a call that is made again after variables may have changed.
    pub(super) fn kept_site(&mut self, call: &CallExpr) -> Eval<(Register, Args)> {
        let mut register = self.portal(&call.target)?;
        if let ExprKind::Var(var) = call.target.kind
            && self.changes(var)
        {
            let copy = self.place_of(Owner::Call(node(call)));
            self.registers[copy] = self.registers[register].clone();
            register = copy;
        }
        Ok((register, self.args(call)?))
    }

    fn args(&mut self, call: &CallExpr) -> Eval<Args> {
        let op = &self.tree.ops[call.op.index()];
        let mut args = Args::default();
        for (arg, ty) in call.args.iter().zip(&op.args) {
            self.add_arg(&mut args, arg, ty)?;
        }
        for (at, (arg, ty)) in call.args.iter().zip(&op.args).enumerate() {
            self.copies_last(arg, ty, &args.values[at])?;
        }
        Ok(args)
    }

    /// Whether an argument is copied when all have been evaluated: a list of structs with portals, which names registers until then.
    fn is_copied_last(&self, arg: &Expr, ty: &Ty) -> bool {
        matches!(arg.kind, ExprKind::Var(_)) && self.tree.lists_structs(ty)
    }

    /// Charges for such an argument's copy.
    fn copies_last(&mut self, arg: &Expr, ty: &Ty, value: &Value) -> Eval<()> {
        if self.is_copied_last(arg, ty) { self.copies(arg, ty, value) } else { Ok(()) }
    }

    /// Interface and capacity, if a variable is a list of portals.
    pub(super) fn portals_in(&self, var: VarId) -> Option<(InterfaceId, u32)> {
        self.tree.vars[var.index()].ty.portals()
    }

    /// The places of the portals that a list has.
    pub(super) fn portals_of(&self, list: VarId) -> Eval<Range<Register>> {
        let first = self.portal_of(list)?;
        Ok(first..first + self.var(list)?.elements().len())
    }

    fn add_arg(&mut self, args: &mut Args, arg: &Expr, ty: &Ty) -> Eval<()> {
        if let ExprKind::Var(list) = arg.kind
            && ty.is_of_portals()
        {
            args.lists.push((args.values.len(), self.portals_of(list)?));
        }
        if self.tree.lists_structs(ty)
            && let Some((words, _)) = self.tree.listed_words(ty)
        {
            args.structs.push((args.values.len(), words));
        }
        let portal = if let Ty::Portal(_) = ty { Some(self.portal(arg)?) } else { None };
        args.portals.push(portal);
        args.values.push(match portal {
            Some(_) => Value::Int(0),
            None if self.is_copied_last(arg, ty) => self.value(arg)?,
            None => self.arg(arg, ty)?,
        });
        Ok(())
    }

    /// Makes a call several times. The items of arguments are read before the first, those of results are written
    /// one after the other.
    pub(super) fn repeat(&mut self, repeat: &Repeat) -> Eval<()> {
        let register = self.portal(&repeat.target)?;
        let (mut args, mut each) = (Args::default(), Vec::new());
        for (arg, ty) in repeat.args.iter().zip(&self.tree.ops[repeat.op.index()].args) {
            match arg {
                RepeatArg::Same(arg) => {
                    self.add_arg(&mut args, arg, ty)?;
                    if let Some(value) = args.values.last() {
                        self.copies_last(arg, ty, value)?;
                    }
                }
                RepeatArg::Each(items) => {
                    each.push((args.values.len(), items));
                    args.portals.push(None);
                    args.values.push(Value::Int(0));
                }
            }
        }
        let mut given = Vec::new();
        for (arg, items) in each {
            self.charge(u64::from(repeat.times))?;
            let read = (0..repeat.times).map(|k| self.word(items, k).cloned()).collect::<Eval<Vec<_>>>()?;
            given.push((arg, read));
        }
        for round in 0..repeat.times {
            for (arg, read) in &given {
                args.values[*arg] = read[round as usize].clone();
            }
            let mut results = self.once(node(repeat), repeat.op, register, &args)?;
            if let Some(into) = &repeat.into {
                *self.word(into, round)? = results.swap_remove(0);
            }
        }
        self.at(repeat, Point::After).map(drop)
    }

    /// Item `k` of strided words.
    pub(super) fn word(&mut self, items: &Strided, k: u16) -> Eval<&mut Value> {
        let at = usize::from(items.first) + usize::from(k) * usize::from(items.step);
        let whole = self.values[items.var.index()].as_mut();
        whole.and_then(|whole| whole.word(at)).ok_or(Exit::Stop(INTERNAL))
    }

    /// A text may be longer than the operation takes: whether it is, the service says.
    fn arg(&mut self, arg: &Expr, ty: &Ty) -> Eval<Value> {
        match ty {
            Ty::Record(_) => self.into(arg, ty),
            _ => {
                let value = self.value(arg)?;
                self.copies(arg, ty, &value)?;
                Ok(value)
            }
        }
    }

    /// Charges for copying an argument's value, if it is copied.
    fn copies(&mut self, arg: &Expr, ty: &Ty, value: &Value) -> Eval<()> {
        if self.has(arg, Point::Copied) {
            let bytes = match ty {
                Ty::List(element, _) => value.size(self.tree, element),
                _ => value.text().len() as u64,
            };
            self.charge(bytes / 64)?;
        }
        self.has_room_for(0)
    }

    /// Makes a call: its results, in the order of the message; in place of a portal its index.
    pub(super) fn perform(&mut self, call: &CallExpr, register: Register, args: &Args) -> Eval<Vec<Value>> {
        self.here = if call.target.pos.line == 0 { self.here } else { call.target.pos };
        let results = self.once(node(call), call.op, register, args)?;
        self.at(call, Point::After)?;
        results.iter().for_each(|value| self.pass_on(value));
        self.has_room_for(0)?;
        Ok(results)
    }

    /// As [`Run::perform`], but stays at the call, which is at this node of the tree.
    fn once(&mut self, at: usize, op: OpId, register: Register, args: &Args) -> Eval<Vec<Value>> {
        let (tree, number) = (self.tree, op.index());
        let op = &tree.ops[number];
        let Some(bound) = self.loaded.ops.get(number).copied() else { return stop(INTERNAL) };
        let made = super::Call { op, args: &args.values };
        let results = loop {
            let written = self.admitted(at, (op, &bound), register, args)?;
            let said = self.shown(|watch, state| watch.call(&made, state));
            Self::go_on(said)?;
            let is_past = self.is_past();
            self.tell_of(at, (op, &bound), args)?;
            self.budget.calls_left -= 1;
            self.counts[number] += 1;
            let failure = match self.env.mode {
                Mode::Dry if op.effect == Effect::Writes => break self.pretend(op, &bound, register, args),
                _ => match self.really(at, number, (op, &bound), register, args, written)? {
                    Ok(results) => break results,
                    Err(failure) => failure,
                },
            };
            if was_not_sent(&failure) {
                self.counts[number] -= 1;
                self.budget.calls_left += 1;
                self.budget.writes_left += u64::from(op.effect == Effect::Writes);
            } else {
                self.failed_calls[number] += u64::from(!counts_as_done(bound.operation, &failure));
            }
            self.shown(|watch, state| watch.returned(&made, Err(&failure), state));
            match self.failed(op, failure) {
                // There the run had stopped, and now it goes on.
                Err(Exit::Stop(_)) if is_past => {}
                how => {
                    self.stopped_at(at, op, args);
                    return how;
                }
            }
        };
        self.shown(|watch, state| watch.returned(&made, Ok(&results), state));
        let interrupted = self.interrupted();
        self.stops_behind(at, interrupted)?;
        Ok(results)
    }

    /// The bytes that a call may write, once nothing keeps it from being made.
    fn admitted(
        &mut self,
        at: usize,
        (op, bound): (&Op, &BoundOp),
        register: Register,
        args: &Args,
    ) -> Eval<u64> {
        loop {
            match self.admit(op, bound, register, args) {
                Err(Exit::Stop(Stop::Limit(kind))) if self.has_more(kind) => {}
                Err(exit) => {
                    self.stopped_at(at, op, args);
                    return Err(exit);
                }
                admitted => return admitted,
            }
        }
    }

    /// Everything that keeps a call from being made; else the bytes that it may write.
    fn admit(&self, op: &Op, bound: &BoundOp, register: Register, args: &Args) -> Eval<u64> {
        let Some(portal) = &self.registers[register] else { return fault(FaultKind::NullPortal) };
        let writes = op.effect == Effect::Writes;
        let written = if writes { reserved(self, op, args) } else { 0 };
        if portal.is_revoked() {
            stop(Stop::Revoked)
        } else if self.budget.calls_left == 0 {
            stop(Stop::Limit(LimitKind::Calls))
        } else if writes && self.budget.writes_left == 0 {
            stop(Stop::Limit(LimitKind::Writes))
        } else if written > self.budget.written_left {
            stop(Stop::Limit(LimitKind::Written))
        } else if self.env.mode == Mode::Dry && !writes && self.touches_pretended(register, args) {
            stop(Stop::CannotKnow)
        } else if bound.operation.blocks
            && self.env.blocking != Blocking::Allowed
            && !(writes && self.env.mode == Mode::Dry)
        {
            stop(Stop::Blocks)
        } else {
            Ok(written)
        }
    }

    fn touches_pretended(&self, register: Register, args: &Args) -> bool {
        let is_pretended = |register: &Register| {
            let portal = self.registers[*register].as_ref();
            portal.is_some_and(|portal| portal.object().service().is::<Pretended>())
        };
        let mut listed = args.lists.iter().flat_map(|(_, registers)| registers.clone());
        let in_struct =
            |element: &Value, words: &[_]| element.has_word(words, |word| is_pretended(&(word as Register)));
        let is_in = |(at, words): &(usize, Vec<_>)| {
            args.values[*at].elements().iter().any(|element| in_struct(element, words))
        };
        is_pretended(&register)
            || args.portals.iter().flatten().any(is_pretended)
            || listed.any(|register| is_pretended(&register))
            || args.structs.iter().any(is_in)
    }

    /// A dry run's write: what comes back are numbers as they went in, zero, empty, and portals that take writes only.
    fn pretend(&mut self, op: &Op, bound: &BoundOp, register: Register, args: &Args) -> Vec<Value> {
        self.budget.writes_left -= 1;
        self.made.drain(..).for_each(drop_quietly);
        self.made_under = self.registers[register].as_ref().map(|p| p.grant().clone()).unwrap_or_default();
        let given = args.values[args.values.len() - op.inouts as usize..].iter().map(Some);
        let given = given.chain(std::iter::repeat(None));
        let mut results = Vec::with_capacity(op.results.len());
        for (ty, given) in op.results.iter().zip(given) {
            results.push(match (ty, given) {
                (Ty::Portal(id), _) => {
                    let InterfaceOf { module, interface } = self.interface_of(*id, bound);
                    self.made.push(Arc::new(Pretended { module, interface }));
                    Value::Int(self.made.len() as i64 - 1)
                }
                (_, Some(given)) => given.without_texts(),
                (ty, None) => Value::pretended(self.tree, ty),
            });
        }
        results
    }

    fn interface_of(&self, id: InterfaceId, bound: &BoundOp) -> InterfaceOf {
        let name = &self.tree.interfaces[id.index()].name;
        let interface = bound.module.interface(name).unwrap_or(bound.interface);
        InterfaceOf { module: bound.module, interface }
    }

    fn really(
        &mut self,
        at: usize,
        number: usize,
        (op, bound): (&Op, &BoundOp),
        register: Register,
        args: &Args,
        written: u64,
    ) -> Eval<Result<Vec<Value>, Failure>> {
        let Some(portal) = self.registers[register].clone() else { return stop(INTERNAL) };
        let mut block = self.encode(op, args);
        self.made.drain(..).for_each(drop_quietly);
        let known = self.known();
        let is_made = known.is_none();
        if is_made && op.effect == Effect::Writes {
            self.write_ahead(at, number, bound, &block);
        }
        let done = match known {
            Some(Answer { done, words, areas, made }) => {
                block.words.truncate(block.inouts_at);
                block.words.extend(words);
                (block.areas, self.made) = (areas, made);
                Some(done)
            }
            None => {
                let mut call = Call {
                    words: &mut block.words,
                    areas: &mut block.areas,
                    portals: &block.portals,
                    made: &mut self.made,
                    caller: self.env.caller,
                };
                // A service that panics ends this run and no other.
                survived(|| portal.object().dispatch(bound.number, &mut call))
            }
        };
        let fit = |()| match bound.gives_unions {
            true => unions::fit(bound, &block.words[block.inouts_at..], &block.areas),
            false => Ok(()),
        };
        let done = done.map(|done| done.and_then(fit));
        let broke_off = done.is_none();
        if !matches!(done, Some(Ok(()))) {
            self.made.drain(..).for_each(drop_quietly);
        }
        let done = done.unwrap_or_else(|| {
            Err(Failure::new(Kind::Internal, "the service broke off in the middle of the call"))
        });
        self.made_under = portal.grant().clone();
        drop(portal);
        let inouts_at = block.inouts_at;
        drop(std::mem::take(&mut block.portals));
        let results = done.map(|()| {
            let mut words = block.words[inouts_at..].iter().copied();
            let value = |ty| Value::of_words(self.tree, ty, &mut words, &block.areas, None);
            op.results.iter().map(value).collect::<Vec<_>>()
        });
        if op.effect == Effect::Writes {
            let written = match &results {
                Ok(results) => actually(op, bound, results, written),
                Err(failure) => written_by_failed(bound, failure, written),
            };
            self.budget.writes_left -= 1;
            self.budget.written_left -= written;
            // What became of a call that broke off nobody knows.
            if is_made && !broke_off {
                self.write_behind(bound.operation, results.as_ref().err(), written);
            }
        }
        // One that was not sent has come to nothing: whoever goes on makes it.
        if is_made && !broke_off && !results.as_ref().is_err_and(was_not_sent) {
            self.answered(&bound.operation.layout, block, results.as_ref().map(drop).map_err(Failure::clone));
        }
        Ok(results)
    }

    fn failed<T>(&self, op: &Op, failure: Failure) -> Eval<T> {
        match failure.kind() {
            Kind::Revoked => stop(Stop::Revoked),
            Kind::Raised if self.handlers > 0 && op.raises.is_some() => Err(Exit::Raised(failure)),
            _ => stop(Stop::CallFailed(failure)),
        }
    }

    /// The block of a call: words sorted in, inout, out; each text in an area of its own.
    pub(super) fn encode(&self, op: &Op, args: &Args) -> Block {
        let mut block = Block::default();
        let inouts_from = op.args.len() - op.inouts as usize;
        for (k, ty) in op.args.iter().enumerate() {
            if k == inouts_from {
                block.inouts_at = block.words.len();
            }
            match args.portals[k] {
                Some(register) => {
                    block.words.push(block.portals.len() as u64);
                    block.portals.push(self.registers[register].clone());
                }
                None if let Some((_, registers)) = args.lists.iter().find(|(at, _)| *at == k) => {
                    let portals = &mut block.portals;
                    let words = (portals.len()..).take(registers.len()).map(|at| at as u64).collect();
                    portals.extend(self.registers[registers.clone()].iter().cloned());
                    let word = Ref::new(block.areas.list.len(), 0, 0).unwrap_or_default();
                    block.areas.list.push(Area { bytes: Vec::new(), words });
                    block.words.push(word.0);
                }
                None if let Some((_, words)) = args.structs.iter().find(|(at, _)| *at == k) => {
                    self.encode_value(&args.values[k], ty, &mut block);
                    self.lend_all(words, ty, &mut block);
                }
                None => self.encode_value(&args.values[k], ty, &mut block),
            }
        }
        if op.inouts == 0 {
            block.inouts_at = block.words.len();
        }
        for ty in &op.results[op.inouts as usize..] {
            self.encode_value(&Value::zero(self.tree, ty), ty, &mut block);
        }
        block
    }

    /// Puts portals where the words of the list that was encoded last say in which places these are.
    fn lend_all(&self, words: &[(u16, InterfaceId)], list: &Ty, block: &mut Block) {
        let (Ty::List(of, _), Some(area)) = (list, block.areas.list.last_mut()) else { return };
        for element in area.words.chunks_exact_mut(self.tree.words(of).max(1)) {
            for (at, _) in words {
                let word = &mut element[usize::from(*at)];
                let portal = self.registers[*word as Register].clone();
                *word = block.portals.len() as u64;
                block.portals.push(portal);
            }
        }
    }

    fn encode_value(&self, value: &Value, ty: &Ty, block: &mut Block) {
        let Block { words, areas, .. } = block;
        self.encode_words(value, ty, words, &mut |held, ty| {
            let (area, len) = match (held, ty) {
                (Value::List(elements), Ty::List(of, _)) => (self.encode_list(elements, of), 0),
                _ => (Area { bytes: held.text().to_vec(), words: Vec::new() }, held.text().len()),
            };
            let word = Ref::new(areas.list.len(), 0, len).unwrap_or_default();
            areas.list.push(area);
            word.0
        });
    }

    /// The elements' words, and their texts in the same area.
    pub(super) fn encode_list(&self, elements: &[Value], of: &Ty) -> Area {
        let (mut area, mut words) = (Area::default(), Vec::new());
        let mut held = |text: &Value, _: &Ty| area.add_string(text.text()).unwrap_or_default();
        elements.iter().for_each(|element| self.encode_words(element, of, &mut words, &mut held));
        area.words = words;
        area
    }

    /// The words of a value. `held` puts a text or list where it belongs, and gives back the word that refers to it.
    fn encode_words(
        &self,
        value: &Value,
        ty: &Ty,
        words: &mut Vec<u64>,
        held: &mut dyn FnMut(&Value, &Ty) -> u64,
    ) {
        match (value, ty) {
            (Value::Record(values), Ty::Record(id)) => {
                let fields = &self.tree.records[id.index()].fields;
                values
                    .iter()
                    .zip(fields)
                    .for_each(|(value, (_, ty))| self.encode_words(value, ty, words, held));
            }
            (Value::Text(_) | Value::List(_), _) => words.push(held(value, ty)),
            (value, _) => words.push(value.int().cast_unsigned()),
        }
    }
}

struct InterfaceOf {
    module: &'static carnet_idl::descriptor::Module,
    interface: carnet_idl::descriptor::InterfaceId,
}

/// What a service sees of a call.
#[derive(Default)]
pub(super) struct Block {
    pub(super) words: Vec<u64>,
    pub(super) areas: Areas,
    portals: Vec<Option<Capability>>,
    /// Word at which the reply begins.
    pub(super) inouts_at: usize,
}

/// Bytes that a writing call may write: its declared work, or the data in its arguments, as much as the operation takes.
fn reserved(run: &Run<'_>, op: &Op, args: &Args) -> u64 {
    if let Some(cost) = op.cost {
        return match (&args.values[cost as usize], &op.args[cost as usize]) {
            (value @ Value::Text(_), ty) => data(run, value, ty),
            (value, _) => work(value.int()),
        };
    }
    args.values.iter().zip(&op.args).map(|(value, ty)| data(run, value, ty)).sum()
}

fn data(run: &Run<'_>, value: &Value, ty: &Ty) -> u64 {
    match (value, ty) {
        (Value::Text(text), Ty::Bytes(max)) => u64::from(*max).min(text.len() as u64),
        (Value::Record(values), Ty::Record(id)) => {
            let fields = &run.tree.records[id.index()].fields;
            values.iter().zip(fields).map(|(value, (_, ty))| data(run, value, ty)).sum()
        }
        // More of a list than the operation takes is nothing that it writes.
        (Value::List(elements), Ty::List(of, max)) => {
            elements.iter().take(*max as usize).map(|value| data(run, value, of)).sum()
        }
        _ => 0,
    }
}

/// A call with a declared cost says with its result how much it did.
fn actually(op: &Op, bound: &BoundOp, results: &[Value], written: u64) -> u64 {
    let result = || results.get(op.inouts as usize).map_or(0, |value| value.int().cast_unsigned());
    bound.operation.did(written, result)
}
