/* Inside the judge's flow: what the grade*.c share. */
#ifndef WARPGRADE_GRADER_GRADE_PRIVATE_H
#define WARPGRADE_GRADER_GRADE_PRIVATE_H

#include "grader/grade.h"
#include "grader/oracle.h"

enum { GRADE_MAX_JOBS = 64 };

struct grade_session {
    struct grade_options options; /* cases is owned; jobs is 1 .. GRADE_MAX_JOBS */
    uint64_t seed;
    struct oracle *oracle;
};

/* A submission's kernel, ready to be launched, or why it is not. */
struct grade_kernel {
    struct build_result build;
    char *lowered;
    struct expr_name *constants; /* values as the submission defines them */
    size_t constant_count;
    char *message; /* NULL where it is ready; else a sentence for the student ... */
    char *hint;    /* ... and what to do, or NULL */
};

/* STATUS_OK whatever the submission is like; STATUS_ENVIRONMENT where nothing can be compiled. */
enum status grade_build(const struct exercise *exercise, const struct grade_source *source,
                        struct grade_kernel *kernel, struct error *error);
void grade_kernel_free(struct grade_kernel *kernel);

/* One submission being graded. */
struct grade_run {
    struct grade_session *session;
    const struct exercise *exercise;
    const struct plan *plan;
    const struct grade_kernel *kernel;
    const struct oracle_kernel *reference;
    const char *file_name;
    unsigned threads; /* of one launch */
};

/* plan_bind for the submission. */
enum status grade_bind(const struct grade_run *run, size_t index, struct plan_launch *launch,
                       struct error *error);

/* What a thread of the pool does with one case. STATUS_INVALID where the exercise is at fault. */
typedef enum status grade_work(const struct grade_run *run, size_t index,
                               struct report_case *the_case, struct error *error);

/* Launches case `index` and judges it. */
grade_work grade_case;
/* Launches it once more, for run->kernel is an unoptimised build, and joins its hazards. */
grade_work grade_unoptimised_case;

/* grade_case for all cases, on as many threads as the session's options say. */
enum status grade_pool_run(struct grade_run *run, struct report_case *cases, size_t count,
                           struct error *error);
/* `work` for the cases `indices` only, however they end. */
enum status grade_pool_work(struct grade_run *run, grade_work *work, struct report_case *cases,
                            const size_t *indices, size_t count, struct error *error);

/* Looks in an unoptimised build for the hazards that the optimiser hid, where none was seen. */
enum status grade_unoptimised(const struct grade_run *run, const struct grade_source *source,
                              struct report_case *cases, size_t count, struct error *error);

#endif
