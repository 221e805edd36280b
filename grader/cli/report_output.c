/* See report_output.h. What is written comes from the writers in reports/, which escape it. */
#include "grader/cli/report_output.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct report_format *report_output_format(struct argp_state *state, const char *name) {
    const struct report_format *format = report_format_find(name);
    if (format)
        return format;
    cleanup_text struct text known = {0};
    cleanup_free const char **names = mem_calloc(report_format_count, sizeof *names);
    for (size_t i = 0; i < report_format_count; i++) {
        names[i] = report_formats[i].name;
        text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    }
    const char *closest = text_closest(name, names, report_format_count);
    argp_error(state, "there is no report format \"%s\"%s%s%s there are %s", name,
               closest ? "; did you mean " : "", closest ? closest : "", closest ? "?" : ";",
               text_string(&known));
    return NULL;
}

bool report_output_parse(struct argp_state *state, const char *text, struct report_output *output) {
    const char *equals = strchr(text, '=');
    if (!equals || !equals[1]) {
        argp_error(state, "--report takes FORMAT=FILE, not \"%s\"", text);
        return false;
    }
    cleanup_free char *name = mem_strndup(text, (size_t)(equals - text));
    *output = (struct report_output){report_output_format(state, name), equals + 1};
    return output->format != NULL;
}

char *report_output_help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text; /* argp's own */
    struct text help = {0};
    text_append(&help, "Formats:\n");
    for (size_t i = 0; i < report_format_count; i++)
        text_printf(&help, "  %-10s  %s\n", report_formats[i].name, report_formats[i].summary);
    text_append(&help, text);
    return text_steal(&help);
}

enum status report_output_write(const struct report_output *output,
                                const struct report_looks *looks,
                                const struct report *const *reports, size_t count,
                                struct error *error) {
    bool to_stdout = file_is_standard_output(output->path);
    struct report_options options = {.verbose = looks->verbose,
                                     .timing = looks->timing,
                                     .times = looks->times,
                                     .width = looks->width};
    options.color =
        to_stdout ? command_color(looks->color, STDOUT_FILENO) : looks->color == COLOR_ALWAYS;
    if (to_stdout && !options.width)
        options.width = command_terminal_width();
    options.rows = to_stdout ? command_terminal_rows() : 0;
    cleanup_text struct text text = {0};
    enum status status = output->format->write(reports, count, &options, &text, error);
    if (status != STATUS_OK)
        return status;
    if (!to_stdout)
        return file_write(output->path, text_string(&text), text.length, error);
    if (fwrite(text_string(&text), 1, text.length, stdout) != text.length)
        return error_set(error, STATUS_ENVIRONMENT, "standard output cannot be written: %s",
                         strerror(errno));
    return STATUS_OK;
}
