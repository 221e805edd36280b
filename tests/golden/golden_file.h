/* Texts against golden files. For test programs of CMocka. */
#ifndef WARPGRADE_TESTS_GOLDEN_GOLDEN_FILE_H
#define WARPGRADE_TESTS_GOLDEN_GOLDEN_FILE_H

#include "sandbox/base/text.h"

/* Fails where tests/golden/FOLDER/NAME.ENDING holds something else; with WARPGRADE_UPDATE_GOLDEN it
 * is written instead. */
void golden_compare(const char *folder, const char *name, const char *ending,
                    const struct text *text);
/* A page's style is a file in the tree already: golden pages are without it. */
void golden_cut_style(struct text *page);

#endif
