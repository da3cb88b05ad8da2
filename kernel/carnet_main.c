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
#include <linux/audit.h>
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

/* A program, counted by whoever can run it; in the table, or of one place alone. */
struct held_program {
	struct hlist_node node;
	struct rcu_head rcu;
	refcount_t count;
	kuid_t owner;
	kgid_t group;
	u32 mode;
	bool installed;			/* and not removed */
	bool listed;			/* it was in the table: others may look at it still */
	u32 sent_bytes, room;		/* of the bytes that it was made of, and for those of another one */
	void *sent;
	size_t bytes;
	u64 hash[4];
	struct carnet_program program;	/* and what lies behind it; then what was sent */
};

/* What a program runs in: its variables, and where those of the caller are. Sites and slots lie behind it. */
struct place {
	u64 token;			/* of a bound program, or of a run that was stopped */
	struct mm_struct *mm;		/* whose addresses these are, if it has a token */
	struct held_program *program;
	bool bound;
	bool ready;			/* nothing stands against the short way: run_ready() */
	bool holds_file;		/* from within a run on: see carnet_attend() */
	struct file *file;		/* which has this place */
	const u64 *back_end;		/* of the slots, up to which is written back */
	u64 __user *vars, *back;	/* and where to */
	struct carnet_outcome __user *outcome;
	struct carnet_limits limits;
	struct carnet_state state;
	s64 quick;			/* of the limits: carnet_quick() */
	u64 time;			/* of the limits, in ticks of the kernel */
	size_t bytes;
};

#define PLACES 32

/*
 * An open file. Who takes a place out has it alone until he puts it back: nothing is locked, and whoever comes in between is
 * told that it is busy.
 */
struct session {
	struct mm_struct *mm;		/* of the process that opened it */
	struct place *recent;		/* of the last program that was sent */
	struct place *places[PLACES];	/* token % PLACES */
};

#define BUSY ((struct place *)1)

static DEFINE_HASHTABLE(table, 8);
static DEFINE_MUTEX(table_lock);
static u32 installed;
static atomic64_t held_bytes, begun_runs, ended_runs, stopped_runs;
static atomic64_t tokens;		/* of all files: none is given twice */

static long no_dispatch(const struct pt_regs *regs, unsigned int number)
{
	return -ENOSYS;
}

long carnet_no_call(const struct pt_regs *regs)
{
	return -ENOSYS;
}

DEFINE_STATIC_CALL(carnet_dispatch, no_dispatch);
DEFINE_STATIC_CALL(carnet_read_call, carnet_no_call);
DEFINE_STATIC_CALL(carnet_write_call, carnet_no_call);
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
	if (!program->listed) {
		kvfree(program);
	} else if (program->bytes <= 2 * PAGE_SIZE) {
		kvfree_rcu(program, rcu);
	} else {
		/* Whoever installs and removes large ones in turns waits for their end. */
		synchronize_rcu_expedited();
		kvfree(program);
	}
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
		state->out.status = CARNET_FAULT;
		state->out.detail = CARNET_SECCOMP;
		return true;
	}
	/*
	 * What a call has put off until the process is back in user mode, above all the end of files that were closed. The flag that
	 * asks for it stays set: others rely on it (restartable sequences).
	 */
	if (task_work_pending(current)) {
		struct place *place = container_of(state, struct place, state);

		/* It may close our own file, as a ring of io_uring was told to; who has one thread has not counted it for this call. */
		if (!place->holds_file) {
			get_file(place->file);
			place->holds_file = state->rare = true;
		}
		run_task_work();
	}
	cond_resched();
	if (signal_pending(current)) {
		state->out.status = CARNET_STOPPED;
		state->restart = -ERESTARTSYS;
		state->rare = true;
		return true;
	}
	if (time_after64(get_jiffies_64(), state->deadline)) {
		state->out.status = CARNET_LIMIT;
		state->out.detail = CARNET_TIME;
		return true;
	}
	return false;
}

/* What the caller said, fetched once. */
struct request {
	u64 program, vars, arena, arena_bytes, limits, token;
	u32 program_bytes, vars_words;
};

