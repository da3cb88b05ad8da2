//! Bytecode as text, for people who look for a fault or learn how a program runs.
//!
//! ```text
//! copy_tree  76 instructions, 41 slots, 5 registers
//! …
//! 12         for e in from.list(dir) limit 10_000 {
//!     9  loop      L1                          at most 10,000 entries (limit 10,000)
//! ```
//! It takes any bytes: what cannot be read is said so, and nothing here is a check; that is
//! [`verify`](crate::verify)'s work.

use std::fmt::Write as _;
use std::sync::Arc;

use carnet_idl::descriptor::{Module, OpHash};

use crate::bytecode::{
    Ins, Loop, NONE, NotAProgram, Op, ParamPlace, ResultKind, SlotType, UNBOUNDED, View, quarters,
};
use crate::text::{grouped, quoted};
use crate::tree::Pos;
use crate::verify::BoundLoop;

/// What makes a listing readable; all may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The source, to show its lines.
    pub text: &'a str,
    /// Interfaces, to name operations.
    pub modules: &'a [Arc<Module>],
    /// Names of portal registers.
    pub registers: &'a [String],
    /// Bounds of the loops, as the verifier found them.
    pub loops: &'a [BoundLoop],
}

/// The listing of a program.
///
/// # Errors
/// [`NotAProgram`] if its sections do not fit its bytes.
pub fn disasm(bytes: &[u8], names: &Names<'_>) -> Result<String, NotAProgram> {
    let view = View::new(bytes)?;
    let mut listing = Listing { view, names, lines: names.text.lines().collect(), out: String::new() };
    listing.head();
    listing.tables();
    listing.code();
    Ok(listing.out)
}

/// One instruction of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its number.
    pub at: u32,
    /// Where it comes from in the source.
    pub pos: Pos,
    /// What it does.
    pub text: String,
}

/// The instructions of a program.
///
/// # Errors
/// [`NotAProgram`] if its sections do not fit its bytes.
pub fn code(bytes: &[u8], names: &Names<'_>) -> Result<Vec<Listed>, NotAProgram> {
    let view = View::new(bytes)?;
    Ok(Listing { view, names, lines: Vec::new(), out: String::new() }.listed())
}

struct Listing<'a> {
    view: View<'a>,
    names: &'a Names<'a>,
    lines: Vec<&'a str>,
    out: String,
}

