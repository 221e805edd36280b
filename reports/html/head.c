/* The first screen: the diagnosis as a headline, the score as a ring, its parts with a dot for each
 * case, and the one thing to do next. */
#include "reports/html/focus.h"

#include "reports/advice.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <math.h>
#include <string.h>

enum { MOST_DOTS = 60 };

/* ---- the headline ---------------------------------------------------------------------------- */

static enum html_string end_string(enum verdict verdict) {
    static const struct {
        enum verdict verdict;
        enum html_string string;
    } ends[] = {{VERDICT_OUTPUT_LIMIT, SAY_HEAD_END_OUTPUT_LIMIT},
                {VERDICT_MEMORY_LIMIT, SAY_HEAD_END_MEMORY_LIMIT},
                {VERDICT_TIME_LIMIT, SAY_HEAD_END_TIME_LIMIT},
                {VERDICT_CRASH, SAY_HEAD_END_CRASH},
                {VERDICT_NONDETERMINISTIC, SAY_HEAD_END_NONDETERMINISTIC}};
    for (size_t i = 0; i < ARRAY_LENGTH(ends); i++)
        if (ends[i].verdict == verdict)
            return ends[i].string;
    return html_verdict_string(verdict);
}

/* What the first case shows that has more than one element. */
static void describe_results(const struct html *h, struct text *out) {
    for (size_t i = 0; i < h->report->case_count && !out->length; i++) {
        const struct report_case *item = &h->report->cases[i];
        if (html_is_failure(item) && item->difference.present &&
            item->difference.differing < item->difference.total)
            html_describe_wrong(h, &item->difference, out);
    }
}

static void say_speed(struct html *h, const struct report_case *item) {
    const struct report_threshold *missed = NULL;
    for (size_t i = 0; i < item->speed.threshold_count && !missed; i++)
        if (item->speed.thresholds[i].state == THRESHOLD_MISSED)
            missed = &item->speed.thresholds[i];
    if (report_is_target_missed(item) && missed && missed->name)
        html_say(h, SAY_HEAD_TARGET_MISSED, missed->name, NULL);
    else
        html_say(h, item->verdict == VERDICT_TOO_SLOW ? SAY_HEAD_SLOW : SAY_HEAD_PASS, NULL);
}

/* What ended in another way is not counted. */
static void say_how_many(struct html *h, const struct focus *focus) {
    size_t wrong = 0;
    for (size_t i = 0; i < h->report->case_count; i++) {
        const struct report_case *item = &h->report->cases[i];
        wrong += item->verdict == VERDICT_WRONG_ANSWER ||
                 (html_is_failure(item) && item->difference.present);
    }
    html_say(h, SAY_HEAD_WRONG, html_number(wrong).text, html_number(focus->ran).text, NULL);
}

static void say_headline(struct html *h, const struct focus *focus) {
    cleanup_text struct text wrong = {0};
    switch (focus->kind) {
    case FOCUS_COMPILE:
        html_say(h, SAY_HEAD_COMPILE, NULL);
        return;
    case FOCUS_INTERNAL:
        html_say(h, SAY_HEAD_INTERNAL, NULL);
        return;
    case FOCUS_HAZARD:
        html_say(h, html_hazard_string(focus->hazard->first->kind, focus->hazard->fix), NULL);
        return;
    case FOCUS_WRONG:
        describe_results(h, &wrong);
        if (wrong.length)
            html_foreign(h, text_string(&wrong));
        else
            say_how_many(h, focus);
        return;
    case FOCUS_END:
        if (focus->item->verdict == VERDICT_WRONG_ANSWER)
            say_how_many(h, focus);
        else
            html_say(h, end_string(focus->item->verdict), NULL);
        return;
    case FOCUS_SLOW:
        say_speed(h, focus->item);
        return;
    case FOCUS_SKIPPED:
        html_say(h, SAY_HEAD_SKIPPED, NULL);
        return;
    case FOCUS_PASS:
        html_say(h, SAY_HEAD_PERFECT, NULL);
        return;
    }
}

