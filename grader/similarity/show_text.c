/* The table for a terminal. */
#include "grader/similarity/show.h"

#include "reports/escape.h"
#include "reports/message.h"
#include "sandbox/base/decimal.h"

#include <string.h>

enum { BEST = 3, MOST_MEMBERS = 12, NAME_COLUMNS = 20 };

const char *similarity_word_strength(enum language language, const struct similarity_pair *pair) {
    return pair->same_bytes  ? WORDS(language, similar_same_bytes)
           : pair->by_tokens ? WORDS(language, similar_by_tokens)
                             : "";
}

static void append_name(struct text *out, const struct similarity_item *item, size_t columns) {
    cleanup_text struct text name = {0};
    escape_terminal(&name, item->student, strlen(item->student), true);
    if (item->role == SIMILARITY_EARLIER) {
        text_append(&name, " of ");
        escape_terminal(&name, item->origin, strlen(item->origin), true);
    }
    text_append(out, text_string(&name));
    if (name.length < columns)
        text_append_repeated(out, ' ', columns - name.length);
    text_append_char(out, ' ');
}

static void append_pair(struct text *out, const struct similarity_class *class,
                        const struct similarity_pair *pair) {
    text_printf(out, "  %3.0f %%  %3.0f %%  %3.0f %%  %5.0f  %5.0f  ", 100 * pair->score,
                100 * pair->share, 100 * pair->rarity, pair->bits, pair->word_bits);
    append_name(out, &class->items[pair->left], NAME_COLUMNS);
    append_name(out, &class->items[pair->right], NAME_COLUMNS);
    text_append(out, similarity_word_strength(LANGUAGE_EN, pair));
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_append_char(out, '\n');
}

static void append_clusters(struct text *out, const struct similarity_class *class,
                            const struct similarity_result *result) {
    for (size_t cluster = 1; cluster <= result->cluster_count; cluster++) {
        size_t count = 0;
        for (size_t i = 0; i < class->item_count; i++)
            count += result->clusters[i] == cluster;
        if (count < 3)
            continue;
        text_printf(out, "  group of %zu:", count);
        for (size_t i = 0, shown = 0; i < class->item_count; i++)
            if (result->clusters[i] == cluster && shown++ < MOST_MEMBERS) {
                text_append_char(out, ' ');
                escape_terminal(out, class->items[i].student, strlen(class->items[i].student),
                                true);
            }
        text_append(out, count > MOST_MEMBERS ? " ...\n" : "\n");
    }
}

static void append_problems(struct text *out, const struct similarity_class *class,
                            const struct similarity_result *result) {
    for (size_t i = 0; i < class->item_count; i++) {
        const struct similarity_item *item = &class->items[i];
        if (!result->problems[i] || item->role == SIMILARITY_OWN ||
            item->role == SIMILARITY_SKELETON)
            continue;
        text_append(out, "  compared by its tokens: ");
        append_name(out, item, 0);
        text_append(out, "(");
        escape_terminal(out, result->problems[i], strlen(result->problems[i]), true);
        text_append(out, ")\n");
    }
}

static void append_class(struct text *out, const struct similarity_report *report, size_t index,
                         bool color) {
    const struct similarity_class *class = &report->set->classes[index];
    const struct similarity_result *result = &report->results[index];
    size_t shown = 0;
    text_append(out, color ? "\x1b[1m" : "");
    if (*class->exercise)
        escape_terminal(out, class->exercise, strlen(class->exercise), true);
    else
        text_append(out, "no exercise of the catalogue");
    text_printf(out, "%s: %zu submission%s, %zu pair%s compared, %zu at %.0f %% or more\n",
                color ? "\x1b[0m" : "", result->submissions, text_plural(result->submissions),
                result->compared, text_plural(result->compared), result->found,
                100 * report->threshold);
    if (result->too_small && result->submissions > 1)
        text_printf(out,
                    "  too small to tell: half of the submissions have less than %.0f bits that "
                    "set them apart\n",
                    result->typical_bits + 1);
    if (!report->set->exercises[index] && result->submissions > 1)
        text_append(out, "  no exercise is known, so that neither a skeleton nor known solutions "
                         "are subtracted\n");
    for (size_t i = 0; i < result->pair_count; i++) {
        if (result->pairs[i].score < report->threshold && i >= BEST)
            break;
        if (!shown++)
            text_append(out, "  score  share  rarity   bits  words\n");
        append_pair(out, class, &result->pairs[i]);
    }
    append_clusters(out, class, result);
    append_problems(out, class, result);
    text_append_char(out, '\n');
}

void similarity_write_text(const struct similarity_report *report, bool color, struct text *out) {
    for (size_t i = 0; i < report->set->count; i++)
        append_class(out, report, i, color);
    for (const char *at = text_string(&report->set->notes); *at;) {
        size_t length = strcspn(at, "\n");
        text_append(out, "passed over: ");
        escape_terminal(out, at, length, true);
        text_append_char(out, '\n');
        at += length + (at[length] == '\n');
    }
    text_printf(out, "%s\n", WORDS(LANGUAGE_EN, similar_limits));
}
