/* Private to definedness.c (what each lane does on its own) and definedness_lanes.c
 * (bits that move, lanes that depend on each other). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_DEFINEDNESS_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_DEFINEDNESS_H

#include "sandbox/simgpu/check/undef_private.h"
#include "sandbox/simgpu/state/lanes.h"
#include "sandbox/simgpu/state/warp.h"

#include <string.h>

enum motion {
    MOTION_NONE,
    MOTION_COPY,   /* bits keep their positions */
    MOTION_PARTS,  /* a register is made of others, or taken apart */
    MOTION_SELECT, /* one of two, by a predicate */
    MOTION_CHOOSE, /* one of two, by a number */
    MOTION_LANES,  /* from lane to lane */
    MOTION_SHIFT,  /* by the value in the first control slot */
    MOTION_FIELD,  /* a field whose position and length are in the control slots */
    MOTION_BYTES,
    MOTION_BITS,
};
enum leading { LEADING_ZEROS, LEADING_PLACE, LEADING_SHIFT };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum { TABLE_AND = 0xc0, TABLE_OR = 0xfc, TABLE_XOR = 0x3c, TABLE_NOT = 0x0f, TABLE_SLOT = 0 };
enum { CARRY_OUT = 1, CARRY_IN = 2 };

/* sets of slots */
enum { S0 = 1, S1 = 2, S2 = 4, S3 = 8, S4 = 16, S5 = 32, ANY = 62 /* all but the first */ };
struct rule { /* a row of definedness.def */
    enum rule_kind kind;
    uint8_t written, read, control; /* slots; control: of those that are read */
    enum motion motion;
    uint8_t parameter; /* LOGIC: the table of truth; VOTE, LEADING: which; CARRY: which way */
};
const struct rule *definedness_row(const struct insn *insn);

static inline bool exists(uint32_t operand) {
    return operand < OPERAND_NONE;
}

static inline void *vector_at(const struct warp *warp, uint32_t operand) {
    return warp->bases[operand & OPERAND_CONSTANT] + (operand & ~(uint32_t)3);
}

/* A lane's value; one bit of a predicate. */
static inline uint64_t value_at(const struct warp *warp, uint32_t operand, unsigned lane,
                                unsigned bytes) {
    uint64_t value = 0;
    if (bytes == 0) {
        memcpy(&value, vector_at(warp, operand), 4);
        return (value >> lane & 1) ^ (operand & OPERAND_NEGATED ? 1 : 0);
    }
    memcpy(&value, (unsigned char *)vector_at(warp, operand) + (size_t)lane * bytes,
           bytes < 8 ? bytes : 8);
    return value;
}

static inline const struct mark_lane *mark_at(const struct warp *warp, uint32_t operand,
                                              unsigned lane) {
    const struct undef_value *undefined = exists(operand) ? undef_find(warp, operand) : NULL;
    return undefined && undefined->lanes >> lane & 1 ? &undefined->lane[lane] : NULL;
}

static inline uint64_t unset_at(const struct warp *warp, uint32_t operand, unsigned lane) {
    const struct mark_lane *mark = mark_at(warp, operand, lane);
    return mark ? mark->unset : 0;
}

static inline unsigned type_bytes(const struct insn *insn) {
    return ptx_type_bits((enum ptx_type)insn->type) / 8;
}

/* The result has unset bits because of `from`: a load is a better answer than a variable. */
void definedness_blame(struct undef_outcome *outcome, unsigned lane, const struct mark_lane *from,
                       uint64_t unset, uint8_t flags);
/* ... of one of the operands that are read: the result's mask is `unset`. */
void definedness_blame_operands(const struct warp *warp, const struct insn *insn,
                                struct undef_outcome *outcome, unsigned lane, uint64_t unset,
                                uint8_t flags);
/* Are parts put together that may have been members of one struct? What was cut to be such a part
 * is no number of its own then. */
bool definedness_is_join(const struct insn *insn);

/* Lanes in which an operand has a mark: the others' results are known. */
lane_mask definedness_marked(const struct warp *warp, const struct insn *insn);
unsigned definedness_move(struct warp *warp, const struct insn *insn, lane_mask lanes,
                          struct undef_outcome *outcomes);
unsigned definedness_groups(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                            struct undef_outcome *outcomes);
unsigned definedness_matrices(const struct warp *warp, const struct insn *insn, lane_mask lanes,
                              struct undef_outcome *outcomes);

#endif
