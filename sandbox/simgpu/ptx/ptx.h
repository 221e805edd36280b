/* PTX text as a tree: what the parser makes and the decoder reads, once per launch.
 *
 * Names are spans of the source text, which must outlive the module. Symbols declared before their
 * use (registers, variables, parameters) are resolved while parsing; labels and functions stay
 * names until decoding, because they may come later. The text is hostile: every count is capped
 * and a syntax error ends parsing with one message and the PTX line. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PTX_PTX_H
#define WARPGRADE_SANDBOX_SIMGPU_PTX_PTX_H

#include "sandbox/base/error.h"
#include "sandbox/base/types.h"

enum {
    PTX_MAX_BYTES = 64 << 20,
    PTX_MAX_REGISTERS = 1 << 18,    /* of one function */
    PTX_MAX_VARIABLE = 1 << 30,     /* bytes of one variable */
    PTX_MAX_INITIAL = 256 << 20,    /* bytes of all variables that have an initialiser */
    PTX_MAX_INSTRUCTIONS = 1 << 20, /* and labels, of all functions */
    PTX_MAX_OPERANDS = 1 << 22,
    PTX_MAX_DECLARATIONS = 1 << 16, /* variables, functions, files, each of all together */
    PTX_NO_SYMBOL = -1,
};

struct ptx_span {
    const char *start;
    uint32_t length;
};

bool ptx_span_is(struct ptx_span span, const char *string);

/* PTX_TYPE(id, bits): the fundamental types; packed ones carry their whole width. */
#define PTX_TYPES(PTX_TYPE)                                                                        \
    PTX_TYPE(pred, 1)                                                                              \
    PTX_TYPE(b8, 8)                                                                                \
    PTX_TYPE(u8, 8)                                                                                \
    PTX_TYPE(s8, 8)                                                                                \
    PTX_TYPE(b16, 16)                                                                              \
    PTX_TYPE(u16, 16)                                                                              \
    PTX_TYPE(s16, 16)                                                                              \
    PTX_TYPE(f16, 16)                                                                              \
    PTX_TYPE(bf16, 16)                                                                             \
    PTX_TYPE(e4m3x2, 16)                                                                           \
    PTX_TYPE(e5m2x2, 16)                                                                           \
    PTX_TYPE(e2m3x2, 16)                                                                           \
    PTX_TYPE(e3m2x2, 16)                                                                           \
    PTX_TYPE(ue8m0x2, 16)                                                                          \
    PTX_TYPE(b32, 32)                                                                              \
    PTX_TYPE(u32, 32)                                                                              \
    PTX_TYPE(s32, 32)                                                                              \
    PTX_TYPE(f32, 32)                                                                              \
    PTX_TYPE(u16x2, 32)                                                                            \
    PTX_TYPE(s16x2, 32)                                                                            \
    PTX_TYPE(f16x2, 32)                                                                            \
    PTX_TYPE(bf16x2, 32)                                                                           \
    PTX_TYPE(tf32, 32)                                                                             \
    PTX_TYPE(b64, 64)                                                                              \
    PTX_TYPE(u64, 64)                                                                              \
    PTX_TYPE(s64, 64)                                                                              \
    PTX_TYPE(f64, 64)                                                                              \
    PTX_TYPE(b128, 128)

enum ptx_type {
    PTX_NO_TYPE,
#define PTX_TYPE(id, bits) PTX_##id,
    PTX_TYPES(PTX_TYPE)
#undef PTX_TYPE
        PTX_TYPE_COUNT
};
unsigned ptx_type_bits(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
enum ptx_type ptx_type_from_span(struct ptx_span name); /* "f32" without the dot; or PTX_NO_TYPE */

enum ptx_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM };

struct ptx_relocation { /* an initialiser that is the address of another symbol */
    uint32_t offset;
    struct ptx_span name;
    bool generic; /* written as generic(name) */
    int64_t addend;
};

struct ptx_variable {
    struct ptx_span name;
    enum ptx_space space;
    enum ptx_type type;
    uint32_t alignment;
    uint64_t bytes;         /* 0: extern array, its size is given at launch */
    uint64_t element_count; /* of its declared element type, for messages */
    bool is_extern;
    unsigned char *initial; /* bytes, or NULL: zero */
    struct ptx_relocation *relocations;
    size_t relocation_count, relocation_capacity;
    uint64_t address; /* where the host of a whole program has placed it; 0: a launch does */
    bool is_managed;  /* .attribute(.managed) */
};

