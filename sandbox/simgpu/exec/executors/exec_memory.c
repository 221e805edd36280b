/* ld and st in all spaces, parameters, and the fast way through memory.
 *
 * One warp instruction is one request. Its addresses are compared with the shape that the same
 * instruction had last time; when they match, bounds, alignment, sectors and wavefronts are known
 * and the data moves as a vector. Shadow bytes are looked at only where something can be
 * uninitialised: inputs have none. */
#include "sandbox/simgpu/check/race_fast.h"
#include "sandbox/simgpu/exec/access.h"
#include "sandbox/simgpu/exec/executors/executor.h"
#include "sandbox/simgpu/exec/executors/race_shared.h"
#include "sandbox/simgpu/exec/memory.h"
#include "sandbox/simgpu/exec/poll.h"
#include "sandbox/simgpu/memsys/observe.h"
#include "sandbox/simgpu/program/address.h"
#include "sandbox/simgpu/state/access_shape.h"
#include "sandbox/simgpu/state/allocation.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/launch.h"
#include "sandbox/simgpu/state/lazy_buffer.h"
#include "sandbox/simgpu/state/location.h"
#include "sandbox/simgpu/state/saved_chunks.h"
#include "sandbox/simgpu/state/warp.h"

struct request {
    device_address addresses[WARP_LANES];
    const struct access_shape *shape; /* NULL: go lane by lane */
    unsigned char *bytes;             /* of the shape's base address, or of lane 0's local memory */
    unsigned char *shadow;
    size_t stride;   /* between lanes: local memory */
    lane_mask lanes; /* that may do the access */
    enum ptx_space space;
    const struct allocation *on_demand; /* whose bytes are made, or saved, when they are touched */
};

static inline void read_addresses(const struct warp *warp, const struct insn *insn,
                                  device_address *addresses) {
    uint64_t offset = (uint64_t)insn->offset;
    if (insn->address32 && !(insn->operands[0] & OPERAND_CONSTANT)) {
        const uint32_t *address32 = lane_vector(warp, insn->operands[0]);
        FOR_EACH_LANE(lane) addresses[lane] = address32[lane] + offset;
    } else {
        const uint64_t *wide = VECTOR_AT(uint64_t, 0);
        FOR_EACH_LANE(lane) addresses[lane] = wide[lane] + offset;
    }
}

/* Every shadow byte of the access has the bits of `want`: SHADOW_INITIALIZED for loads, the lowest
 * bit ("a variable's") for stores. */
static inline bool shadow_allows(const unsigned char *shadow, const struct access_shape *shape,
                                 size_t stride, unsigned bytes, unsigned char want) {
    const uint64_t wanted = 0x0101010101010101u * want;
    uint64_t all = UINT64_MAX, word;
    if (stride == 0 && shape->contiguous) {
        unsigned length = WARP_LANES * bytes; /* a multiple of 32 */
        for (unsigned at = 0; at < length; at += 8) {
            memcpy(&word, shadow + at, 8);
            all &= word;
        }
        return (all & wanted) == wanted;
    }
    for (unsigned i = 0; i < shape->stretch_count && stride == 0; i++) {
        const struct address_stretch *stretch = &shape->stretches[i];
        const unsigned char *at = shadow + stretch->delta;
        unsigned length = stretch->count * bytes;
        for (; length >= 32; length -= 32, at += 32) {
            uint64_t words[4];
            memcpy(words, at, sizeof words);
            all &= words[0] & words[1] & words[2] & words[3];
        }
        for (; length >= 8; length -= 8, at += 8) {
            memcpy(&word, at, 8);
            all &= word;
        }
        for (; length >= 4; length -= 4, at += 4) {
            uint32_t half;
            memcpy(&half, at, sizeof half);
            all &= half | (uint64_t)half << 32;
        }
        for (; length; length--, at++)
            all &= 0x0101010101010101u * *at;
    }
    if (shape->stretch_count && stride == 0)
        return (all & wanted) == wanted;
    unsigned count = stride ? shape->active_count : shape->unique_count;
    lane_mask rest = shape->lanes;
    for (unsigned i = 0; i < count; i++, rest &= rest - 1) {
        unsigned lane = stride ? (unsigned)__builtin_ctz(rest) : shape->unique[i];
        const unsigned char *at = shadow + shape->delta[lane] + lane * stride;
        word = wanted;
        switch (bytes) {
        case 1:
            memcpy(&word, at, 1);
            break;
        case 2:
            memcpy(&word, at, 2);
            break;
        case 4:
            memcpy(&word, at, 4);
            break;
        case 16:
            memcpy(&word, at + 8, 8);
            all &= word;
            memcpy(&word, at, 8);
            break;
        default:
            memcpy(&word, at, 8);
            break;
        }
        all &= word;
    }
    return (all & wanted) == wanted;
}

