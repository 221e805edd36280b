/* The readers of COURSE.yaml's plain values: texts, files, numbers, times and names of what the
 * course has. A reader of a row writes to the member that the row names. */
#include "grader/course/course_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(type, target, row) ((type *)(void *)((char *)(target) + (row)->offset))

bool course_text_fits(const char *text, size_t max_length) {
    return strlen(text) <= max_length && repo_name_is_clean(text);
}

char *course_directory_of(const char *file) {
    size_t length = (size_t)(file_base_name(file) - file);
    while (length > 1 && file[length - 1] == '/')
        length--;
    return mem_strndup(file, length);
}

enum status course_take_text(struct course_parser *parser, const char *what,
                             const struct yaml_node *node, size_t max_length, char **out) {
    const char *text;
    enum status status = yaml_string(parser->document, node, what, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    if (!*text || !course_text_fits(text, max_length))
        return yaml_error(parser->document, node, parser->error,
                          "%s is empty, too long or holds characters that cannot be shown", what);
    free(*out);
    *out = mem_strdup(text);
    return STATUS_OK;
}

enum status course_read_text(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    return course_take_text(parser, row->shown.name, node, COURSE_MAX_LOCATION,
                            MEMBER(char *, target, row));
}

enum status course_read_string(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    return yaml_string(parser->document, node, row->shown.name, MEMBER(const char *, target, row),
                       parser->error);
}

enum status course_read_node(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    (void)parser;
    *MEMBER(const struct yaml_node *, target, row) = node;
    return STATUS_OK;
}

/* A file or folder, relative to COURSE.yaml. */
enum status course_read_location(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    cleanup_free char *text = NULL;
    enum status status =
        course_take_text(parser, row->shown.name, node, COURSE_MAX_LOCATION, &text);
    if (status != STATUS_OK)
        return status;
    char **out = MEMBER(char *, target, row);
    free(*out);
    *out = file_join(parser->directory, text);
    return STATUS_OK;
}

/* Known from anywhere: tasks on a cluster's nodes get it as it is. */
enum status course_read_home(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    char **out = MEMBER(char *, target, row), resolved[PATH_MAX];
    enum status status = course_read_location(parser, row, node, target);
    if (status != STATUS_OK)
        return status;
    if (!realpath(*out, resolved) || strchr(resolved, ':'))
        return yaml_error(parser->document, node, parser->error,
                          strchr(*out, ':') ? "home: a colon in the name of %s"
                                            : "home: there is no folder %s",
                          *out);
    free(*out);
    *out = mem_strdup(resolved);
    return STATUS_OK;
}

/* `branch` and `ref` are one thing: a member that is set already was set by the other key. */
enum status course_read_branch(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    char **out = MEMBER(char *, target, row);
    if (*out)
        return yaml_error(parser->document, node, parser->error,
                          "branch and ref mean the same here: give one of them");
    return course_take_text(parser, row->shown.name, node, COURSE_MAX_TEXT, out);
}

enum status course_read_number(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    return yaml_number(parser->document, node, row->shown.name, row->low, row->high,
                       MEMBER(double, target, row), parser->error);
}

enum status course_read_whole(struct course_parser *parser, const struct course_row *row,
                              const struct yaml_node *node, void *target) {
    int64_t value = 0;
    enum status status = yaml_integer(parser->document, node, row->shown.name, (int64_t)row->low,
                                      (int64_t)row->high, &value, parser->error);
    *MEMBER(unsigned, target, row) = (unsigned)value;
    return status;
}

enum status course_read_flag(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    return yaml_boolean(parser->document, node, row->shown.name, MEMBER(bool, target, row),
                        parser->error);
}

enum status course_read_duration(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    char found[YAML_DESCRIPTION_BYTES];
    if (node->kind == YAML_SCALAR &&
        course_duration_parse(node->text, MEMBER(int64_t, target, row)))
        return STATUS_OK;
    enum status status = yaml_error(parser->document, node, parser->error,
                                    "%s: expected a duration of at most ten years, found %s",
                                    row->shown.name, yaml_describe(node, found));
    error_hint(parser->error, "write 90s, 15m, 2h, 1d or 1w, or a sum of them: 1d12h");
    return status;
}

enum status course_read_instant(struct course_parser *parser, const struct course_row *row,
                                const struct yaml_node *node, void *target) {
    const char *text;
    struct error inner = {0};
    size_t offset = 0;
    enum status status = yaml_string(parser->document, node, row->shown.name, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    status = course_instant_parse(text, parser->course->zone, MEMBER(int64_t, target, row), &offset,
                                  &inner);
    if (status == STATUS_OK)
        return status;
    struct yaml_node place = *node;
    place.column += (unsigned)offset + (node->plain ? 0 : 1);
    /* A text of several lines, or with escapes, has no such column in the file. */
    if (strpbrk(text, "\n\\"))
        place.column = node->column;
    status = yaml_error(parser->document, &place, parser->error, "%s: %.900s", row->shown.name,
                        inner.message);
    error_hint(parser->error, "%s", inner.hint);
    return status;
}

/* ---- words and names ---------------------------------------------------------------------- */

enum status course_unknown_name(struct course_parser *parser, const char *what,
                                const struct yaml_node *node, const char *kind,
                                const char *const *names, size_t count) {
    enum status status = yaml_error(parser->document, node, parser->error,
                                    "%s: %.80s is not among the %s", what, node->text, kind);
    const char *closest = text_closest(node->text, names, count);
    if (closest)
        error_hint(parser->error, "did you mean %s?", closest);
    return status;
}

enum status course_take_word(struct course_parser *parser, const char *what,
                             const struct yaml_node *node, const char *const *words, size_t count,
                             size_t *index) {
    enum status status =
        yaml_choice(parser->document, node, what, words, count, index, parser->error);
    const char *closest = status != STATUS_OK && node->kind == YAML_SCALAR
                              ? text_closest(node->text, words, count)
                              : NULL;
    if (closest)
        error_hint(parser->error, "did you mean %s?", closest);
    return status;
}

enum status course_take_exercise(struct course_parser *parser, const char *what,
                                 const struct yaml_node *node, size_t *exercise) {
    const struct course *course = parser->course;
    const char *text;
    enum status status = yaml_string(parser->document, node, what, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    *exercise = course_find_exercise(course, text);
    if (*exercise != COURSE_NONE)
        return STATUS_OK;
    const char *ids[COURSE_MAX_EXERCISES];
    for (size_t i = 0; i < course->exercise_count; i++)
        ids[i] = course->exercises[i].id;
    return course_unknown_name(parser, what, node, "exercises", ids, course->exercise_count);
}

enum status course_take_student(struct course_parser *parser, const char *what,
                                const struct yaml_node *node, size_t *student) {
    const struct course *course = parser->course;
    const char *text;
    enum status status = yaml_string(parser->document, node, what, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    *student = course_find_student(course, text);
    if (*student != COURSE_NONE)
        return STATUS_OK;
    cleanup_free const char **ids = mem_calloc(course->student_count + 1, sizeof *ids);
    for (size_t i = 0; i < course->student_count; i++)
        ids[i] = course->students[i].id;
    return course_unknown_name(parser, what, node, "students", ids, course->student_count);
}
