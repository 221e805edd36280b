/* A kernel's source with what each line costs.
 *
 * The code keeps 60 columns. Where the terminal has room for a table beside it, every counter has a
 * column; else the share of the time stands beside the code, and what a line wastes on a line below
 * it. Lines that take a large part of the time are marked; a figure that could be smaller is
 * yellow. Stretches of source without a counter are left out. Lines of other files (headers) come
 * last. */
#include "reports/text/profile_listing.h"

#include "reports/advice.h"
#include "reports/message.h"

#include "sandbox/base/decimal.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/number.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <string.h>

enum {
    CODE_COLUMNS = 60,
    SHARE_COLUMNS = 7,   /* " 68.2%" */
    TABLE_COLUMNS = 44,  /* the share and the counters */
    NUMBER_COLUMNS = 10, /* " >   12 | " */
    CONTEXT = 2,         /* lines without a counter shown around those with one */
    OTHER_LINES = 8,     /* of other files */
};

/* A line from this part of the modelled time on is hot. */
#define HOT_SHARE 0.2

/* "950", "12.3k", "1.05M": four digits are enough to compare lines. */
static void append_compact(struct text *out, double value) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P"};
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < ARRAY_LENGTH(units)) {
        value /= 1000;
        unit++;
    }
    text_append(out, decimal(unit ? value : rint(value), 3).text);
    text_append(out, units[unit]);
}

static bool is_more(uint64_t found, uint64_t enough) {
    return (double)found > 1.5 * (double)enough; /* as advice_waste() sees it */
}

enum figure { FIGURE_LOAD, FIGURE_STORE, FIGURE_BANK, FIGURE_ATOMIC, FIGURE_LANES, FIGURE_COUNT };

static const char *figure_name(enum language language, enum figure figure) {
    const char *const names[FIGURE_COUNT] = {
        WORDS(language, figure_load), WORDS(language, figure_store), WORDS(language, figure_bank),
        WORDS(language, figure_atom), WORDS(language, figure_lanes)};
    return names[figure];
}

struct figures {
    struct {
        bool present;
        bool wasteful; /* it could be better */
        double value;
    } of[FIGURE_COUNT];
};

static struct figures figures_of(const struct counters *c) {
    uint64_t shared = c->shared_load_requests + c->shared_store_requests;
    double conflicts = number_ratio(c->shared_bank_conflicts, shared);
    double lanes = WARP_LANES - number_ratio(c->inactive_lanes, c->warp_instructions);
    return (struct figures){{
        [FIGURE_LOAD] = {c->global_load_requests > 0,
                         is_more(c->global_load_sectors, c->global_load_ideal_sectors),
                         number_ratio(c->global_load_sectors, c->global_load_requests)},
        [FIGURE_STORE] = {c->global_store_requests > 0,
                          is_more(c->global_store_sectors, c->global_store_ideal_sectors),
                          number_ratio(c->global_store_sectors, c->global_store_requests)},
        [FIGURE_BANK] = {shared > 0, conflicts > 0.05, conflicts},
        [FIGURE_ATOMIC] = {c->atomic_requests > 0,
                           c->global_atomic_conflicts + c->shared_atomic_conflicts > 0,
                           number_ratio(c->global_atomic_passes + c->shared_atomic_passes,
                                        c->atomic_requests)},
        [FIGURE_LANES] = {c->warp_instructions > 0, lanes < 0.75 * WARP_LANES, lanes},
    }};
}

/* ---- a table, where there is room for it and the code
 * -------------------------------------------- */

/* A figure of six columns; blank where there is none, yellow where it could be smaller. */
static void print_cell(const struct terminal *t, bool present, bool wasteful, double value) {
    if (present)
        terminal_printf(t, wasteful ? PEN_BOLD_YELLOW : PEN_PLAIN, " %5.*f", value < 100 ? 1 : 0,
                        value);
    else
        terminal_indent(t, 6);
}

static void print_share(const struct terminal *t, const struct line_counters *line, double total_ms,
                        enum pen pen) {
    if (total_ms > 0)
        terminal_printf(t, pen, " %5.1f%%", 100 * line->modelled_ms / total_ms);
    else
        terminal_indent(t, SHARE_COLUMNS);
}

