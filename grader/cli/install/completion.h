/* Completions of shells from the option tables (option_table.h): pure functions. */
#ifndef WARPGRADE_GRADER_CLI_INSTALL_COMPLETION_H
#define WARPGRADE_GRADER_CLI_INSTALL_COMPLETION_H

#include "sandbox/base/text.h"

#include <jansson.h>

/* NULL for another shell than bash, zsh and fish. */
typedef void completion_writer(const json_t *commands, struct text *out);
completion_writer *completion_writer_find(const char *shell);

#endif
