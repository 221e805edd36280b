/* An uninitialised value is a mistake when it is used, not when it is moved.
 *
 * Copying a struct copies its padding, and a compiler may load a word of which only a part is
 * needed. So a load of uninitialised bytes marks the lanes of its destination, byte by byte. Moves
 * carry the mark to other registers, stores to shared and local memory carry it into the shadow,
 * and everything that computes with the value reports the load. Bit operations and integer
 * conversions may pick the bytes that are there: they end the mark silently, so that nothing is
 * reported that may be right. A store to global memory of a value of which no byte was ever written
 * is a use.
 *
 * Registers that a function may read before it has written them (unset.c knows which) begin with a
 * mark of another kind. The compiler computes with them where the source would not, and drops what
 * comes of it, so computing carries the mark on; a use is what reaches global memory, an address,
 * an atomic or a branch.
 *
 * Warps hold such values rarely: while they hold none, this costs one comparison an instruction. */
#include "sandbox/simgpu/poison.h"

#include "grader/base/memory.h"
#include "sandbox/simgpu/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poison {
    const struct frame *frame;
    uint32_t offset; /* of the register's lane vector */
    lane_mask lanes;
    uint8_t missing[WARP_LANES]; /* bit i: byte i of the lane's value */
    uint32_t pc; /* of the load; unset: of the first that computes with it, or none */
    bool unset;  /* a register that was never written, or what came of one */
    struct access access;
};

static bool begins(const struct ptx_span mnemonic, const char *with) {
    size_t length = strlen(with);
    return mnemonic.length >= length && memcmp(mnemonic.start, with, length) == 0;
}

static struct ptx_span mnemonic_of(const struct warp *warp, const struct insn *insn) {
    return warp->block->launch->program->origins[insn_pc(warp, insn)].mnemonic;
}

bool poison_can_wait(const struct warp *warp, const struct insn *insn) {
    return insn->cost == COST_LOAD && begins(mnemonic_of(warp, insn), "ld.");
}

static struct poison *find(const struct warp *warp, uint32_t operand) {
    if (operand >= OPERAND_NONE || operand & OPERAND_CONSTANT)
        return NULL;
    for (size_t i = 0; i < warp->poison_count; i++)
        if (warp->poisons[i].offset == (operand & ~(uint32_t)3) &&
            warp->poisons[i].frame == warp->frame)
            return &warp->poisons[i];
    return NULL;
}

static void drop_empty(struct warp *warp) {
    for (size_t i = 0; i < warp->poison_count;)
        if (warp->poisons[i].lanes == 0)
            warp->poisons[i] = warp->poisons[--warp->poison_count];
        else
            i++;
}

static void clear(struct warp *warp, uint32_t operand, lane_mask lanes) {
    struct poison *poison = find(warp, operand);
    if (poison)
        poison->lanes &= ~lanes;
}

static struct poison *mark(struct warp *warp, uint32_t operand, const struct poison *from) {
    struct poison *poison = find(warp, operand);
    if (!poison) {
        poison = mem_push(&warp->poisons, &warp->poison_count, &warp->poison_capacity);
        *poison = *from;
        poison->frame = warp->frame;
        poison->offset = operand & ~(uint32_t)3;
        poison->lanes = 0;
    }
    if (poison->unset != from->unset)
        poison->lanes = 0; /* one kind a register: the later one */
    poison->pc = from->pc;
    poison->unset = from->unset;
    poison->access = from->access;
    return poison;
}

