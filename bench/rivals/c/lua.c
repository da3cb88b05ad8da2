/* Lua 5.4 with the service as C functions. Answers `copy N`, `load N` (source) and `undump N` (bytecode) with
   `NANOSECONDS SUM`. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "null.h"

static const char SOURCE[] =
    "local read, write = ...\n"
    "local i, j, k = 1, 2, 3\n"
    "while read(i, j, k) > 0 do write(i, j, k) end\n";

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int lua_read(lua_State *L)
{
    int64_t i = luaL_checkinteger(L, 1), j = luaL_checkinteger(L, 2), k = luaL_checkinteger(L, 3);
    lua_pushinteger(L, null_service.read(i, j, k));
    return 1;
}

static int lua_write(lua_State *L)
{
    int64_t i = luaL_checkinteger(L, 1), j = luaL_checkinteger(L, 2), k = luaL_checkinteger(L, 3);
    lua_pushinteger(L, null_service.write(i, j, k));
    return 1;
}

static char dumped[4096];
static size_t dumped_len;

static int writer(lua_State *L, const void *part, size_t len, void *data)
{
    (void)L, (void)data;
    if (dumped_len + len > sizeof dumped)
        return 1;
    memcpy(dumped + dumped_len, part, len);
    dumped_len += len;
    return 0;
}

int main(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (luaL_loadstring(L, SOURCE) != LUA_OK || lua_dump(L, writer, NULL, 1) != 0)
        return 1;
    lua_pop(L, 1);
    char key[32];
    int64_t n;
    while (scanf("%31s %" SCNd64, key, &n) == 2) {
        null_left = n;
        null_sum = 0;
        if (strcmp(key, "copy") == 0) {
            luaL_loadstring(L, SOURCE);
            lua_pushcfunction(L, lua_read);
            lua_pushcfunction(L, lua_write);
        }
        int64_t begin = now_ns();
        if (strcmp(key, "copy") == 0) {
            if (lua_pcall(L, 2, 0, 0) != LUA_OK)
                return 1;
        } else if (strcmp(key, "load") == 0) {
            for (int64_t at = 0; at < n; at++) {
                if (luaL_loadbuffer(L, SOURCE, sizeof SOURCE - 1, "copy") != LUA_OK)
                    return 1;
                lua_pop(L, 1);
            }
        } else {
            for (int64_t at = 0; at < n; at++) {
                if (luaL_loadbufferx(L, dumped, dumped_len, "copy", "b") != LUA_OK)
                    return 1;
                lua_pop(L, 1);
            }
        }
        printf("%" PRId64 " %" PRId64 "\n", now_ns() - begin, null_sum);
        fflush(stdout);
    }
    return 0;
}
