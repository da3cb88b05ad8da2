// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Tests of the module in the emulator, each in a process of its own: what programs in the kernel must not get wrong, and what the
 * device must not believe. Prints "ok NAME" or "BAD NAME: what" for each.
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "guest.h"

#define CHECK(holds) do { \
		if (!(holds)) { \
			printf("BAD %s: line %d: %s (errno %d)\n", test, __LINE__, #holds, errno); \
			exit(1); \
		} \
	} while (0)

static const char *test;
static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
	(void)number;
	alarms++;
}

static void handle(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };

	sigaction(SIGALRM, &action, NULL);
}

static void alarm_in(int milliseconds)
{
	struct itimerval in = { .it_value = { .tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000 } };

	CHECK(!setitimer(ITIMER_REAL, &in, NULL));
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void load(struct guest *g, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/programs/%s.cnb", name);
	guest_load(g, path);
}

static int64_t result(const struct guest *g)
{
	return ((int64_t *)g->vars)[g->run.outcome.detail];
}

static int waiting(int fd)
{
	int n = 0;

	CHECK(!ioctl(fd, FIONREAD, &n));
	return n;
}

static void prepare_drain(struct guest *g)
{
	int ends[2];

	CHECK(!pipe(ends));
	load(g, "drain");
	guest_set(g, 1, ends[1]);
	guest_set(g, 2, ends[0]);
}

/* A process in which a program runs that does not end by itself. */
static pid_t running(struct guest *g, const char *name)
{
	cpu_set_t first;
	pid_t child;

	/* Both on one processor: nobody else makes a program give way. */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	CHECK(!sched_setaffinity(0, sizeof(first), &first));
	load(g, name);
	guest_set(g, 1, 1000000000);
	child = fork();
	if (!child) {
		ioctl(g->device, CARNET_RUN, &g->run);
		_exit(1);
	}
	while (!guest_information(g).running)
		sched_yield();
	return child;
}

/* 1: the end of a file that was closed does not wait for the end of the program. */
static void deferred_close(void)
{
	struct guest g;

	prepare_drain(&g);
	handle(0);
	/* It is stopped by this if it waits. */
	alarm_in(60 * 1000);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(!alarms && g.run.outcome.status == CARNET_DONE && result(&g) == 0);
}

static void prepare_wait(struct guest *g, int marks[2], int ends[2])
{
	CHECK(!pipe(marks) && !pipe(ends));
	load(g, "wait");
	guest_set(g, 1, marks[1]);
	guest_set(g, 2, ends[0]);
	CHECK(!carnet_set_text(&g->layout, g->vars, 3, "m", 1));
}

/* 2: a handler with SA_RESTART: the caller sees nothing of the signal, and each call is made once. */
static int restart_writer;

static void write_then(int number)
{
	(void)number;
	alarms++;
	/* On the second signal the program can go on. */
	if (alarms == 2 && write(restart_writer, "abc", 3) != 3)
		_exit(9);
	if (alarms == 1)
		alarm_in(50);
}

static void signal_restarts(void)
{
	struct sigaction action = { .sa_handler = write_then, .sa_flags = SA_RESTART };
	struct guest g;
	int marks[2], ends[2];

	prepare_wait(&g, marks, ends);
	restart_writer = ends[1];
	sigaction(SIGALRM, &action, NULL);
	alarm_in(50);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(alarms == 2 && g.run.outcome.status == CARNET_DONE && result(&g) == 3);
	CHECK(waiting(marks[0]) == 2 && g.run.outcome.calls == 3 && !g.run.token);
	CHECK(guest_information(&g).stopped == 0);
}

/* 31: a program is sent by a seek as by an ioctl: a signal stops it, and it goes on with its token; what is wrong is told. */
static void sent_by_seek(void)
{
	int marks[2], ends[2];
	struct guest g;

	prepare_wait(&g, marks, ends);
	restart_writer = ends[1];
	CHECK(!sigaction(SIGALRM, &(struct sigaction){ .sa_handler = write_then, .sa_flags = SA_RESTART }, NULL));
	alarm_in(50);
	CHECK(!carnet_run(g.device, &g.run));
	CHECK(alarms == 2 && g.run.outcome.status == CARNET_DONE && result(&g) == 3);
	CHECK(waiting(marks[0]) == 2 && g.run.outcome.calls == 3 && !g.run.token);
	handle(0);
	alarm_in(50);
	CHECK(carnet_run(g.device, &g.run) == -1 && errno == EINTR && g.run.outcome.status == CARNET_STOPPED && g.run.token);
	CHECK(write(ends[1], "x", 1) == 1);
	CHECK(!carnet_run(g.device, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 1 && !g.run.token);
	CHECK(guest_information(&g).stopped == 0);
	CHECK(lseek(g.device, 8, SEEK_END) == -1 && errno == EFAULT);
	CHECK(lseek(g.device, -8, SEEK_END) == -1 && errno == EFAULT);
	CHECK(lseek(g.device, (off_t)(uintptr_t)&g.run, SEEK_DATA) == -1 && errno == ESPIPE);
	g.program[0] ^= 1;
	CHECK(carnet_run(g.device, &g.run) == -1 && errno == ENOEXEC && g.run.outcome.status == CARNET_REJECTED);
	CHECK(g.fault.rule == CARNET_RULE_FORMAT);
}

/* 3: a handler without it: EINTR, and a token that resumes exactly once. */
static void signal_interrupts(void)
{
	struct guest g;
	int marks[2], ends[2];
	uint64_t token;

	prepare_wait(&g, marks, ends);
	handle(0);
	alarm_in(50);
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EINTR);
	CHECK(g.run.outcome.status == CARNET_STOPPED && g.run.token && waiting(marks[0]) == 1);
	CHECK(g.run.outcome.calls == 1);
	token = g.run.token;
	CHECK(guest_information(&g).stopped == 1);
	CHECK(write(ends[1], "ab", 2) == 2);
	CHECK(!ioctl(g.device, CARNET_RESUME, &g.run));
	CHECK(g.run.outcome.status == CARNET_DONE && result(&g) == 2 && waiting(marks[0]) == 2);
	CHECK(g.run.outcome.calls == 3 && !g.run.token);
	g.run.token = token;
	CHECK(ioctl(g.device, CARNET_RESUME, &g.run) == -1 && errno == ENOENT);
	g.run.token = 0;
	CHECK(ioctl(g.device, CARNET_RESUME, &g.run) == -1 && errno == ENOENT);
	CHECK(guest_information(&g).stopped == 0);
}

/* 4: nanosleep says -516 inside; the program sees EINTR, the caller EINTR or nothing, nobody a number of the kernel's own. */
static void timed_call(int flags)
{
	struct guest g;

	load(&g, "doze");
	guest_set(&g, 1, 20);
	handle(flags);
	alarm_in(50);
	if (ioctl(g.device, CARNET_RUN, &g.run)) {
		CHECK(errno == EINTR && !flags && g.run.outcome.status == CARNET_STOPPED);
		CHECK(!ioctl(g.device, CARNET_RESUME, &g.run));
	}
	CHECK(alarms == 1 && g.run.outcome.status == CARNET_DONE && result(&g) == 4);
}

static void timed_call_interrupted(void) { timed_call(0); }
static void timed_call_restarts(void) { timed_call(SA_RESTART); }

/* 5: a stopped process that is continued goes on by itself. */
static void stop_and_continue(void)
{
	int marks[2], ends[2], status;
	struct guest g;
	pid_t child;

	prepare_wait(&g, marks, ends);
	child = fork();
	if (!child) {
		if (ioctl(g.device, CARNET_RUN, &g.run))
			_exit(1);
		_exit(g.run.outcome.status == CARNET_DONE && result(&g) == 1 ? 0 : 2);
	}
	while (waiting(marks[0]) < 1)
		sched_yield();
	kill(child, SIGSTOP);
	CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	kill(child, SIGCONT);
	CHECK(write(ends[1], "x", 1) == 1);
	CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK(waiting(marks[0]) == 2);
}

/* 6: a program that only computes, or only calls, neither starves others nor outlives SIGKILL. */
static void killed(const char *name)
{
	struct guest g;
	pid_t child = running(&g, name);
	int status;
	long begun;

	begun = now_ms();
	for (int k = 0; k < 100; k++)
		sched_yield();
	CHECK(guest_information(&g).running == 1);
	kill(child, SIGKILL);
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHECK(now_ms() - begun < 5000);
	CHECK(guest_information(&g).running == 0 && guest_information(&g).stopped == 0);
}

static void killed_computing(void) { killed("spin"); }
static void killed_calling(void) { killed("spincalls"); }

/* 7: handlers run in the middle of a loop without calls, and it goes on with what it had. */
static void signal_in_a_loop(void)
{
	struct guest g;

	load(&g, "spin");
	guest_set(&g, 1, 20000000);
	handle(SA_RESTART);
	alarm_in(30);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(alarms == 1 && g.run.outcome.status == CARNET_DONE && result(&g) == 20000000);
}

/* 8: limits of time, calls and instructions stop it. */
static void limits(void)
{
	struct carnet_limits limits = { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, 50 * 1000 * 1000ull };
	struct guest g;

	load(&g, "spin");
	guest_set(&g, 1, 1000000000);
	g.run.limits = (uintptr_t)&limits;
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_LIMIT && g.run.outcome.detail == CARNET_TIME);
	limits.time_ns = ~0ull;
	limits.instructions = 1000;
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_LIMIT && g.run.outcome.detail == CARNET_INSTRUCTIONS);
	CHECK(g.run.outcome.instructions <= 1000);
	g.run.limits = 8;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EFAULT);
}

