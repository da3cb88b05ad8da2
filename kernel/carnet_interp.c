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

#define MEANINGLESS (-4095ll)	/* no error has this number: the run has stopped */

enum flow { NEXT, GO, STOP, STOP_BEHIND };

static enum flow stop(struct carnet_state *s, u32 status, u32 detail)
{
	s->status = status;
	s->detail = detail;
	return STOP;
}

/* The owner in this slot holds `length` bytes now. */
static __always_inline void holds(struct carnet_state *s, u64 *slot, u32 length)
{
	s->memory += (u64)length - REF_LEN(*slot);
	*slot = (*slot & ~(REF(1, 0, 0) - 1)) | length;
}

static const struct carnet_area *area_of(const struct carnet_program *p, u64 word)
{
	return &p->areas[array_index_nospec(REF_AREA(word), p->areas_number)];
}

/* Writes a struct that is sent; MEANINGLESS: a word is out of the range of its field. */
static noinline s64 send_struct(const struct carnet_operation *op, const u64 *block, u64 address)
{
	const struct carnet_field *field = op->fields, *end = field + op->sent;
	u8 bytes[CARNET_STRUCT_BYTES] = {};

	for (; field < end; field++) {
		u32 rest = 64 - 8 * field->bytes;
		u64 word = block[field->word], cut = word << rest >> rest;

		if (field->is_signed)
			cut = (s64)(word << rest) >> rest;
		if (cut != word || (!field->is_signed && (s64)word < 0))
			return MEANINGLESS;
		memcpy(bytes + field->offset, &word, field->bytes);
	}
	return carnet_write(address, bytes, sizeof(bytes)) ? 0 : -EFAULT;
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

/*
 * A place of the program that calls: the registers of the processor for its last call, the words of the block that they were made of, and
 * where what comes back goes. As long as a loop calls with the same words, all this is made once.
 */
struct site {
	const u64 *in[2], *owner;		/* the words that go in, or some that never change; who owns the text that is sent */
	u64 words[2], owned;			/* what they were; if they are not, the site is filled anew */
	u64 *block, *count, *value, *fills, nowhere;
	u64 writes, written;			/* what it counts as: 1 or 0, and bytes that it may write */
	u32 number, room;
	u64 registers[CARNET_REGISTERS];
};

/* A call failed: goes on at its handler, if it has one. */
static noinline enum flow failed(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, struct site *site,
			     s64 ret)
{
	u64 *message = &s->slots[step->q[3]];
	u32 error = -ret, length;
	const char *text;

	/* What would begin anew, or go on with its time limit, was interrupted; other numbers of the kernel's own mean nothing. */
	if (error >= carnet_messages_number)
		error = begins_anew(ret) || error == ERESTART_RESTARTBLOCK ? EINTR : EIO;
	site->count[1]++;
	if (site->fills)
		holds(s, site->fills, 0);
	if (ret == MEANINGLESS)
		return STOP;
	if (step->q[1] == CARNET_NONE)
		return stop(s, CARNET_CALL_FAILED, error);
	text = carnet_messages[error];
	length = min((u32)strlen(text), area_of(p, *message)->max);
	if (s->memory - REF_LEN(*message) + length > s->memory_max)
		return stop(s, CARNET_LIMIT, CARNET_MEMORY);
	if (!carnet_write(s->arena + area_of(p, *message)->offset, text, length) ||
	    !carnet_write(s->arena + area_of(p, *message)->offset + length, "", 1))
		return stop(s, CARNET_FAULT, CARNET_ARENA);
	holds(s, message, length);
	s->slots[step->q[2]] = error;
	s->pc = step->q[1];
	return GO;
}

/* What it was made of fits nothing any more. */
static void forget(struct site *site)
{
	site->in[0] = site->in[1] = site->owner = &site->owned;
	site->words[0] = ~site->owned;
}

/* Fills the registers; 0, an error of the call, or MEANINGLESS: the run has stopped. */
static noinline s64 fill(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, u32 first, struct site *site)
{
	static const u8 place[] = CARNET_PLACES;
	const struct carnet_operation *op = p->operations[step->b];
	u64 structs = s->arena + p->arena_bytes - 2 * CARNET_STRUCT_BYTES, word, *block = s->slots + first;
	const struct carnet_arg *from = op->from;
	const u64 *owner = &site->written;
	s64 error = 0, sent;
	u32 k;

	forget(site);
	site->block = block;
	site->count = s->slots + p->slots_number + 2 * step->b;
	site->value = op->value != NO_WORD ? block + op->value : &site->nowhere;
	site->fills = op->fills != NO_WORD ? block + op->fills : NULL;
	site->room = site->fills ? area_of(p, *site->fills)->max : 0;
	site->number = op->number;
	site->writes = op->flags & OPERATION_WRITES;
	if (op->cost != NO_WORD)
		site->written = (s64)block[op->cost] < 0 ? 0 : min(block[op->cost], (u64)CARNET_WORK_MAX);
	else
		site->written = op->data != NO_WORD ? REF_LEN(block[op->data]) : 0;
	for (k = 0; k < op->arguments; k++, from++) {
		word = block[from->word];
		switch (from->source) {
		case FROM_WORD:
			if (word + from->low > from->span)
				return stop(s, CARNET_FAULT, CARNET_ARGUMENT), MEANINGLESS;
			if ((u32)word & ~from->number)
				error = -EINVAL;
			break;
		case FROM_CUT:
			if ((s64)word < 0)
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
			if (REF_LEN(word) > from->number)
				return stop(s, CARNET_FAULT, CARNET_ARGUMENT), MEANINGLESS;
			/* What is empty is the first byte of the arena, which is zero. */
			if (!REF_LEN(word)) {
				word = s->arena;
				break;
			}
			if (area_of(p, word)->slot != CARNET_NONE) {
				u32 end = REF_OFFSET(word) + REF_LEN(word);

				/* A string must end where its zero byte is. */
				owner = s->slots + area_of(p, word)->slot;
				if (end > REF_LEN(*owner) || (op->words[from->word].kind == KIND_STR && end < REF_LEN(*owner)))
					return stop(s, CARNET_FAULT, CARNET_GONE), MEANINGLESS;
			}
			word = s->arena + area_of(p, word)->offset + REF_OFFSET(word);
			break;
		case FROM_SENT:
			sent = send_struct(op, block, structs);
			if (sent == MEANINGLESS)
				return stop(s, CARNET_FAULT, CARNET_ARGUMENT), MEANINGLESS;
			error = sent ? sent : error;
			word = structs;
			break;
		default:
			word = structs + CARNET_STRUCT_BYTES;
		}
		site->registers[place[k]] = word;
	}
	if (error || !(op->flags & OPERATION_PLAIN) || step->reserved == SITES - 1)
		return error;
	site->owner = owner;
	site->owned = *owner;
	site->in[0] = op->ins > 0 ? block : site->words;
	site->in[1] = op->ins > 1 ? block + 1 : site->words;
	site->words[0] = *site->in[0];
	site->words[1] = *site->in[1];
	return error;
}

/* Whether the registers are those of its block still. */
static __always_inline bool fits(const struct site *site)
{
	return !((*site->in[0] ^ site->words[0]) | (*site->in[1] ^ site->words[1]) | (*site->owner ^ site->owned));
}

/* Structs and strings that came back. */
static bool take_back(const struct carnet_program *p, struct carnet_state *s, const struct carnet_operation *op, u64 *block, s64 *ret)
{
	if (op->back && !take_struct(op, block, s->arena + p->arena_bytes - CARNET_STRUCT_BYTES))
		return false;
	if (op->fills != NO_WORD && op->words[op->fills].kind == KIND_STR) {
		const struct carnet_area *area = area_of(p, block[op->fills]);

		*ret = end_string(s->arena + area->offset, min((u64)*ret, (u64)area->max));
	}
	return true;
}

/* A call was made that did not fail. */
static __always_inline enum flow succeeded(struct carnet_state *s, struct site *site, s64 ret)
{
	s->calls_left--;
	++*site->count;
	*site->value = ret;
	if (site->fills) {
		holds(s, site->fills, min((u64)ret, (u64)site->room));
		if (unlikely(s->memory > s->memory_max))
			return stop(s, CARNET_LIMIT, CARNET_MEMORY), STOP_BEHIND;
	}
	return NEXT;
}

/* A call was made, or would have been, and did not do what it should. */
static noinline enum flow ended(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, struct site *site, s64 ret)
{
	/* A call that a signal interrupted before it did anything was not made. */
	if (begins_anew(ret) && carnet_signalled()) {
		s->restart = ret;
		return stop(s, CARNET_STOPPED, 0);
	}
	s->calls_left--;
	++*site->count;
	if (p->operations[step->b]->flags & OPERATION_WRITES) {
		s->writes_left--;
		s->written_left -= site->written;
	}
	return failed(p, s, step, site, ret);
}

/* Makes a call with the block from slot `first`; a result goes to slot `result`, if that is one. */
static noinline enum flow call(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, struct site *site,
			       u32 first, u32 result)
{
	const struct carnet_operation *op = p->operations[step->b];
	enum flow flow;
	s64 ret;

	if (!s->calls_left)
		return stop(s, CARNET_LIMIT, CARNET_CALLS);
	ret = fill(p, s, step, first, site);
	if (op->flags & OPERATION_WRITES) {
		if (!s->writes_left)
			return stop(s, CARNET_LIMIT, CARNET_WRITES);
		if (site->written > s->written_left)
			return stop(s, CARNET_LIMIT, CARNET_WRITTEN);
	}
	if (!ret)
		ret = carnet_system_call(site->registers, op->number);
	if ((u64)ret >= (u64)-4095)
		return ended(p, s, step, site, ret);
	if (op->flags & OPERATION_WRITES) {
		s->writes_left--;
		s->written_left -= op->cost != NO_WORD ? min((u64)ret, site->written) : site->written;
	}
	if (!take_back(p, s, op, site->block, &ret))
		return stop(s, CARNET_FAULT, CARNET_ARENA), STOP_BEHIND;
	flow = succeeded(s, site, ret);
	if (flow == NEXT && result != CARNET_NONE)
		s->slots[result] = site->block[op->ins];
	return flow;
}

/* The same, of a call that is made with the words that it was made with before. */
static __always_inline enum flow call_again(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step,
					    struct site *site)
{
	enum flow flow;
	s64 ret;

	if (unlikely(!fits(site)) || unlikely(!s->calls_left) ||
	    (site->writes && (unlikely(!s->writes_left) || unlikely(s->written_left < site->written))))
		return call(p, s, step, site, step->c, step->q[0]);
	ret = carnet_system_call(site->registers, site->number);
	if (unlikely((u64)ret >= (u64)-4095))
		return ended(p, s, step, site, ret);
	if (site->writes) {
		s->writes_left--;
		s->written_left -= site->written;
	}
	flow = succeeded(s, site, ret);
	if (step->q[0] != CARNET_NONE)
		s->slots[step->q[0]] = *site->value;
	return flow;
}

/* Whether the run must stop here: for a signal, or because its time is over. */
static inline bool attend(struct carnet_state *s)
{
	return unlikely(carnet_wanted(s->deadline)) && carnet_attend(s);
}

/* Makes the call behind a repeat as often as it says; after a stop it goes on where it stopped. */
static noinline enum flow repeat(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step,
			      struct site *site)
{
	const struct carnet_step *one = step + 1;
	u32 at = s->pc;
	enum flow flow;

	while (s->repeated < (u32)step->d) {
		u32 result = one->q[0] == CARNET_NONE ? CARNET_NONE : one->q[0] + s->repeated * step->q[3];

		flow = call(p, s, one, site, one->c + s->repeated * step->q[2], result);
		forget(site);	/* calls of other places have it, too */
		if (flow == GO) {
			s->repeated = 0;
			return GO;
		}
		s->repeated += flow != STOP;
		s->pc = at;
		if (flow != NEXT || attend(s))
			return STOP;
	}
	s->repeated = 0;
	return NEXT;
}

/* Whether a stands to b as the bits of `relation` say: 1 less, 2 equal, 4 greater. */
static inline bool related(u32 relation, s64 a, s64 b)
{
	return relation >> ((a > b) - (a < b) + 1) & 1;
}

/* Arithmetic and what else only moves words: false if it has no meaning. */
static bool compute(struct carnet_state *s, const struct carnet_step *step)
{
	s64 b = s->slots[step->b], c = s->slots[step->c], a;
	u64 *slot = &s->slots[step->a];
	u32 k;

	switch (step->op) {
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
	case OP_CLEAR:
		holds(s, &s->slots[step->a], 0);
		return true;
	default:
		for (k = 0; k < (u32)step->d; k++)
			s->slots[step->a + k * step->q[3]] = s->slots[step->b + k * step->q[2]];
		return true;
	}
	*slot = a;
	return true;
}

/* The loop. */
void carnet_interpret(const struct carnet_program *p, struct carnet_state *s)
{
	const struct carnet_step *code = p->code, *step = code + s->pc;
	struct site sites[SITES] __uninitialized, *site;
	s64 left = s->instructions_left;
	u64 *slots = s->slots;
	enum flow flow;

	for (site = sites; site < sites + p->sites_number; site++)
		forget(site);
	if (s->charged)
		left += step->charge;
	s->charged = true;
	for (;; step++) {
again:
		left -= step->charge;
		if (unlikely(left < 0)) {
			left += step->charge;
			s->charged = false;
			stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
			break;
		}
		if (step->op == OP_MOVE) {
			slots[step->a] = slots[step->b];
			if (!step->flags)
				continue;
			step++;
			goto call;
		}
		if (step->op == OP_CALL) {
call:
			site = &sites[step->reserved];
			flow = call_again(p, s, step, site);
			if (unlikely(flow == STOP))
				break;
			if (flow == NEXT && attend(s))
				flow = STOP_BEHIND;
			if (unlikely(flow != NEXT))
				goto called;
		} else if (step->op == OP_LEN) {
			slots[step->a] = REF_LEN(slots[step->b]);
			if (step->flags) {
				step++;
				goto branch;
			}
		} else if (step->op > OP_MOVE) {
			if (unlikely(!compute(s, step))) {
				bool division = step->op == OP_DIV || step->op == OP_REM;

				stop(s, CARNET_FAULT, division && !slots[step->c] ? CARNET_DIVISION : CARNET_OVERFLOW);
				break;
			}
		} else if (step->op == OP_LOOP) {
			/* A loop that calls in each round looks for signals there. */
			if (step->flags == 1 && unlikely(attend(s)))
				break;
			if (unlikely(slots[step->b] >= step->d)) {
				stop(s, CARNET_LIMIT, CARNET_ROUNDS);
				break;
			}
			slots[step->b]++;
			if (step->flags == 2) {
				step++;
				goto call;
			}
		} else if (step->op == OP_JUMP) {
			step = code + step->c;
			goto again;
		} else if (step->op < OP_JUMP) {
			stop(s, step->op == OP_END ? CARNET_DONE : CARNET_FAILED, step->a);
			break;
		} else if (step->op <= OP_JUMP_GE_I) {
			s64 b;

branch:
			b = step->op >= OP_JUMP_EQ_I ? step->d : slots[step->b];
			if (related(step->flags, slots[step->a], b)) {
				step = code + step->c;
				goto again;
			}
		} else if (step->op == OP_MOVE_STRIDED) {
			if (left < (u32)step->d) {
				stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
				break;
			}
			left -= (u32)step->d;
			compute(s, step);
		} else {
			s->pc = step - code;
			flow = repeat(p, s, step, &sites[SITES - 1]);
			if (unlikely(flow == STOP))
				break;
			step++;
			goto called;
		}
		continue;
called:
		/* Where it goes on is charged when it goes on. */
		step = flow == GO ? code + s->pc : step + 1;
		if (flow == STOP_BEHIND || (flow == GO && attend(s))) {
			s->charged = false;
			break;
		}
		goto again;
	}
	s->pc = step - code;
	s->instructions_left = left;
}

/*
 * Before the first instruction. `slots` holds what the caller gave in the slots of parameters, and has room for the counts
 * behind the variables.
 */
bool carnet_begin(const struct carnet_program *p, struct carnet_state *s, const u64 *given)
{
	u32 k;

	for (k = 0; k < p->slots_number; k++)
		s->slots[k] = p->image[k];
	for (k = 0; k < 2 * p->operations_number; k++)
		s->slots[p->slots_number + k] = 0;
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
