/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT */
/*
 * What verifier and interpreter ask of what is around them: the kernel, or an ordinary program that tests them.
 */
#ifndef CARNET_HOST_H
#define CARNET_HOST_H

struct carnet_state;

#ifdef __KERNEL__

#include <linux/cache.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/task_work.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>

/* Arguments of a system call are registers of the processor: di, si, dx, r10, r8, r9. */
#define CARNET_REGISTERS (sizeof(struct pt_regs) / 8)
#define REGISTER(name) (offsetof(struct pt_regs, name) / 8)
#define CARNET_PLACES { REGISTER(di), REGISTER(si), REGISTER(dx), REGISTER(r10), REGISTER(r8), REGISTER(r9) }

DECLARE_STATIC_CALL(carnet_dispatch, x64_sys_call);
bool carnet_attend(struct carnet_state *state);

static inline s64 carnet_system_call(u64 *registers, u16 number)
{
	struct pt_regs *regs = (struct pt_regs *)registers;

	regs->orig_ax = number;
	return static_call(carnet_dispatch)(regs, number);
}

/* Whether carnet_attend() has anything to do: signals, other processes, files to be closed, the end of the time. */
static inline bool carnet_wanted(u64 deadline)
{
	struct thread_info *thread = current_thread_info();

	return unlikely((READ_ONCE(thread->flags) & (_TIF_SIGPENDING | _TIF_NOTIFY_SIGNAL | _TIF_NEED_RESCHED)) ||
			(READ_ONCE(thread->syscall_work) & SYSCALL_WORK_SECCOMP) ||
			READ_ONCE(current->task_works) || time_after64(get_jiffies_64(), deadline));
}

static inline bool carnet_signalled(void)
{
	return signal_pending(current);
}

static inline bool carnet_write(u64 address, const void *from, u32 bytes)
{
	return !copy_to_user((void __user *)address, from, bytes);
}

static inline bool carnet_read(void *to, u64 address, u32 bytes)
{
	return !copy_from_user(to, (void __user *)address, bytes);
}

/* The length of a string, which is at most `most`. */
static inline u32 carnet_length(u64 address, u32 most)
{
	long bytes = strnlen_user((char __user *)address, most + 1);

	return clamp_t(long, bytes - 1, 0, most);
}

/* Long work on the way: others run, too. */
static inline void carnet_breathe(void)
{
	cond_resched();
}

#else

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define noinline __attribute__((noinline))
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define __uninitialized
#define check_add_overflow(a, b, d) __builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d) __builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d) __builtin_mul_overflow(a, b, d)
#define array_index_nospec(index, size) ((index) < (size) ? (index) : 0)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define ERESTARTSYS 512
#define ERESTART_RESTARTBLOCK 516
#define CARNET_REGISTERS 6
#define CARNET_PLACES { 0, 1, 2, 3, 4, 5 }

/* The program around it says what these do. */
s64 carnet_system_call(u64 *registers, u16 number);
bool carnet_wanted(u64 deadline);
bool carnet_attend(struct carnet_state *state);
bool carnet_signalled(void);
bool carnet_write(u64 address, const void *from, u32 bytes);
bool carnet_read(void *to, u64 address, u32 bytes);
u32 carnet_length(u64 address, u32 most);

static inline void carnet_breathe(void)
{
}

#endif
#endif
