/* What the commands about a student's own record share. */
#ifndef WARPGRADE_GRADER_CLI_LEARN_CLI_H
#define WARPGRADE_GRADER_CLI_LEARN_CLI_H

#include "grader/cli/command.h"
#include "grader/learn/standing.h"
#include "sandbox/base/text.h"

/* All exercises, all tracks, and how far the student is. */
struct learn_overview {
    char **ids;
    size_t id_count;
    struct tracks tracks;
    struct learn_standings standings;
};
/* To be freed in any case. */
enum status learn_overview_load(struct learn_overview *overview, struct error *error);
void learn_overview_free(struct learn_overview *overview);

/* "✓", "•" or " " in its colour: passed, begun, neither. */
void learn_append_mark(const struct learn_standing *standing, bool color, struct text *out);
/* A path as a shell takes it: quoted where it holds more than plain characters. */
void learn_append_word(struct text *out, const char *word);
/* Prints what is escaped already. */
void learn_print(const struct text *out);

/* Adds a graded submission to the record, and appends what has changed since the attempt before, a
 * line with its label; nothing where there was none, or no record is kept. */
void learn_note_report(const struct report *report, bool color, struct text *out);

#endif
