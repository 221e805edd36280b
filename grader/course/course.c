/* COURSE.yaml, read through one table of keys.
 *
 * A row of the table is a key: its name, the function that reads its value and the line that
 * `batch --help` prints about it. Keys are read in the table's order, not the file's, so that what
 * builds on something else (a student on the default branch, paths on the exercises) finds it. */
#include "grader/course/course.h"

#include "grader/repo/repo_private.h"
#include "grader/exercise/yaml.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

struct course_parser {
    const struct yaml_document *document;
    struct course *course;
    char *directory; /* of COURSE.yaml */
    struct error *error;
};

/* ---- what students and ids must be -------------------------------------------------------- */

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
    if (strcasecmp(id, "grades.csv") == 0 || strcasecmp(id, "junit.xml") == 0)
        return "a result file has this name";
    return NULL;
}

/* The folder of COURSE.yaml; "" where that is the working directory. */
static char *directory_of(const char *file) {
    size_t length = (size_t)(file_base_name(file) - file);
    while (length > 1 && file[length - 1] == '/')
        length--;
    return mem_strndup(file, length);
}

static bool fits(const char *text, size_t max_length) {
    return strlen(text) <= max_length && repo_name_is_clean(text);
}

enum status course_add_student(struct course *course, const struct course_student_fields *fields,
                               struct error *error) {
    const char *problem = course_id_problem(fields->id);
    if (problem) {
        enum status status =
            error_set(error, STATUS_INVALID, "the id \"%.80s\": %s", fields->id, problem);
        error_hint(error, "the id names the student's folder of reports; the name may be anything");
        return status;
    }
    for (size_t i = 0; i < course->student_count; i++)
        if (strcasecmp(course->students[i].id, fields->id) == 0)
            return error_set(error, STATUS_INVALID, "the id %s is already in line %u", fields->id,
                             course->students[i].line);
    const char *name = fields->name && *fields->name ? fields->name : fields->id;
    const char *branch = fields->branch && *fields->branch ? fields->branch : course->branch;
    if (!fits(name, COURSE_MAX_TEXT))
        return error_set(error, STATUS_INVALID,
                         "the name of %s is too long or holds characters "
                         "that cannot be shown",
                         fields->id);
    if (!fits(fields->repository, COURSE_MAX_LOCATION))
        return error_set(error, STATUS_INVALID,
                         "the repository of %s is too long or holds "
                         "characters that cannot be shown",
                         fields->id);
    if (branch && !fits(branch, COURSE_MAX_TEXT))
        return error_set(error, STATUS_INVALID,
                         "the branch of %s is too long or holds characters "
                         "that cannot be shown",
                         fields->id);
    if (course->student_count >= COURSE_MAX_STUDENTS)
        return error_set(error, STATUS_INVALID, "more than %d students", COURSE_MAX_STUDENTS);
    cleanup_free char *directory = directory_of(course->file);
    struct course_student *student =
        mem_push(&course->students, &course->student_count, &course->student_capacity);
    student->id = mem_strdup(fields->id);
    student->name = mem_strdup(name);
    student->branch = mem_strdup(branch);
    student->repository =
        *fields->repository ? repo_resolve_location(directory, fields->repository) : mem_strdup("");
    student->line = fields->line;
    return STATUS_OK;
}

/* ---- the keys ----------------------------------------------------------------------------- */

static enum status read_text(struct course_parser *parser, const struct yaml_node *node,
                             const char *what, char **out) {
    const char *text;
    enum status status = yaml_string(parser->document, node, what, &text, parser->error);
    if (status != STATUS_OK)
        return status;
    if (!*text || !fits(text, COURSE_MAX_LOCATION))
        return yaml_error(parser->document, node, parser->error,
                          "%s is empty, too long or holds characters that cannot be shown", what);
    free(*out);
    *out = mem_strdup(text);
    return STATUS_OK;
}

/* A file or folder, relative to COURSE.yaml. */
static enum status read_location(struct course_parser *parser, const struct yaml_node *node,
                                 const char *what, char **out) {
    cleanup_free char *text = NULL;
    enum status status = read_text(parser, node, what, &text);
    if (status != STATUS_OK)
        return status;
    free(*out);
    *out = file_join(parser->directory, text);
    return STATUS_OK;
}

