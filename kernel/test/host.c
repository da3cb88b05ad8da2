// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Verifier and interpreter in an ordinary process, for the tests that hold them against those in Rust, and under sanitizers. System
 * calls are made up: what one returns follows from its number and what it is given, so that the other side can say it, too.
 *
 * Standard input has requests, one behind the other: length of the program u32; number of words given u32; after how many looks a signal
 * comes u32, or 0; texts given u32; then the program, limits of instructions, calls, writes, bytes written and memory u64 each, the words
 * given (by slot) u64 each, and for each text its parameter u32, its length u32 and bytes. Standard output has a line for each:
 *
 *	rejected RULE UNSUPPORTED INSTRUCTION
 *	STATUS DETAIL PC INSTRUCTIONS CALLS WRITES WRITTEN MEMORY SIGNALS : slots and counts, in hexadecimal
 */
#include <stdio.h>
#include <stdlib.h>

#include "../carnet_program.h"
#include "../carnet_user.h"

static struct carnet_state state;
static struct carnet_layout layout;
static uint8_t *arena;
static u32 looks, look_limit, signals;

static void fail(const char *what)
{
	fprintf(stderr, "host: %s\n", what);
	abort();
}

/* What the caller's memory is: all that is addressed must lie in it. */
static uint8_t *in_arena(u64 address, u64 bytes)
{
	if (address < (uintptr_t)arena || address - (uintptr_t)arena > layout.arena_bytes ||
	    bytes > layout.arena_bytes - (address - (uintptr_t)arena))
		fail("an address outside of the arena");
	return arena + (address - (uintptr_t)arena);
}

