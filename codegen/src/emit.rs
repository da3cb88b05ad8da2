//! Instructions of bytecode to Cranelift's. This file and Cranelift must be right for all else to be safe: the proof that is
//! made here says that the code keeps the contract of [`carnet_code`].
//!
//! ```text
//! code(frame, entry):  slots, interrupt, fuel = frame;  switch entry { … }
//! at a basic block:    if fuel < charge { leave at it }  fuel -= charge
//! at an instruction:   what can go wrong? leave at it. Else: do it
//! at a short call:     site closed, no calls or writes left? leave at it. Else: count, call; trouble or interrupted? leave
//! leave at pc:         frame.fuel = fuel, …;  return pc, and why
//! ```
//!
//! Whoever leaves before the first instruction of a block that was charged gives the charge back: the interpreter charges it
//! again. Words of the variable table stay in memory, so that nothing is to be saved when code is left.

use carnet_code::{ARGUMENTS, Code, Proof, Reach, layout};
use carnet_program::bytecode::{NONE, Op};
use carnet_program::interp::{Entries, TABLE, counter, is_translated, reason};
use carnet_program::verify::{Loaded, Step};
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockCall, InstBuilder, JumpTableData, MemFlagsData, SigRef, Signature, Value,
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

const LEFT: Left<usize> = Left { fuel: layout::FUEL, calls: layout::CALLS, writes: layout::WRITES };

