/* gpu_collect: what measure.sh left in a folder becomes the one file that the tree keeps. Where
 * only the exercises, or only some kernels were measured, the file keeps the rest of what it held:
 * without times.json all models, without micro.json the kernels that are not in times.json and the
 * microbenchmarks, without exercises.json the exercises.
 *
 * A row a kernel and size, a line a row, sorted by name: times from events, and beside them Nsight
 * Compute's counters as an array in the order of "metrics". The profiler writes launches in the
 * order in which gpu_bench made them, so that its n-th line belongs to the n-th row of
 * order-SIZE.json; the grid is compared to be sure. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"
#include "tests/bench/model/catalogue.h"
#include "tests/source_folder.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FIELDS = 1024, MAX_BYTES = 64 << 20 };

static char *read_text(const char *folder, const char *name) {
    cleanup_free char *path = file_join(folder, name);
    struct error error = {0};
    char *text = NULL;
    size_t length;
    if (file_read(path, MAX_BYTES, &text, &length, &error) != STATUS_OK)
        fprintf(stderr, "gpu_collect: %s\n", error.message);
    return text;
}

static json_t *read_json(const char *folder, const char *name) {
    cleanup_free char *text = read_text(folder, name);
    json_error_t error;
    json_t *root = text ? json_loads(text, 0, &error) : NULL;
    if (text && !root)
        fprintf(stderr, "gpu_collect: %s:%d: %s\n", name, error.line, error.text);
    return root;
}

/* ---- CSV: every field is quoted, none holds a quote --------------------------------------------
 */

/* Cuts a line into fields in place. */
static size_t split_line(char *line, char **fields) {
    size_t count = 0;
    for (char *at = line; *at == '"' && count < MAX_FIELDS;) {
        char *end = strchr(at + 1, '"');
        if (!end)
            break;
        *end = '\0';
        fields[count++] = at + 1;
        at = end[1] == ',' ? end + 2 : end + 1;
    }
    return count;
}

/* The next line that begins with a quote; NULL at the end. */
static char *next_line(char **state) {
    char *line;
    while ((line = strsep(state, "\n")))
        if (*line == '"')
            return line;
    return NULL;
}

static size_t find_field(char *const *fields, size_t count, const char *name) {
    size_t i = 0;
    while (i < count && strcmp(fields[i], name) != 0)
        i++;
    return i;
}

/* "1,048,576" and "12.5"; anything else is null. */
static json_t *number(const char *text) {
    char plain[64];
    size_t length = 0;
    for (; *text && length + 1 < sizeof plain; text++)
        if (*text != ',')
            plain[length++] = *text;
    plain[length] = '\0';
    char *end;
    double value = strtod(plain, &end);
    if (end == plain || *end)
        return json_null();
    return strchr(plain, '.') ? json_real(value) : json_integer((json_int_t)value);
}

/* ---- joining -----------------------------------------------------------------------------------
 */

static bool same_name(const json_t *a, const json_t *b) {
    static const char *const keys[] = {"family", "variant", "size"};
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
        if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
            return false;
    return true;
}

static json_t *find_row(json_t *rows, const json_t *name) {
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (same_name(row, name)) return row;
    return NULL;
}

static bool grid_matches(const json_t *row, const char *text) {
    json_int_t x = 0, y = 0, z = 0;
    const json_t *grid = json_object_get(row, "grid");
    long long a, b, c;
    json_unpack((json_t *)grid, "[I,I,I]", &x, &y, &z);
    return sscanf(text, "(%lld, %lld, %lld)", &a, &b, &c) == 3 && a == x && b == y && c == z;
}

/* Adds what was counted in a profiled run to the rows, in the order of `metrics`. */
static bool add_counters(const char *folder, const char *run, json_t *rows, json_t *metrics) {
    cleanup_free char *csv_name = mem_printf("ncu-%s.csv", run);
    cleanup_free char *order_name = mem_printf("order-%s.json", run);
    cleanup_free char *csv = read_text(folder, csv_name);
    char *state = csv;
    json_t *order = read_json(folder, order_name);
    char *names[MAX_FIELDS], *fields[MAX_FIELDS];
    size_t i, j, count = csv && order ? split_line(next_line(&state), names) : 0;
    size_t grid = find_field(names, count, "Grid Size");
    bool right = count > 0 && grid < count && next_line(&state);
    json_t *launched, *metric;
    json_array_foreach(json_object_get(order, "rows"), i, launched) {
        char *line = right ? next_line(&state) : NULL;
        json_t *row = find_row(rows, launched);
        right = line && row && split_line(line, fields) == count && grid_matches(row, fields[grid]);
        if (!right)
            break;
        json_t *values = json_array();
        json_array_foreach(metrics, j, metric) {
            size_t column = find_field(names, count, json_string_value(metric));
            json_array_append_new(values, column < count ? number(fields[column]) : json_null());
        }
        json_object_set_new(row, "counters", values);
    }
    json_decref(order);
    if (!right)
        fprintf(stderr, "gpu_collect: %s does not fit %s\n", csv_name, order_name);
    return right;
}

static json_t *read_metrics(const char *name) {
    cleanup_free char *text = read_text(WARPGRADE_SOURCE_DIR "/tests/gpu", name);
    json_t *metrics = json_array();
    char *state = text;
    for (char *line; (line = strsep(&state, "\n"));)
        if (*line)
            json_array_append_new(metrics, json_string(line));
    return metrics;
}

/* ---- writing -----------------------------------------------------------------------------------
 */

static int compare_rows(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    static const char *const keys[] = {"family", "variant", "size"};
    for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
        int order = strcmp(json_string_value(json_object_get(x, keys[i])),
                           json_string_value(json_object_get(y, keys[i])));
        if (order)
            return order;
    }
    return 0;
}

