/* A class at a glance: one page for the instructor, one text for each student, and the same as
 * JSON.
 *
 * The struct is filled from rows of a gradebook: arrays of students and exercises, and a cell for
 * each pair, none of which points into a struct report, so that thousands of reports need not be in
 * memory. All strings are borrowed for the call, are UTF-8 or hostile bytes, and are escaped here;
 * NULL and "" both mean that there is none. Ids of verdicts, hazards and limiters are those of
 * sandbox/base/ and of reports/explain/; one that is unknown, as an older gradebook may have, is
 * shown as it is. Nothing here has a clock, opens a file or fails: the same struct gives the same
 * bytes. */
#ifndef WARPGRADE_REPORTS_CLASS_CLASS_REPORT_H
#define WARPGRADE_REPORTS_CLASS_CLASS_REPORT_H

#include "sandbox/base/language.h"
#include "sandbox/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum class_state {
#define CLASS_STATE(ID, name) CLASS_##ID,
#include "reports/class/class_state.def"
#undef CLASS_STATE
    CLASS_STATE_COUNT
};
extern const char *const class_state_names[CLASS_STATE_COUNT];

enum class_flag {
#define CLASS_FLAG(ID, name) CLASS_FLAG_##ID,
#include "reports/class/class_flag.def"
#undef CLASS_FLAG
    CLASS_FLAG_COUNT
};
extern const char *const class_flag_names[CLASS_FLAG_COUNT];

/* A moment as a calendar shows it where the course is taught. */
struct class_time {
    int64_t at;         /* seconds since 1970, UTC; 0: there is none */
    int32_t utc_offset; /* seconds east of UTC at that moment: 3600 for CET */
};

/* One case of an exercise, over the attempts that count: SELECT name, count(*) ... GROUP BY name.
 */
struct class_case {
    const char *name;
    size_t ran;    /* students whose submission ran it: neither skipped nor not compiled */
    size_t failed; /* of them: any verdict but "pass" */
};

struct class_exercise {
    const char *id, *title; /* "saxpy", "Scale and add"; without a title the id is shown */
    double max_score;       /* points, > 0 */
    double pass_mark;       /* points; 0: there is none */
    struct class_time deadline;
    const struct class_case *cases; /* in the order of the exercise; may be NULL */
    size_t case_count;
};

/* One student, one exercise: the attempt that counts. All zero is "not submitted". */
struct class_cell {
    enum class_state state;
    /* Points. Where nothing was graded score and final_score are what counts: 0, as a rule. */
    double score;       /* as graded, before penalty and override */
    double penalty;     /* taken off for lateness, >= 0 */
    double final_score; /* what counts: score - penalty, or the override's */
    bool passed;        /* by final_score */

    /* What was found; only where GRADED. */
    const char *verdict;    /* "wrong-answer": sandbox/base/verdict.def */
    const char *hazard;     /* the first one, "shared-race": sandbox/base/hazard.def */
    const char *cause;      /* id of the probable cause, "missing-tail"; struct report_cause */
    const char *message;    /* one sentence: why these points; where not GRADED: why not */
    const char *cause_text; /* the cause in a sentence */
    const char *next;       /* what to do next: the fix or the hint that the report shows first */
    const char *file;       /* where: "src/saxpy.cu" */
    unsigned line;          /* there, from 1; 0: unknown */
    const char *excerpt;    /* source lines around it, with newlines */
    unsigned excerpt_line;  /* number of the excerpt's first line; 0: that of `line` */

    /* How fast; 0 or NULL where nothing is known. */
    double ratio_to_tuned; /* time divided by that of the tuned kernel: 1 as fast, 2 half as fast */
    bool ratio_measured;   /* on a card; else modelled */
    const char *limiter;   /* "DRAM-bound": explain_limiter() of the report's sentence */

    const char *commit;             /* hexadecimal */
    struct class_time committed;    /* the committer's time */
    struct class_time own_deadline; /* where this student has another than the exercise */
    int64_t late_seconds;      /* after the deadline that holds for the student; <= 0: in time */
    const char *penalty_why;   /* "2 days late, 10 % a day"; NULL: how late says it */
    unsigned attempts;         /* different files so far; 0: unknown */
    unsigned attempts_allowed; /* 0: any number */
    unsigned flags;            /* 1u << enum class_flag */

    /* An instructor's decision; override_by is NULL where there is none. */
    const char *override_by, *override_why;
    struct class_time override_at;

    const char *report; /* path relative to the page: "s001/saxpy.html". One that is absolute, leads
                           up or has another scheme is not linked */
};

struct class_student {
    const char *id;   /* of the roster; unique */
    const char *name; /* NULL: the id */
    const char *mail; /* "ada@example.org"; NULL: none, and then there is no .eml */
    double total;     /* points that count, weighted as the course says */
    double max_total; /* of these; 0: totals are not shown for this student */
    const char *page; /* path relative to the page: "s001.txt", "s001/index.html"; as report */
};

struct class_report {
    const char *course; /* "GPU programming, autumn 2026" */
    enum language language;
    struct class_time made;  /* when the grades were taken from the gradebook */
    const char *engine;      /* "sim", "cuda", "sim+cuda" */
    const char *tool;        /* "warpgrade 1.4.0" */
    const char *late_policy; /* a sentence: "10 % a day after 30 minutes"; NULL: none */
    const char *reports_at;  /* what texts put before a report's path:
                                "https://gpu.example.org/2026/";  NULL: nothing */
    const struct class_exercise *exercises;
    size_t exercise_count;
    const struct class_student *students; /* in any order: the page sorts them by id */
    size_t student_count;
    const struct class_cell *cells; /* [student * exercise_count + exercise] */
};

static inline const struct class_cell *class_cell_at(const struct class_report *report,
                                                     size_t student, size_t exercise) {
    return &report->cells[student * report->exercise_count + exercise];
}

struct class_options {
    bool anonymous; /* no names, ids, links or source: what may be shown to the class */
};

/* One HTML page without scripts. options may be NULL. */
void class_report_html(const struct class_report *report, const struct class_options *options,
                       struct text *out);
/* The same data for programs: class.schema.json. */
void class_report_json(const struct class_report *report, struct text *out);
/* What one student is told: plain text, UTF-8, at most 78 columns a line. */
void class_report_student(const struct class_report *report, size_t student, struct text *out);
/* The same as a message to be sent (RFC 5322, CRLF), from `sender`: an address, or NULL for none.
 * False, and nothing appended, where the student has no address that can stand in a header. */
bool class_report_mail(const struct class_report *report, size_t student, const char *sender,
                       struct text *out);

#endif
