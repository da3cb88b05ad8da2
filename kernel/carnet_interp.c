// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT
/*
 * The interpreter. It runs a verified program until it ends or stops, and can be called again after a stop.
 *
 * Budgets are charged as by program/src/interp.rs: instructions per basic block on entry; calls, writes and bytes before each
 * call. What does not fit is not begun. The caller's memory is touched for calls only: structs, the zero byte behind a
 * string that came back, the message of an error. Nothing that was read there decides where the program goes on or what
 * memory is reached.
 */
#include "carnet_program.h"

#define MEANINGLESS (1ll << 62)

enum flow { NEXT, GO, STOP, STOP_BEHIND };

static enum flow stop(struct carnet_state *s, u32 status, u32 detail)
{
	s->status = status;
	s->detail = detail;
	return STOP;
}

/* The owner in this slot holds `length` bytes now. */
static void holds(struct carnet_state *s, u32 slot, u32 length)
{
	s->memory += (u64)length - REF_LEN(s->slots[slot]);
	s->slots[slot] = REF(REF_AREA(s->slots[slot]), 0, length);
}

static const struct carnet_area *area_of(const struct carnet_program *p, u64 word)
{
	return &p->areas[array_index_nospec(REF_AREA(word), p->areas_number)];
}

/* The address of the text that a word refers to; false if it is gone. */
static bool text_at(const struct carnet_program *p, const struct carnet_state *s, u64 word, u64 *address)
{
	const struct carnet_area *area = area_of(p, word);
	u32 length = area->slot == CARNET_NONE ? area->max : REF_LEN(s->slots[area->slot]);

	*address = s->arena + area->offset + REF_OFFSET(word);
	return REF_OFFSET(word) + REF_LEN(word) <= length;
}

static noinline bool send_struct(const struct carnet_operation *op, const u64 *block, u64 address)
{
	const struct carnet_field *field = op->fields, *end = field + op->sent;
	u8 bytes[CARNET_STRUCT_BYTES] = {};

	for (; field < end; field++)
		memcpy(bytes + field->offset, &block[field->word], field->bytes);
	return carnet_write(address, bytes, sizeof(bytes));
}

static noinline bool take_struct(const struct carnet_operation *op, u64 *block, u64 address)
{
	const struct carnet_field *field = op->fields + op->sent, *end = field + op->back;
	u8 bytes[CARNET_STRUCT_BYTES];

	if (!carnet_read(bytes, address, sizeof(bytes)))
		return false;
	for (; field < end; field++) {
		u32 rest = 64 - 8 * field->bytes;
		u64 word = 0;

		memcpy(&word, bytes + field->offset, field->bytes);
		block[field->word] = field->is_signed ? (u64)((s64)(word << rest) >> rest) : word;
	}
	return true;
}

/* A string came back: it ends before its first zero byte, and with one. */
static noinline u32 end_string(u64 address, u32 length)
{
	return carnet_write(address + length, "", 1) ? carnet_length(address, length) : 0;
}

static bool begins_anew(s64 ret)
{
	return ret <= -ERESTARTSYS && ret > -ERESTARTSYS - 3;
}

/* A call failed: goes on at its handler, if it has one. */
static noinline enum flow failed(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, s64 ret)
{
	u64 *counts = s->slots + p->slots_number + 2 * step->b, *message = &s->slots[step->q[3]];
	u32 error = -ret, length;
	const char *text;

	/* What would begin anew, or go on with its time limit, was interrupted; other numbers of the kernel's own mean nothing. */
	if (error >= carnet_messages_number)
		error = begins_anew(ret) || error == ERESTART_RESTARTBLOCK ? EINTR : EIO;
	counts[1]++;
	if (step->q[1] == CARNET_NONE)
		return stop(s, CARNET_CALL_FAILED, error);
	text = carnet_messages[error];
	length = min((u32)strlen(text), area_of(p, *message)->max);
	if (s->memory - REF_LEN(*message) + length > s->memory_max)
		return stop(s, CARNET_LIMIT, CARNET_MEMORY);
	if (!carnet_write(s->arena + area_of(p, *message)->offset, text, length) ||
	    !carnet_write(s->arena + area_of(p, *message)->offset + length, "", 1))
		return stop(s, CARNET_FAULT, CARNET_ARENA);
	holds(s, step->q[3], length);
	s->slots[step->q[2]] = error;
	s->pc = step->q[1];
	return GO;
}

