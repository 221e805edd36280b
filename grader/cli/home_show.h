/* The homes for people: below `list`, and as rows of `doctor`. */
#ifndef WARPGRADE_GRADER_CLI_HOME_SHOW_H
#define WARPGRADE_GRADER_CLI_HOME_SHOW_H

#include "grader/exercise/home_view.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

/* "a, b and 3 more"; escaped where it is printed. */
void home_show_ids(const struct id_list *ids, enum language language, struct text *out);

/* A line for each home of which something is hidden, and for exercises without a reference; nothing
 * where there is neither. Escaped for the terminal. */
void home_show_notes(const struct homes_view *view, enum language language, struct text *out);

#endif