static void mark_initialized(const struct request *request, unsigned bytes) {
    const struct access_shape *shape = request->shape;
    if (request->stride == 0 && shape->contiguous) {
        memset(request->shadow, SHADOW_INITIALIZED, WARP_LANES * (size_t)bytes);
        return;
    }
    for (lane_mask rest = shape->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memset(request->shadow + shape->delta[lane] + lane * request->stride, SHADOW_INITIALIZED,
               bytes);
    }
}

/* Where the base address lies; false: where the fast path does not know. */
static inline bool find_window(const struct warp *warp, const struct insn *insn,
                               device_address base, struct request *request, uint64_t *offset,
                               uint64_t *limit, bool *read_only) {
    const struct launch *launch = warp->block->launch;
    uint64_t window = base >> ADDRESS_SHIFT;
    *offset = base & OFFSET_MASK;
    *read_only = false;
    request->stride = 0;
    request->on_demand = NULL;
    if (insn->space == SPACE_SHARED || (insn->space == SPACE_GENERIC && window == WINDOW_SHARED)) {
        if (insn->space == SPACE_SHARED)
            *offset = base;
        *limit = launch->program->shared_window_bytes;
        request->bytes = warp->block->shared;
        request->shadow = launch->checks ? warp->block->shared_shadow : NULL;
        request->space = SPACE_SHARED;
        return true;
    }
    if (insn->space == SPACE_LOCAL || (insn->space == SPACE_GENERIC && window == WINDOW_LOCAL)) {
        if (insn->space == SPACE_LOCAL)
            *offset = base;
        *limit = launch->local_bytes;
        request->bytes = warp->local;
        request->shadow = launch->checks ? warp->local_shadow : NULL;
        request->stride = launch->local_bytes;
        request->space = SPACE_LOCAL;
        return true;
    }
    if (window >= launch->allocation_count)
        return false;
    const struct allocation *allocation = &launch->allocations[window];
    if (!allocation->bytes)
        return false;
    *limit = allocation->length;
    *read_only = allocation->read_only;
    request->bytes = allocation->bytes;
    request->shadow = allocation->shadow;
    request->space = allocation->is_const ? SPACE_CONST : SPACE_GLOBAL;
    request->on_demand = allocation->filled || allocation->saved ? allocation : NULL;
    return true;
}

static inline void prepare_bytes(const struct allocation *allocation,
                                 const struct access_shape *shape, uint64_t offset, unsigned bytes,
                                 bool store) {
    if (allocation->filled)
        lazy_buffer_touch_lanes(allocation, shape, offset, bytes);
    if (allocation->saved && store)
        saved_chunks_keep_lanes(allocation->saved, shape, offset, bytes);
}

/* Kept out of begin(), which needs the registers. */
static __attribute__((noinline)) void count(struct warp *warp, const struct insn *insn,
                                            struct access_shape *shape,
                                            const struct request *request, unsigned bytes,
                                            device_address base) {
    if (!access_is_register(warp, request->space))
        observe_access(warp, insn, shape, request->space, base, request->addresses, bytes,
                       insn->cost == COST_STORE);
}

/* Has this access the shape that the instruction's last one had? *base: its first lane's address.
 */
