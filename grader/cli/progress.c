/* The time left follows from the time that has passed and the share that is done; it is shown as
 * soon as it means something. */
#include "grader/cli/progress.h"

#include "grader/cli/command.h"
#include "reports/terminal.h"
#include "sandbox/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIRST_MS = 1000, /* on a terminal; what is done sooner needs no bar */
    DRAW_MS = 100,   /* between two bars */
    LINE_MS = 5000,  /* between two lines where there is no terminal, and before the first */
    BAR_COLUMNS = 20,
    NARROWEST_LABEL = 8,
};

/* Less of the work says nothing of the rest. */
#define KNOWN_SHARE 0.03

static double share_of(const struct progress *p) {
    double part = p->part_total ? (double)p->part_done / (double)p->part_total : 0;
    double share = p->total ? ((double)p->done + part) / (double)p->total : 0;
    return share < 1 ? share : 1;
}

static void append_bar(struct text *out, double share) {
    unsigned full = (unsigned)(share * BAR_COLUMNS);
    for (unsigned i = 0; i < BAR_COLUMNS; i++)
        text_append(out, i < full ? "\u2588" : "\u2591");
    text_append(out, "  ");
}

/* "0:05", "12:40", "1:02:40" */
static void append_duration(struct text *out, double seconds) {
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole >= 3600)
        text_printf(out, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
    else
        text_printf(out, "%lu:%02lu", whole / 60, whole % 60);
}

void progress_append(const struct progress *p, double elapsed_ms, struct text *out) {
    double share = share_of(p);
    cleanup_text struct text line = {0};
    if (p->terminal)
        append_bar(&line, share);
    if (p->total > 1 || !p->part_total)
        text_printf(&line, "%zu of %zu %s", p->done, p->total, p->noun);
    else
        text_printf(&line, "%zu of %zu %s", p->part_done, p->part_total, p->part);
    if (share >= KNOWN_SHARE) {
        text_append(&line, ", about ");
        append_duration(&line, elapsed_ms / 1000 * (1 - share) / share);
        text_append(&line, " left");
    }
    text_append(out, text_string(&line));
    size_t used = terminal_columns(text_string(&line)) + 3;
    if (!p->label || used + NARROWEST_LABEL > p->width)
        return;
    const struct terminal t = {.out = out, .color = p->color, .width = p->width};
    text_append(out, "  ");
    terminal_cut(&t, PEN_DIM, p->label, p->width - (unsigned)used);
}

void progress_begin(struct progress *p, size_t total, const char *noun, const char *part) {
    const char *kind = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
    unsigned width = command_terminal_width();
    double now = clock_ms();
    *p = (struct progress){.noun = noun,
                           .part = part,
                           .total = total,
                           .begun_ms = now,
                           .shown_ms = now + (terminal ? FIRST_MS - DRAW_MS : 0),
                           .terminal = terminal,
                           .color = command_color(COLOR_AUTO, STDERR_FILENO),
                           .width = width ? width : TERMINAL_WIDTH};
}

static void show(struct progress *p) {
    double now = clock_ms();
    if (now - p->shown_ms < (p->terminal ? DRAW_MS : LINE_MS))
        return;
    p->shown_ms = now;
    cleanup_text struct text line = {0};
    text_append(&line, p->terminal ? "\r" : "");
    progress_append(p, now - p->begun_ms, &line);
    text_append(&line, p->terminal ? "\033[K" : "\n");
    fputs(text_string(&line), stderr);
    p->drawn = p->terminal;
}

void progress_item(struct progress *p, size_t done, const char *label) {
    p->done = done;
    p->part_done = p->part_total = 0;
    p->label = label;
    show(p);
}

void progress_part(void *progress, size_t done, size_t total) {
    struct progress *p = progress;
    p->part_done = done;
    p->part_total = total;
    show(p);
}

void progress_clear(struct progress *p) {
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}
