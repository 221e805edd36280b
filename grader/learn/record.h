/* The student's own record: what was graded on this machine, a line of JSON an attempt, in
 * $XDG_DATA_HOME/warpgrade/attempts/EXERCISE.jsonl (~/.local/share where that is not set).
 *
 * It serves the student alone: ticks, what to do next, what has changed. No grade needs it, so that
 * nothing here fails: what cannot be read counts as not there, what cannot be written is left. */
#ifndef WARPGRADE_GRADER_LEARN_RECORD_H
#define WARPGRADE_GRADER_LEARN_RECORD_H

#include "reports/report.h"

#include <stdbool.h>
#include <stdint.h>

struct learn_case {
    char *name;
    enum verdict verdict;
};

struct learn_attempt {
    int64_t time; /* seconds since 1970 */
    char *file;   /* absolute, where that could be found out */
    char sha256[65];
    double score, max_score;
    bool passed;
    enum verdict verdict;
    struct learn_case *cases;
    size_t case_count;
    bool hazards[HAZARD_COUNT]; /* those of severity error that were found */
    uint64_t missed; /* thresholds of the speed case, a bit each, in the exercise's order */
};

struct learn_record {
    struct learn_attempt *attempts; /* oldest first */
    size_t count, capacity;
    char **hints; /* keys of those that were shown */
    size_t hint_count, hint_capacity;
};

/* The folder of records; NULL where none is kept: WARPGRADE_NO_RECORD is set (then nothing is read
 * either), or there is no home. Caller frees. */
char *learn_folder(void);
/* May this run add to the record? Not in CI (CI is set), where nobody learns. */
bool learn_may_write(void);

void learn_read(const char *folder, const char *exercise, struct learn_record *record);
/* Nothing is added where the last line says the same of the same bytes. False: not written. */
bool learn_append(const char *folder, const char *exercise, const struct learn_attempt *attempt);
bool learn_append_hint(const char *folder, const char *exercise, const char *key);
void learn_record_free(struct learn_record *record);

/* What a report says, `now` in seconds since 1970. To be freed. */
struct learn_attempt learn_attempt_of(const struct report *report, int64_t now);
void learn_attempt_free(struct learn_attempt *attempt);
/* A whole grading of a submission: not of some cases, not one that the machine broke off. */
bool learn_is_attempt(const struct report *report);

/* NULL where there is none. */
const struct learn_attempt *learn_last(const struct learn_record *record);
/* The one with the largest share of its points; the later of two. */
const struct learn_attempt *learn_best(const struct learn_record *record);
bool learn_has_passed(const struct learn_record *record);
bool learn_has_full_marks(const struct learn_record *record);

#endif
