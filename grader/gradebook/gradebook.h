/* The gradebook: everything that a course's grades follow from, in one SQLite file.
 *
 * An attempt is one commit's file for one version of an exercise, however often and with whatever
 * seed it is graded; its latest grading counts. Facts are only added: attempts, gradings with their
 * cases and full report, penalties, overrides. What the course says (students, weights, how
 * attempts count) is taken over from each run. Every function stores all of what it is given in one
 * transaction, so that a crash or a full disk leaves all of it or nothing. Grades are computed by
 * the views of schema/schema.sql and nowhere else; README.md describes tables and views. The file
 * is made readable for its owner only. It may be anybody's: a schema that is not ours is refused,
 * and what is read is hostile text. Strings that are stored are UTF-8; invalid bytes become U+FFFD.
 * A gradebook is used by one thread at a time, by any number of processes. */
#ifndef WARPGRADE_GRADER_GRADEBOOK_GRADEBOOK_H
#define WARPGRADE_GRADER_GRADEBOOK_GRADEBOOK_H

#include "sandbox/base/error.h"

#include <stdint.h>

enum { GRADEBOOK_SCHEMA = 3 };

struct gradebook;
/* Creates the file where there is none; one of an older version is brought to this one.
 * STATUS_INVALID: it is not a gradebook, or one of a newer warpgrade; it is left as it was then. */
enum status gradebook_open(const char *path, struct gradebook **book, struct error *error);
/* A copy in memory, for who must not change the file or its folder; an older version is brought to
 * this one in the copy alone. */
enum status gradebook_open_copy(const char *path, struct gradebook **book, struct error *error);
/* The same as gradebook_open() for a file that has to be there. */
enum status gradebook_open_existing(const char *path, struct gradebook **book, struct error *error);
/* To read only: the same, or a copy where the file or its folder cannot be written: SQLite needs
 * that even to read. */
enum status gradebook_open_to_read(const char *path, struct gradebook **book, struct error *error);
void gradebook_close(struct gradebook *book); /* NULL is allowed */

/* ---- a batch run ---------------------------------------------------------------------------- */

struct gradebook_run {
    int64_t started_at; /* seconds since 1970, as all times here */
    const char *tool_version;
    const char *course_file, *course_sha256;
    const char *options_json; /* the command's options and the course's policy */
    uint64_t seed;
    const char *who;
};
enum status gradebook_run_begin(struct gradebook *book, const struct gradebook_run *run,
                                int64_t *id, struct error *error);
enum status gradebook_run_finish(struct gradebook *book, int64_t id, int64_t finished_at,
                                 struct error *error);
/* A run of the whole class that was interrupted: what the next run goes on with. */
struct gradebook_begun {
    int64_t run;        /* the first one of those that went on with it; 0: there is none */
    int64_t started_at; /* ... that one */
    uint64_t seed;
    bool all; /* what was graded before `run` is graded again */
};
/* The last one that no later run has completed, of those that a run with this seed (has_seed) or
 * with none named, and with this `all`, may go on with. */
enum status gradebook_begun_run(struct gradebook *book, const struct gradebook_begun *like,
                                bool has_seed, struct gradebook_begun *begun, struct error *error);

/* ---- what the course says ------------------------------------------------------------------- */

struct gradebook_field {
    const char *name, *value;
};
struct gradebook_student {
    const char *id, *name;
    const char *repository; /* for people: without passwords */
    const char *branch, *section, *team;
    const struct gradebook_field *fields; /* every other column of the roster, in its order */
    size_t field_count;
};
/* These are the students now, in this order; others that the book knows stay with their attempts
 * and are no longer present. Writes nothing where nothing changed. */
enum status gradebook_sync_students(struct gradebook *book,
                                    const struct gradebook_student *students, size_t count,
                                    struct error *error);

