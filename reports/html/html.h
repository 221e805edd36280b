/* The HTML report's own parts. Private to reports/html/; reports/class/ uses what is above the
 * parts.
 *
 * A page is appended piece by piece. Markup is written by html_raw() and html_printf(), which take
 * nothing but text of ours and numbers; whatever else is said goes through html_say() and
 * html_foreign(), which escape it. */
#ifndef WARPGRADE_REPORTS_HTML_HTML_H
#define WARPGRADE_REPORTS_HTML_HTML_H

#include "reports/explain.h"
#include "reports/hazards.h"
#include "reports/report.h"
#include "sandbox/base/decimal.h"

enum html_string {
#define STRING(ID, english, chinese) SAY_##ID,
#include "reports/html/strings.def"
#undef STRING
    HTML_STRING_COUNT
};

enum { HTML_MAX_PAGES = 64 };

struct html {
    struct text *out;
    const struct report *report;
    unsigned language; /* column of strings.def */
    size_t number;     /* of the report in the file: ids of several must differ */
    bool alone;        /* there is no other, so that a part of its path tells which it is */
    struct explain_page pages[HTML_MAX_PAGES]; /* that something links to, in that order */
    size_t page_count;
};

/* ---- write.c: words and numbers -------------------------------------------------------------- */

void html_raw(struct html *h, const char *markup);
__attribute__((format(printf, 2, 3))) void html_printf(struct html *h, const char *format, ...);
/* Text of anyone, on one line. NULL is nothing. */
void html_foreign(struct html *h, const char *text);
void html_foreign_bytes(struct html *h, const char *text, size_t length);
/* The submission's file. Of a single one the last folder, which often is the student's, and the
 * name; the last line of the page has the others. */
const char *html_file_name(const struct html *h);
/* A sentence of ours or of the exercise's author: `code` in it is shown as such. */
void html_prose(struct html *h, const char *text);
/* Between tags: "<b>", text, "</b>". */
void html_tagged(struct html *h, const char *open, const char *text, const char *close);
/* The same for prose. */
void html_tagged_prose(struct html *h, const char *open, const char *text, const char *close);
/* A string of the table; texts for its {0}, {1} ... and a NULL after them. */
__attribute__((sentinel)) void html_say(struct html *h, enum html_string string, ...);
/* The same for a text of one's own. */
__attribute__((sentinel)) void html_fill(const struct html *h, struct text *out,
                                         enum html_string string, ...);
/* The same with strings of another table, whose {0}, {1} ... are filled from the list. */
void html_fill_pattern(struct text *out, const char *pattern, va_list arguments);
/* From the doctype to the body: title, styles (style.css, then more), nothing that loads. */
void html_open_document(struct html *h, const char *title, const char *more_style);
void html_close_document(struct html *h);
/* Begins a figure: its markup until the picture; html_figure_end() closes it with a caption. */
void html_svg(struct html *h, const char *css_class, double width, double height,
              const char *label);

struct html_number {
    char text[32];
};
struct html_number html_number(uint64_t value);
struct html_number html_integer(int64_t value);
/* "12.3 µs", "1.05 ms" */
struct html_number html_time(double ms);
/* 67 000 giga: "67 TFLOP/s" */
struct html_number html_rate(double giga, const char *unit);
struct html_number html_thread(struct dim3 d); /* "(3, 0, 0)" */

/* "#explain-ID" in this report, whose page is embedded at the end. Appends a link with the text. */
void html_explain_link(struct html *h, const char *id, enum html_string text);

/* ---- one file a part ------------------------------------------------------------------------- */

void html_head(struct html *h);      /* head.c: score, cause, next step */
void html_findings(struct html *h);  /* finding.c */
void html_compiler(struct html *h);  /* code.c */
void html_results(struct html *h);   /* result.c */
void html_speed(struct html *h);     /* speed.c */
void html_source(struct html *h);    /* source.c */
void html_cases(struct html *h);     /* case.c */
void html_explained(struct html *h); /* explain.c */
void html_foot(struct html *h);      /* html.c */

/* code.c: lines of the submission. */
struct html_mark {
    unsigned line;
    const char *css_class; /* "bad", "warn" */
    struct text note;      /* beside the line; the caller's */
};
bool html_own_file(const struct html *h, const char *file);
void html_excerpt(struct html *h, const struct html_mark *marks, size_t count, unsigned context);
struct html_line {
    const char *start;
    size_t length;
};
/* Line after line: false after the last. *offset begins at 0. */
bool html_next_line(const struct report *report, size_t *offset, struct html_line *line);
void html_code(struct html *h, const struct html_line *line);

/* head.c: is it what the page says is to be done next? */
bool html_is_next(const struct html *h, const char *hint);
/* hazard.c: the picture of a finding, where there is one. */
void html_hazard_picture(struct html *h, const struct hazard *hazard);
void html_describe_hazard(const struct html *h, const struct hazard *hazard, struct text *out);
bool html_has_picture(const struct hazard *hazard);
/* output.c: the picture of a wrong output, a small one without words, and what of it is wrong in a
 * few words; "" where that cannot be said. One element is no picture. */
bool html_has_output(const struct report_case *item);
void html_output(struct html *h, const struct report_case *item);
void html_small_output(struct html *h, const struct report_case *item);
void html_describe_wrong(const struct html *h, const struct report_difference *d, struct text *out);
/* result.c: "sum: expected 16.5, actual 16.4" */
void html_append_values(const struct html *h, const struct report_difference *d, struct text *out);
/* speed.c: every result is right, so that there is something to say about speed. */
bool html_speed_counts(const struct report *report);
/* access.c, roofline.c: parts of the speed section. */
void html_access(struct html *h, const struct warp_access *access);
void html_roofline(struct html *h, const struct report_speed *speed);
/* finding.c: what to do about it. */
void html_fix_text(const struct html *h, const struct merged_hazard *merged, struct text *out);

enum html_string html_verdict_string(enum verdict verdict);
enum html_string html_case_verdict(const struct report_case *item);
enum html_string html_hazard_string(enum hazard_kind kind, enum hazard_fix fix);
enum html_string html_access_string(enum scene_access access); /* "reads" */
const char *html_verdict_class(enum verdict verdict);          /* "ok", "bad", "warn", "off" */
bool html_is_failure(const struct report_case *item);

#endif
