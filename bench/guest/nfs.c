/* The first and only process of the emulated machine: mounts what it is told to, copies files there, and says how long that took.
 *
 *   host ── a line ──► mount VERSION PORT        ◄── = ok
 *                      copy HOW FROM TO          ◄── = nanoseconds        HOW: rw, by read and write; cfr, by copy_file_range
 *                      umount                    ◄── = ok
 *                                                ◄── ! what failed
 *
 * A copy opens both files, empties the target, copies and closes both, as cp does; what the machine had in memory of the files is dropped
 * before, which is not timed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* As much as cp of coreutils 9 moves at once. */
#define PIECE (128 << 10)

static void say(const char *sign, const char *what) {
    printf("%s %s\r\n", sign, what);
    fflush(stdout);
}

static int failed(const char *what) {
    char text[160];
    snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
    say("!", text);
    return -1;
}

/* Loads all modules of /m, which are named in the order in which they need each other. */
static void load_modules(void) {
    struct dirent **found;
    int count = scandir("/m", &found, NULL, alphasort);
    for (int at = 0; at < count; at++) {
        char path[300];
        snprintf(path, sizeof path, "/m/%s", found[at]->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (found[at]->d_name[0] != '.' && syscall(SYS_finit_module, fd, "", 0) != 0) failed(path);
        close(fd);
    }
}

static void address(struct sockaddr *to, const char *text) {
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {inet_addr(text)}};
    memcpy(to, &in, sizeof in);
}

/* The addresses are those of QEMU's user network. */
static int bring_up(void) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct ifreq one = {0};
    strcpy(one.ifr_name, "eth0");
    address(&one.ifr_addr, "10.0.2.15");
    if (ioctl(fd, SIOCSIFADDR, &one) != 0) return failed("address");
    address(&one.ifr_netmask, "255.255.255.0");
    if (ioctl(fd, SIOCSIFNETMASK, &one) != 0) return failed("netmask");
    one.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(fd, SIOCSIFFLAGS, &one) != 0) return failed("up");
    struct rtentry route = {.rt_flags = RTF_UP | RTF_GATEWAY};
    address(&route.rt_dst, "0.0.0.0");
    address(&route.rt_genmask, "0.0.0.0");
    address(&route.rt_gateway, "10.0.2.2");
    if (ioctl(fd, SIOCADDRT, &route) != 0) return failed("route");
    return close(fd);
}

static void mount_it(const char *version, const char *port) {
    char options[200];
    snprintf(options, sizeof options, "addr=10.0.2.2,clientaddr=10.0.2.15,port=%s,vers=%s,proto=tcp,sec=sys", port, version);
    if (mount("10.0.2.2:/e", "/mnt", "nfs4", 0, options) != 0) failed("mount");
    else say("=", "ok");
}

static void forget(void) {
    sync();
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);
    if (write(fd, "3", 1) != 1) failed("drop_caches");
    close(fd);
}

/* All that is left of a file, by the one way or the other; -1 if it fails. */
static long move(const char *how, int from, int to) {
    static char piece[PIECE];
    if (strcmp(how, "cfr") == 0) return copy_file_range(from, NULL, to, NULL, 1 << 30, 0);
    long got = read(from, piece, sizeof piece);
    for (long at = 0; at < got;) {
        long put = write(to, piece + at, got - at);
        if (put < 0) return -1;
        at += put;
    }
    return got;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void copy(const char *how, const char *from_name, const char *to_name) {
    char from_path[100], to_path[100], text[40];
    snprintf(from_path, sizeof from_path, "/mnt/%s", from_name);
    snprintf(to_path, sizeof to_path, "/mnt/%s", to_name);
    forget();
    long long begun = now();
    int from = open(from_path, O_RDONLY), to = open(to_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (from < 0 || to < 0) { failed("open"); return; }
    long moved;
    while ((moved = move(how, from, to)) > 0) {}
    if (moved < 0) { failed("copy"); close(from); close(to); return; }
    /* What is not written yet is written when the file is closed. */
    if (close(to) != 0 || close(from) != 0) { failed("close"); return; }
    snprintf(text, sizeof text, "%lld", now() - begun);
    say("=", text);
}

int main(void) {
    mkdir("/proc", 0755);
    mkdir("/mnt", 0755);
    mount("proc", "/proc", "proc", 0, "");
    struct termios raw;
    if (tcgetattr(0, &raw) == 0) { cfmakeraw(&raw); tcsetattr(0, TCSANOW, &raw); }
    load_modules();
    if (bring_up() == 0) say("=", "ready");
    char line[200], a[60], b[60], c[60];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "mount %59s %59s", a, b) == 2) mount_it(a, b);
        else if (sscanf(line, "copy %59s %59s %59s", a, b, c) == 3) copy(a, b, c);
        else if (strncmp(line, "umount", 6) == 0) { if (umount("/mnt") == 0) say("=", "ok"); else failed("umount"); }
        else if (strncmp(line, "end", 3) == 0) break;
    }
    reboot(RB_POWER_OFF);
    return 0;
}
