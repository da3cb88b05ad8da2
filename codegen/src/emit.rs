//! Instructions of bytecode to Cranelift's. This file and Cranelift must be right for all else to be safe: the proof that is
//! made here says that the code keeps the contract of [`carnet_code`].
//!
//! ```text
//! code(frame, entry):  slots, sites, fuel = frame;  switch entry { … }
//! at a basic block:    if fuel < charge { leave at it }  fuel -= charge
//! at an instruction:   what can go wrong? leave at it. Else: do it
//! at a short call:     no calls or writes left? leave at it. Else: count, call; not done as it should? leave
//! leave at pc:         frame.fuel = fuel, …;  return pc, and why
//!
//! head of rounds:      if frame.rounds == 0 { leave at it }  frame.rounds -= 1
//! in rounds:           the same without charges and counts; a branch that leaves is left to the interpreter
//! ```
//!
//! Whoever leaves before the first instruction of a block that was charged gives the charge back: the interpreter charges it
//! again. Words of the variable table stay in memory, so that nothing is to be saved when code is left.

use carnet_code::{ARGUMENTS, Code, Proof, Reach, layout};
use carnet_program::bytecode::{NONE, Op};
use carnet_program::float::Precision;
use carnet_program::interp::{Entries, Rounds, TABLE, Way, counter};
use carnet_program::verify::{Loaded, Step};
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, BlockCall, InstBuilder, JumpTableData, MemFlagsData, SigRef, Signature, Type,
    Value,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};

use crate::Untranslated;

pub(crate) fn compile(
    isa: &dyn TargetIsa,
    context: &mut Context,
    memory: &mut FunctionBuilderContext,
    program: &Loaded,
    entries: &Entries,
) -> Result<Code, Untranslated> {
    context.clear();
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend([AbiParam::new(I64); 2]);
    signature.returns.push(AbiParam::new(I64));
    context.func.signature = signature;
    let mut emitter = Emitter::new(FunctionBuilder::new(&mut context.func, memory), program, entries);
    emitter.program();
    let reach = Reach { words: emitter.words, sites: entries.sites().len() };
    emitter.f.seal_all_blocks();
    emitter.f.finalize(isa.frontend_config());
    let internal = |why: String| Untranslated::Internal(why);
    let compiled = context
        .compile(isa, &mut cranelift_codegen::control::ControlPlane::default())
        .map_err(|why| internal(format!("{:?}", why.inner)))?;
    if !compiled.buffer.relocs().is_empty() || reach.words > TABLE {
        return Err(internal("the code refers to what it may not".to_owned()));
    }
    Code::new(Proof::of_translation(), compiled.code_buffer(), reach)
        .map_err(|why| Untranslated::Memory(why.to_string()))
}

/// What is counted down.
#[derive(Clone, Copy)]
struct Left<T> {
    fuel: T,
    calls: T,
    writes: T,
}

impl<T> Left<T> {
    fn map<U>(self, mut f: impl FnMut(T) -> U) -> Left<U> {
        Left { fuel: f(self.fuel), calls: f(self.calls), writes: f(self.writes) }
    }

    fn values(self) -> [T; 3] {
        [self.fuel, self.calls, self.writes]
    }
}

/// What of that is in registers.
#[derive(Clone, Copy)]
enum Counted {
    /// Each of it.
    Each(Left<Variable>),
    /// The rounds alone.
    Rounds(Value),
}

const LEFT: Left<usize> = Left { fuel: layout::FUEL, calls: layout::CALLS, writes: layout::WRITES };

struct Emitter<'f, 'p> {
    f: FunctionBuilder<'f>,
    program: &'p Loaded,
    entries: &'p Entries,
    /// Where control comes from elsewhere than the instruction before, but not in rounds.
    blocks: Vec<Option<Block>>,
    /// Where rounds begin.
    heads: Vec<Block>,
    slots: Value,
    sites: Value,
    frame: Value,
    /// Address of the frame, too. A value of its own stays in its register from call to call, and is not moved there where the
    /// other is needed again.
    context: Value,
    left: Counted,
    /// Its parameters: what is returned, and what is left.
    leave: Block,
    called: SigRef,
    /// What was left last, and gave back how much; and where that is done: several checks of one instruction leave alike.
    rare: Option<((u64, u32), Block)>,
    /// How many words of the variable table are reached.
    words: usize,
}

