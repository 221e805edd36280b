/* The terms of handing in: the time zone, what lateness costs, and what single students were
 * granted.
 *
 * Extensions and pins are entries about some students and some exercises; each is kept with every
 * student whom it is about. */
#include "grader/course/course_private.h"

#include "grader/course/course_zone.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LATE_DAYS = 3660, MAX_GRANTS = 20000, MAX_COMMIT = 64 };

enum status course_read_timezone(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    struct course *course = target;
    struct error inner = {0};
    enum status status =
        course_take_text(parser, row->shown.name, node, COURSE_MAX_TEXT, &course->timezone);
    if (status != STATUS_OK)
        return status;
    status = course_zone_load(course->timezone, &course->zone, &inner);
    if (status == STATUS_OK)
        return status;
    yaml_error(parser->document, node, parser->error, "%s: %.900s", row->shown.name, inner.message);
    error_hint(parser->error, "%s", inner.hint);
    return status;
}

/* ---- late --------------------------------------------------------------------------------- */

enum status course_read_max_days(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    struct course_late *late = target;
    return yaml_integer(parser->document, node, row->shown.name, 0, MAX_LATE_DAYS, &late->max_days,
                        parser->error);
}

enum status course_read_late(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    struct course *course = target;
    (void)row;
    course->late =
        (struct course_late){.accepted = true, .max_days = COURSE_NEVER, .begun_days = true};
    return course_read_object(parser, COURSE_OBJECT_late, node, &course->late);
}

/* ---- whom an entry is about --------------------------------------------------------------- */

static enum status add_who(struct course_parser *parser, const struct course_row *row,
                           const struct yaml_node *node, void *target) {
    struct course_grant *grant = target;
    size_t student;
    enum status status = course_take_student(parser, row->shown.name, node, &student);
    if (status == STATUS_OK)
        *mem_push(&grant->students, &grant->student_count, &grant->student_capacity) = student;
    return status;
}

enum status course_read_who(struct course_parser *parser, const struct course_row *row,
                            const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, true, COURSE_MAX_STUDENTS, add_who, target);
}

enum status course_read_who_group(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target) {
    struct course_grant *grant = target;
    const struct course *course = parser->course;
    const char *name;
    enum status status = yaml_string(parser->document, node, row->shown.name, &name, parser->error);
    if (status != STATUS_OK)
        return status;
    size_t index = 0;
    while (index < course->group_count && strcmp(course->groups[index].name, name) != 0)
        index++;
    if (index == course->group_count) {
        cleanup_free const char **names = mem_calloc(course->group_count + 1, sizeof *names);
        for (size_t i = 0; i < course->group_count; i++)
            names[i] = course->groups[i].name;
        return course_unknown_name(parser, row->shown.name, node, "groups", names,
                                   course->group_count);
    }
    const struct course_group *group = &course->groups[index];
    for (size_t i = 0; i < group->member_count; i++)
        *mem_push(&grant->students, &grant->student_count, &grant->student_capacity) =
            group->members[i];
    return STATUS_OK;
}

static enum status add_which(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    struct course_grant *grant = target;
    size_t exercise;
    enum status status = course_take_exercise(parser, row->shown.name, node, &exercise);
    if (status == STATUS_OK)
        *mem_push(&grant->exercises, &grant->exercise_count, &grant->exercise_capacity) = exercise;
    return status;
}

enum status course_read_which(struct course_parser *parser, const struct course_row *row,
                              const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, true, COURSE_MAX_EXERCISES, add_which, target);
}

/* What is done with a student and an exercise (COURSE_NONE: all) of an entry. */
typedef enum status grant_one(struct course_parser *parser, const struct course_grant *grant,
                              size_t student, size_t exercise);

static enum status grant_each(struct course_parser *parser, const struct course_grant *grant,
                              grant_one *one) {
    if (grant->student_count == 0)
        return yaml_error(parser->document, grant->node, parser->error,
                          "whom is this about? The key student, or group, is missing");
    enum status status = STATUS_OK;
    for (size_t s = 0; s < grant->student_count && status == STATUS_OK; s++) {
        if (grant->exercise_count == 0)
            status = one(parser, grant, grant->students[s], COURSE_NONE);
        for (size_t e = 0; e < grant->exercise_count && status == STATUS_OK; e++)
            status = one(parser, grant, grant->students[s], grant->exercises[e]);
    }
    return status;
}

static enum status read_grant(struct course_parser *parser, enum course_object object,
                              const struct yaml_node *node, grant_one *one) {
    struct course_grant grant = {.until = COURSE_NEVER, .node = node};
    enum status status = course_read_object(parser, object, node, &grant);
    if (status == STATUS_OK)
        status = grant_each(parser, &grant, one);
    free(grant.students);
    free(grant.exercises);
    free(grant.commit);
    free(grant.reason);
    return status;
}

/* ---- extensions --------------------------------------------------------------------------- */

