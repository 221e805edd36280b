/* Reports that `grade --report json=FILE` wrote, read back: what any other format can be made of
 * later. The bytes may be anybody's. */
#ifndef WARPGRADE_REPORTS_STORED_H
#define WARPGRADE_REPORTS_STORED_H

#include "reports/report.h"

enum { STORED_MAX_BYTES = 64 << 20 }; /* of a document */

struct stored_reports {
    struct report **reports;
    size_t count, capacity;
};

/* Appends the reports of the document: one, or those of its member `submissions`. On an error
 * nothing is appended; it names the place in the document ("cases[3].verdict: ..."), and with
 * `name` the file. All that a report holds is read back but what a clock measured: the times that
 * compiling and grading took are not in it. */
enum status stored_read(const char *text, size_t length, const char *name,
                        struct stored_reports *stored, struct error *error);
void stored_free(struct stored_reports *stored); /* what it owns; leaves it empty */

#endif
