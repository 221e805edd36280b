/* COURSE.yaml as a whole: loading, what is looked up in it, and its end. The keys are read through
 * the table of course_keys.def. */
#include "grader/course/course_private.h"

#include "grader/course/course_zone.h"
#include "grader/exercise/home.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum status check_whole(struct course_parser *parser) {
    const struct yaml_node *root = parser->document->root;
    if (parser->course->student_count == 0) {
        enum status status =
            yaml_error(parser->document, NULL, parser->error, "the course has no students");
        error_hint(parser->error, "list them as students:, or name a CSV file as roster:");
        return status;
    }
    /* A member of a team needs no repository, and groups are read after students. */
    const struct yaml_node *students = yaml_get(root, "students");
    for (size_t i = 0; students && i < students->count; i++)
        if (!yaml_get(students->items[i], "repository") &&
            parser->course->students[i].team == COURSE_NONE)
            return yaml_error(parser->document, students->items[i], parser->error,
                              "a student: the key repository is missing");
    return STATUS_OK;
}

enum status course_load(const char *path, struct course **out, struct error *error) {
    *out = NULL;
    struct yaml_document *document = NULL;
    enum status status = yaml_load(path, &document, error);
    if (status != STATUS_OK)
        return status;
    struct course *course = mem_zalloc(sizeof *course);
    struct course_parser parser = {.document = document, .course = course, .error = error};
    parser.directory = course_directory_of(path);
    course->file = mem_strdup(path);
    course->source = mem_dup(document->source, document->source_length);
    course->source_length = document->source_length;
    course->output = file_join(parser.directory, "reports");
    course->gradebook = file_join(parser.directory, "gradebook.sqlite");
    course->deadline = COURSE_NEVER;
    status = course_read_object(&parser, COURSE_OBJECT_course, document->root, course);
    if (status == STATUS_OK)
        status = check_whole(&parser);
    free(parser.directory);
    yaml_document_free(document);
    if (status != STATUS_OK) {
        course_free(course);
        return status;
    }
    if (course->home)
        homes_add(course->home);
    *out = course;
    return STATUS_OK;
}

void course_place(const struct course *course, const struct course_exercise *exercise,
                  struct error *error) {
    error_place(error, course->file, exercise->line, exercise->column, course->source,
                course->source_length);
}

size_t course_find_student(const struct course *course, const char *id) {
    for (size_t i = 0; i < course->student_count; i++)
        if (strcmp(course->students[i].id, id) == 0)
            return i;
    return COURSE_NONE;
}

size_t course_find_exercise(const struct course *course, const char *id) {
    for (size_t i = 0; i < course->exercise_count; i++)
        if (strcmp(course->exercises[i].id, id) == 0)
            return i;
    return COURSE_NONE;
}

const char *course_value(const struct course *course, size_t student, const char *column) {
    const struct course_student *row = &course->students[student];
    for (size_t i = 0; i < course->column_count && i < row->value_count; i++)
        if (strcasecmp(course->columns[i], column) == 0)
            return row->values[i] ? row->values[i] : "";
    return "";
}

/* ---- the end ------------------------------------------------------------------------------ */

static void free_texts(char **texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void free_student(struct course_student *student) {
    for (size_t i = 0; i < student->extension_count; i++)
        free(student->extensions[i].reason);
    for (size_t i = 0; i < student->pin_count; i++) {
        free(student->pins[i].commit);
        free(student->pins[i].reason);
    }
    free_texts(student->values, student->value_count);
    free(student->extensions);
    free(student->pins);
    free(student->id);
    free(student->name);
    free(student->repository);
    free(student->branch);
}

static void free_exercise(struct course_exercise *exercise) {
    for (size_t i = 0; i < exercise->path_count; i++)
        free(exercise->paths[i]);
    free_texts(exercise->visibility.patterns, exercise->visibility.count);
    free(exercise->id);
}

static void free_group(struct course_group *group) {
    free(group->name);
    free(group->repository);
    free(group->branch);
    free(group->members);
}

void course_free(struct course *course) {
    if (!course)
        return;
    for (size_t i = 0; i < course->exercise_count; i++)
        free_exercise(&course->exercises[i]);
    for (size_t i = 0; i < course->student_count; i++)
        free_student(&course->students[i]);
    for (size_t i = 0; i < course->group_count; i++)
        free_group(&course->groups[i]);
    free_texts(course->columns, course->column_count);
    free_texts(course->visibility.patterns, course->visibility.count);
    free_texts(course->similarity.earlier, course->similarity.earlier_count);
    course_zone_free(course->zone);
    free(course->exercises);
    free(course->students);
    free(course->groups);
    free(course->timezone);
    free(course->roster);
    free(course->device);
    free(course->file);
    free(course->source);
    free(course->name);
    free(course->branch);
    free(course->home);
    free(course->output);
    free(course->gradebook);
    free(course->ssh_key);
    free(course->known_hosts);
    free(course->ca_file);
    free(course);
}
