/* Coordinates to texels (CUDA programming guide, "Texture fetching").
 *
 * For the linear filter a coordinate is rounded to 8 bits of fraction, half a texel is taken off,
 * and the fraction is the weight of the upper texel. Wrapping and mirroring are of normalised
 * coordinates alone; what asks for them without clamps. What the guide leaves open is as an H200
 * has it, to the bit: `tests/gpu/programs/texture.cu` compares. */
#include "sandbox/simgpu/exec/texture_sample.h"

#include <math.h>
#include <string.h>

enum { FRACTION_BITS = 8, NORMALIZED_ONE = 1 << 21 };

static const double coordinate_limit = 1 << 30;
static const float level_limit = 1 << 10;

static enum texture_address address_of(const struct texture_sampler *sampler, unsigned dimension) {
    enum texture_address address = (enum texture_address)sampler->address[dimension];
    bool repeats = address == ADDRESS_WRAP || address == ADDRESS_MIRROR;
    return repeats && !sampler->normalized ? ADDRESS_CLAMP : address;
}

/* Texel `index` of `count`; false: the border. */
static bool wrap_index(int64_t *index, uint32_t count, enum texture_address address) {
    int64_t n = count, i = *index;
    switch (address) {
    case ADDRESS_WRAP:
        *index = ((i % n) + n) % n;
        return true;
    case ADDRESS_MIRROR:
        i = ((i % (2 * n)) + 2 * n) % (2 * n);
        *index = i < n ? i : 2 * n - 1 - i;
        return true;
    case ADDRESS_CLAMP:
        *index = i < 0 ? 0 : i >= n ? n - 1 : i;
        return true;
    default:
        return i >= 0 && i < n;
    }
}

/* A coordinate in texels. Normalised ones are cut to 21 bits of fraction before they are
 * multiplied; where they repeat, one without a fraction is 0. */
static double in_texels(const struct texture_sampler *sampler, unsigned dimension, double position,
                        uint32_t count) {
    enum texture_address address = address_of(sampler, dimension);
    if (position != position)
        return 0;
    if (sampler->normalized) {
        bool repeats = address == ADDRESS_WRAP || address == ADDRESS_MIRROR;
        if (repeats && !(fabs(position) < coordinate_limit))
            position = isfinite(position) && address == ADDRESS_MIRROR ? fmod(position, 2) : 0;
        position = fmin(fmax(position, -coordinate_limit), coordinate_limit);
        position = floor(position * NORMALIZED_ONE) / NORMALIZED_ONE * count;
    }
    return fmin(fmax(position, -coordinate_limit * WEIGHT_ONE), coordinate_limit * WEIGHT_ONE);
}

struct axis {
    int64_t first;  /* texel */
    unsigned alpha; /* of the one after it; 0 where there is no filter */
};

static struct axis axis_of(const struct texture_sampler *sampler, const struct texture_place *place,
                           bool linear, unsigned dimension, uint32_t count) {
    struct axis axis = {0};
    if (place->integers) {
        axis.first = place->texel[dimension];
    } else {
        double position = in_texels(sampler, dimension, (double)place->position[dimension], count);
        if (linear) {
            int64_t fixed = (int64_t)floor(position * WEIGHT_ONE + 0.5) - WEIGHT_ONE / 2;
            axis.first = fixed >> FRACTION_BITS;
            axis.alpha = (unsigned)(fixed & (WEIGHT_ONE - 1));
        } else {
            axis.first = (int64_t)floor(position);
        }
    }
    axis.first += place->offset[dimension];
    if (!place->gathers && address_of(sampler, dimension) == ADDRESS_CLAMP &&
        (axis.first < 0 || axis.first >= (int64_t)count - 1)) {
        axis.first = axis.first < 0 ? 0 : (int64_t)count - 1;
        axis.alpha = 0;
    }
    return axis;
}

/* A product of weights, rounded. */
static unsigned part_of(unsigned weight, unsigned alpha) {
    return (weight * alpha + WEIGHT_ONE / 2) / WEIGHT_ONE;
}

/* The weights of the corners, by bits x, y, z: z parts the whole, x each part, y each of these, and
 * what rounding leaves goes to the lower texel of x and to the upper one of y. */
static void split_weights(const unsigned alpha[3], unsigned whole, uint16_t weights[8]) {
    for (unsigned corner = 0; corner < 8; corner++) {
        unsigned upper_z = part_of(whole, alpha[2]);
        unsigned slice = corner & 4 ? upper_z : whole - upper_z;
        unsigned upper_x = part_of(slice, alpha[0]);
        unsigned column = corner & 1 ? upper_x : slice - upper_x;
        unsigned upper = corner & 1 ? part_of(column, alpha[1])
                                    : column - part_of(column, WEIGHT_ONE - alpha[1]);
        weights[corner] = (uint16_t)(corner & 2 ? upper : column - upper);
    }
}