static void print_row(const struct terminal *t, const struct line_counters *line, double total_ms,
                      enum pen pen) {
    cleanup_text struct text instructions = {0};
    struct figures figures = figures_of(&line->counters);
    append_compact(&instructions, (double)line->counters.warp_instructions);
    print_share(t, line, total_ms, pen);
    terminal_printf(t, PEN_PLAIN, " %6s", text_string(&instructions));
    for (unsigned i = 0; i < FIGURE_COUNT; i++)
        print_cell(t, figures.of[i].present, figures.of[i].wasteful, figures.of[i].value);
}

/* ---- a line of figures below the code, where there is not
 * ----------------------------------------- */

/* "load 32, store 32, instr 1.84M": of a hot line what there is, of another what is wasted. */
static void append_note(struct text *out, enum language language, const struct line_counters *line,
                        bool hot) {
    struct figures figures = figures_of(&line->counters);
    for (unsigned i = 0; i < FIGURE_COUNT; i++)
        if (figures.of[i].present && (figures.of[i].wasteful || (hot && i != FIGURE_LANES)))
            text_printf(out, "%s%s %s", out->length ? WORDS(language, next_piece) : "",
                        figure_name(language, (enum figure)i),
                        decimal(figures.of[i].value, 3).text);
    if (!hot)
        return;
    text_append(out, out->length ? WORDS(language, next_piece) : "");
    text_printf(out, "%s ", WORDS(language, figure_instr));
    append_compact(out, (double)line->counters.warp_instructions);
}

static bool is_wasteful(const struct line_counters *line) {
    struct figures figures = figures_of(&line->counters);
    bool wasteful = false;
    for (unsigned i = 0; i < FIGURE_COUNT; i++)
        wasteful |= figures.of[i].present && figures.of[i].wasteful;
    return wasteful;
}

static void print_note(const struct terminal *t, const struct line_counters *line, bool hot) {
    cleanup_text struct text note = {0};
    append_note(&note, t->language, line, hot);
    if (!note.length)
        return;
    terminal_indent(t, SHARE_COLUMNS + NUMBER_COLUMNS);
    terminal_print(t, PEN_DIM, "\u21b3 ");
    terminal_printf(t, is_wasteful(line) ? PEN_YELLOW : PEN_DIM, "%s\n", text_string(&note));
}

/* ---- both
 * ----------------------------------------------------------------------------------------- */

static const struct line_counters *find_line(const struct profile_report *report, unsigned number) {
    const char *file = file_base_name(report->file);
    for (size_t i = 0; i < report->result->line_count; i++)
        if (report->result->lines[i].line == number &&
            strcmp(report->result->lines[i].file, file) == 0)
            return &report->result->lines[i];
    return NULL;
}

/* The lines of the file that are printed: those with a counter, and a few around them. */
static bool is_shown(const struct profile_report *report, unsigned number) {
    for (unsigned i = number > CONTEXT ? number - CONTEXT : 1; i <= number + CONTEXT; i++)
        if (find_line(report, i))
            return true;
    return false;
}

static const struct line_counters *costliest(const struct profile_report *report) {
    const struct engine_result *result = report->result;
    return advice_costliest(result->lines, result->line_count, result->profile.estimate.limiter,
                            file_base_name(report->file));
}

static bool is_hot(const struct profile_report *report, const struct line_counters *line) {
    double total = report->result->profile.estimate.ms;
    return line && total > 0 &&
           (line->modelled_ms >= HOT_SHARE * total || line == costliest(report));
}

/* 0 where the model does not tell which lines the time goes to. */
static double timed_ms(const struct engine_result *result) {
    for (size_t i = 0; i < result->line_count; i++)
        if (result->lines[i].modelled_ms > 0)
            return result->profile.estimate.ms;
    return 0;
}

struct listing {
    const struct profile_report *report;
    double total_ms;
    bool table;
    size_t figure_columns; /* in front of the line's number */
    size_t room;           /* for code */
};

