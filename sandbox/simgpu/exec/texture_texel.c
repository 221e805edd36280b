/* Texels: from bytes of memory to the four words that a texture unit gives back. Components  *
 * format does not have are 0. */
#include "sandbox/simgpu/exec/texture_sample.h"

#include <math.h>
#include <string.h>

bool texture_is_float(const struct texture_image *image, const struct texture_sampler *sampler) {
    return image->format.kind == TEXEL_FLOAT || (sampler->as_float && image->format.bits < 32);
}

bool texture_is_srgb(const struct texel_format *format, const struct texture_sampler *sampler) {
    return sampler->srgb && sampler->as_float && format->kind == TEXEL_UNSIGNED &&
           format->bits == 8;
}

static uint32_t word_of(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* A half's bits as a float's: both have infinities, and a NaN keeps its payload. */
static uint32_t float_of_half(uint32_t half) {
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 31)
        return sign | 0x7f800000 | fraction << 13;
    float magnitude = exponent ? ldexpf((float)(fraction + 1024), (int)exponent - 25)
                               : ldexpf((float)fraction, -24);
    return sign | word_of(magnitude);
}

/* What an H200 makes of the 256 values of sRGB: halves, near the curve of IEC 61966-2-1. */
static const uint16_t linear_of_srgb[256] = {
    0x0000, 0x0d00, 0x1100, 0x1380, 0x1500, 0x1640, 0x1780, 0x1860, 0x1900, 0x19a0, 0x1a40, 0x1ae0,
    0x1b80, 0x1c20, 0x1c80, 0x1ce0, 0x1d50, 0x1dc0, 0x1e30, 0x1eb0, 0x1f30, 0x1fb0, 0x2018, 0x2060,
    0x20b0, 0x20f8, 0x2148, 0x21a0, 0x21f0, 0x2248, 0x22a8, 0x2300, 0x2360, 0x23d0, 0x2418, 0x2450,
    0x2488, 0x24c0, 0x24f8, 0x2530, 0x2570, 0x25b0, 0x25f0, 0x2630, 0x2670, 0x26b8, 0x2700, 0x2748,
    0x2790, 0x27e0, 0x2818, 0x2840, 0x2868, 0x2890, 0x28b8, 0x28e0, 0x2910, 0x2940, 0x2968, 0x2998,
    0x29c8, 0x29f8, 0x2a28, 0x2a60, 0x2a90, 0x2ac0, 0x2b00, 0x2b30, 0x2b60, 0x2ba0, 0x2bd0, 0x2c08,
    0x2c28, 0x2c40, 0x2c60, 0x2c80, 0x2ca0, 0x2cc0, 0x2ce0, 0x2d00, 0x2d20, 0x2d48, 0x2d68, 0x2d88,
    0x2db0, 0x2dd0, 0x2df8, 0x2e18, 0x2e40, 0x2e68, 0x2e88, 0x2eb0, 0x2ed8, 0x2f00, 0x2f28, 0x2f50,
    0x2f80, 0x2fa0, 0x2fd0, 0x3000, 0x3010, 0x3028, 0x3040, 0x3058, 0x3070, 0x3088, 0x30a0, 0x30b8,
    0x30d0, 0x30e8, 0x3100, 0x3118, 0x3130, 0x3148, 0x3160, 0x3180, 0x3198, 0x31b0, 0x31d0, 0x31e8,
    0x3200, 0x3220, 0x3238, 0x3258, 0x3270, 0x3290, 0x32b0, 0x32c8, 0x32e8, 0x3308, 0x3328, 0x3340,
    0x3360, 0x3380, 0x33a0, 0x33c0, 0x33e0, 0x3400, 0x3410, 0x3420, 0x3430, 0x3440, 0x3450, 0x3468,
    0x3478, 0x3488, 0x3498, 0x34a8, 0x34c0, 0x34d0, 0x34e0, 0x34f0, 0x3508, 0x3518, 0x3528, 0x3540,
    0x3550, 0x3568, 0x3578, 0x3590, 0x35a0, 0x35b0, 0x35c8, 0x35e0, 0x35f0, 0x3608, 0x3618, 0x3630,
    0x3640, 0x3658, 0x3670, 0x3688, 0x3698, 0x36b0, 0x36c8, 0x36d8, 0x36f0, 0x3708, 0x3720, 0x3738,
    0x3750, 0x3768, 0x3780, 0x3790, 0x37b0, 0x37c0, 0x37e0, 0x37f0, 0x3808, 0x3810, 0x3820, 0x3828,
    0x3838, 0x3848, 0x3850, 0x3860, 0x3868, 0x3878, 0x3888, 0x3890, 0x38a0, 0x38b0, 0x38b8, 0x38c8,
    0x38d8, 0x38e0, 0x38f0, 0x3900, 0x3908, 0x3918, 0x3928, 0x3938, 0x3948, 0x3950, 0x3960, 0x3970,
    0x3980, 0x3990, 0x3998, 0x39a8, 0x39b8, 0x39c8, 0x39d8, 0x39e8, 0x39f8, 0x3a08, 0x3a18, 0x3a28,
    0x3a38, 0x3a48, 0x3a58, 0x3a68, 0x3a78, 0x3a88, 0x3a98, 0x3aa8, 0x3ab8, 0x3ac8, 0x3ad8, 0x3ae8,
    0x3af8, 0x3b08, 0x3b18, 0x3b28, 0x3b40, 0x3b50, 0x3b60, 0x3b70, 0x3b80, 0x3b90, 0x3ba0, 0x3bb0,
    0x3bd0, 0x3be0, 0x3bf0, 0x3c00,
};

