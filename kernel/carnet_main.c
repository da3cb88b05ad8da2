// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT
/*
 * /dev/carnet: runs programs that processes send or have installed, as carnet.h says.
 *
 * A program makes the system calls that its process could make, with its rights and its descriptors; what is saved is the
 * way into the kernel. So it hands out no rights, with one exception that is closed here: a filter of seccomp looks at
 * the way in alone, and programs of processes that have one are refused.
 *
 *	ioctl -> copied in once -> verified, or found in the table -> carnet_interpret() -> copied out once
 *	                                                              | a signal: the state stays with the open file, under
 *	                                                              v a token, and the ioctl begins anew with it
 *
 * Memory across a call: the state of a run may be on the heap, since nothing that programs can call ends the thread.
 */
#include <crypto/sha2.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/slab.h>

#include "carnet_program.h"

MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("Runs programs made of system calls");

static uint device_mode = 0600;
module_param(device_mode, uint, 0444);
MODULE_PARM_DESC(device_mode, "permissions of /dev/carnet");
static uint installed_max = 256;
module_param(installed_max, uint, 0644);
MODULE_PARM_DESC(installed_max, "programs in the table");
static uint installed_user_max = 32;
module_param(installed_user_max, uint, 0644);
MODULE_PARM_DESC(installed_user_max, "programs of one user in the table");
static uint program_bytes_max = 256 << 10;
module_param(program_bytes_max, uint, 0644);
MODULE_PARM_DESC(program_bytes_max, "bytes of one program");
static uint stopped_max = 16;
module_param(stopped_max, uint, 0644);
MODULE_PARM_DESC(stopped_max, "runs of one open file that signals have stopped");
static unsigned long long instructions_max = 1000 * 1000 * 1000;
module_param(instructions_max, ullong, 0644);
static unsigned long long calls_max = 1000 * 1000;
module_param(calls_max, ullong, 0644);
static unsigned long long written_max = 1ull << 40;
module_param(written_max, ullong, 0644);
static unsigned long long memory_max = 64 << 20;
module_param(memory_max, ullong, 0644);
static unsigned long long time_ms_max = 30 * 1000;
module_param(time_ms_max, ullong, 0644);
static bool allow_seccomp;
module_param(allow_seccomp, bool, 0644);
MODULE_PARM_DESC(allow_seccomp, "run programs of processes under seccomp, whose filters then see none of their calls");
static uint syscall_number;
module_param(syscall_number, uint, 0444);
MODULE_PARM_DESC(syscall_number, "an unused number to answer to, as well: interp(fd, command, argument); 0 for none");

/* A program, counted by whoever runs it; in the table, or alone with one run that was stopped. */
struct held_program {
	struct hlist_node node;
	struct rcu_head rcu;
	refcount_t count;
	kuid_t owner;
	kgid_t group;
	u32 mode;
	size_t bytes;
	u64 hash[4];
	struct carnet_program program;	/* and what lies behind it */
};

/* A run that a signal stopped. */
struct stopped_run {
	struct list_head node;
	u64 token;
	struct pid *process;
	struct held_program *program;
	struct carnet_limits limits;	/* as it began, for what was used */
	struct carnet_state state;
	size_t bytes;
	u64 slots[];
};

struct session {
	struct mutex lock;
	struct list_head stopped;
	u32 stopped_number;
};

static DEFINE_HASHTABLE(table, 8);
static DEFINE_MUTEX(table_lock);
static u32 installed;
static atomic64_t held_bytes, runs, running, stopped_runs;

static long no_dispatch(const struct pt_regs *regs, unsigned int number)
{
	return -ENOSYS;
}

DEFINE_STATIC_CALL(carnet_dispatch, no_dispatch);
static void (*run_task_work)(void);

static void *hold(size_t bytes)
{
	void *memory = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);

	if (memory)
		atomic64_add(bytes, &held_bytes);
	return memory;
}

static void let_go(void *memory, size_t bytes)
{
	atomic64_sub(bytes, &held_bytes);
	kvfree(memory);
}

