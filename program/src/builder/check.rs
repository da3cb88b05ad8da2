//! Checks what was built and makes its tree: commands and names here, values in `values`, repeats and moves of
//! strided items in `repeats`.

mod repeats;
mod values;

use std::collections::HashMap;

use super::nodes::{Action, Command, Node, Over, Value};
use super::{BuildError, Builder, Made, Reach, Role, Type, Var};
use crate::bytecode::PORTALS_MAX;
use crate::float::Precision;
use crate::import::{Input, Tables};
use crate::tree::{
    ArithOp, Bind, Block, CallExpr, Const, EnumId, Expr, ExprKind, Inline, Limit, Mutability, Param, Place,
    Pos, RecordId, Stmt, StmtKind, Tree, Ty, VarId,
};

type Result<T> = std::result::Result<T, BuildError>;

/// The tree of a program with this body.
pub(super) fn build(builder: Builder<'_>, body: Vec<Command>) -> Result<Tree> {
    name_of(&builder.name)?;
    let base = builder.base.unwrap_or_else(|| nothing(&builder.name));
    let mut checker = Checker::new(builder.tables, builder.vars, &base)?;
    for (name, fields) in &builder.records {
        checker.record_type(name, fields)?;
    }
    let result = builder.result.map(|ty| checker.ty(&ty)).transpose()?;
    checker.result = match (base.result, result) {
        (Some(there), Some(result)) if there != result => return Err(BuildError::TwoResults),
        (there, result) => there.or(result),
    };
    let (mut params, mut stmts) = (base.params, base.body.stmts);
    params.extend(checker.variables(&mut stmts)?);
    stmts.extend(checker.block(&body)?.stmts);
    if checker.result.is_some() && !leaves(&stmts) {
        return Err(BuildError::NoResult);
    }
    Ok(Tree {
        name: builder.name,
        interfaces: checker.tables.interfaces,
        enums: checker.tables.enums,
        records: checker.tables.records,
        ops: checker.tables.ops,
        vars: checker.vars,
        params,
        result: checker.result,
        caps: builder.caps,
        body: Block { stmts },
    })
}

/// A program that does nothing.
fn nothing(name: &str) -> Tree {
    Tree {
        name: name.to_owned(),
        interfaces: Vec::new(),
        enums: Vec::new(),
        records: Vec::new(),
        ops: Vec::new(),
        vars: Vec::new(),
        params: Vec::new(),
        result: None,
        caps: Vec::new(),
        body: Block::default(),
    }
}

/// What an attempt gives names to.
enum Names<'c> {
    None,
    One(Var, Ty),
    /// The results of a call.
    Parts(&'c [Var]),
}

/// Where a variable is with its value.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// A name that has none yet.
    Waiting,
    /// It can be used.
    Here,
    /// The block of the name has ended.
    Gone,
}

struct Checker<'m> {
    tables: Tables<'m>,
    made: Vec<Made>,
    /// By the same index as `made`.
    vars: Vec<crate::tree::Var>,
    states: Vec<State>,
    records: HashMap<String, RecordId>,
    result: Option<Ty>,
    /// Names that end with the present block.
    scope: Vec<Var>,
    /// The list that each open loop goes over, if it is one over a list.
    loops: Vec<Option<VarId>>,
    /// What the calls of each open attempt raise, and the bound of its message.
    raised: Vec<Vec<(EnumId, u32)>>,
}

