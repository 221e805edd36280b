/* `warpgrade report FORMAT REPORT.json ...`: what `grade --report json=FILE` has kept, in any other
 * format, without grading again. Several files make one report of all their submissions. */
#include "grader/cli/command.h"
#include "grader/cli/report_output.h"
#include "reports/stored/stored.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NARROWEST = 60, WIDEST = 240, READ_BYTES = 64 << 10 };

struct arguments {
    struct report_output output;
    struct report_looks looks;
    char **files;
    size_t file_count;
};

enum { OPTION_COLOR = 256, OPTION_WIDTH };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "where it is written; default: standard output", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {"width", OPTION_WIDTH, "COLUMNS", 0, "of text; default: the terminal's", 0},
    {"verbose", 'v', NULL, 0, "passing cases in full, with counters", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output.path = value;
        return 0;
    case OPTION_COLOR:
        arguments->looks.color = command_color_option(state, value);
        return 0;
    case OPTION_WIDTH:
        arguments->looks.width =
            (unsigned)command_number_option(state, "--width", value, NARROWEST, WIDEST);
        return 0;
    case 'v':
        arguments->looks.verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return ARGP_ERR_UNKNOWN; /* the rest comes as ARGP_KEY_ARGS */
        arguments->output.format = report_output_format(state, value);
        return 0;
    case ARGP_KEY_ARGS:
        arguments->files = state->argv + state->next;
        arguments->file_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->output.format)
            argp_error(state, "which FORMAT? --help lists them");
        if (!arguments->file_count)
            argp_error(state, "which REPORT.json? `warpgrade grade --report json=FILE` writes one");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status read_standard_input(char **data, size_t *length, struct error *error) {
    cleanup_text struct text text = {0};
    char buffer[READ_BYTES];
    for (;;) {
        ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_set(error, STATUS_INVALID, "cannot read standard input: %s",
                             strerror(errno));
        if (got == 0)
            break;
        text_append_bytes(&text, buffer, (size_t)got);
        if (text.length > STORED_MAX_BYTES)
            return error_set(error, STATUS_INVALID, "standard input has more than %d bytes",
                             STORED_MAX_BYTES);
    }
    *length = text.length;
    *data = text_steal(&text);
    return STATUS_OK;
}

static enum status read_stored(const char *path, struct stored_reports *stored,
                               struct error *error) {
    cleanup_free char *data = NULL;
    size_t length;
    bool is_input = strcmp(path, "-") == 0;
    enum status status = is_input ? read_standard_input(&data, &length, error)
                                  : file_read(path, STORED_MAX_BYTES, &data, &length, error);
    if (status != STATUS_OK)
        return status;
    return stored_read(data, length, is_input ? "standard input" : path, stored, error);
}

/* The words after `bundle` are another command's. */
static int bundle(int argc, char **argv) {
    cleanup_free char *program = mem_printf("%s %s", argv[0], argv[1]);
    argv[1] = program;
    return command_bundle(argc - 1, argv + 1);
}

int command_report(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "bundle") == 0)
        return bundle(argc, argv);
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "FORMAT REPORT.json ...\nbundle gradescope -e EXERCISE",
        .doc =
            "Writes what `warpgrade grade --report json=FILE` has stored in another format, of "
            "all files together; - is standard input. The times that grading took are stored only "
            "with `grade --times`: without them durations are 0, in JUnit for instance, where "
            "`grade --report junit=FILE` has real ones. `bundle gradescope` writes an "
            "autograder instead.\v"
            "Exit status: 0 written, 2 usage or a file that is no such report, 3 it could not "
            "be written.",
        .help_filter = report_output_help};
    struct arguments arguments = {.output.path = "-", .looks.times = true};
    struct stored_reports stored = {0};
    struct error error = {0};
    enum status status = STATUS_OK;
    command_parse(&parser, argc, argv, &arguments);
    for (size_t i = 0; i < arguments.file_count && status == STATUS_OK; i++)
        status = read_stored(arguments.files[i], &stored, &error);
    if (status == STATUS_OK)
        status =
            report_output_write(&arguments.output, &arguments.looks,
                                (const struct report *const *)stored.reports, stored.count, &error);
    stored_free(&stored);
    return status == STATUS_OK ? STATUS_OK : command_fail(status, &error);
}
