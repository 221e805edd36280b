/* struct engine_launch and struct engine_result to JSON and back: see engine_wire.h.
 *
 * One pair of functions a struct, the members in the same order in both, so that a difference
 * catches the eye. A result is decoded as hostile: every count has a cap, every id is checked. */
#include "sandbox/engine/engine_wire.h"

#include "sandbox/base/memory.h"
#include "sandbox/engine/probe_wire.h"
#include "sandbox/engine/profile_wire.h"
#include "sandbox/engine/scene_wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const json_int_t largest_dimension = UINT32_MAX;

json_t *engine_wire_encode_dim3(struct dim3 dim) {
    return json_pack("[I, I, I]", (json_int_t)dim.x, (json_int_t)dim.y, (json_int_t)dim.z);
}

struct dim3 engine_wire_decode_dim3(struct protocol_reader *reader, const char *name) {
    const json_t *array = protocol_array(reader, name, 3);
    uint32_t numbers[3] = {0};
    for (size_t i = 0; i < 3 && array; i++) {
        const json_t *number = json_array_get(array, i);
        json_int_t value = json_integer_value(number);
        if (!json_is_integer(number) || value < 0 || value > largest_dimension)
            protocol_fail(reader, name);
        else
            numbers[i] = (uint32_t)value;
    }
    return (struct dim3){numbers[0], numbers[1], numbers[2]};
}

json_t *engine_wire_encode_argument(const struct engine_argument *argument) {
    return json_pack(
        "{s:b, s:I, s:o, s:o, s:o, s:[o, o, o], s:I, s:b, s:b, s:b, s:b, s:I, s:b, s:o, s:I, s:o, "
        "s:o, s:o, s:b, s:I}",
        "is_buffer", argument->is_buffer, "type", (json_int_t)argument->type, "name",
        protocol_string(argument->name), "scalar", protocol_bits(argument->scalar), "count",
        protocol_bits(argument->count), "shape", protocol_bits(argument->shape[0]),
        protocol_bits(argument->shape[1]), protocol_bits(argument->shape[2]), "rank",
        (json_int_t)argument->rank, "read_only", argument->read_only, "constant",
        argument->constant, "symbol", argument->symbol, "by_value", argument->by_value, "alias",
        (json_int_t)argument->alias, "uninitialized", argument->uninitialized, "data_offset",
        protocol_bits(argument->data_offset), "fill", (json_int_t)argument->fill.kind, "fill_seed",
        protocol_bits(argument->fill.seed), "fill_low", protocol_real(argument->fill.low),
        "fill_high", protocol_real(argument->fill.high), "fill_is_drawn", argument->fill.is_drawn,
        "fill_drawn", (json_int_t)argument->fill.drawn);
}

#define WRITTEN_MAX 0x1p42 /* elements of all buffers that rules fill */

enum { FILLED_MAX_SHIFT = 36 }; /* a buffer that a rule fills has at most 64 GiB */

static bool buffer_fits(const struct engine_argument *argument, size_t data_length) {
    size_t bytes;
    if (__builtin_mul_overflow(argument->count, element_infos[argument->type].bytes, &bytes))
        return false;
    if (argument->fill.kind != ENGINE_FILL_DATA)
        return bytes < (size_t)1 << FILLED_MAX_SHIFT;
    return argument->data_offset <= data_length && bytes <= data_length - argument->data_offset;
}

static double decode_finite(struct protocol_reader *reader, const char *name) {
    double value = protocol_read_real(reader, name);
    if (!isfinite(value))
        protocol_fail(reader, name);
    return value;
}