impl<'m> Checker<'m> {
    fn new(tables: Tables<'m>, made: Vec<Made>, base: &Tree) -> Result<Checker<'m>> {
        if made.len() >= usize::from(u16::MAX) {
            return Err(BuildError::TooMany("variables"));
        }
        // Those of the program that is extended have other names, too: `error.kind`, `(list)`.
        for var in &made[base.vars.len().min(made.len())..] {
            name_of(&var.name)?;
            if var.name == "started" && !matches!(var.role, Role::Started) {
                return Err(BuildError::Name(var.name.clone()));
            }
        }
        // Names get their types where they get their values; until then nothing can use them.
        let unknown = |made: &Made| {
            let (name, ty) = (made.name.clone(), Ty::Int);
            crate::tree::Var { name, ty, mutability: Mutability::Fixed }
        };
        let new = made.iter().skip(base.vars.len()).map(unknown);
        Ok(Checker {
            records: tables.own_records(base).map(|id| (base.records[id.index()].name.clone(), id)).collect(),
            tables,
            vars: base.vars.iter().cloned().chain(new).collect(),
            states: vec![State::Waiting; made.len()],
            made,
            result: None,
            scope: Vec::new(),
            loops: Vec::new(),
            raised: Vec::new(),
        })
    }

    /// Types and first values of what is there from the beginning.
    fn variables(&mut self, stmts: &mut Vec<Stmt>) -> Result<Vec<Param>> {
        let mut params = Vec::new();
        for k in 0..self.made.len() {
            let var = VarId(k as u16);
            self.states[k] = State::Here;
            match self.made[k].role.clone() {
                Role::Param(ty, default) => {
                    self.vars[k].ty = self.ty(&ty)?;
                    if let Some(default) = &default {
                        self.default(var, default)?;
                    }
                    params.push(Param { var, default });
                }
                Role::Declared(ty) => {
                    let ty = self.ty_of_variable(&ty)?;
                    if matches!(ty, Ty::Portal(_)) {
                        return Err(self.wrong(&self.made[k].name, &ty, "a type that has a zero"));
                    }
                    self.vars[k].ty = ty;
                    self.vars[k].mutability = Mutability::Changes;
                    stmts.push(stmt(StmtKind::Declare(var)));
                }
                Role::Given => self.states[k] = State::Waiting,
                Role::Started | Role::There(Reach::Outermost) => {}
                Role::There(Reach::Ended) => self.states[k] = State::Gone,
            }
        }
        Ok(params)
    }

    fn default(&self, var: VarId, default: &Const) -> Result<()> {
        let crate::tree::Var { name, ty, .. } = &self.vars[var.index()];
        let fits = match (default, ty) {
            (Const::Int(_), Ty::Int) | (Const::Bool(_), Ty::Bool) => true,
            (Const::Float(float), Ty::Float(precision)) => float.precision == *precision,
            (Const::Enum(value), Ty::Enum(id)) => {
                usize::from(*value) < self.tables.enums[id.index()].values.len()
            }
            (Const::Text(text), Ty::Str(max)) => text.len() <= *max as usize && !text.contains(&0),
            (Const::Text(text), Ty::Bytes(max)) => text.len() <= *max as usize,
            _ => false,
        };
        let wrong = || BuildError::Type {
            place: format!("default of `{name}`"),
            found: format!("{default:?}"),
            expected: self.show(ty),
        };
        fits.then_some(()).ok_or_else(wrong)
    }

    fn record_type(&mut self, name: &str, fields: &[(String, Type)]) -> Result<()> {
        name_of(name)?;
        if self.records.contains_key(name) {
            return Err(BuildError::TwoRecords(name.to_owned()));
        }
        let mut converted = Vec::with_capacity(fields.len());
        for (field, ty) in fields {
            name_of(field)?;
            let ty = self.ty(ty)?;
            if let Ty::Portal(_) = ty {
                return Err(self.wrong(&format!("{name}.{field}"), &ty, "a scalar, text, list or record"));
            }
            let ty = self.part(ty)?;
            converted.push(Input { name: field.clone(), ty, range: None });
        }
        let id = self.tables.record(name, converted)?;
        self.records.insert(name.to_owned(), id);
        Ok(())
    }

    /// The type of a part of a value.
    fn part(&mut self, ty: Ty) -> Result<Ty> {
        Ok(match ty {
            Ty::List(of, max) => Ty::Record(self.tables.packed(*of, max)?),
            ty => ty,
        })
    }

    /// One of a variable, which is a list of portals, too, or of structs that hold some.
    fn ty_of_variable(&mut self, ty: &Type) -> Result<Ty> {
        if let Type::List(of, most) = ty
            && let Type::Named(name) = &**of
            && let of = self.any_named(name)?
            && (matches!(of, Ty::Portal(_)) || self.tables.is_apart(&of))
            && (1..=PORTALS_MAX).contains(most)
        {
            return Ok(Ty::List(Box::new(of), *most));
        }
        self.ty(ty)
    }

    fn ty(&mut self, ty: &Type) -> Result<Ty> {
        Ok(match ty {
            Type::Int => Ty::Int,
            Type::Bool => Ty::Bool,
            Type::Float => Ty::Float(Precision::Single),
            Type::Double => Ty::Float(Precision::Double),
            Type::Str(max) => Ty::Str(*max),
            Type::Bytes(max) => Ty::Bytes(*max),
            Type::List(of, max) => {
                let of = self.ty(of)?;
                if let Ty::Portal(_) = of {
                    return Err(self.wrong("element of a list", &of, "a scalar, text, list or record"));
                }
                Ty::List(Box::new(self.part(of)?), *max)
            }
            Type::Named(name) => self.named(name)?,
        })
    }

    fn named(&mut self, name: &str) -> Result<Ty> {
        let ty = self.any_named(name)?;
        match self.tables.is_apart(&ty) {
            true => Err(self.wrong(
                name,
                &ty,
                "a type of values: one with portals is given and taken by its parts",
            )),
            false => Ok(ty),
        }
    }

    /// The same, which may be a struct that holds portals.
    fn any_named(&mut self, name: &str) -> Result<Ty> {
        if let Some(id) = self.records.get(name) {
            return Ok(Ty::Record(*id));
        }
        let unknown = || BuildError::UnknownType(name.to_owned());
        let (module, local) = name.split_once('.').ok_or_else(unknown)?;
        let (id, module) = self.tables.module(module).ok_or_else(unknown)?;
        if let Some(interface) = module.interface(local) {
            return Ok(Ty::Portal(self.tables.interface(id, interface)?));
        }
        if let Some(k) = module.enums.iter().position(|e| e.name == local) {
            return Ok(Ty::Enum(self.tables.enumeration(id, carnet_idl::descriptor::EnumId(k as u16))?));
        }
        let k = module.structs.iter().position(|s| s.name == local).ok_or_else(unknown)?;
        Ok(Ty::Record(self.tables.structure(id, carnet_idl::descriptor::StructId(k as u16))?))
    }

    /// What `inner` gives names to ends with it.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = std::mem::take(&mut self.scope);
        let done = inner(self)?;
        for name in std::mem::replace(&mut self.scope, outer) {
            self.states[usize::from(name.0)] = State::Gone;
        }
        Ok(done)
    }

