/* Runs a program to which the system refuses one of its calls: without CALL ERRNO PROGRAM [ARGUMENT...] */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static const struct {
    const char *name;
    unsigned number;
} CALLS[] = {
    {"eventfd2", SYS_eventfd2},
    {"futex_waitv", SYS_futex_waitv},
    {"memfd_create", SYS_memfd_create},
};

static int refuse(unsigned number, unsigned error)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **words)
{
    for (size_t at = 0; count > 3 && at < sizeof CALLS / sizeof *CALLS; at++) {
        if (strcmp(words[1], CALLS[at].name) == 0) {
            if (refuse(CALLS[at].number, (unsigned)atoi(words[2])) == 0)
                execv(words[3], words + 3);
            perror(words[1]);
            return 1;
        }
    }
    fputs("without CALL ERRNO PROGRAM [ARGUMENT...]\n", stderr);
    return 2;
}
