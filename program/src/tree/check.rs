//! The rules of trees: what the compiler and the recursive interpreter take for granted.
//!
//! Whoever makes a tree with the [builder](crate::builder) or of source text keeps them; of a tree that was received nobody
//! knows that. Held against them it can be compiled, and run with its bytecode, without an index that is not there or a value
//! of another type than its place. They say nothing of interfaces: those are the verifier's, and
//! [`Tables::adopt`](crate::import::Tables::adopt)'s.
//!
//! | rules of | what |
//! | --- | --- |
//! | tables | what is named is there; records hold earlier ones only, and are no larger than `import.rs` lets them be; an operation is worth what comes back |
//! | variables | each is declared at one place, and used from there to the end of the block; `started` is the time, from the beginning; parameters, variables of loops and of errors do not change |
//! | statements | loops are left within them, functions within them; a list that a loop goes over is only added to; a binding whose attempt may fail has a way out that leaves |
//! | values | of the type that is wanted; texts and lists of any length |
//!
//! `check/values.rs` has those of values.

mod values;

use super::*;
use crate::bytecode::{INTERFACES_MAX, PORTALS_MAX, SPREAD_MAX, TABLE_MAX};
use crate::import::{RECORD_DEPTH_MAX, RECORD_WORDS_MAX};

/// Longest name, in bytes.
const NAME_BYTES_MAX: usize = 255;
/// Most caps of a header.
const CAPS_MAX: usize = 16;
/// Most variables: one number is none.
const VARS_MAX: usize = u16::MAX as usize;

/// A rule of trees that one breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// Where, by what the tree says of its source.
    pub pos: Pos,
    /// What was found, and what was expected.
    pub what: String,
}

impl std::error::Error for IllFormed {}

impl std::fmt::Display for IllFormed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the tree is ill-formed")?;
        if self.pos.line > 0 {
            write!(f, " at line {}", self.pos.line)?;
        }
        write!(f, ": {}", self.what)
    }
}

type Check<T = ()> = Result<T, IllFormed>;

impl Tree {
    /// Holds the tree against the rules of `tree/check.rs`.
    ///
    /// # Errors
    /// The first that it breaks.
    pub fn check(&self) -> Result<(), IllFormed> {
        let mut checker = Checker {
            tree: self,
            states: vec![State::Waiting; self.vars.len()],
            scope: Vec::new(),
            walked: Vec::new(),
            loops: 0,
            functions: Vec::new(),
            tries: Vec::new(),
            offsets: Vec::with_capacity(self.records.len()),
            apart: Vec::with_capacity(self.records.len()),
            spread: 0,
            pos: Pos::default(),
        };
        checker.tables()?;
        checker.header()?;
        checker.block(&self.body)
    }
}

/// Where a variable is with its declaration.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// It comes later.
    Waiting,
    /// It can be used.
    Here,
    /// Its block has ended.
    Gone,
}

struct Checker<'t> {
    tree: &'t Tree,
    states: Vec<State>,
    /// Variables that end with the present block.
    scope: Vec<VarId>,
    /// Lists that open loops go over.
    walked: Vec<VarId>,
    /// Loops that are open in the present function.
    loops: usize,
    /// Results of the functions that are open.
    functions: Vec<Option<VarId>>,
    /// What is caught of the calls that are looked at.
    tries: Vec<EnumId>,
    /// Of each record the word at which each field begins.
    offsets: Vec<Vec<u16>>,
    /// Of each record whether it holds portals: it is no value then, but for reading fields of it.
    apart: Vec<bool>,
    /// Items that moves and repeats have named.
    spread: u64,
    pos: Pos,
}

impl<'t> Checker<'t> {
    fn broken<T>(&self, what: impl Into<String>) -> Check<T> {
        Err(IllFormed { pos: self.pos, what: what.into() })
    }

    fn holds(&self, condition: bool, what: &str) -> Check {
        if condition { Ok(()) } else { self.broken(what) }
    }

    // Tables.

