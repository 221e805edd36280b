/* What an instruction is, by its row in isa.def: its operation and form, and all that follows from
 * them. Rooms above give the numbers here their meaning: the executor of a row stands in the room
 * exec, what a row of definedness.def does in check, what a row of instruction_cost.def costs in
 * sass. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_ISA_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_ISA_H

#include "sandbox/simgpu/ptx/ptx.h"

/* What the scheduler does with an instruction; FLOW_EXECUTE is the common one. */
enum flow {
    FLOW_EXECUTE, /* call execute, go on */
    FLOW_BRANCH,  /* target, reconverge; with a guard: may diverge */
    FLOW_INDEXED, /* brx.idx */
    FLOW_JOIN,    /* a reconvergence point: not counted, not in the PTX */
    FLOW_EXIT,    /* exit, and ret of the kernel */
    FLOW_RETURN,  /* ret of a function */
    FLOW_CALL,
    FLOW_BARRIER,   /* bar.sync, bar.arrive, bar.red */
    FLOW_WARP_SYNC, /* *.sync operations: wait for the lanes of the mask, then execute */
    FLOW_TRAP,
    FLOW_UNSUPPORTED,
};

/* Classes of instructions: how many FLOPs a lane does, and which counter they belong to; `typed`:
 * one for each precision. FP_COMPARE: comparisons, minima, signs, which are no FLOPs. */
#define COST_CLASSES(COST)                                                                         \
    COST(MOVE, 0, move_instructions)                                                               \
    COST(INT, 0, integer_instructions)                                                             \
    COST(FP, 1, typed)                                                                             \
    COST(FP_PAIR, 2, typed)                                                                        \
    COST(FP_COMPARE, 0, typed)                                                                     \
    COST(FMA, 2, typed)                                                                            \
    COST(FMA_PAIR, 4, typed)                                                                       \
    COST(SFU, 1, special_instructions)                                                             \
    COST(CONVERT, 0, conversion_instructions)                                                      \
    COST(LOAD, 0, memory_instructions)                                                             \
    COST(STORE, 0, memory_instructions)                                                            \
    COST(ATOMIC, 0, memory_instructions)                                                           \
    COST(TEXTURE, 0, memory_instructions)                                                          \
    COST(MATRIX, 0, matrix_instructions)                                                           \
    COST(ASYNC, 0, memory_instructions)                                                            \
    COST(WARP, 0, exchange_instructions)                                                           \
    COST(BARRIER, 0, control_instructions)                                                         \
    COST(CONTROL, 0, control_instructions)
enum cost_class {
#define COST(id, flops, class) COST_##id,
    COST_CLASSES(COST)
#undef COST
};

enum rounding { ROUND_DEFAULT, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA };
enum compare {
    COMPARE_NONE,
    COMPARE_eq,
    COMPARE_ne,
    COMPARE_lt,
    COMPARE_le,
    COMPARE_gt,
    COMPARE_ge,
    COMPARE_equ,
    COMPARE_neu,
    COMPARE_ltu,
    COMPARE_leu,
    COMPARE_gtu,
    COMPARE_geu,
    COMPARE_num,
    COMPARE_nan,
};
enum boolean { BOOLEAN_NONE, BOOLEAN_AND, BOOLEAN_OR, BOOLEAN_XOR };
enum access_order {
    ORDER_WEAK,
    ORDER_GUESS, /* a weak load whose value a compare-and-swap confirms: see guessed_load.c */
    ORDER_DATA,  /* a volatile load whose value decides nothing: see load_classify.c */
    ORDER_VOLATILE,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SC
};
enum memory_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };

/* Modifiers of a few families: what min, max, fma and cvt do at the edges of their types. */
enum {
    EXTRA_RELU = 1,
    EXTRA_NAN = 2, /* min, max: NaN wins */
    EXTRA_XORSIGN_ABS = 4,
    EXTRA_SATFINITE = 8,
    EXTRA_PAST_L1 = 16, /* ld.cg, ld.cv: the L1 is not asked */
    EXTRA_CACHE_POLICY = 32,
    EXTRA_CLAMP = 64,     /* video shifts: counts above 32 are 32 */
    EXTRA_PLUS_ONE = 128, /* vmad.po */
    /* of accesses to memory: its value is used (observed_value.c); see confirmed_load.c ... */
    EXTRA_OBSERVES = 1,
    EXTRA_CONFIRMED = 2, /* a strong load between two looks at one number */
    EXTRA_CONFIRMS = 4,  /* the second of these looks */
    /* ... and message_classify.c */
    EXTRA_DECIDES = 8,   /* a strong load, made once, that decides whether another CARRIES */
    EXTRA_ARRIVES = 32,  /* an atomic that may find that all have come */
    EXTRA_WAITS = 64,    /* may come to its address again until it finds something else there */
    EXTRA_CARRIES = 128, /* a strong load, made once, whose value goes on to memory */
};