void poison_load(struct warp *warp, const struct insn *insn, lane_mask lanes,
                 const device_address *addresses, unsigned bytes) {
    unsigned element = bytes / insn->vector;
    unsigned first = (unsigned)__builtin_ctz(lanes);
    struct poison fresh = {.pc = insn_pc(warp, insn),
                           .access = {(enum ptx_space)insn->space, addresses[first], bytes, false}};
    for (unsigned i = 0; i < insn->vector; i++) {
        struct poison *poison = NULL;
        for (lane_mask rest = lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            struct place place =
                memory_place(warp, (enum ptx_space)insn->space, lane, addresses[lane]);
            uint8_t missing = 0;
            for (unsigned byte = 0; byte < element && byte < 8; byte++)
                if (place.shadow[i * element + byte] != SHADOW_INITIALIZED)
                    missing |= (uint8_t)(1 << byte);
            if (!missing)
                continue;
            if (!poison)
                poison = mark(warp, insn->operands[1 + i], &fresh);
            poison->lanes |= (lane_mask)1 << lane;
            poison->missing[lane] = missing;
        }
    }
}

/* A variable that has no value, where that shows outside the thread or leads it astray. */
static void report_unset(struct warp *warp, const struct insn *insn, struct poison *poison,
                         lane_mask used) {
    const struct insn_origin *origins = warp->block->launch->program->origins;
    uint32_t pc = insn_pc(warp, insn), first = poison->pc == PC_NONE ? pc : poison->pc;
    struct dim3 thread = thread_of(warp, (unsigned)__builtin_ctz(used)), block = warp->block->id;
    const char *what = insn->flow == FLOW_BRANCH ? "decides a branch"
                       : insn->cost == COST_LOAD ? "is an address to read at"
                                                 : "goes to memory";
    char where[32] = "";
    if (origins[pc].line != origins[first].line)
        snprintf(where, sizeof where, " in line %u", origins[pc].line);
    hazard_report(warp, first, first == pc ? PC_NONE : pc, HAZARD_UNINITIALIZED_READ,
                  SEVERITY_ERROR, used,
                  "thread (%u, %u, %u) of block (%u, %u, %u) uses a variable that it has never "
                  "given a value, and what comes of it %s%s: set it where it is declared",
                  thread.x, thread.y, thread.z, block.x, block.y, block.z, what, where);
}

static void report_use(struct warp *warp, const struct insn *insn, struct poison *poison,
                       lane_mask lanes) {
    lane_mask used = poison->lanes & lanes;
    if (!used)
        return;
    if (poison->unset) {
        report_unset(warp, insn, poison, used);
        poison->lanes &= ~used;
        return;
    }
    const struct insn *load = &warp->block->launch->program->code[poison->pc];
    hazard_access(warp, load, HAZARD_UNINITIALIZED_READ, (unsigned)__builtin_ctz(used), used,
                  &poison->access);
    poison->lanes &= ~used;
}

static void use(struct warp *warp, const struct insn *insn, uint32_t operand, lane_mask lanes) {
    struct poison *poison = find(warp, operand);
    if (poison)
        report_use(warp, insn, poison, lanes);
}

/* Bytes of one register become bytes of another: shift is the distance, in bytes. */
static void copy_marks(struct warp *warp, uint32_t to, uint32_t from, lane_mask lanes, int shift,
                       unsigned bytes) {
    struct poison *source = find(warp, from);
    if (!source || !(source->lanes & lanes))
        return;
    struct poison copy = *source;
    struct poison *target = NULL;
    for (lane_mask rest = copy.lanes & lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        unsigned missing = shift >= 0 ? (unsigned)copy.missing[lane] << shift
                                      : (unsigned)copy.missing[lane] >> -shift;
        missing &= (1u << bytes) - 1;
        if (!missing)
            continue;
        if (!target)
            target = mark(warp, to, &copy);
        uint8_t before = target->lanes >> lane & 1 ? target->missing[lane] : 0;
        target->missing[lane] = (uint8_t)(before | missing);
        target->lanes |= (lane_mask)1 << lane;
    }
}

