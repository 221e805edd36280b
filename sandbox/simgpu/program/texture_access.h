/* Instructions of textures and surfaces, decoded: what their words say, and operands that are more
 * than an instruction has slots for. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_TEXTURE_ACCESS_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_TEXTURE_ACCESS_H

#include "sandbox/simgpu/program/isa.h"

#include <stddef.h>

enum texture_geometry {
    GEOMETRY_NONE,
    GEOMETRY_1D,
    GEOMETRY_2D,
    GEOMETRY_3D,
    GEOMETRY_1D_LAYERED,
    GEOMETRY_2D_LAYERED,
    GEOMETRY_CUBE,
    GEOMETRY_CUBE_LAYERED,
};
enum texture_lod { LOD_BASE, LOD_LEVEL, LOD_GRADIENT };
enum surface_boundary { BOUNDARY_TRAP, BOUNDARY_CLAMP, BOUNDARY_ZERO };
enum surface_operation { SURFACE_ADD = 1, SURFACE_MIN, SURFACE_MAX, SURFACE_AND, SURFACE_OR };
enum texture_query {
    QUERY_WIDTH = 1,
    QUERY_HEIGHT,
    QUERY_DEPTH,
    QUERY_ARRAY_SIZE,
    QUERY_DATA_TYPE,
    QUERY_ORDER,
    QUERY_NORMALIZED,
    QUERY_UNNORMALIZED,
    QUERY_LEVELS,
    QUERY_SAMPLES,
    QUERY_FILTER,
    QUERY_ADDRESS_0,
    QUERY_ADDRESS_1,
    QUERY_ADDRESS_2,
    QUERY_LAYOUT,
};
enum texture_reference { REFERENCE_TEXTURE = 1, REFERENCE_SAMPLER, REFERENCE_SURFACE };

enum { TEXTURE_COORDINATES = 4, TEXTURE_OPERANDS = 20 };
enum { TEXTURE_FIRST_SOURCE = 5 }; /* of the operands; the data of a store are sources, too */

/* An entry of program.textures. Its operands are offsets of lane vectors, OPERAND_NONE where there
 * is none; the handle is in the instruction's slot 0. */
struct texture_access {
    struct texture_words words;
    uint8_t data_count;
    uint8_t data_bytes; /* of each register */
    uint8_t integers;   /* coordinates are whole numbers: of texels */
    uint8_t coordinate_count;
    union {
        struct {
            uint32_t data[4];                          /* what is read or written */
            uint32_t resident;                         /* predicate: the texels are there */
            uint32_t sampler;                          /* a texture whose sampler counts */
            uint32_t coordinates[TEXTURE_COORDINATES]; /* a layer comes first */
            uint32_t level;                            /* LOD_LEVEL, and of queries */
            uint32_t gradient[2][3];                   /* LOD_GRADIENT */
            uint32_t offsets[3];                       /* whole texels */
        };
        uint32_t operands[TEXTURE_OPERANDS]; /* all of them */
    };
};
_Static_assert(sizeof(struct texture_access) - offsetof(struct texture_access, operands) ==
                   TEXTURE_OPERANDS * sizeof(uint32_t),
               "all operands are among `operands`");

/* Coordinates, without a layer. */
static inline unsigned texture_dimensions(enum texture_geometry geometry) {
    static const uint8_t dimensions[] = {0, 1, 2, 3, 1, 2, 3, 3};
    return dimensions[geometry];
}
static inline bool texture_has_layer(enum texture_geometry geometry) {
    return geometry == GEOMETRY_1D_LAYERED || geometry == GEOMETRY_2D_LAYERED ||
           geometry == GEOMETRY_CUBE_LAYERED;
}

#endif
