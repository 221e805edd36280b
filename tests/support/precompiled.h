/* Headers of libcu++ compiled once for the kernels that a test program compiles with compiler.h:
 * those that include <cuda/...> and nothing but headers before their code take half a second each,
 * of which a tenth is theirs. The PTX is the same but for the order of declarations. Link with
 * -Wl,--wrap=nvrtc_load. */
#ifndef WARPGRADE_TESTS_SUPPORT_PRECOMPILED_H
#define WARPGRADE_TESTS_SUPPORT_PRECOMPILED_H

/* Before compiler_start(). Without a folder for caches nothing is precompiled. */
void precompiled_open(void);
/* After compiler_end(): some 100 MB a set of headers are in files until then. */
void precompiled_close(void);

#endif
