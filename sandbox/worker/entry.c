/* The workers' side of worker.c: the sequence that every worker goes through, whatever its role.
 *
 *     1. what it needs of the system: the mapping of the shared data, whose bytes it does not look
 *        at, the number of processors, the seed of jansson's tables, the role's own needs
 *     2. the inner walls of the jail (isolation/enter.c), which end the process where one fails
 *     3. the request, the first hostile bytes
 *     4. the role
 *     5. the response, and the end
 *
 * A file of its own, so that a worker's program holds nothing that starts workers. */
#include "sandbox/worker/entry.h"

#include "sandbox/isolation/jail_private.h"
#include "sandbox/worker/worker.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct worker_entry {
    struct text request_bytes;
    struct protocol_message request; /* points into them */
    struct worker_data data;
    unsigned processors;
};

static _Noreturn void end(int code, const char *reason) {
    fprintf(stderr, "%s\n", reason);
    _exit(code);
}

static const struct worker_entry *entered(const struct worker_entry *entry) {
    if (!entry)
        end(JAIL_EXIT_NOT_SEALED, "a worker's role was run without its jail");
    return entry;
}

const struct protocol_message *worker_request(const struct worker_entry *entry) {
    return &entered(entry)->request;
}

struct worker_data worker_data(const struct worker_entry *entry) {
    return entered(entry)->data;
}

unsigned worker_processors(const struct worker_entry *entry) {
    return entered(entry)->processors;
}

int worker_channel(const struct worker_entry *entry) {
    return entered(entry) ? WORKER_DATA_FD : -1;
}

bool worker_read_request(size_t max_bytes, struct text *request) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || request->length + (size_t)(got > 0 ? got : 0) > max_bytes)
            return false;
        if (got == 0)
            return true;
        text_append_bytes(request, buffer, (size_t)got);
    }
}

/* Maps the data that the supervisor shares. Length 0: nothing to map. */
static bool map_data(struct worker_data *data) {
    struct stat info;
    if (fstat(WORKER_DATA_FD, &info) != 0 || info.st_size < 0)
        return false;
    data->length = (size_t)info.st_size;
    if (data->length == 0)
        return true;
    data->bytes = mmap(NULL, data->length, PROT_READ | PROT_WRITE, MAP_SHARED, WORKER_DATA_FD, 0);
    return data->bytes != MAP_FAILED;
}

void worker_expect_heap(size_t bytes, size_t largest) {
    enum { PAD = 1 << 20, PART = 16 };
    struct rlimit data;
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur < (rlim_t)PART * bytes)
        return;
    mallopt(M_MMAP_THRESHOLD, (int)largest);
    mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes));
    mallopt(M_TOP_PAD, (int)bytes);
    char *first = mem_alloc(PAD), *end = sbrk(0);
    if (end > first && (size_t)(end - first) <= 2 * bytes) /* else malloc() has it elsewhere */
        mem_expect_use(first, (size_t)(end - first));
    free(first);
    mallopt(M_TOP_PAD, PAD);
}

static void take_needs(const struct worker_role *role, struct worker_entry *entry) {
    if (role->maps_data && !map_data(&entry->data))
        end(WORKER_EXIT_REFUSED, "the shared data cannot be mapped");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    entry->processors = processors > 0 ? (unsigned)processors : 1;
    json_object_seed(0); /* jansson would open /dev/urandom for it */
    if (role->prepare)
        role->prepare();
}

/* Where files can be opened, /proc/self/fd/0 would be the request: in the second jail its own
 * descriptors can be opened by name. A program that the role starts finds /dev/null there, where
 * its jail shows that. The simulator opens nothing, and its last filter has no close(). */
static void drop_request(const struct worker_role *role) {
    if (role->profile == JAIL_SIMULATOR)
        return;
    close(STDIN_FILENO);
    if (open("/dev/null", O_RDONLY) > STDIN_FILENO)
        end(WORKER_EXIT_REFUSED, "the request cannot be closed");
}

static void read_request(const struct worker_role *role, struct worker_entry *entry) {
    struct text *bytes = &entry->request_bytes;
    if (!role->request_max)
        return;
    if (!worker_read_request(role->request_max, bytes) ||
        !protocol_parse(text_string(bytes), bytes->length, &entry->request))
        end(WORKER_EXIT_REFUSED, "the request is not a frame");
    drop_request(role);
}

void worker_enter(const struct worker_role *role, bool jailed) {
    struct worker_entry entry = {.processors = 1};
    struct text response = {0};
    take_needs(role, &entry);
    bool sealed = jail_enter(role->profile);
    if (jailed && !sealed && !JAIL_ASAN)
        end(JAIL_EXIT_NOT_SEALED, "the worker cannot close its jail: its filter is missing");
    read_request(role, &entry);
    int code = role->run(&entry, &response);
    if (code == 0 && !file_write_all(STDOUT_FILENO, response.data, response.length))
        code = WORKER_EXIT_REFUSED;
    _exit(code);
}

const char *worker_role_asked(int argc, char **argv, bool *jailed) {
    if (argc != 2)
        return NULL;
    *jailed = strcmp(argv[0], JAIL_PROGRAM) == 0;
    return *jailed || strcmp(argv[0], WORKER_NAME) == 0 ? argv[1] : NULL;
}
