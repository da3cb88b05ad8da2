//! Trees in bytes: what is sent to servers that take trees, and handed on from one component to the next.
//!
//! `decode.rs` reads what is written here. A tree has one encoding, and bytes that can be read are the encoding of what was
//! read: numbers have no more bytes than they need, and nothing is left open.
//!
//! | what | how |
//! | --- | --- |
//! | number | seven bits in each byte, the low ones first; the highest bit is set in all bytes but the last |
//! | signed number | as a number: 2n, or -2n - 1 if it is negative |
//! | bytes, name | how many, then they |
//! | list | how many, then one after the other |
//! | option | 0, or 1 and the value |
//! | choice | one byte, in the order of the `enum` in `tree.rs`, then what belongs to it |
//! | place | line, less the line of the place before it, signed; column |
//!
//! ```text
//! magic 4, version 1 byte
//! name; interfaces: module, name, texts; enums: name, hash 8 bytes, values
//! records: name, fields of name and type; of what is more no fields, then what it is and its fields: 1 a union, scalars, and
//! arms of name, type and labels; 2 a list within another value, its type
//! operations: interface, name, hash 8 bytes, effect, arguments, inouts, results, value?, cost?, paged?, raises?
//! variables: name, type, mutability; parameters: variable, default?; type of the result?; caps: kind, limit, place
//! body: statements, each a choice, its place, its parts; expressions likewise
//! ```

use carnet_idl::descriptor::Effect;

use super::*;

/// First bytes of every tree.
pub const MAGIC: [u8; 4] = *b"CNT1";
/// Version of the encoding.
pub const VERSION: u8 = 1;
/// Largest size of a tree in bytes.
pub const BYTES_MAX: usize = 1 << 20;

impl Tree {
    /// Writes the tree.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer { out: Vec::with_capacity(256), line: 0 };
        w.out.extend_from_slice(&MAGIC);
        w.out.push(VERSION);
        w.tree(self);
        w.out
    }
}

struct Writer {
    out: Vec<u8>,
    /// Of the last place.
    line: u32,
}

