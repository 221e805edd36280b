/* Pure functions of an exercise and a record. A hint that stands for two reasons is one step. */
#include "grader/learn/hint.h"

#include "reports/explain.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

struct collect {
    const struct exercise *exercise;
    const struct learn_record *record;
    const struct learn_attempt *last; /* NULL: none, or one with full marks */
    enum language language;
    struct learn_hints *hints;
};

/* Takes key; text may be NULL or empty, which is no hint. */
static void add(struct collect *collect, char *key, const char *why, const char *text) {
    cleanup_free char *owned = key;
    if (!text || !*text)
        return;
    for (size_t i = 0; i < collect->hints->count; i++)
        if (strcmp(collect->hints->items[i].key, key) == 0 ||
            strcmp(collect->hints->items[i].text, text) == 0)
            return;
    struct learn_hint *hint =
        mem_push(&collect->hints->items, &collect->hints->count, &collect->hints->capacity);
    *hint = (struct learn_hint){
        .key = steal_pointer(&owned), .why = mem_strdup(why), .text = mem_strdup(text)};
    for (size_t i = 0; i < collect->record->hint_count; i++)
        hint->is_shown |= strcmp(collect->record->hints[i], hint->key) == 0;
}

static void add_own(struct collect *collect, size_t index, bool is_reason) {
    const struct exercise_hint *hint = &collect->exercise->hints[index];
    const char *why =
        hint->has_hazard ? hazard_infos[hint->hazard].name : verdict_infos[hint->verdict].name;
    const char *text = hint->text[collect->language];
    add(collect, mem_printf("hint-%zu", index), is_reason ? why : NULL,
        text ? text : hint->text[LANGUAGE_EN]);
}

static bool has_verdict(const struct learn_attempt *attempt, enum verdict verdict) {
    for (size_t i = 0; i < attempt->case_count; i++)
        if (attempt->cases[i].verdict == verdict)
            return true;
    return false;
}

/* Those for a hazard that was found, then those for a verdict. */
static void add_reasons(struct collect *collect) {
    const struct exercise *exercise = collect->exercise;
    for (size_t i = 0; i < exercise->hint_count; i++)
        if (exercise->hints[i].has_hazard && collect->last->hazards[exercise->hints[i].hazard])
            add_own(collect, i, true);
    for (size_t i = 0; i < exercise->hint_count; i++)
        if (!exercise->hints[i].has_hazard &&
            has_verdict(collect->last, exercise->hints[i].verdict))
            add_own(collect, i, true);
}

static void add_thresholds(struct collect *collect) {
    const struct exercise *exercise = collect->exercise;
    for (size_t i = 0; i < exercise->threshold_count && i < 64; i++) {
        const struct exercise_threshold *threshold = &exercise->thresholds[i];
        const char *text = threshold->hint[collect->language];
        if (collect->last->missed >> i & 1)
            add(collect, mem_printf("threshold-%zu", i), threshold->name[collect->language],
                text ? text : threshold->hint[LANGUAGE_EN]);
    }
}

static void add_fix(struct collect *collect, const char *id) {
    struct explain_page page;
    cleanup_text struct text fix = {0};
    if (explain_find(id, &page, NULL) != STATUS_OK)
        return;
    explain_translate(&page, collect->language);
    bool zh = collect->language == LANGUAGE_ZH;
    if (!explain_head(&page, "fix", &fix)) /* the pages of verdicts say more than a sentence */
        text_printf(&fix,
                    zh ? "`warpgrade explain %s --lang zh` 说明它的含义和改法。"
                       : "`warpgrade explain %s` says what it means and how to go about it.",
                    id);
    add(collect, mem_printf("fix-%s", id), id, text_string(&fix));
}

static void add_fixes(struct collect *collect) {
    for (unsigned i = 0; i < HAZARD_COUNT; i++)
        if (collect->last->hazards[i])
            add_fix(collect, hazard_infos[i].name);
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (i != VERDICT_PASS && i != VERDICT_SKIPPED && i != VERDICT_HAZARD &&
            has_verdict(collect->last, (enum verdict)i))
            add_fix(collect, verdict_infos[i].name);
}

void learn_hints_of(const struct exercise *exercise, const struct learn_record *record,
                    enum language language, struct learn_hints *hints) {
    const struct learn_attempt *last = learn_last(record);
    struct collect collect = {exercise, record, last, language, hints};
    *hints = (struct learn_hints){0};
    if (last && last->passed && last->score >= last->max_score)
        return;
    if (last) {
        add_reasons(&collect);
        add_thresholds(&collect);
    }
    for (size_t i = 0; i < exercise->hint_count; i++)
        if (!exercise->hints[i].has_hazard && exercise->hints[i].verdict == VERDICT_WRONG_ANSWER)
            add_own(&collect, i, false);
    for (size_t i = 0; !last && i < exercise->hint_count; i++)
        add_own(&collect, i, false);
    if (last)
        add_fixes(&collect);
}

void learn_hints_free(struct learn_hints *hints) {
    for (size_t i = 0; i < hints->count; i++) {
        free(hints->items[i].key);
        free(hints->items[i].why);
        free(hints->items[i].text);
    }
    free(hints->items);
    *hints = (struct learn_hints){0};
}