/* What the words of a matrix instruction say. */
struct matrix_words {
    uint16_t m, n, k;
    uint8_t types[4], type_count; /* enum matrix_type */
    uint8_t layouts, register_count;
    bool column[2]; /* by layout */
    bool saturate, exclusive_or, transpose, sparse;
    char operand; /* of a load or store: 'a', 'b', 'c' or 'd' */
};

/* What the words of a texture or surface instruction say: enumerations of texture_access.h. */
struct texture_words {
    uint8_t geometry, lod, component, boundary, operation, query, reference;
    uint8_t formatted; /* sust.p, sured.p: of texels, not of bytes */
};
/* texture_words.c: false where it is none of theirs. */
bool texture_read_word(struct ptx_span word, struct texture_words *said);

/* The modifiers of an instruction that are not part of its form's name. */
struct modifiers {
    uint8_t rounding, compare, boolean, space, order, scope, vector, extra;
    uint8_t secondary, scale; /* video instructions, see video.h */
    bool ftz, sat, approx, carry, integral, uniform;
    struct matrix_words matrix;
    struct texture_words texture;
};

/* OP_add, OP_mul_wide: what all forms of a row OPERATION of isa.def do. */
enum isa_op {
#define OPERATION(op, decoder, results, definedness, effect, traits) OP_##op,
#include "sandbox/simgpu/program/isa.def"
    OP_COUNT
};

/* Which operands are results; all others are read. */
enum isa_results {
    RESULTS_LETTERS, /* as the letters of the form say */
    RESULTS_NONE,
    RESULTS_FIRST,  /* slot 0 */
    RESULTS_PAIR,   /* slots 0 and 1 */
    RESULTS_SECOND, /* slot 1, after an address */
    RESULTS_VECTOR, /* from slot 1 on */
    RESULTS_MATRIX_LOAD,
    RESULTS_MATRIX_STORE,
    RESULTS_MATRIX_PRODUCT,
    RESULTS_TEXTURE, /* the data of its struct texture_access */
    RESULTS_TEXTURE_STORE,
};

/* What becomes of bits that nothing has written. */
enum isa_definedness {
#define DEFINEDNESS(id, rule, written, read, control, motion, parameter) DEFINED_##id,
#include "sandbox/simgpu/program/definedness.def"
#undef DEFINEDNESS
    DEFINED_COUNT
};

/* What a thread that polls may see of it: see exec/spin_deadlock.c. */
enum isa_effect {
    EFFECT_NONE,
    EFFECT_LOAD,
    EFFECT_STORE,
    EFFECT_ATOMIC,
    EFFECT_WAIT,   /* test_wait, try_wait */
    EFFECT_CHANGE, /* anything else that touches memory: counts as a change */
    EFFECT_CLOCK,  /* its result is new each time */
};

enum isa_trait {
    TRAIT_MOVES = 1,   /* mov: the assembler makes nothing of it */
    TRAIT_KEEPS = 2,   /* the result is an operand: moved, masked, compared or selected */
    TRAIT_DIFFERS = 4, /* lanes have results of their own though their operands are the same */
    TRAIT_ORDERED = 8, /* the result depends on which block comes first */
    TRAIT_BEYOND_BLOCK = 16, /* orders threads of other blocks, too, as far as its scope goes */
    TRAIT_OWN_BLOCK = 32,    /* reaches one block where it says nothing of its scope */
    TRAIT_FINE = 64,         /* orders single threads, not whole warps and blocks */
};

struct isa_operation {
    uint8_t results, definedness, effect, traits; /* enum isa_... */
};
extern const struct isa_operation isa_operations[OP_COUNT];

/* One row of isa.def. */
struct isa_form {
    const char *key;        /* "add.f32": the base name and what tells the form */
    const char *operands;   /* see isa.def */
    uint8_t op, flow, cost; /* enum isa_op, flow, cost_class */
};
extern const struct isa_form isa_forms[];
extern const size_t isa_form_count;

enum { FORM_NONE = 0, COST_ROW_NONE = 0 };

/* What a mnemonic says. */
struct decoded_form {
    uint16_t row;      /* of isa.def; FORM_NONE: it has none */
    uint16_t cost_row; /* of instruction_cost.def, from 1 on; COST_ROW_NONE: it has none */
    struct modifiers modifiers;
    enum ptx_type types[4];
    unsigned type_count;
};
void isa_lookup(struct ptx_span mnemonic, struct decoded_form *form);
/* The first row of the operation. */
uint16_t isa_row_of(enum isa_op op);

#endif