bool engine_wire_decode_argument(const json_t *object, size_t data_length,
                                 struct engine_argument *argument) {
    struct protocol_reader reader = protocol_read(object);
    *argument = (struct engine_argument){0};
    argument->is_buffer = protocol_bool(&reader, "is_buffer");
    argument->type = (enum element_type)protocol_unsigned(&reader, "type", ELEMENT_COUNT - 1);
    protocol_text(&reader, "name", argument->name, sizeof argument->name);
    argument->scalar = protocol_hex(&reader, "scalar");
    argument->count = protocol_hex(&reader, "count");
    const json_t *shape = protocol_array(&reader, "shape", 3);
    for (size_t i = 0; i < 3 && shape; i++) {
        const char *digits = json_string_value(json_array_get(shape, i));
        if (!digits)
            protocol_fail(&reader, "shape");
        else
            argument->shape[i] = strtoull(digits, NULL, 16);
    }
    argument->rank = (unsigned)protocol_unsigned(&reader, "rank", 3);
    argument->read_only = protocol_bool(&reader, "read_only");
    argument->constant = protocol_bool(&reader, "constant");
    argument->symbol = protocol_bool(&reader, "symbol");
    argument->by_value = protocol_bool(&reader, "by_value");
    argument->alias = (unsigned)protocol_unsigned(&reader, "alias", ENGINE_MAX_ARGUMENTS);
    argument->uninitialized = protocol_bool(&reader, "uninitialized");
    argument->data_offset = protocol_hex(&reader, "data_offset");
    argument->fill.kind =
        (enum engine_fill_kind)protocol_unsigned(&reader, "fill", ENGINE_FILL_COUNT - 1);
    argument->fill.seed = protocol_hex(&reader, "fill_seed");
    argument->fill.low = decode_finite(&reader, "fill_low");
    argument->fill.high = decode_finite(&reader, "fill_high");
    argument->fill.is_drawn = protocol_bool(&reader, "fill_is_drawn");
    argument->fill.drawn =
        (enum element_type)protocol_unsigned(&reader, "fill_drawn", ELEMENT_COUNT - 1);
    bool placed = !argument->constant || (argument->is_buffer && argument->read_only);
    bool one_kind = argument->is_buffer + argument->by_value + (argument->alias != 0) <= 1 &&
                    (!argument->symbol || argument->constant);
    return protocol_end(&reader) && placed && one_kind &&
           (!(argument->is_buffer || argument->by_value) || buffer_fits(argument, data_length));
}

json_t *engine_wire_encode_launch(const struct engine_launch *launch) {
    json_t *arguments = json_array(), *devices = json_array(); /* none or one */
    if (launch->device)
        json_array_append_new(devices, profile_wire_encode_device(launch->device));
    for (size_t i = 0; i < launch->argument_count; i++)
        json_array_append_new(arguments, engine_wire_encode_argument(&launch->arguments[i]));
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b, s:b, s:b, s:b, s:o, s:I, s:b, "
        "s:o, "
        "s:I, s:o, s:o, s:o, s:o}",
        "kernel", protocol_string(launch->kernel), "file_name",
        protocol_string(launch->file_name ? launch->file_name : ""), "grid",
        engine_wire_encode_dim3(launch->grid), "block", engine_wire_encode_dim3(launch->block),
        "cluster", engine_wire_encode_dim3(launch->cluster), "shared_bytes",
        protocol_bits(launch->shared_bytes), "arguments", arguments, "seed",
        protocol_bits(launch->seed), "budget", protocol_bits(launch->budget), "threads",
        (json_int_t)launch->threads, "no_checks", launch->no_checks, "is_second", launch->is_second,
        "is_plain", launch->is_plain, "keeps_data", launch->keeps_data, "device", devices,
        "registers", (json_int_t)launch->registers, "arrays_in_registers",
        launch->arrays_in_registers, "sample_budget", protocol_bits(launch->sample_budget),
        "wanted_elements", (json_int_t)launch->wanted_elements, "probes",
        probe_wire_encode_probes(launch), "probe_budget", protocol_bits(launch->probe_budget),
        "wall_seconds", protocol_real(launch->wall_seconds), "most_seconds",
        protocol_real(launch->most_seconds));
}