static __always_inline int fetch_request(struct request *r, const struct carnet_run __user *from)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
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
	const u64 most = 1ull << 62;

	caps->instructions = min(instructions_max, most);
	caps->calls = min3(caps->calls, (u64)calls_max, most);
	caps->writes = min(caps->writes, caps->calls);
	caps->written = min3(caps->written, (u64)written_max, most);
	caps->memory = memory_max;
	caps->time_ns = min(caps->time_ns, min(time_ms_max, most / NSEC_PER_MSEC) * NSEC_PER_MSEC);
}

/* The limits of a program, or less if the caller asks for that. */
static __always_inline int set_limits(struct place *place, u64 address)
{
	static const struct carnet_outcome none;
	struct carnet_limits *limits = &place->limits, asked;

	*limits = place->program->program.caps;
	if (unlikely(address)) {
		if (copy_from_user(&asked, (void __user *)address, sizeof(asked)))
			return -EFAULT;
		limits->instructions = min(limits->instructions, asked.instructions);
		limits->calls = min(limits->calls, asked.calls);
		limits->writes = min(limits->writes, asked.writes);
		limits->written = min(limits->written, asked.written);
		limits->memory = min(limits->memory, asked.memory);
		limits->time_ns = min(limits->time_ns, asked.time_ns);
	}
	place->quick = carnet_quick(limits, &none);
	place->time = nsecs_to_jiffies64(limits->time_ns) + 1;
	return 0;
}

static void end_place(struct place *place)
{
	if (place->state.out.status == CARNET_STOPPED)
		atomic64_dec(&stopped_runs);
	if (place->mm)
		mmdrop(place->mm);
	put_program(place->program);
	let_go(place, place->bytes);
}

/* A place for the runs of a program, which has it from now on: the one that was there before, if it is large enough. */
static struct place *make_place(struct held_program *program, struct place *place)
{
	const struct carnet_program *p = &program->program;
	size_t sites = p->sites_number * sizeof(struct carnet_site);
	size_t bytes = sizeof(struct place) + sites + (p->image_end - p->image) * sizeof(u64);
	u32 k;

	if (place && place->bytes < bytes) {
		let_go(place, place->bytes);
		place = NULL;
	}
	if (place) {
		bytes = place->bytes;
	} else {
		place = hold(bytes);
		if (!place) {
			put_program(program);
			return ERR_PTR(-ENOMEM);
		}
	}
	*place = (struct place){ .program = program, .bytes = bytes };
	place->state.sites = (struct carnet_site *)(place + 1);
	place->state.slots = (void *)place->state.sites + sites;
	place->state.changed = place->state.slots + p->changed;
	place->state.limits = &place->limits;
	for (k = 0; k < p->sites_number; k++)
		place->state.sites[k] = (struct carnet_site){};
	/* All behind these is set when a run begins. */
	for (k = 0; k < p->changed; k++)
		place->state.slots[k] = p->image[k];
	carnet_forget(p, &place->state);
	return place;
}

/* What xchg() found that is no place is put back, as far as something else is there. */
static noinline int no_place(struct place **at, struct place *found)
{
	if (found)
		return -EBUSY;
	smp_store_release(at, NULL);
	return -ENOENT;
}

/* The place of a token, which nobody else has until it is put back; or an error. */
static struct place *take_place(struct session *session, u64 token)
{
	struct place **at = &session->places[token % PLACES], *place = xchg(at, BUSY);

	if (place <= BUSY)
		return ERR_PTR(no_place(at, place));
	/* Addresses of another process, or of a program before, mean nothing here. */
	if (place->token == token && place->mm == current->mm)
		return place;
	smp_store_release(at, place);
	return ERR_PTR(-ENOENT);
}

static void put_place(struct session *session, struct place *place)
{
	smp_store_release(&session->places[place->token % PLACES], place);
}

/* Takes a place out for good. */
static void take_out(struct session *session, struct place *place)
{
	smp_store_release(&session->places[place->token % PLACES], NULL);
}

