/* The reports that golden files are made of: built by hand, so that a golden file changes only when
 * a writer does. Each call returns a new report that owns everything in it. */
#ifndef WARPGRADE_TESTS_GOLDEN_FIXTURES_H
#define WARPGRADE_TESTS_GOLDEN_FIXTURES_H

#include "reports/profile.h"
#include "reports/report.h"
#include "reports/sim.h"

struct fixture {
    const char *name; /* of its golden files */
    struct report *(*make)(void);
};
extern const struct fixture fixtures[];
extern const size_t fixture_count;

const struct fixture *fixture_find(const char *name);

/* fixtures_pictures.c: others of the table, with what pictures are made of. */
struct report *fixture_last_column(void);
struct report *fixture_pictured_hazards(void);
struct report *fixture_pictured_speed(void);

/* fixtures_verdicts.c: and these. */
struct report *fixture_race(void);
struct report *fixture_crash(void);
struct report *fixture_time_limit(void);
struct report *fixture_skipped_gpu(void);
struct report *fixture_undecided(void);
struct report *fixture_partial_credit(void);
struct report *fixture_not_graded(void);
struct report *fixture_host_function(void);
struct report *fixture_host_program(void);

/* Launches for `sim`. The caller frees hazards, lines and printed. */
struct sim_fixture {
    const char *name;
    const char *kernel;
    unsigned registers; /* 0: unknown */
    const char *source;
    void (*fill)(struct engine_result *result);
    struct sim_schedules schedules;
    struct sim_optimised optimised;
    const struct device_profile *device; /* NULL: none */
};
extern const struct sim_fixture sim_fixtures[];
extern const size_t sim_fixture_count;

/* Profiled launches. The caller frees the result's lines. */
struct profile_fixture {
    const char *name;
    void (*fill)(struct engine_result *result);
    struct profile_report report; /* result is the caller's */
};
extern const struct profile_fixture profile_fixtures[];
extern const size_t profile_fixture_count;

#endif
