/* One instruction's mnemonic, less what says nothing of the algorithm. Private to the room. */
#ifndef WARPGRADE_GRADER_SIMILARITY_OPERATION_H
#define WARPGRADE_GRADER_SIMILARITY_OPERATION_H

#include "sandbox/simgpu/ptx/ptx.h"

struct operation {
    char name[64];
    uint8_t commutes;           /* the first operands of this number may be swapped */
    bool is_move, is_branch;    /* a move names a value; a branch's target is a label */
    bool is_call, is_parameter; /* ld.param */
    bool is_ordered;            /* setp.lt and the like, ... */
    bool is_swapped;            /* ... whose operands are to be read in the other order */
};

struct operation operation_read(struct ptx_span mnemonic);

#endif
