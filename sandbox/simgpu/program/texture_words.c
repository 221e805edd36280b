/* The words of tex, tld4, txq, suld, sust, sured, suq and istypep that are no types (PTX
 * ISA 9.7.10, 9.7.11): each names one thing of how the instruction reaches its texels. */
#include "sandbox/simgpu/program/texture_access.h"

#include <stddef.h>

enum texture_part { GEOMETRY, LOD, COMPONENT, BOUNDARY, OPERATION, QUERY, REFERENCE, FORM };

static const struct {
    const char *word;
    enum texture_part part;
    uint8_t value;
} words[] = {
    {"1d", GEOMETRY, GEOMETRY_1D},
    {"2d", GEOMETRY, GEOMETRY_2D},
    {"3d", GEOMETRY, GEOMETRY_3D},
    {"a1d", GEOMETRY, GEOMETRY_1D_LAYERED},
    {"a2d", GEOMETRY, GEOMETRY_2D_LAYERED},
    {"cube", GEOMETRY, GEOMETRY_CUBE},
    {"acube", GEOMETRY, GEOMETRY_CUBE_LAYERED},
    {"base", LOD, LOD_BASE},
    {"level", LOD, LOD_LEVEL},
    {"grad", LOD, LOD_GRADIENT},
    {"r", COMPONENT, 0},
    {"g", COMPONENT, 1},
    {"b", COMPONENT, 2}, /* of a surface: unformatted, which is what this one does */
    {"a", COMPONENT, 3},
    {"p", FORM, 1},
    {"trap", BOUNDARY, BOUNDARY_TRAP},
    {"clamp", BOUNDARY, BOUNDARY_CLAMP},
    {"zero", BOUNDARY, BOUNDARY_ZERO},
    {"add", OPERATION, SURFACE_ADD},
    {"min", OPERATION, SURFACE_MIN},
    {"max", OPERATION, SURFACE_MAX},
    {"and", OPERATION, SURFACE_AND},
    {"or", OPERATION, SURFACE_OR},
    {"width", QUERY, QUERY_WIDTH},
    {"height", QUERY, QUERY_HEIGHT},
    {"depth", QUERY, QUERY_DEPTH},
    {"array_size", QUERY, QUERY_ARRAY_SIZE},
    {"channel_data_type", QUERY, QUERY_DATA_TYPE},
    {"channel_order", QUERY, QUERY_ORDER},
    {"normalized_coords", QUERY, QUERY_NORMALIZED},
    {"force_unnormalized_coords", QUERY, QUERY_UNNORMALIZED},
    {"num_mipmap_levels", QUERY, QUERY_LEVELS},
    {"num_samples", QUERY, QUERY_SAMPLES},
    {"filter_mode", QUERY, QUERY_FILTER},
    {"addr_mode_0", QUERY, QUERY_ADDRESS_0},
    {"addr_mode_1", QUERY, QUERY_ADDRESS_1},
    {"addr_mode_2", QUERY, QUERY_ADDRESS_2},
    {"memory_layout", QUERY, QUERY_LAYOUT},
    {"texref", REFERENCE, REFERENCE_TEXTURE},
    {"samplerref", REFERENCE, REFERENCE_SAMPLER},
    {"surfref", REFERENCE, REFERENCE_SURFACE},
};

bool texture_read_word(struct ptx_span word, struct texture_words *said) {
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!ptx_span_is(word, words[i].word))
            continue;
        uint8_t *const parts[] = {[GEOMETRY] = &said->geometry,   [LOD] = &said->lod,
                                  [COMPONENT] = &said->component, [BOUNDARY] = &said->boundary,
                                  [OPERATION] = &said->operation, [QUERY] = &said->query,
                                  [REFERENCE] = &said->reference, [FORM] = &said->formatted};
        *parts[words[i].part] = words[i].value;
        return true;
    }
    return false;
}
