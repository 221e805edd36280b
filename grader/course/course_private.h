/* What the files of the course room share; not a door. */
#ifndef WARPGRADE_GRADER_COURSE_COURSE_PRIVATE_H
#define WARPGRADE_GRADER_COURSE_COURSE_PRIVATE_H

#include "grader/course/course.h"
#include "grader/exercise/yaml.h"

struct course_parser {
    const struct yaml_document *document;
    struct course *course;
    char *directory; /* of COURSE.yaml */
    struct error *error;
};

/* ---- the table of keys: course_keys.def ----------------------------------------------------- */

enum course_object {
#define OBJECT(id, label) COURSE_OBJECT_##id,
#define KEY(object, name, shown, need, value, doc)
#include "grader/course/course_keys.def"
#undef KEY
#undef OBJECT
    COURSE_OBJECT_COUNT
};

/* A row: the key, who reads it, and where the reader puts it. */
struct course_row;
typedef enum status course_reader(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target);
struct course_row {
    enum course_object object;
    struct course_key shown;
    bool required;
    course_reader *read;
    size_t offset; /* of the member, in the target */
    double low, high;
};

/* Checks the keys of a mapping against the rows of `object` and reads them, in the table's order.
 */
enum status course_read_object(struct course_parser *parser, enum course_object object,
                               const struct yaml_node *node, void *target);
/* The same without a look at keys that have no row. */
enum status course_read_rows(struct course_parser *parser, enum course_object object,
                             const struct yaml_node *node, void *target);
/* Calls read_item for each item of a list, or for the value itself where `or_one`. */
enum status course_read_list(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, bool or_one, size_t most,
                             course_reader *read_item, void *target);
/* Calls read_item for each value of a mapping from exercises to values, with the exercise. */
enum status course_read_by_exercise(struct course_parser *parser, const struct course_row *row,
                                    const struct yaml_node *node, course_reader *read_item);

/* Readers of one member: course_values.c. */
course_reader course_read_text, course_read_location, course_read_number, course_read_whole,
    course_read_flag, course_read_duration, course_read_instant, course_read_branch,
    course_read_string, course_read_node;
/* Readers of the others. */
course_reader course_read_exercises, course_read_exercise_id, course_read_paths_of,
    course_read_paths, course_read_weight, course_read_weights, course_read_deadline,
    course_read_deadlines, course_read_no_similarity;
course_reader course_read_timezone, course_read_late, course_read_max_days, course_read_extensions;
course_reader course_read_students, course_read_roster_key, course_read_groups;
course_reader course_read_attempts, course_read_count_which, course_read_pins, course_read_commit;
course_reader course_read_visibility, course_read_hide, course_read_show;
course_reader course_read_similarity, course_read_earlier;
course_reader course_read_home, course_read_engine, course_read_device, course_read_language,
    course_read_require, course_read_seed, course_read_pass_mark;
course_reader course_read_who, course_read_who_group, course_read_which;

/* ---- values ------------------------------------------------------------------------------- */

/* A text that may be shown: not empty, at most max_length bytes, no control characters. *out is
 * freed first. */
enum status course_take_text(struct course_parser *parser, const char *what,
                             const struct yaml_node *node, size_t max_length, char **out);
/* One of the words, else "did you mean". */
enum status course_take_word(struct course_parser *parser, const char *what,
                             const struct yaml_node *node, const char *const *words, size_t count,
                             size_t *index);
/* STATUS_INVALID: "WHAT: NAME is not among the KIND", and the closest of the names. */
enum status course_unknown_name(struct course_parser *parser, const char *what,
                                const struct yaml_node *node, const char *kind,
                                const char *const *names, size_t count);
enum status course_take_exercise(struct course_parser *parser, const char *what,
                                 const struct yaml_node *node, size_t *exercise);
enum status course_take_student(struct course_parser *parser, const char *what,
                                const struct yaml_node *node, size_t *student);
/* Fits into a line of text: short enough and without what cannot be shown. */
bool course_text_fits(const char *text, size_t max_length);
/* The folder of a file; "" where that is the working directory. Caller frees. */
char *course_directory_of(const char *file);

/* Instants and durations as they are written: course_instant.c. `zone` may be NULL. On a mistake
 * *offset is the byte of the text at which it stands. */
enum status course_instant_parse(const char *text, const struct course_zone *zone, int64_t *instant,
                                 size_t *offset, struct error *error);
/* 90s, 15m, 2h, 1d, 1w and sums of them: 1d12h. False: it is none, or too long. */
bool course_duration_parse(const char *text, int64_t *seconds);

/* ---- what is read before it is resolved ----------------------------------------------------- */

struct course_group_entry {
    char *name, *repository, *branch;
    const struct yaml_node *members;
};

/* An entry of extensions or pins: whom it is about, and what it says. */
struct course_grant {
    size_t *students;
    size_t student_count, student_capacity;
    size_t *exercises; /* none: all */
    size_t exercise_count, exercise_capacity;
    int64_t until, by_seconds;
    char *commit, *reason;
    const struct yaml_node *node;
};

/* ---- students ----------------------------------------------------------------------------- */

/* The columns of students that mean something here. */
enum course_column {
    COLUMN_ID,
    COLUMN_NAME,
    COLUMN_REPOSITORY,
    COLUMN_BRANCH,
    COLUMN_REF,
    COLUMN_GROUP,
    COLUMN_COUNT
};
extern const char *const course_column_names[COLUMN_COUNT];
/* A name that is close to one of the known columns that are not there is a slip, not a column of
 * the user's own. NULL: it is none; else what was meant. */
const char *course_column_slip(const char *name, const bool there[COLUMN_COUNT]);

/* Adds a student after checking all fields, each of which may be NULL or "" but the id. Used by
 * both forms of the roster; the message says what is wrong, the caller adds the place. */
struct course_student_fields {
    const char *known[COLUMN_COUNT];
    unsigned line;
};
enum status course_add_student(struct course *course, const struct course_student_fields *fields,
                               struct error *error);
/* The index of a column, which is added where it is new. */
size_t course_add_column(struct course *course, const char *name);
/* The value of the last student; what a location says of passwords is left out. */
void course_set_value(struct course *course, size_t column, const char *value, bool is_location);
/* The group of this name, which is added where it is new. */
struct course_group *course_add_group(struct course *course, const char *name, unsigned line);
void course_join(struct course_group *group, size_t student);

/* Reads a CSV roster (RFC 4180; comma, semicolon or tab) with a header that names the columns id,
 * repository (where `need_repository`: teams have their own) and, optionally, name, branch or ref,
 * and group. All columns are kept. */
enum status course_read_roster(struct course *course, const char *path, bool need_repository,
                               struct error *error);
/* The text as UTF-8 without a byte order mark, from UTF-8 or UTF-16 with one. *data is replaced.
 * STATUS_INVALID with the line and the byte where it is neither. */
enum status course_decode_text(const char *path, char **data, size_t *length, struct error *error);

#endif
