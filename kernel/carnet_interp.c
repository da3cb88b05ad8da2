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

/* No errors have these numbers: the run has stopped, for what the call was given, or at a limit before it. */
#define MEANINGLESS (-4095ll)
#define LIMITED (-4094ll)

/* Where a call goes on: behind it, at its handler, nowhere, and nowhere though it was made; or again, as a repeat says. */
enum flow { NEXT, GO, STOP, STOP_BEHIND, AGAIN };

static enum flow stop(struct carnet_state *s, u32 status, u32 detail)
{
	s->out.status = status;
	s->out.detail = detail;
	return STOP;
}

/* The owner in this slot holds `length` bytes now. */
static void holds(struct carnet_state *s, u64 *slot, u32 length)
{
	s->out.memory += (u64)length - REF_LEN(*slot);
	*slot = (*slot & ~REF_LEN_MAX) | length;
}

static const struct carnet_area *area_of(const struct carnet_program *p, u64 word)
{
	return &p->areas[array_index_nospec(REF_AREA(word), p->areas_number)];
}

static u64 extended(const struct carnet_field *field, u64 word)
{
	u32 rest = 64 - 8 * field->bytes;

	return field->is_signed ? (u64)((s64)(word << rest) >> rest) : word << rest >> rest;
}

/* Writes a struct that is sent; MEANINGLESS: a word is out of the range of its field. */
static noinline s64 send_struct(const struct carnet_operation *op, const u64 *block, u64 address)
{
	const struct carnet_field *field;
	u8 bytes[CARNET_STRUCT_BYTES] = {};

	for (field = op->fields; field < op->fields + op->sent; field++) {
		u64 word = block[field->word];

		if (extended(field, word) != word || (!field->is_signed && (s64)word < 0))
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
		u64 word = 0;

		memcpy(&word, bytes + field->offset, field->bytes);
		block[field->word] = extended(field, word);
	}
	return true;
}

/* What a site was made of fits nothing any more. */
static void forget(struct carnet_site *site)
{
	site->in[0] = site->in[1] = site->owner = &site->owned;
	site->words[0] = ~site->owned;
}

void carnet_forget(const struct carnet_program *p, struct carnet_state *s)
{
	u32 k;

	for (k = 0; k < p->sites_number; k++) {
		s->sites[k].made = 0;
		forget(&s->sites[k]);
	}
}

/* Whether the registers are those of its block still. */
static __always_inline bool fits(const struct carnet_site *site)
{
	return !((*site->in[0] ^ site->words[0]) | (*site->in[1] ^ site->words[1]) | (*site->owner ^ site->owned));
}

/* Counts what a site has called. */
static void settle(struct carnet_state *s, struct carnet_site *site)
{
	s->out.calls += site->made;
	s->out.writes += site->made & site->writes;
	s->out.written += site->made * site->written;
	*site->count += site->made;
	site->made = 0;
}

static __always_inline void settle_all(const struct carnet_program *p, struct carnet_state *s)
{
	struct carnet_site *site = s->sites, *end = site + p->sites_number;

	for (; site < end; site++)
		if (site->made)
			settle(s, site);
}

/* No address: an arena may be at 0, if the program has no texts but empty ones. */
#define NO_TEXT (~0ull)

/* The address of a text that is sent, or NO_TEXT: the run has stopped. */
static u64 text(const struct carnet_program *p, struct carnet_state *s, const struct carnet_operation *op, const struct carnet_arg *from,
		u64 word, struct carnet_site *site)
{
	const struct carnet_area *area = area_of(p, word);
	u32 end = REF_OFFSET(word) + REF_LEN(word);

	/* What is empty is the first byte of the arena, which is zero. */
	if (!REF_LEN(word))
		return s->arena;
	if (area->slot != CARNET_NONE) {
		site->owner = s->slots + area->slot;
		/* A string must end where its zero byte is. */
		if (end > REF_LEN(*site->owner) || (op->words[from->word].kind == KIND_STR && end < REF_LEN(*site->owner)))
			return stop(s, CARNET_FAULT, CARNET_GONE), NO_TEXT;
	}
	return s->arena + area->offset + REF_OFFSET(word);
}

