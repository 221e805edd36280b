/* What the subcommands share: the looks of standard error, and option values that are checked the
 * same way everywhere. A wrong value ends in argp_error(): the usage line and exit code 2. */
#include "grader/cli/command.h"

#include "grader/exercise/home.h"
#include "reports/escape.h"
#include "reports/report.h"
#include "reports/translate.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct {
    const struct command *commands;
    size_t count;
} lent;

void command_lend_table(const struct command *table, size_t count) {
    lent.commands = table;
    lent.count = count;
}

const struct command *command_table(size_t *count) {
    *count = lent.count;
    return lent.commands;
}

bool command_color(enum color_choice choice, int descriptor) {
    if (choice != COLOR_AUTO)
        return choice == COLOR_ALWAYS;
    const char *terminal = getenv("TERM");
    const char *refused = getenv("NO_COLOR"); /* no-color.org: an empty one says nothing */
    return isatty(descriptor) && !(refused && *refused) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

static bool read_terminal_size(struct winsize *size) {
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, size) == 0;
}

unsigned command_terminal_rows(void) {
    struct winsize size;
    if (!read_terminal_size(&size))
        return 0;
    return size.ws_row ? size.ws_row : 1; /* one that does not say is a small one */
}

unsigned command_terminal_columns(void) {
    struct winsize size;
    return read_terminal_size(&size) ? size.ws_col : 0;
}

unsigned command_terminal_width(void) {
    struct winsize size;
    if (!read_terminal_size(&size))
        return 0;
    return size.ws_col < 60 ? 60 : size.ws_col > 120 ? 120 : size.ws_col;
}

int command_fail(enum status status, const struct error *error) {
    struct error own = *error;
    return command_fail_in(LANGUAGE_EN, status, &own);
}

int command_fail_in(enum language language, enum status status, struct error *error) {
    cleanup_text struct text out = {0};
    translate_error(language, error);
    report_error_in(error, language, command_color(COLOR_AUTO, STDERR_FILENO), &out);
    fputs(text_string(&out), stderr);
    return (int)status;
}

enum { OPTION_UNSAFE = 0x6e6a, OPTION_JAIL, OPTION_HOME };

static ssize_t write_escaped(void *cookie, const char *buffer, size_t size) {
    cleanup_text struct text safe = {0};
    escape_terminal(&safe, buffer, size, false);
    fwrite(text_string(&safe), 1, safe.length, cookie);
    return (ssize_t)size;
}

static struct {
    command_watcher *watch;
    void *context;
} watcher;

void command_watch_options(command_watcher *watch, void *context) {
    watcher.watch = watch;
    watcher.context = context;
}

/* argp takes its error stream from stderr when it starts, getopt writes to stderr itself, and both
 * may exit, which flushes the stream. Its buffer holds every message whole. */
static void parse(const struct argp *parser, int argc, char **argv, unsigned flags, void *input) {
    if (watcher.watch)
        watcher.watch(parser, watcher.context);
    char buffer[256 << 10];
    const cookie_io_functions_t functions = {.write = write_escaped};
    FILE *plain = stderr;
    FILE *escaped = fopencookie(plain, "w", functions);
    if (!escaped || setvbuf(escaped, buffer, _IOFBF, sizeof buffer) != 0) {
        fputs("warpgrade: no memory for a stream\n", plain);
        exit(STATUS_ENVIRONMENT);
    }
    argp_err_exit_status = STATUS_INVALID;
    stderr = escaped;
    argp_parse(parser, argc, argv, flags, NULL, input);
    stderr = plain;
    fclose(escaped);
    if (jail_is_unsafe())
        fputs(
            "warning: --unsafe-no-jail: a submission's code runs as you, with your files and your "
            "network; every report says so\n",
            stderr);
}

void command_parse(const struct argp *parser, int argc, char **argv, void *input) {
    parse(parser, argc, argv, 0, input);
}

void command_parse_in_order(const struct argp *parser, int argc, char **argv, void *input) {
    parse(parser, argc, argv, ARGP_IN_ORDER, input);
}

