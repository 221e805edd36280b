/* What a page of ours may be made of, written down apart from the program that writes it. */
#ifndef WARPGRADE_TESTS_GOLDEN_MARKUP_H
#define WARPGRADE_TESTS_GOLDEN_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

enum { MARKUP_PROBLEM_BYTES = 200 };

/* Parses the page as a browser would. False, with the cause in `problem`, where it holds an element
 * or an attribute that no page of ours has, a link that leaves the page, or a style that is more
 * than lengths; or where it says nothing. */
bool markup_is_ours(const char *html, size_t length, char problem[MARKUP_PROBLEM_BYTES]);
/* The same of a page that may also link to files below its own folder. */
bool markup_is_ours_with_files(const char *html, size_t length, char problem[MARKUP_PROBLEM_BYTES]);

#endif