static void no_getppid(unsigned int flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, code };

	CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	CHECK(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
}

/* 9: a process under seccomp runs no programs: its filter would see none of their calls. */
static void seccomp_refused(void)
{
	struct guest g;

	load(&g, "nothing");
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	no_getppid(0);
	CHECK(syscall(SYS_getppid) == -1 && errno == 77);
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EPERM);
	g.run.token = 1;
	CHECK(ioctl(g.device, CARNET_RESUME, &g.run) == -1 && errno == EPERM);
}

static void *run_in_thread(void *of)
{
	struct guest *g = of;

	ioctl(g->device, CARNET_RUN, &g->run);
	return NULL;
}

/* 10: nor does one go on that comes under it. */
static void seccomp_while_running(void)
{
	pthread_t thread;
	struct guest g;

	load(&g, "spincalls");
	guest_set(&g, 1, 1000000000);
	CHECK(!pthread_create(&thread, NULL, run_in_thread, &g));
	while (!guest_information(&g).running)
		sched_yield();
	no_getppid(SECCOMP_FILTER_FLAG_TSYNC);
	CHECK(!pthread_join(thread, NULL));
	CHECK(g.run.outcome.status == CARNET_FAULT && g.run.outcome.detail == CARNET_SECCOMP);
}

/* 11: a program may close the device that it runs on. */
static void closes_its_device(void)
{
	struct guest g;

	load(&g, "closes");
	guest_set(&g, 1, g.device);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_DONE && result(&g) == getpid());
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EBADF);
}

/* 12: what is no call of the interface cannot be named; the program is not supported, rather than unsafe. */
static void unknown_call(void)
{
	struct guest g;
	uint32_t code;

	load(&g, "drain");
	code = carnet_u32(g.program + 36);
	g.program[48 + 16 * code] ^= 1;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC);
	CHECK(g.run.outcome.status == CARNET_REJECTED && g.fault.rule == CARNET_RULE_OPERATION && g.fault.unsupported == 1);
	g.program[48 + 16 * code] ^= 1;
	/* A branch back to no head of a loop is unsafe. */
	memset(g.program + 48 + 16, 0, 16);
	g.program[48 + 16] = 2;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC);
	CHECK(g.fault.rule == CARNET_RULE_BRANCH && !g.fault.unsupported && g.fault.at == 1 && !g.fault.found);
}

/* 32: any number may come back from a call; those that mean something to the interpreter alone are errors like others that are none. */
static void any_value_comes_back(void)
{
	struct guest g;
	int memory;

	load(&g, "seeks");
	memory = open("/proc/self/mem", O_RDONLY);
	CHECK(memory >= 0);
	guest_set(&g, 1, memory);
	for (int64_t value = -4100; value <= -4090; value++) {
		guest_set(&g, 2, value);
		CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE && g.run.outcome.calls == 1);
		/* Its handler runs from -4095 on: the kind is EIO. */
		CHECK(result(&g) == (value < -4095 ? 0 : -1));
	}
}

static int replaced, replacement;

static void replace(int number)
{
	(void)number;
	dup2(replacement, replaced);
}

