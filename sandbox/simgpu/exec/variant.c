/* Which instruction-set level of the host the executors use: the best that this CPU has.
 *
 * WARPGRADE_SIM_VARIANTS is the list that the build made ("VARIANT(v1) VARIANT(v3)"), lowest first.
 */
#include "sandbox/simgpu/exec/variant.h"

#define VARIANT(name) extern sim_executor *const sim_executors_##name[][2];
WARPGRADE_SIM_VARIANTS
#undef VARIANT

static bool cpu_has(const char *variant) {
#if defined(__x86_64__)
    if (variant[1] == '4')
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (variant[1] == '3')
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
#endif
    return variant[1] == '1';
}

sim_executor *isa_executor(size_t row, bool general) {
    sim_executor *best = NULL;
#define VARIANT(name)                                                                              \
    if (cpu_has(#name))                                                                            \
        best = sim_executors_##name[row][general];
    WARPGRADE_SIM_VARIANTS
#undef VARIANT
    return best;
}
