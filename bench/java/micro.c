/* Micro.java in C: `micro NAME COUNT` prints `CHECKSUM NANOSECONDS`.

   Optimization would make nothing of these loops. A barrier in each round, of no instructions, says that the value or all memory may
   have been changed or looked at: the operation is done, once in each round, as well as the compiler knows how to. Without
   optimization there is none. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __OPTIMIZE__
#define SEEN(value) __asm__ volatile("" : "+r"(value))
#define ALL_SEEN() __asm__ volatile("" : : : "memory")
#else
#define SEEN(value) ((void)0)
#define ALL_SEEN() ((void)0)
#endif

static uint32_t field = 3, x = 3, y;
static uint32_t elements[4] = {1, 2, 3, 4}, xs[1] = {3}, ys[1];

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static uint32_t null_loop(uint32_t count)
{
    uint32_t i = 0;
    for (; i < count; i++)
        SEEN(i);
    return i;
}

__attribute__((noinline)) static uint32_t one(void)
{
    /* It has an effect, as far as the compiler can tell. */
    ALL_SEEN();
    return 1;
}

static uint32_t null_call(uint32_t count)
{
    uint32_t value = 0, i = 0;
    for (; i < count; i++) {
        value = one();
        SEEN(value);
    }
    return i + value;
}

/* A function of another library, which the compiler cannot see. */
static int (*volatile native)(int) = isalpha;

static uint32_t native_call(uint32_t count)
{
    int value = 0;
    uint32_t i = 0;
    for (; i < count; i++)
        value = native(-1);
    return value ? 0 : i;
}

static uint32_t field_read(uint32_t count)
{
    uint32_t value = 0, i = 0;
    for (; i < count; i++) {
        ALL_SEEN();
        value = field;
        SEEN(value);
    }
    return i + value;
}

static uint32_t field_write(uint32_t count)
{
    uint32_t i = 0;
    for (; i < count; i++) {
        field = i;
        ALL_SEEN();
    }
    return i + field;
}

static uint32_t array_read(uint32_t count)
{
    uint32_t value = 0, i = 0;
    for (; i < count; i++) {
        ALL_SEEN();
        value = elements[2];
        SEEN(value);
    }
    return i + value;
}

static uint32_t array_write(uint32_t count)
{
    uint32_t i = 0;
    for (; i < count; i++) {
        elements[2] = i;
        ALL_SEEN();
    }
    return i + elements[2];
}

static uint32_t math(uint32_t count, uint32_t x)
{
    uint32_t y = 0, i = 0;
    for (; i < count; i++) {
        SEEN(x);
        y = x + x + x + x + x + x + x + x + x + x;
        SEEN(y);
    }
    return i + y;
}

static uint32_t math_field(uint32_t count)
{
    uint32_t i = 0;
    for (; i < count; i++) {
        ALL_SEEN();
        y = x + x + x + x + x + x + x + x + x + x;
        ALL_SEEN();
    }
    return i + y;
}

static uint32_t math_array(uint32_t count)
{
    uint32_t i = 0;
    for (; i < count; i++) {
        ALL_SEEN();
        ys[0] = xs[0] + xs[0] + xs[0] + xs[0] + xs[0] + xs[0] + xs[0] + xs[0] + xs[0] + xs[0];
        ALL_SEEN();
    }
    return i + ys[0];
}

static int run(const char *name, uint32_t count, uint32_t *checksum)
{
    static const struct {
        const char *name;
        uint32_t (*run)(uint32_t count);
    } all[] = {
        {"null-loop", null_loop},   {"null-call", null_call},   {"native-call", native_call},
        {"field-read", field_read}, {"field-write", field_write}, {"array-read", array_read},
        {"array-write", array_write}, {"math-field", math_field}, {"math-array", math_array},
    };
    if (strcmp(name, "math") == 0) {
        *checksum = math(count, 3);
        return 1;
    }
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(name, all[k].name) == 0) {
            *checksum = all[k].run(count);
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "micro NAME COUNT\n");
        return 2;
    }
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10), checksum = 0;
    int64_t begin = now_ns();
    if (!run(argv[1], count, &checksum)) {
        fprintf(stderr, "no benchmark %s\n", argv[1]);
        return 2;
    }
    int64_t ns = now_ns() - begin;
    printf("%" PRId32 " %" PRId64 "\n", (int32_t)checksum, ns);
    return 0;
}
