// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT
/*
 * The verifier: one linear pass from bytes that the kernel has copied to a program that it can run.
 *
 * The rules are those of program/src/verify.rs, for the part of the bytecode that never looks into texts: what that file
 * rejects is rejected here, and what is rejected here though it is no danger says `unsupported`. The first fault ends
 * the pass. Promised to the interpreter:
 *
 *  - every operand names a slot or operation that exists and has the right type;
 *  - control never leaves the code, and goes back only to the head of a loop that it is in, which has a bound;
 *  - blocks of calls lie inside the variable table and are laid out as the operation expects.
 */
#include "carnet_program.h"

#define NESTING_MAX 16
#define REGISTERS_MAX 64	/* the bytecode allows more; a program of system calls has one */
#define SPREAD_MAX 65536
#define UNBOUNDED (~0ull)

/* Sections of a program, in the order in which they stand. */
enum section { CODE, OPS, LOOPS, ENUMS, SLOTS, LAYOUT_WORDS, RESULTS, CAPS, LINES, LAYOUTS, REGISTERS, PARAMS, LITERALS, SECTIONS };

/* Where the header says how many entries there are, in 2 bytes or 4; how long each is, and how many there may be. */
static const struct { u8 at, wide, bytes; u32 most; } sections[SECTIONS] = {
	[CODE] = { 36, 4, 16, 65536 }, [OPS] = { 10, 2, 16, 1024 }, [LOOPS] = { 12, 2, 32, 4096 }, [ENUMS] = { 14, 2, 8, 64 },
	[SLOTS] = { 16, 2, 8, 65535 }, [LAYOUT_WORDS] = { 18, 2, 8, 65535 }, [RESULTS] = { 20, 2, 8, 64 }, [CAPS] = { 22, 2, 16, 16 },
	[LINES] = { 40, 4, 12, 65536 }, [LAYOUTS] = { 24, 2, 4, 65535 }, [REGISTERS] = { 26, 2, 2, 4096 },
	[PARAMS] = { 28, 2, 4, 1024 }, [LITERALS] = { 44, 4, 1, 4 << 20 },
};

struct loop {
	u16 head, test, end, counter;
	u64 bound, reached;
};

struct verifier {
	const u8 *head, *in[SECTIONS], *names;
	u32 number[SECTIONS], interfaces, at, calls;
	u64 spread, held;		/* registers that a parameter fills */
	struct loop *loop;
	u8 enum_of[64];			/* number in carnet_enums */
	struct carnet_program *p;
	struct carnet_fault *fault;
};

static u16 get16(const u8 *at) { u16 x; memcpy(&x, at, sizeof(x)); return x; }
static u32 get32(const u8 *at) { u32 x; memcpy(&x, at, sizeof(x)); return x; }
static u64 get64(const u8 *at) { u64 x; memcpy(&x, at, sizeof(x)); return x; }

static noinline bool reject(struct verifier *v, u16 rule, u16 unsupported, u64 found, u64 expected)
{
	*v->fault = (struct carnet_fault){ v->at, rule, unsupported, found, expected };
	return false;
}