static void put_program(struct held_program *program)
{
	if (!program || !refcount_dec_and_test(&program->count))
		return;
	atomic64_sub(program->bytes, &held_bytes);
	kvfree_rcu(program, rcu);
}

static bool may_run(const struct held_program *program)
{
	const struct cred *cred = current_cred();

	if (uid_eq(program->owner, cred->fsuid))
		return program->mode & 0100;
	return program->mode & (in_group_p(program->group) ? 0010 : 0001);
}

static bool is_hash(const u64 *a, const u64 *b)
{
	return !((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]));
}

/* An installed program of this hash that the caller may run. */
static struct held_program *find_program(const u64 *hash)
{
	struct held_program *program, *found = ERR_PTR(-ENOENT);

	rcu_read_lock();
	hlist_for_each_entry_rcu(program, &table[hash[0] & (HASH_SIZE(table) - 1)], node) {
		if (!is_hash(program->hash, hash))
			continue;
		found = ERR_PTR(-EACCES);
		if (may_run(program) && refcount_inc_not_zero(&program->count)) {
			found = program;
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

/* Between two calls, and at each round of a loop, if carnet_wanted(). */
bool carnet_attend(struct carnet_state *state)
{
	if (current_thread_info()->syscall_work & SYSCALL_WORK_SECCOMP && !allow_seccomp) {
		state->status = CARNET_FAULT;
		state->detail = CARNET_SECCOMP;
		return true;
	}
	/*
	 * What a call has put off until the process is back in user mode, above all the end of files that were closed. The flag that
	 * asks for it stays set: others rely on it (restartable sequences).
	 */
	if (task_work_pending(current))
		run_task_work();
	cond_resched();
	if (signal_pending(current)) {
		state->status = CARNET_STOPPED;
		state->restart = -ERESTARTSYS;
		return true;
	}
	if (time_after64(get_jiffies_64(), state->deadline)) {
		state->status = CARNET_LIMIT;
		state->detail = CARNET_TIME;
		return true;
	}
	return false;
}

/* What the caller said, fetched once. */
struct request {
	u64 hash[4], program, vars, arena, arena_bytes, limits, token;
	u32 program_bytes, vars_words;
};

static int fetch_request(struct request *r, const struct carnet_run __user *from)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(r->hash[0], &from->hash[0], failed);
	unsafe_get_user(r->hash[1], &from->hash[1], failed);
	unsafe_get_user(r->hash[2], &from->hash[2], failed);
	unsafe_get_user(r->hash[3], &from->hash[3], failed);
	unsafe_get_user(r->program, &from->program, failed);
	unsafe_get_user(r->program_bytes, &from->program_bytes, failed);
	unsafe_get_user(r->vars_words, &from->vars_words, failed);
	unsafe_get_user(r->vars, &from->vars, failed);
	unsafe_get_user(r->arena, &from->arena, failed);
	unsafe_get_user(r->arena_bytes, &from->arena_bytes, failed);
	unsafe_get_user(r->limits, &from->limits, failed);
	unsafe_get_user(r->token, &from->token, failed);
	user_read_access_end();
	return 0;
failed:
	user_read_access_end();
	return -EFAULT;
}

/* The module's limits, and what a program's header allows, once for all its runs. */
static void cut_caps(struct carnet_limits *caps)
{
	caps->instructions = min(instructions_max, 1ull << 62);
	caps->calls = min(caps->calls, calls_max);
	caps->writes = min(caps->writes, calls_max);
	caps->written = min(caps->written, written_max);
	caps->memory = memory_max;
	caps->time_ns = min(caps->time_ns, time_ms_max * NSEC_PER_MSEC);
}

static noinline int ask_less(struct carnet_limits *limits, u64 address)
{
	struct carnet_limits asked;

	if (copy_from_user(&asked, (void __user *)address, sizeof(asked)))
		return -EFAULT;
	limits->instructions = min(limits->instructions, asked.instructions);
	limits->calls = min(limits->calls, asked.calls);
	limits->writes = min(limits->writes, asked.writes);
	limits->written = min(limits->written, asked.written);
	limits->memory = min(limits->memory, asked.memory);
	limits->time_ns = min(limits->time_ns, asked.time_ns);
	return 0;
}

/* Writes outcome and variables. */
static int write_back(const struct request *r, struct carnet_run __user *to, const struct carnet_program *program,
		      const struct carnet_state *state, const struct carnet_limits *limits)
{
	u32 words = min(r->vars_words, program->slots_number + 2 * program->operations_number), k;
	u64 __user *vars = (u64 __user *)r->vars;
	struct carnet_outcome __user *outcome = &to->outcome;

	if (!user_write_access_begin(outcome, sizeof(*outcome)))
		return -EFAULT;
	unsafe_put_user(state->status, &outcome->status, failed);
	unsafe_put_user(state->detail, &outcome->detail, failed);
	unsafe_put_user(state->pc, &outcome->pc, failed);
	unsafe_put_user(state->repeated, &outcome->repeated, failed);
	unsafe_put_user(limits->instructions - state->instructions_left, &outcome->instructions, failed);
	unsafe_put_user(limits->calls - state->calls_left, &outcome->calls, failed);
	unsafe_put_user(limits->writes - state->writes_left, &outcome->writes, failed);
	unsafe_put_user(limits->written - state->written_left, &outcome->written, failed);
	unsafe_put_user(state->memory, &outcome->memory, failed);
	user_write_access_end();
	if (words > 64)
		return copy_to_user(vars, state->slots, words * sizeof(u64)) ? -EFAULT : 0;
	if (!words)
		return 0;
	if (!user_write_access_begin(vars, words * sizeof(u64)))
		return -EFAULT;
	for (k = 0; k < words; k++)
		unsafe_put_user(state->slots[k], &vars[k], failed);
	user_write_access_end();
	return 0;
failed:
	user_write_access_end();
	return -EFAULT;
}

static void end_stopped(struct stopped_run *run)
{
	atomic64_dec(&stopped_runs);
	put_program(run->program);
	put_pid(run->process);
	let_go(run, run->bytes);
}

/* The stopped run of this token, which nobody else can have any more. */
static struct stopped_run *take_stopped(struct session *session, u64 token)
{
	struct stopped_run *run, *found = NULL;

	mutex_lock(&session->lock);
	list_for_each_entry(run, &session->stopped, node) {
		if (run->token == token && run->process == task_tgid(current)) {
			list_del(&run->node);
			session->stopped_number--;
			found = run;
			break;
		}
	}
	mutex_unlock(&session->lock);
	return found;
}

static int keep(struct session *session, struct stopped_run *run)
{
	bool full;

	mutex_lock(&session->lock);
	full = session->stopped_number >= stopped_max;
	if (!full) {
		session->stopped_number++;
		list_add(&run->node, &session->stopped);
	}
	mutex_unlock(&session->lock);
	return full ? -EBUSY : 0;
}

/*
 * Makes a stopped run of one that began on the stack: with its variables, and with its program if that was only sent.
 */
static struct stopped_run *save(struct held_program *program, const struct carnet_program *sent, size_t sent_bytes,
				const struct carnet_state *state, const struct carnet_limits *limits)
{
	const struct carnet_program *from = program ? &program->program : sent;
	size_t words = from->slots_number + 2 * from->operations_number, bytes;
	struct stopped_run *run;

	bytes = struct_size(run, slots, words + 1);
	run = hold(bytes);
	if (!run)
		return NULL;
	if (!program) {
		size_t held = offsetof(struct held_program, program) + sent_bytes;
		ptrdiff_t by;

		program = hold(held);
		if (!program) {
			let_go(run, bytes);
			return NULL;
		}
		memset(program, 0, offsetof(struct held_program, program));
		refcount_set(&program->count, 1);
		program->bytes = held;
		memcpy((void *)program + offsetof(struct held_program, program), sent, sent_bytes);
		by = (char *)&program->program - (char *)sent;
		program->program.code = (void *)((char *)sent->code + by);
		program->program.image = (void *)((char *)sent->image + by);
		program->program.operations = (void *)((char *)sent->operations + by);
		program->program.areas = (void *)((char *)sent->areas + by);
		program->program.given = (void *)((char *)sent->given + by);
	} else {
		refcount_inc(&program->count);
	}
	run->bytes = bytes;
	run->program = program;
	run->process = get_pid(task_tgid(current));
	run->limits = *limits;
	run->state = *state;
	run->state.slots = run->slots;
	memcpy(run->slots, state->slots, words * sizeof(u64));
	atomic64_inc(&stopped_runs);
	return run;
}

/* A stopped run stays with the session, and the caller is told its token. */
static long suspend(struct session *session, struct stopped_run *run, const struct request *r, struct carnet_run __user *to)
{
	s32 restart = run->state.restart;
	int error;

	do
		run->token = get_random_u64();
	while (!run->token);
	error = write_back(r, to, &run->program->program, &run->state, &run->limits);
	if (!error)
		error = put_user(run->token, &to->token);
	if (!error)
		error = keep(session, run);
	if (!error)
		return restart;
	end_stopped(run);
	return error;
}

static bool is_filtered(void)
{
	return READ_ONCE(current_thread_info()->syscall_work) & SYSCALL_WORK_SECCOMP && !allow_seccomp;
}

static int check_memory(const struct request *r, const struct carnet_program *program)
{
	if (r->vars_words < program->slots_number)
		return -EINVAL;
	if (r->arena_bytes < program->arena_bytes || r->arena & 7)
		return -EINVAL;
	return access_ok((void __user *)r->arena, program->arena_bytes) ? 0 : -EFAULT;
}

#define SMALL_WORDS 64

/* Runs a program from its beginning. One that was only sent has no holder. */
static long run_program(struct session *session, const struct request *r, struct carnet_run __user *to,
			struct held_program *holder, const struct carnet_program *program, size_t program_bytes)
{
	u64 small[SMALL_WORDS] __uninitialized, given[SMALL_WORDS / 2] __uninitialized, *many = NULL, *from = given;
	size_t words = program->slots_number + 2 * program->operations_number + 1;
	const u64 __user *vars = (const u64 __user *)r->vars;
	struct carnet_state state __uninitialized;
	struct carnet_limits limits __uninitialized;
	struct stopped_run *run;
	long error;
	u32 k;

	error = check_memory(r, program);
	limits = program->caps;
	if (unlikely(r->limits) && !error)
		error = ask_less(&limits, r->limits);
	if (error)
		return error;
	state.slots = small;
	if (words > SMALL_WORDS || program->given_number > ARRAY_SIZE(given)) {
		many = hold((words + program->given_number) * sizeof(u64));
		if (!many)
			return -ENOMEM;
		state.slots = many;
		from = many + words;
	}
	if (program->given_number) {
		error = -EFAULT;
		if (!user_read_access_begin(vars, program->slots_number * sizeof(u64)))
			goto out;
		for (k = 0; k < program->given_number; k++)
			unsafe_get_user(from[k], &vars[program->given[k].slot], unreadable);
		user_read_access_end();
	}
	state.arena = r->arena;
	state.instructions_left = limits.instructions;
	state.calls_left = limits.calls;
	state.writes_left = limits.writes;
	state.written_left = limits.written;
	state.memory_max = limits.memory;
	state.deadline = get_jiffies_64() + nsecs_to_jiffies64(limits.time_ns) + 1;
	if (carnet_begin(program, &state, from))
		carnet_interpret(program, &state);
	if (likely(state.status != CARNET_STOPPED)) {
		error = write_back(r, to, program, &state, &limits);
		goto out;
	}
	error = -EINTR;
	if (fatal_signal_pending(current))
		goto out;
	run = save(holder, program, program_bytes, &state, &limits);
	error = run ? suspend(session, run, r, to) : -ENOMEM;
out:
	if (many)
		let_go(many, (words + program->given_number) * sizeof(u64));
	return error;
unreadable:
	user_read_access_end();
	goto out;
}

static long resume_run(struct session *session, const struct request *r, struct carnet_run __user *to)
{
	struct stopped_run *run = take_stopped(session, r->token);
	const struct carnet_program *program;
	long error;

	if (!run)
		return -ENOENT;
	program = &run->program->program;
	error = check_memory(r, program);
	if (error) {
		/* Nothing was done: it can be resumed with better memory. */
		if (keep(session, run))
			end_stopped(run);
		return error;
	}
	run->state.arena = r->arena;
	carnet_interpret(program, &run->state);
	if (run->state.status == CARNET_STOPPED && !fatal_signal_pending(current))
		return suspend(session, run, r, to);
	error = write_back(r, to, program, &run->state, &run->limits);
	if (!error)
		error = put_user(0ull, &to->token);
	end_stopped(run);
	return error;
}

static long tell_fault(u64 address, const struct carnet_fault *fault, u32 __user *status)
{
	if (status && put_user(CARNET_REJECTED, status))
		return -EFAULT;
	if (address && copy_to_user((void __user *)address, fault, sizeof(*fault)))
		return -EFAULT;
	return -ENOEXEC;
}

#define SMALL_BYTES 512

/* Copies a program in, and verifies it into `place` if that is large enough, else into memory that the caller lets go of. */
static noinline struct carnet_program *take_program(u64 address, u32 bytes, size_t before, void *place, size_t room,
						    size_t *needed, struct carnet_fault *fault, u64 *hash)
{
	u64 small[SMALL_BYTES / 8] __uninitialized;
	void *copy = small, *memory = place;

	if (bytes > program_bytes_max) {
		*fault = (struct carnet_fault){ ~0u, CARNET_RULE_SIZE, 1, bytes, program_bytes_max };
		return ERR_PTR(-ENOEXEC);
	}
	if (bytes > SMALL_BYTES) {
		copy = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
		if (!copy)
			return ERR_PTR(-ENOMEM);
	}
	if (copy_from_user(copy, (void __user *)address, bytes)) {
		memory = ERR_PTR(-EFAULT);
		goto out;
	}
	*needed = carnet_program_bytes(copy, bytes);
	if (!*needed) {
		*fault = (struct carnet_fault){ ~0u, CARNET_RULE_FORMAT, 0, bytes, 0 };
		memory = ERR_PTR(-ENOEXEC);
		goto out;
	}
	if (before + *needed > room) {
		memory = hold(before + *needed);
		if (!memory) {
			memory = ERR_PTR(-ENOMEM);
			goto out;
		}
	}
	if (carnet_verify(copy, bytes, memory + before, fault)) {
		if (memory != place)
			let_go(memory, before + *needed);
		memory = ERR_PTR(-ENOEXEC);
		goto out;
	}
	cut_caps(&((struct carnet_program *)(memory + before))->caps);
	if (hash)
		sha256(copy, bytes, (u8 *)hash);
out:
	if (copy != small)
		kvfree(copy);
	return memory;
}

static noinline long run_sent(struct session *session, const struct request *r, struct carnet_run __user *to)
{
	u64 place[SMALL_BYTES / 4] __uninitialized;
	struct carnet_program *program;
	struct carnet_fault fault __uninitialized;
	size_t bytes;
	u64 address;
	long error;

	program = take_program(r->program, r->program_bytes, 0, place, sizeof(place), &bytes, &fault, NULL);
	if (PTR_ERR(program) == -ENOEXEC)
		return get_user(address, &to->fault) ? -EFAULT : tell_fault(address, &fault, &to->outcome.status);
	if (IS_ERR(program))
		return PTR_ERR(program);
	error = run_program(session, r, to, NULL, program, bytes);
	if ((void *)program != place)
		let_go(program, bytes);
	return error;
}

static long run(struct session *session, struct carnet_run __user *to, unsigned int command)
{
	struct request r __uninitialized;
	struct held_program *program;
	long error;

	if (unlikely(is_filtered()))
		return -EPERM;
	error = fetch_request(&r, to);
	if (error)
		return error;
	atomic64_inc(&runs);
	atomic64_inc(&running);
	if (r.token) {
		error = resume_run(session, &r, to);
	} else if (command == CARNET_RUN_INSTALLED) {
		program = find_program(r.hash);
		if (IS_ERR(program)) {
			error = PTR_ERR(program);
		} else {
			error = run_program(session, &r, to, program, &program->program, 0);
			put_program(program);
		}
	} else {
		error = command == CARNET_RUN ? run_sent(session, &r, to) : -ENOENT;
	}
	atomic64_dec(&running);
	return error;
}

static u32 installed_by(kuid_t owner)
{
	struct held_program *other;
	u32 number = 0, k;

	hash_for_each(table, k, other, node)
		number += uid_eq(other->owner, owner);
	return number;
}

static noinline long install(struct carnet_install __user *to)
{
	struct held_program *program, *other;
	struct carnet_install ask;
	struct carnet_fault fault;
	long error = 0;
	size_t bytes;
	u64 hash[4];

	if (is_filtered())
		return -EPERM;
	if (copy_from_user(&ask, to, sizeof(ask)))
		return -EFAULT;
	if (ask.mode & ~0111)
		return -EINVAL;
	program = (void *)take_program(ask.program, ask.program_bytes, offsetof(struct held_program, program), NULL, 0, &bytes,
				       &fault, hash);
	if (PTR_ERR(program) == -ENOEXEC)
		return tell_fault(ask.fault, &fault, NULL);
	if (IS_ERR(program))
		return PTR_ERR(program);
	refcount_set(&program->count, 1);
	program->bytes = bytes + offsetof(struct held_program, program);
	program->owner = current_fsuid();
	program->group = current_fsgid();
	program->mode = ask.mode;
	memcpy(program->hash, hash, sizeof(hash));
	mutex_lock(&table_lock);
	hlist_for_each_entry(other, &table[hash[0] & (HASH_SIZE(table) - 1)], node)
		if (is_hash(other->hash, hash) && uid_eq(other->owner, program->owner))
			break;
	if (other) {
		other->mode = ask.mode;
	} else if (installed >= installed_max || installed_by(program->owner) >= installed_user_max) {
		error = -ENOSPC;
	} else {
		hlist_add_head_rcu(&program->node, &table[hash[0] & (HASH_SIZE(table) - 1)]);
		installed++;
		program = NULL;
	}
	mutex_unlock(&table_lock);
	put_program(program);
	if (!error && copy_to_user(to->hash, hash, sizeof(hash)))
		error = -EFAULT;
	return error;
}

/* Takes programs out of the table: those of this hash that are the caller's, or all. */
static long remove(const u64 *hash, bool all)
{
	struct held_program *program;
	struct hlist_node *next;
	long error = -ENOENT;
	u32 k;

	mutex_lock(&table_lock);
	hash_for_each_safe(table, k, next, program, node) {
		if (hash && !is_hash(program->hash, hash))
			continue;
		if (!all && !uid_eq(program->owner, current_fsuid())) {
			error = error ? -EACCES : 0;
			continue;
		}
		hash_del_rcu(&program->node);
		installed--;
		put_program(program);
		error = 0;
	}
	mutex_unlock(&table_lock);
	return error;
}

static noinline long ask_to_remove(const u64 __user *from)
{
	u64 hash[4];

	return copy_from_user(hash, from, sizeof(hash)) ? -EFAULT : remove(hash, capable(CAP_SYS_ADMIN));
}

static noinline long information(struct carnet_information __user *to)
{
	struct carnet_information is = {
		.version = CARNET_VERSION,
		.installed = READ_ONCE(installed),
		.installed_max = installed_max,
		.program_bytes_max = program_bytes_max,
		.memory_bytes = atomic64_read(&held_bytes),
		.runs = atomic64_read(&runs),
		.running = atomic64_read(&running),
		.stopped = atomic64_read(&stopped_runs),
		.syscall_number = syscall_number,
		.operations = carnet_operations_number,
	};

	return copy_to_user(to, &is, sizeof(is)) ? -EFAULT : 0;
}

static long discard(struct session *session, const u64 __user *from)
{
	struct stopped_run *run;
	u64 token;

	if (get_user(token, from))
		return -EFAULT;
	run = take_stopped(session, token);
	if (!run)
		return -ENOENT;
	end_stopped(run);
	return 0;
}

static long carnet_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct session *session = file->private_data;
	void __user *at = (void __user *)argument;

	switch (command) {
	case CARNET_RUN:
	case CARNET_RUN_INSTALLED:
	case CARNET_RESUME:
		return run(session, at, command);
	case CARNET_DISCARD:
		return discard(session, at);
	case CARNET_INSTALL:
		return install(at);
	case CARNET_REMOVE:
		return ask_to_remove(at);
	case CARNET_INFORMATION:
		return information(at);
	default:
		return -ENOTTY;
	}
}

static int carnet_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->stopped);
	file->private_data = session;
	return nonseekable_open(inode, file);
}

