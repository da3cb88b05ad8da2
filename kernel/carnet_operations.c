// SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 OR MIT
/* Made of the interface by kernel/src/table.rs: `cargo xtask bless` makes it anew. */
#include "carnet_program.h"

static const struct carnet_word words_eventfd2[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_getgid[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_openat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_renameat2[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_nanosleep[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_nanosleep[] = {
	{ 0, 8, 1, 0 }, { 1, 8, 1, 8 },
};

static const struct carnet_word words_flock[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_write[] = {
	{ KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_fchmod[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_copy_file_range[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_unlink[] = {
	{ KIND_STR, 0, 4096 },
};

static const struct carnet_word words_mkdirat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_pread64[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 },
};

static const struct carnet_word words_statfs[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 },
};
static const struct carnet_field fields_statfs[] = {
	{ 1, 8, 1, 0 }, { 2, 8, 1, 8 }, { 3, 8, 0, 16 }, { 4, 8, 0, 24 }, { 5, 8, 0, 32 }, { 6, 8, 0, 40 },
	{ 7, 8, 0, 48 }, { 8, 4, 1, 56 }, { 9, 4, 1, 60 }, { 10, 8, 1, 64 }, { 11, 8, 1, 72 }, { 12, 8, 1, 80 },
};

static const struct carnet_word words_link[] = {
	{ KIND_STR, 0, 4096 }, { KIND_STR, 0, 4096 },
};

static const struct carnet_word words_socket[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_mkdir[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_rename[] = {
	{ KIND_STR, 0, 4096 }, { KIND_STR, 0, 4096 },
};

static const struct carnet_word words_lseek[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_getpid[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_openat_write[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_statx[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 },
};
static const struct carnet_field fields_statx[] = {
	{ 4, 4, 0, 0 }, { 5, 4, 0, 4 }, { 6, 8, 0, 8 }, { 7, 4, 0, 16 }, { 8, 4, 0, 20 }, { 9, 4, 0, 24 },
	{ 10, 2, 0, 28 }, { 11, 8, 0, 32 }, { 12, 8, 0, 40 }, { 13, 8, 0, 48 }, { 14, 8, 0, 56 }, { 15, 8, 1, 64 },
	{ 16, 4, 0, 72 }, { 17, 4, 1, 76 }, { 18, 8, 1, 80 }, { 19, 4, 0, 88 }, { 20, 4, 1, 92 }, { 21, 8, 1, 96 },
	{ 22, 4, 0, 104 }, { 23, 4, 1, 108 }, { 24, 8, 1, 112 }, { 25, 4, 0, 120 }, { 26, 4, 1, 124 }, { 27, 4, 0, 128 },
	{ 28, 4, 0, 132 }, { 29, 4, 0, 136 }, { 30, 4, 0, 140 },
};

static const struct carnet_word words_dup[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_clock_gettime[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_clock_gettime[] = {
	{ 1, 8, 1, 0 }, { 2, 8, 1, 8 },
};

static const struct carnet_word words_open_write[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_getuid[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_getcwd[] = {
	{ KIND_STR, 0, 4096 },
};

static const struct carnet_word words_fsync[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_recv[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 },
};

static const struct carnet_word words_faccessat2[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_unlinkat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_fdatasync[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_pipe2[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_pipe2[] = {
	{ 1, 4, 1, 0 }, { 2, 4, 1, 4 },
};

static const struct carnet_word words_symlinkat[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 },
};

static const struct carnet_word words_linkat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_listen[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_dup3[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_getegid[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_utimensat[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_utimensat[] = {
	{ 1, 8, 1, 0 }, { 2, 8, 1, 8 }, { 3, 8, 1, 16 }, { 4, 8, 1, 24 },
};

static const struct carnet_word words_creat[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_fstatfs[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 },
};
static const struct carnet_field fields_fstatfs[] = {
	{ 1, 8, 1, 0 }, { 2, 8, 1, 8 }, { 3, 8, 0, 16 }, { 4, 8, 0, 24 }, { 5, 8, 0, 32 }, { 6, 8, 0, 40 },
	{ 7, 8, 0, 48 }, { 8, 4, 1, 56 }, { 9, 4, 1, 60 }, { 10, 8, 1, 64 }, { 11, 8, 1, 72 }, { 12, 8, 1, 80 },
};

static const struct carnet_word words_splice[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_sendfile[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_fadvise64[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_ftruncate[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_clock_getres[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_clock_getres[] = {
	{ 1, 8, 1, 0 }, { 2, 8, 1, 8 },
};

static const struct carnet_word words_read[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 },
};

static const struct carnet_word words_lstat[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_lstat[] = {
	{ 1, 8, 0, 0 }, { 2, 8, 0, 8 }, { 3, 8, 0, 16 }, { 4, 4, 0, 24 }, { 5, 4, 0, 28 }, { 6, 4, 0, 32 },
	{ 7, 8, 0, 40 }, { 8, 8, 1, 48 }, { 9, 8, 1, 56 }, { 10, 8, 1, 64 }, { 11, 8, 1, 72 }, { 12, 8, 1, 80 },
	{ 13, 8, 1, 88 }, { 14, 8, 1, 96 }, { 15, 8, 1, 104 }, { 16, 8, 1, 112 },
};

static const struct carnet_word words_umask[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_getrandom[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 },
};

static const struct carnet_word words_newfstatat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 },
};
static const struct carnet_field fields_newfstatat[] = {
	{ 3, 8, 0, 0 }, { 4, 8, 0, 8 }, { 5, 8, 0, 16 }, { 6, 4, 0, 24 }, { 7, 4, 0, 28 }, { 8, 4, 0, 32 },
	{ 9, 8, 0, 40 }, { 10, 8, 1, 48 }, { 11, 8, 1, 56 }, { 12, 8, 1, 64 }, { 13, 8, 1, 72 }, { 14, 8, 1, 80 },
	{ 15, 8, 1, 88 }, { 16, 8, 1, 96 }, { 17, 8, 1, 104 }, { 18, 8, 1, 112 },
};

static const struct carnet_word words_symlink[] = {
	{ KIND_STR, 0, 4096 }, { KIND_STR, 0, 4096 },
};


static const struct carnet_word words_stat[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_stat[] = {
	{ 1, 8, 0, 0 }, { 2, 8, 0, 8 }, { 3, 8, 0, 16 }, { 4, 4, 0, 24 }, { 5, 4, 0, 28 }, { 6, 4, 0, 32 },
	{ 7, 8, 0, 40 }, { 8, 8, 1, 48 }, { 9, 8, 1, 56 }, { 10, 8, 1, 64 }, { 11, 8, 1, 72 }, { 12, 8, 1, 80 },
	{ 13, 8, 1, 88 }, { 14, 8, 1, 96 }, { 15, 8, 1, 104 }, { 16, 8, 1, 112 },
};

static const struct carnet_word words_geteuid[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_fstat[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_fstat[] = {
	{ 1, 8, 0, 0 }, { 2, 8, 0, 8 }, { 3, 8, 0, 16 }, { 4, 4, 0, 24 }, { 5, 4, 0, 28 }, { 6, 4, 0, 32 },
	{ 7, 8, 0, 40 }, { 8, 8, 1, 48 }, { 9, 8, 1, 56 }, { 10, 8, 1, 64 }, { 11, 8, 1, 72 }, { 12, 8, 1, 80 },
	{ 13, 8, 1, 88 }, { 14, 8, 1, 96 }, { 15, 8, 1, 104 }, { 16, 8, 1, 112 },
};

static const struct carnet_word words_shutdown[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_open[] = {
	{ KIND_STR, 0, 4096 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_rmdir[] = {
	{ KIND_STR, 0, 4096 },
};

static const struct carnet_word words_setsockopt[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};
static const struct carnet_field fields_setsockopt[] = {
	{ 3, 4, 1, 0 },
};

static const struct carnet_word words_send[] = {
	{ KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_pwrite64[] = {
	{ KIND_INT, 0, 0 }, { KIND_BYTES, 0, 1048576 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_readlink[] = {
	{ KIND_STR, 0, 4096 }, { KIND_STR, 0, 4096 },
};

static const struct carnet_word words_close[] = {
	{ KIND_INT, 0, 0 },
};

static const struct carnet_word words_fallocate[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

static const struct carnet_word words_readlinkat[] = {
	{ KIND_INT, 0, 0 }, { KIND_STR, 0, 4096 }, { KIND_STR, 0, 4096 },
};

static const struct carnet_word words_dup2[] = {
	{ KIND_INT, 0, 0 }, { KIND_INT, 0, 0 }, { KIND_INT, 0, 0 },
};

/* By hash. */
const struct carnet_operation carnet_operations[] = {
	{ /* eventfd2 */
		.hash = 0x04a3e7ee4d8346de, .number = 290, .flags = 0 | OPERATION_PLAIN,
		.ins = 2, .outs = 1, .arguments = 2,
		.value = 2, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x0, 0xffffffff },
			{ FROM_WORD, 1, 0x80801, 0x80000000, 0xffffffff },
		},
		.words = words_eventfd2,
	},
	{ /* getgid */
		.hash = 0x06ee9b428f386366, .number = 104, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 1, .arguments = 0,
		.value = 0, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
		.words = words_getgid,
	},
	{ /* openat */
		.hash = 0x0b4778d13fa2ed71, .number = 257, .flags = 0,
		.ins = 3, .outs = 1, .arguments = 4,
		.value = 3, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0xb8800, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_openat,
	},
	{ /* renameat2 */
		.hash = 0x0bab2838e629d4c0, .number = 316, .flags = OPERATION_WRITES,
		.ins = 5, .outs = 0, .arguments = 5,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 3, 4096, 0, 0 },
			{ FROM_WORD, 4, 0x3, 0x80000000, 0xffffffff },
		},
		.words = words_renameat2,
	},
	{ /* nanosleep */
		.hash = 0x0ef678b532e13daf, .number = 35, .flags = 0,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 2, .back = 0,
		.from = {
			{ FROM_SENT, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_nanosleep,
		.fields = fields_nanosleep,
	},
	{ /* flock */
		.hash = 0x100ea603027b1854, .number = 73, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xf, 0x80000000, 0xffffffff },
		},
		.words = words_flock,
	},
	{ /* recvfrom */
		.hash = 0x107858fa86474b9a, .number = 45, .flags = OPERATION_REFUSED,
	},
	{ /* write */
		.hash = 0x146f31fa588caade, .number = 1, .flags = OPERATION_WRITES | OPERATION_PLAIN | OPERATION_COUNTS,
		.ins = 2, .outs = 1, .arguments = 3,
		.value = 2, .fills = 255, .cost = 255, .data = 1,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 1048576, 0, 0 },
			{ FROM_LEN, 1, 0, 0, 0 },
		},
		.words = words_write,
	},
	{ /* fchmod */
		.hash = 0x1536f8736427a53a, .number = 91, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_fchmod,
	},
	{ /* copy_file_range */
		.hash = 0x18c3a621beda4fa8, .number = 326, .flags = OPERATION_WRITES | OPERATION_COUNTS,
		.ins = 3, .outs = 1, .arguments = 6,
		.value = 3, .fills = 255, .cost = 2, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_CUT, 2, 1048576, 0, 0 },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_copy_file_range,
	},
	{ /* poll_several */
		.hash = 0x1a97782b265ac580, .number = 7, .flags = OPERATION_REFUSED,
	},
	{ /* unlink */
		.hash = 0x1ae4c9e6706fba01, .number = 87, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 1, .outs = 0, .arguments = 1,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
		},
		.words = words_unlink,
	},
	{ /* mkdirat */
		.hash = 0x1d6c5279444b1714, .number = 258, .flags = OPERATION_WRITES,
		.ins = 3, .outs = 0, .arguments = 3,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_mkdirat,
	},
	{ /* pread64 */
		.hash = 0x2070cd5ded3aa68b, .number = 17, .flags = 0,
		.ins = 3, .outs = 1, .arguments = 4,
		.value = 255, .fills = 3, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_ROOM, 3, 0, 0, 0 },
			{ FROM_CUT, 1, 1048576, 0, 0 },
			{ FROM_WORD, 2, 0xffffffff, 0x0, 0xffffffffffffffff },
		},
		.words = words_pread64,
	},
	{ /* statfs */
		.hash = 0x20d14f354b3f31ff, .number = 137, .flags = 0,
		.ins = 1, .outs = 12, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 12,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_statfs,
		.fields = fields_statfs,
	},
	{ /* link */
		.hash = 0x21b15e0c889a9da5, .number = 86, .flags = OPERATION_WRITES,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_TEXT, 1, 4096, 0, 0 },
		},
		.words = words_link,
	},
	{ /* socket */
		.hash = 0x26cdc3fe259659f4, .number = 41, .flags = 0,
		.ins = 3, .outs = 1, .arguments = 3,
		.value = 3, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0x80803, 0x80000000, 0xffffffff },
			{ FROM_WORD, 2, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_socket,
	},
	{ /* mkdir */
		.hash = 0x2c5a3e1fda41ace0, .number = 83, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_WORD, 1, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_mkdir,
	},
	{ /* rename */
		.hash = 0x2d480f49290f381d, .number = 82, .flags = OPERATION_WRITES,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_TEXT, 1, 4096, 0, 0 },
		},
		.words = words_rename,
	},
	{ /* lseek */
		.hash = 0x2eeb6ac87c272df9, .number = 8, .flags = 0,
		.ins = 3, .outs = 1, .arguments = 3,
		.value = 3, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x0, 0xffffffffffffffff },
			{ FROM_WORD, 2, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_lseek,
	},
	{ /* getpid */
		.hash = 0x3382a3db645c45aa, .number = 39, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 1, .arguments = 0,
		.value = 0, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
		.words = words_getpid,
	},
	{ /* openat_write */
		.hash = 0x338d862cc823c432, .number = 257, .flags = OPERATION_WRITES,
		.ins = 4, .outs = 1, .arguments = 4,
		.value = 4, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0x1a9ec3, 0x80000000, 0xffffffff },
			{ FROM_WORD, 3, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_openat_write,
	},
	{ /* statx */
		.hash = 0x3aff93b0de82818f, .number = 332, .flags = 0,
		.ins = 4, .outs = 27, .arguments = 5,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 27,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0x7900, 0x80000000, 0xffffffff },
			{ FROM_WORD, 3, 0xffffffff, 0x0, 0xffffffff },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_statx,
		.fields = fields_statx,
	},
	{ /* dup */
		.hash = 0x3cd8aaa5666c55d9, .number = 32, .flags = 0 | OPERATION_PLAIN,
		.ins = 1, .outs = 1, .arguments = 1,
		.value = 1, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_dup,
	},
	{ /* clock_gettime */
		.hash = 0x4187a0f583408529, .number = 228, .flags = 0,
		.ins = 1, .outs = 2, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 2,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_clock_gettime,
		.fields = fields_clock_gettime,
	},
	{ /* open_write */
		.hash = 0x44b6597e80cda7e1, .number = 2, .flags = OPERATION_WRITES,
		.ins = 3, .outs = 1, .arguments = 3,
		.value = 3, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_WORD, 1, 0x1a9ec3, 0x80000000, 0xffffffff },
			{ FROM_WORD, 2, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_open_write,
	},
	{ /* getuid */
		.hash = 0x485316c7bd53c2cf, .number = 102, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 1, .arguments = 0,
		.value = 0, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
		.words = words_getuid,
	},
	{ /* getcwd */
		.hash = 0x4a270fff2fe80745, .number = 79, .flags = 0,
		.ins = 0, .outs = 1, .arguments = 2,
		.value = 255, .fills = 0, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_ROOM, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 4096, 0, 0 },
		},
		.words = words_getcwd,
	},
	{ /* fsync */
		.hash = 0x4ba970080dae235f, .number = 74, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 1, .outs = 0, .arguments = 1,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_fsync,
	},
	{ /* recv */
		.hash = 0x4d32af914c49c69c, .number = 45, .flags = 0,
		.ins = 3, .outs = 1, .arguments = 6,
		.value = 255, .fills = 3, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_ROOM, 3, 0, 0, 0 },
			{ FROM_CUT, 1, 1048576, 0, 0 },
			{ FROM_WORD, 2, 0x142, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_recv,
	},
	{ /* bind */
		.hash = 0x4f707aa748711b72, .number = 49, .flags = OPERATION_REFUSED,
	},
	{ /* faccessat2 */
		.hash = 0x5236c24fb5241835, .number = 439, .flags = 0,
		.ins = 4, .outs = 0, .arguments = 4,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0x7, 0x80000000, 0xffffffff },
			{ FROM_WORD, 3, 0x1300, 0x80000000, 0xffffffff },
		},
		.words = words_faccessat2,
	},
	{ /* unlinkat */
		.hash = 0x5402d1bb525f398f, .number = 263, .flags = OPERATION_WRITES,
		.ins = 3, .outs = 0, .arguments = 3,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0x200, 0x80000000, 0xffffffff },
		},
		.words = words_unlinkat,
	},
	{ /* fdatasync */
		.hash = 0x573cb5bdf3a55f68, .number = 75, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 1, .outs = 0, .arguments = 1,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_fdatasync,
	},
	{ /* pipe2 */
		.hash = 0x5af7a99ce1b6d3dc, .number = 293, .flags = 0,
		.ins = 1, .outs = 2, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 2,
		.from = {
			{ FROM_BACK, 0, 0, 0, 0 },
			{ FROM_WORD, 0, 0x80800, 0x80000000, 0xffffffff },
		},
		.words = words_pipe2,
		.fields = fields_pipe2,
	},
	{ /* symlinkat */
		.hash = 0x5cccc1aa1e2e8871, .number = 266, .flags = OPERATION_WRITES,
		.ins = 3, .outs = 0, .arguments = 3,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 2, 4096, 0, 0 },
		},
		.words = words_symlinkat,
	},
	{ /* linkat */
		.hash = 0x5dbe921664141148, .number = 265, .flags = OPERATION_WRITES,
		.ins = 5, .outs = 0, .arguments = 5,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_WORD, 2, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 3, 4096, 0, 0 },
			{ FROM_WORD, 4, 0x400, 0x80000000, 0xffffffff },
		},
		.words = words_linkat,
	},
	{ /* accept4 */
		.hash = 0x5e24d22e2e500591, .number = 288, .flags = OPERATION_REFUSED,
	},
	{ /* listen */
		.hash = 0x6145acf5425a6569, .number = 50, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_listen,
	},
	{ /* dup3 */
		.hash = 0x61e62203e19d70e9, .number = 292, .flags = 0 | OPERATION_CLOSES,
		.ins = 3, .outs = 1, .arguments = 3,
		.value = 3, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 2, 0x80000, 0x80000000, 0xffffffff },
		},
		.words = words_dup3,
	},
	{ /* getegid */
		.hash = 0x69b6a4b8119279ae, .number = 108, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 1, .arguments = 0,
		.value = 0, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
		.words = words_getegid,
	},
	{ /* sendto */
		.hash = 0x6a6518806c9ec4fb, .number = 44, .flags = OPERATION_REFUSED,
	},
	{ /* utimensat */
		.hash = 0x6cca8d9b39fae6ec, .number = 280, .flags = OPERATION_WRITES,
		.ins = 5, .outs = 0, .arguments = 4,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 4, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_SENT, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_utimensat,
		.fields = fields_utimensat,
	},
	{ /* creat */
		.hash = 0x75070d41cbe3bf17, .number = 85, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 1, .arguments = 2,
		.value = 2, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_WORD, 1, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_creat,
	},
	{ /* connect */
		.hash = 0x89f086d6d7c131a2, .number = 42, .flags = OPERATION_REFUSED,
	},
	{ /* fstatfs */
		.hash = 0x8a1053a79707fca8, .number = 138, .flags = 0,
		.ins = 1, .outs = 12, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 12,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_fstatfs,
		.fields = fields_fstatfs,
	},
	{ /* splice */
		.hash = 0x8bc9f39d8f649be9, .number = 275, .flags = OPERATION_WRITES | OPERATION_COUNTS,
		.ins = 4, .outs = 1, .arguments = 6,
		.value = 4, .fills = 255, .cost = 2, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_CUT, 2, 1048576, 0, 0 },
			{ FROM_WORD, 3, 0x7, 0x80000000, 0xffffffff },
		},
		.words = words_splice,
	},
	{ /* sendfile */
		.hash = 0x8d0d43b3389064d7, .number = 40, .flags = OPERATION_WRITES | OPERATION_COUNTS,
		.ins = 3, .outs = 1, .arguments = 4,
		.value = 3, .fills = 255, .cost = 2, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_CUT, 2, 1048576, 0, 0 },
		},
		.words = words_sendfile,
	},
	{ /* fadvise64 */
		.hash = 0x8d21d1f4d493ca4e, .number = 221, .flags = 0,
		.ins = 4, .outs = 0, .arguments = 4,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x0, 0xffffffffffffffff },
			{ FROM_WORD, 2, 0xffffffff, 0x0, 0xffffffffffffffff },
			{ FROM_WORD, 3, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_fadvise64,
	},
	{ /* ftruncate */
		.hash = 0x915a8a02fb955a8a, .number = 77, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x0, 0xffffffffffffffff },
		},
		.words = words_ftruncate,
	},
	{ /* clock_getres */
		.hash = 0x93f6b21258e3cf0f, .number = 229, .flags = 0,
		.ins = 1, .outs = 2, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 2,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_clock_getres,
		.fields = fields_clock_getres,
	},
	{ /* read */
		.hash = 0x966d93fc3a513f3d, .number = 0, .flags = 0 | OPERATION_PLAIN,
		.ins = 2, .outs = 1, .arguments = 3,
		.value = 255, .fills = 2, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_ROOM, 2, 0, 0, 0 },
			{ FROM_CUT, 1, 1048576, 0, 0 },
		},
		.words = words_read,
	},
	{ /* getsockname */
		.hash = 0x9705a738532cc4fc, .number = 51, .flags = OPERATION_REFUSED,
	},
	{ /* lstat */
		.hash = 0x98f04794751b1343, .number = 6, .flags = 0,
		.ins = 1, .outs = 16, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 16,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_lstat,
		.fields = fields_lstat,
	},
	{ /* umask */
		.hash = 0x9a721aad983f3ddc, .number = 95, .flags = 0 | OPERATION_PLAIN,
		.ins = 1, .outs = 1, .arguments = 1,
		.value = 1, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0x1ff, 0x80000000, 0xffffffff },
		},
		.words = words_umask,
	},
	{ /* getrandom */
		.hash = 0x9f187291205e2729, .number = 318, .flags = 0 | OPERATION_PLAIN,
		.ins = 2, .outs = 1, .arguments = 3,
		.value = 255, .fills = 2, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_ROOM, 2, 0, 0, 0 },
			{ FROM_CUT, 0, 1048576, 0, 0 },
			{ FROM_WORD, 1, 0x7, 0x80000000, 0xffffffff },
		},
		.words = words_getrandom,
	},
	{ /* newfstatat */
		.hash = 0xa942793c1b143352, .number = 262, .flags = 0,
		.ins = 3, .outs = 16, .arguments = 4,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 16,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_BACK, 0, 0, 0, 0 },
			{ FROM_WORD, 2, 0x7900, 0x80000000, 0xffffffff },
		},
		.words = words_newfstatat,
		.fields = fields_newfstatat,
	},
	{ /* getpeername */
		.hash = 0xadf8b68175c831a0, .number = 52, .flags = OPERATION_REFUSED,
	},
	{ /* symlink */
		.hash = 0xb2be109431698979, .number = 88, .flags = OPERATION_WRITES,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_TEXT, 1, 4096, 0, 0 },
		},
		.words = words_symlink,
	},
	{ /* sched_yield */
		.hash = 0xb5a5694a5efef421, .number = 24, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 0, .arguments = 0,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
	},
	{ /* stat */
		.hash = 0xb61afa827888ba84, .number = 4, .flags = 0,
		.ins = 1, .outs = 16, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 16,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_stat,
		.fields = fields_stat,
	},
	{ /* geteuid */
		.hash = 0xb70fa79fec8e3e3c, .number = 107, .flags = 0 | OPERATION_PLAIN,
		.ins = 0, .outs = 1, .arguments = 0,
		.value = 0, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
		},
		.words = words_geteuid,
	},
	{ /* fstat */
		.hash = 0xc137ce9a4ab81410, .number = 5, .flags = 0,
		.ins = 1, .outs = 16, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 16,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_BACK, 0, 0, 0, 0 },
		},
		.words = words_fstat,
		.fields = fields_fstat,
	},
	{ /* shutdown */
		.hash = 0xc53d953bf9bbe22b, .number = 48, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 2, .outs = 0, .arguments = 2,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_shutdown,
	},
	{ /* open */
		.hash = 0xc8a5941086c503a7, .number = 2, .flags = 0 | OPERATION_PLAIN,
		.ins = 2, .outs = 1, .arguments = 3,
		.value = 2, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_WORD, 1, 0xb8800, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_open,
	},
	{ /* poll */
		.hash = 0xd06cdf3d8f980a6f, .number = 7, .flags = OPERATION_REFUSED,
	},
	{ /* rmdir */
		.hash = 0xd137020a3df494d8, .number = 84, .flags = OPERATION_WRITES | OPERATION_PLAIN,
		.ins = 1, .outs = 0, .arguments = 1,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
		},
		.words = words_rmdir,
	},
	{ /* setsockopt */
		.hash = 0xd2b402bd81a2a9a5, .number = 54, .flags = OPERATION_WRITES,
		.ins = 4, .outs = 0, .arguments = 5,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 1, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 2, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_SENT, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 4, 0, 0 },
		},
		.words = words_setsockopt,
		.fields = fields_setsockopt,
	},
	{ /* uname */
		.hash = 0xd57200bb91d79508, .number = 63, .flags = OPERATION_REFUSED,
	},
	{ /* send */
		.hash = 0xdac77b511a5b23cd, .number = 44, .flags = OPERATION_WRITES | OPERATION_COUNTS,
		.ins = 3, .outs = 1, .arguments = 6,
		.value = 3, .fills = 255, .cost = 255, .data = 1,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 1048576, 0, 0 },
			{ FROM_LEN, 1, 0, 0, 0 },
			{ FROM_WORD, 2, 0xc0c0, 0x80000000, 0xffffffff },
			{ FROM_CONST, 0, 0, 0, 0 },
			{ FROM_CONST, 0, 0, 0, 0 },
		},
		.words = words_send,
	},
	{ /* pwrite64 */
		.hash = 0xdd4e1608bcc6151f, .number = 18, .flags = OPERATION_WRITES | OPERATION_COUNTS,
		.ins = 3, .outs = 1, .arguments = 4,
		.value = 3, .fills = 255, .cost = 255, .data = 1,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 1048576, 0, 0 },
			{ FROM_LEN, 1, 0, 0, 0 },
			{ FROM_WORD, 2, 0xffffffff, 0x0, 0xffffffffffffffff },
		},
		.words = words_pwrite64,
	},
	{ /* getsockopt */
		.hash = 0xe70cc179b70bf4db, .number = 55, .flags = OPERATION_REFUSED,
	},
	{ /* readlink */
		.hash = 0xea1fd67fb49f91ce, .number = 89, .flags = 0,
		.ins = 1, .outs = 1, .arguments = 3,
		.value = 255, .fills = 1, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_TEXT, 0, 4096, 0, 0 },
			{ FROM_ROOM, 1, 0, 0, 0 },
			{ FROM_CONST, 0, 4096, 0, 0 },
		},
		.words = words_readlink,
	},
	{ /* close */
		.hash = 0xeba4ed71d47e0358, .number = 3, .flags = 0 | OPERATION_PLAIN | OPERATION_CLOSES,
		.ins = 1, .outs = 0, .arguments = 1,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_close,
	},
	{ /* getdents64 */
		.hash = 0xedf1a041cda82278, .number = 217, .flags = OPERATION_REFUSED,
	},
	{ /* fallocate */
		.hash = 0xeea3ba01fa4624cb, .number = 285, .flags = OPERATION_WRITES,
		.ins = 4, .outs = 0, .arguments = 4,
		.value = 255, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0x13, 0x80000000, 0xffffffff },
			{ FROM_WORD, 2, 0xffffffff, 0x0, 0xffffffffffffffff },
			{ FROM_WORD, 3, 0xffffffff, 0x0, 0xffffffffffffffff },
		},
		.words = words_fallocate,
	},
	{ /* readlinkat */
		.hash = 0xf42232a0ebb2abde, .number = 267, .flags = 0,
		.ins = 2, .outs = 1, .arguments = 4,
		.value = 255, .fills = 2, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_TEXT, 1, 4096, 0, 0 },
			{ FROM_ROOM, 2, 0, 0, 0 },
			{ FROM_CONST, 0, 4096, 0, 0 },
		},
		.words = words_readlinkat,
	},
	{ /* dup2 */
		.hash = 0xf8a0a91d491ed5b9, .number = 33, .flags = 0 | OPERATION_PLAIN | OPERATION_CLOSES,
		.ins = 2, .outs = 1, .arguments = 2,
		.value = 2, .fills = 255, .cost = 255, .data = 255,
		.raises = 0, .sent = 0, .back = 0,
		.from = {
			{ FROM_WORD, 0, 0xffffffff, 0x80000000, 0xffffffff },
			{ FROM_WORD, 1, 0xffffffff, 0x80000000, 0xffffffff },
		},
		.words = words_dup2,
	},
};

