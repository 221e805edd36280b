/* Launches every exercise's kernels once.
 *
 * A kernel that the hardware stops takes the whole process with it: no context can be made in it
 * any more. The launches are therefore made by a child that tells its parent of each, a line of
 * JSON a launch; where it ends with a fault, another child goes on after that launch. A profiler
 * cannot follow such a kernel either, so that it gets a list of those to leave out, and no child.
 * A launch that the driver refuses has a fault, too, and costs nothing more.
 */
#include "exercise_run.h"
#include "measure.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_DONE, CHILD_FAILED, CHILD_MISSING, CHILD_BROKEN };

struct run {
    const struct exercise_run_options *options;
    struct measure measure;
    json_t *known; /* what an earlier run wrote; NULL: there was none */
    json_t *rows;  /* where they go to, or NULL: to `output` */
    FILE *output;
    size_t number, first; /* of launches seen, and of those that other children have made */
    bool failed, broken;
};

static bool is_text(const json_t *row, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(row, key));
    return value && strcmp(value, text) == 0;
}

static bool has_fault(const struct run *run, const struct gpu_launch *launch) {
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(run->known, "rows"), i, row) {
        if (is_text(row, "family", launch->family) && is_text(row, "variant", launch->variant) &&
            is_text(row, "size", launch->size))
            return json_object_get(row, "fault") != NULL;
    }
    return false;
}

static bool is_wanted(const char *family, const char *variant, const char *source, void *context) {
    (void)source;
    const struct run *run = context;
    cleanup_free char *name = mem_printf("%s/%s", family, variant);
    return !run->options->pattern || fnmatch(run->options->pattern, name, 0) == 0;
}

static void hand_over(struct run *run, json_t *row) {
    if (run->rows) {
        json_array_append_new(run->rows, row);
        return;
    }
    cleanup_free char *line = json_dumps(row, JSON_COMPACT);
    fprintf(run->output, "%s\n", line);
    fflush(run->output);
    json_decref(row);
}

static bool make_launch(struct gpu_launch *launch, void *context) {
    struct run *run = context;
    if (has_fault(run, launch) || run->number++ < run->first)
        return true;
    json_t *row = measure_launch(&run->measure, launch, &run->broken);
    if (row)
        hand_over(run, row);
    run->failed = run->failed || !row;
    return !run->broken;
}

/* In this process, from launch number run->first on. */
static int make_launches(struct run *run) {
    struct error error = {0};
    bool missing;
    if (!measure_open(&run->measure, run->options->ptx_folder, MEASURE_ONCE, &missing))
        return missing ? CHILD_MISSING : CHILD_FAILED;
    if (gpu_launches_of_exercises(run->options->ptx_folder, is_wanted, make_launch, run, &error) !=
        STATUS_OK) {
        fprintf(stderr, "gpu_bench: %s\n", error.message);
        return CHILD_FAILED;
    }
    if (run->broken)
        return run->failed ? CHILD_FAILED : CHILD_BROKEN;
    measure_close(&run->measure);
    return run->failed ? CHILD_FAILED : CHILD_DONE;
}

/* In a child; its rows are appended to `rows`. */
static int make_launches_apart(struct run *run, json_t *rows) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return CHILD_FAILED;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run->output = fdopen(ends[1], "w");
        _exit(run->output ? make_launches(run) : CHILD_FAILED);
    }
    close(ends[1]);
    FILE *input = child > 0 ? fdopen(ends[0], "r") : NULL;
    cleanup_free char *line = NULL;
    size_t capacity = 0;
    while (input && getline(&line, &capacity, input) > 0) {
        json_t *row = json_loads(line, 0, NULL);
        if (row)
            json_array_append_new(rows, row);
        run->first++;
    }
    if (input)
        fclose(input);
    int status;
    bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : CHILD_FAILED;
}

bool exercise_run(const struct exercise_run_options *options, json_t *rows, bool *missing) {
    struct run run = {.options = options};
    int end = CHILD_BROKEN;
    if (options->without_faults) {
        json_error_t trouble;
        run.known = json_load_file(options->without_faults, 0, &trouble);
        run.rows = rows;
        if (run.known)
            end = make_launches(&run);
        else
            fprintf(stderr, "gpu_bench: %s: %s\n", options->without_faults, trouble.text);
        json_decref(run.known);
    } else {
        while (end == CHILD_BROKEN)
            end = make_launches_apart(&run, rows);
    }
    *missing = end == CHILD_MISSING;
    return end == CHILD_DONE;
}
