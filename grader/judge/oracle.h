/* The oracle: what each case should give, from the exercise's reference kernel.
 *
 * The reference is compiled and run by the same engine as a submission (oracle_engine), but in
 * workers of its own that never see anything of a submission. Answers are kept for the oracle's
 * life under a hash of everything they depend on (the reference's PTX, launch, arguments and input
 * data), so that the submissions of a class share them. Safe to call from several threads. */
#ifndef WARPGRADE_GRADER_JUDGE_ORACLE_H
#define WARPGRADE_GRADER_JUDGE_ORACLE_H

#include "grader/cases/plan.h"
#include "grader/exercise/exercise.h"
#include "sandbox/base/hash.h"
#include "sandbox/build/build.h"

struct oracle;
struct oracle *oracle_new(void);
void oracle_free(struct oracle *oracle);

/* What launches the reference. */
struct oracle_engine {
    enum status (*run)(void *context, const struct engine_launch *launch,
                       const struct build_result *build, const struct worker_limits *limits,
                       struct engine_result *result, struct error *error);
    void *context;
};

/* The reference kernel, compiled. */
struct oracle_kernel {
    struct build_result build;
    char *lowered;                      /* the entry's name */
    struct sha256 ptx_hash;             /* of build.ptx: every answer depends on it */
    const struct oracle_engine *engine; /* NULL: the simulated GPU */
};
/* STATUS_INVALID where it does not compile or has another signature than exercise.h asks for: the
 * error shows the first diagnostic. */
enum status oracle_compile(const struct exercise *exercise, struct oracle_kernel *kernel,
                           struct error *error);
/* The same for a real card ("sm_90"): its machine code is in kernel->build.cubin. */
enum status oracle_compile_for(const struct exercise *exercise, const char *architecture,
                               struct oracle_kernel *kernel, struct error *error);
void oracle_kernel_free(struct oracle_kernel *kernel);

struct oracle_answer {
    bool valid;         /* false: message says what is wrong with the reference */
    char message[1024]; /* "the reference of saxpy leaves y[3] unwritten" */
    struct plan_launch launch;
    void *data; /* its data area after the launch */
    uint64_t thread_instructions;
    bool order_matters; /* another order of blocks and warps could give another result */
    /* private to oracle.c */
    bool is_suspect; /* something holds the poison, and one launch does not tell why */
    unsigned users;
    bool kept;
};

/* The answer to a case. The reference is launched with the exercise's fallback constants, so that
 * all submissions share the answer; only where a shape depends on a constant (one sum a block, say)
 * with those of the submission, which are `constants`. `threads` as in engine_launch. Hand the
 * answer back with oracle_release. STATUS_ENVIRONMENT where no worker could be started. */
enum status oracle_ask(struct oracle *oracle, const struct oracle_kernel *kernel,
                       const struct plan *plan, size_t case_index,
                       const struct expr_name *constants, size_t constant_count, unsigned threads,
                       const struct oracle_answer **answer, struct error *error);
/* Computes the answers to these cases that were not asked for yet, in one worker where it can.
 * What goes wrong is reported by oracle_ask. */
void oracle_prepare(struct oracle *oracle, const struct oracle_kernel *kernel,
                    const struct plan *plan, const size_t *indices, size_t count,
                    const struct expr_name *constants, size_t constant_count, unsigned threads);
/* Whether the answer is there already, and then how much the reference executed for it. */
bool oracle_has(struct oracle *oracle, const struct oracle_kernel *kernel, const struct plan *plan,
                size_t case_index, const struct expr_name *constants, size_t constant_count,
                uint64_t *thread_instructions);
void oracle_release(struct oracle *oracle, const struct oracle_answer *answer);

/* The reference as `planned` says, on `data`. */
struct engine_launch oracle_launch(const struct oracle_kernel *kernel, const struct plan *plan,
                                   const struct plan_launch *planned, void *data, unsigned threads);

/* "s[2]", "the magnitude of y[0, 3]": the first element that the reference left unwritten, NULL
 * where it wrote them all. `again` is the data area after the same launch over
 * plan_other_poison(), with which that is certain; NULL where there was none, and then the buffers
 * with elements of one or two bytes are not looked at. Caller frees. */
char *oracle_find_unwritten(const struct plan *plan, const struct oracle_answer *answer,
                            const void *again);

/* Whether the shape of a buffer depends on a constant. */
bool oracle_shapes_use_constants(const struct exercise *exercise);
/* The exercise's constants with their fallback values; caller frees the array. */
struct expr_name *oracle_constants(const struct exercise *exercise, size_t *count);

#endif
