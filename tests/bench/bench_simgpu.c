/* bench_simgpu: how fast is the simulated GPU, what do its checks cost, and do the bars hold?
 *
 * Ten kernels are compiled once and run in this process, with checks and without, on one host
 * thread and on two, in turns, so that a slow moment of the machine hits all four alike. Medians
 * are printed as a table and, on request, as JSON. Every run's result is compared with plain C: a
 * fast wrong answer is an error. */
#include "bench.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/build/build.h"
#include "sandbox/program/worker_main.h"
#include "tests/source_folder.h"

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_RUNS = 101, SKIPPED = 77 };

/* What the project promises, on two cores: thread instructions a second, and the rest. */
static const double BAR_TILED_CHECKED = 450e6, BAR_TILED_PLAIN = 1e9, BAR_ANY_CHECKED = 100e6,
                    BAR_SHADOW = 4, BAR_STARTUP = 5e-3;

struct bench_options {
    unsigned runs, threads;
    bool quick, checks_only, plain_only, cpu_time;
    const char *kernel, *json;
};

/* [checks][0: one host thread, 1: several] thread instructions a second; 0: not measured. */
struct bench_row {
    const struct bench_kernel *kernel;
    uint64_t instructions;
    double rate[2][2], startup_seconds, shadow_bytes;
    uint64_t touched_bytes;
    unsigned host_threads; /* that the engine chose to use where it was given several */
};

enum { OPTION_QUICK = 256, OPTION_JSON, OPTION_CHECKS, OPTION_PLAIN, OPTION_CPU };
static const struct argp_option options[] = {
    {"runs", 'n', "N", 0, "runs of each kind; the median counts; default: 7", 0},
    {"threads", 't', "N", 0, "host threads beside one; default: 2", 0},
    {"kernel", 'k', "NAME", 0, "only this kernel", 0},
    {"checks-only", OPTION_CHECKS, NULL, 0, "only with checks, for profiling", 0},
    {"plain-only", OPTION_PLAIN, NULL, 0, "only without checks, for profiling", 0},
    {"cpu-time", OPTION_CPU, NULL, 0,
     "speed by CPU time, as if its threads never waited for a CPU; no bars", 0},
    {"quick", OPTION_QUICK, NULL, 0, "small sizes, one run, no bars: does the benchmark work?", 0},
    {"json", OPTION_JSON, "FILE", 0, "write the figures as JSON; - is standard output", 0},
    {0}};

