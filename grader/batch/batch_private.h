/* What the files of the batch room share; not a door. */
#ifndef WARPGRADE_GRADER_COURSE_BATCH_PRIVATE_H
#define WARPGRADE_GRADER_COURSE_BATCH_PRIVATE_H

#include "grader/batch/batch.h"

#include "grader/gradebook/gradebook.h"
#include "grader/repo/repo.h"
#include "grader/exercise/exercise.h"
#include "grader/grade/grade.h"

struct batch_exercise {
    struct exercise *exercise;
    char sha256[65]; /* of the files that decide the grade */
};

struct batch {
    struct course *course;
    char *output;
    bool *selected;                   /* one for each student */
    struct batch_exercise *exercises; /* as in the course */
    struct repo_want *wants;          /* one for each exercise */
    struct batch_cell *cells;         /* [student][exercise] */
    struct grade_session *session;
    struct report **prefetch; /* [student][exercise]: judged and not yet written; else NULL */
    struct gradebook *gradebook;
    struct report **reports; /* of this run, for JUnit; without what only people read */
    size_t report_count, report_capacity;
};

static inline struct batch_cell *batch_cell_at(const struct batch *batch, size_t student,
                                               size_t exercise) {
    return &batch->cells[student * batch->course->exercise_count + exercise];
}

/* A student whose repository was read, or why it was not. */
struct batch_fetched {
    size_t student;
    struct repo_snapshot snapshot;
    enum status status;
    struct error cause;
};

enum { BATCH_MAX_WIDTH = 16 };
/* How many students' submissions are judged at the same time: the cards, at least 1. */
size_t batch_width(const struct batch *batch);
/* Judges one submission; safe to call from several threads. */
enum status batch_judge(const struct batch *batch, size_t student, size_t exercise,
                        const struct repo_file *file, struct report **report, struct error *error);
/* Judges all submissions of the group at once, into batch->ahead. */
enum status batch_judge_prefetch(struct batch *batch, const struct batch_fetched *group,
                                 size_t count, struct error *error);

/* Writes output/<student>/<exercise>.txt and, where there is a report, .json; json receives its
 * text. Without a report the cell's message is the text and an old .json goes. */
enum status batch_write_result(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json, struct error *error);
/* Writes grades.csv and junit.xml. */
enum status batch_write_tables(const struct batch *batch, struct error *error);
/* A report that stands in JUnit for a submission that was not graded. */
struct report *batch_absent_report(const struct batch *batch, size_t student, size_t exercise);

#endif
