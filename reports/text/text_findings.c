/* Everything wrong with a submission, worst first: what the compiler says, hazards, failing cases.
 *
 * A reader mends one thing at a time: the first finding is there in full, the others on a line
 * each, and the cases that fail are counted. With --verbose all of it is in full. */
#include "reports/text/text_parts.h"

#include "reports/explain.h"
#include "reports/hazards.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES = 5,        /* findings on a line each beside the one in full */
    LISTED_CASES = 20 /* with --verbose, of cases that a hazard explains */
};

/* ---- the compiler ---------------------------------------------------------------------------- */

static void print_diagnostic_line(const struct terminal *t, const struct build_diagnostic *d) {
    static const enum pen pens[] = {PEN_BOLD_RED, PEN_BOLD_YELLOW, PEN_CYAN};
    cleanup_text struct text line = {0};
    if (d->file[0])
        text_printf(&line, d->line ? "%s:%u: " : "%s: ", d->file, d->line);
    text_append_bytes(&line, d->text, strcspn(d->text, "\n"));
    terminal_print(t, pens[d->severity], d->severity == BUILD_ERROR ? "\u2717 " : "! ");
    terminal_cut(t, PEN_PLAIN, text_string(&line), t->width - 2);
    text_append_char(t->out, '\n');
}

static void print_build_message(const struct terminal *t, const struct report *report) {
    bool said = report->message && strstr(report->message, report->build_message);
    if (!said) {
        text_append(t->out, "\n  ");
        terminal_wrap(t, PEN_PLAIN, report->build_message, 2, 2);
    }
    if (report->build_hint && *report->build_hint) {
        text_append_char(t->out, '\n');
        hazards_detail_label(t, WORDS(t->language, label_hint));
        terminal_wrap(t, PEN_PLAIN, report->build_hint, DETAIL_INDENT, DETAIL_INDENT);
    }
}

/* Of a submission that compiles the warnings come on a line each; -v has them in full. */
static void print_diagnostics(const struct terminal *t, const struct report *report, bool verbose) {
    bool failed = report->build_message != NULL;
    size_t full = verbose ? report->diagnostic_count : failed, lines = 0;
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct build_diagnostic *diagnostic = &report->diagnostics[i];
        if (i <= full)
            text_append_char(t->out, '\n');
        if (i < full)
            report_diagnostic(t, diagnostic, report->file, report->source, report->source_length);
        else if (lines++ < LINES)
            print_diagnostic_line(t, diagnostic);
    }
    if (lines > LINES)
        terminal_printf(t, PEN_DIM, WORDS(t->language, more_diagnostics), lines - LINES);
    if (failed)
        print_build_message(t, report);
}

/* ---- hazards --------------------------------------------------------------------------------- */

static size_t cases_run(const struct report *report) {
    size_t ran = 0;
    for (size_t i = 0; i < report->case_count; i++)
        ran += report->cases[i].verdict != VERDICT_SKIPPED;
    return ran;
}

/* The findings of the report: all, or those with one cause as one. The caller frees. */
static struct merged_hazard *find_hazards(const struct report *report, bool verbose,
                                          size_t *count) {
    struct merged_hazard *merged;
    hazards_merge(report, &merged, count);
    if (!verbose)
        hazards_join(merged, count);
    return merged;
}

static bool is_error(const struct merged_hazard *merged) {
    return merged->first->severity != SEVERITY_WARNING;
}

/* Where nothing is wrong, what bounds the time is what there is to read about. */
static const char *limiter_page(const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (item->speed.present && item->speed.limiter && item->score < item->max_score)
            return explain_limiter(item->speed.limiter);
    }
    return NULL;
}

const char *text_findings_page(const struct report *report) {
    size_t count;
    cleanup_free struct merged_hazard *merged = find_hazards(report, false, &count);
    bool decides = count && (is_error(merged) || !text_is_wrong(report));
    if (decides)
        return hazard_infos[merged->first->kind].name;
    return text_is_wrong(report) ? NULL : limiter_page(report);
}

