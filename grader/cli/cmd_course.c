/* `warpgrade course check`: reads a course without grading. What it says goes to standard output,
 * what is wrong with it to standard error, as errors of any file do. */
#include "grader/cli/command.h"

#include "grader/course/course_check.h"
#include "reports/report.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    const char *course;
    bool json, remote;
    enum color_choice color;
};

enum { OPTION_JSON = 256, OPTION_REMOTE, OPTION_COLOR };

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "all of it as JSON", 0},
    {"remote", OPTION_REMOTE, NULL, 0,
     "also asks the repositories on other machines; without it only those of this one are looked "
     "at",
     0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static error_t parse_check(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    case OPTION_REMOTE:
        arguments->remote = true;
        return 0;
    case OPTION_COLOR:
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->course)
            argp_error(state, "one course at a time");
        arguments->course = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which course? COURSE.yaml says students and exercises");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *list_keys(void) {
    struct text out = {0};
    course_append_keys(&out);
    text_append(&out, "\nExit status: 0 it can be graded, perhaps with warnings; 1 a repository "
                      "cannot be read; 2 wrong usage, course or exercise; 3 this machine cannot "
                      "tell.");
    return text_steal(&out);
}

/* The table of keys is the parser's own. */
static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? list_keys() : (char *)(uintptr_t)text;
}

static const struct argp check_parser = {
    options,
    parse_check,
    "COURSE.yaml",
    "Reads a course without grading: shows exercises, deadlines and terms as they are understood, "
    "and "
    "names what is inconsistent: exercises that do not load, repositories of this machine that "
    "cannot be read, patterns without a case.\v-",
    NULL,
    filter_help,
    NULL};

static void print_findings(const struct course_check *check, enum color_choice choice) {
    bool color = command_color(choice, STDERR_FILENO);
    cleanup_text struct text out = {0};
    for (size_t i = 0; i < check->finding_count; i++)
        if (check->findings[i].status == STATUS_OK)
            report_warning_text(&check->findings[i].error, color, &out);
        else
            report_error_text(&check->findings[i].error, color, &out);
    fputs(text_string(&out), stderr);
}

static void print_course(const struct course_check *check, const struct arguments *arguments) {
    cleanup_text struct text out = {0};
    if (arguments->json)
        course_check_json(check, &out);
    else
        course_check_text(check, command_color(arguments->color, STDOUT_FILENO), &out);
    fputs(text_string(&out), stdout);
    fflush(stdout);
}

static int check_course(int argc, char **argv) {
    struct arguments arguments = {0};
    struct course *course;
    struct error error = {0};
    command_parse(&check_parser, argc, argv, &arguments);
    enum status status = course_load(arguments.course, &course, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    struct course_check check;
    course_check(course, arguments.remote, &check);
    print_course(&check, &arguments);
    if (!arguments.json)
        print_findings(&check, arguments.color);
    status = course_check_status(&check);
    course_check_free(&check);
    course_free(course);
    return (int)status;
}

static error_t parse_word(int key, char *value, struct argp_state *state) {
    if (key != ARGP_KEY_ARG && key != ARGP_KEY_NO_ARGS)
        return ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_ARG)
        argp_error(state, "there is no `course %.80s`; `course check COURSE.yaml` reads a course",
                   value);
    else
        argp_error(state, "what about the course? `course check COURSE.yaml` reads it");
    return 0;
}

int command_course(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "check") == 0) {
        cleanup_free char *program = mem_printf("%s %s", argv[0], argv[1]);
        argv[1] = program;
        return check_course(argc - 1, argv + 1);
    }
    static const struct argp parser = {
        .parser = parse_word,
        .args_doc = "check COURSE.yaml",
        .doc = "`warpgrade course check COURSE.yaml` reads a course without grading."};
    command_parse(&parser, argc, argv, NULL);
    return STATUS_OK;
}