const u32 carnet_operations_number = 78;

const struct carnet_enum carnet_enums[] = {
	{ 0x4a42b7c48ebcac17, 134 },	/* Errno */
};

const u32 carnet_enums_number = 1;

const char carnet_module_name[] = "linux";
const char carnet_interface_name[] = "System";

const char *const carnet_messages[] = {
	"not an error",
	"operation not permitted",
	"no such file or directory",
	"no such process",
	"interrupted system call",
	"input/output error",
	"no such device or address",
	"argument list too long",
	"exec format error",
	"bad file descriptor",
	"no child processes",
	"resource temporarily unavailable",
	"cannot allocate memory",
	"permission denied",
	"bad address",
	"block device required",
	"device or resource busy",
	"file exists",
	"invalid cross-device link",
	"no such device",
	"not a directory",
	"is a directory",
	"invalid argument",
	"too many open files in system",
	"too many open files",
	"inappropriate ioctl for device",
	"text file busy",
	"file too large",
	"no space left on device",
	"illegal seek",
	"read-only file system",
	"too many links",
	"broken pipe",
	"numerical argument out of domain",
	"numerical result out of range",
	"resource deadlock avoided",
	"file name too long",
	"no locks available",
	"function not implemented",
	"directory not empty",
	"too many levels of symbolic links",
	"not an error of this system",
	"no message of desired type",
	"identifier removed",
	"channel number out of range",
	"level 2 not synchronized",
	"level 3 halted",
	"level 3 reset",
	"link number out of range",
	"protocol driver not attached",
	"no CSI structure available",
	"level 2 halted",
	"invalid exchange",
	"invalid request descriptor",
	"exchange full",
	"no anode",
	"invalid request code",
	"invalid slot",
	"not an error of this system",
	"bad font file format",
	"device not a stream",
	"no data available",
	"timer expired",
	"out of streams resources",
	"machine is not on the network",
	"package not installed",
	"object is remote",
	"link has been severed",
	"advertise error",
	"srmount error",
	"communication error on send",
	"protocol error",
	"multihop attempted",
	"RFS specific error",
	"bad message",
	"value too large for defined data type",
	"name not unique on network",
	"file descriptor in bad state",
	"remote address changed",
	"can not access a needed shared library",
	"accessing a corrupted shared library",
	".lib section in a.out corrupted",
	"attempting to link in too many shared libraries",
	"cannot exec a shared library directly",
	"invalid or incomplete multibyte or wide character",
	"interrupted system call should be restarted",
	"streams pipe error",
	"too many users",
	"socket operation on non-socket",
	"destination address required",
	"message too long",
	"protocol wrong type for socket",
	"protocol not available",
	"protocol not supported",
	"socket type not supported",
	"operation not supported",
	"protocol family not supported",
	"address family not supported by protocol",
	"address already in use",
	"cannot assign requested address",
	"network is down",
	"network is unreachable",
	"network dropped connection on reset",
	"software caused connection abort",
	"connection reset by peer",
	"no buffer space available",
	"transport endpoint is already connected",
	"transport endpoint is not connected",
	"cannot send after transport endpoint shutdown",
	"too many references: cannot splice",
	"connection timed out",
	"connection refused",
	"host is down",
	"no route to host",
	"operation already in progress",
	"operation now in progress",
	"stale file handle",
	"structure needs cleaning",
	"not a XENIX named type file",
	"no XENIX semaphores available",
	"is a named type file",
	"remote I/O error",
	"disk quota exceeded",
	"no medium found",
	"wrong medium type",
	"operation canceled",
	"required key not available",
	"key has expired",
	"key has been revoked",
	"key was rejected by service",
	"owner died",
	"state not recoverable",
	"operation not possible due to RF-kill",
	"memory page has hardware error",
};

const u32 carnet_messages_number = 134;