uint64_t texture_sector(const struct texture_image *image, const struct texture_level *level,
                        uint64_t slice, uint32_t row, uint64_t byte) {
    uint64_t start = level->offset + slice * level->slice;
    if (image->linear || image->dimensions == 1)
        return (start + row * level->row + byte) / 32;
    return (start + (row & ~(uint32_t)1) * level->row) / 16 * 4 + byte / 16 * 2 + 1;
}

/* The texels around a place in one level, which counts for `share` of 256. Of one dimension there
 * are two rows where the filter is linear, as of two: the border is seen in the second. */
static void plan_level(const struct texture_image *image, const struct texture_sampler *sampler,
                       const struct texture_place *place, unsigned number, unsigned share,
                       struct texture_plan *plan) {
    struct texture_level level;
    texture_level_of(image, number, &level);
    unsigned dimensions =
        place->geometry >= GEOMETRY_CUBE ? 2 : texture_dimensions(place->geometry);
    bool linear = (sampler->linear || place->gathers) && !place->integers;
    const uint32_t counts[3] = {level.extent.width, level.extent.height, level.extent.depth};
    struct axis axes[3] = {{0}};
    unsigned used = linear && place->geometry == GEOMETRY_1D ? 2 : dimensions;
    unsigned alpha[3];
    uint16_t weights[8];
    for (unsigned d = 0; d < 3; d++) {
        if (d < used)
            axes[d] = axis_of(sampler, place, linear, d, counts[d]);
        alpha[d] = axes[d].alpha;
    }
    split_weights(alpha, share, weights);
    uint32_t last = level.extent.layers - 1;
    uint64_t layer = place->layer < last ? place->layer : last;
    bool misses = place->integers && image->linear && dimensions == 1 &&
                  (place->texel[0] < 0 || (uint32_t)place->texel[0] >= counts[0]);
    for (unsigned corner = 0; corner < (linear ? 1u << used : 1); corner++) {
        struct texture_tap *tap = &plan->taps[plan->count++];
        int64_t index[3] = {0};
        *tap = (struct texture_tap){.weight = weights[corner],
                                    .part = (uint8_t)(corner >> 2 | (number != plan->level))};
        for (unsigned d = 0; d < used; d++) {
            index[d] = axes[d].first + (corner >> d & 1);
            tap->idle |= (corner >> d & 1) && !alpha[d];
            tap->border |= !wrap_index(&index[d], counts[d], address_of(sampler, d));
        }
        tap->border |= misses;
        if (tap->border)
            continue;
        uint64_t slice = layer * level.extent.depth + (uint64_t)index[2];
        uint64_t byte = (uint64_t)index[0] * texel_bytes(&image->format);
        tap->offset = level.offset + slice * level.slice + (uint64_t)index[1] * level.row + byte;
        tap->sector = texture_sector(image, &level, slice, (uint32_t)index[1], byte);
    }
}

/* The face of a direction, and the place on it (programming guide, "Cubemap textures"). */
static struct texture_place on_face(const struct texture_image *image,
                                    const struct texture_place *place) {
    float x = place->position[0], y = place->position[1], z = place->position[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), s, t, m;
    unsigned face;
    if (az >= ax && az >= ay) {
        face = signbit(z) ? 5 : 4;
        s = face == 5 ? -x : x;
        t = -y;
        m = az;
    } else if (ay >= ax) {
        face = signbit(y) ? 3 : 2;
        s = x;
        t = face == 3 ? -z : z;
        m = ay;
    } else {
        face = signbit(x) ? 1 : 0;
        s = face ? z : -z;
        t = -y;
        m = ax;
    }
    struct texture_place found = *place;
    found.position[0] = (s / m + 1) / 2;
    found.position[1] = (t / m + 1) / 2;
    found.position[2] = 0;
    uint32_t cubes = image->extent.layers / 6,
             cube = place->layer < cubes ? place->layer : cubes - 1;
    found.layer = 6 * (cubes ? cube : 0) + face;
    return found;
}

/* About the length of a step, as cheap hardware has it: the longest part and a third of the rest.
 * With one part that is not 0, which is what most have, it is exact. */
static float step_length(const struct texture_image *image, const struct texture_sampler *sampler,
                         const struct texture_place *place, unsigned step) {
    const uint32_t counts[3] = {image->extent.width, image->extent.height, image->extent.depth};
    float longest = 0, sum = 0;
    for (unsigned d = 0; d < texture_dimensions(place->geometry); d++) {
        float part = fabsf(place->gradient[step][d]) * (sampler->normalized ? (float)counts[d] : 1);
        longest = fmaxf(longest, part);
        sum += part;
    }
    return longest + 0.336f * (sum - longest);
}

/* log2 of the texels that one step passes, rounded up to 8 bits of fraction. With anisotropy the
 * longer step is made of as many fetches as that allows. */
