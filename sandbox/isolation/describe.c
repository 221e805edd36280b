/* Limits in words, for messages and for scripts. */
#include "sandbox/isolation/jail.h"

#include "sandbox/base/decimal.h"

#include <stdio.h>

enum unit { UNIT_NONE, UNIT_SECONDS, UNIT_BYTES, UNIT_COUNT };

static const struct {
    const char *name, *title, *counted;
    enum unit unit;
} limits[] = {
    [JAIL_LIMIT_NONE] = {"none", "", "", UNIT_NONE},
    [JAIL_LIMIT_WALL] = {"wall", "wall clock limit", "", UNIT_SECONDS},
    [JAIL_LIMIT_CPU] = {"cpu", "CPU time limit", "", UNIT_SECONDS},
    [JAIL_LIMIT_MEMORY] = {"memory", "memory limit", "", UNIT_BYTES},
    [JAIL_LIMIT_PROCESSES] = {"processes", "process limit", "processes and threads", UNIT_COUNT},
    [JAIL_LIMIT_OUTPUT] = {"output", "output limit", "", UNIT_BYTES},
    [JAIL_LIMIT_FILE_SIZE] = {"file-size", "file size limit", "", UNIT_BYTES},
    [JAIL_LIMIT_FILE_COUNT] = {"file-count", "file count limit", "files", UNIT_COUNT},
    [JAIL_LIMIT_CANCELLED] = {"cancelled", "ended by the grader", "", UNIT_NONE},
    [JAIL_LIMIT_SYSCALL] = {"system-call", "forbidden system call", "", UNIT_NONE},
};

static void describe_bytes(double bytes, char *buffer, size_t size) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, size, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

const char *jail_limit_name(enum jail_limit limit) {
    return limits[limit].name;
}

void jail_limit_describe(const struct jail_result *result, char *buffer, size_t size) {
    char figure[64] = "";
    double value = result->limit_value;
    enum unit unit = limits[result->limit].unit;
    if (unit == UNIT_SECONDS)
        snprintf(figure, sizeof figure, "%s s", decimal(value, 4).text);
    else if (unit == UNIT_BYTES)
        describe_bytes(value, figure, sizeof figure);
    else if (unit == UNIT_COUNT)
        snprintf(figure, sizeof figure, "%.0f %s", value, limits[result->limit].counted);
    snprintf(buffer, size, *figure ? "%s: %s reached" : "%s", limits[result->limit].title, figure);
}