/* Gives a place a token, by which it can be taken as soon as it is put there. */
static int reserve(struct session *session, struct place *place)
{
	u64 number = atomic64_inc_return(&tokens) * PLACES, k;

	if (!place->mm) {
		place->mm = current->mm;
		mmgrab(place->mm);
	}
	for (k = 0; k < PLACES; k++) {
		if (cmpxchg(&session->places[k], NULL, BUSY))
			continue;
		place->token = number + k;
		return 0;
	}
	return -EBUSY;
}

static __always_inline bool is_filtered(void)
{
	return unlikely(READ_ONCE(current_thread_info()->syscall_work) & SYSCALL_WORK_SECCOMP) && !allow_seccomp;
}

/* Where the caller's variables and arena are. What is checked here is not checked again, so nothing is taken over before. */
static __always_inline int set_memory(struct place *place, const struct request *r, struct carnet_run __user *to)
{
	const struct carnet_program *program = &place->program->program;
	u32 words = min(r->vars_words, (u32)carnet_words(program));

	if (r->vars_words < program->slots_number || r->arena_bytes < program->arena_bytes || r->arena & 7)
		return -EINVAL;
	if (!access_ok((void __user *)r->arena, program->arena_bytes) || !access_ok((void __user *)r->vars, words * sizeof(u64)) ||
	    !access_ok(to, sizeof(*to)))
		return -EFAULT;
	/* Nor is it guessed that the checks will pass. */
	barrier_nospec();
	place->vars = (u64 __user *)r->vars;
	place->back = place->vars + program->changed;
	place->back_end = place->state.slots + words;
	place->outcome = &to->outcome;
	/* What sites hold are addresses of the arena. */
	if (place->state.arena != r->arena) {
		place->state.arena = r->arena;
		carnet_forget(program, &place->state);
	}
	return 0;
}

/* Begins a run: fetches what the caller gives, once. */
static __always_inline int begin(struct place *place)
{
	const struct carnet_program *program = &place->program->program;
	const struct carnet_given *given = program->given, *end = program->given_end;
	const u64 __user *vars = place->vars;
	u64 *slots = place->state.slots;

	carnet_begin(program, &place->state, place->quick);
	place->state.deadline = get_jiffies_64() + place->time;
	if (given == end)
		return 0;
	__uaccess_begin();
	for (; given < end; given++)
		unsafe_get_user(slots[given->slot], vars + given->slot, failed);
	user_read_access_end();
	return 0;
failed:
	user_read_access_end();
	return -EFAULT;
}

/* Writes outcome and variables. */
static __always_inline int write_back(const struct place *place)
{
	const u64 *from = place->state.changed, *end = place->back_end;
	u64 __user *outcome = (u64 __user *)place->outcome, *to = place->back;
	const u64 *out = (const u64 *)&place->state.out;

	BUILD_BUG_ON(sizeof(struct carnet_outcome) != 7 * sizeof(u64));
	__uaccess_begin();
	unsafe_put_user(out[0], outcome + 0, failed);
	unsafe_put_user(out[1], outcome + 1, failed);
	unsafe_put_user(out[2], outcome + 2, failed);
	unsafe_put_user(out[3], outcome + 3, failed);
	unsafe_put_user(out[4], outcome + 4, failed);
	unsafe_put_user(out[5], outcome + 5, failed);
	unsafe_put_user(out[6], outcome + 6, failed);
	for (; from + 4 <= end; from += 4, to += 4) {
		unsafe_put_user(from[0], to + 0, failed);
		unsafe_put_user(from[1], to + 1, failed);
		unsafe_put_user(from[2], to + 2, failed);
		unsafe_put_user(from[3], to + 3, failed);
	}
	for (; from < end; from++, to++)
		unsafe_put_user(*from, to, failed);
	user_write_access_end();
	return 0;
failed:
	user_write_access_end();
	return -EFAULT;
}

/* What the system call returns whose run a signal has stopped. */
static noinline long stopped(struct place *place, long error)
{
	place->ready = false;
	if (error) {
		place->state.out.status = CARNET_FAULT;
		return error;
	}
	/* The time that it is stopped is not its own. */
	place->state.deadline -= get_jiffies_64();
	atomic64_inc(&stopped_runs);
	return fatal_signal_pending(current) ? -EINTR : place->state.restart;
}

