/* How far off a sample may be by chance, figure by figure (sandbox/base/sampled_figure.def).
 *
 * What each block does by itself is a sum over blocks, and its standard error that of stratified
 * sampling (Cochran, Sampling Techniques, 5.3). What depends on how blocks share memory is no sum:
 * hits, sectors of device memory and distinct bytes are estimated again without each of the groups
 * that the sample's blocks are in, and the spread of those estimates is the error: the jackknife
 * that leaves a group out (Kott, The Delete-a-Group Jackknife, Journal of Official Statistics 17,
 * 2001). It errs upwards where a stratum has fewer blocks than there are groups.
 *
 * Neither holds what the cache model or capture_recapture.c's lower bound may be off by. */
#include "sandbox/simgpu/memsys/sample.h"

#include <math.h>

#define ROUNDING 1e-9 /* what sums in another order differ by, and more */

static double block_error(const struct sample *sample, unsigned figure) {
    double variance = 0, total = 0;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        double n = (double)sample->strata[s].taken, all = (double)sample->strata[s].population;
        double sum = sample->judged[s].sums[figure];
        if (n == 0)
            continue;
        total += all * sum / n;
        double spread = n > 1 ? (sample->judged[s].squares[figure] - sum * sum / n) / (n - 1) : 0;
        variance += spread > 0 ? all * (all - n) * spread / n : 0;
    }
    double error = total > 0 ? sqrt(variance) / total : 0;
    return error > ROUNDING ? error : 0;
}

/* Of the blocks that chance had a part in, those that were not taken. */
static double open_share(const struct sample *sample) {
    double taken = 0, all = 0;
    for (unsigned s = 0; s < SAMPLE_STRATA; s++) {
        if (sample->strata[s].taken == sample->strata[s].population)
            continue;
        taken += (double)sample->strata[s].taken;
        all += (double)sample->strata[s].population;
    }
    return all > 0 ? 1 - taken / all : 0;
}

static double hit_rate(double hits, double sectors) {
    return sectors > 0 ? hits / sectors : 1;
}

/* Hit rates as they are, other figures as multiples of the sample's. */
static double figure_of(const struct sample_figures *figures, const struct sample_figures *whole,
                        enum sampled_figure figure) {
    switch (figure) {
    case SAMPLED_l1_hit_rate:
        return hit_rate(figures->l1_hits, figures->l1_sectors);
    case SAMPLED_l2_hit_rate:
        return hit_rate(figures->l2_hits, figures->l2_sectors);
    case SAMPLED_dram_bytes:
        return whole->dram_sectors > 0 ? figures->dram_sectors / whole->dram_sectors : 1;
    default:
        return whole->ideal_bytes > 0 ? figures->ideal_bytes / whole->ideal_bytes : 1;
    }
}

static double cache_error(const struct sample *sample, enum sampled_figure figure) {
    double values[CAPTURE_GROUPS], mean = 0, squares = 0;
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++) {
        values[g] = figure_of(&sample->figures_without[g], &sample->figures, figure);
        mean += values[g] / CAPTURE_GROUPS;
    }
    for (unsigned g = 0; g < CAPTURE_GROUPS; g++)
        squares += (values[g] - mean) * (values[g] - mean);
    double error = sqrt(open_share(sample) * squares * (CAPTURE_GROUPS - 1) / CAPTURE_GROUPS);
    return error > ROUNDING ? error : 0;
}

void sample_errors(const struct sample *sample, double errors[SAMPLED_FIGURE_COUNT]) {
    for (unsigned i = 0; i < SAMPLE_JUDGED; i++)
        errors[i] = block_error(sample, i);
    for (unsigned i = SAMPLE_JUDGED; i < SAMPLED_FIGURE_COUNT; i++)
        errors[i] = cache_error(sample, (enum sampled_figure)i);
}
