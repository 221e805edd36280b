/* atom and red (PTX ISA 9.7.13.3): read, change, write, one lane after the other in lane order.
 *
 * Integer operations that commute use the host's atomics, because blocks that do nothing else in
 * common run side by side. Everything whose result depends on the order runs only where blocks run
 * one after the other (program->order_sensitive), so that a compare-and-swap loop here meets no
 * other thread; it is still written as one. */
#include "sandbox/simgpu/check/race.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/float_format.h"
#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/exec/poll.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/cluster.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/stats.h"
#include "sandbox/simgpu/state/warp.h"

#include <float.h>
#include <math.h>

/* The lanes are in one allocation. */
static void keep_old(struct warp *warp, lane_mask lanes, const device_address *addresses,
                     unsigned bytes) {
    device_address first = addresses[__builtin_ctz(lanes)];
    struct saved_chunks *saved = warp->block->launch->allocations[first >> ADDRESS_SHIFT].saved;
    for (lane_mask rest = lanes; saved && rest; rest &= rest - 1)
        saved_chunks_keep(saved, addresses[__builtin_ctz(rest)] & OFFSET_MASK, bytes);
}

/* The usual case: all lanes inside one allocation or in shared memory, aligned, initialised. Finds
 * each lane's host bytes and tells the race detector once for all of them. False where a lane needs
 * a closer look; nothing has been done then. */
static inline bool places_together(struct warp *warp, const struct insn *insn, lane_mask lanes,
                                   const device_address *addresses, unsigned bytes,
                                   unsigned char **places) {
    unsigned first = (unsigned)__builtin_ctz(lanes);
    struct memory_location place =
        memory_locate(warp, (enum ptx_space)insn->space, first, addresses[first]);
    if ((place.space != SPACE_SHARED && place.space != SPACE_GLOBAL) || place.read_only ||
        place.left < bytes)
        return false;
    if (place.owner && (addresses[first] & OFFSET_MASK) >> CLUSTER_SHIFT)
        return false; /* in the form that another block of the cluster has for it */
    if (place.space == SPACE_GLOBAL &&
        warp->block->launch->allocations[addresses[first] >> ADDRESS_SHIFT].filled)
        return false; /* each lane's bytes must be made first */
    uint64_t before =
        insn->space == SPACE_SHARED ? addresses[first] : addresses[first] & OFFSET_MASK;
    uint64_t last = before + place.left - bytes, misaligned = 0;
    uint64_t offsets[WARP_LANES];
    bool outside = false;
    FOR_EACH_LANE(lane) {
        offsets[lane] = LANE_ACTIVE(lane) ? addresses[lane] - addresses[first] + before : before;
        misaligned |= offsets[lane] & (bytes - 1);
        outside |= offsets[lane] > last;
    }
    if (outside || misaligned)
        return false;
    const struct launch *launch = warp->block->launch;
    const uint64_t wanted = 0x0101010101010101u * SHADOW_INITIALIZED;
    uint64_t uninitialized = 0;
    if (place.shadow && launch->checks)
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            const unsigned char *shadow = place.shadow - before + offsets[__builtin_ctz(rest)];
            uint64_t word = wanted;
            switch (bytes) { /* lengths that the compiler knows */
            case 2:
                memcpy(&word, shadow, 2);
                break;
            case 4:
                memcpy(&word, shadow, 4);
                break;
            case 16:
                memcpy(&word, shadow + 8, 8);
                uninitialized |= word ^ wanted;
                /* fall through */
            default:
                memcpy(&word, shadow, 8);
                break;
            }
            uninitialized |= word ^ wanted;
        }
    if (uninitialized)
        return false;
    FOR_EACH_LANE(lane) places[lane] = place.bytes - before + offsets[lane];
    if (place.space == SPACE_GLOBAL)
        keep_old(warp, lanes, addresses, bytes);
    struct race_window window;
    uint32_t number =
        race_find_window(warp, place.space, addresses[first] >> ADDRESS_SHIFT, &window)
            ? race_record(warp, insn, lanes, &window, true)
            : 0;
    if (number)
        race_access_lanes(warp, insn, &window, number, lanes, offsets, bytes, true);
    race_strong_access(warp, insn, lanes, addresses, true);
    observe_atomic(warp, insn, place.space, lanes, addresses, bytes);
    return true;
}

static lane_mask places_one_by_one(struct warp *warp, const struct insn *insn, lane_mask lanes,
                                   const device_address *addresses, unsigned bytes,
                                   unsigned char **places) {
    lane_mask allowed = memory_check(warp, insn, lanes, addresses, bytes, true);
    for (lane_mask rest = allowed; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct memory_location place =
            memory_locate(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
        places[lane] = place.bytes;
        if (place.shadow)
            memset(place.shadow, SHADOW_INITIALIZED, bytes);
    }
    race_access_slowly(warp, insn, allowed, addresses, bytes, true);
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED};
    for (unsigned i = 0; i < 2; i++) {
        lane_mask here = access_in_space(warp, insn, allowed, addresses, spaces[i]);
        if (here)
            observe_atomic(warp, insn, spaces[i], here, addresses, bytes);
    }
    return allowed;
}

