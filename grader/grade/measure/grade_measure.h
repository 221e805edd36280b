/* Inside the judge's flow: the speed case on a card. */
#ifndef WARPGRADE_GRADER_GRADE_MEASURE_GRADE_MEASURE_H
#define WARPGRADE_GRADER_GRADE_MEASURE_GRADE_MEASURE_H

#include "grader/exercise/baseline.h"
#include "grader/grade/grade_private.h"
#include "grader/grade/measure/measure.h"
#include "sandbox/cuda/session.h"

/* What a card says of a right kernel. */
struct grade_measured {
    struct report_measured report;
    struct report_time time;
    struct expr_name *names; /* the sizes that were measured, and the submission's constants */
    size_t name_count;
};
void grade_measured_free(struct grade_measured *measured);

/* Measures the run's kernel beside the tuned one, the reference and the baseline, with the card for
 * itself. *right where every launch of it was right; else the case has its verdict. Status as
 * of grade_submission: STATUS_INVALID where the exercise is at fault. */
enum status grade_measure(const struct grade_run *run, const struct grade_source *source,
                          const struct cuda_card *card, struct grade_measured *measured,
                          struct report_case *the_case, bool *right, struct error *error);

/* One of our kernels at sizes and with data of the caller's choice: `exercise` is a copy whose
 * measured.sizes and speed_fills say which, and whose launch and kernel are those of `source`. In
 * one launch the outputs are compared with the reference's; then it is timed this many times beside
 * the baseline, where nothing is read back. Not for submissions: those are compared in each launch.
 */
struct measured_row {
    double own_ms, baseline_ms; /* medians; no baseline: 0 */
    double of_baseline;         /* the baseline's time to its own, median of the rounds */
    double copy_bytes_per_second;
};
enum status grade_measure_row(struct grade_session *session, const struct exercise *exercise,
                              const struct grade_source *source, unsigned launches,
                              struct measured_row *row, struct error *error);

/* The card and the sizes of what is measured; then what the samples say. */
void measure_start_report(const struct exercise *exercise, const struct cuda_card *card,
                          struct grade_measured *out);
void measure_report(const struct measure_samples *samples, struct grade_measured *out);

/* ---- shared by its files --------------------------------------------------------------------- */

/* One kernel, and its launch in the round that is being measured. */
struct measure_entrant {
    enum measure_contestant who;
    enum plan_side side;
    const struct exercise_launch *shape;
    const struct expr_name *constants;
    size_t constant_count;
    const struct build_result *build; /* with machine code for the card; NULL: the baseline */
    const char *lowered;
    const char *file; /* for messages */
    struct plan_launch launch;
    char *data;
    size_t data_capacity;
    double *lateness_ms; /* of each launch: by the worker's clock beyond the card's */
    size_t lateness_count;
};

struct measure_bench {
    const struct grade_run *run;
    struct plan *plan; /* the speed case at the sizes that are measured; its seed is the round's */
    uint64_t seed;
    struct cuda_session *own, *trusted; /* the submission's; the others' */
    struct measure_entrant entrants[MEASURE_COUNT];
    bool present[MEASURE_COUNT];
    struct report_case *the_case;
    struct report_measured *report; /* of the clocks, what was seen */
    uint64_t throttle;              /* bits that are in the report */
    unsigned prepared;              /* rounds whose data was made */
    bool misbehaved;                /* the submission: the case has its verdict */
    bool leave_outputs;             /* see cuda_launch */
};

/* The kernels, compiled for the card. */
struct measure_kernels {
    struct grade_kernel own, tuned;
    struct oracle_kernel reference;
    struct expr_name *fallbacks;
    size_t fallback_count;
};
/* A submission that only the card's compiler refuses has kernels->own.message. */
enum status measure_build(const struct grade_run *run, const struct grade_source *source,
                          const struct cuda_card *card, struct measure_kernels *kernels,
                          struct error *error);
void measure_free_kernels(struct measure_kernels *kernels);

/* Makes *as_measured an exercise whose speed case has the sizes that are measured, and its plan. */
enum status measure_plan(struct exercise *as_measured, uint64_t seed, struct plan **plan,
                         struct error *error);
enum status measure_open(struct measure_bench *bench, const struct cuda_card *card,
                         double *bytes_per_second, struct error *error);
void measure_close(struct measure_bench *bench);
/* All four participate, except a baseline that does not exist. */
void measure_enter(struct measure_bench *bench, const struct measure_kernels *kernels);
enum status measure_launch(struct measure_bench *bench, struct measure_entrant *entrant,
                           uint64_t placement, struct cuda_result *result, struct error *error);
/* The error of a launch of ours that did not complete. */
enum status measure_fail(const struct measure_bench *bench, const struct measure_entrant *entrant,
                         const struct cuda_result *result, struct error *error);

/* The sizes that are measured and the entrant's constants; caller frees. The constants' names are
 * the exercise's. */
struct expr_name *measure_names(const struct plan *plan, const struct measure_entrant *entrant,
                                size_t *count);
/* Binds and fills all entrants for the round, each on a thread of its own. Where the submission's
 * constants make no launch it concludes the case and sets misbehaved. */
enum status measure_prepare(struct measure_bench *bench, unsigned round, struct error *error);
/* Compares what the entrants left with what the reference left. Where the submission is wrong it
 * concludes the case and sets misbehaved; STATUS_INVALID where another is. */
enum status measure_compare(struct measure_bench *bench, unsigned round, struct error *error);
/* The baseline's call, from the launch it is bound to. */
struct cuda_blas_call measure_blas_call(const struct exercise *exercise,
                                        const struct baseline_sizes *sizes,
                                        const struct plan_launch *launch);

#endif
