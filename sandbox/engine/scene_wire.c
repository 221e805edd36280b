/* Scenes of hazards and examples of accesses on the wire: see scene_wire.h. Bounded in number and
 * in size, because a picture is drawn from every number that comes through here. */
#include "sandbox/engine/scene_wire.h"

#include <string.h>

/* ---- hazards --------------------------------------------------------------------------------- */

static json_t *encode_masks(const lane_mask masks[ENGINE_BLOCK_WARPS], uint32_t threads) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < ENGINE_BLOCK_WARPS && i * WARP_LANES < threads; i++)
        json_array_append_new(array, json_integer(masks[i]));
    return array;
}

static void decode_words(struct protocol_reader *reader, const char *name, uint32_t *words,
                         size_t most) {
    const json_t *array = protocol_array(reader, name, most);
    for (size_t i = 0; array && i < json_array_size(array); i++) {
        const json_t *number = json_array_get(array, i);
        json_int_t value = json_integer_value(number);
        if (!json_is_integer(number) || value < 0 || value > (json_int_t)UINT32_MAX)
            protocol_fail(reader, name);
        else
            words[i] = (uint32_t)value;
    }
}

json_t *scene_wire_encode(const struct hazard_scene *scene) {
    return json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "access", (json_int_t)scene->access, "other_access",
        (json_int_t)scene->other_access, "block_threads", (json_int_t)scene->block_threads,
        "waiting", encode_masks(scene->waiting, scene->block_threads), "elsewhere",
        encode_masks(scene->elsewhere, scene->block_threads), "element",
        protocol_bits((uint64_t)scene->element), "elements", protocol_bits(scene->elements));
}

bool scene_wire_decode(const json_t *object, struct hazard_scene *scene) {
    struct protocol_reader reader = protocol_read(object);
    scene->access = (enum scene_access)protocol_unsigned(&reader, "access", SCENE_ACCESS_COUNT - 1);
    scene->other_access =
        (enum scene_access)protocol_unsigned(&reader, "other_access", SCENE_ACCESS_COUNT - 1);
    scene->block_threads = (uint32_t)protocol_unsigned(&reader, "block_threads",
                                                       (uint64_t)ENGINE_BLOCK_WARPS * WARP_LANES);
    decode_words(&reader, "waiting", scene->waiting, ENGINE_BLOCK_WARPS);
    decode_words(&reader, "elsewhere", scene->elsewhere, ENGINE_BLOCK_WARPS);
    scene->element = (int64_t)protocol_hex(&reader, "element");
    scene->elements = protocol_hex(&reader, "elements");
    return protocol_end(&reader);
}

/* ---- accesses -------------------------------------------------------------------------------- */

enum { WIDEST_LANE = 16 };

static json_t *encode_access(const struct warp_access *access) {
    json_t *offsets = json_array();
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        json_array_append_new(offsets, json_integer(access->offsets[lane]));
    return json_pack("{s:o, s:I, s:b, s:b, s:I, s:I, s:o}", "file", protocol_string(access->file),
                     "line", (json_int_t)access->line, "is_shared", access->is_shared, "is_store",
                     access->is_store, "bytes", (json_int_t)access->bytes, "lanes",
                     (json_int_t)access->lanes, "offsets", offsets);
}

static bool decode_access(const json_t *object, struct warp_access *access) {
    struct protocol_reader reader = protocol_read(object);
    protocol_text(&reader, "file", access->file, sizeof access->file);
    access->line = (unsigned)protocol_unsigned(&reader, "line", UINT32_MAX);
    access->is_shared = protocol_bool(&reader, "is_shared");
    access->is_store = protocol_bool(&reader, "is_store");
    access->bytes = (unsigned)protocol_unsigned(&reader, "bytes", WIDEST_LANE);
    access->lanes = (lane_mask)protocol_unsigned(&reader, "lanes", UINT32_MAX);
    decode_words(&reader, "offsets", access->offsets, WARP_LANES);
    return protocol_end(&reader) && access->bytes && access->lanes;
}

json_t *scene_wire_encode_accesses(const struct engine_result *result) {
    json_t *array = json_array();
    for (size_t i = 0; i < result->access_count && i < ENGINE_MAX_ACCESSES; i++)
        json_array_append_new(array, encode_access(&result->accesses[i]));
    return array;
}

void scene_wire_decode_accesses(struct protocol_reader *reader, struct engine_result *result) {
    const json_t *array = protocol_array(reader, "accesses", ENGINE_MAX_ACCESSES);
    result->access_count = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < result->access_count; i++)
        if (!decode_access(json_array_get(array, i), &result->accesses[i]))
            protocol_fail(reader, "accesses");
}
