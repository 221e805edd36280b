/* What the files that make machine code of a program share. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_PRIVATE_H
#define WARPGRADE_SANDBOX_SIMGPU_SASS_SASS_MODEL_PRIVATE_H

#include "sandbox/simgpu/sass/sass_model.h"

enum { VALUE_LIMIT = 60000 };

/* "ld.shared": the mnemonic's first word is `ld`, and `shared` is one of the others. */
bool machine_words_match(const char *words, struct ptx_span mnemonic);
/* As how many instructions the assembler counts it where it looks for short code; fences, and what
 * has a branch of its own, never are. */
enum { MACHINE_NEVER_SHORT = 1000 };
unsigned machine_weight(struct ptx_span mnemonic);
/* The operation is another one's work from now on. */
void machine_make_free(struct operation *operation);

/* The number of a value that stands at the offset of the function's registers, or NO_VALUE. */
uint16_t machine_value_at(struct machine_code *code, size_t function, uint32_t offset);
/* A value that PTX has no name for; it has more than one reader. NO_VALUE: there are too many. */
uint16_t machine_new_value(struct machine_code *code);
/* Adds a source or a destination, where there is room and the value is one. */
void machine_reads(struct operation *operation, uint16_t value);
void machine_writes(struct operation *operation, uint16_t value);

/* if_conversion.c: by pc, the first pc of its region, which the caller frees; and, at the branch of
 * an if that is predicated, in `ends` the first pc behind the if. */
uint32_t *machine_if_regions(const struct program *program, uint32_t *ends);

/* demanded_bits.c: finds code->narrow, before any region is made. */
void machine_find_narrow(struct machine_code *code);
/* Whether the operation is one of 64 bits of which 32 are computed. */
bool machine_is_narrow(const struct machine_code *code, const struct operation *operation);
/* Makes of it what those 32 bits cost. */
void machine_narrow(const struct machine_code *code, struct operation *operation);

/* scalar_replacement.c: where arrays are in registers, finds code->arrays, before any region is
 * made. */
void machine_find_arrays(struct machine_code *code);
void machine_free_arrays(struct machine_arrays *arrays); /* or NULL */
/* Adds to the region what an access to an element becomes, which is one operation so far; false
 * where it stays one. */
bool machine_make_array(struct machine_code *code, struct region *region,
                        const struct operation *whole);
/* Any other operation, in the program's order: predicates may end with it, or it may be nothing. */
void machine_note_array(struct machine_code *code, struct operation *operation);
/* A region begins. */
void machine_forget_arrays(struct machine_code *code);

/* sass_matrix.c: adds to the region what a matrix instruction becomes, which is one operation so
 * far; false where it stays one. */
bool machine_make_matrix(struct machine_code *code, struct region *region,
                         const struct operation *whole);
/* sass_peephole.c: instructions of the region that become one, or none. */
void machine_fuse(const struct machine_code *code, struct region *region);
/* loop_unroll.c: where the region is a loop that the assembler unrolls, fills region->unrolled. */
void machine_unroll(struct machine_code *code, struct region *region);

#endif
