/* Starting a worker: a short-lived process that handles one request about untrusted code.
 *
 * The worker is warpgrade-worker beside this program, else this same program, executed again in the
 * jail (isolation/jail.h says what that promises). It reads its request from descriptor 0 until end
 * of file, writes its response to descriptor 1, messages for humans to descriptor 2 and
 * finds shared data, if any, on descriptor WORKER_DATA_FD. The supervisor caps and times all of it.
 * Everything in worker_result is hostile bytes. Safe to call from several threads at once. */
#ifndef WARPGRADE_SANDBOX_WORKER_WORKER_H
#define WARPGRADE_SANDBOX_WORKER_WORKER_H

#include "sandbox/base/error.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORKER_DATA_FD = JAIL_DATA_FD };
#define WORKER_NAME "warpgrade-worker"

struct worker_limits {
    double wall_seconds;   /* 0: the default, 10 */
    double cpu_seconds;    /* of all its threads; 0: the wall time on every CPU */
    uint64_t memory_bytes; /* what it may allocate: heap, stacks; 0: the default, 2 GiB */
    uint64_t output_bytes; /* of the response; 0: the default, 16 MiB */
};

struct worker_spec {
    const char *role; /* "build", "tools", "sim", "batch" ...: sandbox/program/worker_main.c */
    const void *request;
    size_t request_length;
    int data_fd; /* becomes WORKER_DATA_FD in the worker; -1: none */
    struct worker_limits limits;
    enum jail_profile profile;
    const char *const *shown; /* see jail_spec */
};

enum worker_end {
    WORKER_EXITED, /* exit code 0 */
    WORKER_FAILED, /* another exit code */
    WORKER_SIGNALLED,
    WORKER_TIME_LIMIT, /* wall clock or CPU time */
    WORKER_MEMORY_LIMIT,
    WORKER_OUTPUT_LIMIT,
    WORKER_STOPPED, /* by another limit of the jail, or for a forbidden system call */
};

struct worker_result {
    enum worker_end end;
    int code;       /* exit code or signal number */
    char limit[96]; /* which limit ended it, with the figure: "memory limit: 2.0 GiB reached"; "" */
    struct text response;
    struct text messages; /* the first 64 KiB of descriptor 2 */
    double wall_ms;
    double cpu_ms;
    uint64_t peak_memory_bytes;
};

/* STATUS_ENVIRONMENT only when the worker could not be started; everything that happens later is
 * in *result. */
enum status worker_run(const struct worker_spec *spec, struct worker_result *result,
                       struct error *error);
void worker_result_free(struct worker_result *result);
/* What is executed as a worker: an absolute path. Caller frees. */
char *worker_program(void);

/* What a worker's exit codes mean. A role returns 0 or WORKER_EXIT_REFUSED; sandbox/base/memory.c
 * ends a process that runs out of memory with WORKER_EXIT_MEMORY. */
enum { WORKER_EXIT_REFUSED = 1, WORKER_EXIT_UNKNOWN_ROLE = 2, WORKER_EXIT_MEMORY = 3 };

/* For the workers' entry: reads descriptor 0 to its end (at most max_bytes, else false). */
bool worker_read_request(size_t max_bytes, struct text *request);

/* The limits with every default filled in: what a worker really gets. */
struct worker_limits worker_limits_resolve(const struct worker_limits *limits);

#endif
