/* Macro.java in C: `macro NAME COUNT` prints `CHECKSUM NANOSECONDS`.

   Every execution gives the same result, and optimization would do it once, or compute it beforehand. A barrier of no instructions
   says in each execution that all memory, and what it begins with, may have been changed. */
#define _POSIX_C_SOURCE 200809L
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

enum {
    SORTED = 1000,
    RANDOM = 100,
    FIBONACCI = 40,
    STATE = 55,
    M = 100000000,
    M1 = 10000,
    B = 31415821,
    SEED = 1234567,
};

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void qsort_numbers(int32_t *numbers, int32_t first, int32_t last)
{
    int32_t pivot = numbers[(first + last) / 2], low = first, high = last;
    while (low <= high) {
        while (numbers[low] < pivot)
            low++;
        while (numbers[high] > pivot)
            high--;
        if (low <= high) {
            int32_t number = numbers[low];
            numbers[low] = numbers[high];
            numbers[high] = number;
            low++;
            high--;
        }
    }
    if (first < high)
        qsort_numbers(numbers, first, high);
    if (low < last)
        qsort_numbers(numbers, low, last);
}

static uint32_t qsorts(int32_t count)
{
    static int32_t numbers[SORTED];
    uint32_t checksum = 0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < SORTED; k++)
            numbers[k] = SORTED - k;
        ALL_SEEN();
        qsort_numbers(numbers, 0, SORTED - 1);
        ALL_SEEN();
        checksum = checksum * 31 + (uint32_t)numbers[i % SORTED];
    }
    return checksum;
}

static int32_t times(int32_t a, int32_t b)
{
    int32_t a1 = a / M1, a0 = a % M1, b1 = b / M1, b0 = b % M1;
    return ((a0 * b1 + a1 * b0) % M1 * M1 + a0 * b0) % M;
}

static void rand_numbers(int32_t *state, int32_t *numbers, int32_t seed)
{
    state[0] = seed;
    for (int32_t k = 1; k < STATE; k++)
        state[k] = (times(state[k - 1], B) + 1) % M;
    int32_t at = 0;
    for (int32_t k = 0; k < RANDOM; k++) {
        at = (at + 1) % STATE;
        state[at] = (state[(at + 23) % STATE] + state[(at + 54) % STATE]) % M;
        numbers[k] = state[at] / M1 * 1000 / M1;
    }
}

static uint32_t rands(int32_t count)
{
    static int32_t state[STATE], numbers[RANDOM];
    uint32_t checksum = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t seed = SEED;
        SEEN(seed);
        rand_numbers(state, numbers, seed);
        ALL_SEEN();
        checksum = checksum * 31 + (uint32_t)numbers[i % RANDOM];
    }
    return checksum;
}

static int32_t fibonacci(int32_t count)
{
    int32_t last = 0, next = 1;
    for (int32_t k = 0; k < count; k++) {
        int32_t sum = last + next;
        last = next;
        next = sum;
    }
    return last;
}

static uint32_t fibonaccis(int32_t count)
{
    uint32_t checksum = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t of = FIBONACCI;
        SEEN(of);
        checksum = checksum * 31 + (uint32_t)fibonacci(of);
    }
    return checksum;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "macro NAME COUNT\n");
        return 2;
    }
    uint32_t (*run)(int32_t) = strcmp(argv[1], "qsort") == 0       ? qsorts
                               : strcmp(argv[1], "rand") == 0      ? rands
                               : strcmp(argv[1], "fibonacci") == 0 ? fibonaccis
                                                                   : NULL;
    if (run == NULL) {
        fprintf(stderr, "no benchmark %s\n", argv[1]);
        return 2;
    }
    int32_t count = (int32_t)strtol(argv[2], NULL, 10);
    int64_t begin = now_ns();
    uint32_t checksum = run(count);
    int64_t ns = now_ns() - begin;
    printf("%" PRId32 " %" PRId64 "\n", (int32_t)checksum, ns);
    return 0;
}