/* What is unsafe if it does not hold, and what is only not supported then. */
#define CHECK(holds, rule, found, expected) \
	do { if (unlikely(!(holds))) return reject(v, CARNET_RULE_##rule, 0, found, expected); } while (0)
#define SUPPORT(holds, rule, found, expected) \
	do { if (unlikely(!(holds))) return reject(v, CARNET_RULE_##rule, 1, found, expected); } while (0)

/* Finds the sections: the bytes are exactly one program of this version, or it says false. */
static bool find_sections(struct verifier *v, const u8 *bytes, size_t length)
{
	const u8 *at = bytes + 48, *end = bytes + length;
	u32 k;

	if (length < 48 || get32(bytes) != 0x31424e43 || get16(bytes + 4) != 1 || bytes[6] > 2 || bytes[7] || get16(bytes + 34))
		return false;
	v->head = bytes;
	v->interfaces = get16(bytes + 8);
#pragma GCC unroll 13
	for (k = 0; k < SECTIONS; k++) {
		v->in[k] = at;
		v->number[k] = sections[k].wide == 4 ? get32(bytes + sections[k].at) : get16(bytes + sections[k].at);
		if (v->number[k] > sections[k].most)
			return false;
		at += v->number[k] * sections[k].bytes;
	}
	v->names = at;
	for (k = 0; k <= 2 * v->interfaces; k++)
		at += at < end ? 1 + *at : 1;
	return at == end && v->interfaces <= 64 && v->number[CODE];
}

#define KIND(type) ((u8)(type))
#define TYPE_X(type) ((u16)((type) >> 16))
#define TYPE_Y(type) ((u32)((type) >> 32))
#define X_BITS 0xffff0000ull
#define Y_BITS 0xffffffff00000000ull

static u64 type_of(const struct verifier *v, u32 slot)
{
	return slot < v->number[SLOTS] ? get64(v->in[SLOTS] + 8 * slot) : KIND_NUMBER;
}

static bool is_type(const struct verifier *v, u64 type)
{
	static const u64 used[KIND_NUMBER] = {
		[KIND_ENUM] = X_BITS, [KIND_STR] = Y_BITS, [KIND_BYTES] = Y_BITS, [KIND_LIST] = X_BITS | Y_BITS,
		[KIND_STR_REF] = Y_BITS, [KIND_BYTES_REF] = Y_BITS, [KIND_LITERAL] = X_BITS | Y_BITS,
		[KIND_LENT] = X_BITS, [KIND_MADE] = X_BITS,
	};

	return KIND(type) < KIND_NUMBER && !(type & ~(used[KIND(type)] | 0xff)) &&
	       (KIND(type) != KIND_ENUM || TYPE_X(type) < v->number[ENUMS]) && (KIND(type) < KIND_LENT || TYPE_X(type) < v->interfaces);
}

/* This slot is changed, or can be a result; or is none. */
static void changes(struct verifier *v, u32 slot) { v->p->changed = min(v->p->changed, slot); }

static bool is_foreign(u64 type) { return KIND(type) == KIND_LIST || (KIND(type) >= KIND_LIST_REF && KIND(type) <= KIND_DOUBLE); }
static bool is_scalar(u64 type) { return KIND(type) <= KIND_ENUM; }
static bool is_bytes(u64 type) { return KIND(type) == KIND_BYTES || KIND(type) == KIND_BYTES_REF; }
static bool is_string(u64 type) { return KIND(type) == KIND_STR || KIND(type) == KIND_STR_REF || KIND(type) == KIND_LITERAL; }
static bool is_owner(u64 type) { return KIND(type) == KIND_STR || KIND(type) == KIND_BYTES; }
static u32 text_max(u64 type) { return KIND(type) == KIND_LITERAL ? TYPE_X(type) : TYPE_Y(type); }

/* The largest value of a truth value, or of an enum that this kernel knows. */
static u32 top_of(const struct verifier *v, u64 type)
{
	u32 of = KIND(type) == KIND_ENUM ? v->enum_of[TYPE_X(type)] : carnet_enums_number;

	return of < carnet_enums_number ? carnet_enums[of].values - 1 : KIND(type) == KIND_BOOL;
}

/* Types of slots, areas, and the variables as they begin. */
static bool check_slots(struct verifier *v)
{
	struct carnet_program *p = v->p;
	u64 end = 1;
	u32 k;

	CHECK(!memchr(v->in[LITERALS], 0, v->number[LITERALS]), TABLE, 0, 1);
	p->areas[p->areas_number++] = (struct carnet_area){ 0, 0, CARNET_NONE };
	for (k = 0; k < p->slots_number; k++) {
		u64 type = get64(v->in[SLOTS] + 8 * k);

		p->image[k] = 0;
		if (!type)
			continue;
		SUPPORT(!is_foreign(type), TYPE, type, KIND_STR);
		CHECK(is_type(v, type), TABLE, type, k);
		if (is_owner(type)) {
			CHECK(TYPE_Y(type) <= REF_LEN_MAX && p->areas_number < 4096, TABLE, type, k);
			p->image[k] = REF(p->areas_number, 0, 0);
			p->areas[p->areas_number++] = (struct carnet_area){ 0, TYPE_Y(type), k };
		} else if (KIND(type) == KIND_LITERAL) {
			CHECK((u64)TYPE_Y(type) + TYPE_X(type) <= v->number[LITERALS], TABLE, type, v->number[LITERALS]);
			SUPPORT(end <= 0xfffffff - 0x10000, SIZE, end, 0xfffffff);
			p->image[k] = REF(0, end, TYPE_X(type));
			end += TYPE_X(type) + 1;
		}
	}
	for (; k < carnet_words(p) + 3; k++)
		p->image[k] = 0;
	p->areas[0].max = end;
	for (k = 1; k < p->areas_number; k++) {
		p->areas[k].offset = round_up(end, 8);
		end = p->areas[k].offset + p->areas[k].max + 1;
	}
	p->arena_bytes = round_up(end, 8) + 2 * CARNET_STRUCT_BYTES;
	return true;
}

/* Operations stand in the order of their hashes, which are spread evenly: one is near where its own says. */
static const struct carnet_operation *operation_of(u64 hash)
{
	const struct carnet_operation *op = &carnet_operations[(hash >> 32) * carnet_operations_number >> 32];

	while (op->hash < hash && op + 1 < carnet_operations + carnet_operations_number)
		op++;
	while (op->hash > hash && op > carnet_operations)
		op--;
	return op;
}

/* Interface, enums and operations are those of Linux calls. */
static bool bind(struct verifier *v)
{
	const u8 *name = v->names + 1 + *v->names, *at;
	struct carnet_program *p = v->p;
	u32 k, e;

	for (k = 0; k < 2 * v->interfaces; k++, name += 1 + *name) {
		const char *ours = k & 1 ? carnet_interface_name : carnet_module_name;

		SUPPORT(*name == strlen(ours) && !memcmp(name + 1, ours, *name), INTERFACE, k / 2, 0);
	}
	for (k = 0; k < v->number[ENUMS]; k++) {
		for (e = 0; e < carnet_enums_number && carnet_enums[e].hash != get64(v->in[ENUMS] + 8 * k); e++)
			;
		v->enum_of[k] = e;
	}
	for (k = 0, at = v->in[OPS]; k < p->operations_number; k++, at += 16) {
		const struct carnet_operation *op = operation_of(get64(at));

		CHECK(get64(at + 8) < v->interfaces, TABLE, get64(at + 8), v->interfaces);
		SUPPORT(op->hash == get64(at) && !(op->flags & OPERATION_REFUSED), OPERATION, get64(at), 0);
		p->operations[k] = op;
		p->closes |= op->flags & OPERATION_CLOSES;
	}
	return true;
}

/* Whether the result may begin at this slot. */
static bool is_result(const struct verifier *v, u16 first)
{
	u32 k;

	for (k = 0; k < v->number[RESULTS]; k++) {
		u64 want = get64(v->in[RESULTS] + 8 * k), type = type_of(v, first + k);

		if (KIND(want) == KIND_STR_REF ? !is_string(type) : KIND(want) == KIND_BYTES_REF ? !is_bytes(type) : type != want)
			return false;
	}
	return v->head[6] || first == CARNET_NONE;
}

static bool check_results(struct verifier *v)
{
	u32 k, result = v->head[6];

	SUPPORT(!v->number[LAYOUTS] && !v->number[LAYOUT_WORDS] && result <= 1, TABLE, result, 1);
	for (k = 0; k < v->number[RESULTS]; k++) {
		u64 type = get64(v->in[RESULTS] + 8 * k);

		SUPPORT(!is_foreign(type), TYPE, type, KIND_INT);
		CHECK(is_type(v, type) && (is_scalar(type) || KIND(type) == KIND_STR_REF || KIND(type) == KIND_BYTES_REF), TABLE, type, KIND_INT);
	}
	CHECK(!v->number[RESULTS] == !result, TABLE, v->number[RESULTS], result);
	CHECK(get16(v->head + 30) == CARNET_NONE || is_result(v, get16(v->head + 30)), TABLE, get16(v->head + 30), result);
	return true;
}

static void give(struct verifier *v, u16 slot, u64 type)
{
	*v->p->given_end++ = (struct carnet_given){ slot, KIND(type), top_of(v, type) };
	v->p->checked |= KIND(type);
}

/* What the caller gives: numbers, texts, portals, and the time. */
static bool check_params(struct verifier *v)
{
	u32 k, registers = v->number[REGISTERS], started = get16(v->head + 32);

	if (started != CARNET_NONE) {
		CHECK(type_of(v, started) == KIND_INT, TABLE, started, KIND_INT);
		give(v, started, KIND_INT);
	}
	SUPPORT(registers <= REGISTERS_MAX, REGISTER, registers, REGISTERS_MAX);
	for (k = 0; k < registers; k++)
		CHECK(get16(v->in[REGISTERS] + 2 * k) < v->interfaces, TABLE, k, v->interfaces);
	for (k = 0; k < v->number[PARAMS]; k++) {
		u16 space = get16(v->in[PARAMS] + 4 * k), at = get16(v->in[PARAMS] + 4 * k + 2);
		u64 type = type_of(v, at);

		CHECK(space ? space == 1 && at < registers : is_scalar(type) || is_owner(type), TABLE, type, space);
		if (space)
			v->held |= 1ull << at;
		else
			give(v, at, type);
	}
	return true;
}

static bool check_caps(struct verifier *v)
{
	struct carnet_limits *caps = &v->p->caps;
	u64 ignored, *cap[] = { &caps->writes, &caps->calls, &caps->written, &ignored, &caps->time_ns };
	const u8 *at = v->in[CAPS], *end = at + 16 * v->number[CAPS];

	*caps = (struct carnet_limits){ ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull };
	for (ignored = 0; at < end; at += 16) {
		u32 kind = get32(at);

		CHECK(kind <= 4, TABLE, kind, 4);
		*cap[kind] = min(*cap[kind], get64(at + 8));
	}
	return true;
}

static u64 add(u64 a, u64 b) { return check_add_overflow(a, b, &a) ? ~0ull : a; }
static u64 mul(u64 a, u64 b) { return check_mul_overflow(a, b, &a) ? ~0ull : a; }

/* That loops nest, and how often each can be entered; notes the innermost loop of each instruction. */
static bool check_loops(struct verifier *v)
{
	struct carnet_step *code = v->p->code;
	u32 open[NESTING_MAX], depth = 0, number = v->number[LOOPS], k, i;
	const u8 *at = v->in[LOOPS];

	for (k = 0; k < number; k++, at += 32) {
		u64 own = get64(at + 8), limit = get64(at + 16);
		struct loop *l = &v->loop[k], *outer;
		u16 inner = get16(at + 28);
		const u8 *in = v->in[LOOPS] + 32 * inner, *ins = v->in[CODE] + 16 * get16(at);

		*l = (struct loop){ get16(at), get16(at + 2), get16(at + 4), get16(at + 6), limit, 1 };
		while (depth && v->loop[open[depth - 1]].end <= l->head)
			depth--;
		outer = depth ? &v->loop[open[depth - 1]] : NULL;
		CHECK(l->head && l->head < l->test && l->test <= l->end && l->end < v->p->code_number && get16(at + 30) <= 1 &&
		      !(k && l->head <= l[-1].head) && depth < NESTING_MAX &&
		      !(outer && l->end > (l->head < outer->test ? outer->test : outer->end)), LOOP, k, l->head);
		CHECK(ins[0] == OP_LOOP && get16(ins + 2) == k, LOOP, k, l->head);
		CHECK(type_of(v, l->counter) == KIND_COUNTER, TYPE, l->counter, KIND_COUNTER);
		/* What stands before the test of a loop runs as often as its body, the test once more each time. */
		if (outer)
			l->reached = l->head < outer->test ? outer->bound : add(outer->bound, outer->reached);
		if (own != UNBOUNDED)
			l->bound = min(l->bound, mul(l->reached, own));
		if (inner != CARNET_NONE) {
			CHECK(inner > k && inner < number && get16(in) < l->end && get64(in + 16) != UNBOUNDED && get16(in + 30) <= 1,
			      LOOP, k, inner);
			l->bound = min(l->bound, add(l->reached, get64(in + 16)));
		} else {
			CHECK(own != UNBOUNDED || limit != UNBOUNDED, BOUND, k, l->head);
		}
		for (i = l->head; i < l->end; i++)
			code[i].site = k;
		open[depth++] = k;
	}
	return true;
}

static bool check_branch(struct verifier *v, u16 target)
{
	struct carnet_step *to = &v->p->code[target];
	const struct loop *l;
	bool inside;

	CHECK(target < v->p->code_number && !(target && v->in[CODE][16 * (target - 1)] == OP_REPEAT), BRANCH, target, v->p->code_number);
	to->charge = 1;
	if (to->site == CARNET_NONE) {
		CHECK(target > v->at, BRANCH, target, v->at + 1);
		return true;
	}
	l = &v->loop[to->site];
	inside = v->at >= l->head && v->at < l->end;
	CHECK(target <= v->at ? inside && target == l->head : inside || (v->at + 1 == l->head && target == l->test), BRANCH, target, l->head);
	return true;
}

static bool fits_word(struct verifier *v, const struct carnet_operation *op, u32 k, u64 type)
{
	const struct carnet_word *word = &op->words[k];

	if (word->kind == KIND_ENUM)
		return KIND(type) == KIND_ENUM && v->enum_of[TYPE_X(type)] == word->of;
	if (word->kind < KIND_ENUM)
		return type == word->kind;
	if (k >= op->ins)
		return KIND(type) == word->kind && TYPE_Y(type) >= word->max;
	return word->kind == KIND_STR ? is_string(type) : is_bytes(type);
}

/* The argument block of one call. */
static bool check_block(struct verifier *v, const struct carnet_operation *op, u64 first, u64 result)
{
	u32 words = op->ins + op->outs, k;

	CHECK(first + words <= v->p->slots_number, BLOCK, first + words, v->p->slots_number);
	for (k = 0; k < words; k++)
		CHECK(fits_word(v, op, k, type_of(v, first + k)), TYPE, type_of(v, first + k), op->words[k].kind);
	if (result != CARNET_NONE)
		CHECK(op->outs == 1 && is_scalar(type_of(v, first + op->ins)) && result < v->p->slots_number &&
		      type_of(v, result) == type_of(v, first + op->ins), TYPE, result, type_of(v, first + op->ins));
	return true;
}

static bool check_call(struct verifier *v, const struct carnet_step *s)
{
	const struct carnet_step *repeat = v->at && s[-1].op == OP_REPEAT && (s[-1].q[2] | s[-1].q[3]) ? s - 1 : NULL;
	const struct carnet_operation *op;
	u64 k, type;

	CHECK(s->b < v->p->operations_number, OPERATION, s->b, v->p->operations_number);
	CHECK(s->a < v->number[REGISTERS], REGISTER, s->a, v->number[REGISTERS]);
	SUPPORT(v->held >> s->a & 1, REGISTER, s->a, v->number[REGISTERS]);
	op = v->p->operations[s->b];
	changes(v, s->c + op->ins);
	changes(v, s->q[0]);
	for (k = 0; k < (repeat ? (u32)repeat->d : 1); k++)
		if (!check_block(v, op, s->c + (repeat ? k * repeat->q[2] : 0),
				 s->q[0] + (repeat && s->q[0] != CARNET_NONE ? k * repeat->q[3] : 0)))
			return false;
	if (s->q[1] == CARNET_NONE) {
		CHECK(!(s->q[2] | s->q[3]), OPERANDS, s->q[2], 0);
		return true;
	}
	CHECK(s->q[1] > v->at, BRANCH, s->q[1], v->at + 1);
	changes(v, s->q[2]);
	changes(v, s->q[3]);
	type = type_of(v, s->q[2]);
	CHECK(KIND(type) == KIND_ENUM && (op->raises == NO_WORD || v->enum_of[TYPE_X(type)] == op->raises), TYPE, type, KIND_ENUM);
	CHECK(KIND(type_of(v, s->q[3])) == KIND_STR, TYPE, type_of(v, s->q[3]), KIND_STR);
	return check_branch(v, s->q[1]);
}

/* What repeats and strided moves name together is bounded, so that checking them is. */
static bool check_spread(struct verifier *v, u64 times)
{
	v->spread += times;
	CHECK(times && v->spread <= SPREAD_MAX, REPEAT, v->spread, SPREAD_MAX);
	return true;
}

static bool check_strided(struct verifier *v, const struct carnet_step *s)
{
	u64 type = type_of(v, s->b), k;

	if (!check_spread(v, (u32)s->d))
		return false;
	for (k = 0; k < (u32)s->d; k++)
		CHECK(is_scalar(type) && type_of(v, s->b + k * s->q[2]) == type && type_of(v, s->a + k * s->q[3]) == type, TYPE, type, KIND_INT);
	return true;
}

static bool check_move(struct verifier *v, const struct carnet_step *s)
{
	u64 to = type_of(v, s->a), from = type_of(v, s->b);
	bool is_ref = KIND(to) == KIND_STR_REF || KIND(to) == KIND_BYTES_REF;

	CHECK(is_ref ? (KIND(to) == KIND_STR_REF ? is_string(from) : is_bytes(from)) && text_max(from) <= TYPE_Y(to) :
		       to == from && (is_scalar(to) || KIND(to) == KIND_LENT), TYPE, from, to);
	return true;
}

static bool check_tail(struct verifier *v, const struct carnet_step *s)
{
	u64 to = type_of(v, s->a), from = type_of(v, s->b), at = type_of(v, s->c);

	CHECK(KIND(to) == KIND_STR_REF || KIND(to) == KIND_BYTES_REF, TYPE, to, KIND_BYTES_REF);
	CHECK(KIND(at) == KIND_INT, TYPE, at, KIND_INT);
	CHECK((KIND(to) == KIND_STR_REF ? is_string(from) : is_bytes(from)) && text_max(from) <= TYPE_Y(to), TYPE, from, to);
	return true;
}

static bool check_load(struct verifier *v, const struct carnet_step *s)
{
	u64 type = type_of(v, s->a);
	u32 top = top_of(v, type);

	CHECK(is_scalar(type) || KIND(type) == KIND_STR_REF || KIND(type) == KIND_BYTES_REF, TYPE, type, KIND_INT);
	SUPPORT(!type || s->d <= top || KIND(type) != KIND_ENUM || top, TYPE, s->d, top);
	CHECK(!type || s->d <= top, TYPE, s->d, top);
	return true;
}

/* What an operand is: kinds of slots, one bit each; or anything (checked apart), of the type of the operand before, or a target; or nothing. */
#define A(kind) (1 << KIND_##kind)
#define SCALAR (A(INT) | A(BOOL) | A(ENUM))
#define TEXT (A(STR) | A(BYTES) | A(STR_REF) | A(BYTES_REF) | A(LITERAL))
enum { INT = A(INT), BOOL = A(BOOL), OWNER = A(STR) | A(BYTES), ANY = 1 << 13, SAME = 1 << 14, TARGET = 1 << 15 };

/* The kinds of a, b and c; bits of the two words of an instruction that it does not use. */
#define UNUSED(is, at) ((is) ? 0 : 0xffffull << (at))
#define FORM(a, b, c, d) { { a, b, c }, UNUSED(a, 16) | UNUSED(b, 32) | UNUSED(c, 48) | 0xff00, (d) ? 0 : ~0ull }

static const struct form { u16 is[4]; u64 unused, unused_d; } forms[OP_NUMBER] = {
	[OP_END] = FORM(ANY, 0, 0, 0), [OP_FAIL] = FORM(TEXT, 0, 0, 0), [OP_JUMP] = FORM(0, 0, TARGET, 0),
	[OP_JUMP_EQ ... OP_JUMP_GE] = FORM(SCALAR, SAME, TARGET, 0), [OP_JUMP_EQ_I ... OP_JUMP_GE_I] = FORM(SCALAR, 0, TARGET, ANY),
	[OP_LOOP] = FORM(ANY, 0, 0, 0), [OP_CALL] = FORM(ANY, ANY, ANY, ANY), [OP_REPEAT] = FORM(0, 0, 0, ANY),
	[OP_MOVE_STRIDED] = FORM(ANY, ANY, 0, ANY), [OP_MOVE] = FORM(ANY, ANY, 0, 0), [OP_LOAD] = FORM(ANY, 0, 0, ANY),
	[OP_ADD ... OP_REM] = FORM(INT, INT, INT, 0), [OP_ADD_I] = FORM(INT, INT, 0, ANY), [OP_NEG] = FORM(INT, INT, 0, 0),
	[OP_NOT] = FORM(BOOL, BOOL, 0, 0), [OP_COMPARE] = { { BOOL, SCALAR, SAME }, 0xf800, ~0ull }, [OP_CLEAR] = FORM(OWNER, 0, 0, 0),
	[OP_LEN] = FORM(INT, TEXT, 0, 0), [OP_TAIL] = FORM(ANY, ANY, ANY, 0),
};

static __always_inline bool check_operands(struct verifier *v, const struct carnet_step *s, const struct form *form)
{
	const u16 *is = form->is;
	u64 a, b, c;

	/* Anything that is checked apart. */
	if (is[0] == ANY)
		return true;
	a = is[0] ? type_of(v, s->a) : 0;
	CHECK(!is[0] || is[0] >> KIND(a) & 1, TYPE, a, __builtin_ctz(is[0]));
	b = is[1] ? type_of(v, s->b) : 0;
	CHECK(!is[1] || (is[1] == SAME ? b == a : is[1] >> KIND(b) & 1), TYPE, b, a);
	if (is[2] == TARGET)
		return check_branch(v, s->c);
	c = is[2] ? type_of(v, s->c) : 0;
	CHECK(!is[2] || (is[2] == SAME ? c == b : is[2] >> KIND(c) & 1), TYPE, c, b);
	return true;
}

/* What the table does not say; and relations become bits: 1 less, 2 equal, 4 greater. */
static bool check_rest(struct verifier *v, struct carnet_step *s)
{
	static const u8 relations[] = { 2, 5, 1, 3, 4, 6 };

	if (s->op >= OP_MOVE_STRIDED || s->op < OP_JUMP)
		changes(v, s->a);
	switch (s->op) {
	case OP_END:
		CHECK(is_result(v, s->a), TYPE, type_of(v, s->a), KIND_INT);
		return true;
	case OP_JUMP_EQ ... OP_JUMP_GE_I:
		s->flags = relations[(s->op - OP_JUMP_EQ) % 6];
		return true;
	case OP_COMPARE:
		CHECK(s->flags <= 5, OPERANDS, s->flags, 5);
		s->flags = relations[s->flags];
		return true;
	case OP_LOOP:
		CHECK(s->a < v->number[LOOPS] && v->loop[s->a].head == v->at, LOOP, s->a, v->at);
		s->b = v->loop[s->a].counter;
		changes(v, s->b);
		s->d = v->loop[s->a].bound;
		return true;
	case OP_CALL:
		v->calls++;
		return check_call(v, s);
	case OP_REPEAT:
		CHECK(v->at + 1 < v->p->code_number && v->in[CODE][16 * (v->at + 1)] == OP_CALL, REPEAT, v->at, OP_CALL);
		return check_spread(v, (u32)s->d);
	case OP_MOVE_STRIDED:
		return check_strided(v, s);
	case OP_MOVE:
		return check_move(v, s);
	case OP_TAIL:
		return check_tail(v, s);
	case OP_LOAD:
		return check_load(v, s);
	default:
		return true;
	}
}

static bool check_code(struct verifier *v)
{
	struct carnet_step *s = v->p->code;
	const u8 *at = v->in[CODE];
	u32 k, number = v->p->code_number;

	for (k = 0; k < number; k++, s++, at += 16) {
		u64 first = get64(at);
		const struct form *form;

		v->at = k;
		if (unlikely(!(k & 1023)))
			carnet_breathe();
		s->op = first;
		s->flags = first >> 8;
		s->a = first >> 16;
		s->b = first >> 32;
		s->c = first >> 48;
		s->d = get64(at + 8);
		CHECK(s->op < OP_NUMBER, OPERATION, s->op, OP_NUMBER);
		form = &forms[s->op];
		SUPPORT(form->unused, OPERATION, s->op, OP_NUMBER);
		CHECK(!(first & form->unused) && !(s->d & form->unused_d), OPERANDS, first, s->d);
		if (!check_operands(v, s, form) || !check_rest(v, s))
			return false;
		if (s->op >= OP_JUMP && s->op <= OP_CALL && s->op != OP_LOOP && k + 1 < number)
			s[1].charge = 1;
	}
	CHECK(s[-1].op <= OP_JUMP, END, s[-1].op, OP_END);
	return true;
}

/* Charges each basic block where it begins, gives calls their sites, and joins what is often one behind the other. */
static void prepare(struct verifier *v)
{
	u32 number = v->p->code_number, length = 0, k;
	struct carnet_step *s = v->p->code + number;
	u8 ender = OP_END, next = OP_NUMBER;

	for (k = number; k--; ) {
		s--;
		length++;
		if (s->op == OP_CALL) {
			s->flags = k && s[-1].op == OP_REPEAT;
			v->calls--;
			s->site = s->flags ? SITES - 1 : min(v->calls, SITES - 1);
			v->p->sites_number = max(v->p->sites_number, s->site + 1);
			s->site *= sizeof(struct carnet_site);
		}
		/* Whether each round of a loop calls. */
		if (s->op == OP_LOOP)
			s->flags = ender == OP_CALL || ender == OP_REPEAT;
		if (s->op < OP_MOVE_STRIDED)
			ender = s->op;
		if (s->op == OP_MOVE && next == OP_MOVE)
			s->flags = 1;
		if ((next == OP_CALL && (s->op == OP_MOVE || s->op == OP_LOOP)) ||
		    (s->op == OP_LEN && next >= OP_JUMP_EQ_I && next <= OP_JUMP_GE_I && s->a == s[1].a))
			s->flags = 2;
		s->by = ((s64)s->c - k) * (s64)sizeof(*s);
		next = s->op;
		if (s->charge) {
			next = OP_NUMBER;
			s->charge = length;
			length = 0;
		}
	}
}

/* Verifies `bytes` into `program`, which has room for CARNET_PROGRAM_BYTES(length). 0, or -1 with the fault. */
int carnet_verify(const u8 *bytes, size_t length, struct carnet_program *p, struct carnet_fault *fault)
{
	struct verifier v = { .at = ~0u, .p = p, .fault = fault };
	u32 k;

	*p = (struct carnet_program){};
	if (!find_sections(&v, bytes, length)) {
		reject(&v, CARNET_RULE_FORMAT, 0, length, 0);
		return -1;
	}
	p->code_number = v.number[CODE];
	p->operations_number = v.number[OPS];
	p->slots_number = p->changed = v.number[SLOTS];
	p->code = (struct carnet_step *)(p + 1);
	p->operations = (const struct carnet_operation **)(p->code + p->code_number);
	p->image = (u64 *)(p->operations + p->operations_number);
	p->areas = (struct carnet_area *)(p->image + carnet_words(p) + 3);
	v.loop = (struct loop *)(p->areas + min(p->slots_number, 4096u) + 1);
	p->given = p->given_end = (struct carnet_given *)(v.loop + v.number[LOOPS]);
	for (k = 0; k < p->code_number; k++) {
		p->code[k].charge = 0;
		p->code[k].site = CARNET_NONE;
	}
	p->code->charge = 1;
	if (!check_slots(&v) || !bind(&v) || !check_results(&v) || !check_params(&v) || !check_caps(&v) || !check_loops(&v) || !check_code(&v))
		return -1;
	changes(&v, get16(bytes + 30));
	p->image_from = p->image + p->changed;
	p->image_end = p->image_from + round_up(carnet_words(p) - p->changed, 4);
	prepare(&v);
	return 0;
}