/* 33: a stopped run in whose device's place another file is says so, by either way. */
static void stopped_behind_another_file(void)
{
	for (int seek = 0; seek < 2; seek++) {
		int marks[2], ends[2], status;
		struct guest g;
		pid_t child;

		prepare_wait(&g, marks, ends);
		replaced = g.device;
		replacement = open("/init", O_RDONLY);
		CHECK(!sigaction(SIGALRM, &(struct sigaction){ .sa_handler = replace, .sa_flags = SA_RESTART }, NULL));
		child = fork();
		if (!child) {
			/* Once it runs. */
			while (!waiting(marks[0]))
				sched_yield();
			_exit(kill(getppid(), SIGALRM));
		}
		CHECK((seek ? carnet_run(g.device, &g.run) : ioctl(g.device, CARNET_RUN, &g.run)) == -1 && errno == ENOTTY);
		CHECK(g.run.outcome.status == CARNET_STOPPED && waiting(marks[0]) == 1);
		CHECK(waitpid(child, &status, 0) == child && !status);
	}
}

/* 13: strings, literals and structs. */
static void texts_and_structs(void)
{
	struct guest g;

	CHECK(!chdir("/tmp"));
	load(&g, "paths");
	CHECK(!carnet_set_text(&g.layout, g.vars, 1, "a-name", 6));
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_DONE);
	CHECK(result(&g) == 706);
}

/* 14: everything that the device is told may be wrong. */
static void hostile_requests(void)
{
	struct carnet_run good;
	struct guest g;

	load(&g, "drain");
	good = g.run;
#define REFUSED(change, with) do { \
		g.run = good; \
		change; \
		CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == (with)); \
	} while (0)
	REFUSED(g.run.program = 8, EFAULT);
	REFUSED(g.run.program = 0xffff800000000000, EFAULT);
	REFUSED(g.run.program_bytes = 0, ENOEXEC);
	REFUSED(g.run.program_bytes = 47, ENOEXEC);
	REFUSED(g.run.program_bytes--, ENOEXEC);
	REFUSED(g.run.program_bytes = 0xffffffff, ENOEXEC);
	REFUSED(g.run.vars_words = 0, EINVAL);
	REFUSED(g.run.vars = 8, EFAULT);
	REFUSED(g.run.vars = 0xffff888000000000, EFAULT);
	REFUSED(g.run.arena_bytes = 0, EINVAL);
	REFUSED(g.run.arena += 1, EINVAL);
	REFUSED(g.run.arena = 0xffffffff80000000, EFAULT);
	REFUSED(g.run.arena = 0xfffffffffffffff8, EFAULT);
	REFUSED(g.run.arena = 0xfffffffffff000, EFAULT);
	REFUSED(g.run.limits = 0xffff888000000000, EFAULT);
	REFUSED(g.run.token = 77, ENOENT);
	REFUSED(g.run.fault = 8; g.run.program_bytes = 3, EFAULT);
#undef REFUSED
	CHECK(ioctl(g.device, CARNET_RUN, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(g.device, CARNET_RUN, (void *)0xffff888000000000) == -1 && errno == EFAULT);
	CHECK(ioctl(g.device, CARNET_RUN_INSTALLED, &good) == -1 && errno == ENOENT);
	CHECK(ioctl(g.device, CARNET_RUN_INSTALLED, 0) == -1 && errno == ENOENT);
	CHECK(ioctl(g.device, CARNET_RUN_INSTALLED, -1l) == -1 && errno == ENOENT);
	CHECK(lseek(g.device, 0, SEEK_SET) == -1 && errno == ENOENT);
	CHECK(lseek(g.device, -1, SEEK_SET) == -1 && errno == ENOENT);
	CHECK(lseek(g.device, 0, SEEK_CUR) == -1 && errno == ESPIPE);
	CHECK(ioctl(g.device, CARNET_BIND, &good) == -1 && errno == ENOENT);
	CHECK(ioctl(g.device, CARNET_BIND, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(g.device, CARNET_INSTALL, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(g.device, CARNET_DISCARD, &good.token) == -1 && errno == ENOENT);
	CHECK(ioctl(g.device, CARNET_REMOVE, good.hash) == -1 && errno == ENOENT);
	/* Lengths may be larger than what is used of them. */
	load(&g, "nothing");
	g.run.vars_words = 0xffffffff;
	g.run.arena_bytes = ~0ull;
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE);
	CHECK(ioctl(g.device, _IO(CARNET_IOC, 99), &good) == -1 && errno == ENOTTY);
	CHECK(ioctl(g.device, _IOWR(CARNET_IOC, 1, int), &good) == -1 && errno == ENOTTY);
}

static volatile int racing;

static void *race(void *of)
{
	struct guest *g = of;
	uint32_t at = 0x2545f491;

	while (racing) {
		at ^= at << 13, at ^= at >> 17, at ^= at << 5;
		((uint8_t *)&g->run)[at % 72] ^= at >> 24;
		g->program[at / 7 % g->bytes] ^= at >> 20 & 0xff;
		((uint64_t *)g->vars)[at / 3 % g->layout.words] = at;
		sched_yield();
	}
	return NULL;
}

static time_t seconds_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - began->tv_sec;
}

/* 15: a thread changes request, program and variables while they are read. */
static void racing_thread(void)
{
	struct guest g, good;
	struct carnet_information before;
	struct timespec began;
	uint8_t *program;
	pthread_t thread;

	/* Until it is changed it reads from there, which must not wait however much it is to read. */
	CHECK(dup2(open("/dev/null", O_RDWR), 0) == 0);
	load(&g, "nothing");
	before = guest_information(&g);
	guest_end(&g);
	load(&g, "copy");
	load(&good, "copy");
	program = malloc(g.bytes);
	memcpy(program, g.program, g.bytes);
	racing = 1;
	CHECK(!pthread_create(&thread, NULL, race, &g));
	/* As often as a slow machine gets to in some seconds. */
	clock_gettime(CLOCK_MONOTONIC, &began);
	for (int k = 0; k < 20000 && (k < 500 || seconds_since(&began) < 8); k++) {
		g.run = good.run;
		g.run.program = (uintptr_t)g.program;
		memcpy(g.program, program, g.bytes);
		if (k & 1)
			ioctl(g.device, CARNET_RUN, &g.run);
		else
			carnet_run(g.device, &g.run);
		if (k % 4 == 0)
			sched_yield();
	}
	racing = 0;
	CHECK(!pthread_join(thread, NULL));
	close(g.device);
	CHECK(guest_information(&good).running == 0);
	CHECK(guest_information(&good).memory_bytes == before.memory_bytes);
}

