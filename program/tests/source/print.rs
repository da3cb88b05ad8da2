//! Trees as text, for golden tests: one line a statement, nothing left out but places.

use carnet_program::tree::*;
use std::fmt::Write as _;

/// The whole program.
pub(crate) fn tree(tree: &Tree) -> String {
    let mut printer = Printer { tree, out: String::new(), indent: 0 };
    printer.header();
    printer.block(&tree.body);
    printer.out
}

struct Printer<'t> {
    tree: &'t Tree,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(self.indent));
    }

    fn header(&mut self) {
        let tree = self.tree;
        let params: Vec<_> = tree.params.iter().map(|param| self.param(param)).collect();
        let result = tree.result.as_ref().map_or(String::new(), |ty| format!(" -> {}", self.ty(ty)));
        self.line(&format!("program {}({}){result}", tree.name, params.join(", ")));
        for cap in &tree.caps {
            self.line(&format!("  at most {} {:?} ({}:{})", cap.limit, cap.kind, cap.pos.line, cap.pos.col));
        }
        let interfaces = tree.interfaces.iter().map(|used| format!("{}.{}", used.module, used.name));
        let enums = tree.enums.iter().map(|used| used.name.clone());
        let records = tree.records.iter().map(|record| record.name.clone());
        let tables: Vec<_> = interfaces.chain(enums).chain(records).collect();
        if !tables.is_empty() {
            self.line(&format!("  knows {}", tables.join(", ")));
        }
        for op in &tree.ops {
            let text = self.op(op);
            self.line(&text);
        }
    }

    fn param(&self, param: &Param) -> String {
        let default = match &param.default {
            None => String::new(),
            Some(Const::Int(value)) => format!(" = {value}"),
            Some(Const::Bool(value)) => format!(" = {value}"),
            Some(Const::Float(value)) => format!(" = {value}"),
            Some(Const::Enum(value)) => format!(" = #{value}"),
            Some(Const::Text(text)) => format!(" = {}", quoted(text)),
        };
        format!("{}: {}{default}", self.var(param.var), self.ty(&self.tree.vars[param.var.index()].ty))
    }

    fn op(&self, op: &Op) -> String {
        let types = |types: &[Ty]| types.iter().map(|ty| self.ty(ty)).collect::<Vec<_>>().join(", ");
        let interface = &self.tree.interfaces[op.interface.index()].name;
        let mut text =
            format!("  uses {interface}.{}({}) -> ({})", op.name, types(&op.args), types(&op.results));
        let _ = write!(text, " {:?}", op.effect);
        if op.inouts > 0 {
            let _ = write!(text, " inouts {}", op.inouts);
        }
        if let Some(value) = &op.value {
            let _ = write!(text, " worth {}", self.ty(value));
        }
        if let Some(cost) = op.cost {
            let _ = write!(text, " cost arg {cost}");
        }
        if let Some(Paged { cursor, page, last, key }) = op.paged {
            let _ = write!(text, " paged cursor {cursor} page {page} last {last} key {key}");
        }
        if let Some(raises) = op.raises {
            let _ = write!(text, " raises {}", self.tree.enums[raises.index()].name);
        }
        text
    }

    fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int => "int".to_owned(),
            Ty::Float(precision) => precision.name().to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Enum(id) => self.tree.enums[id.index()].name.clone(),
            Ty::Str(max) => format!("string({max})"),
            Ty::Bytes(max) => format!("bytes({max})"),
            Ty::Record(id) => self.tree.records[id.index()].name.clone(),
            Ty::List(of, max) => format!("list({}, {max})", self.ty(of)),
            Ty::Portal(id) => {
                let interface = &self.tree.interfaces[id.index()];
                format!("{}.{}", interface.module, interface.name)
            }
        }
    }

    fn var(&self, var: VarId) -> String {
        format!("{}'{}", self.tree.vars[var.index()].name, var.0)
    }

    fn declared(&self, var: VarId) -> String {
        let declared = &self.tree.vars[var.index()];
        let word = match declared.mutability {
            Mutability::Fixed => "let",
            Mutability::Changes => "var",
        };
        format!("{word} {}: {}", self.var(var), self.ty(&declared.ty))
    }

    fn all_declared(&self, vars: &[VarId]) -> String {
        vars.iter().map(|var| self.declared(*var)).collect::<Vec<_>>().join(", ")
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in &block.stmts {
            self.stmt(&stmt.kind);
        }
        self.indent -= 1;
    }

    fn nested(&mut self, head: &str, block: &Block) {
        self.line(head);
        self.block(block);
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        let text = match stmt {
            StmtKind::Let { var, value } => format!("{} = {}", self.declared(*var), self.expr(value)),
            StmtKind::Declare(var) => self.declared(*var),
            StmtKind::Assign { place, value } => format!("{} = {}", self.place(place), self.expr(value)),
            StmtKind::Update { place, op, value } => {
                format!("{} {}= {}", self.place(place), arith(*op), self.expr(value))
            }
            StmtKind::Add { list, value } => format!("{}.add({})", self.var(*list), self.expr(value)),
            StmtKind::Sort { list, keys } => format!("sort {} by {keys:?}", self.var(*list)),
            StmtKind::Do(value) => format!("do {}", self.expr(value)),
            StmtKind::If { arms, otherwise } => {
                for (at, (cond, then)) in arms.iter().enumerate() {
                    let word = if at == 0 { "if" } else { "else if" };
                    let head = format!("{word} {}", self.expr(cond));
                    self.nested(&head, then);
                }
                if !otherwise.stmts.is_empty() {
                    self.nested("else", otherwise);
                }
                return;
            }
            StmtKind::Try { bind, value, kind, message, otherwise } => {
                let bind = match bind {
                    Bind::None => String::new(),
                    Bind::Let(var) => format!("{} = ", self.declared(*var)),
                    Bind::Assign(place) => format!("{} = ", self.place(place)),
                    Bind::Parts(vars) => format!("{} = ", self.all_declared(vars)),
                };
                let head = format!(
                    "{bind}try {} else {}, {}",
                    self.expr(value),
                    self.declared(*kind),
                    self.declared(*message)
                );
                return self.nested(&head, otherwise);
            }
            StmtKind::LetParts { vars, call } => {
                format!("{} = {}", self.all_declared(vars), self.call(call))
            }
            StmtKind::Return(value) => self.leaving("return", value.as_ref()),
            StmtKind::Leave(value) => self.leaving("leave", value.as_ref()),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Fail(message) => format!("fail {}", self.expr(message)),
            _ => return self.walk(stmt),
        };
        self.line(&text);
    }

    fn walk(&mut self, stmt: &StmtKind) {
        let (head, limit, body) = match stmt {
            StmtKind::While { cond, limit, body } => (format!("while {}", self.expr(cond)), limit, body),
            StmtKind::ForRange { var, from, to, limit, body } => (
                format!("for {} in {} .. {}", self.declared(*var), self.expr(from), self.expr(to)),
                limit,
                body,
            ),
            StmtKind::ForList { var, index, list, limit, body } => {
                (format!("for {} in {}", self.loop_vars(*var, *index), self.var(*list)), limit, body)
            }
            StmtKind::ForPaged { var, index, call, limit, body } => {
                (format!("for {} in paged {}", self.loop_vars(*var, *index), self.call(call)), limit, body)
            }
            _ => return,
        };
        let limit = match limit {
            Limit::None => String::new(),
            Limit::At(limit) => format!(" limit {limit}"),
        };
        self.nested(&format!("{head}{limit}"), body);
    }

    fn loop_vars(&self, var: VarId, index: Option<VarId>) -> String {
        let index = index.map_or(String::new(), |index| format!("{}, ", self.declared(index)));
        format!("{index}{}", self.declared(var))
    }

    fn leaving(&self, word: &str, value: Option<&Expr>) -> String {
        value.map_or(word.to_owned(), |value| format!("{word} {}", self.expr(value)))
    }

    fn place(&self, place: &Place) -> String {
        let mut text = self.var(place.var);
        if let Some(index) = &place.index {
            let _ = write!(text, "[{}]", self.expr(index));
        }
        for field in &place.fields {
            let _ = write!(text, ".{field}");
        }
        text
    }

    fn exprs(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn call(&self, call: &CallExpr) -> String {
        let op = &self.tree.ops[call.op.index()];
        format!("{}.{}({})", self.expr(&call.target), op.name, self.exprs(&call.args))
    }

    fn expr(&self, expr: &Expr) -> String {
        let chain = |parts: &[Expr], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
            format!("({})", parts.join(sign))
        };
        let two = |a: &Expr, sign: &str, b: &Expr| format!("({} {sign} {})", self.expr(a), self.expr(b));
        match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Enum(id, value) => {
                let used = &self.tree.enums[id.index()];
                format!("{}.{}", used.name, used.values[usize::from(*value)])
            }
            ExprKind::Text(text) => quoted(text),
            ExprKind::Var(var) => self.var(*var),
            ExprKind::Field(record, field) => format!("{}.{field}", self.expr(record)),
            ExprKind::Index(list, index) => format!("{}[{}]", self.var(*list), self.expr(index)),
            ExprKind::Len(inner) => format!("len({})", self.expr(inner)),
            ExprKind::Float(value) => {
                format!("{value}{}", if value.precision == Precision::Single { "f" } else { "" })
            }
            ExprKind::Convert(to, inner) => format!("{}({})", to.name(), self.expr(inner)),
            ExprKind::As(to, inner) => format!("{} as {}", self.expr(inner), self.ty(to)),
            ExprKind::Neg(inner) => format!("-{}", self.expr(inner)),
            ExprKind::Not(inner) => format!("!{}", self.expr(inner)),
            ExprKind::Arith(first, rest) => {
                let rest = rest.iter().map(|(op, operand)| format!(" {} {}", arith(*op), self.expr(operand)));
                format!("({}{})", self.expr(first), rest.collect::<String>())
            }
            ExprKind::Compare(rel, a, b) => two(a, relation(*rel), b),
            ExprKind::And(parts) => chain(parts, " && "),
            ExprKind::Or(parts) => chain(parts, " || "),
            ExprKind::Test(test, a, b) => format!("{test:?}({}, {})", self.expr(a), self.expr(b)),
            ExprKind::Tail(of, at) => format!("{}.from({})", self.expr(of), self.expr(at)),
            ExprKind::Concat(parts) => format!("concat({})", self.exprs(parts)),
            ExprKind::Record(id, fields) => {
                format!("{}({})", self.tree.records[id.index()].name, self.exprs(fields))
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Inline(inline) => self.inline(inline),
        }
    }

    fn inline(&self, inline: &Inline) -> String {
        let mut inner = Printer { tree: self.tree, out: String::new(), indent: self.indent + 1 };
        inner.block(&inline.body);
        let result = inline.result.map_or(String::new(), |result| format!("{} ", self.declared(result)));
        format!("inline {result}{{\n{}{}}}", inner.out, "  ".repeat(self.indent + 1))
    }
}

fn arith(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::Rem => "%",
    }
}

fn relation(rel: Rel) -> &'static str {
    match rel {
        Rel::Eq => "==",
        Rel::Ne => "!=",
        Rel::Lt => "<",
        Rel::Le => "<=",
        Rel::Gt => ">",
        Rel::Ge => ">=",
    }
}

fn quoted(text: &[u8]) -> String {
    format!("\"{}\"", text.escape_ascii())
}
