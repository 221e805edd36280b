/* What was found, for people and for programs. Pure functions; all that is foreign is escaped. */
#ifndef WARPGRADE_GRADER_SIMILARITY_SHOW_H
#define WARPGRADE_GRADER_SIMILARITY_SHOW_H

#include "grader/similarity/collect.h"
#include "sandbox/base/language.h"

struct similarity_report {
    const struct similarity_set *set;
    const struct similarity_result *results; /* of each class of the set */
    double threshold;
    enum language language; /* of the page; the table and the JSON are English */
};

/* Pairs at or above the threshold, or the best few where there are none; the groups; what was
 * compared in another way. */
void similarity_write_text(const struct similarity_report *report, bool color, struct text *out);
/* All pairs that are kept, with the lines that agree. */
void similarity_write_json(const struct similarity_report *report, struct text *out);
/* One page without scripts, with both sources of each pair side by side. */
void similarity_write_html(const struct similarity_report *report, struct text *out);

/* ---- shared by them -------------------------------------------------------------------------- */

/* How the two were compared, in a few words; "" as most are. */
const char *similarity_word_strength(enum language language, const struct similarity_pair *pair);

/* Two sources, row by row: lines that agree side by side, as far as their order is the same. */
struct similarity_row {
    uint32_t left, right;                     /* lines from 1; 0: none */
    bool agree;                               /* the two say the same */
    uint32_t left_elsewhere, right_elsewhere; /* agrees with this line of the other, out of order */
};
struct similarity_row *similarity_align(const struct similarity_pair *pair, size_t left_lines,
                                        size_t right_lines, size_t *count);

#endif
