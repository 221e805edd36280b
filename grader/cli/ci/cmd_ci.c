/* `warpgrade ci`: grades what a repository changed, tells the CI system, and ends with the code
 * that decides the job. */
#include "grader/ci/ci.h"
#include "grader/cli/command.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ci_command {
    struct ci_options options;
    const char *output;
    struct report_output *reports; /* --report */
    size_t report_count, report_capacity;
    enum { ANNOTATE_AUTO, ANNOTATE_GITHUB, ANNOTATE_NONE } annotate;
    enum color_choice color;
    bool verbose;
    struct progress progress;
};

enum {
    OPTION_BASE = 256,
    OPTION_HEAD,
    OPTION_RULES,
    OPTION_ALL,
    OPTION_ENGINE,
    OPTION_SEED,
    OPTION_LANG,
    OPTION_ANNOTATE,
    OPTION_COLOR
};

static const struct argp_option options[] = {
    {"base", OPTION_BASE, "REF", 0,
     "what is compared with: a branch, a tag, an id, HEAD~1; default: what the CI system says, "
     "else "
     "the branch of `origin` that work goes to",
     0},
    {"head", OPTION_HEAD, "REF", 0, "what is graded; default: HEAD", 0},
    {"rules", OPTION_RULES, "FILE", 0,
     "the course's rules, instead of " CI_RULES_PATH
     " of the base: for branches that students push "
     "to",
     0},
    {"all", OPTION_ALL, NULL, 0, "grades also what has not changed", 0},
    {"output", 'o', "DIR", 0, "where the reports are written; default: warpgrade-ci", 0},
    {"report", 'r', "FORMAT=FILE", 0, "writes one more, as of `grade`; FILE - is standard output",
     0},
    {"annotate", OPTION_ANNOTATE, "WHAT", 0,
     "github: annotations on standard output, and the step's summary and output; none; auto "
     "(default): where GITHUB_ACTIONS is true",
     0},
    {"engine", OPTION_ENGINE, "sim|cuda|auto", 0, "as of `grade`", 0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {"lang", OPTION_LANG, "en|zh", 0, "language of titles and hints; default: the rules'", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {"verbose", 'v', NULL, 0, "passing cases in full", 0},
    {0}};

static void parse_annotate(struct argp_state *state, struct ci_command *command,
                           const char *value) {
    if (strcmp(value, "github") == 0)
        command->annotate = ANNOTATE_GITHUB;
    else if (strcmp(value, "none") == 0)
        command->annotate = ANNOTATE_NONE;
    else if (strcmp(value, "auto") == 0)
        command->annotate = ANNOTATE_AUTO;
    else
        argp_error(state, "--annotate takes github, none or auto, not \"%s\"", value);
}

static void parse_report(struct argp_state *state, struct ci_command *command, const char *value) {
    struct report_output output;
    if (report_output_parse(state, value, &output))
        *mem_push(&command->reports, &command->report_count, &command->report_capacity) = output;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct ci_command *command = state->input;
    struct grade_options *grade = &command->options.grade;
    switch (key) {
    case OPTION_BASE:
        command->options.base = value;
        return 0;
    case OPTION_HEAD:
        command->options.head = value;
        return 0;
    case OPTION_RULES:
        command->options.rules_file = value;
        return 0;
    case OPTION_ALL:
        command->options.all = true;
        return 0;
    case 'o':
        if (!*value)
            argp_error(state, "-o takes a folder");
        command->output = value;
        return 0;
    case 'r':
        parse_report(state, command, value);
        return 0;
    case OPTION_ANNOTATE:
        parse_annotate(state, command, value);
        return 0;
    case OPTION_ENGINE:
        if (!grade_engine_from_name(value, &grade->engine))
            argp_error(state, "--engine takes sim, cuda or auto, not \"%s\"", value);
        return 0;
    case OPTION_SEED:
        grade->seed = command_seed_option(state, value);
        grade->has_seed = true;
        return 0;
    case OPTION_LANG:
        grade->language = command_language_option(state, value);
        command->options.has_language = true;
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, value);
        return 0;
    case 'v':
        command->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (command->options.folder)
            argp_error(state, "one repository at a time");
        command->options.folder = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *list_keys(void) {
    struct text out = {0};
    text_append(&out, "Keys of " CI_RULES_PATH ":\n");
    ci_rules_append_keys(&out);
    text_append(&out,
                "\nExit status: 0 nothing is wrong; 1 a submission is below its pass mark, or a "
                "required one is missing; 2 wrong usage or rules; 3 this machine cannot grade, or "
                "the clone lacks what it is compared with.");
    return text_steal(&out);
}

static char *filter_help(int key, const char *text, void *input) {
    (void)input;
    return key == ARGP_KEY_HELP_POST_DOC ? list_keys() : (char *)(uintptr_t)text;
}

static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    options,
    parse_option,
    "[DIR]",
    "Grades what a repository has changed against a base, straight from its commits: nothing is "
    "checked out, and files that are not committed do not count. DIR is the repository's root.\v-",
    children,
    filter_help,
    NULL};

/* ---- telling --------------------------------------------------------------------------------- */

static const char *environment(const char *name) {
    return getenv(name);
}

static void begin_item(void *context, size_t index, size_t count, const char *path) {
    struct progress *progress = context;
    if (index == 0)
        progress_begin(progress, count, "files", "cases");
    progress_item(progress, index, path);
}

static enum status write_output(const struct ci_command *command,
                                const struct report_output *output,
                                const struct report *const *reports, size_t count,
                                struct error *error) {
    const struct report_looks looks = {.color = command->color, .verbose = command->verbose};
    return report_output_write(output, &looks, reports, count, error);
}

static enum status print_format(const struct ci_command *command, const char *format,
                                const struct report *const *reports, size_t count,
                                struct error *error) {
    const struct report_output output = {report_format_find(format), "-"};
    return write_output(command, &output, reports, count, error);
}

/* Those that --report asks for. */
static enum status write_outputs(const struct ci_command *command, const struct ci *ci,
                                 struct error *error) {
    size_t count;
    cleanup_free const struct report **reports = ci_reports(ci, &count);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < command->report_count && status == STATUS_OK; i++) {
        const char *path = command->reports[i].path;
        if (!file_is_standard_output(path))
            status = ci_check_output(ci, path, error);
        if (status == STATUS_OK)
            status = write_output(command, &command->reports[i], reports, count, error);
    }
    return status;
}

/* Text, and what else was found, would stand between the lines of such a report. */
static bool is_taken(const struct ci_command *command) {
    for (size_t i = 0; i < command->report_count; i++)
        if (file_is_standard_output(command->reports[i].path))
            return true;
    return false;
}

/* Those that were graded; of the others a line says all there is. */
static enum status print_reports(const struct ci_command *command, const struct ci *ci,
                                 struct error *error) {
    cleanup_free const struct report **reports = mem_calloc(ci->item_count + 1, sizeof *reports);
    size_t count = 0;
    for (size_t i = 0; i < ci->item_count; i++)
        if (ci->items[i].state == CI_GRADED && ci->items[i].report)
            reports[count++] = ci->items[i].report;
    return count ? print_format(command, "text", reports, count, error) : STATUS_OK;
}

static bool annotates(const struct ci_command *command) {
    const char *actions = getenv("GITHUB_ACTIONS");
    return command->annotate == ANNOTATE_GITHUB ||
           (command->annotate == ANNOTATE_AUTO && actions && strcmp(actions, "true") == 0);
}

static enum status tell_github(const struct ci_command *command, const struct ci *ci,
                               struct error *error) {
    const char *summary = getenv("GITHUB_STEP_SUMMARY"), *outputs = getenv("GITHUB_OUTPUT");
    size_t count;
    cleanup_free const struct report **reports = ci_reports(ci, &count);
    enum status status = STATUS_OK;
    if (count && !is_taken(command))
        status = print_format(command, "github", reports, count, error);
    if (status == STATUS_OK && summary && *summary)
        status = ci_append(ci, "markdown", summary, true, error);
    if (status == STATUS_OK && outputs && *outputs)
        status = ci_append(ci, "classroom", outputs, false, error);
    return status;
}

static void print_overview(const struct ci_command *command, const struct ci *ci) {
    cleanup_text struct text out = {0};
    text_append_char(&out, '\n');
    ci_text(ci, &out);
    text_append(&out, "reports in ");
    escape_terminal(&out, command->output, strlen(command->output), true);
    text_append_char(&out, '\n');
    fputs(text_string(&out), stdout);
}

static enum status tell(const struct ci_command *command, const struct ci *ci,
                        struct error *error) {
    bool taken = is_taken(command);
    enum status status = taken ? STATUS_OK : print_reports(command, ci, error);
    if (status == STATUS_OK)
        status = write_outputs(command, ci, error);
    if (status == STATUS_OK)
        status = ci_write(ci, command->output, error);
    if (status != STATUS_OK)
        return status;
    if (!taken)
        print_overview(command, ci);
    return annotates(command) ? tell_github(command, ci, error) : STATUS_OK;
}

int command_ci(int argc, char **argv) {
    struct ci_command command = {.output = "warpgrade-ci", .options.environment = environment};
    struct ci ci;
    struct error error = {0};
    command_parse(&parser, argc, argv, &command);
    if (!command.options.folder)
        command.options.folder = ".";
    command.options.grade.progress = progress_part;
    command.options.grade.progress_context = &command.progress;
    enum status status = ci_open(&command.options, &ci, &error);
    if (status == STATUS_OK)
        status = ci_grade(&ci, begin_item, &command.progress, &error);
    progress_clear(&command.progress);
    if (status == STATUS_OK)
        status = tell(&command, &ci, &error);
    int code = status == STATUS_OK ? (int)ci_status(&ci) : command_fail(status, &error);
    ci_close(&ci);
    free(command.reports);
    return code;
}
