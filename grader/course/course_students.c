/* Students, whichever form of the roster names them, and the groups they are in.
 *
 * What is known of a student is checked here for both forms. Columns that mean nothing to warpgrade
 * are kept as they are, so that exports can give back what a learning platform put in. */
#include "grader/course/course_private.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 128 };

const char *const course_column_names[COLUMN_COUNT] = {"id",     "name", "repository",
                                                       "branch", "ref",  "group"};
const char *const course_result_files[COURSE_RESULT_COUNT] = {
    [COURSE_RESULT_GRADES] = "grades.csv", [COURSE_RESULT_TOTALS] = "totals.csv",
    [COURSE_RESULT_JUNIT] = "junit.xml",   [COURSE_RESULT_PAGE] = "index.html",
    [COURSE_RESULT_DATA] = "class.json",
};

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

const char *course_id_problem(const char *id) {
    if (!*id)
        return "it is empty";
    if (strlen(id) > COURSE_MAX_ID)
        return "it is longer than 64 characters";
    if (!is_letter_or_digit(*id))
        return "it must begin with a letter or digit";
    for (const char *c = id; *c; c++)
        if (!is_letter_or_digit(*c) && !strchr("._@+-", *c))
            return "only letters A-Z and a-z, digits and . _ @ + - may name a folder";
    for (int i = 0; i < COURSE_RESULT_COUNT; i++)
        if (strcasecmp(id, course_result_files[i]) == 0)
            return "a result file has this name";
    return NULL;
}

const char *course_column_slip(const char *name, const bool there[COLUMN_COUNT]) {
    const char *missing[COLUMN_COUNT];
    size_t count = 0;
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (!there[i])
            missing[count++] = course_column_names[i];
    const char *closest = text_closest(name, missing, count);
    size_t length = strlen(name);
    if (!closest || length < 3 || length > strlen(closest) + 2) /* "surname" is no slip of "name" */
        return NULL;
    return closest;
}

/* ---- one student -------------------------------------------------------------------------- */

static const char *given(const struct course_student_fields *fields, enum course_column column) {
    const char *value = fields->known[column];
    return value && *value ? value : NULL;
}

static enum status check_id(const struct course *course, const char *id, struct error *error) {
    const char *problem = course_id_problem(id);
    if (problem) {
        error_set(error, STATUS_INVALID, "the id \"%.80s\": %s", id, problem);
        error_hint(error, "the id names the student's folder of reports; the name may be anything");
        return STATUS_INVALID;
    }
    for (size_t i = 0; i < course->student_count; i++) {
        const struct course_student *other = &course->students[i];
        if (strcasecmp(other->id, id) != 0)
            continue;
        if (strcmp(other->id, id) == 0)
            return error_set(error, STATUS_INVALID, "the id %s is already in line %u", id,
                             other->line);
        error_set(error, STATUS_INVALID, "the id %s is already in line %u, as %s", id, other->line,
                  other->id);
        error_hint(error, "ids name folders, and some machines do not tell capital letters from "
                          "small ones there");
        return STATUS_INVALID;
    }
    return STATUS_OK;
}

static enum status check_fields(const struct course_student_fields *fields, struct error *error) {
    static const size_t most[COLUMN_COUNT] = {[COLUMN_ID] = COURSE_MAX_ID,
                                              [COLUMN_NAME] = COURSE_MAX_TEXT,
                                              [COLUMN_REPOSITORY] = COURSE_MAX_LOCATION,
                                              [COLUMN_BRANCH] = COURSE_MAX_TEXT,
                                              [COLUMN_REF] = COURSE_MAX_TEXT,
                                              [COLUMN_GROUP] = COURSE_MAX_TEXT};
    for (int i = COLUMN_NAME; i < COLUMN_COUNT; i++) {
        const char *value = given(fields, (enum course_column)i);
        if (value && !course_text_fits(value, most[i]))
            return error_set(error, STATUS_INVALID,
                             "the %s of %s is too long or holds characters that cannot be shown",
                             course_column_names[i], fields->known[COLUMN_ID]);
    }
    if (given(fields, COLUMN_BRANCH) && given(fields, COLUMN_REF))
        return error_set(error, STATUS_INVALID,
                         "%s has a branch and a ref, which mean the same: give one of them",
                         fields->known[COLUMN_ID]);
    return STATUS_OK;
}

enum status course_add_student(struct course *course, const struct course_student_fields *fields,
                               struct error *error) {
    const char *id = fields->known[COLUMN_ID];
    enum status status = check_id(course, id, error);
    if (status == STATUS_OK)
        status = check_fields(fields, error);
    if (status != STATUS_OK)
        return status;
    if (course->student_count >= COURSE_MAX_STUDENTS)
        return error_set(error, STATUS_INVALID, "more than %d students", COURSE_MAX_STUDENTS);
    const char *name = given(fields, COLUMN_NAME);
    const char *branch = given(fields, COLUMN_BRANCH);
    const char *repository = given(fields, COLUMN_REPOSITORY);
    if (!branch)
        branch = given(fields, COLUMN_REF);
    cleanup_free char *directory = course_directory_of(course->file);
    size_t index = course->student_count;
    struct course_student *student =
        mem_push(&course->students, &course->student_count, &course->student_capacity);
    student->id = mem_strdup(id);
    student->name = mem_strdup(name ? name : id);
    student->branch = mem_strdup(branch ? branch : course->branch);
    student->repository =
        repository ? repo_resolve_location(directory, repository) : mem_strdup("");
    student->team = COURSE_NONE;
    student->line = fields->line;
    if (given(fields, COLUMN_GROUP))
        course_join(course_add_group(course, given(fields, COLUMN_GROUP), fields->line), index);
    return STATUS_OK;
}

