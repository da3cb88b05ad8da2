/* A Hello costs its length, whatever it names and whatever the server has: what it is compared with is counted. And what is found in
 * the table of all that the server has is what there is. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
static size_t compared;
#define CARNET_COMPARED() ((void)compared++)
#define CARNET_SERVER
#include "carnet_server.h"
#include "check.h"

#define INTERFACES 300
#define OPERATIONS 400
#define BYTES (CARNET_HEAD_BYTES + CARNET_HELLO_BYTES_MAX)
/* Comparisons for each byte of a Hello. */
#define COST 1

static uint64_t hashes[INTERFACES][OPERATIONS];
static char names[INTERFACES][8];
static struct carnet_interface interfaces[INTERFACES];
static const struct carnet_interface *list[INTERFACES];
static const struct carnet_module module = {"many", list, INTERFACES, 1 << 16};
static const struct carnet_service service = {&module, &interfaces[0], NULL, NULL, NULL, NULL, 0, NULL};
static struct carnet_server server;
static struct carnet_client *client;
static size_t len;

static void put(const void *from, size_t bytes)
{
    CHECK(len + bytes <= BYTES);
    memcpy((char *)carnet_message(&client->session.channel) + len, from, bytes);
    len += bytes;
}

static void put_number(uint32_t number)
{
    put(&number, sizeof number);
}

static void put_hash(uint64_t hash)
{
    put(&hash, sizeof hash);
}

static void put_text(const char *text, size_t bytes)
{
    put_number((uint32_t)bytes);
    put(text, bytes);
}

static void begin(const char *name, size_t bytes, uint32_t count)
{
    len = CARNET_HEAD_BYTES;
    put("\x89" "carnet\n", 8);
    put_number(1);
    put_text(name, bytes);
    put_text("", 0);
    put_number(count);
}

static void put_interface(const char *name, uint32_t count)
{
    put_text(name, strlen(name));
    put_hash(1);
    put_number(count);
}

/* It is read, at no more than its length costs. */
static void reads(void)
{
    const char *fault;
    compared = 0;
    fault = carnet_hello_read(&server, client, len);
    if (fault != NULL || compared > COST * len) {
        fprintf(stderr, "%s; %zu comparisons for %zu bytes\n", fault == NULL ? "read" : fault, compared, len);
        exit(1);
    }
}

/* As many operations as there is room for: each is ours, or none is. Again and again: it never costs more. */
static void reads_one_long_list(uint64_t add)
{
    uint32_t number, count = (CARNET_HELLO_BYTES_MAX - 100) / 8;
    unsigned times;
    begin("many", 4, 1);
    put_interface(names[7], count);
    for (number = 0; number < count; number++) {
        put_hash(hashes[7][OPERATIONS - 1 - number % OPERATIONS] + add);
    }
    for (times = 0; times < 3; times++) {
        reads();
        CHECK(add != 0 || compared >= count);
        CHECK(client->known[7] == count && client->operations[7] != NULL && client->operations[6] == NULL);
        for (number = 0; number < count; number++) {
            uint16_t wanted = add == 0 ? (uint16_t)(OPERATIONS - 1 - number % OPERATIONS) : UINT16_MAX;
            CHECK(client->operations[7][number] == wanted);
        }
    }
}

/* All that we have, and a few operations of each. */
static void reads_each_interface(void)
{
    uint32_t index;
    begin("many", 4, INTERFACES);
    for (index = 0; index < INTERFACES; index++) {
        put_interface(names[index], 2);
        put_hash(hashes[index][index]);
        put_hash(hashes[(index + 1) % INTERFACES][index]);
    }
    reads();
    for (index = 0; index < INTERFACES; index++) {
        CHECK(client->known[index] == 2 && client->operations[index][0] == index && client->operations[index][1] == UINT16_MAX);
    }
}

/* As many as there is room for, which we have not, of a module whose name is long, or of ours. */
static void reads_unknown_interfaces(size_t bytes)
{
    static char name[CARNET_HELLO_BYTES_MAX];
    uint32_t index, count = (uint32_t)((CARNET_HELLO_BYTES_MAX - 100 - bytes) / 17);
    memcpy(memset(name, 'm', sizeof name), "many", 4);
    begin(name, bytes, count);
    for (index = 0; index < count; index++) {
        put_interface("x", 0);
    }
    reads();
    for (index = 0; index < INTERFACES; index++) {
        CHECK(client->known[index] == 0 && client->operations[index] == NULL);
    }
}

int main(void)
{
    uint64_t seed = 1;
    uint16_t index, own;
    for (index = 0; index < INTERFACES; index++) {
        for (own = 0; own < OPERATIONS; own++) {
            seed += 0x9e3779b97f4a7c15u;
            hashes[index][own] = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
            hashes[index][own] ^= hashes[index][own] >> 27;
        }
        snprintf(names[index], sizeof names[index], "I%u", (unsigned)index);
        interfaces[index].name = names[index];
        interfaces[index].operations = hashes[index];
        interfaces[index].count = OPERATIONS;
        list[index] = &interfaces[index];
    }
    server.service = &service;
    client = (struct carnet_client *)aligned_alloc(64, (sizeof *client + BYTES + 64) & ~(size_t)63);
    CHECK(client != NULL);
    memset(client, 0, sizeof *client);
    carnet_channel_init(&client->session.channel, NULL, BYTES);
    reads_one_long_list(0);
    reads_one_long_list(1);
    reads_each_interface();
    reads_unknown_interfaces(4);
    reads_unknown_interfaces(20000);
    carnet_forget_operations(client, &module);
    free(server.known);
    free(client);
    return 0;
}