static unsigned positive(struct argp_state *state, const char *text, unsigned most) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        argp_error(state, "a number from 1 to %u is expected, not \"%s\"", most, text);
    return (unsigned)value;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct bench_options *chosen = state->input;
    switch (key) {
    case 'n':
        chosen->runs = positive(state, argument, MAX_RUNS);
        return 0;
    case 't':
        chosen->threads = positive(state, argument, 64);
        return 0;
    case 'k':
        chosen->kernel = argument;
        return 0;
    case OPTION_CHECKS:
        chosen->checks_only = true;
        return 0;
    case OPTION_PLAIN:
        chosen->plain_only = true;
        return 0;
    case OPTION_CPU:
        chosen->cpu_time = true;
        return 0;
    case OPTION_QUICK:
        chosen->quick = true;
        return 0;
    case OPTION_JSON:
        chosen->json = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The PTX of kernels/NAME.cu; NULL with a message. Exits with 77 where there is no compiler. */
static char *compile(const char *name) {
    cleanup_free char *path =
        mem_printf("%s/tests/bench/kernels/%s.cu", WARPGRADE_SOURCE_DIR, name);
    cleanup_free char *file = mem_printf("%s.cu", name);
    cleanup_free char *source = NULL;
    size_t length;
    struct error error = {0};
    struct build_result result;
    if (file_read(path, BUILD_SOURCE_MAX, &source, &length, &error) != STATUS_OK) {
        fprintf(stderr, "bench_simgpu: %s\n", error.message);
        return NULL;
    }
    struct build_request request = {
        .file_name = file, .source = source, .source_length = length, .kernel = name};
    if (build_compile(&request, NULL, &result, &error) != STATUS_OK) {
        fprintf(stderr, "bench_simgpu: %s\n", error.message);
        exit(SKIPPED);
    }
    char *ptx = NULL;
    if (result.compiled)
        ptx = steal_pointer(&result.ptx);
    else
        fprintf(stderr, "bench_simgpu: %s\n", result.message);
    build_result_free(&result);
    return ptx;
}

static bool measure_speed(const struct bench_options *chosen, struct bench_launch *launch,
                          const char *ptx, struct bench_row *row) {
    double seconds[2][2][MAX_RUNS];
    for (unsigned i = 0; i < chosen->runs; i++)
        for (unsigned kind = 0; kind < 4; kind++) {
            bool checks = kind & 1, several = kind & 2;
            if (checks ? chosen->plain_only : chosen->checks_only)
                continue;
            struct bench_run run;
            if (!bench_run(row->kernel, launch, ptx, checks, several ? chosen->threads : 1, &run))
                return false;
            if (!row->kernel->check(launch)) {
                fprintf(stderr, "bench_simgpu: %s: wrong result\n", row->kernel->name);
                return false;
            }
            row->instructions = run.thread_instructions;
            row->host_threads = several ? run.host_threads : row->host_threads;
            seconds[checks][several][i] =
                chosen->cpu_time ? run.cpu_seconds / run.host_threads : run.seconds;
        }
    for (unsigned kind = 0; kind < 4; kind++) {
        bool checks = kind & 1, several = kind & 2;
        if (checks ? !chosen->plain_only : !chosen->checks_only)
            row->rate[checks][several] =
                (double)row->instructions / bench_median(seconds[checks][several], chosen->runs);
    }
    return true;
}

static bool measure(const struct bench_options *chosen, const struct bench_kernel *kernel,
                    struct bench_row *row) {
    *row = (struct bench_row){.kernel = kernel};
    cleanup_free char *ptx = compile(kernel->name);
    if (!ptx)
        return false;
    struct bench_launch launch;
    bench_launch_make(&launch, kernel, chosen->quick);
    bool fresh = !chosen->quick && !chosen->checks_only && !chosen->plain_only && !chosen->cpu_time;
    row->touched_bytes = launch.touched_bytes;
    bool right = (!fresh || bench_shadow_bytes(kernel, &launch, ptx, &row->shadow_bytes)) &&
                 measure_speed(chosen, &launch, ptx, row);
    bench_launch_free(&launch);
    if (right && fresh) {
        /* one block on little data: what is left is getting ready */
        bench_launch_make(&launch, kernel, true);
        launch.grid = (struct dim3){1, 1, 1};
        right = bench_startup(kernel, &launch, ptx, &row->startup_seconds);
        bench_launch_free(&launch);
    }
    return right;
}

static double shadow_ratio(const struct bench_row *row) {
    return row->shadow_bytes / (double)row->touched_bytes;
}

static void print_rate(double rate) {
    if (rate > 0)
        printf(" %8.0f", rate / 1e6);
    else
        printf(" %8s", "-");
}

static void print_row(const struct bench_options *chosen, const struct bench_row *row) {
    printf("%-17s %6.1f", row->kernel->name, (double)row->instructions / 1e6);
    print_rate(row->rate[1][0]);
    print_rate(row->rate[1][1]);
    print_rate(row->rate[0][0]);
    print_rate(row->rate[0][1]);
    printf(" %5u", row->host_threads);
    if (row->startup_seconds > 0)
        printf(" %9.2f %9.2f %8.2f", row->startup_seconds * 1e3, row->shadow_bytes / 1e6,
               shadow_ratio(row));
    printf("%s\n", chosen->quick ? "  ok" : "");
    fflush(stdout);
}

static void print_head(const struct bench_options *chosen) {
    printf("million thread instructions a second%s, medians of %u runs on %ld CPUs\n\n",
           chosen->cpu_time ? " of CPU time" : "", chosen->runs, sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-17s %6s %17s %17s %5s %9s %9s %8s\n", "", "", "    with checks", " without checks",
           "used", "first", "shadow", "bytes");
    printf("%-17s %6s %8s %8s %8s %8s %5s %9s %9s %8s\n", "kernel", "M", "1 thread", "several",
           "1 thread", "several", "", "run, ms", "MB", "a byte");
}

struct bar {
    char text[128];
    double bar, value;
    bool at_most;
};

static size_t collect_bars(const struct bench_row *rows, size_t count,
                           const struct bench_row *memory, size_t memory_count, struct bar *bars) {
    const struct bench_row *tiled = NULL, *slowest = &rows[0], *heaviest = memory, *latest = memory;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].kernel->name, "matmul_tiled") == 0)
            tiled = &rows[i];
        if (rows[i].rate[1][1] < slowest->rate[1][1])
            slowest = &rows[i];
        if (shadow_ratio(&rows[i]) > shadow_ratio(heaviest))
            heaviest = &rows[i];
        if (rows[i].startup_seconds > latest->startup_seconds)
            latest = &rows[i];
    }
    for (size_t i = 0; i < memory_count; i++)
        if (shadow_ratio(&memory[i]) > shadow_ratio(heaviest))
            heaviest = &memory[i];
    size_t used = 0;
    if (tiled) {
        bars[used++] = (struct bar){"matmul_tiled with checks, several threads, M/s",
                                    BAR_TILED_CHECKED / 1e6, tiled->rate[1][1] / 1e6, false};
        bars[used++] = (struct bar){"matmul_tiled without checks, several threads, M/s",
                                    BAR_TILED_PLAIN / 1e6, tiled->rate[0][1] / 1e6, false};
    }
    struct bar bar = {.bar = BAR_ANY_CHECKED / 1e6, .value = slowest->rate[1][1] / 1e6};
    snprintf(bar.text, sizeof bar.text, "slowest with checks (%s), M/s", slowest->kernel->name);
    bars[used++] = bar;
    bar = (struct bar){.bar = BAR_SHADOW, .value = shadow_ratio(heaviest), .at_most = true};
    snprintf(bar.text, sizeof bar.text, "shadow bytes a byte touched, worst (%s)",
             heaviest->kernel->name);
    bars[used++] = bar;
    bar = (struct bar){
        .bar = BAR_STARTUP * 1e3, .value = latest->startup_seconds * 1e3, .at_most = true};
    snprintf(bar.text, sizeof bar.text, "PTX to the end of a first block, worst (%s), ms",
             latest->kernel->name);
    bars[used++] = bar;
    return used;
}

