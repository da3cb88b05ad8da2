/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT */
/*
 * What verifier and interpreter share. Both files are compiled into the module and, for their tests, into ordinary
 * programs; carnet_host.h has what differs.
 *
 *	bytes --- carnet_verify() ---> struct carnet_program --- carnet_interpret() ---> outcome
 *	                                     (one piece of memory)        struct carnet_state
 *
 * The verifier believes nothing; the interpreter relies on what the verifier promised and checks what it could not know:
 * budgets, lengths, and references.
 */
#ifndef CARNET_PROGRAM_H
#define CARNET_PROGRAM_H

#include "carnet_host.h"
#include "carnet.h"

/* Operations of the bytecode: program/src/bytecode.rs says what they do. */
enum carnet_code {
	OP_END, OP_FAIL, OP_JUMP,
	OP_JUMP_EQ, OP_JUMP_NE, OP_JUMP_LT, OP_JUMP_LE, OP_JUMP_GT, OP_JUMP_GE,
	OP_JUMP_EQ_I, OP_JUMP_NE_I, OP_JUMP_LT_I, OP_JUMP_LE_I, OP_JUMP_GT_I, OP_JUMP_GE_I,
	OP_LOOP, OP_CALL, OP_REPEAT, OP_MOVE_STRIDED, OP_MOVE, OP_LOAD,
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_ADD_I, OP_NEG, OP_NOT, OP_COMPARE,
	OP_SET, OP_APPEND, OP_CLEAR, OP_COMPARE_TEXT, OP_TEST_TEXT, OP_LEN, OP_COUNT,
	OP_GET, OP_PUT, OP_PUSH, OP_SORT, OP_TAKE, OP_DROP, OP_LEND, OP_SHARE,
	OP_FLOAT_ARITH, OP_FLOAT_COMPARE, OP_CONVERT, OP_AS, OP_TAIL,
	OP_TAKE_ALL, OP_LEND_ALL, OP_PICK, OP_KEEP, OP_DROP_ALL, OP_NUMBER
};

/* Types of slots, as encoded: kind, x << 16, y << 32. */
enum carnet_kind {
	KIND_INT, KIND_BOOL, KIND_ENUM, KIND_COUNTER, KIND_STR, KIND_BYTES, KIND_LIST, KIND_STR_REF, KIND_BYTES_REF,
	KIND_LITERAL, KIND_LENT, KIND_MADE,
	KIND_NUMBER,		/* of those that a slot has here; what follows is not supported, and indexes no table */
	KIND_LIST_REF = KIND_NUMBER, KIND_FLOAT, KIND_DOUBLE
};

#define CARNET_NONE 0xffff
#define REF_LEN_MAX 0xffffffull
#define REF(area, offset, len) ((u64)(area) << 52 | (u64)(offset) << 24 | (len))
#define REF_AREA(word) ((u32)((word) >> 52))
#define REF_OFFSET(word) ((u32)((word) >> 24) & 0xfffffff)
#define REF_LEN(word) ((u32)(word) & 0xffffff)

/* What a word of an operation's argument block is. */
struct carnet_word {
	u8 kind;		/* KIND_INT, _BOOL, _ENUM, _STR, _BYTES */
	u8 of;			/* of an enum: its number in carnet_enums */
	u32 max;		/* of texts: bound in bytes */
};

/* Where an argument of a system call comes from. */
enum carnet_source {
	FROM_WORD,		/* the value of the word, which must be in its type's range and have no bits but those of `number` */
	FROM_CUT,		/* the value of the word, cut to `number` */
	FROM_CONST,		/* the number `number` */
	FROM_TEXT,		/* the address of the text of the word */
	FROM_LEN,		/* its length */
	FROM_ROOM,		/* the address of the area of the word, for what comes back */
	FROM_SENT,		/* the address of a struct of the fields that are sent */
	FROM_BACK,		/* the address of a struct of the fields that come back */
};

struct carnet_arg {
	u8 source;
	u8 word;
	u32 number;
	u64 low, span;		/* word + low <= span */
};

/* A field of a C struct, and its word in the block. */
struct carnet_field {
	u8 word;
	u8 bytes;		/* 1, 2, 4, 8 */
	u8 is_signed;
	u16 offset;
};

#define OPERATION_WRITES 1	/* counts as a write */
#define OPERATION_REFUSED 2	/* not supported in the kernel */
#define OPERATION_PLAIN 4	/* at most two words go in, one of them a text; no structs, no string that comes back, no size that says what is written */
#define OPERATION_CLOSES 8	/* may close the device that its program runs on */
#define OPERATION_COUNTS 16	/* what it returns is how many bytes it wrote */
#define NO_WORD 0xff
#define CARNET_WORK_MAX (1 << 20)

struct carnet_operation {
	u64 hash;
	u16 number;		/* of the system call */
	u8 flags;
	u8 ins, outs;		/* words of the block */
	u8 arguments;
	u8 value;		/* word that takes what the call returns, or NO_WORD */
	u8 fills;		/* word of the text that comes back, or NO_WORD: what the call returns is its length */
	u8 cost;		/* word that says how many bytes the call may write, or NO_WORD */
	u8 data;		/* word of the bytes that it writes, or NO_WORD */
	u8 raises;		/* number in carnet_enums of the kind of what it raises, or NO_WORD */
	u8 sent, back;		/* how many of `fields` are sent; how many, behind them, come back */
	struct carnet_arg from[6];
	const struct carnet_word *words;
	const struct carnet_field *fields;
};

struct carnet_enum {
	u64 hash;
	u32 values;
};

