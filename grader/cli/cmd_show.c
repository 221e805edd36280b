/* `warpgrade show EXERCISE`: what a student reads before writing a line. */
#include "grader/cli/command.h"
#include "grader/cli/exercise_show.h"
#include "grader/cli/track_show.h"

#include <argp.h>
#include <stdio.h>
#include <unistd.h>

struct arguments {
    const char *id;
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"lang", 'l', "en|zh", 0, "language of the statement (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->id)
            argp_error(state, "one EXERCISE at a time, please");
        arguments->id = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which EXERCISE? `warpgrade list` shows them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_show(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "EXERCISE",
        .doc = "The statement of an exercise, its kernel and launch, its points and its cases."};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    struct exercise *exercise;
    struct error error = {0};
    enum status status = exercise_find(arguments.id, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    cleanup_text struct text out = {0};
    bool color = command_color(arguments.color, STDOUT_FILENO);
    exercise_show_text(exercise, arguments.language, color, command_terminal_width(), &out);
    /* A mistake in a track is `list` and `validate`'s to report; the exercise is as it was. */
    struct tracks tracks;
    if (tracks_find(&tracks, &error) == STATUS_OK)
        track_show_membership(&tracks, exercise->id, arguments.language, color, &out);
    tracks_free(&tracks);
    exercise_free(exercise);
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}
