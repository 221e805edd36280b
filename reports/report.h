/* The one struct that all reports are pure functions of, and the report formats.
 *
 * Strings in it may come from a submission and are raw: each writer escapes them through
 * reports/escape.h for its own format. Reports know nothing of engines and exercises. */
#ifndef WARPGRADE_REPORTS_REPORT_H
#define WARPGRADE_REPORTS_REPORT_H

#include "sandbox/base/device.h"
#include "sandbox/base/diagnostic.h"
#include "sandbox/base/error.h"
#include "sandbox/base/language.h"
#include "sandbox/base/launch.h"
#include "sandbox/base/protection.h"
#include "sandbox/base/text.h"
#include "sandbox/base/verdict.h"

struct report_group {
    char *name;
    double score, max_score;
    size_t case_count, passed_count;
};

/* What became of the elements of an output, or of a part of it: a letter of report_cell.def for
 * each or, where there are too many, for each cell of a grid laid over them. */
enum { REPORT_GRID_MOST = 48 }; /* cells in each direction */
struct report_grid {
    uint64_t row, column;   /* the first element that it shows */
    uint64_t rows, columns; /* how many elements it shows; 0: there is no such picture */
    unsigned height, width; /* cells; 1 .. REPORT_GRID_MOST */
    char *cells;            /* height * width letters, row by row, and a NUL */
};

enum report_cell {
#define CELL(ID, letter, summary) REPORT_CELL_##ID,
#include "reports/report_cell.def"
#undef CELL
    REPORT_CELL_COUNT
};
extern const char report_cell_letters[REPORT_CELL_COUNT + 1];

struct report_difference {
    bool present;
    char *output; /* the buffer: "P" */
    char *index;  /* "[17, 3]" */
    uint64_t flat_index;
    double expected, actual;
    double allowed;            /* the largest |actual - expected| accepted here */
    bool is_integer;           /* expected and actual are whole numbers of an integer type */
    bool never_written;        /* the element still holds the poison */
    uint64_t differing;        /* how many elements differ ... */
    uint64_t total;            /* ... of how many */
    uint64_t rows, columns;    /* the output as a matrix; 0: not known */
    bool wrapped;              /* it is a vector, broken into rows of a warp's width */
    struct report_grid window; /* around the first wrong element, a cell each */
    struct report_grid map;    /* the whole output, where the window does not show all of it */
};
void report_difference_free(struct report_difference *difference); /* what it owns; empties it */

/* Why the result is probably wrong. */
struct report_cause {
    bool present;
    char *id;        /* "missing-tail"; NULL: a mistake without a name */
    bool is_mistake; /* the exercise knows a wrong solution that gives the same; else what differs
                        has shown it */
    char *text;      /* what is wrong */
    char *evidence;  /* what shows it */
};

struct report_size {
    char *name;
    int64_t value;
};

/* The speed case's; ratio_to_reference is the ratio to the kernel that speed is compared with, the
 * tuned one. */
struct report_time {
    bool present;
    bool measured; /* else modelled */
    double median_ms, ratio_to_reference;
    double ci_low_ms, ci_high_ms; /* of the measurements; modelled: of the sampled blocks alone */
};

/* A median of measurements, and where it lies with 95 %. */
struct report_interval {
    bool present; /* false: nothing is known */
    double median, low, high;
};

/* What a GPU measured of the speed case: rounds, in each of which every kernel ran once, with the
 * same data. Quotients are medians of the rounds' quotients. */
struct report_measured {
    bool present;
    char *card; /* "NVIDIA H200" */
    struct report_size *sizes;
    size_t size_count;
    size_t rounds;
    bool settled; /* the ratio's interval became narrow enough; else the time was up */
    struct report_interval ratio_to_tuned, ratio_to_reference;
    char *baseline; /* "cublas:sgemm"; NULL: none */
    struct report_interval fraction_of_baseline;
    double tuned_ms, reference_ms, baseline_ms; /* medians; 0: unknown */
    double roof_ms;                             /* what the card needs at least; 0: unknown */
    double fraction_of_roof;
    unsigned sm_clock_low_mhz, sm_clock_high_mhz, memory_clock_mhz; /* 0: unknown */
    char *throttled; /* NULL: not known to have been; else "power cap, thermal slowdown" */
};