/* 16: stopped runs of one file are bounded, discarded by name, and end with the file; another process cannot take them. */
static void stopped_runs(void)
{
	int marks[2], ends[2], status, n;
	uint64_t memory, tokens[64];
	struct guest g, other;
	pid_t child;

	load(&other, "nothing");
	memory = guest_information(&other).memory_bytes;
	prepare_wait(&g, marks, ends);
	handle(0);
	for (n = 0; n < 64; n++) {
		g.run.token = 0;
		alarm_in(5);
		CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1);
		if (errno == EBUSY)
			break;
		CHECK(errno == EINTR);
		tokens[n] = g.run.token;
	}
	CHECK(n == 32 && guest_information(&other).stopped == 32);
	CHECK(guest_information(&other).memory_bytes > memory);
	/* What was sent goes on by CARNET_RESUME alone. */
	CHECK(lseek(g.device, (off_t)tokens[5], SEEK_SET) == -1 && errno == ENOENT);
	CHECK(ioctl(g.device, CARNET_RUN_INSTALLED, tokens[5]) == -1 && errno == ENOENT);
	CHECK(guest_information(&other).stopped == 32);
	child = fork();
	if (!child)
		_exit(ioctl(g.device, CARNET_DISCARD, &tokens[3]) == -1 && errno == ENOENT ? 0 : 1);
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(!ioctl(g.device, CARNET_DISCARD, &tokens[3]));
	CHECK(ioctl(g.device, CARNET_DISCARD, &tokens[3]) == -1 && errno == ENOENT);
	CHECK(guest_information(&other).stopped == 31);
	close(g.device);
	CHECK(guest_information(&other).stopped == 0 && guest_information(&other).memory_bytes == memory);
}

/* A name of its own for a program: its own name stands before those of its interface. */
static struct carnet_install another(struct guest *g, int number)
{
	g->program[g->bytes - 20] = 'a' + number % 26;
	g->program[g->bytes - 19] = 'a' + number / 26;
	return (struct carnet_install){ .program = (uintptr_t)g->program, .program_bytes = g->bytes, .mode = 0100 };
}