/// `1 slot`, `2 slots`.
fn amount(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

impl Listing<'_> {
    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{}", text.trim_end());
    }

    fn head(&mut self) {
        let view = &self.view;
        let name = view.names().next().map(String::from_utf8_lossy).unwrap_or_default();
        let head = format!(
            "{name}  {}, {}, {}, {} of literals",
            amount(view.code.len(), "instruction"),
            amount(view.slots.len(), "slot"),
            amount(view.registers.len(), "portal register"),
            amount(view.literals.len(), "byte")
        );
        self.line(&head);
    }

    fn tables(&mut self) {
        let view = self.view;
        self.section("parameters", view.params.len(), |list, k| match list.view.param(k) {
            Some(ParamPlace::Slot(slot)) => format!("s{slot}  {}", list.slot(slot)),
            Some(ParamPlace::Register(register)) => list.register(register),
            None => "?".to_owned(),
        });
        self.section("operations", view.ops.len(), |list, k| format!("o{k}  {}", list.operation(k)));
        self.section("loops", view.loops.len(), |list, k| match list.view.loop_at(k) {
            Some(table) => format!("L{k}  {}{}", place(&table), list.bound(k, &table)),
            None => "?".to_owned(),
        });
        self.section("slots", view.slots.len(), |list, k| {
            format!("s{k}  {}", u16::try_from(k).map_or_else(|_| String::new(), |k| list.slot(k)))
        });
        let result = match view.header.result {
            ResultKind::None => "nothing".to_owned(),
            ResultKind::Words => self.words(view.result_words),
            ResultKind::List => format!("list of {}", self.words(view.result_words)),
        };
        self.line(&format!("result: {result}"));
    }

    fn section(&mut self, title: &str, count: usize, entry: impl Fn(&Self, usize) -> String) {
        if count == 0 {
            return;
        }
        self.line(&format!("{title}:"));
        for k in 0..count {
            let text = entry(self, k);
            self.line(&format!("  {text}"));
        }
    }

    fn code(&mut self) {
        self.line("code:");
        let mut shown = 0;
        for Listed { at, pos, text } in self.listed() {
            if pos.line != shown {
                shown = pos.line;
                let source = (shown as usize).checked_sub(1).and_then(|k| self.lines.get(k)).copied();
                let source = source.map(|line| line.chars().filter(|c| !c.is_control()).collect::<String>());
                self.line(&format!("{shown:>4} | {}", source.unwrap_or_default()));
            }
            self.line(&format!("  {at:>5}  {text}"));
        }
    }

    fn listed(&self) -> Vec<Listed> {
        let numbered = (0_u32..).zip(self.view.code);
        let listed = numbered.map(|(at, bytes)| {
            let text = match Ins::decode(bytes) {
                Ok(ins) => self.instruction(ins),
                Err(number) => format!("unknown operation {number}"),
            };
            Listed { at, pos: self.view.pos(at), text }
        });
        listed.collect()
    }

    fn instruction(&self, ins: Ins) -> String {
        let name = mnemonic(ins.op);
        let Ins { a, b, c, d, .. } = ins;
        let q = quarters(d);
        let n = d as i64;
        let operands = match ins.op {
            Op::End if a == NONE => String::new(),
            Op::End | Op::Fail | Op::Clear => slot(a),
            Op::Jump => format!("→ {c}"),
            Op::JumpEq | Op::JumpNe | Op::JumpLt | Op::JumpLe | Op::JumpGt | Op::JumpGe => {
                format!("s{a} {} s{b} → {c}", relation(ins.op as u8 - Op::JumpEq as u8))
            }
            Op::JumpEqI | Op::JumpNeI | Op::JumpLtI | Op::JumpLeI | Op::JumpGtI | Op::JumpGeI => {
                format!("s{a} {} {n} → {c}", relation(ins.op as u8 - Op::JumpEqI as u8))
            }
            Op::Loop => {
                let table = self.view.loop_at(usize::from(a));
                let bound = table.map(|table| self.bound(usize::from(a), &table));
                format!("L{a}  {}", bound.unwrap_or_default())
            }
            Op::Call => self.call(a, b, c, q),
            Op::Repeat => format!("{} times, block + {}, result + {}", d as u32, q[2], q[3]),
            Op::MoveStrided => format!("{} slots from s{b} step {} to s{a} step {}", d as u32, q[2], q[3]),
            Op::Load => format!("s{a} = {n}"),
            Op::Move | Op::Neg | Op::Not | Op::Set | Op::Len | Op::Count => format!("s{a} = s{b}"),
            Op::Append => format!("s{a} += s{b}"),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => format!("s{a} = s{b}, s{c}"),
            Op::AddI => format!("s{a} = s{b} + {n}"),
            Op::Compare | Op::CompareText => format!("s{a} = s{b} {} s{c}", relation(ins.flags)),
            Op::TestText => format!("s{a} = s{b} {} s{c}", test(ins.flags)),
            Op::FloatArith => {
                format!("s{a} = s{b} {} s{c}", ["+", "-", "*", "/"][usize::from(ins.flags & 3)])
            }
            Op::FloatCompare => format!("s{a} = s{b} {} s{c}", relation(ins.flags & 7)),
            Op::Convert | Op::As => format!("s{a} = s{b}"),
            Op::Tail => format!("s{a} = s{b} from s{c}"),
            Op::Get => format!("s{a} = s{b}[s{c}] word {d}"),
            Op::Put => format!("s{a}[s{b}] word {d} = s{c}"),
            Op::Push => format!("s{a} ← s{b}…"),
            Op::Sort => format!("s{a} by word {d}"),
            Op::Take => format!("{} = s{b}", self.register(a)),
            Op::Drop => self.register(a),
            Op::Lend => format!("s{a} = {}", self.register(b)),
            Op::Share => format!("{} = {}", self.register(a), self.register(b)),
            Op::TakeAll => {
                let word = if q[1] == 0 { String::new() } else { format!(" word {}", q[1]) };
                format!("{}…, s{c} = s{b}{word}{}", self.register(a), ["", ", more"][usize::from(q[0] > 0)])
            }
            Op::LendAll => {
                let word = if q[1] == 0 { String::new() } else { format!(" word {}", q[1]) };
                format!("s{a}{word} = {}…, s{c}", self.register(b))
            }
            Op::Pick => format!("{} = {}… [s{c}] of s{}, {}", self.register(a), self.register(b), q[1], q[0]),
            Op::Keep => format!("{}… [s{c}] of {d} = {}", self.register(a), self.register(b)),
            Op::DropAll => format!("{}…, {d}", self.register(a)),
        };
        format!("{name:<12}{operands}")
    }

    fn call(
        &self,
        register: u16,
        operation: u16,
        block: u16,
        [result, handler, kind, message]: [u16; 4],
    ) -> String {
        let mut text = format!(
            "{} . {}  block s{block}",
            self.register(register),
            self.operation(usize::from(operation))
        );
        if result != NONE {
            text.push_str(&format!(", result s{result}"));
        }
        if handler != NONE {
            text.push_str(&format!(", on error → {handler} (kind s{kind}, message s{message})"));
        }
        text
    }

    fn register(&self, register: u16) -> String {
        let name = self.names.registers.get(usize::from(register)).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("r{register}"), |name| format!("r{register}({name})"))
    }

    fn operation(&self, index: usize) -> String {
        let Some(op) = self.view.op(index) else { return "?".to_owned() };
        let known = self.names.modules.iter().flat_map(|module| &module.interfaces);
        let found = known.filter_map(|interface| {
            let (_, operation) = interface.operation_by_hash(OpHash(op.hash))?;
            Some((interface.name.as_str(), operation.name.as_str()))
        });
        let mut found = found.filter(|(interface, _)| self.interface(op.interface).ends_with(interface));
        found.next().map_or_else(|| format!("operation {:016x}", op.hash), |(i, o)| format!("{i}.{o}"))
    }

    fn interface(&self, index: u16) -> String {
        let mut names = self.view.names().skip(1 + 2 * usize::from(index)).map(String::from_utf8_lossy);
        let module = names.next().unwrap_or_default();
        format!("{module}.{}", names.next().unwrap_or_default())
    }

    /// How often a loop's body is entered: `at most 10,000 (limit 10,000)`.
    fn bound(&self, index: usize, table: &Loop) -> String {
        let given = match (table.limit, table.own) {
            (UNBOUNDED, UNBOUNDED) => "by what is around it".to_owned(),
            (UNBOUNDED, own) => format!("{} each time", grouped(own)),
            (limit, _) if table.default => format!("limit {} by default", grouped(limit)),
            (limit, _) => format!("limit {}", grouped(limit)),
        };
        match self.names.loops.get(index) {
            Some(found) => format!("at most {} ({given})", grouped(found.bound)),
            None => given,
        }
    }

    fn slot(&self, slot: u16) -> String {
        let ty = self.view.slots.get(usize::from(slot)).and_then(SlotType::decode);
        let started =
            if slot == self.view.header.started { "  (the time at which the run began)" } else { "" };
        format!("{}{started}", ty.map_or_else(|| "?".to_owned(), |ty| self.ty(ty)))
    }

    fn words(&self, words: &[[u8; 8]]) -> String {
        let types =
            words.iter().map(|word| SlotType::decode(word).map_or_else(|| "?".to_owned(), |ty| self.ty(ty)));
        format!("({})", types.collect::<Vec<_>>().join(", "))
    }

    fn ty(&self, ty: SlotType) -> String {
        match ty {
            SlotType::Int => "int".to_owned(),
            SlotType::Bool => "bool".to_owned(),
            SlotType::Float(precision) => precision.name().to_owned(),
            SlotType::Enum(x) => format!("enum {x}"),
            SlotType::Counter => "counter of a loop".to_owned(),
            SlotType::Str(cap) => format!("string({cap})"),
            SlotType::Bytes(cap) => format!("bytes({cap})"),
            SlotType::List(layout, cap) => format!("list({}, {cap})", self.layout(layout)),
            SlotType::StrRef(cap) => format!("reference to string({cap})"),
            SlotType::BytesRef(cap) => format!("reference to bytes({cap})"),
            SlotType::ListRef(layout, max) => format!("reference to list({}, {max})", self.layout(layout)),
            SlotType::Literal { len, offset } => {
                let start = offset as usize;
                let text = self.view.literals.get(start..start.saturating_add(usize::from(len)));
                format!("literal {}", text.map_or_else(|| "outside of the literals".to_owned(), quoted))
            }
            SlotType::Lent(x) => format!("{}, as an argument", self.interface(x)),
            SlotType::Made(x) => format!("{}, just made", self.interface(x)),
        }
    }

    /// Words of a layout; elements hold no lists, but bytes that were not verified may say so.
    fn layout(&self, layout: u16) -> String {
        let range = self.view.layout(usize::from(layout)).map(|(first, count)| first..first + count);
        let words = range.and_then(|range| self.view.layout_words.get(range)).unwrap_or_default();
        let is_list = |word: &[u8; 8]| {
            matches!(SlotType::decode(word), Some(SlotType::List(..) | SlotType::ListRef(..)))
        };
        if words.iter().any(is_list) { "?".to_owned() } else { self.words(words) }
    }
}