static inline bool has_same_shape(const struct warp *warp, const struct insn *insn,
                                  const struct access_shape *shape, lane_mask lanes,
                                  device_address *base) {
    if (!shape->valid || shape->lanes != lanes)
        return false;
    bool known = shape->user == warp && insn->shape_pc != insn_pc(warp, insn);
    if (insn->address32 && !(insn->operands[0] & OPERAND_CONSTANT)) {
        const uint32_t *addresses = lane_vector(warp, insn->operands[0]);
        uint32_t first = addresses[shape->first_lane], difference = 0;
        *base = first + (uint64_t)insn->offset;
        if (known)
            return true;
        if (lanes == ALL_LANES)
            FOR_EACH_LANE(lane)
        difference |= (addresses[lane] - first) ^ (uint32_t)shape->delta[lane];
        else FOR_EACH_LANE(lane) difference |=
            LANE_ACTIVE(lane) ? (addresses[lane] - first) ^ (uint32_t)shape->delta[lane] : 0;
        /* no lane's register has gone round */
        return difference == 0 && (int64_t)first + shape->lowest >= 0 &&
               (int64_t)first + shape->highest <= UINT32_MAX;
    }
    const uint64_t *addresses = VECTOR_AT(uint64_t, 0);
    uint64_t first = addresses[shape->first_lane], difference = 0;
    *base = first + (uint64_t)insn->offset;
    if (known)
        return true;
    if (lanes == ALL_LANES)
        FOR_EACH_LANE(lane)
    difference |= (addresses[lane] - first) ^ (uint64_t)(int64_t)shape->delta[lane];
    else FOR_EACH_LANE(lane) difference |=
        LANE_ACTIVE(lane) ? (addresses[lane] - first) ^ (uint64_t)(int64_t)shape->delta[lane] : 0;
    return difference == 0;
}

/* A volatile or ordered access on the fast way; kept out as well. */
static __attribute__((noinline)) void note_strong(struct warp *warp, const struct insn *insn,
                                                  lane_mask lanes, unsigned bytes, bool store,
                                                  const struct request *request,
                                                  device_address base) {
    uint64_t value = 0;
    memcpy(&value, request->bytes, bytes < 8 ? bytes : 8);
    if (!store)
        warp_note_poll(warp, insn_pc(warp, insn), base, value);
    race_strong_access(warp, insn, lanes, request->addresses, store);
}

/* A warp that goes through memory in a loop goes on as it did: where the steps are large, no cache
 * of the host expects that. */
static inline void expect_next(struct access_shape *shape, device_address base,
                               const unsigned char *bytes) {
    uintptr_t next = (uintptr_t)bytes + (base - shape->last);
    shape->last = base;
    __builtin_prefetch((const void *)next);
    __builtin_prefetch((const void *)(next + 64));
}

/* Everything but moving the data. */
static inline void begin(struct warp *warp, const struct insn *insn, lane_mask lanes,
                         unsigned bytes, bool store, struct request *request) {
    struct access_shape *shape = &warp->host_thread->shapes[insn->shape_pc];
    device_address base;
    bool shaped = has_same_shape(warp, insn, shape, lanes, &base);
    shape->user = warp;
    request->lanes = lanes;
    request->shape = NULL;
    if (!shaped || insn->order != ORDER_WEAK || observe_has_device(warp))
        read_addresses(warp, insn, request->addresses);
    if (!shaped) {
        shaped = memory_shape(shape, lanes, request->addresses, bytes);
        base = request->addresses[shape->first_lane];
    } else if (!shape->arranged) {
        memory_arrange(shape, bytes);
    }
    uint64_t offset, limit;
    bool read_only;
    if (shaped && find_window(warp, insn, base, request, &offset, &limit, &read_only) &&
        (int64_t)offset + shape->lowest >= 0 && offset < limit &&
        offset + (uint64_t)shape->highest + bytes <= limit &&
        !((base | shape->misaligned) & (bytes - 1)) && !(store && read_only)) {
        request->bytes += offset;
        if (!store && request->space == SPACE_GLOBAL)
            expect_next(shape, base, request->bytes);
        if (request->shadow) {
            request->shadow += offset;
            shaped =
                (!store && request->on_demand && request->on_demand->saved &&
                 saved_chunks_are_initialized(request->on_demand->saved, shape, offset, bytes)) ||
                shadow_allows(request->shadow, shape, request->stride, bytes,
                              store ? SHADOW_UNINITIALIZED : SHADOW_INITIALIZED);
        }
        if (request->on_demand)
            prepare_bytes(request->on_demand, shape, offset, bytes, store);
        if (shaped) {
            request->shape = shape;
            count(warp, insn, shape, request, bytes, base);
            if (store && request->shadow)
                mark_initialized(request, bytes);
            struct race_window window;
            if (race_find_window(warp, request->space, base >> ADDRESS_SHIFT, &window))
                track(warp, insn, &window, shape, offset, bytes, store);
            if (insn->order != ORDER_WEAK)
                note_strong(warp, insn, lanes, bytes, store, request, base);
            if (store && request->space != SPACE_LOCAL)
                warp->poll.wrote = true;
            return;
        }
    }
    read_addresses(warp, insn, request->addresses);
    request->bytes = warp->block->shared; /* not followed without a shape, but reckoned with */
    request->space = SPACE_GENERIC;
    warp->poll.wrote |= store;
    request->lanes = memory_check(warp, insn, lanes, request->addresses, bytes, store);
    /* Counted are all lanes that ask, as the hardware counts them: a lane beyond an allocation's
     * end or one that writes to an input has its sector there too. */
    access_count(warp, insn, lanes, request->addresses, bytes, store);
    race_access_slowly(warp, insn, request->lanes, request->addresses, bytes, store);
}

