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

#define CODE_MAX 65536
#define SPREAD_MAX 65536
#define WORDS_MAX 64
#define NESTING_MAX 16
#define REGISTERS_MAX 64	/* the bytecode allows more; a program of system calls has one */
#define UNBOUNDED (~0ull)
#define TABLE (~0u)
#define SAFE 1			/* in reject(): only not supported */

struct loop {
	u16 head, test, end, counter;
	u64 bound, reached;
};

struct verifier {
	const u8 *code, *ops, *loops, *enums, *slots, *results, *caps, *registers, *params, *literals, *names, *end;
	u32 loops_number, enums_number, results_number, caps_number, registers_number, params_number, interfaces;
	u32 literals_bytes, layouts, layout_words;
	u16 so_far, started;
	u8 result;
	u32 at, calls;
	u64 spread, held;		/* registers that a parameter fills */
	struct loop *loop;
	u8 enum_of[WORDS_MAX];		/* number in carnet_enums */
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

/* Finds the sections: the bytes are exactly one program of this version, or it says false. */
static bool find_sections(struct verifier *v, const u8 *bytes, size_t length, u32 *number)
{
	const u8 *at = bytes + 48;
	u32 lines, code, n, k;

	if (length < 48 || get32(bytes) != 0x31424e43 || get16(bytes + 4) != 1 || bytes[6] > 2 || bytes[7] || get16(bytes + 34))
		return false;
	v->result = bytes[6];
	v->interfaces = get16(bytes + 8);
	code = get32(bytes + 36);
	lines = get32(bytes + 40);
	v->literals_bytes = get32(bytes + 44);
	if (v->interfaces > 64 || code > CODE_MAX || lines > CODE_MAX || v->literals_bytes > 4 << 20)
		return false;
#define SECTION(name, count, most, size) do { \
		v->name = at; \
		n = (count); \
		if (n > (most)) \
			return false; \
		at += n * (size); \
	} while (0)
	SECTION(code, code, CODE_MAX, 16);
	number[0] = n;
	SECTION(ops, get16(bytes + 10), 1024, 16);
	number[1] = n;
	SECTION(loops, get16(bytes + 12), 4096, 32);
	v->loops_number = n;
	SECTION(enums, get16(bytes + 14), 64, 8);
	v->enums_number = n;
	SECTION(slots, get16(bytes + 16), 65535, 8);
	number[2] = n;
	v->layout_words = get16(bytes + 18);
	at += v->layout_words * 8;
	SECTION(results, get16(bytes + 20), WORDS_MAX, 8);
	v->results_number = n;
	SECTION(caps, get16(bytes + 22), 16, 16);
	v->caps_number = n;
	v->layouts = get16(bytes + 24);
	at += lines * 12 + v->layouts * 4;
	SECTION(registers, get16(bytes + 26), 4096, 2);
	v->registers_number = n;
	SECTION(params, get16(bytes + 28), 1024, 4);
	v->params_number = n;
	SECTION(literals, v->literals_bytes, 4 << 20, 1);
#undef SECTION
	v->so_far = get16(bytes + 30);
	v->started = get16(bytes + 32);
	v->names = at;
	v->end = bytes + length;
	for (k = 0; k < 1 + 2 * v->interfaces; k++) {
		if (at >= v->end)
			return false;
		at += 1 + *at;
	}
	return at == v->end;
}

static size_t bytes_needed(const struct verifier *v, const u32 *number)
{
	return sizeof(struct carnet_program) + number[0] * sizeof(struct carnet_step) + number[1] * sizeof(void *) +
	       number[2] * sizeof(u64) + (min(number[2], 4096u) + 1) * sizeof(struct carnet_area) +
	       v->loops_number * sizeof(struct loop) + (v->params_number + 1) * sizeof(struct carnet_given);
}

/* How much memory the verified program takes; 0: this is no program. */
size_t carnet_program_bytes(const u8 *bytes, size_t length)
{
	struct verifier v __uninitialized;
	u32 number[3];

	return find_sections(&v, bytes, length, number) ? bytes_needed(&v, number) : 0;
}

