/* What the files of uninitialised values share: undef.c (registers, reports), definedness.c (what
 * an instruction makes of them), undef_store.c (stores), undef_call.c (calls), undef_memory.c
 * (memory that holds them).
 */
#ifndef WARPGRADE_SANDBOX_SIMGPU_CHECK_UNDEF_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_CHECK_UNDEF_PRIVATE_H

#include "sandbox/simgpu/check/undef.h"
#include "sandbox/simgpu/state/block.h"
#include "sandbox/simgpu/state/frame.h"
#include "sandbox/simgpu/state/warp.h"

enum mark_flags {
    MARK_VARIABLE = 1,    /* a register that was never written, or what came of one */
    MARK_COMPUTED = 2,    /* more has been done than copying: every later use sees a result */
    MARK_MASKED = 4,      /* some bits were cut off: a result, unless others take their place */
    MARK_SHIFTED = 8,     /* its bytes have moved within the register */
    MARK_NEIGHBOURS = 16, /* it stood beside others in the thread's own memory */
    MARK_ABSENT = 32,     /* a shuffle's, of a lane that did not participate */
    MARK_ORIGINS = MARK_VARIABLE | MARK_ABSENT, /* neither: a load's */
};

/* One lane's value: which of its bits were never written, and whose mistake that would be. */
struct mark_lane {
    uint64_t unset;         /* of a register of 16 bytes, bit i stands for bits 2i and 2i + 1 */
    device_address address; /* of the load; ABSENT: that lane's number */
    uint32_t
        pc; /* of the load or shuffle; VARIABLE: of the first that computes with it, or PC_NONE */
    uint16_t thread; /* of the block, that loaded it or asked for it */
    uint8_t flags;   /* enum mark_flags */
    uint8_t missing; /* of the load: its first byte that has no value */
};

struct undef_value {
    const struct frame *frame;
    uint32_t offset; /* of the register's lane vector */
    lane_mask lanes; /* that have unset bits */
    uint32_t next;   /* of the same bit of the warp's filter; UNDEF_NONE: none */
    struct mark_lane lane[WARP_LANES];
};
enum { UNDEF_NONE = UINT32_MAX };

/* What happens to a destination. */
enum { MAX_OUTCOMES = 8 };
struct undef_outcome {
    uint32_t operand;
    lane_mask lanes;
    struct mark_lane lane[WARP_LANES];
};

/* Marks that belong to no register: CC.CF, and the frames' .param memory, byte i at PARAMETER + 4i
 * (registers lie below). */
enum {
    MARK_PARAMETER = 1 << 30,
    MAX_PARAMETER = 1 << 27,
    MARK_CARRY = 0x60000000,
};

/* undef.c: NULL where no lane of the operand is marked. */
struct undef_value *undef_find(const struct warp *warp, uint32_t operand);
void undef_clear(struct warp *warp, uint32_t operand, lane_mask lanes);
/* Gives the lanes of a destination the marks of an outcome and takes all others away. */
void undef_set(struct warp *warp, const struct undef_outcome *outcome, lane_mask lanes);
/* The instruction uses the operand: reports the lanes that have no value. */
void undef_use(struct warp *warp, const struct insn *insn, uint32_t operand, lane_mask lanes);
/* One report for the lanes of `used`, or several where they come of several loads. */
void undef_report(struct warp *warp, const struct insn *insn, const struct mark_lane *lane,
                  lane_mask used);
/* Of a frame that need not be the running one; `offset` as in struct undef_value. */
struct undef_value *undef_find_in(const struct warp *warp, const struct frame *frame,
                                  uint32_t offset);
struct undef_value *undef_add(struct warp *warp, const struct frame *frame, uint32_t offset);
void undef_drop_empty(struct warp *warp);

/* undef_call.c: ld.param and st.param of a call, once they were executed. */
void undef_load_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes);
void undef_store_parameter(struct warp *warp, const struct insn *insn, lane_mask lanes);

/* undef_store.c: executes a store while the warp holds such values. */
void undef_store(struct warp *warp, const struct insn *insn, lane_mask lanes);

/* definedness.c */
enum rule_kind {
    RULE_USES,       /* all operands must have a value */
    RULE_WHOLE,      /* one unset bit unsets the result */
    RULE_HALVES,     /* the same for each half of a pair */
    RULE_SUM,        /* an unset bit unsets itself and all above it */
    RULE_PRODUCT,    /* the same, unless the other factor is zero */
    RULE_CARRY,      /* with CC.CF */
    RULE_LEADING,    /* where the first one bit stands */
    RULE_LOGIC,      /* bit by bit, by a table of truth */
    RULE_MOTION,     /* bits change their positions: the instruction itself says where to */
    RULE_CONVERSION, /* a motion between integers */
    RULE_COMPARISON, /* known where the bits that are there decide it */
    RULE_GROUP,      /* one lane unsets the result of its group */
    RULE_VOTE,
    RULE_MATRICES, /* a product of them */
    RULE_MATRIX_LOAD,
    RULE_MATRIX_STORE,
    RULE_TEXTURE, /* uses where it is, and defines what it reads */
    RULE_TEXTURE_STORE,
    RULE_DEFINES, /* the result has a value whatever the operands are */
    RULE_LOAD,
    RULE_COPY, /* from memory to memory, bypassing the registers */
    RULE_STORE,
    RULE_PARAMETER_LOAD,
    RULE_PARAMETER_STORE,
};
enum rule_kind definedness_kind(const struct insn *insn);
/* Which slots the instruction writes, and which it reads. */
uint8_t definedness_written(const struct insn *insn);
uint8_t definedness_read(const struct insn *insn);
/* What the instruction will make of its operands, before it is executed. */
unsigned definedness_of(struct warp *warp, const struct insn *insn, lane_mask lanes,
                        struct undef_outcome outcomes[MAX_OUTCOMES]);
static inline uint64_t mark_ones(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}
/* Bits that one byte of a value has in its mark. */
static inline unsigned mark_byte_bits(unsigned value_bytes) {
    return value_bytes == 16 ? 4 : 8;
}

/* undef_memory.c: bytes with the shadow SHADOW_TRACKED. */
struct tracked {
    uint8_t unset[4]; /* bits of four bytes */
    struct mark_lane origin;
};
/* What is known of the byte; NULL where it is not tracked. */
const struct tracked *undef_tracked(const struct block *block, const unsigned char *shadow);
/* Its unset bits. */
uint8_t undef_tracked_bits(const struct block *block, const unsigned char *shadow);
/* Remembers unset bits of a byte of shared or local memory. */
void undef_track(struct block *block, unsigned char *shadow, uint8_t unset,
                 const struct mark_lane *origin);

#endif
