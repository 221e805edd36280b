/* What the compiler says of a submission. */
#ifndef WARPGRADE_SANDBOX_BASE_DIAGNOSTIC_H
#define WARPGRADE_SANDBOX_BASE_DIAGNOSTIC_H

enum build_severity { BUILD_ERROR, BUILD_WARNING, BUILD_NOTE };

struct build_diagnostic {
    enum build_severity severity;
    char file[256];        /* base name; "" where the compiler gave no place */
    unsigned line, column; /* column 0: unknown (NVRTC gives lines only) */
    char text[1024];
};

#endif
