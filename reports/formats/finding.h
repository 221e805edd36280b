/* A report as code reviewers see it: what is wrong, each with a rule and a place in a file. SARIF,
 * GitHub's annotations, GitLab's code quality and the Markdown page are made of this list. Private
 * to reports/. */
#ifndef WARPGRADE_REPORTS_FORMATS_FINDING_H
#define WARPGRADE_REPORTS_FORMATS_FINDING_H

#include "reports/report.h"

/* Rules of findings that are neither a hazard nor a verdict. */
#define FINDING_COMPILER_WARNING "compiler-warning"
#define FINDING_NOT_GRADED       "not-graded" /* no such file, exercise ...: no case was run */

enum finding_level { FINDING_ERROR, FINDING_WARNING, FINDING_LEVEL_COUNT };

/* How grave among those of its level, gravest first. */
enum finding_weight {
    WEIGHT_UNGRADED, /* nothing can be said of the submission */
    WEIGHT_BUILD,
    WEIGHT_HAZARD,
    WEIGHT_CASE, /* a verdict that no hazard explains */
    WEIGHT_REMARK
};

/* Another place that belongs to it. */
struct finding_place {
    char *file; /* as in struct finding */
    unsigned line;
    char *message; /* raw */
};

/* Strings are raw: they may hold whatever a submission or a worker has put there. */
struct finding {
    const struct report *report;
    enum finding_level level;
    enum finding_weight weight;
    const char *rule; /* a hazard's id, a verdict's, FINDING_COMPILER_WARNING or FINDING_NOT_GRADED:
                         stable names */
    char *file;       /* the submission's path, or the name of another file; never empty */
    bool in_submission;
    unsigned line, column; /* column in bytes; 0: unknown */
    char *message;
    const char *hint; /* the exercise's; NULL: none */
    char *fix;        /* what helps in general; NULL: nothing to say */
    uint64_t count;   /* how often a hazard happened; 0: no count */
    size_t case_count;
    struct finding_place *places;
    size_t place_count;
    const char *subject; /* what tells it from others of its rule on its line: a variable, a text */
    size_t subject_length;
    /* The same for the same mistake in the next report, whatever the seed and the lines above it;
     * unique within a list. */
    char fingerprint[65];
};

struct findings {
    struct finding *items;
    size_t count, capacity;
};

/* Gravest first, otherwise in the order of the reports. A report that has not passed has at least
 * one. To be freed with findings_free(). */
void findings_collect(const struct report *const *reports, size_t count, struct findings *findings);
void findings_free(struct findings *findings);
/* Everything about it in sentences, raw: the message, in how many cases, and on lines of their own
 * the hint and the fix. */
void finding_append_text(const struct finding *finding, struct text *out);
/* The line of the submission's source that it points at; false where that is not known. */
bool finding_source_line(const struct finding *finding, const char **line, size_t *length);

#endif