    /// Commands with a scope of their own.
    fn block(&mut self, commands: &[Command]) -> Result<Block> {
        self.scoped(|checker| {
            let mut stmts = Vec::with_capacity(commands.len());
            checker.commands(commands, &mut stmts)?;
            Ok(Block { stmts })
        })
    }

    fn commands(&mut self, commands: &[Command], out: &mut Vec<Stmt>) -> Result<()> {
        for command in commands {
            match &command.0 {
                Action::Sequence(inner) => self.commands(inner, out)?,
                action => {
                    let kind = self.command(action)?;
                    out.push(stmt(kind));
                }
            }
        }
        Ok(())
    }

    fn command(&mut self, action: &Action) -> Result<StmtKind> {
        Ok(match action {
            Action::Sequence(inner) => {
                // Only as the operand of an attempt, which wants a single command.
                return match inner.as_slice() {
                    [one] => self.command(&one.0),
                    _ => Err(BuildError::NoAttempt),
                };
            }
            Action::Let(name, value) => {
                let (value, ty) = self.value(value)?;
                self.not_of_portals(&ty)?;
                StmtKind::Let { var: self.give(*name, ty)?, value }
            }
            Action::LetParts(names, call) => {
                let call = self.parts_call(call, names.len())?;
                StmtKind::LetParts { vars: self.give_parts(names, &call)?, call: Box::new(call) }
            }
            Action::Set(place, value) => {
                let (place, ty) = self.place(place)?;
                self.not_of_portals(&ty)?;
                if let (Ty::Portal(_), Some(_)) = (&ty, &place.index) {
                    return Err(self.wrong("an element of a list that changes", &ty, "a value"));
                }
                StmtKind::Assign { place, value: self.wanted(value, &ty, "a new value")? }
            }
            Action::Add(list, element) => {
                let (list, of) = self.list(*list)?;
                let value = match self.tables.is_apart(&of) {
                    true => self.made(element, &of)?,
                    false => self.wanted(element, &of, "an element")?,
                };
                StmtKind::Add { list, value }
            }
            Action::Sort(list, by) => self.sort(*list, by)?,
            Action::Do(call) => StmtKind::Do(self.call(call)?.0),
            Action::Repeat(call, times, into) => self.repeat(call, *times, into.as_ref())?,
            Action::Move(from, to, count) => {
                let (from, ty) = self.strided(from, *count)?;
                let to = self.strided_of(to, *count, &ty, "where scalars are moved")?;
                StmtKind::Move { from, to, count: *count }
            }
            Action::If(arms, otherwise) => {
                let arms = arms.iter().map(|(cond, then)| {
                    Ok((self.wanted(cond, &Ty::Bool, "a condition")?, self.block(then)?))
                });
                StmtKind::If { arms: arms.collect::<Result<_>>()?, otherwise: self.block(otherwise)? }
            }
            Action::Loop(over, limit, body) => self.a_loop(over, *limit, body)?,
            Action::Attempt(what, kind, message, otherwise) => {
                self.attempt(&what.0, *kind, *message, otherwise)?
            }
            Action::Return(value) => StmtKind::Return(self.returned(value.as_ref())?),
            Action::Break | Action::Continue if self.loops.is_empty() => return Err(BuildError::NoLoop),
            Action::Break => StmtKind::Break,
            Action::Continue => StmtKind::Continue,
            Action::Fail(message) => StmtKind::Fail(self.wanted(message, &Ty::Str(u32::MAX), "a message")?),
        })
    }