/* After a run: whether a signal has stopped it, and what it held. */
static noinline long rarely(struct place *place, long error)
{
	place->state.rare = false;
	if (place->state.out.status == CARNET_STOPPED)
		error = stopped(place, error);
	if (place->holds_file) {
		place->holds_file = false;
		/* If this is the last use, it ends on the way out, when nobody here needs it. */
		fput(place->file);
	}
	return error;
}

/*
 * The system call may be watched by audit: to that all calls of a run are one, and it takes the path at an address for the one that it
 * read there first. It sees none of them.
 */
static __always_inline struct audit_context *hide_from_audit(void)
{
	struct audit_context *context = audit_context();

	if (unlikely(context))
		audit_set_context(current, NULL);
	return context;
}

static __always_inline void show_to_audit(struct audit_context *context)
{
	if (unlikely(context))
		audit_set_context(current, context);
}

/* Runs a program from its beginning that closes nothing, and is given nothing but numbers. */
static __always_inline long run_ready(struct place *place)
{
	long error;

	atomic64_inc(&begun_runs);
	error = begin(place);
	if (likely(!error)) {
		carnet_interpret(&place->program->program, &place->state);
		error = write_back(place);
		if (unlikely(place->state.rare))
			error = rarely(place, error);
	}
	atomic64_inc(&ended_runs);
	return error;
}

/* Runs the program of a place: goes on with it if a signal has stopped it, else from its beginning. */
static noinline long run_place(struct file *file, struct place *place)
{
	const struct carnet_program *program = &place->program->program;
	bool begun = place->state.out.status == CARNET_STOPPED;
	long error = 0;

	atomic64_inc(&begun_runs);
	/* Else the file would end in the middle of the run. */
	if (program->closes)
		get_file(file);
	if (begun) {
		atomic64_dec(&stopped_runs);
		place->state.deadline += get_jiffies_64();
	} else {
		error = begin(place);
	}
	place->state.out.status = CARNET_DONE;
	place->ready = !program->closes && !program->checked;
	if (!error) {
		if (begun || !program->checked || carnet_check(program, &place->state)) {
			struct audit_context *audit = hide_from_audit();

			carnet_interpret(program, &place->state);
			show_to_audit(audit);
		}
		error = write_back(place);
		if (place->state.rare)
			error = rarely(place, error);
	}
	if (program->closes)
		fput(file);
	atomic64_inc(&ended_runs);
	return error;
}

/* Runs a bound program. One that is stopped goes on, also if it was removed meanwhile. */
static __always_inline long run_token(struct file *file, u64 token)
{
	struct session *session = file->private_data;
	struct place **at = &session->places[token % PLACES], *place;
	struct mm_struct *mm = current->mm;
	long error = -ENOENT;

	place = xchg(at, BUSY);
	if (unlikely(place <= BUSY))
		return no_place(at, place);
	if (likely(place->token == token && place->mm == mm &&
		   (READ_ONCE(place->program->installed) || (place->bound && place->state.out.status == CARNET_STOPPED))))
		error = likely(place->ready) ? run_ready(place) : run_place(file, place);
	smp_store_release(at, place);
	return error;
}

/* The same, if seccomp or audit watches the process. */
static noinline long run_watched(struct file *file, u64 token)
{
	struct audit_context *audit;
	long error;

	if (is_filtered())
		return -EPERM;
	audit = hide_from_audit();
	error = run_token(file, token);
	show_to_audit(audit);
	return error;
}

static noinline long run_bound(struct file *file, u64 token)
{
	const unsigned long watched = SYSCALL_WORK_SECCOMP | SYSCALL_WORK_SYSCALL_AUDIT;

	if (unlikely(READ_ONCE(current_thread_info()->syscall_work) & watched))
		return run_watched(file, token);
	return run_token(file, token);
}

static long tell_fault(u64 address, const struct carnet_fault *fault, u32 __user *status)
{
	if (status && put_user(CARNET_REJECTED, status))
		return -EFAULT;
	if (address && copy_to_user((void __user *)address, fault, sizeof(*fault)))
		return -EFAULT;
	return -ENOEXEC;
}

/* No program that is verified has more. */
#define PROGRAM_BYTES (16u << 20)

