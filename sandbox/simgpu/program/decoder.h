/* What the decoder's files share: decode.c (functions and instructions), operand.c (operands and
 * constants), variable_layout.c (variables), flow.c (reconvergence points). */
#ifndef WARPGRADE_SANDBOX_SIMGPU_PROGRAM_DECODER_H
#define WARPGRADE_SANDBOX_SIMGPU_PROGRAM_DECODER_H

#include "sandbox/simgpu/program/program.h"

struct param_slot { /* a .param variable of the function being decoded */
    uint32_t offset, bytes;
    int32_t entry_offset; /* >= 0: a parameter of the kernel, at this offset of its block */
};

struct source {
    const struct ptx_function *function;
    int32_t caller;     /* index of the source whose call this is a copy for; -1: for all */
    size_t instruction; /* of that call */
    int32_t location;   /* of that call, or of the one that led to it; -1: its own lines count */
    unsigned depth;     /* of copies within copies */
};

struct decoder {
    const struct ptx_module *module;
    struct program *program;
    struct error *error;
    enum program_clusters clusters;
    bool failed;
    struct source *sources; /* program->functions[i] comes from sources[i] */
    size_t source_count, source_capacity;
    uint32_t main_file;       /* number of the submission's file in the module */
    int32_t *placed;          /* module variable -> index in program->variables, or -1 */
    int32_t **shared_maps;    /* the same for the variables of each function */
    struct local_area *areas; /* .local variables of the functions so far: see local_objects.h */
    size_t area_count, area_capacity;
    /* of the function being decoded */
    const struct source *place;
    const struct ptx_function *source; /* place->function */
    struct program_function *function;
    struct label *labels;                /* hash: name -> number of its instruction */
    uint32_t *registers;                 /* register -> offset */
    struct param_slot *slots;            /* variable -> parameter slot */
    uint32_t *locals;                    /* variable -> offset in the frame's local area */
    const int32_t *shared;               /* variable -> index in program->variables, or -1 */
    uint32_t scratch, scratch_predicate; /* where results that are not used go */
    bool groups_placed; /* what the system keeps for cooperative groups: see variable_layout.c */
    uint32_t special_offsets[2][SPECIAL_COUNT]; /* whole, and read as 16 bits */
    uint32_t register_bytes;
    struct register_use { /* what the function's instructions do with registers, in their order */
        uint32_t pc;
        int32_t number; /* of the register in the source */
        bool write;
    } * uses;
    size_t use_count, use_capacity;
    uint32_t pc; /* of the instruction at hand */
    const struct ptx_instruction *instruction;
    uint16_t cost_row; /* its */
    char why[200];     /* why the instruction at hand cannot be decoded */
};

/* call_graph.c: decoder->sources. */
void call_graph_collect(struct decoder *decoder, const struct ptx_function *kernel);
/* Index of the function of that name; `call`: as the instruction at hand calls it. -1: none. */
int32_t call_graph_find(const struct decoder *decoder, struct ptx_span name, bool call);

/* line_table.c: which file of the module is the submission; is a location in it, or inlined into
 * it; the line of every instruction. */
uint32_t line_table_main_file(const struct ptx_module *module, const char *source_file);
bool line_table_in_submission(const struct decoder *decoder, int32_t location);
void line_table_resolve(struct decoder *decoder);

/* variable_layout.c */
bool variable_layout_place(struct decoder *decoder, uint64_t shared_bytes);
/* The place of a module variable or of a function's shared variable. */
const struct placed_variable *variable_layout_find(const struct decoder *decoder,
                                                   const struct ptx_operand *operand);
void variable_layout_display_name(struct ptx_span mangled, char *name, size_t size);

/* operand.c: a register's offset, after it is noted that the instruction reads or writes it. */
uint32_t decode_register(struct decoder *decoder, int32_t number, bool write);

/* operand.c: each writes one offset; false (with decoder->why) where the operand does not fit. */
bool decode_cannot(struct decoder *decoder, const char *why);
bool decode_destination(struct decoder *decoder, const struct ptx_operand *operand, unsigned bits,
                        uint32_t *offset);
bool decode_source(struct decoder *decoder, const struct ptx_operand *operand, enum ptx_type type,
                   uint32_t *offset);
bool decode_predicate(struct decoder *decoder, const struct ptx_operand *operand, bool destination,
                      uint32_t *offset);
bool decode_address(struct decoder *decoder, const struct ptx_operand *operand, struct insn *insn);
/* A lane vector with the same bits in every lane, found again when it exists. */
uint32_t decode_constant(struct decoder *decoder, uint64_t bits, unsigned bytes);
unsigned decode_register_bytes(const struct decoder *decoder, const struct ptx_operand *operand);
bool decode_special(struct decoder *decoder, struct ptx_span name, enum special *special);
struct insn *decode_emit(struct decoder *decoder, enum flow flow);
const struct ptx_operand *decode_operand_at(const struct decoder *decoder, unsigned index);

/* instruction.c: the instruction of a row, without its operands. */
struct insn *decode_emit_form(struct decoder *decoder, const struct decoded_form *form);
/* The same of an operation that no mnemonic names, as OP_mov_pack. */
struct insn *decode_emit_as(struct decoder *decoder, const struct decoded_form *form,
                            enum isa_op op);

/* decode_matrix.c, decode_async.c, decode_texture.c: the forms that have these decoders in
 * instruction.c. */
bool decode_matrix(struct decoder *decoder, const struct decoded_form *form);
bool decode_matrix_rows(struct decoder *decoder, const struct decoded_form *form);
bool decode_movmatrix(struct decoder *decoder, const struct decoded_form *form);
bool decode_cp(struct decoder *decoder, const struct decoded_form *form);
bool decode_mbarrier(struct decoder *decoder, const struct decoded_form *form);
bool decode_texture(struct decoder *decoder, const struct decoded_form *form);
bool decode_surface(struct decoder *decoder, const struct decoded_form *form);
bool decode_texture_query(struct decoder *decoder, const struct decoded_form *form);
bool decode_istypep(struct decoder *decoder, const struct decoded_form *form);

/* instruction_video.c */
bool decode_video(struct decoder *decoder, const struct decoded_form *form);
bool decode_lop3(struct decoder *decoder, const struct decoded_form *form);

/* instruction.c: appends what one PTX instruction becomes; false with decoder->why. */
bool decode_instruction(struct decoder *decoder, const struct decoded_form *form);

/* decode.c: the number of the instruction after a label of the function. */
bool decode_label(struct decoder *decoder, struct ptx_span name, uint32_t *instruction);

/* instruction_flow.c */
bool decode_call(struct decoder *decoder, const struct decoded_form *form);
bool decode_brx(struct decoder *decoder, const struct decoded_form *form);
bool decode_bra(struct decoder *decoder, const struct decoded_form *form);

/* flow.c: blocks, immediate post-dominators, reconvergence; inserts FLOW_JOIN and moves targets. */
bool flow_reconverge(struct decoder *decoder, uint32_t first_pc);

#endif