static enum status key_course(struct course_parser *parser, const struct yaml_node *node) {
    return read_text(parser, node, "course", &parser->course->name);
}

static enum status add_exercise(struct course_parser *parser, const struct yaml_node *node) {
    struct course *course = parser->course;
    cleanup_free char *id = NULL;
    enum status status = read_text(parser, node, "exercises", &id);
    if (status != STATUS_OK)
        return status;
    const char *problem = course_id_problem(id);
    if (problem)
        return yaml_error(parser->document, node, parser->error, "the exercise \"%.80s\": %s", id,
                          problem);
    for (size_t i = 0; i < course->exercise_count; i++)
        if (strcmp(course->exercises[i].id, id) == 0)
            return yaml_error(parser->document, node, parser->error,
                              "the exercise %s is already in line %u", id,
                              course->exercises[i].line);
    struct course_exercise *exercise =
        mem_push(&course->exercises, &course->exercise_count, &course->exercise_capacity);
    exercise->paths[0] = mem_printf("%s.cu", id);
    exercise->paths[1] = mem_printf("%s/%s.cu", id, id);
    exercise->path_count = 2;
    exercise->id = steal_pointer(&id);
    exercise->line = node->line;
    exercise->column = node->column;
    return STATUS_OK;
}

static enum status key_exercises(struct course_parser *parser, const struct yaml_node *node) {
    enum status status =
        yaml_expect(parser->document, node, YAML_SEQUENCE, "exercises", parser->error);
    if (status == STATUS_OK && (node->count == 0 || node->count > COURSE_MAX_EXERCISES))
        return yaml_error(parser->document, node, parser->error,
                          "exercises: expected 1 to %d of them, found %zu", COURSE_MAX_EXERCISES,
                          node->count);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        status = add_exercise(parser, node->items[i]);
    return status;
}

static enum status add_path(struct course_parser *parser, const struct yaml_node *node,
                            struct course_exercise *exercise) {
    cleanup_free char *path = NULL;
    enum status status = read_text(parser, node, "paths", &path);
    if (status != STATUS_OK)
        return status;
    const char *problem = repo_path_problem(path);
    if (problem)
        return yaml_error(parser->document, node, parser->error, "the path of %s: %s", exercise->id,
                          problem);
    exercise->paths[exercise->path_count++] = steal_pointer(&path);
    return STATUS_OK;
}

static enum status set_paths(struct course_parser *parser, const struct yaml_node *key,
                             const struct yaml_node *node) {
    struct course *course = parser->course;
    struct course_exercise *exercise = NULL;
    for (size_t i = 0; i < course->exercise_count; i++)
        if (strcmp(course->exercises[i].id, key->text) == 0)
            exercise = &course->exercises[i];
    if (!exercise) {
        const char *ids[COURSE_MAX_EXERCISES];
        for (size_t i = 0; i < course->exercise_count; i++)
            ids[i] = course->exercises[i].id;
        enum status status = yaml_error(parser->document, key, parser->error,
                                        "paths: %.80s is not among the exercises", key->text);
        const char *closest = text_closest(key->text, ids, course->exercise_count);
        if (closest)
            error_hint(parser->error, "did you mean %s?", closest);
        return status;
    }
    while (exercise->path_count)
        free(exercise->paths[--exercise->path_count]);
    if (node->kind == YAML_SCALAR)
        return add_path(parser, node, exercise);
    enum status status = yaml_expect(parser->document, node, YAML_SEQUENCE, "paths", parser->error);
    if (status == STATUS_OK && (node->count == 0 || node->count > REPO_MAX_CANDIDATES))
        return yaml_error(parser->document, node, parser->error,
                          "the paths of %s: expected 1 to %d of them, found %zu", exercise->id,
                          REPO_MAX_CANDIDATES, node->count);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        status = add_path(parser, node->items[i], exercise);
    return status;
}

