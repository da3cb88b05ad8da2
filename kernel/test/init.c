// SPDX-License-Identifier: Apache-2.0 OR MIT
/*
 * The first process in the emulator: mounts what the tests need, loads the module, runs the programs that /run names, a line each, unloads
 * the module, prints the kernel's log, and switches the machine off.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void load(const char *parameters)
{
	int fd = open("/carnet.ko", O_RDONLY | O_CLOEXEC);

	if (syscall(SYS_finit_module, fd, parameters, 0))
		printf("BAD load: %s\n", strerror(errno));
	close(fd);
}

static void unload(void)
{
	if (syscall(SYS_delete_module, "carnet", O_NONBLOCK))
		printf("BAD unload: %s\n", strerror(errno));
}

static void run(char *line)
{
	char *words[16] = { NULL };
	int n = 0, status;
	pid_t child;

	for (char *word = strtok(line, " "); word && n < 15; word = strtok(NULL, " "))
		words[n++] = word;
	if (!n)
		return;
	if (!strcmp(words[0], "load")) {
		load(n > 1 ? words[1] : "");
		return;
	}
	if (!strcmp(words[0], "unload")) {
		unload();
		return;
	}
	child = fork();
	if (!child) {
		execv(words[0], words);
		_exit(127);
	}
	waitpid(child, &status, 0);
	if (status)
		printf("BAD %s: ended with status %x\n", words[0], (unsigned)status);
}

int main(void)
{
	static char log[1 << 20], line[512];
	FILE *list;
	int bytes;

	mount("d", "/dev", "devtmpfs", 0, NULL);
	mount("p", "/proc", "proc", 0, NULL);
	mount("t", "/tmp", "tmpfs", 0, NULL);
	/* The console was not there before /dev was. */
	int console = open("/dev/console", O_RDWR);

	dup2(console, 0);
	dup2(console, 1);
	dup2(console, 2);
	if (console > 2)
		close(console);
	setvbuf(stdout, NULL, _IOLBF, 0);
	list = fopen("/run", "re");
	while (list && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = 0;
		run(line);
	}
	bytes = klogctl(3, log, sizeof(log) - 1);
	if (bytes > 0)
		fwrite(log, 1, (size_t)bytes, stdout);
	printf("\nend of the log\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 1;
}
