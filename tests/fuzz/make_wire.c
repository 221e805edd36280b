/* Writes the simulator's part of corpus/wire again: make_wire FOLDER. A message decodes only with
 * exactly the members and counters of today, so that these files follow the encoders. */
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/engine/engine_wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;

static bool put(const char *name, const char *bytes, size_t length) {
    struct error error = {0};
    cleanup_free char *path = file_join(folder, name);
    if (file_write(path, bytes, length, &error) == STATUS_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}

static bool put_json(const char *name, json_t *control) {
    cleanup_free char *text = json_dumps(control, JSON_COMPACT);
    json_decref(control);
    return put(name, text, strlen(text));
}

static bool put_frame(const char *name, json_t *control, const char *bulk) {
    struct text frame = {0};
    protocol_frame(&frame, control, bulk, strlen(bulk));
    bool written = put(name, frame.data, frame.length);
    text_free(&frame);
    return written;
}

static struct hazard hazards[] = {{.kind = HAZARD_OUT_OF_BOUNDS,
                                   .file = "dot.cu",
                                   .line = 14,
                                   .column = 3,
                                   .count = 7,
                                   .message = "read of 4 bytes",
                                   .threads = {{{0, 0, 0}, {31, 0, 0}}},
                                   .thread_count = 1,
                                   .other_file = "dot.cu",
                                   .other_line = 15,
                                   .variable = "s[131]",
                                   .scene = {.access = SCENE_READ,
                                             .block_threads = 64,
                                             .waiting = {UINT32_MAX, 3},
                                             .element = 131,
                                             .elements = 128}},
                                  {.kind = HAZARD_TRAP, .message = "m"}};
static struct line_counters lines[] = {{.file = "dot.cu", .line = 14, .modelled_ms = 0.5}};

static struct engine_element elements[] = {{0, 5, UINT64_MAX, true}, {0, 6, 0, false}};

static struct engine_result make_result(bool profiled) {
    struct engine_result result = {
        .end = ENGINE_COMPLETED,
        .hazards = hazards,
        .hazard_count = profiled ? 0 : ARRAY_LENGTH(hazards),
        .lines = lines,
        .line_count = ARRAY_LENGTH(lines),
        .accesses = {{.file = "dot.cu", .line = 14, .bytes = 4, .lanes = 3, .offsets = {0, 128}}},
        .access_count = profiled,
        .elapsed_ms = 1.5,
        .static_shared_bytes = 1024,
        .host_threads = 2};
    for (size_t i = 0; i < COUNTER_COUNT; i++)
        *counter_at(&result.counters, i) = i;
    result.profile.present = profiled;
    result.elements = elements;
    result.element_count = profiled ? ARRAY_LENGTH(elements) : 0;
    return result;
}

static json_t *make_entry(int entry, int printed) {
    const struct engine_result result = make_result(false);
    return json_pack("{s:i, s:i, s:o}", "entry", entry, "printed", printed, "result",
                     engine_wire_encode_result(&result));
}

static json_t *make_launch(void) {
    static const struct engine_argument arguments[] = {{.is_buffer = true,
                                                        .type = ELEMENT_f32,
                                                        .name = "x",
                                                        .count = 6,
                                                        .shape = {2, 3},
                                                        .rank = 2,
                                                        .read_only = true,
                                                        .data_offset = 256},
                                                       {.type = ELEMENT_i32, .name = "n"}};
    static const struct engine_probe probes[] = {{0, 5, 2, {1, 7}}, {0, 4, 0, {0}}};
    static const struct engine_launch launch = {.kernel = "dot",
                                                .file_name = "dot.cu",
                                                .grid = {1, 2, 3},
                                                .block = {32, 1, 1},
                                                .arguments = arguments,
                                                .argument_count = ARRAY_LENGTH(arguments),
                                                .budget = 1000,
                                                .wanted_elements = 64,
                                                .probes = probes,
                                                .probe_count = ARRAY_LENGTH(probes),
                                                .probe_budget = UINT64_MAX,
                                                .wall_seconds = 2.5};
    return engine_wire_encode_launch(&launch);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    folder = argv[1];
    const struct engine_result plain = make_result(false), profiled = make_result(true);
    bool written = put_json("launch.json", make_launch());
    written &= put_json("result.json", engine_wire_encode_result(&profiled));
    written &= put_frame("result.frame", engine_wire_encode_result(&plain), "printed\n");
    written &= put_frame("batch.frame",
                         json_pack("{s:[o, o]}", "results", make_entry(2, 5), make_entry(0, 3)),
                         "two \nnul");
    return written ? 0 : 1;
}
