/* What is graded: the list of exercises, and where, with which weight and until when each of them
 * is handed in. What one exercise has may stand in its entry or in a mapping from ids to values. */
#include "grader/course/course_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WEIGHT = 1000000 };

enum status course_read_exercise_id(struct course_parser *parser, const struct course_row *row,
                                    const struct yaml_node *node, void *target) {
    struct course_exercise *exercise = target;
    char *id = NULL;
    (void)row;
    enum status status = course_take_text(parser, "exercises", node, COURSE_MAX_LOCATION, &id);
    if (status != STATUS_OK)
        return status;
    exercise->id = id;
    exercise->line = node->line;
    exercise->column = node->column;
    const char *problem =
        strcasecmp(id, COURSE_SUMMARY) == 0 ? "a result file has this name" : course_id_problem(id);
    if (problem)
        return yaml_error(parser->document, node, parser->error, "the exercise \"%.80s\": %s", id,
                          problem);
    size_t other = course_find_exercise(parser->course, id);
    if (&parser->course->exercises[other] != exercise)
        return yaml_error(parser->document, node, parser->error,
                          "the exercise %s is already in line %u", id,
                          parser->course->exercises[other].line);
    exercise->paths[0] = mem_printf("%s.cu", id);
    exercise->paths[1] = mem_printf("%s/%s.cu", id, id);
    exercise->path_count = 2;
    return STATUS_OK;
}

static enum status read_exercise(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    struct course *course = target;
    struct course_exercise *exercise =
        mem_push(&course->exercises, &course->exercise_count, &course->exercise_capacity);
    exercise->weight = 1;
    exercise->deadline = COURSE_NEVER;
    exercise->id = NULL;
    if (node->kind == YAML_MAPPING)
        return course_read_object(parser, COURSE_OBJECT_exercises, node, exercise);
    return course_read_exercise_id(parser, row, node, exercise);
}

enum status course_read_exercises(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target) {
    enum status status =
        yaml_expect(parser->document, node, YAML_SEQUENCE, "exercises", parser->error);
    if (status == STATUS_OK && (node->count == 0 || node->count > COURSE_MAX_EXERCISES))
        return yaml_error(parser->document, node, parser->error,
                          "exercises: expected 1 to %d of them, found %zu", COURSE_MAX_EXERCISES,
                          node->count);
    if (status != STATUS_OK)
        return status;
    return course_read_list(parser, row, node, false, COURSE_MAX_EXERCISES, read_exercise, target);
}

/* ---- what an exercise has: in its entry, or in a mapping by ids ---------------------------------
 */

static enum status given_twice(struct course_parser *parser, const struct course_exercise *exercise,
                               const struct yaml_node *node, const char *what) {
    return yaml_error(parser->document, node, parser->error,
                      "the %s of %s stands in its entry among the exercises already", what,
                      exercise->id);
}

static enum status add_path(struct course_parser *parser, const struct course_row *row,
                            const struct yaml_node *node, void *target) {
    struct course_exercise *exercise = target;
    cleanup_free char *path = NULL;
    enum status status =
        course_take_text(parser, row->shown.name, node, COURSE_MAX_LOCATION, &path);
    if (status != STATUS_OK)
        return status;
    const char *problem = repo_path_problem(path);
    if (problem)
        return yaml_error(parser->document, node, parser->error, "the path of %s: %s", exercise->id,
                          problem);
    exercise->paths[exercise->path_count++] = steal_pointer(&path);
    return STATUS_OK;
}

enum status course_read_paths_of(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    struct course_exercise *exercise = target;
    if (exercise->has_paths)
        return given_twice(parser, exercise, node, "paths");
    if (node->kind == YAML_SEQUENCE && (node->count == 0 || node->count > REPO_MAX_CANDIDATES))
        return yaml_error(parser->document, node, parser->error,
                          "the paths of %s: expected 1 to %d of them, found %zu", exercise->id,
                          REPO_MAX_CANDIDATES, node->count);
    exercise->has_paths = true;
    while (exercise->path_count)
        free(exercise->paths[--exercise->path_count]);
    return course_read_list(parser, row, node, true, REPO_MAX_CANDIDATES, add_path, exercise);
}

enum status course_read_weight(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course_exercise *exercise = target;
    if (exercise->has_weight)
        return given_twice(parser, exercise, node, "weight");
    exercise->has_weight = true;
    return yaml_number(parser->document, node, row->shown.name, 0, MAX_WEIGHT, &exercise->weight,
                       parser->error);
}

enum status course_read_deadline(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    struct course_exercise *exercise = target;
    struct course_row place = *row;
    if (exercise->has_deadline)
        return given_twice(parser, exercise, node, "deadline");
    exercise->has_deadline = true;
    place.offset = offsetof(struct course_exercise, deadline);
    return course_read_instant(parser, &place, node, exercise);
}

enum status course_read_paths(struct course_parser *parser, const struct course_row *row,
                              const struct yaml_node *node, void *target) {
    (void)target;
    return course_read_by_exercise(parser, row, node, course_read_paths_of);
}

enum status course_read_weights(struct course_parser *parser, const struct course_row *row,
                                const struct yaml_node *node, void *target) {
    (void)target;
    return course_read_by_exercise(parser, row, node, course_read_weight);
}

enum status course_read_deadlines(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target) {
    (void)target;
    return course_read_by_exercise(parser, row, node, course_read_deadline);
}