impl Writer {
    fn u8(&mut self, n: u8) {
        self.out.push(n);
    }

    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.out.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.out.push(n as u8);
    }

    fn signed(&mut self, n: i64) {
        self.number(((n << 1) ^ (n >> 63)).cast_unsigned());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    fn name(&mut self, name: &str) {
        self.bytes(name.as_bytes());
    }

    fn hash(&mut self, hash: u64) {
        self.out.extend_from_slice(&hash.to_le_bytes());
    }

    fn list<T>(&mut self, list: &[T], mut write: impl FnMut(&mut Writer, &T)) {
        self.number(list.len() as u64);
        list.iter().for_each(|one| write(self, one));
    }

    fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Writer, T)) {
        self.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    fn pos(&mut self, pos: Pos) {
        self.signed(i64::from(pos.line) - i64::from(self.line));
        self.number(pos.col.into());
        self.line = pos.line;
    }

    fn tree(&mut self, tree: &Tree) {
        self.name(&tree.name);
        self.list(&tree.interfaces, |w, used| {
            w.name(&used.module);
            w.name(&used.name);
            w.u8(match used.texts {
                Texts::Any => 0,
                Texts::Root => 1,
            });
        });
        self.list(&tree.enums, |w, used| {
            w.name(&used.name);
            w.hash(used.hash.0);
            w.list(&used.values, |w, value| w.name(value));
        });
        self.list(&tree.records, |w, record| {
            w.name(&record.name);
            match (&record.union, &record.list) {
                (Some(union), _) => {
                    w.tagged(0, 1);
                    w.union(record, union);
                }
                (None, Some(list)) => {
                    w.tagged(0, 2);
                    w.fields(record);
                    w.ty(list);
                }
                (None, None) if record.fields.is_empty() => w.tagged(0, 0),
                (None, None) => w.fields(record),
            }
        });
        self.list(&tree.ops, Writer::op);
        self.list(&tree.vars, |w, var| {
            w.name(&var.name);
            w.ty(&var.ty);
            w.u8(match var.mutability {
                Mutability::Fixed => 0,
                Mutability::Changes => 1,
            });
        });
        self.list(&tree.params, |w, param| {
            w.var(param.var);
            w.option(param.default.as_ref(), Writer::constant);
        });
        self.option(tree.result.as_ref(), Writer::ty);
        self.list(&tree.caps, |w, cap| {
            w.u8(cap.kind as u8);
            w.number(cap.limit);
            w.pos(cap.pos);
        });
        self.block(&tree.body);
    }

    fn fields(&mut self, record: &Record) {
        self.list(&record.fields, |w, (name, ty)| {
            w.name(name);
            w.ty(ty);
        });
    }

    fn union(&mut self, record: &Record, union: &Union) {
        self.fields(record);
        self.number(union.scalars.into());
        self.list(&union.arms, |w, arm| {
            w.name(&arm.name);
            w.ty(&arm.ty);
            w.list(&arm.labels, |w, label| w.signed(*label));
        });
    }

    fn op(&mut self, op: &Op) {
        self.number(op.interface.0.into());
        self.name(&op.name);
        self.hash(op.hash.0);
        self.u8(u8::from(op.effect == Effect::Writes));
        self.list(&op.args, Writer::ty);
        self.number(op.inouts.into());
        self.list(&op.results, Writer::ty);
        self.option(op.value.as_ref(), Writer::ty);
        self.option(op.cost, |w, cost| w.number(cost.into()));
        self.option(op.paged, |w, Paged { cursor, page, last, key }| {
            [cursor, page, last, key].into_iter().for_each(|n| w.number(n.into()));
        });
        self.option(op.raises, |w, of| w.number(of.0.into()));
    }

    fn ty(&mut self, ty: &Ty) {
        match ty {
            Ty::Int => self.u8(0),
            Ty::Bool => self.u8(1),
            Ty::Enum(id) => self.tagged(2, id.0.into()),
            Ty::Str(max) => self.tagged(3, (*max).into()),
            Ty::Bytes(max) => self.tagged(4, (*max).into()),
            Ty::Record(id) => self.tagged(5, id.0.into()),
            Ty::List(of, max) => {
                self.tagged(6, (*max).into());
                self.ty(of);
            }
            Ty::Portal(id) => self.tagged(7, id.0.into()),
            Ty::Float(Precision::Single) => self.u8(8),
            Ty::Float(Precision::Double) => self.u8(9),
        }
    }

    fn tagged(&mut self, tag: u8, n: u64) {
        self.u8(tag);
        self.number(n);
    }

    fn constant(&mut self, value: &Const) {
        match value {
            Const::Int(n) => {
                self.u8(0);
                self.signed(*n);
            }
            Const::Bool(b) => self.tagged(1, u64::from(*b)),
            Const::Enum(n) => self.tagged(2, (*n).into()),
            Const::Text(text) => {
                self.u8(3);
                self.bytes(text);
            }
            Const::Float(float) => {
                self.u8(4);
                self.float(*float);
            }
        }
    }

    fn float(&mut self, float: Float) {
        self.precision(float.precision);
        self.out.extend_from_slice(&float.word.to_le_bytes());
    }

    fn precision(&mut self, precision: Precision) {
        self.u8(match precision {
            Precision::Single => 0,
            Precision::Double => 1,
        });
    }

    fn var(&mut self, var: VarId) {
        self.number(var.0.into());
    }

    fn block(&mut self, block: &Block) {
        self.list(&block.stmts, Writer::stmt);
    }

    fn limit(&mut self, limit: Limit) {
        match limit {
            Limit::None => self.u8(0),
            Limit::At(n) => self.tagged(1, n),
        }
    }

    fn strided(&mut self, items: &Strided) {
        self.var(items.var);
        self.number(items.first.into());
        self.number(items.step.into());
    }

    fn place(&mut self, place: &Place) {
        self.var(place.var);
        self.option(place.index.as_ref(), Writer::expr);
        self.list(&place.fields, |w, field| w.number((*field).into()));
    }

    fn begin(&mut self, tag: u8, pos: Pos) {
        self.u8(tag);
        self.pos(pos);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let pos = stmt.pos;
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                self.begin(0, pos);
                self.var(*var);
                self.expr(value);
            }
            StmtKind::Declare(var) => {
                self.begin(1, pos);
                self.var(*var);
            }
            StmtKind::Assign { place, value } => {
                self.begin(2, pos);
                self.place(place);
                self.expr(value);
            }
            StmtKind::Update { place, op, value } => {
                self.begin(3, pos);
                self.place(place);
                self.u8(*op as u8);
                self.expr(value);
            }
            StmtKind::Add { list, value } => {
                self.begin(4, pos);
                self.var(*list);
                self.expr(value);
            }
            StmtKind::Sort { list, keys } => {
                self.begin(5, pos);
                self.var(*list);
                self.list(keys, |w, key| w.number((*key).into()));
            }
            StmtKind::Do(value) => {
                self.begin(6, pos);
                self.expr(value);
            }
            StmtKind::Repeat(repeat) => {
                self.begin(7, pos);
                self.repeat(repeat);
            }
            StmtKind::Move { from, to, count } => {
                self.begin(8, pos);
                self.strided(from);
                self.strided(to);
                self.number((*count).into());
            }
            StmtKind::If { arms, otherwise } => {
                self.begin(9, pos);
                self.list(arms, |w, (cond, then)| {
                    w.expr(cond);
                    w.block(then);
                });
                self.block(otherwise);
            }
            StmtKind::While { cond, limit, body } => {
                self.begin(10, pos);
                self.expr(cond);
                self.limit(*limit);
                self.block(body);
            }
            StmtKind::ForRange { var, from, to, limit, body } => {
                self.begin(11, pos);
                self.var(*var);
                self.expr(from);
                self.expr(to);
                self.limit(*limit);
                self.block(body);
            }
            StmtKind::ForList { var, index, list, limit, body } => {
                self.begin(12, pos);
                self.var(*var);
                self.option(*index, Writer::var);
                self.var(*list);
                self.limit(*limit);
                self.block(body);
            }
            StmtKind::ForPaged { var, index, call, limit, body } => {
                self.begin(13, pos);
                self.var(*var);
                self.option(*index, Writer::var);
                self.call(call);
                self.limit(*limit);
                self.block(body);
            }
            StmtKind::Try { bind, value, kind, message, otherwise } => {
                self.begin(14, pos);
                self.bind(bind);
                self.expr(value);
                self.var(*kind);
                self.var(*message);
                self.block(otherwise);
            }
            StmtKind::Return(value) => {
                self.begin(15, pos);
                self.option(value.as_ref(), Writer::expr);
            }
            StmtKind::Break => self.begin(16, pos),
            StmtKind::Continue => self.begin(17, pos),
            StmtKind::Fail(message) => {
                self.begin(18, pos);
                self.expr(message);
            }
            StmtKind::Leave(value) => {
                self.begin(19, pos);
                self.option(value.as_ref(), Writer::expr);
            }
            StmtKind::LetParts { vars, call } => {
                self.begin(20, pos);
                self.vars(vars);
                self.call(call);
            }
        }
    }

    fn bind(&mut self, bind: &Bind) {
        match bind {
            Bind::None => self.u8(0),
            Bind::Let(var) => self.tagged(1, var.0.into()),
            Bind::Assign(place) => {
                self.u8(2);
                self.place(place);
            }
            Bind::Parts(vars) => {
                self.u8(3);
                self.vars(vars);
            }
        }
    }

    fn vars(&mut self, vars: &[VarId]) {
        self.list(vars, |w, var| w.var(*var));
    }

    fn repeat(&mut self, repeat: &Repeat) {
        self.expr(&repeat.target);
        self.number(repeat.op.0.into());
        self.list(&repeat.args, |w, arg| match arg {
            RepeatArg::Same(value) => {
                w.u8(0);
                w.expr(value);
            }
            RepeatArg::Each(items) => {
                w.u8(1);
                w.strided(items);
            }
        });
        self.number(repeat.times.into());
        self.option(repeat.into.as_ref(), Writer::strided);
    }

    fn call(&mut self, call: &CallExpr) {
        self.expr(&call.target);
        self.number(call.op.0.into());
        self.list(&call.args, Writer::expr);
    }

    fn expr(&mut self, expr: &Expr) {
        let pos = expr.pos;
        match &expr.kind {
            ExprKind::Int(n) => {
                self.begin(0, pos);
                self.signed(*n);
            }
            ExprKind::Bool(b) => {
                self.begin(1, pos);
                self.u8(u8::from(*b));
            }
            ExprKind::Enum(id, n) => {
                self.begin(2, pos);
                self.number(id.0.into());
                self.number((*n).into());
            }
            ExprKind::Text(text) => {
                self.begin(3, pos);
                self.bytes(text);
            }
            ExprKind::Var(var) => {
                self.begin(4, pos);
                self.var(*var);
            }
            ExprKind::Field(of, field) => {
                self.begin(5, pos);
                self.expr(of);
                self.number((*field).into());
            }
            ExprKind::Index(list, index) => {
                self.begin(6, pos);
                self.var(*list);
                self.expr(index);
            }
            ExprKind::Len(of) => self.around(7, pos, of),
            ExprKind::Neg(of) => self.around(8, pos, of),
            ExprKind::Not(of) => self.around(9, pos, of),
            ExprKind::Arith(first, rest) => {
                self.around(10, pos, first);
                self.list(rest, |w, (op, operand)| {
                    w.u8(*op as u8);
                    w.expr(operand);
                });
            }
            ExprKind::Compare(rel, left, right) => self.two(11, pos, *rel as u8, [left, right]),
            ExprKind::And(parts) => self.parts(12, pos, parts),
            ExprKind::Or(parts) => self.parts(13, pos, parts),
            ExprKind::Test(test, left, right) => self.two(14, pos, *test as u8, [left, right]),
            ExprKind::Concat(parts) => self.parts(15, pos, parts),
            ExprKind::Record(id, fields) => {
                self.begin(16, pos);
                self.number(id.0.into());
                self.list(fields, Writer::expr);
            }
            ExprKind::Call(call) => {
                self.begin(17, pos);
                self.call(call);
            }
            ExprKind::Inline(inline) => {
                self.begin(18, pos);
                self.option(inline.result, Writer::var);
                self.block(&inline.body);
            }
            ExprKind::Float(float) => {
                self.begin(19, pos);
                self.float(*float);
            }
            ExprKind::Convert(precision, of) => {
                self.begin(20, pos);
                self.precision(*precision);
                self.expr(of);
            }
            ExprKind::As(ty, of) => {
                self.begin(21, pos);
                self.ty(ty);
                self.expr(of);
            }
            ExprKind::Tail(of, at) => {
                self.begin(22, pos);
                self.expr(of);
                self.expr(at);
            }
        }
    }

    fn around(&mut self, tag: u8, pos: Pos, of: &Expr) {
        self.begin(tag, pos);
        self.expr(of);
    }

    fn two(&mut self, tag: u8, pos: Pos, which: u8, sides: [&Expr; 2]) {
        self.begin(tag, pos);
        self.u8(which);
        sides.into_iter().for_each(|side| self.expr(side));
    }

    fn parts(&mut self, tag: u8, pos: Pos, parts: &[Expr]) {
        self.begin(tag, pos);
        self.list(parts, Writer::expr);
    }
}
