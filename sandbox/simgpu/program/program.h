/* A kernel decoded for execution: one dense array of 64-byte instructions and nothing else that the
 * hot loop touches. Everything that can be known before the launch is resolved here: executors,
 * operand offsets, branch targets, reconvergence points, source lines. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_PROGRAM_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_PROGRAM_H

#include "sandbox/base/launch.h"
#include "sandbox/simgpu/program/isa.h"

struct warp;
struct insn;
struct matrix;
struct texture_access;
struct local_objects;

/* Executes one instruction for the lanes of `lanes` (never empty). */
typedef void sim_executor(struct warp *warp, const struct insn *insn, lane_mask lanes);

enum { WIDEST_ACCESS = 32 }; /* bytes of one lane, of a vector of b64 */

enum barrier_kind {
    BARRIER_SYNC,
    BARRIER_ARRIVE,
    BARRIER_RED_POPC,
    BARRIER_RED_AND,
    BARRIER_RED_OR,
    BARRIER_CLUSTER_ARRIVE,
    BARRIER_CLUSTER_WAIT,
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
    union {
        uint32_t reconverge;    /* BRANCH, INDEXED, CALL: pc of its join, or PC_NONE */
        int32_t barrier_offset; /* bulk copies: of the mbarrier's address */
        uint32_t shape_pc;      /* ld, st: whose shape is its own, see launch/shape_sharing.c */
    };
    union {              /* by flow and operation; indices are of the program's arrays */
        int64_t offset;  /* memory, parameters, mov_local: added to the address */
        int64_t target;  /* BRANCH: a pc */
        int64_t targets; /* INDEXED: where its list begins in targets */
        int64_t call;    /* CALL: index of calls */
        int64_t message; /* UNSUPPORTED: index of unsupported */
        int64_t matrix;  /* wmma, mma, ldmatrix, stmatrix: index of matrices */
        int64_t texture; /* tex, suld and their kin: index of textures; istypep: which */
        int64_t special; /* mov_clock: enum special */
        int64_t groups;  /* cp_async_wait: that may be on their way; -1: none may */
        int64_t table;   /* lop3_predicate: the table of truth */
        int64_t video;   /* see video.h */
        struct {
            int32_t from_offset, to_offset;
        } copy; /* cp_async, cp_bulk */
    };
    uint8_t flow, cost; /* enum flow, cost_class */
    union {
        uint8_t type;    /* enum ptx_type */
        uint8_t barrier; /* BARRIER: enum barrier_kind */
    };
    union {
        uint8_t type2;     /* enum ptx_type */
        uint8_t address32; /* memory: not 0 where the address register has 32 bits */
    };
    uint8_t register_bytes; /* width of the (first) data register */
    uint8_t rounding;       /* enum rounding, with the ROUNDING_* bits */
    union {
        uint8_t compare;    /* enum compare */
        uint8_t copy_flags; /* COPY_*, see copy_flags.h */
        bool sync_anywhere; /* warp_barrier: see insn_syncs_anywhere */
    };
    uint8_t boolean, space, order;
    union {
        uint8_t vector;         /* elements */
        uint8_t source_bytes;   /* cvt: of the source register */
        uint8_t copy_bytes;     /* cp_async */
        uint8_t mbarrier_flags; /* MBARRIER_*, see copy_flags.h */
        uint8_t grow;           /* cp_async_arrive: what the pending count grows by first */
    };
    uint8_t extra;       /* EXTRA_* */
    uint8_t definedness; /* enum isa_definedness */
    uint8_t scope;       /* enum memory_scope; NONE: reaches all threads */
    uint16_t form;       /* row of isa.def; FORM_NONE: it has none */
};
_Static_assert(sizeof(struct insn) == 64, "one cache line");

enum {
    ROUNDING_MODE = 7,
    ROUNDING_GENERAL =
        8, /* the general executor of its row: also for some conversions without any */
    ROUNDING_FTZ = 16,
    ROUNDING_SAT = 32,
    ROUNDING_INTEGRAL = 64,
    ROUNDING_APPROX = 128
};

static inline enum isa_op insn_op(const struct insn *insn) {
    return (enum isa_op)isa_forms[insn->form].op;
}

static inline const struct isa_operation *insn_operation(const struct insn *insn) {
    return &isa_operations[insn_op(insn)];
}

static inline bool insn_has(const struct insn *insn, enum isa_trait trait) {
    return insn_operation(insn)->traits & trait;
}

/* Is it from or to that type? PTX_NO_TYPE: any. */
static inline bool insn_has_type(const struct insn *insn, enum ptx_type type) {
    return type == PTX_NO_TYPE || insn->type == type || insn->type2 == type;
}

static inline bool insn_is(const struct insn *insn, enum isa_op op, enum ptx_type type) {
    return insn_op(insn) == op && insn_has_type(insn, type);
}

/* Texels of surfaces; of textures. Both reach memory by way of a handle. */
static inline bool insn_is_surface(const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    return op == OP_suld || op == OP_sust || op == OP_sured;
}
static inline bool insn_is_texture(const struct insn *insn) {
    enum isa_op op = insn_op(insn);
    return op == OP_tex || op == OP_tld4;
}

