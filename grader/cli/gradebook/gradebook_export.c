/* `warpgrade gradebook export BOOK FORMAT`: the grades for other programs. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "grader/course/course.h"
#include "grader/gradebook/export.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_ZEROS = 256, OPTION_ASSIGNMENT, OPTION_STUDENT };

struct arguments {
    struct gradebook_arguments shared;
    const struct gradebook_format *format;
    const char *output;
    struct gradebook_export_options options;
    struct gradebook_assignment *assignments;
    size_t capacity;
};

static const struct gradebook_format *find_format(struct argp_state *state, const char *name) {
    const struct gradebook_format *format = gradebook_format_find(name);
    if (format)
        return format;
    cleanup_text struct text list = {0};
    for (size_t i = 0; i < gradebook_format_count; i++)
        text_printf(&list, "%s%s", i ? ", " : "", gradebook_formats[i].name);
    argp_error(state, "there is no format \"%s\"; there are %s", name, text_string(&list));
    return NULL;
}

static void add_assignment(struct arguments *arguments, char *value, struct argp_state *state) {
    char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1] ||
        strspn(equals + 1, "0123456789") != strlen(equals + 1))
        argp_error(state, "--assignment takes EXERCISE=NUMBER, not \"%s\"", value);
    *mem_push(&arguments->assignments, &arguments->options.assignment_count, &arguments->capacity) =
        (struct gradebook_assignment){mem_strndup(value, (size_t)(equals - value)), equals + 1};
    arguments->options.assignments = arguments->assignments;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = value;
        return 0;
    case OPTION_ZEROS:
        arguments->options.zeros = true;
        return 0;
    case OPTION_ASSIGNMENT:
        add_assignment(arguments, value, state);
        return 0;
    case OPTION_STUDENT:
        arguments->options.student = value;
        return 0;
    case ARGP_KEY_SUCCESS: /* the words are all there */
        arguments->format = find_format(state, arguments->shared.words[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    struct text out = {0};
    text_append(&out, "FORMAT is one of\n\n");
    for (size_t i = 0; i < gradebook_format_count; i++)
        text_printf(&out, "  %-11s %s\n", gradebook_formats[i].name, gradebook_formats[i].summary);
    text_append(&out,
                "\nCanvas and Moodle learn who a student is from other columns of the roster "
                "(SIS User ID, email, ID number ...). What nothing is graded of is left "
                "empty there, which changes no grade.\n\nStudents see what Gradescope is given: "
                "it says what is wrong with a submission where BOOK is a COURSE.yaml that hides "
                "no case of the exercise, and else points only.");
    return text_steal(&out);
}

/* An id names a folder: of a gradebook that came from elsewhere it may be anything. */
static enum status write_result(void *context, const char *student, const struct text *json,
                                struct error *error) {
    const char *problem = course_id_problem(student);
    if (problem)
        return error_set(error, STATUS_INVALID, "the id %.80s can name no folder: %s", student,
                         problem);
    cleanup_free char *folder = mem_printf("%s/%s", (const char *)context, student);
    cleanup_free char *path = mem_printf("%s/results.json", folder);
    enum status status = file_make_directories(folder, error);
    return status == STATUS_OK ? file_write(path, text_string(json), json->length, error) : status;
}

static enum status write_export(struct gradebook *book, const struct arguments *arguments,
                                struct error *error) {
    const char *output = arguments->output;
    if (arguments->format->write == gradebook_write_gradescope && output &&
        !arguments->options.student)
        return gradebook_each_result(book, &arguments->options, write_result,
                                     (void *)(uintptr_t)output, error);
    cleanup_text struct text out = {0};
    enum status status = arguments->format->write(book, &arguments->options, &out, error);
    if (status != STATUS_OK)
        return status;
    if (output && !file_is_standard_output(output))
        return file_write(output, text_string(&out), out.length, error);
    gradebook_print(&out);
    return STATUS_OK;
}

/* ---- what students may read --------------------------------------------------------------- */

static bool tells(const void *context, const char *exercise) {
    const struct course *course = context;
    size_t index = course_find_exercise(course, exercise);
    return index != COURSE_NONE && !course_hides_any(course, index);
}

static enum status write_as_course_says(struct gradebook *book, struct arguments *arguments,
                                        struct error *error) {
    if (!gradebook_cli_is_course(arguments->shared.book))
        return write_export(book, arguments, error);
    struct course *course;
    enum status status = course_load(arguments->shared.book, &course, error);
    if (status != STATUS_OK)
        return status;
    arguments->options.tells = tells;
    arguments->options.context = course;
    status = write_export(book, arguments, error);
    course_free(course);
    return status;
}

static enum status work(struct gradebook *book, void *input, struct error *error) {
    struct arguments *arguments = input;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < arguments->options.assignment_count && status == STATUS_OK; i++)
        status = gradebook_check_ids(book, NULL, arguments->assignments[i].exercise, error);
    return status == STATUS_OK ? write_as_course_says(book, arguments, error) : status;
}

int gradebook_export_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"output", 'o', "FILE", 0, "default: standard output; gradescope: a folder", 0},
        {"zeros", OPTION_ZEROS, NULL, 0, "canvas, moodle: 0 where nothing is graded", 0},
        {"assignment", OPTION_ASSIGNMENT, "EXERCISE=NUMBER", 0,
         "canvas: the assignment's number, as its own export has it; may be given several times",
         0},
        {"student", OPTION_STUDENT, "ID", 0, "gradescope: only this student", 0},
        {0}};
    static const struct gradebook_command command = {.words = "BOOK FORMAT",
                                                     .about =
                                                         "Writes the grades for other programs.\v-",
                                                     .shared = &gradebook_words_argp,
                                                     .options = options,
                                                     .parse = parse_option,
                                                     .help = filter_help,
                                                     .work = work};
    struct arguments arguments = {
        .shared = {.wanted = 1, .least = 1, .missing = "which FORMAT? --help lists them"}};
    int code = gradebook_cli_run(&command, argc, argv, &arguments);
    for (size_t i = 0; i < arguments.options.assignment_count; i++)
        free((char *)(uintptr_t)arguments.assignments[i].exercise);
    free(arguments.assignments);
    return code;
}
