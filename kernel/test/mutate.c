// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Sends changed programs to the kernel, each a valid one with some bits or fields changed at random from a seed; what is accepted runs, with
 * little budget and descriptors that are pipes. The kernel must stay well, and hold as much memory as before.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "guest.h"

static const char *const names[] = { "drain", "wait", "spincalls", "spin", "closes", "copy", "paths", "nothing" };

static uint64_t state = 0x2545f4914f6cdd1d;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 33) % n;
}

/* Changes one place of a program of so many bytes, which has `code` instructions, whatever its header says by now. */
static void change(uint8_t *program, uint32_t bytes, uint32_t code)
{
	uint32_t at = 48 + 16 * below(code);

	switch (below(6)) {
	case 0:
		program[below(bytes)] ^= 1 << below(8);
		break;
	case 1:
		program[at] = (uint8_t)below(46);
		break;
	case 2:
		program[at + 2 + 2 * below(3)] = (uint8_t)below(20);
		break;
	case 3:
		program[at + 8 + below(8)] = (uint8_t)below(20);
		break;
	case 4:
		memcpy(program + at, program + 48 + 16 * below(code), 16);
		break;
	default:
		program[48 + 16 * code + below(bytes - 48 - 16 * code)] = (uint8_t)below(256);
	}
}

/* Where a child says what failed: programs have its standard descriptors. */
#define SAYS 901

static void failed(const char *what, const char *name)
{
	dprintf(SAYS, "BAD mutate, %s %s: %s\n", what, name, strerror(errno));
	exit(1);
}

/* Installs, binds and runs it, and takes it back. */
static int run_installed(struct guest *g, struct carnet_run *run)
{
	struct carnet_install install = { .program = run->program, .program_bytes = run->program_bytes, .mode = 0111, .fault = run->fault };
	int error, device;

	if (ioctl(g->device, CARNET_INSTALL, &install))
		return -1;
	memcpy(run->hash, install.hash, sizeof(run->hash));
	error = ioctl(g->device, CARNET_BIND, run) || ioctl(g->device, CARNET_RUN_INSTALLED, run->token) ? errno : 0;
	if (!ioctl(g->device, CARNET_DISCARD, &run->token) && !ioctl(g->device, CARNET_REMOVE, install.hash)) {
		errno = error;
		return error ? -1 : 0;
	}
	device = open("/dev/carnet", O_RDWR | O_CLOEXEC);
	if (ioctl(device, CARNET_REMOVE, install.hash))
		failed("remove", "");
	close(device);
	errno = error ? error : EBADF;
	return -1;
}

/* Sends it, by either way; all on one file, so that each has the memory of one before. */
static int run_sent(int device, struct carnet_run *run, int seeks)
{
	return seeks ? carnet_run(device, run) : ioctl(device, CARNET_RUN, run);
}

/* A process that runs so many, and tells how many of them ran. */
static void run(uint32_t times, int tell)
{
	struct carnet_limits limits = { 400, 30, 10, 4096, 1 << 20, 20 * 1000 * 1000 };
	uint32_t ran = 0, rejected = 0;
	struct guest g[8];
	uint8_t *good[8];
	int ends[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* Nothing that a program is given may wait for ever. */
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	signal(SIGPIPE, SIG_IGN);
	alarm(600);
	if (chdir("/tmp") || pipe2(ends, O_NONBLOCK))
		failed("pipe", "");
	for (int k = 0; k < 8; k++) {
		char path[64];

		snprintf(path, sizeof(path), "/programs/%s.cnb", names[k]);
		guest_load(&g[k], path);
		good[k] = malloc(g[k].bytes);
		memcpy(good[k], g[k].program, g[k].bytes);
	}
	for (uint32_t n = 0; n < times; n++) {
		struct guest *one = &g[n % 8];
		struct carnet_run run = one->run;

		memcpy(one->program, good[n % 8], one->bytes);
		for (uint32_t changes = 1 + below(3); changes; changes--)
			change(one->program, one->bytes, carnet_u32(good[n % 8] + 36));
		memset(one->vars, 0, 8ull * one->layout.words);
		for (uint32_t k = 0; k < one->layout.params; k++)
			carnet_set(&one->layout, one->vars, k, below(4) ? ends[below(2)] : (int64_t)below(200));
		run.limits = (uintptr_t)&limits;
		/* Slots of a changed program may be more than before. */
		run.vars_words = one->layout.words;
		if (!(n % 16 < 8 ? run_sent(g->device, &run, n & 16) : run_installed(one, &run)))
			ran++;
		else if (errno == ENOEXEC)
			rejected++;
		else if (errno == EBADF || errno == ENOTTY || errno == ENOENT || errno == ESPIPE)
			break;	/* a changed program may close the device, or put something else in its place */
		else if (errno != EINVAL && errno != EFAULT)
			failed("run", names[n % 8]);
	}
	/* A changed program may have closed it. */
	exit(write(tell, &ran, 4) != 4 || write(tell, &rejected, 4) != 4 ? 3 : 0);
}

int main(int count, char **words)
{
	uint32_t times = count > 1 ? (uint32_t)atoi(words[1]) : 1000, done = 0, ran = 0, rejected = 0;
	struct guest g;
	uint64_t memory;

	guest_load(&g, "/programs/nothing.cnb");
	memory = guest_information(&g).memory_bytes;
	while (done < times) {
		uint32_t numbers[2] = { 0, 0 };
		int tell[2], status;
		pid_t child;

		if (pipe(tell))
			guest_fail("pipe", "");
		fflush(stdout);
		child = fork();
		state += 0x9e3779b97f4a7c15;
		if (!child) {
			close(tell[0]);
			/* Out of the way of programs that close what they are given. */
			dup2(tell[1], 900);
			dup2(1, SAYS);
			run(2000, 900);
		}
		close(tell[1]);
		waitpid(child, &status, 0);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 1) {
			printf("BAD mutate: a request fails as none should\n");
			return 1;
		}
		/* A changed program may have done anything to its own process. */
		if (read(tell[0], numbers, 8) == 8) {
			ran += numbers[0];
			rejected += numbers[1];
			done += numbers[0] + numbers[1];
		} else {
			done += 1;
		}
		close(tell[0]);
	}
	if (guest_information(&g).memory_bytes != memory || guest_information(&g).running) {
		printf("BAD mutate: %llu bytes held, %llu before\n", (unsigned long long)guest_information(&g).memory_bytes,
		       (unsigned long long)memory);
		return 1;
	}
	printf("mutate done: %u programs, %u ran, %u rejected\n", done, ran, rejected);
	return ran < done / 50;
}