bool engine_wire_decode_launch(const json_t *control, size_t data_length,
                               struct engine_argument *arguments, struct device_profile *device,
                               struct engine_launch *launch) {
    struct protocol_reader reader = protocol_read(control);
    *launch = (struct engine_launch){0};
    launch->kernel = protocol_borrow(&reader, "kernel", 1024);
    launch->file_name = protocol_borrow(&reader, "file_name", 4096);
    launch->grid = engine_wire_decode_dim3(&reader, "grid");
    launch->block = engine_wire_decode_dim3(&reader, "block");
    launch->cluster = engine_wire_decode_dim3(&reader, "cluster");
    launch->shared_bytes = protocol_hex(&reader, "shared_bytes");
    const json_t *array = protocol_array(&reader, "arguments", ENGINE_MAX_ARGUMENTS);
    launch->arguments = arguments;
    launch->argument_count = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < launch->argument_count; i++)
        if (!engine_wire_decode_argument(json_array_get(array, i), data_length, &arguments[i]))
            protocol_fail(&reader, "arguments");
    launch->seed = protocol_hex(&reader, "seed");
    launch->budget = protocol_hex(&reader, "budget");
    launch->threads = (unsigned)protocol_unsigned(&reader, "threads", 4096);
    launch->no_checks = protocol_bool(&reader, "no_checks");
    launch->is_second = protocol_bool(&reader, "is_second");
    launch->is_plain = protocol_bool(&reader, "is_plain");
    launch->keeps_data = protocol_bool(&reader, "keeps_data");
    const json_t *devices = protocol_array(&reader, "device", 1);
    if (devices && json_array_size(devices)) {
        if (!profile_wire_decode_device(json_array_get(devices, 0), device))
            protocol_fail(&reader, "device");
        launch->device = device;
    }
    launch->registers = (unsigned)protocol_unsigned(&reader, "registers", 65536);
    launch->arrays_in_registers = protocol_bool(&reader, "arrays_in_registers");
    launch->sample_budget = protocol_hex(&reader, "sample_budget");
    launch->wanted_elements =
        (unsigned)protocol_unsigned(&reader, "wanted_elements", ENGINE_MAX_ELEMENTS);
    const json_t *probes = protocol_array(&reader, "probes", ENGINE_MAX_ELEMENTS);
    launch->probe_count = probes ? json_array_size(probes) : 0;
    launch->probe_budget = protocol_hex(&reader, "probe_budget");
    launch->wall_seconds = decode_finite(&reader, "wall_seconds");
    launch->most_seconds = decode_finite(&reader, "most_seconds");
    return protocol_end(&reader);
}

/* Number and value of each counter that is not 0, in the order of counter.def: both sides are the
 * same program. Most are 0 in most lines of a kernel, and a batch tells of some thousand lines. */
static json_t *encode_counters(const struct counters *counters) {
    json_t *array = json_array();
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        if (counter_value(counters, i)) {
            json_array_append_new(array, json_integer((json_int_t)i));
            json_array_append_new(array, json_integer((json_int_t)counter_value(counters, i)));
        }
    return array;
}

static void decode_counters(struct protocol_reader *reader, struct counters *counters) {
    const json_t *array = protocol_array(reader, "counters", 2 * COUNTER_COUNT);
    json_int_t next = 0;
    for (size_t i = 0; array && i < json_array_size(array); i += 2) {
        const json_t *number = json_array_get(array, i), *value = json_array_get(array, i + 1);
        json_int_t counter = json_integer_value(number);
        if (!json_is_integer(number) || counter < next || counter >= COUNTER_COUNT ||
            !json_is_integer(value) || json_integer_value(value) <= 0) {
            protocol_fail(reader, "counters");
            return;
        }
        *counter_at(counters, (size_t)counter) = (uint64_t)json_integer_value(value);
        next = counter + 1;
    }
}

