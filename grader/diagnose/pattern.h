/* Patterns of a difference: each looks at one output and says whether it looks as if its cause had
 * made it. Pure. */
#ifndef WARPGRADE_GRADER_DIAGNOSE_PATTERN_H
#define WARPGRADE_GRADER_DIAGNOSE_PATTERN_H

#include "grader/diagnose/view.h"
#include "sandbox/base/text.h"

enum pattern_strength {
    PATTERN_NO,     /* the cause would have made another difference */
    PATTERN_FITS,   /* it may have made this one; so may others: there is too little to see */
    PATTERN_STRONG, /* it is hard to see what else could have made it */
};

/* Appends to `evidence` what shows it, without the name of the case: "each wrong element of out is
 * 256 times the expected one". Only where it is strong. */
typedef enum pattern_strength pattern_look(const struct view *view, struct text *evidence);

struct pattern {
    enum cause cause;
    pattern_look *look;
};
extern const struct pattern patterns[];
extern const size_t pattern_count;

/* pattern_place.c: which elements are wrong. */
pattern_look pattern_nothing_written, pattern_block_index, pattern_one_pass, pattern_last_left_out,
    pattern_tail, pattern_axes_swapped, pattern_border, pattern_tile_border,
    pattern_partly_unwritten;
/* pattern_value.c: by how much. */
pattern_look pattern_every_thread, pattern_factor, pattern_row_factor, pattern_sign, pattern_offset,
    pattern_rounding, pattern_wraps, pattern_all_zero;
/* pattern_number.c: what kind of numbers they are. */
pattern_look pattern_half, pattern_integer, pattern_not_finite, pattern_neutral;
/* pattern_source.c: what the wrong elements hold is expected of a part, or of another output. */
pattern_look pattern_input_unchanged, pattern_axis_ignored, pattern_outputs_swapped, pattern_bytes,
    pattern_first_piece, pattern_stride;
/* pattern_order.c: where the right values went. */
pattern_look pattern_transposed, pattern_reversed, pattern_shifted, pattern_exclusive_scan,
    pattern_inclusive_scan, pattern_restarts, pattern_misplaced, pattern_arrival_order;

#endif
