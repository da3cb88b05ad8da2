/* Works on files that `carnet serve files` serves: lists a directory, copies one file to another name, says its size.
 *
 *     files SOCKET list DIR
 *     files SOCKET cat FILE
 *     files SOCKET copy FROM TO
 *
 * The variable CARNET_TIMEOUT_MS says how long a call may take.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "files.h"
#include "carnet_client.h"

#include <stdio.h>
#include <stdlib.h>

#define STEP 65536

/* Prints what the server sent: what is not plain text could play tricks on a terminal. */
static void say(FILE *to, const char *text, size_t len)
{
    size_t index;
    for (index = 0; index < len; index++) {
        unsigned char letter = (unsigned char)text[index];
        if (letter >= ' ' && letter <= '~') {
            fputc(letter, to);
        } else {
            fprintf(to, "\\x%02x", letter);
        }
    }
}

static int failed(const char *what, carnet_status status)
{
    fprintf(stderr, "%s: %s%s", what, carnet_status_text(status), carnet_failure_text[0] ? ": " : "");
    say(stderr, carnet_failure_text, strlen(carnet_failure_text));
    fputc('\n', stderr);
    return 1;
}

static int list(struct carnet_portal dir, const char *path)
{
    static const char *const kinds[] = {"file", "dir", "symlink", "other"};
    char after[255];
    size_t after_len = 0;
    bool is_last = false;
    while (!is_last) {
        struct carnet_string from = {after, after_len};
        struct carnet_list entries;
        size_t index;
        carnet_status status = call_files_Dir_list(dir, carnet_text(path), from, &entries, &is_last);
        if (status != CARNET_OK) {
            return failed("list", status);
        }
        for (index = 0; index < entries.count; index++) {
            struct files_Entry entry;
            if (!files_Entry_at(&entries, index, &entry)) {
                return failed("list", CARNET_PROTOCOL);
            }
            printf("%-7s %8lld ", kinds[entry.kind], (long long)entry.size);
            say(stdout, entry.name.ptr, entry.name.len);
            putchar('\n');
            memcpy(after, entry.name.ptr, entry.name.len);
            after_len = entry.name.len;
        }
    }
    return 0;
}

static int cat(struct carnet_portal dir, const char *path)
{
    struct carnet_portal file;
    struct carnet_bytes bytes;
    int64_t at = 0;
    carnet_status status = call_files_Dir_open(dir, carnet_text(path), &file);
    if (status != CARNET_OK) {
        return failed("open", status);
    }
    do {
        status = call_files_File_read(file, at, STEP, &bytes);
        if (status != CARNET_OK) {
            return failed("read", status);
        }
        fwrite(bytes.ptr, 1, bytes.len, stdout);
        at += (int64_t)bytes.len;
    } while (bytes.len > 0);
    carnet_release(file);
    return 0;
}

static int copy(struct carnet_portal dir, const char *from, const char *to)
{
    static unsigned char step[STEP];
    struct carnet_portal source, target;
    struct carnet_bytes bytes;
    struct files_Info info;
    int64_t at = 0, written;
    carnet_status status = call_files_Dir_open(dir, carnet_text(from), &source);
    if (status != CARNET_OK) {
        return failed("open", status);
    }
    status = call_files_Dir_create(dir, carnet_text(to), &target);
    if (status != CARNET_OK) {
        return failed("create", status);
    }
    for (;;) {
        /* Without a buffer they would lie in the connection's, which the next call uses. */
        status = call_files_File_read_into(source, at, STEP, &bytes, carnet_into(step, sizeof step));
        if (status != CARNET_OK) {
            return failed("read", status);
        }
        if (bytes.len == 0) {
            break;
        }
        if (bytes.len > sizeof step) {
            return failed("read", CARNET_SERVICE); /* more than was asked for */
        }
        status = call_files_File_write(target, at, bytes, &written);
        if (status != CARNET_OK) {
            return failed("write", status);
        }
        at += written;
    }
    status = call_files_File_stat(target, &info);
    if (status != CARNET_OK) {
        return failed("stat", status);
    }
    printf("copied %lld bytes\n", (long long)info.size);
    carnet_release(source);
    carnet_release(target);
    return 0;
}

int main(int argc, char **argv)
{
    struct carnet_portal root;
    carnet_status status;
    const char *timeout_ms = getenv("CARNET_TIMEOUT_MS");
    int outcome = 2;
    if (argc < 4) {
        fprintf(stderr, "usage: files SOCKET list DIR | cat FILE | copy FROM TO\n");
        return 2;
    }
    status = carnet_connect(argv[1], &files_module, &files_Dir_interface,
                            timeout_ms == NULL ? 10000 : atoi(timeout_ms), &root);
    if (status != CARNET_OK) {
        return failed("connect", status) + 6;
    }
    if (strcmp(argv[2], "list") == 0) {
        outcome = list(root, argv[3]);
    } else if (strcmp(argv[2], "cat") == 0) {
        outcome = cat(root, argv[3]);
    } else if (strcmp(argv[2], "copy") == 0 && argc == 5) {
        outcome = copy(root, argv[3], argv[4]);
    }
    carnet_disconnect(root);
    return outcome;
}