static u64 mix(u64 hash, u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static const struct carnet_operation *operation(u16 number, const u64 *registers)
{
	/* Two operations may be one call; those that are differ in what they allow, and not in what is made up. */
	(void)registers;
	for (u32 k = 0; k < carnet_operations_number; k++)
		if (carnet_operations[k].number == number && !(carnet_operations[k].flags & OPERATION_REFUSED))
			return &carnet_operations[k];
	fail("a call of no operation");
	return NULL;
}

s64 carnet_system_call(const u64 *registers, u32 number)
{
	const struct carnet_operation *op = operation(number, registers);
	u64 hash = mix(1, number), room = 0, size = 0;
	u32 k, i;

	for (k = 0; k < op->arguments; k++) {
		const struct carnet_arg *from = &op->from[k];

		switch (from->source) {
		case FROM_WORD:
		case FROM_CUT:
		case FROM_CONST:
			hash = mix(hash, registers[k]);
			if (k && op->from[k - 1].source == FROM_ROOM)
				size = registers[k];
			break;
		case FROM_TEXT:
			if (op->words[from->word].kind == KIND_STR) {
				const uint8_t *text = in_arena(registers[k], 1);
				size_t most = layout.arena_bytes - (text - arena), length = strnlen((const char *)text, most);

				if (length == most)
					fail("a string without an end");
				for (i = 0; i < length; i++)
					hash = mix(hash, text[i]);
			} else {
				/* Its length is the next argument. */
				const uint8_t *bytes = in_arena(registers[k], registers[k + 1]);

				for (i = 0; i < registers[k + 1]; i++)
					hash = mix(hash, bytes[i]);
			}
			break;
		case FROM_LEN:
			hash = mix(hash, registers[k]);
			break;
		case FROM_ROOM:
			room = registers[k];
			break;
		case FROM_SENT:
			for (i = 0; i < op->sent; i++) {
				u64 word = 0;

				memcpy(&word, in_arena(registers[k] + op->fields[i].offset, op->fields[i].bytes), op->fields[i].bytes);
				hash = mix(hash, word);
			}
			break;
		default:
			for (i = 0; i < op->back; i++) {
				const struct carnet_field *field = &op->fields[op->sent + i];
				u64 word = i + 1;

				memcpy(in_arena(registers[k] + field->offset, field->bytes), &word, field->bytes);
			}
		}
	}
	if (room)
		in_arena(room, size);
	/* Errors, and the last numbers below them, which no call should return. */
	if (hash % 7 == 0)
		return hash / 7 % 44 < 40 ? -(s64)(1 + hash / 7 % 44) : -(s64)(4092 + hash / 7 % 4);
	if (!room)
		return hash / 7 % 300;
	size = min(size, hash / 7 % 70);
	memset(in_arena(room, size), 'a' + hash % 26, size);
	return size;
}

bool carnet_wanted(u64 deadline)
{
	(void)deadline;
	return look_limit && ++looks >= look_limit;
}

bool carnet_attend(struct carnet_state *s)
{
	looks = 0;
	signals++;
	s->out.status = CARNET_STOPPED;
	return true;
}

bool carnet_signalled(void)
{
	return false;
}

bool carnet_write(u64 address, const void *from, u32 bytes)
{
	memcpy(in_arena(address, bytes), from, bytes);
	return true;
}

bool carnet_read(void *to, u64 address, u32 bytes)
{
	memcpy(to, in_arena(address, bytes), bytes);
	return true;
}

u32 carnet_length(u64 address, u32 most)
{
	return strnlen((const char *)in_arena(address, most), most);
}

static bool get(void *to, size_t bytes)
{
	return fread(to, 1, bytes, stdin) == bytes;
}

static void run(struct carnet_program *p, u64 *vars, const u64 *limits)
{
	const struct carnet_limits all = { limits[0], limits[1], limits[2], limits[3], limits[4], 0 };
	const struct carnet_outcome none = { 0 }, *out = &state.out;
	const struct carnet_given *given;
	u32 k;

	/* As large as in the kernel, so that a sanitizer sees what leaves it. */
	state.slots = malloc((p->image_end - p->image) * sizeof(u64) + 1);
	state.changed = state.slots + p->changed;
	state.sites = calloc(p->sites_number + 1, sizeof(struct carnet_site));
	state.arena = (uintptr_t)arena;
	memcpy(state.slots, p->image, (p->image_end - p->image) * sizeof(u64));
	carnet_forget(p, &state);
	state.limits = &all;
	carnet_begin(p, &state, carnet_quick(&all, &none));
	for (given = p->given; given < p->given_end; given++)
		state.slots[given->slot] = vars[given->slot];
	if (p->arena_bytes != layout.arena_bytes)
		fail("the caller lays the arena out otherwise");
	signals = looks = 0;
	if (carnet_check(p, &state))
		do
			carnet_interpret(p, &state);
		while (out->status == CARNET_STOPPED);
	printf("%u %u %u %llu %llu %llu %llu %llu %u :", out->status, out->detail, out->pc, out->instructions, out->calls, out->writes,
	       out->written, out->memory, signals);
	for (k = 0; k < p->slots_number + 2 * p->operations_number; k++)
		printf(" %llx", state.slots[k]);
	printf("\n");
	free(state.slots);
	free(state.sites);
}

int main(void)
{
	u32 head[4];

	while (get(head, sizeof(head))) {
		uint8_t *bytes = malloc(head[0] ? head[0] : 1);
		u64 limits[5], *vars = calloc(head[1] + 1, 8);
		struct carnet_fault fault = { 0 };
		struct carnet_program *p;
		void *known = NULL;
		u32 k;

		look_limit = head[2];
		if (!get(bytes, head[0]) || !get(limits, sizeof(limits)) || !get(vars, 8 * head[1]))
			fail("a request is cut off");
		if (!carnet_lay_out(bytes, head[0], &layout) && layout.bytes < 64 << 20) {
			void *both = calloc(1, layout.bytes);

			arena = carnet_arena(&layout, both);
			known = both;
			carnet_prepare(&layout, both);
			for (k = 0; k < head[3]; k++) {
				uint8_t *content;
				u32 text[2];

				if (!get(text, sizeof(text)))
					fail("a text is cut off");
				content = malloc(text[1] + 1);
				if (!get(content, text[1]))
					fail("a text is cut off");
				if (!carnet_set_text(&layout, both, text[0], content, text[1]) && (u32)carnet_param(&layout, text[0]) < head[1])
					vars[carnet_param(&layout, text[0])] = ((u64 *)both)[carnet_param(&layout, text[0])];
				free(content);
			}
		} else if (head[3]) {
			fail("texts for no program");
		}
		p = malloc(CARNET_PROGRAM_BYTES(head[0]));
		if (carnet_verify(bytes, head[0], p, &fault))
			printf("rejected %u %u %u\n", fault.rule, fault.unsupported, fault.at);
		else if (!known || head[1] < p->slots_number)
			printf("accepted\n");
		else
			run(p, vars, limits);
		fflush(stdout);
		free(p);
		free(bytes);
		free(vars);
		free(known);
	}
	return 0;
}