impl<'f, 'p> Emitter<'f, 'p> {
    fn new(mut f: FunctionBuilder<'f>, program: &'p Loaded, entries: &'p Entries) -> Emitter<'f, 'p> {
        let first = f.create_block();
        f.append_block_params_for_function_params(first);
        f.switch_to_block(first);
        let frame = f.block_params(first)[0];
        let load = |f: &mut FunctionBuilder<'f>, at: usize| {
            f.ins().load(I64, MemFlagsData::trusted(), frame, at as i32)
        };
        let context = f.ins().iadd_imm_s(frame, 0);
        let (slots, sites) = (load(&mut f, layout::SLOTS), load(&mut f, layout::SITES));
        let is_charged = |pc: &usize| entries.way(*pc) == Way::Charged;
        let left = if (0..program.code.len()).any(|pc| is_charged(&pc)) {
            Counted::Each(LEFT.map(|at| {
                let (variable, value) = (f.declare_var(I64), load(&mut f, at));
                f.def_var(variable, value);
                variable
            }))
        } else {
            Counted::Rounds(load(&mut f, layout::ROUNDS))
        };
        let mut signature = Signature::new(f.func.signature.call_conv);
        signature.params.extend([AbiParam::new(I64); 3]);
        signature.returns.push(AbiParam::new(I64));
        let called = f.import_signature(signature);
        let mut blocks = vec![None; program.code.len() + 1];
        let charged = program.code.iter().enumerate().filter(|(pc, _)| is_charged(pc));
        let targets = charged.map(|(_, step)| step).filter(|step| step.op.branches()).map(|step| step.c);
        let places = entries.places().iter().copied().filter(|pc| is_charged(&usize::from(*pc)));
        for pc in targets.chain(places) {
            if let Some(block @ None) = blocks.get_mut(usize::from(pc)) {
                *block = Some(f.create_block());
            }
        }
        let heads = entries.rounds().iter().map(|_| f.create_block()).collect();
        let leave = f.create_block();
        let (rare, words) = (None, 0);
        let mut emitter = Emitter {
            f,
            program,
            entries,
            blocks,
            heads,
            slots,
            sites,
            frame,
            context,
            left,
            leave,
            called,
            rare,
            words,
        };
        emitter.switch(first);
        emitter
    }

    /// Goes to the entry of the number that is the second parameter; to nowhere for other numbers.
    fn switch(&mut self, first: Block) {
        let rounds = (!self.heads.is_empty()).then(|| match self.left {
            Counted::Rounds(rounds) => rounds,
            Counted::Each(_) => self.load(self.frame, layout::ROUNDS),
        });
        let rounds = rounds.map(BlockArg::from);
        let entry = |pc: &u16| match self.entries.rounds().iter().position(|of| of.head == *pc) {
            Some(number) => self.heads.get(number).map(|head| (*head, rounds)),
            None => self.blocks[usize::from(*pc)].map(|block| (block, None)),
        };
        let entries: Vec<_> = self.entries.places().iter().filter_map(entry).collect();
        if let [(only, arguments)] = entries[..] {
            self.f.ins().jump(only, &Vec::from_iter(arguments));
            return;
        }
        let nowhere = self.f.create_block();
        self.f.set_cold_block(nowhere);
        let pool = &mut self.f.func.dfg.value_lists;
        let table: Vec<BlockCall> =
            entries.into_iter().map(|(block, arguments)| BlockCall::new(block, arguments, pool)).collect();
        let table = JumpTableData::new(BlockCall::new(nowhere, [], pool), &table);
        let table = self.f.create_jump_table(table);
        let number = self.f.block_params(first)[1];
        let number = self.f.ins().ireduce(I32, number);
        self.f.ins().br_table(number, table);
        self.f.switch_to_block(nowhere);
        // The interpreter knows no such instruction, and ends the run.
        self.leave_at(u64::from(u16::MAX), 0);
    }

    /// What is charged, and then what is done in rounds.
    fn program(&mut self) {
        if let Counted::Each(_) = self.left {
            self.blocks();
            self.leaving();
            self.leave = self.f.create_block();
        }
        for (rounds, head) in self.entries.rounds().iter().zip(self.heads.clone()) {
            self.rounds(rounds, head);
        }
        self.leaving();
    }

    fn leaving(&mut self) {
        let back = self.f.append_block_param(self.leave, I64);
        self.f.set_cold_block(self.leave);
        self.f.switch_to_block(self.leave);
        let places = match self.left {
            Counted::Each(_) => Vec::from(LEFT.values()),
            Counted::Rounds(_) => vec![layout::ROUNDS],
        };
        let values: Vec<Value> = places.iter().map(|_| self.f.append_block_param(self.leave, I64)).collect();
        for (at, value) in places.into_iter().zip(values) {
            self.f.ins().store(MemFlagsData::trusted(), value, self.frame, at as i32);
        }
        self.f.ins().return_(&[back]);
    }

    /// All instructions that are charged, one after the other. Control falls from one into the next unless it has ended.
    fn blocks(&mut self) {
        let steps = self.program.code.iter().map(Some).chain([None]);
        let mut open = false;
        for (pc, step) in steps.enumerate() {
            let is_charged = self.entries.way(pc) == Way::Charged;
            if let Some(block) = self.blocks[pc] {
                if open {
                    self.f.ins().jump(block, &[]);
                }
                self.f.switch_to_block(block);
                if !is_charged {
                    self.f.set_cold_block(block);
                }
                open = true;
            }
            if open {
                open = self.instruction(pc, step.filter(|_| is_charged));
            }
        }
    }

    /// A loop, each round of which does the same.
    fn rounds(&mut self, of: &Rounds, block: Block) {
        let (head, last) = (usize::from(of.head), usize::from(of.last));
        let rounds = self.f.append_block_param(block, I64);
        self.f.switch_to_block(block);
        self.left = Counted::Rounds(rounds);
        if !of.call() {
            let interrupted = self.interrupted();
            self.leave_if(interrupted, head, 0);
        }
        let none = self.f.ins().icmp_imm_u(IntCC::Equal, rounds, 0);
        self.leave_if(none, head, 0);
        let rounds = self.f.ins().iadd_imm_s(rounds, -1);
        self.left = Counted::Rounds(rounds);
        self.rare = None;
        for (pc, step) in self.program.code.iter().enumerate().take(last).skip(head + 1) {
            self.in_round(pc, step);
        }
        let Some(back) = self.holds(&self.program.code[last]) else {
            self.f.ins().jump(block, &[rounds.into()]);
            return;
        };
        let out = self.f.create_block();
        self.f.set_cold_block(out);
        self.f.ins().brif(back, block, &[rounds.into()], out, &[]);
        self.f.switch_to_block(out);
        self.leave_at(last as u64, 0);
    }

    /// No branch goes anywhere but out of the loop.
    fn in_round(&mut self, pc: usize, step: &Step) {
        match step.op {
            Op::Call => self.make_call(pc, step),
            op if op.branches() => {
                let out = self.holds(step);
                let out = out.unwrap_or_else(|| self.number(1));
                self.leave_if(out, pc, 0);
            }
            _ => self.simple(pc, step, 0),
        }
    }

    /// One instruction; whether control goes on behind it.
    fn instruction(&mut self, pc: usize, step: Option<&Step>) -> bool {
        let Some(step) = step else {
            self.leave_at(pc as u64, 0);
            return false;
        };
        self.charge(pc, step);
        match step.op {
            Op::Loop => self.head(pc, step),
            Op::Call => self.call(pc, step),
            op if op.branches() => {
                self.branch(pc, step);
                return false;
            }
            _ => self.simple(pc, step, step.charge),
        }
        true
    }

    /// One that neither calls nor branches. It gives `charged` back if it is left to the interpreter.
    fn simple(&mut self, pc: usize, step: &Step, charged: u32) {
        match step.op {
            Op::Move => {
                let value = self.slot(step.b);
                self.set(step.a, value);
            }
            Op::Load => self.set_to(step.a, step.imm()),
            Op::Lend => self.set_to(step.a, u64::from(step.b)),
            Op::Div | Op::Rem => self.divided(pc, step, charged),
            Op::Not => {
                let value = self.slot(step.b);
                let value = self.f.ins().bxor_imm_u(value, 1);
                self.set(step.a, value);
            }
            Op::Compare => {
                let (b, c) = (self.slot(step.b), self.slot(step.c));
                let holds = self.f.ins().icmp(relation(step.flags), b, c);
                let holds = self.f.ins().uextend(I64, holds);
                self.set(step.a, holds);
            }
            Op::FloatArith | Op::FloatCompare | Op::Convert => self.floats(step),
            _ => self.checked(pc, step, charged),
        }
    }

    /// An instruction on floats: none of them fails.
    fn floats(&mut self, step: &Step) {
        let is_set = |flag: u8| step.flags & flag != 0;
        match step.op {
            Op::FloatArith => {
                let ty = if is_set(4) { F64 } else { F32 };
                let (b, c) = (self.float(step.b, ty), self.float(step.c, ty));
                let value = match step.flags & 3 {
                    0 => self.f.ins().fadd(b, c),
                    1 => self.f.ins().fsub(b, c),
                    2 => self.f.ins().fmul(b, c),
                    _ => self.f.ins().fdiv(b, c),
                };
                self.set_float(step.a, ty, value);
            }
            Op::FloatCompare => {
                let ty = if is_set(8) { F64 } else { F32 };
                let (b, c) = (self.float(step.b, ty), self.float(step.c, ty));
                let holds = self.f.ins().fcmp(float_relation(step.flags & 7), b, c);
                let holds = self.f.ins().uextend(I64, holds);
                self.set(step.a, holds);
            }
            _ => {
                let ty = if is_set(2) { F64 } else { F32 };
                let value = match (is_set(1), ty) {
                    (false, _) => {
                        let value = self.slot(step.b);
                        self.f.ins().fcvt_from_sint(ty, value)
                    }
                    (true, F32) => {
                        let value = self.float(step.b, F64);
                        self.f.ins().fdemote(F32, value)
                    }
                    (true, _) => {
                        let value = self.float(step.b, F32);
                        self.f.ins().fpromote(F64, value)
                    }
                };
                self.set_float(step.a, ty, value);
            }
        }
    }

    /// The float in a slot.
    fn float(&mut self, slot: u16, ty: Type) -> Value {
        let at = self.word(usize::from(slot), 1);
        self.f.ins().load(ty, MemFlagsData::trusted(), self.slots, at)
    }

    /// Of what is no number there is one alone, and the upper half of a float's word is 0.
    fn set_float(&mut self, slot: u16, ty: Type, value: Value) {
        let bits = if ty == F64 { I64 } else { I32 };
        let is_none = self.f.ins().fcmp(FloatCC::Unordered, value, value);
        let word = self.f.ins().bitcast(bits, MemFlagsData::new(), value);
        let word = if ty == F64 { word } else { self.f.ins().uextend(I64, word) };
        let precision = if ty == F64 { Precision::Double } else { Precision::Single };
        let nan = self.number(precision.nan());
        let word = self.f.ins().select(is_none, nan, word);
        self.set(slot, word);
    }

    /// Charges the basic block that begins here, if one does.
    fn charge(&mut self, pc: usize, step: &Step) {
        let Counted::Each(left) = self.left else { return };
        if step.charge == 0 {
            return;
        }
        let (charge, fuel) = (i64::from(step.charge), self.f.use_var(left.fuel));
        let short = self.f.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, charge);
        self.leave_if(short, pc, 0);
        let fuel = self.f.ins().iadd_imm_s(fuel, -charge);
        self.f.def_var(left.fuel, fuel);
    }

    fn head(&mut self, pc: usize, step: &Step) {
        let interrupted = self.interrupted();
        self.leave_if(interrupted, pc, step.charge);
        let count = self.slot(step.b);
        let bound = self.number(step.imm());
        let over = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, count, bound);
        self.leave_if(over, pc, step.charge);
        let count = self.f.ins().iadd_imm_s(count, 1);
        self.set(step.b, count);
    }

    /// A short call that has nothing but words, charged and counted.
    fn call(&mut self, pc: usize, step: &Step) {
        let Counted::Each(left) = self.left else { return };
        let (calls, writes) = (self.f.use_var(left.calls), self.f.use_var(left.writes));
        let none = self.f.ins().icmp_imm_u(IntCC::Equal, calls, 0);
        self.leave_if(none, pc, step.charge);
        if step.flags & Step::WRITES != 0 {
            let none = self.f.ins().icmp_imm_u(IntCC::Equal, writes, 0);
            self.leave_if(none, pc, step.charge);
            let writes = self.f.ins().iadd_imm_s(writes, -1);
            self.f.def_var(left.writes, writes);
        }
        let calls = self.f.ins().iadd_imm_s(calls, -1);
        self.f.def_var(left.calls, calls);
        let (counter, trusted) = (self.word(counter(step.b), 1), MemFlagsData::trusted());
        let count = self.f.ins().load(I64, trusted, self.slots, counter);
        let count = self.f.ins().iadd_imm_s(count, 1);
        self.f.ins().store(trusted, count, self.slots, counter);
        self.make_call(pc, step);
    }

    fn make_call(&mut self, pc: usize, step: &Step) {
        // It is there: sites are those of all such calls.
        let found = self.entries.sites().binary_search(&(step.a, step.number())).unwrap_or_default();
        let (site, trusted) = (found * layout::SITE, MemFlagsData::trusted());
        let function = self.f.ins().load(I64, trusted, self.sites, (site + layout::FUNCTION) as i32);
        let site = self.f.ins().iadd_imm_s(self.sites, site as i64);
        let words = self.word(usize::from(step.c), ARGUMENTS);
        let words = self.f.ins().iadd_imm_s(self.slots, i64::from(words));
        let call = self.f.ins().call_indirect(self.called, function, &[site, self.context, words]);
        let outcome = self.f.inst_results(call)[0];
        let (rare, here) = (self.rare_if(outcome, None), self.f.current_block());
        self.f.switch_to_block(rare);
        let above = self.f.ins().ishl_imm_u(outcome, 16);
        let back = self.f.ins().bor_imm_u(above, pc as i64);
        self.leave_with(back, 0);
        self.f.switch_to_block(here.unwrap_or(rare));
        if step.result() != NONE {
            let reply = self.word(usize::from(step.c) + step.reply_at(), 1);
            let reply = self.f.ins().load(I64, trusted, self.slots, reply);
            self.set(step.result(), reply);
        }
    }

    fn interrupted(&mut self) -> Value {
        let interrupt = self.load(self.frame, layout::INTERRUPT);
        let interrupt = self.f.ins().load(I32, MemFlagsData::trusted(), interrupt, 0);
        self.f.ins().icmp_imm_u(IntCC::NotEqual, interrupt, 0)
    }

    fn checked(&mut self, pc: usize, step: &Step, charged: u32) {
        let b = self.slot(step.b);
        let (value, overflow) = match step.op {
            Op::Neg => {
                let zero = self.number(0);
                self.f.ins().ssub_overflow(zero, b)
            }
            Op::AddI => {
                let imm = self.number(step.imm());
                self.f.ins().sadd_overflow(b, imm)
            }
            op => {
                let c = self.slot(step.c);
                match op {
                    Op::Add => self.f.ins().sadd_overflow(b, c),
                    Op::Sub => self.f.ins().ssub_overflow(b, c),
                    _ => self.f.ins().smul_overflow(b, c),
                }
            }
        };
        self.leave_if(overflow, pc, charged);
        self.set(step.a, value);
    }

    /// By 0 and by -1 is left to the interpreter: the one has no meaning, the other may overflow.
    fn divided(&mut self, pc: usize, step: &Step, charged: u32) {
        let (b, c) = (self.slot(step.b), self.slot(step.c));
        let above = self.f.ins().iadd_imm_s(c, 1);
        let rare = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 1);
        self.leave_if(rare, pc, charged);
        let value = if step.op == Op::Div { self.f.ins().sdiv(b, c) } else { self.f.ins().srem(b, c) };
        self.set(step.a, value);
    }

    fn branch(&mut self, pc: usize, step: &Step) {
        let to = self.target(usize::from(step.c));
        let Some(holds) = self.holds(step) else {
            self.f.ins().jump(to, &[]);
            return;
        };
        let next = self.target(pc + 1);
        self.f.ins().brif(holds, to, &[], next, &[]);
    }

    /// Whether a branch is taken; `None` if it always is.
    fn holds(&mut self, step: &Step) -> Option<Value> {
        let relation = branch_relation(step.op)?;
        let a = self.slot(step.a);
        let with =
            if step.op as u8 >= Op::JumpEqI as u8 { self.number(step.imm()) } else { self.slot(step.b) };
        Some(self.f.ins().icmp(relation, a, with))
    }

    /// Where control comes to an instruction from elsewhere. No verified program leaves its code, and no code that is made
    /// here goes on there.
    fn target(&mut self, pc: usize) -> Block {
        let pc = pc.min(self.blocks.len() - 1);
        let f = &mut self.f;
        *self.blocks[pc].get_or_insert_with(|| f.create_block())
    }

    /// Returns `back`, and gives `charged` back.
    fn leave_at(&mut self, back: u64, charged: u32) {
        let back = self.number(back);
        self.leave_with(back, charged);
    }

    fn leave_with(&mut self, back: Value, charged: u32) {
        let left = match self.left {
            Counted::Rounds(rounds) => {
                self.f.ins().jump(self.leave, &[back.into(), rounds.into()]);
                return;
            }
            Counted::Each(left) => left,
        };
        let [fuel, calls, writes] = left.map(|variable| self.f.use_var(variable)).values();
        let fuel = if charged == 0 { fuel } else { self.f.ins().iadd_imm_s(fuel, i64::from(charged)) };
        self.f.ins().jump(self.leave, &[back.into(), fuel.into(), calls.into(), writes.into()]);
    }

    /// Leaves before the instruction if `condition` is not zero, and gives `charged` back.
    fn leave_if(&mut self, condition: Value, pc: usize, charged: u32) {
        let back = pc as u64;
        let alike = self.rare.filter(|(same, _)| *same == (back, charged)).map(|(_, block)| block);
        let rare = self.rare_if(condition, alike);
        if alike.is_none() {
            let on = self.f.current_block();
            self.f.switch_to_block(rare);
            self.leave_at(back, charged);
            self.f.switch_to_block(on.unwrap_or(rare));
        }
        self.rare = Some(((back, charged), rare));
    }

    /// Goes on, or if `condition` is not zero, to the block that this is: the one given, or a new one.
    fn rare_if(&mut self, condition: Value, given: Option<Block>) -> Block {
        let on = self.f.create_block();
        let rare = given.unwrap_or_else(|| {
            let block = self.f.create_block();
            self.f.set_cold_block(block);
            block
        });
        self.f.ins().brif(condition, rare, &[], on, &[]);
        self.f.switch_to_block(on);
        rare
    }

    fn load(&mut self, from: Value, at: usize) -> Value {
        self.f.ins().load(I64, MemFlagsData::trusted(), from, at as i32)
    }

    fn number(&mut self, value: u64) -> Value {
        self.f.ins().iconst(I64, value.cast_signed())
    }

    /// Offset of `count` words of the variable table.
    fn word(&mut self, first: usize, count: usize) -> i32 {
        self.words = self.words.max(first + count);
        8 * first as i32
    }

    fn slot(&mut self, slot: u16) -> Value {
        let at = self.word(usize::from(slot), 1);
        self.f.ins().load(I64, MemFlagsData::trusted(), self.slots, at)
    }

    fn set(&mut self, slot: u16, value: Value) {
        let at = self.word(usize::from(slot), 1);
        self.f.ins().store(MemFlagsData::trusted(), value, self.slots, at);
    }

    fn set_to(&mut self, slot: u16, value: u64) {
        let value = self.number(value);
        self.set(slot, value);
    }
}

/// The relation of a comparison's flags, as the interpreter reads them.
fn relation(flags: u8) -> IntCC {
    match flags {
        0 => IntCC::Equal,
        1 => IntCC::NotEqual,
        2 => IntCC::SignedLessThan,
        3 => IntCC::SignedLessThanOrEqual,
        4 => IntCC::SignedGreaterThan,
        _ => IntCC::SignedGreaterThanOrEqual,
    }
}

/// The relation of two floats: of what is no number only that it is not equal.
fn float_relation(flags: u8) -> FloatCC {
    match flags {
        0 => FloatCC::Equal,
        1 => FloatCC::NotEqual,
        2 => FloatCC::LessThan,
        3 => FloatCC::LessThanOrEqual,
        4 => FloatCC::GreaterThan,
        _ => FloatCC::GreaterThanOrEqual,
    }
}

/// The relation of a branch; `None` if it is always taken.
fn branch_relation(op: Op) -> Option<IntCC> {
    let number = op as u8;
    number.checked_sub(Op::JumpEqI as u8).or_else(|| number.checked_sub(Op::JumpEq as u8)).map(relation)
}