/* Memory for programs of so many bytes, and for those bytes; nothing is set that a program sets. */
static struct held_program *new_program(u32 bytes)
{
	u32 room = round_up(bytes, 512);
	size_t made = offsetof(struct held_program, program) + CARNET_PROGRAM_BYTES(room);
	struct held_program *program = hold(made + room);

	if (!program)
		return NULL;
	refcount_set(&program->count, 1);
	program->installed = program->listed = false;
	program->room = room;
	program->sent = (void *)program + made;
	program->bytes = made + room;
	return program;
}

/* Copies a program in, and verifies it: in the memory of one that is over, which is let go, if that has room for it. */
static noinline struct held_program *take_program(u64 address, u32 bytes, struct held_program *program, struct carnet_fault *fault)
{
	long error = -ENOEXEC;

	u32 most = min(program_bytes_max, PROGRAM_BYTES);

	if (bytes > most) {
		*fault = (struct carnet_fault){ ~0u, CARNET_RULE_SIZE, 1, bytes, most };
		goto failed;
	}
	if (!program || program->room < bytes) {
		put_program(program);
		program = new_program(bytes);
		if (!program)
			return ERR_PTR(-ENOMEM);
	}
	program->sent_bytes = bytes;
	error = -EFAULT;
	if (copy_from_user(program->sent, (void __user *)address, bytes))
		goto failed;
	error = -ENOEXEC;
	if (carnet_verify(program->sent, bytes, &program->program, fault))
		goto failed;
	cut_caps(&program->program.caps);
	return program;
failed:
	put_program(program);
	return ERR_PTR(error);
}

/* Whether the caller sends the very bytes again that this program was made of: they are compared with the copy, and not used. */
static bool is_same(const struct held_program *program, u64 address, u32 bytes)
{
	const u64 __user *theirs = (const u64 __user *)address;
	const u64 *ours = program->sent, *last = program->sent + bytes - sizeof(u64);
	u64 word, differ = 0;
	int k;

	if (bytes != program->sent_bytes || !user_read_access_begin(theirs, bytes))
		return false;
	for (; ours + 8 <= last; ours += 8, theirs += 8) {
#pragma GCC unroll 8
		for (k = 0; k < 8; k++) {
			unsafe_get_user(word, theirs + k, failed);
			differ |= word ^ ours[k];
		}
	}
	for (; ours < last; ours++, theirs++) {
		unsafe_get_user(word, theirs, failed);
		differ |= word ^ *ours;
	}
	/* The last word may have some bytes of the one before. */
	unsafe_get_user(word, (const u64 __user *)(address + bytes - sizeof(u64)), failed);
	differ |= word ^ *last;
	user_read_access_end();
	return !differ;
failed:
	user_read_access_end();
	return false;
}

/* Programs of more bytes than this are verified each time that they are sent. */
#define RECENT_BYTES_MAX 4096

/* The place of a program that is sent: the one before, if it is the same, or a new one. */
static struct place *place_of_sent(struct session *session, const struct request *r, struct carnet_fault *fault)
{
	struct place *place = xchg(&session->recent, NULL);
	struct held_program *program = place ? place->program : NULL;

	if (program && is_same(program, r->program, r->program_bytes))
		return place;
	program = take_program(r->program, r->program_bytes, program, fault);
	if (!IS_ERR(program))
		return make_place(program, place);
	if (place)
		let_go(place, place->bytes);
	return ERR_CAST(program);
}

/* Reserves a token and tells it; whoever comes by it finds the place from then on. */
static int keep(struct session *session, struct place *place, u64 __user *token)
{
	int error = reserve(session, place);

	if (error)
		return error;
	if (!put_user(place->token, token)) {
		put_place(session, place);
		return 0;
	}
	take_out(session, place);
	return -EFAULT;
}

