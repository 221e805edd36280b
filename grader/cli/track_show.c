/* What is printed of tracks; see track_show.h. As in exercise_show.c, columns that are aligned hold
 * ids, which are ASCII; titles come last on their line. */
#include "grader/cli/track_show.h"

#include "grader/cli/learn/learn_cli.h"
#include "reports/escape.h"
#include "sandbox/base/memory.h"

#include <string.h>

static void append_escaped(struct text *out, const char *string) {
    escape_terminal(out, string, strlen(string), true);
}

static void append_heading(struct text *out, const char *heading, bool color) {
    text_append(out, color ? "\033[1m" : "");
    append_escaped(out, heading);
    text_printf(out, "%s\n", color ? "\033[0m" : "");
}

static void append_after(struct text *out, const struct track_step *step, enum language language) {
    for (size_t i = 0; i < step->after_count; i++)
        text_printf(out, "%s%s",
                    i                         ? ", "
                    : language == LANGUAGE_ZH ? "先完成 "
                                              : "after ",
                    step->after[i]);
}

static int longest_id(const struct track *track) {
    size_t longest = 0;
    for (size_t i = 0; i < track->step_count; i++) {
        size_t length = strlen(track->steps[i].id);
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

void track_show_overview(const struct tracks *tracks, const struct learn_standings *standings,
                         enum language language, bool color, struct text *out) {
    int width = 0;
    for (size_t i = 0; i < tracks->count; i++) {
        int length = (int)strlen(tracks->items[i].id);
        width = length > width ? length : width;
    }
    if (tracks->count)
        append_heading(out, language == LANGUAGE_ZH ? "学习路线" : "tracks", color);
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->items[i];
        text_printf(out, "  %-*s  ", width, track->id);
        append_escaped(out, track->title[language]);
        if (learn_standings_is_begun(standings))
            text_printf(
                out, language == LANGUAGE_ZH ? "（已完成 %zu / %zu 题）\n" : " (%zu of %zu done)\n",
                learn_track_passed(track, standings), track->step_count);
        else
            text_printf(out, language == LANGUAGE_ZH ? "（%zu 题）\n" : " (%zu)\n",
                        track->step_count);
    }
}

void track_show_text(const struct track *track, struct exercise *const *exercises, size_t count,
                     const struct learn_standings *standings, enum language language, bool color,
                     struct text *out) {
    int width = longest_id(track);
    append_heading(out, track->title[language], color);
    append_escaped(out, track->about[language]);
    text_append(out, "\n\n");
    for (size_t i = 0; i < track->step_count; i++) {
        const struct track_step *step = &track->steps[i];
        const char *title = "";
        for (size_t j = 0; j < count; j++)
            if (strcmp(exercises[j]->id, step->id) == 0)
                title = exercises[j]->title[language];
        text_printf(out, "  %2zu  ", i + 1);
        if (learn_standings_is_begun(standings)) {
            learn_append_mark(learn_standings_get(standings, step->id), color, out);
            text_append_char(out, ' ');
        }
        text_printf(out, "%-*s  ", width, step->id);
        append_escaped(out, title);
        if (step->after_count)
            text_append(out, language == LANGUAGE_ZH ? "；" : "; ");
        append_after(out, step, language);
        text_append_char(out, '\n');
    }
}

void track_show_membership(const struct tracks *tracks, const char *id, enum language language,
                           bool color, struct text *out) {
    size_t found = 0;
    for (size_t i = 0; i < tracks->count; i++)
        for (size_t j = 0; j < tracks->items[i].step_count; j++) {
            const struct track *track = &tracks->items[i];
            if (strcmp(track->steps[j].id, id) != 0)
                continue;
            if (found++ == 0) {
                text_append_char(out, '\n');
                append_heading(out, language == LANGUAGE_ZH ? "学习路线" : "Tracks", color);
            }
            text_printf(out, "  %s: ", track->id);
            append_escaped(out, track->title[language]);
            text_printf(out, language == LANGUAGE_ZH ? "，第 %zu 题，共 %zu 题" : ", %zu of %zu",
                        j + 1, track->step_count);
            if (track->steps[j].after_count)
                text_append(out, language == LANGUAGE_ZH ? "；" : "; ");
            append_after(out, &track->steps[j], language);
            text_append_char(out, '\n');
        }
}

static json_t *step_json(const struct track_step *step) {
    json_t *after = json_array();
    for (size_t i = 0; i < step->after_count; i++)
        json_array_append_new(after, json_string(step->after[i]));
    return json_pack("{s:s, s:o}", "id", step->id, "after", after);
}

json_t *track_show_json(const struct track *track) {
    json_t *steps = json_array();
    for (size_t i = 0; i < track->step_count; i++)
        json_array_append_new(steps, step_json(&track->steps[i]));
    return json_pack("{s:s, s:I, s:{s:s, s:s}, s:{s:s, s:s}, s:o}", "id", track->id, "order",
                     (json_int_t)track->order, "title", "en", track->title[LANGUAGE_EN], "zh",
                     track->title[LANGUAGE_ZH], "about", "en", track->about[LANGUAGE_EN], "zh",
                     track->about[LANGUAGE_ZH], "exercises", steps);
}