static void move(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct ptx_span mnemonic = mnemonic_of(warp, insn);
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    bool list = insn->vector > 1;
    if (begins(mnemonic, "mov.") && !list) {
        if (insn->operands[0] != insn->operands[1])
            clear(warp, insn->operands[0], lanes);
        copy_marks(warp, insn->operands[0], insn->operands[1], lanes, 0, bytes);
        return;
    }
    unsigned part = insn->register_bytes / insn->vector;
    /* slot 0 is the whole register of a list in both directions; which one it is shows in marks */
    if (find(warp, insn->operands[0])) {
        for (unsigned i = 0; i < insn->vector; i++)
            copy_marks(warp, insn->operands[1 + i], insn->operands[0], lanes, -(int)(i * part),
                       part);
        return;
    }
    for (unsigned i = 0; i < insn->vector; i++)
        copy_marks(warp, insn->operands[0], insn->operands[1 + i], lanes, (int)(i * part),
                   insn->register_bytes);
}

/* Those that may use only bytes that are there. */
static bool picks_bytes(const struct warp *warp, const struct insn *insn) {
    static const char *const names[] = {"and.", "or.",  "xor.", "not.",  "shl.",  "shr.",
                                        "shf.", "bfe.", "bfi.", "prmt.", "lop3.", "selp."};
    struct ptx_span mnemonic = mnemonic_of(warp, insn);
    if (begins(mnemonic, "not.pred"))
        return false;
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
        if (begins(mnemonic, names[i]))
            return true;
    return begins(mnemonic, "cvt.") && !ptx_type_is_float((enum ptx_type)insn->type) &&
           !ptx_type_is_float((enum ptx_type)insn->type2);
}

/* Could the value be the padding of a struct in local memory, copied word by word? Padding shares
 * its eight bytes with a member. */
static bool is_padding(const struct warp *warp, const struct poison *poison, unsigned lane) {
    if (poison->unset)
        return false;
    struct place place =
        memory_place(warp, poison->access.space, lane, poison->access.address & ~(uint64_t)7);
    if (place.space != SPACE_LOCAL || !place.shadow)
        return false;
    for (unsigned i = 0; i < 8 && i < place.left; i++)
        if (place.shadow[i] == SHADOW_INITIALIZED)
            return true;
    return false;
}

/* A store to global memory: an element without one written byte, unless its neighbours in the same
 * vector have some, which is how padding looks. */
static void store_global(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    uint8_t all = (uint8_t)(bytes >= 8 ? 0xff : (1u << bytes) - 1);
    for (unsigned i = 0; i < insn->vector; i++) {
        struct poison *poison = find(warp, insn->operands[1 + i]);
        lane_mask whole = 0;
        for (lane_mask rest = poison ? poison->lanes & lanes : 0; rest; rest &= rest - 1)
            if ((poison->missing[__builtin_ctz(rest)] & all) == all &&
                !is_padding(warp, poison, (unsigned)__builtin_ctz(rest)))
                whole |= rest & -rest;
        for (unsigned j = 0; j < insn->vector && whole; j++) {
            const struct poison *other = j == i ? NULL : find(warp, insn->operands[1 + j]);
            if (j != i)
                whole &= other ? other->lanes : 0;
        }
        if (poison)
            report_use(warp, insn, poison, whole);
    }
}

static enum ptx_space store_space(const struct warp *warp, const struct insn *insn, unsigned lane,
                                  device_address *address) {
    uint32_t operand = insn->operands[0];
    const unsigned char *vector =
        warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3);
    uint32_t narrow;
    if (insn->type2 == 1 && !(operand & OPERAND_CONSTANT)) {
        memcpy(&narrow, vector + 4 * lane, 4);
        *address = narrow;
    } else {
        memcpy(address, vector + 8 * lane, 8);
    }
    *address += (uint64_t)insn->immediate;
    return memory_place(warp, (enum ptx_space)insn->space, lane, *address).space;
}

/* Values that are passed and returned go through the frames' .param memory, structs with their
 * padding: it has marks of its own, at 4 * offset above all registers. */
enum { PARAMETER = 1 << 30, MAX_PARAMETER = 1 << 27 };

