/* Manual pages from the option tables (option_table.h): pure functions. */
#ifndef WARPGRADE_GRADER_CLI_INSTALL_MAN_PAGE_H
#define WARPGRADE_GRADER_CLI_INSTALL_MAN_PAGE_H

#include "sandbox/base/text.h"

#include <jansson.h>

/* warpgrade.1: the commands, exit codes, environment and files. */
void man_page_program(const json_t *commands, struct text *out);
/* warpgrade-NAME.1 of commands[index] and its subcommands. */
void man_page_command(const json_t *commands, size_t index, struct text *out);

#endif