const struct build_diagnostic *focus_first_error(const struct report *report) {
    for (size_t i = 0; i < report->diagnostic_count; i++)
        if (report->diagnostics[i].severity == BUILD_ERROR)
            return &report->diagnostics[i];
    return NULL;
}

/* One sentence below the headline: what exactly. */
const char *focus_lead(const struct report *report, const struct focus *focus) {
    const struct build_diagnostic *error = focus_first_error(report);
    switch (focus->kind) {
    case FOCUS_COMPILE:
        return error ? error->text : report->build_message;
    case FOCUS_HAZARD:
        return focus->hazard->first->message;
    case FOCUS_WRONG:
        return focus->item->cause.present ? focus->item->cause.text : focus->item->message;
    case FOCUS_SLOW:
        return focus->item->speed.limiter ? focus->item->speed.limiter : focus->item->message;
    case FOCUS_INTERNAL:
    case FOCUS_END:
    case FOCUS_SKIPPED:
        return focus->item->message;
    case FOCUS_PASS:
        break;
    }
    return NULL;
}

/* ---- the next step --------------------------------------------------------------------------- */

/* The exercise's own before what helps in any kernel. */
static const char *threshold_hint(const struct report_speed *speed, enum language language) {
    const char *generic = NULL;
    for (size_t i = 0; i < speed->threshold_count; i++) {
        const char *hint = speed->thresholds[i].hint;
        if (!hint || speed->thresholds[i].state == THRESHOLD_MET)
            continue;
        if (!advice_is_generic(hint, language))
            return hint;
        generic = generic ? generic : hint;
    }
    return generic;
}

void focus_append_next(const struct html *h, const struct focus *focus, struct text *out) {
    const struct report *report = h->report;
    const char *hint = focus->item ? focus->item->hint : NULL;
    if (focus->kind == FOCUS_COMPILE)
        hint = report->build_hint;
    else if (focus->kind == FOCUS_HAZARD)
        hint = focus->hazard->hint;
    else if (focus->kind == FOCUS_SLOW)
        hint = threshold_hint(&focus->item->speed, (enum language)h->language) ?: hint;
    if (hint && *hint)
        text_append(out, hint);
    else if (focus->kind == FOCUS_HAZARD)
        html_fix_text(h, focus->hazard, out);
}

bool html_is_next(const struct html *h, const char *hint) {
    struct focus focus = focus_open(h->report);
    cleanup_text struct text next = {0};
    focus_append_next(h, &focus, &next);
    focus_close(&focus);
    return hint && strcmp(text_string(&next), hint) == 0;
}

static void write_next(struct html *h, const struct focus *focus) {
    cleanup_text struct text next = {0};
    focus_append_next(h, focus, &next);
    if (!next.length)
        return;
    html_raw(h, "<p class=\"next\"><b>");
    html_say(h, SAY_NEXT, NULL);
    html_raw(h, "</b> ");
    html_prose(h, text_string(&next));
    if (focus->kind == FOCUS_HAZARD) {
        html_raw(h, " ");
        html_explain_link(h, hazard_infos[focus->hazard->first->kind].name, SAY_MORE_ABOUT);
    }
    html_raw(h, "</p>\n");
}

/* ---- the ring -------------------------------------------------------------------------------- */

/* A score can be anything in a report that someone has stored. */
static double share_of(double part, double whole) {
    double share = whole > 0 ? part / whole : 0;
    return share > 0 ? share < 1 ? share : 1 : 0;
}

