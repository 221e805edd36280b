/* `--arg SPEC` of `warpgrade sim`: `TYPE=VALUE`, `TYPE[N]=FILL` or `TYPE*N=FILL`, maybe with
 * `:const` after it; `bytes=@FILE`, `alias:INDEX[+OFFSET]`. */
#ifndef WARPGRADE_GRADER_CLI_SIM_ARGUMENT_H
#define WARPGRADE_GRADER_CLI_SIM_ARGUMENT_H

#include "sandbox/base/error.h"
#include "sandbox/engine/engine.h"

struct sim_argument {
    struct engine_argument engine;
    void *bytes; /* a buffer's contents before the launch; owned */
    size_t byte_count;
};

enum { SIM_MAX_BUFFER_MIB = 1024 };

/* `index` (from 0) names the argument ("arg0") and, with the seed, its random numbers. Errors name
 * the specification and show where it is wrong. */
enum status sim_argument_parse(const char *spec, unsigned index, uint64_t seed,
                               struct sim_argument *argument, struct error *error);
/* The same for launches with a device that are sampled: a buffer that a rule can fill has the rule
 * (engine_argument.fill) and no bytes. */
enum status sim_argument_parse_rule(const char *spec, unsigned index, uint64_t seed,
                                    struct sim_argument *argument, struct error *error);

#endif
