/* What a texture unit makes of coordinates: which texels it reads, and what it makes of them. Pure
 * functions, which know no warp and no memory. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_TEXTURE_SAMPLE_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_TEXTURE_SAMPLE_H

#include "sandbox/simgpu/program/texture_access.h"
#include "sandbox/simgpu/state/texture_image.h"

enum { WEIGHT_ONE = 256, TEXTURE_TAPS = 16, TEXEL_BYTES_MAX = 16 };

/* One lane's fetch. */
struct texture_place {
    enum texture_geometry geometry;
    bool integers; /* position: whole numbers, of texels */
    bool gathers;  /* tld4: the four texels of a linear filter, unfiltered */
    float position[3];
    int32_t texel[3]; /* where they are integers */
    uint32_t layer;
    int32_t offset[3]; /* whole texels */
    enum texture_lod lod;
    float level;
    float gradient[2][3];
};

/* A texel that is read: where it lies in the image, and how much of it counts, of 256. Of texels
 * outside that the sampler makes a border of, nothing is read. */
struct texture_tap {
    uint64_t offset; /* bytes, from level 0 */
    uint64_t sector; /* a number that other texels of the same 32 bytes have, too */
    uint16_t weight;
    uint8_t part; /* 0, 1: which of two planes, or levels */
    bool border;
    bool idle; /* beside the filter: it does not even pass its NaN on */
};
struct texture_plan {
    unsigned count;
    unsigned level; /* the first one that is read */
    bool filtered;  /* else the first tap is the result */
    struct texture_tap taps[TEXTURE_TAPS];
};
void texture_plan(const struct texture_image *image, const struct texture_sampler *sampler,
                  const struct texture_place *place, struct texture_plan *plan);

/* Four words, floats or integers as the image's format and the sampler say. `texels`: those of the
 * plan, as memory has them. */
void texture_filter(const struct texture_image *image, const struct texture_sampler *sampler,
                    const struct texture_plan *plan, const unsigned char texels[][TEXEL_BYTES_MAX],
                    uint32_t result[4]);
/* tld4: one component of each of four texels. */
void texture_gather(const struct texture_image *image, const struct texture_sampler *sampler,
                    const struct texture_plan *plan, const unsigned char texels[][TEXEL_BYTES_MAX],
                    unsigned component, uint32_t result[4]);

/* A number that all texels of the same 32 bytes have: arrays of two and three dimensions keep 16
 * bytes of each of two rows side by side. */
uint64_t texture_sector(const struct texture_image *image, const struct texture_level *level,
                        uint64_t slice, uint32_t row, uint64_t byte);

/* texture_filter.c: the weighted sum of texels' components, as the texture unit rounds it. */
uint32_t texture_sum_floats(const struct texture_tap *taps, const uint32_t *words, unsigned count);
uint32_t texture_sum_halves(const struct texture_tap *taps, const uint32_t *words, unsigned count);
/* Normalised integers, of numbers from -32767 or 0 to `most`. */
uint32_t texture_sum_integers(const struct texture_tap *taps, const int32_t *values, unsigned count,
                              int32_t most);

bool texture_is_srgb(const struct texel_format *format, const struct texture_sampler *sampler);
/* texture_texel.c: one texel, or the border, as four words; are they floats? */
bool texture_is_float(const struct texture_image *image, const struct texture_sampler *sampler);
void texture_texel(const struct texel_format *format, const struct texture_sampler *sampler,
                   const unsigned char *bytes, uint32_t words[4]);
void texture_border(const struct texel_format *format, const struct texture_sampler *sampler,
                    uint32_t words[4]);

#endif
