/* Quotients that take their slow path: see div_slow_path.h.
 *
 * The quick way asks whether all exponents are far enough from both ends (FCHK); where one lane's
 * are not, the warp calls a function for it, in which zeros, infinities and what is no number leave
 * early and results that are subnormal late. Which exponents those are and what the function takes
 * was measured on an H200 (probe quotients). */
#include "sandbox/simgpu/memsys/div_slow_path.h"

#include "sandbox/simgpu/memsys/cache.h"
#include "sandbox/simgpu/state/warp.h"

#include <math.h>
#include <string.h>

/* PATH: instructions of a warp and clocks until its result is there, beside the quick way. */
enum div_path { QUICK, SPECIAL, SCALED, SUBNORMAL, PATH_COUNT };
static const struct {
    uint16_t issue, clocks;
} paths[PATH_COUNT] = {{0, 0}, {37, 207}, {47, 237}, {105, 463}};

static int exponent_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (int)(bits >> 23 & 255);
}

static enum div_path path_of(float dividend, float divisor) {
    int a = exponent_of(dividend), b = exponent_of(divisor);
    if (a >= 25 && a < 255 && b >= 2 && b <= 251 && a - b >= -124 && a - b <= 126)
        return QUICK;
    if (a == 255 || b == 255 || dividend == 0 || divisor == 0)
        return SPECIAL;
    return fpclassify(dividend / divisor) == FP_SUBNORMAL ? SUBNORMAL : SCALED;
}

void div_slow_path_note(const struct warp *warp, uint32_t pc, lane_mask lanes,
                        const float *dividends, const float *divisors) {
    struct request_stats *requests = &memory_system_requests(warp->block->launch->caches)[pc];
    enum div_path longest = QUICK;
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        enum div_path path = path_of(dividends[lane], divisors[lane]);
        longest = path > longest ? path : longest;
    }
    requests->divisions++;
    requests->slow_issue += paths[longest].issue;
    requests->slow_clocks += paths[longest].clocks;
}