static enum status key_paths(struct course_parser *parser, const struct yaml_node *node) {
    enum status status = yaml_expect(parser->document, node, YAML_MAPPING, "paths", parser->error);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        status = set_paths(parser, node->keys[i], node->items[i]);
    return status;
}

static enum status key_branch(struct course_parser *parser, const struct yaml_node *node) {
    return read_text(parser, node, "branch", &parser->course->branch);
}

static enum status add_inline_student(struct course_parser *parser, const struct yaml_node *node) {
    static const char *const names[] = {"id", "name", "repository", "branch"};
    struct course_student_fields fields = {.line = node->line};
    const char **values[] = {&fields.id, &fields.name, &fields.repository, &fields.branch};
    enum status status = yaml_check_keys(parser->document, node, "a student", names,
                                         ARRAY_LENGTH(names), parser->error);
    for (size_t i = 0; status == STATUS_OK && i < ARRAY_LENGTH(names); i++) {
        const struct yaml_node *value = yaml_get(node, names[i]);
        if (value)
            status = yaml_string(parser->document, value, names[i], values[i], parser->error);
        else if (i == 0 || i == 2)
            status = yaml_error(parser->document, node, parser->error,
                                "a student: the key %s is missing", names[i]);
    }
    if (status != STATUS_OK)
        return status;
    status = course_add_student(parser->course, &fields, parser->error);
    if (status != STATUS_OK)
        error_place(parser->error, parser->document->file, node->line, node->column,
                    parser->document->source, parser->document->source_length);
    return status;
}

static enum status key_students(struct course_parser *parser, const struct yaml_node *node) {
    enum status status =
        yaml_expect(parser->document, node, YAML_SEQUENCE, "students", parser->error);
    for (size_t i = 0; status == STATUS_OK && i < node->count; i++)
        status = add_inline_student(parser, node->items[i]);
    return status;
}

static enum status key_roster(struct course_parser *parser, const struct yaml_node *node) {
    cleanup_free char *path = NULL;
    if (yaml_get(parser->document->root, "students"))
        return yaml_error(parser->document, node, parser->error,
                          "a course has either students or a roster, not both");
    enum status status = read_location(parser, node, "roster", &path);
    if (status != STATUS_OK)
        return status;
    status = course_read_roster(parser->course, path, parser->error);
    /* A roster that cannot be opened is a mistake of this line. */
    if (status != STATUS_OK && parser->error && parser->error->line == 0)
        error_place(parser->error, parser->document->file, node->line, node->column,
                    parser->document->source, parser->document->source_length);
    return status;
}

static enum status key_output(struct course_parser *parser, const struct yaml_node *node) {
    return read_location(parser, node, "output", &parser->course->output);
}

static enum status key_gradebook(struct course_parser *parser, const struct yaml_node *node) {
    return read_location(parser, node, "gradebook", &parser->course->gradebook);
}

static enum status key_seed(struct course_parser *parser, const struct yaml_node *node) {
    int64_t seed = 0;
    parser->course->has_seed = true;
    enum status status =
        yaml_integer(parser->document, node, "seed", 0, INT64_MAX, &seed, parser->error);
    parser->course->seed = (uint64_t)seed;
    return status;
}

static enum status key_jobs(struct course_parser *parser, const struct yaml_node *node) {
    int64_t jobs = 0;
    enum status status = yaml_integer(parser->document, node, "jobs", 1, 64, &jobs, parser->error);
    parser->course->jobs = (unsigned)jobs;
    return status;
}

static enum status key_pass_mark(struct course_parser *parser, const struct yaml_node *node) {
    parser->course->has_pass_mark = true;
    return yaml_number(parser->document, node, "pass_mark", 0, 100, &parser->course->pass_mark,
                       parser->error);
}

static enum status key_fetch_time_limit(struct course_parser *parser,
                                        const struct yaml_node *node) {
    return yaml_number(parser->document, node, "fetch_time_limit", 1, 3600,
                       &parser->course->fetch_time_limit_seconds, parser->error);
}

