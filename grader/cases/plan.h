/* The plan: what is run. From an exercise and the secret seed come the cases; a case bound to the
 * constants of a kernel is a launch: grid, block, arguments and one data area with every buffer.
 *
 * Everything here is a pure function of (exercise, seed, pattern, constants). */
#ifndef WARPGRADE_GRADER_CASES_PLAN_H
#define WARPGRADE_GRADER_CASES_PLAN_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/launch.h"

enum { PLAN_BUFFER_ALIGNMENT = 256 };

struct plan_case {
    char *name; /* the exercise's name, or "generated-1" ... */
    enum case_group group;
    struct exercise_size *sizes; /* names belong to the exercise */
    size_t size_count;
    struct exercise_fill *fills; /* one for each param, its bounds as numbers */
    bool essential;
};

struct plan {
    const struct exercise *exercise; /* borrowed */
    uint64_t seed;
    /* Those that match the pattern, in the exercise's order, the speed case last. */
    struct plan_case *cases;
    size_t case_count;
    size_t group_totals[GROUP_COUNT]; /* cases of each group, also those that do not match */
};

/* `pattern` (fnmatch) selects cases by name, NULL takes all. STATUS_INVALID when none matches. */
enum status plan_make(const struct exercise *exercise, uint64_t seed, const char *pattern,
                      struct plan **plan, struct error *error);
void plan_free(struct plan *plan);

enum plan_side {
    PLAN_SUBMISSION, /* the exercise's signature */
    PLAN_REFERENCE,  /* floating-point outputs as double, followed by magnitudes: see exercise.h */
};

struct plan_launch {
    struct dim3 grid, block;
    uint64_t shared_bytes;
    struct engine_argument *arguments; /* one for each param, then the reference's magnitudes */
    size_t argument_count;
    size_t *magnitudes; /* reference: argument index for each param, SIZE_MAX where it has none */
    size_t data_length;
    int64_t *lengths; /* tolerance dot: number of terms, for each param; else 0 */
    bool illegal;     /* set where plan_bind fails because no device accepts the launch */
};

/* Evaluates the case for a kernel that is launched as `shape` says with these constants. At most
 * memory_limit_bytes of buffers. On STATUS_INVALID the launch is empty but for `illegal`; the
 * error's message is for the student where the constants are theirs. */
enum status plan_bind(const struct plan *plan, size_t case_index,
                      const struct exercise_launch *shape, enum plan_side side,
                      const struct expr_name *constants, size_t constant_count,
                      uint64_t memory_limit_bytes, struct plan_launch *launch, struct error *error);
void plan_launch_free(struct plan_launch *launch);

/* The launch without a kernel: grid, block, arguments, and its data area at `data`. */
struct engine_launch plan_engine_launch(const struct plan_launch *launch, void *data);

/* Writes the launch's buffers (data_length bytes at `data`): inputs from the streams of the case's
 * params, outputs poisoned, gaps zero. The same inputs on both sides. */
void plan_fill(const struct plan *plan, size_t case_index, enum plan_side side,
               const struct plan_launch *launch, void *data);

/* The same for one buffer, wherever its bytes are to stand. */
void plan_fill_buffer(const struct plan *plan, size_t case_index, enum plan_side side,
                      const struct plan_launch *launch, size_t argument, void *at);

/* The schedule's seed of a case's launch; unrelated to the data. */
uint64_t plan_schedule_seed(const struct plan *plan, size_t case_index);

/* The bit pattern that outputs hold before a launch: finite, and far outside of what a kernel
 * computes from inputs of ordinary size (f16 52032, f32 1.1e38, f64 1.5e308; integers 0xa5 in each
 * byte). Finite on purpose: a NaN would hide a kernel's own NaN. */
uint64_t plan_poison(enum element_type type);
/* Another such pattern, no byte of it the same. An element that holds the first one after a launch
 * may have been given that value; one that holds the second after the same launch over that was
 * not written. */
uint64_t plan_other_poison(enum element_type type);
/* Writes it into all that plan_fill() poisoned. */
void plan_fill_other_poison(const struct plan *plan, enum plan_side side,
                            const struct plan_launch *launch, void *data);

#endif