enum gradebook_counts { GRADEBOOK_COUNTS_BEST, GRADEBOOK_COUNTS_LAST };
struct gradebook_exercise {
    const char *id, *title;
    double weight, max_score;
    bool has_deadline;
    int64_t deadline;
    const char *version; /* hash of all that decides points: batch_exercises.c */
    enum gradebook_counts counts;
    unsigned attempt_limit; /* only the first so many different files count; 0: no limit */
};
enum status gradebook_sync_exercises(struct gradebook *book,
                                     const struct gradebook_exercise *exercises, size_t count,
                                     struct error *error);

/* ---- storing -------------------------------------------------------------------------------- */

struct gradebook_case {
    const char *name, *group, *verdict, *message;
    double score, max_score;
};

struct gradebook_penalty {
    double percent; /* of the attempt's points, 0 to 100 */
    double days_late;
    bool too_late;   /* to count at all; then percent is 100 */
    char reason[96]; /* "2 days late, 10 % a day" */
};

/* An attempt with a grading of it. What is NULL or 0 is not known. A student or an exercise that
 * the book does not know is added; the next sync says whether it stays. */
struct gradebook_attempt {
    const char *student, *student_name;
    const char *exercise;
    const char *repository; /* for people: without passwords */
    const char *branch, *commit, *path;
    int64_t authored_at, committed_at, fetched_at, graded_at;
    const char *date_flags; /* "committed in the future" */
    const char *submission_sha256;
    const char *exercise_version;
    bool pinned; /* the course names this commit */
    int64_t run; /* 0: of no batch */
    uint64_t seed;
    const char *engine, *device;
    const char *jail; /* "bubblewrap", "landlock", "none": protection_names */
    const char *tool_version;
    double score, max_score;
    bool passed;
    const char *verdict, *message;
    const char *report_json;
    struct gradebook_penalty penalty;
    const struct gradebook_case *cases;
    size_t case_count;
};
/* Adds the attempt where the book does not have it, and the grading in any case. */
enum status gradebook_store(struct gradebook *book, const struct gradebook_attempt *attempt,
                            struct error *error);

/* A run found this attempt, graded already, to be the one that is handed in. Writes nothing where
 * the book says so already. */
struct gradebook_confirmation {
    int64_t attempt, run, at;
    bool pinned;
};
enum status gradebook_confirm(struct gradebook *book, const struct gradebook_confirmation *confirm,
                              struct error *error);

/* What an attempt's penalty follows from, and the penalty. */
struct gradebook_dated {
    int64_t attempt;
    char *student, *exercise;
    int64_t committed_at;    /* 0: not known */
    double score, max_score; /* exact, of the latest grading */
    bool pinned;             /* the course named its commit when a run last looked */
    struct gradebook_penalty penalty;
};
struct gradebook_dates {
    struct gradebook_dated *rows;
    size_t count, capacity;
};
/* All graded attempts of students and exercises that are in the course. */
enum status gradebook_dates(struct gradebook *book, struct gradebook_dates *dates,
                            struct error *error);
void gradebook_dates_free(struct gradebook_dates *dates);
/* These are the penalties now: the course's terms may have changed since, or an extension been
 * granted or taken back. Adds those that the book does not say already, all or none. */
enum status gradebook_penalise(struct gradebook *book, const struct gradebook_dates *dates,
                               int64_t run, int64_t at, struct error *error);

/* Nothing could be graded. Writes nothing where the book's last word is the same. */
struct gradebook_absence {
    const char *student, *exercise;
    int64_t run, at;
    const char *state, *message; /* "not-submitted" */
};
enum status gradebook_store_absence(struct gradebook *book, const struct gradebook_absence *absence,
                                    struct error *error);

struct gradebook_override {
    const char *student, *exercise;
    bool is_percent; /* of the exercise's points */
    double value;
    const char *who, *why;
    int64_t at;
};
/* STATUS_INVALID, with the closest ids: no such student or exercise, or nobody or no reason. */
enum status gradebook_override(struct gradebook *book, const struct gradebook_override *override,
                               struct error *error);
/* Takes back the override that counts now. STATUS_INVALID where there is none. */
enum status gradebook_withdraw(struct gradebook *book, const struct gradebook_override *override,
                               struct error *error);

/* ---- asking --------------------------------------------------------------------------------- */

