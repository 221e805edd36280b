/* `warpgrade batch`: fetches and grades every repository of a course.
 *
 * Progress goes to standard error when that is a terminal, the summary to standard output. A broken
 * repository never ends the run; it is named in the summary and shows in the exit code. */
#include "grader/cli/command.h"
#include "grader/cli/progress.h"

#include "grader/batch/batch.h"
#include "grader/batch/batch_summary.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_JOBS = 64 };

struct batch_command {
    struct batch_options options;
    const char **only;
    size_t only_count, only_capacity;
    enum color_choice color;
};

enum { OPTION_ONLY = 256, OPTION_SEED, OPTION_COLOR };

static const struct argp_option options[] = {
    {"only", OPTION_ONLY, "STUDENT", 0, "grades only this student; may be given several times", 0},
    {"output", 'o', "DIR", 0, "where reports and grades.csv go; default: as the course says", 0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: the course's, else a secret one", 0},
    {"jobs", 'j', "N", 0, "cases run at the same time; default: as many as there are CPUs", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct batch_command *command = state->input;
    switch (key) {
    case OPTION_ONLY:
        *mem_push(&command->only, &command->only_count, &command->only_capacity) = argument;
        return 0;
    case 'o':
        if (!*argument)
            argp_error(state, "--output takes a folder");
        command->options.output = argument;
        return 0;
    case OPTION_SEED:
        command->options.seed = command_number_option(state, "--seed", argument, 0, INT64_MAX);
        command->options.has_seed = true;
        return 0;
    case 'j':
        command->options.jobs =
            (unsigned)command_number_option(state, "--jobs", argument, 1, MAX_JOBS);
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        if (command->options.course)
            argp_error(state, "one course at a time");
        command->options.course = argument;
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
    text_append(&out,
                "\nA repository is a path, file://, https:// or ssh://. Its files are read from "
                "git's objects; nothing is checked out. Results: OUTPUT/STUDENT/EXERCISE.txt and "
                ".json, OUTPUT/grades.csv, OUTPUT/junit.xml and every attempt in the gradebook.\n\n"
                "Exit status: 0 every submission was read and graded, whatever its score; 1 some "
                "repositories could not be read, the rest is graded; 2 wrong usage, course or "
                "exercise; 3 this machine cannot grade.");
    return text_steal(&out);
}

/* The table of keys is the parser's own. */
static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? list_keys() : (char *)(uintptr_t)text;
}

static const struct argp_child children[] = {COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    options,
    parse_option,
    "COURSE.yaml",
    "Fetches and grades every repository of a course. A repository that cannot be read is named "
    "in the summary and in grades.csv; the others are graded.\v-",
    children,
    filter_help,
    NULL};

static void show_progress(void *context, const struct batch *batch, size_t student, size_t done,
                          size_t total) {
    struct progress *progress = context;
    cleanup_text struct text line = {0};
    progress->total = total;
    progress_clear(progress);
    batch_progress_line(batch, student, done, total, &line);
    if (progress->terminal)
        fputs(text_string(&line), stderr);
    progress_item(progress, done, NULL);
}

static void print_summary(const struct batch_command *command, const struct batch *batch) {
    struct text summary = {0};
    batch_summary(batch, command_color(command->color, STDOUT_FILENO), &summary);
    fputs(text_string(&summary), stdout);
    text_free(&summary);
}

int command_batch(int argc, char **argv) {
    struct batch_command command = {0};
    struct error error = {0};
    command_parse(&parser, argc, argv, &command);
    command.options.only = command.only;
    command.options.only_count = command.only_count;
    struct batch *batch = NULL;
    enum status status = batch_open(&command.options, &batch, &error);
    if (status == STATUS_OK) {
        struct progress progress;
        progress_begin(&progress, 0, "students", "");
        status = batch_run(batch, show_progress, &progress, &error);
        progress_clear(&progress);
        print_summary(&command, batch);
    }
    int code = status == STATUS_OK ? (int)batch_status(batch) : command_fail(status, &error);
    batch_close(batch);
    free(command.only);
    return code;
}
