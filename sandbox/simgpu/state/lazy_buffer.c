/* Buffers whose contents are made when they are touched.
 *
 * A profile of a large launch simulates a few blocks, which read a small part of buffers of a
 * gigabyte: to make, send and copy all of it would take longer than the simulation. Such a buffer
 * comes as a rule instead of bytes, each element a function of its index, and is filled in chunks
 * of a page. Random numbers follow from seed and index.
 *
 * Ascending numbers do, too: the index range is halved several times, and each half gets a part of
 * the value range, near half of it, that the seed chooses. Within the smallest ranges the numbers
 * are drawn from steps of equal width, one in each. So the frequency of a value cannot be known
 * without the seed or the data. sandbox/cuda/tools.cu makes the same bits. */
#include "sandbox/simgpu/state/lazy_buffer.h"

#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/launch.h"

#include "sandbox/base/mix.h"

#include <math.h>
#include <string.h>

/* A chunk is made whole: columns of a matrix touch little of each row. */
enum { CHUNK_BYTES = LAZY_BUFFER_CHUNK, SPAN_BYTES = 4096, HALVINGS = 8 };

static double unit_at(uint64_t seed, uint64_t index) {
    return (double)(mix_word(seed, index + 1) >> 11) * 0x1p-53;
}

/* A smallest range of indices, and its part of the values. The next index is in the same one as a
 * rule; empty: none was found yet. */
struct ascent {
    uint64_t begin, end;
    double from, to;
};

static void find_ascent(uint64_t seed, uint64_t index, uint64_t count, struct ascent *ascent) {
    uint64_t begin = 0, end = count, node = 1;
    double from = 0, to = 1;
    for (int i = 0; i < HALVINGS && end - begin > 1; i++) {
        uint64_t middle = begin + (end - begin) / 2;
        double cut = from + (to - from) * (0.375 + 0.25 * unit_at(~seed, node));
        bool behind = index >= middle;
        *(behind ? &begin : &end) = middle;
        *(behind ? &from : &to) = cut;
        node = 2 * node + behind;
    }
    *ascent = (struct ascent){begin, end, from, to};
}

/* From 0 to 1, ascending with the index. Roundings keep the order: each step of it is monotonous.
 */
static double ascending_at(uint64_t seed, uint64_t index, uint64_t count, struct ascent *ascent) {
    if (index < ascent->begin || index >= ascent->end)
        find_ascent(seed, index, count, ascent);
    double from = ascent->from, to = ascent->to;
    double step = ((double)(index - ascent->begin) + unit_at(seed, index)) /
                  (double)(ascent->end - ascent->begin);
    double part = from + (to - from) * step;
    return part < to ? part : to;
}

static double sorted_at(const struct engine_argument *argument, uint64_t index,
                        struct ascent *ascent) {
    const struct engine_fill *fill = &argument->fill;
    double range = fill->high - fill->low;
    double part = ascending_at(fill->seed, index, argument->count, ascent);
    double value = element_infos[argument->type].is_float ? fill->low + part * range
                                                          : fill->low + floor(part * (range + 1));
    return fmin(value, fill->high);
}

static double offset_at(const struct engine_argument *argument, uint64_t index,
                        struct ascent *ascent) {
    const struct engine_fill *fill = &argument->fill;
    if (index == 0 || index + 1 == argument->count)
        return index == 0 ? 0 : fill->high;
    double part = ascending_at(fill->seed, index - 1, argument->count - 2, ascent);
    return fmin(floor(part * (fill->high + 1)), fill->high);
}

static double number_at(const struct engine_argument *argument, uint64_t index,
                        struct ascent *ascent) {
    const struct engine_fill *fill = &argument->fill;
    switch (fill->kind) {
    case ENGINE_FILL_IOTA:
        return (double)index;
    case ENGINE_FILL_CONSTANT:
        return fill->low;
    case ENGINE_FILL_UNIFORM:
        return fill->low + (fill->high - fill->low) * unit_at(fill->seed, index);
    case ENGINE_FILL_INTEGERS:
        return fill->low + floor((floor(fill->high - fill->low) + 1) * unit_at(fill->seed, index));
    case ENGINE_FILL_SORTED:
        return sorted_at(argument, index, ascent);
    case ENGINE_FILL_OFFSETS:
        return offset_at(argument, index, ascent);
    default:
        return 0;
    }
}

static double element_at(const struct engine_argument *argument, uint64_t index,
                         struct ascent *ascent) {
    const struct engine_fill *fill = &argument->fill;
    double value = number_at(argument, index, ascent);
    if (fill->is_drawn && fill->drawn == ELEMENT_f32)
        return (double)(float)value;
    if (fill->is_drawn && fill->drawn == ELEMENT_f16)
        return (double)(_Float16)value;
    return value;
}

