/* What has changed between two attempts, as one line for the student. */
#ifndef WARPGRADE_GRADER_LEARN_SINCE_H
#define WARPGRADE_GRADER_LEARN_SINCE_H

#include "grader/learn/record.h"
#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

/* "+20 points; block-plus-1 and prime pass now; warp-minus-1 fails now", escaped, without a
 * newline; "nothing, the file is the same". */
void learn_append_since(const struct learn_attempt *before, const struct learn_attempt *after,
                        enum language language, struct text *out);

#endif
