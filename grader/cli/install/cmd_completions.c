/* `warpgrade completions SHELL`: what an installation puts where shells look, and what
 * `source <(warpgrade completions bash)` needs no installation for. With `ids` it prints the ids
 * of exercises for those completions: no exercise is read, so that a key press need not wait. */
#include "grader/cli/command.h"
#include "grader/cli/install/completion.h"
#include "grader/cli/install/option_table.h"
#include "grader/exercise/home.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static error_t parse_option(int key, char *value, struct argp_state *state) {
    const char **shell = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*shell)
            argp_error(state, "one shell at a time");
        if (!completion_writer_find(value) && strcmp(value, "ids") != 0)
            argp_error(state, "there are completions for bash, zsh and fish, not for \"%s\"",
                       value);
        *shell = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "for which shell? bash, zsh or fish");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int print_ids(void) {
    char **ids;
    size_t count;
    struct error error = {0};
    enum status status = exercise_ids(&ids, &count, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    for (size_t i = 0; i < count; i++) {
        if (exercise_is_id(ids[i], strlen(ids[i])))
            puts(ids[i]);
        free(ids[i]);
    }
    free(ids);
    return STATUS_OK;
}

int command_completions(int argc, char **argv) {
    static const struct argp parser = {
        .parser = parse_option,
        .args_doc = "bash|zsh|fish",
        .doc = "Prints what a shell needs to complete commands, options and the ids of exercises: "
               "`source <(warpgrade completions bash)`, for zsh likewise, `warpgrade completions "
               "fish | source`. An installed warpgrade has them where shells look.",
        .children = command_home_children};
    const char *shell = NULL;
    command_parse(&parser, argc, argv, &shell);
    if (strcmp(shell, "ids") == 0)
        return print_ids();
    json_t *commands;
    struct error error = {0};
    enum status status = option_table_read(&commands, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    cleanup_text struct text out = {0};
    completion_writer_find(shell)(commands, &out);
    json_decref(commands);
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}
