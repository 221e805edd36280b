/* One instruction test: a few PTX lines over typed registers, and for each lane the bits that go in
 * and the bits that must come out. The format of the data files stands in README.md beside this. */
#ifndef WARPGRADE_TESTS_PTX_PTX_CASE_H
#define WARPGRADE_TESTS_PTX_PTX_CASE_H

#include "sandbox/base/text.h"

#include <stdint.h>

enum { CASE_LANES = 32, CASE_REGISTERS = 12 };

struct case_register {
    char name[32], type[8];
    unsigned bits; /* 1: a predicate */
};

struct case_output {
    enum { OUTPUT_EXACT, OUTPUT_ANY, OUTPUT_NEAR } kind;
    uint64_t bits;
    unsigned ulp; /* NEAR: how many representable numbers away */
};

struct ptx_case {
    char file[256], name[128];
    unsigned line;
    bool all_lanes_only; /* what a lane gets depends on the others: no run with a partial mask */
    unsigned target;     /* compute capability it needs, 90; 0: 80 */
    bool sim_only;       /* the ISA leaves it open, or no ptxas takes it */
    bool cuda_unguarded; /* ptxas converts what a guarded set did not write */
    struct case_register inputs[CASE_REGISTERS], outputs[CASE_REGISTERS];
    unsigned input_count, output_count;
    struct text module, code, printed;
    unsigned instructions; /* semicolons in the code */
    unsigned row_count;
    uint64_t in[CASE_LANES][CASE_REGISTERS];
    struct case_output out[CASE_LANES][CASE_REGISTERS];
};

struct case_list {
    struct ptx_case **cases;
    size_t count, capacity;
};

/* False, with a message on stderr, where the file cannot be read or a line is malformed. */
bool cases_read(const char *path, struct case_list *list);
void cases_free(struct case_list *list);

enum case_mode {
    MODE_ALL,    /* all 32 lanes */
    MODE_BRANCH, /* the others have branched around the code */
    MODE_GUARD,  /* the one instruction has a guard */
    MODE_COUNT,
};
extern const char *const mode_names[MODE_COUNT];
bool case_has_mode(const struct ptx_case *test, enum case_mode mode);

/* The lanes that execute the code in the modes but MODE_ALL. */
#define CASE_MASK 0x5af0963cu

/* A module with the kernel `t(in, out)`: register i of a lane is the word [i][lane] of a buffer. */
void case_wrap(const struct ptx_case *test, enum case_mode mode, struct text *ptx);
enum { CASE_WORDS = CASE_REGISTERS * CASE_LANES };
void case_fill(const struct ptx_case *test, uint64_t in[CASE_WORDS], uint64_t out[CASE_WORDS]);
/* Complains on stderr about each wrong lane; the number of them. */
unsigned case_compare(const struct ptx_case *test, enum case_mode mode,
                      const uint64_t out[CASE_WORDS]);

/* Handles: a texture (1) and a surface (2) of the module's first variable that the code uses, 8 by
 * 4 and 8 by 8 numbers of 32 bits; a texture of the second one (3), 8 by 4 floats filtered
 * linearly; the first again as 2 by 4 by 4 (4), as four layers of 8 (5) and of 2 by 4 (6), as a
 * cube of four bytes a face (7); the second with normalised coordinates (8), and as two layers of a
 * cube (9). */
enum { CASE_TEXTURES = 9 };
struct engine_texture;
void case_textures(struct engine_texture *textures);

#endif
