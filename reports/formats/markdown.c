/* The report as a page of Markdown: for a pull request, an issue, or the summary of a step
 * (`--report markdown=$GITHUB_STEP_SUMMARY`), which GitHub refuses above 1024 KiB.
 *
 * Foreign text is never markup: outside of code every character that Markdown, HTML or GitHub gives
 * a meaning is escaped; a block of code has a fence longer than any run of backticks in it. What
 * does not fit is left out whole, submission by submission, and counted. */
#include "reports/escape.h"
#include "reports/formats/finding.h"
#include "reports/formats/words.h"
#include "reports/message.h"
#include "reports/protection.h"
#include "reports/text/text_case.h"
#include "reports/writers.h"
#include "sandbox/base/memory.h"

#include <string.h>

enum {
    MOST_BYTES = 1000 * 1024,
    MOST_TABLE_BYTES = 200 * 1024, /* of the table of submissions */
    MOST_CELL_BYTES = 600,         /* of a text in a line */
    MOST_FINDINGS = 20,
    MOST_CASES = 40
};

/* ---- text ------------------------------------------------------------------------------------ */

/* On one line and cut: what a cell of a table or the item of a list can hold. Newlines and tabs
 * become spaces. */
static void append_inline(struct text *out, const char *string) {
    cleanup_text struct text line = {0};
    size_t length = strlen(string), kept = length > MOST_CELL_BYTES ? MOST_CELL_BYTES : length;
    while (kept < length && kept && ((unsigned char)string[kept] & 0xc0) == 0x80)
        kept--; /* in front of a character, not inside of it */
    for (size_t i = 0; i < kept; i++)
        text_append_char(&line, strchr("\n\r\t", string[i]) ? ' ' : string[i]);
    escape_markdown(out, text_string(&line), line.length);
    if (kept < length)
        text_append(out, " \u2026");
}

/* The same for sentences that may quote code between backticks. */
static void append_prose(struct text *out, const char *string) {
    while (*string) {
        const char *open = strchrnul(string, '`');
        const char *close = *open ? strchr(open + 1, '`') : NULL;
        cleanup_free char *plain =
            mem_strndup(string, (size_t)((close ? open : strchr(string, 0)) - string));
        append_inline(out, plain);
        if (!close)
            return;
        cleanup_free char *code = mem_strndup(open + 1, (size_t)(close - open) - 1);
        text_append(out, "<code>");
        append_inline(out, code);
        text_append(out, "</code>");
        string = close + 1;
    }
}

static size_t longest_run(const struct text *text, char character) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < text->length; i++) {
        run = text->data[i] == character ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* `code` is escaped as for a terminal already. */
static void append_code(struct text *out, const struct text *code) {
    size_t run = longest_run(code, '`');
    size_t fence = run < 3 ? 3 : run + 1;
    text_append_repeated(out, '`', fence);
    text_append_char(out, '\n');
    text_append_bytes(out, text_string(code), code->length);
    text_append_repeated(out, '`', fence);
    text_append_char(out, '\n');
}

static enum language language_of(const struct report *report) {
    return language_from_name(report->language);
}

static const char *mark_of(const struct report *report) {
    return report->passed ? "\u2705" : "\u274c";
}

/* ---- one submission -------------------------------------------------------------------------- */

static void write_head(struct text *out, const struct report *report) {
    text_printf(out, "## %s ", mark_of(report));
    append_inline(out, report->file ? report->file : "submission");
    text_append(out, WORDS(language_of(report), colon));
    words_append_result(out, report);
    text_append(out, "\n\n");
    if (report->exercise) {
        text_append(out, "**");
        append_inline(out, report->exercise);
        text_append(out, "**");
        if (report->title && *report->title) {
            text_append(out, WORDS(language_of(report), colon));
            append_inline(out, report->title);
        }
        text_append(out, "\n\n");
    }
    if (report->protection.kind == PROTECTION_NONE) {
        text_append(out, "> ");
        text_printf(out, WORDS(language_of(report), this_report_was),
                    protection_warning_in(language_of(report)));
        text_append(out, "\n\n");
    }
    if (report->message && *report->message && report_was_graded(report)) {
        append_inline(out, report->message);
        text_append(out, "\n\n");
    }
}

static void write_groups(struct text *out, const struct report *report) {
    if (!report->group_count)
        return;
    text_append(out, WORDS(language_of(report), table_of_groups));
    text_append(out, "\n|---|---:|---:|\n");
    for (size_t i = 0; i < report->group_count; i++) {
        const struct report_group *group = &report->groups[i];
        text_append(out, "| ");
        append_inline(out, group->name ? group->name : "");
        text_append(out, " | ");
        report_append_score(out, language_of(report), group->score, group->max_score);
        text_printf(out, " | %zu / %zu |\n", group->passed_count, group->case_count);
    }
    text_append_char(out, '\n');
}

/* The lines around the finding, with their numbers and a mark. */
static void write_excerpt(struct text *out, const struct finding *finding) {
    const struct report *report = finding->report;
    cleanup_text struct text code = {0};
    if (!finding->in_submission || !finding->line || !report->source)
        return;
    report_excerpt(report->source, report->source_length, finding->line, finding->column, 1, false,
                   &code);
    if (!code.length)
        return;
    append_code(out, &code);
    text_append_char(out, '\n');
}

static void write_remark(struct text *out, const char *label, const char *text) {
    if (!text || !*text)
        return;
    text_append(out, label);
    append_prose(out, text);
    text_append(out, "\n\n");
}

static void write_places(struct text *out, const struct finding *finding) {
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct finding_place *place = &finding->places[i];
        text_append(out, "- ");
        append_inline(out, place->file);
        text_printf(out, ":%u%s", place->line, WORDS(language_of(finding->report), colon));
        append_inline(out, place->message);
        text_append_char(out, '\n');
    }
    text_append(out, finding->place_count ? "\n" : "");
}

