/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the tests in the emulator share: a program from a file, ready to run. */
#ifndef GUEST_H
#define GUEST_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "../carnet_user.h"

struct guest {
	int device;
	uint8_t *program;
	uint32_t bytes;
	struct carnet_layout layout;
	void *vars;
	struct carnet_run run;
	struct carnet_fault fault;
	uint64_t bound;		/* token of the installed program */
};

static inline void guest_fail(const char *what, const char *name)
{
	printf("BAD %s %s: %s\n", what, name, strerror(errno));
	exit(1);
}

static inline void guest_load(struct guest *g, const char *name)
{
	int fd = open(name, O_RDONLY);
	struct stat is;

	memset(g, 0, sizeof(*g));
	if (fd < 0 || fstat(fd, &is))
		guest_fail("open", name);
	g->bytes = (uint32_t)is.st_size;
	g->program = malloc(g->bytes);
	if (read(fd, g->program, g->bytes) != (ssize_t)g->bytes || carnet_lay_out(g->program, g->bytes, &g->layout))
		guest_fail("read", name);
	close(fd);
	/* The pages of what is never touched are never there. */
	g->vars = mmap(NULL, g->layout.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (g->vars == MAP_FAILED)
		guest_fail("map", name);
	g->device = open("/dev/carnet", O_RDWR | O_CLOEXEC);
	if (g->device < 0)
		guest_fail("open", "/dev/carnet");
	carnet_prepare(&g->layout, g->vars);
	carnet_ask(g->program, g->bytes, &g->layout, g->vars, &g->run);
	g->run.fault = (uintptr_t)&g->fault;
}

static inline void guest_set(struct guest *g, uint32_t param, int64_t value)
{
	if (carnet_set(&g->layout, g->vars, param, value))
		guest_fail("set", "a parameter");
}

/* Installs the program, and binds it to the memory and the outcome of `g`. */
static inline void guest_install(struct guest *g)
{
	struct carnet_install install = { .program = (uintptr_t)g->program, .program_bytes = g->bytes, .mode = 0111, .fault = (uintptr_t)&g->fault };

	if (ioctl(g->device, CARNET_INSTALL, &install))
		guest_fail("install", "");
	memcpy(g->run.hash, install.hash, sizeof(install.hash));
	if (ioctl(g->device, CARNET_BIND, &g->run))
		guest_fail("bind", "");
	g->bound = g->run.token;
	g->run.token = 0;
}

static inline int guest_run_installed(struct guest *g)
{
	return ioctl(g->device, CARNET_RUN_INSTALLED, g->bound);
}

static inline void guest_end(struct guest *g)
{
	close(g->device);
	munmap(g->vars, g->layout.bytes);
	free(g->program);
}

static inline struct carnet_information guest_information(const struct guest *g)
{
	struct carnet_information is;

	if (ioctl(g->device, CARNET_INFORMATION, &is))
		guest_fail("information", "");
	return is;
}

#endif
