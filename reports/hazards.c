/* Hazards with one cause are one finding.
 *
 * The same mistake shows in case after case and often in several lines: a missing barrier races
 * with each line that reads the array. It is reported once, with the number of cases and the other
 * lines. hazards_join() goes further, for a reader with one screen: findings of several variables
 * or kinds that one mistake explains. */
#include "reports/hazards.h"

#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool same_lines(const struct hazard *a, const struct hazard *b) {
    return a->line == b->line && a->other_line == b->other_line &&
           strcmp(a->other_file, b->other_file) == 0;
}

/* "tile[3][4]" and "tile[0][0]" are one variable. */
static bool same_variable(const struct hazard *a, const struct hazard *b) {
    size_t length = strcspn(a->variable, "[");
    return length && length == strcspn(b->variable, "[") &&
           strncmp(a->variable, b->variable, length) == 0;
}

/* A barrier of the block orders the lanes of a warp, too. */
static enum hazard_fix common_fix(enum hazard_fix fix) {
    return fix == FIX_WARP_BARRIER ? FIX_BLOCK_BARRIER : fix;
}

/* Findings of one line are one whatever helps; those of several only where the same helps. */
static bool same_mistake(const struct merged_hazard *merged, const struct hazard *hazard) {
    const struct hazard *first = merged->first;
    if (first->kind != hazard->kind || first->severity != hazard->severity ||
        strcmp(first->file, hazard->file) != 0)
        return false;
    return same_lines(first, hazard) ||
           (same_variable(first, hazard) && common_fix(merged->fix) == common_fix(hazard->fix));
}

static uint64_t add_saturating(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void add_line(struct merged_hazard *merged, const char *file, unsigned line) {
    const struct hazard *first = merged->first;
    size_t at = 0;
    if (!line || line == first->line || line == first->other_line || strcmp(file, first->file) != 0)
        return;
    while (at < merged->also_count && merged->also_lines[at] < line)
        at++;
    if (at == MOST_ALSO_LINES || (at < merged->also_count && merged->also_lines[at] == line))
        return;
    size_t kept = merged->also_count < MOST_ALSO_LINES ? merged->also_count : MOST_ALSO_LINES - 1;
    memmove(&merged->also_lines[at + 1], &merged->also_lines[at],
            (kept - at) * sizeof merged->also_lines[0]);
    merged->also_lines[at] = line;
    merged->also_count = kept + 1;
}

/* Where one of the pairs crosses warps, a barrier of the warp is too little for all of them. */
static void widen_fix(struct merged_hazard *merged, enum hazard_fix fix) {
    if (merged->fix == FIX_WARP_BARRIER && fix == FIX_BLOCK_BARRIER)
        merged->fix = FIX_BLOCK_BARRIER;
}

struct merged_list {
    struct merged_hazard *items;
    size_t count, capacity;
};

/* Gives the finding that the hazard belongs to. */
static size_t merge_hazard(struct merged_list *list, const struct hazard *hazard) {
    size_t i = 0;
    while (i < list->count && !same_mistake(&list->items[i], hazard))
        i++;
    if (i == list->count)
        *(struct merged_hazard *)mem_push(&list->items, &list->count, &list->capacity) =
            (struct merged_hazard){.first = hazard, .fix = hazard->fix};
    struct merged_hazard *merged = &list->items[i];
    merged->count = add_saturating(merged->count, hazard->count);
    widen_fix(merged, hazard->fix);
    add_line(merged, hazard->file, hazard->line);
    add_line(merged, hazard->other_file, hazard->other_line);
    return i;
}

static int compare_merged(const void *left, const void *right) {
    const struct merged_hazard *x = left, *y = right;
    const struct hazard *a = x->first, *b = y->first;
    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    if (x->case_count != y->case_count)
        return x->case_count > y->case_count ? -1 : 1;
    int files = strcmp(a->file, b->file);
    if (files != 0)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->other_line > b->other_line) - (a->other_line < b->other_line);
}

bool hazards_decide(const struct report_case *item) {
    return item->hazard_count && verdict_of_hazard(item->hazards[0].kind) == item->verdict;
}

