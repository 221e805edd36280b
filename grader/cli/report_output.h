/* A report's way out, of every command that writes one: its format by name, a file or standard
 * output, and the looks that suit that. */
#ifndef WARPGRADE_GRADER_CLI_REPORT_OUTPUT_H
#define WARPGRADE_GRADER_CLI_REPORT_OUTPUT_H

#include "grader/cli/command.h"
#include "reports/report.h"

struct report_output {
    const struct report_format *format;
    const char *path; /* "-", /dev/stdout: standard output */
};

struct report_looks {
    enum color_choice color; /* auto: where it goes to a terminal */
    bool verbose;
    bool timing;    /* of the grading, in text */
    bool times;     /* of the grading, in JSON */
    unsigned width; /* columns; 0: the terminal's, where it goes to one */
};

/* The format of that name; where there is none, argp_error() with those that there are. */
const struct report_format *report_output_format(struct argp_state *state, const char *name);
/* The value of --report, FORMAT=FILE; a wrong one ends in argp_error(). */
bool report_output_parse(struct argp_state *state, const char *text, struct report_output *output);
/* An argp help filter: the formats, one line each, before the last part of a help text. */
char *report_output_help(int key, const char *text, void *input);
enum status report_output_write(const struct report_output *output,
                                const struct report_looks *looks,
                                const struct report *const *reports, size_t count,
                                struct error *error);

#endif
