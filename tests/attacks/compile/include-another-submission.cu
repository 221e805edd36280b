// warpgrade: saxpy
// aim: hand in what another student handed in
// defence: other submissions are not in the compiler's file system
// landlock: fails
// verdict: compile-error
// says: A submission is one file
#include "@OTHER@/saxpy.cu"
#include "@WORK@/good.cu"