static void print_line(const struct terminal *t, const struct listing *listing, unsigned number,
                       const char *text, size_t length) {
    const struct line_counters *line = find_line(listing->report, number);
    bool hot = is_hot(listing->report, line);
    enum pen pen = hot ? PEN_BOLD_RED : PEN_PLAIN;
    if (line && listing->table)
        print_row(t, line, listing->total_ms, pen);
    else if (line)
        print_share(t, line, listing->total_ms, pen);
    else
        terminal_indent(t, listing->figure_columns);
    terminal_printf(t, hot ? PEN_BOLD_RED : PEN_DIM, " %s %4u", hot ? ">" : " ", number);
    terminal_print(t, PEN_DIM, " | ");
    terminal_source(t, hot ? PEN_BOLD : PEN_PLAIN, text, length, listing->room);
    text_append_char(t->out, '\n');
    if (line && !listing->table)
        print_note(t, line, hot);
}

/* Right-aligned; the characters of some languages are two columns wide. */
static void print_heading(const struct terminal *t, const char *name, size_t columns) {
    size_t used = terminal_columns(name);
    terminal_indent(t, used < columns ? columns - used : 0);
    terminal_print(t, PEN_DIM, name);
}

static void print_header(const struct terminal *t, const struct listing *listing) {
    text_append_char(t->out, '\n');
    print_heading(t, WORDS(t->language, figure_time), 7);
    if (listing->table)
        print_heading(t, WORDS(t->language, figure_instr), 7);
    for (unsigned i = 0; i < FIGURE_COUNT && listing->table; i++)
        print_heading(t, figure_name(t->language, (enum figure)i), 6);
    print_heading(t, WORDS(t->language, figure_line), 7);
    terminal_print(t, PEN_DIM, " |\n");
}

static void print_legend(const struct terminal *t) {
    text_append_char(t->out, '\n');
    terminal_indent(t, 2);
    terminal_wrap(t, PEN_DIM, WORDS(t->language, listing_legend), 2, 2);
}

static void print_source(const struct terminal *t, const struct listing *listing) {
    const struct profile_report *report = listing->report;
    size_t offset = 0, length;
    const char *text;
    unsigned number = 0, previous = 0;
    while (report->source &&
           terminal_next_line(report->source, report->source_length, &offset, &text, &length)) {
        if (!is_shown(report, ++number))
            continue;
        if (previous && number != previous + 1) {
            terminal_indent(t, listing->figure_columns + 3);
            terminal_print(t, PEN_DIM, "...\n");
        }
        previous = number;
        print_line(t, listing, number, text, length);
    }
}

/* What the compiler took from headers, or made without a line of its own. */
static void print_others(const struct terminal *t, const struct listing *listing) {
    const struct profile_report *report = listing->report;
    const char *file = file_base_name(report->file);
    unsigned shown = 0;
    for (size_t i = 0; i < report->result->line_count && shown < OTHER_LINES; i++) {
        const struct line_counters *line = &report->result->lines[i];
        if (line->line && strcmp(line->file, file) == 0)
            continue;
        if (!line->counters.warp_instructions)
            continue;
        if (!shown++)
            terminal_print(t, PEN_DIM, WORDS(t->language, elsewhere));
        if (listing->table)
            print_row(t, line, listing->total_ms, PEN_PLAIN);
        else
            print_share(t, line, listing->total_ms, PEN_PLAIN);
        terminal_print(t, PEN_DIM, "        | ");
        if (line->line) {
            terminal_foreign(t, PEN_PLAIN, line->file);
            terminal_printf(t, PEN_PLAIN, ":%u\n", line->line);
        } else {
            terminal_print(t, PEN_PLAIN, WORDS(t->language, without_a_line));
        }
    }
}

void profile_listing(const struct terminal *t, const struct profile_report *report) {
    bool table = t->width >= TABLE_COLUMNS + NUMBER_COLUMNS + CODE_COLUMNS;
    size_t figures = table ? TABLE_COLUMNS : SHARE_COLUMNS;
    const struct listing listing = {.report = report,
                                    .total_ms = timed_ms(report->result),
                                    .table = table,
                                    .figure_columns = figures,
                                    .room = t->width - figures - NUMBER_COLUMNS};
    print_header(t, &listing);
    print_source(t, &listing);
    print_others(t, &listing);
    print_legend(t);
}
