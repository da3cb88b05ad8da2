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
long carnet_no_call(const struct pt_regs *regs);
DECLARE_STATIC_CALL(carnet_read_call, carnet_no_call);
DECLARE_STATIC_CALL(carnet_write_call, carnet_no_call);
bool carnet_attend(struct carnet_state *state);

/* Direct calls, all of them; the calls that loops make most need no search for their function. */
static __always_inline s64 carnet_system_call(const u64 *registers, u32 number)
{
	const struct pt_regs *regs = (const struct pt_regs *)registers;

	if (number == __NR_read)
		return static_call(carnet_read_call)(regs);
	if (number == __NR_write)
		return static_call(carnet_write_call)(regs);
	return static_call(carnet_dispatch)(regs, number);
}

/* Whether carnet_attend() has anything to do: signals, other processes, files to be closed, the end of the time. */
static __always_inline bool carnet_wanted(u64 deadline)
{
	struct thread_info *thread = current_thread_info();

	/* All of it is looked at anew. */
	barrier();
	return unlikely(thread->flags & (_TIF_SIGPENDING | _TIF_NOTIFY_SIGNAL | _TIF_NEED_RESCHED)) ||
	       unlikely(current->task_works) || unlikely(thread->syscall_work & SYSCALL_WORK_SECCOMP) ||
	       unlikely((s64)(deadline - get_jiffies_64()) < 0);
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
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min3(a, b, c) min(min(a, b), c)
#define clamp_t(type, x, low, high) ((type)(x) < (type)(low) ? (type)(low) : min((type)(x), (type)(high)))
#define round_up(a, n) (((a) + (n) - 1) / (n) * (n))
#define ERESTARTSYS 512
#define ERESTART_RESTARTBLOCK 516
#define CARNET_REGISTERS 6
#define CARNET_PLACES { 0, 1, 2, 3, 4, 5 }

/* The program around it says what these do. */
s64 carnet_system_call(const u64 *registers, u32 number);
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
