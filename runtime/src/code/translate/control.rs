//! Branches, and the ends of loops.

use carnet_classes::instruction::{Instruction, Operands};

use super::forms::{opposite, turned};
use super::{Done, Translator, Value};
use crate::code::{Word, op};

/// So much of the head of a loop is copied to its end.
const HEAD_MAX: usize = 5;

impl Translator<'_> {
    pub(super) fn branch(&mut self, instruction: &Instruction<'_>) -> Done {
        let Operands::Target(target) = instruction.operands else { return self.broken("no target") };
        let (op, a, b) = match instruction.opcode {
            153..=158 => {
                let entry = self.pop()?;
                let condition = instruction.opcode - 153;
                let own = self.named(entry.slot);
                let compares = entry.value == Value::Own && self.defined.is_some() && self.defined == own;
                let last = self.words.last().copied().map(Word);
                match last.filter(|word| compares && word.op() == op::COMPARE_L) {
                    Some(word) => {
                        self.words.pop();
                        self.offsets.pop();
                        self.defined = None;
                        (op::IF_EQ_L + condition, word.b() as u8, word.c() as u8)
                    }
                    None => (op::IF_EQ_N + condition, self.register(entry)?, 0),
                }
            }
            159..=164 => {
                let condition = instruction.opcode - 159;
                let (second, first) = (self.pop()?, self.pop()?);
                let small = |value| match value {
                    Value::Int(number) => i8::try_from(number).ok(),
                    _ => None,
                };
                match (small(first.value), small(second.value)) {
                    (_, Some(number)) => (op::IF_EQ_N + condition, self.register(first)?, number as u8),
                    (Some(number), None) => {
                        (op::IF_EQ_N + turned(condition), self.register(second)?, number as u8)
                    }
                    (None, None) => (op::IF_EQ + condition, self.register(first)?, self.register(second)?),
                }
            }
            165 | 166 => {
                let (second, first) = (self.take()?, self.take()?);
                (op::IF_SAME + (instruction.opcode - 165), first, second)
            }
            198 => (op::IF_NULL, self.take()?, 0),
            199 => (op::IF_SOME, self.take()?, 0),
            _ => return self.broken("no branch"),
        };
        self.settle(0)?;
        let target = self.reach(target)?;
        let count = self.counted();
        self.emit(Word::new(op, (a, b, count), target));
        Ok(())
    }

    /// Goes back to the head of a loop: where that only decides whether the loop goes on, the decision is made here, and a
    /// round has one jump less.
    pub(super) fn go_back(&mut self, target: u32) -> bool {
        let Some(begin) = self.begins.get(&target).map(|begin| *begin as usize) else { return false };
        let head: Vec<Word> = self.words.iter().skip(begin).take(HEAD_MAX).copied().map(Word).collect();
        let Some(length) = head.iter().position(|word| (op::IF_EQ..=op::IF_SOME).contains(&word.op())) else {
            return false;
        };
        let simple = |word: &Word| word.op() != op::CHARGE && !(op::LOOP..=op::EXIT).contains(&word.op());
        let leaves = head[length];
        let Some(count) = u8::try_from(self.count as usize + leaves.c()).ok() else { return false };
        let again = begin + length + 1;
        if !head[..length].iter().all(simple)
            || self.turned.contains(&(begin + length))
            || again >= self.words.len()
        {
            return false;
        }
        self.count = 0;
        let last = self.words.last().copied().map(Word);
        let steps = last.filter(|last| {
            length == 0
                && last.op() == op::ADD_N
                && last.a() == last.b()
                && leaves.op() == op::IF_GE
                && leaves.a() == last.a()
                && self.defined == Some(last.a() as u8)
                && again < 1 << 24
        });
        let step = steps.and_then(|last| i8::try_from(last.imm() as i32).ok());
        if let Some(step) = step {
            self.words.pop();
            self.offsets.pop();
            let to = (again as u32) << 8 | u32::from(step as u8);
            self.emit(Word::new(op::LOOP, (leaves.a() as u8, leaves.b() as u8, count), to));
        } else {
            // Exceptions are those of the head.
            for (word, at) in head[..length].iter().zip(begin..) {
                self.emit(*word);
                let offset = self.offsets[at];
                self.offsets.last_mut().into_iter().for_each(|last| *last = offset);
            }
            self.turned.push(self.words.len());
            let op = opposite(leaves.op());
            self.emit(Word::new(op, (leaves.a() as u8, leaves.b() as u8, count), again as u32));
        }
        // What is counted was counted before: this leaves the loop.
        self.emit(Word::new(op::GOTO, (0, 0, 0), leaves.imm()));
        true
    }
}