/* 17: installed programs serve others as their mode says, are bounded, and are removed by owner or administrator. */
static void installed(void)
{
	struct carnet_install install;
	struct guest g, other, look;
	uint64_t memory;
	int status;
	pid_t child;

	load(&look, "nothing");
	memory = guest_information(&look).memory_bytes;
	load(&g, "nothing");
	guest_install(&g);
	guest_install(&g);
	CHECK(guest_information(&g).installed == 1);
	CHECK(!guest_run_installed(&g) && g.run.outcome.status == CARNET_DONE);
	child = fork();
	if (!child) {
		CHECK(!setgid(7) && !setuid(7));
		CHECK(!ioctl(g.device, CARNET_BIND, &g.run));
		CHECK(!ioctl(g.device, CARNET_RUN_INSTALLED, g.run.token) && g.run.outcome.status == CARNET_DONE);
		CHECK(ioctl(g.device, CARNET_REMOVE, g.run.hash) == -1 && errno == EACCES);
		/* Of one user no more than so many. */
		for (int k = 0; k < 33; k++) {
			install = another(&g, k);
			if (ioctl(g.device, CARNET_INSTALL, &install))
				break;
		}
		CHECK(errno == ENOSPC && guest_information(&g).installed == 33);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	install = (struct carnet_install){ .program = (uintptr_t)g.program, .program_bytes = g.bytes, .mode = 0100 };
	CHECK(!ioctl(g.device, CARNET_INSTALL, &install));
	child = fork();
	if (!child) {
		CHECK(!setgid(7) && !setuid(7));
		CHECK(ioctl(g.device, CARNET_BIND, &g.run) == -1 && errno == EACCES);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	install.mode = 0777;
	CHECK(ioctl(g.device, CARNET_INSTALL, &install) == -1 && errno == EINVAL);
	/* One that runs is removed, and ends by itself. */
	load(&other, "spin");
	guest_set(&other, 1, 3000000);
	guest_install(&other);
	child = fork();
	if (!child)
		_exit(ioctl(other.device, CARNET_BIND, &other.run) || ioctl(other.device, CARNET_RUN_INSTALLED, other.run.token) ||
		      other.run.outcome.status != CARNET_DONE);
	while (!guest_information(&g).running)
		sched_yield();
	CHECK(!ioctl(g.device, CARNET_REMOVE, other.run.hash));
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(guest_run_installed(&other) == -1 && errno == ENOENT);
	CHECK(ioctl(other.device, CARNET_BIND, &other.run) == -1 && errno == ENOENT);
	CHECK(!ioctl(g.device, CARNET_REMOVE, g.run.hash));
	/* The administrator removes what user 7 has left. */
	for (int k = 0; k < 32; k++) {
		install = another(&g, k);
		CHECK(!ioctl(g.device, CARNET_INSTALL, &install));
		CHECK(!ioctl(g.device, CARNET_REMOVE, install.hash));
	}
	close(g.device);
	close(other.device);
	CHECK(guest_information(&look).installed == 0 && guest_information(&look).memory_bytes == memory);
}

/* 18: the module stays while a program runs. */
static void no_unload(void)
{
	struct guest g;
	pid_t child = running(&g, "spin");
	int status;

	close(g.device);
	CHECK(syscall(SYS_delete_module, "carnet", O_NONBLOCK) == -1 && errno == EAGAIN);
	kill(child, SIGKILL);
	CHECK(waitpid(child, &status, 0) == child);
}

/* 19: the call of the paper, and its way to say what went wrong. */
static void papers_call(void)
{
	struct guest g;

	prepare_drain(&g);
	CHECK(!interp(g.program, g.vars, (int)g.bytes, (int)g.layout.bytes, 0));
	guest_set(&g, 1, 99);
	CHECK(interp(g.program, g.vars, (int)g.bytes, (int)g.layout.bytes, 0) == -1 && errno == EBADF);
	CHECK(interp(g.program, g.vars, (int)g.bytes, 8, 0) == -1 && errno == EINVAL);
	CHECK(interp(g.program, g.vars, (int)g.bytes, (int)g.layout.bytes, 4) == -1 && errno == EINVAL);
	memset(g.program + 48, 0xee, 16);
	CHECK(interp(g.program, g.vars, (int)g.bytes, (int)g.layout.bytes, 0) == -1 && errno == ENOEXEC);
}

/* 20: an argument outside of its type's range is no other number. */
static void argument_ranges(void)
{
	struct guest g;

	load(&g, "drain");
	guest_set(&g, 1, 1ll << 32);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_FAULT && g.run.outcome.detail == CARNET_ARGUMENT);
}

static void *run_bound(void *of)
{
	guest_run_installed(of);
	return NULL;
}

/* 21: a bound program is of the process that bound it, runs once at a time, and goes on where a signal stopped it. */
static void bound(void)
{
	struct guest g, look;
	struct carnet_run bad;
	int marks[2], ends[2], status;
	uint64_t memory;
	pthread_t thread;
	pid_t child;

	load(&look, "nothing");
	memory = guest_information(&look).memory_bytes;
	prepare_wait(&g, marks, ends);
	guest_install(&g);
	child = fork();
	if (!child) {
		CHECK(guest_run_installed(&g) == -1 && errno == ENOENT);
		CHECK(ioctl(g.device, CARNET_DISCARD, &g.bound) == -1 && errno == ENOENT);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(!pthread_create(&thread, NULL, run_bound, &g));
	while (waiting(marks[0]) < 1)
		sched_yield();
	CHECK(guest_run_installed(&g) == -1 && errno == EBUSY);
	CHECK(lseek(g.device, (off_t)g.bound, SEEK_SET) == -1 && errno == EBUSY);
	CHECK(ioctl(g.device, CARNET_DISCARD, &g.bound) == -1 && errno == EBUSY);
	g.run.token = g.bound;
	CHECK(ioctl(g.device, CARNET_RESUME, &g.run) == -1 && errno == EBUSY);
	CHECK(write(ends[1], "ab", 2) == 2);
	CHECK(!pthread_join(thread, NULL) && g.run.outcome.status == CARNET_DONE && result(&g) == 2);
	/* Nothing stopped it: it is not resumed, but begins again. */
	CHECK(ioctl(g.device, CARNET_RESUME, &g.run) == -1 && errno == ENOENT);
	CHECK(write(ends[1], "abc", 3) == 3);
	CHECK(!lseek(g.device, (off_t)g.bound, SEEK_SET) && g.run.outcome.status == CARNET_DONE && result(&g) == 3);
	CHECK(waiting(marks[0]) == 4);
	for (int seek = 0; seek < 2; seek++) {
		handle(0);
		alarms = 0;
		alarm_in(50);
		CHECK((seek ? lseek(g.device, (off_t)g.bound, SEEK_SET) : guest_run_installed(&g)) == -1 && errno == EINTR);
		CHECK(g.run.outcome.status == CARNET_STOPPED && waiting(marks[0]) == 5 + 4 * seek && guest_information(&g).stopped == 1);
		/* It is not resumed with memory that is not the caller's, and keeps what it had. */
		bad = g.run;
		bad.token = g.bound;
		bad.vars = 0xffff888000000000;
		CHECK(ioctl(g.device, CARNET_RESUME, &bad) == -1 && errno == EFAULT);
		bad.vars = g.run.vars;
		bad.arena = 0xffff888000000000;
		CHECK(ioctl(g.device, CARNET_RESUME, &bad) == -1 && errno == EFAULT);
		CHECK(write(ends[1], "a", 1) == 1);
		CHECK(!(seek ? guest_run_installed(&g) : ioctl(g.device, CARNET_RESUME, &g.run)));
		CHECK(g.run.outcome.status == CARNET_DONE && result(&g) == 1 && g.run.outcome.calls == 3);
		CHECK(waiting(marks[0]) == 6 + 4 * seek && !guest_information(&g).stopped);
		/* With SA_RESTART the caller notices nothing. */
		alarms = 0;
		restart_writer = ends[1];
		CHECK(!sigaction(SIGALRM, &(struct sigaction){ .sa_handler = write_then, .sa_flags = SA_RESTART }, NULL));
		alarm_in(50);
		CHECK(!(seek ? lseek(g.device, (off_t)g.bound, SEEK_SET) : guest_run_installed(&g)));
		CHECK(alarms == 2 && g.run.outcome.status == CARNET_DONE && result(&g) == 3 && waiting(marks[0]) == 8 + 4 * seek);
	}
	CHECK(!ioctl(g.device, CARNET_DISCARD, &g.bound));
	CHECK(guest_run_installed(&g) == -1 && errno == ENOENT);
	/* A file has so many tokens, and all end with it. */
	for (status = 0; !ioctl(g.device, CARNET_BIND, &g.run); status++)
		;
	CHECK(errno == EBUSY && status == 32);
	CHECK(!ioctl(g.device, CARNET_REMOVE, g.run.hash));
	close(g.device);
	CHECK(guest_information(&look).memory_bytes == memory && !guest_information(&look).stopped);
}

/* 22: the device ends under a program that a signal stops: nothing is left to go on with, and nothing of it is used. */
static void ends_under_its_program(void)
{
	for (int restart = 0; restart < 2; restart++) {
		struct guest g, look;
		uint64_t memory;
		int ends[2];

		load(&look, "nothing");
		memory = guest_information(&look).memory_bytes;
		CHECK(!pipe(ends));
		load(&g, "closewait");
		guest_set(&g, 1, g.device);
		guest_set(&g, 2, ends[1]);
		guest_set(&g, 3, ends[0]);
		alarms = 0;
		handle(restart ? SA_RESTART : 0);
		alarm_in(50);
		CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == (restart ? EBADF : EINTR) && alarms == 1);
		CHECK(g.run.outcome.status == CARNET_STOPPED && g.run.outcome.calls == 2);
		CHECK(guest_information(&look).memory_bytes == memory && !guest_information(&look).stopped);
		guest_end(&look);
	}
}

/* 22: the same if a ring of io_uring closes it, as work that was put off until the program had written. */
static void ring_closes_its_device(void)
{
	struct io_uring_params params = { 0 };
	int marks[2], ends[2], ring;
	struct io_uring_sqe *sqes;
	struct guest g, look;
	unsigned int *slots;
	uint64_t memory;
	uint8_t *queue;

	load(&look, "nothing");
	memory = guest_information(&look).memory_bytes;
	prepare_wait(&g, marks, ends);
	ring = (int)syscall(SYS_io_uring_setup, 4, &params);
	CHECK(ring >= 0);
	queue = mmap(NULL, params.sq_off.array + 4 * sizeof(*slots), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	sqes = mmap(NULL, 4 * sizeof(*sqes), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
	CHECK(queue != MAP_FAILED && sqes != MAP_FAILED);
	sqes[0] = (struct io_uring_sqe){ .opcode = IORING_OP_POLL_ADD, .flags = IOSQE_IO_LINK, .fd = marks[0], .poll32_events = POLLIN };
	sqes[1] = (struct io_uring_sqe){ .opcode = IORING_OP_CLOSE, .fd = g.device };
	slots = (unsigned int *)(queue + params.sq_off.array);
	slots[0] = 0;
	slots[1] = 1;
	__atomic_store_n((unsigned int *)(queue + params.sq_off.tail), 2, __ATOMIC_RELEASE);
	CHECK(syscall(SYS_io_uring_enter, ring, 2, 0, 0, NULL, 0) == 2);
	/* It is interrupted to do the work, and begins anew behind it: the device is not there then. */
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EBADF);
	CHECK(g.run.outcome.status == CARNET_STOPPED && g.run.outcome.calls == 1 && waiting(marks[0]) == 1);
	CHECK(guest_information(&look).memory_bytes == memory && !guest_information(&look).stopped);
	CHECK(!guest_information(&look).running);
}

/* 4: the time for which a signal stops a program is none of its own. */
static void long_stop(void)
{
	struct carnet_limits limits = { ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, 2000 * 1000 * 1000ull };
	struct timespec pause = { .tv_sec = 2, .tv_nsec = 200 * 1000 * 1000 };
	int marks[2], ends[2];
	struct guest g;

	prepare_wait(&g, marks, ends);
	g.run.limits = (uintptr_t)&limits;
	handle(0);
	alarm_in(50);
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EINTR && g.run.outcome.status == CARNET_STOPPED);
	CHECK(!nanosleep(&pause, NULL));
	CHECK(write(ends[1], "x", 1) == 1);
	CHECK(!ioctl(g.device, CARNET_RESUME, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 1);
	CHECK(waiting(marks[0]) == 2);
}

/* 17: a bound program that a signal has stopped ends what it has begun, also if it is removed meanwhile; then it is gone. */
static void removed_while_stopped(void)
{
	for (int seek = 0; seek < 2; seek++) {
		int marks[2], ends[2];
		struct guest g;

		prepare_wait(&g, marks, ends);
		guest_install(&g);
		handle(0);
		alarm_in(50);
		CHECK(guest_run_installed(&g) == -1 && errno == EINTR && g.run.outcome.status == CARNET_STOPPED);
		CHECK(!ioctl(g.device, CARNET_REMOVE, g.run.hash));
		CHECK(write(ends[1], "x", 1) == 1);
		CHECK(!(seek ? lseek(g.device, (off_t)g.bound, SEEK_SET) : guest_run_installed(&g)));
		CHECK(g.run.outcome.status == CARNET_DONE && result(&g) == 1 && waiting(marks[0]) == 2);
		CHECK(guest_run_installed(&g) == -1 && errno == ENOENT);
		CHECK(lseek(g.device, (off_t)g.bound, SEEK_SET) == -1 && errno == ENOENT);
		CHECK(!guest_information(&g).stopped);
		guest_end(&g);
	}
}

/* 23: what is sent again is run again, wherever its memory is; what differs in a byte is looked at anew. */
static void sent_again(void)
{
	struct guest g, other, small;
	uint64_t first;

	CHECK(!chdir("/tmp"));
	load(&g, "paths");
	load(&other, "paths");
	other.device = g.device;
	CHECK(!carnet_set_text(&g.layout, g.vars, 1, "one", 3));
	CHECK(!carnet_set_text(&other.layout, other.vars, 1, "another", 7));
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && result(&g) == 703);
	first = guest_information(&g).memory_bytes;
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && result(&g) == 703);
	CHECK(!ioctl(g.device, CARNET_RUN, &other.run) && result(&other) == 707);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && result(&g) == 703);
	CHECK(guest_information(&g).memory_bytes == first);
	for (uint32_t at = 0; at < g.bytes; at++) {
		g.program[at] ^= 0x80;
		/* Names of programs may have any letters; other texts need more memory. */
		if (ioctl(g.device, CARNET_RUN, &g.run))
			CHECK(errno == ENOEXEC || errno == EINVAL);
		else
			CHECK(result(&g) == 703 || g.run.outcome.status != CARNET_DONE);
		g.program[at] ^= 0x80;
	}
	/* One that ended early has left its files. */
	unlink("here");
	unlink("one");
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && result(&g) == 703);
	/* In the memory of the one before, whether it is longer or shorter, and has more slots or fewer. */
	load(&small, "nothing");
	load(&other, "seeks");
	small.device = other.device = g.device;
	guest_set(&other, 1, -1);
	first = guest_information(&g).memory_bytes;
	for (int k = 0; k < 3; k++) {
		CHECK(!ioctl(g.device, CARNET_RUN, &small.run) && small.run.outcome.status == CARNET_DONE);
		CHECK(!ioctl(g.device, CARNET_RUN, &other.run) && result(&other) == -1);
		CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && result(&g) == 703);
		CHECK(guest_information(&g).memory_bytes == first);
	}
}