/* Fills the registers of the processor; 0, an error of the call, or MEANINGLESS: the run has stopped. */
static s64 arguments(const struct carnet_program *p, struct carnet_state *s, const struct carnet_operation *op, u64 *block, u64 *registers)
{
	static const u8 place[] = CARNET_PLACES;
	u64 structs = s->arena + p->arena_bytes - 2 * CARNET_STRUCT_BYTES, word;
	const struct carnet_arg *from = op->from;
	s64 error = 0;
	u32 k;

	for (k = 0; k < op->arguments; k++, from++) {
		word = block[from->word];
		switch (from->source) {
		case FROM_WORD:
			if (unlikely(word + from->low > from->span))
				return stop(s, CARNET_FAULT, CARNET_ARGUMENT), MEANINGLESS;
			if (unlikely((u32)word & ~from->number))
				error = -EINVAL;
			break;
		case FROM_CUT:
			if (unlikely((s64)word < 0))
				error = -EINVAL;
			word = min(word, (u64)from->number);
			break;
		case FROM_CONST:
			word = (s32)from->number;
			break;
		case FROM_LEN:
			word = REF_LEN(word);
			break;
		case FROM_ROOM:
			word = s->arena + area_of(p, word)->offset;
			break;
		case FROM_TEXT:
			if (unlikely(REF_LEN(word) > from->number))
				return stop(s, CARNET_FAULT, CARNET_ARGUMENT), MEANINGLESS;
			if (!text_at(p, s, word, &word))
				return stop(s, CARNET_FAULT, CARNET_GONE), MEANINGLESS;
			break;
		case FROM_SENT:
			if (!send_struct(op, block, structs))
				error = -EFAULT;
			word = structs;
			break;
		default:
			word = structs + CARNET_STRUCT_BYTES;
		}
		registers[place[k]] = word;
	}
	return error;
}

/* Makes a call with the block from slot `first`; a result goes to slot `result`, if that is one. */
static enum flow call(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, u32 first, u32 result)
{
	const struct carnet_operation *op = p->operations[step->b];
	u64 *block = s->slots + first, *counts = s->slots + p->slots_number + 2 * step->b, written = 0;
	u64 registers[CARNET_REGISTERS] __uninitialized;
	s64 ret;

	if (unlikely(!s->calls_left))
		return stop(s, CARNET_LIMIT, CARNET_CALLS);
	if (op->flags & OPERATION_WRITES) {
		if (op->cost != NO_WORD)
			written = (s64)block[op->cost] < 0 ? 0 : min(block[op->cost], (u64)CARNET_WORK_MAX);
		else if (op->data != NO_WORD)
			written = REF_LEN(block[op->data]);
		if (unlikely(!s->writes_left))
			return stop(s, CARNET_LIMIT, CARNET_WRITES);
		if (unlikely(written > s->written_left))
			return stop(s, CARNET_LIMIT, CARNET_WRITTEN);
	}
	ret = arguments(p, s, op, block, registers);
	if (likely(!ret))
		ret = carnet_system_call(registers, op->number);
	/* A call that a signal interrupted before it did anything was not made. */
	if (unlikely(begins_anew(ret)) && carnet_signalled()) {
		s->restart = ret;
		return stop(s, CARNET_STOPPED, 0);
	}
	s->calls_left--;
	counts[0]++;
	if (op->fills != NO_WORD)
		holds(s, first + op->fills, 0);
	if (unlikely(ret == MEANINGLESS))
		return counts[1]++, STOP;
	if (op->flags & OPERATION_WRITES) {
		s->writes_left--;
		if (op->cost != NO_WORD && ret >= 0)
			written = min((u64)ret, written);
		s->written_left -= written;
	}
	if (unlikely((u64)ret >= (u64)-4095))
		return failed(p, s, step, ret);
	if (op->value != NO_WORD)
		block[op->value] = ret;
	if (op->back && !take_struct(op, block, s->arena + p->arena_bytes - CARNET_STRUCT_BYTES))
		return stop(s, CARNET_FAULT, CARNET_ARENA), STOP_BEHIND;
	if (op->fills != NO_WORD) {
		const struct carnet_area *area = area_of(p, block[op->fills]);
		u32 length = min((u64)ret, (u64)area->max);

		if (op->words[op->fills].kind == KIND_STR)
			length = end_string(s->arena + area->offset, length);
		holds(s, first + op->fills, length);
		if (s->memory > s->memory_max)
			return stop(s, CARNET_LIMIT, CARNET_MEMORY), STOP_BEHIND;
	}
	if (result != CARNET_NONE)
		s->slots[result] = block[op->ins];
	return NEXT;
}

