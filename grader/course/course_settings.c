/* How a course is graded: attempts, what students see, the comparison of submissions, and what the
 * grader is told. */
#include "grader/course/course_private.h"

#include "grader/exercise/device.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PATTERNS = 256, MAX_EARLIER = 64 };

const char *const course_engine_names[] = {NULL, "sim", "cuda", "auto"};

/* ---- attempts ----------------------------------------------------------------------------- */

enum status course_read_attempts(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    (void)row;
    return course_read_object(parser, COURSE_OBJECT_attempts, node, target);
}

enum status course_read_count_which(struct course_parser *parser, const struct course_row *row,
                                    const struct yaml_node *node, void *target) {
    static const char *const words[] = {"best", "last"};
    struct course *course = target;
    size_t index = 0;
    enum status status = course_take_word(parser, row->shown.name, node, words, 2, &index);
    course->attempts.last = index == 1;
    return status;
}

/* ---- visibility --------------------------------------------------------------------------- */

static enum status add_pattern(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course_visibility *visibility = target;
    char *pattern = NULL;
    enum status status = course_take_text(parser, row->shown.name, node, COURSE_MAX_TEXT, &pattern);
    if (status == STATUS_OK)
        *mem_push(&visibility->patterns, &visibility->count, &visibility->capacity) = pattern;
    return status;
}

enum status course_read_hide(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, true, MAX_PATTERNS, add_pattern, target);
}

enum status course_read_show(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    struct course_visibility *visibility = target;
    visibility->shows = true;
    return course_read_list(parser, row, node, true, MAX_PATTERNS, add_pattern, target);
}

enum status course_read_visibility(struct course_parser *parser, const struct course_row *row,
                                   const struct yaml_node *node, void *target) {
    struct course_visibility *visibility = (void *)((char *)target + row->offset);
    visibility->given = true;
    visibility->line = node->line;
    enum status status = course_read_object(parser, COURSE_OBJECT_visibility, node, visibility);
    if (status == STATUS_OK && !yaml_get(node, "hide") == !yaml_get(node, "show"))
        return yaml_error(parser->document, node, parser->error,
                          "visibility: expected one of the keys hide and show");
    return status;
}

/* ---- similarity --------------------------------------------------------------------------- */

enum status course_read_similarity(struct course_parser *parser, const struct course_row *row,
                                   const struct yaml_node *node, void *target) {
    (void)row;
    return course_read_object(parser, COURSE_OBJECT_similarity, node, target);
}

static enum status ignore_exercise(struct course_parser *parser, const struct course_row *row,
                                   const struct yaml_node *node, void *target) {
    struct course *course = target;
    size_t exercise;
    enum status status = course_take_exercise(parser, row->shown.name, node, &exercise);
    if (status == STATUS_OK)
        course->exercises[exercise].no_similarity = true;
    return status;
}

enum status course_read_no_similarity(struct course_parser *parser, const struct course_row *row,
                                      const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, true, COURSE_MAX_EXERCISES, ignore_exercise, target);
}

static enum status add_earlier(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course *course = target;
    struct course_row place = *row;
    char *path = NULL;
    place.offset = 0;
    enum status status = course_read_location(parser, &place, node, &path);
    if (status == STATUS_OK)
        *mem_push(&course->similarity.earlier, &course->similarity.earlier_count,
                  &course->similarity.earlier_capacity) = path;
    return status;
}

enum status course_read_earlier(struct course_parser *parser, const struct course_row *row,
                                const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, true, MAX_EARLIER, add_earlier, target);
}

/* ---- what the grader is told -------------------------------------------------------------- */

enum status course_read_engine(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course *course = target;
    size_t index = 0;
    enum status status =
        course_take_word(parser, row->shown.name, node, course_engine_names + 1, 3, &index);
    course->engine = (enum course_engine)(index + 1);
    return status;
}

/* An id of a profile, or a file's path relative to COURSE.yaml, as device_load() tells them apart.
 */
enum status course_read_device(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course *course = target;
    cleanup_free char *name = NULL;
    struct device_profile profile;
    struct error inner = {0};
    enum status status =
        course_take_text(parser, row->shown.name, node, COURSE_MAX_LOCATION, &name);
    if (status != STATUS_OK)
        return status;
    const char *ending = strrchr(name, '.');
    bool is_file = strchr(name, '/') ||
                   (ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0));
    course->device = is_file ? file_join(parser->directory, name) : mem_strdup(name);
    status = device_load(course->device, &profile, &inner);
    if (status == STATUS_OK)
        return status;
    if (inner.line) { /* the file is there: its mistake has a place of its own */
        if (parser->error)
            *parser->error = inner;
        return status;
    }
    yaml_error(parser->document, node, parser->error, "%.900s", inner.message);
    error_hint(parser->error, "%s", inner.hint);
    return status;
}

enum status course_read_language(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    static const char *const words[LANGUAGE_COUNT] = {[LANGUAGE_EN] = "en", [LANGUAGE_ZH] = "zh"};
    struct course *course = target;
    size_t index = 0;
    enum status status =
        course_take_word(parser, row->shown.name, node, words, LANGUAGE_COUNT, &index);
    course->language = (enum language)index;
    return status;
}

enum status course_read_require(struct course_parser *parser, const struct course_row *row,
                                const struct yaml_node *node, void *target) {
    static const char *const words[] = {"namespaces"};
    struct course *course = target;
    size_t index;
    course->require_namespaces = true;
    return course_take_word(parser, row->shown.name, node, words, 1, &index);
}

enum status course_read_seed(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    struct course *course = target;
    int64_t seed = 0;
    course->has_seed = true;
    enum status status =
        yaml_integer(parser->document, node, row->shown.name, 0, INT64_MAX, &seed, parser->error);
    course->seed = (uint64_t)seed;
    return status;
}

enum status course_read_pass_mark(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target) {
    struct course *course = target;
    course->has_pass_mark = true;
    return yaml_number(parser->document, node, row->shown.name, 0, 100, &course->pass_mark,
                       parser->error);
}
