/* The simulated caches beside real ones.
 *
 * A request's sectors follow from its addresses; what a cache holds at that time does not: the real
 * order of warps is not known, and neither is the real cache's way of replacing lines. So nothing
 * is equal to the unit here, and what is judged is the median over many kernels. Sectors of the L2
 * are those that SMs ask for: what misses the L1, all stores and all atomics. (Nsight Compute's own
 * sum holds traffic between the two halves of the chip besides.) Amounts below a mebibyte, of what
 * is written three, are left out: other traffic on the card is as large. */
#include "caches.h"

#include "sandbox/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_KERNELS = 5 }; /* whose median says something */
/* A mebibyte; kernels that write nothing see the card write up to 82 thousand sectors, of what was
 * in the L2 before them: the more, the more they read. */
#define LEAST_SECTORS 32768.0
#define LEAST_WRITTEN (3 * LEAST_SECTORS)

static const struct quantity {
    const char *label;
    const char *metrics[6]; /* of Nsight Compute, added up */
    double scale;           /* of theirs, to ours */
    bool is_rate;           /* differences in points, otherwise in per cent */
    double least;           /* sectors that are judged */
    double bound;           /* of the median difference */
} quantities[CACHE_QUANTITIES] = {
    {"L1 hit rate, %", {"l1tex__t_sector_hit_rate.pct"}, 1, true, 0, 2},
    {"L2 sectors",
     {"lts__t_sectors_srcunit_tex_op_read.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
     1,
     false,
     LEAST_SECTORS,
     3},
    {"DRAM sectors read", {"dram__bytes_read.sum"}, 1 / 32.0, false, LEAST_SECTORS, 5},
    {"DRAM sectors written", {"dram__bytes_write.sum"}, 1 / 32.0, false, LEAST_WRITTEN, 10},
};

static double ours_of(size_t quantity, const struct counters *c) {
    const double l1 = (double)c->l1_sectors;
    const double values[CACHE_QUANTITIES] = {l1 > 0 ? 100 * (double)c->l1_hits / l1 : 0,
                                             (double)c->l2_sectors, (double)c->dram_read_sectors,
                                             (double)c->dram_write_sectors};
    return values[quantity];
}

static bool theirs_of(const struct quantity *quantity, const json_t *names, const json_t *row,
                      double *value) {
    *value = 0;
    for (size_t m = 0; m < ARRAY_LENGTH(quantity->metrics) && quantity->metrics[m]; m++) {
        size_t i;
        const json_t *name, *number = NULL;
        json_array_foreach(names, i, name) {
            if (strcmp(json_string_value(name), quantity->metrics[m]) == 0)
                number = json_array_get(json_object_get(row, "counters"), i);
        }
        if (!json_is_number(number))
            return false;
        *value += json_number_value(number) * quantity->scale;
    }
    return true;
}

void cache_compare(struct cache_comparison *comparison, const struct gpu_launch *launch,
                   const struct counters *ours, const json_t *names, const json_t *row,
                   bool prints) {
    for (size_t q = 0; q < CACHE_QUANTITIES; q++) {
        double mine = ours_of(q, ours), theirs, difference;
        size_t *count = &comparison->count[q];
        if (!theirs_of(&quantities[q], names, row, &theirs) || *count == CACHE_MAX_LAUNCHES)
            continue;
        double least = quantities[q].least;
        if (!quantities[q].is_rate && mine < least && theirs < least)
            continue;
        difference =
            quantities[q].is_rate ? mine - theirs : 100 * (mine - theirs) / fmax(theirs, least);
        struct cache_difference *found = &comparison->found[q][(*count)++];
        found->size = difference;
        snprintf(found->name, sizeof found->name, "%s/%s", launch->family, launch->variant);
        if (prints)
            printf("%-16s %-20s %-6s %-22s %14.*f %14.*f %+8.1f%s\n", launch->family,
                   launch->variant, launch->size, quantities[q].label,
                   quantities[q].is_rate ? 1 : 0, mine, quantities[q].is_rate ? 1 : 0, theirs,
                   difference, quantities[q].is_rate ? " points" : " %");
    }
}

static int compare_sizes(const void *a, const void *b) {
    double x = fabs(((const struct cache_difference *)a)->size);
    double y = fabs(((const struct cache_difference *)b)->size);
    return x < y ? -1 : x > y;
}

bool cache_conclude(struct cache_comparison *comparison) {
    bool right = true;
    printf("\n%-22s %8s %10s %10s %10s   %s\n", "off by, per cent", "kernels", "median", "80 %",
           "worst", "");
    for (size_t q = 0; q < CACHE_QUANTITIES; q++) {
        size_t count = comparison->count[q];
        struct cache_difference *found = comparison->found[q];
        if (!count)
            continue;
        qsort(found, count, sizeof *found, compare_sizes);
        double median = fabs(found[count / 2].size);
        bool over = count >= LEAST_KERNELS && median > quantities[q].bound;
        printf("%-22s %8zu %10.1f %10.1f %+10.1f   %s%s\n", quantities[q].label, count, median,
               fabs(found[(count * 4 + 4) / 5 - 1].size), found[count - 1].size,
               found[count - 1].name, over ? "  MEDIAN OVER ITS BOUND" : "");
        right = right && !over;
    }
    return right;
}