static uint32_t parameter_at(uint64_t offset) {
    return offset < MAX_PARAMETER ? PARAMETER | (uint32_t)offset << 2 : OPERAND_NONE;
}

static void store_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        uint32_t at = parameter_at((uint64_t)insn->immediate + (uint64_t)i * bytes);
        clear(warp, at, lanes);
        copy_marks(warp, at, insn->operands[1 + i], lanes, 0, bytes);
    }
}

/* Structs need not be read in the pieces in which they were written. */
static void load_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    int bytes = (int)(ptx_type_bits((enum ptx_type)insn->type) / 8);
    for (int i = 0; i < insn->vector; i++) {
        int64_t from = insn->immediate + (int64_t)i * bytes;
        clear(warp, insn->operands[1 + i], lanes);
        for (int distance = -7; distance < bytes; distance++)
            if (from + distance >= 0)
                copy_marks(warp, insn->operands[1 + i], parameter_at((uint64_t)(from + distance)),
                           lanes, distance, (unsigned)bytes);
    }
}

static bool is_parameter(const struct poison *poison, const struct poison_place *place,
                         uint32_t bytes) {
    uint32_t offset = (poison->offset & ~(uint32_t)PARAMETER) >> 2;
    return poison->frame == place->frame && poison->offset & PARAMETER && offset >= place->offset &&
           offset - place->offset < bytes;
}

void poison_pass(struct warp *warp, lane_mask lanes, const struct poison_place *to,
                 const struct poison_place *from, uint32_t bytes) {
    size_t count = warp->poison_count;
    for (size_t i = 0; i < count; i++) /* what an earlier call left there */
        if (is_parameter(&warp->poisons[i], to, bytes))
            warp->poisons[i].lanes &= ~lanes;
    for (size_t i = 0; i < count; i++) {
        struct poison copy = warp->poisons[i];
        copy.lanes &= lanes;
        if (!is_parameter(&copy, from, bytes) || !copy.lanes)
            continue;
        copy.frame = to->frame;
        copy.offset += (to->offset - from->offset) << 2;
        *mem_push(&warp->poisons, &warp->poison_count, &warp->poison_capacity) = copy;
    }
    drop_empty(warp);
}

static bool propagates(const struct insn *insn) {
    switch ((enum cost_class)insn->cost) {
    case COST_INT:
    case COST_FP:
    case COST_FP_PAIR:
    case COST_FMA:
    case COST_FMA_PAIR:
    case COST_SFU:
    case COST_CONVERT:
        return insn->flow == FLOW_EXECUTE && insn->boolean == BOOLEAN_NONE;
    default:
        return false;
    }
}

/* Computing with a value that was loaded is its use. What comes of an unset register is as unset:
 * compilers compute with what they may not need, so that only where it ends up is certain. */
static void compute(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    bool quiet = picks_bytes(warp, insn), atomic = insn->cost == COST_ATOMIC;
    bool carries = propagates(insn) && !quiet;
    unsigned destination = atomic ? 1 : 0;
    unsigned first = begins(mnemonic_of(warp, insn), "setp.") ? 2 : 0; /* p|q */
    struct poison unset = {.lanes = 0};
    for (unsigned i = first; i < OPERAND_SLOTS && !quiet; i++) {
        struct poison *source = i == destination ? NULL : find(warp, insn->operands[i]);
        if (source && (!source->unset || atomic)) {
            report_use(warp, insn, source, lanes);
        } else if (source && source->lanes & lanes) {
            lane_mask before = unset.lanes;
            unset = *source;
            unset.lanes = before | (source->lanes & lanes);
        }
    }
    for (unsigned i = 0; i < first; i++)
        clear(warp, insn->operands[i], lanes);
    clear(warp, insn->operands[destination], lanes);
    if (!carries || !unset.lanes || insn->operands[destination] >= OPERAND_NONE)
        return;
    if (unset.pc == PC_NONE)
        unset.pc = insn_pc(warp, insn);
    struct poison *target = mark(warp, insn->operands[destination], &unset);
    for (lane_mask rest = unset.lanes; rest; rest &= rest - 1)
        target->missing[__builtin_ctz(rest)] = 0xff;
    target->lanes |= unset.lanes;
}

