/* The subcommands of `warpgrade gradebook`, one file each, and what they share. */
#ifndef WARPGRADE_GRADER_CLI_GRADEBOOK_GRADEBOOK_CLI_H
#define WARPGRADE_GRADER_CLI_GRADEBOOK_GRADEBOOK_CLI_H

#include "grader/cli/command.h"
#include "grader/gradebook/gradebook.h"
#include "reports/terminal.h"

int gradebook_show_command(int argc, char **argv);
int gradebook_why_command(int argc, char **argv);
int gradebook_history_command(int argc, char **argv);
int gradebook_override_command(int argc, char **argv);
int gradebook_export_command(int argc, char **argv);
int gradebook_verify_command(int argc, char **argv);

/* What most of them take. */
struct gradebook_arguments {
    const char *book;
    const char *words[3]; /* what follows it */
    size_t word_count, wanted, least;
    const char *missing; /* said where there are fewer than `least`: "which STUDENT, ..." */
    const char *student, *exercise;
    bool json;
    enum color_choice color;
};
/* A child parser with --json and --color, and BOOK with the words after it; its input is a struct
 * gradebook_arguments. */
extern const struct argp gradebook_argp;
/* With --student and --exercise, too. */
extern const struct argp gradebook_filter_argp;

/* BOOK is a gradebook, or a COURSE.yaml that names one. */
enum status gradebook_cli_open(const char *path, struct gradebook **book, struct error *error);
/* "2026-03-01 14:05 UTC"; "-" for 0. */
struct gradebook_moment {
    char text[40];
};
struct gradebook_moment gradebook_moment(int64_t seconds);
/* Text that is escaped already goes to standard output. */
void gradebook_print(const struct text *out);
struct terminal gradebook_terminal(const struct gradebook_arguments *arguments, struct text *out);

#endif
