/* Text made to fit the rows of a terminal. */
#ifndef WARPGRADE_GRADER_CLI_SCREEN_H
#define WARPGRADE_GRADER_CLI_SCREEN_H

#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

/* Rows that `line` takes, up to its end or a newline, where lines are wrapped at `columns`. */
size_t screen_rows(const char *line, unsigned columns);

/* Appends the lines of `text` that fit into `rows`. Where some do not, the last row counts them. */
void screen_cut(const char *text, unsigned rows, unsigned columns, enum language language,
                struct text *out);

#endif
