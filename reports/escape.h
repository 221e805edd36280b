/* The only way for untrusted text to reach a terminal, HTML, XML, CSV or JSON.
 *
 * All functions append to `out`. Invalid UTF-8 becomes U+FFFD, one for each maximal bad part. What
 * must not be passed on as it is, called hidden below, is shown as \x1b or \u202e, so that a reader
 * sees what the compiler read: control characters (C0, DEL, C1), bidirectional controls, characters
 * that no one can see (joiners only where there is nothing to join), noncharacters, and the colon
 * or hash that would make a CI runner take the text for a command of its own. */
#ifndef WARPGRADE_REPORTS_ESCAPE_H
#define WARPGRADE_REPORTS_ESCAPE_H

#include "sandbox/base/text.h"

/* Newlines are shown as \n where one_line, and kept otherwise; tabs are kept. */
void escape_terminal(struct text *out, const char *string, size_t length, bool one_line);
/* For libxml2's writer, which escapes the markup: hidden characters but newline and tab are shown,
 * and what is left are characters that XML 1.0 allows. */
void escape_xml(struct text *out, const char *string, size_t length);
/* & < > " ' as entities, the rest as on a terminal. Fits attributes. */
void escape_html(struct text *out, const char *string, size_t length);
/* A quoted CSV field on one line: newlines, tabs and carriage returns are shown as \n, \t, \r. What
 * a spreadsheet would take for a formula gets a ' in front of it, also after a semicolon, where
 * programs of many languages begin the next cell. */
void escape_csv(struct text *out, const char *string, size_t length);
/* The string with invalid UTF-8 replaced, as jansson and SQLite want it. NUL bytes stay:
 * json_stringn() takes them. */
void escape_utf8(struct text *out, const char *string, size_t length);
/* A JSON document as jansson writes it: hidden characters become \uXXXX, which every reader turns
 * back into the same string. Newlines between values stay. */
void escape_json(struct text *out, const char *document, size_t length);
/* Backslashes before what Markdown would take for markup; HTML characters as entities. */
void escape_markdown(struct text *out, const char *string, size_t length);

#endif