static uint32_t component(const struct texel_format *format, const struct texture_sampler *sampler,
                          uint32_t bits, unsigned number) {
    bool is_signed = format->kind == TEXEL_SIGNED;
    if (format->kind == TEXEL_FLOAT)
        return format->bits == 16 ? float_of_half(bits) : bits;
    int32_t value = (int32_t)bits;
    if (is_signed && format->bits < 32)
        value = (int32_t)(bits << (32 - format->bits)) >> (32 - format->bits);
    if (!sampler->as_float || format->bits == 32)
        return (uint32_t)value;
    double most = is_signed ? (1 << (format->bits - 1)) - 1 : (1 << format->bits) - 1;
    double scaled = value / most;
    if (texture_is_srgb(format, sampler) && number < 3)
        return float_of_half(linear_of_srgb[bits & 255]);
    return word_of((float)(scaled < -1 ? -1 : scaled));
}

void texture_texel(const struct texel_format *format, const struct texture_sampler *sampler,
                   const unsigned char *bytes, uint32_t words[4]) {
    unsigned size = format->bits / 8u;
    memset(words, 0, 4 * sizeof *words);
    for (unsigned i = 0; i < format->channels; i++) {
        uint32_t bits = 0;
        memcpy(&bits, bytes + (size_t)i * size, size);
        words[i] = component(format, sampler, bits, i);
    }
}

/* A normalised component of the border, cut to what a texel can hold. */
static uint32_t normalized_border(const struct texel_format *format, float border) {
    bool is_signed = format->kind == TEXEL_SIGNED;
    double most = is_signed ? (1 << (format->bits - 1)) - 1 : (1 << format->bits) - 1;
    double least = is_signed ? -most : 0, value = floor((double)border * most);
    value = !(value > least) ? least : value > most ? most : value;
    return word_of((float)(value / most));
}

/* Halves are cut, too; of integers that are no floats the lowest bits are taken as they are. */
void texture_border(const struct texel_format *format, const struct texture_sampler *sampler,
                    uint32_t words[4]) {
    memset(words, 0, 4 * sizeof *words);
    for (unsigned i = 0; i < format->channels; i++) {
        uint32_t bits = word_of(sampler->border[i]);
        if (format->kind != TEXEL_FLOAT && sampler->as_float && format->bits < 32)
            words[i] = normalized_border(format, sampler->border[i]);
        else if (format->kind == TEXEL_FLOAT && format->bits == 16)
            words[i] = bits & 0xffffe000;
        else
            words[i] = component(format, sampler,
                                 format->bits == 32 ? bits : bits & ((1u << format->bits) - 1), i);
    }
}