static u64 type_of(const struct verifier *v, u32 slot)
{
	return slot < v->p->slots_number ? get64(v->slots + 8 * slot) : KIND_COUNTER;
}

#define KIND(type) ((u8)(type))
#define TYPE_X(type) ((u16)((type) >> 16))
#define TYPE_Y(type) ((u32)((type) >> 32))
#define X_BITS 0xffff0000ull
#define Y_BITS 0xffffffff00000000ull

static bool is_type(u64 type)
{
	static const u64 used[KIND_NUMBER] = {
		[KIND_ENUM] = X_BITS, [KIND_STR] = Y_BITS, [KIND_BYTES] = Y_BITS, [KIND_LIST] = X_BITS | Y_BITS,
		[KIND_STR_REF] = Y_BITS, [KIND_BYTES_REF] = Y_BITS, [KIND_LITERAL] = X_BITS | Y_BITS,
		[KIND_LENT] = X_BITS, [KIND_MADE] = X_BITS,
	};

	return KIND(type) < KIND_NUMBER && !(type & ~(used[KIND(type)] | 0xff));
}

static bool is_scalar(u64 type) { return KIND(type) <= KIND_ENUM; }
static bool is_bytes(u64 type) { return KIND(type) == KIND_BYTES || KIND(type) == KIND_BYTES_REF; }
static bool is_string(u64 type)
{
	return KIND(type) == KIND_STR || KIND(type) == KIND_STR_REF || KIND(type) == KIND_LITERAL;
}
static u32 text_max(u64 type) { return KIND(type) == KIND_LITERAL ? TYPE_X(type) : TYPE_Y(type); }

/* The largest value of a truth value, or of an enum that this kernel knows. */
static u32 top_of(const struct verifier *v, u64 type)
{
	if (KIND(type) != KIND_ENUM)
		return KIND(type) == KIND_BOOL;
	type = v->enum_of[TYPE_X(type)];
	return type < carnet_enums_number ? carnet_enums[type].values - 1 : 0;
}

static bool want(struct verifier *v, u32 slot, u64 type)
{
	u64 found = type_of(v, slot);

	return likely(found == type && slot < v->p->slots_number) || reject(v, CARNET_RULE_TYPE, 0, found, type);
}

/* Types of slots, areas, and the variables as they begin. */
static bool check_slots(struct verifier *v)
{
	struct carnet_program *p = v->p;
	u64 literals = 1, end;
	u32 k;

	if (memchr(v->literals, 0, v->literals_bytes))
		return reject(v, CARNET_RULE_TABLE, 0, 0, 1);
	p->areas[p->areas_number++] = (struct carnet_area){ 0, 0, CARNET_NONE };
	for (k = 0; k < p->slots_number; k++) {
		u64 type = get64(v->slots + 8 * k);

		p->image[k] = 0;
		if (!type)
			continue;
		if (!is_type(type) || (KIND(type) == KIND_ENUM && TYPE_X(type) >= v->enums_number) ||
		    (KIND(type) >= KIND_LENT && TYPE_X(type) >= v->interfaces))
			return reject(v, CARNET_RULE_TABLE, 0, type, k);
		if (KIND(type) == KIND_LIST)
			return reject(v, CARNET_RULE_TYPE, SAFE, type, KIND_STR);
		if (KIND(type) == KIND_STR || KIND(type) == KIND_BYTES) {
			if (TYPE_Y(type) > REF_LEN_MAX || p->areas_number >= 4096)
				return reject(v, CARNET_RULE_TABLE, 0, type, k);
			p->image[k] = REF(p->areas_number, 0, 0);
			p->areas[p->areas_number++] = (struct carnet_area){ 0, TYPE_Y(type), k };
		} else if (KIND(type) == KIND_LITERAL) {
			if ((u64)TYPE_Y(type) + TYPE_X(type) > v->literals_bytes)
				return reject(v, CARNET_RULE_TABLE, 0, type, v->literals_bytes);
			if (literals > 0xfffffff - 0x10000)
				return reject(v, CARNET_RULE_SIZE, SAFE, literals, 0xfffffff);
			p->image[k] = REF(0, literals, TYPE_X(type));
			literals += TYPE_X(type) + 1;
		}
	}
	p->areas[0].max = literals;
	for (end = literals, k = 1; k < p->areas_number; k++) {
		p->areas[k].offset = (end + 7) & ~7ull;
		end = p->areas[k].offset + p->areas[k].max + 1;
	}
	p->arena_bytes = ((end + 7) & ~7ull) + 2 * CARNET_STRUCT_BYTES;
	return true;
}