static json_t *encode_hazard(const struct hazard *hazard) {
    json_t *threads = json_array();
    for (size_t i = 0; i < hazard->thread_count && i < ENGINE_HAZARD_THREADS; i++)
        json_array_append_new(threads,
                              json_pack("{s:o, s:o}", "block",
                                        engine_wire_encode_dim3(hazard->threads[i].block), "thread",
                                        engine_wire_encode_dim3(hazard->threads[i].thread)));
    return json_pack("{s:I, s:I, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:b, s:o}",
                     "kind", (json_int_t)hazard->kind, "severity", (json_int_t)hazard->severity,
                     "file", protocol_string(hazard->file), "line", (json_int_t)hazard->line,
                     "column", (json_int_t)hazard->column, "count", protocol_bits(hazard->count),
                     "message", protocol_string(hazard->message), "threads", threads, "other_file",
                     protocol_string(hazard->other_file), "other_line",
                     (json_int_t)hazard->other_line, "variable", protocol_string(hazard->variable),
                     "fix", (json_int_t)hazard->fix, "plain_load", hazard->plain_load, "scene",
                     scene_wire_encode(&hazard->scene));
}

static bool decode_hazard(const json_t *object, struct hazard *hazard) {
    struct protocol_reader reader = protocol_read(object);
    hazard->kind = (enum hazard_kind)protocol_unsigned(&reader, "kind", HAZARD_COUNT - 1);
    hazard->severity =
        (enum hazard_severity)protocol_unsigned(&reader, "severity", SEVERITY_WARNING);
    protocol_text(&reader, "file", hazard->file, sizeof hazard->file);
    hazard->line = (unsigned)protocol_unsigned(&reader, "line", UINT32_MAX);
    hazard->column = (unsigned)protocol_unsigned(&reader, "column", UINT32_MAX);
    hazard->count = protocol_hex(&reader, "count");
    protocol_text(&reader, "message", hazard->message, sizeof hazard->message);
    const json_t *threads = protocol_array(&reader, "threads", ENGINE_HAZARD_THREADS);
    hazard->thread_count = threads ? json_array_size(threads) : 0;
    for (size_t i = 0; i < hazard->thread_count; i++) {
        struct protocol_reader thread = protocol_read(json_array_get(threads, i));
        hazard->threads[i].block = engine_wire_decode_dim3(&thread, "block");
        hazard->threads[i].thread = engine_wire_decode_dim3(&thread, "thread");
        if (!protocol_end(&thread))
            protocol_fail(&reader, "threads");
    }
    protocol_text(&reader, "other_file", hazard->other_file, sizeof hazard->other_file);
    hazard->other_line = (unsigned)protocol_unsigned(&reader, "other_line", UINT32_MAX);
    protocol_text(&reader, "variable", hazard->variable, sizeof hazard->variable);
    hazard->fix = (enum hazard_fix)protocol_unsigned(&reader, "fix", FIX_COUNT - 1);
    hazard->plain_load = protocol_bool(&reader, "plain_load");
    const json_t *scene = protocol_object(&reader, "scene");
    if (scene && !scene_wire_decode(scene, &hazard->scene))
        protocol_fail(&reader, "scene");
    return protocol_end(&reader);
}

static json_t *encode_line(const struct line_counters *line) {
    return json_pack("{s:o, s:I, s:o, s:f}", "file", protocol_string(line->file), "line",
                     (json_int_t)line->line, "counters", encode_counters(&line->counters),
                     "modelled_ms", line->modelled_ms);
}

static bool decode_line(const json_t *object, struct line_counters *line) {
    struct protocol_reader reader = protocol_read(object);
    protocol_text(&reader, "file", line->file, sizeof line->file);
    line->line = (unsigned)protocol_unsigned(&reader, "line", UINT32_MAX);
    decode_counters(&reader, &line->counters);
    line->modelled_ms = protocol_number(&reader, "modelled_ms", MODELLED_MAX_MS);
    return protocol_end(&reader);
}

