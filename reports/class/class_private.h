/* What the files of the class report share. Private to reports/class/.
 *
 * The page is written with the words and numbers of reports/html/html.h: what is not markup of ours
 * goes through class_say() or html_foreign(), which escape it. */
#ifndef WARPGRADE_REPORTS_CLASS_CLASS_PRIVATE_H
#define WARPGRADE_REPORTS_CLASS_CLASS_PRIVATE_H

#include "reports/class/class_report.h"

#include "reports/html/html.h"

enum class_string {
#define CLASS_STRING(ID, english, chinese) CLASS_SAY_##ID,
#include "reports/class/class_strings.def"
#undef CLASS_STRING
    CLASS_STRING_COUNT
};

/* ---- class_count.c: what the cells add up to ------------------------------------------------- */

/* Is there still time? Not where the exercise has no deadline, or the class no moment. */
bool class_is_open(const struct class_report *report, size_t exercise);
/* Where a student stands with an exercise. An override counts, whatever was handed in. */
enum class_standing { STANDING_PASSED, STANDING_FAILED, STANDING_UNDECIDED, STANDING_ABSENT };
enum { STANDING_COUNT = STANDING_ABSENT + 1 };
enum class_standing class_standing(const struct class_cell *cell);
/* A submission that could be graded or not: neither missing nor in a repository that is closed. */
bool class_is_handed_in(const struct class_cell *cell);
bool class_has_flag(const struct class_cell *cell, enum class_flag flag);
/* Is there something about it that must be checked by hand? A pinned commit is none. */
bool class_is_odd(const struct class_cell *cell);
bool class_is_set(const char *string); /* neither NULL nor "" */

/* The same mistake of several students: the hazard, else the cause, else the verdict. */
struct class_finding {
    const struct class_cell *example; /* one with an excerpt, where there is one */
    size_t student;                   /* whose */
    size_t count;                     /* students */
};

/* Points: none at all, ten equal parts of what is between, all. */
enum { CLASS_BINS = 12, CLASS_RATIOS = 6 };
extern const double class_ratio_bounds[CLASS_RATIOS - 1];

struct class_limiter {
    const char *id;
    size_t count;
};

struct class_facts {
    size_t standing[STANDING_COUNT];
    size_t graded, handed_in, late, pending, unjudged, unreadable;
    double median;                  /* of the final points of what was graded */
    size_t bins[CLASS_BINS][2];     /* not passed, passed */
    struct class_finding *findings; /* most frequent first */
    size_t finding_count;
    size_t ratios[CLASS_RATIOS], ratio_count;
    double median_ratio;
    size_t fastest, slowest;        /* students, where ratio_count > 0 */
    struct class_limiter *limiters; /* most frequent first */
    size_t limiter_count;
};

struct class_sum {
    size_t *order; /* students by id */
    struct class_facts *exercises;
    size_t exercise_count;
    struct class_facts all;       /* standing and counts alone */
    size_t due;                   /* exercises: all of them where none is due yet */
    size_t due_cells, passed_due; /* cells of these, without what a student has more time for */
    size_t passed_everything, handed_in_everything; /* students, of what is due */
    size_t handed_in_nothing;                       /* students, of all exercises */
    size_t odd, unprotected;                        /* cells */
    bool has_totals;
    double median_total, max_total;
};

/* Free with class_sum_free(). */
struct class_sum class_sum_up(const struct class_report *report);
void class_sum_free(struct class_sum *sum);
/* A case that so many fail that the exercise may be at fault; NULL: none. */
const struct class_case *class_suspect_case(const struct class_exercise *exercise);

/* ---- class_words.c: words and numbers -------------------------------------------------------- */

__attribute__((sentinel)) void class_fill(enum language language, struct text *out,
                                          enum class_string string, ...);
/* "2026-11-20 23:59 (UTC+1)"; nothing where there is no time. */
void class_append_time(struct text *out, struct class_time time);
/* "2 d 3 h", "45 min" */
void class_append_duration(struct text *out, enum language language, int64_t seconds);
enum class_string class_state_string(enum class_state state);
enum class_string class_flag_string(enum class_flag flag);
/* "A thread goes past the end of an array", "wrong answer": what the cell's finding is. */
void class_append_finding(struct text *out, enum language language, const struct class_cell *cell);
/* "wrong answer"; an unknown id stands as it is. */
void class_append_verdict(struct text *out, enum language language, const char *verdict);
/* The deadline that holds for the cell. */
struct class_time class_deadline(const struct class_exercise *exercise,
                                 const struct class_cell *cell);
const char *class_exercise_title(const struct class_exercise *exercise);
const char *class_student_name(const struct class_student *student);
/* A path that can stand in a relative link, escaped as such; false where it leads elsewhere. */
bool class_append_link(struct text *out, const char *path);

/* ---- the page -------------------------------------------------------------------------------- */

struct class_page {
    struct html html;
    const struct class_report *report;
    struct class_sum sum;
    bool anonymous;
};

__attribute__((sentinel)) void class_say(struct class_page *page, enum class_string string, ...);
/* The string between tags, without arguments. */
void class_tagged(struct class_page *page, const char *open, enum class_string string,
                  const char *close);
/* A text as a link to a path, where that can be linked; else the text. */
void class_link(struct class_page *page, const char *path, const char *text);
/* A student's name, linked to what the student is told; with the id where they differ. */
void class_student(struct class_page *page, size_t student);
/* "12 students" */
void class_say_students(struct class_page *page, size_t count);

void class_head(struct class_page *page);      /* class_head.c */
void class_looks(struct class_page *page);     /* class_look.c */
void class_standings(struct class_page *page); /* class_picture.c */
/* A bar as wide as a share; the number stands beside it. */
void class_share(struct html *h, const char *css_class, size_t count, size_t of);
void class_histogram(struct class_page *page, size_t exercise); /* class_picture.c */
void class_exercises(struct class_page *page);                  /* class_exercise.c */
void class_findings(struct class_page *page, size_t exercise);  /* class_finding.c */
void class_cases(struct class_page *page, size_t exercise);     /* class_finding.c */
void class_speed(struct class_page *page, size_t exercise);     /* class_speed.c */
void class_lists(struct class_page *page);                      /* class_list.c */
void class_table(struct class_page *page);                      /* class_table.c */

#endif