static void write_value(struct text *out, const json_t *value) {
    cleanup_free char *text =
        json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    text_append(out, text);
}

static void write_rows(struct text *out, const char *key, const json_t *rows) {
    size_t count = json_array_size(rows), i;
    cleanup_free json_t **sorted = mem_calloc(count + 1, sizeof *sorted);
    for (i = 0; i < count; i++)
        sorted[i] = json_array_get(rows, i);
    qsort(sorted, count, sizeof(json_t *), compare_rows);
    text_printf(out, "\"%s\": [", key);
    for (i = 0; i < count; i++) {
        text_append(out, i ? ",\n" : "\n");
        write_value(out, sorted[i]);
    }
    text_append(out, "\n]");
}

static void write_key(struct text *out, const char *key, const json_t *value) {
    text_printf(out, "\"%s\": ", key);
    write_value(out, value);
    text_append(out, ",\n");
}

/* The models' rows and the microbenchmarks', measured now. */
static json_t *collect_models(const char *folder) {
    json_t *times = read_json(folder, "times.json"), *micro = read_json(folder, "micro.json");
    json_t *metrics = read_metrics("metrics.txt"), *rows = json_object_get(times, "rows");
    json_t *micro_metrics = read_metrics("metrics-micro.txt");
    bool right = rows && micro;
    for (unsigned size = 0; size < MODEL_SIZES && right; size++)
        right = add_counters(folder, model_size_names[size], rows, metrics);
    right = right && add_counters(folder, "micro", json_object_get(micro, "rows"), micro_metrics);
    json_t *models =
        right ? json_pack("{s:O?, s:O, s:O, s:O?, s:O}", "device", json_object_get(times, "device"),
                          "kernels", rows, "metrics", metrics, "micro",
                          json_object_get(micro, "rows"), "micro_metrics", micro_metrics)
              : NULL;
    json_decref(times);
    json_decref(micro);
    json_decref(metrics);
    json_decref(micro_metrics);
    return models;
}

static bool is_there(const char *folder, const char *name) {
    cleanup_free char *path = file_join(folder, name);
    return access(path, F_OK) == 0;
}

/* Some kernels were measured, perhaps for a few counters: their rows take the place of those of the
 * same name in `kept`. */
static bool replace_kernels(const char *folder, json_t *kept) {
    json_t *times = read_json(folder, "times.json"), *rows = json_object_get(times, "rows");
    json_t *kernels = json_object_get(kept, "kernels");
    bool right = rows && kernels;
    for (unsigned size = 0; size < MODEL_SIZES && right; size++) {
        cleanup_free char *csv = mem_printf("ncu-%s.csv", model_size_names[size]);
        if (is_there(folder, csv))
            right = add_counters(folder, model_size_names[size], rows,
                                 json_object_get(kept, "metrics"));
    }
    size_t i, j;
    json_t *row, *old;
    json_array_foreach(rows, i, row) {
        json_array_foreach(kernels, j, old) if (same_name(row, old)) break;
        if (right && j < json_array_size(kernels))
            json_array_set(kernels, j, row);
        else if (right)
            json_array_append(kernels, row);
    }
    json_decref(times);
    return right;
}

/* All models: measured now, or those of the file, of which some may have been measured again. */
static json_t *find_models(const char *folder, const char *file) {
    bool some = is_there(folder, "times.json");
    if (some && is_there(folder, "micro.json"))
        return collect_models(folder);
    json_t *kept = read_json(".", file);
    if (!kept || !some || replace_kernels(folder, kept))
        return kept;
    json_decref(kept);
    return NULL;
}

/* The exercises: measured now, or those of the file. */
static bool write_exercises(const char *folder, const json_t *models, struct text *out) {
    if (!is_there(folder, "exercises.json") && json_object_get(models, "exercises")) {
        write_key(out, "exercise_metrics", json_object_get(models, "exercise_metrics"));
        write_rows(out, "exercises", json_object_get(models, "exercises"));
        return true;
    }
    json_t *launched = read_json(folder, "exercises.json");
    json_t *metrics = read_metrics("metrics-exercises.txt");
    json_t *exercises = json_object_get(launched, "rows");
    bool right = exercises && add_counters(folder, "exercises", exercises, metrics);
    if (right) {
        write_key(out, "exercise_metrics", metrics);
        write_rows(out, "exercises", exercises);
    }
    json_decref(launched);
    json_decref(metrics);
    return right;
}

static bool collect(const char *folder, const json_t *models, struct text *out) {
    text_append(out, "{\n");
    write_key(out, "device", json_object_get(models, "device"));
    if (!write_exercises(folder, models, out))
        return false;
    text_append(out, ",\n");
    write_rows(out, "kernels", json_object_get(models, "kernels"));
    text_append(out, ",\n");
    write_key(out, "metrics", json_object_get(models, "metrics"));
    write_key(out, "micro_metrics", json_object_get(models, "micro_metrics"));
    write_rows(out, "micro", json_object_get(models, "micro"));
    text_append(out, "\n}\n");
    return true;
}

int main(int argc, char **argv) {
    struct error error = {0};
    cleanup_text struct text out = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: gpu_collect FOLDER FILE.json\n");
        return 2;
    }
    json_t *models = find_models(argv[1], argv[2]);
    bool right = models && collect(argv[1], models, &out);
    json_decref(models);
    if (!right)
        return 1;
    if (file_write(argv[2], text_string(&out), out.length, &error) == STATUS_OK)
        return 0;
    fprintf(stderr, "gpu_collect: %s\n", error.message);
    return 1;
}
