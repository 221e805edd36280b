/* What the files of the batch room share; not a door. */
#ifndef WARPGRADE_GRADER_BATCH_PRIVATE_H
#define WARPGRADE_GRADER_BATCH_PRIVATE_H

#include "grader/batch.h"

#include "grader/exercise.h"
#include "grader/grade.h"
#include "grader/gradebook.h"

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
    struct gradebook *gradebook;
    struct report **reports; /* of this run, for JUnit; without what only people read */
    size_t report_count, report_capacity;
};

struct batch_cell *batch_cell_at(const struct batch *batch, size_t student, size_t exercise);

/* Writes output/<student>/<exercise>.txt and, where there is a report, .json; json receives its
 * text. Without a report the cell's message is the text and an old .json goes. */
enum status batch_write_result(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json, struct error *error);
/* Writes grades.csv and junit.xml. */
enum status batch_write_tables(const struct batch *batch, struct error *error);
/* A report that stands in JUnit for a submission that was not graded. */
struct report *batch_absent_report(const struct batch *batch, size_t student, size_t exercise);

#endif
