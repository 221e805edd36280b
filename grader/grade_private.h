/* Inside the judge's flow: what grade.c, grade_build.c and grade_case.c share. */
#ifndef WARPGRADE_GRADER_GRADE_PRIVATE_H
#define WARPGRADE_GRADER_GRADE_PRIVATE_H

#include "grader/grade.h"
#include "grader/oracle.h"

struct grade_session {
    struct grade_options options; /* cases is owned; jobs is at least 1 */
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

/* Launches case `index` and judges it. STATUS_INVALID where the exercise is at fault. */
enum status grade_case(const struct grade_run *run, size_t index, struct report_case *the_case,
                       struct error *error);

#endif
