/* What batches of copies and of advice are described with. Private to the library. */
#ifndef WARPGRADE_SANDBOX_RUNTIME_BATCH_H
#define WARPGRADE_SANDBOX_RUNTIME_BATCH_H

#include "sandbox/runtime/abi.h"

/* cudaMemLocation */
struct location {
    int type, id;
};
enum { ON_DEVICE = 1, ON_HOST = 2 }; /* cudaMemLocationType */

/* cudaMemcpyAttributes */
struct copy_attributes {
    int source_order;
    struct location from, to;
    unsigned flags;
};
/* cudaMemcpy3DOperand */
struct copy_operand {
    int type;
    union {
        struct {
            void *start;
            size_t row_length, layer_height; /* in elements; 0: as the extent */
            struct location hint;
        } memory;
        struct {
            cudaArray_t array;
            struct cudaPos at;
        } array;
    };
};
/* cudaMemcpy3DBatchOp */
struct copy_operation {
    struct copy_operand from, to;
    struct cudaExtent extent;
    int source_order;
    unsigned flags;
};
_Static_assert(sizeof(struct copy_attributes) == 24 && sizeof(struct copy_operand) == 40 &&
                   sizeof(struct copy_operation) == 112,
               "as in CUDA 13.0's driver_types.h");

#endif
