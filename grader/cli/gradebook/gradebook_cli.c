/* What the subcommands of `warpgrade gradebook` share: their arguments, the book, times. */
#include "grader/cli/gradebook/gradebook_cli.h"

#include "grader/course/course.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPTION_JSON = 0x6b01, OPTION_COLOR, OPTION_STUDENT, OPTION_EXERCISE };

static void add_word(struct gradebook_arguments *arguments, const char *word,
                     struct argp_state *state) {
    if (!arguments->book)
        arguments->book = word;
    else if (arguments->word_count < arguments->wanted)
        arguments->words[arguments->word_count++] = word;
    else
        argp_error(state, "\"%s\" is one word too many", word);
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct gradebook_arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    case OPTION_COLOR:
        arguments->color = command_color_option(state, value);
        return 0;
    case OPTION_STUDENT:
        arguments->student = value;
        return 0;
    case OPTION_EXERCISE:
        arguments->exercise = value;
        return 0;
    case ARGP_KEY_ARG:
        add_word(arguments, value, state);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->book)
            argp_error(state, "which BOOK? A gradebook, or the COURSE.yaml that names it");
        if (arguments->word_count < arguments->least)
            argp_error(state, "%s", arguments->missing);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define SHARED                                                                                     \
    {"json", OPTION_JSON, NULL, 0, "for programs", 8}, {                                           \
        "color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 8                               \
    }

const struct argp gradebook_words_argp = {NULL, parse_option, NULL, NULL, NULL, NULL, NULL};

static const struct argp_option options[] = {SHARED, {0}};
const struct argp gradebook_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

static const struct argp_option filter_options[] = {
    {"student", OPTION_STUDENT, "ID", 0, "only this student", 1},
    {"exercise", OPTION_EXERCISE, "ID", 0, "only this exercise", 1},
    SHARED,
    {0}};
const struct argp gradebook_filter_argp = {filter_options, parse_option, NULL, NULL,
                                           NULL,           NULL,         NULL};

/* ---- the book ----------------------------------------------------------------------------- */

static bool is_database(const char *path) {
    static const char magic[] = "SQLite format 3";
    char bytes[sizeof magic] = {0};
    cleanup_fd int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return descriptor >= 0 && read(descriptor, bytes, sizeof bytes) == sizeof bytes &&
           memcmp(bytes, magic, sizeof magic) == 0;
}

bool gradebook_cli_is_course(const char *path) {
    const char *ending = strrchr(path, '.');
    return ending && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0) &&
           !is_database(path);
}

static enum status open_book(const char *path, bool writes, struct gradebook **book,
                             struct error *error) {
    enum status (*open_it)(const char *path, struct gradebook **book, struct error *error) =
        writes ? gradebook_open_existing : gradebook_open_to_read;
    if (!gradebook_cli_is_course(path))
        return open_it(path, book, error);
    struct course *course;
    enum status status = course_load(path, &course, error);
    if (status != STATUS_OK)
        return status;
    status = open_it(course->gradebook, book, error);
    course_free(course);
    if (status != STATUS_OK && !error->hint[0])
        error_hint(error, "`warpgrade batch COURSE.yaml` makes the gradebook");
    return status;
}

/* ---- a subcommand ------------------------------------------------------------------------- */

static error_t parse_own(int key, char *value, struct argp_state *state) {
    const struct gradebook_arguments *arguments = state->input;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    return arguments->command->parse ? arguments->command->parse(key, value, state)
                                     : ARGP_ERR_UNKNOWN;
}

int gradebook_cli_run(const struct gradebook_command *command, int argc, char **argv,
                      void *arguments) {
    const struct argp_child children[] = {{command->shared, 0, NULL, 0}, {0}};
    const struct argp parser = {
        command->options, parse_own, command->words, command->about, children, command->help, NULL};
    struct gradebook_arguments *shared = arguments;
    struct gradebook *book = NULL;
    struct error error = {0};
    shared->command = command;
    command_parse(&parser, argc, argv, arguments);
    enum status status = open_book(shared->book, command->writes, &book, &error);
    if (status == STATUS_OK)
        status = command->work(book, arguments, &error);
    gradebook_close(book);
    return status == STATUS_OK || status == STATUS_BELOW_MARK ? (int)status
                                                              : command_fail(status, &error);
}

/* ---- text --------------------------------------------------------------------------------- */

struct gradebook_moment gradebook_moment(int64_t seconds) {
    struct gradebook_moment moment = {"-"};
    struct tm parts;
    time_t when = (time_t)seconds;
    if (seconds == 0 || !gmtime_r(&when, &parts) ||
        strftime(moment.text, sizeof moment.text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(moment.text, sizeof moment.text, "-");
    return moment;
}

void gradebook_print(const struct text *out) {
    fwrite(text_string(out), 1, out->length, stdout);
}

struct terminal gradebook_terminal(const struct gradebook_arguments *arguments, struct text *out) {
    unsigned width = command_terminal_width();
    return (struct terminal){.out = out,
                             .color = command_color(arguments->color, STDOUT_FILENO),
                             .width = width ? width : TERMINAL_WIDTH};
}