/* Host bytes of one lane where the fast way was refused. */
static unsigned char *slow_bytes(struct warp *warp, const struct insn *insn,
                                 const struct request *request, unsigned lane, unsigned bytes,
                                 bool store) {
    struct memory_location place =
        memory_locate(warp, (enum ptx_space)insn->space, lane, request->addresses[lane]);
    if (store && place.shadow)
        memset(place.shadow, SHADOW_INITIALIZED, bytes);
    return place.bytes;
}

#define EXTEND(R, T)                                                                               \
    do {                                                                                           \
        R *d = (R *)destination;                                                                   \
        if (shape && request.stride == 0 && shape->uniform) {                                      \
            T value;                                                                               \
            memcpy(&value, from, sizeof value);                                                    \
            WRITE_LANES(d, value);                                                                 \
        } else if (shape && lanes == ALL_LANES) {                                                  \
            FOR_EACH_LANE(lane) {                                                                  \
                T value;                                                                           \
                memcpy(&value, from + shape->delta[lane] + lane * request.stride, sizeof value);   \
                d[lane] = (R)value;                                                                \
            }                                                                                      \
        } else {                                                                                   \
            for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                 \
                unsigned lane = (unsigned)__builtin_ctz(rest);                                     \
                const unsigned char *at =                                                          \
                    shape ? from + shape->delta[lane] + lane * request.stride                      \
                          : slow_bytes(warp, insn, &request, lane, 0, false) + i * sizeof(T);      \
                T value;                                                                           \
                memcpy(&value, at, sizeof value);                                                  \
                d[lane] = (R)value;                                                                \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* The lanes of a group read neighbours, or all of them one value. */
#define COPY_GROUP(T, part)                                                                        \
    for (unsigned first = 0; first < WARP_LANES; first += (part)) {                                \
        const unsigned char *at = from + shape->delta[first];                                      \
        T value;                                                                                   \
        memcpy(&value, at, sizeof value);                                                          \
        if (shape->uniform_parts >> first & 1)                                                     \
            for (unsigned lane = 0; lane < (part); lane++)                                         \
                d[first + lane] = value;                                                           \
        else                                                                                       \
            memcpy(&d[first], at, (part) * sizeof(T));                                             \
    }
#define COPY_GROUPS(T)                                                                             \
    do {                                                                                           \
        T *d = (T *)__builtin_assume_aligned(destination, 32);                                     \
        switch (shape->part_lanes) {                                                               \
        case 32:                                                                                   \
            COPY_GROUP(T, 32);                                                                     \
            break;                                                                                 \
        case 16:                                                                                   \
            COPY_GROUP(T, 16);                                                                     \
            break;                                                                                 \
        case 8:                                                                                    \
            COPY_GROUP(T, 8);                                                                      \
            break;                                                                                 \
        default:                                                                                   \
            COPY_GROUP(T, 4);                                                                      \
            break;                                                                                 \
        }                                                                                          \
    } while (0)

/* Types narrower than their register are extended as ld does. */
static uint64_t extend(enum ptx_type type, const unsigned char *from) {
    uint64_t bits = 0;
    unsigned bytes = ptx_type_bits(type) / 8;
    memcpy(&bits, from, bytes);
    unsigned unused = 64 - 8 * bytes;
    return ptx_type_is_signed(type) ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

/* A lane that may not read gets what nobody has stored: the hazard is reported, the rest of the
 * kernel goes on, and a sum does not look right as it would with zeros. The bytes are those of
 * buffers that are not initialised. */
static void poison_refused(struct warp *warp, const struct insn *insn, lane_mask refused) {
    unsigned char poison[16];
    memset(poison, 0xcd, sizeof poison);
    if (insn->register_bytes <= 8) {
        uint64_t bits = extend((enum ptx_type)insn->type, poison);
        memcpy(poison, &bits, sizeof bits);
    }
    for (unsigned i = 0; i < insn->vector; i++) {
        unsigned char *to = lane_vector(warp, insn->operands[1 + i]);
        for (lane_mask rest = refused; rest; rest &= rest - 1)
            memcpy(to + (size_t)__builtin_ctz(rest) * insn->register_bytes, poison,
                   insn->register_bytes);
    }
}

static inline bool no_quick_way(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    (void)warp, (void)insn, (void)lanes;
    return false;
}

/* A plain load of words from shared memory by all lanes, in a shape that is known: what tiled
 * kernels do most. It does what begin() does, and the data. False: nothing has been done. */
static inline bool load_shared_words(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    const uint32_t pc = insn_pc(warp, insn);
    struct host_thread *host_thread = warp->host_thread;
    struct access_shape *shape = &host_thread->shapes[insn->shape_pc];
    const struct launch *launch = warp->block->launch;
    device_address base;
    if (insn->space != SPACE_SHARED || insn->order != ORDER_WEAK || insn->vector != 1 ||
        insn->register_bytes != 4 || lanes != ALL_LANES || observe_has_device(warp) ||
        launch->precise || !launch->checks || !shape->part_lanes || !shape->stretch_count ||
        !has_same_shape(warp, insn, shape, lanes, &base))
        return false;
    struct block_races *races = &warp->block->races;
    const uint64_t limit = launch->program->shared_window_bytes;
    if ((int64_t)base + shape->lowest < 0 || base >= limit ||
        base + (uint64_t)shape->highest + 4 > limit || (base | shape->misaligned) & 3 ||
        !race_shared_is_unwritten(shape, warp->block->shared_shadow + base,
                                  races->writes.words + base / 4, races->first << CELL_SHIFT))
        return false;
    shape->user = warp;
    struct race_window window;
    race_find_window(warp, SPACE_SHARED, 0, &window);
    count_request(host_thread, pc, shape, SPACE_SHARED, base, 4, false);
    uint32_t number = race_shared_record(warp, insn, pc, lanes, &window);
    if (number)
        join_stretches(warp, &window, base / 4, shape, number);
    const unsigned char *from = warp->block->shared + base;
    unsigned char *destination = lane_vector(warp, insn->operands[1]);
    COPY_GROUPS(uint32_t);
    return true;
}

/* R16, R32, R64: what the loaded type becomes in a register of that width. */
#define LOAD(name, T, R16, R32, R64, quick)                                                        \
    EXECUTOR(name) {                                                                               \
        if (quick(warp, insn, lanes))                                                              \
            return;                                                                                \
        struct request request;                                                                    \
        unsigned bytes = (unsigned)sizeof(T) * insn->vector;                                       \
        begin(warp, insn, lanes, bytes, false, &request);                                          \
        if (request.lanes != lanes)                                                                \
            poison_refused(warp, insn, lanes & ~request.lanes);                                    \
        const struct access_shape *shape = request.shape;                                          \
        lanes = request.lanes;                                                                     \
        for (unsigned i = 0; i < insn->vector && lanes; i++) {                                     \
            unsigned char *destination = lane_vector(warp, insn->operands[1 + i]);                 \
            const unsigned char *from = request.bytes + i * sizeof(T);                             \
            if (shape && shape->contiguous && request.stride == 0 && insn->vector == 1 &&          \
                insn->register_bytes == sizeof(T))                                                 \
                memcpy(destination, from, WARP_LANES * sizeof(T));                                 \
            else if (shape && shape->part_lanes && request.stride == 0 && insn->vector == 1 &&     \
                     insn->register_bytes == sizeof(T))                                            \
                COPY_GROUPS(T);                                                                    \
            else if (insn->register_bytes == 2)                                                    \
                EXTEND(R16, T);                                                                    \
            else if (insn->register_bytes == 4)                                                    \
                EXTEND(R32, T);                                                                    \
            else                                                                                   \
                EXTEND(R64, T);                                                                    \
        }                                                                                          \
    }

LOAD(ld_u8, uint8_t, uint16_t, uint32_t, uint64_t, no_quick_way)
LOAD(ld_s8, int8_t, int16_t, int32_t, int64_t, no_quick_way)
LOAD(ld_u16, uint16_t, uint16_t, uint32_t, uint64_t, no_quick_way)
LOAD(ld_s16, int16_t, int16_t, int32_t, int64_t, no_quick_way)
LOAD(ld_u32, uint32_t, uint16_t, uint32_t, uint64_t, load_shared_words)
LOAD(ld_s32, int32_t, int16_t, int32_t, int64_t, no_quick_way)
LOAD(ld_b64, uint64_t, uint16_t, uint32_t, uint64_t, no_quick_way)
LOAD(ld_b128, unsigned __int128, uint16_t, uint32_t, unsigned __int128, no_quick_way)

#define SCATTER(R, T)                                                                              \
    do {                                                                                           \
        const R *d = (const R *)source;                                                            \
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {                                     \
            unsigned lane = (unsigned)__builtin_ctz(rest);                                         \
            unsigned char *at =                                                                    \
                shape ? to + shape->delta[lane] + lane * request.stride                            \
                      : slow_bytes(warp, insn, &request, lane, bytes, true) + i * sizeof(T);       \
            T value = (T)d[lane];                                                                  \
            memcpy(at, &value, sizeof value);                                                      \
        }                                                                                          \
    } while (0)

#define STORE(name, T)                                                                             \
    EXECUTOR(name) {                                                                               \
        struct request request;                                                                    \
        unsigned bytes = (unsigned)sizeof(T) * insn->vector;                                       \
        begin(warp, insn, lanes, bytes, true, &request);                                           \
        const struct access_shape *shape = request.shape;                                          \
        lanes = request.lanes;                                                                     \
        for (unsigned i = 0; i < insn->vector && lanes; i++) {                                     \
            const unsigned char *source = lane_vector(warp, insn->operands[1 + i]);                \
            unsigned char *to = request.bytes + i * sizeof(T);                                     \
            if (shape && shape->contiguous && request.stride == 0 && insn->vector == 1 &&          \
                insn->register_bytes == sizeof(T))                                                 \
                memcpy(to, source, WARP_LANES * sizeof(T));                                        \
            else if (insn->register_bytes == 2)                                                    \
                SCATTER(uint16_t, T);                                                              \
            else if (insn->register_bytes == 4)                                                    \
                SCATTER(uint32_t, T);                                                              \
            else if (insn->register_bytes == 16)                                                   \
                SCATTER(unsigned __int128, T);                                                     \
            else                                                                                   \
                SCATTER(uint64_t, T);                                                              \
        }                                                                                          \
    }

STORE(st_b8, uint8_t)
STORE(st_b16, uint16_t)
STORE(st_b32, uint32_t)
STORE(st_b64, uint64_t)
STORE(st_b128, unsigned __int128)

/* Parameters: the kernel's are one block that all threads share; a function's lie in each lane's
 * frame. */
static void store_lane(unsigned char *vector, unsigned lane, unsigned bytes, uint64_t bits) {
    memcpy(vector + (size_t)lane * bytes, &bits, bytes);
}

EXECUTOR(ld_param_entry) {
    const struct launch *launch = warp->block->launch;
    unsigned bytes = ptx_type_bits(insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        uint64_t bits =
            extend((enum ptx_type)insn->type, launch->params + insn->offset + i * bytes);
        unsigned char *vector = lane_vector(warp, insn->operands[1 + i]);
        if (insn->register_bytes == 8) {
            uint64_t *d = (uint64_t *)(void *)vector;
            WRITE_LANES(d, bits);
        } else if (insn->register_bytes == 4) {
            uint32_t *d = (uint32_t *)(void *)vector;
            WRITE_LANES(d, bits);
        } else {
            uint16_t *d = (uint16_t *)(void *)vector;
            WRITE_LANES(d, bits);
        }
    }
}

EXECUTOR(ld_param_frame) {
    unsigned bytes = ptx_type_bits(insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        unsigned char *d = lane_vector(warp, insn->operands[1 + i]);
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            const unsigned char *from =
                lane_local(warp, lane) + warp->frame->param_base + insn->offset + i * bytes;
            store_lane(d, lane, insn->register_bytes, extend((enum ptx_type)insn->type, from));
        }
    }
}

EXECUTOR(st_param_frame) {
    unsigned bytes = ptx_type_bits(insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        const unsigned char *d = lane_vector(warp, insn->operands[1 + i]);
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            memcpy(lane_local(warp, lane) + warp->frame->param_base + insn->offset + i * bytes,
                   d + (size_t)lane * insn->register_bytes, bytes);
        }
    }
}
