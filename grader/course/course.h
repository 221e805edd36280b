/* COURSE.yaml: which students, which exercises, where the submissions are and where results go.
 *
 * A loaded course is consistent and safe to act on: every student's id is unique and fit to name a
 * folder, every path inside a repository is relative and clean, every file is given relative to
 * COURSE.yaml and kept resolved. Whether the repositories exist is found out when they are read. */
#ifndef WARPGRADE_GRADER_COURSE_COURSE_H
#define WARPGRADE_GRADER_COURSE_COURSE_H

#include "grader/repo/repo.h"
#include "sandbox/base/error.h"

#include <stdint.h>

enum {
    COURSE_MAX_STUDENTS = 5000,
    COURSE_MAX_EXERCISES = REPO_MAX_WANTS,
    COURSE_MAX_TEXT = 256,      /* bytes of a name */
    COURSE_MAX_LOCATION = 2048, /* bytes of a repository's path or URL */
    COURSE_MAX_ID = 64,
    COURSE_MAX_ROSTER_BYTES = 16 << 20,
};

struct course_student {
    char *id;
    char *name;       /* the id where none is given */
    char *repository; /* resolved path, or URL; "" where the roster names none */
    char *branch;     /* NULL: the repository's HEAD */
    unsigned line;    /* where the student stands in the roster or the YAML file */
};

struct course_exercise {
    char *id;
    char *paths[REPO_MAX_CANDIDATES]; /* where its file may stand in a repository */
    size_t path_count;
    unsigned line, column; /* in COURSE.yaml */
};

struct course {
    char *file; /* COURSE.yaml as given */
    char *source;
    size_t source_length;
    char *name;
    struct course_exercise *exercises;
    size_t exercise_count, exercise_capacity;
    struct course_student *students;
    size_t student_count, student_capacity;
    char *branch; /* for students without one of their own; NULL: HEAD */
    char *output; /* folder */
    char *gradebook;
    bool has_seed;
    uint64_t seed;
    unsigned jobs; /* 0: as many as there are CPUs */
    bool has_pass_mark;
    double pass_mark; /* percent; overrides the exercises' own */
    double fetch_time_limit_seconds;
};

enum status course_load(const char *path, struct course **course, struct error *error);
void course_free(struct course *course);
/* Puts an error at an exercise's place in COURSE.yaml. */
void course_place(const struct course *course, const struct course_exercise *exercise,
                  struct error *error);

/* The keys of the file, for `batch --help`: one row each, in the order in which they are read. */
struct course_key {
    const char *name;
    const char *value;   /* its type, in a word or two */
    const char *summary; /* with the default */
};
size_t course_key_count(void);
struct course_key course_key_at(size_t index);

/* An id must be fit to name a folder on any machine: letters, digits and . _ @ + -, the first one a
 * letter or digit. NULL: fine; else why not. */
const char *course_id_problem(const char *id);

/* Adds a student after checking all fields; name and branch may be NULL or "". Used by both forms
 * of the roster; the message says what is wrong, the caller adds the place. */
struct course_student_fields {
    const char *id, *name, *repository, *branch;
    unsigned line;
};
enum status course_add_student(struct course *course, const struct course_student_fields *fields,
                               struct error *error);

/* Reads a CSV roster (RFC 4180; comma, semicolon or tab) with a header that names the columns id,
 * repository and, optionally name and branch. Other columns are passed over. */
enum status course_read_roster(struct course *course, const char *path, struct error *error);

#endif