json_t *engine_wire_encode_result(const struct engine_result *result) {
    json_t *hazards = json_array(), *lines = json_array(), *profiles = json_array();
    for (size_t i = 0; i < result->hazard_count && i < ENGINE_MAX_HAZARDS; i++)
        json_array_append_new(hazards, encode_hazard(&result->hazards[i]));
    for (size_t i = 0; i < result->line_count && i < ENGINE_MAX_LINES; i++)
        json_array_append_new(lines, encode_line(&result->lines[i]));
    if (result->profile.present)
        json_array_append_new(profiles, profile_wire_encode(&result->profile));
    return json_pack(
        "{s:b, s:b, s:o, s:I, s:o, s:o, s:o, s:o, s:b, s:f, s:o, s:I, s:b, s:b, s:o, s:o, s:f}",
        "completed", result->end == ENGINE_COMPLETED, "time_over", result->end == ENGINE_TIME_LIMIT,
        "message", protocol_string(result->message), "line", (json_int_t)result->line, "hazards",
        hazards, "counters", encode_counters(&result->counters), "lines", lines, "accesses",
        scene_wire_encode_accesses(result), "printed_cut", result->printed_cut, "elapsed_ms",
        result->elapsed_ms, "static_shared_bytes", protocol_bits(result->static_shared_bytes),
        "host_threads", (json_int_t)result->host_threads, "order_sensitive",
        result->order_sensitive, "blocks_communicate", result->blocks_communicate, "profile",
        profiles, "elements", probe_wire_encode_elements(result), "written_elements",
        result->written_elements);
}

bool engine_wire_decode_result(const json_t *control, struct engine_result *result,
                               const char **culprit) {
    struct protocol_reader reader = protocol_read(control);
    *result = (struct engine_result){0};
    bool completed = protocol_bool(&reader, "completed");
    bool time_over = protocol_bool(&reader, "time_over");
    result->end = completed ? ENGINE_COMPLETED : time_over ? ENGINE_TIME_LIMIT : ENGINE_REFUSED;
    protocol_text(&reader, "message", result->message, sizeof result->message);
    result->line = (unsigned)protocol_unsigned(&reader, "line", UINT32_MAX);
    const json_t *hazards = protocol_array(&reader, "hazards", ENGINE_MAX_HAZARDS);
    result->hazard_count = hazards ? json_array_size(hazards) : 0;
    result->hazards = mem_calloc(result->hazard_count, sizeof *result->hazards);
    for (size_t i = 0; i < result->hazard_count; i++)
        if (!decode_hazard(json_array_get(hazards, i), &result->hazards[i]))
            protocol_fail(&reader, "hazards");
    decode_counters(&reader, &result->counters);
    const json_t *lines = protocol_array(&reader, "lines", ENGINE_MAX_LINES);
    result->line_count = lines ? json_array_size(lines) : 0;
    result->lines = mem_calloc(result->line_count, sizeof *result->lines);
    for (size_t i = 0; i < result->line_count; i++)
        if (!decode_line(json_array_get(lines, i), &result->lines[i]))
            protocol_fail(&reader, "lines");
    scene_wire_decode_accesses(&reader, result);
    result->printed_cut = protocol_bool(&reader, "printed_cut");
    result->elapsed_ms = protocol_number(&reader, "elapsed_ms", 1e9);
    result->static_shared_bytes = protocol_hex(&reader, "static_shared_bytes");
    result->host_threads = (unsigned)protocol_unsigned(&reader, "host_threads", 65536);
    result->order_sensitive = protocol_bool(&reader, "order_sensitive");
    result->blocks_communicate = protocol_bool(&reader, "blocks_communicate");
    const json_t *profiles = protocol_array(&reader, "profile", 1);
    if (profiles && json_array_size(profiles) &&
        !profile_wire_decode(json_array_get(profiles, 0), &result->profile))
        protocol_fail(&reader, "profile");
    probe_wire_decode_elements(&reader, result);
    result->written_elements = protocol_number(&reader, "written_elements", WRITTEN_MAX);
    if (protocol_end(&reader))
        return true;
    *culprit = reader.culprit;
    engine_result_free(result);
    return false;
}