static bool holds(const struct bar *bar) {
    return bar->at_most ? bar->value <= bar->bar : bar->value >= bar->bar;
}

static bool print_bars(const struct bar *bars, size_t count) {
    bool all = true;
    printf("\n%-62s %9s %9s\n", "bar", "asked", "measured");
    for (size_t i = 0; i < count; i++) {
        printf("%-62s %s%7.*f %9.*f  %s\n", bars[i].text,
               bars[i].at_most ? "<=" : ">=", bars[i].at_most ? 1 : 0, bars[i].bar,
               bars[i].at_most ? 2 : 0, bars[i].value, holds(&bars[i]) ? "holds" : "MISSED");
        all &= holds(&bars[i]);
    }
    return all;
}

static json_t *json_of_row(const struct bench_row *row) {
    return json_pack(
        "{s:s, s:s, s:I, s:f, s:f, s:f, s:f, s:i, s:f, s:f, s:I}", "kernel", row->kernel->name,
        "what", row->kernel->what, "thread_instructions", (json_int_t)row->instructions,
        "checked_one_thread_per_second", row->rate[1][0], "checked_several_threads_per_second",
        row->rate[1][1], "plain_one_thread_per_second", row->rate[0][0],
        "plain_several_threads_per_second", row->rate[0][1], "host_threads_used",
        (int)row->host_threads, "first_run_seconds", row->startup_seconds, "shadow_bytes",
        row->shadow_bytes, "touched_bytes", (json_int_t)row->touched_bytes);
}

