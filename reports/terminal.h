/* Writing for a terminal: pens (colours), untrusted text, wrapping, padding, source excerpts.
 * Private to reports/ and to the commands' own terminal output. */
#ifndef WARPGRADE_REPORTS_TERMINAL_H
#define WARPGRADE_REPORTS_TERMINAL_H

#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#include <stdint.h>

enum pen {
    PEN_PLAIN,
    PEN_BOLD,
    PEN_DIM,
    PEN_RED,
    PEN_GREEN,
    PEN_YELLOW,
    PEN_CYAN,
    PEN_BOLD_RED,
    PEN_BOLD_GREEN,
    PEN_BOLD_YELLOW,
    PEN_COUNT
};

/* What a report that is not --verbose leaves out so that it fits a screen, each beside those before
 * it: the first that is enough. What is left always says where, why, and what to do next. */
enum terse {
    TERSE_NOTHING,
    TERSE_FIX,      /* what helps in general, where the exercise has a hint of its own */
    TERSE_EVIDENCE, /* what a probable cause rests on, and the lines around those of a finding */
    TERSE_TITLE,    /* the exercise's title */
    TERSE_FINDINGS, /* the findings after the first, which are counted */
    TERSE_COUNT
};

struct terminal {
    struct text *out;
    bool color;
    unsigned width; /* columns */
    enum language language;
    enum terse terse;
};

enum { TERMINAL_WIDTH = 100 };

/* Text of our own: not escaped. */
void terminal_print(const struct terminal *t, enum pen pen, const char *string);
__attribute__((format(printf, 3, 4))) void terminal_printf(const struct terminal *t, enum pen pen,
                                                           const char *format, ...);
/* Untrusted text, escaped, on one line. NULL prints nothing. */
void terminal_foreign(const struct terminal *t, enum pen pen, const char *string);
void terminal_foreign_bytes(const struct terminal *t, enum pen pen, const char *string,
                            size_t length);
/* The same, filled with spaces to `columns`; what is longer is cut and ends with an ellipsis. */
void terminal_cell(const struct terminal *t, enum pen pen, const char *string, unsigned columns);
/* The same for a path, which is cut at its beginning: files of one folder differ at their ends. */
void terminal_path_cell(const struct terminal *t, enum pen pen, const char *path, unsigned columns);
/* The same without filling. */
void terminal_cut(const struct terminal *t, enum pen pen, const char *string, unsigned columns);
/* Columns that terminal_foreign() takes. */
size_t terminal_columns(const char *string);
/* Untrusted text, escaped and wrapped at t->width. `column` is where the cursor stands, `indent`
 * where the following lines begin; newlines in the text begin a new line. `code` between backticks
 * is coloured. Ends with a newline. */
void terminal_wrap(const struct terminal *t, enum pen pen, const char *string, size_t column,
                   size_t indent);
/* The same for text that is escaped already and holds marks of its own, which take no column:
 * between two of a kind the text is strong, or code. */
enum { TERMINAL_STRONG = 1, TERMINAL_CODE = 2 };
void terminal_wrap_marked(const struct terminal *t, enum pen pen, const char *data, size_t length,
                          size_t column, size_t indent);
/* Columns of such a text. */
size_t terminal_marked_columns(const char *data, size_t length);
void terminal_indent(const struct terminal *t, size_t columns);

/* A marked line of an excerpt: `>` beside it, and with a column a caret below it. */
struct excerpt_mark {
    unsigned line;
    unsigned column;  /* in bytes from 1; 0: unknown */
    unsigned context; /* lines shown before and after it */
    enum pen pen;
};
/* Lines around the marks with their numbers, "..." between distant ones. Marks outside the source
 * are left out; nothing is written when none is left. */
void terminal_excerpt(const struct terminal *t, const char *source, size_t length,
                      const struct excerpt_mark *marks, size_t mark_count);

/* One source line, escaped, with tabs expanded, cut with an ellipsis at `columns`; no newline. */
void terminal_source(const struct terminal *t, enum pen pen, const char *line, size_t length,
                     size_t columns);
/* The next line of a source: moves *offset past it. False at the end. */
bool terminal_next_line(const char *source, size_t source_length, size_t *offset, const char **line,
                        size_t *length);

/* report_diagnostic_text() for a report that is being written. */
struct build_diagnostic;
void report_diagnostic(const struct terminal *t, const struct build_diagnostic *diagnostic,
                       const char *path, const char *source, size_t source_length);

#endif