struct Emitter<'f, 'p> {
    f: FunctionBuilder<'f>,
    program: &'p Loaded,
    entries: &'p Entries,
    /// Where control comes from elsewhere than the instruction before.
    blocks: Vec<Option<Block>>,
    slots: Value,
    interrupt: Value,
    caller: Value,
    sites: Value,
    frame: Value,
    left: Left<Variable>,
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
        let (slots, interrupt) = (load(&mut f, layout::SLOTS), load(&mut f, layout::INTERRUPT));
        let (caller, sites) = (load(&mut f, layout::CALLER), load(&mut f, layout::SITES));
        let left = LEFT.map(|at| {
            let (variable, value) = (f.declare_var(I64), load(&mut f, at));
            f.def_var(variable, value);
            variable
        });
        let mut signature = Signature::new(f.func.signature.call_conv);
        signature.params.extend([AbiParam::new(I64); 3]);
        signature.returns.push(AbiParam::new(I64));
        let called = f.import_signature(signature);
        let mut blocks = vec![None; program.code.len() + 1];
        let targets = program.code.iter().filter(|step| step.op.branches()).map(|step| step.c);
        for pc in targets.chain(entries.places().iter().copied()) {
            if let Some(block @ None) = blocks.get_mut(usize::from(pc)) {
                *block = Some(f.create_block());
            }
        }
        let leave = f.create_block();
        let mut emitter = Emitter {
            f,
            program,
            entries,
            blocks,
            slots,
            interrupt,
            caller,
            sites,
            frame,
            left,
            leave,
            called,
            rare: None,
            words: 0,
        };
        emitter.switch(first);
        emitter.leaving();
        emitter
    }

    /// Goes to the entry of the number that is the second parameter; to nowhere for other numbers.
    fn switch(&mut self, first: Block) {
        let blocks = &self.blocks;
        let places = self.entries.places().iter();
        let entries: Vec<Block> = places.filter_map(|pc| blocks[usize::from(*pc)]).collect();
        let nowhere = self.f.create_block();
        self.f.set_cold_block(nowhere);
        let pool = &mut self.f.func.dfg.value_lists;
        let table: Vec<BlockCall> = entries.iter().map(|block| BlockCall::new(*block, [], pool)).collect();
        let table = JumpTableData::new(BlockCall::new(nowhere, [], pool), &table);
        let table = self.f.create_jump_table(table);
        let number = self.f.block_params(first)[1];
        let number = self.f.ins().ireduce(I32, number);
        self.f.ins().br_table(number, table);
        self.f.switch_to_block(nowhere);
        // The interpreter knows no such instruction, and ends the run.
        self.leave_at(u64::from(u16::MAX), 0);
    }

    fn leaving(&mut self) {
        let back = self.f.append_block_param(self.leave, I64);
        let left = LEFT.map(|at| (at, self.f.append_block_param(self.leave, I64)));
        self.f.set_cold_block(self.leave);
        self.f.switch_to_block(self.leave);
        for (at, value) in left.values() {
            self.f.ins().store(MemFlagsData::trusted(), value, self.frame, at as i32);
        }
        self.f.ins().return_(&[back]);
    }

    /// All instructions, one after the other. Control falls from one into the next unless it has ended.
    fn program(&mut self) {
        let steps = self.program.code.iter().map(Some).chain([None]);
        let mut open = false;
        for (pc, step) in steps.enumerate() {
            if let Some(block) = self.blocks[pc] {
                if open {
                    self.f.ins().jump(block, &[]);
                }
                self.f.switch_to_block(block);
                if step.is_none_or(|step| !is_translated(step)) {
                    self.f.set_cold_block(block);
                }
                open = true;
            }
            if open {
                open = self.instruction(pc, step);
            }
        }
    }

    /// One instruction; whether control goes on behind it.
    fn instruction(&mut self, pc: usize, step: Option<&Step>) -> bool {
        let Some(step) = step.filter(|step| is_translated(step)) else {
            self.leave_at(pc as u64, 0);
            return false;
        };
        self.charge(pc, step);
        match step.op {
            Op::Loop => self.head(pc, step),
            Op::Call => self.call(pc, step),
            Op::Move => {
                let value = self.slot(step.b);
                self.set(step.a, value);
            }
            Op::Load => self.set_to(step.a, step.imm()),
            Op::Lend => self.set_to(step.a, u64::from(step.b)),
            Op::Add | Op::AddI | Op::Sub | Op::Mul | Op::Neg => self.checked(pc, step),
            Op::Div | Op::Rem => self.divided(pc, step),
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
            _ => {
                self.branch(pc, step);
                return false;
            }
        }
        true
    }

    /// Charges the basic block that begins here, if one does.
    fn charge(&mut self, pc: usize, step: &Step) {
        if step.charge == 0 {
            return;
        }
        let (charge, fuel) = (i64::from(step.charge), self.f.use_var(self.left.fuel));
        let short = self.f.ins().icmp_imm_s(IntCC::SignedLessThan, fuel, charge);
        self.leave_if(short, pc, 0);
        let fuel = self.f.ins().iadd_imm_s(fuel, -charge);
        self.f.def_var(self.left.fuel, fuel);
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

    /// A short call that has nothing but words.
    fn call(&mut self, pc: usize, step: &Step) {
        // It is there: sites are those of all such calls.
        let found = self.entries.sites().binary_search(&(step.a, step.number())).unwrap_or_default();
        let site = |of: usize| (found * layout::SITE + of) as i32;
        let trusted = MemFlagsData::trusted();
        let closed = self.f.ins().load(I64, trusted, self.sites, site(layout::CLOSED));
        let closed = self.f.ins().load(I8, trusted, closed, 0);
        let closed = self.f.ins().icmp_imm_u(IntCC::NotEqual, closed, 0);
        self.leave_if(closed, pc, step.charge);
        let (calls, writes) = (self.f.use_var(self.left.calls), self.f.use_var(self.left.writes));
        let none = self.f.ins().icmp_imm_u(IntCC::Equal, calls, 0);
        self.leave_if(none, pc, step.charge);
        if step.flags & Step::WRITES != 0 {
            let none = self.f.ins().icmp_imm_u(IntCC::Equal, writes, 0);
            self.leave_if(none, pc, step.charge);
            let writes = self.f.ins().iadd_imm_s(writes, -1);
            self.f.def_var(self.left.writes, writes);
        }
        let calls = self.f.ins().iadd_imm_s(calls, -1);
        self.f.def_var(self.left.calls, calls);
        let counter = self.word(counter(step.b), 1);
        let count = self.f.ins().load(I64, trusted, self.slots, counter);
        let count = self.f.ins().iadd_imm_s(count, 1);
        self.f.ins().store(trusted, count, self.slots, counter);
        let object = self.f.ins().load(I64, trusted, self.sites, site(layout::OBJECT));
        let function = self.f.ins().load(I64, trusted, self.sites, site(layout::FUNCTION));
        let words = self.word(usize::from(step.c), ARGUMENTS);
        let words = self.f.ins().iadd_imm_s(self.slots, i64::from(words));
        let call = self.f.ins().call_indirect(self.called, function, &[object, self.caller, words]);
        let trouble = self.f.inst_results(call)[0];
        let rare = self.rare_if(trouble, None);
        let (at, here) = (layout::TROUBLE as i32, self.f.current_block());
        self.f.switch_to_block(rare);
        self.f.ins().store(trusted, trouble, self.frame, at);
        self.leave_at(pc as u64 | reason::TROUBLE, 0);
        self.f.switch_to_block(here.unwrap_or(rare));
        if step.result() != NONE {
            let reply = self.word(usize::from(step.c) + step.reply_at(), 1);
            let reply = self.f.ins().load(I64, trusted, self.slots, reply);
            self.set(step.result(), reply);
        }
        let interrupted = self.interrupted();
        self.leave_for(interrupted, pc as u64 | reason::INTERRUPTED, 0);
    }

    fn interrupted(&mut self) -> Value {
        let interrupt = self.f.ins().load(I32, MemFlagsData::trusted(), self.interrupt, 0);
        self.f.ins().icmp_imm_u(IntCC::NotEqual, interrupt, 0)
    }

    fn checked(&mut self, pc: usize, step: &Step) {
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
        self.leave_if(overflow, pc, step.charge);
        self.set(step.a, value);
    }

    /// By 0 and by -1 is left to the interpreter: the one has no meaning, the other may overflow.
    fn divided(&mut self, pc: usize, step: &Step) {
        let (b, c) = (self.slot(step.b), self.slot(step.c));
        let above = self.f.ins().iadd_imm_s(c, 1);
        let rare = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 1);
        self.leave_if(rare, pc, step.charge);
        let value = if step.op == Op::Div { self.f.ins().sdiv(b, c) } else { self.f.ins().srem(b, c) };
        self.set(step.a, value);
    }

    fn branch(&mut self, pc: usize, step: &Step) {
        let to = self.target(usize::from(step.c));
        let Some(relation) = branch_relation(step.op) else {
            self.f.ins().jump(to, &[]);
            return;
        };
        let a = self.slot(step.a);
        let with =
            if step.op as u8 >= Op::JumpEqI as u8 { self.number(step.imm()) } else { self.slot(step.b) };
        let holds = self.f.ins().icmp(relation, a, with);
        let next = self.target(pc + 1);
        self.f.ins().brif(holds, to, &[], next, &[]);
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
        let [fuel, calls, writes] = self.left.map(|variable| self.f.use_var(variable)).values();
        let fuel = if charged == 0 { fuel } else { self.f.ins().iadd_imm_s(fuel, i64::from(charged)) };
        self.f.ins().jump(self.leave, &[back.into(), fuel.into(), calls.into(), writes.into()]);
    }

    /// Leaves before the instruction if `condition` is not zero, and gives `charged` back.
    fn leave_if(&mut self, condition: Value, pc: usize, charged: u32) {
        self.leave_for(condition, pc as u64 | reason::DO, charged);
    }

    fn leave_for(&mut self, condition: Value, back: u64, charged: u32) {
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

/// The relation of a branch; `None` if it is always taken.
fn branch_relation(op: Op) -> Option<IntCC> {
    let number = op as u8;
    number.checked_sub(Op::JumpEqI as u8).or_else(|| number.checked_sub(Op::JumpEq as u8)).map(relation)
}
