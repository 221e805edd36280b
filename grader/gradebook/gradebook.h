/* The gradebook: every attempt of a course, whole, in one SQLite file.
 *
 * An attempt is one grading of one commit's file by one exercise with one seed; it is stored with
 * its cases and its full JSON report in a single transaction, so that a crash or a full disk leaves
 * either all of it or nothing. Grading the same thing again replaces it; anything else (a new
 * commit, a changed exercise, another seed or version of warpgrade) is a new attempt. The file is
 * made readable for its owner only. Tables may be queried by anyone with sqlite3; their columns are
 * stable within a schema version (PRAGMA user_version). */
#ifndef WARPGRADE_GRADER_COURSE_GRADEBOOK_H
#define WARPGRADE_GRADER_COURSE_GRADEBOOK_H

#include "sandbox/base/error.h"

#include <stdint.h>

struct gradebook_case {
    const char *name, *group, *verdict, *message;
    double score, max_score;
};

/* What is stored. Strings are UTF-8; invalid bytes become U+FFFD. */
struct gradebook_attempt {
    const char *student, *student_name;
    const char *exercise;
    const char *repository; /* for people: without passwords */
    const char *branch, *commit, *path;
    int64_t committed_at, graded_at; /* seconds since 1970 */
    const char *submission_sha256;
    const char *exercise_sha256; /* of all files that decide the grade */
    uint64_t seed;
    const char *engine;
    const char *jail; /* "bubblewrap" or "none": protection_names */
    const char *tool_version;
    double score, max_score;
    bool passed;
    const char *verdict, *message;
    const char *report_json;
    const struct gradebook_case *cases;
    size_t case_count;
};

struct gradebook;
/* Creates the file where there is none. STATUS_INVALID: it is not a gradebook, or one of a newer
 * warpgrade; it is left as it was then. */
enum status gradebook_open(const char *path, struct gradebook **book, struct error *error);
void gradebook_close(struct gradebook *book); /* NULL is allowed */

enum status gradebook_store(struct gradebook *book, const struct gradebook_attempt *attempt,
                            struct error *error);

/* BEST: the largest share of the points, among equals the earliest graded. */
enum gradebook_choice { GRADEBOOK_LATEST, GRADEBOOK_BEST };
struct gradebook_row {
    size_t attempts; /* of this student at this exercise; 0: nothing else is set */
    double score, max_score;
    bool passed;
    char verdict[32];
    char jail[32];      /* "" where an older warpgrade did not note it */
    char message[1024]; /* cut where it is longer */
    char commit[65];
    char branch[256], path[512];
    int64_t committed_at, graded_at;
    uint64_t seed;
};
enum status gradebook_find(struct gradebook *book, const char *student, const char *exercise,
                           enum gradebook_choice choice, struct gradebook_row *row,
                           struct error *error);

#endif
