/* What a kernel computes with: numbers of each type that are edges, ordinary, or any bits. */
#include "tests/fuzz/arithmetic/generator.h"

#include "sandbox/base/mix.h"

struct float_shape {
    unsigned bits, fraction;
};

/* Sign, exponent and fraction of a float: special, of ordinary size, or any. */
static uint64_t float_bits(uint64_t random, struct float_shape shape) {
    unsigned exponents = shape.bits - 1 - shape.fraction;
    uint64_t one = 1, fraction = random & ((one << shape.fraction) - 1),
             half = one << shape.fraction >> 1;
    uint64_t bias = (one << (exponents - 1)) - 1, most = (one << exponents) - 1;
    uint64_t sign = random >> 63, choice = random >> 56 & 7, number = random >> 52 & 15;
    const uint64_t edges[][2] = {{0, 0},
                                 {0, 1},
                                 {0, half},
                                 {0, 2 * half - 1},
                                 {1, 0},
                                 {1, 1},
                                 {bias, 0},
                                 {bias, 1},
                                 {bias + 1, half},
                                 {most - 1, 0},
                                 {most - 1, 2 * half - 1},
                                 {most, 0},
                                 {most, half},
                                 {bias - 1, 0},
                                 {bias + 7, half},
                                 {bias - 1, 2 * half - 1}};
    uint64_t exponent = random >> 12 & most;
    if (choice < 2) {
        exponent = edges[number][0];
        fraction = edges[number][1];
    } else if (choice < 7) {
        exponent = bias + number - 7;
    }
    return (sign << exponents | exponent) << shape.fraction | fraction;
}

static uint64_t integer_bits(uint64_t random, unsigned bits) {
    uint64_t choice = random >> 61, small = random & 63,
             mask = bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    uint64_t value = random * 0x9e3779b97f4a7c15u;
    if (choice < 2)
        value = small;
    else if (choice == 2)
        value = 0 - small;
    else if (choice == 3)
        value = ((uint64_t)1 << (small % bits)) - (small & 1);
    else if (choice == 4)
        value = ~(uint64_t)0 >> small;
    return value & mask;
}

static uint64_t value_of(enum type type, uint64_t random, uint64_t second) {
    static const struct float_shape f16 = {16, 10}, bf16 = {16, 7}, f32 = {32, 23}, f64 = {64, 52};
    switch (type) {
    case TYPE_f16:
        return float_bits(random, f16);
    case TYPE_bf16:
        return float_bits(random, bf16);
    case TYPE_f16x2:
        return float_bits(random, f16) | float_bits(second, f16) << 16;
    case TYPE_bf16x2:
        return float_bits(random, bf16) | float_bits(second, bf16) << 16;
    case TYPE_f32:
        return float_bits(random, f32);
    case TYPE_f64:
        return float_bits(random, f64);
    default:
        return integer_bits(random, type_rows[type].bits > 64 ? 64 : type_rows[type].bits);
    }
}

void arithmetic_input(uint64_t seed, unsigned number, uint64_t in[ARITHMETIC_WORDS]) {
    uint64_t own = mix_word(~seed, number + 1), drawn = 0;
    uint64_t *word = in;
    for (unsigned type = 0; type < TYPE_COUNT; type++) {
        unsigned slots = VARIABLES * (type_rows[type].bits > 64 ? 2 : 1);
        for (unsigned i = 0; i < slots * ARITHMETIC_THREADS; i++, drawn += 2)
            *word++ = value_of((enum type)type, mix_word(own, drawn + 1), mix_word(own, drawn + 2));
    }
}
