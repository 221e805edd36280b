/* The door of both engines: a launch goes in, outputs, hazards and counters come out.
 *
 * An engine knows kernels, buffers and sizes, and nothing of exercises, expected results or scores.
 * engine_run() is called by the trusted process; it starts a short-lived worker process, sends the
 * request over a pipe and the data in a sealed memfd, and reads back what the worker says as
 * hostile bytes: sizes are checked against the request, strings are capped, unknown ids refused. */
#ifndef WARPGRADE_SANDBOX_ENGINE_ENGINE_H
#define WARPGRADE_SANDBOX_ENGINE_ENGINE_H

#include "sandbox/base/launch.h"
#include "sandbox/worker/worker.h"

/* Runs one launch on the simulated GPU. STATUS_OK whenever a verdict can be drawn from *result,
 * also when the kernel misbehaved; STATUS_ENVIRONMENT when no worker could be started. */
enum status engine_run(const struct engine_launch *launch, const struct worker_limits *limits,
                       struct engine_result *result, struct error *error);

/* Several launches of one module, one after the other in one worker, which parses and decodes it
 * once: what starts and guards a worker costs more than a small launch does. */
enum { ENGINE_MAX_BATCH = 128 };
struct engine_batch_entry {
    struct engine_launch launch; /* the same ptx in all; data is the result where `done` */
    size_t after;                /* an entry before, without whose clean end this one is left out,
                                    as it is where that end says that no order of blocks or warps
                                    can matter; itself or after: none */
    uint64_t at_most;            /* thread instructions of `after`: left out where it executed more;
                                    0: however many */
    bool done;                   /* completed; only then has the launch a result */
    struct engine_result result;
};
/* A launch that does not complete, exceeds its budget or breaks the worker ends the batch, and so
 * does the one in which a quarter of its time is used up: the caller runs what is not done by
 * itself, with limits of its own. The limits given are those of the batch as a whole. */
enum status engine_run_batch(struct engine_batch_entry *entries, size_t count,
                             const struct worker_limits *limits, struct error *error);

/* The workers' side: one launch, and several. */
extern const struct worker_role engine_sim_role;
extern const struct worker_role engine_batch_role;

#endif