/* Makes the registers of a call; 0, an error of the call, or MEANINGLESS: the run has stopped. */
static noinline s64 fill(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step, struct carnet_site *site)
{
	static const u8 place[] = CARNET_PLACES;
	const struct carnet_operation *op = p->operations[step->b];
	const struct carnet_arg *from = op->from, *end = from + op->arguments;
	u64 structs = s->arena + p->arena_bytes - 2 * CARNET_STRUCT_BYTES, *block = s->slots + step->c, *result;
	s64 error = 0, sent;
	u32 k;

	if (site->made)
		settle(s, site);
	forget(site);
	result = step->q[0] != CARNET_NONE ? s->slots + step->q[0] : &site->nowhere;
	if (step->flags) {
		block += s->out.repeated * step[-1].q[2];
		result += result != &site->nowhere ? s->out.repeated * step[-1].q[3] : 0;
	}
	site->block = block;
	site->result = result;
	site->count = s->slots + p->slots_number + 2 * step->b;
	site->value = op->value != NO_WORD ? block + op->value : &site->nowhere;
	site->fills = op->fills != NO_WORD ? block + op->fills : NULL;
	site->number = op->number;
	site->writes = op->flags & OPERATION_WRITES ? ~0ull : 0;
	site->back = step->flags || !(op->flags & OPERATION_PLAIN) ? BACK_MORE :
		     site->fills ? BACK_TEXT : step->q[0] != CARNET_NONE ? BACK_RESULT : BACK_WORD;
	site->written = op->data != NO_WORD ? REF_LEN(block[op->data]) : 0;
	if (op->cost != NO_WORD)
		site->written = (s64)block[op->cost] < 0 ? 0 : min(block[op->cost], (u64)CARNET_WORK_MAX);
	for (k = 0; from < end; from++, k++) {
		u64 word = block[from->word];

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
			word = text(p, s, op, from, word, site);
			if (word == NO_TEXT)
				return MEANINGLESS;
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
	site->room = site->fills ? area_of(p, *site->fills)->max : 0;
	if (site->back == BACK_MORE || error || step->site == (SITES - 1) * sizeof(*site) || site->written > CARNET_WORK_MAX)
		return error;
	site->owned = *site->owner;
	site->in[0] = op->ins > 0 ? block : site->words;
	site->in[1] = op->ins > 1 ? block + 1 : site->words;
	site->words[0] = *site->in[0];
	site->words[1] = *site->in[1];
	return 0;
}

/* A look at the budgets before a call, of which `error` is known; it, or LIMITED. */
static noinline s64 afford(const struct carnet_program *p, struct carnet_state *s, const struct carnet_site *site, s64 error)
{
	const struct carnet_limits *limits = s->limits;

	settle_all(p, s);
	if (s->out.calls >= limits->calls) {
		stop(s, CARNET_LIMIT, CARNET_CALLS);
	} else if (site->writes && s->out.writes >= limits->writes) {
		stop(s, CARNET_LIMIT, CARNET_WRITES);
	} else if (site->writes && site->written > limits->written - s->out.written) {
		stop(s, CARNET_LIMIT, CARNET_WRITTEN);
	} else {
		s->quick = carnet_quick(limits, &s->out) - 1;
		return error;
	}
	return LIMITED;
}

/* A call wrote less than it might have. */
static noinline void wrote(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step,
			   const struct carnet_site *site, u64 ret)
{
	/* Until the site is settled it may be less than nothing. */
	if (p->operations[step->b]->flags & OPERATION_COUNTS)
		s->out.written -= site->written - ret;
}

static bool begins_anew(s64 ret)
{
	return ret <= -ERESTARTSYS && ret > -ERESTARTSYS - 3;
}

/* A call was made, or would have been, and failed: goes on at its handler, if it has one. */
static noinline enum flow failed(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step,
				 struct carnet_site *site, s64 ret)
{
	u64 *message = &s->slots[step->q[3]];
	const struct carnet_area *area;
	u32 error = -ret, length;
	const char *text;

	/* A call that a signal interrupted before it did anything was not made. */
	if (begins_anew(ret) && carnet_signalled()) {
		s->restart = ret;
		s->rare = true;
		return stop(s, CARNET_STOPPED, 0);
	}
	/* What would begin anew, or go on with its time limit, was interrupted; other numbers of the kernel's own mean nothing. */
	if (error >= carnet_messages_number)
		error = begins_anew(ret) || error == ERESTART_RESTARTBLOCK ? EINTR : EIO;
	site->made++;
	site->count[1]++;
	if (site->fills)
		holds(s, site->fills, 0);
	if (ret == MEANINGLESS)
		return STOP;
	if (step->q[1] == CARNET_NONE)
		return stop(s, CARNET_CALL_FAILED, error);
	text = carnet_messages[error];
	area = area_of(p, *message);
	length = min((u32)strlen(text), area->max);
	if (s->out.memory - REF_LEN(*message) + length > s->limits->memory)
		return stop(s, CARNET_LIMIT, CARNET_MEMORY);
	if (!carnet_write(s->arena + area->offset, text, length) || !carnet_write(s->arena + area->offset + length, "", 1))
		return stop(s, CARNET_FAULT, CARNET_ARENA);
	holds(s, message, length);
	s->slots[step->q[2]] = error;
	s->out.pc = step->q[1];
	return GO;
}

/* A call came back with a text of another length than before, or with more than one word, or is repeated. */
static noinline enum flow came_back(const struct carnet_program *p, struct carnet_state *s, const struct carnet_step *step,
				    struct carnet_site *site, u64 ret)
{
	const struct carnet_operation *op = p->operations[step->b];
	u64 address;

	s->out.repeated += step->flags;
	*site->value = ret;
	if (ret < site->written)
		wrote(p, s, step, site, ret);
	if (op->back && !take_struct(op, site->block, s->arena + p->arena_bytes - CARNET_STRUCT_BYTES))
		return stop(s, CARNET_FAULT, CARNET_ARENA), STOP_BEHIND;
	if (site->fills) {
		ret = min(ret, (u64)site->room);
		address = s->arena + area_of(p, *site->fills)->offset;
		/* A string that came back ends before its first zero byte, and with one. */
		if (op->words[op->fills].kind == KIND_STR)
			ret = carnet_write(address + ret, "", 1) ? carnet_length(address, ret) : 0;
		holds(s, site->fills, ret);
		if (s->out.memory > s->limits->memory)
			return stop(s, CARNET_LIMIT, CARNET_MEMORY), STOP_BEHIND;
	} else {
		*site->result = site->block[op->ins];
	}
	return step->flags ? AGAIN : NEXT;
}

/* Whether the run must stop here: for a signal, or because its time is over. */
static inline bool attend(struct carnet_state *s)
{
	return unlikely(carnet_wanted(s->deadline)) && carnet_attend(s);
}

/* Whether a stands to b as the bits of `relation` say: 1 less, 2 equal, 4 greater. */
static inline bool related(u32 relation, s64 a, s64 b)
{
	return relation >> ((a > b) - (a < b) + 1) & 1;
}

/* Arithmetic and what else only moves words: false if it has no meaning. */
static noinline bool compute(struct carnet_state *s, const struct carnet_step *step)
{
	s64 b = s->slots[step->b], c = step->op == OP_ADD_I ? (s64)step->d : (s64)s->slots[step->c], a = 0;
	bool over = false;
	u32 k;

	switch (step->op) {
	case OP_LOAD:
		a = step->d;
		break;
	case OP_ADD:
	case OP_ADD_I:
		over = check_add_overflow(b, c, &a);
		break;
	case OP_SUB:
		over = check_sub_overflow(b, c, &a);
		break;
	case OP_MUL:
		over = check_mul_overflow(b, c, &a);
		break;
	case OP_DIV:
	case OP_REM:
		/* The processor would say so. */
		over = !c || (c == -1 && b == (s64)(1ull << 63));
		if (!over)
			a = step->op == OP_DIV ? b / c : b % c;
		break;
	case OP_NEG:
		over = check_sub_overflow((s64)0, b, &a);
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
	case OP_TAIL:
		/* It charges, which is done by the caller. */
		return false;
	default:
		for (k = 0; k < (u32)step->d; k++)
			s->slots[step->a + k * step->q[3]] = s->slots[step->b + k * step->q[2]];
		return true;
	}
	if (!over)
		s->slots[step->a] = a;
	else
		stop(s, CARNET_FAULT, (step->op == OP_DIV || step->op == OP_REM) && !c ? CARNET_DIVISION : CARNET_OVERFLOW);
	return !over;
}

/* What is left of a text behind its first bytes; one more is charged for every 64 of them. */
static noinline bool tail(struct carnet_state *s, const struct carnet_step *step, s64 *left)
{
	u64 text = s->slots[step->b], at = s->slots[step->c], rest;

	if (at > REF_LEN(text))
		return stop(s, CARNET_FAULT, CARNET_CUT), false;
	rest = REF_LEN(text) - at;
	if (*left < (s64)(rest / 64))
		return stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS), false;
	*left -= rest / 64;
	/* The sum leaves the bits of an offset only if the text was gone before. */
	if (REF_OFFSET(text) + at > 0xfffffff)
		return stop(s, CARNET_FAULT, CARNET_GONE), false;
	s->slots[step->a] = REF((u64)REF_AREA(text), REF_OFFSET(text) + at, rest);
	return true;
}