    /// A list of portals is copied nowhere, nor a list of structs that hold some, nor an element of that.
    fn not_of_portals(&self, ty: &Ty) -> Result<()> {
        match self.tables.lists_portals(ty) || self.tables.is_apart(ty) {
            true => Err(self.wrong("a value that is copied", ty, "no portals in it")),
            false => Ok(()),
        }
    }

    /// Gives a name its value, to the end of the present block.
    fn give(&mut self, name: Var, ty: Ty) -> Result<VarId> {
        let k = usize::from(name.0);
        let made = self.made.get(k).ok_or(BuildError::ForeignVariable)?;
        if !matches!(made.role, Role::Given) || self.states[k] != State::Waiting {
            return Err(BuildError::ValueElsewhere(made.name.clone()));
        }
        self.vars[k].ty = ty;
        self.states[k] = State::Here;
        self.scope.push(name);
        Ok(VarId(name.0))
    }

    /// Gives each of the results of a call a name.
    fn give_parts(&mut self, names: &[Var], call: &CallExpr) -> Result<Vec<VarId>> {
        let results = self.tables.ops[call.op.index()].results.clone();
        names.iter().zip(results).map(|(name, ty)| self.give(*name, ty)).collect()
    }

    /// A variable that can be used here.
    fn var(&self, var: Var) -> Result<(VarId, &Ty)> {
        let k = usize::from(var.0);
        let state = self.states.get(k).ok_or(BuildError::ForeignVariable)?;
        if *state != State::Here {
            return Err(BuildError::NoValueHere(self.made[k].name.clone()));
        }
        Ok((VarId(var.0), &self.vars[k].ty))
    }