void poison_start(struct warp *warp, const struct frame *frame, lane_mask lanes) {
    const struct program *program = warp->block->launch->program;
    const struct program_function *function = frame->function;
    for (uint32_t i = 0; i < function->unset_count && warp->block->launch->checks; i++) {
        struct poison poison = {.frame = frame,
                                .offset = program->ranges[function->unset_start + i].offset,
                                .lanes = lanes,
                                .pc = PC_NONE,
                                .unset = true};
        memset(poison.missing, 0xff, sizeof poison.missing);
        *mem_push(&warp->poisons, &warp->poison_count, &warp->poison_capacity) = poison;
    }
}

void poison_branch(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    struct poison *guard = find(warp, insn->guard);
    if (guard && guard->unset)
        report_use(warp, insn, guard, lanes);
}

void poison_before(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    device_address address;
    enum cost_class cost = (enum cost_class)insn->cost;
    struct ptx_span mnemonic = mnemonic_of(warp, insn);
    if ((cost == COST_LOAD && !begins(mnemonic, "ld.")) ||
        (cost == COST_STORE && !begins(mnemonic, "st.")))
        cost =
            COST_MATRIX; /* operands in other slots: any of them that holds such a value is used */
    switch (cost) {
    case COST_LOAD:
        use(warp, insn, insn->operands[0], lanes);
        for (unsigned i = 0; i < insn->vector && i < 4; i++)
            clear(warp, insn->operands[1 + i], lanes);
        break;
    case COST_STORE:
        use(warp, insn, insn->operands[0], lanes);
        if (store_space(warp, insn, (unsigned)__builtin_ctz(lanes), &address) == SPACE_GLOBAL)
            store_global(warp, insn, lanes);
        break;
    case COST_MOVE:
        if (begins(mnemonic, "mov.")) {
            move(warp, insn, lanes);
            break;
        }
        if (begins(mnemonic, "ld.param") || begins(mnemonic, "st.param")) {
            if (mnemonic.start[0] == 'l')
                load_parameter(warp, insn, lanes);
            else
                store_parameter(warp, insn, lanes);
            break;
        }
        /* fall through */
    default:
        compute(warp, insn, lanes);
        break;
    }
    drop_empty(warp);
}

/* What a store has carried into shared or local memory is as little written as it was before. */
void poison_after(struct warp *warp, const struct insn *insn, lane_mask lanes) {
    if (warp->poison_count == 0 || insn->cost != COST_STORE ||
        !begins(mnemonic_of(warp, insn), "st."))
        return;
    unsigned bytes = ptx_type_bits((enum ptx_type)insn->type) / 8;
    for (unsigned i = 0; i < insn->vector; i++) {
        const struct poison *poison = find(warp, insn->operands[1 + i]);
        bool carried = poison && !poison->unset;
        for (lane_mask rest = carried ? poison->lanes & lanes : 0; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            device_address address;
            store_space(warp, insn, lane, &address);
            struct place place =
                memory_place(warp, (enum ptx_space)insn->space, lane, address + i * bytes);
            for (unsigned byte = 0; place.shadow && byte < bytes && byte < place.left; byte++)
                if (poison->missing[lane] >> byte & 1)
                    place.shadow[byte] = SHADOW_UNINITIALIZED;
        }
    }
}

void poison_forget_frame(struct warp *warp, const struct frame *frame) {
    for (size_t i = 0; i < warp->poison_count; i++)
        if (!frame || warp->poisons[i].frame == frame)
            warp->poisons[i].lanes = 0;
    drop_empty(warp);
}