/* 24: a call in the manner of 32 bits is none of the device's. */
static void call_of_32_bits(void)
{
	struct guest g;
	long ret;

	load(&g, "nothing");
	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(54), "b"(g.device), "c"(CARNET_RUN), "d"(0) : "memory");
	CHECK(ret == -ENOTTY);
	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(19), "b"(g.device), "c"(0), "d"(SEEK_END) : "memory");
	CHECK(ret == -ESPIPE);
}

/* What is bound has a token that is an address, too, at which there is a request. */
static void nests_by_number(void)
{
	struct carnet_run *at;
	struct guest g;

	load(&g, "seeks");
	do {
		guest_install(&g);
		if (g.bound >= 1 << 17)
			break;
		CHECK(!ioctl(g.device, CARNET_DISCARD, &g.bound));
	} while (1);
	at = mmap((void *)(g.bound & ~4095ull), 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	CHECK(at != MAP_FAILED);
	at = (struct carnet_run *)(uintptr_t)g.bound;
	*at = g.run;
	guest_set(&g, 1, g.device);
	guest_set(&g, 2, (int64_t)g.bound);
	for (int whence = 0; whence <= 2; whence += 2) {
		guest_set(&g, 3, whence);
		CHECK(!carnet_run(g.device, at) && at->outcome.status == CARNET_DONE);
		g.run.outcome = at->outcome;
		CHECK(result(&g) == 29);
		CHECK(!lseek(g.device, (off_t)g.bound, SEEK_SET) && g.run.outcome.status == CARNET_DONE);
		/* By a seek to its own token it is told that it is busy. */
		CHECK(result(&g) == (whence ? 29 : -1));
	}
}

/* Opens a parameter of the module for writing. */
static int module_parameter(const char *name)
{
	char path[100];
	int parameter;

	if (mkdir("/tmp/sys", 0700))
		CHECK(errno == EEXIST);
	snprintf(path, sizeof(path), "/tmp/sys/module/carnet/parameters/%s", name);
	if (access(path, F_OK))
		CHECK(!mount("s", "/tmp/sys", "sysfs", 0, NULL));
	parameter = open(path, O_WRONLY);
	CHECK(parameter >= 0);
	return parameter;
}

/* A program is small, or it is refused before any of it is copied: 256 KiB, or as the module's parameter says. */
static void program_size(void)
{
	const uint32_t most = 256 << 10;
	struct carnet_install install;
	struct guest g, look;
	char less[12];
	uint8_t *large;
	uint64_t memory;
	int parameter = module_parameter("program_bytes_max");

	load(&look, "nothing");
	memory = guest_information(&look).memory_bytes;
	CHECK(guest_information(&look).program_bytes_max == most);
	load(&g, "nothing");
	large = calloc(1, most + 1);
	CHECK(large);
	memcpy(large, g.program, g.bytes);
	install = (struct carnet_install){
		.program = (uintptr_t)large, .program_bytes = most + 1, .mode = 0111, .fault = (uintptr_t)&g.fault
	};
	g.run.program = (uintptr_t)large;
	/* What is behind a program of this size is looked at, and is no part of it. */
	g.run.program_bytes = most;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC && g.fault.rule == CARNET_RULE_FORMAT);
	g.run.program_bytes = most + 1;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC);
	CHECK(g.fault.rule == CARNET_RULE_SIZE && g.fault.found == most + 1 && g.fault.expected == most);
	g.fault.rule = CARNET_RULE_NONE;
	CHECK(ioctl(g.device, CARNET_INSTALL, &install) == -1 && errno == ENOEXEC && g.fault.rule == CARNET_RULE_SIZE);
	/* Nothing of it is there: the address is not looked at. */
	g.run.program = 8;
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC && g.fault.rule == CARNET_RULE_SIZE);
	g.run.program = (uintptr_t)g.program;
	g.run.program_bytes = g.bytes;
	CHECK(write(parameter, less, snprintf(less, sizeof(less), "%u", g.bytes - 1)) > 0);
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC && g.fault.expected == g.bytes - 1);
	CHECK(write(parameter, less, snprintf(less, sizeof(less), "%u", g.bytes)) > 0);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE);
	CHECK(write(parameter, "262144", 6) == 6);
	close(g.device);
	CHECK(guest_information(&look).memory_bytes == memory);
}