    /// A variable that may change here, apart from being added to.
    fn changing(&self, var: Var) -> Result<VarId> {
        let (id, _) = self.var(var)?;
        let name = &self.made[id.index()].name;
        if self.vars[id.index()].mutability == Mutability::Fixed {
            return Err(BuildError::Fixed(name.clone()));
        }
        if self.loops.contains(&Some(id)) {
            return Err(BuildError::LoopedOver(name.clone()));
        }
        Ok(id)
    }

    /// A list that can be added to, and the type of its elements.
    fn list(&self, list: Var) -> Result<(VarId, Ty)> {
        let (id, of) = self.any_list(list)?;
        match self.vars[id.index()].mutability {
            Mutability::Changes => Ok((id, of)),
            Mutability::Fixed => Err(BuildError::Fixed(self.made[id.index()].name.clone())),
        }
    }

    fn any_list(&self, list: Var) -> Result<(VarId, Ty)> {
        match self.var(list)? {
            (id, Ty::List(of, _)) => Ok((id, (**of).clone())),
            (id, ty) => Err(self.wrong(&self.made[id.index()].name, ty, "a list")),
        }
    }

    fn sort(&mut self, list: Var, by: &[String]) -> Result<StmtKind> {
        let (_, of) = self.list(list)?;
        let list = self.changing(list)?;
        let mut keys = Vec::with_capacity(by.len());
        for field in by {
            let (key, ty) = self.field_of(&of, field)?;
            if matches!(ty, Ty::Record(_)) {
                return Err(self.wrong(field, &ty, "a scalar or text to sort by"));
            }
            keys.push(key);
        }
        Ok(StmtKind::Sort { list, keys })
    }

    fn place(&mut self, place: &Value) -> Result<(Place, Ty)> {
        match &place.0 {
            Node::Var(var) => {
                let id = self.changing(*var)?;
                Ok((Place::var(id), self.vars[id.index()].ty.clone()))
            }
            Node::Index(list, index) => {
                let Node::Var(list) = list.0 else { return Err(BuildError::NoPlace) };
                let (_, of) = self.list(list)?;
                let index = Some(self.wanted(index, &Ty::Int, "an index")?);
                Ok((Place { var: self.changing(list)?, index, fields: Vec::new() }, of))
            }
            Node::Field(of, name) => {
                let (mut place, ty) = self.place(of)?;
                let (field, ty) = self.field_of(&ty, name)?;
                place.fields.push(field);
                Ok((place, ty))
            }
            _ => Err(BuildError::NoPlace),
        }
    }

    fn a_loop(&mut self, over: &Over, limit: Limit, body: &[Command]) -> Result<StmtKind> {
        Ok(match over {
            Over::While(cond) => {
                let cond = self.wanted(cond, &Ty::Bool, "a condition")?;
                StmtKind::While { cond, limit, body: self.body(None, None, body)?.1 }
            }
            Over::Range(var, from, to) => {
                let from = self.wanted(from, &Ty::Int, "the first number")?;
                let to = self.wanted(to, &Ty::Int, "the end of a range")?;
                let (var, body) = self.body(Some((*var, Ty::Int)), None, body)?;
                StmtKind::ForRange { var, from, to, limit, body }
            }
            Over::List(var, list) => {
                let (list, of) = self.any_list(*list)?;
                let (var, body) = self.body(Some((*var, of)), Some(list), body)?;
                StmtKind::ForList { var, index: None, list, limit, body }
            }
            Over::Pages(var, call) => {
                let (call, of) = self.pages(call)?;
                let (var, body) = self.body(Some((*var, of)), None, body)?;
                StmtKind::ForPaged { var, index: None, call: Box::new(call), limit, body }
            }
        })
    }

    /// A loop's body, with its variable.
    fn body(
        &mut self,
        var: Option<(Var, Ty)>,
        list: Option<VarId>,
        body: &[Command],
    ) -> Result<(VarId, Block)> {
        self.scoped(|checker| {
            let var = var.map_or(Ok(VarId(0)), |(var, ty)| checker.give(var, ty))?;
            checker.loops.push(list);
            let block = checker.block(body)?;
            checker.loops.pop();
            Ok((var, block))
        })
    }

