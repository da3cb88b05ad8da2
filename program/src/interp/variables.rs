//! Variables of a run that stopped, set anew before it goes on.
//!
//! What they hold is held against their types, as arguments are; bounds of loops are counted elsewhere, and cannot be set. The run goes
//! on as if they had been assigned where the arguments of the call were computed at which it stopped: what is computed
//! without a call, from wherever the present block begins, is computed again, unless that would not come to the same if nothing
//! had been set. A text that something computed before refers to cannot be set.

use carnet_portal::call::Ref;

use super::{Machine, whole};
use crate::bytecode::{Op, SlotType};
use crate::limits::LimitKind;
use crate::protocol::{SetVariable, VariableValue};
use crate::verify::{Loaded, Step};

/// Instructions that are looked through for one that reads a text.
const LOOKED_AT_MAX: usize = 4_096;
/// Of slots that are no variables: counters, references, lists, portals.
const NO_VARIABLE: &str = "it is no variable that can be set";

/// Whether a number can be put into a slot of a type.
///
/// # Errors
/// Why not, for people.
pub(crate) fn fits_scalar(ty: SlotType, n: i64) -> Result<(), String> {
    match ty {
        SlotType::Int => Ok(()),
        SlotType::Bool if (0..=1).contains(&n) => Ok(()),
        // Which values an enum has is known to the operations that it is passed to, and they check it.
        SlotType::Enum(_) if (0..=i64::from(u16::MAX)).contains(&n) => Ok(()),
        SlotType::Bool | SlotType::Enum(_) => Err(format!("{n} is not a value of its type")),
        SlotType::Str(_) | SlotType::Bytes(_) => Err("a number where a text is expected".to_owned()),
        _ => Err(NO_VARIABLE.to_owned()),
    }
}

/// Whether a text can be put into a slot of a type.
///
/// # Errors
/// Why not, for people.
pub(crate) fn fits_text(ty: SlotType, text: &[u8]) -> Result<(), String> {
    let (SlotType::Str(max) | SlotType::Bytes(max)) = ty else {
        let is_scalar = matches!(ty, SlotType::Int | SlotType::Bool | SlotType::Enum(_));
        let why = if is_scalar { "a text where a number is expected" } else { NO_VARIABLE };
        return Err(why.to_owned());
    };
    if text.len() > max as usize {
        return Err(format!("a text of {} bytes where at most {max} are allowed", text.len()));
    }
    if ty.string_max().is_some() && text.contains(&0) {
        return Err("a string contains a NUL byte".to_owned());
    }
    Ok(())
}

/// Variables that fit, and where the run goes on with them.
#[derive(Debug)]
pub struct Fitting<'s> {
    set: &'s [SetVariable],
    memory: u64,
    from: u16,
}

impl Machine {
    /// Whether variables of a run that stopped can be set.
    ///
    /// # Errors
    /// The slot that cannot, and why, for people.
    pub fn fit_variables<'s>(
        &self,
        program: &Loaded,
        set: &'s [SetVariable],
    ) -> Result<Fitting<'s>, (u16, String)> {
        let from = self.back_to(program, set);
        let (mut memory, max) = (self.memory, self.budget.memory_max);
        let left = if self.is_again() { self.pc..self.again.end } else { 0..0 };
        for SetVariable { slot, value } in set {
            let wrong = |why: String| (*slot, why);
            let writes = |pc: u16| program.code.get(pc as usize).is_some_and(|step| step.a == *slot);
            if left.clone().any(writes) {
                return Err(wrong("what is done next computes it again".to_owned()));
            }
            let ty = program.slots.get(*slot as usize).copied();
            let ty = ty.unwrap_or(SlotType::Counter);
            let text = match value {
                VariableValue::Scalar(n) => {
                    fits_scalar(ty, *n).map_err(wrong)?;
                    continue;
                }
                VariableValue::Text(text) => text,
            };
            fits_text(ty, text).map_err(wrong)?;
            memory = memory + text.len() as u64 - self.text(*slot).len() as u64;
            if memory > max {
                let [needed, limit] = [memory, max].map(|bytes| LimitKind::Memory.amount(bytes));
                return Err(wrong(format!("with it the run takes {needed}, and its limit is {limit}")));
            }
            if self.is_referred_to(program, *slot, from) {
                return Err(wrong("what is done next was given its text already".to_owned()));
            }
        }
        Ok(Fitting { set, memory, from })
    }

    /// Sets them.
    pub fn set_variables(&mut self, fitting: &Fitting<'_>) {
        for SetVariable { slot, value } in fitting.set {
            match value {
                VariableValue::Scalar(n) => self.set_scalar(*slot, *n),
                VariableValue::Text(text) => {
                    let number = Ref(self.slots[*slot as usize]).area();
                    let Some(area) = self.areas.list.get_mut(number) else { continue };
                    area.bytes.clear();
                    area.bytes.extend_from_slice(text);
                    self.slots[*slot as usize] = whole(number, text.len());
                }
            }
        }
        let end = if self.is_again() { self.again.end } else { self.pc };
        self.again = fitting.from..end;
        (self.memory, self.pc) = (fitting.memory, fitting.from);
    }

    /// Whether instructions are done again, and not all of them yet.
    fn is_again(&self) -> bool {
        self.again.contains(&self.pc)
    }

    /// The first instruction from which all can be done again up to where the run stopped.
    fn back_to(&self, program: &Loaded, set: &[SetVariable]) -> u16 {
        let mut good = self.pc;
        if self.repeated > 0 || set.is_empty() {
            return good;
        }
        // Slots that are written behind, and texts that are added to whose beginning is not found yet.
        let (mut written, mut begun): (Vec<u16>, Vec<u16>) = (Vec::new(), Vec::new());
        let mut at = self.pc;
        // Before it may stand what gave a variable the value that was replaced.
        let is_near = self.is_again() || self.pc == self.again.end;
        let floor = if is_near { self.again.start } else { 0 };
        // A charge is that of a block that begins there: who stopped behind it may have come there otherwise.
        while let Some(before) = at.checked_sub(1)
            && program.code[at as usize].charge == 0
            && at != floor
        {
            let step = &program.code[before as usize];
            let Some(reads) = computed(step) else { break };
            let to = step.a;
            let is_set = set.iter().any(|variable| variable.slot == to);
            if is_set || reads.iter().any(|slot| *slot == to || written.contains(slot)) {
                break;
            }
            written.push(to);
            match step.op {
                Op::Append => begun.push(to),
                Op::Set | Op::Clear => begun.retain(|slot| *slot != to),
                _ => {}
            }
            at = before;
            if begun.is_empty() {
                good = at;
            }
        }
        good
    }

    /// Whether a reference to the text of a variable is read from there on, before it is written anew.
    fn is_referred_to(&self, program: &Loaded, owner: u16, from: u16) -> bool {
        let number = Ref(self.slots[owner as usize]).area();
        let refers = |slot: &usize| {
            matches!(program.slots[*slot], SlotType::StrRef(_) | SlotType::BytesRef(_))
                && Ref(self.slots[*slot]).area() == number
                && !Ref(self.slots[*slot]).is_empty()
        };
        let mut left = LOOKED_AT_MAX;
        (0..program.slots.len()).filter(refers).any(|slot| is_read(program, slot as u16, from, &mut left))
    }
}

