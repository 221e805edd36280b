/* COURSE.yaml: which students, which exercises, until when, on what terms, and where results go.
 *
 * A loaded course is consistent and safe to act on: every student's id is unique and fit to name a
 * folder, every path inside a repository is relative and clean, every file is given relative to
 * COURSE.yaml and kept resolved, extensions and pins name students and exercises that exist.
 * Whether the repositories exist is found out when they are read. All instants are seconds since
 * 1970 in UTC; the functions of course_policy.c say what follows from them. */
#ifndef WARPGRADE_GRADER_COURSE_COURSE_H
#define WARPGRADE_GRADER_COURSE_COURSE_H

#include "grader/repo/repo.h"
#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#include <stdint.h>

enum {
    COURSE_MAX_STUDENTS = 5000,
    COURSE_MAX_EXERCISES = REPO_MAX_WANTS / 2, /* in time and late: two wants each */
    COURSE_MAX_TEXT = 256,                     /* bytes of a name */
    COURSE_MAX_LOCATION = 2048,                /* bytes of a repository's path or URL */
    COURSE_MAX_ID = 64,
    COURSE_MAX_ROSTER_BYTES = 16 << 20,
    COURSE_MIN_COMMIT = 7, /* hexadecimal digits of an abbreviated commit id */
};

#define COURSE_NEVER INT64_MAX /* an instant: there is none */
#define COURSE_NONE  SIZE_MAX  /* an index: none, or all exercises where one could be named */

struct course_zone; /* a time zone; course_zone.h */

/* What one student was granted beside the deadline of everyone: an instant, or seconds more. */
struct course_extension {
    size_t exercise;    /* COURSE_NONE: all */
    int64_t until;      /* COURSE_NEVER where seconds are given */
    int64_t by_seconds; /* 0 where an instant is given */
    char *reason;       /* NULL: none is given */
    unsigned line;      /* in COURSE.yaml */
};

/* The instructor's word on which commit counts. */
struct course_pin {
    size_t exercise; /* COURSE_NONE: all */
    char *commit;    /* 7 to 64 hexadecimal digits, small letters */
    char *reason;    /* NULL: none is given */
    unsigned line;
};

struct course_student {
    char *id;
    char *name;       /* the id where none is given */
    char *repository; /* resolved path, or URL; "" where the roster names none; a team's for members
                       */
    char *branch;     /* a branch, a tag or a commit's id; NULL: the repository's HEAD */
    size_t team;      /* index of the group that the student hands in with; COURSE_NONE */
    char **values;    /* as course.columns; fewer where the rest is empty */
    size_t value_count, value_capacity;
    struct course_extension *extensions;
    size_t extension_count, extension_capacity;
    struct course_pin *pins;
    size_t pin_count, pin_capacity;
    unsigned line; /* where the student stands in the roster or the YAML file */
};

/* A team where it has a repository: its members hand in together, and each gets the grade. A
 * section where it has none: a name that tables and reports show and extensions can name. */
struct course_group {
    char *name;
    char *repository; /* NULL: a section */
    char *branch;     /* NULL: the course's */
    size_t *members;  /* indices of students */
    size_t member_count, member_capacity;
    bool listed; /* among `groups`; else only students name it */
    unsigned line;
};

/* Which cases a student's report shows whole. Of the others it shows the points of their group:
 * neither names, sizes and data nor messages. */
struct course_visibility {
    bool given;
    bool shows;      /* the patterns name what is shown; else what is hidden */
    char **patterns; /* a group of cases, or a shell glob over cases' names */
    size_t count, capacity;
    unsigned line; /* in COURSE.yaml */
};

struct course_exercise {
    char *id;
    char *paths[REPO_MAX_CANDIDATES]; /* where its file may stand in a repository */
    size_t path_count;
    double weight;                            /* of its percentage in the total */
    int64_t deadline;                         /* COURSE_NEVER: none */
    bool has_weight, has_deadline, has_paths; /* the file says so, of this exercise */
    bool no_similarity;                       /* not compared between students */
    struct course_visibility visibility;      /* not given: the course's */
    unsigned line, column;                    /* in COURSE.yaml */
};

/* What a commit after the deadline costs. */
struct course_late {
    bool accepted;         /* false: such a commit does not count */
    double percent_a_day;  /* of the exercise's maximum */
    int64_t grace_seconds; /* this late costs nothing */
    int64_t max_days;      /* later does not count; COURSE_NEVER: while points are left */
    bool begun_days;       /* a begun day costs as much as a full one; else by the second */
};

enum course_engine {
    COURSE_ENGINE_DEFAULT,
    COURSE_ENGINE_SIM,
    COURSE_ENGINE_CUDA,
    COURSE_ENGINE_AUTO
};
extern const char *const course_engine_names[]; /* as `--engine` has them; NULL for the default */