size_t course_add_column(struct course *course, const char *name) {
    for (size_t i = 0; i < course->column_count; i++)
        if (strcmp(course->columns[i], name) == 0)
            return i;
    *mem_push(&course->columns, &course->column_count, &course->column_capacity) = mem_strdup(name);
    return course->column_count - 1;
}

void course_set_value(struct course *course, size_t column, const char *value, bool is_location) {
    struct course_student *student = &course->students[course->student_count - 1];
    while (student->value_count <= column)
        *mem_push(&student->values, &student->value_count, &student->value_capacity) = NULL;
    free(student->values[column]);
    student->values[column] = is_location ? repo_display_location(value) : mem_strdup(value);
}

/* ---- students in COURSE.yaml -------------------------------------------------------------- */

static enum status unknown_key(struct course_parser *parser, const struct yaml_node *key,
                               const char *closest) {
    enum status status =
        yaml_error(parser->document, key, parser->error, "a student: unknown key %.80s", key->text);
    error_hint(parser->error, "did you mean %s?", closest);
    return status;
}

static enum status check_own_keys(struct course_parser *parser, const struct yaml_node *node) {
    bool there[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++)
        there[i] = yaml_get(node, course_column_names[i]) != NULL;
    for (size_t k = 0; k < node->count; k++) {
        const struct yaml_node *key = node->keys[k];
        bool known = false;
        for (int i = 0; i < COLUMN_COUNT && !known; i++)
            known = strcmp(key->text, course_column_names[i]) == 0;
        const char *closest = known ? NULL : course_column_slip(key->text, there);
        if (closest)
            return unknown_key(parser, key, closest);
        if (!*key->text || !course_text_fits(key->text, COURSE_MAX_TEXT))
            return yaml_error(
                parser->document, key, parser->error,
                "the key is empty, too long or holds characters that cannot be shown");
    }
    return STATUS_OK;
}

static enum status keep_values(struct course_parser *parser, const struct yaml_node *node) {
    for (size_t k = 0; k < node->count; k++) {
        const char *name = node->keys[k]->text, *value = "";
        if (!yaml_is_nothing(node->items[k])) {
            enum status status =
                yaml_string(parser->document, node->items[k], name, &value, parser->error);
            if (status != STATUS_OK)
                return status;
        }
        size_t column = course_add_column(parser->course, name);
        if (column >= MAX_COLUMNS || strlen(value) > COURSE_MAX_LOCATION)
            return yaml_error(parser->document, node->keys[k], parser->error,
                              "more than %d kinds of keys, or a value of more than %d bytes",
                              MAX_COLUMNS, COURSE_MAX_LOCATION);
        course_set_value(parser->course, column, value,
                         strcmp(name, course_column_names[COLUMN_REPOSITORY]) == 0);
    }
    return STATUS_OK;
}

static enum status read_student(struct course_parser *parser, const struct course_row *row,
                                const struct yaml_node *node, void *target) {
    struct course_student_fields fields = {.line = node->line};
    (void)row;
    enum status status =
        yaml_expect(parser->document, node, YAML_MAPPING, "a student", parser->error);
    if (status == STATUS_OK)
        status = check_own_keys(parser, node);
    if (status == STATUS_OK)
        status = course_read_rows(parser, COURSE_OBJECT_students, node, &fields);
    if (status != STATUS_OK)
        return status;
    status = course_add_student(target, &fields, parser->error);
    if (status != STATUS_OK) {
        error_place(parser->error, parser->document->file, node->line, node->column,
                    parser->document->source, parser->document->source_length);
        return status;
    }
    return keep_values(parser, node);
}

enum status course_read_students(struct course_parser *parser, const struct course_row *row,
                                 const struct yaml_node *node, void *target) {
    return course_read_list(parser, row, node, false, COURSE_MAX_STUDENTS, read_student, target);
}

enum status course_read_roster_key(struct course_parser *parser, const struct course_row *row,
                                   const struct yaml_node *node, void *target) {
    struct course *course = target;
    if (yaml_get(parser->document->root, "students"))
        return yaml_error(parser->document, node, parser->error,
                          "a course has either students or a roster, not both");
    enum status status = course_read_location(parser, row, node, target);
    if (status == STATUS_OK)
        status = course_read_roster(course, course->roster,
                                    !yaml_get(parser->document->root, "groups"), parser->error);
    /* A roster that cannot be opened is a mistake of this line. */
    if (status != STATUS_OK && parser->error && parser->error->line == 0)
        error_place(parser->error, parser->document->file, node->line, node->column,
                    parser->document->source, parser->document->source_length);
    return status;
}