/* Atomic, volatile or ordered. */
static inline bool insn_is_strong(const struct insn *insn) {
    return insn->cost == COST_ATOMIC || (insn->order != ORDER_WEAK && insn->order != ORDER_DATA);
}

/* Why a kernel that launches kernels is not executed, as `unsupported` says it. */
#define DYNAMIC_PARALLELISM "a launch of a kernel from a kernel (dynamic parallelism)"

/* A fence or a strong access that only threads of the same block can rely on. Where a launch has
 * clusters of several blocks, the decoder has taken their scope for the device's. */
static inline bool insn_is_scope_cta(const struct insn *insn) {
    return insn->scope == SCOPE_CTA || insn->scope == SCOPE_CLUSTER;
}

/* Do lanes that execute another such instruction with the same mask count as having come to this
 * one? PTX ISA 9.7.13.2: only before sm_70 it must be the same instruction. */
static inline bool insn_syncs_anywhere(const struct insn *insn) {
    return insn_op(insn) == OP_warp_barrier && insn->sync_anywhere;
}

#define PC_NONE UINT32_MAX

/* Where an instruction comes from: looked at only when something is reported, or before the
 * launch. */
struct insn_origin {
    uint32_t file, line, column; /* file: index into program->files; line 0: unknown */
    uint32_t ptx_line;
    uint16_t cost_row; /* of instruction_cost.def */
    bool parameter;    /* accesses a .param variable, perhaps through a register */
    bool no_unroll;    /* starts a loop that .pragma "nounroll" protects */
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

enum { VECTOR_CLASSES = 4 };

struct program_function {
    struct ptx_span name;
    bool is_entry;
    uint32_t entry_pc;
    uint32_t register_bytes; /* of one warp's register file for it */
    /* In it: its lane vectors of 2, 4, 8 and 16 bytes a lane, and where they end. */
    uint32_t vector_starts[VECTOR_CLASSES + 1];
    uint32_t local_bytes;         /* .local variables, a lane */
    bool has_parameter_addresses; /* its parameters are also read and written as memory */
    uint32_t param_area_bytes;    /* .param variables of call sequences and of itself, a lane */
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
    bool draws_numbers;     /* some atomic may tell a block how many were there before it */
    bool scoped;            /* some fence or strong access reaches its own block only */
    bool tells_host;        /* a fence of system scope, or a release */
    struct local_objects *local_objects; /* what -G says of local variables; NULL: nothing */
    struct matrix *matrices;             /* of matrix instructions, see matrix.h */
    size_t matrix_count, matrix_capacity;
    struct texture_access *textures; /* of texture and surface instructions, see texture_access.h */
    size_t texture_count, texture_capacity;
    char (*unsupported)[256];
    size_t unsupported_count, unsupported_capacity;
};

/* Decodes the kernel and every function it may call. `shared_bytes` is the launch's dynamic size.
 */
enum status program_decode(const struct ptx_module *module, const struct ptx_function *kernel,
                           const char *source_file, uint64_t shared_bytes, struct program **program,
                           struct error *error);
/* The same for a launch with clusters, of which the code depends on how. */
enum program_clusters {
    CLUSTERS_NONE,
    CLUSTERS_OF_ONE, /* it says that there are some, of one block each */
    CLUSTERS_OF_SEVERAL,
};
enum status program_decode_clustered(const struct ptx_module *module,
                                     const struct ptx_function *kernel, const char *source_file,
                                     uint64_t shared_bytes, enum program_clusters clusters,
                                     struct program **program, struct error *error);
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
/* repeated_load.c: whether a load can come to the same address again. *budget: instructions that
 * may still be followed, for all loads of a program together. True where it ends first, and where
 * the code cannot be followed. */
bool load_repeats(const struct program *program, uint32_t pc, uint64_t *budget);
/* confirmed_load.c: marks accesses as EXTRA_CONFIRMED and EXTRA_CONFIRMS. Before
 * load_intent_find(). */
void confirmed_load_find(struct program *program);
/* guessed_load.c: marks the loads that are ORDER_GUESS. */
void guessed_load_find(struct program *program);
/* load_classify.c: marks the loads that are ORDER_DATA. */
void load_intent_find(struct program *program);
/* guarding_load.c: whether the other load comes only where a branch has found something in the
 * first one's value. *budget as above. */
bool load_guards(const struct program *program, uint32_t load, uint32_t other, uint64_t *budget);
/* observed_value.c: marks atomics and strong loads whose value is used as EXTRA_OBSERVES. */
void observed_value_find(struct program *program);
/* Whether the other access comes only where a branch has found something in what the first one has
 * read, also by way of shared or local memory and of functions that return it. False where nobody
 * can say; *budget as above. */
bool observed_value_decides(const struct program *program, uint32_t observing, uint32_t other,
                            uint64_t *budget);
/* message_classify.c: marks accesses as EXTRA_WAITS, EXTRA_ARRIVES, EXTRA_DECIDES and
 * EXTRA_CARRIES. After load_intent_find(). */
void message_intent_find(struct program *program);

/* Where cooperative groups find what the system keeps for them in shared memory. */
#define RESERVED_GROUPS "%reserved_smem_offset_1"

enum special {
#define SPECIAL(id, name, bytes) SPECIAL_##id,
#include "sandbox/simgpu/program/special.def"
#undef SPECIAL
    SPECIAL_COUNT
};

#endif
