// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * Runs the shared cases in the emulator, each in a process and a directory of its own, sent and installed, and prints what became of it:
 *
 *	case K WAY: STATUS DETAIL PC INSTRUCTIONS CALLS WRITES WRITTEN MEMORY : variables and counts : OFFSET=TEXT of each area
 */
#include <sys/wait.h>

#include "guest.h"

struct head {
	uint32_t program, variables, arena, used;
	struct carnet_limits limits;
} __attribute__((packed));

static void run(const uint8_t *bytes, uint32_t k, int installed)
{
	const struct head *head = (const void *)bytes;
	const uint8_t *program = bytes + sizeof(*head);
	size_t size = 8ull * (head->variables + head->arena);
	struct carnet_layout layout;
	struct carnet_limits limits = head->limits;
	struct carnet_fault fault;
	struct carnet_run run;
	uint64_t *variables;
	char folder[32];
	int device;

	snprintf(folder, sizeof(folder), "/tmp/%u.%d", k, installed);
	if (mkdir(folder, 0700) || chdir(folder))
		guest_fail("mkdir", folder);
	variables = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	memcpy(variables, program + head->program, 8ull * (head->variables + head->used));
	/* Descriptors begin at 3, as in a session of the service. */
	device = fcntl(open("/dev/carnet", O_RDWR | O_CLOEXEC), F_DUPFD_CLOEXEC, 100);
	for (int fd = 3; fd < 100; fd++)
		close(fd);
	if (carnet_lay_out(program, head->program, &layout) || layout.words != head->variables || layout.arena_bytes != 8ull * head->arena)
		guest_fail("lay out", folder);
	carnet_ask(program, head->program, &layout, variables, &run);
	run.limits = (uintptr_t)&limits;
	run.fault = (uintptr_t)&fault;
	if (installed) {
		struct carnet_install install = { .program = run.program, .program_bytes = run.program_bytes, .mode = 0111, .fault = run.fault };

		if (ioctl(device, CARNET_INSTALL, &install))
			guest_fail("install", folder);
		memcpy(run.hash, install.hash, sizeof(run.hash));
		if (ioctl(device, CARNET_BIND, &run))
			guest_fail("bind", folder);
	}
	if (installed ? ioctl(device, CARNET_RUN_INSTALLED, run.token) : ioctl(device, CARNET_RUN, &run)) {
		printf("BAD case %u: %s, rule %u at %u, found %llx expected %llx\n", k, strerror(errno), fault.rule, fault.at, fault.found,
		       fault.expected);
		exit(1);
	}
	if (installed && ioctl(device, CARNET_REMOVE, run.hash))
		guest_fail("remove", folder);
	printf("case %u %s: %u %u %u %llu %llu %llu %llu %llu :", k, installed ? "installed" : "sent", run.outcome.status, run.outcome.detail,
	       run.outcome.pc, run.outcome.instructions, run.outcome.calls, run.outcome.writes, run.outcome.written, run.outcome.memory);
	for (uint32_t i = 0; i < layout.words; i++)
		printf(" %llx", (unsigned long long)variables[i]);
	printf(" :");
	for (uint32_t slot = 0; slot < layout.slots; slot++) {
		uint64_t offset = 0;
		uint32_t room, length = variables[slot] & 0xffffff;

		if (!carnet_area(&layout, slot, &room, &offset) || !length)
			continue;
		printf(" %llu=", (unsigned long long)offset);
		for (uint32_t i = 0; i < length && i < 4096; i++)
			printf("%02x", carnet_arena(&layout, variables)[offset + i]);
	}
	printf("\n");
	exit(0);
}

int main(int count, char **words)
{
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int k = 0; count > 1 && k < atoi(words[1]); k++) {
		uint8_t *bytes;
		struct stat is;
		char name[32];
		int fd;

		snprintf(name, sizeof(name), "/cases/%d", k);
		fd = open(name, O_RDONLY);
		if (fd < 0 || fstat(fd, &is))
			guest_fail("open", name);
		bytes = malloc((size_t)is.st_size);
		if (read(fd, bytes, (size_t)is.st_size) != is.st_size)
			guest_fail("read", name);
		close(fd);
		for (int installed = 0; installed < 2; installed++) {
			pid_t child = fork();

			if (!child)
				run(bytes, (uint32_t)k, installed);
			waitpid(child, &status, 0);
			if (status)
				printf("BAD case %d: ended with status %x\n", k, (unsigned)status);
		}
		free(bytes);
	}
	return 0;
}