/* An instant must be later than the deadline; without an exercise, than one of them. */
static enum status check_until(struct course_parser *parser, const struct course_grant *grant,
                               size_t exercise) {
    const struct course *course = parser->course;
    const struct yaml_node *until = yaml_get(grant->node, "until");
    size_t from = exercise == COURSE_NONE ? 0 : exercise;
    size_t to = exercise == COURSE_NONE ? course->exercise_count : exercise + 1;
    bool any = false, later = false;
    for (size_t i = from; i < to; i++) {
        int64_t deadline = course_exercise_deadline(course, i);
        any |= deadline != COURSE_NEVER;
        later |= deadline != COURSE_NEVER && (!until || grant->until > deadline);
    }
    if (!any)
        return yaml_error(parser->document, grant->node, parser->error,
                          "an extension of what has no deadline: %s",
                          exercise == COURSE_NONE ? "no exercise has one"
                                                  : course->exercises[exercise].id);
    if (later)
        return STATUS_OK;
    if (exercise == COURSE_NONE)
        return yaml_error(parser->document, until, parser->error,
                          "the extension ends before every deadline");
    cleanup_text struct text deadline = {0};
    course_append_instant(course, course_exercise_deadline(course, exercise), &deadline);
    return yaml_error(parser->document, until, parser->error,
                      "the extension ends before, or at, the deadline of %s, which is %s",
                      course->exercises[exercise].id, text_string(&deadline));
}

static enum status extend(struct course_parser *parser, const struct course_grant *grant,
                          size_t student, size_t exercise) {
    struct course_student *row = &parser->course->students[student];
    enum status status = check_until(parser, grant, exercise);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < row->extension_count; i++)
        if (row->extensions[i].exercise == exercise)
            return yaml_error(parser->document, grant->node, parser->error,
                              "%s has an extension of %s in line %u already", row->id,
                              exercise == COURSE_NONE ? "all exercises"
                                                      : parser->course->exercises[exercise].id,
                              row->extensions[i].line);
    struct course_extension *extension =
        mem_push(&row->extensions, &row->extension_count, &row->extension_capacity);
    extension->exercise = exercise;
    extension->until = grant->until;
    extension->by_seconds = grant->by_seconds;
    extension->reason = mem_strdup(grant->reason);
    extension->line = grant->node->line;
    return STATUS_OK;
}

static enum status read_extension(struct course_parser *parser, const struct course_row *row,
                                  const struct yaml_node *node, void *target) {
    (void)row;
    (void)target;
    const struct yaml_node *by = yaml_get(node, "by");
    if (!yaml_get(node, "until") == !by && node->kind == YAML_MAPPING)
        return yaml_error(parser->document, node, parser->error,
                          "an extension: expected one of the keys until and by");
    return read_grant(parser, COURSE_OBJECT_extensions, node, extend);
}

enum status course_read_extensions(struct course_parser *parser, const struct course_row *row,
                                   const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, false, MAX_GRANTS, read_extension, target);
}

/* ---- pins --------------------------------------------------------------------------------- */

enum status course_read_commit(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    struct course_grant *grant = target;
    const char *text;
    enum status status = yaml_string(parser->document, node, row->shown.name, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    size_t length = strlen(text);
    if (length < COURSE_MIN_COMMIT || length > MAX_COMMIT ||
        text[strspn(text, "0123456789abcdefABCDEF")]) {
        char found[YAML_DESCRIPTION_BYTES];
        status = yaml_error(parser->document, node, parser->error,
                            "%s: expected %d to %d hexadecimal digits, found %s", row->shown.name,
                            COURSE_MIN_COMMIT, MAX_COMMIT, yaml_describe(node, found));
        error_hint(parser->error, "`git log --oneline` shows them; for a branch or tag there is "
                                  "ref, of the student");
        return status;
    }
    grant->commit = mem_strdup(text);
    for (char *c = grant->commit; *c; c++)
        *c |= 0x20; /* digits have that bit already */
    return STATUS_OK;
}

/* One member's pin holds for the team, so that two members must not have different ones. */
static enum status check_pin(struct course_parser *parser, const struct course_grant *grant,
                             size_t student, size_t exercise) {
    const struct course *course = parser->course;
    const struct course_student *row = &course->students[student];
    const struct course_group *team = row->team == COURSE_NONE ? NULL : &course->groups[row->team];
    for (size_t m = 0; m < (team ? team->member_count : 1); m++) {
        const struct course_student *other = team ? &course->students[team->members[m]] : row;
        for (size_t i = 0; i < other->pin_count; i++)
            if (other->pins[i].exercise == exercise &&
                (other == row || strcmp(other->pins[i].commit, grant->commit) != 0))
                return yaml_error(parser->document, grant->node, parser->error,
                                  "%s has a pin of %s in line %u already", other->id,
                                  exercise == COURSE_NONE ? "all exercises"
                                                          : course->exercises[exercise].id,
                                  other->pins[i].line);
    }
    return STATUS_OK;
}

static enum status pin(struct course_parser *parser, const struct course_grant *grant,
                       size_t student, size_t exercise) {
    struct course_student *row = &parser->course->students[student];
    enum status status = check_pin(parser, grant, student, exercise);
    if (status != STATUS_OK)
        return status;
    struct course_pin *made = mem_push(&row->pins, &row->pin_count, &row->pin_capacity);
    made->exercise = exercise;
    made->commit = mem_strdup(grant->commit);
    made->reason = mem_strdup(grant->reason);
    made->line = grant->node->line;
    return STATUS_OK;
}

static enum status read_pin(struct course_parser *parser, const struct course_row *row,
                            const struct yaml_node *node, void *target) {
    (void)row;
    (void)target;
    return read_grant(parser, COURSE_OBJECT_pins, node, pin);
}

enum status course_read_pins(struct course_parser *parser, const struct course_row *row,
                             const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, false, MAX_GRANTS, read_pin, target);
}
