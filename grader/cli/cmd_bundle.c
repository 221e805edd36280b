/* `warpgrade report bundle SYSTEM -e EXERCISE`: what another system needs to grade by itself. */
#include "grader/bundle/gradescope.h"
#include "grader/cli/command.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

struct arguments {
    const char *system;
    const char *exercise;
    const char *output;
    enum language language;
};

enum { OPTION_LANG = 256 };

static const struct argp_option options[] = {
    {"exercise", 'e', "EXERCISE", 0, "the exercise that is graded", 0},
    {"output", 'o', "FILE.zip", 0, "where it is written; default: EXERCISE-gradescope.zip", 0},
    {"lang", OPTION_LANG, "en|zh", 0, "language of titles and hints", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'e':
        arguments->exercise = value;
        return 0;
    case 'o':
        arguments->output = value;
        return 0;
    case OPTION_LANG:
        arguments->language = command_language_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->system || strcmp(value, "gradescope") != 0)
            argp_error(state, "there is no bundle for \"%s\"; there is gradescope", value);
        arguments->system = value;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->system)
            argp_error(state, "for which system? There is gradescope");
        if (!arguments->exercise)
            argp_error(state, "which exercise? -e EXERCISE; `warpgrade list` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};

static void say_next(const char *path, const struct gradescope_bundle *bundle) {
    cleanup_text struct text out = {0}, safe = {0};
    text_printf(
        &out,
        "wrote %s: %zu files, %.1f MB unpacked\n\n"
        "  In Gradescope: Configure Autograder, upload it, base image Ubuntu 24.04. Building\n"
        "  takes some minutes. Then \"Test Autograder\" with a submission of your own: its\n"
        "  result says whether the container lets warpgrade make its jail.\n",
        path, bundle->files, (double)bundle->bytes / 1e6);
    if (jail_is_unsafe())
        text_append(&out, "  It grades without a jail: a submission that breaks out of the "
                          "simulated GPU\n  can write its own score.\n");
    escape_terminal(&safe, text_string(&out), out.length, false);
    fputs(text_string(&safe), stdout);
}

int command_bundle(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "gradescope",
        .doc = "Writes an autograder for Gradescope: a zip file with setup.sh, run_autograder, the "
               "exercise and the sources of warpgrade, which setup.sh builds.",
        .children = children};
    struct arguments arguments = {0};
    struct exercise *exercise;
    struct gradescope_bundle bundle;
    struct error error = {0};
    command_parse(&parser, argc, argv, &arguments);
    enum status status = exercise_find(arguments.exercise, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    cleanup_free char *path = arguments.output ? mem_strdup(arguments.output)
                                               : mem_printf("%s-gradescope.zip", exercise->id);
    const struct gradescope_options look = {.language = arguments.language,
                                            .unsafe = jail_is_unsafe()};
    status = gradescope_write(exercise->id, &look, path, &bundle, &error);
    exercise_free(exercise);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    say_next(path, &bundle);
    return STATUS_OK;
}
