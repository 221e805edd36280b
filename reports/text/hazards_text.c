/* What is wrong, where, with whom, and what to do: one block a finding, or one line.
 *
 * Everything in a struct hazard comes from a worker and is escaped here. */
#include "reports/hazards.h"

#include "reports/explain.h"
#include "reports/message.h"
#include "reports/translate.h"
#include "reports/utf8.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { SHORTEST_MESSAGE = 16 }; /* columns: less of a message says nothing */

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

static enum pen hazard_pen(const struct hazard *hazard) {
    return hazard->severity == SEVERITY_WARNING ? PEN_BOLD_YELLOW : PEN_BOLD_RED;
}

static void append_dim3(struct text *out, struct dim3 d) {
    text_printf(out, "(%u, %u, %u)", d.x, d.y, d.z);
}

static bool same_block(struct dim3 a, struct dim3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* "(0, 0, 0), (1, 0, 0) of block (0, 0, 0); (0, 0, 0) of block (1, 0, 0)" */
static void append_threads(struct text *out, enum language language, const struct hazard *hazard) {
    for (size_t i = 0; i < hazard->thread_count && i < ENGINE_HAZARD_THREADS; i++) {
        const struct hazard_thread *thread = &hazard->threads[i];
        append_dim3(out, thread->thread);
        bool last = i + 1 == hazard->thread_count || i + 1 == ENGINE_HAZARD_THREADS;
        if (!last && same_block(thread->block, hazard->threads[i + 1].block)) {
            text_append(out, ", ");
            continue;
        }
        text_append(out, WORDS(language, of_block));
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
        text_printf(&line,
                    hazard_counts_accesses(hazard->kind) ? WORDS(t->language, accesses_by)
                                                         : WORDS(t->language, times_by),
                    merged->count);
    append_threads(&line, t->language, hazard);
    hazards_detail_label(t, hazard->thread_count > 1 ? WORDS(t->language, label_threads)
                                                     : WORDS(t->language, label_thread));
    terminal_wrap(t, PEN_PLAIN, text_string(&line), DETAIL_INDENT, DETAIL_INDENT);
}

/* A hazard inside a CUDA header, or in a file that a #line of the submission names, must not point
 * into the submission's text. */
static bool is_own(const char *file, const char *hazard_file) {
    return !hazard_file[0] || (file && strcmp(file_base_name(file), hazard_file) == 0);
}

static void print_excerpt(const struct terminal *t, const struct hazard *hazard,
                          const struct hazards_look *look) {
    struct excerpt_mark marks[2];
    size_t count = 0;
    unsigned context = look->brief && t->terse >= TERSE_EVIDENCE ? 0 : 1;
    if (hazard->line && is_own(look->file, hazard->file))
        marks[count++] = (struct excerpt_mark){.line = hazard->line,
                                               .column = hazard->column,
                                               .context = context,
                                               .pen = hazard_pen(hazard)};
    if (hazard->other_line && is_own(look->file, hazard->other_file))
        marks[count++] = (struct excerpt_mark){
            .line = hazard->other_line, .context = look->brief ? 0 : 1, .pen = PEN_BOLD_YELLOW};
    if (count)
        terminal_excerpt(t, look->source, look->source_length, marks, count);
}

static void print_variable(const struct terminal *t, const struct hazard *hazard) {
    if (!hazard->variable[0])
        return;
    hazards_detail_label(t, WORDS(t->language, label_variable));
    cleanup_free char *variable = translate_string(t->language, hazard->variable);
    terminal_foreign(t, PEN_PLAIN, variable);
    text_append_char(t->out, '\n');
}

static void print_other(const struct terminal *t, const struct hazard *hazard) {
    if (!hazard->other_line)
        return;
    hazards_detail_label(t, WORDS(t->language, label_and_at));
    terminal_foreign(t, PEN_BOLD_YELLOW, hazard->other_file);
    if (hazard->other_file[0])
        terminal_printf(t, PEN_BOLD_YELLOW, ":%u", hazard->other_line);
    else
        terminal_printf(t, PEN_BOLD_YELLOW, WORDS(t->language, line_one), hazard->other_line);
    text_append_char(t->out, '\n');
}

static void print_fix(const struct terminal *t, const struct merged_hazard *merged, bool brief) {
    const struct hazard *hazard = merged->first;
    cleanup_text struct text fix = {0};
    explain_fix(t->language, merged->fix, hazard->kind, &fix);
    if (merged->hint) { /* a thought to start with, before what to do */
        hazards_detail_label(t, WORDS(t->language, label_hint));
        terminal_wrap(t, PEN_PLAIN, merged->hint, DETAIL_INDENT, DETAIL_INDENT);
    }
    if (!brief || !merged->hint || t->terse < TERSE_FIX) {
        hazards_detail_label(t, WORDS(t->language, label_fix));
        terminal_wrap(t, PEN_PLAIN, text_string(&fix), DETAIL_INDENT, DETAIL_INDENT);
    }
    if (brief) /* the report's last line names the page */
        return;
    hazards_detail_label(t, WORDS(t->language, label_more));
    terminal_printf(t, PEN_CYAN, "warpgrade explain %s\n", hazard_infos[hazard->kind].name);
}

/* ", also lines 17, 18 and 30" */
static void append_also(struct text *out, enum language language,
                        const struct merged_hazard *merged) {
    for (size_t i = 0; i < merged->also_count; i++) {
        bool last = i + 1 == merged->also_count;
        if (i == 0)
            text_printf(out, last ? WORDS(language, also_line) : WORDS(language, also_lines),
                        merged->also_lines[i]);
        else
            text_printf(out, last ? WORDS(language, and_number) : WORDS(language, next_number),
                        merged->also_lines[i]);
    }
}

/* "✗ shared-race at dot.cu:12:5, also line 17, in 3 of 7 cases", without a newline. */
static void print_title(const struct terminal *t, const struct merged_hazard *merged,
                        size_t of_cases) {
    const struct hazard *hazard = merged->first;
    bool warning = hazard->severity == SEVERITY_WARNING;
    cleanup_text struct text place = {0}, also = {0}, cases = {0};
    hazards_place(hazard, &place);
    terminal_printf(t, hazard_pen(hazard), "%s %s", warning ? "!" : "\u2717",
                    hazard_infos[hazard->kind].name);
    if (place.length) {
        terminal_print(t, PEN_PLAIN, WORDS(t->language, at_place));
        terminal_foreign(t, PEN_BOLD, text_string(&place));
    }
    append_also(&also, t->language, merged);
    terminal_print(t, PEN_PLAIN, text_string(&also));
    if (merged->case_count && of_cases > 1)
        text_printf(&cases, WORDS(t->language, in_cases), merged->case_count, of_cases);
    size_t used = 2 + terminal_columns(hazard_infos[hazard->kind].name) +
                  terminal_columns(WORDS(t->language, at_place)) +
                  terminal_columns(text_string(&place)) + terminal_columns(text_string(&also));
    if (t->terse == TERSE_NOTHING || used + terminal_columns(text_string(&cases)) <= t->width)
        terminal_print(t, PEN_DIM, text_string(&cases));
}

void hazards_print_line(const struct terminal *t, const struct merged_hazard *merged,
                        size_t of_cases) {
    cleanup_text struct text title = {0};
    struct terminal plain = *t;
    plain.out = &title;
    plain.color = false;
    print_title(&plain, merged, of_cases);
    print_title(t, merged, of_cases);
    size_t used = utf8_columns(text_string(&title), title.length) + 2;
    if (used + SHORTEST_MESSAGE <= t->width) {
        terminal_print(t, PEN_PLAIN, WORDS(t->language, colon));
        cleanup_text struct text message = {0};
        hazards_append_message(&message, t->language, merged->first);
        terminal_cut(t, PEN_PLAIN, text_string(&message), t->width - (unsigned)used);
    }
    text_append_char(t->out, '\n');
}

void hazards_print(const struct terminal *t, const struct merged_hazard *merged, size_t of_cases,
                   const struct hazards_look *look) {
    const struct hazard *hazard = merged->first;
    cleanup_text struct text message = {0};
    hazards_append_message(&message, t->language, hazard);
    print_title(t, merged, of_cases);
    text_append(t->out, "\n  ");
    terminal_wrap(t, PEN_PLAIN, text_string(&message), 2, 2);
    print_excerpt(t, hazard, look);
    if (!look->brief) {
        print_threads(t, merged);
        print_variable(t, hazard);
    }
    if (!look->brief || !look->source || !is_own(look->file, hazard->other_file))
        print_other(t, hazard);
    print_fix(t, merged, look->brief);
}

void report_hazards_text(const struct hazard *hazards, size_t count, const char *file,
                         const char *source, size_t source_length, enum language language,
                         bool color, struct text *out) {
    const struct terminal t = {
        .out = out, .color = color, .width = TERMINAL_WIDTH, .language = language};
    const struct hazards_look look = {
        .file = file, .source = source, .source_length = source_length};
    struct merged_hazard *list;
    hazards_merge_list(hazards, count, &list, &count);
    cleanup_free struct merged_hazard *merged = list;
    for (size_t i = 0; i < count; i++) {
        if (i)
            text_append_char(out, '\n');
        hazards_print(&t, &merged[i], 0, &look);
    }
}
