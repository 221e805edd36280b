/* A kernel decoded for execution: one dense array of 64-byte instructions and nothing else that the
 * hot loop touches. Everything that can be known before the launch is resolved here: executors,
 * operand offsets, branch targets, reconvergence points, source lines. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_PROGRAM_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_PROGRAM_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/ptx/ptx.h"

struct warp;
struct insn;
struct matrix;

/* Executes one instruction for the lanes of `lanes` (never empty). */
typedef void sim_executor(struct warp *warp, const struct insn *insn, lane_mask lanes);

enum { WIDEST_ACCESS = 32 }; /* bytes of one lane, of a vector of b64 */

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

enum barrier_kind {
    BARRIER_SYNC,
    BARRIER_ARRIVE,
    BARRIER_RED_POPC,
    BARRIER_RED_AND,
    BARRIER_RED_OR,
};
enum { BARRIER_CLUSTER_ARRIVE = 16, BARRIER_CLUSTER_WAIT }; /* insn->type, after barrier_kind */
enum { SYNC_ANYWHERE = 1 }; /* bar.warp.sync, compare: see insn_syncs_anywhere */
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
    ORDER_GUESS, /* a weak load whose value a compare-and-swap confirms: see load_classify.c */
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
};

/* The modifiers of an instruction that are not part of its form's name. */
struct modifiers {
    uint8_t rounding, compare, boolean, space, order, scope, vector, extra;
    uint8_t secondary, scale; /* video instructions, see video.h */
    bool ftz, sat, approx, carry, integral, uniform;
};

enum {
    OPERAND_SLOTS = 6,
    OPERAND_NONE = UINT32_MAX - 3, /* a sink, or an absent operand */
    OPERAND_CONSTANT = 1,          /* bit 0 of an offset: in the constant pool */
    OPERAND_NEGATED = 2,           /* bit 1: a predicate read with ! */
    GUARD_NONE = 1,                /* offsets of predicates are multiples of 4 */
};

struct insn {
    sim_executor *execute;            /* program_link() of the room launch fills it in */
    uint32_t operands[OPERAND_SLOTS]; /* byte offsets of lane vectors, with the bits above */
    uint32_t guard;                   /* predicate offset, bit 1: negated; or GUARD_NONE */
    uint32_t reconverge;              /* BRANCH, INDEXED: pc of its join, or PC_NONE */
    int64_t immediate;                /* address offset; BRANCH: target; CALL: index of call;
                                         INDEXED: index into targets; UNSUPPORTED: of text */
    uint8_t flow, cost, type, type2;  /* enum flow, cost_class, ptx_type */
    uint8_t register_bytes;           /* width of the (first) data register */
    uint8_t rounding;                 /* enum rounding, with the ROUNDING_* bits */
    uint8_t compare, boolean, space, order;
    uint8_t vector;      /* elements; cvt: bytes of the source register */
    uint8_t extra;       /* EXTRA_* */
    uint8_t definedness; /* what becomes of unset bits: a row of definedness.c */
    uint8_t scope;       /* enum memory_scope; NONE: reaches all threads */
    uint16_t form;       /* row of isa.def; FORM_NONE: it has none */
};
_Static_assert(sizeof(struct insn) == 64, "one cache line");

enum { FORM_NONE = UINT16_MAX };

enum {
    ROUNDING_MODE = 7,
    ROUNDING_GENERAL =
        8, /* the general executor of its row: also for some conversions without any */
    ROUNDING_FTZ = 16,
    ROUNDING_SAT = 32,
    ROUNDING_INTEGRAL = 64,
    ROUNDING_APPROX = 128
};

/* Atomic, volatile or ordered. */
static inline bool insn_is_strong(const struct insn *insn) {
    return insn->cost == COST_ATOMIC || (insn->order != ORDER_WEAK && insn->order != ORDER_DATA);
}

/* A fence or a strong access that only threads of the same block can rely on. Clusters are of one
 * block here. */
static inline bool insn_is_scope_cta(const struct insn *insn) {
    return insn->scope == SCOPE_CTA || insn->scope == SCOPE_CLUSTER;
}

/* Do lanes that execute another such instruction with the same mask count as having come to this
 * one? PTX ISA 9.7.13.2: only before sm_70 it must be the same instruction. */
static inline bool insn_syncs_anywhere(const struct insn *insn) {
    return insn->flow == FLOW_WARP_SYNC && insn->compare == SYNC_ANYWHERE;
}

#define PC_NONE UINT32_MAX

/* Which operands of an instruction are results; it follows from the mnemonic alone. */
struct value_rule {
    enum { VALUES_SLOTS, VALUES_VECTOR, VALUES_LETTERS, VALUES_MATRIX } kind;
    uint8_t from, to;    /* SLOTS: those from..to-1 */
    const char *letters; /* LETTERS: of isa.def */
};

/* Source location and text of an instruction: looked at only when something is reported, or before
 * the launch. */
struct insn_origin {
    uint32_t file, line, column; /* file: index into program->files; line 0: unknown */
    uint32_t ptx_line;
    struct ptx_span mnemonic;
    struct value_rule values;
    bool no_unroll; /* starts a loop that .pragma "nounroll" protects */
};

struct call_argument {
    uint32_t caller_offset, callee_offset, bytes; /* inside the frames' parameter areas */
};

enum builtin {
    BUILTIN_NONE,
    BUILTIN_VPRINTF,
    BUILTIN_ASSERTFAIL,
    BUILTIN_MALLOC,
    BUILTIN_FREE,
};

