/* Inside the judge's flow: cases on real cards. */
#ifndef WARPGRADE_GRADER_GRADE_GRADE_GPU_H
#define WARPGRADE_GRADER_GRADE_GRADE_GPU_H

#include "grader/judge/oracle.h"
#include "sandbox/cuda/session.h"

/* `each` workers on every card that makes do with the first one's machine code, opened when they
 * are first needed and again where a kernel took one with it. Safe to use from several threads: a
 * launch takes whichever worker is free, and waits where none is. */
struct grade_gpu;
/* `cards` is borrowed. Trusted ones are for references. */
struct grade_gpu *grade_gpu_new(const struct cuda_card *cards, size_t count, size_t each,
                                bool trusted);
void grade_gpu_free(struct grade_gpu *gpu); /* NULL is allowed */

/* engine_run() on a card: `build` has its machine code, the launch's PTX, budget and threads are
 * not looked at. Limits: the wall clock's, of the kernel. Results have no counters and no lines. */
enum status grade_gpu_run(struct grade_gpu *gpu, const struct engine_launch *launch,
                          const struct build_result *build, const struct worker_limits *limits,
                          struct engine_result *result, struct error *error);
/* The same as an oracle_engine's function; its context is the grade_gpu. */
enum status grade_gpu_reference(void *gpu, const struct engine_launch *launch,
                                const struct build_result *build,
                                const struct worker_limits *limits, struct engine_result *result,
                                struct error *error);

/* How a launch on a card ended, in the terms of the simulated GPU, which the judge knows. Moves
 * what the kernel printed. */
void grade_gpu_translate(struct cuda_result *card, struct engine_result *result);

#endif
