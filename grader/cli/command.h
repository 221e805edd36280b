/* The subcommands: one file each, one row each in command.def, argp inside. */
#ifndef WARPGRADE_GRADER_CLI_COMMAND_H
#define WARPGRADE_GRADER_CLI_COMMAND_H

#include "grader/exercise/exercise.h"
#include "sandbox/base/error.h"

#include <argp.h>

struct command {
    const char *name;
    const char *arguments; /* "[-e EXERCISE] FILE|DIR ..." */
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is "warpgrade NAME"; returns the exit code */
};

#define COMMAND(name, function, arguments, summary) int function(int argc, char **argv);
#include "grader/cli/command.def"
#undef COMMAND

/* The table of command.def is main()'s; it lends it to the commands that describe all of them. */
void command_lend_table(const struct command *table, size_t count);
const struct command *command_table(size_t *count);

/* `warpgrade report bundle`, a part of report: cmd_report.c hands over to it. */
int command_bundle(int argc, char **argv);

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
/* auto: the stream is a terminal, NO_COLOR is unset or empty and TERM is not dumb. */
bool command_color(enum color_choice choice, int descriptor);
/* The columns of standard output between 60 and 120; 0 where it is no terminal. */
unsigned command_terminal_width(void);
/* All of them; 0 where it is no terminal or does not say. */
unsigned command_terminal_columns(void);
/* Its rows, at least 1; 0 where it is no terminal. */
unsigned command_terminal_rows(void);
/* Prints the error to standard error in the house's form and returns the exit code. */
int command_fail(enum status status, const struct error *error);
/* The same in the reader's language, as far as reports/translate.def knows the error; *error is
 * translated. */
int command_fail_in(enum language language, enum status status, struct error *error);

/* argp_parse() into `input`. What argp and getopt say about a wrong command line quotes it, and
 * file names in it may be a student's: it reaches standard error escaped. */
void command_parse(const struct argp *parser, int argc, char **argv, void *input);
/* The same for a command line of which a part is another program's: options end at the first
 * argument that is none. */
void command_parse_in_order(const struct argp *parser, int argc, char **argv, void *input);
/* From now on command_parse() gives its parser to `watch`, which does not return. */
typedef void command_watcher(const struct argp *parser, void *context);
void command_watch_options(command_watcher *watch, void *context);

/* A child parser with --jail and --unsafe-no-jail, of every command that runs a submission's code.
 */
extern const struct argp command_jail_argp;
#define COMMAND_JAIL_CHILD                                                                         \
    { &command_jail_argp, 0, "Trust:", 9 }

/* The same without --unsafe-no-jail, of `doctor`. */
extern const struct argp command_jail_kind_argp;

/* A child parser with --home, of every command that finds exercises; the children of a command that
 * has no others. */
extern const struct argp command_home_argp;
#define COMMAND_HOME_CHILD                                                                         \
    { &command_home_argp, 0, NULL, 0 }
extern const struct argp_child command_home_children[];

/* Values of options, for a parser of argp: a wrong one ends in argp_error(), that is in the usage
 * line and exit code 2. */
enum { COMMAND_MAX_SECONDS = 86400 };
enum color_choice command_color_option(struct argp_state *state, const char *text);
enum language command_language_option(struct argp_state *state, const char *text); /* en, zh */
uint64_t command_number_option(struct argp_state *state, const char *option, const char *text,
                               uint64_t low, uint64_t high);
uint64_t command_seed_option(struct argp_state *state, const char *text); /* of --seed */
double command_seconds_option(struct argp_state *state, const char *option, const char *text);

#endif