struct call_site {
    int32_t function; /* index into program->functions; -1: indirect or builtin */
    enum builtin builtin;
    uint32_t arguments[16]; /* offsets of the argument slots in the caller's area */
    uint32_t argument_bytes[16];
    uint32_t argument_count;
    uint32_t result, result_bytes;
    bool has_result;
    uint32_t address; /* indirect: register offset */
};

struct program_function {
    struct ptx_span name;
    bool is_entry;
    uint32_t entry_pc;
    uint32_t register_bytes;   /* of one warp's register file for it */
    uint32_t local_bytes;      /* .local variables, a lane */
    uint32_t param_area_bytes; /* .param variables of call sequences and of itself, a lane */
    uint32_t params[16], param_bytes[16], param_count; /* slots of its own parameters */
    uint32_t result, result_bytes;
    bool has_result;
    uint32_t special_start, special_count; /* special registers it reads, in program->specials */
    /* Registers that must be clear when it starts, and among them, each on its own, those that it
     * may read before it has written them: in program->ranges. */
    uint32_t clear_start, clear_count, live_in_start, live_in_count;
};

/* Lane vectors side by side in a function's registers. */
struct register_range {
    uint32_t offset, bytes;
};

struct special_use {
    uint16_t special; /* enum special */
    uint32_t offset;  /* of the lane vector that holds it */
    uint8_t bytes;
};

/* A variable of the launch with its address: .shared for bounds and names, .global and .const too.
 */
struct placed_variable {
    char name[64];
    enum ptx_space space;
    uint64_t address; /* inside its space; .global/.const: allocation handle */
    uint64_t bytes;
    uint32_t element_bytes, alignment; /* as the PTX declares them: bytes and an alignment where the
                                          source has a type */
    uint64_t packed_offset;
    bool dynamic;          /* extern .shared: its size is the launch's */
    uint32_t zeroed_bytes; /* of .shared: this many at its beginning are 0 when a block starts */
    struct ptx_span shape; /* its type, see shape.h; in the PTX text. Length 0: unknown */
};

/* Registers that may be read after the target of a backward branch, before they are written. */
struct live_set {
    uint32_t pc;
    uint32_t range_start, range_count; /* in ranges, each register on its own */
};

struct program {
    struct insn *code;
    struct insn_origin *origins;
    size_t length, capacity, origin_count, origin_capacity;
    struct program_function *functions;
    size_t function_count, function_capacity;
    struct call_site *calls;
    size_t call_count, call_capacity;
    uint32_t *targets; /* brx.idx: count, then pcs */
    size_t target_count, target_capacity;
    struct special_use *specials;
    size_t special_count, special_capacity;
    struct register_range *ranges;
    size_t range_count, range_capacity;
    uint64_t *touched;      /* [pc]: the filter of its operands, see undef.c */
    struct live_set *lives; /* by pc */
    size_t live_count, live_capacity;
    unsigned char *constants; /* lane vectors of immediates */
    size_t constant_bytes, constant_capacity;
    char (*files)[256];
    size_t file_count, file_capacity;
    struct placed_variable *variables;
    size_t variable_count, variable_capacity;
    uint32_t kernel; /* index into functions */
    uint64_t static_shared_bytes, shared_window_bytes;
    bool cooperative;     /* has a grid-wide barrier: all its blocks must run at once */
    bool order_sensitive; /* blocks may see each other: they run one after the other */
    bool
        blocks_communicate; /* some blocks may wait for or depend on others: none can be left out */
    bool scoped;            /* some fence or strong access reaches its own block only */
    struct matrix *matrices; /* of matrix instructions, see matrix.h */
    size_t matrix_count, matrix_capacity;
    char (*unsupported)[256];
    size_t unsupported_count, unsupported_capacity;
};

/* Decodes the kernel and every function it may call. `shared_bytes` is the launch's dynamic size.
 */
enum status program_decode(const struct ptx_module *module, const struct ptx_function *kernel,
                           const char *source_file, uint64_t shared_bytes, struct program **program,
                           struct error *error);
void program_free(struct program *program);
size_t program_bytes(const struct program *program); /* that it takes, about */
/* variable_layout.c: makes *laid_out a view of the program with another size of dynamic shared
 * memory. It borrows all but its variables from the program, which it must not outlive. */
enum status program_lay_out(const struct program *program, const struct ptx_module *module,
                            uint64_t shared_bytes, struct program *laid_out, struct error *error);
void program_lay_out_free(struct program *laid_out); /* or all zeros */
/* Index of the function that holds the instruction; its code goes to where the next one's begins.
 */
size_t program_function_at(const struct program *program, uint32_t pc);
/* load_classify.c: marks the loads that are ORDER_GUESS and ORDER_DATA. */
void load_intent_find(struct program *program);

/* Where cooperative groups find what the system keeps for them in shared memory. */
#define RESERVED_GROUPS "%reserved_smem_offset_1"

enum special {
#define SPECIAL(id, name, bytes) SPECIAL_##id,
#include "sandbox/simgpu/program/special.def"
#undef SPECIAL
    SPECIAL_COUNT
};

/* One row of isa.def. */
struct isa_form {
    const char *key;      /* "add.f32": the base name and what tells the form */
    const char *operands; /* see isa.def */
    enum flow flow;
    enum cost_class cost;
};
extern const struct isa_form isa_forms[];
extern const size_t isa_form_count;
/* The row for a mnemonic, its types and modifiers; -1 where isa.def has none. */
int isa_lookup(struct ptx_span mnemonic, struct modifiers *modifiers, enum ptx_type types[4],
               unsigned *type_count);

#endif
