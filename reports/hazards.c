/* What is wrong, where, with whom, and what to do: one block a hazard.
 *
 * The same mistake shows in case after case; it is reported once, with the number of cases, by
 * merging on what identifies a mistake: its kind and its line or lines. Everything in a struct
 * hazard comes from a worker and is escaped here. */
#include "reports/hazards.h"

#include "reports/explain.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool same_mistake(const struct hazard *a, const struct hazard *b) {
    return a->kind == b->kind && a->line == b->line && a->other_line == b->other_line &&
           strcmp(a->file, b->file) == 0 && strcmp(a->other_file, b->other_file) == 0;
}

static uint64_t add_saturating(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static int compare_merged(const void *left, const void *right) {
    const struct hazard *a = ((const struct merged_hazard *)left)->first;
    const struct hazard *b = ((const struct merged_hazard *)right)->first;
    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    int files = strcmp(a->file, b->file);
    if (files != 0)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->other_line > b->other_line) - (a->other_line < b->other_line);
}

void hazards_merge(const struct report *report, struct merged_hazard **merged, size_t *count) {
    size_t capacity = 0;
    *merged = NULL;
    *count = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const struct report_case *item = &report->cases[i];
        size_t before = *count;
        for (size_t j = 0; j < item->hazard_count; j++) {
            const struct hazard *hazard = &item->hazards[j];
            size_t k = 0;
            while (k < *count && !same_mistake((*merged)[k].first, hazard))
                k++;
            if (k == *count)
                mem_push(merged, count, &capacity)->first = hazard;
            (*merged)[k].count = add_saturating((*merged)[k].count, hazard->count);
        }
        for (size_t k = 0; k < *count; k++) {
            bool here = k >= before;
            for (size_t j = 0; !here && j < item->hazard_count; j++)
                here = same_mistake((*merged)[k].first, &item->hazards[j]);
            (*merged)[k].case_count += here;
        }
    }
    if (*count)
        qsort(*merged, *count, sizeof **merged, compare_merged);
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

static void print_fix(const struct terminal *t, const struct hazard *hazard) {
    cleanup_text struct text fix = {0};
    if (hazard_fixes[hazard->fix])
        text_append(&fix, hazard_fixes[hazard->fix]);
    else
        explain_fix(hazard->kind, &fix);
    hazards_detail_label(t, "\u2192 fix");
    terminal_wrap(t, PEN_PLAIN, text_string(&fix), DETAIL_INDENT, DETAIL_INDENT);
    hazards_detail_label(t, "more");
    terminal_printf(t, PEN_CYAN, "warpgrade explain %s\n", hazard_infos[hazard->kind].name);
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
    print_fix(t, hazard);
}

void report_hazards_text(const struct hazard *hazards, size_t count, const char *file,
                         const char *source, size_t source_length, bool color, struct text *out) {
    const struct terminal t = {.out = out, .color = color, .width = TERMINAL_WIDTH};
    for (size_t i = 0; i < count; i++) {
        const struct merged_hazard one = {.first = &hazards[i], .count = hazards[i].count};
        if (i)
            text_append_char(out, '\n');
        hazards_print(&t, &one, 0, file, source, source_length);
    }
}