/* Whether the run must stop here: for a signal, or because its time is over. */
static bool attend(struct carnet_state *s)
{
	return carnet_wanted(s->deadline) && carnet_attend(s);
}

/* Makes the call behind a repeat as often as it says; after a stop it goes on where it stopped. */
static noinline enum flow repeat(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step)
{
	const struct carnet_step *one = step + 1;
	u32 at = s->pc;
	enum flow flow;

	while (s->repeated < (u32)step->d) {
		u32 result = one->q[0] == CARNET_NONE ? CARNET_NONE : one->q[0] + s->repeated * step->q[3];

		flow = call(p, s, one, one->c + s->repeated * step->q[2], result);
		if (flow == GO) {
			s->repeated = 0;
			return GO;
		}
		s->repeated += flow != STOP;
		s->pc = at;
		if (flow != NEXT)
			return STOP;
		if (attend(s))
			return STOP;
	}
	s->repeated = 0;
	return NEXT;
}

static bool related(u32 relation, s64 a, s64 b)
{
	switch (relation) {
	case 0:
		return a == b;
	case 1:
		return a != b;
	case 2:
		return a < b;
	case 3:
		return a <= b;
	case 4:
		return a > b;
	default:
		return a >= b;
	}
}

/* Arithmetic and what else only moves words: false if it has no meaning. */
static bool compute(struct carnet_state *s, const struct carnet_step *step)
{
	s64 b = s->slots[step->b], c = s->slots[step->c], a;
	u64 *slot = &s->slots[step->a];
	u32 k;

	switch (step->op) {
	case OP_MOVE:
		a = b;
		break;
	case OP_LOAD:
		a = step->d;
		break;
	case OP_ADD:
	case OP_ADD_I:
		if (check_add_overflow(b, step->op == OP_ADD ? c : (s64)step->d, &a))
			return false;
		break;
	case OP_SUB:
		if (check_sub_overflow(b, c, &a))
			return false;
		break;
	case OP_MUL:
		if (check_mul_overflow(b, c, &a))
			return false;
		break;
	case OP_DIV:
	case OP_REM:
		if (!c || (c == -1 && b == (s64)(1ull << 63)))
			return false;	/* the processor would say so */
		a = step->op == OP_DIV ? b / c : b % c;
		break;
	case OP_NEG:
		if (check_sub_overflow((s64)0, b, &a))
			return false;
		break;
	case OP_NOT:
		a = b ^ 1;
		break;
	case OP_COMPARE:
		a = related(step->flags, b, c);
		break;
	case OP_LEN:
		a = REF_LEN((u64)b);
		break;
	case OP_CLEAR:
		holds(s, step->a, 0);
		return true;
	default:
		for (k = 0; k < (u32)step->d; k++)
			s->slots[step->a + k * step->q[3]] = s->slots[step->b + k * step->q[2]];
		return true;
	}
	*slot = a;
	return true;
}

