/* How large the HTML of stored reports is, and how long it takes to write: bench_html
 * [--works] REPORT.json ...
 *
 * The bars are 300 KB and 50 ms for the largest report of the catalogue; tests/bench/README.md says
 * how its reports are made. Ends with 1 where one is missed. */
#include "reports/report.h"
#include "reports/stored/stored.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, MOST_BYTES = 300 * 1000, MOST_MS = 50 };

struct figure {
    size_t bytes;
    double ms;
};

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of some runs. */
static struct figure measure(const struct report *report) {
    const struct report_format *format = report_format_find("html");
    struct figure figure = {0};
    double times[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        cleanup_text struct text page = {0};
        double start = clock_ms();
        format->write(&report, 1, NULL, &page, NULL);
        times[i] = clock_ms() - start;
        figure.bytes = page.length;
    }
    qsort(times, RUNS, sizeof times[0], compare_doubles);
    figure.ms = times[RUNS / 2];
    return figure;
}

static bool read_reports(const char *path, struct stored_reports *stored) {
    cleanup_free char *text = NULL;
    size_t length;
    struct error error = {0};
    if (file_read(path, STORED_MAX_BYTES, &text, &length, &error) == STATUS_OK &&
        stored_read(text, length, path, stored, &error) == STATUS_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}

int main(int argc, char **argv) {
    struct stored_reports stored = {0};
    struct figure largest = {0}, slowest = {0};
    const char *largest_file = "", *slowest_file = "";
    bool works = argc > 1 && strcmp(argv[1], "--works") == 0; /* times decide nothing */
    for (int i = 1 + works; i < argc; i++)
        if (!read_reports(argv[i], &stored))
            return 2;
    for (size_t i = 0; i < stored.count; i++) {
        struct figure figure = measure(stored.reports[i]);
        const char *file = stored.reports[i]->file ? stored.reports[i]->file : "?";
        if (figure.bytes > largest.bytes) {
            largest = figure;
            largest_file = file;
        }
        if (figure.ms > slowest.ms) {
            slowest = figure;
            slowest_file = file;
        }
    }
    printf("%zu reports\n", stored.count);
    printf("largest  %6.1f KB  %6.2f ms  %s  (bar: %d KB)\n", (double)largest.bytes / 1e3,
           largest.ms, largest_file, MOST_BYTES / 1000);
    printf("slowest  %6.1f KB  %6.2f ms  %s  (bar: %d ms)\n", (double)slowest.bytes / 1e3,
           slowest.ms, slowest_file, MOST_MS);
    stored_free(&stored);
    return largest.bytes > MOST_BYTES || (!works && slowest.ms > MOST_MS);
}
