/* The only way for untrusted text to reach a terminal, HTML, XML, CSV or JSON.
 *
 * All functions append to `out`. Invalid UTF-8 becomes U+FFFD, one for each maximal bad part. Where
 * a human reads the result as text (terminal, HTML, Markdown), control characters (C0 but newline
 * and tab, DEL, C1), bidirectional controls and characters nobody can see are shown as \x1b,
 * \u202e: what is shown is what the compiler read. */
#ifndef WARPGRADE_REPORTS_ESCAPE_H
#define WARPGRADE_REPORTS_ESCAPE_H

#include "grader/base/text.h"

/* Newlines are shown as \n where one_line, and kept otherwise. */
void escape_terminal(struct text *out, const char *string, size_t length, bool one_line);
/* & < > " ' as entities; characters that XML 1.0 forbids become U+FFFD. Fits attributes. */
void escape_xml(struct text *out, const char *string, size_t length);
/* Only the characters that XML 1.0 forbids are replaced: for libxml2's writer, which escapes the
 * rest. */
void escape_xml_characters(struct text *out, const char *string, size_t length);
void escape_html(struct text *out, const char *string, size_t length);
/* A quoted CSV field; one that a spreadsheet would take for a formula gets a leading '. */
void escape_csv(struct text *out, const char *string, size_t length);
/* The string with invalid UTF-8 replaced, as jansson wants it (jansson escapes the rest). NUL bytes
 * stay: json_stringn() takes them. */
void escape_utf8(struct text *out, const char *string, size_t length);
/* Backslashes before what Markdown would take for markup; HTML characters as entities. */
void escape_markdown(struct text *out, const char *string, size_t length);

#endif