enum report_threshold_state {
    THRESHOLD_MET,       /* the best tier */
    THRESHOLD_PART,      /* a tier below the best one */
    THRESHOLD_MISSED,    /* no tier */
    THRESHOLD_UNDECIDED, /* no engine here may decide it, or nothing is known of its metric */
    THRESHOLD_STATE_COUNT
};
extern const char *const report_threshold_states[THRESHOLD_STATE_COUNT]; /* "met" ... */

/* One threshold of the speed case: what was found, what the target is, where it is lost and why. */
struct report_threshold {
    char *name;
    char *metric; /* as the exercise writes it: "dram_bytes / ideal_bytes" */
    bool at_least;
    bool modelled, measured; /* the value rests on such a time; else it is counted */
    enum report_threshold_state state;
    double value;  /* not where undecided */
    double error;  /* how far off it may be, as a share; 0: not at all */
    bool in_doubt; /* a tier counts that it reaches only within its error */
    double target; /* the bound of the first tier that was not met; of the best where all were */
    char *bound;   /* that bound as the exercise writes it */
    double score, max_score;
    unsigned line; /* where most of it is lost; 0: unknown, or nothing is lost */
    char *why;     /* a sentence, also where undecided; NULL where met */
    char *hint;    /* NULL, or what to do */
};

/* A kernel under the roofline: what it computes, what it moves and how long it takes. */
struct report_point {
    bool present;
    bool measured; /* the time; else modelled */
    double flops, dram_bytes, ms;
};
struct report_roofline {
    bool present;
    char *precision; /* "FP32" */
    double peak_gflops, peak_gbps;
    struct report_point submission, tuned, baseline;
};

enum { REPORT_MAX_LINES = 400 };

struct report_speed {
    bool present;      /* the case is the speed case and was profiled or measured */
    char *device_id;   /* of the simulated device, "h200"; NULL: none, and what follows is empty */
    char *device_name; /* "NVIDIA H200" */
    struct device_provenance device_rates; /* where they come from, on which its times rest */
    struct report_size *sizes; /* at which it is launched there, where these are not the case's */
    size_t size_count;
    size_t elements_compared; /* there; at the case's sizes all of them were */
    uint64_t blocks, blocks_simulated;
    double errors[SAMPLED_FIGURE_COUNT]; /* as in struct launch_profile */
    unsigned registers;                  /* a thread; 0: unknown, and then the occupancy is, too */
    double occupancy;                    /* theoretical, 0 .. 1 */
    char *occupancy_limit;               /* "registers" */
    char *limiter;                       /* a sentence: what bounds the modelled time, and where */
    double part_ms[COST_PART_COUNT];     /* each part's modelled time if it were alone */
    struct line_counters *lines; /* of the submission's file; at most REPORT_MAX_LINES, by line */
    size_t line_count;
    struct warp_access accesses[ENGINE_MAX_ACCESSES]; /* see struct engine_result */
    size_t access_count;
    struct report_roofline roofline;
    struct report_measured measured;
    struct report_threshold *thresholds;
    size_t threshold_count;
};

void report_speed_free(struct report_speed *speed); /* what it owns; leaves it empty */
/* Why a threshold counts as met that is in doubt: "1.95 may be off by 15 %, ..." */
void report_append_doubt(struct text *out, enum language language,
                         const struct report_threshold *threshold);