static void write_ring(struct html *h) {
    enum { RADIUS = 42 };
    const struct report *report = h->report;
    double turn = 2 * M_PI * RADIUS, share = share_of(report->score, report->max_score);
    double mark = share_of(report->pass_mark, report->max_score) * 360;
    cleanup_text struct text label = {0};
    html_fill(h, &label, SAY_SCORE_LABEL, decimal_points(report->score).text,
              decimal_points(report->max_score).text, decimal_points(report->pass_mark).text, NULL);
    html_printf(h, "<div class=\"score %s\">", report->passed ? "ok" : "bad");
    html_svg(h, "ring", 100, 100, text_string(&label));
    html_printf(h, "<circle cx=\"50\" cy=\"50\" r=\"%d\" class=\"track\"/>", RADIUS);
    if (share > 0)
        html_printf(h,
                    "<circle cx=\"50\" cy=\"50\" r=\"%d\" class=\"arc\" stroke-dasharray=\"%.1f "
                    "%.1f\" transform=\"rotate(-90 50 50)\"/>",
                    RADIUS, share * turn, turn);
    html_printf(h, "<path class=\"mark\" d=\"M50 1v14\" transform=\"rotate(%.1f 50 50)\"/></svg>",
                mark);
    html_printf(h, "<p aria-hidden=\"true\"><b>%s</b><span>", decimal_points(report->score).text);
    html_say(h, SAY_OF_POINTS, decimal_points(report->max_score).text, NULL);
    html_raw(h, "</span></p></div>\n");
}

/* ---- the parts ------------------------------------------------------------------------------- */

static bool in_group(const struct report_case *item, const struct report_group *group) {
    return item->group && group->name && strcmp(item->group, group->name) == 0;
}

static void say_group(struct html *h, const char *name) {
    static const struct {
        const char *name;
        enum html_string string;
    } known[] = {{"correctness", SAY_GROUP_CORRECTNESS},
                 {"boundary", SAY_GROUP_BOUNDARY},
                 {"generated", SAY_GROUP_GENERATED},
                 {"speed", SAY_GROUP_SPEED}};
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
        if (name && strcmp(known[i].name, name) == 0) {
            html_say(h, known[i].string, NULL);
            return;
        }
    html_foreign(h, name);
}

static void write_dots(struct html *h, const struct report_group *group) {
    const struct report *report = h->report;
    size_t shown = 0;
    html_raw(h, "<span class=\"dots\" aria-hidden=\"true\">");
    for (size_t i = 0; i < report->case_count && shown < MOST_DOTS; i++)
        if (in_group(&report->cases[i], group)) {
            html_printf(h, "<a tabindex=\"-1\" class=\"%s\" href=\"#r%zuc%zu\" title=\"",
                        html_verdict_class(report->cases[i].verdict), h->number, i);
            html_foreign(h, report->cases[i].name);
            html_raw(h, "\"></a>");
            shown++;
        }
    html_raw(h, "</span>");
}

static const char *group_class(const struct report_group *group) {
    return !group->case_count                        ? "off"
           : group->score >= group->max_score        ? "ok"
           : group->passed_count && group->score > 0 ? "part"
                                                     : "bad";
}

/* Speed that was not reached is no failure. */
static bool is_unreached(const struct report *report, const struct report_group *group) {
    for (size_t i = 0; i < report->case_count; i++)
        if (in_group(&report->cases[i], group) && report->cases[i].verdict != VERDICT_SKIPPED)
            return false;
    return true;
}

static void write_parts(struct html *h) {
    const struct report *report = h->report;
    if (!report->group_count)
        return;
    html_raw(h, "<ul class=\"parts\">");
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        bool unreached = is_unreached(report, group);
        html_printf(h, "<li class=\"%s\"><h3>", unreached ? "off" : group_class(group));
        say_group(h, group->name);
        html_printf(h, "</h3><p class=\"figure\"><b>%s</b> / %s</p>",
                    unreached ? "\u2013" : decimal_points(group->score).text,
                    decimal_points(group->max_score).text);
        write_dots(h, group);
        html_raw(h, "<p class=\"soft\">");
        if (unreached)
            html_say(h, SAY_NOT_RUN, NULL);
        else
            html_say(h, SAY_CASES_PASSED, html_number(group->passed_count).text,
                     html_number(group->case_count).text, NULL);
        html_raw(h, "</p></li>");
    }
    html_raw(h, "</ul>\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void write_skips(struct html *h) {
    const struct {
        const char *id;
        enum html_string text;
        bool present;
    } targets[] = {{"found", SAY_SKIP_FINDINGS, true},
                   {"source", SAY_SKIP_SOURCE, h->report->source && h->report->source_length},
                   {"cases", SAY_SKIP_CASES, h->report->case_count > 0}};
    html_raw(h, "<nav class=\"skip\">");
    for (size_t i = 0; i < ARRAY_LENGTH(targets); i++) {
        if (!targets[i].present)
            continue;
        html_printf(h, "<a href=\"#r%zu%s\">", h->number, targets[i].id);
        html_say(h, targets[i].text, NULL);
        html_raw(h, "</a>");
    }
    html_raw(h, "</nav>\n");
}

