/* What the client and the server of gathering.idl in C have in common: what bytes come to. */
#ifndef GATHERING_VALUES_H
#define GATHERING_VALUES_H

#define TEXT_MAX 100000u
#define BYTES_MAX (1u << 20)
#define SHORT_MAX 5000u

static inline uint64_t mixed(uint64_t sum, const void *ptr, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)ptr;
    size_t index;
    for (index = 0; index < len; index++) {
        sum = (sum ^ bytes[index]) * UINT64_C(0x100000001b3) & INT64_MAX;
    }
    return sum;
}

#endif
