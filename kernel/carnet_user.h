/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The side of user space, for C: lays out what a program needs, and runs it in the kernel.
 *
 *	struct carnet_layout layout;
 *	carnet_lay_out(program, bytes, &layout);
 *	void *vars = aligned_alloc(8, layout.bytes);
 *	carnet_prepare(&layout, vars);
 *	carnet_set(&layout, vars, 0, descriptor);
 *	interp(program, vars, bytes, layout.bytes, 0);
 *
 * Variables and arena are one piece of memory here: the words of the table and of the counts, then the arena.
 */
#ifndef CARNET_USER_H
#define CARNET_USER_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "carnet.h"

struct carnet_layout {
	uint32_t slots, operations, params, literals_bytes;
	uint32_t words;		/* of the variable table and the counts behind it */
	uint64_t arena_bytes;
	uint64_t bytes;		/* of both */
	const uint8_t *slot_types, *param_places, *literals;
};

static inline uint32_t carnet_u16(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t carnet_u32(const uint8_t *at)
{
	return carnet_u16(at) | carnet_u16(at + 2) << 16;
}

/* Finds what a program needs; -1: these bytes are no program. The kernel looks more closely. */
static inline int carnet_lay_out(const void *program, uint32_t bytes, struct carnet_layout *l)
{
	const uint8_t *head = (const uint8_t *)program, *at;
	uint64_t end = 1, need;
	uint32_t k;

	if (bytes < 48 || memcmp(head, "CNB1", 4))
		return -1;
	l->operations = carnet_u16(head + 10);
	l->slots = carnet_u16(head + 16);
	l->params = carnet_u16(head + 28);
	l->literals_bytes = carnet_u32(head + 44);
	need = 48 + 16ull * carnet_u32(head + 36) + 16 * l->operations + 32 * carnet_u16(head + 12) + 8 * carnet_u16(head + 14);
	at = head + need;
	l->slot_types = at;
	need += 8ull * l->slots + 8 * carnet_u16(head + 18) + 8 * carnet_u16(head + 20) + 16 * carnet_u16(head + 22) +
		12ull * carnet_u32(head + 40) + 4 * carnet_u16(head + 24) + 2 * carnet_u16(head + 26);
	l->param_places = head + need;
	need += 4 * l->params;
	l->literals = head + need;
	if (need + l->literals_bytes > bytes)
		return -1;
	for (k = 0; k < l->slots; k++)
		if (l->slot_types[8 * k] == 9)
			end += carnet_u16(l->slot_types + 8 * k + 2) + 1;
	for (k = 0; k < l->slots; k++)
		if (l->slot_types[8 * k] == 4 || l->slot_types[8 * k] == 5)
			end = ((end + 7) & ~7ull) + carnet_u32(l->slot_types + 8 * k + 4) + 1;
	l->arena_bytes = ((end + 7) & ~7ull) + 512;
	l->words = l->slots + 2 * l->operations;
	l->bytes = 8ull * l->words + l->arena_bytes;
	return 0;
}

static inline uint8_t *carnet_arena(const struct carnet_layout *l, void *vars)
{
	return (uint8_t *)vars + 8ull * l->words;
}

/* Writes the literals, and zeros what the caller may set. */
static inline void carnet_prepare(const struct carnet_layout *l, void *vars)
{
	uint8_t *to = carnet_arena(l, vars);
	uint32_t k;

	memset(vars, 0, 8ull * l->words);
	*to++ = 0;
	for (k = 0; k < l->slots; k++) {
		const uint8_t *type = l->slot_types + 8 * k;
		uint32_t length = carnet_u16(type + 2), offset = carnet_u32(type + 4);

		if (type[0] != 9 || (uint64_t)offset + length > l->literals_bytes)
			continue;
		memcpy(to, l->literals + offset, length);
		to[length] = 0;
		to += length + 1;
	}
}

/* The slot of parameter `k`, or -1: it is a portal, or none. */
static inline int carnet_param(const struct carnet_layout *l, uint32_t k)
{
	if (k >= l->params || carnet_u16(l->param_places + 4 * k))
		return -1;
	return carnet_u16(l->param_places + 4 * k + 2);
}

/* Area of the text that slot `slot` owns, its room, and its place in the arena; 0: it owns none. */
static inline uint32_t carnet_area(const struct carnet_layout *l, uint32_t slot, uint32_t *room, uint64_t *offset)
{
	uint64_t end = 1;
	uint32_t k, area = 0;

	for (k = 0; k < l->slots; k++)
		if (l->slot_types[8 * k] == 9)
			end += carnet_u16(l->slot_types + 8 * k + 2) + 1;
	for (k = 0; k <= slot && k < l->slots; k++) {
		if (l->slot_types[8 * k] != 4 && l->slot_types[8 * k] != 5)
			continue;
		area++;
		*offset = (end + 7) & ~7ull;
		*room = carnet_u32(l->slot_types + 8 * k + 4);
		end = *offset + *room + 1;
		if (k == slot)
			return area;
	}
	return 0;
}

/* Sets parameter `k`, a number. */
static inline int carnet_set(const struct carnet_layout *l, void *vars, uint32_t k, int64_t value)
{
	int slot = carnet_param(l, k);

	if (slot < 0)
		return -1;
	((uint64_t *)vars)[slot] = (uint64_t)value;
	return 0;
}

/* Sets parameter `k`, a text. */
static inline int carnet_set_text(const struct carnet_layout *l, void *vars, uint32_t k, const void *text, uint32_t length)
{
	int slot = carnet_param(l, k);
	uint64_t offset = 0;
	uint32_t room = 0, area;

	if (slot < 0)
		return -1;
	area = carnet_area(l, (uint32_t)slot, &room, &offset);
	if (!area || length > room)
		return -1;
	memcpy(carnet_arena(l, vars) + offset, text, length);
	carnet_arena(l, vars)[offset + length] = 0;
	((uint64_t *)vars)[slot] = (uint64_t)area << 52 | length;
	return 0;
}

/* Fills a request in. */
static inline void carnet_ask(const void *program, uint32_t bytes, const struct carnet_layout *l, void *vars, struct carnet_run *run)
{
	memset(run, 0, sizeof(*run));
	run->program = (uintptr_t)program;
	run->program_bytes = bytes;
	run->vars_words = l->words;
	run->vars = (uintptr_t)vars;
	run->arena = (uintptr_t)carnet_arena(l, vars);
	run->arena_bytes = l->arena_bytes;
}

/*
 * Runs what a request says, or goes on with it by its token, by the shortest way into the kernel: CARNET_RUN, as a seek. A file that another
 * process has opened takes the longer one. ENOTTY: the descriptor is of another file, which has gone where it was told to; if the outcome says
 * STOPPED, the program has put that there.
 */
static inline int carnet_run(int device, struct carnet_run *run)
{
	off_t done;

	run->outcome.status = ~0u;
	done = lseek(device, (off_t)(uintptr_t)run, SEEK_END);
	if (done == -1 && errno == ESPIPE)
		return ioctl(device, CARNET_RUN, run);
	if (done == -1)
		return -1;
	if (run->outcome.status != ~0u && run->outcome.status != CARNET_STOPPED)
		return 0;
	errno = ENOTTY;
	return -1;
}

#define INTERP_NO_RESUME 1	/* a signal whose handler does not restart calls ends interp() with EINTR */

/*
 * The paper's call: runs the program `prog` of `lp` bytes, with the variables `vars` (and the arena behind them) of `lv` bytes. 0 if it
 * ended by itself; -1 otherwise, with errno: what the call that failed said, or what was wrong with the program. Where
 * a signal stopped it, it goes on behind the handler, unless flags say otherwise.
 */
static inline int interp(const void *prog, void *vars, int lp, int lv, int flags)
{
	struct carnet_layout layout;
	struct carnet_run run;
	int fd, error;

	if (lp < 0 || lv < 0 || flags & ~INTERP_NO_RESUME || carnet_lay_out(prog, (uint32_t)lp, &layout) ||
	    layout.bytes > (uint64_t)lv) {
		errno = EINVAL;
		return -1;
	}
	fd = open("/dev/carnet", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	carnet_ask(prog, (uint32_t)lp, &layout, vars, &run);
	error = carnet_run(fd, &run) ? errno : 0;
	while (error == EINTR && run.token && !(flags & INTERP_NO_RESUME))
		error = ioctl(fd, CARNET_RESUME, &run) ? errno : 0;
	close(fd);
	if (!error && run.outcome.status == CARNET_CALL_FAILED)
		error = (int)run.outcome.detail;
	else if (!error && run.outcome.status != CARNET_DONE)
		error = run.outcome.status == CARNET_FAILED ? ECANCELED : EDQUOT;
	if (!error)
		return 0;
	errno = error;
	return -1;
}

#endif