static long run_sent(struct file *file, const struct request *r, struct carnet_run __user *to)
{
	struct session *session = file->private_data;
	struct carnet_fault fault __uninitialized;
	struct place *place = place_of_sent(session, r, &fault);
	int unkept = -EINTR;
	u64 address;
	long error;

	if (PTR_ERR(place) == -ENOEXEC)
		return get_user(address, &to->fault) ? -EFAULT : tell_fault(address, &fault, &to->outcome.status);
	if (IS_ERR(place))
		return PTR_ERR(place);
	place->file = file;
	error = set_memory(place, r, to);
	if (!error)
		error = set_limits(place, r->limits);
	if (!error)
		error = run_place(file, place);
	if (unlikely(place->state.out.status == CARNET_STOPPED)) {
		if (error != -EINTR)
			unkept = keep(session, place, &to->token);
		if (!unkept)
			return error;
		end_place(place);
		return unkept;
	}
	if (place->program->sent_bytes <= RECENT_BYTES_MAX)
		place = xchg(&session->recent, place);
	if (place)
		end_place(place);
	return error;
}

static long resume(struct file *file, const struct request *r, struct carnet_run __user *to)
{
	struct session *session = file->private_data;
	struct place *place = take_place(session, r->token);
	long error = -ENOENT;

	if (IS_ERR(place))
		return PTR_ERR(place);
	if (place->state.out.status == CARNET_STOPPED)
		error = set_memory(place, r, to);
	if (error) {
		/* Nothing was done: it can be resumed with better memory. */
		put_place(session, place);
		return error;
	}
	error = run_place(file, place);
	if (place->bound || (place->state.out.status == CARNET_STOPPED && error != -EINTR)) {
		put_place(session, place);
		return error;
	}
	take_out(session, place);
	end_place(place);
	return !error && put_user(0ull, &to->token) ? -EFAULT : error;
}

/* Binds an installed program to this file and to memory of the caller: what it may do is decided here, once. */
static long bind(struct file *file, const struct request *r, struct carnet_run __user *to)
{
	struct held_program *program;
	struct place *place;
	u64 hash[4];
	int error;

	if (copy_from_user(hash, to->hash, sizeof(hash)))
		return -EFAULT;
	program = find_program(hash);
	if (IS_ERR(program))
		return PTR_ERR(program);
	place = make_place(program, NULL);
	if (IS_ERR(place))
		return PTR_ERR(place);
	place->bound = true;
	place->file = file;
	error = set_memory(place, r, to);
	if (!error)
		error = set_limits(place, r->limits);
	if (!error)
		error = keep(file->private_data, place, &to->token);
	if (error)
		end_place(place);
	return error;
}

/* What comes with a request. */
static __always_inline long ask(struct file *file, struct carnet_run __user *to, unsigned int command)
{
	struct request r __uninitialized;
	int error;

	if (is_filtered())
		return -EPERM;
	error = fetch_request(&r, to);
	if (error)
		return error;
	if (command == CARNET_BIND)
		return bind(file, &r, to);
	/* One that a signal stopped begins anew with its token. */
	if (command == CARNET_RESUME || r.token)
		return resume(file, &r, to);
	return run_sent(file, &r, to);
}

static noinline long ask_any(struct file *file, struct carnet_run __user *to, unsigned int command)
{
	return ask(file, to, command);
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
	u64 hash[4];

	if (is_filtered())
		return -EPERM;
	if (copy_from_user(&ask, to, sizeof(ask)))
		return -EFAULT;
	if (ask.mode & ~0111)
		return -EINVAL;
	program = take_program(ask.program, ask.program_bytes, NULL, &fault);
	if (PTR_ERR(program) == -ENOEXEC)
		return tell_fault(ask.fault, &fault, NULL);
	if (IS_ERR(program))
		return PTR_ERR(program);
	sha256(program->sent, program->sent_bytes, (u8 *)hash);
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
		other->group = program->group;
	} else if (installed >= installed_max || installed_by(program->owner) >= installed_user_max) {
		error = -ENOSPC;
	} else {
		program->installed = program->listed = true;
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
		WRITE_ONCE(program->installed, false);
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
	u64 ended = atomic64_read(&ended_runs), begun = atomic64_read(&begun_runs);
	struct carnet_information is = {
		.version = CARNET_VERSION,
		.installed = READ_ONCE(installed),
		.installed_max = installed_max,
		.program_bytes_max = program_bytes_max,
		.memory_bytes = atomic64_read(&held_bytes),
		.runs = begun,
		.running = begun - ended,
		.stopped = atomic64_read(&stopped_runs),
		.syscall_number = syscall_number,
		.operations = carnet_operations_number,
	};

	return copy_to_user(to, &is, sizeof(is)) ? -EFAULT : 0;
}