struct gradebook_key {
    const char *student, *exercise, *commit, *path, *submission_sha256; /* the attempt */
    const char *exercise_version, *tool_version, *engine, *device;
    uint64_t seed;
    int64_t not_before; /* only gradings of this run and later ones count; 0: of any */
};
/* Is this attempt graded, by this tool on this engine and device? Whatever the seed, but for
 * not_before, which asks for gradings with this one. *attempt is its id, or 0: it has to be graded.
 */
enum status gradebook_is_current(struct gradebook *book, const struct gradebook_key *key,
                                 int64_t *attempt, struct error *error);
/* The report of a grading of the same bytes, anybody's, under the same conditions and with the same
 * seed. *json is NULL where there is none; the caller frees it. It names the student's file whose
 * it is: another student's report must not. */
enum status gradebook_same_submission(struct gradebook *book, const struct gradebook_key *key,
                                      char **json, size_t *length, struct error *error);
/* A grading's report, checked against its hash. The caller frees it. */
enum status gradebook_report(struct gradebook *book, int64_t grading, char **json, size_t *length,
                             struct error *error);

/* COUNTED: as the course counts; LATEST: what is handed in now; BEST: the largest share of the
 * points after penalties, among equals the first. */
enum gradebook_choice { GRADEBOOK_LATEST, GRADEBOOK_BEST, GRADEBOOK_COUNTED };
struct gradebook_row {
    size_t attempts;    /* of this student at this exercise; 0: of what follows only final is set */
    size_t submissions; /* different files among them */
    double score, max_score;
    double penalty, penalty_percent, days_late;
    char penalty_reason[256];
    double final; /* of this attempt: score less penalty; the override where there is one */
    bool has_override;
    char override[512]; /* "who: why" */
    bool passed;
    char verdict[32];
    char jail[32];      /* "" where an older warpgrade did not note it */
    char message[1024]; /* cut where it is longer */
    char commit[65];
    char branch[256], path[512];
    int64_t committed_at, graded_at;
    uint64_t seed;
    int64_t attempt, grading;
};
enum status gradebook_find(struct gradebook *book, const char *student, const char *exercise,
                           enum gradebook_choice choice, struct gradebook_row *row,
                           struct error *error);

/* One attempt with its latest grading; `attempts` is 1, and overrides are not looked at. */
enum status gradebook_find_attempt(struct gradebook *book, int64_t attempt,
                                   struct gradebook_row *row, struct error *error);

/* NULL: all. Students and exercises that are not in the course (any more) only with `absent`. */
struct gradebook_filter {
    const char *student, *exercise;
    bool missing; /* only where nothing counts */
    bool absent;
};
/* The views `grades` and `totals`, in the order of roster and course. */
struct gradebook_grade {
    char *student, *name, *exercise, *state;
    bool has_points; /* an attempt counts: points and penalty are its */
    double points, penalty, final, max_score, percent, weight;
    size_t attempts, submissions;
    char *verdict, *override, *message, *penalty_reason, *commit;
    bool passed, present;
    int64_t committed_at, graded_at, attempt, grading; /* 0 where none */
};
struct gradebook_grades {
    struct gradebook_grade *rows;
    size_t count, capacity;
};
enum status gradebook_grades(struct gradebook *book, const struct gradebook_filter *filter,
                             struct gradebook_grades *grades, struct error *error);
void gradebook_grades_free(struct gradebook_grades *grades);

struct gradebook_total {
    char *student, *name;
    double points, max_score, percent; /* percent: weighted */
    size_t graded, missing, exercises;
};
struct gradebook_totals {
    struct gradebook_total *rows;
    size_t count, capacity;
};
enum status gradebook_totals(struct gradebook *book, struct gradebook_totals *totals,
                             struct error *error);
void gradebook_totals_free(struct gradebook_totals *totals);

/* STATUS_INVALID with the closest id where the book knows no such student or exercise; NULL is
 * allowed for either. */
enum status gradebook_check_ids(struct gradebook *book, const char *student, const char *exercise,
                                struct error *error);

#endif
