/* Hazards as people read them: merged over cases, with excerpt, threads and fix. Private to
 * reports/. */
#ifndef WARPGRADE_REPORTS_HAZARDS_H
#define WARPGRADE_REPORTS_HAZARDS_H

#include "reports/report.h"
#include "reports/terminal.h"

enum { MOST_ALSO_LINES = 32 };

/* One cause: a kind of hazard on one variable, whichever lines and cases it happened in. */
struct merged_hazard {
    const struct hazard *first;
    enum hazard_fix fix; /* what helps all of them */
    const char *hint;    /* NULL, or the exercise's hint for a case that it decides */
    size_t case_count;   /* in how many cases; 0: there are no cases, only a launch */
    uint64_t count;      /* summed over lines and cases */
    /* The first ones of the other lines, beside those of `first`; rising. */
    unsigned also_lines[MOST_ALSO_LINES];
    size_t also_count;
};

/* Of all cases: errors first, then what most cases have, then by line. The caller frees *merged. */
void hazards_merge(const struct report *report, struct merged_hazard **merged, size_t *count);
/* Of one launch, in the order of the list. The caller frees *merged. */
void hazards_merge_list(const struct hazard *hazards, size_t hazard_count,
                        struct merged_hazard **merged, size_t *count);
/* Joins findings that one mistake explains, so that the first of them stands for all: a missing
 * barrier that two arrays need, a missing bounds check of two arrays. */
void hazards_join(struct merged_hazard *merged, size_t *count);

/* What is wrong, in a sentence or two, of which much is a worker's. */
void hazards_append_message(struct text *out, enum language language, const struct hazard *hazard);

struct hazards_look {
    const char *file;
    const char *source; /* the text of `file`; may be NULL */
    size_t source_length;
    bool brief; /* no more than what is needed to mend it */
};
/* of_cases: how many cases ran. */
void hazards_print(const struct terminal *t, const struct merged_hazard *merged, size_t of_cases,
                   const struct hazards_look *look);
/* On one line, cut at the terminal's width. */
void hazards_print_line(const struct terminal *t, const struct merged_hazard *merged,
                        size_t of_cases);
/* Does the case's verdict come from its first hazard? Then the case's hint is about that. */
bool hazards_decide(const struct report_case *item);
/* "dot.cu:12:5", "dot.cu:12", "dot.cu" or "". */
void hazards_place(const struct hazard *hazard, struct text *out);
/* A label in a column of its own, as all details of hazards and cases begin. */
void hazards_detail_label(const struct terminal *t, const char *label);
enum { DETAIL_INDENT = 13 };

#endif
