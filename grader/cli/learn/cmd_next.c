/* `warpgrade next`: the exercise to do next and the command that begins it, from the student's own
 * record and the tracks. */
#include "grader/cli/learn/learn_cli.h"

#include "reports/escape.h"
#include "reports/report.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"lang", 'l', "en|zh", 0, "language of the titles (default: en)", 0},
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
        argp_error(state, "next takes no arguments; `warpgrade new %s` starts an exercise", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void append_escaped(struct text *out, const char *string) {
    escape_terminal(out, string, strlen(string), true);
}

/* The file of the last attempt, relative to the working folder where it lies in it. */
static const char *shown_path(const char *path) {
    cleanup_free char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

static void append_begun(const struct learn_standing *standing, enum language language,
                         struct text *out) {
    bool zh = language == LANGUAGE_ZH;
    cleanup_text struct text score = {0}, word = {0};
    report_append_score(&score, language, standing->score, standing->max_score);
    text_printf(out, zh ? "  已得 %s 分，共尝试 %zu 次\n\n" : "  %s points so far, in %zu attempt",
                text_string(&score), standing->attempts);
    if (!zh)
        text_printf(out, "%s\n\n", text_plural(standing->attempts));
    learn_append_word(&word, standing->last_file ? shown_path(standing->last_file) : "");
    text_printf(out, "  warpgrade hint %s\n  warpgrade grade -e %s ", standing->id, standing->id);
    append_escaped(out, text_string(&word));
    text_append_char(out, '\n');
}

static void append_why(const struct learn_overview *overview, const struct learn_next *next,
                       enum language language, struct text *out) {
    bool zh = language == LANGUAGE_ZH;
    text_printf(out, zh ? "  学习路线 %s（" : "  track %s (", next->track->id);
    append_escaped(out, next->track->title[language]);
    text_printf(out, zh ? "）：已完成 %zu / %zu 题" : "): %zu of %zu done",
                learn_track_passed(next->track, &overview->standings), next->track->step_count);
    if (next->leads_to)
        text_printf(out, zh ? "；之后做 %s" : "; %s needs it first", next->leads_to);
    text_append_char(out, '\n');
}

static enum status append_next(const struct learn_overview *overview, enum language language,
                               bool color, struct text *out, struct error *error) {
    struct learn_next next = learn_find_next(&overview->tracks, &overview->standings);
    bool zh = language == LANGUAGE_ZH;
    if (!next.step) {
        text_append(out, zh ? "所有学习路线都已完成。`warpgrade list` 列出其余练习。\n"
                            : "All tracks are done. `warpgrade list` shows what else there is; "
                              "`warpgrade progress` where points are left.\n");
        return STATUS_OK;
    }
    struct exercise *exercise;
    enum status status = exercise_find(next.step->id, &exercise, error);
    if (status != STATUS_OK)
        return status;
    text_printf(out, "%s%s%s  ", color ? "\033[1m" : "", exercise->id, color ? "\033[0m" : "");
    append_escaped(out, exercise->title[language]);
    text_append_char(out, '\n');
    append_why(overview, &next, language, out);
    const struct learn_standing *standing = learn_standings_get(&overview->standings, exercise->id);
    if (next.is_begun && standing && standing->last_file)
        append_begun(standing, language, out);
    else
        text_printf(out, "\n  warpgrade new %s %s && cd %s\n", exercise->id, exercise->id,
                    exercise->id);
    exercise_free(exercise);
    return STATUS_OK;
}

int command_next(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .doc = "The exercise to do next: the one in work, else the first of the track in work that "
               "is not passed, and before it what it needs. `warpgrade progress` shows all.",
        .children = command_home_children};
    struct arguments arguments = {0};
    struct learn_overview overview;
    struct error error = {0};
    cleanup_text struct text out = {0};
    command_parse(&parser, argc, argv, &arguments);
    bool color = command_color(arguments.color, STDOUT_FILENO);
    enum status status = learn_overview_load(&overview, &error);
    if (status == STATUS_OK)
        status = append_next(&overview, arguments.language, color, &out, &error);
    learn_overview_free(&overview);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    learn_print(&out);
    return STATUS_OK;
}
