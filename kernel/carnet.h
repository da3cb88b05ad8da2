/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR Apache-2.0 OR MIT */
/*
 * Carnet: programs made of system calls, verified and run inside the kernel.
 *
 * What user space says to /dev/carnet. A program is Carnet bytecode (program/src/bytecode.rs is its specification)
 * whose one portal is on the interface of Linux calls. See carnet(4).
 *
 * A program's memory is two things of the caller's:
 *
 *	vars	the variable table: a word for each slot. The kernel takes from it the slots of parameters and of the
 *		time of the start, once, before the program begins; all others start as the bytecode says. When the
 *		program ends or stops, the table is written back from the first slot on that the program can change or end with, and
 *		behind it, as far as it is long enough, two words for each operation of the program: calls made, and how many of
 *		them failed.
 *	arena	the bytes of its texts. Instructions never touch it; calls are given addresses in it.
 *		First a zero byte; then all literals, in the order of their slots, each with a zero byte behind it. Then, in the order
 *		of slots, each variable that owns text: as many bytes as it can hold and one more, from a multiple of
 *		eight. Last, from a multiple of eight, 512 bytes for structs of calls. The caller writes literals and the text of parameters, with a zero byte behind each string.
 *
 * The word of a text is its area (12 bits), offset (28) and length (24), highest first; area 0 is that of the literals,
 * the owner of text number k in order of slots has area k. A parameter that is a text holds the word of its own area with
 * offset 0 and the length.
 */
#ifndef CARNET_H
#define CARNET_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define CARNET_VERSION 1

/* What became of a run. */
enum carnet_status {
	CARNET_DONE = 0,	/* detail: slot of the result, or 65535 */
	CARNET_FAILED = 1,	/* the program said `fail`; detail: slot of the message */
	CARNET_CALL_FAILED = 2,	/* at pc, and the program does not handle it; detail: errno */
	CARNET_LIMIT = 3,	/* at pc; detail: enum carnet_limit */
	CARNET_FAULT = 4,	/* at pc; detail: enum carnet_faulted */
	CARNET_STOPPED = 5,	/* by a signal, before pc; goes on with CARNET_RESUME */
	CARNET_REJECTED = 6,	/* by the verifier; nothing was run */
};

enum carnet_limit {
	CARNET_INSTRUCTIONS = 0,
	CARNET_CALLS = 1,
	CARNET_WRITES = 2,
	CARNET_WRITTEN = 3,
	CARNET_MEMORY = 4,
	CARNET_TIME = 5,
	CARNET_ROUNDS = 6,	/* entries to the body of the loop at pc */
};

enum carnet_faulted {
	CARNET_OVERFLOW = 0,
	CARNET_DIVISION = 1,
	CARNET_GONE = 2,	/* a reference outlived its text */
	CARNET_ARENA = 3,	/* the arena could not be written */
	CARNET_SECCOMP = 4,	/* the process came under seccomp while the program ran */
	CARNET_ARGUMENT = 5,	/* an argument is out of the range of its type */
	CARNET_VARIABLE = 6,	/* a variable that the caller set has no value of its type; pc: its slot */
	CARNET_CUT = 7,	/* a text has not so many bytes */
};

/* Why a program was rejected. */
enum carnet_rule {
	CARNET_RULE_NONE = 0,
	CARNET_RULE_FORMAT,	/* the bytes are no program of this version, or not all of one */
	CARNET_RULE_TABLE,	/* a table holds what it must not */
	CARNET_RULE_END,	/* control runs off the end */
	CARNET_RULE_OPERATION,	/* there is no such instruction or operation */
	CARNET_RULE_OPERANDS,	/* an operand is used that should not be */
	CARNET_RULE_TYPE,	/* a slot has another type; found and expected are types as encoded */
	CARNET_RULE_BRANCH,	/* goes where nothing may go */
	CARNET_RULE_LOOP,	/* the loop table does not nest, or a head is none */
	CARNET_RULE_BOUND,	/* a loop has no bound */
	CARNET_RULE_REGISTER,	/* no such portal register, or it holds nothing */
	CARNET_RULE_REPEAT,	/* repeats or copies too often, or not a call */
	CARNET_RULE_BLOCK,	/* the arguments of a call leave the variable table */
	CARNET_RULE_INTERFACE,	/* not the interface of Linux calls */
	CARNET_RULE_SIZE,	/* larger than this kernel allows */
};

