/* Metrics: quotients and sums of counters that have a name of their own. The table metric.def holds
 * the expressions; here they become one row a metric, each with a function of its own. A counter is
 * a metric too, with its own value. */
#include "sandbox/base/types.h"

#include <string.h>

struct fraction {
    double numerator, denominator;
};

#define COUNT(id) ((double)c->id)
#define METRIC(id, kind, numerator, denominator, empty, unit, summary)                             \
    static struct fraction metric_##id(const struct counters *c) {                                 \
        return (struct fraction){numerator, denominator};                                          \
    }
#include "sandbox/base/metric.def"
#undef METRIC
#undef COUNT

enum { KIND_line = false, KIND_device = true };

const struct metric_info metric_infos[METRIC_COUNT] = {
#define METRIC(id, kind, numerator, denominator, empty, unit, summary)                             \
    {#id, unit, summary, KIND_##kind},
#include "sandbox/base/metric.def"
#undef METRIC
};

static const struct {
    struct fraction (*of)(const struct counters *counters);
    double empty;
} rows[METRIC_COUNT] = {
#define METRIC(id, kind, numerator, denominator, empty, unit, summary) {metric_##id, empty},
#include "sandbox/base/metric.def"
#undef METRIC
};

double metric_value(const struct counters *counters, size_t index) {
    struct fraction fraction = rows[index].of(counters);
    return fraction.denominator > 0 ? fraction.numerator / fraction.denominator : rows[index].empty;
}

static size_t find_metric(const char *name) {
    size_t i = 0;
    while (i < METRIC_COUNT && strcmp(metric_infos[i].name, name) != 0)
        i++;
    return i;
}

static size_t find_counter(const char *name) {
    size_t i = 0;
    while (i < COUNTER_COUNT && strcmp(counter_infos[i].name, name) != 0)
        i++;
    return i;
}

bool metric_evaluate(const struct counters *counters, const char *name, double *value) {
    size_t metric = find_metric(name), counter = find_counter(name);
    if (metric < METRIC_COUNT)
        *value = metric_value(counters, metric);
    else if (counter < COUNTER_COUNT)
        *value = (double)counter_value(counters, counter);
    return metric < METRIC_COUNT || counter < COUNTER_COUNT;
}

bool metric_needs_device(const char *name) {
    size_t metric = find_metric(name), counter = find_counter(name);
    return metric < METRIC_COUNT ? metric_infos[metric].needs_device
                                 : counter < COUNTER_COUNT && counter_infos[counter].needs_device;
}