/* What most buffers hold, without a question for each element. */
static void fill_floats(const struct engine_fill *fill, uint64_t first, uint64_t count,
                        unsigned char *to) {
    double low = fill->low, range = fill->high - fill->low;
    uint64_t seed = fill->seed;
    for (uint64_t i = 0; i < count; i++) {
        float value = (float)(low + range * unit_at(seed, first + i));
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
}

static void fill_chunk(const struct engine_argument *argument, uint64_t first, uint64_t count,
                       unsigned char *to) {
    const struct engine_fill *fill = &argument->fill;
    unsigned width = element_infos[argument->type].bytes;
    if (fill->kind == ENGINE_FILL_ZERO)
        return; /* the memory comes so */
    if (fill->kind == ENGINE_FILL_UNIFORM && argument->type == ELEMENT_f32 && !fill->is_drawn) {
        fill_floats(fill, first, count, to);
        return;
    }
    struct ascent ascent = {0};
    for (uint64_t i = 0; i < count; i++)
        if (fill->kind == ENGINE_FILL_WORDS) {
            uint64_t word = mix_word(fill->seed, first + i + 1);
            memcpy(to + i * width, &word, width);
        } else if (argument->type == ELEMENT_f32) {
            float value = (float)element_at(argument, first + i, &ascent);
            memcpy(to + i * width, &value, width);
        } else {
            element_from_double(argument->type, to, i, element_at(argument, first + i, &ascent));
        }
}

uint64_t lazy_buffer_bitmap_words(uint64_t length) {
    return length / CHUNK_BYTES / 64 + 1;
}

void lazy_buffer_touch(const struct allocation *allocation, uint64_t offset, uint64_t bytes) {
    if (offset >= allocation->length || !bytes)
        return;
    uint64_t left = allocation->length - offset;
    uint64_t last = (offset + (bytes < left ? bytes : left) - 1) / CHUNK_BYTES;
    for (uint64_t chunk = offset / CHUNK_BYTES; chunk <= last; chunk++) {
        uint64_t *word = &allocation->filled[chunk / 64], bit = (uint64_t)1 << chunk % 64;
        if (*word & bit)
            continue;
        *word |= bit;
        uint64_t begin = chunk * CHUNK_BYTES, end = begin + CHUNK_BYTES;
        unsigned width = element_infos[allocation->argument->type].bytes;
        end = end < allocation->length ? end : allocation->length;
        fill_chunk(allocation->argument, begin / width, (end - begin) / width,
                   allocation->bytes + begin);
    }
}

void lazy_buffer_touch_lanes(const struct allocation *allocation, const struct access_shape *shape,
                             uint64_t offset, unsigned bytes) {
    uint64_t span = (uint64_t)((int64_t)shape->highest - shape->lowest) + bytes;
    if (span <= SPAN_BYTES) {
        lazy_buffer_touch(allocation, offset + (uint64_t)(int64_t)shape->lowest, span);
        return;
    }
    for (unsigned i = 0; i < shape->unique_count; i++)
        lazy_buffer_touch(allocation, offset + (uint64_t)(int64_t)shape->delta[shape->unique[i]],
                          bytes);
}

bool lazy_buffer_element(const struct allocation *allocation, uint64_t index, uint64_t *bits) {
    unsigned width = element_infos[allocation->argument->type].bytes;
    uint64_t made = 0;
    *bits = 0;
    lazy_buffer_touch(allocation, index * width, width);
    memcpy(bits, allocation->bytes + index * width, width);
    fill_chunk(allocation->argument, index, 1, (unsigned char *)&made);
    return *bits != made;
}

static void forget_chunk(const struct allocation *allocation, uint64_t chunk) {
    uint64_t begin = chunk * CHUNK_BYTES, left = allocation->length - begin;
    memset(allocation->bytes + begin, 0, left < CHUNK_BYTES ? left : CHUNK_BYTES);
}

void lazy_buffer_forget(struct launch *launch) {
    for (uint32_t i = 0; i < launch->allocation_count; i++) {
        const struct allocation *allocation = &launch->allocations[i];
        uint64_t words = lazy_buffer_bitmap_words(allocation->length);
        for (uint64_t word = 0; allocation->filled && !allocation->read_only && word < words;
             word++) {
            for (uint64_t rest = allocation->filled[word]; rest; rest &= rest - 1)
                forget_chunk(allocation, word * 64 + (uint64_t)__builtin_ctzll(rest));
            allocation->filled[word] = 0;
        }
    }
}