struct carnet_fault {
	__u32 at;		/* instruction, or 4294967295: a table */
	__u16 rule;		/* enum carnet_rule */
	__u16 unsupported;	/* 1: the program may be fine, but the kernel does not run it; 0: it is unsafe */
	__u64 found;
	__u64 expected;
};

/* Budgets of a run. Each is cut by the module's own limit and by the caps in the program's header. */
struct carnet_limits {
	__u64 instructions;
	__u64 calls;
	__u64 writes;
	__u64 written;
	__u64 memory;
	__u64 time_ns;
};

struct carnet_outcome {
	__u32 status;		/* enum carnet_status */
	__u32 detail;
	__u32 pc;
	__u32 repeated;		/* calls already made of the repeat at pc */
	__u64 instructions;	/* what was used */
	__u64 calls;
	__u64 writes;
	__u64 written;
	__u64 memory;		/* bytes that texts hold now */
};

struct carnet_run {
	__u64 hash[4];		/* for BIND: SHA-256 of an installed program in four words, first bytes lowest */
	__u64 program;		/* for RUN: address of a program that is sent */
	__u32 program_bytes;
	__u32 vars_words;	/* length of vars, in words */
	__u64 vars;		/* address */
	__u64 arena;		/* address, of as many bytes as the program says */
	__u64 arena_bytes;
	__u64 limits;		/* address of struct carnet_limits, or 0: the module's */
	__u64 token;		/* 0; the kernel writes it when a signal stops the program, and RESUME takes it; or when BIND is done */
	struct carnet_outcome outcome;	/* written by the kernel */
	__u64 fault;		/* address of struct carnet_fault that a rejection is written to, or 0 */
};

struct carnet_install {
	__u64 program;
	__u32 program_bytes;
	__u32 mode;		/* of 0111: which of owner, group and others may run it */
	__u64 hash[4];		/* written by the kernel */
	__u64 fault;		/* as above */
};

struct carnet_remove {
	__u64 hash[4];
};

struct carnet_information {
	__u32 version;
	__u32 installed;	/* programs in the table */
	__u32 installed_max;
	__u32 program_bytes_max;
	__u64 memory_bytes;	/* held by the module for programs and stopped runs */
	__u64 runs;		/* begun since the module was loaded */
	__u64 running;		/* now */
	__u64 stopped;		/* by signals, and not resumed yet */
	__u32 syscall_number;	/* of interp(), or 0 */
	__u32 operations;	/* that programs may call */
};

#define CARNET_IOC 0xc7
#define CARNET_RUN		_IOWR(CARNET_IOC, 1, struct carnet_run)	/* or lseek(device, address, SEEK_END) */
#define CARNET_RUN_INSTALLED	_IO(CARNET_IOC, 2)	/* the argument is the token that BIND wrote; or lseek(device, token, SEEK_SET) */
#define CARNET_RESUME		_IOWR(CARNET_IOC, 3, struct carnet_run)
#define CARNET_DISCARD		_IOW(CARNET_IOC, 4, __u64)
#define CARNET_INSTALL		_IOWR(CARNET_IOC, 5, struct carnet_install)
#define CARNET_REMOVE		_IOW(CARNET_IOC, 6, struct carnet_remove)
#define CARNET_INFORMATION	_IOR(CARNET_IOC, 7, struct carnet_information)
#define CARNET_BIND		_IOWR(CARNET_IOC, 8, struct carnet_run)

#endif