/// The slots that an instruction reads, if it does nothing but to write slot `a`. A text that it adds to counts as begun elsewhere.
fn computed(step: &Step) -> Option<Vec<u16>> {
    Some(match step.op {
        Op::Load | Op::Lend | Op::Clear => Vec::new(),
        Op::Move | Op::AddI | Op::Neg | Op::Not | Op::Len | Op::Count | Op::Set | Op::Append => vec![step.b],
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::Compare
        | Op::CompareText
        | Op::TestText
        | Op::Get => vec![step.b, step.c],
        _ => return None,
    })
}

/// Whether a reference is read from an instruction on before it is written, or it takes too long to know.
fn is_read(program: &Loaded, slot: u16, from: u16, left: &mut usize) -> bool {
    let (mut seen, mut next) = (vec![false; program.code.len()], vec![from]);
    while let Some(at) = next.pop() {
        let Some(step) = program.code.get(at as usize) else { continue };
        if *left == 0 || reads_text(program, step, at, slot) {
            return true;
        }
        *left -= 1;
        if matches!(step.op, Op::Move | Op::Load | Op::Get) && step.a == slot {
            continue;
        }
        let handler = program.handlers.binary_search_by_key(&at, |handler| handler.at);
        let targets = [
            (!matches!(step.op, Op::Jump | Op::End | Op::Fail)).then_some(at + 1),
            step.op.branches().then_some(step.c),
            handler.ok().map(|found| program.handlers[found].target),
        ];
        for target in targets.into_iter().flatten() {
            let is_known = seen.get_mut(target as usize).is_none_or(|seen| std::mem::replace(seen, true));
            if !is_known {
                next.push(target);
            }
        }
    }
    false
}

/// Whether an instruction reads a reference.
fn reads_text(program: &Loaded, step: &Step, at: u16, slot: u16) -> bool {
    let is_among =
        |first: u16, count: usize| (first as usize..first as usize + count).contains(&(slot as usize));
    match step.op {
        Op::Fail => step.a == slot,
        Op::Move | Op::Set | Op::Append | Op::Len => step.b == slot,
        Op::CompareText | Op::TestText => step.b == slot || step.c == slot,
        Op::Put => step.c == slot,
        Op::Push => {
            let words = match program.slots.get(step.a as usize) {
                Some(SlotType::List(layout, _)) => program.layouts[*layout as usize].1,
                _ => 0,
            };
            is_among(step.b, words as usize)
        }
        Op::End => is_among(step.a, program.result_words.len()),
        Op::Call => {
            let words = program.ops[step.b as usize].operation.layout.ins.len();
            let repeat = at.checked_sub(1).map(|before| program.code[before as usize]);
            match repeat.filter(|before| before.op == Op::Repeat) {
                // Blocks one behind the other.
                Some(Step { d: [low, high, stride, _], .. }) => {
                    let times = usize::from(low) | usize::from(high) << 16;
                    is_among(step.c, times.saturating_mul(usize::from(stride)) + words)
                }
                None => is_among(step.c, words),
            }
        }
        _ => false,
    }
}
