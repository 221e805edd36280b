// warpgrade: saxpy
// aim: pass with the reference's own kernel, renamed
// defence: nothing of exercises/ and reference/ is in the compiler's file system
// landlock: fails
// verdict: compile-error
// says: A submission is one file
// never: accumulat
#define saxpy_reference saxpy
#include "@SOURCE@/reference/saxpy/reference.cu"
