/* Foreign text in plain text and in the headers of a mail. Private to reports/class/. */
#ifndef WARPGRADE_REPORTS_CLASS_CLASS_TEXT_H
#define WARPGRADE_REPORTS_CLASS_CLASS_TEXT_H

#include "reports/class/class_private.h"

/* Escaped as for a terminal, on one line (newlines are spaces), cut with an ellipsis. NULL is
 * nothing. */
void class_text_foreign(struct text *out, const char *string, unsigned columns);

#endif