/* Several cases and findings may share a hint: the first has it. */
static void add_hint(struct merged_list *list, size_t at, const char *hint) {
    for (size_t i = 0; i < list->count && hint; i++)
        if (list->items[i].hint && strcmp(list->items[i].hint, hint) == 0)
            return;
    if (!list->items[at].hint && hint && *hint)
        list->items[at].hint = hint;
}

void hazards_merge(const struct report *report, struct merged_hazard **merged, size_t *count) {
    struct merged_list list = {0};
    size_t *last_case = NULL, known = 0,
           capacity = 0; /* that each finding was counted in, from 1 */
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        for (size_t j = 0; j < item->hazard_count; j++) {
            size_t at = merge_hazard(&list, &item->hazards[j]);
            while (known < list.count)
                *(size_t *)mem_push(&last_case, &known, &capacity) = 0;
            list.items[at].case_count += last_case[at] != i + 1;
            if (j == 0 && hazards_decide(item))
                add_hint(&list, at, item->hint);
            last_case[at] = i + 1;
        }
    }
    free(last_case);
    if (list.count)
        qsort(list.items, list.count, sizeof *list.items, compare_merged);
    *merged = list.items;
    *count = list.count;
}

void hazards_merge_list(const struct hazard *hazards, size_t hazard_count,
                        struct merged_hazard **merged, size_t *count) {
    struct merged_list list = {0};
    for (size_t i = 0; i < hazard_count; i++)
        merge_hazard(&list, &hazards[i]);
    *merged = list.items;
    *count = list.count;
}

/* ---- one cause ------------------------------------------------------------------------------- */

static bool has_line(const struct merged_hazard *merged, unsigned line) {
    if (!line || line == merged->first->line || line == merged->first->other_line)
        return line != 0;
    for (size_t i = 0; i < merged->also_count; i++)
        if (merged->also_lines[i] == line)
            return true;
    return false;
}

static bool share_line(const struct merged_hazard *a, const struct merged_hazard *b) {
    bool shared = has_line(a, b->first->line) || has_line(a, b->first->other_line);
    for (size_t i = 0; i < b->also_count && !shared; i++)
        shared = has_line(a, b->also_lines[i]);
    return shared;
}

static bool is_race(const struct hazard *hazard) {
    return hazard->kind == HAZARD_SHARED_RACE || hazard->kind == HAZARD_GLOBAL_RACE;
}

/* Does what helps against the finding `main` help against `other`, too? */
static bool one_cause(const struct merged_hazard *main, const struct merged_hazard *other) {
    const struct hazard *a = main->first, *b = other->first;
    if (strcmp(a->file, b->file) != 0)
        return false;
    bool same_fix = common_fix(main->fix) == common_fix(other->fix);
    if (a->kind == b->kind && same_variable(a, b)) /* a warning beside an error */
        return same_fix || (b->severity > a->severity && share_line(main, other));
    if (a->kind == b->kind && same_fix) /* two tiles and one barrier; two arrays and one `if` */
        return share_line(main, other) ||
               (main->case_count == other->case_count && main->count == other->count);
    return is_race(a) && b->kind == HAZARD_UNINITIALIZED_READ && same_variable(a, b) &&
           share_line(main, other);
}

static void join(struct merged_hazard *main, const struct merged_hazard *other) {
    const struct hazard *hazard = other->first;
    add_line(main, hazard->file, hazard->line);
    add_line(main, hazard->other_file, hazard->other_line);
    for (size_t i = 0; i < other->also_count; i++)
        add_line(main, hazard->file, other->also_lines[i]);
    if (other->case_count > main->case_count)
        main->case_count = other->case_count;
    if (!main->hint)
        main->hint = other->hint;
    widen_fix(main, other->fix);
}

void hazards_join(struct merged_hazard *merged, size_t *count) {
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        size_t main = 0;
        while (main < kept && !one_cause(&merged[main], &merged[i]))
            main++;
        if (main < kept)
            join(&merged[main], &merged[i]);
        else
            merged[kept++] = merged[i];
    }
    *count = kept;
}
