/* The thresholds of a speed case: from what two launches tell (the submission's and the tuned
 * kernel's, same data, same device) to tiers, points and the line where the rest is lost. Pure. */
#ifndef WARPGRADE_GRADER_EXERCISE_THRESHOLD_H
#define WARPGRADE_GRADER_EXERCISE_THRESHOLD_H

#include "grader/exercise/exercise.h"
#include "reports/report.h"
#include "sandbox/base/launch.h"

/* What the simulated GPU tells of one launch. */
struct threshold_launch {
    const struct counters *counters; /* NULL: nothing was simulated */
    double time_ms;                  /* modelled; 0: unknown */
    unsigned registers;              /* a thread; 0: unknown, and then the occupancy is, too */
    double occupancy;
};

/* A modelled ratio of two times may be off by this share: 8 of 10 ratios below ten of the
 * catalogue's kernels lie within it of what an H200 measured (tests/gpu/README.md). */
#define THRESHOLD_MODEL_ERROR 0.15

struct threshold_facts {
    struct threshold_launch submission, tuned;
    double sample_error; /* of what the sample of blocks says of the submission, as a share */
    const struct expr_name *names; /* sizes and constants */
    size_t name_count;
    const struct report_measured *measured; /* NULL: no GPU measured anything */
    double measured_ms;                     /* the submission's median */
    const struct expr_name *measured_names; /* sizes that were measured, and constants */
    size_t measured_name_count;
    const struct line_counters *lines; /* the submission's */
    size_t line_count;
    enum cost_part limiter; /* of the submission's modelled time */
    const char *file;       /* lines of this file only: what the student can change */
};

/* The name without tuned_ in front, which asks the same of the tuned kernel. */
const char *threshold_base_name(const char *name);

/* Fills *out; line, why and hint where a tier was missed. A value whose error reaches into a better
 * tier counts as that one: two machines must not disagree by chance. */
void threshold_decide(const struct exercise_threshold *threshold,
                      const struct threshold_facts *facts, enum language language,
                      struct report_threshold *out);

/* pass where every threshold with points that was decided gives some, too-slow where one gives
 * none, skipped where none was decided. Without any with points: pass. */
enum verdict threshold_verdict(const struct report_speed *speed);
/* The points that were reached, and those that could be: undecided ones count on neither side. */
void threshold_points(const struct report_speed *speed, double *score, double *max_score);

#endif
