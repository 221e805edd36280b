/* The random streams of inputs and generated sizes; see random.h for the generator's source.
 *
 * Filling works on the values' own type: a float that rounds up to the excluded end of its range is
 * drawn again, and integer ranges use 64-bit modular arithmetic, so that the whole range of i64 or
 * u64 is possible without overflow. */
#include "grader/cases/random.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>

enum { FLOAT_ATTEMPTS = 8 };

void random_start(struct random *random, uint64_t secret, const char *const *names) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(secret >> (8 * i));
    struct hash_part parts[8] = {{bytes, sizeof bytes}};
    size_t count = 1;
    for (; *names && count < ARRAY_LENGTH(parts); names++, count++)
        parts[count] = (struct hash_part){*names, strlen(*names)};
    struct sha256 hash = hash_parts(parts, count);
    for (unsigned i = 0; i < 4; i++)
        random->state[i] = hash_word(&hash, i);
    random->state[0] |= (uint64_t)((random->state[0] | random->state[1] | random->state[2] |
                                    random->state[3]) == 0); /* the one state that is forbidden */
}

static uint64_t rotate_left(uint64_t value, unsigned by) {
    return value << by | value >> (64 - by);
}

uint64_t random_word(struct random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* 2^64 mod bound: words below are rejected, or small numbers would come more often. */
static uint64_t biased_part(uint64_t bound) {
    return (uint64_t)-bound % bound;
}

static uint64_t unbiased_below(struct random *random, uint64_t bound, uint64_t reject_below) {
    for (;;) {
        uint64_t word = random_word(random);
        if (word >= reject_below)
            return bound & (bound - 1) ? word % bound : word & (bound - 1);
    }
}

uint64_t random_below(struct random *random, uint64_t bound) {
    return unbiased_below(random, bound, biased_part(bound));
}

/* low + [0, high - low] modulo 2^64, which is right for signed and for unsigned ranges. */
static uint64_t between_bits(struct random *random, uint64_t low, uint64_t high) {
    uint64_t span = high - low;
    return span == UINT64_MAX ? random_word(random) : low + random_below(random, span + 1);
}

int64_t random_between(struct random *random, int64_t low, int64_t high) {
    if (high <= low)
        return low;
    return (int64_t)between_bits(random, (uint64_t)low, (uint64_t)high);
}

double random_unit(struct random *random) {
    return (double)(random_word(random) >> 11) * 0x1p-53;
}

/* The bounds of an integer range as 64-bit patterns, cut to what the type can hold. */
static uint64_t integer_bound(enum element_type type, double bound) {
    const struct element_info *info = &element_infos[type];
    unsigned bits = info->bytes * 8;
    double largest = ldexp(1, (int)(info->is_signed || info->is_float ? bits - 1 : bits));
    double smallest = info->is_signed || info->is_float ? -largest : 0;
    bool is_signed = info->is_signed || info->is_float;
    if (bound >= largest)
        return is_signed ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
    if (bound < smallest)
        bound = smallest;
    return bound < 0 ? (uint64_t)(int64_t)bound : (uint64_t)bound;
}

static void fill_integers(struct random *random, const struct exercise_fill *fill,
                          enum element_type type, void *data, uint64_t count) {
    const struct element_info *info = &element_infos[type];
    enum element_type range_type = info->is_float ? ELEMENT_i64 : type;
    uint64_t low = integer_bound(range_type, ceil(fill->low));
    uint64_t high = integer_bound(range_type, floor(fill->high));
    bool empty = range_type == ELEMENT_u64 ? high < low : (int64_t)high < (int64_t)low;
    uint64_t numbers = high - low + 1; /* 0: 2^64 of them */
    uint64_t reject_below = numbers ? biased_part(numbers) : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = empty      ? low
                        : !numbers ? random_word(random)
                                   : low + unbiased_below(random, numbers, reject_below);
        if (info->is_float)
            element_from_double(type, data, i, (double)(int64_t)bits);
        else
            memcpy((char *)data + i * info->bytes, &bits, info->bytes);
    }
}

/* As fill_floats() below, without a call for each of millions of elements. */
static void fill_singles(struct random *random, double low, double high, void *data,
                         uint64_t count) {
    struct random own = *random;
    double width = high - low;
    for (uint64_t i = 0; i < count; i++) {
        float value = (float)low;
        for (unsigned attempt = 0; attempt < FLOAT_ATTEMPTS; attempt++) {
            value = (float)(low + width * random_unit(&own));
            if ((double)value < high)
                break;
            value = (float)low;
        }
        memcpy((char *)data + i * sizeof value, &value, sizeof value);
    }
    *random = own;
}

static void fill_floats(struct random *random, const struct exercise_fill *fill,
                        enum element_type type, void *data, uint64_t count) {
    double width = fill->high - fill->low;
    for (uint64_t i = 0; i < count; i++) {
        /* Rounding to the type may reach the excluded end: draw again, a few times, because a
         * range narrower than the type's spacing has no inside at all. */
        for (unsigned attempt = 0; attempt < FLOAT_ATTEMPTS; attempt++) {
            element_from_double(type, data, i, fill->low + width * random_unit(random));
            if (element_to_double(type, data, i) < fill->high)
                break;
            element_from_double(type, data, i, fill->low);
        }
    }
}

void random_fill(struct random *random, const struct exercise_fill *fill, enum element_type type,
                 void *data, uint64_t count) {
    switch (fill->kind) {
    case FILL_ZERO:
        memset(data, 0, count * element_infos[type].bytes);
        return;
    case FILL_CONSTANT:
        for (uint64_t i = 0; i < count; i++)
            element_from_double(type, data, i, fill->low);
        return;
    case FILL_IOTA:
        for (uint64_t i = 0; i < count; i++)
            element_from_double(type, data, i, (double)i);
        return;
    case FILL_UNIFORM:
        if (type == ELEMENT_f32) {
            fill_singles(random, fill->low, fill->high, data, count);
            return;
        }
        if (element_infos[type].is_float) {
            fill_floats(random, fill, type, data, count);
            return;
        }
        fill_integers(random, fill, type, data, count);
        return;
    case FILL_INTEGERS:
        fill_integers(random, fill, type, data, count);
        return;
    default: /* of several elements: grader/cases/fill.c */
        return;
    }
}

enum status random_secret(uint64_t *secret, struct error *error) {
    for (;;) {
        ssize_t got = getrandom(secret, sizeof *secret, 0);
        if (got == (ssize_t)sizeof *secret)
            break;
        if (got < 0 && errno != EINTR)
            return error_set(error, STATUS_ENVIRONMENT,
                             "the system gives no random numbers for the secret seed: %s",
                             strerror(errno));
    }
    *secret >>= 11;
    return STATUS_OK;
}
