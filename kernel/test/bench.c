// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Counts instructions in the emulator, whose clock of time stamps is one tick per instruction: the copy program of Figure 6 by system
 * calls, by a program that is sent each time, and by an installed one. Prints a line for each measurement.
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

static void measure(const char *what, const char *files, int calls, int from, int to, struct guest *g, long command)
{
	static uint64_t list[TIMES];
	int times = calls > 100 ? 5 : TIMES;

	for (int i = 0; i < times; i++) {
		uint64_t begun = ticks();
		long error = g ? call3(16, g->device, command, (long)&g->run) : by_calls(from, to, calls);

		list[i] = ticks() - begun - base;
		if (error || (g && g->run.outcome.calls != (uint64_t)calls)) {
			printf("BAD %s %s %d: %ld, status %u detail %u calls %llu\n", what, files, calls, error,
			       g ? g->run.outcome.status : 0, g ? g->run.outcome.detail : 0, g ? g->run.outcome.calls : 0ull);
			exit(1);
		}
	}
	printf("%s %s %d %llu\n", what, files, calls, (unsigned long long)median(list, times));
}

static void three(const char *files, int calls, int from, int to)
{
	char name[64];
	struct guest sent, installed;

	snprintf(name, sizeof(name), "/bench/copy%d.cnb", calls);
	guest_load(&sent, name);
	guest_load(&installed, name);
	for (int k = 0; k < 2; k++) {
		struct guest *g = k ? &installed : &sent;

		guest_set(g, 1, from);
		guest_set(g, 2, to);
		guest_set(g, 3, 1);
	}
	guest_install(&installed);
	measure("calls", files, calls, from, to, NULL, 0);
	measure("sent", files, calls, from, to, &sent, CARNET_RUN);
	measure("installed", files, calls, from, to, &installed, CARNET_RUN_INSTALLED);
	guest_end(&sent);
	guest_end(&installed);
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
	for (int i = 0; i < TIMES; i++) {
		uint64_t begun = ticks();

		call3(39, 0, 0, 0);
		list[i] = ticks() - begun - base;
	}
	printf("getpid - 1 %llu\n", (unsigned long long)median(list, TIMES));
	for (int i = 0; i < TIMES; i++) {
		uint64_t begun = ticks();

		call3(16, nothing.device, 0, 0);
		list[i] = ticks() - begun - base;
	}
	printf("ioctl - 1 %llu\n", (unsigned long long)median(list, TIMES));
	measure("null-sent", "-", 0, 0, 0, &nothing, CARNET_RUN);
	measure("null-installed", "-", 0, 0, 0, &nothing, CARNET_RUN_INSTALLED);
	if (pipe(ends) || write(ends[1], "x", 1) != 1)
		return 1;
	for (int calls = 1; calls <= 10; calls++)
		three("zero-null", calls, zero, null);
	three("zero-null", 2000, zero, null);
	/* What is read is written again, and at odd numbers what was read is put back. */
	for (int calls = 2; calls <= 10; calls += 2)
		three("pipe-pipe", calls, ends[0], ends[1]);
	three("pipe-pipe", 2000, ends[0], ends[1]);
	printf("bench done\n");
	return 0;
}