static long discard(struct session *session, const u64 __user *from)
{
	struct place *place;
	u64 token;

	if (get_user(token, from))
		return -EFAULT;
	place = take_place(session, token);
	if (IS_ERR(place))
		return PTR_ERR(place);
	take_out(session, place);
	end_place(place);
	return 0;
}

static long carnet_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	void __user *at = (void __user *)argument;

	if (likely(command == CARNET_RUN_INSTALLED))
		return run_bound(file, argument);
	switch (command) {
	case CARNET_RUN:
	case CARNET_BIND:
	case CARNET_RESUME:
		return ask_any(file, at, command);
	case CARNET_DISCARD:
		return discard(file->private_data, at);
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

static noinline long seek_sent(struct file *file, loff_t to)
{
	const struct session *session = file->private_data;
	struct pt_regs *regs = current_pt_regs();
	long error;

	if (unlikely((regs->orig_ax ^ __NR_lseek) | (regs->si ^ to) | (regs->dx ^ SEEK_END) | ((u64)session->mm ^ (u64)current->mm)))
		return -ESPIPE;
	/* As if it had come by ioctl. No negative number: by one of its bits others tell calls of x32. */
	regs->orig_ax = __NR_ioctl;
	error = ask(file, (void __user *)to, CARNET_RUN);
	regs->orig_ax = __NR_lseek;
	return error;
}

/*
 * A bound program is run by a seek to its token, too, and one that is sent by a seek from the end by the address of its request: that is the
 * shortest way into the kernel that a file has. Programs can seek as well; but runs do not nest, since the kernel's stack is short. So it must
 * be the seek that the process came with; whoever has the token has it alone, and while a run goes on that has none the process came with no
 * seek. An address is what the process that opened the file has there, and nobody's who was handed the file.
 */
static loff_t carnet_llseek(struct file *file, loff_t to, int whence)
{
	const struct pt_regs *regs = current_pt_regs();

	if (unlikely(whence == SEEK_END))
		return seek_sent(file, to);
	if (unlikely((regs->orig_ax ^ __NR_lseek) | (regs->si ^ to) | regs->dx | whence))
		return -ESPIPE;
	return run_bound(file, to);
}

static int carnet_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return -ENOMEM;
	session->mm = current->mm;
	if (session->mm)
		mmgrab(session->mm);
	file->private_data = session;
	return 0;
}

static int carnet_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;
	u32 k;

	for (k = 0; k < PLACES; k++)
		if (session->places[k] > BUSY)
			end_place(session->places[k]);
	if (session->recent)
		end_place(session->recent);
	if (session->mm)
		mmdrop(session->mm);
	kfree(session);
	return 0;
}

/* While a file is open the module stays. */
static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = carnet_open,
	.release = carnet_release,
	.unlocked_ioctl = carnet_ioctl,
	.llseek = carnet_llseek,
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
	void *read = address_of("__x64_sys_read"), *write = address_of("__x64_sys_write");
	int error;

	if (IS_ERR(dispatch) || IS_ERR(work) || IS_ERR(read) || IS_ERR(write)) {
		pr_err("carnet: this kernel has no x64_sys_call or task_work_run\n");
		return -EOPNOTSUPP;
	}
	if (syscall_number && (syscall_number < 335 || syscall_number > 423)) {
		pr_err("carnet: syscall_number must be one that nobody has, from 335 to 423\n");
		return -EINVAL;
	}
	static_call_update(carnet_dispatch, (typeof(&no_dispatch))dispatch);
	static_call_update(carnet_read_call, (typeof(&carnet_no_call))read);
	static_call_update(carnet_write_call, (typeof(&carnet_no_call))write);
	run_task_work = work;
	device.mode = device_mode & 0666;
	/* Before anybody can open it: what fails here is unloaded at once. */
	error = syscall_number ? register_kprobe(&number_probe) : 0;
	if (error)
		return error;
	error = misc_register(&device);
	if (error && syscall_number)
		unregister_kprobe(&number_probe);
	else if (syscall_number)
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
