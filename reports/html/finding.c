/* What was found wrong, each mistake once: the source with notes at the lines that take part, the
 * picture beside it, and what to do. The first is open, the others are a line each that opens. */
#include "reports/html/focus.h"

#include "reports/explain.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FINDINGS = 24, CONTEXT = 2 };

void html_fix_text(const struct html *h, const struct merged_hazard *merged, struct text *out) {
    explain_fix((enum language)h->language, merged->fix, merged->first->kind, out);
}

/* ---- the source ------------------------------------------------------------------------------ */

static void note_thread(struct html *h, const struct hazard *hazard, size_t index,
                        enum scene_access access, struct text *note) {
    if (index < hazard->thread_count) {
        html_fill(h, note, SAY_THREAD, html_thread(hazard->threads[index].thread).text, NULL);
        text_append_char(note, ' ');
    }
    html_fill(h, note, html_access_string(access), NULL);
}

static uint32_t count_lanes(const lane_mask masks[ENGINE_BLOCK_WARPS], uint32_t threads) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < ENGINE_BLOCK_WARPS && i * WARP_LANES < threads; i++)
        count += (uint32_t)__builtin_popcount(masks[i]);
    return count;
}

/* What happens at the line, and at the other one, in a few words beside them. */
static void write_notes(struct html *h, const struct hazard *hazard, struct text *here,
                        struct text *there) {
    const struct hazard_scene *scene = &hazard->scene;
    cleanup_text struct text line = {0};
    if (scene->block_threads) {
        uint32_t waiting = count_lanes(scene->waiting, scene->block_threads);
        uint32_t elsewhere = count_lanes(scene->elsewhere, scene->block_threads);
        html_fill(h, here, SAY_BARRIER_WAITING, html_number(waiting).text,
                  html_number(hazard->line).text, NULL);
        html_fill(h, there, elsewhere ? SAY_BARRIER_ELSEWHERE : SAY_BARRIER_LEFT,
                  html_number(elsewhere ? elsewhere : scene->block_threads - waiting).text,
                  html_number(hazard->other_line).text, NULL);
    } else if (scene->access != SCENE_UNKNOWN) {
        note_thread(h, hazard, 0, scene->access, here);
        note_thread(h, hazard, hazard->thread_count > 1 ? 1 : ENGINE_HAZARD_THREADS,
                    scene->other_access, there);
    } else {
        html_fill(h, here, SAY_NOTE_HERE, NULL);
        html_fill(h, there, SAY_NOTE_AND_HERE, NULL);
    }
}

static void write_excerpt(struct html *h, const struct hazard *hazard) {
    struct html_mark marks[2] = {0};
    size_t count = 0;
    cleanup_text struct text here = {0}, there = {0};
    write_notes(h, hazard, &here, &there);
    if (hazard->line && html_own_file(h, hazard->file))
        marks[count++] = (struct html_mark){
            hazard->line, hazard->severity == SEVERITY_WARNING ? "warn" : "bad", here};
    if (hazard->other_line && html_own_file(h, hazard->other_file)) {
        if (count && hazard->other_line == hazard->line) {
            text_append(&here, " \u00b7 ");
            text_append(&here, text_string(&there));
            marks[0].note = here;
        } else {
            marks[count++] = (struct html_mark){hazard->other_line, "warn", there};
        }
    }
    html_excerpt(h, marks, count, CONTEXT);
}

/* ---- a finding ------------------------------------------------------------------------------- */

static void say_lines(struct html *h, const struct merged_hazard *merged) {
    const struct hazard *hazard = merged->first;
    if (hazard->line) {
        html_foreign(h, html_own_file(h, hazard->file) ? "" : hazard->file);
        html_raw(h, " ");
        html_say(h, SAY_AT_LINE, html_number(hazard->line).text, NULL);
    }
    cleanup_text struct text also = {0};
    for (size_t i = 0; i < merged->also_count; i++)
        if (i)
            text_printf(&also, WORDS((enum language)h->language, next_number),
                        merged->also_lines[i]);
        else
            text_printf(&also, "%u", merged->also_lines[i]);
    if (also.length) {
        html_say(h, SAY_COMMA, NULL);
        html_say(h, merged->also_count == 1 ? SAY_ALSO_LINE : SAY_ALSO_LINES, text_string(&also),
                 NULL);
    }
}