struct ptx_register {
    struct ptx_span name; /* prefix of a family: "%r" */
    uint32_t number;      /* inside the family; 0 for a single one */
    enum ptx_type type;
};

enum ptx_operand_kind {
    OPERAND_REGISTER, /* symbol = register */
    OPERAND_SPECIAL,  /* name = "%tid.x" */
    OPERAND_INTEGER,  /* bits */
    OPERAND_F32,      /* bits: 0fXXXXXXXX */
    OPERAND_F64,      /* bits: 0dXXXX or a decimal literal */
    OPERAND_SYMBOL,   /* symbol = variable, or PTX_NO_SYMBOL and name = label or function */
    OPERAND_ADDRESS,  /* [base + offset]: the base is in list[0], PTX_NO base: absolute */
    OPERAND_LIST,     /* {a, b} or (a, b) */
    OPERAND_PAIR,     /* p|q */
    OPERAND_SINK,     /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;       /* !p, and -a of vmad */
    bool global_symbol; /* symbol is an index of module variables, else of the function's */
    int32_t symbol;
    int64_t offset; /* ADDRESS, SYMBOL: + offset */
    uint64_t bits;
    struct ptx_span name;
    uint32_t list_start; /* LIST, PAIR, ADDRESS: elements in module->operands */
    uint32_t list_count;
};

struct ptx_location {
    uint32_t file, line, column;
    bool inlined;
    uint32_t inlined_file, inlined_line, inlined_column;
};

struct ptx_instruction {
    struct ptx_span mnemonic; /* "ld.global.v4.f32"; empty: a label stands here */
    struct ptx_span label;
    int32_t guard; /* register, or PTX_NO_SYMBOL */
    bool guard_negated;
    uint32_t operand_start, operand_count;
    uint32_t ptx_line;
    int32_t location; /* in module->locations; -1: none */
    bool no_unroll;   /* the first one of a loop that the assembler must leave as it is */
};

struct ptx_table { /* label: .branchtargets / .callprototype */
    struct ptx_span name;
    uint32_t operand_start, operand_count;
};

struct ptx_function {
    struct ptx_span name;
    bool is_entry, has_body;
    int32_t *params, *results; /* variables of this function */
    size_t param_count, param_capacity, result_count, result_capacity;
    struct ptx_variable *variables; /* .shared, .local, .param and others declared in it */
    size_t variable_count, variable_capacity;
    struct ptx_register *registers;
    size_t register_count, register_capacity;
    struct ptx_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    struct ptx_table *tables;
    size_t table_count, table_capacity;
    uint32_t max_threads[3], required_threads[3]; /* 0: not said */
    uint32_t cluster_blocks[3];                   /* .reqnctapercluster; 0: not said */
    bool explicit_cluster;
};

struct ptx_file {
    uint32_t number;
    struct ptx_span path;
};

struct ptx_module {
    unsigned version_major, version_minor, target; /* .version 9.0, .target sm_80 */
    unsigned address_bits;
    struct ptx_variable *variables;
    size_t variable_count, variable_capacity;
    struct ptx_function *functions;
    size_t function_count, function_capacity;
    struct ptx_operand *operands;
    size_t operand_count, operand_capacity;
    struct ptx_location *locations;
    size_t location_count, location_capacity;
    struct ptx_file *files;
    size_t file_count, file_capacity;
    struct ptx_span text; /* all of it */
};

/* error->line is the line of the PTX text. */
enum status ptx_parse(const char *text, size_t length, struct ptx_module **module,
                      struct error *error);
void ptx_module_free(struct ptx_module *module);
/* "dot" of "_Z3dotPKfS0_Pfi"; the name itself where it is not mangled. */
struct ptx_span ptx_plain_name(struct ptx_span lowered);
/* A function by its lowered name, or an entry by its plain one ("dot" finds _Z3dotPKfS0_Pfi). */
const struct ptx_function *ptx_find_function(const struct ptx_module *module, struct ptx_span name);
enum status ptx_find_kernel(const struct ptx_module *module, const char *name,
                            const struct ptx_function **kernel, struct error *error);

#endif