    fn tables(&mut self) -> Check {
        let tree = self.tree;
        let counts = [
            (tree.interfaces.len(), INTERFACES_MAX, "interfaces"),
            (tree.enums.len(), INTERFACES_MAX, "enums"),
            (tree.records.len(), VARS_MAX, "records"),
            (tree.ops.len(), TABLE_MAX, "operations"),
            (tree.vars.len(), VARS_MAX, "variables"),
            (tree.params.len(), TABLE_MAX, "parameters"),
            (tree.caps.len(), CAPS_MAX, "caps"),
        ];
        for (count, max, what) in counts {
            if count > max {
                return self.broken(format!("{count} {what}, at most {max} were expected"));
            }
        }
        self.name(&tree.name)?;
        for used in &tree.interfaces {
            self.name(&used.module)?;
            self.name(&used.name)?;
        }
        for used in &tree.enums {
            self.name(&used.name)?;
            self.holds(!used.values.is_empty(), "an enum without values")?;
            self.holds(used.values.len() <= 1 << 16, "an enum with more than 65,536 values")?;
        }
        self.records()?;
        tree.ops.iter().try_for_each(|op| self.op(op))?;
        for var in &tree.vars {
            self.ty(&var.ty)?;
            self.holds(var.name.len() <= NAME_BYTES_MAX, "a variable with a name of more than 255 bytes")?;
        }
        tree.result.iter().try_for_each(|ty| {
            self.ty(ty)?;
            let is_portal = matches!(ty, Ty::Portal(_)) || self.is_apart(ty);
            self.holds(!is_portal, "a portal as the result")
        })
    }

    fn name(&self, name: &str) -> Check {
        let fits = (1..=NAME_BYTES_MAX).contains(&name.len());
        self.holds(fits, "a name that is empty or has more than 255 bytes")
    }

    /// A type of a variable, argument or result.
    fn ty(&self, ty: &Ty) -> Check {
        match ty {
            Ty::List(of, most) => {
                self.holds(!matches!(**of, Ty::List(..)), "a list of lists")?;
                let fits = !self.is_apart(ty) || (1..=PORTALS_MAX).contains(most);
                self.holds(fits, "a list of portals that holds none, or more than 64")?;
                self.ty(of)
            }
            Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Str(_) | Ty::Bytes(_) => Ok(()),
            Ty::Enum(id) => self.holds(id.index() < self.tree.enums.len(), "an enum that is not there"),
            Ty::Record(id) => self.holds(id.index() < self.tree.records.len(), "a record that is not there"),
            Ty::Portal(id) => {
                self.holds(id.index() < self.tree.interfaces.len(), "an interface that is not there")
            }
        }
    }

