/* `warpgrade show EXERCISE`: what a student reads before writing a line. */
#include "grader/cli/command.h"
#include "grader/cli/exercise_show.h"
#include "grader/cli/learn/solution.h"
#include "grader/cli/track_show.h"

#include <argp.h>
#include <stdio.h>
#include <unistd.h>

enum { OPTION_SOLUTION = 256, OPTION_SPOIL };

struct arguments {
    const char *id;
    bool solution, spoil;
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"lang", 'l', "en|zh", 0, "language of the statement (default: en)", 0},
    {"solution", OPTION_SOLUTION, NULL, 0,
     "the tuned kernel with its commentary, once you have full marks", 0},
    {"spoil", OPTION_SPOIL, NULL, 0, "the same, whatever your marks are", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case OPTION_SPOIL:
        arguments->spoil = true;
        return 0;
    case OPTION_SOLUTION:
        arguments->solution = true;
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

/* A mistake in a track is `list` and `validate`'s to report; the exercise is as it was. */
static void append_statement(const struct exercise *exercise, enum language language, bool color,
                             struct text *out) {
    struct tracks tracks;
    exercise_show_text(exercise, language, color, command_terminal_width(), out);
    if (tracks_find(&tracks, NULL) == STATUS_OK)
        track_show_membership(&tracks, exercise->id, language, color, out);
    tracks_free(&tracks);
}

int command_show(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .args_doc = "EXERCISE",
        .doc = "The statement of an exercise, its kernel and launch, its points and its cases.",
        .children = command_home_children};
    struct arguments arguments = {0};
    command_parse(&parser, argc, argv, &arguments);
    struct exercise *exercise;
    struct error error = {0};
    enum status status = exercise_find(arguments.id, &exercise, &error);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    cleanup_text struct text out = {0};
    bool color = command_color(arguments.color, STDOUT_FILENO);
    if (arguments.solution || arguments.spoil)
        status =
            solution_append(exercise, arguments.spoil, arguments.language, color, &out, &error);
    else
        append_statement(exercise, arguments.language, color, &out);
    exercise_free(exercise);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    fputs(text_string(&out), stdout);
    return STATUS_OK;
}
