/* `warpgrade progress`: each track with a bar and its points, and what is begun. */
#include "grader/cli/learn/learn_cli.h"

#include "reports/escape.h"
#include "reports/report.h"
#include "sandbox/base/memory.h"

#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_JSON = 256, BAR_COLUMNS = 20 };

struct arguments {
    bool json;
    enum language language;
    enum color_choice color;
};

static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "as JSON", 0},
    {"lang", 'l', "en|zh", 0, "language of the titles (default: en)", 0},
    {"color", 'c', "WHEN", 0, "auto (default), always or never", 0},
    {0}};

static error_t parse_option(int key, char *value, struct argp_state *state) {
    struct arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    case 'l':
        arguments->language = command_language_option(state, value);
        return 0;
    case 'c':
        arguments->color = command_color_option(state, value);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "progress takes no arguments; `warpgrade list --course TRACK` shows one "
                          "track");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void append_bar(size_t done, size_t total, bool color, struct text *out) {
    size_t full = total ? done * BAR_COLUMNS / total : 0;
    text_append(out, color ? "\033[32m" : "");
    for (size_t i = 0; i < BAR_COLUMNS; i++)
        text_append(out, i < full ? "\u2588" : "\u2591");
    text_append(out, color ? "\033[0m" : "");
}

/* Of the best attempts at the track's exercises. */
static double track_points(const struct track *track, const struct learn_standings *standings) {
    double points = 0;
    for (size_t i = 0; i < track->step_count; i++) {
        const struct learn_standing *standing = learn_standings_get(standings, track->steps[i].id);
        points += standing ? standing->score : 0;
    }
    return points;
}

static void append_tracks(const struct learn_overview *overview, enum language language, bool color,
                          struct text *out) {
    int width = 0;
    for (size_t i = 0; i < overview->tracks.count; i++)
        if ((int)strlen(overview->tracks.items[i].id) > width)
            width = (int)strlen(overview->tracks.items[i].id);
    for (size_t i = 0; i < overview->tracks.count; i++) {
        const struct track *track = &overview->tracks.items[i];
        size_t done = learn_track_passed(track, &overview->standings);
        cleanup_text struct text points = {0};
        report_append_points(&points, track_points(track, &overview->standings));
        text_printf(out, "  %-*s  ", width, track->id);
        append_bar(done, track->step_count, color, out);
        text_printf(out,
                    language == LANGUAGE_ZH ? "  %2zu / %2zu  %5s 分\n"
                                            : "  %2zu of %2zu  %5s points\n",
                    done, track->step_count, text_string(&points));
    }
}

static void append_begun(const struct learn_overview *overview, enum language language,
                         struct text *out) {
    bool zh = language == LANGUAGE_ZH, first = true;
    for (size_t i = 0; i < overview->standings.count; i++) {
        const struct learn_standing *standing = &overview->standings.items[i];
        cleanup_text struct text score = {0};
        if (!standing->attempts || standing->passed)
            continue;
        if (first)
            text_append(out, zh ? "\n已经开始\n" : "\nbegun\n");
        first = false;
        report_append_score(&score, language, standing->score, standing->max_score);
        text_printf(out, zh ? "  %s：%s 分，尝试 %zu 次\n" : "  %s: %s points, %zu attempt",
                    standing->id, text_string(&score), standing->attempts);
        if (!zh)
            text_printf(out, "%s\n", text_plural(standing->attempts));
    }
}

static void append_text(const struct learn_overview *overview, enum language language, bool color,
                        struct text *out) {
    size_t passed = 0, full = 0;
    for (size_t i = 0; i < overview->standings.count; i++) {
        passed += overview->standings.items[i].passed;
        full += overview->standings.items[i].full_marks;
    }
    append_tracks(overview, language, color, out);
    text_printf(out,
                language == LANGUAGE_ZH ? "\n通过 %zu / %zu 个练习，其中 %zu 个得满分\n"
                                        : "\n%zu of %zu exercises passed, %zu with full marks\n",
                passed, overview->standings.count, full);
    append_begun(overview, language, out);
    text_append(out, language == LANGUAGE_ZH ? "\n`warpgrade next` 告诉你接下来做什么。\n"
                                             : "\n`warpgrade next` says what to do next.\n");
}

static json_t *standing_json(const struct learn_standing *standing) {
    return json_pack("{s:s, s:I, s:f, s:f, s:b, s:b}", "id", standing->id, "attempts",
                     (json_int_t)standing->attempts, "score", standing->score, "max_score",
                     standing->max_score, "passed", standing->passed, "full_marks",
                     standing->full_marks);
}

static void append_json(const struct learn_overview *overview, struct text *out) {
    json_t *tracks = json_array(), *exercises = json_array();
    for (size_t i = 0; i < overview->tracks.count; i++) {
        const struct track *track = &overview->tracks.items[i];
        json_array_append_new(tracks,
                              json_pack("{s:s, s:I, s:I, s:f}", "id", track->id, "exercises",
                                        (json_int_t)track->step_count, "passed",
                                        (json_int_t)learn_track_passed(track, &overview->standings),
                                        "score", track_points(track, &overview->standings)));
    }
    for (size_t i = 0; i < overview->standings.count; i++)
        json_array_append_new(exercises, standing_json(&overview->standings.items[i]));
    json_t *root =
        json_pack("{s:i, s:o, s:o}", "schema", 1, "tracks", tracks, "exercises", exercises);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    escape_json(out, dump, strlen(dump));
    text_append_char(out, '\n');
    free(dump);
    json_decref(root);
}

int command_progress(int argc, char **argv) {
    static const struct argp parser = {
        .options = options,
        .parser = parse_option,
        .doc = "The tracks with what is done of each, as the record on this machine says. "
               "`grade` keeps it; WARPGRADE_NO_RECORD=1 keeps and reads none.",
        .children = command_home_children};
    struct arguments arguments = {0};
    struct learn_overview overview;
    struct error error = {0};
    cleanup_text struct text out = {0};
    command_parse(&parser, argc, argv, &arguments);
    enum status status = learn_overview_load(&overview, &error);
    if (status == STATUS_OK && arguments.json)
        append_json(&overview, &out);
    else if (status == STATUS_OK)
        append_text(&overview, arguments.language, command_color(arguments.color, STDOUT_FILENO),
                    &out);
    learn_overview_free(&overview);
    if (status != STATUS_OK)
        return command_fail_in(arguments.language, status, &error);
    learn_print(&out);
    return STATUS_OK;
}
