/* Grading a class: every student's repository, every exercise, one row each.
 *
 * A broken repository costs its own rows and nothing else. Each result is written when it is there:
 * the student's reports, the attempt in the gradebook; the table of grades and the JUnit file come
 * at the end, each in one rename. Only what would go wrong for all students stops the whole run: a
 * wrong course, an exercise that cannot be graded, a machine that cannot grade. */
#ifndef WARPGRADE_GRADER_COURSE_BATCH_H
#define WARPGRADE_GRADER_COURSE_BATCH_H

#include "grader/course/course.h"
#include "sandbox/base/error.h"
#include "sandbox/base/verdict.h"

#include <stdint.h>

/* What became of one student's exercise. STATE(ID, name in grades.csv, what the summary says). */
#define BATCH_STATES(STATE)                                                                        \
    STATE(PENDING, "not-graded", "not graded in this run")                                         \
    STATE(RECORDED, "recorded", "taken from the gradebook")                                        \
    STATE(GRADED, "graded", "graded")                                                              \
    STATE(MISSING, "not-submitted", "no file")                                                     \
    STATE(REFUSED, "refused", "not a file that can be graded")                                     \
    STATE(UNREADABLE, "unreadable", "repository cannot be read")                                   \
    STATE(UNJUDGED, "unjudged", "could not be judged")

enum batch_state {
#define STATE(ID, name, summary) BATCH_##ID,
    BATCH_STATES(STATE)
#undef STATE
        BATCH_STATE_COUNT
};
extern const char *const batch_state_names[BATCH_STATE_COUNT];
extern const char *const batch_state_summaries[BATCH_STATE_COUNT];

struct batch_cell {
    enum batch_state state;
    double score, max_score; /* 0 of max where nothing can be graded; unset where UNREADABLE */
    bool passed;
    char verdict[32]; /* "" where nothing was graded */
    char jail[32];    /* "bubblewrap" or "none"; "" where nothing was graded, or not known */
    char *message;    /* may hold untrusted text */
    char *hint;
    char *branch, *path;
    char commit[65];
    int64_t committed_at, graded_at;
    double best_percent; /* of all attempts in the gradebook, where attempts > 0 */
    size_t attempts;
};

struct batch_options {
    const char *course;      /* path of COURSE.yaml */
    const char *const *only; /* ids; count 0: all */
    size_t only_count;
    const char *output; /* NULL: the course's */
    bool has_seed;      /* else the course's, else a secret one */
    uint64_t seed;
    unsigned jobs; /* 0: the course's, else one a CPU */
};

struct batch;

enum status batch_open(const struct batch_options *options, struct batch **batch,
                       struct error *error);

/* Called after each student; done counts those of this run. */
typedef void batch_progress(void *context, const struct batch *batch, size_t student, size_t done,
                            size_t total);
/* Grades, and writes everything that is written. STATUS_OK also when repositories are broken; with
 * any other status the grades so far have been written. */
enum status batch_run(struct batch *batch, batch_progress *progress, void *context,
                      struct error *error);
void batch_close(struct batch *batch);

const struct course *batch_course(const struct batch *batch);
const struct batch_cell *batch_cell(const struct batch *batch, size_t student, size_t exercise);
bool batch_selected(const struct batch *batch, size_t student);
uint64_t batch_seed(const struct batch *batch);
const char *batch_output(const struct batch *batch);
/* STATUS_OK: everything was read and graded, whatever the scores; STATUS_BELOW_MARK: some
 * repositories could not be read; STATUS_ENVIRONMENT: some submissions could not be judged. */
enum status batch_status(const struct batch *batch);

#endif
