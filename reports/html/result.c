/* Cases that failed and what came out of them: one in full, the one whose picture tells most, and
 * the others as small pictures side by side. What has none stands in the table of all cases. */
#include "reports/html/html.h"

#include "reports/text/text_case.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum { MOST_TILES = 16, MOST_PRINTED = 2000 };

static void write_difference(struct html *h, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    cleanup_text struct text expected = {0}, actual = {0};
    text_case_append_values(d, &expected, &actual);
    html_raw(h, "<dl class=\"values\"><dt>");
    html_foreign(h, d->output);
    html_foreign(h, d->index);
    html_raw(h, "</dt><dt>");
    html_say(h, SAY_EXPECTED, NULL);
    html_tagged(h, "</dt><dd class=\"ok\">", text_string(&expected), "</dd><dt>");
    html_say(h, SAY_ACTUAL, NULL);
    html_raw(h, "</dt><dd class=\"bad\">");
    if (d->never_written)
        html_say(h, SAY_NEVER_WRITTEN, NULL);
    else
        html_foreign(h, text_string(&actual));
    html_raw(h, "</dd>");
    if (d->allowed > 0) {
        html_raw(h, "<dt>");
        html_say(h, SAY_ALLOWED, NULL);
        html_printf(h, "</dt><dd>%s</dd>", decimal(d->allowed, 3).text);
    }
    html_raw(h, "</dl>");
    if (d->total > 1) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_DIFFERING, html_number(d->differing).text, html_number(d->total).text,
                 NULL);
        html_raw(h, "</p>");
    }
}

/* Of an output of one element the value says more than how many are wrong. */
void html_append_values(const struct html *h, const struct report_difference *d, struct text *out) {
    cleanup_text struct text expected = {0}, actual = {0}, name = {0};
    text_case_append_values(d, &expected, &actual);
    text_printf(&name, "%s%s", d->output ? d->output : "", d->index ? d->index : "");
    html_fill(h, out, d->never_written ? SAY_VALUE_MISSING : SAY_VALUES, text_string(&name),
              text_string(&expected), text_string(&actual), NULL);
}

static void write_wrong(struct html *h, const struct report_difference *d) {
    cleanup_text struct text values = {0};
    html_raw(h, "<p class=\"soft\">");
    if (d->total > 1)
        html_say(h, SAY_DIFFERING, html_number(d->differing).text, html_number(d->total).text,
                 NULL);
    else
        html_append_values(h, d, &values);
    html_foreign(h, text_string(&values));
    html_raw(h, "</p>");
}

/* Another failing case: a small picture, and what its first wrong element is. */
static void write_tile(struct html *h, const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    html_raw(h, "<li>");
    html_small_output(h, item);
    html_tagged(h, "<p><b>", item->name, "</b>");
    if (item->essential) {
        html_raw(h, " <small>");
        html_say(h, SAY_ESSENTIAL, NULL);
        html_raw(h, "</small>");
    }
    html_tagged(h, "</p><p class=\"mono soft\">", text_string(&sizes), "</p>");
    if (d->present)
        write_wrong(h, d);
    else
        html_tagged_prose(h, "<p class=\"soft\">", item->message, "</p>");
    html_raw(h, "</li>\n");
}

static void write_cause(struct html *h, const struct report_cause *cause) {
    if (!cause->present)
        return;
    html_raw(h, "<p class=\"cause\"><b>");
    html_say(h, SAY_PROBABLE_CAUSE, NULL);
    html_raw(h, "</b> ");
    html_prose(h, cause->text);
    if (cause->evidence && *cause->evidence) {
        html_raw(h, " <span class=\"soft\">");
        html_say(h, SAY_BECAUSE, cause->evidence, NULL);
        html_raw(h, "</span>");
    }
    html_raw(h, "</p>");
}

static void write_printed(struct html *h, const char *printed) {
    size_t left = MOST_PRINTED;
    if (!printed || !*printed)
        return;
    html_raw(h, "<details><summary>");
    html_say(h, SAY_PRINTED, NULL);
    html_raw(h, "</summary><pre class=\"code\" tabindex=\"0\">");
    while (*printed && left) {
        size_t length = strcspn(printed, "\n"), shown = length < left ? length : left;
        html_raw(h, "<span class=\"line\"><span>");
        html_foreign_bytes(h, printed, shown);
        html_raw(h, "</span></span>");
        left -= shown;
        printed += length + (printed[length] == '\n');
        left -= left > 0;
    }
    html_raw(h, "</pre></details>");
}

