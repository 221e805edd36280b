/* The page: every pair's sources side by side, in one file without scripts.
 *
 * Its style is that of the reports, in both colour schemes. Sources and names are strangers': they
 * reach the page through escape_html() alone. The page states evidence and what it cannot know, in
 * the sentences of reports/messages.def. */
#include "grader/similarity/show.h"

#include "reports/escape.h"
#include "reports/html/style_source.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 800, MOST_LINE_BYTES = 300, MOST_SOURCES = 60, OPEN_SOURCES = 3, BEST = 3 };

static const char own_style[] =
    "main { max-width: 92rem; }\n"
    ".pairs td:first-child b { font-variant-numeric: tabular-nums; }\n"
    ".sides { table-layout: fixed; background: var(--card); border: 1px solid var(--line); }\n"
    ".sides td, .sides th { border: 0; padding: .04rem .4rem; vertical-align: baseline; }\n"
    ".sides tbody th { width: 3.4rem; font: .8rem var(--mono); color: var(--soft); "
    "text-align: right; user-select: none; }\n"
    ".sides th:first-child, .sides th:nth-child(3) { width: 3.4rem; }\n"
    ".sides td { font: .8rem/1.45 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; "
    "tab-size: 4; }\n"
    ".sides thead th { font: 600 .88rem var(--sans); color: var(--ink); text-align: left; "
    "padding: .4rem; overflow-wrap: anywhere; white-space: normal; }\n"
    ".sides .agree { background: var(--warn-tint); color: var(--ink); }\n"
    ".sides .moved { background: var(--blue-tint); color: var(--ink); }\n"
    ".sides .moved i { float: right; font: normal .74rem var(--sans); color: var(--ink); }\n"
    ".key .agree { background: var(--warn-tint); box-shadow: inset 0 0 0 1px var(--warn-fill); }\n"
    ".key .moved { background: var(--blue-tint); box-shadow: inset 0 0 0 1px var(--blue-fill); }\n"
    ".facts { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin: .4rem 0; }\n"
    "@media (max-width: 46rem) { .sides tbody th, .sides th:first-child, .sides th:nth-child(3) "
    "{ width: 2.2rem; } .sides td { font-size: .68rem; padding: .04rem .15rem; } }\n";

static void append_foreign(struct text *out, const char *text) {
    escape_html(out, text, strlen(text));
}

static void append_who(struct text *out, enum language language,
                       const struct similarity_item *item) {
    append_foreign(out, item->student);
    if (item->role == SIMILARITY_EARLIER) {
        text_printf(out, " <small>%s", WORDS(language, similar_from));
        append_foreign(out, item->origin);
        text_append(out, "</small>");
    }
}

/* "ada and ben of last.sqlite" */
static void append_both(struct text *out, enum language language,
                        const struct similarity_class *class, const struct similarity_pair *pair) {
    append_who(out, language, &class->items[pair->left]);
    text_append(out, WORDS(language, similar_and));
    append_who(out, language, &class->items[pair->right]);
}

/* ---- sources --------------------------------------------------------------------------------- */

struct lines {
    const char **starts;
    size_t *lengths;
    size_t count, capacity, length_capacity;
    bool cut;
};

static struct lines split(const struct similarity_item *item) {
    struct lines lines = {0};
    const char *end = item->text + item->length;
    for (const char *at = item->text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at), count = lines.count;
        if (lines.count == MOST_LINES) {
            lines.cut = true;
            break;
        }
        *mem_push(&lines.starts, &lines.count, &lines.capacity) = at;
        *mem_push(&lines.lengths, &count, &lines.length_capacity) = length;
        at += length + 1;
    }
    return lines;
}

static void free_lines(struct lines *lines) {
    free(lines->starts);
    free(lines->lengths);
}

static void append_line(struct text *out, enum language language, const struct lines *lines,
                        uint32_t number, const char *css_class, uint32_t elsewhere) {
    if (!number) {
        text_append(out, "<th></th><td></td>");
        return;
    }
    const char *start = lines->starts[number - 1];
    size_t length = lines->lengths[number - 1], shown = length;
    if (length && start[length - 1] == '\r')
        shown = --length;
    if (shown > MOST_LINE_BYTES)
        for (shown = MOST_LINE_BYTES; shown && ((unsigned char)start[shown] & 0xc0) == 0x80;)
            shown--;
    text_printf(out, "<th scope=\"row\">%u</th><td%s>", number, css_class);
    if (elsewhere) {
        text_append(out, "<i>");
        text_printf(out, WORDS(language, similar_elsewhere), elsewhere);
        text_append(out, "</i>");
    }
    escape_html(out, start, shown);
    text_append(out, shown < length ? "\u2026</td>" : "</td>");
}

static const char *class_of_line(bool agree, uint32_t elsewhere) {
    return agree ? " class=\"agree\"" : elsewhere ? " class=\"moved\"" : "";
}

