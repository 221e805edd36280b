/* Measuring kernels side by side: rounds, their order, when to stop, and what the samples
 * say. Pure but for the launches, which a callback does: nothing here knows of cards. */
#ifndef WARPGRADE_GRADER_GRADE_MEASURE_MEASURE_H
#define WARPGRADE_GRADER_GRADE_MEASURE_MEASURE_H

#include "grader/judge/interval.h"
#include "sandbox/base/error.h"

#include <stdint.h>

enum measure_contestant {
    MEASURE_SUBMISSION,
    MEASURE_TUNED,
    MEASURE_REFERENCE,
    MEASURE_BASELINE, /* the routine of BLAS */
    MEASURE_COUNT
};

struct measure_rules {
    bool present[MEASURE_COUNT]; /* who participates; submission and tuned always do */
    uint64_t seed;               /* of the order within each round */
    unsigned warm_rounds;        /* as the others, but their times are forgotten */
    unsigned least_rounds, most_rounds;
    double seconds; /* after these and the least rounds no other round begins */
    double width;   /* enough is known when the interval of the ratio is so narrow, as a share */
};
/* The rules of grading. */
struct measure_rules measure_default_rules(uint64_t seed);

/* Who does the launches. Both functions end the measuring with anything but STATUS_OK; what
 * happened is then in *error or known to the context. */
struct measure_player {
    /* Rounds count from 0, the warm ones included. *ms is the time of the launch. */
    enum status (*launch)(void *context, unsigned round, enum measure_contestant who, double *ms,
                          struct error *error);
    /* Every contestant ran: looks at the outputs. */
    enum status (*judge)(void *context, unsigned round, struct error *error);
    double (*now_ms)(void *context);
    void *context;
};

struct measure_samples {
    double *ms[MEASURE_COUNT]; /* NULL for who did not participate */
    size_t rounds;             /* without the warm ones */
    bool settled;              /* the ratio's interval became narrow enough */
};
/* The samples of complete rounds are there whatever the status; free them. */
enum status measure_run(const struct measure_rules *rules, const struct measure_player *player,
                        struct measure_samples *samples, struct error *error);
void measure_samples_free(struct measure_samples *samples);

/* Of the submission's times to those of another; empty where that one did not participate. */
struct interval measure_ratio(const struct measure_samples *samples, enum measure_contestant other);
struct interval measure_time(const struct measure_samples *samples, enum measure_contestant who);

/* Whether the worker's clock saw so much more of a launch than the events that they cannot be true;
 * `usual_ms` is what it saw of the tuned kernel's. */
bool measure_is_late(double own_ms, double late_ms, double usual_ms);

/* What no kernel can do without, on the card that is measured. */
struct measure_work {
    double bytes;         /* read and written */
    double written_bytes; /* by which outputs may still be in the L2 when the kernel ends */
    double flops;         /* 0: no bound */
    double l2_bytes;
    double bytes_per_second; /* the measured copy ceiling; 0: unknown */
    double flops_per_second; /* 0: unknown */
};
/* The time that moving the bytes and doing the operations takes at the ceilings; 0: unknown. */
double measure_roof_ms(const struct measure_work *work);
/* The time below which no measurement can be true. Lower than the roof: copying is not the fastest
 * that memory can do, and what is written need not have left the L2. */
double measure_floor_ms(const struct measure_work *work);
/* FP32 operations a second: two for every lane of every SM in every cycle (CUDA C++ Programming
 * Guide, "Arithmetic Instructions"); 0 for cards that are not known. FP64 where `is_double`. */
double measure_peak_flops(unsigned major, unsigned minor, unsigned sms, double clock_hz,
                          bool is_double);

#endif
