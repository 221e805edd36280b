/* atom and red (PTX ISA 9.7.13.3): read, change, write, one lane after the other in lane order.
 *
 * Integer operations that commute use the host's atomics, because blocks that do nothing else in
 * common run side by side. Everything whose result depends on the order runs only where blocks run
 * one after the other (program->order_sensitive), so that a compare-and-swap loop here meets no
 * other thread; it is written as one all the same. */
#include "sandbox/simgpu/exec.h"
#include "sandbox/simgpu/memory.h"
#include "sandbox/simgpu/narrow.h"
#include "sandbox/simgpu/race.h"

static lane_mask atomic_places(struct warp *warp, const struct insn *insn, lane_mask lanes,
                               unsigned bytes, unsigned char **places) {
    device_address addresses[WARP_LANES];
    uint64_t offset = (uint64_t)insn->immediate;
    bool narrow = insn->type2 == 1 && !(insn->operands[0] & OPERAND_CONSTANT);
    for (lane_mask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        addresses[lane] =
            offset + (narrow ? VECTOR_AT(uint32_t, 0)[lane] : VECTOR_AT(uint64_t, 0)[lane]);
    }
    lane_mask allowed = memory_check(warp, insn, lanes, addresses, bytes, true);
    struct insn_stats *stats = &warp->host->stats[insn_pc(warp, insn)];
    stats->requests += allowed != 0;
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct place place = memory_place(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        places[lane] = place.bytes;
        if (place.shadow)
            memset(place.shadow, SHADOW_INITIALIZED, bytes);
    }
    if (allowed) {
        unsigned first = (unsigned)__builtin_ctz(allowed);
        uint64_t value = 0;
        memcpy(&value, places[first], bytes < 8 ? bytes : 8);
        note_poll(warp, insn_pc(warp, insn), addresses[first], value);
    }
    race_access_slowly(warp, insn, allowed, addresses, bytes, true);
    return allowed;
}

/* The old value goes to slot 1, where the instruction has a destination. */
#define KEEP_OLD(T, old)                                                                           \
    do {                                                                                           \
        if (insn->operands[1] != OPERAND_NONE && has_result)                                       \
            VECTOR_AT(T, 1)[lane] = old;                                                           \
    } while (0)

static bool returns_old(const struct warp *warp, const struct insn *insn) {
    const struct insn_origin *origin = &warp->block->launch->program->origins[insn_pc(warp, insn)];
    return origin->mnemonic.length && origin->mnemonic.start[0] == 'a';
}

#define ATOMIC(name, T, I, expression)                                                             \
    EXECUTOR(name) {                                                                               \
        unsigned char *places[WARP_LANES];                                                         \
        bool has_result = returns_old(warp, insn);                                                 \
        const T *b = VECTOR_AT(T, has_result ? 2 : 1);                                             \
        lane_mask allowed = atomic_places(warp, insn, lanes, sizeof(T), places);                   \
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {                                   \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            I *place = (I *)places[lane];                                                          \
            I before = __atomic_load_n(place, __ATOMIC_RELAXED), after;                            \
            T y = b[lane];                                                                         \
            do {                                                                                   \
                T x;                                                                               \
                memcpy(&x, &before, sizeof x);                                                     \
                T value = (T)(expression);                                                         \
                memcpy(&after, &value, sizeof value);                                              \
            } while (!__atomic_compare_exchange_n(place, &before, after, true, __ATOMIC_SEQ_CST,   \
                                                  __ATOMIC_RELAXED));                              \
            T old;                                                                                 \
            memcpy(&old, &before, sizeof old);                                                     \
            KEEP_OLD(T, old);                                                                      \
        }                                                                                          \
    }

ATOMIC(atom_add_b32, uint32_t, uint32_t, x + y)
ATOMIC(atom_add_b64, uint64_t, uint64_t, x + y)
ATOMIC(atom_add_f32, float, uint32_t, x + y)
ATOMIC(atom_add_f64, double, uint64_t, x + y)
ATOMIC(atom_min_s32, int32_t, uint32_t, x < y ? x : y)
ATOMIC(atom_min_u32, uint32_t, uint32_t, x < y ? x : y)
ATOMIC(atom_min_s64, int64_t, uint64_t, x < y ? x : y)
ATOMIC(atom_min_u64, uint64_t, uint64_t, x < y ? x : y)
ATOMIC(atom_max_s32, int32_t, uint32_t, x > y ? x : y)
ATOMIC(atom_max_u32, uint32_t, uint32_t, x > y ? x : y)
ATOMIC(atom_max_s64, int64_t, uint64_t, x > y ? x : y)
ATOMIC(atom_max_u64, uint64_t, uint64_t, x > y ? x : y)
ATOMIC(atom_inc_u32, uint32_t, uint32_t, x >= y ? 0 : x + 1)
ATOMIC(atom_dec_u32, uint32_t, uint32_t, x == 0 || x > y ? y : x - 1)
ATOMIC(atom_and_b32, uint32_t, uint32_t, x &y)
ATOMIC(atom_and_b64, uint64_t, uint64_t, x &y)
ATOMIC(atom_or_b32, uint32_t, uint32_t, x | y)
ATOMIC(atom_or_b64, uint64_t, uint64_t, x | y)
ATOMIC(atom_xor_b32, uint32_t, uint32_t, x ^ y)
ATOMIC(atom_xor_b64, uint64_t, uint64_t, x ^ y)
ATOMIC(atom_exch_b32, uint32_t, uint32_t, ((void)x, y))
ATOMIC(atom_exch_b64, uint64_t, uint64_t, ((void)x, y))