/* The loop. Heads of loops and calls are looked for first, since each round of a loop passes some. */
void carnet_interpret(const struct carnet_program *p, struct carnet_state *s)
{
	const struct carnet_step *code = p->code, *step = code + s->pc;
	u64 *slots = s->slots, bound;
	s64 left = s->instructions_left;
	enum flow flow;

	if (s->charged)
		left += step->charge;
	s->charged = true;
	for (;;) {
		left -= step->charge;
		if (unlikely(left < 0)) {
			left += step->charge;
			s->charged = false;
			stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
			break;
		}
		if (step->op == OP_CALL || step->op == OP_REPEAT) {
			s->pc = step - code;
			if (step->op == OP_CALL)
				flow = call(p, s, step, step->c, step->q[0]);
			else
				flow = repeat(p, s, step);
			if (unlikely(flow == STOP))
				goto out;
			/* Where it goes on is charged when it goes on. */
			if (likely(flow != GO))
				s->pc += 1 + (step->op == OP_REPEAT);
			if (unlikely(flow == STOP_BEHIND) || unlikely(attend(s))) {
				s->charged = false;
				goto out;
			}
			step = code + s->pc;
			continue;
		}
		if (step->op == OP_LOOP) {
			if (unlikely(attend(s)))
				break;
			bound = step->d;
			if (unlikely(slots[step->b] >= bound)) {
				stop(s, CARNET_LIMIT, CARNET_ROUNDS);
				break;
			}
			slots[step->b]++;
			step++;
			continue;
		}
		if (step->op < OP_JUMP) {
			stop(s, step->op == OP_END ? CARNET_DONE : CARNET_FAILED, step->a);
			break;
		}
		if (step->op <= OP_JUMP_GE_I) {
			s64 b = step->op >= OP_JUMP_EQ_I ? (s64)step->d : (s64)slots[step->b];

			if (step->op == OP_JUMP || related((step->op - OP_JUMP_EQ) % 6, slots[step->a], b))
				step = code + step->c;
			else
				step++;
			continue;
		}
		if (step->op == OP_MOVE_STRIDED) {
			if (left < (u32)step->d) {
				stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
				break;
			}
			left -= (u32)step->d;
		}
		if (unlikely(!compute(s, step))) {
			bool division = step->op == OP_DIV || step->op == OP_REM;

			stop(s, CARNET_FAULT, division && !slots[step->c] ? CARNET_DIVISION : CARNET_OVERFLOW);
			break;
		}
		step++;
	}
	s->pc = step - code;
out:
	s->instructions_left = left;
}

/*
 * Before the first instruction. `slots` holds what the caller gave in the slots of parameters, and has room for the counts
 * behind the variables.
 */
bool carnet_begin(const struct carnet_program *p, struct carnet_state *s, const u64 *given)
{
	u32 k;

	memcpy(s->slots, p->image, p->slots_number * sizeof(u64));
	memset(s->slots + p->slots_number, 0, 2 * p->operations_number * sizeof(u64));
	s->pc = s->repeated = s->memory = 0;
	s->charged = false;
	for (k = 0; k < p->given_number; k++) {
		const struct carnet_given *place = &p->given[k];
		u64 word = given[k];

		s->pc = place->slot;
		if (place->kind > KIND_ENUM) {
			if (word - s->slots[place->slot] > area_of(p, word)->max)
				return stop(s, CARNET_FAULT, CARNET_VARIABLE), false;
			s->memory += REF_LEN(word);
		} else if (place->kind != KIND_INT && word > place->most) {
			return stop(s, CARNET_FAULT, CARNET_VARIABLE), false;
		}
		s->slots[place->slot] = word;
	}
	s->pc = 0;
	if (s->memory > s->memory_max)
		return stop(s, CARNET_LIMIT, CARNET_MEMORY), false;
	return true;
}
