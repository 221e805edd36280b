/* `grade --watch`: a round of grading for each time the file is saved, drawn in place. */
#ifndef WARPGRADE_GRADER_CLI_WATCH_H
#define WARPGRADE_GRADER_CLI_WATCH_H

#include "sandbox/base/error.h"
#include "sandbox/base/language.h"

struct watch;

struct watch_work {
    /* Grades, without a word but what watch_begin_output() comes before. */
    void (*grade)(void *context, struct watch *watch);
    /* Prints what the last round has found, also again: for another width. */
    void (*print)(void *context);
    void *context;
    enum language language;
    bool color;
    bool whole; /* on a terminal, too, nothing that `print` says is cut to its rows */
};

/* Grades at once and after each change until q, Ctrl-C or the end of the terminal. On a terminal
 * the last report replaces the one before, cut to the rows that there are. STATUS_INVALID where the
 * folder of the file cannot be watched. */
enum status watch_file(const char *path, const struct watch_work *work, struct error *error);

/* Makes room for a round's output: the first call of a round clears the screen. */
void watch_begin_output(struct watch *watch);

#endif
