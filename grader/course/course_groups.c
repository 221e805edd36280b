/* Groups of students. A group with a repository is a team: its members hand in together, so that
 * they have its repository and branch in place of their own. A group without one is a section. */
#include "grader/course/course_private.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool course_is_member(const struct course_group *group, size_t student) {
    for (size_t i = 0; i < group->member_count; i++)
        if (group->members[i] == student)
            return true;
    return false;
}

static struct course_group *find_group(const struct course *course, const char *name) {
    for (size_t i = 0; i < course->group_count; i++)
        if (strcmp(course->groups[i].name, name) == 0)
            return &course->groups[i];
    return NULL;
}

struct course_group *course_add_group(struct course *course, const char *name, unsigned line) {
    struct course_group *group = find_group(course, name);
    if (group)
        return group;
    group = mem_push(&course->groups, &course->group_count, &course->group_capacity);
    group->name = mem_strdup(name);
    group->line = line;
    return group;
}

void course_join(struct course_group *group, size_t student) {
    *mem_push(&group->members, &group->member_count, &group->member_capacity) = student;
}

/* ---- groups: ------------------------------------------------------------------------------ */

static enum status add_member(struct course_parser *parser, const struct course_row *row,
                              const struct yaml_node *node, void *target) {
    struct course_group *group = target;
    size_t student;
    (void)row;
    enum status status = course_take_student(parser, "members", node, &student);
    if (status != STATUS_OK)
        return status;
    if (course_is_member(group, student))
        return yaml_error(parser->document, node, parser->error, "%s is in the group %s already",
                          node->text, group->name);
    course_join(group, student);
    return STATUS_OK;
}

static void replace(char **text, const char *value) {
    free(*text);
    *text = mem_strdup(value);
}

/* Its members have the team's repository. */
static enum status make_team(struct course_parser *parser, const struct yaml_node *node,
                             struct course_group *group, const char *repository) {
    struct course *course = parser->course;
    group->repository = repo_resolve_location(parser->directory, repository);
    for (size_t i = 0; i < group->member_count; i++) {
        struct course_student *student = &course->students[group->members[i]];
        if (student->team != COURSE_NONE)
            return yaml_error(parser->document, node, parser->error,
                              "%s hands in with the team %s already", student->id,
                              course->groups[student->team].name);
        if (*student->repository && strcmp(student->repository, group->repository) != 0) {
            enum status status = yaml_error(
                parser->document, node, parser->error,
                "%s has a repository of its own, and another one as a member of the team %s",
                student->id, group->name);
            error_hint(parser->error, "leave out the student's, or the team's: then the group is a "
                                      "section, whose members hand in on their own");
            return status;
        }
        student->team = (size_t)(group - course->groups);
        replace(&student->repository, group->repository);
        if (group->branch)
            replace(&student->branch, group->branch);
    }
    return STATUS_OK;
}

static enum status take_group(struct course_parser *parser, const struct yaml_node *node,
                              struct course_group_entry *entry) {
    struct course *course = parser->course;
    const struct yaml_node *name = yaml_get(node, "name");
    if (strlen(entry->name) > COURSE_MAX_TEXT)
        return yaml_error(parser->document, name, parser->error, "a name of more than %d bytes",
                          COURSE_MAX_TEXT);
    struct course_group *group = course_add_group(course, entry->name, node->line);
    if (group->listed)
        return yaml_error(parser->document, name, parser->error, "the group %s is there already",
                          entry->name);
    group->listed = true;
    group->line = node->line;
    group->branch = steal_pointer(&entry->branch);
    enum status status = STATUS_OK;
    if (entry->members) {
        const struct course_row row = {.shown = {.name = "members"}};
        status = course_read_list(parser, &row, entry->members, false, COURSE_MAX_STUDENTS,
                                  add_member, group);
    }
    if (status == STATUS_OK && group->member_count == 0) {
        status = yaml_error(parser->document, name, parser->error, "the group %s has no members",
                            entry->name);
        error_hint(parser->error, "list their ids as members:, or name the group in the roster's "
                                  "column group");
    }
    if (status == STATUS_OK && entry->repository)
        status = make_team(parser, node, group, entry->repository);
    return status;
}

static enum status read_group(struct course_parser *parser, const struct course_row *row,
                              const struct yaml_node *node, void *target) {
    struct course_group_entry entry = {0};
    (void)row;
    (void)target;
    enum status status = course_read_object(parser, COURSE_OBJECT_groups, node, &entry);
    if (status == STATUS_OK)
        status = take_group(parser, node, &entry);
    free(entry.name);
    free(entry.repository);
    free(entry.branch);
    return status;
}

enum status course_read_groups(struct course_parser *parser, const struct course_row *row,
                               const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, false, COURSE_MAX_STUDENTS, read_group, target);
}
