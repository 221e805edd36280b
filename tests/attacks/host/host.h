/* What a program that attacks the simulator beside it needs: the socket and the window that
 * `warpgrade run` gives it, without the library that uses them. */
#ifndef WARPGRADE_TESTS_ATTACKS_HOST_HOST_H
#define WARPGRADE_TESTS_ATTACKS_HOST_HOST_H

#define _GNU_SOURCE
#include "sandbox/runtime/wire.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static inline unsigned char *map_window(void) {
    void *window = mmap(NULL, WIRE_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_SHARED, 0);
    return window == MAP_FAILED ? NULL : window;
}

static inline bool read_whole(void *bytes, size_t length) {
    for (char *at = bytes; length;) {
        ssize_t got = read(WIRE_SOCKET, at, length);
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* The error of the answer; -1: there is none, the simulator has hung up. */
static inline long ask(uint32_t call, uint64_t a, uint64_t b, uint64_t c, const void *bytes,
                       uint32_t length, uint64_t *value) {
    struct wire_request request = {.call = call, .inline_bytes = length, .argument = {a, b, c}};
    struct wire_answer answer;
    static char rest[1 << 20];
    signal(SIGPIPE, SIG_IGN);
    if (write(WIRE_SOCKET, &request, sizeof request) != sizeof request ||
        (length && write(WIRE_SOCKET, bytes, length) != (ssize_t)length) ||
        !read_whole(&answer, sizeof answer) || answer.inline_bytes > sizeof rest ||
        !read_whole(rest, answer.inline_bytes))
        return -1;
    if (value)
        *value = answer.value[0];
    return answer.error;
}

static inline bool greet(void) {
    return ask(WIRE_HELLO, WIRE_VERSION, 0, 0, NULL, 0, NULL) == 0;
}

/* The attack has reached its aim. */
static inline void reached(const char *what) {
    printf("REACHED: %s\n", what);
    fflush(stdout);
    _exit(99);
}

/* Calls `attempt` with each process that /proc shows, but ourselves. */
static inline void each_process(void (*attempt)(pid_t pid)) {
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid > 0 && pid != getpid())
            attempt(pid);
    }
    for (pid_t pid = 1; pid < 200; pid++) /* also where /proc is not shown */
        if (pid != getpid())
            attempt(pid);
    attempt(getppid());
}

#endif