/* Generated from the description of the interface. */
extern const struct carnet_operation carnet_operations[];
extern const u32 carnet_operations_number;
extern const struct carnet_enum carnet_enums[];
extern const u32 carnet_enums_number;
extern const char carnet_module_name[], carnet_interface_name[];
/* What is said of an error number. */
extern const char *const carnet_messages[];
extern const u32 carnet_messages_number;

/* An instruction, ready to run. */
struct carnet_step {
	u8 op, flags;
	u16 a, b, c;
	u32 charge;		/* of the basic block that begins here, or 0 */
	u32 site;		/* of a call: where its site is, in bytes; while it is verified, of all: the loop that it is in */
	union {
		u64 d;
		u16 q[4];	/* of a call: slot of the result, handler, kind, message */
	};
	s64 by;			/* of a branch: how far it goes, in bytes */
};

/* The area of a text: room for `max` bytes and a zero byte, from `offset` in the arena. */
struct carnet_area {
	u64 offset;
	u32 max;
	u16 slot;		/* of its owner; that of the literals has none */
};

/* Room behind the areas for the structs of calls: what is sent, then what comes back. */
#define CARNET_STRUCT_BYTES 256

/* A slot that the caller sets, and what it may be set to. */
struct carnet_given {
	u16 slot;
	u16 kind;
	u32 most;		/* of truth values and enums */
};

/* A verified program. Everything that it points to lies behind it in one piece of memory. */
struct carnet_program {
	u32 code_number, slots_number, areas_number, operations_number, sites_number;
	u32 closes;				/* OPERATION_CLOSES, if one of its operations does */
	u32 checked;				/* what is given may be no value of its type */
	u32 changed;				/* no slot before this one is changed, or can be a result */
	u64 arena_bytes;			/* with room for structs */
	struct carnet_limits caps;
	struct carnet_step *code;
	/* Variables before the first instruction: from `changed` on, with the counts behind them, and what makes these a multiple of four. */
	u64 *image, *image_from, *image_end;
	const struct carnet_operation **operations;
	struct carnet_area *areas;
	struct carnet_given *given, *given_end;
};

/* The first places that call have a site each, where what the call was made of is kept; the last is for all others. */
#define SITES 4u

/* What a call brings back: a word, bytes, a word that goes to another slot as well, or more. */
enum carnet_back { BACK_WORD, BACK_TEXT, BACK_RESULT, BACK_MORE };

/*
 * A place of the program that calls: the registers of the processor for its last call, the words of the block that they were made of,
 * and where what comes back goes. As long as the words are the same, all this is made once.
 */
struct carnet_site {
	const u64 *in[2], *owner;		/* the words that go in, or some that never change; who owns the text that is sent */
	u64 words[2], owned;			/* what they were; if they are not, the site is filled anew */
	u64 *block, *fills, *value, *result, *count, nowhere;
	u64 made, written;			/* calls that are not counted yet, and bytes that each may write */
	u32 number, room;
	u64 writes;				/* all bits, if it counts as a write */
	u8 back;				/* enum carnet_back */
	u64 registers[CARNET_REGISTERS];
};

/*
 * The state of one run: the paper's memento, and budgets. Sites are kept from run to run: they hold nothing that does not
 * follow from the program, the place of the arena, and words that are compared again.
 */
struct carnet_state {
	u64 *slots, *changed;	/* variables; then calls, and failed calls, of each operation; those that can change */
	struct carnet_site *sites;
	const struct carnet_limits *limits;
	u64 arena;		/* address */
	struct carnet_outcome out;	/* status and place, and what was used */
	s64 quick;		/* calls that can be made without a look at the limits */
	u64 deadline;		/* as carnet_host.h counts */
	s32 restart;		/* what the system call returns to be made again, if a signal stopped the run */
	bool charged;		/* the block at pc was charged when the run stopped there */
	bool rare;		/* a signal stopped the run, or the host has something to do after it */
};

/* Words of the slots of a run, and of the counts behind them. */
static inline u32 carnet_words(const struct carnet_program *p)
{
	return p->slots_number + 2 * p->operations_number;
}

/* Calls that can be made without a look at the limits, each of which writes as much as a call may. */
static inline s64 carnet_quick(const struct carnet_limits *limits, const struct carnet_outcome *out)
{
	return min3(limits->calls - out->calls, limits->writes - out->writes, (limits->written - out->written) / CARNET_WORK_MAX);
}

/*
 * Before the first instruction; the slots before p->changed are as at the beginning already. `quick` is as above, of nothing used. The caller then sets the slots of what it gives, and calls
 * carnet_check() if the program says so.
 */
static __always_inline void carnet_begin(const struct carnet_program *p, struct carnet_state *s, s64 quick)
{
	const u64 *from = p->image_from, *end = p->image_end;
	u64 *to = s->changed;

	for (; from < end; from += 4, to += 4) {
		to[0] = from[0];
		to[1] = from[1];
		to[2] = from[2];
		to[3] = from[3];
	}
	s->out.pc = s->out.repeated = 0;
	s->out.instructions = s->out.calls = s->out.writes = s->out.written = s->out.memory = 0;
	s->quick = quick;
	s->charged = false;
}

/* Room for what is made of so many bytes: a slot with its area takes three times as much as its type, all else less. */
#define CARNET_PROGRAM_BYTES(length) (sizeof(struct carnet_program) + 3 * (size_t)(length) + 64)

int carnet_verify(const u8 *bytes, size_t length, struct carnet_program *program, struct carnet_fault *fault);
void carnet_forget(const struct carnet_program *program, struct carnet_state *state);
bool carnet_check(const struct carnet_program *program, struct carnet_state *state);
void carnet_interpret(const struct carnet_program *program, struct carnet_state *state);

#endif