/* 29: no way in is open to a process under seccomp, unless the module's parameter says so. */
static void seccomp_everywhere(void)
{
	struct carnet_install install;
	struct guest g;
	int parameter;

	load(&g, "nothing");
	guest_install(&g);
	install = (struct carnet_install){ .program = (uintptr_t)g.program, .program_bytes = g.bytes, .mode = 0111 };
	parameter = module_parameter("allow_seccomp");
	no_getppid(0);
	CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == EPERM);
	CHECK(carnet_run(g.device, &g.run) == -1 && errno == EPERM);
	CHECK(ioctl(g.device, CARNET_BIND, &g.run) == -1 && errno == EPERM);
	CHECK(guest_run_installed(&g) == -1 && errno == EPERM);
	CHECK(lseek(g.device, (off_t)g.bound, SEEK_SET) == -1 && errno == EPERM);
	CHECK(ioctl(g.device, CARNET_INSTALL, &install) == -1 && errno == EPERM);
	CHECK(write(parameter, "1", 1) == 1);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && !carnet_run(g.device, &g.run) && !guest_run_installed(&g));
	CHECK(!lseek(g.device, (off_t)g.bound, SEEK_SET) && !ioctl(g.device, CARNET_INSTALL, &install));
	CHECK(write(parameter, "0", 1) == 1);
	CHECK(guest_run_installed(&g) == -1 && errno == EPERM);
	CHECK(!ioctl(g.device, CARNET_REMOVE, g.run.hash));
}

static void *send_many(void *given)
{
	struct guest *g = given;

	for (int k = 0; k < 3000; k++) {
		int error = k & 1 ? carnet_run(g->device, &g->run) : ioctl(g->device, CARNET_RUN, &g->run);

		if (error || g->run.outcome.status != CARNET_DONE || (g->bound && result(g) != (int64_t)g->bound))
			return g;
	}
	return NULL;
}

/* 30: threads that send different programs on one file have a place each; a long one is never kept. */
static void threads_send(void)
{
	pthread_t threads[3];
	struct guest g[3];
	uint64_t memory;
	void *bad;

	load(&g[0], "nothing");
	memory = guest_information(&g[0]).memory_bytes;
	load(&g[1], "seeks");
	guest_set(&g[1], 1, -1);
	g[1].bound = (uint64_t)-1;
	load(&g[2], "long");
	CHECK(g[2].bytes > 4096);
	g[2].bound = (uint64_t)getpid();
	g[1].device = g[2].device = g[0].device;
	for (int k = 0; k < 3; k++)
		CHECK(!pthread_create(&threads[k], NULL, send_many, &g[k]));
	for (int k = 0; k < 3; k++)
		CHECK(!pthread_join(threads[k], &bad) && !bad);
	CHECK(!carnet_run(g[2].device, &g[2].run) && result(&g[2]) == getpid());
	CHECK(guest_information(&g[0]).memory_bytes == memory);
	CHECK(!carnet_run(g[0].device, &g[0].run));
	close(g[0].device);
	load(&g[0], "nothing");
	CHECK(guest_information(&g[0]).memory_bytes == memory);
}

/* 27: what is rejected is gone at once, however much of it comes. */
static void rejected_and_gone(void)
{
	const uint32_t bytes = 200 << 10;
	struct guest g, huge;
	uint8_t *long_one;

	load(&g, "nothing");
	long_one = calloc(1, bytes);
	memcpy(long_one, g.program, g.bytes);
	g.run.program = (uintptr_t)long_one;
	g.run.program_bytes = bytes;
	/* 0.8 GB in all, of a machine that has 256 MB. */
	for (int k = 0; k < 1000; k++)
		CHECK(ioctl(g.device, CARNET_RUN, &g.run) == -1 && errno == ENOEXEC);
	g.run.program = (uintptr_t)g.program;
	g.run.program_bytes = g.bytes;
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE);
	/* So is what was installed and removed; and what was sent and is too long to be kept. */
	load(&huge, "huge");
	CHECK(huge.bytes > 90 << 10);
	for (int k = 0; k < 600; k++) {
		guest_install(&huge);
		CHECK(!ioctl(huge.device, CARNET_REMOVE, huge.run.hash) && !ioctl(huge.device, CARNET_DISCARD, &huge.bound));
	}
	for (int k = 0; k < 100; k++)
		CHECK(!ioctl(huge.device, CARNET_RUN, &huge.run) && huge.run.outcome.status == CARNET_DONE);
}