static void write_eyebrow(struct html *h) {
    const struct report *report = h->report;
    html_raw(h, "<p class=\"eyebrow\">");
    if (report->exercise)
        html_tagged(h, "<b>", report->title && *report->title ? report->title : report->exercise,
                    "</b> ");
    html_tagged(h, "<code>", html_file_name(h), "</code></p>");
}

/* What has shown a cause is evidence, not proof. */
static void write_lead(struct html *h, const struct focus *focus, const char *lead) {
    if (!lead || !*lead)
        return;
    if (focus->kind == FOCUS_WRONG && focus->item->cause.present) {
        html_raw(h, "<p class=\"lead\">");
        html_say(h, SAY_PROBABLE_CAUSE, NULL);
        html_tagged_prose(h, WORDS((enum language)h->language, colon), lead, "</p>");
        return;
    }
    html_tagged_prose(h,
                      focus->kind == FOCUS_HAZARD || focus->kind == FOCUS_SLOW
                          ? "<p class=\"lead sentence\">"
                          : "<p class=\"lead\">",
                      lead, "</p>");
}

static void write_state(struct html *h) {
    const struct report *report = h->report;
    html_printf(h, "<p class=\"state %s\">", report->passed ? "ok" : "bad");
    html_say(h, report->passed ? SAY_PASSED : SAY_NOT_PASSED,
             decimal_points(report->pass_mark).text, NULL);
    if (report->cap_reason && *report->cap_reason) {
        html_raw(h, " · ");
        html_tagged(h, "<span class=\"soft\">", report->cap_reason, "</span>");
    }
    html_raw(h, "</p>");
}

/* No points, no parts and no engine: why, and what to do. */
static void write_not_graded(struct html *h, const struct focus *focus) {
    html_raw(h, "<header><div class=\"verdict\">");
    write_eyebrow(h);
    html_raw(h, "<h1>");
    html_say(h, SAY_HEAD_NOT_GRADED, NULL);
    html_raw(h, "</h1>");
    write_lead(h, focus, h->report->message);
    html_raw(h, "</div></header>\n");
    write_next(h, focus);
}

void html_head(struct html *h) {
    const struct report *report = h->report;
    struct focus focus = focus_open(report);
    if (!report_was_graded(report)) {
        write_not_graded(h, &focus);
        focus_close(&focus);
        return;
    }
    cleanup_text struct text own = {0};
    const char *lead = focus_lead(report, &focus);
    if (focus.kind == FOCUS_HAZARD && h->language) /* the engine's messages are English */
        hazards_append_message(&own, (enum language)h->language, focus.hazard->first);
    if (focus.kind == FOCUS_WRONG && !focus.item->cause.present &&
        focus.item->difference.total == 1)
        html_append_values(h, &focus.item->difference, &own);
    write_skips(h);
    html_raw(h, "<header>");
    write_ring(h);
    html_raw(h, "<div class=\"verdict\">");
    write_eyebrow(h);
    html_raw(h, "<h1>");
    say_headline(h, &focus);
    html_raw(h, "</h1>");
    write_lead(h, &focus, own.length ? text_string(&own) : lead);
    write_state(h);
    html_raw(h, "</div></header>\n");
    write_next(h, &focus);
    write_parts(h);
    focus_close(&focus);
}
