/* The same for programs. */
#include "grader/similarity/show.h"

#include "reports/escape.h"
#include "reports/json_parts.h"
#include "reports/message.h"
#include "sandbox/base/memory.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static json_t *string_of(const char *text) {
    cleanup_text struct text valid = {0};
    if (!text)
        return json_null();
    escape_utf8(&valid, text, strlen(text));
    return json_stringn(text_string(&valid), valid.length);
}

static json_t *rounded(double value) {
    return json_real(round(value * 1000) / 1000);
}

static json_t *item_of(const struct similarity_item *item) {
    return json_pack("{s:o, s:o, s:o, s:b}", "student", string_of(item->student), "file",
                     string_of(item->file), "origin", string_of(item->origin), "earlier",
                     item->role == SIMILARITY_EARLIER);
}

static json_t *words_of(const struct similarity_pair *pair) {
    json_t *shown = json_array();
    for (size_t i = 0; i < pair->word_count; i++)
        json_array_append_new(shown,
                              json_pack("{s:o, s:i, s:i}", "text", string_of(pair->words[i].text),
                                        "left_line", (int)pair->words[i].left_line, "right_line",
                                        (int)pair->words[i].right_line));
    return json_pack("{s:o, s:i, s:o}", "bits", rounded(pair->word_bits), "count",
                     (int)pair->words_shared, "shown", shown);
}

static json_t *pair_of(const struct similarity_class *class, const struct similarity_pair *pair) {
    json_t *lines = json_array();
    for (size_t i = 0; i < pair->line_count; i++)
        json_array_append_new(
            lines, json_pack("[ii]", (int)pair->lines[i].left, (int)pair->lines[i].right));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:i, s:o, s:o}", "left",
                     item_of(&class->items[pair->left]), "right",
                     item_of(&class->items[pair->right]), "score", rounded(pair->score), "share",
                     rounded(pair->share), "rarity", rounded(pair->rarity), "bits",
                     rounded(pair->bits), "compared_by", pair->by_tokens ? "tokens" : "ptx",
                     "same_bytes", pair->same_bytes, "group", (int)pair->cluster, "words",
                     words_of(pair), "lines", lines);
}

static json_t *groups_of(const struct similarity_class *class,
                         const struct similarity_result *result) {
    json_t *groups = json_array();
    for (size_t cluster = 1; cluster <= result->cluster_count; cluster++) {
        json_t *members = json_array();
        for (size_t i = 0; i < class->item_count; i++)
            if (result->clusters[i] == cluster)
                json_array_append_new(members, item_of(&class->items[i]));
        json_array_append_new(groups,
                              json_pack("{s:i, s:o}", "group", (int)cluster, "members", members));
    }
    return groups;
}

static json_t *problems_of(const struct similarity_class *class,
                           const struct similarity_result *result) {
    json_t *problems = json_array();
    for (size_t i = 0; i < class->item_count; i++)
        if (result->problems[i] && class->items[i].role != SIMILARITY_OWN &&
            class->items[i].role != SIMILARITY_SKELETON)
            json_array_append_new(problems,
                                  json_pack("{s:o, s:o}", "submission", item_of(&class->items[i]),
                                            "message", string_of(result->problems[i])));
    return problems;
}

static json_t *class_of(const struct similarity_report *report, size_t index) {
    const struct similarity_class *class = &report->set->classes[index];
    const struct similarity_result *result = &report->results[index];
    json_t *pairs = json_array();
    for (size_t i = 0; i < result->pair_count; i++)
        json_array_append_new(pairs, pair_of(class, &result->pairs[i]));
    return json_pack("{s:o, s:b, s:i, s:i, s:i, s:o, s:b, s:o, s:o, s:o}", "exercise",
                     string_of(class->exercise), "known", report->set->exercises[index] != NULL,
                     "submissions", (int)result->submissions, "compared_pairs",
                     (int)result->compared, "found", (int)result->found, "typical_bits",
                     rounded(result->typical_bits), "too_small", result->too_small, "pairs", pairs,
                     "groups", groups_of(class, result), "compared_by_tokens",
                     problems_of(class, result));
}

void similarity_write_json(const struct similarity_report *report, struct text *out) {
    json_t *exercises = json_array(), *notes = json_array();
    for (size_t i = 0; i < report->set->count; i++)
        json_array_append_new(exercises, class_of(report, i));
    for (const char *at = text_string(&report->set->notes); *at;) {
        size_t length = strcspn(at, "\n");
        cleanup_free char *line = mem_strndup(at, length);
        json_array_append_new(notes, string_of(line));
        at += length + (at[length] == '\n');
    }
    json_append(out, json_pack("{s:s, s:i, s:o, s:s, s:o, s:o}", "format", "warpgrade-similarity",
                               "version", 1, "threshold", rounded(report->threshold), "limits",
                               WORDS(LANGUAGE_EN, similar_limits), "exercises", exercises,
                               "passed_over", notes));
}