static float lod_of_gradient(const struct texture_image *image,
                             const struct texture_sampler *sampler,
                             const struct texture_place *place) {
    float a = step_length(image, sampler, place, 0), b = step_length(image, sampler, place, 1);
    float length = fmaxf(a, b);
    if (sampler->anisotropy > 1)
        length = fmaxf(length / (float)sampler->anisotropy, fminf(a, b));
    return length > 0 ? ceilf(log2f(length) * WEIGHT_ONE) / WEIGHT_ONE : -level_limit;
}

void texture_plan(const struct texture_image *image, const struct texture_sampler *sampler,
                  const struct texture_place *place, struct texture_plan *plan) {
    struct texture_place on = place->geometry >= GEOMETRY_CUBE ? on_face(image, place) : *place;
    plan->count = plan->level = 0;
    plan->filtered = sampler->linear && !place->gathers && !place->integers;
    float lod = place->lod == LOD_BASE    ? 0
                : place->lod == LOD_LEVEL ? place->level
                                          : lod_of_gradient(image, sampler, place);
    if (image->levels <= 1) {
        plan_level(image, sampler, &on, 0, WEIGHT_ONE, plan);
        return;
    }
    float last = (float)(image->levels - 1);
    lod = lod == lod ? fminf(fmaxf(lod, -level_limit), level_limit) : 0;
    lod = truncf(lod * WEIGHT_ONE) + truncf(sampler->bias * WEIGHT_ONE);
    lod =
        fminf(fmaxf(lod, truncf(sampler->least * WEIGHT_ONE)), truncf(sampler->most * WEIGHT_ONE));
    unsigned fixed = (unsigned)fminf(fmaxf(lod, 0), last * WEIGHT_ONE);
    unsigned number = fixed / WEIGHT_ONE, upper = fixed % WEIGHT_ONE;
    if (!sampler->linear_mipmap) {
        plan->level = (fixed + WEIGHT_ONE / 2) / WEIGHT_ONE;
        plan_level(image, sampler, &on, plan->level, WEIGHT_ONE, plan);
        return;
    }
    plan->level = number;
    plan_level(image, sampler, &on, number, WEIGHT_ONE - upper, plan);
    if (upper) {
        plan_level(image, sampler, &on, number + 1, upper, plan);
        plan->filtered = true;
    }
}

static void tap_words(const struct texture_image *image, const struct texture_sampler *sampler,
                      const struct texture_tap *tap, const unsigned char *bytes,
                      uint32_t words[4]) {
    if (tap->border)
        texture_border(&image->format, sampler, words);
    else
        texture_texel(&image->format, sampler, bytes, words);
}

/* A normalised component with the 16 bits that the filter has. */
static int32_t fixed_point(uint32_t word, int32_t most) {
    float value;
    memcpy(&value, &word, sizeof value);
    return (int32_t)floor((double)value * most + 0.5);
}

static uint32_t sum_component(const struct texel_format *format, bool halves,
                              const struct texture_plan *plan, const uint32_t *words) {
    if (format->kind == TEXEL_FLOAT && format->bits == 32)
        return texture_sum_floats(plan->taps, words, plan->count);
    if (halves)
        return texture_sum_halves(plan->taps, words, plan->count);
    int32_t most = format->kind == TEXEL_SIGNED ? INT16_MAX : UINT16_MAX, values[TEXTURE_TAPS];
    for (unsigned i = 0; i < plan->count; i++)
        values[i] = fixed_point(words[i], most);
    return texture_sum_integers(plan->taps, values, plan->count, most);
}

void texture_filter(const struct texture_image *image, const struct texture_sampler *sampler,
                    const struct texture_plan *plan, const unsigned char texels[][TEXEL_BYTES_MAX],
                    uint32_t result[4]) {
    uint32_t words[4][TEXTURE_TAPS];
    tap_words(image, sampler, &plan->taps[0], texels[0], result);
    if (!plan->filtered || !texture_is_float(image, sampler))
        return;
    for (unsigned i = 0; i < plan->count; i++) {
        uint32_t one[4];
        tap_words(image, sampler, &plan->taps[i], texels[i], one);
        for (unsigned c = 0; c < 4; c++)
            words[c][i] = one[c];
    }
    for (unsigned c = 0; c < image->format.channels; c++) {
        bool halves = image->format.kind == TEXEL_FLOAT ||
                      (texture_is_srgb(&image->format, sampler) && c < 3);
        result[c] = sum_component(&image->format, halves, plan, words[c]);
    }
}

/* Counter-clockwise from the lower left, where rows go down (PTX ISA, tld4). */
void texture_gather(const struct texture_image *image, const struct texture_sampler *sampler,
                    const struct texture_plan *plan, const unsigned char texels[][TEXEL_BYTES_MAX],
                    unsigned component, uint32_t result[4]) {
    static const uint8_t order[4] = {2, 3, 1, 0};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t words[4];
        tap_words(image, sampler, &plan->taps[order[i]], texels[order[i]], words);
        result[i] = words[component];
    }
}
