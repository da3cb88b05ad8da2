//! Trees from bytes, which anybody may have made.
//!
//! Lengths are held against what is left before memory is taken; numbers that name something are read as what they are, and
//! [`check`](super::check) looks whether it is there; and nothing is nested deeper than [`DEPTH_MAX`], which is what the
//! recursion here, of the compiler and of the interpreter costs.

use carnet_idl::descriptor::{Effect, OpHash, TypeHash};

use super::encode::{BYTES_MAX, MAGIC, VERSION};
use super::*;
use crate::eval::DEPTH_MAX;

/// Why bytes are no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATree {
    /// They do not begin as a tree does.
    #[error("this is no tree of a Carnet program")]
    Magic,
    /// They were written by another version.
    #[error("the tree is of version {0}, and this Carnet reads version {VERSION}")]
    Version(u8),
    /// They are too many.
    #[error("the tree has {0} bytes, and may have {BYTES_MAX}")]
    TooLong(usize),
    /// They end too early.
    #[error("the tree is cut off: it ends within its {0}")]
    Cut(&'static str),
    /// Something in them is none of what can stand there.
    #[error("the tree is damaged: at byte {at} there is no {what}")]
    Damaged {
        /// The byte.
        at: usize,
        /// What would have to be there.
        what: &'static str,
    },
    /// Something comes behind the tree.
    #[error("the tree is damaged: {0} bytes come behind its end")]
    Behind(usize),
    /// It is nested too deep.
    #[error("the tree is nested more than {DEPTH_MAX} deep")]
    TooDeep,
    /// It breaks a rule of trees.
    #[error(transparent)]
    IllFormed(#[from] IllFormed),
}

type Read<T> = Result<T, NotATree>;

impl Tree {
    /// Reads a tree that [`Tree::encode`] wrote, and [checks](Tree::check) it.
    ///
    /// # Errors
    /// [`NotATree`].
    pub fn decode(bytes: &[u8]) -> Result<Tree, NotATree> {
        let mut r = Reader { bytes, at: 0, line: 0, part: "header" };
        if !bytes.starts_with(&MAGIC) {
            return Err(if MAGIC.starts_with(bytes) { NotATree::Cut(r.part) } else { NotATree::Magic });
        }
        r.at = MAGIC.len();
        match r.u8()? {
            VERSION => {}
            other => return Err(NotATree::Version(other)),
        }
        if bytes.len() > BYTES_MAX {
            return Err(NotATree::TooLong(bytes.len()));
        }
        let tree = r.tree()?;
        match bytes.len() - r.at {
            0 => {}
            more => return Err(NotATree::Behind(more)),
        }
        tree.check()?;
        Ok(tree)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Of the last place.
    line: u32,
    /// What is being read.
    part: &'static str,
}

impl<'a> Reader<'a> {
    fn damaged<T>(&self, at: usize, what: &'static str) -> Read<T> {
        Err(NotATree::Damaged { at, what })
    }

    fn u8(&mut self) -> Read<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or(NotATree::Cut(self.part))?;
        self.at += 1;
        Ok(byte)
    }

    /// One of the bytes below `count`.
    fn choice(&mut self, count: u8, what: &'static str) -> Read<u8> {
        let at = self.at;
        let byte = self.u8()?;
        if byte < count { Ok(byte) } else { self.damaged(at, what) }
    }

    fn bool(&mut self) -> Read<bool> {
        Ok(self.choice(2, "truth value")? == 1)
    }

    fn number(&mut self) -> Read<u64> {
        let at = self.at;
        let mut n = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            // The last byte is needed: it is not zero behind others, and fits.
            if shift > 0 && byte == 0 || bits << shift >> shift != bits {
                break;
            }
            n |= bits << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        self.damaged(at, "number")
    }

    fn signed(&mut self) -> Read<i64> {
        let n = self.number()?;
        Ok((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
    }

    fn half(&mut self) -> Read<u16> {
        let at = self.at;
        let n = self.number()?;
        u16::try_from(n).or_else(|_| self.damaged(at, "number of 16 bits"))
    }

    fn full(&mut self) -> Read<u32> {
        let at = self.at;
        let n = self.number()?;
        u32::try_from(n).or_else(|_| self.damaged(at, "number of 32 bits"))
    }

    /// How many of at least `each` bytes follow, which must be there.
    fn count(&mut self, each: usize) -> Read<usize> {
        let count = self.number()?;
        let left = self.bytes.len() - self.at;
        match usize::try_from(count).ok().and_then(|count| count.checked_mul(each)) {
            Some(bytes) if bytes <= left => Ok(bytes / each),
            _ => Err(NotATree::Cut(self.part)),
        }
    }

    fn bytes(&mut self) -> Read<&'a [u8]> {
        let len = self.count(1)?;
        let bytes = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(bytes)
    }

    fn name(&mut self) -> Read<String> {
        let at = self.at;
        let bytes = self.bytes()?;
        match std::str::from_utf8(bytes) {
            Ok(name) => Ok(name.to_owned()),
            Err(_) => self.damaged(at, "name"),
        }
    }

    fn hash(&mut self) -> Read<u64> {
        let hash = self.bytes[self.at..].first_chunk::<8>().ok_or(NotATree::Cut(self.part))?;
        self.at += 8;
        Ok(u64::from_le_bytes(*hash))
    }

    /// Entries of at least `each` bytes. What an entry takes in memory is more, and is taken as they are read.
    fn list<T>(&mut self, each: usize, mut read: impl FnMut(&mut Reader<'a>) -> Read<T>) -> Read<Vec<T>> {
        let count = self.count(each)?;
        let mut list = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            list.push(read(self)?);
        }
        list.shrink_to_fit();
        Ok(list)
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Read<T>) -> Read<Option<T>> {
        if self.bool()? { read(self).map(Some) } else { Ok(None) }
    }

    fn pos(&mut self) -> Read<Pos> {
        let at = self.at;
        let line = i64::from(self.line).checked_add(self.signed()?).and_then(|line| u32::try_from(line).ok());
        let Some(line) = line else { return self.damaged(at, "place") };
        self.line = line;
        Ok(Pos { line, col: self.full()? })
    }

    fn tree(&mut self) -> Read<Tree> {
        let name = self.name()?;
        self.part = "interfaces";
        let interfaces = self.list(3, |r| {
            let (module, name) = (r.name()?, r.name()?);
            let texts = if r.choice(2, "kind of texts")? == 0 { Texts::Any } else { Texts::Root };
            Ok(InterfaceUse { module, name, texts })
        })?;
        self.part = "enums";
        let enums = self.list(10, |r| {
            let (name, hash) = (r.name()?, TypeHash(r.hash()?));
            Ok(EnumUse { name, hash, values: r.list(1, Reader::name)? })
        })?;
        self.part = "records";
        let records = self.list(2, |r| {
            let (name, fields) = (r.name()?, r.fields()?);
            let kind = if fields.is_empty() { r.choice(3, "kind of record")? } else { 0 };
            Ok(match kind {
                0 => Record { name, fields, union: None, list: None },
                1 => Record { name, fields: r.fields()?, union: Some(r.union()?), list: None },
                _ => Record { name, fields: r.fields()?, union: None, list: Some(r.ty()?) },
            })
        })?;
        self.part = "operations";
        let ops = self.list(16, Reader::op)?;
        self.part = "variables";
        let vars = self.list(3, |r| {
            let (name, ty) = (r.name()?, r.ty()?);
            let changes = r.choice(2, "kind of variable")? == 1;
            let mutability = if changes { Mutability::Changes } else { Mutability::Fixed };
            Ok(Var { name, ty, mutability })
        })?;
        self.part = "parameters";
        let params = self.list(2, |r| Ok(Param { var: r.var()?, default: r.option(Reader::constant)? }))?;
        self.part = "result";
        let result = self.option(Reader::ty)?;
        self.part = "caps";
        let caps = self.list(4, |r| {
            let at = r.at;
            let Some(kind) = CapKind::from_number(r.u8()?.into()) else {
                return r.damaged(at, "kind of cap");
            };
            Ok(Cap { kind, limit: r.number()?, pos: r.pos()? })
        })?;
        self.part = "body";
        let body = self.block(DEPTH_MAX)?;
        Ok(Tree { name, interfaces, enums, records, ops, vars, params, result, caps, body })
    }

    fn fields(&mut self) -> Read<Vec<(String, Ty)>> {
        self.list(2, |r| Ok((r.name()?, r.ty()?)))
    }

    fn union(&mut self) -> Read<Union> {
        let arm =
            |r: &mut Reader<'a>| Ok(Arm { name: r.name()?, ty: r.ty()?, labels: r.list(1, Reader::signed)? });
        Ok(Union { scalars: self.half()?, arms: self.list(3, arm)? })
    }

    fn op(&mut self) -> Read<Op> {
        Ok(Op {
            interface: InterfaceId(self.half()?),
            name: self.name()?,
            hash: OpHash(self.hash()?),
            effect: if self.choice(2, "effect")? == 0 { Effect::Reads } else { Effect::Writes },
            args: self.list(1, Reader::ty)?,
            inouts: self.half()?,
            results: self.list(1, Reader::ty)?,
            value: self.option(Reader::ty)?,
            cost: self.option(Reader::half)?,
            paged: self.option(|r| {
                Ok(Paged { cursor: r.half()?, page: r.half()?, last: r.half()?, key: r.half()? })
            })?,
            raises: self.option(|r| r.half().map(EnumId))?,
        })
    }

    fn ty(&mut self) -> Read<Ty> {
        Ok(match self.choice(10, "type")? {
            6 => {
                let max = self.full()?;
                // A list of lists is none, so that this ends.
                if self.bytes.get(self.at) == Some(&6) {
                    return self.damaged(self.at, "type of an element");
                }
                Ty::List(Box::new(self.ty()?), max)
            }
            0 => Ty::Int,
            1 => Ty::Bool,
            2 => Ty::Enum(EnumId(self.half()?)),
            3 => Ty::Str(self.full()?),
            4 => Ty::Bytes(self.full()?),
            5 => Ty::Record(RecordId(self.half()?)),
            7 => Ty::Portal(InterfaceId(self.half()?)),
            8 => Ty::Float(Precision::Single),
            _ => Ty::Float(Precision::Double),
        })
    }

    fn constant(&mut self) -> Read<Const> {
        Ok(match self.choice(5, "constant")? {
            0 => Const::Int(self.signed()?),
            1 => Const::Bool(self.bool()?),
            2 => Const::Enum(self.half()?),
            3 => Const::Text(self.bytes()?.to_vec()),
            _ => Const::Float(self.float()?),
        })
    }

    fn float(&mut self) -> Read<Float> {
        let precision = self.precision()?;
        let (at, word) = (self.at, self.hash()?);
        if precision.holds(word) { Ok(Float { precision, word }) } else { self.damaged(at, "float") }
    }

    fn precision(&mut self) -> Read<Precision> {
        Ok(Precision::ALL[usize::from(self.choice(2, "precision")?)])
    }

    fn var(&mut self) -> Read<VarId> {
        self.half().map(VarId)
    }

    /// A block that is nested at most `left` deep; levels are those of `eval/depth.rs`.
    fn block(&mut self, left: usize) -> Read<Block> {
        let left = left.checked_sub(1).ok_or(NotATree::TooDeep)?;
        Ok(Block { stmts: self.list(3, |r| r.stmt(left))? })
    }

    fn limit(&mut self) -> Read<Limit> {
        match self.choice(2, "limit")? {
            0 => Ok(Limit::None),
            _ => self.number().map(Limit::At),
        }
    }

    fn strided(&mut self) -> Read<Strided> {
        Ok(Strided { var: self.var()?, first: self.half()?, step: self.half()? })
    }

    fn place(&mut self, left: usize) -> Read<Place> {
        Ok(Place {
            var: self.var()?,
            index: self.option(|r| r.expr(left))?,
            fields: self.list(1, Reader::half)?,
        })
    }

    fn arith(&mut self) -> Read<ArithOp> {
        const ALL: [ArithOp; 5] = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Rem];
        Ok(ALL[usize::from(self.choice(5, "arithmetic")?)])
    }

    fn stmt(&mut self, left: usize) -> Read<Stmt> {
        let (tag, pos) = (self.choice(21, "statement")?, self.pos()?);
        Ok(Stmt { pos, kind: self.stmt_kind(tag, left)? })
    }

    fn stmt_kind(&mut self, tag: u8, left: usize) -> Read<StmtKind> {
        Ok(match tag {
            0 => StmtKind::Let { var: self.var()?, value: self.expr(left)? },
            1 => StmtKind::Declare(self.var()?),
            2 => StmtKind::Assign { place: self.place(left)?, value: self.expr(left)? },
            3 => {
                let place = self.place(left)?;
                StmtKind::Update { place, op: self.arith()?, value: self.expr(left)? }
            }
            4 => StmtKind::Add { list: self.var()?, value: self.expr(left)? },
            5 => StmtKind::Sort { list: self.var()?, keys: self.list(1, Reader::half)? },
            6 => StmtKind::Do(self.expr(left)?),
            7 => StmtKind::Repeat(Box::new(self.repeat(left)?)),
            8 => StmtKind::Move { from: self.strided()?, to: self.strided()?, count: self.half()? },
            9 => {
                let arms = self.list(4, |r| Ok((r.expr(left)?, r.block(left)?)))?;
                StmtKind::If { arms, otherwise: self.block(left)? }
            }
            10 => StmtKind::While { cond: self.expr(left)?, limit: self.limit()?, body: self.block(left)? },
            11 => StmtKind::ForRange {
                var: self.var()?,
                from: self.expr(left)?,
                to: self.expr(left)?,
                limit: self.limit()?,
                body: self.block(left)?,
            },
            12 => StmtKind::ForList {
                var: self.var()?,
                index: self.option(Reader::var)?,
                list: self.var()?,
                limit: self.limit()?,
                body: self.block(left)?,
            },
            13 => StmtKind::ForPaged {
                var: self.var()?,
                index: self.option(Reader::var)?,
                call: Box::new(self.call(left)?),
                limit: self.limit()?,
                body: self.block(left)?,
            },
            14 => StmtKind::Try {
                bind: self.bind(left)?,
                value: self.expr(left)?,
                kind: self.var()?,
                message: self.var()?,
                otherwise: self.block(left)?,
            },
            15 => StmtKind::Return(self.option(|r| r.expr(left))?),
            16 => StmtKind::Break,
            17 => StmtKind::Continue,
            18 => StmtKind::Fail(self.expr(left)?),
            19 => StmtKind::Leave(self.option(|r| r.expr(left))?),
            _ => StmtKind::LetParts { vars: self.list(1, Reader::var)?, call: Box::new(self.call(left)?) },
        })
    }

    fn bind(&mut self, left: usize) -> Read<Bind> {
        Ok(match self.choice(4, "binding")? {
            0 => Bind::None,
            1 => Bind::Let(self.var()?),
            2 => Bind::Assign(self.place(left)?),
            _ => Bind::Parts(self.list(1, Reader::var)?),
        })
    }

    fn repeat(&mut self, left: usize) -> Read<Repeat> {
        Ok(Repeat {
            target: self.expr(left)?,
            op: OpId(self.half()?),
            args: self.list(4, |r| {
                Ok(match r.choice(2, "argument")? {
                    0 => RepeatArg::Same(r.expr(left)?),
                    _ => RepeatArg::Each(r.strided()?),
                })
            })?,
            times: self.half()?,
            into: self.option(Reader::strided)?,
        })
    }

    fn call(&mut self, left: usize) -> Read<CallExpr> {
        let target = self.expr(left)?;
        Ok(CallExpr { target, op: OpId(self.half()?), args: self.list(4, |r| r.expr(left))? })
    }

    fn expr(&mut self, left: usize) -> Read<Expr> {
        let left = left.checked_sub(1).ok_or(NotATree::TooDeep)?;
        let (tag, pos) = (self.choice(23, "expression")?, self.pos()?);
        Ok(Expr { pos, kind: self.expr_kind(tag, left)? })
    }

    fn boxed(&mut self, left: usize) -> Read<Box<Expr>> {
        self.expr(left).map(Box::new)
    }

    fn parts(&mut self, left: usize) -> Read<Vec<Expr>> {
        self.list(4, |r| r.expr(left))
    }

    fn expr_kind(&mut self, tag: u8, left: usize) -> Read<ExprKind> {
        Ok(match tag {
            0 => ExprKind::Int(self.signed()?),
            1 => ExprKind::Bool(self.bool()?),
            2 => ExprKind::Enum(EnumId(self.half()?), self.half()?),
            3 => ExprKind::Text(self.bytes()?.to_vec()),
            4 => ExprKind::Var(self.var()?),
            5 => ExprKind::Field(self.boxed(left)?, self.half()?),
            6 => ExprKind::Index(self.var()?, self.boxed(left)?),
            7 => ExprKind::Len(self.boxed(left)?),
            8 => ExprKind::Neg(self.boxed(left)?),
            9 => ExprKind::Not(self.boxed(left)?),
            10 => {
                let first = self.boxed(left)?;
                ExprKind::Arith(first, self.list(5, |r| Ok((r.arith()?, r.expr(left)?)))?)
            }
            11 => {
                const ALL: [Rel; 6] = [Rel::Eq, Rel::Ne, Rel::Lt, Rel::Le, Rel::Gt, Rel::Ge];
                let rel = ALL[usize::from(self.choice(6, "relation")?)];
                ExprKind::Compare(rel, self.boxed(left)?, self.boxed(left)?)
            }
            12 => ExprKind::And(self.parts(left)?),
            13 => ExprKind::Or(self.parts(left)?),
            14 => {
                const ALL: [TextTest; 3] = [TextTest::StartsWith, TextTest::EndsWith, TextTest::Contains];
                let test = ALL[usize::from(self.choice(3, "test of texts")?)];
                ExprKind::Test(test, self.boxed(left)?, self.boxed(left)?)
            }
            15 => ExprKind::Concat(self.parts(left)?),
            16 => {
                let id = RecordId(self.half()?);
                ExprKind::Record(id, self.parts(left)?)
            }
            17 => ExprKind::Call(Box::new(self.call(left)?)),
            18 => {
                let result = self.option(Reader::var)?;
                ExprKind::Inline(Box::new(Inline { result, body: self.block(left)? }))
            }
            19 => ExprKind::Float(self.float()?),
            20 => ExprKind::Convert(self.precision()?, self.boxed(left)?),
            21 => ExprKind::As(self.ty()?, self.boxed(left)?),
            _ => ExprKind::Tail(self.boxed(left)?, self.boxed(left)?),
        })
    }
}
