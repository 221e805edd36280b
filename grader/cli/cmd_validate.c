/* `warpgrade validate`: proves exercises and prints what was proved, a line each. */
#include "grader/cli/command.h"
#include "grader/cli/progress.h"

#include "grader/exercise/track.h"
#include "grader/validate/validate.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "sandbox/isolation/jail.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct validate_command {
    struct grade_options options;
    enum color_choice color;
    bool quiet;
    bool brief;
    char **ids;
    size_t id_count;
    struct progress progress;
};

enum { OPTION_SEED = 256, OPTION_ENGINE, OPTION_COLOR, OPTION_BRIEF };

static const struct argp_option options[] = {
    {"engine", OPTION_ENGINE, "sim|cuda|auto", 0,
     "default: sim, which counts the same on every machine; auto also measures on a GPU where "
     "there "
     "is one, and cuda asks it alone",
     0},
    {"seed", OPTION_SEED, "N", 0, "reproduces a run; default: a secret one", 0},
    {"jobs", 'j', "N", 0, "submissions graded at the same time; default: as many as there are CPUs",
     0},
    {"brief", OPTION_BRIEF, NULL, 0,
     "for every day: grade what is to fail only until its row is decided; a worse verdict that the "
     "build with -G or the speed case would give it goes unseen",
     0},
    {"quiet", 'q', NULL, 0, "only what is not proved", 0},
    {"color", OPTION_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0}};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct validate_command *command = state->input;
    switch (key) {
    case OPTION_ENGINE:
        if (!grade_engine_from_name(argument, &command->options.engine))
            argp_error(state, "--engine takes sim, cuda or auto, not \"%s\"", argument);
        return 0;
    case OPTION_SEED:
        command->options.seed = command_seed_option(state, argument);
        command->options.has_seed = true;
        return 0;
    case 'j':
        command->options.jobs = (unsigned)command_number_option(state, "--jobs", argument, 1, 64);
        return 0;
    case 'q':
        command->quiet = true;
        return 0;
    case OPTION_BRIEF:
        command->brief = true;
        return 0;
    case OPTION_COLOR:
        command->color = command_color_option(state, argument);
        return 0;
    case ARGP_KEY_ARGS:
        command->ids = state->argv + state->next;
        command->id_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {COMMAND_HOME_CHILD, COMMAND_JAIL_CHILD, {0}};

static const struct argp parser = {
    options,
    parse_option,
    "[EXERCISE ...]",
    "Proves exercises, all of them by default: the reference and the tuned kernel pass, the "
    "untouched skeleton and kernels that do nothing, write zeros or copy an input fail, and every "
    "mutant falls to the check that names it, below the pass mark unless it is right and slow.\v"
    "Exit status: 0 all proved, 2 something is not, 3 this machine cannot grade.",
    children,
    NULL,
    NULL};

static void print_cell(const char *string, int columns) {
    cleanup_text struct text escaped = {0};
    escape_terminal(&escaped, string, strlen(string), true);
    printf("%-*s", columns, text_string(&escaped));
}

static int widest(const struct validate_result *result, bool expected) {
    size_t columns = 0;
    for (size_t i = 0; i < result->count; i++) {
        size_t length = strlen(expected ? result->rows[i].expected : result->rows[i].subject);
        columns = length > columns ? length : columns;
    }
    return columns > 60 ? 60 : (int)columns;
}

static void print_rows(const struct validate_command *command, const char *id,
                       const struct validate_result *result) {
    bool color = command_color(command->color, STDOUT_FILENO);
    int subjects = widest(result, false), expected = widest(result, true);
    if (!command->quiet || result->failed) {
        print_cell(id, 0);
        putchar('\n');
    }
    for (size_t i = 0; i < result->count; i++) {
        const struct validate_row *row = &result->rows[i];
        if (row->proved && command->quiet)
            continue;
        const char *mark = row->proved ? "\u2713" : "\u2717";
        printf("  %s%s%s ", color ? row->proved ? "\033[32m" : "\033[1;31m" : "", mark,
               color ? "\033[0m" : "");
        print_cell(row->subject, subjects + 2);
        print_cell(row->expected, expected + 2);
        fputs(row->proved ? "" : "but: ", stdout);
        print_cell(row->found, 0);
        putchar('\n');
    }
    fflush(stdout);
}

struct validate_totals {
    size_t rows, failed;
    size_t mutants, caught;
    enum status worst;
};

static void validate_id(const struct validate_command *command, struct grade_session *session,
                        const char *id, struct progress *progress, struct validate_totals *totals) {
    struct error error = {0};
    struct exercise *exercise = NULL;
    struct validate_result result = {0};
    enum status status = exercise_find(id, &exercise, &error);
    if (status == STATUS_OK)
        status = exercise_require_reference(exercise, &error);
    if (status == STATUS_OK)
        status = validate_exercise(session, exercise, command->brief, &result, &error);
    grade_forget(session);
    progress_clear(progress);
    print_rows(command, id, &result);
    if (status != STATUS_OK)
        command_fail(status, &error);
    else if (result.failed)
        status = STATUS_INVALID;
    totals->worst = status > totals->worst ? status : totals->worst;
    totals->rows += result.count;
    totals->failed += result.failed;
    for (size_t i = 0; i < result.count; i++) {
        totals->mutants += result.rows[i].is_mutant;
        totals->caught += result.rows[i].is_mutant && result.rows[i].proved;
    }
    validate_result_free(&result);
    exercise_free(exercise);
}

static enum status validate_ids(struct validate_command *command, struct grade_session *session,
                                char *const *ids, size_t count) {
    struct validate_totals totals = {0};
    progress_begin(&command->progress, count, "exercises", "kernels");
    for (size_t i = 0; i < count; i++) {
        progress_item(&command->progress, i, ids[i]);
        validate_id(command, session, ids[i], &command->progress, &totals);
    }
    if (totals.rows)
        printf("%zu of %zu proved in %zu exercise%s; %zu of %zu mutants caught by the named "
               "verdict%s; seed %" PRIu64 "%s\n",
               totals.rows - totals.failed, totals.rows, count, text_plural(count), totals.caught,
               totals.mutants, command->brief ? " (brief)" : "", grade_seed(session),
               jail_is_unsafe() ? ", without a jail (--unsafe-no-jail)" : "");
    return totals.worst;
}

static bool is_in_track(const struct tracks *tracks, const char *id) {
    for (size_t i = 0; i < tracks->count; i++)
        for (size_t j = 0; j < tracks->items[i].step_count; j++)
            if (strcmp(tracks->items[i].steps[j].id, id) == 0)
                return true;
    return false;
}

static void print_tracks(const struct tracks *tracks, char *const *ids, size_t count) {
    size_t steps = 0;
    for (size_t i = 0; i < tracks->count; i++)
        steps += tracks->items[i].step_count;
    printf("%zu track%s with %zu step%s: no circle, every exercise is there\n", tracks->count,
           text_plural(tracks->count), steps, text_plural(steps));
    cleanup_text struct text none = {0};
    for (size_t i = 0; i < count; i++)
        if (!is_in_track(tracks, ids[i]))
            text_printf(&none, "%s%s", none.length ? ", " : "", ids[i]);
    if (!none.length)
        return;
    fputs("in no track: ", stdout);
    print_cell(text_string(&none), 0);
    putchar('\n');
}

/* The tracks belong to all exercises together. */
static enum status validate_tracks(const struct validate_command *command, char *const *ids,
                                   size_t count) {
    struct tracks tracks;
    struct error error = {0};
    enum status status = tracks_find(&tracks, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    if (tracks.count && !command->quiet)
        print_tracks(&tracks, ids, count);
    tracks_free(&tracks);
    return STATUS_OK;
}

int command_validate(int argc, char **argv) {
    struct validate_command command = {.options = {.engine = GRADE_ENGINE_SIM}};
    command.options.progress = progress_part;
    command.options.progress_context = &command.progress;
    struct error error = {0};
    struct grade_session *session;
    command_parse(&parser, argc, argv, &command);
    enum status status = grade_open(&command.options, &session, &error);
    if (status != STATUS_OK)
        return command_fail(status, &error);
    if (command.id_count) {
        status = validate_ids(&command, session, command.ids, command.id_count);
        grade_close(session);
        return (int)status;
    }
    char **ids;
    size_t count;
    status = exercise_ids(&ids, &count, &error);
    if (status != STATUS_OK) {
        grade_close(session);
        return command_fail(status, &error);
    }
    status = validate_ids(&command, session, ids, count);
    enum status track_status = validate_tracks(&command, ids, count);
    status = track_status > status ? track_status : status;
    for (size_t i = 0; i < count; i++)
        free(ids[i]);
    free(ids);
    grade_close(session);
    return (int)status;
}
