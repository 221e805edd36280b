/* How large the page of a class is, and how long it takes to write: bench_class [--works]
 *
 * The bars are 2 MB and 100 ms for 400 students with 12 exercises, on one core. Ends with 1 where
 * one is missed. */
#include "tests/golden/class_fixtures.h"

#include "sandbox/base/clock.h"
#include "sandbox/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, MOST_BYTES = 2000 * 1000, MOST_MS = 100 };

static void write_page(const struct class_report *report, struct text *out) {
    class_report_html(report, NULL, out);
}

static void write_letters(const struct class_report *report, struct text *out) {
    for (size_t i = 0; i < report->student_count; i++)
        class_report_mail(report, i, NULL, out);
}

static const struct {
    const char *name;
    void (*write)(const struct class_report *report, struct text *out);
} outputs[] = {{"page", write_page}, {"mails", write_letters}, {"json", class_report_json}};

static const struct { size_t students, exercises; } sizes[] = {{52, 4}, {400, 3}, {400, 12}};

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    bool works = argc > 1 && strcmp(argv[1], "--works") == 0,
         missed = false; /* times decide nothing */
    for (size_t size = 0; size < (works ? 1 : ARRAY_LENGTH(sizes)); size++) {
        struct class_fixture *f =
            class_fixture_usual(sizes[size].students, sizes[size].exercises, LANGUAGE_EN);
        for (size_t i = 0; i < ARRAY_LENGTH(outputs); i++) {
            double times[RUNS];
            size_t bytes = 0, runs = works ? 1 : RUNS;
            for (size_t run = 0; run < runs; run++) {
                cleanup_text struct text out = {0};
                double start = clock_ms();
                outputs[i].write(&f->report, &out);
                times[run] = clock_ms() - start;
                bytes = out.length;
            }
            qsort(times, runs, sizeof times[0], compare_doubles);
            printf("%3zu x %2zu  %-5s  %7.1f KB  %6.2f ms\n", sizes[size].students,
                   sizes[size].exercises, outputs[i].name, (double)bytes / 1e3, times[runs / 2]);
            missed |= i == 0 && (bytes > MOST_BYTES || (!works && times[runs / 2] > MOST_MS));
        }
        class_fixture_free(f);
    }
    return missed;
}
