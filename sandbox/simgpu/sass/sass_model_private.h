/* What the files that make machine code of a program share. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_PRIVATE_H

#include "sandbox/simgpu/sass/sass_model.h"

enum { VALUE_LIMIT = 60000 };

/* As how many instructions the assembler counts it where it looks for short code; fences, and what
 * has a branch of its own, never are. */
enum { SASS_NEVER_SHORT = 1000 };
unsigned sass_model_weight(const struct program *program, uint32_t pc);
/* Is it an instruction of that operation and type? PTX_NO_TYPE: of any. */
static inline bool sass_model_is(const struct sass_model *code, const struct operation *operation,
                                 enum isa_op op, enum ptx_type type) {
    return insn_is(&code->program->code[operation->pc], op, type);
}
/* The operation is another one's work from now on. */
void sass_model_make_free(struct operation *operation);

/* The number of a value that stands at the offset of the function's registers, or NO_VALUE. */
uint16_t sass_model_value_at(struct sass_model *code, size_t function, uint32_t offset);
/* A value that PTX has no name for; it has more than one reader. NO_VALUE: there are too many. */
uint16_t sass_model_new_value(struct sass_model *code);
/* Adds a source or a destination, where there is room and the value is one. */
void sass_model_add_source(struct operation *operation, uint16_t value);
void sass_model_add_destination(struct operation *operation, uint16_t value);

/* if_conversion.c: by pc, the first pc of its region, which the caller frees; and, at the branch of
 * an if that is predicated, in `ends` the first pc after the if. */
uint32_t *if_conversion_regions(const struct program *program, uint32_t *ends);

/* demanded_bits.c: finds code->narrow, before any region is made. */
void demanded_bits_find(struct sass_model *code);
/* Whether the operation is one of 64 bits of which 32 are computed. */
bool demanded_bits_is_half(const struct sass_model *code, const struct operation *operation);
/* Makes of it what those 32 bits cost. */
void demanded_bits_halve(const struct sass_model *code, struct operation *operation);

/* sass_matrix.c: adds to the region what a matrix instruction becomes, which is one operation so
 * far; false where it stays one. */
bool sass_matrix_expand(struct sass_model *code, struct region *region,
                        const struct operation *whole);
/* sass_peephole.c: instructions of the region that become one, or none. */
void sass_peephole_fuse(const struct sass_model *code, struct region *region);
/* loop_unroll.c: where the region is a loop that the assembler unrolls, fills region->unrolled. */
void loop_unroll_region(struct sass_model *code, struct region *region);

#endif
