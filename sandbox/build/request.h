/* The trusted side's steps between a build_request and a worker's answer. Private to the room. */
#ifndef WARPGRADE_SANDBOX_BUILD_REQUEST_H
#define WARPGRADE_SANDBOX_BUILD_REQUEST_H

#include "sandbox/base/hash.h"
#include "sandbox/build/answer.h"

/* Runs one job in a worker. *worker_end and, where it answered, *answer are filled; an answer that
 * is not valid counts as a crash. `response` (may be NULL) gets the raw frame, for the cache. */
enum status build_run_job(const struct build_job *job, const struct worker_limits *limits,
                          enum build_end *end, struct build_answer *answer, struct text *response,
                          struct error *error);

/* The seconds that a caller gives (10 where it gives none) are CPU time: that other programs keep
 * the machine busy is no fault of the source. The clock stops what does not compute. */
struct worker_limits build_limits(const struct worker_limits *limits);

/* What a compiler may answer at most. */
uint64_t build_output_bytes(const struct worker_limits *limits);

/* Is this text a source at all? Otherwise fills message and hint of the result and returns false.
 */
bool build_source_check(const char *name, const char *source, size_t length,
                        struct build_result *result);
/* STATUS_INVALID where the request itself is wrong: names, options. */
enum status build_request_check(const struct build_request *request, struct error *error);

/* Fills result->message and hint from what the answer says. */
void build_explain(const struct build_request *request, const struct build_answer *answer,
                   const struct worker_limits *limits, struct build_result *result);
/* The advice of slips.def for a compiler's error, or NULL. */
const char *build_slip_advice(const char *error);

#endif
