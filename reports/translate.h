/* The Chinese of sentences that rooms without a language write: the compiler's wrapper, the
 * simulated GPU, options. They are English there, and translate.def has a row for each form. */
#ifndef WARPGRADE_REPORTS_TRANSLATE_H
#define WARPGRADE_REPORTS_TRANSLATE_H

#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#include <stdbool.h>

struct error;

/* Appends the sentence in the language. Where no row has its form it is appended as it is, and the
 * answer is false. */
bool translate_append(struct text *out, enum language language, const char *english);
/* The same as a string of one's own. */
char *translate_string(enum language language, const char *english);
/* The same in the buffer itself, cut where it has no room. */
void translate_in_place(enum language language, char *buffer, size_t size);
/* Message and hint of an error; its place stays. */
void translate_error(enum language language, struct error *error);

#endif
