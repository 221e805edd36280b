/* What stands behind a grade: the attempts, the cases of a grading, all that happened; and whether
 * the book is whole. */
#ifndef WARPGRADE_GRADER_GRADEBOOK_INSPECT_H
#define WARPGRADE_GRADER_GRADEBOOK_INSPECT_H

#include "grader/gradebook/gradebook.h"

struct gradebook_exercise_info {
    char title[256], version[80];
    double weight, max_score;
    int64_t deadline; /* 0: none */
    bool counts_last; /* else the best */
    unsigned attempt_limit;
};
enum status gradebook_exercise_info(struct gradebook *book, const char *exercise,
                                    struct gradebook_exercise_info *info, struct error *error);

/* A row of the view `standing`, in the order of their commits. */
struct gradebook_standing {
    int64_t attempt, grading;
    size_t number;  /* the how-manieth different file */
    char *excluded; /* why it cannot count; "" */
    bool pinned;
    double points, penalty, penalty_percent, days_late, final, max_score;
    char *penalty_reason, *version, *branch, *commit, *path, *date_flags;
    char *tool, *engine, *device, *jail, *verdict, *message;
    int64_t authored_at, committed_at, fetched_at, graded_at;
    uint64_t seed;
};
struct gradebook_standings {
    struct gradebook_standing *rows;
    size_t count, capacity;
};
enum status gradebook_standings(struct gradebook *book, const char *student, const char *exercise,
                                struct gradebook_standings *standings, struct error *error);
void gradebook_standings_free(struct gradebook_standings *standings);

struct gradebook_case_row {
    char *name, *group, *verdict, *message;
    double score, max_score;
};
struct gradebook_case_rows {
    struct gradebook_case_row *rows;
    size_t count, capacity;
};
enum status gradebook_case_rows(struct gradebook *book, int64_t grading,
                                struct gradebook_case_rows *cases, struct error *error);
void gradebook_case_rows_free(struct gradebook_case_rows *cases);

struct gradebook_event {
    int64_t at;
    char *kind, *student, *exercise, *what, *who;
};
struct gradebook_events {
    struct gradebook_event *rows;
    size_t count, capacity;
};
/* The view `history`; NULL: of all. */
enum status gradebook_history(struct gradebook *book, const char *student, const char *exercise,
                              struct gradebook_events *events, struct error *error);
void gradebook_events_free(struct gradebook_events *events);

/* ---- verify.c ------------------------------------------------------------------------------- */

/* Called for each thing that is wrong: the table and row, "grading 17", and what. */
typedef void gradebook_complaint(void *context, const char *where, const char *what);
struct gradebook_verified {
    size_t attempts, gradings, reports, complaints;
};
/* SQLite's own checks, then every report: it can be unpacked, has its hash, can be read, and says
 * the points of its row and of its cases. */
enum status gradebook_verify(struct gradebook *book, gradebook_complaint *complain, void *context,
                             struct gradebook_verified *verified, struct error *error);

#endif