static void append_sources(struct text *out, enum language language,
                           const struct similarity_class *class,
                           const struct similarity_pair *pair) {
    struct lines left = split(&class->items[pair->left]);
    struct lines right = split(&class->items[pair->right]);
    size_t count;
    cleanup_free struct similarity_row *rows =
        similarity_align(pair, left.count, right.count, &count);
    text_append(out, "<div class=\"scroll\"><table class=\"sides\"><thead><tr><th></th>"
                     "<th scope=\"col\">");
    append_who(out, language, &class->items[pair->left]);
    text_append(out, "</th><th></th><th scope=\"col\">");
    append_who(out, language, &class->items[pair->right]);
    text_append(out, "</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const struct similarity_row *row = &rows[i];
        text_append(out, "<tr>");
        append_line(out, language, &left, row->left, class_of_line(row->agree, row->left_elsewhere),
                    row->left_elsewhere);
        append_line(out, language, &right, row->right,
                    class_of_line(row->agree, row->right_elsewhere), row->right_elsewhere);
        text_append(out, "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
    if (left.cut || right.cut) {
        text_append(out, "<p class=\"soft\">");
        text_printf(out, WORDS(language, similar_first_lines), MOST_LINES);
        text_append(out, "</p>\n");
    }
    free_lines(&left);
    free_lines(&right);
}

/* ---- one pair -------------------------------------------------------------------------------- */

static void append_facts(struct text *out, enum language language,
                         const struct similarity_pair *pair) {
    static const char open[] = "<b>", close[] = "</b>";
    text_append(out, "<p class=\"facts\"><span>");
    text_printf(out, WORDS(language, similar_share_of), open, 100 * pair->share, close);
    text_append(out, "</span><span>");
    text_printf(out, WORDS(language, similar_rare), open, 100 * pair->rarity, close);
    text_append(out, "</span><span>");
    text_printf(out, WORDS(language, similar_bits_of), open, pair->bits, close);
    text_append(out, "</span>");
    const char *strength = similarity_word_strength(language, pair);
    if (*strength)
        text_printf(out, "<span>%s</span>", strength);
    text_append(out, "</p>\n");
}

static void append_words(struct text *out, enum language language,
                         const struct similarity_pair *pair) {
    if (!pair->words_shared)
        return;
    text_append(out, "<p>");
    text_printf(out, WORDS(language, similar_words), pair->words_shared, pair->word_bits);
    for (size_t i = 0; i < pair->word_count; i++) {
        text_append(out, i ? ", <code>" : "<code>");
        append_foreign(out, pair->words[i].text);
        text_append(out, "</code> <small>");
        text_printf(out, WORDS(language, similar_lines), pair->words[i].left_line,
                    pair->words[i].right_line);
        text_append(out, "</small>");
    }
    text_append(out, pair->word_count < pair->words_shared ? " \u2026</p>\n" : "</p>\n");
}

static void append_pair(struct text *out, enum language language,
                        const struct similarity_class *class, size_t index, size_t number,
                        const struct similarity_pair *pair) {
    text_printf(out, "<details class=\"card\" id=\"p%zu-%zu\"%s><summary><span class=\"what\">",
                index, number, number < OPEN_SOURCES ? " open" : "");
    append_both(out, language, class, pair);
    text_printf(out, "</span> <span class=\"tag\">%.0f %%</span></summary>\n", 100 * pair->score);
    append_facts(out, language, pair);
    append_words(out, language, pair);
    append_sources(out, language, class, pair);
    text_append(out, "</details>\n");
}

/* ---- an exercise ----------------------------------------------------------------------------- */

static size_t count_shown(const struct similarity_report *report,
                          const struct similarity_result *result) {
    size_t count = 0;
    while (count < result->pair_count && count < MOST_SOURCES &&
           (result->pairs[count].score >= report->threshold || count < BEST))
        count++;
    return count;
}

static void append_table(struct text *out, const struct similarity_report *report, size_t index,
                         size_t count) {
    const struct similarity_class *class = &report->set->classes[index];
    const struct similarity_result *result = &report->results[index];
    enum language language = report->language;
    const char *const columns[] = {
        WORDS(language, similar_score), WORDS(language, similar_submissions),
        WORDS(language, similar_share), WORDS(language, similar_rarity),
        WORDS(language, similar_bits),  WORDS(language, similar_word_bits),
        WORDS(language, similar_group), ""};
    text_append(out, "<div class=\"scroll\"><table class=\"pairs\"><thead><tr>");
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
        text_printf(out, "<th>%s</th>", columns[i]);
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const struct similarity_pair *pair = &result->pairs[i];
        bool linked = pair->score >= report->threshold;
        text_printf(out, "<tr><td><b>%.0f %%</b></td><td>", 100 * pair->score);
        if (linked)
            text_printf(out, "<a href=\"#p%zu-%zu\">", index, i);
        append_both(out, language, class, pair);
        text_printf(out, "%s</td><td>%.0f %%</td><td>%.0f %%</td><td>%.0f</td><td>%.0f</td><td>",
                    linked ? "</a>" : "", 100 * pair->share, 100 * pair->rarity, pair->bits,
                    pair->word_bits);
        if (pair->cluster)
            text_printf(out, "%zu", pair->cluster);
        text_printf(out, "</td><td>%s</td></tr>\n", similarity_word_strength(language, pair));
    }
    text_append(out, "</tbody></table></div>\n");
}

static void append_groups(struct text *out, enum language language,
                          const struct similarity_class *class,
                          const struct similarity_result *result) {
    for (size_t cluster = 1; cluster <= result->cluster_count; cluster++) {
        size_t count = 0, written = 0;
        for (size_t i = 0; i < class->item_count; i++)
            count += result->clusters[i] == cluster;
        if (count < 3)
            continue;
        text_append(out, "<p><b>");
        text_printf(out, WORDS(language, similar_group_of), cluster, count);
        text_append(out, "</b> ");
        for (size_t i = 0; i < class->item_count; i++)
            if (result->clusters[i] == cluster) {
                text_append(out, written++ ? ", " : "");
                append_who(out, language, &class->items[i]);
            }
        text_append(out, "</p>\n");
    }
}

static void append_problems(struct text *out, enum language language,
                            const struct similarity_class *class,
                            const struct similarity_result *result) {
    size_t count = 0;
    for (size_t i = 0; i < class->item_count; i++) {
        const struct similarity_item *item = &class->items[i];
        if (!result->problems[i] || item->role == SIMILARITY_OWN ||
            item->role == SIMILARITY_SKELETON)
            continue;
        if (!count++)
            text_printf(out, "<details><summary>%s</summary><ul class=\"soft\">\n",
                        WORDS(language, similar_uncompiled));
        text_append(out, "<li>");
        append_who(out, language, item);
        text_append(out, ": ");
        append_foreign(out, result->problems[i]);
        text_append(out, "</li>\n");
    }
    text_append(out, count ? "</ul></details>\n" : "");
}

static void append_class(struct text *out, const struct similarity_report *report, size_t index) {
    const struct similarity_class *class = &report->set->classes[index];
    const struct similarity_result *result = &report->results[index];
    enum language language = report->language;
    size_t count = count_shown(report, result);
    text_append(out, "<section>\n<h2>");
    append_foreign(out, *class->exercise ? class->exercise : WORDS(language, similar_no_exercise));
    text_append(out, "</h2>\n<p>");
    text_printf(out, WORDS(language, similar_counts), result->submissions, result->compared, "<b>",
                result->found, 100 * report->threshold, "</b>");
    text_append(out, "</p>\n");
    if (result->too_small && result->submissions > 1) {
        text_append(out, "<p class=\"next\">");
        text_printf(out, WORDS(language, similar_too_small), "<b>", "</b>");
        text_append(out, "</p>\n");
    }
    if (!report->set->exercises[index])
        text_printf(out, "<p class=\"soft\">%s</p>\n", WORDS(language, similar_unknown));
    append_groups(out, language, class, result);
    if (count)
        append_table(out, report, index, count);
    for (size_t i = 0; i < count; i++)
        if (result->pairs[i].score >= report->threshold)
            append_pair(out, language, class, index, i, &result->pairs[i]);
    append_problems(out, language, class, result);
    text_append(out, "</section>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void append_head(struct text *out, enum language language) {
    const char *title = WORDS(language, similar_title);
    text_printf(out,
                "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\">\n<title>%s</title>\n<style>\n",
                language == LANGUAGE_ZH ? "zh-CN" : "en", title);
    text_append(out, html_styles[0].text);
    text_append(out, own_style);
    text_printf(out, "</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n", title);
    text_printf(out, "<p class=\"lead\">%s</p>\n", WORDS(language, similar_limits));
    text_printf(out,
                "<p class=\"soft\">%s</p>\n<p class=\"key\"><span><i class=\"agree\"></i>%s</span>"
                "<span><i class=\"moved\"></i>%s</span></p>\n",
                WORDS(language, similar_method), WORDS(language, similar_agree),
                WORDS(language, similar_moved));
}

void similarity_write_html(const struct similarity_report *report, struct text *out) {
    enum language language = report->language;
    append_head(out, language);
    for (size_t i = 0; i < report->set->count; i++)
        append_class(out, report, i);
    text_append(out, "<footer>");
    for (const char *at = text_string(&report->set->notes); *at;) {
        size_t length = strcspn(at, "\n");
        text_printf(out, "<p>%s", WORDS(language, similar_passed_over));
        escape_html(out, at, length);
        text_append(out, "</p>\n");
        at += length + (at[length] == '\n');
    }
    text_printf(out, "<p>%s</p></footer>\n</main>\n</body>\n</html>\n",
                WORDS(language, similar_teams));
}