static void print_hazard_lines(const struct terminal *t, const struct report *report,
                               const struct merged_hazard *merged, size_t count) {
    size_t most = t->terse >= TERSE_FINDINGS && count > 1 ? 0 : LINES;
    for (size_t i = 0; i < count && i < most; i++)
        hazards_print_line(t, &merged[i], cases_run(report));
    if (count > most)
        terminal_printf(t, PEN_DIM, WORDS(t->language, more_hazards), count - most);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* What the compiler said of the whole submission; of a card's code the case's message says it. */
static bool is_of_the_build(const struct report_case *item) {
    return item->verdict == VERDICT_COMPILE_ERROR && !item->found_on_card;
}

/* Does the compiler or a hazard explain the case already? */
static bool is_explained(const struct report_case *item) {
    if (is_of_the_build(item) || item->speed.present)
        return true;
    return item->hazard_count && item->verdict != VERDICT_WRONG_ANSWER &&
           item->verdict != VERDICT_TOO_SLOW && !item->difference.present && !item->printed;
}

/* The exercise's hints come with every case; each is reported once, with a hazard where one decides
 * the verdict. */
static bool is_new_hint(const struct report *report, size_t index) {
    const char *hint = report->cases[index].hint;
    for (size_t i = 0; i < report->case_count && hint; i++)
        if ((i < index || hazards_decide(&report->cases[i])) && report->cases[i].hint &&
            strcmp(report->cases[i].hint, hint) == 0)
            return false;
    return hint && *hint;
}

/* Hints of cases that are explained by what no hint is attached to. */
static void print_hints(const struct terminal *t, const struct report *report) {
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!is_explained(item) || item->speed.present || !is_new_hint(report, i))
            continue;
        text_append_char(t->out, '\n');
        hazards_detail_label(t, WORDS(t->language, label_hint));
        terminal_wrap(t, PEN_PLAIN, item->hint, DETAIL_INDENT, DETAIL_INDENT);
    }
}

/* The failing case to show: the one whose cause is known, else the first that nothing explains. */
static size_t find_case(const struct report *report) {
    size_t found = report->case_count;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!text_is_failure(item) || is_explained(item))
            continue;
        if (item->cause.present)
            return i;
        found = found < i ? found : i;
    }
    return found;
}

static bool is_listed(const struct report_case *item) {
    return text_is_failure(item) && !item->speed.present && !is_of_the_build(item);
}

static bool same_name(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

enum { SIZES = 3, NAMES = 2 }; /* cases of a group that a line names */

/* " (n = 1, 31, 33, ...)" where each case has one size, else their names; nothing for cases whose
 * names only count them (generated-3). */
static void append_samples(struct text *out, enum language language, const struct report *report,
                           const char *group, const bool *shown) {
    size_t listed = 0, sized = 0;
    bool counted = true;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!is_listed(item) || shown[i] || !same_name(item->group, group))
            continue;
        listed++;
        sized += item->size_count == 1;
        counted &= item->name && group && strncmp(item->name, group, strlen(group)) == 0;
    }
    bool sizes = sized == listed;
    if (counted)
        return;
    size_t count = 0, most = sizes ? SIZES : NAMES;
    for (size_t i = 0; i < report->case_count && count < most; i++) {
        const struct report_case *item = &report->cases[i];
        if (!is_listed(item) || shown[i] || !same_name(item->group, group))
            continue;
        text_append(out, count ? ", " : WORDS(language, open_parenthesis));
        if (sizes && !count)
            text_case_append_sizes(out, item->sizes, 1);
        else if (sizes)
            text_printf(out, "%lld", (long long)item->sizes[0].value);
        else
            text_append(out, item->name ? item->name : "");
        count++;
    }
    text_append(out, listed > count ? ", ..." : "");
    text_append(out, WORDS(language, close_parenthesis));
}

static void append_group(struct text *out, enum language language, const struct report *report,
                         size_t first, const bool *shown) {
    const char *group = report->cases[first].group ? report->cases[first].group : "";
    const char *label = message_group(language, group);
    size_t failing = 0, listed = 0, all = 0;
    for (size_t i = 0; i < report->case_count; i++)
        if (same_name(report->cases[i].group, group)) {
            listed += is_listed(&report->cases[i]);
            failing += is_listed(&report->cases[i]) && !shown[i];
            all++;
        }
    if (listed == all) /* the group's line says so */
        return;
    text_append(out, out->length ? WORDS(language, semicolon) : "");
    text_printf(out, WORDS(language, cases_of), failing, all, label);
    append_samples(out, language, report, group, shown);
}

/* "also wrong  7 of 11 boundary (n = 1, 31, 33, ...)": cases that nothing has shown, of groups of
 * which others passed. */
