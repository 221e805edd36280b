/* What the commands' own option tables say, as data: what man pages and completions are made from,
 * so that they cannot say anything else than `--help`.
 *
 * [{"name": "grade", "arguments": "[FILE|DIR ...]", "summary": "grade submissions",
 *   "about": "...", "after": "Exit status: ...", "parent": null,
 *   "options": [{"long": "exercise", "short": "e", "value": "ID", "optional": false,
 *                "about": "..."} or {"heading": "Trust:"}]}, ...] */
#ifndef WARPGRADE_GRADER_CLI_INSTALL_OPTION_TABLE_H
#define WARPGRADE_GRADER_CLI_INSTALL_OPTION_TABLE_H

#include "sandbox/base/error.h"

#include <jansson.h>

/* Of every listed command and of its subcommands, each after its parent. Each is started in a
 * process of its own, up to where it would read its arguments. The caller's to json_decref(). */
enum status option_table_read(json_t **commands, struct error *error);

/* A member of a command or option that is text, "" where it has none. */
const char *option_table_text(const json_t *object, const char *key);

#endif