static void write_heading(struct html *h, const struct report_case *item) {
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    html_printf(h, "<span class=\"tag %s\">", html_verdict_class(item->verdict));
    html_say(h, html_case_verdict(item), NULL);
    html_tagged(h, "</span> <span class=\"what\">", item->name, "</span> <span class=\"soft\">");
    html_foreign(h, text_string(&sizes));
    if (item->essential) {
        html_raw(h, " · ");
        html_say(h, SAY_ESSENTIAL, NULL);
    }
    if (item->found_on_card) {
        html_raw(h, " · ");
        html_say(h, SAY_ON_CARD, NULL);
    }
    html_raw(h, "</span>");
}

/* A finding says it above: here is what the case shows besides. */
static bool is_found(const struct report_case *item) {
    return item->hazard_count && item->verdict != VERDICT_WRONG_ANSWER;
}

static void write_full(struct html *h, const struct report_case *item, bool is_hint_known) {
    html_raw(h, "<article class=\"card\"><h3>");
    write_heading(h, item);
    html_raw(h, "</h3>\n");
    if (item->message && *item->message && !is_found(item))
        html_tagged_prose(h, "<p class=\"message\">", item->message, "</p>\n");
    if (item->difference.present) {
        html_raw(h, html_has_output(item) ? "<div class=\"pair\"><div>" : "<div class=\"single\">");
        html_output(h, item);
        html_raw(h, html_has_output(item) ? "</div><div>" : "<div>");
        write_difference(h, item);
        if (item->tolerance)
            html_tagged(h, "<p class=\"soft\">", item->tolerance, "</p>");
        html_raw(h, "</div></div>\n");
    }
    write_cause(h, &item->cause);
    write_printed(h, item->printed);
    if (item->hint && *item->hint && !is_hint_known) {
        html_raw(h, "<dl class=\"advice\"><dt>");
        html_say(h, SAY_HINT, NULL);
        html_raw(h, "</dt><dd>");
        html_prose(h, item->hint);
        html_raw(h, "</dd></dl>\n");
    }
    html_raw(h, "</article>\n");
}

/* Cases that a finding or the compiler explains already show nothing of their own. */
static bool is_shown(const struct report *report, const struct report_case *item) {
    bool explained = report->build_message && !item->found_on_card;
    return html_is_failure(item) && !explained && !item->speed.present &&
           (item->difference.present || item->printed || !item->hazard_count);
}

/* How much a case's picture tells: one of several elements that are partly right, not too small. */
static int worth_of(const struct report_case *item) {
    const struct report_difference *d = &item->difference;
    return 4 * (d->present && d->window.cells && d->differing < d->total) +
           2 * (d->total > 64 && d->total < 4096) + (d->total > 1) + 2 * item->cause.present +
           item->essential;
}

static const struct report_case *find_best(const struct report *report) {
    const struct report_case *best = NULL;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (is_shown(report, item) && (!best || worth_of(item) > worth_of(best)))
            best = item;
    }
    return best;
}

/* Not one sentence time after time. */
static bool has_tile(const struct report_case *item, const struct report_case *best) {
    return item != best && (item->difference.present || item->verdict != best->verdict);
}

/* The others, as small pictures side by side. */
static void write_others(struct html *h, const struct report_case *best) {
    const struct report *report = h->report;
    size_t shown = 0, left = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!has_tile(item, best) || !is_shown(report, item))
            continue;
        if (shown == MOST_TILES) {
            left++;
            continue;
        }
        html_raw(h, shown++ ? "" : "<ul class=\"tiles\">\n");
        write_tile(h, item);
    }
    html_raw(h, shown ? "</ul>\n" : "");
    if (left) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_MORE_CASES, html_number(left).text, NULL);
        html_raw(h, "</p>\n");
    }
}

void html_results(struct html *h) {
    const struct report *report = h->report;
    const struct report_case *best = find_best(report);
    if (!best)
        return;
    html_raw(h, "<section><h2>");
    html_say(h, best->difference.present ? SAY_WRONG_RESULTS : SAY_WENT_WRONG, NULL);
    html_raw(h, "</h2>\n");
    write_full(h, best, html_is_next(h, best->hint));
    for (size_t i = 0; i < report->case_count; i++)
        if (&report->cases[i] != best && is_shown(report, &report->cases[i]))
            write_cause(h, &report->cases[i].cause);
    write_others(h, best);
    html_raw(h, "</section>\n");
}