static lane_mask atomic_places(struct warp *warp, const struct insn *insn, lane_mask lanes,
                               unsigned bytes, unsigned char **places) {
    device_address addresses[WARP_LANES];
    uint64_t offset = (uint64_t)insn->offset;
    bool address32 = insn->address32 && !(insn->operands[0] & OPERAND_CONSTANT);
    if (address32)
        FOR_EACH_LANE(lane) addresses[lane] = offset + VECTOR_AT(uint32_t, 0)[lane];
    else
        FOR_EACH_LANE(lane) addresses[lane] = offset + VECTOR_AT(uint64_t, 0)[lane];
    if (!places_together(warp, insn, lanes, addresses, bytes, places))
        lanes = places_one_by_one(warp, insn, lanes, addresses, bytes, places);
    if (lanes) {
        unsigned first = (unsigned)__builtin_ctz(lanes);
        uint64_t value = 0;
        memcpy(&value, places[first], bytes < 8 ? bytes : 8);
        warp_note_poll(warp, insn_pc(warp, insn), addresses[first], value);
    }
    return lanes;
}

static inline void note_changed(struct warp *warp, lane_mask lanes, unsigned char *const *places,
                                unsigned bytes) {
    if (lanes)
        poll_note_atomic(warp, places[__builtin_ctz(lanes)], bytes);
}

/* The old value goes to slot 1; red has none. */
#define KEEP_OLD(T, old)                                                                           \
    do {                                                                                           \
        if (insn->operands[1] != OPERAND_NONE)                                                     \
            VECTOR_AT(T, 1)[lane] = old;                                                           \
    } while (0)

/* Can another host thread be at the same location at the same time? */
static inline bool is_alone(const struct warp *warp, const struct insn *insn) {
    return insn->space == SPACE_SHARED || warp->block->launch->host_thread_count == 1;
}

/* An f32 addition in global memory knows no subnormal numbers: operands and sums become zeros that
 * keep their signs (PTX ISA 9.7.13.3, and so on an H200, through generic addresses too). In shared
 * memory they are kept. A NaN is the canonical one. */
static bool is_shared(const struct block *block, const void *place) {
    uintptr_t offset = (uintptr_t)place - (uintptr_t)block->shared;
    return offset < block->launch->program->shared_window_bytes;
}
static float add_f32(const struct warp *warp, const void *place, float x, float y) {
    const struct cluster *cluster = warp->block->cluster;
    bool shared = is_shared(warp->block, place);
    for (unsigned rank = 0; cluster && rank < cluster->size && !shared; rank++)
        shared = is_shared(cluster->blocks[rank], place);
    if (shared)
        return canonical_f32(x + y);
    x = fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
    y = fabsf(y) < FLT_MIN ? copysignf(0, y) : y;
    float sum = canonical_f32(x + y);
    return fabsf(sum) < FLT_MIN ? copysignf(0, sum) : sum;
}

#define ATOMIC(name, T, I, expression)                                                             \
    EXECUTOR(name) {                                                                               \
        unsigned char *places[WARP_LANES];                                                         \
        const T *b = VECTOR_AT(T, 2);                                                              \
        lane_mask allowed = atomic_places(warp, insn, lanes, sizeof(T), places);                   \
        bool alone = is_alone(warp, insn);                                                         \
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {                                   \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            I *place = (I *)places[lane];                                                          \
            I before = __atomic_load_n(place, __ATOMIC_RELAXED), after;                            \
            T y = b[lane], x;                                                                      \
            do {                                                                                   \
                memcpy(&x, &before, sizeof x);                                                     \
                T value = (T)(expression);                                                         \
                memcpy(&after, &value, sizeof value);                                              \
                if (alone) {                                                                       \
                    __atomic_store_n(place, after, __ATOMIC_RELAXED);                              \
                    break;                                                                         \
                }                                                                                  \
            } while (!__atomic_compare_exchange_n(place, &before, after, true, __ATOMIC_SEQ_CST,   \
                                                  __ATOMIC_RELAXED));                              \
            KEEP_OLD(T, x);                                                                        \
        }                                                                                          \
        note_changed(warp, allowed, places, sizeof(T));                                            \
    }

ATOMIC(atom_add_b32, uint32_t, uint32_t, x + y)
ATOMIC(atom_add_b64, uint64_t, uint64_t, x + y)
ATOMIC(atom_add_f32, float, uint32_t, add_f32(warp, place, x, y))
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
        const T *b = VECTOR_AT(T, 2), *c = VECTOR_AT(T, 3);                                        \
        lane_mask allowed = atomic_places(warp, insn, lanes, sizeof(T), places);                   \
        for (lane_mask rest = allowed; rest; rest &= rest - 1) {                                   \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            T expected = b[lane], value = c[lane];                                                 \
            __atomic_compare_exchange_n((T *)places[lane], &expected, value, false,                \
                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);                       \
            KEEP_OLD(T, expected);                                                                 \
        }                                                                                          \
        note_changed(warp, allowed, places, sizeof(T));                                            \
    }
COMPARE_AND_SWAP(atom_cas_b16, uint16_t)
COMPARE_AND_SWAP(atom_cas_b32, uint32_t)
COMPARE_AND_SWAP(atom_cas_b64, uint64_t)

/* 128 bits: blocks run one after the other where the order matters, so that copying is enough. */
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
    note_changed(warp, allowed, places, 16);
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
    note_changed(warp, allowed, places, 16);
}