static void say_how_often(struct html *h, const struct merged_hazard *merged, size_t ran) {
    if (merged->case_count && ran > 1) {
        html_raw(h, " · ");
        html_say(h, SAY_IN_CASES, html_number(merged->case_count).text, html_number(ran).text,
                 NULL);
    }
    if (merged->count > 1) {
        html_raw(h, " · ");
        html_say(
            h, hazard_counts_accesses(merged->first->kind) ? SAY_TIMES_ACCESSES : SAY_TIMES_EVENTS,
            html_number(merged->count).text, NULL);
    }
}

/* The first finding's message and hint stand above the fold already. */
static void write_advice(struct html *h, const struct merged_hazard *merged, bool is_first) {
    cleanup_text struct text fix = {0};
    html_fix_text(h, merged, &fix);
    html_raw(h, "<dl class=\"advice\">");
    if (merged->hint && !is_first) {
        html_raw(h, "<dt>");
        html_say(h, SAY_HINT, NULL);
        html_raw(h, "</dt><dd>");
        html_prose(h, merged->hint);
        html_raw(h, "</dd>");
    }
    html_raw(h, "<dt>");
    html_say(h, SAY_FIX, NULL);
    html_raw(h, "</dt><dd>");
    html_prose(h, text_string(&fix));
    html_raw(h, " ");
    html_explain_link(h, hazard_infos[merged->first->kind].name, SAY_MORE_ABOUT);
    html_raw(h, "</dd></dl>\n");
}

static void write_title(struct html *h, const struct merged_hazard *merged, size_t ran) {
    const struct hazard *hazard = merged->first;
    bool warning = hazard->severity == SEVERITY_WARNING;
    html_printf(h, "<span class=\"tag %s\">%s</span> <span class=\"what\">",
                warning ? "warn" : "bad", hazard_infos[hazard->kind].name);
    html_say(h, html_hazard_string(hazard->kind, merged->fix), NULL);
    html_raw(h, "</span> <span class=\"soft\">");
    if (warning) {
        html_say(h, SAY_WARNING, NULL);
        html_raw(h, " · ");
    }
    say_lines(h, merged);
    say_how_often(h, merged, ran);
    html_raw(h, "</span>");
}

static void write_body(struct html *h, const struct merged_hazard *merged, bool is_first) {
    const struct hazard *hazard = merged->first;
    bool pictured = html_has_picture(hazard);
    cleanup_text struct text message = {0};
    hazards_append_message(&message, (enum language)h->language, hazard);
    if (!is_first)
        html_tagged_prose(h, "<p class=\"message sentence\">", text_string(&message), "</p>\n");
    html_printf(h, "<div class=\"%s\"><div>", pictured ? "pair" : "single");
    write_excerpt(h, hazard);
    html_raw(h, "</div>");
    if (pictured)
        html_hazard_picture(h, hazard);
    html_raw(h, "</div>\n");
    write_advice(h, merged, is_first);
}

static void write_first(struct html *h, const struct merged_hazard *merged, size_t ran) {
    html_raw(h, "<section><h2>");
    html_say(h, SAY_FIX_FIRST, NULL);
    html_raw(h, "</h2>\n<article class=\"card\"><h3>");
    write_title(h, merged, ran);
    html_raw(h, "</h3>\n");
    write_body(h, merged, true);
    html_raw(h, "</article></section>\n");
}

void html_findings(struct html *h) {
    struct focus focus = focus_open(h->report);
    const struct merged_hazard *rest = focus.merged;
    size_t left = focus.merged_count < MOST_FINDINGS ? focus.merged_count : MOST_FINDINGS;
    if (left && focus.kind == FOCUS_HAZARD) {
        write_first(h, rest++, focus.ran);
        left--;
    }
    if (left) {
        html_raw(h, "<section><h2>");
        html_say(h, SAY_FINDINGS_MORE, NULL);
        html_raw(h, "</h2>\n");
        for (size_t i = 0; i < left; i++) {
            html_raw(h, "<details class=\"card\"><summary>");
            write_title(h, &rest[i], focus.ran);
            html_raw(h, "</summary>\n");
            write_body(h, &rest[i], false);
            html_raw(h, "</details>\n");
        }
        html_raw(h, "</section>\n");
    }
    focus_close(&focus);
}
