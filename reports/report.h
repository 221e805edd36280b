/* The one struct that all reports are pure functions of, and the report formats.
 *
 * Strings in it may come from a submission and are raw: each writer escapes them through
 * reports/escape.h for its own format. Reports know nothing of engines and exercises. */
#ifndef WARPGRADE_REPORTS_REPORT_H
#define WARPGRADE_REPORTS_REPORT_H

#include "grader/base/error.h"
#include "grader/base/text.h"
#include "grader/verdict.h"
#include "sandbox/build/build.h"
#include "sandbox/engine.h"

struct report_group {
    char *name;
    double score, max_score;
    size_t case_count, passed_count;
};

struct report_difference {
    bool present;
    char *output; /* the buffer: "P" */
    char *index;  /* "[17, 3]" */
    uint64_t flat_index;
    double expected, actual;
    double allowed;     /* the largest |actual - expected| accepted here */
    bool is_integer;    /* expected and actual are whole numbers of an integer type */
    bool never_written; /* the element still holds the poison */
    uint64_t differing; /* how many elements differ ... */
    uint64_t total;     /* ... of how many */
};

struct report_size {
    char *name;
    int64_t value;
};

struct report_time {
    bool present;
    bool measured; /* else modelled */
    double median_ms, ci_low_ms, ci_high_ms, ratio_to_reference;
};

struct report_case {
    char *name;
    char *group;
    struct report_size *sizes;
    size_t size_count;
    enum verdict verdict;
    double score, max_score;
    char *message; /* one sentence: why this verdict */
    char *hint;    /* NULL, or the exercise's hint for it */
    struct report_difference difference;
    char *tolerance; /* in words: "dot product of 17 terms: 17 * 2^-24 * sum|a*b|" */
    struct hazard *hazards;
    size_t hazard_count;
    bool has_counters;
    struct counters counters;
    struct report_time time;
    char *printed;  /* device printf output, NULL where none */
    double wall_ms; /* of the case as run here; never in golden files */
};

struct report {
    char *exercise; /* id */
    char *title;
    char *language; /* "en", "zh": of hints and titles */
    char *file;     /* the submission as given by the user */
    char *source;   /* its text, for excerpts; NULL where it could not be read */
    size_t source_length;
    char sha256[65];
    char *engine; /* "sim", "cuda", "sim+cuda" */
    uint64_t seed;
    double score, max_score;
    double pass_mark; /* in points */
    bool passed;
    enum verdict verdict; /* the worst of the cases' */
    char *message;        /* the line a student reads first */
    char *cap_reason;     /* NULL, or why the total is capped by a gate */
    struct report_group *groups;
    size_t group_count;
    struct report_case *cases;
    size_t case_count;
    struct build_diagnostic *diagnostics;
    size_t diagnostic_count;
    char *build_message; /* NULL where it compiled */
    char *build_hint;
    struct report_size *constants; /* TILE_WIDTH = 16 as read from the submission */
    size_t constant_count;
    char *compiler;    /* "NVRTC 13.0" */
    char *environment; /* one line: kernel, CPU count */
    double wall_ms;    /* of the whole grading */
};

void report_free(struct report *report); /* frees everything it owns and the struct itself */
/* "83", "66.66": points with at most two decimals, rounded down so that 59.999 never reads as 60.
 */
void report_append_points(struct text *out, double points);

struct report_options {
    bool color;     /* text only */
    bool verbose;   /* text: passing cases in full, counters */
    unsigned width; /* text: columns, 0: 100 */
};

/* One row a format; `write` appends the whole report to `out`. */
struct report_format {
    const char *name;      /* "json" */
    const char *extension; /* "json", "xml" */
    const char *summary;
    enum status (*write)(const struct report *const *reports, size_t count,
                         const struct report_options *options, struct text *out,
                         struct error *error);
};
extern const struct report_format report_formats[];
extern const size_t report_format_count;
const struct report_format *report_format_find(const char *name);

/* An error for the terminal: file:line:col: message, the source line, a caret, the hint. All
 * untrusted text is escaped. */
void report_error_text(const struct error *error, bool color, struct text *out);
/* One message of the compiler, with its excerpt where it is about the file at `path` (its source
 * may be NULL). */
void report_diagnostic_text(const struct build_diagnostic *diagnostic, const char *path,
                            const char *source, size_t source_length, bool color, struct text *out);
/* A source excerpt with line numbers and a caret below line:column (column 0: no caret, the line is
 * marked); `context` lines around it. */
void report_excerpt(const char *source, size_t length, unsigned line, unsigned column,
                    unsigned context, bool color, struct text *out);
/* The hazards of a launch, each with excerpt, threads and the second place: what `grade` and `sim`
 * both print. source may be NULL. */
void report_hazards_text(const struct hazard *hazards, size_t count, const char *source,
                         size_t source_length, bool color, struct text *out);

#endif
