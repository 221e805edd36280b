/* One lane's value of any type, widened without loss: for executors that serve many types. */
#ifndef WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_SCALAR_H
#define WARPGRADE_SANDBOX_SIMGPU_EXEC_EXECUTORS_SCALAR_H

#include "sandbox/simgpu/exec/executors/float_format.h"

/* Exactly one of the three holds it. */
struct scalar {
    enum { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT } kind;
    int64_t s;
    uint64_t u;
    double f;
};

/* The element of a packed type that starts at `from` is read as one of its halves. */
static inline struct scalar scalar_read(enum ptx_type type, const unsigned char *from) {
    struct scalar value = {.kind = SCALAR_UNSIGNED};
    const struct narrow_format *format = narrow_format_of(type);
    unsigned bits = ptx_type_bits(type);
    if (type == PTX_f64) {
        value.kind = SCALAR_FLOAT;
        memcpy(&value.f, from, 8);
    } else if (format) {
        value.kind = SCALAR_FLOAT;
        uint32_t narrow = 0;
        memcpy(&narrow, from, (format->bits + 7u) / 8);
        value.f = narrow_decode(narrow, format);
    } else {
        memcpy(&value.u, from, bits / 8);
        if (ptx_type_is_signed(type)) {
            value.kind = SCALAR_SIGNED;
            value.s = (int64_t)(value.u << (64 - bits)) >> (64 - bits);
        }
    }
    return value;
}

#endif