static void print_failing(const struct terminal *t, const struct report *report, const bool *shown,
                          const char *label) {
    cleanup_text struct text groups = {0};
    for (size_t i = 0; i < report->case_count; i++) {
        bool first = is_listed(&report->cases[i]) && !shown[i];
        for (size_t j = 0; j < i && first; j++)
            first = !is_listed(&report->cases[j]) || shown[j] ||
                    !same_name(report->cases[j].group, report->cases[i].group);
        if (first)
            append_group(&groups, t->language, report, i, shown);
    }
    if (!groups.length)
        return;
    hazards_detail_label(t, label);
    terminal_wrap(t, PEN_PLAIN, text_string(&groups), DETAIL_INDENT, DETAIL_INDENT);
}

/* ---- briefly --------------------------------------------------------------------------------- */

static void print_main_hazard(const struct terminal *t, const struct report *report,
                              const struct merged_hazard *merged) {
    const struct hazards_look look = {report->file, report->source, report->source_length, true};
    text_append_char(t->out, '\n');
    hazards_print(t, merged, cases_run(report), &look);
    if (!merged->hint)
        print_hints(t, report);
}

/* The first finding in full: an error before a wrong result, and that before a warning; then a line
 * for each of the others, and one for the cases that fail. */
static bool print_brief(const struct terminal *t, const struct report *report) {
    size_t count, unexplained = find_case(report), before;
    cleanup_free struct merged_hazard *merged = find_hazards(report, false, &count);
    cleanup_free bool *shown = mem_calloc(report->case_count + 1, sizeof *shown);
    bool known = unexplained < report->case_count;
    bool full = count && (is_error(merged) || !known);
    if (full)
        print_main_hazard(t, report, merged);
    if (known && !full) {
        text_append_char(t->out, '\n');
        text_case_brief(t, &report->cases[unexplained]);
    }
    shown[unexplained] = known;
    text_append_char(t->out, '\n');
    before = t->out->length;
    print_hazard_lines(t, report, full ? merged + 1 : merged, count - full);
    if (known && full)
        text_case_sentence(t, &report->cases[unexplained]);
    print_failing(t, report, shown,
                  known ? WORDS(t->language, label_also_wrong) : WORDS(t->language, label_failing));
    bool any = t->out->length > before;
    if (!any) /* no block, no line before it */
        t->out->data[--t->out->length] = '\0';
    return any;
}

/* ---- with --verbose -------------------------------------------------------------------------- */

static void print_all_hazards(const struct terminal *t, const struct report *report) {
    size_t count;
    cleanup_free struct merged_hazard *merged = find_hazards(report, true, &count);
    const struct hazards_look look = {report->file, report->source, report->source_length, false};
    for (size_t i = 0; i < count; i++) {
        text_append_char(t->out, '\n');
        hazards_print(t, &merged[i], cases_run(report), &look);
    }
}

static void print_list(const struct terminal *t, const struct report *report, const char *title) {
    struct case_columns columns = {0};
    size_t count = 0, listed = 0;
    for (size_t i = 0; i < report->case_count; i++)
        if (is_listed(&report->cases[i]) && is_explained(&report->cases[i])) {
            text_case_columns_fit(&columns, &report->cases[i]);
            count++;
        }
    if (!count)
        return;
    text_append(t->out, "\n  ");
    terminal_printf(t, PEN_DIM, "%s\n", title);
    for (size_t i = 0; i < report->case_count && listed < LISTED_CASES; i++)
        if (is_listed(&report->cases[i]) && is_explained(&report->cases[i])) {
            text_case_line(t, &report->cases[i], &columns);
            listed++;
        }
    if (listed < count)
        terminal_printf(t, PEN_DIM, WORDS(t->language, more_cases), count - listed);
}

static void print_verbose(const struct terminal *t, const struct report *report) {
    bool any = false;
    print_all_hazards(t, report);
    print_hints(t, report);
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        if (!text_is_failure(item) || is_explained(item))
            continue;
        any = true;
        text_append_char(t->out, '\n');
        text_case_title(t, item);
        text_case_details(t, item, true);
    }
    print_list(t, report,
               any ? WORDS(t->language, label_also_failing) : WORDS(t->language, label_failing));
}

bool text_findings(const struct terminal *t, const struct report *report, bool verbose) {
    print_diagnostics(t, report, verbose);
    if (!verbose)
        return print_brief(t, report);
    print_verbose(t, report);
    return false;
}
