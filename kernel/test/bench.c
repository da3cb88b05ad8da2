// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Counts instructions in the emulator, whose clock of time stamps is one tick per instruction: the copy program of Figure 6 by system
 * calls, by a program that is sent (for the first time, and again, by ioctl and by a seek), and by an installed one (in both ways). Prints a line for each measurement.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "guest.h"

#define TIMES 200

static uint64_t ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* A system call without what the C library adds. */
static long call3(long number, long a, long b, long c)
{
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return ret;
}

static char byte;

static long by_calls(int from, int to, int calls)
{
	for (;;) {
		if (!calls--)
			return 0;
		if (call3(0, from, (long)&byte, 1) <= 0)
			return 1;
		if (!calls--)
			return 0;
		if (call3(1, to, (long)&byte, 1) <= 0)
			return 1;
	}
}

static uint64_t median(uint64_t *list, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && list[k] < list[k - 1]; k--) {
			uint64_t other = list[k];

			list[k] = list[k - 1];
			list[k - 1] = other;
		}
	return list[n / 2];
}

static uint64_t base;

enum way { CALLS, INTERP, FIRST, SENT, INSTALLED, FIRST_SEEK, SENT_SEEK, SEEK, WAYS };

static const char *const names[] = { "calls", "interp", "first", "sent", "installed", "first-seek", "sent-seek", "seek" };

/* Nothing but the call is between the looks at the clock. */
#define TIMED(call) do { \
	uint64_t begun = ticks(); \
	error = (call); \
	taken = ticks() - begun - base; \
} while (0)

static void measure(enum way way, const char *files, int calls, int from, int to, struct guest *g)
{
	static uint64_t list[TIMES];
	int times = calls > 100 ? 5 : TIMES;
	uint64_t taken = 0;
	long error = 0;

	for (int i = 0; i < times; i++) {
		/* A letter of its name: the kernel has never seen it. */
		if (way == FIRST || way == FIRST_SEEK)
			g->program[g->bytes - 14] = g->program[g->bytes - 14] == 'a' ? 'b' : 'a';
		switch (way) {
		case CALLS:
			TIMED(by_calls(from, to, calls));
			break;
		case INTERP:
			/* The paper's call: with a file of its own each time, so that the kernel has seen nothing. */
			TIMED(interp(g->program, g->vars, (int)g->bytes, (int)g->layout.bytes, 0));
			error = error && errno != EDQUOT;
			break;
		case FIRST:
		case SENT:
			TIMED(call3(16, g->device, CARNET_RUN, (long)&g->run));
			break;
		case INSTALLED:
			TIMED(call3(16, g->device, CARNET_RUN_INSTALLED, (long)g->bound));
			break;
		case FIRST_SEEK:
		case SENT_SEEK:
			TIMED(call3(8, g->device, (long)&g->run, SEEK_END));
			break;
		default:
			TIMED(call3(8, g->device, (long)g->bound, SEEK_SET));
		}
		list[i] = taken;
		if (error || (way != CALLS && way != INTERP && g->run.outcome.calls != (uint64_t)calls)) {
			printf("BAD %s %s %d: %ld, status %u detail %u calls %llu\n", names[way], files, calls, error,
			       g->run.outcome.status, g->run.outcome.detail, g->run.outcome.calls);
			exit(1);
		}
	}
	printf("%s%s %s %d %llu\n", calls ? "" : "null-", names[way], files, calls, (unsigned long long)median(list, times));
}

/* A call that does nothing. */
static void nothing_but(const char *name, long number, long a, long b, long c)
{
	uint64_t list[TIMES];

	for (int i = 0; i < TIMES; i++) {
		uint64_t begun = ticks();

		call3(number, a, b, c);
		list[i] = ticks() - begun - base;
	}
	printf("%s - 1 %llu\n", name, (unsigned long long)median(list, TIMES));
}

/* By all ways. */
static void all(const char *files, int calls, int from, int to)
{
	char name[64];
	struct guest g;

	snprintf(name, sizeof(name), "/bench/copy%d.cnb", calls);
	guest_load(&g, name);
	guest_set(&g, 1, from);
	guest_set(&g, 2, to);
	guest_set(&g, 3, 1);
	guest_install(&g);
	for (enum way way = CALLS; way < WAYS; way++)
		measure(way, files, calls, from, to, &g);
	guest_end(&g);
}

int main(void)
{
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), ends[2];
	struct guest nothing;
	uint64_t list[TIMES];

	for (int i = 0; i < TIMES; i++) {
		uint64_t begun = ticks();

		list[i] = ticks() - begun;
	}
	base = median(list, TIMES);
	guest_load(&nothing, "/bench/null.cnb");
	guest_install(&nothing);
	nothing_but("getpid", 39, 0, 0, 0);
	nothing_but("ioctl", 16, nothing.device, 0, 0);
	nothing_but("lseek", 8, nothing.device, 0, SEEK_CUR);
	for (enum way way = FIRST; way < WAYS; way++)
		measure(way, "-", 0, 0, 0, &nothing);
	if (pipe(ends) || write(ends[1], "x", 1) != 1)
		return 1;
	for (int calls = 1; calls <= 10; calls++)
		all("zero-null", calls, zero, null);
	all("zero-null", 2000, zero, null);
	/* What is read is written again, and at odd numbers what was read is put back. */
	for (int calls = 2; calls <= 10; calls += 2)
		all("pipe-pipe", calls, ends[0], ends[1]);
	all("pipe-pipe", 2000, ends[0], ends[1]);
	printf("bench done\n");
	return 0;
}
