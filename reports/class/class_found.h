/* What one report says in a cell of the class report, in the words of its own page. */
#ifndef WARPGRADE_REPORTS_CLASS_CLASS_FOUND_H
#define WARPGRADE_REPORTS_CLASS_CLASS_FOUND_H

#include "reports/class/class_report.h"
#include "reports/report.h"

/* The strings that a cell points to. Free with class_found_free(). */
struct class_found {
    char *message, *next, *cause, *cause_text, *file, *excerpt;
};

/* Fills what the report knows: score, passed, verdict, hazard, cause, message, next, the place with
 * its excerpt, ratio and limiter. Penalty, final_score, commit and the rest stay the caller's. The
 * report may be freed afterwards. */
void class_found_take(const struct report *report, struct class_cell *cell,
                      struct class_found *found);
void class_found_free(struct class_found *found);

#endif
