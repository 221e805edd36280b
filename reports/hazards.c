/* What is wrong, where, with whom, and what to do: one block a hazard.
 *
 * The same mistake shows in case after case and often in several lines: a missing barrier races
 * with each line that reads the array. It is reported once, with the number of cases and the other
 * lines. Everything in a struct hazard comes from a worker and is escaped here. */
#include "reports/hazards.h"

#include "reports/explain.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
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
    if (merged->fix == FIX_WARP_BARRIER && hazard->fix == FIX_BLOCK_BARRIER)
        merged->fix = FIX_BLOCK_BARRIER;
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

void hazards_place(const struct hazard *hazard, struct text *out) {
    text_append(out, hazard->file);
    if (hazard->file[0] && hazard->line)
        text_printf(out, ":%u", hazard->line);
    if (hazard->file[0] && hazard->line && hazard->column)
        text_printf(out, ":%u", hazard->column);
}

void hazards_detail_label(const struct terminal *t, const char *label) {
    size_t columns = terminal_columns(label) + 2;
    terminal_indent(t, 2);
    terminal_foreign(t, PEN_DIM, label);
    terminal_indent(t, columns < DETAIL_INDENT ? DETAIL_INDENT - columns : 1);
}

static void append_dim3(struct text *out, struct dim3 d) {
    text_printf(out, "(%u, %u, %u)", d.x, d.y, d.z);
}

static bool same_block(struct dim3 a, struct dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* "(0, 0, 0), (1, 0, 0) of block (0, 0, 0); (0, 0, 0) of block (1, 0, 0)" */
static void append_threads(struct text *out, const struct hazard *hazard) {
    for (size_t i = 0; i < hazard->thread_count && i < ENGINE_HAZARD_THREADS; i++) {
        const struct hazard_thread *thread = &hazard->threads[i];
        append_dim3(out, thread->thread);
        bool last = i + 1 == hazard->thread_count || i + 1 == ENGINE_HAZARD_THREADS;
        if (!last && same_block(thread->block, hazard->threads[i + 1].block)) {
            text_append(out, ", ");
            continue;
        }
        text_append(out, " of block ");
        append_dim3(out, thread->block);
        text_append(out, last ? "" : ", ");
    }
}

static void print_threads(const struct terminal *t, const struct merged_hazard *merged) {
    const struct hazard *hazard = merged->first;
    if (!hazard->thread_count)
        return;
    cleanup_text struct text line = {0};
    if (merged->count > hazard->thread_count)
        text_printf(&line, "%" PRIu64 " %s, the first by ", merged->count,
                    hazard_counts_accesses(hazard->kind) ? "accesses" : "times");
    append_threads(&line, hazard);
    hazards_detail_label(t, hazard->thread_count > 1 ? "threads" : "thread");
    terminal_wrap(t, PEN_PLAIN, text_string(&line), DETAIL_INDENT, DETAIL_INDENT);
}

/* A hazard inside a CUDA header, or in a file that a #line of the submission names, must not point
 * into the submission's text. */
static bool is_own(const char *file, const char *hazard_file) {
    return !hazard_file[0] || (file && strcmp(file_base_name(file), hazard_file) == 0);
}

static void print_excerpt(const struct terminal *t, const struct hazard *hazard, enum pen pen,
                          const char *file, const char *source, size_t source_length) {
    struct excerpt_mark marks[2];
    size_t count = 0;
    if (hazard->line && is_own(file, hazard->file))
        marks[count++] =
            (struct excerpt_mark){.line = hazard->line, .column = hazard->column, .pen = pen};
    if (hazard->other_line && is_own(file, hazard->other_file))
        marks[count++] = (struct excerpt_mark){.line = hazard->other_line, .pen = PEN_BOLD_YELLOW};
    if (count)
        terminal_excerpt(t, source, source_length, marks, count, 1);
}

static void print_other(const struct terminal *t, const struct hazard *hazard) {
    if (!hazard->other_line)
        return;
    hazards_detail_label(t, "and at");
    terminal_foreign(t, PEN_BOLD_YELLOW, hazard->other_file);
    terminal_printf(t, PEN_BOLD_YELLOW, "%s%u\n", hazard->other_file[0] ? ":" : "line ",
                    hazard->other_line);
}

static void print_fix(const struct terminal *t, const struct merged_hazard *merged) {
    const struct hazard *hazard = merged->first;
    cleanup_text struct text fix = {0};
    if (hazard_fixes[merged->fix])
        text_append(&fix, hazard_fixes[merged->fix]);
    else
        explain_fix(hazard->kind, &fix);
    if (merged->hint) { /* a thought to start with, before what to do */
        hazards_detail_label(t, "\u2192 hint");
        terminal_wrap(t, PEN_PLAIN, merged->hint, DETAIL_INDENT, DETAIL_INDENT);
    }
    hazards_detail_label(t, "\u2192 fix");
    terminal_wrap(t, PEN_PLAIN, text_string(&fix), DETAIL_INDENT, DETAIL_INDENT);
    hazards_detail_label(t, "more");
    terminal_printf(t, PEN_CYAN, "warpgrade explain %s\n", hazard_infos[hazard->kind].name);
}

/* ", also lines 17, 18 and 30" */
static void print_also(const struct terminal *t, const struct merged_hazard *merged) {
    for (size_t i = 0; i < merged->also_count; i++)
        terminal_printf(t, PEN_PLAIN, "%s%u",
                        i == 0 ? merged->also_count > 1 ? ", also lines " : ", also line "
                        : i + 1 < merged->also_count ? ", "
                                                     : " and ",
                        merged->also_lines[i]);
}

void hazards_print(const struct terminal *t, const struct merged_hazard *merged, size_t of_cases,
                   const char *file, const char *source, size_t source_length) {
    const struct hazard *hazard = merged->first;
    bool warning = hazard->severity == SEVERITY_WARNING;
    enum pen pen = warning ? PEN_BOLD_YELLOW : PEN_BOLD_RED;
    cleanup_text struct text place = {0};
    hazards_place(hazard, &place);
    terminal_printf(t, pen, "%s %s", warning ? "!" : "\u2717", hazard_infos[hazard->kind].name);
    if (place.length) {
        text_append(t->out, " at ");
        terminal_foreign(t, PEN_BOLD, text_string(&place));
    }
    print_also(t, merged);
    if (merged->case_count && of_cases > 1)
        terminal_printf(t, PEN_DIM, ", in %zu of %zu cases", merged->case_count, of_cases);
    text_append(t->out, "\n  ");
    terminal_wrap(t, PEN_PLAIN, hazard->message, 2, 2);
    print_excerpt(t, hazard, pen, file, source, source_length);
    print_threads(t, merged);
    if (hazard->variable[0]) {
        hazards_detail_label(t, "variable");
        terminal_foreign(t, PEN_PLAIN, hazard->variable);
        text_append_char(t->out, '\n');
    }
    print_other(t, hazard);
    print_fix(t, merged);
}

void report_hazards_text(const struct hazard *hazards, size_t count, const char *file,
                         const char *source, size_t source_length, bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    struct merged_hazard *list;
    hazards_merge_list(hazards, count, &list, &count);
    cleanup_free struct merged_hazard *merged = list;
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append_char(out, '\n');
        hazards_print(&t, &merged[i], 0, file, source, source_length);
    }
}