struct report_case {
    char *name;
    char *group;
    struct report_size *sizes;
    size_t size_count;
    struct dim3 grid, block; /* of the launch; 0: there was none */
    bool essential;          /* shows what the exercise teaches: a failure caps the total */
    enum verdict verdict;
    double score, max_score;
    bool found_on_card; /* the verdict: on the simulated GPU the case had passed */
    char *message;      /* one sentence: why this verdict */
    char *hint;         /* NULL, or the exercise's hint for it */
    struct report_difference difference;
    struct report_cause cause; /* of at most one case of a report */
    char *tolerance;           /* in words: "a sum of 17 terms: within 17 * 2^-24 * sum(|term|)" */
    struct hazard *hazards;
    size_t hazard_count;
    bool has_counters;
    struct counters counters;
    struct report_time time;
    struct report_speed speed;
    char *printed;  /* device printf output, NULL where none */
    double wall_ms; /* of the case as run here; never in golden files */
};

enum report_stage {
#define STAGE(ID, english, chinese) REPORT_STAGE_##ID,
#include "reports/stage.def"
#undef STAGE
    REPORT_STAGE_COUNT
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
    bool withholds_seed; /* with it, hidden cases could be made again: seed is 0 and not shown */
    double score, max_score;
    double pass_mark; /* in points */
    bool passed;
    enum verdict verdict; /* the worst of the cases' */
    char *message;        /* the line a student reads first */
    char *cap_reason;     /* NULL, or why the total is capped by a gate ... */
    double cap;           /* ... at these points */
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
    struct protection protection;
    double wall_ms;                      /* of the whole grading */
    double compile_ms;                   /* ... of which it waited for the compiler */
    double stage_ms[REPORT_STAGE_COUNT]; /* the same by stages, which no file keeps */
};

/* False: it stands for a submission that could not be graded; its one case says why. */
bool report_was_graded(const struct report *report);
void report_free(struct report *report); /* frees everything it owns and the struct itself */
/* "83", "66.66": points with at most two decimals, rounded down so that 59.999 never reads as 60.
 */
void report_append_points(struct text *out, double points);
/* "7.5 of 30" */
void report_append_score(struct text *out, enum language language, double score, double max_score);
/* It is right, and what it misses of its targets is counted: no time is among it, so that nothing
 * says that it is too slow. */
bool report_is_target_missed(const struct report_case *item);
/* The verdict in words, which tell a missed target from "too slow". */
const char *report_case_verdict(enum language language, const struct report_case *item);
const char *report_verdict(enum language language, const struct report *report);
/* "0.125", "4,194,304": a threshold's value or bound, to four digits, and all before the point. */
void report_append_value(struct text *out, double value);
/* "standard error at most 1.2 % (dram_bytes)", of the figures of a sample. */
void report_append_error(struct text *out, enum language language,
                         const double errors[SAMPLED_FIGURE_COUNT]);
/* " ± 12 %" beside a figure whose standard error is more than PROFILE_CERTAIN; else nothing. */
void report_append_spread(struct text *out, double error);

struct report_options {
    bool color;     /* text only */
    bool verbose;   /* text: passing cases in full, counters */
    unsigned rows;  /* text: of the screen that it should fit, 24 at least; 0: there is none */
    bool timing;    /* text: where the time of the grading went */
    bool times;     /* JSON: with the times that the grading took, which no other run has */
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
/* The same with labels of the language that the error's sentences are in. */
void report_error_in(const struct error *error, enum language language, bool color,
                     struct text *out);
/* The same for what need not be mended. */
void report_warning_text(const struct error *error, bool color, struct text *out);
/* One message of the compiler, with its excerpt where it is about the file at `path` (its source
 * may be NULL). */
void report_diagnostic_text(const struct build_diagnostic *diagnostic, const char *path,
                            const char *source, size_t source_length, enum language language,
                            bool color, struct text *out);
/* A source excerpt with line numbers and a caret below line:column (column 0: no caret, the line is
 * marked); `context` lines around it. */
void report_excerpt(const char *source, size_t length, unsigned line, unsigned column,
                    unsigned context, bool color, struct text *out);
/* The hazards of a launch, each with excerpt, threads and the second place: what `grade` and `sim`
 * both print. source may be NULL; it is the text of `file`, and lines of other files are not quoted
 * from it. */
void report_hazards_text(const struct hazard *hazards, size_t count, const char *file,
                         const char *source, size_t source_length, enum language language,
                         bool color, struct text *out);

#endif