static const struct key {
    struct course_key shown;
    bool required;
    enum status (*read)(struct course_parser *parser, const struct yaml_node *node);
} keys[] = {
    {{"course", "text", "the course's name"}, true, key_course},
    {{"exercises", "list of ids", "what is graded"}, true, key_exercises},
    {{"paths", "id: path",
      "where an exercise's file stands in a repository, or a list of places; "
      "default ID.cu, else ID/ID.cu"},
     false,
     key_paths},
    {{"branch", "name", "graded where a student has none; default: the repository's HEAD"},
     false,
     key_branch},
    {{"students", "list", "{id, repository, name, branch}, the last two optional"},
     false,
     key_students},
    {{"roster", "file", "instead of students: CSV with the columns id, repository, name, branch"},
     false,
     key_roster},
    {{"output", "folder", "reports and grades.csv; default reports"}, false, key_output},
    {{"gradebook", "file", "every attempt, in SQLite; default gradebook.sqlite"},
     false,
     key_gradebook},
    {{"seed", "number", "reproduces a run; default: a secret one"}, false, key_seed},
    {{"jobs", "number", "cases run at the same time; default: one a CPU"}, false, key_jobs},
    {{"pass_mark", "percent", "passes; default: each exercise's own"}, false, key_pass_mark},
    {{"fetch_time_limit", "seconds", "for reading one repository; default 60"},
     false,
     key_fetch_time_limit},
};

size_t course_key_count(void) {
    return ARRAY_LENGTH(keys);
}

struct course_key course_key_at(size_t index) {
    return keys[index].shown;
}

/* ---- the file ----------------------------------------------------------------------------- */

static enum status read_keys(struct course_parser *parser) {
    const struct yaml_node *root = parser->document->root;
    const char *names[ARRAY_LENGTH(keys)];
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        names[i] = keys[i].shown.name;
    enum status status = yaml_check_keys(parser->document, root, "the course", names,
                                         ARRAY_LENGTH(names), parser->error);
    for (size_t i = 0; i < ARRAY_LENGTH(keys) && status == STATUS_OK; i++) {
        const struct yaml_node *node = yaml_get(root, keys[i].shown.name);
        if (node)
            status = keys[i].read(parser, node);
        else if (keys[i].required)
            status = yaml_error(parser->document, root, parser->error,
                                "the course: the key %s is missing", keys[i].shown.name);
    }
    if (status == STATUS_OK && parser->course->student_count == 0) {
        status = yaml_error(parser->document, NULL, parser->error, "the course has no students");
        error_hint(parser->error, "list them as students:, or name a CSV file as roster:");
    }
    return status;
}

enum status course_load(const char *path, struct course **out, struct error *error) {
    *out = NULL;
    struct yaml_document *document = NULL;
    enum status status = yaml_load(path, &document, error);
    if (status != STATUS_OK)
        return status;
    struct course *course = mem_zalloc(sizeof *course);
    struct course_parser parser = {.document = document, .course = course, .error = error};
    parser.directory = directory_of(path);
    course->file = mem_strdup(path);
    course->source = mem_dup(document->source, document->source_length);
    course->source_length = document->source_length;
    course->output = file_join(parser.directory, "reports");
    course->gradebook = file_join(parser.directory, "gradebook.sqlite");
    status = read_keys(&parser);
    free(parser.directory);
    yaml_document_free(document);
    if (status != STATUS_OK) {
        course_free(course);
        return status;
    }
    *out = course;
    return STATUS_OK;
}

void course_place(const struct course *course, const struct course_exercise *exercise,
                  struct error *error) {
    error_place(error, course->file, exercise->line, exercise->column, course->source,
                course->source_length);
}

void course_free(struct course *course) {
    if (!course)
        return;
    for (size_t i = 0; i < course->exercise_count; i++) {
        free(course->exercises[i].id);
        for (size_t k = 0; k < course->exercises[i].path_count; k++)
            free(course->exercises[i].paths[k]);
    }
    for (size_t i = 0; i < course->student_count; i++) {
        free(course->students[i].id);
        free(course->students[i].name);
        free(course->students[i].repository);
        free(course->students[i].branch);
    }
    free(course->exercises);
    free(course->students);
    free(course->file);
    free(course->source);
    free(course->name);
    free(course->branch);
    free(course->output);
    free(course->gradebook);
    free(course);
}