static void write_finding(struct text *out, const struct finding *finding) {
    enum language language = language_of(finding->report);
    text_printf(out, "### %s %s", finding->level == FINDING_ERROR ? "\u274c" : "\u26a0\ufe0f",
                finding->rule);
    if (finding->line) {
        text_append(out, WORDS(language, at_place));
        append_inline(out, finding->file);
        text_printf(out, ":%u", finding->line);
    }
    if (finding->case_count > 1)
        text_printf(out, WORDS(language, in_n_cases), finding->case_count);
    text_append(out, "\n\n");
    append_prose(out, finding->message);
    text_append(out, "\n\n");
    write_excerpt(out, finding);
    write_places(out, finding);
    write_remark(out, WORDS(language, hint_is), finding->hint);
    write_remark(out, WORDS(language, fix_is), finding->fix);
}

static void write_findings(struct text *out, const struct report *report) {
    struct findings findings;
    findings_collect(&report, 1, &findings);
    for (size_t i = 0; i < findings.count && i < MOST_FINDINGS; i++)
        write_finding(out, &findings.items[i]);
    if (findings.count > MOST_FINDINGS) {
        text_printf(out, WORDS(language_of(report), n_more), findings.count - MOST_FINDINGS);
        text_append(out, "\n\n");
    }
    findings_free(&findings);
}

static void write_case(struct text *out, enum language language, const struct report_case *item) {
    cleanup_text struct text sizes = {0};
    text_case_append_sizes(&sizes, item->sizes, item->size_count);
    text_append(out, "| ");
    append_inline(out, item->name ? item->name : "");
    text_append(out, " | ");
    append_inline(out, text_string(&sizes));
    text_printf(out, " | %s | ", report_case_verdict(language, item));
    append_inline(out, item->message ? item->message : "");
    text_append(out, " |\n");
}

/* Folded, because the findings above have said it. */
static void write_cases(struct text *out, const struct report *report) {
    size_t failing = 0, shown = 0;
    for (size_t i = 0; i < report->case_count; i++)
        failing += report->cases[i].verdict != VERDICT_PASS;
    if (!failing || report->build_message || !report_was_graded(report))
        return;
    enum language language = language_of(report);
    text_append(out, "<details><summary>");
    text_printf(out, WORDS(language, cases_not_passed), failing, report->case_count);
    text_printf(out, "</summary>\n\n%s\n|---|---|---|---|\n", WORDS(language, table_of_cases));
    for (size_t i = 0; i < report->case_count && shown < MOST_CASES; i++)
        if (report->cases[i].verdict != VERDICT_PASS) {
            write_case(out, language, &report->cases[i]);
            shown++;
        }
    if (shown < failing) {
        text_append_char(out, '\n');
        text_printf(out, WORDS(language, n_more), failing - shown);
        text_append_char(out, '\n');
    }
    text_append(out, "\n</details>\n\n");
}

static void write_report(struct text *out, const struct report *report) {
    write_head(out, report);
    write_groups(out, report);
    write_findings(out, report);
    write_cases(out, report);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void write_table(struct text *out, const struct report *const *reports, size_t count) {
    enum language language = language_of(reports[0]);
    text_append(out, WORDS(language, table_of_submissions));
    text_append(out, "\n|---|---|---|---:|---|\n");
    for (size_t i = 0; i < count; i++) {
        if (out->length > MOST_TABLE_BYTES) {
            text_append_char(out, '\n');
            text_printf(out, WORDS(language, n_more), count - i);
            text_append_char(out, '\n');
            break;
        }
        text_printf(out, "| %s | ", mark_of(reports[i]));
        append_inline(out, reports[i]->file ? reports[i]->file : "");
        text_append(out, " | ");
        append_inline(out, reports[i]->exercise ? reports[i]->exercise : "");
        text_append(out, " | ");
        report_append_score(out, language, reports[i]->score, reports[i]->max_score);
        text_printf(out, " | %s |\n", report_verdict(language, reports[i]));
    }
    text_append_char(out, '\n');
}

enum status report_write_markdown(const struct report *const *reports, size_t count,
                                  const struct report_options *options, struct text *out,
                                  struct error *error) {
    (void)options;
    (void)error; /* writing into memory does not fail */
    cleanup_text struct text page = {0};
    if (count == 0)
        text_printf(&page, "\u274c %s\n", WORDS(LANGUAGE_EN, nothing_graded));
    if (count > 1)
        write_table(&page, reports, count);
    size_t left_out = 0;
    for (size_t i = 0; i < count; i++) {
        cleanup_text struct text section = {0};
        write_report(&section, reports[i]);
        if (page.length + section.length <= MOST_BYTES)
            text_append_bytes(&page, text_string(&section), section.length);
        else
            left_out++;
    }
    if (left_out) {
        text_printf(&page, WORDS(language_of(reports[0]), no_room), left_out);
        text_append_char(&page, '\n');
    }
    text_append_bytes(out, text_string(&page), page.length);
    return STATUS_OK;
}