static bool write_json(const struct bench_options *chosen, const struct bench_row *rows,
                       size_t count, const struct bar *bars, size_t bar_count) {
    json_t *kernels = json_array(), *promises = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(kernels, json_of_row(&rows[i]));
    for (size_t i = 0; i < bar_count; i++)
        json_array_append_new(promises,
                              json_pack("{s:s, s:f, s:f, s:s, s:b}", "what", bars[i].text, "bar",
                                        bars[i].bar, "measured", bars[i].value, "direction",
                                        bars[i].at_most ? "at most" : "at least", "holds",
                                        holds(&bars[i])));
    json_t *root = json_pack("{s:i, s:i, s:i, s:o, s:o}", "runs", (int)chosen->runs, "cpus",
                             (int)sysconf(_SC_NPROCESSORS_ONLN), "several_threads",
                             (int)chosen->threads, "kernels", kernels, "bars", promises);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    cleanup_free char *text = mem_printf("%s\n", dump);
    struct error error = {0};
    bool written = strcmp(chosen->json, "-") == 0
                       ? fputs(text, stdout) >= 0
                       : file_write(chosen->json, text, strlen(text), &error) == STATUS_OK;
    if (!written)
        fprintf(stderr, "bench_simgpu: %s\n", error.message);
    free(dump);
    json_decref(root);
    return written;
}

static bool is_wanted(const struct bench_options *chosen, const struct bench_kernel *kernel) {
    return !chosen->kernel || strcmp(chosen->kernel, kernel->name) == 0;
}

int main(int argc, char **argv) {
    int code;
    if (worker_main(argc, argv, &code))
        return code;
    struct bench_options chosen = {.runs = 7, .threads = 2};
    const struct argp argp = {options,
                              parse_option,
                              NULL,
                              "Measures the simulated GPU on ten kernels.\v"
                              "Exit codes: 0 all is well, 1 a result is wrong or a bar is missed, "
                              "77 there is no NVRTC.",
                              NULL,
                              NULL,
                              NULL};
    argp_err_exit_status = STATUS_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (chosen.quick)
        chosen.runs = 1;
    struct bench_row rows[16], memory[16], tiny;
    size_t count = 0, bar_count = 0, memory_count = 0;
    print_head(&chosen);
    for (size_t i = 0; i < bench_kernel_count; i++) {
        if (!is_wanted(&chosen, &bench_kernels[i]))
            continue;
        if (!measure(&chosen, &bench_kernels[i], &rows[count]))
            return 1;
        print_row(&chosen, &rows[count++]);
    }
    for (size_t i = 0; chosen.kernel && i < bench_memory_kernel_count; i++)
        if (is_wanted(&chosen, &bench_memory_kernels[i])) {
            if (!measure(&chosen, &bench_memory_kernels[i], &rows[count]))
                return 1;
            print_row(&chosen, &rows[count++]);
        }
    if (!count) {
        fprintf(stderr, "bench_simgpu: no kernel named %s\n", chosen.kernel);
        return STATUS_INVALID;
    }
    struct bar bars[8];
    bool all = true;
    if (!chosen.kernel && !chosen.checks_only && !chosen.plain_only && !chosen.cpu_time) {
        /* beside the ten: they decide nothing about speed, but bound memory and start-up */
        printf("\n");
        for (size_t i = 0; i < bench_memory_kernel_count; i++) {
            if (!measure(&chosen, &bench_memory_kernels[i], &memory[memory_count]))
                return 1;
            print_row(&chosen, &memory[memory_count++]);
        }
        if (!measure(&chosen, &bench_tiny, &tiny))
            return 1;
        print_row(&chosen, &tiny);
        if (!chosen.quick) {
            bar_count = collect_bars(rows, count, memory, memory_count, bars);
            all = print_bars(bars, bar_count);
        }
    }
    if (chosen.json && !write_json(&chosen, rows, count, bars, bar_count))
        return 1;
    return all ? 0 : 1;
}