struct course {
    char *file; /* COURSE.yaml as given */
    char *source;
    size_t source_length;
    char *name;
    struct course_exercise *exercises;
    size_t exercise_count, exercise_capacity;
    struct course_student *students;
    size_t student_count, student_capacity;
    struct course_group *groups;
    size_t group_count, group_capacity;
    char *roster;   /* file; NULL: students stand in COURSE.yaml */
    char **columns; /* of the roster, in its order: all of them; or the keys of students */
    size_t column_count, column_capacity;
    char *branch;             /* for students without one of their own; NULL: HEAD */
    char *timezone;           /* "Europe/Zurich"; NULL: none is given */
    struct course_zone *zone; /* of that name; NULL: none is given */
    int64_t deadline;         /* of exercises without one of their own */
    struct course_late late;
    struct {
        unsigned limit; /* 0: as many as wanted */
        bool last;      /* the last one counts; else the best */
    } attempts;
    struct course_visibility visibility;
    struct {
        double threshold_percent; /* 0: the comparison's own */
        char **earlier;           /* gradebooks of earlier years */
        size_t earlier_count, earlier_capacity;
    } similarity;
    char *home; /* of its own exercises, NULL: none; course_load() puts it before others (home.h) */
    char *output; /* folder */
    char *gradebook;
    enum course_engine engine;
    char *device; /* a profile's id or file; NULL: the exercises' own */
    enum language language;
    bool require_namespaces; /* the full jail, or none is graded */
    bool has_seed;
    uint64_t seed;
    unsigned jobs; /* 0: as many as there are CPUs */
    bool has_pass_mark;
    double pass_mark;                      /* percent; overrides the exercises' own */
    char *ssh_key, *known_hosts, *ca_file; /* as in struct repo_request; NULL: none is given */
    double fetch_time_limit_seconds;
};

enum status course_load(const char *path, struct course **course, struct error *error);
void course_free(struct course *course);
/* Puts an error at an exercise's place in COURSE.yaml. */
void course_place(const struct course *course, const struct course_exercise *exercise,
                  struct error *error);

/* ---- what follows from it (course_policy.c): pure functions -------------------------------------
 * A team hands in one repository, so that what one member is granted holds for all of them. */

/* The deadline of everyone who has no extension; COURSE_NEVER: none. */
int64_t course_exercise_deadline(const struct course *course, size_t exercise);
/* The deadline of one student's exercise with the extensions; COURSE_NEVER: none. */
int64_t course_deadline(const struct course *course, size_t student, size_t exercise);
/* The last instant at which a commit counts, with grace and late days; COURSE_NEVER: none. */
int64_t course_last_instant(const struct course *course, size_t student, size_t exercise);
/* Begun days of 86,400 seconds after the deadline; 0 within the grace time. */
int64_t course_days_late(const struct course *course, size_t student, size_t exercise,
                         int64_t committed_at);
/* Points taken off, from 0 to `score`. A commit that does not count loses all. One that the course
 * pins counts whenever it was made: it costs its days, and without `late` nothing. */
double course_penalty(const struct course *course, size_t student, size_t exercise,
                      int64_t committed_at, bool pinned, double score, double max_score);
/* The commit that counts by the instructor's word, as it is written there; NULL: none. */
const char *course_pin(const struct course *course, size_t student, size_t exercise);
/* Whether a student's report must not show a case; `group` is a case_group_names[] name. */
bool course_hides_case(const struct course *course, size_t exercise, const char *group,
                       const char *case_name);

/* Whether there may be such cases in an exercise. */
bool course_hides_any(const struct course *course, size_t exercise);

/* A student's value in a column of the roster, "" where there is none. */
const char *course_value(const struct course *course, size_t student, const char *column);
bool course_is_member(const struct course_group *group, size_t student);
/* COURSE_NONE where the course has no such student, or exercise. */
size_t course_find_student(const struct course *course, const char *id);
size_t course_find_exercise(const struct course *course, const char *id);
/* "2026-10-02 23:59:00 CEST" in the course's time zone, without one in UTC. */
void course_append_instant(const struct course *course, int64_t instant, struct text *out);

/* Seconds east of UTC in the course's time zone; 0 where it names none. */
int32_t course_utc_offset(const struct course *course, int64_t instant);
/* The beginning of a span of time as a command takes it: as a deadline is written, but a date alone
 * is its first moment. */
enum status course_since(const struct course *course, const char *text, int64_t *instant,
                         struct error *error);
/* A student's address, from a column such as `mail` or `email` (capital letters do not matter); ""
 * where there is none. */
const char *course_mail(const struct course *course, size_t student);

/* ---- its parts ---------------------------------------------------------------------------- */

/* The keys of the file, for `batch --help` and `course check --help`: one row each, in the order in
 * which they are read. The keys of a value stand after it, indented. */
struct course_key {
    const char *name;
    const char *value;   /* its type, in a word or two */
    const char *summary; /* with the default */
    bool inside;         /* a key of the value before it */
};
size_t course_key_count(void);
struct course_key course_key_at(size_t index);
/* All of them as a table of lines up to 78 columns. */
void course_append_keys(struct text *out);

/* An id must be fit to name a folder on any machine: letters, digits and . _ @ + -, the first one a
 * letter or digit. NULL: fine; else why not. */
const char *course_id_problem(const char *id);

/* What a batch writes into OUTPUT, beside the students' folders: no id of a student. */
enum course_result {
    COURSE_RESULT_GRADES,
    COURSE_RESULT_TOTALS,
    COURSE_RESULT_JUNIT,
    COURSE_RESULT_PAGE,
    COURSE_RESULT_DATA,
    COURSE_RESULT_COUNT
};
extern const char *const course_result_files[COURSE_RESULT_COUNT];
/* .txt and .eml of this name are a student's own, beside the reports: no id of an exercise. */
#define COURSE_SUMMARY "summary"

#endif