/* Compares a name of the program with a text of ours, and steps over it. */
static bool is_name(const u8 **at, const char *name)
{
	const u8 *found = *at;

	*at += 1 + *found;
	return strlen(name) == *found && !memcmp(found + 1, name, *found);
}

/* Operations stand in the order of their hashes. */
static const struct carnet_operation *operation_of(u64 hash)
{
	u32 low = 0, high = carnet_operations_number;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (carnet_operations[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low < carnet_operations_number && carnet_operations[low].hash == hash ? &carnet_operations[low] : NULL;
}

static bool bind(struct verifier *v)
{
	const u8 *names = v->names + 1 + *v->names;
	struct carnet_program *p = v->p;
	u32 k, e;

	for (k = 0; k < v->interfaces; k++) {
		bool module = is_name(&names, carnet_module_name);

		if (!is_name(&names, carnet_interface_name) || !module)
			return reject(v, CARNET_RULE_INTERFACE, SAFE, k, 0);
	}
	for (k = 0; k < v->enums_number; k++) {
		for (e = 0; e < carnet_enums_number && carnet_enums[e].hash != get64(v->enums + 8 * k); e++)
			;
		v->enum_of[k] = e;
	}
	for (k = 0; k < p->operations_number; k++) {
		u64 of = get64(v->ops + 16 * k + 8);

		if (of >= v->interfaces)
			return reject(v, CARNET_RULE_TABLE, 0, of, v->interfaces);
		p->operations[k] = operation_of(get64(v->ops + 16 * k));
		if (!p->operations[k] || p->operations[k]->flags & OPERATION_REFUSED)
			return reject(v, CARNET_RULE_OPERATION, SAFE, get64(v->ops + 16 * k), 0);
	}
	return true;
}

/* Whether a slot can stand where a value of the type `word` is wanted. */
static bool same_value(u64 slot, u64 word)
{
	if (KIND(word) == KIND_STR_REF)
		return is_string(slot);
	return KIND(word) == KIND_BYTES_REF ? is_bytes(slot) : slot == word;
}

static bool is_result(const struct verifier *v, u16 first)
{
	u32 k;

	if (!v->result)
		return first == CARNET_NONE;
	for (k = 0; k < v->results_number; k++)
		if (first + k >= v->p->slots_number || !same_value(type_of(v, first + k), get64(v->results + 8 * k)))
			return false;
	return true;
}

static bool check_tables(struct verifier *v)
{
	struct carnet_program *p = v->p;
	u64 *caps[] = { &p->caps.writes, &p->caps.calls, &p->caps.written, NULL, &p->caps.time_ns }, type;
	u32 k;

	if (v->layouts || v->layout_words || v->result > 1)
		return reject(v, CARNET_RULE_TABLE, SAFE, v->result, 1);
	if (v->registers_number > REGISTERS_MAX)
		return reject(v, CARNET_RULE_REGISTER, SAFE, v->registers_number, REGISTERS_MAX);
	if (!check_slots(v) || !bind(v))
		return false;
	for (k = 0; k < v->results_number; k++) {
		type = get64(v->results + 8 * k);
		if (!is_type(type) || KIND(type) == KIND_COUNTER || (KIND(type) > KIND_COUNTER && KIND(type) != KIND_STR_REF &&
		    KIND(type) != KIND_BYTES_REF) || (KIND(type) == KIND_ENUM && TYPE_X(type) >= v->enums_number))
			return reject(v, CARNET_RULE_TABLE, 0, type, KIND_INT);
	}
	if (!v->results_number != !v->result || (v->so_far != CARNET_NONE && !is_result(v, v->so_far)))
		return reject(v, CARNET_RULE_TABLE, 0, v->results_number, v->result);
	if (v->started != CARNET_NONE) {
		if (!want(v, v->started, KIND_INT))
			return false;
		p->given[p->given_number++] = (struct carnet_given){ v->started, KIND_INT, 0 };
	}
	for (k = 0; k < v->registers_number; k++)
		if (get16(v->registers + 2 * k) >= v->interfaces)
			return reject(v, CARNET_RULE_TABLE, 0, get16(v->registers + 2 * k), v->interfaces);
	for (k = 0; k < v->params_number; k++) {
		u16 space = get16(v->params + 4 * k), at = get16(v->params + 4 * k + 2);
		u8 kind = KIND(type_of(v, at));

		if (space == 1 && at < v->registers_number)
			v->held |= 1ull << at;
		else if (!space && (kind <= KIND_ENUM || kind == KIND_STR || kind == KIND_BYTES))
			p->given[p->given_number++] = (struct carnet_given){ at, kind, top_of(v, type_of(v, at)) };
		else
			return reject(v, CARNET_RULE_TABLE, 0, kind, space);
	}
	p->caps = (struct carnet_limits){ ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull };
	for (k = 0; k < v->caps_number; k++) {
		u32 kind = get32(v->caps + 16 * k);

		if (kind > 4)
			return reject(v, CARNET_RULE_TABLE, 0, kind, 4);
		if (caps[kind])
			*caps[kind] = min(*caps[kind], get64(v->caps + 16 * k + 8));
	}
	return true;
}

static u64 add(u64 a, u64 b) { return check_add_overflow(a, b, &a) ? ~0ull : a; }
static u64 mul(u64 a, u64 b) { return check_mul_overflow(a, b, &a) ? ~0ull : a; }

/* How often instruction `at` of a loop can run. */
static u64 runs(const struct loop *l, u16 at) { return at < l->test ? l->bound : add(l->bound, l->reached); }

/* That loops nest, and how often each can be entered; notes the innermost loop of each instruction. */
static bool check_loops(struct verifier *v)
{
	struct carnet_step *code = v->p->code;
	u32 open[NESTING_MAX], depth = 0, k, i;

	for (k = 0; k < v->loops_number; k++) {
		const u8 *at = v->loops + 32 * k, *ins;
		u64 own = get64(at + 8), limit = get64(at + 16);
		struct loop *l = &v->loop[k], *outer;
		u16 inner = get16(at + 28);

		*l = (struct loop){ get16(at), get16(at + 2), get16(at + 4), get16(at + 6), limit, 1 };
		while (depth && v->loop[open[depth - 1]].end <= l->head)
			depth--;
		outer = depth ? &v->loop[open[depth - 1]] : NULL;
		if (!l->head || l->head >= l->test || l->test > l->end || l->end >= v->p->code_number || get16(at + 30) > 1 ||
		    (k && l->head <= l[-1].head) || depth >= NESTING_MAX ||
		    (outer && l->end > (l->head < outer->test ? outer->test : outer->end)))
			return reject(v, CARNET_RULE_LOOP, 0, k, l->head);
		ins = v->code + 16 * l->head;
		if (!want(v, l->counter, KIND_COUNTER) || ins[0] != OP_LOOP || get16(ins + 2) != k)
			return reject(v, CARNET_RULE_LOOP, 0, k, l->head);
		l->reached = outer ? runs(outer, l->head) : 1;
		if (own != UNBOUNDED)
			l->bound = min(l->bound, mul(l->reached, own));
		if (inner != CARNET_NONE) {
			const u8 *in = v->loops + 32 * inner;

			if (inner <= k || inner >= v->loops_number || get16(in) >= l->end || get64(in + 16) == UNBOUNDED ||
			    get16(in + 30) > 1)
				return reject(v, CARNET_RULE_LOOP, 0, k, inner);
			l->bound = min(l->bound, add(l->reached, get64(in + 16)));
		} else if (own == UNBOUNDED && limit == UNBOUNDED) {
			return reject(v, CARNET_RULE_BOUND, 0, k, l->head);
		}
		for (i = l->head; i < l->end; i++)
			code[i].reserved = k;
		open[depth++] = k;
	}
	return true;
}

static bool branch(struct verifier *v, u16 target)
{
	const struct loop *l;
	bool inside;

	if (target >= v->p->code_number || (target && v->code[16 * (target - 1)] == OP_REPEAT))
		return reject(v, CARNET_RULE_BRANCH, 0, target, v->p->code_number);
	v->p->code[target].charge = 1;
	if (v->p->code[target].reserved == CARNET_NONE)
		return target > v->at || reject(v, CARNET_RULE_BRANCH, 0, target, v->at + 1);
	l = &v->loop[v->p->code[target].reserved];
	inside = v->at >= l->head && v->at < l->end;
	if (target <= v->at ? inside && target == l->head : inside || (v->at + 1 == l->head && target == l->test))
		return true;
	return reject(v, CARNET_RULE_BRANCH, 0, target, l->head);
}

static bool check_word(struct verifier *v, const struct carnet_operation *op, u32 k, u64 slot)
{
	const struct carnet_word *word = &op->words[k];
	bool back = k >= op->ins + op->inouts, good;

	if (word->kind == KIND_ENUM)
		good = KIND(slot) == KIND_ENUM && v->enum_of[TYPE_X(slot)] == word->of;
	else if (word->kind < KIND_ENUM)
		good = slot == word->kind;
	else if (back)
		good = KIND(slot) == word->kind && TYPE_Y(slot) >= word->max;
	else
		good = word->kind == KIND_STR ? is_string(slot) : is_bytes(slot);
	return good || reject(v, CARNET_RULE_TYPE, 0, slot, word->kind | (u64)word->max << 32);
}

/* The argument block of one call. */
static bool check_block(struct verifier *v, const struct carnet_operation *op, u64 first, u64 result)
{
	u32 words = op->ins + op->inouts + op->outs, k;
	u64 type;

	if (first + words > v->p->slots_number)
		return reject(v, CARNET_RULE_BLOCK, 0, first + words, v->p->slots_number);
	for (k = 0; k < words; k++) {
		type = get64(v->slots + 8 * (first + k));
		if ((type || op->words[k].kind) && !check_word(v, op, k, type))
			return false;
	}
	if (result == CARNET_NONE)
		return true;
	type = type_of(v, first + op->ins);
	if (op->inouts + op->outs != 1 || !is_scalar(type) || result >= v->p->slots_number || type_of(v, result) != type)
		return reject(v, CARNET_RULE_TYPE, 0, result >= v->p->slots_number ? KIND_COUNTER : type_of(v, result), type);
	return true;
}

static bool check_call(struct verifier *v, const struct carnet_step *step)
{
	const struct carnet_step *before = step - 1;
	const struct carnet_operation *op;
	u64 k, times = 1, stride = 0, result_stride = 0, type;

	if (step->b >= v->p->operations_number)
		return reject(v, CARNET_RULE_OPERATION, 0, step->b, v->p->operations_number);
	if (step->a >= v->registers_number || !(v->held >> step->a & 1))
		return reject(v, CARNET_RULE_REGISTER, step->a < v->registers_number, step->a, v->registers_number);
	op = v->p->operations[step->b];
	if (v->at && before->op == OP_REPEAT) {
		times = (u32)before->d;
		stride = before->q[2];
		result_stride = before->q[3];
	}
	if (!stride && !result_stride)
		times = 1;
	for (k = 0; k < times; k++)
		if (!check_block(v, op, step->c + k * stride, step->q[0] == CARNET_NONE ? CARNET_NONE : step->q[0] + k * result_stride))
			return false;
	if (step->q[1] == CARNET_NONE)
		return !(step->q[2] | step->q[3]) || reject(v, CARNET_RULE_OPERANDS, 0, step->q[2], 0);
	if (step->q[1] <= v->at)
		return reject(v, CARNET_RULE_BRANCH, 0, step->q[1], v->at + 1);
	type = type_of(v, step->q[2]);
	if (KIND(type) != KIND_ENUM || (op->raises != NO_WORD && v->enum_of[TYPE_X(type)] != op->raises))
		return reject(v, CARNET_RULE_TYPE, 0, type, KIND_ENUM);
	if (KIND(type_of(v, step->q[3])) != KIND_STR)
		return reject(v, CARNET_RULE_TYPE, 0, type_of(v, step->q[3]), KIND_STR);
	return branch(v, step->q[1]);
}

/* What repeats and strided moves name together is bounded, so that checking them is. */
static bool check_spread(struct verifier *v, u64 times)
{
	v->spread += times;
	return (times && v->spread <= SPREAD_MAX) || reject(v, CARNET_RULE_REPEAT, 0, v->spread, SPREAD_MAX);
}

static bool check_strided(struct verifier *v, const struct carnet_step *step)
{
	u64 type = type_of(v, step->b), count = (u32)step->d, k;

	if (!check_spread(v, count))
		return false;
	if (!is_scalar(type))
		return reject(v, CARNET_RULE_TYPE, 0, type, KIND_INT);
	for (k = 0; k < count; k++)
		if (!want(v, step->b + k * step->q[2], type) || !want(v, step->a + k * step->q[3], type))
			return false;
	return true;
}

static bool check_move(struct verifier *v, const struct carnet_step *step)
{
	u64 to = type_of(v, step->a), from = type_of(v, step->b);

	switch (KIND(to)) {
	case KIND_INT:
	case KIND_BOOL:
	case KIND_ENUM:
	case KIND_LENT:
		return to == from || reject(v, CARNET_RULE_TYPE, 0, from, to);
	case KIND_STR_REF:
		return (is_string(from) && text_max(from) <= TYPE_Y(to)) || reject(v, CARNET_RULE_TYPE, 0, from, to);
	case KIND_BYTES_REF:
		return (is_bytes(from) && text_max(from) <= TYPE_Y(to)) || reject(v, CARNET_RULE_TYPE, 0, from, to);
	default:
		return reject(v, CARNET_RULE_TYPE, 0, to, KIND_INT);
	}
}

static bool check_load(struct verifier *v, const struct carnet_step *step)
{
	u64 type = type_of(v, step->a);
	u32 top = top_of(v, type);

	if (!is_scalar(type) && KIND(type) != KIND_STR_REF && KIND(type) != KIND_BYTES_REF)
		return reject(v, CARNET_RULE_TYPE, 0, type, KIND_INT);
	if (!type || step->d <= top)
		return true;
	return reject(v, CARNET_RULE_TYPE, KIND(type) == KIND_ENUM && !top, step->d, top);
}

static bool check_scalars(struct verifier *v, u16 a, u16 b)
{
	u64 type = type_of(v, a);

	return is_scalar(type) ? want(v, b, type) : reject(v, CARNET_RULE_TYPE, 0, type, KIND_INT);
}

/* Bits of the first word of an instruction, and 1 for its second, that its operation does not use. */
#define A 0xffff0000ull
#define B 0xffff00000000ull
#define C 0xffff000000000000ull
#define F 0xff00ull
#define D 1
static const u64 unused[OP_NUMBER] = {
	[OP_END] = B | C | F | D, [OP_FAIL] = B | C | F | D, [OP_JUMP] = A | B | F | D,
	[OP_JUMP_EQ ... OP_JUMP_GE] = F | D, [OP_JUMP_EQ_I ... OP_JUMP_GE_I] = B | F,
	[OP_LOOP] = B | C | F | D, [OP_CALL] = F, [OP_REPEAT] = A | B | C | F, [OP_MOVE_STRIDED] = C | F,
	[OP_MOVE] = C | F | D, [OP_LOAD] = B | C | F, [OP_ADD ... OP_REM] = F | D, [OP_ADD_I] = C | F,
	[OP_NEG] = C | F | D, [OP_NOT] = C | F | D, [OP_COMPARE] = D, [OP_CLEAR] = B | C | F | D, [OP_LEN] = C | F | D,
};
#undef A
#undef B
#undef C
#undef F

static bool check_operands(struct verifier *v, struct carnet_step *s)
{
	/* Equal, not equal, less, at most, greater, at least, in bits: 1 less, 2 equal, 4 greater. */
	static const u8 relations[] = { 2, 5, 1, 3, 4, 6 };
	u64 type = type_of(v, s->a);
	const u8 *at;

	switch (s->op) {
	case OP_END:
		return is_result(v, s->a) || reject(v, CARNET_RULE_TYPE, 0, type, KIND_INT);
	case OP_FAIL:
		return is_string(type) || is_bytes(type) || reject(v, CARNET_RULE_TYPE, 0, type, KIND_STR);
	case OP_JUMP:
		return branch(v, s->c);
	case OP_JUMP_EQ ... OP_JUMP_GE:
		s->flags = relations[s->op - OP_JUMP_EQ];
		return check_scalars(v, s->a, s->b) && branch(v, s->c);
	case OP_JUMP_EQ_I ... OP_JUMP_GE_I:
		s->flags = relations[s->op - OP_JUMP_EQ_I];
		return is_scalar(type) ? branch(v, s->c) : reject(v, CARNET_RULE_TYPE, 0, type, KIND_INT);
	case OP_LOOP:
		if (s->a >= v->loops_number || v->loop[s->a].head != v->at)
			return reject(v, CARNET_RULE_LOOP, 0, s->a, v->at);
		/* Whether a round may do without a call. */
		for (at = v->code + 16 * v->at + 16; *at >= OP_MOVE_STRIDED; at += 16)
			;
		s->flags = *at != OP_CALL && *at != OP_REPEAT;
		s->b = v->loop[s->a].counter;
		s->d = v->loop[s->a].bound;
		return true;
	case OP_CALL:
		v->calls++;
		return check_call(v, s);
	case OP_REPEAT:
		if (v->at + 1 >= v->p->code_number || v->code[16 * (v->at + 1)] != OP_CALL)
			return reject(v, CARNET_RULE_REPEAT, 0, v->at, OP_CALL);
		return check_spread(v, (u32)s->d);
	case OP_MOVE_STRIDED:
		return check_strided(v, s);
	case OP_MOVE:
		return check_move(v, s);
	case OP_LOAD:
		return check_load(v, s);
	case OP_ADD ... OP_REM:
		return want(v, s->a, KIND_INT) && want(v, s->b, KIND_INT) && want(v, s->c, KIND_INT);
	case OP_ADD_I:
	case OP_NEG:
		return want(v, s->a, KIND_INT) && want(v, s->b, KIND_INT);
	case OP_NOT:
		return want(v, s->a, KIND_BOOL) && want(v, s->b, KIND_BOOL);
	case OP_COMPARE:
		if (s->flags > 5)
			return reject(v, CARNET_RULE_OPERANDS, 0, s->flags, 5);
		s->flags = relations[s->flags];
		return want(v, s->a, KIND_BOOL) && check_scalars(v, s->b, s->c);
	case OP_CLEAR:
		return KIND(type) == KIND_STR || KIND(type) == KIND_BYTES || reject(v, CARNET_RULE_TYPE, 0, type, KIND_STR);
	case OP_LEN:
		type = type_of(v, s->b);
		return want(v, s->a, KIND_INT) && (is_string(type) || is_bytes(type) || reject(v, CARNET_RULE_TYPE, 0, type, KIND_STR));
	default:
		return reject(v, CARNET_RULE_OPERATION, SAFE, s->op, OP_NUMBER);
	}
}

static bool check_code(struct verifier *v)
{
	struct carnet_program *p = v->p;
	struct carnet_step *s;
	u32 length = 0, k;

	for (k = 0, s = p->code; k < p->code_number; k++, s++) {
		u64 low = get64(v->code + 16 * k), d = get64(v->code + 16 * k + 8);

		if (!(k & 1023))
			carnet_breathe();
		v->at = k;
		if ((u8)low >= OP_NUMBER)
			return reject(v, CARNET_RULE_OPERATION, 0, (u8)low, OP_NUMBER);
		s->op = low;
		if (low & unused[s->op] & ~1ull || (d && unused[s->op] & D))
			return reject(v, CARNET_RULE_OPERANDS, 0, low & unused[s->op] & ~1ull, 0);
		s->flags = low >> 8;
		s->a = low >> 16;
		s->b = low >> 32;
		s->c = low >> 48;
		s->d = d;
		if (!check_operands(v, s))
			return false;
		if (k + 1 < p->code_number && s->op >= OP_JUMP && s->op <= OP_CALL && s->op != OP_LOOP)
			s[1].charge = 1;
	}
	p->sites_number = min(v->calls, SITES);
	s--;
	if (s->op != OP_END && s->op != OP_FAIL && s->op != OP_JUMP)
		return reject(v, CARNET_RULE_END, 0, s->op, OP_END);
	/* Each basic block is charged where it begins. */
	for (; s >= p->code; s--) {
		length++;
		/* Nobody asks any more which loop an instruction is in. */
		if (s->op == OP_CALL) {
			v->calls--;
			s->reserved = min(v->calls, SITES - 1);
		}
		/* What is often one behind the other is done in one step, if nothing is charged in between. */
		if (s + 1 < p->code + p->code_number && !s[1].charge && s[1].op == OP_CALL && (s->op == OP_MOVE || s->op == OP_LOOP))
			s->flags = 2;
		else if (s + 1 < p->code + p->code_number && !s[1].charge && s->op == OP_LEN && s[1].op >= OP_JUMP_EQ_I &&
			 s[1].op <= OP_JUMP_GE_I)
			s->flags = 2;
		if (s->charge) {
			s->charge = length;
			length = 0;
		}
	}
	return true;
}

/* Verifies `bytes` into `program`, which has room for carnet_program_bytes(). 0, or -1 with the fault. */
int carnet_verify(const u8 *bytes, size_t length, struct carnet_program *program, struct carnet_fault *fault)
{
	struct carnet_program *p = program;
	struct verifier v __uninitialized;
	u32 number[3], k;

	v.fault = fault;
	v.at = TABLE;
	v.p = p;
	if (!find_sections(&v, bytes, length, number) || !number[0]) {
		reject(&v, CARNET_RULE_FORMAT, 0, length, 0);
		return -1;
	}
	v.spread = v.held = v.calls = 0;
	p->code_number = number[0];
	p->operations_number = number[1];
	p->slots_number = number[2];
	p->areas_number = p->given_number = 0;
	p->code = (struct carnet_step *)(p + 1);
	p->operations = (const struct carnet_operation **)(p->code + number[0]);
	p->image = (u64 *)(p->operations + number[1]);
	p->areas = (struct carnet_area *)(p->image + number[2]);
	v.loop = (struct loop *)(p->areas + min(number[2], 4096u) + 1);
	p->given = (struct carnet_given *)(v.loop + v.loops_number);
	for (k = 0; k < p->code_number; k++) {
		p->code[k].charge = !k;
		p->code[k].reserved = CARNET_NONE;
	}
	return check_tables(&v) && check_loops(&v) && check_code(&v) ? 0 : -1;
}
