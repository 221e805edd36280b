/* The subcommands of `warpgrade gradebook`, one file each, and what they share. */
#ifndef WARPGRADE_GRADER_CLI_GRADEBOOK_GRADEBOOK_CLI_H
#define WARPGRADE_GRADER_CLI_GRADEBOOK_GRADEBOOK_CLI_H

#include "grader/cli/command.h"
#include "grader/gradebook/gradebook.h"
#include "reports/terminal.h"

#include <argp.h>

int gradebook_show_command(int argc, char **argv);
int gradebook_why_command(int argc, char **argv);
int gradebook_history_command(int argc, char **argv);
int gradebook_override_command(int argc, char **argv);
int gradebook_export_command(int argc, char **argv);
int gradebook_verify_command(int argc, char **argv);

struct gradebook_arguments;

/* One of them: what stands in its help, its own options, and what it does with the open book.
 * `arguments` begins with a struct gradebook_arguments. STATUS_BELOW_MARK is an answer, not a
 * failure. */
struct gradebook_command {
    const char *words, *about;         /* after the command's name; what it does */
    const struct argp *shared;         /* one of those below */
    const struct argp_option *options; /* its own; NULL: none */
    error_t (*parse)(int key, char *value, struct argp_state *state); /* of these; or NULL */
    char *(*help)(int key, const char *text, void *input);            /* argp's help_filter */
    enum status (*work)(struct gradebook *book, void *arguments, struct error *error);
    bool writes; /* the others can do with a copy, where the book may not be written */
};
/* Parses, opens the book, works, closes, and says what failed; returns the exit code. */
int gradebook_cli_run(const struct gradebook_command *command, int argc, char **argv,
                      void *arguments);

/* What all of them take. */
struct gradebook_arguments {
    const struct gradebook_command *command;
    const char *book;
    const char *words[3]; /* what follows it */
    size_t word_count, wanted, least;
    const char *missing; /* said where there are fewer than `least`: "which STUDENT, ..." */
    const char *student, *exercise;
    bool json;
    enum color_choice color;
};
/* Child parsers, whose input is a struct gradebook_arguments: BOOK and the words after it; the same
 * with --json and --color; the same with --student and --exercise. */
extern const struct argp gradebook_words_argp, gradebook_argp, gradebook_filter_argp;

/* BOOK is a gradebook, or a COURSE.yaml that names one. */
bool gradebook_cli_is_course(const char *path);
/* "2026-03-01 14:05 UTC"; "-" for 0. */
struct gradebook_moment {
    char text[40];
};
struct gradebook_moment gradebook_moment(int64_t seconds);
/* Text that is escaped already goes to standard output. */
void gradebook_print(const struct text *out);
struct terminal gradebook_terminal(const struct gradebook_arguments *arguments, struct text *out);

#endif
