/* What the files of the batch room share; not a door. */
#ifndef WARPGRADE_GRADER_BATCH_BATCH_PRIVATE_H
#define WARPGRADE_GRADER_BATCH_BATCH_PRIVATE_H

#include "grader/batch/batch.h"

#include "grader/cluster/judges.h"
#include "grader/exercise/exercise.h"
#include "grader/grade/grade.h"
#include "grader/gradebook/gradebook.h"
#include "grader/repo/repo.h"

struct batch_exercise {
    struct exercise *exercise;
    char version[65]; /* hash of all that decides points */
};

/* A file that a student handed in: an attempt, with all that the gradebook keeps of it. */
struct batch_handed {
    size_t student, exercise;
    char *path, *branch;
    char commit[65];
    int64_t authored_at, committed_at, fetched_at;
    unsigned flags; /* enum repo_flag */
    bool pinned;
    bool is_last; /* of those of this run: the one that is handed in now */
    char sha256[65];
};

enum { BATCH_FETCHES = 4 /* repositories that are read at the same time */ };
struct batch_reading {
    size_t student;
    struct repo_fetch *fetch; /* NULL: this place is free */
};

struct batch {
    struct batch_options options;
    struct course *course;
    int64_t since;
    char *output, *cache;
    bool *selected;                   /* one for each student */
    struct batch_exercise *exercises; /* as in the course */
    struct batch_cell *cells;         /* [student][exercise] */
    struct grade_session *session;
    struct batch_judges *judges;
    const char *engine; /* what the session judges with: "sim", "cuda", "sim+cuda" */
    struct gradebook *gradebook;
    int64_t run; /* its id there */

    struct batch_handed *handed; /* units name them by index */
    size_t handed_count, handed_capacity;
    struct batch_unit **units; /* being judged */
    size_t unit_count, unit_capacity;
    struct batch_reading readings[BATCH_FETCHES];
    size_t next_student; /* whose repository is read next */
    size_t *waiting;     /* by student: units that are being judged */
    struct batch_counts counts;
    int lock; /* of the course; -1: not taken */
    bool all; /* also what the gradebook has; with `begun`: from before that run */
    struct gradebook_begun begun; /* the interrupted run that this one goes on with */
    unsigned failed_in_row;       /* units that the machine could not judge */
    bool probing;                 /* ... and the tuned kernel is being judged */
    struct exercise probed;       /* whose; its strings are another's */
    bool ended;
    bool changed; /* something was graded or found otherwise than last time */
};

static inline struct batch_cell *batch_cell_at(const struct batch *batch, size_t student,
                                               size_t exercise) {
    return &batch->cells[student * batch->course->exercise_count + exercise];
}

/* What an earlier run graded counts, whatever this one found. Known after batch_recall_all(). */
static inline bool batch_is_earlier(const struct batch_cell *cell) {
    return cell->counted && cell->state != BATCH_GRADED && cell->state != BATCH_RECORDED;
}
void batch_set_string(char **string, const char *value);

/* --- batch_exercises.c --- */
enum status batch_load_exercises(struct batch *batch, struct error *error);

/* --- batch_record.c: what goes to the gradebook and comes from it --- */
enum status batch_begin_run(struct batch *batch, struct error *error);
enum status batch_end_run(struct batch *batch, struct error *error);
enum status batch_store(struct batch *batch, const struct batch_handed *handed,
                        const struct report *report, const char *json, struct error *error);
enum status batch_store_absence(struct batch *batch, size_t student, size_t exercise,
                                struct error *error);
/* Is it graded already? Then the cell is filled. */
enum status batch_recall(struct batch *batch, const struct batch_handed *handed, bool *known,
                         struct error *error);
/* The later one of two files of this run, both graded, is what is handed in. */
enum status batch_confirm_last(struct batch *batch, const struct batch_handed *handed,
                               struct error *error);
/* The report of the same bytes, judged in this run or under the same conditions; NULL: none. */
enum status batch_recall_same(struct batch *batch, const struct batch_handed *handed,
                              struct report **report, struct error *error);
/* All cells: what counts. */
enum status batch_recall_all(struct batch *batch, struct error *error);
/* A grading's report as the gradebook has it; the caller frees it. `json` receives its bytes; NULL
 * is allowed. */
enum status batch_stored_report(struct batch *batch, int64_t grading, struct report **report,
                                struct text *json, struct error *error);

/* --- batch_penalty.c: what late work costs --- */
/* What the course takes off an attempt of this score; `pinned`: the course names its commit. */
struct gradebook_penalty batch_penalty(const struct course *course, size_t student, size_t exercise,
                                       int64_t committed_at, bool pinned, double score,
                                       double max_score);
/* All attempts of the course, whether or not their students' repositories were read. */
enum status batch_penalise(struct batch *batch, struct error *error);

/* --- batch_hand_in.c: from a repository to units --- */
enum status batch_start_reading(struct batch *batch, size_t student, struct error *error);
/* A repository that was read, or not. Its submissions become units, or cells at once. */
enum status batch_hand_in(struct batch *batch, size_t student, struct repo_snapshot *snapshot,
                          enum status read, const struct error *cause, struct error *error);
/* Everyone who handed the unit in gets its report; frees it. */
enum status batch_finish_unit(struct batch *batch, struct batch_unit *unit, struct error *error);
enum status batch_note_absent(struct batch *batch, size_t student, size_t exercise,
                              enum batch_state state, const char *message, const char *hint,
                              struct error *error);

/* --- batch_lock.c: one batch of a course at a time --- */
enum status batch_lock(struct batch *batch, struct error *error);
void batch_unlock(struct batch *batch);

/* --- batch_probe.c: can this machine judge at all? --- */
/* A unit could not be judged; after several in a row a known good kernel is given to the judges. */
enum status batch_note_failure(struct batch *batch, const struct batch_unit *unit,
                               struct error *error);
bool batch_is_probe(const struct batch_unit *unit);
/* STATUS_ENVIRONMENT where that could not be judged either; frees it. */
enum status batch_finish_probe(struct batch *batch, struct batch_unit *unit, bool failed,
                               struct error *error);

/* --- batch_write.c: a student's files --- */
/* Writes output/<student>/<exercise>.txt, .html and .json, in the course's language; json is the
 * whole report, or empty and receives it. Where the course hides cases, the files show their points
 * only. */
enum status batch_write_report(const struct batch *batch, size_t student, size_t exercise,
                               const struct report *report, struct text *json, struct error *error);
/* Without a report the cell's message is the text, and old reports go. */
enum status batch_write_absent(const struct batch *batch, size_t student, size_t exercise,
                               struct error *error);
/* The files are there, and are what batch_write_report() would write. */
bool batch_has_written(const struct batch *batch, size_t student, size_t exercise,
                       const struct report *report, const struct text *json);
/* A report that stands in JUnit for a submission that was not graded. */
struct report *batch_absent_report(const struct batch *batch, size_t student, size_t exercise);

/* --- batch_visibility.c --- */
/* Takes out of the report what the course hides from the student. */
void batch_hide_cases(const struct course *course, size_t exercise, struct report *report);
bool batch_hides(const struct course *course, size_t exercise, const struct report *report);

/* --- batch_tables.c: grades.csv, totals.csv --- */
enum status batch_write_grades(const struct batch *batch, struct error *error);
enum status batch_write_totals(const struct batch *batch, struct error *error);

/* --- batch_class.c: what is made of all reports: junit.xml and the class report --- */
enum status batch_write_class(struct batch *batch, struct error *error);

#endif
