/* Grading a class: every student's repository, every exercise, one row each.
 *
 * A broken repository costs its own rows and nothing else. Each result is written when it is there:
 * the student's reports, the attempt in the gradebook; the tables of grades, the JUnit file and the
 * class report come at the end, each in one rename. A run judges only what the gradebook does not
 * have: ended at any moment, the next one goes on. Only what would go wrong for all students stops
 * the whole run: a wrong course, an exercise that cannot be graded, a machine that cannot grade. */
#ifndef WARPGRADE_GRADER_BATCH_BATCH_H
#define WARPGRADE_GRADER_BATCH_BATCH_H

#include "grader/cluster/cluster.h"
#include "grader/course/course.h"
#include "sandbox/base/error.h"
#include "sandbox/base/verdict.h"

#include <signal.h>
#include <stdint.h>

/* What became of one student's exercise in this run. STATE(ID, name in grades.csv, what the summary
 * says). */
#define BATCH_STATES(STATE)                                                                        \
    STATE(PENDING, "not-graded", "not graded in this run")                                         \
    STATE(RECORDED, "recorded", "taken from the gradebook")                                        \
    STATE(GRADED, "graded", "graded")                                                              \
    STATE(MISSING, "not-submitted", "no file")                                                     \
    STATE(LATE, "late", "handed in too late to count")                                             \
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
    char jail[32];    /* protection_names; "" where nothing was graded, or not known */
    char *message;    /* may hold untrusted text */
    char *hint;
    char *branch, *path;
    char commit[65];
    int64_t authored_at, committed_at, fetched_at, graded_at; /* 0: unknown */
    unsigned flags;                                           /* enum repo_flag */
    unsigned handed_in;  /* files of this run: one in time, one with a penalty */
    unsigned waiting;    /* ... of which so many are being judged */
    int64_t late_at;     /* LATE: when the first commit was made that would have counted */
    double best_percent; /* of all attempts in the gradebook, where attempts > 0 */
    size_t attempts;
    /* What counts, as the gradebook computes it; after the run. */
    bool has_final;
    double final, counted_score, penalty, days_late;
    int64_t counted; /* the grading that counts; 0: none */
    char counted_commit[65];
    int64_t counted_at; /* its committer's time */
    size_t submissions; /* different files of all attempts */
    char *penalty_reason, *override;
    char *unjudged; /* of two files: why the one in time could not be judged; NULL: it could */
};

struct batch_options {
    const char *course;      /* path of COURSE.yaml */
    const char *const *only; /* ids; count 0: all */
    size_t only_count;
    const char *output; /* NULL: the course's */
    bool has_seed;      /* else the course's, else a secret one */
    uint64_t seed;
    unsigned jobs;     /* submissions judged at the same time; 0: the course's, else one a CPU */
    bool all;          /* also what the gradebook has */
    bool dry_run;      /* reads repositories, judges and writes nothing */
    const char *since; /* only what was committed at this moment or later; NULL: all */
    const struct cluster_options *cluster; /* who judges; NULL: this machine */
    const volatile sig_atomic_t *ended;    /* not 0: what is being judged is finished, no more */
};

struct batch;

enum status batch_open(const struct batch_options *options, struct batch **batch,
                       struct error *error);

struct batch_counts {
    size_t students, students_done;          /* of this run */
    size_t graded, recorded, passed, failed; /* submissions */
    size_t running, waiting;                 /* ... being judged, and behind them */
    const char *note; /* what a cluster says, or ""; may hold a stranger's words */
};
/* Called after each student with its index, and now and then in between with SIZE_MAX. */
typedef void batch_progress(void *context, const struct batch *batch,
                            const struct batch_counts *counts, size_t student);
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
bool batch_is_dry(const struct batch *batch);
/* Was it ended before everything was graded? */
bool batch_was_ended(const struct batch *batch);
/* STATUS_OK: everything was read and graded, whatever the scores; STATUS_BELOW_MARK: some
 * repositories could not be read, or some submissions not be judged. */
enum status batch_status(const struct batch *batch);

#endif
