/* How far long work is, on standard error: a bar with the time left on a terminal, elsewhere a line
 * every few seconds. Work that is soon done says nothing. */
#ifndef WARPGRADE_GRADER_CLI_PROGRESS_H
#define WARPGRADE_GRADER_CLI_PROGRESS_H

#include "sandbox/base/text.h"

struct progress {
    const char *noun; /* of the items: "files" */
    const char *part; /* of what an item is made of: "cases" */
    size_t done, total;
    size_t part_done, part_total; /* of the item in work */
    const char *label;            /* what is in work; may be a student's words */
    double begun_ms, shown_ms;
    bool terminal, color;
    unsigned width;
    bool drawn; /* the terminal's last line is the bar */
};

/* Starts the clock; the struct's other fields follow standard error. */
void progress_begin(struct progress *progress, size_t total, const char *noun, const char *part);
/* Item `done` begins, from 0; label may be NULL and stays the caller's. */
void progress_item(struct progress *progress, size_t done, const char *label);
/* A grade_progress: of the item in work. One thread at a time. */
void progress_part(void *progress, size_t done, size_t total);
/* Takes the bar away, so that something else can be printed. */
void progress_clear(struct progress *progress);

/* The line as it is after `elapsed_ms`, without what moves a cursor. Pure. */
void progress_append(const struct progress *progress, double elapsed_ms, struct text *out);

#endif
