/* The table of patterns. */
#include "grader/diagnose/pattern.h"

#include "sandbox/base/memory.h"

const struct pattern patterns[] = {
    {CAUSE_NOTHING_WRITTEN, pattern_nothing_written},
    {CAUSE_BLOCK_INDEX, pattern_block_index},
    {CAUSE_ONE_PASS, pattern_one_pass},
    {CAUSE_EXCLUSIVE_SCAN, pattern_exclusive_scan},
    {CAUSE_INCLUSIVE_SCAN, pattern_inclusive_scan},
    {CAUSE_RESTARTS, pattern_restarts},
    {CAUSE_LAST_LEFT_OUT, pattern_last_left_out},
    {CAUSE_TAIL, pattern_tail},
    {CAUSE_EVERY_THREAD, pattern_every_thread},
    {CAUSE_TRANSPOSED, pattern_transposed},
    {CAUSE_AXES_SWAPPED, pattern_axes_swapped},
    {CAUSE_REVERSED, pattern_reversed},
    {CAUSE_SHIFTED, pattern_shifted},
    {CAUSE_SIGN, pattern_sign},
    {CAUSE_NOT_FINITE, pattern_not_finite},
    {CAUSE_INTEGER, pattern_integer},
    {CAUSE_WRAPS, pattern_wraps},
    {CAUSE_HALF, pattern_half},
    {CAUSE_NEUTRAL, pattern_neutral},
    {CAUSE_ALL_ZERO, pattern_all_zero},
    {CAUSE_FACTOR, pattern_factor},
    {CAUSE_ROW_FACTOR, pattern_row_factor},
    {CAUSE_OFFSET, pattern_offset},
    {CAUSE_ROUNDING, pattern_rounding},
    {CAUSE_TILE_BORDER, pattern_tile_border},
    {CAUSE_AXIS_IGNORED, pattern_axis_ignored},
    {CAUSE_OUTPUTS_SWAPPED, pattern_outputs_swapped},
    {CAUSE_INPUT_UNCHANGED, pattern_input_unchanged},
    {CAUSE_STRIDE, pattern_stride},
    {CAUSE_BYTES, pattern_bytes},
    {CAUSE_FIRST_PIECE, pattern_first_piece},
    {CAUSE_BORDER, pattern_border},
    {CAUSE_ARRIVAL_ORDER, pattern_arrival_order},
    {CAUSE_MISPLACED, pattern_misplaced},
    {CAUSE_PARTLY_UNWRITTEN, pattern_partly_unwritten},
};
const size_t pattern_count = ARRAY_LENGTH(patterns);