static size_t index_of(const char *const *names, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static void refuse_both(struct argp_state *state) {
    if (jail_is_unsafe() && jail_asked() != JAIL_AUTO)
        argp_error(state, "--jail asks for a jail and --unsafe-no-jail for none: leave one out");
}

static error_t parse_jail_option(int key, char *argument, struct argp_state *state) {
    static const char *const names[] = {
        [JAIL_AUTO] = "auto", [JAIL_NAMESPACES] = "namespaces", [JAIL_LANDLOCK] = "landlock"};
    if (key != OPTION_UNSAFE && key != OPTION_JAIL)
        return ARGP_ERR_UNKNOWN;
    if (key == OPTION_UNSAFE) {
        jail_set_unsafe(true);
        refuse_both(state);
        return 0;
    }
    size_t kind = index_of(names, ARRAY_LENGTH(names), argument);
    if (kind == ARRAY_LENGTH(names))
        argp_error(state, "--jail takes auto, namespaces or landlock, not \"%s\"", argument);
    else
        jail_set_kind((enum jail_kind)kind);
    refuse_both(state);
    return 0;
}

#define JAIL_OPTION                                                                                \
    {                                                                                              \
        "jail", OPTION_JAIL, "KIND", 0,                                                            \
            "auto (default): the full jail, and where this machine has no user namespaces the "    \
            "one with "                                                                            \
            "Landlock; namespaces or landlock: that one or none",                                  \
            0                                                                                      \
    }

static const struct argp_option jail_options[] = {
    JAIL_OPTION,
    {"unsafe-no-jail", OPTION_UNSAFE, NULL, 0,
     "goes on without a jail, for code that you trust: it can read, change and delete what you "
     "can; `warpgrade doctor` says what a jail needs",
     0},
    {0}};
static const struct argp_option kind_options[] = {JAIL_OPTION, {0}};

const struct argp command_jail_argp = {jail_options, parse_jail_option, NULL, NULL, NULL, NULL,
                                       NULL};
const struct argp command_jail_kind_argp = {kind_options, parse_jail_option, NULL, NULL, NULL, NULL,
                                            NULL};

static error_t parse_home_option(int key, char *argument, struct argp_state *state) {
    if (key != OPTION_HOME)
        return ARGP_ERR_UNKNOWN;
    if (!*argument)
        argp_error(state, "--home takes a folder that holds exercises/");
    homes_add(argument);
    return 0;
}

static const struct argp_option home_options[] = {
    {"home", OPTION_HOME, "DIR", 0,
     "a folder with exercises/ and reference/, before all others; WARPGRADE_HOME names several, "
     "with colons",
     0},
    {0}};

const struct argp command_home_argp = {home_options, parse_home_option, NULL, NULL, NULL, NULL,
                                       NULL};
const struct argp_child command_home_children[] = {COMMAND_HOME_CHILD, {0}};

enum color_choice command_color_option(struct argp_state *state, const char *text) {
    static const char *const names[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
    size_t choice = index_of(names, ARRAY_LENGTH(names), text);
    if (choice == ARRAY_LENGTH(names)) {
        argp_error(state, "--color takes auto, always or never, not \"%s\"", text);
        return COLOR_AUTO;
    }
    return (enum color_choice)choice;
}

enum language command_language_option(struct argp_state *state, const char *text) {
    static const char *const names[] = {[LANGUAGE_EN] = "en", [LANGUAGE_ZH] = "zh"};
    size_t language = index_of(names, ARRAY_LENGTH(names), text);
    if (language == ARRAY_LENGTH(names)) {
        argp_error(state, "--lang takes en or zh, not \"%s\"", text);
        return LANGUAGE_EN;
    }
    return (enum language)language;
}

uint64_t command_number_option(struct argp_state *state, const char *option, const char *text,
                               uint64_t low, uint64_t high) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    /* strtoull skips blanks and takes "-1" for the largest number. */
    if (errno || *text < '0' || *text > '9' || *end || value < low || value > high)
        argp_error(state, "%s takes a whole number from %llu to %llu, not \"%s\"", option,
                   (unsigned long long)low, (unsigned long long)high, text);
    return value;
}

uint64_t command_seed_option(struct argp_state *state, const char *text) {
    /* Signed range: JSON readers and databases keep a seed as a signed 64-bit integer. */
    return command_number_option(state, "--seed", text, 0, INT64_MAX);
}

double command_seconds_option(struct argp_state *state, const char *option, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value <= 0 || value > COMMAND_MAX_SECONDS)
        argp_error(state, "%s takes seconds, more than 0 and at most %d, not \"%s\"", option,
                   COMMAND_MAX_SECONDS, text);
    return value;
}