/* Halves, one or two in a word: rounded to nearest even, subnormals kept (.noftz). */
enum half_operation { HALF_ADD, HALF_MIN, HALF_MAX };
static uint32_t half_combine(uint32_t x, uint32_t y, enum ptx_type type, enum half_operation op) {
    const struct narrow_format *format = narrow_format_of(type);
    uint32_t result = 0;
    for (unsigned shift = 0; shift < ptx_type_bits(type); shift += 16) {
        double a = narrow_decode(x >> shift & 0xffff, format);
        double b = narrow_decode(y >> shift & 0xffff, format);
        bool a_wins = b != b || (signbit(a) && a == b ? a <= b : a < b) == (op == HALF_MIN);
        double picked = a != a ? b : a_wins ? a : b;
        double value = op == HALF_ADD ? a + b : picked;
        result |= narrow_encode(value, format, ROUND_RN, false) << shift;
    }
    return result;
}
#define HALF_ATOMICS(name, operation)                                                              \
    ATOMIC(atom_##name##_f16, uint16_t, uint16_t, half_combine(x, y, PTX_f16, operation))          \
    ATOMIC(atom_##name##_bf16, uint16_t, uint16_t, half_combine(x, y, PTX_bf16, operation))        \
    ATOMIC(atom_##name##_f16x2, uint32_t, uint32_t, half_combine(x, y, PTX_f16x2, operation))      \
    ATOMIC(atom_##name##_bf16x2, uint32_t, uint32_t, half_combine(x, y, PTX_bf16x2, operation))
HALF_ATOMICS(add, HALF_ADD)
HALF_ATOMICS(min, HALF_MIN)
HALF_ATOMICS(max, HALF_MAX)

/* atom.cas d, [a], b, c: c where the memory holds b. */
#define COMPARE_AND_SWAP(name, T)                                                                  \
    EXECUTOR(name) {                                                                               \
        unsigned char *places[WARP_LANES];                                                         \
        bool has_result = true;                                                                    \
        const T *b = VECTOR_AT(T, 2), *c = VECTOR_AT(T, 3);                                        \
        lane_mask allowed = atomic_places(warp, insn, lanes, sizeof(T), places);                   \
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {                                   \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            T expected = b[lane], value = c[lane];                                                 \
            __atomic_compare_exchange_n((T *)places[lane], &expected, value, false,                \
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);                       \
            KEEP_OLD(T, expected);                                                                 \
        }                                                                                          \
    }
COMPARE_AND_SWAP(atom_cas_b16, uint16_t)
COMPARE_AND_SWAP(atom_cas_b32, uint32_t)
COMPARE_AND_SWAP(atom_cas_b64, uint64_t)

/* 128 bits: blocks run one after the other where the order matters, so that copying will do. */
EXECUTOR(atom_exch_b128) {
    unsigned char *places[WARP_LANES];
    unsigned char(*d)[16] = lane_vector(warp, insn->operands[1]);
    unsigned char(*b)[16] = lane_vector(warp, insn->operands[2]);
    lane_mask allowed = atomic_places(warp, insn, lanes, 16, places);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char old[16];
        memcpy(old, places[lane], 16);
        memcpy(places[lane], b[lane], 16);
        memcpy(d[lane], old, 16);
    }
}
EXECUTOR(atom_cas_b128) {
    unsigned char *places[WARP_LANES];
    unsigned char(*d)[16] = lane_vector(warp, insn->operands[1]);
    unsigned char(*b)[16] = lane_vector(warp, insn->operands[2]);
    unsigned char(*c)[16] = lane_vector(warp, insn->operands[3]);
    lane_mask allowed = atomic_places(warp, insn, lanes, 16, places);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned char old[16];
        memcpy(old, places[lane], 16);
        if (memcmp(old, b[lane], 16) == 0)
            memcpy(places[lane], c[lane], 16);
        memcpy(d[lane], old, 16);
    }
}
