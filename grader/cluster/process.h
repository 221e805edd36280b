/* A program of the system's that is run aside: what it writes is kept, and it has a time limit. */
#ifndef WARPGRADE_GRADER_CLUSTER_PROCESS_H
#define WARPGRADE_GRADER_CLUSTER_PROCESS_H

#include "sandbox/base/error.h"

#include <stddef.h>

struct process;

struct process_result {
    bool in_time;
    int code;     /* exit code; -1: a signal ended it */
    char *output; /* of standard output; at most 16 MiB are kept */
    size_t length;
    char *complaint; /* the last line of standard error that is not empty, or "" */
};
void process_result_free(struct process_result *result);

/* argv[0] is looked for in PATH. Terminals' signals (Ctrl-C) do not reach it. */
enum status process_start(const char *const *argv, double limit_seconds, struct process **process,
                          struct error *error);
/* Has it ended? Then process_finish() does not wait. One that takes too long is killed. */
bool process_is_done(struct process *process);
/* Waits for it and frees it. */
void process_finish(struct process *process, struct process_result *result);

#endif