/* 28: only who has opened the file sends by a seek; whoever was handed it, or has none of the device's, is told. */
static void sent_by_whom(void)
{
	int status, null = open("/dev/null", O_RDWR);
	struct guest g;
	pid_t child;

	load(&g, "nothing");
	CHECK(!lseek(g.device, (off_t)(uintptr_t)&g.run, SEEK_END) && g.run.outcome.status == CARNET_DONE);
	child = fork();
	if (!child) {
		int is_told = lseek(g.device, (off_t)(uintptr_t)&g.run, SEEK_END) == -1 && errno == ESPIPE;

		/* An ioctl says what it wants. */
		_exit(!(is_told && !carnet_run(g.device, &g.run) && g.run.outcome.status == CARNET_DONE));
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
	CHECK(carnet_run(null, &g.run) == -1 && errno == ENOTTY);
}

/* 25: a program that seeks to a token runs nothing: the kernel's stack is short. */
static void runs_do_not_nest(void)
{
	struct guest g, other;

	load(&other, "spin");
	guest_install(&other);
	load(&g, "seeks");
	guest_set(&g, 1, other.device);
	guest_set(&g, 2, (int64_t)other.bound);
	CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
	guest_install(&g);
	CHECK(!guest_run_installed(&g) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
	CHECK(!lseek(g.device, (off_t)g.bound, SEEK_SET) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
	/* Nor one that would be sent: another one, and itself, by this file and another. */
	guest_set(&g, 3, SEEK_END);
	for (int k = 0; k < 4; k++) {
		guest_set(&g, 1, k & 1 ? g.device : other.device);
		guest_set(&g, 2, (int64_t)(uintptr_t)(k & 2 ? &g.run : &other.run));
		CHECK(!carnet_run(g.device, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
		CHECK(!ioctl(g.device, CARNET_RUN, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
		CHECK(!guest_run_installed(&g) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
		CHECK(!lseek(g.device, (off_t)g.bound, SEEK_SET) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
	}
	/* Nor one bound, from one that was sent. */
	guest_set(&g, 1, g.device);
	guest_set(&g, 2, (int64_t)g.bound);
	guest_set(&g, 3, SEEK_SET);
	CHECK(!carnet_run(g.device, &g.run) && g.run.outcome.status == CARNET_DONE && result(&g) == 29);
	/* A request whose address is a token. */
	nests_by_number();
	CHECK(!ioctl(g.device, CARNET_REMOVE, g.run.hash) && !ioctl(g.device, CARNET_REMOVE, other.run.hash));
}

/* 26: the same by a number of its own, with which a signal restarts it as well. */
static void by_number(void)
{
	struct guest g;
	int marks[2], ends[2];

	CHECK(syscall(399) == -1 && errno == ENOSYS);
	CHECK(syscall(400, 0, CARNET_RUN, NULL) == -1 && errno == EBADF);
	CHECK(syscall(400, 999, CARNET_RUN, NULL) == -1 && errno == EBADF);
	load(&g, "closes");
	CHECK(guest_information(&g).syscall_number == 400);
	guest_set(&g, 1, 999);
	CHECK(!syscall(400, g.device, CARNET_RUN, &g.run));
	CHECK(g.run.outcome.status == CARNET_CALL_FAILED && g.run.outcome.detail == EBADF);
	guest_end(&g);
	prepare_wait(&g, marks, ends);
	restart_writer = ends[1];
	CHECK(sigaction(SIGALRM, &(struct sigaction){ .sa_handler = write_then, .sa_flags = SA_RESTART }, NULL) == 0);
	alarm_in(50);
	CHECK(!syscall(400, g.device, CARNET_RUN, &g.run));
	CHECK(alarms == 2 && g.run.outcome.status == CARNET_DONE && result(&g) == 3 && waiting(marks[0]) == 2);
	/* With it the module stays loaded. */
	close(g.device);
	CHECK(syscall(SYS_delete_module, "carnet", O_NONBLOCK) == -1 && errno == EAGAIN);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "deferred_close", deferred_close }, { "signal_restarts", signal_restarts }, { "signal_interrupts", signal_interrupts },
	{ "timed_call_interrupted", timed_call_interrupted }, { "timed_call_restarts", timed_call_restarts },
	{ "stop_and_continue", stop_and_continue }, { "killed_computing", killed_computing }, { "killed_calling", killed_calling },
	{ "signal_in_a_loop", signal_in_a_loop }, { "limits", limits }, { "seccomp_refused", seccomp_refused },
	{ "seccomp_while_running", seccomp_while_running }, { "closes_its_device", closes_its_device },
	{ "unknown_call", unknown_call }, { "texts_and_structs", texts_and_structs }, { "hostile_requests", hostile_requests },
	{ "racing_thread", racing_thread }, { "stopped_runs", stopped_runs }, { "installed", installed }, { "no_unload", no_unload },
	{ "papers_call", papers_call }, { "argument_ranges", argument_ranges },
	{ "bound", bound }, { "ends_under_its_program", ends_under_its_program },
	{ "ring_closes_its_device", ring_closes_its_device }, { "long_stop", long_stop }, { "removed_while_stopped", removed_while_stopped }, { "sent_again", sent_again },
	{ "call_of_32_bits", call_of_32_bits }, { "runs_do_not_nest", runs_do_not_nest }, { "sent_by_seek", sent_by_seek },
	{ "any_value_comes_back", any_value_comes_back },
	{ "stopped_behind_another_file", stopped_behind_another_file }, { "rejected_and_gone", rejected_and_gone }, { "seccomp_everywhere", seccomp_everywhere }, { "threads_send", threads_send }, { "sent_by_whom", sent_by_whom },
	{ "program_size", program_size },
};

int main(int count, char **words)
{
	int bad = 0, status;

	(void)words;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (count > 1) {
		test = "by_number";
		by_number();
		printf("ok by_number\nnumber done\n");
		return 0;
	}
	for (size_t k = 0; k < sizeof(tests) / sizeof(tests[0]); k++) {
		pid_t child = fork();

		if (!child) {
			test = tests[k].name;
			/* One that hangs is ended by this. */
			struct sigevent wake = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
			struct itimerspec in = { .it_value = { .tv_sec = 120 } };
			timer_t timer;

			CHECK(!timer_create(CLOCK_MONOTONIC, &wake, &timer) && !timer_settime(timer, 0, &in, NULL));
			tests[k].run();
			exit(0);
		}
		waitpid(child, &status, 0);
		if (status)
			printf("BAD %s: ended with status %x\n", tests[k].name, (unsigned)status);
		else
			printf("ok %s\n", tests[k].name);
		bad += !!status;
	}
	printf("gotchas done, %d bad\n", bad);
	return !!bad;
}