    fn attempt(&mut self, what: &Action, kind: Var, message: Var, otherwise: &[Command]) -> Result<StmtKind> {
        self.raised.push(Vec::new());
        let tried = match what {
            Action::Let(name, value) => self.value(value).and_then(|(value, ty)| {
                self.not_of_portals(&ty)?;
                Ok((Bind::None, value, Names::One(*name, ty)))
            }),
            Action::LetParts(names, call) => self
                .parts_call(call, names.len())
                .map(|call| (Bind::None, expr(ExprKind::Call(Box::new(call))), Names::Parts(names))),
            what => match self.command(what)? {
                StmtKind::Do(value) => Ok((Bind::None, value, Names::None)),
                StmtKind::Assign { place, value } => Ok((Bind::Assign(place), value, Names::None)),
                repeat @ StmtKind::Repeat(_) => {
                    let inline = Inline { result: None, body: Block { stmts: vec![stmt(repeat)] } };
                    Ok((Bind::None, expr(ExprKind::Inline(Box::new(inline))), Names::None))
                }
                _ => Err(BuildError::NoAttempt),
            },
        };
        let raised = self.raised.pop().unwrap_or_default();
        let (bind, value, names) = tried?;
        let (of, max) = self.only(&raised)?;
        let (kind, message, otherwise) = self.scoped(|checker| {
            let kind = checker.give(kind, Ty::Enum(of))?;
            let message = checker.give(message, Ty::Str(max))?;
            Ok((kind, message, checker.block(otherwise)?))
        })?;
        let (bind, given) = match (names, &value.kind) {
            (Names::One(name, ty), _) => {
                let var = self.give(name, ty)?;
                (Bind::Let(var), Some(var))
            }
            (Names::Parts(names), ExprKind::Call(call)) => {
                let vars = self.give_parts(names, call)?;
                let first = vars.first().copied();
                (Bind::Parts(vars), first)
            }
            _ => (bind, None),
        };
        if let Some(var) = given.filter(|_| !leaves(&otherwise.stmts)) {
            return Err(BuildError::MustLeave(self.made[var.index()].name.clone()));
        }
        Ok(StmtKind::Try { bind, value, kind, message, otherwise })
    }

    /// What an attempt's exceptions have in common.
    fn only(&self, raised: &[(EnumId, u32)]) -> Result<(EnumId, u32)> {
        let Some((first, _)) = raised.first() else { return Err(BuildError::NothingRaised) };
        let name = |id: EnumId| self.tables.enums[id.index()].name.clone();
        match raised.iter().find(|(kind, _)| kind != first) {
            Some((other, _)) => Err(BuildError::RaisedDifferently(name(*first), name(*other))),
            None => Ok((*first, raised.iter().map(|(_, max)| *max).max().unwrap_or(0).max(1))),
        }
    }

    fn returned(&mut self, value: Option<&Value>) -> Result<Option<Expr>> {
        match (value, self.result.clone()) {
            (Some(value), Some(ty)) => self.wanted(value, &ty, "the result").map(Some),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(BuildError::NoResult),
            (Some(value), None) => {
                let (_, ty) = self.value(value)?;
                Err(self.wrong("the result", &ty, "none"))
            }
        }
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { pos: Pos::default(), kind }
}

fn expr(kind: ExprKind) -> Expr {
    Expr { pos: Pos::default(), kind }
}

fn name_of(name: &str) -> Result<()> {
    match name.len() {
        1..=255 => Ok(()),
        _ => Err(BuildError::Name(name.to_owned())),
    }
}

/// Whether what follows these statements is never reached.
pub(super) fn leaves(stmts: &[Stmt]) -> bool {
    match stmts.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Fail(_)) => true,
        Some(StmtKind::If { arms, otherwise }) => {
            arms.iter().all(|(_, then)| leaves(&then.stmts)) && leaves(&otherwise.stmts)
        }
        _ => false,
    }
}