fn slot(slot: u16) -> String {
    format!("s{slot}")
}

/// Where a loop stands.
fn place(table: &Loop) -> String {
    format!("line {}, {}..{}, test from {}; ", table.line, table.head, table.end, table.test)
}

fn relation(number: u8) -> &'static str {
    ["==", "!=", "<", "<=", ">", ">="].get(usize::from(number)).copied().unwrap_or("?")
}

fn test(number: u8) -> &'static str {
    ["starts with", "ends with", "contains"].get(usize::from(number)).copied().unwrap_or("?")
}

fn mnemonic(op: Op) -> &'static str {
    match op {
        Op::End => "end",
        Op::Fail => "fail",
        Op::Jump => "jump",
        Op::JumpEq | Op::JumpNe | Op::JumpLt | Op::JumpLe | Op::JumpGt | Op::JumpGe => "jump_if",
        Op::JumpEqI | Op::JumpNeI | Op::JumpLtI | Op::JumpLeI | Op::JumpGtI | Op::JumpGeI => "jump_if",
        Op::Loop => "loop",
        Op::Call => "call",
        Op::Repeat => "repeat",
        Op::MoveStrided => "move_strided",
        Op::Move => "move",
        Op::Load => "load",
        Op::Add | Op::AddI => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Rem => "rem",
        Op::Neg => "neg",
        Op::Not => "not",
        Op::Compare => "compare",
        Op::Set => "set",
        Op::Append => "append",
        Op::Clear => "clear",
        Op::CompareText => "compare_text",
        Op::TestText => "test_text",
        Op::Len => "len",
        Op::Count => "count",
        Op::Get => "get",
        Op::Put => "put",
        Op::Push => "push",
        Op::Sort => "sort",
        Op::Take => "take",
        Op::Drop => "drop",
        Op::Lend => "lend",
        Op::Share => "share",
        Op::FloatArith => "float_arith",
        Op::FloatCompare => "float_compare",
        Op::Convert => "convert",
        Op::As => "as",
        Op::Tail => "tail",
        Op::TakeAll => "take_all",
        Op::LendAll => "lend_all",
        Op::Pick => "pick",
        Op::Keep => "keep",
        Op::DropAll => "drop_all",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "program p(n: int) -> list(string, 5) {
        var found: list(string, 5)
        for i in 0 .. n limit 5 {
            if i > 2 { found.add(\"x\") }
        }
        return found
    }";

    fn bytes() -> Vec<u8> {
        let tree = crate::source::parse(PROGRAM, &[]).expect("a program");
        crate::compile::compile(&tree).expect("bytecode").encode()
    }

    #[test]
    fn a_listing_has_source_lines_loops_and_slots() {
        let names = Names { text: PROGRAM, ..Names::default() };
        let listing = disasm(&bytes(), &names).expect("a program");
        for part in [
            "p  ",
            "  s0  int\n",
            "line 3, ",
            "limit 5",
            "   3 |         for i in 0 .. n limit 5 {\n",
            "push ",
        ] {
            assert!(listing.contains(part), "{part} is not in\n{listing}");
        }
    }

    #[test]
    fn any_bytes_give_a_listing_or_a_reason() {
        let bytes = bytes();
        for len in 0..bytes.len() {
            assert!(disasm(&bytes[..len], &Names::default()).is_err(), "{len} bytes");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                if let Ok(listing) = disasm(&changed, &Names::default()) {
                    assert!(listing.len() < 1000 * bytes.len());
                }
            }
        }
    }
}