static int carnet_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;
	struct stopped_run *run, *next;

	list_for_each_entry_safe(run, next, &session->stopped, node)
		end_stopped(run);
	kfree(session);
	return 0;
}

/* While a file is open the module stays. */
static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = carnet_open,
	.release = carnet_release,
	.unlocked_ioctl = carnet_ioctl,
	.llseek = no_llseek,
};

static struct miscdevice device = { .minor = MISC_DYNAMIC_MINOR, .name = "carnet", .fops = &operations };

/*
 * A number of its own, by a probe on what answers for numbers that nobody has. It is dearer than an ioctl where a trap costs
 * more than an instruction, so it is off unless it is asked for.
 */
static long answer(const struct pt_regs *regs)
{
	struct fd f = fdget(regs->di);
	long error = -EBADF;

	if (!f.file)
		return error;
	if (f.file->f_op == &operations)
		error = carnet_ioctl(f.file, regs->si, regs->dx);
	fdput(f);
	return error;
}

static int on_number(struct kprobe *probe, struct pt_regs *regs)
{
	const struct pt_regs *user = (const struct pt_regs *)regs->di;

	if (user->orig_ax != syscall_number)
		return 0;
	regs->ip = (unsigned long)answer;
	return 1;
}

static void after_number(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

/* With a second handler the probe is not made a jump, which could not go elsewhere. */
static struct kprobe number_probe = {
	.symbol_name = "__x64_sys_ni_syscall", .pre_handler = on_number, .post_handler = after_number,
};

/* The address of a function that is not exported. */
static void *address_of(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *address;
	int error = register_kprobe(&probe);

	if (error)
		return ERR_PTR(error);
	address = probe.addr;
	unregister_kprobe(&probe);
	return address;
}

static int __init carnet_init(void)
{
	void *dispatch = address_of("x64_sys_call"), *work = address_of("task_work_run");
	int error;

	if (IS_ERR(dispatch) || IS_ERR(work)) {
		pr_err("carnet: this kernel has no x64_sys_call or task_work_run\n");
		return -EOPNOTSUPP;
	}
	if (syscall_number && (syscall_number < 335 || syscall_number > 423)) {
		pr_err("carnet: syscall_number must be one that nobody has, from 335 to 423\n");
		return -EINVAL;
	}
	static_call_update(carnet_dispatch, (typeof(&no_dispatch))dispatch);
	run_task_work = work;
	device.mode = device_mode & 0666;
	error = misc_register(&device);
	if (error || !syscall_number)
		return error;
	error = register_kprobe(&number_probe);
	if (error)
		misc_deregister(&device);
	else
		__module_get(THIS_MODULE);	/* a process may be between the probe and the file: it stays loaded */
	return error;
}

static void __exit carnet_exit(void)
{
	misc_deregister(&device);
	remove(NULL, true);
	rcu_barrier();
}

module_init(carnet_init);
module_exit(carnet_exit);