/* Where a branch goes. */
static __always_inline const struct carnet_step *target(const struct carnet_step *step)
{
	return (const void *)step + step->by;
}

/* The loop. What is often one behind the other is one step of it: what comes before a call, and a branch by a length. */
void carnet_interpret(const struct carnet_program *p, struct carnet_state *s)
{
	const struct carnet_step *step = p->code + s->out.pc;
	s64 left = s->limits->instructions - s->out.instructions, ret, b;
	struct carnet_site *site;
	u64 *slots = s->slots;
	enum flow flow;

	if (s->charged)
		left += step->charge;
	s->charged = true;
again:
	if (unlikely(left < step->charge)) {
		s->charged = false;
		stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
		goto out;
	}
	left -= step->charge;
	if (step->op == OP_MOVE) {
move:
		slots[step->a] = slots[step->b];
		step++;
		if (step[-1].flags == 2)
			goto call;
		if (step[-1].flags)
			goto move;
		goto again;
	}
	if (step->op == OP_LOOP) {
loop:
		/* A loop that calls in each round looks for signals there. */
		if (unlikely(!step->flags) && attend(s))
			goto out;
		if (unlikely(slots[step->b] >= step->d)) {
			stop(s, CARNET_LIMIT, CARNET_ROUNDS);
			goto out;
		}
		slots[step->b]++;
		if (step++->flags == 2)
			goto call;
		goto again;
	}
	if (step->op == OP_JUMP) {
		step = target(step);
		if (step->op != OP_LOOP || unlikely(left < step->charge))
			goto again;
		left -= step->charge;
		goto loop;
	}
	if (step->op == OP_LEN) {
		slots[step->a] = b = REF_LEN(slots[step->b]);
		if (!step++->flags)
			goto again;
		ret = step->d;
		goto compare;
	}
	if (step->op < OP_JUMP) {
		stop(s, step->op == OP_END ? CARNET_DONE : CARNET_FAILED, step->a);
		goto out;
	}
	if (step->op == OP_CALL) {
call:
		site = (void *)s->sites + step->site;
		ret = 0;
		if (unlikely(!fits(site)))
			ret = fill(p, s, step, site);
		if (unlikely(--s->quick < 0) || unlikely(ret == MEANINGLESS))
			ret = afford(p, s, site, ret);
		if (likely(!ret)) {
			ret = carnet_system_call(site->registers, site->number);
			if (likely((u64)ret < (u64)-4095))
				goto made;
			/* What no error is may come back all the same; it says nothing of a limit or an argument. */
			ret = max(ret, LIMITED + 1);
		}
		flow = ret == LIMITED ? STOP : failed(p, s, step, site, ret);
		goto rarely;
made:
		site->made++;
		if (site->back == BACK_WORD) {
			*site->value = ret;
			if (unlikely((u64)ret < site->written))
				wrote(p, s, step, site, ret);
		} else if (site->back == BACK_TEXT) {
			u64 more = min((u64)ret, (u64)site->room) - REF_LEN(*site->fills);

			if (more) {
				*site->fills += more;
				s->out.memory += more;
				if (unlikely(s->out.memory > s->limits->memory)) {
					stop(s, CARNET_LIMIT, CARNET_MEMORY);
					flow = STOP_BEHIND;
					goto rarely;
				}
			}
		} else if (site->back == BACK_RESULT) {
			*site->value = *site->result = ret;
			if (unlikely((u64)ret < site->written))
				wrote(p, s, step, site, ret);
		} else {
			flow = came_back(p, s, step, site, ret);
			if (unlikely(flow != NEXT))
				goto rarely;
		}
		step++;
called:
		if (unlikely(attend(s))) {
			s->charged = false;
			goto out;
		}
		goto again;
rarely:
		step -= step->flags;
		if (flow == AGAIN && !attend(s))
			goto repeat;
		if (flow == STOP || (flow != GO && step->op == OP_REPEAT))
			goto out;
		if (flow == GO) {
			s->out.repeated = 0;
			step = p->code + s->out.pc;
			goto called;
		}
		step++;
		s->charged = false;
		goto out;
	}
	if (step->op > OP_MOVE) {
		if (unlikely(!compute(s, step)) && (step->op != OP_TAIL || !tail(s, step, &left)))
			goto out;
		step++;
		goto again;
	}
	if (step->op <= OP_JUMP_GE_I) {
		ret = step->op >= OP_JUMP_EQ_I ? step->d : slots[step->b];
		b = slots[step->a];
compare:
		step = related(step->flags, b, ret) ? target(step) : step + 1;
		goto again;
	}
	if (step->op == OP_MOVE_STRIDED) {
		if (left < (u32)step->d) {
			stop(s, CARNET_LIMIT, CARNET_INSTRUCTIONS);
			goto out;
		}
		left -= (u32)step->d;
		compute(s, step++);
		goto again;
	}
repeat:
	if (s->out.repeated < (u32)step->d) {
		step++;
		goto call;
	}
	s->out.repeated = 0;
	step += 2;
	goto again;
out:
	settle_all(p, s);
	s->out.pc = step - p->code;
	s->out.instructions = s->limits->instructions - left;
}

/* Whether the variables that the caller set may be; the others are as they begin. */
bool carnet_check(const struct carnet_program *p, struct carnet_state *s)
{
	const struct carnet_given *place;

	for (place = p->given; place < p->given_end; place++) {
		u64 word = s->slots[place->slot];

		if (place->kind > KIND_ENUM ? word - p->image[place->slot] > area_of(p, word)->max :
					      place->kind != KIND_INT && word > place->most) {
			s->out.pc = place->slot;
			return stop(s, CARNET_FAULT, CARNET_VARIABLE), false;
		}
		s->out.memory += place->kind > KIND_ENUM ? REF_LEN(word) : 0;
	}
	return s->out.memory <= s->limits->memory || (stop(s, CARNET_LIMIT, CARNET_MEMORY), false);
}
