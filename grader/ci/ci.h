/* The door of `warpgrade ci`: a repository and a base come in, reports come out.
 *
 *   ci_open()    reads the repository and the course's rules, and decides what is to be graded
 *   ci_grade()   grades it
 *   ci_write()   files for CI systems; ci_text() for people
 *
 * Everything of the repository is a stranger's: paths, contents and, as far as they come from it,
 * the rules. Which rules hold is the base's to say (see README.md). */
#ifndef WARPGRADE_GRADER_CI_CI_H
#define WARPGRADE_GRADER_CI_CI_H

#include "grader/ci/base.h"
#include "grader/ci/rules.h"
#include "grader/grade/grade.h"

struct ci_options {
    const char *folder;     /* the repository's root */
    const char *base;       /* NULL: as the environment says */
    const char *head;       /* NULL: HEAD */
    const char *rules_file; /* of this machine, instead of the repository's; NULL: none */
    bool all;               /* also what has not changed */
    bool has_language;
    struct grade_options grade;
    ci_environment *environment;
};

enum ci_state {
    CI_GRADED,    /* or to be graded */
    CI_UNCHANGED, /* it was graded when it changed */
    CI_REFUSED,   /* there, but nothing that can be graded */
    CI_UNKNOWN,   /* its first comment names an exercise that there is not */
    CI_MISSING,   /* required and not there */
};

struct ci_item {
    enum ci_state state;
    const struct exercise *exercise;  /* NULL: UNKNOWN */
    const struct repo_change *change; /* NULL: MISSING */
    char *path;                       /* where it is, or should be; raw */
    char *note; /* what there is to say of it, raw; NULL: nothing. Of all but GRADED the reason */
    char *hint; /* NULL, or what to do */
    bool required;
    struct report *report; /* of all but UNCHANGED, once graded */
    enum status status;    /* what it stands for in the exit code */
};

struct ci {
    struct ci_options options;
    struct ci_base base;
    struct repo_changes changes;
    struct ci_rules rules;
    bool has_rules;
    struct exercise **loaded; /* of submissions that the rules do not name */
    size_t loaded_count, loaded_capacity;
    struct ci_item *items;
    size_t item_count, item_capacity;
    size_t other_count; /* files with the ending that are no submissions */
};

/* STATUS_INVALID: the folder is no repository, or the rules are wrong. STATUS_ENVIRONMENT: the
 * clone lacks what it is to be compared with. Close in any case. */
enum status ci_open(const struct ci_options *options, struct ci *ci, struct error *error);
/* So many items of so many have been begun. */
typedef void ci_progress(void *context, size_t index, size_t count, const char *path);
/* STATUS_OK whatever became of the submissions; else nothing could be graded. */
enum status ci_grade(struct ci *ci, ci_progress *progress, void *context, struct error *error);
/* The exit code: OK, BELOW_MARK where a submission failed or is missing, or what is worse. */
enum status ci_status(const struct ci *ci);
/* The reports of all items that have one; caller frees the array, not the reports. */
const struct report **ci_reports(const struct ci *ci, size_t *count);
void ci_close(struct ci *ci);

/* STATUS_INVALID where a file would be written through a link that what was checked out may have
 * put there. */
enum status ci_check_output(const struct ci *ci, const char *path, struct error *error);
/* Writes the files of output.def into the folder, which it makes; checked like that. */
enum status ci_write(const struct ci *ci, const char *folder, struct error *error);
/* Adds the reports in one format to a file that the CI system has named, after `heading`. */
enum status ci_append(const struct ci *ci, const char *format, const char *path, bool heading,
                      struct error *error);
/* What was compared and what became of it, as lines for a terminal. */
void ci_text(const struct ci *ci, struct text *out);
/* What is odd about the comparison, a sentence each: raw. Caller frees strings and array. */
char **ci_remarks(const struct ci *ci, size_t *count);

/* ---- private to grader/ci ------------------------------------------------------------------- */

/* Fills ci->items from the changes and the rules; loads the exercises that they name. */
enum status ci_plan(struct ci *ci, struct error *error);

#endif