    /// Whether it is a record that holds portals, or a list of such records or of portals: nothing that is copied.
    fn is_apart(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Record(id) => self.apart.get(id.index()).copied().unwrap_or(false),
            Ty::List(of, _) => matches!(**of, Ty::Portal(_)) || self.is_apart(of),
            _ => false,
        }
    }

    fn records(&mut self) -> Check {
        // Words and depth of each.
        let mut sizes: Vec<(usize, usize)> = Vec::with_capacity(self.tree.records.len());
        // Scalars and texts of each.
        let mut kinds: Vec<(usize, usize)> = Vec::with_capacity(self.tree.records.len());
        for record in &self.tree.records {
            let name = &record.name;
            self.holds(name.len() <= 2 * NAME_BYTES_MAX + 1, "a record with too long a name")?;
            self.holds(!record.fields.is_empty(), "a record without fields")?;
            let (mut words, mut depth) = (0, 0);
            let mut offsets = Vec::with_capacity(record.fields.len());
            for (field, ty) in &record.fields {
                self.name(field)?;
                self.ty(ty)?;
                offsets.push(words as u16);
                match ty {
                    Ty::List(..) => return self.broken("a record with a list"),
                    Ty::Record(id) => match sizes.get(id.index()) {
                        Some(inner) => (words, depth) = (words + inner.0, depth.max(inner.1 + 1)),
                        None => return self.broken("a record with one that is not earlier"),
                    },
                    _ => (words, depth) = (words + 1, depth.max(1)),
                }
            }
            if let Some(list) = &record.list {
                depth += self.packed(record, list, &sizes)?;
            }
            if words > RECORD_WORDS_MAX || depth > RECORD_DEPTH_MAX {
                return self.broken(format!("record `{name}` is too large or nested too deep"));
            }
            sizes.push((words, depth));
            self.offsets.push(offsets);
            let holds_portal = |(_, ty): &(String, Ty)| matches!(ty, Ty::Portal(_)) || self.is_apart(ty);
            let is_apart = record.fields.iter().any(holds_portal);
            self.apart.push(is_apart);
            if let Some(union) = &record.union {
                let shared = self.shared(record, union)?;
                for arm in &union.arms {
                    self.arm(arm, shared, &kinds)?;
                }
            }
            kinds.push(record.fields.iter().map(|(_, ty)| words_of(ty, &kinds)).fold((0, 0), both));
        }
        Ok(())
    }

    /// How deep the elements of a list within another value are.
    fn packed(&self, record: &Record, list: &Ty, sizes: &[(usize, usize)]) -> Check<usize> {
        let is_bytes = matches!(record.fields[..], [(_, Ty::Bytes(_))]) && record.union.is_none();
        self.ty(list)?;
        self.holds(!list.is_of_portals(), "a list of portals within another value")?;
        match list {
            Ty::List(of, _) if is_bytes => match **of {
                Ty::Record(id) => match sizes.get(id.index()) {
                    Some(_) if self.is_apart(of) => self.broken("a list with portals within another value"),
                    Some((_, depth)) => Ok(*depth),
                    None => self.broken("a list of records that are not earlier"),
                },
                _ => Ok(0),
            },
            _ => self.broken("a list that is none"),
        }
    }

    /// How many scalars and texts the arms of a union share.
    fn shared(&self, record: &Record, union: &Union) -> Check<(usize, usize)> {
        let scalars = usize::from(union.scalars);
        let fits = match record.fields.split_first() {
            Some(((_, case), rest)) if scalars <= rest.len() => {
                let (scalars, texts) = rest.split_at(scalars);
                matches!(case, Ty::Int | Ty::Bool | Ty::Enum(_))
                    && scalars.iter().all(|(_, ty)| *ty == Ty::Int)
                    && texts.iter().all(|(_, ty)| matches!(ty, Ty::Bytes(_)))
            }
            _ => false,
        };
        self.holds(fits, "a union that is none")?;
        self.holds(!union.arms.is_empty(), "a union without arms")?;
        Ok((scalars, record.fields.len() - 1 - scalars))
    }

    fn arm(&self, arm: &Arm, shared: (usize, usize), kinds: &[(usize, usize)]) -> Check {
        self.name(&arm.name)?;
        self.ty(&arm.ty)?;
        match arm.ty {
            Ty::Portal(_) => return self.broken("a union with a portal"),
            Ty::List(..) if self.is_apart(&arm.ty) => return self.broken("a union with portals"),
            Ty::Record(_) if self.is_apart(&arm.ty) => return self.broken("a union with portals"),
            Ty::Record(id) => {
                self.holds(id.index() < kinds.len(), "a union with a record that is not earlier")?
            }
            _ => {}
        }
        let (scalars, texts) = words_of(&arm.ty, kinds);
        self.holds(scalars <= shared.0 && texts <= shared.1, "an arm of more words than its union")
    }

    fn op(&self, op: &Op) -> Check {
        self.holds(op.interface.index() < self.tree.interfaces.len(), "an interface that is not there")?;
        self.name(&op.name)?;
        op.args.iter().chain(&op.results).chain(&op.value).try_for_each(|ty| self.ty(ty))?;
        let wrong = |what: &str| self.broken(format!("operation `{}` {what}", op.name));
        let is_record = |ty: &Ty| matches!(ty, Ty::Record(_)) && self.is_apart(ty);
        if op.args.iter().chain(&op.results).chain(&op.value).any(is_record) {
            return wrong("has a struct with portals that is not taken apart");
        }
        let inouts = usize::from(op.inouts);
        match (op.args.len().checked_sub(inouts), op.results.get(..inouts)) {
            (Some(from), Some(back)) if op.args[from..] == *back => {}
            _ => return wrong("does not give back what it takes as inout"),
        }
        let counts = |at: u16| matches!(op.args.get(usize::from(at)), Some(Ty::Int | Ty::Bytes(_)));
        if op.cost.is_some_and(|at| !counts(at)) {
            return wrong("has a cost that is no integer and no bytes it takes");
        }
        if op.raises.is_some_and(|of| of.index() >= self.tree.enums.len()) {
            return wrong("raises an enum that is not there");
        }
        if let Some(paged) = op.paged {
            let fits = op.value.is_none() && self.is_paged(op, paged);
            return if fits { Ok(()) } else { wrong("is not paged as it says") };
        }
        match (&op.value, &op.results[..]) {
            (None, []) => Ok(()),
            (Some(value), [only]) if value == only && !self.is_apart(value) => Ok(()),
            (Some(Ty::Record(id)), [_, _, ..]) if self.is_record_of(*id, &op.results) => Ok(()),
            (None, results) if results.iter().any(|ty| matches!(ty, Ty::Portal(_) | Ty::List(..))) => Ok(()),
            _ => wrong("is not worth what it gives back"),
        }
    }

    fn is_record_of(&self, id: RecordId, types: &[Ty]) -> bool {
        let fields = self.tree.records[id.index()].fields.iter();
        fields.map(|(_, ty)| ty).eq(types)
    }

    fn is_paged(&self, op: &Op, paged: Paged) -> bool {
        let element = match op.results.get(usize::from(paged.page)) {
            Some(Ty::List(of, _)) => &**of,
            _ => return false,
        };
        let Ty::Record(id) = *element else { return false };
        let key = self.tree.records[id.index()].fields.get(usize::from(paged.key));
        matches!(key, Some((_, Ty::Str(_))))
            && matches!(op.args.get(usize::from(paged.cursor)), Some(Ty::Str(_)))
            && op.results.get(usize::from(paged.last)) == Some(&Ty::Bool)
    }

    // What is there from the beginning.

    fn header(&mut self) -> Check {
        let tree = self.tree;
        for param in &tree.params {
            let var = self.known(param.var)?;
            let fits = !matches!(var.ty, Ty::Record(_) | Ty::List(..)) && var.mutability == Mutability::Fixed;
            self.holds(fits, "a parameter that is a record or list, or changes")?;
            self.begin(param.var)?;
            if let Some(default) = &param.default {
                self.holds(self.is_of(default, &var.ty), "a default of another type than its parameter")?;
            }
        }
        let mut started = tree.vars.iter().enumerate().filter(|(_, var)| var.name == "started");
        if let Some((at, var)) = started.next() {
            let fits = var.ty == Ty::Int && var.mutability == Mutability::Fixed && started.next().is_none();
            self.holds(fits, "a variable `started` that is not the time at which the run began")?;
            self.begin(VarId(at as u16))?;
        }
        // All of these stay to the end.
        self.scope.clear();
        Ok(())
    }

    fn is_of(&self, value: &Const, ty: &Ty) -> bool {
        match (value, ty) {
            (Const::Int(_), Ty::Int) | (Const::Bool(_), Ty::Bool) => true,
            (Const::Float(float), Ty::Float(precision)) => {
                float.precision == *precision && precision.holds(float.word)
            }
            (Const::Enum(n), Ty::Enum(id)) => usize::from(*n) < self.tree.enums[id.index()].values.len(),
            (Const::Text(text), Ty::Str(max)) => text.len() <= *max as usize && !text.contains(&0),
            (Const::Text(text), Ty::Bytes(max)) => text.len() <= *max as usize,
            _ => false,
        }
    }

    // Variables.

    fn known(&self, var: VarId) -> Check<&'t Var> {
        match self.tree.vars.get(var.index()) {
            Some(var) => Ok(var),
            None => self.broken("a variable that is not there"),
        }
    }

    /// A variable can be used from here to the end of the present block.
    fn begin(&mut self, var: VarId) -> Check<&'t Ty> {
        let known = self.known(var)?;
        if self.states[var.index()] != State::Waiting {
            return self.broken(format!("`{}` is declared at two places", known.name));
        }
        self.states[var.index()] = State::Here;
        self.scope.push(var);
        Ok(&known.ty)
    }

    /// The same for one that nothing changes.
    fn begin_fixed(&mut self, var: VarId, ty: &Ty) -> Check {
        let found = self.begin(var)?;
        let fits = found == ty && self.known(var)?.mutability == Mutability::Fixed;
        self.holds(
            fits,
            "a variable of a loop, of an error or of a result that changes, or is of another type",
        )
    }

    fn usable(&self, var: VarId) -> Check<&'t Var> {
        let known = self.known(var)?;
        match self.states[var.index()] {
            State::Here => Ok(known),
            _ => self.broken(format!("`{}` has no value here", known.name)),
        }
    }

    /// A variable that may change here, apart from being added to.
    fn changing(&self, var: VarId) -> Check<&'t Ty> {
        let ty = self.growing(var)?;
        let free = !self.walked.contains(&var);
        self.holds(free, "a list that changes while a loop goes over it")?;
        Ok(ty)
    }

    fn growing(&self, var: VarId) -> Check<&'t Ty> {
        let known = self.usable(var)?;
        match known.mutability {
            Mutability::Changes => Ok(&known.ty),
            Mutability::Fixed => self.broken(format!("`{}` cannot change", known.name)),
        }
    }

    /// The type of a place that may change.
    fn place(&mut self, place: &Place) -> Check<&'t Ty> {
        let mut ty = self.changing(place.var)?;
        if let Some(index) = &place.index {
            self.wanted(index, &Ty::Int)?;
            let Ty::List(of, _) = ty else { return self.broken("an index into what is no list") };
            let is_record = matches!(**of, Ty::Record(_)) && self.is_apart(of);
            self.holds(!is_record, "a list with portals that is not only added to")?;
            ty = of;
        }
        for field in &place.fields {
            ty = self.field(ty, *field)?;
        }
        Ok(ty)
    }

    fn field(&self, ty: &Ty, field: u16) -> Check<&'t Ty> {
        let Ty::Record(id) = ty else { return self.broken("a field of what is no record") };
        match self.tree.records[id.index()].fields.get(usize::from(field)) {
            Some((_, ty)) => Ok(ty),
            None => self.broken("a field that is not there"),
        }
    }

    /// `count` items that are all there and of one type, which is scalar.
    fn strided(&mut self, items: &Strided, count: u16) -> Check<Ty> {
        let ty = self.changing(items.var)?;
        self.holds(count > 0, "no items")?;
        self.spread += u64::from(count);
        self.holds(self.spread <= 4 * SPREAD_MAX, "too many items of moves and repeats")?;
        let at = |k: usize| self.word(ty, usize::from(items.first) + k * usize::from(items.step));
        let Some(first @ (Ty::Int | Ty::Bool | Ty::Float(_) | Ty::Enum(_))) = at(0) else {
            return self.broken("items that are no scalars of a variable");
        };
        let alike = (0..usize::from(count)).all(|k| at(k) == Some(first));
        self.holds(alike, "items of two types, or behind the end of a variable")?;
        Ok(first.clone())
    }

    /// The type of a word of a value.
    fn word(&self, mut ty: &'t Ty, mut at: usize) -> Option<&'t Ty> {
        while let Ty::Record(id) = ty {
            let offsets = &self.offsets[id.index()];
            let field = offsets.partition_point(|from| usize::from(*from) <= at).checked_sub(1)?;
            (at, ty) = (at - usize::from(offsets[field]), &self.tree.records[id.index()].fields[field].1);
        }
        (at == 0).then_some(ty)
    }

    // Statements.

    fn block(&mut self, block: &Block) -> Check {
        self.scoped(|checker| block.stmts.iter().try_for_each(|stmt| checker.stmt(stmt)))
    }

    /// What `inner` declares ends with it.
    fn scoped(&mut self, inner: impl FnOnce(&mut Self) -> Check) -> Check {
        let outer = std::mem::take(&mut self.scope);
        inner(self)?;
        for var in std::mem::replace(&mut self.scope, outer) {
            self.states[var.index()] = State::Gone;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Check {
        self.pos = if stmt.pos.line == 0 { self.pos } else { stmt.pos };
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                let found = self.worth(value)?;
                let ty = self.begin(*var)?;
                self.holds(!self.is_apart(ty), "a copy of portals")?;
                self.fits(found.as_ref(), ty)
            }
            StmtKind::Declare(var) => {
                let ty = self.begin(*var)?;
                let is_record = matches!(ty, Ty::Record(_)) && self.is_apart(ty);
                self.holds(!is_record, "a variable of structs with portals")
            }
            StmtKind::Assign { place, value } => {
                let ty = self.place(place)?;
                let is_one = matches!((ty, &place.index), (Ty::Portal(_), Some(_)));
                self.holds(!is_one && !self.is_apart(ty), "a list of portals that is not only added to")?;
                self.wanted(value, ty)
            }
            StmtKind::Update { place, op, value } => {
                let ty = self.place(place)?;
                let fits = match ty {
                    Ty::Int | Ty::Float(_) => matches!(op, ArithOp::Add | ArithOp::Sub),
                    Ty::Str(_) | Ty::Bytes(_) => *op == ArithOp::Add,
                    _ => false,
                };
                self.holds(fits, "an update of what is no number or text")?;
                self.wanted(value, ty)
            }
            StmtKind::Add { list, value } => match self.growing(*list)? {
                Ty::List(of, _) if matches!(**of, Ty::Record(_)) && self.is_apart(of) => self.made(value, of),
                Ty::List(of, _) => self.wanted(value, of),
                _ => self.broken("an element for what is no list"),
            },
            StmtKind::Sort { list, keys } => self.sort(*list, keys),
            StmtKind::Do(value) => {
                let fits = matches!(value.kind, ExprKind::Call(_) | ExprKind::Inline(_));
                self.holds(fits, "a value that is not used")?;
                self.worth(value).map(drop)
            }
            StmtKind::Repeat(repeat) => self.repeat(repeat),
            StmtKind::Move { from, to, count } => {
                let (from, to) = (self.strided(from, *count)?, self.strided(to, *count)?);
                self.holds(from == to, "a move to items of another type")
            }
            StmtKind::If { arms, otherwise } => {
                self.holds(!arms.is_empty(), "a choice without conditions")?;
                for (cond, then) in arms {
                    self.wanted(cond, &Ty::Bool)?;
                    self.block(then)?;
                }
                self.block(otherwise)
            }
            StmtKind::Try { bind, value, kind, message, otherwise } => {
                self.attempt(bind, value, (*kind, *message), otherwise)
            }
            StmtKind::Return(value) => {
                self.holds(self.functions.is_empty(), "the program's end within a function")?;
                self.given(value.as_ref(), self.tree.result.as_ref())
            }
            StmtKind::Break | StmtKind::Continue => self.holds(self.loops > 0, "there is no loop to leave"),
            StmtKind::Fail(message) => self.wanted(message, &Ty::Str(u32::MAX)),
            StmtKind::Leave(value) => {
                let Some(result) = self.functions.last().copied() else {
                    return self.broken("there is no function to leave");
                };
                let ty = result.map(|var| self.known(var).map(|var| &var.ty)).transpose()?;
                self.given(value.as_ref(), ty)
            }
            StmtKind::LetParts { vars, call } => {
                let op = self.call(call)?;
                self.parts(vars, op)
            }
            _ => self.a_loop(&stmt.kind),
        }
    }

    /// A value that is there exactly if one is wanted.
    fn given(&mut self, value: Option<&Expr>, ty: Option<&Ty>) -> Check {
        match (value, ty) {
            (Some(value), Some(ty)) => self.wanted(value, ty),
            (None, None) => Ok(()),
            _ => self.broken("a result where none is wanted, or none where one is"),
        }
    }

    fn sort(&self, list: VarId, keys: &[u16]) -> Check {
        let Ty::List(of, _) = self.changing(list)? else { return self.broken("sorting what is no list") };
        self.holds(!keys.is_empty(), "sorting by nothing")?;
        self.holds(!self.is_apart(of), "sorting what holds portals")?;
        for key in keys {
            let ty = self.field(of, *key)?;
            self.holds(!matches!(ty, Ty::Record(_)), "sorting by a record")?;
            self.holds(!matches!(ty, Ty::Float(_)), "sorting by a float")?;
        }
        Ok(())
    }

    fn a_loop(&mut self, kind: &StmtKind) -> Check {
        match kind {
            StmtKind::While { cond, body, .. } => {
                self.wanted(cond, &Ty::Bool)?;
                self.body(None, body, |_| Ok(()))
            }
            StmtKind::ForRange { var, from, to, body, .. } => {
                self.wanted(from, &Ty::Int)?;
                self.wanted(to, &Ty::Int)?;
                self.body(None, body, |checker| checker.begin_fixed(*var, &Ty::Int))
            }
            StmtKind::ForList { var, index, list, body, .. } => {
                let Ty::List(of, _) = &self.usable(*list)?.ty else {
                    return self.broken("a loop over what is no list");
                };
                self.body(Some(*list), body, |checker| checker.element((*var, *index), of))
            }
            StmtKind::ForPaged { var, index, call, body, .. } => {
                let op = self.call(call)?;
                match op.paged.map(|paged| (&op.results[usize::from(paged.page)], paged.cursor)) {
                    Some((Ty::List(of, _), cursor)) => {
                        let empty = matches!(&call.args[usize::from(cursor)].kind, ExprKind::Text(text) if text.is_empty());
                        self.holds(empty, "a cursor that does not begin empty")?;
                        self.body(None, body, |checker| checker.element((*var, *index), of))
                    }
                    _ => self.broken("a loop over pages of an operation that has none"),
                }
            }
            _ => Ok(()),
        }
    }

    fn element(&mut self, (var, index): (VarId, Option<VarId>), of: &Ty) -> Check {
        self.begin_fixed(var, of)?;
        index.map_or(Ok(()), |index| self.begin_fixed(index, &Ty::Int))
    }

    fn body(&mut self, list: Option<VarId>, body: &Block, begin: impl FnOnce(&mut Self) -> Check) -> Check {
        let walked = self.walked.len();
        self.walked.extend(list);
        self.loops += 1;
        self.scoped(|checker| {
            begin(checker)?;
            checker.block(body)
        })?;
        self.loops -= 1;
        self.walked.truncate(walked);
        Ok(())
    }

    fn attempt(
        &mut self,
        bind: &Bind,
        value: &Expr,
        (kind, message): (VarId, VarId),
        otherwise: &Block,
    ) -> Check {
        let Ty::Enum(of) = self.known(kind)?.ty else { return self.broken("an error without a kind") };
        let Ty::Str(max) = self.known(message)?.ty else { return self.broken("an error without a message") };
        self.tries.push(of);
        let place = match bind {
            Bind::Assign(place) => {
                let ty = self.place(place)?;
                let is_one = matches!((ty, &place.index), (Ty::Portal(_), Some(_)));
                self.holds(!is_one && !self.is_apart(ty), "a list of portals that is not only added to")?;
                Some(ty)
            }
            Bind::None | Bind::Let(_) | Bind::Parts(_) => None,
        };
        let (found, parts) = match (bind, &value.kind) {
            (Bind::Parts(vars), ExprKind::Call(call)) => (None, Some((vars, self.call(call)?))),
            (Bind::Parts(_), _) => return self.broken("the results of what is no call"),
            _ => (self.worth(value)?, None),
        };
        self.tries.pop();
        place.map_or(Ok(()), |ty| self.fits(found.as_ref(), ty))?;
        self.scoped(|checker| {
            checker.begin_fixed(kind, &Ty::Enum(of))?;
            checker.begin_fixed(message, &Ty::Str(max))?;
            checker.block(otherwise)
        })?;
        if let Bind::Let(_) | Bind::Parts(_) = bind {
            self.holds(leaves(&otherwise.stmts), "an attempt behind which a variable may have no value")?;
        }
        match (bind, parts) {
            (Bind::Let(var), _) => {
                let ty = self.begin(*var)?;
                self.holds(!self.is_apart(ty), "a copy of portals")?;
                self.fits(found.as_ref(), ty)
            }
            (_, Some((vars, op))) => self.parts(vars, op),
            _ => Ok(()),
        }
    }

    /// Variables for the results of a call.
    fn parts(&mut self, vars: &[VarId], op: &Op) -> Check {
        self.holds(op.gives_parts(), "the results of a call that is worth something, taken apart")?;
        self.holds(
            vars.len() == op.results.len(),
            "too few or too many variables for the results of a call",
        )?;
        vars.iter().zip(&op.results).try_for_each(|(var, ty)| self.begin_fixed(*var, ty))
    }
}

/// How many scalars and texts a type has; of records that is known.
fn words_of(ty: &Ty, kinds: &[(usize, usize)]) -> (usize, usize) {
    match ty {
        Ty::Record(id) => kinds[id.index()],
        Ty::Str(_) | Ty::Bytes(_) | Ty::List(..) => (0, 1),
        _ => (1, 0),
    }
}

fn both(a: (usize, usize), b: (usize, usize)) -> (usize, usize) {
    (a.0 + b.0, a.1 + b.1)
}

/// Whether what follows these statements is never reached.
fn leaves(stmts: &[Stmt]) -> bool {
    match stmts.last().map(|stmt| &stmt.kind) {
        Some(
            StmtKind::Return(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Fail(_)
            | StmtKind::Leave(_),
        ) => true,
        Some(StmtKind::If { arms, otherwise }) => {
            arms.iter().all(|(_, then)| leaves(&then.stmts)) && leaves(&otherwise.stmts)
        }
        _ => false,
    }
}
